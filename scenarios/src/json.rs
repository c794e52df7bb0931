//! JSON with its keys in the order in which they were given, for the one file that is written for people to read too.

use std::fmt;

/// A value of the kinds that a schema has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Truth(bool),
    Whole(u64),
    Text(String),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl Json {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    pub(crate) fn map<'a>(members: impl IntoIterator<Item = (&'a str, Self)>) -> Self {
        Self::Map(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The value of this key.
    pub(crate) fn member(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same map with this key first.
    pub(crate) fn with(self, key: &str, value: Self) -> Self {
        match self {
            Self::Map(mut members) => {
                members.retain(|(name, _)| name != key);
                members.insert(0, (key.to_owned(), value));
                Self::Map(members)
            }
            other => other,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = |f: &mut fmt::Formatter<'_>, depth: usize| write!(f, "\n{:width$}", "", width = depth * 2);
        match self {
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Text(text) => write_text(f, text),
            Self::List(items) => {
                f.write_str("[")?;
                let short = items.iter().all(|item| !matches!(item, Self::List(_) | Self::Map(_)));
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    match (short, index) {
                        (false, _) => indent(f, depth + 1)?,
                        (true, 0) => {}
                        (true, _) => f.write_str(" ")?,
                    }
                    item.write(f, depth + 1)?;
                }
                if !short {
                    indent(f, depth)?;
                }
                f.write_str("]")
            }
            Self::Map(members) => {
                f.write_str("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    indent(f, depth + 1)?;
                    write_text(f, key)?;
                    f.write_str(": ")?;
                    value.write(f, depth + 1)?;
                }
                indent(f, depth)?;
                f.write_str("}")
            }
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)?;
        f.write_str("\n")
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            control if control.is_control() => write!(f, "\\u{:04x}", u32::from(control))?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_keys_keep_their_order() {
        let json = Json::map([("z", Json::texts(["a\"\\\n", "b"])), ("a", Json::List(vec![Json::map([])]))]);
        assert_eq!(json.to_string(), "{\n  \"z\": [\"a\\\"\\\\\\u000a\", \"b\"],\n  \"a\": [\n    {\n    }\n  ]\n}\n");
    }
}
