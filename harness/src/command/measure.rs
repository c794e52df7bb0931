//! `flagfall measure`: how fast a board's time base is, and how sure that is.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flagfall_reports::ReportError;
use flagfall_reports::measurement::{Decision, Finding, Measurement, Reference};
use flagfall_reports::plot::Plot;
use flagfall_reports::statistics::Mask;
use flagfall_trace::Verdict;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::{Measure, MeasureFault, limit};
use crate::command::{bad_input, held, infra, print, warn};
use crate::exit::Exit;
use crate::held::Held;
use crate::host_clock::HostClock;
use crate::interrupt::Interrupt;
use crate::progress::on_terminal;
use crate::rig::board::{Board, Description, OpenError, PrescalerOff, SampleError, Sampler};
use crate::terminal::{Colour, paint};
use crate::whole_folder::{FolderError, WholeFolder};

/// What is written, for programs.
pub const MEASURE: &str = "measure.json";

/// All that is written.
const FILES: [&str; 3] = [MEASURE, "reads.csv", "round-trips.svg"];

/// How long between two readings beside a real board; of a long measurement longer, so that there are at most so many.
const GAP_MIN: Duration = Duration::from_millis(10);
const READS_MAX: u32 = 100_000;

/// How many stops an emulated board makes.
const STOPS: u32 = 200;

/// How often it is looked whether a limit is decided, and what is known is shown, at most.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How often the others are told that the probes are still in use.
const RENEW_EVERY: Duration = Duration::from_secs(60);

/// What `--json` prints and `measure.json` holds.
#[derive(Serialize)]
struct Report<'a> {
    board: &'a str,
    rig: &'a str,
    /// Whether time passed there as it does for the host.
    physical_time: bool,
    interrupted: bool,
    /// What was made wrong, and whether it was found.
    fault: Option<FaultReport>,
    #[serde(flatten)]
    finding: &'a Finding,
}

/// A prescaler that was off.
#[derive(Clone, Copy, Serialize)]
struct FaultReport {
    prescaler: u32,
    instead_of: u32,
    /// The rate that it makes, rounded to the part per billion; above zero fast.
    rate_ppb: i64,
    /// Whether that rate lies in the certain interval.
    inside: bool,
}

/// Measures a board.
#[must_use]
pub fn measure(options: &Measure, colour: Colour) -> Exit {
    let description = match Description::read(&options.board) {
        Ok(description) => description,
        Err(error) => return bad_input(&error),
    };
    let limit = match options.limit.as_deref().map(limit).transpose() {
        Ok(limit) => limit,
        Err(error) => return bad_input(&error),
    };
    let interrupt = match Interrupt::listen_saying("flagfall: interrupted; what was measured is kept") {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let folder = match options.out.as_deref().map(|out| WholeFolder::begin(out, &interrupt)).transpose() {
        Ok(folder) => folder,
        Err(error @ (FolderError::Taken { .. } | FolderError::Unmovable { .. })) => return bad_input(&error),
        Err(error) => return infra(&error),
    };
    let held = match held(&description, options.wait, &interrupt) {
        Ok(held) => held,
        Err(exit) => return exit,
    };
    let (name, rig) = (description.board.clone(), description.probe.rig_name().to_owned());
    let mut board = Board::new(description).heeding(&interrupt);
    let off = match options.fault.map(|MeasureFault::Prescaler(counts)| board.prescaler_off(counts)).transpose() {
        Ok(off) => off,
        Err(error) => return bad_input(&error),
    };
    let host = HostClock::ask(options.host_off.map(|rate| rate.ppb));
    let sampler = match board.sampler(off) {
        Ok(sampler) => sampler,
        Err(error) => return failed(&name, &error),
    };
    let physical_time = sampler.has_physical_time();
    let mut series =
        Series { measurement: Measurement::default(), host, physical_time, options, limit, interrupt, held };
    let broke = series.take(sampler).err();
    let finding = series.finding(HostClock::reference);
    let interrupted = series.interrupt.is_asked();
    let fault = off.map(|off| FaultReport::of(off, &finding));
    let report = Report { board: &name, rig: &rig, physical_time, interrupted, fault, finding: &finding };
    let json = serde_json::to_string_pretty(&report).expect("a report has string keys only") + "\n";
    let mut exit = verdict(&finding, interrupted);
    exit = exit.and(match folder.map(|folder| written(folder, &json, &series.measurement)).transpose() {
        Ok(_) => Exit::Passed,
        Err(error) => infra(&error),
    });
    let text = if options.json { json } else { render(&report, options.out.as_deref(), colour) };
    exit = exit.and(print(&text));
    match broke {
        Some(error) => failed(&name, &error).and(exit),
        None => exit,
    }
}

fn verdict(finding: &Finding, interrupted: bool) -> Exit {
    let decided = finding.limit.as_ref().map(|limit| limit.decision);
    match decided {
        Some(Decision::Fail(_)) => Exit::Failed,
        _ if interrupted => Exit::Infra,
        Some(Decision::Inconclusive { .. }) => Exit::Inconclusive,
        Some(Decision::Pass) => Exit::Passed,
        None if finding.rate.is_none() && finding.changed.is_none() => Exit::Inconclusive,
        None => Exit::Passed,
    }
}

fn failed(board: &str, error: &SampleError) -> Exit {
    match error {
        SampleError::Board(_) | SampleError::Open(OpenError::Image(_)) => bad_input(&format!("{board}: {error}")),
        error => {
            let exit = infra(&format!("{board}: {error}"));
            if error.blames_the_clock() { Exit::Failed } else { exit }
        }
    }
}

/// Readings that are being taken.
struct Series<'a> {
    measurement: Measurement,
    host: HostClock,
    physical_time: bool,
    options: &'a Measure,
    limit: Option<Mask>,
    interrupt: Interrupt,
    held: Held,
}

impl Series<'_> {
    /// Reads until it is decided, the time is over, or somebody has had enough.
    fn take(&mut self, mut sampler: Sampler<'_>) -> Result<(), SampleError> {
        let bar = bar();
        let (mut looked, mut renewed) = (Instant::now(), Instant::now());
        let span_ns = i64::try_from(self.options.span.as_nanos()).unwrap_or(i64::MAX);
        let mut number = 0_u64;
        let mut broke = Ok(());
        while self.measurement.span_ns() < span_ns && !self.interrupt.is_asked() {
            broke = sampler.next(self.gap(number)).and_then(|read| Ok(self.measurement.push(read)?));
            if broke.is_err() {
                break;
            }
            number += 1;
            // Where time is not the host's, no measurement ends a reading later because the host is slow.
            if self.physical_time && looked.elapsed() < LOOK_EVERY {
                continue;
            }
            let finding = self.finding(HostClock::so_far);
            bar.set_message(finding.live());
            // What is known of the host on the way is from before: it is asked anew before that ends the measurement.
            if is_decided(&finding) && is_decided(&self.finding(HostClock::reference)) {
                break;
            }
            if renewed.elapsed() > RENEW_EVERY {
                renewed = Instant::now();
                if let Err(error) = self.held.renew() {
                    bar.suspend(|| warn(&format!("flagfall: {error}")));
                }
            }
            looked = Instant::now();
        }
        bar.finish_and_clear();
        broke.or_else(|error| if error.is_interrupted() { Ok(()) } else { Err(error) })
    }

    /// How long until the next reading: never a whole number of ticks, so that readings fall anywhere in them.
    fn gap(&self, number: u64) -> Duration {
        let even = if self.physical_time {
            GAP_MIN.max(self.options.span / READS_MAX)
        } else {
            (self.options.span / STOPS).max(Duration::from_millis(1))
        };
        // The golden ratio spreads any number of readings evenly over a millisecond.
        even + Duration::from_nanos(number * 618_034 % 1_000_000)
    }

    fn finding(&self, reference: fn(&HostClock, i64) -> Reference) -> Finding {
        let reference =
            if self.physical_time { reference(&self.host, self.measurement.span_ns()) } else { Reference::SameClock };
        self.measurement.finding(&reference, self.limit.as_ref())
    }
}

fn is_decided(finding: &Finding) -> bool {
    finding.limit.as_ref().is_some_and(|limit| !matches!(limit.decision, Decision::Inconclusive { .. }))
}

/// A line that shows what is known so far, on a terminal that can move its cursor.
fn bar() -> ProgressBar {
    let (target, _) = on_terminal();
    let bar = ProgressBar::with_draw_target(None, target);
    bar.set_style(ProgressStyle::with_template("{elapsed_precise} {wide_msg}").expect("the template is right"));
    bar
}

impl FaultReport {
    fn of(off: PrescalerOff, finding: &Finding) -> Self {
        let PrescalerOff { of, count } = off;
        let inside = finding.rate.is_some_and(|rate| rate.holds_ratio(of, count));
        let twice = (i64::from(of) - i64::from(count)) * 2_000_000_000 + i64::from(count);
        let rate_ppb = twice.div_euclid(2 * i64::from(count));
        Self { prescaler: count, instead_of: of, rate_ppb, inside }
    }

    fn line(&self) -> String {
        let Self { prescaler, instead_of, rate_ppb, inside } = self;
        let sign = if *rate_ppb < 0 { '-' } else { '+' };
        let (whole, part) = (rate_ppb.unsigned_abs() / 1_000, rate_ppb.unsigned_abs() % 1_000);
        let found = if *inside { "inside the interval" } else { "NOT inside the interval" };
        format!(
            "  fault      prescaler {prescaler} instead of {instead_of} makes {sign}{whole}.{part:03} ppm, {found}\n"
        )
    }
}

fn written(folder: WholeFolder, json: &str, measurement: &Measurement) -> Result<(), FolderError> {
    let drawn = |error: ReportError| FolderError::Content(error.to_string());
    let plot = measurement.plot().svg().map_err(drawn)?.file();
    let [named, reads, trips] = FILES;
    folder.finish(&[(named, json), (reads, &measurement.csv()), (trips, &plot)])
}

fn render(report: &Report<'_>, out: Option<&Path>, colour: Colour) -> String {
    let colour = colour.on(&std::io::stdout());
    let verdict = match report.finding.limit.as_ref().map(|limit| limit.decision) {
        Some(Decision::Pass) => Verdict::Pass,
        Some(Decision::Fail(_)) => Verdict::Fail,
        Some(Decision::Inconclusive { .. }) | None => Verdict::Inconclusive,
    };
    let mut text = format!("{} on {}\n", report.board, report.rig);
    for line in report.finding.text().lines() {
        let painted = line.starts_with("  limit") && report.finding.limit.is_some();
        text += &if painted { paint(line, verdict, colour) } else { line.to_owned() };
        text.push('\n');
    }
    if let Some(fault) = &report.fault {
        text += &fault.line();
    }
    if report.interrupted {
        text += "  interrupted: what was measured until then\n";
    }
    let plot: Option<PathBuf> = out.map(|out| out.join(FILES[2]));
    if let Some(plot) = plot {
        text += &format!("plot: {}\n", plot.display());
    }
    text
}
