//! The import of a name that was just written, as another file has it.
//!
//! Who writes a name that the file does not know has to import it next, and mostly another file of the
//! workspace does so already. The same line is offered where it belongs among the imports.
//!
//! **Which names.** Those that the latest edits brought to this document, that stand nowhere else in its
//! code, and that are neither declared nor a member, a key or a parameter. A name that the cursor is
//! still at the end of may become another.
//!
//! **Which line.** One that brings that name and nothing else. All imports of the name that are seen
//! must mean the same thing: two modules with one name each say nothing. A path that is told from where
//! its file is counts only from the same place: in the same folder, or in the same package. Where the
//! document imports other names from the same module already, somebody would put the name there, and
//! nothing is offered.
//!
//! **Where from.** The open documents; if none has the name, the code of the workspace, as far as its
//! index is there. What is seen of the workspace are the pieces that a search for the name finds, so that
//! another import of the same name may be missed there.
//!
//! | module | what it is |
//! | --- | --- |
//! | `import_line` | an import as it is written |
//! | `import_place` | where it goes |
//!
//! Absent on purpose: documents without any import, of which nobody knows where the first would go, and
//! languages whose imports do not say what they bring.

mod import_line;
mod import_place;

use std::borrow::Cow;
use std::ops::Range;

use foretell_text::code_tokens::TokenKind;
use foretell_text::language::common_words::is_frequent;
use foretell_text::{ByteOffset, ByteRange, CodeChunk, Edit, FilePath, LaneCandidate, Replacement};

use super::change_evidence::DeclarationKind;
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::name_scope::NameScope;
use super::open_documents::OpenDocuments;
use crate::lane_request::LaneRequest;
use import_line::{BroughtName, ImportLine, ImportStyle, imports};
use import_place::{ImportPlace, NewImport, is_one_block, place, start_of_all};

/// How many new words are looked at.
const MOST_WORDS: usize = 32;
/// How many names are looked for.
const MOST_NAMES: usize = 6;
/// How many are looked for in the workspace: each costs a search.
const MOST_SEARCHES: usize = 2;
/// How much of another document is read, in bytes: imports stand in front.
const MOST_TEXT: usize = 16_384;
/// How many other documents are read.
const MOST_OTHERS: usize = 24;
/// How many pieces of the workspace are looked at.
const MOST_CHUNKS: usize = 24;

/// The import of a name that one of the latest edits brought to the document, if there is one to offer.
pub(super) fn missing_import(
    open: &mut OpenDocuments<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<LaneCandidate> {
    let request = open.request;
    let news = open.own_news();
    let style = ImportStyle::of(&request.document.language);
    let Some((style, page)) = style.zip(open.page(0)) else {
        return Vec::new();
    };
    let names = new_names(page, &news, request.at.get());
    if names.is_empty() {
        return Vec::new();
    }
    let own = imports(style, &page.text);
    let desk = ImportDesk {
        request,
        style,
        page,
        own: &own,
        heads: heads(request),
    };
    let near = |name: &&str| desk.offer(name, &desk.seen_in_documents(name));
    let far = |name: &&str| {
        let is_near = !desk.seen_in_documents(name).is_empty();
        let seen = (!is_near).then(|| desk.seen_in_workspace(name, is_stopped));
        desk.offer(name, &seen?)
    };
    let open = names.iter().take_while(|_| !is_stopped()).find_map(near);
    let rest = names.iter().take_while(|_| !is_stopped());
    let edit = open.or_else(|| rest.take(MOST_SEARCHES).find_map(far));
    let candidate = |edit| LaneCandidate::new(request.document.id.clone(), edit);
    edit.map(candidate).into_iter().collect()
}

/// The names in some stretches of the page that are used there, and stand nowhere else, the latest first.
/// All of the page is passed once.
fn new_names<'page>(
    page: &'page DocumentPieces,
    news: &[Range<usize>],
    cursor: usize,
) -> Vec<&'page str> {
    let mut names: Vec<(&CodePiece, NameUse)> = Vec::new();
    for new in news {
        let pieces = page.pieces.get(page.from(new.start)..page.from(new.end));
        let words = pieces.unwrap_or_default().iter();
        let words = words.filter(|it| it.kind == TokenKind::Word && it.zone == PieceZone::Code);
        for word in words {
            let is_known = names.iter().any(|(name, _)| name.is_like(word));
            let is_name = word.len() > 1 && !is_frequent(page.says(word));
            if names.len() < MOST_WORDS && is_name && !is_known {
                names.push((word, NameUse::Member));
            }
        }
    }
    let bit = |piece: &CodePiece| 1_u64 << (piece.hash() & 63);
    let bits = names.iter().fold(0, |bits, (name, _)| bits | bit(name));
    for (at, piece) in page.pieces.iter().enumerate() {
        if bits & bit(piece) == 0 {
            continue;
        }
        let known = names.iter_mut().find(|(name, _)| name.is_like(piece));
        let Some((_, known)) = known.filter(|(_, known)| *known != NameUse::Declared) else {
            continue;
        };
        let is_new = |new: &Range<usize>| new.start <= piece.start() && piece.end() <= new.end;
        let is_whole = news.iter().any(is_new) && piece.end() != cursor;
        *known = match use_of(page, at) {
            NameUse::Member => *known,
            // What stands elsewhere too was known before.
            NameUse::Used if is_whole => NameUse::Used,
            NameUse::Used | NameUse::Declared => NameUse::Declared,
        };
    }
    let used = names.iter().filter(|(_, known)| *known == NameUse::Used);
    let used = used.map(|(name, _)| page.says(name));
    used.take(MOST_NAMES).collect()
}

/// How a name stands at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameUse {
    /// As that of something within another thing.
    Member,
    /// As one that is told there what it means, or as a key.
    Declared,
    /// As one that is known.
    Used,
}

fn use_of(page: &DocumentPieces, at: usize) -> NameUse {
    let mark = |at: Option<usize>| {
        let piece = at.and_then(|at| page.pieces.get(at));
        piece.map_or(0, CodePiece::mark)
    };
    let before = |back: usize| mark(at.checked_sub(back));
    let after = |on: usize| mark(at.checked_add(on));
    let is_member = before(1) == b'.' && before(2) != b'.';
    let is_below = (before(2), before(1)) == (b':', b':');
    if is_member || is_below {
        return NameUse::Member;
    }
    let is_assigned = after(1) == b'=' && after(2) != b'=';
    let is_told = after(1) == b':' && after(2) != b':';
    let is_of_closure = before(1) == b'|' || after(1) == b'|';
    let is_declared = DeclarationKind::at(page, at).is_some() || NameScope::of(page, at).is_some();
    if is_assigned || is_told || is_of_closure || is_declared {
        return NameUse::Declared;
    }
    NameUse::Used
}

/// A document that lacks an import.
struct ImportDesk<'page> {
    request: &'page LaneRequest,
    style: ImportStyle,
    page: &'page DocumentPieces,
    own: &'page [ImportLine<'page>],
    /// How the other documents begin.
    heads: Vec<(Cow<'page, str>, &'page FilePath)>,
}

/// An import of the name that was looked for, in another file.
struct SeenImport {
    /// Its line, if that may stand in the document as it is.
    says: Option<String>,
    /// What it brings.
    means: (String, String),
    path: String,
    beside: Vec<String>,
}

impl ImportDesk<'_> {
    /// The import that all of those that were seen of a name agree on, if it can stand here.
    fn offer(&self, name: &str, seen: &[SeenImport]) -> Option<Edit> {
        if self.own.is_empty() {
            return None;
        }
        let first = seen.first()?;
        let mut lines = seen.iter().filter(|it| it.says.is_some());
        let best = lines.next()?;
        let is_one =
            seen.iter().all(|it| it.means == first.means) && lines.all(|it| it.says == best.says);
        let says = best.says.as_deref().filter(|_| is_one)?;
        if self.is_known(name, best) || self.is_refused(says) {
            return None;
        }
        self.put_in(says, best)
    }

    fn seen_in_documents(&self, name: &str) -> Vec<SeenImport> {
        let heads = self.heads.iter().filter(|(head, _)| head.contains(name));
        heads
            .flat_map(|(head, file)| self.seen(name, head, file))
            .collect()
    }

    fn seen_in_workspace(&self, name: &str, is_stopped: &dyn Fn() -> bool) -> Vec<SeenImport> {
        let own = &self.request.document.file;
        let is_other = |chunk: &CodeChunk| {
            let language = &self.request.document.language;
            chunk.file != *own && language.is_like(&chunk.language) && chunk.secrets.is_empty()
        };
        // Without an index, or with a broken one, the open documents have to do.
        let found = self.request.code.find(name, None, MOST_CHUNKS, is_stopped);
        let chunks = found.unwrap_or_default().into_iter().filter(is_other);
        chunks
            .flat_map(|chunk| self.seen(name, &chunk.text, &chunk.file))
            .collect()
    }

    /// The imports of a name in a text.
    fn seen(&self, name: &str, text: &str, file: &FilePath) -> Vec<SeenImport> {
        let all = imports(self.style, text);
        let mut seen = Vec::new();
        for block in all.chunk_by(|a, b| is_one_block(text, a, b)) {
            for import in block {
                let brings = import.brings.iter().filter(|it| it.name == name);
                seen.extend(brings.map(|brought| {
                    SeenImport {
                        says: (self.is_alone(import) && self.is_valid(brought, file))
                            .then(|| import.says.to_owned()),
                        means: (self.whole_path(brought, file), brought.member.clone()),
                        path: brought.path.clone(),
                        beside: block.iter().map(|it| it.says.to_owned()).collect(),
                    }
                }));
            }
        }
        seen
    }

    /// Whether an import brings one name, on one line, as one of a single name is written.
    fn is_alone(&self, import: &ImportLine<'_>) -> bool {
        let is_list = import.says.contains('{') && self.style != ImportStyle::Script;
        import.brings.len() == 1 && !import.says.contains(['\n', '\r']) && !is_list
    }

    /// Whether a path that stands in a file means the same here.
    fn is_valid(&self, brought: &BroughtName, file: &FilePath) -> bool {
        let (own, other) = (self.request.document.file.as_str(), file.as_str());
        match self.style {
            ImportStyle::Rust => {
                let is_same_package = package(own) == package(other);
                match brought.path.split("::").next() {
                    Some("std" | "core" | "alloc") => true,
                    Some("self" | "super") => {
                        folder(own) == folder(other) && !is_root(own) && !is_root(other)
                    }
                    _ => is_same_package,
                }
            }
            ImportStyle::Python | ImportStyle::Script => {
                !brought.path.starts_with('.') || folder(own) == folder(other)
            }
            ImportStyle::Go | ImportStyle::Java => true,
        }
    }

    /// A path as it is from everywhere.
    fn whole_path(&self, brought: &BroughtName, file: &FilePath) -> String {
        let path = &brought.path;
        let is_near = match self.style {
            ImportStyle::Rust => path.starts_with("self") || path.starts_with("super"),
            ImportStyle::Python | ImportStyle::Script => path.starts_with('.'),
            ImportStyle::Go | ImportStyle::Java => false,
        };
        if !is_near {
            return path.clone();
        }
        if self.style != ImportStyle::Script {
            return [folder(file.as_str()), " ", path].concat();
        }
        let mut parts: Vec<&str> = folder(file.as_str()).split('/').collect();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Whether the document has the name already, or a better place for it than a line of its own.
    fn is_known(&self, name: &str, new: &SeenImport) -> bool {
        let mut brings = self.own.iter().flat_map(|it| &it.brings);
        let is_like =
            |it: &BroughtName| it.name == name || (self.style.gathers() && it.path == new.path);
        let package = self.page.text.lines().take(200);
        let mut package = package.filter_map(|line| line.strip_prefix("package "));
        let is_here = self.style == ImportStyle::Java
            && package.any(|line| line.trim().trim_end_matches(';') == new.path);
        let own = self.request.document.file.as_str();
        let stem = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
        let is_itself = self.style == ImportStyle::Script && new.means.0 == stem;
        is_here || is_itself || brings.any(is_like)
    }

    fn is_refused(&self, says: &str) -> bool {
        let refused = &self.request.refused;
        refused.iter().any(|it| it.new_text.trim() == says)
    }

    fn put_in(&self, says: &str, new: &SeenImport) -> Option<Edit> {
        let text = &self.page.text;
        let line = NewImport {
            says,
            path: &new.path,
            beside: new.beside.iter().map(String::as_str).collect(),
        };
        let place = place(self.style, text, self.own, &line)?;
        let (ImportPlace::Above(at) | ImportPlace::Below(at)) = place;
        let import = self.own.get(at)?;
        let rest = text.get(import.end..)?;
        let ends = ["\r\n", "\n", "\r"].into_iter();
        let end = ends.clone().find(|end| rest.starts_with(end));
        let end = end.or_else(|| ends.clone().find(|end| text.contains(end)));
        let end = end.unwrap_or("\n");
        let indent = self.page.indent(import.start);
        let (at, put) = match place {
            ImportPlace::Above(_) => {
                let start = start_of_all(self.style, text, import);
                (start, [indent, says, end].concat())
            }
            ImportPlace::Below(_) if rest.starts_with(end) => {
                (import.end + end.len(), [indent, says, end].concat())
            }
            ImportPlace::Below(_) => (import.end, [end, indent, says].concat()),
        };
        Some(Edit::from(Replacement::insertion(ByteOffset::new(at), put)))
    }
}

/// How the other documents begin whose code is an example for this one.
fn heads(request: &LaneRequest) -> Vec<(Cow<'_, str>, &FilePath)> {
    let language = &request.document.language;
    let others = request.others.iter();
    let others = others.filter(|it| language.is_like(&it.language));
    let heads = others.take(MOST_OTHERS).filter_map(|other| {
        let end = other.text.floor(MOST_TEXT);
        let head = ByteRange::new(ByteOffset::ZERO, end).ok()?;
        Some((other.text.read(head).ok()?, &other.file))
    });
    heads.collect()
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a file is that of a module that others are in, so that it is above its folder.
fn is_root(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    matches!(name, "lib.rs" | "main.rs" | "mod.rs")
}

/// The folder of the package that a file of Rust is in.
fn package(file: &str) -> &str {
    let parts = ["src/", "tests/", "benches/", "examples/"].into_iter();
    let ends = parts.filter_map(|part| {
        let at = file.find(part)?;
        let is_whole = at == 0 || file.get(..at)?.ends_with('/');
        is_whole.then_some(at)
    });
    let end = ends.min().unwrap_or_default();
    file.get(..end).unwrap_or_default()
}
