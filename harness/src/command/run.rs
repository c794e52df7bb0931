//! `flagfall run`: a set of scenarios on one rig, results on disk, one last line.

use std::cell::Cell;
use std::io::stderr;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Instant;

use flagfall_core::TrueTime;
use flagfall_judge::rulebook::Rulebook;
use flagfall_reports::timeline;
use flagfall_trace::trace::write_whole;
use flagfall_trace::{RunRecord, SetHash, Trace, TraceHash, Verdict};

use crate::case::{Case, Judged};
use crate::cli::Run;
use crate::command::{bad_input, determinism, infra, print, warn};
use crate::exit::Exit;
use crate::inputs::{self, Cases};
use crate::results::Results;
use crate::rig::board::{Board, Description, Probe};
use crate::rig::sim;
use crate::set;
use crate::summary::Summary;
use crate::terminal::{Colour, paint};

/// Runs, judges, writes and sums up.
#[must_use]
pub fn run(options: &Run, colour: Colour) -> Exit {
    let begun = Instant::now();
    let (cases, rulebooks) = match inputs::cases(&options.paths.paths, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let description = match options.board.as_deref().map(Description::read).transpose() {
        Ok(description) => description,
        Err(error) => return bad_input(&error),
    };
    if let Some(description) = &description
        && let Err(error) = Board::new(description.clone()).open()
    {
        return infra(&format!("the board cannot be used: {error}"));
    }
    let rig = description.as_ref().map_or(sim::NAME, |description| description.probe.rig_name());
    let results = match Results::begin(&options.out) {
        Ok(results) => results,
        Err(error) => return bad_input(&error),
    };
    for diagnostics in &cases.bad {
        warn(&diagnostics.render(colour.on(&stderr())));
    }
    let jobs = options.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let board = options.board.as_deref();
    let teller = Teller { json: options.json, colour, board, printed: Cell::new(Exit::Passed) };
    let keys: Vec<&str> = rulebooks.iter().map(|rulebook| rulebook.key.as_str()).collect();
    teller.say(&format!(
        "flagfall {}: {} scenarios on {rig}, rulebooks {}, {jobs} jobs",
        env!("CARGO_PKG_VERSION"),
        cases.good.len(),
        keys.join(" ")
    ));
    let judged = carry_out(description.as_ref(), &cases, &rulebooks, jobs, &teller);
    let kept = keep(options, results, &judged);
    let records: Vec<RunRecord> = judged.iter().map(|one| one.record.clone()).collect();
    let set = kept.as_ref().ok().and_then(|(_, set)| *set);
    let summary = Summary::of(rig, &records, cases.bad.len(), begun.elapsed(), set);
    let page = match kept {
        Ok((page, _)) => page,
        // What was found stands, even if it could not be kept.
        Err(exit) => {
            teller.say(&summary.to_string());
            return summary.exit().and(exit);
        }
    };
    let mut exit = summary.exit();
    if options.check_determinism {
        exit = exit.and(check_determinism(options, jobs, &judged, &teller));
    }
    teller.say(&format!("page: {page}"));
    teller.say(&summary.to_string());
    if summary.ran_nothing() {
        exit = exit.and(bad_input(&"nothing was run: no scenario given applies to this rig"));
    }
    exit.and(teller.printed.get())
}

/// Carries everything out on the rig that the options name.
fn carry_out(
    description: Option<&Description>,
    cases: &Cases,
    rulebooks: &[Rulebook],
    jobs: usize,
    teller: &Teller<'_>,
) -> Vec<Judged> {
    let tell = |_, judged: &Judged| teller.tell(judged, description.is_some());
    let Some(description) = description else {
        return set::run(&cases.good, sim::NAME, rulebooks, jobs, || |case: &Case| sim::run(&case.plan), tell);
    };
    // There is one real board; of the emulated one each job starts its own.
    let jobs = if matches!(description.probe, Probe::Emulator { .. }) { jobs } else { 1 };
    let board = || {
        let mut board = Board::new(description.clone());
        move |case: &Case| board.run(&case.plan)
    };
    set::run(&cases.good, description.probe.rig_name(), rulebooks, jobs, board, tell)
}

/// Puts everything on disk; where the page is, and the hash of the set.
fn keep(options: &Run, results: Results, judged: &[Judged]) -> Result<(String, Option<TraceHash>), Exit> {
    let mut set = SetHash::default();
    for one in judged {
        if let (Some(trace), Some(hash), Some(file)) = (&one.trace, one.hash, &one.record.trace_file) {
            set.add(&one.record.scenario, hash);
            results.add_trace(file, trace).map_err(|error| infra(&error))?;
        }
    }
    let page = results.finish(judged).map_err(|error| infra(&error))?;
    if let Some(file) = &options.junit {
        let records: Vec<RunRecord> = judged.iter().map(|one| one.record.clone()).collect();
        let xml = flagfall_reports::junit(&records).map_err(|error| infra(&error))?;
        write_whole(file, xml.as_bytes())
            .map_err(|error| infra(&format!("cannot write {}: {error}", file.display())))?;
    }
    let any = judged.iter().any(|one| one.hash.is_some());
    Ok((page.display().to_string(), any.then(|| set.finish())))
}

fn check_determinism(options: &Run, jobs: usize, judged: &[Judged], teller: &Teller<'_>) -> Exit {
    match determinism::compare(options, jobs, judged) {
        Ok(differences) if differences.is_empty() => {
            teller.say("determinism: the same hashes in a second process, in another order, with other jobs");
            Exit::Passed
        }
        Ok(differences) => {
            for difference in &differences {
                warn(&format!("determinism: {difference}"));
            }
            infra(&format!("{} scenarios are not deterministic", differences.len()))
        }
        Err(error) => infra(&error),
    }
}

/// Tells a person, or a program, what is going on.
struct Teller<'a> {
    json: bool,
    colour: Colour,
    /// The board file, to be named where a closer look is recommended.
    board: Option<&'a Path>,
    printed: Cell<Exit>,
}

impl Teller<'_> {
    /// A line for people: on standard output, or on standard error when standard output is for a program.
    fn say(&self, line: &str) {
        if self.json { warn(line) } else { self.print(&format!("{line}\n")) }
    }

    /// Prints, and remembers if that was not possible; after the first time it is not tried again.
    fn print(&self, text: &str) {
        if self.printed.get() == Exit::Passed {
            self.printed.set(print(text));
        }
    }

    fn tell(&self, judged: &Judged, presses: bool) {
        let record = &judged.record;
        if self.json {
            self.print(&(serde_json::to_string(record).expect("a run record has string keys only") + "\n"));
        }
        let colour = if self.json { self.colour.on(&stderr()) } else { self.colour.on(&std::io::stdout()) };
        let word = paint(&format!("{:>14}", record.verdict.name()), record.verdict, colour);
        if let (Verdict::NotApplicable, Some(reason)) = (record.verdict, &record.reason) {
            return self.say(&format!("{word}  {}: {reason}", record.scenario));
        }
        self.say(&format!("{word}  {}", record.scenario));
        if let Some(trace) = judged.trace.as_ref().filter(|_| presses) {
            for line in presses_of(trace) {
                self.say(&format!("                {line}"));
            }
        }
        for check in record.checks.iter().filter(|check| check.verdict != Verdict::Pass) {
            let place = check.line.map_or(String::new(), |line| format!(" (line {line})"));
            self.say(&format!("                {}{place}", check.what));
            self.say(&format!("                  expected: {}", check.expected));
            self.say(&format!("                  found:    {}", check.found));
        }
        if matches!(record.verdict, Verdict::Fail | Verdict::Inconclusive | Verdict::Infra) {
            let board = self.board.map_or(String::new(), |board| format!(" --board {}", board.display()));
            self.say(&format!("                look closer: flagfall show {}{board}", judged.path));
        }
    }
}

/// Each press with its instant in the hall, on the bench counter, and the device's own stamp.
fn presses_of(trace: &Trace) -> Vec<String> {
    let lines = timeline::lines(trace).into_iter().filter(|line| line.mark == timeline::Mark::Press);
    lines
        .map(|line| {
            let who = line.who.map_or(String::new(), |who| who.to_string());
            let stamp = match line.device {
                Some(stamp) => format!(
                    "device {} s, {:+} us",
                    TrueTime::from_ns(i64::try_from(stamp.ns_into_run).unwrap_or(i64::MAX)),
                    (stamp.ns_into_run - i128::from(line.true_time.ns())) / 1_000
                ),
                None => "device: not noticed".to_owned(),
            };
            format!("press {who}: true {} s, {stamp}", line.true_time)
        })
        .collect()
}
