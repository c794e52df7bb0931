//! What can be wrong around a board, and whom it is blamed on: the bench, the clock, or nobody.
//!
//! The trials run the real firmware on the emulated board with one thing wrong: in the board file ([`board_file`]), on
//! the wire between probe-rs and the board ([`branches`]) or on that of its display ([`panel`]), at any access of a run
//! ([`sweep`]); what is told of flashing ([`flashing`]); and what the bench makes of it is tried again ([`retries`]). Without QEMU or the firmware they are ignored,
//! with the reason as their kind.

mod board_file;
mod branches;
mod flashing;
mod panel;
mod retries;
mod stored;
mod sweep;
mod wire;

use std::path::Path;
use std::process::ExitCode;

use flagfall::case::Case;
use flagfall::rig::board::{Board, Description, Probe};
use flagfall_trace::RunRecord;
use flagfall_vboard::{Emulator, EmulatorOptions, SerialUse};
use libtest_mimic::{Arguments, Failed, Trial};

use wire::Wire;

const SCENARIO: &str = r#"
scenario: White presses and Black presses
points: [B1]
control: 5m
timeline:
  - {at: 0s, start: white}
  - {at: +7s, move: {side: white, san: e4, press: same-hand}}
  - {at: +5s, move: {side: black, san: e5, press: same-hand}}
expect: [{running: white}]
"#;

/// A trial, given the board that is right.
type Run = fn(Description) -> Result<(), Failed>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let board = Description::read(&root.join("boards/virtual-f405.yaml")).expect("the board file is right");
    let lacking = Board::lacking(&board);
    let trial = |name: String, run: Run| {
        let board = board.clone();
        Trial::test(name, move || run(board))
    };
    let on_the_board = board_file::ON_THE_BOARD
        .iter()
        .chain(branches::ALL)
        .chain(panel::ALL)
        .chain(flashing::ALL)
        .chain(sweep::ALL)
        .chain(retries::ALL);
    let mut trials: Vec<Trial> = on_the_board
        .map(|(name, run)| {
            let trial = trial(format!("virtual_board::failures::{name}"), *run);
            match &lacking {
                Some(reason) => trial.with_kind(reason.as_str()).with_ignored_flag(true),
                None => trial,
            }
        })
        .collect();
    trials.extend(board_file::WITHOUT.iter().map(|(name, run)| trial(format!("board::failures::{name}"), *run)));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn case() -> Case {
    let scenario = flagfall_scenarios::read_str("two-presses.yaml", "test/two-presses", SCENARIO);
    Case::prepare(scenario.expect("it is right")).expect("it resolves")
}

fn run(board: Description) -> RunRecord {
    let case = case();
    let rig = board.probe.rig_name().to_owned();
    case.judge(&rig, Board::new(board).run(&case.plan), &[]).record
}

/// An emulated board behind the driver that fails on purpose.
struct Wired {
    wire: Wire,
    emulator: Emulator,
    description: Description,
}

impl Wired {
    fn start(board: Description) -> Result<Wired, Failed> {
        let kernel = board.firmware.clone();
        Wired::with(board, &kernel)
    }

    /// With another program in flash than the board file has.
    fn with(board: Description, kernel: &Path) -> Result<Wired, Failed> {
        Wired::sending_to(board, kernel, SerialUse::Lost)
    }

    fn sending_to(board: Description, kernel: &Path, serial: SerialUse) -> Result<Wired, Failed> {
        let Probe::Emulator { machine, icount_shift, .. } = board.probe else { return Err("it is emulated".into()) };
        let kernel = Some(kernel.to_owned());
        let options = EmulatorOptions { board: machine, kernel, icount_shift, serial, ..EmulatorOptions::default() };
        let (wire, emulator) = (Wire::take(), Emulator::launch(&options)?);
        let description = Description { probe: Probe::Selector(wire.selector(&emulator)), ..board };
        Ok(Wired { wire, emulator, description })
    }

    /// How many accesses it takes to open the board.
    fn accesses_of_opening(&self) -> Result<u64, Failed> {
        self.undisturbed(|| Ok(Board::new(self.description.clone()).open()?))
    }

    /// An access in the middle of a run, when the board is open, set up and at work.
    fn middle_of_a_run(&self) -> Result<u64, Failed> {
        let opening = self.accesses_of_opening()?;
        Ok(opening + (self.accesses_of_a_run()? - opening) * 3 / 4)
    }

    /// How many accesses a run takes from opening the board to the verdict.
    fn accesses_of_a_run(&self) -> Result<u64, Failed> {
        self.undisturbed(|| {
            let mut board = Board::new(self.description.clone());
            match board.run(&case().plan) {
                flagfall::rig::Outcome::Ran { .. } => Ok(()),
                outcome => Err(format!("{outcome:?}").into()),
            }
        })
    }

    /// How many accesses it takes when nothing is wrong. On a busy machine something may be: then it is tried again.
    fn undisturbed(&self, work: impl Fn() -> Result<(), Failed>) -> Result<u64, Failed> {
        let mut tries = 0;
        loop {
            self.wire.set(0, wire::Mischief::None);
            match work() {
                Ok(()) => return Ok(self.wire.accesses()),
                Err(error) if tries == 2 => return Err(error),
                Err(_) => tries += 1,
            }
        }
    }
}
