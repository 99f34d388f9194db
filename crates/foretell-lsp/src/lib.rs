//! The language server: what an editor says becomes the machine's events, what the machine orders
//! becomes messages to the editor.
//!
//! This is the only crate that knows LSP. It converts positions to byte offsets once, where a
//! message comes in, and back once, where one goes out.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`drive`] | the loop: waits for the client and for what was begun |
//! | [`stdio`] | messages over standard input and output |
//! | `server` | everything there is of a session, around an engine |
//! | `dispatch` | which method is handled where; every request is answered once, here or later |
//! | `methods` | one file for each method |
//! | `perform` | what the machine orders, told to the client |
//! | `session_environment`, `editor`, `settings_reload` | folders and settings, and what comes of them |
//! | `tasks`, `pending_index_updates`, `progress` | what goes on beside: files, contexts, indexes |
//! | `convert`, [`uri`] | positions, ranges, suggestions and files, to and from LSP's |
//! | `wire` | the types of our own methods, and those the published ones are too lax for |
//! | `malformed` | what is wrong with a message, in plain words |
//! | `abilities`, `questions`, `parent` | the client: what it can do, was asked, and whether it is there |
//! | `status_notifier` | how the server is doing, for clients that show it |
//! | `copilot` | the client, if it was written for Copilot's server, and what it is told |
//! | `pending`, `offered`, `change_reasons` | what has to be remembered between messages |
//! | `metrics`, `message_class` | what only it knows of the numbers that are scraped |
//! | `report` | what was rejected and what was sent, in words and as data |
//! | `trace` | what is told to the client as it happens |
//! | [`script`] | where suggestions come from in tests |
//!
//! Absent on purpose: any decision about suggestions (that is `foretell-core`), clocks and timers of
//! requests (`foretell-engine`), why something was decided and how often (`foretell-journal`), recordings,
//! metrics and logs (`foretell-observe`), and writing to the workspace.

mod abilities;
mod change_reasons;
mod convert;
mod copilot;
mod dispatch;
pub mod drive;
mod editor;
mod malformed;
mod message_class;
mod methods;
mod metrics;
mod offered;
mod parent;
mod pending;
mod pending_index_updates;
mod perform;
mod progress;
mod questions;
mod report;
pub mod script;
mod server;
mod session_environment;
mod settings_reload;
mod start;
mod status_notifier;
pub mod stdio;
mod tasks;
mod trace;
pub mod uri;
mod wire;

pub use drive::{Client, Connection, Ended, serve};
pub use script::{Script, ScriptError};
pub use start::Start;
pub use stdio::serve_stdio;
