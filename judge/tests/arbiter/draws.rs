//! J: claims of a draw and requests for one, value by value.

use flagfall_core::{Bonus, Period, Side};
use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::value::{ClaimClock, RequestPostponed, Value, WhoMayRequest};
use flagfall_judge::{Decision, GameResult, Outcome, Point, Strength};
use flagfall_trace::hall::{Answer, DrawClaim, DrawGround, DrawRequest, RequestGround};
use flagfall_trace::plan::{ClaimFinding, Finding, Person, StopReason};
use flagfall_trace::{Act, Hall};

use crate::{BLACK, DRAW, Game, S, WHITE, fide, lost_by, on, stated};

fn entry<T: flagfall_judge::value::Domain>(value: T) -> Entry {
    Entry::decided(Value::of(value), "x", Strength::Stated, "As the test says.")
}

fn claiming(rule: ClaimClock) -> Rulebook {
    let entry = entry(rule);
    let costs = matches!(rule, ClaimClock::MayStopAndCosts | ClaimClock::MustStopAndCosts);
    let entry = if costs { entry.with_limit("opponent", 180_000).with_limit("opponent-fast", 60_000) } else { entry };
    fide().with(entry)
}

/// One minute, a claim with the clock stopped or not, and the finding after `check_ns`.
fn claim(stops: bool, check_ns: i64, finding: ClaimFinding) -> Game {
    let claim = DrawClaim { by: WHITE, ground: DrawGround::Threefold };
    let game = Game::minute().start().after(20 * S, Act::Hall(Hall::ClaimDraw(claim)));
    let game = if stops { game.after(0, Act::pause(Person::White, StopReason::DrawClaim)) } else { game };
    game.after(check_ns, Act::Find(Finding::DrawClaim(finding)))
}

fn outcomes(point: Point, game: &Game, book: &Rulebook) -> Vec<Decision> {
    on(&[point], &game.under(book)).into_iter().map(|(_, decision)| decision).collect()
}

#[test]
fn a_right_claim_is_a_draw_where_the_text_says_what_it_brings() {
    for rule in
        [ClaimClock::MayStopAndDraws, ClaimClock::MayStopAndCosts, ClaimClock::MustStopAndCosts, ClaimClock::Runs]
    {
        let found = outcomes(Point::J7, &claim(true, 50 * S, ClaimFinding::Right), &claiming(rule));
        assert_eq!(found.last(), Some(&stated(DRAW)), "{rule:?}");
    }
    let found = outcomes(Point::J7, &claim(true, 50 * S, ClaimFinding::Right), &claiming(ClaimClock::MayStop));
    assert_eq!(found, [Decision::Silent]);
}

#[test]
fn a_check_on_the_claimants_time_costs_it_to_the_last_millisecond() {
    let book = claiming(ClaimClock::Runs);
    let at = |check_ns| outcomes(Point::J7, &claim(true, check_ns, ClaimFinding::Wrong), &book);
    let literal = |outcome| Decision::Decided { outcome, strength: Strength::Literal };
    assert_eq!(at(40 * S).last(), Some(&literal(lost_by(WHITE))));
    assert_eq!(at(40 * S - 1_000_000)[1], literal(Outcome::Left(WHITE, 1)));
    let ran = outcomes(Point::J7, &claim(false, 10 * S, ClaimFinding::Wrong), &book);
    assert_eq!(ran[1], stated(Outcome::Left(WHITE, 30_000)));
}

#[test]
fn a_flag_that_falls_during_the_check_waits_for_what_is_found() {
    let game = |finding| {
        let claim = DrawClaim { by: WHITE, ground: DrawGround::Threefold };
        Game::minute()
            .start()
            .after(20 * S, Act::Hall(Hall::ClaimDraw(claim)))
            .sees(Person::Arbiter, 45 * S, true, false)
            .after(10 * S, Act::Find(Finding::DrawClaim(finding)))
    };
    let points = [Point::F1, Point::J7];
    let runs = claiming(ClaimClock::Runs);
    let right = on(&points, &game(ClaimFinding::Right).under(&runs));
    assert_eq!(right.iter().find(|(_, one)| one.is_final()), Some(&(Point::J7, stated(DRAW))));
    let right = on(&points, &game(ClaimFinding::Right).under(&claiming(ClaimClock::MayStop)));
    assert_eq!(right[0], (Point::F1, stated(lost_by(WHITE))));
    let wrong = on(&points, &game(ClaimFinding::Wrong).under(&claiming(ClaimClock::MayStopAndCosts)));
    assert!(wrong.contains(&(Point::F1, stated(lost_by(WHITE)))), "{wrong:?}");
}

fn requesting(rule: WhoMayRequest, postponed: RequestPostponed) -> Rulebook {
    let later = entry(postponed);
    let later =
        if postponed == RequestPostponed::OpponentMayGain { later.with_limit("opponent", 120_000) } else { later };
    fide().with(entry(rule).with_limit("remaining", 50_000)).with(later)
}

/// One minute, and a request after `think_ns`.
fn request(game: Game, by: Side, think_ns: i64) -> Game {
    let request = DrawRequest { by, ground: RequestGround::CannotWin };
    game.start().after(think_ns, Act::Hall(Hall::RequestDraw(request)))
}

#[test]
fn who_may_ask_and_when() {
    use WhoMayRequest::{AtOrBelowOnMoveIfAnnounced, Below, BelowOnMove, BelowOnMoveIfAnnounced};
    let yes = stated(Outcome::Considered(WHITE));
    let no = stated(Outcome::NotConsidered(WHITE));
    for (rule, at, below) in [
        (Below, &no, &yes),
        (BelowOnMove, &no, &yes),
        (BelowOnMoveIfAnnounced, &no, &yes),
        (AtOrBelowOnMoveIfAnnounced, &yes, &yes),
    ] {
        let book = requesting(rule, RequestPostponed::OpponentMayGain);
        let at_the_limit = request(Game::minute().announced(Some(true)), WHITE, 10 * S);
        assert_eq!(&outcomes(Point::J1, &at_the_limit, &book)[0], at, "{rule:?}");
        let just_below = request(Game::minute().announced(Some(true)), WHITE, 10 * S + 1_000_000);
        assert_eq!(&outcomes(Point::J1, &just_below, &book)[0], below, "{rule:?}");
        let black = request(Game::minute().announced(Some(true)).hurried(BLACK), BLACK, 20 * S);
        let anybody = if rule == Below { Outcome::Considered(BLACK) } else { Outcome::NotConsidered(BLACK) };
        assert_eq!(outcomes(Point::J1, &black, &book)[0], stated(anybody), "{rule:?}");
        let unsaid = request(Game::minute(), WHITE, 20 * S);
        let name = if rule.has_to_be_announced() { "needs" } else { "decided" };
        assert_eq!(outcomes(Point::J1, &unsaid, &book)[0].name(), name, "{rule:?}");
    }
}

#[test]
fn an_increment_bars_a_request_or_makes_it_literal() {
    let game = || request(Game::of(&[Period::all_moves(60_000, Bonus::Increment { ms: 2_000 })]), WHITE, 20 * S);
    let literal = Decision::Decided { outcome: Outcome::Considered(WHITE), strength: Strength::Literal };
    let book = requesting(WhoMayRequest::BelowOnMove, RequestPostponed::OpponentMayGain);
    assert_eq!(outcomes(Point::J1, &game(), &book), [literal]);
    let book = requesting(WhoMayRequest::BelowOnMoveIfAnnounced, RequestPostponed::OpponentMayGain);
    assert_eq!(outcomes(Point::J1, &game(), &book), [stated(Outcome::NotConsidered(WHITE))]);
}

#[test]
fn a_decision_that_was_put_off_holds_the_flag_back() {
    let book = requesting(WhoMayRequest::Below, RequestPostponed::OpponentMayGain);
    let put_off = || {
        request(Game::minute(), WHITE, 20 * S).after(S, Act::Hall(Hall::Decide(Answer::Postpone))).sees(
            Person::Arbiter,
            45 * S,
            true,
            false,
        )
    };
    let points = [Point::F1, Point::J3];
    let finals = |game: &Game| -> Vec<(Point, Decision)> {
        on(&points, &game.under(&book)).into_iter().filter(|(_, decision)| decision.is_final()).collect()
    };
    let drawn = put_off().after(S, Act::Hall(Hall::Decide(Answer::Draw)));
    assert_eq!(finals(&drawn), [(Point::J3, stated(DRAW))]);
    let lost = put_off().after(S, Act::Hall(Hall::Decide(Answer::PlayOn)));
    assert_eq!(finals(&lost), [(Point::F1, stated(lost_by(WHITE)))]);
    let needs = Decision::Needs {
        fact: "decision".into(),
        answers: vec![("draw".into(), Outcome::Result(GameResult::Draw)), ("play-on".into(), lost_by(WHITE))],
    };
    assert_eq!(finals(&put_off()), [(Point::J3, needs)]);
}

#[test]
fn half_of_the_time_is_rounded_to_the_second() {
    let book = requesting(WhoMayRequest::Below, RequestPostponed::DelayClockOrBeforeTheFlag);
    for (think_ms, half_ms) in [(20_000, 20_000), (20_900, 20_000), (21_200, 19_000), (21_000, 20_000)] {
        let game =
            request(Game::minute(), WHITE, think_ms * 1_000_000).after(0, Act::Hall(Hall::Decide(Answer::Postpone)));
        let either = Decision::Discretion(vec![Outcome::Left(WHITE, half_ms), Outcome::PlayContinues]);
        assert_eq!(outcomes(Point::J3, &game, &book), [stated(Outcome::ActAdmissible), either], "{think_ms}");
    }
}
