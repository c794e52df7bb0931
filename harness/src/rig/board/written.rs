//! What a device has written since a run began: its records in their order, and beside them when its panel showed what.

use flagfall_core::record::{self, Kind, Record};
use flagfall_trace::Displayed;

use super::target::TargetError;

/// The records of a run.
#[derive(Debug)]
pub(super) struct Written {
    next_seq: u16,
    pub(super) records: Vec<Record>,
    pub(super) displayed: Vec<Displayed>,
}

pub(super) fn decode(bytes: &[u8; record::LEN]) -> Result<Record, TargetError> {
    Record::from_bytes(bytes).map_err(|error| TargetError::Handshake(error.to_string()))
}

impl Written {
    /// Nothing yet; the next record has this number.
    pub(super) const fn from(next_seq: u16) -> Self {
        Self { next_seq, records: Vec::new(), displayed: Vec::new() }
    }

    /// The number of the next record.
    pub(super) const fn next_seq(&self) -> u16 {
        self.next_seq
    }

    /// Takes what has come, without a gap.
    pub(super) fn take(&mut self, new: &[[u8; record::LEN]]) -> Result<(), TargetError> {
        new.iter().try_for_each(|bytes| self.add(decode(bytes)?))
    }

    fn add(&mut self, record: Record) -> Result<(), TargetError> {
        if record.kind == Kind::SHOWN {
            return self.add_shown(&record);
        }
        if record.seq != self.next_seq {
            let (found, wanted) = (record.seq, self.next_seq);
            return Err(TargetError::Handshake(format!("record {found} came after {wanted} was due: some are lost")));
        }
        self.next_seq = self.next_seq.wrapping_add(1);
        self.records.push(record);
        Ok(())
    }

    /// It has the number of the record that is shown, and none of its own.
    fn add_shown(&mut self, shown: &Record) -> Result<(), TargetError> {
        let Some(index) = self.records.iter().rposition(|record| record.seq == shown.seq) else {
            let text = format!("it shows its record {}, which it has not written", shown.seq);
            return Err(TargetError::Handshake(text));
        };
        self.displayed.push(Displayed { record: index as u32, ticks: shown.value });
        Ok(())
    }

    /// The device has come back from a reset with these records, of which the first is that of its boot: they are numbered
    /// anew.
    pub(super) fn begin_anew(&mut self, records: Vec<Record>) {
        if let Some(boot) = records.first() {
            self.next_seq = boot.seq.wrapping_add(1);
        }
        self.records.extend(records);
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::{Bonus, Clock, DeviceTime, Period, Setup, TickRate, TimeControl};

    use super::*;

    fn record(kind: Kind, seq: u16, value: u64) -> [u8; record::LEN] {
        let control = TimeControl::new(&[Period::all_moves(60_000, Bonus::None)]).expect("a control");
        let clock = Clock::new(&Setup::new(control), TickRate::MHZ);
        let at = DeviceTime::from_ticks(u64::from(seq) * 10);
        let standing = Record::of_state(kind, seq, at, clock.state(), clock.setup(), TickRate::MHZ);
        Record { value, ..standing }.to_bytes()
    }

    #[test]
    fn a_display_is_noted_beside_the_record_that_it_shows_and_takes_no_number() {
        let mut written = Written::from(65_535);
        let come = [(Kind::PRESSED, 65_535, 1), (Kind::SWITCHED, 0, 2), (Kind::SHOWN, 0, 700), (Kind::READ, 1, 0)];
        written.take(&come.map(|(kind, seq, value)| record(kind, seq, value))).expect("no gap");
        let kinds: Vec<Kind> = written.records.iter().map(|record| record.kind).collect();
        assert_eq!(kinds, [Kind::PRESSED, Kind::SWITCHED, Kind::READ]);
        assert_eq!(written.displayed, [Displayed { record: 1, ticks: 700 }]);
        assert_eq!(written.next_seq(), 2);
    }

    #[test]
    fn a_gap_and_a_display_of_nothing_are_told() {
        let said = |come| Written::from(7).take(&[come]).expect_err("not as it should be").to_string();
        assert_eq!(said(record(Kind::READ, 8, 0)), "handshake: record 8 came after 7 was due: some are lost");
        assert_eq!(said(record(Kind::SHOWN, 6, 5)), "handshake: it shows its record 6, which it has not written");
    }
}
