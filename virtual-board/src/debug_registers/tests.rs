//! The registers in front of scripted peers, as a debugger uses them through the access port.

use super::*;
use crate::dap::DebugPort;
use crate::scripted::{Line, framed, with_port};
use crate::target::STIMULUS_BASE;

const KEY: u32 = DHCSR_KEY << 16;

fn line(request: &'static str, reply: &str) -> Line {
    (request, format!("{reply}\n"))
}

fn read(port: &mut DebugPort, address: u32) -> u32 {
    port.write_ap(0x4, address).expect("TAR");
    port.read_ap(0xc).expect("a word")
}

fn try_write(port: &mut DebugPort, address: u32, value: u32) -> Result<(), AccessError> {
    port.write_ap(0x4, address).expect("TAR");
    port.write_ap(0xc, value)
}

fn write(port: &mut DebugPort, address: u32, value: u32) {
    try_write(port, address, value).expect("written");
}

fn pc(value: &str) -> Line {
    ("pf", framed(value))
}

#[test]
fn a_core_is_held_until_debug_was_enabled_and_it_is_let_go() {
    let gdb = vec![pc("00020008"), ("c", String::new()), ("^C", framed("T02")), pc("10020008")];
    let bus = vec![line("readw 0x800020e", "OK 0x4770"), line("readw 0x800020c", "OK 0x4770")];
    with_port(gdb, bus, |port| {
        assert_eq!(read(port, DHCSR), S_HALT | S_REGRDY | C_HALT);
        write(port, DHCSR, C_DEBUGEN);
        assert_eq!(read(port, DHCSR) & C_DEBUGEN, 0, "without the key nothing is written");
        write(port, DHCSR, KEY | C_DEBUGEN);
        assert_eq!(read(port, DHCSR), S_HALT | S_REGRDY | C_HALT | C_DEBUGEN);
        write(port, DHCSR, KEY | C_DEBUGEN);
        assert_eq!(read(port, DHCSR), S_REGRDY | C_DEBUGEN, "it runs");
        write(port, DHCSR, KEY | C_DEBUGEN | C_HALT);
        assert_eq!(read(port, DHCSR), S_HALT | S_REGRDY | C_HALT | C_DEBUGEN);
        assert_eq!(read(port, DFSR), DFSR_HALTED);
        write(port, DFSR, 0x1f);
        assert_eq!(read(port, DFSR), 0, "cleared by writing ones");
    });
}

#[test]
fn a_breakpoint_is_given_to_qemu_when_the_core_runs_and_is_the_reason_of_the_halt() {
    let gdb = vec![
        pc("00020008"),
        ("Z1,8000210,2", framed("OK")),
        ("c", framed("T05thread:01;")),
        pc("10020008"),
        ("z1,8000210,2", framed("OK")),
        ("c", String::new()),
    ];
    with_port(gdb, vec![], |port| {
        write(port, FPB, 3);
        write(port, FPB + 8, 0x4800_0211);
        write(port, DHCSR, KEY | C_DEBUGEN);
        write(port, DHCSR, KEY | C_DEBUGEN);
        while read(port, DHCSR) & S_HALT == 0 {}
        assert_eq!(read(port, DFSR), DFSR_BKPT);
        write(port, FPB + 8, 0);
        write(port, DHCSR, KEY | C_DEBUGEN);
    });
}

/// What is sent for a core that is let go with a watchpoint in place, up to the stop before an access at 0x08000210.
fn watched_run() -> Vec<Line> {
    vec![pc("00020008"), ("Z2,2001ec00,4", framed("OK")), ("c", framed("T05thread:01;watch:2001ec00;")), pc("10020008")]
}

fn watch_and_run(port: &mut DebugPort) {
    write(port, DWT + 0x20, 0x2001_ec00);
    write(port, DWT + 0x24, 2);
    write(port, DWT + 0x28, 6);
    write(port, DEMCR, TRCENA);
    write(port, DHCSR, KEY | C_DEBUGEN);
    write(port, DHCSR, KEY | C_DEBUGEN);
    while read(port, DHCSR) & S_HALT == 0 {}
    assert_eq!(read(port, DFSR), DFSR_DWTTRAP);
    assert_eq!(read(port, DWT + 0x28), 1 << 24 | 6, "it has matched");
}

#[test]
fn a_plain_store_to_a_watched_word_is_done_without_a_step_and_so_is_a_nop() {
    let mut gdb = watched_run();
    gdb.extend([
        ("p19", framed("00000001")),
        ("p1", framed("00ec0120")),
        ("p0", framed("78563412")),
        ("Pf=12020008", framed("OK")),
        pc("12020008"),
        ("p19", framed("00000001")),
        ("Pf=14020008", framed("OK")),
    ]);
    let bus = vec![
        // str r0, [r1]
        line("readw 0x8000210", "OK 0x6008"),
        line("writel 0x2001ec00 0x12345678", "OK"),
        line("readw 0x8000212", "OK 0xbf00"),
    ];
    with_port(gdb, bus, |port| {
        watch_and_run(port);
        write(port, DHCSR, KEY | C_DEBUGEN | C_STEP);
    });
}

#[test]
fn any_other_access_to_a_watched_word_is_stepped_over_unwatched() {
    // A push; a store to another address by its operands, which QEMU would not have stopped at; a store in an IT block.
    let cases = [
        ("OK 0xb401", vec![]),
        ("OK 0x6048", vec![("p19", framed("00000001")), ("p1", framed("00ec0120"))]),
        ("OK 0x6008", vec![("p19", framed("00040001"))]),
    ];
    for (instruction, looks) in cases {
        let mut gdb = watched_run();
        gdb.extend(looks);
        gdb.extend([("z2,2001ec00,4", framed("OK")), ("s", framed("T05thread:01;"))]);
        gdb.extend([pc("12020008"), ("Z2,2001ec00,4", framed("OK")), ("c", String::new())]);
        with_port(gdb, vec![line("readw 0x8000210", instruction)], |port| {
            watch_and_run(port);
            write(port, DHCSR, KEY | C_DEBUGEN);
        });
    }
}

#[test]
fn core_registers_go_through_the_transfer_registers() {
    let gdb = vec![
        ("p3", framed("efbeadde")),
        ("Pf=00010008", framed("OK")),
        ("p1a", framed("0000803f00000040")),
        // Half of a double register is written with the other half as it is.
        ("p1a", framed("0000803f00000040")),
        ("P1a=0000803f44332211", framed("OK")),
    ];
    with_port(gdb, vec![], |port| {
        write(port, DCRSR, 3);
        assert_eq!(read(port, DCRDR), 0xdead_beef);
        write(port, DCRDR, 0x0800_0101);
        write(port, DCRSR, DCRSR_WRITE | 15);
        write(port, DCRSR, 64);
        assert_eq!(read(port, DCRDR), 0x3f80_0000, "S0 is the low half of D0");
        write(port, DCRDR, 0x1122_3344);
        write(port, DCRSR, DCRSR_WRITE | 65);
        let error = try_write(port, DCRSR, 99).expect_err("no such register");
        assert!(matches!(error, AccessError::NoSuchRegister(99)), "{error}");
        let error = try_write(port, DCRSR, 17).expect_err("MSP is not in the description");
        assert!(matches!(error, AccessError::RegisterUnknown), "{error}");
    });
}

#[test]
fn a_running_core_gives_no_registers() {
    with_port(vec![pc("00020008"), ("c", String::new())], vec![], |port| {
        write(port, DHCSR, KEY | C_DEBUGEN);
        write(port, DHCSR, KEY | C_DEBUGEN);
        let error = try_write(port, DCRSR, 0).expect_err("running");
        assert!(matches!(error, AccessError::CoreRunning), "{error}");
    });
}

#[test]
fn a_reset_is_seen_once_and_caught_if_asked_for() {
    let gdb = vec![
        ("qRcmd,73797374656d5f7265736574", framed("OK")),
        // "paused", then "prelaunch": QEMU takes its time.
        ("qRcmd,696e666f20737461747573", format!("{}{}", framed("O706175736564"), framed("OK"))),
        ("qRcmd,696e666f20737461747573", format!("{}{}", framed("O7072656c61756e6368"), framed("OK"))),
    ];
    with_port(gdb, vec![], |port| {
        write(port, DEMCR, VC_CORERESET);
        write(port, AIRCR, AIRCR_KEY << 16 | 4);
        assert_eq!(read(port, DHCSR) & (S_RESET_ST | S_HALT), S_RESET_ST | S_HALT);
        assert_eq!(read(port, DHCSR) & S_RESET_ST, 0);
        assert_eq!(read(port, DFSR), DFSR_VCATCH);
    });
}

#[test]
fn a_core_whose_reset_pin_is_held_runs_only_when_it_is_let_go() {
    let gdb = vec![
        ("qRcmd,73797374656d5f7265736574", framed("OK")),
        ("qRcmd,696e666f20737461747573", format!("{}{}", framed("O7072656c61756e6368"), framed("OK"))),
        pc("00020008"),
        ("c", String::new()),
    ];
    with_port(gdb, vec![], |port| {
        port.drive_reset(true).expect("pulled");
        port.drive_reset(true).expect("pulled on");
        write(port, DHCSR, KEY | C_DEBUGEN);
        write(port, DHCSR, KEY | C_DEBUGEN);
        assert_eq!(read(port, DHCSR) & S_HALT, S_HALT);
        port.drive_reset(false).expect("let go");
        assert_eq!(read(port, DHCSR) & S_HALT, 0);
        port.drive_reset(false).expect("still loose");
    });
}

#[test]
fn waits_for_interrupts_are_skipped_and_not_stepped() {
    let gdb = vec![pc("00020008"), ("Pf=02020008", framed("OK")), pc("02020008"), ("s", framed("T05"))];
    let bus = vec![line("readw 0x8000200", "OK 0xbf30"), line("readw 0x8000202", "OK 0x4770")];
    with_port(gdb, bus, |port| {
        write(port, DHCSR, KEY | C_DEBUGEN | C_STEP);
        write(port, DHCSR, KEY | C_DEBUGEN | C_STEP);
        assert_eq!(read(port, DFSR), DFSR_HALTED);
    });
}

#[test]
fn instructions_are_read_once_until_flash_is_written() {
    let sent_there = || [("Pf=00020008", framed("OK")), pc("00020008")];
    let mut gdb = Vec::from(sent_there());
    gdb.push(("s", framed("T05")));
    gdb.extend(sent_there());
    gdb.push(("s", framed("T05")));
    gdb.push(("M8000200,4:30bf30bf", framed("OK")));
    gdb.extend(sent_there());
    gdb.push(("Pf=02020008", framed("OK")));
    let bus = vec![line("readw 0x8000200", "OK 0x4770"), line("readw 0x8000200", "OK 0xbf30")];
    with_port(gdb, bus, |port| {
        let step = |port: &mut DebugPort| {
            write(port, DCRDR, 0x0800_0200);
            write(port, DCRSR, DCRSR_WRITE | 15);
            write(port, DHCSR, KEY | C_DEBUGEN | C_STEP);
        };
        step(port);
        step(port);
        write(port, 0x0800_0200, 0xbf30_bf30);
        step(port);
    });
}

#[test]
fn a_line_is_driven_only_when_its_level_changes() {
    let bus = vec![
        line("set_irq_in /machine/soc/syscfg unnamed-gpio-in 4 1", "OK"),
        line("set_irq_in /machine/soc/syscfg unnamed-gpio-in 4 0", "OK"),
    ];
    with_port(vec![], bus, |port| {
        let address = STIMULUS_BASE + 16;
        for level in [0, 1, 1, 0, 0] {
            write(port, address, level);
            assert_eq!(read(port, address), level);
        }
        let error = try_write(port, address, 2).expect_err("no level");
        assert!(matches!(error, AccessError::NoSuchLevel { line: 4, value: 2 }), "{error}");
        let error = try_write(port, STIMULUS_BASE + 64, 1).expect_err("no line");
        assert!(matches!(error, AccessError::NoSuchLine { line: 16, lines: 16 }), "{error}");
    });
}

#[test]
fn the_chip_can_be_identified_but_not_renamed() {
    with_port(vec![], vec![], |port| {
        write(port, DBGMCU_IDCODE, 0);
        write(port, DBGMCU_CR, 7);
        assert_eq!((read(port, DBGMCU_IDCODE), read(port, DBGMCU_CR)), (0x1007_6413, 7));
        assert_eq!(read(port, rom_table::BASE), 0xFFF0_F003);
        let part = read(port, rom_table::BASE + 0xFE0) | (read(port, rom_table::BASE + 0xFE4) & 0xf) << 8;
        assert_eq!(part, 0x413);
    });
}
