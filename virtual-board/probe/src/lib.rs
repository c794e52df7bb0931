//! The probe-rs driver of the emulated debug port.
//!
//! It stands below everything that probe-rs's drivers of real SWD probes share: probe-rs's own ADIv5, Cortex-M, flash
//! and RTT code runs unchanged on top. The selector is `c0de:0405:<gdb socket>,<qtest socket>`, as
//! [`flagfall_vboard::Selector`] prints it.
//!
//! ```no_run
//! use flagfall_vboard::{Emulator, EmulatorOptions};
//! use probe_rs::probe::{DebugProbeSelector, list::Lister};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! flagfall_vprobe::register();
//! let emulator = Emulator::launch(&EmulatorOptions { kernel: Some("clock.elf".into()), ..Default::default() })?;
//! let selector: DebugProbeSelector = emulator.selector().to_string().parse()?;
//! let mut session = Lister::new().open(selector)?.attach("STM32F405RG", Default::default())?;
//! # Ok(())
//! # }
//! ```

mod driver;
mod factory;

pub use driver::VirtualProbe;

use probe_rs::plugin::{Plugin, register_plugin};
use std::sync::Once;

/// Makes the driver known to probe-rs; further calls do nothing.
pub fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        register_plugin(Plugin { probe_drivers: &[&factory::VirtualProbeFactory], ..Plugin::default() });
    });
}
