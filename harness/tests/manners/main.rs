//! How the program behaves with many scenarios, with some of them, when it is interrupted, and what it says of results.

mod bad_input;
mod boards;
mod choosing;
mod coverage;
mod folders;
mod interrupting;
mod leases;
mod many;
mod matrix;
mod program;
mod quarantine;
mod rules;
mod traces;
mod visible;
mod winnable;
