//! Every scenario of the repository on every rig that can run it, as a test of its own: `sim::family/name`,
//! `virtual_board::family/name`, some of them in jumped time as `virtual_board::jumped::family/name`,
//! `virtual_l475::family/name`, the same with `virtual_l475::pulls::` where the pins' own resistors are turned round, and
//! `board::family/name` on the boards whose files `FLAGFALL_BOARD` names.
//!
//! Several boards are separated by commas and all alike: the runner's group `board` has as many slots, and each slot has
//! its board. Whoever has none sees the trials of the board ignored, with the reason.
//!
//! Which scenarios an emulated board can run is derived from what its file says. Without QEMU or without the firmware the
//! trials of the board are ignored, with the reason as their kind; `scripts/test` does not accept that.

#[path = "trials/jumped.rs"]
mod jumped;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use flagfall::case::{Case, Judged, TOO_COARSE};
use flagfall::held::Held;
use flagfall::inputs;
use flagfall::interrupt::Interrupt;
use flagfall::lease::LeaseError;
use flagfall::rig::board::description::today;
use flagfall::rig::board::{self, Board, Description, Stimulus};
use flagfall::rig::sim;
use flagfall_judge::rulebook::Rulebook;
use flagfall_trace::{Check, Verdict};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // Paths in board files and scenarios are relative to the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::env::set_current_dir(&root).expect("the repository is where it was built");
    let sources = inputs::sources(&[PathBuf::from(inputs::CASES)]).expect("the repository has scenarios");
    let rulebooks = Arc::new(inputs::rulebooks(&[]).expect("built-in rulebooks"));
    let emulated = Emulated::all();
    let bench = RealBench::named();
    let mut trials = Vec::new();
    let in_the_way: Vec<String> = sources.errors.iter().map(ToString::to_string).collect();
    assert!(in_the_way.is_empty(), "{}", in_the_way.join("\n"));
    for source in sources.sources {
        let id = source.id().to_owned();
        match Case::read(&source, &rulebooks) {
            Ok(case) => {
                let case = Arc::new(case);
                trials.push(in_virtual_time(case.clone(), &rulebooks));
                trials.extend(emulated.iter().filter_map(|board| board.trial(&case, &rulebooks)));
                let jumped = jumped::trial(&case, &emulated[0].description, &rulebooks);
                trials.extend(jumped.map(|trial| emulated[0].if_it_is_here(trial)));
                trials.extend(bench.trial(case, &rulebooks));
            }
            Err(diagnostics) => {
                let text = diagnostics.render(false);
                trials.push(Trial::test(format!("sim::{id}"), move || Err(Failed::from(text))));
            }
        }
    }
    trials.push(emulated[0].if_it_is_here(jumped::two_hours(&emulated[0].description, &rulebooks)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn in_virtual_time(case: Arc<Case>, under: &Arc<Vec<Rulebook>>) -> Trial {
    let (name, under) = (format!("sim::{}", case.scenario.id), under.clone());
    Trial::test(name, move || passes(case.judge(sim::NAME, sim::run(&case.plan), &under)))
}

/// A board that is there wherever QEMU and its firmware are.
struct Emulated {
    rig: &'static str,
    description: Description,
    /// What this machine lacks for it.
    missing: Option<String>,
}

/// GPIOA_PUPDR of the STM32L475 (RM0351 section 8.5.4).
const PULLS: Stimulus = Stimulus::Pulls { register: 0x4800_000C };

impl Emulated {
    fn all() -> [Self; 4] {
        let read = |file: &str| Description::read(Path::new(file)).expect("the board file is right");
        let (f405, l475) = (read("boards/virtual-f405.yaml"), read("boards/virtual-l475.yaml"));
        let pulled = Description { stimulus: PULLS, ..l475.clone() };
        let armed = read("boards/virtual-l475-armed.yaml");
        [
            ("virtual_board", f405),
            ("virtual_l475", l475),
            ("virtual_l475::pulls", pulled),
            ("virtual_l475::armed", armed),
        ]
        .map(|(rig, description)| Self { rig, missing: Board::lacking(&description), description })
    }

    /// The case on this board, if it can run there.
    fn trial(&self, case: &Arc<Case>, under: &Arc<Vec<Rulebook>>) -> Option<Trial> {
        board::not_applicable(&self.description, &case.plan).is_none().then(|| {
            let (description, case, under) = (self.description.clone(), case.clone(), under.clone());
            let name = format!("{}::{}", self.rig, case.scenario.id);
            self.if_it_is_here(Trial::test(name, move || on_board(&case, description, &under)))
        })
    }

    /// The trial, ignored with the reason where this machine lacks something for the board.
    fn if_it_is_here(&self, trial: Trial) -> Trial {
        match &self.missing {
            Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
            None => trial,
        }
    }
}

/// The boards that the environment names.
struct RealBench(Vec<Description>);

const BOARDS: &str = "FLAGFALL_BOARD";

/// How long a trial waits for a probe that somebody else has.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

impl RealBench {
    fn named() -> Self {
        let files = std::env::var(BOARDS).unwrap_or_default();
        let read = |file: &str| Description::read(Path::new(file)).unwrap_or_else(|error| panic!("{BOARDS}: {error}"));
        Self(files.split(',').filter(|file| !file.is_empty()).map(read).collect())
    }

    /// The board of the slot in which the runner has put this process; the first without a runner.
    fn board(&self) -> Description {
        let slot = std::env::var("NEXTEST_TEST_GROUP_SLOT").ok().and_then(|slot| slot.parse::<usize>().ok());
        self.0[slot.unwrap_or(0) % self.0.len()].clone()
    }

    fn trial(&self, case: Arc<Case>, rulebooks: &Arc<Vec<Rulebook>>) -> Option<Trial> {
        let name = format!("board::{}", case.scenario.id);
        let Some(first) = self.0.first() else {
            let nobody = || Err(Failed::from(format!("name the file of a board with {BOARDS}")));
            return Some(Trial::test(name, nobody).with_kind(format!("{BOARDS} is not set")).with_ignored_flag(true));
        };
        if let Some(quarantine) = first.quarantine.as_ref().filter(|quarantine| quarantine.holds_on(today())) {
            let reason = format!("{} is in quarantine: {quarantine}", first.board);
            let refused = reason.clone();
            let trial = Trial::test(name, move || Err(Failed::from(refused)));
            return Some(trial.with_kind(reason).with_ignored_flag(true));
        }
        board::not_applicable(first, &case.plan).is_none().then(|| {
            let (description, under) = (self.board(), rulebooks.clone());
            Trial::test(name, move || {
                let told = |error: &LeaseError| println!("waiting: {error}");
                let _held = Held::take(&description, PATIENCE, &Interrupt::default(), told)?;
                on_board(&case, description, &under)
            })
        })
    }
}

fn on_board(case: &Case, description: Description, under: &[Rulebook]) -> Result<(), Failed> {
    let rig = description.probe.rig_name().to_owned();
    let outcome = Board::new(description).run(&case.plan);
    let judged = case.judge(&rig, outcome, under);
    // Only the run tells that a limit lies nearer to an instant than the bench came; any other reason not to be
    // applicable was to be known before.
    let too_coarse = judged.record.reason.as_ref().is_some_and(|reason| reason.ends_with(TOO_COARSE));
    if judged.record.verdict == Verdict::NotApplicable && too_coarse { Ok(()) } else { passes(judged) }
}

fn passes(judged: Judged) -> Result<(), Failed> {
    let record = judged.record;
    for check in &record.checks {
        println!("{:<14} {}: {} (expected {})", check.verdict.name(), check.what, check.found, check.expected);
    }
    if record.verdict == Verdict::Pass {
        return Ok(());
    }
    let wrong = record.checks.iter().filter(|check| check.verdict != Verdict::Pass);
    let lines: Vec<String> = wrong
        .map(|check| {
            let Check { verdict, what, expected, found, .. } = check;
            format!("{verdict}: {what}\n  expected: {expected}\n  found:    {found}")
        })
        .collect();
    Err(Failed::from(format!("{}: {}\n{}", record.scenario, record.title, lines.join("\n"))))
}
