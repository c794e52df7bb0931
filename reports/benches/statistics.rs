//! How fast are the statistics? Beside allantools 2024.6, on the same readings and averaging times, in the same run.
//!
//! `cargo bench -p flagfall-reports --bench statistics`
//!
//! The readings are 100 000 of white FM, whole numbers. Each measure is taken at the octaves that allantools chooses; the
//! results have to be equal to a relative 1e-9. allantools runs in a Python process of its own, which has the readings as
//! floating point before the clock starts; ours begins with whole numbers, and making them ready counts. Rounds are
//! interleaved and the best of each counts, after one to warm up: what else the machine does makes rounds slower, never
//! faster.
//!
//! allantools is installed by pip into a virtual environment below `target/`; without Python or without a package index the
//! bench says so and measures ours alone. `FLAGFALL_ALLANTOOLS=/path/to/python` names an interpreter that has it.
//!
//! The exit code is non-zero if results differ, or if a ratio or the time for the full set is not held.

#[path = "statistics/theirs.rs"]
mod theirs;

use std::hint::black_box;
use std::num::NonZeroU64;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use flagfall_reports::statistics::{
    Drift, Estimator, NoiseKind, PhaseSeries, Stability, TauMultiple, confidence_95, identify, mtie, mtie_octaves,
    tie_rms,
};
use theirs::Allantools;

/// Readings for the comparison.
const POINTS: usize = 100_000;

/// Readings for the full set.
const POINTS_FULL: usize = 1_000_000;

/// Rounds that count.
const ROUNDS: u32 = 7;

/// The full set has to be done by then.
const FULL_MAX: Duration = Duration::from_millis(500);

/// What is compared, and how many times faster it has to be.
const MEASURES: [(&str, f64); 3] = [("oadev", 5.0), ("mdev", 5.0), ("mtie", 300.0)];

fn main() -> ExitCode {
    // `cargo test --benches` asks for a short look, `cargo bench` for figures.
    let measures = std::env::args().any(|argument| argument == "--bench");
    let mut held = full(if measures { ROUNDS } else { 1 }, measures);
    if !measures {
        return ExitCode::SUCCESS;
    }
    let series = white_fm(POINTS);
    let allantools = Allantools::start(series.readings());
    if let Err(reason) = &allantools {
        println!("allantools cannot be measured: {reason}");
    }
    let mut allantools = allantools.ok();
    for (measure, ratio_min) in MEASURES {
        held &= compare(measure, ratio_min, &series, allantools.as_mut());
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A rate that is white noise: SplitMix64, 24 bits.
fn white_fm(points: usize) -> PhaseSeries {
    let (mut state, mut phase) = (2_u64, 0);
    let readings = (0..points).map(|_| {
        let now = phase;
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        phase += ((z ^ (z >> 31)) >> 40) as i64 - (1 << 23);
        now
    });
    PhaseSeries::new(readings.collect(), 1).expect("readings and a distance")
}

fn ours(measure: &str, series: &PhaseSeries, multiples: &[TauMultiple]) -> (Vec<f64>, Duration) {
    let start = Instant::now();
    let results = match measure {
        "mtie" => {
            let octaves = mtie_octaves(black_box(series));
            let at = |multiple: &TauMultiple| octaves.iter().find(|(octave, _)| octave == multiple);
            multiples.iter().filter_map(|multiple| at(multiple).map(|(_, widest)| *widest as f64)).collect()
        }
        _ => {
            let stability = Stability::of(black_box(series));
            let deviation = |multiple: &TauMultiple| match measure {
                "oadev" => stability.oadev(*multiple),
                _ => stability.mdev(*multiple),
            };
            multiples.iter().filter_map(|multiple| deviation(multiple).ok()).collect()
        }
    };
    (black_box(results), start.elapsed())
}

/// One measure against the other side, if it is there; whether the ratio is held and the results are equal.
fn compare(measure: &str, ratio_min: f64, series: &PhaseSeries, theirs: Option<&mut Allantools>) -> bool {
    let octaves: Vec<TauMultiple> = series.octaves().collect();
    let mut ours_best = Duration::MAX;
    let Some(theirs) = theirs else {
        for _ in 0..=ROUNDS {
            ours_best = ours_best.min(ours(measure, series, &octaves).1);
        }
        println!("{measure:6} {POINTS} points: ours {ours_best:?}, {} octaves", octaves.len());
        return true;
    };
    let mut theirs_best = Duration::MAX;
    let mut equal = true;
    let mut count = 0;
    for round in 0..=ROUNDS {
        let (their_taus, their_results, their_time) = match theirs.measure(measure) {
            Ok(answer) => answer,
            Err(error) => {
                println!("{measure}: allantools gave no answer: {error}");
                return false;
            }
        };
        let multiples: Vec<TauMultiple> = their_taus.iter().filter_map(|m| TauMultiple::new(*m)).collect();
        let (our_results, our_time) = ours(measure, series, &multiples);
        count = multiples.len();
        let pairs = our_results.iter().zip(&their_results);
        equal &= our_results.len() == their_results.len()
            && pairs.clone().all(|(ours, theirs)| (ours / theirs - 1.0).abs() < 1e-9);
        if round > 0 {
            (ours_best, theirs_best) = (ours_best.min(our_time), theirs_best.min(their_time));
        }
    }
    let ratio = theirs_best.as_secs_f64() / ours_best.as_secs_f64();
    println!(
        "{measure:6} {POINTS} points, {count} octaves: ours {ours_best:?}, allantools {theirs_best:?}, ratio {ratio:.1} \
         (at least {ratio_min}), results {}",
        if equal { "equal" } else { "DIFFER" }
    );
    equal && ratio >= ratio_min
}

/// Everything that a report says of a series, at octaves.
fn full(rounds: u32, measures: bool) -> bool {
    let series = white_fm(if measures { POINTS_FULL } else { POINTS / 10 });
    let mut best = Duration::MAX;
    for _ in 0..=rounds {
        let start = Instant::now();
        black_box(everything(black_box(&series)));
        best = best.min(start.elapsed());
    }
    println!("full   {} points: {best:?} (at most {FULL_MAX:?})", series.points());
    !measures || best <= FULL_MAX
}

fn everything(series: &PhaseSeries) -> Vec<f64> {
    let stability = Stability::of(series);
    let noise = identify(series, TauMultiple::ONE).map_or(NoiseKind::WhiteFm, |noise| noise.kind);
    let mut results = Vec::new();
    for octave in series.octaves() {
        let deviations = [
            (Estimator::Oadev, stability.oadev(octave)),
            (Estimator::Mdev, stability.mdev(octave)),
            (Estimator::Ohdev, stability.ohdev(octave)),
        ];
        for (estimator, deviation) in deviations {
            let degrees = estimator.degrees_of_freedom(noise, octave, series.points());
            if let (Ok(deviation), Some(degrees)) = (deviation, degrees) {
                let (low, high) = confidence_95(deviation, degrees);
                results.extend([low, deviation, high]);
                if estimator == Estimator::Mdev {
                    let tdev = series.tau(octave) / 3.0_f64.sqrt();
                    results.extend([tdev * low, tdev * deviation, tdev * high]);
                }
            }
        }
        results.extend(tie_rms(series, octave));
    }
    results.extend(mtie_octaves(series).into_iter().map(|(_, widest)| widest as f64));
    results.extend(TauMultiple::new(1_000).and_then(|m| mtie(series, m).ok()).map(|widest| widest as f64));
    if let Ok(drift) = Drift::of(series, NonZeroU64::MIN) {
        results.extend([drift.rate, drift.half_width]);
    }
    results
}
