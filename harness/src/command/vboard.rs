//! `flagfall vboard serve`: an emulated board for the tools of others.

use flagfall_vboard::black_magic::{Event, Left, ServeError, Server};
use flagfall_vboard::{EmulatorOptions, SerialUse};

use crate::cli::{Serve, Vboard};
use crate::command::{bad_input, infra, try_print, warn};
use crate::exit::Exit;
use crate::interrupt::Interrupt;

/// Does what is asked for with an emulated board.
#[must_use]
pub fn vboard(what: &Vboard) -> Exit {
    match what {
        Vboard::Serve(options) => serve(options),
    }
}

fn serve(options: &Serve) -> Exit {
    let board = options.machine;
    let interrupt = match Interrupt::listen_saying("flagfall: ending; once more ends at once") {
        Ok(interrupt) => interrupt,
        Err(error) => return infra(&error),
    };
    let server = match Server::bind(options.listen) {
        Ok(server) => server,
        Err(error @ ServeError::NotLoopback(_)) => return bad_input(&error),
        Err(error) => return infra(&error),
    };
    let emulator = EmulatorOptions {
        board,
        kernel: options.kernel.clone(),
        icount_shift: options.icount_shift,
        serial: options.serial.clone().map_or(SerialUse::Lost, SerialUse::Terminal),
        ..EmulatorOptions::default()
    };
    let served = server.serve(&emulator, || interrupt.is_asked(), |event| tell(&event, &server, options));
    match served {
        Ok(()) => Exit::Passed,
        Err(error) => infra(&error),
    }
}

/// The selector goes to standard output, where a script reads it; what clients do to standard error.
fn tell(event: &Event<'_>, server: &Server, options: &Serve) {
    match event {
        Event::Ready { command_line } => {
            let kernel = match &options.kernel {
                Some(kernel) => format!("{} in flash", kernel.display()),
                None => "blank flash, and what is programmed does not stick without --kernel".to_owned(),
            };
            warn(&format!("{} on {}: {kernel}", options.machine.name, server.address()));
            warn(&format!("  {command_line}"));
            let serial = options.serial.as_ref().map_or(String::new(), |link| format!("serial: {}\n", link.display()));
            let (selector, chip) = (server.selector(), options.machine.chip);
            // Whoever does not read it has seen what a board file has to say, and the port.
            let _ = try_print(&format!(
                "selector: {selector}\ntry: probe-rs read --chip {chip} --probe {selector} b32 0x20000000 4\n{serial}"
            ));
        }
        Event::Joined(client) => warn(&format!("{client} has come")),
        Event::Failed(cause) => warn(&format!("  failed: {cause}")),
        Event::Left(client, left) => warn(&format!("{client} {}", why(*left))),
        Event::Busy(client) => warn(&format!("{client} waited too long for another and was sent away")),
        Event::PoweredAnew(obituary) => warn(&format!("the emulator had ended ({obituary}) and was started anew")),
    }
}

const fn why(left: Left) -> &'static str {
    match left {
        Left::Gone => "has gone",
        Left::Silent => "gave no command in time and was sent away: does it speak the Black Magic protocol?",
        Left::Deaf => "does not read its answers and was sent away",
        Left::BoardLost => "has lost the board; the next one finds it started anew",
        Left::Ending => "is served no longer: the server ends",
    }
}
