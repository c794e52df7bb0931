//! The program under the probe, assembled by hand: no cross compiler is needed for these tests.
//!
//! It starts TIM5 as a free counter, arms EXTI line 0 on rising edges, and goes round a loop that counts its rounds,
//! obeys a command word and calls an empty function.

use super::elf;

/// Where the program lies.
pub(crate) const FLASH: u32 = 0x0800_0000;
const CODE: u32 = FLASH + 0x200;

/// First instruction.
pub(crate) const RESET: u32 = CODE;
/// The instruction after the call of the empty function.
pub(crate) const AFTER_CALL: u32 = CODE + 0x38;
/// The head of the loop.
pub(crate) const LOOP: u32 = CODE + 0x24;
/// The wait for an interrupt in the loop.
pub(crate) const WAIT: u32 = CODE + 0x2e;
/// The empty function called once a round.
pub(crate) const HIL_STOP: u32 = CODE + 0x3c;
/// The handler of EXTI line 0.
pub(crate) const EXTI0: u32 = CODE + 0x3e;
/// The handler of HardFault.
pub(crate) const HARD_FAULT: u32 = CODE + 0x5e;

/// Instructions of one round from the empty function to the empty function, both taken once.
pub(crate) const ROUND_INSTRUCTIONS: u32 = 10;

/// Rounds so far.
pub(crate) const ROUNDS: u64 = 0x2000_0000;
/// Rising edges that EXTI line 0 has had.
pub(crate) const EDGES: u64 = 0x2000_0004;
/// TIM5 at the last entry of EXTI line 0's handler.
pub(crate) const STAMP: u64 = 0x2000_0008;
/// What the loop does: one of the commands below.
pub(crate) const COMMAND: u64 = 0x2000_000c;
/// SysTick interrupts so far.
pub(crate) const SYSTICKS: u64 = 0x2000_0010;
/// Memory the program does not use.
pub(crate) const SCRATCH: u64 = 0x2000_4000;

/// Wait for an interrupt once a round.
pub(crate) const SLEEP: u32 = 1;
/// Execute an undefined instruction.
pub(crate) const FAULT: u32 = 2;
/// Execute an undefined instruction in the handler of an undefined instruction.
pub(crate) const LOCK_UP: u32 = 3;

/// TIM5's counter: 1 ns each in the emulator.
pub(crate) const TIM5_CNT: u64 = 0x4000_0c24;

const VECTORS: usize = 98;

#[rustfmt::skip]
const PROGRAM: [u16; 60] = [
    // reset: start TIM5; EXTI line 0: mask, rising edge, interrupt 6
    0x4f19,         // 00 ldr  r7, [TIM5]
    0x2001,         // 02 movs r0, #1
    0x6178,         // 04 str  r0, [r7, #0x14]  EGR
    0x2100,         // 06 movs r1, #0
    0x6139,         // 08 str  r1, [r7, #0x10]  SR
    0x6038,         // 0a str  r0, [r7]         CR1
    0x4a17,         // 0c ldr  r2, [EXTI]
    0x6010,         // 0e str  r0, [r2]         IMR
    0x6090,         // 10 str  r0, [r2, #8]     RTSR
    0x4b17,         // 12 ldr  r3, [NVIC_ISER0]
    0x2040,         // 14 movs r0, #64
    0x6018,         // 16 str  r0, [r3]
    0x4c16,         // 18 ldr  r4, [RAM]
    0x2500,         // 1a movs r5, #0
    0x6061,         // 1c str  r1, [r4, #4]
    0x60a1,         // 1e str  r1, [r4, #8]
    0x60e1,         // 20 str  r1, [r4, #12]
    0x6121,         // 22 str  r1, [r4, #16]
    // loop:
    0x3501,         // 24 adds r5, #1
    0x6025,         // 26 str  r5, [r4]         rounds
    0x68e0,         // 28 ldr  r0, [r4, #12]    command
    0x2801,         // 2a cmp  r0, #1
    0xd100,         // 2c bne  30
    0xbf30,         // 2e wfi
    0x2802,         // 30 cmp  r0, #2
    0xda02,         // 32 bge  3a
    0xf000, 0xf802, // 34 bl   hil_stop
    0xe7f4,         // 38 b    loop
    0xde00,         // 3a udf  #0
    // hil_stop:
    0x4770,         // 3c bx   lr
    // exti0: stamp first, then count if the edge was seen
    0x6a78,         // 3e ldr  r0, [r7, #0x24]  CNT
    0x60a0,         // 40 str  r0, [r4, #8]
    0x4a0a,         // 42 ldr  r2, [EXTI]
    0x6951,         // 44 ldr  r1, [r2, #0x14]  PR
    0x2301,         // 46 movs r3, #1
    0x4219,         // 48 tst  r1, r3
    0xd003,         // 4a beq  54
    0x6153,         // 4c str  r3, [r2, #0x14]
    0x6861,         // 4e ldr  r1, [r4, #4]
    0x3101,         // 50 adds r1, #1
    0x6061,         // 52 str  r1, [r4, #4]
    0x4770,         // 54 bx   lr
    // systick:
    0x6921,         // 56 ldr  r1, [r4, #16]
    0x3101,         // 58 adds r1, #1
    0x6121,         // 5a str  r1, [r4, #16]
    0x4770,         // 5c bx   lr
    // hard_fault: stay here, or fault again
    0x68e0,         // 5e ldr  r0, [r4, #12]
    0x2803,         // 60 cmp  r0, #3
    0xd1fc,         // 62 bne  hard_fault
    0xde01,         // 64 udf  #1
    0xbf00,         // 66 nop
    // constants
    0x0c00, 0x4000, // 68 TIM5
    0x3c00, 0x4001, // 6c EXTI
    0xe100, 0xe000, // 70 NVIC_ISER0
    0x0000, 0x2000, // 74 RAM
];

/// The program as an ELF file.
pub(crate) fn elf() -> Vec<u8> {
    elf::executable(FLASH, &bytes(), RESET)
}

/// The same program with another last constant: a different build.
pub(crate) fn other_elf() -> Vec<u8> {
    let mut bytes = bytes();
    if let Some(last) = bytes.last_mut() {
        *last ^= 0xff;
    }
    elf::executable(FLASH, &bytes, RESET)
}

/// Vector table and code as they lie in flash.
pub(crate) fn bytes() -> Vec<u8> {
    let mut vectors = [HARD_FAULT | 1; VECTORS];
    vectors[0] = 0x2002_0000;
    vectors[1] = RESET | 1;
    vectors[15] = (CODE + 0x56) | 1;
    vectors[16 + 6] = EXTI0 | 1;
    let mut bytes: Vec<u8> = vectors.iter().flat_map(|vector| vector.to_le_bytes()).collect();
    bytes.resize((CODE - FLASH) as usize, 0);
    bytes.extend(PROGRAM.iter().flat_map(|half| half.to_le_bytes()));
    bytes
}
