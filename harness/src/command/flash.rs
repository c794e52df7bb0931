//! `flagfall flash`: a board's firmware, written and read back.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::Flash;
use crate::command::{bad_input, held, infra, print};
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::progress::on_terminal;
use crate::rig::board::{Board, Description, Flashed, OpenError};

/// How often the bar's clock moves on.
const TICK: Duration = Duration::from_millis(100);

/// Flashes a board and says what runs there.
#[must_use]
pub fn flash(options: &Flash) -> Exit {
    let description = match Description::read(&options.board) {
        Ok(description) => description,
        Err(error) => return bad_input(&error),
    };
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let _held = match held(&description, options.wait, &interrupt) {
        Ok(held) => held,
        Err(exit) => return exit,
    };
    let board = description.board.clone();
    let bar = bar(&format!("{board}: writing {} and reading it back", description.firmware.display()));
    let flashed = Board::new(description).heeding(&interrupt).flash();
    bar.finish_and_clear();
    match flashed {
        Ok(flashed) if options.json => {
            print(&(serde_json::to_string(&flashed).expect("it has string keys only") + "\n"))
        }
        Ok(flashed) => print(&render(&board, &flashed)),
        Err(OpenError::Image(error)) => bad_input(&error),
        Err(error) => infra(&format!("{board}: {error}")),
    }
}

/// A line that moves while a board is flashed, if standard error is a terminal that can move its cursor.
fn bar(text: &str) -> ProgressBar {
    let (target, shown) = on_terminal();
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(
        ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}").expect("the template is right"),
    );
    bar.set_message(text.to_owned());
    if shown {
        bar.enable_steady_tick(TICK);
    }
    bar
}

fn render(board: &str, flashed: &Flashed) -> String {
    let Flashed { firmware, build_id, tick_hz, contract, chip_serial, sizes } = flashed;
    let chip = chip_serial.as_ref().map_or(String::new(), |serial| format!("  chip      {serial}\n"));
    format!(
        "{board}: {firmware} is in flash, read back and running\n{chip}  build id  {build_id}\n  ticks     {tick_hz} Hz\n  \
         contract  version {contract}\n  flash     {} bytes\n  RAM       {} bytes, the buffers of RTT among them\n",
        sizes.flash, sizes.ram
    )
}
