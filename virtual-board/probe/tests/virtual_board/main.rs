//! probe-rs, unmodified, against the emulated board: what a probe does with a board must work here in the same words.
//!
//! Needs `qemu-system-arm`; without it the trials are ignored, with the reason.

mod bench;
mod core;
mod elf;
mod image;

use flagfall_vboard::{Emulator, EmulatorOptions, LaunchError};
use libtest_mimic::{Arguments, Completion, Failed, Trial};

type Check = fn() -> Result<(), Failed>;

const CHECKS: &[(&str, Check)] = &[
    ("attach_finds_the_core_held_at_reset", core::attach_finds_the_core_held_at_reset),
    ("attach_under_reset_stops_at_the_first_instruction", core::attach_under_reset_stops_at_the_first_instruction),
    ("halt_and_run", core::halt_and_run),
    (
        "a_second_session_finds_the_board_as_the_first_left_it",
        core::a_second_session_finds_the_board_as_the_first_left_it,
    ),
    ("core_registers_are_read_and_written", core::core_registers_are_read_and_written),
    ("a_step_executes_one_instruction", core::a_step_executes_one_instruction),
    (
        "steps_and_halts_come_through_a_wait_for_an_interrupt",
        core::steps_and_halts_come_through_a_wait_for_an_interrupt,
    ),
    ("a_breakpoint_stops_before_its_instruction", core::a_breakpoint_stops_before_its_instruction),
    ("breakpoints_are_set_and_cleared_while_the_core_runs", core::breakpoints_are_set_and_cleared_while_the_core_runs),
    ("all_breakpoint_units_work_and_there_is_no_seventh", core::all_breakpoint_units_work_and_there_is_no_seventh),
    ("reset_starts_the_program_anew", core::reset_starts_the_program_anew),
    ("a_fault_is_caught_at_its_vector", core::a_fault_is_caught_at_its_vector),
    ("a_handler_shared_with_a_fault_is_not_taken_for_it", core::a_handler_shared_with_a_fault_is_not_taken_for_it),
];

fn main() {
    let missing = missing_qemu();
    let trials = CHECKS.iter().map(|(name, check)| trial(name, *check, missing.as_deref())).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(name: &str, check: Check, missing: Option<&str>) -> Trial {
    let name = format!("virtual_board::probe::{name}");
    match missing.map(str::to_owned) {
        None => Trial::test(name, check),
        Some(reason) => Trial::ignorable_test(name, move || Ok(Completion::ignored_with(&reason)))
            .with_kind("no QEMU")
            .with_ignored_flag(true),
    }
}

/// Why nothing can be tried here, if QEMU is not installed. Any other failure to start is for the trials to report.
fn missing_qemu() -> Option<String> {
    match Emulator::launch(&EmulatorOptions::default()) {
        Err(missing @ LaunchError::QemuMissing { .. }) => Some(missing.to_string()),
        _ => None,
    }
}
