//! Peers for tests: the two sockets of an emulator, played from a script.
//!
//! A script is a list of requests, each with its reply. A peer that gets another request than the next one closes its
//! socket and fails the test in [`Peer::finish`].

use crate::dap::DebugPort;
use crate::gdb::{Gdb, GdbError};
use crate::link::Link;
use crate::qtest::Qtest;
use crate::{STM32F405, packet};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

/// A request and what is sent back, word for word; nothing is sent for an empty reply.
pub(crate) type Line = (&'static str, String);

/// How long the client waits for a scripted peer.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// The registers R0 to R12 are numbers 0 to 12, SP, LR and PC follow, xPSR is 25 and D0 26.
const CORE: &str = r#"<feature>
    <reg name="r0"/><reg name="r1"/><reg name="r2"/><reg name="r3"/><reg name="r4"/><reg name="r5"/><reg name="r6"/>
    <reg name="r7"/><reg name="r8"/><reg name="r9"/><reg name="r10"/><reg name="r11"/><reg name="r12"/>
    <reg name="sp"/><reg name="lr"/><reg name="pc"/><reg name="xpsr" regnum="25"/><reg name="d0"/>
    </feature>"#;

/// A peer's thread.
pub(crate) struct Peer(JoinHandle<()>);

impl Peer {
    /// Waits for the end of the script. The client must have been dropped.
    pub(crate) fn finish(self) {
        if let Err(panic) = self.0.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// A frame as the gdb stub sends it, after the acknowledgement of the request.
pub(crate) fn framed(body: &str) -> String {
    format!("+{}", String::from_utf8(packet::encode(body)).expect("a text"))
}

/// The exchange that opens a gdb connection.
pub(crate) fn greeting() -> Vec<Line> {
    vec![
        ("qSupported:multiprocess-;swbreak+;hwbreak+", framed("PacketSize=1000;qXfer:features:read+")),
        ("qXfer:features:read:target.xml:0,ffb", framed(&format!("l{CORE}"))),
        ("?", framed("T05thread:01;")),
    ]
}

fn link(ours: UnixStream, name: &str) -> Link {
    let socket = format!("/nowhere/{name}").parse().expect("a socket path");
    Link::over(ours, socket, PATIENCE).expect("a link")
}

/// A link to a gdb stub that follows `script`.
pub(crate) fn gdb_link(script: Vec<Line>) -> (Link, Peer) {
    let (ours, mut theirs) = UnixStream::pair().expect("a socket pair");
    let peer = spawn(move || {
        for (expected, reply) in script {
            let request = gdb_request(&mut theirs);
            assert_eq!(request.as_deref(), Some(expected), "on the gdb socket");
            theirs.write_all(reply.as_bytes()).expect("the client reads");
        }
        assert_eq!(gdb_request(&mut theirs), None, "after the end of the script");
    });
    (link(ours, "gdb"), Peer(peer))
}

/// The body of the next frame; an interrupt is `^C`.
fn gdb_request(stream: &mut UnixStream) -> Option<String> {
    let mut decoder = packet::Decoder::default();
    let mut byte = [0];
    loop {
        match stream.read(&mut byte) {
            Ok(0) | Err(_) => return None,
            Ok(_) if byte == [3] => return Some("^C".to_owned()),
            Ok(_) => decoder.push(&byte),
        }
        if let Some(request) = decoder.next().expect("a well-formed frame") {
            return Some(request);
        }
    }
}

/// A client of a gdb stub that follows the greeting and then `script`.
pub(crate) fn gdb(script: Vec<Line>) -> (Result<Gdb, GdbError>, Peer) {
    let (link, peer) = gdb_link(greeting().into_iter().chain(script).collect());
    (Gdb::open(link), peer)
}

/// A client of a qtest socket that follows `script`.
pub(crate) fn qtest(script: Vec<Line>) -> (Qtest, Peer) {
    let (ours, theirs) = UnixStream::pair().expect("a socket pair");
    let peer = spawn(move || {
        let mut writer = theirs.try_clone().expect("a second handle");
        let mut lines = BufReader::new(theirs).lines().map_while(Result::ok);
        for (expected, reply) in script {
            assert_eq!(lines.next().as_deref(), Some(expected), "on the qtest socket");
            writer.write_all(reply.as_bytes()).expect("the client reads");
        }
        assert_eq!(lines.next(), None, "after the end of the script");
    });
    (Qtest::open(link(ours, "qtest")), Peer(peer))
}

/// A debug port in front of two scripts, which must be used up when `check` returns.
pub(crate) fn with_port(gdb_script: Vec<Line>, qtest_script: Vec<Line>, check: impl FnOnce(&mut DebugPort)) {
    let (gdb, gdb_peer) = gdb(gdb_script);
    let (qtest, qtest_peer) = qtest(qtest_script);
    let mut port = DebugPort::over(gdb.expect("a greeting"), qtest, &STM32F405);
    check(&mut port);
    drop(port);
    gdb_peer.finish();
    qtest_peer.finish();
}
