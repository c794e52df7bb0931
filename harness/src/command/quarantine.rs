//! Whether a board may be used today.

use jiff::civil::Date;

use crate::command::{infra, warn};
use crate::exit::Exit;
use crate::rig::board::Description;
use crate::rig::board::description::today;

/// What a quarantine means for somebody who wants to use the board.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Admission {
    /// Nobody has anything against it.
    Free,
    /// It is used, and this is said.
    Said(String),
    /// It is not used, and this is why.
    Refused(String),
}

/// Says what there is to say of a board's quarantine.
///
/// # Errors
/// [`Exit::Infra`] for a board that is not used.
pub(crate) fn admit(description: &Description, anyway: bool) -> Result<(), Exit> {
    match admission(description, anyway, today()) {
        Admission::Free => Ok(()),
        Admission::Said(text) => {
            warn(&format!("flagfall: {text}"));
            Ok(())
        }
        Admission::Refused(text) => Err(infra(&text)),
    }
}

fn admission(description: &Description, anyway: bool, today: Date) -> Admission {
    let Some(quarantine) = &description.quarantine else { return Admission::Free };
    let board = &description.board;
    if !quarantine.holds_on(today) {
        Admission::Said(format!("the quarantine of {board} has expired, it is used: {quarantine}"))
    } else if anyway {
        Admission::Said(format!("{board} is used in spite of its quarantine: {quarantine}"))
    } else {
        Admission::Refused(format!("{board} is in quarantine, --quarantined uses it anyway: {quarantine}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::rig::board::description::Quarantine;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn board() -> Description {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/virtual-f405.yaml");
        let quarantine = Quarantine {
            reason: "loses its probe".into(),
            date: date("2026-11-01"),
            owner: "the bench".into(),
            expires: date("2026-12-01"),
        };
        Description { quarantine: Some(quarantine), ..Description::read(&path).expect("it is right") }
    }

    const WHY: &str = "loses its probe (since 2026-11-01, owner the bench, expires 2026-12-01)";

    #[test]
    fn a_board_in_quarantine_is_refused_with_everything_that_is_known_of_it() {
        let refused = admission(&board(), false, date("2026-11-30"));
        let text = format!("virtual-f405 is in quarantine, --quarantined uses it anyway: {WHY}");
        assert_eq!(refused, Admission::Refused(text));
    }

    #[test]
    fn who_uses_it_anyway_and_who_uses_it_later_is_told() {
        let said = |anyway, today| match admission(&board(), anyway, date(today)) {
            Admission::Said(text) => text,
            other => panic!("{other:?}"),
        };
        assert_eq!(said(true, "2026-11-30"), format!("virtual-f405 is used in spite of its quarantine: {WHY}"));
        let expired = format!("the quarantine of virtual-f405 has expired, it is used: {WHY}");
        assert_eq!([said(false, "2026-12-01"), said(true, "2026-12-01")], [expired.clone(), expired]);
    }

    #[test]
    fn a_board_without_one_is_free() {
        let board = Description { quarantine: None, ..board() };
        assert_eq!(admission(&board, false, date("2026-11-30")), Admission::Free);
    }
}
