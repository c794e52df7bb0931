//! What an emulator that has ended left behind: how it ended and its last words.
//!
//! The supervisor writes both beside the sockets, so that a client who only knows a socket can say why it was closed.

use std::fmt;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The file with what QEMU printed on its error output, beside the sockets.
pub(crate) const STDERR_FILE: &str = "stderr";
/// The file with the shell's idea of QEMU's exit status, beside the sockets; it appears when QEMU has ended.
pub(crate) const EXIT_FILE: &str = "exit";

/// How long the exit status of an emulator that has closed its socket may take to appear; it is milliseconds on an idle
/// machine.
pub(crate) const CLOSED_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait for the exit status of an emulator of which it is not known whether it is ending.
pub(crate) const UNKNOWN_PATIENCE: Duration = Duration::from_millis(300);
/// How many lines of error output are kept.
const LAST_LINES: usize = 4;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It returned this status.
    Status(i32),
    /// It was ended by this signal.
    Signal(i32),
}

impl Exit {
    /// A shell reports a signal as 128 plus its number.
    pub(crate) fn from_shell(status: i32) -> Exit {
        if status > 128 { Exit::Signal(status - 128) } else { Exit::Status(status) }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Status(status) => write!(f, "exit status {status}"),
            Exit::Signal(signal) => write!(f, "ended by signal {signal}"),
        }
    }
}

/// Why an emulator is no longer there, as far as is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Obituary {
    /// How QEMU ended; `None` if it still runs or was started by somebody else.
    pub exit: Option<Exit>,
    /// The last lines of QEMU's error output; empty if it printed none.
    pub last_words: String,
}

impl Obituary {
    /// Whether QEMU gave up because the core locked up: a fault inside the handler of a fault, the emulated form of
    /// DHCSR.S_LOCKUP. That is a crash of the firmware, not of the bench.
    pub fn is_lockup(&self) -> bool {
        self.last_words.contains("Lockup")
    }

    /// What stands beside `socket`, waiting at most `patience` for the exit status.
    pub(crate) fn read_beside(socket: &Path, patience: Duration) -> Obituary {
        let Some(folder) = socket.parent() else { return Obituary::default() };
        if !folder.join(STDERR_FILE).exists() {
            return Obituary::default();
        }
        let deadline = Instant::now() + patience;
        let mut exit = read_exit(folder);
        while exit.is_none() && Instant::now() < deadline {
            sleep(Duration::from_millis(5));
            exit = read_exit(folder);
        }
        Obituary { exit, last_words: last_words(&read_stderr(folder)) }
    }
}

impl fmt::Display for Obituary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exit {
            Some(exit) => write!(f, "{exit}")?,
            None => f.write_str("no exit status known")?,
        }
        match self.last_words.as_str() {
            "" => f.write_str(", no error output"),
            words => write!(f, ", error output: {words}"),
        }
    }
}

/// The exit status in `folder`, if QEMU has ended and it is written completely.
pub(crate) fn read_exit(folder: &Path) -> Option<Exit> {
    let text = fs::read_to_string(folder.join(EXIT_FILE)).ok()?;
    text.strip_suffix('\n')?.parse().ok().map(Exit::from_shell)
}

/// All of QEMU's error output so far; bytes that are no text are replaced.
pub(crate) fn read_stderr(folder: &Path) -> String {
    fs::read(folder.join(STDERR_FILE)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// The message lines at the end of `stderr`, joined by " | "; after a fatal error QEMU prints its registers, which say
/// nothing here and push the message away.
pub(crate) fn last_words(stderr: &str) -> String {
    let lines: Vec<&str> =
        stderr.lines().map(str::trim).filter(|line| !line.is_empty() && !is_register_dump(line)).collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join(" | ")
}

/// `R00=...`, `s00=...`, `XPSR=...`, `FPSCR: ...`
fn is_register_dump(line: &str) -> bool {
    let name = line.split(['=', ':']).next().unwrap_or_default();
    matches!(name, "XPSR" | "FPSCR")
        || matches!(name.as_bytes(), [b'R' | b's', tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCKUP: &str = "qemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)\n\n\
        R00=00000000 R01=00000000 R02=00000000 R03=00000000\nR12=00000000 R13=2001ffe0 R14=fffffff9 R15=00000000\n\
        XPSR=40000003 -Z-- A handler\nFPSCR: 00000000\n";

    #[test]
    fn the_message_outlives_the_register_dump() {
        let obituary = Obituary { exit: Some(Exit::from_shell(134)), last_words: last_words(LOCKUP) };
        assert!(obituary.is_lockup());
        assert_eq!(
            obituary.to_string(),
            "ended by signal 6, error output: qemu: fatal: Lockup: can't escalate 3 to HardFault (current priority -1)"
        );
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        assert_eq!(last_words("a\nb\n\nc\nd\ne\n"), "b | c | d | e");
        assert_eq!(last_words(""), "");
    }

    #[test]
    fn a_status_of_a_shell_is_told_from_a_signal() {
        assert_eq!(Exit::from_shell(1), Exit::Status(1));
        assert_eq!(Exit::from_shell(137), Exit::Signal(9));
    }
}
