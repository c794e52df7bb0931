//! What virtual time and the emulated board measure like, beside what is committed in `baselines/`.
//!
//! `FLAGFALL_BLESS=1` saves what they measure like now instead; read the difference before you commit it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{BOARD, Said, ensure, flagfall, path};

/// Families with games in which the clock is right, and turns enough.
const IN_VIRTUAL_TIME: [&str; 5] = ["flag-fall", "increment-delay", "long-games", "periods", "press-handling"];

/// Those of them that are short.
const ON_THE_BOARD: [&str; 3] = ["flag-fall", "increment-delay", "press-handling"];

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs these families, whatever the verdicts are: a clock that fails is compared like any other.
fn run(families: &[&str], board: Option<&str>, out: &Path) -> Result<Said, String> {
    let cases: Vec<String> =
        families.iter().map(|family| root().join("scenarios/cases").join(family).display().to_string()).collect();
    let mut arguments = vec!["run", "--out", path(out)?, "--rulebook", "fide-2014"];
    arguments.extend(board.iter().flat_map(|board| ["--board", board]));
    arguments.extend(cases.iter().map(String::as_str));
    let said = flagfall(&arguments)?;
    if said.code <= 1 { Ok(said) } else { Err(format!("infra: the run ended with {}\n{}", said.code, said.err)) }
}

/// Compares a folder of results with a committed baseline, or saves it.
fn like_its_baseline(out: &Path, name: &str) -> Result<(), String> {
    let baseline = root().join("baselines").join(name);
    if std::env::var_os("FLAGFALL_BLESS").is_some() {
        return flagfall(&["baseline", "save", path(out)?, "--out", path(&baseline)?])?.ending(0).map(|_| ());
    }
    let compared = flagfall(&["baseline", "compare", path(&baseline)?, path(out)?])?;
    match compared.code {
        0 => Ok(()),
        1 => Err(format!("fail: baseline\n{}", compared.out)),
        code => Err(format!("inconclusive: baseline, exit {code}\n{}{}", compared.out, compared.err)),
    }
}

pub(crate) fn virtual_time() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let out = folder.path().join("out");
    run(&IN_VIRTUAL_TIME, None, &out)?;
    like_its_baseline(&out, "sim.json")
}

pub(crate) fn the_board() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let out = folder.path().join("out");
    run(&ON_THE_BOARD, Some(BOARD), &out)?;
    like_its_baseline(&out, "virtual-f405.json")
}

/// One game, with or without something wrong with its clock.
fn game(folder: &Path, fault: &str, out: &Path) -> Result<(), String> {
    let file = folder.join("cases/club/game.yaml");
    fs::create_dir_all(file.parent().ok_or("it has one")?).map_err(text)?;
    let scenario = format!(
        "scenario: eight moves\npoints: [B1]\ncontrol: 30m\ntimeline:\n  - {{at: 0s, start: white}}\n{fault}  \
         - {{at: +3.337s, play: {{moves: \"Nf3 Nf6 Ng1 Ng8\", think: 7.773s, times: 2}}}}\nexpect: [{{running: white}}]\n"
    );
    fs::write(&file, scenario).map_err(text)?;
    let ran = flagfall(&["run", "--out", path(out)?, path(&file)?])?;
    ensure(ran.code <= 1, || format!("exit {}\n{}{}", ran.code, ran.out, ran.err))
}

pub(crate) fn rounding() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let [right, rounds, plots] = ["right", "rounds", "plots"].map(|name| folder.path().join(name));
    let file = folder.path().join("kept/right.json");
    game(folder.path(), "", &right)?;
    game(folder.path(), "  - {at: +0s, fault: {rounding: {to: 100ms}}}\n", &rounds)?;
    flagfall(&["baseline", "save", path(&right)?, "--out", path(&file)?])?.ending(0)?;
    let equal = flagfall(&["baseline", "compare", path(&file)?, path(&right)?])?.ending(0)?;
    ensure(equal.out.contains("equal      charge"), || equal.out.clone())?;
    let arguments = ["baseline", "compare", path(&file)?, path(&rounds)?, "--plots", path(&plots)?, "--json"];
    let found = flagfall(&arguments)?.ending(1)?.json()?;
    let changed: Vec<&Value> = found["measures"]
        .as_array()
        .ok_or("measures")?
        .iter()
        .filter(|row| row["verdict"] == "changed")
        .map(|row| &row["measure"])
        .collect();
    ensure(changed == ["charge"], || format!("{changed:?} changed: {found}"))?;
    let page = folder.path().join("new/changes.html");
    let told = flagfall(&["baseline", "compare", path(&file)?, path(&rounds)?, "--html", path(&page)?])?.ending(1)?;
    ensure(told.out.ends_with(&format!("page: {}\n", page.display())), || told.out.clone())?;
    let page = fs::read_to_string(page).map_err(text)?;
    ensure(page.contains("<b>charge has changed.</b>") && page.contains("before (dashed)"), || page.clone())?;
    ensure(told.out.contains("changed    charge") && told.out.contains("most in club/game"), || told.out.clone())?;
    let plot = fs::read_to_string(plots.join("charge.svg")).map_err(text)?;
    ensure(plot.contains("charged beyond the time of a turn (ms)"), || plot.clone())
}

pub(crate) fn incomparable() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(text)?;
    let out = folder.path().join("out");
    let file = folder.path().join("game.json");
    game(folder.path(), "", &out)?;
    let (out, file) = (path(&out)?, path(&file)?);
    flagfall(&["baseline", "save", out, "--out", file])?.ending(0)?;
    let saved = fs::read_to_string(file).map_err(text)?;
    let compared = |text: String, code: i32, why: &str| {
        fs::write(file, text).map_err(|error| error.to_string())?;
        let said = flagfall(&["baseline", "compare", file, out])?.ending(code)?;
        let all = said.out + &said.err;
        ensure(all.contains(why), || format!("no `{why}` in {all}"))
    };
    compared(saved.replace("\"sim\"", "\"another-rig\""), 2, "the results are of sim")?;
    compared(saved.replace("\"schema\": 1", "\"schema\": 2"), 2, "this flagfall reads 1")?;
    compared(saved.replace("club/game", "club/another"), 2, "no scenario of the baseline")?;
    let more = saved.replacen("\"club/game\"", "\"club/another\": [1, 0],\n        \"club/game\"", 1);
    compared(more, 4, "1 scenario of the baseline with nothing to compare: club/another")?;
    compared(saved, 0, "where any difference is a change")?;
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).map_err(text)?;
    flagfall(&["baseline", "save", path(&empty)?, "--out", file])?.ending(2).map(|_| ())
}
