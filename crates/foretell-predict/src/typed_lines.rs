//! [`TypedLines`]: what was typed in this session, in any document.
//!
//! The last so many tokens, by lines; a line that is deleted or typed into leaves at once. What was typed
//! into a document that is closed stays, with the number of its line: when the document is opened again,
//! what does not stand there any more leaves, and when it may not be known any more, all of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use foretell_text::DocumentId;

use crate::learned_line::LearnedLine;
use crate::successor_table::SuccessorTable;
use crate::token_vocabulary::{TokenId, TokenVocabulary};

/// How many tokens are kept.
const CAPACITY: usize = 10_000;

/// Which of the lines that were typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedLineId(u64);

/// What was typed in this session.
#[derive(Debug)]
pub(crate) struct TypedLines {
    pub(crate) table: SuccessorTable,
    lines: VecDeque<Option<Arc<LearnedLine>>>,
    /// The number of the first of them.
    first: u64,
    tokens: usize,
    /// Those in documents that are closed, with the numbers of their lines.
    closed: BTreeMap<DocumentId, Vec<(usize, TypedLineId)>>,
    /// How many those are.
    closed_lines: usize,
}

impl TypedLines {
    pub(crate) fn new() -> Self {
        TypedLines {
            table: SuccessorTable::new(),
            lines: VecDeque::new(),
            first: 0,
            tokens: 0,
            closed: BTreeMap::new(),
            closed_lines: 0,
        }
    }

    pub(crate) fn push(
        &mut self,
        line: Arc<LearnedLine>,
        vocabulary: &TokenVocabulary,
    ) -> TypedLineId {
        line.teach(&mut self.table, vocabulary);
        self.tokens += line.len();
        self.lines.push_back(Some(line));
        let id = TypedLineId(self.first + self.lines.len() as u64 - 1);
        while self.tokens > CAPACITY || self.lines.len() > CAPACITY {
            let Some(oldest) = self.lines.pop_front() else {
                break;
            };
            self.first += 1;
            self.forget_line(oldest, vocabulary);
        }
        id
    }

    pub(crate) fn forget(&mut self, id: TypedLineId, vocabulary: &TokenVocabulary) {
        let line = self.at(id).and_then(|at| self.lines.get_mut(at));
        let line = line.and_then(Option::take);
        self.forget_line(line, vocabulary);
    }

    /// A document is closed in which these lines were typed.
    pub(crate) fn close(&mut self, document: &DocumentId, typed: Vec<(usize, TypedLineId)>) {
        let is_kept = |(_, id): &(usize, TypedLineId)| self.get(*id).is_some();
        let typed: Vec<_> = typed.into_iter().filter(is_kept).collect();
        if typed.is_empty() {
            return;
        }
        self.closed_lines += typed.len();
        self.closed.insert(document.clone(), typed);
        // Most of them are long gone by then.
        if self.closed_lines > 2 * CAPACITY {
            let mut closed = std::mem::take(&mut self.closed);
            for typed in closed.values_mut() {
                typed.retain(|(_, id)| self.get(*id).is_some());
            }
            closed.retain(|_, typed| !typed.is_empty());
            self.closed_lines = closed.values().map(Vec::len).sum();
            self.closed = closed;
        }
    }

    /// A document is opened: which lines were typed into it before, of those that stand there still. The
    /// others are forgotten.
    pub(crate) fn open(
        &mut self,
        document: &DocumentId,
        vocabulary: &mut TokenVocabulary,
        mut line_at: impl FnMut(usize, &mut TokenVocabulary) -> Vec<TokenId>,
    ) -> Vec<(usize, TypedLineId)> {
        let Some(mut typed) = self.closed.remove(document) else {
            return Vec::new();
        };
        self.closed_lines -= typed.len();
        typed.retain(|(at, id)| {
            let Some(line) = self.get(*id).cloned() else {
                return false;
            };
            let stands = line.tokens().eq(line_at(*at, vocabulary));
            if !stands {
                self.forget(*id, vocabulary);
            }
            stands
        });
        typed
    }

    /// Forgets what was typed into a document that is closed.
    pub(crate) fn forget_closed(&mut self, document: &DocumentId, vocabulary: &TokenVocabulary) {
        let typed = self.closed.remove(document).unwrap_or_default();
        self.closed_lines -= typed.len();
        for (_, id) in typed {
            self.forget(id, vocabulary);
        }
    }

    /// The documents that are closed.
    pub(crate) fn closed(&self) -> Vec<DocumentId> {
        self.closed.keys().cloned().collect()
    }

    fn at(&self, id: TypedLineId) -> Option<usize> {
        id.0.checked_sub(self.first)
            .and_then(|at| usize::try_from(at).ok())
    }

    fn get(&self, id: TypedLineId) -> Option<&Arc<LearnedLine>> {
        self.at(id)
            .and_then(|at| self.lines.get(at))
            .and_then(Option::as_ref)
    }

    fn forget_line(&mut self, line: Option<Arc<LearnedLine>>, vocabulary: &TokenVocabulary) {
        if let Some(line) = line {
            self.tokens -= line.len();
            line.unteach(&mut self.table, vocabulary);
        }
    }
}
