//! Which clock is bad, why and by how much: on the page, in `report.json`, in Markdown and in the line for a log.

mod bench;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bench::{Bench, game, ms, plan, whole};
use flagfall_core::{Bonus, TrueTime};
use flagfall_reports::statistics::Mask;
use flagfall_reports::{Report, write_report, write_report_with_pictures};
use flagfall_trace::plan::{Act, Fault, Step};
use flagfall_trace::{Jump, Plan, RunRecord, Trace, Verdict};
use serde_json::Value;

/// A board whose timer takes 1001 counts for 1000.
const SLOW: Bench = Bench {
    ppb: -999_001,
    zero_ticks: 77,
    bracket_ns: 400,
    uncertainty_ns: 300,
    latency_ns: |n| 900 + (n as i64 % 7) * 200,
};

/// The head of the protocol of a bench whose time was jumped.
const HEAD: &str = r#"{"schema":1,"rig":"one","board":"b","chip":"c","probe":"p","dut_serial":null,"firmware":{"file":"f","sha256":"00","build_id":null},"reference":null,"temperature_c":null,"operator":null,"technique":"jumped","flagfall":"0.1.0"}"#;

/// Forty moves of each side, ten seconds each.
fn even_game(scenario: &str) -> Plan {
    let mut plan = plan(scenario, &[whole(3_600_000, Bonus::Increment { ms: 2_000 })], ms(801_000));
    game(&mut plan, 40, |_| 10_000);
    plan
}

/// A folder below the root with these plans run on this rig.
fn folder(root: &Path, rig: &str, bench: Bench, plans: &[Plan]) -> PathBuf {
    let traces: Vec<Trace> = plans.iter().map(|plan| bench.run(plan)).collect();
    folder_of(root, rig, &traces)
}

/// A folder below the root with these traces of this rig.
fn folder_of(root: &Path, rig: &str, traces: &[Trace]) -> PathBuf {
    let folder = root.join(rig);
    let mut lines = String::new();
    for trace in traces {
        let plan = &trace.plan;
        let file = format!("traces/{}.json", plan.scenario);
        trace.write(&folder.join(&file)).expect("a trace file");
        let record = RunRecord {
            schema: RunRecord::SCHEMA,
            scenario: plan.scenario.clone(),
            title: "a game".to_owned(),
            points: vec![],
            requirements: vec![],
            rig: rig.to_owned(),
            verdict: Verdict::Pass,
            reason: None,
            checks: vec![],
            margins: vec![],
            rulings: vec![],
            trace_hash: Some(trace.hash().to_string()),
            trace_file: Some(file),
            retried: None,
        };
        lines += &(serde_json::to_string(&record).expect("JSON") + "\n");
    }
    fs::write(folder.join("results.jsonl"), lines).expect("a file");
    folder
}

/// The report of these folders and its page with everything that is packed in its place.
fn report(folders: &[PathBuf], mask: &Mask) -> (Report, String) {
    let root = tempfile::tempdir().expect("a folder");
    let page = root.path().join("page.html");
    let report = write_report(folders, &page, mask).expect("a report");
    let page = fs::read_to_string(page).expect("the page");
    let mut parts = page.split("data-packed=\"");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (packed, rest) = part.split_once("\">").expect("the attribute ends");
        let bytes = STANDARD.decode(packed).expect("base64");
        let html = miniz_oxide::inflate::decompress_to_vec(&bytes).expect("DEFLATE");
        whole += "\">";
        whole += std::str::from_utf8(&html).expect("text");
        whole += rest;
    }
    (report, whole)
}

/// An exact simulator and a slow board.
fn good_and_bad() -> (Report, String) {
    let root = tempfile::tempdir().expect("a folder");
    let plans = [even_game("games/even")];
    let folders =
        [folder(root.path(), "sim", Bench::EXACT, &plans), folder(root.path(), "virtual-board", SLOW, &plans)];
    report(&folders, &Mask::default())
}

#[test]
fn the_first_lines_name_the_worst_clock_its_cause_and_its_size() {
    let (report, page) = good_and_bad();
    let first = page.split("<p class=\"worst bad\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("first");
    for words in [
        "<b>Worst clock: virtual-board, slow by 3.596 s an hour.</b> Timer reload off by one: 1001 counts for 1000, -999.0",
        " ppm (less likely: a rate beyond any crystal). In 13 min both sides together were charged 799.",
        " too little, and ",
        "Mask crystal (20 ms + 50 ppm): fail, the error moved by at least 799.",
        "href=\"#run-games-even-on-virtual-board\"",
    ] {
        assert!(first.contains(words), "{words} is not in {first}");
    }
    assert!(first.matches(" ± ").count() >= 2, "no figure without what it may be off: {first}");
    assert!(page.find("class=\"worst").expect("first") < page.find("id=\"totals\"").expect("totals"));
    let line = &report.lines()[0];
    let said = "Worst clock: virtual-board, slow by 3.596 s an hour. Timer reload off by one: 1001 counts for 1000";
    assert!(line.starts_with(said), "{line}");
    assert!(line.ends_with("(games/even)") && line.contains(" ± "), "{line}");
    let markdown = report.markdown();
    assert!(markdown.starts_with(&format!("## flagfall\n\n{said}")), "{markdown}");
    assert!(markdown.contains("### Timing, by the mask crystal"), "{markdown}");
    let row = markdown.lines().find(|line| line.contains("| fail | games/even | virtual-board |")).expect("a row");
    assert!(row.contains("| -999.0") && row.contains("ppm |"), "{row}");
}

#[test]
fn what_a_scenario_makes_wrong_is_no_bad_clock() {
    let root = tempfile::tempdir().expect("a folder");
    let mut jump = even_game("games/jump");
    let fault = Act::Fault(Fault::Jump { by_ns: 3_000_000_000 });
    jump.steps.insert(9, Step { at: ms(75_000), act: fault });
    let folder = folder(root.path(), "sim", Bench::EXACT, &[even_game("games/even"), jump]);
    let (report, page) = report(std::slice::from_ref(&folder), &Mask::default());
    assert!(page.contains("<p class=\"worst\"><b>No clock is bad.</b> At most 0.0 % of the mask crystal"), "{page}");
    let named =
        "not counted here. The mask is used most by <a href=\"#run-games-even-on-sim\">games/even on sim</a>.</p>";
    assert!(page.contains(named), "{page}");
    let markdown = report.markdown();
    assert!(markdown.contains("not counted here. The mask is used most by games/even on sim.\n"), "{markdown}");
    assert!(page.contains("1 run is of a clock made wrong on purpose"), "it is said all the same");
    assert!(page.contains("<td>on purpose: time base leapt ahead, +3.0"), "and the table has it");
    assert!(report.lines().is_empty(), "{:?}", report.lines());
}

#[test]
fn of_a_firmware_that_is_only_watched_nothing_is_said_but_that() {
    let root = tempfile::tempdir().expect("a folder");
    let mut trace = Bench::EXACT.run(&even_game("games/even"));
    trace.watched = true;
    let folder = folder_of(root.path(), "foreign", &[trace]);
    let (report, page) = report(std::slice::from_ref(&folder), &Mask::default());
    let words = "ot measured: a firmware that is only watched stamps nothing";
    assert!(page.contains(&format!("<p class=\"worst\"><b>N{words}.</b> </p>")), "{page}");
    // First line, from press to stamp, latencies on the device, the run.
    assert_eq!(page.matches(words).count(), 4, "{page}");
    assert!(page.contains("<td class=\"n\">not measured"), "the table of rates says so as well");
    for said in ["No clock is bad", "did not notice", "No press was stamped", "Everything was noticed", "no side ran"] {
        assert!(!page.contains(said), "{said} is more than anybody knows");
    }
    assert!(!page.contains("Time error</h3>") && !page.contains("Fewer than two stamps"));
    assert!(report.markdown().starts_with(&format!("## flagfall\n\nN{words}.\n")), "{}", report.markdown());
    fail(&folder, &["games/even"]);
    let (report, _) = self::report(&[folder], &Mask::default());
    let markdown = report.markdown();
    let failed = format!("First games/even on foreign: no check says why. Timing: n{words}.");
    assert!(markdown.contains(&failed), "{markdown}");
}

#[test]
fn the_first_sentence_says_that_runs_are_missing() {
    let root = tempfile::tempdir().expect("a folder");
    let plans = [even_game("games/a"), even_game("games/b"), even_game("games/c")];
    for (rig, bench, others) in
        [("sim", Bench::EXACT, "no clock is bad. At most"), ("board", SLOW, "worst clock: board")]
    {
        let folder = folder(root.path(), rig, bench, &plans);
        let file = folder.join("results.jsonl");
        let lines = fs::read_to_string(&file).expect("lines");
        let (first, rest) = lines.split_once('\n').expect("three lines");
        fs::write(&file, first.to_owned() + "\n" + &rest.replace("\"pass\"", "\"not-run\"")).expect("a file");
        let (report, page) = report(&[folder], &Mask::default());
        let head = "The run is incomplete: 2 of 3 were not run";
        assert!(page.contains(&format!("<p class=\"worst bad\"><b>{head}.</b> Of the others: {others}")), "{page}");
        let first = format!("{head}. Of the others: {others}");
        assert!(report.markdown().starts_with(&format!("## flagfall\n\n{first}")), "{}", report.markdown());
        assert!(report.lines()[0].starts_with(&first), "{:?}", report.lines());
    }
}

#[test]
fn a_run_that_is_too_short_to_tell_has_nothing_wrong_and_no_cell_lists_all_causes() {
    let root = tempfile::tempdir().expect("a folder");
    let mut short = plan("games/short", &[whole(60_000, Bonus::None)], ms(3_000));
    short.tick_rate = flagfall_core::TickRate::new(1_000).expect("a rate");
    game(&mut short, 1, |_| 1_000);
    let short = folder(root.path(), "sim", Bench::EXACT, &[short]);
    let (about_right, page) = report(&[short], &Mask::default());
    let diagnosis = "Diagnosis: <b>not told apart: a crystal within what crystals are off; timer reload";
    assert!(page.contains(diagnosis), "the run itself lists what fits: {page}");
    assert!(!about_right.markdown().contains("not told apart"), "{}", about_right.markdown());
    let row = page.split("id=\"rates\"").nth(1).and_then(|rest| rest.split("</table>").next()).expect("a table");
    assert!(row.contains("games/short") && !row.contains("crystals are off"), "{row}");

    let mut plan = plan("games/off", &[whole(60_000, Bonus::None)], ms(21_000));
    plan.tick_rate = flagfall_core::TickRate::new(10_000).expect("a rate");
    game(&mut plan, 1, |_| 10_000);
    let off = folder(root.path(), "off", Bench { ppb: 31_000, ..Bench::EXACT }, &[plan]);
    let (off, page) = report(&[off], &Mask::default());
    let brief = "not told apart: a crystal within what crystals are off, or ";
    assert!(off.markdown().contains(brief) && page.contains(brief), "{}", off.markdown());
    assert!(!off.markdown().contains("timer reload"), "{}", off.markdown());
}

/// Makes these scenarios of a folder runs that failed.
fn fail(folder: &Path, scenarios: &[&str]) {
    let file = folder.join("results.jsonl");
    let lines: String = fs::read_to_string(&file).expect("lines").lines().fold(String::new(), |lines, line| {
        let fails = scenarios.iter().any(|scenario| line.contains(&format!("\"scenario\":\"{scenario}\"")));
        let line = if fails { line.replace("\"verdict\":\"pass\"", "\"verdict\":\"fail\"") } else { line.to_owned() };
        lines + &line + "\n"
    });
    fs::write(file, lines).expect("a file");
}

#[test]
fn a_run_that_fails_with_a_bad_clock_is_told_by_its_diagnosis_and_comes_first() {
    let root = tempfile::tempdir().expect("a folder");
    let mut jump = even_game("games/jump");
    let fault = Act::Fault(Fault::Jump { by_ns: 3_000_000_000 });
    jump.steps.insert(9, Step { at: ms(75_000), act: fault });
    let folder = folder(root.path(), "sim", Bench::EXACT, &[even_game("games/even"), jump]);
    fail(&folder, &["games/even", "games/jump"]);
    let (_, page) = report(std::slice::from_ref(&folder), &Mask::default());
    let first = page.split("<p class=\"worst bad\">").nth(1).and_then(|rest| rest.split("</p>").next()).expect("first");
    assert!(
        first.starts_with("<b>2 of 2 runs fail.</b> First games/jump on sim: time base leapt ahead, +3.0"),
        "{first}"
    );
    assert!(
        first.contains(", which its scenario itself brings about: no check says why. No other time base"),
        "{first}"
    );
    let list = page.split("<ul class=\"wrong\">").nth(1).and_then(|rest| rest.split("</ul>").next()).expect("a list");
    let [jump, even] = ["games/jump", "games/even"].map(|name| list.find(name).expect("listed"));
    assert!(jump < even, "the worst clock first: {list}");
    assert!(list[jump..even].contains("<b>time base leapt ahead, +3.0"), "{list}");
    assert!(!list[even..].contains("<b>time base"), "{list}");
}

#[test]
fn of_many_runs_that_fail_ten_stand_at_once_and_are_printed_in_full() {
    let root = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = (10..22).map(|number| format!("games/even-{number}")).collect();
    let plans: Vec<Plan> = names.iter().map(|name| even_game(name)).collect();
    let folder = folder(root.path(), "sim", Bench::EXACT, &plans);
    fail(&folder, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let (_, page) = report(std::slice::from_ref(&folder), &Mask::default());
    let (at_once, rest) =
        page.split_once("<details class=\"plain\" id=\"more-wrong\"><summary>2 more</summary>").expect("more");
    assert_eq!(at_once.matches("<li><span class=\"v fail\">").count(), 10);
    let (more, rest) = rest.split_once("</details>").expect("it ends");
    assert_eq!(more.matches("<li><span class=\"v fail\">").count(), 2);
    let style =
        rest.split("<style>@media print {").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a style");
    for (number, name) in names.iter().enumerate() {
        let place = format!("[id=\"run-{}-on-sim\"]::details-content", name.replace('/', "-"));
        assert_eq!(style.contains(&place), number < 10, "{name}: {style}");
    }
}

#[test]
fn programs_read_the_same() {
    let json: Value = serde_json::from_str(&good_and_bad().0.json()).expect("JSON");
    assert_eq!((json["worst"]["rig"].as_str(), json["worst"]["is_bad"].as_bool()), (Some("virtual-board"), Some(true)));
    assert_eq!(json["mask"]["rate_ppb"], 50_000);
    let board = &json["runs"].as_array().expect("runs")[1];
    assert_eq!(board["rig"], "virtual-board");
    let timing = &board["timing"];
    assert_eq!(timing["mask"]["verdict"], "fail");
    assert!(timing["findings"][0]["is_named"] == true && timing["findings"][0]["unit"] == "ppm");
    let held = |value: &Value, truth: f64| {
        let (middle, half) = (value["ppm"].as_f64().expect("ppm"), value["half_width_ppm"].as_f64().expect("a width"));
        assert!((middle - truth).abs() <= half && half < 0.01, "{middle} ± {half}, and {truth} is true");
    };
    // 999.001 ppm slow, to the parts per billion that the bench has.
    held(&timing["rate"], -999.001);
    held(&timing["drift_95"], -999.001);
    assert_eq!(timing["drift_95"]["stamps"], 81);
    let game = &timing["game"];
    assert_eq!((game["switches"].as_u64(), game["charged_ns"].as_array().map(Vec::len)), (Some(80), Some(2)));
    assert!(game["s_ns"].as_i64().is_some_and(|s| (s + 799_200_000).abs() < 20_000), "{game}");
    assert!(json["runs"][0]["timing"]["findings"].as_array().is_some_and(Vec::is_empty), "the exact clock");
}

#[test]
fn a_run_has_its_account_its_verdict_and_pictures_where_there_is_something_to_see() {
    let (_, page) = good_and_bad();
    let part = |id: &str| page.split(&format!("id=\"run-games-even-on-{id}\"")).nth(1).expect("a section").to_owned();
    let board = part("virtual-board");
    for words in [
        "<span class=\"v fail\">fail</span> by the mask crystal (20 ms + 50 ppm): the error moved by at least",
        "Drift -999.0",
        "from 81 stamps 10 s apart",
        "Diagnosis: <b>timer reload off by one: 1001 counts for 1000",
        "<th scope=\"row\">White<td class=\"n\">399.6",
        "aria-label=\"S and D after each move\"",
        "aria-label=\"Parts of the errors at the end of the game\"",
        "White, offset",
    ] {
        assert!(board.contains(words), "{words}");
    }
    let sim = page
        .split("id=\"run-games-even-on-sim\"")
        .nth(1)
        .and_then(|rest| rest.split("</details>\n<details class=\"run").next());
    let sim = sim.expect("a section");
    assert!(sim.contains("Diagnosis: nothing beyond what crystals are off."));
    assert!(sim.contains("both together 0 s too much (S)") && !sim.contains("aria-label=\"S and D"));
    assert!(page.contains("aria-label=\"2 runs against the mask crystal, 1 beyond it\""));
}

#[test]
fn a_mask_that_a_short_run_cannot_decide_says_which_run_would() {
    let root = tempfile::tempdir().expect("a folder");
    let mut short = plan("games/short", &[whole(60_000, Bonus::None)], ms(40));
    game(&mut short, 2, |_| 10);
    let board = Bench { ppb: 45_000, ..SLOW };
    let folder = folder(root.path(), "virtual-board", board, &[short, even_game("games/even")]);
    let (report, page) = report(std::slice::from_ref(&folder), &Mask::shipped("strict").expect("it is shipped"));
    let json: Value = serde_json::from_str(&report.json()).expect("JSON");
    let mask = |run: usize| &json["runs"][run]["timing"]["mask"];
    assert_eq!((mask(0)["verdict"].as_str(), mask(1)["verdict"].as_str()), (Some("fail"), Some("inconclusive")));
    let needs = mask(1)["needs_ns"].as_f64().expect("a run that would decide");
    assert!((1e6..1e9).contains(&needs), "{needs}");
    assert!(page.contains("inconclusive</span> by the mask strict (2 ms + 20 ppm): the stamps allow both; a run of "));
}

#[test]
fn of_jumped_time_no_rate_is_told() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = folder(root.path(), "one", SLOW, &[even_game("games/even")]);
    let counted = report(std::slice::from_ref(&folder), &Mask::default());
    assert!(counted.0.rigs[0].drift.is_some() && counted.1.contains("id=\"timing\""), "a rate that could be told");
    let head = |technique: &str| {
        let text = HEAD.replace("jumped", technique);
        fs::write(folder.join("bench.json"), text).expect("a file");
        report(std::slice::from_ref(&folder), &Mask::default())
    };
    assert!(head("real").0.rigs[0].drift.is_some());
    let says_nothing = |(report, page): (Report, String)| {
        let rig = &report.rigs[0];
        assert!(rig.jumped && rig.drift.is_none() && rig.latency.is_some() && report.worst.is_none());
        assert!(report.runs.iter().all(|run| run.timing.is_none() && run.drift.is_none()));
        let lines = report.lines();
        assert!(lines[0].starts_with("one: jumped time, no rate or drift measured; press to stamp"), "{lines:?}");
        assert!(report.markdown().contains("- one: jumped time, no rate or drift measured; press to stamp"));
        assert!(page.contains("<b>Jumped time on one.</b>") && !page.contains("ppm"), "a rate stands on the page");
    };
    says_nothing(head("jumped"));
    // A trace that was copied away from its bench says it by itself.
    fs::remove_file(folder.join("bench.json")).expect("it was there");
    let file = folder.join("traces/games/even.json");
    let mut trace = Trace::read(&file).expect("a trace");
    trace.jumps.push(Jump { from: TrueTime::from_ns(1), to: TrueTime::from_ns(2) });
    trace.write(&file).expect("a trace");
    let results = folder.join("results.jsonl");
    let line = fs::read_to_string(&results).expect("a line");
    let mut record: RunRecord = serde_json::from_str(&line).expect("a record");
    record.trace_hash = Some(trace.hash().to_string());
    fs::write(&results, serde_json::to_string(&record).expect("JSON") + "\n").expect("a file");
    says_nothing(report(std::slice::from_ref(&folder), &Mask::default()));
}

#[test]
fn no_two_places_of_a_page_have_one_name() {
    let root = tempfile::tempdir().expect("a folder");
    let plans = [even_game("games/even"), even_game("games/Even")];
    let folders = ["sim", "one", "two"].map(|rig| folder(root.path(), rig, Bench::EXACT, &plans));
    folders[1..].iter().for_each(|folder| fs::write(folder.join("bench.json"), HEAD).expect("a file"));
    let (_, page) = report(&folders, &Mask::default());
    let names: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert!(names.contains(&"bench") && names.contains(&"bench-2") && names.len() > 15, "{names:?}");
    assert_eq!(different.len(), names.len(), "{names:?}");
    for place in page.split("aria-labelledby=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(different.contains(place), "nothing is called {place}");
    }
    for place in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(different.contains(place), "a link leads nowhere: {place}");
    }
}

/// Width, height, and how many of the pixels are not white.
fn pixels(png: &[u8]) -> (u32, u32, usize) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xaeB`\x82"), "a whole file");
    let (width, height) = (number(16), number(20));
    let data = png.windows(4).position(|four| four == b"IDAT").expect("data") + 4;
    let rows = miniz_oxide::inflate::decompress_to_vec_zlib(&png[data..png.len() - 16]).expect("zlib");
    let row = width as usize * 3;
    let mut above = vec![0_u8; row];
    let mut inked = 0;
    for coded in rows.chunks_exact(row + 1) {
        above = coded[1..].iter().zip(&above).map(|(byte, above)| byte.wrapping_add(*above)).collect();
        inked += above.chunks_exact(3).filter(|pixel| **pixel != [255; 3]).count();
    }
    (width, height, inked)
}

#[test]
fn pictures_are_whole_and_the_same_twice() {
    let root = tempfile::tempdir().expect("a folder");
    let plans = [even_game("games/even")];
    let folder = folder(root.path(), "virtual-board", SLOW, &plans);
    let drawn = |name: &str| {
        let into = root.path().join(name);
        let page = root.path().join("page.html");
        write_report_with_pictures(std::slice::from_ref(&folder), &page, &Mask::default(), &into).expect("pictures");
        let files = fs::read_dir(into).expect("a folder").map(|file| file.expect("an entry").path());
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        let name = |file: &PathBuf| file.file_name().expect("a name").to_string_lossy().into_owned();
        files.iter().map(|file| (name(file), fs::read(file).expect("a file"))).collect::<Vec<_>>()
    };
    let (first, second) = (drawn("first"), drawn("second"));
    assert!(first == second, "the same results have other pictures");
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "games-even-on-virtual-board-budget.png",
            "games-even-on-virtual-board-fairness.png",
            "games-even-on-virtual-board-time-error.png",
            "mask.png",
            "virtual-board-press-to-stamp.png",
        ]
    );
    for (name, png) in &first {
        let (width, height, inked) = pixels(png);
        assert_eq!(width, 1_520, "{name}");
        let all = (width * height) as usize;
        assert!(inked > all / 200 && inked < all / 2, "{name}: {inked} of {all} pixels are not white");
    }
}
