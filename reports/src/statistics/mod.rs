//! Time and frequency statistics on whole numbers: phase series, deviations, excursions, drift, jitter, percentiles.
//!
//! Readings are `i64` in some unit, most often nanoseconds, and differences are taken before anything is rounded: a
//! clock that is off by minutes does not lose its nanoseconds. `x(t)` is the reading minus the true time; above zero the
//! clock is ahead, and a side that runs loses time too soon. What is estimated comes with an interval of 95 %, or is
//! refused with the number of readings that it takes. Nothing here knows traces or chess; it can be used alone:
//!
//! ```
//! use flagfall_reports::statistics::{PhaseSeries, Stability, TauMultiple, mtie};
//!
//! // A clock that is 20 ppm fast, read each second, in nanoseconds.
//! let series = PhaseSeries::new((0..100).map(|second| 20_000 * second).collect(), 1_000_000_000)?;
//! let ten_seconds = TauMultiple::new(10).expect("not zero");
//! assert_eq!(mtie(&series, ten_seconds)?, 200_000);
//! assert_eq!(Stability::of(&series).oadev(ten_seconds)?, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! It fits no oscillator model, corrects no outliers and closes no gaps.

mod chi_square;
mod deviation;
mod drift;
mod edf;
mod excursion;
mod jitter;
mod mask;
mod noise;
mod paired;
mod percentile;
mod phase;
mod samples;
mod strip;
mod sums;
mod two_way;

pub use chi_square::chi_square_quantile;
pub use deviation::Stability;
pub use drift::{Basis, Drift, LeastSquares};
pub use edf::{Estimator, confidence_95};
pub use excursion::{mtie, mtie_octaves, tie_rms};
pub use jitter::{CycleToCycle, PeriodJitter, cycle_to_cycle, period_jitter};
pub use mask::{ErrorReading, Mask, MaskError, MaskVerdict};
pub use noise::{Noise, NoiseError, NoiseKind, POINTS_MIN, identify};
pub use paired::{EXACT_MAX, PairedChange, holm};
pub use percentile::{Percentile, Summary, nearest_rank, samples_needed};
pub use phase::{PhaseError, PhaseSeries, TauMultiple, TooShort};
pub use samples::{MEAN_MIN, Samples};
pub use strip::{RateChanged, Rates, Read, ReadError, Slope, Strip};
pub use two_way::TwoWayFit;
