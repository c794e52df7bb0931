//! Everything random: named streams of one seed, and our own integer ranges and shuffles on them.
//!
//! A stream belongs to one purpose, so that drawing more for one does not change another. The generator is frozen
//! (`ChaCha8Rng`); ranges and shuffles are ours because those of `rand` may change their values between releases.
//!
//! ```
//! use flagfall_trace::draw::Stream;
//! let mut think = Stream::named(7, "think-time");
//! let ms = think.within(2_000, 8_000);
//! assert!((2_000..=8_000).contains(&ms));
//! ```

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The standard deviation of [`Stream::normal`]: 512 times that of 256 coins, and a little for what is within a coin.
pub const NORMAL_DEVIATION: i32 = 4_099;

/// How many standard deviations a normal number is at most: what lies beyond comes up twice in a billion.
pub const NORMAL_LIMIT: i32 = 6;

/// A stream of random numbers for one purpose.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of this purpose under this seed.
    #[must_use]
    pub fn named(seed: u64, purpose: &str) -> Self {
        let key: [u8; 32] =
            Sha256::new().chain_update(b"flagfall seed 1\n").chain_update(seed.to_le_bytes()).finalize().into();
        let name = Sha256::digest(purpose.as_bytes());
        let mut number = [0; 8];
        number.copy_from_slice(&name[..8]);
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(u64::from_le_bytes(number));
        Self(rng)
    }

    /// A number from `low` to `high`, both included, each equally likely; `low` when `high` is below it.
    pub fn within(&mut self, low: u64, high: u64) -> u64 {
        let Some(span) = high.checked_sub(low) else { return low };
        let Some(count) = span.checked_add(1) else { return self.0.next_u64() };
        // Numbers at or above the largest multiple of `count` would make small results likelier: draw again.
        let zone = u64::MAX - (u64::MAX % count + 1) % count;
        loop {
            let drawn = self.0.next_u64();
            if drawn <= zone {
                return low + drawn % count;
            }
        }
    }

    /// A number around zero, normally distributed for all practical purposes: the standard deviation is
    /// [`NORMAL_DEVIATION`], and none is beyond [`NORMAL_LIMIT`] of them.
    ///
    /// Of 256 fair coins so many more or less than half show heads (standard deviation 8), and a uniform number fills the
    /// gaps between whole coins.
    pub fn normal(&mut self) -> i32 {
        let heads: u32 = (0..4).map(|_| self.0.next_u64().count_ones()).sum();
        let within_a_coin = (self.0.next_u64() & 0xff) as i32;
        let normal = 512 * (heads.cast_signed() - 128) + 2 * within_a_coin - 255;
        normal.clamp(-NORMAL_LIMIT * NORMAL_DEVIATION, NORMAL_LIMIT * NORMAL_DEVIATION)
    }

    /// Puts `items` into a random order, each order equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.within(0, last as u64) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors that every machine and every release must draw.
    #[test]
    fn the_values_are_golden() {
        let mut stream = Stream::named(42, "think-time");
        let drawn: Vec<u64> = (0..6).map(|_| stream.within(0, 999)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        Stream::named(42, "order").shuffle(&mut order);
        assert_eq!((drawn, order), (vec![566, 102, 856, 114, 36, 409], vec![4, 1, 3, 7, 5, 2, 6, 0]));
    }

    #[test]
    fn normal_numbers_are_golden_and_have_the_right_moments() {
        let mut stream = Stream::named(42, "normal");
        assert_eq!([0; 4].map(|_| stream.normal()), [-4795, 689, -3629, -1677]);
        let count = 100_000;
        let drawn: Vec<i64> = (0..count).map(|_| i64::from(stream.normal())).collect();
        let mean = drawn.iter().sum::<i64>() / count;
        let variance = drawn.iter().map(|n| n * n).sum::<i64>() / count;
        let deviation = i64::from(NORMAL_DEVIATION);
        assert!(mean.abs() < 40, "{mean}");
        assert!((variance - deviation * deviation).abs() < deviation * deviation / 50, "{variance}");
        let beyond = |times: i64| drawn.iter().filter(|n| n.abs() > times * deviation).count();
        assert!((31_000..32_500).contains(&beyond(1)), "{}", beyond(1));
        assert!((4_300..4_800).contains(&beyond(2)), "{}", beyond(2));
        assert!((200..340).contains(&beyond(3)), "{}", beyond(3));
    }

    #[test]
    fn streams_of_one_seed_differ_by_purpose_and_by_seed() {
        let first = |seed, purpose| Stream::named(seed, purpose).within(0, u64::MAX);
        assert_ne!(first(1, "a"), first(1, "b"));
        assert_ne!(first(1, "a"), first(2, "a"));
        assert_eq!(first(1, "a"), first(1, "a"));
    }

    #[test]
    fn a_range_reaches_both_ends_and_nothing_else() {
        let mut stream = Stream::named(3, "range");
        let mut seen = [0; 5];
        for _ in 0..1_000 {
            seen[stream.within(10, 14) as usize - 10] += 1;
        }
        assert!(seen.iter().all(|count| (120..280).contains(count)), "{seen:?}");
        assert_eq!(stream.within(9, 3), 9);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Stream::named(5, "shuffle").shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
