//! C3, C4: saved time and delays.

use flagfall_core::{Bonus, BySide, Credit, Opening, Period};
use flagfall_judge::rulebook::Entry;
use flagfall_judge::value::{Announcement, DelayRule, NextTarget, OneSheetBehind, SavedTime, Value};
use flagfall_judge::{Decision, Outcome, Point, Rulebook, Strength, arbiter};
use flagfall_trace::Act;
use flagfall_trace::hall::{CatchUp, Hall, Help, Players};
use flagfall_trace::plan::{Anchor, Fault, Finding, Installed, Person, StopReason};

use crate::{BLACK, Game, S, WHITE, but, cbx, fide, literal, lost_by, on, stated};

const C: [Point; 2] = [Point::C3, Point::C4];

fn delay() -> Game {
    Game::of(&[Period::all_moves(60_000, Bonus::Delay { ms: 5_000 })])
}

#[test]
fn a_delay_runs_first_and_is_not_saved() {
    let game = delay()
        .start()
        .plays(WHITE, 3 * S) // within
        .plays(BLACK, 5 * S) // at its end
        .plays(WHITE, 5 * S + 1_000_000) // one millisecond past
        .plays(BLACK, 5 * S + 1_000) // a tick past, which rounds up
        .plays(WHITE, S)
        .plays(BLACK, 20 * S);
    let left = |side, ms| (Point::C4, stated(Outcome::Left(side, ms)));
    assert_eq!(
        on(&C, &game.under(&fide())),
        [
            left(WHITE, 60_000),
            left(BLACK, 60_000),
            left(WHITE, 59_999),
            left(BLACK, 60_000),
            left(WHITE, 59_999),
            left(BLACK, 45_000)
        ]
    );
    assert_eq!(on(&C, &game.under(&cbx())), vec![(Point::C4, Decision::Silent); 6]);
}

#[test]
fn a_pause_stops_the_delay_where_it_stands() {
    let game = delay()
        .start()
        .after(3 * S, Act::pause(Person::Arbiter, StopReason::Interruption))
        .after(100 * S, Act::Resume { by: Person::Arbiter })
        .plays(WHITE, 4 * S);
    assert_eq!(on(&C, &game.under(&fide())), [(Point::C4, stated(Outcome::Left(WHITE, 58_000)))]);
}

#[test]
fn a_correction_begins_a_new_account() {
    let game = delay().start().after(8 * S, Act::SetTime { side: WHITE, left_ms: 30_000 }).plays(WHITE, 4 * S);
    assert_eq!(on(&C, &game.under(&fide())), [(Point::C4, stated(Outcome::Left(WHITE, 26_000)))]);
}

#[test]
fn a_press_that_the_clock_did_not_take_ends_no_turn() {
    let game =
        delay().start().after(S, Act::Fault(Fault::LostPress { side: WHITE })).plays(WHITE, S).press(WHITE, 8 * S);
    assert_eq!(on(&C, &game.under(&fide())), [(Point::C4, stated(Outcome::Left(WHITE, 55_000)))]);
}

#[test]
fn time_that_ran_out_leaves_nothing_to_say() {
    let game = delay().with(|setup| setup.at_zero = flagfall_core::AtZero::RunOn).start().plays(WHITE, 65 * S);
    assert_eq!(on(&C, &game.under(&fide())), []);
}

/// Move 40 with so much used of ten seconds, before an hour.
fn control(bonus: Bonus) -> Game {
    Game::of(&[Period::of_moves(40, 7_200_000, bonus), Period::all_moves(3_600_000, Bonus::None)]).with(|setup| {
        setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 39, period: None });
    })
}

#[test]
fn saved_time_is_carried_where_the_rulebook_and_the_control_say_so() {
    let left = |ms| stated(Outcome::Left(WHITE, ms));
    let without_delay = but(fide(), SavedTime::NotCarriedWithDelay);
    let always = but(fide(), SavedTime::Carried);
    let plain =
        |carry_over| control(Bonus::None).with(|setup| setup.carry_over = carry_over).start().plays(WHITE, 4 * S);
    let delayed = control(Bonus::Delay { ms: 3_000 }).start().plays(WHITE, 4 * S);
    let cases: [(&str, Game, &Rulebook, Decision); 8] = [
        ("carried", plain(true), &fide(), left(3_606_000)),
        ("not applicable", plain(false), &fide(), left(3_600_000)),
        ("always", plain(false), &always, left(3_606_000)),
        ("no delay", plain(true), &without_delay, left(3_606_000)),
        ("delay", delayed, &without_delay, left(3_600_000)),
        ("delay carried", control(Bonus::Delay { ms: 3_000 }).start().plays(WHITE, 4 * S), &fide(), left(3_609_000)),
        ("silent", plain(true), &cbx(), Decision::Silent),
        ("increment", control(Bonus::Increment { ms: 2_000 }).start().plays(WHITE, 4 * S), &fide(), left(3_606_000)),
    ];
    for (name, game, book, decision) in cases {
        assert_eq!(on(&[Point::C3], &game.under(book)), [(Point::C3, decision)], "{name}");
    }
}

#[test]
fn increments_of_both_periods_are_in_what_is_left() {
    // Two moves of 4 s with 2 s each from before 39 on, then an hour and the first 30 s of the new period.
    let periods = [
        Period::of_moves(40, 7_200_000, Bonus::Increment { ms: 2_000 }),
        Period::all_moves(3_600_000, Bonus::Increment { ms: 30_000 }),
    ];
    let game = Game::of(&periods)
        .with(|setup| setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 38, period: None }))
        .start()
        .plays(WHITE, 4 * S)
        .plays(BLACK, S)
        .plays(WHITE, 4 * S)
        .plays(BLACK, S)
        .plays(WHITE, 4 * S);
    let left = |side, ms| (Point::C3, stated(Outcome::Left(side, ms)));
    let once = [left(WHITE, 4_000 + 3_600_000 + 30_000), left(BLACK, 10_000 + 3_600_000 + 30_000)];
    assert_eq!(on(&[Point::C3], &game.under(&fide())), once);
}

#[test]
fn an_increment_after_the_move_comes_before_the_next_period() {
    let game = control(Bonus::Increment { ms: 2_000 }).with(|setup| setup.credit = Credit::AfterMove);
    let rulings = game.start().plays(WHITE, 4 * S).under(&fide());
    assert_eq!(on(&[Point::C3], &rulings), [(Point::C3, stated(Outcome::Left(WHITE, 3_608_000)))]);
}

#[test]
fn a_corrected_counter_is_the_count_and_the_period_follows() {
    let set = |moves| Act::SetCounter { side: WHITE, moves };
    let opening = |moves| control(Bonus::None).with(|setup| setup.opening.white.moves = moves).start();
    let left = vec![Outcome::Left(WHITE, 3_606_000)];
    let cases = [
        ("one too few", opening(38).after(2 * S, set(39)).plays(WHITE, 2 * S), 40, left.clone()),
        ("back before the control", opening(40).after(2 * S, set(39)).plays(WHITE, 2 * S), 40, left),
        ("back by more", opening(39).after(2 * S, set(30)).plays(WHITE, 2 * S), 31, vec![]),
        ("past the control", opening(30).after(2 * S, set(40)).plays(WHITE, 2 * S), 41, vec![]),
        ("an open move is not among them", opening(38).moves(WHITE, S).after(S, set(37)).press(WHITE, S), 38, vec![]),
    ];
    for (name, game, completed, left) in cases {
        let rulings = game.under(&fide());
        let left: Vec<_> = left.into_iter().map(|left| (Point::C3, literal(left))).collect();
        assert_eq!(on(&[Point::C3], &rulings), left, "{name}");
        for book in [fide(), cbx()] {
            let completed = [(Point::B1, literal(Outcome::Completed(WHITE, completed)))];
            assert_eq!(on(&[Point::B1], &game.under(&book)), completed, "{name} under {}", book.key);
        }
    }
}

#[test]
fn a_corrected_counter_can_complete_an_open_move_and_one_that_was_right_changes_nothing() {
    let set = Act::SetCounter { side: WHITE, moves: 40 };
    let among = control(Bonus::None).start().moves(WHITE, S).after(S, set).press(WHITE, S);
    assert_eq!(on(&[Point::B1], &among.under(&fide())), []);
    let right = control(Bonus::None).start().after(S, Act::SetCounter { side: WHITE, moves: 39 }).plays(WHITE, S);
    assert_eq!(on(&[Point::B1], &right.under(&fide())), [(Point::B1, stated(Outcome::Completed(WHITE, 40)))]);
}

#[test]
fn a_flag_is_held_against_the_corrected_count() {
    let corrected = |moves| {
        let game = control(Bonus::None).with(|setup| setup.at_zero = flagfall_core::AtZero::RunOn).start();
        game.after(S, Act::SetCounter { side: WHITE, moves }).at(Anchor::Flag(WHITE), S, Act::Read)
    };
    let early = corrected(30).plays(WHITE, S).sees(Person::Arbiter, S, true, false);
    let late = control(Bonus::None)
        .with(|setup| setup.at_zero = flagfall_core::AtZero::RunOn)
        .start()
        .at(Anchor::Flag(WHITE), S, Act::SetCounter { side: WHITE, moves: 40 })
        .sees(Person::Arbiter, S, true, false);
    let points = [Point::F1];
    for book in [fide(), cbx()] {
        assert_eq!(on(&points, &early.under(&book)), [(Point::F1, literal(lost_by(WHITE)))], "{}", book.key);
    }
    assert_eq!(on(&points, &late.under(&fide())), [(Point::F1, literal(Outcome::PlayContinues))]);
    assert_eq!(on(&points, &late.under(&cbx())), [(Point::F1, stated(lost_by(WHITE)))]);
}

#[test]
fn a_period_ends_with_the_completed_moves_and_not_with_the_counter() {
    // Move 40 is not pressed: the clock counts one press too few, the rulebook does not.
    let game = control(Bonus::None).start().moves(WHITE, 2 * S).moves(BLACK, S).plays(WHITE, S);
    assert_eq!(on(&[Point::C3], &game.under(&fide())), [(Point::C3, stated(Outcome::Left(WHITE, 3_606_000)))]);
    let earlier = control(Bonus::None).with(|setup| setup.opening.white.moves = 30).start().plays(WHITE, S);
    assert_eq!(on(&C, &earlier.under(&fide())), []);
}

#[test]
fn a_control_that_is_installed_before_the_start_is_no_change() {
    let game = |before| {
        let setup = Game::minute().trace().plan.setup;
        let installed = || Act::SetUp(Installed(Box::new(setup)));
        let game = Game::minute();
        if before { game.after(0, installed()).after(S, Act::Start) } else { game.start().after(S, installed()) }
    };
    let book = but(fide(), Announcement::FixedInAdvance);
    assert_eq!(on(&[Point::C1], &game(true).under(&book)), []);
    assert_eq!(on(&[Point::C1], &game(false).under(&book)), [(Point::C1, stated(Outcome::ActAdmissible))]);
}

#[test]
fn nothing_is_said_of_bonuses_that_no_text_knows() {
    for bonus in [Bonus::Bronstein { ms: 2_000 }, Bonus::PerMove] {
        let game = Game::of(&[Period::all_moves(60_000, bonus)]).start().plays(WHITE, S).plays(BLACK, S);
        assert_eq!(on(&[Point::C2, Point::C3, Point::C4], &game.under(&fide())), [], "{bonus:?}");
    }
}

#[test]
fn what_bronstein_saves_is_carried_over_like_what_a_delay_saves() {
    let game = control(Bonus::Bronstein { ms: 2_000 }).start().plays(WHITE, 4 * S);
    assert_eq!(on(&[Point::C3], &game.under(&fide())), [(Point::C3, stated(Outcome::Left(WHITE, 3_606_000)))]);
}

#[test]
fn where_a_text_is_silent_the_account_goes_on_as_the_clock_is_set_up() {
    let book = Rulebook::silent("x", "X").with(Entry::decided(
        Value::of(DelayRule::RunsFirst),
        "x",
        Strength::Stated,
        "As the test says.",
    ));
    let periods =
        [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::Delay { ms: 5_000 })];
    for (carry_over, left_ms) in [(true, 3_605_000), (false, 3_599_000)] {
        let game = Game::of(&periods).with(|setup| {
            setup.carry_over = carry_over;
            setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 39, period: None });
        });
        let game = game.start().plays(WHITE, 4 * S).plays(BLACK, S).plays(WHITE, 6 * S);
        assert_eq!(on(&[Point::C4], &game.under(&book)), [(Point::C4, stated(Outcome::Left(WHITE, left_ms)))]);
    }
}

#[test]
fn a_charge_on_a_clock_that_stands_comes_off_what_is_left() {
    let book = but(but(fide(), OneSheetBehind::OwnTime), SavedTime::Carried);
    let catch_up =
        Act::Hall(Hall::CatchUp(CatchUp { by: Players::White, for_ms: 2_000, with: Help::OwnMemory, objected: false }));
    let game = control(Bonus::None)
        .start()
        .after(S, Act::pause(Person::Arbiter, StopReason::Interruption))
        .after(0, catch_up)
        .after(S, Act::Resume { by: Person::Arbiter })
        .plays(WHITE, 3 * S);
    let expected =
        [(Point::K7, stated(Outcome::Charged(WHITE, 2_000))), (Point::C3, stated(Outcome::Left(WHITE, 3_604_000)))];
    assert_eq!(on(&[Point::K7, Point::C3], &game.under(&book)), expected);
}

#[test]
fn what_is_left_is_as_uncertain_as_the_instants_behind_it() {
    // Each act is done within a microsecond: a start, a press, a pause, a resumption and a press count for White.
    let bounds = |game: Game| -> Vec<u64> {
        let mut trace = game.trace();
        for achieved in &mut trace.achieved {
            achieved.latest = achieved.earliest.checked_add_ns(1_000).expect("a short game");
        }
        let rulings = arbiter::rule(&fide(), &trace);
        rulings.iter().filter(|ruling| ruling.point == Point::C4).map(|ruling| ruling.bound_ns).collect()
    };
    let plain = bounds(delay().start().plays(WHITE, 6 * S).plays(BLACK, 6 * S).plays(WHITE, 6 * S));
    assert!(plain.iter().all(|bound| *bound > 0) && plain[2] == 2 * plain[0] && plain[1] == plain[0], "{plain:?}");
    let paused = |game: Game| {
        game.after(S, Act::pause(Person::Arbiter, StopReason::Interruption))
            .after(S, Act::Resume { by: Person::Arbiter })
    };
    assert_eq!(bounds(paused(delay().start()).plays(WHITE, 6 * S)), [2 * plain[0]]);
    let corrected = delay().start().after(S, Act::SetTime { side: WHITE, left_ms: 30_000 });
    assert_eq!(bounds(corrected.plays(WHITE, 6 * S)), [plain[0] / 2], "what the arbiter sets is certain");
}

/// White has made 36 of 40 moves by the counter when the arbiter finds that they cannot be proved.
#[test]
fn where_moves_cannot_be_proved_the_next_one_opens_the_next_period() {
    let unproven = || {
        control(Bonus::None)
            .with(|setup| setup.opening = BySide::both(Opening { left_ms: Some(60_000), moves: 36, period: None }))
            .start()
            .after(S, Act::Find(Finding::Unproven(WHITE)))
            .plays(WHITE, S)
    };
    let opens = unproven().under(&but(fide(), NextTarget::NextMoveOpensIt));
    let both = [WHITE, BLACK].map(|side| (Point::C5, stated(Outcome::Completed(side, 40))));
    assert_eq!(on(&[Point::C5], &opens), both);
    assert_eq!(on(&[Point::B1], &opens), [(Point::B1, literal(Outcome::Completed(WHITE, 41)))]);
    let cumulative = unproven().under(&but(fide(), NextTarget::Cumulative));
    assert_eq!(on(&[Point::C5], &cumulative), []);
    assert_eq!(on(&[Point::B1], &cumulative), [(Point::B1, stated(Outcome::Completed(WHITE, 37)))]);
}
