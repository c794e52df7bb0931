//! Flags and the first-fallen sign shown wrongly, while the clock reckons right.

use flagfall_core::record::Kind;
use flagfall_core::{AtZero, Bonus, BySide, LateControlMove, Period, Phase, Record, Side, TimeControl};
use flagfall_trace::plan::{Act, Fault};

use super::{BLACK, Game, S, WHITE, falls, left_ms, ms};

fn half_a_minute() -> Game {
    Game::with(30_000, Bonus::None)
}

fn run_on() -> Game {
    half_a_minute().setup(|setup| setup.at_zero = AtZero::RunOn)
}

const fn early(seconds: i64) -> Fault {
    Fault::FlagEarly { side: WHITE, by_ns: seconds * S }
}

const fn late(seconds: i64) -> Fault {
    Fault::FlagLate { side: WHITE, by_ns: seconds * S }
}

const STICKY: Fault = Fault::FlagSticky { side: WHITE };

#[test]
fn a_flag_is_shown_early_and_the_clock_goes_on() {
    let records = half_a_minute().fault(0, early(3)).read(28_000).read(31_000).records();
    assert_eq!(falls(&records), [(27_000, WHITE)]);
    let [.., fall, before, after] = records.as_slice() else { panic!("a fall and two looks") };
    assert_eq!((left_ms(fall), fall.phase, fall.fallen.white), ((3_000, 30_000), Phase::Running(WHITE), true));
    assert_eq!((left_ms(before), before.first_fallen), ((2_000, 30_000), Some(WHITE)));
    assert_eq!((after.phase, after.fallen, left_ms(after).0), (Phase::Frozen(WHITE), BySide::new(true, false), 0));
}

#[test]
fn an_early_flag_stays_down_until_the_time_is_corrected() {
    let game = half_a_minute().fault(0, early(3)).press(28_000, WHITE);
    let game = game.read(29_000).at(30_000, Act::SetTime { side: WHITE, left_ms: 10_000 }).read(31_000);
    let records = game.press(32_000, BLACK).read(50_000).records();
    let looks: Vec<bool> = records
        .iter()
        .filter(|record| record.kind == flagfall_core::record::Kind::READ)
        .map(|record| record.fallen.white)
        .collect();
    assert_eq!(looks, [true, false, true]);
    let corrected = records.iter().find(|record| record.kind == flagfall_core::record::Kind::TIME_SET);
    assert_eq!(corrected.expect("it was corrected").first_fallen, None);
    assert_eq!(falls(&records), [(27_000, WHITE), (39_000, WHITE)]);
}

#[test]
fn a_flag_that_should_have_been_early_falls_at_once() {
    let records = half_a_minute().fault(28_000, early(3)).read(29_000).records();
    assert_eq!(falls(&records), [(28_000, WHITE)]);
    let next_turn = half_a_minute().left(BLACK, 60_000).press(5_000, WHITE).fault(6_000, early(27));
    assert_eq!(falls(&next_turn.press(10_000, BLACK).read(11_000).records()), [(10_000, WHITE)]);
}

#[test]
fn a_flag_is_early_only_where_it_is_going_to_fall() {
    let overtime = Game::with(30_000, Bonus::ByoYomi { periods: 1, ms: 10_000 }).fault(0, early(3));
    assert_eq!(falls(&overtime.read(50_000).records()), [(37_000, WHITE)]);
}

#[test]
fn an_early_flag_was_the_first_even_if_the_other_really_falls_before_it() {
    let game = run_on().left(BLACK, 10_000).fault(0, early(10)).press(25_000, WHITE);
    let looks = game.read(36_000).press(37_000, BLACK).read(50_000).records();
    let signs: Vec<_> = looks.iter().filter(|record| record.kind == Kind::READ).map(signs).collect();
    // White's time is used up at 42 s: that changes nothing of what has been seen.
    assert_eq!(signs, [(BySide::both(true), Some(WHITE)); 2]);
}

fn signs(record: &Record) -> (BySide<bool>, Option<Side>) {
    (record.fallen, record.first_fallen)
}

#[test]
fn an_early_flag_is_not_the_first_if_the_other_is_down_already() {
    let game = run_on().left(BLACK, 10_000).fault(0, early(10)).press(5_000, WHITE).press(20_000, BLACK);
    assert_eq!(signs(&game.read(36_000).last()), (BySide::both(true), Some(BLACK)));
}

#[test]
fn of_two_early_flags_the_earlier_was_the_first() {
    let game = run_on().fault(0, early(3)).fault(0, Fault::FlagEarly { side: BLACK, by_ns: 3 * S });
    let game = game.press(28_000, WHITE).read(56_000);
    assert_eq!(signs(&game.last()), (BySide::both(true), Some(WHITE)));
}

#[test]
fn an_early_flag_goes_up_again_as_the_real_one_does() {
    let game = Game::of(&[Period::of_moves(1, 30_000, Bonus::None), Period::all_moves(60_000, Bonus::None)]);
    let game = game.setup(|setup| {
        setup.at_zero = AtZero::RunOn;
        setup.late_control_move = LateControlMove::NextBase;
    });
    let last = game.fault(0, early(3)).press(35_000, WHITE).read(36_000).last();
    assert_eq!((last.fallen.white, left_ms(&last).0), (false, 60_000));
}

#[test]
fn a_flag_is_early_only_while_time_runs_off() {
    let none = Fault::NoneRuns { for_ns: 20 * S };
    let running = || half_a_minute().fault(10_000, none).fault(15_000, early(25)).read(29_000).read(31_000);
    assert_eq!(falls(&running().records()), [(30_000, WHITE)]);
    let idle = half_a_minute().fault(0, Fault::BothRun { for_ns: 60 * S }).fault(10_000, none);
    let idle = idle.fault(15_000, Fault::FlagEarly { side: BLACK, by_ns: 25 * S }).read(29_000).read(31_000);
    assert_eq!(falls(&idle.records()), [(30_000, BLACK)]);
}

#[test]
fn a_flag_is_early_only_for_its_own_fall() {
    let overtime = TimeControl::new(&[Period::all_moves(30_000, Bonus::ByoYomi { periods: 1, ms: 10_000 })]);
    let game = run_on().setup(|setup| setup.control.black = overtime.expect("a control")).left(WHITE, 28_000);
    let game = game.fault(0, Fault::BothRun { for_ns: 60 * S });
    let game = game.fault(0, Fault::FlagEarly { side: BLACK, by_ns: 3 * S });
    assert_eq!(falls(&game.read(50_000).records()), [(28_000, WHITE), (37_000, BLACK)]);
}

#[test]
fn a_flag_is_shown_late_and_the_clock_has_stopped_in_time() {
    let records = half_a_minute().fault(0, late(2)).read(31_000).read(33_000).records();
    assert_eq!(falls(&records), [(32_000, WHITE)]);
    let [.., before, fall, after] = records.as_slice() else { panic!("a fall between two looks") };
    assert_eq!((before.phase, before.fallen.white, before.first_fallen), (Phase::Frozen(WHITE), false, None));
    assert_eq!((left_ms(before), left_ms(fall)), ((0, 30_000), (0, 30_000)));
    assert_eq!((fall.value, fall.fallen.white, fall.first_fallen), (0, true, Some(WHITE)));
    assert_eq!((after.fallen.white, after.first_fallen), (true, Some(WHITE)));
}

#[test]
fn how_late_a_flag_is_does_not_depend_on_the_time_base() {
    let game = half_a_minute().fault(0, late(2)).fault(31_000, Fault::Stuck { for_ns: 10 * S });
    let trace = game.read(35_000).trace();
    let fall = &trace.records[trace.records.len() - 2];
    assert_eq!((fall.true_time, fall.record.at.ticks(), fall.record.fallen.white), (ms(32_000), 31_000_000, true));
}

#[test]
fn a_flag_that_went_up_again_in_time_is_never_seen_down() {
    let corrected = || half_a_minute().fault(0, late(2)).at(31_000, Act::SetTime { side: WHITE, left_ms: 60_000 });
    assert_eq!(falls(&corrected().read(40_000).records()), []);
    let by_time = Game::of(&[Period::all_moves(30_000, Bonus::None), Period::all_moves(60_000, Bonus::None)]);
    let records = by_time.fault(0, late(2)).read(40_000).records();
    assert_eq!((falls(&records), left_ms(records.last().expect("a look"))), (vec![], (50_000, 90_000)));
}

#[test]
fn a_sticky_flag_is_never_shown_down_and_the_other_one_is() {
    let records = run_on().left(BLACK, 20_000).fault(0, STICKY).press(31_000, WHITE).read(60_000).records();
    assert_eq!(falls(&records), [(51_000, BLACK)]);
    let last = records.last().expect("a look");
    assert_eq!((last.fallen, last.first_fallen, left_ms(last)), (BySide::new(false, true), None, (0, 0)));
    let froze = half_a_minute().fault(0, STICKY).read(60_000).last();
    assert_eq!((froze.phase, froze.fallen.white, left_ms(&froze).0), (Phase::Frozen(WHITE), false, 0));
}

#[test]
fn a_later_fault_of_a_flag_takes_the_place_of_an_earlier_one() {
    let both = |first, second| falls(&half_a_minute().fault(0, first).fault(1_000, second).read(60_000).records());
    assert_eq!(both(early(3), late(2)), [(32_000, WHITE)]);
    assert_eq!(both(late(2), early(3)), [(27_000, WHITE)]);
    assert_eq!(both(early(3), STICKY), []);
    let raised = half_a_minute().fault(0, early(3)).fault(28_000, STICKY).read(29_000).last();
    assert!(!raised.fallen.white, "a flag that sticks is up");
}

#[test]
fn the_sign_names_the_wrong_side_once_there_is_one_to_name() {
    let game = || run_on().left(BLACK, 20_000).fault(0, Fault::FirstFallenWrong);
    assert_eq!(game().read(10_000).last().first_fallen, None);
    let last = game().read(40_000).last();
    assert_eq!((last.fallen, last.first_fallen), (BySide::new(true, false), Some(BLACK)));
    let without_sign = game().setup(|setup| setup.first_fallen_sign = false).read(40_000).last();
    assert_eq!(without_sign.first_fallen, None);
    let early_without_sign = half_a_minute().setup(|setup| setup.first_fallen_sign = false).fault(0, early(3));
    assert_eq!(early_without_sign.read(28_000).last().first_fallen, None);
}

#[test]
fn what_is_shown_changes_sides_with_the_colours() {
    let last = half_a_minute().left(BLACK, 60_000).fault(0, early(3)).at(28_000, Act::Swap).read(28_500).last();
    assert_eq!((last.fallen, last.first_fallen), (BySide::new(false, true), Some(BLACK)));
    let late = run_on().left(BLACK, 60_000).fault(0, late(2)).at(31_000, Act::Swap).read(40_000).records();
    assert_eq!(falls(&late), [(32_000, BLACK)]);
}
