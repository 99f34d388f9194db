//! What models would be told: by lanes that note it down and send nothing.
//!
//! They stand in for the real ones in the same engine, so that exclusion, context and redaction are
//! what they would be, and the message is made by the same code. No key is read, no command is run,
//! and nobody is asked.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anstyle::Style;
use foretell_context::Redactor;
use foretell_engine::ChooseLane;
use foretell_lanes::model::wire::Server;
use foretell_lanes::model::{Message, ModelLane};
use foretell_lanes::{Asking, Fault, Lane, LaneAnswer, LaneRequest, Marks, Redact};
use foretell_settings::choice::BackEnd;
use foretell_settings::settings;
use foretell_text::LaneKind;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::answer::{About, Came};
use super::message::{TakenOut, Told};
use crate::failure::visible;

/// What each lane that was asked would have done.
#[derive(Clone, Default)]
pub(super) struct Notes {
    redactor: Redactor,
    noted: Arc<Mutex<BTreeMap<LaneKind, Noted>>>,
}

/// What a lane would have done.
enum Noted {
    Sends(Message, TakenOut),
    HasNothingToAsk,
    Fails(Fault),
}

impl Notes {
    /// Lanes that note what they are asked.
    pub(super) fn lanes(&self) -> ChooseLane {
        let notes = self.clone();
        Arc::new(move |lane, settings| match settings.kind {
            BackEnd::Embedded => Arc::new(Silent),
            _ => Arc::new(Noting {
                lane,
                model: ModelLane::new(lane, settings),
                notes: notes.clone(),
            }),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<LaneKind, Noted>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stands for a lane that sends nothing anyway.
struct Silent;

impl Lane for Silent {
    fn ask(&self, _: Arc<LaneRequest>, _: CancellationToken) -> Asking {
        Box::pin(async { Ok(LaneAnswer::default()) })
    }
}

/// Stands for a lane that asks a model.
struct Noting {
    lane: LaneKind,
    model: ModelLane,
    notes: Notes,
}

impl Lane for Noting {
    fn ask(&self, request: Arc<LaneRequest>, _: CancellationToken) -> Asking {
        // What was gathered has its marks already.
        let taken_out = Arc::new(Mutex::new(TakenOut::of(&request.context)));
        let request = LaneRequest {
            redact: Arc::new(Watching {
                redact: Arc::clone(&request.redact),
                redactor: self.notes.redactor.clone(),
                taken_out: Arc::clone(&taken_out),
            }),
            ..(*request).clone()
        };
        let noted = match self.model.explain(&request) {
            Ok(Some(message)) => {
                let taken_out = taken_out.lock().unwrap_or_else(PoisonError::into_inner);
                Noted::Sends(message, taken_out.clone())
            }
            Ok(None) => Noted::HasNothingToAsk,
            Err(fault) => Noted::Fails(fault),
        };
        self.notes.lock().insert(self.lane, noted);
        Box::pin(async { Ok(LaneAnswer::default()) })
    }

    fn tells_others(&self) -> bool {
        true
    }
}

/// Sees which secrets are taken out.
struct Watching {
    redact: Arc<dyn Redact>,
    redactor: Redactor,
    taken_out: Arc<Mutex<TakenOut>>,
}

impl Redact for Watching {
    fn begin(&self) -> Box<dyn Marks> {
        Box::new(Watched {
            marks: self.redact.begin(),
            redactor: self.redactor.clone(),
            taken_out: Arc::clone(&self.taken_out),
        })
    }
}

struct Watched {
    marks: Box<dyn Marks>,
    redactor: Redactor,
    taken_out: Arc<Mutex<TakenOut>>,
}

impl Marks for Watched {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        let found = self.redactor.secrets(whole).into_iter();
        let within = found.filter(|secret| {
            secret.range.start().get() < part.end && part.start < secret.range.end().get()
        });
        let redacted = self.marks.redact_part(whole, part.clone());
        let mut taken_out = self
            .taken_out
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        taken_out.add(&redacted, within.map(|secret| secret.kind));
        redacted
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        self.marks.restore(told, answer)
    }
}

/// What all lanes would have done.
pub(super) struct Explained {
    about: About,
    lanes: Vec<(LaneKind, Explanation)>,
}

/// What one lane would do.
enum Explanation {
    Sends(Told),
    SendsNothing { why: String },
}

impl Explained {
    pub(super) fn of(about: About, came: &Came, notes: &Notes) -> Self {
        let mut noted = notes.lock();
        let explained = LaneKind::ALL.map(|lane| {
            let settings = about.lanes.of(lane);
            let noted = noted.remove(&lane);
            let explanation = match explain(lane, settings, noted) {
                Some(explanation) => explanation,
                None => Explanation::SendsNothing {
                    why: why_nothing(lane, &about, came),
                },
            };
            (lane, explanation)
        });
        Explained {
            about,
            lanes: explained.into(),
        }
    }

    /// Whether any lane would send something.
    pub(super) fn is_anything_sent(&self) -> bool {
        let mut lanes = self.lanes.iter();
        lanes.any(|(_, it)| matches!(it, Explanation::Sends(_)))
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
            if let Explanation::SendsNothing { why } = explanation {
                let lane = lane.name();
                writeln!(out, "{bold}{lane:<9}{bold:#}  sends nothing: {why}")?;
            }
        }
        for (lane, explanation) in &self.lanes {
            if let Explanation::Sends(told) = explanation {
                writeln!(out, "{bold}{:<9}{bold:#}  would send", lane.name())?;
                told.write(out)?;
            }
        }
        Ok(())
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let lanes = self.lanes.iter().map(|(lane, it)| match it {
            Explanation::Sends(told) => json!({"lane": lane.name(), "sends": told.json()}),
            Explanation::SendsNothing { why } => {
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

/// What a lane noted; nothing if it was not asked.
fn explain(lane: LaneKind, settings: &settings::Lane, noted: Option<Noted>) -> Option<Explanation> {
    let nothing = |why: String| Some(Explanation::SendsNothing { why });
    match noted? {
        Noted::HasNothingToAsk => nothing("there is nothing to ask here".to_owned()),
        Noted::Fails(fault) => nothing(visible(fault)),
        Noted::Sends(message, taken_out) => match Server::new(lane, settings) {
            Ok(server) => {
                let told = Told::new(&server, settings, message, taken_out);
                Some(Explanation::Sends(told))
            }
            Err(why) => nothing(visible(why)),
        },
    }
}

/// Why a lane was not even asked.
fn why_nothing(lane: LaneKind, about: &About, came: &Came) -> String {
    match (about.spared(&came.actions, lane), came.faults.get(&lane)) {
        (Some(spared), _) => spared.says,
        (None, Some(fault)) => visible(fault),
        (None, None) => "it is embedded".to_owned(),
    }
}
