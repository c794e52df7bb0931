//! The arbiter, point by point and value by value, on games that the simulated clock has timed.
//!
//! `fide` and `cbx` answer as the shipped rulebooks of these names do; other values are put in one by one.

mod claims;
mod complaints;
mod draws;
mod flags;
mod hands;
mod indication;
mod moves;
mod scoresheets;
mod start;
mod stopping;
mod time_control;

use flagfall_core::{AtZero, Bonus, BySide, Opening, Period, Setup, Side, TickRate, TimeControl};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{
    BothAbsent, BothDown, BothDownLast, CannotMate, ControlMove, DelayRule, Devices, Domain, EndBeforeTheFlag,
    EndingMove, FlagCounts, Indication, LateArrival, NextMove, NotEnoughMoves, PressCompletes, SavedTime, StartOfGame,
    StopWithoutReason, Value,
};
use flagfall_judge::{Decision, GameResult, Outcome, Point, Ruling, Strength, arbiter, oracle};
use flagfall_trace::plan::{
    Act, Anchor, Basis, Claim, Draft, GameEnd, Hand, MoveMade, Observation, Person, Regulations, Step, When,
};

pub(crate) const S: i64 = 1_000_000_000;
pub(crate) const WHITE: Side = Side::White;
pub(crate) const BLACK: Side = Side::Black;

/// Both sides have a queen and room: whoever flags loses under every rulebook.
pub(crate) const QUEENS: &str = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";

/// A game about to be played; every step is placed after the one before unless it has its own instant.
pub(crate) struct Game {
    setup: Setup,
    position: &'static str,
    regulations: Regulations,
    steps: Vec<Step<When>>,
}

impl Game {
    pub(crate) fn of(periods: &[Period]) -> Self {
        let setup = Setup::new(TimeControl::new(periods).expect("a control"));
        Self { setup, position: QUEENS, regulations: Regulations::default(), steps: Vec::new() }
    }

    /// One minute for all moves, on a clock that runs on at zero and has no sign of the first flag.
    pub(crate) fn minute() -> Self {
        Self::of(&[Period::all_moves(60_000, Bonus::None)]).with(|setup| {
            setup.at_zero = AtZero::RunOn;
            setup.first_fallen_sign = false;
        })
    }

    /// 39 of 40 moves completed, ten seconds left, an hour to follow.
    pub(crate) fn before_the_control() -> Self {
        let periods = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
        Self::of(&periods).with(|setup| {
            setup.at_zero = AtZero::RunOn;
            setup.first_fallen_sign = false;
            setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 39, period: None });
        })
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Setup)) -> Self {
        change(&mut self.setup);
        self
    }

    pub(crate) fn at_position(mut self, position: &'static str) -> Self {
        self.position = position;
        self
    }

    pub(crate) fn default_time(mut self, ms: u64) -> Self {
        self.regulations.default_time_ms = Some(ms);
        self
    }

    pub(crate) fn regulated(mut self, change: impl FnOnce(&mut Regulations)) -> Self {
        change(&mut self.regulations);
        self
    }

    /// What the regulations say of requests for a draw.
    pub(crate) fn announced(mut self, announced: Option<bool>) -> Self {
        self.regulations.draw_request = announced;
        self
    }

    /// This side begins with forty seconds.
    pub(crate) fn hurried(self, side: Side) -> Self {
        self.with(|setup| setup.opening[side].left_ms = Some(40_000))
    }

    pub(crate) fn at(mut self, from: Anchor, plus_ns: i64, act: Act) -> Self {
        self.steps.push(Step { at: When { from, plus_ns, plus_ticks: 0 }, act });
        self
    }

    pub(crate) fn after(self, plus_ns: i64, act: Act) -> Self {
        self.at(Anchor::Previous, plus_ns, act)
    }

    pub(crate) fn start(self) -> Self {
        self.at(Anchor::Start, 0, Act::Start)
    }

    /// A move after some thought, not pressed; the position on the board stays what it was.
    pub(crate) fn moves(self, side: Side, think_ns: i64) -> Self {
        let after = self.position.to_owned();
        self.after(think_ns, Act::Move(MoveMade { side, san: "Kd2".into(), after, ends: None }))
    }

    pub(crate) fn ends(self, side: Side, think_ns: i64, end: GameEnd) -> Self {
        let after = self.position.to_owned();
        self.after(think_ns, Act::Move(MoveMade { side, san: "Qf7#".into(), after, ends: Some(end) }))
    }

    pub(crate) fn press(self, side: Side, after_ns: i64) -> Self {
        self.after(after_ns, Act::Press { side, hand: Hand::Same })
    }

    pub(crate) fn plays(self, side: Side, think_ns: i64) -> Self {
        self.moves(side, think_ns).press(side, 0)
    }

    pub(crate) fn sees(self, by: Person, after_ns: i64, white: bool, black: bool) -> Self {
        self.after(after_ns, Act::Observe(Observation { by, fallen: BySide::new(white, black), first: None }))
    }

    pub(crate) fn claims(self, by: Side, after_ns: i64, flag: Side, basis: Basis) -> Self {
        self.after(after_ns, Act::Claim(Claim { by, flag, basis }))
    }

    pub(crate) fn trace(&self) -> flagfall_trace::Trace {
        let draft = Draft {
            scenario: "test/arbiter".into(),
            seed: 0,
            tick_rate: TickRate::MHZ,
            setup: self.setup,
            clock_kind: flagfall_trace::ClockKind::Digital,
            regulations: self.regulations.clone(),
            position: self.position.into(),
            board: false,
            device_setup: None,
            oscillator: flagfall_trace::OscillatorSpec::default(),
            steps: self.steps.clone(),
            end: When { from: Anchor::Previous, plus_ns: 0, plus_ticks: 0 },
        };
        let plan = oracle::resolve(draft).expect("the draft resolves");
        flagfall_sim::run(&plan, &flagfall_sim::Budget::default()).expect("within budget")
    }

    pub(crate) fn under(&self, book: &Rulebook) -> Vec<Ruling> {
        arbiter::rule(book, &self.trace())
    }
}

/// What is ruled on some points, in order.
pub(crate) fn on(points: &[Point], rulings: &[Ruling]) -> Vec<(Point, Decision)> {
    rulings
        .iter()
        .filter(|ruling| points.contains(&ruling.point))
        .map(|ruling| (ruling.point, ruling.decision.clone()))
        .collect()
}

pub(crate) const fn stated(outcome: Outcome) -> Decision {
    Decision::Decided { outcome, strength: Strength::Stated }
}

pub(crate) const fn literal(outcome: Outcome) -> Decision {
    Decision::Decided { outcome, strength: Strength::Literal }
}

pub(crate) const fn lost_by(side: Side) -> Outcome {
    Outcome::Result(GameResult::lost_by(side))
}

pub(crate) const DRAW: Outcome = Outcome::Result(GameResult::Draw);

/// A rulebook that states this, in place of what it said.
pub(crate) fn but<T: Domain>(book: Rulebook, value: T) -> Rulebook {
    book.with(Entry::decided(Value::of(value), "x", Strength::Stated, "As the test says."))
}

pub(crate) fn fide() -> Rulebook {
    let entry = |value, article, strength| Entry::decided(value, article, strength, "As FIDE says.");
    let (stated, literal) = (Strength::Stated, Strength::Literal);
    Rulebook::silent("fide-2014", "FIDE")
        .with(entry(Value::of(PressCompletes::Always), "6.2", stated))
        .with(entry(Value::of(EndingMove::NeedsNoPress), "6.2", stated))
        .with(entry(Value::of(NextMove::Completes), "6.2", stated))
        .with(entry(Value::of(ControlMove::NotCompleted), "6.2, 6.9", literal))
        .with(entry(Value::of(SavedTime::CarriedWhereApplicable), "6.3b", stated))
        .with(entry(Value::of(DelayRule::RunsFirst), "6.3b", stated))
        .with(entry(Value::of(StartOfGame::WhiteRuns), "6.6", stated))
        .with(entry(Value::of(LateArrival::LosesUnlessArbiterDecides), "6.7a", stated))
        .with(entry(Value::of(BothAbsent::WhiteBears), "6.7b", stated))
        .with(entry(Value::of(FlagCounts::WhenObservedOrClaimed), "6.8", stated))
        .with(entry(Value::of(Devices::NotOnTheseAlone), "6.13", stated))
        .with(entry(Value::of(NotEnoughMoves::Loses), "6.9", stated))
        .with(entry(Value::of(EndBeforeTheFlag::Stands), "6.9", stated))
        .with(entry(Value::of(CannotMate::Draw), "6.9", stated))
        .with(entry(Value::of(Indication::ConclusiveUnlessEvidentDefect), "6.10a", stated))
        .with(entry(Value::of(BothDown::ContinuesIfOrderUnknown), "6.11a", stated))
        .with(entry(Value::of(BothDownLast::DrawIfOrderUnknown), "6.11b", stated))
        .with(entry(Value::of(StopWithoutReason::Penalty), "6.12d", stated))
}

pub(crate) fn cbx() -> Rulebook {
    let entry = |value, article, strength| Entry::decided(value, article, strength, "As CBX says.");
    let (stated, literal) = (Strength::Stated, Strength::Literal);
    Rulebook::silent("cbx", "CBX")
        .with(entry(Value::of(PressCompletes::BeforeTheFlag), "70, 74", stated))
        .with(entry(Value::of(EndingMove::NeedsPress), "70, 74", literal))
        .with(entry(Value::of(NextMove::DoesNotComplete), "70", literal))
        .with(entry(Value::of(ControlMove::NotCompleted), "74", stated))
        .with(entry(Value::of(StartOfGame::WhiteRuns), "69", stated))
        .with(entry(Value::of(FlagCounts::TheFallItself), "74", stated))
        .with(entry(Value::of(NotEnoughMoves::Loses), "74", stated))
        .with(entry(Value::of(CannotMate::Loses), "74", literal))
        .with(entry(Value::of(Indication::FinalOnceFallen), "72, 73", stated))
}
