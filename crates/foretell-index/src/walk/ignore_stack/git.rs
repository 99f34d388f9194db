//! Where the directory of a repository keeps what it excludes for one person: `info/exclude`.
//!
//! `.git` is a directory, or a file that names one, as in a worktree; that one may name another, which
//! all worktrees share. Each of these files has one line, and comes in through the door.

use std::path::{Component, Path, PathBuf};

use crate::build_progress::FileFault;
use crate::door::{DoorRefusal, LinkPolicy, read_plain};

/// How long a file may be that names a directory, in bytes.
const LONGEST: u64 = 4 << 10;

/// The file with what the repository that begins at a directory excludes; nothing, if none begins
/// there. Whether there is such a file is not looked at.
pub(super) fn exclude_file_of(directory: &Path) -> Result<Option<PathBuf>, FileFault> {
    let git = directory.join(".git");
    let Ok(metadata) = git.symlink_metadata() else {
        return Ok(None);
    };
    if metadata.is_dir() || (metadata.is_symlink() && git.is_dir()) {
        return Ok(Some(git.join("info/exclude")));
    }
    let named = named_in(&git)?;
    let Some(named) = named.as_deref().and_then(|it| it.strip_prefix("gitdir: ")) else {
        return Ok(None);
    };
    let Some(own) = local(directory, named) else {
        return Ok(None);
    };
    let shared = named_in(&own.join("commondir"))?;
    let shared = shared.and_then(|it| local(&own, &it));
    Ok(shared.map(|it| it.join("info/exclude")))
}

/// The first line of a file that names a directory; nothing, if there is none.
fn named_in(path: &Path) -> Result<Option<String>, FileFault> {
    let bytes = match read_plain(path, LONGEST, LinkPolicy::Refused) {
        Ok(bytes) => bytes,
        Err(DoorRefusal::Io(why)) if super::is_absent(&why) => return Ok(None),
        Err(why) => return Err(FileFault::from(why)),
    };
    let text = String::from_utf8(bytes).ok();
    let line = text.as_deref().and_then(|it| it.lines().next());
    Ok(line.filter(|it| !it.is_empty()).map(str::to_owned))
}

/// A directory by its name from another one, unless it is on another machine: asking for that alone
/// would tell it who asks.
fn local(from: &Path, name: &str) -> Option<PathBuf> {
    let path = from.join(name);
    let is_remote = match path.components().next() {
        Some(Component::Prefix(prefix)) => !matches!(
            prefix.kind(),
            std::path::Prefix::Disk(_) | std::path::Prefix::VerbatimDisk(_)
        ),
        _ => false,
    };
    (!is_remote).then_some(path)
}
