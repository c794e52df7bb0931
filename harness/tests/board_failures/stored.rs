//! Messages as they are stored: what a user is told, and whom it blames.

use std::fs;
use std::path::{Path, PathBuf};

use flagfall_trace::RunRecord;
use libtest_mimic::Failed;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/board_failures/messages/{name}.txt"))
}

/// Compares with `messages/NAME.txt`, or writes it anew where `FLAGFALL_BLESS` is set.
pub(crate) fn compare(name: &str, found: &str) -> Result<(), Failed> {
    let (path, found) = (file(name), settled(found));
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        fs::create_dir_all(path.parent().ok_or("a folder")?)?;
        fs::write(&path, &found)?;
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == found, "{} is another:\n--- stored\n{stored}\n--- found\n{found}", path.display());
    Ok(())
}

/// Verdict, whom it is about, and the message.
pub(crate) fn compare_record(name: &str, record: &RunRecord) -> Result<(), Failed> {
    let worst = record.checks.iter().find(|check| check.verdict == record.verdict).ok_or("no check")?;
    let subject = format!("{:?}", worst.subject).to_lowercase();
    compare(name, &format!("{} ({subject})\n{}\n", record.verdict, worst.found))
}

/// The text without what differs from machine to machine and from build to build: folders, addresses, long numbers.
fn settled(text: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let temporary = std::env::temp_dir().display().to_string();
    let mut text = text.replace(&root.display().to_string(), "<repository>");
    while let Some(start) = text.find(&format!("{temporary}/flagfall-vboard-")) {
        let end =
            text[start..].find("/gdb").or_else(|| text[start..].find("/qtest")).map_or(text.len(), |end| start + end);
        text.replace_range(start..end, "<folder>");
    }
    let mut settled = String::new();
    let mut rest = text.as_str();
    while let Some(character) = rest.chars().next() {
        let digits = rest.strip_prefix("0x").map_or("", |after| &after[..hexadecimal(after)]);
        let decimal = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let taken = if digits.len() > 4 {
            settled += "0x...";
            2 + digits.len()
        } else if decimal > 4 {
            settled += "...";
            decimal
        } else if decimal > 0 {
            settled += &rest[..decimal];
            decimal
        } else {
            settled.push(character);
            character.len_utf8()
        };
        rest = &rest[taken..];
    }
    settled
}

fn hexadecimal(text: &str) -> usize {
    text.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(text.len())
}
