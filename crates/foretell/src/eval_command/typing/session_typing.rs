//! A recorded session, typed again.
//!
//! Text that was put in at one place, key after key, is a run: what the person typed next is the rest of
//! it. Deleting, and going elsewhere, ends a run. What came in at once and is longer than a completion is
//! not typed.

use std::collections::BTreeMap;

use foretell_core::Event;
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit, Text};
use foretell_trace::{LineContent, Trace};

use super::commit_typing::{LineNovelty, TypingObserver};

/// Something longer was pasted.
const LONGEST_KEY: usize = 40;

/// Plays a session.
pub(super) fn play(trace: &Trace, observer: &mut impl TypingObserver) {
    let mut texts: BTreeMap<DocumentId, Text> = BTreeMap::new();
    let mut run: Option<SessionRun> = None;
    for line in trace.lines() {
        let LineContent::Event(event) = &line.what else {
            continue;
        };
        match event {
            Event::DocumentOpened { document, text, .. } => {
                end(&mut run, &mut texts, observer);
                texts.insert(document.clone(), text.clone());
            }
            Event::DocumentReplaced { document, text, .. } => {
                end(&mut run, &mut texts, observer);
                texts.insert(document.clone(), text.clone());
            }
            Event::DocumentClosed { document } => {
                end(&mut run, &mut texts, observer);
                texts.remove(document);
                observer.delete(document.as_str());
            }
            Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            } => {
                for edit in edits {
                    let typed = typed_key(edit).filter(|_| *reason == ChangeReason::Typed);
                    if let Some((at, key)) = typed {
                        if let Some(run) = run.as_mut().filter(|run| run.goes_on(document, at)) {
                            run.text.push_str(key);
                            continue;
                        }
                        end(&mut run, &mut texts, observer);
                        run = Some(SessionRun {
                            document: document.clone(),
                            at,
                            text: key.to_owned(),
                        });
                        continue;
                    }
                    end(&mut run, &mut texts, observer);
                    put(document, edit, &mut texts, observer);
                }
            }
            _ => {}
        }
    }
    end(&mut run, &mut texts, observer);
}

/// Text that is typed at one place.
struct SessionRun {
    document: DocumentId,
    at: usize,
    text: String,
}

impl SessionRun {
    fn goes_on(&self, document: &DocumentId, at: usize) -> bool {
        self.document == *document && self.at + self.text.len() == at
    }
}

/// The one thing that is put in, if it may have been a key.
fn typed_key(edit: &Edit) -> Option<(usize, &str)> {
    let [replacement] = edit.replacements() else {
        return None;
    };
    let text = replacement.new_text();
    let is_key = replacement.range().is_empty()
        && text.len() <= LONGEST_KEY
        && !text.trim_start().contains('\n');
    is_key.then(|| (replacement.range().start().get(), text))
}

fn put(
    document: &DocumentId,
    edit: &Edit,
    texts: &mut BTreeMap<DocumentId, Text>,
    observer: &mut impl TypingObserver,
) {
    let Some(text) = texts.get_mut(document) else {
        return;
    };
    observer.visit(document.as_str(), &text.to_string());
    for replacement in edit.replacements().iter().rev() {
        observer.put(
            replacement.range().start().get(),
            replacement.range().len(),
            replacement.new_text(),
        );
    }
    if let Ok(after) = edit.apply(text) {
        *text = after;
    }
}

/// A run is over: now it is known what was typed.
fn end(
    run: &mut Option<SessionRun>,
    texts: &mut BTreeMap<DocumentId, Text>,
    observer: &mut impl TypingObserver,
) {
    let Some(SessionRun {
        document,
        at,
        text: typed,
    }) = run.take()
    else {
        return;
    };
    let Some(text) = texts.get_mut(&document) else {
        return;
    };
    let place = foretell_text::ByteRange::empty(ByteOffset::new(at));
    let edit = Edit::from(foretell_text::Replacement::new(place, typed.as_str()));
    let Ok(after) = edit.apply(text) else {
        return;
    };
    observer.visit(document.as_str(), &text.to_string());
    let whole = after.to_string();
    let mut at = at;
    for piece in pieces(&typed) {
        let novelty = novelty(&whole, at, piece);
        observer.type_text(at, piece, novelty);
        at += piece.len();
    }
    *text = after;
    observer.commit();
}

/// What is typed, cut before line breaks and behind the blank that comes with each.
fn pieces(typed: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = typed;
    while !rest.is_empty() {
        let end = match rest.strip_prefix("\r\n").or(rest.strip_prefix('\n')) {
            Some(after) => rest.len() - after.trim_start_matches([' ', '\t']).len(),
            None => rest.find(['\r', '\n']).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end.max(1));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Whether the line that a piece becomes part of stands nowhere else in its document.
fn novelty(whole: &str, at: usize, piece: &str) -> LineNovelty {
    let line_end = |from: usize| {
        whole
            .get(from..)
            .and_then(|rest| rest.find('\n'))
            .map_or(whole.len(), |end| from + end)
    };
    let start = whole
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |start| start + 1);
    let line = whole
        .get(start..line_end(at + piece.len()))
        .unwrap_or_default()
        .trim();
    if whole
        .lines()
        .filter(|other| other.trim() == line)
        .nth(1)
        .is_some()
    {
        LineNovelty::Known
    } else {
        LineNovelty::Novel
    }
}
