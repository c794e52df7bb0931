//! What happened: achieved steps and the device's records, hashed and written to files.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flagfall_core::panel::Faces;
use flagfall_core::{Record, TrueTime};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::panel::{Displayed, Misshown};
use crate::placed::Placed;
use crate::plan::Plan;
use crate::regular::open_regular;
use crate::wire;

/// When a step for the clock was really carried out: at some instant between these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Achieved {
    /// Index into the plan's steps.
    pub step: u32,
    /// The latest instant at which it had certainly not happened yet, or the instant itself.
    pub earliest: TrueTime,
    /// The earliest instant at which it had certainly happened, or the instant itself.
    pub latest: TrueTime,
}

/// A record and what the bench knows of its instant in true time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamped {
    /// The bench's estimate of the instant named by the record's device time.
    pub true_time: TrueTime,
    /// How far off that estimate may be, in nanoseconds; zero in virtual time.
    pub uncertainty_ns: u64,
    /// What the device wrote.
    #[serde(with = "wire::record_hex")]
    pub record: Record,
}

/// A reset of the device, after which its own time went on from another tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reset {
    /// The step of the plan that it was.
    pub step: u32,
    /// Device time at which what the device kept was last true; every stamp from before is not later, every one from
    /// after is.
    pub kept_ticks: u64,
    /// How many ticks of device time are missing since then.
    pub missing_ticks: u64,
    /// Device time at the reset: what passed between the two is lost to the device.
    pub at_ticks: u64,
    /// No more than so many ticks may be lost, as the board file says.
    pub lost_ticks_max: u64,
    /// True time without supply in nanoseconds, which no counter saw: added by the bench.
    pub off_ns: i64,
    /// How far off that may be.
    pub uncertainty_ns: u64,
}

/// A span of true time that was not waited for: the counters of the device and of true time were moved over it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jump {
    /// Where they stood before.
    pub from: TrueTime,
    /// Where they stood after.
    pub to: TrueTime,
}

/// A plan and everything that a rig saw when carrying it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// Version of this form: 1.
    pub schema: u32,
    /// What was to happen.
    pub plan: Plan,
    /// Device time at the beginning of the run; zero in virtual time, anything on a board.
    pub device_zero_ticks: u64,
    /// The steps for the clock, in the order in which they were achieved.
    pub achieved: Vec<Achieved>,
    /// When the faults that last for some time ended, by the step with which each began. Empty in virtual time, where a
    /// fault ends when it should.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<Achieved>,
    /// Resets over which device time lost its place. Empty in virtual time, where it is on a supply of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resets: Vec<Reset>,
    /// What was not waited for, in jumped time: there are no acts and no records in it. Empty where all time was counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jumps: Vec<Jump>,
    /// What the device wrote, in its order.
    pub records: Vec<Stamped>,
    /// Whether the device wrote nothing and the records are looks of the bench into its memory: each says `read`, its
    /// ticks are true time, and what the bench cannot see is zero in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub watched: bool,
    /// Where the panel did not show what the records say; `None` for one that was not watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Vec<Misshown>>,
    /// When the device's panel showed what presses brought, by the device itself; empty without a panel, as in virtual time,
    /// and for a device that does not say it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub displayed: Vec<Displayed>,
    /// Where in a tick of the device presses came; empty where nobody put them anywhere, as in virtual time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<Placed>,
}

/// SHA-256 over a plan and its records; printed as the first 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceHash([u8; 32]);

impl fmt::Display for TraceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&wire::to_hex(&self.0[..8]))
    }
}

impl fmt::Debug for TraceHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceHash({self})")
    }
}

/// A trace file that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceFileError {
    /// The file system refused: look at the path and the cause.
    #[error("cannot {doing} {path}: {cause}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// Why it failed.
        cause: io::Error,
    },
    /// The file holds no trace of this version: it was damaged, or another version of flagfall wrote it.
    #[error("{path} is no trace: {cause}")]
    Form {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        cause: serde_json::Error,
    },
    /// A trace of a later version: use the flagfall that wrote it.
    #[error("{path} has trace schema {found}, this flagfall reads schema {}", Trace::SCHEMA)]
    Schema {
        /// Which file.
        path: PathBuf,
        /// Its schema.
        found: u32,
    },
}

impl Trace {
    /// The version of the file form.
    pub const SCHEMA: u32 = 2;

    /// A trace of what a rig saw, on a device that stood at `device_zero_ticks` when the run began.
    #[must_use]
    pub const fn new(plan: Plan, device_zero_ticks: u64, achieved: Vec<Achieved>, records: Vec<Stamped>) -> Self {
        let ends = Vec::new();
        let resets = Vec::new();
        let jumps = Vec::new();
        Self {
            schema: Self::SCHEMA,
            plan,
            device_zero_ticks,
            achieved,
            ends,
            resets,
            jumps,
            records,
            watched: false,
            panel: None,
            displayed: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// A trace of what a bench saw in the memory of a device that tells it nothing.
    #[must_use]
    pub const fn of_looks(plan: Plan, achieved: Vec<Achieved>, looks: Vec<Stamped>) -> Self {
        let mut trace = Self::new(plan, 0, achieved, looks);
        trace.watched = true;
        trace
    }

    /// What could be seen when the device wrote a record: what the panel showed, and what the record says where nobody saw
    /// anything else.
    #[must_use]
    pub fn seen(&self, index: usize) -> Option<Faces> {
        let misshown = self.panel.iter().flatten().find(|misshown| misshown.record as usize == index);
        let of_panel = misshown.and_then(|misshown| misshown.shown);
        of_panel.or_else(|| self.records.get(index).map(|stamped| Faces::of(&stamped.record)))
    }

    /// Ticks of device time since the beginning of the run at which a record took effect.
    ///
    /// Signed: a device whose time base jumps back can date a record before the beginning. What is missing over a reset
    /// is added, so that device time goes on.
    #[must_use]
    pub fn ticks_into_run(&self, record: &Record) -> i128 {
        let since = self.resets.iter().filter(|reset| record.at.ticks() > reset.kept_ticks);
        let missing: i128 = since.map(|reset| i128::from(reset.missing_ticks)).sum();
        i128::from(record.at.ticks()) - i128::from(self.device_zero_ticks) + missing
    }

    /// Ticks of device time since the beginning of the run at which what a reset brought back was true.
    #[must_use]
    pub fn kept_into_run(&self, reset: &Reset) -> i128 {
        let before = self.resets.iter().filter(|other| other.kept_ticks < reset.kept_ticks);
        let missing: i128 = before.map(|other| i128::from(other.missing_ticks)).sum();
        i128::from(reset.kept_ticks) - i128::from(self.device_zero_ticks) + missing
    }

    /// The hash over plan, achieved instants and records; equal on every machine for equal facts.
    #[must_use]
    pub fn hash(&self) -> TraceHash {
        let plan = serde_json::to_vec(&self.plan).expect("a plan has string keys only");
        let mut hash = Sha256::new();
        hash.update(b"flagfall trace 1\n");
        hash.update((plan.len() as u64).to_le_bytes());
        hash.update(&plan);
        hash.update(self.device_zero_ticks.to_le_bytes());
        for achieved in &self.achieved {
            hash.update(b"a");
            hash.update(achieved.step.to_le_bytes());
            hash.update(achieved.earliest.ns().to_le_bytes());
            hash.update(achieved.latest.ns().to_le_bytes());
        }
        for end in &self.ends {
            hash.update(b"e");
            hash.update(end.step.to_le_bytes());
            hash.update(end.earliest.ns().to_le_bytes());
            hash.update(end.latest.ns().to_le_bytes());
        }
        for reset in &self.resets {
            let Reset { step, kept_ticks, missing_ticks, at_ticks, lost_ticks_max, off_ns, uncertainty_ns } = reset;
            hash.update(b"o");
            hash.update(step.to_le_bytes());
            for ticks in [kept_ticks, missing_ticks, at_ticks, lost_ticks_max] {
                hash.update(ticks.to_le_bytes());
            }
            hash.update(off_ns.to_le_bytes());
            hash.update(uncertainty_ns.to_le_bytes());
        }
        for Jump { from, to } in &self.jumps {
            hash.update(b"j");
            hash.update(from.ns().to_le_bytes());
            hash.update(to.ns().to_le_bytes());
        }
        for stamped in &self.records {
            hash.update(b"r");
            hash.update(stamped.true_time.ns().to_le_bytes());
            hash.update(stamped.uncertainty_ns.to_le_bytes());
            hash.update(stamped.record.to_bytes());
        }
        if self.watched {
            hash.update(b"watched");
        }
        for misshown in self.panel.iter().flatten() {
            hash.update(b"p");
            hash.update(misshown.record.to_le_bytes());
            hash.update(misshown.text().as_bytes());
        }
        for displayed in &self.displayed {
            hash.update(b"d");
            hash.update(displayed.record.to_le_bytes());
            hash.update(displayed.ticks.to_le_bytes());
        }
        for Placed { step, part, read } in &self.placed {
            hash.update(b"t");
            hash.update(step.to_le_bytes());
            hash.update(part.to_le_bytes());
            hash.update([u8::from(*read)]);
        }
        TraceHash(hash.finalize().into())
    }

    /// Writes the trace to `path`, whole or not at all.
    ///
    /// # Errors
    /// [`TraceFileError::Io`] when a folder is missing or the disk is full; nothing is left at `path` then.
    pub fn write(&self, path: &Path) -> Result<(), TraceFileError> {
        let io = |doing, cause| TraceFileError::Io { doing, path: path.to_owned(), cause };
        let text = serde_json::to_vec(self).expect("a trace has string keys only");
        write_whole(path, &text).map_err(|cause| io("write", cause))
    }

    /// Reads a trace back.
    ///
    /// # Errors
    /// [`TraceFileError`] when the file is missing, damaged, or of another version.
    pub fn read(path: &Path) -> Result<Self, TraceFileError> {
        let mut text = Vec::new();
        open_regular(path).and_then(|mut file| file.read_to_end(&mut text)).map_err(|cause| TraceFileError::Io {
            doing: "read",
            path: path.to_owned(),
            cause,
        })?;
        let trace: Self =
            serde_json::from_slice(&text).map_err(|cause| TraceFileError::Form { path: path.to_owned(), cause })?;
        if trace.schema != Self::SCHEMA {
            return Err(TraceFileError::Schema { path: path.to_owned(), found: trace.schema });
        }
        Ok(trace)
    }
}

/// Writes `bytes` beside `path` and moves them into place, so that a reader sees the old file or the new one.
///
/// That holds when the program is ended at any moment; a machine that loses power may lose what it wrote last. What is
/// no file (`/dev/stdout`, a pipe) is written to as it is, and a link stays a link.
///
/// # Errors
/// What the file system says; `path` is untouched then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return std::fs::write(path, bytes);
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        // The first error is the one to report; a leftover part file is only litter.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// The hash of a set of traces: of their sorted scenario ids and hashes, whatever order they were made in.
#[derive(Clone, Debug, Default)]
pub struct SetHash {
    members: Vec<(String, TraceHash)>,
}

impl SetHash {
    /// Adds one trace.
    pub fn add(&mut self, scenario: &str, hash: TraceHash) {
        self.members.push((scenario.to_owned(), hash));
    }

    /// The hash over everything added.
    #[must_use]
    pub fn finish(mut self) -> TraceHash {
        self.members.sort();
        let mut hash = Sha256::new();
        hash.update(b"flagfall trace set 1\n");
        for (scenario, member) in &self.members {
            hash.update((scenario.len() as u64).to_le_bytes());
            hash.update(scenario.as_bytes());
            hash.update(member.0);
        }
        TraceHash(hash.finalize().into())
    }
}
