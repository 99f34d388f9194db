//! The names of documents, languages and schemes in a recording.
//!
//! In a shape documents have numbers, in the order in which they are first named, behind the scheme of
//! their URI: which schemes are ignored decides something. Languages and schemes that everybody knows
//! keep their names, and all others have numbers too.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foretell_text::DocumentId;
use foretell_text::language::LanguageFacts;

/// Schemes that say nothing about a person.
const SCHEMES: [&str; 12] = [
    "file",
    "untitled",
    "output",
    "git",
    "debug",
    "vscode-scm",
    "comment",
    "walkThrough",
    "vscode-notebook-cell",
    "vscode-remote",
    "vscode-userdata",
    "inmemory",
];

/// How things are named.
#[derive(Debug)]
pub(super) enum RecordedNames {
    /// As they are.
    Own,
    /// By numbers, where a name would say something about a person.
    Given(GivenNames),
}

/// The names that a shape has given so far.
#[derive(Debug, Default)]
pub(super) struct GivenNames {
    documents: BTreeMap<DocumentId, String>,
    languages: BTreeMap<String, String>,
    schemes: BTreeMap<String, String>,
}

impl RecordedNames {
    /// The name of a document.
    pub(super) fn document<'a>(&mut self, document: &'a DocumentId) -> Cow<'a, str> {
        match self {
            RecordedNames::Own => Cow::Borrowed(document.as_str()),
            RecordedNames::Given(given) => Cow::Owned(given.document(document)),
        }
    }

    /// The name of a language.
    pub(super) fn language<'a>(&mut self, language: &'a str) -> Cow<'a, str> {
        match self {
            RecordedNames::Given(given) if !LanguageFacts::of(language).is_well_known => {
                Cow::Owned(numbered(&mut given.languages, "language", language))
            }
            RecordedNames::Own | RecordedNames::Given(_) => Cow::Borrowed(language),
        }
    }

    /// The name of a URI's scheme.
    pub(super) fn scheme<'a>(&mut self, scheme: &'a str) -> Cow<'a, str> {
        match self {
            RecordedNames::Given(given) => given.scheme(scheme),
            RecordedNames::Own => Cow::Borrowed(scheme),
        }
    }
}

impl GivenNames {
    fn document(&mut self, document: &DocumentId) -> String {
        if let Some(name) = self.documents.get(document) {
            return name.clone();
        }
        let number = self.documents.len() + 1;
        let name = match document.scheme() {
            Some(scheme) => format!("{}:///{number}", self.scheme(scheme)),
            None => number.to_string(),
        };
        self.documents.insert(document.clone(), name.clone());
        name
    }

    fn scheme<'a>(&mut self, scheme: &'a str) -> Cow<'a, str> {
        if SCHEMES.contains(&scheme) {
            Cow::Borrowed(scheme)
        } else {
            Cow::Owned(numbered(&mut self.schemes, "scheme", scheme))
        }
    }
}

fn numbered(names: &mut BTreeMap<String, String>, kind: &str, name: &str) -> String {
    let number = names.len() + 1;
    let known = names.entry(name.to_owned());
    known.or_insert_with(|| format!("{kind}-{number}")).clone()
}
