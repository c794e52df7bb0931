//! `flagfall rules list`: which rulebooks there are, and how much they decide.

use flagfall_judge::rulebook::{Answer, Entry, Rulebook};
use flagfall_judge::ruling_rows::rulebook_row;

use crate::cli::RulesList;
use crate::command::{bad_input, print};
use crate::exit::Exit;
use crate::inputs;

/// Prints a line for each rulebook, or everything that it says.
pub(super) fn list(options: &RulesList) -> Exit {
    let rulebooks = match inputs::rulebooks(&options.rulebook) {
        Ok(rulebooks) => rulebooks,
        Err(error) => return bad_input(&error),
    };
    if options.json {
        let line = |book| serde_json::to_string(&rulebook_row(book)).expect("a row has string keys only") + "\n";
        return print(&rulebooks.iter().map(line).collect::<String>());
    }
    let width = rulebooks.iter().map(|book| book.key.len()).max().unwrap_or(0);
    print(&rulebooks.iter().map(|book| line(book, width)).collect::<String>())
}

fn line(book: &Rulebook, width: usize) -> String {
    let count = |is: fn(&Entry) -> bool| book.entries().filter(|entry| is(entry)).count();
    let decided = count(|entry| matches!(entry.answer, Answer::Value(_)));
    let silent = count(|entry| entry.answer == Answer::Silent);
    let open = count(|entry| matches!(entry.answer, Answer::NotDecidable { .. }));
    let unverified = count(|entry| entry.unverified);
    let mut about = vec![format!("{decided} decided, {silent} silent, {open} not decidable")];
    if unverified > 0 {
        about.push(format!("{unverified} not verified"));
    }
    about.extend(book.extends.as_ref().map(|base| format!("extends {base}")));
    format!("{:width$}  {}  {}\n{:width$}      {}\n", book.key, book.language, book.title, "", about.join("; "))
}
