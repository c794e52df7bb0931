//! The documents say what is true: their commands run, their files are read, their links lead somewhere.
//!
//! One trial for each command line of a `console` or `sh` block in README.md, ARCHITECTURE.md, CONTRIBUTING.md,
//! docs/bench.md, docs/foreign-firmware.md, docs/measurement.md, docs/rulebooks.md and docs/scenarios.md, named after its
//! place: `documents::README.md:25`. It is run in a copy of the repository (`cargo run --` is the program that
//! cargo has built), after the commands above it in its block, and must end with exit code 0 or the one in a comment
//! (`# exit 2`) and print what is shown. `…` stands for any text, and alone on its line for any lines. YAML blocks that
//! begin with the name of a file are there as that file.
//!
//! Not run but looked at: `./scripts/...`, `git`, and cargo's other commands. Their packages, test targets, filters and
//! paths must exist ([`real`]). A command that needs the emulated board is named `documents::virtual_board::...` and is
//! ignored without QEMU or firmware, with the reason; `scripts/test` does not accept that.
//!
//! Besides: YAML blocks are scenarios, rulebooks or boards without a mistake; `text draft ID` blocks have steps of that
//! scenario's draft; relative links and their anchors exist; examples in `--help` and recipes of the justfile are real.

#[path = "documents/markdown.rs"]
mod markdown;
#[path = "documents/matching.rs"]
mod matching;
#[path = "documents/real.rs"]
mod real;
#[path = "documents/shell.rs"]
mod shell;
#[path = "house/tree.rs"]
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;
use flagfall::case::Case;
use flagfall::cli::Cli;
use flagfall::inputs;
use flagfall::rig::board::Description;
use flagfall_scenarios::{read_str, rulebook};
use libtest_mimic::{Arguments, Failed, Trial};

use markdown::{Block, Document, Shown};
use shell::Copy;

const DOCUMENTS: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/bench.md",
    "docs/foreign-firmware.md",
    "docs/measurement.md",
    "docs/rulebooks.md",
    "docs/scenarios.md",
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = tree::root();
    let mut trials = vec![
        trial("documents::matching", || {
            matching::check_itself();
            Ok(())
        }),
        trial("documents::justfile", {
            let root = root.clone();
            move || justfile(&root)
        }),
        trial("documents::help", help),
        trial("documents::places", {
            let root = root.clone();
            move || places(&root)
        }),
    ];
    for name in DOCUMENTS {
        let document = Arc::new(Document::read(&root, name));
        trials.extend(commands(&root, &document));
        trials.extend(blocks(&root, &document));
        let (root, document) = (root.clone(), document.clone());
        trials.push(trial(&format!("documents::links::{name}"), move || links(&root, &document)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn trial(name: &str, run: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, || run().map_err(Failed::from))
}

/// One trial for each command of a document.
fn commands(root: &Path, document: &Document) -> Vec<Trial> {
    let files = Arc::new(document.files());
    let mut trials = Vec::new();
    for block in document.blocks().iter().filter(|block| matches!(block.info.as_str(), "console" | "sh")) {
        let mut before: Vec<Shown> = Vec::new();
        for shown in block.commands() {
            // What only looks at the results of a command needs what that command needs.
            let on_a_board = |command: &str| command.contains("--board ") || command.contains("boards check");
            let needs_board = before.iter().chain([&shown]).any(|each| on_a_board(&each.command));
            let missing = if needs_board { shell::missing(root) } else { None };
            let rig = if needs_board { "virtual_board::" } else { "" };
            let name = format!("documents::{rig}{}:{}", document.name, shown.line);
            let (above, this, files, root) = (before.clone(), shown.clone(), files.clone(), root.to_owned());
            let trial = trial(&name, move || command(&root, &files, &above, &this));
            trials.push(match missing {
                Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
                None => trial,
            });
            before.push(shown);
        }
    }
    trials
}

fn command(root: &Path, files: &[(PathBuf, String)], above: &[Shown], shown: &Shown) -> Result<(), String> {
    if real::is_looked_at(&shown.command) {
        return real::look_at(root, &shown.command);
    }
    let copy = Copy::of(root, files);
    for each in above.iter().filter(|each| !real::is_looked_at(&each.command)) {
        copy.run(&each.command);
    }
    let (exit, output) = copy.run(&shown.command);
    if exit != shown.exit {
        return Err(format!("{}: exit {exit}, not {}\n{output}", shown.command, shown.exit));
    }
    if shown.output.iter().all(String::is_empty) {
        return Ok(());
    }
    matching::compare(&shown.output, &output).map_err(|error| format!("{}: {error}", shown.command))
}

/// One trial for each block that can be read.
fn blocks(root: &Path, document: &Document) -> Vec<Trial> {
    let mut trials = Vec::new();
    for block in document.blocks() {
        let place = format!("{}:{}", document.name, block.line);
        let root = root.to_owned();
        if block.info == "yaml" {
            trials.push(trial(&format!("documents::yaml::{place}"), move || yaml(&place, &block)));
        } else if let Some(id) = block.info.strip_prefix("text draft ").map(str::to_owned) {
            trials.push(trial(&format!("documents::draft::{place}"), move || draft(&root, &id, &block)));
        }
    }
    trials
}

fn yaml(place: &str, block: &Block) -> Result<(), String> {
    let text = block.body.join("\n") + "\n";
    let has = |key: &str| block.body.iter().any(|line| line.starts_with(key));
    if has("scenario:") {
        let scenario = read_str(place, "documents/example", &text).map_err(|wrong| wrong.to_string())?;
        Case::prepare(scenario).map(|_| ()).map_err(|wrong| wrong.to_string())
    } else if has("rulebook:") {
        rulebook::read_str(place, &text).map(|_| ()).map_err(|wrong| wrong.to_string())
    } else if has("board:") {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("board.yaml");
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        Description::read(&file).map(|_| ()).map_err(|error| error.to_string())
    } else {
        Err(format!("{place} is neither a scenario nor a rulebook nor a board"))
    }
}

/// Each line is a step of the draft of this scenario, in order.
fn draft(root: &Path, id: &str, block: &Block) -> Result<(), String> {
    let sources = inputs::sources(&[root.join(inputs::CASES)]).map_err(|error| error.to_string())?;
    let source = sources.sources.iter().find(|source| source.id() == id).ok_or_else(|| format!("no scenario {id}"))?;
    let scenario = source.read().map_err(|wrong| wrong.to_string())?;
    let mut steps = scenario.draft.steps.iter().map(|step| format!("{step:?}"));
    for line in &block.body {
        if !steps.any(|step| step == *line) {
            return Err(format!("no such step, in this place: {line}\n{:#?}", scenario.draft.steps));
        }
    }
    Ok(())
}

/// A link is a path from the document's own folder.
fn links(root: &Path, document: &Document) -> Result<(), String> {
    let folder = Path::new(&document.name).parent().unwrap_or(Path::new(""));
    let mut wrong = Vec::new();
    for (line, target) in document.links().into_iter().filter(|(_, target)| !target.contains("://")) {
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = if path.is_empty() { document.name.clone() } else { folder.join(path).display().to_string() };
        let there = root.join(&path).exists()
            && (anchor.is_empty() || Document::read(root, &path).anchors().iter().any(|known| known == anchor));
        if !there {
            wrong.push(format!("{}:{line}: {target} leads nowhere", document.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A reader follows a document in one folder, where every plain `run` replaces `out`: it holds what runs and reports put
/// there and nothing else, or the next `run` is refused.
fn places(root: &Path) -> Result<(), String> {
    let mut wrong = Vec::new();
    for document in DOCUMENTS.iter().map(|name| Document::read(root, name)) {
        for block in document.blocks().iter().filter(|block| matches!(block.info.as_str(), "console" | "sh")) {
            for shown in block.commands().iter().filter(|shown| spoils_results(&shown.command)) {
                wrong.push(format!("{}:{}: {} puts something into `out`", document.name, shown.line, shown.command));
            }
        }
    }
    for (_, text) in examples() {
        wrong.extend(text.lines().filter(|line| spoils_results(line)).map(|line| format!("an example: {line}")));
    }
    for (command, spoils) in [
        ("flagfall run --out out/sim", true),
        ("flagfall run --out=out/sim", true),
        ("flagfall run --junit out/junit.xml", false),
        ("flagfall run --board b.yaml", false),
        ("flagfall report --summary out/summary.md", false),
        ("flagfall matrix --html out/matrix.html", true),
        ("flagfall matrix --html > out/matrix.html", true),
    ] {
        assert_eq!(spoils_results(command), spoils, "{command}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Whether a command puts something into `out` that no run takes for its own: whatever it writes, unless it is a report of
/// `run` or `report`.
fn spoils_results(command: &str) -> bool {
    let words: Vec<&str> = command.split([' ', '=']).filter(|word| !word.is_empty()).collect();
    let noted = |option: &str| match words.as_slice() {
        ["cargo", "run", "--", "run", ..] | ["flagfall", "run", ..] => ["--junit", "--summary"].contains(&option),
        ["cargo", "run", "--", "report", ..] | ["flagfall", "report", ..] => option.starts_with("--"),
        _ => false,
    };
    let writes =
        |option: &str| matches!(option, "--out" | "--html" | "--json" | "--plots" | "--junit" | "--page" | ">");
    let mut pairs = words.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.any(|(option, value)| value.starts_with("out/") && writes(option) && !noted(option))
}

/// The examples of each command, with its name.
fn examples() -> Vec<(String, String)> {
    let command = Cli::command();
    let shown = command.get_subcommands().filter(|command| !command.is_hide_set());
    let text = |command: &clap::Command| command.get_after_help().map(ToString::to_string).unwrap_or_default();
    shown.map(|command| (command.get_name().to_owned(), text(command))).collect()
}

/// Each command has examples, and each example is a command line.
fn help() -> Result<(), String> {
    for (name, text) in examples() {
        let examples: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("flagfall ")).collect();
        if examples.is_empty() {
            return Err(format!("{name} has no example"));
        }
        for example in examples {
            // A description stands two spaces away; what follows a pipe or an arrow is the shell's.
            let line = example.split("  ").next().unwrap_or_default().split(['|', '>']).next().unwrap_or_default();
            let arguments: Vec<&str> = line.split_whitespace().collect();
            real::parses(&arguments).map_err(|error| format!("{example}: {error}"))?;
        }
    }
    Ok(())
}

fn justfile(root: &Path) -> Result<(), String> {
    let recipes = real::recipes(root);
    for (name, lines) in &recipes {
        let [line] = lines.as_slice() else { return Err(format!("{name} has {} lines, not one", lines.len())) };
        for command in line.split(" && ") {
            let command: String =
                command.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest)).collect();
            let command = if name == "show" { command + "family/name" } else { command };
            real::look_at(root, command.trim()).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    if recipes.len() < 8 { Err(format!("only {} recipes", recipes.len())) } else { Ok(()) }
}
