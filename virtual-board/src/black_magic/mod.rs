//! The emulated board behind a Black Magic Probe: any tool that knows this probe attaches over TCP.
//!
//! Spoken is version 3 of the probe's remote protocol, as probe-rs's own driver speaks it: a client finds the board as
//! `1d50:6018:<address>:<port>`. Frames hold commands, which the probe carries out on a
//! [`DebugPort`](crate::DebugPort), some of them bit by bit on a wire, and answers. [`Server`] lets in one client after
//! the other and keeps the board on between them.
//!
//! What it deliberately does not do: JTAG, gdb's own protocol, power to the target, and listening on anything but
//! loopback. The protocol has a number for a failed access and no words; they are told to the server's owner, in
//! [`Event::Failed`].

mod command;
mod frame;
mod probe;
mod reply;
mod server;
mod wire;

pub use server::{Event, Left, ServeError, Server};

/// The most bytes that one command reads or writes, and that a frame holds; the probe has a buffer of that size.
const TRANSFER_MAX: usize = 1024;
