//! The events of a trace: one function per event, or per few that are alike.
//!
//! Names of requests become numbers here, in the order in which they are first named.
//!
//! A lane answers the text that it was asked about, so candidates are read as changes of the text
//! at the time of their request. Texts of the last thousand requests are kept for that, which is as
//! many as can be pending; what answers an older one, or another document, is read in the text as
//! it is.

use std::collections::{BTreeMap, VecDeque};

use foretell_core::{
    AheadAnswer, AheadCallId, AheadOutcome, EditPlace, Event, FailureKind, GapRow, LaneCandidate,
    LaneFailure, RejectionId, RejectionReports, RequestCause, RequestId, RequestKind, SuggestionId,
    SuggestionRequest, TokenUsage, TypingGaps,
};
use foretell_settings::{Home, RawSettings, SettingOrigin, Settings, SourcePlace};
use foretell_text::{
    ChangeReason, CursorPrediction, Diagnostic, DiagnosticFix, DiagnosticSeverity, DocumentId,
    FixStanding, LaneKind, LaneSpeed, Language, Text, TextProbability, Version,
};

use super::line_fields::{LineField, LineObject};
use super::problem::TraceProblem;
use super::restored_texts::RestoredTexts;
use super::trace_documents::{TraceDocuments, nowhere};
use crate::trace::{
    EditCheck, ExpectedEdit, ExpectedRank, LineContent, NamedRequest, OffsetUnit, TraceLine,
};

const EVENTS: [&str; 33] = [
    "open",
    "edit",
    "select",
    "focus",
    "save",
    "close",
    "diagnostics",
    "request",
    "cancel",
    "lane",
    "predict",
    "show",
    "accept",
    "reject",
    "ignore",
    "reject-edit",
    "check",
    "clear",
    "settings",
    "expect",
    "connect",
    "lose",
    "forget",
    "restore",
    "secrets",
    "excluded",
    "paused",
    "contested",
    "used",
    "ahead",
    "speed",
    "typing-gaps",
    "shutdown",
];

const REASONS: [(&str, ChangeReason); 4] = [
    (ChangeReason::Typed.name(), ChangeReason::Typed),
    (ChangeReason::Undo.name(), ChangeReason::Undo),
    (ChangeReason::Redo.name(), ChangeReason::Redo),
    (ChangeReason::Other.name(), ChangeReason::Other),
];

/// What fixes are among those of their diagnostics. An older recording does not say.
pub(crate) const STANDINGS: [(&str, FixStanding); 3] = [
    ("preferred", FixStanding::Preferred),
    ("possible", FixStanding::Possible),
    ("cosmetic", FixStanding::Cosmetic),
];

pub(crate) const SEVERITIES: [(&str, DiagnosticSeverity); 4] = [
    ("error", DiagnosticSeverity::Error),
    ("warning", DiagnosticSeverity::Warning),
    ("information", DiagnosticSeverity::Information),
    ("hint", DiagnosticSeverity::Hint),
];

pub(crate) const CAUSES: [(&str, RequestCause); 2] = [
    ("automatic", RequestCause::Automatic),
    ("explicit", RequestCause::Explicit),
];

pub(crate) const KINDS: [(&str, RequestKind); 2] =
    [("inline", RequestKind::Inline), ("edit", RequestKind::Edit)];

pub(crate) const REPORTS: [(&str, RejectionReports); 2] = [
    ("explicit", RejectionReports::Explicit),
    ("inferred", RejectionReports::Inferred),
];

/// As many requests as can be pending.
pub(crate) const MOST_ASKED_TEXTS: usize = 1000;

/// The version of a text that is not the one held, whichever that is: editors count from 0 on.
const ANOTHER: Version = Version::new(i64::MIN);

/// Reads the lines of one trace, in order.
pub(super) struct EventReader {
    source: String,
    documents: TraceDocuments,
    requests: Vec<NamedRequest>,
    numbers: BTreeMap<String, RequestId>,
    /// The texts that the last requests were about, the oldest first.
    asked: VecDeque<(RequestId, Text)>,
    restored: RestoredTexts,
}

impl EventReader {
    pub(super) fn new(source: &str, offsets: OffsetUnit) -> Self {
        EventReader {
            source: source.to_owned(),
            documents: TraceDocuments::new(offsets),
            requests: Vec::new(),
            numbers: BTreeMap::new(),
            asked: VecDeque::new(),
            restored: RestoredTexts::default(),
        }
    }

    /// Every request that was named, by number, once what was restored is what it belongs to.
    pub(super) fn finish(self, lines: &mut [TraceLine]) -> Vec<NamedRequest> {
        self.restored.resolve(lines);
        self.requests
    }

    pub(super) fn read(
        &mut self,
        number: usize,
        line: LineObject<'_>,
    ) -> Result<LineContent, TraceProblem> {
        let event = match line.text("event")? {
            "connect" => Event::ClientConnected {
                rejections: line.required("reports")?.word(REPORTS)?,
                asks_when_told: flag(line, "asksWhenTold")?,
            },
            "open" => self.open(line)?,
            "edit" => self.edit(line)?,
            "lose" => self.lose(line)?,
            "select" => self.select(line)?,
            "focus" => Event::DocumentFocused {
                document: self.document(line)?,
            },
            "save" => Event::DocumentSaved {
                document: self.document(line)?,
            },
            "close" => self.close(line)?,
            "diagnostics" => self.diagnostics(line)?,
            "request" => self.request(line)?,
            "cancel" => Event::RequestCancelled {
                request: self.id(line)?,
            },
            "lane" => self.lane(line)?,
            "elsewhere" => self.elsewhere(line)?,
            "predict" => self.predict(line)?,
            "show" => Event::SuggestionShown {
                suggestion: self.suggestion(line)?,
            },
            "accept" => return self.accept(line),
            "reject" => Event::SuggestionRejected {
                suggestion: self.suggestion(line)?,
            },
            "ignore" => Event::SuggestionIgnored {
                suggestion: self.suggestion(line)?,
            },
            "reject-edit" => self.reject_edit(line)?,
            "check" => return self.check(line),
            "forget" => Event::RejectionForgotten {
                rejection: RejectionId::new(line.whole("rejection")?),
            },
            "clear" => Event::RejectionsCleared,
            "restore" => self.restored.read(number, line, &mut self.documents)?,
            "secrets" => self.secrets(line)?,
            "excluded" => Event::ExclusionKnown {
                document: self.document(line)?,
                is_excluded: line.required("excluded")?.flag()?,
            },
            "paused" => Event::DocumentPaused {
                document: self.document(line)?,
                is_paused: line.required("paused")?.flag()?,
            },
            "contested" => Event::ContestKnown {
                is_contested: line.required("contested")?.flag()?,
            },
            "used" => Event::UsageKnown {
                lane: line.required("lane")?.word(lanes())?,
                day: line.whole("day")?,
                requests: line.whole("requests")?,
                tokens: line.whole("tokens")?,
            },
            "ahead" => ahead(line)?,
            "speed" => Event::LaneSpeedKnown {
                lane: line.required("lane")?.word(lanes())?,
                speed: LaneSpeed {
                    read: tokens_per_second(line, "read")?,
                    written: tokens_per_second(line, "written")?,
                    repeats_region: flag(line, "repeatsRegion")?,
                },
            },
            "typing-gaps" => typing_gaps(line)?,
            "shutdown" => Event::ShuttingDown,
            "settings" => return self.settings(number, line),
            "expect" => return self.expect(line),
            unknown => {
                return Err(TraceProblem::UnknownEvent {
                    found: unknown.to_owned(),
                    known: EVENTS.to_vec(),
                });
            }
        };
        Ok(LineContent::Event(event))
    }

    fn open(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let language = Language::new(line.text("language")?);
        let text = Text::from(line.text("text")?);
        self.restored.opened(line, &text, &self.documents)?;
        let document = self.documents.named(line.text("doc")?);
        Ok(Event::DocumentOpened {
            document: document.id.clone(),
            language,
            version: document.becomes(Some(text.clone())),
            text,
        })
    }

    fn edit(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let reason = line.optional("reason").map(|field| field.word(REASONS));
        let reason = reason.transpose()?.unwrap_or_default();
        let one_of = ["changes", "edits", "text"];
        let given = one_of.map(|key| line.optional(key));
        match given {
            [None, None, Some(text)] => self.replace(line, text.text()?, reason),
            [Some(changes), None, None] => self.change(line, [changes], reason),
            [None, Some(edits), None] => self.change(line, edits.items()?, reason),
            [None, None, None] => Err(TraceProblem::Missing {
                field: "changes".to_owned(),
            }),
            _ => Err(TraceProblem::SeveralWays {
                fields: one_of.to_vec(),
            }),
        }
    }

    /// Edits one after the other, each in the text after the one before.
    fn change<'f>(
        &mut self,
        line: LineObject<'_>,
        fields: impl IntoIterator<Item = LineField<'f>>,
        reason: ChangeReason,
    ) -> Result<Event, TraceProblem> {
        let id = self.document(line)?;
        let mut after = self.documents.text(&id).cloned();
        let mut edits = Vec::new();
        for changes in fields {
            let edit = self.documents.changes(after.as_ref(), &changes)?;
            // It was checked against that very text, so it fits.
            after = after.and_then(|before| edit.apply(&before).ok());
            edits.push(edit);
        }
        let document = self.documents.named(id.as_str());
        let version = if is_out_of_step(line)? {
            edits.push(nowhere());
            document.mark_lost(after)
        } else {
            document.changes_to(after)
        };
        Ok(Event::DocumentChanged {
            document: id,
            version,
            edits,
            reason,
        })
    }

    /// The whole text was sent again.
    fn replace(
        &mut self,
        line: LineObject<'_>,
        text: &str,
        reason: ChangeReason,
    ) -> Result<Event, TraceProblem> {
        let text = Text::from(text);
        self.restored.opened(line, &text, &self.documents)?;
        let document = self.documents.named(line.text("doc")?);
        // The language of a document that is not open is not known, so that it stays closed.
        let is_open = document.text.is_some();
        Ok(Event::DocumentReplaced {
            document: document.id.clone(),
            version: document.becomes(is_open.then(|| text.clone())),
            text,
            reason,
        })
    }

    fn lose(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let document = self.documents.named(line.text("doc")?);
        let text = document.text.clone();
        document.mark_lost(text);
        Ok(Event::DocumentLost {
            document: document.id.clone(),
        })
    }

    fn select(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let field = line.required("selections")?;
        let selections = field.items()?;
        let selections = selections.map(|selection| self.documents.selection(text, &selection));
        Ok(Event::SelectionChanged {
            selections: selections.collect::<Result<_, _>>()?,
            document,
            version: is_out_of_step(line)?.then_some(ANOTHER),
        })
    }

    fn close(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let document = self.documents.named(line.text("doc")?);
        document.becomes(None);
        Ok(Event::DocumentClosed {
            document: document.id.clone(),
        })
    }

    fn diagnostics(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let field = line.required("items")?;
        let items = field.items()?.map(|item| self.diagnostic(text, &item));
        Ok(Event::DiagnosticsChanged {
            diagnostics: items.collect::<Result<_, _>>()?,
            document,
            version: is_out_of_step(line)?.then_some(ANOTHER),
        })
    }

    fn diagnostic(
        &self,
        text: Option<&Text>,
        field: &LineField<'_>,
    ) -> Result<Diagnostic, TraceProblem> {
        let item = field.object()?;
        let mut fixes = Vec::new();
        if let Some(field) = item.optional("fixes") {
            for fix in field.items()? {
                let fix = fix.object()?;
                let standing = fix.optional("standing");
                let standing = standing.map(|field| field.word(STANDINGS));
                fixes.push(DiagnosticFix {
                    title: fix.text("title")?.to_owned(),
                    standing: standing.transpose()?.unwrap_or_default(),
                    edit: self.documents.changes(text, &fix.required("changes")?)?,
                });
            }
        }
        let (at, len) = (item.required("at")?, item.required("len")?);
        Ok(Diagnostic {
            range: self.documents.range(text, &at, &len)?,
            severity: item.required("severity")?.word(SEVERITIES)?,
            source: item.optional_text("source")?.map(str::to_owned),
            code: item.optional_text("code")?.map(str::to_owned),
            message: item.text("message")?.to_owned(),
            fixes,
        })
    }

    fn request(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let request = self.id(line)?;
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let at = self.documents.place(text, &line.required("at")?)?;
        let kind = line.optional("kind").map(|field| field.word(KINDS));
        if let Some(text) = text {
            self.asked.push_back((request, text.clone()));
        }
        if self.asked.len() > MOST_ASKED_TEXTS {
            self.asked.pop_front();
        }
        if let Some(known) = self.request_of(request) {
            known.document = Some(document.clone());
        }
        Ok(Event::SuggestionRequested(SuggestionRequest {
            request,
            document,
            version: is_out_of_step(line)?.then_some(ANOTHER),
            at,
            cause: line.required("cause")?.word(CAUSES)?,
            kind: kind.transpose()?.unwrap_or(RequestKind::Inline),
        }))
    }

    fn lane(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let request = self.id(line)?;
        let lane = line.required("lane")?.word(lanes())?;
        let usage = usage(line)?;
        match (line.optional("candidates"), line.optional("failure")) {
            (Some(candidates), None) => {
                let candidates = candidates
                    .items()?
                    .map(|candidate| self.candidate(request, &candidate))
                    .collect::<Result<_, _>>()?;
                if flag(line, "goesOn")? {
                    return Ok(Event::LaneProgressed {
                        request,
                        lane,
                        candidates,
                    });
                }
                Ok(Event::LaneAnswered {
                    request,
                    lane,
                    candidates,
                    usage,
                    withheld: match line.optional("withheld") {
                        Some(count) => count.count()?,
                        None => 0,
                    },
                })
            }
            (None, Some(failure)) => {
                let failures = FailureKind::ALL.map(|kind| (kind.name(), kind));
                let failure = LaneFailure {
                    kind: failure.word(failures)?,
                    retry_after_ms: line.optional_whole("retryAfterMs")?,
                };
                Ok(Event::LaneFailed {
                    request,
                    lane,
                    failure,
                    usage,
                })
            }
            (None, None) if flag(line, "goesOn")? => Ok(Event::LaneReading { request, lane }),
            (None, None) => Err(TraceProblem::NeitherAnswerNorFailure),
            (Some(_), Some(_)) => Err(TraceProblem::AnswerAndFailure),
        }
    }

    /// The places that a model may be asked about besides.
    fn elsewhere(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let request = self.id(line)?;
        let lane = line.required("lane")?.word(lanes())?;
        let field = line.required("spots")?;
        let mut places = Vec::new();
        for spot in field.items()? {
            let spot = spot.object()?;
            let document = self.document(spot)?;
            let text = self.documents.text(&document);
            let at = self.documents.place(text, &spot.required("at")?)?;
            places.push(EditPlace { document, at });
        }
        Ok(Event::PlacesFound {
            request,
            lane,
            places,
        })
    }

    /// What a predictor that answers at once has said: one candidate at most.
    fn predict(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let request = self.id(line)?;
        let field = line.required("candidates")?;
        let candidates = field
            .items()?
            .map(|candidate| self.candidate(request, &candidate))
            .collect::<Result<Vec<_>, _>>()?;
        let prediction = match <[_; 1]>::try_from(candidates) {
            Ok([candidate]) => {
                let thousandths = line.whole("probability")?;
                let thousandths = u16::try_from(thousandths).unwrap_or(u16::MAX);
                Some(CursorPrediction {
                    candidate,
                    probability: TextProbability::from_thousandths(thousandths),
                })
            }
            Err(several) if several.is_empty() => None,
            Err(_) => {
                return Err(TraceProblem::WrongKind {
                    field: "candidates".to_owned(),
                    found: "several",
                    wanted: "one at most",
                });
            }
        };
        Ok(Event::Predicted {
            request,
            prediction,
            withheld: match line.optional("withheld") {
                Some(count) => count.count()?,
                None => 0,
            },
        })
    }

    fn candidate(
        &mut self,
        request: RequestId,
        field: &LineField<'_>,
    ) -> Result<LaneCandidate, TraceProblem> {
        let candidate = field.object()?;
        let asked_about = self.request_of(request).and_then(|it| it.document.clone());
        let document = match (candidate.optional_text("doc")?, &asked_about) {
            (Some(uri), _) => self.documents.named(uri).id.clone(),
            (None, Some(document)) => document.clone(),
            (None, None) => {
                let field = format!("{}.doc", field.path());
                return Err(TraceProblem::NoDocument { field });
            }
        };
        let then = self.asked.iter().rev().find(|(id, _)| *id == request);
        let then = then.filter(|_| asked_about.as_ref() == Some(&document));
        let now = self.documents.text(&document);
        let text = then.map(|(_, text)| text).or(now);
        let edit = if is_out_of_step(candidate)? {
            nowhere()
        } else {
            let changes = candidate.required("changes")?;
            self.documents.changes(text, &changes)?
        };
        Ok(LaneCandidate::new(document, edit))
    }

    fn accept(&mut self, line: LineObject<'_>) -> Result<LineContent, TraceProblem> {
        let length = line.optional("length").map(|field| field.count());
        Ok(LineContent::Accepted {
            suggestion: self.suggestion(line)?,
            length: length.transpose()?,
        })
    }

    fn reject_edit(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let edit = match (line.optional("changes"), is_out_of_step(line)?) {
            (_, true) => nowhere(),
            (Some(changes), false) => self.documents.changes(text, &changes)?,
            (None, false) => {
                let edit = self.documents.change(text, &line.required("edit")?)?;
                edit.into()
            }
        };
        Ok(Event::EditRejected { document, edit })
    }

    fn secrets(&mut self, line: LineObject<'_>) -> Result<Event, TraceProblem> {
        let is_another = is_out_of_step(line)?;
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let field = line.required("ranges")?;
        let ranges = field.items()?;
        let ranges = ranges.map(|range| self.documents.selection(text, &range));
        Ok(Event::SecretsFound {
            ranges: ranges.collect::<Result<_, _>>()?,
            version: if is_another {
                ANOTHER
            } else {
                self.documents.named(document.as_str()).version()
            },
            document,
        })
    }

    fn check(&mut self, line: LineObject<'_>) -> Result<LineContent, TraceProblem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let edit = self.documents.change(text, &line.required("edit")?)?;
        let expect = line.optional("expect").map(|field| field.flag());
        Ok(LineContent::Check(EditCheck {
            document,
            edit: edit.into(),
            expect: expect.transpose()?,
        }))
    }

    fn settings(
        &mut self,
        number: usize,
        line: LineObject<'_>,
    ) -> Result<LineContent, TraceProblem> {
        let set = line.required("set")?;
        set.object()?;
        let place = SourcePlace {
            line: number,
            column: 1,
        };
        let origin = SettingOrigin {
            home: Home::Trace,
            source: self.source.clone(),
            place: Some(place),
        };
        let (settings, faults) = RawSettings::from_json_within(&origin, &set.json());
        let (_, more) = Settings::resolve(std::slice::from_ref(&settings));
        match faults.into_iter().chain(more).next() {
            Some(fault) => Err(TraceProblem::Setting(Box::new(fault.problem))),
            None => Ok(LineContent::Settings(settings)),
        }
    }

    fn expect(&mut self, line: LineObject<'_>) -> Result<LineContent, TraceProblem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let changes = line.required("changes")?;
        let edit = if changes.is_null() {
            None
        } else {
            Some(self.documents.changes(text, &changes)?)
        };
        Ok(LineContent::Expect(ExpectedEdit {
            document,
            edit,
            rank: line.required("rank")?.word(ExpectedRank::NAMES)?,
        }))
    }

    fn document(&mut self, line: LineObject<'_>) -> Result<DocumentId, TraceProblem> {
        Ok(self.documents.named(line.text("doc")?).id.clone())
    }

    fn suggestion(&mut self, line: LineObject<'_>) -> Result<SuggestionId, TraceProblem> {
        let candidate = line.optional("candidate").map(|field| field.count());
        Ok(SuggestionId {
            request: self.id(line)?,
            candidate: candidate.transpose()?.unwrap_or_default(),
        })
    }

    /// The number of the request that a line names.
    fn id(&mut self, line: LineObject<'_>) -> Result<RequestId, TraceProblem> {
        let name = line.required("id")?.name()?;
        if let Some(id) = self.numbers.get(&name) {
            return Ok(*id);
        }
        let id = RequestId::new(self.requests.len() as u64);
        self.numbers.insert(name.clone(), id);
        self.requests.push(NamedRequest {
            name,
            document: None,
        });
        Ok(id)
    }

    fn request_of(&mut self, id: RequestId) -> Option<&mut NamedRequest> {
        let index = usize::try_from(id.get()).ok()?;
        self.requests.get_mut(index)
    }
}

/// The end of a call ahead of time.
fn ahead(line: LineObject<'_>) -> Result<Event, TraceProblem> {
    let outcome = match (line.optional("insert"), line.optional("failure")) {
        (Some(_), Some(_)) => return Err(TraceProblem::AnswerAndFailure),
        (None, Some(failure)) => AheadOutcome::Failed(LaneFailure {
            kind: failure.word(FailureKind::ALL.map(|kind| (kind.name(), kind)))?,
            retry_after_ms: line.optional_whole("retryAfterMs")?,
        }),
        (insert, None) => {
            let covered = line.optional("delete").map(|field| field.count());
            let covered = covered.transpose()?.unwrap_or_default();
            let answer = insert.map(|insert| {
                let new_text = insert.text()?.into();
                Ok(AheadAnswer { new_text, covered })
            });
            AheadOutcome::Answered(answer.transpose()?)
        }
    };
    Ok(Event::AheadEnded {
        call: AheadCallId::new(line.whole("call")?),
        outcome,
        usage: usage(line)?,
    })
}

/// How long the gaps between keys were, by place. A length that is not told apart is left out.
fn typing_gaps(line: LineObject<'_>) -> Result<Event, TraceProblem> {
    let mut rows: Vec<(String, GapRow)> = Vec::new();
    for place in line.required("places")?.items()? {
        let place = place.object()?;
        let mut row = GapRow::default();
        for (count, field) in row.iter_mut().zip(place.required("gaps")?.items()?) {
            *count = u16::try_from(field.whole()?).unwrap_or(u16::MAX);
        }
        rows.push((place.text("place")?.to_owned(), row));
    }
    let gaps = TypingGaps::from_rows(rows.iter().map(|(place, row)| (place.as_str(), *row)));
    Ok(Event::TypingGapsKnown { gaps })
}

/// Whether a line speaks of another text than the one that is held.
fn is_out_of_step(line: LineObject<'_>) -> Result<bool, TraceProblem> {
    flag(line, "outOfStep")
}

/// Whether a line says that something holds.
fn flag(line: LineObject<'_>, name: &'static str) -> Result<bool, TraceProblem> {
    let field = line.optional(name).map(|field| field.flag());
    Ok(field.transpose()?.unwrap_or(false))
}

/// How fast a server is at something, if the line says so. One that no machine has is as fast as can be.
fn tokens_per_second(
    line: LineObject<'_>,
    name: &'static str,
) -> Result<Option<u32>, TraceProblem> {
    let speed = line.optional_whole(name)?;
    Ok(speed.map(|speed| u32::try_from(speed).unwrap_or(u32::MAX)))
}

/// The tokens that a lane used up; none unless the line says so.
fn usage(line: LineObject<'_>) -> Result<TokenUsage, TraceProblem> {
    let Some(field) = line.optional("usage") else {
        return Ok(TokenUsage::default());
    };
    let used = field.object()?;
    Ok(TokenUsage {
        prompt_tokens: used.whole("promptTokens")?,
        completion_tokens: used.whole("completionTokens")?,
        read_tokens: used.optional_whole("readTokens")?,
    })
}

fn lanes() -> [(&'static str, LaneKind); 3] {
    LaneKind::ALL.map(|lane| (lane.name(), lane))
}
