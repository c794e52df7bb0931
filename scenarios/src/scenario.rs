//! A scenario read and checked: everything that a run and its judges need, and the place of every step.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use flagfall_core::{BySide, Setup, Side, TickRate};
use flagfall_judge::{ClockExpectation, Expectation, ExpectedRuling, Point};
use flagfall_trace::plan::Regulations;
use flagfall_trace::{Act, ClockKind, Draft, OscillatorSpec};

use crate::board::Position;
use crate::diagnostics::{Complaint, Diagnostics, Problem, SourceText, suggestion};
use crate::printable::is_hidden;
use crate::raw::{RawOpening, RawRegulations, RawScenario};
use crate::spans::Node;
use crate::time::span_ms;
use crate::timeline::{Given, StepPlace, Timeline, Written};
use crate::{dial, expect, language, oscillator, rulings, setup, shape, spans};

/// A scenario file, understood.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// `family/file-stem`, unique among the scenarios of a run.
    pub id: String,
    /// What the case is about, in a few words.
    pub title: String,
    /// The file as it was named when it was read.
    pub path: PathBuf,
    /// The rule points that the case turns on; at least one.
    pub points: Vec<Point>,
    /// What this case shows that no other with the same points does.
    pub purpose: Option<String>,
    /// The requirements for clocks that the case is a proof of, by their ids, sorted.
    pub requirements: Vec<String>,
    /// Where the case comes from: rulebook key and article.
    pub sources: BTreeMap<String, String>,
    /// What is to happen, its instants still expressions.
    pub draft: Draft,
    /// The line of each step of the draft.
    pub step_lines: Vec<u32>,
    /// What the faces must show.
    pub expectations: Vec<Expectation>,
    /// What the oracle must find.
    pub clock: ClockExpectation,
    /// What each rulebook must rule, by its key.
    pub rulings: BTreeMap<String, Vec<ExpectedRuling>>,
    source: Arc<SourceText>,
    /// The place of each step, then that of the end.
    places: Vec<StepPlace>,
    /// Where each rulebook is named that `rulings` expects something of.
    rulebook_places: BTreeMap<String, Range<usize>>,
}

impl Scenario {
    /// Checks that every rulebook of which something is expected is among these, so that no expectation is passed over.
    ///
    /// # Errors
    /// [`Diagnostics`] with the place of each key that is unknown and the known one spelled most like it.
    pub fn check_rulebooks(&self, known: &[&str]) -> Result<(), Diagnostics> {
        let unknown = self.rulebook_places.iter().filter(|(key, _)| !known.contains(&key.as_str()));
        let problems: Vec<Problem> = unknown
            .map(|(key, bytes)| {
                let complaint = Complaint::new(format!("there is no rulebook `{key}`")).help(suggestion(key, known));
                Problem::at(bytes.clone(), complaint)
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(Diagnostics::new(self.source.clone(), problems)) }
    }

    /// A message about a step of the draft with the place of that step; an index beyond the steps is the end.
    #[must_use]
    pub fn diagnose_step(&self, step: usize, message: &str) -> Diagnostics {
        let bytes = self.places.get(step).or(self.places.last()).map_or(0..0, |place| place.bytes.clone());
        Diagnostics::new(self.source.clone(), vec![Problem::at(bytes, Complaint::new(message))])
    }
}

/// Reads a scenario from its text.
///
/// `name` is the file as the user knows it, `id` is `family/file-stem`.
///
/// # Errors
/// [`Diagnostics`] with everything that is wrong: all problems of YAML, or else all of its shape (keys, words, missing
/// parts), or else all of its meaning.
pub fn read_str(name: &str, id: &str, text: &str) -> Result<Scenario, Diagnostics> {
    let source = Arc::new(SourceText::new(name, text));
    let text = source.text.as_str();
    let wrong = |problems| Diagnostics::new(source.clone(), problems);
    let root = spans::tree(text, spans::Holds::Scenario).map_err(wrong)?;
    let mut problems = Vec::new();
    shape::check(text, &root, &language::SCENARIO, &mut problems);
    if !problems.is_empty() {
        return Err(wrong(problems));
    }
    let raw: RawScenario = serde_yaml::from_str(text).map_err(|error| wrong(vec![unread(&error, text)]))?;
    let mut meaning = Meaning { source: &source, problems };
    let parts = Parts::read(&mut meaning, &raw, &root);
    match parts {
        Some(parts) if meaning.problems.is_empty() => Ok(parts.into_scenario(raw, id, source.clone())),
        _ => Err(wrong(meaning.problems)),
    }
}

/// What the YAML reader refuses although its shape is right.
fn unread(error: &serde_yaml::Error, text: &str) -> Problem {
    let at = error.location().map_or(0, |location| location.index().min(text.len()));
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    Problem::at(at..at, Complaint::new(format!("this cannot be read: {error}")))
}

/// Collects what is wrong while a scenario is understood.
pub(crate) struct Meaning<'a> {
    source: &'a SourceText,
    problems: Vec<Problem>,
}

impl Meaning<'_> {
    /// Whether nothing wrong has been found so far.
    pub(crate) const fn is_right(&self) -> bool {
        self.problems.is_empty()
    }

    /// Adds a problem whose place is known.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Adds a complaint about a value.
    pub(crate) fn complain(&mut self, node: &Node, complaint: Complaint) {
        let bytes = match &complaint.within {
            Some(within) => node.part(&self.source.text, within.clone()),
            None => node.place(&self.source.text),
        };
        self.problems.push(Problem::at(bytes, complaint));
    }

    /// The value, or nothing and a complaint about it.
    pub(crate) fn take<T, E: Into<Complaint>>(&mut self, node: &Node, read: Result<T, E>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(error) => {
                self.complain(node, error.into());
                None
            }
        }
    }
}

/// The parts of a scenario that had to be understood.
struct Parts {
    points: Vec<Point>,
    requirements: Vec<String>,
    setup: Setup,
    device_setup: Option<Setup>,
    clock_kind: ClockKind,
    tick_rate: TickRate,
    regulations: Regulations,
    oscillator: OscillatorSpec,
    position: String,
    board: bool,
    written: Written,
    clock: ClockExpectation,
    rulings: BTreeMap<String, Vec<ExpectedRuling>>,
    rulebook_places: BTreeMap<String, Range<usize>>,
}

impl Parts {
    /// Understands every part, going on after a problem as long as there is something to look at.
    fn read(meaning: &mut Meaning<'_>, raw: &RawScenario, root: &Node) -> Option<Self> {
        one_line(meaning, &raw.scenario, root.at("scenario"));
        one_line(meaning, raw.purpose.as_deref().unwrap_or_default(), root.at("purpose"));
        let points = points(meaning, &raw.points, root.at("points"));
        let requirements = requirements(meaning, &raw.requirements, root.at("requirements"));
        let tick_rate = tick_rate(meaning, raw.tick_hz, root.at("tick_hz"));
        let regulations = regulations(meaning, raw.regulations.as_ref(), root.at("regulations"));
        let place = root.at("oscillator");
        let oscillator = oscillator::read(meaning, raw.oscillator.as_ref(), place, tick_rate, raw.seed.is_some());
        let opening = (raw.opening.as_ref(), root.at("opening"));
        let setup = setup::game(meaning, &raw.control, root.at("control"), opening.0, opening.1);
        let place = root.at("wrong_setting");
        let device_setup = match (&raw.wrong_setting, setup) {
            (Some(wrong), Some(right)) => setup::wrong(meaning, wrong, right, place),
            _ => None,
        };
        let clock_kind = dial::kind(meaning, &raw.control, root.at("control"));
        if raw.oscillator.is_some() && !clock_kind.is_digital() {
            let complaint = Complaint::new("an analogue clock has two movements and no oscillator");
            meaning.complain(root.at("oscillator"), complaint);
        }
        if raw.wrong_setting.is_some() && !clock_kind.is_digital() {
            let complaint = Complaint::new("the hands of an analogue clock are set by `opening` and `set`");
            meaning.complain(place, complaint);
        }
        let position = position(meaning, raw.opening.as_ref(), root.at("opening").at("position"));
        let given = Given {
            tick_rate,
            clock_kind,
            periods: most_periods([setup, device_setup]),
            position: position.clone(),
            seed: raw.seed,
        };
        let written = timeline(meaning, raw, root, given);
        let has_fault = written.steps.iter().any(|step| matches!(step.act, Act::Fault(_)));
        let clock = expect::clock(meaning, raw.clock.as_ref(), root.at("clock"), has_fault);
        let rulings = rulings::read(meaning, &raw.rulings, root.at("rulings"), &points);
        let rulebook_places = key_places(root.at("rulings"), &raw.rulings);
        let mut setup = setup?;
        setup.first = written.first.unwrap_or(Side::White);
        let device_setup = device_setup.map(|wrong| Setup { first: setup.first, ..wrong });
        if !clock_kind.is_digital() {
            dial::mechanical(&mut setup);
        }
        dial::fits(meaning, &clock_kind, &setup, &raw.control, root.at("control"));
        Some(Self {
            points,
            requirements,
            setup,
            device_setup,
            clock_kind,
            tick_rate,
            regulations,
            oscillator,
            position: position?.to_string(),
            board: tells_of_the_board(raw),
            written,
            clock,
            rulings,
            rulebook_places,
        })
    }

    fn into_scenario(self, raw: RawScenario, id: &str, source: Arc<SourceText>) -> Scenario {
        let Written { steps, end, places, expectations, .. } = self.written;
        let step_lines = places.iter().take(steps.len()).map(|place| place.line).collect();
        let draft = Draft {
            scenario: id.to_owned(),
            seed: raw.seed.unwrap_or(0),
            tick_rate: self.tick_rate,
            setup: self.setup,
            device_setup: self.device_setup,
            clock_kind: self.clock_kind,
            regulations: self.regulations,
            position: self.position,
            board: self.board,
            oscillator: self.oscillator,
            steps,
            end,
        };
        Scenario {
            id: id.to_owned(),
            title: raw.scenario,
            path: PathBuf::from(&source.name),
            points: self.points,
            purpose: raw.purpose,
            requirements: self.requirements,
            sources: raw.sources,
            draft,
            step_lines,
            expectations,
            clock: self.clock,
            rulings: self.rulings,
            source,
            places,
            rulebook_places: self.rulebook_places,
        }
    }
}

/// Whether presses without a move are meant as such although no move is made: the file gives a position, or says that it
/// is about them.
fn tells_of_the_board(raw: &RawScenario) -> bool {
    let about = |name: &String| name.parse() == Ok(Point::B7);
    raw.opening.as_ref().is_some_and(|opening| opening.position.is_some()) || raw.points.iter().any(about)
}

/// Titles are printed in the lines of lists, so that they are lines themselves.
fn one_line(meaning: &mut Meaning<'_>, text: &str, node: &Node) {
    if text.contains(is_hidden) {
        let complaint = Complaint::new("this has line breaks or control characters")
            .help("write it as one line; a text that is folded over several begins with `>-`");
        meaning.complain(node, complaint);
    }
}

/// Where the keys of a mapping stand.
fn key_places<T>(node: &Node, keys: &BTreeMap<String, T>) -> BTreeMap<String, Range<usize>> {
    let place = |key: &String| node.entry(key).map_or(node.bytes.clone(), |entry| entry.key_bytes.clone());
    keys.keys().map(|key| (key.clone(), place(key))).collect()
}

fn points(meaning: &mut Meaning<'_>, raw: &[String], node: &Node) -> Vec<Point> {
    let mut points = Vec::new();
    for (index, name) in raw.iter().enumerate() {
        let Ok(point) = name.parse::<Point>() else { continue };
        if points.contains(&point) {
            meaning.complain(node.item(index), Complaint::new(format!("`{name}` is listed twice")));
        } else {
            points.push(point);
        }
    }
    points
}

/// The requirements that are named; that they exist is a matter of shape.
fn requirements(meaning: &mut Meaning<'_>, raw: &[String], node: &Node) -> Vec<String> {
    let mut requirements: Vec<String> = Vec::new();
    for (index, id) in raw.iter().enumerate() {
        if requirements.contains(id) {
            meaning.complain(node.item(index), Complaint::new(format!("`{id}` is listed twice")));
        } else {
            requirements.push(id.clone());
        }
    }
    requirements.sort_unstable();
    requirements
}

fn tick_rate(meaning: &mut Meaning<'_>, raw: Option<u32>, node: &Node) -> TickRate {
    let Some(hz) = raw else { return TickRate::MHZ };
    let rate = TickRate::new(hz).map_err(|error| Complaint::new(error.to_string()));
    meaning.take(node, rate).unwrap_or(TickRate::MHZ)
}

fn regulations(meaning: &mut Meaning<'_>, raw: Option<&RawRegulations>, node: &Node) -> Regulations {
    let default_time_ms = raw
        .and_then(|raw| raw.default_time.as_deref())
        .and_then(|text| meaning.take(node.at("default_time"), span_ms(text)));
    Regulations {
        class: raw.and_then(|raw| raw.class),
        default_time_ms,
        supervised: raw.and_then(|raw| raw.supervised).unwrap_or(true),
        draw_request: raw.and_then(|raw| raw.draw_request),
    }
}

/// How many periods each side has, on the clock as it should be or as it is.
fn most_periods(setups: [Option<Setup>; 2]) -> BySide<usize> {
    let of = |side: Side| setups.iter().flatten().map(|setup| setup.control[side].periods().len()).max();
    let unknown = usize::from(u8::MAX);
    BySide::new(of(Side::White).unwrap_or(unknown), of(Side::Black).unwrap_or(unknown))
}

/// The position at the start; none when it is written and wrong, so that moves are not judged by another.
fn position(meaning: &mut Meaning<'_>, raw: Option<&RawOpening>, node: &Node) -> Option<Position> {
    match raw.and_then(|raw| raw.position.as_deref()) {
        None => Some(Position::start()),
        Some(fen) => meaning.take(node, Position::from_fen(fen)),
    }
}

fn timeline(meaning: &mut Meaning<'_>, raw: &RawScenario, root: &Node, given: Given) -> Written {
    let mut timeline = Timeline::new(meaning, given);
    for (index, step) in raw.timeline.iter().enumerate() {
        timeline.entry(step, root.at("timeline").item(index));
    }
    let end = raw.end.as_deref().map(|text| (text, root.at("end")));
    let place = root.at("expect");
    let expect: Vec<_> = raw.expect.iter().enumerate().map(|(index, faces)| (faces, place.item(index))).collect();
    timeline.finish(end, &expect)
}
