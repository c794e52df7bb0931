//! What is printed for people: colour on a terminal, unless `NO_COLOR`, `TERM=dumb` or `--color never` says otherwise, and numbers with
//! their nouns.

use std::io::IsTerminal;

use flagfall_trace::Verdict;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal that knows colours, unless the environment has `NO_COLOR`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    /// Whether to colour what goes to this stream.
    #[must_use]
    pub fn on(self, stream: &impl IsTerminal) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                stream.is_terminal() && !is_dumb && !unwanted
            }
        }
    }
}

/// A text in the colour of a verdict.
#[must_use]
pub fn paint(text: &str, verdict: Verdict, colour: bool) -> String {
    let code = match verdict {
        Verdict::Pass => "32",
        Verdict::NotApplicable => "2",
        Verdict::Inconclusive => "33",
        Verdict::Infra | Verdict::NotRun => "35",
        Verdict::Unreadable | Verdict::Fail => "1;31",
    };
    if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// A text of several lines whose first line stands behind something: the others begin at this column.
#[must_use]
pub fn below(text: &str, column: usize) -> String {
    text.trim_end().replace('\n', &format!("\n{:column$}", ""))
}

/// `1 scenario`, `2 scenarios`.
#[must_use]
pub fn count(n: usize, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}
