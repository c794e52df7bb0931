//! Faults of the time base, alone and on top of each other.

use flagfall_core::{Bonus, Period, Setup, TickRate, TimeControl, TrueTime};
use flagfall_sim::{Budget, run};
use flagfall_trace::plan::{Act, Fault, GameClass, Plan, Regulations, Step};

const S: i64 = 1_000_000_000;

/// What White has left after a minute of a ten-minute control, in ticks, when these faults begin at these seconds.
fn left_after_a_minute(faults: &[(i64, Fault)]) -> u64 {
    let at = |seconds| TrueTime::from_ns(seconds * S);
    let mut steps = vec![Step { at: at(0), act: Act::Start }];
    steps.extend(faults.iter().map(|(seconds, fault)| Step { at: at(*seconds), act: Act::Fault(*fault) }));
    steps.push(Step { at: at(60), act: Act::Read });
    let plan = Plan {
        scenario: "test/faults".into(),
        seed: 0,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(TimeControl::new(&[Period::all_moves(600_000, Bonus::None)]).expect("a control")),
        regulations: Regulations { class: GameClass::Rapid, default_time_ms: None, supervised: true },
        position: "4k3/8/8/8/8/8/8/4K2R w - - 0 1".into(),
        device_setup: None,
        oscillator: flagfall_trace::OscillatorSpec::default(),
        steps,
        end: at(60),
    };
    let trace = run(&plan, &Budget::default()).expect("within budget");
    trace.records.last().expect("the faces were read").record.remaining_ticks.white
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
