//! A client of QEMU's qtest protocol: memory as a bus master sees it, and input lines.
//!
//! It is served by QEMU's main loop beside the running core, so that memory can be read without stopping it, as an
//! access port does on a board.

use crate::hex;
use crate::link::{Link, LinkError, SocketPath};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Bytes of one block command.
const BLOCK: usize = 2048;

/// Why a bus access through qtest has failed.
#[derive(Debug, Clone, Error)]
pub enum QtestError {
    /// The link itself failed; its own text says what to do.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// QEMU refused the command; its reply says why.
    #[error("QEMU refused qtest command {command:?}: {reply:?}")]
    Refused {
        /// The command.
        command: String,
        /// The reply.
        reply: String,
    },
}

/// The width of one bus access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Byte,
    Half,
    Word,
}

impl Width {
    /// Bytes of one access.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Width::Byte => 1,
            Width::Half => 2,
            Width::Word => 4,
        }
    }

    fn letter(self) -> char {
        match self {
            Width::Byte => 'b',
            Width::Half => 'w',
            Width::Word => 'l',
        }
    }
}

/// A connection to the qtest socket. QEMU serves one client at a time.
#[derive(Debug)]
pub(crate) struct Qtest {
    link: Link,
    pending: Vec<u8>,
}

impl Qtest {
    pub(crate) fn connect(socket: &SocketPath, reply_timeout: Duration) -> Result<Qtest, QtestError> {
        Ok(Qtest::open(Link::connect(socket, reply_timeout)?))
    }

    /// The same over a link that is already there.
    pub(crate) fn open(link: Link) -> Qtest {
        Qtest { link, pending: Vec::new() }
    }

    /// One access of the given width at an address that is a multiple of it.
    pub(crate) fn read(&mut self, address: u32, width: Width) -> Result<u32, QtestError> {
        let command = format!("read{} 0x{address:x}", width.letter());
        let reply = self.command(&command)?;
        let digits = reply.strip_prefix("0x").unwrap_or(&reply);
        match u64::from_str_radix(digits, 16).map(u32::try_from) {
            Ok(Ok(value)) => Ok(value),
            _ => Err(QtestError::Refused { command, reply }),
        }
    }

    /// One access of the given width at an address that is a multiple of it.
    pub(crate) fn write(&mut self, address: u32, width: Width, value: u32) -> Result<(), QtestError> {
        self.done(&format!("write{} 0x{address:x} 0x{value:x}", width.letter()))
    }

    /// Reads memory; the widths of the accesses are QEMU's choice, so this is not for peripherals.
    pub(crate) fn read_block(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), QtestError> {
        let mut at = address;
        for chunk in bytes.chunks_mut(BLOCK) {
            let command = format!("read 0x{at:x} 0x{:x}", chunk.len());
            let reply = self.command(&command)?;
            match reply.strip_prefix("0x").and_then(hex::decode) {
                Some(read) if read.len() == chunk.len() => chunk.copy_from_slice(&read),
                _ => return Err(QtestError::Refused { command, reply }),
            }
            at = at.wrapping_add(chunk.len() as u32);
        }
        Ok(())
    }

    /// Writes memory; the widths of the accesses are QEMU's choice, so this is not for peripherals.
    pub(crate) fn write_block(&mut self, address: u32, bytes: &[u8]) -> Result<(), QtestError> {
        let mut at = address;
        for chunk in bytes.chunks(BLOCK) {
            self.done(&format!("write 0x{at:x} 0x{:x} 0x{}", chunk.len(), hex::encode(chunk)))?;
            at = at.wrapping_add(chunk.len() as u32);
        }
        Ok(())
    }

    /// Drives input line `line` of the device at QOM path `path`. QEMU aborts if there is no such line: the caller
    /// checks.
    pub(crate) fn drive_line(&mut self, path: &str, name: &str, line: u32, high: bool) -> Result<(), QtestError> {
        self.done(&format!("set_irq_in {path} {name} {line} {}", u32::from(high)))
    }

    fn done(&mut self, command: &str) -> Result<(), QtestError> {
        match self.command(command)? {
            reply if reply.is_empty() => Ok(()),
            reply => Err(QtestError::Refused { command: command.to_owned(), reply }),
        }
    }

    /// Sends a command and returns what follows `OK` in the reply. Reports of output lines (`IRQ ...`) come at any time
    /// and are of no interest.
    fn command(&mut self, command: &str) -> Result<String, QtestError> {
        self.link.send(format!("{command}\n").as_bytes(), command)?;
        let deadline = Instant::now() + self.link.reply_timeout();
        loop {
            let line = self.line(deadline, command)?;
            if line.starts_with("IRQ ") {
                continue;
            }
            return match line.strip_prefix("OK") {
                Some(rest) => Ok(rest.trim().to_owned()),
                None => Err(QtestError::Refused { command: command.to_owned(), reply: line }),
            };
        }
    }

    fn line(&mut self, deadline: Instant, command: &str) -> Result<String, QtestError> {
        let mut buffer = [0; 4096];
        loop {
            if let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.pending.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            let count = self.link.receive(&mut buffer, command)?;
            if count == 0 && Instant::now() >= deadline {
                return Err(self.link.overdue(command).into());
            }
            self.pending.extend_from_slice(&buffer[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::qtest;

    fn line(request: &'static str, reply: &str) -> (&'static str, String) {
        (request, format!("{reply}\n"))
    }

    #[test]
    fn accesses_carry_width_address_and_value() {
        let (mut bus, peer) = qtest(vec![
            line("readb 0x20000001", "OK 0x00000000000000ff"),
            line("readw 0x20000002", "OK 0xabcd"),
            line("readl 0x20000004", "OK 0x12345678"),
            line("writel 0x20000004 0xffffffff", "OK"),
            line("set_irq_in /machine/soc/syscfg unnamed-gpio-in 3 1", "OK"),
        ]);
        assert_eq!(bus.read(0x2000_0001, Width::Byte).expect("read"), 0xff);
        assert_eq!(bus.read(0x2000_0002, Width::Half).expect("read"), 0xabcd);
        assert_eq!(bus.read(0x2000_0004, Width::Word).expect("read"), 0x1234_5678);
        bus.write(0x2000_0004, Width::Word, 0xffff_ffff).expect("written");
        bus.drive_line("/machine/soc/syscfg", "unnamed-gpio-in", 3, true).expect("driven");
        drop(bus);
        peer.finish();
    }

    #[test]
    fn reports_of_output_lines_are_passed_over() {
        let (mut bus, peer) = qtest(vec![line("readl 0x0", "IRQ raise 3\nIRQ lower 3\nOK 0x7")]);
        assert_eq!(bus.read(0, Width::Word).expect("read"), 7);
        drop(bus);
        peer.finish();
    }

    #[test]
    fn blocks_are_cut_and_checked_for_length() {
        let block = |digits: &str, bytes: usize| format!("OK 0x{}", digits.repeat(bytes));
        let (mut bus, peer) = qtest(vec![
            line("read 0x20000000 0x800", &block("11", 2048)),
            line("read 0x20000800 0x1", &block("22", 1)),
            line("read 0x20000000 0x2", &block("33", 1)),
            line("write 0x20000000 0x2 0x0a0b", "OK"),
        ]);
        let mut bytes = vec![0; 2049];
        bus.read_block(0x2000_0000, &mut bytes).expect("read");
        assert_eq!((bytes[2047], bytes[2048]), (0x11, 0x22));
        assert!(bus.read_block(0x2000_0000, &mut bytes[..2]).is_err(), "one byte short");
        bus.write_block(0x2000_0000, &[10, 11]).expect("written");
        drop(bus);
        peer.finish();
    }

    #[test]
    fn a_refusal_or_nonsense_is_told_with_the_command() {
        let (mut bus, peer) = qtest(vec![
            line("readl 0x4", "FAIL Unknown command"),
            line("readl 0x8", "OK 0xnonsense"),
            line("readl 0xc", "OK 0x123456789"),
            line("writel 0x4 0x0", "OK 0x1"),
        ]);
        let error = bus.read(4, Width::Word).expect_err("refused");
        assert_eq!(error.to_string(), r#"QEMU refused qtest command "readl 0x4": "FAIL Unknown command""#);
        assert!(bus.read(8, Width::Word).is_err(), "no number");
        assert!(bus.read(12, Width::Word).is_err(), "more than a word");
        assert!(bus.write(4, Width::Word, 0).is_err(), "an answer to no question");
        drop(bus);
        peer.finish();
    }

    #[test]
    fn silence_is_an_error_and_closes_the_link() {
        let (mut bus, peer) = qtest(vec![("readl 0x0", "OK 0x".to_owned())]);
        let error = bus.read(0, Width::Word).expect_err("half a line");
        assert!(matches!(error, QtestError::Link(LinkError::Timeout { .. })), "{error}");
        let error = bus.read(0, Width::Word).expect_err("closed");
        assert!(matches!(error, QtestError::Link(LinkError::Broken { .. })), "{error}");
        drop(bus);
        peer.finish();
    }
}
