//! Diagnostics of compilers and linters, and the fixes that come with them.

use crate::edit::Edit;
use crate::offset::ByteRange;

/// A remark on a stretch of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The text that it is about.
    pub range: ByteRange,
    /// How bad it is.
    pub severity: DiagnosticSeverity,
    /// The tool that reports it, such as `rustc`.
    pub source: Option<String>,
    /// Its source's name for this kind of remark, such as `E0425`.
    pub code: Option<String>,
    /// Its words.
    pub message: String,
    /// Edits by which the editor could clear it.
    pub fixes: Vec<DiagnosticFix>,
}

/// How bad it is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticSeverity {
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
pub struct DiagnosticFix {
    /// The editor's name for it.
    pub title: String,
    /// What it is among the fixes of its diagnostic.
    pub standing: FixStanding,
    /// Its change, in the same document: nothing if it is another one, as in other files.
    pub edit: Edit,
}

/// What a fix is among those of its diagnostic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixStanding {
    /// The tool that found the fault says that it is the one to take.
    Preferred,
    /// It would do.
    #[default]
    Possible,
    /// It mends nothing: it silences the tool, or tidies up what is not finished.
    Cosmetic,
}
