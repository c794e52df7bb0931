//! Presses come anywhere in a tick of the clock, and what a latency is shows in their mean.

use std::fs;

use serde_json::Value;

use crate::program::{BOARD, ensure, flagfall, path};

/// A board whose ticks are longer than what its firmware makes of a press.
pub(crate) const L475: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../boards/virtual-l475.yaml");

/// Presses of the game.
const PRESSES: u64 = 320;

/// By how much two firmwares from the same sources may differ, in nanoseconds: interrupts and time bases are not the same.
const FIRMWARES_NS: f64 = 60_000.0;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// What the latencies of a game of quick moves are on this board.
fn latencies(board: &str, tick_hz: u32) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let (cases, out) = (folder.path().join("quick"), folder.path().join("out"));
    fs::create_dir(&cases).map_err(text)?;
    let game = format!(
        "scenario: a game of quick moves\npoints: [B1]\ntick_hz: {tick_hz}\ncontrol: 5m\ntimeline:\n  - {{at: 0s, start: white}}\n  \
         - {{at: +400ms, play: {{moves: \"Nf3 Nf6 Ng1 Ng8\", think: 400ms, times: {}}}}}\n",
        PRESSES / 4
    );
    fs::write(cases.join("game.yaml"), game).map_err(text)?;
    flagfall(&["run", "--board", board, "--out", path(&out)?, path(&cases)?])?.ending(0)?;
    let report = fs::read(out.join("report.json")).map_err(text)?;
    let report: Value = serde_json::from_slice(&report).map_err(text)?;
    let found = report["rigs"][0]["on_device"].clone();
    ensure(found["placed"] == PRESSES && found["tenths_of_a_tick"] == 10, || format!("{found}"))?;
    Ok(found)
}

/// The mean from press to switch and its half-width, in nanoseconds.
fn mean(found: &Value) -> Result<(f64, f64), String> {
    let switch = &found["press_to_switch"];
    let number = |name: &str| switch[name].as_f64();
    number("mean_ns").zip(number("mean_half_width_ns")).ok_or_else(|| format!("no mean in {found}"))
}

/// Ticks of a millisecond are longer than the latency. Every press is then dated in its own tick or in the next one, and the
/// other chip, which counts microseconds, says what their mean must be.
pub(crate) fn a_latency_within_a_tick_shows() -> Result<(), String> {
    let (coarse, fine) = (latencies(L475, 1_000)?, latencies(BOARD, 1_000_000)?);
    let longest = coarse["press_to_switch"]["max_ns"].as_f64();
    ensure(longest == Some(1e6), || format!("a tick at most: {coarse}"))?;
    let ((coarse, coarse_half), (fine, fine_half)) = (mean(&coarse)?, mean(&fine)?);
    println!(
        "{coarse} ± {coarse_half} ns by ticks of a millisecond, {fine} ± {fine_half} ns by ticks of a microsecond"
    );
    ensure(coarse_half < 100_000.0, || format!("± {coarse_half} ns resolve no tenth of a tick"))?;
    ensure((coarse - fine).abs() <= coarse_half + fine_half + FIRMWARES_NS, || format!("{coarse} ns and {fine} ns"))
}
