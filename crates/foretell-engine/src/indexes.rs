//! The indexes of the folders that an editor has open, for as long as it has them open.
//!
//! Each folder has an index of its own, which is opened, brought up to date and kept so in the
//! background: one thread for each, and one that watches. They take turns to look at a whole folder,
//! since the cores are the person's; one that waits for a disk loses its turn. A search never
//! waits for any of that, and finds what is there by then. The results of several folders are one
//! list, in which each folder has the same share of the best places, that of the place in question
//! first: how well something fits is counted per index, and does not compare.
//!
//! Not every folder is indexed ([`IndexRefusal`]): what is no workspace may be a person's whole home. An index
//! that cannot be used is said so once, and everything works without it.
//!
//! - [`Indexes::follow`] is told when folders, settings or exclusions are others. An index that is as it
//!   should be goes on; what is excluded now is not found from that moment on.
//! - Nothing but the store is kept open. The memory for writing is there while something is written.
//! - What changes is told in passing: [`Indexes::opened`], [`Indexes::closed`] and [`Indexes::changed`]
//!   touch no disk and never wait. Changes of one document or one path are taken in that order,
//!   and those that are out of date by then are left out.
//! - Dropping it, or [`Indexes::stop`], tells all threads to end, which they do at the next file. Files
//!   read by then are kept. A thread that waits for a disk ends when the disk answers, and is not waited for.
//!
//! | module | what it is |
//! | --- | --- |
//! | `index_plan` | which folders are indexed, and where |
//! | `folder_index` | the index of one folder, as all but its thread see it |
//! | `index_queue` | what that thread is to do |
//! | `index_keeper` | the thread |
//! | `array_keeper` | the thread that keeps a folder's code ready for the language model |
//! | `index_state` | what is said of them |
//!
//! Absent on purpose: tasks and runtimes. Blocking calls say so, and belong on a thread that
//! may wait: starting, following, searching and stopping.

mod array_keeper;
mod folder_index;
mod index_keeper;
mod index_plan;
mod index_queue;
mod index_state;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::{Duration, Instant};

use foretell_context::Redactor;
use foretell_index::{SearchError, UpdateLock};
use foretell_lanes::embedded::WorkspaceShelf;
use foretell_text::{
    CodeChunk, CodeSearch, CodeSearchError, FilePath, Language, PoisonedLock, Text,
};

use self::folder_index::FolderIndex;
use self::index_plan::IndexPlan;
use crate::context_source::NoIndex;
use crate::directories::UserDirectories;
use crate::folders::{FolderExclusions, LoadedFolders};

pub use self::index_plan::IndexRefusal;
pub use self::index_state::{
    FolderIndexContents, FolderIndexStatus, IndexProgress, IndexState, IndexStep, IndexWait,
};

/// The longest document that is searched as it is typed, in bytes; an index takes no longer one.
const LONGEST_DOCUMENT: usize = 1 << 20;
/// How long threads are waited for that are to end.
const LONGEST_END: Duration = Duration::from_secs(5);

/// The indexes of some folders.
pub struct Indexes {
    places: UserDirectories,
    common: Arc<SharedIndexState>,
    parts: RwLock<Vec<Arc<FolderIndex>>>,
}

/// Is told how far an index is. It must not wait for anything.
pub type TellProgress = Box<dyn Fn(IndexProgress) + Send + Sync>;

/// The state that the threads of all folders share.
struct SharedIndexState {
    /// The exclusions that hold now.
    exclude: RwLock<Arc<FolderExclusions>>,
    /// The documents that are open, with their whole paths, as they are now. Each thread looks up what
    /// it tells its index, so that the newest text is told last. Held for that only.
    documents: Mutex<Documents>,
    /// Taken while a whole index is brought up to date.
    building: UpdateLock,
    /// Taken while the code of a whole folder is made ready for the language model.
    learning: UpdateLock,
    /// Whether there is a language model, and where that code is put for it.
    learns: bool,
    shelf: Arc<WorkspaceShelf>,
    progress: TellProgress,
    /// Knows what is secret in a file that is read whole.
    redactor: Redactor,
}

type Documents = BTreeMap<PathBuf, (Language, Text)>;

impl Indexes {
    /// Begins to open the indexes of folders, and to bring them up to date. It returns at once. The code of
    /// the folders is put on a shelf, if there is a language model that takes it from there.
    pub fn start(
        places: &UserDirectories,
        loaded: &LoadedFolders,
        redactor: Redactor,
        shelf: Option<Arc<WorkspaceShelf>>,
        progress: TellProgress,
    ) -> Self {
        let indexes = Indexes {
            places: places.clone(),
            common: Arc::new(SharedIndexState {
                exclude: RwLock::new(Arc::clone(&loaded.exclude)),
                documents: Mutex::default(),
                building: UpdateLock::default(),
                learning: UpdateLock::default(),
                learns: shelf.is_some(),
                shelf: shelf.unwrap_or_default(),
                progress,
                redactor,
            }),
            parts: RwLock::default(),
        };
        indexes.follow(loaded);
        indexes
    }

    /// Goes on with other folders, settings or exclusions. It looks at the disk, but reads no index.
    pub fn follow(&self, loaded: &LoadedFolders) {
        let before = self.common.follow(&loaded.exclude);
        let excludes_others = !loaded.exclude.has_rules_of(&before);
        let folders = loaded.folders.all().iter();
        // Before anything is locked: a search does not wait for a disk.
        let plans = folders.map(|it| (it, IndexPlan::of(&self.places, loaded, it)));
        let plans: Vec<_> = plans.collect();
        let mut parts = self.parts.write().unpoison();
        let mut old = std::mem::take(&mut *parts);
        for (folder, plan) in plans {
            let same = old.iter().position(|it| it.is_of(folder, &plan));
            parts.push(match same {
                Some(at) => {
                    let part = old.swap_remove(at);
                    part.call(folder);
                    if excludes_others {
                        // Until it is known what is left of it.
                        self.common.shelf.remove(part.place);
                        part.look_again();
                    }
                    part
                }
                None => FolderIndex::start(folder.clone(), plan, &self.common),
            });
        }
        for part in &old {
            part.end();
            self.common.shelf.remove(part.place);
        }
    }

    /// Takes note of what a document says that is open, with its whole path, when it has changed: that
    /// is searched instead of the file, as soon as the index was told. All of it is cut up for that, so
    /// that this is for when the person pauses; but not here. It touches no disk and never waits,
    /// and may be called from a server's loop.
    pub fn opened(&self, path: &Path, language: &Language, text: &Text) {
        if text.end().get() > LONGEST_DOCUMENT {
            return self.closed(path);
        }
        let document = (language.clone(), text.clone());
        self.common.documents().insert(path.to_owned(), document);
        // Afterwards: who is told looks it up.
        self.parts().iter().for_each(|it| it.opened(path));
    }

    /// Takes note that a document is no longer open: its file is searched again, as soon as the index
    /// was told. It touches no disk and never waits, and may be called from a server's loop.
    pub fn closed(&self, path: &Path) {
        self.common.documents().remove(path);
        self.parts().iter().for_each(|it| it.closed(path));
    }

    /// Has a file or a directory looked at, with its whole path, that is said to have changed. Most
    /// are seen without being told. It touches no disk and never waits, and may be called from a
    /// server's loop; many at once are one look at everything.
    pub fn changed(&self, path: &Path) {
        self.parts().iter().for_each(|it| it.changed(path));
    }

    /// Returns the status of each folder's index, in the editor's order.
    pub fn status(&self) -> Vec<FolderIndexStatus> {
        self.parts().iter().map(|it| it.status()).collect()
    }

    /// Why there is nothing to find code in at all, if no folder is indexed.
    pub fn none(&self) -> Option<NoIndex> {
        let off = self.parts().iter().map(|it| it.none()).collect::<Vec<_>>();
        match off.first() {
            None => Some(NoIndex::NoWorkspace),
            Some(_) if off.iter().any(Option::is_none) => None,
            Some(why) => *why,
        }
    }

    /// Ends everything that goes on, and waits until it has ended; for a few seconds at most, since a
    /// disk may never answer.
    pub fn stop(&self) {
        let parts = self.parts();
        // All of them are told first, so that they end together.
        parts.iter().for_each(|it| it.end());
        let until = Instant::now() + LONGEST_END;
        parts.iter().for_each(|it| it.wait(until));
    }

    fn parts(&self) -> Vec<Arc<FolderIndex>> {
        let parts = self.parts.read().unpoison();
        parts.clone()
    }

    /// Returns the chunks found in each folder that has an index, by the names that files have among all of
    /// them; or why nothing could be looked for. The folder that it is for comes first.
    fn search(
        &self,
        text: &str,
        file: Option<&FilePath>,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Vec<Result<Vec<CodeChunk>, SearchError>> {
        let folders = Arc::clone(&self.common.exclude().folders);
        let named = |part: &FolderIndex, chunk: CodeChunk| CodeChunk {
            file: folders.name_of(&part.folder().real.join(chunk.file.as_str())),
            ..chunk
        };
        let search = |part: &Arc<FolderIndex>| {
            let found = part.index.get()?.search(text, most, is_stopped);
            let named = found.map(|it| it.into_iter().map(|it| named(part, it)).collect());
            Some(named)
        };
        let path = file.and_then(|it| folders.path_of(it));
        let mut parts = self.parts();
        parts.sort_by_key(|it| !path.as_ref().is_some_and(|path| it.has(path)));
        parts.iter().filter_map(search).collect()
    }
}

/// Without waiting: its owner may be about to end anyway, and nothing that goes on can be
/// harmed by that.
impl Drop for Indexes {
    fn drop(&mut self) {
        self.parts().iter().for_each(|it| it.end());
    }
}

impl fmt::Debug for Indexes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.status()).finish()
    }
}

impl CodeSearch for Indexes {
    fn find(
        &self,
        text: &str,
        near: Option<&FilePath>,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        let mut found = Vec::new();
        let mut broken = None;
        for searched in self.search(text, near, most, is_stopped) {
            match searched {
                Ok(chunks) => found.push(chunks),
                Err(SearchError::Stopped) => return Err(CodeSearchError::Stopped),
                Err(error) => broken = Some(CodeSearchError::Broken(Box::new(error))),
            }
        }
        match broken {
            // The others may know.
            Some(error) if found.is_empty() => return Err(error),
            _ => {}
        }
        let found = in_turn(found, most);
        let is_nothing_known = || !self.parts().iter().any(|it| it.was_built());
        if found.is_empty() && is_nothing_known() {
            Err(CodeSearchError::NotReady)
        } else {
            Ok(found)
        }
    }
}

impl SharedIndexState {
    fn exclude(&self) -> Arc<FolderExclusions> {
        let exclude = self.exclude.read().unpoison();
        Arc::clone(&exclude)
    }

    /// Excludes others from now on; gives those from before.
    fn follow(&self, exclude: &Arc<FolderExclusions>) -> Arc<FolderExclusions> {
        let now = self.exclude.write();
        let mut now = now.unpoison();
        std::mem::replace(&mut now, Arc::clone(exclude))
    }

    fn documents(&self) -> MutexGuard<'_, Documents> {
        let documents = self.documents.lock();
        documents.unpoison()
    }
}

/// The best of each, then the second best of each, and so on; what is in several folders at once only
/// where it comes first.
fn in_turn(lists: Vec<Vec<CodeChunk>>, most: usize) -> Vec<CodeChunk> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut seen = BTreeSet::new();
    let mut merged = Vec::new();
    loop {
        let round: Vec<CodeChunk> = lists.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() || merged.len() >= most {
            merged.truncate(most);
            return merged;
        }
        let is_new = |it: &CodeChunk| seen.insert((it.file.clone(), *it.lines.start()));
        merged.extend(round.into_iter().filter(is_new));
    }
}

#[cfg(test)]
mod tests {
    use foretell_text::ChunkKind;

    use super::*;

    fn chunks(files: &[&str]) -> Vec<CodeChunk> {
        let chunk = |file: &&str| CodeChunk {
            file: FilePath::new(*file),
            lines: 1..=2,
            language: Language::new("rust"),
            kind: ChunkKind::Function,
            name: None,
            text: "".into(),
            secrets: Arc::default(),
        };
        files.iter().map(chunk).collect()
    }

    #[test]
    fn each_folder_has_its_turn_and_nothing_is_found_twice() {
        let lists = [&["a1", "a2", "a3"][..], &[], &["b1", "a2", "b2"]];
        let lists = || lists.map(chunks).to_vec();
        let files = |most| {
            let merged = in_turn(lists(), most);
            let files: Vec<_> = merged.iter().map(|it| it.file.to_string()).collect();
            files.join(" ")
        };
        assert_eq!(files(9), "a1 b1 a2 a3 b2");
        assert_eq!(files(3), "a1 b1 a2");
        assert_eq!(files(0), "");
    }
}
