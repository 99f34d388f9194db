//! What is newer than the store: documents open in an editor, and files that changed a moment ago.
//!
//! A file that is here hides what the store says of it. It has up to two versions:
//!
//! - the *open* one, which the editor told of. It is what the person sees, and hides the other;
//! - the one that *waits* to be written to the store: what the disk says now, or that it is gone.
//!
//! Its chunks are scored like those of the store (BM25, with the store's word on how rare a word
//! is), so that both can be put in one order. There are few of them, so that they are simply counted
//! through, and a change is found at once.
//!
//! Absent on purpose: threads and files. Whoever has it tells it everything.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_text::{Chunk, FilePath};

use crate::build::cutter::Prepared;
use crate::store::search::{Asked, Rarity, Scored};
use crate::words;

/// The constants of BM25, which are also the store's.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// What is newer than the store.
#[derive(Default)]
pub(crate) struct Overlay {
    files: BTreeMap<FilePath, Layer>,
}

#[derive(Default)]
struct Layer {
    open: Option<Searchable>,
    waiting: Option<(Waiting, Searchable)>,
}

/// What the store is to be told of a file.
#[derive(Clone)]
pub(crate) enum Waiting {
    /// It says this now.
    Changed(Arc<Prepared>),
    /// It is to be forgotten.
    Gone,
}

impl Waiting {
    /// Whether both are the same version.
    pub(crate) fn is(&self, other: &Waiting) -> bool {
        match (self, other) {
            (Waiting::Changed(one), Waiting::Changed(other)) => Arc::ptr_eq(one, other),
            (Waiting::Gone, Waiting::Gone) => true,
            _ => false,
        }
    }
}

impl Overlay {
    /// Takes note of what a document says that is open.
    pub(crate) fn open(&mut self, file: FilePath, chunks: Vec<Chunk>) {
        let layer = self.files.entry(file).or_default();
        layer.open = Some(Searchable::new(chunks));
    }

    /// Takes note that a document is no longer open.
    pub(crate) fn close(&mut self, file: &FilePath) {
        self.change(file, |layer| layer.open = None);
    }

    pub(crate) fn is_open(&self, file: &FilePath) -> bool {
        self.files.get(file).is_some_and(|it| it.open.is_some())
    }

    /// Takes note of what the store is to be told.
    pub(crate) fn wait(&mut self, file: FilePath, waiting: Waiting) {
        let chunks = match &waiting {
            Waiting::Changed(prepared) => prepared.chunks.clone(),
            Waiting::Gone => Vec::new(),
        };
        let layer = self.files.entry(file).or_default();
        layer.waiting = Some((waiting, Searchable::new(chunks)));
    }

    /// Takes note that the store was told, unless there is something newer by now.
    pub(crate) fn written(&mut self, file: &FilePath, written: &Waiting) {
        self.change(file, |layer| {
            layer.waiting.take_if(|(waiting, _)| waiting.is(written));
        });
    }

    /// Takes note that the store need not be told of a file, whatever it was.
    pub(crate) fn settle(&mut self, file: &FilePath) {
        self.change(file, |layer| layer.waiting = None);
    }

    /// The files in a directory that the store is to be told of.
    pub(crate) fn waiting_below(&self, directory: &FilePath) -> Vec<FilePath> {
        let start = format!("{directory}/");
        let is_waiting = |(file, layer): &(&FilePath, &Layer)| {
            layer.waiting.is_some() && file.as_str().starts_with(&start)
        };
        let waiting = self.files.iter().filter(is_waiting);
        waiting.map(|(file, _)| file.clone()).collect()
    }

    /// What the store is to be told.
    pub(crate) fn waiting(&self) -> Vec<(FilePath, Waiting)> {
        let waiting = |(file, layer): (&FilePath, &Layer)| {
            let (waiting, _) = layer.waiting.as_ref()?;
            Some((file.clone(), waiting.clone()))
        };
        self.files.iter().filter_map(waiting).collect()
    }

    /// Whether what the store says of a file is out of date.
    pub(crate) fn hides(&self, file: &FilePath) -> bool {
        self.files.contains_key(file)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.files.clear();
    }

    /// Every chunk that has any of the words, with its score.
    pub(crate) fn search(&self, words: &[Asked], rarity: &Rarity) -> Vec<Scored> {
        let mut found = Vec::new();
        for layer in self.files.values() {
            let waiting = layer.waiting.as_ref().map(|(_, it)| it);
            if let Some(shown) = layer.open.as_ref().or(waiting) {
                shown.search(words, rarity, &mut found);
            }
        }
        found
    }

    fn change(&mut self, file: &FilePath, change: impl FnOnce(&mut Layer)) {
        if let Some(layer) = self.files.get_mut(file) {
            change(layer);
            if layer.open.is_none() && layer.waiting.is_none() {
                self.files.remove(file);
            }
        }
    }
}

/// The chunks of a file, and which words are in which.
struct Searchable {
    chunks: Vec<Counted>,
    /// For each word the chunks that have it, and how often in the text and in the name.
    words: BTreeMap<String, Vec<(usize, f32, f32)>>,
}

/// A chunk, and how many words its text and its name have.
struct Counted {
    chunk: Chunk,
    text: f32,
    name: f32,
}

impl Searchable {
    fn new(chunks: Vec<Chunk>) -> Self {
        let mut words: BTreeMap<String, Vec<(usize, f32, f32)>> = BTreeMap::new();
        let mut count = |number: usize, text: &str, in_text: f32, in_name: f32| {
            let mut all = 0.0;
            for word in words::words(text) {
                all += 1.0;
                let having = words.entry(word.into_owned()).or_default();
                match having.last_mut().filter(|last| last.0 == number) {
                    Some(last) => (last.1, last.2) = (last.1 + in_text, last.2 + in_name),
                    None => having.push((number, in_text, in_name)),
                }
            }
            all
        };
        let counted = chunks.into_iter().enumerate().map(|(number, chunk)| {
            let name = chunk.name.as_deref().unwrap_or_default();
            Counted {
                text: count(number, &chunk.text, 1.0, 0.0),
                name: count(number, name, 0.0, 1.0),
                chunk,
            }
        });
        Searchable {
            chunks: counted.collect(),
            words,
        }
    }

    fn search(&self, words: &[Asked], rarity: &Rarity, found: &mut Vec<Scored>) {
        let mut scores = vec![0.0; self.chunks.len()];
        let (average_text, average_name) = rarity.average;
        for (asked, (worth_in_text, worth_in_name)) in words.iter().zip(&rarity.worth) {
            for (number, in_text, in_name) in self.words.get(&asked.word).into_iter().flatten() {
                let counted = &self.chunks[*number];
                scores[*number] += worth_in_text * part(*in_text, counted.text, average_text)
                    + worth_in_name * part(*in_name, counted.name, average_name);
            }
        }
        let scored = self.chunks.iter().zip(scores);
        let scored = scored.filter(|(_, score)| *score > 0.0);
        found.extend(scored.map(|(it, score)| (score, it.chunk.clone())));
    }
}

/// What so many of a word count in a text of so many words.
fn part(count: f32, length: f32, average: f32) -> f32 {
    let relative = if average > 0.0 { length / average } else { 1.0 };
    count * (1.0 + K1) / (count + K1 * (1.0 - B + B * relative))
}
