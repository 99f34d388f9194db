//! Formats that fill in at the cursor.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`family`] | the table of model families: how each is asked, and its control tokens |
//! | `fim_template` | how prefix and suffix become one prompt |
//! | `text_window`, `comments` | the text around the cursor; everything else, as comments |
//! | `window_bounds` | which part of the document a prompt is made of, so that it stays the same |
//! | [`prompt_memory`] | [`PromptMemory`], what the last prompts were made of |
//! | [`prompt`] | [`FimPrompt`], everything that a model is told |
//! | [`fim_format`] | [`FimFormat`], which prompt a server gets, and the reader of its answer |
//! | [`fim_answer`] | [`FimAnswer`], where an answer ends |
//! | `brackets` | which ones a text leaves open |
//! | [`candidate`] | an answer as an edit of the document |
//!
//! A [`FimFormat`] is chosen by the settings, and makes a [`FimPrompt`] for every request, which is the
//! last one but for its end where that can be. The text that
//! comes back goes to an [`FimAnswer`] until it has enough; the rest is put into the document by
//! [`candidate::answer`]. A family is one row in [`family`].
//!
//! Absent on purpose: sockets, time, keys and limits. Everything here is a function of what it is
//! given, and nothing that people or servers write makes it panic.

mod brackets;
pub mod candidate;
mod comments;
pub mod family;
pub mod fim_answer;
pub mod fim_format;
mod fim_template;
pub mod prompt;
pub mod prompt_memory;
mod text_window;
mod window_bounds;

pub use fim_answer::FimAnswer;
pub use fim_format::FimFormat;
pub use prompt::FimPrompt;
pub use prompt_memory::{PromptMemory, PromptServer};
pub use window_bounds::KeptLimits;
