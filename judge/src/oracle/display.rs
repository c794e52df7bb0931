//! Do the digits show what the clock itself says is left?
//!
//! Read FIDE's requirements (b), (d), (e) for electronic clocks first. The rounding is reckoned here once more: the
//! digits of every record are compared with its own remaining time and delay, in the format of the setting. Where a bench
//! watched the panel, what that showed is compared with the record.

use flagfall_core::display::Digits;
use flagfall_core::panel::Faces;
use flagfall_core::{DisplayFormat, Rounding, Side, TickRate};
use flagfall_trace::{Misshown, Trace};

use super::stamps::{setups, words};
use super::{Examination, Finding, sides};
use crate::expectation::Wrong;

/// The largest number of tenths that a record can hold.
const TENTHS_MAX: u128 = (1 << 28) - 1;

pub(super) fn examine(trace: &Trace, examination: &mut Examination) {
    panel(trace, examination);
    let rate = trace.plan.tick_rate;
    for (stamped, setup) in trace.records.iter().zip(setups(&trace.plan, trace)) {
        let record = &stamped.record;
        let mut wrong = |side: Side, expected: String, found: String| {
            let found = format!("{found} at {}", words(record.kind, record.side));
            examination.find(Finding { wrong: Wrong::Display(side), at: stamped.true_time, expected, found });
        };
        for side in sides() {
            let (tenths, digits) = digits(record.remaining_ticks[side], rate, setup.display);
            let face = record.shown[side];
            if (tenths, digits) != (u128::from(face.tenths()), face.digits()) {
                let left = record.remaining_ticks[side];
                wrong(side, format!("{} for {left} ticks", text(tenths, digits)), face.to_string());
            }
        }
        let seconds = units(record.delay_ticks, rate, 10, setup.display.rounding).min(TENTHS_MAX / 10);
        if seconds != u128::from(record.shown_delay_seconds) {
            let side = record.phase.side().unwrap_or(Side::White);
            let expected = format!("a delay of {seconds} s for {} ticks", record.delay_ticks);
            wrong(side, expected, format!("{} s", record.shown_delay_seconds));
        }
    }
}

/// What a panel that was watched showed instead of what the records say.
fn panel(trace: &Trace, examination: &mut Examination) {
    for misshown in trace.panel.iter().flatten() {
        let Some(stamped) = trace.records.get(misshown.record as usize) else { continue };
        let record = &stamped.record;
        let said = Faces::of(record);
        let differs = |side: Side| misshown.shown.is_none_or(|shown| shown.shown[side] != said.shown[side]);
        let mut wrong: Vec<Side> = sides().into_iter().filter(|side| differs(*side)).collect();
        if wrong.is_empty() {
            // Not the digits, but a sign beside them.
            wrong.push(record.phase.side().unwrap_or(Side::White));
        }
        let says = Misshown { record: misshown.record, shown: Some(said) };
        for side in wrong {
            let found = format!("{} on the panel at {}", misshown.text(), words(record.kind, record.side));
            let (wrong, at, expected) = (Wrong::Display(side), stamped.true_time, says.text());
            examination.find(Finding { wrong, at, expected, found });
        }
    }
}

/// How many units of so many tenths of a second a face shows for `ticks`.
fn units(ticks: u64, rate: TickRate, tenths: u128, rounding: Rounding) -> u128 {
    let (all, one) = (u128::from(ticks) * 10, u128::from(rate.hz()) * tenths);
    match rounding {
        Rounding::Up if all % one != 0 => all / one + 1,
        _ => all / one,
    }
}

fn digits(ticks: u64, rate: TickRate, format: DisplayFormat) -> (u128, Digits) {
    let seconds = |seconds: u64| u128::from(rate.hz()) * u128::from(seconds);
    let left = u128::from(ticks);
    let hidden = format.seconds_below_min > 0 && left >= seconds(60 * u64::from(format.seconds_below_min));
    let (digits, tenths) = if left < seconds(u64::from(format.tenths_below_s)) {
        (Digits::Tenths, 1)
    } else if hidden {
        (Digits::Minutes, 600)
    } else {
        (Digits::Seconds, 10)
    };
    ((units(ticks, rate, tenths, format.rounding) * tenths).min(TENTHS_MAX), digits)
}

fn text(tenths: u128, digits: Digits) -> String {
    flagfall_core::Face::new(u32::try_from(tenths).unwrap_or(u32::MAX), digits).to_string()
}
