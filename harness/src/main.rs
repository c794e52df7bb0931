//! `flagfall`: see [`flagfall::cli`].

use std::process::ExitCode;

use clap::Parser;
use flagfall::cli::{Cli, Command};
use flagfall::command;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match &cli.command {
        Command::Run(options) => command::run::run(options, cli.color),
        Command::Check(paths) => command::check::check(paths, cli.color),
        Command::List(options) => command::list::list(options, cli.color),
        Command::Show(options) => command::show::show(options, cli.color),
        Command::Matrix(options) => command::matrix::matrix(options, cli.color),
        Command::Rules { what } => command::rules::rules(what, cli.color),
        Command::Coverage(options) => command::coverage::coverage(options, cli.color),
        Command::Attach(options) => command::attach::attach(options, cli.color),
        Command::Probes(options) => command::probes::probes(options),
        Command::Flash(options) => command::flash::flash(options),
        Command::Boards(options) => command::boards::boards(options, cli.color),
        Command::Measure(options) => command::measure::measure(options, cli.color),
        Command::Baseline { what } => command::baseline::baseline(what, cli.color),
        Command::Diff(options) => command::diff::diff(options, cli.color),
        Command::Replay(options) => command::replay::replay(options, cli.color),
        Command::Report(options) => command::report::report(options),
        Command::Winnable(options) => command::winnable::winnable(options),
        Command::Vboard { what } => command::vboard::vboard(what),
        Command::Schema => command::print(&flagfall_scenarios::schema()),
        Command::Completions { shell } => command::completions::completions(*shell),
        Command::Hashes(options) => command::determinism::hashes(options),
    }
    .into()
}
