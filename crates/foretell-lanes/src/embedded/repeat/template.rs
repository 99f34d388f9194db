//! A template: what two changes have in common, with holes where they differ.
//!
//! `send(first, 1)` became `send(&first, 1)` and `send(second, 2)` became `send(&second, 2)`: what was
//! changed is `send(‹a›, ‹b›)`, and it became `send(&‹a›, ‹b›)`. A hole is filled from the line that the
//! template is made at again, so that everything that is put in stood in both changes or stands on
//! that line. Where something else was put in, which was another in each, there is no template.
//!
//! Kept: a template has a telling name that stands in both changes, a hole that differs, and begins and
//! ends with what both have, unless the hole there is a single piece.

use std::ops::{Range, RangeInclusive};

use foretell_text::code_tokens::TokenKind;
use foretell_text::language::common_words::is_keyword;

use super::diff::{PieceDifference, differences};
use super::document_pieces::{CodePiece, DocumentPieces, PieceZone};
use super::line_change::{LineChange, LineText};
use super::weight::{is_telling, weight};

/// How many pieces a hole may have.
const LONGEST_HOLE: usize = 12;
/// How many holes a template may have.
const MOST_HOLES: usize = 6;
/// The least worth of what both changes have.
const ENOUGH: u32 = 30;
/// How many pieces are compared on one line before it is given up.
const MOST_STEPS: usize = 4_000;

/// What two changes have in common.
pub(super) struct ChangeTemplate {
    old: Vec<TemplateItem>,
    new: Vec<TemplateItem>,
    holes: Vec<TemplateHole>,
    /// How many items the old and the new begin and end with alike.
    head: usize,
    tail: usize,
    /// Which old item it is found by.
    anchor: usize,
}

/// A piece that both changes have, or a hole, with the text before it.
struct TemplateItem {
    gap: String,
    part: TemplatePart,
}

enum TemplatePart {
    Piece(CodePiece, String),
    Hole(usize),
}

/// What may stand in a hole.
struct TemplateHole {
    /// What stood there in the two changes.
    texts: [String; 2],
    /// The kind of it, if that was a single piece in both.
    kind: Option<TokenKind>,
    zone: PieceZone,
    has_comma: bool,
}

/// A place that a template fits.
#[derive(Clone, Debug)]
pub(super) struct TemplateSite {
    /// Which pieces of the page each old item is.
    items: Vec<Range<usize>>,
}

impl ChangeTemplate {
    /// The template of two changes, the later first.
    pub(super) fn of(later: &LineChange, earlier: &LineChange) -> Option<ChangeTemplate> {
        let apart = differences(&later.old.pieces, &earlier.old.pieces);
        let small = ChangeTemplate::with(later, earlier, &apart);
        small.or_else(|| ChangeTemplate::with(later, earlier, &joined(&later.old, &apart)))
    }

    /// The template that has these differences as holes.
    fn with(
        later: &LineChange,
        earlier: &LineChange,
        apart: &[PieceDifference],
    ) -> Option<ChangeTemplate> {
        let window = TemplateWindow::of(later, earlier, apart)?;
        let mut template = ChangeTemplate {
            old: Vec::new(),
            new: Vec::new(),
            holes: Vec::new(),
            head: 0,
            tail: 0,
            anchor: 0,
        };
        template.read_old(later, earlier, &window);
        template.read_new(later, earlier, &window)?;
        template.anchor = template.telling()?;
        template.compare();
        let is_whole = !template.holes.is_empty() && template.holes.len() <= MOST_HOLES;
        let (first, last) = (template.old.first()?, template.old.last()?);
        let is_bounded = template.is_bound(first) && template.is_bound(last);
        let differs = template.head < template.old.len().max(template.new.len());
        (is_whole && is_bounded && differs && template.worth() >= ENOUGH).then_some(template)
    }

    /// The piece that it is found by.
    pub(super) fn anchor(&self) -> Option<&CodePiece> {
        match &self.old.get(self.anchor)?.part {
            TemplatePart::Piece(piece, _) => Some(piece),
            TemplatePart::Hole(_) => None,
        }
    }

    /// How many pieces may be before the one that it is found by.
    pub(super) fn reach(&self) -> RangeInclusive<usize> {
        let before = self.old.get(..self.anchor).unwrap_or_default().iter();
        let is_long = |item: &&TemplateItem| match item.part {
            TemplatePart::Piece(..) => false,
            TemplatePart::Hole(id) => self.holes[id].kind.is_none(),
        };
        let long = before.filter(is_long).count();
        self.anchor..=self.anchor + long * (LONGEST_HOLE - 1)
    }

    fn read_old(&mut self, later: &LineChange, earlier: &LineChange, window: &TemplateWindow<'_>) {
        let texts = [&later.old, &earlier.old];
        let mut at = window.later.start;
        let mut holes = window.holes.iter().peekable();
        while at < window.later.end {
            if let Some(hole) = holes.next_if(|hole| hole.old.start == at) {
                let ranges = [hole.old.clone(), hole.new.clone()];
                let id = self.hole(texts, ranges);
                self.old.push(TemplateItem {
                    gap: later.old.gaps[at].clone(),
                    part: TemplatePart::Hole(id),
                });
                at = hole.old.end;
            } else {
                self.old.push(item(&later.old, at));
                at += 1;
            }
        }
    }

    /// What became of it: what stands in a hole of both stays the same hole; what both have, as it is.
    fn read_new(
        &mut self,
        later: &LineChange,
        earlier: &LineChange,
        window: &TemplateWindow<'_>,
    ) -> Option<()> {
        let [one, other] = [&later.new, &earlier.new];
        let mut at = [window.later.start, window.earlier.start];
        let behind = |change: &LineChange, window: &Range<usize>| {
            (change.new.pieces.len() + window.end).checked_sub(change.old.pieces.len())
        };
        let ends = [
            behind(later, &window.later)?,
            behind(earlier, &window.earlier)?,
        ];
        while at != ends {
            let here = |hole: &&TemplateHole| {
                let lens = [
                    stretch(one, at[0], ends[0], &hole.texts[0])?,
                    stretch(other, at[1], ends[1], &hole.texts[1])?,
                ];
                Some(lens)
            };
            let found = self.holes.iter().enumerate();
            let found = found.filter_map(|(id, hole)| Some((id, here(&hole)?)));
            let gap = one.gaps.get(at[0])?.clone();
            if let Some((id, lens)) = found.max_by_key(|(_, lens)| lens[0]) {
                let part = TemplatePart::Hole(id);
                self.new.push(TemplateItem { gap, part });
                at = [at[0] + lens[0], at[1] + lens[1]];
                continue;
            }
            let is_inside = at[0] < ends[0] && at[1] < ends[1];
            let is_like = is_inside && one.pieces[at[0]].is_like(&other.pieces[at[1]]);
            if !is_like {
                return None;
            }
            self.new.push(item(one, at[0]));
            at = at.map(|it| it + 1);
        }
        Some(())
    }

    /// The hole of what stood there, an equal one if there is any.
    fn hole(&mut self, of: [&LineText; 2], at: [Range<usize>; 2]) -> usize {
        let texts = [said(of[0], &at[0]), said(of[1], &at[1])];
        if let Some(known) = self.holes.iter().position(|hole| hole.texts == texts) {
            return known;
        }
        let pieces = [&of[0].pieces[at[0].clone()], &of[1].pieces[at[1].clone()]];
        let kind = match pieces {
            [[one], [other]] => Some(one.kind).filter(|kind| *kind == other.kind),
            _ => None,
        };
        let mut all = pieces.into_iter().flatten();
        self.holes.push(TemplateHole {
            texts,
            kind,
            zone: pieces[0].first().map_or(PieceZone::Code, |it| it.zone),
            has_comma: all.any(|piece| piece.mark() == b','),
        });
        self.holes.len() - 1
    }

    /// The old item that says most.
    fn telling(&self) -> Option<usize> {
        let items = self.old.iter().enumerate();
        let names = items.filter_map(|(at, item)| match &item.part {
            TemplatePart::Piece(piece, said) => {
                let is_name = piece.kind == TokenKind::Word && is_telling(said);
                (is_name && piece.zone != PieceZone::Comment).then_some((at, piece.len()))
            }
            TemplatePart::Hole(_) => None,
        });
        names.max_by_key(|(_, len)| *len).map(|(at, _)| at)
    }

    fn compare(&mut self) {
        let is_same = |(a, b): &(&TemplateItem, &TemplateItem)| match (&a.part, &b.part) {
            (TemplatePart::Piece(a, _), TemplatePart::Piece(b, _)) => a.is_like(b),
            (TemplatePart::Hole(a), TemplatePart::Hole(b)) => a == b,
            _ => false,
        };
        let pairs = self.old.iter().zip(&self.new);
        self.head = pairs.take_while(is_same).count();
        let most = self.old.len().min(self.new.len()) - self.head;
        let pairs = self.old.iter().rev().zip(self.new.iter().rev());
        self.tail = pairs.take(most).take_while(is_same).count();
    }

    /// Whether it is known where an item at the end begins or ends.
    fn is_bound(&self, item: &TemplateItem) -> bool {
        match item.part {
            TemplatePart::Piece(..) => true,
            TemplatePart::Hole(id) => self.holes[id].kind.is_some(),
        }
    }

    fn worth(&self) -> u32 {
        let worth = |item: &TemplateItem| match &item.part {
            TemplatePart::Piece(piece, said) => weight(piece, said),
            TemplatePart::Hole(_) => 0,
        };
        self.old.iter().map(worth).sum()
    }

    /// The place that it fits which begins at a piece.
    pub(super) fn site(&self, page: &DocumentPieces, at: usize) -> Option<TemplateSite> {
        let items = self.fits(page, at, &self.old)?;
        Some(TemplateSite { items })
    }

    /// Whether what it puts in stands at a place already.
    pub(super) fn is_made(&self, page: &DocumentPieces, site: &TemplateSite) -> bool {
        self.fits(page, site.start(), &self.new).is_some()
    }

    fn fits(
        &self,
        page: &DocumentPieces,
        at: usize,
        items: &[TemplateItem],
    ) -> Option<Vec<Range<usize>>> {
        let mut fitting = TemplateFitting {
            page,
            holes: &self.holes,
            line: page.pieces.get(at)?.line,
            steps: MOST_STEPS,
            found: Vec::new(),
        };
        fitting.fit(items, at).then_some(fitting.found)
    }

    /// What is to be replaced at a place, in bytes, and by what.
    pub(super) fn made(
        &self,
        page: &DocumentPieces,
        site: &TemplateSite,
    ) -> Option<(Range<usize>, String)> {
        let old = self.head..self.old.len() - self.tail;
        let new = self.head..self.new.len() - self.tail;
        let piece = |item: &Range<usize>| (page.start_of(item.start), page.end_before(item.end));
        let before = old.start.checked_sub(1).and_then(|it| site.items.get(it));
        let after = site.items.get(old.end);
        let changed = site.items.get(old.clone())?;
        let ends = (changed.first().map(&piece), changed.last().map(&piece));
        // With the space on both sides, where it is known which that is.
        let from = before.map(|it| piece(it).1).or(ends.0.map(|it| it.0));
        let to = after.map(|it| piece(it).0).or(ends.1.map(|it| it.1));
        let from = from.or(after.map(|it| piece(it).0))?;
        let to = to.or(before.map(|it| piece(it).1))?;
        let mut text = String::new();
        for (index, item) in self.new.get(new.clone())?.iter().enumerate() {
            if index > 0 || before.is_some() {
                text.push_str(&item.gap);
            }
            match &item.part {
                TemplatePart::Piece(_, said) => text.push_str(said),
                TemplatePart::Hole(id) => text.push_str(&self.filling(page, site, *id)?),
            }
        }
        if after.is_some() {
            text.push_str(&self.new.get(new.end)?.gap);
        }
        let is_line = !text.contains(['\n', '\r']);
        let differs = page.between(from, to) != text;
        (is_line && differs).then_some((from..to, text))
    }

    fn filling(&self, page: &DocumentPieces, site: &TemplateSite, id: usize) -> Option<String> {
        let is_it = |item: &TemplateItem| matches!(item.part, TemplatePart::Hole(it) if it == id);
        let found = site.items.get(self.old.iter().position(is_it)?)?;
        let text = page.between(page.start_of(found.start), page.end_before(found.end));
        Some(text.to_owned())
    }
}

impl TemplateSite {
    /// The first piece.
    pub(super) fn start(&self) -> usize {
        self.items.first().map_or(0, |it| it.start)
    }

    /// The first piece behind it.
    pub(super) fn end(&self) -> usize {
        self.items.last().map_or(0, |it| it.end)
    }
}

/// The part of two lines that a template is made of, and what differs in it.
struct TemplateWindow<'apart> {
    later: Range<usize>,
    earlier: Range<usize>,
    holes: Vec<&'apart PieceDifference>,
}

impl<'apart> TemplateWindow<'apart> {
    /// As much around both changes as differs only in what a hole may be.
    fn of(
        later: &LineChange,
        earlier: &LineChange,
        apart: &'apart [PieceDifference],
    ) -> Option<TemplateWindow<'apart>> {
        let (one, other) = (&later.old, &earlier.old);
        let mut window = TemplateWindow {
            later: 0..one.pieces.len(),
            earlier: 0..other.pieces.len(),
            holes: Vec::new(),
        };
        for it in apart {
            let is_before = it.old.end <= one.changed.start && it.new.end <= other.changed.start;
            let is_behind = it.old.start >= one.changed.end && it.new.start >= other.changed.end;
            let is_hole = is_hole(one, &it.old) && is_hole(other, &it.new);
            let is_edge = (is_before && it.old.start == window.later.start)
                || (is_behind && it.old.end == window.later.end);
            match (is_hole && !is_edge, is_before, is_behind) {
                (true, ..) => window.holes.push(it),
                (false, true, _) => {
                    window.later.start = it.old.end;
                    window.earlier.start = it.new.end;
                    window.holes.clear();
                }
                (false, false, true) => {
                    window.later.end = it.old.start;
                    window.earlier.end = it.new.start;
                    break;
                }
                (false, false, false) => return None,
            }
        }
        // What ends a statement or an argument says nothing.
        let is_end = |piece: &CodePiece| matches!(piece.mark(), b';' | b',');
        while window.later.end > one.changed.end
            && window.earlier.end > other.changed.end
            && one.pieces.get(window.later.end - 1).is_some_and(is_end)
        {
            window.later.end -= 1;
            window.earlier.end -= 1;
        }
        window.holes.retain(|it| it.old.end <= window.later.end);
        Some(window)
    }
}

/// Differences that are parts of one expression, as one: `a.len()` and `b.first(x)` differ in three
/// pieces, and as a whole.
fn joined(line: &LineText, apart: &[PieceDifference]) -> Vec<PieceDifference> {
    let is_within = |piece: &CodePiece| {
        let marks = [b'.', b':', b'(', b')', b'[', b']'];
        marks.contains(&piece.mark())
    };
    let mut all: Vec<PieceDifference> = Vec::new();
    for next in apart {
        let gap = |last: &PieceDifference| line.pieces.get(last.old.end..next.old.start);
        let is_near = |last: &PieceDifference| gap(last).is_some_and(|it| it.iter().all(is_within));
        match all.last_mut() {
            Some(last) if is_near(last) => {
                last.old.end = next.old.end;
                last.new.end = next.new.end;
            }
            _ => all.push(next.clone()),
        }
    }
    // What one of them opens is closed in what both have.
    for it in &mut all {
        let open: i32 = line
            .pieces
            .get(it.old.clone())
            .unwrap_or_default()
            .iter()
            .map(CodePiece::depth)
            .sum();
        let after = line.pieces.get(it.old.end..).unwrap_or_default();
        let closing = after.iter().take_while(|piece| piece.depth() < 0).count();
        let more = usize::try_from(open).unwrap_or_default().min(closing);
        it.old.end += more;
        it.new.end += more;
    }
    all
}

/// Whether some pieces of a line may be in a hole: they are whole, and no keyword is among them.
fn is_hole(line: &LineText, range: &Range<usize>) -> bool {
    let pieces = line.pieces.get(range.clone()).unwrap_or_default();
    let says = line.says.get(range.clone()).unwrap_or_default();
    let is_small = (1..=LONGEST_HOLE).contains(&pieces.len());
    let is_named = pieces.iter().any(|piece| piece.kind != TokenKind::Mark);
    let is_plain = !says.iter().any(|said| is_keyword(said));
    let zone = pieces.first().map(|piece| piece.zone);
    let is_one = pieces.iter().all(|piece| Some(piece.zone) == zone);
    is_small && is_named && is_plain && is_one && are_whole(pieces)
}

fn are_whole(pieces: &[CodePiece]) -> bool {
    let mut depth = 0_i32;
    let is_open = pieces.iter().all(|piece| {
        depth += piece.depth();
        depth >= 0
    });
    is_open && depth == 0
}

fn item(line: &LineText, at: usize) -> TemplateItem {
    TemplateItem {
        gap: line.gaps[at].clone(),
        part: TemplatePart::Piece(line.pieces[at], line.says[at].clone()),
    }
}

/// Some pieces of a line, with what is between them.
fn said(line: &LineText, range: &Range<usize>) -> String {
    let mut text = String::new();
    for at in range.clone() {
        if at > range.start {
            text.push_str(&line.gaps[at]);
        }
        text.push_str(&line.says[at]);
    }
    text
}

/// How many pieces from one on say a text together.
fn stretch(line: &LineText, from: usize, end: usize, text: &str) -> Option<usize> {
    let mut rest = text;
    for at in from..end {
        if at > from {
            rest = rest.strip_prefix(&*line.gaps[at])?;
        }
        rest = rest.strip_prefix(&*line.says[at])?;
        if rest.is_empty() {
            return Some(at + 1 - from);
        }
    }
    None
}

/// A template that is laid on a line, piece by piece.
struct TemplateFitting<'page> {
    page: &'page DocumentPieces,
    holes: &'page [TemplateHole],
    line: u32,
    steps: usize,
    found: Vec<Range<usize>>,
}

impl TemplateFitting<'_> {
    fn fit(&mut self, items: &[TemplateItem], at: usize) -> bool {
        let Some((item, rest)) = items.split_first() else {
            return true;
        };
        let Some(steps) = self.steps.checked_sub(1) else {
            return false;
        };
        self.steps = steps;
        let (page, holes, line) = (self.page, self.holes, self.line);
        let there = page.pieces.get(at..).unwrap_or_default().iter();
        let there = there.take_while(|piece| piece.line == line);
        match &item.part {
            TemplatePart::Piece(wanted, _) => {
                let is_it = there.take(1).any(|piece| piece.is_like(wanted));
                is_it && self.go_on(rest, at..at + 1)
            }
            TemplatePart::Hole(id) => {
                let hole = &holes[*id];
                let mut depth = 0;
                for (len, piece) in (1..=LONGEST_HOLE).zip(there) {
                    depth += piece.depth();
                    let is_other = piece.zone != hole.zone
                        || piece.mark() == b';'
                        || (depth == 0 && piece.mark() == b',' && !hole.has_comma)
                        || hole.kind.is_some_and(|kind| kind != piece.kind || len > 1);
                    let is_keyword = piece.kind == TokenKind::Word && is_keyword(page.says(piece));
                    if depth < 0 || is_other || is_keyword {
                        return false;
                    }
                    if depth == 0 && self.go_on(rest, at..at + len) {
                        return true;
                    }
                }
                false
            }
        }
    }

    fn go_on(&mut self, rest: &[TemplateItem], taken: Range<usize>) -> bool {
        let end = taken.end;
        self.found.push(taken);
        let is_fit = self.fit(rest, end);
        if !is_fit {
            self.found.pop();
        }
        is_fit
    }
}
