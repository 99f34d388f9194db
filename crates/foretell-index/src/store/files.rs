//! The files that an index is made of: telling them from somebody else's, and deleting them.
//!
//! Apart from the rest because it is what deletes files. It knows them by name: a few fixed ones, and
//! those of segments, which have 32 digits and one of tantivy's endings. Nothing else is deleted,
//! whatever directory it is told to use; and nothing at all but by who holds the lock of [`index_directory`].
//!
//! [`index_directory`]: super::index_directory

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tantivy::SegmentMeta;
use tantivy::directory::{Directory, META_LOCK, MmapDirectory};
use tantivy::index::SegmentComponent;

use super::index_directory::open_index;
use super::store_schema::{FAMILY, FORMAT};
use super::{StoreError, damaged, guarded};
use crate::side_file;

/// The file that says which version wrote the rest.
pub(super) const FORMAT_FILE: &str = "format";
/// The file that says which workspace it is of, for people who wonder.
const WORKSPACE_FILE: &str = "workspace";
/// The file that says which commit is true.
pub(super) const META_FILE: &str = "meta.json";
/// The file in which tantivy notes which files it has written.
const LIST_FILE: &str = ".managed.json";
/// The file that the writer has locked, and the one of those who look for the newest commit.
pub(super) const WRITER_LOCK: &str = ".tantivy-writer.lock";
const META_LOCK_FILE: &str = ".tantivy-meta.lock";
/// The file that everybody who has the index open shares a lock of.
pub(super) const OPEN_LOCK: &str = ".open.lock";
/// How the names of a segment's files end, those of deleted documents aside.
const ENDINGS: [&str; 7] = [
    "term",
    "idx",
    "pos",
    "store",
    "store.temp",
    "fast",
    "fieldnorm",
];
/// The files of a segment.
const COMPONENTS: [SegmentComponent; 7] = [
    SegmentComponent::Terms,
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::Store,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Delete,
];

/// Whether this version wrote an index.
pub(super) fn check_format(directory: &Path) -> Result<(), StoreError> {
    match format_in(directory) {
        Ok(format) if format == FORMAT.as_bytes() => Ok(()),
        Ok(_) => Err(damaged("another version of Foretell wrote it")),
        Err(why) => Err(damaged(why)),
    }
}

/// The beginning of the file that says which version wrote an index.
fn format_in(directory: &Path) -> io::Result<Vec<u8>> {
    let mut format = Vec::new();
    let file = File::open(directory.join(FORMAT_FILE))?;
    file.take(64).read_to_end(&mut format)?;
    Ok(format)
}

/// Whether there is an index in a directory, whichever version wrote it; or what is left of one, if
/// nothing else is there.
pub(super) fn are_in(directory: &Path) -> bool {
    let is_ours = format_in(directory).is_ok_and(|it| it.starts_with(FAMILY.as_bytes()));
    is_ours || are_left_in(directory)
}

/// Whether a directory has nothing in it but what an index is made of, and something that only
/// tantivy writes. A process that was killed at the wrong moment leaves that.
fn are_left_in(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else {
        return false;
    };
    let mut is_one = false;
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let is_file = entry.file_type().is_ok_and(|it| it.is_file());
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !is_file || !(is_ours(&name) || is_lock(&name)) {
            return false;
        }
        is_one |= is_segment(&name) || name == LIST_FILE || is_lock(&name);
    }
    is_one
}

/// Deletes what indexes are made of, the locks aside, and nothing else.
pub(super) fn clear(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if is_ours(&entry.file_name().to_string_lossy()) && !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Deletes the locks. A process that holds one keeps it; the next makes another.
pub(super) fn clear_locks(directory: &Path) {
    for name in [WRITER_LOCK, META_LOCK_FILE, OPEN_LOCK, side_file::LOCK] {
        // It may not be there, and holds nothing.
        let _ = fs::remove_file(directory.join(name));
    }
}

/// Deletes the segments that the newest commit does not name: their writer was stopped, or had
/// no room for the rest. Tantivy does so too, but only as far as its own list goes.
///
/// The caller holds the lock, and has not begun to write.
pub(super) fn sweep(directory: &Path) -> Result<(), StoreError> {
    let locks = guarded(|| Ok(MmapDirectory::open(directory)?))?;
    // A reader that is opening a commit has its files open before they may go.
    let _lock = guarded(|| Ok(locks.acquire_lock(&META_LOCK)?))?;
    let index = open_index(directory)?;
    let commit = guarded(|| index.load_metas())?;
    let files_of = |segment: &SegmentMeta| COMPONENTS.map(|it| segment.relative_path(it));
    let named: HashSet<PathBuf> = commit.segments.iter().flat_map(files_of).collect();
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_rubbish = is_segment(&name.to_string_lossy()) || is_half(&name.to_string_lossy());
        if is_rubbish && !named.contains(Path::new(&name)) {
            // A file that stays takes room, and the next build tries again.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    let is_fixed = [FORMAT_FILE, META_FILE, WORKSPACE_FILE, LIST_FILE].contains(&name);
    is_fixed || is_segment(name) || is_half(name) || side_file::is_named_like_one(name)
}

fn is_lock(name: &str) -> bool {
    [WRITER_LOCK, META_LOCK_FILE, OPEN_LOCK, side_file::LOCK].contains(&name)
}

fn is_segment(name: &str) -> bool {
    let Some((id, ending)) = name.split_once('.') else {
        return false;
    };
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_of_deleted = |ending: &str| {
        let number = ending.strip_suffix(".del").unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_id = id.len() == 32 && id.bytes().all(is_digit);
    is_id && (ENDINGS.contains(&ending) || is_of_deleted(ending))
}

/// Whether a file is one that tantivy was about to put in another's place.
fn is_half(name: &str) -> bool {
    let random = name.strip_prefix(".tmp").unwrap_or_default();
    random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Writes down which workspace an index is of.
pub(super) fn name_workspace(directory: &Path, root: &Path) {
    let name = root.as_os_str().as_encoded_bytes();
    // It is told to people only, and nothing depends on it.
    let _ = fs::write(directory.join(WORKSPACE_FILE), name);
}

/// Which workspace an index is of, as far as it was written down.
pub(super) fn named_workspace(directory: &Path) -> Option<PathBuf> {
    let name = fs::read_to_string(directory.join(WORKSPACE_FILE)).ok()?;
    Some(PathBuf::from(name))
}

/// How much of the disk an index takes.
pub(super) fn bytes_in(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| entry.metadata().ok());
    sizes.map(|it| it.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_deleted_that_is_not_an_index() {
        let directory = tempfile::tempdir().unwrap();
        let id = "0123456789abcdef".repeat(2);
        let segment = format!("{id}.store");
        let half = format!("{id}.store.temp");
        let deleted = format!("{id}.17.del");
        let ours = [
            "format",
            "array.new",
            "array.17",
            "meta.json",
            "workspace",
            ".managed.json",
            ".tmpA1b2C3",
            &segment,
            &half,
            &deleted,
        ];
        let picture = format!("{id}.png");
        let copy = format!("{id}.store.orig");
        let no_number = format!("{id}.del");
        let others = [
            "notes.txt",
            "meta.json.orig",
            ".env",
            ".tmp",
            "array.",
            "array.1x",
            "abc.store",
            "0123",
            &id,
            &picture,
            &copy,
            &no_number,
        ];
        for name in ours.iter().chain(&others) {
            fs::write(directory.path().join(name), "").unwrap();
        }
        fs::create_dir(directory.path().join("folder")).unwrap();
        clear(directory.path()).unwrap();
        for name in ours {
            assert!(!directory.path().join(name).exists(), "{name}");
        }
        for name in others.iter().chain(&["folder"]) {
            assert!(directory.path().join(name).exists(), "{name}");
        }
    }
}
