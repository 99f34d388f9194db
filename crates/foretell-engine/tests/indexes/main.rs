//! The indexes of an editor's folders: which there are, what is found in them, and how they end.
//!
//! | module | what it is about |
//! | --- | --- |
//! | `machine` | a machine with folders, and their indexes |
//! | `finding` | which folders have an index, and what is found |
//! | `telling` | what indexes are told, and who waits for it |
//! | `learning` | what the language model comes to know of them |
//! | `lasting` | how indexes begin, are tried again and end |
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod finding;
mod lasting;
mod learning;
mod machine;
mod telling;
