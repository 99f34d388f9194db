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
//! Absent on purpose: who tells. An editor does, or whoever watches the disk ([`crate::watch`]).

pub(crate) mod overlay;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use foretell_text::{FilePath, Language};

use self::overlay::Waiting;
use crate::build::cutter::{Cutter, Freshness};
use crate::dialect::Dialect;
use crate::index::{Index, UpdateError};
use crate::progress::{Fault, Skipped};
use crate::store::StoreError;
use crate::store::writer::Amount;
use crate::walk::read::LARGEST_FILE;
use crate::walk::{Within, is_ignore_file, name_in, walk};

/// How many files wait in memory before they are written without being asked to.
const MOST_WAITING: usize = 256;

/// What came of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Files that say something new.
    pub changed: usize,
    /// Files that are not searched any more.
    pub removed: usize,
    /// Files that could not be read, and why.
    pub skipped: Vec<Skipped>,
}

impl Index {
    /// Looks at a file or a directory that was created, changed, removed or renamed.
    ///
    /// What came of it can be searched when this returns. Only that file, or what is in that
    /// directory, is read; a file that says which others are ignored is followed by an update, which
    /// reads what is no longer ignored.
    pub fn changed(&self, path: &Path) -> Result<Followed, UpdateError> {
        let Some(file) = name_in(self.root(), path) else {
            return Ok(Followed::default());
        };
        let is_root = file.as_str().is_empty();
        if is_root || is_ignore_file(&file) {
            let report = self.update(&|_| {}, &|| false)?;
            return Ok(Followed {
                changed: report.added + report.changed,
                removed: report.removed,
                skipped: report.skipped,
            });
        }
        let followed = self.look_at(&file)?;
        if self.overlay().waiting().len() > MOST_WAITING {
            self.flush()?;
        }
        Ok(followed)
    }

    fn look_at(&self, file: &FilePath) -> Result<Followed, StoreError> {
        let mut followed = Followed::default();
        let mut kept = BTreeSet::new();
        let mut cutter = Cutter::new(self.root());
        for found in walk(self.root(), self.directory(), &Within::Path(file.clone())) {
            let file = match found {
                Ok(file) => file,
                Err(skipped) => {
                    followed.skipped.push(skipped);
                    continue;
                }
            };
            if self.excludes(&file) {
                continue;
            }
            let known = self.store().known(&file)?;
            match cutter.prepare_if_new(&file, known.as_ref()) {
                Ok(Freshness::New(prepared)) => {
                    let waiting = Waiting::Changed(Arc::new(prepared));
                    self.overlay_mut().wait(file.clone(), waiting);
                    followed.changed += 1;
                }
                // It is what the store says, whatever waited before.
                Ok(Freshness::Same | Freshness::Touched(_)) => {
                    self.overlay_mut().settle(&file);
                }
                Err(why) => {
                    let was_read = why == Fault::ChangedWhileRead;
                    followed.skipped.push(Skipped {
                        file: file.clone(),
                        why,
                    });
                    if !was_read {
                        continue;
                    }
                }
            }
            kept.insert(file);
        }
        let mut known = self.store().files_below(file)?;
        known.extend(self.overlay().waiting_below(file));
        known.push(file.clone());
        known.retain(|file| !kept.contains(file));
        for file in known {
            if self.store().known(&file)?.is_some() {
                self.overlay_mut().wait(file.clone(), Waiting::Gone);
                followed.removed += 1;
            } else {
                self.overlay_mut().settle(&file);
            }
            self.overlay_mut().close(&file);
        }
        Ok(followed)
    }

    /// Takes note of what a document says that is open in an editor, each time that it changes. From
    /// then on this is searched instead of the file.
    ///
    /// A document is judged as its file is; one without a file is not searched, since nobody knows
    /// whether it would be ignored.
    pub fn opened(&self, file: &FilePath, language: &Language, text: &str) {
        let is_searched = text.len() as u64 <= LARGEST_FILE
            && !self.excludes(file)
            && (self.overlay().is_open(file) || self.is_walked(file));
        if !is_searched {
            self.closed(file);
            return;
        }
        let dialect = match Dialect::of_language(language) {
            Dialect::Other => Dialect::of_file(file.as_str()),
            dialect => dialect,
        };
        let mut cutter = Cutter::new(self.root());
        match cutter.cut(file, dialect, language, text) {
            Ok(chunks) => self.overlay_mut().open(file.clone(), chunks),
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
        let Some(mut writer) = self.store().writer(Amount::FewFiles)? else {
            self.settle_what_another_wrote()?;
            return Ok(self.overlay().waiting().len());
        };
        for (file, waiting) in &waiting {
            writer.forget(file);
            if let Waiting::Changed(prepared) = waiting {
                writer.add(file, &prepared.known, &prepared.chunks)?;
            }
        }
        writer.commit()?;
        for (file, written) in &waiting {
            self.overlay_mut().written(file, written);
        }
        writer.finish()?;
        Ok(self.overlay().waiting().len())
    }

    /// Lets go of what waits and is on disk by now.
    pub(crate) fn settle_what_another_wrote(&self) -> Result<(), StoreError> {
        // Not in the head of the loop, where it would be locked all along.
        let waiting = self.overlay().waiting();
        for (file, waiting) in waiting {
            let known = self.store().known(&file)?;
            let is_written = match (&waiting, known) {
                (Waiting::Changed(prepared), Some(known)) => prepared.known.hash == known.hash,
                (Waiting::Gone, None) => true,
                _ => false,
            };
            if is_written {
                self.overlay_mut().written(&file, &waiting);
            }
        }
        Ok(())
    }

    /// Whether a walk of the workspace would find a file.
    fn is_walked(&self, file: &FilePath) -> bool {
        let mut found = walk(self.root(), self.directory(), &Within::Path(file.clone()));
        found.any(|it| it.is_ok_and(|it| it == *file))
    }
}
