//! allantools in a Python process that measures itself: a name goes in, averaging times, results and seconds come out.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("theirs.py");

/// The release that the figures are about.
const PACKAGE: &str = "allantools==2024.6";

/// A Python process with the readings in it.
pub(crate) struct Allantools {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Allantools {
    /// Starts the process; the error says what is missing.
    pub(crate) fn start(readings: &[i64]) -> Result<Self, String> {
        let python = match env::var_os("FLAGFALL_ALLANTOOLS") {
            Some(python) => PathBuf::from(python),
            None => installed()?,
        };
        let mut child = Command::new(&python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} does not start: {error}", python.display()))?;
        let (Some(mut questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the process has no pipes".to_owned());
        };
        let bytes: Vec<u8> = readings.iter().flat_map(|reading| reading.to_le_bytes()).collect();
        let send = |questions: &mut ChildStdin| {
            writeln!(questions, "{}", bytes.len())?;
            questions.write_all(&bytes)?;
            questions.flush()
        };
        send(&mut questions).map_err(|error| format!("the process took no readings: {error}"))?;
        let mut answers = BufReader::new(answers);
        let mut ready = String::new();
        answers.read_line(&mut ready).map_err(|error| format!("the process said nothing: {error}"))?;
        if ready.trim() == "ready" { Ok(Self { child, questions, answers }) } else { Err("see above".to_owned()) }
    }

    /// Averaging times as multiples, results, and what the call took.
    pub(crate) fn measure(&mut self, measure: &str) -> io::Result<(Vec<usize>, Vec<f64>, Duration)> {
        writeln!(self.questions, "{measure}")?;
        self.questions.flush()?;
        let mut line = || -> io::Result<String> {
            let mut line = String::new();
            self.answers.read_line(&mut line)?;
            Ok(line)
        };
        let (multiples, results, seconds) = (numbers(&line()?)?, numbers(&line()?)?, numbers(&line()?)?);
        let seconds = seconds.first().copied().ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok((multiples.into_iter().map(|m| m as usize).collect(), results, Duration::from_secs_f64(seconds)))
    }
}

impl Drop for Allantools {
    fn drop(&mut self) {
        // It ends when nobody asks any more; if it has ended already there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn numbers(line: &str) -> io::Result<Vec<f64>> {
    let number = |word: &str| word.parse().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, line.to_owned()));
    line.split_whitespace().map(number).collect()
}

/// A Python with allantools, installed once below the folder for what is built.
fn installed() -> Result<PathBuf, String> {
    let target = env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    let folder = target.join("allantools");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let run = |command: &mut Command| match command.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    };
    if run(Command::new(&python).args(["-c", "import allantools"]).stderr(Stdio::null())).is_err() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]))?;
    }
    Ok(python)
}
