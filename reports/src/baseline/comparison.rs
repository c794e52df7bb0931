//! Two baselines, measure by measure.

use serde::Serialize;

use super::{Baseline, BaselineError, Measure, Measured, SCHEMA};
use crate::plot::BeforeAfterPlot;
use crate::statistics::{PairedChange, holm};

/// How often a comparison of equal clocks may cry wolf, all its measures together: once in a hundred.
pub const ALPHA: f64 = 0.01;

/// Means are compared in thousandths of the unit.
const PER_UNIT: i128 = 1_000;

/// What has become of each measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Where both ran.
    pub rig: String,
    /// Whether any difference is a change, because nothing there is left to chance.
    pub without_chance: bool,
    /// [`ALPHA`].
    pub alpha: f64,
    /// Scenarios of the baseline that were not run, or have nothing to measure now.
    pub missing: Vec<String>,
    /// How many were run that the baseline does not know.
    pub unknown: usize,
    /// Each measure that both have.
    pub measures: Vec<Row>,
}

/// What has become of a measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Which.
    pub measure: Measure,
    /// Of everything here.
    pub unit: String,
    /// Scenarios that both have.
    pub pairs: usize,
    /// Those whose means differ.
    pub different: usize,
    /// The mean over their means, before.
    pub before: f64,
    /// And now.
    pub now: f64,
    /// The mean of now less before.
    pub change: f64,
    /// Half of the width of its interval of 95 %; none with a single pair.
    pub half_width: Option<f64>,
    /// The change that matters.
    pub smallest: u64,
    /// How likely such a change is by chance; absent where nothing is left to chance.
    pub p: Option<f64>,
    /// The same, after Holm's correction for all measures.
    pub p_holm: Option<f64>,
    /// The scenario that changed most, and by how much.
    pub most: Option<(String, f64)>,
    /// What follows.
    pub verdict: Change,
    /// Both distributions, by percentiles.
    #[serde(skip)]
    pub percentiles: [Vec<i64>; 2],
}

/// What has become of a measure, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// No value is another one.
    Equal,
    /// What differs is chance, or does not matter.
    Same,
    /// It has changed.
    Changed,
    /// It may have changed: too few scenarios to tell from chance.
    Undecided,
}

/// A mean with as many digits as are worth reading.
pub(super) fn number(value: f64) -> String {
    if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

/// The same with its sign.
pub(super) fn signed(value: f64) -> String {
    if value < 0.0 { number(value) } else { format!("+{}", number(value)) }
}

impl Comparison {
    /// Compares results with a baseline.
    ///
    /// # Errors
    /// [`BaselineError::OtherRig`] and [`BaselineError::NoPair`].
    pub fn of(baseline: &Baseline, now: &Baseline) -> Result<Self, BaselineError> {
        if baseline.rig != now.rig {
            return Err(BaselineError::OtherRig { one: baseline.rig.clone(), other: now.rig.clone() });
        }
        let without_chance = baseline.is_without_chance();
        let both = |before| Some((before, now.measured(Measured::measure(before))?));
        let compared: Vec<(Row, f64)> =
            baseline.measures.iter().filter_map(both).filter_map(|(before, now)| Row::of(before, now)).collect();
        if compared.is_empty() {
            return Err(BaselineError::NoPair);
        }
        let adjusted = holm(&compared.iter().filter_map(|(row, _)| row.p).collect::<Vec<_>>());
        let tests = compared.len() as f64;
        let measures = compared
            .into_iter()
            .zip(adjusted)
            .map(|((row, p_least), p_holm)| row.judged(without_chance, p_holm, p_least * tests))
            .collect();
        let known = |baseline: &Baseline, scenario: &str| {
            baseline.measures.iter().any(|measured| measured.scenarios.contains_key(scenario))
        };
        let mut missing: Vec<String> = baseline
            .measures
            .iter()
            .flat_map(|before| before.scenarios.keys().map(move |scenario| (before.measure, scenario)))
            .filter(|(measure, scenario)| {
                !now.measured(*measure).is_some_and(|now| now.scenarios.contains_key(*scenario))
            })
            .map(|(_, scenario)| scenario.clone())
            .collect();
        missing.sort();
        missing.dedup();
        let mut unknown: Vec<&String> = now.measures.iter().flat_map(|measured| measured.scenarios.keys()).collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown.retain(|scenario| !known(baseline, scenario));
        Ok(Self {
            schema: SCHEMA,
            rig: baseline.rig.clone(),
            without_chance,
            alpha: ALPHA,
            missing,
            unknown: unknown.len(),
            measures,
        })
    }

    /// Whether a measure has this verdict.
    #[must_use]
    pub fn any(&self, verdict: Change) -> bool {
        self.measures.iter().any(|row| row.verdict == verdict)
    }
}

impl Measured {
    const fn measure(&self) -> Measure {
        self.measure
    }
}

impl Row {
    /// The row without its verdict, and the least p that its pairs allow.
    fn of(before: &Measured, now: &Measured) -> Option<(Self, f64)> {
        let mean = |(n, sum): (u64, i64)| {
            let mean = (i128::from(sum) * PER_UNIT).div_euclid(i128::from(n.max(1)));
            i64::try_from(mean).unwrap_or(i64::MAX)
        };
        let pairs: Vec<(&String, (i64, i64))> = before
            .scenarios
            .iter()
            .filter_map(|(scenario, sums)| Some((scenario, (mean(*sums), mean(*now.scenarios.get(scenario)?)))))
            .collect();
        let values: Vec<(i64, i64)> = pairs.iter().map(|(_, values)| *values).collect();
        let change = PairedChange::of(&values)?;
        let unit = PER_UNIT as f64;
        let of = |which: fn(&(i64, i64)) -> i64| {
            values.iter().map(|pair| i128::from(which(pair))).sum::<i128>() as f64 / values.len() as f64 / unit
        };
        let moved = |(from, to): (i64, i64)| i128::from(to) - i128::from(from);
        let most = pairs
            .iter()
            .max_by_key(|(_, values)| moved(*values).unsigned_abs())
            .filter(|(_, values)| moved(*values) != 0)
            .map(|(scenario, values)| ((*scenario).clone(), moved(*values) as f64 / unit));
        let row = Self {
            measure: before.measure,
            unit: before.unit.clone(),
            pairs: change.pairs,
            different: change.different,
            before: of(|pair| pair.0),
            now: of(|pair| pair.1),
            change: change.mean / unit,
            half_width: change.half_width.map(|half| half / unit),
            smallest: before.smallest,
            p: Some(change.p),
            p_holm: None,
            most,
            verdict: Change::Equal,
            percentiles: [before.percentiles.clone(), now.percentiles.clone()],
        };
        Some((row, change.p_least))
    }

    fn judged(self, without_chance: bool, p_holm: f64, p_least: f64) -> Self {
        let smallest = self.smallest as f64;
        let verdict = if self.different == 0 {
            Change::Equal
        } else if without_chance {
            // Each scenario speaks for itself.
            let most = self.most.as_ref().map_or(0.0, |(_, change)| change.abs());
            if most >= smallest.max(f64::MIN_POSITIVE) { Change::Changed } else { Change::Same }
        } else if self.change.abs() < smallest {
            Change::Same
        } else if p_holm <= ALPHA {
            Change::Changed
        } else if p_least > ALPHA {
            Change::Undecided
        } else {
            Change::Same
        };
        let p_holm = (!without_chance).then_some(p_holm);
        Self { verdict, p: self.p.filter(|_| !without_chance), p_holm, ..self }
    }

    /// Both distributions beside each other.
    #[must_use]
    pub fn plot(&self) -> BeforeAfterPlot {
        let [before, now] = self.percentiles.clone();
        BeforeAfterPlot { title: self.measure.title(), unit: self.measure.unit(), before, now }
    }

    /// One line for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { unit, .. } = self;
        let half_width = self.half_width.map_or_else(|| "?".to_owned(), number);
        let mut text = format!(
            "{} -> {} {unit}, change {} ± {half_width} {unit} over {} scenarios",
            number(self.before),
            number(self.now),
            signed(self.change),
            self.pairs
        );
        match self.verdict {
            Change::Equal => return format!("equal in {} scenarios, mean {} {unit}", self.pairs, number(self.before)),
            Change::Undecided => text += &format!("; too few differ ({}) to tell this from chance", self.different),
            Change::Same | Change::Changed => {}
        }
        if let Some(p) = self.p_holm {
            text += &format!(", p = {p:.4}");
        }
        if let Some((scenario, change)) = self.most.as_ref().filter(|_| self.verdict == Change::Changed) {
            text += &format!("; most in {scenario}: {} {unit}", signed(*change));
        }
        text
    }
}
