//! The pages as a reader uses them: a headless Chromium clicks, types and prints.
//!
//! Without a Chromium the trials are ignored with the reason; `scripts/test` installs one and does not accept that.

#[path = "browser/chromium.rs"]
mod chromium;
#[path = "browser/pages.rs"]
mod pages;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use tempfile::TempDir;

use chromium::Browser;

const CASE: &str = "both-flags/last-period-order-unknown";

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials: [(&str, fn()); 4] = [
        ("browser::a_cell_opens_the_game", a_cell_opens_the_game),
        ("browser::keys_do_what_the_mouse_does", keys_do_what_the_mouse_does),
        ("browser::the_filter_leaves_contradictions", the_filter_leaves_contradictions),
        ("browser::dark_and_print_are_readable", dark_and_print_are_readable),
    ];
    let missing = chromium::program().is_none();
    let trials = trials.into_iter().chain(pages::TRIALS).map(|(name, run)| {
        let trial = Trial::test(name, move || {
            run();
            Ok::<(), Failed>(())
        });
        if missing { trial.with_kind("no chromium").with_ignored_flag(true) } else { trial }
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The matrix page of two families under the shipped rulebooks.
fn page() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("matrix.html");
    let made = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .current_dir(repository())
        .args(["matrix", "scenarios/cases/both-flags", "scenarios/cases/late-arrival", "--html"])
        .arg(&page)
        .output()
        .expect("it starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (folder, page)
}

/// The button of this rulebook's cell in [`CASE`].
fn cell(browser: &mut Browser, rulebook: &str) -> String {
    let column = browser.value(&format!(
        "[...document.querySelectorAll('#matrix thead th')].findIndex((head) => head.textContent === {rulebook:?}) - 1"
    ));
    let row = CASE.replace('/', "-");
    format!("#case-{row} button[data-column='{column}']")
}

fn a_cell_opens_the_game() {
    let (_folder, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let fide = cell(&mut browser, "fide-2014");
    let words = browser.text(&format!("document.querySelector({fide:?}).innerText"));
    assert!(words.starts_with("draw") && words.contains("6.11b"), "{words}");
    assert_eq!(browser.value("document.querySelectorAll('tr.detail').length"), 0);

    browser.click(&fide);
    let detail = browser.text("document.querySelector('tr.detail').innerText");
    for part in [
        "fide-2014 on both-flags/last-period-order-unknown",
        "6.11b",
        "rests on",
        "does not admit",
        "nobody saw them and the clock has no sign of the order",
        "18.000000000",
        "Black's flag falls",
        "H2 draw",
    ] {
        assert!(detail.contains(part), "{part} is not in {detail}");
    }
    assert_eq!(browser.value("document.querySelectorAll('tr.detail .flag').length"), 2);

    let cbx = cell(&mut browser, "cbx");
    browser.click(&cbx);
    assert_eq!(browser.value("document.querySelectorAll('tr.detail').length"), 1, "one game at a time");
    let detail = browser.text("document.querySelector('tr.detail').innerText");
    assert!(detail.contains("cbx on") && detail.contains("The text does not say."), "{detail}");
    let own = browser
        .text("document.querySelector('#matrix').lang + [...document.querySelectorAll('tr.detail .ruling')].length");
    assert!(own.parse::<u32>().is_ok_and(|rulings| rulings > 0), "its rulings stand between the events");
    browser.click("tr.detail .close");
    assert_eq!(browser.value("document.querySelectorAll('tr.detail').length"), 0);
}

fn keys_do_what_the_mouse_does() {
    let (_folder, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let first = cell(&mut browser, "fide-2014");
    browser.value(&format!("document.querySelector({first:?}).focus()"));
    browser.key("ArrowRight");
    browser.key("ArrowLeft");
    browser.key("ArrowDown");
    browser.key("ArrowUp");
    assert_eq!(browser.value(&format!("document.activeElement === document.querySelector({first:?})")), true);
    browser.key("Enter");
    assert_eq!(browser.value("document.querySelectorAll('tr.detail').length"), 1);
    assert_eq!(browser.value("document.activeElement.tagName"), "H3", "a reader is led to the answer");
    browser.key("Escape");
    assert_eq!(browser.value("document.querySelectorAll('tr.detail').length"), 0);
    assert_eq!(browser.value(&format!("document.activeElement === document.querySelector({first:?})")), true);
}

fn the_filter_leaves_contradictions() {
    let (_folder, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let shown = "[...document.querySelectorAll('#matrix tbody tr')].filter((row) => !row.hidden).length";
    let all = browser.value(shown).as_u64().expect("a number");
    browser.click("#only");
    let diverging = browser.value("document.querySelectorAll('tr.diverges').length");
    assert_eq!(browser.value(shown), diverging);
    assert!(diverging.as_u64().is_some_and(|diverging| diverging < all), "{diverging} of {all}");
    browser.click("#only");
    browser.value("(() => { const box = document.getElementById('filter'); box.value = 'late-arrival D4'; box.dispatchEvent(new Event('input')); })()");
    let left = browser.value(shown).as_u64().expect("a number");
    assert!(left > 0 && left < all, "{left} of {all}");
}

fn dark_and_print_are_readable() {
    let (_folder, page) = page();
    let mut browser = Browser::open(&page, 1400, 900);
    let paper = "getComputedStyle(document.body).backgroundColor";
    browser.shown_as("", "light");
    let light = browser.text(paper);
    browser.shown_as("", "dark");
    assert_ne!(browser.text(paper), light);
    let fide = cell(&mut browser, "fide-2014");
    browser.click(&fide);
    let ink = "getComputedStyle(document.body).color";
    assert_ne!(browser.text(ink), "rgb(34, 34, 33)");
    browser.shown_as("print", "dark");
    assert_eq!(browser.text(ink), "rgb(34, 34, 33)", "paper is white, whatever the screen is");
    browser.shown_as("print", "light");
    let display = "getComputedStyle(document.querySelector('.find')).display";
    assert_eq!(browser.text(display), "none", "what cannot be used on paper is not on it");
    assert_eq!(browser.value("document.querySelector('tr.detail').getBoundingClientRect().height > 100"), true);
}
