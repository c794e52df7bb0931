//! Faults of the time base, alone and on top of each other.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Period, Setup, TickRate, TimeControl, TrueTime};
use flagfall_sim::{Budget, run};
use flagfall_trace::Stamped;
use flagfall_trace::plan::{Act, Fault, GameClass, Plan, Regulations, Step};

const S: i64 = 1_000_000_000;

/// What White has left after a minute of a ten-minute control, in ticks, when these faults begin at these seconds.
fn left_after_a_minute(faults: &[(i64, Fault)]) -> u64 {
    run_for_a_minute(faults, 60_000).last().expect("the faces were read").record.remaining_ticks.white
}

/// A minute of a ten-minute control with looks at the faces every so many milliseconds.
fn run_for_a_minute(faults: &[(i64, Fault)], look_every_ms: i64) -> Vec<Stamped> {
    let at = |seconds| TrueTime::from_ns(seconds * S);
    let mut steps = vec![Step { at: at(0), act: Act::Start }];
    steps.extend(faults.iter().map(|(seconds, fault)| Step { at: at(*seconds), act: Act::Fault(*fault) }));
    let looks = (1..=60_000 / look_every_ms).map(|nth| TrueTime::from_ns(nth * look_every_ms * 1_000_000));
    steps.extend(looks.map(|at| Step { at, act: Act::Read }));
    steps.sort_by_key(|step| step.at);
    let plan = Plan {
        scenario: "test/faults".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(TimeControl::new(&[Period::all_moves(600_000, Bonus::None)]).expect("a control")),
        clock_kind: flagfall_trace::ClockKind::Digital,
        regulations: Regulations {
            class: Some(GameClass::Rapid),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "4k3/8/8/8/8/8/8/4K2R w - - 0 1".into(),
        board: false,
        device_setup: None,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps,
        end: at(60),
    };
    run(&plan, &Budget::default()).expect("within budget").records
}

const fn stuck(seconds: i64) -> Fault {
    Fault::Stuck { for_ns: seconds * S }
}

const fn rate(ppb: i64, seconds: i64) -> Fault {
    Fault::Rate { ppb, for_ns: seconds * S }
}

#[test]
fn a_time_base_stands_still_from_the_first_stop_to_the_last() {
    assert_eq!(left_after_a_minute(&[]), 540_000_000);
    assert_eq!(left_after_a_minute(&[(1, stuck(10))]), 550_000_000);
    assert_eq!(left_after_a_minute(&[(1, stuck(10)), (6, stuck(10))]), 555_000_000);
    assert_eq!(left_after_a_minute(&[(1, stuck(20)), (6, stuck(2))]), 560_000_000);
    assert_eq!(left_after_a_minute(&[(1, stuck(10)), (30, stuck(10))]), 560_000_000);
}

#[test]
fn the_later_of_two_rates_is_the_rate() {
    assert_eq!(left_after_a_minute(&[(10, rate(100_000_000, 20))]), 538_000_000);
    assert_eq!(left_after_a_minute(&[(10, rate(100_000_000, 10)), (15, rate(200_000_000, 20))]), 535_500_000);
    assert_eq!(left_after_a_minute(&[(10, rate(100_000_000, 30)), (15, rate(200_000_000, 5))]), 538_500_000);
}

#[test]
fn a_jump_counts_while_the_time_base_stands_still() {
    assert_eq!(left_after_a_minute(&[(1, stuck(10)), (5, Fault::Jump { by_ns: 3 * S })]), 547_000_000);
}

const fn ticks(ticks: i64, every_ms: i64, seconds: i64) -> Fault {
    Fault::Ticks { ticks, every_ns: every_ms * 1_000_000, for_ns: seconds * S }
}

#[test]
fn ticks_are_lost_or_counted_twice_again_and_again() {
    assert_eq!(left_after_a_minute(&[(10, ticks(-1, 1_000, 20))]), 540_000_020);
    assert_eq!(left_after_a_minute(&[(10, ticks(3, 1_000, 20))]), 539_999_940);
    assert_eq!(left_after_a_minute(&[(10, ticks(-1, 3_000, 20))]), 540_000_006);
    assert_eq!(left_after_a_minute(&[(10, ticks(-1, 30_000, 20))]), 540_000_000);
    assert_eq!(left_after_a_minute(&[(10, ticks(-1, 1_000, 20)), (15, ticks(-2, 500, 5))]), 540_000_040);
    assert_eq!(left_after_a_minute(&[(10, ticks(-1, 1_000, 20)), (15, stuck(5))]), 545_000_020);
}

/// The second that each look of a minute is stamped with, when so many seconds are lost or counted twice at 30 s.
fn stamps_when_miscounted_at_half_a_minute(seconds: i64) -> Vec<u64> {
    let records = run_for_a_minute(&[(0, ticks(seconds * 1_000_000, 30_000, 30))], 1_000);
    let looks = records.iter().filter(|stamped| stamped.record.kind == Kind::READ);
    assert!(records.iter().all(|stamped| stamped.record.kind != Kind::WENT_BACK));
    looks.map(|stamped| stamped.record.at.ticks() / 1_000_000).collect()
}

#[test]
fn device_time_does_not_go_back_while_ticks_are_lost() {
    // From 30 s to 35 s the clock shows 30 s.
    assert_eq!(stamps_when_miscounted_at_half_a_minute(-5)[28..37], [29, 30, 30, 30, 30, 30, 30, 31, 32]);
    assert_eq!(stamps_when_miscounted_at_half_a_minute(5)[28..31], [29, 35, 36]);
}
