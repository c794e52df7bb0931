//! A whole set on one rig: many at once, told in order, never more in memory than a few for each job.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::interrupt::Interrupt;

/// How far each job may be ahead of what has been told. One that takes long holds up the telling of all after it, and
/// what they came to has to wait somewhere.
const AHEAD: usize = 16;

/// How long a thread that waits for its turn sleeps before it looks whether somebody has asked for an end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// What there is to be told.
#[derive(Debug)]
pub enum Told<D> {
    /// The one with this index is done, and all before it have been told.
    Done(usize, D),
    /// Nothing was done for the time that was given; these have been begun, some of them are at work.
    Waiting(Range<usize>),
}

/// Which are whose turn.
#[derive(Default)]
struct Turn {
    begun: usize,
    told: usize,
    /// A thread has died: nothing will be told any more.
    broken: bool,
}

struct Turns {
    turn: Mutex<Turn>,
    changed: Condvar,
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next index, when it is not too far ahead; `None` when there is none or nobody wants it any more.
    fn next(&self, count: usize, ahead: usize, interrupt: &Interrupt) -> Option<usize> {
        let mut turn = self.lock();
        loop {
            if turn.begun == count || turn.broken || interrupt.is_asked() {
                return None;
            }
            if turn.begun < turn.told + ahead {
                turn.begun += 1;
                return Some(turn.begun - 1);
            }
            turn = self.changed.wait_timeout(turn, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn change(&self, change: impl FnOnce(&mut Turn)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

/// Tells the others when its thread dies.
struct Alive<'a>(&'a Turns);

impl Drop for Alive<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.change(|turn| turn.broken = true);
        }
    }
}

/// Works on each of `count` with `jobs` threads, each with a worker of its own, and tells in order of the indices what
/// came of it; when nothing is done for `patience`, that is told as well. Gives how many were begun, and so told.
///
/// Once somebody has asked for an end, none is begun; those at work are waited for.
///
/// # Panics
/// When a worker does.
pub fn run<W, D>(
    count: usize,
    jobs: usize,
    interrupt: &Interrupt,
    make_worker: impl Fn() -> W + Sync,
    patience: Duration,
    mut tell: impl FnMut(Told<D>),
) -> usize
where
    W: FnMut(usize) -> D,
    D: Send,
{
    let jobs = jobs.clamp(1, count.max(1));
    let turns = Turns { turn: Mutex::default(), changed: Condvar::new() };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, turns, make_worker) = (sender.clone(), &turns, &make_worker);
            scope.spawn(move || {
                let _alive = Alive(turns);
                let mut work = make_worker();
                while let Some(index) = turns.next(count, jobs * AHEAD, interrupt) {
                    if sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let (mut told, mut since) = (0, Instant::now());
        loop {
            match receiver.recv_timeout(patience.saturating_sub(since.elapsed())) {
                Ok((index, done)) => {
                    waiting.insert(index, done);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let begun = turns.lock().begun;
                    tell(Told::Waiting(told..begun));
                    since = Instant::now();
                    continue;
                }
            }
            while let Some(done) = waiting.remove(&told) {
                tell(Told::Done(told, done));
                told += 1;
                since = Instant::now();
            }
            turns.change(|turn| turn.told = told);
        }
    });
    turns.lock().told
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn told(count: usize, jobs: usize, interrupt: &Interrupt, work: impl Fn(usize) -> usize + Sync) -> Vec<usize> {
        let mut told = Vec::new();
        let begun = run(
            count,
            jobs,
            interrupt,
            || &work,
            LONG,
            |one| match one {
                Told::Done(index, done) => {
                    assert_eq!(index, told.len(), "in order");
                    told.push(done);
                }
                Told::Waiting(_) => {}
            },
        );
        assert_eq!(begun, told.len());
        told
    }

    #[test]
    fn all_are_told_in_order() {
        for (count, jobs) in [(0, 1), (1, 4), (500, 1), (500, 3)] {
            let expected: Vec<usize> = (0..count).map(|index| index * 2).collect();
            assert_eq!(told(count, jobs, &Interrupt::default(), |index| index * 2), expected, "{count} {jobs}");
        }
    }

    #[test]
    fn nobody_runs_far_ahead_of_one_that_takes_long() {
        let (begun, far) = (AtomicUsize::new(0), AtomicUsize::new(0));
        told(1_000, 2, &Interrupt::default(), |index| {
            begun.fetch_add(1, Ordering::SeqCst);
            if index == 0 {
                std::thread::sleep(Duration::from_millis(200));
                far.store(begun.load(Ordering::SeqCst), Ordering::SeqCst);
            }
            index
        });
        assert!((2..=2 * AHEAD).contains(&far.load(Ordering::SeqCst)), "{far:?} were begun meanwhile");
    }

    #[test]
    fn an_end_that_is_asked_for_keeps_what_was_begun() {
        let interrupt = Interrupt::default();
        let told = told(1_000, 2, &interrupt, |index| {
            if index == 10 {
                interrupt.ask();
            }
            index
        });
        assert!((11..=12).contains(&told.len()), "{} told", told.len());
    }

    #[test]
    fn what_takes_long_is_told_while_it_does() {
        let mut waited = Vec::new();
        let work = |index: usize| std::thread::sleep(Duration::from_millis(if index == 1 { 200 } else { 0 }));
        run(
            3,
            1,
            &Interrupt::default(),
            || work,
            Duration::from_millis(40),
            |one| {
                if let Told::Waiting(range) = one {
                    waited.push(range);
                }
            },
        );
        assert!(waited.contains(&(1..2)), "{waited:?}");
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_worker_that_dies_leaves_nobody_waiting() {
        told(1_000, 2, &Interrupt::default(), |index| {
            assert!(index != 3, "it dies");
            index
        });
    }
}
