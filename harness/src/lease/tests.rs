//! Who holds a probe, for how long, and who gets it next.

use super::*;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn of(&self, holder: &str) -> Leases {
        Leases::in_folder(&self.0.path().join("leases"), holder)
    }
}

#[test]
fn a_probe_has_one_holder_and_others_are_told_who() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    let lease = ann.take("0483:3748:AB", "flagfall run").expect("free");
    let error = bob.take("0483:3748:AB", "flagfall run").expect_err("taken").to_string();
    assert!(error.contains("ann@bench, process") && error.contains("(flagfall run)"), "{error}");
    assert!(error.ends_with("wait for it with --wait 10m"), "{error}");
    assert!(ann.take("0483:3748:AB", "a second run").is_err(), "nor does the same holder run twice at once");
    bob.take("0483:3748:AC", "another probe").expect("another probe is free");
    drop(lease);
    bob.take("0483:3748:AB", "flagfall run").expect("free again");
}

#[test]
fn a_run_that_died_holds_nothing() {
    let folder = Folder::new();
    let bob = folder.of("bob@desk");
    let note = Note::new("P", Kind::Run, "ann@bench", "flagfall run", HOUR);
    drop(bob.take("P", "makes the folder").expect("free"));
    bob.write(&note).expect("written");
    assert_eq!(bob.holder_of("P").expect("readable"), None, "there is a note and no lock");
    bob.take("P", "flagfall run").expect("free");
}

#[test]
fn a_reservation_is_its_holders_and_ends_by_itself() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    ann.reserve("P", "soldering", HOUR).expect("free");
    let error = bob.take("P", "flagfall run").expect_err("reserved").to_string();
    assert!(error.contains("reserved by ann@bench") && error.contains("(soldering)"), "{error}");
    assert!(matches!(bob.reserve("P", "mine", HOUR), Err(LeaseError::Held { .. })));
    assert!(matches!(bob.release("P", false), Err(LeaseError::Held { .. })));
    drop(ann.take("P", "flagfall run").expect("it is hers"));
    assert!(bob.holder_of("P").expect("readable").is_some(), "her run leaves her reservation");
    ann.reserve("P", "done in no time", SignedDuration::ZERO).expect("hers");
    bob.take("P", "flagfall run").expect("its time is over");
}

#[test]
fn a_reservation_is_released_by_its_holder_or_on_purpose_by_another() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    ann.reserve("P", "soldering", HOUR).expect("free");
    ann.release("P", false).expect("hers");
    assert!(matches!(ann.release("P", false), Err(LeaseError::NotReserved { .. })));
    ann.reserve("P", "on holiday", HOUR).expect("free");
    bob.release("P", true).expect("on purpose");
    assert_eq!(ann.holder_of("P").expect("readable"), None);
}

#[test]
fn whoever_waits_gets_it_when_it_is_free_and_is_told_once_whom_for() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    let mut lease = ann.take("P", "flagfall run").ok();
    let mut told = Vec::new();
    let waited = bob.wait("P", "flagfall run", Duration::from_secs(20), &Interrupt::default(), |error| {
        told.push(error.to_string());
        // Whoever is told is waiting by then.
        lease = None;
    });
    drop(waited.expect("free as soon as he waited"));
    assert_eq!(told.len(), 1, "{told:?}");
    let lease = ann.take("P", "flagfall run").expect("free");
    let short = Duration::from_millis(20);
    assert!(matches!(bob.wait("P", "run", short, &Interrupt::default(), |_| ()), Err(LeaseError::Held { .. })));
    let asked = Interrupt::default();
    asked.ask();
    let long = Duration::from_secs(60);
    assert!(matches!(bob.wait("P", "run", long, &asked, |_| ()), Err(LeaseError::Interrupted { .. })));
    drop(lease);
}

#[test]
fn a_run_over_its_time_is_said_to_be() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    let mut lease = ann.take("P", "flagfall run").expect("free");
    ann.write(&Note::new("P", Kind::Run, "ann@bench", "flagfall run", SignedDuration::ZERO)).expect("written");
    let error = bob.take("P", "run").expect_err("taken").to_string();
    assert!(error.contains("end process") && error.contains("if it hangs"), "{error}");
    lease.renew().expect("written");
    let error = bob.take("P", "run").expect_err("taken").to_string();
    assert!(error.ends_with("wait for it with --wait 10m"), "{error}");
}

#[test]
fn a_note_that_is_none_is_named() {
    let folder = Folder::new();
    let ann = folder.of("ann@bench");
    drop(ann.take("P", "makes the folder").expect("free"));
    fs::write(ann.place("P", "json"), "{").expect("written");
    let error = ann.take("P", "run").expect_err("no note").to_string();
    assert!(error.contains("P.json is no note of a lease (remove it"), "{error}");
    fs::write(ann.place("P", "json"), r#"{"schema":2,"probe":"P","kind":"run","holder":"x","pid":1,"purpose":"y","since":"2026-01-01T00:00:00Z","until":"2026-01-01T00:00:00Z"}"#).expect("written");
    let error = ann.take("P", "run").expect_err("another version").to_string();
    assert!(error.contains("schema 2 where this version reads 1"), "{error}");
}

#[test]
fn no_two_serials_share_a_file() {
    assert_eq!(file_name_of("127.0.0.1:4242"), "127_2e0_2e0_2e1_3a4242");
    assert_ne!(file_name_of("a/b"), file_name_of("a:b"));
    assert_ne!(file_name_of("a_2fb"), file_name_of("a/b"));
}

#[test]
fn a_look_at_a_lease_does_not_take_it_away_from_a_run() {
    let folder = Folder::new();
    let (ann, bob) = (folder.of("ann@bench"), folder.of("bob@desk"));
    let glance = ann.lock("P").expect("free");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            drop(glance);
        });
        bob.take("P", "flagfall run").expect("free in a moment");
    });
    let _for_good = ann.lock("P").expect("free");
    assert!(matches!(bob.take("P", "flagfall run"), Err(LeaseError::Unknown { .. })));
}
