//! The person's own settings file, which every workspace is looked at with.
//!
//! The file happens to lie there, unlike one that is named on a command line: what is wrong in it is
//! said, and the rest applies. Only what was to be excluded must be understood, since no one could
//! tell what would be told otherwise: where nothing of the file is, no model is asked.
//!
//! Absent on purpose: where it lies ([`UserDirectories`]), and printing anything.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_settings::{Home, RawSettings, Settings, SettingsFault, SettingsProblem};
use foretell_text::{DecodeError, LaneKind};

use crate::directories::UserDirectories;
use crate::read_text::{ReadError, ReadTextError, is_absent, read_text};
use crate::terminal_safe::{in_one_line, visible};
use crate::workspace::hides_exclusions;

/// How large a settings file may be, in bytes.
pub const LARGEST_SETTINGS: u64 = 1 << 20;

/// The person's own settings file, as it was found.
#[derive(Debug)]
pub enum OwnFile {
    /// This machine knows no place for one.
    Nowhere,
    /// There is none.
    Absent(PathBuf),
    /// It was read, and so much of it does not apply.
    Read {
        /// Where it is.
        path: PathBuf,
        /// The settings in it.
        settings: RawSettings,
        /// Those of them that do not apply.
        faults: Vec<SettingsFault>,
    },
    /// It is there, and cannot be understood.
    Unreadable {
        /// Where it is.
        path: PathBuf,
        /// Why it cannot be read.
        why: ReadError,
    },
}

impl OwnFile {
    /// Reads it, if there is a place for one.
    pub fn read(places: &UserDirectories) -> Self {
        match &places.config_file {
            Some(path) => OwnFile::at(path.clone()),
            None => OwnFile::Nowhere,
        }
    }

    fn at(path: PathBuf) -> Self {
        match fs::symlink_metadata(&path) {
            Err(why) if is_absent(&why) => return OwnFile::Absent(path),
            // A file that cannot be looked at cannot be read either, which says why.
            _ => {}
        }
        let text = match read_text(&path, LARGEST_SETTINGS) {
            Ok(text) => text,
            Err(why) => return OwnFile::Unreadable { path, why },
        };
        let name = path.display().to_string();
        let (settings, mut faults) = RawSettings::from_toml(Home::UserFile, &name, &text);
        faults.extend(Settings::resolve(std::slice::from_ref(&settings)).1);
        OwnFile::Read {
            path,
            settings,
            faults,
        }
    }

    /// Returns its settings, and those that do not apply, to be reported.
    pub fn settings(self) -> Result<(Option<RawSettings>, NotApplied), OwnError> {
        if let Some(faults) = self.hidden_exclusions() {
            return Err(OwnError::Faults(faults));
        }
        let not_applied = NotApplied {
            problems: self.problems(),
            is_everything: self.is_lost(),
        };
        match self {
            OwnFile::Read { settings, .. } => Ok((Some(settings), not_applied)),
            OwnFile::Nowhere | OwnFile::Absent(_) | OwnFile::Unreadable { .. } => {
                Ok((None, not_applied))
            }
        }
    }

    /// Everything that is wrong with it, and what to do.
    pub fn problems(&self) -> Vec<String> {
        match self {
            OwnFile::Nowhere | OwnFile::Absent(_) => Vec::new(),
            OwnFile::Read { faults, .. } => faults.iter().map(visible).collect(),
            OwnFile::Unreadable { why, .. } => {
                let next = after_unreadable(&why.why);
                vec![format!(
                    "{}; none of your settings apply: {next}",
                    visible(why)
                )]
            }
        }
    }

    /// Whether it is there and nothing in it applies, what it was to exclude included.
    fn is_lost(&self) -> bool {
        match self {
            OwnFile::Nowhere | OwnFile::Absent(_) => false,
            OwnFile::Read { faults, .. } => faults.iter().any(is_syntax),
            OwnFile::Unreadable { .. } => true,
        }
    }

    /// The faults because of which it is unknown what it was to exclude, though the rest of it would
    /// apply. Where nothing in it applies, it names no server either: whether another one is named
    /// is known once all settings are, and that is [`NotApplied::check`].
    fn hidden_exclusions(&self) -> Option<Vec<SettingsFault>> {
        let OwnFile::Read { faults, .. } = self else {
            return None;
        };
        let is_unknown = |fault: &SettingsFault| hides_exclusions(fault) && !is_syntax(fault);
        faults.iter().any(is_unknown).then(|| faults.clone())
    }

    /// Where it is, or would be.
    pub fn path(&self) -> Option<&Path> {
        match self {
            OwnFile::Nowhere => None,
            OwnFile::Absent(path)
            | OwnFile::Read { path, .. }
            | OwnFile::Unreadable { path, .. } => Some(path),
        }
    }
}

/// The settings of the person's own file that do not apply.
#[derive(Debug, Default)]
pub struct NotApplied {
    problems: Vec<String>,
    is_everything: bool,
}

impl NotApplied {
    /// Everything of it in words, for a command that sends nothing anywhere.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The same, unless something could be sent by these settings: the file may have excluded what is
    /// asked about, and flags may name a server without it.
    pub fn check(self, settings: &Settings) -> Result<Vec<String>, OwnError> {
        if self.is_everything && settings.all_languages().any(may_send) {
            Err(OwnError::UnknownExclusions(self.problems))
        } else {
            Ok(self.problems)
        }
    }
}

/// Why nothing can be done with the person's own file as it is.
#[derive(Debug, thiserror::Error)]
pub enum OwnError {
    /// Its exclusions cannot be understood, though the rest would apply.
    #[error("{}", in_one_line(.0))]
    Faults(Vec<SettingsFault>),
    /// Nothing in it can be understood, and a model could be asked.
    #[error("{}", in_one_line(.0))]
    UnknownExclusions(Vec<String>),
}

fn may_send(settings: &Settings) -> bool {
    let mut lanes = LaneKind::ALL.map(|it| settings.lanes.of(it)).into_iter();
    lanes.any(|lane| lane.enabled && lane.tells_others())
}

pub(crate) fn is_syntax(fault: &SettingsFault) -> bool {
    matches!(fault.problem, SettingsProblem::Syntax { .. })
}

/// Says what to do about a settings file that cannot be read.
pub(crate) fn after_unreadable(why: &ReadTextError) -> &'static str {
    match why {
        ReadTextError::Io(_) => "check that you may read it",
        ReadTextError::Directory
        | ReadTextError::NotAFile
        | ReadTextError::Link
        | ReadTextError::NotText(DecodeError::Binary) => {
            "put a file with settings there, or nothing"
        }
        ReadTextError::TooLarge { .. } => "make it smaller",
        ReadTextError::NotText(DecodeError::NotUtf8 { .. }) => "save it as UTF-8",
    }
}
