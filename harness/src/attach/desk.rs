//! What keys mean: at any moment in one of a few modes, from which a wish comes or another mode.

use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use flagfall_core::{Face, Record, Side, TickRate};

/// The name that is offered for what is saved.
const NAME: &str = "played/by-keys.yaml";

/// The longest text of a prompt.
const TEXT_MAX: usize = 200;

/// The longest time that can be set, in milliseconds: 99:59:59.
const LEFT_MS_MAX: u64 = 359_999_000;

const MINUTE_MS: u64 = 60_000;

/// What somebody at the keys wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A side's button.
    Press(Side),
    /// The button of the side that runs.
    PressRunning,
    /// The arbiter's button.
    ArbiterButton,
    /// A side's time is corrected.
    SetTime {
        /// Whose.
        side: Side,
        /// To what.
        left_ms: u64,
    },
    /// The last correction is taken back.
    Undo,
    /// The colours are swapped.
    Swap,
    /// What was done is saved.
    Save {
        /// Where.
        path: PathBuf,
        /// Whether it may take the place of a file that is there.
        replace: bool,
    },
    /// It is over.
    Leave,
    /// It is over at once.
    LeaveAtOnce,
}

/// What keys are for at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mode {
    /// For the clock.
    Playing,
    /// For a time.
    Correcting { side: Side, text: Text },
    /// For the name of a file.
    Naming(Text),
    /// For a yes, about a file that is there.
    Replacing(PathBuf),
    /// For a yes, about what is not saved.
    Leaving,
}

/// A text that is typed; what it began with goes with the first sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Text {
    text: String,
    fresh: bool,
}

impl Text {
    fn new(text: String) -> Self {
        Self { text, fresh: true }
    }

    fn push(&mut self, sign: char) {
        if self.fresh {
            self.text.clear();
        }
        self.fresh = false;
        if self.text.chars().count() < TEXT_MAX {
            self.text.push(sign);
        }
    }

    fn pop(&mut self) {
        self.fresh = false;
        self.text.pop();
    }
}

/// Where somebody sits with the keys.
#[derive(Clone, Debug)]
pub struct Desk {
    mode: Mode,
    /// What was said last, until a key is pressed.
    said: String,
    name: String,
    rate: TickRate,
}

impl Desk {
    /// A desk at a clock with ticks of this rate.
    #[must_use]
    pub fn new(rate: TickRate) -> Self {
        Self { mode: Mode::Playing, said: String::new(), name: NAME.into(), rate }
    }

    /// Says something in the line above the keys.
    pub fn say(&mut self, text: impl Into<String>) {
        self.said = text.into();
    }

    /// Asks whether a file may be replaced.
    pub fn ask_to_replace(&mut self, path: PathBuf) {
        self.mode = Mode::Replacing(path);
    }

    /// Asks whether what was not saved may be lost.
    pub fn ask_to_leave(&mut self) {
        self.mode = Mode::Leaving;
    }

    /// The line above the keys.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.mode {
            Mode::Playing => self.said.clone(),
            Mode::Correcting { side, text } => {
                let wrong = if self.said.is_empty() { String::new() } else { format!("  {}", self.said) };
                format!("{}'s time: {}_{wrong}", name(*side), text.text)
            }
            Mode::Naming(text) => format!("save as: {}_", text.text),
            Mode::Replacing(path) => format!("{} is there already: replace it? y/n", path.display()),
            Mode::Leaving => "what was done is not saved: leave all the same? y/n".into(),
        }
    }

    /// The keys and what they do.
    #[must_use]
    pub const fn keys(&self) -> &'static [(&'static str, &'static str)] {
        match self.mode {
            Mode::Playing => &[
                ("space", "press"),
                ("w/b", "White/Black presses"),
                ("p", "start/pause"),
                ("c", "correct"),
                ("u", "undo"),
                ("x", "swap"),
                ("s", "save"),
                ("q", "quit"),
            ],
            Mode::Correcting { .. } => {
                &[("0-9 :", "time"), ("up/down", "1 minute"), ("tab", "other side"), ("enter", "set"), ("esc", "leave")]
            }
            Mode::Naming(_) => &[("enter", "save"), ("esc", "leave")],
            Mode::Replacing(_) | Mode::Leaving => &[("y", "yes"), ("n", "no")],
        }
    }

    /// What a key means; `face` is what the clock shows.
    pub fn key(&mut self, key: KeyEvent, face: &Record) -> Option<Wish> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return matches!(key.code, KeyCode::Char('c' | 'd')).then_some(Wish::LeaveAtOnce);
        }
        self.said.clear();
        match std::mem::replace(&mut self.mode, Mode::Playing) {
            Mode::Playing => self.at_the_clock(key.code, face),
            Mode::Correcting { side, text } => self.in_a_correction(key.code, side, text, face),
            Mode::Naming(text) => self.in_a_name(key.code, text),
            Mode::Replacing(path) => match key.code {
                KeyCode::Char('y' | 'Y') => Some(Wish::Save { path, replace: true }),
                _ => {
                    self.say("not saved");
                    None
                }
            },
            Mode::Leaving => matches!(key.code, KeyCode::Char('y' | 'Y')).then_some(Wish::LeaveAtOnce),
        }
    }

    fn at_the_clock(&mut self, key: KeyCode, face: &Record) -> Option<Wish> {
        Some(match key {
            KeyCode::Char(' ') => Wish::PressRunning,
            KeyCode::Char('w' | 'W') | KeyCode::Left => Wish::Press(Side::White),
            KeyCode::Char('b' | 'B') | KeyCode::Right => Wish::Press(Side::Black),
            KeyCode::Char('p' | 'P') | KeyCode::Enter => Wish::ArbiterButton,
            KeyCode::Char('u' | 'U') => Wish::Undo,
            KeyCode::Char('x' | 'X') => Wish::Swap,
            KeyCode::Char('q' | 'Q') => Wish::Leave,
            KeyCode::Char('c' | 'C') => {
                let side = face.phase.side().unwrap_or(Side::White);
                self.mode = self.correcting(side, face);
                return None;
            }
            KeyCode::Char('s' | 'S') => {
                self.mode = Mode::Naming(Text::new(self.name.clone()));
                return None;
            }
            _ => return None,
        })
    }

    fn correcting(&self, side: Side, face: &Record) -> Mode {
        // Whole seconds as a face shows them: a second that has begun is there.
        let left_s = face.remaining_ticks[side].div_ceil(u64::from(self.rate.hz()));
        let left_ms = left_s.saturating_mul(1_000).min(LEFT_MS_MAX);
        Mode::Correcting { side, text: Text::new(time(left_ms)) }
    }

    fn in_a_correction(&mut self, key: KeyCode, side: Side, mut text: Text, face: &Record) -> Option<Wish> {
        match key {
            KeyCode::Esc => return None,
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Left | KeyCode::Right => {
                self.mode = self.correcting(side.other(), face);
                return None;
            }
            KeyCode::Enter => {
                if let Some(left_ms) = time_ms(&text.text) {
                    return Some(Wish::SetTime { side, left_ms });
                }
                self.say("write it like 4:30 or 1:02:03");
            }
            KeyCode::Up | KeyCode::Down => {
                let left_ms = time_ms(&text.text).unwrap_or(0);
                let moved = match key {
                    KeyCode::Up => (left_ms + MINUTE_MS).min(LEFT_MS_MAX),
                    _ => left_ms.saturating_sub(MINUTE_MS),
                };
                text = Text::new(time(moved));
            }
            KeyCode::Backspace => text.pop(),
            KeyCode::Char(sign) if sign.is_ascii_digit() || sign == ':' => text.push(sign),
            _ => {}
        }
        self.mode = Mode::Correcting { side, text };
        None
    }

    fn in_a_name(&mut self, key: KeyCode, mut text: Text) -> Option<Wish> {
        match key {
            KeyCode::Esc => return None,
            KeyCode::Enter if text.text.trim().is_empty() => return None,
            KeyCode::Enter => {
                let name = text.text.trim();
                let ending = if name.ends_with(".yaml") || name.ends_with(".yml") { "" } else { ".yaml" };
                self.name = format!("{name}{ending}");
                return Some(Wish::Save { path: PathBuf::from(&self.name), replace: false });
            }
            KeyCode::Backspace => text.pop(),
            KeyCode::Char(sign) if !sign.is_control() => text.push(sign),
            _ => {}
        }
        self.mode = Mode::Naming(text);
        None
    }
}

/// `White` or `Black`.
pub(super) const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// Milliseconds as a face has them, whole seconds.
fn time(ms: u64) -> String {
    Face::from_seconds(u32::try_from(ms / 1_000).unwrap_or(u32::MAX)).to_string()
}

/// The milliseconds of `4:30` or `1:02:03`.
fn time_ms(text: &str) -> Option<u64> {
    let parts: Option<Vec<u64>> = text.split(':').map(|part| part.parse().ok()).collect();
    let seconds = match parts?[..] {
        [m, s] if s < 60 => m.checked_mul(60)?.checked_add(s)?,
        [h, m, s] if m < 60 && s < 60 => h.checked_mul(3_600)?.checked_add(m * 60 + s)?,
        _ => return None,
    };
    seconds.checked_mul(1_000).filter(|ms| *ms <= LEFT_MS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::session::{Session, nothing_done};

    /// What comes of keys, one after the other, on a clock that shows five minutes.
    fn wishes(keys: &[KeyCode]) -> (Vec<Wish>, String) {
        let control = flagfall_scenarios::control::parse("5m").expect("a control");
        let session = Session::on_the_simulator(nothing_done(control, TickRate::MHZ)).expect("a clock");
        let mut desk = Desk::new(TickRate::MHZ);
        let found = keys.iter().filter_map(|key| desk.key(KeyEvent::from(*key), session.face())).collect();
        (found, desk.line())
    }

    fn typed(text: &str) -> Vec<KeyCode> {
        text.chars().map(KeyCode::Char).collect()
    }

    #[test]
    fn a_time_is_typed_or_moved_and_set_with_enter() {
        use KeyCode::{Backspace, Down, Enter, Esc, Tab, Up};
        let set = |side, left_ms| vec![Wish::SetTime { side, left_ms }];
        assert_eq!(wishes(&[typed("c"), vec![Enter]].concat()).0, set(Side::White, 300_000));
        assert_eq!(wishes(&[typed("c4:30"), vec![Enter]].concat()).0, set(Side::White, 270_000));
        assert_eq!(wishes(&[typed("c"), vec![Tab, Up, Up, Down, Enter]].concat()).0, set(Side::Black, 360_000));
        let keys = [typed("c"), vec![Backspace, Backspace], typed("15"), vec![Enter]].concat();
        assert_eq!(wishes(&keys).0, set(Side::White, 315_000));
        assert_eq!(wishes(&[typed("c4:30"), vec![Esc]].concat()), (vec![], String::new()));
        let (none, line) = wishes(&[typed("c90"), vec![Enter]].concat());
        assert_eq!((none, line.as_str()), (vec![], "White's time: 90_  write it like 4:30 or 1:02:03"));
    }

    #[test]
    fn keys_of_a_prompt_press_no_button() {
        let save = |path: &str| Wish::Save { path: path.into(), replace: false };
        let keys = [typed("sw/b p"), vec![KeyCode::Enter], typed("w")].concat();
        assert_eq!(wishes(&keys).0, vec![save("w/b p.yaml"), Wish::Press(Side::White)]);
        assert_eq!(wishes(&[typed("s"), vec![KeyCode::Enter]].concat()).0, vec![save(NAME)]);
    }

    #[test]
    fn control_c_leaves_from_wherever() {
        let control = flagfall_scenarios::control::parse("5m").expect("a control");
        let session = Session::on_the_simulator(nothing_done(control, TickRate::MHZ)).expect("a clock");
        for before in ["", "s", "c"] {
            let mut desk = Desk::new(TickRate::MHZ);
            for key in typed(before) {
                desk.key(KeyEvent::from(key), session.face());
            }
            let key = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
            assert_eq!(desk.key(key, session.face()), Some(Wish::LeaveAtOnce));
        }
    }
}
