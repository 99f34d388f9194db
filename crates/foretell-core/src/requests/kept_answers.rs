//! Answers that are kept by the text around them, so that coming back to a text costs no call.
//!
//! People undo, retype, and return to a line they have tried before. What FIM answered there is found again
//! by the text right before and behind the cursor, whatever has changed further away, and also once the
//! person has typed the beginning of it. Whether it may be shown is decided anew each time: an answer that
//! was rejected meanwhile stays rejected.
//!
//! What a model says of one document may follow from another, as names do. So a change in a document makes
//! the answers of all others be forgotten, also if the person has not been seen leaving for it.
//!
//! Absent on purpose: answers without a suggestion. The refresh gate knows the latest, and an older one may
//! have lacked what the model is told today.

use std::collections::VecDeque;
use std::sync::Arc;

use foretell_text::{ByteOffset, ByteRange, DocumentId, Edit, LaneCandidate, Replacement, Text};

/// How many answers are kept.
const MOST_ANSWERS: usize = 256;
/// How much of the text before and behind the cursor must be the same, in bytes.
const BEFORE: usize = 1_000;
const BEHIND: usize = 300;
/// How much of an answer may have been typed, in bytes.
const MOST_TYPED: usize = 500;

/// The last answers, the latest first.
#[derive(Debug, Default)]
pub(super) struct KeptAnswers {
    answers: VecDeque<KeptAnswer>,
    /// The document that has changed last. At every key only this is looked at.
    changed: Option<DocumentId>,
    /// Whether there may be answers of others than that.
    has_others: bool,
}

#[derive(Debug, PartialEq)]
struct KeptAnswer {
    document: DocumentId,
    around: TextAround,
    /// How much of the text behind the cursor the answer replaces, in bytes.
    covered: usize,
    new_text: Arc<str>,
}

/// The text around a place.
#[derive(Debug, PartialEq)]
struct TextAround {
    before: String,
    behind: String,
}

impl KeptAnswers {
    /// Keeps an answer for a place, if it is put in there and nowhere else.
    pub(super) fn keep(&mut self, candidate: &LaneCandidate, text: &Text, at: ByteOffset) {
        let [replacement] = candidate.edit.replacements() else {
            return;
        };
        if replacement.range().start() != at || replacement.new_text().is_empty() {
            return;
        }
        let answer = KeptAnswer {
            document: candidate.document.clone(),
            around: TextAround::of(text, at, BEFORE),
            covered: replacement.range().len(),
            new_text: replacement.new_text().into(),
        };
        // It would be put in the place of what nobody has compared.
        if answer.covered > answer.around.behind.len() {
            return;
        }
        self.has_others |= self.changed.as_ref() != Some(&answer.document);
        self.answers
            .retain(|kept| (&kept.document, &kept.around) != (&answer.document, &answer.around));
        self.answers.push_front(answer);
        self.answers.truncate(MOST_ANSWERS);
    }

    /// The latest answer that fits a place, or what is left of it once its beginning was typed.
    pub(super) fn find(
        &self,
        document: &DocumentId,
        text: &Text,
        at: ByteOffset,
    ) -> Option<LaneCandidate> {
        let here = TextAround::of(text, at, BEFORE + MOST_TYPED);
        let mut kept = self
            .answers
            .iter()
            .filter(|kept| kept.document == *document);
        let edit = kept.find_map(|kept| kept.left_at(at, &here))?;
        let document = document.clone();
        Some(LaneCandidate::new(document, edit))
    }

    /// Forgets the answer for a place.
    pub(super) fn forget_place(&mut self, document: &DocumentId, text: &Text, at: ByteOffset) {
        let around = TextAround::of(text, at, BEFORE);
        self.answers
            .retain(|kept| (&kept.document, &kept.around) != (document, &around));
    }

    /// Forgets the answers of a document.
    pub(super) fn forget(&mut self, document: &DocumentId) {
        self.answers.retain(|kept| kept.document != *document);
    }

    /// Forgets the answers of all other documents than the one that has changed.
    pub(super) fn follow(&mut self, changed: &DocumentId) {
        let is_same = self.changed.as_ref() == Some(changed);
        if !is_same {
            self.changed = Some(changed.clone());
        }
        if !is_same || self.has_others {
            self.answers.retain(|kept| kept.document == *changed);
            self.has_others = false;
        }
    }
}

impl KeptAnswer {
    /// What is left of it at a place, unless the person has not been there, or has typed something else.
    fn left_at(&self, at: ByteOffset, here: &TextAround) -> Option<Edit> {
        if here.behind != self.around.behind {
            return None;
        }
        let starts = self.new_text.char_indices().map(|(start, _)| start);
        let mut starts = starts.take_while(|start| *start <= MOST_TYPED);
        let typed = starts.find(|typed| {
            let typed = self.new_text.get(..*typed).unwrap_or_default();
            let before = here.before.strip_suffix(typed);
            before.is_some_and(|before| self.around.is_reached_by(before))
        })?;
        let end = ByteOffset::new(at.get() + self.covered);
        let range = ByteRange::new(at, end).ok()?;
        let left = self.new_text.get(typed..)?;
        Some(Edit::from(Replacement::new(range, left)))
    }
}

impl TextAround {
    /// The text around a place, at most so many bytes of it before the place.
    fn of(text: &Text, at: ByteOffset, before: usize) -> Self {
        let start = text.floor(at.get().saturating_sub(before));
        let end = text.floor(at.get().saturating_add(BEHIND));
        let read = |start, end| {
            let range = ByteRange::new(start, end).ok();
            let read = range.and_then(|range| text.read(range).ok());
            read.unwrap_or_default().into_owned()
        };
        TextAround {
            before: read(start, at),
            behind: read(at, end),
        }
    }

    /// Whether a text before a place ends as the one here does, or is the same where a document begins.
    fn is_reached_by(&self, before: &str) -> bool {
        // Three bytes short at most, where a character would have been parted.
        if self.before.len() + 3 < BEFORE {
            before == self.before
        } else {
            before.ends_with(&self.before)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and the place of the bar in it.
    fn place(marked: &str) -> (Text, ByteOffset) {
        let at = marked.find('|').unwrap();
        (
            Text::from(&*marked.replacen('|', "", 1)),
            ByteOffset::new(at),
        )
    }

    fn document() -> DocumentId {
        DocumentId::new("file:///a")
    }

    fn keep(kept: &mut KeptAnswers, marked: &str, covered: usize, new_text: &str) {
        let (text, at) = place(marked);
        let end = ByteOffset::new(at.get() + covered);
        let range = ByteRange::new(at, end).unwrap();
        let candidate =
            LaneCandidate::new(document(), Edit::from(Replacement::new(range, new_text)));
        kept.keep(&candidate, &text, at);
    }

    /// The text with what is found put in.
    fn found(kept: &KeptAnswers, marked: &str) -> Option<String> {
        let (text, at) = place(marked);
        let found = kept.find(&document(), &text, at)?;
        Some(found.edit.apply(&text).unwrap().to_string())
    }

    #[test]
    fn coming_back_to_a_text_finds_its_answer() {
        let mut kept = KeptAnswers::default();
        keep(&mut kept, "let a = |;\n", 0, "b + c");
        assert_eq!(found(&kept, "let a = |;\n").unwrap(), "let a = b + c;\n");
        assert_eq!(found(&kept, "let a = b|;\n").unwrap(), "let a = b + c;\n");
        assert_eq!(found(&kept, "let a = x|;\n"), None);
        assert_eq!(found(&kept, "let a = b + c|;\n"), None);
        assert_eq!(found(&kept, "let a = |\n"), None);
        assert_eq!(found(&kept, "\nlet a = |;\n"), None);
    }

    #[test]
    fn what_an_answer_covers_is_covered_again() {
        let mut kept = KeptAnswers::default();
        keep(&mut kept, "f(|)\n", 1, "é, 1)\n");
        assert_eq!(found(&kept, "f(é|)\n").unwrap(), "f(é, 1)\n\n");
    }

    #[test]
    fn what_covers_more_than_was_compared_is_not_kept() {
        let mut kept = KeptAnswers::default();
        let behind = "b".repeat(BEHIND);
        keep(&mut kept, &format!("a|{behind}c"), BEHIND + 1, "x");
        assert_eq!(found(&kept, &format!("a|{behind}d")), None);
        keep(&mut kept, &format!("a|{behind}c"), BEHIND, "x");
        assert_eq!(found(&kept, &format!("a|{behind}d")).unwrap(), "axd");
        keep(&mut kept, "a|bc", 2, "x");
        assert_eq!(found(&kept, "a|bc").unwrap(), "ax");
    }

    #[test]
    fn a_change_elsewhere_makes_them_be_forgotten() {
        let mut kept = KeptAnswers::default();
        kept.follow(&document());
        keep(&mut kept, "a|", 0, "b");
        kept.follow(&document());
        assert_eq!(found(&kept, "a|").unwrap(), "ab");
        let other = DocumentId::new("file:///b");
        kept.follow(&other);
        assert_eq!(found(&kept, "a|"), None);
        // It may be answered after the other has changed, and before that changes again.
        keep(&mut kept, "a|", 0, "c");
        kept.follow(&other);
        assert_eq!(found(&kept, "a|"), None);
    }

    #[test]
    fn far_away_anything_may_have_changed() {
        let mut kept = KeptAnswers::default();
        let near = "x\n".repeat(600);
        keep(&mut kept, &format!("one\n{near}|\n"), 0, "y");
        assert!(found(&kept, &format!("another\n{near}|\n")).is_some());
        assert!(found(&kept, &format!("one\n{near}z|\n")).is_none());
    }

    #[test]
    fn of_two_answers_for_a_place_the_latest_is_kept() {
        let mut kept = KeptAnswers::default();
        keep(&mut kept, "a|", 0, "b");
        keep(&mut kept, "a|", 0, "c");
        assert_eq!(found(&kept, "a|").unwrap(), "ac");
        assert_eq!(kept.answers.len(), 1);
        kept.forget(&document());
        assert_eq!(found(&kept, "a|"), None);
    }

    #[test]
    fn only_so_many_are_kept() {
        let mut kept = KeptAnswers::default();
        for number in 0..=MOST_ANSWERS {
            keep(&mut kept, &format!("{number} |"), 0, "b");
        }
        assert_eq!(found(&kept, "0 |"), None);
        assert_eq!(found(&kept, "1 |").unwrap(), "1 b");
    }
}
