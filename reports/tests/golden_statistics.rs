//! Reference numbers that other tools print as well: NBS14 of NIST SP 1065, and seeded series of whole numbers.
//!
//! The deviations of the whole-number series were reckoned in exact integers; allantools 2024.6 agrees. Sums of squares
//! are compared to a relative 1e-12, what ITU-T G.810 calls MTIE exactly, degrees of freedom and intervals to 1e-6.

use std::num::NonZeroU64;

use flagfall_reports::statistics::{
    Basis, Drift, Estimator, LeastSquares, NoiseError, NoiseKind, PhaseSeries, Stability, TauMultiple, confidence_95,
    identify, mtie, mtie_octaves, tie_rms,
};
use sha2::{Digest, Sha256};

fn multiple(m: usize) -> TauMultiple {
    TauMultiple::new(m).expect("not zero")
}

fn assert_near(what: &str, found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() <= relative, "{what}: {found}, not {expected}");
}

/// Ten points: nine rates and their sum (SP 1065 table 31).
fn nbs14_10() -> PhaseSeries {
    let mut phase = vec![0];
    for rate in [892, 809, 823, 798, 671, 644, 883, 903, 677] {
        phase.push(phase[phase.len() - 1] + rate);
    }
    PhaseSeries::new(phase, 1).expect("a series")
}

/// The modulus of the generator of the 1000-point series, in which its rates are whole numbers.
const MODULUS: i64 = 2_147_483_647;

/// A thousand rates `n / MODULUS` (SP 1065 section 12.4): 1001 points in units of `1 / MODULUS`.
fn nbs14_1000() -> PhaseSeries {
    let mut n = 1_234_567_890_i64;
    let mut phase = vec![0];
    for at in 0..1_000 {
        phase.push(phase[phase.len() - 1] + n);
        n = n * 16_807 % MODULUS;
        assert!(at != 0 || n == 395_529_916);
    }
    PhaseSeries::new(phase, MODULUS as u64).expect("a series")
}

/// Uniform numbers of 24 bits from SplitMix64.
fn uniform(seed: u64) -> impl Iterator<Item = i64> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some(((z ^ (z >> 31)) >> 40) as i64 - (1 << 23))
    })
}

/// White PM, white FM and random walk FM of 100 000 points each.
fn seeded(which: u64) -> PhaseSeries {
    let mut x = 0;
    let mut y = 0;
    let drawn = uniform(which).take(100_000);
    let phase: Vec<i64> = drawn
        .map(|u| {
            let now = x;
            match which {
                1 => return u,
                2 => x += u,
                _ => {
                    y += u >> 12;
                    x += y;
                }
            }
            now
        })
        .collect();
    let bytes: Vec<u8> = phase.iter().flat_map(|x| x.to_le_bytes()).collect();
    let hash = Sha256::digest(&bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hash, ["74f2ad420ab3e096", "b88b592b8fcbd217", "bdbbf4d3e12ec3cb"][which as usize - 1]);
    PhaseSeries::new(phase, 1).expect("a series")
}

/// ADEV, OADEV, MDEV, TDEV, HDEV and OHDEV.
fn deviations(series: &PhaseSeries, m: usize) -> [f64; 6] {
    let stability = Stability::of(series);
    let m = multiple(m);
    [stability.adev(m), stability.oadev(m), stability.mdev(m), stability.tdev(m), stability.hdev(m), stability.ohdev(m)]
        .map(|deviation| deviation.expect("enough readings"))
}

const NAMES: [&str; 6] = ["ADEV", "OADEV", "MDEV", "TDEV", "HDEV", "OHDEV"];

#[test]
fn golden_nbs14_10() {
    let rows = [
        (1, [91.229449741, 91.229449741, 91.229449741, 52.671347366, 70.806073186, 70.806073186]),
        (2, [115.808210705, 85.952869838, 74.788493433, 86.358313632, 116.797991564, 85.614871664]),
        (3, [89.972372303, 71.130650527, 31.454503691, 54.480798520, 103.558983014, 103.558983014]),
    ];
    for (m, expected) in rows {
        for ((name, found), expected) in NAMES.into_iter().zip(deviations(&nbs14_10(), m)).zip(expected) {
            assert!((found - expected).abs() <= 0.5e-9, "{name}({m}): {found}, not {expected}");
        }
    }
}

#[test]
fn golden_nbs14_10_excursions() {
    let series = nbs14_10();
    let raw = [1, 2, 3].map(|m| mtie(&series, multiple(m)).expect("enough readings"));
    assert_eq!(raw, [903, 1_786, 2_524]);
    // Without the line between the ends, in ninths, so that everything stays whole.
    let last = series.readings()[9];
    let beside = series.readings().iter().zip(0..).map(|(x, at)| 9 * x - last * at).collect();
    let beside = PhaseSeries::new(beside, 9).expect("a series");
    let ninths = [1, 2, 3].map(|m| mtie(&beside, multiple(m)).expect("enough readings"));
    assert_eq!(ninths, [1_304, 2_365, 2_365]);
    for (ninths, printed) in ninths.into_iter().zip([144.888888889, 262.777777778, 262.777777778]) {
        assert!((ninths as f64 / 9.0 - printed).abs() <= 0.5e-9);
    }
}

#[test]
fn golden_nbs14_1000() {
    let rows = [
        (
            1,
            [
                0.292231878106759,
                0.292231878106759,
                0.292231878106759,
                0.168720153490727,
                0.294388329124132,
                0.294388329124132,
            ],
        ),
        (
            10,
            [
                0.0996573606317478,
                0.0915995342011865,
                0.0617237638245222,
                0.356362316594848,
                0.105275419401283,
                0.0958108317325159,
            ],
        ),
        (
            100,
            [
                0.0389780433080265,
                0.0324134302605698,
                0.0217092091369424,
                1.25338177391076,
                0.0391086055974854,
                0.0323763825276093,
            ],
        ),
    ];
    for (m, expected) in rows {
        for ((name, found), expected) in NAMES.into_iter().zip(deviations(&nbs14_1000(), m)).zip(expected) {
            // TDEV is a time, and its unit here a part of the modulus.
            let found = if name == "TDEV" { found / MODULUS as f64 } else { found };
            assert_near(&format!("{name}({m})"), found, expected, 1e-12);
        }
    }
}

#[test]
fn golden_nbs14_1000_excursions() {
    let series = nbs14_1000();
    let rows = [
        (1, 0.568338504059404, 0.995745294259742),
        (10, 4.97500361537809, 7.59655972504828),
        (100, 49.4240657807484, 55.3817733406936),
    ];
    for (m, rms, widest) in rows {
        let unit = MODULUS as f64;
        assert_near("TIErms", tie_rms(&series, multiple(m)).expect("enough readings") / unit, rms, 1e-12);
        assert_near("MTIE", mtie(&series, multiple(m)).expect("enough readings") as f64 / unit, widest, 1e-14);
    }
    // Without the line between the ends, in thousandths.
    let last = series.readings()[1_000];
    let beside = series.readings().iter().zip(0..).map(|(x, at)| 1_000 * x - last * at).collect();
    let beside = PhaseSeries::new(beside, 1).expect("a series");
    for (m, widest) in [(1, 0.505970831400236), (10, 2.69881509645321), (100, 6.75090858980078)] {
        let found = mtie(&beside, multiple(m)).expect("enough readings") as f64 / 1_000.0 / MODULUS as f64;
        assert_near("MTIE beside the line", found, widest, 1e-14);
    }
}

#[test]
fn golden_degrees_of_freedom_and_intervals() {
    let rows = [
        (Estimator::Oadev, [782.0303, 135.0714, 12.81493]),
        (Estimator::Mdev, [782.0303, 94.63426, 7.416542]),
        (Estimator::Ohdev, [608.5487, 113.6989, 9.922838]),
    ];
    for (estimator, expected) in rows {
        for (m, expected) in [1, 10, 100].into_iter().zip(expected) {
            let found = estimator.degrees_of_freedom(NoiseKind::WhiteFm, multiple(m), 1_001).expect("enough readings");
            assert_near(&format!("{estimator:?}({m})"), found, expected, 1e-6);
        }
    }
    let (low, high) = confidence_95(0.0915995342011865, 135.071405);
    assert_near("lower limit", low, 0.0818572, 1e-6);
    assert_near("upper limit", high, 0.1039949, 1e-6);
}

#[test]
fn golden_noise_of_nbs14_1000() {
    let series = nbs14_1000();
    let at = |m| identify(&series, multiple(m)).map(|noise| noise.kind);
    assert_eq!(at(1), Ok(NoiseKind::WhiteFm));
    assert_eq!(at(100), Err(NoiseError::TooFew { points: 11 }));
}

fn assert_seeded(which: u64, first: [i64; 3], alpha: f64, rows: [(usize, [f64; 5], u64); 3]) {
    let series = seeded(which);
    assert_eq!(series.readings()[..3], first);
    let octaves = mtie_octaves(&series);
    for (m, [adev, oadev, mdev, tdev, ohdev], widest) in rows {
        let found = deviations(&series, m);
        let expected = [Some(adev), Some(oadev), Some(mdev), Some(tdev), None, Some(ohdev)];
        for ((name, found), expected) in NAMES.into_iter().zip(found).zip(expected) {
            let Some(expected) = expected else { continue };
            assert_near(&format!("C{which} {name}({m})"), found, expected, 1e-12);
        }
        assert_eq!(mtie(&series, multiple(m)), Ok(widest), "C{which} MTIE({m})");
    }
    for (octave, widest) in octaves {
        assert_eq!(mtie(&series, octave), Ok(widest), "C{which} MTIE({octave}) by octaves");
    }
    let noise = identify(&series, TauMultiple::ONE).expect("noise");
    assert!((noise.alpha - alpha).abs() < 5e-4, "C{which}: alpha {}", noise.alpha);
}

#[test]
fn golden_white_pm() {
    let rows = [
        (1, [8354386.12628136, 8354386.12628136, 8354386.12628136, 4823407.07892262, 8801153.50195069], 16_686_808),
        (100, [83541.64927871, 83636.573269045, 8301.89017398772, 479309.852673452, 88095.8296232246], 16_772_686),
        (
            10_000,
            [760.227435421916, 835.202273080231, 5.85517046899565, 33804.8424642578, 879.869442212224],
            16_777_120,
        ),
    ];
    assert_seeded(1, [1_116_717, 4_123_533, 7_902_114], 1.988, rows);
}

#[test]
fn golden_white_fm() {
    let rows = [
        (1, [4851160.92084038, 4851160.92084038, 4851160.92084038, 2800819.06352939, 4851457.43960173], 8_388_588),
        (100, [474857.704520954, 477140.720392257, 337241.701729278, 19470658.7275366, 476436.47099702], 211_961_788),
        (
            10_000,
            [59254.3873890109, 48514.2048571669, 32037.5504366362, 184968883.687681, 51960.6838229704],
            1_211_705_933,
        ),
    ];
    assert_seeded(2, [0, 1_529_909, 5_709_947], 0.007, rows);
}

#[test]
fn golden_random_walk_fm() {
    let rows = [
        (1, [835.077874884218, 835.077874884218, 835.077874884218, 482.132435858704, 683.084192529556], 779_070),
        (100, [6716.03887584107, 6690.31415679683, 6101.60528701731, 352276.345494829, 4607.89846819795], 77_046_693),
        (
            10_000,
            [71132.4363535477, 73597.7414543421, 71018.3834846397, 410024828.222688, 45891.9190784537],
            6_802_586_144,
        ),
    ];
    assert_seeded(3, [0, -1_584, -2_348], -1.993, rows);
}

/// Numbers that fit no floating point are differenced exactly all the same.
#[test]
fn golden_wherever_the_readings_lie() {
    let near = seeded(2);
    let expected = [1, 100, 10_000].map(|m| deviations(&near, m));
    let shift = |by: i64, slope: i64| {
        let readings = near.readings().iter().zip(0..).map(|(x, at)| x + by + slope * at).collect();
        PhaseSeries::new(readings, 1).expect("a series")
    };
    // A line; readings beyond the exact floats; readings at the end of the range.
    for far in [shift(5_000_000_000_000, -20_000_000), shift(1 << 60, 0), shift(i64::MAX - (1 << 40), 0)] {
        for (m, expected) in [1, 100, 10_000].into_iter().zip(&expected) {
            for ((name, found), expected) in NAMES.into_iter().zip(deviations(&far, m)).zip(expected) {
                assert_near(&format!("{name}({m}) from {}", far.readings()[0]), found, *expected, 1e-13);
            }
        }
    }
}

/// Each way of holding prefix sums gives the same: exact floats, wrapping and wide integers.
#[test]
fn golden_of_any_size() {
    let small = deviations(&seeded(2), 100);
    for factor in [1 << 14, 1 << 18, 1 << 28] {
        let readings = seeded(2).readings().iter().map(|x| x * factor).collect();
        let scaled = PhaseSeries::new(readings, factor as u64).expect("a series");
        for ((name, found), expected) in NAMES.into_iter().zip(deviations(&scaled, 100)).zip(small) {
            let found = if name == "TDEV" { found / factor as f64 } else { found };
            assert_near(&format!("{name} times {factor}"), found, expected, 1e-13);
        }
    }
}

#[test]
fn golden_edges() {
    let ends = PhaseSeries::new(vec![i64::MIN, i64::MAX, i64::MIN, i64::MAX], 1).expect("a series");
    let span = u64::MAX as f64;
    let found = Stability::of(&ends);
    assert_near("OADEV", found.oadev(TauMultiple::ONE).expect("enough"), 2.0 * span / 2.0_f64.sqrt(), 1e-15);
    assert_near("MDEV", found.mdev(TauMultiple::ONE).expect("enough"), 2.0 * span / 2.0_f64.sqrt(), 1e-15);
    assert_near("OHDEV", found.ohdev(TauMultiple::ONE).expect("enough"), 4.0 * span / 6.0_f64.sqrt(), 1e-15);
    for constant in [0, -7, i64::MIN, i64::MAX] {
        let series = PhaseSeries::new(vec![constant; 50], 1).expect("a series");
        assert_eq!(deviations(&series, 16), [0.0; 6], "{constant}");
    }
    let one = PhaseSeries::new(vec![3], 1).expect("a series");
    let one = Stability::of(&one);
    let needed = |m| {
        let all = [one.adev(m), one.oadev(m), one.mdev(m), one.tdev(m), one.hdev(m), one.ohdev(m)];
        all.map(|deviation| deviation.expect_err("too short").needed)
    };
    assert_eq!(needed(multiple(5)), [11, 11, 15, 15, 16, 16]);
    assert_eq!(needed(multiple(usize::MAX)), [usize::MAX; 6]);
}

#[test]
fn golden_drift_of_nbs14_1000() {
    let series = nbs14_1000();
    let line = LeastSquares::of(&series).expect("readings");
    assert_near("slope by least squares", line.slope, 0.492534944223023, 1e-14);
    assert_near("residual", line.residual_rms / MODULUS as f64, 1.71587911103780, 1e-13);
    assert_near("naive standard error", line.standard_error, 1.878714146e-4, 1e-9);
    let drift = Drift::of(&series, NonZeroU64::MIN).expect("readings");
    assert_eq!(drift.basis, Basis::WhiteFm);
    assert_near("slope of the ends", drift.rate, 0.489774462859507, 1e-14);
    // u = OADEV(tau0) sqrt(tau0 / T), and Student's t for 782 degrees of freedom.
    assert_near("half-width", drift.half_width, 1.963 * 0.292231878106759 / 1_000.0_f64.sqrt(), 1e-4);
}
