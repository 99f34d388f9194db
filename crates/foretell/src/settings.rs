//! The settings that a person gives on the command line, for every command that takes some.
//!
//! What was written there is meant, so a fault in it ends the command, unlike one in a file that
//! happens to lie about.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_settings::{Fault, Home, RawSettings, Settings};

use crate::failure::Failure;

/// A file of settings, and single ones.
#[derive(Args)]
pub(crate) struct GivenSettings {
    /// Read settings from a file, TOML or JSON
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Set one setting; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl GivenSettings {
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
