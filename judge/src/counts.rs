//! How often a position has appeared, and how long no man was taken and no pawn moved (FIDE Laws 9.2.2, 9.2.3, 9.6 of
//! 2023).
//!
//! Positions are the same if the same side is to move, the same men stand on the same squares and the same moves are
//! possible: the castling rights are the same, and so is the pawn that can be taken in passing, if that move is legal.
//! The position at the beginning of the log is counted as the first one. What came before it nobody knows, but for the
//! moves without progress that its fifth field counts.

use std::collections::BTreeMap;

use flagfall_trace::{Act, Plan};

use crate::mate::same_moves;

/// After so many appearances the game is drawn by itself.
const APPEARANCES: u32 = 5;
/// After so many moves of both sides together without a capture or a pawn move: 75 of each.
const WITHOUT_PROGRESS: u32 = 150;

/// The moves after which a count is reached, by their step, and which.
pub(crate) fn drawn(plan: &Plan) -> BTreeMap<usize, &'static str> {
    let mut appeared: BTreeMap<String, u32> = same_moves(&plan.position).map(|first| (first, 1)).into_iter().collect();
    let mut quiet = counter(&plan.position);
    let mut drawn = BTreeMap::new();
    for (index, step) in plan.steps.iter().enumerate() {
        let Act::Move(made) = &step.act else { continue };
        // The library's own counter stops at a hundred.
        quiet = if counter(&made.after) == 0 { 0 } else { quiet.saturating_add(1) };
        let times = same_moves(&made.after).map_or(1, |same| {
            let times = appeared.entry(same).or_insert(0);
            *times += 1;
            *times
        });
        if times >= APPEARANCES {
            drawn.insert(index, "the same position has appeared five times");
        } else if quiet >= WITHOUT_PROGRESS {
            drawn.insert(index, "each player has made 75 moves without a capture or a pawn move");
        }
    }
    drawn
}

/// Moves of both sides since the last capture or pawn move, as far as the notation of a position has them.
fn counter(fen: &str) -> u32 {
    fen.split_whitespace().nth(4).and_then(|field| field.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_that_nobody_can_take_in_passing_makes_no_other_position() {
        let free = same_moves("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
        assert!(free.is_some());
        assert_eq!(free, same_moves("4k3/8/8/8/4P3/8/8/4K3 b - - 4 9"));
        let takes = same_moves("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        assert_ne!(takes, same_moves("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
        let pinned = same_moves("3k4/8/8/8/3pP3/8/8/3QK3 b - e3 0 1");
        assert_eq!(pinned, same_moves("3k4/8/8/8/3pP3/8/8/3QK3 b - - 0 1"), "the pawn may not leave its file");
    }

    #[test]
    fn side_and_castling_rights_tell_positions_apart() {
        let one = same_moves("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_ne!(one, same_moves("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
        assert_ne!(one, same_moves("4k3/8/8/8/8/8/8/4K2R b K - 0 1"));
        assert_eq!(one, same_moves("4k3/8/8/8/8/8/8/4K2R w K - 30 41"));
        assert_eq!(same_moves("no position"), None);
    }
}
