//! A case of each family, through both drivers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use flagfall::case::Case;
use flagfall::inputs;
use flagfall::rig::Outcome;
use flagfall::rig::board::{self, Board, Description, Probe};
use flagfall_trace::{RunRecord, Trace, Verdict};
use flagfall_vboard::EmulatorOptions;
use flagfall_vboard::black_magic::Server;
use libtest_mimic::{Failed, Trial};

/// The shortest case of each family that the board can run.
pub(crate) fn trials(description: &Description) -> Vec<Trial> {
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
    let one = |case: Case| {
        let (description, case) = (description.clone(), Arc::new(case));
        Trial::test(format!("virtual_board::black_magic::{}", case.scenario.id), move || compare(&case, description))
    };
    shortest.into_values().map(one).collect()
}

fn compare(case: &Case, emulated: Description) -> Result<(), Failed> {
    let Probe::Emulator { machine, icount_shift } = emulated.probe else { return Err("it is emulated".into()) };
    let (kernel, description) = (emulated.firmware.clone(), emulated.clone());
    let (plugin, record) = run(case, emulated)?;
    passes(&record)?;
    let server = Server::bind("127.0.0.1:0".parse()?)?;
    let served = Description { probe: Probe::Selector(server.selector()), ..description };
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
    let events = |trace: &Trace| trace.records.iter().map(|one| (one.record.kind, one.record.side)).collect::<Vec<_>>();
    assert_eq!(events(&plugin), events(&served), "the same events in the same order");
    let acts = |trace: &Trace| trace.achieved.iter().map(|one| one.step).collect::<Vec<_>>();
    assert_eq!(acts(&plugin), acts(&served), "the same acts in the same order");
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
