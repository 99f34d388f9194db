//! The block that a line opens.
//!
//! Where a line goes on as others do, and all of them open the same block, the whole block is
//! suggested: `if err != nil {` seldom comes alone. A block is the lines below that are indented
//! deeper, and one more that closes it.
//!
//! It is all or nothing: half a block is no use, and one that differs in a single line anywhere is
//! not the same. Where our line has a block already, or the next line is what the block begins with,
//! there is nothing to add; a closing line that an editor has put there stays where it is.

use super::line_words::{indent, words};
use super::similar_places::{RecallPoint, SimilarPlace};

/// How many lines a block may have.
const MOST_LINES: usize = 10;

/// How lines begin that close a block.
const CLOSING: [&str; 6] = ["}", ")", "]", "end", "</", "{/"];

/// The lines below our line, relative to its indent, that all places agree on.
pub(super) fn agreed(
    here: &RecallPoint<'_>,
    places: &[&SimilarPlace<'_>],
    pages: &[Vec<&str>],
) -> Vec<String> {
    // How a single place goes on below is its own affair.
    if places.len() < 2 {
        return Vec::new();
    }
    let mut blocks = places.iter().map(|place| {
        let lines = pages.get(place.page).map_or(&[][..], Vec::as_slice);
        below(place, lines)
    });
    let first = blocks.next().unwrap_or_default();
    if first.is_empty() || blocks.any(|block| block != first) {
        return Vec::new();
    }
    let ours = pages.first().map_or(&[][..], Vec::as_slice);
    without_ours(first, here, ours)
}

/// The block below a place, in our names.
fn below(place: &SimilarPlace<'_>, lines: &[&str]) -> Vec<String> {
    let Some((line, rest)) = lines.get(place.line..).and_then(<[_]>::split_first) else {
        return Vec::new();
    };
    let base = indent(line);
    let mut block = Vec::new();
    for line in rest.iter().take(MOST_LINES + 1) {
        let is_blank = line.trim().is_empty();
        let Some(relative) = line.strip_prefix(base).filter(|_| !is_blank) else {
            if is_blank {
                block.push(String::new());
            } else {
                break;
            }
            continue;
        };
        let is_deeper = relative.starts_with([' ', '\t']);
        let is_closing = CLOSING.iter().any(|start| relative.starts_with(start));
        if !is_deeper && (!is_closing || block.is_empty()) {
            break;
        }
        let mut written = String::new();
        place.names.write(&words(relative), &mut written);
        block.push(written);
        if !is_deeper {
            break;
        }
    }
    while block.last().is_some_and(String::is_empty) {
        block.pop();
    }
    match block.len() {
        ..=MOST_LINES => block,
        _ => Vec::new(),
    }
}

/// A block without what we have of it already.
fn without_ours(mut block: Vec<String>, here: &RecallPoint<'_>, lines: &[&str]) -> Vec<String> {
    let below = lines.get(here.line + 1..).unwrap_or_default();
    let Some(next) = below.iter().find(|line| !line.trim().is_empty()) else {
        return block;
    };
    let base = indent(here.before);
    let relative = next.strip_prefix(base);
    let is_deeper = relative.is_some_and(|relative| relative.starts_with([' ', '\t']));
    if is_deeper
        || block
            .iter()
            .any(|line| !line.is_empty() && relative == Some(line))
    {
        let closes = block.last().map(String::as_str) == relative;
        if is_deeper || !closes {
            return Vec::new();
        }
        block.pop();
    }
    block
}
