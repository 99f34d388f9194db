//! Findings turned into sections.
//!
//! A source is a function from a [`ContextRequest`](crate::ContextRequest) to a
//! [`ContextSection`](crate::ContextSection), or to nothing:
//!
//! | source | heading | what it tells |
//! | --- | --- | --- |
//! | [`diagnostics`] | `## Diagnostics` | what compilers and linters say of the file |
//! | [`change_history`] | `## Recent Changes` | what the person changed lately |
//! | [`semantic`] | `## Relevant Code from Workspace` | code that has to do with it |
//!
//! Each says which file every entry quotes, so that excluded ones can be dropped; quotes through
//! [`code_fence`], so that no file can forge what another source says; and never cuts through a word, so
//! that secrets are whole when the redactor sees them.
//!
//! Absent on purpose: who asks the sources, in which order, for how long; budgets and redaction.
//!
//! # A fourth source
//!
//! The names of the other files that were worked on lately:
//!
//! ```
//! use foretell_context::sources::code_fence;
//! use foretell_context::{ContextRequest, ContextEntry, ContextSection, EntrySpacing};
//! # use foretell_context::FileChange;
//! # use foretell_text::{ByteOffset, ByteRange, ChangeReason, FilePath, Language, RecentEdit, Text};
//!
//! /// The other files that were changed lately, the latest first, at most so many.
//! fn neighbours(request: &ContextRequest, most: usize) -> Option<ContextSection> {
//!     let mut files: Vec<&FilePath> = Vec::new();
//!     for change in &request.changes {
//!         if change.file != request.file && !files.contains(&&change.file) {
//!             files.push(&change.file);
//!         }
//!     }
//!     let entry = |file: &FilePath| ContextEntry {
//!         code: None,
//!         file: Some(file.clone()),
//!         text: format!("- {}", code_fence::inline(&file.told())),
//!         secrets: Vec::new(),
//!     };
//!     let entries: Vec<ContextEntry> = files.into_iter().take(most).map(entry).collect();
//!     (!entries.is_empty()).then(|| ContextSection {
//!         heading: "Also Being Edited".into(),
//!         entries,
//!         spacing: EntrySpacing::Lines,
//!     })
//! }
//!
//! # let change = |file: &str| FileChange {
//! #     file: FilePath::new(file),
//! #     language: Language::new("rust"),
//! #     text: Text::default(),
//! #     made: None,
//! #     edit: RecentEdit {
//! #         made_at: None,
//! #         range: ByteRange::default(),
//! #         old_text: "".into(),
//! #         new_text: "".into(),
//! #         reason: ChangeReason::Typed,
//! #         is_accepted: false,
//! #         age_ms: 0,
//! #         is_finished: true,
//! #     },
//! # };
//! # let request = ContextRequest {
//! #     file: FilePath::new("src/lib.rs"),
//! #     language: Language::new("rust"),
//! #     text: Text::default(),
//! #     cursor: ByteOffset::ZERO,
//! #     selection: None,
//! #     instruction: String::new(),
//! #     diagnostics: Vec::new(),
//! #     changes: ["src/a.rs", "src/lib.rs", "src/b.rs", "src/a.rs"].map(change).into(),
//! # };
//! let section = neighbours(&request, 5).expect("two other files were changed");
//! let texts: Vec<_> = section.entries.iter().map(|entry| &*entry.text).collect();
//! assert_eq!(texts, ["- `src/a.rs`", "- `src/b.rs`"]);
//! ```

use std::ops::RangeInclusive;

pub mod change_history;
pub mod code_fence;
pub mod diagnostics;
pub mod semantic;
pub mod shorten;

/// How many lines are between two stretches of lines, the last step included: none if they share
/// one.
fn distance(one: &RangeInclusive<u32>, other: &RangeInclusive<u32>) -> u32 {
    let below = one.start().saturating_sub(*other.end());
    let above = other.start().saturating_sub(*one.end());
    below.max(above)
}
