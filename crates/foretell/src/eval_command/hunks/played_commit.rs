//! [`PlayedCommit`]: a commit, made hunk by hunk in a machine that is asked before each.
//!
//! All files of the commit are open as they were. Hunks are made in the order of the commit, each at
//! once and some seconds after the one before, with the cursor where it ended: a person who finishes
//! each change and rests. Before each but the first the embedded next edits are asked, and the first
//! suggestion counts.
//!
//! Left out are files that the commit makes or deletes: nobody can be offered anything in them.
//!
//! Absent on purpose: the machine's pace and filters. What would have been *shown* is for sessions.

use std::collections::BTreeMap;

use foretell_core::{Core, Event, Moment, Spot};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Language, Text, Version,
};
use foretell_trace::LaneAnswerer;

use super::super::commit_files::{CommitFiles, FileInHunks};
use super::super::git_history::{CommitPatch, PatchHunk};
use super::super::word_difference;
use super::hunk_class::{self, ClassedHunk};

/// How long a person rests after a hunk, and takes to the next, in milliseconds.
const REST: u64 = 4_000;
const WAY: u64 = 1_000;

/// A hunk that was foreseen or not.
#[derive(Clone, Debug)]
pub(crate) struct AskedHunk {
    pub(super) classed: ClassedHunk,
    pub(super) path: String,
    /// From one.
    pub(super) line: usize,
    pub(super) offer: Option<HunkOffer>,
}

/// What was offered before a hunk.
#[derive(Clone, Debug)]
pub(super) struct HunkOffer {
    pub(super) path: String,
    /// From one.
    pub(super) line: usize,
    pub(super) old: String,
    pub(super) new: String,
    pub(super) verdict: HunkVerdict,
}

/// What an offer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HunkVerdict {
    /// It is the next hunk, or the first part of it.
    Next,
    /// It is made later in the commit.
    Later,
    Wrong,
}

/// A hunk, and where.
#[derive(Clone, Debug)]
struct PlacedHunk<'c> {
    path: &'c str,
    hunk: &'c PatchHunk,
    classed: ClassedHunk,
}

/// A commit that is made.
pub(super) struct PlayedCommit<'c> {
    hunks: Vec<PlacedHunk<'c>>,
    files: BTreeMap<&'c str, FileInHunks>,
    core: Core,
    now: Moment,
    version: i64,
}

impl<'c> PlayedCommit<'c> {
    /// Opens the files of a commit.
    pub(super) fn new(commit: &'c CommitPatch, files: &CommitFiles) -> Self {
        let changed = files.changed(commit);
        let hunks = changed.iter().flat_map(|(file, _)| {
            let path = file.path.as_str();
            file.hunks.iter().map(move |hunk| (path, hunk))
        });
        let hunks: Vec<(&str, &PatchHunk)> = hunks.collect();
        let classed = hunk_class::classes(&hunks.iter().map(|it| it.1).collect::<Vec<_>>());
        let hunks = hunks.into_iter().zip(classed);
        let hunks = hunks.map(|((path, hunk), classed)| PlacedHunk {
            path,
            hunk,
            classed,
        });
        let open = changed.into_iter();
        let open = open.map(|(file, lines)| (file.path.as_str(), lines));
        // No setting that is set can be at fault.
        let (settings, _) = Settings::resolve(&[]);
        PlayedCommit {
            hunks: hunks.collect(),
            files: open.collect(),
            core: Core::new(settings.into()),
            now: Moment::default(),
            version: 1,
        }
    }

    /// Makes its hunks, and asks before each but the first.
    pub(super) fn asked(mut self, answerer: &dyn LaneAnswerer) -> Vec<AskedHunk> {
        if self.hunks.len() < 2 {
            return Vec::new();
        }
        for (path, file) in &self.files {
            let opened = Event::DocumentOpened {
                document: document_of(path),
                language: Language::of_file(path),
                version: Version::new(0),
                text: Text::from(file.text().as_str()),
            };
            self.core.handle(self.now, opened);
        }
        let hunks = std::mem::take(&mut self.hunks);
        let mut asked = Vec::new();
        let mut spot: Option<Spot> = None;
        for (index, placed) in hunks.iter().enumerate() {
            if let Some(spot) = &spot {
                let candidates = answerer.answer(&self.core, self.now, LaneKind::NextEdit, spot);
                let offer = candidates.first();
                let remaining = &hunks[index..];
                asked.push(AskedHunk {
                    classed: placed.classed,
                    path: placed.path.to_owned(),
                    line: self
                        .files
                        .get(placed.path)
                        .map_or(0, |it| it.line_of(placed.hunk))
                        + 1,
                    offer: offer.and_then(|it| self.judge(&it.document, &it.edit, remaining)),
                });
            }
            spot = self.make(placed);
        }
        asked
    }

    /// Makes a hunk, and rests. Says where the cursor is then.
    fn make(&mut self, placed: &PlacedHunk<'_>) -> Option<Spot> {
        let file = self.files.get_mut(placed.path)?;
        let after = file.with(placed.hunk);
        let edit = word_difference::edit_between(&file.text(), &after.text())?;
        *file = after;
        let document = document_of(placed.path);
        self.pass(WAY);
        self.tell(Event::DocumentFocused {
            document: document.clone(),
        });
        let begins = edit.span()?.start();
        self.select(&document, begins);
        self.version += 1;
        let at = ends_at(&edit);
        self.tell(Event::DocumentChanged {
            document: document.clone(),
            version: Version::new(self.version),
            edits: vec![edit],
            reason: ChangeReason::Typed,
        });
        self.select(&document, at);
        self.pass(REST);
        Some(Spot {
            version: self.core.version(&document)?,
            document,
            at,
        })
    }

    fn select(&mut self, document: &DocumentId, at: ByteOffset) {
        self.tell(Event::SelectionChanged {
            document: document.clone(),
            version: self.core.version(document),
            selections: vec![ByteRange::empty(at)],
        });
    }

    fn tell(&mut self, event: Event) {
        self.core.handle(self.now, event);
        while self.core.poll_action().is_some() {}
    }

    fn pass(&mut self, millis: u64) {
        let until = self.now.after(millis);
        while let Some(due) = self.core.poll_timeout().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.core.handle_timeout(self.now);
            while self.core.poll_action().is_some() {}
        }
        self.now = until;
    }

    /// Nothing, if it does nothing.
    fn judge(
        &self,
        document: &DocumentId,
        edit: &Edit,
        remaining: &[PlacedHunk<'_>],
    ) -> Option<HunkOffer> {
        let text = self.core.text(document)?;
        let edit = edit.trimmed(text).ok()?;
        let span = edit.span()?;
        let (now, offered) = (text.to_string(), edit.apply(text).ok()?.to_string());
        let told = word_difference::changes(&now, &offered);
        let (first, last) = (told.first()?, told.last()?);
        let path = document.as_str().strip_prefix(SCHEME).unwrap_or_default();
        let line = now.get(..span.start().get()).unwrap_or_default();
        Some(HunkOffer {
            line: line.matches('\n').count() + 1,
            old: now.get(first.old.start..last.old.end)?.to_owned(),
            new: offered.get(first.new.start..last.new.end)?.to_owned(),
            verdict: self.verdict(path, &now, &offered, remaining),
            path: path.to_owned(),
        })
    }

    fn verdict(
        &self,
        path: &str,
        now: &str,
        offered: &str,
        remaining: &[PlacedHunk<'_>],
    ) -> HunkVerdict {
        let Some(file) = self.files.get(path) else {
            return HunkVerdict::Wrong;
        };
        let next = remaining.first().filter(|it| it.path == path);
        if next.is_some_and(|it| {
            word_difference::is_first_on_the_way(now, offered, &file.with(it.hunk).text())
        }) {
            return HunkVerdict::Next;
        }
        let mut here = remaining.iter().filter(|it| it.path == path);
        let mut after = file.clone();
        let is_later = here.any(|it| {
            let alone = file.with(it.hunk).text();
            after = after.with(it.hunk);
            word_difference::is_on_the_way(now, offered, &alone)
        });
        // It may be made of several.
        if is_later || word_difference::is_on_the_way(now, offered, &after.text()) {
            HunkVerdict::Later
        } else {
            HunkVerdict::Wrong
        }
    }
}

const SCHEME: &str = "file:///";

fn document_of(path: &str) -> DocumentId {
    DocumentId::new(format!("{SCHEME}{path}"))
}

/// Where the cursor is after an edit: behind what was put in last.
fn ends_at(edit: &Edit) -> ByteOffset {
    let Some((last, before)) = edit.replacements().split_last() else {
        return ByteOffset::ZERO;
    };
    let start = before.iter().fold(last.range().start().get(), |at, it| {
        (at + it.new_text().len()).saturating_sub(it.range().len())
    });
    ByteOffset::new(start + last.new_text().len())
}
