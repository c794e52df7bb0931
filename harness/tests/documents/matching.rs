//! Output as a document shows it against output as it is: `…` alone stands for any lines, within a line for any text.
//! A gap of two spaces or more may be of any width, for the columns of a table find their own.

/// Says where the two part, if they do.
pub(crate) fn compare(shown: &[String], found: &str) -> Result<(), String> {
    let shown: Vec<String> = shown.iter().map(|line| with_narrow_gaps(line)).collect();
    let found: Vec<String> = found.lines().map(with_narrow_gaps).collect();
    let (shown, found) = (trim_end(&shown), trim_end(&found));
    // Which beginnings of `found` the shown lines so far can stand for.
    let mut reached = vec![false; found.len() + 1];
    reached[0] = true;
    for line in shown {
        let before = reached.clone();
        let mut any = false;
        for end in 0..=found.len() {
            reached[end] = if line == "…" {
                any |= before[end];
                any
            } else {
                end > 0 && before[end - 1] && is_line(line, &found[end - 1])
            };
        }
        if !reached.contains(&true) {
            return Err(format!("the output has no line `{line}` where it is shown; it is:\n{}", found.join("\n")));
        }
    }
    if reached[found.len()] { Ok(()) } else { Err(format!("the output goes on; it is:\n{}", found.join("\n"))) }
}

/// Two spaces for every gap of more, none at the end.
fn with_narrow_gaps(line: &str) -> String {
    let mut narrow = line.trim_end().to_owned();
    while narrow.contains("   ") {
        narrow = narrow.replace("   ", "  ");
    }
    narrow
}

fn trim_end(lines: &[String]) -> &[String] {
    let empty = lines.iter().rev().take_while(|line| line.is_empty()).count();
    &lines[..lines.len() - empty]
}

fn is_line(shown: &str, found: &str) -> bool {
    let Some((head, rest)) = shown.split_once('…') else { return shown == found };
    let Some(mut left) = found.strip_prefix(head) else { return false };
    let (middle, tail) = rest.rsplit_once('…').map_or(("", rest), |(middle, tail)| (middle, tail));
    for part in middle.split('…') {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(tail)
}

/// What the comparison must not let pass.
pub(crate) fn check_itself() {
    let compare = |shown: &[&str], found| {
        let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
        compare(&shown, found).is_ok()
    };
    assert!(compare(&["a … c", "…", "d"], "a b c\nx\ny\nd\n"));
    assert!(compare(&["…"], "") && compare(&["…", "d"], "d") && compare(&["a", "…"], "a\n"));
    assert!(compare(&["  a   b"], "    a  b") && !compare(&["a  b"], "a b"), "columns");
    assert!(compare(&["a…b…c"], "a1b2c") && !compare(&["a…b…c"], "a1c2b"));
    assert!(!compare(&["a"], "a\nb") && !compare(&["a", "…", "d"], "a\nx") && !compare(&["b"], "a\nb"));
    assert!(!compare(&["ab…ba"], "aba"), "head and tail do not share a letter");
}
