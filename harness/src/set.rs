//! A whole set of cases on one rig: carried out in parallel, judged, told in order.

use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Instant;

use flagfall_judge::rulebook::Rulebook;

use crate::case::{Case, Judged};
use crate::rig::Outcome;

/// Carries out and judges every case; `carry_out` makes a rig of its own for each of `jobs` threads.
///
/// `tell` is called for each case in the order of `cases`, as soon as all before it are done.
pub fn run<R>(
    cases: &[Case],
    rig: &str,
    rulebooks: &[Rulebook],
    jobs: usize,
    make_rig: impl Fn() -> R + Sync,
    mut tell: impl FnMut(usize, &Judged),
) -> Vec<Judged>
where
    R: FnMut(&Case) -> Outcome,
{
    let next = Mutex::new(0..cases.len());
    let (sender, receiver) = mpsc::channel();
    let mut judged: Vec<Option<Judged>> = Vec::new();
    judged.resize_with(cases.len(), || None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, cases.len().max(1)) {
            let (sender, next, make_rig) = (sender.clone(), &next, &make_rig);
            scope.spawn(move || {
                let mut carry_out = make_rig();
                while let Some(index) = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next() {
                    let begun = Instant::now();
                    let outcome = carry_out(&cases[index]);
                    let mut done = cases[index].judge(rig, outcome, rulebooks);
                    done.took = begun.elapsed();
                    if sender.send((index, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut told = 0;
        for (index, done) in receiver {
            judged[index] = Some(done);
            while let Some(Some(done)) = judged.get(told) {
                tell(told, done);
                told += 1;
            }
        }
    });
    judged.into_iter().flatten().collect()
}
