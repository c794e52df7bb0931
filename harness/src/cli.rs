//! The command line.

mod attach;
mod baseline;
mod bench;
mod boards;
mod measure;
mod rules;
mod traces;
mod vboard;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use flagfall_core::Side;

pub use self::attach::*;
pub use self::baseline::*;
pub use self::bench::*;
pub use self::boards::*;
pub use self::measure::*;
pub use self::rules::*;
pub use self::traces::*;
pub use self::vboard::*;
use crate::selection::{Filter, Shard};
use crate::terminal::Colour;

/// Hardware-in-the-loop simulator and test harness for chess clocks.
///
/// Scenarios are replayed in virtual time or on a board, and judged: by an oracle for the clock, by an arbiter under
/// any of several rulebooks for the game.
#[derive(Debug, Parser)]
#[command(name = "flagfall", version, arg_required_else_help = true, max_term_width = 110, after_help = EXIT_CODES)]
pub struct Cli {
    /// When to colour what is printed; `NO_COLOR` in the environment means never.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Colour,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes, the first that applies in this order:
  0  everything that ran passed
  1  a clock or a ruling is wrong
  2  wrong usage, or a scenario, rulebook or board file that is wrong
  3  the bench failed (probe, link, flash, board, harness, budget), or the run was interrupted
  4  the bench cannot resolve a limit
After Ctrl-C or SIGTERM a run writes results, page and last line of what is done and says what was not run. A second \
one ends it at once, with 130 and without results. While files are still being looked for, the first one ends it.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run scenarios and write results, traces and a page.
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Say what is wrong with scenario files, without running them.
    #[command(
        after_help = "Examples:\n  flagfall check\n  flagfall check my-cases/ scenarios/cases/both-flags/last-period-order-unknown.yaml\n  flagfall check both-flags/last-period-order-unknown"
    )]
    Check(Check),
    /// List scenarios with their rule points.
    #[command(
        after_help = "Examples:\n  flagfall list\n  flagfall list --json scenarios/cases/late-arrival\n  flagfall list --filter white"
    )]
    List(List),
    /// Run one scenario and show its timeline, its checks and its rulings.
    #[command(
        after_help = "Examples:\n  flagfall show both-flags/last-period-order-unknown\n  flagfall show my-cases/x/y.yaml --rulebook cbx"
    )]
    Show(Show),
    /// Put scenarios and rulebooks side by side: what each text makes of each game.
    #[command(after_help = MATRIX_HELP)]
    Matrix(Matrix),
    /// Look into rulebooks: what they say, how they differ, and whether scenarios show it.
    #[command(after_help = rules::RULES_HELP)]
    Rules {
        /// What to look for.
        #[command(subcommand)]
        what: Rules,
    },
    /// Say which requirements for electronic clocks the results of runs show, on each rig.
    #[command(after_help = COVERAGE_HELP)]
    Coverage(Coverage),
    /// Show a clock in the terminal, live: press, stop and correct it by keys, and save what was done as a scenario.
    #[command(after_help = attach::ATTACH_HELP)]
    Attach(Attach),
    /// List the debug probes that this machine has.
    #[command(after_help = boards::PROBES_HELP)]
    Probes(Probes),
    /// Write a board's firmware to its flash and read it back.
    #[command(after_help = boards::FLASH_HELP)]
    Flash(Flash),
    /// List boards with what each can do, or look whether they are fit for a run.
    #[command(after_help = boards::BOARDS_HELP)]
    Boards(Boards),
    /// Measure how fast the time base of a board is, and how sure that is.
    #[command(after_help = measure::MEASURE_HELP)]
    Measure(Measure),
    /// Keep what a clock measures like, and say whether it still does.
    #[command(after_help = baseline::BASELINE_HELP)]
    Baseline {
        /// What to do.
        #[command(subcommand)]
        what: Baseline,
    },
    /// Say where two traces part: the first event that is another one, with what came before it on either side.
    #[command(after_help = traces::DIFF_HELP)]
    Diff(Diff),
    /// Run what a trace says was achieved again in virtual time, and say whether the clock's model does the same.
    #[command(after_help = traces::REPLAY_HELP)]
    Replay(Replay),
    /// Write the page of results anew: of one folder, or of several side by side.
    #[command(after_help = REPORT_HELP)]
    Report(Report),
    /// Say whether a side can still mate, by any series of legal moves.
    #[command(after_help = WINNABLE_HELP)]
    Winnable(Winnable),
    /// Use an emulated board by itself.
    #[command(after_help = vboard::VBOARD_HELP)]
    Vboard {
        /// What for.
        #[command(subcommand)]
        what: Vboard,
    },
    /// Print the JSON Schema of scenario files, for an editor that completes and checks.
    #[command(after_help = SCHEMA_HELP)]
    Schema,
    /// Print a completion script for a shell.
    #[command(after_help = "Example:\n  flagfall completions bash > /etc/bash_completion.d/flagfall")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print scenario ids and trace hashes: the other half of --check-determinism.
    #[command(hide = true)]
    Hashes(Hashes),
}

const COVERAGE_HELP: &str = "\
Each requirement is, on each rig,
  shown    a case passed and none failed
  failed   a case failed
  open     no case gave an answer: none was run, or none applies to the rig, or the bench could not tell
  no case  no scenario could show it
Exit codes: 0; 1 if a requirement failed, with --require also if one is open; 2 if there are no results to read.

Examples:
  flagfall coverage                                  what the last run shows
  flagfall coverage out-sim out-board                two runs side by side, a column for each rig
  flagfall coverage --require out-board              for CI: nothing may be open
  flagfall coverage --json | jq .id                  one object for each requirement";

const REPORT_HELP: &str = "\
The page of one folder is its index.html, the same as `run` writes, with report.json beside it; of several it is the file \
that --page names. Where a scenario was run on several rigs, its runs stand side by side and the first difference is marked. \
A folder may have been copied from elsewhere: nothing but what is in it is read. A mask limits how far the time error of a \
clock may move within any span, a step and a rate; one of your own is three lines of YAML: `mask: club`, `step: 5ms`, \
`rate: 30ppm`.
Exit codes: 0; 2 if there are no results to read; 3 if a file cannot be written. That a run failed is the page's matter.

Examples:
  flagfall report                                      the page of the last run, written anew
  flagfall report --page both.html out-sim out-board   simulator and board side by side
  flagfall report --summary summary.md                 Markdown for a pull request
  flagfall report --mask strict                        hold time errors to 2 ms + 20 ppm
  flagfall report --png                                plots as pictures, for documents that hold no SVG
  flagfall report --json - | jq '.runs[] | select(.margin) | .margin.off_ns / .margin.bound_ns'
  flagfall report --schema > report.schema.json        what stands in report.json";

const MATRIX_HELP: &str = "\
A cell is the ruling that answers the points of the scenario: a result, or else that play goes on or what it hangs on, or \
else what was ruled last on the first of its points that arose; with the article, and `literal` where it follows from the \
words alone.
  ?   the text does not say
  ≠   most of the texts that answer say something else
  !   the scenario expects something else of this rulebook
Exit codes: those of `run`; that texts contradict each other is no error.

Examples:
  flagfall matrix both-flags/last-period-order-unknown   one game under every rulebook
  flagfall matrix --html matrix.html                     all of them, as a page that works offline
  flagfall matrix --rulebook cbx --rulebook fide-2014    two texts
  flagfall matrix --rulebook my-club.yaml                a rulebook of your own beside those that are built in
  flagfall matrix --json - | jq '.scenarios[] | select(.diverges) | .scenario'";

const WINNABLE_HELP: &str = "\
Both sides help; no count of moves and no repetition ends the game, stalemate does. The answer is one of
  winnable      with moves that end in mate
  unwinnable    no series of legal moves ends in mate
  undetermined  neither a mate nor a proof was found in a number of positions that is the same on every machine
In a file, blank lines and lines that begin with # are passed over. What is no position is told on standard error with \
its line, and the others are answered. Of a FEN the last fields may be left out.
With --json each position gives one object: fen, for, answer, line (moves in coordinates), nodes (positions looked at).
Exit codes: 0 whatever the answers are; 2 if something was no position.

Examples:
  flagfall winnable --for black '8/2kr4/8/K7/8/8/8/8 w - - 0 1'
  flagfall winnable --for white --file positions.txt --json
  flagfall winnable --for white --json --file - | jq .answer";

const SCHEMA_HELP: &str = "\
Example:
  flagfall schema > scenario.schema.json
An editor with the YAML language server reads it from the first line of a scenario:
  # yaml-language-server: $schema=scenario.schema.json";

const RUN_EXAMPLES: &str = "\
Examples:
  flagfall run                                       all scenarios of the repository in virtual time
  flagfall run my-cases --rulebook cbx               your own folder under one rulebook
  flagfall run --rulebook my-club.yaml               under all that are built in and one of your own
  flagfall run --board boards/virtual-f405.yaml      on the emulated board, through probe-rs
  flagfall run --check-determinism                   again in a second process, hashes compared
  flagfall run both-flags/last-period-order-unknown  one scenario, by its id
  flagfall run --filter late-arrival/ --filter '*/white-*'
  flagfall run --board my-bench.yaml --retries 3     a bench whose cable is loose
  flagfall run --board my-bench.yaml --jump long-games/exact-clock
                                                     a game of seven hours on a real board, in minutes
  flagfall run --shard 2/4 --junit shard-2.xml       one of four jobs in CI
  flagfall run --summary summary.md                  Markdown for a pull request
  flagfall run --json --out /tmp/r | jq .verdict     run records on standard output";

/// Which scenarios of all.
#[derive(Clone, Debug, Default, Args)]
pub struct Selection {
    /// Scenario files, folders of them, or ids of scenarios in scenarios/cases [default: scenarios/cases].
    #[arg(value_name = "PATHS|IDS")]
    pub paths: Vec<PathBuf>,
    /// Only scenarios whose id has this in it (`both-flags/`, `order-unknown`), or is as this pattern says (`*/white-*`);
    /// may be repeated, and then any will do.
    #[arg(long, value_name = "EXPR")]
    pub filter: Vec<Filter>,
    /// Only the K-th of N parts, by sorted ids and after --filter: the N parts are the whole set and share none.
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
}

/// Options of `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// Run on the board that this file describes instead of in virtual time.
    #[arg(long, value_name = "FILE")]
    pub board: Option<PathBuf>,
    /// Jump the time in which nothing is due: a game of two hours takes a real board minutes. It is no test of a rate.
    #[arg(long, requires = "board")]
    pub jump: bool,
    /// Use a board that its file has put in quarantine.
    #[arg(long, requires = "board")]
    pub quarantined: bool,
    /// Rule under this one of the rulebooks that are built in (KEY), or under one of your own as well (FILE); may be
    /// repeated [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// Where to put results.jsonl, traces and index.html; an earlier run's folder is replaced, unless anything else is in it.
    #[arg(long, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,
    /// Write JUnit XML as well.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a summary in Markdown as well, for a pull request.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// What time errors are held to on the page: strict, crystal, lenient, or a file of your own [default: crystal]. It
    /// changes no verdict of a scenario.
    #[arg(long, value_name = "NAME|FILE")]
    pub mask: Option<String>,
    /// Print run records as JSON lines on standard output, everything else on standard error.
    #[arg(long)]
    pub json: bool,
    /// How many scenarios at once [default: one for each processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How often a scenario is tried again, on the board opened anew, when the bench fails; what the clock does wrong is
    /// never tried again.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub retries: u8,
    /// Run everything again in a second process, in another order and with other jobs, and compare the trace hashes.
    #[arg(long, conflicts_with = "board")]
    pub check_determinism: bool,
    /// What is known of the bench.
    #[command(flatten)]
    pub bench: OnBench,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// A rulebook file whose key rulings may name, beside those built in; may be repeated.
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
}

/// Options of `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// A rulebook file whose key rulings may name, beside those built in; may be repeated.
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// One JSON object a line.
    #[arg(long)]
    pub json: bool,
}

/// Options of `show`.
#[derive(Debug, Args)]
pub struct Show {
    /// A scenario's id, or the path of its file.
    #[arg(value_name = "SCENARIO")]
    pub scenario: String,
    /// Where to look for the id [default: scenarios/cases].
    #[arg(long, value_name = "DIR")]
    pub cases: Vec<PathBuf>,
    /// Run on the board that this file describes instead of in virtual time.
    #[arg(long, value_name = "FILE")]
    pub board: Option<PathBuf>,
    /// Use a board that its file has put in quarantine.
    #[arg(long, requires = "board")]
    pub quarantined: bool,
    /// Rule under this one of the rulebooks that are built in (KEY), or under one of your own as well (FILE); may be
    /// repeated [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
}

/// Options of `matrix`.
#[derive(Debug, Args)]
pub struct Matrix {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// Ask this one of the rulebooks that are built in (KEY), or one of your own as well (FILE); may be repeated
    /// [default: all that are built in].
    #[arg(long, value_name = "KEY|FILE")]
    pub rulebook: Vec<String>,
    /// Write the matrix as one page that works offline.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the matrix as JSON, `-` for standard output, where it then stands alone.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Options of `coverage`.
#[derive(Debug, Args)]
pub struct Coverage {
    /// Folders of results, as `run --out` writes them; where two have a run of one case on one rig, the worse counts.
    #[arg(value_name = "DIR", default_value = "out")]
    pub folders: Vec<PathBuf>,
    /// One JSON object a line, for each requirement.
    #[arg(long)]
    pub json: bool,
    /// Exit with 1 as well if a requirement that cases could show is open on a rig.
    #[arg(long)]
    pub require: bool,
}

/// Options of `report`.
#[derive(Debug, Args)]
pub struct Report {
    /// Folders of results, as `run --out` writes them.
    #[arg(value_name = "DIR", default_value = "out")]
    pub folders: Vec<PathBuf>,
    /// Where to write the page [default: index.html in the folder, if there is one folder].
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// Write the report as JSON as well, `-` for standard output, where it then stands alone.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a summary in Markdown as well.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Write the plots as PNG as well, into the folder `plots` beside the page.
    #[arg(long)]
    pub png: bool,
    /// What time errors are held to: strict (2 ms + 20 ppm), crystal (20 ms + 50 ppm), lenient (100 ms + 278 ppm), or a
    /// file of your own [default: crystal].
    #[arg(long, value_name = "NAME|FILE")]
    pub mask: Option<String>,
    /// Print the JSON Schema of report.json, and nothing else.
    #[arg(long, exclusive = true)]
    pub schema: bool,
}

/// Options of `winnable`.
#[derive(Debug, Args)]
pub struct Winnable {
    /// The side that is to mate: white or black.
    #[arg(long = "for", value_name = "SIDE")]
    pub side: Side,
    /// The position, in Forsyth-Edwards notation, quoted or not.
    #[arg(value_name = "FEN", required_unless_present = "file", conflicts_with = "file")]
    pub position: Vec<String>,
    /// Positions from a file, one a line; - reads standard input.
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// One JSON object a line.
    #[arg(long)]
    pub json: bool,
}

/// Options of `hashes`.
#[derive(Debug, Args)]
pub struct Hashes {
    /// Which scenarios.
    #[command(flatten)]
    pub selection: Selection,
    /// The rulebooks of the first process.
    #[arg(long)]
    pub rulebook: Vec<String>,
    /// How many at once.
    #[arg(long)]
    pub jobs: u16,
    /// Seed of the order in which they are run.
    #[arg(long)]
    pub shuffle: u64,
    /// Write the traces below this folder.
    #[arg(long)]
    pub traces: PathBuf,
}
