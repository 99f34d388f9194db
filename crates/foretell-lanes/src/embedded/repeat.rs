//! Makes the person's last change again at the next place that looks the same, and brings in what it
//! takes.
//!
//! History alone has a ceiling, and being wrong is worse than being quiet, so that each rule below
//! stands for something that holds in any language and is turned off by what speaks against it.
//!
//! **What is a change.** An edit is compared with what stood there, piece by piece: words, numbers and
//! marks, without space. What differs is a change, with its neighbours on both sides. Differences with
//! only marks between them are one; a pair of differences around something that stays, one that opens a
//! bracket and one that closes it, is a call put around it or taken away. Half a pair of brackets, a
//! line of which the end was just cut off, and a line that ends in the middle of an expression are work
//! in progress and no change: brackets have to be closed as they were, each kind by its own and in order.
//! Nothing follows from an edit that the person has not finished, in any of the ways below: they are still on
//! its lines, and have not paused where it may end. Changes of formatters are none either. Edits that go on with one another
//! at one word are one, however long the person paused in the middle of it: for a name that is
//! declared, and only once, since people pause in the middle of everything.
//!
//! **How often it has to be made first.** Once, but twice where a type or a keyword became another: `int`
//! that became `long` says what one place needs, and not how something is called. Another document says
//! less of what the person is about until they go there: it is twice for a name, unless it was changed at its
//! declaration and others may use it, and what is no name takes three there. Who does the same two things again
//! goes on with what came third, so that the next of a series is made again after once. What is
//! changed in lines that were just put in is still being written: who changes the copy of a line leaves
//! the line.
//!
//! **Where it is made again.** Where the same pieces stand in the same zone (code, string or comment)
//! and never inside a longer word:
//! - *A name* that became another is changed wherever it stands, if it was changed everywhere so far:
//!   nothing else was changed on its line, it was not changed in two ways, and it is not a member
//!   that any type may have. A name that is declared in a part of a document is known only there,
//!   and one of which others are not told only in its document, until it is changed elsewhere too.
//!   A second declaration of a variable is another variable, and a member or a key is none. A
//!   variable does not take a name that is in use where it is known. Names in other spellings
//!   (`next_abi` for `next-abi`, `NextAbi` for `next_abi`) follow. In a string, a comment or prose
//!   only a word that can be nothing but a name is one.
//! - *Anything else* needs neighbours that say enough: a long name says much, a keyword little, a
//!   comma next to nothing, and the further away the less. Neighbours on one side only must say more.
//! - *A number* says so little that the rest of its line must be the same.
//! - *What was put in* goes between two of the same neighbours on each side, or the rest of the line. One is
//!   enough only right below the cursor: names and brackets stand in many places where nothing is missing.
//! - *The same line*, from its first word to its last, is changed as it was, whatever was done in it; see
//!   `same_lines`.
//! - *Whole lines* that were put in go between the same two lines, with enough of each, unless they
//!   declare something or are a remark: neither is said twice. Whole lines that were removed twice are
//!   removed where they stand again in that document, unless they declare something: who removes one
//!   of two may want the other.
//! - *An edit of several parts* is made as a whole where the whole fits; its parts are made by
//!   themselves only where all parts of a line are.
//!
//! **What speaks against it.** A place that the person has gone past and left alone shows what the
//! change is *not* about: no place is offered that looks less like the change than that. Each equal
//! change asks for less of the neighbours, each that was taken back or refused for more. Who has let
//! minutes go by is done with it. Who has done other things since has passed it over: then it is offered
//! only right below the cursor, and for a name a little further, since it is wrong until it is
//! changed everywhere.
//!
//! **What is never made again** after it was made once: anything in prose but a name, marks without a
//! word, and the removal of something long.
//!
//! **Two changes with names of their own.** `send(a)` became `send(a, a.key)`, and `send(b)` became
//! `send(b, b.key)`: where the last two changes are the same but for what differs by place, they are a
//! template with holes, found by a name that both have. A hole is filled from the line it is made on, so
//! that nothing is put in that stood in only one of the two. A place between the two that fits and was
//! left alone, or one that the person went past, says that they had something else in mind. Two changes
//! say more than one, so that a template goes before what each of them says by itself.
//!
//! **An import that is missing.** A name that was just written, that the document does not know and
//! another file imports, is imported by the same line; see `missing_import`. It waits until the change
//! itself has no further place.
//!
//! **Which place is first.** The nearest below, then the nearest above (first, if the person works
//! upwards), then the other documents in the order of their names, from this one on, as a search
//! would list them. All places on that line and on the lines right below go together.
//!
//! | module | what it is |
//! | --- | --- |
//! | `open_documents` | the documents, and what was changed in them |
//! | `joined_edits` | edits with a pause in the middle of a word, as one |
//! | `document_pieces` | a document as pieces |
//! | `diff` | what differs between two runs of pieces |
//! | `edit_split` | an edit, taken apart into changes |
//! | `change` | what was changed, and its neighbours |
//! | `spelling` | the same name in another spelling |
//! | `site` | where it stands |
//! | `name_scope` | where a name is known |
//! | `name_role` | what kind of place a name stands at |
//! | `change_evidence` | what speaks for a change and against it |
//! | `judge` | whether a place is sure enough |
//! | `weight` | how much a neighbour says |
//! | `change_fitting` | a change, made to fit a place |
//! | `offer` | which places go together, and which are first |
//! | `line_change` | what an edit did to each line |
//! | `same_lines` | whole lines that became others, where the same stand again |
//! | `template` | what two changes have in common |
//! | `template_offer` | where that is made again |
//! | `missing_import` | the import of a new name, as another file has it |
//! | `changed_names` | the names that changes were about: places to look at, not to change |
//!
//! Absent on purpose: grammars and types. They would find more, in the languages that they were
//! written for. Where a name is known is told from how code is set in, as in any language.

mod change;
mod change_evidence;
mod change_fitting;
mod changed_names;
mod diff;
mod document_pieces;
mod edit_split;
mod joined_edits;
mod judge;
mod line_change;
mod missing_import;
mod name_role;
mod name_scope;
mod offer;
mod open_documents;
mod same_lines;
mod site;
mod spelling;
mod template;
mod template_offer;
mod weight;

use foretell_text::LaneCandidate;

use crate::lane_request::LaneRequest;
pub(crate) use changed_names::ChangedNames;
use missing_import::missing_import;
use open_documents::OpenDocuments;
use template_offer::TwoChanges;

/// How many places are offered.
const MOST_CANDIDATES: usize = 3;

/// The suggestions, the best first.
pub fn predict(request: &LaneRequest, is_stopped: &dyn Fn() -> bool) -> Vec<LaneCandidate> {
    let mut open = OpenDocuments::new(request);
    let ways: [RepeatWay; 3] = [from_template, at_next_place, missing_import];
    let mut found = ways.iter().map(|way| way(&mut open, is_stopped));
    found.find(|it| !it.is_empty()).unwrap_or_default()
}

/// A way to find what is done next. What two changes have in common says more than either of them, and
/// an import can wait until the places are done.
type RepeatWay = fn(&mut OpenDocuments<'_>, &dyn Fn() -> bool) -> Vec<LaneCandidate>;

/// What the last two changes have in common, at the next place that it fits.
fn from_template(
    open: &mut OpenDocuments<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<LaneCandidate> {
    let changes = open.line_changes();
    let Some(two) = TwoChanges::of(&changes) else {
        return Vec::new();
    };
    let (cursor, refused) = (open.request.at.get(), &open.request.refused);
    // A place that was passed over is looked for first, and that can only be in the document of either.
    let mut order = open.order();
    order.sort_by_key(|index| !two.is_in(*index));
    for index in order {
        if is_stopped() {
            return Vec::new();
        }
        let Some(page) = open.page(index) else {
            continue;
        };
        let cursor = (index == 0).then_some(cursor);
        let Some(offers) = two.offers(page, index, cursor, refused) else {
            return Vec::new();
        };
        if !offers.is_empty() {
            let document = open.id(index);
            let candidate = |edit| LaneCandidate::new(document.clone(), edit);
            return offers.into_iter().map(candidate).collect();
        }
    }
    Vec::new()
}

/// One of the last changes where it comes first, as a part of a line or as whole lines. On one line
/// whole lines say more.
fn at_next_place(
    open: &mut OpenDocuments<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Vec<LaneCandidate> {
    let lines = same_lines(open, is_stopped);
    let parts = again(open, is_stopped);
    let Some(whole) = lines.first() else {
        return parts;
    };
    let Some(part) = parts.first() else {
        return lines;
    };
    if open.distance(whole) <= open.distance(part) {
        lines
    } else {
        parts
    }
}

/// Whole lines that were changed, where the same stand again.
fn same_lines(open: &mut OpenDocuments<'_>, is_stopped: &dyn Fn() -> bool) -> Vec<LaneCandidate> {
    let swaps = open.line_swaps();
    if swaps.0.is_empty() {
        return Vec::new();
    }
    let (cursor, refused) = (open.request.at.get(), &open.request.refused);
    for index in open.order() {
        if is_stopped() {
            return Vec::new();
        }
        let Some(page) = open.page(index) else {
            continue;
        };
        let cursor = (index == 0).then_some(cursor);
        let mut offers = swaps.offers(page, index, cursor, refused);
        offers.truncate(MOST_CANDIDATES);
        if !offers.is_empty() {
            let document = open.id(index);
            let candidate = |edit| LaneCandidate::new(document.clone(), edit);
            return offers.into_iter().map(candidate).collect();
        }
    }
    Vec::new()
}

/// One of the last changes, at the next place that looks the same.
fn again(open: &mut OpenDocuments<'_>, is_stopped: &dyn Fn() -> bool) -> Vec<LaneCandidate> {
    let request = open.request;
    let changes = open.changes();
    if changes.is_empty() || is_stopped() {
        return Vec::new();
    }
    let all_evidence = change_evidence::all_evidence(open, &changes);
    for index in open.order() {
        if is_stopped() {
            return Vec::new();
        }
        let Some((page, sites)) = open.sites(index, &changes) else {
            continue;
        };
        let from = match index {
            0 => request.at.get(),
            _ => 0,
        };
        let offers = offer::OfferTable {
            page,
            changes: &changes,
            all_evidence: &all_evidence,
            cursor: (index == 0).then(|| page.line_at(from)),
        };
        let offers = offers.offers(sites, from, MOST_CANDIDATES);
        if !offers.is_empty() {
            let document = open.id(index);
            let candidate = |edit| LaneCandidate::new(document.clone(), edit);
            return offers.into_iter().map(candidate).collect();
        }
    }
    Vec::new()
}
