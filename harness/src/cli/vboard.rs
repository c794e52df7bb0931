//! The command line of `vboard`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use flagfall_vboard::{BOARDS, Board};

/// What can be done with an emulated board by itself.
#[derive(Debug, Subcommand)]
pub enum Vboard {
    /// Serve an emulated board as a Black Magic Probe, to which any probe-rs tool attaches.
    #[command(after_help = SERVE_HELP)]
    Serve(Serve),
}

pub(super) const VBOARD_HELP: &str = "\
Example:
  flagfall vboard serve --kernel target/firmware/flagfall-f405.elf";

const SERVE_HELP: &str = "\
The board is on when its selector is printed. One client is served at a time; the next waits, for at most five seconds, \
until it leaves. Between two clients the board stays as the first one left it; if the emulator has ended, the next client \
finds a board that was started anew. What fails on the target is told here: the protocol has no words for it. \
Flash holds what --kernel names. To program the same ELF again works and is verified; another one does not stick. \
Ctrl-C or SIGTERM ends server and emulator.
Exit codes: 0 if it was asked to end; 2 for an address that is not loopback; 3 if the port or the emulator cannot be had.

Examples:
  flagfall vboard serve --kernel target/firmware/flagfall-f405.elf
  flagfall vboard serve --listen 127.0.0.1:0          any port that is free; it is printed
  flagfall vboard serve --kernel target/firmware/flagfall-f405.elf --serial /tmp/flagfall-panel
                                                      with what its display shows on a serial port
In another terminal:
  flagfall run --board boards/served-f405.yaml late-arrival/black-after-the-default-time";

/// Options of `vboard serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// Which board.
    #[arg(long, value_name = "BOARD", default_value = "stm32f405", value_parser = emulated)]
    pub machine: &'static Board,
    /// The ELF in flash [default: none, flash is blank].
    #[arg(long, value_name = "ELF")]
    pub kernel: Option<PathBuf>,
    /// Where to listen: a loopback address, and a port or 0 for any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4242")]
    pub listen: SocketAddr,
    /// Pass on what the board's serial port sends: to a terminal at this path, as long as the board is served [default: it
    /// is lost]. A board file reads it there with `panel: {serial: LINK}`. Needs QEMU 9.2 or newer.
    #[arg(long, value_name = "LINK", value_parser = from_the_root)]
    pub serial: Option<PathBuf>,
    /// Virtual time per instruction, 2^N ns.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=10))]
    pub icount_shift: u8,
}

/// A path that means the same wherever QEMU is started.
fn from_the_root(path: &str) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| error.to_string())
}

/// The board of this name, as board files name it.
fn emulated(name: &str) -> Result<&'static Board, String> {
    let found = BOARDS.iter().copied().find(|board| board.name.to_lowercase() == name);
    let names = || BOARDS.iter().map(|board| board.name.to_lowercase()).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("one of {}", names()))
}
