//! How the program behaves with many scenarios, with some of them, and when it is interrupted.

mod bad_input;
mod choosing;
mod interrupting;
mod many;
mod program;
mod visible;
