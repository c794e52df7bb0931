//! SWD bit by bit (ARM Debug Interface v5.2, B4): how a client connects before it uses the commands of the debug port.
//!
//! The probe turns the line around by itself when the direction changes, so that neither turnaround nor the state of
//! the line in it is ever seen. Line resets and the switch from JTAG are bits like any others: a request is what the last
//! eight of them are when the client begins to listen.

use crate::dap::DebugPort;
use crate::target::AccessError;
use std::collections::VecDeque;

const START: u8 = 1 << 0;
const ACCESS_PORT: u8 = 1 << 1;
const READ: u8 = 1 << 2;
const PARITY: u8 = 1 << 5;
const STOP: u8 = 1 << 6;
const PARK: u8 = 1 << 7;

const OK: u32 = 0b001;
const FAULT: u32 = 0b100;

/// DP registers that answer whatever happened before.
const ABORT_OR_IDENTITY: u8 = 0x0;
const CONTROL: u8 = 0x4;
const READ_BUFFER: u8 = 0xc;

/// The line between probe and target.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    /// The last eight bits from the probe, the latest on top.
    sent: u8,
    /// What the target has to say and nobody has listened to.
    answer: VecDeque<bool>,
    /// A write that was acknowledged: its request.
    write: Option<u8>,
    data: Vec<bool>,
    /// An access has failed, and the probe has not said that it knows.
    sticky: bool,
}

impl Wire {
    /// Bits from the probe, lowest first. An access that fails is told to the client by the next acknowledgement, and to
    /// the caller at once.
    pub(crate) fn send(&mut self, bits: u32, count: u32, port: &mut DebugPort) -> Result<(), AccessError> {
        self.answer.clear();
        let mut outcome = Ok(());
        for bit in (0..count).map(|place| bits.checked_shr(place).unwrap_or(0) & 1 == 1) {
            match self.write {
                Some(request) => {
                    self.data.push(bit);
                    if self.data.len() == 33 {
                        self.write = None;
                        outcome = outcome.and(self.carry_out(request, port));
                    }
                }
                None => self.sent = self.sent >> 1 | u8::from(bit) << 7,
            }
        }
        outcome
    }

    /// So many bits from the target, lowest first; high when it has nothing to say.
    pub(crate) fn listen(&mut self, count: u32, port: &mut DebugPort) -> (u32, Result<(), AccessError>) {
        let outcome = if self.answer.is_empty() && self.write.is_none() { self.ask(port) } else { Ok(()) };
        let bits = (0..count).fold(0, |bits, place| {
            let bit = self.answer.pop_front().unwrap_or(true);
            bits | u32::from(bit).checked_shl(place).unwrap_or(0)
        });
        (bits, outcome)
    }

    /// What the target makes of the last eight bits, if they are a request.
    fn ask(&mut self, port: &mut DebugPort) -> Result<(), AccessError> {
        let request = std::mem::take(&mut self.sent);
        if !is_request(request) {
            return Ok(());
        }
        let address = address(request);
        if self.sticky && !answers_always(request) {
            self.acknowledge(FAULT);
            return Ok(());
        }
        if request & READ == 0 {
            self.acknowledge(OK);
            self.write = Some(request);
            self.data.clear();
            return Ok(());
        }
        let value = if request & ACCESS_PORT == 0 {
            port.read_dp(address)
        } else {
            // A read of the access port gives what the one before it read.
            let before = port.read_dp(READ_BUFFER);
            if let Err(error) = port.read_ap(address) {
                self.sticky = true;
                self.acknowledge(FAULT);
                return Err(error);
            }
            before
        };
        self.acknowledge(OK);
        self.answer.extend((0..32).map(|place| value >> place & 1 == 1));
        self.answer.push_back(value.count_ones() % 2 == 1);
        Ok(())
    }

    fn acknowledge(&mut self, acknowledgement: u32) {
        self.answer.extend((0..3).map(|place| acknowledgement >> place & 1 == 1));
    }

    /// The data of an acknowledged write has come. With the wrong parity it is not the data that was sent.
    fn carry_out(&mut self, request: u8, port: &mut DebugPort) -> Result<(), AccessError> {
        let value = self.data[..32].iter().rev().fold(0, |value, bit| value << 1 | u32::from(*bit));
        self.sent = 0;
        if self.data[32] != (value.count_ones() % 2 == 1) {
            self.sticky = true;
            return Ok(());
        }
        let address = address(request);
        if request & ACCESS_PORT == 0 {
            self.sticky &= address != ABORT_OR_IDENTITY;
            port.write_dp(address, value);
            return Ok(());
        }
        let outcome = port.write_ap(address, value);
        self.sticky = outcome.is_err();
        outcome
    }
}

fn address(request: u8) -> u8 {
    request >> 1 & 0xc
}

fn is_request(bits: u8) -> bool {
    let even = (bits >> 1 & 0xf).count_ones().is_multiple_of(2);
    bits & (START | STOP | PARK) == START | PARK && even == (bits & PARITY == 0)
}

/// DPIDR and CTRL/STAT can be read, and ABORT written, when everything else is refused.
fn answers_always(request: u8) -> bool {
    request & ACCESS_PORT == 0
        && match address(request) {
            ABORT_OR_IDENTITY => true,
            CONTROL => request & READ != 0,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::with_port;

    /// The eight bits of a request.
    fn request(access_port: bool, read: bool, address: u8) -> u32 {
        let body = u32::from(access_port) | u32::from(read) << 1 | u32::from(address >> 2) << 2;
        1 | body << 1 | (body.count_ones() & 1) << 5 | 1 << 7
    }

    fn read(wire: &mut Wire, port: &mut DebugPort, access_port: bool, address: u8) -> (u32, u32) {
        wire.send(request(access_port, true, address), 8, port).expect("a request");
        let (low, outcome) = wire.listen(32, port);
        let (high, _) = wire.listen(4, port);
        drop(outcome);
        let value = low >> 3 | high << 29;
        assert_eq!(high >> 3 & 1, value.count_ones() & 1, "parity");
        (low & 7, value)
    }

    fn write(wire: &mut Wire, port: &mut DebugPort, access_port: bool, address: u8, value: u32) -> u32 {
        wire.send(request(access_port, false, address), 8, port).expect("a request");
        let (acknowledgement, _) = wire.listen(3, port);
        drop(wire.send(value, 32, port));
        drop(wire.send(value.count_ones() & 1, 1, port));
        acknowledgement
    }

    #[test]
    fn the_identity_is_read_after_a_reset_of_the_line() {
        with_port(vec![], vec![], |port| {
            let mut wire = Wire::default();
            // 51 high, the switch from JTAG to SWD, 51 high, idle: as probe-rs connects.
            for (bits, count) in [(!0, 32), (0x7ffff, 19), (0xe79e, 16), (!0, 32), (0x7ffff, 19), (0, 3)] {
                wire.send(bits, count, port).expect("bits");
            }
            assert_eq!(read(&mut wire, port, false, 0), (OK, 0x2BA0_1477));
        });
    }

    #[test]
    fn power_comes_up_by_a_write_and_is_read_back() {
        with_port(vec![], vec![], |port| {
            let mut wire = Wire::default();
            assert_eq!(write(&mut wire, port, false, CONTROL, 0x5000_0000), OK);
            assert_eq!(read(&mut wire, port, false, CONTROL), (OK, 0xf000_0000));
        });
    }

    #[test]
    fn a_read_of_the_access_port_gives_what_the_one_before_read() {
        with_port(vec![], vec![], |port| {
            let mut wire = Wire::default();
            assert_eq!(write(&mut wire, port, false, 8, 0xf0), OK);
            assert_eq!(read(&mut wire, port, true, 0xc), (OK, 0));
            assert_eq!(read(&mut wire, port, true, 0xc), (OK, 0x2477_0011));
            assert_eq!(read(&mut wire, port, false, READ_BUFFER), (OK, 0x2477_0011));
        });
    }

    #[test]
    fn noise_is_no_request_and_the_line_stays_high() {
        with_port(vec![], vec![], |port| {
            // That of the identity is 0xa5: without start, park or stop, and with the wrong parity.
            for bits in [0x00, 0xff, 0xa4, 0x25, 0xe5, 0xa5 ^ PARITY] {
                let mut wire = Wire::default();
                wire.send(u32::from(bits), 8, port).expect("bits");
                assert_eq!(wire.listen(32, port).0, !0, "{bits:#x}");
            }
        });
    }

    #[test]
    fn a_failed_access_is_told_until_it_is_aborted() {
        with_port(vec![], vec![], |port| {
            let mut wire = Wire::default();
            // TAR unaligned: DRW cannot be read.
            assert_eq!(write(&mut wire, port, true, 4, 2), OK);
            wire.send(request(true, true, 0xc), 8, port).expect("a request");
            let (bits, outcome) = wire.listen(3, port);
            assert_eq!(bits, FAULT);
            assert!(matches!(outcome, Err(AccessError::Unaligned { .. })), "{outcome:?}");
            assert_eq!(write(&mut wire, port, true, 4, 0), FAULT);
            assert_eq!(read(&mut wire, port, false, 0).0, OK, "the identity can always be read");
            assert_eq!(write(&mut wire, port, false, 0, 0x1e), OK);
            assert_eq!(write(&mut wire, port, true, 4, 0), OK);
        });
    }

    #[test]
    fn data_with_the_wrong_parity_is_not_written() {
        with_port(vec![], vec![], |port| {
            let mut wire = Wire::default();
            wire.send(request(false, false, CONTROL), 8, port).expect("a request");
            assert_eq!(wire.listen(3, port).0, OK);
            wire.send(0x1000_0000, 32, port).expect("data");
            wire.send(0, 1, port).expect("the wrong parity");
            assert_eq!(read(&mut wire, port, false, CONTROL), (OK, 0));
        });
    }
}
