//! I6: the penalties that a text lets the arbiter choose from (FIDE Laws 13.4 of 2009, 12.9 of 2023; US Chess 1C2).
//!
//! Time that the text itself gives the opponent for an illegal move is no choice: another amount is not admissible.

use flagfall_trace::hall::{Penalty, Sanction};

use super::{Arbiter, Evidence, time, whose};
use crate::facts::Fact;
use crate::point::Point;
use crate::ruling::Outcome;
use crate::value::Penalties;

impl Arbiter<'_> {
    pub(super) fn penalised(&mut self, fact: &Fact, Penalty { side, how, by_ms }: Penalty) {
        let amount = if by_ms > 0 { format!(", {by_ms} ms") } else { String::new() };
        let evidence = Evidence::used(format!("{} penalty at {} is {}{amount}", whose(side), time(fact.at), word(how)));
        if how == Sanction::MoreTime
            && !self.over
            && let Some(owed_ms) = self.offences[side].owed_ms.take()
        {
            let evidence = evidence.clone().and(format!("the text gives {} {owed_ms} ms", side.other()));
            let act = if by_ms == owed_ms { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
            self.decide(Point::B7, fact.at, act, evidence);
        }
        let Some(menu) = self.ask::<Penalties>(fact.at, &evidence) else { return };
        let act = if admits(menu, how) { Outcome::ActAdmissible } else { Outcome::ActNotAdmissible };
        self.decide(Point::I6, fact.at, act, evidence);
    }
}

const fn admits(menu: Penalties, how: Sanction) -> bool {
    match menu {
        Penalties::TimeOnly => matches!(how, Sanction::LessTime | Sanction::MoreTime),
        Penalties::WithoutFineOrExclusion => !matches!(how, Sanction::Fine | Sanction::Exclusion),
        Penalties::Any => true,
    }
}

const fn word(how: Sanction) -> &'static str {
    match how {
        Sanction::Warning => "a warning",
        Sanction::LessTime => "less time",
        Sanction::MoreTime => "more time for the opponent",
        Sanction::Points => "points",
        Sanction::Loss => "the loss of the game",
        Sanction::Fine => "a fine",
        Sanction::Exclusion => "exclusion from rounds",
        Sanction::Expulsion => "expulsion",
    }
}
