//! Who was charged how much, and how long he was really on move.

use std::collections::BTreeSet;

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, Phase, Side};
use flagfall_trace::{Stamped, Trace};

use super::hall::Hall;
use crate::statistics::Read;

const NS_PER_S: i128 = 1_000_000_000;

/// The account of a game, up to the first flag, correction or other end of plain reckoning.
#[derive(Clone, Debug)]
pub struct Account {
    /// Each side's part.
    pub sides: BySide<SideAccount>,
    /// True time from the first record to the last that counts, in nanoseconds.
    pub duration_ns: i64,
    /// How often the move passed from one side to the other.
    pub switches: usize,
    /// The errors after each time that the move passed, in order.
    pub moves: Vec<AfterMove>,
    hz: i128,
    pub(crate) tick_ns: f64,
    pub(crate) reads: Vec<Read>,
    pub(super) stretches: Vec<Stretch>,
}

/// One side of an account, in nanoseconds.
///
/// `charged - on_move = time_base + reckoning + latency`, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideAccount {
    /// What the device took off the side's time, delays included.
    pub charged_ns: i128,
    /// True time in which the side was on move.
    pub on_move_ns: i128,
    /// How far `on_move_ns` may be off, because the bench knows instants only so well.
    pub uncertainty_ns: i128,
    /// What the device's time gained on true time while it let the side run.
    pub time_base_ns: i128,
    /// What was charged besides the device's own time: rounding, or a side that ran out of turn.
    pub reckoning_ns: i128,
    /// How much longer the device let the side run than the hall did: presses that were noticed late, or not.
    pub latency_ns: i128,
}

/// What had been charged too much by the instant in which the move passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AfterMove {
    /// True time in nanoseconds.
    pub at_ns: i64,
    /// Of each side, in nanoseconds.
    pub error_ns: BySide<i128>,
}

impl AfterMove {
    /// What both sides were charged too much together, in nanoseconds.
    #[must_use]
    pub fn sum_ns(&self) -> i128 {
        self.error_ns[Side::White] + self.error_ns[Side::Black]
    }

    /// Half of what White was charged too much more than Black, in nanoseconds.
    #[must_use]
    pub fn difference_ns(&self) -> f64 {
        (self.error_ns[Side::White] - self.error_ns[Side::Black]) as f64 / 2.0
    }
}

/// A game of which there is no such account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAccount {
    /// A clock with hands: its dials are read, and charge nobody to the tick.
    #[error("an analogue clock has no account in ticks")]
    Dial,
    /// A control in which a side's time goes up as well: look at the oracle's verdict instead.
    #[error("a control that counts up or hands time over has no account of what was charged")]
    CountsUp,
    /// A firmware that is only watched: the bench looks into its memory, and nothing in it is dated.
    #[error("not measured: a firmware that is only watched stamps nothing")]
    Watched,
    /// Fewer than two records while a side ran: play longer.
    #[error("no side ran between any two records")]
    NeverRan,
    /// A contact closed when a right clock may or may not call that a press: let it rest for longer, or for less long.
    #[error(
        "not told who was on move: a contact closed so near to the end of its quiet time that it may be a press or none"
    )]
    Unclear,
}

/// What happened from one record to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// Who ran, if anybody did.
    pub(super) running: Option<Side>,
    /// Device time that passed, in ticks; negative where it went back.
    pub(super) ticks: i128,
    /// What each side was charged beyond the device's own time, in ticks.
    pub(super) beyond: BySide<i128>,
    /// Who stopped with the record at its end, and what that side has left, in ticks.
    pub(super) stopped: Option<(Side, u64)>,
}

impl Account {
    /// The account of a trace.
    ///
    /// # Errors
    /// [`NoAccount`] when the control or the clock has none.
    pub fn of(trace: &Trace) -> Result<Self, NoAccount> {
        if trace.watched {
            return Err(NoAccount::Watched);
        }
        if !trace.plan.clock_kind.is_digital() {
            return Err(NoAccount::Dial);
        }
        let controls = trace.plan.setup.control.iter();
        let mut periods = controls.flat_map(|(_, control)| control.periods());
        if periods.any(|period| matches!(period.bonus, Bonus::Hourglass | Bonus::CountUp)) {
            return Err(NoAccount::CountsUp);
        }
        let counted = trace.records.iter().take_while(|stamped| is_plain(stamped)).count();
        let records = &trace.records[..counted];
        let (Some(first), Some(last)) = (records.first(), records.last()) else { return Err(NoAccount::NeverRan) };
        let stretches: Vec<Stretch> = records.windows(2).map(|pair| Stretch::between(&pair[0], &pair[1])).collect();
        if stretches.iter().all(|stretch| stretch.running.is_none()) {
            return Err(NoAccount::NeverRan);
        }
        let hz = i128::from(trace.plan.tick_rate.hz());
        let ns = |ticks: i128| (ticks * NS_PER_S).div_euclid(hz);
        let mut hall = Hall::of(trace);
        let mut in_ticks = BySide::both([0_i128; 2]);
        let mut let_run = BySide::both(0_i128);
        let mut moves = Vec::new();
        for (stretch, pair) in stretches.iter().zip(records.windows(2)) {
            for side in Side::ALL {
                let own = if stretch.running == Some(side) { stretch.ticks } else { 0 };
                in_ticks[side][0] += own;
                in_ticks[side][1] += stretch.beyond[side];
                if stretch.running == Some(side) {
                    let_run[side] += i128::from(pair[1].true_time.ns()) - i128::from(pair[0].true_time.ns());
                }
            }
            if stretch.stopped.is_some() {
                let at_ns = pair[1].true_time.ns();
                let on_move = hall.until(at_ns).on_move_ns();
                let error_ns = BySide::from_fn(|side| ns(in_ticks[side].iter().sum()) - on_move[side]);
                moves.push(AfterMove { at_ns, error_ns });
            }
        }
        let hall = hall.until(last.true_time.ns());
        if hall.is_unclear {
            return Err(NoAccount::Unclear);
        }
        let (on_move_ns, uncertainty_ns) = (hall.on_move_ns(), hall.uncertainty_ns());
        let sides = BySide::from_fn(|side| {
            let [own, beyond] = in_ticks[side];
            let charged_ns = ns(own + beyond);
            let reckoning_ns = charged_ns - ns(own);
            SideAccount {
                charged_ns,
                on_move_ns: on_move_ns[side],
                uncertainty_ns: uncertainty_ns[side],
                time_base_ns: ns(own) - let_run[side],
                reckoning_ns,
                latency_ns: let_run[side] - on_move_ns[side],
            }
        });
        Ok(Self {
            sides,
            duration_ns: last.true_time.ns().saturating_sub(first.true_time.ns()),
            switches: records.iter().filter(|stamped| stamped.record.kind == Kind::SWITCHED).count(),
            moves,
            hz,
            tick_ns: 1e9 / trace.plan.tick_rate.hz() as f64,
            reads: reads(trace, records),
            stretches,
        })
    }

    /// What each turn was charged beyond the time that the device counted meanwhile, in nanoseconds, rounded down; above
    /// zero too much. A turn ends with a switch.
    #[must_use]
    pub fn turns_beyond_ns(&self) -> Vec<i64> {
        let mut turns = Vec::new();
        let mut beyond = 0_i128;
        for stretch in &self.stretches {
            beyond += stretch.beyond.white + stretch.beyond.black;
            if stretch.stopped.is_some() {
                let ns = (beyond * NS_PER_S).div_euclid(self.hz);
                turns.push(i64::try_from(ns).unwrap_or(i64::MAX));
                beyond = 0;
            }
        }
        turns
    }

    /// What was charged to a side too much, in nanoseconds.
    #[must_use]
    pub fn error_ns(&self, side: Side) -> i128 {
        self.sides[side].charged_ns - self.sides[side].on_move_ns
    }

    /// The error of the time base: what was charged to both too much, in nanoseconds. Who is on move makes no difference
    /// to it.
    #[must_use]
    pub fn sum_ns(&self) -> i128 {
        self.error_ns(Side::White) + self.error_ns(Side::Black)
    }

    /// The unfairness: half of what White was charged too much more than Black, in nanoseconds.
    #[must_use]
    pub fn difference_ns(&self) -> f64 {
        (self.error_ns(Side::White) - self.error_ns(Side::Black)) as f64 / 2.0
    }
}

/// Whether what the record shows follows from time, presses and bonuses alone.
const fn is_plain(stamped: &Stamped) -> bool {
    matches!(
        stamped.record.kind,
        Kind::PRESSED
            | Kind::ARBITER_PRESSED
            | Kind::STARTED
            | Kind::SWITCHED
            | Kind::CREDITED
            | Kind::PAUSED
            | Kind::RESUMED
            | Kind::IGNORED
            | Kind::READ
            | Kind::COUNTED
            | Kind::BATTERY
            | Kind::WENT_BACK
    )
}

impl Stretch {
    fn between(from: &Stamped, to: &Stamped) -> Self {
        let (before, after) = (&from.record, &to.record);
        let running = match before.phase {
            Phase::Running(side) => Some(side),
            _ => None,
        };
        let ticks = i128::from(after.at.ticks()) - i128::from(before.at.ticks());
        let beyond = BySide::from_fn(|side| {
            let mut charged = i128::from(before.remaining_ticks[side]) - i128::from(after.remaining_ticks[side]);
            if after.kind == Kind::CREDITED && after.side == Some(side) {
                charged += i128::from(after.value);
            }
            if running != Some(side) {
                return charged;
            }
            // A delay that passes is time on move; one that a switch ends or begins is not.
            if after.phase == before.phase && !after.kind.is_consequence() {
                charged += i128::from(before.delay_ticks) - i128::from(after.delay_ticks);
            }
            charged - ticks
        });
        let stopped = match (after.kind, after.side) {
            (Kind::SWITCHED, Some(side)) => Some((side.other(), after.remaining_ticks[side.other()])),
            _ => None,
        };
        Self { running, ticks, beyond, stopped }
    }
}

/// The records as readings of the device's counter; what the clock dates back says nothing of the time base.
fn reads(trace: &Trace, records: &[Stamped]) -> Vec<Read> {
    let hz = i128::from(trace.plan.tick_rate.hz());
    let step = i128::from(trace.plan.oscillator.quantum_ticks.get());
    let mut reads: Vec<Read> = Vec::new();
    let mut ended = i64::MIN;
    // A step that the clock dates before its last one is held there, and so is all that follows from it.
    let held: BTreeSet<i64> = records
        .iter()
        .filter(|stamped| stamped.record.kind == Kind::WENT_BACK)
        .map(|stamped| stamped.true_time.ns())
        .collect();
    for stamped in records {
        let uncertainty = i64::try_from(stamped.uncertainty_ns).unwrap_or(i64::MAX);
        let before = stamped.true_time.ns().saturating_sub(uncertainty);
        let after = stamped.true_time.ns().saturating_add(uncertainty);
        if before <= ended || held.contains(&stamped.true_time.ns()) {
            continue;
        }
        let ticks = trace.ticks_into_run(&stamped.record);
        let low = (ticks * NS_PER_S).div_euclid(hz);
        let high = -(-(ticks + step) * NS_PER_S).div_euclid(hz);
        let (Ok(low), Ok(high)) = (i64::try_from(low), i64::try_from(high)) else { continue };
        if let Ok(read) = Read::new(before, after, low, high) {
            reads.push(read);
            ended = after;
        }
    }
    reads
}

#[cfg(test)]
mod tests {
    use flagfall_trace::plan::{Act, Fault, Plan, Step};

    use super::*;
    use crate::bench::{self, Bench};
    use crate::game::{Budget, Course};

    /// Ten moves of each side, ten seconds each.
    fn game() -> Plan {
        let base = bench::whole(600_000, Bonus::Increment { ms: 2_000 });
        let mut plan = bench::plan("account/game", &[base], bench::ms(201_000));
        bench::game(&mut plan, 10, |_| 10_000);
        plan
    }

    fn account(bench: Bench, plan: &Plan) -> Account {
        Account::of(&bench.run(plan)).expect("a game with an account")
    }

    #[test]
    fn an_exact_clock_owes_nobody_anything() {
        let account = account(Bench::EXACT, &game());
        assert_eq!((account.sum_ns(), account.difference_ns()), (0, 0.0));
        assert_eq!(account.sides[Side::White].on_move_ns, 100_000_000_000);
        assert_eq!((account.switches, account.duration_ns), (20, 200_000_000_000));
    }

    #[test]
    fn a_fast_clock_charges_both_and_is_fair() {
        let account = account(Bench { ppb: 20_000_000, zero_ticks: 77, ..Bench::EXACT }, &game());
        // 2 % of 200 s, to a tick or two.
        assert!((account.sum_ns() - 4_000_000_000).abs() <= 2_000, "{}", account.sum_ns());
        assert!(account.difference_ns().abs() <= 1_000.0, "{}", account.difference_ns());
        let white = account.sides[Side::White];
        let budget = Budget::of(&account, &white, &Course::of(&account.reads));
        assert!((budget.offset_ns - 2e9).abs() < 1e4, "{budget:?}");
        assert!((budget.total_ns() - account.error_ns(Side::White) as f64).abs() < 1.0, "{budget:?}");
        assert!(budget.unexplained_ns.abs() < 1e4, "{budget:?}");
        assert_eq!((budget.rounding_ns, budget.temperature_ns), (0.0, 0.0));
    }

    #[test]
    fn a_late_button_moves_time_from_one_side_to_the_other() {
        let even = account(Bench { latency_ns: |_| 10_000_000, ..Bench::EXACT }, &game());
        assert_eq!((even.sum_ns(), even.difference_ns()), (0, 0.0), "what is late for both cancels");
        let one_sided = Bench { latency_ns: |n| if n % 2 == 1 { 10_000_000 } else { 0 }, ..Bench::EXACT };
        let white_late = account(one_sided, &game());
        assert_eq!((white_late.sum_ns(), white_late.difference_ns()), (0, 100_000_000.0));
        assert_eq!(white_late.sides[Side::White].latency_ns, 100_000_000);
        let unfair: Vec<f64> = white_late.moves.iter().map(AfterMove::difference_ns).collect();
        assert_eq!(unfair.len(), 20);
        assert_eq!(unfair[..4], [10e6, 10e6, 20e6, 20e6], "White pays with each move of his own");
        assert!(white_late.moves.iter().all(|after| after.sum_ns() == 0));
    }

    #[test]
    fn an_account_ends_where_a_correction_begins() {
        let mut plan = game();
        plan.steps.insert(5, Step { at: bench::ms(45_000), act: Act::SetTime { side: Side::White, left_ms: 1_000 } });
        assert_eq!(account(Bench::EXACT, &plan).duration_ns, 40_000_000_000);
    }

    #[test]
    fn a_press_that_is_lost_is_a_latency() {
        let mut plan = game();
        plan.steps.insert(2, Step { at: bench::ms(15_000), act: Act::Fault(Fault::LostPress { side: Side::Black }) });
        let account = account(Bench::EXACT, &plan);
        assert!(account.difference_ns().abs() > 1e9, "{}", account.difference_ns());
        assert_eq!(account.sum_ns(), 0);
    }

    /// One move of each side, with the edges of White's contact at these microseconds after his press.
    fn bounced(edges_us: &[(i64, bool)]) -> Plan {
        let base = bench::whole(60_000, Bonus::None);
        let mut plan = bench::plan("account/bounced", &[base], bench::ms(6_000));
        plan.setup.debounce_ms = 20;
        let edge = |us, closes| Step {
            at: flagfall_core::TrueTime::from_ns(2_000_000_000 + us * 1_000),
            act: Act::Contact { side: Side::White, closes },
        };
        plan.steps.push(Step { at: bench::ms(0), act: Act::Start });
        plan.steps.extend(edges_us.iter().map(|(us, closes)| edge(*us, *closes)));
        plan.steps.push(Step { at: bench::ms(5_000), act: bench::press(Side::Black) });
        plan.steps.push(Step { at: bench::ms(6_000), act: Act::Read });
        plan
    }

    #[test]
    fn a_bouncing_contact_is_one_press_of_the_hall() {
        let account = account(Bench::EXACT, &bounced(&[(0, true), (900, false), (1_400, true), (60_000, false)]));
        assert_eq!((account.sum_ns(), account.difference_ns(), account.switches), (0, 0.0, 2));
        assert_eq!(account.sides.map(|side| side.on_move_ns), BySide { white: 3_000_000_000, black: 3_000_000_000 });
    }

    #[test]
    fn a_closing_that_may_be_a_press_or_none_has_no_account() {
        // Let go while nothing ran is an edge as well; 20 ms later the contact closes in earnest.
        let edges = |rest_us: i64| bounced(&[(-rest_us, false), (0, true)]);
        let wide = Bench { bracket_ns: 400_000, ..Bench::EXACT };
        assert_eq!(
            Account::of(&wide.run(&edges(20_300))).err(),
            Some(NoAccount::Unclear),
            "0.4 ms is all that is known"
        );
        assert_eq!(account(wide, &edges(21_000)).difference_ns(), 0.0);
        assert_eq!(account(Bench::EXACT, &edges(20_000)).difference_ns(), 0.0, "in virtual time nothing is unclear");
    }

    #[test]
    fn clocks_without_an_account_say_so() {
        let mut plan = game();
        plan.setup = flagfall_core::Setup::new(
            flagfall_core::TimeControl::new(&[bench::whole(600_000, Bonus::Hourglass)]).expect("a control"),
        );
        assert_eq!(Account::of(&Bench::EXACT.run(&plan)).err(), Some(NoAccount::CountsUp));
        let mut idle = game();
        idle.steps.clear();
        assert_eq!(Account::of(&Bench::EXACT.run(&idle)).err(), Some(NoAccount::NeverRan));
    }
}
