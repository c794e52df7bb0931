//! Facts of a clock that writes nothing: what a bench saw in its memory before and after each act.

use flagfall_core::{Side, TrueTime};

use super::{Assembly, Fact, What};

impl Assembly<'_> {
    /// An act on a clock that has shown by `done_by` what it made of it.
    pub(super) fn watched(&mut self, mut fact: Fact, done_by: TrueTime) {
        self.pass_until(fact.at);
        let ran = self.seen_running();
        self.pass_until(done_by);
        if let What::Pressed { side, taken, .. } = &mut fact.what {
            *taken = ran != Some(*side) || self.seen_running() != Some(*side);
        }
        self.push(fact);
    }

    /// The flags that the look just passed was the first to see down.
    pub(super) fn seen_to_fall(&mut self) {
        let looks = &self.trace.records[..self.next];
        let [.., look] = looks else { return };
        let before = looks.len().checked_sub(2).map(|index| looks[index].record.fallen);
        for side in Side::ALL {
            if look.record.fallen[side] && !before.is_some_and(|before| before[side]) {
                let at = look.true_time;
                self.push(Fact { at, planned: at, bound_ns: 0, what: What::FlagFell(side), face: None });
            }
        }
    }

    fn pass_until(&mut self, at: TrueTime) {
        while self.trace.records.get(self.next).is_some_and(|look| look.true_time <= at) {
            self.pass();
        }
    }

    fn seen_running(&self) -> Option<Side> {
        let last = self.next.checked_sub(1)?;
        self.trace.records[last].record.running()
    }
}
