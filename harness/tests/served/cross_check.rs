//! A case of each family, through both drivers, with its buttons pressed by a second board, and without a stop.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use flagfall::case::Case;
use flagfall::inputs;
use flagfall::rig::Outcome;
use flagfall::rig::board::{self, Board, Description, Probe};
use flagfall_trace::plan::Act;
use flagfall_trace::{RunRecord, Trace, Verdict};
use flagfall_vboard::EmulatorOptions;
use flagfall_vboard::black_magic::Server;
use libtest_mimic::{Failed, Trial};

/// The longest that a case in real time may take.
const SOON_NS: i64 = 20_000_000_000;

/// The shortest case of each family that the board can run, by both ways.
pub(crate) fn trials(description: &Description) -> Vec<Trial> {
    let driven = Description::read(Path::new("boards/virtual-driven.yaml")).expect("the board file is right");
    let both = |case: Case| {
        let (by_line, wired, case) = (description.clone(), driven.clone(), Arc::new(case));
        let (same, served, id) = (case.clone(), by_line.clone(), case.scenario.id.clone());
        [
            Trial::test(format!("virtual_board::black_magic::{id}"), move || compare(&case, served)),
            Trial::test(format!("virtual_board::driver::{id}"), move || compare_with_driver(&same, by_line, wired)),
        ]
    };
    let live = Description::read(Path::new("boards/virtual-live.yaml")).expect("the board file is right");
    // Turn and turn about: with the board's counter for true time, and with the host's clock.
    let unstopped = |(index, case): (usize, Case)| {
        let counter = live.true_time.clone().filter(|_| index % 2 == 0);
        let by = if counter.is_some() { "live" } else { "live_by_host_time" };
        let description = Description { true_time: counter, ..live.clone() };
        Trial::test(format!("virtual_board::{by}::{}", case.scenario.id), move || passes(&run(&case, description)?.1))
    };
    // What the server passes on is a debug port: nobody reads a serial port behind it.
    let stopped = shortest(&Description { panel: None, ..description.clone() }).into_iter().flat_map(both);
    stopped.chain(soonest(&live).into_iter().enumerate().map(unstopped)).collect()
}

/// The case of each family that is over first, of those that take no longer than anybody likes to wait for a test.
fn soonest(description: &Description) -> Vec<Case> {
    let sources = inputs::sources(&[PathBuf::from(inputs::CASES)]).expect("the repository has scenarios");
    let mut soonest: BTreeMap<String, (i64, Case)> = BTreeMap::new();
    for source in &sources.sources {
        let Ok(case) = Case::read(source, &[]) else { continue };
        let family = source.id().split('/').next().unwrap_or_default().to_owned();
        let presses = case.plan.steps.iter().filter(|step| matches!(step.act, Act::Press { .. } | Act::Contact { .. }));
        let ends = case.plan.steps.last().map_or(0, |step| step.at.ns());
        let sooner = soonest.get(&family).is_none_or(|(other, _)| ends < *other);
        let suits = presses.count() >= 2 && ends < SOON_NS;
        if sooner && suits && board::not_applicable(description, &case.plan).is_none() {
            soonest.insert(family, (ends, case));
        }
    }
    assert!(soonest.len() >= 3, "cases of too few families: {:?}", soonest.keys());
    soonest.into_values().map(|(_, case)| case).collect()
}

fn shortest(description: &Description) -> Vec<Case> {
    let sources = inputs::sources(&[PathBuf::from(inputs::CASES)]).expect("the repository has scenarios");
    let mut shortest: BTreeMap<String, Case> = BTreeMap::new();
    for source in &sources.sources {
        let Ok(case) = Case::read(source, &[]) else { continue };
        let family = source.id().split('/').next().unwrap_or_default().to_owned();
        let steps = case.plan.steps.len();
        let longer = shortest.get(&family).is_none_or(|other| steps < other.plan.steps.len());
        // A case of three acts has no press of each side, and one of a hundred takes its time.
        if longer && (4..100).contains(&steps) && board::not_applicable(description, &case.plan).is_none() {
            shortest.insert(family, case);
        }
    }
    assert!(shortest.len() >= 10, "cases of too few families: {:?}", shortest.keys());
    shortest.into_values().collect()
}

fn compare_with_driver(case: &Case, by_line: Description, wired: Description) -> Result<(), Failed> {
    let (by_line, record) = run(case, by_line)?;
    passes(&record)?;
    let (wired, record) = run(case, wired)?;
    passes(&record)?;
    tell_the_same_story(&by_line, &wired);
    Ok(())
}

fn tell_the_same_story(one: &Trace, other: &Trace) {
    let events = |trace: &Trace| trace.records.iter().map(|one| (one.record.kind, one.record.side)).collect::<Vec<_>>();
    assert_eq!(events(one), events(other), "the same events in the same order");
    let acts = |trace: &Trace| trace.achieved.iter().map(|one| one.step).collect::<Vec<_>>();
    assert_eq!(acts(one), acts(other), "the same acts in the same order");
}

fn compare(case: &Case, emulated: Description) -> Result<(), Failed> {
    let Probe::Emulator { machine, icount_shift, .. } = emulated.probe else { return Err("it is emulated".into()) };
    let (kernel, description) = (emulated.firmware.clone(), emulated.clone());
    let (plugin, record) = run(case, emulated)?;
    passes(&record)?;
    let server = Server::bind("127.0.0.1:0".parse()?)?;
    let served = Description { probe: Probe::Selector(server.selector()), panel: None, ..description };
    let options = EmulatorOptions { board: machine, kernel: Some(kernel), icount_shift, ..EmulatorOptions::default() };
    let ended = AtomicBool::new(false);
    let (served, record) = std::thread::scope(|scope| {
        let serving =
            scope.spawn(|| server.serve(&options, || ended.load(Ordering::SeqCst), |event| println!("{event:?}")));
        let outcome = run(case, served);
        ended.store(true, Ordering::SeqCst);
        serving.join().map_err(|_| Failed::from("the server panicked"))??;
        outcome
    })?;
    passes(&record)?;
    assert_eq!(record.rig, server.address().to_string(), "the rig is named by its probe");
    tell_the_same_story(&plugin, &served);
    Ok(())
}

fn run(case: &Case, description: Description) -> Result<(Trace, RunRecord), Failed> {
    let rig = description.probe.rig_name().to_owned();
    let begun = Instant::now();
    let mut board = Board::new(description);
    board.open()?;
    let opened = begun.elapsed();
    let outcome = board.run(&case.plan);
    let Outcome::Ran { trace, .. } = &outcome else { return Err(format!("{rig}: {outcome:?}").into()) };
    let trace = Trace::clone(trace);
    println!("{rig}: open {opened:?}, {} acts in {:?}", trace.achieved.len(), begun.elapsed() - opened);
    Ok((trace, case.judge(&rig, outcome, &[]).record))
}

fn passes(record: &RunRecord) -> Result<(), Failed> {
    match record.checks.iter().find(|check| check.verdict != Verdict::Pass) {
        None => Ok(()),
        Some(check) => Err(format!("{} on {}: {check:?}", record.scenario, record.rig).into()),
    }
}
