//! What came of a context: the JSON for machines, and one line for whoever wonders why it is empty.
//!
//! The names in the JSON are a promise. They are spelled here and nowhere else, so that renaming
//! something in the code does not break somebody's script.

use std::fmt::Write;

use foretell_context::{Context, Fate, SourceReport};
use serde::Serialize;

/// A context and what it was made of.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// What a model would be told.
    pub(crate) text: String,
    tokens: usize,
    budget: usize,
    /// How many secrets were taken out.
    redacted: usize,
    /// Why nothing is told of the file, if it is excluded.
    excluded: Option<String>,
    sources: Vec<Source>,
}

#[derive(Debug, Serialize)]
struct Source {
    source: &'static str,
    fate: &'static str,
    found: usize,
    included: usize,
    tokens: usize,
    ms: f64,
    /// In words, where the fate has a cause of its own.
    why: Option<String>,
}

impl Report {
    pub(crate) fn of(context: Context, budget: usize, redacted: usize) -> Self {
        Report {
            text: context.text,
            tokens: context.tokens,
            budget,
            redacted,
            excluded: None,
            sources: context.sources.into_iter().map(Source::from).collect(),
        }
    }

    /// Nothing, and why.
    pub(crate) fn excluded(why: String) -> Self {
        Report {
            text: String::new(),
            tokens: 0,
            budget: 0,
            redacted: 0,
            excluded: Some(why),
            sources: Vec::new(),
        }
    }

    /// One line that says what each source came to.
    pub(crate) fn summary(&self) -> String {
        let mut line = String::new();
        for source in &self.sources {
            // Writing to a text does not fail.
            let _ = write!(line, "{}: {}; ", source.source, source.words());
        }
        let _ = write!(line, "{} of {} tokens", self.tokens, self.budget);
        match self.redacted {
            0 => {}
            1 => line.push_str(", 1 secret taken out"),
            secrets => {
                let _ = write!(line, ", {secrets} secrets taken out");
            }
        }
        line
    }
}

impl Source {
    fn words(&self) -> String {
        let Source {
            found, included, ..
        } = self;
        let what = match self.fate {
            "included" => format!("{included}"),
            "truncated" => format!("{included} of {found}, as far as there is room"),
            "over-budget" => format!("no room for {found}"),
            "excluded" => "all in excluded files".to_owned(),
            fate => fate.to_owned(),
        };
        match &self.why {
            Some(why) => format!("{what} ({why})"),
            None => what,
        }
    }
}

impl From<SourceReport> for Source {
    fn from(report: SourceReport) -> Self {
        let (fate, why) = match report.fate {
            Fate::Included => ("included", None),
            Fate::Truncated => ("truncated", None),
            Fate::OverBudget => ("over-budget", None),
            Fate::Excluded => ("excluded", None),
            Fate::Nothing => ("nothing", None),
            Fate::Unavailable(why) => ("unavailable", Some(why)),
            Fate::Failed(why) => ("failed", Some(why)),
            Fate::Late => ("late", None),
        };
        let microseconds = report.took.as_micros() as f64;
        Source {
            source: report.source,
            fate,
            found: report.found,
            included: report.included,
            tokens: report.tokens,
            ms: microseconds / 1e3,
            why,
        }
    }
}
