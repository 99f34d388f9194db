//! Which places are offered, in which order, and which of them together.
//!
//! People change a line and the lines right below it in one go, so that a suggestion has all of their
//! places: half a line changed is seldom what anybody wants.

use std::cmp::Reverse;

use foretell_text::{Edit, Replacement};

use super::change::RepeatChange;
use super::change_evidence::ChangeEvidence;
use super::change_fitting::fitted;
use super::document_pieces::DocumentPieces;
use super::judge::is_sure;
use super::site::ChangeSite;

/// How many lines are changed at once.
const MOST_LINES: u32 = 30;
/// How many places are changed at once.
const MOST_PLACES: usize = 64;
/// How many places are tried before nothing is offered.
const MOST_TRIES: usize = 50;

/// A document, and what could be changed in it.
pub(super) struct OfferTable<'page> {
    pub(super) page: &'page DocumentPieces,
    pub(super) changes: &'page [RepeatChange],
    pub(super) all_evidence: &'page [ChangeEvidence],
    /// The line that the cursor is on, if it is in this document.
    pub(super) cursor: Option<u32>,
}

/// Sites, each with its replacements.
type OfferGroup<'page> = Vec<(&'page ChangeSite, Vec<Replacement>)>;

impl<'page> OfferTable<'page> {
    /// The edits to offer, at most so many, the best first. `from` is where the cursor is. Sites are
    /// in order; nearly all of them are never looked at.
    pub(super) fn offers(&self, sites: &'page [ChangeSite], from: usize, most: usize) -> Vec<Edit> {
        let split = sites.partition_point(|site| self.page.start_of(site.at) < from);
        let wholes = self.wholes(&sites[split..]);
        let waits = |site: &ChangeSite| {
            let RepeatChange { edit, parts, .. } = &self.changes[site.change];
            wholes.iter().any(|(of, most)| of == edit && most > parts)
        };
        // Down first, unless the person works upwards.
        let goes_up = |index: &usize| self.all_evidence[sites[*index].change].goes_up;
        let upwards = (0..split).rev().filter(|index| goes_up(index));
        let down_then_up = (split..sites.len()).chain((0..split).rev());
        let order = upwards.chain(down_then_up);
        let mut groups = order.filter(|it| self.is_sure(&sites[*it]) && !waits(&sites[*it]));
        let mut offers: Vec<Edit> = Vec::new();
        let mut taken: Vec<&ChangeSite> = Vec::new();
        for first in groups.by_ref().take(MOST_TRIES) {
            if offers.len() == most {
                break;
            }
            if taken.contains(&&sites[first]) {
                continue;
            }
            let group = self.together(sites, first);
            taken.extend(group.iter().map(|(site, _)| *site));
            if self.is_whole(&group) {
                offers.extend(edit(group));
            }
        }
        offers
    }

    fn is_sure(&self, site: &ChangeSite) -> bool {
        let (change, evidence) = (&self.changes[site.change], &self.all_evidence[site.change]);
        is_sure(self.page, change, site, evidence, self.cursor)
    }

    /// The line of a piece.
    fn line(&self, index: usize) -> u32 {
        self.page
            .pieces
            .get(index)
            .map_or(u32::MAX, |piece| piece.line)
    }

    /// Of which edits more than a part fits further on, and how many parts: smaller parts wait.
    fn wholes(&self, ahead: &[ChangeSite]) -> Vec<(usize, usize)> {
        let mut wholes: Vec<(usize, usize)> = Vec::new();
        for site in ahead {
            let change = &self.changes[site.change];
            let whole = (change.edit, change.parts);
            if change.parts > 1 && !wholes.contains(&whole) && self.is_sure(site) {
                wholes.extend(fitted(self.page, change, site).map(|_| whole));
            }
        }
        wholes
    }

    /// The sites on the line of one and on the lines right below, and what is done there. Of those
    /// that meet, the larger change is made.
    fn together(&self, sites: &'page [ChangeSite], first: usize) -> OfferGroup<'page> {
        let start = self.line(sites[first].at);
        let (before, after) = sites.split_at(first);
        let on_line = before.iter().rev().take(MOST_PLACES);
        let on_line = on_line.take_while(|site| self.line(site.at) == start);
        let below = after.iter().take(MOST_PLACES);
        let below = below.take_while(|site| self.line(site.at) - start < MOST_LINES);
        let mut near: Vec<&ChangeSite> = on_line.chain(below).collect();
        near.retain(|site| self.is_sure(site));
        near.sort_by_key(|site| {
            let change = &self.changes[site.change];
            (
                self.line(site.at),
                Reverse(change.parts),
                change.edit,
                site.at,
            )
        });
        let (mut group, mut last): (OfferGroup<'page>, u32) = (Vec::new(), start);
        for site in near {
            if self.line(site.at) > last + 1 {
                break;
            }
            let meets =
                |(other, _): &(&ChangeSite, _)| site.at <= other.end && other.at <= site.end;
            if group.iter().any(meets) {
                continue;
            }
            if let Some(made) = fitted(self.page, &self.changes[site.change], site) {
                last = last.max(self.line(site.end.max(site.at + 1) - 1));
                group.push((site, made));
            }
        }
        group
    }

    /// Whether there is anything, and no part of a changed line without the others.
    fn is_whole(&self, group: &OfferGroup<'_>) -> bool {
        let changes = || group.iter().map(|(site, _)| &self.changes[site.change]);
        let is_one = |change: &RepeatChange| {
            let beside = changes().filter(|other| {
                other.edit == change.edit && other.line == change.line && other.parts == 1
            });
            change.parts > 1 || beside.count() > change.others
        };
        !group.is_empty() && changes().all(is_one)
    }
}

fn edit(group: OfferGroup<'_>) -> Option<Edit> {
    let made = group.into_iter().flat_map(|(_, made)| made);
    let mut made: Vec<Replacement> = made.collect();
    made.sort_by_key(Replacement::range);
    Edit::new(made).ok()
}
