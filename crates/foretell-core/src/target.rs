//! A target: the text that an edit leads to, and what is left of the way there as the text changes.
//!
//! A rejected suggestion and a shown one are both targets. The edit is given trimmed, and
//! moved at every change until one conflicts with it. That alone would lose it too easily: a person
//! who deletes the character before it and types it again has the same text as before, but the
//! second key lands on the edit. So from the first change that touches it, a target also keeps in
//! mind where it *was*: the edit as it stood then, and a [`Window`] on everything done there since.
//! Of what was done on balance, three questions are asked:
//! 1. Is it nothing? Then the edit as it stood is left: undo, or deleting what was typed, brings it
//!    back, also with other edits made elsewhere in between.
//! 2. Is it *on the way* to the target? Then what remains is exactly the edit from here to there.
//! 3. Does it lie beside the edit? Then the edit moved over it is left, which is enough for a
//!    rejection and for what lies elsewhere, and not for what is drawn at the cursor.
//!
//! If none holds, and it could not simply be moved all along, it is lost until one does again.
//!
//! The rest never takes away what the person has written on balance since the target was given,
//! but for the closer of an auto-closed pair, which the target has further on: what they wrote is what
//! it has there next, or it has all of that around one gap. A key that it does not have there leaves
//! the way, also if the same character comes a little later. The end of the target may be written
//! first; but with the cursor still behind that, it is a key like any other, and what is left is not
//! drawn. Only who asks knows the cursor, so they ask about this too ([`Target::is_gap_before`]). The
//! white space in which a new line begins is the editor's more often than the person's, so other
//! white space there leaves no way.
//!
//! What is typed beside it, in its line, is like any other change of its place for what is drawn at
//! the cursor: it leaves the way, and taking it back returns ([`Target::follow_beside`]).
//!
//! Only the past since it was *first* touched leads to the target itself, and only that one says what
//! is drawn at the cursor ([`WayToTarget`]). But what could be moved all along is remembered like this too
//! when it is touched again, because what was done since may stop conflicting with it. Such a later
//! past leads to a text that also holds what was done before: a rejection is about that text as well,
//! what is shown is not. And while an older past still holds, nothing later is begun: who types the
//! first character of the target twice has left its way, and is not on the way to a text in which it
//! comes twice.

use std::ops::Range;

use foretell_text::{
    ByteOffset, ByteRange, CarryAgreement, ChangeElsewhere, Edit, Replacement, Text,
};

use crate::window::{ChangeStep, TextGrowth, Window, WindowDifference};

/// The longest stretch in which a person may still be on the way: longer than any suggestion that
/// is typed by hand, and short enough to look at for every key.
const LONGEST_WAY: usize = 16 * 1024;

/// How many pasts are kept of one target.
const MOST_PASTS: usize = 8;

/// By how much the white space of the editor may be more than that of the target, in bytes.
const DEEPEST_INDENT: usize = 64;

/// The longest way within a line, in bytes, from a target to what is typed beside it.
const LONGEST_LINE: usize = 256;

/// Where an edit leads, followed through the changes of its document.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Trimmed, and moved over every change so far; nothing once a change has conflicted.
    moved: Option<Edit>,
    /// Whether there is a way to the target itself.
    way: WayToTarget,
    /// Where `moved` was when its place was touched again, the oldest first.
    later: Vec<PastEdit>,
    /// Where the edit may as well be written with the same effect, while it has at most moved.
    slack: Option<ByteRange>,
    /// Everything it is about, in the text now: a change outside of this only moves it.
    reach: ByteRange,
}

/// The way from the text now to the target itself, as far as it is known.
#[derive(Clone, Debug)]
enum WayToTarget {
    /// Nothing was done at the place, on balance: the edit moved is all of the way.
    Untouched,
    /// The place was touched, and this is where the edit was before. Boxed, because most targets
    /// are never touched.
    Since(Box<PastEdit>),
    /// So much was done beside it that the way is not looked for any more.
    Lost,
}

/// Where an edit was before something touched it.
#[derive(Clone, Debug)]
struct PastEdit {
    /// The edit as it stood, for the text with the window undone.
    origin: Edit,
    window: Window,
    /// The rest that is left because of it, trimmed.
    remaining: Option<RemainingEdit>,
}

/// The rest that is left because of a past place.
#[derive(Clone, Debug)]
struct RemainingEdit {
    edit: Edit,
    kind: RemainingKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemainingKind {
    /// The edit as it stood, since everything is as it was.
    Back,
    /// The edit, moved over what was done on balance.
    Moved,
    /// The rest of it: the person is on the way to it.
    OnTheWay,
    /// The same, but they have written its end already, and what is left is a gap before that.
    Gap,
}

impl Target {
    /// Where a trimmed edit leads that fits the text of its document.
    pub(crate) fn of(edit: Edit, text: &Text) -> Self {
        let mut target = Target::parked(edit);
        target.settle(text);
        target
    }

    /// Where a trimmed edit leads whose text is not here.
    pub(crate) fn parked(edit: Edit) -> Self {
        Target {
            reach: edit.span().unwrap_or_default(),
            slack: None,
            moved: Some(edit),
            way: WayToTarget::Untouched,
            later: Vec::new(),
        }
    }

    /// The edit that it was given, as long as nothing has touched it, for changing it.
    pub(crate) fn untouched(&mut self) -> Option<&mut Edit> {
        match self.way {
            WayToTarget::Untouched => self.moved.as_mut(),
            WayToTarget::Since(_) | WayToTarget::Lost => None,
        }
    }

    /// Takes note of the text that it is for.
    pub(crate) fn settle(&mut self, text: &Text) {
        // Among repeated characters a person may type it anywhere.
        let effect = self.moved.as_ref().map(|edit| edit.effect(text));
        self.slack = effect.and_then(|effect| {
            let effect = effect.ok()?;
            let starts = effect.starts(text)?;
            let length = effect.replacement()?.range().len();
            let end = ByteOffset::new(starts.end().get() + length);
            ByteRange::new(starts.start(), end).ok()
        });
        self.reach = self.whole_reach();
    }

    /// Returns the rest, trimmed: nothing while it is lost, seldom several places, where the changes
    /// since can be read in several ways.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &Edit> + Clone {
        let moved = self.moved.as_ref();
        let remaining = self.remaining().map(|remaining| &remaining.edit);
        let others = remaining.filter(move |edit| Some(*edit) != moved);
        moved.into_iter().chain(others)
    }

    /// Returns the rest to show at the place itself: what remains if the person is on the way, or all of
    /// it if they have done nothing there, on balance. A change beside it takes it away.
    pub(crate) fn left_here(&self) -> Option<&Edit> {
        match &self.way {
            WayToTarget::Untouched => self.moved.as_ref(),
            WayToTarget::Since(past) => past.exact(),
            WayToTarget::Lost => None,
        }
    }

    /// Returns the rest to show wherever it is: the same, or the edit moved.
    pub(crate) fn left_anywhere(&self) -> Option<&Edit> {
        self.left_here().or_else(|| self.edits().next())
    }

    /// Whether a cursor stands behind the gap that is left, in what the person has written of the end:
    /// they typed what does not come there, and did not go back.
    pub(crate) fn is_gap_before(&self, cursor: ByteOffset, left: &Edit, text: &Text) -> bool {
        let mut pasts = self.pasts();
        let is_gap_of = |past: &PastEdit| {
            past.leaves_gap(left)
                && past.is_written_up_to(cursor, text)
                && !past.is_indent_up_to(cursor, left, text)
        };
        if !pasts.any(is_gap_of) {
            return false;
        }
        // Among repeated characters it may as well be written further on.
        let starts = left.effect(text).ok().and_then(|it| it.starts(text));
        starts.is_some_and(|starts| starts.end() < cursor)
    }

    /// The edit as it was given, if it has at most moved.
    pub(crate) fn moved(&self) -> Option<&Edit> {
        self.moved.as_ref()
    }

    /// Where it was before it was first touched, and the text there was then, given the text now.
    pub(crate) fn first_past(&self, text: Option<&Text>) -> Option<(&Edit, Option<Text>)> {
        let past = self.pasts().next()?;
        Some((&past.origin, text.and_then(|text| past.window.undo(text))))
    }

    /// Whether a stretch meets anything that it is about.
    pub(crate) fn is_near(&self, span: ByteRange) -> bool {
        self.reach.touches(span)
    }

    /// Whether any part of a change is made at its place.
    pub(crate) fn is_touched_by(&self, change: &Edit) -> bool {
        let mut parts = change.replacements().iter().map(Replacement::range);
        parts.any(|part| self.reach.touches(part))
    }

    /// Moves over a change that lies on one side of it, or says that it does not.
    pub(crate) fn passes(&mut self, span: ByteRange, growth: TextGrowth) -> bool {
        if self.reach.end() < span.start() {
            return true;
        }
        if span.end() >= self.reach.start() {
            return false;
        }
        self.reach = growth.moved(self.reach);
        self.slack = self.slack.map(|slack| growth.moved(slack));
        if let Some(edit) = &mut self.moved {
            growth.move_edit(edit);
        }
        self.pasts_mut().for_each(|past| past.move_over(growth));
        true
    }

    /// Follows a change, given whole and in steps.
    pub(crate) fn follow(
        &mut self,
        before: &Text,
        change: &Edit,
        steps: &[ChangeStep],
        after: &Text,
    ) {
        // Where it stands now is worth remembering, unless a past leads here, or leads exactly to
        // where the person is going: then this is another reading of the same keys.
        let is_told = |edit: &Edit| {
            self.pasts().any(|past| past.exact().is_some())
                || self.remaining().any(|told| told.edit == *edit)
        };
        let stood = self.moved.clone().filter(|edit| !is_told(edit));
        let slack = self.slack;
        self.move_over(before, change);
        self.part_with_what_misses(change, steps);
        for past in self.pasts_mut() {
            steps.iter().for_each(|step| past.follow(step));
            past.judge(after);
        }
        if let Some(past) = stood.and_then(|stood| PastEdit::since(stood, slack, steps)) {
            match self.way {
                WayToTarget::Untouched => self.way = WayToTarget::Since(Box::new(past)),
                WayToTarget::Since(_) | WayToTarget::Lost => self.later.push(past),
            }
        }
        self.tidy();
        self.settle(after);
    }

    /// Follows a change in the same line that does not touch it: the person has left its way, and may
    /// take back what they typed there. Returns whether it is near enough to be followed.
    pub(crate) fn follow_beside(
        &mut self,
        before: &Text,
        change: &Edit,
        steps: &[ChangeStep],
        after: &Text,
    ) -> bool {
        let Some(span) = change
            .span()
            .filter(|span| self.is_in_line_with(*span, before))
        else {
            return false;
        };
        let [step] = steps else {
            return false;
        };
        let slack = hull(self.slack.unwrap_or(self.reach), span);
        let stood = match self.way {
            WayToTarget::Untouched => self.moved.clone(),
            WayToTarget::Since(_) | WayToTarget::Lost => None,
        };
        self.move_over(before, change);
        for past in self.pasts_mut() {
            past.window.take_in(step);
            past.judge(after);
        }
        if let Some(past) = stood.and_then(|stood| PastEdit::since(stood, Some(slack), steps)) {
            self.way = WayToTarget::Since(Box::new(past));
        }
        self.tidy();
        self.settle(after);
        true
    }

    /// Whether there is no line end between it and a stretch that does not touch it, and little else.
    fn is_in_line_with(&self, other: ByteRange, text: &Text) -> bool {
        let (start, end) = if other.end() < self.reach.start() {
            (other.end(), self.reach.start())
        } else {
            (self.reach.end(), other.start())
        };
        let between = ByteRange::new(start, end).ok();
        let between = between.filter(|between| between.len() <= LONGEST_LINE);
        let between = between.and_then(|between| text.read(between).ok());
        between.is_some_and(|between| !between.contains(['\n', '\r']))
    }

    /// Gives up the way if a change is made at the place that its past does not notice, because it
    /// is the edit moved that it touches: from then on that past leads elsewhere too.
    fn part_with_what_misses(&mut self, change: &Edit, steps: &[ChangeStep]) {
        let WayToTarget::Since(past) = &self.way else {
            return;
        };
        if past.notices(steps) || !self.is_touched_by(change) {
            return;
        }
        if let WayToTarget::Since(past) = std::mem::replace(&mut self.way, WayToTarget::Lost) {
            self.later.insert(0, *past);
        }
    }

    /// Moves over a change, as it was made or trimmed, or gives up moving.
    fn move_over(&mut self, before: &Text, change: &Edit) {
        if let Some(mut edit) = self.moved.take() {
            let trimmed = || change.trimmed(before).unwrap_or_default();
            let moves = edit.rebase_over(change).is_ok() || edit.rebase_over(&trimmed()).is_ok();
            self.moved = moves.then_some(edit);
        }
    }

    /// Lets go of what is undone, too long to look at, or too much.
    fn tidy(&mut self) {
        let moved = &mut self.moved;
        // A past that is over leaves the edit moved, unless that has gone elsewhere.
        let mut is_over = |past: &PastEdit| {
            let left = past.left_at_its_end();
            left.is_some_and(|left| left == moved.get_or_insert_with(|| left.clone()))
        };
        match &self.way {
            WayToTarget::Since(past) if is_over(past) => {
                self.way = match past.exact() {
                    Some(_) => WayToTarget::Untouched,
                    None => WayToTarget::Lost,
                };
            }
            WayToTarget::Untouched | WayToTarget::Since(_) | WayToTarget::Lost => {}
        }
        self.later.retain(|past| !is_over(past));
        if matches!(self.way, WayToTarget::Untouched) {
            // Everything is as it was, so nothing that was done since matters.
            self.later.clear();
        }
        if self.pasts().count() > MOST_PASTS {
            // The oldest stays: it is the one that undoing everything comes back to.
            let second = match self.way {
                WayToTarget::Since(_) => 0,
                WayToTarget::Untouched | WayToTarget::Lost => 1,
            };
            self.later.remove(second);
        }
    }

    /// Where it was, the oldest first.
    fn pasts(&self) -> impl Iterator<Item = &PastEdit> + Clone {
        let first = match &self.way {
            WayToTarget::Since(past) => Some(&**past),
            WayToTarget::Untouched | WayToTarget::Lost => None,
        };
        first.into_iter().chain(&self.later)
    }

    fn pasts_mut(&mut self) -> impl Iterator<Item = &mut PastEdit> {
        let first = match &mut self.way {
            WayToTarget::Since(past) => Some(&mut **past),
            WayToTarget::Untouched | WayToTarget::Lost => None,
        };
        first.into_iter().chain(&mut self.later)
    }

    /// Returns the rest that is left because of it.
    fn remaining(&self) -> impl Iterator<Item = &RemainingEdit> + Clone {
        self.pasts().filter_map(|past| past.remaining.as_ref())
    }

    /// Returns the range of its edits and its pasts.
    fn whole_reach(&self) -> ByteRange {
        let pasts = self.pasts().map(PastEdit::reach);
        let spans = self
            .edits()
            .filter_map(Edit::span)
            .chain(pasts)
            .chain(self.slack);
        let (starts, ends) = (
            spans.clone().map(ByteRange::start),
            spans.map(ByteRange::end),
        );
        let start = starts.min().unwrap_or_default();
        ByteRange::new(start, ends.max().unwrap_or(start)).unwrap_or(ByteRange::empty(start))
    }

    /// Checks what every step keeps, given the text of the document.
    pub(crate) fn assert_invariants(&self, text: &Text, what: impl std::fmt::Display) {
        assert_eq!(self.reach, self.whole_reach(), "{what} reaches elsewhere");
        for left in self.edits() {
            assert!(
                left.apply(text).is_ok(),
                "{what} does not fit its text: {left:?}"
            );
        }
        assert!(
            self.moved.is_some() || self.pasts().next().is_some(),
            "{what} is nowhere"
        );
        assert!(self.pasts().count() <= MOST_PASTS, "{what} remembers more");
        if let WayToTarget::Untouched = self.way {
            assert!(self.moved.is_some(), "{what} was touched");
            assert!(self.later.is_empty(), "{what} was touched, but not first");
        }
        for past in self.pasts() {
            past.assert_invariants(text, &what);
        }
    }
}

/// The stretch from the start of the first to the end of the last.
fn hull(one: ByteRange, other: ByteRange) -> ByteRange {
    let (start, end) = (one.start().min(other.start()), one.end().max(other.end()));
    ByteRange::new(start, end).unwrap_or(one)
}

/// Returns the missing end of an insertion of which the beginning was typed, and nothing else.
fn rest_behind(origin: &Edit, done: WindowDifference<'_>, text: &Text) -> Option<Edit> {
    let [only] = origin.replacements() else {
        return None;
    };
    let at = ByteRange::empty(only.range().start());
    if only.range() != at || done.undone != at {
        return None;
    }
    let rest = only.new_text().strip_prefix(&*text.read(done.now).ok()?)?;
    let rest = Replacement::insertion(done.now.end(), rest);
    Some(if rest.is_nothing() {
        Edit::empty()
    } else {
        rest.into()
    })
}

/// Returns the missing part if that is one stretch: a person may have written the end of it first.
fn one_gap(piece: &Text, now: &Text, target: &Text, ours: &Edit, base: &Edit) -> Option<Edit> {
    // A person who deletes what it keeps does not want that back.
    let is_kept = |part: &Replacement| {
        let mut taken = ours.replacements().iter().map(Replacement::range);
        !part.range().is_empty() && !taken.any(|range| range.contains(part.range()))
    };
    if base.replacements().iter().any(is_kept) && !has_all_around(piece, now, ours) {
        return None;
    }
    let whole = ByteRange::new(ByteOffset::ZERO, now.end()).ok()?;
    let rest = Edit::from(Replacement::new(whole, target.to_string()));
    let rest = rest.trimmed(now).ok()?;
    let is_gap = |part: &Replacement| part.range().is_empty();
    rest.replacements().iter().all(is_gap).then_some(rest)
}

/// Whether everything around an edit still stands, whichever of some repeated characters were taken.
fn has_all_around(before: &Text, now: &Text, ours: &Edit) -> bool {
    let Some(place) = ours.span() else {
        return false;
    };
    let (before, now) = (before.to_string(), now.to_string());
    let front = before.get(..place.start().get());
    let back = before.get(place.end().get()..);
    let middle = front.and_then(|front| now.strip_prefix(front));
    let middle = middle
        .zip(back)
        .and_then(|(rest, back)| rest.strip_suffix(back));
    middle.is_some()
}

/// Returns the missing part if nothing but the white space in which a new line begins is in its way:
/// the editor has put that in, and the target may have other white space there.
fn other_indent(now: &Text, target: &Text, written: Range<usize>) -> Option<Edit> {
    let (now, target) = (now.to_string(), target.to_string());
    let new_lines = now.get(written.clone())?;
    if !new_lines.contains(['\n', '\r']) {
        return None;
    }
    let mut pairs = now.char_indices().zip(target.chars());
    let differs = pairs.find(|((_, one), other)| one != other);
    let start = differs.map_or(now.len().min(target.len()), |((at, _), _)| at);
    let line = now.get(..start)?.rfind(['\n', '\r'])? + 1;
    let blanks = now.get(start..)?.bytes().take_while(|it| is_blank(*it));
    let end = start + blanks.count();
    let is_new_line = written.start < line && end <= written.end;
    if !is_new_line || !now.get(line..start)?.bytes().all(is_blank) {
        return None;
    }
    let behind = now.get(end..)?;
    let missing = target.get(start..)?.strip_suffix(behind)?;
    let place = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).ok()?;
    Some(Replacement::new(place, missing).into())
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

impl PastEdit {
    /// The past of an edit that stood so before a change, or with the same effect somewhere in its
    /// slack, unless no step touches it.
    fn since(mut origin: Edit, slack: Option<ByteRange>, steps: &[ChangeStep]) -> Option<PastEdit> {
        let span = origin.span()?;
        let slack = slack.unwrap_or(span);
        let (start, end) = (span.start().min(slack.start()), span.end().max(slack.end()));
        let mut place = ByteRange::new(start, end).unwrap_or(span);
        let mut steps = steps.iter();
        let first = steps.find(|step| {
            let touched = place.touches(step.replacement.range());
            if !touched {
                let _ = origin.rebase_over(&step.edit());
                place = step.edit().map_range(place);
            }
            touched
        })?;
        let mut past = PastEdit {
            origin,
            window: Window::of(first),
            remaining: None,
        };
        let mut after = &first.after;
        for step in steps {
            past.follow(step);
            after = &step.after;
        }
        past.judge(after);
        Some(past)
    }

    /// Whether any step of a change touches it.
    fn notices(&self, steps: &[ChangeStep]) -> bool {
        let mut reach = self.reach();
        steps.iter().any(|step| {
            let is_touched = reach.touches(step.replacement.range());
            if !is_touched {
                reach = step.edit().map_range(reach);
            }
            is_touched
        })
    }

    /// Follows one step: takes it in if it touches, moves if it lies before.
    fn follow(&mut self, step: &ChangeStep) {
        let (reach, changed) = (self.reach(), step.replacement.range());
        if reach.touches(changed) {
            self.window.take_in(step);
        } else if changed.end() < reach.start() {
            self.move_over(TextGrowth::of(&step.edit()));
        }
    }

    /// Decides what is left, given what was done on balance.
    fn judge(&mut self, text: &Text) {
        let left = |edit, kind| Some(RemainingEdit { edit, kind });
        let Some(done) = self.window.difference(text) else {
            self.remaining = left(self.origin.clone(), RemainingKind::Back);
            return;
        };
        if let Some((edit, kind)) = self.left_on_the_way(done, text) {
            self.remaining = left(edit, kind);
            return;
        }
        let place = Edit::from(Replacement::deletion(done.undone));
        let is_beside = self.origin.rebased_over(&place).is_some();
        let net = Edit::from(done.net(text));
        let moved = self.origin.rebased_over(&net).filter(|_| is_beside);
        self.remaining = moved.and_then(|edit| left(edit, RemainingKind::Moved));
    }

    /// Returns the rest if it leads exactly to where the edit led.
    fn exact(&self) -> Option<&Edit> {
        let left = self.remaining.as_ref()?;
        (left.kind != RemainingKind::Moved).then_some(&left.edit)
    }

    /// Whether this is left of it, as a gap.
    fn leaves_gap(&self, edit: &Edit) -> bool {
        let left = self.remaining.as_ref();
        left.is_some_and(|left| left.kind == RemainingKind::Gap && left.edit == *edit)
    }

    /// Whether something was written on balance, and a cursor stands in it or at its end.
    fn is_written_up_to(&self, cursor: ByteOffset, text: &Text) -> bool {
        let done = self.window.difference(text);
        let written = done.map(|done| done.now).filter(|now| !now.is_empty());
        // Among repeated characters it may be any of those in the window.
        written.is_some_and(|now| now.start() < cursor && cursor <= self.window.now().end())
    }

    /// Whether a cursor stands behind the gap only by the white space in which a new line begins.
    fn is_indent_up_to(&self, cursor: ByteOffset, left: &Edit, text: &Text) -> bool {
        let (start, now) = (self.window.now().start(), cursor);
        let Some(gap) = left.span().map(ByteRange::start).filter(|gap| *gap <= now) else {
            return false;
        };
        let written = ByteRange::new(start.min(gap), now);
        let Some(written) = written.ok().and_then(|written| text.read(written).ok()) else {
            return false;
        };
        let indent = written.rfind(['\n', '\r']).map(|end| end + 1);
        indent.is_some_and(|line| {
            let is_behind = now.get() - (written.len() - line) <= gap.get();
            is_behind && written.bytes().skip(line).all(is_blank)
        })
    }

    /// Returns the rest if nothing more is to be learned from it: all is as it was, or it has become too
    /// long to look at.
    fn left_at_its_end(&self) -> Option<&Edit> {
        let left = self.remaining.as_ref()?;
        let is_over = match left.kind {
            RemainingKind::Back => true,
            RemainingKind::Moved => self.window.size() > LONGEST_WAY,
            RemainingKind::OnTheWay | RemainingKind::Gap => false,
        };
        is_over.then_some(&left.edit)
    }

    /// Moves with a change that lies before all of it.
    fn move_over(&mut self, growth: TextGrowth) {
        self.window.move_over(growth);
        growth.move_edit(&mut self.origin);
        if let Some(remaining) = &mut self.remaining {
            growth.move_edit(&mut remaining.edit);
        }
    }

    /// The window and the edit as it stood, in the text now.
    fn reach(&self) -> ByteRange {
        let (undone, now) = (self.window.undone(), self.window.now());
        let origin = self.origin.span().unwrap_or(undone);
        // Text behind the window has moved by what the window has grown or shrunk.
        let behind = origin.end().get().saturating_sub(undone.end().get());
        let end = ByteOffset::new(now.end().get().saturating_add(behind));
        ByteRange::new(origin.start().min(now.start()), end).unwrap_or(now)
    }

    /// Returns the rest of the edit if the changes in the window are on the way to it.
    fn left_on_the_way(
        &self,
        done: WindowDifference<'_>,
        text: &Text,
    ) -> Option<(Edit, RemainingKind)> {
        let PastEdit { origin, window, .. } = self;
        let written = origin
            .replacements()
            .iter()
            .map(|r| r.new_text().len())
            .sum::<usize>();
        let span = origin.span()?;
        let undone = window.undone();
        let start = span.start().min(undone.start());
        let end = span.end().max(undone.end());
        let len = end.get() - start.get();
        if len > LONGEST_WAY || window.now().len() > written + len + DEEPEST_INDENT {
            return None;
        }
        // Most keys append to what was typed, and need no look at the stretch around.
        if let Some(rest) = rest_behind(origin, done, text) {
            return Some((rest, RemainingKind::OnTheWay));
        }
        // The stretch around both, as it was before the disturbance.
        let piece = Text::from(window.undone_around(text, start, end).as_str());
        let zero = ByteOffset::ZERO;
        let ours = origin.relocated(start, zero);
        let base = Edit::from(done.net(text)).relocated(start, zero);
        let carried = ours.carried_over(&piece, &base, CarryAgreement::Next, ChangeElsewhere::Ends);
        let (carried, kind) = match carried.ok()? {
            Some(carried) => (carried, RemainingKind::OnTheWay),
            None => {
                let (now, target) = (base.apply(&piece).ok()?, ours.apply(&piece).ok()?);
                match one_gap(&piece, &now, &target, &ours, &base) {
                    Some(gap) => (gap, RemainingKind::Gap),
                    None => {
                        let written = done.now.start().get() - start.get();
                        let written = written..written + done.now.len();
                        (
                            other_indent(&now, &target, written)?,
                            RemainingKind::OnTheWay,
                        )
                    }
                }
            }
        };
        let trimmed = carried.relocated(zero, start).trimmed(text).ok()?;
        Some((trimmed, kind))
    }

    /// Checks what every step keeps, given the text of the document.
    fn assert_invariants(&self, text: &Text, what: &impl std::fmt::Display) {
        let undone = self.window.undo(text).expect("a window lies in its text");
        let target = self.origin.apply(&undone);
        let target = target.expect("an edit fits where it was");
        if let Some(exact) = self.exact() {
            assert_eq!(exact.apply(text), Ok(target), "{what} leads somewhere else");
        }
        let left = self.remaining.as_ref();
        let is_back = left.is_some_and(|left| left.kind == RemainingKind::Back);
        assert_eq!(is_back, undone == *text, "{what} is back, or is not");
    }
}
