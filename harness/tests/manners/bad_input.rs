//! Input that no file of the language can show: what is wrong with a path, a size or an encoding. Each has its message in
//! `bad-input.txt`, and none takes a second or much memory.
//!
//! `FLAGFALL_BLESS=1 cargo test -p flagfall --test manners bad_input` writes the messages anew; look at the difference.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::program::{RIGHT, program, repository};

/// A name, and what makes the input in a folder `cases` that is there already.
type Input = (&'static str, fn(&Path));

/// Board files, beside which everything is right.
const BOARDS: [Input; 5] = [
    ("empty board file", |cases| board(cases, |_| String::new())),
    ("alias in a board file", |cases| {
        board(cases, |text| text.replace("tick_hz: 1000000", "tick_hz: &a 1000000").replace("hz: 1000000}", "hz: *a}"))
    }),
    ("two boards in a file", |cases| board(cases, |text| format!("{text}---\n{text}"))),
    ("oscillator without a limit", |cases| {
        board(cases, |text| text.replace("limit_ppb: 0", "limit_ppb: 18446744073709551615"));
    }),
    ("notice after an hour", |cases| {
        board(cases, |text| text.replace("notice_max_us: 20", "notice_max_us: 3600000000"))
    }),
];

/// Boards on which time cannot be jumped.
const UNJUMPED: [Input; 5] = [
    ("jumped time where the firmware counts in memory", |cases| shipped(cases, "virtual-l475", |text| text)),
    ("jumped time without a contract", |cases| shipped(cases, "virtual-foreign", |text| text)),
    ("jumped time and a counter that cannot be written", |cases| {
        board(cases, |text| text.replace("jump: {counter: 0x40000024}", "jump: {not_possible: it is read-only}"));
    }),
    ("jumped time by another counter", |cases| {
        board(cases, |text| text.replace("jump: {counter: 0x40000024}", "jump: {counter: 0x40000C24}"));
    }),
    ("jumped time by the host's clock", |cases| {
        shipped(cases, "virtual-live", |text| {
            let (before, rest) = text.split_once("\ntrue_time:").expect("it has one");
            let (_, after) = rest.split_once("\nfaults:").expect("it has some");
            format!("{before}\ntrue_time: none\nfaults:{after}")
        });
    }),
];

/// The emulated board of the repository, changed.
fn board(cases: &Path, change: impl Fn(String) -> String) {
    shipped(cases, "virtual-f405", change);
}

/// A board file of the repository, changed.
fn shipped(cases: &Path, name: &str, change: impl Fn(String) -> String) {
    let file = repository().join("boards").join(name).with_extension("yaml");
    let text = fs::read_to_string(file).expect("a board file");
    fs::write(cases.with_file_name("board.yaml"), change(text)).expect("a file");
    write(cases, "a.yaml", RIGHT);
}

const INPUTS: [Input; 16] = [
    ("malformed YAML", |cases| write(cases, "a.yaml", "scenario: [a, b\npoints: }\n")),
    ("unknown key", |cases| write(cases, "a.yaml", &RIGHT.replace("points:", "pionts:"))),
    ("missing unit", |cases| write(cases, "a.yaml", &RIGHT.replace("5m", "5"))),
    ("overflow", |cases| write(cases, "a.yaml", &RIGHT.replace("+7s", "+99999999999h"))),
    ("negative span", |cases| write(cases, "a.yaml", &RIGHT.replace("control: 5m", "control: -5m"))),
    ("time going back", |cases| write(cases, "a.yaml", &RIGHT.replace("+7s", "-7s"))),
    ("one key twice", |cases| write(cases, "a.yaml", &format!("{RIGHT}control: 5m\n"))),
    ("one id twice", |cases| {
        write(cases, "one/family/a.yaml", RIGHT);
        write(cases, "two/family/a.yaml", RIGHT);
    }),
    ("illegal move", |cases| write(cases, "a.yaml", &RIGHT.replace("san: e4", "san: e5"))),
    ("alias bomb", |cases| write(cases, "a.yaml", &bomb())),
    ("20 MB", |cases| write(cases, "a.yaml", &format!("scenario: {}\n", "x".repeat(20_000_000)))),
    ("deep nesting", |cases| write(cases, "a.yaml", &format!("scenario: {}", "[".repeat(1_000_000)))),
    ("not UTF-8", |cases| fs::write(cases.join("a.yaml"), b"scenario: caf\xe9\n").expect("a file")),
    ("empty folder", |_| {}),
    ("unreadable file", |cases| symlink("/proc/self/mem", cases.join("a.yaml")).expect("a link")),
    ("symlink loop", |cases| {
        symlink("b.yaml", cases.join("a.yaml")).expect("a link");
        symlink("a.yaml", cases.join("b.yaml")).expect("a link");
        symlink("..", cases.join("up")).expect("a link");
    }),
];

fn write(cases: &Path, name: &str, text: &str) {
    let file = cases.join(name);
    fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
    fs::write(file, text).expect("a file");
}

/// A thousand million words in a few lines, for a reader that follows aliases.
fn bomb() -> String {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let of = format!("*a{}", level - 1);
        text += &format!("a{level}: &a{level} [{}]\n", [of.as_str(); 10].join(", "));
    }
    text
}

/// What a look at a process says: its peak memory in KiB and the processor time it has used, in hundredths of a second.
fn look(process: u32) -> Option<(u64, u64)> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()?;
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some((peak, ticks(11)? + ticks(12)?))
}

/// What the program says of the input, and the most that it took while it did.
fn said_of(input: Input, arguments: &[&str]) -> (String, u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = folder.path().join("cases");
    fs::create_dir(&cases).expect("a folder");
    input.1(&cases);
    let said = folder.path().join("said");
    let mut child = Command::new(program())
        .current_dir(folder.path())
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(fs::File::create(&said).expect("a file"))
        .spawn()
        .expect("it starts");
    let (mut peak, mut used) = (0, 0);
    let exit = loop {
        let (now, ticks) = look(child.id()).unwrap_or_default();
        (peak, used) = (peak.max(now), used.max(ticks));
        if let Some(exit) = child.try_wait().expect("it can be waited for") {
            break exit;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    assert_eq!(exit.code(), Some(2), "{}", input.0);
    (fs::read_to_string(said).expect("text"), peak, used)
}

#[test]
fn each_has_its_stored_message_and_costs_little() {
    let mut found = String::new();
    let run: &[&str] = &["run", "--board", "board.yaml", "cases"];
    let check: &[&str] = &["check", "cases"];
    let jump: &[&str] = &["run", "--board", "board.yaml", "--jump", "cases"];
    let boards = BOARDS.map(|input| (input, run)).into_iter().chain(UNJUMPED.map(|input| (input, jump)));
    let all = INPUTS.map(|input| (input, check)).into_iter().chain(boards);
    for (input, arguments) in all {
        let (said, peak, used) = said_of(input, arguments);
        assert!(peak < 60_000, "{}: {peak} KiB", input.0);
        assert!(used < 100, "{}: {used} hundredths of a second", input.0);
        found += &format!("== {}\n{said}", input.0);
    }
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manners/bad-input.txt");
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::write(&stored, &found).expect("the folder can be written");
    }
    assert_eq!(found, fs::read_to_string(&stored).unwrap_or_default());
}
