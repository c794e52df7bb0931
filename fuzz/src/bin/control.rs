//! Any text as a time control, in the notation of scenarios and in that of game files: what can be read reads back as
//! it is written, and what cannot is refused with bytes of that text.
#![no_main]

use flagfall_core::TimeControl;
use flagfall_scenarios::control::{self, pgn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(control) = control::parse(text) {
        reads_back(&control);
    }
    if let Ok(control) = pgn::parse(text) {
        reads_back(&control);
        let tag = pgn::write(&control).expect("what a game file has said it can say");
        assert_eq!(pgn::parse(&tag), Ok(control), "{tag}");
    }
});

fn reads_back(control: &TimeControl) {
    let written = control.to_string();
    assert_eq!(control::parse(&written).as_ref(), Ok(control), "{written}");
    if let Ok(tag) = pgn::write(control) {
        assert_eq!(pgn::parse(&tag).as_ref(), Ok(control), "{tag}");
    }
}
