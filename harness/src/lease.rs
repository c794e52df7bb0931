//! Who may use a probe: one holder at a time, on one machine.
//!
//! A run holds the probe with a lock of the operating system, which ends with the process however that ends: nothing has
//! to be cleaned up after a crash. A person who works by hand reserves a probe for a time instead; that is a note in a file
//! and ends by itself. Both say who, for what, and until when, so that whoever finds a probe taken knows whom to ask.
//!
//! The emulated board needs no lease: every run starts its own.

mod note;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

pub use note::{Kind, Note, NoteError};

use crate::interrupt::Interrupt;

/// Names the folder of leases, where it is not the one below the temporary folder.
pub const FOLDER_VARIABLE: &str = "FLAGFALL_LEASES";

/// Names the holder, where it is not the account at this machine: `ci-job-4711`.
pub const HOLDER_VARIABLE: &str = "FLAGFALL_HOLDER";

/// For how long a run says that it holds a probe; it says so again with every scenario that it begins.
const RUN_FOR: SignedDuration = SignedDuration::from_mins(30);

/// Somebody who only looks who has a probe, and a run that is about to leave its note, hold the lock for a moment: so
/// often, and so long each time, a lock without a note is waited for.
const GLANCES: u32 = 25;
const GLANCE: Duration = Duration::from_millis(20);

/// How often somebody who waits looks.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A probe that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Somebody else has it: wait for the end of the lease, or ask the holder.
    #[error("probe {probe} is taken: {note}{hint}", hint = hint(note))]
    Held {
        /// Its serial.
        probe: String,
        /// Who has it.
        note: Box<Note>,
    },
    /// A process has it and has not said who it is: look for one that is at the probe.
    #[error("probe {probe} is taken by a process that left no note in {folder}: wait for it with --wait 10m")]
    Unknown {
        /// Its serial.
        probe: String,
        /// Where a note would be.
        folder: PathBuf,
    },
    /// Nobody has reserved it: there is nothing to release.
    #[error("probe {probe} is not reserved")]
    NotReserved {
        /// Its serial.
        probe: String,
    },
    /// Somebody asked for an end while this waited.
    #[error("interrupted while waiting for probe {probe}")]
    Interrupted {
        /// Its serial.
        probe: String,
    },
    /// The folder of leases cannot be used: correct its permissions, or name another with FLAGFALL_LEASES.
    #[error("cannot {doing} {path} (another folder of leases can be named with {FOLDER_VARIABLE}): {cause}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// A note that cannot be read.
    #[error(transparent)]
    Note(#[from] NoteError),
}

fn hint(note: &Note) -> String {
    match note.kind {
        Kind::Run if note.is_over(Timestamp::now()) => {
            format!("; it is still at it although its time is over: end process {} if it hangs", note.pid)
        }
        Kind::Run => "; wait for it with --wait 10m".to_owned(),
        Kind::Reserved => format!("; its holder can end that with `flagfall boards release {}`", note.probe),
    }
}

/// The leases of this machine.
#[derive(Clone, Debug)]
pub struct Leases {
    folder: PathBuf,
    holder: String,
}

impl Leases {
    /// Those that the environment names: [`FOLDER_VARIABLE`] and [`HOLDER_VARIABLE`].
    #[must_use]
    pub fn of_this_machine() -> Self {
        let folder = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty());
        let folder = folder.map_or_else(|| std::env::temp_dir().join("flagfall-leases"), PathBuf::from);
        let holder = std::env::var(HOLDER_VARIABLE).ok().filter(|holder| !holder.trim().is_empty());
        Self { folder, holder: holder.unwrap_or_else(account_at_machine) }
    }

    /// Those in a folder, for a holder of this name.
    #[must_use]
    pub fn in_folder(folder: &Path, holder: &str) -> Self {
        Self { folder: folder.to_owned(), holder: holder.to_owned() }
    }

    /// Takes a probe for a run.
    ///
    /// A reservation of the same holder is no obstacle, and stays.
    ///
    /// # Errors
    /// [`LeaseError::Held`] when somebody else has it.
    pub fn take(&self, probe: &str, purpose: &str) -> Result<Lease, LeaseError> {
        let lock = self.lock(probe)?;
        let note = self.note(probe)?.filter(|note| note.kind == Kind::Reserved && !note.is_over(Timestamp::now()));
        let reserved = note.is_some();
        if let Some(note) = note.filter(|note| note.holder != self.holder) {
            return Err(LeaseError::Held { probe: probe.to_owned(), note: Box::new(note) });
        }
        let lease = Lease {
            leases: self.clone(),
            note: self.new_note(probe, Kind::Run, purpose, RUN_FOR),
            reserved,
            _lock: lock,
        };
        lease.say()?;
        Ok(lease)
    }

    /// Takes a probe, and waits for it so long if somebody has it; `told` is told whom for, once.
    ///
    /// # Errors
    /// [`LeaseError::Held`] when it was not free in time.
    pub fn wait(
        &self,
        probe: &str,
        purpose: &str,
        patience: Duration,
        interrupt: &Interrupt,
        mut told: impl FnMut(&LeaseError),
    ) -> Result<Lease, LeaseError> {
        let begun = Instant::now();
        let mut is_told = false;
        loop {
            let taken = match self.take(probe, purpose) {
                Err(error @ (LeaseError::Held { .. } | LeaseError::Unknown { .. })) => error,
                other => return other,
            };
            if interrupt.is_asked() {
                return Err(LeaseError::Interrupted { probe: probe.to_owned() });
            }
            if begun.elapsed() >= patience {
                return Err(taken);
            }
            if !std::mem::replace(&mut is_told, true) {
                told(&taken);
            }
            std::thread::sleep(LOOK_EVERY.min(patience.saturating_sub(begun.elapsed())));
        }
    }

    /// Reserves a probe for somebody who works by hand; a reservation of the same holder is replaced.
    ///
    /// # Errors
    /// [`LeaseError::Held`] when somebody else has it.
    pub fn reserve(&self, probe: &str, purpose: &str, lasts: SignedDuration) -> Result<Note, LeaseError> {
        drop(self.take(probe, purpose)?);
        let note = self.new_note(probe, Kind::Reserved, purpose, lasts);
        self.write(&note)?;
        Ok(note)
    }

    /// Ends a reservation of this holder, or with `anybodys` any.
    ///
    /// # Errors
    /// [`LeaseError::NotReserved`], or [`LeaseError::Held`] when it is somebody else's or a run is under way.
    pub fn release(&self, probe: &str, anybodys: bool) -> Result<(), LeaseError> {
        let _lock = self.lock(probe)?;
        let Some(note) = self.note(probe)?.filter(|note| note.kind == Kind::Reserved) else {
            return Err(LeaseError::NotReserved { probe: probe.to_owned() });
        };
        if note.holder != self.holder && !anybodys && !note.is_over(Timestamp::now()) {
            return Err(LeaseError::Held { probe: probe.to_owned(), note: Box::new(note) });
        }
        self.remove(probe)
    }

    /// Who has a probe, if anybody; a reservation that is over and a run that has died have nobody.
    ///
    /// # Errors
    /// [`LeaseError`] when the folder cannot be read.
    pub fn holder_of(&self, probe: &str) -> Result<Option<Note>, LeaseError> {
        if !self.folder.exists() {
            return Ok(None);
        }
        match self.lock(probe) {
            Ok(_lock) => {
                Ok(self.note(probe)?.filter(|note| note.kind == Kind::Reserved && !note.is_over(Timestamp::now())))
            }
            Err(LeaseError::Held { note, .. }) => Ok(Some(*note)),
            Err(error) => Err(error),
        }
    }

    /// Locks a probe for this process; the lock ends with the file that is returned.
    fn lock(&self, probe: &str) -> Result<File, LeaseError> {
        let path = self.place(probe, "lock");
        let io = |doing: &'static str, path: &Path| {
            let path = path.to_owned();
            move |cause| LeaseError::Io { doing, path, cause }
        };
        // All accounts of the machine share the folder.
        fs::DirBuilder::new().recursive(true).mode(0o777).create(&self.folder).map_err(io("make", &self.folder))?;
        let file = open_or_create(&path).map_err(io("open", &path))?;
        for _ in 0..GLANCES {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(cause)) => return Err(io("lock", &path)(cause)),
                Err(TryLockError::WouldBlock) => {}
            }
            if let Some(note) = self.note(probe)?.filter(|note| note.kind == Kind::Run) {
                return Err(LeaseError::Held { probe: probe.to_owned(), note: Box::new(note) });
            }
            std::thread::sleep(GLANCE);
        }
        Err(LeaseError::Unknown { probe: probe.to_owned(), folder: self.folder.clone() })
    }

    fn note(&self, probe: &str) -> Result<Option<Note>, LeaseError> {
        Ok(Note::read(&self.place(probe, "json"))?)
    }

    fn write(&self, note: &Note) -> Result<(), LeaseError> {
        let path = self.place(&note.probe, "json");
        note.write(&path).map_err(|cause| LeaseError::Io { doing: "write", path, cause })
    }

    fn remove(&self, probe: &str) -> Result<(), LeaseError> {
        let path = self.place(probe, "json");
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                Err(LeaseError::Io { doing: "remove", path, cause })
            }
            _ => Ok(()),
        }
    }

    fn place(&self, probe: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{}.{extension}", file_name_of(probe)))
    }

    fn new_note(&self, probe: &str, kind: Kind, purpose: &str, lasts: SignedDuration) -> Note {
        Note::new(probe, kind, &self.holder, purpose, lasts)
    }
}

/// A probe that this process holds; dropping it lets the next one have it.
#[derive(Debug)]
pub struct Lease {
    leases: Leases,
    note: Note,
    /// Whether the same holder has reserved the probe, whose note then stands.
    reserved: bool,
    _lock: File,
}

impl Lease {
    /// Says that the run is still at it.
    ///
    /// # Errors
    /// [`LeaseError::Io`] when that cannot be written; the probe is held all the same.
    pub fn renew(&mut self) -> Result<(), LeaseError> {
        self.note.last_for(RUN_FOR);
        self.say()
    }

    fn say(&self) -> Result<(), LeaseError> {
        if self.reserved { Ok(()) } else { self.leases.write(&self.note) }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.reserved {
            // A note without a lock says nothing: one that cannot be removed misleads nobody.
            let _ = self.leases.remove(&self.note.probe);
        }
    }
}

/// Not with one call: in a folder that all may write to, Linux lets nobody open a file of another account to create it.
fn open_or_create(path: &Path) -> io::Result<File> {
    match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o666).open(path)
        }
        opened => opened,
    }
}

/// A serial as a file name: what is neither a letter nor a digit is written as its number, so that no two are alike.
fn file_name_of(probe: &str) -> String {
    let mut name = String::new();
    for byte in probe.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(byte)),
            other => name += &format!("_{other:02x}"),
        }
    }
    name
}

fn account_at_machine() -> String {
    let account = ["USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned());
    let machine = machine.filter(|name| !name.is_empty());
    format!("{}@{}", account.unwrap_or_else(|| "unknown".into()), machine.unwrap_or_else(|| "this machine".into()))
}

#[cfg(test)]
mod tests;
