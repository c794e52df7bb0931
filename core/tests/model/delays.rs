//! A delay, Bronstein credited before the move and a clock that holds its first ticks are one and the same.

use std::fmt;

use flagfall_core::{
    Bonus, BySide, Clock, DeviceTime, Effect, Input, Period, SameTick, Setup, Side, TickRate, TimeControl, Zero,
};
use proptest::prelude::*;

use crate::cases;

/// One tick is a millisecond, so that a correction can say any number of them.
const HZ: u32 = 1_000;

#[derive(Clone, Copy, Debug)]
enum Act {
    Press,
    /// The arbiter stops the clock, or lets it go on.
    Pause,
    /// The main time of a side is set to so many ticks.
    Correct(Side, u64),
}

#[derive(Clone)]
struct Game {
    bases: Vec<u64>,
    /// Moves of each period but the last; without, time opens them.
    moves: Option<u16>,
    delay: u32,
    zero: Zero,
    same_tick: SameTick,
    carry_over: bool,
    /// What is done, and so many ticks after what was done before.
    acts: Vec<(u64, Act)>,
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, in ticks of 1 ms", self.setup(Bonus::Delay { ms: self.delay }).control.white)?;
        writeln!(f, "  zero {:?} {:?}, carry over {}", self.zero, self.same_tick, self.carry_over)?;
        for (ticks, act) in &self.acts {
            match act {
                Act::Press => writeln!(f, "  +{ticks}: press")?,
                Act::Pause => writeln!(f, "  +{ticks}: the arbiter's button")?,
                Act::Correct(side, left) => writeln!(f, "  +{ticks}: set {side} to {left}")?,
            }
        }
        Ok(())
    }
}

impl Game {
    fn setup(&self, bonus: Bonus) -> Setup {
        let last = self.bases.len() - 1;
        let period = |(index, base_ms): (usize, &u64)| Period {
            moves: self.moves.filter(|_| index < last),
            base_ms: *base_ms,
            bonus,
        };
        let periods: Vec<Period> = self.bases.iter().enumerate().map(period).collect();
        let control = TimeControl::new(&periods).expect("a control");
        Setup { zero: self.zero, same_tick: self.same_tick, carry_over: self.carry_over, ..Setup::new(control) }
    }
}

/// A clock without any delay or bonus, whose ticks are held at the beginning of each move, pauses or not.
struct HeldTick<'a> {
    game: &'a Game,
    now: u64,
    main: BySide<u64>,
    moves: BySide<u16>,
    period: BySide<usize>,
    on_move: Side,
    /// Ticks of this move so far.
    used: u64,
    overdrawn: bool,
    paused: bool,
    falls: Vec<(Side, u64)>,
    over: bool,
}

impl<'a> HeldTick<'a> {
    fn started(game: &'a Game) -> Self {
        Self {
            game,
            now: 0,
            main: BySide::both(game.bases[0]),
            moves: BySide::both(0),
            period: BySide::both(0),
            on_move: Side::White,
            used: 0,
            overdrawn: false,
            paused: false,
            falls: Vec::new(),
            over: false,
        }
    }

    fn do_at(&mut self, at: u64, act: Act) {
        let press_comes_first = self.game.same_tick == SameTick::PressFirst && matches!(act, Act::Press);
        loop {
            while self.is_out() && !(self.now == at && press_comes_first) {
                self.reach_zero();
            }
            if self.now == at || self.over {
                break;
            }
            self.now += 1;
            if !self.paused {
                self.tick();
            }
        }
        match act {
            _ if self.over => {}
            Act::Press if self.paused => {}
            Act::Press => self.press(),
            Act::Pause => self.paused = !self.paused,
            Act::Correct(side, left) => self.main[side] = left,
        }
    }

    fn tick(&mut self) {
        self.used += 1;
        let left = &mut self.main[self.on_move];
        if self.used > u64::from(self.game.delay) {
            self.overdrawn = *left == 0;
            *left = left.saturating_sub(1);
        }
    }

    fn is_out(&self) -> bool {
        let nothing = self.main[self.on_move] == 0 && self.used >= u64::from(self.game.delay);
        nothing && !self.paused && !self.over && (self.game.zero == Zero::Fallen || self.overdrawn)
    }

    fn reach_zero(&mut self) {
        self.overdrawn = false;
        self.falls.push((self.on_move, self.now));
        if self.game.moves.is_some() || self.period[self.on_move] + 1 == self.game.bases.len() {
            self.over = true;
            return;
        }
        for side in Side::ALL {
            self.enter_next(side);
        }
    }

    fn enter_next(&mut self, side: Side) {
        self.period[side] += 1;
        let saved = if self.game.carry_over { self.main[side] } else { 0 };
        self.main[side] = saved + self.game.bases[self.period[side]];
    }

    fn press(&mut self) {
        let side = self.on_move;
        self.moves[side] += 1;
        let reached = |moves: u16| usize::from(self.moves[side] / moves) > self.period[side];
        if self.game.moves.is_some_and(reached) && self.period[side] + 1 < self.game.bases.len() {
            self.enter_next(side);
        }
        (self.on_move, self.used, self.overdrawn) = (side.other(), 0, false);
    }
}

/// The core with one of the two bonuses, and what of its times is main time.
struct Core {
    clock: Clock,
    bronstein_ticks: u64,
    falls: Vec<(Side, u64)>,
}

impl Core {
    fn started(game: &Game, bonus: Bonus) -> Self {
        let bronstein_ticks = if matches!(bonus, Bonus::Bronstein { .. }) { u64::from(game.delay) } else { 0 };
        let clock = Clock::new(&game.setup(bonus), TickRate::new(HZ).expect("in range"));
        let mut core = Self { clock, bronstein_ticks, falls: Vec::new() };
        core.step(0, Input::ArbiterButton);
        core
    }

    fn step(&mut self, at: u64, input: Input) {
        for happening in self.clock.step(DeviceTime::from_ticks(at), input).iter() {
            if let Effect::FlagFell(side, _) = happening.effect {
                self.falls.push((side, happening.at.ticks()));
            }
        }
    }

    /// What of a side's time stands there for its move: all of it, or what a move under way has not used.
    fn lent(&self, side: Side) -> u64 {
        let on_move = self.clock.state().phase.side() == Some(side);
        self.bronstein_ticks.saturating_sub(if on_move { self.clock.state().turn_ticks } else { 0 })
    }

    fn main(&self, side: Side) -> u64 {
        self.clock.state().remaining_ticks[side].saturating_sub(self.lent(side))
    }

    fn do_at(&mut self, at: u64, act: Act) {
        let on_move = self.clock.state().phase.side().expect("a started clock");
        match act {
            Act::Press => self.step(at, Input::Press(on_move)),
            Act::Pause => self.step(at, Input::ArbiterButton),
            Act::Correct(side, left) => {
                self.step(at, Input::Wake);
                self.step(at, Input::SetTime { side, left_ms: left + self.lent(side) });
            }
        }
    }
}

fn the_same(game: &Game) -> Result<(), TestCaseError> {
    let mut held = HeldTick::started(game);
    let mut delay = Core::started(game, Bonus::Delay { ms: game.delay });
    let mut bronstein = Core::started(game, Bonus::Bronstein { ms: game.delay });
    let mut at = 0;
    for (ticks, act) in &game.acts {
        at += ticks;
        held.do_at(at, *act);
        if held.over {
            // The flag is down, and what an arbiter does then is not the same on all three.
            break;
        }
        delay.do_at(at, *act);
        bronstein.do_at(at, *act);
        let mains = [delay.main(Side::White), delay.main(Side::Black)];
        prop_assert_eq!(mains, [bronstein.main(Side::White), bronstein.main(Side::Black)], "Bronstein at tick {}", at);
        prop_assert_eq!(mains, [held.main.white, held.main.black], "the held tick at tick {}", at);
    }
    held.do_at(at + 1_000, Act::Pause);
    for core in [&mut delay, &mut bronstein] {
        core.step(held.now.max(at), Input::Wake);
        prop_assert_eq!(&core.falls, &held.falls);
    }
    Ok(())
}

fn game() -> impl Strategy<Value = Game> {
    let act = prop_oneof![
        6 => Just(Act::Press),
        2 => Just(Act::Pause),
        1 => (any::<bool>(), 1..=40_u64).prop_map(|(white, left)| {
            Act::Correct(if white { Side::White } else { Side::Black }, left)
        }),
    ];
    let acts = proptest::collection::vec((0..=25_u64, act), 1..=40);
    (
        proptest::collection::vec(0..=60_u64, 1..=3),
        proptest::option::of(1..=3_u16),
        1..=20_u32,
        any::<[bool; 3]>(),
        acts,
    )
        .prop_map(|(bases, moves, delay, [alive, press_first, carry_over], acts)| Game {
            moves: moves.filter(|_| bases.len() > 1),
            bases,
            delay,
            zero: if alive { Zero::Alive } else { Zero::Fallen },
            same_tick: if press_first { SameTick::PressFirst } else { SameTick::FlagFirst },
            carry_over,
            acts,
        })
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn a_delay_is_bronstein_before_the_move_and_a_held_tick(game in game()) {
        the_same(&game)?;
    }
}
