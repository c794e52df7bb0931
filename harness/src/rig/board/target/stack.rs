//! How much of its stack the firmware has used, told from the pattern that it painted there when it booted.

use flagfall_core::contract::{Stack, stack_depth};
use flagfall_trace::bench_record::StackUse;

use super::{Target, TargetError};

impl Target {
    /// How much of its stack the firmware has used since its last reset, of how much; `None` if it does not paint it.
    pub(in super::super) fn stack(&mut self) -> Result<Option<StackUse>, TargetError> {
        let Some(Stack { lowest, len }) = self.header()?.stack else { return Ok(None) };
        let mut bytes = vec![0; len as usize];
        self.read(lowest, &mut bytes)?;
        let (words, _) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        Ok(Some(StackUse { used_bytes: stack_depth(&words) as u64, of_bytes: u64::from(len) }))
    }
}
