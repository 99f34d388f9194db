//! Units of numbers: [`Millis`], the one unit of time that settings are used in, and [`SettingUnit`], the
//! one a setting is written in.
//!
//! A person writes seconds and minutes where those read better; they are milliseconds from the moment
//! they are trusted. Arithmetic is absent: a length of time is compared and added where moments are
//! known.

use std::fmt;

/// A length of time in whole milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// So many milliseconds.
    pub const fn new(milliseconds: u64) -> Self {
        Millis(milliseconds)
    }

    /// So many seconds.
    pub const fn from_seconds(seconds: u64) -> Self {
        Millis(seconds.saturating_mul(1_000))
    }

    /// So many minutes.
    pub const fn from_minutes(minutes: u64) -> Self {
        Millis(minutes.saturating_mul(60_000))
    }

    /// The number of milliseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whether it is no time at all, which several settings understand as "off".
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

/// `300 ms`
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// The unit of a setting's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SettingUnit {
    /// Thousandths of a second.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Rejections that are remembered.
    Rejections,
    /// Open documents.
    Documents,
    /// Times that the same suggestion was offered.
    Offers,
    /// Moves of the cursor.
    Selections,
    /// Lines of a document or a suggestion.
    Lines,
    /// Characters of a document.
    Characters,
    /// Tokens of a model.
    Tokens,
    /// Bytes on the wire.
    Bytes,
    /// Recent edits.
    Edits,
    /// Pieces of code found in the workspace.
    Chunks,
    /// Diagnostics of a compiler or a linter.
    Diagnostics,
    /// Files of the workspace.
    Files,
    /// Requests to a model server in a minute.
    RequestsPerMinute,
    /// Requests to a model server in a day.
    RequestsPerDay,
    /// Tokens of a model in a day.
    TokensPerDay,
    /// Nothing: something else is multiplied by it.
    Times,
}

/// The word for many of them.
impl fmt::Display for SettingUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SettingUnit::Milliseconds => "milliseconds",
            SettingUnit::Seconds => "seconds",
            SettingUnit::Minutes => "minutes",
            SettingUnit::Rejections => "rejections",
            SettingUnit::Documents => "documents",
            SettingUnit::Offers => "offers",
            SettingUnit::Selections => "selections",
            SettingUnit::Lines => "lines",
            SettingUnit::Characters => "characters",
            SettingUnit::Tokens => "tokens",
            SettingUnit::Bytes => "bytes",
            SettingUnit::Edits => "edits",
            SettingUnit::Chunks => "chunks",
            SettingUnit::Diagnostics => "diagnostics",
            SettingUnit::Files => "files",
            SettingUnit::RequestsPerMinute => "requests per minute",
            SettingUnit::RequestsPerDay => "requests per day",
            SettingUnit::TokensPerDay => "tokens per day",
            SettingUnit::Times => "times",
        })
    }
}
