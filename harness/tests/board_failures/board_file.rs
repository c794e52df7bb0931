//! One thing wrong in the board file.

use std::path::{Path, PathBuf};

use flagfall::case::Case;
use flagfall::rig::Outcome;
use flagfall::rig::board::{Board, Description, Image, ImageError};
use flagfall_core::TickRate;
use flagfall_trace::{RunRecord, Verdict};
use libtest_mimic::Failed;

use crate::{Run, SCENARIO, case, run};

pub(crate) const ON_THE_BOARD: &[(&str, Run)] = &[
    ("nothing_wrong_passes", nothing_wrong_passes),
    ("a_true_time_that_is_none_is_the_bench", a_true_time_that_is_none_is_the_bench),
    ("a_device_counter_that_is_none_is_the_bench", a_device_counter_that_is_none_is_the_bench),
    ("a_button_on_no_line_is_a_press_not_noticed", a_button_on_no_line_is_a_press_not_noticed),
    ("buttons_the_wrong_way_round_are_found", buttons_the_wrong_way_round_are_found),
    ("a_board_without_true_time_tells_order_and_pins", a_board_without_true_time_tells_order_and_pins),
    ("a_true_time_that_runs_slow_is_found", a_true_time_that_runs_slow_is_found),
];

pub(crate) const WITHOUT: &[(&str, Run)] = &[
    ("without_true_time_no_time_base_is_made_wrong", without_true_time_no_time_base_is_made_wrong),
    ("another_tick_rate_is_not_applicable", another_tick_rate_is_not_applicable),
    ("no_firmware_says_how_to_build_it", no_firmware_says_how_to_build_it),
    ("a_text_is_no_firmware", a_text_is_no_firmware),
    ("another_program_is_no_firmware", another_program_is_no_firmware),
];

/// The record has this verdict, and somewhere these words.
fn expect(record: &RunRecord, verdict: Verdict, words: &str) -> Result<(), Failed> {
    let found: Vec<&str> = record.checks.iter().map(|check| check.found.as_str()).collect();
    if record.verdict == verdict && found.iter().any(|found| found.contains(words)) {
        return Ok(());
    }
    Err(Failed::from(format!("expected {verdict} with {words:?}, found {}: {found:#?}", record.verdict)))
}

fn nothing_wrong_passes(board: Description) -> Result<(), Failed> {
    expect(&run(board), Verdict::Pass, "right, within")
}

fn a_true_time_that_is_none_is_the_bench(mut board: Description) -> Result<(), Failed> {
    board.true_time.as_mut().expect("it has one").counter.address += 0x200;
    expect(&run(board), Verdict::Infra, "stands still")
}

fn a_device_counter_that_is_none_is_the_bench(mut board: Description) -> Result<(), Failed> {
    board.device_counter.as_mut().expect("it has one").address += 0x200;
    expect(&run(board), Verdict::Infra, "right after a stamp")
}

fn a_button_on_no_line_is_a_press_not_noticed(mut board: Description) -> Result<(), Failed> {
    board.buttons.players.white = 2;
    expect(&run(board), Verdict::Fail, "press(white)")
}

fn buttons_the_wrong_way_round_are_found(mut board: Description) -> Result<(), Failed> {
    let players = &mut board.buttons.players;
    (players.white, players.black) = (players.black, players.white);
    expect(&run(board), Verdict::Fail, "press(white)")
}

/// A bench that believes its counter to be a tenth of a percent faster than it is sees the clock run fast.
fn a_true_time_that_runs_slow_is_found(mut board: Description) -> Result<(), Failed> {
    board.true_time.as_mut().expect("it has one").counter.hz = 1_001_000;
    expect(&run(board), Verdict::Fail, "time-base")
}

fn a_board_without_true_time_tells_order_and_pins(mut board: Description) -> Result<(), Failed> {
    board.true_time = None;
    expect(&run(board.clone()), Verdict::Pass, "right, within")?;
    board.buttons.players.white = 2;
    expect(&run(board), Verdict::Fail, "press(white)")
}

fn without_true_time_no_time_base_is_made_wrong(mut board: Description) -> Result<(), Failed> {
    board.true_time = None;
    let text = SCENARIO.replace("  - {at: +7s", "  - {at: +1s, fault: {jump: {by: 3s}}}\n  - {at: +6s");
    let case = Case::prepare(flagfall_scenarios::read_str("jump.yaml", "test/jump", &text).expect("it is right"));
    match flagfall::rig::board::not_applicable(&board, &case.expect("it resolves").plan) {
        Some(reason) if reason.contains("without true time") => Ok(()),
        other => Err(Failed::from(format!("expected a reason, found {other:?}"))),
    }
}

fn another_tick_rate_is_not_applicable(mut board: Description) -> Result<(), Failed> {
    board.tick_rate = TickRate::new(32_768).expect("in range");
    expect(&run(board), Verdict::NotApplicable, "tick rate 1000000 Hz: this board has 32768 Hz")
}

fn image_error(path: &Path, words: &str, is: fn(&ImageError) -> bool) -> Result<(), Failed> {
    match Image::read(path) {
        Err(error) if is(&error) && error.to_string().contains(words) => Ok(()),
        other => Err(Failed::from(format!("expected an error with {words:?}, found {other:?}"))),
    }
}

fn no_firmware_says_how_to_build_it(mut board: Description) -> Result<(), Failed> {
    board.firmware = PathBuf::from("nowhere.elf");
    image_error(&board.firmware, "scripts/firmware", |error| matches!(error, ImageError::Read { .. }))?;
    match Board::new(board).run(&case().plan) {
        Outcome::Infra(reason) if reason.contains("nowhere.elf") => Ok(()),
        other => Err(Failed::from(format!("expected infra, found {other:?}"))),
    }
}

fn a_text_is_no_firmware(_: Description) -> Result<(), Failed> {
    image_error(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")), "no ELF file", |error| {
        matches!(error, ImageError::Elf { .. })
    })
}

fn another_program_is_no_firmware(_: Description) -> Result<(), Failed> {
    let program = Path::new(env!("CARGO_BIN_EXE_flagfall"));
    image_error(program, "has no symbol FLAGFALL", |error| matches!(error, ImageError::Symbol { .. }))
}
