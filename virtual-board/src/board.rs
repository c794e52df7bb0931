//! What the emulated boards are: everything the debug model must know and cannot ask QEMU for.

use std::ops::Range;

/// An emulated microcontroller and the QEMU machine that runs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The microcontroller's name.
    pub name: &'static str,
    /// The microcontroller in the form in which its flash and memory are emulated, as vendors and debug tools name it.
    pub chip: &'static str,
    /// The machine as `qemu-system-arm -M` knows it.
    pub machine: &'static str,
    /// The oldest QEMU that knows the machine.
    pub since: &'static str,
    /// The product number in the probe selector.
    pub product: u16,
    /// Memory that stores do not change, but the debugger may.
    pub flash: Range<u32>,
    /// Memory in which a `BKPT` is taken for the return of a flash algorithm.
    pub ram: Range<u32>,
    /// What DBGMCU_IDCODE reads.
    pub idcode: u32,
    /// The number of the device in its system memory; all emulated devices of a kind have the same.
    pub unique_id: UniqueId,
    /// Comparators of the breakpoint unit that match instructions; the two literal ones come on top.
    pub breakpoint_units: u8,
    /// What the debug port's DPIDR reads.
    pub dpidr: u32,
    /// What the access port's IDR reads.
    pub access_port_idr: u32,
    /// The input lines that the stimulus window drives.
    pub input_lines: InputLines,
    /// The port whose pins can drive the input lines of another board, where QEMU models one.
    pub output_port: Option<OutputPort>,
    /// Which of QEMU's serial ports, counted from 0, is the one whose output is kept.
    pub serial: usize,
}

/// The number that each device has of its own, which QEMU does not model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UniqueId {
    /// Where its first word is.
    pub address: u32,
    /// Its words.
    pub words: [u32; 3],
}

impl UniqueId {
    /// Lays its bytes over those that were read from `address` on.
    pub(crate) fn lay_over(&self, address: u32, bytes: &mut [u8]) {
        let number = self.words.map(u32::to_le_bytes).into_iter().flatten();
        for (at, byte) in (self.address..).zip(number) {
            if let Some(place) = at.checked_sub(address).and_then(|offset| bytes.get_mut(offset as usize)) {
                *place = byte;
            }
        }
    }
}

/// A row of input lines of one QEMU device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputLines {
    /// The device's place in QEMU's object tree.
    pub path: &'static str,
    /// The name of the row of lines.
    pub name: &'static str,
    /// How many lines may be driven. QEMU dies of one more.
    pub count: u32,
    /// Whether the device takes a line that is set to the level it has for an edge. One that does is not told; one that
    /// does not is a pin, which a reset leaves to its pull resistor and which has to be driven anew.
    pub repeats_are_edges: bool,
}

/// A port of 16 pins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputPort {
    /// Its mode register, two bits a pin, of which 1 is an output (RM0351 section 8.5.1: GPIOx_MODER).
    pub mode: u32,
    /// Its output data register (RM0351 section 8.5.6: GPIOx_ODR).
    pub data: u32,
}

/// STM32F405RG as QEMU models it on the Olimex STM32-H405.
///
/// Identification: RM0090 section 38.6.1 (DBGMCU_IDCODE: device 0x413, revision 0x1007), Cortex-M4 TRM (DPIDR, AHB-AP).
/// The machine has 128 KiB of SRAM besides the core-coupled memory. The lines are those of SYSCFG, port A: a change
/// goes from there to EXTI and, edge and mask permitting, to the NVIC, as from a pin. The model knows only port A, and
/// asserts on a line of another.
pub const STM32F405: Board = Board {
    name: "STM32F405",
    chip: "STM32F405RGTx",
    machine: "olimex-stm32-h405",
    since: "8",
    product: 0x0405,
    flash: 0x0800_0000..0x0810_0000,
    ram: 0x2000_0000..0x2002_0000,
    idcode: 0x1007_6413,
    // RM0090 section 39.1; "flagfall" where a device has the lot of its wafer.
    unique_id: UniqueId { address: 0x1fff_7a10, words: [0x0405, 0x6761_6c66, 0x6c6c_6166] },
    breakpoint_units: 6,
    dpidr: 0x2BA0_1477,
    access_port_idr: 0x2477_0011,
    input_lines: InputLines {
        path: "/machine/soc/syscfg",
        name: "unnamed-gpio-in",
        count: 16,
        repeats_are_edges: true,
    },
    // QEMU has no ports in this machine: what is written to one is lost.
    output_port: None,
    // USART2.
    serial: 1,
};

/// STM32L475VG as QEMU (9.1 or newer) models it on the B-L475E-IOT01A.
///
/// Identification: RM0351 section 48.6.1 (DBGMCU_IDCODE: device 0x415, revision 0x1007), Cortex-M4 TRM (DPIDR, AHB-AP).
/// The lines are the pins of port A: one that is driven has that level, and one that never was since the last reset has
/// what its pull resistor makes of it. Either way it can be read, and an edge goes from there through SYSCFG and EXTI to
/// the NVIC. There is RCC, and no timer but SysTick.
pub const STM32L475: Board = Board {
    name: "STM32L475",
    chip: "STM32L475VGTx",
    machine: "b-l475e-iot01a",
    since: "9.1",
    product: 0x0475,
    flash: 0x0800_0000..0x0810_0000,
    ram: 0x2000_0000..0x2001_8000,
    idcode: 0x1007_6415,
    // RM0351 section 49.1.
    unique_id: UniqueId { address: 0x1fff_7590, words: [0x0475, 0x6761_6c66, 0x6c6c_6166] },
    breakpoint_units: 6,
    dpidr: 0x2BA0_1477,
    access_port_idr: 0x2477_0011,
    input_lines: InputLines {
        path: "/machine/soc/gpioa",
        name: "unnamed-gpio-in",
        count: 16,
        repeats_are_edges: false,
    },
    // Port A.
    output_port: Some(OutputPort { mode: 0x4800_0000, data: 0x4800_0014 }),
    // USART1, which the board's own probe passes on.
    serial: 0,
};

/// All of them.
pub const BOARDS: &[&Board] = &[&STM32F405, &STM32L475];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_device_is_laid_over_what_was_read_around_it() {
        let number = UniqueId { address: 0x100, words: [0x0302_0100, 0x0706_0504, 0x0b0a_0908] };
        let read = |address, count| {
            let mut bytes = vec![0xff; count];
            number.lay_over(address, &mut bytes);
            bytes
        };
        assert_eq!(read(0x100, 4), [0, 1, 2, 3]);
        assert_eq!(read(0xfe, 4), [0xff, 0xff, 0, 1]);
        assert_eq!(read(0x10a, 4), [10, 11, 0xff, 0xff]);
        assert_eq!(read(0x10c, 2), [0xff, 0xff]);
    }
}
