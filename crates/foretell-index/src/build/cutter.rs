//! One file of the workspace as chunks.
//!
//! Both a build and a single change go through here, so that a file is always read and cut up the same
//! way. A file that is known is read only if the disk says that it changed, and cut up only
//! if it did.
//!
//! Secrets are looked for in the whole text, before it is cut up: of a key in three chunks only
//! the first would look like one. Each chunk keeps what is in it.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foretell_text::language::{LanguageFacts, LanguageGrammar};
use foretell_text::{ByteOffset, ByteRange, CodeChunk, FilePath, Language};

use crate::build_progress::FileFault;
use crate::chunking::{Chunker, TextPiece};
use crate::index::SecretFinder;
use crate::store::store_manifest::KnownFile;
use crate::walk::read_file;

/// A file that was read and cut up.
#[derive(Clone, Debug)]
pub(crate) struct PreparedFile {
    pub(crate) file: FilePath,
    pub(crate) known: KnownFile,
    pub(crate) chunks: Vec<CodeChunk>,
}

/// Whether a file is what it was.
pub(crate) enum FileFreshness {
    Same,
    Touched(KnownFile),
    New(PreparedFile),
}

/// Reads files and cuts them into chunks.
pub(crate) struct FileCutter {
    root: PathBuf,
    chunker: Chunker,
    secrets: SecretFinder,
}

impl FileCutter {
    pub(crate) fn new(root: &Path, secrets: &SecretFinder) -> Self {
        FileCutter {
            root: root.to_owned(),
            chunker: Chunker::new(),
            secrets: Arc::clone(secrets),
        }
    }

    /// Reads a file, unless the disk says that it is the one that is known.
    pub(crate) fn prepare_if_new(
        &mut self,
        file: &FilePath,
        known: Option<&KnownFile>,
    ) -> Result<FileFreshness, FileFault> {
        let path = self.root.join(file.as_str());
        let is_known = |stamp| known.is_some_and(|known| known.stamp.is_same(stamp));
        if is_known(read_file::stamp(&path)?) {
            return Ok(FileFreshness::Same);
        }
        let content = read_file::read(&path)?;
        if let Some(known) = known.filter(|known| known.hash == content.hash) {
            let mut known = known.clone();
            known.stamp = content.stamp;
            return Ok(FileFreshness::Touched(known));
        }
        let (text, fault) = match content.text {
            Ok(text) => (text, None),
            Err(fault) => (String::new(), Some(fault)),
        };
        let language = Language::of_file(file.as_str());
        let chunks = self.cut(
            file,
            LanguageFacts::of_file(file.as_str()).grammar,
            &language,
            &text,
        )?;
        let known = KnownFile {
            stamp: content.stamp,
            hash: content.hash,
            language: language.as_str().to_owned(),
            lines: text.lines().count() as u64,
            chunks: chunks.len() as u64,
            fault,
        };
        Ok(FileFreshness::New(PreparedFile {
            file: file.clone(),
            known,
            chunks,
        }))
    }

    /// Cuts a text into chunks. Blank ones are left out.
    pub(crate) fn cut(
        &mut self,
        file: &FilePath,
        grammar: LanguageGrammar,
        language: &Language,
        text: &str,
    ) -> Result<Vec<CodeChunk>, FileFault> {
        let chunker = &mut self.chunker;
        let secrets = &self.secrets;
        let cut = catch_unwind(AssertUnwindSafe(|| {
            (chunker.pieces(grammar, text), secrets(text))
        }));
        let Ok((pieces, secrets)) = cut else {
            // Its state may be half done.
            self.chunker = Chunker::new();
            return Err(FileFault::NotCut);
        };
        let chunk = |piece: TextPiece| {
            let secrets = within(&secrets, &piece.bytes);
            let text = text.get(piece.bytes)?;
            (!text.trim().is_empty()).then(|| CodeChunk {
                file: file.clone(),
                lines: piece.lines,
                language: language.clone(),
                kind: piece.kind,
                name: piece.name.map(Into::into),
                text: text.into(),
                secrets,
            })
        };
        Ok(pieces.into_iter().filter_map(chunk).collect())
    }
}

/// The parts of some ranges that lie in a part of a text, counted from there.
fn within(ranges: &[ByteRange], part: &Range<usize>) -> Arc<[ByteRange]> {
    let clipped = ranges.iter().filter_map(|range| {
        let start = range.start().get().max(part.start);
        let end = range.end().get().min(part.end);
        let moved = |it: usize| Some(ByteOffset::new(it.checked_sub(part.start)?));
        let range = ByteRange::new(moved(start)?, moved(end)?).ok();
        range.filter(|it| !it.is_empty())
    });
    clipped.collect()
}
