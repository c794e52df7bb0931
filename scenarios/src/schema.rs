//! The language as a JSON Schema (2020-12), for editors that complete and check while somebody writes.
//!
//! Keys, words and choices come from the tables that the reader goes by ([`crate::language`]); what is written behind a
//! key as one text (an instant, a span) has its form here. The schema is never stricter than the reader. It is looser:
//! whether a move is legal or an anchor ever comes, only the reader knows.

use crate::json::Json;
use crate::language::SCENARIO;
use crate::shape::{Choice, Key, Mapping, Role, Shape};

/// Where the schema is published, for an editor's list of schemas.
const TITLE: &str = "A flagfall scenario";

/// The schema as a text of many lines, the same for the same language.
#[must_use]
pub fn schema() -> String {
    let mut writer = Writer { definitions: Vec::new() };
    let root = writer.of(&SCENARIO);
    let mut members =
        vec![("$schema", Json::text("https://json-schema.org/draft/2020-12/schema")), ("title", Json::text(TITLE))];
    members.extend([("$ref", root.member("$ref").cloned().unwrap_or(root))]);
    let mut members: Vec<(String, Json)> = members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    members.push(("$defs".to_owned(), Json::Map(writer.definitions)));
    Json::Map(members).to_string()
}

/// How a text behind a key is written.
struct Form {
    what: &'static str,
    pattern: &'static str,
    examples: &'static [&'static str],
}

/// Digits and a unit, once or several times, and nothing without a unit.
const SPAN: Form = Form {
    what: "A span of time with units: h, m, s, ms, us, ns.",
    pattern: r"^\s*([0-9][0-9._]*\s*(h|m|s|ms|us|ns)\s*)+$",
    examples: &["7s", "1h30m", "2.5s", "900us"],
};

const SIGNED_SPAN: Form = Form {
    what: "A span of time with a sign and units.",
    pattern: r"^\s*[+-]?\s*([0-9][0-9._]*\s*(h|m|s|ms|us|ns)\s*)+$",
    examples: &["+3s", "-250ms"],
};

const INSTANT: Form = Form {
    what: "When: since the start (`12s`), since the step before (`+6s`), or counted from what the clock does.",
    pattern: r"[a-z)]\s*$",
    examples: &["0s", "+6s", "flag(white) - 3s", "period(black 2) + 1 tick", "delay-end(white)"],
};

const RATE: Form = Form {
    what: "A rate with a sign and a unit: ppm or ppb.",
    pattern: r"^\s*[+-]?\s*[0-9][0-9._]*\s*[a-z%]+\s*$",
    examples: &["+20ppm", "-300ppb"],
};

const PERIODS: Form = Form {
    what: "The periods in human notation: moves and time, joined by commas; increment with `+`, delay with `;d`.",
    pattern: r"[0-9]",
    examples: &["5m", "40/2h, 1h", "15m+10s", "25m;d5s"],
};

/// The forms by mapping and key; what is not among them is any scalar, read as it is written.
const FORMS: [(&str, &str, &Form); 16] = [
    ("a scenario", "control", &PERIODS),
    ("a scenario", "end", &INSTANT),
    ("`regulations`", "default_time", &SPAN),
    ("`oscillator`", "offset", &RATE),
    ("a control", "periods", &PERIODS),
    ("a step", "at", &INSTANT),
    ("a move", "press_after", &SPAN),
    ("`play`", "think", &SPAN),
    ("a range", "from", &SPAN),
    ("a range", "to", &SPAN),
    ("`stuck`", "for", &SPAN),
    ("`jump`", "by", &SIGNED_SPAN),
    ("`rate`", "offset", &RATE),
    ("`rate`", "for", &SPAN),
    ("an opening", "left", &SPAN),
    ("`set`", "left", &SPAN),
];

/// What a key is for, by mapping and key, where its name does not say it.
const WHAT_FOR: [(&str, &str, &str); 16] = [
    ("a scenario", "scenario", "What the case is about, in one line."),
    ("a scenario", "points", "The questions of the rule catalogue that it is a case for."),
    ("a scenario", "purpose", "What it shows that no other case of these points shows."),
    ("a scenario", "sources", "The articles it rests on, by rulebook."),
    ("a scenario", "seed", "The seed of everything that is drawn."),
    ("a scenario", "tick_hz", "Ticks of the clock in a second; 1 000 000 if not given."),
    ("a scenario", "control", "The time control, in short or with its settings."),
    ("a scenario", "opening", "Where the case begins, if not at the beginning of a game."),
    ("a scenario", "timeline", "What happens, in the order of time: each step has an instant and one verb."),
    ("a scenario", "end", "When the case ends, if not after its last step."),
    ("a scenario", "expect", "What the clock must show at the end."),
    ("a scenario", "clock", "Whether the clock is right; `wrong` names what the oracle must find."),
    ("a scenario", "rulings", "What each rulebook must rule, by its key."),
    ("a move", "san", "The move in algebraic notation; it must be legal."),
    ("a move", "press", "Whether and with which hand the clock is pressed."),
    ("`play`", "moves", "Moves in algebraic notation, White's and Black's in turn."),
];

struct Writer {
    /// Each mapping by its name, in the order in which they are come upon.
    definitions: Vec<(String, Json)>,
}

impl Writer {
    fn of(&mut self, shape: &Shape) -> Json {
        match shape {
            Shape::Text => Json::map([("type", Json::texts(["string", "number", "boolean"]))]),
            Shape::Whole(max) => Json::map([
                ("type", Json::text("integer")),
                ("minimum", Json::Whole(0)),
                ("maximum", Json::Whole(*max)),
            ]),
            Shape::Truth => Json::map([("type", Json::text("boolean"))]),
            Shape::Word(words) => Json::map([("enum", Json::texts(words().iter().copied()))]),
            Shape::List(item) => list_of(self.of(item)),
            Shape::Map(mapping) => self.reference(mapping),
            Shape::Named(value) => {
                Json::map([("type", Json::text("object")), ("additionalProperties", self.of(value))])
            }
            Shape::ScalarOr(scalar, other) => Json::map([("anyOf", Json::List(vec![self.of(scalar), self.of(other)]))]),
            Shape::OneOrMany(one) => {
                let one = self.of(one);
                Json::map([("anyOf", Json::List(vec![one.clone(), list_of(one)]))])
            }
        }
    }

    /// A reference to the mapping, which is defined once; two different ones with one name are numbered.
    fn reference(&mut self, mapping: &Mapping) -> Json {
        let definition = self.definition(mapping);
        let slug: String = mapping.what.chars().filter(|c| *c != '`').collect();
        let slug = ["an ", "a ", "this "].iter().find_map(|word| slug.strip_prefix(word)).unwrap_or(&slug);
        let slug = slug.replace(' ', "-");
        let names = (1..).map(|number| if number == 1 { slug.clone() } else { format!("{slug}-{number}") });
        for name in names {
            match self.definitions.iter().find(|(known, _)| *known == name) {
                Some((_, known)) if *known != definition => {}
                found => {
                    if found.is_none() {
                        self.definitions.push((name.clone(), definition));
                    }
                    return Json::map([("$ref", Json::text(format!("#/$defs/{name}")))]);
                }
            }
        }
        unreachable!("names do not end")
    }

    fn definition(&mut self, mapping: &Mapping) -> Json {
        let properties = mapping.keys().map(|key| (key.name.to_owned(), self.property(mapping, key))).collect();
        let required: Vec<&str> =
            mapping.keys().filter(|key| matches!(key.role, Role::Must(_))).map(|key| key.name).collect();
        let mut members = vec![("type", Json::text("object")), ("properties", Json::Map(properties))];
        if !required.is_empty() {
            members.push(("required", Json::texts(required)));
        }
        members.push(("additionalProperties", Json::Truth(false)));
        let choices = mapping.keys().filter(|key| key.role == Role::Choice);
        let choices = choices.map(|key| Json::map([("required", Json::texts([key.name]))])).collect();
        match mapping.choice {
            Choice::None => {}
            Choice::One(_) => members.push(("oneOf", Json::List(choices))),
            Choice::Some => members.push(("anyOf", Json::List(choices))),
        }
        Json::map(members)
    }

    fn property(&mut self, mapping: &Mapping, key: &Key) -> Json {
        let form = FORMS.iter().find(|(what, name, _)| *what == mapping.what && *name == key.name);
        let value = match form {
            Some((_, _, form)) => self.formed(key.shape, form),
            None => self.of(key.shape),
        };
        let what_for = WHAT_FOR.iter().find(|(what, name, _)| *what == mapping.what && *name == key.name);
        match (what_for, key.role) {
            (Some((_, _, sentence)), _) => value.with("description", Json::text(*sentence)),
            (None, Role::Must(example)) if form.is_none() => {
                value.with("description", Json::text(format!("For example `{example}`.")))
            }
            _ => value,
        }
    }

    /// The shape with the form in the place of each text in it.
    fn formed(&mut self, shape: &Shape, form: &Form) -> Json {
        match shape {
            Shape::Text => Json::map([
                ("type", Json::text("string")),
                ("pattern", Json::text(form.pattern)),
                ("description", Json::text(form.what)),
                ("examples", Json::texts(form.examples.iter().copied())),
            ]),
            Shape::ScalarOr(scalar, other) => {
                Json::map([("anyOf", Json::List(vec![self.formed(scalar, form), self.of(other)]))])
            }
            other => self.of(other),
        }
    }
}

fn list_of(item: Json) -> Json {
    Json::map([("type", Json::text("array")), ("items", item), ("minItems", Json::Whole(1))])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every mapping that can be reached.
    fn mappings(shape: &'static Shape, found: &mut Vec<&'static Mapping>) {
        match shape {
            Shape::Map(mapping) => {
                found.push(mapping);
                mapping.keys().for_each(|key| mappings(key.shape, found));
            }
            Shape::List(one) | Shape::Named(one) | Shape::OneOrMany(one) => mappings(one, found),
            Shape::ScalarOr(one, two) => [one, two].into_iter().for_each(|shape| mappings(shape, found)),
            Shape::Text | Shape::Whole(_) | Shape::Truth | Shape::Word(_) => {}
        }
    }

    #[test]
    fn forms_and_sentences_are_about_keys_that_exist() {
        let mut known = Vec::new();
        mappings(&SCENARIO, &mut known);
        let has = |what: &str, key: &str| {
            known.iter().any(|mapping| mapping.what == what && mapping.keys().any(|other| other.name == key))
        };
        for (what, key, _) in FORMS {
            assert!(has(what, key), "{what} has no `{key}`");
        }
        for (what, key, _) in WHAT_FOR {
            assert!(has(what, key), "{what} has no `{key}`");
        }
    }
}
