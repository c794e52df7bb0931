//! A board in quarantine is never used in silence.

use std::fs;

use crate::program::{RIGHT, code, flagfall, folder, repository, stderr, stdout};

/// A folder with a scenario, and the emulated board in quarantine up to this day.
fn quarantined_until(expires: &str) -> tempfile::TempDir {
    let folder = folder([("family/case".to_owned(), RIGHT)]);
    let text = fs::read_to_string(repository().join("boards/virtual-f405.yaml")).expect("the board file");
    let text = text.replace("../target", &repository().join("target").display().to_string());
    let quarantine =
        format!("quarantine: {{reason: loses its probe, date: 2020-01-01, owner: bench, expires: {expires}}}\n");
    fs::write(folder.path().join("board.yaml"), text + &quarantine).expect("a file");
    folder
}

const WHY: &str = "loses its probe (since 2020-01-01, owner bench, expires ";

#[test]
fn a_run_and_a_look_on_a_board_in_quarantine_are_refused() {
    let folder = quarantined_until("9999-12-31");
    for arguments in [
        ["run", "--board", "board.yaml"].as_slice(),
        &["show", "--cases", "scenarios/cases", "--board", "board.yaml", "family/case"],
    ] {
        let output = flagfall(folder.path(), arguments);
        assert_eq!(code(&output), 3, "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        let said = stderr(&output);
        assert!(said.contains(WHY) && said.contains("9999-12-31") && said.contains("--quarantined"), "{said}");
        assert!(!folder.path().join("out").exists(), "nothing was run");
    }
}

#[test]
fn a_board_whose_quarantine_has_expired_or_is_overruled_is_used_and_a_line_says_so() {
    for (expires, flag, words) in
        [("2020-01-02", None, "has expired, it is used"), ("9999-12-31", Some("--quarantined"), "in spite of its")]
    {
        let folder = quarantined_until(expires);
        let arguments: Vec<&str> = ["run", "--board", "board.yaml"].into_iter().chain(flag).collect();
        let output = flagfall(folder.path(), &arguments);
        let said = stderr(&output);
        assert!(said.contains(WHY) && said.contains(words), "{said}");
    }
}
