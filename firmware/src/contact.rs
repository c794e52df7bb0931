//! One contact at the edge detector (RM0090 section 12, EXTI): which edge came, and for which one to wait next.
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
//! The emulated STM32F405 has an edge detector and no pins: nothing can be looked at there. It does not need to be,
//! since its input lines move while the core stands still in a stop or runs far away from the handler. Two of its
//! manners do not matter here, because only the edge that is armed sets the pending bit: it takes a write of the level
//! that a line already has for an edge, and raises the interrupt for an edge that is not armed.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stm32f4::stm32f405::{EXTI, GPIOA, Peripherals};

/// Whether this chip has pins that can be looked at.
static PINS: AtomicBool = AtomicBool::new(false);

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
        chip.GPIOA.pupdr().modify(|_, w| w.pupdr(self.line).pull_up());
        // What is written to a port that is not there does not read back.
        PINS.store(chip.GPIOA.pupdr().read().pupdr(self.line).is_pull_up(), Relaxed);
        self.arm(&chip.EXTI, Edge::Closing);
        if self.has_passed(&chip.GPIOA, Edge::Closing) {
            self.arm(&chip.EXTI, Edge::Opening);
        }
        chip.EXTI.imr().modify(|_, w| w.mr(self.line).unmasked());
    }

    /// The edge that brought its handler here; `None` if another bench or another edge raised the interrupt.
    #[expect(unsafe_code, reason = "three handlers share the peripheral and none can own it")]
    pub(crate) fn take(self) -> Option<Edge> {
        // SAFETY: the handlers have one priority and do not interrupt each other, and nothing else touches EXTI once it
        // is set up.
        let exti = unsafe { EXTI::steal() };
        exti.pr().read().pr(self.line).is_pending().then(|| self.turn(&exti))
    }

    /// The edge that came between the last one and the look at the pin after it, if there was one.
    #[expect(unsafe_code, reason = "three handlers share the peripherals and none can own them")]
    pub(crate) fn take_unseen(self) -> Option<Edge> {
        // SAFETY: as in `take`; the port is only read.
        let (exti, port) = unsafe { (EXTI::steal(), GPIOA::steal()) };
        self.has_passed(&port, self.armed(&exti)).then(|| self.turn(&exti))
    }

    fn armed(self, exti: &EXTI) -> Edge {
        if exti.ftsr().read().tr(self.line).is_enabled() { Edge::Closing } else { Edge::Opening }
    }

    /// The edge that was armed; from here on the other one is.
    fn turn(self, exti: &EXTI) -> Edge {
        let edge = self.armed(exti);
        self.arm(exti, edge.opposite());
        edge
    }

    fn arm(self, exti: &EXTI, edge: Edge) {
        exti.ftsr().modify(|_, w| w.tr(self.line).bit(edge == Edge::Closing));
        exti.rtsr().modify(|_, w| w.tr(self.line).bit(edge == Edge::Opening));
        // Writing zeros changes no other line. The pin is looked at after this, so that nothing is cleared unseen.
        exti.pr().write(|w| w.pr(self.line).clear());
    }

    /// Whether the pin is where this edge would have brought it, as far as that can be seen.
    fn has_passed(self, port: &GPIOA, edge: Edge) -> bool {
        PINS.load(Relaxed) && port.idr().read().idr(self.line).is_low() == (edge == Edge::Closing)
    }
}
