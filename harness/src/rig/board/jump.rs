//! Jumped time: while nothing is due, the counters of device time and of true time are moved on together.
//!
//! Both are written through the probe while the core stands still, by the register that the board file has for a time base
//! that jumps. Whatever is judged still happens while the device really counts: from [`BEFORE_NS`] before each step, flag,
//! end of a fault and event of the simulated game until [`AFTER_NS`] after it. A jump never goes beyond what the device
//! itself says it has left, so that a clock that is wrong cannot be carried over its own flag either.

use flagfall_core::record::Record;
use flagfall_core::{Phase, TickRate};
use flagfall_sim::Budget;
use flagfall_trace::plan::{Act, Fault, Plan};

use super::bench::Counters;
use super::description::{Acting, Description};
use super::hall::Hall;
use super::target::{Target, TargetError};

/// How long the device counts before anything that is judged, beyond the smallest gap of its bench: longer than the longest
/// sleep of the firmware (0.79 s), whose alarm does not know of a jump.
pub(super) const BEFORE_NS: i64 = 1_000_000_000;

/// How long it counts after that: longer than the longest time for which contacts must be quiet (255 ms), and than a line takes
/// to the panel.
const AFTER_NS: i64 = 300_000_000;

/// What is not worth a jump.
const WORTH_NS: i64 = 100_000_000;

/// The most that a counter of 32 bits is moved by at a time, in counts: a quarter of its range. Then the firmware gets to
/// read it, so that it cannot take one way round for none.
const PIECE_COUNTS: i128 = 1 << 30;

/// Why time cannot be jumped on a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotJump {
    /// The counter of device time cannot be written: give the board file `faults.jump`, or run without jumps.
    #[error("its counter of device time cannot be written: {0} (`faults.jump`)")]
    NoCounter(String),
    /// The firmware counts in memory what an interrupt tells it: run without jumps.
    #[error("its device time is counted in memory by the firmware, and not by a register (`device_counter`)")]
    InMemory,
    /// Another counter than that of device time would jump: correct one of both addresses.
    #[error("`faults.jump.counter` is {jumps:#x} and `device_counter` {counts:#x}: correct one of them")]
    AnotherCounter {
        /// What would jump.
        jumps: u64,
        /// What counts device time.
        counts: u64,
    },
    /// The host's clock cannot be moved on: give the board a counter of true time, or run without jumps.
    #[error("its true time is the host's clock, which nobody can move on")]
    HostClock,
    /// When its flags are due is known to the firmware alone: run without jumps.
    #[error("its firmware offers no contract: nobody knows when it looks at its counter, and what it does then")]
    Watched,
}

/// Looks whether the counters of a board can be moved on.
///
/// # Errors
/// [`CannotJump`] with the reason.
pub(super) fn possible(description: &Description) -> Result<(), CannotJump> {
    if description.symbols.is_some() {
        return Err(CannotJump::Watched);
    }
    let device = description.device_counter.ok_or(CannotJump::InMemory)?;
    let jump = description.faults.jump.by().map_err(|reason| CannotJump::NoCounter(reason.to_owned()))?;
    if jump.counter != device.address {
        return Err(CannotJump::AnotherCounter { jumps: jump.counter, counts: device.address });
    }
    if description.true_time.is_none() && description.acting == Acting::Live {
        return Err(CannotJump::HostClock);
    }
    Ok(())
}

/// What a plan asks for that means nothing in jumped time.
pub(super) fn obstacle(plan: &Plan) -> Option<String> {
    let rate = plan.steps.iter().any(|step| matches!(step.act, Act::Fault(Fault::Rate { .. })));
    rate.then(|| "jumped time: how fast the time base is shows only while it counts".to_owned())
}

/// What is to be done next while an instant is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Let the device count until then.
    Count(i64),
    /// Move both counters on until then.
    Jump(i64),
}

/// When something is due in a plan, in nanoseconds of true time.
pub(super) struct Calendar {
    due: Vec<i64>,
    before_ns: i64,
    /// The least that time is jumped by: something that both counters count whole.
    worth_ns: i64,
}

impl Calendar {
    /// Of the steps of a plan, of what ends by itself, and of each event of the same game in virtual time.
    pub(super) fn of(description: &Description, plan: &Plan) -> Result<Self, String> {
        let device = description.device_counter.ok_or_else(|| CannotJump::InMemory.to_string())?;
        let bench = description.true_time.as_ref().map_or(device, |true_time| true_time.counter);
        let whole_ns = 1_000_000_000_i64.div_euclid(gcd(device.hz, bench.hz).into()) + 1;
        let simulated = flagfall_sim::run(plan, &Budget::default()).map_err(|error| error.to_string())?;
        let mut due = vec![0, plan.end.ns()];
        for step in plan.steps.iter().filter(|step| step.act.is_for_the_clock()) {
            due.push(step.at.ns());
            if let Act::Fault(Fault::DisplayFrozen { for_ns: ns } | Fault::Reset { off_ns: ns, .. }) = step.act {
                due.push(step.at.ns().saturating_add(ns));
            }
        }
        due.extend(simulated.records.iter().map(|stamped| stamped.true_time.ns()));
        due.sort_unstable();
        due.dedup();
        let gap_ns = i64::try_from(description.smallest_gap_us.saturating_mul(1_000)).unwrap_or(i64::MAX);
        Ok(Self { due, before_ns: BEFORE_NS.saturating_add(gap_ns), worth_ns: WORTH_NS.max(whole_ns) })
    }

    /// What to do at `now` on the way to an instant, when the device says that its flag is due at `deadline`.
    pub(super) fn next(&self, now: i64, at: i64, deadline: Option<i64>) -> Next {
        let still_near = now.saturating_sub(AFTER_NS);
        let planned = self.due.get(self.due.partition_point(|due| *due <= still_near)).copied();
        let due = planned.into_iter().chain(deadline.filter(|due| *due > still_near)).fold(at, i64::min);
        let until = due.saturating_sub(self.before_ns);
        if until.saturating_sub(now) >= self.worth_ns {
            Next::Jump(until)
        } else {
            Next::Count(at.min(due.saturating_add(AFTER_NS)))
        }
    }
}

/// When the device that wrote this last will have used up what its running side has, in true time: no flag falls and no
/// period ends before.
pub(super) fn deadline(last: Option<&Record>, hall: &Hall, rate: TickRate) -> Option<i64> {
    let last = last?;
    let Phase::Running(side) = last.phase else { return None };
    let left = last.remaining_ticks[side].saturating_add(last.delay_ticks);
    let ahead = i128::from(last.at.ticks()) + i128::from(left) - i128::from(hall.device().ticks());
    let ns = ahead.saturating_mul(1_000_000_000) / i128::from(rate.hz());
    Some(hall.now().ns().saturating_add(i64::try_from(ns).unwrap_or(i64::MAX)))
}

impl Counters {
    /// Moves both on by so much or by somewhat less, while the target stands still; at most a quarter of their range. Each
    /// gets a whole number of counts, the same span on both, or none of them any.
    pub(super) fn move_on(self, target: &mut Target, ns: i64) -> Result<(), TargetError> {
        let Self { device, bench } = self;
        let [device_by, bench_by] = counts_in(device.hz, bench.hz, ns);
        let mut moved = Vec::new();
        for (address, by) in [(device.address, device_by), (bench.address, bench_by)] {
            // Without true time both are one.
            if moved.iter().any(|(before, _)| *before == address) {
                continue;
            }
            let to = target.word(address)?.wrapping_add(by);
            target.set_word(address, to)?;
            moved.push((address, to));
        }
        for (address, wanted) in moved {
            let reads = target.word(address)?;
            if reads != wanted {
                let text = format!(
                    "the counter at {address:#x} was moved on to {wanted} and reads {reads}: in jumped time it must take what \
                     is written to it and stand still with the core (on an STM32, DBGMCU_APB1_FZ in `true_time.start`)"
                );
                return Err(TargetError::Counters(text));
            }
        }
        Ok(())
    }
}

/// How many counts of either counter are the longest span up to `ns` that both count whole, and that neither takes for more
/// than a quarter of its range.
fn counts_in(device_hz: u32, bench_hz: u32, ns: i64) -> [u32; 2] {
    let common = gcd(device_hz, bench_hz);
    let [device, bench] = [device_hz, bench_hz].map(|hz| i128::from(hz / common));
    let spans = i128::from(ns.max(0)) * i128::from(common) / 1_000_000_000;
    let spans = spans.min((PIECE_COUNTS / device.max(bench)).max(1));
    [device, bench]
        .map(|counts| u32::try_from(spans * counts).expect("a quarter of 32 bits, or the counts of a second"))
}

const fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use flagfall_core::record::Kind;
    use flagfall_core::{Bonus, Clock, DeviceTime, Period, Setup, Side, TimeControl};

    use super::*;
    use crate::rig::board::description::Counter;

    const S: i64 = 1_000_000_000;

    fn calendar() -> Calendar {
        Calendar { due: vec![0, 18 * S, 30 * S], before_ns: BEFORE_NS, worth_ns: WORTH_NS }
    }

    #[test]
    fn time_is_jumped_up_to_a_second_before_what_is_due_and_counted_through_it() {
        let calendar = calendar();
        let next = |now: i64| calendar.next(now, 30 * S, None);
        assert_eq!(next(0), Next::Count(AFTER_NS), "the beginning is due");
        assert_eq!(next(AFTER_NS), Next::Jump(17 * S));
        for now in [17 * S - WORTH_NS + 1, 17 * S, 18 * S, 18 * S + AFTER_NS - 1] {
            assert_eq!(next(now), Next::Count(18 * S + AFTER_NS), "{now}");
        }
        assert_eq!(next(18 * S + AFTER_NS), Next::Jump(29 * S));
        assert_eq!(next(29 * S), Next::Count(30 * S), "and not beyond what is waited for");
        assert_eq!(calendar.next(5 * S, 6 * S + 1, None), Next::Count(6 * S + 1), "what is waited for is due itself");
        assert_eq!(calendar.next(40 * S, 60 * S, None), Next::Jump(59 * S), "nothing is planned any more");
    }

    #[test]
    fn what_the_device_has_left_is_not_jumped_over_either() {
        let calendar = calendar();
        assert_eq!(calendar.next(S, 30 * S, Some(10 * S)), Next::Jump(9 * S), "its flag is due before the game's");
        assert_eq!(calendar.next(9 * S, 30 * S, Some(10 * S)), Next::Count(10 * S + AFTER_NS));
        assert_eq!(calendar.next(11 * S, 30 * S, Some(10 * S)), Next::Jump(17 * S), "it has passed");
    }

    #[test]
    fn what_the_device_has_left_is_due_when_it_says_so_whatever_the_game_says() {
        let counter = Counter { address: 0, hz: 1_000_000 };
        let mut hall = Hall::begin(TickRate::MHZ, counter, 0, 500, DeviceTime::from_ticks(500));
        hall.observe(4_000_000, 4_000_500);
        let clock = Clock::new(
            &Setup::new(TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("one")),
            TickRate::MHZ,
        );
        let paused = Record::of_state(
            Kind::READ,
            0,
            DeviceTime::from_ticks(3_000_500),
            clock.state(),
            clock.setup(),
            TickRate::MHZ,
        );
        let running = Record { phase: Phase::Running(Side::Black), delay_ticks: 2_000_000, ..paused };
        let due = |last: Option<&Record>| deadline(last, &hall, TickRate::MHZ);
        assert_eq!(due(Some(&running)), Some(3 * S + 62 * S), "its time and its delay, from its stamp on");
        assert_eq!((due(Some(&paused)), due(None)), (None, None), "nobody's time runs");
    }

    #[test]
    fn both_counters_are_moved_by_the_same_span_in_whole_counts() {
        assert_eq!(counts_in(1_000_000, 1_000_000, 7 * S + 999), [7_000_000; 2]);
        assert_eq!(counts_in(1_000, 32_768, S), [1_000, 32_768]);
        assert_eq!(counts_in(1_000, 32_768, S / 4 - 1), [125, 4_096], "an eighth of a second is whole on both");
        assert_eq!(counts_in(1_000_000, 1_000_000, i64::MAX), [1 << 30; 2], "a quarter of the range");
        assert_eq!(counts_in(1_000_000, 1_000_000, -1), [0; 2]);
        let [device, bench] = counts_in(3, 1_000_000, 3_600 * S);
        assert_eq!(u64::from(device) * 1_000_000, u64::from(bench) * 3, "the same span");
        assert!(bench <= 1 << 30);
    }
}
