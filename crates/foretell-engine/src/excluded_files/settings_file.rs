//! Exclusions by the settings files of workspaces within a workspace: a repository in a repository, a
//! module that came with its own.
//!
//! Those of the workspace itself and of all around it are read when it is opened. Of those within
//! it is not known where they are, so that each is found when a file below it is asked about, as ignore
//! files are.
//!
//! One that cannot be understood, because it is being written perhaps, leaves what it said before; if
//! it never said anything that was understood, everything below it is excluded.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use foretell_context::ExclusionGlobs;
use foretell_settings::{Home, RawSettings, Settings};
use foretell_text::glob::{MOST_GLOBS_IN_SETTINGS, cost_of_glob};

use super::GlobScope;
use super::exclusion_rule::ExclusionRule;
use super::stat_cache::StatCache;
use crate::read_text::{is_absent, read_text_of_workspace};
use crate::user_settings_file::LARGEST_SETTINGS;
use crate::workspace::{SETTINGS_FILE, all_exclusions, hides_exclusions};

/// How many globs the settings files of all directories may have that a file is in, up to its
/// workspace.
const MOST_IN_A_ROW: usize = 2 * MOST_GLOBS_IN_SETTINGS;

/// The settings files of a disk, as far as they were asked for.
#[derive(Debug)]
pub(super) struct SettingsFiles {
    kept: StatCache<GlobScope>,
}

impl Default for SettingsFiles {
    fn default() -> Self {
        // A compiled glob with wildcards is as large as a long text.
        let weigh = |it: &GlobScope| 256 * (1 + it.globs.len());
        SettingsFiles {
            kept: StatCache::weighed(weigh),
        }
    }
}

impl SettingsFiles {
    /// The rule for a path in the settings files of all directories that it is in, up to the root of
    /// its workspace; what is in none is in all of them.
    pub(super) fn rule_for(
        &self,
        now: SystemTime,
        path: &Path,
        root: Option<&PathBuf>,
    ) -> Option<ExclusionRule> {
        let directories = path.ancestors().skip(1);
        let mut within = directories.take_while(|it| root.is_none_or(|root| *it != root));
        let mut globs = 0;
        within.find_map(|directory| {
            let below = path.strip_prefix(directory).ok()?;
            self.rule_in(now, directory, below, &mut globs)
        })
    }

    /// Returns the rule of a directory's settings file for a path below it; with how many globs those further
    /// down have.
    fn rule_in(
        &self,
        now: SystemTime,
        directory: &Path,
        below: &Path,
        globs: &mut usize,
    ) -> Option<ExclusionRule> {
        let path = directory.join(SETTINGS_FILE);
        let written = match fs::symlink_metadata(&path) {
            Ok(_) => self
                .kept
                .get(now, &path, |before| read(&path, directory, before)),
            Err(why) if is_absent(&why) => return None,
            Err(why) => Err(SettingsFileDoubt::from(why)),
        };
        match written {
            Ok(written) => {
                *globs += written
                    .globs
                    .iter()
                    .map(|glob| cost_of_glob(glob))
                    .sum::<usize>();
                if *globs > MOST_IN_A_ROW {
                    let file = path.display().to_string();
                    let why = format!(
                        "with those of the directories below it has more than {MOST_IN_A_ROW} globs"
                    );
                    return Some(ExclusionRule::Unclear { file, why });
                }
                written.rule_for(below)
            }
            Err(SettingsFileDoubt(why)) => {
                let file = path.display().to_string();
                Some(ExclusionRule::Unclear { file, why })
            }
        }
    }
}

/// Why it is unknown what a settings file was to exclude, in words.
struct SettingsFileDoubt(String);

impl From<io::Error> for SettingsFileDoubt {
    fn from(why: io::Error) -> Self {
        SettingsFileDoubt(why.to_string())
    }
}

/// Returns the exclusions of a settings file in its directory; or those of before, if they are not known now.
fn read(
    path: &Path,
    directory: &Path,
    before: Option<Arc<GlobScope>>,
) -> Result<Arc<GlobScope>, SettingsFileDoubt> {
    let made = globs_of(path).and_then(|globs| {
        let (names, faults) = ExclusionGlobs::new(&globs);
        match faults.first() {
            None => Ok(Arc::new(GlobScope::new(directory, names, &globs))),
            Some(why) => Err(why.to_string()),
        }
    });
    made.or_else(|why| before.ok_or(SettingsFileDoubt(why)))
}

fn globs_of(path: &Path) -> Result<Vec<String>, String> {
    let text =
        read_text_of_workspace(path, LARGEST_SETTINGS).map_err(|error| error.why.to_string())?;
    let name = SETTINGS_FILE;
    let (written, mut faults) = RawSettings::from_toml(Home::WorkspaceFile, name, &text);
    let (settings, more) = Settings::resolve(&[written]);
    faults.extend(more);
    match faults.iter().find(|it| hides_exclusions(it)) {
        Some(fault) => Err(fault.to_string()),
        None => Ok(all_exclusions(&settings)),
    }
}
