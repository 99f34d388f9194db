//! Deletes text from the disk that may not be known any more.
//!
//! A file that is forgotten is not found from then on, but what it said stays in its segment until the
//! segment is put together with others, which may be never. Files that became excluded or ignored have
//! to go at once. So the segments with such a file in them are written anew, without it.
//!
//! A file that is no longer there is not worth that, since it takes seconds where there is much: what
//! it said stays for the while, also if it was given a name that is excluded.
//!
//! There is no list of those files: they are the ones whose names are still in a segment
//! though the file is not known any more. If a process is stopped before this, the next makes up for it.

use std::collections::BTreeSet;

use foretell_text::FilePath;
use tantivy::SegmentReader;
use tantivy::index::SegmentId;
use tantivy::indexer::NoMergePolicy;

use super::store_manifest::{self, Manifest};
use super::writer::WriteAmount;
use super::{IndexStore, StoreError, guarded};

impl IndexStore {
    /// Deletes what forgotten files said of which nothing may be known; those are asked for by name.
    /// While another process writes, this is left to the next update.
    pub(crate) fn purge(&self, is_secret: &dyn Fn(&FilePath) -> bool) -> Result<(), StoreError> {
        if self.segments_with(is_secret)?.is_empty() {
            return Ok(());
        }
        let Some(mut writer) = self.writer(WriteAmount::FewFiles)? else {
            return Ok(());
        };
        writer.writer.set_merge_policy(Box::new(NoMergePolicy));
        // Once more, now that no other process writes.
        for segment in self.segments_with(is_secret)? {
            let merged = writer.writer.merge(&[segment]).wait();
            merged.map_err(|error| writer.failed(error))?;
        }
        // Which also deletes the segments that were written anew.
        drop(writer);
        Ok(())
    }

    fn segments_with(
        &self,
        is_secret: &dyn Fn(&FilePath) -> bool,
    ) -> Result<Vec<SegmentId>, StoreError> {
        let searcher = self.searcher()?;
        let segments = searcher.segment_readers().iter();
        if !segments.clone().any(SegmentReader::has_deletes) {
            return Ok(Vec::new());
        }
        let known = guarded(|| store_manifest::read(&searcher))?;
        let segments = segments.filter(|it| it.has_deletes());
        let mut found = Vec::new();
        for segment in segments {
            let forgotten = guarded(|| self.forgotten(segment, &known))?;
            if forgotten.iter().any(is_secret) {
                found.push(segment.segment_id());
            }
        }
        Ok(found)
    }

    /// The files whose names are still in a segment.
    fn forgotten(
        &self,
        segment: &SegmentReader,
        known: &Manifest,
    ) -> tantivy::Result<BTreeSet<FilePath>> {
        let mut files = BTreeSet::new();
        for field in [self.fields.file, self.fields.path] {
            let words = segment.inverted_index(field)?;
            let mut names = words.terms().stream()?;
            while names.advance() {
                let file = FilePath::new(String::from_utf8_lossy(names.key()));
                if !known.contains_key(&file) {
                    files.insert(file);
                }
            }
        }
        Ok(files)
    }
}
