//! Whether a place is sure enough to be offered.
//!
//! The rules are those of [`repeat`](super), the numbers are here. None of them is a fine one: they
//! may be a fifth larger or smaller with hardly a difference, since most places are either obvious or
//! hopeless.

use super::change::{PieceSwap, RepeatChange};
use super::change_evidence::{ChangeEvidence, DeclarationKind};
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::name_role::is_tag;
use super::site::ChangeSite;
use super::weight::is_telling;
use foretell_text::code_tokens::TokenKind;
use foretell_text::language::common_words::is_keyword;
use foretell_text::plain::is_word;

/// The least worth of a place and its neighbours, when there are neighbours on both sides.
const ENOUGH: u32 = 45;
/// The least worth of the neighbours in that.
const ENOUGH_AROUND: u32 = 25;
/// The least worth of the neighbours when there are some on one side only.
const ENOUGH_ON_ONE_SIDE: u32 = 60;
/// The least worth of a line to be removed.
const ENOUGH_OF_LINES: u32 = 40;
/// The least worth of the lines around one to be put in.
const ENOUGH_AROUND_LINES: u32 = 75;
/// How many neighbours on each side have to be there where a line is put in.
const LINE_NEIGHBOURS: usize = 4;
/// The least worth of the neighbours where something is put in.
const ENOUGH_FOR_AN_INSERTION: u32 = 45;
/// How many neighbours on each side have to be there then.
const INSERTION_NEIGHBOURS: usize = 2;
/// The least worth of a change around something and its neighbours.
const ENOUGH_OUTSIDE: u32 = 30;
/// The least worth of the neighbours of a name of few letters, or of a keyword.
const ENOUGH_FOR_A_SHORT_NAME: u32 = 13;
/// The least worth of the neighbours of a number.
const ENOUGH_FOR_A_NUMBER: u32 = 40;
/// How much less each equal change asks for.
const FOR_EACH_EQUAL: u32 = 10;
/// How much more each refused one asks for.
const FOR_EACH_REFUSED: u32 = 20;
/// How many other edits a change may have been followed by where the person is right above a place of it.
const MOST_SINCE: usize = 1;
/// How many a change of a name may have been followed by there: code is broken until it is made everywhere.
const MOST_SINCE_A_NAME: usize = 2;
/// How far below the cursor such a place may be, in lines.
const NEAR: u32 = 8;
/// How far that of a name may be.
const NEAR_FOR_A_NAME: u32 = 20;
/// How many equal changes it takes in other documents.
const ENOUGH_ELSEWHERE: u32 = 2;
/// How many equal changes it takes in prose.
const ENOUGH_IN_PROSE: u32 = 2;
/// How long what is removed may be, in bytes, before it was removed twice.
const LONGEST_REMOVED: usize = 40;
/// Types of one word that are no keywords everywhere.
const PLAIN_TYPES: &[&str] = &[
    "any", "byte", "dict", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "int8", "int16",
    "int32", "int64", "isize", "list", "long", "number", "object", "set", "short", "size_t", "str",
    "tuple", "u8", "u16", "u32", "u64", "u128", "uint", "uint8", "uint16", "uint32", "uint64",
    "unknown", "unsigned", "usize",
];
/// How many lines are put in again.
const MOST_LINES: usize = 3;

/// Whether a change should be offered at a site.
pub(super) fn is_sure(
    page: &DocumentPieces,
    change: &RepeatChange,
    site: &ChangeSite,
    evidence: &ChangeEvidence,
    cursor: Option<u32>,
) -> bool {
    if evidence.is_doubtful(site) || !has_turn(page, change, site, cursor) {
        return false;
    }
    if change.is_joined && !evidence.is_declared_once() {
        return false;
    }
    let bar = EvidenceBar::of(change, site, evidence);
    if !bar.has_examples() {
        return false;
    }
    if !may_be_meant(page, change, evidence) {
        return false;
    }
    if change.is_lines() && change.is_insertion() {
        return bar.allows_new_lines();
    }
    if change.is_lines() && change.is_deletion() {
        return bar.allows_fewer_lines();
    }
    if is_number(change) {
        let is_enough = bar.is_enough(bar.around, ENOUGH_FOR_A_NUMBER);
        return bar.has_lines() && bar.is_settled() && is_enough;
    }
    if let Some((old, _)) = change.renames() {
        if !evidence.is_same(page, site) || evidence.is_taken {
            return false;
        }
        if bar.is_free() && !is_tag(page, site.at) {
            let is_enough = bar.around + bar.less >= ENOUGH_FOR_A_SHORT_NAME;
            let is_name = match change.zone {
                PieceZone::Code => is_telling(old) || is_enough || evidence.is_bound(),
                PieceZone::Text | PieceZone::Comment => is_no_prose(old),
            };
            if is_name {
                return true;
            }
        }
    }
    if change.tail.is_some() {
        return bar.has_both() && bar.is_enough(change.weight + bar.around, ENOUGH_OUTSIDE);
    }
    let is_right_below = lines_below(page, site, cursor).is_some_and(|below| below <= NEAR);
    if change.is_insertion() && !is_right_below && !bar.allows_insertion() {
        return false;
    }
    let says_nothing = change.is_insertion() && evidence.equal == 0 && !says_something(change);
    !says_nothing && bar.allows()
}

/// Whether the person is still about it. Who did something else first has passed the offer over, unless they are
/// right above a place of it now, or it comes next in what they do again.
fn has_turn(
    page: &DocumentPieces,
    change: &RepeatChange,
    site: &ChangeSite,
    cursor: Option<u32>,
) -> bool {
    let (near, most_since) = if change.renames().is_some() {
        (NEAR_FOR_A_NAME, MOST_SINCE_A_NAME)
    } else {
        (NEAR, MOST_SINCE)
    };
    let below = lines_below(page, site, cursor);
    let is_near = below.is_some_and(|below| below <= near) && change.edit <= most_since;
    change.edit == 0 || change.is_due || is_near
}

/// How many lines below the cursor a place is, if it is.
fn lines_below(page: &DocumentPieces, site: &ChangeSite, cursor: Option<u32>) -> Option<u32> {
    let line = page.line_at(page.start_of(site.at));
    cursor.and_then(|cursor| line.checked_sub(cursor))
}

/// Whether a change is of a kind that people make again. In prose the same words are written for
/// another reason each time, unless they are names; marks by themselves say nothing, and in prose
/// they are drawings; and what was long and is gone is seldom there twice.
fn may_be_meant(page: &DocumentPieces, change: &RepeatChange, evidence: &ChangeEvidence) -> bool {
    let is_new = evidence.equal == 0;
    if page.is_prose && evidence.equal < ENOUGH_IN_PROSE {
        return change.renames().is_some_and(|(old, _)| is_no_prose(old));
    }
    let is_mark = |piece: &CodePiece| piece.kind == TokenKind::Mark;
    let PieceSwap { old, new, was, .. } = &change.swap;
    let is_marks = change.tail.is_none() && old.iter().chain(new).all(is_mark);
    let is_long = change.is_deletion() && was.core.len() > LONGEST_REMOVED;
    if is_marks {
        !is_new && change.zone == PieceZone::Code
    } else {
        !is_new || !is_long
    }
}

/// The evidence that a change needs at a site.
struct EvidenceBar<'site> {
    change: &'site RepeatChange,
    site: &'site ChangeSite,
    evidence: &'site ChangeEvidence,
    /// The worth of the neighbours.
    around: u32,
    less: u32,
    more: u32,
}

impl<'site> EvidenceBar<'site> {
    fn of(
        change: &'site RepeatChange,
        site: &'site ChangeSite,
        evidence: &'site ChangeEvidence,
    ) -> Self {
        let worth = |sums: &[u32], count: usize| sums.get(count).copied().unwrap_or_default();
        let left = worth(&change.left.worth, site.left);
        let right = worth(&change.right.worth, site.right);
        EvidenceBar {
            change,
            site,
            evidence,
            around: left + right,
            less: evidence.equal.saturating_mul(FOR_EACH_EQUAL),
            more: evidence.refused.saturating_mul(FOR_EACH_REFUSED),
        }
    }

    fn is_enough(&self, worth: u32, bar: u32) -> bool {
        worth.saturating_add(self.less) >= bar.saturating_add(self.more)
    }

    /// Whether it was made often enough: once, but twice if a type or a keyword became another, which is what a
    /// place needs and not what something is called. Another document says less of what the person is
    /// about: there a name takes two, unless it was changed at its declaration, and anything else three.
    /// What comes next in a series has been made often enough by that.
    fn has_examples(&self) -> bool {
        let EvidenceBar {
            change,
            site,
            evidence,
            ..
        } = self;
        // Who has gone to another document is about that.
        let is_here = site.document == change.document || site.document == 0;
        let names = change.renames().filter(|_| change.zone == PieceZone::Code);
        let is_of_types = names.is_some_and(|(old, new)| is_type(old) && is_type(new));
        let is_declared = names.is_some() && evidence.is_at_declaration(change, site);
        let is_plain = !is_of_types && (is_here || is_declared);
        let enough = if is_here || names.is_some() {
            1
        } else {
            ENOUGH_ELSEWHERE
        };
        is_plain || evidence.equal >= enough || change.is_due
    }

    /// Whether it was made again at least as often as it was refused.
    fn is_settled(&self) -> bool {
        self.evidence.refused <= self.evidence.equal
    }

    fn has_both(&self) -> bool {
        self.site.left > 0 && self.site.right > 0
    }

    /// Whether the rest of the lines that the change is on, or between, is the same.
    fn has_lines(&self) -> bool {
        let EvidenceBar { change, site, .. } = self;
        site.left >= change.left.line && site.right >= change.right.line
    }

    /// Whether a name was changed everywhere so far, and nothing but the name.
    fn is_free(&self) -> bool {
        let ChangeEvidence {
            is_disputed,
            left_alone,
            ..
        } = self.evidence;
        let left = self.change.left.pieces.first();
        let is_member = left.is_some_and(|piece| piece.mark() == b'.');
        let is_alone = self.change.others == 0;
        is_alone && !is_member && !is_disputed && left_alone.is_empty() && self.is_settled()
    }

    fn allows(&self) -> bool {
        let weight = self.change.weight;
        let is_between = self.has_both()
            && self.is_enough(weight + self.around, ENOUGH)
            && self.is_enough(self.around, ENOUGH_AROUND);
        is_between || (weight >= 10 && self.is_enough(self.around, ENOUGH_ON_ONE_SIDE))
    }

    /// Whether enough neighbours are there on each side, or the rest of the line: between them nothing is missing
    /// otherwise.
    fn allows_insertion(&self) -> bool {
        let EvidenceBar { change, site, .. } = self;
        let is_left = site.left >= INSERTION_NEIGHBOURS.min(change.left.line.max(1));
        let is_right = site.right >= INSERTION_NEIGHBOURS.min(change.right.line.max(1));
        is_left && is_right && self.around >= ENOUGH_FOR_AN_INSERTION
    }

    fn allows_new_lines(&self) -> bool {
        let put_in = &self.change.swap.is.core;
        let is_short = put_in.lines().count() <= MOST_LINES || self.evidence.equal > 0;
        let is_remark = self.change.zone == PieceZone::Comment;
        let mut declares = words(put_in).filter_map(DeclarationKind::by);
        let is_said_once = is_remark || declares.any(|it| it == DeclarationKind::Item);
        let is_between = self.site.left >= LINE_NEIGHBOURS && self.site.right >= LINE_NEIGHBOURS;
        let is_enough = is_between && self.around >= ENOUGH_AROUND_LINES + self.more;
        is_short && !is_said_once && self.has_lines() && is_enough
    }

    fn allows_fewer_lines(&self) -> bool {
        let removed = &self.change.swap.was.core;
        let first = removed.split_whitespace().next().unwrap_or_default();
        let declares = DeclarationKind::by(first).is_some() || first.ends_with(':');
        // One line of two that are the same is mostly removed since one is enough.
        // In another document they may still be needed.
        let is_here = self.site.document == self.change.document;
        let is_again = self.evidence.equal > 0 && is_here;
        !declares && is_again && self.change.weight >= ENOUGH_OF_LINES + self.more
    }
}

/// Whether a word is a type that a language has, or one of its keywords.
fn is_type(word: &str) -> bool {
    let is_sized = word
        .strip_suffix("_t")
        .is_some_and(|it| it.ends_with(char::is_numeric));
    is_keyword(word) || is_sized || PLAIN_TYPES.contains(&word)
}

fn is_number(change: &RepeatChange) -> bool {
    let is_number = |piece: &CodePiece| piece.kind == TokenKind::Number;
    let old = matches!(&change.swap.old[..], [one] if is_number(one));
    old && change.swap.new.iter().any(is_number)
}

/// Whether what was put in has a name in it: a mark or a keyword by itself says nothing.
fn says_something(change: &RepeatChange) -> bool {
    change.zone != PieceZone::Code || words(&change.swap.is.core).any(is_telling)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_word(character))
}

/// Whether a word can only be a name: no prose has underscores, digits or capitals in its words.
fn is_no_prose(word: &str) -> bool {
    let is_odd = |character: char| !character.is_alphabetic() || character.is_uppercase();
    word.chars().skip(1).any(is_odd)
}
