//! Sections in, one text and its report out.
//!
//! The order of the findings is their priority. What is blank, excluded, missing or late is set
//! aside with its reason; the rest is written to one page until something does not fit, and nothing
//! of lower priority follows that. Every source gets a report, whatever became of it.
//!
//! This is the one door to a context: no entry passes that quotes an excluded file, and no text
//! passes that was not redacted. An entry that is wholly beyond the budget is not redacted, because
//! it will not be seen.
//!
//! Absent on purpose: asking the sources, and the clock that times them.

mod budgeted_page;
mod cut;
mod fit_search;
mod open_fence;

use std::fmt;
use std::time::Duration;

use foretell_text::ToldSection;

use crate::context_section::{ContextEntry, ContextSection};
use crate::exclude::Exclude;
use crate::redact::Redaction;
use crate::token_count::CountTokens;
use budgeted_page::{BudgetedPage, SectionPortion, TextRedaction};

/// How much is read of what was found before it is told, in bytes: more than budgets have room for.
const MOST_LEARNED: usize = 64 << 10;

/// The result of asking a source.
#[derive(Clone, Debug)]
pub struct SourceFinding {
    /// Which source.
    pub source: &'static str,
    /// Its sections.
    pub found: FoundSections,
    /// How long it took.
    pub took: Duration,
}

/// The sections that a source found.
#[derive(Clone, Debug)]
pub enum FoundSections {
    /// This.
    Section(ContextSection),
    /// Nothing that belongs here.
    Nothing,
    /// It is switched off, or cannot work here, in words.
    Unavailable(String),
    /// It broke, in words without a text from a document.
    Failed(String),
    /// It was not there in time.
    Late,
}

/// Everything that decides what becomes of the findings.
pub struct ContextAssembly<'a> {
    /// How many tokens there are for all of it.
    pub budget: usize,
    /// The counter of tokens.
    pub counter: &'a dyn CountTokens,
    /// The files that no model is told of.
    pub exclude: &'a dyn Exclude,
    /// The redaction, which takes out the secrets and keeps them.
    pub redaction: &'a mut Redaction,
}

/// The text that a model is told, and where it came from.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AssembledContext {
    /// The text that a model is told.
    pub text: String,
    /// The same by sources, with the code that they quote.
    pub sections: Vec<ToldSection>,
    /// How many tokens that is; never more than the budget.
    pub tokens: usize,
    /// The fate of each source, in the order in which they were asked.
    pub sources: Vec<SourceReport>,
}

/// The fate of a source's section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReport {
    /// Which source.
    pub source: &'static str,
    /// Its fate, and why.
    pub fate: SectionFate,
    /// How many entries it found, blank ones aside.
    pub found: usize,
    /// How many of those are of files that nothing is told of.
    pub excluded: usize,
    /// How many of those are part of the context; one of which only a part fits is.
    pub included: usize,
    /// How many tokens the context has because of it, the separator before it included. All of these
    /// together are the tokens of the context.
    pub tokens: usize,
    /// How long it took.
    pub took: Duration,
}

/// The fate of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SectionFate {
    /// All of it is there, apart from what is excluded.
    Included,
    /// The part that fits is there.
    Truncated,
    /// None of it fits, or something more important did not.
    OverBudget,
    /// All it found is in files that nothing is told of.
    Excluded,
    /// It found nothing.
    Nothing,
    /// It is switched off, or cannot work here.
    Unavailable(String),
    /// It broke.
    Failed(String),
    /// It was not there in time.
    Late,
}

/// Makes one text of what the sources found, the most important source first.
pub fn assemble(findings: Vec<SourceFinding>, assembly: ContextAssembly<'_>) -> AssembledContext {
    let ContextAssembly {
        budget,
        counter,
        exclude,
        redaction,
    } = assembly;
    learn(&findings, redaction);
    assemble_with(findings, budget, counter, exclude, &mut |text, secrets| {
        redaction.redact_besides(text, secrets)
    })
}

/// Lets a redaction know what each entry says is secret, before any is written: one may name what
/// another, more important one only quotes.
fn learn(findings: &[SourceFinding], redaction: &mut Redaction) {
    let redactor = redaction.redactor().clone();
    let mut left = MOST_LEARNED;
    for entry in entries_of(findings) {
        left = match left.checked_sub(entry.text.len()) {
            Some(left) => left,
            None => return,
        };
        redaction.remember(redactor.learn(&entry.text));
    }
}

/// The same for findings that were redacted before: nothing is looked for in them. This is for
/// measuring what assembling costs by itself, and nothing else calls it.
#[doc(hidden)]
pub fn assemble_redacted(
    findings: Vec<SourceFinding>,
    budget: usize,
    counter: &dyn CountTokens,
    exclude: &dyn Exclude,
) -> AssembledContext {
    assemble_with(findings, budget, counter, exclude, &mut |text, _| {
        text.into()
    })
}

fn assemble_with(
    findings: Vec<SourceFinding>,
    budget: usize,
    counter: &dyn CountTokens,
    exclude: &dyn Exclude,
    redact: &mut TextRedaction<'_>,
) -> AssembledContext {
    let mut page = BudgetedPage::new(budget, counter, bytes_of(&findings));
    let mut sources = Vec::with_capacity(findings.len());
    for finding in findings {
        let mut report = SourceReport {
            source: finding.source,
            fate: SectionFate::Nothing,
            found: 0,
            excluded: 0,
            included: 0,
            tokens: 0,
            took: finding.took,
        };
        match finding.found {
            FoundSections::Section(section) => report.tell(section, exclude, &mut page, redact),
            FoundSections::Nothing => {}
            FoundSections::Unavailable(why) => report.fate = SectionFate::Unavailable(why),
            FoundSections::Failed(why) => report.fate = SectionFate::Failed(why),
            FoundSections::Late => report.fate = SectionFate::Late,
        }
        // How many there are so far; what each source added follows from all of them.
        report.tokens = page.tokens();
        sources.push(report);
    }
    share_tokens(&mut sources);
    let tokens = page.tokens();
    let (text, sections) = page.into_parts();
    AssembledContext {
        text,
        sections,
        tokens,
        sources,
    }
}

impl SourceReport {
    /// Writes to a page what may be told of a section, and notes what became of it.
    fn tell(
        &mut self,
        mut section: ContextSection,
        exclude: &dyn Exclude,
        page: &mut BudgetedPage<'_>,
        redact: &mut TextRedaction<'_>,
    ) {
        let mut entries = std::mem::take(&mut section.entries);
        entries.retain(|entry| !entry.text.trim_start().is_empty());
        self.found = entries.len();
        let may_be_told =
            |entry: &ContextEntry| !entry.file.as_ref().is_some_and(|it| exclude.excludes(it));
        entries.retain(may_be_told);
        self.excluded = self.found - entries.len();
        if entries.is_empty() {
            self.fate = match self.excluded {
                0 => SectionFate::Nothing,
                _ => SectionFate::Excluded,
            };
            return;
        }
        (self.fate, self.included) = match page.take(self.source, &section, &entries, redact) {
            SectionPortion::Whole => (SectionFate::Included, entries.len()),
            SectionPortion::Front(included) => (SectionFate::Truncated, included),
            SectionPortion::Nothing => (SectionFate::OverBudget, 0),
        };
    }
}

/// Turns how many tokens there were after each source into how many each added. Where a later one
/// made two tokens one, that is taken from the one before, so that all together are what there is.
fn share_tokens(sources: &mut [SourceReport]) {
    let mut after = usize::MAX;
    for report in sources.iter_mut().rev() {
        after = after.min(report.tokens);
        report.tokens = after;
    }
    let mut before = 0;
    for report in sources {
        let after = report.tokens;
        report.tokens = after - before;
        before = after;
    }
}

/// About how many bytes all of it has.
fn bytes_of(findings: &[SourceFinding]) -> usize {
    entries_of(findings).map(|entry| entry.text.len() + 2).sum()
}

/// All entries that were found.
fn entries_of(findings: &[SourceFinding]) -> impl Iterator<Item = &ContextEntry> {
    findings.iter().flat_map(|finding| match &finding.found {
        FoundSections::Section(section) => section.entries.as_slice(),
        _ => &[],
    })
}

/// How long: what a context quotes does not belong in a log.
impl fmt::Debug for AssembledContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AssembledContext")
            .field("bytes", &self.text.len())
            .field("tokens", &self.tokens)
            .field("sources", &self.sources)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context_section::EntrySpacing;
    use crate::token_count::TokenEstimate;
    use foretell_text::FilePath;

    struct NoExclusions;

    impl Exclude for NoExclusions {
        fn excludes(&self, _file: &FilePath) -> bool {
            false
        }
    }

    fn finding(entries: &[String]) -> SourceFinding {
        let entry = |text: &String| ContextEntry {
            file: None,
            text: text.clone(),
            code: None,
            secrets: Vec::new(),
        };
        SourceFinding {
            source: "semantic",
            found: FoundSections::Section(ContextSection {
                heading: "Code".to_owned(),
                entries: entries.iter().map(entry).collect(),
                spacing: EntrySpacing::Paragraphs,
            }),
            took: Duration::ZERO,
        }
    }

    /// The text within a budget, where `hunter2` is a secret, and everything that was redacted.
    fn redacted(findings: Vec<SourceFinding>, budget: usize) -> (String, Vec<usize>) {
        let mut seen = Vec::new();
        let context = assemble_with(
            findings,
            budget,
            &TokenEstimate,
            &NoExclusions,
            &mut |text, _| {
                seen.push(text.len());
                text.replace("hunter2", "[REDACTED-1]").into()
            },
        );
        (context.text, seen)
    }

    #[test]
    fn a_secret_is_taken_out_before_a_cut_could_run_through_it() {
        for before in 0..500 {
            let entry = format!("{}hunter2{}", "x".repeat(before), "y".repeat(500));
            let (text, _) = redacted(vec![finding(&[entry])], 101);
            assert!(!text.contains("hu"), "{text}");
            assert_eq!(text.contains('['), text.contains("[REDACTED-1]"), "{text}");
        }
    }

    #[test]
    fn headings_are_redacted_too() {
        let mut finding = finding(&["entry".to_owned()]);
        if let FoundSections::Section(section) = &mut finding.found {
            section.heading = "Code of hunter2".to_owned();
        }
        let (text, _) = redacted(vec![finding], 100);
        assert_eq!(text, "## Code of [REDACTED-1]\n\nentry\n");
    }

    #[test]
    fn what_is_wholly_beyond_the_budget_is_not_redacted() {
        let long = vec!["x".repeat(200_000); 50];
        let (text, seen) = redacted(vec![finding(&long), finding(&long)], 2_000);
        assert!(text.ends_with("\n\n... (truncated)\n"));
        assert_eq!(seen, [4, 200_000]);
        assert!(redacted(vec![finding(&long)], 0).1.is_empty());
    }
}
