//! All the indexes that are kept in one place: which there are, and deleting them.
//!
//! Each workspace has a directory of its own, named after it, after the format of what is in it, and
//! after a hash of where it is: two workspaces of the same name do not meet, nor do two versions that
//! write other formats. Only directories with such a name and with an index in them count; whatever
//! else somebody keeps there is neither listed nor touched.

use std::fs;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::store_schema::{FAMILY, FORMAT};
use super::{StoreError, files, index_directory, status_in};
use crate::index_status::IndexStatus;

/// How many characters of a workspace's name are in that of its directory.
const LONGEST_NAME: usize = 40;
/// How many digits of a hash are.
const DIGITS: usize = 16;

/// Where the index of a workspace is kept, among the others.
pub fn directory_for(all: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST_NAME).map(plain).collect();
    let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
    let format = FORMAT.strip_prefix(FAMILY).unwrap_or_default().trim();
    all.join(format!("{name}-{format}-{hash:0DIGITS$x}"))
}

/// Whether the directory of an index may be called so.
fn is_named_like_one(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    let (_, hash) = name.rsplit_once('-').unwrap_or_default();
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    hash.len() == DIGITS && hash.bytes().all(is_digit)
}

/// An index that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptIndex {
    /// Where.
    pub directory: PathBuf,
    /// Of which workspace, as far as is known.
    pub workspace: Option<PathBuf>,
    /// How much of the disk it takes.
    pub bytes: u64,
}

/// The indexes that are kept among others, in order of their directories. None, if there is no such
/// place.
pub fn kept_in(all: &Path) -> Vec<KeptIndex> {
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    let mut directories: Vec<_> = entries.map(|it| it.path()).collect();
    directories.sort();
    directories.iter().filter_map(|it| kept_at(it)).collect()
}

/// The index that is kept in a directory, if there is one, or what is left of one.
pub fn kept_at(directory: &Path) -> Option<KeptIndex> {
    is_kept_at(directory).then(|| KeptIndex {
        directory: directory.to_owned(),
        workspace: files::named_workspace(directory),
        bytes: files::bytes_in(directory),
    })
}

/// Whether there is one.
pub(crate) fn is_kept_at(directory: &Path) -> bool {
    // The target of a link is not ours.
    let is_own = || fs::symlink_metadata(directory).is_ok_and(|it| it.is_dir());
    is_named_like_one(directory) && is_own() && files::are_in(directory)
}

impl KeptIndex {
    /// Its contents, in numbers. Changes nothing, also if it is damaged or another version wrote
    /// it.
    pub fn status(&self) -> Result<IndexStatus, StoreError> {
        status_in(&self.directory)
    }

    /// Whether somebody has it open, another process or this one, as far as the disk can say.
    pub fn is_open(&self) -> bool {
        index_directory::is_open(&self.directory)
    }

    /// Deletes it, even if it cannot be read or is open elsewhere: it is made anew there.
    pub fn remove(&self) -> Result<(), StoreError> {
        index_directory::remove(&self.directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_workspaces_of_one_name_have_two_places() {
        let all = Path::new("cache");
        let one = directory_for(all, Path::new("/nowhere/one/app"));
        let other = directory_for(all, Path::new("/nowhere/other/app"));
        assert_ne!(one, other);
        for directory in [one, other] {
            let name = directory.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(name.starts_with("app-"), "{name}");
            assert!(is_named_like_one(&directory), "{name}");
        }
        let odd = directory_for(all, Path::new("/nowhere/../\u{1f600} a\nb"));
        assert!(odd.to_str().unwrap().starts_with("cache/__a_b-"), "{odd:?}");
    }

    #[test]
    fn what_is_no_index_is_not_listed() {
        let all = tempfile::tempdir().unwrap();
        fs::create_dir(all.path().join("photos")).unwrap();
        fs::write(all.path().join("notes"), "x").unwrap();
        assert_eq!(kept_in(all.path()), []);
        assert_eq!(kept_in(&all.path().join("nowhere")), []);
    }
}
