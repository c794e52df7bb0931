//! A board whose device counter is read again and again, each time between two instants of a reference.
//!
//! Beside a real board that is the monotonic clock of the host, and the firmware runs while it is read. An emulator has no
//! physical time base: it is stopped, and its bench counter, which runs from the same clock, is the reference.

use std::time::{Duration, Instant};

use flagfall_core::contract::STOP_NEVER;
use flagfall_reports::statistics::{Read, ReadError};

use super::bench::device_counter;
use super::description::{Counter, Possible, Probe};
use super::image::Firmware;
use super::target::{Target, TargetError};
use super::{Board, OpenError, fault, firmware};

/// The longest an emulated board runs from one reading to the next: a counter of 32 bits wraps after more than an hour.
const LEG_MAX: Duration = Duration::from_secs(600);

/// How often a running board is asked whether it still runs.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Why there is no reading.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The board cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The target or its bench failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The host's clock, or a counter, went back: look whether the counter of the board file is one.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The board file does not say enough.
    #[error("{0}")]
    Board(String),
}

impl SampleError {
    /// Whether somebody asked for an end.
    #[must_use]
    pub const fn is_interrupted(&self) -> bool {
        matches!(self, Self::Target(TargetError::Interrupted) | Self::Open(OpenError::Target(TargetError::Interrupted)))
    }

    /// Whether this speaks against the clock rather than against the bench.
    #[must_use]
    pub const fn blames_the_clock(&self) -> bool {
        matches!(self, Self::Target(error) | Self::Open(OpenError::Target(error)) if error.blames_the_clock())
    }
}

/// A prescaler that counts so many more, or fewer, than it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrescalerOff {
    /// What it counts to when nothing is wrong.
    pub of: u32,
    /// What it counts to now.
    pub count: u32,
}

/// A counter of 32 bits, followed over its wraps.
struct Followed {
    counter: Counter,
    first: u32,
    raw: u32,
    counts: u64,
}

impl Followed {
    const fn new(counter: Counter, raw: u32) -> Self {
        Self { counter, first: raw, raw, counts: 0 }
    }

    /// The next reading, which comes before the counter has wrapped twice.
    fn next(&mut self, raw: u32) {
        self.counts += u64::from(raw.wrapping_sub(self.raw));
        self.raw = raw;
    }

    /// What it shows: at least, and below, in nanoseconds since the first reading.
    fn shown_ns(&self) -> (i64, i64) {
        let ns = |counts: u64| u128::from(counts) * 1_000_000_000;
        let hz = u128::from(self.counter.hz);
        let whole = |ns: u128| i64::try_from(ns).unwrap_or(i64::MAX);
        (whole(ns(self.counts) / hz), whole(ns(self.counts + 1).div_ceil(hz)))
    }
}

/// What the device is compared with.
enum By {
    Host { began: Instant, looked: Instant },
    Bench(Followed),
}

/// A board that is being read.
pub struct Sampler<'a> {
    target: &'a mut Target,
    device: Followed,
    by: By,
}

impl Board {
    /// What a prescaler fault of so many counts would make of the time base here.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn prescaler_off(&self, counts: i32) -> Result<PrescalerOff, SampleError> {
        let rate = match &self.description.faults.rate {
            Possible::By(rate) => rate,
            Possible::Not(reason) => return Err(SampleError::Board(format!("no prescaler can be changed: {reason}"))),
        };
        let of = rate.divides_by;
        let count = of.checked_add_signed(counts).filter(|count| (1..=1 << 16).contains(count) && count * 2 > of);
        let refused = || format!("a prescaler of {of} cannot count {counts:+} more: nothing near the rate is left");
        Ok(PrescalerOff { of, count: count.ok_or_else(|| SampleError::Board(refused()))? })
    }

    /// Opens the board and makes it ready to be read; a prescaler is set through the probe, if one is to be off.
    ///
    /// # Errors
    /// [`SampleError`] with what to do about it.
    pub fn sampler(&mut self, off: Option<PrescalerOff>) -> Result<Sampler<'_>, SampleError> {
        let in_memory = || matches!(firmware(&self.description), Ok((Firmware::Contract(_), _)));
        if self.description.device_counter.is_none() && !in_memory() {
            let why = "the board file has no `device_counter`, and no firmware says where it counts: there is nothing to read";
            return Err(SampleError::Board(why.to_owned()));
        }
        let emulated = matches!(self.description.probe, Probe::Emulator { .. });
        let bench = self.description.true_time.as_ref().filter(|_| emulated);
        if emulated && bench.is_none() {
            let why = "an emulated board without `true_time` has nothing to be compared with";
            return Err(SampleError::Board(why.to_owned()));
        }
        let (bench, rate) = (bench.cloned(), self.description.faults.rate.clone());
        self.open()?;
        let Some(target) = &mut self.target else { return Err(TargetError::Interrupted.into()) };
        let device = device_counter(target, &self.description)?;
        let contract = matches!(target.firmware(), Firmware::Contract(_));
        if !contract {
            target.restart()?;
        }
        if let (Some(off), Possible::By(rate)) = (off, &rate) {
            fault::set_prescaler(target, rate, off.count)?;
        }
        let by = match bench {
            Some(bench) => {
                bench.start.iter().try_for_each(|write| target.set_register(*write))?;
                let raw = target.word(bench.counter.address)?;
                By::Bench(Followed::new(bench.counter, raw))
            }
            None => {
                if contract {
                    target.set_stops(STOP_NEVER, 0)?;
                }
                target.run_on()?;
                By::Host { began: Instant::now(), looked: Instant::now() }
            }
        };
        let raw = target.word(device.address)?;
        Ok(Sampler { target, device: Followed::new(device, raw), by })
    }
}

impl Sampler<'_> {
    /// Whether time passes here as it does for the host.
    #[must_use]
    pub const fn has_physical_time(&self) -> bool {
        matches!(self.by, By::Host { .. })
    }

    /// Lets so much time of the reference pass, and reads.
    ///
    /// # Errors
    /// [`SampleError`]; what was read before is still good.
    pub fn next(&mut self, after: Duration) -> Result<Read, SampleError> {
        match &mut self.by {
            By::Host { began, looked } => {
                std::thread::sleep(after);
                if looked.elapsed() > LOOK_EVERY {
                    *looked = Instant::now();
                    self.target.still_runs()?;
                }
                between_instants(self.target, &mut self.device, *began)
            }
            By::Bench(bench) => at_a_stop(self.target, &mut self.device, bench, after.min(LEG_MAX)),
        }
    }
}

/// Reads a running target between two instants of the host.
fn between_instants(target: &mut Target, device: &mut Followed, began: Instant) -> Result<Read, SampleError> {
    let before = began.elapsed();
    let raw = target.word(device.counter.address)?;
    let after = began.elapsed();
    device.next(raw);
    let ns = |elapsed: Duration| i64::try_from(elapsed.as_nanos()).unwrap_or(i64::MAX);
    let (low, high) = device.shown_ns();
    Ok(Read::new(ns(before), ns(after), low, high)?)
}

/// Lets an emulated target run on, and reads both counters while it stands still.
fn at_a_stop(
    target: &mut Target,
    device: &mut Followed,
    bench: &mut Followed,
    after: Duration,
) -> Result<Read, SampleError> {
    let counts = |counter: Counter| {
        u64::try_from(after.as_nanos() * u128::from(counter.hz) / 1_000_000_000).unwrap_or(u64::MAX).max(1)
    };
    if matches!(target.firmware(), Firmware::Contract(_)) {
        // Device time is what its counter has counted since the reset, a moment before the first look.
        let stop_at = u64::from(device.first) + device.counts + counts(device.counter);
        target.set_stops(stop_at, 0)?;
        target.run_to_stop(Some((device.counter, stop_at as u32)))?;
    } else {
        target.run_freely(bench.counter, counts(bench.counter))?;
    }
    bench.next(target.word(bench.counter.address)?);
    device.next(target.word(device.counter.address)?);
    let ((before, after), (low, high)) = (bench.shown_ns(), device.shown_ns());
    // The target stands still somewhere between the beginning of this count of the bench counter and the next.
    Ok(Read::new(before, after, low, high)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_shows_a_whole_count_and_goes_on_over_its_wrap() {
        let mut counter = Followed::new(Counter { address: 0, hz: 32_768 }, u32::MAX);
        assert_eq!(counter.shown_ns(), (0, 30_518));
        counter.next(1);
        assert_eq!(counter.shown_ns(), (61_035, 91_553));
        counter.next(0);
        assert_eq!(counter.counts, 2 + u64::from(u32::MAX));
    }
}
