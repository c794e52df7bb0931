//! Games that were carried out once, in virtual time, so that any number of rulebooks can be asked about them.

use std::thread::available_parallelism;

use flagfall_judge::facts::{self, Fact};
use flagfall_judge::rulebook::Rulebook;
use flagfall_judge::ruling::Ruling;
use flagfall_judge::{ExpectedRuling, arbiter};
use flagfall_scenarios::{Diagnostics, Source};

use crate::case::Case;
use crate::interrupt::Interrupt;
use crate::progress::PATIENCE;
use crate::rig::{Outcome, sim};
use crate::set::{self, Told};

/// A scenario with what happened in it, as the arbiter gets to know it.
#[derive(Debug)]
pub struct Game {
    /// What was to happen, and what is expected.
    pub case: Case,
    facts: Vec<Fact>,
}

/// A scenario that cannot be asked about.
#[derive(Debug, thiserror::Error)]
pub enum NoGame {
    /// The file is no scenario; every problem has its place.
    #[error("{}", .0.render(false))]
    Unreadable(Diagnostics),
    /// The simulator did not carry it to its end: look at it with `show`.
    #[error("{scenario} was not carried out: {reason}")]
    NotCarriedOut {
        /// Its id.
        scenario: String,
        /// Why not.
        reason: String,
    },
}

impl Game {
    /// Reads a scenario and carries it out.
    ///
    /// # Errors
    /// [`NoGame`] with what stands in the way.
    pub fn of(source: &Source, rulebooks: &[Rulebook]) -> Result<Self, NoGame> {
        let case = Case::read(source, rulebooks).map_err(NoGame::Unreadable)?;
        let reason = match sim::run(&case.plan) {
            Outcome::Ran { trace, .. } => return Ok(Self { case, facts: facts::assemble(&trace) }),
            Outcome::Broke(reason) | Outcome::Infra(reason) | Outcome::NotApplicable(reason) => reason,
            Outcome::Interrupted => "interrupted".to_owned(),
        };
        Err(NoGame::NotCarriedOut { scenario: case.scenario.id, reason })
    }

    /// The scenario's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.case.scenario.id
    }

    /// How much happened.
    #[must_use]
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Whether nothing happened.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// What this rulebook makes of it.
    #[must_use]
    pub fn rule(&self, book: &Rulebook) -> Vec<Ruling> {
        arbiter::rule_on(book, &self.case.plan, &self.facts)
    }

    /// What the scenario expects of the rulebook with this key.
    #[must_use]
    pub fn expected(&self, key: &str) -> &[ExpectedRuling] {
        self.case.scenario.rulings.get(key).map(Vec::as_slice).unwrap_or_default()
    }
}

/// All games of these sources, the shortest first, and what stands in the way of the others.
#[must_use]
pub fn of_all(sources: &[Source], rulebooks: &[Rulebook]) -> (Vec<Game>, Vec<NoGame>) {
    let (mut games, mut none) = (Vec::new(), Vec::new());
    let worker = || |index: usize| Game::of(&sources[index], rulebooks);
    set::run(sources.len(), jobs(), &Interrupt::default(), worker, PATIENCE, |told| match told {
        Told::Done(_, Ok(game)) => games.push(game),
        Told::Done(_, Err(reason)) => none.push(reason),
        Told::Waiting(_) => {}
    });
    games.sort_by_key(Game::len);
    (games, none)
}

/// One for each processor.
pub(crate) fn jobs() -> usize {
    available_parallelism().map_or(1, usize::from)
}
