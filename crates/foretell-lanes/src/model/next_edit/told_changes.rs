//! The person's latest changes as a model was taught to be told them: as differences, or as lines before and
//! after.
//!
//! An entry of the history is a burst at one place: gaps under a second, within eight lines. It is told by the
//! text right before it and the text right after it: what was typed there later is another change. Its lines are
//! told whole, with as many around them as the dialect says, and are redacted together with what stands around them:
//! half of a secret does not look like one. Undone changes and those of a formatter or a save are not told,
//! neither is one that is too large to be an example of anything, nor one with words in it that the model
//! takes for an order, which would not be that change any more without them.

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, EditMoment, PositionEncoding, Text, edit_moments,
};
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use super::super::control_tokens::ControlTokens;
use super::super::redaction_margin::with_margin;
use super::super::rewrite::{one_line, texts};
use super::edit_dialect::{ChangeForm, EditDialect, RegionStyle};
use super::slots::fill;
use super::told_document::has_conflict;
use crate::lane_redaction::SecretMarks;
use crate::lane_request::{LaneRequest, OpenDocument};

/// How many changes are looked at.
const MOST_KEPT: usize = 10;
/// How many bytes one has at most on either side.
const MOST_BYTES: usize = 6_144;
/// How much around a change is looked at for secrets, in bytes on either side.
const MARGIN: usize = 4 << 10;
/// What stands where lines are left out.
const LEFT_OUT: &str = "...";

/// The latest changes of all open documents, each as it is told, the newest first.
pub(super) fn told_changes(
    request: &LaneRequest,
    dialect: &EditDialect,
    controls: &ControlTokens,
    marks: &mut dyn SecretMarks,
) -> Vec<String> {
    let documents = std::iter::once(&request.document).chain(&request.others);
    let edits = documents.flat_map(|document| {
        let moments = edit_moments(&document.text, &document.edits);
        moments.map(move |moment| (document, moment))
    });
    let is_persons =
        |reason: ChangeReason| matches!(reason, ChangeReason::Typed | ChangeReason::Redo);
    let mut edits: Vec<_> = edits
        .filter(|(_, moment)| is_persons(moment.edit.reason))
        .collect();
    edits.sort_by_key(|(_, moment)| moment.edit.age_ms);
    edits.truncate(MOST_KEPT);
    let has_markers = |change: &str| {
        let is_marked = dialect.region == RegionStyle::MergeMarkers;
        is_marked
            && change
                .lines()
                .any(|line| has_conflict(line.get(1..).unwrap_or_default()))
    };
    let told = edits.into_iter().filter_map(|(document, moment)| {
        let change = ToldChange::of(&moment, dialect.changes.context, marks)?;
        let is_order = [&change.before, &change.after]
            .into_iter()
            .flatten()
            .any(|line| controls.is_in(line));
        let path = told_path(document, controls, marks);
        let told = (!is_order).then(|| change.written(&path, &dialect.changes))?;
        let author = if moment.edit.is_accepted {
            dialect.changes.accepted
        } else {
            ""
        };
        (!has_markers(&told)).then(|| [author, &*told].concat())
    });
    told.take(dialect.changes.most).collect()
}

/// The path that a model is told.
pub(super) fn told_path(
    document: &OpenDocument,
    controls: &ControlTokens,
    marks: &mut dyn SecretMarks,
) -> String {
    controls.without(&one_line(&marks.redact(&document.file.told())))
}

/// Lines around a change, before and after it.
struct ToldChange {
    /// The number of the first of them, counted from one.
    first: usize,
    before: Vec<String>,
    after: Vec<String>,
}

impl ToldChange {
    fn of(
        moment: &EditMoment<'_>,
        context: usize,
        marks: &mut dyn SecretMarks,
    ) -> Option<ToldChange> {
        let EditMoment { edit, after, range } = moment;
        let (text, range) = (after, *range);
        if edit.old_text.len() > MOST_BYTES || edit.new_text.len() > MOST_BYTES {
            return None;
        }
        let line_of = |offset: ByteOffset| {
            let position = text.position_of(offset, PositionEncoding::Utf8).ok()?;
            usize::try_from(position.line).ok()
        };
        let (first, last) = (line_of(range.start())?, line_of(range.end())?);
        // Whether a line above belongs to it is seen when both sides are compared.
        let from_line = first.saturating_sub(context);
        let to_line = last.saturating_add(context);
        let start = line_start(text, from_line)?;
        let end = line_end(text, to_line);
        // A line may be as long as a document.
        if end.get() - start.get() > MOST_BYTES + range.len() {
            return None;
        }
        let (from, to) = with_margin(text, start, end, MARGIN);
        let whole = text.read(ByteRange::new(from, to).ok()?).ok()?;
        let at = |offset: ByteOffset| offset.get() - from.get();
        let is_at_end = end == text.end();
        let part = |new_text: &str, marks: &mut dyn SecretMarks| {
            let head = whole.get(..at(range.start()))?;
            let tail = whole.get(at(range.end())..)?;
            let whole_then = [head, new_text, tail].concat();
            let end = at(end) + new_text.len() - range.len();
            let told = marks.redact_part(&whole_then, at(start)..end);
            let mut lines: Vec<String> = texts(&told).into_iter().map(str::to_owned).collect();
            // Behind the last line end of a file there is no line.
            if is_at_end && lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            Some(lines)
        };
        let before: Vec<String> = part(&edit.old_text, marks)?;
        let after: Vec<String> = part(&edit.new_text, marks)?;
        (before != after).then_some(ToldChange {
            first: from_line + 1,
            before,
            after,
        })
    }

    fn written(&self, path: &str, form: &ChangeForm) -> String {
        let (head, tail) = self.same_ends(form.context);
        let middle = |lines: &[String]| {
            let end = lines.len() - tail;
            told_lines(lines.get(head..end).unwrap_or_default(), form.most_lines)
        };
        let (old, new) = (middle(&self.before), middle(&self.after));
        let first = self.first + head;
        let last = self.first + self.after.len() - tail;
        let lines = format!("{first}:{}", last.saturating_sub(1).max(first));
        let diff = self.difference(form.context);
        fill(
            form.part.each,
            &[
                ("{path}", path),
                ("{diff}", &diff),
                ("{old}", &old),
                ("{new}", &new),
                ("{lines}", &lines),
            ],
        )
    }

    /// How many lines at either end are the same and more than the context.
    fn same_ends(&self, context: usize) -> (usize, usize) {
        let (before, after) = (&self.before, &self.after);
        let most = before.len().min(after.len());
        let same = |(a, b): &(&String, &String)| a == b;
        let head = before.iter().zip(after).take_while(same).count();
        let rest = most - head.min(most);
        let pairs = before.iter().rev().zip(after.iter().rev());
        let tail = pairs.take(rest).take_while(same).count();
        (head.saturating_sub(context), tail.saturating_sub(context))
    }

    /// As a unified difference, without the names of files.
    fn difference(&self, context: usize) -> String {
        let ops = capture_diff_slices(Algorithm::Myers, &self.before, &self.after);
        let mut told = String::new();
        for group in group_diff_ops(ops, context) {
            let (Some(from), Some(to)) = (group.first(), group.last()) else {
                continue;
            };
            let old = from.old_range().start..to.old_range().end;
            let new = from.new_range().start..to.new_range().end;
            let number = |start: usize, length: usize| {
                // A stretch without lines is told by the line before it.
                let line = self.first + start;
                if length == 0 { line - 1 } else { line }
            };
            told.push_str(&format!(
                "@@ -{},{} +{},{} @@\n",
                number(old.start, old.len()),
                old.len(),
                number(new.start, new.len()),
                new.len()
            ));
            for op in group {
                self.write(&op, &mut told);
            }
        }
        told
    }

    fn write(&self, op: &DiffOp, told: &mut String) {
        let mut push = |sign: char, lines: &[String]| {
            for line in lines {
                told.push(sign);
                told.push_str(line);
                told.push('\n');
            }
        };
        let old = self.before.get(op.old_range()).unwrap_or_default();
        let new = self.after.get(op.new_range()).unwrap_or_default();
        if matches!(op, DiffOp::Equal { .. }) {
            push(' ', old);
        } else {
            push('-', old);
            push('+', new);
        }
    }
}

/// Lines, each with its line end; of too many, those at either end.
fn told_lines(lines: &[String], most: usize) -> String {
    let mut told = String::new();
    let is_long = lines.len() > most;
    let head = if is_long { most / 2 } else { lines.len() };
    let tail = if is_long { most - head - 1 } else { 0 };
    let first = lines.iter().take(head);
    let last = lines.iter().skip(lines.len() - tail);
    let left_out = LEFT_OUT.to_owned();
    let middle = is_long.then_some(&left_out);
    for line in first.chain(middle).chain(last) {
        told.push_str(line);
        told.push('\n');
    }
    told
}

fn line_start(text: &Text, line: usize) -> Option<ByteOffset> {
    Some(text.line(u32::try_from(line).ok()?).ok()?.start())
}

/// The end of a line, or of the text if it has fewer.
fn line_end(text: &Text, line: usize) -> ByteOffset {
    let line = u32::try_from(line).ok();
    let range = line.and_then(|line| text.line(line).ok());
    range.map_or(text.end(), ByteRange::end)
}
