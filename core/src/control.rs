//! How much time a side has: its periods, first to last.
//!
//! Read FIDE Laws 6.3 (periods, saved time, delay), 6.4 and 6.9 (what a fallen flag means: not decided here) before
//! changing this file.

use core::fmt;

use crate::period::{BONUS_MS_MAX, BYO_YOMI_MAX, Bonus, Period, TIME_MS_MAX};
use crate::side::BySide;

/// Most periods a control may have: `40/2h, 20/1h, 15m+30s` needs three.
pub const PERIODS_MAX: usize = 4;

/// One to [`PERIODS_MAX`] periods, checked.
///
/// Either every period but the last names its moves, and a side enters the next with its own last move of one; or none
/// does, and both sides enter the next when the first of them reaches zero.
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
    /// A period before the last names no moves although others do: name moves in all of them, or in none.
    Mixed(usize),
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
    /// A bonus of no time or no moves: leave it out or give some.
    EmptyBonus(usize),
    /// More than [`BYO_YOMI_MAX`] byo-yomi periods: give fewer.
    TooManyByoYomi(usize),
    /// A period with a bonus that lasts to the end of the game, and another after it: make it the last.
    NotLast(usize),
    /// Hourglass and count-up are for a whole game: leave the other periods out.
    NotAlone(usize),
    /// The targets add up to more moves than a counter holds (65 535): ask for fewer.
    TooManyMoves(usize),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nth = |index: &usize| index + 1;
        match self {
            Self::Empty => f.write_str("a time control has at least one period"),
            Self::TooMany => write!(f, "a time control has at most {PERIODS_MAX} periods"),
            Self::Mixed(i) => write!(
                f,
                "period {} is not the last and says nothing of its moves, though others do: name moves in all, or in none",
                nth(i)
            ),
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
            Self::EmptyBonus(i) => write!(f, "period {} has a bonus of nothing", nth(i)),
            Self::TooManyByoYomi(i) => write!(f, "period {} has more than {BYO_YOMI_MAX} byo-yomi periods", nth(i)),
            Self::NotLast(i) => write!(f, "period {} lasts to the end of the game, and another follows it", nth(i)),
            Self::NotAlone(i) => write!(f, "period {} is for a whole game and has others beside it", nth(i)),
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
        let by_time = first.moves.is_none();
        let mut target = 0_u16;
        for (index, period) in periods.iter().enumerate() {
            check_period(index, period)?;
            check_place(index, period, periods.len(), by_time)?;
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

    /// Whether its periods end when a side reaches zero, and not with a number of moves.
    #[must_use]
    pub const fn is_driven_by_time(&self) -> bool {
        self.count > 1 && self.periods[0].moves.is_none()
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

    /// The period in which the move after `moves` completed ones is played; the first if moves do not drive it.
    #[must_use]
    pub fn period_after(&self, moves: u16) -> u8 {
        if self.is_driven_by_time() {
            return 0;
        }
        (0..self.last()).find(|index| self.target(*index).is_some_and(|target| moves < target)).unwrap_or(self.last())
    }
}

impl fmt::Display for TimeControl {
    /// `40/2h, 20/1h, 15m+30s`: the periods as [`Period`] writes them; `2h, 1h` is driven by time.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods().iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{period}")?;
        }
        Ok(())
    }
}

impl fmt::Display for BySide<TimeControl> {
    /// The control of both sides, or of each where odds are given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { white, black } = self;
        if white == black { write!(f, "{white}") } else { write!(f, "White {white}, Black {black}") }
    }
}

/// What a period must be wherever it stands.
fn check_period(index: usize, period: &Period) -> Result<(), ControlError> {
    let bonus_ms = period.bonus.ms();
    if period.moves == Some(0) {
        return Err(ControlError::ZeroMoves(index));
    }
    if period.base_ms > TIME_MS_MAX {
        return Err(ControlError::BaseTooLong(index));
    }
    if bonus_ms > BONUS_MS_MAX {
        return Err(ControlError::BonusTooLong(index));
    }
    let empty = match period.bonus {
        Bonus::None | Bonus::Hourglass | Bonus::PerMove | Bonus::CountUp => false,
        Bonus::Increment { .. } | Bonus::Delay { .. } | Bonus::Bronstein { .. } => bonus_ms == 0,
        Bonus::ByoYomi { periods, .. } => bonus_ms == 0 || periods == 0,
        Bonus::Canadian { moves, .. } => bonus_ms == 0 || moves == 0,
    };
    match period.bonus {
        _ if empty => Err(ControlError::EmptyBonus(index)),
        Bonus::ByoYomi { periods, .. } if periods > BYO_YOMI_MAX => Err(ControlError::TooManyByoYomi(index)),
        Bonus::CountUp => Ok(()),
        _ if period.base_ms == 0 && bonus_ms == 0 => Err(ControlError::NoTime(index)),
        _ => Ok(()),
    }
}

/// What a period must be where it stands.
fn check_place(index: usize, period: &Period, count: usize, by_time: bool) -> Result<(), ControlError> {
    let last = index + 1 == count;
    match period.moves {
        Some(_) if last => return Err(ControlError::LastCounts(index)),
        Some(_) if by_time => return Err(ControlError::Mixed(0)),
        None if !last && !by_time => return Err(ControlError::Mixed(index)),
        _ => {}
    }
    if period.bonus.is_alone() && count > 1 {
        return Err(ControlError::NotAlone(index));
    }
    if period.bonus.is_last_only() && !last { Err(ControlError::NotLast(index)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    const FORTY: Period = Period::of_moves(40, 7_200_000, Bonus::None);
    const TWENTY: Period = Period::of_moves(20, 3_600_000, Bonus::None);
    const REST: Period = Period::all_moves(900_000, Bonus::Increment { ms: 30_000 });
    const HOUR: Period = Period::all_moves(3_600_000, Bonus::None);

    #[test]
    fn targets_are_cumulative() {
        let control = TimeControl::new(&[FORTY, TWENTY, REST]).expect("a classic control");
        assert_eq!((control.target(0), control.target(1), control.target(2)), (Some(40), Some(60), None));
        let periods = [0, 39, 40, 59, 60, 200].map(|moves| control.period_after(moves));
        assert_eq!(periods, [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn a_control_driven_by_time_has_no_targets() {
        let control = TimeControl::new(&[HOUR, HOUR, REST]).expect("a control driven by time");
        assert!(control.is_driven_by_time());
        assert_eq!([0, 40, 200].map(|moves| control.period_after(moves)), [0, 0, 0]);
        assert!(!TimeControl::new(&[HOUR]).expect("one period").is_driven_by_time());
    }

    #[test]
    fn a_control_is_written_as_people_write_it() {
        let text = |periods: &[Period]| TimeControl::new(periods).expect("a control").to_string();
        let one = |base_ms, bonus| text(&[Period::all_moves(base_ms, bonus)]);
        assert_eq!(text(&[FORTY, TWENTY, REST]), "40/2h, 20/1h, 15m+30s");
        assert_eq!(text(&[HOUR, REST]), "1h, 15m+30s");
        assert_eq!(one(1_500_000, Bonus::Delay { ms: 5_000 }), "25m;d5s");
        assert_eq!(one(1_500_000, Bonus::Bronstein { ms: 5_000 }), "25m;b5s");
        assert_eq!(one(0, Bonus::Increment { ms: 2_500 }), "0s+2.5s");
        assert_eq!(one(90_061_001, Bonus::None), "25h1m1.001s");
        assert_eq!(one(3_660_000, Bonus::None), "1h1m");
        assert_eq!(one(59_999, Bonus::None), "59.999s");
        assert_eq!(one(60_010, Bonus::None), "1m0.010s");
        assert_eq!(one(60_000, Bonus::Hourglass), "1m;hourglass");
        assert_eq!(one(3_600_000, Bonus::ByoYomi { periods: 5, ms: 30_000 }), "1h;byo-yomi 5x30s");
        assert_eq!(one(0, Bonus::Canadian { moves: 20, ms: 600_000 }), "0s;canadian 20/10m");
        assert_eq!(one(30_000, Bonus::PerMove), "30s;per-move");
        assert_eq!(one(0, Bonus::CountUp), "0s;count-up");
    }

    #[test]
    fn each_impossible_control_is_named() {
        let all = Period::all_moves;
        let long = all(TIME_MS_MAX + 1, Bonus::None);
        let many = Period::of_moves(u16::MAX, 1, Bonus::None);
        let byo_yomi = |periods| all(1, Bonus::ByoYomi { periods, ms: 1 });
        let cases: [(&[Period], ControlError); 16] = [
            (&[], ControlError::Empty),
            (&[FORTY, FORTY, FORTY, FORTY, REST], ControlError::TooMany),
            (&[FORTY, REST, REST], ControlError::Mixed(1)),
            (&[REST, FORTY, REST], ControlError::Mixed(0)),
            (&[FORTY], ControlError::LastCounts(0)),
            (&[Period::of_moves(0, 1, Bonus::None), REST], ControlError::ZeroMoves(0)),
            (&[FORTY, long], ControlError::BaseTooLong(1)),
            (&[all(1, Bonus::Delay { ms: BONUS_MS_MAX + 1 })], ControlError::BonusTooLong(0)),
            (&[all(0, Bonus::None)], ControlError::NoTime(0)),
            (&[all(0, Bonus::PerMove)], ControlError::NoTime(0)),
            (&[all(1, Bonus::Bronstein { ms: 0 })], ControlError::EmptyBonus(0)),
            (&[all(1, Bonus::Canadian { moves: 0, ms: 1 })], ControlError::EmptyBonus(0)),
            (&[byo_yomi(BYO_YOMI_MAX + 1)], ControlError::TooManyByoYomi(0)),
            (&[byo_yomi(1), REST], ControlError::NotLast(0)),
            (&[FORTY, all(1, Bonus::Hourglass)], ControlError::NotAlone(1)),
            (&[many, FORTY, REST], ControlError::TooManyMoves(1)),
        ];
        for (periods, error) in cases {
            assert_eq!(TimeControl::new(periods), Err(error));
            let nth = match error {
                ControlError::Empty | ControlError::TooMany => "a time control has at",
                ControlError::TooManyMoves(_) => "up to period 2",
                ControlError::Mixed(1) | ControlError::BaseTooLong(_) | ControlError::NotAlone(_) => "period 2",
                _ => "period 1",
            };
            let message = error.to_string();
            assert!(message.contains(nth), "{error:?}: {message}");
        }
    }

    #[test]
    fn the_largest_control_is_one() {
        let all = Period::all_moves;
        let byo_yomi = Bonus::ByoYomi { periods: BYO_YOMI_MAX, ms: BONUS_MS_MAX };
        let half = Period::of_moves(u16::MAX / 2, TIME_MS_MAX, Bonus::Increment { ms: BONUS_MS_MAX });
        let one = Period::of_moves(1, 0, Bonus::Delay { ms: 1 });
        let control = TimeControl::new(&[half, half, one, all(0, byo_yomi)]).expect("at every limit");
        assert_eq!((control.target(2), control.target(3)), (Some(u16::MAX), None));
        assert_eq!((control.period_after(u16::MAX - 1), control.period_after(u16::MAX)), (2, 3));
        assert_eq!((control.last(), control.period(200)), (3, control.period(3)));
    }

    #[test]
    fn byo_yomi_without_periods_is_none() {
        for (periods, ms) in [(0, 1), (1, 0)] {
            let control = TimeControl::new(&[Period::all_moves(1, Bonus::ByoYomi { periods, ms })]);
            assert_eq!(control, Err(ControlError::EmptyBonus(0)));
            let control = TimeControl::new(&[Period::all_moves(1, Bonus::Canadian { moves: periods.into(), ms })]);
            assert_eq!(control, Err(ControlError::EmptyBonus(0)));
        }
    }

    #[test]
    fn what_lasts_to_the_end_of_the_game_can_follow_other_periods_and_nothing_can_follow_it() {
        let byo_yomi = Bonus::ByoYomi { periods: 1, ms: 1 };
        for bonus in [byo_yomi, Bonus::Canadian { moves: 1, ms: 1 }, Bonus::PerMove] {
            let lasting = Period::all_moves(1, bonus);
            assert!(TimeControl::new(&[FORTY, lasting]).is_ok(), "{bonus:?}");
            assert!(TimeControl::new(&[HOUR, lasting]).is_ok(), "{bonus:?}");
            assert_eq!(TimeControl::new(&[lasting, HOUR]), Err(ControlError::NotLast(0)), "{bonus:?}");
        }
        for bonus in [Bonus::Hourglass, Bonus::CountUp] {
            let whole_game = Period::all_moves(1, bonus);
            assert!(TimeControl::new(&[whole_game]).is_ok(), "{bonus:?}");
            assert_eq!(TimeControl::new(&[whole_game, HOUR]), Err(ControlError::NotAlone(0)), "{bonus:?}");
        }
    }

    #[test]
    fn odds_are_written_for_each_side() {
        let (hour, rest) = (TimeControl::new(&[HOUR]), TimeControl::new(&[REST]));
        let (hour, rest) = (hour.expect("one period"), rest.expect("one period"));
        assert_eq!(BySide::both(hour).to_string(), "1h");
        assert_eq!(BySide::new(hour, rest).to_string(), "White 1h, Black 15m+30s");
    }
}
