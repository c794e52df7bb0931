//! A run to be moved through: its timeline, all events in a table, and what the script shows faces from, as JSON.
//!
//! Rows of the JSON are arrays, because a page may hold hundreds of runs. The script names the columns in the same order.

use flagfall_core::{Bonus, Phase, Rounding, Side};
use flagfall_trace::Trace;
use serde_json::{Value, json};

use super::html::{Text, count, put};
use super::lanes::{self, Scale};
use crate::course::{Course, Point, side_of};
use crate::quantity;
use crate::timeline::{self, TimelineLine};

/// The timeline of a trace with all that moves on it; `parting` is the record at which it parts from another rig's.
pub(super) fn write(page: &mut String, trace: &Trace, parting: Option<usize>) {
    let (course, lines) = (Course::of(trace), timeline::lines(trace));
    let end_ns = lines.last().map_or(0, |line| line.true_time.ns());
    let scale = Scale::of(&lines, end_ns);
    let parts = parting.and_then(|record| lines.iter().position(|line| line.records > record));
    let long = if scale.fits_on_paper() { "" } else { " long" };
    put(
        page,
        format_args!(
            "<div class=\"scrub\">\n<div class=\"shown\"></div>\n<div class=\"lanes{long}\"><div class=\"names\" aria-hidden=\"true\">"
        ),
    );
    page.push_str("<span>hall</span><span>White</span><span>Black</span><span>true time</span></div>");
    page.push_str("<div class=\"scroll\">");
    lanes::draw(page, &lines, &course, &scale, parts.map(|index| lines[index].true_time.ns()));
    page.push_str("</div></div>\n");
    table(page, &lines);
    let data = json!({
        "hz": trace.plan.tick_rate.hz(),
        "face": face(trace),
        "parts": parts,
        "places": scale.places().map(|(ns, x)| json!([ns, x])).collect::<Vec<_>>(),
        "points": course.points().iter().map(|at| point(at, trace)).collect::<Vec<_>>(),
        "events": lines.iter().map(|line| json!([line.true_time.ns(), line.records])).collect::<Vec<_>>(),
    });
    put(page, format_args!("<script type=\"application/json\">{}</script>\n</div>\n", escaped(&data.to_string())));
}

/// Every event with its instants, faces and effect.
fn table(page: &mut String, lines: &[TimelineLine]) {
    put(
        page,
        format_args!("<details class=\"plain\"><summary>All {}</summary>\n", count(lines.len(), "event", "events")),
    );
    page.push_str("<div class=\"wide\"><table class=\"events\">\n<thead><tr><th scope=\"col\" class=\"n\">true time (s)</th><th></th>");
    page.push_str("<th scope=\"col\" class=\"n\">device time (s)</th><th scope=\"col\" class=\"n\">White</th>");
    page.push_str("<th scope=\"col\" class=\"n\">Black</th><th scope=\"col\">event</th><th scope=\"col\">effect</th></tr></thead>\n<tbody>\n");
    for line in lines {
        let mark = if line.shown.written { "" } else { "~" };
        let device = line.device.map_or(String::new(), |device| quantity::stamp(device.ns_into_run));
        put(
            page,
            format_args!(
                "<tr><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{device}</td><td class=\"n\">{mark}{}</td>\
                 <td class=\"n\">{mark}{}</td><td>{}</td><td>{}</td></tr>\n",
                quantity::stamp(line.true_time.ns().into()),
                doubt(line),
                line.shown.faces.white,
                line.shown.faces.black,
                Text(&line.event),
                Text(&line.effect)
            ),
        );
    }
    page.push_str(
        "</tbody></table></div>\n<p class=\"note\">+ is the width of the bracket that begins at the instant, ± the ",
    );
    page.push_str("uncertainty of a stamp, ~ a face computed between two records.</p></details>\n");
}

/// What the bench does not know of the instant.
fn doubt(line: &TimelineLine) -> String {
    match (line.achieved, line.device) {
        (Some(achieved), _) if achieved.latest > line.true_time => {
            format!("+{}", quantity::span(i128::from(achieved.latest.ns()) - i128::from(line.true_time.ns())))
        }
        (_, Some(device)) if device.uncertainty_ns > 0 => format!("±{}", quantity::span(device.uncertainty_ns.into())),
        _ => String::new(),
    }
}

/// How the digits come from ticks: rounded up or down, tenths below so many seconds, seconds below so many minutes; a dial
/// counts from twelve.
fn face(trace: &Trace) -> Value {
    let format = trace.plan.setup.display;
    json!([
        u8::from(format.rounding == Rounding::Up),
        format.tenths_below_s,
        format.seconds_below_min,
        u8::from(!trace.plan.clock_kind.is_digital())
    ])
}

/// True time, ticks, phase, side of the phase, time and rate of White, of Black, delay, moves of both, periods of both,
/// flags down.
///
/// Instants are nanoseconds of true time, times of the clock are ticks since the run began, a rate is -1, 0 or 1.
fn point(point: &Point, trace: &Trace) -> Value {
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
        held(time_of(point, Side::White, trace)),
        rate(point, Side::White, trace),
        held(time_of(point, Side::Black, trace)),
        rate(point, Side::Black, trace),
        point.delay_ticks,
        point.moves.white,
        point.moves.black,
        point.period.white,
        point.period.black,
        u8::from(point.fallen.white) | u8::from(point.fallen.black) << 1,
    ])
}

/// What a face counts from: what is left, or where the hands of a dial stand.
fn time_of(point: &Point, side: Side, trace: &Trace) -> i128 {
    if trace.plan.clock_kind.is_digital() {
        point.remaining_ticks[side].into()
    } else {
        point.hands_ticks(side, &trace.plan.setup, trace.plan.tick_rate)
    }
}

/// Which way a face goes.
fn rate(point: &Point, side: Side, trace: &Trace) -> i8 {
    let Phase::Running(running) = point.phase else { return 0 };
    if !trace.plan.clock_kind.is_digital() {
        return i8::from(running == side);
    }
    match trace.plan.setup.control[running].period(point.period[running]).bonus {
        Bonus::CountUp if running == side => 1,
        Bonus::Hourglass if running != side && !point.fallen[side] => 1,
        _ if running == side => -1,
        _ => 0,
    }
}

/// JSON without the characters by which a script element could end or a comment begin; all of them stand in strings.
pub(crate) fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A number that JSON can hold, held at the ends of the range.
fn held(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{self, Bench};

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let json = serde_json::to_string("</script><!-- & ]]>").expect("JSON");
        let inside = escaped(&json);
        assert!(!inside.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<String>(&inside).expect("JSON still"), "</script><!-- & ]]>");
    }

    #[test]
    fn an_event_has_a_row_a_place_and_its_data() {
        let trace = Bench::EXACT.run(&bench::both_flags());
        let mut html = String::new();
        write(&mut html, &trace, Some(3));
        let data =
            html.split("<script type=\"application/json\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
        let lines = timeline::lines(&trace);
        assert_eq!(data["events"].as_array().map(Vec::len), Some(lines.len()));
        assert_eq!(html.matches("<tr><td").count(), lines.len());
        let places = data["places"].as_array().expect("places");
        for line in &lines {
            assert!(places.iter().any(|place| place[0] == line.true_time.ns()), "{}", line.event);
        }
        let parts = data["parts"].as_u64().expect("an event") as usize;
        assert!(lines[parts].records > 3 && lines[parts - 1].records <= 3);
    }
}
