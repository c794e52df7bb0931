//! Scenarios by rulebooks: in each cell what a text makes of a game.
//!
//! A scenario is a case for its points, and a cell is the ruling that answers them: the result, if one of them is answered
//! by a result; otherwise that play goes on, or what it hangs on; otherwise what was ruled last on the first of its points
//! that arose, for White, for Black, for the game and for what the arbiter did each by itself, unless the text leaves
//! open afterwards what others say of the game.
//!
//! Two cells differ when their outcomes do; article and strength are another matter. A text that is silent contradicts
//! nobody: it leaves the case open. So does one that is silent on what has to be known before the points can be asked,
//! or on what becomes of the game where others rule that, and one whose answer hangs on a fact that the log lacks.

mod answer;
mod page;
mod words;

use serde::Serialize;

use flagfall_trace::{RulebookRow, RulingRow, RunRecord, Trace, Verdict};

use crate::timeline::{self, TimelineLine};

use answer::{answer, instant, is_of_the_game, is_result, silent_on_the_game, turns_on};

pub use page::html;
pub use words::few_words;

/// What every rulebook makes of every scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Matrix {
    /// Version of this form: 1.
    pub schema: u32,
    /// The columns, in the order in which they were asked for.
    pub rulebooks: Vec<RulebookRow>,
    /// The rows.
    pub scenarios: Vec<MatrixRow>,
    /// Scenarios on whose points no rulebook was asked anything.
    pub left_out: Vec<String>,
}

/// One scenario.
#[derive(Clone, Debug, Serialize)]
pub struct MatrixRow {
    /// Its id.
    pub scenario: String,
    /// What it is about.
    pub title: String,
    /// Its points, the one that it is mainly about first.
    pub points: Vec<String>,
    /// What the run came to; a ruling that is not the one expected makes it `fail`.
    pub verdict: Verdict,
    /// Whether two rulebooks that answer do not say the same.
    pub diverges: bool,
    /// Whether a rulebook is silent.
    pub open: bool,
    /// One for each rulebook, in their order.
    pub cells: Vec<Cell>,
    /// Everything that was ruled.
    #[serde(skip)]
    pub rulings: Vec<RulingRow>,
    /// What happened.
    #[serde(skip)]
    pub timeline: Vec<TimelineLine>,
}

/// What one rulebook makes of one scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Key of the rulebook.
    pub rulebook: String,
    /// `decided`, `silent`, `discretion`, `needs`, `void`, or `not-asked` where the question never arises.
    pub ruling: String,
    /// The outcome as scenarios write it, several parted by `; `; that of the other rulings repeats their word.
    pub outcome: String,
    /// The point that was answered.
    pub point: Option<String>,
    /// When, in nanoseconds of true time; of several instants the last.
    pub at_ns: Option<i64>,
    /// The article.
    pub article: Option<String>,
    /// Where another point was answered: the first of the scenario's points, if that was ruled as well.
    pub turns_on: Option<TurnsOn>,
    /// `stated` or `literal`; of several the weaker.
    pub strength: Option<String>,
    /// Whether the scenario expects something else of this rulebook.
    pub wrong: bool,
    /// Whether most of the rulebooks that answer say something else.
    pub apart: bool,
    /// Whether nobody has seen the text itself.
    pub unverified: bool,
    /// Whether it does not say what becomes of the game where another rulebook does.
    #[serde(skip)]
    leaves_open: bool,
    /// The rulings of which it is made: point, instant, outcome.
    #[serde(skip)]
    made_of: Vec<(String, i64, String)>,
}

/// The ruling on which the answer of a cell turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TurnsOn {
    /// The point.
    pub point: String,
    /// The article.
    pub article: String,
}

impl Matrix {
    /// The version of the form.
    pub const SCHEMA: u32 = 1;

    /// One under these rulebooks, with nothing in it yet.
    #[must_use]
    pub const fn under(rulebooks: Vec<RulebookRow>) -> Self {
        Self { schema: Self::SCHEMA, rulebooks, scenarios: Vec::new(), left_out: Vec::new() }
    }

    /// Adds a run, with its trace if there is one.
    pub fn add(&mut self, record: RunRecord, trace: Option<&Trace>) {
        let cells: Vec<Cell> = self.rulebooks.iter().map(|book| Cell::under(book, &record)).collect();
        if cells.iter().all(|cell| cell.ruling == NOT_ASKED && !cell.wrong) {
            self.left_out.push(record.scenario);
            return;
        }
        let timeline = trace.map(timeline::lines).unwrap_or_default();
        self.scenarios.push(MatrixRow::of(record, cells, timeline));
    }
}

impl MatrixRow {
    fn of(record: RunRecord, mut cells: Vec<Cell>, timeline: Vec<TimelineLine>) -> Self {
        let usual = usual(&cells).map(str::to_owned);
        for cell in &mut cells {
            cell.apart = cell.answers() && Some(&cell.outcome) != usual.as_ref();
        }
        Self {
            diverges: cells.iter().any(|cell| cell.apart),
            open: cells.iter().any(|cell| cell.ruling == "silent"),
            scenario: record.scenario,
            title: record.title,
            points: record.points,
            verdict: record.verdict,
            cells,
            rulings: record.rulings,
            timeline,
        }
    }
}

/// The outcome that most rulebooks give which answer, the first of several.
fn usual(cells: &[Cell]) -> Option<&str> {
    let mut usual: Option<(&str, usize)> = None;
    for cell in cells.iter().filter(|cell| cell.answers()) {
        let votes = cells.iter().filter(|other| other.answers() && other.outcome == cell.outcome).count();
        if usual.is_none_or(|(_, most)| votes > most) {
            usual = Some((&cell.outcome, votes));
        }
    }
    usual.map(|(outcome, _)| outcome)
}

/// The word of a cell whose question never arose.
const NOT_ASKED: &str = "not-asked";

impl Cell {
    /// What this rulebook makes of this run.
    #[must_use]
    pub fn under(book: &RulebookRow, record: &RunRecord) -> Self {
        let mut cell = Self::of(record, &book.key);
        let entry = cell.point.as_ref().and_then(|point| book.entry(point));
        cell.unverified = entry.is_some_and(|entry| entry.unverified);
        cell
    }

    fn of(record: &RunRecord, key: &str) -> Self {
        let wrong =
            |check: &flagfall_trace::Check| check.rulebook.as_deref() == Some(key) && check.verdict != Verdict::Pass;
        let mut cell = Self {
            rulebook: key.to_owned(),
            ruling: NOT_ASKED.to_owned(),
            outcome: NOT_ASKED.to_owned(),
            point: None,
            at_ns: None,
            article: None,
            turns_on: None,
            strength: None,
            wrong: record.checks.iter().any(wrong),
            apart: false,
            unverified: false,
            leaves_open: false,
            made_of: Vec::new(),
        };
        let rows = answer(record, key);
        let Some(first) = rows.first() else { return cell };
        let mut outcomes: Vec<&str> = Vec::new();
        for row in &rows {
            if !outcomes.contains(&row.outcome.as_str()) {
                outcomes.push(&row.outcome);
            }
        }
        cell.ruling.clone_from(&first.ruling);
        cell.outcome = outcomes.join("; ");
        cell.point = Some(first.point.clone());
        cell.at_ns = rows.iter().map(|row| instant(row)).max();
        cell.article.clone_from(&first.article);
        cell.turns_on = turns_on(record, key, &first.point).filter(|_| first.article.is_some());
        cell.strength = rows.iter().filter_map(|row| row.strength.clone()).min();
        let says_it = rows.iter().any(|row| is_result(row) || is_of_the_game(row));
        cell.made_of = rows.iter().map(|row| (row.point.clone(), instant(row), row.outcome.clone())).collect();
        cell.leaves_open = !says_it && silent_on_the_game(record, key).next().is_some();
        cell
    }

    /// Whether the text says something: it may also say that the question does not arise.
    fn answers(&self) -> bool {
        !matches!(self.ruling.as_str(), "silent" | "needs") && !self.leaves_open
    }
}
