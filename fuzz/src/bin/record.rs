//! Any bytes from the wire: a record that can be read is those bytes and no others, and a command that can be read is
//! written so that it reads the same.
#![no_main]

use flagfall_core::command::{self, Command};
use flagfall_core::record::{self, Record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Record::from_bytes(&padded::<{ record::LEN }>(bytes)) {
        Ok(record) => assert_eq!(record.to_bytes(), padded(bytes), "{record:?}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    match Command::from_bytes(&padded::<{ command::LEN }>(bytes)) {
        Ok(command) => assert_eq!(Command::from_bytes(&command.to_bytes()), Ok(command)),
        Err(error) => assert!(!error.to_string().is_empty() && (1..=9).contains(&error.code())),
    }
});

/// As many bytes as the wire has: a longer stream is cut, a shorter one ends in zeros.
fn padded<const LEN: usize>(bytes: &[u8]) -> [u8; LEN] {
    let mut wire = [0; LEN];
    let len = bytes.len().min(LEN);
    wire[..len].copy_from_slice(&bytes[..len]);
    wire
}
