//! The prompt of a dialect, and everything that is needed to understand the answer to it.
//!
//! Room is spent in the order in which it matters: the region and what is around it, then the latest
//! changes, the newest first, then other code by its rank, each whole or not at all. Servers keep what they have
//! read of a prompt and read anew from the first word that differs; the order of the parts is the model's, so
//! that there is nothing to gain.
//!
//! Absent on purpose: servers, and what becomes of the answer.

use std::fmt;

use foretell_settings::settings;
use foretell_text::{ByteRange, DiagnosticSeverity, PositionEncoding, Text};

use super::super::control_tokens::ControlTokens;
use super::super::rewrite::{
    EditRegion, EditTask, QuestionRefusal, lines_of, nearest_diagnostic, one_line, split, texts,
    usual_end, with_line_feeds,
};
use super::edit_dialect::{
    EditDialect, MARKER_END, MARKER_START, PartForm, RegionStyle, estimated_tokens,
};
use super::marker_blocks::marker_offsets;
use super::region_growth::region_around;
use super::slots::fill;
use super::told_changes::{told_changes, told_path};
use super::told_document::{ToldDocument, has_conflict, latest_change};
use crate::lane_redaction::SecretMarks;
use crate::lane_request::LaneRequest;

/// Of the tokens of a prompt, how many are used, in hundredths: the rest is for a bad estimate.
const USED_PERCENT: usize = 90;
/// How much of a diagnostic's message is told, in characters.
const MOST_MESSAGE: usize = 1_000;

/// A prompt, and what its answer is compared with.
#[derive(Clone)]
pub struct NextEditPrompt {
    pub(super) dialect: &'static EditDialect,
    /// The prompt.
    pub text: String,
    /// Where it is about.
    pub region: EditRegion,
    /// The region as it was told: without secrets, with LF, and without markers and the cursor.
    pub told: String,
    /// Which line of what was told the cursor is on.
    pub(super) cursor_line: usize,
    /// Where the markers are in what was told, in bytes.
    pub(super) markers: Vec<usize>,
    /// The lines that the answer goes on with.
    pub(super) prefill: String,
    pub(super) controls: ControlTokens,
    /// The stop words that are no tokens of the model and stand in what it is told.
    plain_words: Vec<&'static str>,
    /// The line end of lines that are put in.
    pub(super) line_end: String,
    /// The lines of the diagnostic that is to be cleared, in the whole text.
    pub(super) fixes: Option<(u32, u32)>,
    /// How many lines more than the region an answer may have.
    pub(super) most_more: usize,
}

impl NextEditPrompt {
    /// The prompt at the cursor of a request.
    pub fn of(
        request: &LaneRequest,
        task: EditTask,
        dialect: &'static EditDialect,
        settings: &settings::LaneSettings,
        marks: &mut dyn SecretMarks,
    ) -> Result<NextEditPrompt, QuestionRefusal> {
        let text = &request.document.text;
        let diagnostic = match task {
            EditTask::NextEdit => None,
            EditTask::Fix => {
                Some(nearest_diagnostic(request).ok_or(QuestionRefusal::NoDiagnostic)?)
            }
        };
        // A diagnostic that spans lines is about the cursor's, too.
        let at = match diagnostic.map(|it| it.range) {
            Some(range) if !range.touches(ByteRange::empty(request.at)) => range.start(),
            _ => request.at,
        };
        let region =
            region_around(text, at, dialect, settings).ok_or(QuestionRefusal::LineTooLong)?;
        let controls = ControlTokens::new(dialect.controls.iter().copied());
        let told = ToldDocument::of(request, &region, dialect, &controls, marks)?;
        let path = told_path(&request.document, &controls, marks);
        let remarks = diagnostic.map(|it| {
            let says = marks.redact(&it.message);
            let says: String = says.chars().take(MOST_MESSAGE).collect();
            let source = it.source.as_deref().map(|it| marks.redact(it));
            remark(
                text,
                it.range,
                it.severity,
                &says,
                source.as_deref(),
                &controls,
            )
        });
        let whole = told.region();
        let markers = match dialect.region {
            RegionStyle::NumberedMarkers => marker_offsets(&whole),
            RegionStyle::Whole | RegionStyle::MergeMarkers => Vec::new(),
        };
        let cursor_line = told.head.matches('\n').count();
        let prefill = prefill(request, dialect, &whole, cursor_line, region.first_line);
        let diagnostics = match (dialect.diagnostics, &remarks) {
            (Some(form), Some(remark)) => parts(&form, &[fill(form.each, &[("{text}", remark)])]),
            _ => String::new(),
        };
        let mut slots = PromptSlots {
            before: told.before.clone(),
            region: marked_region(&told, dialect, &markers),
            after: after(&told.behind),
            behind: closed(&told.behind),
            file: closed(&told.original_file),
            original: told.original.clone(),
            lines: line_numbers(text, &region),
            path,
            prefill: prefill.clone(),
            diagnostics,
            changes: String::new(),
            files: String::new(),
            lead: String::new(),
        };
        let most = dialect.prompt_tokens * USED_PERCENT / 100;
        let mut left = most.saturating_sub(estimated_tokens(&slots.fill(dialect.template)));
        let mut changes = Vec::new();
        for change in told_changes(request, dialect, &controls, marks) {
            let Some(rest) = left.checked_sub(estimated_tokens(&change)) else {
                break;
            };
            left = rest;
            changes.push(change);
        }
        changes.reverse();
        slots.changes = parts(&dialect.changes.part, &changes);
        let shown = [&*told.before, &whole, "\n", &told.behind].concat();
        let files = files(request, dialect, &controls, &shown, left);
        let leading = usize::from(dialect.template.contains("{lead}")).min(files.len());
        let (lead, files) = files.split_at(leading);
        slots.lead = lead.concat();
        slots.files = parts(&dialect.files, files);
        let stop_words = dialect.stop_words.iter().copied();
        let plain_words = stop_words.filter(|word| {
            // Where one of a pair is, the model may write the other.
            let opening = word.replace('/', "");
            !dialect.controls.contains(word) && (shown.contains(word) || shown.contains(&opening))
        });
        let ends = text.read(region.range).unwrap_or_default();
        let around = text.read(region.before()).unwrap_or_default();
        let line_end = usual_end(&split(&ends)).or_else(|| usual_end(&split(&around)));
        Ok(NextEditPrompt {
            dialect,
            text: slots.fill(dialect.template),
            region,
            told: whole,
            cursor_line,
            markers,
            prefill,
            controls,
            plain_words: plain_words.collect(),
            line_end: line_end.unwrap_or("\n").to_owned(),
            fixes: diagnostic.map(|it| lines_of(text, it.range)),
            most_more: settings.max_lines,
        })
    }
}

impl NextEditPrompt {
    /// The words that end an answer, for servers to stop at. One that is written in what is told may be written in
    /// the answer, too.
    pub(super) fn stop_words(&self) -> impl Iterator<Item = &'static str> {
        let words = self.dialect.stop_words.iter().copied();
        words.filter(|word| !self.is_text(word))
    }

    /// Whether a word of the dialect is only text here.
    fn is_text(&self, word: &str) -> bool {
        let is_plain = !self.dialect.controls.contains(&word);
        is_plain && self.plain_words.contains(&word)
    }
}

/// How much there is: what people write does not belong in a log.
impl fmt::Debug for NextEditPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NextEditPrompt")
            .field("dialect", &self.dialect.name)
            .field("region", &self.region)
            .field("text", &self.text.len())
            .finish_non_exhaustive()
    }
}

/// What goes into a template.
struct PromptSlots {
    before: String,
    region: String,
    after: String,
    behind: String,
    file: String,
    original: String,
    lines: String,
    path: String,
    prefill: String,
    diagnostics: String,
    changes: String,
    files: String,
    lead: String,
}

impl PromptSlots {
    fn fill(&self, template: &str) -> String {
        fill(
            template,
            &[
                ("{before}", &self.before),
                ("{region}", &self.region),
                ("{after}", &self.after),
                ("{behind}", &self.behind),
                ("{file}", &self.file),
                ("{original}", &self.original),
                ("{lines}", &self.lines),
                ("{path}", &self.path),
                ("{prefill}", &self.prefill),
                ("{diagnostics}", &self.diagnostics),
                ("{changes}", &self.changes),
                ("{files}", &self.files),
                ("{lead}", &self.lead),
            ],
        )
    }
}

/// Parts with what is ahead of and behind all of them.
fn parts(form: &PartForm, each: &[String]) -> String {
    if each.is_empty() {
        return String::new();
    }
    [form.first, &each.concat(), form.last].concat()
}

/// The region with the cursor and the markers that its dialect has.
fn marked_region(told: &ToldDocument, dialect: &EditDialect, markers: &[usize]) -> String {
    let cursor = told.head.len();
    let numbered = markers.iter().enumerate();
    let mut put_in: Vec<(usize, String)> = numbered
        .map(|(index, at)| (*at, format!("{MARKER_START}{}{MARKER_END}", index + 1)))
        .collect();
    if !dialect.cursor.is_empty() {
        // At the beginning of a block the cursor belongs to it, and at the end of the last one, too.
        let begins = markers.len().saturating_sub(1);
        let index = markers
            .iter()
            .take(begins)
            .filter(|at| **at <= cursor)
            .count();
        put_in.insert(index, (cursor, dialect.cursor.to_owned()));
    }
    let region = told.region();
    let mut marked = String::with_capacity(region.len() + 64);
    let mut from = 0;
    for (at, word) in put_in {
        marked.push_str(region.get(from..at).unwrap_or_default());
        marked.push_str(&word);
        from = at;
    }
    marked.push_str(region.get(from..).unwrap_or_default());
    marked
}

/// What stands behind the region, from the line end on that closes it.
fn after(behind: &str) -> String {
    closed(&["\n", behind].concat())
}

/// Lines of which the last has its line end, too.
fn closed(lines: &str) -> String {
    let end = if lines.is_empty() || lines.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    [lines, end].concat()
}

/// The first and the last line of the region, counted from one.
fn line_numbers(text: &Text, region: &EditRegion) -> String {
    let last = text.position_of(region.range.end(), PositionEncoding::Utf8);
    let last = last.map_or(region.first_line, |last| last.line);
    format!(
        "{}:{}",
        u64::from(region.first_line) + 1,
        u64::from(last) + 1
    )
}

/// The lines that an answer will surely begin with: if the latest change is above the cursor, the first and
/// the blank ones behind it.
fn prefill(
    request: &LaneRequest,
    dialect: &EditDialect,
    region: &str,
    cursor_line: usize,
    first_line: u32,
) -> String {
    let line_of = |edit: &foretell_text::RecentEdit| {
        let position = request
            .document
            .text
            .position_of(edit.range.end(), PositionEncoding::Utf8);
        position.ok().and_then(|it| usize::try_from(it.line).ok())
    };
    let cursor = usize::try_from(first_line).unwrap_or(usize::MAX);
    let cursor = cursor.saturating_add(cursor_line);
    let is_above = latest_change(request)
        .and_then(line_of)
        .is_some_and(|line| line < cursor);
    if !dialect.prefills || !is_above || cursor_line == 0 {
        return String::new();
    }
    let mut lines = texts(region).into_iter().enumerate();
    let first = lines.next().map(|(_, line)| line);
    let blank = lines.take_while(|(at, line)| *at < cursor_line && line.trim().is_empty());
    let lines = first.into_iter().chain(blank.map(|(_, line)| line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A diagnostic as a line: `line 10: [error] undefined: foo (source: gopls)`.
fn remark(
    text: &Text,
    range: ByteRange,
    severity: DiagnosticSeverity,
    says: &str,
    source: Option<&str>,
    controls: &ControlTokens,
) -> String {
    let severity = match severity {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Information => "info",
        DiagnosticSeverity::Hint => "hint",
    };
    let (line, _) = lines_of(text, range);
    let source = source.map_or(String::new(), |it| format!(" (source: {it})"));
    let said = format!("[{severity}] {says}{source}");
    let said = controls.without(&one_line(&said));
    format!("line {}: {said}\n", u64::from(line) + 1)
}

/// Other code, as far as there is room for it.
fn files(
    request: &LaneRequest,
    dialect: &EditDialect,
    controls: &ControlTokens,
    shown: &str,
    room: usize,
) -> Vec<String> {
    let mut left = room;
    let mut told = Vec::new();
    for piece in request.context.pieces() {
        let text = with_line_feeds(piece.text.trim_end());
        if text.trim().is_empty() || shown.contains(text.trim()) {
            continue;
        }
        if dialect.region == RegionStyle::MergeMarkers && has_conflict(&text) {
            continue;
        }
        let mut lines: String = text
            .split('\n')
            .take(dialect.file_lines)
            .flat_map(|line| [line, "\n"])
            .collect();
        lines = controls.without(&lines);
        let path = controls.without(&one_line(&piece.path));
        let file = fill(dialect.files.each, &[("{path}", &path), ("{text}", &lines)]);
        let Some(rest) = left.checked_sub(estimated_tokens(&file)) else {
            break;
        };
        left = rest;
        told.push(file);
    }
    told
}
