//! The terminal: taken at the beginning, given back whatever happens.

use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyEvent, KeyEventKind};
use crossterm::style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

use super::view::{Line, Style};

/// Whether a terminal is taken, for a panic that finds it so.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The hook that gives the terminal back is set once.
static HOOK: Once = Once::new();

/// Something that came from the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A key.
    Key(KeyEvent),
    /// It has another size.
    Resized,
}

/// A terminal in which lines are shown in place of what stood there before; that comes back when this is dropped, and
/// before the message of a panic.
pub struct Screen {
    out: Stdout,
    colour: bool,
    shown: Vec<Line>,
}

impl Screen {
    /// Takes the terminal.
    ///
    /// # Errors
    /// What the terminal says; it is as it was then.
    pub fn open(colour: bool) -> io::Result<Self> {
        HOOK.call_once(|| {
            let usual = panic::take_hook();
            panic::set_hook(Box::new(move |panicked| {
                give_back();
                usual(panicked);
            }));
        });
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let mut screen = Self { out: io::stdout(), colour, shown: Vec::new() };
        execute!(screen.out, EnterAlternateScreen, Hide, Clear(ClearType::All))?;
        Ok(screen)
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// What the terminal says.
    pub fn size(&self) -> io::Result<(usize, usize)> {
        // A terminal that does not know how large it is says zero.
        let (width, height) = size()?;
        Ok(match (width, height) {
            (0, _) | (_, 0) => (80, 24),
            (width, height) => (width.into(), height.into()),
        })
    }

    /// Shows these lines from the top; what is there already is not written again.
    ///
    /// # Errors
    /// What the terminal says.
    pub fn show(&mut self, lines: Vec<Line>) -> io::Result<()> {
        queue!(self.out, BeginSynchronizedUpdate)?;
        for row in 0..lines.len().max(self.shown.len()) {
            let line = lines.get(row);
            if line == self.shown.get(row) {
                continue;
            }
            queue!(self.out, MoveTo(0, u16::try_from(row).unwrap_or(u16::MAX)), Clear(ClearType::CurrentLine))?;
            for (text, style) in line.into_iter().flatten() {
                self.write(text, *style)?;
            }
        }
        queue!(self.out, EndSynchronizedUpdate)?;
        self.shown = lines;
        self.out.flush()
    }

    fn write(&mut self, text: &str, style: Style) -> io::Result<()> {
        let attribute = match style {
            Style::Plain => None,
            Style::Strong | Style::Runs | Style::Alarm => Some(Attribute::Bold),
            Style::Dim => Some(Attribute::Dim),
        };
        let colour = match style {
            Style::Runs => Some(Color::Green),
            Style::Alarm => Some(Color::Red),
            _ => None,
        };
        if let Some(attribute) = attribute {
            queue!(self.out, SetAttribute(attribute))?;
        }
        if let Some(colour) = colour.filter(|_| self.colour) {
            queue!(self.out, SetForegroundColor(colour))?;
        }
        queue!(self.out, Print(text), ResetColor, SetAttribute(Attribute::Reset))
    }

    /// Waits so long for a key or another size.
    ///
    /// # Errors
    /// What the terminal says: nobody can be heard any more.
    pub fn hear(&mut self, patience: Duration) -> io::Result<Option<Heard>> {
        if !event::poll(patience)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => Some(Heard::Key(key)),
            Event::Resize(..) => {
                self.shown.clear();
                execute!(self.out, Clear(ClearType::All))?;
                Some(Heard::Resized)
            }
            _ => None,
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, if it is taken. If it does not listen any more there is nobody left to tell.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stdout(), ResetColor, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}
