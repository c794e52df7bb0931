//! The boards that there are, with what each can do.

use serde::Serialize;

use super::{BoardFile, read};
use crate::cli::BoardFiles;
use crate::command::print;
use crate::exit::Exit;
use crate::rig::board::description::{Faults, Possible, today};
use crate::rig::board::{Acting, Board, Description, Probe, Stimulus};

/// One board.
#[derive(Serialize)]
struct Row {
    board: String,
    file: String,
    about: Option<String>,
    chip: String,
    /// The selector, or the emulated machine.
    probe: String,
    emulated: bool,
    tick_hz: u32,
    stimulus: &'static str,
    true_time: bool,
    /// What the probe can make go wrong.
    faults: Vec<&'static str>,
    /// Why each of the others is not possible.
    no_faults: Vec<NoFault>,
    /// Why time cannot be jumped; nothing where it can.
    no_jumps: Option<String>,
    quarantine: Option<Held>,
    /// What this machine lacks to use it; a probe is only known when it is opened.
    lacking: Option<String>,
}

#[derive(Serialize)]
struct NoFault {
    fault: &'static str,
    reason: String,
}

#[derive(Serialize)]
struct Held {
    reason: String,
    since: String,
    owner: String,
    expires: String,
    /// Whether it still holds today.
    holds: bool,
}

/// Prints a line or an object for each board.
pub(super) fn list(files: &BoardFiles) -> Exit {
    let (found, exit) = read(files);
    let mut text = String::new();
    for file in &found {
        let row = Row::of(file);
        if files.json {
            text += &serde_json::to_string(&row).expect("a row has string keys only");
            text.push('\n');
        } else {
            text += &row.render();
        }
    }
    print(&text).and(exit)
}

impl Row {
    fn of(file: &BoardFile) -> Self {
        let description = &file.description;
        let (probe, emulated) = match &description.probe {
            Probe::Emulator { machine, .. } => (machine.name.to_lowercase(), true),
            Probe::Selector(selector) => (selector.clone(), false),
        };
        let (faults, no_faults) = faults(&description.faults);
        Self {
            board: description.board.clone(),
            file: file.path.display().to_string(),
            about: description.about.clone(),
            chip: description.chip.clone(),
            probe,
            emulated,
            tick_hz: description.tick_rate.hz(),
            stimulus: stimulus(description),
            true_time: description.true_time.is_some(),
            faults,
            no_faults,
            no_jumps: Board::can_jump(description).err().map(|cannot| cannot.to_string()),
            quarantine: description.quarantine.as_ref().map(|quarantine| Held {
                reason: quarantine.reason.clone(),
                since: quarantine.date.to_string(),
                owner: quarantine.owner.clone(),
                expires: quarantine.expires.to_string(),
                holds: quarantine.holds_on(today()),
            }),
            lacking: Board::lacking(description),
        }
    }

    fn render(&self) -> String {
        let probe = if self.emulated { "emulated" } else { "probe" };
        let mut text = format!("{}  {}, {probe} {}\n", self.board, self.chip, self.probe);
        if let Some(about) = &self.about {
            text += &format!("  {}\n", about.trim());
        }
        let time = if self.true_time { "true time" } else { "no true time" };
        text += &format!("  {}, {} Hz, {time}, buttons by {}\n", self.file, self.tick_hz, self.stimulus);
        if !self.faults.is_empty() {
            text += &format!("  faults: {}\n", self.faults.join(", "));
        }
        for NoFault { fault, reason } in &self.no_faults {
            text += &format!("  no {fault}: {reason}\n");
        }
        match &self.no_jumps {
            None => text += "  time can be jumped\n",
            Some(reason) => text += &format!("  no jumped time: {reason}\n"),
        }
        if let Some(Held { reason, since, owner, expires, holds }) = &self.quarantine {
            let word = if *holds { "in quarantine" } else { "quarantine has expired" };
            text += &format!("  {word}: {reason} (since {since}, owner {owner}, expires {expires})\n");
        }
        if let Some(lacking) = &self.lacking {
            text += &format!("  not on this machine: {lacking}\n");
        }
        text
    }
}

/// The word of the board file.
const fn stimulus(description: &Description) -> &'static str {
    match (&description.stimulus, description.acting) {
        (_, Acting::Armed { .. }) => "pulls, armed",
        (Stimulus::Line { .. }, Acting::AtStops) => "line",
        (Stimulus::Line { .. }, Acting::Live) => "line, live",
        (Stimulus::Pulls { .. }, Acting::AtStops) => "pulls",
        (Stimulus::Pulls { .. }, Acting::Live) => "pulls, live",
        (Stimulus::Driver(_), Acting::AtStops) => "driver",
        (Stimulus::Driver(_), Acting::Live) => "driver, live",
    }
}

/// The words of the faults that are possible, and of the others with the reason.
fn faults(faults: &Faults) -> (Vec<&'static str>, Vec<NoFault>) {
    fn asked<T>(of: &Possible<T>) -> Result<(), String> {
        of.by().map(drop).map_err(str::to_owned)
    }
    #[rustfmt::skip]
    let Faults { rate, jump, stuck, lost_press, brown_out, display_frozen } = faults;
    let all = [
        ("rate", asked(rate)),
        ("jump", asked(jump)),
        ("stuck", asked(stuck)),
        ("lost-press", asked(lost_press)),
        ("brown-out", asked(brown_out)),
        ("display-frozen", asked(display_frozen)),
    ];
    let (mut possible, mut not) = (Vec::new(), Vec::new());
    for (fault, asked) in all {
        match asked {
            Ok(()) => possible.push(fault),
            Err(reason) => not.push(NoFault { fault, reason }),
        }
    }
    (possible, not)
}
