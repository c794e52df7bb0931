//! Why a board is not to be trusted for now, who says so, and until when.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::bench_notes::date;
use super::field::Misfit;

/// A board that nobody should draw conclusions from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantine {
    /// What is wrong with it.
    pub reason: String,
    /// Since when.
    pub date: Date,
    /// Who looks after it.
    pub owner: String,
    /// The first day on which it counts no more: somebody has to look again by then.
    pub expires: Date,
}

impl Quarantine {
    /// Whether it still counts on this day.
    #[must_use]
    pub fn holds_on(&self, day: Date) -> bool {
        day < self.expires
    }
}

impl fmt::Display for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, date, owner, expires } = self;
        write!(f, "{reason} (since {date}, owner {owner}, expires {expires})")
    }
}

/// Today, in universal time.
#[must_use]
pub fn today() -> Date {
    TimeZone::UTC.to_datetime(Timestamp::now()).date()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawQuarantine {
    reason: String,
    date: String,
    owner: String,
    expires: String,
}

impl RawQuarantine {
    pub(super) fn checked(self) -> Result<Quarantine, Misfit> {
        for (field, text) in [("quarantine.reason", &self.reason), ("quarantine.owner", &self.owner)] {
            if text.trim().is_empty() {
                return Err(Misfit::new(field, "somebody must be able to ask: it cannot be empty"));
            }
        }
        let (from, expires) = (date("quarantine.date", &self.date)?, date("quarantine.expires", &self.expires)?);
        if expires <= from {
            let why = format!("{expires}: after quarantine.date, {from}");
            return Err(Misfit::new("quarantine.expires", why));
        }
        Ok(Quarantine { reason: self.reason, date: from, owner: self.owner, expires })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn it_holds_up_to_the_day_before_it_expires() {
        let quarantine = Quarantine {
            reason: "loses its probe".into(),
            date: day("2026-11-01"),
            owner: "bench team".into(),
            expires: day("2026-12-01"),
        };
        assert!(quarantine.holds_on(day("2026-11-30")));
        assert!(!quarantine.holds_on(day("2026-12-01")));
    }
}
