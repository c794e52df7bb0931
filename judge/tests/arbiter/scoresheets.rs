//! K: scoresheets, value by value.

use flagfall_core::{Bonus, BySide, Opening, Period};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{Conduct, Domain, TimeTrouble, Value};
use flagfall_judge::{Decision, Outcome, Point, Strength};
use flagfall_trace::Act;
use flagfall_trace::hall::Hall;

use crate::{BLACK, Game, S, WHITE, literal, on, stated};

fn entry<T: Domain>(value: T) -> Entry {
    Entry::decided(Value::of(value), "x", Strength::Stated, "As the test says.")
}

/// A book that speaks of scoresheets and of nothing else.
fn book(rule: TimeTrouble) -> Rulebook {
    let exempt = entry(rule).with_limit("remaining", 30_000);
    let exempt = match rule {
        TimeTrouble::Below | TimeTrouble::BelowFreesBoth => exempt.with_limit("increment", 5_000),
        TimeTrouble::BelowWithoutIncrement | TimeTrouble::AtOrBelow => exempt,
    };
    let duty = Entry::decided(Value::on(Point::K11, Conduct::Forbidden), "x", Strength::Stated, "As the test says.");
    Rulebook::silent("x", "X").with(exempt).with(duty)
}

fn exempt(game: &Game, rule: TimeTrouble) -> Vec<Decision> {
    on(&[Point::K5], &game.under(&book(rule))).into_iter().map(|(_, decision)| decision).collect()
}

/// Where the period asks for all moves, what is said of the move of the control is said of no move in it.
fn in_the_last_period(rule: TimeTrouble, outcome: Outcome) -> Decision {
    match (rule, outcome) {
        (TimeTrouble::AtOrBelow, Outcome::Exempt(_)) => literal(outcome),
        _ => stated(outcome),
    }
}

const ALL: [TimeTrouble; 4] =
    [TimeTrouble::Below, TimeTrouble::BelowWithoutIncrement, TimeTrouble::AtOrBelow, TimeTrouble::BelowFreesBoth];

#[test]
fn the_limit_itself_is_little_enough_for_one_of_them() {
    for (think_ns, below) in [(30 * S, false), (30 * S + 1_000_000, true)] {
        let game = Game::minute().start().after(think_ns, Act::Hall(Hall::StopWriting(WHITE)));
        for rule in ALL {
            let free = below || rule == TimeTrouble::AtOrBelow;
            let outcome = if free { Outcome::Exempt(WHITE) } else { Outcome::NotExempt(WHITE) };
            assert_eq!(exempt(&game, rule), [in_the_last_period(rule, outcome)], "{rule:?}");
        }
    }
}

#[test]
fn who_has_to_write_may_not_stop() {
    let game = Game::minute().start().after(S, Act::Hall(Hall::StopWriting(WHITE)));
    let rulings = on(&[Point::K5, Point::K11], &game.under(&book(TimeTrouble::Below)));
    let expected = [(Point::K5, Outcome::NotExempt(WHITE)), (Point::K11, Outcome::Forbidden(WHITE))];
    assert_eq!(rulings, expected.map(|(point, outcome)| (point, stated(outcome))));
}

#[test]
fn what_a_move_brings_and_who_is_short() {
    let game = |ms, side| {
        Game::of(&[Period::all_moves(60_000, Bonus::Increment { ms })])
            .with(|setup| setup.opening.white.left_ms = Some(20_000))
            .start()
            .after(S, Act::Hall(Hall::StopWriting(side)))
    };
    for (ms, side, free) in [
        (4_999, WHITE, [true, false, true, true]),
        (5_000, WHITE, [false, false, true, false]),
        (4_999, BLACK, [false, false, false, true]),
    ] {
        for (rule, free) in ALL.into_iter().zip(free) {
            let outcome = if free { Outcome::Exempt(side) } else { Outcome::NotExempt(side) };
            assert_eq!(exempt(&game(ms, side), rule), [in_the_last_period(rule, outcome)], "{rule:?} {ms} {side}");
        }
    }
}

#[test]
fn a_new_period_asks_for_moves_again_in_a_text_that_says_nothing_of_presses() {
    let periods = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
    let game = Game::of(&periods)
        .with(|setup| setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 39, period: None }))
        .start()
        .plays(WHITE, S)
        .plays(BLACK, S)
        .after(S, Act::Hall(Hall::StopWriting(WHITE)));
    for rule in ALL {
        assert_eq!(exempt(&game, rule), [stated(Outcome::NotExempt(WHITE))], "{rule:?}");
    }
}
