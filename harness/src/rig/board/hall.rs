//! True time on a board: pairs of readings of the bench counter and of the device's own, taken at the same stop.

use flagfall_core::{DeviceTime, TickRate, TrueTime};

use super::description::Counter;

/// What both clocks said at one stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    device: DeviceTime,
    bench_ns: i64,
    /// How far apart the two readings may have been.
    uncertainty_ns: u64,
}

/// The hall's time, counted on the bench counter from the beginning of the run.
#[derive(Clone, Debug)]
pub(super) struct Hall {
    rate: TickRate,
    bench: Counter,
    bench_raw: u32,
    /// How far off the beginning of the run may be.
    zero_uncertainty_ns: u64,
    bench_counts: u64,
    device_raw: u32,
    /// Device time in these is as if it had gone on over each reset.
    pairs: Vec<Pair>,
    pace: Pace,
    /// Time without supply, which no counter saw.
    unseen_ns: i64,
    /// For each reset, the device time that was kept, and the ticks that are missing since.
    resets: Vec<(DeviceTime, u64)>,
    /// How far the device's counter is behind what its clock has shown already, and holds.
    behind: u64,
    /// When its counter went back, on the bench counter.
    went_back_ns: Vec<i64>,
}

/// How many ticks the device counts where a right one counts so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    pub(super) ticks: u32,
    pub(super) of: u32,
}

impl Pace {
    pub(super) const RIGHT: Self = Self { ticks: 1, of: 1 };
}

impl Hall {
    /// The run begins now: the bench counter reads `bench_raw`, the device counter `device_raw`, which is `device`.
    pub(super) fn begin(rate: TickRate, bench: Counter, bench_raw: u32, device_raw: u32, device: DeviceTime) -> Self {
        Self::begin_between(rate, bench, [bench_raw; 2], device_raw, device)
    }

    /// The same for a device that runs, and was read between two readings of the bench counter.
    pub(super) fn begin_between(
        rate: TickRate,
        bench: Counter,
        [before, after]: [u32; 2],
        device_raw: u32,
        device: DeviceTime,
    ) -> Self {
        let between = after.wrapping_sub(before);
        let zero_uncertainty_ns = apart_ns(bench, between);
        let pairs = vec![Pair { device, bench_ns: 0, uncertainty_ns: 0 }];
        Self {
            rate,
            bench,
            bench_raw: before.wrapping_add(between / 2),
            zero_uncertainty_ns,
            bench_counts: 0,
            device_raw,
            pairs,
            pace: Pace::RIGHT,
            unseen_ns: 0,
            resets: Vec::new(),
            behind: 0,
            went_back_ns: Vec::new(),
        }
    }

    /// Another pair of readings, taken before either counter has wrapped twice.
    pub(super) fn observe(&mut self, bench_raw: u32, device_raw: u32) {
        self.observe_between(bench_raw, device_raw, bench_raw);
    }

    /// A reading of a device that runs, between two of the bench counter.
    pub(super) fn observe_between(&mut self, bench_before: u32, device_raw: u32, bench_after: u32) {
        let between = bench_after.wrapping_sub(bench_before);
        self.bench_raw_is(bench_before.wrapping_add(between / 2));
        let passed = u64::from(device_raw.wrapping_sub(self.device_raw));
        self.device_raw = device_raw;
        let (bench_ns, uncertainty_ns) = (self.bench_ns(), apart_ns(self.bench, between));
        let caught_up = passed.min(self.behind);
        self.behind -= caught_up;
        let (held, on) = (self.last().device, passed - caught_up);
        if caught_up > 0 && on > 0 {
            let on_ns = self.rate.true_time_of(DeviceTime::from_ticks(on)).ns();
            self.pairs.push(Pair { device: held, bench_ns: bench_ns - on_ns, uncertainty_ns });
        }
        self.pairs.push(Pair { device: held.after(on), bench_ns, uncertainty_ns });
    }

    /// The device's counter has been set back by so many ticks, in no time: its clock shows what it has shown until the
    /// counter has come there again.
    pub(super) fn go_back(&mut self, ticks: u32) {
        self.device_raw = self.device_raw.wrapping_sub(ticks);
        self.behind += u64::from(ticks);
        self.went_back_ns.push(self.bench_ns());
    }

    /// The hall's time when the bench counter reads so.
    pub(super) fn at(&mut self, bench_raw: u32) -> TrueTime {
        self.bench_raw_is(bench_raw);
        TrueTime::from_ns(self.bench_ns())
    }

    fn bench_raw_is(&mut self, bench_raw: u32) {
        self.bench_counts += u64::from(bench_raw.wrapping_sub(self.bench_raw));
        self.bench_raw = bench_raw;
    }

    fn bench_ns(&self) -> i64 {
        let ns = u128::from(self.bench_counts) * 1_000_000_000 / u128::from(self.bench.hz);
        i64::try_from(ns).unwrap_or(i64::MAX).saturating_add(self.unseen_ns)
    }

    /// The device stood still for so many nanoseconds, which its own time base, by which alone this hall goes, did not see.
    pub(super) fn stand_still(&mut self, ns: i64) {
        self.unseen_ns = self.unseen_ns.saturating_add(ns);
        self.pairs.push(Pair { bench_ns: self.bench_ns(), ..self.last() });
    }

    /// The supply has failed: the bench counter has begun anew with `bench_raw`, and true time goes on from the last
    /// reading when so many nanoseconds have passed.
    pub(super) const fn fail(&mut self, bench_raw: u32, off_ns: i64) {
        self.bench_raw = bench_raw;
        self.unseen_ns = self.unseen_ns.saturating_add(off_ns);
    }

    /// The first reading of a device that has come back, which takes itself to be at `device` and had kept what was true
    /// at `kept`. How many ticks are missing in that: the device counts as it did, only later.
    pub(super) fn come_back(&mut self, bench_raw: u32, device_raw: u32, device: DeviceTime, kept: DeviceTime) -> u64 {
        self.bench_raw_is(bench_raw);
        self.device_raw = device_raw;
        let (last, bench_ns) = (self.last(), self.bench_ns());
        let passed = self.rate.tick_at(TrueTime::from_ns(bench_ns - last.bench_ns));
        let goes_on = last.device.after(passed.ticks());
        let missing = goes_on.ticks_since(device).saturating_sub(self.missing());
        self.resets.push((kept, missing));
        self.pairs.push(Pair { device: goes_on, bench_ns, uncertainty_ns: 0 });
        missing
    }

    fn missing(&self) -> u64 {
        self.resets.iter().map(|(_, missing)| missing).sum()
    }

    fn last(&self) -> Pair {
        *self.pairs.last().expect("a hall begins with a pair")
    }

    /// The hall's time at the last stop.
    pub(super) fn now(&self) -> TrueTime {
        TrueTime::from_ns(self.last().bench_ns)
    }

    /// Device time at the last stop, as its counter has it.
    pub(super) fn device(&self) -> DeviceTime {
        DeviceTime::from_ticks(self.last().device.ticks() - self.missing() - self.behind)
    }

    /// From here on the device counts at this pace.
    pub(super) const fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// Device time at which an instant that has not come yet will come, if both clocks go on at their pace.
    ///
    /// Of a device that was made fast, as if it were right: what wakes the firmware was not, so that a firmware that
    /// waits for this tick waits for as long as it should, or for less, and never for more.
    pub(super) fn device_at(&self, at: TrueTime) -> DeviceTime {
        let wait_ns = u128::from(at.ns().saturating_sub(self.now().ns()).max(0).unsigned_abs());
        let Pace { ticks, of } = self.pace;
        let ticks = wait_ns * u128::from(self.rate.hz()) * u128::from(ticks.min(of));
        let ticks = ticks.div_ceil(1_000_000_000 * u128::from(of));
        self.device().after(u64::try_from(ticks).unwrap_or(u64::MAX))
    }

    /// The hall's time when the device noticed that its time had gone back, which it dates by what it was shown last before.
    pub(super) fn true_time_of_notice(&self, at: DeviceTime) -> (TrueTime, u64) {
        let (dated, uncertainty_ns) = self.true_time_of(at);
        let then = self.went_back_ns.iter().find(|then| **then >= dated.ns());
        (then.map_or(dated, |then| TrueTime::from_ns(*then)), uncertainty_ns)
    }

    /// The hall's time when the device said that it was `at`, between the two readings around it, and how far off that
    /// may be: one count of either counter, and what the readings were apart.
    pub(super) fn true_time_of(&self, at: DeviceTime) -> (TrueTime, u64) {
        let resets = self.resets.iter().filter(|(kept, _)| at > *kept);
        let at = at.after(resets.map(|(_, missing)| missing).sum());
        let after = self.pairs.partition_point(|pair| pair.device < at).clamp(1, (self.pairs.len() - 1).max(1));
        let from = self.pairs[after - 1];
        let to = self.pairs.get(after).copied().unwrap_or(from);
        let (ticks, ns) = (to.device.ticks_since(from.device), i128::from(to.bench_ns - from.bench_ns));
        let into = i128::from(at.ticks()) - i128::from(from.device.ticks());
        let ns = match ticks {
            0 => into * 1_000_000_000 / i128::from(self.rate.hz()),
            ticks => into * ns / i128::from(ticks),
        };
        let estimate = i64::try_from(i128::from(from.bench_ns) + ns).unwrap_or(i64::MAX);
        let count_ns = |hz: u32| 1_000_000_000_u64.div_ceil(u64::from(hz));
        let apart_ns = self.zero_uncertainty_ns + from.uncertainty_ns.max(to.uncertainty_ns);
        (TrueTime::from_ns(estimate), count_ns(self.bench.hz) + count_ns(self.rate.hz()) + apart_ns)
    }
}

/// How far from the middle of two readings something between them may have been.
fn apart_ns(bench: Counter, between: u32) -> u64 {
    u64::from(between.div_ceil(2)) * 1_000_000_000_u64.div_ceil(bench.hz.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: Counter = Counter { address: 0, hz: 1_000_000 };

    fn hall() -> Hall {
        Hall::begin(TickRate::MHZ, COUNTER, u32::MAX - 9, 500, DeviceTime::from_ticks(500))
    }

    #[test]
    fn both_counters_are_followed_over_their_wraps() {
        let mut hall = hall();
        hall.observe(10, 521);
        assert_eq!((hall.now().ns(), hall.device().ticks()), (20_000, 521));
        hall.observe(9, 520);
        assert_eq!(hall.now().ns(), 20_000 + (i64::from(u32::MAX)) * 1_000, "all but one count round");
        assert_eq!(hall.device().ticks(), 521 + u64::from(u32::MAX));
    }

    #[test]
    fn an_instant_between_two_stops_is_interpolated() {
        let mut hall = hall();
        // The device is slow by half: 1000 counts of the bench, 500 ticks.
        hall.observe(990, 1_000);
        assert_eq!(hall.true_time_of(DeviceTime::from_ticks(750)), (TrueTime::from_ns(500_000), 2_000));
        assert_eq!(hall.true_time_of(DeviceTime::from_ticks(500)).0, TrueTime::ZERO);
        assert_eq!(hall.true_time_of(DeviceTime::from_ticks(1_000)).0, hall.now());
    }

    #[test]
    fn a_slow_device_gets_there_in_fewer_ticks_and_of_a_fast_one_no_more_are_asked() {
        let mut hall = hall();
        let after = |hall: &Hall| hall.device_at(TrueTime::from_ns(1_000_000)).ticks() - hall.device().ticks();
        hall.set_pace(Pace { ticks: 1_000, of: 1_250 });
        assert_eq!(after(&hall), 800);
        hall.set_pace(Pace { ticks: 1_000, of: 800 });
        assert_eq!(after(&hall), 1_000);
        hall.set_pace(Pace::RIGHT);
        assert_eq!(after(&hall), 1_000);
    }

    #[test]
    fn true_time_and_device_time_go_on_over_a_reset() {
        let mut hall = hall();
        hall.observe(990, 1_500);
        hall.fail(7, 5_000_000);
        // The bench counter has begun anew, and the device takes itself to be at 1200 and a bit.
        let missing = hall.come_back(107, 1_210, DeviceTime::from_ticks(1_210), DeviceTime::from_ticks(1_200));
        assert_eq!((hall.now().ns(), hall.device().ticks()), (1_000_000 + 5_000_000 + 100_000, 1_210));
        assert_eq!(missing, 1_500 + 5_100 - 1_210);
        hall.observe(1_107, 2_210);
        let at = |ticks| hall.true_time_of(DeviceTime::from_ticks(ticks)).0.ns();
        assert_eq!([at(1_000), at(1_200), at(1_210), at(2_210)], [500_000, 700_000, 6_100_000, 7_100_000]);
    }

    #[test]
    fn a_reading_between_two_is_off_by_half_of_what_they_are_apart() {
        let begin = |apart: u32| Hall::begin_between(TickRate::MHZ, COUNTER, [100, 100 + apart], 0, DeviceTime::ZERO);
        let mut hall = begin(40);
        hall.observe_between(1_110, 1_000, 1_130);
        assert_eq!(hall.now().ns(), 1_000_000, "from middle to middle");
        assert_eq!(
            hall.true_time_of(DeviceTime::from_ticks(500)),
            (TrueTime::from_ns(500_000), 2_000 + 20_000 + 10_000)
        );
        hall.observe_between(2_120, 2_000, 2_121);
        assert_eq!(hall.true_time_of(DeviceTime::from_ticks(1_900)).1, 2_000 + 20_000 + 10_000, "the worse of two");
    }

    #[test]
    fn a_jump_is_between_two_readings_of_the_same_instant() {
        let mut hall = hall();
        hall.observe(990, 1_500);
        hall.observe(990, 5_500);
        hall.observe(1_990, 6_500);
        let at = |ticks| hall.true_time_of(DeviceTime::from_ticks(ticks)).0.ns();
        assert_eq!(
            [at(1_000), at(1_500), at(3_000), at(5_500), at(6_000)],
            [500_000, 1_000_000, 1_000_000, 1_000_000, 1_500_000]
        );
    }

    #[test]
    fn a_counter_that_was_set_back_is_waited_for() {
        let mut hall = hall();
        hall.observe(990, 1_500);
        hall.go_back(300);
        hall.observe(990, 1_200);
        assert_eq!((hall.now().ns(), hall.device().ticks()), (1_000_000, 1_200), "as the counter has it");
        assert_eq!(hall.device_at(TrueTime::from_ns(1_500_000)).ticks(), 1_700);
        hall.observe(1_190, 1_400);
        assert_eq!((hall.now().ns(), hall.device().ticks()), (1_200_000, 1_400));
        hall.observe(1_490, 1_700);
        let at = |ticks| hall.true_time_of(DeviceTime::from_ticks(ticks)).0.ns();
        assert_eq!([at(1_400), at(1_500), at(1_501), at(1_700)], [900_000, 1_000_000, 1_301_000, 1_500_000]);
        let noticed = hall.true_time_of_notice(DeviceTime::from_ticks(1_450)).0.ns();
        assert_eq!(noticed, 1_000_000, "not before it was done");
    }

    #[test]
    fn a_time_base_that_stands_still_is_at_one_tick_for_a_while() {
        let mut hall = hall();
        hall.observe(990, 1_500);
        hall.stand_still(5_000_000);
        assert_eq!((hall.now().ns(), hall.device().ticks()), (6_000_000, 1_500));
        hall.observe(1_990, 2_500);
        let at = |ticks| hall.true_time_of(DeviceTime::from_ticks(ticks)).0.ns();
        assert_eq!([at(1_000), at(1_500), at(1_501), at(2_500)], [500_000, 1_000_000, 6_001_000, 7_000_000]);
    }

    #[test]
    fn a_future_instant_is_converted_from_the_latest_pair() {
        let mut hall = hall();
        hall.observe(990, 1_500);
        assert_eq!(hall.device_at(TrueTime::from_ns(1_000_500)).ticks(), 1_501);
        assert_eq!(hall.device_at(TrueTime::ZERO).ticks(), 1_500, "an instant that has passed is now");
    }
}
