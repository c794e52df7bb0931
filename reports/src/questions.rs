//! Rulings by question: what the rulebooks say about one point at one instant, with those together that say the same.

use std::collections::BTreeMap;

use flagfall_trace::RulingRow;

/// One point at one instant.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The point.
    pub point: &'a str,
    /// When it arises, in nanoseconds of true time.
    pub at_ns: i64,
    /// What is said, in the order of the rulebooks.
    pub answers: Vec<Answer<'a>>,
    /// Whether two rulebooks rule differently.
    pub is_divided: bool,
}

/// What one or several rulebooks say, with the same evidence.
#[derive(Clone, Debug)]
pub struct Answer<'a> {
    /// A row for each rulebook, which differ in article and strength alone; at least one.
    pub rows: Vec<&'a RulingRow>,
}

impl<'a> Answer<'a> {
    /// A row that speaks for all of them.
    #[must_use]
    pub fn row(&self) -> &'a RulingRow {
        self.rows[0]
    }

    /// The outcome; empty for `silent` and `void`, which have none besides themselves.
    #[must_use]
    pub fn outcome(&self) -> &'a str {
        let row = self.row();
        if row.outcome == row.ruling { "" } else { &row.outcome }
    }
}

/// All questions of a run, in order of time.
#[must_use]
pub fn questions(rulings: &[RulingRow]) -> Vec<Question<'_>> {
    let mut rows: Vec<&RulingRow> = rulings.iter().collect();
    rows.sort_by_key(|row| (row.at_ns, &row.point));
    rows.chunk_by(|a, b| (a.at_ns, &a.point) == (b.at_ns, &b.point))
        .map(|rows| Question {
            point: &rows[0].point,
            at_ns: rows[0].at_ns,
            answers: answers(rows),
            is_divided: is_divided(rows),
        })
        .collect()
}

fn answers<'a>(rows: &[&'a RulingRow]) -> Vec<Answer<'a>> {
    let mut answers: Vec<Answer<'a>> = Vec::new();
    for row in rows {
        match answers.iter_mut().find(|answer| says_the_same(answer.row(), row)) {
            Some(answer) => answer.rows.push(row),
            None => answers.push(Answer { rows: vec![row] }),
        }
    }
    answers
}

fn says_the_same(one: &RulingRow, other: &RulingRow) -> bool {
    fn said(row: &RulingRow) -> (&str, &str, u32, Option<i64>, &[String], &[String]) {
        (&row.ruling, &row.outcome, row.count, row.last_ns, &row.evidence_used, &row.evidence_refused)
    }
    said(one) == said(other)
}

fn is_divided(rows: &[&RulingRow]) -> bool {
    let mut said: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for row in rows {
        said.entry(&row.rulebook).or_default().push((&row.ruling, &row.outcome));
    }
    let mut said = said.into_values();
    let first = said.next();
    said.any(|other| Some(other) != first)
}
