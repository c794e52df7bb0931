//! Faults: when the clock under test begins to misbehave, and how.

use flagfall_core::Side;
use flagfall_trace::{Act, Fault, Step, When};

use super::Timeline;
use crate::diagnostics::{Complaint, Problem};
use crate::dial;
use crate::raw::{RawFault, RawFaultMap, RawLasting, RawTicks, ScalarOr};
use crate::spans::Node;
use crate::time::{rate_ppb, signed_span_ns, span_ns};

impl Timeline<'_, '_> {
    pub(super) fn fault(&mut self, at: When, raw: &RawFault, node: &Node) {
        let fault = match raw {
            // The one word that stands alone.
            ScalarOr::Scalar(_) => Some(Fault::FirstFallenWrong),
            ScalarOr::Long(RawFaultMap { dial: Some(raw), .. }) => {
                dial::fault(self.meaning, raw, node.at("dial")).map(Fault::Dial)
            }
            ScalarOr::Long(raw) => self.fault_of_time(raw, node).or_else(|| self.fault_of_play(raw, node)),
        };
        if let Some(fault) = fault {
            self.add(at, Act::Fault(fault));
        }
    }

    /// A fault of the time base or of what runs on it.
    fn fault_of_time(&mut self, raw: &RawFaultMap, node: &Node) -> Option<Fault> {
        if let Some(stuck) = &raw.stuck {
            Some(Fault::Stuck { for_ns: self.lasting(stuck, node.at("stuck")) })
        } else if let Some(jump) = &raw.jump {
            let place = node.at("jump").at("by");
            let by_ns = self.meaning.take(place, signed_span_ns(&jump.by)).unwrap_or(1);
            self.changes_something(by_ns, place);
            Some(Fault::Jump { by_ns })
        } else if let Some(rate) = &raw.rate {
            let place = node.at("rate");
            let ppb = self.meaning.take(place.at("offset"), rate_ppb(&rate.offset)).unwrap_or(1);
            self.changes_something(ppb, place.at("offset"));
            Some(Fault::Rate { ppb, for_ns: self.some_time(&rate.duration, place.at("for")) })
        } else if let Some(ticks) = &raw.ticks {
            Some(self.ticks(ticks, node.at("ticks")))
        } else if let Some(both_run) = &raw.both_run {
            Some(Fault::BothRun { for_ns: self.lasting(both_run, node.at("both-run")) })
        } else if let Some(none_runs) = &raw.none_runs {
            Some(Fault::NoneRuns { for_ns: self.lasting(none_runs, node.at("none-runs")) })
        } else {
            let reset = raw.reset.as_ref()?;
            let off_ns = self.some_time(&reset.off, node.at("reset").at("off"));
            Some(Fault::Reset { off_ns, retained: reset.retained })
        }
    }

    /// A fault of presses, bonuses, flags or displays.
    fn fault_of_play(&mut self, raw: &RawFaultMap, node: &Node) -> Option<Fault> {
        let of_side = [
            raw.lost_press.map(|side| Fault::LostPress { side }),
            raw.double_press.map(|side| Fault::DoublePress { side }),
            raw.lost_bonus.map(|side| Fault::LostBonus { side }),
            raw.double_bonus.map(|side| Fault::DoubleBonus { side }),
            raw.flag_sticky.map(|side| Fault::FlagSticky { side }),
        ];
        if let Some(fault) = of_side.into_iter().flatten().next() {
            Some(fault)
        } else if let Some(rounding) = &raw.rounding {
            Some(Fault::RoundingAtSwitch { to_ns: self.some_time(&rounding.to, node.at("rounding").at("to")) })
        } else if let Some(early) = &raw.flag_early {
            let by_ns = self.some_time(&early.by, node.at("flag-early").at("by"));
            Some(Fault::FlagEarly { side: early.side, by_ns })
        } else if let Some(late) = &raw.flag_late {
            let by_ns = self.some_time(&late.by, node.at("flag-late").at("by"));
            Some(Fault::FlagLate { side: late.side, by_ns })
        } else if let Some(frozen) = &raw.display_frozen {
            Some(Fault::DisplayFrozen { for_ns: self.lasting(frozen, node.at("display-frozen")) })
        } else {
            let late = raw.display_late.as_ref()?;
            let place = node.at("display-late");
            let by_ns = self.some_time(&late.by, place.at("by"));
            Some(Fault::DisplayLate { by_ns, for_ns: self.some_time(&late.duration, place.at("for")) })
        }
    }

    fn ticks(&mut self, raw: &RawTicks, node: &Node) -> Fault {
        let (ticks, place) = match (raw.lost, raw.doubled) {
            (Some(lost), _) => (-i64::from(lost), node.at("lost")),
            (None, doubled) => (i64::from(doubled.unwrap_or(0)), node.at("doubled")),
        };
        self.changes_something(ticks, place);
        let every_ns = self.some_time(&raw.every, node.at("every"));
        let for_ns = self.some_time(&raw.duration, node.at("for"));
        if every_ns > for_ns {
            let complaint = Complaint::new("this fault ends before its first ticks");
            self.meaning.complain(node.at("every"), complaint.help("make `for` longer, or `every` shorter"));
        }
        Fault::Ticks { ticks, every_ns, for_ns }
    }

    /// How long a fault lasts that has nothing else to say.
    fn lasting(&mut self, raw: &RawLasting, node: &Node) -> i64 {
        self.some_time(&raw.duration, node.at("for"))
    }

    /// A span that is not zero.
    fn some_time(&mut self, text: &str, node: &Node) -> i64 {
        let ns = self.meaning.take(node, span_ns(text)).unwrap_or(1);
        if ns == 0 {
            self.meaning.complain(node, Complaint::new("a fault needs more than no time at all"));
        }
        ns
    }

    /// A fault that changes the time by nothing is none.
    fn changes_something(&mut self, amount: i64, node: &Node) {
        if amount == 0 {
            let complaint = Complaint::new("this fault changes nothing").help("write another value than zero");
            self.meaning.complain(node, complaint);
        }
    }

    /// Every press that is to be lost or doubled is made; after another problem the presses are not all there.
    pub(super) fn presses_of_faults(&mut self) {
        if !self.meaning.is_right() {
            return;
        }
        for (index, step) in self.steps.iter().enumerate() {
            let (side, fate) = match step.act {
                Act::Fault(Fault::LostPress { side }) => (side, "lost"),
                Act::Fault(Fault::DoublePress { side }) => (side, "doubled"),
                _ => continue,
            };
            if !self.steps[index + 1..].iter().any(|later| presses(later, side)) {
                let complaint =
                    Complaint::new(format!("a press of {side} is to be {fate} here, and none comes after it"))
                        .help("add the press, or leave the fault out");
                self.meaning.add(Problem::at(self.places[index].bytes.clone(), complaint));
            }
        }
    }
}

fn presses(step: &Step<When>, wanted: Side) -> bool {
    match step.act {
        Act::Press { side, .. } | Act::Contact { side, closes: true } => side == wanted,
        _ => false,
    }
}
