//! Somebody who changes something.
//!
//! A story opens documents, changes texts in them by what they say, and asks. What is offered is
//! told as the lines that it would change, by number, as they would be.

use foretell_lanes::embedded::repeat::predict;
use foretell_lanes::{LaneRequest, OpenDocument};
use foretell_testkit::string_model::range;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, LaneCandidate, RecentEdit, RefusedChange,
    Replacement,
};

/// Somebody at work.
pub(crate) struct Story {
    pub(crate) documents: Vec<OpenDocument>,
    /// Which document the cursor is in, and where.
    pub(crate) at: (usize, ByteOffset),
    refused: Vec<RefusedChange>,
}

impl Story {
    pub(crate) fn open(name: &str, text: &str) -> Story {
        let story = Story {
            documents: Vec::new(),
            at: (0, ByteOffset::ZERO),
            refused: Vec::new(),
        };
        story.also(name, text)
    }

    pub(crate) fn also(mut self, name: &str, text: &str) -> Story {
        let language = match name.rsplit('.').next() {
            Some("rs") => "rust",
            Some("py") => "python",
            Some("ts") => "typescript",
            Some("go") => "go",
            Some("c") => "c",
            Some("md") => "markdown",
            _ => "plaintext",
        };
        self.documents.push(OpenDocument {
            id: DocumentId::new(name),
            ..OpenDocument::new(name, language, text)
        });
        self
    }

    /// Changes the first place that says so; where a `‸` is, the text before it stays.
    pub(crate) fn change(self, old: &str, new: &str) -> Story {
        self.change_as(ChangeReason::Typed, 0, old, new)
    }

    /// Changes the last place that says so.
    pub(crate) fn change_last(self, old: &str, new: &str) -> Story {
        let text = self.documents[0].text.to_string();
        let count = text.matches(&old.replace('‸', "")).count();
        self.change_as(ChangeReason::Typed, count - 1, old, new)
    }

    pub(crate) fn change_as(
        mut self,
        reason: ChangeReason,
        which: usize,
        old: &str,
        new: &str,
    ) -> Story {
        let (kept, old) = old.split_once('‸').unwrap_or(("", old));
        let document = &mut self.documents[0];
        let text = document.text.to_string();
        let found = text.match_indices(&[kept, old].concat()).nth(which);
        let start = found.unwrap().0 + kept.len();
        let edit = Edit::from(Replacement::new(range(start, start + old.len()), new));
        for recent in &mut document.edits {
            recent.range = edit.map_range(recent.range);
            recent.age_ms += 2_000;
        }
        document.text = edit.apply(&document.text).unwrap();
        let end = start + new.len();
        let recent = RecentEdit {
            made_at: None,
            range: range(start, end),
            old_text: old.into(),
            new_text: new.into(),
            reason,
            is_accepted: false,
            age_ms: 10,
            is_finished: true,
        };
        document.edits.insert(0, recent);
        self.at = (0, ByteOffset::new(end));
        self
    }

    pub(crate) fn refuse(mut self, old: &str, new: &str) -> Story {
        self.refused.push(RefusedChange {
            old_text: old.into(),
            new_text: new.into(),
        });
        self
    }

    /// Goes to the other document.
    pub(crate) fn switch(mut self) -> Story {
        self.documents.rotate_left(1);
        self.at = (0, ByteOffset::ZERO);
        self
    }

    pub(crate) fn request(&self) -> LaneRequest {
        let mut others = self.documents.clone();
        let document = others.remove(self.at.0);
        LaneRequest {
            others,
            refused: self.refused.clone(),
            ..LaneRequest::new(document, self.at.1)
        }
    }

    pub(crate) fn candidates(&self) -> Vec<LaneCandidate> {
        predict(&self.request(), &|| false)
    }

    /// What is offered first.
    pub(crate) fn next(&self) -> String {
        let candidates = self.candidates();
        let first = candidates.first();
        first.map_or("nothing".to_owned(), |candidate| self.tell(candidate))
    }

    pub(crate) fn tell(&self, candidate: &LaneCandidate) -> String {
        let is_it = |it: &&OpenDocument| it.id == candidate.document;
        let document = self.documents.iter().find(is_it).unwrap();
        let (before, after) = (
            document.text.to_string(),
            candidate.edit.apply(&document.text).unwrap().to_string(),
        );
        let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
        let same = |(a, b): &(&&str, &&str)| a == b;
        let head = old.iter().zip(&new).take_while(same).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most);
        let tail = tail.take_while(same).count();
        let mut told = if candidate.document == self.documents[self.at.0].id {
            String::new()
        } else {
            format!("{} ", candidate.document)
        };
        let lines = new[head..new.len() - tail].iter().enumerate();
        let lines = lines.map(|(index, line)| format!("{}: {}", head + index + 1, line.trim()));
        told.push_str(&lines.collect::<Vec<_>>().join(" | "));
        if head + tail == new.len() {
            told.push_str(&format!("{}: gone", head + 1));
        }
        told
    }
}
