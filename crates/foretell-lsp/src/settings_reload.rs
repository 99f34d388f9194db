//! Settings and files, as they change while the server runs: reading them, applying them, saying what
//! is wrong with them, and giving documents to the indexes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use foretell_core::Event;
use foretell_text::DocumentId;
use gen_lsp_types::{InlineCompletionTriggerKind, MessageType};
use lsp_server::Message;
use serde_json::json;
use tokio::time::sleep_until;

use crate::methods::copilot::{get_completions, panel};
use crate::methods::{context, inline_completion, inline_edit, status, why};
use crate::server::{Server, SessionStage};
use crate::session_environment::SettingsReading;
use crate::tasks::TaskOutcome;
use crate::uri;

/// How many problems of settings are told to a log at once.
const MOST_LOGGED: usize = 100;

impl Server {
    /// Whether settings' files are being read for the first time.
    pub(crate) fn is_first_load(&self) -> bool {
        self.environment.is_first_load()
    }

    /// Reads settings' files, or makes sure that they are read again.
    pub(crate) fn load(&mut self) {
        let tell = self.tasks.tell_progress();
        if let Some(load) = self.environment.load(tell) {
            self.tasks.spawn_blocking(move || {
                let read = catch_unwind(AssertUnwindSafe(load));
                read.map_or(TaskOutcome::NotRead, |it| TaskOutcome::Read(Box::new(it)))
            });
        }
        self.hold_models();
    }

    /// Looks whether these files have changed, if it is time to.
    pub(crate) fn look_at_settings(&mut self) {
        if self.stage != SessionStage::Running {
            return;
        }
        if let Some(look) = self.environment.look() {
            self.tasks.spawn_blocking(move || {
                let is_current = catch_unwind(AssertUnwindSafe(look));
                // A file that cannot be looked at is read, which says what is wrong with it.
                let is_current = is_current.unwrap_or(false);
                TaskOutcome::Looked { is_current }
            });
        }
        self.hold_models();
    }

    /// Nothing is told to a model while settings are being read or asked for, or may have changed: what
    /// the person has written down a second ago is to count.
    pub(crate) fn hold_models(&mut self) {
        match self.environment.holds_until() {
            Some(until) => self.engine.hold(until),
            None => self.engine.release(),
        }
    }

    /// Waits a moment for settings that are being read where the person asks: which lanes there are is
    /// decided when a request is heard. A person does not notice this wait, unlike one at every key.
    pub(crate) async fn wait_for_settings(&mut self, message: &Message) {
        let Message::Request(request) = message else {
            return;
        };
        let is_persons = match request.method.as_str() {
            inline_completion::METHOD | inline_edit::METHOD => {
                let kind = &request.params["context"]["triggerKind"];
                *kind == json!(InlineCompletionTriggerKind::Invoked)
            }
            get_completions::ALL | panel::ITEMS | panel::SOLUTIONS => true,
            context::METHOD | status::METHOD | why::METHOD => true,
            _ => false,
        };
        if !is_persons {
            return;
        }
        self.look_at_settings();
        while let Some(until) = self.environment.settles_until() {
            tokio::select! {
                () = self.turn() => {}
                () = sleep_until(until) => {}
            }
        }
    }

    /// Goes on with what was read before.
    pub(crate) fn not_loaded(&mut self) {
        self.environment.not_read();
        self.hold_models();
        self.log("the settings could not be read, by a fault of Foretell's".to_owned());
    }

    /// Applies what was read.
    pub(crate) fn loaded(&mut self, read: SettingsReading) {
        let is_outdated = self.environment.take(read);
        let before = self.engine.settings();
        let settings = self.environment.settings();
        // No model is asked in between: not by settings that are not known to be the person's, nor by
        // those that stood in for theirs.
        let is_contested = self.environment.contested().is_some();
        if is_contested && !self.core().is_contested() {
            self.tell(Event::ContestKnown { is_contested });
        }
        self.engine.surround(self.environment.surroundings());
        if *before != *settings {
            self.tell(Event::SettingsChanged { settings });
        }
        if !is_contested && self.core().is_contested() {
            self.tell(Event::ContestKnown { is_contested });
        }
        self.say_faults();
        if is_outdated {
            self.load();
        }
        self.hold_models();
    }

    /// A file was changed by somebody.
    pub(crate) fn file_changed(&mut self, path: PathBuf) {
        if self.environment.is_settings_file(&path) {
            self.load();
        }
        if let Some(indexes) = self.environment.indexes() {
            indexes.changed(&path);
        }
    }

    /// Gives documents to the indexes that have rested for a while.
    pub(crate) fn file_documents(&mut self) {
        let Some(indexes) = self.environment.indexes().cloned() else {
            return self.pending_index_updates.put_off();
        };
        while let Some(document) = self.pending_index_updates.take() {
            let core = self.core();
            let path = uri::path_of(document.as_str());
            let (Some(path), Some(text), Some(language)) =
                (path, core.text(&document), core.language(&document))
            else {
                continue;
            };
            indexes.opened(&path, language, text);
        }
    }

    /// Lets the indexes know that a document is no longer open.
    pub(crate) fn unfile(&mut self, document: &DocumentId) {
        self.pending_index_updates.forget(document);
        let indexes = self.environment.indexes();
        if let Some((indexes, path)) = indexes.zip(uri::path_of(document.as_str())) {
            indexes.closed(&path);
        }
    }

    /// Says what is wrong with settings, each thing once while it is wrong: all of it in the log, and
    /// the first of it to the person.
    fn say_faults(&mut self) {
        let read = self
            .environment
            .read()
            .map(|it| it.faults().cloned().collect());
        let read: Vec<String> = read.unwrap_or_default();
        let faults = self.environment.given_faults().iter().cloned().chain(read);
        let faults: Vec<String> = faults.collect();
        let is_new = |it: &&String| !self.said.contains(it);
        let news: Vec<String> = faults.iter().filter(is_new).cloned().collect();
        self.said = faults;
        let Some((first, rest)) = news.split_first() else {
            return;
        };
        let more = match rest.len() {
            0 => String::new(),
            1 => " (and one more problem, in the log)".to_owned(),
            count => format!(" (and {count} more problems, in the log)"),
        };
        let message = format!("Foretell: {first}{more}");
        self.show_words(MessageType::Warning, message);
        let left_out = news.len().saturating_sub(MOST_LOGGED);
        for fault in news.into_iter().take(MOST_LOGGED) {
            self.log(fault);
        }
        if left_out > 0 {
            self.log(format!("and {left_out} more problems of settings"));
        }
    }
}
