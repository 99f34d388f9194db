//! Where a setting comes from: its [`Home`], the source's name, and the [`SourcePlace`] in it.
//!
//! Homes are in order of precedence, and that order is all there is to it: a higher home wins.
//! [`setting`](crate::setting) decides what a home may set.

use std::fmt;

/// The homes of settings, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Home {
    /// No source: it is the default.
    Default,
    /// The person's own file.
    UserFile,
    /// The file that came with the code.
    WorkspaceFile,
    /// The editor's settings.
    Editor,
    /// Environment variables.
    Environment,
    /// A trace that is being replayed. Below the command line, so that the person who replays it can see what
    /// would have happened with other settings.
    Trace,
    /// The command line.
    CommandLine,
}

impl Home {
    /// All of them, the weakest first.
    pub const ALL: [Home; 7] = [
        Home::Default,
        Home::UserFile,
        Home::WorkspaceFile,
        Home::Editor,
        Home::Environment,
        Home::Trace,
        Home::CommandLine,
    ];

    /// Whether it speaks for the person. The others come from somebody else, with the code or with a
    /// bug report.
    pub const fn is_the_persons(self) -> bool {
        !matches!(self, Home::WorkspaceFile | Home::Trace)
    }
}

impl fmt::Display for Home {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Home::Default => "default",
            Home::UserFile => "user file",
            Home::WorkspaceFile => "workspace file",
            Home::Editor => "editor",
            Home::Environment => "environment",
            Home::Trace => "trace",
            Home::CommandLine => "command line",
        })
    }
}

/// A line and a column, both counted from 1; a column is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePlace {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

/// `3:5`
impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where a setting was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOrigin {
    /// Its home.
    pub home: Home,
    /// The source's name for people: a path, `--set`, the variable.
    pub source: String,
    /// Where in the source, if it has places.
    pub place: Option<SourcePlace>,
}

impl SettingOrigin {
    /// The origin of a setting that is not set.
    pub(crate) fn of_defaults() -> Self {
        SettingOrigin {
            home: Home::Default,
            source: Home::Default.to_string(),
            place: None,
        }
    }
}

/// `config.toml:3:5`
impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        match self.place {
            Some(place) => write!(f, ":{place}"),
            None => Ok(()),
        }
    }
}

/// A text whose byte offsets can be told as places, each in the time of a binary search and a line.
pub(crate) struct PlaceIndex<'t> {
    text: &'t str,
    line_starts: Vec<usize>,
}

impl<'t> PlaceIndex<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        PlaceIndex {
            text,
            line_starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// The place of an offset; one past the end is the end.
    pub(crate) fn at(&self, offset: usize) -> SourcePlace {
        let line = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .max(1);
        let start = self.line_starts[line - 1];
        let rest = self.text.get(start..).unwrap_or_default();
        let before = rest
            .char_indices()
            .take_while(|(at, _)| start + at < offset)
            .count();
        SourcePlace {
            line,
            column: before + 1,
        }
    }

    /// The offset at which a line begins, counted from 1.
    pub(crate) fn line_start(&self, line: usize) -> usize {
        let known = line.clamp(1, self.line_starts.len());
        self.line_starts[known - 1]
    }
}
