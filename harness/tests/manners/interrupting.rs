//! Ctrl-C, with real signals to a real process.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use flagfall_trace::Verdict;

use crate::program::{RIGHT, beside, code, folder, long, program, records, stderr, stdout};

fn start(cwd: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(program());
    command.current_dir(cwd).args(arguments).env("TMPDIR", cwd.join("tmp"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("kill starts");
    assert!(status.success(), "it lives");
}

/// Waits until this is so; a minute is long enough for anything here.
fn until(what: &str, is: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is() {
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn end(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

/// The number of traces in a folder of results that is being filled.
fn traces(cwd: &Path, child: &Child) -> usize {
    let folder = cwd.join(format!("out.{}.part/traces/sim/family", child.id()));
    fs::read_dir(folder).map_or(0, Iterator::count)
}

#[test]
fn what_is_done_is_kept_and_what_is_not_is_named() {
    for name in ["INT", "TERM"] {
        let folder = folder((0..600).map(|number| (format!("family/c{number:04}"), RIGHT)));
        let child = start(folder.path(), &["run", "--jobs", "2", "--junit", "junit.xml"]);
        until("the first traces", || traces(folder.path(), &child) > 20);
        signal(&child, name);
        let output = end(child);
        assert_eq!(code(&output), 3, "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains("interrupted; what is done is kept"), "{}", stderr(&output));
        let records = records(&folder.path().join("out"));
        assert_eq!(records.len(), 600, "each has its line");
        let passed = records.iter().take_while(|record| record.verdict == Verdict::Pass).count();
        assert!(passed > 20 && passed < 600, "{passed} passed");
        assert!(records[passed..].iter().all(|record| record.verdict == Verdict::NotRun));
        let text = stdout(&output);
        assert!(text.contains(&format!("{passed} passed, 0 failed")), "{text}");
        assert!(text.contains(&format!("{} not run on sim", 600 - passed)), "{text}");
        assert!(text.contains(&format!("not-run  {}", records[passed].scenario)), "{text}");
        let page = fs::read_to_string(folder.path().join("out/index.html")).expect("a page");
        assert!(page.ends_with("</html>\n") && page.contains("the run was interrupted"));
        let junit = fs::read_to_string(folder.path().join("junit.xml")).expect("JUnit");
        assert!(junit.contains(&format!(r#"errors="{}""#, 600 - passed)));
        assert_eq!(beside(folder.path()), ["junit.xml", "out"]);
    }
}

#[test]
fn a_second_signal_ends_at_once_and_leaves_nothing() {
    let slow = long(15_000);
    let folder = folder([("family/c1".to_owned(), RIGHT), ("family/c2".to_owned(), &slow)]);
    let child = start(folder.path(), &["run", "--jobs", "2"]);
    until("the first trace", || traces(folder.path(), &child) > 0);
    signal(&child, "INT");
    std::thread::sleep(Duration::from_millis(20));
    signal(&child, "INT");
    let asked = Instant::now();
    let output = end(child);
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    assert_eq!(beside(folder.path()), [""; 0]);
}

/// The folder of the second process is in a folder for temporary ones, and gone with both processes.
#[test]
fn an_interrupted_comparison_leaves_nothing_behind() {
    for signals in [1, 2] {
        let text = long(40);
        let folder = folder((0..12).map(|number| (format!("family/c{number:02}"), text.as_str())));
        let temporary = folder.path().join("tmp");
        fs::create_dir(&temporary).expect("a folder");
        let child = start(folder.path(), &["run", "--jobs", "1", "--check-determinism"]);
        until("the second process", || {
            let entries = fs::read_dir(&temporary).expect("it can be listed").flatten();
            entries.into_iter().any(|entry| entry.path().join("traces").exists())
        });
        for _ in 0..signals {
            signal(&child, "INT");
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = end(child);
        if signals == 1 {
            assert_eq!(code(&output), 3, "{}", stderr(&output));
            assert!(stderr(&output).contains("not waited for"), "{}", stderr(&output));
        }
        // The results of the first process are whole, and were in their place before the second one began.
        assert_eq!(records(&folder.path().join("out")).len(), 12);
        assert_eq!(fs::read_dir(&temporary).expect("it can be listed").count(), 0, "{signals} signals");
        assert_eq!(beside(folder.path()), ["out", "tmp"]);
    }
}

/// While files are still being looked for there is nothing to keep, and a signal ends the program as it ends any other.
#[test]
fn a_signal_before_the_first_scenario_ends_at_once() {
    let folder = folder((0..20_000).map(|number| (format!("family/c{number}"), "")));
    for command in ["run", "matrix"] {
        for (name, number) in [("INT", 2), ("TERM", 15)] {
            let child = start(folder.path(), &[command]);
            let stat = format!("/proc/{}/stat", child.id());
            // Some ticks of processor time: it has begun, and has far more files to look at.
            until("its beginning", || {
                let text = fs::read_to_string(&stat).unwrap_or_default();
                let fields = text.rsplit_once(") ").map_or("", |(_, rest)| rest).split_whitespace();
                fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok()).sum::<u32>() >= 5
            });
            signal(&child, name);
            let output = end(child);
            assert_eq!(output.status.signal(), Some(number), "{command} {name}: {}", stderr(&output));
            assert_eq!(beside(folder.path()), [""; 0]);
        }
    }
}
