//! `flagfall winnable`: one answer for each position, in order, and what happens to a line that is none.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::program::program;

const LIST: &str = "\
# rook against a bare king
8/2kr4/8/K7/8/8/8/8 w - - 0 1

4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w
no position
  6Rk/8/7K/8/8/8/8/8 b - -
";

fn winnable(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(program())
        .arg("winnable")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_list_is_answered_in_order_and_a_wrong_line_is_told_with_its_number() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), LIST).expect("a file");
    let path = file.path().to_str().expect("text");
    for (name, input) in [("-", LIST), (path, "")] {
        let output = winnable(&["--for", "black", "--json", "--file", name], input);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr.clone()).expect("text");
        let place = if name == "-" { "standard input:5: " } else { ":5: " };
        assert!(told.contains(place) && told.contains("no position") && told.lines().count() == 1, "{told}");
        let answers: Vec<(Value, Value)> =
            objects(&output).iter().map(|each| (each["fen"].clone(), each["answer"].clone())).collect();
        let expected = [
            ("8/2kr4/8/K7/8/8/8/8 w - - 0 1", "winnable"),
            ("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w", "unwinnable"),
            ("6Rk/8/7K/8/8/8/8/8 b - -", "unwinnable"),
        ];
        assert_eq!(answers, expected.map(|(fen, answer)| (fen.into(), answer.into())));
    }
}

#[test]
fn an_object_has_position_side_answer_line_and_nodes() {
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let output = winnable(&["--for", "white", "--json", fen], "");
    assert_eq!(output.status.code(), Some(0));
    let object = &objects(&output)[0];
    let keys: Vec<&String> = object.as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), 5, "{keys:?}");
    assert_eq!((object["fen"].as_str(), object["for"].as_str()), (Some(fen), Some("white")));
    assert_eq!(object["answer"], "winnable");
    assert!(object["line"].as_array().is_some_and(|line| !line.is_empty()), "{object}");
    assert!(object["nodes"].as_u64().is_some_and(|nodes| nodes > 0), "{object}");
}

#[test]
fn a_position_may_be_written_in_six_words_and_is_answered_for_people_too() {
    let output = winnable(&["--for", "white", "8/2kr4/8/K7/8/8/8/8", "w", "-", "-", "0", "1"], "");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert_eq!(text, "unwinnable    8/2kr4/8/K7/8/8/8/8 w - - 0 1  a bare king gives no check\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_cannot_be_read_is_exit_2() {
    for arguments in [
        &["--for", "white"] as &[&str],
        &["--for", "grey", "8/2kr4/8/K7/8/8/8/8 w - - 0 1"],
        &["--for", "white", "nonsense"],
        &["--for", "white", "--file", "nowhere.txt"],
        &["--for", "white", "--file", "."],
        &["--for", "white", "--file", "-", "8/2kr4/8/K7/8/8/8/8 w - - 0 1"],
    ] {
        let output = winnable(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    let endless = "8".repeat(10_000);
    let after = format!("{endless}\n6Rk/8/7K/8/8/8/8/8 b - -\n");
    let output = winnable(&["--for", "black", "--file", "-"], &after);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.starts_with(b"unwinnable"), "the line after it is answered");
    let told = String::from_utf8(output.stderr).expect("text");
    assert_eq!(told, "flagfall: standard input:1: no position has more than 4096 bytes\n");
    assert_eq!(winnable(&["--for", "white", "--file", "-"], &endless).status.code(), Some(2));
}
