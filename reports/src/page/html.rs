//! Text that becomes HTML.

use std::fmt::{self, Write};

use flagfall_trace::Verdict;

/// Text from outside, with everything escaped that means something in HTML.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML has no way to write it.
                '\0' => f.write_str("\u{fffd}")?,
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}

/// A name as part of the name of a place on the page: letters, digits and dashes.
pub(crate) fn plain_id(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    name.chars().map(plain).collect()
}

/// Adds to the page.
pub(crate) fn put(page: &mut String, text: fmt::Arguments<'_>) {
    page.write_fmt(text).expect("a string takes all that is written to it");
}

/// A picture with what a screen reader says of it, and a caption, which is HTML.
pub(crate) fn figure(page: &mut String, svg: &str, label: &str, caption: &str) {
    let drawing = svg.strip_prefix("<svg").unwrap_or(svg);
    put(
        page,
        format_args!(
            "<figure>\n<div class=\"wide\"><svg role=\"img\" aria-label=\"{}\"{drawing}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n",
            Text(label)
        ),
    );
}

/// A verdict as a word with a sign of its own shape, so that colour is not needed.
pub(crate) struct Chip(pub(crate) Verdict);

impl fmt::Display for Chip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<span class=\"v {0}\">{1}</span>", self.0, words(self.0))
    }
}

/// A verdict in words.
pub(crate) const fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NotApplicable => "not applicable",
        Verdict::NotRun => "not run",
        Verdict::Unreadable => "not readable",
        other => other.name(),
    }
}

/// Verdicts in the order in which readers want them: what is wrong comes first.
pub(crate) const WORST_FIRST: [Verdict; 7] = [
    Verdict::Fail,
    Verdict::Unreadable,
    Verdict::Infra,
    Verdict::NotRun,
    Verdict::Inconclusive,
    Verdict::NotApplicable,
    Verdict::Pass,
];

/// Verdicts in the order of the last line of a run.
pub(crate) const AS_TOTALLED: [Verdict; 7] = [
    Verdict::Pass,
    Verdict::Fail,
    Verdict::Inconclusive,
    Verdict::Infra,
    Verdict::NotApplicable,
    Verdict::Unreadable,
    Verdict::NotRun,
];

/// Whether a verdict has its place among the totals even if there is none of it.
pub(crate) const fn always_totalled(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Unreadable | Verdict::NotRun)
}

/// `1 run`, `2 runs`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let text = Text("<b a='1' b=\"2\">&amp;\0</b>").to_string();
        assert_eq!(text, "&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;amp;\u{fffd}&lt;/b&gt;");
    }
}
