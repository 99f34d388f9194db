//! All the code that is in an index at one moment: for those who make something of the whole workspace.
//!
//! It is read from the store, so that nothing is walked, read and looked through for secrets a second time,
//! and what is excluded or ignored is not in it to begin with. What changed within the last seconds and was
//! not written down yet is not in it, nor is what is open.
//!
//! Kept: files and chunks are of the same commit, whatever other processes write meanwhile.
//!
//! Absent on purpose: what is made of it.

use std::ops::ControlFlow;

use foretell_text::{CodeChunk, FilePath};
use tantivy::{Searcher, TantivyDocument};

use crate::index::Index;
use crate::store::store_manifest::Manifest;
use crate::store::store_schema::SchemaFields;
use crate::store::{StoreError, guarded};

/// All the code that is in an index at one moment.
pub struct CodeSnapshot {
    searcher: Searcher,
    fields: SchemaFields,
    manifest: Manifest,
}

impl Index {
    /// All the code that is in it now.
    pub fn code(&self) -> Result<CodeSnapshot, StoreError> {
        let (searcher, manifest) = self.store().snapshot()?;
        Ok(CodeSnapshot {
            searcher,
            fields: SchemaFields::new(),
            manifest,
        })
    }
}

impl CodeSnapshot {
    /// The files that are text, in order, each with a number for its content.
    pub fn files(&self) -> impl Iterator<Item = (&FilePath, u64)> {
        let files = self.manifest.iter();
        let files = files.filter(|(_, known)| known.fault.is_none());
        files.map(|(file, known)| (file, known.hash))
    }

    /// The number for the content of a file, if it is there.
    pub fn print_of(&self, file: &FilePath) -> Option<u64> {
        let known = self.manifest.get(file);
        Some(known.filter(|known| known.fault.is_none())?.hash)
    }

    /// Goes through all chunks until it is told not to go on; those of a file one after the other, from
    /// its beginning, though some files come in parts.
    pub fn each_chunk(
        &self,
        mut visit: impl FnMut(CodeChunk) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        guarded(|| {
            for segment in self.searcher.segment_readers() {
                let store = segment.get_store_reader(1)?;
                for document in store.iter::<TantivyDocument>(segment.alive_bitset()) {
                    let Some(chunk) = self.fields.to_chunk(&document?) else {
                        continue;
                    };
                    if self.manifest.contains_key(&chunk.file) && visit(chunk).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }
}
