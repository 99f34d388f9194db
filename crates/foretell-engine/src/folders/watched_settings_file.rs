//! A settings file as a long-running server sees it: read again and again, also while somebody is
//! typing in it.
//!
//! What does not apply is said, and the rest applies. But what the file was to exclude must be known:
//! where it is not, because of a slip or because the file cannot be read, what was understood last
//! stays; and if nothing ever was, that is said too, and the owner of the file tells nothing to
//! anybody ([`SettingsFile::exclude`] is nothing).
//!
//! A file that is not there excludes nothing, and that is known. But it is no reading that could stand
//! in for one that is not understood.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_context::Exclusions;
use foretell_settings::{Home, RawSettings, Settings, SettingsFault, SettingsProblem};

use super::settings_sources::{Applies, SettingsSource};
use crate::read_text::{ReadError, Unreadable, is_absent, read_text, read_text_of_workspace};
use crate::terminal_safe::visible;
use crate::user_settings_file::{LARGEST_SETTINGS, after_unreadable};
use crate::workspace::{all_exclusions, hides_exclusions};

/// A settings file, and what is made of it.
#[derive(Clone, Debug)]
pub(super) struct SettingsFile {
    pub(super) path: PathBuf,
    pub(super) home: Home,
    /// What it sets, which may be what it did before.
    pub(super) settings: Option<RawSettings>,
    /// The globs of what it excludes; nothing, if that is unknown.
    pub(super) exclude: Option<Vec<String>>,
    /// Whether what it sets is what it did before, so that faults in that were said before, too.
    pub(super) is_held: bool,
    /// Whether the globs alone are those from before.
    holds_exclusions: bool,
    /// What is wrong with the file as a whole, in words.
    pub(super) problems: Vec<String>,
    /// How many settings in it do not apply.
    faults: usize,
}

/// What is in a file now.
enum Found {
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
            Found::Nothing => file.exclude = Some(Vec::new()),
            Found::Unreadable(why) => {
                let next = after_unreadable(&why.why);
                let says = file.hold(before, What::Everything);
                file.problems
                    .push(format!("{}; {says}: {next}", visible(why)));
            }
            Found::Read(settings, faults) => file.take(settings, &faults, before),
        }
        file
    }

    /// Takes what is in the file.
    fn take(&mut self, settings: RawSettings, faults: &[SettingsFault], before: Option<&Self>) {
        if let Some(broken) = faults.iter().find_map(broken) {
            let says = self.hold(before, What::Everything);
            self.problems.push(format!("{}; {says}", visible(broken)));
            return;
        }
        self.problems.extend(faults.iter().map(visible));
        let (resolved, more) = Settings::resolve(std::slice::from_ref(&settings));
        self.faults = faults.len() + more.len();
        let exclude = all_exclusions(&resolved);
        let bad_globs = Exclusions::new(&exclude).1;
        let place = place_of_exclude(&settings).unwrap_or_else(|| self.path.display().to_string());
        let bad_globs = bad_globs.iter().map(|it| visible(format!("{place}: {it}")));
        let problems = self.problems.len();
        self.problems.extend(bad_globs);
        let is_unclear = faults.iter().chain(&more).any(hides_exclusions);
        self.settings = Some(settings);
        if is_unclear || self.problems.len() > problems {
            let says = self.hold(before, What::Exclusions);
            let path = visible(self.path.display());
            self.problems.push(format!("{path}: {says}"));
        } else {
            self.exclude = Some(exclude)
        }
    }

    /// Lets what was understood last stay, if anything was; says what that comes to.
    fn hold(&mut self, before: Option<&Self>, what: What) -> &'static str {
        let known = before.and_then(|it| Some((it, it.exclude.clone()?)));
        match known {
            Some((before, exclude)) => {
                self.exclude = Some(exclude);
                match what {
                    What::Everything => {
                        self.settings = before.settings.clone();
                        self.is_held = true;
                        self.holds_exclusions = before.holds_exclusions;
                    }
                    What::Exclusions => self.holds_exclusions = true,
                }
                what.stays()
            }
            None => {
                "what it was to exclude is not known, so no model is told anything until that is \
                 corrected"
            }
        }
    }

    /// What it excluded before, if what it excludes now is not known though the rest of it is.
    pub(super) fn held_exclusions(&self) -> Option<&[String]> {
        self.exclude.as_deref().filter(|_| self.holds_exclusions)
    }

    /// What of it applies, for a person who asks.
    pub(super) fn source(&self) -> SettingsSource {
        let count = self.settings.iter().flat_map(RawSettings::names).count();
        let applies = match &self.settings {
            None if self.exclude.is_some() => Applies::Absent,
            None => Applies::Nothing,
            Some(_) if self.is_held => Applies::Before,
            Some(_) => Applies::Now {
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

/// What is not known of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Everything,
    Exclusions,
}

impl What {
    fn stays(self) -> &'static str {
        match self {
            What::Everything => "what it said before applies until that is corrected",
            What::Exclusions => "what it excluded before stays excluded until that is corrected",
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

fn found(path: &Path, home: Home) -> Found {
    match fs::symlink_metadata(path) {
        Err(why) if is_absent(&why) => return Found::Nothing,
        Err(why) => {
            let file = path.display().to_string();
            let why = Unreadable::Io(why);
            return Found::Unreadable(ReadError { file, why });
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
            Found::Read(settings, faults)
        }
        Err(why) => Found::Unreadable(why),
    }
}

/// Where globs are written first.
fn place_of_exclude(settings: &RawSettings) -> Option<String> {
    let mut names = settings.names();
    let named = names.find(|(name, _)| name.ends_with("context.exclude"));
    named.map(|(_, origin)| origin.to_string())
}
