//! The lines of the view, for a terminal of any size.

use flagfall_core::{BySide, Phase, Record, Side, TrueTime};
use flagfall_reports::timeline::{Mark, TimelineLine, lines};
use flagfall_trace::Trace;

use super::desk::name;
use super::digits::{HIGH, big};

/// Below this width faces stand as text.
const BIG_WIDTH: usize = 62;

/// Below this height too.
const BIG_HEIGHT: usize = 16;

/// Below this width only one time and the event stand in the log.
const LOG_WIDTH: usize = 60;

/// How a piece of a line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As usual.
    #[default]
    Plain,
    /// Important.
    Strong,
    /// Less so.
    Dim,
    /// The side that runs.
    Runs,
    /// A flag.
    Alarm,
}

/// A line: pieces with their looks.
pub type Line = Vec<(String, Style)>;

/// What is shown.
#[derive(Debug)]
pub struct View<'a> {
    /// Which clock this is, `virtual-f405, 5m+3s`.
    pub title: &'a str,
    /// True time since the clock was set up.
    pub now: TrueTime,
    /// What its faces show.
    pub face: &'a Record,
    /// What happened, in order.
    pub log: &'a [TimelineLine],
    /// Whether the clock's own time is another than the hall's.
    pub on_a_board: bool,
    /// What is said or asked.
    pub said: &'a str,
    /// Keys and what they do.
    pub keys: &'a [(&'a str, &'a str)],
    /// What big digits are made of.
    pub lit: char,
}

/// What happened, without the end that a timeline has.
#[must_use]
pub fn log(trace: &Trace) -> Vec<TimelineLine> {
    lines(trace).into_iter().filter(|line| line.mark != Mark::End).collect()
}

impl View<'_> {
    /// The lines of the view, as many as there is room for, none wider than the terminal.
    #[must_use]
    pub fn lines(&self, width: usize, height: usize) -> Vec<Line> {
        let mut top = vec![self.head(width)];
        top.extend(self.faces(width, height));
        let mut bottom = vec![vec![(self.said.to_owned(), Style::Strong)]];
        bottom.extend(self.help(width));
        // Where there is no room for everything, the faces stay.
        top.truncate(height);
        bottom.truncate(height - top.len());
        let room = height - top.len() - bottom.len();
        let mut all = top;
        all.extend(self.events(width, room));
        all.extend(bottom);
        all.into_iter().map(|line| cut(line, width)).collect()
    }

    fn head(&self, width: usize) -> Line {
        let time = clock(self.now);
        let (what, style) = match self.face.phase {
            Phase::Ready => ("ready".to_owned(), Style::Strong),
            Phase::Running(side) => (format!("{} runs", name(side)), Style::Runs),
            Phase::Paused(side) => (format!("paused on {}", name(side)), Style::Strong),
            Phase::Frozen(side) => (format!("frozen on {}", name(side)), Style::Alarm),
        };
        let left = format!("{}  ", self.title);
        let gap = width.saturating_sub(left.chars().count() + what.chars().count() + time.len());
        vec![(left, Style::Dim), (what, style), (" ".repeat(gap.max(1)), Style::Plain), (time, Style::Dim)]
    }

    fn faces(&self, width: usize, height: usize) -> Vec<Line> {
        let sides = BySide::from_fn(|side| {
            let style = match self.face.phase {
                Phase::Running(running) if running == side => Style::Runs,
                _ if self.face.fallen[side] => Style::Alarm,
                _ => Style::Plain,
            };
            (self.face.shown[side].to_string(), style)
        });
        let half = width / 2;
        let two = |of: &dyn Fn(Side) -> (String, Style)| {
            let (white, black) = (of(Side::White), of(Side::Black));
            vec![(" ".to_owned(), Style::Plain), (pad(&white.0, half.saturating_sub(1)), white.1), black]
        };
        let mark = |side: Side| {
            let runs = self.face.phase == Phase::Running(side);
            let mark = if runs { "  <" } else { "" };
            (format!("{}{mark}", name(side)), if runs { Style::Runs } else { Style::Strong })
        };
        let under = |side: Side| (self.under(side), if self.face.fallen[side] { Style::Alarm } else { Style::Dim });
        let mut found = Vec::new();
        if width >= BIG_WIDTH && height >= BIG_HEIGHT {
            let rows = sides.clone().map(|(face, _)| big(&face, self.lit));
            found.push(Vec::new());
            found.push(two(&mark));
            found.extend((0..HIGH).map(|row| two(&|side| (rows[side][row].clone(), sides[side].1))));
            found.push(two(&under));
            found.push(Vec::new());
        } else {
            found.extend(Side::ALL.map(|side| {
                let (face, style) = sides[side].clone();
                let under = under(side);
                vec![(format!("{:<9}", mark(side).0), mark(side).1), (format!("{face:>9}  "), style), under]
            }));
        }
        found
    }

    /// What stands under a face.
    fn under(&self, side: Side) -> String {
        let face = self.face;
        let mut parts = vec![format!("moves {}", face.moves[side])];
        if face.period[side] > 0 {
            parts.push(format!("period {}", u16::from(face.period[side]) + 1));
        }
        if face.overtime[side] > 0 {
            parts.push(format!("overtime {}", face.overtime[side]));
        }
        if face.phase.side() == Some(side) && face.shown_delay_seconds > 0 {
            parts.push(format!("delay {} s", face.shown_delay_seconds));
        }
        if face.fallen[side] {
            parts.push(if face.first_fallen == Some(side) { "flag down, first" } else { "flag down" }.to_owned());
        }
        if face.battery_low && side == Side::White {
            parts.push("battery low".to_owned());
        }
        parts.join(", ")
    }

    /// The last events that there is room for, the newest at the bottom.
    fn events(&self, width: usize, room: usize) -> Vec<Line> {
        let Some(room) = room.checked_sub(1) else { return Vec::new() };
        let wide = width >= LOG_WIDTH;
        let device = self.on_a_board && wide;
        let times = if device { "   hall, s   clock, s" } else { "   hall, s" };
        let mut found = vec![vec![(format!("{times}  event"), Style::Dim)]];
        let shown = &self.log[self.log.len().saturating_sub(room)..];
        for line in shown {
            let mut times = format!("{:>10}", seconds(line.true_time.ns().into()));
            if device {
                let stamp = line.device.map_or(String::new(), |device| seconds(device.ns_into_run));
                times += &format!(" {stamp:>10}");
            }
            let style = match line.mark {
                Mark::Flag => Style::Alarm,
                Mark::Device => Style::Dim,
                _ => Style::Plain,
            };
            let effect = if line.effect.is_empty() { String::new() } else { format!(" -> {}", line.effect) };
            found.push(vec![(times, Style::Dim), (format!("  {}", line.event), style), (effect, Style::Plain)]);
        }
        found.resize(room + 1, Vec::new());
        found
    }

    /// The keys in as many lines as they take.
    fn help(&self, width: usize) -> Vec<Line> {
        let mut found: Vec<Line> = vec![Vec::new()];
        let mut used = 0;
        for (key, does) in self.keys {
            let takes = key.chars().count() + 1 + does.chars().count();
            if used > 0 && used + 2 + takes > width {
                found.push(Vec::new());
                used = 0;
            }
            let gap = if used > 0 { "  " } else { "" };
            used += gap.len() + takes;
            if let Some(line) = found.last_mut() {
                line.push((format!("{gap}{key}"), Style::Strong));
                line.push((format!(" {does}"), Style::Dim));
            }
        }
        found
    }
}

fn pad(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

/// Nothing beyond the terminal's width; names come from files, so that signs that could steer it are replaced.
fn cut(line: Line, width: usize) -> Line {
    let mut room = width;
    let mut found = Vec::new();
    for (text, style) in line {
        let text: String = text.replace(char::is_control, "\u{fffd}").chars().take(room).collect();
        room -= text.chars().count();
        if !text.is_empty() {
            found.push((text, style));
        }
    }
    found
}

/// Seconds with thousandths.
fn seconds(ns: i128) -> String {
    let sign = if ns < 0 { "-" } else { "" };
    let ms = ns.unsigned_abs() / 1_000_000;
    format!("{sign}{}.{:03}", ms / 1_000, ms % 1_000)
}

/// `1:02:03.4`.
fn clock(at: TrueTime) -> String {
    let tenths = at.ns().max(0) / 100_000_000;
    let (h, m, s) = (tenths / 36_000, tenths / 600 % 60, tenths / 10 % 60);
    format!("{h}:{m:02}:{s:02}.{}", tenths % 10)
}

#[cfg(test)]
mod tests {
    use flagfall_core::TickRate;

    use super::*;
    use crate::attach::Desk;
    use crate::attach::session::{Session, nothing_done};

    /// The view after White has run for 2.5 s, as plain text.
    fn shown(width: usize, height: usize) -> Vec<String> {
        let control = flagfall_scenarios::control::parse("40/2h;d5s, 1h").expect("a control");
        let mut session = Session::on_the_simulator(nothing_done(control, TickRate::MHZ)).expect("a clock");
        assert!(session.arbiter_button().expect("it starts"));
        session.advance(TrueTime::from_ns(2_500_000_000)).expect("it runs");
        let (log, desk) = (log(session.trace()), Desk::new(TickRate::MHZ));
        let view = View {
            title: "simulator, 40/2h;d5s, 1h",
            now: session.now(),
            face: session.face(),
            log: &log,
            on_a_board: false,
            said: "",
            keys: desk.keys(),
            lit: '#',
        };
        let text = |line: Line| line.into_iter().map(|(text, _)| text).collect::<String>();
        view.lines(width, height).into_iter().map(text).collect()
    }

    #[test]
    fn a_view_fits_its_terminal() {
        for (width, height) in [(80, 24), (200, 60), (62, 16), (40, 12), (20, 8), (8, 3), (1, 1), (80, 1)] {
            let lines = shown(width, height);
            assert!(lines.len() <= height, "{width}x{height}: {lines:#?}");
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{width}x{height}: {lines:#?}");
        }
    }

    #[test]
    fn the_usual_terminal_has_big_faces_the_log_and_the_keys() {
        let lines = shown(80, 24);
        assert_eq!(lines.len(), 24, "{lines:#?}");
        assert_eq!(lines[0], "simulator, 40/2h;d5s, 1h  White runs                                   0:00:02.5");
        assert_eq!(lines[2].trim_end(), format!(" {:<39}Black", "White  <"));
        assert!(lines[3].starts_with(" ###   ### ###   ### ###  "), "{lines:#?}");
        assert!(lines[8].starts_with(" moves 0, delay 3 s"), "{lines:#?}");
        assert_eq!(lines[11], "     0.000  Arbiter starts the clock -> White runs");
        assert!(lines[22].starts_with("space press  w/b White/Black presses"), "{lines:#?}");
    }

    #[test]
    fn a_narrow_one_has_faces_as_text() {
        let lines = shown(40, 12);
        assert_eq!(lines[1], "White  <   2:00:00  moves 0, delay 3 s");
        assert_eq!(lines[2], "Black      2:00:00  moves 0");
        assert!(lines.iter().any(|line| line.contains("Arbiter starts the clock")), "{lines:#?}");
        assert!(lines.last().is_some_and(|line| line.contains("q quit")), "{lines:#?}");
    }
}
