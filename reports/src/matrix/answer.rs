//! Which rulings of a rulebook answer the points of a scenario, and where it leaves open what others rule.

use flagfall_trace::{RulingRow, RunRecord};

use super::TurnsOn;

/// The rows of this rulebook that answer the points of a run.
pub(super) fn answer<'a>(record: &'a RunRecord, key: &str) -> Vec<&'a RulingRow> {
    let on = |point: &str| {
        let rows = record.rulings.iter().filter(|row| row.rulebook == key && row.point == point);
        rows.filter(|row| row.ruling != "void").collect::<Vec<&RulingRow>>()
    };
    let arose: Vec<Vec<&RulingRow>> = record.points.iter().map(|point| on(point)).collect();
    if let Some(result) = arose.iter().flatten().find(|row| is_result(row)) {
        return vec![result];
    }
    // What becomes of the game says more than what it rests on.
    let of_the_game = arose.iter().filter_map(|rows| rows.iter().rfind(|row| is_of_the_game(row)));
    if let Some(row) = of_the_game.max_by_key(|row| instant(row)) {
        let belongs = |other: &&RulingRow| {
            instant(other) == instant(row) || (instant(other) > instant(row) && Whom::of(other) == Whom::Arbiter)
        };
        let game = last_of_each(&on(&row.point).into_iter().filter(belongs).collect::<Vec<_>>());
        let mut rows = ruled_after(row, &arose);
        rows.extend(game);
        return rows;
    }
    let Some(rows) = arose.iter().find(|rows| !rows.is_empty()) else {
        return unanswered(record, key).into_iter().collect();
    };
    match left_open(record, key, rows) {
        Some(open) => vec![open],
        None => last_of_each(rows),
    }
}

/// What was ruled on the first point that arose after another one had said what becomes of the game, which cannot rest on
/// that.
fn ruled_after<'a>(game: &RulingRow, arose: &[Vec<&'a RulingRow>]) -> Vec<&'a RulingRow> {
    let Some(first) = arose.iter().find(|rows| !rows.is_empty()) else { return Vec::new() };
    let after = first.iter().filter(|row| row.point != game.point && row.ruling == "decided");
    last_of_each(&after.filter(|row| instant(row) > instant(game)).copied().collect::<Vec<_>>())
}

/// What was ruled on the first point of a run, if that is not the one that was answered.
pub(super) fn turns_on(record: &RunRecord, key: &str, answered: &str) -> Option<TurnsOn> {
    let first = record.points.first().filter(|first| *first != answered)?;
    let mut on_it = record.rulings.iter().filter(|row| row.rulebook == key && row.point == *first);
    let article = on_it.find_map(|row| row.article.clone())?;
    Some(TurnsOn { point: first.clone(), article })
}

/// Of the rulings on one point those that came last for White, for Black, for the game and for what the arbiter did, in
/// this order: none of them displaces one of another.
fn last_of_each<'a>(rows: &[&'a RulingRow]) -> Vec<&'a RulingRow> {
    let mut last_of_each = Vec::new();
    for whom in Whom::ALL {
        let last = rows.iter().filter(|row| Whom::of(row) == whom).map(|row| instant(row)).max();
        last_of_each.extend(rows.iter().filter(|row| Whom::of(row) == whom && Some(instant(row)) == last));
    }
    last_of_each
}

/// Whom a ruling is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whom {
    White,
    Black,
    /// Neither side alone: play, the clock, what the text leaves open.
    Game,
    Arbiter,
}

impl Whom {
    const ALL: [Self; 4] = [Self::White, Self::Black, Self::Game, Self::Arbiter];

    fn of(row: &RulingRow) -> Self {
        let Some((what, of)) = row.outcome.split_once(": ").filter(|_| row.ruling == "decided") else {
            return Self::Game;
        };
        let side = of.trim_start_matches('{').split(':').next().unwrap_or(of);
        match (what, side) {
            ("act", _) => Self::Arbiter,
            (_, "white") => Self::White,
            (_, "black") => Self::Black,
            _ => Self::Game,
        }
    }
}

pub(super) fn instant(row: &RulingRow) -> i64 {
    row.last_ns.unwrap_or(row.at_ns)
}

pub(super) fn is_result(row: &RulingRow) -> bool {
    row.outcome.starts_with("result: ")
}

/// Whether it says that play goes on, or what could become of the game.
pub(super) fn is_of_the_game(row: &RulingRow) -> bool {
    row.outcome == "play: continues" || matches!(row.ruling.as_str(), "discretion" | "needs")
}

/// The point of the run on which this rulebook is silent after these rulings, where another one says then what becomes of
/// the game.
fn left_open<'a>(record: &'a RunRecord, key: &str, rows: &[&RulingRow]) -> Option<&'a RulingRow> {
    if rows.iter().all(|row| row.ruling == "silent") {
        return None;
    }
    let last = rows.iter().map(|row| instant(row)).max();
    silent_on_the_game(record, key).find(|row| Some(instant(row)) > last)
}

/// Where this rulebook is silent on a point of the run at an instant at which one says what becomes of the game.
pub(super) fn silent_on_the_game<'a>(record: &'a RunRecord, key: &str) -> impl Iterator<Item = &'a RulingRow> {
    let on_a_point = || record.rulings.iter().filter(|row| record.points.contains(&row.point));
    let ruled_at: Vec<i64> =
        on_a_point().filter(|row| is_result(row) || is_of_the_game(row)).map(|row| row.at_ns).collect();
    let own = on_a_point().filter(move |row| row.rulebook == key && row.ruling == "silent");
    own.filter(move |row| ruled_at.iter().any(|at| (row.at_ns..=instant(row)).contains(at)))
}

/// Why no point of the run is answered: the game was over before, or the text is silent on what has to be known first,
/// which is so where it is silent at an instant at which others are asked.
fn unanswered<'a>(record: &'a RunRecord, key: &str) -> Option<&'a RulingRow> {
    let is_asked = |row: &&RulingRow| record.points.contains(&row.point);
    let mut own = record.rulings.iter().filter(|row| row.rulebook == key);
    let void = own.clone().find(is_asked);
    let asked_at: Vec<i64> = record.rulings.iter().filter(is_asked).map(|row| row.at_ns).collect();
    let is_blocked =
        |row: &&RulingRow| row.ruling == "silent" && asked_at.iter().any(|at| (row.at_ns..=instant(row)).contains(at));
    void.or_else(|| own.find(is_blocked))
}
