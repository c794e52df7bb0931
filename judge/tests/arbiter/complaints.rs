//! D7, G2, G4, G8 and G9: complaints, other clocks and their times, positions that are restored.

use flagfall_core::{Bonus, BySide, Opening, Period};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{FlagComplaint, Floor, LateComplaint, Replacement, Restored, Value, WrongSetting};
use flagfall_judge::{Decision, Outcome, Point, Strength};
use flagfall_trace::Act;
use flagfall_trace::hall::{Complain, Grievance, Hall, Restore};
use flagfall_trace::plan::{Anchor, DefectFinding, Finding, GameClass, ScheduleFinding, SettingFinding, TurnOver};

use crate::{BLACK, Game, S, WHITE, but, fide, literal, lost_by, on, stated};

const BLACK_TO_MOVE: &str = "3qk3/8/8/8/8/8/8/3QK3 b - - 0 1";

fn complains(about: Grievance, agreed: bool) -> Act {
    Act::Hall(Hall::Complain(Complain { by: WHITE, about, agreed }))
}

const fn finds(setting: SettingFinding) -> Act {
    Act::Find(Finding::Setting(setting))
}

fn rapid(game: Game) -> Game {
    game.regulated(|regulations| {
        regulations.supervised = false;
        regulations.class = Some(GameClass::Rapid);
    })
}

/// So many moves of White and one fewer of Black, and White's next one not made.
fn played(mut game: Game, white: u16, black: u16) -> Game {
    game = game.start();
    for number in 0..white.max(black) {
        if number < white {
            game = game.plays(WHITE, S);
        }
        if number < black {
            game = game.plays(BLACK, S);
        }
    }
    game
}

fn ruled(point: Point, game: &Game, book: &Rulebook) -> Vec<Decision> {
    on(&[point], &game.under(book)).into_iter().map(|(_, decision)| decision).collect()
}

fn with_moves(entry: Entry) -> Rulebook {
    fide().with(entry.with_limit("moves", 3))
}

fn entry<T: flagfall_judge::value::Domain>(value: T) -> Entry {
    Entry::decided(Value::of(value), "x", Strength::Stated, "As the test says.")
}

const HEARD: Decision = stated(Outcome::ComplaintHeard(WHITE));
const VOID: Decision = stated(Outcome::ComplaintVoid(WHITE));

#[test]
fn a_complaint_is_late_after_the_first_move_of_either_side_unless_both_agree() {
    let book = but(fide(), LateComplaint::BeforeTheFirstMove);
    let complaint = |game: Game, agreed| game.after(S, complains(Grievance::Setting, agreed));
    let before = || Game::minute().start();
    let by_black =
        || Game::minute().at_position(BLACK_TO_MOVE).with(|setup| setup.first = BLACK).start().moves(BLACK, S);
    for (name, game, expected) in [
        ("before", complaint(before(), false), HEARD),
        ("after White's", complaint(before().moves(WHITE, S), false), VOID),
        ("after Black's", complaint(by_black(), false), VOID),
        ("agreed", complaint(before().moves(WHITE, S), true), HEARD),
    ] {
        assert_eq!(ruled(Point::D7, &game, &book), [expected], "{name}");
    }
}

/// What becomes of the game hangs on how the pieces stood, if nobody has looked.
fn pieces_to_be_looked_at() -> Decision {
    let answers = [("right", Outcome::PlayContinues), ("wrong", Outcome::GameCancelled)];
    let answers = answers.map(|(answer, outcome)| (answer.to_owned(), outcome)).to_vec();
    Decision::Needs { fact: "position".to_owned(), answers }
}

#[test]
fn a_complaint_in_a_fast_game_is_late_once_both_have_made_so_many_moves() {
    let book = with_moves(entry(LateComplaint::BeforeSoManyMoves));
    let complained =
        |white, black, about| played(rapid(Game::minute()), white, black).after(S, complains(about, false));
    for about in [Grievance::Setting, Grievance::Increment, Grievance::Position] {
        let in_time = ruled(Point::D7, &complained(3, 2, about), &book);
        let expected = if about == Grievance::Position { vec![HEARD, pieces_to_be_looked_at()] } else { vec![HEARD] };
        assert_eq!(in_time, expected, "{about:?}");
        assert_eq!(ruled(Point::D7, &complained(3, 3, about), &book), [VOID], "{about:?}");
    }
    let slow = |about| played(Game::minute(), 4, 4).after(S, complains(about, false));
    assert_eq!(ruled(Point::D7, &slow(Grievance::Setting), &book), [Decision::Silent]);
    assert_eq!(
        ruled(Point::D7, &slow(Grievance::Position), &book),
        [literal(Outcome::ComplaintHeard(WHITE)), pieces_to_be_looked_at()]
    );
}

#[test]
fn who_may_complain_as_soon_as_he_is_aware_may_do_so_of_the_pieces_until_black_has_made_so_many_moves() {
    let book = with_moves(entry(LateComplaint::AsSoonAsAware));
    let complained = |white, black, about| played(Game::minute(), white, black).after(S, complains(about, false));
    assert_eq!(ruled(Point::D7, &complained(4, 4, Grievance::Setting), &book), [HEARD]);
    assert_eq!(ruled(Point::D7, &complained(4, 2, Grievance::Position), &book), [HEARD, pieces_to_be_looked_at()]);
    assert_eq!(ruled(Point::D7, &complained(3, 3, Grievance::Position), &book), [VOID]);
}

#[test]
fn a_wrong_setting_stands_or_is_corrected() {
    let (corrected, stands) = (stated(Outcome::SettingCorrected), stated(Outcome::SettingStands));
    let found = |game: Game| game.after(S, finds(SettingFinding::Wrong));
    let complained = |game: Game| game.after(S, complains(Grievance::Setting, false));
    let fast = with_moves(entry(WrongSetting::CorrectedExceptWhenFast));
    let first = but(fide(), WrongSetting::StandsAfterTheFirstMove);
    let played = |white, black| played(rapid(Game::minute()), white, black);
    let settled = |game: Game| complained(game).after(S, finds(SettingFinding::Right));
    for (name, game, book, expected) in [
        ("too late", found(complained(played(3, 3))), &fast, stands.clone()),
        ("one move before", found(complained(played(3, 2))), &fast, corrected.clone()),
        ("nobody complained", found(played(3, 3)), &fast, corrected.clone()),
        ("settled before", found(settled(played(3, 3))), &fast, corrected.clone()),
        ("before the first move", found(complained(Game::minute().start()).moves(WHITE, S)), &first, corrected.clone()),
        ("after it", found(complained(played(1, 0))), &first, stands),
        ("after it and agreed", found(played(1, 0).after(S, complains(Grievance::Setting, true))), &first, corrected),
        ("by the arbiter", found(played(1, 0)), &first, Decision::Silent),
    ] {
        assert_eq!(ruled(Point::G8, &game, book), [expected], "{name}");
    }
    assert_eq!(ruled(Point::G8, &settled(played(3, 3)), &fast), [], "the clock was set rightly");
}

#[test]
fn a_schedule_is_weighed_only_in_a_fast_game_after_so_many_moves() {
    let (corrected, stands) = (stated(Outcome::SettingCorrected), stated(Outcome::SettingStands));
    let book = with_moves(entry(WrongSetting::CorrectedExceptWhenFastUnlessTheScheduleSuffers));
    let weighed = |game: Game, schedule| {
        game.after(S, Act::Find(Finding::Schedule(schedule))).after(S, finds(SettingFinding::Wrong))
    };
    let fast = |white, black| played(rapid(Game::minute()), white, black);
    for (name, game, expected) in [
        ("suffers", weighed(fast(3, 3), ScheduleFinding::Suffers), corrected.clone()),
        ("unharmed", weighed(fast(3, 3), ScheduleFinding::Unharmed), stands),
        ("one move before", weighed(fast(3, 2), ScheduleFinding::Unharmed), corrected.clone()),
        ("not fast", weighed(played(Game::minute(), 3, 3), ScheduleFinding::Unharmed), corrected.clone()),
        ("not weighed and not needed", fast(3, 2).after(S, finds(SettingFinding::Wrong)), corrected),
    ] {
        assert_eq!(ruled(Point::G8, &game, &book), [expected], "{name}");
    }
    let answers =
        vec![("suffers".to_owned(), Outcome::SettingCorrected), ("unharmed".to_owned(), Outcome::SettingStands)];
    let needs = Decision::Needs { fact: "schedule".into(), answers };
    assert_eq!(ruled(Point::G8, &fast(3, 3).after(S, finds(SettingFinding::Wrong)), &book), [needs]);
}

/// White's flag has fallen and he complains about it.
fn disputed() -> Game {
    Game::minute().start().at(Anchor::Flag(WHITE), S, complains(Grievance::Flag, false))
}

#[test]
fn a_flag_can_be_complained_about_until_it_falls_or_until_it_is_tested() {
    let defect = |defect| Act::Find(Finding::Defect(defect));
    let turned = |turned| Act::Find(Finding::TurnOver(turned));
    let before = but(fide(), FlagComplaint::BeforeTheFall);
    assert_eq!(ruled(Point::G2, &disputed(), &before), [VOID]);
    let up = Game::minute().start().after(S, complains(Grievance::Flag, false));
    assert_eq!(ruled(Point::G2, &up, &before), [HEARD]);
    // Black's flag is down and White complains about his own, which is up.
    let others = Game::minute().start().plays(WHITE, S).at(Anchor::Flag(BLACK), S, complains(Grievance::Flag, false));
    assert_eq!(ruled(Point::G2, &others, &before), [HEARD]);

    let over = but(fide(), FlagComplaint::ByTurningItOver);
    let (continues, stands) = (stated(Outcome::PlayContinues), stated(Outcome::ReadingStands));
    for (name, game, expected) in [
        ("catches", disputed().after(S, turned(TurnOver::Catches)), vec![HEARD, continues.clone()]),
        ("swings", disputed().after(S, turned(TurnOver::SwingsFree)), vec![HEARD, stands.clone()]),
        ("was up", up.after(S, turned(TurnOver::Catches)), vec![HEARD]),
    ] {
        assert_eq!(ruled(Point::G2, &game, &over), expected, "{name}");
    }
    let gap = but(fide(), FlagComplaint::ByTheGap);
    for (found, expected) in [
        (DefectFinding::Evident, continues.clone()),
        (DefectFinding::Total, continues),
        (DefectFinding::Suspected, stands.clone()),
        (DefectFinding::None, stands),
    ] {
        assert_eq!(ruled(Point::G2, &disputed().after(S, defect(found)), &gap), [HEARD, expected], "{found:?}");
    }
    let twice = disputed().after(S, defect(DefectFinding::None)).after(S, defect(DefectFinding::None));
    assert_eq!(ruled(Point::G2, &twice, &gap).len(), 2, "a complaint is settled once");
}

/// Ten seconds before move 40, 36 moves made: White has four to make. The clock is stopped and replaced.
fn replaced(white_ms: u64) -> Game {
    let periods = [Period::of_moves(40, 7_200_000, Bonus::None), Period::all_moves(3_600_000, Bonus::None)];
    Game::of(&periods)
        .with(|setup| setup.opening = BySide::both(Opening { left_ms: Some(200_000), moves: 36, period: None }))
        .start()
        .after(0, Act::Hall(Hall::Replace(BySide::new(white_ms, 200_000))))
}

#[test]
fn a_floor_is_asked_for_where_time_is_added_or_taken_and_is_enough_itself() {
    let floor = |floor| entry(floor).with_limit("per_move", 60_000);
    let adding = fide().with(floor(Floor::WhenAdding));
    let taking = |ms| fide().with(floor(Floor::WhenSubtracting).with_limit("at_least", ms));
    let (enough, not) = (stated(Outcome::ActAdmissible), stated(Outcome::ActNotAdmissible));
    for (white_ms, book, expected) in [
        (200_000, &adding, vec![]),
        (240_000, &adding, vec![enough.clone()]),
        (239_999, &adding, vec![not.clone()]),
        (100_000, &adding, vec![]),
        (200_000, &taking(100_000), vec![]),
        (199_999, &taking(100_000), vec![not.clone()]),
        (240_000, &taking(100_000), vec![]),
        (200_000, &fide(), vec![]),
        (200_001, &fide(), vec![Decision::Silent]),
        (199_999, &fide(), vec![Decision::Silent]),
    ] {
        assert_eq!(ruled(Point::G4, &replaced(white_ms), book), expected, "{white_ms} ms");
    }
    // Of the two floors the higher one counts; without a control there is only the second.
    let last = |white_ms| {
        Game::of(&[Period::all_moves(600_000, Bonus::None)])
            .start()
            .after(0, Act::Hall(Hall::Replace(BySide::new(white_ms, 600_000))))
    };
    for (white_ms, expected) in [(300_000, enough), (299_999, not)] {
        assert_eq!(ruled(Point::G4, &last(white_ms), &taking(300_000)), [expected], "{white_ms} ms");
    }
    assert_eq!(ruled(Point::G4, &last(700_000), &adding), [], "no figure for moves that nobody counts");
}

#[test]
fn another_clock_needs_a_ground() {
    let replaced = |found| Game::minute().start().after(S, Act::Find(Finding::Defect(found)));
    let replace = Act::Hall(Hall::Replace(BySide::both(59_000)));
    for (found, if_evident, on_suspicion) in [
        (DefectFinding::Evident, true, true),
        (DefectFinding::Total, true, true),
        (DefectFinding::Suspected, false, true),
        (DefectFinding::None, false, false),
    ] {
        for (rule, may) in [(Replacement::IfEvident, if_evident), (Replacement::OnSuspicion, on_suspicion)] {
            let outcome = if may { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
            let game = replaced(found).after(S, replace.clone());
            assert_eq!(ruled(Point::G3, &game, &but(fide(), rule)), [stated(outcome)], "{found:?} {rule:?}");
        }
    }
}

#[test]
fn what_restoring_takes_can_cost_the_game() {
    let book = but(fide(), Restored::ChargedToTheOffender);
    let restore = |offender, took_ms| Act::Hall(Hall::Restore(Restore { offender, took_ms }));
    let charged = |ms| stated(Outcome::Charged(WHITE, ms));
    for (took_ms, more) in [(49_999, vec![]), (50_000, vec![literal(lost_by(WHITE))])] {
        let game = Game::minute().start().after(10 * S, restore(Some(WHITE), took_ms));
        assert_eq!(ruled(Point::G9, &game, &book), [vec![charged(took_ms)], more].concat(), "{took_ms} ms");
    }
    let nobodys = Game::minute().start().after(S, restore(None, 1_000));
    assert_eq!(ruled(Point::G9, &nobodys, &book), [Decision::Silent]);
}
