//! A serial port of this machine, to which the display of a real board is wired.
//!
//! It is read by a thread of its own from when it is opened on: the buffers of adapters and of the system are small, and a
//! game is long. Nothing is ever sent.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use serial2::SerialPort;

use super::description::SerialLine;
use super::probes::RULES_FILE;

/// How often the thread that reads looks whether anybody still listens.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long after its last byte more may come from a device that stands still: what adapter and system hold back. Usual
/// adapters wait 16 ms for a packet to fill; the rest is for a machine that is busy.
const IN_FLIGHT: Duration = Duration::from_millis(250);

/// How long bytes may come from a device that stands still at all.
const STANDSTILL: Duration = Duration::from_secs(3);

/// Why a panel cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// There is none: plug the adapter in, or correct the board file.
    #[error(
        "there is no serial port {}: plug its adapter in, or correct `panel.serial` in the board file \
         (`ls /dev/serial/by-id` has those that are there)", .0.display()
    )]
    Absent(PathBuf),
    /// The user may not open it: install a udev rule.
    #[error(
        "this user may not open the serial port {}: put `{rule}` into {RULES_FILE}, run `udevadm control --reload` as \
         root, and plug the adapter in again", port.display()
    )]
    Forbidden {
        /// Which.
        port: PathBuf,
        /// The rule.
        rule: String,
    },
    /// Something else is at that path: correct the board file.
    #[error("{} is no serial port; correct `panel.serial` in the board file", .0.display())]
    NotOne(PathBuf),
    /// Somebody has it, or it does not do this rate.
    #[error(
        "the serial port {} cannot be opened at {baud} baud: {cause}; end what uses it, or correct `panel.baud` in the \
         board file", port.display()
    )]
    Refused {
        /// Which.
        port: PathBuf,
        /// At which rate.
        baud: u32,
        /// What the system says.
        cause: io::Error,
    },
    /// It went away while it was read: look at the adapter.
    #[error("the serial port {} went away ({cause}); look at its adapter and the cable to it", port.display())]
    Gone {
        /// Which.
        port: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// Bytes come that the board cannot have sent: look what is wired there.
    #[error(
        "bytes keep coming out of {} while the board stands still; correct `panel.serial` in the board file, or look what \
         is wired to it", .0.display()
    )]
    Foreign(PathBuf),
    /// Not one byte has come since the board was reset: look at the wire.
    #[error(
        "nothing has come out of {} since the board was reset; look at the wire from the chip's TX to the adapter's RX, \
         and at their ground", .0.display()
    )]
    Silent(PathBuf),
    /// Bytes come, and make no line: look at the rate and at the wire.
    #[error(
        "what comes out of {} at {baud} baud is no line of a panel; look at `panel.baud` in the board file, and at the \
         wire", port.display()
    )]
    Noise {
        /// Which.
        port: PathBuf,
        /// At which rate.
        baud: u32,
    },
}

/// A serial port that is read for as long as this is there.
pub(super) struct Port {
    line: SerialLine,
    heard: Receiver<io::Result<Vec<u8>>>,
    nobody_listens: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Port {
    /// Opens it raw, eight bits to a byte, and begins to read.
    pub(super) fn open(line: &SerialLine) -> Result<Self, PortError> {
        let refused = |cause| refused(line, cause);
        let mut port = SerialPort::open(&line.port, line.baud).map_err(refused)?;
        port.set_read_timeout(LOOK_EVERY).map_err(refused)?;
        let (teller, heard) = mpsc::channel();
        let nobody_listens = Arc::new(AtomicBool::new(false));
        let ended = nobody_listens.clone();
        let reader = std::thread::Builder::new().name("panel".into()).spawn(move || read(&port, &teller, &ended));
        let reader = Some(reader.map_err(refused)?);
        Ok(Self { line: line.clone(), heard, nobody_listens, reader })
    }

    /// The bytes that have come since the last call; none is no end.
    pub(super) fn read_new(&mut self) -> Result<Vec<u8>, PortError> {
        let mut bytes = Vec::new();
        loop {
            match self.heard.try_recv() {
                Ok(Ok(more)) => bytes.extend(more),
                Err(TryRecvError::Empty) => return Ok(bytes),
                Ok(Err(cause)) => return Err(self.gone(&cause.to_string())),
                Err(TryRecvError::Disconnected) => return Err(self.gone("it is read no longer")),
            }
        }
    }

    /// The next bytes of a device that stands still since `halted`; `None` once nothing more of what it has sent can be on
    /// its way.
    pub(super) fn in_flight(&mut self, halted: Instant) -> Result<Option<Vec<u8>>, PortError> {
        if halted.elapsed() > STANDSTILL {
            return Err(PortError::Foreign(self.line.port.clone()));
        }
        match self.heard.recv_timeout(IN_FLIGHT) {
            Ok(Ok(bytes)) => Ok(Some(bytes)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Err(cause)) => Err(self.gone(&cause.to_string())),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone("it is read no longer")),
        }
    }

    /// Why no line has come since the reset; whether bytes have.
    pub(super) fn without_a_line(&self, bytes_came: bool) -> PortError {
        let SerialLine { port, baud } = self.line.clone();
        if bytes_came { PortError::Noise { port, baud } } else { PortError::Silent(port) }
    }

    fn gone(&self, cause: &str) -> PortError {
        PortError::Gone { port: self.line.port.clone(), cause: cause.to_owned() }
    }
}

impl Drop for Port {
    fn drop(&mut self) {
        self.nobody_listens.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            // The next to open the port must be alone with it. A reader that panicked has told so.
            let _ = reader.join();
        }
    }
}

/// Passes on what comes until nobody listens or the port has gone.
fn read(port: &SerialPort, teller: &Sender<io::Result<Vec<u8>>>, nobody_listens: &AtomicBool) {
    let mut bytes = [0; 4096];
    while !nobody_listens.load(Ordering::Relaxed) {
        let told = match port.read(&mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(bytes[..count].to_vec()),
            Err(nothing) if matches!(nothing.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => continue,
            Err(interrupted) if interrupted.kind() == io::ErrorKind::Interrupted => continue,
            Err(cause) => Err(cause),
        };
        let is_gone = told.is_err();
        if teller.send(told).is_err() || is_gone {
            return;
        }
    }
}

/// Why the system does not let anybody read this port.
fn refused(line: &SerialLine, cause: io::Error) -> PortError {
    let port = line.port.clone();
    let errno = cause.raw_os_error().map(Errno::from_raw);
    match (cause.kind(), errno) {
        // The node of an adapter that was pulled out may still be there.
        (io::ErrorKind::NotFound, _) | (_, Some(Errno::ENODEV | Errno::ENXIO)) => PortError::Absent(port),
        (io::ErrorKind::PermissionDenied, _) => PortError::Forbidden { rule: rule(&port), port },
        (_, Some(Errno::ENOTTY | Errno::EISDIR)) => PortError::NotOne(port),
        _ => PortError::Refused { port, baud: line.baud, cause },
    }
}

/// The udev rule that gives ports of this kind to whoever sits at the machine (systemd's `uaccess`).
fn rule(port: &Path) -> String {
    // What is in /dev/serial are links; the kernel knows their ends.
    let device = fs::canonicalize(port).unwrap_or_else(|_| port.to_owned());
    let name = device.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let kind = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    format!(r#"SUBSYSTEM=="tty", KERNEL=="{kind}[0-9]*", TAG+="uaccess""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_is_told_by_what_can_be_done() {
        let line = SerialLine { port: "/dev/ttyUSB7".into(), baud: 115_200 };
        let told = |errno: Errno| refused(&line, io::Error::from_raw_os_error(errno as i32)).to_string();
        let forbidden = told(Errno::EACCES);
        assert!(forbidden.contains(r#"`SUBSYSTEM=="tty", KERNEL=="ttyUSB[0-9]*", TAG+="uaccess"`"#), "{forbidden}");
        for errno in [Errno::ENOENT, Errno::ENODEV, Errno::ENXIO] {
            assert!(told(errno).starts_with("there is no serial port /dev/ttyUSB7: plug"), "{errno}");
        }
        assert!(told(Errno::ENOTTY).starts_with("/dev/ttyUSB7 is no serial port"), "{}", told(Errno::ENOTTY));
        assert!(told(Errno::EBUSY).contains("cannot be opened at 115200 baud"), "{}", told(Errno::EBUSY));
    }
}
