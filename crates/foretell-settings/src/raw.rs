//! [`RawSettings`]: what was written, and where, and nothing yet about whether it makes sense.
//!
//! Every way of writing ends in the same list of dotted names, in the order of the source: TOML, JSON
//! with comments, and assignments on a command line. Tables and dotted keys are the same thing, also
//! when the dots are inside quotes. A text that cannot be read gives nothing but its fault; a key that
//! stands twice gives its fault and keeps what was set first, whatever the format would say.
//!
//! Whether a name is a setting's and a value fits it is asked later, all homes together, by
//! [`Settings::resolve`](crate::Settings::resolve). A value may be a secret in the wrong place, so
//! `Debug` shows names only.

mod json_text;
mod toml_text;

use std::collections::BTreeSet;
use std::fmt;

use crate::fault::{Fault, Format, Problem};
use crate::name::Target;
use crate::origin::{Home, Origin, Place, Places};

/// Settings as one source has them.
#[derive(Clone)]
pub struct RawSettings {
    home: Home,
    entries: Vec<Entry>,
}

/// One setting as it was written.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) written: Written,
    pub(crate) origin: Origin,
}

/// A value as it was written.
#[derive(Clone, PartialEq)]
pub(crate) enum Written {
    Switch(bool),
    Whole(i128),
    /// Any other number, and those too large for the variant above.
    Number(f64),
    Text(String),
    List(Vec<Written>),
    /// A table where it is not a group: empty, or in a list.
    Table,
    Date,
}

impl RawSettings {
    /// Reads a TOML file.
    pub fn from_toml(home: Home, source: &str, text: &str) -> (Self, Vec<Fault>) {
        let text = without_byte_order_mark(text);
        let places = Places::of(text);
        let origin = |at| origin(home, source, Some(places.at(at)));
        Self::collect(home, Format::Toml, toml_text::read(text), origin)
    }

    /// Reads a JSON file as editors have them, with comments and trailing commas.
    ///
    /// `null` sets nothing, because editors send it for what nobody has set.
    pub fn from_json(home: Home, source: &str, text: &str) -> (Self, Vec<Fault>) {
        let text = without_byte_order_mark(text);
        let places = Places::of(text);
        let origin = |at| origin(home, source, Some(places.at(at)));
        Self::collect(home, Format::Json, json_text::read(text), origin)
    }

    /// Reads JSON that is part of something larger, such as a message or a line of a trace: all of it
    /// has the origin of that.
    pub fn from_json_within(origin: &Origin, text: &str) -> (Self, Vec<Fault>) {
        let everywhere = |_| origin.clone();
        Self::collect(origin.home, Format::Json, json_text::read(text), everywhere)
    }

    /// Reads `name=value` from a command line, where `source` is the name of the option.
    ///
    /// The value is read as TOML has it, or else as a text, so that a person need not quote twice. For
    /// a setting that is a text it is that text, even if it looks like a number.
    pub fn from_assignment(source: &str, assignment: &str) -> (Self, Vec<Fault>) {
        let home = Home::CommandLine;
        let origin = origin(home, source, None);
        let Some((name, value)) = assignment.split_once('=') else {
            let text = assignment.to_owned();
            let problem = Problem::NotAnAssignment { text };
            return (Self::nothing(home), vec![Fault { origin, problem }]);
        };
        let (name, value) = (name.trim(), value.trim());
        let is_text = Target::of(name).is_some_and(|target| target.setting.kind.is_text());
        let written = match toml_text::read_value(value) {
            Some(Written::Text(text)) => Written::Text(text),
            Some(written) if !is_text => written,
            _ => Written::Text(value.to_owned()),
        };
        let entry = Entry {
            name: name.to_owned(),
            written,
            origin,
        };
        let entries = vec![entry];
        (RawSettings { home, entries }, Vec::new())
    }

    /// What wrote them.
    pub fn home(&self) -> Home {
        self.home
    }

    /// Every name that was written, in the order of the source, and where.
    pub fn names(&self) -> impl Iterator<Item = (&str, &Origin)> {
        self.entries
            .iter()
            .map(|entry| (entry.name.as_str(), &entry.origin))
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn nothing(home: Home) -> Self {
        RawSettings {
            home,
            entries: Vec::new(),
        }
    }

    fn collect(
        home: Home,
        format: Format,
        reading: Result<Reading, Broken>,
        origin: impl Fn(usize) -> Origin,
    ) -> (Self, Vec<Fault>) {
        let mut reading = match reading {
            Ok(reading) => reading,
            Err(Broken { at, message }) => {
                let problem = Problem::Syntax { format, message };
                let origin = origin(at);
                return (Self::nothing(home), vec![Fault { origin, problem }]);
            }
        };
        reading.found.sort_by_key(|found| found.at);
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        for Found { name, at, written } in reading.found {
            if seen.insert(name.clone()) {
                let origin = origin(at);
                entries.push(Entry {
                    name,
                    written,
                    origin,
                });
            } else {
                reading.repeated.push(Repeated { name, at });
            }
        }
        reading.repeated.sort_by_key(|repeated| repeated.at);
        let duplicate = |Repeated { name, at }| Fault {
            origin: origin(at),
            problem: Problem::Duplicate { name },
        };
        let faults = reading.repeated.into_iter().map(duplicate).collect();
        (RawSettings { home, entries }, faults)
    }
}

/// Names only: a value may be a secret.
impl fmt::Debug for RawSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.names().map(|(name, _)| name).collect();
        f.debug_struct("RawSettings")
            .field("home", &self.home)
            .field("names", &names)
            .finish()
    }
}

/// What a reader found in a text.
struct Reading {
    found: Vec<Found>,
    /// Keys that the format does not allow twice, and so did not give.
    repeated: Vec<Repeated>,
}

struct Found {
    name: String,
    at: usize,
    written: Written,
}

struct Repeated {
    name: String,
    at: usize,
}

/// Why a text cannot be read.
struct Broken {
    at: usize,
    message: String,
}

/// The name of a key within a group.
fn dotted(group: &str, key: &str) -> String {
    if group.is_empty() {
        return key.to_owned();
    }
    format!("{group}.{key}")
}

fn origin(home: Home, source: &str, place: Option<Place>) -> Origin {
    Origin {
        home,
        source: source.to_owned(),
        place,
    }
}

/// Some editors begin a file with a mark that is no part of its text.
fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
