//! The directory that an index is in: making one there, telling whether it is sound, who may write.
//!
//! One process writes at a time, and making an index anew or deleting it takes the same lock.
//! The lock is a file in the directory itself, which may be deleted while somebody asks for it: a
//! lock counts only if its file is still there, and a directory that went away is made again.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tantivy::directory::error::{LockError, OpenDirectoryError};
use tantivy::directory::{Directory, DirectoryLock, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::{ReloadPolicy, TantivyError};

use super::files::{self, FORMAT_FILE, META_FILE, WRITER_LOCK, check_format};
use super::store_manifest::FileStamp;
use super::store_schema::{self, FORMAT, SchemaFields};
use super::{OpenStore, StoreError, damaged, guarded, not_read, not_written};

/// How often, and how many times, one asks for a directory that another process is setting up.
const PATIENCE: (Duration, u32) = (Duration::from_millis(10), 100);

/// Begins to read an index, if it is sound. Another process may be writing it: what it tidied away
/// while we looked is no damage.
pub(super) fn open_settled(
    directory: &Path,
    fields: &SchemaFields,
) -> Result<OpenStore, StoreError> {
    loop {
        let before = stamp_of_commit(directory);
        let opened = open_existing(directory, fields);
        if opened.is_ok() || stamp_of_commit(directory) == before {
            return opened;
        }
    }
}

fn open_existing(directory: &Path, fields: &SchemaFields) -> Result<OpenStore, StoreError> {
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
    store_schema::register(&index);
    Ok(index)
}

fn read_index(directory: &Path, index: &tantivy::Index) -> Result<OpenStore, StoreError> {
    // Before the reader looks: a commit in between is seen at the next question.
    let shown = stamp_of_commit(directory);
    let reader = guarded(|| {
        index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(8)
            .try_into()
    })?;
    Ok(OpenStore {
        reader,
        shown: Mutex::new(shown),
    })
}

/// Whether what is in a directory is what we put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DirectoryTrust {
    /// No other process could.
    Own,
    /// Others could write to it until now.
    Shared,
}

/// Makes a directory that no other user can look into: what is in it is the workspace's. One that is
/// there must be this person's, since another owner could read and change everything in it.
pub(super) fn make_directory(directory: &Path) -> Result<DirectoryTrust, StoreError> {
    let made = make_private_directory(directory).and_then(|()| keep_others_out(directory));
    made.map_err(unusable(directory))
}

/// Makes a directory, and those above it that are missing, for the person alone, whatever the umask says.
pub fn make_private_directory(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(unix)]
fn keep_others_out(directory: &Path) -> io::Result<DirectoryTrust> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let user = rustix::process::geteuid().as_raw();
    let metadata = fs::symlink_metadata(directory)?;
    if metadata.is_symlink() {
        return Err(io::Error::other("it is a link"));
    }
    if metadata.uid() != user {
        return Err(io::Error::other("it belongs to another user"));
    }
    let mode = metadata.mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o700))?;
    }
    // Somebody who can write to the directory above could put another one in its place. On disks that know no
    // owners everybody can, and nothing can be done about it.
    let knows_modes = fs::metadata(directory)?.mode() & 0o077 == 0;
    if let Some(above) = directory.parent().and_then(|it| fs::metadata(it).ok()) {
        const STICKY: u32 = 0o1000;
        if above.mode() & 0o002 != 0 && above.mode() & STICKY == 0 && knows_modes {
            return Err(io::Error::other(
                "others can write to the directory above it",
            ));
        }
        if above.uid() != user && above.uid() != 0 && user != 0 {
            return Err(io::Error::other(
                "the directory above it belongs to another user",
            ));
        }
    }
    Ok(if mode & 0o022 == 0 {
        DirectoryTrust::Own
    } else {
        DirectoryTrust::Shared
    })
}

#[cfg(not(unix))]
fn keep_others_out(_: &Path) -> io::Result<DirectoryTrust> {
    Ok(DirectoryTrust::Own)
}

/// Says that an index is open, for as long as this is kept. Nothing, where a disk cannot say so.
pub(super) fn hold_open(directory: &Path) -> Option<File> {
    let mut options = File::options();
    let file = options.create(true).truncate(false).write(true);
    let file = file.open(directory.join(files::OPEN_LOCK)).ok()?;
    file.try_lock_shared().ok()?;
    Some(file)
}

/// Whether somebody has an index open, as far as the disk can say.
pub(super) fn is_open(directory: &Path) -> bool {
    let file = File::options()
        .write(true)
        .open(directory.join(files::OPEN_LOCK));
    file.is_ok_and(|it| matches!(it.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Deletes an index, and its directory if nothing else is in it. A reader is told
/// that it is damaged.
pub(super) fn remove(directory: &Path) -> Result<(), StoreError> {
    if !directory.exists() {
        return Ok(());
    }
    {
        let _lock = lock(directory)?;
        files::clear(directory).map_err(unusable(directory))?;
        // While it is ours: afterwards it may be somebody else's.
        files::clear_locks(directory);
    }
    // It stays if there is anything else in it, which is not ours.
    let _ = fs::remove_dir(directory);
    Ok(())
}

/// An index that was to be made anew.
pub(super) enum FreshStore {
    /// It was, and is empty.
    Empty(OpenStore),
    /// Another process was faster.
    ByAnother(OpenStore),
}

/// Clears a directory and makes an empty index of a workspace in it; unless another process just did,
/// which it has not if the commit is still the one that is known to be damaged.
pub(super) fn make_anew(
    directory: &Path,
    root: &Path,
    fields: &SchemaFields,
    damaged: Option<FileStamp>,
) -> Result<FreshStore, StoreError> {
    let _lock = lock(directory)?;
    let is_another = damaged.is_none() || stamp_of_commit(directory) != damaged;
    if is_another && let Ok(opened) = open_existing(directory, fields) {
        return Ok(FreshStore::ByAnother(opened));
    }
    files::clear(directory).map_err(unusable(directory))?;
    files::name_workspace(directory, root);
    let index = tantivy::Index::create_in_dir(directory, fields.schema.clone())
        .map_err(|error| not_written(directory, error))?;
    store_schema::register(&index);
    // Last: an index without it is one that was never finished.
    fs::write(directory.join(FORMAT_FILE), FORMAT).map_err(unusable(directory))?;
    Ok(FreshStore::Empty(read_index(directory, &index)?))
}

/// Keeps other processes from writing. They keep it for a moment at most when they set up an index,
/// which is waited for. A directory that is not there is made.
fn lock(directory: &Path) -> Result<DirectoryLock, StoreError> {
    let (pause, times) = PATIENCE;
    for _ in 0..times {
        make_directory(directory)?;
        if let Some(lock) = lock_now(directory)? {
            return Ok(lock);
        }
        thread::sleep(pause);
    }
    Err(StoreError::Locked)
}

/// The same, at once; nothing, if another process has it, or took the directory away.
pub(super) fn lock_now(directory: &Path) -> Result<Option<DirectoryLock>, StoreError> {
    let files = match MmapDirectory::open(directory) {
        Ok(files) => files,
        Err(OpenDirectoryError::DoesNotExist(_)) => return Ok(None),
        Err(error) => return Err(not_read(error.into())),
    };
    match files.acquire_lock(&INDEX_WRITER_LOCK) {
        Ok(lock) => Ok(directory.join(WRITER_LOCK).exists().then_some(lock)),
        Err(LockError::LockBusy) => Ok(None),
        Err(LockError::IoError(why)) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(not_written(
            directory,
            TantivyError::LockFailure(error, None),
        )),
    }
}

/// The stamp of the newest commit: another one has another time.
pub(super) fn stamp_of_commit(directory: &Path) -> Option<FileStamp> {
    let metadata = fs::metadata(directory.join(META_FILE)).ok()?;
    Some(FileStamp::of(&metadata))
}

fn unusable(directory: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let directory = directory.to_owned();
    move |why| StoreError::Directory { directory, why }
}
