//! How far a run is: a bar on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing may be said before a line says what is still at work.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How often the bar's clock moves on by itself.
const TICK: Duration = Duration::from_millis(250);

/// A bar on standard error, if that is a terminal that can move its cursor; it is gone at the end.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
}

/// Where a line that changes is drawn, and whether anybody sees it: on standard error, if that is a terminal that can move
/// its cursor.
pub(crate) fn on_terminal() -> (ProgressDrawTarget, bool) {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    let shown = stderr().is_terminal() && !dumb;
    (if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() }, shown)
}

impl Progress {
    /// Of a run of so many scenarios.
    #[must_use]
    pub fn new(scenarios: usize) -> Self {
        let (target, shown) = on_terminal();
        let bar = ProgressBar::with_draw_target(Some(scenarios as u64), target);
        // No colour: what is green and what is red is said in the lines.
        let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {pos}/{len} {wide_msg}");
        bar.set_style(style.expect("the template is right").progress_chars("=> "));
        if shown {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, begun: Instant::now() }
    }

    /// Whether there is a bar: then nobody needs a line to know that something is going on.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// How long the run has taken.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// One more is done.
    pub fn done(&self) {
        self.bar.inc(1);
    }

    /// What is at work.
    pub fn at_work(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Prints with the bar out of the way.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
