//! What is kept over a reset: two slots, of which one is always whole.

extern crate std;

use std::vec::Vec;

use super::*;
use crate::{Bonus, Input, Period, TickRate, TimeControl};

const RATE: TickRate = TickRate::MHZ;

fn control(base_ms: u64) -> TimeControl {
    let forty = Period::of_moves(40, base_ms, Bonus::Delay { ms: 5_000 });
    TimeControl::new(&[forty, Period::all_moves(900_000, Bonus::Increment { ms: 2_000 })]).expect("a control")
}

fn setup() -> Setup {
    Setup { control: BySide::new(control(7_200_000), control(3_600_000)), ..Setup::new(control(1)) }
}

fn at(ticks: u64) -> DeviceTime {
    DeviceTime::from_ticks(ticks)
}

/// A clock in the middle of a game, and when it was last stepped.
fn game(moves: u64) -> (Clock, DeviceTime) {
    let mut clock = Clock::new(&setup(), RATE);
    clock.step(at(5), Input::ArbiterButton);
    for number in 0..moves {
        let side = if number % 2 == 0 { Side::White } else { Side::Black };
        clock.step(at(10_000_000 * (number + 1)), Input::Press(side));
    }
    (clock, at(10_000_000 * moves))
}

fn words(memory: &Memory) -> Vec<u32> {
    memory.0.iter().map(|word| word.load(Relaxed)).collect()
}

fn memory(words: &[u32]) -> Memory {
    let memory = Memory::empty();
    for (slot, word) in memory.0.iter().zip(words) {
        slot.store(*word, Relaxed);
    }
    memory
}

/// What is found after a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Settings(Setup),
    Everything(Setup, Standing),
}

fn found_in(memory: &Memory) -> Found {
    let mut keeper = Keeper::open(memory);
    match (keeper.settings(), keeper.standing()) {
        (None, None) => Found::Nothing,
        (Some(settings), None) => Found::Settings(settings),
        (Some(settings), Some(standing)) => Found::Everything(settings, standing),
        (None, Some(standing)) => panic!("a game without settings: {standing:?}"),
    }
}

fn found(words: &[u32]) -> Found {
    found_in(&memory(words))
}

fn kept(moves: u64) -> (Memory, Clock) {
    let memory = Memory::empty();
    let mut keeper = Keeper::open(&memory);
    keeper.keep_settings(&setup());
    let (clock, at) = game(moves);
    keeper.keep_game(&clock, at);
    (memory, clock)
}

#[test]
fn what_was_kept_is_found_and_goes_on_paused() {
    let (memory, clock) = kept(3);
    let standing = Standing { at: at(30_000_000), state: *clock.state(), is_swapped: false };
    assert_eq!(found_in(&memory), Found::Everything(setup(), standing));
    let mut resumed = Clock::new(&setup(), RATE);
    standing.resume(&mut resumed);
    assert_eq!(*resumed.state(), State { phase: Phase::Paused(Side::Black), ..*clock.state() });
    resumed.step(at(31_000_000), Input::ArbiterButton);
    assert_eq!(resumed.state().phase, Phase::Running(Side::Black));
    assert_eq!(
        resumed.next_deadline().map(|deadline| deadline.ticks()),
        clock.next_deadline().map(|d| d.ticks() + 1_000_000)
    );
}

#[test]
fn every_field_of_a_state_is_kept() {
    let odd = State {
        phase: Phase::Frozen(Side::Black),
        remaining_ticks: BySide::new(u64::MAX - 1, 0x0123_4567_89ab_cdef),
        delay_ticks: BySide::new(0x1_0000_0002, 3),
        turn_ticks: 0x55_0000_0007,
        moves: BySide::new(40, 65_535),
        period: BySide::new(1, 0),
        overtime: BySide::new(0, 0),
        fallen: BySide::new(true, false),
        first_fallen: Some(Side::White),
        battery_low: true,
    };
    let others = [
        State { first_fallen: Some(Side::Black), fallen: BySide::new(false, true), ..odd },
        State { first_fallen: None, phase: Phase::Ready, battery_low: false, ..odd },
        State { phase: Phase::Running(Side::White), period: BySide::new(0, 1), ..odd },
    ];
    let bonus = Bonus::ByoYomi { periods: 5, ms: 30_000 };
    let byo_yomi = TimeControl::new(&[Period::all_moves(1, bonus)]).expect("a control");
    let in_overtime = (Setup::new(byo_yomi), State { overtime: BySide::new(4, 5), period: BySide::both(0), ..odd });
    let cases = others.map(|state| (setup(), state)).into_iter().chain([(setup(), odd), in_overtime]);
    for (setup, state) in cases {
        let memory = Memory::empty();
        let mut keeper = Keeper::open(&memory);
        keeper.keep_settings(&setup);
        let clock = Clock::restore(&setup, RATE, at(0), &state);
        keeper.keep_game(&clock, at(u64::MAX));
        let standing = Standing { at: at(u64::MAX), state, is_swapped: false };
        assert_eq!(found_in(&memory), Found::Everything(setup, standing));
    }
}

/// A reset after any number of words, written from either end, leaves the old game or the new one.
#[test]
fn a_reset_at_any_instruction_leaves_the_old_or_the_new() {
    let (memory, _) = kept(3);
    let before = words(&memory);
    let (mut keeper, old) = (Keeper::open(&memory), found_in(&memory));
    let (clock, at) = game(4);
    keeper.keep_game(&clock, at);
    let after = words(&memory);
    let new = found(&after);
    assert_ne!(old, new);
    let mut seen = [0, 0];
    for count in 0..=WORDS {
        let (forwards, backwards): (Vec<u32>, Vec<u32>) = (0..WORDS)
            .map(|index| {
                let written = |is_written: bool| if is_written { after[index] } else { before[index] };
                (written(index < count), written(index >= WORDS - count))
            })
            .unzip();
        for torn in [forwards, backwards] {
            let found = found(&torn);
            assert!(found == old || found == new, "after {count} words: {found:?}");
            seen[usize::from(found == new)] += 1;
        }
    }
    assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
}

/// The same for another set-up, in the middle of which there may be settings without a game.
#[test]
fn a_reset_while_it_is_set_up_leaves_one_of_both_setups() {
    let (memory, _) = kept(3);
    let before = words(&memory);
    let old = found(&before);
    let other = Setup::new(control(60_000));
    let mut keeper = Keeper::open(&memory);
    keeper.keep_settings(&other);
    let settings = words(&memory);
    keeper.keep_game(&Clock::new(&other, RATE), at(77));
    let after = words(&memory);
    assert_eq!(found(&settings), Found::Settings(other));
    assert!(matches!(found(&after), Found::Everything(installed, _) if installed == other));
    for (from, to, first) in [(&before, &settings, old), (&settings, &after, Found::Settings(other))] {
        for count in 0..=WORDS {
            let torn: Vec<u32> = to[..count].iter().chain(&from[count..]).copied().collect();
            let found = found(&torn);
            assert!(found == first || found == self::found(to), "after {count} words: {found:?}");
        }
    }
}

#[test]
fn memory_without_power_holds_nothing() {
    assert_eq!(found(&[0; WORDS]), Found::Nothing);
    assert_eq!(found(&[u32::MAX; WORDS]), Found::Nothing);
    let mut noise = 1_u32;
    for _ in 0..200 {
        let garbage: Vec<u32> = (0..WORDS)
            .map(|index| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Even with the right heads in their places.
                let is_head = [0, SETTINGS_WORDS, 2 * SETTINGS_WORDS, 2 * SETTINGS_WORDS + GAME_WORDS].contains(&index);
                if is_head { MAGIC } else { noise }
            })
            .collect();
        assert_eq!(found(&garbage), Found::Nothing);
    }
}

#[test]
fn one_wrong_bit_anywhere_is_noticed() {
    let (memory, _) = kept(3);
    let good = words(&memory);
    let whole = found(&good);
    let mut lost = 0;
    for index in 0..WORDS {
        for bit in 0..32 {
            let mut bad = good.clone();
            bad[index] ^= 1 << bit;
            match found(&bad) {
                found if found == whole => assert_eq!(good[index], 0, "bit {bit} of word {index} goes through"),
                Found::Everything(..) => panic!("bit {bit} of word {index} makes another game"),
                _ => lost += 1,
            }
        }
    }
    assert_eq!(lost, 32 * (SETTINGS_WORDS + GAME_WORDS), "one slot of each kind was written");
}

#[test]
fn the_later_slot_counts_whatever_the_numbers_wrap_to() {
    let memory = Memory::empty();
    let mut keeper = Keeper::open(&memory);
    keeper.keep_settings(&setup());
    keeper.next_game = u32::MAX - 1;
    for moves in 1..=4 {
        let (clock, at) = game(moves);
        keeper.keep_game(&clock, at);
        let standing = Standing { at, state: *clock.state(), is_swapped: false };
        assert_eq!(found_in(&memory), Found::Everything(setup(), standing), "after {moves} moves");
        assert_eq!(Keeper::open(&memory).next_game, keeper.next_game);
    }
}

#[test]
fn swapped_colours_are_kept_with_the_game_and_not_with_the_settings() {
    let (memory, mut clock) = kept(2);
    let mut keeper = Keeper::open(&memory);
    let swap = |clock: &mut Clock, keeper: &mut Keeper<'_>, input| {
        clock.step(at(21_000_000), input);
        keeper.keep_sides(clock.setup());
        keeper.keep_game(clock, at(21_000_000));
    };
    swap(&mut clock, &mut keeper, Input::Swap);
    let turned = Setup { control: BySide::new(control(3_600_000), control(7_200_000)), ..setup() };
    assert_eq!(*clock.setup(), turned);
    let standing = Standing { at: at(21_000_000), state: *clock.state(), is_swapped: true };
    assert_eq!(found_in(&memory), Found::Everything(setup(), standing));
    let mut resumed = Clock::new(&setup(), RATE);
    standing.resume(&mut resumed);
    assert_eq!(*resumed.setup(), turned);
    let mut later = Keeper::open(&memory);
    assert!(later.standing().is_some());
    later.keep_game(&clock, at(22_000_000));
    assert!(matches!(found_in(&memory), Found::Everything(_, kept) if kept.is_swapped), "after a reset too");
    swap(&mut clock, &mut later, Input::Undo);
    assert!(matches!(found_in(&memory), Found::Everything(_, kept) if !kept.is_swapped));
}
