//! [`TraceReadError`]: what is wrong with a trace, and where. The words are here and nowhere else.

use foretell_text::OffsetError;

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{trace}:{line}: {problem}")]
pub struct TraceReadError {
    /// The name of the trace.
    pub trace: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: TraceProblem,
}

/// A problem of a line of a trace. A field is named as a path: `changes[1].at`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TraceProblem {
    /// Bytes that are no text.
    #[error("not UTF-8")]
    NotUtf8,
    /// A text that is no JSON.
    #[error("not JSON: {message}, at column {column}")]
    NotJson {
        /// The parser's words.
        message: String,
        /// Where, in bytes, counted from 1.
        column: usize,
    },
    /// JSON that is no object.
    #[error("{found} where an object is expected: every line is one, in braces")]
    NotAnObject {
        /// Its kind.
        found: &'static str,
    },
    /// The first line is something else, or there is none.
    #[error(
        "not a trace: the first line must be its header, such as \
         {{\"foretell\":\"trace\",\"version\":1,\"offsets\":\"utf-16\"}}"
    )]
    NoHeader,
    /// A version of the format that did not exist when this was written.
    #[error("version {} of the format is not supported; this is for version 1", escaped(.found))]
    Version {
        /// The version.
        found: String,
    },
    /// A field that must be there and is not.
    #[error("`{field}` is missing")]
    Missing {
        /// Which.
        field: String,
    },
    /// A field of another kind than it must be.
    #[error("`{field}` is {found}, but must be {wanted}")]
    WrongKind {
        /// Which.
        field: String,
        /// Its kind.
        found: &'static str,
        /// The kind it must have.
        wanted: &'static str,
    },
    /// A word that is not one of those that make sense there.
    #[error("`{field}` is {found:?}, but must be one of {}", .known.join(", "))]
    UnknownWord {
        /// Which field.
        field: String,
        /// The word.
        found: String,
        /// Those that would do.
        known: Vec<&'static str>,
    },
    /// An event that there is not.
    #[error("unknown event {found:?}; there are {}", .known.join(", "))]
    UnknownEvent {
        /// Its name.
        found: String,
        /// Those that there are.
        known: Vec<&'static str>,
    },
    /// A line earlier than the one before.
    #[error("time runs backwards: `t` is {found} after {before}")]
    TimeRunsBackwards {
        /// Its time, in milliseconds.
        found: u64,
        /// That of the line before.
        before: u64,
    },
    /// A place that is none in the text as it is at that line.
    #[error("`{field}` does not fit the text: {why}")]
    DoesNotFit {
        /// Which field.
        field: String,
        /// The offset and the text's length.
        why: OffsetError,
    },
    /// Changes that overlap, or are not sorted.
    #[error(
        "`{field}` begins before the end of the change before it; sort them and merge overlaps"
    )]
    OutOfOrder {
        /// The first that is wrong.
        field: String,
    },
    /// A lane that neither answered nor failed.
    #[error("`candidates` or `failure` is missing: a lane does one of both")]
    NeitherAnswerNorFailure,
    /// A lane that answered and failed.
    #[error("`candidates` and `failure` are both there: a lane does one of both")]
    AnswerAndFailure,
    /// Something that is said in several ways.
    #[error("only one of {} can be there: each says all of it", .fields.join(", "))]
    SeveralWays {
        /// The fields.
        fields: Vec<&'static str>,
    },
    /// The digest of a text that is none.
    #[error("`{field}` is not a digest: it looks like 12-00112233445566778899aabbccddeeff")]
    NotADigest {
        /// Which field.
        field: String,
    },
    /// A candidate without a document.
    #[error("`{field}` is missing, and no `request` line of that id says which document is meant")]
    NoDocument {
        /// Which field.
        field: String,
    },
    /// A setting that does not apply.
    #[error("{0}")]
    Setting(Box<foretell_settings::SettingsProblem>),
}

/// A text of the trace, without control characters.
fn escaped(found: &str) -> String {
    let escape = |c: char| {
        if c.is_control() {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    };
    found.chars().map(escape).collect()
}
