//! The context that a model may see: findings of sources go in, one text comes out, within its budget and
//! without secrets.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`context_request`] | the place a context is for, and what is known there |
//! | [`context_section`] | what a source found, in entries that stand or fall as a whole |
//! | [`sources`] | diagnostics, recent changes, related code: findings turned into sections |
//! | [`token_count`] | how long a text is for a model |
//! | [`budget`] | how much of that there is |
//! | [`assemble`](mod@assemble) | sections in, one text and its report out |
//! | [`redact`] | secrets become marks, and marks secrets again |
//! | [`exclude`] | files that nothing is told of |
//!
//! Absent on purpose: files, clocks, threads; who asks the sources, and who is told the result.
//! Nothing here fails but by returning an error, and nothing panics on what it is given.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod assemble;
pub mod budget;
pub mod context_request;
pub mod context_section;
pub mod exclude;
pub mod redact;
pub mod sources;
pub mod token_count;

pub use assemble::{
    AssembledContext, ContextAssembly, FoundSections, SectionFate, SourceFinding, SourceReport,
    assemble,
};
pub use context_request::{ChangeMoment, ContextRequest, FileChange};
pub use context_section::{ContextEntry, ContextSection, EntrySpacing};
pub use exclude::{BadGlob, Exclude, ExclusionGlobs, begins_at_a_root};
pub use redact::{
    LastScans, LearnedSecrets, MarkFault, Redaction, Redactor, SecretRange, ShareScans,
};
pub use token_count::{CountTokens, TokenEstimate};
