//! The prompts that models would get: from lanes that note them down and send nothing.
//!
//! They stand in for the real ones in the same engine, so that exclusion, context and redaction are
//! what they would be, and the message is made by the same code. No key is read, no command is run,
//! and no server is asked.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use anstyle::Style;
use foretell_context::Redactor;
use foretell_engine::ChooseLane;
use foretell_engine::UserDirectories;
use foretell_lanes::model::server_client::ServerClient;
use foretell_lanes::model::{ModelLane, ModelMessage};
use foretell_lanes::{Lane, LaneAnswer, LaneFault, LaneFuture, LaneRequest, Redact, SecretMarks};
use foretell_settings::choice::BackEnd;
use foretell_settings::settings;
use foretell_text::{LaneKind, PoisonedLock};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::answer::{CompletionSubject, CompletionTurn};
use super::message::{RedactedSecrets, SentMessage};
use crate::failure::visible;

/// The notes of each lane that was asked.
#[derive(Clone, Default)]
pub(super) struct PromptNotes {
    redactor: Redactor,
    noted: Arc<Mutex<BTreeMap<LaneKind, LaneNote>>>,
}

/// A lane's note.
enum LaneNote {
    Sends {
        message: ModelMessage,
        taken_out: RedactedSecrets,
        format: Option<&'static str>,
    },
    HasNothingToAsk {
        why: Option<String>,
    },
    Fails(LaneFault),
}

impl PromptNotes {
    /// Lanes that note what they are asked.
    pub(super) fn lanes(&self) -> ChooseLane {
        let notes = self.clone();
        let speeds = UserDirectories::of_platform().speeds();
        let book = speeds.map_or_else(Arc::default, |file| Arc::clone(file.book()));
        Arc::new(move |lane, settings| match settings.kind {
            BackEnd::Embedded => Arc::new(SilentLane),
            _ => Arc::new(NotingLane {
                lane,
                model: ModelLane::with_book(lane, settings, Arc::clone(&book), None),
                notes: notes.clone(),
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<LaneKind, LaneNote>> {
        self.noted.lock().unpoison()
    }
}

/// Stands for a lane that sends nothing anyway.
struct SilentLane;

impl Lane for SilentLane {
    fn ask(&self, _: Arc<LaneRequest>, _: CancellationToken) -> LaneFuture {
        Box::pin(async { Ok(LaneAnswer::default()) })
    }
}

/// Stands for a lane that asks a model.
struct NotingLane {
    lane: LaneKind,
    model: ModelLane,
    notes: PromptNotes,
}

impl Lane for NotingLane {
    fn ask(&self, request: Arc<LaneRequest>, _: CancellationToken) -> LaneFuture {
        // The context has its marks already.
        let taken_out = Arc::new(Mutex::new(RedactedSecrets::of(&request.context.markdown())));
        let request = LaneRequest {
            redact: Arc::new(WatchingRedactor {
                redact: Arc::clone(&request.redact),
                redactor: self.notes.redactor.clone(),
                taken_out: Arc::clone(&taken_out),
            }),
            ..(*request).clone()
        };
        let noted = match self.model.explain(&request) {
            Ok(Some(message)) => {
                let taken_out = taken_out.lock().unpoison();
                LaneNote::Sends {
                    message,
                    taken_out: taken_out.clone(),
                    format: self.model.edit_format(&request),
                }
            }
            Ok(None) => LaneNote::HasNothingToAsk {
                why: self.model.refusal(&request),
            },
            Err(fault) => LaneNote::Fails(fault),
        };
        self.notes.lock().insert(self.lane, noted);
        Box::pin(async { Ok(LaneAnswer::default()) })
    }

    fn tells_others(&self) -> bool {
        true
    }
}

/// Sees which secrets are taken out.
struct WatchingRedactor {
    redact: Arc<dyn Redact>,
    redactor: Redactor,
    taken_out: Arc<Mutex<RedactedSecrets>>,
}

impl Redact for WatchingRedactor {
    fn begin(&self) -> Box<dyn SecretMarks> {
        Box::new(WatchedMarks {
            marks: self.redact.begin(),
            redactor: self.redactor.clone(),
            taken_out: Arc::clone(&self.taken_out),
        })
    }
}

struct WatchedMarks {
    marks: Box<dyn SecretMarks>,
    redactor: Redactor,
    taken_out: Arc<Mutex<RedactedSecrets>>,
}

impl SecretMarks for WatchedMarks {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        let found = self.redactor.secrets(whole).into_iter();
        let within = found.filter(|secret| {
            secret.range.start().get() < part.end && part.start < secret.range.end().get()
        });
        let redacted = self.marks.redact_part(whole, part.clone());
        let mut taken_out = self.taken_out.lock().unpoison();
        taken_out.add(&redacted, within.map(|secret| secret.kind));
        redacted
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        self.marks.restore(told, answer)
    }
}

/// The explanations of all lanes.
pub(super) struct PromptExplanation {
    about: CompletionSubject,
    lanes: Vec<(LaneKind, LaneExplanation)>,
}

/// The explanation of one lane.
enum LaneExplanation {
    Sends {
        message: SentMessage,
        /// The format in which a model is asked for edits.
        format: Option<&'static str>,
    },
    SendsNothing {
        why: String,
    },
}

impl PromptExplanation {
    pub(super) fn of(about: CompletionSubject, came: &CompletionTurn, notes: &PromptNotes) -> Self {
        let mut noted = notes.lock();
        let explained = LaneKind::ALL.map(|lane| {
            let settings = about.lanes.of(lane);
            let noted = noted.remove(&lane);
            let explanation = match explain(lane, settings, noted) {
                Some(explanation) => explanation,
                None => LaneExplanation::SendsNothing {
                    why: why_nothing(lane, &about, came),
                },
            };
            (lane, explanation)
        });
        PromptExplanation {
            about,
            lanes: explained.into(),
        }
    }

    /// Whether any lane would send something.
    pub(super) fn is_anything_sent(&self) -> bool {
        let mut lanes = self.lanes.iter();
        lanes.any(|(_, it)| matches!(it, LaneExplanation::Sends { .. }))
    }

    /// For people: lanes that send nothing first, since what is sent is long.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = Style::new().bold();
        if let Some(why) = &self.about.excluded {
            let (file, why) = (visible(&self.about.file), visible(why));
            writeln!(out, "{file} is excluded: {why}")?;
            writeln!(out, "Nothing of it is sent to any model")?;
        }
        for (lane, explanation) in &self.lanes {
            if let LaneExplanation::SendsNothing { why } = explanation {
                let lane = lane.name();
                writeln!(out, "{bold}{lane:<9}{bold:#}  sends nothing: {why}")?;
            }
        }
        for (lane, explanation) in &self.lanes {
            if let LaneExplanation::Sends { message, format } = explanation {
                let format = format.map_or(String::new(), |it| format!(", in the format {it}"));
                writeln!(out, "{bold}{:<9}{bold:#}  would send{format}", lane.name())?;
                message.write(out)?;
            }
        }
        Ok(())
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let lanes = self.lanes.iter().map(|(lane, it)| match it {
            LaneExplanation::Sends { message, format } => {
                json!({"lane": lane.name(), "format": format, "sends": message.json()})
            }
            LaneExplanation::SendsNothing { why } => {
                json!({"lane": lane.name(), "sends": Value::Null, "why": why})
            }
        });
        let json = json!({
            "file": self.about.file.as_str(),
            "excluded": self.about.excluded.as_ref().map(ToString::to_string),
            "lanes": lanes.collect::<Vec<_>>(),
        });
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    }
}

/// A lane's note; `None` if it was not asked.
fn explain(
    lane: LaneKind,
    settings: &settings::LaneSettings,
    noted: Option<LaneNote>,
) -> Option<LaneExplanation> {
    let nothing = |why: String| Some(LaneExplanation::SendsNothing { why });
    match noted? {
        LaneNote::HasNothingToAsk { why } => {
            nothing(why.unwrap_or_else(|| "there is nothing to ask here".to_owned()))
        }
        LaneNote::Fails(fault) => nothing(visible(fault)),
        LaneNote::Sends {
            message,
            taken_out,
            format,
        } => match ServerClient::new(lane, settings) {
            Ok(server) => Some(LaneExplanation::Sends {
                message: SentMessage::new(&server, settings, message, taken_out),
                format,
            }),
            Err(why) => nothing(visible(why)),
        },
    }
}

/// Why a lane was not even asked.
fn why_nothing(lane: LaneKind, about: &CompletionSubject, came: &CompletionTurn) -> String {
    match (about.spared(&came.actions, lane), came.faults.get(&lane)) {
        (Some(spared), _) => spared.says,
        (None, Some(fault)) => visible(fault),
        (None, None) => "it is embedded".to_owned(),
    }
}
