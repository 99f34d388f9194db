//! [`SettingValue`]: what a setting is set to, once it has been checked.
//!
//! The typed tree of [`Settings`](crate::Settings) is what code reads; values are for showing settings
//! one by one, and for the table's defaults. A value prints itself as TOML, so that what is shown can
//! be copied into a file. A written value that is not yet checked is another type, in
//! [`raw`](crate::raw).

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
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
    Headers(HeaderValues),
}

/// As TOML would have it, secrets excepted.
impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Switch(on) => on.fmt(f),
            SettingValue::Whole(number) => number.fmt(f),
            // Debug keeps the point of 1.0, without which TOML would read another kind.
            SettingValue::Number(number) => fmt::Debug::fmt(number, f),
            SettingValue::Text(text) => write!(f, "{}", TomlString(text)),
            SettingValue::Texts(texts) => {
                let quoted: Vec<_> = texts
                    .iter()
                    .map(|text| TomlString(text).to_string())
                    .collect();
                write!(f, "[{}]", quoted.join(", "))
            }
            SettingValue::Headers(headers) => headers.fmt(f),
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

    /// An address that nothing answers, for traces: it says of a server which one it is, and whether it is on
    /// this machine.
    pub fn stand_in(number: usize, is_on_this_machine: bool) -> Self {
        ServerUrl(if is_on_this_machine {
            format!("{LOCAL_STAND_IN}{number}")
        } else {
            format!("{REMOTE_STAND_IN}{number}")
        })
    }

    /// Whether it is such an address.
    pub fn is_stand_in(&self) -> bool {
        let local = self.0.strip_prefix(LOCAL_STAND_IN);
        let number = local.or_else(|| self.0.strip_prefix(REMOTE_STAND_IN));
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Whether it is an address of this machine.
    pub fn is_on_this_machine(&self) -> bool {
        self.local_port().is_some()
    }

    /// Whether it is answered by the same server as another. This machine has several names, and a server there
    /// is known by its port.
    pub fn is_same_server(&self, other: &ServerUrl) -> bool {
        let is_stand_in = self.is_stand_in() || other.is_stand_in();
        let ports = self.local_port().zip(other.local_port());
        self == other || !is_stand_in && ports.is_some_and(|(one, other)| one == other)
    }

    /// The port that it names, if it is an address of this machine. An address that is not plainly one of HTTP
    /// is none: whoever sends to it may read it otherwise.
    fn local_port(&self) -> Option<u16> {
        let (scheme, behind) = self.0.split_once("://")?;
        let usual = match scheme.to_ascii_lowercase().as_str() {
            "http" => 80,
            "https" => 443,
            _ => return None,
        };
        let authority = behind.split(['/', '?', '#', '\\']).next()?;
        let place = authority
            .rsplit_once('@')
            .map_or(authority, |(_, place)| place);
        let (host, port) = match place.strip_prefix('[') {
            Some(number) => number.split_once(']')?,
            None => place.split_at(place.find(':').unwrap_or(place.len())),
        };
        let port = match port.strip_prefix(':') {
            None if port.is_empty() => usual,
            Some("") => usual,
            Some(digits) if digits.bytes().all(|it| it.is_ascii_digit()) => digits.parse().ok()?,
            _ => return None,
        };
        names_this_machine(host).then_some(port)
    }
}

/// How stand-ins begin. Nothing listens on port 0, and no host has a name that ends in `.example`.
const LOCAL_STAND_IN: &str = "http://localhost:0/";
const REMOTE_STAND_IN: &str = "https://server.example/";

/// Whether a host is this machine, by name or by number. Names are not resolved: they may stand for another
/// machine tomorrow.
pub fn names_this_machine(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(number) => number.to_canonical().is_loopback(),
        Err(_) => host.trim_end_matches('.').eq_ignore_ascii_case("localhost"),
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
/// Names are in lower case, since HTTP does not tell them apart. Their values are often secrets, so
/// neither `Debug` nor `Display` prints them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HeaderValues(BTreeMap<String, String>);

impl HeaderValues {
    /// Every header's name and what it says, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, says)| (name.as_str(), says.as_str()))
    }

    /// The value of a header; the name is looked up in lower case.
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

impl fmt::Debug for HeaderValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.0.keys().map(|name| (name, format_args!("***"))))
            .finish()
    }
}

/// `{ authorization = "***" }`
impl fmt::Display for HeaderValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("{}");
        }
        let hidden: Vec<_> = self
            .0
            .keys()
            .map(|name| format!("{} = \"***\"", TomlKey(name)))
            .collect();
        write!(f, "{{ {} }}", hidden.join(", "))
    }
}

/// A key as TOML writes it: bare where it may be.
struct TomlKey<'a>(&'a str);

impl fmt::Display for TomlKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.0.chars().all(is_bare) {
            return f.write_str(self.0);
        }
        TomlString(self.0).fmt(f)
    }
}

/// A text between quotes, with TOML's escapes.
struct TomlString<'a>(&'a str);

impl fmt::Display for TomlString<'_> {
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

    #[test]
    fn an_address_that_only_looks_like_one_of_this_machine_is_none() {
        for here in [
            "http://localhost",
            "HTTP://LocalHost.:8080/v1",
            "https://me:secret@127.0.0.1:1/?x",
            "http://127.9.9.9:",
            "http://[::1]:8080",
            "http://[::ffff:127.0.0.1]",
        ] {
            assert!(ServerUrl::from(here).is_on_this_machine(), "{here}");
        }
        for elsewhere in [
            "https:evil.com://localhost",
            "evil://localhost",
            " http://localhost",
            "http:localhost",
            "http:///localhost",
            "http://localhost@evil.com",
            "http://localhost:8080@evil.com",
            "http://localhost:80:80",
            "http://localhost:eighty",
            "http://localhost:99999",
            "http://[::1]evil.com",
            "http://[::1",
            "http://localhost.evil.com",
            "http://local\thost",
            "http://0.0.0.0",
            "localhost:8080",
        ] {
            assert!(
                !ServerUrl::from(elsewhere).is_on_this_machine(),
                "{elsewhere}"
            );
        }
    }

    #[test]
    fn a_server_on_this_machine_is_known_by_its_port() {
        let local = ServerUrl::from("http://localhost:8080");
        for same in [
            "http://127.0.0.1:8080/v1",
            "http://[::1]:8080",
            "HTTP://LOCALHOST:8080",
        ] {
            assert!(local.is_same_server(&ServerUrl::from(same)), "{same}");
        }
        for other in [
            "http://localhost:8081",
            "http://localhost",
            "http://host:8080",
        ] {
            assert!(!local.is_same_server(&ServerUrl::from(other)), "{other}");
        }
        let hosted = ServerUrl::from("https://models.example/v1");
        assert!(hosted.is_same_server(&hosted.clone()));
        assert!(!hosted.is_same_server(&ServerUrl::from("https://models.example/v2")));
        let stand_in = ServerUrl::stand_in(1, true);
        assert!(!stand_in.is_same_server(&ServerUrl::stand_in(2, true)));
    }

    #[test]
    fn a_stand_in_says_where_a_server_is_and_nobody_answers_it() {
        assert!(ServerUrl::stand_in(1, true).is_on_this_machine());
        assert!(!ServerUrl::stand_in(1, false).is_on_this_machine());
        for is_here in [true, false] {
            assert!(ServerUrl::stand_in(12, is_here).is_stand_in());
        }
        for real in [
            "http://localhost:0/",
            "http://localhost:8080/1",
            "https://server.example/1@evil",
        ] {
            assert!(!ServerUrl::from(real).is_stand_in(), "{real}");
        }
    }
}
