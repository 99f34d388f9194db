//! Dialects: how the prompt of a model for next edits is written, and how its answer is read. As data.
//!
//! A dialect has one template with slots, a form for each thing that comes several times, the style of
//! its region, and its limits. [`NextEditPrompt`](super::next_edit_prompt::NextEditPrompt) writes all of them and
//! [`NextEditReader`](super::next_edit_reader::NextEditReader) reads all of them, so that a new one is a row in a file of its
//! own.
//!
//! | slot | what goes in |
//! | --- | --- |
//! | `{before}` | lines before the region, each with its line end |
//! | `{region}` | the region, with the cursor and the markers that the dialect has |
//! | `{after}` | what stands behind the region, from the line end on that closes it |
//! | `{behind}` | the same from the next line on |
//! | `{file}` | lines around the region as they were before the latest change, each with its line end |
//! | `{original}` | the region as it was before the latest change |
//! | `{path}` | the path of the document |
//! | `{lines}` | the first and the last line of the region, counted from one: `3:9` |
//! | `{lead}` | the first of the other code; then `{files}` has the rest |
//! | `{files}`, `{changes}`, `{diagnostics}` | see `PartForm` |
//! | `{prefill}` | the lines that the answer goes on with |
//!
//! Absent on purpose: models, servers and settings.

use super::super::control_tokens::ControlTokens;
use super::super::format::PromptStyle;

/// How a model for next edits is asked.
#[derive(Debug)]
pub struct EditDialect {
    /// Its name in the settings.
    pub(super) name: &'static str,
    /// How the prompt is sent.
    pub(super) style: PromptStyle,
    pub(super) template: &'static str,
    /// Other code, each with its `{path}` and `{text}`, which ends with a line end.
    pub(super) files: PartForm,
    /// How many lines of each are told at most.
    pub(super) file_lines: usize,
    pub(super) changes: ChangeForm,
    /// What compilers say; nothing if the model was taught nothing of the kind.
    pub(super) diagnostics: Option<PartForm>,
    pub(super) size: RegionSize,
    pub(super) shown: ShownSize,
    pub(super) region: RegionStyle,
    /// The token where the cursor is; empty if the model is not told.
    pub(super) cursor: &'static str,
    /// Whether that token in an answer says where the cursor goes afterwards.
    pub(super) places_cursor: bool,
    /// Whether the answer is to begin with lines that are surely the same.
    pub(super) prefills: bool,
    /// The words that end an answer, for servers to stop at.
    pub(super) stop_words: &'static [&'static str],
    /// The line that says that the answer is complete, if the model writes one.
    pub(super) end_line: Option<&'static str>,
    /// Answers that mean that nothing is to be changed, wherever in the answer they stand.
    pub(super) nothing: &'static [&'static str],
    /// Answers that mean the same only if they are all of it.
    pub(super) nothing_alone: &'static [&'static str],
    /// Words that mean something to the model besides what they say.
    pub(super) controls: &'static [&'static str],
    /// Those of them that mean it only where they begin a line, and are text elsewhere.
    pub(super) heads_lines: &'static [&'static str],
    /// How many tokens a prompt has, by the estimate of [`estimated_tokens`].
    pub(super) prompt_tokens: usize,
    /// How many tokens an answer may have where nobody says another number.
    pub(in crate::model) answer_tokens: usize,
    /// How its models are recognized by their names.
    pub(super) knows: fn(&ModelName) -> bool,
}

/// Things that come several times or not at all.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartForm {
    /// Each of them.
    pub(super) each: &'static str,
    /// What is ahead of all of them, if there are any.
    pub(super) first: &'static str,
    /// What is behind all of them, if there are any.
    pub(super) last: &'static str,
}

/// How the latest changes are told.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangeForm {
    /// Each has `{path}`, `{diff}`, `{old}`, `{new}` and `{lines}`.
    pub(super) part: PartForm,
    /// The line ahead of one that the person did not write: a suggestion that they took.
    pub(super) accepted: &'static str,
    /// How many unchanged lines are told on either side.
    pub(super) context: usize,
    /// How many are told at most, the latest.
    pub(super) most: usize,
    /// How many lines each side has at most; the middle of a longer one is left out.
    pub(super) most_lines: usize,
}

/// How large the region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegionSize {
    /// So many tokens, along the blocks of the code.
    Tokens(usize),
    /// So many lines above and below the cursor's.
    Lines { above: u32, below: u32 },
}

/// How much around the region is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownSize {
    /// So many tokens, along the blocks of the code.
    Tokens(usize),
    /// So many lines altogether.
    Lines(u32),
    /// As much as the settings allow.
    Settings,
}

/// How the region is marked, and what comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegionStyle {
    /// The template marks it, and all of it comes back.
    Whole,
    /// It stands between merge markers, which no text beside it may have, and all of it comes back.
    MergeMarkers,
    /// Numbered markers cut it into blocks, and those that change come back.
    NumberedMarkers,
}

/// What numbered markers begin with, up to the number, and what they end with.
pub(super) const MARKER_START: &str = "<|marker_";
pub(super) const MARKER_END: &str = "|>";

/// Words that no suggestion of any of these models ever has in it, unless the region has.
pub(super) const SENTINELS: [&str; 21] = [
    "<|user_cursor|>",
    "<|cursor|>",
    MARKER_START,
    "<|file_sep|>",
    "<|code_to_edit|>",
    "<|/code_to_edit|>",
    "<|current_file_content|>",
    "<|edit_diff_history|>",
    "<|recently_viewed_code_snippet",
    "<|endoftext|>",
    "<|im_end|>",
    "<|fim_",
    "<[fim-",
    "<[end▁of▁sentence]>",
    "<[begin▁of▁sentence]>",
    "<<<<<<< CURRENT",
    ">>>>>>> UPDATED",
    "NO_EDITS",
    "KEEP_PREVIOUS",
    "<|!@#IS_NEXT_EDIT!@#|>",
    "<|editable_region_",
];

/// Every dialect.
pub(in crate::model) const DIALECTS: [&EditDialect; 5] = [
    &super::zeta::ZETA_2_1,
    &super::zeta::ZETA_2,
    &super::sweep::SWEEP,
    &super::sweep::SWEEP_V2,
    &super::mercury::MERCURY,
];

/// A name is one dialect's.
impl PartialEq for EditDialect {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for EditDialect {}

impl EditDialect {
    /// The dialect of a name from the settings.
    pub fn named(name: &str) -> Option<&'static EditDialect> {
        DIALECTS.into_iter().find(|dialect| dialect.name == name)
    }

    /// The dialect of a model, by what it is called: `zed-industries/zeta-2.1`,
    /// `/models/sweep-next-edit-1.5b.q8_0.v2.gguf`. The last part of a path is heard first.
    pub fn of_model(model: &str) -> Option<&'static EditDialect> {
        let parts = model.rsplit(['/', '\\']).map(ModelName::of);
        parts.take(MOST_PARTS).find_map(|part| {
            let mut dialects = DIALECTS.into_iter();
            dialects.find(|dialect| (dialect.knows)(&part))
        })
    }

    /// Whether a region has a word in it that would be an order to the model.
    pub(super) fn is_forged_by(&self, controls: &ControlTokens, region: &str) -> bool {
        let lines = || region.split('\n');
        let is_order = |word: &str| {
            if self.heads_lines.contains(&word) {
                lines().any(|line| line.starts_with(word))
            } else {
                region.contains(word)
            }
        };
        controls.words().any(is_order)
    }

    /// Its name in the settings.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

/// How many parts of a path are looked at.
const MOST_PARTS: usize = 16;

/// A part of a model's name in lower case, without the marks that people put between words.
pub(super) struct ModelName(String);

impl ModelName {
    fn of(part: &str) -> ModelName {
        let kept = part
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || ".:".contains(*c));
        ModelName(kept.collect::<String>().to_ascii_lowercase())
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// Whether it has a word, and behind it a version of two numbers, however they are parted: `zeta-2.1`, `zeta2-1`,
    /// `zeta:2.1`. A number that goes on is a size or a date.
    pub(super) fn has_version(&self, word: &str, major: char, minor: char) -> bool {
        let mut rests = self.0.match_indices(word).filter_map(|(at, _)| {
            let rest = self.0.get(at + word.len()..)?;
            let rest = rest.strip_prefix(':').unwrap_or(rest).strip_prefix(major)?;
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            rest.strip_prefix(minor)
        });
        rests.any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || ".b".contains(c)))
    }

    /// Whether it has a word and a number behind it.
    pub(super) fn has_number(&self, word: &str, major: char) -> bool {
        let mut rests = self.0.match_indices(word).filter_map(|(at, _)| {
            let rest = self.0.get(at + word.len()..)?;
            rest.strip_prefix(':').unwrap_or(rest).strip_prefix(major)
        });
        rests.next().is_some()
    }
}

/// How many bytes a token has, by the estimate that these models were trained with.
const BYTES_PER_TOKEN: usize = 3;

/// How many tokens a line is, about.
pub(super) fn line_tokens(bytes: usize) -> usize {
    (bytes / BYTES_PER_TOKEN).max(1)
}

/// How many tokens a text is, about.
pub(super) fn estimated_tokens(text: &str) -> usize {
    text.len() / BYTES_PER_TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_however_they_are_called() {
        for (model, expected) in [
            ("zed-industries/zeta-2.1", "zeta-2.1"),
            ("bartowski/zed-industries_zeta-2.1-GGUF:Q8_0", "zeta-2.1"),
            ("/models/zeta-2.1-Q4_K_M.gguf", "zeta-2.1"),
            ("bartowski/zed-industries_zeta-2-GGUF:Q8_0", "zeta-2"),
            ("hf.co/bartowski/zed-industries_zeta-2-GGUF", "zeta-2"),
            ("zeta2-1", "zeta-2.1"),
            ("zeta-2_1", "zeta-2.1"),
            ("zeta:2.1", "zeta-2.1"),
            ("zeta-2.1:latest", "zeta-2.1"),
            ("zeta:2", "zeta-2"),
            ("zeta-2-1b", "zeta-2"),
            ("zeta-2-12b", "zeta-2"),
            ("zeta-2:8b", "zeta-2"),
            ("zeta2", "zeta-2"),
            ("sweepai/sweep-next-edit-0.5B", "sweep"),
            ("sweep-next-edit-1.5b.q8_0.v2.gguf", "sweep"),
            ("C:\\models\\sweep-next-edit-0.5b.q8_0.gguf", "sweep"),
            ("henrik3/sweep-next-edit-v2-7B-GGUF", "sweep-v2"),
            ("sweep-next-edit-v2-7B.Q4_K_M.gguf", "sweep-v2"),
            ("mercury-edit-2", "mercury"),
            ("zed-industries/zeta", "none"),
            ("qwen2.5-coder:7b", "none"),
            ("sweep", "none"),
            ("", "none"),
        ] {
            let known = EditDialect::of_model(model).map_or("none", EditDialect::name);
            assert_eq!(known, expected, "{model}");
        }
    }

    #[test]
    fn a_dialect_tells_no_slot_and_no_token_that_it_does_not_know() {
        for dialect in DIALECTS {
            let mut left = dialect.template.to_owned();
            for slot in [
                "{before}",
                "{region}",
                "{after}",
                "{behind}",
                "{file}",
                "{original}",
                "{path}",
                "{lines}",
                "{lead}",
                "{files}",
                "{changes}",
                "{diagnostics}",
                "{prefill}",
            ] {
                left = left.replace(slot, "");
            }
            for word in dialect.controls {
                left = left.replace(word, "");
            }
            let left = left.replace("<<<<<<< CURRENT", "");
            assert!(
                !left.contains(|c: char| "<>{}|[]".contains(c)),
                "{}: {left}",
                dialect.name
            );
            assert!(dialect.cursor.is_empty() || dialect.controls.contains(&dialect.cursor));
        }
    }
}
