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
    /// `game: cancelled`: it counts for nothing, and a new game is played.
    GameCancelled,
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
    /// `allowed: white`: this player may do what he did.
    Allowed(Side),
    /// `forbidden: white`: he may not, and the text names no sanction.
    Forbidden(Side),
    /// `warning: white`: he is warned.
    Warning(Side),
    /// `illegal-move: white`: what he did counts as an illegal move.
    IllegalMove(Side),
    /// `honoured: white`: this player's press counts.
    Honoured(Side),
    /// `not-honoured: white`: it does not.
    NotHonoured(Side),
    /// `gains: {white: 2m}`: this side gets so many milliseconds.
    Gains(Side, u64),
    /// `charged: {white: 8m}`: this side bears so many milliseconds.
    Charged(Side, u64),
    /// `claim-holds: white`: this player's claim is good.
    ClaimHolds(Side),
    /// `claim-fails: white`: it is not.
    ClaimFails(Side),
    /// `complaint-heard: white`: this player's complaint is looked into.
    ComplaintHeard(Side),
    /// `complaint-void: white`: it comes too late, or about nothing that could be put right.
    ComplaintVoid(Side),
    /// `check-due: white`: this side's moves are to be counted now.
    CheckDue(Side),
    /// `setting: corrected`: a wrong setting is put right now.
    SettingCorrected,
    /// `setting: stands`: it is not.
    SettingStands,
    /// `placed-by: black`: who decides where the clock stands.
    PlacedBy(Placer),
    /// `exempt: white`: this player need not do or bear what the point asks about.
    Exempt(Side),
    /// `not-exempt: white`: he must.
    NotExempt(Side),
    /// `clocks: stopped`: neither clock runs meanwhile.
    ClocksStopped,
    /// `clocks: running`: the clock runs on meanwhile.
    ClocksRunning,
    /// `act: admissible`: what the arbiter did is among the things that the text lets him do.
    ActAdmissible,
    /// `act: not-admissible`: it is not.
    ActNotAdmissible,
    /// `considered: white`: this player's request is looked into.
    Considered(Side),
    /// `not-considered: white`: it is not.
    NotConsidered(Side),
    /// `may-change: white`: this player may still change what he sealed.
    MayChange(Side),
    /// `may-not-change: white`: he may not.
    MayNotChange(Side),
    /// `envelope: opened`.
    EnvelopeOpened,
    /// `envelope: shut`.
    EnvelopeShut,
    /// `evidence: admitted`.
    EvidenceAdmitted,
    /// `evidence: refused`.
    EvidenceRefused,
    /// `default-time: 30m`: a player may come so many milliseconds late.
    DefaultTime(u64),
    /// `target: {white: 60}`: this side must have completed so many moves by the end of its period.
    Target(Side, u16),
    /// `increment: 5s`: from now on each move of both sides brings so many milliseconds.
    Increment(u64),
    /// `sheet-due: white`: this side's scoresheet must be complete before its next move.
    SheetDue(Side),
    /// `check-not-due: white`: nobody counts this side's moves now.
    CheckNotDue(Side),
    /// `prompt: allowed`: who said it may say it.
    PromptAllowed,
    /// `prompt: forbidden`: he may not.
    PromptForbidden,
    /// `ends-at: {white: 6h}`: this side's control ends at this hour of the dial, in milliseconds.
    EndsAt(Side, u64),
}

/// Who decides where the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placer {
    /// The arbiter.
    Arbiter,
    /// The player with the white pieces.
    White,
    /// The player with the black pieces.
    Black,
    /// Nobody: the rules fix it.
    Rules,
}

impl Placer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Arbiter, Self::White, Self::Black, Self::Rules];

    /// `arbiter`, as scenarios write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arbiter => "arbiter",
            Self::White => "white",
            Self::Black => "black",
            Self::Rules => "rules",
        }
    }
}

impl Outcome {
    /// Whether the game is over with it.
    #[must_use]
    pub const fn is_result(&self) -> bool {
        matches!(self, Self::Result(_) | Self::GameCancelled)
    }
}

impl fmt::Display for Outcome {
    /// As scenarios write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Result(result) => write!(f, "result: {}", result.name()),
            Self::GameCancelled => f.write_str("game: cancelled"),
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
            Self::Allowed(side) => write!(f, "allowed: {side}"),
            Self::Forbidden(side) => write!(f, "forbidden: {side}"),
            Self::Warning(side) => write!(f, "warning: {side}"),
            Self::IllegalMove(side) => write!(f, "illegal-move: {side}"),
            Self::Honoured(side) => write!(f, "honoured: {side}"),
            Self::NotHonoured(side) => write!(f, "not-honoured: {side}"),
            Self::Gains(side, ms) => write!(f, "gains: {{{side}: {ms}ms}}"),
            Self::Charged(side, ms) => write!(f, "charged: {{{side}: {ms}ms}}"),
            Self::ClaimHolds(side) => write!(f, "claim-holds: {side}"),
            Self::ClaimFails(side) => write!(f, "claim-fails: {side}"),
            Self::ComplaintHeard(side) => write!(f, "complaint-heard: {side}"),
            Self::ComplaintVoid(side) => write!(f, "complaint-void: {side}"),
            Self::CheckDue(side) => write!(f, "check-due: {side}"),
            Self::SettingCorrected => f.write_str("setting: corrected"),
            Self::SettingStands => f.write_str("setting: stands"),
            Self::PlacedBy(who) => write!(f, "placed-by: {}", who.name()),
            Self::Exempt(side) => write!(f, "exempt: {side}"),
            Self::NotExempt(side) => write!(f, "not-exempt: {side}"),
            Self::ClocksStopped => f.write_str("clocks: stopped"),
            Self::ClocksRunning => f.write_str("clocks: running"),
            Self::ActAdmissible => f.write_str("act: admissible"),
            Self::ActNotAdmissible => f.write_str("act: not-admissible"),
            Self::Considered(side) => write!(f, "considered: {side}"),
            Self::NotConsidered(side) => write!(f, "not-considered: {side}"),
            Self::MayChange(side) => write!(f, "may-change: {side}"),
            Self::MayNotChange(side) => write!(f, "may-not-change: {side}"),
            Self::EnvelopeOpened => f.write_str("envelope: opened"),
            Self::EnvelopeShut => f.write_str("envelope: shut"),
            Self::EvidenceAdmitted => f.write_str("evidence: admitted"),
            Self::EvidenceRefused => f.write_str("evidence: refused"),
            Self::DefaultTime(ms) => write!(f, "default-time: {ms}ms"),
            Self::Target(side, moves) => write!(f, "target: {{{side}: {moves}}}"),
            Self::Increment(ms) => write!(f, "increment: {ms}ms"),
            Self::SheetDue(side) => write!(f, "sheet-due: {side}"),
            Self::CheckNotDue(side) => write!(f, "check-not-due: {side}"),
            Self::PromptAllowed => f.write_str("prompt: allowed"),
            Self::PromptForbidden => f.write_str("prompt: forbidden"),
            Self::EndsAt(side, ms) => write!(f, "ends-at: {{{side}: {ms}ms}}"),
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
