//! The emulated board behind the Black Magic server, and what is left of all emulators when something is killed.
//!
//! `virtual_board::black_magic::FAMILY/NAME`: a case of every family is run through probe-rs's own driver of that probe,
//! with no code of ours in the client, and must tell the same story as through the plugin driver.
//! `virtual_board::driver::FAMILY/NAME`: the same case with every button pressed by a second emulated board.
//! `virtual_board::live::FAMILY/NAME`: a short case in real time on a board that is never stopped. The others are
//! about the command `vboard serve`, its clients, and processes that end before their time. Without QEMU or the firmware the
//! trials are ignored, with the reason as their kind.

mod clients;
mod cross_check;
mod killed;
mod left_over;
mod process;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flagfall::rig::board::{Board, Description};
use libtest_mimic::{Arguments, Failed, Trial};

type Check = fn() -> Result<(), Failed>;

const CHECKS: [(&str, Check); 12] = [
    ("a_run_through_the_served_board_is_like_any_other", clients::a_run_through_the_served_board_is_like_any_other),
    ("the_next_client_is_let_in_when_the_first_leaves", clients::the_next_client_is_let_in_when_the_first_leaves),
    ("whoever_waits_too_long_is_told", clients::whoever_waits_too_long_is_told),
    ("a_browser_is_sent_away_and_hurts_nobody", clients::a_browser_is_sent_away_and_hurts_nobody),
    ("a_board_that_dies_is_on_again_for_the_next", clients::a_board_that_dies_is_on_again_for_the_next),
    ("nobody_is_served_over_the_network", clients::nobody_is_served_over_the_network),
    ("a_server_that_is_asked_to_end_leaves_nothing", killed::a_server_that_is_asked_to_end_leaves_nothing),
    ("a_server_that_is_killed_leaves_nothing", killed::a_server_that_is_killed_leaves_nothing),
    ("a_run_that_is_killed_leaves_no_emulator", killed::a_run_that_is_killed_leaves_no_emulator),
    ("an_emulator_that_is_killed_is_started_anew", killed::an_emulator_that_is_killed_is_started_anew),
    ("a_full_disk_leaves_whole_results_or_none", killed::a_full_disk_leaves_whole_results_or_none),
    ("fifty_boards_leave_nothing", left_over::fifty_boards_leave_nothing),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    std::env::set_current_dir(root()).expect("the repository is where it was built");
    let description = emulated();
    let lacking = Board::lacking(&description);
    let mut trials: Vec<Trial> = CHECKS
        .into_iter()
        .map(|(name, check)| Trial::test(format!("virtual_board::served::{name}"), check))
        .chain(cross_check::trials(&description))
        .collect();
    if let Some(reason) = lacking {
        trials = trials.into_iter().map(|trial| trial.with_kind(&reason).with_ignored_flag(true)).collect();
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn emulated() -> Description {
    Description::read(Path::new("boards/virtual-f405.yaml")).expect("the board file is right")
}
