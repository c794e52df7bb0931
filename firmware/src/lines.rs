//! Lines on the wire: when the one has gone out that somebody waits for.
//!
//! A display on the other end has a line when its last stop bit has come, and not before. So the stamp is taken when the
//! transmitter says that it is done (TC), not when the last byte is written to it, two characters earlier.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use critical_section::Mutex;
use flagfall_core::DeviceTime;

use crate::board::timebase;

/// How many lines have gone out; only the interrupt that sends them changes it.
static GONE: AtomicU32 = AtomicU32::new(0);

/// The line, counted from one, whose end is to be stamped.
static AWAITED: AtomicU32 = AtomicU32::new(0);

/// When that line had gone out.
static STAMP: Mutex<Cell<Option<DeviceTime>>> = Mutex::new(Cell::new(None));

/// From here on the end of this line is waited for, which cannot have gone out yet.
pub(crate) fn await_end_of(line: u32) {
    AWAITED.store(line, Relaxed);
}

/// A line has gone out.
pub(crate) fn gone() {
    let gone = GONE.load(Relaxed).wrapping_add(1);
    GONE.store(gone, Relaxed);
    if gone == AWAITED.load(Relaxed) {
        let now = timebase::now();
        critical_section::with(|section| STAMP.borrow(section).set(Some(now)));
    }
}

/// When the awaited line had gone out, once.
pub(crate) fn take_stamp() -> Option<DeviceTime> {
    critical_section::with(|section| STAMP.borrow(section).take())
}
