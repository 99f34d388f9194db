//! Writing to the store: files in, all or nothing at each commit.
//!
//! A writer is made for one update and dropped with it, which frees its memory and lets another
//! process write. It starts from what is on disk at that moment, not from what this process saw
//! last: what another one wrote in between is neither lost nor left behind as rubbish.
//!
//! Whatever fails (the disk is full, the directory is gone) leaves the last commit as it was, and
//! nothing else: what was written for the next one is deleted, so that a full disk does not stay so.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_text::{CodeChunk, FilePath};
use tantivy::directory::error::LockError;
use tantivy::indexer::IndexWriterOptions;
use tantivy::{IndexWriter, TantivyError, Term};

use super::index_directory::{lock_now, open_index, stamp_of_commit};
use super::store_manifest::KnownFile;
use super::store_schema::SchemaFields;
use super::{IndexStore, StoreError, files, guarded, not_written};

/// How much memory the words of a build may take before they are written out, and those of a few
/// changed files.
const BUILD_MEMORY: usize = 48 << 20;
const CHANGE_MEMORY: usize = 16 << 20;

/// Writes to a store.
pub(crate) struct StoreWriter {
    pub(super) writer: IndexWriter,
    fields: SchemaFields,
    built: Option<u64>,
    /// After the writer, which has to be gone before it tidies up.
    unfinished: UncommittedFiles,
}

/// Files on disk that are in no commit. Dropping this deletes them, unless another process writes
/// by then, which deletes them when it begins.
struct UncommittedFiles {
    directory: PathBuf,
    is_any: bool,
}

/// How much will be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteAmount {
    Workspace,
    FewFiles,
}

impl IndexStore {
    /// Begins to write; nothing, if another process is writing.
    pub(crate) fn writer(&self, amount: WriteAmount) -> Result<Option<StoreWriter>, StoreError> {
        let memory = match amount {
            WriteAmount::Workspace => BUILD_MEMORY,
            WriteAmount::FewFiles => CHANGE_MEMORY,
        };
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(memory)
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        loop {
            let before = stamp_of_commit(&self.directory);
            let index = open_index(&self.directory)?;
            let writer = match index.writer_with_options(options.clone()) {
                Ok(writer) => writer,
                Err(TantivyError::LockFailure(LockError::LockBusy, _)) => return Ok(None),
                Err(error) => return Err(not_written(&self.directory, error)),
            };
            // Another process may have finished writing just before the lock was ours.
            if stamp_of_commit(&self.directory) == before {
                // Leftovers of a killed process only take room.
                let _ = files::sweep(&self.directory);
                return Ok(Some(StoreWriter {
                    built: seconds_built(&index)?,
                    writer,
                    fields: self.fields.clone(),
                    unfinished: UncommittedFiles {
                        directory: self.directory.clone(),
                        is_any: true,
                    },
                }));
            }
        }
    }
}

impl StoreWriter {
    /// Takes a file in that is not there.
    pub(crate) fn add(
        &mut self,
        file: &FilePath,
        known: &KnownFile,
        chunks: &[CodeChunk],
    ) -> Result<(), StoreError> {
        self.put(self.fields.of_file(file, known))?;
        for chunk in chunks {
            self.put(self.fields.of_chunk(chunk))?;
        }
        Ok(())
    }

    /// Notes that a file is like this now, and says what it said before.
    pub(crate) fn touch(&mut self, file: &FilePath, known: &KnownFile) -> Result<(), StoreError> {
        let term = Term::from_field_text(self.fields.file, file.as_str());
        self.writer.delete_term(term);
        self.put(self.fields.of_file(file, known))
    }

    /// Forgets a file, if it is there.
    pub(crate) fn forget(&mut self, file: &FilePath) {
        for field in [self.fields.file, self.fields.path] {
            let term = Term::from_field_text(field, file.as_str());
            self.writer.delete_term(term);
        }
    }

    /// Makes everything since the last commit true.
    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        let built = self.built.unwrap_or_default();
        let committed = self.writer.prepare_commit().and_then(|mut commit| {
            commit.set_payload(&built.to_string());
            commit.commit()
        });
        committed.map_err(|error| self.failed(error))?;
        Ok(())
    }

    /// The same, the whole workspace being in it at a moment.
    pub(crate) fn commit_whole(&mut self, now: SystemTime) -> Result<(), StoreError> {
        self.built = Some(seconds_at(now));
        self.commit()
    }

    /// Ends writing, when what is put in order in the background is done.
    pub(crate) fn finish(self) -> Result<(), StoreError> {
        let StoreWriter {
            writer,
            mut unfinished,
            ..
        } = self;
        let finished = writer.wait_merging_threads();
        finished.map_err(|error| not_written(&unfinished.directory, error))?;
        unfinished.is_any = false;
        Ok(())
    }

    fn put(&mut self, document: tantivy::TantivyDocument) -> Result<(), StoreError> {
        let Err(error) = self.writer.add_document(document) else {
            return Ok(());
        };
        // It says that the thread which writes has ended; that thread says why.
        let why = self.writer.prepare_commit().err();
        Err(self.failed(why.unwrap_or(error)))
    }

    pub(super) fn failed(&self, error: TantivyError) -> StoreError {
        not_written(&self.unfinished.directory, error)
    }
}

impl Drop for UncommittedFiles {
    fn drop(&mut self) {
        if self.is_any
            && let Ok(Some(_lock)) = lock_now(&self.directory)
        {
            // It takes room until somebody writes again, and nothing else depends on it.
            let _ = files::sweep(&self.directory);
        }
    }
}

/// A moment as it is written down. None at all is 0, so that a clock before 1970 says the second after.
fn seconds_at(now: SystemTime) -> u64 {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs().max(1)
}

/// When the index of a directory was last brought up to date as a whole.
pub(super) fn built(directory: &Path) -> Result<Option<SystemTime>, StoreError> {
    let seconds = seconds_built(&open_index(directory)?)?;
    let moment = |seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    Ok(seconds.and_then(moment))
}

fn seconds_built(index: &tantivy::Index) -> Result<Option<u64>, StoreError> {
    let commit = guarded(|| index.load_metas())?;
    let seconds = commit.payload.and_then(|it| it.parse().ok());
    Ok(seconds.filter(|seconds| *seconds > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_was_finished_by_a_wrong_clock_is_finished() {
        let day = Duration::from_secs(24 * 60 * 60);
        assert_eq!(seconds_at(UNIX_EPOCH - 3_650 * day), 1);
        assert_eq!(seconds_at(UNIX_EPOCH), 1);
        assert_eq!(seconds_at(UNIX_EPOCH + day), 24 * 60 * 60);
    }
}
