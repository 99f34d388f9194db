//! Settings: who sets them, and everything in them that does not apply.
//!
//! Other commands stop where it is not known what was to be excluded; here that is a finding, and
//! the rest is looked at all the same, since nothing of any file is told to anybody.

use std::path::{Path, PathBuf};

use foretell_engine::workspace::SETTINGS_FILE;
use foretell_engine::{ExactTokens, ExclusionRule, FileWorkspaces, OwnFile, UserDirectories};
use foretell_settings::{RawSettings, Settings, SettingsFault};
use foretell_text::FilePath;

use super::doctor_report::{DoctorFinding, FindingVerdict};
use crate::environment;
use crate::failure::CommandFailure;
use crate::given_settings::{GivenSettings, in_workspace};

const YOURS: &str = "yours";
const WORKSPACE: &str = "workspace";
const VARIABLES: &str = "variables";
/// Faults of none of them alone.
const TOGETHER: &str = "together";

/// The settings that apply, and what was found on the way to them.
pub(super) struct SettingsSources {
    pub(super) settings: Settings,
    pub(super) findings: Vec<DoctorFinding>,
    /// Where the workspace begins.
    pub(super) root: PathBuf,
    /// Where the person's own settings are, or would be.
    pub(super) own: Option<PathBuf>,
}

impl SettingsSources {
    /// Those of a directory.
    pub(super) fn of(directory: &Path, flags: &GivenSettings) -> Result<Self, CommandFailure> {
        let given = flags.read()?;
        let mut findings = Vec::new();
        let own = OwnFile::read(&UserDirectories::of_platform());
        let path = own.path().map(Path::to_owned);
        let own = if flags.file().is_some() {
            let says = "not read, since --settings names another file";
            findings.push(DoctorFinding::new(FindingVerdict::Off, YOURS, says));
            None
        } else {
            found_own(own, &mut findings)
        };
        let mut found = SettingsSources {
            settings: Settings::default(),
            findings,
            root: directory.to_owned(),
            own: path,
        };
        let (variables, faults) = environment::read();
        let set_by_variables = variables.names().count();
        let all = own.into_iter().chain([variables]);
        let all: Vec<_> = all.chain(given.iter().cloned()).collect();
        let unfit = environment::unfit(&all);
        let here = std::env::current_dir().unwrap_or_default();
        match FileWorkspaces::of_directory(directory, &here) {
            Ok(workspaces) => found.add_workspaces(&workspaces, all),
            Err(why) => {
                found.add_wrong(WORKSPACE, CommandFailure::from(why).problems());
                found.settings = Settings::resolve(&all).0;
            }
        }
        found.add_variables(set_by_variables, &unfit);
        found.add_wrong(VARIABLES, faults.iter().map(ToString::to_string).collect());
        let mut given = given.iter().map(|it| it.names().count());
        if let Some(file) = flags.file() {
            let count = given.next().unwrap_or_default();
            found.findings.push(read("--settings", file, count));
        }
        let count: usize = given.sum();
        if count > 0 {
            let says = settings_in_words(count);
            let finding =
                DoctorFinding::new(FindingVerdict::Well, "--set", says).with("count", count);
            found.findings.push(finding);
        }
        found.add_tokenizer();
        Ok(found)
    }

    fn add_workspaces(&mut self, workspaces: &FileWorkspaces, all: Vec<RawSettings>) {
        self.root = workspaces.root.clone();
        let file = self.root.join(SETTINGS_FILE);
        match workspaces.settings_file() {
            Some((path, count)) => {
                let name = path.display().to_string();
                let faults = workspaces.faults.iter();
                let faults = faults.filter(|it| it.origin.source == name).count();
                let found = read_in_part(WORKSPACE, &path, count, faults);
                self.findings.extend(found);
            }
            None => self.findings.push(absent(WORKSPACE, &file)),
        }
        let faults = workspaces.faults.iter().map(ToString::to_string);
        self.add_wrong(WORKSPACE, faults.collect());
        let (settings, faults) = in_workspace(workspaces, all);
        self.settings = settings;
        self.add_wrong(TOGETHER, faults.iter().map(ToString::to_string).collect());
        let home = UserDirectories::of_platform().home;
        match workspaces.excluded(&self.settings.context.exclude, home.as_deref()) {
            Err(why) => self.add_wrong("exclude", CommandFailure::from(why).problems()),
            // Any file will do that nothing else excludes.
            Ok(excluded) => {
                let why = excluded.why(&FilePath::new("any")).map(|it| it.rule);
                if let Some(rule @ ExclusionRule::Unclear { .. }) = why {
                    let says =
                        format!("{rule}, so that no model is told anything of this workspace");
                    let wrong = DoctorFinding::new(FindingVerdict::Wrong, "exclude", says);
                    self.findings.push(wrong.next("Correct that file"));
                }
            }
        }
    }

    /// The environment, if it sets anything.
    fn add_variables(&mut self, count: usize, unfit: &[SettingsFault]) {
        let applied = count.saturating_sub(unfit.len());
        if applied > 0 {
            let says = settings_in_words(applied);
            let finding =
                DoctorFinding::new(FindingVerdict::Well, VARIABLES, says).with("count", applied);
            self.findings.push(finding);
        }
        self.add_wrong(VARIABLES, unfit.iter().map(ToString::to_string).collect());
    }

    fn add_tokenizer(&mut self) {
        let Some(path) = &self.settings.context.tokenizer else {
            return;
        };
        let about = "tokenizer";
        self.findings
            .push(match ExactTokens::load(Path::new(path)) {
                Ok(_) => DoctorFinding::new(FindingVerdict::Well, about, path.as_str()),
                Err(why) => DoctorFinding::new(FindingVerdict::Wrong, about, why.to_string())
                    .next("Correct context.tokenizer, or leave it out to estimate"),
            });
    }

    fn add_wrong(&mut self, about: &str, problems: Vec<String>) {
        let wrong = |it| DoctorFinding::new(FindingVerdict::Wrong, about, it);
        self.findings.extend(problems.into_iter().map(wrong));
    }
}

/// The settings of the person's own file.
fn found_own(own: OwnFile, findings: &mut Vec<DoctorFinding>) -> Option<RawSettings> {
    findings.extend(match &own {
        OwnFile::Nowhere => {
            let says = "this machine has no place for them: set HOME";
            Some(DoctorFinding::new(FindingVerdict::Note, YOURS, says))
        }
        OwnFile::Absent(path) => Some(absent(YOURS, path)),
        OwnFile::Read {
            path,
            settings,
            faults,
        } => read_in_part(YOURS, path, settings.names().count(), faults.len()),
        // A fault says so itself.
        OwnFile::Unreadable { .. } => None,
    });
    let problems = own.problems().into_iter();
    findings.extend(problems.map(|it| DoctorFinding::new(FindingVerdict::Wrong, YOURS, it)));
    match own {
        OwnFile::Read { settings, .. } => Some(settings),
        _ => None,
    }
}

fn read(about: &str, path: &Path, count: usize) -> DoctorFinding {
    let says = format!("{} in {}", settings_in_words(count), path.display());
    DoctorFinding::new(FindingVerdict::Well, about, says)
        .with("file", path.display().to_string())
        .with("count", count)
}

/// A file of which something does not apply; nothing is said here if nothing does.
fn read_in_part(about: &str, path: &Path, count: usize, faults: usize) -> Option<DoctorFinding> {
    let applied = count.saturating_sub(faults);
    let is_any = applied > 0 || faults == 0;
    is_any.then(|| read(about, path, applied))
}

fn absent(about: &str, path: &Path) -> DoctorFinding {
    let says = format!("there is no {}", path.display());
    DoctorFinding::new(FindingVerdict::Off, about, says).with("file", path.display().to_string())
}

fn settings_in_words(count: usize) -> String {
    match count {
        1 => "1 setting".to_owned(),
        count => format!("{count} settings"),
    }
}
