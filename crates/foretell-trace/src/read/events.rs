//! What each event of a trace says: one function per event, or per few that are alike.
//!
//! Names of requests become numbers here, in the order in which they are first named.
//!
//! A lane answers the text that it was asked about, so candidates are read as changes of the text
//! at the time of their request. Texts of the last thousand requests are kept for that, which is as
//! many as can be pending; what answers an older one, or another document, is read in the text as
//! it is.

use std::collections::{BTreeMap, VecDeque};

use foretell_core::{
    Candidate, Event, Failure, FailureKind, RejectionId, RejectionReports, RequestCause, RequestId,
    RequestKind, SuggestionId, Usage,
};
use foretell_settings::{Home, LineColumn, Origin, RawSettings, Settings};
use foretell_text::{
    ChangeReason, Diagnostic, DocumentId, Edit, Fix, LaneKind, Language, Severity, Text, Version,
};

use super::documents::{Documents, nowhere};
use super::fields::{Field, Object};
use super::problem::Problem;
use super::restored::Restored;
use crate::trace::{Check, Expect, Line, Offsets, Rank, Request, What};

const EVENTS: [&str; 27] = [
    "open",
    "edit",
    "select",
    "focus",
    "close",
    "diagnostics",
    "request",
    "cancel",
    "lane",
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
    "contested",
    "used",
    "shutdown",
];

const REASONS: [(&str, ChangeReason); 4] = [
    (ChangeReason::Typed.name(), ChangeReason::Typed),
    (ChangeReason::Undo.name(), ChangeReason::Undo),
    (ChangeReason::Redo.name(), ChangeReason::Redo),
    (ChangeReason::Other.name(), ChangeReason::Other),
];

pub(crate) const SEVERITIES: [(&str, Severity); 4] = [
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("information", Severity::Information),
    ("hint", Severity::Hint),
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
pub(super) struct Reader {
    source: String,
    documents: Documents,
    requests: Vec<Request>,
    numbers: BTreeMap<String, RequestId>,
    /// The texts that the last requests were about, the oldest first.
    asked: VecDeque<(RequestId, Text)>,
    restored: Restored,
}

impl Reader {
    pub(super) fn new(source: &str, offsets: Offsets) -> Self {
        Reader {
            source: source.to_owned(),
            documents: Documents::new(offsets),
            requests: Vec::new(),
            numbers: BTreeMap::new(),
            asked: VecDeque::new(),
            restored: Restored::default(),
        }
    }

    /// Every request that was named, by number, once what was restored is what it belongs to.
    pub(super) fn finish(self, lines: &mut [Line]) -> Vec<Request> {
        self.restored.resolve(lines);
        self.requests
    }

    pub(super) fn read(&mut self, number: usize, line: Object<'_>) -> Result<What, Problem> {
        let event = match line.text("event")? {
            "connect" => Event::ClientConnected {
                rejections: line.required("reports")?.word(REPORTS)?,
            },
            "open" => self.open(line)?,
            "edit" => self.edit(line)?,
            "lose" => self.lose(line)?,
            "select" => self.select(line)?,
            "focus" => Event::DocumentFocused {
                document: self.document(line)?,
            },
            "close" => self.close(line)?,
            "diagnostics" => self.diagnostics(line)?,
            "request" => self.request(line)?,
            "cancel" => Event::RequestCancelled {
                request: self.id(line)?,
            },
            "lane" => self.lane(line)?,
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
            "contested" => Event::ContestKnown {
                is_contested: line.required("contested")?.flag()?,
            },
            "used" => Event::UsageKnown {
                lane: line.required("lane")?.word(lanes())?,
                day: line.whole("day")?,
                requests: line.whole("requests")?,
                tokens: line.whole("tokens")?,
            },
            "shutdown" => Event::ShuttingDown,
            "settings" => return self.settings(number, line),
            "expect" => return self.expect(line),
            unknown => {
                return Err(Problem::UnknownEvent {
                    found: unknown.to_owned(),
                    known: EVENTS.to_vec(),
                });
            }
        };
        Ok(What::Event(event))
    }

    fn open(&mut self, line: Object<'_>) -> Result<Event, Problem> {
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

    fn edit(&mut self, line: Object<'_>) -> Result<Event, Problem> {
        let reason = line.optional("reason").map(|field| field.word(REASONS));
        let reason = reason.transpose()?.unwrap_or_default();
        let one_of = ["changes", "edits", "text"];
        let given = one_of.map(|key| line.optional(key));
        match given {
            [None, None, Some(text)] => self.replace(line, text.text()?, reason),
            [Some(changes), None, None] => {
                let id = self.document(line)?;
                let before = self.documents.text(&id);
                let edit = self.documents.changes(before, &changes)?;
                // It was checked against that very text, so it fits.
                let after = before.and_then(|before| edit.apply(before).ok());
                self.change(line, (id, after), vec![edit], reason)
            }
            [None, Some(edits), None] => {
                let id = self.document(line)?;
                let mut after = self.documents.text(&id).cloned();
                let mut all = Vec::new();
                for changes in edits.items()? {
                    let edit = self.documents.changes(after.as_ref(), &changes)?;
                    after = after.and_then(|before| edit.apply(&before).ok());
                    all.push(edit);
                }
                self.change(line, (id, after), all, reason)
            }
            [None, None, None] => Err(Problem::Missing {
                field: "changes".to_owned(),
            }),
            _ => Err(Problem::SeveralWays {
                fields: one_of.to_vec(),
            }),
        }
    }

    fn change(
        &mut self,
        line: Object<'_>,
        (id, after): (DocumentId, Option<Text>),
        mut edits: Vec<Edit>,
        reason: ChangeReason,
    ) -> Result<Event, Problem> {
        let loses_step = is_out_of_step(line)?;
        let document = self.documents.named(id.as_str());
        let version = match loses_step {
            true => document.is_lost_with(after),
            false => document.changes_to(after),
        };
        edits.extend(loses_step.then(nowhere));
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
        line: Object<'_>,
        text: &str,
        reason: ChangeReason,
    ) -> Result<Event, Problem> {
        let text = Text::from(text);
        self.restored.opened(line, &text, &self.documents)?;
        let document = self.documents.named(line.text("doc")?);
        // Of one that is not open nobody knows what it is written in, so that it stays so.
        let is_open = document.text.is_some();
        Ok(Event::DocumentReplaced {
            document: document.id.clone(),
            version: document.becomes(is_open.then(|| text.clone())),
            text,
            reason,
        })
    }

    fn lose(&mut self, line: Object<'_>) -> Result<Event, Problem> {
        let document = self.documents.named(line.text("doc")?);
        let text = document.text.clone();
        document.is_lost_with(text);
        Ok(Event::DocumentLost {
            document: document.id.clone(),
        })
    }

    fn select(&mut self, line: Object<'_>) -> Result<Event, Problem> {
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

    fn close(&mut self, line: Object<'_>) -> Result<Event, Problem> {
        let document = self.documents.named(line.text("doc")?);
        document.becomes(None);
        Ok(Event::DocumentClosed {
            document: document.id.clone(),
        })
    }

    fn diagnostics(&mut self, line: Object<'_>) -> Result<Event, Problem> {
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

    fn diagnostic(&self, text: Option<&Text>, field: &Field<'_>) -> Result<Diagnostic, Problem> {
        let item = field.object()?;
        let mut fixes = Vec::new();
        if let Some(field) = item.optional("fixes") {
            for fix in field.items()? {
                let fix = fix.object()?;
                fixes.push(Fix {
                    title: fix.text("title")?.to_owned(),
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

    fn request(&mut self, line: Object<'_>) -> Result<Event, Problem> {
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
        Ok(Event::SuggestionRequested {
            request,
            document,
            version: is_out_of_step(line)?.then_some(ANOTHER),
            at,
            cause: line.required("cause")?.word(CAUSES)?,
            kind: kind.transpose()?.unwrap_or(RequestKind::Inline),
        })
    }

    fn lane(&mut self, line: Object<'_>) -> Result<Event, Problem> {
        let request = self.id(line)?;
        let lane = line.required("lane")?.word(lanes())?;
        let usage = usage(line)?;
        match (line.optional("candidates"), line.optional("failure")) {
            (Some(candidates), None) => {
                let candidates = candidates
                    .items()?
                    .map(|candidate| self.candidate(request, &candidate))
                    .collect::<Result<_, _>>()?;
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
                let failure = Failure {
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
            (None, None) => Err(Problem::NeitherAnswerNorFailure),
            (Some(_), Some(_)) => Err(Problem::AnswerAndFailure),
        }
    }

    fn candidate(&mut self, request: RequestId, field: &Field<'_>) -> Result<Candidate, Problem> {
        let candidate = field.object()?;
        let asked_about = self.request_of(request).and_then(|it| it.document.clone());
        let document = match (candidate.optional_text("doc")?, &asked_about) {
            (Some(uri), _) => self.documents.named(uri).id.clone(),
            (None, Some(document)) => document.clone(),
            (None, None) => {
                let field = format!("{}.doc", field.path());
                return Err(Problem::NoDocument { field });
            }
        };
        let then = self.asked.iter().rev().find(|(id, _)| *id == request);
        let then = then.filter(|_| asked_about.as_ref() == Some(&document));
        let now = self.documents.text(&document);
        let text = then.map(|(_, text)| text).or(now);
        let edit = match is_out_of_step(candidate)? {
            true => nowhere(),
            false => {
                let changes = candidate.required("changes")?;
                self.documents.changes(text, &changes)?
            }
        };
        Ok(Candidate { document, edit })
    }

    fn accept(&mut self, line: Object<'_>) -> Result<What, Problem> {
        let length = line.optional("length").map(|field| field.count());
        Ok(What::Accepted {
            suggestion: self.suggestion(line)?,
            length: length.transpose()?,
        })
    }

    fn reject_edit(&mut self, line: Object<'_>) -> Result<Event, Problem> {
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

    fn secrets(&mut self, line: Object<'_>) -> Result<Event, Problem> {
        let is_another = is_out_of_step(line)?;
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let field = line.required("ranges")?;
        let ranges = field.items()?;
        let ranges = ranges.map(|range| self.documents.selection(text, &range));
        Ok(Event::SecretsFound {
            ranges: ranges.collect::<Result<_, _>>()?,
            version: match is_another {
                true => ANOTHER,
                false => self.documents.named(document.as_str()).version(),
            },
            document,
        })
    }

    fn check(&mut self, line: Object<'_>) -> Result<What, Problem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let edit = self.documents.change(text, &line.required("edit")?)?;
        let expect = line.optional("expect").map(|field| field.flag());
        Ok(What::Check(Check {
            document,
            edit: edit.into(),
            expect: expect.transpose()?,
        }))
    }

    fn settings(&mut self, number: usize, line: Object<'_>) -> Result<What, Problem> {
        let set = line.required("set")?;
        set.object()?;
        let place = LineColumn {
            line: number,
            column: 1,
        };
        let origin = Origin {
            home: Home::Trace,
            source: self.source.clone(),
            place: Some(place),
        };
        let (settings, faults) = RawSettings::from_json_within(&origin, &set.json());
        let (_, more) = Settings::resolve(std::slice::from_ref(&settings));
        match faults.into_iter().chain(more).next() {
            Some(fault) => Err(Problem::Setting(Box::new(fault.problem))),
            None => Ok(What::Settings(settings)),
        }
    }

    fn expect(&mut self, line: Object<'_>) -> Result<What, Problem> {
        let document = self.document(line)?;
        let text = self.documents.text(&document);
        let changes = line.required("changes")?;
        let edit = match changes.is_null() {
            true => None,
            false => Some(self.documents.changes(text, &changes)?),
        };
        Ok(What::Expect(Expect {
            document,
            edit,
            rank: line.required("rank")?.word(Rank::NAMES)?,
        }))
    }

    fn document(&mut self, line: Object<'_>) -> Result<DocumentId, Problem> {
        Ok(self.documents.named(line.text("doc")?).id.clone())
    }

    fn suggestion(&mut self, line: Object<'_>) -> Result<SuggestionId, Problem> {
        let candidate = line.optional("candidate").map(|field| field.count());
        Ok(SuggestionId {
            request: self.id(line)?,
            candidate: candidate.transpose()?.unwrap_or_default(),
        })
    }

    /// The number of the request that a line names.
    fn id(&mut self, line: Object<'_>) -> Result<RequestId, Problem> {
        let name = line.required("id")?.name()?;
        if let Some(id) = self.numbers.get(&name) {
            return Ok(*id);
        }
        let id = RequestId::new(self.requests.len() as u64);
        self.numbers.insert(name.clone(), id);
        self.requests.push(Request {
            name,
            document: None,
        });
        Ok(id)
    }

    fn request_of(&mut self, id: RequestId) -> Option<&mut Request> {
        let index = usize::try_from(id.get()).ok()?;
        self.requests.get_mut(index)
    }
}

/// Whether a line speaks of another text than the one that is held.
fn is_out_of_step(line: Object<'_>) -> Result<bool, Problem> {
    let field = line.optional("outOfStep").map(|field| field.flag());
    Ok(field.transpose()?.unwrap_or(false))
}

/// What a lane used up, which is nothing where nobody says.
fn usage(line: Object<'_>) -> Result<Usage, Problem> {
    let Some(field) = line.optional("usage") else {
        return Ok(Usage::default());
    };
    let used = field.object()?;
    Ok(Usage {
        prompt_tokens: used.whole("promptTokens")?,
        completion_tokens: used.whole("completionTokens")?,
    })
}

fn lanes() -> [(&'static str, LaneKind); 3] {
    LaneKind::ALL.map(|lane| (lane.name(), lane))
}
