//! The report on a context: JSON for machines, and one line that says why it is empty.
//!
//! The names in the JSON are a promise. They are spelled here and nowhere else, so that renaming
//! something in the code does not break a person's script.

use std::fmt::Write;

use foretell_context::{AssembledContext, SectionFate, SourceReport};
use serde::Serialize;

/// A context and what it was made of.
#[derive(Serialize)]
pub struct ContextReport {
    /// The context that a model would get.
    pub text: String,
    tokens: usize,
    budget: usize,
    /// How many secrets were taken out.
    redacted: usize,
    /// Why nothing is told of the file, if it is excluded.
    excluded: Option<String>,
    sources: Vec<SourceLine>,
}

#[derive(Serialize)]
struct SourceLine {
    source: &'static str,
    fate: &'static str,
    found: usize,
    /// How many of those are in files that nothing is told of.
    excluded: usize,
    included: usize,
    tokens: usize,
    ms: f64,
    /// In words, wherever less is told than was found, or nothing.
    why: Option<String>,
}

impl ContextReport {
    /// The report of a context that had a budget, with so many secrets taken out.
    pub fn of(context: AssembledContext, budget: usize, redacted: usize) -> Self {
        ContextReport {
            text: context.text,
            tokens: context.tokens,
            budget,
            redacted,
            excluded: None,
            sources: context.sources.into_iter().map(SourceLine::from).collect(),
        }
    }

    /// Nothing, and why.
    pub fn excluded(why: String) -> Self {
        ContextReport {
            text: String::new(),
            tokens: 0,
            budget: 0,
            redacted: 0,
            excluded: Some(why),
            sources: Vec::new(),
        }
    }

    /// One line that says what each source came to.
    pub fn summary(&self) -> String {
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

impl SourceLine {
    /// Says how it ended, for a person.
    fn words(&self) -> String {
        let SourceLine {
            included, excluded, ..
        } = self;
        let tellable = self.found - excluded;
        let mut words = match self.fate {
            "included" => format!("{included}"),
            "truncated" => format!("{included} of {tellable}, as far as there is room"),
            "over-budget" => format!("no room for {tellable}"),
            "nothing" | "excluded" => "nothing".to_owned(),
            fate => match &self.why {
                Some(why) => format!("{fate} ({why})"),
                None => fate.to_owned(),
            },
        };
        if *excluded > 0 {
            // Writing to a text does not fail.
            let _ = write!(words, ", {excluded} in excluded files");
        }
        words
    }
}

impl From<SourceReport> for SourceLine {
    fn from(report: SourceReport) -> Self {
        let milliseconds = report.took.as_micros() as f64 / 1e3;
        let (found, excluded, included) = (report.found, report.excluded, report.included);
        let tellable = found - excluded;
        let (fate, why) = match report.fate {
            SectionFate::Included => ("included", None),
            SectionFate::Truncated => {
                let why = format!(
                    "the budget has room for {included} of {tellable}, the last perhaps in part"
                );
                ("truncated", Some(why))
            }
            SectionFate::OverBudget => {
                let why = "the budget has no room left for any of it".to_owned();
                ("over-budget", Some(why))
            }
            SectionFate::Excluded => ("excluded", None),
            SectionFate::Nothing => ("nothing", Some("it found nothing".to_owned())),
            SectionFate::Unavailable(why) => ("unavailable", Some(why)),
            SectionFate::Failed(why) => ("failed", Some(why)),
            SectionFate::Late => {
                let why = format!("it had not answered after {milliseconds} ms");
                ("late", Some(why))
            }
        };
        let hidden = match excluded {
            0 => None,
            _ => Some(format!(
                "{excluded} of {found} in files that nothing is told of"
            )),
        };
        let reasons: Vec<String> = why.into_iter().chain(hidden).collect();
        SourceLine {
            source: report.source,
            fate,
            found,
            excluded,
            included,
            tokens: report.tokens,
            ms: milliseconds,
            why: (!reasons.is_empty()).then(|| reasons.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(fate: SectionFate, [found, excluded, included]: [usize; 3]) -> ContextReport {
        let source = SourceReport {
            source: "history",
            fate,
            found,
            excluded,
            included,
            tokens: 7,
            took: Duration::from_micros(500_250),
        };
        let context = AssembledContext {
            sources: vec![source],
            ..AssembledContext::default()
        };
        ContextReport::of(context, 100, 0)
    }

    /// Returns a source's part of the JSON, and the words that a person reads.
    fn told(fate: SectionFate, counts: [usize; 3]) -> (String, String) {
        let report = report(fate, counts);
        let json = serde_json::to_value(&report).unwrap();
        let source = &json["sources"][0];
        assert_eq!(source["excluded"], counts[1]);
        let words = report.summary();
        let words = words.strip_prefix("history: ").unwrap();
        let words = words.strip_suffix("; 0 of 100 tokens").unwrap();
        let why = source["why"].as_str().unwrap_or("-");
        let fate = source["fate"].as_str().unwrap();
        (format!("{fate}: {why}"), words.to_owned())
    }

    #[test]
    fn every_fate_says_why() {
        let broken = || "its server is gone".to_owned();
        for (fate, counts, json, words) in [
            (SectionFate::Included, [3, 0, 3], "included: -", "3"),
            (
                SectionFate::Truncated,
                [3, 0, 2],
                "truncated: the budget has room for 2 of 3, the last perhaps in part",
                "2 of 3, as far as there is room",
            ),
            (
                SectionFate::OverBudget,
                [3, 0, 0],
                "over-budget: the budget has no room left for any of it",
                "no room for 3",
            ),
            (
                SectionFate::Nothing,
                [0, 0, 0],
                "nothing: it found nothing",
                "nothing",
            ),
            (
                SectionFate::Unavailable(broken()),
                [0, 0, 0],
                "unavailable: its server is gone",
                "unavailable (its server is gone)",
            ),
            (
                SectionFate::Failed(broken()),
                [0, 0, 0],
                "failed: its server is gone",
                "failed (its server is gone)",
            ),
            (
                SectionFate::Late,
                [0, 0, 0],
                "late: it had not answered after 500.25 ms",
                "late (it had not answered after 500.25 ms)",
            ),
        ] {
            assert_eq!(told(fate, counts), (json.to_owned(), words.to_owned()));
        }
    }

    #[test]
    fn what_is_excluded_is_counted_wherever_it_is() {
        for (fate, counts, json, words) in [
            (
                SectionFate::Included,
                [3, 1, 2],
                "included: 1 of 3 in files that nothing is told of",
                "2, 1 in excluded files",
            ),
            (
                SectionFate::Truncated,
                [5, 2, 1],
                "truncated: the budget has room for 1 of 3, the last perhaps in part; \
                 2 of 5 in files that nothing is told of",
                "1 of 3, as far as there is room, 2 in excluded files",
            ),
            (
                SectionFate::Excluded,
                [3, 3, 0],
                "excluded: 3 of 3 in files that nothing is told of",
                "nothing, 3 in excluded files",
            ),
        ] {
            assert_eq!(told(fate, counts), (json.to_owned(), words.to_owned()));
        }
    }
}
