//! Where a template is made again.
//!
//! The two latest changes show the direction. The next place that the template fits is offered, with
//! those on the lines right below; then, where there is no other in the document, the first in each of
//! the others. One place between the two changes, or between the later and the cursor, that fits and
//! was left as it is says that the change is about something else; so does one that was refused.

use foretell_text::{ByteOffset, ByteRange, Edit, RefusedChange, Replacement};

use super::MOST_CANDIDATES;
use super::change_evidence::trimmed;
use super::document_pieces::DocumentPieces;
use super::line_change::LineChange;
use super::template::{ChangeTemplate, TemplateSite};

/// How many of the changes before the latest are compared with it.
const MOST_EARLIER: usize = 6;
/// How many edits may lie between the two.
const MOST_SINCE: usize = 1;
/// How many places are changed at once.
const MOST_PLACES: usize = 30;
/// How many places are looked at in a document.
const MOST_SITES: usize = 2_000;

/// The latest change and an earlier one, as a template.
pub(super) struct TwoChanges<'change> {
    template: ChangeTemplate,
    later: &'change LineChange,
    earlier: &'change LineChange,
}

impl<'change> TwoChanges<'change> {
    /// Of some changes, the latest first.
    pub(super) fn of(changes: &'change [LineChange]) -> Option<TwoChanges<'change>> {
        let (later, rest) = changes.split_first()?;
        if later.edit > 0 {
            return None;
        }
        let near = rest.iter().take(MOST_EARLIER);
        let mut near = near.filter(|it| it.edit <= later.edit + MOST_SINCE);
        near.find_map(|earlier| {
            Some(TwoChanges {
                template: ChangeTemplate::of(later, earlier)?,
                later,
                earlier,
            })
        })
    }

    /// Whether one of them was made in a document.
    pub(super) fn is_in(&self, document: usize) -> bool {
        self.later.document == document || self.earlier.document == document
    }

    /// The edits to offer in a document, the nearest first; nothing if a place was passed over.
    pub(super) fn offers(
        &self,
        page: &DocumentPieces,
        document: usize,
        cursor: Option<usize>,
        refused: &[RefusedChange],
    ) -> Option<Vec<Edit>> {
        let sites = self.sites(page, document);
        if sites
            .iter()
            .any(|site| self.is_refused(page, site, refused))
        {
            return None;
        }
        let here =
            |change: &LineChange| (change.document == document).then_some(change.pieces.start);
        let (later, earlier) = (here(self.later), here(self.earlier));
        let is_up = later
            .zip(earlier)
            .is_some_and(|(later, earlier)| later < earlier);
        let from = later.unwrap_or_default();
        let reached = cursor.map_or(from, |at| page.from(at));
        let first = earlier.unwrap_or(from);
        let is_passed = |site: &TemplateSite| {
            let at = site.start();
            let is_between = at >= from.min(first) && at < from.max(first);
            let is_behind = if is_up {
                at > first || (reached < at && at < from)
            } else {
                at < first || (from < at && at < reached)
            };
            is_between || (later.is_some() && is_behind)
        };
        if sites.iter().any(is_passed) {
            return None;
        }
        let mut ahead: Vec<&TemplateSite> = sites.iter().collect();
        if is_up {
            ahead.reverse();
        }
        let mut offers = Vec::new();
        let mut rest = ahead.as_slice();
        while let Some((site, _)) = rest.split_first() {
            let line = |site: &TemplateSite| page.pieces.get(site.start()).map_or(0, |it| it.line);
            let mut last = line(site);
            let near = rest.iter().take(MOST_PLACES).take_while(|it| {
                let is_near = line(it).abs_diff(last) <= u32::from(!is_up);
                last = line(it);
                is_near
            });
            let near = near.count();
            let made = rest[..near].iter().filter_map(|it| self.made(page, it));
            let mut made: Vec<Replacement> = made.collect();
            made.sort_by_key(Replacement::range);
            offers.extend(
                Edit::new(made)
                    .ok()
                    .filter(|it| !it.replacements().is_empty()),
            );
            rest = &rest[near..];
            if offers.len() >= MOST_CANDIDATES {
                break;
            }
        }
        Some(offers)
    }

    /// Whether somebody did not want it at a place.
    fn is_refused(
        &self,
        page: &DocumentPieces,
        site: &TemplateSite,
        refused: &[RefusedChange],
    ) -> bool {
        if refused.is_empty() {
            return false;
        }
        let made = self.template.made(page, site);
        made.is_some_and(|(range, text)| {
            let core = trimmed(page.between(range.start, range.end), &text);
            let mut refused = refused.iter();
            refused.any(|it| trimmed(it.old_text.trim(), it.new_text.trim()) == core)
        })
    }

    fn made(&self, page: &DocumentPieces, site: &TemplateSite) -> Option<Replacement> {
        let (range, text) = self.template.made(page, site)?;
        // The blanks around it stay as they are.
        let old = page.between(range.start, range.end);
        let before = common_blanks(old.chars(), text.chars());
        let (old, text) = (old.get(before..)?, text.get(before..)?);
        let behind = common_blanks(old.chars().rev(), text.chars().rev());
        let text = text.get(..text.len() - behind)?;
        let (start, end) = (range.start + before, range.end - behind);
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
        Some(Replacement::new(range.ok()?, text))
    }

    /// The places of a document that the template fits and was not made at, in order.
    fn sites(&self, page: &DocumentPieces, document: usize) -> Vec<TemplateSite> {
        let Some(anchor) = self.template.anchor() else {
            return Vec::new();
        };
        let reach = self.template.reach();
        let mut sites: Vec<TemplateSite> = Vec::new();
        for (index, piece) in page.pieces.iter().enumerate() {
            let is_seen = sites.last().is_some_and(|site| site.end() > index);
            if !piece.is_like(anchor) || is_seen {
                continue;
            }
            let on_line = |at: &usize| page.pieces.get(*at).is_some_and(|it| it.line == piece.line);
            let after = sites.last().map_or(0, TemplateSite::end);
            let starts = reach
                .clone()
                .rev()
                .filter_map(|back| index.checked_sub(back));
            let mut starts = starts.filter(on_line).filter(|at| *at >= after);
            let site = starts.find_map(|at| self.template.site(page, at));
            let site = site.filter(|it| (it.start()..it.end()).contains(&index));
            sites.extend(site.filter(|it| !self.is_own(page, document, it)));
            if sites.len() >= MOST_SITES {
                break;
            }
        }
        sites
    }

    /// Whether it is where one of the two was made, or something that was made already.
    fn is_own(&self, page: &DocumentPieces, document: usize, site: &TemplateSite) -> bool {
        let is_in = |change: &&LineChange| {
            let pieces = &change.pieces;
            change.document == document && site.start() < pieces.end && pieces.start < site.end()
        };
        [self.later, self.earlier].iter().any(is_in) || self.template.is_made(page, site)
    }
}

/// How many bytes of blanks two texts begin with alike.
fn common_blanks(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let both = one.zip(other);
    let alike = both.take_while(|(one, other)| one == other && one.is_whitespace());
    alike.map(|(one, _)| one.len_utf8()).sum()
}
