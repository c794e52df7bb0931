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
