//! The timeline for a terminal.

use std::fmt::Write;

use flagfall_core::{Face, Side};
use flagfall_trace::Trace;

use super::{Mark, TimelineLine, lines};
use crate::quantity;
use crate::words;

/// Below this width of words, they stand under the times instead of beside them.
const BESIDE_MIN: usize = 44;

/// The least width that words are wrapped to.
const WORDS_MIN: usize = 20;

/// Faces of this width hold `10:00:00` and a mark.
const FACE: usize = 9;

/// The trace as a table of at most `width` columns (as far as words and stamps can be wrapped), each line ended.
///
/// A press prints the stamp of true time, with `+` and the width of its bracket when the bench knows it no better, and
/// the stamp of the device in seconds of its own time since the run began. Faces with a `~` were not written by the device
/// at that instant but lie between two of its records.
#[must_use]
pub fn render(trace: &Trace, width: usize, colour: bool) -> String {
    let rows: Vec<Row> = lines(trace).iter().map(Row::of).collect();
    let sheet = Sheet::new(&rows, width, colour);
    let mut text = String::new();
    let plan = &trace.plan;
    for line in wrap(&format!("{}: {}", plan.scenario, words::clock(plan)), width.max(WORDS_MIN)) {
        text.push_str(&line);
        text.push('\n');
    }
    sheet.write(&mut text, &Row::head());
    for row in &rows {
        sheet.write(&mut text, row);
    }
    text
}

/// The cells of a line.
struct Row {
    paint: Paint,
    true_time: String,
    doubt: String,
    device: String,
    faces: [String; 2],
    event: String,
    effect: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    Head,
    Plain,
    Dim,
    Flag,
    Fault,
}

impl Paint {
    /// The parameters of the terminal's colour sequence (ECMA-48 SGR).
    const fn sgr(self) -> &'static str {
        match self {
            Self::Head => "1",
            Self::Plain => "",
            Self::Dim => "2",
            Self::Flag => "1;31",
            Self::Fault => "35",
        }
    }
}

impl Row {
    fn head() -> Self {
        Self {
            paint: Paint::Head,
            true_time: "true time, s".to_owned(),
            doubt: String::new(),
            device: "device time, s".to_owned(),
            faces: ["White".to_owned(), "Black".to_owned()],
            event: "event".to_owned(),
            effect: "effect".to_owned(),
        }
    }

    fn of(line: &TimelineLine) -> Self {
        let mark = if line.shown.written { "" } else { "~" };
        let face = |face: Face| format!("{mark}{face}");
        Self {
            paint: match line.mark {
                Mark::Flag => Paint::Flag,
                Mark::Fault => Paint::Fault,
                Mark::Read | Mark::End => Paint::Dim,
                _ => Paint::Plain,
            },
            true_time: line.true_time.to_string(),
            doubt: doubt(line),
            device: line.device.map_or(String::new(), |device| quantity::stamp(device.ns_into_run)),
            faces: [face(line.shown.faces[Side::White]), face(line.shown.faces[Side::Black])],
            event: line.event.clone(),
            effect: line.effect.clone(),
        }
    }
}

/// What the bench does not know about an instant: `+1.5 µs`, somewhere in so wide a bracket; `±750 ns`, by so much.
fn doubt(line: &TimelineLine) -> String {
    match (line.achieved, line.device) {
        (Some(achieved), _) if achieved.earliest != achieved.latest => {
            let width_ns = i128::from(achieved.latest.ns()) - i128::from(achieved.earliest.ns());
            format!("+{}", quantity::span(width_ns))
        }
        (None, Some(device)) if device.uncertainty_ns > 0 => {
            format!("±{}", quantity::span(device.uncertainty_ns.into()))
        }
        _ => String::new(),
    }
}

/// Widths of the columns and how to paint them.
struct Sheet {
    true_time: usize,
    /// Zero when every instant is known.
    doubt: usize,
    device: usize,
    event: usize,
    effect: usize,
    beside: bool,
    colour: bool,
}

impl Sheet {
    fn new(rows: &[Row], width: usize, colour: bool) -> Self {
        let head = Row::head();
        let widest =
            |cell: fn(&Row) -> &str| rows.iter().chain([&head]).map(|row| cell(row).chars().count()).max().unwrap_or(0);
        let (true_time, device) = (widest(|row| &row.true_time), widest(|row| &row.device));
        let doubt = match widest(|row| &row.doubt) {
            0 => 0,
            widest => widest + 1,
        };
        let times = true_time + doubt + 2 + device + 2 * FACE + 2;
        let room = width.saturating_sub(times);
        let beside = room >= BESIDE_MIN;
        let room = if beside { room } else { width.saturating_sub(4).max(2 * WORDS_MIN) };
        // Events may take what effects leave over, and half in any case.
        let spare = room.saturating_sub(2 + widest(|row| &row.effect));
        let event = widest(|row| &row.event).min(spare.max(room / 2)).max(WORDS_MIN);
        let effect = room.saturating_sub(event + 2).max(WORDS_MIN);
        Self { true_time, doubt, device, event, effect, beside, colour }
    }

    fn write(&self, text: &mut String, row: &Row) {
        let times = format!(
            "{:>true_time$}{:doubt$}  {:>device$}{:>FACE$}{:>FACE$}",
            row.true_time,
            if row.doubt.is_empty() { String::new() } else { format!(" {}", row.doubt) },
            row.device,
            row.faces[0],
            row.faces[1],
            true_time = self.true_time,
            doubt = self.doubt,
            device = self.device,
        );
        let (event, effect) = (wrap(&row.event, self.event), wrap(&row.effect, self.effect));
        let indent = if self.beside { times.chars().count() + 2 } else { 4 };
        if !self.beside {
            self.paint(text, row.paint, times.trim_end());
        }
        for index in 0..event.len().max(effect.len()) {
            let cell = |cells: &[String]| cells.get(index).cloned().unwrap_or_default();
            let lead = if self.beside && index == 0 { format!("{times}  ") } else { " ".repeat(indent) };
            let line = format!("{lead}{:<width$}  {}", cell(&event), cell(&effect), width = self.event);
            self.paint(text, row.paint, line.trim_end());
        }
    }

    fn paint(&self, text: &mut String, paint: Paint, line: &str) {
        let written = match paint.sgr() {
            sgr if self.colour && !sgr.is_empty() => writeln!(text, "\u{1b}[{sgr}m{line}\u{1b}[0m"),
            _ => writeln!(text, "{line}"),
        };
        written.expect("a string takes all that is written to it");
    }
}

/// Breaks at spaces into lines of at most `width` characters; a longer word stands alone. At least one line.
///
/// A number keeps its unit. Names come from files, so control characters, which could steer the terminal, are replaced.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = text.replace(char::is_control, "\u{fffd}");
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let unit = matches!(word.trim_end_matches([';', ',']), "ns" | "µs" | "ms" | "s" | "min" | "h" | "ppm");
        match words.last_mut().filter(|_| unit) {
            Some(number) => *number = format!("{number} {word}"),
            None => words.push(word.to_owned()),
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= width) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word),
        }
    }
    lines
}
