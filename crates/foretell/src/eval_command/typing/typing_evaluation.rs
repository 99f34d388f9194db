//! [`TypingEvaluation`]: the language model and the baselines, asked while somebody types.
//!
//! All are asked about the same keys and counted in the same way. The model learns as it would in an
//! editor: it is told of each change, and never of what comes next.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use foretell_predict::{Likelihood, Predictor, WorkspaceArray, WorkspaceArrayBuilder};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text,
};

use super::commit_typing::{LineNovelty, TypingObserver};
use super::key_simulation::{KeyCounts, KeySimulation, SaidText, TypedRun};
use super::line_baselines::{LineCompletion, NestedNgrams, RecallBaseline, TypingBaseline};

/// The thresholds, in percent, at which it is counted what would have been said.
const CURVE: [u8; 15] = [20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90];

/// When something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskMoments {
    /// Before every typed key.
    Keys,
    /// In sampled pauses.
    Pauses,
}

/// One way to suggest, counted in all and on novel lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedSuggestions {
    pub(crate) all: KeySimulation,
    pub(crate) novel: KeySimulation,
}

impl CountedSuggestions {
    /// Before a key: what is said, if nothing is shown.
    fn hear(&mut self, run: TypedRun<'_>, at: usize, said: Option<&SaidText>, is_novel: bool) {
        if self.all.is_open(at) {
            self.all.hear(run, at, said);
        }
        if is_novel && self.novel.is_open(at) {
            self.novel.hear(run, at, said);
        }
    }
}

/// What was counted in one commit, or in one run of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitCounts {
    pub(crate) model: KeyCounts,
}

/// The result for a repository or a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypingScore {
    pub(crate) model: CountedSuggestions,
    /// The model at other thresholds.
    pub(crate) curve: Vec<(Likelihood, CountedSuggestions)>,
    pub(crate) baselines: Vec<(&'static str, CountedSuggestions)>,
    pub(crate) units: Vec<UnitCounts>,
    /// How long each question took, in nanoseconds.
    pub(crate) times: Vec<u64>,
}

/// The language model and the baselines, asked while somebody types.
pub(crate) struct TypingEvaluation {
    predictor: Predictor,
    baselines: Vec<Box<dyn TypingBaseline>>,
    moments: AskMoments,
    threshold: Likelihood,
    document: DocumentId,
    text: Text,
    open: BTreeSet<DocumentId>,
    keys: u64,
    before: KeyCounts,
    pub(crate) score: TypingScore,
}

impl TypingEvaluation {
    pub(crate) fn new(
        predictor: Predictor,
        moments: AskMoments,
        threshold: Likelihood,
        with_baselines: bool,
    ) -> Self {
        let mut baselines: Vec<Box<dyn TypingBaseline>> = Vec::new();
        if with_baselines {
            baselines.push(Box::new(LineCompletion::default()));
            baselines.push(Box::new(NestedNgrams::default()));
            baselines.push(Box::new(RecallBaseline));
        }
        TypingEvaluation {
            score: TypingScore {
                curve: CURVE
                    .map(|percent| (Likelihood::percent(percent), CountedSuggestions::default()))
                    .to_vec(),
                baselines: baselines
                    .iter()
                    .map(|it| (it.name(), CountedSuggestions::default()))
                    .collect(),
                ..TypingScore::default()
            },
            predictor,
            baselines,
            moments,
            threshold,
            document: DocumentId::new(""),
            text: Text::default(),
            open: BTreeSet::new(),
            keys: 0,
            before: KeyCounts::default(),
        }
    }

    /// The code of the workspace is this.
    pub(crate) fn set_workspace<'a>(&mut self, files: impl Iterator<Item = (&'a str, String)>) {
        let mut builder = WorkspaceArrayBuilder::new();
        let files: Vec<_> = files
            .map(|(path, text)| (document_of(path), text))
            .collect();
        for (document, text) in &files {
            builder.add(document.as_str(), text);
        }
        let array: WorkspaceArray = builder.build();
        self.predictor.set_workspace(Arc::new(array));
        for baseline in &mut self.baselines {
            baseline.set_workspace(&files);
        }
    }

    /// What the model has learned.
    pub(crate) fn into_predictor(self) -> Predictor {
        self.predictor
    }

    fn edit(&mut self, at: usize, removed: usize, new: &str, reason: ChangeReason) {
        let Ok(range) = ByteRange::new(ByteOffset::new(at), ByteOffset::new(at + removed)) else {
            return;
        };
        let edit = Edit::from(Replacement::new(range, new));
        // A history that does not fit its own files is not ours to mend.
        if let Ok(text) = edit.apply(&self.text) {
            self.text = text;
            self.predictor
                .change(&self.document, &self.text, &edit, reason);
        }
    }

    fn counted(&mut self) -> impl Iterator<Item = &mut CountedSuggestions> {
        let score = &mut self.score;
        let curve = score.curve.iter_mut().map(|(_, counted)| counted);
        let baselines = score.baselines.iter_mut().map(|(_, counted)| counted);
        [&mut score.model].into_iter().chain(curve).chain(baselines)
    }

    fn begin(&mut self) {
        self.counted().for_each(|counted| {
            counted.all.begin();
            counted.novel.begin();
        });
    }

    /// Before a key: who is not shown anything says something, or not.
    fn before_key(&mut self, at: usize, run: TypedRun<'_>, offset: usize, novelty: LineNovelty) {
        self.keys += 1;
        let is_moment = self.moments == AskMoments::Keys || is_pause(run, offset, self.keys);
        let is_novel = novelty == LineNovelty::Novel;
        for counted in self.counted() {
            counted.all.counts.typed += 1;
            counted.novel.counts.typed += u64::from(is_novel);
        }
        // It is told every key all the same, since it learns from every key.
        let begun = Instant::now();
        let line = self.predictor.predict(&self.document, ByteOffset::new(at));
        let said = line.as_ref().and_then(|line| line.cut(self.threshold));
        self.score.times.push(begun.elapsed().as_nanos() as u64);
        if !is_moment {
            return;
        }
        let said = said.map(SaidText::from);
        self.score.model.hear(run, offset, said.as_ref(), is_novel);
        for (threshold, counted) in &mut self.score.curve {
            if counted.all.is_open(offset) || counted.novel.is_open(offset) {
                let said = line.as_ref().and_then(|line| line.cut(*threshold));
                counted.hear(run, offset, said.map(SaidText::from).as_ref(), is_novel);
            }
        }
        for (baseline, (_, counted)) in self.baselines.iter_mut().zip(&mut self.score.baselines) {
            let is_open = counted.all.is_open(offset);
            let is_open_if_novel = is_novel && counted.novel.is_open(offset);
            if !(is_open || is_open_if_novel) {
                continue;
            }
            let text = baseline.say(&self.document, &self.text, ByteOffset::new(at));
            let said = text.map(|text| SaidText {
                text,
                ends_line: false,
                probability: None,
            });
            counted.hear(run, offset, said.as_ref(), is_novel);
        }
    }

    /// What stands behind a place on its line.
    fn behind(&self, at: usize) -> String {
        let at = ByteOffset::new(at);
        let line = self.text.line_at(at).ok();
        let range = line.and_then(|line| ByteRange::new(at, line.end()).ok());
        let text = range.and_then(|range| self.text.read(range).ok());
        text.map(|text| text.into_owned()).unwrap_or_default()
    }
}

impl TypingObserver for TypingEvaluation {
    fn visit(&mut self, path: &str, text: &str) {
        self.document = document_of(path);
        self.text = Text::from(text);
        let is_known = |known: &Text| *known == self.text;
        let is_open = self.open.contains(&self.document)
            && self.predictor.text(&self.document).is_some_and(is_known);
        if !is_open {
            self.open.insert(self.document.clone());
            self.predictor
                .open(&self.document, &Language::of_file(path), &self.text);
        }
        for baseline in &mut self.baselines {
            baseline.visit(&self.text);
        }
    }

    fn put(&mut self, at: usize, removed: usize, text: &str) {
        self.edit(at, removed, text, ChangeReason::Other);
    }

    fn type_text(&mut self, at: usize, text: &str, line: LineNovelty) {
        self.begin();
        if text.starts_with('\n') {
            // The blank of the next line comes with the line break, which is one key.
            let run = TypedRun {
                text: "\n",
                behind: "",
            };
            self.before_key(at, run, 0, line);
            return self.edit(at, 0, text, ChangeReason::Typed);
        }
        let behind = self.behind(at);
        let run = TypedRun {
            text,
            behind: &behind,
        };
        for (offset, key) in text.char_indices() {
            self.before_key(at + offset, run, offset, line);
            let mut bytes = [0; 4];
            self.edit(
                at + offset,
                0,
                key.encode_utf8(&mut bytes),
                ChangeReason::Typed,
            );
            self.counted().for_each(|counted| {
                counted.all.key(key);
                counted.novel.key(key);
            });
        }
        let range = self.text.line_at(ByteOffset::new(at)).ok();
        let line = range
            .and_then(|range| self.text.read(range).ok())
            .map(|line| line.into_owned());
        for baseline in &mut self.baselines {
            baseline.typed(line.as_deref().unwrap_or_default());
        }
    }

    fn delete(&mut self, path: &str) {
        let document = document_of(path);
        self.open.remove(&document);
        self.predictor.close(&document);
    }

    fn commit(&mut self) {
        let now = self.score.model.all.counts.clone();
        let before = std::mem::replace(&mut self.before, now.clone());
        let unit = KeyCounts {
            typed: now.typed - before.typed,
            asked: now.asked - before.asked,
            shown: now.shown - before.shown,
            right: now.right - before.right,
            saved: now.saved - before.saved,
        };
        if unit.typed > 0 {
            self.score.units.push(UnitCounts { model: unit });
        }
    }
}

fn document_of(path: &str) -> DocumentId {
    if path.contains("://") {
        DocumentId::new(path)
    } else {
        DocumentId::new(format!("file:///{path}"))
    }
}

/// The last part of a repository's path that names it.
pub(crate) fn repository_name(path: &Path) -> String {
    let parts = path
        .components()
        .rev()
        .map(|part| part.as_os_str().to_string_lossy().into_owned());
    let mut parts = parts.filter(|part| !matches!(part.as_str(), "repo" | ".git" | "." | "/"));
    parts.next().unwrap_or_else(|| path.display().to_string())
}

/// Whether somebody pauses before a key for 0.3 s: after a line break every second time, after a mark
/// every third, after a blank every fourth, elsewhere in a line every tenth and within a word every
/// twentieth. The same keys every time.
fn is_pause(run: TypedRun<'_>, offset: usize, key: u64) -> bool {
    let is_word = foretell_text::plain::is_word;
    let before = run
        .text
        .get(..offset)
        .and_then(|text| text.chars().next_back());
    let next = run.text.get(offset..).and_then(|text| text.chars().next());
    let of_1000 = match before {
        None => 500,
        Some(before) if before.is_whitespace() => 250,
        Some(before) if !is_word(before) => 333,
        Some(_) if next.is_some_and(is_word) => 50,
        Some(_) => 100,
    };
    let mut hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^= hash >> 31;
    hash = hash.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (hash ^ (hash >> 29)) % 1000 < of_1000
}
