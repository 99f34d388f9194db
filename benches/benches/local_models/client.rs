//! Who asks the model on the person's behalf. Each is told what the person does, and says what is to be on
//! the screen.

pub(crate) mod foretell;
pub(crate) mod llama_vim;

use serde_json::Value;

use crate::desk::{Desk, ScreenChange};
use crate::session::OpenedDocument;

/// A client of a model server.
pub(crate) trait Client {
    /// A document was opened.
    fn open(&mut self, desk: &Desk, opened: &OpenedDocument);

    /// The person typed, and `changes` says what in the language server's way. What is returned is on the
    /// screen at once.
    fn change(&mut self, desk: &Desk, changes: &[Value]) -> Option<ScreenChange>;

    /// Waits for what is to be on the screen next. Dropping this loses nothing.
    async fn hear(&mut self, desk: &Desk) -> Option<ScreenChange>;

    /// Whether it still owes the person an answer.
    fn is_waiting(&self) -> bool;

    /// It is not needed any more.
    async fn leave(self);
}
