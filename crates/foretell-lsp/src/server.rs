//! [`Server`]: four verbs around the machine. Messages and the time go in, messages come out.
//!
//! It has no clock, no thread and no connection, like the machine inside it; [`drive`](crate::drive)
//! has. It cannot fail: what makes no sense is answered with an error, or said in the editor's log.
//!
//! The order matters and is kept here. Before anything that happened is told, what was due by then
//! is done, and every order of the machine is performed before the next event: an order's offsets
//! are those of the text that the machine holds at that moment, and of no later one.

use std::collections::VecDeque;
use std::sync::Arc;

use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_text::Encoding;
use gen_lsp_types::{LogMessageParams, MessageType};
use lsp_server::{Message, Notification};
use serde::Serialize;

use crate::announced::Announced;
use crate::drive::Ended;
use crate::lanes::Lanes;
use crate::offered::Offered;
use crate::pending::Pending;
use crate::script::Script;

/// The language server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) core: Core,
    pub(crate) stage: Stage,
    /// What columns count, as agreed with the client.
    pub(crate) encoding: Encoding,
    pub(crate) pending: Pending,
    pub(crate) offered: Offered,
    pub(crate) announced: Announced,
    pub(crate) lanes: Lanes,
    outbox: VecDeque<Message>,
}

/// How far a session has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nobody has said `initialize`.
    New,
    Running,
    /// The client has said `shutdown`, and will say `exit`.
    ShutDown,
    Ended(Ended),
}

impl Server {
    pub(crate) fn new(script: Script) -> Self {
        Server {
            core: Core::new(Arc::new(Settings::default())),
            stage: Stage::New,
            encoding: Encoding::default(),
            pending: Pending::default(),
            offered: Offered::default(),
            announced: Announced::default(),
            lanes: Lanes::new(script),
            outbox: VecDeque::new(),
        }
    }

    /// Takes what the client says.
    pub(crate) fn handle(&mut self, now: Moment, message: Message) {
        self.handle_timeout(now);
        match message {
            Message::Request(request) => self.handle_request(now, request),
            Message::Notification(notification) => self.handle_notification(now, notification),
            // The server asks the client nothing, so that this is an answer to nobody.
            Message::Response(_) => {}
        }
    }

    /// Does what is due. Calling early or again does no harm.
    pub(crate) fn handle_timeout(&mut self, now: Moment) {
        loop {
            // In the order in which they came back, and each before what the machine does later.
            while let Some((then, event)) = self.lanes.poll_answer(now) {
                self.tell(then, event);
            }
            self.core.handle_timeout(now);
            self.perform_all(now);
            // What was started just now may have come back already.
            if self.lanes.poll_timeout().is_none_or(|due| due > now) {
                return;
            }
        }
    }

    /// What to tell the client next, until there is nothing more.
    pub(crate) fn poll_message(&mut self) -> Option<Message> {
        self.outbox.pop_front()
    }

    /// When it wants to be told the time again.
    pub(crate) fn poll_timeout(&self) -> Option<Moment> {
        let timeouts = [self.core.poll_timeout(), self.lanes.poll_timeout()];
        timeouts.into_iter().flatten().min()
    }

    /// How it ended, once it has.
    pub(crate) fn ended(&self) -> Option<Ended> {
        match self.stage {
            Stage::Ended(ended) => Some(ended),
            Stage::New | Stage::Running | Stage::ShutDown => None,
        }
    }

    /// How it ends if the client goes away without a word.
    pub(crate) fn ended_by_silence(&self) -> Ended {
        match self.stage {
            Stage::New | Stage::Running => Ended::WithoutShutdown,
            Stage::ShutDown => Ended::AfterShutdown,
            Stage::Ended(ended) => ended,
        }
    }

    /// Tells the machine that something happened, and does what it says.
    pub(crate) fn tell(&mut self, now: Moment, event: Event) {
        self.core.handle_timeout(now);
        self.perform_all(now);
        self.core.handle(now, event);
        self.perform_all(now);
    }

    pub(crate) fn send(&mut self, message: impl Into<Message>) {
        self.outbox.push_back(message.into());
    }

    pub(crate) fn notify(&mut self, method: &str, params: impl Serialize) {
        self.send(Notification::new(method.to_owned(), params));
    }

    /// Says something in the editor's log. Never what a document says.
    pub(crate) fn log(&mut self, message: String) {
        let params = LogMessageParams::new(MessageType::Warning, message);
        self.notify("window/logMessage", params);
    }

    fn perform_all(&mut self, now: Moment) {
        while let Some(action) = self.core.poll_action() {
            self.perform(now, action);
        }
    }
}
