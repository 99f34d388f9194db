//! The directory that an index is in: making one there, telling whether it is sound, clearing it.
//!
//! Apart from the rest because it is what deletes files. It deletes what indexes are made of, by
//! name, and nothing else, whatever directory it is told to use; and only while no other process
//! can write.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tantivy::directory::error::LockError;
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::{ReloadPolicy, TantivyError};

use super::manifest::Stamp;
use super::schema::{self, FORMAT, Fields};
use super::{Opened, StoreError, damaged, guarded};

/// The file that says which version wrote the rest.
const FORMAT_FILE: &str = "format";
/// The file that says which workspace it is of, for people who wonder.
const WORKSPACE_FILE: &str = "workspace";
/// The file that says which commit is true.
const META_FILE: &str = "meta.json";
/// How often, and how many times, one asks for a directory that another process is setting up.
const PATIENCE: (Duration, u32) = (Duration::from_millis(10), 100);

/// Begins to read an index, if it is sound. Another process may be writing it: what it tidied away
/// while we looked is no damage.
pub(super) fn open_settled(directory: &Path, fields: &Fields) -> Result<Opened, StoreError> {
    loop {
        let before = stamp_of_commit(directory);
        let opened = open_existing(directory, fields);
        if opened.is_ok() || stamp_of_commit(directory) == before {
            return opened;
        }
    }
}

fn open_existing(directory: &Path, fields: &Fields) -> Result<Opened, StoreError> {
    check_format(directory)?;
    let index = open_index(directory)?;
    if index.schema() != fields.schema {
        return Err(damaged("it has other fields"));
    }
    let broken = guarded(|| index.validate_checksum())?;
    if let Some(file) = broken.iter().min() {
        return Err(damaged(format!(
            "{} is not what was written",
            file.display()
        )));
    }
    read_index(directory, &index)
}

/// The index of a directory.
pub(super) fn open_index(directory: &Path) -> Result<tantivy::Index, StoreError> {
    let index = guarded(|| tantivy::Index::open_in_dir(directory))?;
    schema::register(&index);
    Ok(index)
}

fn read_index(directory: &Path, index: &tantivy::Index) -> Result<Opened, StoreError> {
    // Before the reader looks: a commit in between is seen at the next question.
    let shown = stamp_of_commit(directory);
    let reader = guarded(|| {
        index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(8)
            .try_into()
    })?;
    Ok(Opened {
        reader,
        shown: Mutex::new(shown),
    })
}

pub(super) fn check_format(directory: &Path) -> Result<(), StoreError> {
    match fs::read(directory.join(FORMAT_FILE)) {
        Ok(format) if format == FORMAT.as_bytes() => Ok(()),
        Ok(_) => Err(damaged("another version of Foretell wrote it")),
        Err(why) => Err(damaged(why)),
    }
}

/// Makes a directory that nobody else can look into: what is in it is the workspace's.
pub(super) fn make_directory(directory: &Path) -> Result<(), StoreError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(directory)
        .map_err(|why| StoreError::Directory {
            directory: directory.to_owned(),
            why,
        })
}

/// Writes down which workspace an index is of.
pub(super) fn name_workspace(directory: &Path, root: &Path) {
    let path = directory.join(WORKSPACE_FILE);
    let name = root.as_os_str().as_encoded_bytes();
    let is_named = fs::read(&path).is_ok_and(|it| it == name);
    if !is_named {
        // It is told to people only, and nothing depends on it.
        let _ = fs::write(path, name);
    }
}

/// Which workspace an index is of, as far as it was written down.
pub(super) fn named_workspace(directory: &Path) -> Option<PathBuf> {
    let name = fs::read_to_string(directory.join(WORKSPACE_FILE)).ok()?;
    Some(PathBuf::from(name))
}

/// Deletes an index, and its directory if nothing else is in it. Whoever reads it meanwhile is told
/// that it is damaged.
pub(super) fn remove(directory: &Path) -> Result<(), StoreError> {
    {
        let _lock = lock(directory)?;
        clear(directory).map_err(|why| StoreError::Directory {
            directory: directory.to_owned(),
            why,
        })?;
    }
    for name in [".tantivy-writer.lock", ".tantivy-meta.lock"] {
        // They may not be there, and hold nothing.
        let _ = fs::remove_file(directory.join(name));
    }
    // It stays if there is anything else in it, which is not ours.
    let _ = fs::remove_dir(directory);
    Ok(())
}

/// An index that was to be made anew.
pub(super) enum Made {
    /// It was, and is empty.
    Empty(Opened),
    /// Another process was faster.
    ByAnother(Opened),
}

/// Clears a directory and makes an empty index in it; unless another process just did, which it has
/// not if the commit is still the one that is known to be damaged.
pub(super) fn make_anew(
    directory: &Path,
    fields: &Fields,
    damaged: Option<Stamp>,
) -> Result<Made, StoreError> {
    let not_made = |why| StoreError::Directory {
        directory: directory.to_owned(),
        why,
    };
    make_directory(directory)?;
    let _lock = lock(directory)?;
    let is_another = damaged.is_none() || stamp_of_commit(directory) != damaged;
    if is_another && let Ok(opened) = open_existing(directory, fields) {
        return Ok(Made::ByAnother(opened));
    }
    clear(directory).map_err(not_made)?;
    let index = tantivy::Index::create_in_dir(directory, fields.schema.clone())
        .map_err(|error| StoreError::NotWritten(Box::new(error)))?;
    schema::register(&index);
    // Last: an index without it is one that nobody finished making.
    fs::write(directory.join(FORMAT_FILE), FORMAT).map_err(not_made)?;
    Ok(Made::Empty(read_index(directory, &index)?))
}

/// Keeps other processes from writing. They keep it for a moment at most when they set up an index,
/// which is waited for.
pub(super) fn lock(directory: &Path) -> Result<impl Sized, StoreError> {
    let files = MmapDirectory::open(directory)
        .map_err(|error| StoreError::NotRead(Box::new(error.into())))?;
    let (pause, times) = PATIENCE;
    for _ in 0..times {
        match files.acquire_lock(&INDEX_WRITER_LOCK) {
            Ok(lock) => return Ok(lock),
            Err(LockError::LockBusy) => thread::sleep(pause),
            Err(error) => {
                let error = TantivyError::LockFailure(error, None);
                return Err(StoreError::NotWritten(Box::new(error)));
            }
        }
    }
    Err(StoreError::Locked)
}

/// Deletes what indexes are made of, and nothing else.
pub(super) fn clear(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if is_ours(&name.to_string_lossy()) && !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a file is one of those that indexes are made of: a few with fixed names, and those of
/// segments, which have 32 digits.
fn is_ours(name: &str) -> bool {
    let is_segment = |name: &str| {
        let (id, _) = name.split_once('.').unwrap_or_default();
        id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    [FORMAT_FILE, META_FILE, WORKSPACE_FILE, ".managed.json"].contains(&name) || is_segment(name)
}

/// What the disk says of the newest commit: another one has another time.
pub(super) fn stamp_of_commit(directory: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(directory.join(META_FILE)).ok()?;
    Some(Stamp::of(&metadata))
}

/// How much of the disk an index takes.
pub(super) fn bytes_in(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| entry.metadata().ok());
    sizes.map(|it| it.len()).sum()
}

/// Whether there is any of an index.
pub(super) fn has_anything(directory: &Path) -> bool {
    let is_there = |name| directory.join(name).exists();
    is_there(META_FILE) || is_there(FORMAT_FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_deleted_that_is_not_an_index() {
        let directory = tempfile::tempdir().unwrap();
        let segment = format!("{}.store", "0123456789abcdef".repeat(2));
        let ours = [
            "format",
            "meta.json",
            "workspace",
            ".managed.json",
            &segment,
        ];
        let others = ["notes.txt", "meta.json.orig", ".env", "abc.store", "0123"];
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
