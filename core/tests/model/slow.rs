//! A clock that lives tick by tick: slow, and written from what a clock must do, not from how the core does it.
//!
//! It knows no deadlines and no differences of times. It takes one tick after the other from whoever runs and looks after
//! each whether he has anything left.

use flagfall_core::{
    AtZero, Bonus, BySide, Credit, DeviceTime, Effect, Happening, IgnoredBecause, Input, LateControlMove, Period,
    Phase, SameTick, SecondPress, Setup, Side, State, TickRate, TimeControl, Zero,
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

    fn press(&mut self, side: Side) {
        self.tell(Effect::Pressed(side));
        match self.phase {
            Phase::Running(running) if running == side => {
                self.player(side).delay = 0;
                self.count_move(side, self.turn);
                self.begin_turn(side.other());
                self.tell(Effect::Switched(side.other()));
            }
            Phase::Running(_) if self.setup.second_press == SecondPress::Counted => {
                // The counter is shown with the notice that it counted.
                let moves = &mut self.player(side).moves;
                *moves = moves.saturating_add(1);
                self.tell(Effect::Counted(side));
                self.pay(side, 0);
            }
            Phase::Running(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::NotOnMove)),
            Phase::Ready => self.tell(Effect::Ignored(Some(side), IgnoredBecause::NotStarted)),
            Phase::Paused(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::Paused)),
            Phase::Frozen(_) => self.tell(Effect::Ignored(Some(side), IgnoredBecause::Frozen)),
        }
    }

    fn begin_turn(&mut self, side: Side) {
        self.phase = Phase::Running(side);
        self.turn = 0;
        self.overdrawn = false;
        self.player(side).delay = match self.stage(side).bonus {
            Bonus::Delay { ms } => self.ticks(u64::from(ms)),
            _ => 0,
        };
    }

    fn count_move(&mut self, side: Side, used: u64) {
        let moves = &mut self.player(side).moves;
        *moves = moves.saturating_add(1);
        self.pay(side, used);
    }

    /// What a move that has just been counted is worth.
    fn pay(&mut self, side: Side, used: u64) {
        let stage = self.stage(side);
        let player = self.player(side).clone();
        let target = period_of_move_after(&player.control, player.moves);
        let enters = target > player.period;
        if player.down {
            if enters && self.setup.late_control_move == LateControlMove::NextBase {
                self.player(side).down = false;
                self.open(side, target, 0);
                self.give(side, self.ahead(self.stage(side).bonus));
            }
            return;
        }
        let full = |ticks: u64| ticks.saturating_sub(player.left);
        match stage.bonus {
            Bonus::Increment { ms } if self.setup.credit == Credit::AfterMove => self.give(side, self.ticks(ms.into())),
            Bonus::Bronstein { ms } => self.give(side, used.min(self.ticks(ms.into()))),
            Bonus::PerMove => self.give(side, full(self.ticks(stage.base_ms))),
            Bonus::ByoYomi { ms, .. } if player.overtime > 0 => self.give(side, full(self.ticks(ms.into()))),
            Bonus::Canadian { moves, ms } if player.overtime > 0 => {
                let last = player.overtime == 1;
                self.player(side).overtime = if last { moves } else { player.overtime - 1 };
                if last {
                    self.give(side, full(self.ticks(ms.into())));
                }
            }
            _ => {}
        }
        if enters {
            let lent = if matches!(stage.bonus, Bonus::Bronstein { .. }) { self.ahead(stage.bonus) } else { 0 };
            let saved = self.player(side).left.saturating_sub(lent);
            self.open(side, target, saved);
            self.give(side, self.ahead(self.stage(side).bonus));
        } else if matches!(stage.bonus, Bonus::Increment { .. }) {
            self.give(side, self.ahead(stage.bonus));
        }
    }

    fn arbiter(&mut self) {
        self.tell(Effect::ArbiterPressed);
        let flag = self.players.iter().any(|player| player.down);
        match self.phase {
            Phase::Ready if !(flag && self.setup.at_zero == AtZero::Freeze) => {
                self.begin_turn(self.setup.first);
                self.tell(Effect::Started(self.setup.first));
            }
            Phase::Running(side) => {
                self.phase = Phase::Paused(side);
                self.tell(Effect::Paused(side));
            }
            Phase::Paused(side) => {
                self.phase = Phase::Running(side);
                self.tell(Effect::Resumed(side));
            }
            Phase::Ready | Phase::Frozen(_) => self.tell(Effect::Ignored(None, IgnoredBecause::Frozen)),
        }
    }

    fn remember(&mut self) {
        let (players, phase, first_down) = (self.players.clone(), self.phase, self.first_down);
        self.before = Some(Before { players, phase, first_down });
    }

    fn set_time(&mut self, side: Side, ms: u64) {
        self.remember();
        let ticks = self.ticks(ms);
        let player = self.player(side);
        (player.left, player.down) = (ticks, false);
        let still_down = Side::ALL.into_iter().find(|side| self.players[side.index() as usize].down);
        if self.first_down == Some(side) {
            self.first_down = still_down;
        }
        if let (Phase::Frozen(running), None) = (self.phase, still_down) {
            self.phase = Phase::Paused(running);
        }
        self.tell(Effect::TimeSet(side, ticks));
        if ticks == 0 && self.setup.zero == Zero::Fallen && self.stage(side).bonus != Bonus::CountUp {
            self.player(side).delay = 0;
            self.fall(side, 0);
        }
    }

    fn set_counter(&mut self, side: Side, moves: u16) {
        self.remember();
        self.player(side).moves = moves;
        self.tell(Effect::CounterSet(side, moves));
        let control = self.player(side).control;
        if control.periods().iter().any(|period| period.moves.is_some()) {
            self.show_period(side, period_of_move_after(&control, moves));
        }
    }

    fn set_period(&mut self, side: Side, period: u8) {
        if usize::from(period) < self.player(side).control.periods().len() {
            self.remember();
            self.tell(Effect::PeriodSet(side, period));
            self.show_period(side, period);
        } else {
            self.tell(Effect::PeriodSet(side, period));
            self.tell(Effect::Ignored(Some(side), IgnoredBecause::NoSuchPeriod));
        }
    }

    fn show_period(&mut self, side: Side, period: u8) {
        let player = self.player(side);
        if player.period != period {
            (player.period, player.overtime) = (period, 0);
            self.tell(Effect::PeriodEntered(side, period));
        }
    }

    fn swap(&mut self) {
        self.remember();
        self.players.swap(0, 1);
        self.first_down = self.first_down.map(|side| !side);
        self.phase = match self.phase {
            Phase::Ready => Phase::Ready,
            Phase::Running(side) => Phase::Running(!side),
            Phase::Paused(side) => Phase::Paused(!side),
            Phase::Frozen(side) => Phase::Frozen(!side),
        };
        self.tell(Effect::Swapped);
    }

    fn undo(&mut self) {
        let Some(before) = self.before.take() else {
            self.tell(Effect::Undone);
            return self.tell(Effect::Ignored(None, IgnoredBecause::NothingToUndo));
        };
        (self.players, self.phase, self.first_down) = (before.players, before.phase, before.first_down);
        self.tell(Effect::Undone);
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
