//! D1, D3, D4: the start and late players.

use flagfall_core::{BySide, Opening};
use flagfall_judge::rulebook::Entry;
use flagfall_judge::value::{BothAbsent, BothLate, ClockPlace, DefaultTime, LateArrival, Value};
use flagfall_judge::{Decision, GameResult, Outcome, Placer, Point, Strength};
use flagfall_trace::Act;
use flagfall_trace::hall::{Edge, Hall, Place};
use flagfall_trace::plan::{GameClass, Person};

use crate::{BLACK, Game, S, WHITE, but, cbx, fide, lost_by, on, stated};

const D: [Point; 2] = [Point::D3, Point::D4];
const CONTINUES: Outcome = Outcome::PlayContinues;

fn arrive(game: Game, side: flagfall_core::Side, after_ns: i64) -> Game {
    game.after(after_ns, Act::Arrive { side })
}

#[test]
fn white_runs_from_the_start_of_a_game() {
    let game = Game::minute().start();
    for book in [fide(), cbx()] {
        let runs = [(Point::D1, stated(Outcome::Runs(WHITE)))];
        assert_eq!(on(&[Point::D1], &game.under(&book)), runs, "{}", book.key);
    }
    let opening = |moves| Opening { left_ms: None, moves, period: None };
    for (white, black) in [(12, 12), (1, 0), (0, 1)] {
        let resumed = Game::minute().with(|setup| setup.opening = BySide::new(opening(white), opening(black))).start();
        assert_eq!(on(&[Point::D1], &resumed.under(&fide())), [], "{white} and {black}");
    }
}

#[test]
fn a_player_is_late_after_the_default_time_and_not_at_it() {
    let game = |late_ns| arrive(Game::minute().default_time(30_000).start(), BLACK, late_ns);
    let discretion = Decision::Discretion(vec![lost_by(BLACK), CONTINUES]);
    assert_eq!(on(&D, &game(30 * S).under(&fide())), [(Point::D3, stated(CONTINUES))]);
    assert_eq!(on(&D, &game(30 * S + 1).under(&fide())), [(Point::D3, discretion)]);
    let strict = but(fide(), LateArrival::Loses);
    assert_eq!(on(&D, &game(30 * S + 1).under(&strict)), [(Point::D3, stated(lost_by(BLACK)))]);
    assert_eq!(on(&D, &game(30 * S + 1).under(&cbx())), [(Point::D3, Decision::Silent)]);
}

#[test]
fn who_moves_or_presses_is_there() {
    let late = || Game::minute().default_time(10_000).start();
    let discretion = Decision::Discretion(vec![lost_by(WHITE), CONTINUES]);
    let cases = [
        ("moves in time", arrive(late().moves(WHITE, 5 * S), WHITE, 20 * S), vec![(Point::D3, stated(CONTINUES))]),
        ("presses in time", arrive(late().press(WHITE, 5 * S), WHITE, 20 * S), vec![(Point::D3, stated(CONTINUES))]),
        ("moves late", arrive(late().moves(WHITE, 11 * S), WHITE, S), vec![(Point::D3, discretion)]),
        ("moves at once", arrive(late().moves(WHITE, 0), WHITE, 20 * S), vec![]),
        ("presses at once", arrive(late().press(WHITE, 0), WHITE, 20 * S), vec![]),
        ("never arrives", late().moves(WHITE, 20 * S), vec![]),
    ];
    for (name, game, expected) in cases {
        assert_eq!(on(&D, &game.under(&fide())), expected, "{name}");
    }
}

#[test]
fn nobody_is_late_who_comes_before_the_start() {
    let game = Game::minute().default_time(0).after(0, Act::Arrive { side: BLACK }).after(S, Act::Start);
    assert_eq!(on(&D, &game.under(&fide())), []);
    let game = Game::minute().default_time(0).start().after(0, Act::Arrive { side: BLACK });
    assert_eq!(on(&D, &game.under(&fide())), []);
}

#[test]
fn without_a_default_time_it_is_needed() {
    // X13: White comes one second late and the regulations say nothing.
    let game = arrive(Game::minute().start(), WHITE, S);
    let answers = vec![("exceeded".to_owned(), lost_by(WHITE)), ("not-exceeded".to_owned(), CONTINUES)];
    let needs = Decision::Needs { fact: "default-time".into(), answers };
    assert_eq!(on(&D, &game.under(&fide())), [(Point::D3, needs)]);
    assert_eq!(on(&D, &game.under(&cbx())), [(Point::D3, Decision::Silent)]);
}

#[test]
fn the_time_of_nobody() {
    // X14: both come together 20 s after the start, with a default time of 30 s.
    let game = arrive(arrive(Game::minute().default_time(30_000).start(), WHITE, 20 * S), BLACK, 0);
    let white_bears = [
        (Point::D3, stated(CONTINUES)),
        (Point::D4, stated(Outcome::Bears(WHITE, 20_000))),
        (Point::D3, stated(CONTINUES)),
    ];
    assert_eq!(on(&D, &game.under(&fide())), white_bears);
    let split = but(fide(), BothAbsent::Split);
    let halves =
        [(Point::D4, stated(Outcome::Bears(WHITE, 10_000))), (Point::D4, stated(Outcome::Bears(BLACK, 10_000)))];
    assert_eq!(on(&[Point::D4], &game.under(&split)), halves);
    assert_eq!(on(&[Point::D4], &game.under(&cbx())), [(Point::D4, Decision::Silent)]);
}

#[test]
fn white_bears_until_he_comes_even_if_black_came_before() {
    let game = arrive(arrive(Game::minute().default_time(30_000).start(), BLACK, 5 * S), WHITE, 7 * S);
    assert_eq!(on(&[Point::D4], &game.under(&fide())), [(Point::D4, stated(Outcome::Bears(WHITE, 12_000)))]);
    let split = on(&[Point::D4], &game.under(&but(fide(), BothAbsent::Split)));
    assert_eq!(split[0], (Point::D4, stated(Outcome::Bears(WHITE, 2_500))));
    assert_eq!(split.len(), 2);
}

#[test]
fn one_absent_player_shares_nothing() {
    let game = arrive(Game::minute().default_time(30_000).start(), WHITE, 5 * S);
    assert_eq!(on(&[Point::D4], &game.under(&fide())), []);
}

#[test]
fn both_late_at_default_zero_both_lose() {
    let game = arrive(arrive(Game::minute().default_time(0).start(), WHITE, S), BLACK, S);
    let both = Outcome::Result(GameResult::BothLose);
    let strict = but(fide(), LateArrival::Loses);
    assert_eq!(on(&D, &game.under(&strict)), [(Point::D3, stated(both)), (Point::D3, Decision::Void)]);
    let white = vec![both, lost_by(WHITE), lost_by(BLACK), CONTINUES];
    let black = vec![both, lost_by(BLACK), lost_by(WHITE), CONTINUES];
    let discretion = [(Point::D3, Decision::Discretion(white)), (Point::D3, Decision::Discretion(black))];
    assert_eq!(on(&D, &game.under(&fide())), discretion);
}

#[test]
fn who_bears_the_time_needs_the_default_time_too() {
    let game = arrive(arrive(Game::minute().start(), WHITE, S), BLACK, S);
    let answers = vec![
        ("zero".to_owned(), Outcome::Result(GameResult::BothLose)),
        ("not-zero".to_owned(), Outcome::Bears(WHITE, 1_000)),
    ];
    let needs = Decision::Needs { fact: "default-time".into(), answers };
    assert_eq!(on(&[Point::D4], &game.under(&fide())), [(Point::D4, needs)]);
}

#[test]
fn the_round_counts_from_its_first_signal_where_the_text_says_so() {
    let opens = |game: Game, after_ns| game.after(after_ns, Act::Hall(Hall::OpenRound));
    let (from_the_round, from_the_start) =
        (but(fide(), LateArrival::LosesFromTheRound), but(fide(), LateArrival::Loses));
    let game = |late_ns| {
        let opened = opens(opens(Game::minute().default_time(30_000), 0), 5 * S);
        arrive(opened.after(5 * S, Act::Start), BLACK, late_ns)
    };
    // Ten seconds after the first signal the game is started.
    for (late_ns, of_round, of_start) in [
        (20 * S, CONTINUES, CONTINUES),
        (20 * S + 1, lost_by(BLACK), CONTINUES),
        (30 * S, lost_by(BLACK), CONTINUES),
        (30 * S + 1, lost_by(BLACK), lost_by(BLACK)),
    ] {
        assert_eq!(on(&D, &game(late_ns).under(&from_the_round)), [(Point::D3, stated(of_round))], "{late_ns} ns");
        assert_eq!(on(&D, &game(late_ns).under(&from_the_start)), [(Point::D3, stated(of_start))], "{late_ns} ns");
    }
    // Who comes to the round too late and to the game in time is late where the round counts.
    let between = arrive(opens(Game::minute().default_time(30_000), 0), BLACK, 31 * S).after(S, Act::Start);
    assert_eq!(on(&D, &between.under(&from_the_round)), [(Point::D3, stated(lost_by(BLACK)))]);
    assert_eq!(on(&D, &between.under(&from_the_start)), []);
}

#[test]
fn an_excused_player_is_not_one_of_two_late_ones() {
    let excuse = |game: Game, side| game.after(S, Act::Hall(Hall::Excuse(side)));
    let book = but(fide(), BothLate::BothLose);
    let points = [Point::D3, Point::D5];
    let alone = Decision::Discretion(vec![lost_by(WHITE), CONTINUES]);
    // Black is still away when White comes, and nobody will hold it against him.
    let away = arrive(arrive(excuse(Game::minute().default_time(0).start(), BLACK), WHITE, S), BLACK, S);
    let expected = [(Point::D3, stated(Outcome::ActAdmissible)), (Point::D3, alone), (Point::D3, stated(CONTINUES))];
    assert_eq!(on(&points, &away.under(&book)), expected);
    // What is excused once is not excused again.
    let twice = excuse(excuse(arrive(Game::minute().default_time(0).start(), BLACK, S), BLACK), BLACK);
    let admissible = (Point::D3, stated(Outcome::ActAdmissible));
    let expected = [
        (Point::D3, Decision::Discretion(vec![lost_by(BLACK), CONTINUES])),
        admissible.clone(),
        (Point::D3, stated(CONTINUES)),
        admissible,
    ];
    assert_eq!(on(&points, &twice.under(&book)), expected);
}

#[test]
fn a_default_time_by_class_is_kept_to_the_millisecond() {
    let entry = |value| Entry::decided(Value::of(value), "x", Strength::Stated, "As the test says.");
    let by_class = entry(DefaultTime::ByClass).with_limit("standard", 30_000).with_limit("rapid", 10_000);
    let by_class = but(fide(), LateArrival::Loses).with(by_class);
    let game = |class, late_ns| {
        arrive(Game::minute().regulated(|regulations| regulations.class = Some(class)).start(), BLACK, late_ns)
    };
    let points = [Point::D2, Point::D3];
    for (class, ms) in [(GameClass::Standard, 30_000), (GameClass::Rapid, 10_000)] {
        let at_ns = i64::try_from(ms).expect("a short time") * 1_000_000;
        for (late_ns, outcome) in [(at_ns, CONTINUES), (at_ns + 1, lost_by(BLACK))] {
            let expected = [(Point::D2, stated(Outcome::DefaultTime(ms))), (Point::D3, stated(outcome))];
            assert_eq!(on(&points, &game(class, late_ns).under(&by_class)), expected, "{class:?} {late_ns}");
        }
    }
    let blitz = on(&points, &game(GameClass::Blitz, S).under(&by_class));
    assert_eq!(blitz[0], (Point::D2, Decision::Silent));
    assert!(matches!(blitz[1].1, Decision::Needs { .. }), "{blitz:?}");
    // A minute to the first control, or less where the text says so.
    for (at_most, ms) in [(45_000, 45_000), (90_000, 60_000)] {
        let first = entry(DefaultTime::UntilTheFirstControl).with_limit("at_most", at_most);
        let game = arrive(Game::minute().start(), BLACK, S);
        assert_eq!(on(&[Point::D2], &game.under(&fide().with(first))), [(Point::D2, stated(Outcome::DefaultTime(ms)))]);
    }
    let named = arrive(Game::minute().default_time(5_000).start(), BLACK, 6 * S);
    assert_eq!(on(&points, &named.under(&by_class)), [(Point::D3, stated(lost_by(BLACK)))], "regulations go first");
}

#[test]
fn white_chooses_the_place_of_the_clock_only_while_black_is_late() {
    let book = but(fide(), ClockPlace::BlackChooses);
    let place = || Act::Hall(Hall::Place(Place { by: Person::White, at: Edge::WhitesLeft }));
    let placer = |game: Game| on(&[Point::D6], &game.under(&book))[0].1.outcome();
    let before = Game::minute().after(0, place()).after(S, Act::Start);
    assert_eq!(placer(arrive(before, BLACK, 20 * S)), Some(Outcome::PlacedBy(Placer::Black)), "nobody is late yet");
    let after = Game::minute().start().after(S, place());
    assert_eq!(placer(arrive(after, BLACK, 20 * S)), Some(Outcome::PlacedBy(Placer::White)));
    let there = arrive(Game::minute().start(), BLACK, S).after(S, place());
    assert_eq!(placer(there), Some(Outcome::PlacedBy(Placer::Black)));
}
