//! Both sides run, or none.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, Credit, Period, Phase, SameTick, TimeControl};
use flagfall_sim::{Budget, run};
use flagfall_trace::plan::{Act, Fault};

use super::{BLACK, Game, S, WHITE, falls, left_ms, told};

const fn both(seconds: i64) -> Fault {
    Fault::BothRun { for_ns: seconds * S }
}

const fn none(seconds: i64) -> Fault {
    Fault::NoneRuns { for_ns: seconds * S }
}

fn ten_minutes() -> Game {
    Game::with(600_000, Bonus::None)
}

#[test]
fn both_sides_run_from_the_onset_to_the_end() {
    let game = || ten_minutes().fault(10_000, both(20));
    assert_eq!(game().read(10_000).left_at_the_end(), (590_000, 600_000));
    assert_eq!(game().read(25_000).left_at_the_end(), (575_000, 585_000));
    assert_eq!(game().read(60_000).left_at_the_end(), (540_000, 580_000));
    assert_eq!(game().fault(20_000, both(20)).read(60_000).left_at_the_end(), (540_000, 570_000));
    assert_eq!(game().fault(15_000, both(5)).read(60_000).left_at_the_end(), (540_000, 580_000));
}

#[test]
fn the_idle_side_pays_up_to_the_press_and_the_bonus_comes_after() {
    let game = Game::with(600_000, Bonus::Increment { ms: 5_000 }).fault(10_000, both(20)).press(20_000, WHITE);
    let records = game.read(30_000).read(40_000).records();
    let pressed = records.iter().find(|record| record.kind == Kind::PRESSED).expect("a press");
    assert_eq!(left_ms(pressed), (585_000, 595_000));
    let [.., ended, later] = records.as_slice() else { panic!("two looks") };
    assert_eq!((left_ms(ended), left_ms(later)), ((580_000, 585_000), (580_000, 575_000)));
}

#[test]
fn nobody_pays_while_the_clock_is_stopped() {
    let game = ten_minutes().fault(10_000, both(20)).button(15_000).button(25_000);
    assert_eq!(game.read(60_000).left_at_the_end(), (550_000, 590_000));
}

#[test]
fn the_idle_flag_falls_at_its_zero_and_stops_both() {
    let game = ten_minutes().left(BLACK, 30_000).fault(10_000, both(60));
    let records = game.read(60_000).records();
    assert_eq!(falls(&records), [(40_000, BLACK)]);
    let last = records.last().expect("a look");
    assert_eq!((last.phase, last.first_fallen), (Phase::Frozen(WHITE), Some(BLACK)));
    assert_eq!(left_ms(last), (560_000, 0));
}

#[test]
fn the_idle_flag_falls_and_the_other_side_goes_on() {
    let game = ten_minutes().left(BLACK, 30_000).setup(|setup| setup.at_zero = AtZero::RunOn).fault(10_000, both(60));
    let last = game.read(100_000).last();
    assert_eq!((last.phase, last.fallen.black, left_ms(&last)), (Phase::Running(WHITE), true, (500_000, 0)));
}

#[test]
fn both_flags_fall_in_one_tick_the_running_side_first() {
    let game = Game::with(30_000, Bonus::None).left(BLACK, 20_000).fault(10_000, both(60));
    let records = game.read(60_000).records();
    assert_eq!(falls(&records), [(30_000, WHITE), (30_000, BLACK)]);
    let last = records.last().expect("a look");
    assert_eq!((last.first_fallen, last.phase), (Some(WHITE), Phase::Frozen(WHITE)));
}

#[test]
fn the_idle_side_goes_through_its_byo_yomi_periods() {
    let game = Game::with(30_000, Bonus::ByoYomi { periods: 2, ms: 10_000 }).fault(10_000, both(100));
    let told = told(&game.read(60_000).records(), &[Kind::OVERTIME_ENTERED, Kind::FLAG_FELL]);
    let entered = Kind::OVERTIME_ENTERED;
    let expected = [
        (30_000, entered, Some(WHITE)),
        (40_000, entered, Some(WHITE)),
        (40_000, entered, Some(BLACK)),
        (50_000, Kind::FLAG_FELL, Some(WHITE)),
        (50_000, entered, Some(BLACK)),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_zero_that_is_noticed_late_is_dated_at_its_tick() {
    let game = ten_minutes().left(BLACK, 15_000).fault(10_000, both(60)).fault(12_000, Fault::Jump { by_ns: 30 * S });
    let records = game.read(20_000).records();
    let fall = records.iter().find(|record| record.kind == Kind::FLAG_FELL).expect("a fall");
    assert_eq!((fall.side, fall.at.ticks(), fall.value), (Some(BLACK), 25_000_000, 17_000_000));
    assert_eq!(left_ms(records.last().expect("a look")), (575_000, 0));
}

#[test]
fn nobody_pays_after_a_zero_that_is_noticed_late() {
    let game = ten_minutes().left(WHITE, 15_000).fault(10_000, both(60)).fault(12_000, Fault::Jump { by_ns: 30 * S });
    assert_eq!(game.read(20_000).left_at_the_end(), (0, 595_000));
}

#[test]
fn a_press_in_the_tick_of_the_flag_keeps_its_order() {
    let game = |order| {
        let game = Game::with(30_000, Bonus::None).left(BLACK, 60_000).setup(|setup| setup.same_tick = order);
        game.fault(10_000, both(60)).press(30_000, WHITE).read(31_000).records()
    };
    let press_first = game(SameTick::PressFirst);
    assert_eq!(told(&press_first, &[Kind::SWITCHED]), [(30_000, Kind::SWITCHED, Some(BLACK))]);
    // White has nothing left, and still pays: its flag falls after the press.
    assert_eq!(falls(&press_first), [(30_000, WHITE)]);
    assert_eq!(left_ms(press_first.last().expect("a look")), (0, 40_000));
    let flag_first = game(SameTick::FlagFirst);
    assert_eq!(told(&flag_first, &[Kind::SWITCHED]), []);
    assert_eq!(falls(&flag_first), [(30_000, WHITE)]);
}

#[test]
fn the_idle_side_has_no_delay() {
    let last = Game::with(600_000, Bonus::Delay { ms: 5_000 }).fault(0, both(60)).read(3_000).last();
    assert_eq!((left_ms(&last), last.delay_ticks), ((600_000, 597_000), 2_000_000));
}

#[test]
fn two_hourglasses_that_run_against_each_other_stand() {
    let game = Game::with(60_000, Bonus::Hourglass).fault(10_000, both(20));
    assert_eq!(game.read(40_000).left_at_the_end(), (40_000, 80_000));
    let plain = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
    let odds = Game::with(60_000, Bonus::Hourglass).setup(|setup| setup.control.black = plain);
    assert_eq!(
        odds.fault(10_000, both(20)).read(40_000).left_at_the_end(),
        (40_000, 80_000),
        "nor one against a plain clock"
    );
}

#[test]
fn none_runs_from_the_onset_to_the_end_and_stamps_go_on() {
    let game = || ten_minutes().fault(10_000, none(20));
    assert_eq!(game().read(20_000).left_at_the_end(), (590_000, 600_000));
    let last = game().read(60_000).last();
    assert_eq!((left_ms(&last), last.at.ticks()), ((560_000, 600_000), 60_000_000));
    assert_eq!(game().fault(20_000, none(20)).read(60_000).left_at_the_end(), (570_000, 600_000));
}

#[test]
fn a_flag_falls_as_much_later_as_nothing_ran() {
    let game = || Game::with(30_000, Bonus::None).fault(10_000, none(20));
    assert_eq!(falls(&game().read(60_000).records()), [(50_000, WHITE)]);
    assert_eq!(falls(&game().press(20_000, WHITE).read(80_000).records()), [(60_000, BLACK)]);
}

#[test]
fn time_that_did_not_run_is_no_time_on_move() {
    let game = Game::with(600_000, Bonus::Bronstein { ms: 5_000 }).fault(2_000, none(60)).press(50_000, WHITE);
    let records = game.read(60_000).records();
    let credited = records.iter().find(|record| record.kind == Kind::CREDITED).expect("what was used comes back");
    assert_eq!((credited.value, left_ms(credited)), (2_000_000, (605_000, 605_000)));
}

#[test]
fn where_both_and_none_overlap_none_runs() {
    let game = ten_minutes().fault(10_000, both(30)).fault(20_000, none(10));
    assert_eq!(game.read(60_000).left_at_the_end(), (550_000, 580_000));
}

#[test]
fn time_on_move_counts_once_where_the_other_flag_falls_in_between() {
    let game = Game::with(60_000, Bonus::Bronstein { ms: 20_000 }).setup(|setup| {
        setup.at_zero = AtZero::RunOn;
        setup.credit = Credit::AfterMove;
    });
    let records = game.left(BLACK, 5_000).fault(0, both(60)).press(12_000, WHITE).read(12_000).records();
    assert_eq!(falls(&records), [(5_000, BLACK)]);
    let credited = records.iter().find(|record| record.kind == Kind::CREDITED).expect("what was used comes back");
    assert_eq!((credited.value, left_ms(credited)), (12_000_000, (60_000, 0)));
}

#[test]
fn what_is_used_up_falls_although_nothing_runs() {
    let game = Game::with(30_000, Bonus::None).setup(|setup| setup.same_tick = SameTick::PressFirst);
    let game = game.press(30_000, WHITE).fault(31_000, none(20)).press(35_000, BLACK).read(40_000);
    assert_eq!(falls(&game.records()), [(35_000, WHITE)]);
}

#[test]
fn a_correction_is_undone_at_once_or_while_the_clock_is_stopped() {
    let undone = |game: Game, at_ms: i64| {
        let set = Act::SetTime { side: WHITE, left_ms: 5_000 };
        game.at(15_000, set).at(at_ms, Act::Undo).read(at_ms).left_at_the_end().0
    };
    for fault in [both(60), none(60)] {
        assert_eq!(undone(ten_minutes().fault(15_000, fault), 15_000), 585_000, "{fault:?}");
        assert_eq!(undone(ten_minutes().fault(10_000, fault).button(10_000), 16_000), 590_000, "{fault:?}");
    }
}

#[test]
fn time_that_the_clock_has_seen_already_does_not_run_off_again() {
    // The time base goes back from 10 s to 5 s, and nothing runs while it shows 7 s to 9 s.
    let game = || ten_minutes().read(10_000).fault(10_000, Fault::Jump { by_ns: -5 * S }).read(12_000);
    assert_eq!(game().fault(12_000, none(2)).read(25_000).left_at_the_end().0, 580_000);
    assert_eq!(game().fault(0, both(0)).fault(12_000, none(2)).read(25_000).left_at_the_end().0, 580_000);
}

#[test]
fn a_side_that_stands_is_not_waited_for() {
    let waited_for = |game: Game| {
        let plan = game.fault(5, none(600)).read(500_000).0;
        run(&plan, &Budget { events_max: 20, ..Budget::default() }).expect("there is nothing to be noticed");
    };
    waited_for(ten_minutes().left(WHITE, 10));
    waited_for(ten_minutes().left(BLACK, 10).fault(0, both(600)));
}

#[test]
fn a_clock_that_is_set_wrongly_runs_as_it_is_set() {
    let mut game = ten_minutes();
    game.0.device_setup = Some(Game::with(60_000, Bonus::None).0.setup);
    assert_eq!(game.read(10_000).left_at_the_end(), (50_000, 60_000));
}
