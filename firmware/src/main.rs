//! The reference clock: `flagfall-core` on an STM32F405 or an STM32L475 ([`board`]), for a board and for its emulation.
//!
//! One loop does everything and sleeps when there is nothing to do: presses first, in the order of their stamps; then
//! that one is shown; then the flag; then edges that a bench has armed ([`armed`]); then commands; then the stop that a bench asked for; then
//! digits that have run off. Interrupts only take stamps ([`buttons`]), carry bytes ([`uart`]) or end the sleep. Rules and
//! sound are somebody else's; what the faces show stands in every record and goes out as text ([`panel`]).
//!
//! Whatever happens to the clock is kept ([`memory`]) before it is told. After a reset it stands paused where it was.
#![no_std]
#![no_main]

mod armed;
mod board;
mod buttons;
mod contact;
mod contract_block;
mod crash;
mod lines;
mod memory;
mod panel;
mod trace_link;

use cortex_m::Peripherals as CorePeripherals;
use cortex_m_rt::entry;
use flagfall_core::command::Command;
use flagfall_core::contract::Stack;
use flagfall_core::kept::{Keeper, Kept};
use flagfall_core::record::{Kind, Record, boot_detail};
use flagfall_core::{Bonus, Clock, DeviceTime, Effects, Input, Period, Phase, Setup, TimeControl};

use crate::armed::Armed;
use crate::board::chip::Peripherals;
use crate::board::timebase::{self, RATE};
use crate::board::uart::Uart;
use crate::board::watchdog::Watchdog;
use crate::board::{BUS_HZ, Board};
use crate::panel::Panel;
use crate::trace_link::Link;

#[entry]
fn main() -> ! {
    let device = Device::start();
    loop {
        device.turn();
    }
}

/// What the clock is set to until somebody sets it: five minutes and three seconds a move.
fn setup_at_boot() -> Setup {
    let control = TimeControl::new(&[Period::all_moves(300_000, Bonus::Increment { ms: 3_000 })]);
    Setup::new(control.ok().expect("one period for all moves is a time control"))
}

/// Keep where the clock stands at least so often while a side runs: what a reset costs it at the most.
const KEEP_EVERY_MS: u64 = 1_000;

/// The clock, its link and its board.
struct Device {
    clock: &'static mut Clock,
    /// When the clock was last stepped.
    stepped: DeviceTime,
    /// When the loop last began a turn.
    turned: DeviceTime,
    keeper: Keeper<'static>,
    link: Link,
    panel: Panel,
    board: Board,
    watchdog: Watchdog,
    armed: Armed,
    /// What the step under way has done. The largest thing in memory: it is there once, and never on the stack.
    effects: &'static mut Effects,
}

/// A clock that begins or goes on.
struct Beginning {
    clock: &'static mut Clock,
    from: DeviceTime,
    keeper: Keeper<'static>,
    kept: Kept,
}

impl Device {
    /// The device, which is not on the stack.
    ///
    /// Not part of the loop's own frame either: what it takes to put a clock together is given back.
    #[inline(never)]
    fn start() -> &'static mut Self {
        let stack = memory::paint_stack();
        let core = CorePeripherals::take().expect("nothing ran before");
        crash::guard_stack(&core.MPU);
        let link = Link::open();
        // What takes most of the stack, before anything else is on it.
        let beginning = recover();
        Self::assemble(core, link, beginning, stack)
    }

    #[inline(never)]
    fn assemble(mut core: CorePeripherals, link: Link, beginning: Beginning, stack: Stack) -> &'static mut Self {
        let chip = Peripherals::take().expect("nothing ran before");
        let Beginning { clock, from, keeper, kept } = beginning;
        let board = Board::start(&chip, core.SYST, from, clock.setup().debounce_ms);
        contract_block::publish(board.tree, stack);
        let panel = Panel::new(Uart::open(&chip, &mut core.NVIC, BUS_HZ));
        let watchdog = Watchdog::start(chip.IWDG, &chip.DBGMCU);
        let effects = cortex_m::singleton!(: Effects = Effects::NONE).expect("this is the only place that asks for it");
        let armed = Armed::NONE;
        let device = Self { clock, stepped: from, turned: from, keeper, link, panel, board, watchdog, armed, effects };
        let device = cortex_m::singleton!(: Device = device).expect("this is the only place that asks for it");
        device.report_boot(kept);
        device
    }

    /// One turn of the loop: does all there is to do, then sleeps.
    fn turn(&mut self) {
        self.watchdog.feed();
        while let Some(press) = buttons::next() {
            self.step(press.at, press.input());
        }
        self.report_shown();
        let Some(now) = buttons::now_unless_waiting() else { return };
        let before = core::mem::replace(&mut self.turned, now);
        if now < before {
            self.tell_a_step_back(before, now);
        }
        if self.clock.next_deadline().is_some_and(|deadline| deadline <= now) {
            self.step(now, Input::Wake);
        }
        if self.armed.make_due(now) || self.obey(now) {
            return;
        }
        if contract_block::stop_at() <= now {
            timebase::let_pass(contract_block::phase());
            contract_block::stop_for_time(self.board.disarm());
            return;
        }
        let look_again = self.look_again();
        if look_again.is_some_and(|at| at <= now) {
            self.step(now, Input::Wake);
            return;
        }
        let stop_at = Some(contract_block::stop_at());
        let wakes = [self.clock.next_deadline(), look_again, self.armed.next(), stop_at];
        self.board.sleep_until(wakes.into_iter().flatten().min().unwrap_or(now));
    }

    /// Says that the time base has gone back: the clock has what has run off until then, and stands until its time has come
    /// there again. What it was told of contacts meanwhile is of a time that is to come.
    #[inline(never)]
    fn tell_a_step_back(&mut self, before: DeviceTime, now: DeviceTime) {
        self.step(before, Input::Wake);
        self.step(now, Input::Wake);
        buttons::set_quiet_time(self.clock.setup().debounce_ms);
    }

    /// When digits have run off, or a side has run for so long that it must be kept.
    fn look_again(&self) -> Option<DeviceTime> {
        let Phase::Running(_) = self.clock.state().phase else { return None };
        let keep = self.stepped.after(RATE.ticks_from_ms(KEEP_EVERY_MS));
        Some(self.panel.next_change().map_or(keep, |change| change.min(keep)))
    }

    /// Carries out one command, if one has come; whether there was one.
    ///
    /// Not part of the loop's own frame: a command and the clock that it sets up are on the stack for as long as they
    /// are needed.
    #[inline(never)]
    fn obey(&mut self, now: DeviceTime) -> bool {
        let Some(received) = self.link.receive() else { return false };
        let refused = match received {
            Ok(Command::Configure(setup)) => {
                self.set_up(&setup, now);
                self.report(self.standing(Kind::CONFIGURED, now));
                None
            }
            Ok(Command::Arm(edge)) => self.armed.arm(edge).err(),
            Ok(command) => {
                if let Some(input) = command.input() {
                    self.step(now, input);
                }
                None
            }
            Err(error) => Some(error),
        };
        if let Some(error) = refused {
            self.report(Record { detail: error.code(), ..self.standing(Kind::REFUSED, now) });
        }
        true
    }

    fn set_up(&mut self, setup: &Setup, now: DeviceTime) {
        set_up(self.clock, setup);
        self.stepped = now;
        self.keeper.keep_settings(setup);
        self.keeper.keep_game(self.clock, now);
        buttons::set_quiet_time(setup.debounce_ms);
        self.armed.disarm();
    }

    fn step(&mut self, at: DeviceTime, input: Input) {
        self.clock.step_into(at, input, self.effects);
        self.stepped = self.stepped.max(at);
        if matches!(input, Input::Swap | Input::Undo) {
            self.keeper.keep_sides(self.clock.setup());
        }
        self.keeper.keep_game(self.clock, self.stepped);
        for happening in self.effects.iter() {
            let mut record = Record::new(0, happening, self.clock.setup(), RATE);
            if record.kind.tells_handling() {
                record.value = timebase::now().ticks_since(record.at);
            }
            report(&mut self.link, &mut self.panel, &mut self.board, record);
        }
        let pressed = matches!(input, Input::Press(_)).then_some(at);
        self.panel.show(self.clock, self.effects.iter().last(), self.stepped, pressed);
    }

    /// Says of a press that it is shown, if its line has gone out.
    fn report_shown(&mut self) {
        let Some(shown) = self.panel.take_shown() else { return };
        let standing = self.standing(Kind::SHOWN, shown.at);
        self.link.send_beside(Record { value: shown.ticks, seq: shown.seq, ..standing });
        if contract_block::stops_after(Kind::SHOWN) {
            contract_block::stop(self.board.disarm());
        }
    }

    /// The boot record: tick rate, and in the detail what was kept and the megahertz before the prescaler, which tell a
    /// board from its emulation.
    fn report_boot(&mut self, kept: Kept) {
        let timer_mhz = (self.board.tree.timer_hz / 1_000_000) as u16;
        let standing = self.standing(Kind::BOOT, timebase::now());
        self.report(Record { value: u64::from(RATE.hz()), detail: boot_detail(kept, timer_mhz), ..standing });
    }

    fn standing(&self, kind: Kind, at: DeviceTime) -> Record {
        Record::of_state(kind, 0, at, self.clock.state(), self.clock.setup(), RATE)
    }

    fn report(&mut self, record: Record) {
        report(&mut self.link, &mut self.panel, &mut self.board, record);
        self.panel.show(self.clock, None, record.at, None);
    }
}

/// The clock as it was kept over a reset, or a new one.
///
/// A clock is large for a stack of this size: it is put together where it stays, by functions that give back what they
/// take.
#[inline(never)]
fn recover() -> Beginning {
    let clock = clock_at_boot();
    let mut keeper = Keeper::open(memory::kept());
    let mut beginning = (Kept::Nothing, DeviceTime::ZERO);
    if set_up_again(clock, &keeper) {
        let resumed = resume(clock, &mut keeper).map(|from| (Kept::Everything, from));
        beginning = resumed.unwrap_or((Kept::Settings, DeviceTime::ZERO));
    } else {
        keeper.keep_settings(clock.setup());
    }
    let (kept, from) = beginning;
    keeper.keep_game(clock, from);
    Beginning { clock, from, keeper, kept }
}

#[inline(never)]
fn clock_at_boot() -> &'static mut Clock {
    let clock = Clock::new(&setup_at_boot(), RATE);
    cortex_m::singleton!(: Clock = clock).expect("this is the only place that asks for it")
}

#[inline(never)]
fn set_up(clock: &mut Clock, setup: &Setup) {
    *clock = Clock::new(setup, RATE);
}

/// Sets the clock up as it was before the reset; whether that was kept.
#[inline(never)]
fn set_up_again(clock: &mut Clock, keeper: &Keeper<'_>) -> bool {
    // By reference: there is no room for another copy.
    keeper.settings().as_ref().map(|installed| set_up(clock, installed)).is_some()
}

/// Lets a clock that is set up again go on where it stood, if that was kept; from which device time on.
#[inline(never)]
fn resume(clock: &mut Clock, keeper: &mut Keeper<'_>) -> Option<DeviceTime> {
    let standing = keeper.standing()?;
    standing.resume(clock);
    Some(standing.at)
}

/// Sends a record, and stops after it if the bench wants that.
fn report(link: &mut Link, panel: &mut Panel, board: &mut Board, record: Record) {
    panel.belongs_to(link.send(record));
    if contract_block::stops_after(record.kind) {
        contract_block::stop(board.disarm());
    }
}
