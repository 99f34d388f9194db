//! The verdict on one answer.
//!
//! Answers are compared by what they do, never by how they are written: two edits that lead to the same text
//! are the same answer. The first line of an answer is right if the same line says the same in the end,
//! wherever else the person changed something. An answer ranked as bad is never right, and needs no comparison:
//! it is one of the many things that are not expected.

use foretell_text::{
    ByteOffset, ByteRange, DocumentId, Edit, Effect, LaneCandidate, OffsetBias, PositionEncoding,
    Replacement, Text,
};

use super::eval_questions::NEAR_LINES;
use crate::trace::ExpectedEdit;

/// The verdict on an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerVerdict {
    /// Something was suggested.
    pub spoke: bool,
    /// It has the same effect as something that is right; or nothing was to be suggested, and
    /// nothing was.
    pub right: bool,
    /// The first line that it changes ends up as it does in something that is right.
    pub first_line: bool,
    /// It is within eight lines of something that is right, in the same document.
    pub place: bool,
    /// How many keys it saves if it is right: its characters, less the one to accept it.
    pub saved: u64,
    /// How many keys its first line saves, if that is right.
    pub saved_by_first_line: u64,
}

impl AnswerVerdict {
    /// Compares an answer with what was expected.
    pub fn of<'t>(
        answer: Option<&LaneCandidate>,
        expected: &[ExpectedEdit],
        text_of: impl Fn(&DocumentId) -> Option<&'t Text>,
    ) -> Self {
        let right = || expected.iter().filter(|expect| expect.rank.is_right());
        let Some(candidate) = answer else {
            return AnswerVerdict {
                right: right().any(|expect| expect.edit.is_none()),
                ..AnswerVerdict::default()
            };
        };
        let mut verdict = AnswerVerdict {
            spoke: true,
            ..AnswerVerdict::default()
        };
        let text = text_of(&candidate.document);
        let done = text.and_then(|text| EditOutcome::of(&candidate.edit, text));
        let (Some(text), Some(done)) = (text, done) else {
            // It does nothing, or does not even fit: the lane has spoken all the same.
            return verdict;
        };
        let here = right().filter(|expect| expect.document == candidate.document);
        for edit in here.filter_map(|expect| expect.edit.as_ref()) {
            let Some(wanted) = EditOutcome::of(edit, text) else {
                continue;
            };
            let keys = |keys: fn(&EditOutcome<'_>) -> u64| keys(&done).min(keys(&wanted));
            if wanted.effect == done.effect {
                verdict.right = true;
                verdict.saved = keys(|it| it.inserted()).saturating_sub(1);
            }
            if wanted.has_first_line_of(&done) {
                verdict.first_line = true;
                verdict.saved_by_first_line = done.inserted_in_first_line().saturating_sub(1);
            }
            verdict.place |= wanted.is_near(&done);
        }
        verdict
    }
}

/// The result of an edit.
struct EditOutcome<'t> {
    before: &'t Text,
    after: Text,
    /// Without what it leaves as it is.
    edit: Edit,
    effect: Effect,
    /// The first line that is another afterwards, and what it says then; nothing if it is gone.
    first_line: (u32, Option<String>),
}

impl<'t> EditOutcome<'t> {
    /// Nothing if it does not fit or does nothing.
    fn of(edit: &Edit, before: &'t Text) -> Option<Self> {
        let effect = edit.effect(before).ok()?;
        let after = edit.apply(before).ok()?;
        let from = line_of(before, effect.replacement()?.range().start());
        Some(EditOutcome {
            before,
            first_line: first_changed_line(before, &after, from),
            after,
            edit: edit.trimmed(before).ok()?,
            effect,
        })
    }

    /// Whether the first line that another edit of the same text changes ends up the same here.
    fn has_first_line_of(&self, other: &EditOutcome<'_>) -> bool {
        if self.first_line == other.first_line {
            return true;
        }
        let (line, Some(says)) = &other.first_line else {
            return false;
        };
        let says = Some(says.as_str());
        // A line is where it begins; a new one is after the one above it.
        let begins = self.before.line(*line).map(ByteRange::start);
        let begins = begins.ok().map(|at| self.line_after(at));
        let above = line.checked_sub(1).map(|it| self.before.line(it));
        let above = above.and_then(Result::ok).map(ByteRange::end);
        let follows = above.map(|at| self.line_after(at) + 1);
        let mut lines = begins.into_iter().chain(follows);
        lines.any(|line| line_says(&self.after, line).as_deref() == says)
    }

    /// The line that a place of the text before is on afterwards.
    fn line_after(&self, at: ByteOffset) -> u32 {
        line_of(&self.after, self.edit.map_offset(at, OffsetBias::Before))
    }

    /// Whether another edit of the same text begins a few lines from something that this one changes.
    fn is_near(&self, other: &EditOutcome<'_>) -> bool {
        let line = |at| line_of(self.before, at);
        let begins = other.edit.span().map(|span| line(span.start()));
        self.edit.replacements().iter().any(|it| {
            let (first, last) = (line(it.range().start()), line(it.range().end()));
            let near = first.saturating_sub(NEAR_LINES)..=last.saturating_add(NEAR_LINES);
            begins.is_some_and(|begins| near.contains(&begins))
        })
    }

    /// How many characters it puts in. The effect also has the text between the parts of an edit,
    /// which needs no typing.
    fn inserted(&self) -> u64 {
        let parts = self.edit.replacements().iter();
        parts.map(|it| characters(it.new_text())).sum()
    }

    /// How many of them in the line where it begins, or in the next if it begins with a line end.
    fn inserted_in_first_line(&self) -> u64 {
        let line = |it: &Replacement| line_of(self.before, it.range().start());
        let parts = self.edit.replacements();
        let begins = parts.first().map(line);
        let parts = parts.iter().take_while(|it| Some(line(it)) == begins);
        parts
            .map(|it| characters(first_written_line(it.new_text())))
            .sum()
    }
}

/// The first line from one on that is another in the text after, and what it says there.
fn first_changed_line(before: &Text, after: &Text, from: u32) -> (u32, Option<String>) {
    let mut line = from;
    loop {
        let (old, new) = (line_says(before, line), line_says(after, line));
        // Where both have come to their end, only line ends differ.
        if old != new || old.is_none() {
            return (line, new);
        }
        line += 1;
    }
}

fn line_says(text: &Text, line: u32) -> Option<String> {
    let range = text.line(line).ok()?;
    Some(text.read(range).ok()?.into_owned())
}

fn line_of(text: &Text, at: ByteOffset) -> u32 {
    text.position_of(at, PositionEncoding::Utf8)
        .map_or(0, |at| at.line)
}

/// The first line of what is put in; a line end ahead of it belongs to the line before.
fn first_written_line(text: &str) -> &str {
    let text = text.trim_start_matches(['\n', '\r']);
    text.lines().next().unwrap_or_default()
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}
