//! [`Value`]: what a setting is set to, once it has been checked.
//!
//! The typed tree of [`Settings`](crate::Settings) is what code reads; values are for showing settings
//! one by one, and for the table's defaults. A value prints itself as TOML, so that what is shown can
//! be copied into a file. What was written and not yet checked is another type, in
//! [`raw`](crate::raw).

use std::collections::BTreeMap;
use std::fmt;

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number, in the unit of its setting.
    Whole(u64),
    /// Any number.
    Number(f64),
    /// A text, or the word of a choice.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// Headers of a request, which print without what they say.
    Headers(Headers),
}

/// As TOML would have it, secrets excepted.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => on.fmt(f),
            Value::Whole(number) => number.fmt(f),
            // Debug keeps the point of 1.0, without which TOML would read another kind.
            Value::Number(number) => fmt::Debug::fmt(number, f),
            Value::Text(text) => write!(f, "{}", Quoted(text)),
            Value::Texts(texts) => {
                let quoted: Vec<_> = texts.iter().map(|text| Quoted(text).to_string()).collect();
                write!(f, "[{}]", quoted.join(", "))
            }
            Value::Headers(headers) => headers.fmt(f),
        }
    }
}

/// The address of a model server.
///
/// Whatever stands before or behind the host's name may be a key, so `Debug` does not print it.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl(String);

impl ServerUrl {
    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for ServerUrl {
    fn from(url: T) -> Self {
        ServerUrl(url.into())
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((scheme, behind)) = self.0.split_once("://") else {
            return f.write_str("***");
        };
        let authority = behind
            .split(['/', '?', '#', '\\'])
            .next()
            .unwrap_or_default();
        let (who, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let who = if who.is_empty() { "" } else { "***@" };
        let rest = if authority.len() < behind.len() {
            "/***"
        } else {
            ""
        };
        write!(f, "{scheme}://{who}{host}{rest}")
    }
}

/// Headers to send with every request to a model server.
///
/// Names are in lower case, since HTTP does not tell them apart. What they say is often a secret, so
/// neither `Debug` nor `Display` prints it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Headers(BTreeMap<String, String>);

impl Headers {
    /// Every header's name and what it says, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, says)| (name.as_str(), says.as_str()))
    }

    /// What a header says; the name is looked up in lower case.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn insert(&mut self, name: &str, says: String) {
        self.0.insert(name.to_ascii_lowercase(), says);
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.0.keys().map(|name| (name, format_args!("***"))))
            .finish()
    }
}

/// `{ authorization = "***" }`
impl fmt::Display for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("{}");
        }
        let hidden: Vec<_> = self
            .0
            .keys()
            .map(|name| format!("{} = \"***\"", Key(name)))
            .collect();
        write!(f, "{{ {} }}", hidden.join(", "))
    }
}

/// A key as TOML writes it: bare where it may be.
struct Key<'a>(&'a str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.0.chars().all(is_bare) {
            return f.write_str(self.0);
        }
        Quoted(self.0).fmt(f)
    }
}

/// A text between quotes, with TOML's escapes.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{:04X}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_address_only_the_host_is_printed() {
        for (url, printed) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://host/sk-key/v1", "https://host/***"),
            ("https://host?key=sk", "https://host/***"),
            ("https://me:secret@host/", "https://***@host/***"),
            ("sk-key", "***"),
        ] {
            assert_eq!(format!("{:?}", ServerUrl::from(url)), printed);
        }
    }
}
