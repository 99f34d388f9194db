//! Every recorded session of the reference's rejection collector.
//!
//! With `rejections.total = 20`, which is the reference's queue: whatever it calls rejected, ours
//! does too; where ours says rejected and it does not, the rejection that matched leads to the same
//! text as what was checked, and the test makes sure of that. Sessions in which the reference reads
//! the wrong text (`txAnomaly`) do not bind us, nor do checks of an edit without effect where the
//! session is known for them (`noopRejected`, or its kind), nor edits that cut a character.

use std::sync::Arc;

use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_testkit::vectors::{ReferenceChange, Utf16String, edit_in_text};
use foretell_text::{ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version};
use libtest_mimic::{Failed, Trial};
use serde::Deserialize;

use crate::sessions;

/// A test for every session, and one that none is missing.
pub(crate) fn trials() -> Vec<Trial> {
    let sessions: Vec<Session> = sessions("rejection_sessions");
    let counted = sessions.len();
    let mut trials: Vec<Trial> = sessions
        .into_iter()
        .enumerate()
        .map(|(index, session)| {
            let name = format!("rejection_sessions::{index:03}_{}", session.kind);
            Trial::test(name, move || session.play())
        })
        .collect();
    trials.push(Trial::test("rejection_sessions::all_are_here", move || {
        if counted == 300 {
            return Ok(());
        }
        Err(Failed::from(format!("{counted} sessions")))
    }));
    trials
}

#[derive(Deserialize)]
struct Session {
    kind: String,
    steps: Vec<Step>,
    /// How often the reference reads the wrong text.
    #[serde(default, rename = "txAnomaly")]
    anomalies: u32,
    /// Whether it rejects edits without effect.
    #[serde(default, rename = "noopRejected")]
    does_nothing: serde_json::Value,
    #[serde(rename = "finalTexts")]
    final_texts: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "camelCase")]
enum Step {
    Open {
        id: String,
        text: Utf16String,
    },
    Close {
        id: String,
    },
    Edit {
        id: String,
        edits: Vec<ReferenceChange>,
    },
    EditTx {
        id: String,
        changes: Vec<Vec<ReferenceChange>>,
    },
    SetText {
        id: String,
        text: Utf16String,
    },
    Reject(Checked),
    IsRejected(Checked),
    Clear,
    State,
}

#[derive(Deserialize)]
struct Checked {
    id: String,
    #[serde(flatten)]
    change: ReferenceChange,
    #[serde(default)]
    expect: bool,
}

/// The machine, and what it is told so far.
struct Player {
    core: Core,
    version: i64,
    /// Whether the reference rejects edits without effect in this session.
    does_nothing: bool,
    /// Documents in which the reference has cut a character, so that ours has another text.
    lost: Vec<DocumentId>,
}

impl Session {
    fn play(&self) -> Result<(), Failed> {
        let mut settings = Settings::default();
        settings.rejections.total = 20;
        let mut player = Player {
            core: Core::new(Arc::new(settings)),
            version: 0,
            does_nothing: !self.does_nothing.is_null() || self.kind == "emptyAndNoop",
            lost: Vec::new(),
        };
        for (index, step) in self.steps.iter().enumerate() {
            player
                .step(step, self.anomalies > 0)
                .map_err(|wrong| format!("step {index}: {wrong}"))?;
            player.core.assert_invariants();
        }
        for (id, text) in &self.final_texts {
            let document = DocumentId::new(id.as_str());
            let ours = player.core.text(&document).map(Text::to_string);
            let lost = player.lost.contains(&document);
            if !lost && ours.as_deref() != text.as_str() {
                return Err(Failed::from(format!("{id} ends with another text")));
            }
        }
        Ok(())
    }
}

impl Player {
    fn step(&mut self, step: &Step, unbound: bool) -> Result<(), String> {
        match step {
            Step::Open { id, text } => {
                let text = text.to_text().ok_or("a text that is not text")?;
                self.tell(Event::DocumentOpened {
                    document: DocumentId::new(id.as_str()),
                    language: Language::new("plaintext"),
                    version: Version::new(self.version),
                    text: Text::from(text.as_str()),
                });
            }
            Step::Close { id } => self.tell(Event::DocumentClosed {
                document: DocumentId::new(id.as_str()),
            }),
            Step::Edit { id, edits } => return self.change(id, std::slice::from_ref(edits)),
            Step::EditTx { id, changes } => return self.change(id, changes),
            Step::SetText { id, text } => {
                let document = DocumentId::new(id.as_str());
                let new = text.to_text().ok_or("a text that is not text")?;
                let old = self.core.text(&document).ok_or("a text of nothing")?;
                let all = foretell_testkit::string_model::range(0, old.end().get());
                let edit = Edit::from(Replacement::new(all, new));
                self.tell_changed(document, vec![edit]);
            }
            Step::Reject(rejected) => {
                if let Some((document, edit)) = self.edit_of(rejected)? {
                    self.tell(Event::EditRejected { document, edit });
                }
            }
            Step::IsRejected(checked) => return self.check(checked, unbound),
            Step::Clear => self.tell(Event::RejectionsCleared),
            Step::State => {}
        }
        Ok(())
    }

    fn check(&self, checked: &Checked, unbound: bool) -> Result<(), String> {
        let Some((document, edit)) = self.edit_of(checked)? else {
            return Ok(());
        };
        let text = self.core.text(&document).ok_or("a check of nothing")?;
        let has_effect = !edit.effect(text).map_err(|e| e.to_string())?.is_nothing();
        if checked.expect && !has_effect && !self.does_nothing {
            return Err(format!("{edit} is said to be rejected, and does nothing"));
        }
        let matched = self.core.is_rejected(&document, &edit);
        if checked.expect && has_effect && !unbound && matched.is_none() {
            return Err(format!(
                "{edit} is rejected by the reference, and not by us"
            ));
        }
        let Some(matched) = matched else {
            return Ok(());
        };
        let all = self.core.rejections();
        let mut forms = all.iter().filter(|stored| stored.id == matched);
        if forms.any(|stored| stored.edit.apply(text) == edit.apply(text)) {
            return Ok(());
        }
        Err(format!(
            "{edit} was matched by {matched}, which leads elsewhere"
        ))
    }

    fn change(&mut self, id: &str, changes: &[Vec<ReferenceChange>]) -> Result<(), String> {
        let document = DocumentId::new(id);
        let Some(mut text) = self.core.text(&document).cloned() else {
            let lost = self.lost.contains(&document);
            return lost.then_some(()).ok_or("a change of nothing".to_owned());
        };
        let mut edits = Vec::new();
        for changes in changes {
            let applied =
                edit_in_text(changes, &text).and_then(|edit| Some((edit.apply(&text).ok()?, edit)));
            let Some((after, edit)) = applied else {
                if !changes.iter().any(|change| cuts(change, &text)) {
                    return Err("a change that does not fit".to_owned());
                }
                self.lost.push(document.clone());
                self.tell(Event::DocumentClosed { document });
                return Ok(());
            };
            edits.push(edit);
            text = after;
        }
        self.tell_changed(document, edits);
        Ok(())
    }

    fn tell_changed(&mut self, document: DocumentId, edits: Vec<Edit>) {
        self.version += 1;
        self.tell(Event::DocumentChanged {
            document,
            version: Version::new(self.version),
            edits,
            reason: ChangeReason::Typed,
        });
    }

    fn tell(&mut self, event: Event) {
        self.core.handle(Moment::from_millis(0), event);
        while self.core.poll_action().is_some() {}
    }

    /// What is rejected or checked, unless it cuts a character or its document is not here.
    fn edit_of(&self, checked: &Checked) -> Result<Option<(DocumentId, Edit)>, String> {
        let document = DocumentId::new(checked.id.as_str());
        let Some(text) = self.core.text(&document) else {
            return Ok(None);
        };
        match checked.change.in_text(text) {
            Some(replacement) => Ok(Some((document, Edit::from(replacement)))),
            None if cuts(&checked.change, text) => Ok(None),
            None => Err("an edit that does not fit".to_owned()),
        }
    }
}

/// Told from the code units alone, so that no fault of ours can pass for this.
fn cuts(change: &ReferenceChange, text: &Text) -> bool {
    change.cuts(&Utf16String::from(text.to_string().as_str()))
}
