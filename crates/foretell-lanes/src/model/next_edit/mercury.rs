//! Mercury Edit, of Inception: hosted, and asked by one message.
//!
//! The form is the one of the maker's documentation, which the clients of Zed, Kilo and cursortab use, too. Its
//! answers are fenced most of the time, and come at once. The maker's address for telling what became of a
//! suggestion is left out: that is nobody else's business.

use super::edit_dialect::{
    ChangeForm, EditDialect, ModelName, PartForm, RegionSize, RegionStyle, ShownSize,
};
use crate::model::format::PromptStyle;

const CONTROLS: [&str; 11] = [
    "<|recently_viewed_code_snippets|>",
    "<|/recently_viewed_code_snippets|>",
    "<|recently_viewed_code_snippet|>",
    "<|/recently_viewed_code_snippet|>",
    "<|current_file_content|>",
    "<|/current_file_content|>",
    "<|code_to_edit|>",
    "<|/code_to_edit|>",
    "<|edit_diff_history|>",
    "<|/edit_diff_history|>",
    "<|cursor|>",
];

/// The form.
pub(super) const MERCURY: EditDialect = EditDialect {
    name: "mercury",
    style: PromptStyle::Edit,
    template: "<|recently_viewed_code_snippets|>\n{files}<|/recently_viewed_code_snippets|>\n\n\
               <|current_file_content|>\ncurrent_file_path: {path}\n{before}<|code_to_edit|>\n\
               {region}\n<|/code_to_edit|>\n{behind}<|/current_file_content|>\n\n\
               <|edit_diff_history|>\n{changes}<|/edit_diff_history|>\n",
    files: PartForm {
        first: "",
        each: "<|recently_viewed_code_snippet|>\ncode_snippet_file_path: {path}\n{text}\
               <|/recently_viewed_code_snippet|>\n",
        last: "",
    },
    file_lines: usize::MAX,
    changes: ChangeForm {
        part: PartForm {
            first: "",
            each: "--- {path}\n+++ {path}\n{diff}",
            last: "\n",
        },
        accepted: "",
        context: 0,
        most: 6,
        most_lines: usize::MAX,
    },
    diagnostics: None,
    size: RegionSize::Lines {
        above: 5,
        below: 10,
    },
    shown: ShownSize::Settings,
    region: RegionStyle::Whole,
    cursor: "<|cursor|>",
    places_cursor: false,
    prefills: false,
    stop_words: &[],
    end_line: None,
    nothing: &["NO_EDITS", "KEEP_PREVIOUS"],
    nothing_alone: &["None"],
    controls: &CONTROLS,
    heads_lines: &[],
    prompt_tokens: 32_000,
    answer_tokens: 1_000,
    knows: |model: &ModelName| model.has("mercuryedit"),
};
