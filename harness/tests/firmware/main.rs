//! The reference firmware on its emulated chip: what it keeps, shows, measures of itself, and how it dies.
//!
//! Needs QEMU and the firmware; without them the trials are ignored, with the reason.

mod bench;
mod crash;
mod keeping;
mod limits;
mod panel;

use std::path::Path;
use std::process::ExitCode;

use bench::{Bench, Result};
use flagfall::rig::board::Image;
use flagfall_vboard::{EmulatorOptions, STM32F405};
use libtest_mimic::{Arguments, Failed, Trial};

const F405: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/firmware/flagfall-f405.elf");

type Check = fn(Bench) -> Result<()>;

const CHECKS: &[(&str, Check)] = &[
    ("every_record_is_shown_and_digits_run_off", panel::every_record_is_shown_and_digits_run_off),
    ("a_panel_that_cannot_send_loses_lines_and_holds_nothing_up", panel::a_panel_that_cannot_send_holds_nothing_up),
    ("tenths_run_off_in_tenths", panel::tenths_run_off_in_tenths),
    ("a_short_gap_of_the_supply_leaves_the_clock_paused", keeping::a_short_gap_leaves_the_clock_paused),
    ("a_reset_in_the_middle_of_a_press_loses_no_game", keeping::a_reset_in_the_middle_of_a_press_loses_no_game),
    ("without_power_everything_is_forgotten", keeping::without_power_everything_is_forgotten),
    ("settings_outlive_a_game_that_is_lost", keeping::settings_outlive_a_game_that_is_lost),
    ("presses_on_both_sides_of_the_wrap_are_a_moment_apart", limits::presses_on_both_sides_of_the_wrap),
    ("a_press_is_handled_within_its_bound", limits::a_press_is_handled_within_its_bound),
    ("the_stack_is_measured_and_has_room_left", limits::the_stack_is_measured_and_has_room_left),
    ("a_panic_leaves_its_text_over_a_reset", crash::a_panic_leaves_its_text_over_a_reset),
    ("a_fault_leaves_its_registers", crash::a_fault_leaves_its_registers),
    ("a_stack_overflow_ends_at_the_guard", crash::a_stack_overflow_ends_at_the_guard),
];

fn main() -> ExitCode {
    let image = Image::read(Path::new(F405)).err().map(|error| error.to_string());
    let qemu = EmulatorOptions::default().program().err().map(|error| error.to_string());
    let lacking = qemu.or(image);
    let trials = CHECKS.iter().map(|(name, check)| {
        let run = || -> std::result::Result<(), Failed> {
            let bench = Bench::power_on(&STM32F405, F405).map_err(|error| error.to_string())?;
            Ok(check(bench).map_err(|error| error.to_string())?)
        };
        let trial = Trial::test(format!("virtual_board::firmware::{name}"), run);
        match &lacking {
            Some(reason) => trial.with_kind(reason.as_str()).with_ignored_flag(true),
            None => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
