//! What a scenario expects of the clock.

use flagfall_core::{Face, Side};

/// One thing that the faces must show when they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Index of the [`flagfall_trace::Act::Read`] step of the plan at which it must hold.
    pub step: u32,
    /// What must hold.
    pub expected: Expected,
    /// The line of the scenario file.
    pub line: u32,
}

/// What must hold of the faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `flags: {white: fallen}` or `up`.
    Flag(Side, bool),
    /// `shown: {first_fallen: white}` or `none`.
    FirstFallen(Option<Side>),
    /// `shown: {white: "0:01"}`, `"9.8"` or `"1h02"`: the digits, and which digits the face has.
    Face(Side, Face),
    /// `shown: {delay: 4s}`: the seconds of the delay that is shown apart.
    ShownDelay(u32),
    /// `shown: {battery: low}` or `good`.
    Battery(bool),
    /// `left: {white: 59s}`: main time left in nanoseconds, converted to ticks rounding up; exact but for the rig's bound.
    Left(Side, u64),
    /// `moves: {white: 41}`.
    Moves(Side, u16),
    /// `period: {white: 2}`, counted from one in scenarios, an index here.
    Period(Side, u8),
    /// `overtime: {white: 3}`: byo-yomi periods left or moves to make in the Canadian stage; none in the main time.
    Overtime(Side, u16),
    /// `running: white` or `none`.
    Running(Option<Side>),
}

/// What the oracle must find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClockExpectation {
    /// Nothing: the clock is right. The default.
    #[default]
    Right,
    /// These and nothing else, none of them before the first fault of the plan.
    Wrong(Vec<Wrong>),
}

/// What can be wrong with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrong {
    /// `remaining(white)`: the time left differs from what an exact clock has, measured in true time.
    Remaining(Side),
    /// `arithmetic(white)`: the time left does not follow from the device's own stamps.
    Arithmetic(Side),
    /// `flag(white)`: the flag fell without zero, did not fall at zero, or fell at another tick.
    Flag(Side),
    /// `press(white)`: a press was not noticed, noticed late, or noticed though nobody pressed.
    Press(Side),
    /// `counter(white)`: the move counter, the period or the overtime does not follow from the presses.
    Counter(Side),
    /// `running`: both sides ran, or none when one should, or the wrong one.
    Running,
    /// `time-base`: device time does not follow true time.
    TimeBase,
    /// `display(white)`: the digits are not those of what the clock itself says is left, or of its delay.
    Display(Side),
    /// `battery`: the battery sign is out though the battery is low, or lit though it is not.
    Battery,
}
