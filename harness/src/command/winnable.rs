//! `flagfall winnable`: whether a side can still mate, by any series of legal moves.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flagfall_core::Side;
use flagfall_judge::mate::{Answer, Position, PositionError, Prospects, can_mate};
use flagfall_trace::open_regular;
use serde::Serialize;

use crate::cli::Winnable;
use crate::command::{bad_input, printed, try_print};
use crate::exit::Exit;

/// A line of a file is no longer than this, in bytes; a position takes less than a hundred.
const LINE_MAX: u64 = 4096;

#[derive(Serialize)]
struct Line<'a> {
    fen: &'a str,
    r#for: Side,
    answer: &'static str,
    line: &'a [String],
    nodes: u64,
}

/// Answers for the position on the command line or for each one of a file, in its order; what is no position is told on
/// standard error, and the others are answered all the same.
#[must_use]
pub fn winnable(options: &Winnable) -> Exit {
    let Some(file) = &options.file else {
        return answer(&options.position.join(" "), options).map_or_else(|error| bad_input(&error), printed);
    };
    if file == Path::new("-") {
        return each(&mut io::stdin().lock(), "standard input", options);
    }
    let name = file.display().to_string();
    match open_regular(file) {
        Ok(file) => each(&mut BufReader::new(file), &name, options),
        Err(error) => {
            bad_input(&format!("{name}: {error}; give a file with one position a line, or - for standard input"))
        }
    }
}

fn each(lines: &mut impl BufRead, name: &str, options: &Winnable) -> Exit {
    let mut exit = Exit::Passed;
    for number in 1_u64.. {
        let mut line = Vec::new();
        match lines.take(LINE_MAX).read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => (),
            Err(error) => return exit.and(bad_input(&format!("{name}:{number}: {error}"))),
        }
        if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") {
            exit = exit.and(bad_input(&format!("{name}:{number}: no position has more than {LINE_MAX} bytes")));
            if let Err(error) = lines.skip_until(b'\n') {
                return exit.and(bad_input(&format!("{name}:{number}: {error}")));
            }
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let fen = text.trim();
        if fen.is_empty() || fen.starts_with('#') {
            continue;
        }
        match answer(fen, options) {
            Ok(Ok(())) => (),
            // Nobody reads the answers any more.
            Ok(unprinted) => return exit.and(printed(unprinted)),
            Err(error) => exit = exit.and(bad_input(&format!("{name}:{number}: {error}"))),
        }
    }
    exit
}

fn answer(fen: &str, options: &Winnable) -> Result<io::Result<()>, PositionError> {
    let prospects = can_mate(&Position::read(fen)?, options.side);
    let text = if options.json { as_json(fen, options.side, &prospects) } else { as_text(fen, &prospects) };
    Ok(try_print(&text))
}

fn as_json(fen: &str, side: Side, prospects: &Prospects) -> String {
    let (answer, line) = match &prospects.answer {
        Answer::Winnable(line) => ("winnable", line.as_slice()),
        Answer::Unwinnable(_) => ("unwinnable", [].as_slice()),
        Answer::Undetermined => ("undetermined", [].as_slice()),
    };
    let line = Line { fen, r#for: side, answer, line, nodes: prospects.nodes };
    serde_json::to_string(&line).expect("a line has string keys only") + "\n"
}

fn as_text(fen: &str, Prospects { answer, nodes }: &Prospects) -> String {
    match answer {
        Answer::Winnable(line) if line.is_empty() => format!("winnable      {fen}  this is mate\n"),
        Answer::Winnable(line) => format!("winnable      {fen}  {}\n", line.join(" ")),
        Answer::Unwinnable(reason) => format!("unwinnable    {fen}  {reason}\n"),
        Answer::Undetermined => format!("undetermined  {fen}  no mate and no proof in {nodes} positions\n"),
    }
}
