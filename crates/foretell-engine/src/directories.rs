//! Where Foretell keeps things on this machine, per platform, and nowhere else in the house:
//!
//! | what | where |
//! | --- | --- |
//! | the person's settings | `foretell/config.toml` in the config directory |
//! | what lanes have used up, and how fast model servers are | `foretell` in the state directory, or with other data if there is none |
//! | indexes of workspaces | `foretell/index` in the cache directory, or where `index.dir` says |
//!
//! Everything that needs a place is given [`UserDirectories`], so that a test has its own and no environment
//! variable is read twice. A machine may have none of them: a service without a home, for example.
//!
//! Absent on purpose: making any of these directories. The code that writes there does that.

use std::path::{MAIN_SEPARATOR, PathBuf};

use etcetera::BaseStrategy;
use foretell_settings::Settings;

use crate::speed_file::SpeedFile;
use crate::typing_file::TypingFile;
use crate::usage::UsageFile;

/// The person's directories on this machine, as far as it has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserDirectories {
    /// The person's own settings file.
    pub config_file: Option<PathBuf>,
    /// Where it is remembered what lanes have used up.
    pub state_dir: Option<PathBuf>,
    /// Where everything is kept that can be made anew.
    pub cache_dir: Option<PathBuf>,
    /// The person's home.
    pub home: Option<PathBuf>,
}

impl UserDirectories {
    /// Those of the platform, as its environment variables say.
    pub fn of_platform() -> Self {
        let home = etcetera::home_dir().ok();
        let Ok(native) = etcetera::base_strategy::choose_native_strategy() else {
            return UserDirectories {
                home,
                ..UserDirectories::default()
            };
        };
        let state = native.state_dir().unwrap_or_else(|| native.data_dir());
        UserDirectories {
            config_file: Some(native.config_dir().join("foretell").join("config.toml")),
            state_dir: Some(state.join("foretell")),
            cache_dir: Some(native.cache_dir().join("foretell")),
            home,
        }
    }

    /// Returns the file that lanes' usage is kept in, if there is a place for it.
    pub fn usage(&self) -> Option<UsageFile> {
        self.state_dir.as_deref().map(UsageFile::in_directory)
    }

    /// Returns the file that speeds of model servers are kept in, with what is in it, if there is a place for
    /// it. Blocking: it is small.
    pub fn speeds(&self) -> Option<SpeedFile> {
        self.state_dir.as_deref().map(SpeedFile::in_directory)
    }

    /// Returns the file that it is kept in how the person types, if there is a place for it.
    pub fn typing(&self) -> Option<TypingFile> {
        self.state_dir.as_deref().map(TypingFile::in_directory)
    }

    /// Where all indexes are kept: where the person says, or in their cache directory.
    ///
    /// The setting is a whole path, or one that begins in the person's home: one that depends on
    /// where a command happens to run would be another place every time.
    pub fn indexes(&self, settings: &Settings) -> Result<PathBuf, PlaceError> {
        let Some(directory) = &settings.index.dir else {
            let cache = self.cache_dir.as_ref().ok_or(PlaceError::Nowhere)?;
            return Ok(cache.join("index"));
        };
        let in_home = self.in_home(directory);
        let place = in_home.unwrap_or_else(|| PathBuf::from(directory));
        if place.is_absolute() {
            Ok(place)
        } else {
            Err(PlaceError::NotWhole {
                directory: directory.clone(),
            })
        }
    }

    /// A path that begins with `~`, as a shell would have it.
    fn in_home(&self, directory: &str) -> Option<PathBuf> {
        let rest = directory.strip_prefix('~')?;
        let is_own = rest.is_empty() || rest.starts_with(['/', MAIN_SEPARATOR]);
        let home = self.home.as_ref().filter(|_| is_own)?;
        Some(home.join(rest.trim_start_matches(['/', MAIN_SEPARATOR])))
    }
}

/// Why there is no place for indexes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// The machine knows no directory for what can be made anew.
    #[error("there is no cache directory for this person; say where with index.dir")]
    Nowhere,
    /// The place that was set depends on where a command runs.
    #[error(
        "index.dir is {directory:?}, which is not a whole path; give one that begins at the root, \
         or with ~/ for your home"
    )]
    NotWhole {
        /// The value that was set.
        directory: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn indexes(places: &UserDirectories, directory: &str) -> Result<PathBuf, PlaceError> {
        let (given, _) = foretell_settings::RawSettings::from_assignment(
            "--set",
            &format!("index.dir={directory}"),
        );
        places.indexes(&Settings::resolve(&[given]).0)
    }

    // Elsewhere a whole path has a drive.
    #[cfg(unix)]
    #[test]
    fn a_place_in_the_home_is_written_as_in_a_shell() {
        let places = UserDirectories {
            home: Some(PathBuf::from("/home/ada")),
            ..UserDirectories::default()
        };
        assert_eq!(indexes(&places, "~/i"), Ok(PathBuf::from("/home/ada/i")));
        assert_eq!(indexes(&places, "~"), Ok(PathBuf::from("/home/ada")));
        assert_eq!(indexes(&places, "/var/i"), Ok(PathBuf::from("/var/i")));
        let other = indexes(&places, "~bob/i");
        assert!(matches!(other, Err(PlaceError::NotWhole { .. })));
    }

    #[test]
    fn a_machine_without_directories_says_what_to_do() {
        let error = UserDirectories::default()
            .indexes(&Settings::default())
            .unwrap_err();
        assert!(error.to_string().ends_with("say where with index.dir"));
    }
}
