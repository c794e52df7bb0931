//! `flagfall boards check` on the emulated board, with one thing wrong in its board file.

use flagfall::interrupt::Interrupt;
use flagfall::rig::board::description::Driver;
use flagfall::rig::board::health::{Health, check, is_fit};
use flagfall::rig::board::{Description, PanelAt, Probe, SerialLine, Stimulus};
use flagfall_core::TickRate;

/// What is wrong, the step that finds it, and words of its cause.
type Ill = (&'static str, fn(&mut Description), &'static str, &'static str);

/// Each trial by its name.
pub(crate) const ILL: [Ill; 9] = [
    ("a_driver_board_that_is_not_there", no_driver, "probe", "the driver board: no probe answers to dead:beef"),
    ("a_panel_on_no_port", no_port, "panel", "there is no serial port /dev/ttyUSB7000: plug its adapter in"),
    ("another_tick_rate", another_tick_rate, "handshake", "the firmware ticks at 1000000 Hz"),
    ("a_device_counter_that_is_none", no_device_counter, "counters", "right after a stamp"),
    ("a_true_time_that_is_none", no_true_time, "counters", "stands still"),
    ("a_true_time_that_runs_slow", slow_true_time, "counters", "limit"),
    ("an_arbiters_button_on_no_line", no_arbiter, "arbiter", "line 7: a press was not noticed"),
    ("a_button_on_no_line", no_white, "white", "line 2: a press was not noticed"),
    ("buttons_the_wrong_way_round", swapped, "white", "line 1: taken for a press of black"),
];

fn no_driver(board: &mut Description) {
    let (probe, pins) = (Probe::Selector("dead:beef".into()), board.buttons);
    let (chip, start, register) = ("STM32L475VGTx".into(), Vec::new(), 0x4800_0018);
    board.stimulus = Stimulus::Driver(Driver { probe, chip, start, register, pins });
}

fn no_port(board: &mut Description) {
    board.panel = Some(PanelAt::Serial(SerialLine { port: "/dev/ttyUSB7000".into(), baud: 115_200 }));
}

fn another_tick_rate(board: &mut Description) {
    board.tick_rate = TickRate::new(32_768).expect("in range");
}

fn no_device_counter(board: &mut Description) {
    board.device_counter.as_mut().expect("it has one").address += 0x200;
}

fn no_true_time(board: &mut Description) {
    board.true_time.as_mut().expect("it has one").counter.address += 0x200;
}

fn slow_true_time(board: &mut Description) {
    // One part in a thousand: nothing that an oscillator of this board may do.
    board.true_time.as_mut().expect("it has one").counter.hz = 1_001_000;
}

fn no_arbiter(board: &mut Description) {
    board.buttons.arbiter = 7;
}

fn no_white(board: &mut Description) {
    board.buttons.players.white = 2;
}

fn swapped(board: &mut Description) {
    let players = &mut board.buttons.players;
    (players.white, players.black) = (players.black, players.white);
}

/// A board on which nothing is wrong is fit, step by step.
pub(crate) fn nothing_wrong(board: &Description) -> Result<(), String> {
    let mut told = Vec::new();
    let steps = check(board, &Interrupt::default(), |step| told.push(step.clone()));
    let all_ok = steps.iter().all(|step| matches!(step.health, Health::Ok { .. }));
    if all_ok && is_fit(&steps) && told == steps && steps.len() == 11 { Ok(()) } else { Err(format!("{steps:#?}")) }
}

/// One thing that is wrong is found where it is, those before it are all right, and those after it are not reached.
pub(crate) fn one_thing_wrong(mut board: Description, (_, make, step, words): Ill) -> Result<(), String> {
    make(&mut board);
    let steps = check(&board, &Interrupt::default(), |_| ());
    let failed: Vec<usize> =
        (0..steps.len()).filter(|index| matches!(steps[*index].health, Health::Failed { .. })).collect();
    let [index] = failed[..] else { panic!("not one step failed: {steps:#?}") };
    let Health::Failed { cause, next } = &steps[index].health else { return Err("it failed a moment ago".into()) };
    let before = steps[..index].iter().all(|step| matches!(step.health, Health::Ok { .. }));
    let after = steps[index + 1..].iter().all(|step| step.health == Health::NotReached);
    let right = steps[index].name == step && cause.contains(words) && !next.is_empty();
    if right && before && after && !is_fit(&steps) { Ok(()) } else { Err(format!("{steps:#?}")) }
}
