//! `--each`: every question, what was said, what it is worth, and what would have been right.
//!
//! For work on a predictor. Texts are those of the trace and are escaped, since a trace
//! may come from anywhere.

use std::io::{self, Write};

use foretell_text::{DocumentId, Edit, Replacement};
use foretell_trace::{AnswerVerdict, ScoredAnswer, ScoredQuestion, Trace, TraceEvaluation};

use super::plain_words;

/// Writes what came of a trace.
pub(super) fn write(
    trace: &Trace,
    found: &TraceEvaluation,
    out: &mut impl Write,
) -> io::Result<()> {
    for asked in &found.asked {
        let (line, place) = (asked.line, place(asked));
        for ScoredAnswer {
            lane,
            candidate,
            verdict,
        } in &asked.answers
        {
            let source = plain_words::escaped(trace.source());
            let worth = worth(verdict);
            writeln!(out, "{source}:{line}: {lane} at {place}: {worth}")?;
            if let Some(candidate) = candidate {
                let what = edit(asked, &candidate.document, &candidate.edit);
                writeln!(out, "    said      {what}")?;
            }
        }
        for expect in &asked.expected {
            let what = match &expect.edit {
                Some(it) => edit(asked, &expect.document, it),
                None => "nothing".to_owned(),
            };
            writeln!(out, "    {:9} {what}", expect.rank.name())?;
        }
    }
    Ok(())
}

fn place(asked: &ScoredQuestion) -> String {
    format!(
        "{} of {}",
        asked.at,
        plain_words::file_name(&asked.document)
    )
}

fn worth(verdict: &AnswerVerdict) -> &'static str {
    match (verdict.spoke, verdict.right) {
        (true, true) => "right",
        (true, false) if verdict.first_line => "first line right",
        (true, false) if verdict.place => "wrong, at the right place",
        (true, false) => "wrong",
        (false, true) => "rightly silent",
        (false, false) => "silent",
    }
}

/// Its replacements, in bytes; in which document if that is another than the cursor's.
fn edit(asked: &ScoredQuestion, document: &DocumentId, edit: &Edit) -> String {
    let one = |it: &Replacement| format!("{} -> {:?}", it.range(), it.new_text());
    let all: Vec<String> = edit.replacements().iter().map(one).collect();
    let all = all.join(", ");
    if *document == asked.document {
        all
    } else {
        format!("{}: {all}", plain_words::file_name(document))
    }
}
