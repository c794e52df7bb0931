//! The smallest ELF file that both QEMU and probe-rs's loader take: one segment, one section that covers it.

const FILE_HEADER: usize = 52;
const PROGRAM_HEADER: usize = 32;
const NAMES: &[u8] = b"\0.text\0.shstrtab\0";
const NAME_TEXT: u32 = 1;
const NAME_NAMES: u32 = 7;

const MACHINE_ARM: u16 = 40;
const LOAD: u32 = 1;
const READ_EXECUTE: u32 = 5;
const PROGBITS: u32 = 1;
const STRTAB: u32 = 3;
const ALLOC_EXECUTE: u32 = 6;

/// An executable whose `bytes` are loaded at `address` and start at `entry`.
pub(crate) fn executable(address: u32, bytes: &[u8], entry: u32) -> Vec<u8> {
    let text = FILE_HEADER + PROGRAM_HEADER;
    let names = text + bytes.len();
    let sections = (names + NAMES.len()).next_multiple_of(4);

    let mut file = Vec::new();
    // 32 bits, little endian, version 1; executable for Arm.
    file.extend_from_slice(b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0");
    halves(&mut file, &[2, MACHINE_ARM]);
    words(&mut file, &[1, entry | 1, FILE_HEADER as u32, sections as u32, 0x0500_0000]);
    halves(&mut file, &[FILE_HEADER as u16, PROGRAM_HEADER as u16, 1, 40, 3, 2]);

    let length = bytes.len() as u32;
    words(&mut file, &[LOAD, text as u32, address, address, length, length, READ_EXECUTE, 4]);
    file.extend_from_slice(bytes);
    file.extend_from_slice(NAMES);
    file.resize(sections, 0);

    words(&mut file, &[0; 10]);
    words(&mut file, &[NAME_TEXT, PROGBITS, ALLOC_EXECUTE, address, text as u32, length, 0, 0, 4, 0]);
    words(&mut file, &[NAME_NAMES, STRTAB, 0, 0, names as u32, NAMES.len() as u32, 0, 0, 1, 0]);
    file
}

fn halves(file: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|value| file.extend_from_slice(&value.to_le_bytes()));
}

fn words(file: &mut Vec<u8>, values: &[u32]) {
    values.iter().for_each(|value| file.extend_from_slice(&value.to_le_bytes()));
}
