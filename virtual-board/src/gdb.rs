//! A client of QEMU's gdb stub: run control, core registers, writes to flash.
//!
//! What is particular about QEMU's stub: it takes `p` and `P` only after the target description has been read; `M` goes
//! through to read-only memory (which is how flash is written) but is dropped by peripherals; any byte sent while the
//! core runs stops it; a stop is reported exactly once, whether a breakpoint or a request came first.

use crate::dwt::{Access, Watchpoint};
use crate::hex;
use crate::link::{Link, LinkError, SocketPath};
use crate::packet::{Decoder, FrameError, encode};
use crate::register_map::{Register, RegisterMap, RegisterMapError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Bytes of one `M` command; QEMU takes packets of up to 4096 characters.
const WRITE_CHUNK: usize = 1024;
/// Bytes of the target description asked for at a time.
const DESCRIPTION_CHUNK: usize = 0xffb;

/// Why a command to the gdb stub has failed.
#[derive(Debug, Clone, Error)]
pub enum GdbError {
    /// The link itself failed; its own text says what to do.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A frame was damaged. Start the board anew.
    #[error("gdb link: {0}")]
    Frame(#[from] FrameError),
    /// QEMU refused the command: it does not know it, or its argument. A QEMU older than 8 may be the cause.
    #[error("QEMU refused gdb command {command:?}: {reply:?}")]
    Refused {
        /// The command.
        command: String,
        /// The reply: empty for an unknown command.
        reply: String,
    },
    /// QEMU's description of its registers is not understood.
    #[error(transparent)]
    Registers(#[from] RegisterMapError),
}

/// Why the core stopped, as the stub tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It hit a breakpoint or finished a step (SIGTRAP).
    Trap,
    /// It accessed this address, which was watched.
    Access(u32),
    /// It was asked to stop, or the reason is of no interest.
    Request,
}

/// A connection to the stub, with the core stopped or running.
#[derive(Debug)]
pub(crate) struct Gdb {
    link: Link,
    decoder: Decoder,
    registers: RegisterMap,
    /// A frame was received whose acknowledgement goes out with the next command: sent alone it would wake QEMU once
    /// more.
    owes_acknowledgement: bool,
}

impl Gdb {
    /// Connects and reads the target description. QEMU stops the core when a client connects, and forgets the
    /// breakpoints an earlier client left.
    pub(crate) fn connect(socket: &SocketPath, reply_timeout: Duration) -> Result<Gdb, GdbError> {
        Gdb::open(Link::connect(socket, reply_timeout)?)
    }

    /// The same over a link that is already there.
    pub(crate) fn open(link: Link) -> Result<Gdb, GdbError> {
        let mut gdb =
            Gdb { link, decoder: Decoder::default(), registers: RegisterMap::default(), owes_acknowledgement: false };
        let features = "qSupported:multiprocess-;swbreak+;hwbreak+";
        let mut reply = gdb.command(features)?;
        while stop_of(&reply).is_some() {
            // The core ran, and QEMU stopped it for the new client, and says so unasked.
            reply = gdb.frame(features)?;
        }
        gdb.registers = RegisterMap::read(|annex| gdb.description(annex))?;
        let state = gdb.command("?")?;
        match stop_of(&state) {
            Some(_) => Ok(gdb),
            None => Err(GdbError::Refused { command: "?".into(), reply: state }),
        }
    }

    fn description(&mut self, annex: &str) -> Result<String, GdbError> {
        let mut text = String::new();
        loop {
            let command = format!("qXfer:features:read:{annex}:{:x},{DESCRIPTION_CHUNK:x}", text.len());
            let reply = self.command(&command)?;
            match (reply.strip_prefix('l'), reply.strip_prefix('m')) {
                (Some(rest), _) => return Ok(text + rest),
                (_, Some(part)) if !part.is_empty() => text.push_str(part),
                _ => return Err(GdbError::Refused { command, reply }),
            }
        }
    }

    /// The value of a register, `None` if this QEMU does not have it.
    pub(crate) fn read_register(&mut self, register: Register) -> Result<Option<u64>, GdbError> {
        let Some(number) = self.registers.number(register) else { return Ok(None) };
        let command = format!("p{number:x}");
        let reply = self.command(&command)?;
        match hex::decode(&reply) {
            Some(bytes) if !bytes.is_empty() && bytes.len() <= 8 => {
                Ok(Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))))
            }
            _ => Err(GdbError::Refused { command, reply }),
        }
    }

    /// Sets a register to the low bytes of `value`; returns whether this QEMU has it.
    pub(crate) fn write_register(&mut self, register: Register, value: u64) -> Result<bool, GdbError> {
        let Some(number) = self.registers.number(register) else { return Ok(false) };
        let bytes = &value.to_le_bytes()[..register.bytes()];
        self.accepted(&format!("P{number:x}={}", hex::encode(bytes)))?;
        Ok(true)
    }

    /// Writes memory, read-only memory included. The core must be stopped.
    pub(crate) fn write_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), GdbError> {
        let mut at = address;
        for chunk in bytes.chunks(WRITE_CHUNK) {
            self.accepted(&format!("M{at:x},{:x}:{}", chunk.len(), hex::encode(chunk)))?;
            at = at.wrapping_add(chunk.len() as u32);
        }
        Ok(())
    }

    /// Sets a breakpoint on an instruction. The core must be stopped.
    pub(crate) fn set_breakpoint(&mut self, address: u32) -> Result<(), GdbError> {
        self.accepted(&format!("Z1,{address:x},2"))
    }

    /// Removes a breakpoint. The core must be stopped.
    pub(crate) fn clear_breakpoint(&mut self, address: u32) -> Result<(), GdbError> {
        self.accepted(&format!("z1,{address:x},2"))
    }

    /// Watches memory. The core must be stopped.
    pub(crate) fn set_watchpoint(&mut self, watchpoint: Watchpoint) -> Result<(), GdbError> {
        self.accepted(&format!("Z{}", watched(watchpoint)))
    }

    /// Watches it no more. The core must be stopped.
    pub(crate) fn clear_watchpoint(&mut self, watchpoint: Watchpoint) -> Result<(), GdbError> {
        self.accepted(&format!("z{}", watched(watchpoint)))
    }

    /// Lets the core run; the stop comes later by [`Gdb::poll_stop`].
    pub(crate) fn resume(&mut self) -> Result<(), GdbError> {
        self.send("c", "resuming the core")
    }

    /// Lets the core execute one instruction, with interrupts and timers held off, and waits for its end.
    ///
    /// Before an access to memory that is watched it ends with [`Stop::Access`], and nothing has been executed.
    pub(crate) fn step(&mut self) -> Result<Stop, GdbError> {
        self.send("s", "stepping the core")?;
        let reply = self.frame("stepping the core")?;
        expect_stop("s", reply)
    }

    /// Asks a running core to stop and waits for the stop, which a breakpoint may have caused in the meantime.
    pub(crate) fn interrupt(&mut self) -> Result<Stop, GdbError> {
        self.link.send(&[3], "stopping the core")?;
        let reply = self.frame("stopping the core")?;
        expect_stop("interrupt", reply)
    }

    /// The stop of a running core, if it has come or comes within `moment`.
    pub(crate) fn poll_stop(&mut self, moment: Duration) -> Result<Option<Stop>, GdbError> {
        let exchange = "looking for a stop";
        let mut buffer = [0; 4096];
        let count = self.link.look(&mut buffer, moment, exchange)?;
        self.decoder.push(&buffer[..count]);
        match self.decoded()? {
            Some(reply) => expect_stop("c", reply).map(Some),
            None => Ok(None),
        }
    }

    /// Runs a command of QEMU's monitor and returns what it prints.
    pub(crate) fn monitor(&mut self, line: &str) -> Result<String, GdbError> {
        let mut reply = self.command(&format!("qRcmd,{}", hex::encode(line.as_bytes())))?;
        let mut printed = Vec::new();
        loop {
            match reply.strip_prefix('O').map(hex::decode) {
                _ if reply == "OK" => return Ok(String::from_utf8_lossy(&printed).into_owned()),
                Some(Some(bytes)) => printed.extend(bytes),
                _ => return Err(GdbError::Refused { command: format!("monitor {line}"), reply }),
            }
            reply = self.frame(line)?;
        }
    }

    fn accepted(&mut self, command: &str) -> Result<(), GdbError> {
        match self.command(command)?.as_str() {
            "OK" => Ok(()),
            reply => Err(GdbError::Refused { command: command.to_owned(), reply: reply.to_owned() }),
        }
    }

    fn command(&mut self, command: &str) -> Result<String, GdbError> {
        self.send(command, command)?;
        self.frame(command)
    }

    fn send(&mut self, command: &str, exchange: &str) -> Result<(), GdbError> {
        let mut bytes = encode(command);
        if std::mem::take(&mut self.owes_acknowledgement) {
            bytes.insert(0, b'+');
        }
        Ok(self.link.send(&bytes, exchange)?)
    }

    /// Waits for a frame, at most the reply timeout.
    fn frame(&mut self, exchange: &str) -> Result<String, GdbError> {
        let deadline = Instant::now() + self.link.reply_timeout();
        let mut buffer = [0; 4096];
        loop {
            if let Some(frame) = self.decoded()? {
                return Ok(frame);
            }
            let count = self.link.receive(&mut buffer, exchange)?;
            if count == 0 && Instant::now() >= deadline {
                return Err(self.link.overdue(exchange).into());
            }
            self.decoder.push(&buffer[..count]);
        }
    }

    fn decoded(&mut self) -> Result<Option<String>, GdbError> {
        match self.decoder.next() {
            Ok(frame) => {
                self.owes_acknowledgement |= frame.is_some();
                Ok(frame)
            }
            Err(damage) => {
                self.link.distrust(&damage);
                Err(damage.into())
            }
        }
    }
}

fn expect_stop(command: &str, reply: String) -> Result<Stop, GdbError> {
    stop_of(&reply).ok_or(GdbError::Refused { command: command.to_owned(), reply })
}

fn watched(Watchpoint { address, len, access }: Watchpoint) -> String {
    let kind = match access {
        Access::Write => 2,
        Access::Read => 3,
        Access::Any => 4,
    };
    format!("{kind},{address:x},{len:x}")
}

fn stop_of(reply: &str) -> Option<Stop> {
    if let Some(address) = reply.strip_prefix("T05").and_then(accessed) {
        return Some(Stop::Access(address));
    }
    match (reply.get(..1), reply.get(1..3)) {
        (Some("T" | "S"), Some("05")) => Some(Stop::Trap),
        (Some("T" | "S"), Some(_)) => Some(Stop::Request),
        _ => None,
    }
}

/// The address in the reason of a stop at a watchpoint, `watch:2001f000;` and the like.
fn accessed(reasons: &str) -> Option<u32> {
    let mut reasons = reasons.split(';').filter_map(|reason| reason.split_once(':'));
    let (_, address) = reasons.find(|(name, _)| matches!(*name, "watch" | "rwatch" | "awatch"))?;
    u32::from_str_radix(address, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::{self, framed, gdb, gdb_link, greeting};

    #[test]
    fn a_description_may_come_in_parts() {
        let (first, rest) =
            (r#"m<reg name="r0"/><reg name="sp"/>"#, r#"l<reg name="lr"/><reg name="pc"/><reg name="xpsr"/>"#);
        let script = vec![
            greeting().remove(0),
            ("qXfer:features:read:target.xml:0,ffb", framed(first)),
            ("qXfer:features:read:target.xml:20,ffb", framed(rest)),
            ("?", framed("S02")),
            ("p3", framed("78563412")),
        ];
        let (link, peer) = gdb_link(script);
        let mut gdb = Gdb::open(link).expect("a greeting");
        assert_eq!(gdb.read_register(Register::Pc).expect("a value"), Some(0x1234_5678));
        assert_eq!(gdb.read_register(Register::Msp).expect("no failure"), None, "not in the description");
        drop(gdb);
        peer.finish();
    }

    #[test]
    fn a_core_that_ran_says_unasked_that_it_was_stopped() {
        let mut script = greeting();
        script[0].1.insert_str(0, "$T02thread:01;#04");
        let (link, peer) = gdb_link(script);
        drop(Gdb::open(link).expect("a greeting"));
        peer.finish();
    }

    #[test]
    fn a_refusal_is_told_with_command_and_reply() {
        let (gdb, peer) =
            gdb(vec![("Z1,8000200,2", framed("E22")), ("p5", framed("zz")), ("p6", framed("")), ("c", framed("W00"))]);
        let mut gdb = gdb.expect("a greeting");
        let error = gdb.set_breakpoint(0x0800_0200).expect_err("refused");
        assert!(
            matches!(&error, GdbError::Refused { command, reply } if command == "Z1,8000200,2" && reply == "E22"),
            "{error}"
        );
        assert!(gdb.read_register(Register::General(5)).is_err());
        assert!(gdb.read_register(Register::General(6)).is_err());
        gdb.resume().expect("sent");
        while let Ok(None) = gdb.poll_stop(Duration::ZERO) {}
        assert!(
            gdb.poll_stop(Duration::ZERO).is_ok_and(|stop| stop.is_none()),
            "the exit of the process is no stop, and is told once"
        );
        drop(gdb);
        peer.finish();
    }

    #[test]
    fn long_writes_are_cut() {
        let first = format!("M20000000,400:{}", "00".repeat(1024));
        let script = vec![(first.leak() as &str, framed("OK")), ("M20000400,2:0102", framed("OK"))];
        let (gdb, peer) = gdb(script);
        let mut gdb = gdb.expect("a greeting");
        let mut bytes = vec![0; 1026];
        bytes[1024..].copy_from_slice(&[1, 2]);
        gdb.write_memory(0x2000_0000, &bytes).expect("written");
        drop(gdb);
        peer.finish();
    }

    #[test]
    fn stops_are_told_from_requests() {
        let script = vec![
            ("s", framed("T05thread:01;")),
            ("c", String::new()),
            ("^C", framed("T02thread:01;")),
            ("c", framed("T05thread:01;")),
            ("s", framed("T05thread:01;rwatch:2001ec00;")),
        ];
        let (gdb, peer) = gdb(script);
        let mut gdb = gdb.expect("a greeting");
        assert_eq!(gdb.step().expect("stepped"), Stop::Trap);
        gdb.resume().expect("running");
        assert_eq!(gdb.poll_stop(Duration::ZERO).expect("a look"), None);
        assert_eq!(gdb.interrupt().expect("stopped"), Stop::Request);
        gdb.resume().expect("running");
        let stop = loop {
            if let Some(stop) = gdb.poll_stop(Duration::ZERO).expect("a look") {
                break stop;
            }
        };
        assert_eq!(stop, Stop::Trap);
        assert_eq!(gdb.step().expect("stepped"), Stop::Access(0x2001_ec00));
        drop(gdb);
        peer.finish();
    }

    #[test]
    fn the_monitor_prints_in_pieces() {
        let reply = format!("{}{}{}", framed("O6162"), framed("O63"), framed("OK"));
        let (gdb, peer) = gdb(vec![("qRcmd,696e666f", reply), ("qRcmd,78", framed("E01"))]);
        let mut gdb = gdb.expect("a greeting");
        assert_eq!(gdb.monitor("info").expect("printed"), "abc");
        assert!(gdb.monitor("x").is_err());
        drop(gdb);
        peer.finish();
    }

    #[test]
    fn silence_and_damage_close_the_link() {
        let (client, peer) = gdb(vec![("p0", String::new())]);
        let mut client = client.expect("a greeting");
        let silence = client.read_register(Register::General(0)).expect_err("no reply");
        assert!(
            matches!(silence, GdbError::Link(LinkError::Timeout { waited, .. }) if waited == scripted::PATIENCE),
            "{silence}"
        );
        let closed = client.read_register(Register::General(0)).expect_err("closed");
        assert!(matches!(closed, GdbError::Link(LinkError::Broken { .. })), "{closed}");
        drop(client);
        peer.finish();

        let (client, peer) = gdb(vec![("p0", "+$00#00".to_owned())]);
        let mut client = client.expect("a greeting");
        assert!(matches!(client.read_register(Register::General(0)), Err(GdbError::Frame(_))));
        assert!(matches!(client.resume(), Err(GdbError::Link(LinkError::Broken { .. }))));
        drop(client);
        peer.finish();
    }
}
