//! The program as a shell sees it: exit codes, what goes where, what stays on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flagfall_trace::{RunRecord, Verdict};
use tempfile::TempDir;

const RIGHT: &str = r#"
scenario: a press stops White and starts Black
points: [B1]
purpose: the smallest case
control: 5m
timeline: [{at: 0s, start: white}, {at: +7s, move: {side: white, san: e4, press: same-hand}}]
expect: [{left: {white: 4m53s}, running: black}]
"#;

fn flagfall(cwd: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flagfall")).current_dir(cwd).args(arguments).output().expect("it starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// A folder `cases/family/NAME.yaml` for each pair.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let family = folder.path().join("cases/family");
    fs::create_dir_all(&family).expect("a folder");
    for (name, text) in files {
        fs::write(family.join(format!("{name}.yaml")), text).expect("a file");
    }
    folder
}

fn records(folder: &Path) -> Vec<RunRecord> {
    let text = fs::read_to_string(folder.join("results.jsonl")).expect("results");
    text.lines().map(|line| serde_json::from_str(line).expect("a run record")).collect()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The hash in the last line.
fn set_hash(output: &Output) -> String {
    let text = stdout(output);
    let (_, hash) = text.trim_end().rsplit_once("trace set ").expect("a last line with the hash of the set");
    hash.to_owned()
}

#[test]
fn a_right_scenario_passes_and_leaves_whole_results() {
    let folder = folder(&[("right", RIGHT)]);
    let output = flagfall(folder.path(), &["run", "cases", "--junit", "junit.xml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("1 passed, 0 failed, 0 inconclusive, 0 infra, 0 not applicable on sim in "));
    let records = records(&folder.path().join("out"));
    assert_eq!((records.len(), records[0].verdict), (1, Verdict::Pass));
    let trace = records[0].trace_file.as_ref().expect("a trace");
    assert!(folder.path().join("out").join(trace).is_file());
    assert!(folder.path().join("out/index.html").is_file());
    assert!(fs::read_to_string(folder.path().join("junit.xml")).expect("JUnit").contains("family/right"));
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 3, "nothing but cases, junit.xml and out: {left:?}");
}

#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let folder = folder(&[("right", RIGHT)]);
    let mut ended = Command::new(env!("CARGO_BIN_EXE_flagfall")).arg("--version").spawn().expect("it starts");
    ended.wait().expect("it ends");
    let (of_the_dead, of_the_living) = (ended.id(), std::process::id());
    for process in [of_the_dead, of_the_living] {
        fs::create_dir(folder.path().join(format!("out.{process}.part"))).expect("a folder");
    }
    assert_eq!(code(&flagfall(folder.path(), &["run", "cases"])), 0);
    assert!(!folder.path().join(format!("out.{of_the_dead}.part")).exists());
    assert!(folder.path().join(format!("out.{of_the_living}.part")).exists(), "another run is at work there");
}

#[test]
fn a_wrong_expectation_fails_with_its_line() {
    let folder = folder(&[("wrong", &RIGHT.replace("4m53s", "4m54s"))]);
    let output = flagfall(folder.path(), &["run", "cases"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    assert!(text.contains("(line 7)") && text.contains("expected: 294.000000000 s"), "{text}");
    assert!(text.contains("0 passed, 1 failed"), "{text}");
}

#[test]
fn a_file_that_is_no_scenario_does_not_stop_the_others() {
    let broken = RIGHT.replace("start: white", "strat: white");
    let folder = folder(&[("broken", &broken), ("right", RIGHT)]);
    let output = flagfall(folder.path(), &["run", "cases"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("broken.yaml:6:"), "{}", stderr(&output));
    assert!(stderr(&output).contains("`start`"), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 passed, 0 failed"), "{}", stdout(&output));
    assert!(stdout(&output).contains("1 not readable"), "{}", stdout(&output));
    assert_eq!(code(&flagfall(folder.path(), &["check", "cases"])), 2);
}

#[test]
fn a_failure_comes_before_a_wrong_file() {
    let folder = folder(&[("broken", "scenario: 7"), ("wrong", &RIGHT.replace("4m53s", "1s"))]);
    assert_eq!(code(&flagfall(folder.path(), &["run", "cases"])), 1);
}

#[test]
fn there_is_no_place_for_an_act_that_cannot_happen() {
    let twice = RIGHT.replace("timeline: [", "timeline: [{at: 0s, start: white}, ");
    let folder = folder(&[("twice", &twice)]);
    let output = flagfall(folder.path(), &["check", "cases"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("twice.yaml:6:"), "{}", stderr(&output));
    assert!(stderr(&output).contains("started already"), "{}", stderr(&output));
}

#[test]
fn usage_paths_rulebooks_and_places_that_cannot_be_are_exit_2() {
    let folder = folder(&[("right", RIGHT)]);
    fs::write(folder.path().join("notes.txt"), "mine").expect("a file");
    for (arguments, word) in [
        (&["run", "--frobnicate"] as &[&str], "--frobnicate"),
        (&["run"], "scenarios/cases"),
        (&["run", "nowhere"], "nowhere"),
        (&["run", "cases", "--rulebook", "ua-1850"], "ua-1850"),
        (&["run", "cases", "--rulebook", "nowhere.yaml"], "nowhere.yaml"),
        (&["run", "cases", "--board", "nowhere.yaml"], "nowhere.yaml"),
        (&["run", "cases", "--out", "notes.txt"], "notes.txt"),
        (&["run", "cases", "--out", "cases"], "cases"),
        (&["show", "family/wrong", "--cases", "cases"], "family/wrong"),
    ] {
        let output = flagfall(folder.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(word), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).expect("the file"), "mine");
    assert!(folder.path().join("cases/family/right.yaml").is_file());
}

#[test]
fn json_has_standard_output_for_itself() {
    let folder = folder(&[("right", RIGHT)]);
    let output = flagfall(folder.path(), &["run", "cases", "--json"]);
    assert_eq!(code(&output), 0);
    let lines: Vec<RunRecord> = stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines, records(&folder.path().join("out")));
    assert!(stderr(&output).contains("1 passed"));
}

#[test]
fn colour_is_for_terminals() {
    let folder = folder(&[("right", RIGHT)]);
    let escape = |arguments: &[&str]| stdout(&flagfall(folder.path(), arguments)).contains('\x1b');
    assert!(!escape(&["run", "cases"]));
    assert!(escape(&["run", "cases", "--color", "always"]));
    assert!(!escape(&["run", "cases", "--color", "never"]));
}

#[test]
fn show_and_list_say_what_there_is() {
    let folder = folder(&[("right", RIGHT)]);
    let shown = flagfall(folder.path(), &["show", "family/right", "--cases", "cases"]);
    assert_eq!(code(&shown), 0, "{}", stderr(&shown));
    assert!(stdout(&shown).contains("White presses"), "{}", stdout(&shown));
    let listed = flagfall(folder.path(), &["list", "cases"]);
    assert!(stdout(&listed).starts_with("family/right  B1"), "{}", stdout(&listed));
    let json = stdout(&flagfall(folder.path(), &["list", "--json", "cases"]));
    let line: serde_json::Value = serde_json::from_str(json.trim()).expect("JSON");
    assert_eq!(line["scenario"], "family/right");
    assert!(stdout(&flagfall(folder.path(), &["completions", "bash"])).contains("_flagfall"));
}

/// The whole set of the repository under other jobs, another folder order, another working directory, another locale.
#[test]
fn the_hash_of_the_set_is_the_same_everywhere() {
    let repository = repository();
    let out = tempfile::tempdir().expect("a folder");
    let run = |cwd: &Path, name: &str, arguments: &[&str]| {
        let out = out.path().join(name);
        let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .current_dir(cwd)
            .args(["run", "--out"])
            .arg(out)
            .args(arguments)
            .env("LC_ALL", if name == "locale" { "tr_TR.UTF-8" } else { "C" })
            .output()
            .expect("it starts");
        assert_eq!(code(&output), 0, "{name}: {}{}", stdout(&output), stderr(&output));
        set_hash(&output)
    };
    let first = run(&repository, "one", &["--jobs", "1"]);
    assert_eq!(run(&repository, "two", &["--jobs", "2"]), first);
    assert_eq!(run(&repository, "locale", &[]), first);
    let cases = repository.join("scenarios/cases").canonicalize().expect("the cases");
    assert_eq!(run(out.path(), "elsewhere", &[cases.to_str().expect("text")]), first);
    let mut families: Vec<String> =
        fs::read_dir(&cases).expect("the cases").flatten().map(|entry| entry.path().display().to_string()).collect();
    families.sort();
    families.reverse();
    let reversed: Vec<&str> = families.iter().map(String::as_str).collect();
    assert_eq!(run(out.path(), "reversed", &reversed), first);
}

#[test]
fn determinism_is_checked_in_a_second_process() {
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().join("out");
    let output = flagfall(&repository(), &["run", "--check-determinism", "--out", out.to_str().expect("text")]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("determinism: the same hashes"), "{}", stdout(&output));
}

#[test]
fn a_place_with_a_slash_is_the_same_place() {
    let folder = folder(&[("right", RIGHT)]);
    for _ in 0..2 {
        let output = flagfall(folder.path(), &["run", "cases", "--out", "results/"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains("page: results/index.html"), "{}", stdout(&output));
    }
    assert!(folder.path().join("results/results.jsonl").is_file());
}

#[test]
fn what_no_run_has_written_is_not_replaced() {
    let folder = folder(&[("right", RIGHT)]);
    let out = folder.path().join("out");
    assert_eq!(code(&flagfall(folder.path(), &["run", "cases", "--junit", "out.xml"])), 0);
    fs::write(out.join("thesis.txt"), "years of work").expect("a file");
    let output = flagfall(folder.path(), &["run", "cases"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("thesis.txt"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(out.join("thesis.txt")).expect("the file"), "years of work");
    fs::remove_file(out.join("thesis.txt")).expect("removed");
    fs::write(out.join("results.jsonl"), "{}\n").expect("a file of somebody else's");
    assert_eq!(code(&flagfall(folder.path(), &["run", "cases"])), 2);
    let of_another_version = "{\"schema\":0,\"scenario\":\"club/e4\"}\n";
    fs::write(out.join("results.jsonl"), of_another_version).expect("results of another version");
    assert_eq!(code(&flagfall(folder.path(), &["run", "cases"])), 0, "what a run has written is replaced");
}

#[test]
fn a_report_does_not_take_the_place_of_results() {
    let folder = folder(&[("right", RIGHT)]);
    for name in ["out/results.jsonl", "out/index.html", "out/traces", "./out/../out/host.jsonl"] {
        let output = flagfall(folder.path(), &["run", "cases", "--junit", name]);
        assert_eq!(code(&output), 2, "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("another name with --junit"), "{}", stderr(&output));
        assert_eq!(code(&flagfall(folder.path(), &["run", "cases", "--junit", "out/junit.xml"])), 0, "{name}");
    }
}

#[test]
#[cfg(unix)]
fn a_link_that_leads_nowhere_is_no_place_and_nothing_is_run() {
    let folder = folder(&[("right", RIGHT)]);
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).expect("a link");
    let output = flagfall(folder.path(), &["run", "cases", "--out", "link"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(!stdout(&output).contains("pass"), "{}", stdout(&output));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_told_by_the_exit() {
    use std::fs::OpenOptions;
    use std::process::Stdio;
    let folder = folder(&[("right", RIGHT), ("broken", "scenario: 7")]);
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").expect("Linux has it"));
    let run = |arguments: &[&str], stdout: Stdio, stderr: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
        command.current_dir(folder.path()).args(arguments).stdout(stdout).stderr(stderr);
        command.status().expect("it starts").code()
    };
    for arguments in [&["run", "cases/family/right.yaml", "--json"] as &[&str], &["list", "cases/family/right.yaml"]] {
        assert_eq!(run(arguments, full(), Stdio::null()), Some(3), "{arguments:?}");
    }
    assert!(folder.path().join("out/results.jsonl").is_file(), "the results are kept all the same");
    for arguments in [&["run", "cases"] as &[&str], &["check", "cases"]] {
        assert_eq!(run(arguments, Stdio::null(), full()), Some(2), "{arguments:?}");
    }
}

/// Where a flagfall hangs it is ended, and the test fails.
#[cfg(unix)]
fn flagfall_in_time(cwd: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_flagfall");
    let output = Command::new("timeout").arg("20").arg(program).current_dir(cwd).args(arguments).output();
    let output = output.expect("it starts");
    assert_ne!(output.status.code(), Some(124), "{arguments:?} hangs");
    output
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_and_the_others_run() {
    let folder = folder(&[("right", RIGHT)]);
    let pipe = folder.path().join("cases/family/pipe.yaml");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts").success());
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("cases/family/zero.yaml")).expect("a link");
    let output = flagfall_in_time(folder.path(), &["run", "cases"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("family/pipe.yaml") && stderr(&output).contains("family/zero.yaml"));
    assert!(stdout(&output).contains("1 passed") && stdout(&output).contains("2 not readable"), "{}", stdout(&output));
    let (right, pipe) = ("cases/family/right.yaml", "cases/family/pipe.yaml");
    for arguments in [
        &["check", pipe] as &[&str],
        &["show", pipe],
        &["run", right, "--rulebook", pipe],
        &["run", right, "--rulebook", "cases/family/zero.yaml"],
        &["run", right, "--board", pipe],
        &["run", right, "--board", "cases/family/zero.yaml"],
    ] {
        let output = flagfall_in_time(folder.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("no regular file"), "{arguments:?}: {}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn what_leads_nowhere_does_not_stop_the_others() {
    let folder = folder(&[("right", RIGHT)]);
    let family = folder.path().join("cases/family");
    for (target, name) in [("nowhere", "dangling.yaml"), ("looping.yaml", "looping.yaml"), (".", "again")] {
        std::os::unix::fs::symlink(target, family.join(name)).expect("a link");
    }
    for command in ["run", "check", "list"] {
        let output = flagfall(folder.path(), &[command, "cases", "missing"]);
        assert_eq!(code(&output), 2, "{command}");
        for name in ["dangling.yaml", "looping.yaml", "again", "missing"] {
            assert!(stderr(&output).contains(name), "{command}: {name}: {}", stderr(&output));
        }
    }
    let output = flagfall(folder.path(), &["run", "cases", "missing"]);
    assert!(stdout(&output).contains("1 passed") && stdout(&output).contains("4 not readable"), "{}", stdout(&output));
}

const CLUB: &str = "rulebook: club\ntitle: Club rules\nlanguage: en\nrest: silent\npoints: {B1: silent}\n";

#[test]
fn rulings_of_a_rulebook_that_does_not_exist_are_a_mistake() {
    let expecting = |key: &str| RIGHT.to_owned() + &format!("rulings:\n  {key}: silent\n");
    let (unknown, nameless, club) = (expecting("fide-2015"), expecting("\"\""), expecting("club"));
    let shipped = RIGHT.to_owned() + "rulings:\n  fide-2014: {play: continues}\n";
    let folder = folder(&[("unknown", &unknown), ("nameless", &nameless), ("club", &club), ("shipped", &shipped)]);
    fs::write(folder.path().join("club.yaml"), CLUB).expect("a file");
    let case = |name: &str| format!("cases/family/{name}.yaml");
    for command in ["run", "check", "list", "show"] {
        for (name, place) in [("unknown", "unknown.yaml:9:3"), ("nameless", "nameless.yaml:9:3")] {
            let output = flagfall(folder.path(), &[command, &case(name)]);
            assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
            assert!(stderr(&output).contains(place), "{command}: {}", stderr(&output));
            assert!(stderr(&output).contains("`fide-2014`"), "{command}: {}", stderr(&output));
        }
        assert_eq!(code(&flagfall(folder.path(), &[command, &case("club")])), 2, "{command}");
        let output = flagfall(folder.path(), &[command, &case("club"), "--rulebook", "club.yaml"]);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
    }
    let known = [&case("club"), "--rulebook", "club.yaml", "--check-determinism"];
    let output = flagfall(folder.path(), &[&["run"] as &[&str], &known].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = flagfall(folder.path(), &["run", &case("shipped"), "--rulebook", "cbx"]);
    assert_eq!(code(&output), 0, "a known rulebook that was not chosen is not asked: {}", stderr(&output));
}

#[test]
fn no_control_character_reaches_the_terminal() {
    let loud = RIGHT.replace("scenario: a press stops White and starts Black", "scenario: \"\\e[31m\\a\\r\\x9b\"");
    let folder = folder(&[("right", RIGHT), ("loud", &loud), ("\x1b]0;name\x07", RIGHT)]);
    for arguments in [&["run", "cases"] as &[&str], &["list", "cases"], &["check", "cases"]] {
        let output = flagfall(folder.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.contains(|character: char| character.is_control() && character != '\n'), "{text:?}");
        assert!(text.contains("loud.yaml:2:11") && text.contains("\\u{1b}]0;name\\u{7}.yaml"), "{text}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let folder = folder(&[("marked", &format!("\u{feff}{}", RIGHT.trim_start()))]);
    fs::write(folder.path().join("club.yaml"), format!("\u{feff}{CLUB}")).expect("a file");
    let output = flagfall(folder.path(), &["run", "cases", "--rulebook", "club.yaml"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

/// A clock that is wrong stays wrong when its report cannot be kept: the first that applies in the order 1, 2, 3, 4.
#[test]
fn results_that_cannot_be_kept_hide_no_failure() {
    let wrong = RIGHT.replace("4m53s", "4m54s");
    for (text, expected) in [(RIGHT, 3), (wrong.as_str(), 1)] {
        let folder = folder(&[("case", text)]);
        let output = flagfall(folder.path(), &["run", "cases", "--junit", "cases"]);
        assert_eq!(code(&output), expected, "{}{}", stdout(&output), stderr(&output));
        assert!(stderr(&output).contains("cannot write cases"), "{}", stderr(&output));
        assert!(stdout(&output).contains("on sim in"), "the last line is told all the same: {}", stdout(&output));
    }
}

#[test]
fn the_documents_list_every_rule_point_with_its_question() {
    let list = fs::read_to_string(repository().join("docs/rule-points.md")).expect("a list of points");
    for point in flagfall_judge::Point::ALL {
        let row = format!("| {point} | {} |", point.question());
        assert!(list.contains(&row), "docs/rule-points.md has no row {row:?}");
    }
}
