//! Which scenarios of all that were found: those that a filter names, or one shard of several.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use flagfall_scenarios::{Source, nearest};

/// The K-th of N parts of a set, `1/4` to `4/4`; together they are the whole set, and no two have one in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From one on.
    number: NonZeroUsize,
    of: NonZeroUsize,
}

/// A text that names no shard: write `1/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not two numbers with a stroke between them, both from one on.
    #[error("a shard is K/N with whole numbers from 1 on, as in 1/4")]
    Form,
    /// More than there are.
    #[error("there is no shard {number} of {of}")]
    Beyond {
        /// The number given.
        number: NonZeroUsize,
        /// How many there are.
        of: NonZeroUsize,
    },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, of) = text.split_once('/').ok_or(ShardError::Form)?;
        let whole = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse().ok()).flatten().ok_or(ShardError::Form)
        };
        let (number, of) = (whole(number)?, whole(of)?);
        if number > of { Err(ShardError::Beyond { number, of }) } else { Ok(Self { number, of }) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Whether the one with this index among all, sorted by their ids, belongs to this shard. Neighbours go to different
    /// shards: those of a family take about equally long.
    #[must_use]
    pub const fn has(&self, index: usize) -> bool {
        index % self.of.get() == self.number.get() - 1
    }
}

/// A part of ids, or a pattern of whole ones when it has a `*` (anything) or a `?` (one character).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    text: String,
    /// The characters of a pattern; of several `*` side by side the first.
    pattern: Option<Vec<char>>,
}

/// An empty filter, which would be all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a filter is a part of an id, or a pattern with * and ?")]
pub struct FilterError;

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        if text.is_empty() {
            return Err(FilterError);
        }
        let pattern = text.contains(['*', '?']).then(|| {
            let mut pattern: Vec<char> = text.chars().collect();
            pattern.dedup_by(|next, before| *next == '*' && *before == '*');
            pattern
        });
        Ok(Self { text: text.to_owned(), pattern })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Filter {
    /// Whether it names this id.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        match &self.pattern {
            Some(pattern) => matches(pattern, id),
            None => id.contains(&self.text),
        }
    }
}

/// Whether the whole text is as the pattern says. The last `*` takes what it can and gives back what the rest needs:
/// earlier ones never have to.
fn matches(pattern: &[char], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star_p, star_t)) = star else { return false };
                star = Some((star_p, star_t + 1));
                p = star_p + 1;
                t = star_t + 1;
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Keeps those that any of the filters names (all, when there is none), and of these the shard's.
///
/// # Errors
/// The first filter that names none.
pub fn select<'f>(sources: &mut Vec<Source>, filters: &'f [Filter], shard: Option<Shard>) -> Result<(), &'f Filter> {
    if let Some(idle) = filters.iter().find(|filter| !sources.iter().any(|source| filter.has(source.id()))) {
        return Err(idle);
    }
    let mut index = 0;
    sources.retain(|source| {
        let named = filters.is_empty() || filters.iter().any(|filter| filter.has(source.id()));
        let kept = named && shard.is_none_or(|shard| shard.has(index));
        index += usize::from(named);
        kept
    });
    Ok(())
}

/// The ids that a word which is none may have meant: the nearest one, or some of which it is a part, or that with the
/// nearest name in any family.
#[must_use]
pub fn meant<'a>(word: &str, sources: &'a [Source]) -> Vec<&'a str> {
    let ids = || sources.iter().map(Source::id);
    if let Some(id) = nearest(word, ids()) {
        return vec![id];
    }
    let near: Vec<&str> = ids().filter(|id| id.contains(word)).take(5).collect();
    if !near.is_empty() {
        return near;
    }
    let part = |id: &'a str, index: usize| id.split('/').nth(index).unwrap_or(id);
    let parts = |index| nearest(word.split('/').nth(index).unwrap_or(word), ids().map(move |id| part(id, index)));
    let name = parts(1).and_then(|name| ids().find(|id| part(id, 1) == name));
    let family = parts(0).and_then(|family| ids().find(|id| part(id, 0) == family));
    name.or(family).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_a_number_of_so_many() {
        for (text, shard) in [("1/1", Some((1, 1))), ("3/4", Some((3, 4))), ("04/4", Some((4, 4)))] {
            let parsed: Option<Shard> = text.parse().ok();
            assert_eq!(parsed.map(|shard| (shard.number.get(), shard.of.get())), shard, "{text}");
        }
        for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "+1/4", "1/4/2", "a/b", "1 / 4", "1/99999999999999999999999"]
        {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn shards_are_the_whole_set_and_share_none() {
        for of in 1..=7 {
            let shards: Vec<Shard> = (1..=of).map(|k| format!("{k}/{of}").parse().expect("a shard")).collect();
            for index in 0..50 {
                assert_eq!(shards.iter().filter(|shard| shard.has(index)).count(), 1, "{index} of {of}");
            }
        }
    }

    #[test]
    fn a_filter_is_a_part_or_a_pattern() {
        let id = "both-flags/last-period";
        for yes in [
            "both",
            "flags/last",
            "both-flags/",
            "last-period",
            "both*",
            "*period",
            "*/last-?eriod",
            "*",
            "b*a*d",
            "**flags***period**",
        ] {
            assert!(yes.parse::<Filter>().expect("a filter").has(id), "{yes}");
        }
        for no in ["Both", "late", "both?", "*flags", "?last*", "both*x", "b*z*d"] {
            assert!(!no.parse::<Filter>().expect("a filter").has(id), "{no}");
        }
        assert!("".parse::<Filter>().is_err());
    }
}
