//! The remedy that a diagnostic names.
//!
//! Two ideas, and nothing is guessed beyond them:
//! - *The editor knows*: the fix that it sends along with a diagnostic. Of several, the one that would be
//!   offered has been chosen before this is asked.
//! - *The message says*: compilers that look for a name of almost the same spelling tell which one
//!   they found. Exactly the wrong name is replaced by it.
//!
//! One of the two is made of each diagnostic: those around the cursor before those further along, and the
//! narrower before the wider. What the editor knows goes before what the message says.
//!
//! It is silent where a message names two remedies, where the wrong name is not in its place (the
//! diagnostic is about an older text then), or where it stands there twice.
//!
//! | part | what it is |
//! | --- | --- |
//! | `wordings` | how compilers name a remedy: a table |
//! | `pattern` | finding a wording in a message |
//! | `wrong_name` | where the wrong name stands |
//!
//! Absent on purpose: knowing any language, and which diagnostics are worth mending.

mod pattern;
mod wordings;
mod wrong_name;

use foretell_text::{
    Diagnostic, DiagnosticSeverity, Edit, Effect, LaneCandidate, Replacement, Text,
};

use self::pattern::NamedRemedy;
use crate::lane_request::LaneRequest;

/// How many suggestions are made at most.
const MOST: usize = 8;
/// How many diagnostics are looked at: a place with more of them is beyond one fix.
const MOST_DIAGNOSTICS: usize = 32;

/// The suggestions, the best first.
pub fn predict(request: &LaneRequest) -> Vec<LaneCandidate> {
    let text = &request.document.text;
    let mut offered: Vec<(Effect, Edit)> = Vec::new();
    for diagnostic in near(request) {
        let Some(edit) = remedy(text, diagnostic) else {
            continue;
        };
        let Ok(effect) = edit.effect(text) else {
            continue;
        };
        let is_new = offered.iter().all(|(other, _)| *other != effect);
        if is_new && !effect.is_nothing() && offered.len() < MOST {
            offered.push((effect, edit));
        }
    }
    let candidates = offered
        .into_iter()
        .map(|(_, edit)| LaneCandidate::new(request.document.id.clone(), edit));
    candidates.collect()
}

/// The diagnostics that fit the text, the most important first.
fn near(request: &LaneRequest) -> Vec<&Diagnostic> {
    let text = &request.document.text;
    let fits = |diagnostic: &&Diagnostic| {
        let range = diagnostic.range;
        text.check(range.start()).is_ok() && text.check(range.end()).is_ok()
    };
    let mut found: Vec<&Diagnostic> = request.diagnostics.iter().filter(fits).collect();
    found.sort_by_key(|diagnostic| importance(diagnostic, request.at.get()));
    found.truncate(MOST_DIAGNOSTICS);
    found
}

/// Sorts diagnostics: how bad, how far from the cursor, how wide.
fn importance(diagnostic: &Diagnostic, at: usize) -> (DiagnosticSeverity, usize, usize) {
    let (start, end) = (diagnostic.range.start().get(), diagnostic.range.end().get());
    let distance = start.saturating_sub(at).max(at.saturating_sub(end));
    (diagnostic.severity, distance, diagnostic.range.len())
}

/// The edit that would clear a diagnostic: that of the editor, or that of the message.
fn remedy(text: &Text, diagnostic: &Diagnostic) -> Option<Edit> {
    let fix = diagnostic.fixes.first().map(|fix| fix.edit.clone());
    fix.or_else(|| said(text, diagnostic))
}

/// The edit that the message of a diagnostic names, if it names one and its place is known.
fn said(text: &Text, diagnostic: &Diagnostic) -> Option<Edit> {
    let remedies = wordings::remedies(&diagnostic.message);
    let best = remedies.first()?;
    // Two names are a question, not a remedy.
    if remedies.iter().any(|remedy| remedy.right != best.right) {
        return None;
    }
    // A wording that names what is wrong decides over one that does not.
    let named = remedies.iter().find(|remedy| remedy.wrong.is_some());
    let best = named.unwrap_or(best);
    let NamedRemedy { wrong, right } = best;
    let range = match wrong {
        Some(wrong) => wrong_name::of_name(text, diagnostic.range, wrong)?,
        None => wrong_name::of_whole(text, diagnostic.range, right)?,
    };
    Some(Edit::from(Replacement::new(range, *right)))
}
