//! Oscillators over hours: noise of the right colour, nothing beyond the envelope, no phase lost, temperature as computed.

use std::num::NonZeroU32;

use flagfall_core::{Bonus, Period, Setup, TickRate, TimeControl, TrueTime};
use flagfall_sim::oscillator::Oscillator;
use flagfall_sim::wander::Wander;
use flagfall_sim::{Budget, RunError, run};
use flagfall_trace::oscillator::{
    Ageing, AgeingSpan, NoiseLevels, OscillatorSpec, PPT_MAX, Temperature, TemperatureCourse, TemperaturePoint,
};
use flagfall_trace::plan::{Act, Fault, GameClass, Plan, Regulations, Step};

const HOUR: i64 = 3_600;

const fn s(seconds: i64) -> TrueTime {
    TrueTime::from_ns(seconds * 1_000_000_000)
}

fn noisy(white_ppt: u32, flicker_ppt: u32, random_walk_ppt: u32) -> OscillatorSpec {
    OscillatorSpec { noise: NoiseLevels { white_ppt, flicker_ppt, random_walk_ppt }, ..OscillatorSpec::default() }
}

fn rates(spec: &OscillatorSpec, seed: u64, seconds: i64) -> Vec<i64> {
    let mut wander = Wander::new(spec, seed);
    (0..seconds).map(|_| wander.next_ppt()).collect()
}

/// 25 C for the first quarter of an hour, then down to 5 C over two hours.
fn cooling() -> OscillatorSpec {
    let point = |at, millicelsius| TemperaturePoint { at: s(at), millicelsius };
    let temperature = Temperature {
        turnover_millicelsius: Temperature::TURNOVER_MILLICELSIUS,
        parabola_ppt: Temperature::PARABOLA_PPT,
        course: TemperatureCourse::new(vec![point(900, 25_000), point(900 + 2 * HOUR, 5_000)]).expect("a course"),
    };
    OscillatorSpec { temperature: Some(temperature), ..OscillatorSpec::default() }
}

/// Everything at once.
fn worst() -> OscillatorSpec {
    OscillatorSpec {
        offset_ppt: 20_000_000,
        ageing: Some(Ageing { ppt: -3_000_000, per: AgeingSpan::Day }),
        quantum_ticks: NonZeroU32::new(7).expect("not zero"),
        noise: NoiseLevels { white_ppt: 1_000, flicker_ppt: 1_000, random_walk_ppt: 100 },
        ..cooling()
    }
}

/// The overlapping Allan deviation of rates held for a second each, at `m` seconds, in parts per trillion.
fn allan_deviation(rates: &[i64], m: usize) -> f64 {
    let mut phases = vec![0_i64];
    phases.extend(rates.iter().scan(0, |sum, rate| {
        *sum += rate;
        Some(*sum)
    }));
    let second = |i: usize| (phases[i + 2 * m] - 2 * phases[i + m] + phases[i]) as f64;
    let count = phases.len() - 2 * m;
    let squares: f64 = (0..count).map(|i| second(i) * second(i)).sum();
    (squares / (2.0 * (m * m * count) as f64)).sqrt()
}

/// The slope of the deviation between two spans in a double logarithmic plot.
fn slope(rates: &[i64], from: usize, to: usize) -> f64 {
    (allan_deviation(rates, to) / allan_deviation(rates, from)).ln() / (to as f64 / from as f64).ln()
}

#[test]
fn each_noise_has_its_level_at_one_second_and_its_slope() {
    let level = 10_000;
    for (name, spec, expected, tolerance) in [
        ("white", noisy(level, 0, 0), -0.5, 0.03),
        ("flicker", noisy(0, level, 0), 0.0, 0.05),
        ("random walk", noisy(0, 0, level), 0.5, 0.05),
    ] {
        let rates = rates(&spec, 5, 200_000);
        let at_one = allan_deviation(&rates, 1) / f64::from(level);
        assert!((at_one - 1.0).abs() < 0.02, "{name}: {at_one} of its level at one second");
        for (from, to) in [(4, 64), (16, 256), (64, 1_024)] {
            let slope = slope(&rates, from, to);
            assert!((slope - expected).abs() < tolerance, "{name}: {slope} from {from} to {to} s");
        }
    }
}

#[test]
fn no_oscillator_leaves_its_envelope() {
    let loud = noisy(1_000_000, 1_000_000, 1_000_000);
    for (spec, seed) in [(worst(), 1), (worst(), 2), (loud, 3), (cooling(), 0)] {
        let hours = 100;
        let rates = rates(&spec, seed, hours * HOUR);
        let envelope = spec.envelope(s(hours * HOUR));
        let inside = |rate: &&i64| (envelope.slowest_ppt..=envelope.fastest_ppt).contains(*rate);
        assert_eq!(rates.iter().filter(inside).count(), rates.len(), "{envelope:?} of {spec}");
    }
    // Limits that nothing comes near would bound nothing.
    let farthest = |spec: &OscillatorSpec, hours| rates(spec, 6, hours * HOUR).iter().map(|rate| rate.abs()).max();
    for (spec, hours) in [(noisy(1_000, 0, 0), 100), (noisy(0, 1_000, 0), 100), (noisy(0, 0, 1_000), 300)] {
        let (limit, farthest) = (spec.noise.limit_ppt(), farthest(&spec, hours).expect("a rate"));
        assert!(farthest > limit / 2 && farthest <= limit, "{farthest} of {limit} for {spec}");
    }
}

#[test]
fn a_seed_fixes_the_noise_and_one_kind_does_not_change_another() {
    let of = |white, flicker, walk, seed| rates(&noisy(white, flicker, walk), seed, 1_000);
    assert_eq!(of(9, 8, 7, 1), of(9, 8, 7, 1));
    assert_ne!(of(9, 8, 7, 1), of(9, 8, 7, 2));
    let sum: Vec<i64> = of(900, 0, 0, 1)
        .into_iter()
        .zip(of(0, 800, 0, 1))
        .zip(of(0, 0, 70, 1))
        .map(|((white, flicker), walk)| white + flicker + walk)
        .collect();
    assert_eq!(of(900, 800, 70, 1), sum);
}

#[test]
fn no_phase_is_lost_when_the_rate_is_taken_anew() {
    for hz in [32_768, 1_000_000, 1_000_000_000] {
        let rate = TickRate::new(hz).expect("in range");
        let rates = rates(&worst(), 8, 7 * HOUR);
        let mut oscillator = Oscillator::new(rate, rates[0], NonZeroU32::MIN);
        for (second, ppt) in (1..).zip(&rates[1..]) {
            oscillator.set_ppt(s(second), *ppt);
        }
        let trillionths: i128 = rates.iter().map(|ppt| 1_000_000_000_000 + i128::from(*ppt)).sum();
        let ticks = trillionths * i128::from(hz) / 1_000_000_000_000;
        assert_eq!(i128::from(oscillator.tick_at(s(7 * HOUR)).ticks()), ticks, "{hz} Hz");
    }
}

/// A plan of so many seconds in which nobody moves, with a look at the faces every half hour.
fn watch(oscillator: OscillatorSpec, seconds: i64, fault: Option<(i64, Fault)>) -> Plan {
    let control = TimeControl::new(&[Period::all_moves(360_000_000, Bonus::None)]).expect("a control");
    let mut steps = vec![Step { at: s(0), act: Act::Start }];
    steps.extend((1..=seconds / 1_800).map(|half| Step { at: s(half * 1_800), act: Act::Read }));
    steps.extend(fault.map(|(at, fault)| Step { at: s(at), act: Act::Fault(fault) }));
    Plan {
        scenario: "test/oscillators".into(),
        seed: 8,
        tick_rate: TickRate::MHZ,
        setup: Setup::new(control),
        regulations: Regulations {
            class: Some(GameClass::Standard),
            default_time_ms: None,
            supervised: true,
            ..Regulations::default()
        },
        position: "4k3/8/8/8/8/8/8/4K2R w - - 0 1".into(),
        board: false,
        oscillator,
        device_setup: None,
        clock_kind: flagfall_trace::ClockKind::default(),
        steps,
        end: s(seconds),
    }
}

/// How many ticks the clock has counted at each half hour.
fn counted(plan: &Plan) -> Vec<i64> {
    let trace = run(plan, &Budget::default()).expect("within budget");
    let reads = trace.records.iter().skip(2);
    reads.map(|stamped| stamped.record.at.ticks().cast_signed()).collect()
}

#[test]
fn a_cooling_crystal_loses_what_the_integral_of_its_parabola_says() {
    let counted = counted(&watch(cooling(), 7 * HOUR, None));
    assert_eq!(counted.len(), 14);
    for (half, ticks) in (1..).zip(counted) {
        let seconds = half * 1_800;
        // 20 K in 7200 s: the loss is k * 20^2 / 7200^2 * t^3 / 3, then 14 ppm for good.
        let falling = i128::from((seconds - 900).clamp(0, 2 * HOUR));
        let cold = i128::from((seconds - 900 - 2 * HOUR).max(0));
        let lost_ppt = 35_000 * 400 * falling.pow(3) / (3 * 7_200 * 7_200) + 35_000 * 400 * cold;
        let expected = i128::from(seconds) * 1_000_000 - lost_ppt / 1_000_000;
        assert!((expected - i128::from(ticks)).abs() <= 1, "{ticks} at {seconds} s, expected {expected}");
    }
}

#[test]
fn seven_hours_of_each_oscillator_end_where_its_rates_lead() {
    let aged = OscillatorSpec { ageing: worst().ageing, ..OscillatorSpec::default() };
    for spec in [
        OscillatorSpec::default(),
        OscillatorSpec::with_offset_ppb(20_000),
        OscillatorSpec::with_offset_ppb(-20_000),
        aged,
        noisy(1_000, 0, 0),
        noisy(0, 1_000, 0),
        noisy(0, 0, 100),
        OscillatorSpec { quantum_ticks: NonZeroU32::MIN, ..worst() },
    ] {
        let gained: i64 = rates(&spec, 8, 7 * HOUR).iter().sum();
        let counted = *counted(&watch(spec.clone(), 7 * HOUR, None)).last().expect("it was read");
        assert_eq!(counted, 25_200_000_000 + gained.div_euclid(1_000_000), "{spec}");
    }
    let coarse = *counted(&watch(worst(), 7 * HOUR, None)).last().expect("it was read");
    let fine = *counted(&watch(OscillatorSpec { quantum_ticks: NonZeroU32::MIN, ..worst() }, 7 * HOUR, None))
        .last()
        .expect("it was read");
    assert_eq!(coarse, fine / 7 * 7);
}

#[test]
fn a_rate_that_a_fault_imposes_hides_the_own_rate_while_it_lasts() {
    let spec = noisy(0, 1_000, 0);
    let own = rates(&spec, 8, HOUR);
    let fault = Fault::Rate { ppb: 5_000, for_ns: 600 * 1_000_000_000 };
    let counted = *counted(&watch(spec, HOUR, Some((100, fault)))).last().expect("it was read");
    let gained: i64 = own[..100].iter().chain(&own[700..]).sum::<i64>() + 600 * 5_000_000;
    assert_eq!(counted, 3_600_000_000 + gained.div_euclid(1_000_000));
}

#[test]
fn after_an_imposed_rate_a_clock_is_as_fast_as_it_was() {
    let fault = Fault::Rate { ppb: -5_000, for_ns: 600 * 1_000_000_000 };
    let plan = watch(OscillatorSpec::with_offset_ppb(20_000), HOUR, Some((100, fault)));
    // 20 us a second for 3000 s, and 5 us less than none for 600 s.
    assert_eq!(*counted(&plan).last().expect("it was read"), 3_600_000_000 + 60_000 - 3_000);
}

#[test]
fn a_plan_beyond_the_reach_of_the_arithmetic_is_refused() {
    let mut plan = watch(OscillatorSpec { offset_ppt: PPT_MAX, ..OscillatorSpec::default() }, 1_800, None);
    plan.tick_rate = TickRate::new(1_000_000_000).expect("in range");
    let horizon = Oscillator::horizon(plan.tick_rate);
    plan.end = horizon;
    assert!(run(&plan, &Budget::default()).is_ok());
    plan.end = TrueTime::from_ns(horizon.ns() + 1);
    assert_eq!(run(&plan, &Budget::default()), Err(RunError::Horizon { end: plan.end, horizon }));
}
