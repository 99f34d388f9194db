//! What documents, languages and schemes are called in a recording.
//!
//! In a shape documents have numbers, in the order in which they are first named, behind the scheme of
//! their URI: which schemes are ignored decides something. Languages and schemes that everybody knows
//! keep their names, and all others have numbers too.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foretell_text::DocumentId;
use foretell_text::language::LanguageFacts;

/// Schemes by which nobody is known.
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

/// What things are called.
#[derive(Debug)]
pub(super) enum Names {
    /// As they are.
    Own,
    /// By numbers, where nobody else has the name.
    Given(Given),
}

/// The names that a shape has given so far.
#[derive(Debug, Default)]
pub(super) struct Given {
    documents: BTreeMap<DocumentId, String>,
    languages: BTreeMap<String, String>,
    schemes: BTreeMap<String, String>,
}

impl Names {
    /// What a document is called.
    pub(super) fn document<'a>(&mut self, document: &'a DocumentId) -> Cow<'a, str> {
        match self {
            Names::Own => Cow::Borrowed(document.as_str()),
            Names::Given(given) => Cow::Owned(given.document(document)),
        }
    }

    /// What a language is called.
    pub(super) fn language<'a>(&mut self, language: &'a str) -> Cow<'a, str> {
        match self {
            Names::Given(given) if !LanguageFacts::of(language).is_well_known => {
                Cow::Owned(numbered(&mut given.languages, "language", language))
            }
            Names::Own | Names::Given(_) => Cow::Borrowed(language),
        }
    }

    /// What the scheme of a URI is called.
    pub(super) fn scheme<'a>(&mut self, scheme: &'a str) -> Cow<'a, str> {
        match self {
            Names::Given(given) => given.scheme(scheme),
            Names::Own => Cow::Borrowed(scheme),
        }
    }
}

impl Given {
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
        match SCHEMES.contains(&scheme) {
            true => Cow::Borrowed(scheme),
            false => Cow::Owned(numbered(&mut self.schemes, "scheme", scheme)),
        }
    }
}

fn numbered(names: &mut BTreeMap<String, String>, kind: &str, name: &str) -> String {
    let number = names.len() + 1;
    let known = names.entry(name.to_owned());
    known.or_insert_with(|| format!("{kind}-{number}")).clone()
}
