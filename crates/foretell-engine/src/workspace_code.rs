//! The code of a workspace, for those who ask for some: its index, as context and lanes know it.
//!
//! The index knows nothing of context, lanes and what is secret, and they know nothing of indexes. Here
//! they meet: what is excluded is told to the index, and what the index finds to the caller.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use foretell_context::{Exclude, Redactor};
use foretell_index::{Index, IndexOptions, SearchError};
use foretell_text::{CodeChunk, CodeSearch, CodeSearchError, FilePath};

use crate::excluded_files::ExcludedFiles;

/// How many threads read files at most, however many cores there are: they are the person's.
const MOST_THREADS: usize = 4;

/// Code of a workspace that is indexed.
#[derive(Clone, Debug)]
pub struct WorkspaceCode {
    index: Arc<Index>,
}

impl WorkspaceCode {
    /// That of an index.
    pub fn new(index: Arc<Index>) -> Self {
        WorkspaceCode { index }
    }
}

impl CodeSearch for WorkspaceCode {
    fn find(
        &self,
        text: &str,
        _: Option<&FilePath>,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        let found = self.index.search(text, most, is_stopped);
        let found = found.map_err(|error| match error {
            SearchError::Stopped => CodeSearchError::Stopped,
            SearchError::Store(_) => CodeSearchError::Broken(Box::new(error)),
        })?;
        let is_nothing_known = found.is_empty() && !self.index.was_built();
        if is_nothing_known {
            Err(CodeSearchError::NotReady)
        } else {
            Ok(found)
        }
    }
}

/// Says what to index: a workspace, into a directory, without the files that are excluded, whatever they
/// are called later, and with what the redactor finds secret in whole files.
pub fn index_options(
    root: &Path,
    directory: PathBuf,
    most_files: usize,
    excluded: Arc<ExcludedFiles>,
    redactor: Redactor,
) -> IndexOptions {
    let follows = Arc::clone(&excluded);
    let renamed = move |from: &Path, to: &Path| {
        if let (Some(from), Some(to)) = (from.to_str(), to.to_str()) {
            follows.renamed(&FilePath::new(from), &FilePath::new(to));
        }
    };
    let excludes = move |file: &Path| match file.to_str() {
        Some(name) => excluded.excludes(&FilePath::new(name)),
        // It cannot be known not to be.
        None => true,
    };
    IndexOptions {
        root: root.to_owned(),
        directory,
        most_files,
        excluded: Arc::new(excludes),
        secrets: Arc::new(move |text| redactor.ranges(text)),
        renamed: Some(Arc::new(renamed)),
        threads: threads(),
    }
}

/// How many files are read at the same time.
pub(crate) fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores.clamp(1, MOST_THREADS)
}
