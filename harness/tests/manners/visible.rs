//! What is wrong is seen wherever somebody looks: on the terminal, in the results, on the page, in JUnit.

use std::fs;

use flagfall_trace::Verdict;

use crate::program::{RIGHT, beside, code, flagfall, folder, records, stderr, stdout};

#[test]
fn a_file_that_is_no_scenario_is_in_every_report() {
    let broken = RIGHT.replace("start: white", "strat: white");
    let folder = folder([("family/broken".to_owned(), broken.as_str()), ("family/right".to_owned(), RIGHT)]);
    let output = flagfall(folder.path(), &["run", "scenarios/cases", "nowhere", "--junit", "junit.xml"]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).contains("unreadable  family/broken\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("1 passed, 0 failed") && stdout(&output).contains("2 not readable"));
    assert_eq!(stderr(&output).matches("unknown verb `strat`").count(), 1, "{}", stderr(&output));
    let records = records(&folder.path().join("out"));
    let verdicts: Vec<(&str, Verdict)> = records.iter().map(|line| (line.scenario.as_str(), line.verdict)).collect();
    let unreadable = Verdict::Unreadable;
    let expected = [("nowhere", unreadable), ("family/broken", unreadable), ("family/right", Verdict::Pass)];
    assert_eq!(verdicts, expected);
    let reason = records[1].reason.as_deref().expect("a reason");
    assert!(reason.contains("unknown verb `strat`") && reason.contains("broken.yaml:5:"), "{reason}");
    let junit = fs::read_to_string(folder.path().join("junit.xml")).expect("JUnit");
    assert!(junit.contains(r#"tests="3" skipped="0" errors="2" failures="0""#), "{junit}");
    assert!(junit.contains("unknown verb `strat`") && junit.contains("broken.yaml:5:"), "{junit}");
    let page = fs::read_to_string(folder.path().join("out/index.html")).expect("a page");
    assert!(page.contains("Worst first") && page.contains("unknown verb `strat`"));
    assert!(page.contains(r#"<td class="n" data-label="not readable">2</td>"#));
}

#[test]
fn one_is_one() {
    let folder = folder([("family/right".to_owned(), RIGHT)]);
    let output = flagfall(folder.path(), &["run", "--jobs", "1"]);
    assert!(stdout(&output).contains(": 1 scenario on sim, 9 rulebooks, jobs 1\n"), "{}", stdout(&output));
    let output = flagfall(folder.path(), &["check"]);
    assert_eq!(stdout(&output), "1 scenario is right, 0 are not\n");
}

/// Earlier results are put back when a run was ended after it had moved them away and before new ones stood there.
#[cfg(target_os = "linux")]
#[test]
fn results_that_were_moved_away_come_back() {
    let folder = folder([("family/right".to_owned(), RIGHT)]);
    assert_eq!(code(&flagfall(folder.path(), &["run"])), 0);
    let mut ended = std::process::Command::new(crate::program::program()).arg("--version").spawn().expect("it starts");
    ended.wait().expect("it ends");
    let (out, old) = (folder.path().join("out"), folder.path().join(format!("out.{}.part.old", ended.id())));
    fs::rename(&out, &old).expect("moved away");
    let text = flagfall_reports::read_results(&out).expect_err("nothing there").to_string();
    assert!(text.contains("the earlier ones are in") && text.contains(".part.old"), "{text}");
    // What is there is left alone by a run that comes to nothing.
    assert_eq!(code(&flagfall(folder.path(), &["run", "--junit", "scenarios"])), 3);
    assert_eq!(beside(folder.path()), ["out"]);
    fs::rename(&out, &old).expect("moved away");
    fs::write(folder.path().join("notes"), "").expect("a file");
    let output = flagfall(folder.path(), &["run"]);
    assert_eq!((code(&output), beside(folder.path())), (0, vec!["notes".to_owned(), "out".to_owned()]));
}

/// A pipe under the name of a file of results is nobody's results: it is not waited for, and not taken away.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_in_the_place_of_results_is_an_error() {
    use std::process::Command;

    for name in ["results.jsonl", "requirements.json", "host.jsonl"] {
        let folder = folder([("family/right".to_owned(), RIGHT)]);
        assert_eq!(code(&flagfall(folder.path(), &["run"])), 0);
        let pipe = folder.path().join("out").join(name);
        fs::remove_file(&pipe).expect("removed");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("it starts").success());
        for command in [&["run", "--out", "out"] as &[&str], &["coverage"]] {
            // Nothing but `run` knows of `host.jsonl`.
            if command == ["coverage"] && name == "host.jsonl" {
                continue;
            }
            let mut limited = Command::new("timeout");
            limited.current_dir(folder.path()).args(["-s", "KILL", "20", crate::program::program()]).args(command);
            let output = limited.output().expect("it starts");
            assert_eq!(output.status.code(), Some(2), "{command:?} {name}: {}", stderr(&output));
            assert!(stderr(&output).contains(name), "{command:?} {name}: {}", stderr(&output));
            assert!(pipe.exists() && folder.path().join("out/index.html").exists());
        }
    }
}

#[test]
fn a_report_of_a_folder_without_results_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = flagfall(folder.path(), &["report", "nowhere"]);
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(stderr(&output).contains("nowhere holds no results.jsonl: name a folder"), "{}", stderr(&output));
    assert!(beside(folder.path()).is_empty(), "nothing was written");
}
