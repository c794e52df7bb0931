//! What a probe can make go wrong with a clock without the clock's help, register by register.

use flagfall_core::TickRate;
use serde::Deserialize;

use super::field::{self, Misfit};

/// What a probe can make go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The time base at another rate.
    pub rate: Possible<RateFault>,
    /// The time base jumps.
    pub jump: Possible<JumpFault>,
    /// The time base stands still.
    pub stuck: Possible<StuckFault>,
    /// A press that is not noticed.
    pub lost_press: Possible<LostPressFault>,
    /// The supply breaks down.
    pub brown_out: Possible<BrownOut>,
    /// The display keeps showing what it shows.
    pub display_frozen: Possible<DisplayFault>,
}

/// Something that a board allows, or why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible<T> {
    /// How it is done.
    By(T),
    /// Why it cannot be.
    Not(String),
}

impl<T> Possible<T> {
    /// How it is done.
    ///
    /// # Errors
    /// Why it cannot be.
    pub fn by(&self) -> Result<&T, &str> {
        match self {
            Self::By(how) => Ok(how),
            Self::Not(reason) => Err(reason),
        }
    }
}

/// The prescaler before the time base counts to another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateFault {
    /// The prescaler's register, which holds one less than it divides by (RM0090 section 18.4.11: TIMx_PSC).
    pub prescaler: u64,
    /// The register whose lowest bit is an update event, which alone takes the prescaler over and clears the counter on
    /// the way (RM0090 section 18.4.6: TIMx_EGR, UG).
    pub event: u64,
    /// The counter, which gets back what it had.
    pub counter: u64,
    /// What the prescaler divides by when nothing is wrong.
    pub divides_by: u32,
}

impl RateFault {
    /// The rate changes by no less than one part in so many, in parts per million: one count of the prescaler.
    #[must_use]
    pub const fn step_ppm(&self) -> u32 {
        1_000_000_u32.div_ceil(self.divides_by)
    }

    /// What the prescaler has to divide by for a time base that is this much fast, if that is a whole number, another than
    /// usual and within the register: to the part per billion in which rates are given.
    #[must_use]
    pub fn count_for(&self, ppb: i64) -> Option<u32> {
        let near = self.near(ppb)?;
        near.into_iter().find(|count| *count != self.divides_by && (self.ppb_of(*count) - ppb).abs() <= 1)
    }

    /// The rates on both sides of one, the slower first.
    #[must_use]
    pub fn neighbours_ppb(&self, ppb: i64) -> Vec<i64> {
        self.near(ppb).map_or_else(Vec::new, |near| near.into_iter().rev().map(|count| self.ppb_of(count)).collect())
    }

    /// The counts on both sides of a rate, the faster first.
    fn near(&self, ppb: i64) -> Option<[u32; 2]> {
        let whole = 1_000_000_000_i128;
        let rate = whole + i128::from(ppb);
        // Twice as fast or more a firmware would be past its stops before anybody saw it.
        let within = 1..2 * whole;
        let count = within.contains(&rate).then(|| i128::from(self.divides_by) * whole / rate)?;
        let count = u32::try_from(count).ok().filter(|count| *count < 1 << 16)?;
        Some([count.max(1), count + 1])
    }

    /// How fast the time base is with this count, in parts per billion, rounded towards the slower.
    fn ppb_of(&self, count: u32) -> i64 {
        let whole = 1_000_000_000_i64;
        (i64::from(self.divides_by) * whole).div_euclid(i64::from(count)) - whole
    }
}

/// The counter of the time base is written; its smallest step is a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpFault {
    /// The counter.
    pub counter: u64,
}

/// The time base is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StuckFault {
    /// The register in which it is enabled (RM0090 section 18.4.1: TIMx_CR1).
    pub control: u64,
    /// The bits that enable it (CEN).
    pub enable: u32,
    /// For how many milliseconds it may stand still at most: after that a watchdog would reset the clock.
    pub longest_ms: Option<u32>,
}

/// The interrupt of a button's line is masked while its pin moves, and what has become pending is cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LostPressFault {
    /// The mask register, one bit a line, 0 masked (RM0090 section 12.3.1: EXTI_IMR).
    pub mask: u64,
    /// The pending register, one bit a line, cleared by writing 1 (RM0090 section 12.3.6: EXTI_PR).
    pub pending: u64,
}

/// The supply breaks down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrownOut {
    /// How that is done.
    pub by: BrownOutBy,
    /// The clock comes back as it was at most so many milliseconds before: what it may lose.
    pub lost_ms_max: u32,
}

/// How the supply is taken to have broken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BrownOutBy {
    /// A system reset: registers and core start anew, memory keeps what it has, as after a short gap of the supply.
    SystemReset,
}

/// The most that a clock may lose over a reset, in milliseconds: a minute.
const LOST_MS_MAX: u32 = 60_000;

/// How nothing comes out to the display any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayFault {
    /// The transmitter of its link is switched off.
    Transmitter {
        /// The register in which it is enabled (RM0090 section 30.6.4: USART_CR1).
        control: u64,
        /// The bits that enable it (TE).
        transmitter: u32,
    },
    /// The interrupt that sends is masked.
    Interrupt {
        /// The register that masks what is written to it (ARMv7-M, B3.4.5: NVIC_ICER).
        mask: u64,
        /// The register that unmasks it (ARMv7-M, B3.4.4: NVIC_ISER).
        unmask: u64,
        /// The interrupt's bit.
        bits: u32,
    },
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFaults {
    rate: Option<RawRate>,
    jump: Option<RawJump>,
    stuck: Option<RawStuck>,
    lost_press: Option<RawLostPress>,
    brown_out: Option<RawBrownOut>,
    display_frozen: Option<RawDisplayFrozen>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRate {
    not_possible: Option<String>,
    prescaler: Option<u64>,
    event: Option<u64>,
    counter: Option<u64>,
    clock_hz: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawJump {
    not_possible: Option<String>,
    counter: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStuck {
    not_possible: Option<String>,
    control: Option<u64>,
    enable: Option<u32>,
    longest_ms: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLostPress {
    not_possible: Option<String>,
    mask: Option<u64>,
    pending: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBrownOut {
    not_possible: Option<String>,
    by: Option<BrownOutBy>,
    lost_ms_max: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDisplayFrozen {
    not_possible: Option<String>,
    control: Option<u64>,
    transmitter: Option<u32>,
    mask: Option<u64>,
    unmask: Option<u64>,
    bits: Option<u32>,
}

impl RawFaults {
    pub(super) fn checked(self, tick_rate: TickRate) -> Result<Faults, Misfit> {
        Ok(Faults {
            rate: possible(self.rate, |raw| raw.checked(tick_rate))?,
            jump: possible(self.jump, |raw| raw.checked())?,
            stuck: possible(self.stuck, |raw| raw.checked())?,
            lost_press: possible(self.lost_press, |raw| raw.checked())?,
            brown_out: possible(self.brown_out, |raw| raw.checked())?,
            display_frozen: possible(self.display_frozen, |raw| raw.checked())?,
        })
    }
}

fn possible<R, T>(raw: Option<R>, check: impl FnOnce(R) -> Result<Possible<T>, Misfit>) -> Result<Possible<T>, Misfit> {
    raw.map_or_else(|| Ok(Possible::Not("its board file does not say how".into())), check)
}

/// The values of a fault's keys, all of them or a reason why it is not possible and none of them.
fn all_or<const N: usize>(
    fault: &str,
    not_possible: Option<String>,
    values: [(&str, Option<u64>); N],
) -> Result<Result<[u64; N], String>, Misfit> {
    let field = format!("faults.{fault}");
    match not_possible {
        Some(reason) if values.iter().all(|(_, value)| value.is_none()) => Ok(Err(reason)),
        Some(_) => Err(Misfit::new(field, "either `not_possible` with a reason, or how it is done")),
        None => match values.iter().find(|(_, value)| value.is_none()) {
            Some((name, _)) => Err(Misfit::new(field, format!("`{name}` is missing, or `not_possible` with a reason"))),
            None => Ok(Ok(values.map(|(_, value)| value.unwrap_or_default()))),
        },
    }
}

fn bits_of(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl RawRate {
    fn checked(self, tick_rate: TickRate) -> Result<Possible<RateFault>, Misfit> {
        let values = [
            ("prescaler", self.prescaler),
            ("event", self.event),
            ("counter", self.counter),
            ("clock_hz", self.clock_hz.map(u64::from)),
        ];
        let [prescaler, event, counter, clock_hz] = match all_or("rate", self.not_possible, values)? {
            Ok(values) => values,
            Err(reason) => return Ok(Possible::Not(reason)),
        };
        let clock_hz = field::hz("faults.rate.clock_hz", bits_of(clock_hz))?;
        let divides_by = clock_hz / tick_rate.hz();
        if divides_by * tick_rate.hz() != clock_hz || !(2..=1 << 16).contains(&divides_by) {
            let why = format!("{clock_hz} Hz: 2 to 65536 times tick_hz, {}", tick_rate.hz());
            return Err(Misfit::new("faults.rate.clock_hz", why));
        }
        Ok(Possible::By(RateFault {
            prescaler: field::register("faults.rate.prescaler", prescaler)?,
            event: field::register("faults.rate.event", event)?,
            counter: field::register("faults.rate.counter", counter)?,
            divides_by,
        }))
    }
}

impl RawJump {
    fn checked(self) -> Result<Possible<JumpFault>, Misfit> {
        Ok(match all_or("jump", self.not_possible, [("counter", self.counter)])? {
            Ok([counter]) => Possible::By(JumpFault { counter: field::word("faults.jump.counter", counter)? }),
            Err(reason) => Possible::Not(reason),
        })
    }
}

impl RawStuck {
    fn checked(self) -> Result<Possible<StuckFault>, Misfit> {
        if self.not_possible.is_some() && self.longest_ms.is_some() {
            return Err(Misfit::new("faults.stuck", "either `not_possible` with a reason, or how it is done"));
        }
        let values = [("control", self.control), ("enable", self.enable.map(u64::from))];
        Ok(match all_or("stuck", self.not_possible, values)? {
            Ok([control, enable]) => Possible::By(StuckFault {
                control: field::register("faults.stuck.control", control)?,
                enable: field::bits("faults.stuck.enable", bits_of(enable))?,
                longest_ms: self.longest_ms,
            }),
            Err(reason) => Possible::Not(reason),
        })
    }
}

impl RawLostPress {
    fn checked(self) -> Result<Possible<LostPressFault>, Misfit> {
        let values = [("mask", self.mask), ("pending", self.pending)];
        Ok(match all_or("lost_press", self.not_possible, values)? {
            Ok([mask, pending]) => Possible::By(LostPressFault {
                mask: field::register("faults.lost_press.mask", mask)?,
                pending: field::register("faults.lost_press.pending", pending)?,
            }),
            Err(reason) => Possible::Not(reason),
        })
    }
}

impl RawBrownOut {
    fn checked(self) -> Result<Possible<BrownOut>, Misfit> {
        match (self.not_possible, self.by, self.lost_ms_max) {
            (Some(reason), None, None) => Ok(Possible::Not(reason)),
            (None, Some(_), Some(lost)) if lost > LOST_MS_MAX => {
                Err(Misfit::new("faults.brown_out.lost_ms_max", format!("0 to {LOST_MS_MAX}")))
            }
            (None, Some(by), Some(lost_ms_max)) => Ok(Possible::By(BrownOut { by, lost_ms_max })),
            _ => Err(Misfit::new("faults.brown_out", "either `not_possible` with a reason, or `by` and `lost_ms_max`")),
        }
    }
}

impl RawDisplayFrozen {
    fn checked(self) -> Result<Possible<DisplayFault>, Misfit> {
        let masked = [("mask", self.mask), ("unmask", self.unmask), ("bits", self.bits.map(u64::from))];
        let switched = [("control", self.control), ("transmitter", self.transmitter.map(u64::from))];
        if switched.iter().all(|(_, value)| value.is_none()) {
            return Ok(match all_or("display_frozen", self.not_possible, masked)? {
                Ok([mask, unmask, bits]) => Possible::By(DisplayFault::Interrupt {
                    mask: field::register("faults.display_frozen.mask", mask)?,
                    unmask: field::register("faults.display_frozen.unmask", unmask)?,
                    bits: field::bits("faults.display_frozen.bits", bits_of(bits))?,
                }),
                Err(reason) => Possible::Not(reason),
            });
        }
        if masked.iter().any(|(_, value)| value.is_some()) {
            let why = "either `control` and `transmitter`, or `mask`, `unmask` and `bits`";
            return Err(Misfit::new("faults.display_frozen", why));
        }
        Ok(match all_or("display_frozen", self.not_possible, switched)? {
            Ok([control, transmitter]) => Possible::By(DisplayFault::Transmitter {
                control: field::register("faults.display_frozen.control", control)?,
                transmitter: field::bits("faults.display_frozen.transmitter", bits_of(transmitter))?,
            }),
            Err(reason) => Possible::Not(reason),
        })
    }
}
