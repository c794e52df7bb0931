//! The keys of the scenario language, and what may stand behind each.

mod faces;
mod fault;
mod forms;
mod hall;
mod oscillator;
mod ruling;
mod setup;
mod step;

use flagfall_judge::Point;
use flagfall_trace::plan::GameClass;

use self::faces::{CLOCK, FACES};
use self::forms::{POINT, plain};
use self::oscillator::OSCILLATOR;
use self::ruling::RULING_OR_WORD;
use self::setup::{CONTROL_OR_TEXT, OPENING, WRONG_SETTING};
use self::step::STEP;
use crate::names;
use crate::requirement;
use crate::shape::{Mapping, Shape, may, must};

pub(crate) use self::ruling::strengths;

/// A whole scenario file.
pub(crate) const SCENARIO: Shape = Shape::Map(&ROOT);

/// The names of all rule points.
pub(crate) fn points() -> &'static [&'static str] {
    const NAMES: [&str; Point::ALL.len()] = {
        let mut names = [""; Point::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Point::ALL[index].name();
            index += 1;
        }
        names
    };
    &NAMES
}

const ROOT: Mapping = plain(
    "a scenario",
    &[&[
        must("scenario", &Shape::Text, "scenario: what the case is about"),
        must("points", &Shape::List(&POINT), "points: [B1]"),
        may("purpose", &Shape::Text),
        may("requirements", &Shape::List(&Shape::Word(requirement::ids))),
        may("sources", &Shape::Named(&Shape::Text)),
        may("regulations", &Shape::Map(&REGULATIONS)),
        may("seed", &Shape::Whole(u64::MAX)),
        may("tick_hz", &Shape::Whole(u32::MAX as u64)),
        may("oscillator", &Shape::Map(&OSCILLATOR)),
        must("control", &CONTROL_OR_TEXT, "control: \"40/2h, 1h\""),
        may("opening", &Shape::Map(&OPENING)),
        may("wrong_setting", &Shape::Map(&WRONG_SETTING)),
        must("timeline", &Shape::List(&Shape::Map(&STEP)), "timeline: [{at: 0s, start: white}]"),
        may("end", &Shape::Text),
        may("expect", &Shape::List(&Shape::Map(&FACES))),
        may("clock", &Shape::ScalarOr(&Shape::Word(|| &["right"]), &Shape::Map(&CLOCK))),
        may("rulings", &Shape::Named(&Shape::OneOrMany(&RULING_OR_WORD))),
    ]],
);

const REGULATIONS: Mapping = plain(
    "`regulations`",
    &[&[
        may("class", &Shape::Word(names::of::<GameClass>)),
        may("default_time", &Shape::Text),
        may("supervised", &Shape::Truth),
        may("draw_request", &Shape::Truth),
    ]],
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw;

    /// Every table of keys and the struct that reads it.
    #[test]
    fn the_tables_and_the_structs_have_the_same_keys() {
        let pairs: [(&Mapping, &[&str]); 61] = [
            (&ROOT, names::of::<raw::RawScenario>()),
            (&REGULATIONS, names::of::<raw::RawRegulations>()),
            (&OSCILLATOR, names::of::<crate::oscillator::RawOscillator>()),
            (&oscillator::TEMPERATURE, names::of::<crate::oscillator::RawTemperature>()),
            (&oscillator::TEMPERATURE_POINT, names::of::<crate::oscillator::RawTemperaturePoint>()),
            (&oscillator::NOISE, names::of::<crate::oscillator::RawNoise>()),
            (&setup::CONTROL, names::of::<raw::RawControl>()),
            (&setup::ODDS, names::of::<raw::RawBySide<String>>()),
            (&OPENING, names::of::<raw::RawOpening>()),
            (&setup::STANDING, names::of::<raw::RawStanding>()),
            (&setup::INSTALLED, names::of::<raw::RawInstalled>()),
            (&WRONG_SETTING, names::of::<raw::RawWrongSetting>()),
            (&forms::MOVES_BY_SIDE, names::of::<raw::RawBySide<u16>>()),
            (&forms::RANGE, names::of::<raw::RawRange>()),
            (&STEP, names::of::<raw::RawStep>()),
            (&step::MOVE, names::of::<raw::RawMove>()),
            (&step::PRESS, names::of::<raw::RawPress>()),
            (&step::PLAY, names::of::<raw::RawPlay>()),
            (&step::FORGET_PRESS, names::of::<raw::RawForgetPress>()),
            (&step::PLAY_PAUSE, names::of::<raw::RawPlayPause>()),
            (&step::PAUSE, names::of::<raw::RawPause>()),
            (&step::SET, names::of::<raw::RawSet>()),
            (&step::OBSERVE, names::of::<raw::RawObserve>()),
            (&step::CLAIM, names::of::<raw::RawClaim>()),
            (&step::FIND, names::of::<raw::RawFind>()),
            (&hall::TOUCH, names::of::<raw::RawTouch>()),
            (&hall::HANDLE, names::of::<flagfall_trace::hall::Handle>()),
            (&hall::ADJUST, names::of::<flagfall_trace::hall::Adjust>()),
            (&hall::ASSISTANT, names::of::<flagfall_trace::hall::Assistant>()),
            (&hall::PROMPT, names::of::<flagfall_trace::hall::Prompt>()),
            (&hall::COMPLAIN, names::of::<raw::RawComplain>()),
            (&hall::PLACE, names::of::<flagfall_trace::hall::Place>()),
            (&hall::WRITE, names::of::<flagfall_trace::hall::Write>()),
            (&hall::SHEETS, names::of::<raw::RawBySide<raw::RawSheet>>()),
            (&hall::SHEET, names::of::<raw::RawSheet>()),
            (&hall::CATCH_UP, names::of::<raw::RawCatchUp>()),
            (&hall::VERIFY, names::of::<raw::RawVerify>()),
            (&hall::RESTORE, names::of::<raw::RawRestore>()),
            (&hall::CLAIM_DRAW, names::of::<flagfall_trace::hall::DrawClaim>()),
            (&hall::REQUEST_DRAW, names::of::<flagfall_trace::hall::DrawRequest>()),
            (&hall::PENALISE, names::of::<raw::RawPenalty>()),
            (&fault::FAULT, names::of::<raw::RawFaultMap>()),
            (&fault::STUCK, names::of::<raw::RawLasting>()),
            (&fault::JUMP, names::of::<raw::RawJump>()),
            (&fault::RATE, names::of::<raw::RawRate>()),
            (&fault::TICKS_FAULT, names::of::<raw::RawTicks>()),
            (&fault::BOTH_RUN, names::of::<raw::RawLasting>()),
            (&fault::NONE_RUNS, names::of::<raw::RawLasting>()),
            (&fault::RESET, names::of::<raw::RawReset>()),
            (&fault::ROUNDING, names::of::<raw::RawRounding>()),
            (&fault::FLAG_EARLY, names::of::<raw::RawFlagMoved>()),
            (&fault::FLAG_LATE, names::of::<raw::RawFlagMoved>()),
            (&fault::DISPLAY_FROZEN, names::of::<raw::RawLasting>()),
            (&fault::DISPLAY_LATE, names::of::<raw::RawDisplayLate>()),
            (&FACES, names::of::<raw::RawFaces>()),
            (&faces::SHOWN, names::of::<raw::RawShown>()),
            (&CLOCK, names::of::<raw::RawClock>()),
            (&ruling::RULING, names::of::<raw::RawRuling>()),
            (&forms::TEXT_BY_SIDE, names::of::<raw::RawBySide<String>>()),
            (&forms::PERIOD_BY_SIDE, names::of::<raw::RawBySide<u8>>()),
            (&forms::FLAG_BY_SIDE, names::of::<raw::RawBySide<raw::RawFlag>>()),
        ];
        for (mapping, fields) in pairs {
            let keys: Vec<&str> = mapping.keys().map(|key| key.name).collect();
            assert_eq!(keys, fields, "{}", mapping.what);
        }
    }
}
