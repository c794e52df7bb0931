//! On what a run was made: the head of the protocol.

use std::io::{ErrorKind, Read};
use std::path::Path;

use flagfall_trace::bench_record::{self, BenchRecord};
use flagfall_trace::open_regular;

use super::html::{Text, put};
use crate::error::ReportError;

/// What a folder of results says of its bench, if the run was made on one.
pub(crate) fn read(folder: &Path) -> Result<Option<BenchRecord>, ReportError> {
    let path = folder.join(bench_record::FILE);
    let mut text = Vec::new();
    match open_regular(&path).and_then(|mut file| file.read_to_end(&mut text)) {
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|cause| ReportError::Io { doing: "read", path: path.clone(), cause })?,
    };
    serde_json::from_slice(&text).map(Some).map_err(|cause| ReportError::Line { path, line: 1, cause })
}

/// The protocol's head; what nobody said is said not to be known.
///
/// Benches are numbered from zero, for a page may have several.
pub(super) fn write(page: &mut String, record: &BenchRecord, number: usize) {
    let id = if number == 0 { "bench".to_owned() } else { format!("bench-{}", number + 1) };
    let name = if number == 0 { "Bench".to_owned() } else { format!("Bench {}", number + 1) };
    put(page, format_args!("<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{name}</h2>\n"));
    page.push_str("<table class=\"stack\"><tbody>\n");
    let unknown = || "not stated".to_owned();
    let image = &record.firmware;
    let build = image.build_id.as_ref().map_or_else(String::new, |id| format!(", build {id}"));
    let reference = record.reference.as_ref().map_or_else(unknown, |reference| {
        let calibrated = reference.calibrated.as_ref().map(|date| format!(", compared on {date}"));
        format!("{}{}", reference.clock, calibrated.unwrap_or_default())
    });
    let rows = [
        ("board", format!("{} ({})", record.board, record.chip)),
        ("device under test", record.dut_serial.clone().unwrap_or_else(unknown)),
        ("firmware", format!("{}{build}, SHA-256 {}", image.file, image.sha256)),
        ("probe", record.probe.clone()),
        ("reference of true time", reference),
        ("technique", record.technique.to_string()),
        ("temperature", record.temperature_c.as_ref().map_or_else(unknown, |degrees| format!("{degrees} °C"))),
        ("operator", record.operator.clone().unwrap_or_else(unknown)),
    ];
    let stack = record.stack.as_ref().map(|stack| ("stack of the firmware", stack.to_string()));
    for (name, value) in rows.into_iter().chain(stack) {
        put(page, format_args!("<tr><th scope=\"row\">{name}</th><td>{}</td></tr>\n", Text(&value)));
    }
    page.push_str("</tbody></table>\n</section>\n");
}
