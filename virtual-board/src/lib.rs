//! An emulated microcontroller dressed as a debug port.
//!
//! QEMU runs the firmware; this crate gives it what a debug probe expects to find on the two wires of a real board: an
//! ADIv5 debug port with one memory access port, and behind it a bus with memory, peripherals and the debug registers
//! of a Cortex-M4 ([`DebugPort`]). Run control and core registers go to QEMU's gdb stub, memory and input pins to its
//! qtest socket, which answers while the core runs. [`Emulator`] starts and ends the QEMU process and keeps what comes
//! out of the board's serial port ([`Emulator::serial`]).
//!
//! What it deliberately does not do:
//!
//! * It knows nothing of the program that runs, and nothing of chess.
//! * No trace (ITM, SWO, the counters of DWT), no comparison of values in watchpoints, no bit level of SWD, no JTAG. A client that asks for them is told so by the
//!   registers it reads.
//! * No `BKPT` instruction in the program: QEMU turns it into a HardFault, where a real core with a debugger halts. The
//!   one exception is a `BKPT` in RAM to which code in RAM returns: that is how flash algorithms end.
//! * Reads of unmapped addresses give 0 instead of a bus fault.
//! * Virtual time stands still while the core is halted, and a single step costs exactly one instruction, over a NOP
//!   none. A stop at a breakpoint is free only while no timer is armed: QEMU takes a core that has just stopped for an idle
//!   one and moves virtual time to the next timer deadline. Firmware that is to be stopped at an exact time stops itself,
//!   with no alarm armed, in a function that has a breakpoint or writes to a word that is watched.
//! * A breakpoint costs the host more than a watchpoint: QEMU executes the kibibyte around it one instruction at a time, and
//!   forgets what it has translated at each stop there and after each single step.
//!
//! ```no_run
//! use flagfall_vboard::{DebugPort, Emulator, EmulatorOptions, STM32F405};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let emulator = Emulator::launch(&EmulatorOptions { kernel: Some("clock.elf".into()), ..Default::default() })?;
//! let mut port = DebugPort::connect(&STM32F405, emulator.selector())?;
//! port.write_ap(0x4, 0x4000_0c24)?; // TAR: the counter of TIM5
//! println!("{} {}", port.read_ap(0xc)?, emulator.command_line()); // DRW
//! # Ok(())
//! # }
//! ```
//!
//! Every wait is bounded, and a link that failed once stays failed: a stalled emulator yields an error, never a hang.

pub mod black_magic;
mod board;
mod core_control;
mod dap;
mod debug_registers;
mod dwt;
mod emulator;
mod fpb;
mod gdb;
mod hex;
mod link;
mod obituary;
mod packet;
mod qtest;
mod register_map;
mod rom_table;
#[cfg(test)]
mod scripted;
mod selector;
mod serial;
mod supervisor;
mod target;
mod traps;
mod wires;

pub use board::{BOARDS, Board, InputLines, OutputPort, STM32F405, STM32L475, UniqueId};
pub use dap::{ConnectError, DebugPort};
pub use emulator::{Emulator, EmulatorOptions, LaunchError, SerialUse};
pub use gdb::GdbError;
pub use link::{LinkError, REPLY_TIMEOUT, SocketPath, SocketPathError};
pub use obituary::{Exit, Obituary};
pub use packet::FrameError;
pub use qtest::QtestError;
pub use register_map::RegisterMapError;
pub use selector::{PROBE_VENDOR, Selector, SelectorError};
pub use serial::SerialOutput;
pub use target::{AccessError, STIMULUS_BASE};
pub use wires::{Cable, CableError};
