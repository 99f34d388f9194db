//! What goes in at the cursor, from a model that fills in the middle.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`family`] | the table of model families: how each is asked, and its control tokens |
//! | `template` | how prefix and suffix become one prompt |
//! | `window`, `comments` | the text around the cursor; everything else, as comments |
//! | [`prompt`] | [`FimPrompt`], everything that a model is told |
//! | [`dialect`] | [`Dialect`], how a server is asked |
//! | [`ending`] | [`Ending`], where an answer ends |
//! | `brackets` | which ones a text leaves open |
//! | [`candidate`] | an answer as an edit of the document |
//!
//! A request goes from top to bottom: a [`Dialect`] is made once from the settings; a [`FimPrompt`]
//! for every request, and its body by the dialect; each payload that comes back is a [`AnswerFrame`], whose
//! text an [`Ending`] takes until it has enough; what is left is put into the document by
//! [`candidate::answer`].
//!
//! Absent on purpose: sockets, time, keys and limits. Everything here is a function of what it is
//! given, and nothing that people or servers write makes it panic.

mod brackets;
pub mod candidate;
mod comments;
pub mod dialect;
pub mod ending;
pub mod family;
pub mod prompt;
mod template;
mod window;

pub use dialect::Dialect;
pub use ending::Ending;
pub use prompt::FimPrompt;

pub use super::frame::{AnswerEnd, AnswerFrame};
