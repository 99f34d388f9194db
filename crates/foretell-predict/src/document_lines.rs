//! [`DocumentLines`]: a document, line by line, and what was learned from each.
//!
//! A document is learned from the cursor outwards, a little at each question, so that no question waits
//! for a large one. A line that changes is forgotten at once, and learned anew when the cursor has left
//! it: half a line teaches what nobody means. With it the line below is learned anew, which has another
//! line before it. Of a document that nobody asks about nothing is kept but its text and where it was
//! typed into: it *rests*.
//!
//! A line that its owner says is none to learn from ([`LineScreen`]) is read as an empty one.
//!
//! Kept: at each moment the table counts exactly the lines that are learned, and those are no more than
//! [`MOST_TOKENS`] but for one bit. A change costs no more than [`MOST_CHANGED`] lines: after a larger one
//! the document rests.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use foretell_text::{ByteOffset, Edit, PositionEncoding, Text};

use crate::learned_line::LearnedLine;
use crate::line_contexts::LineWalk;
use crate::line_lexer::{LONGEST_LINE, indent_of, lex_line};
use crate::nearby_tokens::{LINES_ABOVE, LINES_BELOW};
use crate::pending_lines::{PendingLines, distance};
use crate::successor_table::SuccessorTable;
use crate::token_vocabulary::{TokenId, TokenVocabulary};
use crate::typed_lines::{TypedLineId, TypedLines};

/// A document of more lines is not learned.
pub(crate) const MOST_LINES: usize = 20_000;
/// Nor one of more bytes.
pub(crate) const MOST_BYTES: usize = 2 << 20;
/// So many tokens of a document are learned, those nearest to the cursor.
pub(crate) const MOST_TOKENS: usize = 40_000;
/// A change of more lines makes it rest.
const MOST_CHANGED: usize = 256;
/// So many lines are learned at a time.
const LINES_AT_A_TIME: usize = 32;
/// How much is learned at a question; a token counts one, and a line one more.
const WORK_AT_A_QUESTION: usize = 150;
/// How much where nothing around the cursor is learned yet.
const WORK_AT_ARRIVAL: usize = 3_000;

/// A line.
#[derive(Debug, Default)]
struct DocumentLine {
    tokens: LineTokens,
    /// The token it begins with.
    start: TokenId,
    /// Where a walk is behind it.
    after: Option<Arc<LineWalk>>,
    typed: Option<TypedLineId>,
    /// The person has changed it since it was learned.
    is_typed_into: bool,
}

/// What is known of the tokens of a line.
#[derive(Debug, Default)]
enum LineTokens {
    #[default]
    Unread,
    Read(Box<[TokenId]>),
    Learned(Arc<LearnedLine>),
}

/// Tells which lines may not be learned, because of what stands in them.
#[derive(Clone, Default)]
pub struct LineScreen(Option<Arc<LeavesOut>>);

/// Whether a line may not be learned, by the line above it and itself.
type LeavesOut = dyn Fn(&str, &str) -> bool + Send + Sync;

impl LineScreen {
    /// One that asks a function, with the line above and the line.
    pub fn new(leaves_out: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Self {
        LineScreen(Some(Arc::new(leaves_out)))
    }

    fn leaves_out(&self, above: impl FnOnce() -> String, line: &str) -> bool {
        let asked = self.0.as_ref().filter(|_| !line.trim().is_empty());
        asked.is_some_and(|leaves_out| leaves_out(&above(), line))
    }
}

impl fmt::Debug for LineScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineScreen").finish_non_exhaustive()
    }
}

/// Who changed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedBy {
    Person,
    /// A formatter, a refactoring, or the first reading.
    Program,
}

/// What is kept of a line of a document that rests.
#[derive(Clone, Copy, Debug)]
struct RestingLine {
    line: usize,
    /// The line that was typed; nothing, if it was not learned yet.
    typed: Option<TypedLineId>,
}

/// A document, line by line.
#[derive(Debug)]
pub(crate) struct DocumentLines {
    pub(crate) text: Text,
    screen: LineScreen,
    pub(crate) table: SuccessorTable,
    /// None, if it rests.
    lines: VecDeque<Box<DocumentLine>>,
    pending: PendingLines,
    /// The line that was asked about last.
    cursor: usize,
    /// How many tokens are read.
    tokens: usize,
    /// Where the person has typed, in order, if it rests.
    resting: Vec<RestingLine>,
    rests: bool,
}

impl DocumentLines {
    /// A document with lines that were typed into it before.
    pub(crate) fn new(text: Text, typed: Vec<(usize, TypedLineId)>, screen: LineScreen) -> Self {
        let resting = typed.into_iter().map(|(line, typed)| RestingLine {
            line,
            typed: Some(typed),
        });
        DocumentLines {
            text,
            screen,
            table: SuccessorTable::new(),
            lines: VecDeque::new(),
            pending: PendingLines::default(),
            cursor: 0,
            tokens: 0,
            resting: resting.collect(),
            rests: true,
        }
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.text.line_count() > MOST_LINES || self.text.end().get() > MOST_BYTES
    }

    /// How many tokens of it are kept.
    pub(crate) fn tokens(&self) -> usize {
        self.tokens
    }

    /// Follows a change, to the text after it.
    pub(crate) fn change(
        &mut self,
        text: &Text,
        edit: &Edit,
        by: ChangedBy,
        typed: &mut TypedLines,
        vocabulary: &mut TokenVocabulary,
    ) {
        let old = std::mem::replace(&mut self.text, text.clone());
        let Some(span) = edit.span() else {
            return;
        };
        let first = line_of(&old, span.start());
        let last = line_of(&old, span.end());
        let grown = text.end().get() as i64 - old.end().get() as i64;
        let end = text.floor((span.end().get() as i64 + grown).max(0) as usize);
        let new_last = line_of(text, end).max(first);
        let (old_lines, new_lines) = (first..last + 1, first..new_last + 1);
        let is_large = old_lines.len().max(new_lines.len()) > MOST_CHANGED;
        if is_large || self.is_too_large() {
            self.rest(vocabulary);
        }
        if self.rests {
            return self.change_at_rest(old_lines, new_lines, by, typed, vocabulary);
        }
        for at in old_lines.clone() {
            self.forget_line(at, vocabulary);
            let line = self.lines.get_mut(at);
            if let Some(id) = line.and_then(|line| line.typed.take()) {
                typed.forget(id, vocabulary);
            }
        }
        for _ in new_lines.len()..old_lines.len() {
            self.lines.remove(first);
        }
        for _ in old_lines.len()..new_lines.len() {
            self.lines
                .insert(first.min(self.lines.len()), Box::default());
        }
        for at in new_lines.clone() {
            if let Some(line) = self.lines.get_mut(at) {
                let is_typed_into = line.is_typed_into || by == ChangedBy::Person;
                **line = DocumentLine {
                    is_typed_into,
                    ..DocumentLine::default()
                };
            }
        }
        self.pending.replace(old_lines, new_lines.len());
    }

    /// The same where nothing but the marks of what was typed has to follow.
    fn change_at_rest(
        &mut self,
        old_lines: Range<usize>,
        new_lines: Range<usize>,
        by: ChangedBy,
        typed: &mut TypedLines,
        vocabulary: &TokenVocabulary,
    ) {
        let from = self.resting.partition_point(|it| it.line < old_lines.start);
        let to = self.resting.partition_point(|it| it.line < old_lines.end);
        for gone in self.resting.drain(from..to) {
            if let Some(id) = gone.typed {
                typed.forget(id, vocabulary);
            }
        }
        for later in self.resting.iter_mut().skip(from) {
            later.line = later.line - old_lines.len() + new_lines.len();
        }
        if by == ChangedBy::Person && new_lines.len() <= MOST_CHANGED {
            let new = new_lines.map(|line| RestingLine { line, typed: None });
            self.resting.splice(from..from, new);
        }
    }

    /// Learns some of what is not learned yet, the nearest to a line first; not that line itself, which
    /// has the cursor.
    pub(crate) fn learn(
        &mut self,
        cursor: usize,
        typed: &mut TypedLines,
        vocabulary: &mut TokenVocabulary,
    ) {
        if self.is_too_large() {
            return;
        }
        self.wake();
        let cursor = cursor.min(self.lines.len().saturating_sub(1));
        self.cursor = cursor;
        let is_left = self.pending.contains(cursor);
        self.pending.remove(cursor..cursor + 1);
        // Names are common or rare by how often they are there, so all are read before any is learned.
        let read = self.read_nearest(cursor, vocabulary);
        self.learn_lines(&read, typed, vocabulary);
        if is_left {
            self.pending.insert(cursor..cursor + 1);
        }
    }

    /// The cursor goes to another document: the line that it was on is learned, too.
    pub(crate) fn leave(&mut self, typed: &mut TypedLines, vocabulary: &mut TokenVocabulary) {
        let left = self.cursor..self.cursor + 1;
        if !self.pending.contains(self.cursor) || self.rests {
            return;
        }
        self.pending.remove(left.clone());
        self.read_line(self.cursor, vocabulary);
        self.learn_lines(&[left], typed, vocabulary);
    }

    fn learn_lines(
        &mut self,
        read: &[Range<usize>],
        typed: &mut TypedLines,
        vocabulary: &TokenVocabulary,
    ) {
        for lines in read {
            for at in lines.clone() {
                self.learn_line(at, typed, vocabulary);
            }
            // The line below has another line before it.
            let below = self.lines.get(lines.end);
            if below.is_some_and(|line| matches!(line.tokens, LineTokens::Learned(_))) {
                self.learn_line(lines.end, typed, vocabulary);
            }
        }
    }

    /// Reads what is to be learned now, and says which lines it is.
    fn read_nearest(
        &mut self,
        cursor: usize,
        vocabulary: &mut TokenVocabulary,
    ) -> Vec<Range<usize>> {
        let around = cursor.saturating_sub(LINES_ABOVE)..cursor + 1 + LINES_BELOW;
        let is_new_here = !self
            .nearest_learned(cursor)
            .is_some_and(|line| around.contains(&line));
        let mut read = PendingLines::default();
        let mut work = 0;
        while let Some(lines) = self.pending.nearest(cursor, LINES_AT_A_TIME) {
            let is_around = around.contains(&lines.start) || around.contains(&(lines.end - 1));
            let most = if is_new_here || is_around {
                WORK_AT_ARRIVAL
            } else {
                WORK_AT_A_QUESTION
            };
            if work >= most || !self.make_room(cursor, &lines, vocabulary) {
                break;
            }
            self.pending.remove(lines.clone());
            for at in lines.clone() {
                work += 1 + self.read_line(at, vocabulary);
            }
            read.insert(lines);
        }
        read.stretches()
    }

    /// The line nearest to the cursor's that is learned.
    fn nearest_learned(&self, cursor: usize) -> Option<usize> {
        let above = (cursor.saturating_sub(LINES_ABOVE)..cursor).rev();
        let below = cursor + 1..cursor + 1 + LINES_BELOW;
        let is_learned = |at: &usize| {
            let line = self.lines.get(*at);
            line.is_some_and(|line| matches!(line.tokens, LineTokens::Learned(_)))
        };
        above.chain(below).find(is_learned)
    }

    /// Forgets what lies farther away than some lines, if there is too much; whether there is room.
    fn make_room(
        &mut self,
        cursor: usize,
        lines: &Range<usize>,
        vocabulary: &mut TokenVocabulary,
    ) -> bool {
        while self.tokens >= MOST_TOKENS {
            let all = self.lines.len();
            let farthest = self.pending.farthest_other(cursor, all, LINES_AT_A_TIME);
            let Some(far) = farthest.filter(|far| distance(far, cursor) > distance(lines, cursor))
            else {
                return false;
            };
            for at in far.clone() {
                self.forget_line(at, vocabulary);
            }
            self.pending.insert(far);
        }
        true
    }

    /// Gives back all but what a change has to know of: it is learned anew when somebody asks here.
    pub(crate) fn rest(&mut self, vocabulary: &mut TokenVocabulary) {
        if self.rests {
            return;
        }
        self.rests = true;
        let lines = std::mem::take(&mut self.lines);
        let mut resting = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            for token in line.tokens() {
                vocabulary.count(token, false);
            }
            if line.typed.is_some() || line.is_typed_into {
                resting.push(RestingLine {
                    line: number,
                    typed: line.typed,
                });
            }
        }
        self.resting = resting;
        self.pending = PendingLines::default();
        self.table = SuccessorTable::new();
        self.tokens = 0;
    }

    fn wake(&mut self) {
        if !self.rests {
            return;
        }
        self.rests = false;
        let count = self.text.line_count();
        self.lines = (0..count).map(|_| Box::default()).collect();
        self.pending = PendingLines::first(count);
        for resting in std::mem::take(&mut self.resting) {
            if let Some(line) = self.lines.get_mut(resting.line) {
                line.typed = resting.typed;
                line.is_typed_into = resting.typed.is_none();
            }
        }
    }

    /// Rests, and takes what was typed for what is still to be learned.
    pub(crate) fn start_over(&mut self, vocabulary: &mut TokenVocabulary) {
        self.rest(vocabulary);
        for resting in &mut self.resting {
            resting.typed = None;
        }
    }

    /// Forgets the document, and says which of its lines were typed.
    pub(crate) fn close(mut self, vocabulary: &mut TokenVocabulary) -> Vec<(usize, TypedLineId)> {
        self.rest(vocabulary);
        let typed = |resting: &RestingLine| Some((resting.line, resting.typed?));
        self.resting.iter().filter_map(typed).collect()
    }

    /// Where a walk is before a line, and the token it begins with.
    pub(crate) fn walk_before(&self, line: usize) -> Arc<LineWalk> {
        // The line with the cursor may not be learned yet.
        let above = (line.saturating_sub(3)..line)
            .rev()
            .filter_map(|at| self.lines.get(at));
        let mut known = above.filter_map(|line| line.after.clone());
        known.next().unwrap_or_else(|| Arc::new(LineWalk::new()))
    }

    /// The tokens of the lines around one, each line with the token it begins with: those below, and those
    /// above.
    pub(crate) fn around(&self, line: usize, above: usize, below: usize, to: &mut Vec<TokenId>) {
        let behind = (line + 1)..(line + 1 + below).min(self.lines.len());
        for at in behind {
            self.tell_line(at, to);
        }
        to.push(TokenId::UNREAD);
        for at in line.saturating_sub(above)..line.min(self.lines.len()) {
            self.tell_line(at, to);
        }
    }

    fn tell_line(&self, at: usize, to: &mut Vec<TokenId>) {
        if let Some(line) = self.lines.get(at) {
            to.push(line.start);
            to.extend(line.tokens());
        }
    }

    /// Reads a line, and says how many tokens it has.
    fn read_line(&mut self, at: usize, vocabulary: &mut TokenVocabulary) -> usize {
        let mut text = text_of_line(&self.text, at);
        let above = || match at.checked_sub(1) {
            Some(above) => text_of_line(&self.text, above),
            None => String::new(),
        };
        if self.screen.leaves_out(above, &text) {
            text.clear();
        }
        let Some(line) = self.lines.get_mut(at) else {
            return 0;
        };
        let tokens = lex_line(&text, vocabulary);
        let tokens: Box<[TokenId]> = tokens.iter().map(|token| token.id).collect();
        for token in &tokens {
            vocabulary.count(*token, true);
        }
        let count = tokens.len();
        self.tokens += count;
        line.tokens = LineTokens::Read(tokens);
        count
    }

    /// Learns a line that is read, or learns it anew.
    fn learn_line(&mut self, at: usize, typed: &mut TypedLines, vocabulary: &TokenVocabulary) {
        let above = self.walk_before(at);
        let text = text_of_line(&self.text, at);
        let Some(line) = self.lines.get_mut(at) else {
            return;
        };
        match &line.tokens {
            LineTokens::Unread => return,
            LineTokens::Read(_) => {}
            LineTokens::Learned(learned) => learned.unteach(&mut self.table, vocabulary),
        }
        let is_empty = line.tokens().next().is_none();
        let indent = (!is_empty).then_some(indent_of(&text).0);
        line.start = LineWalk::clone(&above).begin_line(indent);
        let (learned, after) = LearnedLine::read(line.tokens(), above, indent, vocabulary);
        let learned = Arc::new(learned);
        learned.teach(&mut self.table, vocabulary);
        if std::mem::take(&mut line.is_typed_into) && !is_empty {
            line.typed = Some(typed.push(learned.clone(), vocabulary));
        }
        line.tokens = LineTokens::Learned(learned);
        line.after = Some(Arc::new(after));
    }

    /// Forgets a line, but not whether it was typed.
    fn forget_line(&mut self, at: usize, vocabulary: &mut TokenVocabulary) {
        let Some(line) = self.lines.get_mut(at) else {
            return;
        };
        let tokens = std::mem::take(&mut line.tokens);
        if let LineTokens::Learned(learned) = &tokens {
            learned.unteach(&mut self.table, vocabulary);
        }
        for token in tokens.each() {
            vocabulary.count(token, false);
            self.tokens -= 1;
        }
        line.after = None;
    }
}

impl DocumentLine {
    fn tokens(&self) -> impl Iterator<Item = TokenId> {
        self.tokens.each()
    }
}

impl LineTokens {
    fn each(&self) -> impl Iterator<Item = TokenId> {
        let (read, learned) = match self {
            LineTokens::Unread => (None, None),
            LineTokens::Read(tokens) => (Some(tokens), None),
            LineTokens::Learned(learned) => (None, Some(learned)),
        };
        let read = read.into_iter().flatten().copied();
        read.chain(learned.into_iter().flat_map(|it| it.tokens()))
    }
}

/// The number of the line with an offset.
pub(crate) fn line_of(text: &Text, at: ByteOffset) -> usize {
    let position = text.position_of(at, PositionEncoding::Utf8);
    position.map_or(0, |position| position.line as usize)
}

/// A line without its line break; nothing, if it is too long for anybody to have typed it.
pub(crate) fn text_of_line(text: &Text, line: usize) -> String {
    let range = u32::try_from(line)
        .ok()
        .and_then(|line| text.line(line).ok());
    let range = range.filter(|range| range.len() <= LONGEST_LINE);
    let text = range.and_then(|range| text.read(range).ok());
    text.map_or_else(String::new, |it| {
        it.trim_end_matches(['\r', '\n']).to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::{ByteRange, Replacement};
    use proptest::prelude::*;

    /// A document with what is shared by all.
    struct LearnedDesk {
        lines: DocumentLines,
        typed: TypedLines,
        vocabulary: TokenVocabulary,
    }

    impl LearnedDesk {
        fn new(text: &str) -> Self {
            LearnedDesk {
                lines: DocumentLines::new(Text::from(text), Vec::new(), LineScreen::default()),
                typed: TypedLines::new(),
                vocabulary: TokenVocabulary::new(),
            }
        }

        /// Asks on a line, and says how many tokens were read for it.
        fn ask(&mut self, line: usize) -> usize {
            let before = self.lines.tokens;
            self.lines
                .learn(line, &mut self.typed, &mut self.vocabulary);
            self.lines.tokens.abs_diff(before)
        }

        fn replace(&mut self, start: usize, end: usize, new: &str, by: ChangedBy) {
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
            let edit = Edit::from(Replacement::new(range, new));
            let text = edit.apply(&self.lines.text).unwrap();
            self.lines
                .change(&text, &edit, by, &mut self.typed, &mut self.vocabulary);
        }

        fn is_learned(&self, line: usize) -> bool {
            let line = self.lines.lines.get(line);
            line.is_some_and(|line| matches!(line.tokens, LineTokens::Learned(_)))
        }
    }

    /// Ten tokens a line, two of them new.
    fn large(lines: usize) -> String {
        let line = |n: usize| format!("let name{n} = call(value{n}, 1);\n");
        (0..lines).map(line).collect()
    }

    #[test]
    fn a_large_document_is_learned_a_little_at_a_time_from_the_cursor_outwards() {
        let mut desk = LearnedDesk::new(&large(3_000));
        let slack = LINES_AT_A_TIME * 12;
        let first = desk.ask(1_500);
        assert!((WORK_AT_ARRIVAL / 2..WORK_AT_ARRIVAL + slack).contains(&first));
        assert!(desk.is_learned(1_400) && desk.is_learned(1_600) && !desk.is_learned(1_500));
        assert!(!desk.is_learned(0) && !desk.is_learned(2_999));
        let mut questions = 0;
        while !desk.lines.pending.clone().stretches().is_empty() {
            let more = desk.ask(2_999 * (questions % 2));
            assert!(more < WORK_AT_ARRIVAL + slack);
            if questions > 4 {
                assert!(more < WORK_AT_A_QUESTION + slack, "{more}");
            }
            questions += 1;
            if questions > 1_000 || desk.lines.pending == PendingLines::first(1) {
                break;
            }
        }
        assert!((20..300).contains(&questions), "{questions}");
    }

    #[test]
    fn no_more_is_kept_than_so_much_wherever_the_cursor_goes() {
        let mut desk = LearnedDesk::new(&large(9_000));
        for line in [0, 8_999, 4_000, 10] {
            for _ in 0..200 {
                desk.ask(line);
                assert!(desk.lines.tokens <= MOST_TOKENS + LINES_AT_A_TIME * 12);
            }
            let near = if line > 0 { line - 1 } else { line + 1 };
            assert!(desk.is_learned(near), "{line}");
        }
        desk.lines.rest(&mut desk.vocabulary);
        assert_eq!(desk.lines.tokens, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn what_is_deleted_is_gone_whatever_happened_to_it(
            edits in prop::collection::vec(
                (0..900_usize, 0..60_usize, r"[ab(){}, =\n\té]{0,20}", any::<bool>(), 0..70_usize, any::<bool>()),
                1..30
            )
        ) {
            let mut desk = LearnedDesk::new(&"a = b(a, c);\nif d {\n    e(f);\n}\n".repeat(30));
            for (start, length, new, typed, cursor, rests) in edits {
                let text = desk.lines.text.clone();
                let start = text.floor(start.min(text.end().get())).get();
                let end = text.floor((start + length).min(text.end().get())).get();
                let by = if typed { ChangedBy::Person } else { ChangedBy::Program };
                desk.replace(start, end.max(start), &new, by);
                if rests {
                    desk.lines.rest(&mut desk.vocabulary);
                }
                desk.ask(cursor);
                let lines = desk.lines.text.line_count();
                prop_assert_eq!(desk.lines.lines.len(), lines);
                let read: usize = desk.lines.lines.iter().map(|line| line.tokens().count()).sum();
                prop_assert_eq!(desk.lines.tokens, read);
                for at in (0..lines).filter(|at| *at != cursor.min(lines - 1)) {
                    prop_assert_eq!(desk.is_learned(at), !desk.lines.pending.contains(at));
                }
            }
            let end = desk.lines.text.end().get();
            desk.replace(0, end, "", ChangedBy::Person);
            // Nothing is left but that an empty line ended.
            desk.ask(0);
            prop_assert!(desk.lines.table.all_tokens().all(|token| token == TokenId::LINE_END));
            prop_assert!(desk.typed.table.all_tokens().next().is_none());
            for id in 0..desk.vocabulary.len() as u32 {
                prop_assert_eq!(desk.vocabulary.uses(TokenId(id)), 0);
            }
        }
    }
}
