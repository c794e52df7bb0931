//! B1, B2, B3, B6: what completes a move.

use flagfall_core::AtZero;
use flagfall_judge::rulebook::Entry;
use flagfall_judge::value::{NextMove, Value};
use flagfall_judge::{Decision, Outcome, Point, Strength};
use flagfall_trace::Act;
use flagfall_trace::plan::{Anchor, Basis, Fault, GameEnd, MoveMade, Person, StopReason};

use crate::{BLACK, Game, S, WHITE, cbx, fide, literal, lost_by, on, stated};

const B: [Point; 4] = [Point::B1, Point::B2, Point::B3, Point::B6];

#[test]
fn a_press_completes_the_move() {
    let game = Game::minute().start().plays(WHITE, 3 * S).plays(BLACK, 3 * S);
    for book in [fide(), cbx()] {
        let completed =
            [(Point::B1, stated(Outcome::Completed(WHITE, 1))), (Point::B1, stated(Outcome::Completed(BLACK, 1)))];
        assert_eq!(on(&B, &game.under(&book)), completed, "{}", book.key);
    }
}

#[test]
fn moves_are_counted_on() {
    let game = Game::minute().start().plays(WHITE, S).plays(BLACK, S).plays(WHITE, S).press(BLACK, S).press(WHITE, S);
    let completed = [(WHITE, 1), (BLACK, 1), (WHITE, 2)];
    for book in [fide(), cbx()] {
        let completed = completed.map(|(side, moves)| (Point::B1, stated(Outcome::Completed(side, moves))));
        assert_eq!(on(&B, &game.under(&book)), completed, "{}", book.key);
    }
}

#[test]
fn a_press_without_a_move_completes_nothing() {
    let game = Game::minute().start().press(WHITE, 3 * S).plays(BLACK, S).plays(WHITE, S);
    let completed =
        [(Point::B1, stated(Outcome::Completed(BLACK, 1))), (Point::B1, stated(Outcome::Completed(WHITE, 1)))];
    assert_eq!(on(&B, &game.under(&fide())), completed);
}

#[test]
fn a_press_that_starts_nobody_completes_nothing() {
    let lost = Game::minute().start().after(S, Act::Fault(Fault::LostPress { side: WHITE })).plays(WHITE, 3 * S);
    let pause = Act::pause(Person::Arbiter, StopReason::Interruption);
    let paused = Game::minute().start().moves(WHITE, S).after(S, pause).press(WHITE, S);
    let frozen =
        Game::minute().with(|setup| setup.at_zero = AtZero::Freeze).start().moves(WHITE, 59 * S).press(WHITE, 2 * S);
    for (name, game) in [("lost", lost), ("paused", paused), ("frozen", frozen)] {
        for book in [fide(), cbx()] {
            let incomplete = [(Point::B1, stated(Outcome::Incomplete(WHITE, 1)))];
            assert_eq!(on(&B, &game.under(&book)), incomplete, "{name} under {}", book.key);
        }
    }
}

#[test]
fn a_press_after_the_flag_completes_only_where_the_flag_does_not_forbid_it() {
    let game = Game::minute().start().plays(WHITE, 61 * S);
    assert_eq!(on(&B, &game.under(&fide())), [(Point::B1, stated(Outcome::Completed(WHITE, 1)))]);
    assert_eq!(on(&B, &game.under(&cbx())), [(Point::B1, stated(Outcome::Incomplete(WHITE, 1)))]);
}

#[test]
fn a_late_press_is_honoured_after_the_opponents_reply() {
    // Black answers while White's time still runs: his press has nothing to start, White's then does.
    let game = Game::minute().start().moves(WHITE, S).moves(BLACK, S).press(WHITE, S).press(BLACK, S);
    let completed =
        [(Point::B1, stated(Outcome::Completed(WHITE, 1))), (Point::B1, stated(Outcome::Completed(BLACK, 1)))];
    assert_eq!(on(&B, &game.under(&fide())), completed);
}

#[test]
fn the_next_move_completes_an_unpressed_one_or_does_not() {
    let game = Game::minute().start().moves(WHITE, S).moves(BLACK, S).plays(WHITE, S);
    let fide = on(&B, &game.under(&fide()));
    assert_eq!(
        fide,
        [(Point::B3, stated(Outcome::Completed(WHITE, 1))), (Point::B1, stated(Outcome::Completed(WHITE, 2)))]
    );
    let cbx = on(&B, &game.under(&cbx()));
    assert_eq!(
        cbx,
        [(Point::B3, literal(Outcome::Incomplete(WHITE, 1))), (Point::B1, literal(Outcome::Completed(WHITE, 1)))]
    );
}

#[test]
fn mate_without_a_press_is_over_or_is_not() {
    // X2: mate, no press, the flag falls one second later and is called.
    let game = Game::minute().start().ends(WHITE, 59 * S, GameEnd::Checkmate).claims(BLACK, 3 * S, WHITE, Basis::Flag);
    let points = [Point::B2, Point::E2, Point::F1];
    let fide = on(&points, &game.under(&fide()));
    let mate = [
        (Point::B2, stated(Outcome::Completed(WHITE, 1))),
        (Point::B2, stated(lost_by(BLACK))),
        (Point::E2, Decision::Void),
    ];
    assert_eq!(fide, mate);
    let cbx = on(&points, &game.under(&cbx()));
    let lost = [
        (Point::B2, literal(Outcome::Incomplete(WHITE, 1))),
        (Point::E2, stated(Outcome::FlagCounts(WHITE))),
        (Point::F1, literal(lost_by(WHITE))),
    ];
    assert_eq!(cbx, lost);
}

#[test]
fn mate_with_a_press_is_over_where_it_needs_one() {
    let game = Game::minute().start().ends(WHITE, S, GameEnd::Stalemate).press(WHITE, S).plays(BLACK, S);
    let cbx = on(&B, &game.under(&cbx()));
    let over = [
        (Point::B2, literal(Outcome::Incomplete(WHITE, 1))),
        (Point::B1, stated(Outcome::Completed(WHITE, 1))),
        (Point::B2, literal(crate::DRAW)),
        (Point::B1, Decision::Void),
    ];
    assert_eq!(cbx, over);
}

#[test]
fn the_control_move_must_be_pressed_in_time() {
    let points = [Point::B6, Point::F1, Point::E2];
    let game = Game::before_the_control().start().moves(WHITE, 9 * S).at(
        Anchor::Flag(WHITE),
        2 * S,
        Act::Claim(flagfall_trace::plan::Claim { by: BLACK, flag: WHITE, basis: Basis::Flag }),
    );
    let fide = on(&points, &game.under(&fide()));
    let lost = [
        (Point::E2, stated(Outcome::FlagCounts(WHITE))),
        (Point::B6, literal(Outcome::Incomplete(WHITE, 40))),
        (Point::F1, literal(lost_by(WHITE))),
    ];
    assert_eq!(fide, lost);
    let cbx = on(&points, &game.under(&cbx()));
    assert_eq!(cbx[1], (Point::B6, stated(Outcome::Incomplete(WHITE, 40))));
    assert_eq!(cbx[2], (Point::F1, stated(lost_by(WHITE))));
}

#[test]
fn forty_made_and_forty_one_made_is_forty_completed_or_is_not() {
    // X1: 40 not pressed, Black replies, 41 not pressed, the flag falls and is called.
    let game = Game::before_the_control().start().moves(WHITE, 2 * S).moves(BLACK, 2 * S).moves(WHITE, 2 * S).at(
        Anchor::Flag(WHITE),
        2 * S,
        Act::Claim(flagfall_trace::plan::Claim { by: BLACK, flag: WHITE, basis: Basis::Flag }),
    );
    let points = [Point::B3, Point::B6, Point::F1, Point::F3];
    let fide = on(&points, &game.under(&fide()));
    assert_eq!(fide, [(Point::B3, stated(Outcome::Completed(WHITE, 40))), (Point::F1, stated(Outcome::PlayContinues))]);
    let cbx = on(&points, &game.under(&cbx()));
    let lost = [
        (Point::B3, literal(Outcome::Incomplete(WHITE, 40))),
        (Point::B6, literal(Outcome::Incomplete(WHITE, 40))),
        (Point::F1, literal(lost_by(WHITE))),
        (Point::F3, literal(lost_by(WHITE))),
    ];
    assert_eq!(cbx, lost);
}

#[test]
fn a_dead_position_is_over_or_is_not() {
    let reaching = |after: &str, press: bool| {
        let made = MoveMade { side: WHITE, san: "Kxe2".into(), after: after.into(), ends: None };
        let game = Game::minute().start().after(59 * S, Act::Move(made));
        let game = if press { game.press(WHITE, 0) } else { game };
        game.claims(BLACK, 3 * S, WHITE, Basis::Flag)
    };
    let completed = (Point::B2, stated(Outcome::Completed(WHITE, 1)));
    let incomplete = (Point::B2, literal(Outcome::Incomplete(WHITE, 1)));
    let drawn = [
        "4k3/8/8/8/8/8/4K3/8 b - - 0 1",
        "4k3/8/8/8/8/8/4K1N1/8 b - - 0 1",
        "4kb2/8/8/8/8/8/4KB2/8 b - - 0 1",
        "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/4K3/8 b - - 0 60",
    ];
    let alive =
        ["4k3/8/8/8/8/8/4KNN1/8 b - - 0 1", "3qk3/8/8/8/8/8/4K3/8 b - - 0 1", "2b1k3/8/8/8/8/8/4KB2/8 b - - 0 1"];
    let points = [Point::B2, Point::F1];
    for position in &drawn[..2] {
        let game = reaching(position, false);
        assert_eq!(
            on(&points, &game.under(&fide())),
            [completed.clone(), (Point::B2, stated(crate::DRAW))],
            "{position}"
        );
        assert_eq!(on(&points, &game.under(&cbx())), [incomplete.clone(), (Point::F1, literal(lost_by(WHITE)))]);
        let pressed = on(&points, &reaching(position, true).under(&cbx()));
        assert_eq!(pressed, [incomplete.clone(), (Point::B2, literal(crate::DRAW))], "{position}");
    }
    for position in drawn {
        let ruled = on(&[Point::B2], &reaching(position, false).under(&fide()));
        assert_eq!(ruled, [completed.clone(), (Point::B2, stated(crate::DRAW))], "{position}");
    }
    for position in alive {
        assert_eq!(on(&[Point::B2], &reaching(position, false).under(&fide())), [], "{position}");
    }
}

#[test]
fn a_ruling_is_no_firmer_than_what_it_rests_on() {
    let completed = |moves| {
        Game::before_the_control()
            .with(|setup| setup.opening.white.moves = moves)
            .start()
            .moves(WHITE, S)
            .moves(BLACK, S)
            .plays(WHITE, S)
            .plays(BLACK, S)
            .at(Anchor::Flag(WHITE), S, Act::Read)
            .sees(Person::Arbiter, 0, true, false)
    };
    let continues = Outcome::PlayContinues;
    let lost = lost_by(WHITE);
    let cases = [
        // One of two moves was not pressed: the control hangs on it, or it does not.
        ("38 and two", completed(38), stated(continues), literal(lost)),
        ("37 and two", completed(37), stated(lost), stated(lost)),
        ("in the last period", completed(39), stated(lost), stated(lost)),
    ];
    for (name, game, under_fide, under_cbx) in cases {
        assert_eq!(on(&[Point::F1], &game.under(&fide())), [(Point::F1, under_fide)], "{name} under FIDE");
        // The control move itself was pressed, so B6 does not arise.
        assert_eq!(on(&[Point::B6, Point::F1], &game.under(&cbx())), [(Point::F1, under_cbx)], "{name} under CBX");
    }
    let entry = |strength| Entry::decided(Value::of(NextMove::Completes), "x", strength, "As the test says.");
    let inferred = fide().with(entry(Strength::Literal));
    let rulings = completed(38).under(&inferred);
    assert_eq!(on(&[Point::F1], &rulings), [(Point::F1, literal(continues))]);
    let periods = rulings.iter().filter(|ruling| ruling.point == Point::C3).map(flagfall_judge::Ruling::strength);
    assert_eq!(periods.collect::<Vec<_>>(), [Some(Strength::Literal); 2]);
}

#[test]
fn a_silent_rulebook_is_silent_and_completes_nothing() {
    let silent = flagfall_judge::Rulebook::silent("none", "Nothing");
    let game = Game::minute().start().moves(WHITE, S).moves(WHITE, S).press(WHITE, S);
    let rulings = on(&B, &game.under(&silent));
    assert_eq!(rulings, [(Point::B3, Decision::Silent), (Point::B1, Decision::Silent)]);
}
