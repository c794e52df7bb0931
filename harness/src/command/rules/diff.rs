//! `flagfall rules diff`: where two rulebooks answer differently, with a scenario that shows what follows.

use flagfall_judge::rulebook::{Entry, Rulebook};
use flagfall_judge::{Point, Ruling};

use super::{games, short};
use crate::cli::RulesDiff;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::games::Game;
use crate::inputs;
use crate::terminal::{Colour, count};
use crate::what_if::answer_words;

/// Prints each point that the two answer differently.
pub(super) fn diff(options: &RulesDiff, colour: Colour) -> Exit {
    let read = || {
        let (one, other) = (inputs::one_rulebook(&options.one)?, inputs::one_rulebook(&options.other)?);
        Ok::<_, inputs::InputError>((one, other, inputs::chosen(&options.selection)?))
    };
    let (one, other, found) = match read() {
        Ok(read) => read,
        Err(error) => return bad_input(&error),
    };
    let books = [one, other];
    let (games, exit) = games(&found, &books, colour);
    let mut heard: Vec<Heard<'_>> =
        games.iter().map(|game| Heard { game, rulings: [game.rule(&books[0]), game.rule(&books[1])] }).collect();
    // A game about the point itself shows it best, and a short one.
    heard.sort_by_key(|heard| heard.game.len());
    let mut text = String::new();
    let differing: Vec<Point> =
        Point::ALL.into_iter().filter(|point| differ(books[0].entry(*point), books[1].entry(*point))).collect();
    for point in &differing {
        text += &about(*point, &books, &heard);
    }
    let alike = Point::ALL.len() - differing.len();
    text += &format!("{} answered differently, {alike} alike\n", count(differing.len(), "point"));
    print(&text).and(exit)
}

/// A game with what both rule in it.
struct Heard<'a> {
    game: &'a Game,
    rulings: [Vec<Ruling>; 2],
}

fn differ(one: &Entry, other: &Entry) -> bool {
    (&one.answer, &one.limits) != (&other.answer, &other.limits)
}

fn about(point: Point, books: &[Rulebook; 2], heard: &[Heard<'_>]) -> String {
    let mut text = format!("{point}: {}\n", point.question());
    let width = books.iter().map(|book| book.key.len()).max().unwrap_or(0);
    for book in books {
        let entry = book.entry(point);
        let article = entry.article.as_ref().map_or(String::new(), |article| format!(" [{article}]"));
        text += &format!("  {:width$}  {}{article}\n", book.key, answer_words(entry));
    }
    let shows = |heard: &&Heard<'_>| decisions(&heard.rulings[0], point) != decisions(&heard.rulings[1], point);
    let mut showing = heard.iter().filter(shows);
    let first = showing.next();
    let best = showing
        .find(|heard| is_about(heard.game, point))
        .filter(|_| first.is_some_and(|heard| !is_about(heard.game, point)));
    match best.or(first) {
        Some(heard) => {
            text += &format!("  shown by {}\n", heard.game.id());
            for (book, rulings) in books.iter().zip(&heard.rulings) {
                text += &format!("    {:width$}  {}\n", book.key, last(rulings, point));
            }
        }
        None => text += "  no scenario shows what follows\n",
    }
    text
}

fn is_about(game: &Game, point: Point) -> bool {
    game.case.scenario.points.contains(&point)
}

fn decisions(rulings: &[Ruling], point: Point) -> Vec<(i64, String)> {
    let on = rulings.iter().filter(|ruling| ruling.point == point);
    on.map(|ruling| (ruling.at.ns(), ruling.decision.to_string())).collect()
}

fn last(rulings: &[Ruling], point: Point) -> String {
    let mut on = rulings.iter().filter(|ruling| ruling.point == point);
    on.next_back().map_or_else(|| "the question never arises".to_owned(), short)
}
