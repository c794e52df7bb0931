//! A program in a terminal of its own, which remembers what it was shown.

use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, tcgetattr};

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the terminal was sent, and what stands on it.
struct Shown {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

/// A program in a terminal; it is ended when this is dropped.
pub(crate) struct Terminal {
    child: Child,
    keys: std::fs::File,
    /// Kept open: a terminal whose programs are gone tells nothing any more.
    slave: OwnedFd,
    shown: Arc<Mutex<Shown>>,
}

impl Terminal {
    /// Starts a program in a folder, with a terminal of this size.
    pub(crate) fn start(program: &Path, arguments: &[&str], folder: &Path, (columns, rows): (u16, u16)) -> Self {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pty = openpty(&size, None).expect("a pseudo-terminal");
        let end = || Stdio::from(pty.slave.try_clone().expect("another handle"));
        let child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("NO_COLOR")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("it starts");
        let mut master = std::fs::File::from(pty.master);
        let keys = master.try_clone().expect("another handle");
        let size = |cells: u16| NonZero::new(cells).expect("a terminal has some");
        let screen = vt100::Parser::new(size(rows), size(columns), 0);
        let shown = Arc::new(Mutex::new(Shown { screen, bytes: Vec::new() }));
        let seen = shown.clone();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = master.read(&mut buffer) {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.screen.process(&buffer[..read]);
                seen.bytes.extend_from_slice(&buffer[..read]);
            }
        });
        Self { child, keys, slave: pty.slave, shown }
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What stands on the screen.
    pub(crate) fn screen(&self) -> String {
        self.shown().screen.screen().contents()
    }

    /// Everything that was sent so far.
    pub(crate) fn sent(&self) -> String {
        String::from_utf8_lossy(&self.shown().bytes).into_owned()
    }

    /// The process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Types these keys.
    pub(crate) fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn wait_for(&self, what: &str, is: impl Fn(&str) -> bool) -> Result<String, String> {
        let begun = Instant::now();
        loop {
            let screen = self.screen();
            if is(&screen) {
                return Ok(screen);
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("no {what} within {PATIENCE:?}:\n{screen}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until this stands on the screen.
    pub(crate) fn see(&self, text: &str) -> Result<String, String> {
        self.wait_for(&format!("`{text}`"), |screen| screen.contains(text))
    }

    /// Waits for the end; then the terminal must be as it was: the usual screen, a cursor, lines that are echoed.
    pub(crate) fn end(&mut self) -> Result<ExitStatus, String> {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("no end within {PATIENCE:?}:\n{}", self.screen()));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // What it said last is still on its way.
        self.wait_for("usual screen", |_| self.sent().contains("\u{1b}[?1049l"))?;
        let flags = tcgetattr(&self.slave).map_err(|error| error.to_string())?.local_flags;
        if !flags.contains(LocalFlags::ECHO | LocalFlags::ICANON) {
            return Err(format!("the terminal is left as no shell has it: {flags:?}"));
        }
        if self.shown().screen.screen().hide_cursor() {
            return Err("the cursor is left hidden".into());
        }
        Ok(status)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already, unless a trial failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
