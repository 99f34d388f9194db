//! The evidence for a change and against it, before any place is looked at.
//!
//! The strongest witness is a place that the person went past and left as it is. It is known by its
//! neighbours: how many of those of the change it has.

use std::ops::Range;

use foretell_text::RefusedChange;

use super::change::{ChangeSpot, RepeatChange};
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::name_role::{is_no_code, is_no_variable};
use super::name_scope::NameScope;
use super::open_documents::OpenDocuments;
use super::site::ChangeSite;

/// How far above a change the declaration of its name is looked for, in bytes.
const LONGEST_BLOCK: usize = 20_000;

/// The evidence for a change and against it.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeEvidence {
    /// How many other changes are equal.
    pub(super) equal: u32,
    /// How often the person took it back or did not want it.
    pub(super) refused: u32,
    /// Whether the same was changed in another way too.
    pub(super) is_disputed: bool,
    /// How the changed name is declared, where it is declared.
    pub(super) declares: Option<DeclarationKind>,
    /// Whether a variable of the same name is declared at another place.
    is_declared_again: bool,
    /// Whether equal changes go up the document.
    pub(super) goes_up: bool,
    /// Where a name is known, if not anywhere: in which parts of which documents.
    known: Option<Vec<(usize, Range<usize>)>>,
    /// Whether the new name stands where the name is known: they would become one.
    pub(super) is_taken: bool,
    /// How many neighbours before and after the places have that were left alone: those that have
    /// fewer of both than another are left out.
    pub(super) left_alone: Vec<(usize, usize)>,
}

/// How a name is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclarationKind {
    /// Something that is known where it is declared and below.
    Variable,
    /// Something that may be used anywhere.
    Item,
}

impl DeclarationKind {
    /// How a piece is declared, by the word before. In `&mut x` and `*const x`, `x` is not.
    pub(super) fn at(page: &DocumentPieces, index: usize) -> Option<DeclarationKind> {
        let before = page.pieces.get(index.checked_sub(1)?)?;
        let further = index.checked_sub(2).and_then(|it| page.pieces.get(it));
        let is_pointed = further.is_some_and(|piece| matches!(piece.mark(), b'&' | b'*'));
        DeclarationKind::by(page.says(before)).filter(|_| !is_pointed)
    }

    /// The declaration that a word begins.
    pub(super) fn by(word: &str) -> Option<DeclarationKind> {
        match word {
            "auto" | "const" | "let" | "mut" | "val" | "var" => Some(DeclarationKind::Variable),
            "class" | "def" | "enum" | "fn" | "fun" | "func" | "function" | "interface"
            | "macro_rules" | "mod" | "module" | "namespace" | "package" | "record" | "static"
            | "struct" | "trait" | "type" | "union" => Some(DeclarationKind::Item),
            _ => None,
        }
    }
}

impl ChangeEvidence {
    /// Whether one change says enough for a place elsewhere: its name is known at its declaration, and in
    /// other documents only if that is of something that others may use.
    pub(super) fn is_at_declaration(&self, change: &RepeatChange, site: &ChangeSite) -> bool {
        let is_here = site.document == change.document;
        let is_item = self.declares == Some(DeclarationKind::Item);
        let is_declared = self.declares.is_some() || self.known.is_some();
        if is_here { is_declared } else { is_item }
    }

    /// Whether the name that stands at a place is the one that was changed, as far as one can see.
    pub(super) fn is_same(&self, page: &DocumentPieces, site: &ChangeSite) -> bool {
        let piece = page.pieces.get(site.at);
        let is_code = piece.is_some_and(|piece| piece.zone == PieceZone::Code);
        let is_other = self.is_variable() && is_no_variable(page, site.at);
        !(is_code && (is_other || is_no_code(page, site.at)))
            && !self.declares_again(page, site)
            && self.is_known(site.document, page.start_of(site.at))
    }

    /// Whether the name is one that only code nearby can know.
    fn is_variable(&self) -> bool {
        self.declares == Some(DeclarationKind::Variable) || self.known.is_some()
    }

    /// Whether the declaration of the name that was changed is known, and is the only one: where a
    /// line was copied and the copy changed, the other places are those of the name that stayed.
    pub(super) fn is_declared_once(&self) -> bool {
        let is_declared = self.declares.is_some() || self.known.is_some();
        is_declared && !self.is_declared_again
    }

    /// Whether the name is known in parts of documents only, and means one thing there.
    pub(super) fn is_bound(&self) -> bool {
        let known = self.known.as_ref();
        let is_part = |(_, part): &(usize, Range<usize>)| part.end < usize::MAX;
        !self.is_declared_again && known.is_some_and(|known| known.iter().all(is_part))
    }

    /// Whether another variable of the same name begins at a place.
    fn declares_again(&self, page: &DocumentPieces, site: &ChangeSite) -> bool {
        let declares = DeclarationKind::at(page, site.at);
        declares == Some(DeclarationKind::Variable) && self.declares == declares
    }

    /// Whether a name is known at a place.
    fn is_known(&self, document: usize, start: usize) -> bool {
        let is_in = |(of, part): &(usize, Range<usize>)| *of == document && part.contains(&start);
        let known = self.known.as_ref();
        known.is_none_or(|known| known.iter().any(is_in))
    }

    /// What is behind another variable's line is the other's.
    fn end_at(&mut self, document: usize, start: usize, end: usize) {
        let known = self
            .known
            .get_or_insert_with(|| vec![(document, 0..usize::MAX)]);
        for (of, part) in known {
            if *of == document && part.contains(&start) {
                part.end = part.end.min(end);
            }
        }
    }

    /// Whether a place looks less like the change than one that was left alone.
    pub(super) fn is_doubtful(&self, site: &ChangeSite) -> bool {
        let mut alone = self.left_alone.iter();
        alone.any(|(left, right)| *left >= site.left && *right >= site.right)
    }

    fn leave_alone(&mut self, site: &ChangeSite) {
        if !self.is_doubtful(site) {
            let is_less =
                |(left, right): &(usize, usize)| *left <= site.left && *right <= site.right;
            self.left_alone.retain(|other| !is_less(other));
            self.left_alone.push((site.left, site.right));
        }
    }
}

/// The standing of each change.
pub(super) fn all_evidence(
    open: &mut OpenDocuments<'_>,
    changes: &[RepeatChange],
) -> Vec<ChangeEvidence> {
    let refused = &open.request.refused;
    let spots: Vec<Vec<ChangeSpot>> = changes.iter().map(|it| spots(it, changes)).collect();
    let evidence = |(change, spots): (&RepeatChange, &Vec<ChangeSpot>)| {
        of_history(change, changes, spots, refused)
    };
    let mut all_evidence: Vec<ChangeEvidence> = changes.iter().zip(&spots).map(evidence).collect();
    let at = open.request.at.get();
    let reaches: Vec<_> = changes
        .iter()
        .map(|it| NameReach::of(it, changes, at))
        .collect();
    let mut documents: Vec<usize> = changes.iter().map(|change| change.document).collect();
    documents.sort_unstable();
    documents.dedup();
    for index in documents {
        let Some((page, sites)) = open.sites(index, changes) else {
            continue;
        };
        for site in sites {
            let (evidence, change) = (&mut all_evidence[site.change], &changes[site.change]);
            if change.renames().is_some() && change.zone == PieceZone::Code {
                narrow(evidence, page, site, change, &spots[site.change]);
            }
        }
        for (at, change) in changes.iter().enumerate() {
            let new = change
                .swap
                .new
                .first()
                .filter(|_| change.renames().is_some());
            if let Some(new) = new.filter(|_| change.document == index) {
                let is_taken = all_evidence[at].is_variable()
                    && stands_already(page, new, &all_evidence[at], &spots[at], index);
                all_evidence[at].is_taken = is_taken;
            }
        }
        for site in sites {
            let (evidence, change) = (&mut all_evidence[site.change], &changes[site.change]);
            let is_other = change.renames().is_some() && !evidence.is_same(page, site);
            if change.document != index || is_other {
                continue;
            }
            if reaches[site.change].has_left_alone(page.start_of(site.at), evidence) {
                evidence.leave_alone(site);
            }
        }
    }
    all_evidence
}

/// Takes note of what a place says of where a name is known: a variable of the same name that begins
/// further down ends it, and a name that is declared around the change, above it, is known there only.
fn narrow(
    evidence: &mut ChangeEvidence,
    page: &DocumentPieces,
    site: &ChangeSite,
    change: &RepeatChange,
    spots: &[ChangeSpot],
) {
    let start = page.start_of(site.at);
    let is_above = |spot: &ChangeSpot| {
        let is_declared = spot.declares == Some(DeclarationKind::Variable);
        is_declared && spot.document == site.document && spot.place < start
    };
    if evidence.declares_again(page, site) {
        evidence.is_declared_again = true;
        if spots.iter().any(is_above) {
            evidence.end_at(site.document, start, page.line_end(start));
        }
        return;
    }
    let is_unknown = evidence.declares.is_none() && evidence.known.is_none();
    let above = change.place.checked_sub(start);
    let is_near = above.is_some_and(|above| above < LONGEST_BLOCK);
    if is_unknown && is_near && change.document == site.document {
        let scope = NameScope::of(page, site.at).map(|scope| scope.part());
        let around = scope.filter(|part| part.end < usize::MAX && part.contains(&change.place));
        evidence.known = around.map(|part| vec![(site.document, part)]);
    }
}

/// Whether the new name of a variable stands already where that is known.
fn stands_already(
    page: &DocumentPieces,
    new: &CodePiece,
    evidence: &ChangeEvidence,
    spots: &[ChangeSpot],
    document: usize,
) -> bool {
    let is_own = |at: usize| {
        let mut here = spots.iter().filter(|spot| spot.document == document);
        here.any(|spot| spot.pieces.contains(&at))
    };
    let mut pieces = page.pieces.iter().enumerate();
    pieces.any(|(at, piece)| {
        piece.is_like(new)
            && !is_own(at)
            && !is_no_variable(page, at)
            && evidence.is_known(document, piece.start())
    })
}

/// Where a name is known: where the changes say that were made of it. One that was made elsewhere
/// says that it is known all over that document.
fn known(spots: &[ChangeSpot]) -> Option<Vec<(usize, Range<usize>)>> {
    let homes = spots.iter().filter_map(|spot| {
        let scope = spot.scope.as_ref()?;
        Some((spot.document, scope.part()))
    });
    let mut known: Vec<(usize, Range<usize>)> = homes.collect();
    if known.is_empty() {
        return None;
    }
    for spot in spots {
        let mut parts = known.iter().filter(|(of, _)| *of == spot.document);
        if !parts.any(|(_, part)| part.contains(&spot.place)) {
            known.push((spot.document, 0..usize::MAX));
        }
    }
    Some(known)
}

/// Where a change and its equals were made.
fn spots(change: &RepeatChange, changes: &[RepeatChange]) -> Vec<ChangeSpot> {
    let equal = changes.iter().filter(|other| other.is_equal(change));
    let spots = equal.flat_map(|it| std::iter::once(it.spot()).chain(it.before.iter().cloned()));
    spots.collect()
}

fn of_history(
    change: &RepeatChange,
    changes: &[RepeatChange],
    spots: &[ChangeSpot],
    refused: &[RefusedChange],
) -> ChangeEvidence {
    let alike = changes.iter().filter(|other| other.has_same_old(change));
    let (equal, ways): (Vec<&RepeatChange>, Vec<&RepeatChange>) =
        alike.partition(|other| other.is_equal(change));
    let is_below = |other: &&RepeatChange| {
        let is_earlier = other.edit > change.edit && other.document == change.document;
        is_earlier && other.place > change.place
    };
    let before: usize = equal.iter().map(|other| other.before.len()).sum();
    let others = equal.len().saturating_sub(1) + before;
    ChangeEvidence {
        equal: u32::try_from(others).unwrap_or(u32::MAX),
        refused: count_refused(change, refused),
        is_disputed: !ways.is_empty() && !change.is_insertion(),
        declares: spots.iter().find_map(|spot| spot.declares),
        is_declared_again: false,
        goes_up: equal.iter().any(is_below),
        known: known(spots),
        is_taken: false,
        left_alone: Vec::new(),
    }
}

/// How often a change was refused: what differs between old and new text is the same.
fn count_refused(change: &RepeatChange, refused: &[RefusedChange]) -> u32 {
    let core = trimmed(&change.swap.was.core, &change.swap.is.core);
    let same = |it: &&RefusedChange| {
        let whole = (it.old_text.trim(), it.new_text.trim());
        trimmed(whole.0, whole.1) == core
    };
    let count = refused.iter().filter(same).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Two texts without what they begin and end with alike.
pub(super) fn trimmed<'text>(old: &'text str, new: &'text str) -> (&'text str, &'text str) {
    let same = |(a, b): &(char, char)| a == b;
    let head = old.chars().zip(new.chars()).take_while(same);
    let head: usize = head.map(|(a, _)| a.len_utf8()).sum();
    let (old, new) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old.chars().rev().zip(new.chars().rev()).take_while(same);
    let tail: usize = tail.map(|(a, _)| a.len_utf8()).sum();
    let cut = |text: &'text str| text.get(..text.len() - tail).unwrap_or_default();
    (cut(old), cut(new))
}

/// How far the person has been in a document since a change.
struct NameReach {
    place: usize,
    up_to: usize,
}

impl NameReach {
    fn of(change: &RepeatChange, changes: &[RepeatChange], at: usize) -> NameReach {
        let later = changes
            .iter()
            .filter(|other| other.edit < change.edit && other.document == change.document);
        // A document that the person left stays as it is, unless they look for what it declares.
        let cursor = match (change.document, change.declares) {
            (0, _) => at,
            (_, Some(DeclarationKind::Item)) => change.place,
            _ => usize::MAX,
        };
        NameReach {
            place: change.place,
            up_to: later.map(|it| it.place).fold(cursor, usize::max),
        }
    }

    /// Whether a place in the same document was left alone. People work downwards, so that what is
    /// above a change was, unless the change is at a declaration.
    fn has_left_alone(&self, start: usize, evidence: &ChangeEvidence) -> bool {
        let is_above = start < self.place;
        match (evidence.goes_up, evidence.declares) {
            (true, _) => !is_above,
            (false, Some(_)) => !is_above && start < self.up_to,
            (false, None) => is_above || start < self.up_to,
        }
    }
}
