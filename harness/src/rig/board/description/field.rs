//! A value of a board file that cannot be, and the checks that many values share.

/// What is wrong with the value of a field.
#[derive(Debug)]
pub(super) struct Misfit {
    /// The field from the top of the file: `true_time.hz`.
    pub(super) field: String,
    /// What it may be.
    pub(super) why: String,
}

impl Misfit {
    pub(super) fn new(field: impl Into<String>, why: impl Into<String>) -> Self {
        Self { field: field.into(), why: why.into() }
    }
}

/// The first address at which something can be written or counts: below it is flash.
const MEMORY_START: u64 = 0x1000_0000;

/// The first address of a peripheral (ARMv7-M, B3.1: the peripheral region).
const PERIPHERALS: std::ops::Range<u64> = 0x4000_0000..0x6000_0000;

/// The first address of what belongs to the core and its debugger (ARMv7-M, B3.1: the system region).
const SYSTEM_START: u64 = 0xE000_0000;

/// A word in memory or in a register.
pub(super) fn word(field: &str, address: u64) -> Result<u64, Misfit> {
    let in_reach = (MEMORY_START..=u64::from(u32::MAX)).contains(&address);
    check(field, address, in_reach, "a word is at 0x10000000 to 0xfffffffc, above flash")
}

/// A register of a peripheral or of the core.
pub(super) fn register(field: &str, address: u64) -> Result<u64, Misfit> {
    let in_reach = PERIPHERALS.contains(&address) || (SYSTEM_START..=u64::from(u32::MAX)).contains(&address);
    check(field, address, in_reach, "a register is at 0x40000000 to 0x5ffffffc or at 0xe0000000 to 0xfffffffc")
}

fn check(field: &str, address: u64, in_reach: bool, range: &str) -> Result<u64, Misfit> {
    if !in_reach {
        return Err(Misfit::new(field, format!("{address:#x}: {range}")));
    }
    if !address.is_multiple_of(4) {
        return Err(Misfit::new(field, format!("{address:#x}: a word of 32 bits is at a multiple of 4")));
    }
    Ok(address)
}

/// Bits of a register, of which there must be some.
pub(super) fn bits(field: &str, bits: u32) -> Result<u32, Misfit> {
    if bits == 0 { Err(Misfit::new(field, "no bit: say which of the 32, 0x1 is the lowest")) } else { Ok(bits) }
}

/// A rate of counts.
pub(super) fn hz(field: &str, hz: u32) -> Result<u32, Misfit> {
    if hz == 0 || hz > 1_000_000_000 {
        return Err(Misfit::new(field, format!("{hz} Hz: a counter runs at 1 Hz to 1 GHz")));
    }
    Ok(hz)
}
