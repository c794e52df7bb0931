//! The reference clock: `flagfall-core` on an STM32F405, for a board and for its emulation.
//!
//! One loop does everything and sleeps when there is nothing to do: presses first, in the order of their stamps; then
//! the flag; then commands; then the stop that a bench asked for. Interrupts only take stamps ([`buttons`]) or end the
//! sleep. Rules, displays and sound are somebody else's; what the faces would show stands in every record.
#![no_std]
#![no_main]

mod board;
mod buttons;
mod contact;
mod contract_block;
mod crash;
mod timebase;
mod trace_link;

use cortex_m_rt::{entry, exception};
use flagfall_core::command::Command;
use flagfall_core::record::{Kind, Record};
use flagfall_core::{Bonus, Clock, DeviceTime, Effects, Input, Period, Setup, TimeControl};
use stm32f4::stm32f405::Peripherals;

use crate::board::Board;
use crate::timebase::RATE;
use crate::trace_link::Link;

#[entry]
fn main() -> ! {
    let device = Device::start();
    device.report_boot();
    loop {
        device.turn();
    }
}

/// What the clock is set to until somebody sets it: five minutes and three seconds a move.
fn setup_at_boot() -> Setup {
    let control = TimeControl::new(&[Period::all_moves(300_000, Bonus::Increment { ms: 3_000 })]);
    Setup::new(control.expect("one period for all moves is a time control"))
}

/// The clock, its link and its board.
struct Device {
    clock: Clock,
    link: Link,
    board: Board,
    /// What the step under way has done. The largest thing in memory: it is there once, and never on the stack.
    effects: &'static mut Effects,
}

impl Device {
    /// The device, which is not on the stack.
    ///
    /// Not part of the loop's own frame either: what it takes to put a clock together is given back.
    #[inline(never)]
    fn start() -> &'static mut Self {
        let core = cortex_m::Peripherals::take().expect("nothing ran before");
        let chip = Peripherals::take().expect("nothing ran before");
        crash::guard_stack(&core.MPU);
        let link = Link::open();
        let setup = setup_at_boot();
        let board = Board::start(&chip, core.SYST, setup.debounce_ms);
        contract_block::publish(board.tree);
        let clock = Clock::new(&setup, RATE);
        let effects = cortex_m::singleton!(: Effects = Effects::NONE).expect("this is the only place that asks for it");
        cortex_m::singleton!(: Device = Device { clock, link, board, effects })
            .expect("this is the only place that asks for it")
    }

    /// One turn of the loop: does all there is to do, then sleeps.
    fn turn(&mut self) {
        while let Some(press) = buttons::next() {
            self.step(press.at, press.input());
        }
        let Some(now) = buttons::now_unless_waiting() else { return };
        if self.clock.next_deadline().is_some_and(|deadline| deadline <= now) {
            self.step(now, Input::Wake);
        }
        if self.obey(now) {
            return;
        }
        if contract_block::stop_at() <= now {
            contract_block::stop_for_time(self.board.disarm());
            return;
        }
        let deadline = self.clock.next_deadline();
        self.board.sleep_until(deadline.map_or(contract_block::stop_at(), |at| at.min(contract_block::stop_at())));
    }

    /// Carries out one command, if one has come; whether there was one.
    ///
    /// Not part of the loop's own frame: a command and the clock that it sets up are on the stack for as long as they
    /// are needed.
    #[inline(never)]
    fn obey(&mut self, now: DeviceTime) -> bool {
        let Some(received) = self.link.receive() else { return false };
        match received {
            Ok(Command::Configure(setup)) => {
                self.clock = Clock::new(&setup, RATE);
                buttons::set_quiet_time(setup.debounce_ms);
                self.report(self.standing(Kind::CONFIGURED, now));
            }
            Ok(command) => {
                if let Some(input) = command.input() {
                    self.step(now, input);
                }
            }
            Err(error) => self.report(Record { detail: error.code(), ..self.standing(Kind::REFUSED, now) }),
        }
        true
    }

    fn step(&mut self, at: DeviceTime, input: Input) {
        self.clock.step_into(at, input, self.effects);
        for happening in self.effects.iter() {
            let record = Record::new(0, happening, self.clock.setup(), RATE);
            report(&mut self.link, &mut self.board, record);
        }
    }

    /// The boot record: tick rate, and in the detail the megahertz before the prescaler, which tell a board from its
    /// emulation.
    fn report_boot(&mut self) {
        let timer_mhz = (self.board.tree.timer_hz / 1_000_000) as u16;
        let standing = self.standing(Kind::BOOT, timebase::now());
        self.report(Record { value: u64::from(RATE.hz()), detail: timer_mhz, ..standing });
    }

    fn standing(&self, kind: Kind, at: DeviceTime) -> Record {
        Record::of_state(kind, 0, at, self.clock.state(), self.clock.setup(), RATE)
    }

    fn report(&mut self, record: Record) {
        report(&mut self.link, &mut self.board, record);
    }
}

/// Sends a record, and stops after it if the bench wants that.
fn report(link: &mut Link, board: &mut Board, record: Record) {
    link.send(record);
    if contract_block::stops_after(record.kind) {
        contract_block::stop(board.disarm());
    }
}

/// The alarm: waking up was all it had to do. It stays counting until the loop arms or disarms it.
#[exception]
fn SysTick() {}
