//! A run in which an access fails, wherever that is: a named cause on the bench's side, soon, and nothing else.

use std::time::{Duration, Instant};

use flagfall::rig::Outcome;
use flagfall::rig::board::{Board, Description};
use flagfall_trace::Verdict;
use libtest_mimic::Failed;

use crate::wire::Mischief;
use crate::{Run, Wired, case};

pub(crate) const ALL: &[(&str, Run)] = &[
    ("unplugged_at_any_access_is_the_bench", unplugged_at_any_access_is_the_bench),
    ("a_hiccup_at_any_access_is_never_the_clock", a_hiccup_at_any_access_is_never_the_clock),
];

/// How many places of a run are tried.
const PLACES: u64 = 24;

/// Longer than it takes to open a board and run the case on a busy machine: no wait for something that does not come is
/// followed by another.
const BOUND: Duration = Duration::from_secs(30);

fn sweep(board: Description, mischief: Mischief, may_pass: bool) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let case = case();
    let accesses = wired.accesses_of_a_run()?;
    assert!(accesses > 20 * PLACES, "a run of {accesses} accesses");
    // The first ones open the probe, and are each of another kind. How often a halt is asked for is chance, so that the
    // last ones may not come.
    let places = (1..=6).chain((1..=PLACES).map(|place| accesses * place / (PLACES + 3)));
    for place in places {
        wired.wire.set(place, mischief.clone());
        let begun = Instant::now();
        let outcome = Board::new(wired.description.clone()).run(&case.plan);
        let took = begun.elapsed();
        assert!(took < BOUND, "access {place} of {accesses}: {took:?}");
        match outcome {
            Outcome::Infra(cause) => {
                // A busy machine has causes of its own.
                let named = cause.contains("No such device") || cause.contains("imeout");
                assert!(named, "access {place} of {accesses}: {cause}");
            }
            // What probe-rs does not need it does not miss.
            outcome @ Outcome::Ran { .. } if may_pass => {
                let record = case.judge("wired", outcome, &[]).record;
                assert_eq!(record.verdict, Verdict::Pass, "access {place} of {accesses}: {record:?}");
            }
            outcome => return Err(format!("access {place} of {accesses}: {outcome:?}").into()),
        }
    }
    Ok(())
}

fn unplugged_at_any_access_is_the_bench(board: Description) -> Result<(), Failed> {
    sweep(board, Mischief::Unplugged, false)
}

fn a_hiccup_at_any_access_is_never_the_clock(board: Description) -> Result<(), Failed> {
    sweep(board, Mischief::Hiccup, true)
}
