//! Settings that an editor sends: whether they are the person's, and whether a model may be asked by
//! them.
//!
//! An editor mixes what the person has set with what a repository's own settings for the editor say,
//! and they cannot be told apart in what it sends. So the files of that kind which we know are looked
//! at (`editor/foreign.rs`). A setting that a repository has there with the same value as the editor sends, and
//! would not be allowed to in its `.foretell.toml`, is *contested*: it is not taken from the editor, and
//! since it is not known what the person has set instead, no model is asked until that is cleared up. The
//! same holds for everything of that kind where such a file cannot be understood: the editor may be
//! less strict about it than we are.
//!
//! A contested setting stays so until the editor sends its settings anew: a repository that is at another
//! commit by now may still be in them.
//!
//! Absent on purpose: how an editor says something, which the code that speaks its protocol reads.

mod foreign;

use std::collections::BTreeMap;
use std::path::PathBuf;

use foretell_settings::{Home, HomePermission, RawSettings, settings_table};

use self::foreign::ForeignFile;

/// The settings that the editor has sent.
#[derive(Clone, Debug, Default)]
pub struct EditorSettings {
    /// To begin with.
    options: Option<RawSettings>,
    /// Later, which is stronger. Many editors send something empty to begin with, so that it does not
    /// stand in the place of the options.
    configuration: Option<RawSettings>,
    /// Those of them that were found to be contested.
    contested: UntrustedSettings,
}

/// Settings of the editor's that may be a repository's word, and what to say of each.
#[derive(Clone, Debug, Default)]
pub struct UntrustedSettings(BTreeMap<String, String>);

/// The settings besides files, without those that may be a repository's word.
#[derive(Debug)]
pub struct SiftedSettings {
    /// The settings, the weakest first.
    pub settings: Vec<RawSettings>,
    /// Those that were left out.
    pub contested: UntrustedSettings,
}

impl EditorSettings {
    /// Begins with the editor's first settings, if it sent any.
    pub fn with_options(says: Option<RawSettings>) -> Self {
        EditorSettings {
            options: says,
            ..EditorSettings::default()
        }
    }

    /// Takes what the editor says later, which stands in the place of what it said last.
    pub fn configure(&mut self, says: Option<RawSettings>) {
        self.configuration = says;
        self.contested = UntrustedSettings::default();
    }

    /// All of it, the weakest first.
    pub fn settings(&self) -> impl Iterator<Item = &RawSettings> {
        self.options.iter().chain(&self.configuration)
    }

    /// Takes note of what was found to be contested.
    pub fn contest(&mut self, contested: &UntrustedSettings) {
        let contested = contested.0.clone().into_iter();
        self.contested.0.extend(contested);
    }

    /// Returns all settings, these included, without those that may be the word of the folders'
    /// repositories. Blocking: it reads files.
    pub fn sift(&self, folders: &[PathBuf], mut given: Vec<RawSettings>) -> SiftedSettings {
        let UntrustedSettings(mut contested) = self.contested.clone();
        let said = self.settings().flat_map(|it| {
            let names = it.names().chain(it.unset());
            names.map(move |(name, _)| (it, name))
        });
        // A setting that a workspace may set is no secret, and one that a stronger word sets is known.
        let is_overruled = |name: &str| {
            let mut stronger = given.iter().filter(|it| it.home() > Home::Editor);
            stronger.any(|it| it.names().any(|(it, _)| it == name))
        };
        let reaching: Vec<(&RawSettings, &str)> = said
            .filter(|(_, name)| !may_set(name) && !is_overruled(name))
            .collect();
        if !reaching.is_empty() {
            for file in foreign::files(folders) {
                let foreign = ForeignFile::read(&file);
                for (settings, name) in &reaching {
                    if let Some(words) = foreign.contests(settings, name) {
                        contested.insert((*name).to_owned(), words);
                    }
                }
            }
        }
        contested.retain(|name, _| reaching.iter().any(|(_, it)| it == name));
        for settings in given.iter_mut().filter(|it| it.home() == Home::Editor) {
            *settings = settings.without(|name| contested.contains_key(name));
        }
        SiftedSettings {
            settings: given,
            contested: UntrustedSettings(contested),
        }
    }
}

impl UntrustedSettings {
    /// The words for each.
    pub fn words(&self) -> impl Iterator<Item = &String> {
        self.0.values()
    }
}

/// Whether a workspace file may say what a setting is, which may be for one language.
fn may_set(name: &str) -> bool {
    settings_table::for_any_language(name)
        .is_some_and(|(it, _)| it.homes.permission(Home::WorkspaceFile) == HomePermission::Set)
}

#[cfg(test)]
mod tests;
