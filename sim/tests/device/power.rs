//! The supply fails and comes back.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Period, Phase, Side, TimeControl};
use flagfall_trace::plan::{Act, Fault, Retained};

use super::{BLACK, Game, S, WHITE, falls, left_ms, told};

const fn off(seconds: i64) -> Fault {
    Fault::Reset { off_ns: seconds * S, retained: Retained::Everything }
}

const fn loses_all_but_settings(seconds: i64) -> Fault {
    Fault::Reset { off_ns: seconds * S, retained: Retained::Settings }
}

fn minute() -> Game {
    Game::with(60_000, Bonus::Increment { ms: 2_000 })
}

#[test]
fn it_comes_back_paused_where_it_stood_and_its_time_has_gone_on() {
    let trace = minute().press(10_000, WHITE).fault(15_000, off(10)).read(30_000).trace();
    let [.., boot, look] = trace.records.as_slice() else { panic!("a boot and a look") };
    let boot = (boot.true_time.ns(), &boot.record);
    assert_eq!((boot.0, boot.1.kind, boot.1.at.ticks(), boot.1.value), (25 * S, Kind::BOOT, 25_000_000, 1_000_000));
    for record in [boot.1, &look.record] {
        assert_eq!((record.phase, left_ms(record), record.moves.white), (Phase::Paused(BLACK), (54_000, 57_000), 1));
    }
}

#[test]
fn it_goes_on_with_the_arbiters_button() {
    let last = minute().press(10_000, WHITE).fault(15_000, off(10)).button(30_000).read(40_000).last();
    assert_eq!((last.phase, left_ms(&last)), (Phase::Running(BLACK), (54_000, 47_000)));
}

#[test]
fn it_comes_back_as_it_was_set_up() {
    let game = || minute().left(WHITE, 45_000).press(10_000, WHITE).fault(15_000, loses_all_but_settings(10));
    let last = game().read(30_000).last();
    assert_eq!((last.phase, left_ms(&last), last.moves.white), (Phase::Ready, (45_000, 62_000), 0));
    let goes_on = game().button(30_000).read(40_000).last();
    assert_eq!((goes_on.phase, left_ms(&goes_on)), (Phase::Running(WHITE), (35_000, 62_000)));
}

#[test]
fn a_new_setting_is_what_it_comes_back_with() {
    let mut other = minute().0.setup;
    other.first = BLACK;
    let installed = Act::SetUp(flagfall_trace::plan::Installed(Box::new(other)));
    let game = minute().at(5_000, installed).at(6_000, Act::Swap).fault(15_000, loses_all_but_settings(10));
    assert_eq!(game.button(30_000).read(31_000).last().phase, Phase::Running(BLACK));
}

#[test]
fn nothing_is_noticed_and_no_flag_falls_while_it_is_off() {
    let game = Game::with(60_000, Bonus::None).fault(50_000, off(20)).press(55_000, WHITE).button(56_000);
    let trace =
        game.read(57_000).at(58_000, Act::SetTime { side: WHITE, left_ms: 1 }).button(71_000).read(90_000).trace();
    let records: Vec<_> = trace.records.iter().map(|stamped| stamped.record).collect();
    let kinds: Vec<Kind> = records.iter().map(|record| record.kind).collect();
    let expected = [
        Kind::ARBITER_PRESSED,
        Kind::STARTED,
        Kind::BOOT,
        Kind::ARBITER_PRESSED,
        Kind::RESUMED,
        Kind::FLAG_FELL,
        Kind::READ,
    ];
    assert_eq!(kinds, expected);
    assert_eq!(falls(&records), [(81_000, WHITE)]);
    let achieved: Vec<u32> = trace.achieved.iter().map(|achieved| achieved.step).collect();
    assert_eq!(achieved, [0, 1, 2, 3, 6, 7], "buttons can be pressed, a dark face cannot be read or set");
}

#[test]
fn a_flag_that_falls_as_the_supply_fails_has_fallen() {
    let records = Game::with(60_000, Bonus::None).fault(60_000, off(20)).read(90_000).records();
    assert_eq!(
        told(&records, &[Kind::FLAG_FELL, Kind::BOOT]),
        [(60_000, Kind::FLAG_FELL, Some(WHITE)), (80_000, Kind::BOOT, None)]
    );
    assert_eq!(records.last().expect("a look").phase, Phase::Frozen(WHITE));
}

#[test]
fn two_failures_that_overlap_are_one_and_keep_the_less() {
    let game = |first, second| minute().press(10_000, WHITE).fault(15_000, first).fault(20_000, second).read(60_000);
    let boots = |first, second| told(&game(first, second).records(), &[Kind::BOOT]);
    assert_eq!(boots(off(10), off(10)), [(30_000, Kind::BOOT, None)]);
    assert_eq!(boots(off(20), off(2)), [(35_000, Kind::BOOT, None)]);
    assert_eq!(boots(off(5), off(5)), [(20_000, Kind::BOOT, None), (25_000, Kind::BOOT, None)]);
    assert_eq!(game(loses_all_but_settings(10), off(10)).last().phase, Phase::Ready);
    assert_eq!(game(off(10), loses_all_but_settings(1)).last().phase, Phase::Ready);
    assert_eq!(game(off(10), off(10)).last().phase, Phase::Paused(BLACK));
}

#[test]
fn the_battery_sign_is_what_the_supply_is_when_it_comes_back() {
    let low = |at, low| minute().fault(10_000, loses_all_but_settings(10)).at(at, Act::Battery { low });
    assert!(low(12_000, true).read(30_000).last().battery_low);
    assert!(
        minute()
            .at(5_000, Act::Battery { low: true })
            .fault(10_000, loses_all_but_settings(10))
            .read(30_000)
            .last()
            .battery_low
    );
    let good_again = minute().at(5_000, Act::Battery { low: true }).fault(10_000, off(10));
    assert!(!good_again.at(12_000, Act::Battery { low: false }).read(30_000).last().battery_low);
}

#[test]
fn presses_that_are_to_go_wrong_wait_for_a_clock_that_is_on() {
    let presses =
        |side: Side| minute().fault(5_000, Fault::LostPress { side: WHITE }).fault(10_000, off(10)).press(15_000, side);
    let last = presses(WHITE).button(25_000).press(26_000, WHITE).read(27_000).last();
    assert_eq!((last.phase, last.moves.white), (Phase::Running(WHITE), 0));
}

#[test]
fn faults_last_over_a_reset() {
    let game = minute().fault(5_000, Fault::BothRun { for_ns: 30 * S }).fault(10_000, off(10)).button(25_000);
    // Black pays from 5 s to 10 s and from 25 s to 35 s.
    assert_eq!(game.read(40_000).left_at_the_end(), (37_000, 47_000));
}

#[test]
fn it_comes_back_with_the_colours_of_its_setting() {
    let less = TimeControl::new(&[Period::all_moves(30_000, Bonus::None)]).expect("a control");
    let game = minute().setup(|setup| setup.control.black = less).at(5_000, Act::Swap);
    let back = || game.clone().fault(15_000, loses_all_but_settings(10));
    assert_eq!(back().read(30_000).left_at_the_end(), (62_000, 30_000));
    assert_eq!(back().button(30_000).press(31_000, WHITE).read(31_000).left_at_the_end(), (63_000, 30_000));
}

#[test]
fn a_flag_that_is_to_be_seen_while_it_is_off_is_down_when_it_comes_back() {
    let game = minute().fault(0, Fault::FlagLate { side: WHITE, by_ns: 10 * S }).fault(65_000, off(20));
    let records = game.read(100_000).records();
    assert_eq!(told(&records, &[Kind::FLAG_FELL, Kind::BOOT]), [(85_000, Kind::BOOT, None)]);
    assert!(records[records.len() - 2].fallen.white, "with the boot record");
}

#[test]
fn an_early_flag_is_up_again_when_it_comes_back() {
    let game = || minute().fault(0, Fault::FlagEarly { side: WHITE, by_ns: 10 * S }).fault(55_000, off(10));
    let boot = game().read(66_000).records().into_iter().find(|record| record.kind == Kind::BOOT).expect("it does");
    assert_eq!((boot.fallen.white, boot.first_fallen, left_ms(&boot).0), (false, None, 7_000));
    assert_eq!(falls(&game().button(70_000).read(71_000).records()), [(52_000, WHITE), (70_000, WHITE)]);
}

#[test]
fn late_digits_show_nothing_from_before_it_was_off() {
    let late = Fault::DisplayLate { by_ns: 12 * S, for_ns: 600 * S };
    let game = || minute().fault(1_000, late).fault(15_000, off(10)).press(16_000, WHITE);
    for read_ms in [26_000, 28_000, 36_000] {
        assert_eq!(game().read(read_ms).last().shown.white.to_string(), "0:47", "at {read_ms} ms");
    }
}
