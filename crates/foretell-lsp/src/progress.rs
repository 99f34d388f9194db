//! How far indexes are, shown by clients that can.
//!
//! A client is asked before anything is shown, and what takes but a moment is not shown at all: the
//! first word of how far it is comes when it has gone on for a while.

use std::collections::BTreeMap;
use std::path::PathBuf;

use foretell_engine::indexes::{IndexProgress, IndexStep};
use foretell_engine::reexports::BuildProgress;
use serde_json::{Value, json};

use crate::client_questions::ClientQuestion;
use crate::server::Server;

/// The progress that is shown of each folder.
#[derive(Debug, Default)]
pub(crate) struct ShownProgress {
    /// By where they really are: what they are called changes when others come and go.
    folders: BTreeMap<PathBuf, ProgressStage>,
    numbered: u64,
}

/// How far showing it has come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ProgressStage {
    /// The client was asked to show it by a name.
    Asked(String),
    /// It shows it by a name.
    Shown(String),
    /// It does not want to.
    Refused,
}

impl Server {
    /// Takes what an index says of itself.
    pub(crate) fn show(&mut self, progress: IndexProgress) {
        let IndexProgress { folder, name, step } = progress;
        match step {
            IndexStep::Began => {}
            IndexStep::Reached(reached) => self.show_reached(folder, name, reached),
            IndexStep::Ended => {
                if let Some(ProgressStage::Shown(token)) = self.shown.folders.remove(&folder) {
                    self.tell_progress(&token, json!({ "kind": "end" }));
                }
            }
            IndexStep::Failed(why) => self.log(format!("the index of {name}: {why}")),
        }
    }

    fn show_reached(&mut self, folder: PathBuf, name: String, reached: BuildProgress) {
        match self.shown.folders.get(&folder).cloned() {
            Some(ProgressStage::Shown(token)) => {
                let mut report = json!({ "kind": "report", "message": words(reached) });
                if let Some(percentage) = percentage(reached) {
                    report["percentage"] = percentage.into();
                }
                self.tell_progress(&token, report);
            }
            Some(ProgressStage::Asked(_) | ProgressStage::Refused) => {}
            None if self.abilities.progress => {
                self.shown.numbered += 1;
                let token = format!("foretell/index/{}", self.shown.numbered);
                let question = ClientQuestion::Progress {
                    folder: folder.clone(),
                    name,
                    token: token.clone(),
                };
                let params = json!({ "token": token });
                self.ask_client("window/workDoneProgress/create", params, question);
                self.shown
                    .folders
                    .insert(folder, ProgressStage::Asked(token));
            }
            None => {}
        }
    }

    /// Takes what the client says to being asked.
    pub(crate) fn show_from_now_on(
        &mut self,
        folder: PathBuf,
        name: &str,
        token: &str,
        is_willing: bool,
    ) {
        let token = match self.shown.folders.get(&folder) {
            Some(ProgressStage::Asked(asked)) if asked == token => token.to_owned(),
            // It has ended meanwhile.
            _ => return,
        };
        let stage = if is_willing {
            let title = format!("Indexing {name}");
            let begin = json!({ "kind": "begin", "title": title, "cancellable": false });
            self.tell_progress(&token, begin);
            ProgressStage::Shown(token)
        } else {
            ProgressStage::Refused
        };
        self.shown.folders.insert(folder, stage);
    }

    fn tell_progress(&mut self, token: &str, value: Value) {
        self.notify("$/progress", json!({ "token": token, "value": value }));
    }
}

fn words(reached: BuildProgress) -> String {
    let BuildProgress { done, found, .. } = reached;
    if reached.is_all_found {
        format!("{done} of {found} files")
    } else {
        format!("{done} of {found} or more files")
    }
}

/// How much is done, once it is known of how much.
fn percentage(reached: BuildProgress) -> Option<usize> {
    let is_known = reached.is_all_found && reached.found > 0;
    is_known.then(|| (100 * reached.done / reached.found).min(100))
}
