//! The language server as an editor meets it: what is said, and what comes back, word for word.

mod client;
mod documents;
mod lifecycle;
mod suggestions;
mod triggers;
