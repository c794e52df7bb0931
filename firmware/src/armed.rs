//! Edges that a bench has armed: pins that the firmware moves itself when their tick has come.
//!
//! The pull resistor of a button's pin is turned round; level, edge detector and interrupt are real. No probe comes in
//! between, so that edges may lie as close together as the loop makes them.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use flagfall_core::DeviceTime;
use flagfall_core::command::{ArmedEdge, CommandError};

use crate::board::{detector, timebase};
use crate::buttons;
use crate::contract_block;

/// Edges that can be armed at a time.
const EDGES_MAX: usize = 16;

#[expect(unsafe_code, reason = "a bench finds the word by its symbol")]
// SAFETY: nothing else in the image has this name.
#[unsafe(no_mangle)]
static FLAGFALL_ARMED_LATE: AtomicU32 = AtomicU32::new(0);

/// An edge in one word, in the order of its ticks: tick, whether it closes, and the line of its button in seven bits.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(edge: ArmedEdge) -> Self {
        let (line, closes) = (buttons::line_of(edge.side), u8::from(edge.closes) << 7);
        Self(edge.at.ticks() << 8 | u64::from(closes | line))
    }

    const fn at(self) -> DeviceTime {
        DeviceTime::from_ticks(self.0 >> 8)
    }

    const fn closes(self) -> bool {
        self.0 & 0x80 != 0
    }

    const fn line(self) -> u8 {
        (self.0 & 0x7f) as u8
    }
}

/// What is armed: a train of edges, of which the first ones may have been made.
pub(crate) struct Armed {
    edges: [Packed; EDGES_MAX],
    made: usize,
    len: usize,
}

impl Armed {
    /// Nothing.
    pub(crate) const NONE: Self = Self { edges: [Packed(0); EDGES_MAX], made: 0, len: 0 };

    /// Forgets what has not been made.
    pub(crate) const fn disarm(&mut self) {
        (self.made, self.len) = (0, 0);
    }

    /// Arms one more edge, not before those that are armed.
    pub(crate) fn arm(&mut self, edge: ArmedEdge) -> Result<(), CommandError> {
        if self.made == self.len {
            self.disarm();
        }
        let armed = self.edges.get(..self.len).unwrap_or_default();
        if armed.last().is_some_and(|last| edge.at < last.at()) {
            return Err(CommandError::ArmedOrder);
        }
        *self.edges.get_mut(self.len).ok_or(CommandError::ArmedFull)? = Packed::new(edge);
        self.len += 1;
        Ok(())
    }

    fn first(&self) -> Option<Packed> {
        if self.made < self.len { self.edges.get(self.made).copied() } else { None }
    }

    /// When the next one is due.
    pub(crate) fn next(&self) -> Option<DeviceTime> {
        self.first().map(Packed::at)
    }

    /// Makes the next edge if its tick has come; whether there was one.
    #[inline(never)]
    pub(crate) fn make_due(&mut self, now: DeviceTime) -> bool {
        let Some(edge) = self.first().filter(|edge| edge.at() <= now) else { return false };
        self.made += 1;
        timebase::let_pass(contract_block::phase());
        detector::pull(edge.line(), edge.closes());
        // Its interrupt has come and gone by now: the stamp is not after this.
        let late = timebase::now().ticks_since(edge.at()) as u32;
        FLAGFALL_ARMED_LATE.store(FLAGFALL_ARMED_LATE.load(Relaxed).max(late), Relaxed);
        true
    }
}
