//! [`TypedLines`]: what was typed in this session, in any document of a workspace, and [`TypedSession`]: in
//! any workspace.
//!
//! What is typed in one workspace is heard in no other. What is typed into a document that is in none is
//! heard in others that are in none, for as long as it is open: nobody knows whose it is.
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
/// Of how many workspaces, those that were typed in last.
const MOST_WORKSPACES: usize = 3;
/// Of so many documents it is known where they are, and of those that are open.
const MOST_PLACED: usize = 1_000;

/// Where a document is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentHome {
    /// In a workspace, by a name that no other has.
    Workspace(Box<str>),
    /// In no workspace that is open.
    Nowhere,
}

impl Default for DocumentHome {
    /// Where nobody has said it, all documents are in one workspace.
    fn default() -> Self {
        DocumentHome::Workspace("".into())
    }
}

/// What was typed in this session, by where it was typed.
#[derive(Debug, Default)]
pub(crate) struct TypedSession {
    /// The one that was typed in last at the end. There is always one for the document that is asked about.
    parts: Vec<(DocumentHome, TypedLines)>,
    homes: BTreeMap<DocumentId, DocumentHome>,
    /// The number of the next line of any part that is new, so that no two lines ever had one number.
    next: u64,
}

impl TypedSession {
    /// Where a document is.
    pub(crate) fn home(&self, document: &DocumentId) -> DocumentHome {
        self.homes.get(document).cloned().unwrap_or_default()
    }

    /// A document is there. Only those that are open are kept in mind if there are many.
    pub(crate) fn place(
        &mut self,
        document: &DocumentId,
        home: DocumentHome,
        is_open: impl Fn(&DocumentId) -> bool,
    ) {
        if self.homes.len() >= MOST_PLACED {
            self.homes.retain(|document, _| is_open(document));
        }
        self.homes.insert(document.clone(), home);
    }

    /// What was typed where a document is.
    pub(crate) fn of(&mut self, document: &DocumentId) -> &mut TypedLines {
        let home = self.home(document);
        let at = self.parts.iter().position(|(known, _)| *known == home);
        let part = match at {
            Some(at) => self.parts.remove(at),
            None => {
                while self.parts.len() >= MOST_WORKSPACES {
                    let (_, oldest) = self.parts.remove(0);
                    self.next = self.next.max(oldest.end());
                }
                let ends = self.parts.iter().map(|(_, part)| part.end());
                let first = ends.fold(self.next, u64::max);
                // Far from what the others will still get.
                self.next = first + (1 << 40);
                (home, TypedLines::starting(self.next))
            }
        };
        self.parts.push(part);
        let at = self.parts.len() - 1;
        &mut self.parts[at].1
    }

    /// The table of what was typed where a document is.
    pub(crate) fn table(&self, document: &DocumentId) -> Option<&SuccessorTable> {
        let is_there = |known: &DocumentHome| match self.homes.get(document) {
            Some(home) => known == home,
            None => *known == DocumentHome::default(),
        };
        let part = self.parts.iter().find(|(known, _)| is_there(known));
        part.map(|(_, lines)| &lines.table)
    }

    /// A document is closed in which these lines were typed.
    pub(crate) fn close(
        &mut self,
        document: &DocumentId,
        typed: Vec<(usize, TypedLineId)>,
        vocabulary: &TokenVocabulary,
    ) {
        let is_nowhere = self.home(document) == DocumentHome::Nowhere;
        let lines = self.of(document);
        lines.close(document, typed);
        if is_nowhere {
            lines.forget_closed(document, vocabulary);
        }
    }

    /// Forgets what was typed into a document that is closed, wherever that was.
    pub(crate) fn forget_closed(&mut self, document: &DocumentId, vocabulary: &TokenVocabulary) {
        for (_, lines) in &mut self.parts {
            lines.forget_closed(document, vocabulary);
        }
    }

    /// The same for all that are closed.
    pub(crate) fn forget_all_closed(&mut self, vocabulary: &TokenVocabulary) {
        for (_, lines) in &mut self.parts {
            for document in lines.closed() {
                lines.forget_closed(&document, vocabulary);
            }
        }
    }

    /// Forgets what was typed, and not where documents are.
    pub(crate) fn start_over(&mut self) {
        self.parts.clear();
    }
}

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
    #[cfg(test)]
    pub(crate) fn new() -> Self {
        TypedLines::starting(0)
    }

    /// Nothing yet; the first line gets this number.
    fn starting(first: u64) -> Self {
        TypedLines {
            table: SuccessorTable::new(),
            lines: VecDeque::new(),
            first,
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
    fn closed(&self) -> Vec<DocumentId> {
        self.closed.keys().cloned().collect()
    }

    /// Behind the number of the last line.
    fn end(&self) -> u64 {
        self.first + self.lines.len() as u64
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
