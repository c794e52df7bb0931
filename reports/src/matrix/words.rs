//! Outcomes in a few words, for cells.

/// `result: white-wins` as `White wins`, `left: {white: 60000ms}` as `left: White 1m`; text of another form stays as it is.
#[must_use]
pub fn few_words(outcome: &str) -> String {
    outcome.split("; ").map(one).collect::<Vec<_>>().join("; ")
}

fn one(outcome: &str) -> String {
    match outcome {
        "silent" => return "?".to_owned(),
        "not-asked" => return "does not arise".to_owned(),
        "void" => return "over before".to_owned(),
        _ => {}
    }
    if let Some(choice) = outcome.strip_prefix("one of ") {
        return format!("a choice: {}", choice.split(", ").map(one).collect::<Vec<_>>().join(" or "));
    }
    if let Some((what, then)) = outcome.strip_prefix("if ").and_then(|rest| rest.split_once(": ")) {
        return format!("if {what}: {}", one(then));
    }
    let Some((key, value)) = outcome.split_once(": ") else { return outcome.to_owned() };
    let value: Vec<String> = value.trim_matches(['{', '}']).split(' ').map(word).collect();
    let value = value.join(" ");
    match key {
        "result" | "play" => value,
        _ => format!("{}: {value}", key.replace('-', " ")),
    }
}

/// A word of an outcome: sides with their names, times as people write them, hyphens as spaces.
fn word(word: &str) -> String {
    let bare = word.trim_end_matches([':', ',']);
    if let Some(ms) = bare.strip_suffix("ms").and_then(|digits| digits.parse::<u64>().ok()) {
        return span(ms);
    }
    match bare {
        "white" => "White".to_owned(),
        "black" => "Black".to_owned(),
        "white-wins" => "White wins".to_owned(),
        "black-wins" => "Black wins".to_owned(),
        _ => bare.replace('-', " "),
    }
}

/// `1h30m`, `4m59.999s`, `0s`.
fn span(ms: u64) -> String {
    let (hours, minutes, rest) = (ms / 3_600_000, ms / 60_000 % 60, ms % 60_000);
    let mut text = String::new();
    if hours > 0 {
        text += &format!("{hours}h");
    }
    if minutes > 0 {
        text += &format!("{minutes}m");
    }
    if rest > 0 || text.is_empty() {
        let (whole, thousandths) = (rest / 1_000, rest % 1_000);
        let fraction = format!(".{thousandths:03}");
        text += &format!("{whole}{}s", fraction.trim_end_matches('0').trim_end_matches('.'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::few_words;

    #[test]
    fn outcomes_are_told_in_a_few_words() {
        for (outcome, told) in [
            ("result: white-wins", "White wins"),
            ("result: draw", "draw"),
            ("play: continues", "continues"),
            ("completed: {white: 40}", "completed: White 40"),
            ("flag-does-not-count: black", "flag does not count: Black"),
            ("left: {white: 60000ms}", "left: White 1m"),
            ("bears: {black: 5400500ms}; bears: {white: 0ms}", "bears: Black 1h30m0.5s; bears: White 0s"),
            ("silent", "?"),
            ("needs default-time; if exceeded: result: black-wins", "needs default-time; if exceeded: Black wins"),
            ("one of play: continues, result: draw", "a choice: continues or draw"),
            ("act: not-admissible", "act: not admissible"),
        ] {
            assert_eq!(few_words(outcome), told);
        }
    }
}
