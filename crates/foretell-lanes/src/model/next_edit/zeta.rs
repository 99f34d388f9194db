//! Zeta 2 and 2.1, of Zed: both continue ByteDance's Seed-Coder-8B-Base and take the suffix first.
//!
//! Zeta 2 is told a region between merge markers and writes all of it anew. Zeta 2.1 is told a region that
//! numbered markers cut into blocks, and writes only the blocks that change. The markers of 2.1 have no line
//! ends of their own; the card of the model shows them on lines of their own, and answers of either kind are
//! read.
//!
//! Compilers' remarks are a file called `diagnostics`, as cursortab has them; for next edits they are not
//! told, since the models were not taught that.

use super::edit_dialect::{
    ChangeForm, EditDialect, MARKER_START, ModelName, PartForm, RegionSize, RegionStyle, ShownSize,
};
use crate::model::format::PromptStyle;

const FILES: PartForm = PartForm {
    first: "",
    each: "<filename>{path}\n{text}",
    last: "\n",
};

const CHANGES: ChangeForm = ChangeForm {
    part: PartForm {
        first: "<filename>edit_history\n",
        each: "--- a/{path}\n+++ b/{path}\n{diff}",
        last: "\n",
    },
    accepted: "// User accepted prediction:\n",
    context: 3,
    most: 6,
    most_lines: usize::MAX,
};

const DIAGNOSTICS: PartForm = PartForm {
    first: "<filename>diagnostics\n",
    each: "{text}",
    last: "\n",
};

const CONTROLS: [&str; 10] = [
    "<[end▁of▁sentence]>",
    "<[begin▁of▁sentence]>",
    "<[PAD▁TOKEN]>",
    "<[SEP▁TOKEN]>",
    "<[fim-suffix]>",
    "<[fim-prefix]>",
    "<[fim-middle]>",
    "<filename>",
    "<|user_cursor|>",
    MARKER_START,
];

/// The first. It has no stop word: the line that ends its answer says that the answer is complete.
pub(super) const ZETA_2: EditDialect = EditDialect {
    name: "zeta-2",
    style: PromptStyle::Continue,
    template: "<[fim-suffix]>{after}<[fim-prefix]>{files}{diagnostics}{changes}<filename>{path}\n\
               {before}<<<<<<< CURRENT\n{region}\n=======\n<[fim-middle]>",
    files: FILES,
    file_lines: usize::MAX,
    changes: CHANGES,
    diagnostics: Some(DIAGNOSTICS),
    size: RegionSize::Tokens(350),
    shown: ShownSize::Tokens(150),
    region: RegionStyle::MergeMarkers,
    cursor: "<|user_cursor|>",
    places_cursor: true,
    prefills: false,
    stop_words: &["<[end▁of▁sentence]>"],
    end_line: Some(">>>>>>> UPDATED"),
    nothing: &["NO_EDITS", "KEEP_PREVIOUS"],
    nothing_alone: &[],
    controls: &CONTROLS,
    heads_lines: &["<filename>"],
    prompt_tokens: 4_096,
    answer_tokens: 1_000,
    knows: |model: &ModelName| {
        model.has_number("zeta", '2') && !model.has_version("zeta", '2', '1')
    },
};

/// The second. Names of its models have those of the first in them.
pub(super) const ZETA_2_1: EditDialect = EditDialect {
    name: "zeta-2.1",
    template: "<[fim-suffix]>{after}<[fim-prefix]>{files}{diagnostics}{changes}<filename>{path}\n\
               {before}{region}\n<[fim-middle]>",
    region: RegionStyle::NumberedMarkers,
    end_line: None,
    knows: |model: &ModelName| model.has_version("zeta", '2', '1'),
    ..ZETA_2
};
