//! What is said of a board that is being flashed: a bar on a terminal, lines elsewhere.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::command::{try_print, warn};
use crate::progress::on_terminal;
use crate::rig::board::{Doing, Flashing};

/// How often the bar's clock moves on by itself.
const TICK: Duration = Duration::from_millis(100);

/// By so much a step has to have gone on to be told again to a program.
const STEP_PERCENT: u64 = 10;

/// What is told where there is no terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Each step that begins, on standard error.
    Steps,
    /// Only those that write to flash, on standard error.
    Changes,
    /// How far each step is, as JSON on standard output.
    Json,
}

/// Tells how far the flash of a board is.
#[derive(Debug)]
pub struct FlashTeller {
    board: String,
    lines: Lines,
    bar: ProgressBar,
    /// What was told last, and at how many percent.
    told: Mutex<Option<(Doing, u64)>>,
}

#[derive(Serialize)]
struct Event<'a> {
    board: &'a str,
    flashing: Flashing,
}

impl FlashTeller {
    /// Of a board of this name, on which `what` is being done before anything is known of its flash.
    #[must_use]
    pub fn new(board: &str, what: &str, lines: Lines) -> Self {
        let (target, shown) = on_terminal();
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {elapsed_precise} {wide_msg}"));
        bar.set_message(format!("{board}: {what}"));
        if shown {
            bar.enable_steady_tick(TICK);
        }
        Self { board: board.to_owned(), lines, bar, told: Mutex::new(None) }
    }

    /// It is as far as this.
    pub fn tell(&self, flashing: Flashing) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let (doing, percent) = (flashing.doing, flashing.percent());
        let begins = told.is_none_or(|(before, _)| before != doing);
        let is_further =
            told.is_none_or(|(_, before)| percent >= before + STEP_PERCENT || percent == 100 && before < 100);
        if begins {
            self.bar.set_style(style("{spinner} {elapsed_precise} {msg} [{bar:30}] {percent} %, {pos} of {len} bytes"));
            self.bar.set_length(flashing.of_bytes);
            self.bar.set_message(format!("{}: {doing}", self.board));
        }
        self.bar.set_position(flashing.done_bytes);
        if begins || is_further {
            *told = Some((doing, percent));
            self.say(flashing, begins);
        }
    }

    fn say(&self, flashing: Flashing, begins: bool) {
        match self.lines {
            Lines::Json => {
                let event = Event { board: &self.board, flashing };
                let line = serde_json::to_string(&event).expect("it has string keys only") + "\n";
                // Whoever does not read it does not hold up the board.
                let _ = try_print(&line);
            }
            _ if !self.bar.is_hidden() || !begins => {}
            Lines::Changes if !flashing.doing.changes_flash() => {}
            Lines::Steps | Lines::Changes => {
                warn(&format!("flagfall: {}: {} {} bytes", self.board, flashing.doing, flashing.of_bytes));
            }
        }
    }

    /// Says something else, with the bar out of the way.
    pub fn aside(&self, line: &str) {
        self.bar.suspend(|| warn(line));
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// No colour: what is said is in the words.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is right").progress_chars("=> ")
}
