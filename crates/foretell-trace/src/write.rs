//! [`TraceWriter`]: from what the machine is told to the lines of a trace.
//!
//! The recorder hands over every event at the moment at which the machine gets it, and takes the
//! lines. Reading them back gives the same events, and replaying those the same decisions. Actions
//! of the machine when time passes are not written: a replay repeats them.
//!
//! The writer keeps the documents as the reader will have them (`recorded_documents`), because the reader
//! refuses what does not fit its texts, and the machine does not: such a thing is written as what it
//! is, an editor out of step. Offsets are bytes, so that nothing is converted.
//!
//! A recording without the words is one in which every text goes through [`shape`](crate::shape), and
//! every name through `recorded_names`. Of settings, only what the machine looks at is written (`settings_writer`).
//!
//! Absent on purpose: files, threads, and randomness: the key of a shape is the caller's.

mod pending_restores;
mod place_numbers;
mod recorded_documents;
mod recorded_line;
mod recorded_names;
mod settings_writer;
mod suggestion_lines;

use std::collections::VecDeque;

use foretell_core::{Event, Moment, RequestId, RequestKind, SuggestionRequest, TokenUsage};
use foretell_settings::Settings;
use foretell_text::{ChangeReason, DocumentId, Edit, Text, Version};

use crate::read::event_reader::{CAUSES, KINDS, REPORTS};
use crate::shape::ShapeKey;
use crate::shape::recorded_text::{RecordedChange, RecordedText, WordRecording};
use pending_restores::PendingRestores;
use recorded_documents::RecordedDocuments;
use recorded_line::{ChangeFields, HeaderFields, LineFields, PlaceFields, SpotFields};
use recorded_names::{GivenNames, RecordedNames};
use settings_writer::SettingsWriter;
use suggestion_lines::{answered, judged, named};

/// Writes a trace, line by line.
#[derive(Debug)]
pub struct TraceWriter {
    words: WordRecording,
    names: RecordedNames,
    documents: RecordedDocuments,
    /// The texts of the last requests, the oldest first.
    asked: VecDeque<(RequestId, DocumentId, RecordedText)>,
    settings: SettingsWriter,
    restoring: PendingRestores,
    last: u64,
}

impl TraceWriter {
    /// A recording of everything.
    pub fn whole() -> Self {
        TraceWriter::new(WordRecording::Whole, RecordedNames::Own)
    }

    /// A recording without the words.
    pub fn shape(key: ShapeKey) -> Self {
        TraceWriter::new(
            WordRecording::Shape(key),
            RecordedNames::Given(GivenNames::default()),
        )
    }

    fn new(words: WordRecording, names: RecordedNames) -> Self {
        TraceWriter {
            words,
            names,
            documents: RecordedDocuments::default(),
            asked: VecDeque::new(),
            settings: SettingsWriter::default(),
            restoring: PendingRestores::default(),
            last: 0,
        }
    }

    /// Writes what a trace begins with: the header, by which version of Foretell it is, and the
    /// settings that the machine was made with.
    pub fn begin(&mut self, by: &str, now: Moment, settings: &Settings, out: &mut Vec<u8>) {
        let header = HeaderFields {
            foretell: "trace",
            version: 1,
            offsets: "utf-8",
            recorded: match self.words {
                WordRecording::Whole => "whole",
                WordRecording::Shape(_) => "shape",
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

    fn finish(&mut self, now: Moment, row: LineFields<'_>, out: &mut Vec<u8>) {
        // Time never runs backwards for the machine either.
        self.last = self.last.max(now.millis());
        write_line(
            &LineFields {
                t: self.last,
                ..row
            },
            out,
        );
    }

    fn row<'e>(&mut self, event: &'e Event) -> LineFields<'e> {
        match event {
            Event::ClientConnected {
                rejections,
                asks_when_told,
            } => LineFields {
                reports: Some(word_for(&REPORTS, *rejections)),
                asks_when_told: *asks_when_told,
                ..LineFields::of("connect")
            },
            Event::DocumentOpened {
                document,
                language,
                version,
                text,
            } => LineFields {
                language: Some(self.names.language(language.as_str())),
                ..self.whole_text("open", document, *version, text)
            },
            Event::DocumentReplaced {
                document,
                version,
                text,
                reason,
            } => LineFields {
                reason: reason_of(*reason),
                ..self.replaced(document, *version, text)
            },
            Event::DocumentChanged {
                document,
                version,
                edits,
                reason,
            } => LineFields {
                reason: reason_of(*reason),
                ..self.changed(document, *version, edits)
            },
            Event::DocumentLost { document } => {
                self.documents.lose(document);
                self.about("lose", document)
            }
            Event::DocumentClosed { document } => {
                self.documents.close(document, &self.words);
                self.about("close", document)
            }
            Event::DocumentFocused { document } => self.about("focus", document),
            Event::DocumentSaved { document } => self.about("save", document),
            Event::SelectionChanged {
                document,
                version,
                selections,
            } => {
                let is_another = self.documents.is_another(document, *version);
                let selections = selections.iter().filter(|_| !is_another);
                LineFields {
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
                LineFields {
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
                LineFields {
                    ranges: Some(ranges.map(|it| self.ends(document, *it)).collect()),
                    out_of_step: is_another,
                    ..self.about("secrets", document)
                }
            }
            Event::ExclusionKnown {
                document,
                is_excluded,
            } => LineFields {
                excluded: Some(*is_excluded),
                ..self.about("excluded", document)
            },
            Event::DocumentPaused {
                document,
                is_paused,
            } => LineFields {
                paused: Some(*is_paused),
                ..self.about("paused", document)
            },
            Event::ContestKnown { is_contested } => LineFields {
                contested: Some(*is_contested),
                ..LineFields::of("contested")
            },
            Event::UsageKnown {
                lane,
                day,
                requests,
                tokens,
            } => LineFields {
                lane: Some(lane.name()),
                day: Some(*day),
                requests: Some(*requests),
                tokens: Some(*tokens),
                ..LineFields::of("used")
            },
            Event::LaneSpeedKnown { lane, speed } => LineFields {
                lane: Some(lane.name()),
                read: speed.read,
                written: speed.written,
                repeats_region: speed.repeats_region,
                ..LineFields::of("speed")
            },
            Event::TypingGapsKnown { gaps } => {
                let places = gaps
                    .rows()
                    .map(|(place, gaps)| PlaceFields { place, gaps: *gaps });
                LineFields {
                    places: Some(places.collect()),
                    ..LineFields::of("typing-gaps")
                }
            }
            Event::SuggestionRequested(SuggestionRequest {
                request,
                document,
                version,
                at,
                cause,
                kind,
            }) => {
                self.keep_asked(*request, document);
                LineFields {
                    id: Some(request.get()),
                    at: Some(self.place(document, *at)),
                    cause: Some(word_for(&CAUSES, *cause)),
                    kind: (*kind != RequestKind::Inline).then(|| word_for(&KINDS, *kind)),
                    out_of_step: self.documents.is_another(document, *version),
                    ..self.about("request", document)
                }
            }
            Event::RequestCancelled { request } => named("cancel", *request),
            Event::LaneAnswered {
                request,
                lane,
                candidates,
                usage,
                withheld,
            } => {
                let offered = candidates.iter().map(|it| self.offered(*request, it));
                LineFields {
                    candidates: Some(offered.collect()),
                    withheld: (*withheld > 0).then_some(*withheld),
                    ..answered(*request, *lane, *usage)
                }
            }
            Event::Predicted {
                request,
                prediction,
                withheld,
            } => {
                let offered = prediction
                    .iter()
                    .map(|it| self.offered(*request, &it.candidate));
                LineFields {
                    candidates: Some(offered.collect()),
                    probability: prediction.as_ref().map(|it| it.probability.thousandths()),
                    withheld: (*withheld > 0).then_some(*withheld),
                    ..named("predict", *request)
                }
            }
            Event::PlacesFound {
                request,
                lane,
                places,
            } => {
                let spots = places.iter().map(|place| SpotFields {
                    doc: self.names.document(&place.document),
                    at: self.place(&place.document, place.at),
                });
                LineFields {
                    spots: Some(spots.collect()),
                    lane: Some(lane.name()),
                    ..named("elsewhere", *request)
                }
            }
            Event::LaneProgressed {
                request,
                lane,
                candidates,
            } => {
                let offered = candidates.iter().map(|it| self.offered(*request, it));
                LineFields {
                    candidates: Some(offered.collect()),
                    goes_on: true,
                    ..answered(*request, *lane, TokenUsage::default())
                }
            }
            Event::LaneReading { request, lane } => LineFields {
                goes_on: true,
                ..answered(*request, *lane, TokenUsage::default())
            },
            Event::LaneFailed {
                request,
                lane,
                failure,
                usage,
            } => LineFields {
                failure: Some(failure.kind.name()),
                retry_after_ms: failure.retry_after_ms,
                ..answered(*request, *lane, *usage)
            },
            Event::AheadEnded {
                call,
                outcome,
                usage,
            } => self.ahead_ended(*call, outcome, *usage),
            Event::SuggestionShown { suggestion } => judged("show", *suggestion),
            Event::SuggestionAccepted { suggestion, length } => LineFields {
                length: *length,
                ..judged("accept", *suggestion)
            },
            Event::SuggestionRejected { suggestion } => judged("reject", *suggestion),
            Event::SuggestionIgnored { suggestion } => judged("ignore", *suggestion),
            Event::EditRejected { document, edit } => {
                let sheet = self.documents.sheet(document);
                let changes = sheet.and_then(|sheet| changes(sheet, edit, &self.words));
                LineFields {
                    out_of_step: changes.is_none(),
                    changes,
                    ..self.about("reject-edit", document)
                }
            }
            Event::RejectionForgotten { rejection } => LineFields {
                rejection: Some(rejection.get()),
                ..LineFields::of("forget")
            },
            Event::RejectionsCleared => LineFields::of("clear"),
            Event::RejectionsRestored { rejections } => {
                let restored = rejections.iter().map(|it| {
                    let sheet = self.documents.sheet(&it.document);
                    let doc = self.names.document(&it.document);
                    self.restoring.restored(it, doc, sheet, &self.words)
                });
                LineFields {
                    rejections: Some(restored.collect()),
                    ..LineFields::of("restore")
                }
            }
            Event::SettingsChanged { settings } => self.set(settings),
            Event::ShuttingDown => LineFields::of("shutdown"),
        }
    }

    fn about<'e>(&mut self, event: &'static str, document: &'e DocumentId) -> LineFields<'e> {
        LineFields {
            doc: Some(self.names.document(document)),
            ..LineFields::of(event)
        }
    }

    fn set(&mut self, settings: &Settings) -> LineFields<'static> {
        LineFields {
            set: Some(self.settings.write(settings, &mut self.names)),
            ..LineFields::of("settings")
        }
    }

    /// The whole text of a document that is open from now on, or was before.
    fn whole_text<'e>(
        &mut self,
        event: &'static str,
        document: &'e DocumentId,
        version: Version,
        text: &Text,
    ) -> LineFields<'e> {
        let sheet = self.documents.open(document, version, text, &self.words);
        let (digest, restored) = self.restoring.opened(sheet, &self.words).unzip();
        LineFields {
            text: Some(sheet.written().to_string()),
            digest,
            restored: restored.unwrap_or_default(),
            ..self.about(event, document)
        }
    }

    fn replaced<'e>(
        &mut self,
        document: &'e DocumentId,
        version: Version,
        text: &Text,
    ) -> LineFields<'e> {
        if self.documents.sheet(document).is_some() {
            return self.whole_text("edit", document, version, text);
        }
        // Of one that is not open nothing is known, and the machine only says so.
        LineFields {
            text: Some(String::new()),
            ..self.about("edit", document)
        }
    }

    fn changed<'e>(
        &mut self,
        document: &'e DocumentId,
        version: Version,
        edits: &'e [Edit],
    ) -> LineFields<'e> {
        let row = self.about("edit", document);
        // The machine ignores edits of a document that it has lost.
        let Some(mut sheet) = self.documents.followed(document).cloned() else {
            return LineFields {
                changes: Some(Vec::new()),
                ..row
            };
        };
        let mut all: Vec<Vec<ChangeFields<'e>>> = Vec::new();
        for edit in edits {
            let Some(written) = sheet.edit(edit, &self.words) else {
                break;
            };
            all.push(in_rows(written));
        }
        let out_of_step = all.len() < edits.len();
        if out_of_step {
            self.documents.lose_at(document, sheet)
        } else {
            self.documents.change(document, version, sheet)
        }
        let is_one = all.len() == 1;
        LineFields {
            changes: is_one.then(|| all.pop()).flatten(),
            edits: (!is_one).then_some(all),
            out_of_step,
            ..row
        }
    }
}

/// An edit of a text as it is recorded, if it fits.
fn changes<'e>(
    sheet: &RecordedText,
    edit: &'e Edit,
    words: &WordRecording,
) -> Option<Vec<ChangeFields<'e>>> {
    let written = sheet.clone().edit(edit, words)?;
    Some(in_rows(written))
}

fn in_rows(written: Vec<RecordedChange<'_>>) -> Vec<ChangeFields<'_>> {
    written.into_iter().map(ChangeFields::from).collect()
}

fn reason_of(reason: ChangeReason) -> Option<&'static str> {
    (reason != ChangeReason::Typed).then(|| reason.name())
}

/// The word that a trace has for something.
fn word_for<T: Copy + PartialEq>(words: &[(&'static str, T)], meant: T) -> &'static str {
    let found = words.iter().find(|(_, it)| *it == meant);
    found.expect("a table that has a word for each").0
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
