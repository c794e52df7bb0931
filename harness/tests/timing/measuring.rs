//! What `measure` finds, and how it ends.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flagfall::rig::board::Description;
use serde_json::Value;

use crate::program::{BOARD, command, ensure, flagfall, path, said};

/// What feeds the prescaler of the emulated board's time base (virtual-f405.yaml).
const TIMER_CLOCK_HZ: f64 = 1e9;

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The certain interval in parts per million.
fn interval(found: &Value) -> Result<(f64, f64), String> {
    let end = |name: &str| found["rate"][name].as_f64();
    end("from_ppm").zip(end("to_ppm")).ok_or_else(|| format!("no interval in {found}"))
}

/// Whether the interval is narrow and holds this rate.
fn holds(found: &Value, ppm: f64) -> Result<(), String> {
    let (from, to) = interval(found)?;
    ensure(from <= ppm && ppm <= to, || format!("{ppm} is outside {from} to {to}"))?;
    // A microsecond of either counter in a minute.
    ensure(to - from <= 2.0 * (2.0 / 60.0) + 1e-3, || format!("{from} to {to} is no interval of a minute"))
}

pub(crate) fn a_right_prescaler() -> Result<(), String> {
    let found = flagfall(&["measure", "--board", BOARD, "--json"])?.ending(0)?.json()?;
    ensure(found["physical_time"] == Value::Bool(false), || format!("{found}"))?;
    ensure(found["fault"].is_null() && found["fit"].is_null() && found["limit"].is_null(), || format!("{found}"))?;
    holds(&found, 0.0)?;
    let told = flagfall(&["measure", "--board", BOARD, "--for", "1s"])?.ending(0)?;
    ensure(told.out.contains("no physical time base"), || told.out.clone())?;
    ensure(told.err.is_empty(), || format!("nothing is shown on no terminal: {}", told.err))
}

pub(crate) fn a_count_off() -> Result<(), String> {
    let tick_hz = f64::from(Description::read(Path::new(BOARD)).map_err(text)?.tick_rate.hz());
    for counts in [1_i32, -1, 7] {
        let fault = format!("prescaler:{counts:+}");
        let found = flagfall(&["measure", "--board", BOARD, "--fault", &fault, "--json"])?.ending(0)?.json()?;
        let count = TIMER_CLOCK_HZ / tick_hz + f64::from(counts);
        let truth_ppm = (TIMER_CLOCK_HZ / count / tick_hz - 1.0) * 1e6;
        holds(&found, truth_ppm).map_err(|error| format!("{fault}: {error}"))?;
        let named = found["fault"]["rate_ppb"].as_f64().unwrap_or_default() / 1e3;
        ensure((named - truth_ppm).abs() <= 0.0005, || format!("{fault}: {named} is not {truth_ppm}"))?;
        ensure(found["fault"]["inside"] == Value::Bool(true), || format!("{fault}: {found}"))?;
    }
    Ok(())
}

pub(crate) fn limits() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let club = folder.path().join("club.yaml");
    fs::write(&club, "{mask: club, step: 1ms, rate: 1000ppm}\n").map_err(text)?;
    let club = path(&club)?;
    for (more, verdict, exit) in [
        (&["--limit", "crystal"][..], "pass", 0),
        (&["--limit", "lenient", "--fault", "prescaler:-1"], "fail", 1),
        // 999.001 ppm are within a thousand, 1001.001 are beyond.
        (&["--limit", club, "--fault", "prescaler:+1"], "pass", 0),
        (&["--limit", club, "--fault", "prescaler:-1", "--for", "10m"], "fail", 1),
        (&["--limit", "strict", "--for", "2ms"], "inconclusive", 4),
    ] {
        let arguments: Vec<&str> = ["measure", "--board", BOARD, "--json"].iter().chain(more).copied().collect();
        let found = flagfall(&arguments)?.ending(exit).map_err(|error| format!("{more:?}: {error}"))?.json()?;
        ensure(found["limit"]["verdict"] == verdict, || format!("{more:?}: {found}"))?;
        // It is over when it is decided, and not before.
        let (from, to) = interval(&found)?;
        let limit = found["limit"]["rate_ppm"].as_f64().ok_or("a limit has a rate")?;
        let decided = (from >= -limit && to <= limit) || from > limit || to < -limit;
        ensure(decided == (exit != 4), || format!("{more:?}: {from} to {to} against {limit}"))?;
    }
    // Whoever learns nothing of the rate has measured nothing.
    let found = flagfall(&["measure", "--board", BOARD, "--json", "--for", "0s"])?.ending(4)?.json()?;
    ensure(found["rate"].is_null(), || format!("{found}"))
}

pub(crate) fn interrupted() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let out = folder.path().join("out");
    let arguments = ["measure", "--board", BOARD, "--for", "1000000h", "--json", "--out", path(&out)?];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(text)?;
    // It has begun when it has a folder of its own beside the place; a moment later it has readings.
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_dir(folder.path()).map_err(text)?.next().is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_secs(3));
    let status = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().map_err(text)?;
    ensure(status.success(), || "it ended before it was asked to".to_owned())?;
    let said = said(child.wait_with_output().map_err(text)?)?.ending(3)?;
    ensure(said.err.contains("what was measured is kept"), || said.err.clone())?;
    let found: Value =
        serde_json::from_str(&fs::read_to_string(out.join("measure.json")).map_err(text)?).map_err(text)?;
    ensure(found["interrupted"] == Value::Bool(true) && found["reads"].as_u64() > Some(1), || format!("{found}"))?;
    let (from, to) = interval(&found)?;
    ensure(from <= 0.0 && 0.0 <= to, || format!("{found}"))?;
    let reads = fs::read_to_string(out.join("reads.csv")).map_err(text)?.lines().count() as u64;
    ensure(Some(reads - 1) == found["reads"].as_u64(), || format!("{reads} lines: {found}"))?;
    let left: Vec<_> = fs::read_dir(folder.path()).map_err(text)?.flatten().map(|entry| entry.file_name()).collect();
    ensure(left == ["out"], || format!("litter: {left:?}"))
}

pub(crate) fn folders() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let out = folder.path().join("out");
    let measure = || flagfall(&["measure", "--board", BOARD, "--for", "1s", "--out", path(&out)?]);
    measure()?.ending(0)?;
    let told = measure()?.ending(0)?;
    ensure(told.out.ends_with("round-trips.svg\n"), || told.out.clone())?;
    let plot = fs::read_to_string(out.join("round-trips.svg")).map_err(text)?;
    ensure(plot.contains("round trip") && plot.contains("xmlns"), || plot.clone())?;
    fs::write(out.join("thesis.tex"), "").map_err(text)?;
    let refused = measure()?.ending(2)?;
    ensure(refused.err.contains("thesis.tex is not among what flagfall put there"), || refused.err.clone())?;
    ensure(out.join("measure.json").is_file(), || "it is still there".to_owned())
}

pub(crate) fn a_board_that_says_too_little() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let without = |keys: &[&str]| -> Result<String, String> {
        let board = fs::read_to_string(BOARD).map_err(text)?;
        let mut value: serde_yaml::Value = serde_yaml::from_str(&board).map_err(text)?;
        let map = value.as_mapping_mut().ok_or("a board is a map")?;
        for key in keys {
            map.remove(*key);
            if *key == "true_time" {
                map.insert((*key).into(), "none".into());
            }
        }
        let file = folder.path().join("board.yaml");
        fs::write(&file, serde_yaml::to_string(&value).map_err(text)?).map_err(text)?;
        path(&file).map(str::to_owned)
    };
    let file = without(&["device_counter", "true_time"])?;
    let refused = flagfall(&["measure", "--board", &file])?.ending(2)?;
    ensure(refused.err.contains("no `device_counter`"), || refused.err.clone())?;
    let file = without(&["true_time"])?;
    let refused = flagfall(&["measure", "--board", &file])?.ending(2)?;
    ensure(refused.err.contains("nothing to be compared with"), || refused.err.clone())?;
    let file = without(&["faults"])?;
    let refused = flagfall(&["measure", "--board", &file, "--fault", "prescaler:+1"])?.ending(2)?;
    ensure(refused.err.contains("no prescaler can be changed"), || refused.err.clone())
}

pub(crate) fn wrong_usage() -> Result<(), String> {
    for (more, why) in [
        (["--fault", "prescaler:0"], "prescaler:+N or prescaler:-N"),
        (["--limit", "no-such"], "none of strict, crystal, lenient"),
        (["--host-off", "5"], "no rate"),
        (["--for", "60"], "a time with its unit"),
    ] {
        let arguments: Vec<&str> = ["measure", "--board", BOARD].into_iter().chain(more).collect();
        let refused = flagfall(&arguments)?.ending(2)?;
        ensure(refused.err.contains(why), || format!("{more:?}: {}", refused.err))?;
    }
    let refused = flagfall(&["measure", "--board", BOARD, "--fault", "prescaler:+1000000"])?.ending(2)?;
    ensure(refused.err.contains("nothing near the rate is left"), || refused.err.clone())
}
