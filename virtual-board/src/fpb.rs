//! The flash patch and breakpoint unit of a Cortex-M4 (ARMv7-M architecture reference manual, C1.11), revision 1.
//!
//! Only breakpoints are emulated. Comparators that would remap, and the literal ones, hold what is written and do
//! nothing.

use std::collections::BTreeSet;

/// Comparators for literals, which follow those for instructions.
const LITERAL_UNITS: u8 = 2;

const CTRL: u32 = 0x000;
const REMAP: u32 = 0x004;
const FIRST_COMPARATOR: u32 = 0x008;

const CTRL_KEY: u32 = 1 << 1;
const CTRL_ENABLE: u32 = 1 << 0;
const COMPARATOR_ENABLE: u32 = 1 << 0;
const LOWER_HALFWORD: u32 = 1 << 30;
const UPPER_HALFWORD: u32 = 1 << 31;
/// Bits 28 to 2: the unit sees the code region only.
const COMPARATOR_ADDRESS: u32 = 0x1fff_fffc;
/// Remapping to RAM is said to be possible, as on the real core.
const REMAP_SUPPORTED: u32 = 1 << 29;

/// The unit's registers.
#[derive(Debug)]
pub(crate) struct Fpb {
    enabled: bool,
    code_units: u8,
    comparators: Vec<u32>,
}

impl Fpb {
    /// A unit after power-on, with `code_units` comparators for instructions (at most 15).
    pub(crate) fn new(code_units: u8) -> Fpb {
        Fpb { enabled: false, code_units, comparators: vec![0; usize::from(code_units + LITERAL_UNITS)] }
    }

    /// The register at `offset` from the unit's base.
    pub(crate) fn read(&self, offset: u32) -> u32 {
        match offset {
            CTRL => u32::from(LITERAL_UNITS) << 8 | u32::from(self.code_units) << 4 | u32::from(self.enabled),
            REMAP => REMAP_SUPPORTED,
            _ => comparator(offset).and_then(|index| self.comparators.get(index)).copied().unwrap_or(0),
        }
    }

    /// Writes the register at `offset`. FP_CTRL is changed only by a value with its key bit set.
    pub(crate) fn write(&mut self, offset: u32, value: u32) {
        match offset {
            CTRL if value & CTRL_KEY != 0 => self.enabled = value & CTRL_ENABLE != 0,
            CTRL | REMAP => {}
            _ => {
                if let Some(register) = comparator(offset).and_then(|index| self.comparators.get_mut(index)) {
                    *register = value;
                }
            }
        }
    }

    /// The instructions at which the core is to stop.
    pub(crate) fn breakpoints(&self) -> BTreeSet<u32> {
        let units = if self.enabled { usize::from(self.code_units) } else { 0 };
        let mut addresses = BTreeSet::new();
        for comparator in self.comparators.iter().take(units).filter(|value| **value & COMPARATOR_ENABLE != 0) {
            let word = comparator & COMPARATOR_ADDRESS;
            if comparator & LOWER_HALFWORD != 0 {
                addresses.insert(word);
            }
            if comparator & UPPER_HALFWORD != 0 {
                addresses.insert(word + 2);
            }
        }
        addresses
    }
}

fn comparator(offset: u32) -> Option<usize> {
    offset.checked_sub(FIRST_COMPARATOR).map(|bytes| bytes as usize / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enabled() -> Fpb {
        let mut fpb = Fpb::new(6);
        fpb.write(CTRL, CTRL_KEY | CTRL_ENABLE);
        fpb
    }

    #[test]
    fn the_control_register_tells_the_units_and_needs_its_key() {
        let mut fpb = Fpb::new(6);
        assert_eq!(fpb.read(CTRL), 0x260);
        fpb.write(CTRL, CTRL_ENABLE);
        assert_eq!(fpb.read(CTRL), 0x260);
        fpb.write(CTRL, CTRL_KEY | CTRL_ENABLE);
        assert_eq!(fpb.read(CTRL), 0x261);
        fpb.write(CTRL, CTRL_KEY);
        assert_eq!(fpb.read(CTRL), 0x260);
    }

    #[test]
    fn a_comparator_selects_either_halfword() {
        let mut fpb = enabled();
        fpb.write(0x008, 0x0800_0200 | LOWER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(0x01c, 0x0800_0300 | UPPER_HALFWORD | COMPARATOR_ENABLE);
        assert_eq!(fpb.breakpoints(), BTreeSet::from([0x0800_0200, 0x0800_0302]));
        assert_eq!(fpb.read(0x008), 0x0800_0200 | LOWER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(0x008, 0x0800_0200 | LOWER_HALFWORD | UPPER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(0x01c, 0);
        assert_eq!(fpb.breakpoints(), BTreeSet::from([0x0800_0200, 0x0800_0202]));
    }

    #[test]
    fn what_is_disabled_stops_nothing() {
        let mut fpb = enabled();
        fpb.write(0x008, 0x0800_0200 | LOWER_HALFWORD);
        assert_eq!(fpb.breakpoints(), BTreeSet::new());
        fpb.write(0x008, 0x0800_0200 | LOWER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(CTRL, CTRL_KEY);
        assert_eq!(fpb.breakpoints(), BTreeSet::new());
    }

    #[test]
    fn literal_comparators_and_remaps_are_kept_without_effect() {
        let mut fpb = enabled();
        fpb.write(0x020, 0x0800_0400 | LOWER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(0x00c, 0x0800_0500 | COMPARATOR_ENABLE);
        assert_eq!(fpb.breakpoints(), BTreeSet::new());
        assert_eq!(fpb.read(0x020), 0x0800_0400 | LOWER_HALFWORD | COMPARATOR_ENABLE);
        fpb.write(0x028, 7);
        assert_eq!(fpb.read(0x028), 0);
    }
}
