//! Whatever stands in a file: the reader neither panics nor hangs, and what it refuses it explains.

use flagfall_scenarios::read_str;
use proptest::prelude::*;

const GOOD: &str = include_str!("bad/silly-fault.yaml");

/// Reads it and renders what is wrong, if anything is.
fn survives(text: &str) {
    if let Err(diagnostics) = read_str("x.yaml", "x/x", text) {
        assert!(!diagnostics.is_empty());
        assert!(diagnostics.render(false).contains("x.yaml:"), "{diagnostics}");
        assert!(diagnostics.render(true).contains("error"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in "\\PC*") {
        survives(&text);
    }

    #[test]
    fn any_change_of_a_scenario_is_survived(
        at in 0..GOOD.len(),
        removed in 0_usize..40,
        added in "[ \\n\\-:,{}\\[\\]\"'#&*!|>%@`+()a-z0-9é–]{0,12}",
    ) {
        let end = (at + removed).min(GOOD.len());
        let mut text = GOOD.as_bytes().to_vec();
        text.splice(at..end, added.bytes());
        survives(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn any_instant_span_and_control_is_survived(word in "[a-z0-9(). +\\-/;,]{0,24}") {
        let text = format!(
            "scenario: x\npoints: [B1]\ncontrol: \"{word}\"\noscillator: {{offset: \"{word}\"}}\nend: \"{word}\"\ntimeline:\n  - {{at: \"{word}\", start: white}}\n  - {{at: \"{word}\", move: {{side: white, san: \"{word}\", press: yes, press_after: \"{word}\"}}}}\nexpect:\n  - {{left: {{white: \"{word}\"}}, shown: {{white: \"{word}\"}}}}\n"
        );
        survives(&text);
    }
}

#[test]
fn large_and_deep_files_are_read_in_a_moment() {
    let many_keys: String = (0..80_000).map(|index| format!("k{index}: 1\n")).collect();
    let many_steps = format!(
        "scenario: x\npoints: [B1]\ncontrol: 5m\nexpect: [{{running: none}}]\ntimeline:\n{}",
        "  - {at: +1ms, press: white}\n".repeat(30_000)
    );
    let deep = format!("a: {}", "{a: ".repeat(200_000));
    for text in [many_keys, many_steps, deep] {
        let began = std::time::Instant::now();
        survives(&text);
        // A second on a machine that has nothing else to do; what is not linear takes minutes.
        assert!(began.elapsed().as_secs() < 60, "{} bytes took {:?}", text.len(), began.elapsed());
    }
}
