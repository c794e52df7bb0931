//! `flagfall rules mutate`: each answer of each rulebook is changed, and some ruling must become another.

use std::path::{Path, PathBuf};
use std::time::Instant;

use flagfall_judge::Point;
use flagfall_judge::rulebook::Rulebook;

use super::games;
use crate::cli::Mutate;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::flips::{Flip, Reason, Reasons, Suspect, of};
use crate::games::jobs;
use crate::inputs;
use crate::interrupt::Interrupt;
use crate::progress::PATIENCE;
use crate::set::{self, Told};
use crate::terminal::{Colour, count};

/// Of so many flips one may have a reason instead of a scenario that kills it.
const REASONS_ONE_IN: usize = 20;

/// The file of reasons that is taken when none is named.
const REASONS: &str = "mutants/rulebooks.yaml";

/// Makes every flip that was asked for and prints those that no scenario kills.
pub(super) fn mutate(options: &Mutate, colour: Colour) -> Exit {
    let begun = Instant::now();
    let read = || {
        let rulebooks = inputs::rulebooks(&options.rulebook)?;
        Ok::<_, inputs::InputError>((inputs::sources(&options.paths)?, rulebooks))
    };
    let (found, rulebooks) = match read() {
        Ok(read) => read,
        Err(error) => return bad_input(&error),
    };
    let reasons = match reasons(options.reasons.as_deref()) {
        Ok(reasons) => reasons,
        Err(error) => return bad_input(&error),
    };
    let (games, exit) = games(&found, &rulebooks, colour);
    let flips = chosen(options, &rulebooks);
    let suspects: Vec<Suspect<'_>> = rulebooks.iter().map(|book| Suspect::of(book, &games)).collect();
    let worker = || |index: usize| suspects[flips[index].book].is_unlike(&flips[index].flip);
    let mut survivors: Vec<&Chosen> = Vec::new();
    set::run(flips.len(), jobs(), &Interrupt::default(), worker, PATIENCE, |told| {
        if let Told::Done(index, false) = told {
            survivors.push(&flips[index]);
        }
    });
    let verdict = Verdict::of(&flips, &survivors, &rulebooks, &reasons, options);
    let text = verdict.text + &format!("in {:.1} s\n", begun.elapsed().as_secs_f64());
    print(&text).and(if verdict.is_good { exit } else { Exit::Failed.and(exit) })
}

/// A flip of the rulebook with this index.
struct Chosen {
    book: usize,
    flip: Flip,
}

/// The flips that the options choose.
fn chosen(options: &Mutate, rulebooks: &[Rulebook]) -> Vec<Chosen> {
    let wanted = |point: Point| options.point.is_empty() || options.point.contains(&point);
    let mut flips = Vec::new();
    for (book, rulebook) in rulebooks.iter().enumerate() {
        let of_book = of(rulebook, rulebooks).into_iter().filter(|flip| wanted(flip.point));
        flips.extend(of_book.map(|flip| Chosen { book, flip }));
    }
    if let Some(shard) = options.shard {
        let mut index = 0;
        flips.retain(|_| {
            index += 1;
            shard.has(index - 1)
        });
    }
    flips
}

fn reasons(named: Option<&Path>) -> Result<Reasons, crate::flips::ReasonsError> {
    match named {
        Some(path) => Reasons::read(path),
        None if Path::new(REASONS).exists() => Reasons::read(&PathBuf::from(REASONS)),
        None => Ok(Reasons::default()),
    }
}

/// What the flips add up to.
struct Verdict {
    text: String,
    is_good: bool,
}

impl Verdict {
    fn of(
        flips: &[Chosen],
        survivors: &[&Chosen],
        rulebooks: &[Rulebook],
        reasons: &Reasons,
        options: &Mutate,
    ) -> Self {
        let key = |chosen: &Chosen| rulebooks[chosen.book].key.as_str();
        let (mut text, mut used, mut alive) = (String::new(), Vec::new(), 0);
        for survivor in survivors {
            match reasons.of(key(survivor), &survivor.flip) {
                Some(reason) => used.push(reason),
                None => {
                    alive += 1;
                    text += &format!("survived: {} {}\n", key(survivor), survivor.flip);
                }
            }
        }
        let whole = options.shard.is_none() && options.point.is_empty() && options.rulebook.is_empty();
        let idle: Vec<&Reason> = reasons.all().filter(|reason| !used.contains(reason)).collect();
        for reason in idle.iter().filter(|_| whole) {
            text += &format!("a reason for no flip that survives: {reason}\n");
        }
        let reasoned = survivors.len() - alive;
        let too_many = whole && reasoned * REASONS_ONE_IN > flips.len();
        if too_many {
            text += &format!("too many reasons: at most one flip in {REASONS_ONE_IN} may have one\n");
        }
        text += &format!(
            "{}: {} killed, {reasoned} with a reason, {alive} survived ",
            count(flips.len(), "flip"),
            flips.len() - survivors.len()
        );
        Self { text, is_good: alive == 0 && !too_many && (idle.is_empty() || !whole) }
    }
}
