//! The picture of a timeline: a lane for each side, marks for what happened, long idle times shortened.
//!
//! It is drawn here and not by the page's script, so that a reader without the script has it too. The script moves the
//! line of the present over it, by the places that [`Scale::places`] gives.

use std::collections::BTreeSet;

use flagfall_core::{Phase, Side};

use super::html::{Text, put};
use crate::course::{Course, Point};
use crate::timeline::{self, Mark, TimelineLine};

/// Heights of the drawing, in pixels.
const HALL: f64 = 24.0;
const LANE: [f64; 2] = [56.0, 118.0];
const BAR: f64 = 18.0;
const AXIS: f64 = 164.0;
const HEIGHT: f64 = 204.0;

/// Room at both ends.
const MARGIN: f64 = 28.0;

/// Least width of what lies between.
const ROOM: f64 = 900.0;

/// Most width that a sheet takes, at the two thirds of its size in which style.css prints it.
const PAPER: f64 = 960.0;

/// Average width of a letter.
const LETTER: f64 = 6.2;

const NS_PER_S: f64 = 1e9;

/// Where instants stand in the picture.
pub(super) struct Scale {
    /// Instants in nanoseconds, ascending, each once, the beginning and the end of the run among them.
    times: Vec<i64>,
    places: Vec<f64>,
}

impl Scale {
    pub(super) fn of(lines: &[TimelineLine], end_ns: i64) -> Self {
        let times: BTreeSet<i64> = lines.iter().map(|line| line.true_time.ns()).chain([0, end_ns]).collect();
        let times: Vec<i64> = times.into_iter().collect();
        let gaps: Vec<f64> =
            times.windows(2).map(|pair| 20.0 + 6.5 * (1.0 + (pair[1] - pair[0]) as f64 / 5e7).log2()).collect();
        let sum: f64 = gaps.iter().sum();
        let stretch = if sum > 0.0 { (ROOM / sum).max(1.0) } else { 1.0 };
        let mut places = vec![MARGIN];
        for gap in gaps {
            places.push(places[places.len() - 1] + gap * stretch);
        }
        Self { times, places }
    }

    /// Instants and their places, in tenths of a pixel so that the page is the same on every machine.
    pub(super) fn places(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        self.times.iter().copied().zip(self.places.iter().map(|x| (x * 10.0).round() / 10.0))
    }

    /// Whether it can be read on a sheet; what cannot is not printed, as its events stand below in words.
    pub(super) fn fits_on_paper(&self) -> bool {
        self.width() <= PAPER
    }

    fn width(&self) -> f64 {
        self.places.last().copied().unwrap_or(MARGIN) + MARGIN
    }

    fn x(&self, ns: i64) -> f64 {
        let above = self.times.partition_point(|time| *time <= ns).clamp(1, self.times.len().max(2) - 1);
        let (Some(from), Some(to)) = (self.times.get(above - 1), self.times.get(above)) else { return MARGIN };
        let part = ((ns - from) as f64 / (to - from) as f64).clamp(0.0, 1.0);
        self.places[above - 1] + part * (self.places[above] - self.places[above - 1])
    }
}

/// The drawing; `differs_ns` is where this run parts from another rig's.
pub(super) fn draw(page: &mut String, lines: &[TimelineLine], course: &Course, scale: &Scale, differs_ns: Option<i64>) {
    let width = scale.width().ceil();
    put(
        page,
        format_args!(
            "<svg width=\"{width}\" height=\"{HEIGHT}\" viewBox=\"0 0 {width} {HEIGHT}\" aria-hidden=\"true\">"
        ),
    );
    for lane in LANE {
        let y = lane + BAR / 2.0 - 1.0;
        put(page, format_args!("<path d=\"M0 {y}h{width}v2h-{width}z\" class=\"ground\"/>"));
    }
    let end_ns = lines.last().map_or(0, |line| line.true_time.ns());
    axis(page, scale);
    clock(page, course, scale, end_ns);
    if let Some(ns) = differs_ns {
        put(page, format_args!("<path d=\"M{:.1} 2V{AXIS}\" class=\"differs\"/>", scale.x(ns)));
    }
    marks(page, lines, scale);
    put(page, format_args!("<path d=\"M0 2V{AXIS}\" class=\"cursor\"/></svg>"));
}

/// Text that leaves out what would run into the text before it.
struct Labels {
    end: f64,
}

impl Labels {
    const fn new() -> Self {
        Self { end: f64::NEG_INFINITY }
    }

    fn put(&mut self, page: &mut String, text: &str, x: f64, y: f64, centred: bool) {
        let size = text.chars().count() as f64 * LETTER;
        let left = if centred { x - size / 2.0 } else { x };
        if text.is_empty() || left < self.end + 5.0 {
            return;
        }
        self.end = left + size;
        let class = if centred { " class=\"c\"" } else { "" };
        put(page, format_args!("<text x=\"{x:.1}\" y=\"{y}\"{class}>{}</text>", Text(text)));
    }
}

fn axis(page: &mut String, scale: &Scale) {
    put(page, format_args!("<path d=\"M0 {AXIS}H{:.0}", scale.width()));
    for x in &scale.places {
        put(page, format_args!("M{x:.1} {AXIS}v4"));
    }
    page.push_str("\" class=\"axis\"/>");
    let (mut times, mut gaps) = (Labels::new(), Labels::new());
    let mut said = String::new();
    for (index, (ns, x)) in scale.times.iter().zip(&scale.places).enumerate() {
        let text = hms(*ns);
        // Instants less than a millisecond apart read alike: one of them is enough.
        if text != said {
            times.put(page, &text, *x, AXIS + 17.0, true);
        }
        said = text;
        if index > 0 {
            let (from, text) = (scale.places[index - 1], gap(ns - scale.times[index - 1]));
            if text.chars().count() as f64 * LETTER + 4.0 < x - from {
                gaps.put(page, &text, from + (x - from) / 2.0, AXIS + 33.0, true);
            }
        }
    }
}

/// Whose time runs, as bars; stretches of one phase are one bar, with the delays inside.
fn clock(page: &mut String, course: &Course, scale: &Scale, end_ns: i64) {
    let points = course.points();
    let ends = |index: usize| points.get(index + 1).map_or(end_ns, |next| next.true_time.ns());
    let mut bar = |from: i64, to: i64, lane: usize, class: &str, inset: f64| {
        let x = scale.x(from);
        let width = (scale.x(to) - x).max(0.5);
        let (y, height) = (LANE[lane] + inset, BAR - 2.0 * inset);
        put(page, format_args!("<path d=\"M{x:.1} {y}h{width:.1}v{height}h-{width:.1}z\" class=\"{class}\"/>"));
    };
    let mut index = 0;
    while index < points.len() {
        let first = &points[index];
        let mut last = index;
        while points.get(last + 1).is_some_and(|next| next.phase == first.phase) {
            last += 1;
        }
        let (from, to) = (first.true_time.ns(), ends(last));
        if to > from {
            match first.phase {
                Phase::Ready => {}
                Phase::Running(side) => {
                    bar(from, to, lane(side), ["lane-0", "lane-1"][lane(side)], 0.0);
                    for (point, index) in points[index..=last].iter().zip(index..) {
                        if point.delay_ticks > 0 {
                            bar(
                                point.true_time.ns(),
                                delay_end(point, course).min(ends(index)),
                                lane(side),
                                "delay",
                                1.5,
                            );
                        }
                    }
                }
                Phase::Paused(_) | Phase::Frozen(_) => (0..2).for_each(|lane| bar(from, to, lane, "stands", 0.0)),
            }
        }
        index = last + 1;
    }
}

fn delay_end(point: &Point, course: &Course) -> i64 {
    let ns = course.device_ns(i128::from(point.delay_ticks));
    point.true_time.ns().saturating_add(i64::try_from(ns).unwrap_or(i64::MAX))
}

const fn lane(side: Side) -> usize {
    side.index() as usize
}

fn marks(page: &mut String, lines: &[TimelineLine], scale: &Scale) {
    let mut rows = [Labels::new(), Labels::new(), Labels::new()];
    for line in lines {
        let x = scale.x(line.true_time.ns());
        let side = timeline::lane(line).map(lane);
        let (shape, y, class) = mark(line, side);
        put(
            page,
            format_args!(
                "<use href=\"#m-{shape}\" x=\"{x:.1}\" y=\"{y}\" class=\"m{class}\"><title>{} {}</title></use>",
                hms(line.true_time.ns()),
                Text(&line.event)
            ),
        );
        let label_y = side.map_or(HALL - 11.0, |lane| LANE[lane] - 14.0);
        let label_x = if shape == "flag" { x + 14.0 } else { x - 3.0 };
        rows[side.map_or(2, |lane| lane)].put(page, &line.label, label_x, label_y, false);
    }
}

/// Shape, height and class of a mark.
fn mark(line: &TimelineLine, side: Option<usize>) -> (&'static str, f64, &'static str) {
    let y = side.map_or(HALL, |lane| LANE[lane] - 7.0);
    match (line.mark, side) {
        (Mark::Press, Some(lane)) if line.device.is_none() => ("press", LANE[lane] + BAR + 3.0, " missed"),
        (Mark::Press, Some(lane)) => ("press", LANE[lane] + BAR + 3.0, ""),
        (Mark::Flag, Some(lane)) => ("flag", LANE[lane], " flag"),
        (Mark::Fault, _) => ("fault", y, " fault"),
        (Mark::Arbiter, _) => ("arbiter", y, ""),
        (Mark::Device, _) => ("device", y, ""),
        (Mark::End, _) => ("end", HALL, " read"),
        (Mark::Read, _) => ("dot", y, " read"),
        _ => ("dot", y, " hall"),
    }
}

/// An instant as a clock on the wall would show it, to the millisecond: `1:02:03.5`.
fn hms(ns: i64) -> String {
    let ms = (ns.unsigned_abs() + 500_000) / 1_000_000;
    let (h, m, s) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    let mut text = if ns < 0 { "-".to_owned() } else { String::new() };
    text += &if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m}:{s:02}") };
    if !ms.is_multiple_of(1_000) {
        text += format!(".{:03}", ms % 1_000).trim_end_matches('0');
    }
    text
}

/// What lies between two instants: `+2.5 s`, `+1 h 3 min`.
fn gap(ns: i64) -> String {
    let size = ns as f64;
    if size >= 119.5 * NS_PER_S {
        let s = (size / NS_PER_S).round() as u64;
        let (h, m, s) = (s / 3_600, s / 60 % 60, s % 60);
        return match (h, m, s) {
            (0, m, 0) => format!("+{m} min"),
            (0, m, s) => format!("+{m} min {s} s"),
            (h, 0, _) => format!("+{h} h"),
            (h, m, _) => format!("+{h} h {m} min"),
        };
    }
    let (unit, name) =
        [(NS_PER_S, "s"), (1e6, "ms"), (1e3, "µs")].into_iter().find(|(unit, _)| size >= *unit).unwrap_or((1.0, "ns"));
    let value = size / unit;
    let decimals = (3.0 - value.max(1.0).log10().floor()).max(0.0) as usize;
    let text = format!("{value:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("+{text} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{self, Bench};

    #[test]
    fn instants_and_gaps_read_well() {
        assert_eq!(hms(3_723_500_000_000), "1:02:03.5");
        assert_eq!((hms(-1_000_000_000), hms(999_999_999)), ("-0:01".to_owned(), "0:01".to_owned()));
        assert_eq!(gap(2_500_000_000), "+2.5 s");
        assert_eq!(
            (gap(400), gap(12_345), gap(1_000_000_000)),
            ("+400 ns".to_owned(), "+12.35 µs".to_owned(), "+1 s".to_owned())
        );
        assert_eq!((gap(3_780_000_000_000), gap(120_000_000_000)), ("+1 h 3 min".to_owned(), "+2 min".to_owned()));
    }

    #[test]
    fn a_later_instant_stands_further_right_and_the_ends_are_inside() {
        let trace = Bench::EXACT.run(&bench::both_flags());
        let lines = timeline::lines(&trace);
        let end = lines.last().expect("the end").true_time.ns();
        let scale = Scale::of(&lines, end);
        let places: Vec<_> = scale.places().collect();
        assert!(places.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        assert_eq!((scale.x(-5), scale.x(0)), (MARGIN, MARGIN));
        assert!((scale.x(end) + MARGIN - scale.width()).abs() < 1e-6 && scale.x(i64::MAX) <= scale.width());
        let nothing = Scale::of(&[], 0);
        assert_eq!((nothing.x(7), nothing.width()), (MARGIN, 2.0 * MARGIN));
    }

    #[test]
    fn each_event_has_a_mark_and_a_press_that_was_lost_another() {
        let trace = Bench::EXACT.run(&bench::both_flags());
        let (lines, course) = (timeline::lines(&trace), Course::of(&trace));
        let scale = Scale::of(&lines, lines.last().expect("the end").true_time.ns());
        let mut svg = String::new();
        draw(&mut svg, &lines, &course, &scale, Some(26_000_000_000));
        assert_eq!(svg.matches("<use ").count(), lines.len());
        assert_eq!(svg.matches("class=\"m flag\"").count(), 1);
        assert_eq!(svg.matches("class=\"m missed\"").count(), 1);
        assert_eq!(svg.matches("class=\"differs\"").count(), 1);
        assert!(svg.contains("class=\"lane-0\"") && svg.contains("class=\"lane-1\"") && !svg.contains("NaN"));
    }
}
