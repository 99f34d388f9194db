//! [`Writer`]: from what the machine is told to the lines of a trace.
//!
//! Whoever records hands over every event at the moment at which the machine gets it, and takes the
//! lines. Reading them back gives the same events, and replaying those the same decisions. What the
//! machine does by itself when time passes is not written: a replay does it again.
//!
//! The writer keeps the documents as the reader will have them (`documents`), because the reader
//! refuses what does not fit its texts, and the machine does not: such a thing is written as what it
//! is, an editor out of step. Offsets are bytes, so that nothing is converted.
//!
//! A recording without the words is one in which every text goes through [`shape`](crate::shape), and
//! every name through `names`. Of settings, only what the machine looks at is written (`settings`).
//!
//! Absent on purpose: files, threads, and randomness: the key of a shape is the caller's.

mod documents;
mod names;
mod restoring;
mod row;
mod settings;

use std::borrow::Cow;
use std::collections::VecDeque;

use foretell_core::{Event, Moment, RequestCause, RequestId, RequestKind, SuggestionId};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, Candidate, ChangeReason, Diagnostic, DocumentId, Edit, LaneKind,
    Severity, Text, Usage, Version,
};

use crate::read::events::{CAUSES, KINDS, MOST_ASKED_TEXTS, REPORTS, SEVERITIES};
use crate::shape::Key;
use crate::shape::sheet::{Sheet, Words, Written};
use documents::Documents;
use names::{Given, Names};
use restoring::Restoring;
use row::{Change, Ends, Fixed, Header, Item, Offered, Rejections, Row, Used};
use settings::SettingsWriter;

/// Writes a trace, line by line.
#[derive(Debug)]
pub struct Writer {
    words: Words,
    names: Names,
    documents: Documents,
    /// What the last requests were about, the oldest first.
    asked: VecDeque<(RequestId, DocumentId, Sheet)>,
    settings: SettingsWriter,
    restoring: Restoring,
    last: u64,
}

impl Writer {
    /// A recording of everything.
    pub fn whole() -> Self {
        Writer::new(Words::Whole, Names::Own)
    }

    /// A recording without the words.
    pub fn shape(key: Key) -> Self {
        Writer::new(Words::Shape(key), Names::Given(Given::default()))
    }

    fn new(words: Words, names: Names) -> Self {
        Writer {
            words,
            names,
            documents: Documents::default(),
            asked: VecDeque::new(),
            settings: SettingsWriter::default(),
            restoring: Restoring::default(),
            last: 0,
        }
    }

    /// Writes what a trace begins with: the header, by which version of Foretell it is, and the
    /// settings that the machine was made with.
    pub fn begin(&mut self, by: &str, now: Moment, settings: &Settings, out: &mut Vec<u8>) {
        let header = Header {
            foretell: "trace",
            version: 1,
            offsets: "utf-8",
            recorded: match self.words {
                Words::Whole => "whole",
                Words::Shape(_) => "shape",
            },
            by,
        };
        write_line(&header, out);
        let row = self.set(settings);
        self.finish(now, row, out);
    }

    /// Writes what the machine is told.
    pub fn write(&mut self, now: Moment, event: &Event, out: &mut Vec<u8>) {
        let row = self.row(event);
        self.finish(now, row, out);
    }

    fn finish(&mut self, now: Moment, row: Row<'_>, out: &mut Vec<u8>) {
        // Time never runs backwards for the machine either.
        self.last = self.last.max(now.millis());
        write_line(
            &Row {
                t: self.last,
                ..row
            },
            out,
        );
    }

    fn row<'e>(&mut self, event: &'e Event) -> Row<'e> {
        match event {
            Event::ClientConnected { rejections } => Row {
                rejections: Some(Rejections::Reports(name_of(&REPORTS, *rejections))),
                ..Row::of("connect")
            },
            Event::DocumentOpened {
                document,
                language,
                version,
                text,
            } => Row {
                language: Some(self.names.language(language.as_str())),
                ..self.whole_text("open", (document, *version), text)
            },
            Event::DocumentReplaced {
                document,
                version,
                text,
                reason,
            } => Row {
                reason: reason_of(*reason),
                ..self.replaced((document, *version), text)
            },
            Event::DocumentChanged {
                document,
                version,
                edits,
                reason,
            } => Row {
                reason: reason_of(*reason),
                ..self.changed((document, *version), edits)
            },
            Event::DocumentLost { document } => {
                self.documents.lose(document);
                self.about("lose", document)
            }
            Event::DocumentClosed { document } => {
                self.documents.close(document);
                self.about("close", document)
            }
            Event::DocumentFocused { document } => self.about("focus", document),
            Event::SelectionChanged {
                document,
                version,
                selections,
            } => {
                let is_another = self.documents.is_another(document, *version);
                let selections = selections.iter().filter(|_| !is_another);
                Row {
                    selections: Some(selections.map(|it| self.ends(document, *it)).collect()),
                    out_of_step: is_another,
                    ..self.about("select", document)
                }
            }
            Event::DiagnosticsChanged {
                document,
                version,
                diagnostics,
            } => {
                let is_another = self.documents.is_another(document, *version);
                let items = diagnostics.iter().filter(|_| !is_another);
                Row {
                    items: Some(items.map(|it| self.item(document, it)).collect()),
                    out_of_step: is_another,
                    ..self.about("diagnostics", document)
                }
            }
            Event::SecretsFound {
                document,
                version,
                ranges,
            } => {
                let is_another = self.documents.is_another(document, Some(*version));
                let ranges = ranges.iter().filter(|_| !is_another);
                Row {
                    ranges: Some(ranges.map(|it| self.ends(document, *it)).collect()),
                    out_of_step: is_another,
                    ..self.about("secrets", document)
                }
            }
            Event::ExclusionKnown {
                document,
                is_excluded,
            } => Row {
                excluded: Some(*is_excluded),
                ..self.about("excluded", document)
            },
            Event::ContestKnown { is_contested } => Row {
                contested: Some(*is_contested),
                ..Row::of("contested")
            },
            Event::UsageKnown {
                lane,
                day,
                requests,
                tokens,
            } => Row {
                lane: Some(lane.name()),
                day: Some(*day),
                requests: Some(*requests),
                tokens: Some(*tokens),
                ..Row::of("used")
            },
            Event::SuggestionRequested {
                request,
                document,
                version,
                at,
                cause,
                kind,
            } => self.requested((*request, document, *version), *at, (*cause, *kind)),
            Event::RequestCancelled { request } => named("cancel", *request),
            Event::LaneAnswered {
                request,
                lane,
                candidates,
                usage,
                withheld,
            } => {
                let offered = candidates.iter().map(|it| self.offered(*request, it));
                Row {
                    candidates: Some(offered.collect()),
                    withheld: (*withheld > 0).then_some(*withheld),
                    ..answered((*request, *lane), *usage)
                }
            }
            Event::LaneFailed {
                request,
                lane,
                failure,
                usage,
            } => Row {
                failure: Some(failure.kind.name()),
                retry_after_ms: failure.retry_after_ms,
                ..answered((*request, *lane), *usage)
            },
            Event::SuggestionShown { suggestion } => judged("show", *suggestion),
            Event::SuggestionAccepted { suggestion, length } => Row {
                length: *length,
                ..judged("accept", *suggestion)
            },
            Event::SuggestionRejected { suggestion } => judged("reject", *suggestion),
            Event::SuggestionIgnored { suggestion } => judged("ignore", *suggestion),
            Event::EditRejected { document, edit } => {
                let sheet = self.documents.sheet(document);
                let changes = sheet.and_then(|sheet| changes(sheet, edit, &self.words));
                Row {
                    out_of_step: changes.is_none(),
                    changes,
                    ..self.about("reject-edit", document)
                }
            }
            Event::RejectionForgotten { rejection } => Row {
                rejection: Some(rejection.get()),
                ..Row::of("forget")
            },
            Event::RejectionsCleared => Row::of("clear"),
            Event::RejectionsRestored { rejections } => {
                let restored = rejections.iter().map(|it| {
                    let sheet = self.documents.sheet(&it.document);
                    let doc = self.names.document(&it.document);
                    self.restoring.restored(it, (doc, sheet), &self.words)
                });
                Row {
                    rejections: Some(Rejections::Restored(restored.collect())),
                    ..Row::of("restore")
                }
            }
            Event::SettingsChanged { settings } => self.set(settings),
            Event::ShuttingDown => Row::of("shutdown"),
        }
    }

    fn about<'e>(&mut self, event: &'static str, document: &'e DocumentId) -> Row<'e> {
        Row {
            doc: Some(self.names.document(document)),
            ..Row::of(event)
        }
    }

    fn set(&mut self, settings: &Settings) -> Row<'static> {
        Row {
            set: Some(self.settings.write(settings, &mut self.names)),
            ..Row::of("settings")
        }
    }

    /// The whole text of a document that is open from now on, or was before.
    fn whole_text<'e>(
        &mut self,
        event: &'static str,
        (document, version): (&'e DocumentId, Version),
        text: &Text,
    ) -> Row<'e> {
        let sheet = self.documents.open((document, version), text, &self.words);
        let (digest, restored) = self.restoring.opened(sheet, &self.words).unzip();
        Row {
            text: Some(sheet.written().to_string()),
            digest,
            restored: restored.unwrap_or_default(),
            ..self.about(event, document)
        }
    }

    fn replaced<'e>(&mut self, of: (&'e DocumentId, Version), text: &Text) -> Row<'e> {
        if self.documents.sheet(of.0).is_some() {
            return self.whole_text("edit", of, text);
        }
        // Of one that is not open nothing is known, and the machine only says so.
        Row {
            text: Some(String::new()),
            ..self.about("edit", of.0)
        }
    }

    fn changed<'e>(
        &mut self,
        (document, version): (&'e DocumentId, Version),
        edits: &'e [Edit],
    ) -> Row<'e> {
        let row = self.about("edit", document);
        // What the machine does not follow leads nowhere.
        let Some(mut sheet) = self.documents.followed(document).cloned() else {
            return Row {
                changes: Some(Vec::new()),
                ..row
            };
        };
        let mut all: Vec<Vec<Change<'e>>> = Vec::new();
        for edit in edits {
            let Some((after, written)) = sheet.edited(edit, &self.words) else {
                break;
            };
            sheet = after;
            all.push(in_rows(written));
        }
        let out_of_step = all.len() < edits.len();
        match out_of_step {
            false => self.documents.change((document, version), sheet),
            true => self.documents.lose_at(document, sheet),
        }
        let is_one = all.len() == 1;
        Row {
            changes: is_one.then(|| all.pop()).flatten(),
            edits: (!is_one).then_some(all),
            out_of_step,
            ..row
        }
    }

    fn requested<'e>(
        &mut self,
        (request, document, version): (RequestId, &'e DocumentId, Option<Version>),
        at: ByteOffset,
        (cause, kind): (RequestCause, RequestKind),
    ) -> Row<'e> {
        if let Some(sheet) = self.documents.sheet(document) {
            let asked = (request, document.clone(), sheet.clone());
            self.asked.push_back(asked);
        }
        if self.asked.len() > MOST_ASKED_TEXTS {
            self.asked.pop_front();
        }
        let row = self.about("request", document);
        Row {
            id: Some(request.get()),
            at: Some(self.place(document, at)),
            cause: Some(name_of(&CAUSES, cause)),
            kind: (kind != RequestKind::Inline).then(|| name_of(&KINDS, kind)),
            out_of_step: self.documents.is_another(document, version),
            ..row
        }
    }

    fn offered<'e>(&mut self, request: RequestId, candidate: &'e Candidate) -> Offered<'e> {
        let Candidate { document, edit } = candidate;
        let asked = self.asked.iter().rev().find(|(id, ..)| *id == request);
        let here = asked.filter(|(_, asked_in, _)| asked_in == document);
        let now = self.documents.sheet(document);
        let sheet = here.map(|(.., sheet)| sheet).or(now);
        let changes = sheet.and_then(|sheet| changes(sheet, edit, &self.words));
        Offered {
            out_of_step: changes.is_none(),
            changes,
            doc: match here {
                Some(_) => None,
                None => Some(self.names.document(document)),
            },
        }
    }

    fn item<'e>(&self, document: &DocumentId, diagnostic: &'e Diagnostic) -> Item<'e> {
        let sheet = self.documents.sheet(document);
        let [at, end] = self.ends(document, diagnostic.range);
        let fixes = diagnostic.fixes.iter().filter_map(|fix| {
            let changes = sheet.and_then(|sheet| changes(sheet, &fix.edit, &self.words))?;
            let title = self.spoken(&fix.title);
            Some(Fixed { title, changes })
        });
        Item {
            at,
            len: at.zip(end).map_or(0, |(at, end)| end - at),
            severity: name_of::<Severity>(&SEVERITIES, diagnostic.severity),
            source: diagnostic.source.as_deref().map(|it| self.spoken(it)),
            code: diagnostic.code.as_deref().map(|it| self.spoken(it)),
            message: self.spoken(&diagnostic.message),
            fixes: fixes.collect(),
        }
    }

    /// Words that are no document's.
    fn spoken<'e>(&self, words: &'e str) -> Cow<'e, str> {
        match &self.words {
            Words::Whole => Cow::Borrowed(words),
            Words::Shape(key) => Cow::Owned(key.text(words)),
        }
    }

    /// A place, if the document has it. In one that is not open there is none, and none matters.
    fn place(&self, document: &DocumentId, at: ByteOffset) -> Option<usize> {
        match self.documents.sheet(document) {
            Some(sheet) => sheet.text().check(at).is_ok().then_some(at.get()),
            None => Some(0),
        }
    }

    /// Both ends of a range, as far as the document has them. Whether anything is in it counts in any
    /// case.
    fn ends(&self, document: &DocumentId, range: ByteRange) -> Ends {
        let start = self.place(document, range.start());
        let end = self.place(document, range.end());
        match start.is_some() && end.is_some() {
            true => [start, end],
            false if range.is_empty() => [None, None],
            false => [start.or(Some(0)), None],
        }
    }
}

/// An edit of a text as it is recorded, if it fits.
fn changes<'e>(sheet: &Sheet, edit: &'e Edit, words: &Words) -> Option<Vec<Change<'e>>> {
    let (_, written) = sheet.edited(edit, words)?;
    Some(in_rows(written))
}

fn in_rows(written: Vec<Written<'_>>) -> Vec<Change<'_>> {
    written.into_iter().map(Change::from).collect()
}

fn named(event: &'static str, request: RequestId) -> Row<'static> {
    Row {
        id: Some(request.get()),
        ..Row::of(event)
    }
}

fn answered((request, lane): (RequestId, LaneKind), usage: Usage) -> Row<'static> {
    let used = Used {
        prompt_tokens: usage.prompt_tokens,
        completion_tokens: usage.completion_tokens,
    };
    Row {
        lane: Some(lane.name()),
        usage: (usage != Usage::default()).then_some(used),
        ..named("lane", request)
    }
}

fn judged(event: &'static str, suggestion: SuggestionId) -> Row<'static> {
    Row {
        candidate: (suggestion.candidate > 0).then_some(suggestion.candidate),
        ..named(event, suggestion.request)
    }
}

fn reason_of(reason: ChangeReason) -> Option<&'static str> {
    (reason != ChangeReason::Typed).then(|| reason.name())
}

/// The word that a trace has for something.
fn name_of<T: Copy + PartialEq>(names: &[(&'static str, T)], meant: T) -> &'static str {
    let found = names.iter().find(|(_, it)| *it == meant);
    found.map_or("", |(name, _)| name)
}

fn write_line(line: &impl serde::Serialize, out: &mut Vec<u8>) {
    let start = out.len();
    // Neither the rows nor a list of bytes can refuse anything.
    if serde_json::to_writer(&mut *out, line).is_err() {
        out.truncate(start);
        return;
    }
    out.push(b'\n');
}
