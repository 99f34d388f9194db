//! A settings file as a long-running server sees it: read again and again, also while a person is
//! typing in it.
//!
//! A setting that does not apply is reported, and the rest applies. But the file's exclusions must be known:
//! where they are not, because of a slip or because the file cannot be read, those that were understood
//! last stay; and if nothing ever was, that is said too, and the owner of the file tells nothing to
//! others ([`SettingsFile::exclude`] is nothing).
//!
//! A file that is not there excludes nothing, and that is known. But it is no reading that could stand
//! in for one that is not understood.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_context::ExclusionGlobs;
use foretell_settings::{Home, RawSettings, Settings, SettingsFault, SettingsProblem};

use super::settings_sources::{ApplicableSettings, SettingsSource};
use crate::read_text::{ReadError, ReadTextError, is_absent, read_text, read_text_of_workspace};
use crate::terminal_safe::visible;
use crate::user_settings_file::{LARGEST_SETTINGS, after_unreadable};
use crate::workspace::{all_exclusions, hides_exclusions};

/// A settings file, and what is made of it.
#[derive(Clone, Debug)]
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) home: Home,
    /// Its settings, which may be those of before.
    pub(super) settings: Option<RawSettings>,
    /// The globs of what it excludes; nothing, if that is unknown.
    pub(super) exclude: Option<Vec<String>>,
    /// Whether what it sets is what it did before, so that faults in that were said before, too.
    pub(super) is_held: bool,
    /// Whether the globs alone are those from before.
    holds_exclusions: bool,
    /// The fault of the file as a whole, in words.
    pub(super) problems: Vec<String>,
    /// How many settings in it do not apply.
    faults: usize,
}

/// The state of a file now.
enum FileState {
    Nothing,
    Read(RawSettings, Vec<SettingsFault>),
    Unreadable(ReadError),
}

impl SettingsFile {
    /// Reads one, which may have been read before.
    pub(super) fn read(path: &Path, home: Home, before: Option<&Self>) -> Self {
        let mut file = SettingsFile {
            path: path.to_owned(),
            home,
            settings: None,
            exclude: None,
            is_held: false,
            holds_exclusions: false,
            problems: Vec::new(),
            faults: 0,
        };
        let before = before.filter(|it| it.settings.is_some());
        match found(path, home) {
            FileState::Nothing => file.exclude = Some(Vec::new()),
            FileState::Unreadable(why) => {
                let next = after_unreadable(&why.why);
                let says = file.hold(before, UnknownPart::Everything);
                file.problems
                    .push(format!("{}; {says}: {next}", visible(why)));
            }
            FileState::Read(settings, faults) => file.take(settings, &faults, before),
        }
        file
    }

    /// Takes what is in the file.
    fn take(&mut self, settings: RawSettings, faults: &[SettingsFault], before: Option<&Self>) {
        if let Some(broken) = faults.iter().find_map(broken) {
            let says = self.hold(before, UnknownPart::Everything);
            self.problems.push(format!("{}; {says}", visible(broken)));
            return;
        }
        self.problems.extend(faults.iter().map(visible));
        let (resolved, more) = Settings::resolve(std::slice::from_ref(&settings));
        self.faults = faults.len() + more.len();
        let exclude = all_exclusions(&resolved);
        let bad_globs = ExclusionGlobs::new(&exclude).1;
        let place = place_of_exclude(&settings).unwrap_or_else(|| self.path.display().to_string());
        let bad_globs = bad_globs.iter().map(|it| visible(format!("{place}: {it}")));
        let problems = self.problems.len();
        self.problems.extend(bad_globs);
        let is_unclear = faults.iter().chain(&more).any(hides_exclusions);
        self.settings = Some(settings);
        if is_unclear || self.problems.len() > problems {
            let says = self.hold(before, UnknownPart::Exclusions);
            let path = visible(self.path.display());
            self.problems.push(format!("{path}: {says}"));
        } else {
            self.exclude = Some(exclude)
        }
    }

    /// Lets what was understood last stay, if anything was; says what that comes to.
    fn hold(&mut self, before: Option<&Self>, what: UnknownPart) -> &'static str {
        let known = before.and_then(|it| Some((it, it.exclude.clone()?)));
        match known {
            Some((before, exclude)) => {
                self.exclude = Some(exclude);
                match what {
                    UnknownPart::Everything => {
                        self.settings = before.settings.clone();
                        self.is_held = true;
                        self.holds_exclusions = before.holds_exclusions;
                    }
                    UnknownPart::Exclusions => self.holds_exclusions = true,
                }
                what.stays()
            }
            None => {
                "what it was to exclude is not known, so no model is told anything until that is \
                 corrected"
            }
        }
    }

    /// Returns its exclusions of before, if those of now are not known though the rest of it is.
    pub(super) fn held_exclusions(&self) -> Option<&[String]> {
        self.exclude.as_deref().filter(|_| self.holds_exclusions)
    }

    /// Returns the part of it that applies, for a person who asks.
    pub(super) fn source(&self) -> SettingsSource {
        let count = self.settings.iter().flat_map(RawSettings::names).count();
        let applies = match &self.settings {
            None if self.exclude.is_some() => ApplicableSettings::Absent,
            None => ApplicableSettings::Nothing,
            Some(_) if self.is_held => ApplicableSettings::Before,
            Some(_) => ApplicableSettings::Now {
                settings: count.saturating_sub(self.faults),
                faults: self.faults,
            },
        };
        SettingsSource {
            file: self.path.clone(),
            home: self.home,
            applies,
        }
    }
}

/// The part of a file that is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnknownPart {
    Everything,
    Exclusions,
}

impl UnknownPart {
    fn stays(self) -> &'static str {
        match self {
            UnknownPart::Everything => "what it said before applies until that is corrected",
            UnknownPart::Exclusions => {
                "what it excluded before stays excluded until that is corrected"
            }
        }
    }
}

/// A fault because of which nothing of a text is understood, without what becomes of it.
fn broken(fault: &SettingsFault) -> Option<String> {
    let SettingsFault { origin, problem } = fault;
    match problem {
        SettingsProblem::Syntax { format, message } => {
            Some(format!("{origin}: not valid {format}: {message}"))
        }
        _ => None,
    }
}

fn found(path: &Path, home: Home) -> FileState {
    match fs::symlink_metadata(path) {
        Err(why) if is_absent(&why) => return FileState::Nothing,
        Err(why) => {
            let file = path.display().to_string();
            let why = ReadTextError::Io(why);
            return FileState::Unreadable(ReadError { file, why });
        }
        Ok(_) => {}
    }
    let text = match home {
        Home::WorkspaceFile => read_text_of_workspace(path, LARGEST_SETTINGS),
        _ => read_text(path, LARGEST_SETTINGS),
    };
    match text {
        Ok(text) => {
            let name = path.display().to_string();
            let (settings, faults) = RawSettings::from_toml(home, &name, &text);
            FileState::Read(settings, faults)
        }
        Err(why) => FileState::Unreadable(why),
    }
}

/// Where globs are written first.
fn place_of_exclude(settings: &RawSettings) -> Option<String> {
    let mut names = settings.names();
    let named = names.find(|(name, _)| name.ends_with("context.exclude"));
    named.map(|(_, origin)| origin.to_string())
}
