//! E2, F1, F3, H1, H2: when a flag counts and what it costs.

use flagfall_core::{AtZero, Bonus, BySide, Opening, Period, Side};
use flagfall_judge::rulebook::Entry;
use flagfall_judge::value::{BothDown, BothDownLast, FlagCounts, Value};
use flagfall_judge::{Decision, Outcome, Point, Rulebook, Strength};
use flagfall_trace::Act;
use flagfall_trace::plan::{Anchor, Basis, Claim, GameEnd, MoveMade, Observation, Person};

use crate::{BLACK, DRAW, Game, S, WHITE, but, cbx, fide, literal, lost_by, on, stated};

const COUNTS: Outcome = Outcome::FlagCounts(WHITE);
const DOES_NOT: Outcome = Outcome::FlagDoesNotCount(WHITE);

/// H2 as US Chess answers it: sudden death is below 30 seconds of increment.
pub(crate) fn always_a_draw() -> Entry {
    Entry::decided(Value::of(BothDownLast::Draw), "14G", Strength::Stated, "A draw.").with_limit("increment", 30_000)
}

fn players_only() -> Rulebook {
    but(fide(), FlagCounts::OnlyAPlayersClaim)
}

#[test]
fn who_may_make_a_flag_count() {
    let fallen = || Game::minute().start().at(Anchor::Flag(WHITE), 0, Act::Read);
    let cases = [
        ("arbiter sees", fallen().sees(Person::Arbiter, S, true, false), [COUNTS, COUNTS, DOES_NOT]),
        ("opponent sees", fallen().sees(Person::Black, S, true, false), [DOES_NOT, COUNTS, DOES_NOT]),
        ("opponent claims", fallen().claims(BLACK, S, WHITE, Basis::Flag), [COUNTS, COUNTS, COUNTS]),
        ("owner claims", fallen().claims(WHITE, S, WHITE, Basis::Flag), [COUNTS, COUNTS, COUNTS]),
        ("counter claimed", fallen().claims(BLACK, S, WHITE, Basis::Counter), [DOES_NOT, COUNTS, DOES_NOT]),
        ("used time claimed", fallen().claims(BLACK, S, WHITE, Basis::UsedTime), [DOES_NOT, COUNTS, DOES_NOT]),
        ("screen claimed", fallen().claims(BLACK, S, WHITE, Basis::Screen), [DOES_NOT, COUNTS, DOES_NOT]),
        ("claimed while up", Game::minute().start().claims(BLACK, S, WHITE, Basis::Flag), [DOES_NOT; 3]),
    ];
    for (name, game, outcomes) in cases {
        for (book, outcome) in [fide(), cbx(), players_only()].iter().zip(outcomes) {
            let rulings = game.under(book);
            assert_eq!(on(&[Point::E2], &rulings), [(Point::E2, stated(outcome))], "{name} under {}", book.key);
            let costs = on(&[Point::F1], &rulings);
            let expected = match (name, outcome) {
                ("claimed while up", _) => Vec::new(),
                (_, DOES_NOT) => vec![(Point::F1, stated(Outcome::PlayContinues))],
                _ => vec![(Point::F1, stated(lost_by(WHITE)))],
            };
            assert_eq!(costs, expected, "{name} under {}", book.key);
        }
    }
}

#[test]
fn evidence_that_proves_nothing_is_named() {
    for basis in [Basis::Counter, Basis::UsedTime, Basis::Screen] {
        let game = Game::minute().start().at(Anchor::Flag(WHITE), 0, Act::Read).claims(BLACK, S, WHITE, basis);
        let rulings = game.under(&fide());
        let ruling = rulings.iter().find(|ruling| ruling.point == Point::E2).expect("the flag is in question");
        assert_eq!(ruling.refused.len(), 1, "{basis:?}");
    }
}

#[test]
fn a_flag_that_nobody_notices_is_never_ruled_upon() {
    let game = Game::minute().start().at(Anchor::Flag(WHITE), 20 * S, Act::Read);
    for book in [fide(), cbx()] {
        assert_eq!(on(&[Point::E2, Point::F1], &game.under(&book)), [], "{}", book.key);
    }
}

#[test]
fn mate_before_the_flag_is_noticed_stands_or_does_not() {
    // X3: the flag falls unseen, White mates 20 s later and presses, then Black calls the flag.
    let game = Game::minute().start().ends(WHITE, 80 * S, GameEnd::Checkmate).press(WHITE, S).claims(
        BLACK,
        2 * S,
        WHITE,
        Basis::Flag,
    );
    let points = [Point::B2, Point::E2, Point::F1];
    let fide = on(&points, &game.under(&fide()));
    assert_eq!(fide[1..], [(Point::B2, stated(lost_by(BLACK))), (Point::E2, Decision::Void)]);
    let cbx = on(&points, &game.under(&cbx()));
    assert_eq!(cbx[1..], [(Point::E2, stated(COUNTS)), (Point::F1, stated(lost_by(WHITE)))]);
}

#[test]
fn the_moves_that_count_are_those_of_the_instant_that_counts() {
    // The flag falls on the control move, which is pressed before anybody looks.
    let game = Game::before_the_control().start().plays(WHITE, 12 * S).sees(Person::Arbiter, S, true, false);
    let points = [Point::B6, Point::F1];
    assert_eq!(on(&points, &game.under(&fide())), [(Point::F1, stated(Outcome::PlayContinues))]);
    assert_eq!(on(&points, &game.under(&cbx())), [(Point::F1, stated(lost_by(WHITE)))]);
}

#[test]
fn a_flag_counts_once() {
    let game = Game::before_the_control()
        .start()
        .moves(WHITE, S)
        .moves(WHITE, S)
        .at(Anchor::Flag(WHITE), S, Act::Read)
        .sees(Person::Arbiter, 0, true, false)
        .sees(Person::Arbiter, S, true, false)
        .claims(BLACK, S, WHITE, Basis::Flag);
    let rulings = on(&[Point::E2, Point::F1], &game.under(&fide()));
    assert_eq!(rulings, [(Point::E2, stated(COUNTS)), (Point::F1, stated(Outcome::PlayContinues))]);
}

#[test]
fn a_flag_that_the_arbiter_lifts_can_count_again() {
    let set = Act::SetTime { side: WHITE, left_ms: 5_000 };
    let game = Game::before_the_control()
        .start()
        .moves(WHITE, S)
        .moves(WHITE, S)
        .at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None)))
        .after(0, Act::SetCounter { side: WHITE, moves: 40 })
        .after(0, set)
        .at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None)));
    let rulings = on(&[Point::F1], &game.under(&fide()));
    assert_eq!(rulings, [(Point::F1, stated(Outcome::PlayContinues)), (Point::F1, stated(lost_by(WHITE)))]);
}

const fn seen(white: bool, black: bool, first: Option<Side>) -> Observation {
    Observation { by: Person::Arbiter, fallen: BySide::new(white, black), first }
}

/// White's flag falls, then Black's, and nobody looks before both are down.
fn both_down(game: Game) -> Game {
    game.start()
        .moves(WHITE, S)
        .at(Anchor::Flag(WHITE), S, Act::Press { side: WHITE, hand: flagfall_trace::plan::Hand::Same })
        .at(Anchor::Flag(BLACK), S, Act::Read)
}

const H: [Point; 4] = [Point::F1, Point::F3, Point::H1, Point::H2];

#[test]
fn both_flags_down_in_the_last_period() {
    // X6 and X5: with no sign of the order a draw or silence; with a sign the first flag loses.
    let unknown = both_down(Game::minute()).claims(BLACK, S, WHITE, Basis::Flag);
    assert_eq!(on(&H, &unknown.under(&fide())), [(Point::H2, stated(DRAW))]);
    assert_eq!(on(&H, &unknown.under(&cbx())), [(Point::H2, Decision::Silent)]);
    let signed =
        both_down(Game::minute().with(|setup| setup.first_fallen_sign = true)).claims(BLACK, S, WHITE, Basis::Flag);
    let first_loses = [(Point::F1, stated(lost_by(WHITE))), (Point::F3, stated(lost_by(WHITE)))];
    assert_eq!(on(&H, &signed.under(&fide())), first_loses);
    assert_eq!(on(&H, &signed.under(&cbx()))[0], (Point::F1, stated(lost_by(WHITE))));
    let always = fide().with(always_a_draw());
    assert_eq!(on(&H, &signed.under(&always)), [(Point::H2, stated(DRAW))]);
}

#[test]
fn both_flags_down_before_the_last_period() {
    let unknown = both_down(Game::before_the_control()).sees(Person::Arbiter, S, true, true);
    // Under FIDE the press after the unseen fall has completed White's control move.
    let short = [
        (Point::F1, stated(Outcome::PlayContinues)),
        (Point::F1, stated(lost_by(BLACK))),
        (Point::F3, stated(lost_by(BLACK))),
    ];
    assert_eq!(on(&H, &unknown.under(&fide())), short);
    assert_eq!(on(&H, &unknown.under(&cbx())), [(Point::H1, Decision::Silent)]);
    let early = |sign| {
        both_down(Game::before_the_control().with(|setup| {
            setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 20, period: None });
            setup.first_fallen_sign = sign;
        }))
        .sees(Person::Arbiter, S, true, true)
    };
    assert_eq!(on(&H, &early(false).under(&fide())), [(Point::H1, stated(Outcome::PlayContinues))]);
    assert_eq!(on(&H, &early(true).under(&fide()))[0], (Point::F1, stated(lost_by(WHITE))));
    let always = but(fide(), BothDown::Continues);
    assert_eq!(on(&H, &early(true).under(&always)), [(Point::H1, stated(Outcome::PlayContinues))]);
}

#[test]
fn flags_of_different_periods_are_provided_for_nowhere() {
    let game = Game::before_the_control().with(|setup| {
        setup.opening.white = Opening { left_ms: Some(10_000), moves: 41, period: None };
        setup.opening.black = Opening { left_ms: Some(10_000), moves: 30, period: None };
    });
    let rulings = both_down(game).sees(Person::Arbiter, S, true, true).under(&fide());
    assert_eq!(on(&H, &rulings), [(Point::H1, Decision::Silent)]);
}

#[test]
fn a_witness_knows_the_order() {
    let first = |observation| both_down(Game::minute()).after(S, Act::Observe(observation)).under(&fide());
    assert_eq!(on(&H, &first(seen(true, true, Some(WHITE))))[0], (Point::F1, stated(lost_by(WHITE))));
    // Black sees White's flag alone and says nothing until both are down.
    let alone = Game::minute()
        .start()
        .moves(WHITE, S)
        .at(Anchor::Flag(WHITE), S, Act::Press { side: WHITE, hand: flagfall_trace::plan::Hand::Same })
        .sees(Person::Black, S, true, false)
        .at(Anchor::Flag(BLACK), S, Act::Observe(seen(true, true, None)));
    let rulings = on(&H, &alone.under(&fide()));
    assert_eq!(rulings[..2], [Outcome::PlayContinues, lost_by(WHITE)].map(|of| (Point::F1, stated(of))));
}

#[test]
fn nobody_sees_a_flag_down_that_the_clock_shows_up() {
    let up = || Game::minute().start();
    let white_down = || up().at(Anchor::Flag(WHITE), 0, Act::Read);
    let does_not = |side| (Point::E2, stated(Outcome::FlagDoesNotCount(side)));
    let counts = (Point::E2, stated(COUNTS));
    let lost = (Point::F1, stated(lost_by(WHITE)));
    let cases = [
        ("black, both up", up().sees(Person::Arbiter, S, false, true), vec![does_not(BLACK)]),
        ("both, both up", up().sees(Person::Arbiter, S, true, true), vec![does_not(WHITE), does_not(BLACK)]),
        ("black, white down", white_down().sees(Person::Arbiter, S, false, true), vec![does_not(BLACK)]),
        ("both, white down", white_down().sees(Person::Arbiter, S, true, true), vec![counts, does_not(BLACK), lost]),
        ("none, white down", white_down().sees(Person::Arbiter, S, false, false), vec![]),
    ];
    let points = [Point::E2, Point::F1, Point::H1, Point::H2];
    for (name, game, expected) in cases {
        for book in [fide(), cbx()] {
            let rulings = game.under(&book);
            assert_eq!(on(&points, &rulings), expected, "{name} under {}", book.key);
            for one in rulings.iter().filter(|one| one.decision.outcome() == Some(Outcome::FlagDoesNotCount(BLACK))) {
                assert!(
                    one.used.is_empty() && one.refused[0].ends_with("but the clock shows it up"),
                    "{name}: {one:?}"
                );
            }
        }
    }
}

#[test]
fn a_witness_of_an_order_that_never_was_knows_nothing() {
    let says = |game: Game, seen| both_down(game).after(S, Act::Observe(seen));
    let wrong = says(Game::minute(), seen(true, true, Some(BLACK)));
    let drawn = wrong.under(&fide());
    assert_eq!(on(&H, &drawn), [(Point::H2, stated(DRAW))]);
    assert_eq!(on(&H, &wrong.under(&cbx())), [(Point::H2, Decision::Silent)]);
    let refused = "Black's flag was seen down first, but on the clock the other one fell first";
    let draw = drawn.iter().find(|ruling| ruling.point == Point::H2).expect("a draw");
    assert!(draw.refused.iter().any(|text| text == refused), "{draw:?}");
    // Who names one flag only while both are down has not seen it down alone.
    let one = says(Game::minute(), seen(false, true, None));
    assert_eq!(on(&H, &one.under(&fide())), [(Point::H2, stated(DRAW))]);
    let player = Observation { by: Person::White, ..seen(false, true, None) };
    let by_a_player = says(Game::minute(), player).after(S, Act::Observe(seen(true, true, None)));
    assert_eq!(on(&H, &by_a_player.under(&fide())), [(Point::H2, stated(DRAW))]);
}

#[test]
fn the_clocks_sign_stands_against_a_witness() {
    let game = both_down(Game::minute().with(|setup| setup.first_fallen_sign = true));
    let rulings = game.after(S, Act::Observe(seen(true, true, Some(BLACK)))).under(&fide());
    assert_eq!(on(&H, &rulings)[0], (Point::F1, stated(lost_by(WHITE))));
}

#[test]
fn a_loss_on_time_says_how_the_moves_stood() {
    let says = |game: Game, text: &str| {
        let rulings = game.start().at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None))).under(&fide());
        let lost = rulings.iter().find(|ruling| ruling.point == Point::F1).expect("a loss");
        assert!(lost.used.iter().any(|used| used == text), "{lost:?}");
    };
    says(Game::before_the_control(), "white had completed 39 moves and made 39, of the 40 that its period asks for");
    says(Game::minute(), "white had completed 0 moves and made 0, in the last period, which asks for all");
}

#[test]
fn the_order_of_unseen_falls_is_refused() {
    let rulings = both_down(Game::minute()).sees(Person::Arbiter, S, true, true).under(&fide());
    let draw = rulings.iter().find(|ruling| ruling.point == Point::H2).expect("a draw");
    assert!(draw.refused.iter().any(|refused| refused.contains("instants of the falls")), "{draw:?}");
}

#[test]
fn a_flag_costs_the_game_only_if_the_opponent_can_mate() {
    let flagged = |position| {
        Game::minute().with(|setup| setup.at_zero = AtZero::Freeze).at_position(position).start().at(
            Anchor::Flag(WHITE),
            S,
            Act::Claim(Claim { by: BLACK, flag: WHITE, basis: Basis::Flag }),
        )
    };
    let lost = vec![(Point::F1, stated(lost_by(WHITE))), (Point::F3, stated(lost_by(WHITE)))];
    let drawn = vec![(Point::F3, stated(DRAW))];
    let cases = [
        ("a rook against a knight (X7)", "8/8/8/4k3/4n3/8/8/K6R w - - 0 1", lost.clone()),
        ("a bare king against two knights (X8)", "8/8/8/8/4n3/1k2n3/8/K7 w - - 0 1", lost),
        ("blocked pawns (X9)", "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1", drawn.clone()),
        ("a forced capture (X10)", "k7/8/8/8/8/8/6q1/7K w - - 0 1", drawn.clone()),
        ("a bare opponent", "3Q4/8/8/4k3/8/8/8/K7 w - - 0 1", drawn),
    ];
    for (name, position, expected) in cases {
        assert_eq!(on(&[Point::F1, Point::F3], &flagged(position).under(&fide())), expected, "{name}");
        let literally = [(Point::F1, stated(lost_by(WHITE))), (Point::F3, literal(lost_by(WHITE)))];
        assert_eq!(on(&[Point::F1, Point::F3], &flagged(position).under(&cbx())), literally, "{name}");
    }
}

#[test]
fn the_position_that_counts_is_the_one_on_the_board() {
    // White takes the queen, does not press, and flags against a bare king.
    let taken =
        MoveMade { side: WHITE, san: "Qxd8+".into(), after: "3Qk3/8/8/8/8/8/8/4K3 b - - 0 1".into(), ends: None };
    let game = Game::minute().start().after(S, Act::Move(taken)).at(
        Anchor::Flag(WHITE),
        S,
        Act::Observe(seen(true, false, None)),
    );
    assert_eq!(on(&[Point::F1, Point::F3], &game.under(&fide())), [(Point::F3, stated(DRAW))]);
}

#[test]
fn what_nobody_can_tell_is_needed_and_ends_the_game_all_the_same() {
    let game = Game::minute()
        .at_position("no position at all")
        .start()
        .at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None)))
        .plays(WHITE, S);
    let answers = vec![("yes".to_owned(), lost_by(WHITE)), ("no".to_owned(), DRAW)];
    let needs = Decision::Needs { fact: "black-can-mate".into(), answers };
    let rulings = on(&[Point::B1, Point::F1, Point::F3], &game.under(&fide()));
    assert_eq!(rulings, [(Point::F3, needs), (Point::B1, Decision::Void)]);
}

#[test]
fn a_witness_of_a_fall_that_was_undone_knows_nothing_of_the_next() {
    let game = Game::minute()
        .start()
        .moves(WHITE, S)
        .at(Anchor::Flag(WHITE), S, Act::Observe(Observation { by: Person::Black, ..seen(true, false, None) }))
        .after(0, Act::SetTime { side: WHITE, left_ms: 5_000 })
        .at(Anchor::Flag(WHITE), S, Act::Press { side: WHITE, hand: flagfall_trace::plan::Hand::Same })
        .at(Anchor::Flag(BLACK), S, Act::Observe(seen(true, true, None)));
    let expected = [(Point::F1, stated(Outcome::PlayContinues)), (Point::H2, stated(DRAW))];
    assert_eq!(on(&H, &game.under(&fide())), expected);
}

#[test]
fn silence_on_mate_leaves_the_loss() {
    let book = fide().with(flagfall_judge::rulebook::Entry::silent(Point::F3));
    let game = Game::minute().start().at(Anchor::Flag(WHITE), S, Act::Read).sees(Person::Arbiter, 0, true, false);
    let rulings = on(&[Point::F1, Point::F3], &game.under(&book));
    assert_eq!(rulings, [(Point::F1, stated(lost_by(WHITE))), (Point::F3, Decision::Silent)]);
}

#[test]
fn the_target_is_that_of_the_period_whose_time_ran_out() {
    // 40 completed in time: the second period's flag is lost without any further target.
    let periods = [Period::of_moves(40, 10_000, Bonus::None), Period::all_moves(10_000, Bonus::None)];
    let game = Game::of(&periods)
        .with(|setup| setup.opening = BySide::both(Opening { left_ms: Some(10_000), moves: 39, period: None }))
        .start()
        .plays(WHITE, 5 * S)
        .plays(BLACK, 5 * S)
        .at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None)));
    assert_eq!(on(&[Point::F1], &game.under(&fide())), [(Point::F1, stated(lost_by(WHITE)))]);
}

#[test]
fn after_a_result_everything_is_void() {
    let game = Game::minute()
        .start()
        .at(Anchor::Flag(WHITE), S, Act::Observe(seen(true, false, None)))
        .plays(WHITE, S)
        .claims(BLACK, S, WHITE, Basis::Flag);
    let rulings = game.under(&fide());
    let void: Vec<Point> = rulings.iter().filter(|one| one.decision == Decision::Void).map(|one| one.point).collect();
    assert_eq!(void, [Point::B1]);
    assert_eq!(on(&[Point::F1], &rulings), [(Point::F1, stated(lost_by(WHITE)))]);
}
