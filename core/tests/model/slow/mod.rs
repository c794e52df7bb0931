//! A clock that lives tick by tick: slow, and written from what a clock must do, not from how the core does it.
//!
//! It knows no deadlines and no differences of times. It takes one tick after the other from whoever runs and looks after
//! each whether he has anything left.

mod acts;

use flagfall_core::{
    AtZero, Bonus, BySide, Credit, DeviceTime, Effect, Happening, Input, Period, Phase, SameTick, Setup, Side, State,
    TickRate, TimeControl, Zero,
};

/// One player's clock.
#[derive(Clone)]
struct Player {
    control: TimeControl,
    left: u64,
    delay: u64,
    moves: u16,
    period: u8,
    overtime: u16,
    down: bool,
}

/// What a correction can be taken back to.
#[derive(Clone)]
struct Before {
    players: [Player; 2],
    phase: Phase,
    first_down: Option<Side>,
}

#[derive(Clone)]
pub(crate) struct SlowClock {
    setup: Setup,
    hz: u64,
    now: u64,
    phase: Phase,
    players: [Player; 2],
    turn: u64,
    /// The running side wanted a tick and had none.
    overdrawn: bool,
    first_down: Option<Side>,
    battery_low: bool,
    before: Option<Before>,
    told: Vec<Happening>,
}

impl SlowClock {
    pub(crate) fn new(setup: &Setup, rate: TickRate) -> Self {
        let mut clock = Self {
            setup: *setup,
            hz: u64::from(rate.hz()),
            now: 0,
            phase: Phase::Ready,
            players: [&setup.control.white, &setup.control.black].map(|control| Player {
                control: *control,
                left: 0,
                delay: 0,
                moves: 0,
                period: 0,
                overtime: 0,
                down: false,
            }),
            turn: 0,
            overdrawn: false,
            first_down: None,
            battery_low: false,
            before: None,
            told: Vec::new(),
        };
        for side in Side::ALL {
            let opening = setup.opening[side];
            let control = setup.control[side];
            let period = opening.period.unwrap_or_else(|| period_of_move_after(&control, opening.moves));
            let period = period.min(control.periods().len() as u8 - 1);
            let stage = control.periods()[usize::from(period)];
            let given = clock.ticks(stage.base_ms) + clock.ahead(stage.bonus);
            let player = clock.player(side);
            (player.moves, player.period) = (opening.moves, period);
            clock.player(side).left = opening.left_ms.map_or(given, |ms| clock.ticks(ms));
        }
        clock
    }

    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    pub(crate) fn on_move(&self) -> Option<Side> {
        self.phase.side()
    }

    pub(crate) fn delay_left(&self) -> u64 {
        self.on_move().map_or(0, |side| self.players[side.index() as usize].delay)
    }

    /// The next tick at which something would happen by itself, looked for up to `horizon` ticks ahead; a side whose flag
    /// is down, or that counts up, has none.
    pub(crate) fn next_zero(&self, horizon: u64) -> Option<u64> {
        let mut ahead = self.clone();
        for _ in 0..=horizon {
            if ahead.is_out() {
                return Some(ahead.now);
            }
            let Phase::Running(side) = ahead.phase else { return None };
            if ahead.player(side).down || ahead.stage(side).bonus == Bonus::CountUp {
                return None;
            }
            ahead.tick();
        }
        None
    }

    /// What a memory keeps over a restart: all but what could be taken back.
    pub(crate) fn restart(&mut self) {
        self.before = None;
    }

    pub(crate) fn state(&self) -> State {
        let [white, black] = &self.players;
        State {
            phase: self.phase,
            remaining_ticks: BySide::new(white.left, black.left),
            delay_ticks: BySide::new(white.delay, black.delay),
            turn_ticks: self.turn,
            moves: BySide::new(white.moves, black.moves),
            period: BySide::new(white.period, black.period),
            overtime: BySide::new(white.overtime, black.overtime),
            fallen: BySide::new(white.down, black.down),
            first_fallen: self.first_down,
            battery_low: self.battery_low,
        }
    }

    pub(crate) fn step(&mut self, at: u64, input: Input) -> Vec<Happening> {
        if at < self.now {
            self.tell(Effect::WentBack(self.now - at));
        }
        self.let_pass(at.max(self.now), input);
        if !matches!(input, Input::Read | Input::Wake | Input::Undo) {
            self.before = None;
        }
        match input {
            Input::Press(side) => self.press(side),
            Input::ArbiterButton => self.arbiter(),
            Input::SetTime { side, left_ms } => self.set_time(side, left_ms),
            Input::SetCounter { side, moves } => self.set_counter(side, moves),
            Input::SetPeriod { side, period } => self.set_period(side, period),
            Input::Swap => self.swap(),
            Input::Undo => self.undo(),
            Input::Battery { low } => {
                self.battery_low = low;
                self.tell(Effect::Battery(low));
            }
            Input::Read => self.tell(Effect::Read),
            Input::Wake => {}
        }
        std::mem::take(&mut self.told)
    }

    fn tell(&mut self, effect: Effect) {
        self.told.push(Happening { at: DeviceTime::from_ticks(self.now), effect, state: self.state() });
    }

    fn player(&mut self, side: Side) -> &mut Player {
        &mut self.players[side.index() as usize]
    }

    fn stage(&self, side: Side) -> Period {
        let player = &self.players[side.index() as usize];
        player.control.periods()[usize::from(player.period)]
    }

    /// A time counts in full ticks, in the player's favour.
    fn ticks(&self, ms: u64) -> u64 {
        let exact = ms * self.hz;
        exact / 1_000 + u64::from(!exact.is_multiple_of(1_000))
    }

    /// What stands on the clock ahead of a move because of the move's bonus.
    fn ahead(&self, bonus: Bonus) -> u64 {
        match bonus {
            Bonus::Increment { ms } | Bonus::Bronstein { ms } if self.setup.credit == Credit::BeforeMove => {
                self.ticks(u64::from(ms))
            }
            _ => 0,
        }
    }

    fn let_pass(&mut self, at: u64, input: Input) {
        loop {
            while self.is_out() {
                let saved_by_a_press = self.now == at
                    && self.setup.same_tick == SameTick::PressFirst
                    && self.on_move().map(Input::Press) == Some(input);
                if saved_by_a_press {
                    return;
                }
                self.overdrawn = false;
                self.reach_zero(at - self.now);
            }
            if self.now == at {
                return;
            }
            if matches!(self.phase, Phase::Running(_)) { self.tick() } else { self.now = at }
        }
    }

    fn is_out(&self) -> bool {
        let Phase::Running(side) = self.phase else { return false };
        let player = &self.players[side.index() as usize];
        let nothing = player.delay == 0 && player.left == 0;
        let over = self.setup.zero == Zero::Fallen || self.overdrawn;
        nothing && over && !player.down && self.stage(side).bonus != Bonus::CountUp
    }

    fn tick(&mut self) {
        let Some(side) = self.on_move() else { return };
        let bonus = self.stage(side).bonus;
        self.now += 1;
        self.turn += 1;
        self.before = None;
        let player = self.player(side);
        if bonus == Bonus::CountUp {
            player.left += 1;
        } else if player.delay > 0 {
            player.delay -= 1;
        } else if player.left > 0 {
            player.left -= 1;
            let other = self.player(side.other());
            if bonus == Bonus::Hourglass && !other.down {
                other.left += 1;
            }
        } else {
            self.overdrawn = !player.down;
        }
    }

    fn reach_zero(&mut self, late: u64) {
        let Some(side) = self.on_move() else { return };
        let stage = self.stage(side);
        let overtime = self.player(side).overtime;
        let next = match stage.bonus {
            Bonus::ByoYomi { periods, ms } if overtime == 0 => Some((u16::from(periods), ms)),
            Bonus::ByoYomi { ms, .. } if overtime >= 2 => Some((overtime - 1, ms)),
            Bonus::Canadian { moves, ms } if overtime == 0 => Some((moves, ms)),
            _ => None,
        };
        if let Some((overtime, ms)) = next {
            let left = self.ticks(u64::from(ms));
            let player = self.player(side);
            (player.overtime, player.left) = (overtime, left);
            return self.tell(Effect::OvertimeEntered(side, overtime));
        }
        if !self.has_period_opened_by_time(side) {
            return self.fall(side, late);
        }
        if !self.player(side.other()).down {
            self.first_down = Some(side);
        }
        self.player(side).down = true;
        self.tell(Effect::FlagFell(side, late));
        self.player(side).down = false;
        let next = self.player(side).period + 1;
        self.open(side, next, 0);
        let other = side.other();
        if self.has_period_opened_by_time(other) && !self.player(other).down {
            let saved = self.player(other).left.saturating_sub(self.ahead(self.stage(other).bonus));
            let next = self.player(other).period + 1;
            self.open(other, next, saved);
            self.give(other, self.ahead(self.stage(other).bonus));
        }
    }

    fn has_period_opened_by_time(&self, side: Side) -> bool {
        let player = &self.players[side.index() as usize];
        let periods = player.control.periods();
        usize::from(player.period) + 1 < periods.len() && periods.iter().all(|period| period.moves.is_none())
    }

    /// The base of a period on top of what was saved, which is forgotten where nothing is carried over.
    fn open(&mut self, side: Side, period: u8, saved: u64) {
        self.player(side).period = period;
        let base = self.ticks(self.stage(side).base_ms);
        let saved = if self.setup.carry_over { saved } else { 0 };
        let player = self.player(side);
        (player.left, player.overtime) = (saved + base, 0);
        self.tell(Effect::PeriodEntered(side, period));
    }

    fn give(&mut self, side: Side, ticks: u64) {
        if ticks > 0 {
            self.player(side).left += ticks;
            self.tell(Effect::Credited(side, ticks));
        }
    }

    fn fall(&mut self, side: Side, late: u64) {
        if !self.player(side.other()).down {
            self.first_down = Some(side);
        }
        self.player(side).down = true;
        if self.setup.at_zero == AtZero::Freeze {
            self.phase = match self.phase {
                Phase::Running(side) | Phase::Paused(side) => Phase::Frozen(side),
                other => other,
            };
        }
        self.tell(Effect::FlagFell(side, late));
    }
}

/// The period of the move after so many; targets count from move one, and without targets nothing but time opens one.
fn period_of_move_after(control: &TimeControl, moves: u16) -> u8 {
    let mut target = 0_u32;
    let mut period = 0;
    for stage in control.periods() {
        let Some(more) = stage.moves else { break };
        target += u32::from(more);
        if u32::from(moves) >= target {
            period += 1;
        }
    }
    period
}
