//! Control notation: whatever a control can be, it reads back as it is written.

use flagfall_core::control::{PERIODS_MAX, TimeControl};
use flagfall_core::period::{BONUS_MS_MAX, BYO_YOMI_MAX, Bonus, Period, TIME_MS_MAX};
use flagfall_scenarios::control::{self, pgn};
use proptest::prelude::*;
use proptest::sample::select;

/// Milliseconds, often whole seconds, minutes or hours.
fn ms(max: u64) -> impl Strategy<Value = u64> {
    (select(vec![1_u64, 100, 1_000, 60_000, 3_600_000]), 0..=max).prop_map(|(unit, ms)| ms / unit * unit)
}

fn bonus_ms() -> impl Strategy<Value = u32> {
    ms(u64::from(BONUS_MS_MAX)).prop_map(|ms| u32::try_from(ms).unwrap_or(BONUS_MS_MAX).max(1))
}

fn bonus() -> impl Strategy<Value = Bonus> {
    prop_oneof![
        Just(Bonus::None),
        bonus_ms().prop_map(|ms| Bonus::Increment { ms }),
        bonus_ms().prop_map(|ms| Bonus::Delay { ms }),
        bonus_ms().prop_map(|ms| Bonus::Bronstein { ms }),
        Just(Bonus::Hourglass),
        (1..=BYO_YOMI_MAX, bonus_ms()).prop_map(|(periods, ms)| Bonus::ByoYomi { periods, ms }),
        (1..=u16::MAX, bonus_ms()).prop_map(|(moves, ms)| Bonus::Canadian { moves, ms }),
        Just(Bonus::PerMove),
        Just(Bonus::CountUp),
    ]
}

/// Any control: what is none is drawn anew.
fn any_control() -> impl Strategy<Value = TimeControl> {
    let period = (1..=u16::MAX / 4, ms(TIME_MS_MAX), bonus());
    let periods = prop::collection::vec(period, 1..=PERIODS_MAX);
    (periods, any::<bool>()).prop_filter_map("no control", |(drawn, by_moves)| {
        let last = drawn.len() - 1;
        let period = |(index, (moves, base_ms, bonus)): (usize, (u16, u64, Bonus))| {
            let bonus = if index < last && bonus.is_last_only() { Bonus::None } else { bonus };
            Period { moves: (by_moves && index < last).then_some(moves), base_ms, bonus }
        };
        let periods: Vec<Period> = drawn.into_iter().enumerate().map(period).collect();
        TimeControl::new(&periods).ok()
    })
}

proptest! {
    #[test]
    fn notation_reads_back(control in any_control()) {
        prop_assert_eq!(control::parse(&control.to_string()), Ok(control));
    }

    #[test]
    fn a_tag_reads_back_and_what_it_cannot_say_is_refused(control in any_control()) {
        let whole = |ms: u64| ms.is_multiple_of(1_000);
        let sayable = control.periods().iter().all(|period| {
            let known = matches!(period.bonus, Bonus::None | Bonus::Increment { .. } | Bonus::Hourglass);
            known && whole(period.base_ms) && whole(u64::from(period.bonus.ms()))
        });
        match pgn::write(&control) {
            Ok(tag) => {
                prop_assert!(sayable, "{} is not {}", tag, control);
                prop_assert_eq!(pgn::parse(&tag), Ok(control));
            }
            Err(error) => prop_assert!(!sayable, "{}: {}", control, error),
        }
    }

    #[test]
    fn no_text_breaks_the_readers(text in "[0-9hmsdbx+;:/,* .a-z?-]{0,24}|\\PC{0,16}") {
        for wrong in [control::parse(&text).err().map(|error| error.to_string()),
            pgn::parse(&text).err().map(|error| error.to_string())].into_iter().flatten() {
            prop_assert!(!wrong.is_empty());
        }
    }
}
