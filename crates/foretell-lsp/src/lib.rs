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
//! | `session_environment`, `client_settings`, `settings_reload` | folders and settings, and what comes of them |
//! | `tasks`, `pending_index_updates`, `progress` | what goes on beside: files, contexts, indexes |
//! | `convert`, [`uri`] | positions, ranges, suggestions and files, to and from LSP's |
//! | `wire_types` | the types of our own methods, and those the published ones are too lax for |
//! | `malformed` | what is wrong with a message, in plain words |
//! | `client_abilities`, `client_questions`, `client_process` | the client: what it can do, was asked, and whether it is there |
//! | `status_notifier` | how the server is doing, for clients that show it |
//! | `copilot_client` | the client, if it was written for Copilot's server, and what it is told |
//! | `pending`, `offered_texts`, `change_reasons` | what has to be remembered between messages |
//! | `session_metrics`, `message_class` | what only it knows of the numbers that are scraped |
//! | `reports` | what was rejected and what was sent, in words and as data |
//! | `log_trace` | what is told to the client as it happens |
//! | [`lane_script`] | where suggestions come from in tests |
//!
//! Absent on purpose: any decision about suggestions (that is `foretell-core`), clocks and timers of
//! requests (`foretell-engine`), why something was decided and how often (`foretell-journal`), recordings,
//! metrics and logs (`foretell-observe`), and writing to the workspace.

mod change_reasons;
mod client_abilities;
mod client_process;
mod client_questions;
mod client_settings;
mod convert;
mod copilot_client;
mod dispatch;
pub mod drive;
pub mod lane_script;
mod log_trace;
mod malformed;
mod message_class;
mod methods;
mod offered_texts;
mod pending;
mod pending_index_updates;
mod perform;
mod progress;
mod reports;
mod server;
mod server_options;
mod session_environment;
mod session_metrics;
mod settings_reload;
mod status_notifier;
pub mod stdio;
mod tasks;
pub mod uri;
mod wire_types;

pub use drive::{ClientConnection, ServerConnection, SessionEnd, serve};
pub use lane_script::{LaneScript, ScriptError};
pub use server_options::{PredictorChoice, ServerOptions};
pub use stdio::serve_stdio;
