//! Whatever the sources found, whatever the budget, and whoever counts: what is told is within the
//! budget, in order, and cut nowhere but where a text may be cut.
//!
//! The findings are random, from pieces that are hard to cut: scripts of all kinds, fences of all
//! kinds, headings, marks of secrets, odd line breaks. What is expected of them is written down here
//! a second time, plainly and line by line, and shares no code with what is tested.
#![allow(
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "the model is cut where it has been looked at, and a wrong cut should fail the test"
)]

mod counters;
mod found;
mod markdown;

use std::sync::LazyLock;

use foretell_context::{
    AssembledContext, ContextAssembly, ContextSection, CountTokens, EntrySpacing, Exclude,
    FoundSections, Redaction, Redactor, SectionFate, SourceFinding, TokenEstimate, assemble,
};
use foretell_text::FilePath;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// Made once: it may have a lot to prepare.
static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::default);

const TRUNCATED: &str = "\n\n... (truncated)\n";

/// Excludes what has `secret` in its name.
struct Secrets;

impl Exclude for Secrets {
    fn excludes(&self, file: &FilePath) -> bool {
        file.as_str().contains("secret")
    }
}

/// A section as it should be written.
struct Expected {
    heading: String,
    /// What may be told of, redacted, without what is blank around it.
    entries: Vec<String>,
    spacing: &'static str,
    found: usize,
}

impl Expected {
    fn new(section: &ContextSection, redaction: &mut Redaction) -> Self {
        let words: Vec<_> = section.heading.split_whitespace().collect();
        let heading = if words.is_empty() {
            String::new()
        } else {
            format!("## {}\n\n", redaction.redact(&words.join(" ")))
        };
        let filled = section
            .entries
            .iter()
            .filter(|entry| !entry.text.trim().is_empty());
        let told = filled
            .clone()
            .filter(|it| !it.file.as_ref().is_some_and(|it| Secrets.excludes(it)));
        let entries = told.map(|entry| {
            let text = redaction.redact(&entry.text).into_owned();
            let text = text.trim_end();
            let indent = text.len() - text.trim_start().len();
            let line = text[..indent]
                .rfind(['\n', '\r'])
                .map_or(0, |newline| newline + 1);
            text[line..].to_owned()
        });
        Expected {
            heading,
            entries: entries.collect(),
            spacing: match section.spacing {
                EntrySpacing::Lines => "\n",
                EntrySpacing::Paragraphs => "\n\n",
            },
            found: filled.count(),
        }
    }

    /// The first entries under the heading, and what comes behind them.
    fn with(&self, entries: usize, end: &str) -> String {
        let entries = self.entries[..entries]
            .iter()
            .map(|entry| markdown::closed(entry));
        let entries: Vec<_> = entries.collect();
        format!("{}{}{end}", self.heading, entries.join(self.spacing))
    }
}

fn told(
    findings: Vec<SourceFinding>,
    budget: usize,
    counter: &dyn CountTokens,
) -> AssembledContext {
    let mut redaction = REDACTOR.begin();
    let exclude = &Secrets;
    let redaction = &mut redaction;
    assemble(
        findings,
        ContextAssembly {
            budget,
            counter,
            exclude,
            redaction,
        },
    )
}

/// Everything that must be true of a context.
fn check(findings: &[SourceFinding], budget: usize, counter: &dyn CountTokens) {
    let context = told(findings.to_vec(), budget, counter);
    let tokens = |text: &str| {
        if text.is_empty() {
            0
        } else {
            counter.count(text)
        }
    };
    assert!(context.tokens <= budget);
    assert_eq!(context.tokens, tokens(&context.text));
    assert_eq!(
        context.sources.iter().map(|it| it.tokens).sum::<usize>(),
        context.tokens
    );
    assert_eq!(context.sources.len(), findings.len());
    assert_eq!(markdown::read(&context.text).1, None, "a fence is open");

    let mut redaction = REDACTOR.begin();
    let mut text = String::new();
    let mut is_full = budget == 0;
    for (finding, report) in findings.iter().zip(&context.sources) {
        let FoundSections::Section(section) = &finding.found else {
            assert!(matches!(
                report.fate,
                SectionFate::Late | SectionFate::Nothing
            ));
            assert_eq!((report.found, report.included, report.tokens), (0, 0, 0));
            continue;
        };
        let expected = Expected::new(section, &mut redaction);
        let told = expected.entries.len();
        assert_eq!(
            (report.found, report.excluded),
            (expected.found, expected.found - told)
        );
        let separated = if text.is_empty() {
            String::new()
        } else {
            format!("{text}\n---\n\n")
        };
        let whole = separated.clone() + &expected.with(told, "\n");
        let left = budget - tokens(&text);
        match &report.fate {
            SectionFate::Nothing => assert_eq!(expected.found, 0),
            SectionFate::Excluded => assert!(told == 0 && expected.found > 0),
            SectionFate::Included => {
                assert!(!is_full && tokens(&whole) <= budget);
                assert_eq!(report.included, told);
                text = whole;
            }
            SectionFate::Truncated => {
                assert!(!is_full && tokens(&whole) > budget && left > 100);
                let written = context.text.strip_prefix(&separated).expect("in order");
                let entries = report.included;
                if entries == told || written != expected.with(entries, TRUNCATED) {
                    assert_eq!(entries, 1, "only the first is cut");
                    let body = written
                        .strip_prefix(&expected.heading)
                        .expect("a whole heading");
                    check_cut(&expected.entries[0], body.strip_suffix(TRUNCATED).unwrap());
                }
                (text, is_full) = (context.text.clone(), true);
            }
            SectionFate::OverBudget => {
                assert!(is_full || tokens(&whole) > budget);
                assert_eq!(report.included, 0);
                is_full = true;
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(context.text, text);
}

/// Whether `body` is the front of an entry, cut where it may be cut, and closed.
fn check_cut(entry: &str, body: &str) {
    assert_eq!(markdown::read(body).1, None, "a fence is open");
    // Its last line may have been added to close a fence. Both may be possible: where the entry goes
    // on with a longer fence, nobody can tell.
    let without_last = body.rfind('\n').map(|newline| &body[..newline]);
    let fronts = [Some(body), without_last].into_iter().flatten();
    let faults: Vec<_> = fronts.map(|kept| fault_of_cut(entry, kept, body)).collect();
    assert!(faults.contains(&None), "{faults:?}: {entry:?} to {body:?}");
}

/// What is wrong with keeping so much of an entry and closing it like this.
fn fault_of_cut(entry: &str, kept: &str, body: &str) -> Option<&'static str> {
    if !entry.starts_with(kept) || markdown::closed(kept) != body {
        return Some("it is not the front");
    }
    if kept.is_empty() || kept.len() == entry.len() || kept != kept.trim_end() {
        return Some("it is nothing, everything, or blank at its end");
    }
    let at = kept.len();
    if !entry.grapheme_indices(true).any(|(start, _)| start == at) {
        return Some("a character is cut");
    }
    for (start, _) in entry.match_indices("[REDACTED-") {
        let number = &entry[start + "[REDACTED-".len()..];
        let digits = number.chars().take_while(char::is_ascii_digit).count();
        let is_mark = digits > 0 && number[digits..].starts_with(']');
        let end = entry.len() - number.len() + digits + 1;
        if is_mark && start < at && at < end {
            return Some("the mark of a secret is cut");
        }
    }
    let (lines, _) = markdown::read(entry);
    let holds = |line: &&markdown::Line| line.start < at && at <= line.end;
    let line = lines.iter().find(holds).unwrap();
    let is_all = entry[line.start..line.end].trim_end().len() == at - line.start;
    if line.is_whole && !is_all {
        return Some("a heading or a fence is cut");
    }
    let (lines, open) = markdown::read(kept);
    let is_for_nothing = open.is_some() && lines.last().unwrap().is_whole;
    is_for_nothing.then_some("a fence is opened for nothing")
}

/// A section that is cut leaves no room that another entry would have fitted in.
fn check_filled(findings: &[SourceFinding], budget: usize) {
    let context = told(findings.to_vec(), budget, &TokenEstimate);
    let truncated = context
        .sources
        .iter()
        .position(|it| it.fate == SectionFate::Truncated);
    let Some(index) = truncated else {
        return;
    };
    let FoundSections::Section(section) = &findings[index].found else {
        panic!("nothing else is cut");
    };
    let expected = Expected::new(section, &mut REDACTOR.begin());
    let included = context.sources[index].included;
    if included + 1 < expected.entries.len() {
        let before: usize = context.sources[..index].iter().map(|it| it.tokens).sum();
        let more = TokenEstimate.count(&expected.with(included + 1, TRUNCATED));
        // The separator has six units, and both counts are rounded.
        assert!(before + more + 3 > budget, "{included} entries");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_is_told_is_within_the_budget_by_the_estimate(
        findings in found::findings(),
        budget in found::budget(),
    ) {
        check(&findings, budget, &TokenEstimate);
        check_filled(&findings, budget);
    }

    #[test]
    fn what_is_told_is_within_the_budget_by_a_tokenizer(
        findings in found::findings(),
        budget in found::budget(),
    ) {
        check(&findings, budget, &counters::Greedy);
    }

    #[test]
    fn what_is_told_is_within_the_budget_however_oddly_it_is_counted(
        findings in found::findings(),
        budget in found::budget(),
    ) {
        check(&findings, budget, &counters::Odd);
    }
}
