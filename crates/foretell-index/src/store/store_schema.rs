//! The fields of a document of the store, and how text becomes words there.
//!
//! There are two sorts of documents, and nothing else:
//!
//! - a *chunk*: which file, which lines, what it is, what it says. Its text and its name are
//!   searched by their [`words`](name_words::words).
//! - a *file*: which file, and what it was like when it was read (see [`KnownFile`]). It has no text, so
//!   that no search finds it. That it is a document like any other is why the list of files can
//!   never disagree with the chunks: both are in the same commit, or neither is.
//!
//! Each carries the path as one word, in a field of its own, and is taken out by deleting that word.
//!
//! Absent on purpose: positions of words, which only phrases need. They would double the index.

use std::sync::Arc;

use foretell_text::{ByteOffset, ByteRange, ChunkKind, CodeChunk, FilePath, Language};
use tantivy::TantivyDocument;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};

use super::store_manifest::KnownFile;
use crate::name_words;

/// Changes whenever anything on disk is no longer what older ones wrote: the fields, the words, or
/// how files are cut up.
pub(crate) const FORMAT: &str = "foretell-index 3\n";
/// The beginning of every version's name.
pub(crate) const FAMILY: &str = "foretell-index ";

/// The name of the tokenizer in the schema.
const TOKENIZER: &str = "words";

/// The fields of documents.
#[derive(Clone, Debug)]
pub(crate) struct SchemaFields {
    pub(crate) schema: Schema,
    pub(crate) path: Field,
    pub(crate) file: Field,
    language: Field,
    pub(crate) text: Field,
    pub(crate) name: Field,
    kind: Field,
    first: Field,
    last: Field,
    /// Where each part begins and ends that is never told, one number after the other.
    secrets: Field,
    size: Field,
    modified: Field,
    hash: Field,
    lines: Field,
    chunks: Field,
    fault: Field,
}

impl SchemaFields {
    pub(crate) fn new() -> Self {
        let words = TextFieldIndexing::default()
            .set_tokenizer(TOKENIZER)
            .set_index_option(IndexRecordOption::WithFreqs);
        let words = TextOptions::default()
            .set_indexing_options(words)
            .set_stored();
        let mut schema = Schema::builder();
        SchemaFields {
            path: schema.add_text_field("path", STRING | STORED),
            file: schema.add_text_field("file", STRING | FAST),
            language: schema.add_text_field("language", STRING | STORED | FAST),
            text: schema.add_text_field("text", words.clone()),
            name: schema.add_text_field("name", words),
            kind: schema.add_u64_field("kind", STORED),
            first: schema.add_u64_field("first", STORED),
            last: schema.add_u64_field("last", STORED),
            secrets: schema.add_u64_field("secrets", STORED),
            size: schema.add_u64_field("size", FAST),
            modified: schema.add_i64_field("modified", FAST),
            hash: schema.add_u64_field("hash", FAST),
            lines: schema.add_u64_field("lines", FAST),
            chunks: schema.add_u64_field("chunks", FAST),
            fault: schema.add_u64_field("fault", FAST),
            schema: schema.build(),
        }
    }

    /// The document of a file.
    pub(crate) fn of_file(&self, file: &FilePath, known: &KnownFile) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.file, file.as_str());
        document.add_text(self.language, &known.language);
        document.add_u64(self.size, known.stamp.size);
        document.add_i64(self.modified, known.stamp.modified);
        document.add_u64(self.hash, known.hash);
        document.add_u64(self.lines, known.lines);
        document.add_u64(self.chunks, known.chunks);
        document.add_u64(self.fault, known.fault_code());
        document
    }

    /// The document of a chunk.
    pub(crate) fn of_chunk(&self, chunk: &CodeChunk) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        document.add_text(self.path, chunk.file.as_str());
        document.add_text(self.language, chunk.language.as_str());
        document.add_u64(self.kind, code_of(chunk.kind));
        document.add_u64(self.first, *chunk.lines.start() as u64);
        document.add_u64(self.last, *chunk.lines.end() as u64);
        document.add_text(self.text, &chunk.text);
        for range in chunk.secrets.iter() {
            document.add_u64(self.secrets, range.start().get() as u64);
            document.add_u64(self.secrets, range.end().get() as u64);
        }
        if let Some(name) = &chunk.name {
            document.add_text(self.name, name);
        }
        document
    }

    /// The chunk of a document; nothing, if it is none of ours.
    pub(crate) fn to_chunk(&self, document: &TantivyDocument) -> Option<CodeChunk> {
        let text = |field| document.get_first(field).and_then(|it| it.as_str());
        let number = |field| document.get_first(field).and_then(|it| it.as_u64());
        let line = |field| number(field).and_then(|it| usize::try_from(it).ok());
        Some(CodeChunk {
            file: FilePath::new(text(self.path)?),
            lines: line(self.first)?..=line(self.last)?,
            language: Language::new(text(self.language)?),
            kind: kind_of(number(self.kind)?)?,
            name: text(self.name).map(Into::into),
            text: text(self.text)?.into(),
            secrets: self.secrets_of(document)?,
        })
    }

    /// Which parts of a chunk are never told; nothing, if that cannot be made out, so that it is not
    /// found rather than told.
    fn secrets_of(&self, document: &TantivyDocument) -> Option<Arc<[ByteRange]>> {
        let numbers = document.get_all(self.secrets);
        let numbers: Vec<usize> = numbers
            .map(|it| usize::try_from(it.as_u64()?).ok())
            .collect::<Option<_>>()?;
        let (pairs, rest) = numbers.as_chunks::<2>();
        let range = |pair: &[usize; 2]| {
            let [start, end] = pair.map(ByteOffset::new);
            ByteRange::new(start, end).ok()
        };
        let ranges = pairs.iter().map(range).collect::<Option<_>>();
        ranges.filter(|_| rest.is_empty())
    }
}

fn code_of(kind: ChunkKind) -> u64 {
    match kind {
        ChunkKind::Function => 0,
        ChunkKind::Method => 1,
        ChunkKind::Type => 2,
        ChunkKind::Item => 3,
        ChunkKind::Block => 4,
    }
}

fn kind_of(code: u64) -> Option<ChunkKind> {
    Some(match code {
        0 => ChunkKind::Function,
        1 => ChunkKind::Method,
        2 => ChunkKind::Type,
        3 => ChunkKind::Item,
        4 => ChunkKind::Block,
        _ => return None,
    })
}

/// Makes the words of an index known to it.
pub(crate) fn register(index: &tantivy::Index) {
    index
        .tokenizers()
        .register(TOKENIZER, TextAnalyzer::builder(WordTokenizer).build());
}

/// [`words`](name_words::words), as the store wants them.
#[derive(Clone)]
struct WordTokenizer;

/// The words of one text, one after the other.
struct WordStream<'a> {
    rest: name_words::NameWords<'a>,
    token: Token,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream {
            rest: name_words::words(text),
            token: Token::default(),
        }
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        self.token.position = self.token.position.wrapping_add(1);
        let Some(place) = self.rest.read(&mut self.token.text) else {
            return false;
        };
        (self.token.offset_from, self.token.offset_to) = (place.start, place.end);
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
