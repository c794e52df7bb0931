//! Whether a board is fit for a run: health before blame.
//!
//! What a run takes for granted is looked at one by one, from the ELF to each button's way through pin, edge detector and
//! interrupt to one record. A board that is not fit says nothing about a clock.

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Period, Setup, Side, TimeControl, TrueTime};
use flagfall_trace::Stamped;
use flagfall_trace::bench_record::StackUse;
use flagfall_trace::plan::{Act, Hand, Plan};
use serde::Serialize;

use super::{Board, Description, Image, Live, OpenError, Probe, TargetError};
use crate::attach::nothing_done;
use crate::interrupt::Interrupt;

/// How long both counters are watched.
const WATCHED_NS: i64 = 200_000_000;

/// After a press, how long another record may come that should not.
const QUIET_NS: i64 = 60_000_000;

/// Five minutes: longer than any of this takes.
const BASE_MS: u64 = 300_000;

/// What is looked at, in this order.
const STEPS: [&str; 11] =
    ["firmware", "probe", "chip", "flash", "handshake", "counters", "arbiter", "white", "black", "panel", "stack"];

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What.
    pub name: &'static str,
    /// How it is.
    #[serde(flatten)]
    pub health: Health,
}

/// How something is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Health {
    /// As it should be.
    Ok {
        /// What was seen.
        found: String,
    },
    /// Not as it should be.
    Failed {
        /// What is wrong.
        cause: String,
        /// What to do about it.
        next: String,
    },
    /// The board has none.
    NotThere {
        /// Why that is no harm.
        reason: String,
    },
    /// Something before it failed.
    NotReached,
}

/// Whether nothing failed and everything was reached.
#[must_use]
pub fn is_fit(steps: &[Step]) -> bool {
    !steps.iter().any(|step| matches!(step.health, Health::Failed { .. } | Health::NotReached))
}

/// Looks at a board, and tells each step when it is done.
pub fn check(description: &Description, interrupt: &Interrupt, tell: impl FnMut(&Step)) -> Vec<Step> {
    let mut round = Round { tell, steps: Vec::new() };
    let mut board = Board::new(description.clone()).heeding(interrupt);
    if let Err((name, cause, next)) = look(&mut board, description, &mut round) {
        round.failed(name, cause, next);
    }
    let rest: Vec<&str> = STEPS.into_iter().filter(|name| round.steps.iter().all(|step| step.name != *name)).collect();
    for name in rest {
        round.add(name, Health::NotReached);
    }
    round.steps
}

/// What failed, why, and what to do next.
type Ill = (&'static str, String, &'static str);

/// Steps that were looked at.
struct Round<T> {
    tell: T,
    steps: Vec<Step>,
}

impl<T: FnMut(&Step)> Round<T> {
    fn add(&mut self, name: &'static str, health: Health) {
        let step = Step { name, health };
        (self.tell)(&step);
        self.steps.push(step);
    }

    fn ok(&mut self, name: &'static str, found: impl Into<String>) {
        self.add(name, Health::Ok { found: found.into() });
    }

    fn failed(&mut self, name: &'static str, cause: String, next: &str) {
        self.add(name, Health::Failed { cause, next: next.into() });
    }
}

fn look<T: FnMut(&Step)>(board: &mut Board, description: &Description, round: &mut Round<T>) -> Result<(), Ill> {
    let image = Image::read(&description.firmware).map_err(|error| ("firmware", error.to_string(), BUILD))?;
    round.ok("firmware", format!("{}, build id {:016x}", description.firmware.display(), image.build_id));
    if let Err(error) = board.open() {
        let ill = why_not_open(&error);
        // What comes before the step that failed was all right; but for the panel's port, which is opened first.
        if !matches!(error, OpenError::Port(_)) {
            for name in STEPS.into_iter().skip(1).take_while(|name| *name != ill.0) {
                round.ok(name, "");
            }
        }
        return Err(ill);
    }
    round.ok("probe", probe(&description.probe));
    round.ok("chip", description.chip.clone());
    round.ok("flash", "holds the ELF, which was read back");
    round.ok("handshake", format!("the build id of the ELF, {} Hz", description.tick_rate.hz()));
    let control = TimeControl::new(&[Period::all_moves(BASE_MS, Bonus::None)]).expect("five minutes are a control");
    let plan = nothing_done(control, description.tick_rate);
    let mut live = board.live(&plan).map_err(|error| match error {
        OpenError::Target(TargetError::Counters(text)) => ("counters", text, COUNTERS),
        error => ("handshake", error.to_string(), AGAIN),
    })?;
    if description.true_time.is_some() {
        counters(&mut live, description, round)?;
    } else {
        let reason = "this board has no true time, by which its own could be looked at".into();
        round.add("counters", Health::NotThere { reason });
    }
    buttons(&mut live, description, &plan.setup, round)?;
    panel(&live, &plan, round)?;
    stack(&mut live, round)
}

const BUILD: &str = "build the firmware with scripts/firmware, or correct `firmware` in the board file";
const CABLES: &str = "look at the probe's cable and power, and whether `flagfall probes` lists it";
const CHIP: &str = "look at the wires of SWD, at the board's power, and at `chip` in the board file";
const FLASH: &str = "do not trust the board: look at its supply, at write protection, and whether `chip` is right";
const AGAIN: &str = "flash it anew with `flagfall flash`; if that is no help, the firmware does not run on this chip";
const COUNTERS: &str =
    "look at `device_counter` and `true_time` in the board file: address, prescaler, and whether they run";
const EMULATOR: &str = "install QEMU as told, or end what holds it";
const DRIVER: &str = "look at the driver board's probe and power, and at `stimulus.driver` in the board file";
const PANEL: &str = "look at `panel` in the board file, and at the firmware's serial port";
const STACK: &str = "give the firmware more stack: what lies below has been overwritten, or will be";
const WIRES: &str = "look at `buttons` and `stimulus` in the board file, and at the pins: nothing else may hold them";

/// Which step of opening failed.
fn why_not_open(error: &OpenError) -> Ill {
    let (name, next) = match error {
        OpenError::Image(_) => ("firmware", BUILD),
        OpenError::Launch(_) | OpenError::Cable(_) => ("probe", EMULATOR),
        OpenError::Driver(_) => ("probe", DRIVER),
        OpenError::Port(_) => ("panel", PANEL),
        OpenError::TickRate { .. } => ("handshake", "correct `tick_hz` in the board file, or flash another firmware"),
        OpenError::Target(error) => match error {
            TargetError::Open(_) => ("probe", CABLES),
            TargetError::Chip(_) => ("chip", CHIP),
            TargetError::Probe { doing: "attach" | "reset for flashing" | "select core", .. } => ("chip", CHIP),
            TargetError::Flash(_) | TargetError::Probe { doing: "compare flash" | "program flash", .. } => {
                ("flash", FLASH)
            }
            _ => ("handshake", AGAIN),
        },
    };
    (name, error.to_string(), next)
}

fn probe(probe: &Probe) -> String {
    match probe {
        Probe::Emulator { machine, .. } => format!("emulated {}", machine.name),
        Probe::Selector(selector) => selector.clone(),
    }
}

/// Both counters run, and as fast as the board file says.
fn counters<T: FnMut(&Step)>(live: &mut Live<'_>, description: &Description, round: &mut Round<T>) -> Result<(), Ill> {
    let ill = |cause: String| ("counters", cause, COUNTERS);
    let (device_before, true_before) = live.clocks();
    live.run_until(TrueTime::from_ns(true_before.ns() + WATCHED_NS)).map_err(|error| ill(error.to_string()))?;
    let (device, true_time) = live.clocks();
    let true_ns = i128::from(true_time.ns()) - i128::from(true_before.ns());
    let ticks = i128::from(device.ticks_since(device_before));
    let device_ns = ticks * 1_000_000_000 / i128::from(description.tick_rate.hz());
    let found = format!("{} us of the device in {} us of true time", device_ns / 1_000, true_ns / 1_000);
    if true_ns <= 0 || ticks == 0 {
        return Err(ill(format!("a counter stands still: {found}")));
    }
    // A count of either counter at each end, and what the oscillator may do.
    let tick_ns = i128::from(1_000_000_000_u32.div_ceil(description.tick_rate.hz()));
    let bench_ns = description.true_time.as_ref().map_or(0, |it| i128::from(1_000_000_000_u32.div_ceil(it.counter.hz)));
    let limit_ns = true_ns * i128::from(description.oscillator_limit_ppb) / 1_000_000_000 + tick_ns + bench_ns;
    let apart_ns = device_ns - true_ns;
    let found = format!("{found}: {apart_ns:+} ns, limit {limit_ns} ns");
    if apart_ns.abs() > limit_ns {
        return Err(ill(found));
    }
    round.ok("counters", found);
    Ok(())
}

/// Each button, pressed once: one record of the right kind and side, and no other.
fn buttons<T: FnMut(&Step)>(
    live: &mut Live<'_>,
    description: &Description,
    setup: &Setup,
    round: &mut Round<T>,
) -> Result<(), Ill> {
    let press = |side| Act::Press { side, hand: Hand::Unsaid };
    let lines = description.buttons.players;
    let presses = [
        ("arbiter", description.buttons.arbiter, Act::Start, (Kind::ARBITER_PRESSED, None)),
        ("white", lines.white, press(Side::White), (Kind::PRESSED, Some(Side::White))),
        ("black", lines.black, press(Side::Black), (Kind::PRESSED, Some(Side::Black))),
    ];
    let mut seen = 0;
    for (step, (name, line, act, wanted)) in (0_u32..).zip(presses) {
        let ill = |cause: String| (name, format!("line {line}: {cause}"), WIRES);
        let failed = |error: TargetError| ill(error.to_string());
        let achieved = live.act(step, &act).map_err(failed)?;
        live.run_until(TrueTime::from_ns(live.now().ns() + QUIET_NS + i64::from(setup.debounce_ms) * 1_000_000))
            .map_err(failed)?;
        let records = live.records();
        let came: Vec<&Stamped> = records[seen..].iter().filter(|stamped| is_a_button(stamped.record.kind)).collect();
        seen = records.len();
        match came[..] {
            [only] if (only.record.kind, only.record.side) == wanted => {
                let late_ns = (only.true_time.ns() - achieved.earliest.ns()).max(0);
                round.ok(name, format!("line {line}: one press, stamped {} us after the pin moved", late_ns / 1_000));
            }
            [] => return Err(ill("a press was not noticed".into())),
            [other] => return Err(ill(format!("taken for a press of {}", whose(other.record.side)))),
            _ => return Err(ill(format!("one press gave {}: the contact is not debounced", came.len()))),
        }
    }
    Ok(())
}

/// What the panel showed of the presses.
fn panel<T: FnMut(&Step)>(live: &Live<'_>, plan: &Plan, round: &mut Round<T>) -> Result<(), Ill> {
    match live.trace(plan).panel.as_deref() {
        None => {
            let reason = "`panel` in the board file says of no port that it can be read here".into();
            round.add("panel", Health::NotThere { reason });
        }
        Some([]) => round.ok("panel", "it showed what the records say"),
        Some([first, ..]) => {
            let record = live.records().get(first.record as usize).map_or("?", |stamped| stamped.record.kind.name());
            return Err(("panel", format!("after `{record}` it showed {}", first.text()), PANEL));
        }
    }
    Ok(())
}

/// How much of its stack the firmware has used for all that.
fn stack<T: FnMut(&Step)>(live: &mut Live<'_>, round: &mut Round<T>) -> Result<(), Ill> {
    match live.stack().map_err(|error| ("stack", error.to_string(), AGAIN))? {
        None => {
            let reason = "this firmware does not paint its stack".into();
            round.add("stack", Health::NotThere { reason });
        }
        Some(StackUse { used_bytes, of_bytes }) if used_bytes < of_bytes => {
            round.ok("stack", format!("{used_bytes} of {of_bytes} bytes were ever used"));
        }
        Some(StackUse { of_bytes, .. }) => {
            return Err(("stack", format!("all of its {of_bytes} bytes were used"), STACK));
        }
    }
    Ok(())
}

const fn is_a_button(kind: Kind) -> bool {
    matches!(kind, Kind::PRESSED | Kind::ARBITER_PRESSED)
}

fn whose(side: Option<Side>) -> &'static str {
    side.map_or("the arbiter", Side::name)
}
