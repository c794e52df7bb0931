//! Each verb of the hall becomes the act that it says, with what is left out filled in.

use flagfall_core::{BySide, Side};
use flagfall_scenarios::read_str;
use flagfall_trace::hall::{
    Adjust, Answer, Assistant, CatchUp, Complain, DrawClaim, DrawGround, DrawRequest, Edge, Entry, Finger, Grievance,
    Handle, Handling, Help, Inability, Penalty, Place, Players, Presence, Prompt, Recorder, RequestGround, Restore,
    Sanction, Sheet, Speaker, Topic, Touch, Verify, Write,
};
use flagfall_trace::plan::{
    ClaimFinding, Finding, Person, ScheduleFinding, SettingFinding, StopMeans, StopReason, TurnOver,
};
use flagfall_trace::{Act, Hall};

const WHITE: Side = Side::White;
const BLACK: Side = Side::Black;

fn text(entry: &str) -> String {
    format!(
        "{{scenario: x, points: [B1], control: 5m, timeline: [{{at: 0s, start: white}}, {{at: +1s, {entry}}}], expect: [{{running: white}}]}}"
    )
}

/// The acts that an entry of a timeline becomes.
fn acts(entry: &str) -> Vec<Act> {
    let scenario = read_str("x", "x/x", &text(entry)).unwrap_or_else(|error| panic!("{error}"));
    let acts = scenario.draft.steps.into_iter().skip(1).map(|step| step.act);
    acts.filter(|act| *act != Act::Read).collect()
}

#[test]
fn each_verb_of_the_hall_is_read() {
    let sheets = BySide::new(Sheet { shows: Some(35), missing: 0 }, Sheet { shows: None, missing: 4 });
    let expected = [
        (
            "touch: {side: white, how: above-button, for: 3s}",
            Hall::Touch(Touch { side: WHITE, how: Finger::AboveButton, for_ms: 3_000 }),
        ),
        ("handle: {side: black, how: rap}", Hall::Handle(Handle { side: BLACK, how: Handling::Rap })),
        ("adjust: {side: black, announced: true}", Hall::Adjust(Adjust { side: BLACK, announced: true })),
        (
            "assistant: {side: white, reason: injury, accepted: false}",
            Hall::Assistant(Assistant { side: WHITE, reason: Inability::Injury, accepted: false }),
        ),
        (
            "prompt: {by: bystander, to: white, about: press}",
            Hall::Prompt(Prompt { by: Speaker::Bystander, to: WHITE, about: Topic::Press }),
        ),
        ("resign: black", Hall::Resign(BLACK)),
        ("agree: draw", Hall::AgreeDraw),
        (
            "complain: {by: white, about: increment}",
            Hall::Complain(Complain { by: WHITE, about: Grievance::Increment, agreed: false }),
        ),
        (
            "complain: {by: white, about: flag, agreed: true}",
            Hall::Complain(Complain { by: WHITE, about: Grievance::Flag, agreed: true }),
        ),
        ("place: {by: black, at: whites-right}", Hall::Place(Place { by: Person::Black, at: Edge::WhitesRight })),
        ("open_round: arbiter", Hall::OpenRound),
        ("excuse: white", Hall::Excuse(WHITE)),
        ("allocate: {white: 10m, black: 5m}", Hall::Allocate(BySide::new(600_000, 300_000))),
        ("replace: {white: 1m, black: 2m}", Hall::Replace(BySide::new(60_000, 120_000))),
        ("write: {side: white, what: ahead}", Hall::Write(Write { side: WHITE, what: Entry::Ahead })),
        ("stop_writing: black", Hall::StopWriting(BLACK)),
        ("sheets: {white: {shows: 35}, black: {missing: 4}}", Hall::Sheets(sheets)),
        (
            "catch_up: {by: both, for: 8m}",
            Hall::CatchUp(CatchUp { by: Players::Both, for_ms: 480_000, with: Help::OwnMemory, objected: false }),
        ),
        (
            "catch_up: {by: black, for: 1m, with: opponents-sheet, objected: true}",
            Hall::CatchUp(CatchUp { by: Players::Black, for_ms: 60_000, with: Help::OpponentsSheet, objected: true }),
        ),
        ("put_off: arbiter", Hall::PutOff),
        ("offer_draw: white", Hall::OfferDraw(WHITE)),
        ("record_by: assistant", Hall::RecordBy(Recorder::Assistant)),
        (
            "verify: {for: 5m, walk: 2m, at_fault: black}",
            Hall::Verify(Verify { for_ms: 300_000, walk_ms: 120_000, at_fault: Some(BLACK) }),
        ),
        ("verify: {for: 5m}", Hall::Verify(Verify { for_ms: 300_000, walk_ms: 0, at_fault: None })),
        ("restore: {offender: none, took: 4m}", Hall::Restore(Restore { offender: None, took_ms: 240_000 })),
        (
            "claim_draw: {by: white, ground: threefold}",
            Hall::ClaimDraw(DrawClaim { by: WHITE, ground: DrawGround::Threefold }),
        ),
        (
            "request_draw: {by: black, ground: cannot-win}",
            Hall::RequestDraw(DrawRequest { by: BLACK, ground: RequestGround::CannotWin }),
        ),
        ("ask_increment: white", Hall::AskIncrement(WHITE)),
        ("decide: postpone", Hall::Decide(Answer::Postpone)),
        (
            "penalise: {side: white, how: more-time, by: 2m}",
            Hall::Penalise(Penalty { side: WHITE, how: Sanction::MoreTime, by_ms: 120_000 }),
        ),
        (
            "penalise: {side: white, how: warning}",
            Hall::Penalise(Penalty { side: WHITE, how: Sanction::Warning, by_ms: 0 }),
        ),
        ("adjourn: arbiter", Hall::Adjourn),
        ("seal: white", Hall::Seal(WHITE)),
        ("change_sealed: white", Hall::ChangeSealed(WHITE)),
        ("resumption: black", Hall::Resumption(Presence::Black)),
    ];
    for (entry, hall) in expected {
        assert_eq!(acts(entry), [Act::Hall(hall)], "{entry}");
    }
}

#[test]
fn each_finding_and_each_way_to_stop_is_read() {
    let findings = [
        ("setting: wrong", Finding::Setting(SettingFinding::Wrong)),
        ("turn_over: catches", Finding::TurnOver(TurnOver::Catches)),
        ("unproven: black", Finding::Unproven(BLACK)),
        ("draw_claim: clearly-unfounded", Finding::DrawClaim(ClaimFinding::ClearlyUnfounded)),
        ("schedule: suffers", Finding::Schedule(ScheduleFinding::Suffers)),
        ("deliberate: white", Finding::Deliberate(WHITE)),
        ("position: wrong", Finding::Position(SettingFinding::Wrong)),
    ];
    for (entry, finding) in findings {
        assert_eq!(acts(&format!("find: {{{entry}}}")), [Act::Find(finding)], "{entry}");
    }
    let both = [Act::Find(Finding::Count(WHITE, 35)), Act::Find(Finding::Count(BLACK, 30))];
    assert_eq!(acts("find: {count: {white: 35, black: 30}}"), both);
    let stop = Act::Pause { by: Person::White, reason: StopReason::Conflict, how: StopMeans::StartOpponent };
    assert_eq!(acts("pause: {by: white, reason: conflict, how: start-opponent}"), std::slice::from_ref(&stop));
    assert!(!stop.is_for_the_clock(), "whoever starts the other side presses, which is an act of its own");
}

#[test]
fn what_makes_no_sense_has_its_place() {
    let complaint = |entry: &str| match read_str("x", "x/x", &text(entry)) {
        Ok(scenario) => panic!("{entry} was read: {:?}", scenario.draft.steps),
        Err(diagnostics) => diagnostics.to_string(),
    };
    for (entry, wanted) in [
        ("penalise: {side: white, how: less-time}", "this penalty is a time"),
        ("penalise: {side: white, how: fine, by: 1m}", "this penalty is no time"),
        ("verify: {for: 1m, walk: 2m}", "the way is longer than all of it"),
        ("allocate: {white: 1m}", "black's time is missing"),
        ("touch: {side: white, how: on-button, for: 3}", "unit"),
        ("handle: {side: white, how: lifted}", "`lift`"),
    ] {
        let message = complaint(entry);
        assert!(message.contains(wanted) && message.contains("x:1:"), "{entry}: {message}");
    }
}
