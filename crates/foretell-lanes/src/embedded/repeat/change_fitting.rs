//! A change, made to fit another place.
//!
//! Places differ in their space: how far the line is indented, whether a blank line follows. What the
//! change did to the space around it is done there too where the space there is alike; where it is not,
//! nothing is done, but for the few cases in which it is plain what is meant.

use foretell_text::{ByteOffset, ByteRange, Replacement};

use super::change::{PieceSwap, RepeatChange, SpaceGap};
use super::document_pieces::DocumentPieces;
use super::site::ChangeSite;

/// The replacements that make a change at a site.
pub(super) fn fitted(
    page: &DocumentPieces,
    change: &RepeatChange,
    site: &ChangeSite,
) -> Option<Vec<Replacement>> {
    let anchor = page.start_of(site.at.saturating_sub(1));
    let place = FittingPlace {
        page,
        was_in: &change.indent,
        is_in: page.indent(anchor),
    };
    let mut made = vec![place.swapped(&change.swap, site.at)?];
    if let Some(tail) = &change.tail {
        made.push(place.swapped(&tail.swap, site.tail)?);
    }
    Some(made)
}

struct FittingPlace<'page> {
    page: &'page DocumentPieces,
    /// How far the line of the change is set in, and that of the place.
    was_in: &'page str,
    is_in: &'page str,
}

impl FittingPlace<'_> {
    fn swapped(&self, swap: &PieceSwap, at: usize) -> Option<Replacement> {
        let PieceSwap { old, new, was, is } = swap;
        let page = self.page;
        let end = at + old.len();
        let there = SpaceGap::of(page, &(at..end));
        let (from, to) = (page.end_before(at), page.start_of(end));
        let keeps_space = was.before == is.before && was.after == is.after;
        if !old.is_empty() && !new.is_empty() && keeps_space {
            let (from, to) = (page.start_of(at), page.end_before(end));
            return replacement(from, to, self.set_in(&is.core));
        }
        if is_alike(&was.before, &there.before) && is_alike(&was.after, &there.after) {
            return replacement(from, to, self.set_in(&is.whole()));
        }
        if !new.is_empty() || old.is_empty() {
            return None;
        }
        // Lines that are gone are gone with their ends, whatever blank lines are around.
        let are_lines = |gap: &SpaceGap| breaks(&gap.before) > 0 && breaks(&gap.after) > 0;
        if are_lines(was) && are_lines(&there) {
            let from = page.line_start(page.start_of(at));
            let last = page.line_end(page.end_before(end));
            let rest = page.between(last, page.text.len());
            let ends = ["\r\n", "\n", "\r"]
                .into_iter()
                .find(|end| rest.starts_with(end));
            return replacement(from, last + ends.map_or(0, str::len), String::new());
        }
        // Where no space was on one side, the space on the other stays as it is.
        if was.before.is_empty() && there.before.is_empty() && is.before == was.after {
            return replacement(from, to, there.after);
        }
        if was.after.is_empty() && there.after.is_empty() && is.before == was.before {
            return replacement(from, to, there.before);
        }
        None
    }

    /// Lines that were set in as those of the change were, set in as those of the place are.
    fn set_in(&self, text: &str) -> String {
        if self.was_in == self.is_in || !text.contains('\n') {
            return text.to_owned();
        }
        let mut lines = text.split('\n');
        let mut fitted = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            fitted.push('\n');
            let content = line.trim_start_matches([' ', '\t']);
            let blanks = line.get(..line.len() - content.len()).unwrap_or_default();
            let (was, is) = (self.was_in.len(), self.is_in.len());
            match blanks.strip_prefix(self.was_in) {
                _ if line.is_empty() || line == "\r" => {}
                Some(rest) => fitted.extend([self.is_in, rest]),
                // A line that is set in less than the first moves as far as that does.
                None if is > was => {
                    fitted.extend([self.is_in.get(was..).unwrap_or_default(), blanks]);
                }
                None => fitted.push_str(blanks.get(was - is..).unwrap_or_default()),
            }
            fitted.push_str(content);
        }
        fitted
    }
}

/// Whether two spaces are the same, but for how far the next line is set in.
fn is_alike(a: &str, b: &str) -> bool {
    a == b || (breaks(a) > 0 && breaks(a) == breaks(b))
}

fn breaks(space: &str) -> usize {
    space.bytes().filter(|byte| *byte == b'\n').count()
}

fn replacement(from: usize, to: usize, text: String) -> Option<Replacement> {
    let range = ByteRange::new(ByteOffset::new(from), ByteOffset::new(to)).ok()?;
    Some(Replacement::new(range, text))
}
