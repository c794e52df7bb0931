//! What a reset cost the clock: it comes back as it was when it was kept last.

use flagfall_trace::{Check, Reset, Subject, Trace, Verdict};

use super::seconds;

/// Whether no reset cost the clock more than it may; `None` where a rig has seen none.
#[must_use]
pub fn check_kept(trace: &Trace) -> Option<Check> {
    let lost = |reset: &Reset| if ran(trace, reset) { reset.at_ticks.saturating_sub(reset.kept_ticks) } else { 0 };
    let worst = trace.resets.iter().max_by_key(|reset| lost(reset).saturating_sub(reset.lost_ticks_max))?;
    let is_within = lost(worst) <= worst.lost_ticks_max;
    let in_words = |ticks: u64| seconds(ticks.into(), trace);
    Some(Check {
        subject: Subject::Clock,
        rulebook: None,
        verdict: if is_within { Verdict::Pass } else { Verdict::Fail },
        what: "kept over the reset".into(),
        expected: format!("no more than {} of the running side's time lost", in_words(worst.lost_ticks_max)),
        found: format!(
            "{} lost; {} ns without supply were added to true time, {} ns more or less",
            in_words(lost(worst)),
            worst.off_ns,
            worst.uncertainty_ns
        ),
        line: None,
    })
}

/// Whether a side ran when it was kept last: of a clock that stands nothing is lost, however long ago that was.
fn ran(trace: &Trace, reset: &Reset) -> bool {
    let before = trace.records.iter().take_while(|stamped| stamped.record.at.ticks() <= reset.kept_ticks);
    before.last().is_some_and(|stamped| stamped.record.running().is_some())
}
