//! What a dial reads between two records: the hands of the running side go on from where they were seen.

use flagfall_core::{Face, Setup, Side, TickRate};

use super::Point;

const HOUR_S: i128 = 3_600;

/// Six o'clock, where the first control ends (CBX 68), in seconds from twelve.
const SIX_S: i128 = 6 * HOUR_S;

/// The reading of a side's dial, so many ticks of its own going after a point.
pub(super) fn face(point: &Point, side: Side, gone: u64, setup: &Setup, rate: TickRate) -> Face {
    of_ticks(from_twelve(point, side, setup, rate) + i128::from(gone), i128::from(rate.hz()))
}

/// Where the hands of a side's dial stand at a point, in ticks from twelve.
pub(super) fn from_twelve(point: &Point, side: Side, setup: &Setup, rate: TickRate) -> i128 {
    let hz = i128::from(rate.hz());
    let left = i128::from(point.remaining_ticks[side]);
    if left > 0 {
        SIX_S * hz + end_ticks(setup, side, point.period[side], rate) - left
    } else {
        // Past the end of its last control only the reading says where the hands are, in whole seconds.
        i128::from(point.shown[side].tenths() / 10) * hz
    }
}

/// What a dial reads before the game.
pub(super) fn at_the_opening(left: u64, period: u8, setup: &Setup, side: Side, rate: TickRate) -> Face {
    let hz = i128::from(rate.hz());
    of_ticks(SIX_S * hz + end_ticks(setup, side, period, rate) - i128::from(left), hz)
}

/// Where a control ends, in ticks from six o'clock: later ones add their base.
fn end_ticks(setup: &Setup, side: Side, period: u8, rate: TickRate) -> i128 {
    let later = setup.control[side].periods().iter().skip(1).take(usize::from(period));
    later.map(|period| i128::from(rate.ticks_from_ms(period.base_ms))).sum()
}

/// A position on a dial as it is read: from 1:00:00 to 12:59:59.
fn of_ticks(from_twelve: i128, hz: i128) -> Face {
    let seconds = from_twelve.div_euclid(hz).rem_euclid(12 * HOUR_S);
    let seconds = if seconds < HOUR_S { seconds + 12 * HOUR_S } else { seconds };
    Face::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use flagfall_core::{Bonus, BySide, Period, Phase, TimeControl, TrueTime};

    use super::*;

    fn setup() -> Setup {
        let periods = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
        Setup::new(TimeControl::new(&periods).expect("a control"))
    }

    #[test]
    fn a_dial_reads_on_from_where_the_hands_were_seen() {
        let rate = TickRate::MHZ;
        let reads = |period, left, shown, gone| {
            let point = Point {
                true_time: TrueTime::ZERO,
                ticks: 0,
                phase: Phase::Ready,
                remaining_ticks: BySide::both(left),
                shown: BySide::both(Face::from_seconds(shown)),
                delay_ticks: 0,
                moves: BySide::both(0),
                period: BySide::both(period),
                fallen: BySide::both(false),
            };
            face(&point, Side::White, gone, &setup(), rate).to_string()
        };
        assert_eq!(reads(0, 10_500_000, 0, 0), "5:59:49");
        assert_eq!(reads(0, 10_500_000, 0, 500_000), "5:59:50");
        assert_eq!(reads(1, 3_600_000_000, 0, 1_000_000), "6:00:01");
        assert_eq!(reads(1, 0, 25_205, 5 * 3_600_000_000), "12:00:05");
        assert_eq!(at_the_opening(7_200_000_000, 0, &setup(), Side::White, rate).to_string(), "4:00:00");
        assert_eq!(at_the_opening(6 * 3_600_000_000, 0, &setup(), Side::White, rate).to_string(), "12:00:00");
    }
}
