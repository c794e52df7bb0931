//! What the page's script draws a timeline from: the clock's course and the lines of the timeline, as JSON.
//!
//! Rows are arrays, because a page may hold hundreds of runs. The script names the columns in the same order.

use flagfall_core::{Phase, Side};
use flagfall_trace::Trace;
use serde_json::{Value, json};

use crate::course::{Course, Point, side_of};
use crate::timeline::{self, Mark, TimelineLine};

/// The data of a trace as JSON that may stand inside a script element.
pub(super) fn json(trace: &Trace) -> String {
    let course = Course::of(trace);
    let lines = timeline::lines(trace);
    let picture = json!({
        "hz": trace.plan.tick_rate.hz(),
        "end": lines.last().map_or(0, |line| line.true_time.ns()),
        "points": course.points().iter().map(point).collect::<Vec<_>>(),
        "events": lines.iter().map(event).collect::<Vec<_>>(),
    });
    escaped(&picture.to_string())
}

/// JSON without the characters by which a script element could end or a comment begin; all of them stand in strings.
pub(crate) fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// True time, ticks, phase, side of the phase, main time W and B, delay, moves W and B, period W and B, flags down.
///
/// Instants are nanoseconds of true time, times of the clock are ticks, device time counts from the beginning of the run.
fn point(point: &Point) -> Value {
    let phase = match point.phase {
        Phase::Ready => 0,
        Phase::Running(_) => 1,
        Phase::Paused(_) => 2,
        Phase::Frozen(_) => 3,
    };
    json!([
        point.true_time.ns(),
        held(point.ticks),
        phase,
        side_of(point.phase).map(Side::index),
        point.remaining_ticks.white,
        point.remaining_ticks.black,
        point.delay_ticks,
        point.moves.white,
        point.moves.black,
        point.period.white,
        point.period.black,
        u8::from(point.fallen.white) | u8::from(point.fallen.black) << 1,
    ])
}

/// True time, mark, lane, label, event, effect, device time or null, end of the bracket or null, uncertainty, face W and
/// B, whether the device wrote the faces, records written by then. All times are nanoseconds.
fn event(line: &TimelineLine) -> Value {
    json!([
        line.true_time.ns(),
        mark(line.mark),
        timeline::lane(line).map(Side::index),
        line.label,
        line.event,
        line.effect,
        line.device.map(|device| held(device.ns_into_run)),
        line.achieved.map(|achieved| achieved.latest.ns()).filter(|latest| *latest != line.true_time.ns()),
        line.device.map_or(0, |device| device.uncertainty_ns),
        line.shown.faces.white.to_string(),
        line.shown.faces.black.to_string(),
        u8::from(line.shown.written),
        line.records,
    ])
}

/// A number that JSON can hold, held at the ends of the range.
fn held(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

const fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Press => "press",
        Mark::Flag => "flag",
        Mark::Move => "move",
        Mark::Hall => "hall",
        Mark::Arbiter => "arbiter",
        Mark::Read => "read",
        Mark::Fault => "fault",
        Mark::Device => "device",
        Mark::End => "end",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let json = serde_json::to_string("</script><!-- & ]]>").expect("JSON");
        let inside = escaped(&json);
        assert!(!inside.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<String>(&inside).expect("JSON still"), "</script><!-- & ]]>");
    }
}
