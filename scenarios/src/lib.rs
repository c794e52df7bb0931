//! The scenario language: from a YAML file to a draft that can be run and judged.
//!
//! A file is read in three steps, and each reports all that it finds before the next begins: its YAML becomes a tree of
//! places, its keys and words are compared with the language, and its values get their meaning. Every message has file,
//! line, column, a caret and, where one is near, the word that was meant.
//!
//! ```
//! let text = r#"
//! scenario: a press stops White and starts Black
//! points: [B1]
//! control: 5m
//! timeline: [{at: 0s, start: white}, {at: +7s, move: {side: white, san: e4, press: same-hand}}]
//! expect: [{left: {white: 4m53s}, running: black}]
//! "#;
//! let scenario = flagfall_scenarios::read_str("first.yaml", "examples/first", text)?;
//! assert_eq!(scenario.draft.steps.len(), 4); // start, move, press, reading
//! # Ok::<(), flagfall_scenarios::Diagnostics>(())
//! ```

mod board;
mod board_text;
pub mod control;
mod diagnostics;
mod dial;
mod discover;
mod expect;
mod file;
mod instant;
mod json;
mod language;
mod names;
mod order;
mod oscillator;
mod printable;
mod raw;
pub mod requirement;
pub mod rulebook;
mod rulings;
mod scenario;
mod schema;
mod setup;
mod shape;
mod spans;
mod time;
mod timeline;
mod write;

pub use board_text::BoardText;
pub use diagnostics::{Diagnostics, nearest};
pub use discover::{DiscoverError, Discovered, Source, discover};
pub use file::{FileError, read_text};
pub use scenario::{Scenario, read_str};
pub use schema::schema;
pub use time::SpanError;
pub use write::{WriteError, write};
