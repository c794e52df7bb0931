//! `flagfall run`: a set of scenarios on one rig, results on disk, one last line.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use flagfall_reports::Report;
use flagfall_reports::statistics::Mask;
use flagfall_scenarios::Source;
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::{BenchRecord, SetHash, TraceHash, Verdict};

use crate::case::{Case, Judged};
use crate::cli::Run;
use crate::command::{bad_input, determinism, infra, quarantine, warn};
use crate::exit::Exit;
use crate::flash_teller::{FlashTeller, Lines};
use crate::held::Held;
use crate::inputs;
use crate::interrupt::Interrupt;
use crate::lease::LeaseError;
use crate::limit;
use crate::overwrite;
use crate::processor;
use crate::progress::PATIENCE;
use crate::protocol::{self, Said};
use crate::results::{Beside, Results, ResultsError};
use crate::rig::board::{Attempts, Board, Description, Probe};
use crate::rig::sim;
use crate::set::{self, Told};
use crate::summary::Summary;
use crate::teller::Teller;
use crate::terminal::{Colour, count};
use crate::work::Bench;

/// Runs, judges, writes and sums up.
#[must_use]
pub fn run(options: &Run, colour: Colour) -> Exit {
    let begun = Instant::now();
    let (found, rulebooks) = match inputs::given(&options.selection, &options.rulebook) {
        Ok(inputs) => inputs,
        Err(error) => return bad_input(&error),
    };
    let description = match options.board.as_deref().map(Description::read).transpose() {
        Ok(description) => description,
        Err(error) => return bad_input(&error),
    };
    let mask = match limit::mask(options.mask.as_deref()) {
        Ok(mask) => mask,
        Err(error) => return bad_input(&error),
    };
    if let Some(Err(exit)) = description.as_ref().map(|board| quarantine::admit(board, options.quarantined)) {
        return exit;
    }
    if let Some(Err(cannot)) = description.as_ref().filter(|_| options.jump).map(Board::can_jump) {
        let file = options.board.as_deref().unwrap_or(Path::new("")).display();
        return bad_input(&format!("{file}: time cannot be jumped on this board: {cannot}; run it without --jump"));
    }
    let put = [options.junit.as_deref(), options.summary.as_deref()].into_iter().flatten();
    if let Err(error) = overwrite::none(put, found.sources.iter().map(Source::path)) {
        return bad_input(&error);
    }
    // Until here there is nothing to keep: a signal ends the program as it ends any other.
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let (held, head) = match description.as_ref().map(|description| made_ready(description, options, &interrupt)) {
        None => (None, None),
        Some(Ok((held, head))) => (Some(held), Some(head)),
        Some(Err(exit)) => return exit,
    };
    let rig = description.as_ref().map_or(sim::NAME, |description| description.probe.rig_name());
    let results = match Results::begin(&options.out, &beside(options, &mask), &rulebooks, head.as_ref(), &interrupt) {
        Ok(results) => results,
        Err(error) if error.is_a_full_disk() => return infra(&error),
        Err(error) => return bad_input(&error),
    };
    let jobs = options.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let teller = Teller::new(options.json, colour, options.board.as_deref(), found.sources.len());
    let under = match rulebooks.as_slice() {
        [one] => format!("rulebook {}", one.key),
        many => format!("{} rulebooks", many.len()),
    };
    teller.say(&format!(
        "flagfall {}: {} on {rig}{}, {under}, jobs {jobs}",
        env!("CARGO_PKG_VERSION"),
        count(found.sources.len(), "scenario"),
        if options.jump { ", jumped time" } else { "" }
    ));
    if let (true, Some(shard)) = (found.sources.is_empty(), options.selection.shard) {
        teller.say(&format!("shard {shard} is empty: there are fewer scenarios than shards"));
    }
    let folder = results.folder().to_owned();
    let bench = Bench { rig, rulebooks: &rulebooks, results: &folder, presses: description.is_some() };
    let on = if options.jump { format!("{rig}, jumped time,") } else { rig.to_owned() };
    let mut ledger = Ledger::new(results, &on, head, &interrupt);
    for error in &found.errors {
        let judged = Judged::in_the_way(error, rig);
        teller.in_the_way(error, &judged);
        ledger.add(&judged);
    }
    let board = description.as_ref().zip(held);
    carry_out(&found.sources, board, bench, (jobs, options), &mut ledger, &teller);
    let exit = finish(options, &mask, jobs, ledger, &teller, begun);
    exit.and(teller.printed())
}

fn beside<'a>(options: &'a Run, mask: &'a Mask) -> Beside<'a> {
    Beside { junit: options.junit.as_deref(), summary: options.summary.as_deref(), mask: Some(mask) }
}

/// Takes the board's probes, looks whether it can be used, and says on what the run is made.
fn made_ready(description: &Description, options: &Run, interrupt: &Interrupt) -> Result<(Held, BenchRecord), Exit> {
    let told = |error: &LeaseError| warn(&format!("flagfall: waiting: {error}"));
    let held = Held::take(description, options.bench.patience(), interrupt, told).map_err(|error| infra(&error))?;
    let unusable = |error: &dyn Display| infra(&format!("the board cannot be used: {error}"));
    let teller = Arc::new(FlashTeller::new(&description.board, "is being opened", Lines::Changes));
    let told = teller.clone();
    let board = Board::new(description.clone()).telling(move |far| told.tell(far));
    let mut board = Attempts::new(board, options.retries.into());
    let opened = board.open(|error| teller.aside(&format!("flagfall: tried again: {error}")));
    teller.end();
    opened.map_err(|error| unusable(&error))?;
    let chip_serial = board.chip_serial().map_err(|error| unusable(&error))?;
    drop(board);
    let technique = protocol::technique(description, options.jump);
    let said = Said { chip_serial, ..options.bench.said() };
    let head = protocol::head(description, &said, technique).map_err(|error| unusable(&error))?;
    Ok((held, head))
}

/// Carries everything out on the rig that the description names, whose probes are held.
fn carry_out(
    sources: &[Source],
    board: Option<(&Description, Held)>,
    bench: Bench<'_>,
    (jobs, options): (usize, &Run),
    ledger: &mut Ledger,
    teller: &Teller<'_>,
) {
    let interrupt = ledger.interrupt.clone();
    let (description, mut held) = board.unzip();
    let tell = |told: Told<_>| match told {
        Told::Waiting(range) => teller.waiting(sources, range),
        Told::Done(index, mut finished) => {
            teller.done(&finished, sources.get(index + 1));
            if let Some(Err(error)) = held.as_mut().map(Held::renew) {
                teller.warn(&error.to_string());
            }
            ledger.add(&finished.judged);
            ledger.went_as_deep_as(finished.stack);
            if let Err(error) = std::mem::replace(&mut finished.kept, Ok(())) {
                ledger.refused(error.into());
            }
        }
    };
    let count = sources.len();
    let begun = match description {
        None => {
            let worker = || |index: usize| bench.work(&sources[index], |case: &Case| sim::run(&case.plan).into());
            set::run(count, jobs, &interrupt, worker, PATIENCE, tell)
        }
        Some(description) => {
            // There is one real board; of the emulated one each job starts its own.
            let jobs = if matches!(description.probe, Probe::Emulator { .. }) { jobs } else { 1 };
            let alone = jobs.min(count) == 1 && matches!(description.probe, Probe::Emulator { paced: false, .. });
            let worker = || {
                if alone {
                    processor::keep_on_one();
                }
                let mut board = Attempts::new(
                    Board::new(description.clone()).heeding(&interrupt).jumping(options.jump),
                    options.retries.into(),
                );
                move |index: usize| {
                    bench.work(&sources[index], |case: &Case| board.run_scenario(&case.plan, &case.scenario))
                }
            };
            set::run(count, jobs, &interrupt, worker, PATIENCE, tell)
        }
    };
    let not_run: Vec<Judged> = sources[begun..].iter().map(|source| Judged::not_run(source, bench.rig)).collect();
    teller.not_run(&not_run.iter().collect::<Vec<_>>());
    for judged in &not_run {
        ledger.add(judged);
    }
}

/// What a run comes to, line by line.
struct Ledger {
    results: Results,
    summary: Summary,
    hashes: BTreeMap<String, Option<TraceHash>>,
    /// The first thing that could not be written: from then on nothing is kept, and nothing more is begun.
    refused: Option<ResultsError>,
    interrupt: Interrupt,
    /// On what the run is made, and how deep the firmware's stack has been in it.
    head: Option<BenchRecord>,
}

impl Ledger {
    fn new(results: Results, on: &str, head: Option<BenchRecord>, interrupt: &Interrupt) -> Self {
        let (summary, interrupt) = (Summary::new(on), interrupt.clone());
        Self { results, summary, hashes: BTreeMap::new(), refused: None, interrupt, head }
    }

    /// Each plan begins with a reset, which paints the stack anew: the deepest of all is that of the run.
    fn went_as_deep_as(&mut self, stack: Option<StackUse>) {
        if let Some(head) = &mut self.head {
            head.stack = head.stack.max(stack);
        }
    }

    fn add(&mut self, judged: &Judged) {
        self.summary.add(judged.record.verdict);
        if matches!(judged.record.verdict, Verdict::Unreadable | Verdict::NotRun) {
            // Neither has anything to compare.
        } else {
            self.hashes.insert(judged.record.scenario.clone(), judged.hash);
        }
        if self.refused.is_none()
            && let Err(error) = self.results.add(judged)
        {
            self.refused(error);
        }
    }

    fn refused(&mut self, error: ResultsError) {
        self.interrupt.ask();
        self.refused.get_or_insert(error);
    }

    fn set(&self) -> Option<TraceHash> {
        let mut set = SetHash::default();
        let mut any = false;
        for (id, hash) in &self.hashes {
            if let Some(hash) = hash {
                set.add(id, *hash);
                any = true;
            }
        }
        any.then(|| set.finish())
    }
}

/// Puts everything in its place, compares with a second process if that is wanted, and says the last line.
fn finish(options: &Run, mask: &Mask, jobs: usize, mut ledger: Ledger, teller: &Teller<'_>, begun: Instant) -> Exit {
    ledger.summary.set = ledger.set();
    let Ledger { results, mut summary, hashes, refused, interrupt, head } = ledger;
    teller.at_work("writing the page");
    let kept = match refused {
        Some(error) => Err(error),
        None => results.finish(&beside(options, mask), head.as_ref()),
    };
    teller.end();
    summary.took = begun.elapsed();
    let (page, report): (PathBuf, Report) = match kept {
        Ok(kept) => kept,
        // What was found stands, even if it could not be kept.
        Err(error) => {
            let exit = infra(&error);
            teller.say(&summary.to_string());
            return summary.exit().and(exit);
        }
    };
    let mut exit = summary.exit();
    if options.check_determinism {
        if interrupt.is_asked() {
            teller.say("determinism: not checked, the run was interrupted");
        } else {
            exit = exit.and(check_determinism(options, jobs, &hashes, &interrupt, teller));
            summary.took = begun.elapsed();
        }
    }
    teller.say(&format!("page: {}", page.display()));
    report.lines().iter().for_each(|line| teller.say(line));
    if let Some(stack) = head.and_then(|head| head.stack) {
        teller.say(&stack.to_string());
    }
    teller.say(&summary.to_string());
    if summary.ran_nothing() {
        exit = exit.and(bad_input(&"nothing was run: no scenario given applies to this rig"));
    }
    exit
}

fn check_determinism(
    options: &Run,
    jobs: usize,
    hashes: &BTreeMap<String, Option<TraceHash>>,
    interrupt: &Interrupt,
    teller: &Teller<'_>,
) -> Exit {
    match determinism::compare(options, jobs, hashes, interrupt) {
        Ok(differences) if differences.is_empty() => {
            teller.say("determinism: the same hashes in a second process, in another order, with other jobs");
            Exit::Passed
        }
        Ok(differences) => {
            for difference in &differences {
                teller.warn(&format!("determinism: {difference}"));
            }
            let what = if differences.len() == 1 { "is" } else { "are" };
            infra(&format!("{} {what} not deterministic", count(differences.len(), "scenario")))
        }
        Err(error) => infra(&error),
    }
}
