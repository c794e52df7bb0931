//! The command line of `rules`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Selection;
use crate::selection::Shard;
use crate::what_if::Change;
use flagfall_judge::Point;

/// What there is to be known about rulebooks.
#[derive(Debug, Subcommand)]
pub enum Rules {
    /// List the rulebooks, with what they decide and what they leave open.
    #[command(after_help = "Examples:\n  flagfall rules list\n  flagfall rules list --rulebook my-club.yaml --json")]
    List(RulesList),
    /// Say what a rulebook answers to a point, how the others answer it, and which scenarios show it.
    #[command(
        after_help = "Examples:\n  flagfall rules explain fide-2014 H2\n  flagfall rules explain my-club.yaml E2"
    )]
    Explain(Explain),
    /// Say what two rulebooks rule differently, with a scenario that shows it.
    #[command(
        after_help = "Examples:\n  flagfall rules diff fide-2014 cbx\n  flagfall rules diff fide-2014 my-club.yaml --filter both-flags/"
    )]
    Diff(RulesDiff),
    /// Say what would be ruled in a scenario if a text answered otherwise.
    #[command(
        name = "what-if",
        after_help = "Examples:\n  flagfall rules what-if both-flags/last-period-order-unknown --set H2=silent\n  flagfall rules what-if my-cases/x/y.yaml --set E2=only-a-players-claim --rulebook fide-2014"
    )]
    WhatIf(WhatIf),
    /// Say which cells, a point under a rulebook, a scenario decides; fails if a decided cell has none.
    #[command(after_help = RULES_COVERAGE_HELP)]
    Coverage(RulesCoverage),
    /// Answer each point of each rulebook otherwise and see whether a ruling changes in some scenario.
    #[command(after_help = MUTATE_HELP)]
    Mutate(Mutate),
}

/// One example of each; the commands have more.
pub(super) const RULES_HELP: &str = "\
Examples:
  flagfall rules list
  flagfall rules explain fide-2014 H2
  flagfall rules diff fide-2014 cbx
  flagfall rules what-if both-flags/last-period-order-unknown --set H2=silent
  flagfall rules coverage
  flagfall rules mutate --shard 1/4";

const RULES_COVERAGE_HELP: &str = "\
A cell is decided where the rulebook answers the point. A scenario decides it when it expects a ruling of that rulebook \
on that point, and gets it.
Exit codes: 0; 1 if a decided cell has no scenario; 2 for input that cannot be used.

Examples:
  flagfall rules coverage
  flagfall rules coverage --rulebook cbx
  flagfall rules coverage --json | jq 'select(.cases == [] and .decided)'";

const MUTATE_HELP: &str = "\
A flip gives a point another of the answers that it can have, or silence; or a figure that of another rulebook, or one \
more or less: a second, or one of what is counted. A flip is killed if some ruling of some scenario becomes another. \
One that none can kill has its reason in the file of reasons, mutants/rulebooks.yaml; at most one in twenty may.
Exit codes: 0; 1 if a flip survives without a reason, a reason is for no surviving flip, or there are too many; 2 for \
input that cannot be used.

Examples:
  flagfall rules mutate
  flagfall rules mutate --rulebook ua --point H2
  flagfall rules mutate --shard 2/4";

/// Options of `rules list`.
#[derive(Debug, Args)]
pub struct RulesList {
    /// Only this one of those that are built in (KEY), or one of your own as well (FILE); may be repeated.
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// One JSON object a line, with everything that a rulebook says.
    #[arg(long)]
    pub json: bool,
}

/// Options of `rules explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The rulebook: a key or the path of a file.
    #[arg(value_name = "KEY|FILE")]
    pub rulebook: String,
    /// The rule point: `H2`.
    pub point: Point,
}

/// Options of `rules diff`.
#[derive(Debug, Args)]
pub struct RulesDiff {
    /// A rulebook: a key or the path of a file.
    #[arg(value_name = "KEY|FILE")]
    pub one: String,
    /// Another.
    #[arg(value_name = "KEY|FILE")]
    pub other: String,
    /// Which scenarios may show it.
    #[command(flatten)]
    pub selection: Selection,
}

/// Options of `rules what-if`.
#[derive(Debug, Args)]
pub struct WhatIf {
    /// A scenario's id, or the path of its file.
    #[arg(value_name = "SCENARIO")]
    pub scenario: String,
    /// What is answered otherwise: `H2=silent`, `E2=only-a-players-claim`, or a figure, `K5.remaining=6m`; may be repeated.
    #[arg(long, value_name = "POINT=VALUE", required = true)]
    pub set: Vec<Change>,
    /// Only by this one of the rulebooks that are built in (KEY), or by one of your own as well (FILE); may be repeated
    /// [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// Where to look for the id [default: scenarios/cases].
    #[arg(long, value_name = "DIR")]
    pub cases: Vec<PathBuf>,
}

/// Options of `rules coverage`.
#[derive(Debug, Args)]
pub struct RulesCoverage {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// Only this one of the rulebooks that are built in (KEY), or one of your own as well (FILE); may be repeated
    /// [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// One JSON object a line, for each cell.
    #[arg(long)]
    pub json: bool,
}

/// Options of `rules mutate`.
#[derive(Debug, Args)]
pub struct Mutate {
    /// Scenario files, folders of them, or ids of scenarios in scenarios/cases [default: scenarios/cases].
    #[arg(value_name = "PATHS|IDS")]
    pub paths: Vec<PathBuf>,
    /// Only flips of this one of the rulebooks that are built in (KEY), or of one of your own as well (FILE); may be
    /// repeated [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// Only flips of this point; may be repeated.
    #[arg(long)]
    pub point: Vec<Point>,
    /// Only the K-th of N parts of the flips.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Why some flips can be killed by no scenario [default: mutants/rulebooks.yaml, if it is there].
    #[arg(long, value_name = "FILE")]
    pub reasons: Option<PathBuf>,
}
