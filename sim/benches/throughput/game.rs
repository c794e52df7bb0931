//! The game that both engines play.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Period, Setup, Side, TickRate, TimeControl, TrueTime};
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Act, GameClass, Hand, Plan, Regulations, Step};
use flagfall_trace::{OscillatorSpec, Trace};

/// A game of so many presses with an increment, after which the side on move lets its flag fall.
///
/// Thinking times are drawn from a stream of their own and stay below the increment, so that no flag falls before.
pub(crate) fn plan(presses: usize) -> Plan {
    let mut think = Stream::named(1, "throughput");
    let mut now = TrueTime::ZERO;
    let pass = |now: &mut TrueTime, ms: u64| {
        *now = now.checked_add_ns(ms.cast_signed() * 1_000_000).expect("a game is shorter than 292 years");
    };
    let mut steps = vec![Step { at: now, act: Act::Start }];
    for index in 0..presses {
        pass(&mut now, think.within(1, 29_999));
        let side = if index % 2 == 0 { Side::White } else { Side::Black };
        steps.push(Step { at: now, act: Act::Press { side, hand: Hand::Same } });
    }
    // Nobody has gained more than the increment with each of his moves.
    pass(&mut now, 120_000 + 30_000 * (presses as u64 + 1));
    steps.push(Step { at: now, act: Act::Read });
    let control = TimeControl::new(&[Period::all_moves(120_000, Bonus::Increment { ms: 30_000 })]);
    Plan {
        scenario: "bench/throughput".into(),
        seed: 1,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(control.expect("one period for all moves is a control")),
        device_setup: None,
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Rapid),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into(),
        board: false,
        oscillator: OscillatorSpec::with_offset_ppb(20_000),
        steps,
        end: now,
    }
}

/// How many events were handed to the clock: what the plan does, and the alarms that rang.
pub(crate) fn steps(trace: &Trace) -> usize {
    let rang = trace.records.iter().filter(|stamped| stamped.record.kind == Kind::FLAG_FELL);
    trace.achieved.len() + rang.count()
}
