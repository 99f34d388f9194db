//! Versions that are newer than the store: documents open in an editor, and files that changed a moment ago.
//!
//! A file that is here hides what the store says of it. It has up to two versions:
//!
//! - the *open* one, which the editor told of. It is what the person sees, and hides the other;
//! - the one that *waits* to be written to the store: what the disk says now, or that it is gone.
//!
//! A look at the disk draws a [`LookTurn`] first. Of two versions of a file the one of the later
//! turn counts, whichever came to be known first; and after an update of everything, none that was
//! read before it began.
//!
//! A clone is how things are at that moment, and costs nothing. A search takes one before it
//! looks into the store: what is written to the store meanwhile is then found once, here, and what
//! changes meanwhile is not half found.
//!
//! Chunks are scored like those of the store (BM25, with the store's word on how rare a word is), so
//! that both can be put in one order. There are few of them, so that they are simply counted
//! through, and a change is found at once.
//!
//! Absent on purpose: threads and files. Its owner tells it everything.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use foretell_text::{CodeChunk, FilePath};

use crate::build::cutter::PreparedFile;
use crate::name_words;
use crate::store::ranked_search::{QueryWord, ScoredChunk, WordRarity, in_order};

/// The constants of BM25, which are also the store's.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// How many more files may wait than when it was last tried to write them.
const MOST_WAITING: usize = 256;

/// When somebody began to look at the disk: after everyone who has an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LookTurn(u64);

/// Files that are newer than the store.
#[derive(Clone, Default)]
pub(crate) struct StoreOverlay {
    files: Arc<BTreeMap<FilePath, FileLayer>>,
    /// The turn that was drawn last.
    drawn: LookTurn,
    /// Files that were read in this turn or before are out of date.
    outdated: LookTurn,
    /// How many waited when it was last tried to write them.
    left: usize,
}

#[derive(Clone, Default)]
struct FileLayer {
    open: Option<Arc<SearchableFile>>,
    waiting: Option<(LookTurn, StoreUpdate)>,
}

/// An update of a file that waits to be written.
#[derive(Clone)]
pub(crate) enum StoreUpdate {
    /// It says this now.
    Changed(Arc<PreparedFile>, Arc<SearchableFile>),
    /// It is to be forgotten.
    Gone,
}

impl StoreUpdate {
    /// That a file says this now.
    pub(crate) fn changed(prepared: PreparedFile) -> Self {
        let searchable = SearchableFile::new(prepared.chunks.clone());
        StoreUpdate::Changed(Arc::new(prepared), Arc::new(searchable))
    }
}

impl StoreOverlay {
    /// A turn, to be drawn before a look at the disk.
    pub(crate) fn draw(&mut self) -> LookTurn {
        self.drawn.0 += 1;
        self.drawn
    }

    /// Takes note of what a document says that is open.
    pub(crate) fn open(&mut self, file: FilePath, text: SearchableFile) {
        let layer = self.files_mut().entry(file).or_default();
        layer.open = Some(Arc::new(text));
    }

    /// Takes note that a document is no longer open.
    pub(crate) fn close(&mut self, file: &FilePath) {
        if self.is_open(file) {
            self.change(file, |layer| layer.open = None);
        }
    }

    pub(crate) fn is_open(&self, file: &FilePath) -> bool {
        self.files.get(file).is_some_and(|it| it.open.is_some())
    }

    /// The documents that are open.
    pub(crate) fn all_open(&self) -> Vec<FilePath> {
        let open = self.files.iter().filter(|(_, layer)| layer.open.is_some());
        open.map(|(file, _)| file.clone()).collect()
    }

    /// Takes note of what the store is to be told, as somebody saw it who drew this turn.
    pub(crate) fn wait(&mut self, turn: LookTurn, file: &FilePath, waiting: StoreUpdate) {
        if turn > self.outdated && !self.has_newer(turn, file) {
            let layer = self.files_mut().entry(file.clone()).or_default();
            layer.waiting = Some((turn, waiting));
        }
    }

    /// Takes note that the store need not be told of a file, as somebody saw it who drew this turn.
    pub(crate) fn settle(&mut self, turn: LookTurn, file: &FilePath) {
        if self.waits(file) && !self.has_newer(turn, file) {
            self.change(file, |layer| layer.waiting = None);
        }
    }

    /// Takes note that the store was told of a file what waited since this turn, and nothing newer.
    pub(crate) fn written(&mut self, turn: LookTurn, file: &FilePath) {
        self.change(file, |layer| {
            layer.waiting.take_if(|(waiting, _)| *waiting == turn);
        });
    }

    /// Takes note that the store knows better than whatever was seen in this turn or before, except
    /// of some files.
    pub(crate) fn settle_until(&mut self, turn: LookTurn, except: &BTreeSet<FilePath>) {
        self.outdated = self.outdated.max(turn);
        for (file, since, _) in self.waiting() {
            if since <= turn && !except.contains(&file) {
                self.written(since, &file);
            }
        }
    }

    /// Whether the store is to be told of a file.
    pub(crate) fn waits(&self, file: &FilePath) -> bool {
        self.files.get(file).is_some_and(|it| it.waiting.is_some())
    }

    /// The files in a directory that are here.
    pub(crate) fn below(&self, directory: &FilePath) -> Vec<FilePath> {
        let start = format!("{directory}/");
        let files = self.files.keys();
        let below = files.filter(|file| file.as_str().starts_with(&start));
        below.cloned().collect()
    }

    /// The updates that wait to be written, and since when.
    pub(crate) fn waiting(&self) -> Vec<(FilePath, LookTurn, StoreUpdate)> {
        let waiting = |(file, layer): (&FilePath, &FileLayer)| {
            let (turn, waiting) = layer.waiting.as_ref()?;
            Some((file.clone(), *turn, waiting.clone()))
        };
        self.files.iter().filter_map(waiting).collect()
    }

    /// Of how many files the store is to be told.
    pub(crate) fn count_waiting(&self) -> usize {
        let layers = self.files.values();
        layers.filter(|it| it.waiting.is_some()).count()
    }

    /// Whether so many files wait that they should be written.
    pub(crate) fn is_full(&self) -> bool {
        self.count_waiting() > self.left + MOST_WAITING
    }

    /// Takes note that it was tried to write what waits, and says how many are left. While another
    /// process writes that is all of them, and it is not tried again for each that comes.
    pub(crate) fn tried(&mut self) -> usize {
        self.left = self.count_waiting();
        self.left
    }

    /// Whether what the store says of a file is out of date.
    pub(crate) fn hides(&self, file: &FilePath) -> bool {
        self.files.contains_key(file)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The chunks that answer best, the best first, of files that are not excluded.
    pub(crate) fn search(
        &self,
        words: &[QueryWord],
        rarity: &WordRarity,
        most: usize,
        is_excluded: &dyn Fn(&FilePath) -> bool,
    ) -> Vec<ScoredChunk> {
        let mut found = Vec::new();
        for (file, layer) in self.files.iter() {
            let waiting = match &layer.waiting {
                Some((_, StoreUpdate::Changed(_, text))) => Some(text),
                Some((_, StoreUpdate::Gone)) | None => None,
            };
            let Some(shown) = layer.open.as_ref().or(waiting) else {
                continue;
            };
            let count = found.len();
            shown.search(words, rarity, &mut found);
            if found.len() > count && is_excluded(file) {
                found.truncate(count);
            }
        }
        found.sort_by(|one, other| in_order(one.0, one.1, other.0, other.1));
        let best = found.into_iter().take(most);
        best.map(|(score, chunk)| (score, chunk.clone())).collect()
    }

    fn has_newer(&self, turn: LookTurn, file: &FilePath) -> bool {
        let waiting = self.files.get(file).and_then(|it| it.waiting.as_ref());
        waiting.is_some_and(|(since, _)| *since > turn)
    }

    fn change(&mut self, file: &FilePath, change: impl FnOnce(&mut FileLayer)) {
        let files = self.files_mut();
        if let Some(layer) = files.get_mut(file) {
            change(layer);
            if layer.open.is_none() && layer.waiting.is_none() {
                files.remove(file);
            }
        }
    }

    /// The files, apart from those of clones.
    fn files_mut(&mut self) -> &mut BTreeMap<FilePath, FileLayer> {
        Arc::make_mut(&mut self.files)
    }
}

/// The chunks of a file, and which words are in which.
pub(crate) struct SearchableFile {
    chunks: Vec<CountedChunk>,
    /// For each word the chunks that have it, and how often in the text and in the name.
    words: BTreeMap<String, Vec<(usize, f32, f32)>>,
}

/// A chunk, and how many words its text and its name have.
struct CountedChunk {
    chunk: CodeChunk,
    text: f32,
    name: f32,
}

impl SearchableFile {
    pub(crate) fn new(chunks: Vec<CodeChunk>) -> Self {
        let mut words: BTreeMap<String, Vec<(usize, f32, f32)>> = BTreeMap::new();
        let mut word = String::new();
        let mut count = |number: usize, text: &str, in_text: f32, in_name: f32| {
            let mut all = 0.0;
            let mut reader = name_words::words(text);
            while reader.read(&mut word).is_some() {
                all += 1.0;
                let Some(having) = words.get_mut(&word) else {
                    words.insert(word.clone(), vec![(number, in_text, in_name)]);
                    continue;
                };
                match having.last_mut().filter(|last| last.0 == number) {
                    Some(last) => (last.1, last.2) = (last.1 + in_text, last.2 + in_name),
                    None => having.push((number, in_text, in_name)),
                }
            }
            all
        };
        let counted = chunks.into_iter().enumerate().map(|(number, chunk)| {
            let name = chunk.name.as_deref().unwrap_or_default();
            CountedChunk {
                text: count(number, &chunk.text, 1.0, 0.0),
                name: count(number, name, 0.0, 1.0),
                chunk,
            }
        });
        SearchableFile {
            chunks: counted.collect(),
            words,
        }
    }

    fn search<'a>(
        &'a self,
        words: &[QueryWord],
        rarity: &WordRarity,
        found: &mut Vec<(f32, &'a CodeChunk)>,
    ) {
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
        found.extend(scored.map(|(it, score)| (score, &it.chunk)));
    }
}

/// The weight of a word that stands so often in a text of so many words.
fn part(count: f32, length: f32, average: f32) -> f32 {
    let relative = if average > 0.0 { length / average } else { 1.0 };
    count * (1.0 + K1) / (count + K1 * (1.0 - B + B * relative))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(number: usize) -> FilePath {
        FilePath::new(format!("{number}.rs"))
    }

    #[test]
    fn what_was_seen_later_counts_whoever_tells_first() {
        let mut overlay = StoreOverlay::default();
        let (earlier, later) = (overlay.draw(), overlay.draw());
        overlay.wait(later, &file(1), StoreUpdate::Gone);
        overlay.settle(earlier, &file(1));
        assert!(overlay.waits(&file(1)));
        overlay.written(earlier, &file(1));
        assert!(overlay.waits(&file(1)));
        overlay.settle(later, &file(1));
        assert!(overlay.is_empty());
    }

    #[test]
    fn what_was_seen_before_an_update_is_out_of_date_after_it() {
        let mut overlay = StoreOverlay::default();
        let (before, update, meanwhile) = (overlay.draw(), overlay.draw(), overlay.draw());
        overlay.wait(before, &file(1), StoreUpdate::Gone);
        overlay.wait(meanwhile, &file(2), StoreUpdate::Gone);
        overlay.wait(before, &file(3), StoreUpdate::Gone);
        // It kept changing, so that the update could not read it.
        overlay.settle_until(update, &BTreeSet::from([file(3)]));
        // This look was slow to report.
        overlay.wait(before, &file(4), StoreUpdate::Gone);
        let waiting: Vec<_> = overlay.waiting().into_iter().map(|it| it.0).collect();
        assert_eq!(waiting, [file(2), file(3)]);
    }

    #[test]
    fn what_could_not_be_written_is_not_tried_for_each_that_comes() {
        let mut overlay = StoreOverlay::default();
        let turn = overlay.draw();
        let mut tried = Vec::new();
        for number in 1..=1_000 {
            overlay.wait(turn, &file(number), StoreUpdate::Gone);
            if overlay.is_full() {
                assert_eq!(overlay.tried(), number);
                tried.push(number);
            }
        }
        assert_eq!(tried, [257, 514, 771]);
    }

    #[test]
    fn a_clone_stays_as_it_is() {
        let mut overlay = StoreOverlay::default();
        let turn = overlay.draw();
        overlay.wait(turn, &file(1), StoreUpdate::Gone);
        let seen = overlay.clone();
        overlay.written(turn, &file(1));
        assert!(seen.hides(&file(1)) && !overlay.hides(&file(1)));
    }
}
