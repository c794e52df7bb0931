//! The rig on a board: whatever the probe's selector leads to, real or emulated.

mod applicable;
pub mod attempts;
mod bench;
mod contacts;
pub mod description;
mod driver;
mod fault;
mod flashed;
mod flashing;
mod hall;
pub mod health;
mod image;
mod jump;
mod live;
mod opening;
mod panel;
mod port;
pub mod probes;
mod sampler;
mod serial;
mod stimulus;
mod target;
mod trains;
mod unstopped;
mod watch;
mod written;

use std::path::PathBuf;
use std::sync::Arc;

use flagfall_judge::oracle::Limits;
use flagfall_scenarios::Scenario;
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::plan::Plan;
use flagfall_vboard::{Cable, CableError, Emulator, EmulatorOptions, LaunchError, SerialUse};

pub use applicable::{not_applicable, not_applicable_to};
pub use attempts::{Attempted, Attempts, RETRIES};
pub use description::{Acting, Description, DescriptionError, PanelAt, Probe, SerialLine, Stimulus};
pub use flashed::{Flashed, Sizes};
pub use flashing::{Doing, Flashing};
pub use image::{Image, ImageError};
pub use jump::CannotJump;
pub use live::Live;
pub use opening::ProbeError;
pub use port::PortError;
pub use sampler::{PrescalerOff, SampleError, Sampler};
pub use serial::probe_serial;
pub use target::TargetError;

use super::Outcome;
use crate::interrupt::Interrupt;
use driver::Driver;
use image::Firmware;
use jump::Calendar;
use panel::Panel;
use port::Port;
use target::Target;
use watch::Map;

/// A board that cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The firmware.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The emulator.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The board that drives the buttons: its own probe, its chip, or `stimulus.driver` in the board file.
    #[error("the driver board: {0}")]
    Driver(TargetError),
    /// The cable between two emulated boards.
    #[error(transparent)]
    Cable(#[from] CableError),
    /// The serial port to which the display is wired.
    #[error("the panel: {0}")]
    Port(#[from] PortError),
    /// The probe, the chip or its flash.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The firmware's tick rate is not the board file's: correct one of them.
    #[error("the firmware ticks at {ticks} Hz, the board file says tick_hz: {said}")]
    TickRate {
        /// The firmware's.
        ticks: u32,
        /// The board file's.
        said: u32,
    },
}

impl OpenError {
    /// Whether the next try will end in the same way: what is wrong stands in a file.
    #[must_use]
    pub const fn will_stay(&self) -> bool {
        matches!(self, Self::Image(_) | Self::TickRate { .. })
    }
}

/// A board, opened and flashed; scenarios run on it one after the other, each after a reset.
pub struct Board {
    description: Description,
    // Declared before the emulator: the session ends before the process behind it does.
    target: Option<Target>,
    emulator: Option<Emulator>,
    /// The emulator of the driver board.
    driver_emulator: Option<Emulator>,
    /// Where the clock is in a firmware that is watched.
    map: Option<Map>,
    interrupt: Interrupt,
    /// Whether time is jumped while nothing is due.
    jumps: bool,
    /// Who is told how far its flash is.
    tell: Arc<dyn Fn(Flashing) + Send + Sync>,
    /// How deep the stack was in the plan that was carried out last.
    stack: Option<StackUse>,
}

impl Board {
    /// A board that is opened when it is first needed.
    #[must_use]
    pub fn new(description: Description) -> Self {
        Self {
            description,
            target: None,
            emulator: None,
            driver_emulator: None,
            map: None,
            interrupt: Interrupt::default(),
            jumps: false,
            tell: Arc::new(|_| ()),
            stack: None,
        }
    }

    /// Whether time can be jumped on a board like this.
    ///
    /// # Errors
    /// [`CannotJump`] with the reason.
    pub fn can_jump(description: &Description) -> Result<(), CannotJump> {
        jump::possible(description)
    }

    /// The same board in jumped time, if it is to be: while nothing is due its counters are moved on instead of waited for.
    #[must_use]
    pub fn jumping(self, jumps: bool) -> Self {
        Self { jumps, ..self }
    }

    /// What this board lacks for a plan, in the time in which it runs.
    #[must_use]
    pub fn lacks(&self, plan: &Plan) -> Option<String> {
        not_applicable(&self.description, plan)
            .or_else(|| self.jumps.then(|| self.lacks_in_jumped_time(plan)).flatten())
    }

    fn lacks_in_jumped_time(&self, plan: &Plan) -> Option<String> {
        let cannot = jump::possible(&self.description).err().map(|cannot| format!("jumped time: {cannot}"));
        cannot.or_else(|| jump::obstacle(plan))
    }

    /// The same board, which tells how far its flash is whenever it is opened.
    #[must_use]
    pub fn telling(self, tell: impl Fn(Flashing) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(tell), ..self }
    }

    /// The same board, on which a scenario is given up as soon as somebody asks for an end: a real clock takes as long as
    /// the game.
    #[must_use]
    pub fn heeding(self, interrupt: &Interrupt) -> Self {
        Self { interrupt: interrupt.clone(), ..self }
    }

    /// What this machine lacks to use a board like this, found without starting anything; a probe is only known when it
    /// is opened.
    #[must_use]
    pub fn lacking(description: &Description) -> Option<String> {
        let emulated = matches!(description.probe, Probe::Emulator { .. });
        let emulator = emulated.then(|| EmulatorOptions::default().program().err()).flatten();
        let image = || firmware(description).err().map(|error| error.to_string());
        emulator.map(|error| error.to_string()).or_else(image)
    }

    /// Starts the emulator if there is one, attaches, and flashes with verify.
    ///
    /// # Errors
    /// [`OpenError`] with what to do about it.
    pub fn open(&mut self) -> Result<(), OpenError> {
        self.close();
        let (firmware, map) = firmware(&self.description)?;
        let kernel = Some(self.description.firmware.clone());
        // A port that cannot be had is told before anything is flashed.
        let port = match &self.description.panel {
            Some(PanelAt::Serial(line)) => Some(Port::open(line)?),
            _ => None,
        };
        let serial = if self.description.panel.is_some() { SerialUse::Kept } else { SerialUse::Lost };
        let selector = reach(&self.description.probe, kernel, serial, &mut self.emulator)?;
        let mut target = match &self.description.stimulus {
            Stimulus::Driver(driver) => {
                let drives = reach(&driver.probe, None, SerialUse::Lost, &mut self.driver_emulator)?;
                let [selector, drives] = self.wired([selector, drives])?;
                let driver = Driver::open(&drives, driver, self.description.buttons).map_err(OpenError::Driver)?;
                Target::open(&selector, &self.description, firmware, &self.interrupt, &*self.tell)?.with_driver(driver)
            }
            _ => Target::open(&selector, &self.description, firmware, &self.interrupt, &*self.tell)?,
        };
        if map.is_none() {
            let (ticks, said) = (target.boot()?.tick_hz, self.description.tick_rate.hz());
            if ticks != said {
                return Err(OpenError::TickRate { ticks, said });
            }
        }
        match (&self.description.panel, &self.emulator, port) {
            (Some(PanelAt::Serial(line)), _, Some(port)) => {
                let lag = self.description.tick_rate.ticks_from_ms(line.lag_ms());
                target.watch_panel(Panel::behind(port, lag));
            }
            (Some(PanelAt::Uart(_)), Some(emulator), _) => {
                let panel = Panel::of(emulator).map_err(|error| TargetError::Panel(error.to_string()))?;
                target.watch_panel(panel);
            }
            _ => {}
        }
        self.map = map;
        self.target = Some(target);
        Ok(())
    }

    /// The selectors of the clock and of the board that drives it; with a cable between them if they are emulated.
    fn wired(&self, selectors: [String; 2]) -> Result<[String; 2], OpenError> {
        let (Some(clock), Some(driver)) = (&self.emulator, &self.driver_emulator) else { return Ok(selectors) };
        let cable = clock.lay_cable()?;
        let plugged = |emulator: &Emulator, end| emulator.selector().clone().with(end).to_string();
        Ok([plugged(clock, Cable::Driven(cable.clone())), plugged(driver, Cable::Drives(cable))])
    }

    /// The number that the chip of an open board has of its own, 24 hexadecimal digits; `None` where nobody knows where it
    /// is, or there is none.
    ///
    /// # Errors
    /// [`TargetError`] of the probe.
    pub fn chip_serial(&mut self) -> Result<Option<String>, TargetError> {
        let address = opening::unique_id_at(&self.description.chip);
        let (Some(address), Some(target)) = (address, &mut self.target) else { return Ok(None) };
        let mut words = [0; 3];
        for (word, offset) in words.iter_mut().zip([0, 4, 8]) {
            *word = target.word(address + offset)?;
        }
        let [low, middle, high] = words;
        let is_one = words.iter().any(|word| ![0, u32::MAX].contains(word));
        Ok(is_one.then(|| format!("{high:08x}{middle:08x}{low:08x}")))
    }

    fn close(&mut self) {
        self.target = None;
        self.emulator = None;
        self.driver_emulator = None;
    }

    /// Carries out the plan of a scenario, if what that expects can be seen here.
    #[must_use]
    pub fn run_scenario(&mut self, plan: &Plan, scenario: &Scenario) -> Outcome {
        not_applicable_to(&self.description, plan, scenario).map_or_else(|| self.run(plan), Outcome::NotApplicable)
    }

    /// Makes the board ready for a plan; what came of it if it cannot be.
    fn prepare(&mut self, plan: &Plan) -> Option<Outcome> {
        if let Some(reason) = self.lacks(plan) {
            return Some(Outcome::NotApplicable(reason));
        }
        if self.target.is_some() {
            return None;
        }
        match self.open() {
            Ok(()) => None,
            Err(OpenError::Target(TargetError::Interrupted)) => Some(Outcome::Interrupted),
            Err(OpenError::Target(error)) if error.blames_the_clock() => Some(Outcome::Broke(error.to_string())),
            Err(error) => Some(Outcome::Infra(error.to_string())),
        }
    }

    /// Carries a plan out.
    #[must_use]
    pub fn run(&mut self, plan: &Plan) -> Outcome {
        if let Some(outcome) = self.prepare(plan) {
            return outcome;
        }
        let calendar = match self.jumps.then(|| Calendar::of(&self.description, plan)).transpose() {
            Ok(calendar) => calendar,
            Err(error) => return Outcome::Infra(format!("jumped time goes by what happens in virtual time: {error}")),
        };
        let Some(target) = &mut self.target else { return Outcome::Infra("the board is not open".into()) };
        let carried_out = match (&self.description.symbols, &self.map) {
            (Some(symbols), Some(map)) => watch::carry_out(target, &self.description, symbols, map, plan),
            _ if self.description.acting == Acting::Live => {
                unstopped::carry_out(target, &self.description, plan, calendar)
            }
            _ => bench::carry_out(target, &self.description, plan, calendar),
        };
        let with_its_stack = carried_out.and_then(|trace| {
            let offers_one = self.description.symbols.is_none();
            Ok((trace, if offers_one { target.stack()? } else { None }))
        });
        match with_its_stack {
            Ok((trace, stack)) => {
                self.stack = stack;
                let mut limits = self.limits();
                if self.description.acting == Acting::Live {
                    limits.stamp_ticks = limits.stamp_ticks.saturating_add(unstopped::apart_ticks(&trace));
                }
                Outcome::Ran { trace: Box::new(trace), limits, compare: true }
            }
            Err(error) => {
                // Whatever went wrong, the next scenario starts from a board opened anew.
                if matches!(error, TargetError::Interrupted) {
                    self.close();
                    return Outcome::Interrupted;
                }
                let lockup = self.emulator.as_ref().map(Emulator::obituary).filter(|obituary| obituary.is_lockup());
                self.close();
                match lockup {
                    Some(obituary) => Outcome::Broke(format!("the core locked up: {obituary}")),
                    None if error.blames_the_clock() => Outcome::Broke(error.to_string()),
                    None => Outcome::Infra(error.to_string()),
                }
            }
        }
    }

    fn limits(&self) -> Limits {
        if let Some(symbols) = &self.description.symbols {
            return watch::limits(&self.description, symbols);
        }
        Limits {
            oscillator_ppt: self.description.oscillator_limit_ppb.saturating_mul(1_000),
            stamp_ticks: self.description.stamp_ticks(),
            stamp_latency_max_ns: self.description.stamp_latency_max_us.saturating_mul(1_000),
            flag_notice_max_ns: Some(self.description.flag_notice_max_us.saturating_mul(1_000)),
            watched: None,
        }
    }
}

/// The text by which probe-rs finds a probe; an emulated board is started for it, with this program in flash.
///
/// What comes out of its serial port is kept if somebody reads it.
fn reach(
    probe: &Probe,
    kernel: Option<PathBuf>,
    serial: SerialUse,
    started: &mut Option<Emulator>,
) -> Result<String, LaunchError> {
    let (board, icount_shift, paced) = match probe {
        Probe::Selector(selector) => return Ok(selector.clone()),
        Probe::Emulator { machine, icount_shift, paced } => (*machine, *icount_shift, *paced),
    };
    flagfall_vprobe::register();
    let options = EmulatorOptions { board, kernel, icount_shift, paced, serial, ..EmulatorOptions::default() };
    let emulator = Emulator::launch(&options)?;
    Ok(started.insert(emulator).selector().to_string())
}

/// What is to run on a board, and where its clock is if it is watched.
fn firmware(description: &Description) -> Result<(Firmware, Option<Map>), ImageError> {
    match &description.symbols {
        None => {
            let image = Image::read(&description.firmware)?;
            if description.device_counter.is_none() && image.ticks.is_none() {
                return Err(ImageError::Ticks { path: image.path });
            }
            Ok((Firmware::Contract(image), None))
        }
        Some(symbols) => {
            let map = Map::read(&description.firmware, symbols)?;
            Ok((map.firmware.clone(), Some(map)))
        }
    }
}
