//! The link to a bench: records go up, commands come down, both whole or not at all (SEGGER RTT).

use flagfall_core::command::{self, Command, CommandError};
use flagfall_core::record::{self, Record};
use rtt_target::{ChannelMode, DownChannel, UpChannel};

use crate::contract_block;

/// Records that the up channel holds: one less than this, since a ring is full with one byte free.
const UP_RECORDS: usize = 512;

/// Commands that the down channel holds: one less than this.
const DOWN_COMMANDS: usize = 8;

/// Both channels and what is under way on them.
pub(crate) struct Link {
    up: UpChannel,
    down: DownChannel,
    next_seq: u16,
    frame: [u8; command::LEN],
    frame_len: usize,
}

impl Link {
    /// Opens the channels. Called once: the buffers are static.
    pub(crate) fn open() -> Self {
        let channels = rtt_target::rtt_init! {
            up: { 0: { size: UP_RECORDS * record::LEN, name: "records" } }
            down: { 0: { size: DOWN_COMMANDS * command::LEN, name: "commands" } }
        };
        Self { up: channels.up.0, down: channels.down.0, next_seq: 0, frame: [0; command::LEN], frame_len: 0 }
    }

    /// Numbers the record and sends it if it fits; if not, it is counted and its number stays a gap in the stream.
    pub(crate) fn send(&mut self, record: Record) -> u16 {
        let seq = self.next_seq;
        self.next_seq = seq.wrapping_add(1);
        self.send_beside(Record { seq, ..record });
        seq
    }

    /// Sends a record under the number that it has, of one that was sent before.
    #[inline(never)]
    pub(crate) fn send_beside(&mut self, record: Record) {
        let bytes = record.to_bytes();
        // A debugger may have asked for a blocking channel; a clock waits for nobody.
        self.up.set_mode(ChannelMode::NoBlockSkip);
        if self.up.write(&bytes) != bytes.len() {
            contract_block::count_dropped_record();
        }
    }

    /// The next command once all of it has come. A command that makes no sense is taken from the channel as well.
    pub(crate) fn receive(&mut self) -> Option<Result<Command, CommandError>> {
        self.frame_len += self.down.read(&mut self.frame[self.frame_len..]);
        if self.frame_len < self.frame.len() {
            return None;
        }
        self.frame_len = 0;
        Some(Command::from_bytes(&self.frame))
    }
}
