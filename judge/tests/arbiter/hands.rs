//! B4, B5, B7 to B9, B13 to B16: hands at the clock and at the pieces.

use flagfall_core::Side;
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{
    Adjusting, AssistantsPress, Conduct, FingerAtTheButton, HeldButton, PressAfterTheReply, PressBeforeMoving,
    TimeUntilThePress, Value,
};
use flagfall_judge::{Decision, Outcome, Point, Strength};
use flagfall_trace::Act;
use flagfall_trace::hall::{Adjust, Assistant, Finger, Hall, Inability, Touch};
use flagfall_trace::plan::{Finding, Hand, Person, StopReason};

use crate::{BLACK, DRAW, Game, S, WHITE, but, fide, literal, lost_by, on, stated};

/// Black is to move on the board of this one.
const BLACK_TO_MOVE: &str = "3qk3/8/8/8/8/8/8/3QK3 b - - 0 1";
/// Black has nothing to mate with.
const BARE_KING: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";

fn touch(how: Finger, seconds: u64) -> Act {
    Act::Hall(Hall::Touch(Touch { side: WHITE, how, for_ms: seconds * 1_000 }))
}

fn on_conduct(point: Point, value: Conduct) -> Rulebook {
    fide().with(Entry::decided(Value::on(point, value), "x", Strength::Stated, "As the test says."))
}

fn illegal_move() -> Rulebook {
    let mut entry =
        Entry::decided(Value::of(PressBeforeMoving::IllegalMove), "7.5", Strength::Stated, "As the test says.");
    entry.limits.insert("gain", 120_000);
    entry.limits.insert("gain-in-fast-games", 60_000);
    fide().with(entry)
}

#[test]
fn a_finger_is_on_the_opponents_turn_from_the_very_press_that_begins_it() {
    let book = but(fide(), FingerAtTheButton::ForbiddenOnTheOpponentsTurn);
    let held = but(fide(), HeldButton::ForbiddenOnTheOpponentsTurn);
    for (seconds, point, how, book, may) in [
        (5, Point::B9, Finger::OnButton, &book, true),
        (6, Point::B9, Finger::OnButton, &book, false),
        (5, Point::B16, Finger::Holding, &held, true),
        (6, Point::B16, Finger::Holding, &held, false),
    ] {
        let game = Game::minute().start().after(S, touch(how, seconds)).plays(WHITE, 5 * S).moves(BLACK, 2 * S);
        let decision = if may { literal(Outcome::Allowed(WHITE)) } else { stated(Outcome::Forbidden(WHITE)) };
        assert_eq!(on(&[point], &game.under(book)), [(point, decision)], "{how:?} for {seconds} s");
    }
}

#[test]
fn hovering_is_not_covering() {
    let book = but(fide(), FingerAtTheButton::CoveringForbidden);
    for (how, decision) in [
        (Finger::AboveButton, Decision::Silent),
        (Finger::OnButton, stated(Outcome::Forbidden(WHITE))),
        (Finger::Covering, stated(Outcome::Forbidden(WHITE))),
    ] {
        let game = Game::minute().start().after(S, touch(how, 1));
        assert_eq!(on(&[Point::B9], &game.under(&book)), [(Point::B9, decision)], "{how:?}");
    }
}

#[test]
fn the_second_press_without_a_move_loses_unless_the_opponent_cannot_mate() {
    let gains = stated(Outcome::Gains(BLACK, 120_000));
    let illegal = stated(Outcome::IllegalMove(WHITE));
    for (position, end) in [(crate::QUEENS, lost_by(WHITE)), (BARE_KING, DRAW)] {
        let game = Game::minute().at_position(position).start().press(WHITE, S).press(BLACK, S).press(WHITE, S);
        let ruled = on(&[Point::B7], &game.under(&illegal_move()));
        let decisions: Vec<Decision> = ruled.into_iter().map(|(_, decision)| decision).collect();
        assert_eq!(decisions, [illegal.clone(), gains.clone(), illegal.clone(), stated(end)], "{position}");
    }
}

#[test]
fn only_the_player_on_move_presses_before_moving() {
    let book = but(fide(), PressBeforeMoving::Penalised);
    let after_a_move = Game::minute().start().plays(WHITE, S);
    assert_eq!(on(&[Point::B7], &after_a_move.under(&book)), []);
    let not_on_move = Game::minute().at_position(BLACK_TO_MOVE).start().press(WHITE, S);
    assert_eq!(on(&[Point::B7], &not_on_move.under(&book)), []);
    let stopped = Game::minute().start().after(S, Act::pause(Person::Arbiter, StopReason::Clock)).press(WHITE, S);
    assert_eq!(on(&[Point::B7], &stopped.under(&book)), []);
    let penalised = [(Point::B7, stated(Outcome::Penalty(WHITE)))];
    assert_eq!(on(&[Point::B7], &Game::minute().start().press(WHITE, S).under(&book)), penalised);
}

#[test]
fn a_log_without_a_board_tells_of_no_press_before_a_move() {
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let press = |hand| Game::minute().at_position(initial).start().after(S, Act::Press { side: WHITE, hand });
    let book = but(fide(), PressBeforeMoving::Penalised);
    for (hand, asked) in [(Hand::Unsaid, 0), (Hand::Same, 1)] {
        assert_eq!(on(&[Point::B7], &press(hand).under(&book)).len(), asked, "{hand:?}");
    }
}

#[test]
fn the_other_hand_costs_more_after_a_warning_and_only_if_it_was_meant() {
    let book = on_conduct(Point::B8, Conduct::WarnedFirst);
    let other = |game: Game, side: Side| game.moves(side, S).after(0, Act::Press { side, hand: Hand::Other });
    let needs = |sanction| Decision::Needs {
        fact: "deliberate".into(),
        answers: vec![("no".into(), Outcome::Forbidden(WHITE)), ("yes".into(), sanction)],
    };
    let meant = Act::Find(Finding::Deliberate(WHITE));
    let once = other(Game::minute().start(), WHITE);
    assert_eq!(on(&[Point::B8], &once.under(&book)), [(Point::B8, needs(Outcome::Warning(WHITE)))]);
    let twice = |found| other(found, WHITE).after(S, meant.clone());
    let found = other(Game::minute().start(), WHITE).after(S, meant.clone()).plays(BLACK, S);
    let decisions = [(Point::B8, stated(Outcome::Warning(WHITE))), (Point::B8, stated(Outcome::Penalty(WHITE)))];
    assert_eq!(on(&[Point::B8], &twice(found).under(&book)), decisions);
    let another = other(Game::minute().start(), WHITE).after(S, Act::Find(Finding::Deliberate(BLACK)));
    assert_eq!(on(&[Point::B8], &another.under(&book)), [(Point::B8, needs(Outcome::Warning(WHITE)))]);
}

#[test]
fn a_reply_bars_the_press_only_where_the_text_says_so() {
    let game = Game::minute().start().moves(WHITE, S).moves(BLACK, S).press(WHITE, S);
    let points = [Point::B4, Point::B1];
    let honoured = but(fide(), PressAfterTheReply::Honoured);
    let (yes, done) = (stated(Outcome::Honoured(WHITE)), stated(Outcome::Completed(WHITE, 1)));
    assert_eq!(on(&points, &game.under(&honoured)), [(Point::B4, yes), (Point::B1, done.clone())]);
    let not = but(fide(), PressAfterTheReply::NotHonoured);
    let (no, open) = (stated(Outcome::NotHonoured(WHITE)), stated(Outcome::Incomplete(WHITE, 1)));
    assert_eq!(on(&points, &game.under(&not)), [(Point::B4, no), (Point::B1, open)]);
    assert_eq!(on(&points, &game.under(&fide())), [(Point::B4, Decision::Silent), (Point::B1, done)]);
}

#[test]
fn the_time_until_the_press_is_what_the_clock_ran() {
    let book = but(fide(), TimeUntilThePress::Movers);
    let charged = |ms| vec![(Point::B5, stated(Outcome::Charged(WHITE, ms)))];
    let late = Game::minute().start().moves(WHITE, S).press(WHITE, 3 * S);
    assert_eq!(on(&[Point::B5], &late.under(&book)), charged(3_000));
    assert_eq!(on(&[Point::B5], &Game::minute().start().plays(WHITE, S).under(&book)), []);
    let stopped = Game::minute()
        .start()
        .moves(WHITE, S)
        .after(S, Act::pause(Person::White, StopReason::Assistance))
        .after(30 * S, Act::Resume { by: Person::Arbiter })
        .press(WHITE, S);
    assert_eq!(on(&[Point::B5], &stopped.under(&book)), charged(2_000));
}

#[test]
fn who_may_adjust_is_four_tests() {
    let rules = [Adjusting::OwnClockRunning, Adjusting::HavingTheMove, Adjusting::Both, Adjusting::OnMoveOncePressed];
    // White's clock runs in all of them.
    for (side, position, announced, may) in [
        (WHITE, crate::QUEENS, true, [true, true, true, true]),
        (WHITE, crate::QUEENS, false, [true, false, false, false]),
        (WHITE, BLACK_TO_MOVE, true, [true, false, false, true]),
        (BLACK, BLACK_TO_MOVE, true, [false, true, false, false]),
        (BLACK, crate::QUEENS, true, [false; 4]),
    ] {
        for (rule, may) in rules.into_iter().zip(may) {
            let adjust = Act::Hall(Hall::Adjust(Adjust { side, announced }));
            let game = Game::minute().at_position(position).start().after(S, adjust);
            let outcome = if may { Outcome::Allowed(side) } else { Outcome::Forbidden(side) };
            let ruled = on(&[Point::B13], &game.under(&but(fide(), rule)));
            assert_eq!(ruled, [(Point::B13, stated(outcome))], "{rule:?} {side} {position} {announced}");
        }
    }
}

#[test]
fn an_assistant_costs_time_by_the_reason() {
    let either = Decision::Discretion(vec![Outcome::Exempt(WHITE), Outcome::NotExempt(WHITE)]);
    let (spared, not, forbidden) =
        (stated(Outcome::Exempt(WHITE)), stated(Outcome::NotExempt(WHITE)), stated(Outcome::Forbidden(WHITE)));
    for (rule, disability, religion, refused) in [
        (AssistantsPress::Adjusted, not.clone(), not.clone(), forbidden.clone()),
        (AssistantsPress::AdjustedUnlessDisabled, spared.clone(), not, forbidden.clone()),
        (AssistantsPress::MayBeAdjustedUnlessDisabled, spared, either.clone(), forbidden),
        (AssistantsPress::MayBeAdjusted, either.clone(), either, Decision::Silent),
    ] {
        for (reason, accepted, decision) in [
            (Inability::Disability, true, disability),
            (Inability::Religion, true, religion),
            (Inability::Injury, false, refused),
        ] {
            let assistant = Act::Hall(Hall::Assistant(Assistant { side: WHITE, reason, accepted }));
            let ruled = on(&[Point::B14], &Game::minute().start().after(S, assistant).under(&but(fide(), rule)));
            assert_eq!(ruled, [(Point::B14, decision)], "{rule:?} {reason:?}");
        }
    }
}
