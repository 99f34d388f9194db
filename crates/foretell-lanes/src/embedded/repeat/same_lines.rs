//! Whole lines that became others, where the same lines stand again.
//!
//! A line that is the same from its first word to its last is most likely there for the same reason, so
//! that one change of it says enough, whatever was done in it: several words, a call wrapped over lines,
//! a number. How far it is set in may differ, and so may what ends it in a list.
//!
//! What speaks against it is what speaks against any change: the same lines that the person went past
//! and left alone, other lines in their place elsewhere, and a no.
//!
//! Absent on purpose: lines that were only put in or only taken out, since what says where those go is
//! around them, and not in them; lines of which a part is gone and nothing more; and names alone, which have rules of
//! their own.

use std::ops::Range;

use foretell_text::{
    ByteOffset, ByteRange, Edit, Language, RecentEdit, RefusedChange, Replacement,
};

use super::change_evidence::trimmed;
use super::diff::{PieceDifference, differences};
use super::document_pieces::{DocumentPieces, PieceZone};
use super::edit_split::EditLines;
use super::weight::weight;
use foretell_text::code_tokens::TokenKind;

/// How many lines are compared at once.
const MOST_LINES: usize = 12;
/// The least worth of lines that are looked for.
const ENOUGH: u32 = 40;
/// How many places are looked at of one change in a document.
const MOST_SITES: usize = 64;
/// How far below the cursor lines may be that were changed before something else was, in lines.
const NEAR: u32 = 8;
/// How many other edits they may have been followed by then.
const MOST_SINCE: usize = 1;

/// Lines that became others.
pub(super) struct LineSwap {
    /// In which document.
    document: usize,
    /// Which edit it is; 0 is the latest.
    edit: usize,
    /// Whether it comes next in a series.
    is_due: bool,
    /// Where they stand, in bytes.
    place: Range<usize>,
    /// The lines without what the first is set in by, and without what ends the last in a list.
    old: Vec<String>,
    new: Vec<String>,
}

/// Lines that stand in a document again.
struct LineSite {
    /// From the first letter to the last, without what ends them in a list.
    place: Range<usize>,
    line: u32,
    indent: Range<usize>,
}

/// An edit, and where it was made.
pub(super) struct LineEdit<'edit> {
    pub(super) document: usize,
    pub(super) language: &'edit Language,
    pub(super) edit: &'edit RecentEdit,
    pub(super) number: usize,
    pub(super) is_due: bool,
}

impl LineSwap {
    /// The lines that an edit made others: all of them, and where they are as many as before, each.
    pub(super) fn of(page: &DocumentPieces, made: &LineEdit<'_>) -> Vec<LineSwap> {
        let found = LineSwap::whole(page, made);
        let whole = found.iter().flat_map(|(old, new, place)| {
            let is_each = old.len() == new.len() && old.len() > 1;
            let each = (0..old.len()).filter(move |_| is_each);
            let each = each.map(|at| (&old[at..=at], &new[at..=at], place.clone()));
            std::iter::once((&old[..], &new[..], place.clone())).chain(each)
        });
        let swaps = whole.filter_map(|(old, new, place)| LineSwap::new(made, old, new, place));
        swaps.collect()
    }

    /// The changed lines, as they were and are, and where.
    fn whole<'page>(
        page: &'page DocumentPieces,
        made: &LineEdit<'_>,
    ) -> Option<(Vec<String>, Vec<&'page str>, Range<usize>)> {
        let (start, end) = (made.edit.range.start().get(), made.edit.range.end().get());
        // Nothing else than what is whole, short and still there.
        EditLines::of(page, made.language, made.edit)?;
        let (first, last) = (page.line_start(start), page.line_end(end));
        let old = [
            page.between(first, start),
            &made.edit.old_text,
            page.between(end, last),
        ];
        let old = old.concat();
        let (old, new): (Vec<&str>, Vec<&str>) = (
            old.lines().collect(),
            page.between(first, last).lines().collect(),
        );
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let ends = old[head..].iter().rev().zip(new[head..].iter().rev());
        let tail = ends.take_while(|(a, b)| a == b).count();
        let changed = |lines: &[&str]| lines[head..lines.len() - tail].len();
        let is_some = (1..=MOST_LINES).contains(&changed(&old)) && changed(&new) > 0;
        let new_lines = new[head..new.len() - tail].to_vec();
        let old_lines = old[head..old.len() - tail].iter();
        is_some.then(|| {
            let old_lines = old_lines.map(|it| (*it).to_owned()).collect();
            (old_lines, new_lines, first..last)
        })
    }

    fn new(
        made: &LineEdit<'_>,
        old: &[String],
        new: &[&str],
        place: Range<usize>,
    ) -> Option<LineSwap> {
        let first = old.first().filter(|line| !line.trim().is_empty())?;
        let indent = blanks(first);
        let set_out = |line: &str| {
            let is_blank = line.trim().is_empty();
            let rest = line.strip_prefix(indent);
            rest.or(is_blank.then_some("")).map(str::to_owned)
        };
        let mut old_lines: Vec<String> = old.iter().map(|it| set_out(it)).collect::<Option<_>>()?;
        let mut new_lines: Vec<String> = new.iter().map(|it| set_out(it)).collect::<Option<_>>()?;
        let (last, now) = (old_lines.last_mut()?, new_lines.last_mut()?);
        if let (Some(old), Some(new)) = (last.strip_suffix(','), now.strip_suffix(',')) {
            (*last, *now) = (old.to_owned(), new.to_owned());
        }
        let says_more = says_more(made.language, &old_lines.join("\n"), &new_lines.join("\n"));
        says_more.then_some(LineSwap {
            document: made.document,
            edit: made.number,
            is_due: made.is_due,
            place,
            old: old_lines,
            new: new_lines,
        })
    }

    /// Whether it may be offered on a line, where the cursor is on another of the same document.
    fn has_turn(&self, line: u32, cursor: Option<u32>) -> bool {
        let below = cursor.and_then(|cursor| line.checked_sub(cursor));
        let is_near = below.is_some_and(|below| below <= NEAR) && self.edit <= MOST_SINCE;
        self.edit == 0 || self.is_due || is_near
    }
}

/// What was done to whole lines lately, the latest first.
pub(super) struct LineSwaps(pub(super) Vec<LineSwap>);

impl LineSwaps {
    /// The edits to offer in a document, the nearest first. `cursor` is where the person is in it, in bytes.
    pub(super) fn offers(
        &self,
        page: &DocumentPieces,
        document: usize,
        cursor: Option<usize>,
        refused: &[RefusedChange],
    ) -> Vec<Edit> {
        // In prose the same line is there for another reason each time.
        if page.is_prose {
            return Vec::new();
        }
        let line_end = if page.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let mut found: Vec<(u32, bool, Edit)> = Vec::new();
        for swap in &self.0 {
            let is_other = |other: &&LineSwap| other.old == swap.old && other.new != swap.new;
            if self.0.iter().any(|it| is_other(&it)) || is_refused(swap, refused) {
                continue;
            }
            let sites = self.sites(page, document, swap);
            if swap.document == document && self.has_left_alone(swap, &sites, cursor) {
                continue;
            }
            let cursor = cursor.map(|at| page.line_at(at));
            for site in sites.iter().filter(|it| swap.has_turn(it.line, cursor)) {
                let from = cursor.unwrap_or_default();
                let is_above = site.line < from;
                let edit = swap.made(page, site, line_end);
                found.extend(edit.map(|edit| (site.line.abs_diff(from), is_above, edit)));
            }
        }
        found.sort_by_key(|(far, is_above, _)| (*is_above, *far));
        let mut offers: Vec<Edit> = Vec::new();
        for (_, _, edit) in found {
            let meets = |it: &Edit| {
                it.span()
                    .zip(edit.span())
                    .is_some_and(|(a, b)| a.touches(b))
            };
            if !offers.iter().any(meets) {
                offers.push(edit);
            }
        }
        offers
    }

    /// Whether the same lines stand where the person has been: above the change, or between it and the
    /// cursor; and the other way around for who works upwards.
    fn has_left_alone(&self, swap: &LineSwap, sites: &[LineSite], cursor: Option<usize>) -> bool {
        let is_before = |it: &&LineSwap| {
            it.document == swap.document && it.old == swap.old && it.edit > swap.edit
        };
        let mut before = self.0.iter().filter(is_before);
        let goes_up = before.any(|it| it.place.start > swap.place.start);
        let at = cursor.unwrap_or(swap.place.start);
        let (low, high) = (at.min(swap.place.start), at.max(swap.place.start));
        sites.iter().any(|site| {
            let start = site.place.start;
            let is_behind = if goes_up { start > high } else { start < low };
            is_behind || (low..high).contains(&start)
        })
    }

    /// Where the same lines stand, but for where something was made of them.
    fn sites(&self, page: &DocumentPieces, document: usize, swap: &LineSwap) -> Vec<LineSite> {
        let own = self.0.iter().filter(|it| it.document == document);
        let own: Vec<&Range<usize>> = own.map(|it| &it.place).collect();
        let Some(first) = swap.old.first() else {
            return Vec::new();
        };
        let mut found: Vec<LineSite> = Vec::new();
        for (at, _) in page.text.match_indices(first.as_str()) {
            let start = page.line_start(at);
            let is_first = page.between(start, at).trim().is_empty();
            let is_own = own.iter().any(|it| it.start <= at && at <= it.end);
            if !is_first || is_own {
                continue;
            }
            let indent = page.between(start, at);
            if let Some(end) = stands(page, &swap.old, start, indent)
                && !swap.is_within_new(page, start)
            {
                found.push(LineSite {
                    place: at..end,
                    line: page.line_at(at),
                    indent: start..at,
                });
                if found.len() >= MOST_SITES {
                    break;
                }
            }
        }
        found
    }
}

impl LineSwap {
    /// Whether a line is one of those that it makes, which may have the old ones among them.
    fn is_within_new(&self, page: &DocumentPieces, start: usize) -> bool {
        let Some(first) = self.old.first() else {
            return false;
        };
        let among = self.new.iter().enumerate();
        let mut among = among.filter(|(_, line)| line.trim() == first.trim());
        among.any(|(above, _)| {
            let mut from = start;
            for _ in 0..above {
                match from.checked_sub(1) {
                    Some(before) => from = page.line_start(before),
                    None => return false,
                }
            }
            let indent = page.indent(from);
            stands(page, &self.new, from, indent).is_some()
        })
    }

    fn made(&self, page: &DocumentPieces, site: &LineSite, line_end: &str) -> Option<Edit> {
        let indent = page.between(site.indent.start, site.indent.end);
        let lines = self.new.iter().enumerate().map(|(at, line)| {
            let is_set_in = at > 0 && !line.is_empty();
            [if is_set_in { indent } else { "" }, line].concat()
        });
        let lines: Vec<String> = lines.collect();
        let (start, end) = (site.place.start, site.place.end);
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end));
        let edit = Replacement::new(range.ok()?, lines.join(line_end));
        (!edit.is_nothing()).then(|| edit.into())
    }
}

/// Where some lines end that stand from the start of a line on, set in by so much; nothing, if others do.
fn stands(page: &DocumentPieces, lines: &[String], start: usize, indent: &str) -> Option<usize> {
    let (last, _) = lines.split_last()?;
    let (mut from, mut end) = (start, start);
    for (at, line) in lines.iter().enumerate() {
        let there = page.line(from);
        let bare = there.strip_prefix(indent).unwrap_or(there.trim_start());
        let is_last = at + 1 == lines.len();
        let is_it = bare == line || (is_last && bare.strip_suffix(',') == Some(last));
        if !is_it {
            return None;
        }
        end = from + there.len() - bare.len() + line.len();
        if !is_last {
            from = page.line_end(from);
            from += page.text.get(from..)?.find('\n')? + 1;
        }
    }
    Some(end)
}

/// Whether a change was refused that comes to the same. What was refused is known without what stood around it,
/// and perhaps set in differently, so that blanks and line ends do not count.
fn is_refused(swap: &LineSwap, refused: &[RefusedChange]) -> bool {
    let bare = |text: &str| -> String { text.split_whitespace().collect() };
    let (old, new) = (bare(&swap.old.join("\n")), bare(&swap.new.join("\n")));
    let core = trimmed(&old, &new);
    refused.iter().any(|it| {
        let (old, new) = (bare(&it.old_text), bare(&it.new_text));
        trimmed(&old, &new) == core
    })
}

/// Whether lines say enough to be known again, and what became of them more than that: something is put in,
/// and not only one name in the place of another, which means something else where it is declared anew.
fn says_more(language: &Language, old: &str, new: &str) -> bool {
    let [old, new] = [old, new].map(|it| DocumentPieces::new(language, it.to_owned()));
    let worth: u32 = old.pieces.iter().map(|it| weight(it, old.says(it))).sum();
    let apart = differences(&old.pieces, &new.pieces);
    let is_gone = apart.iter().all(|it| it.new.is_empty());
    worth >= ENOUGH && !is_gone && !is_one_name(&old, &new, &apart)
}

/// Whether all that differs is that one name became another.
fn is_one_name(old: &DocumentPieces, new: &DocumentPieces, apart: &[PieceDifference]) -> bool {
    let name = |page: &DocumentPieces, at: &Range<usize>| match page.pieces.get(at.clone()) {
        Some([one]) if one.kind == TokenKind::Word && one.zone == PieceZone::Code => {
            Some(page.says(one).to_owned())
        }
        _ => None,
    };
    let mut names = apart
        .iter()
        .map(|it| Some((name(old, &it.old)?, name(new, &it.new)?)));
    let first = names.next().flatten();
    first.is_some() && names.all(|it| it == first)
}

/// The blanks that a line starts with.
fn blanks(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len())
        .unwrap_or_default()
}
