//! All the indexes that are kept in one place: which there are, and deleting them.
//!
//! Each workspace has a directory of its own, named after it and after a hash of where it is, so that
//! two of the same name do not meet. Only directories in which there is an index count; whatever else
//! somebody keeps there is neither listed nor touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::{StoreError, place, writer};

/// How many characters of a workspace's name are in that of its directory.
const LONGEST_NAME: usize = 40;

/// Where the index of a workspace is kept, among the others.
pub fn directory_for(all: &Path, root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST_NAME).map(plain).collect();
    let hash = xxh3_64(root.as_os_str().as_encoded_bytes());
    all.join(format!("{name}-{hash:016x}"))
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
    /// When it was last brought up to date as a whole.
    pub built: Option<SystemTime>,
}

/// The indexes that are kept among others, in order of their directories. None, if there is no such
/// place.
pub fn kept_in(all: &Path) -> Vec<KeptIndex> {
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    // What a link leads to is somebody else's.
    let directories = entries.filter(|it| it.file_type().is_ok_and(|it| it.is_dir()));
    let kept = directories.map(|it| it.path());
    let mut kept: Vec<_> = kept.filter(|it| place::has_anything(it)).collect();
    kept.sort();
    let read = |directory: PathBuf| KeptIndex {
        workspace: place::named_workspace(&directory),
        bytes: place::bytes_in(&directory),
        built: writer::built(&directory).unwrap_or_default(),
        directory,
    };
    kept.into_iter().map(read).collect()
}

impl KeptIndex {
    /// Deletes it.
    pub fn remove(&self) -> Result<(), StoreError> {
        place::remove(&self.directory)
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
