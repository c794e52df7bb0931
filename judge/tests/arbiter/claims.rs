//! E1, E3 to E7, F2, F4, F5, H and their limits: who calls a flag, on what, in time or too late.

use flagfall_core::{Bonus, BySide, Period};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{
    BothDown, BothDownLast, CannotMate, ClaimantsFlag, EndOrCall, FlagCounts, MissedPress, MoveCheck, PressWithTheFlag,
    ProofOfMoves, UsedTime, Value, WhoCalls,
};
use flagfall_judge::{Decision, Outcome, Point, Strength};
use flagfall_trace::Hall;
use flagfall_trace::hall::Sheet;
use flagfall_trace::plan::{Act, Anchor, Basis, Finding, GameClass, GameEnd, Hand, Person, StopReason};

use crate::flags::always_a_draw;
use crate::{BLACK, DRAW, Game, S, WHITE, but, fide, lost_by, on, stated};

fn unsupervised(game: Game, class: GameClass) -> Game {
    game.regulated(|regulations| {
        regulations.supervised = false;
        regulations.class = Some(class);
    })
}

/// White's flag has fallen, he has moved and pressed, and Black's time runs.
fn white_fallen_black_to_move(game: Game) -> Game {
    game.start().moves(WHITE, S).at(Anchor::Flag(WHITE), S, Act::Press { side: WHITE, hand: Hand::Same })
}

fn claimants_sheet() -> Entry {
    Entry::decided(Value::of(ProofOfMoves::ClaimantsSheet), "13C7", Strength::Stated, "The claimant's sheet.")
        .with_limit("missing", 3)
        .with_limit("gain", 120_000)
}

#[test]
fn the_moves_are_counted_at_the_first_look_or_at_the_claim() {
    let game = || {
        Game::minute()
            .start()
            .at(Anchor::Flag(WHITE), S, Act::Read)
            .sees(Person::Black, 0, true, false)
            .sees(Person::Black, S, true, false)
            .claims(BLACK, S, WHITE, Basis::Flag)
    };
    let under = |rule| on(&[Point::E1], &game().under(&but(fide(), rule)));
    assert_eq!(under(MoveCheck::AtOnce), [(Point::E1, stated(Outcome::CheckDue(WHITE)))]);
    let waits = [Outcome::CheckNotDue(WHITE), Outcome::CheckDue(WHITE)].map(|outcome| (Point::E1, stated(outcome)));
    assert_eq!(under(MoveCheck::OnClaim), waits);
}

#[test]
fn an_arbiter_calls_in_fast_games_that_nobody_supervises_or_does_not() {
    let seen = |game: Game| game.start().at(Anchor::Flag(WHITE), S, Act::Read).sees(Person::Arbiter, 0, true, false);
    let counts = |game, rule| on(&[Point::E3], &seen(game).under(&but(fide(), rule)));
    let (yes, no) = (Outcome::FlagCounts(WHITE), Outcome::FlagDoesNotCount(WHITE));
    for class in [GameClass::Rapid, GameClass::Blitz] {
        let game = || unsupervised(Game::minute(), class);
        assert_eq!(counts(game(), WhoCalls::PlayersOnly), [(Point::E3, stated(no))]);
        assert_eq!(counts(game(), WhoCalls::PlayersUnlessBothDown), [(Point::E3, stated(no))]);
        assert_eq!(counts(game(), WhoCalls::ArbiterCallsToo), [(Point::E3, stated(yes))]);
    }
    assert_eq!(counts(unsupervised(Game::minute(), GameClass::Standard), WhoCalls::PlayersOnly), []);
    let supervised = Game::minute().regulated(|regulations| regulations.class = Some(GameClass::Rapid));
    assert_eq!(counts(supervised, WhoCalls::PlayersOnly), []);
    let both = || {
        white_fallen_black_to_move(unsupervised(Game::minute(), GameClass::Rapid))
            .at(Anchor::Flag(BLACK), S, Act::Read)
            .sees(Person::Arbiter, 0, true, true)
    };
    let down = [WHITE, BLACK].map(|side| (Point::E3, stated(Outcome::FlagCounts(side))));
    assert_eq!(on(&[Point::E3], &both().under(&but(fide(), WhoCalls::PlayersUnlessBothDown))), down);
}

#[test]
fn a_claim_is_secured_by_stopping_in_time() {
    let stop = || Act::pause(Person::Black, StopReason::Assistance);
    let claimed = |game: Game| white_fallen_black_to_move(game).claims(BLACK, S, WHITE, Basis::Flag);
    let in_time = |game| claimed(game).after(S, stop());
    let too_late = |game| claimed(game).at(Anchor::Flag(BLACK), S, stop());
    let points = [Point::E4, Point::F1, Point::H2];
    let up = || but(fide().with(always_a_draw()), ClaimantsFlag::FlagUp);
    assert_eq!(on(&points, &in_time(Game::minute()).under(&up())), [(Point::F1, stated(lost_by(WHITE)))]);
    let fails = [(Point::E4, stated(Outcome::ClaimFails(BLACK))), (Point::H2, stated(DRAW))];
    assert_eq!(on(&points, &too_late(Game::minute()).under(&up())), fails);
    let fast = || unsupervised(Game::minute(), GameClass::Blitz);
    let without =
        but(but(fide(), BothDownLast::DrawIfOrderUnknownOrUnsupervised), ClaimantsFlag::FlagUpWithoutSupervision);
    assert_eq!(on(&points, &too_late(fast()).under(&without)), fails);
    assert_eq!(on(&points, &too_late(Game::minute()).under(&without)), [(Point::F1, stated(lost_by(WHITE)))]);
    let holds = [(Point::E4, stated(Outcome::ClaimHolds(BLACK))), (Point::F1, stated(lost_by(WHITE)))];
    assert_eq!(on(&points, &too_late(fast()).under(&but(fide(), ClaimantsFlag::NotNeeded))), holds);
}

#[test]
fn an_arbiter_who_saw_the_first_flag_alone_saves_the_claim() {
    let book = but(but(fide().with(always_a_draw()), FlagCounts::OnlyAPlayersClaim), ClaimantsFlag::FlagUp);
    let game = |by| {
        white_fallen_black_to_move(Game::minute()).sees(by, S, true, false).claims(BLACK, S, WHITE, Basis::Flag).at(
            Anchor::Flag(BLACK),
            S,
            Act::pause(Person::Black, StopReason::Assistance),
        )
    };
    let points = [Point::E4, Point::F1, Point::H2];
    // That nobody has called it leaves the flag without consequences until then.
    let not_called = (Point::F1, stated(Outcome::PlayContinues));
    let holds =
        [not_called.clone(), (Point::E4, stated(Outcome::ClaimHolds(BLACK))), (Point::F1, stated(lost_by(WHITE)))];
    assert_eq!(on(&points, &game(Person::Arbiter).under(&book)), holds);
    let fails = [not_called, (Point::E4, stated(Outcome::ClaimFails(BLACK))), (Point::H2, stated(DRAW))];
    assert_eq!(on(&points, &game(Person::Black).under(&book)), fails);
}

/// White has 39 of 40 moves, his flag is down and Black has claimed it; then what comes to light.
fn at_move_forty(found: impl FnOnce(Game) -> Game) -> Game {
    let game = Game::before_the_control().start().at(Anchor::Flag(WHITE), S, Act::Read);
    found(game.claims(BLACK, 0, WHITE, Basis::Flag))
}

fn sheets(game: Game, white: Option<u16>, missing_on_blacks: u16) -> Game {
    let sheets = BySide::new(
        Sheet { shows: white, ..Sheet::default() },
        Sheet { missing: missing_on_blacks, ..Sheet::default() },
    );
    game.after(S, Act::Hall(Hall::Sheets(sheets)))
}

#[test]
fn a_claimant_may_lack_three_pairs_of_moves_and_no_more() {
    let book = fide().with(claimants_sheet());
    let points = [Point::E5, Point::F1];
    let lost = [(Point::E5, stated(Outcome::ClaimHolds(BLACK))), (Point::F1, stated(lost_by(WHITE)))];
    assert_eq!(on(&points, &at_move_forty(|game| sheets(game, None, 3)).under(&book)), lost);
    let denied = [Outcome::ClaimFails(BLACK), Outcome::Gains(WHITE, 120_000), Outcome::PlayContinues];
    let denied: Vec<(Point, Decision)> = denied.into_iter().map(|outcome| (Point::E5, stated(outcome))).collect();
    assert_eq!(on(&points, &at_move_forty(|game| sheets(game, None, 4)).under(&book)), denied);
    // A second claim in the same control is barred.
    let again = at_move_forty(|game| sheets(game, None, 4).claims(BLACK, S, WHITE, Basis::Flag)).under(&book);
    assert_eq!(on(&points, &again).last(), Some(&(Point::E5, stated(Outcome::ClaimFails(BLACK)))));
}

#[test]
fn what_cannot_be_proved_is_lost_or_passed_over_or_left_open() {
    let unproven = |book: &Rulebook| {
        let game = at_move_forty(|game| game.after(S, Act::Find(Finding::Unproven(WHITE))));
        on(&[Point::E5, Point::F1, Point::F3], &game.under(book))
    };
    let own = unproven(&but(fide(), ProofOfMoves::EachHisOwn));
    assert_eq!(own.last(), Some(&(Point::E5, stated(lost_by(WHITE)))));
    let shown = unproven(&but(fide(), ProofOfMoves::OversteppingIsShown));
    assert_eq!(shown, [(Point::E5, stated(Outcome::PlayContinues))]);
    assert_eq!(unproven(&fide()), [(Point::E5, Decision::Silent)]);
    let answers = vec![("complete".to_owned(), lost_by(WHITE)), ("incomplete".to_owned(), Outcome::PlayContinues)];
    let needs = Decision::Needs { fact: "sheet-of-black".into(), answers };
    assert_eq!(unproven(&fide().with(claimants_sheet())), [(Point::E5, needs)]);
}

#[test]
fn a_count_that_is_found_decides() {
    let found = |moves| {
        let game = at_move_forty(|game| game.after(S, Act::Find(Finding::Count(WHITE, moves))));
        on(&[Point::F1], &game.under(&fide()))
    };
    assert_eq!(found(40), [(Point::F1, stated(Outcome::PlayContinues))]);
    assert_eq!(found(39), [(Point::F1, stated(lost_by(WHITE)))]);
}

#[test]
fn an_own_sheet_must_show_the_moves() {
    let book = but(fide(), ProofOfMoves::EachHisOwn);
    let shown = |moves| {
        let game = Game::before_the_control()
            .start()
            .moves(WHITE, S)
            .moves(WHITE, S)
            .at(Anchor::Flag(WHITE), S, Act::Read)
            .claims(BLACK, 0, WHITE, Basis::Flag);
        on(&[Point::E5], &sheets(game, Some(moves), 0).under(&book))
    };
    assert_eq!(shown(40), [(Point::E5, stated(Outcome::PlayContinues))]);
    assert_eq!(shown(39), [(Point::E5, stated(lost_by(WHITE)))]);
}

#[test]
fn a_counter_that_missed_a_press_shows_a_loss_that_is_none() {
    // Move 39 is not pressed, so that the clock counts 40 moves as 39.
    let game = || {
        Game::before_the_control()
            .start()
            .moves(WHITE, S)
            .plays(WHITE, S)
            .plays(BLACK, S)
            .at(Anchor::Flag(WHITE), S, Act::Read)
            .claims(BLACK, 0, WHITE, Basis::Flag)
    };
    let points = [Point::E7, Point::F1];
    let counter_short = || game().with(|setup| setup.opening.white.moves = 38);
    let moves = but(fide(), MissedPress::MovesCount);
    let continues = [Point::E7, Point::F1].map(|point| (point, stated(Outcome::PlayContinues)));
    assert_eq!(on(&points, &counter_short().under(&moves)), continues);
    let premature =
        [(Point::E7, stated(Outcome::FlagDoesNotCount(WHITE))), (Point::F1, stated(Outcome::PlayContinues))];
    assert_eq!(on(&points, &counter_short().under(&but(fide(), MissedPress::FallIsPremature))), premature);
}

#[test]
fn an_end_by_words_comes_before_a_flag_that_nobody_called() {
    let ended = |act| Game::minute().start().at(Anchor::Flag(WHITE), S, Act::Hall(act));
    let rulings = ended(Hall::Resign(BLACK)).claims(BLACK, S, WHITE, Basis::Flag).under(&fide());
    let points = [Point::F2, Point::E2];
    assert_eq!(on(&points, &rulings), [(Point::F2, stated(lost_by(BLACK))), (Point::E2, Decision::Void)]);
    assert_eq!(on(&points, &ended(Hall::AgreeDraw).under(&fide())), [(Point::F2, stated(DRAW))]);
    let silent = fide().with(Entry::silent(Point::F2));
    let mated = Game::minute().start().ends(WHITE, 80 * S, GameEnd::Checkmate);
    let open = [(Point::B2, stated(Outcome::Completed(WHITE, 1))), (Point::F2, Decision::Silent)];
    assert_eq!(on(&[Point::B2, Point::F2], &mated.under(&silent)), open);
}

#[test]
fn mate_and_call_at_one_instant() {
    let game = || {
        Game::minute().start().at(Anchor::Flag(WHITE), S, Act::Read).claims(BLACK, 0, WHITE, Basis::Flag).ends(
            WHITE,
            0,
            GameEnd::Checkmate,
        )
    };
    let points = [Point::F1, Point::F4];
    let mate = on(&points, &game().under(&but(fide(), EndOrCall::EndStands)));
    assert_eq!(mate, [(Point::F4, stated(lost_by(BLACK)))]);
    let call = on(&points, &game().under(&but(fide(), EndOrCall::CallStands)));
    assert_eq!(call.last(), Some(&(Point::F1, stated(lost_by(WHITE)))));
    assert_eq!(on(&points, &game().under(&fide()))[0], (Point::F4, Decision::Silent));
}

#[test]
fn press_and_flag_at_one_instant() {
    let game = || {
        Game::before_the_control().start().at(Anchor::Flag(WHITE), 0, Act::Read).plays(WHITE, 0).claims(
            BLACK,
            S,
            WHITE,
            Basis::Flag,
        )
    };
    let points = [Point::F5, Point::F1];
    let late = on(&points, &game().under(&but(fide(), PressWithTheFlag::TooLate)));
    assert_eq!(late[0], (Point::F5, stated(Outcome::Incomplete(WHITE, 40))));
    assert_eq!(late[1].1.outcome(), Some(lost_by(WHITE)));
    let in_time = on(&points, &game().under(&but(fide(), PressWithTheFlag::InTime)));
    assert_eq!(in_time[0], (Point::F5, stated(Outcome::Completed(WHITE, 40))));
    assert_eq!(in_time[1].1.outcome(), Some(Outcome::PlayContinues));
}

#[test]
fn used_time_is_a_proof_where_a_rulebook_says_so() {
    let game = || {
        white_fallen_black_to_move(Game::minute())
            .at(Anchor::Flag(BLACK), S, Act::Read)
            .claims(BLACK, 0, WHITE, Basis::UsedTime)
            .sees(Person::Arbiter, S, true, true)
    };
    let points = [Point::H3, Point::F1, Point::H2];
    let none = on(&points, &game().under(&but(fide(), UsedTime::NoProof)));
    assert_eq!(none, [(Point::H3, stated(Outcome::EvidenceRefused)), (Point::H2, stated(DRAW))]);
    let proof = on(&points, &game().under(&but(fide(), UsedTime::Proof)));
    assert_eq!(proof, [(Point::H3, stated(Outcome::EvidenceAdmitted)), (Point::F1, stated(lost_by(WHITE)))]);
}

/// Both flags are down and Black claims; `change` is what the regulations say.
fn both_claimed(period: Period, change: impl FnOnce(&mut flagfall_trace::plan::Regulations)) -> Game {
    let game = Game::of(&[period]).with(|setup| {
        setup.at_zero = flagfall_core::AtZero::RunOn;
        setup.first_fallen_sign = false;
    });
    white_fallen_black_to_move(game.regulated(change)).at(Anchor::Flag(BLACK), S, Act::Read).claims(
        BLACK,
        0,
        WHITE,
        Basis::Flag,
    )
}

#[test]
fn the_guideline_must_be_announced_and_is_not_for_blitz_nor_for_increments() {
    let book = but(but(fide(), BothDownLast::DrawIfAnnounced), BothDown::ContinuesIfAnnounced);
    let rule = |bonus, announced, class| {
        let game = both_claimed(Period::all_moves(60_000, bonus), |regulations| {
            regulations.draw_request = announced;
            regulations.class = class;
        });
        on(&[Point::H2], &game.under(&book))
    };
    assert_eq!(rule(Bonus::None, Some(true), Some(GameClass::Standard)), [(Point::H2, stated(DRAW))]);
    let silent = [(Point::H2, Decision::Silent)];
    assert_eq!(rule(Bonus::None, Some(false), Some(GameClass::Standard)), silent);
    assert_eq!(rule(Bonus::None, None, Some(GameClass::Standard)), silent);
    assert_eq!(rule(Bonus::None, Some(true), Some(GameClass::Blitz)), silent);
    assert_eq!(rule(Bonus::Increment { ms: 2_000 }, Some(true), Some(GameClass::Standard)), silent);
}

#[test]
fn sudden_death_ends_where_the_increment_reaches_the_limit() {
    let rule = |ms| {
        let game = both_claimed(Period::all_moves(60_000, Bonus::Increment { ms }), |_| {});
        on(&[Point::H2], &game.under(&fide().with(always_a_draw())))
    };
    assert_eq!(rule(29_999), [(Point::H2, stated(DRAW))]);
    assert_eq!(rule(30_000), [(Point::H2, stated(Outcome::PlayContinues))]);
}

#[test]
fn with_too_little_material_nobody_wins_on_time_unless_by_force() {
    let book = but(fide(), CannotMate::DrawWithoutMaterial);
    let flagged = |position| {
        let game = Game::minute().at_position(position).start().at(Anchor::Flag(WHITE), S, Act::Read);
        let rulings = game.claims(BLACK, 0, WHITE, Basis::Flag).under(&book);
        rulings.iter().find(|ruling| ruling.point == Point::F3).and_then(|ruling| ruling.decision.outcome())
    };
    for (name, position, expected) in [
        ("a knight against a rook", "8/8/8/8/4n3/1k6/8/K6R w - - 0 1", DRAW),
        ("a knight that forces mate", "5n1K/5k2/7P/8/8/8/8/8 w - - 0 1", lost_by(WHITE)),
        ("two knights", "8/8/8/8/3nn3/2k5/8/K7 w - - 0 1", DRAW),
        ("two knights against a pawn", "8/8/8/8/3nn3/2k5/7P/K7 w - - 0 1", lost_by(WHITE)),
        ("a bare king", "4k3/8/8/8/8/8/8/K6R w - - 0 1", DRAW),
        ("a queen that must be taken", "4k3/8/8/8/8/8/P5q1/7K w - - 0 1", DRAW),
        ("a pawn", "4k3/p7/8/8/8/8/8/K6R w - - 0 1", lost_by(WHITE)),
    ] {
        assert_eq!(flagged(position), Some(expected), "{name}");
    }
}

#[test]
fn an_arbiter_may_end_a_game_in_which_nobody_calls_two_flags() {
    let book = but(fide().with(always_a_draw()), FlagCounts::OnlyAPlayersClaim);
    let game = white_fallen_black_to_move(Game::minute()).at(Anchor::Flag(BLACK), S, Act::Read).sees(
        Person::Arbiter,
        0,
        true,
        true,
    );
    let either = Decision::Discretion(vec![DRAW, Outcome::PlayContinues]);
    assert_eq!(on(&[Point::H2], &game.under(&book)), [(Point::H2, either)]);
}
