//! Every scenario has a mutant that turns it red.
//!
//! A mutant is either a patch of the code (`mutants/*.patch`, run by `scripts/mutants`) that names the scenario as the
//! trial it must fail, or a change of the scenario's own facts (`mutants/facts.yaml`, run here): what happens, how the
//! clock is set, what the regulations say; never what is expected of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use flagfall::case::Case;
use flagfall::inputs;
use flagfall::rig::sim;
use flagfall_judge::rulebook::Rulebook;
use flagfall_scenarios::read_str;
use flagfall_trace::Verdict;
use serde::Deserialize;

/// One change of a scenario's facts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    /// What is different then, in one sentence.
    breaks: String,
    /// Text that stands in the file once, before its expectations.
    replace: String,
    /// What stands there instead.
    with: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The scenarios of the repository: their texts by id.
fn scenarios() -> BTreeMap<String, String> {
    let sources = inputs::sources(&[root().join(inputs::CASES)]).expect("the repository has scenarios");
    let text = |path: &Path| fs::read_to_string(path).expect("a scenario can be read");
    sources.sources.iter().map(|source| (source.id().to_owned(), text(source.path()))).collect()
}

fn facts() -> BTreeMap<String, Fact> {
    let text = fs::read_to_string(root().join("mutants/facts.yaml")).expect("the list of changed facts");
    serde_yaml::from_str(&text).expect("the list has the form of `Fact`")
}

/// The scenarios that each patch names.
fn patches() -> BTreeMap<String, BTreeSet<String>> {
    let folder = fs::read_dir(root().join("mutants")).expect("a folder of mutants");
    let mut named = BTreeMap::new();
    for path in
        folder.map(|entry| entry.expect("an entry").path()).filter(|path| path.extension() == Some("patch".as_ref()))
    {
        let text = fs::read_to_string(&path).expect("a patch can be read");
        let killed = text.lines().filter_map(|line| line.strip_prefix("# killed by: flagfall::trials sim::"));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        named.insert(name, killed.map(str::to_owned).collect());
    }
    named
}

/// Where in a scenario facts stand: before the first key that says what is expected.
fn fact_lines(text: &str) -> Range<usize> {
    let keys = ["\nexpect:", "\nclock:", "\nrulings:"];
    0..keys.iter().filter_map(|key| text.find(key)).min().unwrap_or(text.len())
}

fn mutated(id: &str, text: &str, fact: &Fact) -> Result<String, String> {
    let facts = &text[fact_lines(text)];
    let places: Vec<usize> = text.match_indices(&fact.replace).map(|(at, _)| at).collect();
    let [place] = places.as_slice() else {
        return Err(format!("{id}: `{}` stands in the file {} times, not once", fact.replace, places.len()));
    };
    let line = text[*place..].split('\n').next().unwrap_or_default();
    if *place >= facts.len() || line.contains("read:") {
        return Err(format!("{id}: `{}` is no fact but something expected", fact.replace));
    }
    Ok(text.replacen(&fact.replace, &fact.with, 1))
}

/// Runs a scenario in virtual time.
fn verdict(id: &str, text: &str, rulebooks: &[Rulebook]) -> Result<Verdict, String> {
    let scenario = read_str(id, id, text).map_err(|diagnostics| format!("{id}: {}", diagnostics.render(false)))?;
    let case = Case::prepare(scenario).map_err(|diagnostics| format!("{id}: {}", diagnostics.render(false)))?;
    Ok(case.judge(sim::NAME, sim::run(&case.plan), rulebooks).record.verdict)
}

#[test]
fn every_changed_fact_turns_its_scenario_red() {
    let (scenarios, rulebooks) = (scenarios(), inputs::rulebooks(&[]).expect("built-in rulebooks"));
    let mut problems = Vec::new();
    for (id, fact) in facts() {
        let Some(text) = scenarios.get(&id) else {
            problems.push(format!("{id}: there is no such scenario"));
            continue;
        };
        match mutated(&id, text, &fact).and_then(|text| verdict(&id, &text, &rulebooks)) {
            Ok(Verdict::Fail) => {}
            Ok(other) => problems.push(format!("{id}: {other} although {}", fact.breaks)),
            Err(problem) => problems.push(problem),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_scenario_has_a_mutant() {
    let (facts, patches) = (facts(), patches());
    let by_patch: BTreeSet<&String> = patches.values().flatten().collect();
    let scenarios = scenarios();
    let without: Vec<&String> =
        scenarios.keys().filter(|id| !facts.contains_key(*id) && !by_patch.contains(id)).collect();
    assert!(without.is_empty(), "nothing is known to turn these red: {without:?}");
    let unknown: Vec<&&String> = by_patch.iter().filter(|id| !scenarios.contains_key(**id)).collect();
    assert!(unknown.is_empty(), "patches name scenarios that are not there: {unknown:?}");
}

/// Two scenarios about the same points that fall to the same mutant would be one scenario.
#[test]
fn no_two_scenarios_share_their_points_and_their_mutant() {
    let points: BTreeMap<String, Vec<String>> = scenarios()
        .iter()
        .map(|(id, text)| {
            let scenario = read_str(id, id, text).expect("the repository's scenarios are right");
            (id.clone(), scenario.points.iter().map(ToString::to_string).collect())
        })
        .collect();
    for (patch, ids) in patches() {
        let mut seen = BTreeMap::new();
        for id in ids {
            if let Some(other) = seen.insert(&points[&id], id.clone()) {
                panic!("{id} and {other} are about {:?}, and {patch} turns both red", points[&id]);
            }
        }
    }
}

/// The rows of a table in a document, and what stands between backquotes in the last column of each.
fn rows_of(document: &str) -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string(root().join(document)).expect("the document is there");
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        (last.trim().to_owned(), last.split('`').skip(1).step_by(2).map(str::to_owned).collect())
    })
    .collect()
}

/// Bugs that others have reported have a case, or a reason why not.
#[test]
fn every_reported_bug_names_cases_that_are_there() {
    let scenarios = scenarios();
    let rows = rows_of("docs/reported-bugs.md");
    assert!(rows.len() > 30, "{} rows", rows.len());
    for (last, named) in rows {
        assert!(last.starts_with("none: ") || !named.is_empty(), "neither a case nor a reason: {last}");
        for id in named {
            assert!(scenarios.contains_key(&id), "there is no case {id}: {last}");
        }
    }
}

/// Each question in which clocks differ has cases, and the mutants it names are there.
#[test]
fn every_boundary_names_cases_and_mutants_that_are_there() {
    let (scenarios, patches) = (scenarios(), patches());
    let rows = rows_of("docs/boundary-behaviour.md");
    assert_eq!(rows.len(), 15);
    for (last, named) in rows {
        let (ids, others): (Vec<&String>, Vec<&String>) = named.iter().partition(|name| name.contains('/'));
        assert!(!ids.is_empty(), "no case: {last}");
        for id in ids {
            assert!(scenarios.contains_key(id), "there is no case {id}: {last}");
        }
        for mutant in others
            .into_iter()
            .filter(|name| ["core-", "firmware-", "arbiter-"].iter().any(|room| name.starts_with(room)))
        {
            assert!(patches.contains_key(mutant), "there is no mutant {mutant}: {last}");
        }
    }
}

/// Running all of them takes minutes; that code has moved away from under one is known in a moment.
#[test]
fn every_patch_applies() {
    let folder = fs::read_dir(root().join("mutants")).expect("a folder of mutants");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let mut patches: Vec<PathBuf> = paths.filter(|path| path.extension() == Some("patch".as_ref())).collect();
    patches.sort();
    assert!(!patches.is_empty());
    let applies = |path: &Path| {
        let path = path.canonicalize().expect("it is there");
        let git = Command::new("git").current_dir(root()).args(["apply", "--check"]).arg(path).output();
        git.expect("git is there").status.success()
    };
    let stale: Vec<&PathBuf> = patches.iter().filter(|path| !applies(path)).collect();
    assert!(stale.is_empty(), "made anew for the code as it is now: {stale:?}");
}
