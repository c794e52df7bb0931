//! Faults that a probe causes while the target stands still, by nothing but its registers.

use super::description::{DisplayFault, JumpFault, LostPressFault, RateFault, StuckFault};
use super::target::{Target, TargetError};

/// The update event of a timer (RM0090 section 18.4.6: UG).
const UPDATE: u32 = 1;

/// Lets the prescaler of the time base divide by `count`.
///
/// What is written to it is taken over with the next update only, which clears the counter on a chip: the counter gets
/// back what it had, less the part of a tick that the prescaler had counted.
pub(super) fn set_prescaler(target: &mut Target, rate: &RateFault, count: u32) -> Result<(), TargetError> {
    let counter = target.word(rate.counter)?;
    target.set_word(rate.prescaler, count - 1)?;
    target.set_word(rate.event, UPDATE)?;
    target.set_word(rate.counter, counter)
}

/// Moves the counter of the time base by so many ticks, on or back.
pub(super) fn jump(target: &mut Target, jump: &JumpFault, ticks: i32) -> Result<(), TargetError> {
    let counter = target.word(jump.counter)?;
    target.set_word(jump.counter, counter.wrapping_add_signed(ticks))
}

/// Stops the time base; its control register as it was.
pub(super) fn stop(target: &mut Target, stuck: &StuckFault) -> Result<u32, TargetError> {
    let control = target.word(stuck.control)?;
    target.set_word(stuck.control, control & !stuck.enable)?;
    Ok(control)
}

/// Lets the time base go on: sets those bits again that the stop has cleared.
pub(super) fn go_on(target: &mut Target, stuck: &StuckFault, control: u32) -> Result<(), TargetError> {
    let now = target.word(stuck.control)?;
    target.set_word(stuck.control, now | control & stuck.enable)
}

/// Lets the interrupt of this line come through no more; the mask as it was.
pub(super) fn mask(target: &mut Target, lost: &LostPressFault, line: u32) -> Result<u32, TargetError> {
    let mask = target.word(lost.mask)?;
    target.set_word(lost.mask, mask & !(1 << line))?;
    Ok(mask)
}

/// Lets nothing come out to the display any more, or again.
pub(super) fn freeze(target: &mut Target, display: &DisplayFault, frozen: bool) -> Result<(), TargetError> {
    match *display {
        DisplayFault::Transmitter { control, transmitter } => {
            let enabled = target.word(control)?;
            target.set_word(control, if frozen { enabled & !transmitter } else { enabled | transmitter })
        }
        DisplayFault::Interrupt { mask, unmask, bits } => target.set_word(if frozen { mask } else { unmask }, bits),
    }
}

/// Forgets what has become pending at this line and sets the mask back.
pub(super) fn unmask(target: &mut Target, lost: &LostPressFault, line: u32, mask: u32) -> Result<(), TargetError> {
    // Writing zeros changes no other line.
    target.set_word(lost.pending, 1 << line)?;
    target.set_word(lost.mask, mask)
}
