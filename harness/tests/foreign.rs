//! A firmware that knows nothing of flagfall, watched and judged: the cases find what is wrong with it and nothing else.
//!
//! `firmware/examples/fischer` has two faults of the kind that ships. Neither is named in its source; what the feature
//! `mended` changes is what each case below finds. Without QEMU or the firmware the trials of the board are ignored, with
//! the reason as their kind.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use flagfall::case::{Case, Judged};
use flagfall::inputs;
use flagfall::rig::Outcome;
use flagfall::rig::board::{self, Board, Description};
use flagfall_judge::rulebook::Rulebook;
use flagfall_trace::Verdict;
use libtest_mimic::{Arguments, Failed, Trial};

/// What a clock is to be found with.
type Wrong = &'static [&'static str];

/// A press after the flag brings the bonus all the same, and with it the flag up again.
const BONUS_AFTER_THE_FLAG: Wrong = &["flag(white)", "flag(black)", "remaining(white)", "remaining(black)"];

/// What is kept over a stop of the clocks is whole seconds: of White's time where his is the one with a part of a second.
const SECONDS_OVER_A_STOP: [Wrong; 2] = [&["remaining(white)"], &["remaining(black)"]];

/// Cases that are played on the board, and what each finds in the firmware as it shipped.
const PLAYED: [(&str, Wrong); 10] = [
    ("both-flags/fallen-side-goes-on-pressing", BONUS_AFTER_THE_FLAG),
    ("pause-abuse/presses-in-a-pause-count-for-nothing", SECONDS_OVER_A_STOP[0]),
    ("pause-abuse/twenty-stops-gain-nothing", SECONDS_OVER_A_STOP[1]),
    ("flag-fall/rook-against-knight", &[]),
    ("hall/button-held-on-the-own-turn", &[]),
    ("increment-delay/increment-from-before-the-first-move", &[]),
    ("increment-delay/increments-add-up", &[]),
    ("press-handling/press-after-the-reply", &[]),
    ("press-handling/press-before-the-start", &[]),
    ("press-handling/second-press-is-ignored", &[]),
];

/// A press that the bench does not make, found in any firmware as the case has it.
const LOST_PRESS: (&str, Wrong) = ("defective-clock/lost-press-costs-the-flag", &["press(black)"]);

/// Cases of the repository that this board can play, at the least.
const APPLICABLE_MIN: usize = 120;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Paths of scenarios are relative to the repository.
    std::env::set_current_dir(&root).expect("the repository is where it was built");
    let shipped = Description::read(Path::new("boards/virtual-foreign.yaml")).expect("the board file is right");
    let mended =
        Description { firmware: shipped.firmware.with_file_name("foreign-fischer-mended.elf"), ..shipped.clone() };
    let lacking = Board::lacking(&shipped).or_else(|| Board::lacking(&mended));
    let rulebooks = Arc::new(inputs::rulebooks(&[]).expect("built-in rulebooks"));
    let cases = cases(&rulebooks);
    let mut trials = Vec::new();
    let mut on_the_board = |name: String, run: Box<dyn FnOnce() -> Result<(), Failed> + Send>| {
        let trial = Trial::test(format!("virtual_board::foreign::{name}"), run);
        trials.push(match &lacking {
            Some(reason) => trial.with_kind(reason.as_str()).with_ignored_flag(true),
            None => trial,
        });
    };
    let played = PLAYED.map(|(id, wrong)| {
        let shipped = if wrong.is_empty() { Verdict::Pass } else { Verdict::Fail };
        (id, (shipped, wrong), (Verdict::Pass, &[] as Wrong))
    });
    let lost = (LOST_PRESS.0, (Verdict::Pass, LOST_PRESS.1), (Verdict::Pass, LOST_PRESS.1));
    for (id, of_shipped, of_mended) in played.into_iter().chain([lost]) {
        let case = cases.iter().find(|case| case.scenario.id == id).unwrap_or_else(|| panic!("there is no case {id}"));
        for (firmware, description, (verdict, wrong)) in
            [("shipped", &shipped, of_shipped), ("mended", &mended, of_mended)]
        {
            let (case, description, rulebooks) = (case.clone(), description.clone(), rulebooks.clone());
            let run = move || finds(&play(&description, &case, &rulebooks), verdict, wrong);
            on_the_board(format!("{firmware}::{id}"), Box::new(run));
        }
    }
    let two = cases.iter().find(|case| case.scenario.id == PLAYED[7].0).expect("it is among them").clone();
    for (name, run) in WRONG_MAPS {
        let (description, case) = (mended.clone(), two.clone());
        on_the_board(format!("maps::{name}"), Box::new(move || run(description, &case)));
    }
    let count = move || enough_apply(&shipped, &cases);
    trials.push(Trial::test("board::foreign::enough_cases_apply_and_the_others_say_why", count));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn cases(rulebooks: &[Rulebook]) -> Vec<Arc<Case>> {
    let sources = inputs::sources(&[PathBuf::from(inputs::CASES)]).expect("the repository has scenarios");
    let read = sources.sources.iter().map(|source| Case::read(source, rulebooks));
    read.map(|case| Arc::new(case.unwrap_or_else(|diagnostics| panic!("{}", diagnostics.render(false))))).collect()
}

fn play(description: &Description, case: &Case, rulebooks: &[Rulebook]) -> Judged {
    let outcome = Board::new(description.clone()).run_scenario(&case.plan, &case.scenario);
    case.judge(description.probe.rig_name(), outcome, rulebooks)
}

/// The oracle finds these and nothing else; without any, everything passes.
fn finds(judged: &Judged, expected: Verdict, wrong: Wrong) -> Result<(), Failed> {
    let record = &judged.record;
    let lines: Vec<String> =
        record.checks.iter().map(|check| format!("{}: {}\n    {}", check.verdict, check.what, check.found)).collect();
    let oracle = record.checks.iter().find(|check| check.what == "oracle").map_or("", |check| check.found.as_str());
    let found: Vec<&str> = oracle.lines().filter_map(|line| line.split_once(" at ").map(|(what, _)| what)).collect();
    let found: Vec<&str> = found.into_iter().filter(|what| what.contains('(') || *what == "running").collect();
    let all = wrong.iter().all(|what| found.contains(what)) && found.iter().all(|what| wrong.contains(what));
    if record.verdict == expected && all {
        return Ok(());
    }
    Err(Failed::from(format!("expected {expected} with {wrong:?}, found {}:\n{}", record.verdict, lines.join("\n"))))
}

type Run = fn(Description, &Case) -> Result<(), Failed>;

/// What is wrong with the map or the bench, and never with the clock.
const WRONG_MAPS: [(&str, Run); 6] = [
    ("another_unit_is_found_before_anything_is_done", another_unit_is_found_before_anything_is_done),
    ("buttons_the_wrong_way_round_are_found", buttons_the_wrong_way_round_are_found),
    ("a_function_that_never_comes_is_no_silence", a_function_that_never_comes_is_no_silence),
    (
        "a_name_that_is_not_there_gets_its_place_and_the_nearest",
        a_name_that_is_not_there_gets_its_place_and_the_nearest,
    ),
    ("a_handler_is_no_place_to_stop_in_the_emulator", a_handler_is_no_place_to_stop_in_the_emulator),
    ("a_word_ends_where_its_symbol_does", a_word_ends_where_its_symbol_does),
];

fn another_unit_is_found_before_anything_is_done(mut board: Description, case: &Case) -> Result<(), Failed> {
    // The words are written in the same unit: only the speed at which they go tells.
    board.symbols.as_mut().expect("it is watched").unit_us /= 10;
    finds(&play(&board, case, &[]), Verdict::Fail, &["remaining(white)", "remaining(black)"])
}

fn buttons_the_wrong_way_round_are_found(mut board: Description, case: &Case) -> Result<(), Failed> {
    let players = &mut board.buttons.players;
    (players.white, players.black) = (players.black, players.white);
    let judged = play(&board, case, &[]);
    let oracle = judged.record.checks.iter().find(|check| check.what == "oracle");
    match oracle.filter(|check| check.found.contains("press(white)")) {
        Some(_) if judged.record.verdict == Verdict::Fail => Ok(()),
        _ => Err(Failed::from(format!("{:#?}", judged.record.checks))),
    }
}

fn a_function_that_never_comes_is_no_silence(mut board: Description, case: &Case) -> Result<(), Failed> {
    // There is a handler for it, and nobody raises it.
    board.symbols.as_mut().expect("it is watched").stop = "EXTI2".into();
    match Board::new(board).run(&case.plan) {
        Outcome::Infra(reason) if reason.contains("no stop") => Ok(()),
        other => Err(Failed::from(format!("{other:?}"))),
    }
}

fn a_handler_is_no_place_to_stop_in_the_emulator(mut board: Description, case: &Case) -> Result<(), Failed> {
    board.symbols.as_mut().expect("it is watched").stop = "SysTick".into();
    match Board::new(board).run(&case.plan) {
        Outcome::Infra(reason) if reason.contains("`SysTick` is or is called by an interrupt handler") => Ok(()),
        other => Err(Failed::from(format!("{other:?}"))),
    }
}

fn lacks(board: &Description, words: &[&str]) -> Result<(), Failed> {
    match Board::lacking(board) {
        Some(reason) if words.iter().all(|word| reason.contains(word)) => Ok(()),
        other => Err(Failed::from(format!("expected {words:?}, found {other:?}"))),
    }
}

fn a_name_that_is_not_there_gets_its_place_and_the_nearest(board: Description, _: &Case) -> Result<(), Failed> {
    let mut wrong = board.clone();
    wrong.symbols.as_mut().expect("it is watched").left.black.symbol = "GAMES".into();
    let place = "virtual-foreign.yaml:";
    lacks(&wrong, &[place, "black: {at: GAME + 4", "no variable `GAMES`: did you mean `GAME`?"])?;
    let mut wrong = board.clone();
    wrong.symbols.as_mut().expect("it is watched").stop = "idel".into();
    lacks(&wrong, &[place, "stop: idle", "no function `idel`: did you mean `idle`?"])?;
    // A function is no variable.
    let mut wrong = board;
    wrong.symbols.as_mut().expect("it is watched").running.symbol = "idle".into();
    lacks(&wrong, &["no variable `idle`"])
}

fn a_word_ends_where_its_symbol_does(mut board: Description, _: &Case) -> Result<(), Failed> {
    board.symbols.as_mut().expect("it is watched").running.offset = 24;
    lacks(&board, &["running: {at: GAME + 12", "`GAME` has 24 bytes, this word ends at 25"])
}

fn enough_apply(board: &Description, cases: &[Arc<Case>]) -> Result<(), Failed> {
    let reasons = cases.iter().filter_map(|case| {
        let reason = board::not_applicable_to(board, &case.plan, &case.scenario)?;
        Some((case.scenario.id.as_str(), reason))
    });
    let reasons: Vec<(&str, String)> = reasons.collect();
    let applicable = cases.len() - reasons.len();
    println!("{applicable} of {} cases apply", cases.len());
    for (id, said) in [
        ("both-flags/last-period-order-unknown", "which has several periods"),
        ("increment-delay/delay-to-its-last-tick", "which is no increment"),
        ("press-handling/both-press-at-one-instant", "two acts 0 us apart: this bench needs"),
        ("press-handling/contact-bounces-when-pressed", "single edges of a contact"),
        ("display/increment-stands-before-move-one", "the digits of"),
    ] {
        let reason = reasons.iter().find(|(other, _)| *other == id).map_or("", |(_, reason)| reason.as_str());
        if !reason.contains(said) {
            return Err(Failed::from(format!("{id}: `{reason}` does not say `{said}`")));
        }
    }
    if applicable < APPLICABLE_MIN {
        return Err(Failed::from(format!("only {applicable} cases apply")));
    }
    Ok(())
}
