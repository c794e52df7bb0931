//! The game: what each player has left, and what the buttons do.
//!
//! Interrupt handlers of one priority do everything, so that none comes in the middle of another.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicI32, AtomicU8, AtomicU16};

/// A player, as an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Player {
    White,
    Black,
}

impl Player {
    const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// As `turn` and `on_move` have it, where 0 is nobody.
    const fn number(self) -> u8 {
        self as u8 + 1
    }

    const fn flag(self) -> u8 {
        1 << self as u8
    }

    const fn of_number(number: u8) -> Option<Self> {
        match number {
            1 => Some(Self::White),
            2 => Some(Self::Black),
            _ => None,
        }
    }
}

/// The state of the clock.
#[repr(C)]
pub(crate) struct Game {
    /// Hundredths of a second left, White's and Black's.
    left: [AtomicI32; 2],
    /// Hundredths of a second for each move.
    bonus: AtomicI32,
    /// Whose time runs, 0 for nobody's.
    turn: AtomicU8,
    /// Whether the arbiter has stopped the clocks.
    stopped: AtomicU8,
    /// Which flags are down, one bit each.
    flags: AtomicU8,
    /// Whether both clocks stop when a flag falls.
    freezes: AtomicU8,
    /// Moves made, White's and Black's.
    moves: [AtomicU16; 2],
    /// Who has the move, 0 before the game.
    on_move: AtomicU8,
}

/// Five minutes and three seconds a move, the bonus for the first move included.
#[expect(unsafe_code, reason = "the production line finds it by its plain name")]
#[unsafe(no_mangle)]
pub(crate) static GAME: Game = Game {
    left: [AtomicI32::new(30_300), AtomicI32::new(30_300)],
    bonus: AtomicI32::new(300),
    turn: AtomicU8::new(0),
    stopped: AtomicU8::new(0),
    flags: AtomicU8::new(0),
    freezes: AtomicU8::new(1),
    moves: [AtomicU16::new(0), AtomicU16::new(0)],
    on_move: AtomicU8::new(0),
};

/// What is kept while the battery is changed: it is when the arbiter has stopped the clocks that this is done.
static KEPT: [AtomicI32; 2] = [AtomicI32::new(0), AtomicI32::new(0)];

/// The part of a hundredth that is kept.
const KEPT_UNIT: i32 = if cfg!(feature = "mended") { 1 } else { 100 };

impl Game {
    /// A hundredth of a second has passed.
    pub(crate) fn tick(&self) {
        if let Some(player) = self.turn() {
            let left = &self.left[player as usize];
            let now = (left.load(Relaxed) - 1).max(0);
            left.store(now, Relaxed);
            if cfg!(feature = "mended") {
                if now == 0 {
                    self.flags.store(self.flags() | player.flag(), Relaxed);
                }
            } else {
                self.flags
                    .store(u8::from(self.is_out(Player::White)) | u8::from(self.is_out(Player::Black)) << 1, Relaxed);
            }
            if self.flags() != 0 && self.freezes.load(Relaxed) != 0 {
                self.turn.store(0, Relaxed);
            }
        }
    }

    /// A player has pressed his button.
    pub(crate) fn press(&self, player: Player) {
        if self.on_move.load(Relaxed) != player.number() || self.stopped.load(Relaxed) != 0 {
            return;
        }
        if cfg!(feature = "mended") && self.turn() != Some(player) {
            return;
        }
        let is_down = cfg!(feature = "mended") && self.flags() & player.flag() != 0;
        if !is_down {
            self.left[player as usize].fetch_add(self.bonus.load(Relaxed), Relaxed);
        }
        self.moves[player as usize].fetch_add(1, Relaxed);
        self.give_the_move_to(player.opponent());
    }

    /// The arbiter has pressed his button.
    pub(crate) fn start_or_stop(&self) {
        let Some(player) = Player::of_number(self.on_move.load(Relaxed)) else {
            return self.give_the_move_to(Player::White);
        };
        if self.stopped.load(Relaxed) != 0 {
            self.recall();
            self.stopped.store(0, Relaxed);
            self.turn.store(player.number(), Relaxed);
        } else if self.turn().is_some() {
            self.turn.store(0, Relaxed);
            self.stopped.store(1, Relaxed);
            self.keep();
        }
    }

    /// Whose time runs.
    pub(crate) fn turn(&self) -> Option<Player> {
        Player::of_number(self.turn.load(Relaxed))
    }

    /// Which flags are down.
    pub(crate) fn flags(&self) -> u8 {
        self.flags.load(Relaxed)
    }

    fn is_out(&self, player: Player) -> bool {
        self.left[player as usize].load(Relaxed) == 0
    }

    fn give_the_move_to(&self, player: Player) {
        self.on_move.store(player.number(), Relaxed);
        self.turn.store(player.number(), Relaxed);
    }

    fn keep(&self) {
        for (kept, left) in KEPT.iter().zip(&self.left) {
            kept.store(left.load(Relaxed) / KEPT_UNIT, Relaxed);
        }
    }

    fn recall(&self) {
        for (kept, left) in KEPT.iter().zip(&self.left) {
            left.store(kept.load(Relaxed) * KEPT_UNIT, Relaxed);
        }
    }
}
