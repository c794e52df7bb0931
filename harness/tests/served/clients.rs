//! Clients of the server, good ones and others.

use std::fs;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

use crate::process::{Client, Served, emulator, flagfall, folder, nothing_is_left, signal};
use crate::root;

const GREETING: &str = "+#!GA#";
const HELLO: &str = "&Kflagfall virtual board#";
/// Reads four bytes of flash.
const READ: &str = "!Am0000a20000400800000000000004#";

pub(crate) fn a_run_through_the_served_board_is_like_any_other() -> Result<(), Failed> {
    let (temporary, work) = (folder()?, tempfile::tempdir()?);
    let panel = temporary.path().join("panel").display().to_string();
    let served = Served::with(temporary.path(), &["--serial", &panel])?;
    let text = fs::read_to_string("boards/served-f405.yaml")?;
    let firmware = root().join("target/firmware/flagfall-f405.elf").canonicalize()?;
    let text = text
        .replace("1d50:6018:127.0.0.1:4242", &served.selector)
        .replace("{serial: /tmp/flagfall-panel}", &format!("{{serial: {panel}}}"))
        .replace("../target/firmware/flagfall-f405.elf", &firmware.display().to_string());
    assert!(text.contains(&format!("panel: {{serial: {panel}}}")), "its display is read from a serial port");
    assert!(text.contains(&served.selector), "the shipped file is for the port that is the default");
    let file = work.path().join("served.yaml");
    fs::write(&file, text)?;
    let out = work.path().join("out");
    let output = flagfall(work.path())
        .args(["run", "late-arrival/black-first-then-white", "defective-clock/displays-freeze", "--board"])
        .arg(&file)
        .arg("--out")
        .arg(&out)
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}{errors}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.contains(&format!("on {}", served.address)), "the last line names the rig: {last}");
    assert!(fs::read_to_string(out.join("results.jsonl"))?.contains("\"verdict\":\"pass\""));
    let bench = fs::read_to_string(out.join("bench.json"))?;
    assert!(bench.contains("\"dut_serial\":\"6c6c616667616c6600000405\""), "its chip has a number of its own: {bench}");
    let shown =
        fs::read_to_string(out.join("traces").join(&served.address).join("defective-clock/displays-freeze.json"))?;
    assert!(shown.contains("\"panel\":[{"), "a panel that stands still is seen on the wire: {shown}");
    let (status, said) = served.end("-INT")?;
    assert_eq!(status.code(), Some(0), "{said}");
    nothing_is_left(temporary.path())
}

pub(crate) fn the_next_client_is_let_in_when_the_first_leaves() -> Result<(), Failed> {
    let temporary = folder()?;
    let served = Served::start(temporary.path())?;
    let mut first = Client::connect(&served.address)?;
    assert_eq!(first.ask(GREETING)?, HELLO);
    let mut second = Client::connect(&served.address)?;
    second.send(GREETING)?;
    assert!(second.hears_nothing(Duration::from_millis(500))?, "the first is still served");
    let word = first.ask(READ)?;
    drop(first);
    assert_eq!(second.answer()?, HELLO);
    assert_eq!(second.ask(READ)?, word, "the board is as the first left it");
    Ok(())
}

pub(crate) fn whoever_waits_too_long_is_told() -> Result<(), Failed> {
    let temporary = folder()?;
    let served = Served::start(temporary.path())?;
    let mut first = Client::connect(&served.address)?;
    assert_eq!(first.ask(GREETING)?, HELLO);
    let begun = Instant::now();
    let mut second = Client::connect(&served.address)?;
    assert_eq!(second.ask(GREETING)?, "&E4#", "busy");
    assert_eq!(second.answer()?, "", "closed");
    assert!(begun.elapsed() >= Duration::from_secs(4), "it has waited for its turn");
    assert_eq!(first.ask("!HC#")?, "&K3#", "the first has noticed nothing");
    Ok(())
}

pub(crate) fn a_browser_is_sent_away_and_hurts_nobody() -> Result<(), Failed> {
    let temporary = folder()?;
    let served = Served::start(temporary.path())?;
    let mut browser = Client::connect(&served.address)?;
    assert_eq!(browser.ask("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")?, "", "closed without a word");
    let mut noise = Client::connect(&served.address)?;
    noise.send(&"!#!!#\u{0}!AMzz#!So20#".repeat(1000))?;
    assert_eq!(noise.answer()?, "&N0#");
    drop(noise);
    let mut client = Client::connect(&served.address)?;
    assert_eq!(client.ask(GREETING)?, HELLO);
    Ok(())
}

pub(crate) fn a_board_that_dies_is_on_again_for_the_next() -> Result<(), Failed> {
    let temporary = folder()?;
    let served = Served::start(temporary.path())?;
    let mut first = Client::connect(&served.address)?;
    assert_eq!(first.ask(GREETING)?, HELLO);
    let word = first.ask(READ)?;
    signal(emulator(temporary.path())?, "-KILL")?;
    assert_eq!(first.ask(READ)?, "&E3#", "a fault");
    assert_eq!(first.answer()?, "", "and the board is lost");
    let mut second = Client::connect(&served.address)?;
    assert_eq!(second.ask(GREETING)?, HELLO);
    assert_eq!(second.ask(READ)?, word);
    drop(second);
    let (status, said) = served.end("-TERM")?;
    assert_eq!(status.code(), Some(0), "{said}");
    for words in ["ended by signal 9", "has lost the board", "was started anew"] {
        assert!(said.contains(words), "{words:?} in: {said}");
    }
    nothing_is_left(temporary.path())
}

pub(crate) fn nobody_is_served_over_the_network() -> Result<(), Failed> {
    let temporary = folder()?;
    let output = flagfall(temporary.path()).args(["vboard", "serve", "--listen", "0.0.0.0:0"]).output()?;
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("0.0.0.0:0 is not loopback"), "{said}");
    nothing_is_left(temporary.path())
}
