//! Pages, plots and text from run records and traces; the only room with floating-point numbers.
//!
//! Everything is read from a folder of results: `results.jsonl` with one [`flagfall_trace::RunRecord`] a line, and the
//! traces that the records name. Nothing is judged here and nothing is measured again: what a report says stands in
//! those files. Reports hold no dates, need no network and no fonts, and are the same bytes for the same files.
//!
//! [`write_page`] makes one `index.html` that works from a file and a stick; [`junit()`] makes the XML that continuous
//! integration reads; [`timeline`] tells a trace line by line.

mod answer;
#[cfg(test)]
#[path = "../tests/bench/mod.rs"]
mod bench;
mod course;
mod error;
mod junit;
mod latency;
mod page;
mod plot;
mod quantity;
mod results;
mod statistics;
mod time_error;
pub mod timeline;
mod words;

pub use error::ReportError;
pub use junit::junit;
pub use page::write_page;
pub use results::read_results;
