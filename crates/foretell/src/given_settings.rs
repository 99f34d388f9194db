//! The settings that a person gives on the command line, for every command that takes some.
//!
//! Flags and variables are meant, so a fault in one ends the command, unlike one in a file that
//! happens to lie about. Such a file is the person's own, which commands that look at a workspace
//! read below all that; a file that is named on the command line stands in its place. Between the two
//! is the environment. A replay reads neither, so that it says the same for everybody.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use foretell_engine::user_settings_file::NotApplied;
use foretell_engine::{FileWorkspaces, OwnFile, UserDirectories};
use foretell_settings::{Home, RawSettings, Settings, SettingsFault};

use crate::environment;
use crate::failure::{CommandFailure, warn};

/// A file of settings, and single ones.
#[derive(Args)]
pub(crate) struct GivenSettings {
    /// Read settings from a file, TOML or JSON, instead of your own config.toml
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Set one setting; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl GivenSettings {
    /// The settings of the flags, below them those of the environment, and below them those of the person's
    /// own file; faults of the latter two are said. This is for commands that send nothing.
    pub(crate) fn with_own(&self) -> Result<Vec<RawSettings>, CommandFailure> {
        let (given, not_applied) = self.with_own_to_check()?;
        not_applied.problems().iter().for_each(warn);
        Ok(given)
    }

    /// The same for a command that may send something, which checks it when all settings are known.
    pub(crate) fn with_own_to_check(
        &self,
    ) -> Result<(Vec<RawSettings>, NotApplied), CommandFailure> {
        let given = self.read()?;
        let (own, not_applied) = match self.file() {
            Some(_) => (None, NotApplied::default()),
            None => OwnFile::read(&UserDirectories::of_platform()).settings()?,
        };
        let (variables, mut faults) = environment::read();
        let sources = own.into_iter().chain([variables]).chain(given);
        let sources: Vec<_> = sources.collect();
        faults.extend(environment::unfit(&sources));
        environment::warn_of(faults)?;
        Ok((sources, not_applied))
    }

    /// The file that was named, which stands in the place of the person's own.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.settings.as_deref()
    }

    /// The settings of the flags, the strongest last.
    pub(crate) fn read(&self) -> Result<Vec<RawSettings>, CommandFailure> {
        given(self.settings.as_deref(), &self.set)
    }
}

/// The settings of a file and of `--set`, the strongest last.
pub(crate) fn given(
    file: Option<&Path>,
    set: &[String],
) -> Result<Vec<RawSettings>, CommandFailure> {
    let file = file.map(read_file).transpose()?;
    meant(file.into_iter().chain(set.iter().map(assigned_by)))
}

/// The settings that apply in a workspace, and what of them contradicts each other. Faults of
/// variables were reported when they were read.
pub(crate) fn in_workspace(
    workspaces: &FileWorkspaces,
    given: Vec<RawSettings>,
) -> (Settings, Vec<SettingsFault>) {
    let said = environment::unfit(&given);
    let (settings, mut faults) = workspaces.resolve(given);
    faults.retain(|it| !said.contains(it));
    (settings, faults)
}

/// The settings of `--set`, in a command that takes no file.
pub(crate) fn assigned(set: &[String]) -> Result<Vec<RawSettings>, CommandFailure> {
    meant(set.iter().map(assigned_by))
}

fn assigned_by(assignment: impl AsRef<str>) -> (RawSettings, Vec<SettingsFault>) {
    RawSettings::from_assignment("--set", assignment.as_ref())
}

/// Sources that somebody wrote on the command line, all of which must apply.
fn meant(
    read: impl Iterator<Item = (RawSettings, Vec<SettingsFault>)>,
) -> Result<Vec<RawSettings>, CommandFailure> {
    let (sources, faults): (Vec<_>, Vec<_>) = read.unzip();
    let mut faults: Vec<SettingsFault> = faults.into_iter().flatten().collect();
    faults.extend(Settings::resolve(&sources).1);
    if faults.is_empty() {
        Ok(sources)
    } else {
        Err(CommandFailure::BadSettings(faults))
    }
}

fn read_file(path: &Path) -> Result<(RawSettings, Vec<SettingsFault>), CommandFailure> {
    let name = path.display().to_string();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(why) => return Err(CommandFailure::Unreadable { name, why }),
    };
    let is_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    Ok(if is_json {
        RawSettings::from_json(Home::UserFile, &name, &text)
    } else {
        RawSettings::from_toml(Home::UserFile, &name, &text)
    })
}
