//! Where two plans part.

use std::collections::BTreeSet;

use flagfall_core::{Opening, Setup, Side};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::plan::{Plan, Step};

/// A part of two plans that is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanDifference {
    /// A value, by the way to it in the file: `setup`, `regulations.class`.
    Value {
        /// The way to it, with dots.
        path: String,
        /// What the first plan has, in the words of the file; `none` where it has nothing.
        left: String,
        /// What the second has.
        right: String,
    },
    /// The first step that is another one.
    Step {
        /// Its index.
        index: usize,
        /// The first plan's; `None` if that has no more.
        left: Option<Step>,
        /// The second plan's.
        right: Option<Step>,
    },
}

/// Everything in which two plans differ; of their steps the first that does, since one more moves all that follow.
#[must_use]
pub fn plans(left: &Plan, right: &Plan) -> Vec<PlanDifference> {
    let mut found = Vec::new();
    for (name, left, right) in parts(left, right) {
        values(name, &left, &right, &mut found);
    }
    let steps = 0..left.steps.len().max(right.steps.len());
    let mut pairs = steps.map(|index| (index, left.steps.get(index), right.steps.get(index)));
    if let Some((index, left, right)) = pairs.find(|(_, left, right)| left != right) {
        found.push(PlanDifference::Step { index, left: left.cloned(), right: right.cloned() });
    }
    found
}

/// The parts of a plan beside its steps, each in the form of the file; named, so that a new one is not forgotten.
fn parts(left: &Plan, right: &Plan) -> Vec<(&'static str, Value, Value)> {
    #[rustfmt::skip]
    let Plan {
        scenario, seed, tick_rate, setup, device_setup, clock_kind, regulations, position, board, oscillator, steps: _, end,
    } = left;
    vec![
        ("scenario", json(scenario), json(&right.scenario)),
        ("seed", json(seed), json(&right.seed)),
        ("tick_rate", json(tick_rate), json(&right.tick_rate)),
        ("setup", settings(setup), settings(&right.setup)),
        (
            "device_setup",
            device_setup.as_ref().map_or(Value::Null, settings),
            right.device_setup.as_ref().map_or(Value::Null, settings),
        ),
        ("clock_kind", json(clock_kind), json(&right.clock_kind)),
        ("regulations", json(regulations), json(&right.regulations)),
        ("position", json(position), json(&right.position)),
        ("board", json(board), json(&right.board)),
        ("oscillator", json(oscillator), json(&right.oscillator)),
        ("end", json(end), json(&right.end)),
    ]
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("a plan has string keys only")
}

/// A setup by its fields: in files it stands as the bytes of a command, which say nothing to anybody.
fn settings(setup: &Setup) -> Value {
    #[rustfmt::skip]
    let Setup {
        control, credit, at_zero, zero, same_tick, late_control_move, second_press, carry_over, first_fallen_sign, display,
        debounce_ms, first, opening,
    } = setup;
    let opening = |side: Side| {
        let Opening { left_ms, moves, period } = opening[side];
        json!({"left_ms": left_ms, "moves": moves, "period": period})
    };
    json!({
        "control": {"white": control.white.to_string(), "black": control.black.to_string()},
        "credit": credit, "at_zero": at_zero, "zero": zero, "same_tick": same_tick,
        "late_control_move": late_control_move, "second_press": second_press, "carry_over": carry_over,
        "first_fallen_sign": first_fallen_sign,
        "display": {
            "rounding": display.rounding, "tenths_below_s": display.tenths_below_s,
            "seconds_below_min": display.seconds_below_min,
        },
        "debounce_ms": debounce_ms, "first": first,
        "opening": {"white": opening(Side::White), "black": opening(Side::Black)},
    })
}

/// The values below this one that are not the same.
fn values(path: &str, left: &Value, right: &Value, found: &mut Vec<PlanDifference>) {
    match (left, right) {
        (left, right) if left == right => {}
        (Value::Object(left), Value::Object(right)) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for key in keys {
                let of = |map: &Map<String, Value>| map.get(key).cloned().unwrap_or(Value::Null);
                values(&format!("{path}.{key}"), &of(left), &of(right), found);
            }
        }
        (left, right) => {
            found.push(PlanDifference::Value { path: path.to_owned(), left: text(left), right: text(right) });
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
