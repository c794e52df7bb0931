//! F: whether the opponent of a player who is to lose can still mate (FIDE Laws 6.9, 7.5.5).

use flagfall_core::{Side, TrueTime};

use super::{Arbiter, Evidence};
use crate::mate::{self, Answer as Mate, Position, Prospects};
use crate::point::Point;
use crate::ruling::{Decision, GameResult, Outcome};

/// What becomes of the player, with what it rests on.
pub(super) enum Prospect {
    /// The opponent can mate.
    Loss(Evidence),
    /// He cannot by any series of legal moves.
    Draw(Evidence),
    /// Nobody knows.
    Unknown(Evidence),
}

impl Arbiter<'_> {
    pub(super) fn prospect(&self, loser: Side, evidence: Evidence) -> Prospect {
        let opponent = loser.other();
        let evidence = evidence.and(format!("the position is {}", self.position));
        match Position::read(&self.position).map(|position| mate::can_mate(&position, opponent)) {
            Ok(Prospects { answer: Mate::Winnable(line), .. }) => {
                Prospect::Loss(evidence.and(format!("{opponent} can still mate: {}", line.join(" "))))
            }
            Ok(Prospects { answer: Mate::Unwinnable(reason), .. }) => {
                Prospect::Draw(evidence.and(format!("{opponent} cannot mate: {reason}")))
            }
            Ok(Prospects { answer: Mate::Undetermined, nodes }) => {
                Prospect::Unknown(evidence.and(format!("no mate by {opponent} was found in {nodes} positions")))
            }
            Err(error) => Prospect::Unknown(evidence.and(error.to_string())),
        }
    }

    /// The ruling where nobody knows whether the opponent can mate.
    pub(super) fn needs_the_prospect(&mut self, point: Point, loser: Side, at: TrueTime, evidence: Evidence) {
        let loss = Outcome::Result(GameResult::lost_by(loser));
        let answers = vec![("yes".to_owned(), loss), ("no".to_owned(), Outcome::Result(GameResult::Draw))];
        let needs = Decision::Needs { fact: format!("{}-can-mate", loser.other()), answers };
        self.record(point, at, needs, evidence, 0);
    }
}
