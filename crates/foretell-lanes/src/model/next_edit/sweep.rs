//! Sweep's models for next edits, which continue Qwen2.5-Coder.
//!
//! The published models (0.5B, 1.5B) are told a window of 21 lines as it was and as it is, and write it anew.
//! The second version (7B) is asked by a server that numbers lines and marks the cursor. Which model wants
//! which is not documented: the name chooses, and the setting decides.
//!
//! None of them marks the end of an answer with a word that servers let through, so an answer that breaks
//! off cannot be told from one that deletes the end of the window. The end stays.

use super::edit_dialect::{
    ChangeForm, EditDialect, ModelName, PartForm, RegionSize, RegionStyle, ShownSize,
};
use crate::model::format::PromptStyle;

/// `</s>` is none of them: these models never write it but as text, and servers stop there for the sake of others.
const CONTROLS: [&str; 10] = [
    "<|endoftext|>",
    "<|file_sep|>",
    "<|cursor|>",
    "<|repo_name|>",
    "<|fim_prefix|>",
    "<|fim_suffix|>",
    "<|fim_middle|>",
    "<|fim_pad|>",
    "<|im_start|>",
    "<|im_end|>",
];

const FILES: PartForm = PartForm {
    first: "",
    each: "<|file_sep|>{path}\n{text}",
    last: "",
};

/// The published form.
pub(super) const SWEEP: EditDialect = EditDialect {
    name: "sweep",
    style: PromptStyle::Continue,
    template: "{files}{changes}<|file_sep|>original/{path}\n{original}\n\
               <|file_sep|>current/{path}\n{region}\n<|file_sep|>updated/{path}\n",
    files: FILES,
    file_lines: usize::MAX,
    changes: ChangeForm {
        part: PartForm {
            first: "",
            each: "<|file_sep|>{path}.diff\noriginal:\n{old}updated:\n{new}",
            last: "",
        },
        accepted: "",
        context: 0,
        most: 3,
        most_lines: 40,
    },
    diagnostics: None,
    size: RegionSize::Lines {
        above: 10,
        below: 10,
    },
    shown: ShownSize::Lines(0),
    region: RegionStyle::Whole,
    cursor: "",
    places_cursor: false,
    prefills: false,
    stop_words: &["<|file_sep|>", "</s>", "<|endoftext|>"],
    end_line: None,
    nothing: &["NO_EDITS", "KEEP_PREVIOUS"],
    nothing_alone: &[],
    controls: &CONTROLS,
    heads_lines: &[],
    prompt_tokens: 8_192,
    answer_tokens: 1_000,
    knows: |model: &ModelName| model.has("sweepnextedit") && !model.has("7b"),
};

/// The form of the second version.
pub(super) const SWEEP_V2: EditDialect = EditDialect {
    name: "sweep-v2",
    template: "{lead}<|file_sep|>{path}\n{file}{files}\n{changes}\
               <|file_sep|>original/{path}:{lines}\n{original}\n\
               <|file_sep|>current/{path}:{lines}\n{region}\n\
               <|file_sep|>updated/{path}:{lines}\n{prefill}",
    file_lines: 25,
    changes: ChangeForm {
        part: PartForm {
            first: "",
            each: "<|file_sep|>{path}:{lines}\noriginal:\n{old}updated:\n{new}",
            last: "",
        },
        accepted: "",
        context: 1,
        most: 6,
        most_lines: 40,
    },
    size: RegionSize::Lines { above: 2, below: 5 },
    shown: ShownSize::Lines(300),
    cursor: "<|cursor|>",
    places_cursor: false,
    prefills: true,
    stop_words: &["<|endoftext|>", "<|file_sep|>"],
    knows: |model: &ModelName| model.has("sweepnextedit") && model.has("7b"),
    ..SWEEP
};
