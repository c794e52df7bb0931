//! `flagfall attach`: a clock in the terminal, live.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, Instant};

use flagfall_core::{TickRate, TrueTime};
use flagfall_reports::timeline::TimelineLine;
use flagfall_trace::plan::Act;
use flagfall_trace::trace::write_whole;

use crate::attach::save::{Played, scenario};
use crate::attach::view::{self, View};
use crate::attach::{Desk, Heard, Screen, Session, SessionError, Wish, nothing_done};
use crate::cli::Attach;
use crate::command::{bad_input, held, infra, print, warn};
use crate::exit::Exit;
use crate::held::Held;
use crate::interrupt::Interrupt;
use crate::rig::board::{Board, Description};
use crate::terminal::{Colour, count};

/// How much time passes between two looks at the clock.
const LEG: Duration = Duration::from_millis(50);

/// How often the others are told that the probes are still in use.
const RENEW_EVERY: Duration = Duration::from_secs(60);

/// How far the clock may lag behind the wall before the wall waits for it: a real board stands still while it is read.
const LAG_MAX: Duration = Duration::from_millis(500);

/// Shows a clock until somebody has seen enough.
#[must_use]
pub fn attach(options: &Attach, colour: Colour) -> Exit {
    for (is, name) in [(io::stdin().is_terminal(), "input"), (io::stdout().is_terminal(), "output")] {
        if !is {
            return bad_input(&format!(
                "attach needs a terminal, and standard {name} is none; `run` and `show` need none"
            ));
        }
    }
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let Some(file) = &options.board else { return on_the_simulator(options, colour, interrupt) };
    match Description::read(file) {
        Ok(description) => on_a_board(description, options, colour, interrupt),
        Err(error) => bad_input(&error),
    }
}

fn on_the_simulator(options: &Attach, colour: Colour, interrupt: Interrupt) -> Exit {
    match Session::on_the_simulator(nothing_done(options.control, TickRate::MHZ)) {
        Ok(session) => Attached::new(session, "the simulator", options, interrupt).run(colour),
        Err(error) => failed(&error),
    }
}

fn on_a_board(description: Description, options: &Attach, colour: Colour, interrupt: Interrupt) -> Exit {
    let held = match held(&description, options.wait, &interrupt) {
        Ok(held) => held,
        Err(exit) => return exit,
    };
    let name = description.board.clone();
    warn(&format!("flagfall: opening {name}"));
    let plan = nothing_done(options.control, description.tick_rate);
    let mut board = Board::new(description).heeding(&interrupt);
    let live = match board.live(&plan) {
        Ok(live) => live,
        Err(error) => return infra(&error),
    };
    match Session::on_a_board(live, plan) {
        Ok(session) => Attached { held: Some(held), ..Attached::new(session, &name, options, interrupt) }.run(colour),
        Err(error) => failed(&error),
    }
}

fn failed(error: &SessionError) -> Exit {
    let exit = infra(error);
    if error.blames_the_clock() { Exit::Failed } else { exit }
}

/// How it ended.
enum End {
    /// Somebody left.
    Left,
    /// The clock or its bench failed.
    Failed(SessionError),
    /// The terminal does not answer any more.
    Deaf(io::Error),
}

/// A clock, and somebody in front of it.
struct Attached<'a> {
    session: Session<'a>,
    /// What the clock is called in files.
    clock: String,
    title: String,
    desk: Desk,
    interrupt: Interrupt,
    /// The board's probes, and when that was last said.
    held: Option<Held>,
    renewed: Instant,
    log: Vec<TimelineLine>,
    /// How much there was to tell when the log was made.
    told: (usize, usize),
    /// How many steps had been done when they were last saved, and where.
    saved: (usize, Option<String>),
    /// What made an end of the clock while there was something to save.
    broken: Option<SessionError>,
}

impl<'a> Attached<'a> {
    fn new(session: Session<'a>, clock: &str, options: &Attach, interrupt: Interrupt) -> Self {
        let desk = Desk::new(session.trace().plan.tick_rate);
        Self {
            session,
            clock: clock.to_owned(),
            title: format!("{clock}, {}", options.control),
            desk,
            interrupt,
            held: None,
            renewed: Instant::now(),
            log: Vec::new(),
            told: (0, 0),
            saved: (0, None),
            broken: None,
        }
    }

    fn run(mut self, colour: Colour) -> Exit {
        let end = match Screen::open(colour.on(&io::stdout())) {
            Ok(mut screen) => self.look_and_listen(&mut screen),
            Err(error) => End::Deaf(error),
        };
        // The screen is given back by now.
        let told = print(&self.last_words());
        match (end, self.broken) {
            (End::Failed(error), _) | (_, Some(error)) => failed(&error),
            (End::Deaf(error), None) => infra(&format!("the terminal: {error}")),
            (End::Left, None) => told,
        }
    }

    fn look_and_listen(&mut self, screen: &mut Screen) -> End {
        let mut wall = Wall::begin();
        loop {
            let frame = Instant::now();
            if self.broken.is_none()
                && let Err(error) = self.session.advance(wall.next(self.session.now()))
                && let Some(error) = self.broke(error)
            {
                return End::Failed(error);
            }
            let heard = match self.draw(screen).and_then(|()| screen.hear(LEG.saturating_sub(frame.elapsed()))) {
                Ok(heard) => heard,
                Err(error) => return End::Deaf(error),
            };
            if self.interrupt.is_asked() {
                return End::Left;
            }
            self.hold();
            let Some(Heard::Key(key)) = heard else { continue };
            let Some(wish) = self.desk.key(key, self.session.face()) else { continue };
            match self.grant(wish) {
                Ok(true) => {}
                Ok(false) => return End::Left,
                Err(error) => {
                    if let Some(error) = self.broke(error) {
                        return End::Failed(error);
                    }
                }
            }
        }
    }

    /// Says now and then that the probes are still in use.
    fn hold(&mut self) {
        if self.renewed.elapsed() < RENEW_EVERY {
            return;
        }
        self.renewed = Instant::now();
        if let Some(Err(error)) = self.held.as_mut().map(Held::renew) {
            self.desk.say(error.to_string());
        }
    }

    /// What happens when the clock cannot go on: nothing more, if there is something to save.
    fn broke(&mut self, error: SessionError) -> Option<SessionError> {
        if self.unsaved() == 0 {
            return Some(error);
        }
        self.desk.say(format!("s saves what was done until then, q leaves; it failed: {error}"));
        self.broken = Some(error);
        None
    }

    fn draw(&mut self, screen: &mut Screen) -> io::Result<()> {
        let trace = self.session.trace();
        let told = (trace.records.len(), trace.plan.steps.len());
        if told != self.told {
            self.log = view::log(trace);
            self.told = told;
        }
        let (width, height) = screen.size()?;
        let view = View {
            title: &self.title,
            now: self.session.now(),
            face: self.session.face(),
            log: &self.log,
            on_a_board: self.session.is_on_a_board(),
            said: &self.desk.line(),
            keys: self.desk.keys(),
            lit: if speaks_utf_8() { '█' } else { '#' },
        };
        screen.show(view.lines(width, height))
    }

    /// Does what somebody wants; `false` if he wants no more.
    fn grant(&mut self, wish: Wish) -> Result<bool, SessionError> {
        match wish {
            Wish::LeaveAtOnce => return Ok(false),
            Wish::Leave => {
                if self.unsaved() == 0 {
                    return Ok(false);
                }
                self.desk.ask_to_leave();
            }
            Wish::Save { path, replace } => self.save(&path, replace),
            _ if self.broken.is_some() => self.desk.say("the clock does not go on; s saves what was done, q leaves"),
            Wish::Press(side) => self.session.press(side)?,
            Wish::PressRunning => match self.session.face().running() {
                Some(side) => self.session.press(side)?,
                None => self.desk.say("nobody's time runs: p starts it"),
            },
            Wish::ArbiterButton => {
                if !self.session.arbiter_button()? {
                    self.desk.say("the clock is frozen: only a correction leads out, c");
                }
            }
            Wish::SetTime { side, left_ms } => self.session.act(Act::SetTime { side, left_ms })?,
            Wish::Undo => self.session.act(Act::Undo)?,
            Wish::Swap => self.session.act(Act::Swap)?,
        }
        Ok(true)
    }

    /// Steps that are in no file yet.
    fn unsaved(&self) -> usize {
        self.session.trace().plan.steps.len() - self.saved.0
    }

    fn save(&mut self, path: &Path, replace: bool) {
        if !replace && path.exists() {
            return self.desk.ask_to_replace(path.to_owned());
        }
        let (trace, face) = (self.session.trace(), self.session.face());
        let said = match scenario(trace, face, self.session.now(), &self.clock) {
            Err(error) => format!("not saved: {error}"),
            Ok(played) => match write_whole(path, played.text.as_bytes()) {
                Err(error) => format!("not saved: {}: {error}", path.display()),
                Ok(()) => {
                    self.saved = (trace.plan.steps.len(), Some(path.display().to_string()));
                    told(path, &played)
                }
            },
        };
        self.desk.say(said);
    }

    /// What is said when the terminal is as it was.
    fn last_words(&self) -> String {
        let steps = self.session.trace().plan.steps.len();
        match &self.saved.1 {
            Some(path) => format!("{}, saved in {path}; replay it with `flagfall run {path}`\n", count(steps, "step")),
            None => format!("{}, none saved\n", count(steps, "step")),
        }
    }
}

/// What is said of a file that was written.
fn told(path: &Path, played: &Played) -> String {
    let saved = format!("saved {}: {}", path.display(), count(played.steps, "step"));
    match &played.gap {
        None => format!("{saved}, and the simulator does the same"),
        Some(gap) => format!("{saved}; it will be red: {gap}"),
    }
}

/// The wall's time, for which the clock's waits.
struct Wall {
    began: Instant,
}

impl Wall {
    fn begin() -> Self {
        Self { began: Instant::now() }
    }

    /// Until when the clock may run next, at most a leg beyond where it is.
    fn next(&mut self, now: TrueTime) -> TrueTime {
        let now = Duration::from_nanos(now.ns().max(0).unsigned_abs());
        let lag = self.began.elapsed().saturating_sub(now);
        if lag > LAG_MAX {
            self.began += lag.saturating_sub(LEG);
        }
        let until = self.began.elapsed().min(now + 2 * LEG);
        TrueTime::from_ns(i64::try_from(until.as_nanos()).unwrap_or(i64::MAX))
    }
}

/// Whether the terminal says that it knows more signs than ASCII has.
fn speaks_utf_8() -> bool {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    locale.is_some_and(|locale| locale.to_lowercase().replace('-', "").contains("utf8"))
}
