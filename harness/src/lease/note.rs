//! The note that a holder leaves: who, for what, until when.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use flagfall_trace::open_regular;
use flagfall_trace::trace::write_whole;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// What a probe is held by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A process, for as long as it lives.
    Run,
    /// A person, until the time is over.
    Reserved,
}

/// Who holds a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The version of the form: 1.
    schema: u32,
    /// The probe's serial.
    pub probe: String,
    /// By what it is held.
    pub kind: Kind,
    /// Who: an account at a machine, or what the holder calls himself.
    pub holder: String,
    /// The process that wrote the note.
    pub pid: u32,
    /// What for, in the holder's words or those of the command line.
    pub purpose: String,
    /// Since when.
    pub since: Timestamp,
    /// Until when; a run that is under way says so again and again.
    pub until: Timestamp,
}

/// A note that is no note: remove the file if nobody holds the probe.
#[derive(Debug, thiserror::Error)]
#[error("{path} is no note of a lease (remove it if nobody holds the probe): {cause}")]
pub struct NoteError {
    /// Which file.
    pub path: PathBuf,
    /// Why.
    pub cause: io::Error,
}

impl Note {
    const SCHEMA: u32 = 1;

    pub(super) fn new(probe: &str, kind: Kind, holder: &str, purpose: &str, lasts: SignedDuration) -> Self {
        let since = now();
        let (probe, holder, purpose) = (probe.to_owned(), holder.to_owned(), purpose.to_owned());
        let pid = std::process::id();
        Self { schema: Self::SCHEMA, probe, kind, holder, pid, purpose, since, until: after(since, lasts) }
    }

    /// Whether its time is over.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.until <= now
    }

    pub(super) fn last_for(&mut self, lasts: SignedDuration) {
        self.until = after(now(), lasts);
    }

    pub(super) fn read(path: &Path) -> Result<Option<Self>, NoteError> {
        let fail = |cause| NoteError { path: path.to_owned(), cause };
        let file = match open_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(fail)?,
        };
        let note: Self = serde_json::from_reader(file).map_err(|error| fail(error.into()))?;
        if note.schema != Self::SCHEMA {
            let cause = format!("schema {} where this version reads {}", note.schema, Self::SCHEMA);
            return Err(fail(io::Error::other(cause)));
        }
        Ok(Some(note))
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let text = serde_json::to_vec(self).expect("a note has string keys only");
        write_whole(path, &text)
    }
}

/// Now, to the second: a note is for people.
fn now() -> Timestamp {
    Timestamp::from_second(Timestamp::now().as_second()).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn after(since: Timestamp, lasts: SignedDuration) -> Timestamp {
    since.checked_add(lasts).unwrap_or(Timestamp::MAX)
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, holder, pid, purpose, since, until, .. } = self;
        match kind {
            Kind::Run => write!(f, "{holder}, process {pid}, since {since}, at least until {until} ({purpose})"),
            Kind::Reserved => write!(f, "reserved by {holder} from {since} until {until} ({purpose})"),
        }
    }
}
