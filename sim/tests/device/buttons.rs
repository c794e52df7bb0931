//! Presses lost and doubled, and contacts that bounce when they close and when they are let go.

use std::num::NonZeroU32;

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, IgnoredBecause, Record, SameTick, SecondPress, Side, TickRate};
use flagfall_trace::plan::{Act, Fault, Hand, Installed, Step};

use super::{BLACK, Game, WHITE, left_ms, told};

const DOUBLE: Fault = Fault::DoublePress { side: WHITE };
const LOST: Fault = Fault::LostPress { side: WHITE };

fn ten_minutes() -> Game {
    Game::with(600_000, Bonus::Increment { ms: 2_000 })
}

fn pressed(records: &[Record]) -> Vec<(u64, Side)> {
    let presses = told(records, &[Kind::PRESSED]);
    presses.into_iter().map(|(at, _, side)| (at, side.expect("a button has a side"))).collect()
}

#[test]
fn the_second_closing_is_a_press_of_the_side_that_does_not_run() {
    let records = ten_minutes().fault(0, DOUBLE).press(10_000, WHITE).read(10_000).records();
    let kinds: Vec<Kind> = records[2..].iter().map(|record| record.kind).collect();
    assert_eq!(kinds, [Kind::PRESSED, Kind::CREDITED, Kind::SWITCHED, Kind::PRESSED, Kind::IGNORED, Kind::READ]);
    assert_eq!(records[6].detail, IgnoredBecause::NotOnMove as u16);
    let last = records.last().expect("a look");
    assert_eq!((last.moves.white, left_ms(last)), (1, (594_000, 602_000)));
}

#[test]
fn where_second_presses_count_it_counts_and_brings_its_bonus() {
    let game = ten_minutes().setup(|setup| setup.second_press = SecondPress::Counted);
    let last = game.fault(0, DOUBLE).press(10_000, WHITE).read(10_000).last();
    assert_eq!((last.moves.white, left_ms(&last), last.running()), (2, (596_000, 602_000), Some(BLACK)));
}

#[test]
fn only_the_next_press_of_that_side_is_doubled() {
    let game = ten_minutes().fault(0, DOUBLE).press(5_000, BLACK).press(10_000, WHITE).press(20_000, BLACK);
    let presses = pressed(&game.press(30_000, WHITE).records());
    assert_eq!(presses, [(5_000, BLACK), (10_000, WHITE), (10_000, WHITE), (20_000, BLACK), (30_000, WHITE)]);
}

#[test]
fn a_press_that_is_lost_is_lost_with_its_bounce() {
    let game = ten_minutes().fault(0, DOUBLE).fault(0, LOST).press(10_000, WHITE).press(20_000, WHITE);
    assert_eq!(pressed(&game.records()), [(20_000, WHITE), (20_000, WHITE)]);
}

/// Edges of White's contact, in microseconds; the first closes and they alternate.
fn wave(mut game: Game, edges_us: &[i64]) -> Game {
    for (nth, us) in edges_us.iter().enumerate() {
        let act = Act::Contact { side: WHITE, closes: nth % 2 == 0 };
        game.0.steps.push(Step { at: flagfall_core::TrueTime::from_ns(us * 1_000), act });
        game.0.end = flagfall_core::TrueTime::from_ns(us * 1_000);
    }
    game
}

#[test]
fn a_contact_that_bounces_is_one_press_when_it_closes_and_none_when_it_is_let_go() {
    let closing = [10_000_000, 10_000_900, 10_001_400, 10_006_000, 10_006_200];
    let letting_go = [10_300_000, 10_300_700, 10_301_000, 10_305_000, 10_305_500];
    let edges: Vec<i64> = closing.into_iter().chain(letting_go).collect();
    for hz in [1_000_000, 32_768] {
        let mut game = wave(ten_minutes(), &edges);
        game.0.tick_rate = TickRate::new(hz).expect("in range");
        let records = game.records();
        let presses: Vec<u64> =
            records.iter().filter(|r| r.kind == Kind::PRESSED).map(|record| record.at.ticks()).collect();
        assert_eq!(presses, [10 * u64::from(hz)], "{hz} Hz");
    }
}

#[test]
fn the_lock_ends_exactly_when_the_contact_has_been_quiet_for_20_ms() {
    let presses = |gap_us: i64| {
        let edges = [10_000_000, 10_001_000, 10_001_000 + gap_us];
        wave(ten_minutes(), &edges).records().iter().filter(|record| record.kind == Kind::PRESSED).count()
    };
    assert_eq!((presses(19_999), presses(20_000)), (1, 2));
}

#[test]
fn without_debouncing_every_closing_is_a_press() {
    let game = ten_minutes().setup(|setup| setup.debounce_ms = 0);
    let records = wave(game, &[10_000_000, 10_000_900, 10_001_400, 10_300_000, 10_300_700, 10_301_000]).records();
    let count = |kind| records.iter().filter(|record| record.kind == kind).count();
    assert_eq!((count(Kind::PRESSED), count(Kind::SWITCHED), count(Kind::IGNORED)), (3, 1, 2));
}

#[test]
fn each_contact_is_quiet_for_itself() {
    let game = ten_minutes();
    let close = |side| Act::Contact { side, closes: true };
    let presses = pressed(&game.at(10_000, close(WHITE)).at(10_005, close(BLACK)).at(10_006, close(WHITE)).records());
    assert_eq!(presses, [(10_000, WHITE), (10_005, BLACK)]);
}

#[test]
fn a_press_made_by_a_contact_is_lost_or_doubled_like_any_other() {
    let close = |at| Act::Contact { side: WHITE, closes: at };
    let game = |fault| ten_minutes().fault(0, fault).at(10_000, close(true)).at(10_200, close(false));
    assert_eq!(pressed(&game(LOST).records()), []);
    assert_eq!(pressed(&game(DOUBLE).records()), [(10_000, WHITE), (10_000, WHITE)]);
}

#[test]
fn a_flag_that_falls_in_the_tick_of_a_new_setting_has_fallen() {
    let game = Game::with(30_000, Bonus::None).setup(|setup| setup.same_tick = SameTick::PressFirst);
    let installed = Act::SetUp(Installed(Box::new(game.0.setup)));
    let kinds = told(&game.at(30_000, installed).records(), &[Kind::FLAG_FELL, Kind::CONFIGURED]);
    assert_eq!(kinds, [(30_000, Kind::FLAG_FELL, Some(WHITE)), (30_000, Kind::CONFIGURED, None)]);
}

#[test]
fn a_new_setting_debounces_anew_and_in_its_own_way() {
    let close = Act::Contact { side: WHITE, closes: true };
    let mut quicker = ten_minutes().0.setup;
    quicker.debounce_ms = 5;
    let installed = Act::SetUp(Installed(Box::new(quicker)));
    let game = ten_minutes().at(10_000, close.clone()).at(10_001, installed).at(10_002, close.clone());
    let presses = pressed(&game.at(10_006, close.clone()).at(10_011, close).records());
    assert_eq!(presses, [(10_000, WHITE), (10_002, WHITE), (10_011, WHITE)]);
}

/// A press so many nanoseconds after the first one of the tick in which White's flag falls.
fn in_the_tick_of_the_flag(order: SameTick, hz: u32, after_ns: i64) -> Vec<(Kind, Option<Side>)> {
    let rate = TickRate::new(hz).expect("in range");
    let mut game = Game::with(30_001, Bonus::None).setup(|setup| setup.same_tick = order);
    game.0.tick_rate = rate;
    let zero = rate.true_time_of(flagfall_core::DeviceTime::from_ticks(rate.ticks_from_ms(30_001)));
    let at = flagfall_core::TrueTime::from_ns(zero.ns() + after_ns);
    game.0.steps.push(Step { at, act: Act::Press { side: WHITE, hand: Hand::Same } });
    game.0.end = at;
    let records = game.read(30_100).records();
    let kinds = [Kind::SWITCHED, Kind::FLAG_FELL, Kind::IGNORED];
    records.iter().filter(|record| kinds.contains(&record.kind)).map(|record| (record.kind, record.side)).collect()
}

#[test]
fn a_press_in_the_tick_of_the_flag_comes_before_or_after_it_as_the_setting_says() {
    let flag = vec![(Kind::FLAG_FELL, Some(WHITE)), (Kind::IGNORED, Some(WHITE))];
    for hz in [1_000_000, 32_768] {
        let tick_ns = 1_000_000_000 / i64::from(hz);
        for after_ns in [0, tick_ns - 1] {
            let order = |order| in_the_tick_of_the_flag(order, hz, after_ns);
            assert_eq!(order(SameTick::FlagFirst), flag, "{hz} Hz");
            assert_eq!(order(SameTick::PressFirst), [(Kind::SWITCHED, Some(BLACK))], "{hz} Hz, {after_ns} ns after");
        }
        assert_eq!(in_the_tick_of_the_flag(SameTick::PressFirst, hz, tick_ns + 1), flag, "{hz} Hz, a tick later");
        assert_eq!(in_the_tick_of_the_flag(SameTick::FlagFirst, hz, -1), [(Kind::SWITCHED, Some(BLACK))], "{hz} Hz");
    }
}

#[test]
fn a_flag_that_waits_for_a_press_falls_even_if_the_counter_passes_its_tick_over() {
    // It shows 29 995 000 and then 30 002 000 ticks: the flag's 30 001 000 never.
    let quantum = NonZeroU32::new(7_000).expect("not zero");
    for order in [SameTick::PressFirst, SameTick::FlagFirst] {
        let mut game = Game::with(30_001, Bonus::None).setup(|setup| setup.same_tick = order);
        game.0.oscillator.quantum_ticks = quantum;
        let fell = told(&game.read(31_000).records(), &[Kind::FLAG_FELL]);
        assert_eq!(fell, [(30_001, Kind::FLAG_FELL, Some(WHITE))], "{order:?}");
    }
}
