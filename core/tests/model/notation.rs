//! No two controls are written alike: what is written can be read back.

use flagfall_core::control::PERIODS_MAX;
use flagfall_core::{Bonus, Period, TimeControl};
use proptest::prelude::*;

use crate::cases;
use crate::game::control;

/// Reads `1h30m`, `2.5s`, `0s` as milliseconds.
fn read_ms(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut take = |unit: &str| match rest.split_once(unit) {
        Some((count, after)) => {
            rest = after;
            Some(count.to_owned())
        }
        None => None,
    };
    let whole = |count: Option<String>| count.map_or(Some(0), |count| count.parse::<u64>().ok());
    let (hours, minutes) = (whole(take("h"))?, whole(take("m"))?);
    let seconds = take("s").unwrap_or_else(|| "0".into());
    let (seconds, thousandths) = seconds.split_once('.').unwrap_or((&seconds, ""));
    let ms = format!("{thousandths:0<3}").parse::<u64>().ok()?;
    (rest.is_empty() && !text.is_empty())
        .then_some((hours * 3_600 + minutes * 60 + seconds.parse::<u64>().ok()?) * 1_000 + ms)
}

fn read_bonus(text: &str) -> Option<Bonus> {
    let ms = |text| read_ms(text).and_then(|ms| u32::try_from(ms).ok());
    Some(match text {
        "hourglass" => Bonus::Hourglass,
        "per-move" => Bonus::PerMove,
        "count-up" => Bonus::CountUp,
        _ => {
            if let Some(byo_yomi) = text.strip_prefix("byo-yomi ") {
                let (periods, each) = byo_yomi.split_once('x')?;
                Bonus::ByoYomi { periods: periods.parse().ok()?, ms: ms(each)? }
            } else if let Some(canadian) = text.strip_prefix("canadian ") {
                let (moves, stage) = canadian.split_once('/')?;
                Bonus::Canadian { moves: moves.parse().ok()?, ms: ms(stage)? }
            } else if let Some(delay) = text.strip_prefix('d') {
                Bonus::Delay { ms: ms(delay)? }
            } else {
                Bonus::Bronstein { ms: ms(text.strip_prefix('b')?)? }
            }
        }
    })
}

fn read_period(text: &str) -> Option<Period> {
    let (base, bonus) = match (text.split_once(';'), text.split_once('+')) {
        (Some((base, bonus)), _) => (base, read_bonus(bonus)?),
        (None, Some((base, ms))) => (base, Bonus::Increment { ms: u32::try_from(read_ms(ms)?).ok()? }),
        (None, None) => (text, Bonus::None),
    };
    let (moves, base) = match base.split_once('/') {
        Some((moves, base)) => (Some(moves.parse().ok()?), base),
        None => (None, base),
    };
    Some(Period { moves, base_ms: read_ms(base)?, bonus })
}

fn read(text: &str) -> Option<Vec<Period>> {
    text.split(", ").map(read_period).collect()
}

/// Times of all lengths, often whole seconds, minutes and hours.
fn any_ms() -> impl Strategy<Value = u32> + Clone {
    prop_oneof![
        0..=3_600_000_u32,
        (0..=3_600_u32).prop_map(|s| s * 1_000),
        (0..=60_u32).prop_map(|minutes| minutes * 60_000),
        (0..=36_000_u32).prop_map(|tenths| tenths * 100),
    ]
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn a_control_that_is_written_can_be_read_back(control in control(any_ms()), hours in 0..=99_u64) {
        let mut periods = control.periods().to_vec();
        periods[0].base_ms += hours * 3_600_000;
        let written = TimeControl::new(&periods).expect("still a control").to_string();
        prop_assert!(periods.len() <= PERIODS_MAX);
        prop_assert_eq!(read(&written), Some(periods), "{}", written);
    }
}
