//! Following what changes, file by file.
//!
//! A file that changed is judged, read and cut up, and found from then on: it waits in memory (see
//! [`overlay`]) until [`Index::flush`] writes it to disk, which takes longer than a keystroke should
//! wait. If that never happens, nothing is lost but time: the next update finds the same change.
//!
//! Whatever is told is only a hint to look. A file that is said to have changed may be gone, be
//! ignored now, have become secret, or be a directory; each time it is judged anew, by the rules of
//! a whole walk. A file that is renamed is two changes, of the old name and of the new one.
//!
//! Absent on purpose: who tells. An editor does, or the watch of the disk ([`crate::watch`]).

pub(crate) mod overlay;

use std::collections::BTreeSet;
use std::path::Path;

use foretell_text::{FilePath, Language};

use self::overlay::{LookTurn, SearchableFile, StoreUpdate};
use crate::build::cutter::{FileCutter, FileFreshness};
use crate::build_progress::{FileFault, SkippedFile};
use crate::index::{Index, UpdateError};
use crate::store::StoreError;
use crate::store::writer::WriteAmount;
use crate::walk::read_file::LARGEST_FILE;
use crate::walk::{WalkScope, is_ignore_file, name_in, walk};
use foretell_text::language::{LanguageFacts, LanguageGrammar};

/// The outcome of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeOutcome {
    /// Files that say something new.
    pub changed: usize,
    /// Files that are not searched any more.
    pub removed: usize,
    /// Files that could not be read, and why.
    pub skipped: Vec<SkippedFile>,
    /// Whether there are as many files as may be searched, so that new ones were left out.
    pub reached_limit: bool,
    /// Whether everything has to be looked at, which an update does: one, however many changes ask for
    /// it. That is left to the caller, since it may take long.
    pub owes_update: bool,
}

impl Index {
    /// Looks at a file or a directory that was created, changed, removed or renamed.
    ///
    /// The new text can be searched when this returns. Only that file, or what is in that
    /// directory, is read; what concerns the whole workspace, as a file does that says which others are
    /// ignored, asks for an update (see [`ChangeOutcome::owes_update`]).
    pub fn changed(&self, path: &Path) -> Result<ChangeOutcome, UpdateError> {
        let Some(file) = name_in(self.root(), path) else {
            return Ok(ChangeOutcome::default());
        };
        let is_root = file.as_str().is_empty();
        if is_root || is_ignore_file(&file) {
            return Ok(ChangeOutcome {
                owes_update: true,
                ..ChangeOutcome::default()
            });
        }
        let followed = self.look_at(&file)?;
        if self.overlay().is_full() {
            self.flush()?;
        }
        Ok(followed)
    }

    fn look_at(&self, file: &FilePath) -> Result<ChangeOutcome, StoreError> {
        let turn = self.overlay_mut().draw();
        let mut look = DiskLook {
            index: self,
            turn,
            followed: ChangeOutcome::default(),
            kept: BTreeSet::new(),
            room: 0,
        };
        self.with_cutter(|cutter| {
            for found in self.walk(file) {
                match found {
                    Ok(file) => look.take_in(cutter, file)?,
                    Err(skipped) => look.followed.skipped.push(skipped),
                }
            }
            look.let_go_below(file)
        })?;
        Ok(look.followed)
    }

    /// Takes note of what a document says that is open in an editor, when it has changed. From then on
    /// this is searched instead of the file.
    ///
    /// All of it is cut up anew, which for a long document takes longer than a keystroke should: tell
    /// when the person pauses, and not from where they are waited for.
    ///
    /// A document is judged as its file is; one without a file is not searched, since it is not known
    /// whether it would be ignored.
    pub fn opened(&self, file: &FilePath, language: &Language, text: &str) {
        // One that is open was judged before; an update judges it again.
        let is_open = self.overlay().is_open(file);
        let is_searched = text.len() as u64 <= LARGEST_FILE
            && !self.excludes(file)
            && (is_open || self.is_walked(file));
        if !is_searched {
            self.closed(file);
            return;
        }
        let grammar = match language.facts().grammar {
            LanguageGrammar::Unparsed => LanguageFacts::of_file(file.as_str()).grammar,
            grammar => grammar,
        };
        let chunks = self.with_cutter(|cutter| cutter.cut(file, grammar, language, text));
        match chunks.map(SearchableFile::new) {
            Ok(text) => self.overlay_mut().open(file.clone(), text),
            Err(_) => self.closed(file),
        }
    }

    /// Takes note that a document is no longer open: its file is searched again.
    pub fn closed(&self, file: &FilePath) {
        self.overlay_mut().close(file);
    }

    /// Writes the changes that wait in memory to disk. Says how many are left, which is none unless
    /// another process is writing.
    pub fn flush(&self) -> Result<usize, UpdateError> {
        let _writing = self.writing();
        let waiting = self.overlay().waiting();
        if waiting.is_empty() {
            return Ok(0);
        }
        let Some(mut writer) = self.store().writer(WriteAmount::FewFiles)? else {
            self.settle_what_is_written()?;
            return Ok(self.overlay_mut().tried());
        };
        for (file, _, waiting) in &waiting {
            writer.forget(file);
            if let StoreUpdate::Changed(prepared, _) = waiting {
                writer.add(file, &prepared.known, &prepared.chunks)?;
            }
        }
        writer.commit()?;
        for (file, turn, _) in &waiting {
            self.overlay_mut().written(*turn, file);
        }
        writer.finish()?;
        Ok(self.overlay_mut().tried())
    }

    /// Lets go of what waits and is on disk by now, whichever process wrote it.
    pub(crate) fn settle_what_is_written(&self) -> Result<(), StoreError> {
        // Not in the head of the loop, where it would be locked all along.
        let waiting = self.overlay().waiting();
        for (file, turn, waiting) in waiting {
            let known = self.store().known(&file)?;
            let is_written = match (&waiting, known) {
                (StoreUpdate::Changed(prepared, _), Some(known)) => {
                    prepared.known.hash == known.hash
                }
                (StoreUpdate::Gone, None) => true,
                _ => false,
            };
            if is_written {
                self.overlay_mut().written(turn, &file);
            }
        }
        Ok(())
    }

    /// Lets go of documents that are open and would not be searched any more.
    pub(crate) fn close_what_is_ignored(&self) {
        let open = self.overlay().all_open();
        for file in open.iter().filter(|file| !self.is_walked(file)) {
            self.closed(file);
        }
    }

    /// How many files may come besides those that are known; perhaps more, unless it is none.
    fn room(&self) -> Result<usize, StoreError> {
        let most = self.most_files();
        let waiting = self.overlay().count_waiting();
        let left = most.saturating_sub(self.store().files_at_most()? + waiting);
        if left > 0 {
            return Ok(left);
        }
        let mut files: BTreeSet<FilePath> = self.store().manifest()?.into_keys().collect();
        for (file, _, waiting) in self.overlay().waiting() {
            match waiting {
                StoreUpdate::Changed(..) => files.insert(file),
                StoreUpdate::Gone => files.remove(&file),
            };
        }
        Ok(most.saturating_sub(files.len()))
    }

    /// Whether a walk of the workspace would find a file.
    fn is_walked(&self, file: &FilePath) -> bool {
        self.walk(file).any(|it| it.is_ok_and(|it| it == *file))
    }

    fn walk(&self, file: &FilePath) -> impl Iterator<Item = Result<FilePath, SkippedFile>> + use<> {
        let within = WalkScope::Path(file.clone());
        walk(self.ground(), &within, || false)
    }
}

/// Looking at a file, or at all that is in a directory.
struct DiskLook<'a> {
    index: &'a Index,
    turn: LookTurn,
    followed: ChangeOutcome,
    /// Those that are searched.
    kept: BTreeSet<FilePath>,
    /// How many new ones there may be before one has to count again.
    room: usize,
}

impl DiskLook<'_> {
    /// Takes in a file that was found, if it says something new.
    fn take_in(&mut self, cutter: &mut FileCutter, file: FilePath) -> Result<(), StoreError> {
        let index = self.index;
        if index.excludes(&file) {
            return Ok(());
        }
        let known = index.store().known(&file)?;
        let is_new = known.is_none() && !index.overlay().waits(&file);
        if is_new && !self.check_room()? {
            return Ok(());
        }
        match cutter.prepare_if_new(&file, known.as_ref()) {
            Ok(FileFreshness::New(prepared)) => {
                let waiting = StoreUpdate::changed(prepared);
                index.overlay_mut().wait(self.turn, &file, waiting);
                self.room -= usize::from(is_new);
                self.followed.changed += 1;
            }
            // It is what the store says, whatever waited before.
            Ok(FileFreshness::Same | FileFreshness::Touched(_)) => {
                index.overlay_mut().settle(self.turn, &file);
            }
            Err(why) => {
                let stays = why == FileFault::ChangedWhileRead;
                let skipped = file.clone();
                self.followed
                    .skipped
                    .push(SkippedFile { file: skipped, why });
                if !stays {
                    return Ok(());
                }
            }
        }
        self.kept.insert(file);
        Ok(())
    }

    /// Returns whether there may be another file, and counts the room anew where it seems used up.
    fn check_room(&mut self) -> Result<bool, StoreError> {
        if self.room == 0 && !self.followed.reached_limit {
            self.room = self.index.room()?;
            self.followed.reached_limit = self.room == 0;
        }
        Ok(self.room > 0)
    }

    /// Lets go of a file, and of all in a directory of that name, that are not searched any more.
    fn let_go_below(&mut self, file: &FilePath) -> Result<(), StoreError> {
        let index = self.index;
        let mut known: BTreeSet<_> = index.store().files_below(file)?.into_iter().collect();
        known.extend(index.overlay().below(file));
        known.insert(file.clone());
        for file in known.difference(&self.kept) {
            if index.store().known(file)?.is_some() {
                index.overlay_mut().wait(self.turn, file, StoreUpdate::Gone);
                self.followed.removed += 1;
            } else {
                index.overlay_mut().settle(self.turn, file);
            }
            index.overlay_mut().close(file);
        }
        Ok(())
    }
}
