//! Run records as JUnit XML, one suite for each rig.
//!
//! `fail` is a failure, `infra`, `inconclusive`, `not-run` and `unreadable` are errors (none says that the clock is good, so
//! none may look green), `not-applicable` is skipped. There are no times and no dates: those belong to the host, not to the clock.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use flagfall_trace::{Check, RunRecord, Subject, Verdict};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestRerun, TestSuite};

use crate::error::ReportError;
use crate::results::Records;

/// The records as JUnit XML; suites in the order of their rigs' names, cases in the order of the records.
///
/// # Errors
/// [`ReportError::Junit`] if the XML writer fails, which it has no reason to.
pub fn junit(records: &[RunRecord]) -> Result<String, ReportError> {
    let mut suites = BTreeMap::new();
    records.iter().for_each(|record| add(&mut suites, record));
    written(suites)
}

/// The records of a folder of results as JUnit XML; one record is in memory at a time, and of each what the XML says.
///
/// # Errors
/// Those of [`crate::read_results`] and of [`junit`].
pub fn junit_of(folder: &Path) -> Result<String, ReportError> {
    let mut suites = BTreeMap::new();
    for line in Records::open(folder)? {
        add(&mut suites, &line?.1);
    }
    written(suites)
}

fn add(suites: &mut BTreeMap<String, TestSuite>, record: &RunRecord) {
    let suite = suites.entry(record.rig.clone()).or_insert_with(|| TestSuite::new(&*writable(&record.rig)));
    suite.add_test_case(case(record));
}

fn written(suites: BTreeMap<String, TestSuite>) -> Result<String, ReportError> {
    let mut report = Report::new("flagfall");
    report.add_test_suites(suites.into_values());
    Ok(report.to_string()?)
}

fn case(record: &RunRecord) -> TestCase {
    let mut case = TestCase::new(&*writable(&record.scenario), status(record));
    let family = record.scenario.split_once('/').map_or("", |(family, _)| family);
    case.set_classname(&*writable(&format!("{}.{family}", record.rig)));
    case.set_assertions(record.checks.len());
    case.add_property(("title", &*writable(&record.title)));
    case.add_property(("points", &*writable(&record.points.join(" "))));
    case.add_property(("verdict", record.verdict.name()));
    if let Some(hash) = &record.trace_hash {
        case.add_property(("trace-hash", hash.as_str()));
    }
    case
}

/// How it came out. Tries before the last are its reruns: `flakyError` where it passed in the end, `rerunError` where not.
fn status(record: &RunRecord) -> TestCaseStatus {
    let mut status = last_try(record);
    if let (Some(retried), false) = (&record.retried, record.verdict == Verdict::NotApplicable) {
        for time in 1..=retried.times {
            let mut rerun = TestRerun::new(NonSuccessKind::Error);
            let cause = if time == 1 { first_line(&retried.first_cause) } else { "the bench failed again" };
            rerun.set_message(&*writable(cause)).set_type(Verdict::Infra.name());
            status.add_rerun(rerun);
        }
    }
    status
}

fn last_try(record: &RunRecord) -> TestCaseStatus {
    let mut status = match record.verdict {
        Verdict::Pass => return TestCaseStatus::success(),
        Verdict::NotApplicable => TestCaseStatus::skipped(),
        Verdict::Inconclusive | Verdict::Infra | Verdict::NotRun | Verdict::Unreadable => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
    };
    let open: Vec<&Check> = record.checks.iter().filter(|check| check.verdict != Verdict::Pass).collect();
    let worst = open.iter().copied().find(|check| check.verdict == record.verdict);
    let message = match (&record.reason, worst) {
        (Some(reason), _) => first_line(reason).to_owned(),
        (None, Some(check)) => first_line(&sentence(check)).to_owned(),
        (None, None) => record.verdict.to_string(),
    };
    status.set_message(&*writable(&message));
    status.set_type(match worst {
        Some(check) if record.verdict == Verdict::Fail => subject(check.subject),
        _ => record.verdict.name(),
    });
    let mut text = record.reason.as_ref().filter(|reason| reason.contains('\n')).cloned().unwrap_or_default();
    if !open.is_empty() || !text.is_empty() {
        for check in open {
            writeln!(text, "{}: {}", check.verdict, sentence(check)).expect("a string takes all that is written to it");
        }
        status.set_description(&*writable(&text));
    }
    status
}

/// The text with what XML cannot hold written as its escape, the line breaks left.
fn writable(text: &str) -> Cow<'_, str> {
    let forbidden = |character: char| {
        let is_break = matches!(character, '\n' | '\t');
        (character.is_control() && !is_break) || matches!(character, '\u{fffe}' | '\u{ffff}')
    };
    if !text.contains(forbidden) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if forbidden(character) {
            written.extend(character.escape_default());
        } else {
            written.push(character);
        }
    }
    Cow::Owned(written)
}

/// `result under cbx (line 12): expected draw, found white-wins`.
fn sentence(check: &Check) -> String {
    let line = check.line.map_or(String::new(), |line| format!(" (line {line})"));
    format!("{}{line}: expected {}, found {}", check.what, check.expected, check.found)
}

/// The first line of a reason, which says the most.
pub(crate) fn first_line(reason: &str) -> &str {
    reason.lines().next().unwrap_or_default()
}

/// What a check is about, as files write it.
pub(crate) const fn subject(subject: Subject) -> &'static str {
    match subject {
        Subject::Clock => "clock",
        Subject::Ruling => "ruling",
        Subject::Bench => "bench",
    }
}
