//! What a clock keeps while its supply fails: settings and state, in memory that start-up code does not clear.
//!
//! Two stores, one for the settings and one for the game. Each has two slots, which are written in turn: a reset at any
//! instruction leaves the slot that was written before, and of the one under way nothing that its checksum would pass.
//! The state names the settings that it belongs to, so that the game of one set-up is never taken for that of another.
//!
//! A slot, little endian, version 1:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | magic: `FFK` and the version, 1 |
//! | 4 | 4 | sequence number, wrapping: the later slot is the one to take |
//! | 8 | n | payload |
//! | 8 + n | 4 | checksum of all before it, see [`checksum`] |
//!
//! The payload of the settings is the configure command with which the clock was set up ([`crate::command`]); that of
//! the game is 64 bytes:
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | checksum of the settings' slot |
//! | 4 | 1 | phase: 0 ready, 1 running, 2 paused, 3 frozen |
//! | 5 | 1 | bit 0 White's flag down, bit 1 Black's, bit 2 the side in the phase is Black, bit 3 battery sign, bit 4 the colours are swapped, bits 6-7 first fallen (0 none, 1 White, 2 Black) |
//! | 6 | 1 + 1 | period index, White and Black |
//! | 8 | 8 | device time in ticks |
//! | 16 | 8 + 8 | main time left in ticks |
//! | 32 | 8 + 8 | delay left in ticks |
//! | 48 | 8 | ticks of the current move |
//! | 56 | 2 + 2 | counted moves |
//! | 60 | 2 + 2 | overtime |

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::clock::{Clock, Phase, State};
use crate::command;
use crate::record::{u16_at, u32_at, u64_at};
use crate::setup::Setup;
use crate::side::{BySide, Side};
use crate::time::DeviceTime;

/// First bytes of a slot of this version.
const MAGIC: u32 = u32::from_le_bytes([b'F', b'F', b'K', 1]);

const HEAD: usize = 8;
const CHECK: usize = 4;

/// Bytes of the state of a game.
pub const GAME_LEN: usize = 64;

/// Bytes of a slot for settings.
pub const SETTINGS_SLOT: usize = HEAD + command::LEN + CHECK;

/// Bytes of a slot for a game.
pub const GAME_SLOT: usize = HEAD + GAME_LEN + CHECK;

/// Words of both stores in memory: two slots for settings, then two for the game.
pub const WORDS: usize = 2 * (SETTINGS_SLOT + GAME_SLOT) / 4;

/// How much a clock has kept over a reset; the numbers are wire form, see [`crate::record::boot_detail`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: it was without power, or for the first time under it. It is set up as it always is then.
    #[default]
    Nothing = 0,
    /// Its settings: it waits for its start as it was set up before the game.
    Settings = 1,
    /// Everything: it stands paused where it was.
    Everything = 2,
}

/// A sum that any change of one word changes, and that mixed slots pass with a chance of one in 2^32.
///
/// Four bytes at a time, `h = rotl(h ^ word, 5) * 0x9E37_79B1 + 1` from `h = 0x811C_9DC5`: each step can be undone, so
/// that two texts which differ in one word cannot meet again. A small core takes five instructions for a word.
#[must_use]
pub fn checksum(words: impl Iterator<Item = u32>) -> u32 {
    words.fold(0x811C_9DC5, |h: u32, word| (h ^ word).rotate_left(5).wrapping_mul(0x9E37_79B1).wrapping_add(1))
}

/// Where a clock stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The device time of the last step.
    pub at: DeviceTime,
    /// Its state then.
    pub state: State,
    /// Whether the colours had been swapped, and with them the controls.
    pub is_swapped: bool,
}

impl Standing {
    /// Lets a clock that is set up as it was kept go on from here: whoever ran stands paused.
    ///
    /// The battery sign is out until the supply is measured again.
    pub fn resume(&self, clock: &mut Clock) {
        let phase = match self.state.phase {
            Phase::Running(side) => Phase::Paused(side),
            stopped => stopped,
        };
        clock.go_on_from(self.at, &State { phase, battery_low: false, ..self.state }, self.is_swapped);
    }
}

/// The memory itself: two slots for settings, then two for the game. Any bytes will do to begin with.
#[derive(Debug)]
#[repr(transparent)]
pub struct Memory([AtomicU32; WORDS]);

impl Memory {
    /// Memory that holds nothing.
    #[must_use]
    pub const fn empty() -> Self {
        Self([const { AtomicU32::new(0) }; WORDS])
    }

    /// Memory that was read elsewhere, word by word.
    #[must_use]
    pub fn of_words(words: [u32; WORDS]) -> Self {
        Self(words.map(AtomicU32::new))
    }

    fn put(&self, slots: &Slots, number: u32, words: &[u32]) {
        for (word, value) in self.0[slots.at(number)..].iter().zip(words) {
            word.store(*value, Relaxed);
        }
    }

    /// The sequence number in a slot, if its checksum passes.
    fn sound(&self, slots: &Slots, number: u32) -> Option<u32> {
        let slot = &self.0[slots.at(number)..][..slots.words];
        let (check, words) = slot.split_last()?;
        let sequence = words[1].load(Relaxed);
        let passes = checksum(words.iter().map(|word| word.load(Relaxed))) == check.load(Relaxed);
        (words[0].load(Relaxed) == MAGIC && sequence % 2 == number && passes).then_some(sequence)
    }

    /// The sequence number of the later of the two slots, of those whose checksum passes.
    fn latest(&self, slots: &Slots) -> Option<u32> {
        match (self.sound(slots, 0), self.sound(slots, 1)) {
            (Some(one), Some(other)) if one.wrapping_sub(other).cast_signed() > 0 => Some(one),
            (one, other) => other.or(one),
        }
    }

    /// The checksum of a slot.
    fn check(&self, slots: &Slots, sequence: u32) -> u32 {
        self.0[slots.at(sequence) + slots.words - 1].load(Relaxed)
    }

    /// The bytes in a slot.
    fn payload<const LEN: usize>(&self, slots: &Slots, sequence: u32) -> [u8; LEN] {
        let mut payload = [0; LEN];
        let words = &self.0[slots.at(sequence) + HEAD / 4..];
        for (bytes, word) in payload.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.load(Relaxed).to_le_bytes());
        }
        payload
    }
}

/// Where the two slots of a kind lie in the memory. A slot holds the odd or the even sequence numbers.
struct Slots {
    first: usize,
    words: usize,
}

impl Slots {
    const fn at(&self, number: u32) -> usize {
        self.first + (number as usize % 2) * self.words
    }
}

const SETTINGS_WORDS: usize = SETTINGS_SLOT / 4;
const GAME_WORDS: usize = GAME_SLOT / 4;
const SETTINGS: Slots = Slots { first: 0, words: SETTINGS_WORDS };
const GAMES: Slots = Slots { first: 2 * SETTINGS_WORDS, words: GAME_WORDS };

/// Reads the memory after a reset, and writes to it from then on, slot after slot.
///
/// Slots are large for a small stack: what handles whole ones is no part of its callers' frames.
#[derive(Debug)]
pub struct Keeper<'m> {
    memory: &'m Memory,
    next_settings: u32,
    next_game: u32,
    /// The checksum of the settings that are in force.
    settings_check: u32,
    is_swapped: bool,
}

impl<'m> Keeper<'m> {
    /// Goes on after what the memory holds. [`Keeper::keep_settings`] comes before [`Keeper::keep_game`] unless there are
    /// [settings](Keeper::settings).
    #[must_use]
    #[inline(never)]
    pub fn open(memory: &'m Memory) -> Self {
        let next = |slots: &Slots| memory.latest(slots).map_or(0, |sequence| sequence.wrapping_add(1));
        let settings_check = memory.latest(&SETTINGS).map_or(0, |sequence| memory.check(&SETTINGS, sequence));
        Self { memory, next_settings: next(&SETTINGS), next_game: next(&GAMES), settings_check, is_swapped: false }
    }

    /// What the clock was last set up with, if that was kept.
    #[must_use]
    #[inline(never)]
    pub fn settings(&self) -> Option<Setup> {
        let sequence = self.memory.latest(&SETTINGS)?;
        command::configure_from_bytes(&self.memory.payload(&SETTINGS, sequence))
    }

    /// Where the clock stood that was set up like this, if that was kept. The keeper goes on with it.
    #[must_use]
    #[inline(never)]
    pub fn standing(&mut self) -> Option<Standing> {
        let sequence = self.memory.latest(&GAMES)?;
        let standing = standing_of(&self.memory.payload(&GAMES, sequence), self.settings_check)?;
        self.is_swapped = standing.is_swapped;
        Some(standing)
    }

    /// Keeps what the clock was set up with; a game that was kept before is forgotten with it.
    #[inline(never)]
    pub fn keep_settings(&mut self, installed: &Setup) {
        let mut words = [0; SETTINGS_WORDS];
        let bytes = command::configure_to_bytes(installed);
        for (word, bytes) in words[2..].iter_mut().zip(bytes.chunks_exact(4)) {
            *word = u32_at(bytes, 0);
        }
        self.settings_check = seal(&mut words, self.next_settings);
        self.memory.put(&SETTINGS, self.next_settings, &words);
        self.next_settings = self.next_settings.wrapping_add(1);
        self.is_swapped = false;
    }

    /// Keeps on which sides the controls stand now: to be said after the colours were swapped or a correction was taken
    /// back, before the game is kept.
    #[inline(never)]
    pub fn keep_sides(&mut self, setup: &Setup) {
        let Some(sequence) = self.memory.latest(&SETTINGS) else { return };
        let installed: [u8; command::LEN] = self.memory.payload(&SETTINGS, sequence);
        self.is_swapped = installed[command::CONTROLS] != command::configure_to_bytes(setup)[command::CONTROLS];
    }

    /// Keeps where the clock stands at this device time, which is that of its last step.
    pub fn keep_game(&mut self, clock: &Clock, at: DeviceTime) {
        let mut words = [0; GAME_WORDS];
        words[2..GAME_WORDS - 1].copy_from_slice(&game_words(clock.state(), at, self.is_swapped, self.settings_check));
        seal(&mut words, self.next_game);
        self.memory.put(&GAMES, self.next_game, &words);
        self.next_game = self.next_game.wrapping_add(1);
    }
}

/// Puts head and checksum around a payload; the checksum.
fn seal(words: &mut [u32], number: u32) -> u32 {
    words[0] = MAGIC;
    words[1] = number;
    let last = words.len() - 1;
    words[last] = checksum(words[..last].iter().copied());
    words[last]
}

fn game_words(state: &State, at: DeviceTime, is_swapped: bool, settings_check: u32) -> [u32; GAME_LEN / 4] {
    let (phase, side) = match state.phase {
        Phase::Ready => (0, Side::White),
        Phase::Running(side) => (1, side),
        Phase::Paused(side) => (2, side),
        Phase::Frozen(side) => (3, side),
    };
    let signs = u8::from(state.fallen.white)
        | u8::from(state.fallen.black) << 1
        | side.index() << 2
        | u8::from(state.battery_low) << 3
        | u8::from(is_swapped) << 4
        | state.first_fallen.map_or(0, |side| side.index() + 1) << 6;
    let halves = |long: u64| [long as u32, (long >> 32) as u32];
    let pair = |pair: BySide<u16>| u32::from(pair.white) | u32::from(pair.black) << 16;
    let mut words = [0; GAME_LEN / 4];
    words[0] = settings_check;
    words[1] = u32::from_le_bytes([phase, signs, state.period.white, state.period.black]);
    let longs = [
        at.ticks(),
        state.remaining_ticks.white,
        state.remaining_ticks.black,
        state.delay_ticks.white,
        state.delay_ticks.black,
        state.turn_ticks,
    ];
    for (words, long) in words[2..14].chunks_exact_mut(2).zip(longs) {
        words.copy_from_slice(&halves(long));
    }
    words[14] = pair(state.moves);
    words[15] = pair(state.overtime);
    words
}

fn standing_of(b: &[u8; GAME_LEN], settings_check: u32) -> Option<Standing> {
    if u32_at(b, 0) != settings_check {
        return None;
    }
    let signs = b[5];
    let side = if signs & 4 == 0 { Side::White } else { Side::Black };
    let phase = match b[4] {
        0 => Phase::Ready,
        1 => Phase::Running(side),
        2 => Phase::Paused(side),
        3 => Phase::Frozen(side),
        _ => return None,
    };
    let first_fallen = match signs >> 6 {
        0 => None,
        index => Some(Side::from_index(index - 1)?),
    };
    let state = State {
        phase,
        remaining_ticks: BySide::new(u64_at(b, 16), u64_at(b, 24)),
        delay_ticks: BySide::new(u64_at(b, 32), u64_at(b, 40)),
        turn_ticks: u64_at(b, 48),
        moves: BySide::new(u16_at(b, 56), u16_at(b, 58)),
        period: BySide::new(b[6], b[7]),
        overtime: BySide::new(u16_at(b, 60), u16_at(b, 62)),
        fallen: BySide::new(signs & 1 != 0, signs & 2 != 0),
        first_fallen,
        battery_low: signs & 8 != 0,
    };
    Some(Standing { at: DeviceTime::from_ticks(u64_at(b, 8)), state, is_swapped: signs & 16 != 0 })
}

#[cfg(test)]
mod tests;
