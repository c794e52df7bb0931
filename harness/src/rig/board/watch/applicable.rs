//! What a firmware that offers nothing cannot be asked for, and what of it cannot be seen.

use flagfall_core::{AtZero, Bonus, Opening, SecondPress, Setup, Side};
use flagfall_judge::expectation::{ClockExpectation, Expectation, Expected, Wrong};
use flagfall_judge::oracle;
use flagfall_trace::plan::{Act, Fault, Plan};

use super::super::description::{Description, Game, Symbols, Word, Zero};
use super::memory::left_ms;
use super::{limits, settling_ns};

/// Why this plan cannot be carried out on the firmware of this board, or not be judged.
pub(in super::super) fn obstacle(description: &Description, symbols: &Symbols, plan: &Plan) -> Option<String> {
    let setup = plan.device_setup.as_ref().unwrap_or(&plan.setup);
    let other = not_to_be_set(symbols, setup).or_else(|| plan.steps.iter().find_map(|step| not_to_be_done(&step.act)));
    other.or_else(|| too_near(description, symbols, plan))
}

/// Why this firmware does not play this game.
fn not_to_be_set(symbols: &Symbols, setup: &Setup) -> Option<String> {
    let only = |what: String| Some(format!("{what}: the firmware cannot be set to it"));
    if setup.first != Side::White {
        return only("Black to begin".into());
    }
    if setup.second_press != SecondPress::Ignored {
        return only("a second press that counts".into());
    }
    match &symbols.game {
        Game::BuiltIn { control, credit, at_zero } => {
            let plays = setup.control.white == *control
                && setup.control.black == *control
                && setup.credit == *credit
                && setup.at_zero == *at_zero
                && setup.opening.white == Opening::default()
                && setup.opening.black == Opening::default();
            (!plays)
                .then(|| format!("{}: the firmware plays {control} from the beginning and nothing else", setup.control))
        }
        Game::Words { bonus, at_zero } => by_words(symbols, setup, bonus.as_ref(), at_zero),
    }
}

fn by_words(symbols: &Symbols, setup: &Setup, bonus: Option<&Word>, at_zero: &Zero) -> Option<String> {
    let only = |what: String| Some(format!("{what}: the firmware cannot be set to it"));
    let (white, black) = (&setup.control.white, &setup.control.black);
    if white.periods().len() > 1 || black.periods().len() > 1 {
        return only(format!("{}, which has several periods", setup.control));
    }
    let bonuses = [white.period(0).bonus, black.period(0).bonus];
    if !bonuses.iter().all(|bonus| matches!(bonus, Bonus::None | Bonus::Increment { .. })) {
        return only(format!("{}, which is no increment", setup.control));
    }
    if bonuses[0] != bonuses[1] {
        return only(format!("{}, which gives each side another bonus", setup.control));
    }
    if bonus.is_none() && bonuses[0] != Bonus::None {
        return only(format!("the bonus of {}", setup.control));
    }
    if setup.opening.white.period.is_some() || setup.opening.black.period.is_some() {
        return only("a period to begin with".into());
    }
    let always = match at_zero {
        Zero::Always(always) => Some(*always),
        Zero::Set { .. } => None,
    };
    if always.is_some_and(|always| always != setup.at_zero) {
        return only(match setup.at_zero {
            AtZero::Freeze => "both clocks to stop at zero".into(),
            AtZero::RunOn => "a clock that runs on at zero".into(),
        });
    }
    let words =
        [(&symbols.left.white, left_ms(setup, Side::White)), (&symbols.left.black, left_ms(setup, Side::Black))];
    let bonus = bonus.map(|word| (word, u64::from(bonuses[0].ms())));
    let misfit = words.into_iter().chain(bonus).find(|(word, ms)| !holds(symbols, word, *ms));
    misfit.and_then(|(_, ms)| only(format!("{ms} ms, which its words do not hold")))
}

/// Whether a word can hold so much.
fn holds(symbols: &Symbols, word: &Word, ms: u64) -> bool {
    let us = ms.saturating_mul(1_000);
    let bits = u32::from(word.bytes) * 8 - u32::from(word.signed);
    us.is_multiple_of(symbols.unit_us) && us / symbols.unit_us <= u64::MAX >> (64 - bits)
}

fn not_to_be_done(act: &Act) -> Option<String> {
    let what = match act {
        act if !act.is_for_the_clock() => return None,
        Act::Start | Act::Press { .. } | Act::Pause { .. } | Act::Resume { .. } | Act::Read => return None,
        Act::Fault(Fault::LostPress { .. }) => return None,
        Act::SetTime { .. } | Act::SetCounter { .. } | Act::SetPeriod { .. } | Act::Swap | Act::Undo => "a correction",
        Act::SetUp(_) => "another setting in the middle of the game",
        Act::Contact { .. } => "single edges of a contact",
        Act::Battery { .. } => "another supply voltage",
        Act::Fault(_) => "a fault",
        _ => "what is done to an analogue clock",
    };
    Some(format!("{what}: a firmware that is only watched cannot be asked for it"))
}

/// Acts that come so near to each other, or to a flag, that a right clock may take them in another order.
fn too_near(description: &Description, symbols: &Symbols, plan: &Plan) -> Option<String> {
    // An act, the look after it, and the stop at which the next one can begin.
    let step_ns = settling_ns(description, symbols)
        .saturating_add(i64::try_from(symbols.age_max_us.saturating_mul(1_000)).unwrap_or(i64::MAX));
    let presses = plan.steps.iter().filter(|step| step.act.is_for_the_clock() && step.act != Act::Read);
    let instants: Vec<i64> = presses.map(|step| step.at.ns()).collect();
    let smallest = instants.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).min().unwrap_or(i64::MAX);
    if smallest < step_ns {
        return Some(format!("two acts {} us apart: this bench needs {} us", smallest / 1_000, step_ns / 1_000));
    }
    let (limits, rate) = (limits(description, symbols), plan.tick_rate);
    let watched = limits.watched?;
    let turns = u32::try_from(instants.len()).unwrap_or(u32::MAX);
    let bound = limits.bound_of_looks(&watched, rate, turns, rate.tick_at(plan.end).ticks());
    let bound_ns = u128::from(bound.ticks()) * 1_000_000_000 / u128::from(rate.hz());
    let needs_ns = bound_ns + u128::from(step_ns.unsigned_abs());
    let gap_ns = oracle::smallest_gap_to_a_flag_ns(&super::super::applicable::as_the_clock_is_set(plan))?;
    let near = u128::from(gap_ns) < needs_ns;
    near.then(|| format!("an act {} us from a flag: this bench needs {} us", gap_ns / 1_000, needs_ns / 1_000))
}

/// What a scenario expects and this firmware does not show.
pub(in super::super) fn unseen(
    symbols: &Symbols,
    expectations: &[Expectation],
    clock: &ClockExpectation,
) -> Option<String> {
    let face = expectations.iter().find_map(|expectation| not_on_a_face(symbols, expectation.expected));
    if let Some(what) = face {
        return Some(format!("{what}: the board file maps no word for it"));
    }
    let ClockExpectation::Wrong(wrong) = clock else { return None };
    let unseen = wrong.iter().find(|wrong| match wrong {
        Wrong::Remaining(_) | Wrong::Press(_) | Wrong::Running => false,
        Wrong::Flag(_) => symbols.flags.is_none(),
        Wrong::Counter(_) => symbols.moves.is_none(),
        Wrong::Arithmetic(_) | Wrong::TimeBase | Wrong::Display(_) | Wrong::Battery => true,
    });
    unseen.map(|wrong| format!("a clock that is wrong in {wrong}: a firmware that is only watched does not show that"))
}

fn not_on_a_face(symbols: &Symbols, expected: Expected) -> Option<String> {
    Some(match expected {
        Expected::Left(..) | Expected::Running(_) => return None,
        Expected::Flag(..) if symbols.flags.is_some() => return None,
        Expected::Moves(..) if symbols.moves.is_some() => return None,
        Expected::Flag(side, _) => format!("the flag of {side}"),
        Expected::Moves(side, _) => format!("the move counter of {side}"),
        Expected::FirstFallen(_) => "the sign of the flag that fell first".into(),
        Expected::Face(side, _) => format!("the digits of {side}"),
        Expected::ShownDelay(_) => "a delay".into(),
        Expected::Battery(_) => "a battery sign".into(),
        Expected::Period(side, _) => format!("the period of {side}"),
        Expected::Overtime(side, _) => format!("the overtime of {side}"),
    })
}
