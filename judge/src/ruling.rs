//! What a rulebook says about one point of one game.

use std::fmt;

use flagfall_core::{Side, TrueTime};

use crate::point::Point;

/// A ruling under one rulebook, with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The question.
    pub point: Point,
    /// When it arises, in true time.
    pub at: TrueTime,
    /// The answer.
    pub decision: Decision,
    /// The article, as the rulebook numbers it.
    pub article: Option<String>,
    /// The answer as a sentence.
    pub sentence: String,
    /// Facts that it rests on, each a few words.
    pub used: Vec<String>,
    /// Facts that the rulebook does not admit here, each with why.
    pub refused: Vec<String>,
    /// How far a time in the answer may be off because presses were not made at the instants of the plan, in
    /// nanoseconds; zero in virtual time.
    pub bound_ns: u64,
}

impl Ruling {
    /// How firmly it is written, if it decides.
    #[must_use]
    pub const fn strength(&self) -> Option<Strength> {
        match self.decision {
            Decision::Decided { strength, .. } => Some(strength),
            _ => None,
        }
    }
}

/// How a rulebook answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It decides.
    Decided {
        /// What follows.
        outcome: Outcome,
        /// How firmly it is written.
        strength: Strength,
    },
    /// It does not say.
    Silent,
    /// It leaves the choice to the arbiter among these.
    Discretion(Vec<Outcome>),
    /// It decides once a fact is known that the log lacks; one outcome for each answer.
    Needs {
        /// The fact: `white-can-mate`.
        fact: String,
        /// Answer and outcome, in a fixed order.
        answers: Vec<(String, Outcome)>,
    },
    /// The game was over under this rulebook before.
    Void,
}

impl Decision {
    /// `decided`, `silent`, `discretion`, `needs` or `void`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Decided { .. } => "decided",
            Self::Silent => "silent",
            Self::Discretion(_) => "discretion",
            Self::Needs { .. } => "needs",
            Self::Void => "void",
        }
    }

    /// What follows, if it decides.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Decided { outcome, .. } => Some(*outcome),
            _ => None,
        }
    }

    /// Whether the game is over with it, whatever is still to be found out.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Decided { outcome, .. } => outcome.is_result(),
            Self::Needs { answers, .. } => answers.iter().all(|(_, outcome)| outcome.is_result()),
            Self::Discretion(outcomes) => outcomes.iter().all(Outcome::is_result),
            Self::Silent | Self::Void => false,
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided { outcome, .. } => write!(f, "{outcome}"),
            Self::Silent | Self::Void => f.write_str(self.name()),
            Self::Discretion(outcomes) => {
                f.write_str("one of ")?;
                for (index, outcome) in outcomes.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{outcome}")?;
                }
                Ok(())
            }
            Self::Needs { fact, answers } => {
                write!(f, "needs {fact}")?;
                for (answer, outcome) in answers {
                    write!(f, "; if {answer}: {outcome}")?;
                }
                Ok(())
            }
        }
    }
}

/// How firmly a rulebook says something; the weaker is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// The text says it.
    Stated,
    /// It follows from the words, though the text may not have meant it.
    Literal,
}

impl Strength {
    /// `stated` or `literal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Literal => "literal",
        }
    }
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameResult {
    /// White wins.
    WhiteWins,
    /// Black wins.
    BlackWins,
    /// Nobody wins, nobody loses.
    Draw,
    /// Both lose.
    BothLose,
}

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::BothLose];

    /// The result when this side loses.
    #[must_use]
    pub const fn lost_by(side: Side) -> Self {
        match side {
            Side::White => Self::BlackWins,
            Side::Black => Self::WhiteWins,
        }
    }

    /// `white-wins`, as scenarios write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WhiteWins => "white-wins",
            Self::BlackWins => "black-wins",
            Self::Draw => "draw",
            Self::BothLose => "both-lose",
        }
    }
}

/// What follows from a ruling; scenarios write it as `key: value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// `result: draw`: the game is over.
    Result(GameResult),
    /// `play: continues`.
    PlayContinues,
    /// `completed: {white: 40}`: so many moves of this side count as completed.
    ///
    /// A count, not the number of a move: a move that stays incomplete for good leaves it behind the numbers.
    Completed(Side, u16),
    /// `incomplete: {white: 40}`: the move of this side with this number is not completed.
    Incomplete(Side, u16),
    /// `flag-counts: white`: from now on this side's flag counts as fallen.
    FlagCounts(Side),
    /// `flag-does-not-count: white`: this side's flag does not count as fallen yet.
    FlagDoesNotCount(Side),
    /// `left: {white: 1m}`: the text leaves this side so many milliseconds.
    Left(Side, u64),
    /// `bears: {white: 5m}`: this side bears so many milliseconds of the time that nobody was there.
    Bears(Side, u64),
    /// `runs: white`: this side's clock runs from the start.
    Runs(Side),
    /// `reading: stands`: what the clock shows is final.
    ReadingStands,
    /// `clock: replaced`: the clock is replaced and the arbiter sets the times.
    ClockReplaced,
    /// `penalty: white`: this player is penalised.
    Penalty(Side),
    /// `no-penalty: white`: this player is not penalised.
    NoPenalty(Side),
}

impl Outcome {
    /// Whether the game is over with it.
    #[must_use]
    pub const fn is_result(&self) -> bool {
        matches!(self, Self::Result(_))
    }
}

impl fmt::Display for Outcome {
    /// As scenarios write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(result) => write!(f, "result: {}", result.name()),
            Self::PlayContinues => f.write_str("play: continues"),
            Self::Completed(side, moves) => write!(f, "completed: {{{side}: {moves}}}"),
            Self::Incomplete(side, number) => write!(f, "incomplete: {{{side}: {number}}}"),
            Self::FlagCounts(side) => write!(f, "flag-counts: {side}"),
            Self::FlagDoesNotCount(side) => write!(f, "flag-does-not-count: {side}"),
            Self::Left(side, ms) => write!(f, "left: {{{side}: {ms}ms}}"),
            Self::Bears(side, ms) => write!(f, "bears: {{{side}: {ms}ms}}"),
            Self::Runs(side) => write!(f, "runs: {side}"),
            Self::ReadingStands => f.write_str("reading: stands"),
            Self::ClockReplaced => f.write_str("clock: replaced"),
            Self::Penalty(side) => write!(f, "penalty: {side}"),
            Self::NoPenalty(side) => write!(f, "no-penalty: {side}"),
        }
    }
}

/// What a scenario expects of a rulebook; every field that is given must match one and the same ruling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedRuling {
    /// The point that the expectation is about; `None` for any of the scenario's points.
    pub point: Option<Point>,
    /// The decision; the strength inside is compared only through `strength`.
    pub decision: ExpectedDecision,
    /// The article, if the scenario names it.
    pub article: Option<String>,
    /// The strength, if the scenario names it.
    pub strength: Option<Strength>,
    /// The line of the scenario file.
    pub line: u32,
}

/// The decision that a scenario expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedDecision {
    /// This outcome.
    Decided(Outcome),
    /// `silent`: the rulebook says nothing on any of the scenario's points.
    Silent,
    /// `discretion: [...]`: exactly this set.
    Discretion(Vec<Outcome>),
    /// `{needs: fact, if: {answer: outcome}}`.
    Needs {
        /// The fact.
        fact: String,
        /// Answer and outcome.
        answers: Vec<(String, Outcome)>,
    },
    /// `void`: the game was over before.
    Void,
}
