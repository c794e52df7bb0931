//! `flagfall measure` and `flagfall baseline`, with the program as somebody at a bench has it.
//!
//! Trials on the emulated board are ignored without QEMU or the firmware, with the reason as their kind.

mod baselines;
mod measuring;
mod program;

use std::path::Path;
use std::process::ExitCode;

use flagfall::rig::board::{Board, Description};
use libtest_mimic::{Arguments, Failed, Trial};

type Run = fn() -> Result<(), String>;

const TRIALS: &[(&str, Run)] = &[
    ("measure::a_board_that_says_too_little_is_refused", measuring::a_board_that_says_too_little),
    ("measure::what_cannot_be_meant_is_wrong_usage", measuring::wrong_usage),
    ("baseline::virtual_time_measures_like_its_baseline", baselines::virtual_time),
    ("baseline::a_clock_that_rounds_at_each_switch_is_found", baselines::rounding),
    ("baseline::what_cannot_be_compared_is_told", baselines::incomparable),
    ("virtual_board::baseline::the_board_measures_like_its_baseline", baselines::the_board),
    ("virtual_board::measure::a_right_prescaler_is_exact", measuring::a_right_prescaler),
    ("virtual_board::measure::a_count_off_is_its_exact_rate", measuring::a_count_off),
    ("virtual_board::measure::a_limit_is_decided_on_the_whole_interval", measuring::limits),
    ("virtual_board::measure::what_was_measured_before_an_interrupt_is_kept", measuring::interrupted),
    ("virtual_board::measure::a_folder_is_replaced_as_a_whole", measuring::folders),
];

fn main() -> ExitCode {
    let description = Description::read(Path::new(program::BOARD)).expect("the board file is right");
    let lacking = Board::lacking(&description);
    let trials = TRIALS.iter().map(|(name, run)| {
        let trial = Trial::test(*name, move || run().map_err(Failed::from));
        match &lacking {
            Some(reason) if name.starts_with("virtual_board::") => {
                trial.with_kind(reason.as_str()).with_ignored_flag(true)
            }
            _ => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
