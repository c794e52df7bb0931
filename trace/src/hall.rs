//! What people do in the hall that no clock notices: fingers, pieces, pens, words, claims, envelopes.
//!
//! All of it is fact: that a finger rested on a button, not that it was forbidden to. Which of it matters, and what
//! follows, is a question to a rulebook. Moves, arrivals, looks at the flags and claims of a flag are older acts and
//! stand in [`crate::plan`].

use flagfall_core::{BySide, Side};
use serde::{Deserialize, Serialize};

/// One act in the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hall {
    /// A player's finger is where his own button is.
    Touch(Touch),
    /// A player handles the clock.
    Handle(Handle),
    /// A player adjusts pieces on their squares.
    Adjust(Adjust),
    /// From now on an assistant presses for a player.
    Assistant(Assistant),
    /// Somebody tells a player something about the clock.
    Prompt(Prompt),
    /// A player resigns.
    Resign(Side),
    /// The players agree on a draw.
    AgreeDraw,
    /// A player complains.
    Complain(Complain),
    /// The clock is put at a side of the board.
    Place(Place),
    /// The round begins; the clocks of this game may be started later.
    OpenRound,
    /// The arbiter excuses a player who came after the default time.
    Excuse(Side),
    /// The arbiter says who bears the time for which both were absent, in milliseconds.
    Allocate(BySide<u64>),
    /// The arbiter brings another clock, with these times, in milliseconds.
    Replace(BySide<u64>),
    /// A player writes on his scoresheet.
    Write(Write),
    /// A player stops to write moves down.
    StopWriting(Side),
    /// Somebody looks at the scoresheets.
    Sheets(BySide<Sheet>),
    /// A scoresheet is brought up to date, from now for so long.
    CatchUp(CatchUp),
    /// The arbiter leaves catching up to the end of the game.
    PutOff,
    /// A player offers a draw.
    OfferDraw(Side),
    /// From now on somebody writes for the players.
    RecordBy(Recorder),
    /// The arbiter verifies something or puts it right.
    Verify(Verify),
    /// The arbiter restores a position after an irregularity.
    Restore(Restore),
    /// A player claims a draw that the rules give.
    ClaimDraw(DrawClaim),
    /// A player with little time asks for a draw because the game is not played for a win.
    RequestDraw(DrawRequest),
    /// A player with little time asks for an increment instead.
    AskIncrement(Side),
    /// The arbiter answers a request for a draw, or decides one that he had put off.
    Decide(Answer),
    /// The arbiter penalises a player.
    Penalise(Penalty),
    /// The hour set for the adjournment has come.
    Adjourn,
    /// A player gives his move away in an envelope.
    Seal(Side),
    /// A player wants to change the move that he sealed.
    ChangeSealed(Side),
    /// The adjourned game is to be resumed.
    Resumption(Presence),
}

/// A finger at the player's own button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Who.
    pub side: Side,
    /// How.
    pub how: Finger,
    /// For how long, in milliseconds.
    pub for_ms: u64,
}

/// Where the finger is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finger {
    /// It rests on the button.
    OnButton,
    /// It hovers above the button.
    AboveButton,
    /// It covers the button, so that nobody can see or reach it.
    Covering,
    /// It holds the button down, so that the other side's press does nothing.
    Holding,
}

/// A player handles the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handle {
    /// Who.
    pub side: Side,
    /// How.
    pub how: Handling,
}

/// How a clock is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Handling {
    /// The button is hit with force.
    Force,
    /// The clock is picked up.
    Lift,
    /// The clock is knocked over.
    KnockOver,
    /// Somebody raps on the clock.
    Rap,
}

/// Pieces are adjusted on their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjust {
    /// Who.
    pub side: Side,
    /// Whether he said so before.
    pub announced: bool,
}

/// An assistant who presses for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assistant {
    /// For whom.
    pub side: Side,
    /// Why he cannot press himself.
    pub reason: Inability,
    /// Whether the arbiter accepts the assistant.
    pub accepted: bool,
}

/// Why a player cannot press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inability {
    /// A disability.
    Disability,
    /// An injury that heals.
    Injury,
    /// His religion forbids it.
    Religion,
    /// Something else.
    Other,
}

/// Somebody tells a player something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// Who speaks.
    pub by: Speaker,
    /// To whom.
    pub to: Side,
    /// What about.
    pub about: Topic,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// The arbiter.
    Arbiter,
    /// Somebody who has no part in the game.
    Bystander,
    /// The opponent of the player spoken to.
    Opponent,
}

/// What somebody speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// That the player has not pressed his clock.
    Press,
    /// That a flag is down.
    Flag,
    /// How many moves have been made.
    MoveCount,
}

/// A player's complaint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Complain {
    /// Who.
    pub by: Side,
    /// What about.
    pub about: Grievance,
    /// Whether the opponent agrees that it be heard.
    #[serde(default)]
    pub agreed: bool,
}

/// What a player complains about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grievance {
    /// The clock is set to a wrong time.
    Setting,
    /// The clock gives no increment, or a wrong one.
    Increment,
    /// The pieces stood on wrong squares.
    Position,
    /// The clock does not work as it should.
    Clock,
    /// The flag does not work as it should.
    Flag,
    /// The clock stands on the wrong side of the board.
    Placement,
}

/// Where the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Who chose it.
    pub by: crate::plan::Person,
    /// Where it stands.
    pub at: Edge,
}

/// The edge of the board at which the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// At White's left hand, Black's right.
    WhitesLeft,
    /// At White's right hand, Black's left.
    WhitesRight,
}

/// A player writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// Who.
    pub side: Side,
    /// What.
    pub what: Entry,
}

/// What is written on a scoresheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// The move that he made last.
    OwnMove,
    /// The move that the opponent made last.
    OpponentsMove,
    /// A move that he has not made yet.
    Ahead,
    /// That a draw was offered.
    DrawOffer,
    /// The result.
    Result,
    /// The times that the clock shows.
    Times,
}

/// What a scoresheet proves when somebody looks at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// How many moves of its owner it shows, if that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<u16>,
    /// How many pairs of moves are missing on it.
    #[serde(default)]
    pub missing: u16,
}

/// A scoresheet is brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatchUp {
    /// By whom.
    pub by: Players,
    /// For how long, in milliseconds.
    pub for_ms: u64,
    /// With whose help.
    pub with: Help,
    /// Whether the opponent objects.
    pub objected: bool,
}

/// Which of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Players {
    /// White.
    White,
    /// Black.
    Black,
    /// Both.
    Both,
}

impl Players {
    /// Whether this side is among them.
    #[must_use]
    pub const fn has(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::White, Side::White) | (Self::Black, Side::Black))
    }
}

/// What a player uses to bring his scoresheet up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Help {
    /// His memory.
    #[default]
    OwnMemory,
    /// The opponent's scoresheet.
    OpponentsSheet,
    /// What the arbiter or his assistant wrote.
    ArbitersSheet,
}

/// Who writes for the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recorder {
    /// The arbiter.
    Arbiter,
    /// An assistant.
    Assistant,
}

/// The arbiter verifies something, or puts it right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// How long it took, in milliseconds.
    pub for_ms: u64,
    /// How much of that was the way to another room, in milliseconds.
    pub walk_ms: u64,
    /// Whose fault it was, if it was anybody's.
    pub at_fault: Option<Side>,
}

/// A position is restored after an irregularity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restore {
    /// Whose irregularity it was, if it was anybody's.
    pub offender: Option<Side>,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

/// A claim of a draw that the rules give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawClaim {
    /// Who.
    pub by: Side,
    /// On what ground.
    pub ground: DrawGround,
}

/// Why a draw is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawGround {
    /// The position has occurred three times.
    Threefold,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
}

/// A request for a draw from a player with little time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRequest {
    /// Who.
    pub by: Side,
    /// Why.
    pub ground: RequestGround,
}

/// Why a player with little time asks for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestGround {
    /// The opponent makes no effort to win by normal means.
    NotTrying,
    /// The opponent cannot win by normal means.
    CannotWin,
}

/// What the arbiter answers to a request for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// He agrees: a draw at once.
    Accept,
    /// He puts his decision off and watches.
    Postpone,
    /// He rejects it.
    Reject,
    /// After he had put it off: a draw.
    Draw,
    /// After he had put it off: no draw.
    PlayOn,
}

/// A penalty that the arbiter imposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Penalty {
    /// On whom.
    pub side: Side,
    /// What it is.
    pub how: Sanction,
    /// How much time it is about, in milliseconds; zero where none is.
    pub by_ms: u64,
}

/// The kinds of penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sanction {
    /// A warning.
    Warning,
    /// Less time for the player.
    LessTime,
    /// More time for the opponent.
    MoreTime,
    /// Fewer points for the player, or more for the opponent.
    Points,
    /// The loss of the game.
    Loss,
    /// A fine.
    Fine,
    /// Exclusion from rounds.
    Exclusion,
    /// Expulsion from the competition.
    Expulsion,
}

/// Who is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Both players.
    Both,
    /// White alone.
    White,
    /// Black alone.
    Black,
    /// Neither.
    None,
}

impl Presence {
    /// Whether this side is present.
    #[must_use]
    pub const fn has(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::White, Side::White) | (Self::Black, Side::Black))
    }
}
