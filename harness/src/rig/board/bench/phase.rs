//! Where in a tick of the device a press comes: anywhere.
//!
//! A bench that stops a firmware acts where its loop sees that a tick has begun, and a latency is then the same whole number of
//! ticks each time, however much longer or shorter it is. So a random part of a tick passes before each press: drawn evenly, it
//! is even whatever it is added to.

use flagfall_core::DeviceTime;
use flagfall_trace::Placed;
use flagfall_trace::draw::Stream;
use flagfall_trace::plan::{Act, Plan};

use super::Bench;
use crate::rig::board::description::WithinTick;
use crate::rig::board::target::{Target, TargetError};

/// How far from where it was told to stand a device may be, in 65 536ths of a tick: an eighth.
const APART_MAX: u16 = 8_192;

/// Parts of ticks, and which presses came where.
pub(in super::super) struct Phases {
    stream: Stream,
    /// What the next press is to come at.
    drawn: u16,
    /// Where the device stood when it was drawn.
    drawn_at: DeviceTime,
    /// What the firmware has been told last.
    told: u16,
    pub(in super::super) placed: Vec<Placed>,
}

impl Phases {
    /// Those of a plan: each has a stream of its own, or the first press of every scenario would come at one place.
    pub(in super::super) fn of(plan: &Plan) -> Self {
        let stream = Stream::named(plan.seed, &format!("phase of presses in {}", plan.scenario));
        Self { stream, drawn: 0, drawn_at: DeviceTime::ZERO, told: 0, placed: Vec::new() }
    }

    /// The part of a tick at which the next press is to come, in 65 536ths.
    pub(in super::super) fn draw(&mut self) -> u16 {
        self.drawn = self.stream.within(0, u16::MAX.into()) as u16;
        self.drawn
    }

    /// A press that came where it was drawn.
    pub(in super::super) fn came(&mut self, step: u32) {
        self.placed.push(Placed { step, part: self.drawn, read: false });
    }

    /// Whether the device stands where it was told to, as near as its loop comes there: registers that count something else
    /// show anything, and mostly always the same.
    fn agrees(&self, read: u16) -> Result<(), TargetError> {
        let apart = read.wrapping_sub(self.drawn).cast_signed().unsigned_abs();
        if self.told != self.drawn || apart <= APART_MAX {
            return Ok(());
        }
        let (read, told) = (u32::from(read) * 100 / 65_536, u32::from(self.drawn) * 100 / 65_536);
        let text = format!(
            "`within_tick` reads {read} % of a tick where the firmware let {told} % pass: correct its registers in the board file"
        );
        Err(TargetError::Counters(text))
    }

    /// A firmware that has been reset has forgotten what it was told.
    pub(super) const fn begin_anew(&mut self) {
        self.told = 0;
    }
}

impl Bench<'_> {
    /// Has the firmware let a part of a tick pass before it stops for a press, and none before anything else.
    pub(super) fn draw_phase(&mut self, next: &Act) -> Result<(), TargetError> {
        let part = if matches!(next, Act::Press { .. }) { self.phases.draw() } else { 0 };
        self.phases.drawn_at = self.hall.device();
        self.tell_phase(part)
    }

    /// Has the firmware let this part of a tick pass before it stops, or moves a pin itself.
    pub(super) fn tell_phase(&mut self, part: u16) -> Result<(), TargetError> {
        if part != self.phases.told && self.target.set_phase(part)? {
            self.phases.told = part;
        }
        Ok(())
    }

    /// Notes where in its tick the device stands before it is pressed.
    pub(super) fn note_phase(&mut self, step: u32, act: &Act) -> Result<(), TargetError> {
        if !matches!(act, Act::Press { .. }) {
            return Ok(());
        }
        // What is done at the instant of the act before it is done at the same stop.
        let stopped_for_it = self.hall.device() != self.phases.drawn_at;
        match self.description.within_tick {
            Some(counter) => {
                let part = part_of_tick(self.target, counter)?;
                if stopped_for_it {
                    self.phases.agrees(part)?;
                }
                self.phases.placed.push(Placed { step, part, read: true });
            }
            None if stopped_for_it && self.phases.told == self.phases.drawn => self.phases.came(step),
            // Nor does a firmware that cannot be told act anywhere else than always.
            None => {}
        }
        Ok(())
    }
}

/// How much of its tick has passed, of a counter that counts it down.
fn part_of_tick(target: &mut Target, WithinTick { counter, reload }: WithinTick) -> Result<u16, TargetError> {
    let (from, left) = (target.word(reload)?, target.word(counter)?);
    let part = u64::from(from.saturating_sub(left)) * 65_536 / (u64::from(from) + 1);
    Ok(u16::try_from(part).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use flagfall_core::{Bonus, Period, TickRate, TimeControl};

    use super::*;
    use crate::attach::nothing_done;

    fn phases(scenario: &str) -> Phases {
        let control = TimeControl::new(&[Period::all_moves(300_000, Bonus::None)]).expect("a control");
        let plan = Plan { scenario: scenario.into(), ..nothing_done(control, TickRate::MHZ) };
        Phases::of(&plan)
    }

    fn drawn(scenario: &str) -> Vec<u16> {
        let mut phases = phases(scenario);
        (0..1_000).map(|_| phases.draw()).collect()
    }

    #[test]
    fn a_counter_that_shows_something_else_is_told() {
        let phases = |drawn| Phases { drawn, told: drawn, ..phases("a/test") };
        for (drawn, read) in [(0, 0), (30_000, 31_000), (65_000, 300), (100, 65_400)] {
            phases(drawn).agrees(read).expect("near enough");
        }
        for (drawn, read) in [(30_000, 0), (10_000, 40_000), (0, 65_535 / 2)] {
            let error = phases(drawn).agrees(read).expect_err("it shows something else").to_string();
            assert!(error.contains("correct its registers"), "{error}");
        }
    }

    #[test]
    fn every_tenth_of_a_tick_is_drawn_and_a_scenario_always_draws_the_same() {
        let one = drawn("a/one");
        let mut tenths = [0; 10];
        one.iter().for_each(|part| tenths[usize::from(*part) * 10 / 65_536] += 1);
        assert!(tenths.iter().all(|presses| (70..=130).contains(presses)), "three deviations of a hundred: {tenths:?}");
        assert_eq!(one, drawn("a/one"));
        assert_ne!(one, drawn("a/other"), "or the first press of every scenario would come at one place");
    }
}
