//! The chunks and files of a workspace on disk.
//!
//! A directory with an index in it, which [`tantivy`] writes and reads. What it keeps for us:
//!
//! - A commit is all or nothing: it becomes true when one small file is replaced, and everything it
//!   names was written before. Whoever is killed meanwhile leaves the commit before.
//! - One process writes at a time; a lock that the system drops with the process says which. The
//!   others read, and see a commit as soon as they ask for anything ([`Store::searcher`]).
//!
//! What it does not, and this does:
//!
//! - Another version's index, and one that is damaged, is thrown away and made anew, and the reason
//!   told. Damage is found when the store is opened, since every file ends with a checksum. What is
//!   damaged later may make tantivy panic instead of fail; such a panic ends here, as
//!   [`StoreError::Damaged`].
//! - Nothing is ever deleted but what an index is made of, whatever directory it was told to use.
//!
//! Absent on purpose: which files there are and how they are cut up.

mod kept;
pub(crate) mod manifest;
mod place;
pub(crate) mod schema;
pub(crate) mod search;
pub(crate) mod writer;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use foretell_text::FilePath;
use tantivy::directory::error::OpenReadError;
use tantivy::{IndexReader, Searcher, TantivyError, Term};

pub use self::kept::{KeptIndex, directory_for, kept_in};
use self::manifest::{Known, Manifest, Stamp};
use self::place::{
    Made, bytes_in, check_format, has_anything, make_anew, make_directory, open_settled,
    stamp_of_commit,
};
use self::schema::Fields;
pub(crate) use self::writer::Writer;
use crate::status::Status;

/// The chunks and files of a workspace on disk.
pub(crate) struct Store {
    directory: PathBuf,
    fields: Fields,
    opened: RwLock<Arc<Opened>>,
}

/// An index that is being read.
struct Opened {
    reader: IndexReader,
    /// What the disk said of the commit that the reader shows.
    shown: Mutex<Option<Stamp>>,
}

/// How a store was come by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
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

impl Store {
    /// Opens what is in a directory, or makes it anew.
    pub(crate) fn open(directory: &Path) -> Result<(Self, Origin), StoreError> {
        make_directory(directory)?;
        let fields = Fields::new();
        let (opened, origin) = match open_settled(directory, &fields) {
            Ok(opened) => (opened, Origin::Existing),
            Err(StoreError::Damaged { why }) => {
                let was_there = has_anything(directory);
                match make_anew(directory, &fields, None)? {
                    Made::ByAnother(opened) => (opened, Origin::Existing),
                    Made::Empty(opened) if was_there => (opened, Origin::Rebuilt { why }),
                    Made::Empty(opened) => (opened, Origin::New),
                }
            }
            Err(error) => return Err(error),
        };
        let store = Store {
            directory: directory.to_owned(),
            fields,
            opened: RwLock::new(Arc::new(opened)),
        };
        Ok((store, origin))
    }

    /// Throws everything away, because of damage that was found, and begins anew; unless another
    /// process did so since.
    pub(crate) fn rebuild(&self) -> Result<(), StoreError> {
        let damaged = {
            let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
            *opened.shown.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let made = make_anew(&self.directory, &self.fields, damaged)?;
        let (Made::ByAnother(opened) | Made::Empty(opened)) = made;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened);
        Ok(())
    }

    /// Deletes what is on disk.
    pub(crate) fn remove(&self) -> Result<(), StoreError> {
        place::remove(&self.directory)
    }

    /// Writes down which workspace it is of.
    pub(crate) fn name_workspace(&self, root: &Path) {
        place::name_workspace(&self.directory, root);
    }

    /// What can be found now: the newest commit of whichever process wrote it.
    pub(crate) fn searcher(&self) -> Result<Searcher, StoreError> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        let opened = opened.clone();
        let newest = stamp_of_commit(&self.directory);
        let mut shown = opened.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown != newest || newest.is_none() {
            check_format(&self.directory)?;
            guarded(|| opened.reader.reload())?;
            *shown = newest;
        }
        Ok(opened.reader.searcher())
    }

    /// All files.
    pub(crate) fn manifest(&self) -> Result<Manifest, StoreError> {
        let searcher = self.searcher()?;
        guarded(|| manifest::read(&searcher))
    }

    /// What is known of one file.
    pub(crate) fn known(&self, file: &FilePath) -> Result<Option<Known>, StoreError> {
        let searcher = self.searcher()?;
        let file = Term::from_field_text(self.fields.file, file.as_str());
        guarded(|| manifest::read_one(&searcher, &file))
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

    /// What is in it.
    pub(crate) fn status(&self) -> Result<Status, StoreError> {
        let mut status = Status {
            bytes_on_disk: bytes_in(&self.directory),
            built: writer::built(&self.directory)?,
            ..Status::default()
        };
        for known in self.manifest()?.into_values() {
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
    /// What is on disk is not an index, or no longer.
    #[error("the index is damaged: {why}")]
    Damaged {
        /// What is wrong with it.
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
    let kind = match &error {
        TantivyError::IoError(why) => Some(why.kind()),
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => {
            Some(io_error.kind())
        }
        TantivyError::LockFailure(..) => return Err(StoreError::NotRead(Box::new(error))),
        _ => None,
    };
    use io::ErrorKind::{InvalidData, InvalidInput, NotFound, Other, UnexpectedEof};
    match kind {
        None | Some(InvalidData | InvalidInput | NotFound | Other | UnexpectedEof) => {
            Err(damaged(error))
        }
        Some(_) => Err(StoreError::NotRead(Box::new(error))),
    }
}
