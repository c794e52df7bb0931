//! Random clocks and random games on them, aimed at the instants where clocks go wrong, and written so that a person can
//! read the one that failed.

use std::fmt;

use flagfall_core::{
    AtZero, Bonus, BySide, Credit, Input, LateControlMove, Opening, Period, SameTick, SecondPress, Setup, Side,
    TickRate, TimeControl, Zero,
};
use proptest::prelude::*;

/// Rates at which a game is played; in the slow clock each tick counts, so that times are short where ticks are many.
const RATES_HZ: [u32; 7] = [10, 64, 100, 997, 1_000, 32_768, 1_000_000];

/// When something is done.
#[derive(Clone, Copy)]
pub(crate) enum When {
    /// So many ticks after what was done before.
    After(u16),
    /// So many ticks beside the next zero.
    Zero(i8),
    /// So many ticks beside the end of the delay.
    DelayEnd(i8),
    /// When so many zeros of the side on move have passed.
    Zeros(u8),
    /// So many ticks before what was done before.
    Back(u8),
}

/// Who does it.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    OnMove,
    NotOnMove,
}

/// What is done.
#[derive(Clone, Copy)]
pub(crate) enum Deed {
    Press(Who),
    Do(Input),
    /// The device restarts and goes on from the state that it kept.
    Restart,
}

#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) when: When,
    pub(crate) deed: Deed,
}

#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) rate: TickRate,
    pub(crate) setup: Setup,
    pub(crate) steps: Vec<Step>,
}

impl fmt::Debug for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(ticks) => write!(f, "+{ticks} ticks"),
            Self::Zero(beside) => write!(f, "at the next zero {beside:+} ticks"),
            Self::DelayEnd(beside) => write!(f, "at the end of the delay {beside:+} ticks"),
            Self::Zeros(zeros) => write!(f, "after {zeros} zeros"),
            Self::Back(ticks) => write!(f, "-{ticks} ticks"),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}", self.when, self.deed)
    }
}

impl fmt::Debug for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Press(Who::OnMove) => f.write_str("the side on move presses"),
            Self::Press(Who::NotOnMove) => f.write_str("the other side presses"),
            Self::Restart => f.write_str("the device restarts"),
            Self::Do(input) => match input {
                Input::Press(side) => write!(f, "{side} presses"),
                Input::ArbiterButton => f.write_str("the arbiter presses"),
                Input::SetTime { side, left_ms } => write!(f, "set {side} to {left_ms} ms"),
                Input::SetCounter { side, moves } => write!(f, "set {side}'s counter to {moves}"),
                Input::SetPeriod { side, period } => write!(f, "set {side}'s period to index {period}"),
                Input::Swap => f.write_str("swap"),
                Input::Undo => f.write_str("undo"),
                Input::Battery { low } => write!(f, "battery {}", if *low { "low" } else { "good" }),
                Input::Read => f.write_str("read"),
                Input::Wake => f.write_str("wake"),
            },
        }
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { control, credit, at_zero, zero, same_tick, late_control_move, second_press, .. } = self.setup;
        writeln!(f, "a clock of {} Hz", self.rate.hz())?;
        for (side, control) in control.iter() {
            let opening = self.setup.opening[side];
            write!(f, "  {side}: {control}; {} moves made", opening.moves)?;
            if let Some(ms) = opening.left_ms {
                write!(f, ", {ms} ms left")?;
            }
            if let Some(period) = opening.period {
                write!(f, ", in period index {period}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "  {credit:?} {at_zero:?} zero {zero:?} {same_tick:?}")?;
        writeln!(f, "  late control move {late_control_move:?}, second press {second_press:?}")?;
        writeln!(f, "  carry over {}, {} first", self.setup.carry_over, self.setup.first)?;
        for step in &self.steps {
            writeln!(f, "  {step:?}")?;
        }
        Ok(())
    }
}

/// Milliseconds that are at most some dozens of ticks, or some milliseconds where those are more.
fn short_ms(hz: u32) -> impl Strategy<Value = u32> + Clone {
    0..=(40_000 / hz).max(2)
}

/// A bonus of at least a millisecond for any period.
fn common_bonus(ms: impl Strategy<Value = u32> + Clone + 'static) -> impl Strategy<Value = Bonus> + Clone {
    let ms = ms.prop_map(|ms| ms.max(1));
    prop_oneof![
        2 => Just(Bonus::None),
        2 => ms.clone().prop_map(|ms| Bonus::Increment { ms }),
        2 => ms.clone().prop_map(|ms| Bonus::Delay { ms }),
        2 => ms.prop_map(|ms| Bonus::Bronstein { ms }),
    ]
}

/// A bonus that lasts to the end of the game.
fn lasting_bonus(ms: impl Strategy<Value = u32> + Clone + 'static) -> impl Strategy<Value = Bonus> {
    let ms = ms.prop_map(|ms| ms.max(1));
    prop_oneof![
        Just(Bonus::PerMove),
        (1..=10_u8, ms.clone()).prop_map(|(periods, ms)| Bonus::ByoYomi { periods, ms }),
        (1..=4_u16, ms).prop_map(|(moves, ms)| Bonus::Canadian { moves, ms }),
    ]
}

/// Any control whose times are `ms` long.
pub(crate) fn control(ms: impl Strategy<Value = u32> + Clone + 'static) -> BoxedStrategy<TimeControl> {
    let base = ms.clone().prop_map(u64::from);
    let stages = proptest::collection::vec((1..=4_u16, base.clone(), common_bonus(ms.clone())), 0..=3);
    let last = prop_oneof![2 => common_bonus(ms.clone()).boxed(), 1 => lasting_bonus(ms).boxed()];
    let several = (stages, base.clone(), last, any::<bool>()).prop_map(|(stages, base, last, by_time)| {
        let mut periods: Vec<Period> = stages
            .into_iter()
            .map(|(moves, base_ms, bonus)| Period { moves: Some(moves).filter(|_| !by_time), base_ms, bonus })
            .collect();
        periods.push(Period::all_moves(base, last));
        for period in &mut periods {
            if period.base_ms == 0 && period.bonus.ms() == 0 {
                period.base_ms = 1;
            }
        }
        periods
    });
    let alone = (base, any::<bool>()).prop_map(|(base, up)| match up {
        true => vec![Period::all_moves(base, Bonus::CountUp)],
        false => vec![Period::all_moves(base.max(1), Bonus::Hourglass)],
    });
    prop_oneof![6 => several.boxed(), 1 => alone.boxed()]
        .prop_map(|periods| TimeControl::new(&periods).expect("made to be a control"))
        .boxed()
}

fn either<T: Clone + fmt::Debug + 'static>(default: T, other: T) -> impl Strategy<Value = T> {
    any::<bool>().prop_map(move |other_one| if other_one { other.clone() } else { default.clone() })
}

/// Any setup whose times are `ms` long; every other one gives no odds.
fn setup(ms: impl Strategy<Value = u32> + Clone + 'static) -> impl Strategy<Value = Setup> {
    let left = proptest::option::weighted(0.2, ms.clone().prop_map(u64::from));
    let opening = (left, prop_oneof![3 => Just(0), 1 => 0..=6_u16], proptest::option::weighted(0.1, 0..=4_u8))
        .prop_map(|(left_ms, moves, period)| Opening { left_ms, moves, period });
    let odds = proptest::option::of(control(ms.clone()));
    let controls = (control(ms), odds).prop_map(|(white, black)| BySide::new(white, black.unwrap_or(white)));
    let settings = (
        either(Credit::BeforeMove, Credit::AfterMove),
        either(AtZero::Freeze, AtZero::RunOn),
        either(Zero::Fallen, Zero::Alive),
        either(SameTick::FlagFirst, SameTick::PressFirst),
        either(LateControlMove::Nothing, LateControlMove::NextBase),
        either(SecondPress::Ignored, SecondPress::Counted),
        either(true, false),
        either(Side::White, Side::Black),
    );
    (controls, settings, opening.clone(), opening).prop_map(|(control, settings, white, black)| {
        let (credit, at_zero, zero, same_tick, late_control_move, second_press, carry_over, first) = settings;
        Setup {
            control,
            credit,
            at_zero,
            zero,
            same_tick,
            late_control_move,
            second_press,
            carry_over,
            first,
            opening: BySide::new(white, black),
            ..Setup::new(control.white)
        }
    })
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        6 => (0..=20_u16).prop_map(When::After),
        1 => (0..=300_u16).prop_map(When::After),
        4 => (-2..=2_i8).prop_map(When::Zero),
        2 => (-1..=1_i8).prop_map(When::DelayEnd),
        1 => (2..=6_u8).prop_map(When::Zeros),
        1 => (1..=5_u8).prop_map(When::Back),
    ]
}

fn deed(ms: impl Strategy<Value = u32> + 'static) -> impl Strategy<Value = Deed> {
    let side = || either(Side::White, Side::Black);
    let correction = prop_oneof![
        3 => (side(), ms).prop_map(|(side, ms)| Input::SetTime { side, left_ms: u64::from(ms) }),
        1 => (side(), 0..=8_u16).prop_map(|(side, moves)| Input::SetCounter { side, moves }),
        1 => (side(), 0..=4_u8).prop_map(|(side, period)| Input::SetPeriod { side, period }),
        1 => Just(Input::Swap),
    ];
    prop_oneof![
        12 => Just(Deed::Press(Who::OnMove)),
        2 => Just(Deed::Press(Who::NotOnMove)),
        3 => Just(Deed::Do(Input::ArbiterButton)),
        4 => correction.prop_map(Deed::Do),
        2 => Just(Deed::Do(Input::Undo)),
        3 => Just(Deed::Do(Input::Wake)),
        1 => Just(Deed::Do(Input::Read)),
        1 => any::<bool>().prop_map(|low| Deed::Do(Input::Battery { low })),
        1 => Just(Deed::Restart),
    ]
}

/// A game on any clock, started in nine cases of ten.
pub(crate) fn game() -> impl Strategy<Value = Game> {
    let rate = proptest::sample::select(&RATES_HZ[..]);
    rate.prop_flat_map(|hz| {
        let ms = short_ms(hz);
        let step = (when(), deed(ms.clone())).prop_map(|(when, deed)| Step { when, deed });
        let steps = proptest::collection::vec(step, 0..=40);
        (setup(ms), steps, proptest::bool::weighted(0.9)).prop_map(move |(setup, mut steps, started)| {
            if started {
                steps.insert(0, Step { when: When::After(0), deed: Deed::Do(Input::ArbiterButton) });
            }
            Game { rate: TickRate::new(hz).expect("in range"), setup, steps }
        })
    })
}

/// A game of minutes and seconds on a clock of any rate.
pub(crate) fn real_game() -> impl Strategy<Value = Game> {
    let rate = prop_oneof![proptest::sample::select(&RATES_HZ[..]), 1..=1_000_000_000_u32];
    let ms = prop_oneof![0..=60_000_u32, (0..=3_600_u32).prop_map(|s| s * 1_000)];
    let step = (when(), deed(ms.clone())).prop_map(|(when, deed)| Step { when, deed });
    (rate, setup(ms), proptest::collection::vec(step, 1..=30)).prop_map(|(hz, setup, mut steps)| {
        steps.insert(0, Step { when: When::After(0), deed: Deed::Do(Input::ArbiterButton) });
        Game { rate: TickRate::new(hz).expect("in range"), setup, steps }
    })
}
