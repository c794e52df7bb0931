//! One contact at the edge detector (EXTI): which edge came, and for which one to wait next.
//!
//! Of each line one edge is armed at a time: the falling one while the contact is open, the rising one while it is
//! closed. So the direction of an edge is known without a look at the pin, which would come too late to tell: by the
//! time the handler runs a contact that bounces has moved on.
//!
//! Between an edge and the arming of the next one the detector is deaf to that next one. The handler closes this gap
//! with a look at the pin after it has armed. If the pin is where the armed edge would have brought it, the edge has
//! come: unseen before the arming, or seen after it, in which case the pending bit that it left is cleared with the
//! next arming. It counts once either way and is dated by the look, a few microseconds late. If the pin is where it
//! should be, no edge is missing but pairs of them, a spike within those microseconds; the quiet time, which any edge
//! restarts, was restarted a few microseconds earlier by the edge that was seen.
//!
//! Where a chip has no pins to look at, as the emulated STM32F405, none are needed: its input lines move while the core
//! stands still in a stop or runs far away from the handler.

use crate::board::chip::Peripherals;
use crate::board::detector;

/// A line of EXTI and the pin of port A that it watches.
#[derive(Clone, Copy)]
pub(crate) struct Contact {
    line: u8,
}

/// An edge of a contact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The contact closes: it pulls the pin low.
    Closing,
    /// It opens.
    Opening,
}

impl Edge {
    const fn opposite(self) -> Self {
        match self {
            Self::Closing => Self::Opening,
            Self::Opening => Self::Closing,
        }
    }
}

impl Contact {
    /// The contact at this pin of port A, 0 to 15.
    pub(crate) const fn at_pin(line: u8) -> Self {
        Self { line }
    }

    /// Pulls the pin up and waits for the contact to close, or, if it is closed already, to open.
    pub(crate) fn open(self, chip: &Peripherals) {
        detector::pull_up(chip, self.line);
        detector::arm(self.line, Edge::Closing);
        if self.has_passed(Edge::Closing) {
            detector::arm(self.line, Edge::Opening);
        }
        detector::unmask(self.line);
    }

    /// The edge that brought its handler here; `None` if another bench or another edge raised the interrupt.
    pub(crate) fn take(self) -> Option<Edge> {
        detector::is_pending(self.line).then(|| self.turn())
    }

    /// The edge that came between the last one and the look at the pin after it, if there was one.
    pub(crate) fn take_unseen(self) -> Option<Edge> {
        self.has_passed(detector::armed(self.line)).then(|| self.turn())
    }

    /// The edge that was armed; from here on the other one is. The pin is looked at after this, so that nothing is forgotten
    /// unseen.
    fn turn(self) -> Edge {
        let edge = detector::armed(self.line);
        detector::arm(self.line, edge.opposite());
        edge
    }

    /// Whether the pin is where this edge would have brought it, as far as that can be seen.
    fn has_passed(self, edge: Edge) -> bool {
        detector::is_low(self.line).is_some_and(|is_low| is_low == (edge == Edge::Closing))
    }
}
