//! The page of results: scrubbed by keys and pointer, filtered, printed, on a phone, two rigs side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::chromium::Browser;

/// The trials of this page.
pub(crate) const TRIALS: [(&str, fn()); 8] = [
    ("browser::keys_move_both_faces_through_the_game", keys_move_both_faces_through_the_game),
    ("browser::a_pointer_shows_any_instant", a_pointer_shows_any_instant),
    ("browser::two_rigs_stand_side_by_side_where_they_part", two_rigs_stand_side_by_side_where_they_part),
    ("browser::the_filter_hides_runs", the_filter_hides_runs),
    ("browser::the_first_lines_lead_to_the_worst_clock", the_first_lines_lead_to_the_worst_clock),
    ("browser::timing_is_filtered_and_read_in_the_dark", timing_is_filtered_and_read_in_the_dark),
    ("browser::paper_and_phone_lose_nothing", paper_and_phone_lose_nothing),
    ("browser::a_sheet_is_white_and_nothing_on_it_is_cut", a_sheet_is_white_and_nothing_on_it_is_cut),
];

const GAME: &str = "scenario: a test\npoints: [B5]\ncontrol: 1m+3s\ntimeline:\n  - {at: 0s, start: white}\n  \
    - {at: +20s, press: white}\n  - {at: +5s, press: black}\n  - {at: flag(white) + 1s, read: {flags: {white: fallen}}}\nexpect:\n  \
    - flags: {white: fallen, black: up}\n";

/// Runs these cases into a folder below the root.
fn run(root: &Path, out: &str, cases: &[(&str, &str)]) {
    let folder = root.join(format!("{out}-cases"));
    for (name, text) in cases {
        let file = folder.join(format!("{name}.yaml"));
        fs::create_dir_all(file.parent().expect("a family")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let made = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .current_dir(root)
        .args(["run", "--rulebook", "fide-2014", "--out", out])
        .arg(&folder)
        .output()
        .expect("it starts");
    assert!(matches!(made.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&made.stderr));
}

/// A page with a run that passes and one that does not.
fn page() -> (TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a folder");
    let wrong = GAME.replace("black: up", "black: fallen");
    run(root.path(), "out", &[("games/right", GAME), ("games/wrong", &wrong)]);
    let page = root.path().join("out/index.html");
    (root, page)
}

/// Opens a run by its heading and waits until it can be moved through.
fn open(browser: &mut Browser, id: &str) -> String {
    browser.click(&format!("#{id} > summary"));
    let there = format!(
        "new Promise((done) => {{ const look = () => document.querySelector('#{id} [role=slider]') ? done(true) : \
         setTimeout(look, 20); look(); }})"
    );
    assert_eq!(browser.value(&there), true);
    format!("#{id}")
}

fn digits(browser: &mut Browser, run: &str) -> String {
    browser.text(&format!("[...document.querySelectorAll('{run} .digits')].map((face) => face.innerText).join(' ')"))
}

fn keys_move_both_faces_through_the_game() {
    let (_root, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let run = open(&mut browser, "run-games-right-on-sim");
    browser.value(&format!("document.querySelector('{run} [role=slider]').focus()"));
    assert_eq!(digits(&mut browser, &run), "1:03 1:03");
    let now = format!("document.querySelector('{run} [role=slider]').getAttribute('aria-valuenow')");
    let at = |browser: &mut Browser| browser.text(&now);
    browser.key("ArrowRight");
    assert_eq!((at(&mut browser).as_str(), digits(&mut browser, &run).as_str()), ("1", "0:46 1:03"));
    let said = browser.text(&format!("document.querySelector('{run} [aria-live]').innerText"));
    assert!(said.starts_with("White presses") && said.contains("Black runs"), "{said}");
    let value = browser.text(&format!("document.querySelector('{run} [role=slider]').getAttribute('aria-valuetext')"));
    assert!(value.starts_with("20 s, White presses"), "{value}");
    browser.key("End");
    assert_eq!(at(&mut browser), "6", "start, two presses, a flag, a look, the end");
    let down = browser.text(&format!("document.querySelector('{run} .face .down').innerText"));
    assert_eq!((down.as_str(), digits(&mut browser, &run).as_str()), ("flag down", "~0:00 ~1:01"));
    for (key, then) in [("Home", "0"), ("PageDown", "6"), ("PageUp", "0"), ("ArrowRight", "1"), ("ArrowLeft", "0")] {
        browser.key(key);
        assert_eq!(at(&mut browser), then, "{key}");
    }
    browser.key(" ");
    let moved = format!("new Promise((done) => setTimeout(() => done({now}), 1000))");
    assert_eq!(browser.text(&moved), "1", "the space bar plays");
    browser.key(" ");
    assert_eq!(browser.text(&moved), "1", "and pauses");
    browser.click(&format!("{run} .scrub > details > summary"));
    browser.click(&format!("{run} .events tbody tr:nth-child(4)"));
    assert_eq!(at(&mut browser), "3", "a row of the table leads there too");
}

fn a_pointer_shows_any_instant() {
    let (_root, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let run = open(&mut browser, "run-games-right-on-sim");
    browser.click(&format!("{run} svg .lane-0"));
    let when = browser.text(&format!("document.querySelector('{run} .when').innerText"));
    let seconds: f64 = when.split_whitespace().nth(2).and_then(|text| text.parse().ok()).expect("an instant");
    assert!(seconds > 1.0 && seconds < 19.0, "in the middle of White's first turn: {when}");
    // White began with a minute and three seconds, and the display rounds up.
    let left = (63.0 - seconds).ceil();
    assert_eq!(digits(&mut browser, &run), format!("0:{left:02} 1:03"), "{when}");
}

fn two_rigs_stand_side_by_side_where_they_part() {
    let root = tempfile::tempdir().expect("a folder");
    run(root.path(), "one", &[("games/right", GAME)]);
    let other = GAME
        .replace("+5s, press: black}", "+5s, press: black}\n  - {at: +1s, press: white}\n  - {at: +1s, press: black}");
    run(root.path(), "two", &[("games/right", &other)]);
    let made = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .current_dir(root.path())
        .args(["report", "--page", "both.html", "one", "two"])
        .output()
        .expect("it starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut browser = Browser::open(&root.path().join("both.html"), 1400, 900);
    let run = open(&mut browser, "run-games-right-on-sim--2-");
    let words = browser.text(&format!("document.querySelector('{run} .parts').innerText"));
    assert!(words.contains("parts from sim at record") && words.contains("White's flag falls"), "{words}");
    assert_eq!(browser.value(&format!("document.querySelectorAll('{run} .faces').length")), 2);
    assert_eq!(browser.value(&format!("document.querySelectorAll('{run} svg .differs').length")), 1);
    browser.key("Home");
    browser.click(&format!("{run} .tools button:nth-of-type(6)"));
    let at = browser.text(&format!("document.querySelector('{run} [aria-live]').innerText"));
    assert!(at.starts_with("White presses"), "{at}");
    // Here Black runs again; there White still thinks.
    let running = format!("[...document.querySelectorAll('{run} .face')].map((face) => face.matches('.runs'))");
    assert_eq!(browser.value(&running), serde_json::json!([false, true, true, false]));
}

fn the_filter_hides_runs() {
    let (_root, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let shown = "[...document.querySelectorAll('details.run')].filter((run) => !run.hidden).map((run) => run.id)";
    assert_eq!(browser.value(&format!("{shown}.length")), 2);
    browser.value("(() => { const box = document.getElementById('filter'); box.value = 'fail games'; box.dispatchEvent(new Event('input')); })()");
    assert_eq!(browser.value(shown), serde_json::json!(["run-games-wrong-on-sim"]));
    assert_eq!(browser.text("document.getElementById('matches').innerText"), "1 of 2");
    // A link to what is hidden shows it.
    browser.value("location.hash = 'run-games-right-on-sim'");
    let opened =
        "new Promise((done) => setTimeout(() => done(document.getElementById('run-games-right-on-sim').open), 300))";
    assert_eq!(browser.value(opened), true);
    assert_eq!(browser.value(&format!("{shown}.length")), 2);
}

fn paper_and_phone_lose_nothing() {
    let (_root, page) = page();
    let mut browser = Browser::open(&page, 390, 800);
    let wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.value(wide), 0, "nothing sticks out");
    let run = open(&mut browser, "run-games-right-on-sim");
    assert_eq!(browser.value(wide), 0, "nothing of an open run either");
    browser.shown_as("print", "light");
    let display = |what: &str| format!("getComputedStyle(document.querySelector('{what}')).display");
    assert_eq!(browser.text(&display(&format!("{run} .tools"))), "none", "what cannot be used on paper is not on it");
    // Nobody opened it: on paper it can be read all the same.
    let height = "document.querySelector('#run-games-wrong-on-sim .events').getBoundingClientRect().height";
    let height = browser.value(height).as_f64().expect("a number");
    assert!(height > 50.0, "the events of a run that failed are {height} pixels high on paper");
}

fn a_sheet_is_white_and_nothing_on_it_is_cut() {
    let root = tempfile::tempdir().expect("a folder");
    run(root.path(), "out", &[("games/right", GAME), ("games/fast", &FAST.replace("clock: {wrong", "#"))]);
    // A4 between Chromium's own margins.
    let mut browser = Browser::open(&root.path().join("out/index.html"), 717, 1000);
    let cut = "[...document.querySelectorAll('body *')].filter((one) => { const box = one.getBoundingClientRect(); \
               return box.width > 1 && box.height > 1 && box.right > document.documentElement.clientWidth + 1; }) \
               .map((one) => one.outerHTML.slice(0, 200)).slice(0, 3).join('\\n')";
    let scrolls = "[...document.querySelectorAll('body *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && \
                   ['auto', 'scroll', 'hidden'].includes(getComputedStyle(one).overflowX) && one.clientWidth > 1) \
                   .map((one) => one.outerHTML.slice(0, 200)).slice(0, 3).join('\\n')";
    let colour = "[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('svg.plot text')).fill, \
                  getComputedStyle(document.querySelector('.run')).backgroundColor].join(' ')";
    browser.shown_as("", "dark");
    assert_ne!(browser.text(colour), "rgb(34, 34, 33) rgb(34, 34, 33) rgb(255, 255, 255)");
    browser.shown_as("print", "dark");
    assert_eq!(browser.text(colour), "rgb(34, 34, 33) rgb(34, 34, 33) rgb(255, 255, 255)");
    assert_eq!(browser.text(cut), "", "sticks out");
    assert_eq!(browser.text(scrolls), "", "cannot be scrolled to on paper");
    // The table of rates is folded on a screen, and what failed is too.
    for what in ["#rates table", "#run-games-fast-on-sim .account"] {
        let height = browser.value(&format!("document.querySelector('{what}').getBoundingClientRect().height"));
        assert!(height.as_f64().expect("a number") > 50.0, "{what} is {height} pixels high on paper");
    }
}

/// A clock that a fault makes a thousandth fast, in a scenario that expects it.
const FAST: &str = "scenario: a test\npoints: [G1]\ncontrol: 5m\ntimeline:\n  - {at: 0s, start: white}\n  \
    - {at: 1s, fault: {rate: {offset: +1000ppm, for: 1h}}}\n  - {at: +20s, press: white}\n  - {at: +20s, press: black}\n  \
    - {at: +20s, press: white}\n  - {at: +20s, press: black}\nexpect: [{running: white}]\n\
    clock: {wrong: [remaining(white), remaining(black), time-base], from: fault}\n";

fn the_first_lines_lead_to_the_worst_clock() {
    let (_root, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let first = browser.text("document.querySelector('header .worst').innerText");
    assert!(first.starts_with("1 of 2 runs fails. First games/wrong on sim"), "{first}");
    let top = browser.value("document.querySelector('header .worst').getBoundingClientRect().bottom < 300");
    assert_eq!(top, true, "it is read without scrolling");
    browser.click("header .worst a");
    let opened =
        "new Promise((done) => setTimeout(() => done(document.getElementById('run-games-wrong-on-sim').open), 300))";
    assert_eq!(browser.value(opened), true);
    // The account of the game is there, and what is drawn has words for who cannot see it.
    let account = browser.text("document.querySelector('#run-games-wrong-on-sim .account').innerText");
    assert!(account.contains("White") && account.contains("charged"), "{account}");
    let silent = "[...document.querySelectorAll('svg.plot')].filter((plot) => !plot.getAttribute('aria-label')).length";
    assert_eq!(browser.value(silent), 0);
}

fn timing_is_filtered_and_read_in_the_dark() {
    let root = tempfile::tempdir().expect("a folder");
    run(root.path(), "out", &[("games/right", GAME), ("games/fast", FAST)]);
    let mut browser = Browser::open(&root.path().join("out/index.html"), 1400, 900);
    browser.click("#rates > summary");
    let shown = "[...document.querySelectorAll('#rates tbody tr')].filter((row) => !row.hidden).map((row) => row.querySelector('a').hash)";
    assert_eq!(browser.value(&format!("{shown}.length")), 2);
    let fast = browser.text("document.querySelector('#rates tr:has(a[href$=run-games-fast-on-sim])').innerText");
    assert!(fast.contains("on purpose"), "{fast}");
    browser.value("(() => { const box = document.getElementById('filter'); box.value = 'fast'; box.dispatchEvent(new Event('input')); })()");
    assert_eq!(browser.value(shown), serde_json::json!(["#run-games-fast-on-sim"]));
    let run = open(&mut browser, "run-games-fast-on-sim");
    let labels = browser.text(&format!(
        "[...document.querySelectorAll('{run} svg.plot')].map((plot) => plot.getAttribute('aria-label')).join(' | ')"
    ));
    assert!(labels.contains("S and D after each move") && labels.contains("Parts of the errors"), "{labels}");
    browser.value(&format!("document.querySelector('{run} [role=slider]').focus()"));
    browser.key("ArrowRight");
    let now = browser.text(&format!("document.querySelector('{run} [role=slider]').getAttribute('aria-valuenow')"));
    assert_eq!(now, "1", "the game is still moved through");
    // A colour that is drawn must stand out from the paper in both schemes.
    let apart = format!(
        "(() => {{ const light = (colour) => {{ const [r, g, b] = colour.match(/\\d+/g).map((part) => {{ const c = part / 255; \
         return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }}); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }}; \
         const paper = light(getComputedStyle(document.querySelector('{run}')).backgroundColor); \
         const drawn = [...document.querySelectorAll('{run} svg.plot text, {run} svg.plot polyline')].map((node) => \
         {{ const style = getComputedStyle(node); return node.tagName === 'text' ? style.fill : style.stroke; }}) \
         .filter((colour) => colour.startsWith('rgb(')); \
         const ratios = drawn.map(light).map((one) => (Math.max(one, paper) + 0.05) / (Math.min(one, paper) + 0.05)); \
         return ratios.filter((ratio) => ratio >= 3).length / ratios.length; }})()"
    );
    for scheme in ["light", "dark"] {
        browser.shown_as("", scheme);
        let share = browser.value(&apart).as_f64().expect("a number");
        assert!(share > 0.6, "{scheme}: {share} of what is drawn stands out; the rest may be grid");
    }
    browser.shown_as("print", "light");
    let height = "document.querySelector('header .worst').getBoundingClientRect().height > 20";
    assert_eq!(browser.value(height), true);
}
