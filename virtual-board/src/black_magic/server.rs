//! The listener: one board, one client at a time, and the next when it leaves.

use super::frame::Decoder;
use super::probe::Probe;
use super::reply::Reply;
use crate::dap::{ConnectError, DebugPort};
use crate::emulator::{Emulator, EmulatorOptions, LaunchError};
use crate::obituary::Obituary;
use crate::target::AccessError;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How often the server looks up from what it does, to let somebody in or to end.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long a client may take to its first command, and to read an answer.
const CLIENT_PATIENCE: Duration = Duration::from_secs(5);
/// How long a client waits while another is served, before it is told that the probe is busy: probe-rs would wait for
/// ever.
const QUEUE_PATIENCE: Duration = Duration::from_secs(5);
/// How many may wait.
const QUEUE_MAX: usize = 8;

/// Why a board cannot be served, or no longer.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Whoever reaches the port owns the board. Listen on 127.0.0.1, and use ssh to come from elsewhere.
    #[error("{0} is not loopback: the board is served on this machine only, e.g. on 127.0.0.1:4242")]
    NotLoopback(SocketAddr),
    /// The port is taken or forbidden. Choose another; port 0 takes one that is free.
    #[error("cannot listen on {address}: {cause}; choose another port, or 0 for any that is free")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        cause: io::Error,
    },
    /// The emulator did not start; its own text says what to do.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The emulator started and did not answer. Start it anew.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The system lets nobody in any more.
    #[error("cannot let a client in: {0}")]
    Accept(io::Error),
}

/// What happens while a board is served, for whoever tells it to people.
#[derive(Debug)]
pub enum Event<'a> {
    /// The board is on, and clients may come.
    Ready {
        /// How QEMU was started.
        command_line: &'a str,
    },
    /// A client is being served from now on.
    Joined(SocketAddr),
    /// The target did not do what the client asked for; the client only knows that it failed.
    Failed(&'a AccessError),
    /// The client is served no longer.
    Left(SocketAddr, Left),
    /// A client waited too long for another, and was told so.
    Busy(SocketAddr),
    /// QEMU had ended, and the board was started anew for the next client.
    PoweredAnew(Obituary),
}

/// Why a client is served no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It has gone.
    Gone,
    /// It gave no command in time: it does not speak the protocol.
    Silent,
    /// It does not read its answers.
    Deaf,
    /// The board is lost: QEMU has ended or does not answer.
    BoardLost,
    /// The server was asked to end.
    Ending,
}

/// A port on which a board is served.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Listens on a loopback address; port 0 takes any that is free.
    pub fn bind(address: SocketAddr) -> Result<Server, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let failed = |cause| ServeError::Bind { address, cause };
        let listener = TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Server { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The text by which probe-rs finds the board.
    pub fn selector(&self) -> String {
        format!("1d50:6018:{}", self.address)
    }

    /// Starts the board and serves it until `stop` says so, which is noticed within a tenth of a second. The emulator ends
    /// with this call, however it ends.
    pub fn serve(
        &self,
        options: &EmulatorOptions,
        stop: impl Fn() -> bool,
        mut tell: impl FnMut(Event<'_>),
    ) -> Result<(), ServeError> {
        let mut board = Board::start(options)?;
        tell(Event::Ready { command_line: board.emulator.command_line() });
        let mut door = Door { listener: &self.listener, waiting: VecDeque::new() };
        while !stop() {
            door.look(&mut tell)?;
            let Some((stream, client)) = door.next() else {
                sleep(LOOK_EVERY);
                continue;
            };
            if board.is_lost() {
                let obituary = board.emulator.obituary();
                drop(board);
                board = Board::start(options)?;
                tell(Event::PoweredAnew(obituary));
            }
            tell(Event::Joined(client));
            let left = board.attend(stream, &stop, &mut door, &mut tell)?;
            tell(Event::Left(client, left));
        }
        Ok(())
    }
}

/// Clients that have come and are not served yet.
struct Door<'s> {
    listener: &'s TcpListener,
    waiting: VecDeque<(TcpStream, SocketAddr, Instant)>,
}

impl Door<'_> {
    /// Takes in who has come, and sends away who has waited too long. Who has gone while waiting is noticed when served.
    fn look(&mut self, tell: &mut impl FnMut(Event<'_>)) -> Result<(), ServeError> {
        loop {
            match self.listener.accept() {
                Ok((stream, client)) => self.waiting.push_back((stream, client, Instant::now())),
                Err(nobody) if nobody.kind() == ErrorKind::WouldBlock => break,
                // It has gone before it was let in.
                Err(gone) if matches!(gone.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {}
                Err(cause) => return Err(ServeError::Accept(cause)),
            }
        }
        let overdue = |since: &Instant| since.elapsed() > QUEUE_PATIENCE;
        while self.waiting.len() > QUEUE_MAX || self.waiting.front().is_some_and(|(.., since)| overdue(since)) {
            let Some((stream, client, _)) = self.waiting.pop_front() else { break };
            // It may have gone; it is told nothing then.
            let _ = send_away(stream);
            tell(Event::Busy(client));
        }
        Ok(())
    }

    fn next(&mut self) -> Option<(TcpStream, SocketAddr)> {
        self.waiting.pop_front().map(|(stream, client, _)| (stream, client))
    }
}

/// A board that is on, with its probe.
struct Board {
    // Dropped before the emulator that it is connected to.
    probe: Probe,
    emulator: Emulator,
    lost: bool,
}

impl Board {
    fn start(options: &EmulatorOptions) -> Result<Board, ServeError> {
        let emulator = Emulator::launch(options)?;
        let probe = Probe::new(DebugPort::connect(options.board, emulator.selector())?);
        Ok(Board { probe, emulator, lost: false })
    }

    fn is_lost(&self) -> bool {
        self.lost || self.emulator.exit_status().is_some()
    }

    /// Serves one client until it leaves.
    fn attend(
        &mut self,
        mut stream: TcpStream,
        stop: &impl Fn() -> bool,
        door: &mut Door<'_>,
        tell: &mut impl FnMut(Event<'_>),
    ) -> Result<Left, ServeError> {
        let come = Instant::now();
        let mut looked = come;
        let mut greeted = false;
        let mut decoder = Decoder::default();
        let mut bytes = [0; 4096];
        if prepare(&stream).is_err() {
            return Ok(Left::Gone);
        }
        loop {
            if looked.elapsed() >= LOOK_EVERY {
                door.look(tell)?;
                looked = Instant::now();
            }
            if stop() {
                return Ok(Left::Ending);
            }
            if !greeted && come.elapsed() > CLIENT_PATIENCE {
                return Ok(Left::Silent);
            }
            let count = match stream.read(&mut bytes) {
                Ok(0) => return Ok(Left::Gone),
                Ok(count) => count,
                Err(nothing) if is_nothing_yet(&nothing) => continue,
                Err(_) => return Ok(Left::Gone),
            };
            let mut answers = Vec::new();
            for frame in bytes[..count].iter().filter_map(|byte| decoder.push(*byte)) {
                greeted = true;
                let answer = self.probe.answer(&frame);
                answers.extend(answer.reply.encode());
                if let Some(failure) = &answer.failure {
                    tell(Event::Failed(failure));
                    self.lost |= failure.loses_the_board();
                }
            }
            match stream.write_all(&answers) {
                Ok(()) if self.lost => return Ok(Left::BoardLost),
                Ok(()) => {}
                Err(full) if is_nothing_yet(&full) => return Ok(Left::Deaf),
                Err(_) => return Ok(Left::Gone),
            }
        }
    }
}

/// Tells a client that the probe is busy. What it has sent is taken first: the system would throw the answer away with it.
fn send_away(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    let mut bytes = [0; 4096];
    // As much as a client sends before it waits for an answer.
    for _ in 0..4 {
        match stream.read(&mut bytes) {
            Ok(1..) => {}
            _ => break,
        }
    }
    stream.write_all(&Reply::Busy.encode())?;
    stream.shutdown(Shutdown::Write)
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(LOOK_EVERY))?;
    stream.set_write_timeout(Some(CLIENT_PATIENCE))
}

fn is_nothing_yet(cause: &io::Error) -> bool {
    matches!(cause.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_served_over_the_network() {
        for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:4242"] {
            let address = address.parse().expect("an address");
            let error = Server::bind(address).expect_err("not loopback");
            assert!(matches!(error, ServeError::NotLoopback(refused) if refused == address), "{error}");
        }
    }

    #[test]
    fn a_port_that_is_taken_is_told() {
        let first = Server::bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        assert_eq!(first.selector(), format!("1d50:6018:{}", first.address()));
        let error = Server::bind(first.address()).expect_err("taken");
        assert!(error.to_string().contains("choose another port"), "{error}");
    }

    #[test]
    fn what_cannot_be_started_is_told_and_nothing_is_served() {
        let server = Server::bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
        let options = EmulatorOptions { qemu: "/nowhere/qemu-system-arm".into(), ..EmulatorOptions::default() };
        let error = server.serve(&options, || false, |event| panic!("{event:?}")).expect_err("no QEMU");
        assert!(matches!(error, ServeError::Launch(LaunchError::QemuMissing { .. })), "{error}");
    }
}
