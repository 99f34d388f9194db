//! Where a model server is, checked once, so that what is asked later cannot be sent astray.
//!
//! An [`ServerAddress`] is http or https, has a host, has no password in it, and is unencrypted only on
//! this machine or where the person allows it. Everything else is a [`ServerConfigFault`] that names
//! the setting and says what to write instead. The setting is never quoted: people leave keys in
//! addresses.
//!
//! Absent on purpose: whether anybody listens there, which only asking tells.

use std::fmt;

use foretell_settings::{names_this_machine, settings};
use foretell_text::{FailureKind, LaneKind};
use reqwest::Url;
use reqwest::header::HeaderMap;

use crate::lane::LaneFault;

/// Where a model server is.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ServerAddress {
    /// Without a slash or `/v1` at its end.
    base: Url,
    /// Which settings it comes from.
    pub(super) setting: LaneSettingName,
}

impl ServerAddress {
    /// The address that a lane's settings name.
    pub(super) fn of(
        lane: LaneKind,
        settings: &settings::LaneSettings,
    ) -> Result<Self, ServerConfigFault> {
        let setting = LaneSettingName::of(lane);
        let Some(written) = &settings.url else {
            return Err(ServerConfigFault::NoUrl { setting });
        };
        let mut base =
            Url::parse(written.as_str().trim()).map_err(|error| ServerConfigFault::NotAUrl {
                setting,
                why: error.to_string(),
            })?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(ServerConfigFault::Scheme { setting });
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(ServerConfigFault::Password { setting });
        }
        if base.fragment().is_some() {
            return Err(ServerConfigFault::Fragment { setting });
        }
        let path = base.path().trim_end_matches('/');
        let path = path.strip_suffix("/v1").unwrap_or(path);
        let path = path.trim_end_matches('/').to_owned();
        base.set_path(&path);
        let address = ServerAddress { base, setting };
        if !address.is_encrypted() && !address.is_loopback() && !settings.allow_insecure {
            let host = address.host().to_owned();
            return Err(ServerConfigFault::Insecure { setting, host });
        }
        Ok(address)
    }

    /// The address of an endpoint, such as `/v1/completions`.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let base = self.base.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{}", path.trim_start_matches('/')));
        url
    }

    /// Everything in it that may be a key: the parts of its path, and what its query says, each as it
    /// is written and as it is meant. Servers repeat the address that they were asked at.
    pub(super) fn secrets(&self) -> Vec<String> {
        let query = self.base.query().unwrap_or_default().split('&');
        // One without a value is one itself.
        let values = query.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value));
        let written = self.base.path().split('/').chain(values);
        let written = written.filter(|part| !part.is_empty());
        let both = written.flat_map(|part| [part.to_owned(), decoded(part)]);
        both.collect()
    }

    /// Whether there is more to it than what is shown of it.
    pub(super) fn has_path(&self) -> bool {
        !self.base.path().trim_end_matches('/').is_empty() || self.base.query().is_some()
    }

    /// The host, as it is written in addresses.
    pub(super) fn host(&self) -> &str {
        // Every http address has one, or it would not have been parsed.
        self.base.host_str().unwrap_or_default()
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_encrypted(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// Whether that is this machine.
    pub(super) fn is_loopback(&self) -> bool {
        let host = self.host().trim_start_matches('[').trim_end_matches(']');
        names_this_machine(host)
    }
}

/// A part of an address without escapes.
fn decoded(part: &str) -> String {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let (bytes, mut plain, mut at) = (part.as_bytes(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let escaped = match (byte, digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        plain.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// `http://127.0.0.1:8080`: scheme, host and port. The path and what follows it may hold a key.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.base.scheme(), self.host())?;
        match self.base.port() {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// The settings of a lane, as messages name them: `lanes.nextEdit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneSettingName(LaneKind);

impl LaneSettingName {
    /// Those of a lane.
    pub fn of(lane: LaneKind) -> Self {
        LaneSettingName(lane)
    }
}

impl fmt::Display for LaneSettingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            LaneKind::Fim => "lanes.fim",
            LaneKind::NextEdit => "lanes.nextEdit",
            LaneKind::Fix => "lanes.fix",
        })
    }
}

/// Why a server cannot be asked as it is set up, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServerConfigFault {
    /// There is no address.
    #[error(
        "{setting}.url is not set: set it to the address of the model server, such as \
         http://127.0.0.1:8080, or set {setting}.kind to \"embedded\""
    )]
    NoUrl {
        /// The lane's name in settings.
        setting: LaneSettingName,
    },
    /// The address is none.
    #[error("{setting}.url is not an address ({why}): write it like http://127.0.0.1:8080")]
    NotAUrl {
        /// The lane's name in settings.
        setting: LaneSettingName,
        /// Its fault, without quoting it.
        why: String,
    },
    /// The address is of something else.
    #[error(
        "{setting}.url does not begin with http:// or https://: write it like http://127.0.0.1:8080"
    )]
    Scheme {
        /// The lane's name in settings.
        setting: LaneSettingName,
    },
    /// The address holds a key, and would be shown with it.
    #[error(
        "{setting}.url has a name or a password in it: take it out, and name a key by \
         {setting}.apiKeyEnv, {setting}.apiKeyFile or {setting}.apiKeyCommand"
    )]
    Password {
        /// The lane's name in settings.
        setting: LaneSettingName,
    },
    /// The address has a part that servers are never told.
    #[error("{setting}.url has a # in it, which no server is told: take out what begins there")]
    Fragment {
        /// The lane's name in settings.
        setting: LaneSettingName,
    },
    /// Code and keys would be sent so that others can read them.
    #[error(
        "{setting}.url would send code and keys unencrypted to {host}: use https, or set \
         {setting}.allowInsecure to true if everybody between may read them"
    )]
    Insecure {
        /// The lane's name in settings.
        setting: LaneSettingName,
        /// To whom.
        host: String,
    },
    /// A header cannot be sent.
    #[error(
        "{setting}.headers has a header named {name:?} that cannot be sent: use letters, digits and hyphens for its name and plain characters for what it says"
    )]
    Header {
        /// The lane's name in settings.
        setting: LaneSettingName,
        /// Which.
        name: String,
    },
    /// Certificates cannot be had.
    #[error("{setting}.caFile cannot be used, {why}: name a file with certificates in PEM form")]
    CaFile {
        /// The lane's name in settings.
        setting: LaneSettingName,
        /// Its fault.
        why: String,
    },
    /// No connection could ever be made.
    #[error(
        "{setting} cannot be asked, no encrypted connection can be made ({why}): install the system's certificates, or name a file with certificates in {setting}.caFile"
    )]
    NoClient {
        /// The lane's name in settings.
        setting: LaneSettingName,
        /// The cause.
        why: String,
    },
}

impl From<ServerConfigFault> for LaneFault {
    fn from(misconfigured: ServerConfigFault) -> Self {
        LaneFault::new(FailureKind::Misconfigured, misconfigured.to_string())
    }
}

/// The person's headers, fit to send, and marked so that nothing prints them.
pub(super) fn headers(
    lane: LaneKind,
    settings: &settings::LaneSettings,
) -> Result<HeaderMap, ServerConfigFault> {
    let mut headers = HeaderMap::new();
    for (name, says) in settings.headers.iter() {
        let wrong = |_| ServerConfigFault::Header {
            setting: LaneSettingName::of(lane),
            name: name.to_owned(),
        };
        let named = reqwest::header::HeaderName::try_from(name).map_err(|_| wrong(()))?;
        let mut value = reqwest::header::HeaderValue::from_str(says).map_err(|_| wrong(()))?;
        value.set_sensitive(true);
        headers.insert(named, value);
    }
    Ok(headers)
}
