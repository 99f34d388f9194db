//! The language server: what an editor says becomes the machine's events, what the machine orders
//! becomes messages to the editor.
//!
//! This is the only crate that knows LSP. It converts positions to byte offsets once, where a
//! message comes in, and back once, where one goes out.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`drive`] | the loop: waits for a message or for the time, and is the only code with a clock |
//! | [`stdio`] | messages over standard input and output |
//! | `server` | four verbs around the machine: messages and the time go in, messages come out |
//! | `dispatch` | which method is handled where; every request is answered once, here or later |
//! | `methods` | one file for each method |
//! | `perform` | what the machine orders, done |
//! | `convert` | positions, ranges, suggestions and their names |
//! | `wire` | the types of our own methods, and those the published ones are too lax for |
//! | `pending`, `offered`, `announced` | what has to be remembered between messages |
//! | [`script`], `lanes` | where suggestions come from in tests: a script, read at the start |
//!
//! Absent on purpose: any decision about suggestions (that is `foretell-core`), models and context
//! (there are none yet: without a script every lane has nothing to say), settings from the editor,
//! tasks, and writing to the workspace.

mod announced;
mod convert;
mod dispatch;
pub mod drive;
mod lanes;
mod methods;
mod offered;
mod pending;
mod perform;
pub mod script;
mod server;
pub mod stdio;
mod wire;

pub use drive::{Ended, serve};
pub use script::{Script, ScriptError};
pub use stdio::serve_stdio;
