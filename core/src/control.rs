//! How much time a side has: periods, bonus per move, what happens at zero.
//!
//! Read FIDE Laws 6.3 (periods, saved time, delay), 6.4 and 6.9 (what a fallen flag means: not decided here), and the
//! requirements for electronic clocks (a) to (l) before changing this file.

use core::fmt;

use crate::side::{BySide, Side};

/// Most periods a control may have: `40/2h, 20/1h, 15m+30s` needs three.
pub const PERIODS_MAX: usize = 4;

/// Longest time a period, an opening or a correction may give: 100 hours, far above any control in use.
pub const TIME_MS_MAX: u64 = 100 * 3_600_000;

/// Longest bonus per move: one hour.
pub const BONUS_MS_MAX: u32 = 3_600_000;

/// What a side gets with every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
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
}

/// One stage of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves that must be made in this period, `None` for all that remain (the last period).
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

    /// A period for all remaining moves.
    #[must_use]
    pub const fn all_moves(base_ms: u64, bonus: Bonus) -> Self {
        Self { moves: None, base_ms, bonus }
    }
}

/// One to [`PERIODS_MAX`] periods, checked: every period but the last names its moves and the last does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    periods: [Period; PERIODS_MAX],
    count: u8,
}

/// Why a list of periods is no time control; the index counts from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlError {
    /// No period at all: give at least one.
    Empty,
    /// More than [`PERIODS_MAX`] periods: shorten the list.
    TooMany,
    /// A period before the last has no number of moves, so that it would never end: name one.
    NoMoves(usize),
    /// The last period names a number of moves, so that nothing follows them: leave it out.
    LastCounts(usize),
    /// A period of zero moves: name at least one.
    ZeroMoves(usize),
    /// The base is above [`TIME_MS_MAX`]: give less.
    BaseTooLong(usize),
    /// The bonus is above [`BONUS_MS_MAX`]: give less.
    BonusTooLong(usize),
    /// Neither base nor bonus: a side would have no time at all.
    NoTime(usize),
    /// The targets add up to more moves than a counter holds (65 535): ask for fewer.
    TooManyMoves(usize),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nth = |index: &usize| index + 1;
        match self {
            Self::Empty => f.write_str("a time control has at least one period"),
            Self::TooMany => write!(f, "a time control has at most {PERIODS_MAX} periods"),
            Self::NoMoves(i) => write!(f, "period {} is not the last and must say how many moves it has", nth(i)),
            Self::LastCounts(i) => {
                write!(
                    f,
                    "period {} is the last and must not name a number of moves: it is for all that remain",
                    nth(i)
                )
            }
            Self::ZeroMoves(i) => write!(f, "period {} has zero moves", nth(i)),
            Self::BaseTooLong(i) => write!(f, "period {} gives more than 100 h", nth(i)),
            Self::BonusTooLong(i) => write!(f, "period {} gives more than 1 h per move", nth(i)),
            Self::NoTime(i) => write!(f, "period {} gives no time at all", nth(i)),
            Self::TooManyMoves(i) => write!(f, "the targets up to period {} exceed 65535 moves", nth(i)),
        }
    }
}

impl core::error::Error for ControlError {}

impl TimeControl {
    /// A control from its periods, first to last.
    ///
    /// # Errors
    /// [`ControlError`] names the first period that cannot be and what to do about it.
    pub fn new(periods: &[Period]) -> Result<Self, ControlError> {
        let Some(first) = periods.first() else { return Err(ControlError::Empty) };
        if periods.len() > PERIODS_MAX {
            return Err(ControlError::TooMany);
        }
        let mut target = 0_u16;
        for (index, period) in periods.iter().enumerate() {
            check_period(index, period, index + 1 == periods.len())?;
            target = target.checked_add(period.moves.unwrap_or(0)).ok_or(ControlError::TooManyMoves(index))?;
        }
        let mut all = [*first; PERIODS_MAX];
        all[..periods.len()].copy_from_slice(periods);
        Ok(Self { periods: all, count: periods.len() as u8 })
    }

    /// The periods, first to last.
    #[must_use]
    pub fn periods(&self) -> &[Period] {
        &self.periods[..usize::from(self.count)]
    }

    /// The period with this index, the last one for any index beyond.
    #[must_use]
    pub fn period(&self, index: u8) -> &Period {
        &self.periods[usize::from(index.min(self.count - 1))]
    }

    /// The index of the last period.
    #[must_use]
    pub const fn last(&self) -> u8 {
        self.count - 1
    }

    /// How many moves must have been made, counted from move 1, when this period ends: targets are cumulative.
    #[must_use]
    pub fn target(&self, index: u8) -> Option<u16> {
        let mut sum = 0;
        for period in &self.periods()[..=usize::from(index.min(self.last()))] {
            sum += period.moves?;
        }
        Some(sum)
    }

    /// The period in which the move after `moves` completed ones is played.
    #[must_use]
    pub fn period_after(&self, moves: u16) -> u8 {
        (0..self.last()).find(|index| self.target(*index).is_some_and(|target| moves < target)).unwrap_or(self.last())
    }
}

impl fmt::Display for TimeControl {
    /// `40/2h, 20/1h, 15m+30s`; a delay is written `25m;d5s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods().iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            write_span(f, period.base_ms)?;
            match period.bonus {
                Bonus::None => {}
                Bonus::Increment { ms } => {
                    f.write_str("+")?;
                    write_span(f, u64::from(ms))?;
                }
                Bonus::Delay { ms } => {
                    f.write_str(";d")?;
                    write_span(f, u64::from(ms))?;
                }
            }
        }
        Ok(())
    }
}

/// `1h30m`, `2.5s`, `0s`: the units that are needed and no others.
fn write_span(f: &mut fmt::Formatter<'_>, ms: u64) -> fmt::Result {
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

fn check_period(index: usize, period: &Period, last: bool) -> Result<(), ControlError> {
    match period.moves {
        None if !last => return Err(ControlError::NoMoves(index)),
        Some(_) if last => return Err(ControlError::LastCounts(index)),
        Some(0) => return Err(ControlError::ZeroMoves(index)),
        _ => {}
    }
    let bonus_ms = match period.bonus {
        Bonus::None => 0,
        Bonus::Increment { ms } | Bonus::Delay { ms } => ms,
    };
    if period.base_ms > TIME_MS_MAX {
        return Err(ControlError::BaseTooLong(index));
    }
    if bonus_ms > BONUS_MS_MAX {
        return Err(ControlError::BonusTooLong(index));
    }
    if period.base_ms == 0 && bonus_ms == 0 {
        return Err(ControlError::NoTime(index));
    }
    Ok(())
}

/// When an increment is credited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Credit {
    /// Before each move, the first included (FIDE's glossary and requirement E-l): a 3 min + 2 s game starts at 3:02.
    #[default]
    BeforeMove,
    /// After each move: a 3 min + 2 s game starts at 3:00.
    AfterMove,
}

/// What the clock does when a side reaches zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtZero {
    /// Both sides stop and keep what they show (FIDE requirement 5.4.1 for increment modes).
    #[default]
    Freeze,
    /// The game clock goes on: presses still switch, the fallen side stays at zero, the other can fall as well.
    RunOn,
}

/// Where one side stands when the clock is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Milliseconds left, bonus included; `None` for the base of its period (and the first increment).
    pub left_ms: Option<u64>,
    /// Moves already completed.
    pub moves: u16,
}

/// Everything a clock is told before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The periods.
    pub control: TimeControl,
    /// When increments are credited.
    pub credit: Credit,
    /// What happens at zero.
    pub at_zero: AtZero,
    /// Whether time saved in one period is added to the next (FIDE Laws 6.3b "where applicable").
    pub carry_over: bool,
    /// Whether the clock shows which flag fell first (FIDE requirement (e)).
    pub first_fallen_sign: bool,
    /// Which side the starting signal sets running.
    pub first: Side,
    /// Where each side stands.
    pub opening: BySide<Opening>,
}

impl Setup {
    /// A setup with FIDE's defaults: increment before the first move, freeze at zero, carry-over, first-fallen sign, White first.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self {
            control,
            credit: Credit::BeforeMove,
            at_zero: AtZero::Freeze,
            carry_over: true,
            first_fallen_sign: true,
            first: Side::White,
            opening: BySide::both(Opening::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORTY: Period = Period::of_moves(40, 7_200_000, Bonus::None);
    const TWENTY: Period = Period::of_moves(20, 3_600_000, Bonus::None);
    const REST: Period = Period::all_moves(900_000, Bonus::Increment { ms: 30_000 });

    #[test]
    fn targets_are_cumulative() {
        let control = TimeControl::new(&[FORTY, TWENTY, REST]).expect("a classic control");
        assert_eq!((control.target(0), control.target(1), control.target(2)), (Some(40), Some(60), None));
        let periods = [0, 39, 40, 59, 60, 200].map(|moves| control.period_after(moves));
        assert_eq!(periods, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_control_is_written_as_people_write_it() {
        extern crate std;
        use std::string::ToString;
        let text = |periods: &[Period]| TimeControl::new(periods).expect("a control").to_string();
        assert_eq!(text(&[FORTY, TWENTY, REST]), "40/2h, 20/1h, 15m+30s");
        assert_eq!(text(&[Period::all_moves(1_500_000, Bonus::Delay { ms: 5_000 })]), "25m;d5s");
        assert_eq!(text(&[Period::all_moves(0, Bonus::Increment { ms: 2_500 })]), "0s+2.5s");
        assert_eq!(text(&[Period::all_moves(90_061_001, Bonus::None)]), "25h1m1.001s");
    }

    #[test]
    fn each_impossible_control_is_named() {
        let no_time = Period::all_moves(0, Bonus::None);
        let long = Period::all_moves(TIME_MS_MAX + 1, Bonus::None);
        let bonus = Period::all_moves(1, Bonus::Delay { ms: BONUS_MS_MAX + 1 });
        let many = Period::of_moves(u16::MAX, 1, Bonus::None);
        let cases: [(&[Period], ControlError); 9] = [
            (&[], ControlError::Empty),
            (&[FORTY, FORTY, FORTY, FORTY, REST], ControlError::TooMany),
            (&[REST, REST], ControlError::NoMoves(0)),
            (&[FORTY], ControlError::LastCounts(0)),
            (&[Period::of_moves(0, 1, Bonus::None), REST], ControlError::ZeroMoves(0)),
            (&[FORTY, long], ControlError::BaseTooLong(1)),
            (&[bonus], ControlError::BonusTooLong(0)),
            (&[no_time], ControlError::NoTime(0)),
            (&[many, FORTY, REST], ControlError::TooManyMoves(1)),
        ];
        for (periods, error) in cases {
            assert_eq!(TimeControl::new(periods), Err(error));
        }
    }
}
