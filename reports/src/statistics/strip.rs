//! The rate of a device's counter that is read between two instants of a host: what is certain, and what is likely.
//!
//! A read happens at some instant between a `before` and an `after`, and the device's time is then at least `low` and
//! below `high` (a counter shows whole ticks). Nothing else is assumed, above all no latency: a device of constant rate has
//! a straight line through the strip that all reads leave open, and the slopes of all such lines are an interval that
//! contains its rate for certain (after Moon, Skelly and Towsley 1999; Zhang, Liu and Xia 2002). When no line is left, the
//! rate has changed: a jump, lost ticks, warmth.
//!
//! Whether the host's own clock is right is another matter, and to be added by whoever knows.

use std::cmp::Ordering;

/// Times are within this many nanoseconds of zero, so that no product overflows: 73 years.
const NS_MAX: i64 = 1 << 61;

/// One read of the device's counter, all in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    before: i64,
    after: i64,
    low: i64,
    high: i64,
}

/// Instants that are no read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The read ends before it begins, or the counter is below itself: look at the order of the arguments.
    #[error("a read from {before} to {after} ns that found {low} to {high} ns is none")]
    Order {
        /// Before the read.
        before: i64,
        /// After it.
        after: i64,
        /// At least.
        low: i64,
        /// Below.
        high: i64,
    },
    /// A time is beyond what can be reckoned with: count from the beginning of the run.
    #[error("{ns} ns is beyond {NS_MAX} ns, count from the beginning of the run")]
    Range {
        /// The time.
        ns: i64,
    },
    /// The read begins no later than the one before it ended: hand reads over in their order.
    #[error("a read that began at {before} ns does not follow one that ended at {ended} ns")]
    Earlier {
        /// When it began.
        before: i64,
        /// When the last one ended.
        ended: i64,
    },
}

/// From one read to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The longest time between them.
    pub(crate) host_ns: i64,
    /// What the device gained on the host at least.
    pub(crate) least_gained_ns: i128,
    /// And at most.
    pub(crate) most_gained_ns: i128,
}

/// A slope as a quotient of whole nanoseconds, of which the lower one is above zero.
#[derive(Clone, Copy, Debug)]
pub struct Slope {
    rise: i64,
    run: i64,
}

/// The rates that a strip leaves open, as pure numbers about zero (1e-6 is one ppm fast).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Not slower than this; minus infinity when nothing is known.
    pub slowest: f64,
    /// Not faster than this; infinity when nothing is known.
    pub fastest: f64,
}

/// Proof that no constant rate explains the reads: between some two instants the device was faster than between others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateChanged {
    /// Which read broke the strip, counted from zero.
    pub read: usize,
    /// Between these instants of the host the rate was at least `at_least`.
    pub fast_ns: (i64, i64),
    /// A pure number about zero.
    pub at_least: f64,
    /// Between these instants of the host the rate was at most `at_most`, which is less.
    pub slow_ns: (i64, i64),
    /// A pure number about zero.
    pub at_most: f64,
}

/// The strip of reads so far; each new read is worked in at once, and all of them in linear time.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    ended: Option<i64>,
    reads: usize,
    /// Lines pass below these points, at the instants before reads.
    ceiling: Hull<false>,
    /// Lines pass above these, at the instants after reads.
    floor: Hull<true>,
    fastest: Option<(Slope, Ends)>,
    slowest: Option<(Slope, Ends)>,
    broken: Option<RateChanged>,
}

type Ends = (i64, i64);

/// A host instant and a device time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    at: i64,
    time: i64,
}

impl Read {
    /// A read between `before` and `after` by the host that found the device at `low` or later and before `high`, all in
    /// nanoseconds.
    ///
    /// # Errors
    /// [`ReadError`] when the instants are in disorder or too large.
    pub fn new(before: i64, after: i64, low: i64, high: i64) -> Result<Self, ReadError> {
        if before > after || low >= high {
            return Err(ReadError::Order { before, after, low, high });
        }
        match [before, after, low, high].into_iter().find(|ns| ns.unsigned_abs() > NS_MAX.unsigned_abs()) {
            Some(ns) => Err(ReadError::Range { ns }),
            None => Ok(Self { before, after, low, high }),
        }
    }

    /// How long the read took, in nanoseconds.
    #[must_use]
    pub const fn round_trip_ns(&self) -> i64 {
        self.after - self.before
    }

    /// The instants before and after, what the counter was at least, and below what: all in nanoseconds.
    #[must_use]
    pub const fn bounds_ns(&self) -> [i64; 4] {
        [self.before, self.after, self.low, self.high]
    }

    /// The same read of a host whose clock may be this much early or late, in nanoseconds. A device that is fast by less than a
    /// part in 64 counts no more than that much and a 64th in such a span.
    #[must_use]
    pub fn loosened(self, ns: u64) -> Self {
        let counted = i64::try_from(ns.saturating_add(ns.div_ceil(64))).unwrap_or(i64::MAX);
        let bounded = |ns: i64| ns.clamp(-NS_MAX, NS_MAX);
        let (low, high) = (self.low.saturating_sub(counted), self.high.saturating_add(counted));
        Self { low: bounded(low), high: bounded(high), ..self }
    }

    /// From the beginning of this read to the end of another, in nanoseconds of the host.
    pub(crate) const fn span_to(&self, last: &Self) -> i64 {
        last.after - self.before
    }

    /// Twice the middle of the read by the host.
    pub(super) fn middle_ns(&self) -> i128 {
        i128::from(self.before) + i128::from(self.after)
    }

    /// Twice the middle of what the counter may have been.
    pub(super) fn time_ns(&self) -> i128 {
        i128::from(self.low) + i128::from(self.high)
    }

    /// The same read as a clock would see it whose time runs back.
    pub(crate) const fn mirrored(&self) -> Self {
        Self { before: -self.after, after: -self.before, low: -self.high, high: -self.low }
    }

    /// What may have been gained on the host from this read to another.
    pub(crate) fn to(&self, later: &Self) -> Gap {
        let host = |from: i64, to: i64| i128::from(to) - i128::from(from);
        Gap {
            host_ns: later.after - self.before,
            least_gained_ns: host(self.high, later.low) - host(self.before, later.after),
            most_gained_ns: host(self.low, later.high) - host(self.after, later.before),
        }
    }

    /// The middle of the read and the middle of what the device may have been ahead by then.
    pub(crate) fn error_point(&self) -> (f64, f64) {
        (self.middle_ns() as f64 / 2.0, (self.time_ns() - self.middle_ns()) as f64 / 2.0)
    }

    /// How far the device may have been from that middle, rounded up.
    pub(crate) const fn unsure_ns(&self) -> i64 {
        (self.step_ns() + self.round_trip_ns() + 1) / 2
    }

    /// The step of the counter.
    pub(super) const fn step_ns(&self) -> i64 {
        self.high - self.low
    }
}

impl Slope {
    fn between(from: Point, to: Point) -> Self {
        Self { rise: to.time - from.time, run: to.at - from.at }
    }

    /// The rate about zero, as a pure number.
    #[must_use]
    pub fn rate(self) -> f64 {
        (i128::from(self.rise) - i128::from(self.run)) as f64 / self.run as f64
    }
}

impl PartialEq for Slope {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Slope {}

impl PartialOrd for Slope {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Slope {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) =
            (i128::from(self.rise) * i128::from(other.run), i128::from(other.rise) * i128::from(self.run));
        left.cmp(&right)
    }
}

impl Strip {
    /// Works in the next read.
    ///
    /// # Errors
    /// [`ReadError::Earlier`] when it begins no later than the one before it ended.
    pub fn push(&mut self, read: Read) -> Result<(), ReadError> {
        if let Some(ended) = self.ended.filter(|ended| read.before <= *ended) {
            return Err(ReadError::Earlier { before: read.before, ended });
        }
        self.ended = Some(read.after);
        let number = self.reads;
        self.reads += 1;
        if self.broken.is_some() {
            return Ok(());
        }
        // The counter was below `high` when it was read, and so it was before.
        let above = Point { at: read.before, time: read.high };
        if let Some((slope, from)) = self.floor.tangent_to(above)
            && self.fastest.is_none_or(|(fastest, _)| slope < fastest)
        {
            self.fastest = Some((slope, (from.at, above.at)));
        }
        self.ceiling.push(above);
        let below = Point { at: read.after, time: read.low };
        if let Some((slope, from)) = self.ceiling.tangent_to(below)
            && self.slowest.is_none_or(|(slowest, _)| slope > slowest)
        {
            self.slowest = Some((slope, (from.at, below.at)));
        }
        self.floor.push(below);
        if let (Some((slowest, fast_ns)), Some((fastest, slow_ns))) = (self.slowest, self.fastest)
            && slowest > fastest
        {
            self.broken =
                Some(RateChanged { read: number, fast_ns, at_least: slowest.rate(), slow_ns, at_most: fastest.rate() });
        }
        Ok(())
    }

    /// The rates that all reads so far leave open. They contain the rate of the device, if it has one.
    ///
    /// # Errors
    /// [`RateChanged`] when there are none: it has not.
    pub fn rates(&self) -> Result<Rates, RateChanged> {
        match self.broken {
            Some(broken) => Err(broken),
            None => Ok(Rates {
                slowest: self.slowest.map_or(f64::NEG_INFINITY, |(slope, _)| slope.rate()),
                fastest: self.fastest.map_or(f64::INFINITY, |(slope, _)| slope.rate()),
            }),
        }
    }
}

impl Strip {
    /// The slopes of the slowest and of the fastest line that meet all reads; `None` where there are none yet, or no more.
    #[must_use]
    pub fn slopes(&self) -> Option<(Slope, Slope)> {
        let ((slowest, _), (fastest, _)) = self.slowest.zip(self.fastest).filter(|_| self.broken.is_none())?;
        Some((slowest, fastest))
    }
}

impl Rates {
    /// The middle of the interval.
    #[must_use]
    pub fn centre(&self) -> f64 {
        f64::midpoint(self.slowest, self.fastest)
    }

    /// Half of its width, guaranteed.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.fastest - self.slowest) / 2.0
    }
}

/// The corners of a convex hull towards lines that pass it (`FLOOR`: above it), from which no better tangent can be lost.
///
/// A tangent to a later point is looked for from the corner of the last one on: the tangent that counts only gets steeper or
/// only flatter, so that corners before it are never needed again.
#[derive(Clone, Debug, Default)]
struct Hull<const FLOOR: bool> {
    corners: Vec<Point>,
    /// The corner of the last tangent.
    support: usize,
}

impl<const FLOOR: bool> Hull<FLOOR> {
    /// Whether one slope is a tighter bound than another: lines above a floor go up to a later point the less steeply the
    /// tighter, lines below a ceiling the more steeply.
    fn is_tighter(one: Slope, other: Slope) -> bool {
        if FLOOR { one < other } else { one > other }
    }

    /// The tightest slope from a corner to a later point, and the corner; `None` while there is no corner before it.
    fn tangent_to(&mut self, to: Point) -> Option<(Slope, Point)> {
        let slope = |corner: &Point| (to.at > corner.at).then(|| Slope::between(*corner, to));
        let mut best = slope(self.corners.get(self.support)?)?;
        while let Some(next) = self.corners.get(self.support + 1).and_then(slope) {
            if Self::is_tighter(best, next) {
                break;
            }
            best = next;
            self.support += 1;
        }
        Some((best, self.corners[self.support]))
    }

    fn push(&mut self, point: Point) {
        while let [.., before, last] = self.corners[self.support..] {
            // The corner between two others counts only if the way over it bends around it.
            if point.at > last.at && Self::is_tighter(Slope::between(last, point), Slope::between(before, last)) {
                break;
            }
            if point.at == last.at {
                break;
            }
            self.corners.pop();
        }
        if let Some(last) = self.corners.last()
            && last.at == point.at
        {
            let outside = if FLOOR { point.time > last.time } else { point.time < last.time };
            if !outside {
                return;
            }
            self.corners.pop();
            return self.push(point);
        }
        self.corners.push(point);
        self.support = self.support.min(self.corners.len() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that depend on nothing but the seed.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, limit: i64) -> i64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) % limit.unsigned_abs()) as i64
        }
    }

    /// Where in its bracket a read really happens, by the number of the read and of all reads.
    type Adversary = fn(&mut Draw, i64, i64) -> i64;

    const ADVERSARIES: [(&str, Adversary); 6] = [
        ("early", |_, _, _| 0),
        ("late", |_, _, _| 1_000),
        ("early, then late", |_, read, reads| if 2 * read < reads { 0 } else { 1_000 }),
        ("late, then early", |_, read, reads| if 2 * read < reads { 1_000 } else { 0 }),
        ("later and later", |_, read, reads| 1_000 * read / reads),
        ("anywhere", |draw, _, _| draw.below(1_001)),
    ];

    /// Reads of a device that is fast by `ppb` and shows ticks of `tick_ns`.
    fn reads(seed: u64, ppb: i64, tick_ns: i64, count: i64, adversary: Adversary, jump_ns: i64) -> Vec<Read> {
        let mut draw = Draw(seed);
        let offset = draw.below(1_000_000_000);
        let mut at = draw.below(1_000_000);
        (0..count)
            .map(|number| {
                let long = if draw.below(7) == 0 { 30_000_000 } else { 200_000 };
                let (before, trip) = (at, 60_000 + draw.below(long));
                let happens = before + trip * adversary(&mut draw, number, count) / 1_000;
                let exact = i128::from(happens) * i128::from(1_000_000_000 + ppb) / 1_000_000_000 + i128::from(offset);
                let time = i64::try_from(exact).expect("in range") + if 3 * number > count { jump_ns } else { 0 };
                let shown = time.div_euclid(tick_ns) * tick_ns;
                at = before + trip + 1 + draw.below(20_000_000);
                Read::new(before, before + trip, shown, shown + tick_ns).expect("in order")
            })
            .collect()
    }

    fn strip(reads: &[Read]) -> Strip {
        let mut strip = Strip::default();
        reads.iter().for_each(|read| strip.push(*read).expect("in order"));
        strip
    }

    /// Every pair of bounds by itself.
    fn slow(reads: &[Read]) -> (Option<Slope>, Option<Slope>) {
        let ceiling = |read: &Read| Point { at: read.before, time: read.high };
        let floor = |read: &Read| Point { at: read.after, time: read.low };
        let pairs = || reads.iter().flat_map(|one| reads.iter().map(move |other| (one, other)));
        let fastest = pairs().filter(|(one, other)| one.after < other.before);
        let slowest = pairs().filter(|(one, other)| one.before < other.after);
        (
            slowest.map(|(one, other)| Slope::between(ceiling(one), floor(other))).max(),
            fastest.map(|(one, other)| Slope::between(floor(one), ceiling(other))).min(),
        )
    }

    #[test]
    fn the_strip_is_that_of_all_pairs_after_every_read() {
        for seed in 0..60 {
            let adversary = ADVERSARIES[seed as usize % ADVERSARIES.len()].1;
            let tick_ns = [1, 1_000, 30_518, 1_000_000][seed as usize % 4];
            let all = reads(seed, 20_000, tick_ns, 40, adversary, 0);
            for count in 1..=all.len() {
                let strip = strip(&all[..count]);
                let (slowest, fastest) = slow(&all[..count]);
                assert_eq!(strip.slowest.map(|(slope, _)| slope.rate()), slowest.map(Slope::rate), "{seed} {count}");
                assert_eq!(strip.fastest.map(|(slope, _)| slope.rate()), fastest.map(Slope::rate), "{seed} {count}");
            }
        }
    }

    #[test]
    fn a_constant_rate_is_inside_whatever_the_delays() {
        let mut runs = 0;
        for (name, adversary) in ADVERSARIES {
            for seed in 0..300 {
                let ppb = Draw(seed + 1_000).below(2_000_001) - 1_000_000;
                let tick_ns = [1, 1_000, 30_518, 1_000_000][seed as usize % 4];
                let rates = strip(&reads(seed, ppb, tick_ns, 200, adversary, 0)).rates();
                let rates = rates.unwrap_or_else(|changed| panic!("{name} {seed}: {changed:?}"));
                let truth = ppb as f64 * 1e-9;
                // The device's time is whole nanoseconds here, which is more than its rate says.
                let inside = rates.slowest <= truth + 1e-15 && truth <= rates.fastest + 1e-15;
                assert!(inside, "{name} {seed}: {truth} not in {rates:?}");
                assert!(rates.half_width() < 0.01, "{name} {seed}: {rates:?}");
                runs += 1;
            }
        }
        println!("feasible strip: the constant rate inside in {runs} of {runs} runs");
    }

    #[test]
    fn a_jump_breaks_the_strip_and_says_where() {
        let steady = strip(&reads(7, 20_000, 1_000, 300, ADVERSARIES[5].1, 0));
        assert!(steady.rates().is_ok());
        let all = reads(7, 20_000, 1_000, 300, ADVERSARIES[5].1, 2_000_000);
        let broken = strip(&all).rates().expect_err("a jump of 2 ms in reads of 60 us");
        assert!(broken.at_least > broken.at_most, "{broken:?}");
        assert!((100..120).contains(&broken.read), "{broken:?}");
        // The jump lies between the instants that the proof names.
        let jump = all[101].before;
        assert!(broken.fast_ns.0 < jump && jump <= broken.fast_ns.1, "{broken:?} {jump}");
    }

    #[test]
    fn few_reads_leave_everything_open() {
        assert_eq!(Strip::default().rates().map(|rates| rates.half_width()), Ok(f64::INFINITY));
        let one = strip(&[Read::new(0, 10, 0, 1).expect("in order")]).rates().expect("open");
        assert_eq!(one.fastest, f64::INFINITY);
        assert!(one.slowest <= -1.0 + 1e-9);
    }

    #[test]
    fn what_is_no_read_is_refused() {
        assert!(matches!(Read::new(5, 4, 0, 1), Err(ReadError::Order { .. })));
        assert!(matches!(Read::new(4, 5, 1, 1), Err(ReadError::Order { .. })));
        assert_eq!(Read::new(4, 5, 1, i64::MAX), Err(ReadError::Range { ns: i64::MAX }));
        let mut strip = strip(&[Read::new(0, 10, 0, 1).expect("in order")]);
        let again = Read::new(10, 20, 0, 1).expect("in order");
        assert_eq!(strip.push(again), Err(ReadError::Earlier { before: 10, ended: 10 }));
    }

    #[test]
    fn the_ends_of_the_range_do_not_overflow() {
        let far = NS_MAX;
        let ends =
            [Read::new(-far, 1 - far, -far, far), Read::new(0, 1, -far, far), Read::new(far - 1, far, -far, far)];
        let ends = ends.map(|read| read.expect("in range"));
        assert!(strip(&ends).rates().is_ok());
    }
}
