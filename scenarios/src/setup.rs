//! From a control and an opening as they are written to everything a clock is told.

use flagfall_core::period::TIME_MS_MAX;
use flagfall_core::{BySide, DisplayFormat, Opening, Setup, Side, TimeControl};

use crate::control::{self, pgn};
use crate::diagnostics::Complaint;
use crate::expect::period_index;
use crate::raw::{RawBySide, RawControl, RawInstalled, RawOpening, RawSign, RawStanding, RawWrongSetting, ScalarOr};
use crate::scenario::Meaning;
use crate::spans::Node;
use crate::time::{span_ms, span_ns};

const NS_PER_MS: i64 = 1_000_000;
const NS_PER_S: i64 = 1_000 * NS_PER_MS;
const NS_PER_MIN: i64 = 60 * NS_PER_S;

/// The setup of a clock at its start, if its control can be understood.
pub(crate) fn game(
    meaning: &mut Meaning<'_>,
    raw: &ScalarOr<RawControl>,
    node: &Node,
    opening: Option<&RawOpening>,
    opening_node: &Node,
) -> Option<Setup> {
    let setup = settings(meaning, raw, node);
    let standing = opening.map_or(Standing::default(), Standing::of_game);
    standing.put_into(meaning, setup, opening_node)
}

/// The setup that is installed in the middle of a game, if its control can be understood.
pub(crate) fn installed(meaning: &mut Meaning<'_>, raw: &RawInstalled, node: &Node) -> Option<Setup> {
    let setup = settings(meaning, &raw.control, node.at("control"));
    let standing = raw.opening.as_ref().map_or(Standing::default(), Standing::of_clock);
    standing.put_into(meaning, setup, node.at("opening"))
}

/// What the clock is really set to where it should be `right`; both halves of it may be as they should be.
pub(crate) fn wrong(meaning: &mut Meaning<'_>, raw: &RawWrongSetting, right: Setup, node: &Node) -> Option<Setup> {
    let mut setup = match &raw.control {
        None => right,
        Some(control) => settings(meaning, control, node.at("control"))?,
    };
    setup.opening = right.opening;
    if let Some(opening) = &raw.opening {
        setup = Standing::of_clock(opening).put_into(meaning, Some(setup), node.at("opening"))?;
    }
    if setup == right {
        let complaint = Complaint::new("this setting is the right one").help("change something, or leave it out");
        meaning.complain(node, complaint);
    }
    Some(setup)
}

/// The control and its settings, without an opening.
fn settings(meaning: &mut Meaning<'_>, raw: &ScalarOr<RawControl>, node: &Node) -> Option<Setup> {
    let raw = match raw {
        ScalarOr::Scalar(text) => return meaning.take(node, control::parse(text)).map(Setup::new),
        ScalarOr::Long(raw) => raw,
    };
    let control = periods(meaning, raw, node);
    let display = display(meaning, raw, node);
    let debounce_ms = whole(meaning, raw.debounce.as_deref(), node.at("debounce"), Unit::Millisecond);
    let control = control?;
    let default = Setup::new(control.white);
    Some(Setup {
        control,
        credit: raw.increment.unwrap_or(default.credit),
        at_zero: raw.at_zero.unwrap_or(default.at_zero),
        zero: raw.zero.unwrap_or(default.zero),
        same_tick: raw.same_tick.unwrap_or(default.same_tick),
        late_control_move: raw.late_control_move.unwrap_or(default.late_control_move),
        second_press: raw.second_press.unwrap_or(default.second_press),
        carry_over: raw.carry_over.unwrap_or(default.carry_over),
        first_fallen_sign: raw.first_fallen_sign.map_or(default.first_fallen_sign, |sign| sign == RawSign::Shown),
        display,
        debounce_ms: debounce_ms.unwrap_or(default.debounce_ms),
        ..default
    })
}

/// The control of each side, in whichever notation it is written.
fn periods(meaning: &mut Meaning<'_>, raw: &RawControl, node: &Node) -> Option<BySide<TimeControl>> {
    if let Some(tag) = &raw.pgn {
        return meaning.take(node.at("pgn"), pgn::parse(tag)).map(BySide::both);
    }
    let node = node.at("periods");
    let of_side = |meaning: &mut Meaning<'_>, text: &Option<String>, side: Side| {
        text.as_deref().and_then(|text| meaning.take(node.at(side.name()), control::parse(text)))
    };
    match raw.periods.as_ref()? {
        ScalarOr::Scalar(text) => meaning.take(node, control::parse(text)).map(BySide::both),
        ScalarOr::Long(odds) => {
            let white = of_side(meaning, &odds.white, Side::White);
            let black = of_side(meaning, &odds.black, Side::Black);
            Some(BySide::new(white?, black?))
        }
    }
}

fn display(meaning: &mut Meaning<'_>, raw: &RawControl, node: &Node) -> DisplayFormat {
    let default = DisplayFormat::default();
    let tenths = whole(meaning, raw.tenths_below.as_deref(), node.at("tenths_below"), Unit::Second);
    let minutes = whole(meaning, raw.seconds_below.as_deref(), node.at("seconds_below"), Unit::Minute);
    DisplayFormat {
        rounding: raw.rounding.unwrap_or(default.rounding),
        tenths_below_s: tenths.unwrap_or(default.tenths_below_s),
        seconds_below_min: minutes.unwrap_or(default.seconds_below_min),
    }
}

/// In what a setting is counted.
#[derive(Clone, Copy)]
enum Unit {
    Millisecond,
    Second,
    Minute,
}

impl Unit {
    const fn ns(self) -> i64 {
        match self {
            Self::Millisecond => NS_PER_MS,
            Self::Second => NS_PER_S,
            Self::Minute => NS_PER_MIN,
        }
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Millisecond => ("milliseconds", "ms"),
            Self::Second => ("seconds", "s"),
            Self::Minute => ("minutes", "m"),
        }
    }
}

/// A setting that is a whole number of its unit.
fn whole<T: TryFrom<i64>>(meaning: &mut Meaning<'_>, text: Option<&str>, node: &Node, unit: Unit) -> Option<T> {
    let ns = meaning.take(node, span_ns(text?))?;
    let (units, sign) = unit.words();
    if ns % unit.ns() != 0 {
        let complaint = Complaint::new(format!("this setting is a whole number of {units}"));
        meaning.complain(node, complaint.help(format!("write it like `20{sign}`")));
        return None;
    }
    let fits = T::try_from(ns / unit.ns()).map_err(|_| {
        let largest = if matches!(unit, Unit::Minute) { u64::from(u16::MAX) } else { u64::from(u8::MAX) };
        Complaint::new("this setting is too long").help(format!("the longest is `{largest}{sign}`"))
    });
    meaning.take(node, fits)
}

/// Where the two sides of a clock stand, as it is written.
#[derive(Clone, Copy, Default)]
struct Standing<'r> {
    moves: Option<&'r ScalarOr<RawBySide<u16>>>,
    left: Option<&'r RawBySide<String>>,
    period: Option<&'r RawBySide<u8>>,
}

impl<'r> Standing<'r> {
    fn of_game(raw: &'r RawOpening) -> Self {
        Self { moves: raw.moves.as_ref(), left: raw.left.as_ref(), period: raw.period.as_ref() }
    }

    fn of_clock(raw: &'r RawStanding) -> Self {
        Self { moves: raw.moves.as_ref(), left: raw.left.as_ref(), period: raw.period.as_ref() }
    }

    /// Understands all of it, and puts what is given into a setup if there is one.
    fn put_into(self, meaning: &mut Meaning<'_>, setup: Option<Setup>, node: &Node) -> Option<Setup> {
        let mut opening = setup.map_or(BySide::both(Opening::default()), |setup| setup.opening);
        match self.moves {
            None => {}
            Some(ScalarOr::Scalar(text)) => {
                let moves = text.parse::<u16>().map_err(|_| Complaint::new(format!("`{text}` is no number of moves")));
                if let Some(moves) = meaning.take(node.at("moves"), moves) {
                    (opening.white.moves, opening.black.moves) = (moves, moves);
                }
            }
            Some(ScalarOr::Long(moves)) => {
                for (side, moves) in moves.iter() {
                    opening[side].moves = *moves;
                }
            }
        }
        for (side, span) in self.left.iter().flat_map(|left| left.iter()) {
            opening[side].left_ms = meaning.take(node.at("left").at(side.name()), settable_ms(span));
        }
        for (side, number) in self.period.iter().flat_map(|period| period.iter()) {
            let periods = setup.map_or(usize::from(u8::MAX), |setup| setup.control[side].periods().len());
            let place = node.at("period").at(side.name());
            opening[side].period = meaning.take(place, period_index(*number, periods));
        }
        let mut setup = setup?;
        setup.opening = opening;
        Some(setup)
    }
}

/// Milliseconds that a clock can be set to.
pub(crate) fn settable_ms(text: &str) -> Result<u64, Complaint> {
    match span_ms(text)? {
        ms if ms > TIME_MS_MAX => Err(Complaint::new("a clock is set to at most 100 h")),
        ms => Ok(ms),
    }
}
