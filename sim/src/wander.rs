//! How the rate of a simulated oscillator goes over a run: its laws, and noise drawn from streams of their own.
//!
//! Each kind of noise has its stream, so that one more does not change another; a stream gives one value for each second
//! of true time.

use flagfall_core::TrueTime;
use flagfall_trace::draw::{NORMAL_DEVIATION, Stream};
use flagfall_trace::oscillator::{HELD_NS, NoiseLevels, OscillatorSpec};

/// The rates of an oscillator, one for each second of true time.
#[derive(Clone, Debug)]
pub struct Wander {
    spec: OscillatorSpec,
    next_from: TrueTime,
    white: Option<Stream>,
    flicker: Option<Flicker>,
    walk: Option<Walk>,
}

impl Wander {
    /// The rates of an oscillator like this, its noise drawn under this seed.
    #[must_use]
    pub fn new(spec: &OscillatorSpec, seed: u64) -> Self {
        let stream = |level, name| (level != 0).then(|| Stream::named(seed, name));
        let NoiseLevels { white_ppt, flicker_ppt, random_walk_ppt } = spec.noise;
        Self {
            next_from: TrueTime::ZERO,
            white: stream(white_ppt, "oscillator white noise"),
            flicker: stream(flicker_ppt, "oscillator flicker noise").map(Flicker::new),
            walk: stream(random_walk_ppt, "oscillator random walk").map(|stream| Walk { stream, sum: 0 }),
            spec: spec.clone(),
        }
    }

    /// The rate for the next second, in parts per trillion.
    pub fn next_ppt(&mut self) -> i64 {
        let from = self.next_from;
        self.next_from = TrueTime::from_ns(from.ns().saturating_add(HELD_NS));
        let levels = self.spec.noise;
        let white = self.white.as_mut().map_or(0, |stream| {
            let limit = i64::from(levels.white_ppt) * NoiseLevels::WHITE_LIMIT;
            scaled(i64::from(stream.normal()), levels.white_ppt, ONE).clamp(-limit, limit)
        });
        let flicker = self.flicker.as_mut().map_or(0, |flicker| flicker.next_ppt(levels.flicker_ppt));
        let walk = self.walk.as_mut().map_or(0, |walk| walk.next_ppt(levels.random_walk_ppt));
        self.spec.steady_ppt(from).saturating_add(white + flicker + walk)
    }
}

const ONE: i128 = 1_000_000_000;
const ROOT_OF_TWO: i128 = 1_414_213_562;
const ROOT_OF_HALF: i128 = 707_106_781;

/// So many times `level`, for a number with [`NORMAL_DEVIATION`] and a factor in billionths, to the nearest whole number.
fn scaled(number: i64, level: u32, factor: i128) -> i64 {
    let unit = i128::from(NORMAL_DEVIATION) * ONE;
    let value = i128::from(number) * i128::from(level) * factor;
    i64::try_from((value + unit / 2).div_euclid(unit)).expect("a sum of some normal numbers times a u32 is no i64")
}

/// Sources that change every second, every 2 s, 4 s and so on, and their sum (Voss and McCartney).
///
/// Each second the sum loses one source that changes always and one of the others, in such an order that source `n`
/// changes every 2^(n+1) seconds. Its Allan deviation at one second is the root of two of a source's deviation, and
/// stays about the same up to half the period of the slowest.
#[derive(Clone, Debug)]
struct Flicker {
    stream: Stream,
    sources: [i32; Self::SOURCES],
    seconds: u64,
}

impl Flicker {
    /// The slowest source changes every 18 hours.
    const SOURCES: usize = 16;

    fn new(mut stream: Stream) -> Self {
        let sources = [0; Self::SOURCES].map(|_| stream.normal());
        Self { stream, sources, seconds: 0 }
    }

    fn next_ppt(&mut self, level: u32) -> i64 {
        self.seconds += 1;
        if let Some(source) = self.sources.get_mut(self.seconds.trailing_zeros() as usize) {
            *source = self.stream.normal();
        }
        let sum = self.sources.iter().sum::<i32>() + self.stream.normal();
        let limit = i64::from(level) * NoiseLevels::FLICKER_LIMIT;
        scaled(i64::from(sum), level, ROOT_OF_HALF).clamp(-limit, limit)
    }
}

/// A sum of normal numbers that is held within its limit; it begins at zero.
///
/// Its Allan deviation at one second is a step over the root of two.
#[derive(Clone, Debug)]
struct Walk {
    stream: Stream,
    sum: i64,
}

impl Walk {
    fn next_ppt(&mut self, level: u32) -> i64 {
        let limit = i64::from(level) * NoiseLevels::RANDOM_WALK_LIMIT;
        let here = scaled(self.sum, level, ROOT_OF_TWO).clamp(-limit, limit);
        // The sum itself is held, so that a walk at its limit can turn back at once.
        let sum_max = NoiseLevels::RANDOM_WALK_LIMIT * i64::from(NORMAL_DEVIATION) * 707 / 1_000;
        self.sum = (self.sum + i64::from(self.stream.normal())).clamp(-sum_max, sum_max);
        here
    }
}
