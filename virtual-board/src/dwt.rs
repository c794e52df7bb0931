//! The data watchpoint unit of a Cortex-M4 (ARMv7-M architecture reference manual, C1.8).
//!
//! Only watchpoints on data are emulated: no trace, no counters, no comparison of values. A comparator that asks for
//! anything else holds what is written and does nothing.
//!
//! Beside a breakpoint a watchpoint is cheap: QEMU translates its program anew after every breakpoint, and after a
//! watchpoint it does not.

use std::collections::BTreeSet;

const COMPARATORS: usize = 4;

const CTRL: u32 = 0x000;
const FIRST_COMPARATOR: u32 = 0x020;

/// Four comparators; no packets, no external signals, no cycle counter, no other counters.
const CTRL_VALUE: u32 = (COMPARATORS as u32) << 28 | 0xf << 24;
/// The most low bits of an address that may be ignored: a kibibyte.
const MASK_MAX: u32 = 10;
/// Everything in DWT_FUNCTION that is written: function, comparison of values and their size.
const FUNCTION_WRITABLE: u32 = 0x000f_fdbf;
const FUNCTION_MATCHED: u32 = 1 << 24;

/// Which accesses are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Read,
    Write,
    Any,
}

/// Bytes of memory that are watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Watchpoint {
    pub(crate) address: u32,
    pub(crate) len: u32,
    pub(crate) access: Access,
}

impl Watchpoint {
    fn covers(self, address: u32) -> bool {
        address.wrapping_sub(self.address) < self.len
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Comparator {
    address: u32,
    mask: u32,
    function: u32,
}

impl Comparator {
    fn watchpoint(self) -> Option<Watchpoint> {
        let access = match self.function & !FUNCTION_MATCHED {
            0b0101 => Access::Read,
            0b0110 => Access::Write,
            0b0111 => Access::Any,
            _ => return None,
        };
        let len = 1 << self.mask;
        Some(Watchpoint { address: self.address & !(len - 1), len, access })
    }
}

/// The unit's registers.
#[derive(Debug, Default)]
pub(crate) struct Dwt {
    comparators: [Comparator; COMPARATORS],
}

impl Dwt {
    /// The register at `offset` from the unit's base. That a comparator has matched is told once.
    pub(crate) fn read(&mut self, offset: u32) -> u32 {
        match (offset, self.comparator(offset)) {
            (CTRL, _) => CTRL_VALUE,
            (_, Some((comparator, 0))) => comparator.address,
            (_, Some((comparator, 4))) => comparator.mask,
            (_, Some((comparator, 8))) => {
                let function = comparator.function;
                comparator.function &= !FUNCTION_MATCHED;
                function
            }
            _ => 0,
        }
    }

    /// Writes the register at `offset`.
    pub(crate) fn write(&mut self, offset: u32, value: u32) {
        match self.comparator(offset) {
            Some((comparator, 0)) => comparator.address = value,
            Some((comparator, 4)) => comparator.mask = (value & 0x1f).min(MASK_MAX),
            Some((comparator, 8)) => comparator.function = value & FUNCTION_WRITABLE,
            _ => {}
        }
    }

    /// What is watched.
    pub(crate) fn watchpoints(&self) -> BTreeSet<Watchpoint> {
        self.comparators.iter().filter_map(|comparator| comparator.watchpoint()).collect()
    }

    /// The core was stopped at an access to this address.
    pub(crate) fn matched(&mut self, address: u32) {
        for comparator in &mut self.comparators {
            if comparator.watchpoint().is_some_and(|watchpoint| watchpoint.covers(address)) {
                comparator.function |= FUNCTION_MATCHED;
            }
        }
    }

    /// The comparator behind an offset, and which of its registers it is.
    fn comparator(&mut self, offset: u32) -> Option<(&mut Comparator, u32)> {
        let into = offset.checked_sub(FIRST_COMPARATOR)?;
        self.comparators.get_mut(into as usize / 16).map(|comparator| (comparator, into % 16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparator_watches_what_its_function_says() {
        let mut dwt = Dwt::default();
        assert_eq!(dwt.read(CTRL), 0x4f00_0000);
        dwt.write(0x020, 0x2000_0103);
        dwt.write(0x024, 2);
        for (function, access) in [(5, Access::Read), (6, Access::Write), (7, Access::Any)] {
            dwt.write(0x028, function);
            assert_eq!(dwt.watchpoints(), BTreeSet::from([Watchpoint { address: 0x2000_0100, len: 4, access }]));
        }
        assert_eq!((dwt.read(0x020), dwt.read(0x024), dwt.read(0x028)), (0x2000_0103, 2, 7));
        for no_watchpoint in [0, 4, 1 << 8 | 6] {
            dwt.write(0x028, no_watchpoint);
            assert_eq!(dwt.watchpoints(), BTreeSet::new(), "{no_watchpoint:#x}");
        }
        dwt.write(0x020 + 16 * 4, 1);
        assert_eq!(dwt.read(0x020 + 16 * 4), 0, "there are four");
    }

    #[test]
    fn a_match_is_told_once_by_the_comparators_that_cover_it() {
        let mut dwt = Dwt::default();
        for (comparator, address) in [(0, 0x2000_0100), (1, 0x2000_0104)] {
            dwt.write(0x020 + 16 * comparator, address);
            dwt.write(0x024 + 16 * comparator, 2);
            dwt.write(0x028 + 16 * comparator, 6);
        }
        dwt.matched(0x2000_0107);
        assert_eq!((dwt.read(0x028), dwt.read(0x038)), (6, FUNCTION_MATCHED | 6));
        assert_eq!(dwt.read(0x038), 6);
        assert_eq!(dwt.watchpoints().len(), 2, "it watches on");
    }
}
