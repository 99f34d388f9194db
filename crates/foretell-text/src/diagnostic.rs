//! Diagnostics of compilers and linters, and the fixes that come with them.

use crate::edit::Edit;
use crate::offset::ByteRange;

/// A remark on a stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub range: ByteRange,
    /// How bad it is.
    pub severity: Severity,
    /// Who says so, such as `rustc`.
    pub source: Option<String>,
    /// What its source calls this kind of remark, such as `E0425`.
    pub code: Option<String>,
    /// What it says.
    pub message: String,
    /// What the editor could do about it.
    pub fixes: Vec<Fix>,
}

/// How bad it is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It does not work.
    Error,
    /// It may not do what was meant.
    Warning,
    /// Good to know.
    Information,
    /// A nudge.
    Hint,
}

/// An edit that would clear a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the editor calls it.
    pub title: String,
    /// What it changes, in the same document.
    pub edit: Edit,
}
