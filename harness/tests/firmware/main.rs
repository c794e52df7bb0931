//! The reference firmware on its emulated chips: what it keeps, shows, measures of itself, and how it dies.
//!
//! Needs QEMU and the firmware; without them the trials are ignored, with the reason.

mod bench;
mod crash;
mod keeping;
mod l475;
mod limits;
mod panel;
mod phase;

use std::path::Path;
use std::process::ExitCode;

use bench::{Bench, Result};
use flagfall::rig::board::Image;
use flagfall_vboard::{Board, EmulatorOptions, STM32F405, STM32L475};
use libtest_mimic::{Arguments, Failed, Trial};

const F405: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/firmware/flagfall-f405.elf");
const L475: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/firmware/flagfall-l475.elf");

type Check = fn(Bench) -> Result<()>;

const ON_F405: &[(&str, Check)] = &[
    ("every_record_is_shown_and_digits_run_off", panel::every_record_is_shown_and_digits_run_off),
    ("a_panel_that_cannot_send_loses_lines_and_holds_nothing_up", panel::a_panel_that_cannot_send_holds_nothing_up),
    ("a_press_says_when_its_line_has_gone_out", panel::a_press_says_when_its_line_has_gone_out),
    ("a_press_that_is_shown_late_says_so", panel::a_press_that_is_shown_late_says_so),
    ("tenths_run_off_in_tenths", panel::tenths_run_off_in_tenths),
    ("a_short_gap_of_the_supply_leaves_the_clock_paused", keeping::a_short_gap_leaves_the_clock_paused),
    ("a_reset_in_the_middle_of_a_press_loses_no_game", keeping::a_reset_in_the_middle_of_a_press_loses_no_game),
    ("without_power_everything_is_forgotten", keeping::without_power_everything_is_forgotten),
    ("settings_outlive_a_game_that_is_lost", keeping::settings_outlive_a_game_that_is_lost),
    ("presses_on_both_sides_of_the_wrap_are_a_moment_apart", limits::presses_on_both_sides_of_the_wrap),
    ("a_counter_that_goes_back_is_told_and_held", limits::a_counter_that_goes_back_is_told_and_held),
    ("a_press_is_handled_within_its_bound", limits::a_press_is_handled_within_its_bound),
    ("a_microsecond_has_parts_too", phase::a_microsecond_has_parts_too),
    ("the_stack_is_measured_and_has_room_left", limits::the_stack_is_measured_and_has_room_left),
    ("a_panic_leaves_its_text_over_a_reset", crash::a_panic_leaves_its_text_over_a_reset),
    ("a_fault_leaves_its_registers", crash::a_fault_leaves_its_registers),
    ("a_stack_overflow_ends_at_the_guard", crash::a_stack_overflow_ends_at_the_guard),
];

const ON_L475: &[(&str, Check)] = &[
    ("a_press_is_stamped_in_its_millisecond", l475::a_press_is_stamped_in_its_millisecond),
    ("a_press_says_when_its_line_has_gone_out", panel::a_press_says_when_its_line_has_gone_out),
    (
        "a_stop_comes_in_the_part_of_a_tick_that_is_asked_for",
        phase::a_stop_comes_in_the_part_of_a_tick_that_is_asked_for,
    ),
    ("a_latency_shorter_than_a_tick_shows_in_its_mean", phase::a_latency_shorter_than_a_tick_shows_in_its_mean),
    ("a_stop_costs_no_time", l475::a_stop_costs_no_time),
    ("a_pull_that_is_turned_round_is_a_press", l475::a_pull_that_is_turned_round_is_a_press),
    ("armed_edges_are_made_in_their_ticks", l475::armed_edges_are_made_in_their_ticks),
    ("what_cannot_be_armed_is_refused", l475::what_cannot_be_armed_is_refused),
    ("without_its_interrupt_time_stands_still", l475::without_its_interrupt_time_stands_still),
    ("a_short_gap_of_the_supply_leaves_the_clock_paused", l475::a_short_gap_leaves_the_clock_paused),
    ("the_stack_has_room_left", l475::the_stack_has_room_left),
    ("a_panic_leaves_its_text_over_a_reset", crash::a_panic_leaves_its_text_over_a_reset),
    ("a_fault_leaves_its_registers", crash::a_fault_leaves_its_registers),
    ("a_stack_overflow_ends_at_the_guard", crash::a_stack_overflow_ends_at_the_guard),
];

fn main() -> ExitCode {
    let qemu = EmulatorOptions::default().program().err().map(|error| error.to_string());
    let mut trials = on("virtual_board", &STM32F405, F405, ON_F405, qemu.as_deref());
    trials.extend(on("virtual_l475", &STM32L475, L475, ON_L475, qemu.as_deref()));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The checks on one chip; ignored with the reason if there is no QEMU or no firmware for it.
fn on(rig: &str, board: &'static Board, elf: &'static str, checks: &[(&str, Check)], qemu: Option<&str>) -> Vec<Trial> {
    let image = Image::read(Path::new(elf)).err().map(|error| error.to_string());
    let lacking = qemu.or(image.as_deref());
    let trial = |(name, check): &(&str, Check)| {
        let check = *check;
        let run = move || -> std::result::Result<(), Failed> {
            let bench = Bench::power_on(board, elf).map_err(|error| error.to_string())?;
            Ok(check(bench).map_err(|error| error.to_string())?)
        };
        let trial = Trial::test(format!("{rig}::firmware::{name}"), run);
        match lacking {
            Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
            None => trial,
        }
    };
    checks.iter().map(trial).collect()
}
