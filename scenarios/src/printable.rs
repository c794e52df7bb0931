//! Characters that have no place in a name or a title, and how they are shown when they are found there.
//!
//! A terminal obeys control characters instead of printing them, and XML has no way to write two of the others.

use std::borrow::Cow;
use std::path::Path;

/// Whether a character would be obeyed rather than shown, or could not be written to a report.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// The text with every such character written as its escape: `\n`, `\u{1b}`.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// A path as it may be shown anywhere.
pub(crate) fn path(path: &Path) -> String {
    escaped(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(escaped("a\x1b[31m\r\n\u{9b}\u{7f}\u{ffff}"), "a\\u{1b}[31m\\r\\n\\u{9b}\\u{7f}\\u{ffff}");
        assert!(matches!(escaped("Дві \u{1f600} \\n"), Cow::Borrowed(_)));
        assert_eq!(path(Path::new("a/\x07.yaml")), "a/\\u{7}.yaml");
    }
}
