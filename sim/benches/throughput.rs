//! How fast is virtual time? One game on our queue, on nexosim, and what a bare heap could do at best.
//!
//! `cargo bench -p flagfall-sim --bench throughput`
//!
//! Both arms drive the same clock (`flagfall_core::Clock`) on the same oscillator through the same plan, keep what the
//! clock says as the same records, and end with the same trace, whose hash has to be equal. Everything is on one thread.
//!
//! - A **step** is one event that an engine takes from its queue and hands to the clock: the start, a press, the last
//!   look, or an alarm that rings. After each step the alarm for the running side's flag is set anew, which takes the
//!   place of the one before; alarms that were overtaken are work, but no steps.
//! - **ours** is `flagfall_sim::run` as every scenario is run, from the plan to the trace, queueing the plan included.
//! - **nexosim** gets the form that suits it best: a single model, no messages between models, each step schedules the
//!   next one, so that few events wait; an overtaken alarm is cancelled by its key. Building the simulation is not
//!   counted, copying the plan into the trace is, as on ours.
//! - **bare heap** is `BinaryHeap<Reverse<(time, sequence)>>` with the same instants: the next step and an alarm are
//!   pushed, one of them is popped, and there is no clock at all. No engine around a heap comes near it.
//!
//! Hashing is outside the measured time. Rounds are interleaved and the best of each arm counts, after one round to
//! warm up: what else the machine does makes rounds slower, never faster. The exit code is non-zero only if the hashes
//! differ.

#[path = "throughput/game.rs"]
mod game;
#[path = "throughput/nexosim_arm.rs"]
mod nexosim_arm;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use flagfall_core::TrueTime;
use flagfall_sim::Budget;
use flagfall_trace::{Plan, Trace};

/// Presses of the game: 300 moves of each side.
const PRESSES: usize = 600;

/// How often an arm plays the game in a round.
const GAMES: u32 = 40;

/// Rounds that count.
const ROUNDS: u32 = 15;

fn main() -> ExitCode {
    // `cargo test --benches` asks for a short look, `cargo bench` for figures.
    let measures = std::env::args().any(|argument| argument == "--bench");
    let (games, rounds) = if measures { (GAMES, ROUNDS) } else { (1, 1) };
    let plan = game::plan(PRESSES);
    let mut best = Best::default();
    let mut traces = None;
    for round in 0..=rounds {
        let [mut our_time, mut their_time] = [Duration::ZERO; 2];
        for _ in 0..games {
            let (ours, time) = ours(&plan);
            our_time += time;
            let (theirs, time) = nexosim_arm::run(&plan);
            their_time += time;
            traces = Some((ours, theirs));
        }
        let heap_time = (0..games).map(|_| bare_heap(&plan)).sum();
        if round > 0 {
            best.take(our_time, their_time, heap_time);
        }
    }
    let Some((ours, theirs)) = traces else { return ExitCode::FAILURE };
    let steps = game::steps(&ours) * games as usize;
    println!("{games} games of {PRESSES} presses, {steps} steps in all, best of {rounds} rounds");
    println!("ours       {:>12} steps/s", per_second(steps, best.ours));
    println!("nexosim    {:>12} steps/s", per_second(steps, best.nexosim));
    println!("bare heap  {:>12} steps/s", per_second(steps, best.heap));
    println!("ratio      {:>12.2}", best.nexosim.as_secs_f64() / best.ours.as_secs_f64());
    if ours.hash() == theirs.hash() {
        println!("hash       {} on both", ours.hash());
        ExitCode::SUCCESS
    } else {
        eprintln!("the engines disagree: {} on ours, {} on nexosim", ours.hash(), theirs.hash());
        ExitCode::FAILURE
    }
}

struct Best {
    ours: Duration,
    nexosim: Duration,
    heap: Duration,
}

impl Default for Best {
    fn default() -> Self {
        Self { ours: Duration::MAX, nexosim: Duration::MAX, heap: Duration::MAX }
    }
}

impl Best {
    fn take(&mut self, ours: Duration, nexosim: Duration, heap: Duration) {
        self.ours = self.ours.min(ours);
        self.nexosim = self.nexosim.min(nexosim);
        self.heap = self.heap.min(heap);
    }
}

fn per_second(steps: usize, time: Duration) -> u128 {
    steps as u128 * 1_000_000_000 / time.as_nanos().max(1)
}

fn ours(plan: &Plan) -> (Trace, Duration) {
    let begin = Instant::now();
    let trace = flagfall_sim::run(black_box(plan), &Budget::default()).expect("the game is within the budget");
    (trace, begin.elapsed())
}

fn bare_heap(plan: &Plan) -> Duration {
    let begin = Instant::now();
    let mut heap: BinaryHeap<Reverse<(TrueTime, u64)>> = BinaryHeap::new();
    let mut sequence = 0;
    for step in &plan.steps {
        // The alarm lies after the end, as a flag mostly does, and takes the place of the one before.
        heap.clear();
        heap.push(Reverse((plan.end, sequence)));
        heap.push(Reverse((step.at, sequence + 1)));
        sequence += 2;
        black_box(heap.pop());
    }
    begin.elapsed()
}
