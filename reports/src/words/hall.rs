//! What people do in the hall, in words.

use flagfall_core::{BySide, Side};
use flagfall_trace::Hall;
use flagfall_trace::hall::{
    Answer, CatchUp, Complain, DrawGround, Edge, Entry, Finger, Grievance, Handling, Help, Inability, Penalty, Place,
    Players, Presence, Prompt, Recorder, RequestGround, Sanction, Sheet, Speaker, Topic, Touch, Verify,
};
use flagfall_trace::plan::{
    ClaimFinding, DefectFinding, Finding, Person, ScheduleFinding, SettingFinding, StopFinding, StopMeans, TurnOver,
};

use super::side;
use crate::quantity;

/// Who does it, if a player or the arbiter does.
pub(super) fn who(hall: &Hall) -> Option<Person> {
    match hall {
        Hall::Touch(touch) => Some(touch.side.into()),
        Hall::Handle(handle) => Some(handle.side.into()),
        Hall::Adjust(adjust) => Some(adjust.side.into()),
        Hall::Complain(complain) => Some(complain.by.into()),
        Hall::Write(write) => Some(write.side.into()),
        Hall::ClaimDraw(claim) => Some(claim.by.into()),
        Hall::RequestDraw(request) => Some(request.by.into()),
        Hall::Resign(side)
        | Hall::StopWriting(side)
        | Hall::OfferDraw(side)
        | Hall::AskIncrement(side)
        | Hall::Seal(side)
        | Hall::ChangeSealed(side) => Some((*side).into()),
        Hall::Place(place) => Some(place.by),
        Hall::Excuse(_)
        | Hall::Allocate(_)
        | Hall::Replace(_)
        | Hall::PutOff
        | Hall::Verify(_)
        | Hall::Restore(_)
        | Hall::Decide(_)
        | Hall::Penalise(_) => Some(Person::Arbiter),
        Hall::Assistant(_)
        | Hall::Prompt(_)
        | Hall::AgreeDraw
        | Hall::OpenRound
        | Hall::Sheets(_)
        | Hall::CatchUp(_)
        | Hall::RecordBy(_)
        | Hall::Adjourn
        | Hall::Resumption(_) => None,
    }
}

/// What is done, after the name of who does it where there is one.
pub(super) fn sentence(hall: &Hall) -> String {
    match hall {
        Hall::Touch(touch) => self::touch(*touch),
        Hall::Handle(handle) => handling(handle.how).to_owned(),
        Hall::Adjust(adjust) if adjust.announced => "says so and adjusts pieces".to_owned(),
        Hall::Adjust(_) => "adjusts pieces".to_owned(),
        Hall::Assistant(assistant) => format!(
            "an assistant {}presses for {}: {}",
            if assistant.accepted { "" } else { "whom the arbiter did not accept " },
            side(assistant.side),
            inability(assistant.reason)
        ),
        Hall::Prompt(prompt) => self::prompt(*prompt),
        Hall::Resign(_) => "resigns".to_owned(),
        Hall::AgreeDraw => "the players agree on a draw".to_owned(),
        Hall::Complain(complain) => self::complain(*complain),
        Hall::Place(Place { at: Edge::WhitesLeft, .. }) => "puts the clock at White's left".to_owned(),
        Hall::Place(Place { at: Edge::WhitesRight, .. }) => "puts the clock at White's right".to_owned(),
        Hall::OpenRound => "the round begins".to_owned(),
        Hall::Excuse(late) => format!("excuses {}", side(*late)),
        Hall::Allocate(ms) => format!("shares out the time: {}", both_times(ms)),
        Hall::Replace(ms) => format!("brings another clock with {}", both_times(ms)),
        Hall::Write(write) => format!("writes {}", entry(write.what)),
        Hall::StopWriting(_) => "stops writing moves down".to_owned(),
        Hall::Sheets(sheets) => {
            format!("the scoresheets: {}, {}", sheet(Side::White, sheets), sheet(Side::Black, sheets))
        }
        Hall::CatchUp(catch_up) => self::catch_up(*catch_up),
        Hall::PutOff => "leaves catching up to the end of the game".to_owned(),
        Hall::OfferDraw(_) => "offers a draw".to_owned(),
        Hall::RecordBy(Recorder::Arbiter) => "the arbiter writes for the players".to_owned(),
        Hall::RecordBy(Recorder::Assistant) => "an assistant writes for the players".to_owned(),
        Hall::Verify(verify) => self::verify(*verify),
        Hall::Restore(restore) => {
            let fault = restore.offender.map_or(String::new(), |at| format!(", {}'s fault", side(at)));
            format!("restores the position in {}{fault}", quantity::left(restore.took_ms))
        }
        Hall::ClaimDraw(claim) => format!("claims a draw: {}", ground(claim.ground)),
        Hall::RequestDraw(request) => format!("asks for a draw: {}", request_ground(request.ground)),
        Hall::AskIncrement(_) => "asks for an increment".to_owned(),
        Hall::Decide(answer) => self::answer(*answer).to_owned(),
        Hall::Penalise(penalty) => self::penalty(*penalty),
        Hall::Adjourn => "the hour of the adjournment has come".to_owned(),
        Hall::Seal(_) => "seals a move".to_owned(),
        Hall::ChangeSealed(_) => "wants to change the sealed move".to_owned(),
        Hall::Resumption(presence) => format!("the game is to be resumed, {}", self::presence(*presence)),
    }
}

/// A word for a picture.
pub(super) const fn label(hall: &Hall) -> &'static str {
    match hall {
        Hall::Touch(_) => "finger",
        Hall::Handle(_) => "handles",
        Hall::Adjust(_) => "adjusts",
        Hall::Assistant(_) => "assistant",
        Hall::Prompt(_) => "prompt",
        Hall::Resign(_) => "resigns",
        Hall::AgreeDraw => "draw agreed",
        Hall::Complain(_) => "complains",
        Hall::Place(_) => "places",
        Hall::OpenRound => "round",
        Hall::Excuse(_) => "excuses",
        Hall::Allocate(_) => "shares",
        Hall::Replace(_) => "replaces",
        Hall::Write(_) => "writes",
        Hall::StopWriting(_) => "stops writing",
        Hall::Sheets(_) => "sheets",
        Hall::CatchUp(_) => "catches up",
        Hall::PutOff => "puts off",
        Hall::OfferDraw(_) => "offers",
        Hall::RecordBy(_) => "records",
        Hall::Verify(_) => "verifies",
        Hall::Restore(_) => "restores",
        Hall::ClaimDraw(_) => "claims draw",
        Hall::RequestDraw(_) => "asks draw",
        Hall::AskIncrement(_) => "asks time",
        Hall::Decide(_) => "decides",
        Hall::Penalise(_) => "penalises",
        Hall::Adjourn => "adjourns",
        Hall::Seal(_) => "seals",
        Hall::ChangeSealed(_) => "changes",
        Hall::Resumption(_) => "resumes",
    }
}

/// What somebody does who stops the clocks.
pub(super) const fn stops(how: StopMeans) -> &'static str {
    match how {
        StopMeans::PauseButton => "stops the clock",
        StopMeans::HalfPress => "stops the clock, both buttons half down",
        StopMeans::StartOpponent => "stops his clock by starting the other",
        StopMeans::SwitchOff => "switches the clock off",
    }
}

/// What the arbiter finds.
pub(super) fn finding(finding: Finding) -> String {
    let words = match finding {
        Finding::Defect(DefectFinding::Evident) => "finds the clock evidently defective",
        Finding::Defect(DefectFinding::Total) => "finds that the clock shows nothing any more",
        Finding::Defect(DefectFinding::Suspected) => "finds that the clock may be defective",
        Finding::Defect(DefectFinding::None) => "finds no defect of the clock",
        Finding::Stop(StopFinding::Valid) => "finds that there was reason to stop the clock",
        Finding::Stop(StopFinding::NotValid) => "finds no reason to have stopped the clock",
        Finding::Stop(StopFinding::ClearlyUnfounded) => "finds the stop clearly unfounded",
        Finding::Setting(SettingFinding::Wrong) => "finds the clock wrongly set",
        Finding::Setting(SettingFinding::Right) => "finds the clock rightly set",
        Finding::TurnOver(TurnOver::Catches) => "turns the clock over: the flag catches on the hand",
        Finding::TurnOver(TurnOver::SwingsFree) => "turns the clock over: the flag swings free",
        Finding::DrawClaim(ClaimFinding::Right) => "finds the claim right",
        Finding::DrawClaim(ClaimFinding::Wrong) => "finds the claim wrong",
        Finding::DrawClaim(ClaimFinding::ClearlyUnfounded) => "finds the claim clearly unfounded",
        Finding::Schedule(ScheduleFinding::Suffers) => "finds that the schedule would suffer",
        Finding::Schedule(ScheduleFinding::Unharmed) => "finds that the schedule would not suffer",
        Finding::Position(SettingFinding::Wrong) => "finds that the pieces were set up wrongly",
        Finding::Position(SettingFinding::Right) => "finds that the pieces were set up rightly",
        Finding::Count(of, moves) => return format!("finds {moves} moves of {} proved", side(of)),
        Finding::Unproven(of) => return format!("finds {}'s moves not proved", side(of)),
        Finding::Deliberate(of) => return format!("finds that {} meant to gain by it", side(of)),
    };
    words.to_owned()
}

fn touch(touch: Touch) -> String {
    let how = match touch.how {
        Finger::OnButton => "rests a finger on the button",
        Finger::AboveButton => "hovers above the button",
        Finger::Covering => "covers the button",
        Finger::Holding => "holds the button down",
    };
    format!("{how} for {}", quantity::left(touch.for_ms))
}

const fn handling(how: Handling) -> &'static str {
    match how {
        Handling::Force => "hits the button with force",
        Handling::Lift => "picks the clock up",
        Handling::KnockOver => "knocks the clock over",
        Handling::Rap => "raps on the clock",
    }
}

const fn inability(reason: Inability) -> &'static str {
    match reason {
        Inability::Disability => "a disability",
        Inability::Injury => "an injury",
        Inability::Religion => "religion",
        Inability::Other => "another reason",
    }
}

fn prompt(prompt: Prompt) -> String {
    let who = match prompt.by {
        Speaker::Arbiter => "the arbiter",
        Speaker::Bystander => "a bystander",
        Speaker::Opponent => side(prompt.to.other()),
    };
    let what = match prompt.about {
        Topic::Press => "to press",
        Topic::Flag => "that a flag is down",
        Topic::MoveCount => "how many moves were made",
    };
    format!("{who} tells {} {what}", side(prompt.to))
}

fn complain(complain: Complain) -> String {
    let what = match complain.about {
        Grievance::Setting => "the setting of the clock",
        Grievance::Increment => "the increment",
        Grievance::Position => "the position of the pieces",
        Grievance::Clock => "the clock",
        Grievance::Flag => "the flag",
        Grievance::Placement => "the place of the clock",
    };
    let agreed = if complain.agreed { ", and the opponent agrees" } else { "" };
    format!("complains of {what}{agreed}")
}

fn both_times(ms: &BySide<u64>) -> String {
    format!("White {}, Black {}", quantity::left(ms.white), quantity::left(ms.black))
}

const fn entry(entry: Entry) -> &'static str {
    match entry {
        Entry::OwnMove => "the move he made",
        Entry::OpponentsMove => "the opponent's move",
        Entry::Ahead => "a move before making it",
        Entry::DrawOffer => "the offer of a draw",
        Entry::Result => "the result",
        Entry::Times => "the times of the clock",
    }
}

fn sheet(of: Side, sheets: &BySide<Sheet>) -> String {
    let Sheet { shows, missing } = sheets[of];
    let shows = shows.map_or(String::new(), |moves| format!("shows {moves} moves, "));
    format!("{}'s {shows}lacks {missing}", side(of))
}

fn catch_up(catch_up: CatchUp) -> String {
    let who = match catch_up.by {
        Players::White => "White catches up",
        Players::Black => "Black catches up",
        Players::Both => "both players catch up",
    };
    let with = match catch_up.with {
        Help::OwnMemory => "",
        Help::OpponentsSheet => " with the opponent's scoresheet",
        Help::ArbitersSheet => " with the arbiter's record",
    };
    let objected = if catch_up.objected { ", the opponent objects" } else { "" };
    format!("{who} for {}{with}{objected}", quantity::left(catch_up.for_ms))
}

fn verify(verify: Verify) -> String {
    let walk = if verify.walk_ms > 0 {
        format!(" ({} of it on the way)", quantity::left(verify.walk_ms))
    } else {
        String::new()
    };
    let fault = verify.at_fault.map_or(String::new(), |at| format!(", {}'s fault", side(at)));
    format!("verifies for {}{walk}{fault}", quantity::left(verify.for_ms))
}

const fn ground(ground: DrawGround) -> &'static str {
    match ground {
        DrawGround::Threefold => "the third repetition",
        DrawGround::FiftyMoves => "fifty moves",
    }
}

const fn request_ground(ground: RequestGround) -> &'static str {
    match ground {
        RequestGround::NotTrying => "the opponent makes no effort to win",
        RequestGround::CannotWin => "the opponent cannot win by normal means",
    }
}

const fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Accept => "accepts the request",
        Answer::Postpone => "puts the decision off",
        Answer::Reject => "rejects the request",
        Answer::Draw => "decides: a draw",
        Answer::PlayOn => "decides: no draw",
    }
}

fn penalty(penalty: Penalty) -> String {
    let player = side(penalty.side);
    let by = quantity::left(penalty.by_ms);
    match penalty.how {
        Sanction::Warning => format!("warns {player}"),
        Sanction::LessTime => format!("takes {by} from {player}"),
        Sanction::MoreTime => format!("gives {} {by} for what {player} did", side(penalty.side.other())),
        Sanction::Points => format!("changes the points for what {player} did"),
        Sanction::Loss => format!("declares the game lost by {player}"),
        Sanction::Fine => format!("fines {player}"),
        Sanction::Exclusion => format!("excludes {player} from rounds"),
        Sanction::Expulsion => format!("expels {player}"),
    }
}

const fn presence(presence: Presence) -> &'static str {
    match presence {
        Presence::Both => "both players present",
        Presence::White => "White alone present",
        Presence::Black => "Black alone present",
        Presence::None => "nobody present",
    }
}
