//! `flagfall measure` and `flagfall baseline`, with the program as somebody at a bench has it.
//!
//! Trials on the emulated board are ignored without QEMU or the firmware, with the reason as their kind.

mod baselines;
mod measuring;
mod phases;
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
    ("virtual_l475::latency::a_latency_within_a_tick_shows_in_its_mean", phases::a_latency_within_a_tick_shows),
    ("virtual_board::measure::a_folder_is_replaced_as_a_whole", measuring::folders),
];

fn main() -> ExitCode {
    let lacking = |board: &str| Board::lacking(&Description::read(Path::new(board)).expect("the board file is right"));
    let (no_f405, no_l475) = (lacking(program::BOARD), lacking(phases::L475));
    let trials = TRIALS.iter().map(|(name, run)| {
        let trial = Trial::test(*name, move || run().map_err(Failed::from));
        let lacking = match name {
            name if name.starts_with("virtual_board::") => no_f405.as_ref(),
            name if name.starts_with("virtual_l475::") => no_l475.as_ref().or(no_f405.as_ref()),
            _ => None,
        };
        match lacking {
            Some(reason) => trial.with_kind(reason.as_str()).with_ignored_flag(true),
            None => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
