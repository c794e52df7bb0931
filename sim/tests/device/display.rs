//! Digits that freeze or come late, while everything else is told as it is.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Record};
use flagfall_trace::plan::Fault;

use super::{BLACK, Game, S, WHITE, left_ms};

const fn frozen(seconds: i64) -> Fault {
    Fault::DisplayFrozen { for_ns: seconds * S }
}

const fn late(by: i64, seconds: i64) -> Fault {
    Fault::DisplayLate { by_ns: by * S, for_ns: seconds * S }
}

fn minute() -> Game {
    Game::with(60_000, Bonus::None)
}

fn digits(record: &Record) -> (String, String) {
    (record.shown.white.to_string(), record.shown.black.to_string())
}

/// What is shown when the faces are read.
fn shown(game: Game) -> (String, String) {
    let records = game.records();
    digits(records.iter().rfind(|record| record.kind == Kind::READ).expect("a look"))
}

fn faces(white: &str, black: &str) -> (String, String) {
    (white.to_owned(), black.to_owned())
}

#[test]
fn frozen_digits_stay_and_the_time_does_not() {
    let game = || minute().fault(10_000, frozen(20)).press(15_000, WHITE);
    let last = game().read(20_000).last();
    assert_eq!((digits(&last), left_ms(&last)), (faces("0:50", "1:00"), (45_000, 55_000)));
    assert_eq!(shown(game().read(30_000)), faces("0:45", "0:45"), "what a fault ends ends first");
    assert_eq!(shown(game().fault(20_000, frozen(20)).read(35_000)), faces("0:50", "1:00"));
    assert_eq!(shown(game().fault(12_000, frozen(3)).read(20_000)), faces("0:50", "1:00"));
}

#[test]
fn a_frozen_delay_stays_as_well() {
    let game = Game::with(60_000, Bonus::Delay { ms: 5_000 }).fault(2_000, frozen(20)).read(4_000);
    let last = game.last();
    assert_eq!((last.shown_delay_seconds, last.delay_ticks), (3, 1_000_000));
}

#[test]
fn a_flag_falls_on_a_frozen_display() {
    let last = minute().fault(10_000, frozen(600)).read(70_000).last();
    assert_eq!((digits(&last), last.fallen.white), (faces("0:50", "1:00"), true));
}

#[test]
fn late_digits_are_those_of_some_time_ago() {
    let game = || minute().press(10_000, WHITE).fault(12_000, late(3, 20)).press(20_000, BLACK);
    assert_eq!(shown(game().read(12_000)), faces("0:51", "1:00"), "as it was at 9 s, before the press");
    assert_eq!(shown(game().read(12_999)), faces("0:51", "1:00"));
    assert_eq!(shown(game().read(14_000)), faces("0:50", "0:59"));
    assert_eq!(shown(game().read(22_000)), faces("0:50", "0:51"));
    assert_eq!(shown(game().read(24_000)), faces("0:49", "0:50"));
    let last = game().read(31_999).last();
    assert_eq!((digits(&last), left_ms(&last)), (faces("0:42", "0:50"), (38_001, 50_000)));
    assert_eq!(shown(game().read(32_000)), faces("0:38", "0:50"));
}

#[test]
fn late_digits_are_those_after_what_happened_then() {
    let game = Game::with(60_000, Bonus::Increment { ms: 2_000 }).fault(0, late(3, 600)).press(10_000, WHITE);
    assert_eq!(shown(game.read(13_000)), faces("0:54", "1:02"));
}

#[test]
fn there_is_nothing_before_the_beginning() {
    assert_eq!(shown(minute().fault(1_000, late(30, 60)).read(2_000)), faces("1:00", "1:00"));
}

#[test]
fn the_later_of_two_delays_of_the_digits_holds() {
    let game = minute().fault(5_000, late(3, 40)).fault(10_000, late(8, 10));
    assert_eq!(shown(game.read(19_000)), faces("0:49", "1:00"));
    let game = minute().fault(5_000, late(3, 40)).fault(10_000, late(8, 10));
    assert_eq!(shown(game.read(21_000)), faces("0:39", "1:00"), "the earlier one is over for good");
}

#[test]
fn the_end_of_an_earlier_delay_of_the_digits_ends_no_later_one() {
    let game = minute().fault(5_000, late(3, 10)).fault(10_000, late(8, 40));
    assert_eq!(shown(game.read(20_000)), faces("0:48", "1:00"));
}

#[test]
fn what_was_is_kept_for_as_long_as_the_digits_may_be_late() {
    let game = minute().fault(5_000, late(3, 10)).fault(10_000, late(8, 40)).read(15_000);
    assert_eq!(shown(game.read(16_000)), faces("0:52", "1:00"));
}

#[test]
fn late_digits_follow_the_time_base_as_it_was() {
    let game = minute().fault(10_000, late(5, 60)).fault(20_000, Fault::Jump { by_ns: 10 * S });
    assert_eq!(shown(game.read(24_000)), faces("0:41", "1:00"));
    let stuck = minute().fault(10_000, late(5, 60)).fault(20_000, Fault::Stuck { for_ns: 10 * S });
    assert_eq!(shown(stuck.read(33_000)), faces("0:40", "1:00"));
}

#[test]
fn digits_that_are_late_freeze_as_they_are_seen() {
    let game = minute().fault(10_000, late(5, 60)).fault(20_000, frozen(20)).read(30_000);
    assert_eq!(shown(game), faces("0:45", "1:00"));
}

#[test]
fn late_digits_show_what_the_device_itself_reckoned() {
    let game = minute().fault(0, late(5, 60)).fault(10_000, Fault::BothRun { for_ns: 10 * S });
    let last = game.read(20_000).last();
    assert_eq!((digits(&last), left_ms(&last)), (faces("0:45", "0:55"), (40_000, 50_000)));
}
