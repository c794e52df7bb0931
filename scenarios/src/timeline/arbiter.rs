//! What the arbiter sets: times, counters, periods, colours, a whole setting.

use flagfall_core::{BySide, Side};
use flagfall_trace::plan::Installed;
use flagfall_trace::{Act, When};

use super::{Timeline, after};
use crate::expect::period_index;
use crate::raw::{RawInstalled, RawSet};
use crate::setup::{self, settable_ms};
use crate::spans::Node;

impl Timeline<'_, '_> {
    /// A correction, one act for each value: times, then counters, then periods, which follow a counter.
    pub(super) fn set(&mut self, at: When, raw: &RawSet, node: &Node) {
        let mut acts = Vec::new();
        for (side, span) in raw.left.iter().flat_map(|left| left.iter()) {
            let left_ms = self.meaning.take(node.at("left").at(side.name()), settable_ms(span)).unwrap_or(0);
            acts.push(Act::SetTime { side, left_ms });
        }
        for (side, moves) in raw.moves.iter().flat_map(|moves| moves.iter()) {
            acts.push(Act::SetCounter { side, moves: *moves });
        }
        for (side, number) in raw.period.iter().flat_map(|period| period.iter()) {
            let place = node.at("period").at(side.name());
            let period = self.meaning.take(place, period_index(*number, self.periods[side])).unwrap_or(0);
            acts.push(Act::SetPeriod { side, period });
        }
        for (index, act) in acts.into_iter().enumerate() {
            self.add(if index == 0 { at } else { after(0) }, act);
        }
    }

    /// The controls change sides as well, and may come back with an undo.
    pub(super) fn swap(&mut self, at: When) {
        self.periods = BySide::both(self.periods.white.max(self.periods.black));
        self.add(at, Act::Swap);
    }

    /// Another setting; which side it sets running first is said by the start that follows.
    pub(super) fn set_up(&mut self, at: When, raw: &RawInstalled, node: &Node) {
        let Some(setup) = setup::installed(self.meaning, raw, node) else { return };
        self.periods = BySide::new(setup.control.white.periods().len(), setup.control.black.periods().len());
        self.add(at, Act::SetUp(Installed(Box::new(setup))));
    }

    /// Tells the setting that is installed and not yet started which side runs first.
    pub(super) fn starts_what_is_set_up(&mut self, side: Side) {
        for step in self.steps.iter_mut().rev() {
            match &mut step.act {
                Act::Start => return,
                Act::SetUp(Installed(setup)) => {
                    setup.first = side;
                    return;
                }
                _ => {}
            }
        }
    }
}
