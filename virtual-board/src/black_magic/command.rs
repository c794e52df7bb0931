//! Commands of the remote protocol, version 3: two letters and hexadecimal digits.

use super::TRANSFER_MAX;
use super::reply::Reply;
use crate::hex;
use crate::qtest::Width;

/// The most bits of one command on the wire.
const BITS_MAX: u32 = 32;

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    /// `GA`: who is there?
    Start,
    /// `HC`: which version of the protocol?
    Version,
    /// `GV`: the target's voltage.
    Voltage,
    /// `GF`: the highest frequency on the wire, in Hz.
    SetFrequency(u32),
    /// `Gf`: what it is.
    Frequency,
    /// `GZ`: the reset pin, pulled or not.
    SetReset(bool),
    /// `Gz`: whether it is.
    Reset,
    /// `GE`: whether the probe drives the clock line.
    DriveClock,
    /// `SS`: SWD from here on.
    SwdInit,
    /// `So`, `SO`: bits from the probe, lowest first; with a parity bit behind them or without.
    SwdOut {
        /// The bits.
        bits: u32,
        /// How many.
        count: u32,
        /// Whether one more follows.
        parity: bool,
    },
    /// `Si`, `SI`: bits from the target.
    SwdIn {
        /// How many.
        count: u32,
        /// Whether one more follows.
        parity: bool,
    },
    /// `Ad`: reads a register of the debug port.
    ReadDp {
        /// Its address.
        address: u8,
    },
    /// `AR`: one access as it is on the wire.
    Raw {
        /// To or from the target.
        read: bool,
        /// Whether to the access port that is selected, or to the debug port.
        access_port: bool,
        /// The register's address.
        address: u8,
        /// What is written.
        value: u32,
    },
    /// `Aa`: reads a register of an access port.
    ReadAp {
        /// Which.
        access_port: u8,
        /// The register's address with its bank.
        address: u8,
    },
    /// `AA`: writes a register of an access port.
    WriteAp {
        /// Which.
        access_port: u8,
        /// The register's address with its bank.
        address: u8,
        /// The value.
        value: u32,
    },
    /// `Am`: reads memory.
    ReadMemory {
        /// Through which access port.
        access_port: u8,
        /// What its CSW is to be, but for the size.
        csw: u32,
        /// From where.
        address: u32,
        /// How many bytes.
        length: usize,
    },
    /// `AM`: writes memory.
    WriteMemory {
        /// Through which access port.
        access_port: u8,
        /// What its CSW is to be, but for the size.
        csw: u32,
        /// How wide each access is.
        width: Width,
        /// To where.
        address: u32,
        /// What.
        bytes: Vec<u8>,
    },
}

impl Command {
    /// Reads the body of a frame; a body that is no command gives the answer to it.
    pub(crate) fn parse(body: &[u8]) -> Result<Command, Reply> {
        let (name, digits) = body.split_at(body.len().min(2));
        let mut fields = Fields(digits);
        let command = match name {
            b"GA" => Command::Start,
            b"HC" => Command::Version,
            b"GV" => Command::Voltage,
            b"GF" => Command::SetFrequency(fields.take(8)?),
            b"Gf" => Command::Frequency,
            b"GZ" => Command::SetReset(fields.take(1)? != 0),
            b"Gz" => Command::Reset,
            b"GE" => {
                fields.take(1)?;
                Command::DriveClock
            }
            // There is no supply to switch.
            b"GP" | b"Gp" => return Err(Reply::Unsupported),
            b"SS" => Command::SwdInit,
            b"So" | b"SO" => Command::SwdOut { count: fields.count()?, bits: fields.rest()?, parity: name[1] == b'O' },
            b"Si" | b"SI" => Command::SwdIn { count: fields.count()?, parity: name[1] == b'I' },
            b"Ad" | b"AR" | b"Aa" | b"AA" | b"Am" | b"AM" => fields.adiv5(name[1])?,
            [b'G' | b'H' | b'S' | b'A', _] => return Err(Reply::Unknown),
            // JTAG, serial flash, and what newer versions may have.
            _ => return Err(Reply::Unsupported),
        };
        if fields.0.is_empty() { Ok(command) } else { Err(Reply::Length) }
    }
}

/// The digits of a command that have not been read yet.
struct Fields<'b>(&'b [u8]);

impl Fields<'_> {
    fn take(&mut self, digits: usize) -> Result<u32, Reply> {
        let (field, rest) = self.0.split_at_checked(digits).ok_or(Reply::Length)?;
        self.0 = rest;
        number(field)
    }

    /// All that are left, at least one.
    fn rest(&mut self) -> Result<u32, Reply> {
        match self.0.len() {
            digits @ 1..=8 => self.take(digits),
            _ => Err(Reply::Length),
        }
    }

    fn byte(&mut self) -> Result<u8, Reply> {
        Ok(self.take(2)? as u8)
    }

    fn count(&mut self) -> Result<u32, Reply> {
        let count = self.take(2)?;
        if count <= BITS_MAX { Ok(count) } else { Err(Reply::Parameter) }
    }

    /// The length of a transfer that begins at `address`; it does not go round the end of the address space.
    fn length(&mut self, address: u32) -> Result<usize, Reply> {
        let length = self.take(8)?;
        let fits = length as usize <= TRANSFER_MAX && u64::from(address) + u64::from(length) <= 1 << 32;
        if fits { Ok(length as usize) } else { Err(Reply::Parameter) }
    }

    /// The commands of the debug port. The first field is the device in a JTAG chain, and SWD has one.
    fn adiv5(&mut self, letter: u8) -> Result<Command, Reply> {
        self.byte()?;
        let access_port = self.byte()?;
        Ok(match letter {
            b'd' => Command::ReadDp { address: self.take(4)? as u8 },
            b'R' => {
                let address = self.take(4)?;
                Command::Raw {
                    read: access_port & 1 != 0,
                    access_port: address & 0x100 != 0,
                    address: address as u8,
                    value: self.take(8)?,
                }
            }
            b'a' => Command::ReadAp { access_port, address: self.take(4)? as u8 },
            // probe-rs sends these four bytes as they lie in memory, and those of `AR` as a number.
            b'A' => Command::WriteAp { access_port, address: self.take(4)? as u8, value: self.take(8)?.swap_bytes() },
            b'm' => {
                let (csw, address) = (self.take(8)?, self.take(8)?);
                Command::ReadMemory { access_port, csw, address, length: self.length(address)? }
            }
            _ => self.write_memory(access_port)?,
        })
    }

    fn write_memory(&mut self, access_port: u8) -> Result<Command, Reply> {
        let csw = self.take(8)?;
        let width = match self.take(2)? {
            0 => Width::Byte,
            1 => Width::Half,
            2 => Width::Word,
            _ => return Err(Reply::Parameter),
        };
        let address = self.take(8)?;
        let length = self.length(address)?;
        if !length.is_multiple_of(width.bytes()) {
            return Err(Reply::Parameter);
        }
        let (data, rest) = self.0.split_at_checked(2 * length).ok_or(Reply::Length)?;
        self.0 = rest;
        let bytes = std::str::from_utf8(data).ok().and_then(hex::decode).ok_or(Reply::Parameter)?;
        Ok(Command::WriteMemory { access_port, csw, width, address, bytes })
    }
}

/// At most eight digits.
fn number(digits: &[u8]) -> Result<u32, Reply> {
    digits.iter().try_fold(0, |value, digit| {
        let digit = char::from(*digit).to_digit(16).ok_or(Reply::Parameter)?;
        Ok(value << 4 | digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Command, Reply> {
        Command::parse(text.as_bytes())
    }

    #[test]
    fn what_probe_rs_sends_is_understood() {
        for (text, command) in [
            ("GA", Command::Start),
            ("HC", Command::Version),
            ("GZ0", Command::SetReset(false)),
            ("GZ1", Command::SetReset(true)),
            ("GF003d0900", Command::SetFrequency(4_000_000)),
            ("GE1", Command::DriveClock),
            ("SS", Command::SwdInit),
            ("So10e79e", Command::SwdOut { bits: 0xe79e, count: 16, parity: false }),
            ("Si20", Command::SwdIn { count: 32, parity: false }),
            ("Ad00ff0004", Command::ReadDp { address: 4 }),
            ("AR0000000850000000", Command::Raw { read: false, access_port: false, address: 8, value: 0x5000_0000 }),
            ("Aa000001fc", Command::ReadAp { access_port: 0, address: 0xfc }),
            ("AA000101004200a223", Command::WriteAp { access_port: 1, address: 0, value: 0x23a2_0042 }),
            (
                "Am0000a20000402000000000000010",
                Command::ReadMemory { access_port: 0, csw: 0xa200_0040, address: 0x2000_0000, length: 16 },
            ),
            (
                "AM0000a2000040022000000000000004deadbeef",
                Command::WriteMemory {
                    access_port: 0,
                    csw: 0xa200_0040,
                    width: Width::Word,
                    address: 0x2000_0000,
                    bytes: vec![0xde, 0xad, 0xbe, 0xef],
                },
            ),
        ] {
            assert_eq!(parse(text), Ok(command), "{text}");
        }
    }

    #[test]
    fn what_is_no_command_has_its_answer() {
        for (text, reply) in [
            ("", Reply::Unsupported),
            ("G", Reply::Unsupported),
            ("JS", Reply::Unsupported),
            ("GP1", Reply::Unsupported),
            ("G?", Reply::Unknown),
            ("HA", Reply::Unknown),
            ("GZ", Reply::Length),
            ("GA0", Reply::Length),
            ("So08", Reply::Length),
            ("So08123456789", Reply::Length),
            ("Si21", Reply::Parameter),
            ("Si-1", Reply::Parameter),
            ("Ad00ff00", Reply::Length),
            ("Am0000a2000040200000000000ffff", Reply::Parameter),
            ("AM0000a20000400220000000000000040011", Reply::Length),
            ("AM0000a20000400220000000000000021122", Reply::Parameter),
            ("Am0000a2000040fffffffc00000008", Reply::Parameter),
            ("AM0000a20000400220000000000000041122334455", Reply::Length),
            ("AM0000a2000040022000000000000004001122zz", Reply::Parameter),
            ("AM0000a2000040032000000000000008", Reply::Parameter),
            ("AM0000a20000400220000000fffffffc", Reply::Parameter),
        ] {
            assert_eq!(parse(text), Err(reply), "{text}");
        }
    }

    #[test]
    fn any_bytes_are_a_command_or_have_an_answer() {
        // Every two letters, with every number of digits, some of them none.
        let tails: [&[u8]; 4] =
            [b"", b"0123456789abcdef0123456789abcdef0123", b"ffffffffffffffffffffffff", b"\xff\x80#!"];
        for first in 0..=255 {
            for second in 0..=255 {
                for tail in tails {
                    for length in 0..=tail.len() {
                        let body = [&[first, second], &tail[..length]].concat();
                        let _ = Command::parse(&body);
                    }
                }
            }
        }
    }
}
