//! Exchanges with the probe, byte for byte.

use super::*;
use crate::black_magic::frame::Decoder;
use crate::dap::DebugPort;
use crate::scripted::with_port;

/// Sends the left side and expects the right one, in order.
fn exchange(port: &mut DebugPort, lines: &[(&str, &str)]) {
    with_probe(port, |probe| {
        for (sent, expected) in lines {
            assert_eq!(answers(probe, sent.as_bytes()), *expected, "{sent}");
        }
    });
}

/// A probe owns its port; the scripts of a test belong to one that is lent.
fn with_probe(port: &mut DebugPort, check: impl FnOnce(&mut Probe)) {
    let (spare_gdb, spare_peer) = crate::scripted::gdb(vec![]);
    let (spare_qtest, other_peer) = crate::scripted::qtest(vec![]);
    let spare = DebugPort::over(spare_gdb.expect("a greeting"), spare_qtest, &crate::STM32F405);
    let mut probe = Probe::new(std::mem::replace(port, spare));
    check(&mut probe);
    *port = probe.port;
    spare_peer.finish();
    other_peer.finish();
}

fn answers(probe: &mut Probe, bytes: &[u8]) -> String {
    let mut decoder = Decoder::default();
    let frames = bytes.iter().filter_map(|byte| decoder.push(*byte));
    let encoded: Vec<u8> = frames.flat_map(|frame| probe.answer(&frame).reply.encode()).collect();
    String::from_utf8(encoded).expect("a text")
}

#[test]
fn probe_rs_opens_the_probe() {
    with_port(vec![], vec![], |port| {
        exchange(
            port,
            &[
                ("+#!GA#", "&Kflagfall virtual board#"),
                ("!HC#", "&K3#"),
                ("!GZ0#", "&K0#"),
                (" !GV#", "&KUnknown#"),
                ("!GF003d0900#", "&K0#"),
                ("!Gf#", "&K00093d00#"),
                ("!SS#", "&K0#"),
                ("!GE1#", "&K0#"),
            ],
        );
    });
}

#[test]
fn probe_rs_connects_bit_by_bit() {
    with_port(vec![], vec![], |port| {
        exchange(
            port,
            &[
                ("!So20ffffffff#", "&K0#"),
                ("!So137ffff#", "&K0#"),
                ("!So10e79e#", "&K0#"),
                ("!So20ffffffff#", "&K0#"),
                ("!So137ffff#", "&K0#"),
                ("!So030#", "&K0#"),
                // DPIDR: acknowledgement, 0x2BA01477 and its parity.
                ("!So08a5#", "&K0#"),
                ("!Si20#", "&K5d00a3b9#"),
                ("!Si04#", "&K1#"),
                ("!Si08#", "&Kff#"),
                // Version 0 clients have the parity looked at by the probe.
                ("!So08a5#", "&K0#"),
                ("!Si03#", "&K1#"),
                ("!SI20#", "&K2ba01477#"),
            ],
        );
    });
}

#[test]
fn probe_rs_finds_the_access_port() {
    with_port(vec![], vec![], |port| {
        exchange(
            port,
            &[
                ("!Ad00ff0000#", "&K7714a02b#"),
                ("!AR0000000450000000#", "&K00000000#"),
                ("!Ad00ff0004#", "&K000000f0#"),
                ("!Aa000001fc#", "&K11007724#"),
                ("!Aa000101fc#", "&K00000000#"),
                ("!AA0000010052000023#", "&K0#"),
                ("!Aa00000100#", "&K52000023#"),
            ],
        );
    });
}

#[test]
fn memory_is_read_and_written_in_the_widths_of_the_probe() {
    let line = |request, reply: &str| (request, format!("{reply}\n"));
    let bus = vec![
        line("read 0x20000000 0x8", "OK 0x0102030405060708"),
        line("readl 0x40000c24", "OK 0x12345678"),
        line("readw 0x40000c26", "OK 0x1234"),
        line("readb 0x40000c25", "OK 0x56"),
        line("writel 0x40000c24 0xefbeadde", "OK"),
        line("writew 0x40000c26 0xadde", "OK"),
        line("writeb 0x40000c25 0xde", "OK"),
        // TAR counts within 1024 bytes.
        line("readl 0x200003fc", "OK 0x1"),
        line("readl 0x20000400", "OK 0x2"),
    ];
    with_port(vec![], bus, |port| {
        exchange(
            port,
            &[
                ("!Am0000a20000402000000000000008#", "&K0102030405060708#"),
                ("!Am0000a200004040000c2400000004#", "&K78563412#"),
                ("!Am0000a200004040000c2600000002#", "&K3412#"),
                ("!Am0000a200004040000c2500000001#", "&K56#"),
                ("!AM0000a20000400240000c2400000004deadbeef#", "&K0#"),
                ("!AM0000a20000400140000c2600000002dead#", "&K0#"),
                ("!AM0000a20000400040000c2500000001de#", "&K0#"),
                ("!Am0000a2000040200003fc00000008#", "&K0100000002000000#"),
                ("!Am0000a20000402000000000000000#", "&K#"),
            ],
        );
    });
}

#[test]
fn the_stimulus_window_moves_a_pin() {
    let bus = vec![("set_irq_in /machine/soc/syscfg unnamed-gpio-in 4 1", "OK\n".to_owned())];
    with_port(vec![], bus, |port| {
        exchange(
            port,
            &[
                ("!AM0000a200004002f00000100000000401000000#", "&K0#"),
                ("!Am0000a2000040f000001000000004#", "&K01000000#"),
                ("!AM0000a200004002f00000400000000401000000#", "&E3#"),
            ],
        );
    });
}

#[test]
fn a_failure_is_a_number_for_the_client_and_a_cause_for_the_owner() {
    with_port(vec![], vec![("readl 0x40000c24", "FAIL no\n".to_owned())], |port| {
        with_probe(port, |probe| {
            let answer = probe.answer(&Frame::Body(b"Am0000a200004040000c2400000004".to_vec()));
            assert_eq!(answer.reply, Reply::Fault);
            let cause = answer.failure.expect("a cause");
            assert!(cause.to_string().contains("FAIL no") && !cause.loses_the_board(), "{cause}");
        });
    });
}

#[test]
fn what_is_no_command_is_answered_and_forgotten() {
    with_port(vec![], vec![], |port| {
        exchange(
            port,
            &[
                ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", ""),
                ("!##", "&N0#"),
                ("!JS#!HC#", "&N0#&K3#"),
                ("!HA#", "&E1#"),
                ("!Am00#", "&E2#"),
                ("!Si40#", "&P0#"),
            ],
        );
        let long = format!("!Am{}#!HC#", "0".repeat(10_000));
        exchange(port, &[(long.as_str(), "&E2#&K3#")]);
    });
}
