//! The contract block and the stops, as `flagfall_core::contract` lays them out.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use flagfall_core::DeviceTime;
use flagfall_core::command;
use flagfall_core::contract::{self, Capabilities, Stack};
use flagfall_core::record::{self, Kind};

use crate::board::timebase::RATE;
use crate::board::{ClockTree, Disarmed};

/// The block in memory. Words that a bench or an interrupt changes are atomic; 64-bit ones are two words, low first.
#[repr(C, align(8))]
struct Block {
    magic: [u8; 8],
    version: u32,
    len: u32,
    build_id: [u32; 2],
    tick_rate: u32,
    capabilities: u32,
    record_len: u32,
    command_len: u32,
    timer_hz: AtomicU32,
    alarm_hz: AtomicU32,
    stop_at: [AtomicU32; 2],
    stop_on: [AtomicU32; 2],
    dropped_records: AtomicU32,
    dropped_edges: AtomicU32,
    dropped_frames: AtomicU32,
    stack_len: AtomicU32,
    stack_lowest: [AtomicU32; 2],
}

const _: () = {
    assert!(size_of::<Block>() == contract::LEN);
    assert!(offset_of!(Block, build_id) == 16);
    assert!(offset_of!(Block, timer_hz) == 40);
    assert!(offset_of!(Block, stop_at) == contract::STOP_AT);
    assert!(offset_of!(Block, stop_on) == contract::STOP_ON);
    assert!(offset_of!(Block, dropped_records) == contract::DROPPED_RECORDS);
    assert!(offset_of!(Block, dropped_edges) == contract::DROPPED_EDGES);
    assert!(offset_of!(Block, dropped_frames) == contract::DROPPED_FRAMES);
    assert!(offset_of!(Block, stack_lowest) == 80);
};

const CAPABILITIES: Capabilities = Capabilities::STOP_AT
    .and(Capabilities::STOP_ON)
    .and(Capabilities::COMMANDS)
    .and(Capabilities::CRASH_RECORD)
    .and(Capabilities::STACK_GUARD)
    .and(Capabilities::PANEL)
    .and(Capabilities::KEPT)
    .and(Capabilities::WATCHDOG)
    .and(Capabilities::ARMED)
    .and(Capabilities::SHOWN);

/// The stop after the boot record gives a bench its first chance to write its wishes: start-up code sets this block.
const STOP_ON_AT_BOOT: u64 = Kind::BOOT.mask();

#[expect(unsafe_code, reason = "a bench finds the block by its symbol")]
// SAFETY: nothing else in the image has this name.
#[unsafe(no_mangle)]
static FLAGFALL: Block = Block {
    magic: contract::MAGIC,
    version: contract::VERSION,
    len: contract::LEN as u32,
    build_id: words(build_id()),
    tick_rate: RATE.hz(),
    capabilities: CAPABILITIES.0,
    record_len: record::LEN as u32,
    command_len: command::LEN as u32,
    timer_hz: AtomicU32::new(0),
    alarm_hz: AtomicU32::new(0),
    stop_at: atomic_words(contract::STOP_NEVER),
    stop_on: atomic_words(STOP_ON_AT_BOOT),
    dropped_records: AtomicU32::new(0),
    dropped_edges: AtomicU32::new(0),
    dropped_frames: AtomicU32::new(0),
    stack_len: AtomicU32::new(0),
    stack_lowest: atomic_words(0),
};

#[expect(unsafe_code, reason = "a bench finds the word by its symbol")]
// SAFETY: nothing else in the image has this name.
#[unsafe(no_mangle)]
static FLAGFALL_PHASE: AtomicU32 = AtomicU32::new(0);

const fn build_id() -> u64 {
    match u64::from_str_radix(env!("FLAGFALL_BUILD_ID"), 16) {
        Ok(id) => id,
        Err(_) => panic!("build.rs writes sixteen hexadecimal digits"),
    }
}

const fn words(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

const fn atomic_words(value: u64) -> [AtomicU32; 2] {
    let [low, high] = words(value);
    [AtomicU32::new(low), AtomicU32::new(high)]
}

fn load(words: &[AtomicU32; 2]) -> u64 {
    u64::from(words[0].load(Relaxed)) | u64::from(words[1].load(Relaxed)) << 32
}

/// Says on which clock tree this image finds itself, and which stack has been painted.
pub(crate) fn publish(tree: ClockTree, stack: Stack) {
    FLAGFALL.timer_hz.store(tree.timer_hz, Relaxed);
    FLAGFALL.alarm_hz.store(tree.alarm_hz, Relaxed);
    FLAGFALL.stack_len.store(stack.len, Relaxed);
    FLAGFALL.stack_lowest[0].store(stack.lowest as u32, Relaxed);
}

/// Counts a record that found no room.
pub(crate) fn count_dropped_record() {
    count(&FLAGFALL.dropped_records);
}

/// Counts a button edge that found no room.
pub(crate) fn count_dropped_edge() {
    count(&FLAGFALL.dropped_edges);
}

/// Counts a line of the panel that found no room.
pub(crate) fn count_dropped_frame() {
    count(&FLAGFALL.dropped_frames);
}

fn count(counter: &AtomicU32) {
    counter.store(counter.load(Relaxed).saturating_add(1), Relaxed);
}

/// When the bench wants the next stop.
pub(crate) fn stop_at() -> DeviceTime {
    DeviceTime::from_ticks(load(&FLAGFALL.stop_at))
}

/// Whether the bench wants a stop after a record of this kind.
pub(crate) fn stops_after(kind: Kind) -> bool {
    load(&FLAGFALL.stop_on) & kind.mask() != 0
}

/// How much of a tick the bench wants to pass before it acts, in 65 536ths.
pub(crate) fn phase() -> u16 {
    FLAGFALL_PHASE.load(Relaxed) as u16
}

/// Stops at the time that the bench asked for, once.
pub(crate) fn stop_for_time(disarmed: Disarmed) {
    let [low, high] = words(contract::STOP_NEVER);
    FLAGFALL.stop_at[0].store(low, Relaxed);
    FLAGFALL.stop_at[1].store(high, Relaxed);
    stop(disarmed);
}

/// Stops for a bench that has a breakpoint in [`hil_stop`] or watches the word that it writes; without one this has no
/// effect.
pub(crate) fn stop(_: Disarmed) {
    hil_stop();
}

#[allow(unsafe_code, reason = "a bench finds the place to stop by its symbol")]
// SAFETY: nothing else in the image has this name, and the instructions keep the calling convention: they change R0 alone,
// write to memory in which nothing lives (memory.x), and return.
#[unsafe(no_mangle)]
#[unsafe(naked)]
extern "C" fn hil_stop() {
    // Naked, so that a bench may go on behind it without stepping the core: the breakpoint stands on a `nop`, and the
    // core halts on one after the write, of which a chip takes notice some instructions later.
    core::arch::naked_asm!(
        "nop",
        "ldr r0, 1f",
        "str r0, [r0]",
        "nop",
        "nop",
        "nop",
        "nop",
        "bx lr",
        ".p2align 2",
        "1: .word hil_stopped",
    )
}
