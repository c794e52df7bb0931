//! The probe: what it does for each command, and what it answers.

use super::command::Command;
use super::frame::Frame;
use super::reply::Reply;
use super::wire::Wire;
use crate::dap::{DebugPort, INCREMENT_BLOCK};
use crate::qtest::Width;
use crate::target::AccessError;

/// The version of the protocol.
const VERSION: u32 = 3;
/// The frequency until another is set, in Hz. There is no wire, so it means nothing.
const FREQUENCY_HZ: u32 = 4_000_000;

const SELECT_CSW: u8 = 0x0;
const CSW: u8 = 0x0;
const TAR: u8 = 0x4;
const DRW: u8 = 0xc;
/// Size and increment in CSW.
const CSW_TRANSFER: u32 = 0x37;
const CSW_INCREMENT: u32 = 1 << 4;

/// A Black Magic Probe wired to an emulated board.
#[derive(Debug)]
pub(crate) struct Probe {
    port: DebugPort,
    wire: Wire,
    frequency_hz: u32,
    reset_low: bool,
}

/// What a frame came to: the answer to the client and, of what failed on the target, the cause, which the protocol has no
/// words for.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) reply: Reply,
    pub(crate) failure: Option<AccessError>,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        Answer { reply, failure: None }
    }
}

impl From<Result<Reply, AccessError>> for Answer {
    fn from(outcome: Result<Reply, AccessError>) -> Answer {
        match outcome {
            Ok(reply) => reply.into(),
            Err(failure) => Answer { reply: Reply::Fault, failure: Some(failure) },
        }
    }
}

impl Probe {
    pub(crate) fn new(port: DebugPort) -> Probe {
        Probe { port, wire: Wire::default(), frequency_hz: FREQUENCY_HZ, reset_low: false }
    }

    /// Does what a frame asks for.
    pub(crate) fn answer(&mut self, frame: &Frame) -> Answer {
        match frame {
            Frame::TooLong => Reply::Length.into(),
            Frame::Body(body) => match Command::parse(body) {
                Ok(command) => self.carry_out(command),
                Err(reply) => reply.into(),
            },
        }
    }

    fn carry_out(&mut self, command: Command) -> Answer {
        match command {
            Command::Start => Reply::Text("flagfall virtual board").into(),
            Command::Version => Reply::Done(VERSION).into(),
            // The probe's word where it cannot measure.
            Command::Voltage => Reply::Text("Unknown").into(),
            Command::SetFrequency(hz) => {
                self.frequency_hz = hz;
                Reply::Done(0).into()
            }
            Command::Frequency => Reply::word(self.frequency_hz).into(),
            Command::SetReset(low) => self.set_reset(low).into(),
            Command::Reset => Reply::Done(self.reset_low.into()).into(),
            Command::DriveClock => Reply::Done(0).into(),
            Command::SwdInit => {
                self.wire = Wire::default();
                Reply::Done(0).into()
            }
            Command::SwdOut { bits, count, parity } => self.send(bits, count, parity),
            Command::SwdIn { count, parity } => self.listen(count, parity),
            Command::ReadDp { address } => Reply::word(self.port.read_dp(address)).into(),
            Command::Raw { read, access_port, address, value } => self.raw(read, access_port, address, value).into(),
            Command::ReadAp { access_port, address } => {
                self.port.select_access_port(access_port, address);
                self.port.read_ap(address).map(Reply::word).into()
            }
            Command::WriteAp { access_port, address, value } => {
                self.port.select_access_port(access_port, address);
                self.port.write_ap(address, value).map(|()| Reply::Done(0)).into()
            }
            Command::ReadMemory { access_port, csw, address, length } => {
                self.port.select_access_port(access_port, SELECT_CSW);
                self.read_memory(csw, address, length).into()
            }
            Command::WriteMemory { access_port, csw, width, address, bytes } => {
                self.port.select_access_port(access_port, SELECT_CSW);
                self.write_memory(csw, width, address, &bytes).into()
            }
        }
    }

    fn set_reset(&mut self, low: bool) -> Result<Reply, AccessError> {
        self.port.drive_reset(low)?;
        self.reset_low = low;
        Ok(Reply::Done(0))
    }

    /// The probe does not know of a failure on the wire: the client is told by the next acknowledgement.
    fn send(&mut self, bits: u32, count: u32, parity: bool) -> Answer {
        let mut outcome = self.wire.send(bits, count, &mut self.port);
        if parity {
            let sent = if count < 32 { bits & ((1 << count) - 1) } else { bits };
            outcome = outcome.and(self.wire.send(sent.count_ones() & 1, 1, &mut self.port));
        }
        Answer { reply: Reply::Done(0), failure: outcome.err() }
    }

    fn listen(&mut self, count: u32, parity: bool) -> Answer {
        let (bits, outcome) = self.wire.listen(count, &mut self.port);
        let reply = if parity && self.wire.listen(1, &mut self.port).0 != bits.count_ones() & 1 {
            Reply::Parity(bits)
        } else {
            Reply::Done(bits)
        };
        Answer { reply, failure: outcome.err() }
    }

    fn raw(&mut self, read: bool, access_port: bool, address: u8, value: u32) -> Result<Reply, AccessError> {
        let read = match (access_port, read) {
            (true, true) => self.port.read_ap(address)?,
            (false, true) => self.port.read_dp(address),
            (true, false) => {
                self.port.write_ap(address, value)?;
                0
            }
            (false, false) => {
                self.port.write_dp(address, value);
                0
            }
        };
        Ok(Reply::word(read))
    }

    /// Reads in the widest accesses that address and length allow, as the probe does.
    fn read_memory(&mut self, csw: u32, address: u32, length: usize) -> Result<Reply, AccessError> {
        let width = widest(address, length);
        let mut bytes = Vec::with_capacity(length);
        for (at, count) in pieces(address, length) {
            self.point(csw, width, at)?;
            let mut values = vec![0; count / width.bytes()];
            self.port.read_ap_block(DRW, &mut values)?;
            for (value, lane) in values.iter().zip((at..).step_by(width.bytes())) {
                let value = value >> (8 * (lane & 3));
                bytes.extend_from_slice(&value.to_le_bytes()[..width.bytes()]);
            }
        }
        Ok(Reply::Bytes(bytes))
    }

    fn write_memory(&mut self, csw: u32, width: Width, address: u32, bytes: &[u8]) -> Result<Reply, AccessError> {
        let mut rest = bytes;
        for (at, count) in pieces(address, bytes.len()) {
            let (piece, behind) = rest.split_at(count);
            rest = behind;
            self.point(csw, width, at)?;
            let words = piece.chunks(width.bytes()).zip((at..).step_by(width.bytes())).map(|(chunk, lane)| {
                let mut word = [0; 4];
                word[..chunk.len()].copy_from_slice(chunk);
                u32::from_le_bytes(word) << (8 * (lane & 3))
            });
            self.port.write_ap_block(DRW, &words.collect::<Vec<u32>>())?;
        }
        Ok(Reply::Done(0))
    }

    /// Sets the access port up for transfers of this width from this address on.
    fn point(&mut self, csw: u32, width: Width, address: u32) -> Result<(), AccessError> {
        let size = match width {
            Width::Byte => 0,
            Width::Half => 1,
            Width::Word => 2,
        };
        self.port.write_ap(CSW, csw & !CSW_TRANSFER | CSW_INCREMENT | size)?;
        self.port.write_ap(TAR, address)
    }
}

fn widest(address: u32, length: usize) -> Width {
    match (address as usize | length) & 3 {
        0 => Width::Word,
        2 => Width::Half,
        _ => Width::Byte,
    }
}

/// The stretch, which ends within the address space, in pieces within which TAR counts.
fn pieces(address: u32, length: usize) -> impl Iterator<Item = (u32, usize)> {
    let end = u64::from(address) + length as u64;
    let mut at = u64::from(address);
    std::iter::from_fn(move || {
        let from = at;
        let block = u64::from(INCREMENT_BLOCK);
        at = end.min((from / block + 1) * block);
        (from < end).then(|| (from as u32, (at - from) as usize))
    })
}

#[cfg(test)]
mod tests;
