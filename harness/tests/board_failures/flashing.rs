//! What is told of flashing, and that what is in flash already is left alone.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use flagfall::rig::board::{Board, Description, Doing, Flashing};
use libtest_mimic::Failed;
use serde_json::Value;

use crate::branches::other_image;
use crate::{Run, Wired};

pub(crate) const ALL: &[(&str, Run)] = &[
    ("what_is_in_flash_already_is_left", what_is_in_flash_already_is_left),
    ("another_image_is_erased_programmed_and_read_back", another_image_is_erased),
    ("flashing_is_told_in_lines", flashing_is_told_in_lines),
    ("flashing_is_told_as_json", flashing_is_told_as_json),
    ("a_run_tells_the_depth_of_the_stack", a_run_tells_the_depth_of_the_stack),
];

/// What opening a board tells of its flash, and whether it went well.
fn told(description: &Description) -> (Vec<Flashing>, Result<(), String>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let teller = told.clone();
    let tell = move |flashing| teller.lock().expect("nobody panics with it").push(flashing);
    let opened = Board::new(description.clone()).telling(tell).open().map_err(|error| error.to_string());
    let told = told.lock().expect("nobody panics with it").clone();
    (told, opened)
}

/// The last of each step, in the order in which they come.
fn steps(told: &[Flashing]) -> Vec<(Doing, u64)> {
    told.chunk_by(|one, next| one.doing == next.doing)
        .filter_map(|step| step.last().map(|last| (last.doing, last.percent())))
        .collect()
}

fn what_is_in_flash_already_is_left(board: Description) -> Result<(), Failed> {
    let wired = Wired::start(board)?;
    let (told, opened) = told(&wired.description);
    opened?;
    assert_eq!(steps(&told), [(Doing::Comparing, 100)], "nothing is erased: flash wears out");
    Ok(())
}

/// In the emulator what is programmed does not stick, so that it is not what is read back.
fn another_image_is_erased(board: Description) -> Result<(), Failed> {
    let (_folder, other) = other_image(&board)?;
    let wired = Wired::with(board, &other)?;
    let (told, opened) = told(&wired.description);
    assert!(opened.is_err_and(|error| error.contains("flash does not hold the image after programming")));
    let [(Doing::Comparing, _), (Doing::Erasing, 100), (Doing::Programming, 100), (Doing::Verifying, _)] =
        steps(&told)[..]
    else {
        return Err(format!("{told:?}").into());
    };
    Ok(())
}

fn flagfall(arguments: &[&str]) -> Result<Output, Failed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall")).args(arguments).current_dir(root).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(output)
}

fn flashing_is_told_in_lines(_: Description) -> Result<(), Failed> {
    let output = flagfall(&["flash", "--board", "boards/virtual-f405.yaml"])?;
    let (said, errors) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    assert!(said.starts_with("virtual-f405: ") && said.contains("\n  build id  "), "{said}");
    let [line] = errors.lines().collect::<Vec<_>>()[..] else { return Err(format!("not one line:\n{errors}").into()) };
    let bytes = line.strip_prefix("flagfall: virtual-f405: comparing ").and_then(|rest| rest.strip_suffix(" bytes"));
    assert!(bytes.is_some_and(|bytes| bytes.parse::<u64>().is_ok()), "{line}");
    Ok(())
}

fn flashing_is_told_as_json(_: Description) -> Result<(), Failed> {
    let output = flagfall(&["flash", "--json", "--board", "boards/virtual-f405.yaml"])?;
    assert_eq!(String::from_utf8(output.stderr)?, "");
    let lines = String::from_utf8(output.stdout)?;
    let lines = lines.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
    let (flashed, events) = lines.split_last().ok_or("nothing was printed")?;
    assert!(flashed["build_id"].is_string(), "{flashed}");
    let done: Vec<u64> = events.iter().filter_map(|event| event["flashing"]["done_bytes"].as_u64()).collect();
    assert!(done.len() == events.len() && done.len() > 2 && done.is_sorted(), "{events:?}");
    assert!(events.iter().all(|event| event["flashing"]["doing"] == "comparing"), "{events:?}");
    assert_eq!(events.last().map(|event| &event["flashing"]["of_bytes"]), Some(&Value::from(done[done.len() - 1])));
    Ok(())
}

/// A run on an image that is in flash already says nothing of it, and at its end how deep the stack was.
fn a_run_tells_the_depth_of_the_stack(_: Description) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out");
    let out = out.display().to_string();
    let arguments = ["run", "--board", "boards/virtual-f405.yaml", "--out", &out];
    let output =
        flagfall(&[&arguments[..], &["late-arrival/black-first-then-white", "move-completion/smallest"]].concat())?;
    assert_eq!(String::from_utf8(output.stderr)?, "");
    let read = |name: &str| -> Result<Value, Failed> {
        Ok(serde_json::from_slice(&std::fs::read(Path::new(&out).join(name))?)?)
    };
    let stack = &read("bench.json")?["stack"];
    let (used, of) = (stack["used_bytes"].as_u64().ok_or("not told")?, stack["of_bytes"].as_u64().ok_or("not told")?);
    assert!(256 < used && used < of, "{stack}");
    assert_eq!(&read("report.json")?["benches"][0]["stack"], stack);
    let words = format!("deepest stack {used} of {of} bytes");
    assert!(String::from_utf8(output.stdout)?.contains(&words), "{words}");
    assert!(std::fs::read_to_string(Path::new(&out).join("index.html"))?.contains(&words), "{words}");
    Ok(())
}
