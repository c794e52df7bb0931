//! What is done by hand: `flagfall attach` as somebody at a terminal has it, who plays a game by keys, saves it and replays
//! it; what a terminal shows of `flagfall flash`; and `flagfall boards check` on a board with something wrong.
//!
//! Trials on the emulated board are ignored without QEMU or the firmware, with the reason as their kind.

#[path = "by_hand/health.rs"]
mod health;
#[path = "by_hand/pty.rs"]
mod pty;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use flagfall::attach::Screen;
use flagfall::rig::board::{Board, Description};
use libtest_mimic::{Arguments, Failed, Trial};
use tempfile::TempDir;

use pty::Terminal;

/// The argument with which this program is started anew to see what a panic leaves of a terminal.
const PANIC: &str = "panic-with-a-screen";

type Run = fn() -> Result<(), String>;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(PANIC) {
        let _screen = Screen::open(true).expect("a terminal");
        panic!("on purpose");
    }
    let arguments = Arguments::from_args();
    let trial = |name: &str, run: Run| Trial::test(name, move || run().map_err(Failed::from));
    let mut trials = vec![
        trial("attach::a_game_on_the_simulator_is_saved_and_replayed", a_game_on_the_simulator),
        trial("attach::a_file_that_is_there_is_asked_about", a_file_that_is_there),
        trial("attach::what_is_not_saved_is_asked_about", what_is_not_saved),
        trial("attach::a_narrow_terminal_and_control_c", a_narrow_terminal),
        trial("attach::a_panic_gives_the_terminal_back", a_panic),
        trial("attach::no_terminal_is_told", no_terminal),
    ];
    let board = Description::read(&board_file()).expect("the board file is right");
    let lacking = Board::lacking(&board);
    for (name, run) in [
        ("virtual_board::attach::a_game_is_saved_and_replayed_on_the_simulator", a_game_on_the_board as Run),
        ("virtual_board::attach::a_board_that_fails_leaves_what_was_done", a_board_that_fails),
        ("virtual_board::flash::a_bar_says_how_far_it_is", a_bar_says_how_far_it_is),
    ] {
        trials.push(match &lacking {
            Some(reason) => trial(name, run).with_kind(reason.as_str()).with_ignored_flag(true),
            None => trial(name, run),
        });
    }
    for trial in checks(&board) {
        trials.push(match &lacking {
            Some(reason) => trial.with_kind(reason.as_str()).with_ignored_flag(true),
            None => trial,
        });
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Trials of `boards check`.
fn checks(board: &Description) -> Vec<Trial> {
    let named = |name: &str| format!("virtual_board::boards_check::{name}");
    let right = board.clone();
    let mut trials =
        vec![Trial::test(named("nothing_wrong_is_fit"), move || health::nothing_wrong(&right).map_err(Failed::from))];
    for ill in health::ILL {
        let board = board.clone();
        let run = move || health::one_thing_wrong(board, ill).map_err(Failed::from);
        trials.push(Trial::test(named(ill.0), run));
    }
    trials
}

/// The bar is gone at the end, and was there before.
fn a_bar_says_how_far_it_is() -> Result<(), String> {
    let (board, folder) = (board_file().display().to_string(), folder());
    let terminal = Terminal::start(program(), &["flash", "--board", &board], folder.path(), (100, 24));
    let screen = terminal.see("is in flash, read back and running")?;
    if screen.contains('%') {
        return Err(format!("the bar is left:\n{screen}"));
    }
    let sent = terminal.sent();
    for words in ["virtual-f405: comparing [", " %, ", " bytes"] {
        if !sent.contains(words) {
            return Err(format!("{words:?} was never shown: {sent:?}"));
        }
    }
    Ok(())
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_flagfall"))
}

fn board_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/virtual-f405.yaml")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn attached(arguments: &[&str], folder: &Path, size: (u16, u16)) -> Terminal {
    let all: Vec<&str> = ["attach"].iter().chain(arguments).copied().collect();
    Terminal::start(program(), &all, folder, size)
}

/// Runs the program without a terminal; it must end with this exit code, and what it said is handed back.
fn flagfall(folder: &Path, arguments: &[&str], code: i32) -> Result<String, String> {
    let output = Command::new(program())
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(code) { Ok(said) } else { Err(format!("{arguments:?}: {}\n{said}", output.status)) }
}

fn ends_with(terminal: &mut Terminal, code: i32) -> Result<(), String> {
    let status = terminal.end()?;
    if status.code() == Some(code) { Ok(()) } else { Err(format!("{status}:\n{}", terminal.sent())) }
}

fn holds(what: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if what { Ok(()) } else { Err(otherwise()) }
}

/// A short game: both sides press, the arbiter stops the clock, corrects Black's time, and lets it go on.
fn play(terminal: &mut Terminal) -> Result<(), String> {
    let think = || std::thread::sleep(Duration::from_millis(400));
    terminal.see("ready")?;
    terminal.keys(" ");
    terminal.see("nobody's time runs: p starts it")?;
    terminal.keys("p");
    terminal.see("White runs")?;
    think();
    terminal.keys(" ");
    terminal.see("Black runs")?;
    think();
    terminal.keys("b");
    terminal.see("White presses -> White +3 s; Black runs")?;
    terminal.see("Black presses -> Black +3 s; White runs")?;
    terminal.keys("p");
    terminal.see("paused on White")?;
    terminal.keys("c\t4:30\r");
    terminal.see("Arbiter sets Black's time to 4:30")?;
    terminal.keys("p");
    terminal.see("White runs")?;
    think();
    terminal.keys("w");
    terminal.see("Black runs")?;
    think();
    Ok(())
}

/// The file holds the game, the language accepts it, and the simulator shows the same faces.
fn replays(folder: &Path, file: &str) -> Result<(), String> {
    let text = fs::read_to_string(folder.join(file)).map_err(|error| format!("{file}: {error}"))?;
    for part in
        ["{at: 0s, start: white}", "press: white}", "press: black}", "pause: {by: arbiter", "{black: 4m30s}", "resume"]
    {
        holds(text.contains(part), || format!("no {part} in\n{text}"))?;
    }
    holds(text.contains("running: black") && text.contains("moves: {white: 2, black: 1}"), || text.clone())?;
    let said = flagfall(folder, &["check", file], 0)?;
    holds(said.contains("1 scenario is right, 0 are not"), || said)?;
    let said = flagfall(folder, &["run", file], 0)?;
    holds(said.contains("1 passed, 0 failed"), || said)
}

fn a_game_on_the_simulator() -> Result<(), String> {
    let folder = folder();
    let mut terminal = attached(&["--sim"], folder.path(), (80, 24));
    play(&mut terminal)?;
    terminal.keys("sgames/first\r");
    terminal.see("saved games/first.yaml: 7 steps, and the simulator does the same")?;
    terminal.keys("q");
    ends_with(&mut terminal, 0)?;
    holds(terminal.sent().contains("replay it with `flagfall run games/first.yaml`"), || terminal.sent())?;
    replays(folder.path(), "games/first.yaml")
}

fn a_game_on_the_board() -> Result<(), String> {
    let folder = folder();
    let board = board_file().display().to_string();
    let mut terminal = attached(&["--board", &board], folder.path(), (100, 30));
    play(&mut terminal)?;
    let screen = terminal.see("clock, s")?;
    holds(screen.contains("virtual-f405, 5m+3s"), || screen.clone())?;
    terminal.keys("sgames/on-board\r");
    terminal.see("saved games/on-board.yaml: 7 steps, and the simulator does the same")?;
    terminal.keys("q");
    ends_with(&mut terminal, 0)?;
    replays(folder.path(), "games/on-board.yaml")
}

fn a_file_that_is_there() -> Result<(), String> {
    let folder = folder();
    fs::write(folder.path().join("there.yaml"), "mine\n").map_err(|error| error.to_string())?;
    let there = || fs::read_to_string(folder.path().join("there.yaml")).map_err(|error| error.to_string());
    let mut terminal = attached(&["--sim", "--control", "1m"], folder.path(), (80, 24));
    terminal.see("ready")?;
    terminal.keys("s\r");
    terminal.see("not saved: nothing was done yet")?;
    terminal.keys("p");
    terminal.see("White runs")?;
    terminal.keys("sthere\r");
    terminal.see("there.yaml is there already: replace it? y/n")?;
    terminal.keys("n");
    terminal.see("not saved")?;
    holds(there()? == "mine\n", || "it was replaced without a yes".into())?;
    terminal.keys("s\r");
    terminal.see("replace it? y/n")?;
    terminal.keys("y");
    terminal.see("saved there.yaml: 1 step")?;
    terminal.keys("q");
    ends_with(&mut terminal, 0)?;
    holds(there()?.contains("control: \"1m\""), || "it was not replaced".into())
}

fn what_is_not_saved() -> Result<(), String> {
    let folder = folder();
    let mut terminal = attached(&["--sim", "--control", "1m"], folder.path(), (80, 24));
    terminal.see("ready")?;
    terminal.keys("pq");
    terminal.see("leave all the same? y/n")?;
    terminal.keys("n");
    terminal.see("space press")?;
    terminal.keys("qy");
    ends_with(&mut terminal, 0)?;
    holds(terminal.sent().contains("1 step, none saved"), || terminal.sent())
}

fn a_narrow_terminal() -> Result<(), String> {
    let folder = folder();
    let mut terminal = attached(&["--sim", "--control", "40/2h,1h"], folder.path(), (36, 12));
    terminal.see("White      2:00:00  moves 0")?;
    let screen = terminal.see("q quit")?;
    holds(!screen.contains('█'), || screen.clone())?;
    terminal.keys("psa name\u{3}");
    ends_with(&mut terminal, 0)?;
    holds(!folder.path().join("a name.yaml").exists(), || "Ctrl-C saved something".into())
}

fn a_panic() -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut terminal = Terminal::start(&this, &[PANIC], folder().path(), (80, 24));
    ends_with(&mut terminal, 101)?;
    // The message comes after the terminal, where it can be read.
    let sent = terminal.sent();
    let (given_back, said) = (sent.find("\u{1b}[?1049l"), sent.find("on purpose"));
    holds(given_back.is_some() && given_back < said, || sent.clone())
}

fn no_terminal() -> Result<(), String> {
    let folder = folder();
    let said = flagfall(folder.path(), &["attach", "--sim"], 2)?;
    holds(said.contains("attach needs a terminal, and standard input is none"), || said)?;
    flagfall(folder.path(), &["attach"], 2)?;
    let said = flagfall(folder.path(), &["attach", "--sim", "--control", "40/2h"], 2)?;
    holds(said.contains("--control"), || said)
}

/// The processes that this one started.
fn children(process: u32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let texts = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts.flat_map(|text| text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

/// Everything below a process that has this name.
fn named_below(process: u32, name: &str) -> Vec<i32> {
    let mut found = Vec::new();
    let mut open = children(process);
    while let Some(child) = open.pop() {
        let is = fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
        if name.starts_with(is.trim_end()) {
            found.push(child);
        }
        open.extend(children(child.unsigned_abs()));
    }
    found
}

fn a_board_that_fails() -> Result<(), String> {
    let folder = folder();
    let board = board_file().display().to_string();
    let mut terminal = attached(&["--board", &board], folder.path(), (100, 30));
    play(&mut terminal)?;
    let emulators = named_below(terminal.process(), "qemu-system-arm");
    let [emulator] = emulators[..] else { return Err(format!("not one emulator: {emulators:?}")) };
    let killed = Command::new("kill").args(["-KILL", &emulator.to_string()]).status();
    holds(killed.is_ok_and(|status| status.success()), || "it cannot be killed".into())?;
    terminal.see("s saves what was done until then, q leaves")?;
    terminal.keys("p");
    terminal.see("the clock does not go on")?;
    terminal.keys("sgames/until-then\r");
    terminal.see("saved games/until-then.yaml: 7 steps")?;
    terminal.keys("q");
    ends_with(&mut terminal, 3)?;
    flagfall(folder.path(), &["check", "games/until-then.yaml"], 0).map(drop)
}
