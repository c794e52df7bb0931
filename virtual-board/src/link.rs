//! A stream to one of QEMU's sockets with bounded waits.
//!
//! A link that has failed once stays failed: after a reply that came too late, request and answer no longer match.

use crate::obituary::{CLOSED_PATIENCE, Obituary, UNKNOWN_PATIENCE};
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::sleep;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How long QEMU may take to answer a command, unless the caller says otherwise. It answers in microseconds; seconds
/// pass only when the machine is very busy.
pub const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest path a Unix socket address can hold on Linux, the final zero excluded (unix(7)).
const LONGEST_PATH: usize = 107;

/// The absolute path of a Unix socket, short enough to be an address and free of the comma that separates two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketPath(PathBuf);

/// A text that is no usable socket path.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SocketPathError {
    /// Write the path from the root.
    #[error("socket path {0:?} does not begin with '/'")]
    NotAbsolute(String),
    /// Use a folder with a shorter name, for instance by setting TMPDIR.
    #[error("socket path {0:?} is longer than 107 bytes")]
    TooLong(String),
    /// Use a folder without a comma in its name.
    #[error("socket path {0:?} holds a comma")]
    Comma(String),
}

impl SocketPath {
    /// The path itself.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl FromStr for SocketPath {
    type Err = SocketPathError;

    fn from_str(text: &str) -> Result<SocketPath, SocketPathError> {
        match text {
            text if !text.starts_with('/') => Err(SocketPathError::NotAbsolute(text.to_owned())),
            text if text.len() > LONGEST_PATH => Err(SocketPathError::TooLong(text.to_owned())),
            text if text.contains(',') => Err(SocketPathError::Comma(text.to_owned())),
            text => Ok(SocketPath(PathBuf::from(text))),
        }
    }
}

impl fmt::Display for SocketPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

/// Why a link to QEMU does not work, or works no longer.
#[derive(Debug, Clone, Error)]
pub enum LinkError {
    /// Nobody listens at this address. Check that the emulator runs and that nobody else is connected.
    #[error("no answer at {socket} within {} ms: {cause} ({obituary})", .patience.as_millis())]
    NotThere {
        /// Where the connection was tried.
        socket: SocketPath,
        /// How long it was tried.
        patience: Duration,
        /// What the system said the last time.
        cause: String,
        /// What is known of the emulator.
        obituary: Obituary,
    },
    /// The firmware crashed so hard that the core stopped executing. Look at the firmware.
    #[error("the emulated core locked up: a fault inside a fault handler ({obituary})")]
    LockedUp {
        /// How the emulator ended.
        obituary: Obituary,
    },
    /// The emulator has ended. Its last words say why; start the board anew.
    #[error("QEMU closed {socket} ({obituary})")]
    Gone {
        /// The link that was closed.
        socket: SocketPath,
        /// How the emulator ended.
        obituary: Obituary,
    },
    /// The emulator does not answer although it is there: it is stopped or starved. Start the board anew.
    #[error("QEMU did not answer at {socket} within {} ms: {exchange}", .waited.as_millis())]
    Timeout {
        /// The silent link.
        socket: SocketPath,
        /// How long an answer was waited for.
        waited: Duration,
        /// What was under way.
        exchange: String,
    },
    /// The system refused to carry bytes. Start the board anew.
    #[error("{socket}: {cause}")]
    Io {
        /// The link.
        socket: SocketPath,
        /// What the system said.
        cause: String,
    },
    /// The link failed before, as told; nothing was sent. Start the board anew.
    #[error("{socket} is closed since an earlier failure: {earlier}")]
    Broken {
        /// The link.
        socket: SocketPath,
        /// The failure that closed it.
        earlier: String,
    },
}

/// A stream to one socket of QEMU.
#[derive(Debug)]
pub(crate) struct Link {
    stream: UnixStream,
    socket: SocketPath,
    reply_timeout: Duration,
    failure: Option<String>,
}

impl Link {
    /// Connects, trying again while the socket is not there yet, for at most `reply_timeout`.
    pub(crate) fn connect(socket: &SocketPath, reply_timeout: Duration) -> Result<Link, LinkError> {
        let deadline = Instant::now() + reply_timeout;
        let refused = loop {
            match UnixStream::connect(socket.as_path()) {
                Ok(stream) => return Link::over(stream, socket.clone(), reply_timeout),
                Err(refused) if Instant::now() >= deadline || has_ended(socket) => break refused,
                Err(_) => sleep(Duration::from_millis(2)),
            }
        };
        let obituary = Obituary::read_beside(socket.as_path(), UNKNOWN_PATIENCE);
        Err(LinkError::NotThere {
            socket: socket.clone(),
            patience: reply_timeout,
            cause: refused.to_string(),
            obituary,
        })
    }

    /// A link over a stream that is already connected.
    pub(crate) fn over(stream: UnixStream, socket: SocketPath, reply_timeout: Duration) -> Result<Link, LinkError> {
        let bounded =
            stream.set_write_timeout(Some(reply_timeout)).and_then(|()| stream.set_read_timeout(Some(reply_timeout)));
        match bounded {
            Ok(()) => Ok(Link { stream, socket, reply_timeout, failure: None }),
            Err(cause) => Err(LinkError::Io { socket, cause: cause.to_string() }),
        }
    }

    /// How long an answer may take.
    pub(crate) fn reply_timeout(&self) -> Duration {
        self.reply_timeout
    }

    /// Sends all of `bytes`. `exchange` names what is under way, for errors.
    pub(crate) fn send(&mut self, bytes: &[u8], exchange: &str) -> Result<(), LinkError> {
        self.refuse_if_broken()?;
        self.stream.write_all(bytes).map_err(|cause| self.fail(&cause, exchange))
    }

    /// Waits for bytes, at most the reply timeout, and returns how many came, 0 if none did.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], exchange: &str) -> Result<usize, LinkError> {
        self.refuse_if_broken()?;
        let outcome = self.stream.read(buffer);
        self.received(outcome, exchange)
    }

    /// Waits for bytes, at most `moment` (zero: takes only what is there), and returns how many came, 0 if none did.
    pub(crate) fn look(&mut self, buffer: &mut [u8], moment: Duration, exchange: &str) -> Result<usize, LinkError> {
        self.refuse_if_broken()?;
        let outcome = if moment.is_zero() { self.read_at_once(buffer) } else { self.read_within(buffer, moment) };
        self.received(outcome, exchange)
    }

    /// Marks the link as failed and returns the error that says an answer is overdue.
    pub(crate) fn overdue(&mut self, exchange: &str) -> LinkError {
        self.fail(&ErrorKind::TimedOut.into(), exchange)
    }

    /// Marks the link as failed because the peer does not keep to its protocol.
    pub(crate) fn distrust(&mut self, reason: &dyn fmt::Display) {
        self.failure.get_or_insert_with(|| reason.to_string());
    }

    fn read_at_once(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_nonblocking(true)?;
        let outcome = self.stream.read(buffer);
        self.stream.set_nonblocking(false)?;
        outcome
    }

    fn read_within(&mut self, buffer: &mut [u8], moment: Duration) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(moment))?;
        let outcome = self.stream.read(buffer);
        self.stream.set_read_timeout(Some(self.reply_timeout))?;
        outcome
    }

    fn received(&mut self, outcome: io::Result<usize>, exchange: &str) -> Result<usize, LinkError> {
        match outcome {
            Ok(0) => Err(self.fail(&ErrorKind::UnexpectedEof.into(), exchange)),
            Ok(count) => Ok(count),
            Err(cause) if is_nothing_yet(&cause) => Ok(0),
            Err(cause) => Err(self.fail(&cause, exchange)),
        }
    }

    fn refuse_if_broken(&self) -> Result<(), LinkError> {
        match &self.failure {
            Some(earlier) => Err(LinkError::Broken { socket: self.socket.clone(), earlier: earlier.clone() }),
            None => Ok(()),
        }
    }

    fn fail(&mut self, cause: &io::Error, exchange: &str) -> LinkError {
        let socket = self.socket.clone();
        let error = match cause.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                LinkError::Timeout { socket, waited: self.reply_timeout, exchange: exchange.to_owned() }
            }
            ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe | ErrorKind::ConnectionReset => {
                let obituary = Obituary::read_beside(socket.as_path(), CLOSED_PATIENCE);
                if obituary.is_lockup() {
                    LinkError::LockedUp { obituary }
                } else {
                    LinkError::Gone { socket, obituary }
                }
            }
            _ => LinkError::Io { socket, cause: cause.to_string() },
        };
        self.failure = Some(error.to_string());
        error
    }
}

fn is_nothing_yet(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

fn has_ended(socket: &SocketPath) -> bool {
    socket.as_path().parent().and_then(crate::obituary::read_exit).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Link, UnixStream) {
        let (ours, peer) = UnixStream::pair().expect("a socket pair");
        let socket = "/nowhere/test".parse().expect("a socket path");
        (Link::over(ours, socket, Duration::from_millis(50)).expect("a link"), peer)
    }

    #[test]
    fn a_socket_path_is_checked_once() {
        assert_eq!("gdb".parse::<SocketPath>(), Err(SocketPathError::NotAbsolute("gdb".into())));
        assert_eq!("/a,b".parse::<SocketPath>(), Err(SocketPathError::Comma("/a,b".into())));
        let long = format!("/{}", "x".repeat(LONGEST_PATH));
        assert_eq!(long.parse::<SocketPath>(), Err(SocketPathError::TooLong(long)));
        assert!(format!("/{}", "x".repeat(LONGEST_PATH - 1)).parse::<SocketPath>().is_ok());
    }

    #[test]
    fn a_look_does_not_wait() {
        let (mut link, mut peer) = pair();
        let mut buffer = [0; 4];
        let start = Instant::now();
        assert_eq!(link.look(&mut buffer, Duration::ZERO, "looking").expect("a look"), 0);
        assert!(start.elapsed() < Duration::from_millis(40));
        assert_eq!(link.look(&mut buffer, Duration::from_millis(10), "waiting a moment").expect("a look"), 0);
        assert!(start.elapsed() >= Duration::from_millis(10));
        peer.write_all(b"ab").expect("written");
        assert_eq!(link.look(&mut buffer, Duration::ZERO, "looking").expect("a look"), 2);
    }

    #[test]
    fn a_closed_link_says_so_and_stays_closed() {
        let (mut link, peer) = pair();
        drop(peer);
        let first = link.receive(&mut [0; 4], "reading").expect_err("closed");
        assert!(matches!(first, LinkError::Gone { .. }), "{first}");
        let second = link.send(b"x", "writing").expect_err("still closed");
        assert!(matches!(second, LinkError::Broken { .. }), "{second}");
    }

    #[test]
    fn nobody_at_home_is_told_within_the_patience() {
        let socket = "/nowhere/gdb".parse().expect("a socket path");
        let start = Instant::now();
        let error = Link::connect(&socket, Duration::from_millis(30)).expect_err("nobody there");
        assert!(matches!(error, LinkError::NotThere { .. }), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_peer_that_reads_nothing_cannot_hold_the_sender() {
        let (mut link, _peer) = pair();
        let error = link.send(&vec![0; 8 << 20], "writing much").expect_err("the peer never reads");
        assert!(matches!(error, LinkError::Timeout { .. }), "{error}");
    }
}
