//! The settings that a person gives on the command line, for every command that takes some.
//!
//! What was written there is meant, so a fault in it ends the command, unlike one in a file that
//! happens to lie about. Such a file is the person's own, which commands that look at a workspace
//! read below all that; a file that is named on the command line stands in its place.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_settings::{Fault, Home, RawSettings, Settings};

use crate::failure::Failure;
use crate::own::{NotApplied, OwnFile};

/// A file of settings, and single ones.
#[derive(Args)]
pub(crate) struct GivenSettings {
    /// Read settings from a file, TOML or JSON, instead of from your own config.toml
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Set one setting; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl GivenSettings {
    /// What the flags set, and below that what the person's own file does; what does not apply of
    /// that is said. This is for commands that send nothing.
    pub(crate) fn with_own(&self) -> Result<Vec<RawSettings>, Failure> {
        let (given, not_applied) = self.with_own_to_check()?;
        not_applied.warn();
        Ok(given)
    }

    /// The same for a command that may send something, which checks it when all settings are known.
    pub(crate) fn with_own_to_check(&self) -> Result<(Vec<RawSettings>, NotApplied), Failure> {
        let given = self.read()?;
        if self.file().is_some() {
            return Ok((given, NotApplied::default()));
        }
        let (own, not_applied) = OwnFile::read().settings()?;
        Ok((own.into_iter().chain(given).collect(), not_applied))
    }

    /// The file that was named, which stands in the place of the person's own.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.settings.as_deref()
    }

    /// What the flags set, the strongest last.
    pub(crate) fn read(&self) -> Result<Vec<RawSettings>, Failure> {
        let mut sources = Vec::new();
        let mut faults = Vec::new();
        if let Some(path) = &self.settings {
            let (source, found) = read_file(path)?;
            sources.push(source);
            faults.extend(found);
        }
        for assignment in &self.set {
            let (source, found) = RawSettings::from_assignment("--set", assignment);
            sources.push(source);
            faults.extend(found);
        }
        faults.extend(Settings::resolve(&sources).1);
        match faults.is_empty() {
            true => Ok(sources),
            false => Err(Failure::BadSettings(faults)),
        }
    }
}

fn read_file(path: &Path) -> Result<(RawSettings, Vec<Fault>), Failure> {
    let name = path.display().to_string();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => return Err(Failure::Unreadable { name, why }),
    };
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    Ok(match is_json {
        true => RawSettings::from_json(Home::UserFile, &name, &text),
        false => RawSettings::from_toml(Home::UserFile, &name, &text),
    })
}
