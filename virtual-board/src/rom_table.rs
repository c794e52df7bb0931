//! What a debugger reads to find out what chip it talks to: the ROM table and the identification of the components in
//! it.
//!
//! The table names the three components that are emulated, SCS, DWT and FPB; ITM is entered as absent. Numbers: ARM
//! Debug Interface v5.2, D3 (class 1 ROM table); Cortex-M4 TRM r0p1, table 4-1 (component identification).

/// Where the table lies; the access port's BASE register points here.
pub(crate) const BASE: u32 = 0xE00F_F000;

/// Bytes of a component's register block; its identification stands at the end.
const BLOCK: u32 = 0x1000;
/// The first identification register, PIDR4.
const IDENTIFICATION: u32 = 0xFD0;

/// Entries: offset of the component from the table, bit 1 always set, bit 0 if present.
const ENTRIES: [u32; 4] = [0xFFF0_F003, 0xFFF0_2003, 0xFFF0_3003, 0xFFF0_1002];

/// A component's part number, designer (JEP106 continuation count and code), revision and class.
struct Identity {
    part: u32,
    designer: (u32, u32),
    revision: u32,
    class: u32,
}

const ARM: (u32, u32) = (4, 0x3b);
const ST: (u32, u32) = (0, 0x20);
const CLASS_ROM_TABLE: u32 = 1;
const CLASS_GENERIC: u32 = 0xe;

/// The components by their base address, with the part number of the whole chip in the table itself.
fn identity(base: u32, chip: u32) -> Option<Identity> {
    let arm = |part, revision| Identity { part, designer: ARM, revision, class: CLASS_GENERIC };
    match base {
        BASE => Some(Identity { part: chip, designer: ST, revision: 0, class: CLASS_ROM_TABLE }),
        0xE000_E000 => Some(arm(0x00c, 0)),
        0xE000_1000 => Some(arm(0x002, 3)),
        0xE000_2000 => Some(arm(0x003, 2)),
        _ => None,
    }
}

/// The word at `address`, if it belongs to the table or to an identification block. `chip` is the part number of the
/// chip, twelve bits.
pub(crate) fn read(address: u32, chip: u32) -> Option<u32> {
    let (base, offset) = (address & !(BLOCK - 1), address & (BLOCK - 1));
    let identity = identity(base, chip)?;
    match offset {
        IDENTIFICATION.. => Some(identification(&identity, offset)),
        _ if base != BASE => None,
        // MEMTYPE: system memory can be reached through this access port.
        0xFCC => Some(1),
        _ => Some(ENTRIES.get(offset as usize / 4).copied().unwrap_or(0)),
    }
}

fn identification(identity: &Identity, offset: u32) -> u32 {
    let (continuation, code) = identity.designer;
    match offset {
        0xFD0 => continuation,
        0xFE0 => identity.part & 0xff,
        0xFE4 => (code & 0xf) << 4 | identity.part >> 8 & 0xf,
        0xFE8 => identity.revision << 4 | 1 << 3 | code >> 4 & 0x7,
        0xFF0 => 0x0d,
        0xFF4 => identity.class << 4,
        0xFF8 => 0x05,
        0xFFC => 0xb1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identification_bytes(base: u32) -> Vec<u32> {
        [0xFD0, 0xFE0, 0xFE4, 0xFE8, 0xFF0, 0xFF4, 0xFF8, 0xFFC]
            .iter()
            .map(|offset| read(base + offset, 0x413).expect("a component"))
            .collect()
    }

    #[test]
    fn the_table_carries_the_chip_and_its_maker() {
        assert_eq!(identification_bytes(BASE), [0x00, 0x13, 0x04, 0x0a, 0x0d, 0x10, 0x05, 0xb1]);
        assert_eq!(read(BASE, 0x413), Some(0xFFF0_F003));
        assert_eq!(read(BASE + 0x10, 0x413), Some(0), "the end of the table");
    }

    #[test]
    fn components_carry_the_numbers_of_the_cortex_m4() {
        assert_eq!(identification_bytes(0xE000_E000), [0x04, 0x0c, 0xb0, 0x0b, 0x0d, 0xe0, 0x05, 0xb1]);
        assert_eq!(identification_bytes(0xE000_2000), [0x04, 0x03, 0xb0, 0x2b, 0x0d, 0xe0, 0x05, 0xb1]);
        assert_eq!(read(0xE000_ED00, 0x413), None, "only the identification is ours");
        assert_eq!(identification_bytes(0xE000_1000), [0x04, 0x02, 0xb0, 0x3b, 0x0d, 0xe0, 0x05, 0xb1]);
        assert_eq!(read(0xE000_0FE0, 0x413), None, "an absent component");
    }
}
