//! Bonuses lost and credited twice, and switches that round.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Credit, Period, Record};
use flagfall_trace::plan::Fault;

use super::{BLACK, Game, S, WHITE, left_ms};

const LOST: Fault = Fault::LostBonus { side: WHITE };
const DOUBLE: Fault = Fault::DoubleBonus { side: WHITE };

fn blitz() -> Game {
    Game::with(180_000, Bonus::Increment { ms: 2_000 })
}

fn credits(records: &[Record]) -> Vec<(u64, u64)> {
    let credited = records.iter().filter(|record| record.kind == Kind::CREDITED && record.side == Some(WHITE));
    credited.map(|record| (record.at.ticks() / 1_000, record.value / 1_000)).collect()
}

#[test]
fn the_next_bonus_is_lost_and_the_one_after_is_not() {
    let game = || blitz().fault(1_000, LOST).press(10_000, WHITE);
    assert_eq!(game().read(10_000).left_at_the_end(), (172_000, 182_000));
    let records = game().press(15_000, BLACK).press(25_000, WHITE).read(25_000).records();
    assert_eq!(credits(&records), [(25_000, 2_000)]);
    assert_eq!(left_ms(records.last().expect("a look")), (164_000, 179_000));
    let twice = blitz().fault(1_000, LOST).fault(2_000, LOST);
    let twice = twice.press(10_000, WHITE).press(15_000, BLACK).press(25_000, WHITE).read(25_000);
    assert_eq!(twice.left_at_the_end(), (162_000, 179_000));
}

#[test]
fn the_next_bonus_comes_twice_and_is_recorded_twice() {
    let records = blitz().fault(1_000, DOUBLE).press(10_000, WHITE).read(10_000).records();
    assert_eq!(credits(&records), [(10_000, 2_000), (10_000, 2_000)]);
    let left: Vec<u64> = records.iter().map(|record| left_ms(record).0).collect();
    assert_eq!(left, [182_000, 182_000, 172_000, 174_000, 176_000, 176_000, 176_000]);
}

#[test]
fn a_lost_one_takes_the_place_of_a_double_one() {
    let game = blitz().fault(1_000, DOUBLE).fault(1_000, LOST).press(10_000, WHITE).press(15_000, BLACK);
    assert_eq!(credits(&game.press(20_000, WHITE).read(20_000).records()), [(20_000, 2_000), (20_000, 2_000)]);
}

/// A control move after `used_ms`, with a fault; what White has then.
fn after_the_control_move(first: Bonus, second: Bonus, credit: Credit, carry_over: bool, fault: Fault) -> u64 {
    let periods = [Period::of_moves(1, 10_000, first), Period::all_moves(30_000, second)];
    let game = Game::of(&periods).setup(|setup| {
        setup.credit = credit;
        setup.carry_over = carry_over;
    });
    let used_ms = if matches!(first, Bonus::Bronstein { .. }) { 12_000 } else { 4_000 };
    game.fault(0, fault).press(used_ms, WHITE).read(used_ms).left_at_the_end().0
}

#[test]
fn a_bonus_of_the_control_move_is_carried_over_or_is_not() {
    let increment = Bonus::Increment { ms: 5_000 };
    let left = |carry_over, fault| after_the_control_move(increment, Bonus::None, Credit::AfterMove, carry_over, fault);
    let no_fault = Fault::LostPress { side: BLACK };
    assert_eq!([left(true, no_fault), left(true, LOST), left(true, DOUBLE)], [41_000, 36_000, 46_000]);
    assert_eq!([left(false, no_fault), left(false, LOST), left(false, DOUBLE)], [30_000; 3]);
}

#[test]
fn nobody_enters_a_period_with_less_than_its_base() {
    let bronstein = Bonus::Bronstein { ms: 5_000 };
    let left = |fault| after_the_control_move(bronstein, Bonus::None, Credit::BeforeMove, true, fault);
    // 15 s, of which 12 s are used and 5 s come back; what was lent is taken away.
    assert_eq!(left(Fault::LostPress { side: BLACK }), 33_000);
    assert_eq!(left(LOST), 30_000);
    assert_eq!(left(DOUBLE), 38_000);
}

#[test]
fn what_is_lent_for_the_next_period_is_a_bonus_as_well() {
    let lent = Bonus::Increment { ms: 3_000 };
    let left = |fault| after_the_control_move(Bonus::None, lent, Credit::BeforeMove, true, fault);
    assert_eq!([left(LOST), left(DOUBLE)], [36_000, 42_000]);
}

#[test]
fn each_switch_rounds_the_side_that_stops() {
    let rounding = |ms: i64| Fault::RoundingAtSwitch { to_ns: ms * 1_000_000 };
    let game = || Game::with(600_000, Bonus::None).fault(0, rounding(1_000)).press(10_250, WHITE);
    assert_eq!(game().read(10_250).left_at_the_end(), (589_000, 600_000));
    assert_eq!(game().press(20_750, BLACK).read(20_750).left_at_the_end(), (589_000, 589_000));
    let later_unit = game().fault(11_000, rounding(400)).press(20_750, BLACK).read(20_750);
    assert_eq!(later_unit.left_at_the_end(), (589_000, 589_200));
    let exact = Game::with(600_000, Bonus::None).fault(0, rounding(1_000)).press(10_000, WHITE).read(10_000);
    assert_eq!(exact.left_at_the_end(), (590_000, 600_000));
    assert_eq!(
        game().fault(11_000, rounding(0)).press(20_750, BLACK).read(20_750).left_at_the_end(),
        (589_000, 589_500)
    );
}

#[test]
fn rounding_comes_after_the_bonus() {
    let game = Game::with(600_000, Bonus::Increment { ms: 300 }).fault(0, Fault::RoundingAtSwitch { to_ns: S });
    // 600.3 s, 10 s used, 0.3 s credited.
    assert_eq!(game.press(10_000, WHITE).read(10_000).left_at_the_end(), (590_000, 600_300));
}
