//! What of the edges of a plan's contacts a bench can make, and whether the firmware must then see the presses in them
//! that the plan means.
//!
//! A bench closes and opens contacts somewhat later than asked for, and of a press that the plan only names it makes two
//! edges. What a debouncer says must not hang on either.

use flagfall_core::{Side, TrueTime};
use flagfall_trace::plan::{Act, Fault, Plan};

use super::trains::Trains;

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
    /// When the train of the step under way began, and what its edges need.
    armed: Option<(TrueTime, i64)>,
    players: [Contact; 2],
    arbiter: Contact,
}

/// What a bench needs at one contact.
#[derive(Clone, Copy)]
struct Needs {
    /// Between this edge and the one before, which is also how far off each may be.
    step_ns: i64,
    /// Before it lets a button go that it has pressed.
    holds_ns: i64,
    quiet_ns: i64,
}

/// Why a bench whose acts may come `step_ns` late, but for those in trains, cannot move the contacts of this plan.
pub(super) fn obstacle(plan: &Plan, step_ns: u64, trains: &Trains) -> Option<String> {
    let step_ns = i64::try_from(step_ns).unwrap_or(i64::MAX);
    let quiet_ns = ns(plan.device_setup.as_ref().unwrap_or(&plan.setup).debounce_ms);
    let (players, arbiter) = ([Contact::default(); 2], Contact::default());
    let mut contacts = Contacts { step_ns, quiet_ns, armed: None, players, arbiter };
    plan.steps.iter().enumerate().find_map(|(index, step)| {
        let train = trains.with(index).and_then(|train| train.first()).and_then(|first| plan.steps.get(*first));
        contacts.armed = train.map(|first| (first.at, trains.gap_ns()));
        contacts.act(&step.act, step.at)
    })
}

fn ns(debounce_ms: u8) -> i64 {
    i64::from(debounce_ms) * 1_000_000
}

impl Contacts {
    fn act(&mut self, act: &Act, at: TrueTime) -> Option<String> {
        if !act.is_for_the_clock() {
            return None;
        }
        match act {
            Act::Start | Act::Pause { .. } | Act::Resume { .. } => self.arbiter.press(at, self.needs(self.arbiter)),
            Act::Press { side, .. } => {
                let contact = *self.player(*side);
                let needs = self.needs(contact);
                self.player(*side).press(at, needs)
            }
            Act::Contact { side, closes } => {
                let contact = *self.player(*side);
                let needs = self.needs(contact);
                self.player(*side).edge(*closes, at, needs)
            }
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

    /// Two edges of one train are made by the firmware, and as close together as it can.
    fn needs(&self, contact: Contact) -> Needs {
        let (step_ns, quiet_ns) = (self.step_ns, self.quiet_ns);
        let Some((since, gap_ns)) = self.armed else { return Needs { step_ns, holds_ns: step_ns, quiet_ns } };
        let within = contact.last_edge.is_some_and(|last| last >= since);
        Needs { step_ns: if within { gap_ns } else { step_ns }, holds_ns: gap_ns, quiet_ns }
    }

    fn player(&mut self, side: Side) -> &mut Contact {
        &mut self.players[usize::from(side.index())]
    }
}

impl Contact {
    /// A press that the plan does not make of edges, and means to be one.
    fn press(&mut self, at: TrueTime, needs: Needs) -> Option<String> {
        let Needs { step_ns, holds_ns, quiet_ns } = needs;
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
        self.last_edge = at.checked_add_ns(holds_ns);
        None
    }

    /// An edge that the plan makes, a press or not.
    fn edge(&mut self, closes: bool, at: TrueTime, needs: Needs) -> Option<String> {
        let Needs { step_ns, quiet_ns, .. } = needs;
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
        let is_surely = quiet >= quiet_ns.saturating_add(step_ns);
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

#[cfg(test)]
mod tests {
    use flagfall_scenarios::read_str;
    use flagfall_trace::plan::{Hand, Installed, Person, Step, StopReason};

    use super::*;
    use crate::case::Case;

    const STEP_US: i64 = 500;
    const WHITE_PRESSES: Act = Act::Press { side: Side::White, hand: Hand::Unsaid };
    const CLOSES: Act = Act::Contact { side: Side::White, closes: true };
    const OPENS: Act = Act::Contact { side: Side::White, closes: false };

    /// A clock that wants a button to be quiet for 5 ms, with these acts at these microseconds.
    fn plan(acts: &[(i64, Act)]) -> Plan {
        let text = "scenario: a test\npoints: [B5]\ncontrol: 5m\ntimeline:\n  - {at: 0s, start: white}\nexpect:\n  - running: white\n";
        let scenario = read_str("test", "test", text).expect("a scenario");
        let mut plan = Case::prepare(scenario).expect("a case").plan;
        plan.setup.debounce_ms = 5;
        plan.steps =
            acts.iter().map(|(at_us, act)| Step { at: TrueTime::from_ns(at_us * 1_000), act: act.clone() }).collect();
        plan
    }

    fn obstacle_to(acts: &[(i64, Act)]) -> Option<String> {
        obstacle(&plan(acts), STEP_US.unsigned_abs() * 1_000, &Trains::default())
    }

    fn assert_obstacle(acts: &[(i64, Act)], words: &str) {
        let obstacle = obstacle_to(acts).unwrap_or_else(|| panic!("nothing is in the way of {acts:?}"));
        assert!(obstacle.contains(words), "`{obstacle}` does not say `{words}`");
    }

    #[test]
    fn presses_need_the_quiet_time_and_the_benchs_own_between_them() {
        assert_eq!(obstacle_to(&[(0, WHITE_PRESSES), (6_000, WHITE_PRESSES)]), None);
        assert_obstacle(&[(0, WHITE_PRESSES), (5_999, WHITE_PRESSES)], "two presses 5499 us apart");
        let black = Act::Press { side: Side::Black, hand: Hand::Unsaid };
        assert_eq!(obstacle_to(&[(0, WHITE_PRESSES), (0, black)]), None, "each button has a contact of its own");
    }

    #[test]
    fn the_arbiters_button_is_a_contact_too() {
        assert_obstacle(&[(0, Act::Start), (5_000, Act::Start)], "two presses");
        assert_eq!(obstacle_to(&[(0, Act::Start), (6_000, Act::Start)]), None);
        let resume = Act::Resume { by: Person::Arbiter };
        let pause = Act::pause(Person::Arbiter, StopReason::Clock);
        assert_obstacle(&[(0, Act::Start), (9_000, pause.clone()), (14_000, resume.clone())], "two presses");
        assert_obstacle(&[(0, pause), (5_000, Act::Start)], "two presses");
        assert_obstacle(&[(0, resume), (5_000, Act::Start)], "two presses");
    }

    #[test]
    fn a_press_before_the_last_one_is_let_go_is_none_at_all_apart() {
        assert_obstacle(&[(0, WHITE_PRESSES), (100, WHITE_PRESSES)], "two presses 0 us apart");
    }

    #[test]
    fn without_debouncing_no_press_is_too_early() {
        let mut plan = plan(&[(0, WHITE_PRESSES), (1, WHITE_PRESSES)]);
        plan.setup.debounce_ms = 0;
        assert_eq!(obstacle(&plan, 500_000, &Trains::default()), None);
        plan.device_setup = Some(flagfall_core::Setup { debounce_ms: 5, ..plan.setup });
        assert!(obstacle(&plan, 500_000, &Trains::default()).is_some(), "the clock as it is really set decides");
    }

    #[test]
    fn a_button_that_is_held_down_cannot_be_pressed() {
        assert_obstacle(&[(0, CLOSES), (9_000, WHITE_PRESSES)], "held down");
        assert_eq!(obstacle_to(&[(0, CLOSES), (9_000, OPENS), (18_000, WHITE_PRESSES)]), None);
    }

    #[test]
    fn a_lost_press_moves_no_contact_and_hides_no_edge() {
        let lost = Act::Fault(Fault::LostPress { side: Side::White });
        assert_eq!(obstacle_to(&[(0, WHITE_PRESSES), (10, lost.clone()), (20, WHITE_PRESSES)]), None);
        assert_obstacle(
            &[(0, lost.clone()), (10, WHITE_PRESSES), (20, WHITE_PRESSES), (30, WHITE_PRESSES)],
            "two presses",
        );
        assert_obstacle(&[(0, lost.clone()), (10, CLOSES)], "lost among edges");
        let black = Act::Press { side: Side::Black, hand: Hand::Unsaid };
        assert_obstacle(&[(0, lost), (10, black.clone()), (20, black)], "two presses");
    }

    #[test]
    fn an_edge_moves_the_contact_away() {
        assert_obstacle(&[(0, CLOSES), (9_000, CLOSES)], "moves to where it is");
        assert_obstacle(&[(0, OPENS)], "moves to where it is");
    }

    #[test]
    fn edges_need_the_benchs_time_between_them() {
        assert_obstacle(&[(0, CLOSES), (499, OPENS)], "edges 499 us apart");
        assert_eq!(obstacle_to(&[(0, CLOSES), (500, OPENS)]), None);
        let black_closes = Act::Contact { side: Side::Black, closes: true };
        assert_eq!(obstacle_to(&[(0, CLOSES), (100, black_closes)]), None, "each button has a contact of its own");
    }

    #[test]
    fn edges_that_the_firmware_makes_need_its_time_between_them() {
        let obstacle = |acts: &[(i64, Act)], train: &[usize]| {
            obstacle(&plan(acts), 500_000, &Trains::new(vec![train.to_vec()], 100_000))
        };
        let bounce = [(0, CLOSES), (100, OPENS), (200, CLOSES), (7_000, OPENS), (12_100, CLOSES)];
        assert_eq!(obstacle(&bounce, &[0, 1, 2, 3, 4]), None, "and 5.1 ms of quiet are told from 5");
        assert!(obstacle(&bounce, &[0, 1, 2, 3]).is_some(), "the last is made by the bench");
        assert!(obstacle(&bounce, &[1, 2, 3, 4]).is_some(), "the first is");
        assert!(obstacle(&[(0, CLOSES), (99, OPENS)], &[0, 1]).is_some_and(|text| text.contains("99 us apart")));
        let presses = [(0, WHITE_PRESSES), (5_200, WHITE_PRESSES)];
        assert_eq!(obstacle(&presses, &[0, 1]), None, "let go after 0.1 ms, and quiet for 5.1");
        assert!(obstacle(&presses, &[]).is_some());
    }

    #[test]
    fn a_closing_near_the_end_of_the_quiet_time_may_be_a_press_or_none() {
        let opened_for = |quiet_us: i64| [(0, CLOSES), (1_000, OPENS), (1_000 + quiet_us, CLOSES)];
        assert_eq!(obstacle_to(&opened_for(4_500)), None, "no press, however late the bench is");
        assert_obstacle(&opened_for(4_501), "quiet for 4501 us");
        assert_obstacle(&opened_for(5_499), "quiet for 5499 us");
        assert_eq!(obstacle_to(&opened_for(5_500)), None, "a press, however late the bench is");
        assert_eq!(obstacle_to(&[(0, CLOSES), (4_800, OPENS)]), None, "an opening is never a press");
    }

    #[test]
    fn a_bench_lets_a_named_press_go_and_the_plan_does_not_know_when() {
        assert_obstacle(&[(0, WHITE_PRESSES), (3_000, CLOSES)], "a contact quiet for 2500 us");
        assert_eq!(obstacle_to(&[(0, WHITE_PRESSES), (6_000, CLOSES)]), None);
    }

    #[test]
    fn another_setting_starts_the_quiet_time_afresh() {
        let mut other = plan(&[]).setup;
        other.debounce_ms = 20;
        let set_up = (10, Act::SetUp(Installed(Box::new(other))));
        assert_eq!(obstacle_to(&[(0, Act::Start), set_up.clone(), (600, Act::Start)]), None);
        let of_edges = [(0, CLOSES), (1_000, OPENS), (1_100, set_up.1.clone()), (1_700, CLOSES)];
        assert_eq!(obstacle_to(&of_edges), None, "a press for the plan and for the firmware");
        assert_eq!(obstacle_to(&[(0, WHITE_PRESSES), set_up.clone(), (600, WHITE_PRESSES)]), None);
        assert_obstacle(&[(0, WHITE_PRESSES), set_up, (600, WHITE_PRESSES), (9_000, WHITE_PRESSES)], "for 20000 us");
    }
}
