//! What a run says while it runs: to a person on a terminal, or in lines to whoever reads a log.

use std::cell::Cell;
use std::io::{stderr, stdout};
use std::ops::Range;
use std::path::Path;

use flagfall_scenarios::{DiscoverError, Source};
use flagfall_trace::{Retried, Verdict};

use crate::case::Judged;
use crate::command::{print, warn};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::terminal::{Colour, below, count, paint};
use crate::work::Finished;

/// Most ids in one place of what is said; all of them are in the results.
const IDS_MAX: usize = 20;

/// Most ids at work in a line.
const AT_WORK_MAX: usize = 4;

/// Tells a person, or a program, what is going on.
pub struct Teller<'a> {
    json: bool,
    colour: Colour,
    /// The board file, to be named where a closer look is recommended.
    board: Option<&'a Path>,
    printed: Cell<Exit>,
    progress: Progress,
}

impl<'a> Teller<'a> {
    /// Of a run of so many scenarios; with `json`, standard output is for a program.
    #[must_use]
    pub fn new(json: bool, colour: Colour, board: Option<&'a Path>, scenarios: usize) -> Self {
        Self { json, colour, board, printed: Cell::new(Exit::Passed), progress: Progress::new(scenarios) }
    }

    /// Whether everything could be printed.
    #[must_use]
    pub fn printed(&self) -> Exit {
        self.printed.get()
    }

    /// A line for people: on standard output, or on standard error when standard output is for a program.
    pub fn say(&self, line: &str) {
        if self.json { self.warn(line) } else { self.print(&format!("{line}\n")) }
    }

    /// A line on standard error.
    pub fn warn(&self, line: &str) {
        self.progress.aside(|| warn(line));
    }

    /// Prints, and remembers if that was not possible; after the first time it is not tried again.
    fn print(&self, text: &str) {
        if self.printed.get() == Exit::Passed {
            self.printed.set(self.progress.aside(|| print(text)));
        }
    }

    /// A file or folder that gave no scenario.
    pub fn in_the_way(&self, error: &DiscoverError, judged: &Judged) {
        self.warn(&error.diagnose().render(self.colour.on(&stderr())));
        self.record(judged, &[]);
    }

    /// One is done; `next` is at work from now on, as far as anybody knows.
    pub fn done(&self, finished: &Finished, next: Option<&Source>) {
        if let Some(diagnostics) = &finished.unreadable {
            self.warn(&diagnostics.render(self.colour.on(&stderr())));
        }
        self.record(&finished.judged, &finished.presses);
        self.progress.done();
        self.progress.at_work(next.map_or("", Source::id));
    }

    /// Nothing was done for a while; these are at work, or done after one that is.
    pub fn waiting(&self, sources: &[Source], range: Range<usize>) {
        let ids: Vec<&str> = sources[range.clone()].iter().take(AT_WORK_MAX).map(Source::id).collect();
        if self.progress.is_shown() || ids.is_empty() {
            return;
        }
        let seconds = self.progress.elapsed().as_secs();
        self.say(&format!("{:>14}  {} (after {seconds} s)", "at work", ids.join(", ")));
    }

    /// What the bar says is being done.
    pub fn at_work(&self, what: &str) {
        self.progress.at_work(what);
    }

    /// Those whose turn did not come.
    pub fn not_run(&self, judged: &[&Judged]) {
        if self.json {
            for judged in judged {
                self.json_line(judged);
            }
        }
        for judged in judged.iter().take(IDS_MAX) {
            self.say(&format!("{}  {}", self.word(Verdict::NotRun), judged.record.scenario));
        }
        if judged.len() > IDS_MAX {
            self.say(&format!("                and {} more, named in results.jsonl", judged.len() - IDS_MAX));
        }
    }

    /// Takes the bar away: what follows is the end.
    pub fn end(&self) {
        self.progress.end();
    }

    fn word(&self, verdict: Verdict) -> String {
        let colour = if self.json { self.colour.on(&stderr()) } else { self.colour.on(&stdout()) };
        paint(&format!("{:>14}", verdict.name()), verdict, colour)
    }

    fn json_line(&self, judged: &Judged) {
        self.print(&(serde_json::to_string(&judged.record).expect("a run record has string keys only") + "\n"));
    }

    fn record(&self, judged: &Judged, presses: &[String]) {
        let record = &judged.record;
        if self.json {
            self.json_line(judged);
        }
        let word = self.word(record.verdict);
        if let (Verdict::NotApplicable | Verdict::NotRun, Some(reason)) = (record.verdict, &record.reason) {
            return self.say(&format!("{word}  {}: {reason}", record.scenario));
        }
        self.say(&format!("{word}  {}", record.scenario));
        if let Some(Retried { times, first_cause }) = &record.retried {
            let times = count(*times as usize, "time");
            self.say(&format!(
                "                tried again {times}, the bench failed first: {}",
                below(first_cause, 18)
            ));
        }
        for line in presses {
            self.say(&format!("                {line}"));
        }
        for check in record.checks.iter().filter(|check| check.verdict != Verdict::Pass) {
            let place = check.line.map_or(String::new(), |line| format!(" (line {line})"));
            self.say(&format!("                {}{place}", check.what));
            self.say(&format!("                  expected: {}", check.expected));
            self.say(&format!("                  found:    {}", below(&check.found, 28)));
        }
        if matches!(record.verdict, Verdict::Fail | Verdict::Inconclusive | Verdict::Infra) {
            let board = self.board.map_or(String::new(), |board| format!(" --board {}", board.display()));
            self.say(&format!("                look closer: flagfall show {}{board}", judged.path));
        }
    }
}
