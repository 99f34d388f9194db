//! Facts about languages, for every crate that needs one.
//!
//! | module | what it has |
//! | --- | --- |
//! | [`lexical_rules`] | how comments and strings are written |
//! | [`statement_forms`] | how imports, declarations and error handling begin |

pub mod lexical_rules;
pub mod statement_forms;

pub use lexical_rules::{CodeHole, LexicalRules, StringPrefix, StringQuote};
pub use statement_forms::{ErrorHandling, StatementForms};
