//! What the faces show, as a line of text on the device's serial port: the display of a clock that a bench can read.
//!
//! One line for each change of what is shown. It ends with a line feed and has, with one space between them:
//!
//! ```text
//! #42 @7000012 4:53 5:00 run-b +3 f-B 1B p1/0 o2/0 low m1/0 *19
//! ```
//!
//! | part | what it is |
//! |---|---|
//! | `#42` | number of the last record that had been made, see [`crate::Record::seq`]: the line belongs to it |
//! | `@7000012` | device time in ticks at which this came about |
//! | `4:53 5:00` | White's digits and Black's, see [`Face`] |
//! | `run-b` | `ready`, or `run`, `pause` or `freeze` and the side, `w` or `b` |
//! | `+3` | seconds of delay shown apart |
//! | `fW-` `f-B` `fWB` | flags that are down |
//! | `1W` `1B` | first-fallen sign |
//! | `p1/0` | period indices, White's and Black's |
//! | `o2/0` | byo-yomi periods left or moves of the Canadian stage |
//! | `low` | battery sign |
//! | `m1/0` | counted moves |
//! | `*19` | all bytes before the space in front of it, combined by exclusive or: two hexadecimal digits |
//!
//! What is nothing is left out: no delay, no flag, no sign, first periods, main time, a good battery. Numbers have no
//! leading zeros, so that there is one way to write a line and [`Frame::parse`] takes no other.
//!
//! Where only one side's digits have run off since the line before, the line is a short one, since a clock writes it every
//! second:
//!
//! ```text
//! w4:52 +1000003 *47
//! ```
//!
//! | part | what it is |
//! |---|---|
//! | `w4:52` | the side, `w` or `b`, and its digits |
//! | `+1000003` | ticks since the line before |
//! | `*47` | as above |
//!
//! Everything else is as it was. After a line that was lost the next one is a long one.
//!
//! Once all records of one event have been written, the panel shows what the last of them says; if that is what it showed
//! before, there is no line. So a line with the number and the tick of a record shows what the record says, and a line
//! with a later tick tells how digits have run off since. Of records in one tick only the last need be shown. Lines that
//! found no room on their way out are counted in the contract block.

use core::fmt;

use crate::clock::{Clock, Phase};
use crate::display::{Digits, DisplayFormat, Face};
use crate::period::Bonus;
use crate::record::Record;
use crate::side::{BySide, Side};
use crate::time::DeviceTime;

/// Bits per second of the reference firmware's serial port; eight data bits, no parity, one stop bit.
pub const BAUD: u32 = 115_200;

/// Bytes of the longest line, its line feed included.
pub const LINE_MAX: usize = 128;

/// The most bytes that a device has on their way to the wire: two of the longest lines. A line without room is lost.
pub const QUEUED_MAX: usize = 2 * LINE_MAX;

/// What both faces and their signs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faces {
    /// The digits.
    pub shown: BySide<Face>,
    /// Seconds of delay that are shown apart.
    pub delay_seconds: u32,
    /// Which side runs, or ran.
    pub phase: Phase,
    /// Counted moves.
    pub moves: BySide<u16>,
    /// Period indices.
    pub period: BySide<u8>,
    /// Byo-yomi periods left or moves of the Canadian stage.
    pub overtime: BySide<u16>,
    /// Flags that are down.
    pub fallen: BySide<bool>,
    /// The first-fallen sign.
    pub first_fallen: Option<Side>,
    /// The battery sign.
    pub battery_low: bool,
}

impl Faces {
    /// What a record says is shown.
    #[must_use]
    pub const fn of(record: &Record) -> Self {
        Self {
            shown: record.shown,
            delay_seconds: record.shown_delay_seconds,
            phase: record.phase,
            moves: record.moves,
            period: record.period,
            overtime: record.overtime,
            fallen: record.fallen,
            first_fallen: record.first_fallen,
            battery_low: record.battery_low,
        }
    }
}

/// Ticks from the last step of this clock until it shows something else if nothing happens before; `None` if it never
/// will.
#[must_use]
pub fn ticks_to_next_change(clock: &Clock) -> Option<u64> {
    let (state, setup, rate) = (clock.state(), clock.setup(), clock.rate());
    let Phase::Running(side) = state.phase else { return None };
    let (left, delay) = (state.remaining_ticks, state.delay_ticks[side]);
    let display = setup.display;
    let seconds = DisplayFormat { rounding: display.rounding, ..DisplayFormat::default() };
    let in_delay = Face::ticks_to_next_below(delay, rate, seconds);
    let main = match setup.control[side].period(state.period[side]).bonus {
        Bonus::CountUp => Some(Face::ticks_to_next_above(left[side], rate, display)),
        Bonus::Hourglass if !state.fallen[side.other()] && left[side] > 0 => {
            let below = Face::ticks_to_next_below(left[side], rate, display);
            let above = Face::ticks_to_next_above(left[side.other()], rate, display);
            Some(below.map_or(above, |below| below.min(above)))
        }
        _ => Face::ticks_to_next_below(left[side], rate, display),
    };
    let main = main.map(|ticks| ticks.saturating_add(delay));
    match (in_delay, main) {
        (Some(delay), Some(main)) => Some(delay.min(main)),
        (one, other) => one.or(other),
    }
}

/// One line: what is shown, from which instant on, and after which record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Number of the last record that had been made.
    pub seq: u16,
    /// When this came about.
    pub at: DeviceTime,
    /// What is shown.
    pub faces: Faces,
}

/// The text of a line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    bytes: [u8; LINE_MAX],
    len: usize,
}

impl Line {
    /// The bytes, line feed included.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn put(&mut self, byte: u8) {
        // `LINE_MAX` is longer than the longest line, which a test writes.
        if let Some(slot) = self.bytes.get_mut(self.len) {
            *slot = byte;
            self.len += 1;
        }
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.put(byte));
    }

    /// Nine digits at a time: a 64-bit division takes a small core a long time.
    fn number(&mut self, number: u64) {
        const NINE_DIGITS: u64 = 1_000_000_000;
        match (number / NINE_DIGITS, (number % NINE_DIGITS) as u32) {
            (0, low) => self.digits(low, 1),
            (high, low) => {
                self.number(high);
                self.digits(low, 9);
            }
        }
    }

    fn digits(&mut self, mut number: u32, width: usize) {
        let mut digits = [b'0'; 10];
        let mut first = digits.len();
        while number > 0 || digits.len() - first < width {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        digits[first..].iter().for_each(|digit| self.put(*digit));
    }

    fn face(&mut self, face: Face) {
        let seconds = face.tenths() / 10;
        let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
        match face.digits() {
            Digits::Seconds => {
                if h > 0 {
                    self.digits(h, 1);
                    self.put(b':');
                }
                self.digits(m, if h > 0 { 2 } else { 1 });
                self.put(b':');
                self.digits(s, 2);
            }
            Digits::Tenths => {
                self.digits(seconds, 1);
                self.put(b'.');
                self.digits(face.tenths() % 10, 1);
            }
            Digits::Minutes => {
                self.digits(h, 1);
                self.put(b'h');
                self.digits(m, 2);
            }
        }
    }

    fn pair(&mut self, name: u8, pair: BySide<u16>) {
        self.put(b' ');
        self.put(name);
        self.digits(pair.white.into(), 1);
        self.put(b'/');
        self.digits(pair.black.into(), 1);
    }

    fn checksum(&self) -> u8 {
        self.as_bytes().iter().fold(0, |sum, byte| sum ^ byte)
    }
}

const fn letter(side: Side) -> u8 {
    match side {
        Side::White => b'w',
        Side::Black => b'b',
    }
}

impl Frame {
    /// The line for a reader that has read the line of `before`: a short one if that says all.
    #[must_use]
    pub fn to_line(&self, before: Option<&Self>) -> Line {
        let short = before.and_then(|before| self.has_run_off_since(before));
        let mut line = Line { bytes: [0; LINE_MAX], len: 0 };
        match short {
            Some((side, ticks)) => {
                line.put(letter(side));
                line.face(self.faces.shown[side]);
                line.text(" +");
                line.digits(ticks, 1);
            }
            None => self.write_long(&mut line),
        }
        let sum = line.checksum();
        line.text(" *");
        for nibble in [sum >> 4, sum & 0xf] {
            line.put(if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 });
        }
        line.put(b'\n');
        line
    }

    /// The side whose digits are all that has changed, and the ticks since.
    fn has_run_off_since(&self, before: &Self) -> Option<(Side, u32)> {
        let (now, then) = (&self.faces.shown, &before.faces.shown);
        let side = if now.white == then.white { Side::Black } else { Side::White };
        let mut shown = *then;
        shown[side] = now[side];
        let as_short = Self { seq: self.seq, at: self.at, faces: Faces { shown, ..before.faces } };
        let ticks = u32::try_from(self.at.ticks().checked_sub(before.at.ticks())?).ok()?;
        (before.seq == self.seq && *self == as_short && now[side] != then[side]).then_some((side, ticks))
    }

    fn write_long(&self, line: &mut Line) {
        let Faces { shown, delay_seconds, phase, moves, period, overtime, fallen, first_fallen, battery_low } =
            self.faces;
        line.put(b'#');
        line.digits(self.seq.into(), 1);
        line.text(" @");
        line.number(self.at.ticks());
        for side in Side::ALL {
            line.put(b' ');
            line.face(shown[side]);
        }
        line.text(match phase {
            Phase::Ready => " ready",
            Phase::Running(_) => " run-",
            Phase::Paused(_) => " pause-",
            Phase::Frozen(_) => " freeze-",
        });
        if let Some(side) = phase.side() {
            line.put(letter(side));
        }
        if delay_seconds > 0 {
            line.text(" +");
            line.digits(delay_seconds, 1);
        }
        if fallen.white || fallen.black {
            line.text(" f");
            line.put(if fallen.white { b'W' } else { b'-' });
            line.put(if fallen.black { b'B' } else { b'-' });
        }
        if let Some(first) = first_fallen {
            line.text(if first == Side::White { " 1W" } else { " 1B" });
        }
        if period != BySide::both(0) {
            line.pair(b'p', period.map(u16::from));
        }
        if overtime != BySide::both(0) {
            line.pair(b'o', overtime);
        }
        if battery_low {
            line.text(" low");
        }
        line.pair(b'm', moves);
    }

    /// Reads a line, with or without its line feed, that came after the line of `before`.
    ///
    /// # Errors
    /// [`FrameError`] names the part that no device of this version writes.
    pub fn parse(line: &[u8], before: Option<&Self>) -> Result<Self, FrameError> {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = core::str::from_utf8(line).map_err(|_| FrameError::Checksum)?;
        let (text, sum) = line.rsplit_once(" *").ok_or(FrameError::Checksum)?;
        if u8::from_str_radix(sum, 16) != Ok(text.bytes().fold(0, |sum, byte| sum ^ byte)) {
            return Err(FrameError::Checksum);
        }
        let (frame, before) = match Side::ALL.into_iter().find(|side| text.as_bytes().first() == Some(&letter(*side))) {
            Some(side) => {
                let before = before.ok_or(FrameError::Before)?;
                (parse_short(&text[1..], side, before)?, Some(before))
            }
            None => (parse_parts(text)?, None),
        };
        // There is one way to write a frame: anything else is a line of another device.
        let written = frame.to_line(before);
        if written.as_bytes().strip_suffix(b"\n") == Some(line.as_bytes()) { Ok(frame) } else { Err(FrameError::Form) }
    }
}

fn parse_parts(text: &str) -> Result<Frame, FrameError> {
    let mut parts = text.split(' ').peekable();
    let mut next = |error: FrameError| parts.next().ok_or(error);
    let seq = next(FrameError::Number)?.strip_prefix('#').and_then(|n| n.parse().ok()).ok_or(FrameError::Number)?;
    let at = next(FrameError::Time)?.strip_prefix('@').and_then(|n| n.parse().ok()).ok_or(FrameError::Time)?;
    let white = face(next(FrameError::Face(Side::White))?).ok_or(FrameError::Face(Side::White))?;
    let black = face(next(FrameError::Face(Side::Black))?).ok_or(FrameError::Face(Side::Black))?;
    let phase = phase(next(FrameError::Phase)?).ok_or(FrameError::Phase)?;
    let mut faces = Faces {
        shown: BySide::new(white, black),
        delay_seconds: 0,
        phase,
        moves: BySide::both(0),
        period: BySide::both(0),
        overtime: BySide::both(0),
        fallen: BySide::both(false),
        first_fallen: None,
        battery_low: false,
    };
    for part in parts {
        sign(part, &mut faces).ok_or(FrameError::Sign)?;
    }
    Ok(Frame { seq, at: DeviceTime::from_ticks(at), faces })
}

fn parse_short(text: &str, side: Side, before: &Frame) -> Result<Frame, FrameError> {
    let (digits, ticks) = text.split_once(" +").ok_or(FrameError::Time)?;
    let ticks: u32 = ticks.parse().map_err(|_| FrameError::Time)?;
    let mut frame = Frame { at: before.at.after(ticks.into()), ..*before };
    frame.faces.shown[side] = face(digits).ok_or(FrameError::Face(side))?;
    Ok(frame)
}

fn face(text: &str) -> Option<Face> {
    let number = |text: &str| text.parse::<u32>().ok();
    let tenths = |hours: u32, minutes: u32, seconds: u32| {
        hours.checked_mul(3_600)?.checked_add(minutes.checked_mul(60)?)?.checked_add(seconds)?.checked_mul(10)
    };
    if let Some((seconds, tenth)) = text.split_once('.') {
        return Some(Face::new(number(seconds)?.checked_mul(10)?.checked_add(number(tenth)?)?, Digits::Tenths));
    }
    if let Some((hours, minutes)) = text.split_once('h') {
        return Some(Face::new(tenths(number(hours)?, number(minutes)?, 0)?, Digits::Minutes));
    }
    let (before, seconds) = text.rsplit_once(':')?;
    let (hours, minutes) = before.split_once(':').unwrap_or(("0", before));
    Some(Face::new(tenths(number(hours)?, number(minutes)?, number(seconds)?)?, Digits::Seconds))
}

fn phase(text: &str) -> Option<Phase> {
    if text == "ready" {
        return Some(Phase::Ready);
    }
    let (doing, side) = text.split_once('-')?;
    let side = match side {
        "w" => Side::White,
        "b" => Side::Black,
        _ => return None,
    };
    match doing {
        "run" => Some(Phase::Running(side)),
        "pause" => Some(Phase::Paused(side)),
        "freeze" => Some(Phase::Frozen(side)),
        _ => None,
    }
}

fn sign(part: &str, faces: &mut Faces) -> Option<()> {
    let (name, rest) = part.split_at_checked(1)?;
    match (name, rest) {
        ("+", seconds) => faces.delay_seconds = seconds.parse().ok()?,
        ("f", flags) => faces.fallen = BySide::new(flags.starts_with('W'), flags.ends_with('B')),
        ("1", "W") => faces.first_fallen = Some(Side::White),
        ("1", "B") => faces.first_fallen = Some(Side::Black),
        ("l", "ow") => faces.battery_low = true,
        ("p", both) => {
            let (white, black) = both.split_once('/')?;
            faces.period = BySide::new(white.parse().ok()?, black.parse().ok()?);
        }
        ("o", both) => faces.overtime = counts(both)?,
        ("m", both) => faces.moves = counts(both)?,
        _ => return None,
    }
    Some(())
}

fn counts(both: &str) -> Option<BySide<u16>> {
    let (white, black) = both.split_once('/')?;
    Some(BySide::new(white.parse().ok()?, black.parse().ok()?))
}

/// A line that no device of this version writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The checksum is missing or another: bytes were lost or changed on the wire. Look at baud rate and cable.
    Checksum,
    /// No record number at the beginning.
    Number,
    /// No device time.
    Time,
    /// No digits for this side.
    Face(Side),
    /// No word for what the clock is doing.
    Phase,
    /// A part that has no meaning.
    Sign,
    /// It says what has changed since a line that is not known: wait for the next long one.
    Before,
    /// The parts have a meaning each, but no device of this version writes them like this.
    Form,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checksum => f.write_str("no or a wrong checksum: bytes were lost or changed on the wire"),
            Self::Number => f.write_str("no record number"),
            Self::Time => f.write_str("no device time"),
            Self::Face(side) => write!(f, "no digits for {side}"),
            Self::Phase => f.write_str("no word for what the clock is doing"),
            Self::Sign => f.write_str("a part without a meaning"),
            Self::Before => f.write_str("what has changed since a line that is not known"),
            Self::Form => f.write_str("not as a device writes it"),
        }
    }
}

impl core::error::Error for FrameError {}

#[cfg(test)]
mod tests;
