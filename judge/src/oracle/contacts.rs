//! What the acts of a plan do to a clock: most of them one thing, the edges of a contact sometimes a press.
//!
//! A closing is a press if that contact had no edge in the quiet time before it. This is reckoned from the plan alone,
//! in ticks of an exact clock. Where the quiet time ends so near to a closing that the time base of a right clock may put
//! it on either side, what the clock says is right.

use flagfall_core::record::Kind;
use flagfall_core::{BySide, Setup, Side, TickRate};
use flagfall_trace::plan::Act;

use super::bound::Limits;
use super::reckoning::Deed;

/// What record is to be expected of an act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// None.
    Nothing,
    /// This one.
    Surely(Kind, Option<Side>),
    /// This one or none: the clock's time base decides.
    Perhaps(Kind, Option<Side>),
}

/// The contacts of both buttons, as the acts so far have moved them.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    rate: TickRate,
    quiet_ticks: u64,
    last_edge: BySide<Option<u64>>,
}

impl Contacts {
    pub(super) fn new(setup: &Setup, rate: TickRate) -> Self {
        let quiet_ticks = rate.ticks_from_ms(u64::from(setup.debounce_ms));
        Self { rate, quiet_ticks, last_edge: BySide::both(None) }
    }

    /// What an act at `tick` does to the clock, if anything.
    pub(super) fn deed<'a>(&mut self, act: &'a Act, tick: u64) -> Option<Deed<'a>> {
        if !act.is_for_the_clock() {
            return None;
        }
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => Some(Deed::ArbiterButton),
            Act::Press { side, .. } => Some(Deed::Press(*side)),
            Act::Contact { side, closes } => self.edge(*side, *closes, tick).then_some(Deed::Press(*side)),
            Act::SetTime { side, left_ms } => Some(Deed::SetTime(*side, self.rate.ticks_from_ms(*left_ms))),
            Act::SetCounter { side, moves } => Some(Deed::SetCounter(*side, *moves)),
            Act::SetPeriod { side, period } => Some(Deed::SetPeriod(*side, *period)),
            Act::Swap => Some(Deed::Swap),
            Act::Undo => Some(Deed::Undo),
            Act::SetUp(installed) => {
                *self = Self::new(&installed.0, self.rate);
                Some(Deed::SetUp(&installed.0))
            }
            Act::Battery { low } => Some(Deed::Battery(*low)),
            Act::Read => Some(Deed::Read),
            _ => None,
        }
    }

    /// The record that a right clock writes first when this is done to it at `tick`, and whose.
    pub(super) fn leaves(&mut self, act: &Act, tick: u64, limits: &Limits) -> Leaves {
        let unclear = match act {
            Act::Contact { side, closes } => *closes && self.is_unclear(*side, tick, limits),
            _ => false,
        };
        match (act, self.deed(act, tick)) {
            (Act::Contact { side, .. }, _) if unclear => Leaves::Perhaps(Kind::PRESSED, Some(*side)),
            (Act::Contact { side, .. }, Some(_)) => Leaves::Surely(Kind::PRESSED, Some(*side)),
            _ => act.leaves().map_or(Leaves::Nothing, |(kind, side)| Leaves::Surely(kind, side)),
        }
    }

    /// Whether the quiet before this edge is so near to what is needed that a right clock may count it either way.
    fn is_unclear(&self, side: Side, tick: u64, limits: &Limits) -> bool {
        let Some(before) = self.last_edge[side] else { return false };
        let quiet = tick.saturating_sub(before);
        let slack = limits.bound(quiet.into()).ticks();
        self.quiet_ticks > 0 && slack > 0 && quiet.abs_diff(self.quiet_ticks) <= slack
    }

    fn edge(&mut self, side: Side, closes: bool, tick: u64) -> bool {
        let before = self.last_edge[side].replace(tick);
        closes && before.is_none_or(|before| before + self.quiet_ticks <= tick)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flagfall_core::{Bonus, Period, TimeControl};

    #[test]
    fn a_press_needs_a_quiet_contact() {
        let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
        let setup = Setup { debounce_ms: 20, ..Setup::new(control) };
        let mut contacts = Contacts::new(&setup, TickRate::MHZ);
        let mut press = |closes, tick| contacts.deed(&Act::Contact { side: Side::White, closes }, tick).is_some();
        assert!(press(true, 100), "the first closing");
        assert!(!press(false, 200) && !press(true, 300), "its bounce");
        assert!(!press(true, 20_299), "a microsecond too soon after an edge");
        assert!(!press(false, 20_400) && press(true, 40_400), "quiet for long enough");
        let mut other = |closes, tick| contacts.deed(&Act::Contact { side: Side::Black, closes }, tick).is_some();
        assert!(other(true, 40_400), "each button for itself");
    }
}
