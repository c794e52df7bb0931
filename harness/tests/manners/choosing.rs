//! Which scenarios are taken: ids, filters, shards.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{RIGHT, code, flagfall, folder, records, repository, stderr, stdout};

/// The ids that `list` prints.
fn listed(cwd: &Path, arguments: &[&str]) -> Vec<String> {
    let output = flagfall(cwd, &[&["list"] as &[&str], arguments].concat());
    assert_eq!(code(&output), 0, "{arguments:?}: {}", stderr(&output));
    let ids = stdout(&output);
    ids.lines().map(|line| line.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_shards_are_the_whole_set_and_share_none() {
    let all = listed(&repository(), &[]);
    assert!(all.len() > 50, "{} cases", all.len());
    for of in [1, 2, 4, 7] {
        let shards: Vec<Vec<String>> =
            (1..=of).map(|k| listed(&repository(), &["--shard", &format!("{k}/{of}")])).collect();
        let sizes = shards.iter().map(Vec::len);
        assert!(sizes.clone().max() <= sizes.min().map(|least| least + 1), "of equal size, but for one");
        let mut together = shards.concat();
        together.sort();
        assert_eq!(together, all, "{of} shards");
    }
}

#[test]
fn shards_are_run_and_their_results_add_up() {
    let folder = folder((0..5).map(|number| (format!("family/c{number}"), RIGHT)));
    let mut ran = BTreeSet::new();
    for k in 1..=2 {
        let (shard, out) = (format!("{k}/2"), format!("out{k}"));
        let output = flagfall(folder.path(), &["run", "--shard", &shard, "--out", &out, "--check-determinism"]);
        assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
        for record in records(&folder.path().join(&out)) {
            assert!(ran.insert(record.scenario.clone()), "{} ran twice", record.scenario);
        }
    }
    assert_eq!(ran.len(), 5);
    let output = flagfall(folder.path(), &["run", "--shard", "6/6"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).contains("shard 6/6 is empty") && stdout(&output).contains("0 passed, 0 failed"));
    for wrong in ["0/2", "3/2", "1", "a/b"] {
        assert_eq!(code(&flagfall(folder.path(), &["run", "--shard", wrong])), 2, "{wrong}");
    }
}

#[test]
fn filters_name_parts_patterns_and_families() {
    let ids = ["late/white", "late/black", "flags/both-white", "flags/none"];
    let folder = folder(ids.map(|id| (id.to_owned(), RIGHT)));
    for (arguments, expected) in [
        (&["--filter", "white"] as &[&str], &["flags/both-white", "late/white"] as &[&str]),
        (&["--filter", "late/"], &["late/black", "late/white"]),
        (&["--filter", "*/white"], &["late/white"]),
        (&["--filter", "*/?????"], &["late/black", "late/white"]),
        (&["--filter", "none", "--filter", "late/b"], &["flags/none", "late/black"]),
        (&["--filter", "white", "--shard", "2/2"], &["late/white"]),
        (&["scenarios/cases/flags", "--filter", "white"], &["flags/both-white"]),
    ] {
        assert_eq!(listed(folder.path(), arguments), expected, "{arguments:?}");
    }
    for command in ["run", "check", "list"] {
        let output = flagfall(folder.path(), &[command, "--filter", "late", "--filter", "late/whit"]);
        assert_eq!(code(&output), 0, "{command}: {}", stderr(&output));
        let output = flagfall(folder.path(), &[command, "--filter", "late", "--filter", "late/wihte"]);
        assert_eq!(code(&output), 2, "{command}");
        assert!(stderr(&output).contains("--filter late/wihte: did you mean `late/white`?"), "{}", stderr(&output));
    }
}

#[test]
fn ids_will_do_where_paths_do() {
    let folder = folder(["late/white", "late/black", "flags/none"].map(|id| (id.to_owned(), RIGHT)));
    assert_eq!(listed(folder.path(), &["late/white", "scenarios/cases/flags"]), ["flags/none", "late/white"]);
    assert_eq!(listed(folder.path(), &["late/white", "scenarios/cases/late/white.yaml"]), ["late/white"]);
    for command in ["run", "check", "list"] {
        assert_eq!(code(&flagfall(folder.path(), &[command, "flags/none"])), 0, "{command}");
        let output = flagfall(folder.path(), &[command, "flags/nome"]);
        assert_eq!(code(&output), 2, "{command}");
        assert!(stderr(&output).contains("did you mean flags/none?"), "{command}: {}", stderr(&output));
    }
    let output = flagfall(folder.path(), &["show", "lat/whitee"]);
    assert!(stderr(&output).contains("did you mean `late/white`?"), "{}", stderr(&output));
}

/// A list of words where one was wanted is refused as quickly as any other mistake, and not repeated in full.
#[test]
fn a_word_of_any_length_is_refused_at_once() {
    let (letters, patterns, stars) = ("a".repeat(40_000), "a*".repeat(20_000), "*".repeat(40_000) + "?no-such-name");
    for word in [&letters, &patterns, &stars] {
        for arguments in [&["list", "--filter", word] as &[&str], &["show", word], &["matrix", "--rulebook", word]] {
            let begun = Instant::now();
            let output = flagfall(&repository(), arguments);
            assert_eq!(code(&output), 2, "{}", arguments[0]);
            assert!(begun.elapsed() < Duration::from_secs(10), "{}: {:?}", arguments[0], begun.elapsed());
            let said = stderr(&output);
            assert!(said.len() < 1_000 && said.contains('…'), "{}: {} bytes", arguments[0], said.len());
        }
    }
}

#[test]
fn a_family_stands_for_what_is_in_it() {
    let folder = folder([("family/right".to_owned(), RIGHT), ("familiar/right".to_owned(), RIGHT)]);
    for family in ["family", "family/"] {
        let output = flagfall(folder.path(), &["list", family]);
        assert_eq!(code(&output), 0, "{family}: {}", stderr(&output));
        let listed = stdout(&output);
        assert!(listed.contains("family/right") && !listed.contains("familiar/"), "{listed}");
    }
    assert_eq!(code(&flagfall(folder.path(), &["list", "famil"])), 2, "a part of a name is none");
}
