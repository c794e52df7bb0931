//! B: when a move is completed (FIDE Laws 6.2; CBX 70 and 74).
//!
//! Three counts that differ: moves *made* on the board, moves *pressed* on the clock, moves *completed* under the
//! rulebook. A press completes the last move of its player, if it leaves the opponent's time running: a press that the
//! clock did not take, or took while it stood still, has not stopped one side and started the other.
//!
//! CBX 70 has a move complete *only after* a press, and 74 asks for the press of the last move alone. That the press of
//! a later move completes one that was overtaken unpressed follows from the words and is stated nowhere, so whatever
//! hangs on it is literal at most. FIDE Laws 2009 6.7a have a move not completed until its player has pressed, and
//! whether the press of a later move is that press can be read both ways.
//!
//! A move ends the game by mate, by stalemate, or because neither side can mate any more (FIDE Laws 6.2(1) names 5.1a,
//! 5.2a and 5.2b). A dead position is known by its material or by a closed wall alone: no search follows a move.
//! CBX 61 to 82 except no such move from its press. FIDE Laws 6.2.1.1 of 2023 and 6.2(1) of 2014 name 9.6 too: the same
//! position for the fifth time, or 75 moves of each player without a capture or a pawn move.
//!
//! A counter that the arbiter corrects is his determination of how many moves have been completed: the count goes on
//! from it, and the period follows. FIDE Laws 6.10b has the move counter adjusted, CBX 72 and 82 do not speak of it, and
//! neither says what that does to the count, so it is literal at most as well. Where the fall itself counts, a correction
//! after the fall comes too late for it.

use flagfall_core::{BySide, Setup, Side};
use flagfall_trace::plan::{GameEnd, MoveMade};

use super::{Arbiter, Evidence, milliseconds, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::rulebook::Answer;
use crate::ruling::{GameResult, Outcome};
use crate::value::{EndingMove, NextMove, PressAfterTheReply, PressCompletes, TimeUntilThePress};

/// The counts of one side, each from move 1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moves {
    /// Moves made on the board.
    pub(super) made: u16,
    /// Moves that count as completed.
    pub(super) completed: u16,
    /// Presses that the clock took.
    pub(super) pressed: u16,
    /// The number of the last move that was completed, which is not the count where one before it was not.
    pub(super) latest: u16,
    /// Moves that were not pressed before the next one was made, whatever the rulebook makes of them.
    pub(super) overtaken: u16,
    /// What the arbiter corrected the completed moves to, if they had been counted otherwise.
    pub(super) corrected: Option<u16>,
    /// Those of them after which a later move was pressed.
    pub(super) made_up: u16,
    /// The number of the last move made, while it is not completed.
    open: Option<u16>,
    /// The opponent held his button down when the open move was to be pressed.
    barred: bool,
    /// How the open move ends the game.
    ending: Option<Ending>,
    /// Whether the opponent has replied to the open move.
    replied_to: bool,
    /// What the side had used of its turn when it made the open move, in nanoseconds.
    used_ns: i128,
}

/// How a move ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Checkmate,
    Stalemate,
    /// Neither side can mate any more, and why.
    Dead(&'static str),
    /// The game has come to a count of moves or positions that ends it in some texts, and to which.
    Counted(&'static str),
}

impl Ending {
    pub(super) fn of(made: &MoveMade, dead: Option<&'static str>, drawn: Option<&'static str>) -> Option<Self> {
        match made.ends {
            Some(GameEnd::Checkmate) => Some(Self::Checkmate),
            Some(GameEnd::Stalemate) => Some(Self::Stalemate),
            None => dead.map(Self::Dead).or(drawn.map(Self::Counted)),
        }
    }
}

impl Moves {
    pub(super) fn at_the_opening(setup: &Setup) -> BySide<Self> {
        setup.opening.map(|opening| Self {
            made: opening.moves,
            completed: opening.moves,
            pressed: opening.moves,
            latest: opening.moves,
            overtaken: 0,
            made_up: 0,
            corrected: None,
            open: None,
            barred: false,
            ending: None,
            replied_to: false,
            used_ns: 0,
        })
    }

    /// Whether a move waits for its press.
    pub(super) const fn waits_for_its_press(&self) -> bool {
        self.open.is_some()
    }

    /// Whether a move that ends the game waits for its press.
    pub(super) const fn end_waits(&self) -> bool {
        self.open.is_some() && self.ending.is_some()
    }

    /// The points on which the count of completed moves rests.
    fn points(&self) -> impl Iterator<Item = Point> + use<> {
        [Point::B1].into_iter().chain((self.overtaken > 0).then_some(Point::B3))
    }

    /// Sets the completed moves; an open move that is not among them stays open as the next one.
    fn correct(&mut self, moves: u16) {
        if moves == self.completed {
            return;
        }
        self.open = self.open.filter(|number| *number > moves).map(|_| moves.saturating_add(1));
        self.made = self.open.unwrap_or(moves);
        self.completed = moves;
        self.latest = moves;
        self.pressed = moves;
        self.overtaken = 0;
        self.made_up = 0;
        self.corrected = Some(moves);
    }

    fn complete(&mut self) {
        self.completed = self.completed.saturating_add(1);
        self.latest = self.open.unwrap_or(self.completed);
        self.open = None;
    }

    /// The press of the open move has no effect because the opponent's finger is on his button.
    pub(super) const fn press_is_barred(&mut self) {
        self.barred = self.open.is_some();
    }

    /// Whether the open move was to be pressed and the opponent's finger was in the way.
    pub(super) const fn is_barred(&self) -> bool {
        self.barred && self.open.is_some()
    }

    /// A later move than those that were overtaken is pressed.
    const fn makes_up(&mut self, completes_them: bool) {
        if completes_them {
            self.completed = self.completed.saturating_add(self.overtaken.saturating_sub(self.made_up));
        }
        self.made_up = self.overtaken;
    }
}

impl Arbiter<'_> {
    pub(super) fn counter_set(&mut self, side: Side, moves: u16) {
        self.moves[side].correct(moves);
        self.accounts.counted(&self.plan.setup, side, moves);
    }

    /// The evidence of a ruling that hangs on how many moves of this side count as completed.
    pub(super) fn counting(&self, side: Side, evidence: Evidence) -> Evidence {
        evidence.resting_on(self.moves[side].points()).on_a_count(side, self.moves[side].corrected)
    }

    pub(super) fn moved(&mut self, fact: &Fact, made: &MoveMade, ending: Option<Ending>) {
        let side = made.side;
        let counts = self.book.answer() == Answer::Value(EndingMove::NeedsNoPressNorAfterACount);
        let ending = ending.filter(|ending| counts || !matches!(ending, Ending::Counted(_)));
        if let Some(number) = self.moves[side].open {
            self.move_follows_unpressed(fact, side, number);
        }
        self.moves[side.other()].replied_to = true;
        let moves = &mut self.moves[side];
        moves.made = moves.made.saturating_add(1);
        moves.open = Some(moves.made);
        moves.replied_to = false;
        moves.barred = false;
        moves.used_ns = self.accounts.used_ns(side);
        moves.ending = ending;
        self.position.clone_from(&made.after);
        if let Some(end) = ending {
            self.move_ends_the_game(fact, made, end);
        }
    }

    fn move_follows_unpressed(&mut self, fact: &Fact, side: Side, number: u16) {
        let evidence = Evidence::used(format!("{} move {number} was not pressed", whose(side))).and(format!(
            "{} next move was made at {}",
            whose(side),
            time(fact.at)
        ));
        self.moves[side].overtaken = self.moves[side].overtaken.saturating_add(1);
        let outcome = match self.ask::<NextMove>(fact.at, &evidence) {
            None => return,
            Some(NextMove::Completes) => {
                self.moves[side].complete();
                Outcome::Completed(side, self.moves[side].completed)
            }
            Some(NextMove::DoesNotComplete | NextMove::LaterPressCompletes | NextMove::LaterPressLeavesItOpen) => {
                Outcome::Incomplete(side, number)
            }
        };
        let evidence = evidence.on_a_count(side, self.moves[side].corrected);
        self.decide(Point::B3, fact.at, outcome, evidence);
    }

    fn move_ends_the_game(&mut self, fact: &Fact, made: &MoveMade, end: Ending) {
        let side = made.side;
        let evidence = Evidence::used(format!("{} {} at {} is {}", whose(side), made.san, time(fact.at), word(end)));
        match self.ask::<EndingMove>(fact.at, &evidence) {
            None => {}
            Some(EndingMove::NeedsNoPress | EndingMove::NeedsNoPressNorAfterACount) => {
                self.moves[side].complete();
                let completed = Outcome::Completed(side, self.moves[side].completed);
                self.decide(Point::B2, fact.at, completed, evidence.clone());
                let result = result_of(end, side);
                // What 6.9 excepts does not name the articles that count.
                let counted = matches!(end, Ending::Counted(_)) && self.flags.any_open();
                let evidence = if counted { evidence.inferred() } else { evidence };
                if !self.flags.any_open() || self.ends_before_the_flag(fact, result, evidence.clone()) {
                    self.decide(Point::B2, fact.at, Outcome::Result(result), evidence);
                }
            }
            Some(EndingMove::NeedsPress) => {
                self.decide(Point::B2, fact.at, Outcome::Incomplete(side, self.moves[side].made), evidence);
            }
        }
    }

    pub(super) fn pressed(&mut self, fact: &Fact, side: Side, taken: bool) {
        if self.moves[side].pressed == self.plan.setup.opening[side].moves {
            self.first_press_on_a_dial(fact, side);
        }
        let moves = &mut self.moves[side];
        moves.pressed = moves.pressed.saturating_add(u16::from(taken));
        let opponent_runs = fact.face.is_some_and(|face| face.running() == Some(side.other()));
        if let Some(number) = self.moves[side].open {
            self.move_is_pressed(fact, side, number, taken, opponent_runs);
        }
        if opponent_runs {
            self.turn_ends(fact, side);
        }
    }

    fn move_is_pressed(&mut self, fact: &Fact, side: Side, number: u16, taken: bool, opponent_runs: bool) {
        if let Some(in_time) = self.pressed_with_the_flag(fact, side, number) {
            if in_time {
                self.moves[side].complete();
            }
            return;
        }
        // A flag of the control before, down on a dial until it is lifted again, bars no move of the next one.
        let flag_down = fact.face.is_some_and(|face| face.fallen[side]) && !self.fell_with_the_control_made(side);
        let mut evidence = Evidence::used(format!("{} move {number} was pressed at {}", whose(side), time(fact.at)));
        if !taken {
            evidence = evidence.and("the clock did not take the press");
        }
        if !opponent_runs {
            evidence = evidence.and(format!("{} time did not start", whose(side.other())));
        }
        if flag_down {
            evidence = evidence.and(format!("{} flag was down", whose(side)));
        }
        let honoured = self.reply_lets_it_count(fact, side);
        if opponent_runs {
            self.time_until_the_press(fact, side);
        }
        let in_time = match self.ask::<PressCompletes>(fact.at, &evidence) {
            None => return,
            Some(PressCompletes::Always) => true,
            Some(PressCompletes::BeforeTheFlag) => !flag_down,
            Some(PressCompletes::LastOfAPeriodBeforeTheFlag) => {
                !flag_down || self.control_of_the_fall(side).is_none_or(|target| number < target)
            }
        };
        if !(opponent_runs && honoured && in_time) {
            self.decide(Point::B1, fact.at, Outcome::Incomplete(side, number), evidence);
            return;
        }
        self.moves[side].complete();
        if self.book.answer() != Answer::Value(NextMove::Completes) {
            self.moves[side].makes_up(self.book.answer() == Answer::Value(NextMove::LaterPressCompletes));
        }
        let completed = Outcome::Completed(side, self.moves[side].completed);
        let evidence = self.counting(side, evidence);
        self.decide(Point::B1, fact.at, completed, evidence.clone());
        if let Some(end) = self.moves[side].ending.take()
            && self.ask::<EndingMove>(fact.at, &evidence).is_some()
        {
            let evidence = evidence.and(format!("it is {}", word(end)));
            self.decide(Point::B2, fact.at, Outcome::Result(result_of(end, side)), evidence);
        }
    }
}

impl Arbiter<'_> {
    /// B4: whether a press counts although the opponent has replied to its move.
    fn reply_lets_it_count(&mut self, fact: &Fact, side: Side) -> bool {
        if !self.moves[side].replied_to {
            return true;
        }
        let evidence = Evidence::used(format!("{side} pressed at {}", time(fact.at)))
            .and(format!("{} had replied to the move", side.other()));
        match self.ask::<PressAfterTheReply>(fact.at, &evidence) {
            None => true,
            Some(PressAfterTheReply::Honoured) => {
                self.decide(Point::B4, fact.at, Outcome::Honoured(side), evidence);
                true
            }
            Some(PressAfterTheReply::NotHonoured) => {
                self.decide(Point::B4, fact.at, Outcome::NotHonoured(side), evidence);
                false
            }
        }
    }

    /// B5: a press later than its move, as far as the clock ran in between.
    fn time_until_the_press(&mut self, fact: &Fact, side: Side) {
        let span_ns = self.accounts.used_ns(side) - self.moves[side].used_ns;
        if span_ns <= i128::from(fact.bound_ns) {
            return;
        }
        let evidence = Evidence::used(format!("{side} pressed at {}, after the move", time(fact.at)));
        match self.ask::<TimeUntilThePress>(fact.at, &evidence) {
            None => {}
            Some(TimeUntilThePress::Movers) => {
                let charged = Outcome::Charged(side, milliseconds(span_ns));
                self.decide_within(Point::B5, fact.at, charged, evidence, fact.bound_ns);
            }
        }
    }
}

fn word(end: Ending) -> String {
    match end {
        Ending::Checkmate => "mate".to_owned(),
        Ending::Stalemate => "stalemate".to_owned(),
        Ending::Dead(reason) => format!("the last of the game, as neither side can mate any more: {reason}"),
        Ending::Counted(reason) => format!("the last of the game: {reason}"),
    }
}

const fn result_of(end: Ending, mover: Side) -> GameResult {
    match end {
        Ending::Checkmate => GameResult::lost_by(mover.other()),
        Ending::Stalemate | Ending::Dead(_) | Ending::Counted(_) => GameResult::Draw,
    }
}
