//! What a panel showed where it did not show what the record says, and when it showed what a press brought.

use flagfall_core::DeviceTime;
use flagfall_core::panel::{Faces, Frame};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A record whose faces were not those that a watched panel showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misshown {
    /// Index of the record in its trace.
    pub record: u32,
    /// What was shown; `None` for a panel that had shown nothing yet.
    #[serde(with = "faces")]
    pub shown: Option<Faces>,
}

impl Misshown {
    /// What was shown as the panel's own line has it, without number, time and checksum: `4:53 5:00 run-b m1/0`.
    #[must_use]
    pub fn text(&self) -> String {
        self.shown.map_or_else(|| "nothing".to_owned(), |faces| text(&faces))
    }
}

/// A press of which the device says when its panel showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Displayed {
    /// Index of the press's last record in its trace.
    pub record: u32,
    /// Ticks of the device from the edge of the contact until the panel's line had gone out.
    pub ticks: u64,
}

const HEAD: &str = "#0 @0 ";

fn text(faces: &Faces) -> String {
    let line = Frame { seq: 0, at: DeviceTime::ZERO, faces: *faces }.to_line(None);
    let line = String::from_utf8_lossy(line.as_bytes());
    let line = line.rsplit_once(" *").map_or("", |(line, _)| line);
    line.strip_prefix(HEAD).unwrap_or(line).to_owned()
}

fn parse(text: &str) -> Result<Faces, String> {
    let line = format!("{HEAD}{text}");
    let sum = line.bytes().fold(0, |sum, byte| sum ^ byte);
    let frame = Frame::parse(format!("{line} *{sum:02x}").as_bytes(), None);
    frame.map(|frame| frame.faces).map_err(|error| format!("{text:?} is no panel: {error}"))
}

mod faces {
    use super::{Deserialize, Deserializer, Faces, Serialize, Serializer, de};

    pub(super) fn serialize<S: Serializer>(faces: &Option<Faces>, serializer: S) -> Result<S::Ok, S::Error> {
        faces.as_ref().map(super::text).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Faces>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| super::parse(&text).map_err(de::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::{BySide, Face, Phase, Side};

    use super::*;

    #[test]
    fn what_was_shown_is_written_as_the_panel_writes_it() {
        let faces = Faces {
            shown: BySide::new(Face::from_seconds(293), Face::from_seconds(300)),
            delay_seconds: 3,
            phase: Phase::Running(Side::Black),
            moves: BySide::new(1, 0),
            period: BySide::both(0),
            overtime: BySide::both(0),
            fallen: BySide::new(false, true),
            first_fallen: Some(Side::Black),
            battery_low: true,
        };
        for (shown, written) in [(Some(faces), r#""4:53 5:00 run-b +3 f-B 1B low m1/0""#), (None, "null")] {
            let misshown = Misshown { record: 7, shown };
            let text = serde_json::to_string(&misshown).expect("written");
            assert_eq!(text, format!(r#"{{"record":7,"shown":{written}}}"#));
            assert_eq!(serde_json::from_str::<Misshown>(&text).expect("read"), misshown);
        }
        assert!(serde_json::from_str::<Misshown>(r#"{"record":7,"shown":"4:53"}"#).is_err());
    }
}
