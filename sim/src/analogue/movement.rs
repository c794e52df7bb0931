//! What drives the hands of one side: where they stand at an instant, and when they will stand somewhere.
//!
//! Positions are in 1e-18 of a tick, so that a change of rate loses nothing and every result is exact; 200 hours at
//! 1 GHz stay below 2^110.

use flagfall_core::{TickRate, TrueTime};

/// Parts of a tick in which positions are counted.
pub(super) const PER_TICK: i128 = 1_000_000_000_000_000_000;

const PPB: i128 = 1_000_000_000;

/// A spring that is nearly spent.
#[derive(Clone, Copy, Debug)]
struct Spring {
    slow_ppb: i128,
    /// Nanoseconds of going that are left.
    left_ns: i128,
}

/// The movement of one side.
#[derive(Clone, Debug)]
pub(super) struct Movement {
    rate: TickRate,
    /// Where the hands stand, from six o'clock at the end of the first control.
    hands: i128,
    since: TrueTime,
    going: bool,
    spring: Option<Spring>,
    /// Where the hands catch on each other.
    catch: Option<i128>,
}

impl Movement {
    /// A movement that stands, its hands at `hands`.
    pub(super) const fn new(rate: TickRate, hands: i128) -> Self {
        Self { rate, hands, since: TrueTime::ZERO, going: false, spring: None, catch: None }
    }

    /// Where the hands stood when the movement was last looked at.
    pub(super) const fn hands(&self) -> i128 {
        self.hands
    }

    /// Lets time pass; an instant before the last one changes nothing.
    pub(super) fn pass(&mut self, now: TrueTime) {
        let mut ns = i128::from(now.ns()) - i128::from(self.since.ns());
        let per_ns = self.per_ns();
        self.since = now;
        if ns <= 0 || per_ns == 0 {
            return;
        }
        if let Some(spring) = &mut self.spring {
            ns = ns.min(spring.left_ns);
            spring.left_ns -= ns;
        }
        let to = self.hands + ns * per_ns;
        self.hands = self.catch.map_or(to, |catch| to.min(catch));
    }

    /// When the hands reach `position` if nothing changes; `None` if they do not.
    pub(super) fn first_at(&self, position: i128) -> Option<TrueTime> {
        let missing = position - self.hands;
        if missing <= 0 {
            return Some(self.since);
        }
        let per_ns = self.per_ns();
        if per_ns == 0 || self.catch.is_some_and(|catch| catch < position) {
            return None;
        }
        let ns = (missing + per_ns - 1) / per_ns;
        if self.spring.is_some_and(|spring| spring.left_ns < ns) {
            return None;
        }
        i64::try_from(ns).ok().and_then(|ns| self.since.checked_add_ns(ns))
    }

    /// Lets the movement go or stand from now on.
    pub(super) fn set_going(&mut self, going: bool) {
        self.going = going;
    }

    /// Puts the hands somewhere; hands that had caught are free again.
    pub(super) fn set_hands(&mut self, hands: i128) {
        self.hands = hands;
        self.catch = None;
    }

    /// From now on the spring has so much left, and drives the hands slower; a spring spent twice keeps the less.
    pub(super) fn spend(&mut self, slow_ppb: u64, left_ns: i64) {
        let left_ns = self.spring.map_or(i128::from(left_ns), |spring| spring.left_ns.min(left_ns.into()));
        self.spring = Some(Spring { slow_ppb: i128::from(slow_ppb).min(PPB), left_ns });
    }

    /// The minute hand will catch on the hour hand where they meet next: at each eleventh part of the dial.
    pub(super) fn jam(&mut self) {
        let hour = i128::from(self.rate.hz()) * 3_600 * PER_TICK;
        let from_twelve = self.hands + 6 * hour;
        let meeting = (11 * from_twelve).div_euclid(12 * hour) + 1;
        let catch = (meeting * 12 * hour + 10).div_euclid(11) - 6 * hour;
        self.catch = Some(self.catch.map_or(catch, |earlier| earlier.min(catch)));
    }

    /// The hands are free again.
    pub(super) fn free(&mut self) {
        self.catch = None;
    }

    fn per_ns(&self) -> i128 {
        let caught = self.catch.is_some_and(|catch| catch <= self.hands);
        let spent = self.spring.is_some_and(|spring| spring.left_ns == 0);
        if !self.going || caught || spent {
            return 0;
        }
        let slow_ppb = self.spring.map_or(0, |spring| spring.slow_ppb);
        i128::from(self.rate.hz()) * (PPB - slow_ppb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i128 = 1_000_000 * PER_TICK;

    fn at(seconds: i64) -> TrueTime {
        TrueTime::from_ns(seconds * 1_000_000_000)
    }

    fn going(hands: i128) -> Movement {
        let mut movement = Movement::new(TickRate::MHZ, hands);
        movement.set_going(true);
        movement
    }

    #[test]
    fn hands_go_while_the_movement_does() {
        let mut movement = going(-60 * S);
        assert_eq!(movement.first_at(0), Some(at(60)));
        movement.pass(at(25));
        movement.set_going(false);
        assert_eq!(movement.first_at(0), None);
        movement.pass(at(100));
        assert_eq!(movement.hands(), -35 * S);
        movement.set_going(true);
        assert_eq!(movement.first_at(0), Some(at(135)));
    }

    #[test]
    fn a_spent_spring_drives_slower_and_then_not_at_all() {
        let mut movement = going(-100 * S);
        movement.spend(100_000_000, 50_000_000_000);
        assert_eq!(movement.first_at(-91 * S), Some(at(10)));
        assert_eq!(movement.first_at(-55 * S), Some(at(50)));
        assert_eq!(movement.first_at(-55 * S + 1), None);
        movement.pass(at(20));
        movement.set_going(false);
        movement.pass(at(1_000));
        movement.set_going(true);
        movement.pass(at(2_000));
        assert_eq!(movement.hands(), -55 * S);
    }

    #[test]
    fn hands_catch_where_they_meet_and_nowhere_else() {
        // After half past four the minute hand meets the hour hand at 5:27:16.36, and next at 6:32:43.63.
        let mut movement = going(-5_400 * S);
        movement.jam();
        movement.pass(at(5_400));
        let meeting = movement.hands() / PER_TICK;
        assert_eq!(meeting, -1_963_636_363);
        movement.free();
        movement.pass(at(5_401));
        assert!(movement.hands() / PER_TICK > meeting);
        movement.jam();
        movement.pass(at(20_000));
        assert_eq!(movement.hands() / PER_TICK, 1_963_636_363);
    }

    #[test]
    fn setting_the_hands_frees_them() {
        let mut movement = going(-5_400 * S);
        movement.jam();
        movement.set_hands(-5_400 * S);
        assert_eq!(movement.first_at(0), Some(at(5_400)));
    }
}
