//! Counters in the target's memory: the firmware's time base, and true time.

use serde::Deserialize;

use super::field::{self, Misfit};

/// A free-running counter of 32 bits in the target's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Where its value is read.
    pub address: u64,
    /// Counts per second.
    pub hz: u32,
}

/// The counter that is true time: neither the game nor a fault touches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BenchCounter {
    /// The counter.
    pub counter: Counter,
    /// What starts it, in order; a reset stops it.
    pub start: Vec<RegisterWrite>,
}

/// A counter that counts down once in each tick of device time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithinTick {
    /// Where its value is read.
    pub counter: u64,
    /// Where it is read from what it counts down.
    pub reload: u64,
}

/// One write to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterWrite {
    /// The whole register.
    Write(u64, u32),
    /// Only these bits are set.
    Set(u64, u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCounter {
    address: u64,
    bits: u8,
    hz: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWithinTick {
    counter: u64,
    reload: u64,
}

/// `none`, or a counter and what starts it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTrueCounter {
    address: u64,
    bits: u8,
    hz: u32,
    #[serde(default)]
    start: Vec<RawWrite>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWrite {
    address: u64,
    write: Option<u32>,
    set: Option<u32>,
}

impl RawCounter {
    pub(super) fn checked(&self, field: &str) -> Result<Counter, Misfit> {
        counter(field, self.address, self.bits, self.hz)
    }
}

impl RawTrueCounter {
    pub(super) fn checked(&self, field: &str) -> Result<BenchCounter, Misfit> {
        let counter = counter(field, self.address, self.bits, self.hz)?;
        let start = self.start.iter().map(|write| write.checked(&format!("{field}.start")));
        Ok(BenchCounter { counter, start: start.collect::<Result<_, _>>()? })
    }
}

impl RawWithinTick {
    pub(super) fn checked(&self) -> Result<WithinTick, Misfit> {
        let counter = field::register("within_tick.counter", self.counter)?;
        Ok(WithinTick { counter, reload: field::register("within_tick.reload", self.reload)? })
    }
}

fn counter(field: &str, address: u64, bits: u8, hz: u32) -> Result<Counter, Misfit> {
    if bits != 32 {
        return Err(Misfit::new(format!("{field}.bits"), format!("{bits} bits: a counter has 32")));
    }
    let address = field::word(&format!("{field}.address"), address)?;
    Ok(Counter { address, hz: field::hz(&format!("{field}.hz"), hz)? })
}

impl RawWrite {
    pub(super) fn checked(&self, field: &str) -> Result<RegisterWrite, Misfit> {
        let address = field::register(field, self.address)?;
        match (self.write, self.set) {
            (Some(value), None) => Ok(RegisterWrite::Write(address, value)),
            (None, Some(bits)) => Ok(RegisterWrite::Set(address, bits)),
            _ => Err(Misfit::new(field, format!("register {address:#x}: either `write` or `set`"))),
        }
    }
}
