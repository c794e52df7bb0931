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
        // A normal number keeps its limit by itself.
        let white = self.white.as_mut().map_or(0, |stream| scaled(i64::from(stream.normal()), levels.white_ppt, ONE));
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
    /// The limit over the root of two, and a little less.
    const SUM_MAX: i64 = NoiseLevels::RANDOM_WALK_LIMIT * NORMAL_DEVIATION as i64 * 707 / 1_000;

    fn next_ppt(&mut self, level: u32) -> i64 {
        let here = scaled(self.sum, level, ROOT_OF_TWO);
        // The sum itself is held, so that a walk at its limit can turn back at once.
        self.sum = (self.sum + i64::from(self.stream.normal())).clamp(-Self::SUM_MAX, Self::SUM_MAX);
        here
    }
}

#[cfg(test)]
mod tests {
    use flagfall_trace::draw::NORMAL_LIMIT;

    use super::*;

    const LEVEL: u32 = 1_000;

    #[test]
    fn a_level_is_scaled_to_the_nearest_whole_number() {
        let deviation = i64::from(NORMAL_DEVIATION);
        assert_eq!(scaled(deviation, LEVEL, ONE), 1_000);
        assert_eq!(scaled(deviation, LEVEL, ROOT_OF_TWO), 1_414);
        assert_eq!([scaled(-deviation, LEVEL, ROOT_OF_HALF), scaled(2, LEVEL, ONE)], [-707, 0]);
        assert_eq!([scaled(3, LEVEL, ONE), scaled(-3, LEVEL, ONE)], [1, -1], "0.73 is nearer to one");
    }

    #[test]
    fn white_noise_keeps_its_limit() {
        let farthest = i64::from(NORMAL_LIMIT * NORMAL_DEVIATION);
        assert_eq!(scaled(farthest, LEVEL, ONE), i64::from(LEVEL) * NoiseLevels::WHITE_LIMIT);
    }

    #[test]
    fn even_the_slowest_source_has_a_value_from_the_beginning() {
        let flicker = Flicker::new(Stream::named(1, "test"));
        assert!(flicker.sources.iter().all(|source| *source != 0), "{flicker:?}");
    }

    #[test]
    fn sources_that_all_lean_one_way_are_held_at_the_limit() {
        for sign in [1, -1] {
            let sources = [sign * NORMAL_LIMIT * NORMAL_DEVIATION; Flicker::SOURCES];
            let mut flicker = Flicker { stream: Stream::named(1, "test"), sources, seconds: 0 };
            assert_eq!(flicker.next_ppt(LEVEL), i64::from(sign) * i64::from(LEVEL) * NoiseLevels::FLICKER_LIMIT);
        }
    }

    #[test]
    fn a_walk_turns_back_at_its_limit() {
        let limit = i64::from(LEVEL) * NoiseLevels::RANDOM_WALK_LIMIT;
        for sign in [1, -1] {
            let mut walk = Walk { stream: Stream::named(1, "test"), sum: sign * Walk::SUM_MAX };
            let steps: Vec<i64> = (0..1_000).map(|_| sign * walk.next_ppt(LEVEL)).collect();
            assert!(steps[0] > limit - i64::from(LEVEL) && steps.iter().all(|step| *step <= limit), "{}", steps[0]);
            let inwards = steps.windows(2).find(|pair| pair[0] != pair[1]).expect("it does not stand still");
            assert!(inwards[1] < inwards[0] && inwards[0] == steps[0], "{inwards:?}");
        }
    }
}
