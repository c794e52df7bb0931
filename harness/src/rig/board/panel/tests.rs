//! A panel on a wire, of which a pseudo-terminal has the other end: lines come when a test writes them.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

use flagfall_core::record::Kind;
use flagfall_core::{Bonus, Clock, Face, Period, Setup, TickRate, TimeControl};
use nix::pty::openpty;
use nix::unistd::ttyname;

use super::*;
use crate::rig::board::description::SerialLine;

const LAG: u64 = 20_000;

/// The device's end of a wire, and the panel that is read from the other.
struct Wire {
    device: File,
    panel: Panel,
    sent: Option<Frame>,
    /// Kept open: a terminal that nobody has open tells of an end.
    _other: OwnedFd,
}

impl Wire {
    fn new() -> Self {
        let pty = openpty(None, None).expect("a pseudo-terminal");
        let line = SerialLine { port: ttyname(&pty.slave).expect("it has a name"), baud: 115_200 };
        let panel = Panel::behind(Port::open(&line).expect("it opens"), LAG);
        Self { device: pty.master.into(), panel, sent: None, _other: pty.slave }
    }

    /// The line that a device sends for a record.
    fn send(&mut self, record: &Record) {
        let frame = Frame { seq: record.seq, at: record.at, faces: Faces::of(record) };
        self.device.write_all(frame.to_line(self.sent.as_ref()).as_bytes()).expect("written");
        self.sent = Some(frame);
    }

    fn look(&mut self, records: &[Record], now: u64) -> Result<(), TargetError> {
        self.panel.look(records, DeviceTime::from_ticks(now))
    }

    /// The records that it did not show.
    fn misshown(&self) -> Vec<u32> {
        self.panel.misshown().iter().map(|misshown| misshown.record).collect()
    }
}

/// A record whose faces show another number of seconds than any other's.
fn record(seq: u16, at: u64) -> Record {
    let control = TimeControl::new(&[Period::all_moves(300_000, Bonus::None)]).expect("a control");
    let clock = Clock::new(&Setup::new(control), TickRate::new(1_000_000).expect("a rate"));
    let at = DeviceTime::from_ticks(at);
    let mut record = Record::of_state(Kind::READ, seq, at, clock.state(), clock.setup(), clock.rate());
    record.shown.white = Face::from_seconds(300 - u32::from(seq));
    record
}

#[test]
fn a_line_may_take_as_long_as_those_before_it() {
    let mut wire = Wire::new();
    let records = [record(1, 1_000_000), record(2, 1_005_000)];
    wire.look(&records, 1_010_000).expect("nothing is due");
    assert_eq!(wire.panel.awaits(&records), Some(LAG), "the device has to run on for it");
    wire.send(&records[0]);
    wire.look(&records, 1_020_000).expect("the first is due, and there");
    wire.send(&records[1]);
    wire.look(&records, 1_025_000).expect("the second is due, and there");
    assert_eq!(wire.panel.awaits(&records), None);
    assert_eq!(wire.misshown(), [0_u32; 0]);
}

#[test]
fn a_line_that_comes_later_than_that_was_not_shown() {
    let mut wire = Wire::new();
    let records = [record(1, 1_000_000), record(2, 2_000_000), record(3, 3_000_000)];
    wire.send(&records[0]);
    wire.look(&records[..2], 2_020_000).expect("one line");
    assert_eq!(wire.misshown(), [1], "it still shows the first");
    // A display that was frozen has its lines waiting.
    wire.send(&records[1]);
    wire.send(&records[2]);
    wire.look(&records, 3_020_000).expect("three lines");
    assert_eq!(wire.misshown(), [1], "what has been looked at is not looked at again");
}

#[test]
fn a_reset_takes_what_was_on_its_way() {
    let mut wire = Wire::new();
    wire.panel.begin().expect("a run");
    let records = [record(40, 1_000_000), record(41, 2_000_000)];
    wire.send(&records[0]);
    wire.look(&records[..1], 1_020_000).expect("one line");
    wire.look(&records, 2_010_000).expect("the second is not due");
    let half = b"w4:19 +10";
    wire.device.write_all(half).expect("written");
    wire.panel.forget().expect("the device stands still");
    // The wire moves while the chip boots.
    wire.device.write_all(&[0, b'\n', 0xff]).expect("written");
    wire.sent = None;
    let boot = [records[0], records[1], record(0, 2_100_000)];
    wire.send(&boot[2]);
    wire.look(&boot, 2_120_000).expect("a line of another life");
    assert_eq!(wire.misshown(), [0_u32; 0], "nobody saw what it would have shown of the second");
}

#[test]
fn a_wire_without_a_line_is_not_the_clock() {
    let records = [record(1, 1_000_000)];
    let mut silent = Wire::new();
    let error = silent.look(&records, 2_000_000).expect_err("nothing came").to_string();
    assert!(error.starts_with("the panel: nothing has come out of "), "{error}");
    let mut noisy = Wire::new();
    noisy.device.write_all(b"\xf3\x0d\x86\n").expect("written");
    let error = noisy.look(&records, 2_000_000).expect_err("no line came").to_string();
    assert!(error.contains(" at 115200 baud is no line of a panel"), "{error}");
    let Wire { device, mut panel, _other, .. } = Wire::new();
    drop(device);
    let error = panel.look(&records, DeviceTime::from_ticks(2_000_000)).expect_err("it has gone").to_string();
    assert!(error.contains(" went away ("), "{error}");
}
