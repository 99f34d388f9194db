//! Where an import goes among those of a document.
//!
//! Imports stand in blocks without a blank line. The block is the one that has most in common with the
//! new import: the beginning of its path, or the lines that stand around it where it comes from. Within
//! a block that is in order it goes where the order has it, otherwise below the one that is most like
//! it. Where two blocks are as good, there is no place: a line that somebody has to move is no help. What
//! stands above an import and is about it stays with it: attributes, and remarks to tools.

use super::import_line::{ImportLine, ImportStyle};

/// How many parts of a path, and how many lines around, count for a block.
const MOST_ALIKE: usize = 8;
const MOST_BESIDE: usize = 9;

/// How many lines above an import may be about it.
const MOST_ABOVE: usize = 8;
/// What remarks to tools say that are about the next line.
const FOR_NEXT_LINE: &[&str] = &[
    "@ts-",
    "-next-line",
    "-ignore",
    "nolint",
    "noqa",
    "type: ignore",
];

/// Where an import is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ImportPlace {
    /// Above this one.
    Above(usize),
    /// Below this one.
    Below(usize),
}

/// An import for which a place is looked for.
pub(super) struct NewImport<'text> {
    pub(super) says: &'text str,
    pub(super) path: &'text str,
    /// The imports in its block where it comes from.
    pub(super) beside: Vec<&'text str>,
}

/// The place among the imports of a document, if it is plain which.
pub(super) fn place(
    style: ImportStyle,
    text: &str,
    imports: &[ImportLine<'_>],
    new: &NewImport<'_>,
) -> Option<ImportPlace> {
    let mut first = 0;
    let mut best: Option<(usize, &[ImportLine<'_>], usize)> = None;
    let mut is_tie = false;
    for block in imports.chunk_by(|a, b| is_one_block(text, a, b)) {
        let score = score(style, block, new);
        if best.is_none_or(|(_, _, most)| score > most) {
            is_tie = false;
            best = Some((first, block, score));
        } else if best.is_some_and(|(_, _, most)| score == most) {
            is_tie = true;
        }
        first += block.len();
    }
    let (first, block, _) = best.filter(|_| !is_tie)?;
    Some(match within(style, block, new) {
        ImportPlace::Above(at) => ImportPlace::Above(first + at),
        ImportPlace::Below(at) => ImportPlace::Below(first + at),
    })
}

/// Where an import begins with the lines above it that are about it and nothing else: attributes, and remarks
/// to a tool about the next line. What is put between those and the import would take its place.
pub(super) fn start_of_all(style: ImportStyle, text: &str, import: &ImportLine<'_>) -> usize {
    let mut start = import.start;
    let above = text.get(..import.start).unwrap_or_default();
    let mut at = above.len();
    for line in above.split_inclusive('\n').rev().take(MOST_ABOVE) {
        at -= line.len();
        let line = line.trim();
        let is_attribute = style == ImportStyle::Rust && line.starts_with("#[");
        let is_for_tools = FOR_NEXT_LINE.iter().any(|word| line.contains(word));
        if is_attribute || (is_for_tools && line.starts_with(['/', '#'])) {
            start = at;
        } else if style != ImportStyle::Rust || line.is_empty() || line.ends_with([';', '}']) {
            // The other lines of Rust may be those of an attribute that begins further up.
            break;
        }
    }
    start
}

/// Whether the second of two imports begins right below the first.
pub(super) fn is_one_block(text: &str, one: &ImportLine<'_>, other: &ImportLine<'_>) -> bool {
    let between = text.get(one.end..other.start).unwrap_or_default();
    between.trim().is_empty() && between.matches('\n').count() == 1
}

/// How much a block has in common with an import. Whose it is counts for most: hardly anybody mixes those.
fn score(style: ImportStyle, block: &[ImportLine<'_>], new: &NewImport<'_>) -> usize {
    let alike = block.iter().map(|it| alike(style, path(it), new.path));
    let beside = block.iter().filter(|it| new.beside.contains(&it.says));
    let mut kinds = block.iter().map(|it| kind(style, it.says, path(it)));
    let is_kin = kinds.any(|it| it == kind(style, new.says, new.path));
    let alike = alike.max().unwrap_or_default().min(MOST_ALIKE);
    usize::from(is_kin) * 100 + alike * 10 + beside.count().min(MOST_BESIDE)
}

/// By what imports are put in order, of their paths and their texts.
type ImportOrder = fn(&str, &str) -> String;

fn within(style: ImportStyle, block: &[ImportLine<'_>], new: &NewImport<'_>) -> ImportPlace {
    // In scripts the names come before the path, and say nothing of the order.
    let orders: &[ImportOrder] = match style {
        ImportStyle::Script => &[
            |path, _| format!("{} {path}", usize::from(path.starts_with('.'))),
            |path, _| usize::from(path.starts_with('.')).to_string(),
        ],
        ImportStyle::Python => &[
            |path, says| format!("{} {path}", usize::from(says.starts_with("from"))),
            |path, _| path.trim_start_matches('.').to_lowercase(),
        ],
        _ => &[
            |_, says| says.to_owned(),
            |_, says| says.to_lowercase(),
            |path, _| path.to_lowercase(),
        ],
    };
    for order in orders {
        let keys = block.iter().map(|it| order(path(it), it.says));
        let keys: Vec<String> = keys.collect();
        if keys.is_sorted() {
            let new = order(new.path, new.says);
            let at = keys.partition_point(|key| *key <= new);
            return match at.checked_sub(1) {
                Some(above) => ImportPlace::Below(above),
                None => ImportPlace::Above(at),
            };
        }
    }
    let alike = block.iter().map(|it| alike(style, path(it), new.path));
    // Of several the last, and the last of all if none is like it.
    let most = alike.enumerate().max_by_key(|(at, alike)| (*alike, *at));
    ImportPlace::Below(most.map_or(0, |(at, _)| at))
}

fn path<'import>(import: &'import ImportLine<'_>) -> &'import str {
    import.brings.first().map_or("", |it| &it.path)
}

/// How many parts two paths begin with alike.
fn alike(style: ImportStyle, one: &str, other: &str) -> usize {
    let parts = |path| str::split(path, style.divider());
    let pairs = parts(one).zip(parts(other));
    let is_same = |(a, b): &(&str, &str)| a == b && !a.trim_matches('.').is_empty();
    pairs.take_while(is_same).count()
}

/// Whose it is: the language's, another package's, or this one's; in Java whether it is static.
fn kind(style: ImportStyle, says: &str, path: &str) -> usize {
    let head = path.split(style.divider()).next().unwrap_or_default();
    match style {
        ImportStyle::Rust => match head {
            "core" | "alloc" | "std" => 0,
            "crate" | "self" | "super" => 2,
            _ => 1,
        },
        ImportStyle::Go => usize::from(head.contains('.')),
        ImportStyle::Java => usize::from(says.starts_with("import static")),
        ImportStyle::Python | ImportStyle::Script => usize::from(path.starts_with('.')),
    }
}
