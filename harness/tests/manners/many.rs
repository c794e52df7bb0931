//! Thousands of scenarios take time and disk, not memory.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{folder, long, program};

/// The highest resident set of a run with these arguments, in KiB, as the kernel counts it.
fn peak_kib(cwd: &Path, arguments: &[&str]) -> u64 {
    let mut child = Command::new(program());
    let child = child.current_dir(cwd).args(["run", "--jobs", "2"]).args(arguments).stdout(Stdio::null());
    let mut child = child.stderr(Stdio::null()).spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let exit = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        if let Some(exit) = child.try_wait().expect("it can be waited for") {
            break exit;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(exit.code(), Some(0), "{arguments:?}");
    peak
}

/// The page of two hundred of the shipped scenarios is less than 2 MB, its own script less than 12 kB, and nothing of it
/// comes from elsewhere.
#[test]
fn a_page_of_two_hundred_scenarios_is_small_and_stands_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let listed = Command::new(program()).current_dir(&root).args(["list", "--json"]).output().expect("it starts");
    let ids = String::from_utf8(listed.stdout).expect("text");
    let paths: Vec<String> = ids
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|row| row["path"].as_str().expect("a path").to_owned())
        .collect();
    // Evenly from all families, the long games among them.
    let chosen = (0..200).map(|number| &paths[number * paths.len() / 200]);
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().join("out");
    let made = Command::new(program()).current_dir(&root).arg("run").args(chosen).arg("--out").arg(&out).output();
    let made = made.expect("it starts");
    assert_eq!(made.status.code(), Some(0), "{}", String::from_utf8_lossy(&made.stderr));
    let page = fs::read_to_string(out.join("index.html")).expect("the page");
    assert_eq!(page.matches("<details class=\"run").count(), 200);
    println!("{} bytes", page.len());
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert!(page.contains("id=\"timing\"") && page.contains("class=\"worst"));
    let script = page.rsplit("<script>").next().and_then(|rest| rest.split("</script>").next()).expect("a script");
    assert!(script.len() < 12_000, "{} bytes of script", script.len());
    for outside in ["src=", "<link", "@import", "url(http", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// A scenario with its trace, rulings and section of the page takes about 60 KiB in memory; 450 more of them take no more
/// than 4 KiB each, which is what the page's table, the hash of the set and JUnit need to know of all at once.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_scenarios() {
    let text = long(12);
    let folder = folder((0..500).map(|number| (format!("family/c{number}"), text.as_str())));
    let few = peak_kib(folder.path(), &["--shard", "1/10", "--junit", "few.xml"]);
    let many = peak_kib(folder.path(), &["--junit", "many.xml"]);
    assert!(few > 4_000, "{few} KiB cannot be right");
    let results = fs::metadata(folder.path().join("out/index.html")).expect("the page").len();
    assert!(results > 2_000_000, "a page of {results} bytes does not tell much");
    assert!(many < few + 450 * 4, "50 scenarios: {few} KiB, 500 scenarios: {many} KiB");
}
