//! When something is asked, and what would be right.
//!
//! Where a trace has `expect` lines, something is asked once before each run of them, a pause after what
//! was done: they are alternatives. Where it has none, something is asked in every pause of more than a second between
//! two edits of the person, and right is what they did next: the burst of edits at one place that
//! ends the pause. A burst goes on while its gaps are at most five seconds and its edits are within
//! eight lines of it; a burst with a pause in it is also the rest of itself after that pause. One
//! that came to nothing says that there was nothing to suggest.
//!
//! A pause is asked about in its last moment, when all is known that the person did before they
//! typed again: that they went elsewhere first is not for a lane to foresee.
//!
//! The cursor is where the person put it last, or behind what they put in last. Changes by
//! formatters are not the person's: they are neither asked about nor expected.

use std::collections::BTreeMap;

use foretell_core::{Event, Moment};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, OffsetBias, PositionEncoding,
    Replacement, Text,
};

use crate::replay::end_of_last_insertion;
use crate::trace::{ExpectedEdit, ExpectedRank, LineContent, Trace, TraceLine};

/// The gap after which somebody pauses, in milliseconds.
const PAUSE: u64 = 1_000;
/// The longest gap within a burst, in milliseconds.
const LONGEST_GAP: u64 = 5_000;
/// Places closer than this, in lines, are one place.
pub(super) const NEAR_LINES: u32 = 8;

/// Something to ask.
#[derive(Debug)]
pub(super) struct EvalQuestion {
    /// After which line.
    pub(super) after: usize,
    pub(super) now: Moment,
    pub(super) document: DocumentId,
    pub(super) at: ByteOffset,
    pub(super) source: QuestionSource,
    pub(super) expected: Vec<ExpectedEdit>,
    /// How many characters are typed until the next.
    pub(super) typed: u64,
}

/// Where a question comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionSource {
    Expect,
    Pause,
}

/// All questions of a trace, in order.
pub(super) fn all(trace: &Trace) -> Vec<EvalQuestion> {
    let is_expect = |line: &TraceLine| matches!(line.what, LineContent::Expect(_));
    let source = if trace.lines.iter().any(is_expect) {
        QuestionSource::Expect
    } else {
        QuestionSource::Pause
    };
    let mut walk = TraceWalk::new(source);
    for line in &trace.lines {
        match &line.what {
            LineContent::Event(event) => walk.event(line.at, event),
            LineContent::Expect(expect) => walk.expect(line.at, expect),
            LineContent::Accepted { .. } | LineContent::Check(_) | LineContent::Settings(_) => {}
        }
        if !is_expect(line) {
            walk.last = Some((line.number, line.at));
        }
    }
    walk.end()
}

/// A walk through a trace.
struct TraceWalk {
    source: QuestionSource,
    texts: BTreeMap<DocumentId, Text>,
    cursor: Option<(DocumentId, ByteOffset)>,
    /// The last line that is not an expectation.
    last: Option<(usize, Moment)>,
    last_edit: Option<Moment>,
    /// Characters that were typed since the last question, or before the first.
    typed: u64,
    questions: Vec<EvalQuestion>,
    bursts: Vec<PauseBurst>,
}

/// The edits so far in the pause that a question was asked in.
struct PauseBurst {
    question: usize,
    document: DocumentId,
    before: Text,
    /// Its changes so far, as one edit of the text before it.
    edit: Edit,
    /// Where that is now, from its first to its last place.
    extent: ByteRange,
    last: Moment,
}

impl TraceWalk {
    fn new(source: QuestionSource) -> Self {
        TraceWalk {
            source,
            texts: BTreeMap::new(),
            cursor: None,
            last: None,
            last_edit: None,
            typed: 0,
            questions: Vec::new(),
            bursts: Vec::new(),
        }
    }

    fn event(&mut self, now: Moment, event: &Event) {
        match event {
            Event::DocumentOpened { document, text, .. } => {
                self.end_bursts(|burst| burst.document == *document);
                self.texts.insert(document.clone(), text.clone());
            }
            Event::DocumentClosed { document } => {
                self.end_bursts(|burst| burst.document == *document);
                self.texts.remove(document);
                self.cursor.take_if(|(id, _)| id == document);
            }
            Event::DocumentReplaced {
                document,
                text,
                reason,
                ..
            } => {
                if let Some(held) = self.texts.get(document) {
                    let whole = ByteRange::new(ByteOffset::ZERO, held.end()).unwrap_or_default();
                    let edit = Edit::from(Replacement::new(whole, text.to_string()));
                    let edit = edit.trimmed(held).unwrap_or(edit);
                    self.change(now, document, &edit, *reason);
                }
            }
            Event::SelectionChanged {
                document,
                version: None,
                selections,
            } => {
                let text = self.texts.get(document);
                let fits = |it: &&ByteRange| text.is_none_or(|text| text.read(**it).is_ok());
                if let Some(selection) = selections.first().filter(fits) {
                    self.cursor = Some((document.clone(), selection.end()));
                }
            }
            Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            } => {
                for edit in edits {
                    self.change(now, document, edit, *reason);
                }
            }
            _ => {}
        }
    }

    fn change(&mut self, now: Moment, document: &DocumentId, edit: &Edit, reason: ChangeReason) {
        let Some(before) = self.texts.get(document).cloned() else {
            return;
        };
        let Ok(after) = edit.apply(&before) else {
            return;
        };
        if reason == ChangeReason::Other {
            self.end_bursts(|burst| burst.document == *document);
            if let Some((id, at)) = &mut self.cursor {
                if id == document {
                    *at = edit.map_offset(*at, OffsetBias::After);
                }
            }
        } else if let Some(span) = edit.span() {
            self.end_bursts(|burst| !burst.goes_on(now, document, span, &before));
            self.pause(now, document, &before, span);
            for burst in &mut self.bursts {
                burst.take_in(now, span, edit);
            }
            self.last_edit = Some(now);
            if let Some(at) = end_of_last_insertion(edit) {
                self.cursor = Some((document.clone(), at));
            }
            if reason == ChangeReason::Typed {
                self.typed += inserted(edit);
            }
        }
        self.texts.insert(document.clone(), after);
    }

    /// Asks, if an edit ends a pause.
    fn pause(&mut self, now: Moment, document: &DocumentId, before: &Text, span: ByteRange) {
        let Some(last_edit) = self.last_edit else {
            return;
        };
        if self.source == QuestionSource::Expect || now.since(last_edit) <= PAUSE {
            return;
        }
        let asked = self.ask(last_edit.after(PAUSE));
        self.bursts.extend(asked.map(|question| PauseBurst {
            question,
            document: document.clone(),
            before: before.clone(),
            edit: Edit::empty(),
            extent: ByteRange::empty(span.start()),
            last: now,
        }));
    }

    fn expect(&mut self, now: Moment, expect: &ExpectedEdit) {
        let asked_after = self.questions.last().map(|it| it.after);
        let is_alternative = asked_after.is_some() && asked_after == self.last.map(|it| it.0);
        if !is_alternative {
            if self.cursor.is_none() {
                self.cursor = Some((expect.document.clone(), ByteOffset::ZERO));
            }
            // Keys that were typed before the question cannot be saved.
            self.typed = 0;
            // Who is about to do something else has finished what they did.
            self.ask(now.after(PAUSE));
        }
        let Some(question) = self.questions.last_mut() else {
            return;
        };
        // Alternatives are typed once.
        if question.typed == 0 && expect.rank.is_right() {
            question.typed = expect.edit.as_ref().map_or(0, inserted);
        }
        question.expected.push(expect.clone());
    }

    /// Asks after the last line, but not before a moment. Says which question that is.
    fn ask(&mut self, at_least: Moment) -> Option<usize> {
        let (after, at) = self.last?;
        let (document, place) = self.cursor.clone()?;
        if self.source == QuestionSource::Pause {
            let typed = std::mem::take(&mut self.typed);
            if let Some(question) = self.questions.last_mut() {
                question.typed += typed;
            } else {
                self.typed = typed;
            }
        }
        self.questions.push(EvalQuestion {
            after,
            now: at.max(at_least),
            document,
            at: place,
            source: self.source,
            expected: Vec::new(),
            typed: 0,
        });
        Some(self.questions.len() - 1)
    }

    fn end_bursts(&mut self, is_over: impl Fn(&PauseBurst) -> bool) {
        let (over, going): (Vec<_>, Vec<_>) = self.bursts.drain(..).partition(is_over);
        self.bursts = going;
        for burst in over {
            let question = self.questions.get_mut(burst.question);
            if let Some((question, expected)) = question.zip(burst.expected()) {
                question.expected.push(expected);
            }
        }
    }

    fn end(mut self) -> Vec<EvalQuestion> {
        self.end_bursts(|_| true);
        if let Some(question) = self.questions.last_mut() {
            if self.source == QuestionSource::Pause {
                question.typed += self.typed;
            }
        }
        self.questions
    }
}

impl PauseBurst {
    fn goes_on(&self, now: Moment, document: &DocumentId, span: ByteRange, text: &Text) -> bool {
        let is_in_time = now.since(self.last) <= LONGEST_GAP;
        is_in_time && self.document == *document && is_near(text, span, self.extent)
    }

    /// Takes an edit of its document in.
    fn take_in(&mut self, now: Moment, span: ByteRange, edit: &Edit) {
        let start = self.extent.start().min(span.start());
        let end = self.extent.end().max(span.end());
        let grown = edit.replacements().iter().fold(end.get(), |end, it| {
            (end + it.new_text().len()).saturating_sub(it.range().len())
        });
        let extent = ByteRange::new(start, ByteOffset::new(grown));
        self.extent = extent.unwrap_or(ByteRange::empty(start));
        // They follow each other, so that they always compose.
        if let Ok(both) = self.edit.compose(edit) {
            self.edit = both.trimmed(&self.before).unwrap_or(both);
        }
        self.last = now;
    }

    /// Its result.
    fn expected(self) -> Option<ExpectedEdit> {
        let effect = self.edit.effect(&self.before).ok()?;
        Some(ExpectedEdit {
            document: self.document,
            edit: (!effect.is_nothing()).then_some(self.edit),
            rank: ExpectedRank::User,
        })
    }
}

/// How many characters an edit puts in.
fn inserted(edit: &Edit) -> u64 {
    let replacements = edit.replacements().iter();
    let chars = replacements.map(|it| it.new_text().chars().count() as u64);
    chars.sum()
}

/// Whether two stretches of a text are at most a few lines apart.
fn is_near(text: &Text, a: ByteRange, b: ByteRange) -> bool {
    let (upper, lower) = if a.start() <= b.start() {
        (a, b)
    } else {
        (b, a)
    };
    let line = |at| {
        text.position_of(at, PositionEncoding::Utf8)
            .map_or(0, |at| at.line)
    };
    line(lower.start()).saturating_sub(line(upper.end())) <= NEAR_LINES
}
