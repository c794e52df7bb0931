//! B15: what others tell a player of his clock (FIDE Laws 13.6 and 13.7a of 2009, 12.6 and 12.7 of 2023; the commentary on
//! FIDE Laws 6.13; CBX 71; US Chess 16Y).
//!
//! The arbiter tells the count where a flag is down and somebody need not keep score (8.5); where the log does not say
//! whether anybody does not, that has to be known. That the arbiter calls a flag is no help but his office: what the
//! Laws say of it where nobody supervises a fast game is answered under E3, and of other games nothing is said here.

use flagfall_core::Side;
use flagfall_trace::hall::{Prompt, Speaker, Topic};

use super::{Arbiter, Evidence, time};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::{Decision, Outcome};
use crate::value::{Prompting, WhoCalls};

const NOT_KEEPING_SCORE: &str = "somebody-does-not-write";

impl Arbiter<'_> {
    pub(super) fn prompted(&mut self, fact: &Fact, prompt: Prompt) {
        let evidence = Evidence::used(what_was_said(fact, prompt));
        let Some(rule) = self.ask::<Prompting>(fact.at, &evidence) else { return };
        let by_the_opponent = prompt.by == Speaker::Opponent;
        match (rule, prompt.about) {
            (Prompting::OnlyTheOpponent | Prompting::OnlyTheOpponentAlsoOfAFlag, Topic::Press) => {
                self.may_speak(fact, by_the_opponent, evidence);
            }
            (Prompting::OnlyTheOpponentAlsoOfAFlag, Topic::Flag) => self.speaks_of_a_flag(fact, prompt, evidence),
            (Prompting::NeitherArbiterNorOthers, about) if !by_the_opponent => match (prompt.by, about) {
                (Speaker::Arbiter, Topic::MoveCount) => self.arbiter_tells_the_count(fact, evidence),
                (Speaker::Arbiter, Topic::Flag) => self.arbiter_speaks_of_a_flag(fact, evidence),
                _ => self.may_speak(fact, false, evidence),
            },
            (Prompting::NoCountFromOutside, Topic::MoveCount) if prompt.by == Speaker::Bystander => {
                self.may_speak(fact, false, evidence);
            }
            _ => self.record(Point::B15, fact.at, Decision::Silent, evidence, 0),
        }
    }

    fn may_speak(&mut self, fact: &Fact, may: bool, evidence: Evidence) {
        self.decide(Point::B15, fact.at, allowed(may), evidence);
    }

    /// US Chess 16Y sets both flags aside, of which 14G2 speaks.
    fn speaks_of_a_flag(&mut self, fact: &Fact, prompt: Prompt, evidence: Evidence) {
        if prompt.by == Speaker::Arbiter && both_flags_are_down(fact) {
            let evidence = evidence.and("both flags were down");
            return self.record(Point::B15, fact.at, Decision::Silent, evidence, 0);
        }
        self.may_speak(fact, prompt.by == Speaker::Opponent, evidence);
    }

    fn arbiter_tells_the_count(&mut self, fact: &Fact, evidence: Evidence) {
        let a_flag_is_down = fact.face.is_some_and(|face| face.fallen.white || face.fallen.black);
        if !a_flag_is_down {
            return self.may_speak(fact, false, evidence.and("no flag was down"));
        }
        let evidence = evidence.and("a flag was down");
        let not_writing = Side::ALL.into_iter().find(|side| self.sheets.has_stopped(*side));
        if let Some(side) = not_writing {
            return self.may_speak(fact, true, evidence.and(format!("{side} had stopped writing")));
        }
        let answers = vec![("no".to_owned(), allowed(false)), ("yes".to_owned(), allowed(true))];
        let needs = Decision::Needs { fact: NOT_KEEPING_SCORE.to_owned(), answers };
        self.record(Point::B15, fact.at, needs, evidence, 0);
    }

    /// E3 where nobody supervises a fast game as its rules ask.
    fn arbiter_speaks_of_a_flag(&mut self, fact: &Fact, evidence: Evidence) {
        if !self.is_fast_and_unsupervised() {
            return self.record(Point::B15, fact.at, Decision::Silent, evidence, 0);
        }
        let evidence = evidence.and("nobody supervises the game as the rules for rapid and blitz ask");
        let Some(rule) = self.ask::<WhoCalls>(fact.at, &evidence) else { return };
        let may = match rule {
            WhoCalls::PlayersOnly => false,
            WhoCalls::PlayersUnlessBothDown => both_flags_are_down(fact),
            WhoCalls::ArbiterCallsToo => true,
        };
        self.decide(Point::E3, fact.at, allowed(may), evidence);
    }
}

const fn allowed(may: bool) -> Outcome {
    if may { Outcome::PromptAllowed } else { Outcome::PromptForbidden }
}

fn both_flags_are_down(fact: &Fact) -> bool {
    fact.face.is_some_and(|face| face.fallen.white && face.fallen.black)
}

fn what_was_said(fact: &Fact, Prompt { by, to, about }: Prompt) -> String {
    let who = match by {
        Speaker::Arbiter => "the arbiter",
        Speaker::Bystander => "a bystander",
        Speaker::Opponent => "his opponent",
    };
    let at = time(fact.at);
    match about {
        Topic::Press => format!("{who} told {to} at {at} that he had not pressed"),
        Topic::Flag => format!("{who} told {to} at {at} that a flag was down"),
        Topic::MoveCount => format!("{who} told {to} at {at} how many moves had been made"),
    }
}
