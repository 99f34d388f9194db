//! The chunks and files of a workspace on disk.
//!
//! A directory with an index in it, which [`tantivy`] writes and reads. Tantivy guarantees:
//!
//! - A commit is all or nothing: it becomes true when one small file is replaced, and everything it
//!   names was written before. A process that is killed meanwhile leaves the commit before.
//! - One process writes at a time; a lock that the system drops with the process says which. The
//!   others read, and see a commit as soon as they ask for anything ([`IndexStore::searcher`]).
//!
//! This module adds:
//!
//! - Another version's index, and one that is damaged, is thrown away and made anew, and the reason
//!   told. Damage is found when the store is opened, since every file ends with a checksum. Later
//!   damage may make tantivy panic instead of fail; such a panic ends here, as
//!   [`StoreError::Damaged`]. But files are mapped into memory: a process that cuts one short while
//!   it is read ends this one, and nothing here can keep the system from that.
//! - Nothing is ever deleted but what an index is made of, whatever directory it was told to use.
//! - Uncommitted files, and text that became excluded, do not stay on disk.
//!
//! Absent on purpose: which files there are and how they are cut up.

mod files;
mod index_directory;
mod kept_indexes;
mod purge;
pub(crate) mod ranked_search;
pub(crate) mod store_manifest;
pub(crate) mod store_schema;
pub(crate) mod writer;

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};

use foretell_text::{FilePath, PoisonedLock};
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::{IndexReader, Searcher, TantivyError, Term};

pub use self::index_directory::make_private_directory;
use self::index_directory::{
    DirectoryTrust, FreshStore, hold_open, make_anew, make_directory, open_settled, stamp_of_commit,
};
pub(crate) use self::kept_indexes::is_kept_at;
pub use self::kept_indexes::{KeptIndex, directory_for, kept_at, kept_in};
use self::store_manifest::{FileStamp, KnownFile, Manifest};
use self::store_schema::SchemaFields;
pub(crate) use self::writer::StoreWriter;
use crate::index_status::IndexStatus;

/// The chunks and files of a workspace on disk.
pub(crate) struct IndexStore {
    directory: PathBuf,
    /// The workspace that it is of.
    root: PathBuf,
    fields: SchemaFields,
    opened: RwLock<Arc<OpenStore>>,
    /// Says so to code that would remove it.
    _open: Option<File>,
}

/// An index that is being read.
struct OpenStore {
    reader: IndexReader,
    /// The stamp of the commit that the reader shows.
    shown: Mutex<Option<FileStamp>>,
}

/// How a store was come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreOrigin {
    /// It was there.
    Existing,
    /// There was none.
    New,
    /// There was one that had to be thrown away.
    Rebuilt {
        /// Why.
        why: String,
    },
}

impl IndexStore {
    /// Opens what is in a directory, or makes it anew, of a workspace.
    pub(crate) fn open(directory: &Path, root: &Path) -> Result<(Self, StoreOrigin), StoreError> {
        let trust = make_directory(directory)?;
        let fields = SchemaFields::new();
        let (found, distrusted) = match trust {
            DirectoryTrust::Own => (open_settled(directory, &fields), None),
            DirectoryTrust::Shared => (
                Err(damaged("others could write to it")),
                stamp_of_commit(directory),
            ),
        };
        let (opened, origin) = match found {
            Ok(opened) => (opened, StoreOrigin::Existing),
            Err(StoreError::Damaged { why }) => {
                let was_there = files::are_in(directory);
                match make_anew(directory, root, &fields, distrusted)? {
                    FreshStore::ByAnother(opened) => (opened, StoreOrigin::Existing),
                    FreshStore::Empty(opened) if was_there => {
                        (opened, StoreOrigin::Rebuilt { why })
                    }
                    FreshStore::Empty(opened) => (opened, StoreOrigin::New),
                }
            }
            Err(error) => return Err(error),
        };
        let store = IndexStore {
            _open: hold_open(directory),
            directory: directory.to_owned(),
            root: root.to_owned(),
            fields,
            opened: RwLock::new(Arc::new(opened)),
        };
        Ok((store, origin))
    }

    /// Throws everything away, because of damage that was found, and begins anew; unless another
    /// process did so since.
    pub(crate) fn rebuild(&self) -> Result<(), StoreError> {
        let damaged = {
            let opened = self.opened.read().unpoison();
            *opened.shown.lock().unpoison()
        };
        let made = make_anew(&self.directory, &self.root, &self.fields, damaged)?;
        let (FreshStore::ByAnother(opened) | FreshStore::Empty(opened)) = made;
        *self.opened.write().unpoison() = Arc::new(opened);
        Ok(())
    }

    /// A searcher of the newest commit, whichever process wrote it.
    pub(crate) fn searcher(&self) -> Result<Searcher, StoreError> {
        let opened = self.opened.read().unpoison();
        let opened = opened.clone();
        let newest = stamp_of_commit(&self.directory);
        let mut shown = opened.shown.lock().unpoison();
        if *shown != newest || newest.is_none() {
            files::check_format(&self.directory)?;
            guarded(|| opened.reader.reload())?;
            *shown = newest;
        }
        Ok(opened.reader.searcher())
    }

    /// All files.
    pub(crate) fn manifest(&self) -> Result<Manifest, StoreError> {
        let searcher = self.searcher()?;
        guarded(|| store_manifest::read(&searcher))
    }

    /// All that is in the newest commit, with all files.
    pub(crate) fn snapshot(&self) -> Result<(Searcher, Manifest), StoreError> {
        let searcher = self.searcher()?;
        let manifest = guarded(|| store_manifest::read(&searcher))?;
        Ok((searcher, manifest))
    }

    /// The entry of one file.
    pub(crate) fn known(&self, file: &FilePath) -> Result<Option<KnownFile>, StoreError> {
        let searcher = self.searcher()?;
        let file = Term::from_field_text(self.fields.file, file.as_str());
        guarded(|| store_manifest::read_one(&searcher, &file))
    }

    /// The files in a directory, and perhaps some that were in it.
    pub(crate) fn files_below(&self, directory: &FilePath) -> Result<Vec<FilePath>, StoreError> {
        let searcher = self.searcher()?;
        let from = format!("{directory}/");
        // The character after the slash.
        let to = format!("{directory}0");
        guarded(|| {
            let mut files = Vec::new();
            for segment in searcher.segment_readers() {
                let words = segment.inverted_index(self.fields.file)?;
                let range = words.terms().range().ge(&from).lt(&to);
                let mut found = range.into_stream()?;
                while found.advance() {
                    files.push(FilePath::new(String::from_utf8_lossy(found.key())));
                }
            }
            Ok(files)
        })
    }

    /// Whether the whole workspace was ever in it.
    pub(crate) fn was_built(&self) -> bool {
        writer::built(&self.directory).is_ok_and(|it| it.is_some())
    }

    /// Its contents, in numbers.
    pub(crate) fn status(&self) -> Result<IndexStatus, StoreError> {
        status_of(&self.directory, self.manifest()?)
    }
}

/// The contents of the index in a directory, which stays as it is.
fn status_in(directory: &Path) -> Result<IndexStatus, StoreError> {
    let opened = open_settled(directory, &SchemaFields::new())?;
    let searcher = opened.reader.searcher();
    let manifest = guarded(|| store_manifest::read(&searcher))?;
    status_of(directory, manifest)
}

fn status_of(directory: &Path, manifest: Manifest) -> Result<IndexStatus, StoreError> {
    let mut status = IndexStatus {
        bytes_on_disk: files::bytes_in(directory),
        built: writer::built(directory)?,
        ..IndexStatus::default()
    };
    for known in manifest.into_values() {
        if known.fault.is_some() {
            status.not_text += 1;
            continue;
        }
        status.files += 1;
        status.chunks += known.chunks;
        status.lines += known.lines;
        *status.languages.entry(known.language).or_default() += 1;
    }
    Ok(status)
}

/// Why the store cannot do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory cannot be used.
    #[error("the directory of the index, {}, cannot be used", .directory.display())]
    Directory {
        /// Which.
        directory: PathBuf,
        /// Why not.
        #[source]
        why: io::Error,
    },
    /// The files on disk are not an index, or no longer.
    #[error("the index is damaged: {why}")]
    Damaged {
        /// The fault.
        why: String,
    },
    /// Another process is writing it, and it cannot be made anew now.
    #[error("another process is writing the index")]
    Locked,
    /// The disk is full, or does not let us.
    #[error("the index cannot be written; what was found before still is")]
    NotWritten(#[source] Box<TantivyError>),
    /// The system does not let us read it now.
    #[error("the index cannot be read")]
    NotRead(#[source] Box<TantivyError>),
}

fn damaged(why: impl ToString) -> StoreError {
    StoreError::Damaged {
        why: why.to_string(),
    }
}

/// Reads something of the index; what tantivy makes of damage is told from what passes.
pub(crate) fn guarded<T>(read: impl FnOnce() -> tantivy::Result<T>) -> Result<T, StoreError> {
    let read = catch_unwind(AssertUnwindSafe(read));
    let error = match read {
        Ok(Ok(read)) => return Ok(read),
        Ok(Err(error)) => error,
        Err(_) => return Err(damaged("reading it failed")),
    };
    if let TantivyError::LockFailure(LockError::LockBusy, _) = &error {
        return Err(not_read(error));
    }
    use io::ErrorKind::{InvalidData, InvalidInput, NotFound, Other, UnexpectedEof};
    match io_error(&error).map(|it| it.kind()) {
        None | Some(InvalidData | InvalidInput | NotFound | Other | UnexpectedEof) => {
            Err(damaged(error))
        }
        Some(_) => Err(not_read(error)),
    }
}

fn not_read(error: TantivyError) -> StoreError {
    StoreError::NotRead(Box::new(in_plain_words(error)))
}

/// Why nothing was written: there is no room, or the directory is not one that may be written to.
fn not_written(directory: &Path, error: TantivyError) -> StoreError {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match io_error(&error) {
        Some(why) if matches!(why.kind(), PermissionDenied | ReadOnlyFilesystem) => {
            let code = why.raw_os_error();
            StoreError::Directory {
                directory: directory.to_owned(),
                why: code.map_or_else(|| why.kind().into(), io::Error::from_raw_os_error),
            }
        }
        _ => StoreError::NotWritten(Box::new(in_plain_words(error))),
    }
}

/// The system's error, if one is behind it: tantivy's own errors show how they are built.
fn in_plain_words(error: TantivyError) -> TantivyError {
    match io_error(&error) {
        Some(why) => TantivyError::IoError(Arc::clone(why)),
        None => error,
    }
}

/// The system's error behind an error, if there is one.
fn io_error(error: &TantivyError) -> Option<&Arc<io::Error>> {
    match error {
        TantivyError::IoError(why)
        | TantivyError::LockFailure(LockError::IoError(why), _)
        | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error: why, .. })
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error: why, .. })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: why, .. }) => Some(why),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_may_not_be_written_to_is_no_full_disk() {
        let locked = |kind: io::ErrorKind| {
            let why = Arc::new(io::Error::from(kind));
            let error = TantivyError::LockFailure(LockError::IoError(why), None);
            not_written(Path::new("/cache"), error)
        };
        let error = locked(io::ErrorKind::PermissionDenied);
        assert!(matches!(error, StoreError::Directory { .. }), "{error}");
        let StoreError::NotWritten(why) = locked(io::ErrorKind::StorageFull) else {
            unreachable!("there is no room");
        };
        assert_eq!(why.to_string(), "An IO error occurred: 'no storage space'");
    }
}
