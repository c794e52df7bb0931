//! `flagfall flash`: a board's firmware, written and read back.

use std::sync::Arc;

use crate::cli::Flash;
use crate::command::{bad_input, held, infra, print};
use crate::exit::Exit;
use crate::flash_teller::{FlashTeller, Lines};
use crate::interrupt::Interrupt;
use crate::rig::board::{Board, Description, Flashed, OpenError};

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
    let what = format!("{} is to be in its flash", description.firmware.display());
    let lines = if options.json { Lines::Json } else { Lines::Steps };
    let teller = Arc::new(FlashTeller::new(&board, &what, lines));
    let told = teller.clone();
    let flashed = Board::new(description).heeding(&interrupt).telling(move |far| told.tell(far)).flash();
    teller.end();
    match flashed {
        Ok(flashed) if options.json => {
            print(&(serde_json::to_string(&flashed).expect("it has string keys only") + "\n"))
        }
        Ok(flashed) => print(&render(&board, &flashed)),
        Err(OpenError::Image(error)) => bad_input(&error),
        Err(error) => infra(&format!("{board}: {error}")),
    }
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
