//! The names that a disk has for one file.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::exclusion_rule::ExclusionRule;
use super::stat_cache::StatCache;

/// How many links a path may lead through. Systems stop at forty.
const MOST_LINKS: usize = 64;
/// How many files a directory may have for hard links in it to be looked for.
const MOST_SIBLINGS: usize = 10_000;

/// The names on the way to where a path leads: one for each link, with what follows it.
///
/// The way is taken as the system takes it, where `..` leaves the directory that a link led to.
pub(super) fn steps(path: &Path) -> Vec<PathBuf> {
    let mut names = Vec::new();
    let (mut here, mut rest) = (PathBuf::new(), path.to_owned());
    while names.len() < MOST_LINKS {
        let mut parts = rest.components();
        let Some(part) = parts.next() else { break };
        let after = parts.as_path().to_owned();
        rest = match part {
            Component::CurDir => after,
            Component::ParentDir => {
                here.pop();
                after
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                let next = here.join(part);
                match fs::read_link(&next) {
                    Ok(target) => {
                        names.push(plain(&below(&next, &after)));
                        below(&target, &after)
                    }
                    Err(_) => {
                        here = next;
                        after
                    }
                }
            }
        };
    }
    names
}

/// Where a file really is. One that does not exist is where its directory really is.
pub(super) fn really(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Some(real);
    }
    let directory = fs::canonicalize(path.parent()?).ok()?;
    Some(directory.join(path.file_name()?))
}

/// The hard links of a disk, as far as they were asked for.
#[derive(Debug, Default)]
pub(super) struct HardLinks {
    by_directory: StatCache<Linked>,
}

/// The names of each file in a directory that has more names than one.
type Linked = BTreeMap<(u64, u64), Vec<PathBuf>>;

impl HardLinks {
    /// The names that a file has in its directory, if it has more than one anywhere.
    #[cfg(unix)]
    pub(super) fn of(&self, now: SystemTime, path: &Path) -> Result<Vec<PathBuf>, ExclusionRule> {
        let linked = fs::symlink_metadata(path).ok();
        let identity = linked.and_then(|metadata| identity_of_linked(&metadata));
        let (Some(identity), Some(directory)) = (identity, path.parent()) else {
            return Ok(Vec::new());
        };
        let linked = self
            .by_directory
            .get(now, directory, |_| list(directory).map(Arc::new));
        match linked {
            Ok(linked) => Ok(linked.get(&identity).cloned().unwrap_or_default()),
            Err(UnknownLinks::TooMany) => Err(ExclusionRule::TooManySiblings {
                directory: directory.display().to_string(),
            }),
            Err(UnknownLinks::Io(why)) => Err(ExclusionRule::Unclear {
                file: directory.display().to_string(),
                why: why.to_string(),
            }),
        }
    }

    /// Elsewhere that is unknown.
    #[cfg(not(unix))]
    pub(super) fn of(&self, _: SystemTime, _: &Path) -> Result<Vec<PathBuf>, ExclusionRule> {
        Ok(Vec::new())
    }
}

/// Why the hard links in a directory are unknown.
enum UnknownLinks {
    TooMany,
    Io(io::Error),
}

impl From<io::Error> for UnknownLinks {
    fn from(why: io::Error) -> Self {
        UnknownLinks::Io(why)
    }
}

#[cfg(unix)]
fn list(directory: &Path) -> Result<Linked, UnknownLinks> {
    let mut linked = Linked::new();
    for (index, sibling) in fs::read_dir(directory)?.enumerate() {
        if index >= MOST_SIBLINGS {
            return Err(UnknownLinks::TooMany);
        }
        let sibling = sibling?;
        let metadata = match sibling.metadata() {
            Ok(metadata) => metadata,
            Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
            Err(why) => return Err(why.into()),
        };
        if let Some(identity) = identity_of_linked(&metadata) {
            linked.entry(identity).or_default().push(sibling.path());
        }
    }
    Ok(linked)
}

/// Which file of which disk it is, if it is a file that has more names than one.
#[cfg(unix)]
fn identity_of_linked(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;

    let is_linked = metadata.is_file() && metadata.nlink() > 1;
    is_linked.then(|| (metadata.dev(), metadata.ino()))
}

/// A path below another. Joining nothing would put a `/` behind the name.
pub(super) fn below(path: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() {
        path.to_owned()
    } else {
        path.join(below)
    }
}

/// A path without `.` and `..`.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A path with `/` between its parts.
pub(super) fn slashed(path: &Path) -> String {
    let path = path.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => path.into_owned(),
        separator => path.replace(separator, "/"),
    }
}
