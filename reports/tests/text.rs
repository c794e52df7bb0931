//! The timeline as a terminal shows it.

mod bench;

use bench::{Bench, both_flags, chess_move, ms, plan, press, whole};
use flagfall_core::record::Kind;
use flagfall_core::{Bonus, BySide, Face, Side};
use flagfall_reports::timeline::{self, Mark};
use flagfall_trace::plan::{Act, Person, Step, StopReason};

const LATE: Bench =
    Bench { ppb: 20_000, zero_ticks: 1_234_567, bracket_ns: 1_500, uncertainty_ns: 750, latency_ns: |_| 2_300 };

#[test]
fn a_run_in_virtual_time_is_golden() {
    let text = timeline::render(&Bench::EXACT.run(&both_flags()), 150, false);
    assert_eq!(text, include_str!("golden/timeline-exact.txt"));
}

#[test]
fn a_run_on_a_bench_shows_brackets_and_two_stamps() {
    let text = timeline::render(&LATE.run(&both_flags()), 130, false);
    assert_eq!(text, include_str!("golden/timeline-late.txt"));
}

#[test]
fn a_narrow_terminal_gets_the_words_below_the_times() {
    let text = timeline::render(&LATE.run(&both_flags()), 80, false);
    assert_eq!(text, include_str!("golden/timeline-narrow.txt"));
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn colour_adds_nothing_but_colour() {
    let trace = LATE.run(&both_flags());
    let mut plain = timeline::render(&trace, 100, true);
    while let Some(start) = plain.find('\u{1b}') {
        let end = plain[start..].find('m').expect("a colour sequence ends");
        plain.replace_range(start..=start + end, "");
    }
    assert_eq!(plain, timeline::render(&trace, 100, false));
}

#[test]
fn a_press_carries_the_stamps_of_both_clocks() {
    let lines = timeline::lines(&LATE.run(&both_flags()));
    let press = lines.iter().find(|line| line.mark == Mark::Press).expect("White presses");
    let (achieved, device) = (press.achieved.expect("a step"), press.device.expect("a record"));
    assert_eq!((achieved.earliest.ns(), achieved.latest.ns()), (6_000_000_000, 6_000_001_500));
    // 6 s and 3.05 µs of true time at +20 ppm: 6 000 123 ticks after the beginning.
    assert_eq!((device.at.ticks(), device.ns_into_run), (7_234_690, 6_000_123_000));
    assert_eq!(device.uncertainty_ns, 750);
}

#[test]
fn a_press_that_the_clock_missed_is_no_other_press() {
    let lines = timeline::lines(&Bench::EXACT.run(&both_flags()));
    let missed: Vec<_> = lines.iter().filter(|line| line.effect == "not noticed by the clock").collect();
    assert_eq!(missed.len(), 1);
    assert_eq!((missed[0].true_time, missed[0].device), (ms(37_250), None));
}

#[test]
fn faces_between_records_run_off_after_the_delay() {
    let mut plan = plan("increment-delay/us", &[whole(60_000, Bonus::Delay { ms: 5_000 })], ms(20_000));
    let step = |at, act| Step { at: ms(at), act };
    plan.steps = vec![
        step(0, Act::Start),
        step(4_000, chess_move(Side::White, "e4")),
        step(7_500, chess_move(Side::White, "e5")),
        step(8_000, press(Side::White)),
        step(14_000, chess_move(Side::Black, "e5")),
    ];
    let lines = timeline::lines(&Bench::EXACT.run(&plan));
    let faces: Vec<_> = lines
        .iter()
        .filter(|line| line.mark == Mark::Move || line.mark == Mark::End)
        .map(|line| (line.shown.faces.white.tenths() / 10, line.shown.faces.black.tenths() / 10, line.shown.written))
        .collect();
    assert_eq!(faces, [(60, 60, false), (58, 60, false), (57, 59, false), (57, 53, false)]);
    assert_eq!(lines[0].shown.faces.white, Face::from_seconds(60));
}

#[test]
fn a_delay_goes_on_over_readings_and_waits_while_the_clock_stands() {
    let mut plan = plan("increment-delay/read", &[whole(60_000, Bonus::Delay { ms: 5_000 })], ms(20_000));
    let by = Person::Arbiter;
    let step = |at, act| Step { at: ms(at), act };
    plan.steps = vec![
        step(0, Act::Start),
        step(2_000, Act::Read),
        step(4_900, chess_move(Side::White, "e4")),
        step(5_000, Act::Read),
        step(6_000, chess_move(Side::White, "e5")),
        step(7_000, press(Side::White)),
        step(10_000, Act::pause(by, StopReason::Interruption)),
        step(15_000, Act::Resume { by }),
        step(16_900, chess_move(Side::Black, "e6")),
        step(18_001, chess_move(Side::Black, "e7")),
    ];
    let lines = timeline::lines(&Bench::EXACT.run(&plan));
    let moves = lines.iter().filter(|line| line.mark == Mark::Move);
    let faces: Vec<_> = moves.map(|line| line.shown.faces.map(|face| face.tenths() / 10)).collect();
    // Black has used 3 s of the delay before the stop and 2 s after it; the time left is rounded up.
    assert_eq!(faces, [(60, 60), (59, 60), (58, 60), (58, 59)].map(|(white, black)| BySide::new(white, black)));
}

#[test]
fn what_the_clock_dates_later_than_the_press_stands_on_a_line_of_its_own() {
    let mut trace = Bench::EXACT.run(&both_flags());
    let switch = trace.records.iter_mut().find(|stamped| stamped.record.kind == Kind::SWITCHED).expect("a switch");
    switch.record.at = switch.record.at.after(12);
    let lines = timeline::lines(&trace);
    let at = lines.iter().position(|line| line.mark == Mark::Press).expect("a press");
    assert!(!lines[at].effect.contains("runs"), "{}", lines[at].effect);
    assert_eq!((lines[at + 1].mark, lines[at + 1].effect.as_str()), (Mark::Device, "Black runs"));
}

#[test]
fn a_flag_falls_before_what_happens_in_its_instant() {
    let mut plan = plan("both-flags/tie", &[whole(10_000, Bonus::None)], ms(20_000));
    let step = |at, act| Step { at: ms(at), act };
    plan.steps =
        vec![step(0, Act::Start), step(10_000, chess_move(Side::White, "e4")), step(10_000, press(Side::White))];
    let marks: Vec<_> = timeline::lines(&Bench::EXACT.run(&plan)).iter().map(|line| line.mark).collect();
    assert_eq!(marks, [Mark::Arbiter, Mark::Flag, Mark::Move, Mark::Press, Mark::End]);
}

#[test]
fn names_from_files_cannot_steer_the_terminal() {
    let mut plan = both_flags();
    plan.scenario = "a/\u{1b}[2Jb".to_owned();
    assert!(!timeline::render(&Bench::EXACT.run(&plan), 100, false).contains('\u{1b}'));
}
