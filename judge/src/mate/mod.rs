//! Can this side still mate, by any series of legal moves? Decided, not estimated.
//!
//! Read FIDE Laws 6.9 and 5.2.2 first. Both sides help, and neither the fifty-move rule nor a repetition ends a series;
//! stalemate does, because there is no legal move left. The question is answered in layers, the quick ones first:
//!
//! 1. `material.rs`: pieces that never mate, wherever they stand.
//! 2. `reach.rs` and `net.rs`: where each man can ever get to at most, and whether a mating net can be woven there. This
//!    finds walls, with kings, bishops or anything else behind them.
//! 3. `search.rs`: a search in which both sides help. It finds a line or follows every series to its end.
//!
//! The first two say only that a side cannot mate, the search either; it gives up after a number of positions that is
//! the same on every machine. Nothing here reads a clock, and nothing is decided by a hash alone (`seen.rs`).

mod distance;
mod material;
mod net;
mod position;
mod queue;
mod reach;
mod search;
mod seen;

use cozy_chess::{Board, Color};
use flagfall_core::Side;

pub use position::{Fault, Position, PositionError};

/// Whether a side can mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can: these moves, in coordinates, end in mate. There are none where it has mated already.
    Winnable(Vec<String>),
    /// It cannot, and why.
    Unwinnable(&'static str),
    /// Nobody knows: the search has given up.
    Undetermined,
}

/// What is known about a side's chances to mate, and what it took to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prospects {
    /// The answer.
    pub answer: Answer,
    /// Positions that the search has met; asking the static layers again counts as several. None without a search.
    pub nodes: u64,
}

/// Whether this side can mate from this position.
///
/// ```
/// use flagfall_core::Side;
/// use flagfall_judge::mate::{Answer, Position, can_mate};
///
/// let rook_against_knight = Position::read("8/8/8/8/4n3/1k6/8/K6R w - - 0 1")?;
/// assert!(matches!(can_mate(&rook_against_knight, Side::Black).answer, Answer::Winnable(_)));
/// let knight_alone = Position::read("8/8/8/8/4n3/1k6/8/K7 w - - 0 1")?;
/// assert!(matches!(can_mate(&knight_alone, Side::Black).answer, Answer::Unwinnable(_)));
/// # Ok::<(), flagfall_judge::mate::PositionError>(())
/// ```
#[must_use]
pub fn can_mate(position: &Position, side: Side) -> Prospects {
    let mating = match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    match cannot_ever_mate(position.board(), mating) {
        Some(reason) => Prospects { answer: Answer::Unwinnable(reason), nodes: 0 },
        None => search::search(position.board(), mating),
    }
}

/// Why neither side can ever mate, if that takes no search: the position is dead (FIDE Laws 5.2.2).
///
/// A position that is dead for another reason is not found here, and a text that is no position is none: `None` says
/// nothing.
///
/// ```
/// use flagfall_judge::mate::is_dead;
///
/// assert!(is_dead("8/8/4k3/8/8/8/4K3/8 b - - 0 50").is_some());
/// assert_eq!(is_dead("8/8/4k3/8/4p3/8/4K3/8 b - - 0 50"), None);
/// assert_eq!(is_dead("no position"), None);
/// ```
#[must_use]
pub fn is_dead(fen: &str) -> Option<&'static str> {
    let position = Position::read(fen).ok()?;
    let white = cannot_ever_mate(position.board(), Color::White)?;
    let black = cannot_ever_mate(position.board(), Color::Black)?;
    Some(if position.board().colors(Color::White).len() == 1 { black } else { white })
}

/// What tells a position from others with regard to the moves that are possible, and nothing else; `None` for a text that
/// is no position.
pub(crate) fn same_moves(fen: &str) -> Option<String> {
    let read = Position::read(fen).ok()?;
    let passed = position::passed(read.board()).map_or_else(|| "-".to_owned(), |square| square.to_string());
    let written = read.board().to_string();
    let mut fields = written.split(' ');
    let (men, side, castling) = (fields.next()?, fields.next()?, fields.next()?);
    Some(format!("{men} {side} {castling} {passed}"))
}

/// Why this side can never mate, if the static layers say so.
fn cannot_ever_mate(board: &Board, mating: Color) -> Option<&'static str> {
    material::cannot_mate(board, mating).or_else(|| {
        let is_shut = !net::can_be_woven(board, mating);
        is_shut.then_some("wherever the men can ever get to, no mating net can be woven")
    })
}
