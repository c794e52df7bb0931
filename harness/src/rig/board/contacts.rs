//! What of the edges of a plan's contacts a bench can make, and whether the firmware must then see the presses in them
//! that the plan means.
//!
//! A bench closes and opens contacts somewhat later than asked for, and of a press that the plan only names it makes two
//! edges. What a debouncer says must not hang on either.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::plan::{Act, Fault, Plan};

/// A button and what has been done to it.
#[derive(Clone, Copy, Default)]
struct Contact {
    closed: bool,
    /// When it moved last, as asked for; with what a bench does to it after a press.
    last_edge: Option<TrueTime>,
    /// When a step of the plan moved it last: that is all that the plan's own debouncer knows.
    last_step: Option<TrueTime>,
    /// Presses still to be lost.
    lost: u32,
}

struct Contacts {
    step_ns: i64,
    quiet_ns: i64,
    players: [Contact; 2],
    arbiter: Contact,
}

/// Why a bench whose acts may come `step_ns` late cannot move the contacts of this plan.
pub(super) fn obstacle(plan: &Plan, step_ns: u64) -> Option<String> {
    let step_ns = i64::try_from(step_ns).unwrap_or(i64::MAX);
    let quiet_ns = ns(plan.device_setup.as_ref().unwrap_or(&plan.setup).debounce_ms);
    let mut contacts = Contacts { step_ns, quiet_ns, players: [Contact::default(); 2], arbiter: Contact::default() };
    plan.steps.iter().find_map(|step| contacts.act(&step.act, step.at))
}

fn ns(debounce_ms: u8) -> i64 {
    i64::from(debounce_ms) * 1_000_000
}

impl Contacts {
    fn act(&mut self, act: &Act, at: TrueTime) -> Option<String> {
        let (step_ns, quiet_ns) = (self.step_ns, self.quiet_ns);
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.arbiter.press(at, step_ns, quiet_ns),
            Act::Press { side, .. } => self.player(*side).press(at, step_ns, quiet_ns),
            Act::Contact { side, closes } => self.player(*side).edge(*closes, at, step_ns, quiet_ns),
            Act::Fault(Fault::LostPress { side }) => {
                self.player(*side).lost += 1;
                None
            }
            Act::SetUp(installed) => {
                self.quiet_ns = ns(installed.0.debounce_ms);
                for contact in self.players.iter_mut().chain([&mut self.arbiter]) {
                    (contact.last_edge, contact.last_step) = (None, None);
                }
                None
            }
            _ => None,
        }
    }

    fn player(&mut self, side: Side) -> &mut Contact {
        &mut self.players[usize::from(side.index())]
    }
}

impl Contact {
    /// A press that the plan does not make of edges, and means to be one.
    fn press(&mut self, at: TrueTime, step_ns: i64, quiet_ns: i64) -> Option<String> {
        if self.lost > 0 {
            self.lost -= 1;
            return None;
        }
        if self.closed {
            return Some("a press of a button that is held down: its contact is closed".into());
        }
        let quiet = since(self.last_edge, at);
        if quiet_ns > 0 && quiet < quiet_ns.saturating_add(step_ns) {
            let (quiet, wanted) = (in_us(quiet), in_us(quiet_ns));
            return Some(format!("two presses {quiet} apart: this clock wants a button to be quiet for {wanted}"));
        }
        // Let go as soon as the clock has written of the press.
        self.last_edge = at.checked_add_ns(step_ns);
        None
    }

    /// An edge that the plan makes, a press or not.
    fn edge(&mut self, closes: bool, at: TrueTime, step_ns: i64, quiet_ns: i64) -> Option<String> {
        if self.lost > 0 {
            return Some("a press that is lost among edges: this bench cannot tell which edge that is".into());
        }
        let (quiet, planned) = (since(self.last_edge, at), since(self.last_step, at));
        let was_closed = std::mem::replace(&mut self.closed, closes);
        (self.last_edge, self.last_step) = (Some(at), Some(at));
        if was_closed == closes {
            return Some("a contact that moves to where it is: a bench can only move it away".into());
        }
        if quiet < step_ns {
            let (quiet, needs) = (in_us(quiet), in_us(step_ns));
            return Some(format!("edges {quiet} apart: this bench needs {needs}"));
        }
        let is_a_press = planned >= quiet_ns;
        let is_surely = quiet_ns == 0 || quiet >= quiet_ns.saturating_add(step_ns);
        let is_surely_none = quiet.saturating_add(step_ns) <= quiet_ns;
        if closes && !(if is_a_press { is_surely } else { is_surely_none }) {
            let (quiet, wanted, needs) = (in_us(quiet), in_us(quiet_ns), in_us(step_ns));
            return Some(format!("a contact quiet for {quiet}: this bench tells {wanted} from it only {needs} apart"));
        }
        None
    }
}

/// For how long a contact has been quiet.
fn since(last: Option<TrueTime>, at: TrueTime) -> i64 {
    last.map_or(i64::MAX, |last| at.ns().saturating_sub(last.ns()).max(0))
}

fn in_us(ns: i64) -> String {
    format!("{} us", ns / 1_000)
}
