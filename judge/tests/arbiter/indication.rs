//! G1: how far the clock is believed.

use flagfall_judge::{Decision, Outcome, Point};
use flagfall_trace::Act;
use flagfall_trace::plan::{Anchor, Basis, Claim, DefectFinding, Finding, Person, StopReason};

use crate::{BLACK, Game, S, WHITE, cbx, fide, lost_by, on, stated};

const G: [Point; 2] = [Point::G1, Point::F1];
const STANDS: Outcome = Outcome::ReadingStands;
const REPLACED: Outcome = Outcome::ClockReplaced;

const fn find(defect: DefectFinding) -> Act {
    Act::Find(Finding::Defect(defect))
}

#[test]
fn a_defect_before_any_flag() {
    // X23: suspicion alone replaces the clock under one text and not under the other.
    for (defect, fide_rules, cbx_rules) in [
        (DefectFinding::Evident, REPLACED, stated(REPLACED)),
        (DefectFinding::Suspected, STANDS, stated(REPLACED)),
        // Rules 72 and 73 speak of suspicion and of the fallen flag, not of a clock that was cleared in time.
        (DefectFinding::None, STANDS, Decision::Silent),
    ] {
        let game = Game::minute().start().after(S, find(defect));
        assert_eq!(on(&G, &game.under(&fide())), [(Point::G1, stated(fide_rules))], "{defect:?}");
        assert_eq!(on(&G, &game.under(&cbx())), [(Point::G1, cbx_rules)], "{defect:?}");
    }
}

/// White's flag falls and is claimed, White protests, and this is found.
fn protested(defect: DefectFinding) -> Game {
    let claim = Act::Claim(Claim { by: BLACK, flag: WHITE, basis: Basis::Flag });
    Game::minute()
        .start()
        .at(Anchor::Flag(WHITE), S, claim)
        .after(S, Act::pause(Person::White, StopReason::Clock))
        .after(S, find(defect))
}

#[test]
fn a_protest_after_the_fall_is_heard_or_is_not() {
    // X16: the flag dropped too early, which anybody can see.
    let continues = [(Point::G1, stated(REPLACED)), (Point::G1, stated(Outcome::PlayContinues))];
    assert_eq!(on(&G, &protested(DefectFinding::Evident).under(&fide())), continues);
    for (defect, book) in [
        (DefectFinding::Suspected, fide()),
        (DefectFinding::None, fide()),
        (DefectFinding::Evident, cbx()),
        (DefectFinding::Suspected, cbx()),
    ] {
        let rulings = on(&G, &protested(defect).under(&book));
        assert_eq!(
            rulings,
            [(Point::F1, stated(lost_by(WHITE))), (Point::G1, stated(STANDS))],
            "{defect:?} {}",
            book.key
        );
    }
}

#[test]
fn a_protest_after_play_went_on_comes_too_late() {
    let game = Game::minute()
        .start()
        .at(Anchor::Flag(WHITE), S, Act::Claim(Claim { by: BLACK, flag: WHITE, basis: Basis::Flag }))
        .moves(WHITE, S)
        .after(S, find(DefectFinding::Evident));
    let rulings = on(&G, &game.under(&fide()));
    assert_eq!(rulings, [(Point::F1, stated(lost_by(WHITE))), (Point::G1, Decision::Void)]);
}

#[test]
fn a_complaint_made_before_the_fall_is_in_time() {
    let stop = |reason| Act::pause(Person::White, reason);
    let suspected = || find(DefectFinding::Suspected);
    // The clock ran on after the complaint, and the flag fell before anybody looked at the clock.
    let looked_at_later = |reason| {
        Game::minute()
            .start()
            .after(S, stop(reason))
            .after(S, Act::Resume { by: Person::Arbiter })
            .at(Anchor::Flag(WHITE), S, stop(StopReason::Clock))
            .after(S, suspected())
    };
    assert_eq!(on(&G, &looked_at_later(StopReason::Clock).under(&cbx())), [(Point::G1, stated(REPLACED))]);
    assert_eq!(on(&G, &looked_at_later(StopReason::Assistance).under(&cbx())), [(Point::G1, stated(STANDS))]);
    // A complaint that was looked into is settled.
    let settled = Game::minute()
        .start()
        .after(S, stop(StopReason::Clock))
        .after(S, find(DefectFinding::None))
        .after(S, Act::Resume { by: Person::Arbiter })
        .at(Anchor::Flag(WHITE), S, suspected());
    assert_eq!(on(&G, &settled.under(&cbx())), [(Point::G1, Decision::Silent), (Point::G1, stated(STANDS))]);
    let no_complaint = Game::minute().start().at(Anchor::Flag(WHITE), S, suspected());
    assert_eq!(on(&G, &no_complaint.under(&cbx())), [(Point::G1, stated(STANDS))]);
}

#[test]
fn a_flag_on_a_clock_found_defective_proves_nothing() {
    let game = Game::minute().start().at(Anchor::Flag(WHITE), S, find(DefectFinding::Evident)).claims(
        BLACK,
        S,
        WHITE,
        Basis::Flag,
    );
    let rulings = game.under(&fide());
    let expected = [(Point::E2, stated(Outcome::FlagDoesNotCount(WHITE))), (Point::F1, stated(Outcome::PlayContinues))];
    assert_eq!(on(&[Point::E2, Point::F1], &rulings), expected);
}

#[test]
fn silence() {
    let book = flagfall_judge::Rulebook::silent("none", "Nothing");
    let game = Game::minute().start().after(S, find(DefectFinding::Evident));
    assert_eq!(on(&G, &game.under(&book)), [(Point::G1, Decision::Silent)]);
}
