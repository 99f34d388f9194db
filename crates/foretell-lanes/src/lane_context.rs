//! The context of a place, as lanes that tell others need it: as Markdown for models that take
//! messages, and as pieces of code for models that continue files.
//!
//! It comes without secrets. Absent on purpose: where it comes from, and what of it is told.

use std::fmt;
use std::sync::Arc;

use foretell_text::{ContextPiece, SECTION_SEPARATOR, ToldSection};

/// The source of the person's latest changes.
pub const HISTORY: &str = "history";
/// The source of what compilers and linters say.
pub const DIAGNOSTICS: &str = "diagnostics";

/// What is told besides documents. Clones share it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct LaneContext {
    /// What each source found, the most important first.
    pub sections: Arc<[ToldSection]>,
    /// Whether a source was not there in time: what is missing may be there the next time.
    pub is_late: bool,
    /// Changes whenever the rules do that say what may be told. What was gathered under other rules
    /// is not told again.
    pub rules: u64,
}

impl LaneContext {
    /// All of it in Markdown.
    pub fn markdown(&self) -> String {
        self.markdown_without(&[])
    }

    /// The same without what these sources found.
    pub fn markdown_without(&self, sources: &[&str]) -> String {
        let told = self.sections.iter();
        let told = told.filter(|section| !sources.contains(&section.source));
        let told: Vec<&str> = told.map(|section| &*section.markdown).collect();
        told.join(SECTION_SEPARATOR)
    }

    /// What one source found, in Markdown; empty if it found nothing.
    pub fn markdown_of(&self, source: &str) -> String {
        let told = self.sections.iter().filter(|it| it.source == source);
        told.map(|section| &*section.markdown).collect()
    }

    /// The code in it.
    pub fn pieces(&self) -> impl Iterator<Item = &ContextPiece> {
        self.sections.iter().flat_map(|section| &section.pieces)
    }

    /// Whether there is any, or would be if there had been time.
    pub fn is_told(&self) -> bool {
        self.is_late || !self.sections.is_empty()
    }

    /// A context of one section that is Markdown and nothing else.
    pub fn of_markdown(markdown: impl Into<Arc<str>>) -> Self {
        let section = ToldSection {
            source: "",
            markdown: markdown.into(),
            pieces: Vec::new(),
        };
        LaneContext {
            sections: Arc::new([section]),
            ..LaneContext::default()
        }
    }

    /// A context of one section that is these pieces and nothing else.
    pub fn of_pieces(pieces: impl IntoIterator<Item = ContextPiece>) -> Self {
        let section = ToldSection {
            source: "",
            markdown: Arc::default(),
            pieces: pieces.into_iter().collect(),
        };
        LaneContext {
            sections: Arc::new([section]),
            ..LaneContext::default()
        }
    }
}

/// How much there is: what it quotes does not belong in a log.
impl fmt::Debug for LaneContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.sections.iter()).finish()
    }
}
