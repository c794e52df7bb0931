//! One stage of a time control, and what its moves bring.
//!
//! Read FIDE Laws 6.3 (periods, extra time, delay) and the glossary entries "increment" and "delay" first.

use core::fmt;

/// Longest time a period, an opening or a correction may give: 100 hours, far above any control in use.
pub const TIME_MS_MAX: u64 = 100 * 3_600_000;

/// Longest bonus per move, byo-yomi period or Canadian stage: one hour.
pub const BONUS_MS_MAX: u32 = 3_600_000;

/// Most byo-yomi periods, so that a late look at the clock finds a bounded number of things to tell.
pub const BYO_YOMI_MAX: u8 = 10;

/// How a period treats the time of its moves, beside its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing: the base is all there is.
    None,
    /// Time added to what is left, cumulative (Fischer).
    Increment {
        /// Milliseconds per move.
        ms: u32,
    },
    /// Time that runs off before the main time does; what is not used is lost (FIDE Laws 6.3b, US delay).
    Delay {
        /// Milliseconds per move.
        ms: u32,
    },
    /// The delay in its other form: the time is part of what is shown, and what a move used of it is given back.
    Bronstein {
        /// Milliseconds per move.
        ms: u32,
    },
    /// What runs off one side runs on to the other.
    Hourglass,
    /// After the base, periods of which each starts anew as long as a move is made within it.
    ByoYomi {
        /// How many, 1 to [`BYO_YOMI_MAX`].
        periods: u8,
        /// Milliseconds of each.
        ms: u32,
    },
    /// After the base, stages of so many moves in so much time.
    Canadian {
        /// Moves of a stage.
        moves: u16,
        /// Milliseconds of a stage.
        ms: u32,
    },
    /// The base is for each single move; what a move leaves of it is lost.
    PerMove,
    /// The clock counts the time used upwards and has no flag.
    CountUp,
}

impl Bonus {
    /// The milliseconds it names, zero for one that names none.
    #[must_use]
    pub const fn ms(self) -> u32 {
        match self {
            Self::Increment { ms }
            | Self::Delay { ms }
            | Self::Bronstein { ms }
            | Self::ByoYomi { ms, .. }
            | Self::Canadian { ms, .. } => ms,
            Self::None | Self::Hourglass | Self::PerMove | Self::CountUp => 0,
        }
    }

    /// Whether a period with it goes on for as long as the game does, so that none can follow.
    #[must_use]
    pub const fn is_last_only(self) -> bool {
        match self {
            Self::ByoYomi { .. } | Self::Canadian { .. } | Self::PerMove | Self::Hourglass | Self::CountUp => true,
            Self::None | Self::Increment { .. } | Self::Delay { .. } | Self::Bronstein { .. } => false,
        }
    }

    /// Whether it makes sense only for a whole game, so that no period can come before it.
    #[must_use]
    pub const fn is_alone(self) -> bool {
        matches!(self, Self::Hourglass | Self::CountUp)
    }
}

/// One stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves that must be made in this period. `None` in the last period, which is for all that remain, and in every
    /// period of a control that is driven by time: there the first side to reach zero opens the next for both.
    pub moves: Option<u16>,
    /// Milliseconds given at the beginning of the period.
    pub base_ms: u64,
    /// What each move of the period brings.
    pub bonus: Bonus,
}

impl Period {
    /// A period of so many moves.
    #[must_use]
    pub const fn of_moves(moves: u16, base_ms: u64, bonus: Bonus) -> Self {
        Self { moves: Some(moves), base_ms, bonus }
    }

    /// A period for all remaining moves, or until its time is used up.
    #[must_use]
    pub const fn all_moves(base_ms: u64, bonus: Bonus) -> Self {
        Self { moves: None, base_ms, bonus }
    }
}

impl fmt::Display for Period {
    /// `40/2h`, `15m+30s`, `25m;d5s` (delay), `25m;b5s` (Bronstein), `1m;hourglass`, `1h;byo-yomi 5x30s`,
    /// `1h;canadian 20/10m`, `30s;per-move`, `0s;count-up`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        let span = |ms: u32| Span(u64::from(ms));
        let base = Span(self.base_ms);
        match self.bonus {
            Bonus::None => write!(f, "{base}"),
            Bonus::Increment { ms } => write!(f, "{base}+{}", span(ms)),
            Bonus::Delay { ms } => write!(f, "{base};d{}", span(ms)),
            Bonus::Bronstein { ms } => write!(f, "{base};b{}", span(ms)),
            Bonus::Hourglass => write!(f, "{base};hourglass"),
            Bonus::ByoYomi { periods, ms } => write!(f, "{base};byo-yomi {periods}x{}", span(ms)),
            Bonus::Canadian { moves, ms } => write!(f, "{base};canadian {moves}/{}", span(ms)),
            Bonus::PerMove => write!(f, "{base};per-move"),
            Bonus::CountUp => write!(f, "{base};count-up"),
        }
    }
}

/// Milliseconds as people write them: `1h30m`, `2.5s`, `0s`.
struct Span(u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0;
        let (h, m, s, rest) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000);
        if h > 0 {
            write!(f, "{h}h")?;
        }
        if m > 0 {
            write!(f, "{m}m")?;
        }
        match (s, rest) {
            (0, 0) if ms > 0 => Ok(()),
            (s, 0) => write!(f, "{s}s"),
            (s, rest) if rest % 100 == 0 => write!(f, "{s}.{}s", rest / 100),
            (s, rest) => write!(f, "{s}.{rest:03}s"),
        }
    }
}
