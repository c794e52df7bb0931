//! What was done and what the clock did, in words for people.

mod dial;
mod hall;

use flagfall_core::kept::Kept;
use flagfall_core::record::{Kind, kept_in};
use flagfall_core::{AtZero, Bonus, BySide, Credit, IgnoredBecause, Phase, Record, Setup, Side, TickRate};
use flagfall_trace::plan::{Basis, Claim, Fault, GameEnd, Hand, MoveMade, Observation, Person, Retained, StopReason};
use flagfall_trace::{Act, Plan};

use crate::quantity;

/// `White` or `Black`.
pub(crate) const fn side(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// `White`, `Black` or `Arbiter`.
fn person(who: Person) -> &'static str {
    who.side().map_or("Arbiter", side)
}

/// Who does this, if anybody does.
pub(crate) fn who(act: &Act) -> Option<Person> {
    match act {
        Act::Start
        | Act::SetTime { .. }
        | Act::SetCounter { .. }
        | Act::SetPeriod { .. }
        | Act::Swap
        | Act::Undo
        | Act::SetUp(_)
        | Act::Find(_) => Some(Person::Arbiter),
        Act::Press { side, .. } | Act::Contact { side, .. } | Act::Arrive { side } => Some(Person::from(*side)),
        Act::Pause { by, .. } | Act::Resume { by } | Act::Tap { by } => Some(*by),
        Act::Move(made) => Some(Person::from(made.side)),
        Act::Observe(observation) => Some(observation.by),
        Act::Claim(claim) => Some(Person::from(claim.by)),
        Act::Hall(hall) => hall::who(hall),
        Act::Read | Act::Fault(_) | Act::Battery { .. } => None,
    }
}

/// Who does what.
pub(crate) fn sentence(act: &Act) -> String {
    match who(act) {
        Some(who) => format!("{} {}", person(who), self::act(act)),
        None => self::act(act),
    }
}

fn act(act: &Act) -> String {
    match act {
        Act::Start => "starts the clock".to_owned(),
        Act::Press { hand, .. } => match hand {
            Hand::Same => "presses (same hand)".to_owned(),
            Hand::Other => "presses (other hand)".to_owned(),
            Hand::Unsaid => "presses".to_owned(),
        },
        Act::Pause { reason, how, .. } => format!("{}: {}", hall::stops(*how), stop_reason(*reason)),
        Act::Resume { .. } => "lets the clock go on".to_owned(),
        Act::SetTime { side, left_ms } => format!("sets {}'s time to {}", self::side(*side), quantity::left(*left_ms)),
        Act::SetCounter { side, moves } => format!("sets {}'s move counter to {moves}", self::side(*side)),
        Act::SetPeriod { side, period } => format!("sets {} to period {}", self::side(*side), u16::from(*period) + 1),
        Act::Swap => "swaps the colours".to_owned(),
        Act::Undo => "takes the last correction back".to_owned(),
        Act::SetUp(installed) => format!("installs {}", installed.0.control),
        Act::Contact { closes: true, .. } => "contact closes".to_owned(),
        Act::Contact { closes: false, .. } => "contact opens".to_owned(),
        Act::Battery { low: true } => "the supply is low".to_owned(),
        Act::Battery { low: false } => "the supply is good again".to_owned(),
        Act::Tap { .. } => "taps the clock".to_owned(),
        Act::Read => "the faces are read".to_owned(),
        Act::Fault(fault) => self::fault(*fault),
        Act::Move(made) => chess_move(made),
        Act::Arrive { .. } => "arrives".to_owned(),
        Act::Observe(observation) => self::observation(observation),
        Act::Claim(claim) => self::claim(claim),
        Act::Find(finding) => hall::finding(*finding),
        Act::Hall(hall) => hall::sentence(hall),
    }
}

/// A word for a picture, empty where the mark says enough.
pub(crate) fn label(act: &Act) -> &str {
    match act {
        Act::Start => "start",
        Act::Press { .. } | Act::Contact { .. } | Act::Read => "",
        Act::SetPeriod { .. } => "set period",
        Act::Swap => "swap",
        Act::Undo => "undo",
        Act::SetUp(_) => "set up",
        Act::Battery { .. } => "battery",
        Act::Pause { .. } => "stop",
        Act::Resume { .. } => "go on",
        Act::SetTime { .. } => "set time",
        Act::SetCounter { .. } => "set counter",
        Act::Fault(fault) => fault_label(*fault),
        Act::Tap { .. } => "taps",
        Act::Move(made) => &made.san,
        Act::Arrive { .. } => "arrives",
        Act::Observe(_) => "looks",
        Act::Claim(_) => "claims",
        Act::Find(_) => "finds",
        Act::Hall(hall) => hall::label(hall),
    }
}

fn stop_reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Interruption => "an interruption",
        StopReason::PromotionPiece => "no piece at hand for a promotion",
        StopReason::DisplacedPiece => "a displaced piece",
        StopReason::Clock => "the clock seems wrong",
        StopReason::DrawClaim => "a draw claim",
        StopReason::Conflict => "a conflict",
        StopReason::Assistance => "to call the arbiter",
        StopReason::None => "no reason given",
    }
}

/// The short name of a fault, for a plot.
const fn fault_label(fault: Fault) -> &'static str {
    match fault {
        Fault::Dial(fault) => dial::label(fault),
        Fault::Stuck { .. } => "stuck",
        Fault::Jump { .. } => "jump",
        Fault::Rate { .. } => "rate",
        Fault::Ticks { .. } => "ticks",
        Fault::BothRun { .. } => "both run",
        Fault::NoneRuns { .. } => "none runs",
        Fault::Reset { .. } => "reset",
        Fault::LostPress { .. } => "lost press",
        Fault::DoublePress { .. } => "double press",
        Fault::LostBonus { .. } => "lost bonus",
        Fault::DoubleBonus { .. } => "double bonus",
        Fault::RoundingAtSwitch { .. } => "rounding",
        Fault::FlagEarly { .. } => "early flag",
        Fault::FlagLate { .. } => "late flag",
        Fault::FlagSticky { .. } => "sticky flag",
        Fault::FirstFallenWrong => "wrong sign",
        Fault::DisplayFrozen { .. } => "frozen display",
        Fault::DisplayLate { .. } => "late display",
    }
}

fn fault(fault: Fault) -> String {
    let span = |ns: i64| quantity::span(ns.into());
    match fault {
        Fault::Ticks { ticks, every_ns, for_ns } => {
            let (many, what) = (ticks.unsigned_abs(), if ticks < 0 { "lost" } else { "counted twice" });
            format!("fault: {many} ticks are {what} every {} for {}", span(every_ns), span(for_ns))
        }
        Fault::BothRun { for_ns } => format!("fault: both sides run for {}", span(for_ns)),
        Fault::NoneRuns { for_ns } => format!("fault: neither side runs for {}", span(for_ns)),
        Fault::Reset { off_ns, retained: Retained::Everything } => {
            format!("fault: off for {}, and back where it was", span(off_ns))
        }
        Fault::Reset { off_ns, retained: Retained::Settings } => {
            format!("fault: off for {}, and back as it was set up", span(off_ns))
        }
        Fault::DoublePress { side } => format!("fault: {}'s next press counts twice", self::side(side)),
        Fault::LostBonus { side } => format!("fault: {}'s next bonus is lost", self::side(side)),
        Fault::DoubleBonus { side } => format!("fault: {}'s next bonus is credited twice", self::side(side)),
        Fault::RoundingAtSwitch { to_ns } => format!("fault: each switch rounds down to {}", span(to_ns)),
        Fault::FlagEarly { side, by_ns } => format!("fault: {}'s flag falls {} early", self::side(side), span(by_ns)),
        Fault::FlagLate { side, by_ns } => format!("fault: {}'s flag falls {} late", self::side(side), span(by_ns)),
        Fault::FlagSticky { side } => format!("fault: {}'s flag sticks", self::side(side)),
        Fault::FirstFallenWrong => "fault: the first-fallen sign names the wrong side".to_owned(),
        Fault::DisplayFrozen { for_ns } => format!("fault: the displays freeze for {}", span(for_ns)),
        Fault::DisplayLate { by_ns, for_ns } => {
            format!("fault: the displays are {} late for {}", span(by_ns), span(for_ns))
        }
        Fault::Stuck { for_ns } => format!("fault: time base stands still for {}", quantity::span(for_ns.into())),
        Fault::Jump { by_ns } => {
            let sign = if by_ns < 0 { "" } else { "+" };
            format!("fault: time base jumps by {sign}{}", quantity::span(by_ns.into()))
        }
        Fault::Rate { ppb, for_ns } => {
            format!("fault: time base runs at {} for {}", quantity::ppm(ppb), quantity::span(for_ns.into()))
        }
        Fault::LostPress { side } => format!("fault: {}'s next press is lost", self::side(side)),
        Fault::Dial(fault) => dial::fault(fault),
    }
}

fn chess_move(made: &MoveMade) -> String {
    match made.ends {
        Some(GameEnd::Checkmate) => format!("plays {}, checkmate", made.san),
        Some(GameEnd::Stalemate) => format!("plays {}, stalemate", made.san),
        None => format!("plays {}", made.san),
    }
}

fn observation(seen: &Observation) -> String {
    let flags = match (seen.fallen.white, seen.fallen.black) {
        (false, false) => "no flag down",
        (true, false) => "White's flag down",
        (false, true) => "Black's flag down",
        (true, true) => "both flags down",
    };
    match (seen.fallen.white && seen.fallen.black, seen.first) {
        (true, None) => format!("sees {flags}, not which first"),
        (_, Some(first)) => format!("sees {flags}, {}'s first", side(first)),
        (false, None) => format!("sees {flags}"),
    }
}

fn claim(claim: &Claim) -> String {
    let basis = match claim.basis {
        Basis::Flag => "the flag",
        Basis::Counter => "the move counter",
        Basis::UsedTime => "the time used",
        Basis::Screen => "a screen",
    };
    format!("claims that {}'s flag fell, by {basis}", side(claim.flag))
}

/// What a record says that the clock did, `None` when it only echoes what was done to it.
pub(crate) fn effect(record: &Record, rate: TickRate) -> Option<String> {
    let named = || record.side.map_or("nobody", side);
    let amount = |ticks: u64| quantity::ns_of_ticks(ticks.into(), rate);
    Some(match record.kind {
        Kind::PRESSED | Kind::ARBITER_PRESSED => return None,
        Kind::STARTED | Kind::SWITCHED => format!("{} runs", named()),
        Kind::CREDITED => format!("{} +{}", named(), quantity::seconds(amount(record.value))),
        Kind::PERIOD_ENTERED => format!("{} enters period {}", named(), u32::from(record.detail) + 1),
        Kind::FLAG_FELL => fall(record, rate),
        Kind::FLAG_LIFTED => "the hour is near".to_owned(),
        Kind::FLAG_DROPPED => dial::dropped(record),
        Kind::TAPPED => return None,
        Kind::PAUSED => "both sides stand".to_owned(),
        Kind::RESUMED => format!("{} goes on", named()),
        Kind::TIME_SET => format!("{} has {}", named(), quantity::seconds(amount(record.value))),
        Kind::COUNTER_SET => format!("{} has {} moves", named(), record.value),
        Kind::IGNORED => format!("ignored: {}", ignored(record.detail)),
        Kind::READ => main_time(record.remaining_ticks, rate),
        Kind::WENT_BACK => format!("device time went back by {} ticks and was held", record.value),
        Kind::REFUSED => format!("command refused, reason {}", record.detail),
        Kind::BOOT => boot(record),
        Kind::CONFIGURED => "was set up".to_owned(),
        Kind(number) => format!("wrote a record of unknown kind {number}"),
    })
}

fn boot(record: &Record) -> String {
    let kept = match kept_in(record.detail) {
        Some(Kept::Nothing) => "with nothing kept",
        Some(Kept::Settings) => "with its settings kept",
        Some(Kept::Everything) => "with everything kept",
        None => "with what is unknown",
    };
    format!("booted at {} Hz {kept}", record.value)
}

fn fall(record: &Record, rate: TickRate) -> String {
    let mut words = vec![match record.phase {
        Phase::Frozen(_) => "both sides stand".to_owned(),
        Phase::Running(running) => format!("{} runs on", side(running)),
        Phase::Ready | Phase::Paused(_) => "both sides stand already".to_owned(),
    }];
    if let Some(first) = record.first_fallen {
        words.push(format!("sign: {} fell first", side(first)));
    }
    if record.value > 0 {
        words.push(format!("noticed {} late", quantity::span(quantity::ns_of_ticks(record.value.into(), rate))));
    }
    words.join("; ")
}

fn ignored(reason: u16) -> String {
    match IgnoredBecause::from_code(reason) {
        Some(because) => because.name().to_owned(),
        None => format!("unknown reason {reason}"),
    }
}

fn main_time(remaining: BySide<u64>, rate: TickRate) -> String {
    let left = remaining.map(|ticks| quantity::seconds(quantity::ns_of_ticks(ticks.into(), rate)));
    format!("White has {}, Black {}", left.white, left.black)
}

/// What a record tells that answers nothing the bench did: `White's flag falls`, `the clock notes a press`.
pub(crate) fn event(record: &Record) -> String {
    match record.kind {
        Kind::FLAG_FELL => format!("{}'s flag falls", record.side.map_or("nobody", side)),
        Kind::FLAG_LIFTED => format!("{}'s flag is lifted", record.side.map_or("nobody", side)),
        Kind::FLAG_DROPPED => format!("{}'s flag drops", record.side.map_or("nobody", side)),
        Kind::PRESSED => "the clock notes a press".to_owned(),
        Kind::ARBITER_PRESSED => "the clock notes the arbiter's button".to_owned(),
        Kind::READ => "the clock shows its faces".to_owned(),
        kind => format!("the clock: {kind}"),
    }
}

/// The clock of a plan in a line: control, kind, and what else it was told.
pub(crate) fn clock(plan: &Plan) -> String {
    match plan.clock_kind.dial() {
        None => setup(&plan.setup, plan.tick_rate),
        Some(dial) => format!("{}; {}", plan.setup.control, self::dial::setup(dial, plan.tick_rate)),
    }
}

/// A setup in a line: control, credit, what happens at zero.
fn setup(setup: &Setup, rate: TickRate) -> String {
    let any = |of: fn(Bonus) -> bool| {
        setup.control.iter().any(|(_, control)| control.periods().iter().any(|period| of(period.bonus)))
    };
    let BySide { white, black } = setup.control;
    let mut words = vec![setup.control.to_string()];
    if any(|bonus| matches!(bonus, Bonus::Increment { .. })) {
        words.push(match setup.credit {
            Credit::BeforeMove => "increment before each move".to_owned(),
            Credit::AfterMove => "increment after each move".to_owned(),
        });
    }
    if any(|bonus| matches!(bonus, Bonus::Bronstein { .. })) {
        words.push(match setup.credit {
            Credit::BeforeMove => "bonus shown before each move".to_owned(),
            Credit::AfterMove => "bonus given back after each move".to_owned(),
        });
    }
    if white.periods().len().max(black.periods().len()) > 1 && !setup.carry_over {
        words.push("saved time is lost".to_owned());
    }
    words.push(match setup.at_zero {
        AtZero::Freeze => "freezes at zero".to_owned(),
        AtZero::RunOn => "runs on at zero".to_owned(),
    });
    if !setup.first_fallen_sign {
        words.push("no first-fallen sign".to_owned());
    }
    words.push(format!("{} ticks/s", rate.hz()));
    words.join("; ")
}
