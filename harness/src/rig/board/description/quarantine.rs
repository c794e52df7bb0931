//! Why a board is not to be trusted for now, who says so, and until when.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;

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

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Date {
    /// Today, in universal time.
    #[must_use]
    pub fn today() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::of_day(since.as_secs() / DAY.as_secs())
    }

    /// The day so many days after 1 January 1970.
    fn of_day(mut days: u64) -> Self {
        let mut date = Self { year: 1970, month: 1, day: 1 };
        while days >= date.days_in_year() && date.year < u16::MAX {
            days -= date.days_in_year();
            date.year += 1;
        }
        while days >= u64::from(date.days_in_month()) {
            days -= u64::from(date.days_in_month());
            date.month += 1;
        }
        date.day += u8::try_from(days).unwrap_or(0);
        date
    }

    const fn is_leap_year(self) -> bool {
        self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400))
    }

    const fn days_in_year(self) -> u64 {
        if self.is_leap_year() { 366 } else { 365 }
    }

    const fn days_in_month(self) -> u8 {
        match self.month {
            2 if self.is_leap_year() => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}`: a date is YYYY-MM-DD, 2026-11-30");
        let digits = |text: &str, len: usize| {
            let all = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u16>().ok().filter(|_| all).ok_or_else(wrong)
        };
        let [year, month, day] = text.split('-').collect::<Vec<_>>().try_into().map_err(|_| wrong())?;
        let [year, month, day] = [digits(year, 4)?, digits(month, 2)?, digits(day, 2)?];
        let date = Self { year, month: u8::try_from(month).unwrap_or(0), day: u8::try_from(day).unwrap_or(0) };
        let is_one = (1970..=9999).contains(&year)
            && (1..=12).contains(&date.month)
            && (1..=date.days_in_month()).contains(&date.day);
        if is_one { Ok(date) } else { Err(format!("`{text}`: no such day, or before 1970")) }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
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
        let date = |field: &str, text: &str| text.parse::<Date>().map_err(|why| Misfit::new(field, why));
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

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn days_are_counted_from_1970_with_leap_years() {
        assert_eq!(Date::of_day(0), date("1970-01-01"));
        assert_eq!(Date::of_day(58), date("1970-02-28"));
        assert_eq!(Date::of_day(59), date("1970-03-01"));
        assert_eq!(Date::of_day(11_016), date("2000-02-29"));
        assert_eq!(Date::of_day(20_787), date("2026-11-30"));
        assert_eq!(Date::of_day(20_818), date("2026-12-31"));
        assert_eq!(Date::of_day(47_541), date("2100-03-01"), "2100 is no leap year");
    }

    #[test]
    fn what_is_no_day_is_none() {
        for text in [
            "",
            "2026-11-31",
            "2026-02-29",
            "2026-13-01",
            "2026-00-01",
            "2026-1-1",
            "26-11-30",
            "2026/11/30",
            "2026-11-30-1",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert_eq!(date("2028-02-29").to_string(), "2028-02-29");
    }

    #[test]
    fn it_holds_up_to_the_day_before_it_expires() {
        let quarantine = Quarantine {
            reason: "loses its probe".into(),
            date: date("2026-11-01"),
            owner: "bench team".into(),
            expires: date("2026-12-01"),
        };
        assert!(quarantine.holds_on(date("2026-11-30")));
        assert!(!quarantine.holds_on(date("2026-12-01")));
    }
}
