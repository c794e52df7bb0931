//! probe-rs, unmodified, against the emulated board: what a probe does with a board must work here in the same words.
//!
//! Needs `qemu-system-arm`; without it the trials are ignored, with the reason.

mod bench;
mod core;
mod elf;
mod failures;
mod flash;
mod image;
mod memory;
mod pins;
mod time;

use flagfall_vboard::EmulatorOptions;
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
    ("a_halt_may_race_with_a_breakpoint", core::a_halt_may_race_with_a_breakpoint),
    ("core_registers_are_read_and_written", core::core_registers_are_read_and_written),
    ("a_step_executes_one_instruction", core::a_step_executes_one_instruction),
    (
        "steps_and_halts_come_through_a_wait_for_an_interrupt",
        core::steps_and_halts_come_through_a_wait_for_an_interrupt,
    ),
    ("a_sleeping_core_can_be_sent_elsewhere", core::a_sleeping_core_can_be_sent_elsewhere),
    ("a_breakpoint_stops_before_its_instruction", core::a_breakpoint_stops_before_its_instruction),
    ("breakpoints_are_set_and_cleared_while_the_core_runs", core::breakpoints_are_set_and_cleared_while_the_core_runs),
    ("all_breakpoint_units_work_and_there_is_no_seventh", core::all_breakpoint_units_work_and_there_is_no_seventh),
    ("a_watchpoint_stops_after_the_access", core::a_watchpoint_stops_after_the_access),
    ("reset_starts_the_program_anew", core::reset_starts_the_program_anew),
    ("a_fault_is_caught_at_its_vector", core::a_fault_is_caught_at_its_vector),
    ("a_handler_shared_with_a_fault_is_not_taken_for_it", core::a_handler_shared_with_a_fault_is_not_taken_for_it),
    ("bytes_at_any_address", memory::bytes_at_any_address),
    ("halves_and_words_in_long_blocks", memory::halves_and_words_in_long_blocks),
    ("one_byte_or_half_leaves_its_neighbours_alone", memory::one_byte_or_half_leaves_its_neighbours_alone),
    (
        "the_program_sees_what_was_written_and_the_probe_what_it_wrote",
        memory::the_program_sees_what_was_written_and_the_probe_what_it_wrote,
    ),
    (
        "peripherals_and_system_registers_take_their_own_widths",
        memory::peripherals_and_system_registers_take_their_own_widths,
    ),
    ("the_image_that_is_there_is_programmed_and_verified", flash::the_image_that_is_there_is_programmed_and_verified),
    ("another_image_fails_verification", flash::another_image_fails_verification),
    ("the_debugger_writes_flash_in_a_halt_only", flash::the_debugger_writes_flash_in_a_halt_only),
    ("a_rising_edge_reaches_the_handler_once", pins::a_rising_edge_reaches_the_handler_once),
    ("an_edge_while_the_core_runs_or_sleeps_wakes_it", pins::an_edge_while_the_core_runs_or_sleeps_wakes_it),
    ("mask_and_route_hold_an_edge_back", pins::mask_and_route_hold_an_edge_back),
    ("there_are_sixteen_lines_with_two_levels", pins::there_are_sixteen_lines_with_two_levels),
    ("a_pin_has_the_level_of_its_pull_or_of_who_drives_it", pins::a_pin_has_the_level_of_its_pull_or_of_who_drives_it),
    ("a_stop_at_a_breakpoint_costs_no_virtual_time", time::a_stop_at_a_breakpoint_costs_no_virtual_time),
    ("a_step_costs_one_instruction", time::a_step_costs_one_instruction),
    ("virtual_time_stands_still_in_a_halt", time::virtual_time_stands_still_in_a_halt),
    ("the_counter_is_read_while_the_core_runs", time::the_counter_is_read_while_the_core_runs),
    ("a_sleeping_core_costs_next_to_no_host_time", time::a_sleeping_core_costs_next_to_no_host_time),
    ("a_run_repeats_to_the_nanosecond", time::a_run_repeats_to_the_nanosecond),
    ("a_press_at_a_stop_is_stamped_at_once", time::a_press_at_a_stop_is_stamped_at_once),
    ("a_lock_up_is_told_as_what_it_is", failures::a_lock_up_is_told_as_what_it_is),
    ("a_dead_emulator_is_told_with_its_end", failures::a_dead_emulator_is_told_with_its_end),
    ("a_stalled_emulator_cannot_hang_the_client", failures::a_stalled_emulator_cannot_hang_the_client),
    ("a_board_that_is_gone_cannot_be_opened", failures::a_board_that_is_gone_cannot_be_opened),
    (
        "a_selector_of_ours_that_names_no_sockets_says_what_is_wrong",
        failures::a_selector_of_ours_that_names_no_sockets_says_what_is_wrong,
    ),
    ("what_qemu_refuses_is_told_at_launch", failures::what_qemu_refuses_is_told_at_launch),
    ("an_emulator_ends_with_its_owner", failures::an_emulator_ends_with_its_owner),
    ("an_emulator_ends_with_a_launcher_that_is_killed", failures::an_emulator_ends_with_a_launcher_that_is_killed),
    ("a_crash_of_the_program_leaves_the_board_alive", failures::a_crash_of_the_program_leaves_the_board_alive),
];

fn main() {
    if std::env::var_os(failures::LAUNCHER_ROLE).is_some() {
        return failures::be_the_launcher().expect("a launcher that cannot launch makes its trial fail");
    }
    let missing = missing_qemu();
    let trials = CHECKS.iter().map(|(name, check)| trial(name, *check, missing.as_deref())).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(name: &str, check: Check, missing: Option<&str>) -> Trial {
    let name = format!("virtual_board::probe::{name}");
    match missing.map(str::to_owned) {
        None => Trial::test(name, check),
        Some(reason) => Trial::ignorable_test(name, move || Ok(Completion::ignored_with(&reason)))
            .with_kind("qemu-system-arm is not installed")
            .with_ignored_flag(true),
    }
}

/// Why nothing can be tried here, if QEMU is not installed. Any other failure to start is for the trials to report.
fn missing_qemu() -> Option<String> {
    EmulatorOptions::default().program().err().map(|missing| missing.to_string())
}
