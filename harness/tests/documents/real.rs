//! Commands that are not run here, because they would build, install or test what is being built and tested: they are
//! checked for being real.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use flagfall::cli::Cli;
use flagfall::inputs;
use serde_json::Value;

/// Subcommands of cargo that the documents use; `nextest` is installed by scripts/test.
const SUBCOMMANDS: [&str; 7] = ["nextest", "test", "bench", "clippy", "fmt", "doc", "install"];

/// Options of these with an argument.
const WITH_ARGUMENT: [&str; 5] = ["-p", "--test", "--bench", "--profile", "-E"];

/// Whether a command is one that is looked at instead of run.
pub(crate) fn is_looked_at(command: &str) -> bool {
    let words = words(command);
    match words.iter().find(|word| !is_variable(word)).map(String::as_str) {
        Some("cargo") => !command.contains("cargo run -- "),
        Some("git" | "just") => true,
        Some(program) => program.starts_with("./scripts/"),
        None => true,
    }
}

/// Checks that everything a command names is there.
pub(crate) fn look_at(root: &Path, command: &str) -> Result<(), String> {
    let words: Vec<String> = words(command).into_iter().skip_while(|word| is_variable(word)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["cargo", "run", "--", arguments @ ..] => parses(arguments),
        ["cargo", subcommand, arguments @ ..] if SUBCOMMANDS.contains(subcommand) => cargo(root, subcommand, arguments),
        ["git", "diff", path] => exists(root, path),
        ["just", recipe, ..] => {
            let recipes = recipes(root);
            if recipes.contains_key(*recipe) { Ok(()) } else { Err(format!("no recipe `{recipe}`: {recipes:?}")) }
        }
        [script, ..] if script.starts_with("./scripts/") => is_script(root, script),
        _ => Err(format!("nobody knows how to check `{command}`: teach harness/tests/documents/real.rs")),
    }
}

/// Checks a command line of our own program without running it.
pub(crate) fn parses(arguments: &[&str]) -> Result<(), String> {
    let line = ["flagfall"].iter().chain(arguments);
    Cli::try_parse_from(line).map(|_| ()).map_err(|error| error.to_string())
}

/// The recipes of the justfile and their lines.
pub(crate) fn recipes(root: &Path) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root.join("justfile")).expect("the justfile");
    let mut recipes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last = String::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("    ") {
            recipes.get_mut(&last).expect("a line belongs to a recipe").push(command.to_owned());
        } else if let Some((head, _)) = line.split_once(':').filter(|(head, _)| !head.starts_with('#')) {
            last = head.split_whitespace().next().unwrap_or_default().to_owned();
            recipes.insert(last.clone(), Vec::new());
        }
    }
    recipes
}

fn is_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(|char| char.is_ascii_uppercase() || char == '_'))
}

/// Words as a shell parts them, with quotation marks of both kinds.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for char in command.chars() {
        match (quote, char) {
            (None, '\'' | '"') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(char),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn exists(root: &Path, path: &str) -> Result<(), String> {
    if root.join(path).exists() { Ok(()) } else { Err(format!("there is no {path}")) }
}

fn is_script(root: &Path, path: &str) -> Result<(), String> {
    let file = root.join(path);
    let mode = fs::metadata(&file).map_err(|error| format!("{path}: {error}"))?.permissions().mode();
    let parsed = Command::new("bash").arg("-n").arg(&file).output().map_err(|error| error.to_string())?;
    match (mode & 0o111, parsed.status.success()) {
        (0, _) => Err(format!("{path} cannot be executed")),
        (_, false) => Err(format!("{path}: {}", String::from_utf8_lossy(&parsed.stderr))),
        _ => Ok(()),
    }
}

fn cargo(root: &Path, subcommand: &str, arguments: &[&str]) -> Result<(), String> {
    let packages = packages(root);
    let mut arguments = arguments.iter().take_while(|word| **word != "--").skip(usize::from(subcommand == "nextest"));
    while let Some(argument) = arguments.next() {
        let value = if WITH_ARGUMENT.contains(argument) { arguments.next().copied().unwrap_or_default() } else { "" };
        match *argument {
            "-p" if !packages.contains_key(value) => return Err(format!("no package `{value}`")),
            "--test" | "--bench" if !packages.values().any(|targets| targets.contains(value)) => {
                return Err(format!("no target `{value}` for `{argument}`"));
            }
            "--profile" => {
                let config = fs::read_to_string(root.join(".config/nextest.toml")).map_err(|e| e.to_string())?;
                if !config.contains(&format!("[profile.{value}]")) {
                    return Err(format!("no profile `{value}`"));
                }
            }
            "-E" => any_test_has(root, in_test_filter(value)?)?,
            word if subcommand == "nextest" && !word.starts_with('-') => any_test_has(root, word)?,
            _ => {}
        }
    }
    Ok(())
}

/// The text within `test(/…/)`.
fn in_test_filter(filter: &str) -> Result<&str, String> {
    let inner = filter.split_once("test(/").and_then(|(_, rest)| rest.split_once("/)"));
    inner.map(|(text, _)| text.trim_start_matches('^')).ok_or_else(|| format!("`{filter}` is no test(/…/)"))
}

fn any_test_has(root: &Path, text: &str) -> Result<(), String> {
    let known = test_names(root);
    if known.iter().any(|name| name.contains(text)) { Ok(()) } else { Err(format!("no test has `{text}` in its name")) }
}

/// The names of tests that sources and scenarios lead to; a trial of a scenario begins with its rig.
fn test_names(root: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in crate::tree::files(root, "").iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(root.join(path)).expect("a source is text");
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if let Some((name, _)) = line.strip_prefix("fn ").and_then(|line| line.split_once('(')).filter(|_| is_test)
            {
                names.insert(name.to_owned());
            }
            is_test = line == "#[test]" || (is_test && line.starts_with("#["));
        }
    }
    let cases = inputs::sources(&[PathBuf::from(root).join(inputs::CASES)]).expect("the repository has cases");
    for case in &cases.sources {
        names.extend(["sim", "virtual_board", "virtual_l475"].map(|rig| format!("{rig}::{}", case.id())));
    }
    names
}

/// Packages of the workspace, their test targets and their benches.
fn packages(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let tests = |package: &Value| {
        let targets = list(&package["targets"]);
        targets
            .iter()
            .filter(|target| ["test", "bench"].contains(&target["kind"][0].as_str().unwrap_or_default()))
            .map(name)
            .collect()
    };
    list(&metadata["packages"]).iter().map(|package| (name(package), tests(package))).collect()
}
