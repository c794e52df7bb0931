//! I4: players who stop the clocks.

use flagfall_judge::value::StopWithoutReason;
use flagfall_judge::{Decision, Outcome, Point};
use flagfall_trace::Act;
use flagfall_trace::plan::{DefectFinding, Finding, Person, StopFinding, StopReason};

use crate::{Game, S, WHITE, but, cbx, fide, on, stated};

fn stopped(by: Person) -> Game {
    Game::minute().start().after(S, Act::pause(by, StopReason::Assistance))
}

fn found(finding: StopFinding) -> Game {
    stopped(Person::White).after(S, Act::Find(Finding::Stop(finding)))
}

#[test]
fn each_finding_under_each_rule() {
    let (penalty, none) = (Outcome::Penalty(WHITE), Outcome::NoPenalty(WHITE));
    let may = Decision::Discretion(vec![penalty, none]);
    let (penalty, none) = (stated(penalty), stated(none));
    let if_clear = but(fide(), StopWithoutReason::PenaltyIfClear);
    let may_if_clear = but(fide(), StopWithoutReason::MayBePenalisedIfClear);
    // X24 is the middle row.
    for (finding, decisions) in [
        (StopFinding::Valid, [none.clone(), none.clone(), none.clone(), Decision::Silent]),
        (StopFinding::NotValid, [penalty.clone(), none.clone(), none, Decision::Silent]),
        (StopFinding::ClearlyUnfounded, [penalty.clone(), penalty, may, Decision::Silent]),
    ] {
        for (book, decision) in [fide(), if_clear.clone(), may_if_clear.clone(), cbx()].iter().zip(decisions) {
            let rulings = on(&[Point::I4], &found(finding).under(book));
            assert_eq!(rulings, [(Point::I4, decision)], "{finding:?} under {}", book.key);
        }
    }
}

#[test]
fn the_arbiters_own_stop_is_no_question() {
    let game = stopped(Person::Arbiter).after(S, Act::Find(Finding::Stop(StopFinding::NotValid)));
    assert_eq!(on(&[Point::I4], &game.under(&fide())), []);
}

#[test]
fn a_stop_that_nobody_looks_into_needs_a_finding() {
    let needs = |worst: &str| Decision::Needs {
        fact: "stop-finding".into(),
        answers: vec![("valid".into(), Outcome::NoPenalty(WHITE)), (worst.into(), Outcome::Penalty(WHITE))],
    };
    let game = stopped(Person::White).after(S, Act::Resume { by: Person::Arbiter });
    assert_eq!(on(&[Point::I4], &game.under(&fide())), [(Point::I4, needs("not-valid"))]);
    let if_clear = but(fide(), StopWithoutReason::PenaltyIfClear);
    assert_eq!(on(&[Point::I4], &game.under(&if_clear)), [(Point::I4, needs("clearly-unfounded"))]);
    assert_eq!(on(&[Point::I4], &game.under(&cbx())), [(Point::I4, Decision::Silent)]);
}

#[test]
fn a_clock_that_was_wrong_was_a_reason() {
    let stopped = |reason, defect| {
        Game::minute().start().after(S, Act::pause(Person::White, reason)).after(S, Act::Find(Finding::Defect(defect)))
    };
    for (reason, defect, asked) in [
        (StopReason::Clock, DefectFinding::Evident, 0),
        (StopReason::Clock, DefectFinding::Suspected, 0),
        (StopReason::Clock, DefectFinding::None, 1),
        (StopReason::Assistance, DefectFinding::Evident, 1),
    ] {
        assert_eq!(on(&[Point::I4], &stopped(reason, defect).under(&fide())).len(), asked, "{reason:?} {defect:?}");
    }
}

#[test]
fn a_finding_is_about_the_last_stop() {
    let game = stopped(Person::Black)
        .after(S, Act::Resume { by: Person::Arbiter })
        .after(S, Act::pause(Person::White, StopReason::None))
        .after(S, Act::Find(Finding::Stop(StopFinding::NotValid)));
    let rulings = on(&[Point::I4], &game.under(&fide()));
    assert_eq!(rulings.len(), 2);
    assert_eq!(rulings[0].1.name(), "needs");
    assert_eq!(rulings[1], (Point::I4, stated(Outcome::Penalty(WHITE))));
}
