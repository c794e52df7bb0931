//! Processes of a test, with a temporary folder of their own, in which nothing may be left.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::emulated;

const PATIENCE: Duration = Duration::from_secs(60);

/// A folder in which processes put what is temporary, short enough for sockets.
pub(crate) fn folder() -> Result<TempDir, Failed> {
    Ok(tempfile::Builder::new().prefix("ff").tempdir_in("/tmp")?)
}

/// The program, with this folder for what is temporary.
pub(crate) fn flagfall(temporary: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagfall"));
    command.env("TMPDIR", temporary).stdin(Stdio::null());
    command
}

/// `vboard serve` on a port of its own.
pub(crate) struct Served {
    pub(crate) process: Child,
    pub(crate) selector: String,
    pub(crate) address: String,
}

impl Served {
    pub(crate) fn start(temporary: &Path) -> Result<Served, Failed> {
        Served::with(temporary, &[])
    }

    /// With further options.
    pub(crate) fn with(temporary: &Path, options: &[&str]) -> Result<Served, Failed> {
        let kernel = emulated().firmware;
        let mut process = flagfall(temporary)
            .args(["vboard", "serve", "--listen", "127.0.0.1:0", "--kernel"])
            .arg(kernel)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut lines = BufReader::new(process.stdout.take().ok_or("no output")?).lines();
        let first = lines.next().ok_or("it printed nothing")??;
        let selector = first.strip_prefix("selector: ").ok_or_else(|| format!("no selector: {first}"))?.to_owned();
        let address = selector.strip_prefix("1d50:6018:").ok_or("another selector")?.to_owned();
        Ok(Served { process, selector, address })
    }

    /// Asks it to end by this signal; how it ended and what it said.
    pub(crate) fn end(mut self, name: &str) -> Result<(ExitStatus, String), Failed> {
        signal(self.process.id(), name)?;
        let status = self.process.wait()?;
        let mut said = String::new();
        self.process.stderr.take().ok_or("no error output")?.read_to_string(&mut said)?;
        Ok((status, said))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A trial that failed leaves it running.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client that speaks the protocol by hand.
pub(crate) struct Client(TcpStream);

impl Client {
    pub(crate) fn connect(address: &str) -> Result<Client, Failed> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(Client(stream))
    }

    pub(crate) fn send(&mut self, text: &str) -> Result<(), Failed> {
        Ok(self.0.write_all(text.as_bytes())?)
    }

    /// What comes up to the next `#`; empty if the server has closed.
    pub(crate) fn answer(&mut self) -> Result<String, Failed> {
        let (mut text, mut byte) = (String::new(), [0]);
        while !text.ends_with('#') && self.0.read(&mut byte)? == 1 {
            text.push(char::from(byte[0]));
        }
        Ok(text)
    }

    pub(crate) fn ask(&mut self, text: &str) -> Result<String, Failed> {
        self.send(text)?;
        self.answer()
    }

    /// Whether nothing comes for so long.
    pub(crate) fn hears_nothing(&mut self, patience: Duration) -> Result<bool, Failed> {
        self.0.set_read_timeout(Some(patience))?;
        let nothing = self.0.read(&mut [0]).is_err();
        self.0.set_read_timeout(Some(Duration::from_secs(20)))?;
        Ok(nothing)
    }
}

pub(crate) fn signal(process: u32, name: &str) -> Result<(), Failed> {
    match Command::new("kill").args([name, &process.to_string()]).status()?.success() {
        true => Ok(()),
        false => Err(format!("kill {name} {process} failed").into()),
    }
}

/// The emulators whose sockets are in this folder.
pub(crate) fn emulators(temporary: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let ours = |process: &u32| {
        let read = |file| fs::read(format!("/proc/{process}/{file}")).unwrap_or_default();
        let command_line = String::from_utf8_lossy(&read("cmdline")).into_owned();
        read("comm").starts_with(b"qemu") && command_line.contains(&*temporary.to_string_lossy())
    };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(ours).collect()
}

/// Waits until this is true.
pub(crate) fn soon(what: &str, mut seen: impl FnMut() -> bool) -> Result<(), Failed> {
    let deadline = Instant::now() + PATIENCE;
    while !seen() {
        if Instant::now() > deadline {
            return Err(format!("not within {} s: {what}", PATIENCE.as_secs()).into());
        }
        sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// An emulator of this folder, as soon as there is one.
pub(crate) fn emulator(temporary: &Path) -> Result<u32, Failed> {
    soon("an emulator", || !emulators(temporary).is_empty())?;
    emulators(temporary).first().copied().ok_or_else(|| "it has ended".into())
}

/// No emulator runs, and the folder is empty.
pub(crate) fn nothing_is_left(temporary: &Path) -> Result<(), Failed> {
    soon("the end of the emulators", || emulators(temporary).is_empty())?;
    soon("an empty temporary folder", || fs::read_dir(temporary).is_ok_and(|mut entries| entries.next().is_none()))
}
