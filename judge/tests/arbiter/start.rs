//! D1, D3, D4: the start and late players.

use flagfall_core::{BySide, Opening};
use flagfall_judge::value::{BothAbsent, LateArrival};
use flagfall_judge::{Decision, GameResult, Outcome, Point};
use flagfall_trace::Act;

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
    let resumed = Game::minute()
        .with(|setup| setup.opening = BySide::both(Opening { left_ms: None, moves: 12, period: None }))
        .start();
    assert_eq!(on(&[Point::D1], &resumed.under(&fide())), []);
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
