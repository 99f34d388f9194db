//! Rejections that were given back after a restart, and the texts that they belong to.
//!
//! A rejection that is given back belongs to the text of a digest. A shape cannot say that digest: it
//! is of a text that is not in it. It has a name in its place, such as `#1`, and the line that opens
//! the text of that digest says the name, with what was rejected in the words of that text. That line
//! mostly comes later, so names are looked up when all lines have been read. A rejection of a text
//! that is never opened gets a digest that no text has.
//!
//! Offsets in what is given back are bytes in every trace: the text to count in may not be there.

use std::collections::BTreeMap;

use foretell_core::{Event, RejectionId, StoredRejection, TextDigest};
use foretell_text::{Edit, Text};

use super::line_fields::{LineField, LineObject};
use super::problem::TraceProblem;
use super::trace_documents::TraceDocuments;
use crate::trace::{LineContent, TraceLine};

/// Stands for the text that a document has at the very line.
pub(crate) const NOW: &str = "now";

/// The first character of the name of a text.
pub(crate) const NAME: char = '#';

/// Names of texts, as far as lines were read.
#[derive(Default)]
pub(super) struct RestoredTexts {
    named: Vec<NamedRejection>,
    texts: BTreeMap<String, (TextDigest, Vec<Edit>)>,
}

/// A rejection that belongs to the text of a name.
struct NamedRejection {
    /// The line and the place in it.
    line: usize,
    place: usize,
    name: String,
}

impl RestoredTexts {
    /// Reads a line of rejections that are given back.
    pub(super) fn read(
        &mut self,
        number: usize,
        line: LineObject<'_>,
        documents: &mut TraceDocuments,
    ) -> Result<Event, TraceProblem> {
        let field = line.required("rejections")?;
        let mut rejections = Vec::new();
        for (place, entry) in field.items()?.enumerate() {
            let entry = entry.object()?;
            let document = documents.named(entry.text("doc")?);
            let (document, now) = (document.id.clone(), document.text.clone());
            let text = match entry.optional("text") {
                Some(text) if text.text()? == NOW => now.as_ref().map(TextDigest::of),
                Some(text) if text.text()?.starts_with(NAME) => {
                    self.named.push(NamedRejection {
                        line: number,
                        place,
                        name: text.text()?.to_owned(),
                    });
                    None
                }
                Some(text) => Some(digest(&text)?),
                None => None,
            };
            let asleep = entry.optional("asleep").map(|field| field.flag());
            rejections.push(StoredRejection {
                // They are numbered anew.
                id: RejectionId::new(0),
                document,
                edit: documents.changes(None, &entry.required("changes")?)?,
                text,
                asleep: asleep.transpose()?.unwrap_or(false),
            });
        }
        Ok(Event::RejectionsRestored {
            rejections: rejections.into(),
        })
    }

    /// Takes note of the name of a text, if the line that brings the text has one.
    pub(super) fn opened(
        &mut self,
        line: LineObject<'_>,
        text: &Text,
        documents: &TraceDocuments,
    ) -> Result<(), TraceProblem> {
        let Some(name) = line.optional_text("digest")? else {
            return Ok(());
        };
        let mut edits = Vec::new();
        if let Some(field) = line.optional("restored") {
            for changes in field.items()? {
                edits.push(documents.changes(Some(text), &changes)?);
            }
        }
        let known = (TextDigest::of(text), edits);
        self.texts.entry(name.to_owned()).or_insert(known);
        Ok(())
    }

    /// Puts digests in the place of names.
    pub(super) fn resolve(self, lines: &mut [TraceLine]) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, named) in self.named.iter().enumerate() {
            let nth = seen.entry(&named.name).or_default();
            let found = lines.binary_search_by_key(&named.line, |line| line.number);
            let line = found.ok().and_then(|found| lines.get_mut(found));
            if let Some(LineContent::Event(Event::RejectionsRestored { rejections })) =
                line.map(|line| &mut line.what)
            {
                let mut all = rejections.to_vec();
                if let Some(entry) = all.get_mut(named.place) {
                    let known = self.texts.get(&named.name);
                    let edit = known.and_then(|(_, edits)| edits.get(*nth));
                    entry.text = known
                        .map(|(digest, _)| *digest)
                        .or_else(|| of_no_text(index));
                    entry.edit = edit.cloned().unwrap_or_else(|| entry.edit.clone());
                }
                *rejections = all.into();
            }
            *nth += 1;
        }
    }
}

fn digest(field: &LineField<'_>) -> Result<TextDigest, TraceProblem> {
    TextDigest::parse(field.text()?).ok_or_else(|| TraceProblem::NotADigest {
        field: field.path().to_string(),
    })
}

/// The digest of a text longer than any.
fn of_no_text(index: usize) -> Option<TextDigest> {
    TextDigest::parse(&format!("{}-{index:x}", usize::MAX))
}
