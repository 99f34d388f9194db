//! The key of a server: where it comes from, and how it is kept from being seen.
//!
//! A [`ApiKey`] has no way to be printed. It is read when it is first needed, in a task of its own, so
//! that somebody who types on while a password manager thinks does not have it begin anew with every
//! keystroke. It is kept from then on. A server that does not take it makes it be read anew the next
//! time, since keys are replaced while editors run.
//!
//! Whatever goes wrong is [`FailureKind::NoKey`] and says what to do; a command that hangs does so
//! for [`PATIENCE`] and is ended.

mod command;

use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use foretell_settings::settings;
use foretell_text::FailureKind;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::time::timeout;

use super::server_address::LaneSettingName;
use crate::lane::LaneFault;

/// How long a file or a command has to give a key.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much of a file or of what a command prints is read.
const MOST_BYTES: u64 = 64 * 1024;

/// The key of a server. It prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ApiKey(Arc<str>);

impl ApiKey {
    /// The key that is the first line of a text.
    fn of(text: &[u8]) -> Result<Self, &'static str> {
        let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next();
        let line = std::str::from_utf8(line.unwrap_or_default());
        let Some(line) = line.ok().filter(|line| line.is_ascii()) else {
            return Err("has a character in it that no key has");
        };
        match line.trim() {
            "" => Err("is empty"),
            line if line.chars().any(char::is_control) => Err("has a control character in it"),
            line => Ok(ApiKey(line.into())),
        }
    }

    /// The key itself, to be sent.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A key that is somewhere, or has been read, or is not needed.
pub(super) struct ApiKeys {
    setting: LaneSettingName,
    /// Where to look, and where to look next if it is not there: somebody may have a variable in
    /// their shell and a file for when the editor is started from a desktop.
    sources: Arc<[KeySource]>,
    reading: Mutex<Option<KeyReading>>,
}

/// A key that is being read or has been, for everybody who waits for it.
type KeyReading = Shared<BoxFuture<'static, Result<ApiKey, LaneFault>>>;

impl ApiKeys {
    /// The key that a lane's settings name, if they do.
    pub(super) fn of(setting: LaneSettingName, settings: &settings::LaneSettings) -> Self {
        let variable = settings.api_key_env.clone().map(KeySource::Variable);
        let file = settings.api_key_file.clone().map(KeySource::File);
        let command = settings.api_key_command.clone().map(KeySource::Command);
        ApiKeys {
            setting,
            sources: [variable, file, command].into_iter().flatten().collect(),
            reading: Mutex::new(None),
        }
    }

    /// The key, if one is needed.
    pub(super) async fn get(&self) -> Result<Option<ApiKey>, LaneFault> {
        if self.sources.is_empty() {
            return Ok(None);
        }
        let reading = self.reading().get_or_insert_with(|| self.begin()).clone();
        let read = reading.clone().await;
        if read.is_err() {
            self.forget_if(&reading);
        }
        read.map(Some)
    }

    /// The key is not the right one: it is read anew when it is next needed.
    pub(super) fn forget(&self) {
        *self.reading() = None;
    }

    /// Forgets a failed reading, but not one that another request has begun since.
    fn forget_if(&self, failed: &KeyReading) {
        let mut reading = self.reading();
        if reading.as_ref().is_some_and(|now| now.ptr_eq(failed)) {
            *reading = None;
        }
    }

    fn begin(&self) -> KeyReading {
        let (setting, sources) = (self.setting, Arc::clone(&self.sources));
        let reading = tokio::spawn(async move {
            let mut missing = no_key(format!("{setting} names no key"));
            for source in sources.iter() {
                match source.read(setting).await {
                    Ok(key) => return Ok(key),
                    Err(fault) => missing = fault,
                }
            }
            Err(missing)
        });
        let read = async move {
            // Only a runtime that ends ends it early.
            let ended = || Err(no_key("it was not read to its end: ask again".to_owned()));
            reading.await.unwrap_or_else(|_| ended())
        };
        read.boxed().shared()
    }

    fn reading(&self) -> MutexGuard<'_, Option<KeyReading>> {
        // Nothing is done while it is held that could break half way.
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a key is.
enum KeySource {
    Command(String),
    File(String),
    Variable(String),
}

impl KeySource {
    async fn read(&self, setting: LaneSettingName) -> Result<ApiKey, LaneFault> {
        match self {
            KeySource::Command(line) => command::key(setting, line).await,
            KeySource::File(file) => of_file(setting, file).await,
            KeySource::Variable(name) => of_variable(setting, name),
        }
    }
}

fn of_variable(setting: LaneSettingName, name: &str) -> Result<ApiKey, LaneFault> {
    let advice = format!(
        "set it where the editor is started, or use {setting}.apiKeyFile or \
         {setting}.apiKeyCommand: editors started from a desktop have no shell's environment"
    );
    // The name is not repeated: people put the key itself there.
    let says = |why: &str| {
        no_key(format!(
            "the variable that {setting}.apiKeyEnv names {why}; {advice}"
        ))
    };
    match std::env::var_os(name) {
        Some(value) => ApiKey::of(value.as_encoded_bytes()).map_err(says),
        None => Err(says("is not set")),
    }
}

async fn of_file(setting: LaneSettingName, file: &str) -> Result<ApiKey, LaneFault> {
    let says = |why: &str| {
        no_key(format!(
            "the file of {setting}.apiKeyFile {why}: write the key into its first line"
        ))
    };
    let path = in_home(file);
    // A pipe, or a disk that has gone away, may keep a reader for ever: that is a thread of its own.
    let read = tokio::task::spawn_blocking(move || {
        let mut text = Vec::new();
        let file = std::fs::File::open(path)?;
        file.take(MOST_BYTES).read_to_end(&mut text)?;
        Ok::<_, std::io::Error>(text)
    });
    match timeout(PATIENCE, read).await {
        Err(_) => Err(says("could not be read in time")),
        Ok(Err(_)) => Err(says("could not be read to its end")),
        Ok(Ok(Err(error))) => Err(says(&format!("cannot be read ({})", error.kind()))),
        Ok(Ok(Ok(text))) => ApiKey::of(&text).map_err(says),
    }
}

/// A path whose `~/` is the person's home.
pub(super) fn in_home(path: &str) -> PathBuf {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" });
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(path),
    }
}

fn no_key(says: String) -> LaneFault {
    LaneFault::new(FailureKind::NoKey, says)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_the_key_without_the_space_around_it() {
        let keys = ["k-1", "k-1\n", " k-1 \r\nsecond", "k-1\rold"];
        for text in keys {
            assert_eq!(
                ApiKey::of(text.as_bytes()).unwrap().reveal(),
                "k-1",
                "{text:?}"
            );
        }
    }

    #[test]
    fn what_no_header_could_carry_is_no_key() {
        for text in [
            &b""[..],
            b"\nk",
            b"   ",
            b"k\x1bk",
            b"k\0",
            "schlüssel".as_bytes(),
            b"\xff\xfe",
        ] {
            assert!(ApiKey::of(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_key_prints_as_stars() {
        let key = ApiKey::of(b"tell-nobody").unwrap();
        assert_eq!(format!("{key} {key:?} {key:#?}"), "*** *** ***");
    }
}
