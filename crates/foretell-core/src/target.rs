//! A target: the text that an edit leads to, and what is left of the way there as the text changes.
//!
//! What a person rejected and what they are shown are both targets. The edit is given trimmed, and
//! moved at every change until one conflicts with it. That alone would lose it too easily: a person
//! who deletes the character before it and types it again has the same text as before, but the
//! second key lands on the edit. So from the first change that touches it, a target also keeps in
//! mind where it *was*: the edit as it stood then, and a [`Window`] on everything done there since.
//! Several of these may be kept, the oldest first, because what was done since may stop conflicting
//! with any of them. Of what was done on balance, three questions are asked of each:
//! 1. Is it nothing? Then the edit as it stood is left: undo, or deleting what was typed, brings it
//!    back, also with other edits made elsewhere in between.
//! 2. Is it *on the way* to the target? Then what remains is exactly the edit from here to there.
//! 3. Does it lie beside the edit? Then the edit moved over it is left, which is enough for a
//!    rejection and for what lies elsewhere, and not for what is drawn at the cursor.
//!
//! If none holds, and it could not simply be moved all along, it is lost until one does again.

use foretell_text::{Agreement, ByteOffset, ByteRange, Edit, Elsewhere, Replacement, Text};

use crate::window::{Difference, Growth, Step, Window};

/// The longest stretch in which a person may still be on the way: longer than any suggestion that
/// is typed by hand, and short enough to look at for every key.
const LONGEST_WAY: usize = 16 * 1024;

/// How many pasts are kept of one target.
const MOST_PASTS: usize = 8;

/// Where an edit leads, followed through the changes of its document.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// Trimmed, and moved over every change so far; nothing once a change has conflicted.
    moved: Option<Edit>,
    /// Where it was before its place was touched, the oldest first.
    pasts: Vec<Past>,
    /// Where the edit may as well be written with the same effect, while it has at most moved.
    slack: Option<ByteRange>,
    /// Everything it is about, in the text now: a change outside of this only moves it.
    reach: ByteRange,
}

/// Where an edit was before something touched it.
#[derive(Clone, Debug)]
struct Past {
    /// The edit as it stood, for the text with the window undone.
    origin: Edit,
    window: Window,
    /// What is left because of it, trimmed.
    remaining: Option<Remaining>,
}

/// What is left because of what was.
#[derive(Clone, Debug)]
struct Remaining {
    edit: Edit,
    kind: RemainingKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemainingKind {
    /// The edit as it stood, since everything is as it was.
    Back,
    /// The edit, moved over what was done on balance.
    Moved,
    /// What is left of it, since the person is on the way to it.
    OnTheWay,
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
            pasts: Vec::new(),
        }
    }

    /// The edit that it was given, as long as nothing has touched it, for changing it.
    pub(crate) fn untouched(&mut self) -> Option<&mut Edit> {
        self.moved.as_mut().filter(|_| self.pasts.is_empty())
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

    /// What is left, trimmed: nothing while it is lost, seldom several places, where the changes
    /// since can be read in several ways.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &Edit> + Clone {
        let moved = self.moved.as_ref();
        let remaining = self.pasts.iter().filter_map(|past| past.remaining.as_ref());
        let remaining = remaining.map(|remaining| &remaining.edit);
        let others = remaining.filter(move |edit| Some(*edit) != moved);
        moved.into_iter().chain(others)
    }

    /// What is left to show at the place itself: what remains if the person is on the way, or all of
    /// it if they have done nothing there, on balance. What they did beside it takes it away.
    pub(crate) fn left_here(&self) -> Option<&Edit> {
        let untouched = self.moved.as_ref().filter(|_| self.pasts.is_empty());
        let mut remaining = self.pasts.iter().filter_map(|past| past.remaining.as_ref());
        let exact = remaining.find(|it| it.kind != RemainingKind::Moved);
        untouched.or(exact.map(|remaining| &remaining.edit))
    }

    /// What is left to show wherever it is: the same, or the edit moved.
    pub(crate) fn left_anywhere(&self) -> Option<&Edit> {
        self.left_here().or_else(|| self.edits().next())
    }

    /// The edit as it was given, if it has at most moved.
    pub(crate) fn moved(&self) -> Option<&Edit> {
        self.moved.as_ref()
    }

    /// Where it was before it was first touched, and the text there was then, given the text now.
    pub(crate) fn first_past(&self, text: Option<&Text>) -> Option<(&Edit, Option<Text>)> {
        let past = self.pasts.first()?;
        Some((&past.origin, text.and_then(|text| past.window.undo(text))))
    }

    /// Moves over a change that does not touch it, or says that it does.
    pub(crate) fn passes(&mut self, span: ByteRange, growth: Growth) -> bool {
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
        for past in &mut self.pasts {
            past.move_over(growth);
        }
        true
    }

    /// Follows a change, given whole and in steps.
    pub(crate) fn follow(&mut self, before: &Text, change: &Edit, steps: &[Step], after: &Text) {
        // Where it stands now is worth remembering, unless a past leads here.
        let is_told = |edit: &Edit| {
            let remaining = self.pasts.iter().filter_map(|past| past.remaining.as_ref());
            remaining
                .map(|remaining| &remaining.edit)
                .any(|told| told == edit)
        };
        let stood = self.moved.clone().filter(|edit| !is_told(edit));
        let slack = self.slack;
        self.move_over(before, change);
        for past in &mut self.pasts {
            steps.iter().for_each(|step| past.follow(step));
        }
        for past in &mut self.pasts {
            past.judge(after);
        }
        self.pasts
            .extend(stood.and_then(|stood| Past::since(stood, slack, steps)));
        self.tidy(after);
        self.settle(after);
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
    fn tidy(&mut self, text: &Text) {
        let moved = &mut self.moved;
        self.pasts.retain(|past| {
            let Some(Remaining {
                edit,
                kind: RemainingKind::Moved | RemainingKind::Back,
            }) = &past.remaining
            else {
                return true;
            };
            let is_over =
                past.window.size() > LONGEST_WAY || past.window.difference(text).is_none();
            if is_over && moved.is_none() {
                *moved = Some(edit.clone());
            }
            !(is_over && moved.as_ref() == Some(edit))
        });
        if self.pasts.len() > MOST_PASTS {
            self.pasts.remove(1);
        }
    }

    /// What its edits and its pasts reach over.
    fn whole_reach(&self) -> ByteRange {
        let pasts = self.pasts.iter().map(Past::reach);
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
            self.moved.is_some() || !self.pasts.is_empty(),
            "{what} is nowhere"
        );
        for past in &self.pasts {
            let undone = past.window.undo(text).expect("a window lies in its text");
            let target = past
                .origin
                .apply(&undone)
                .expect("an edit fits where it was");
            if let Some(Remaining {
                edit,
                kind: RemainingKind::OnTheWay,
            }) = &past.remaining
            {
                assert_eq!(edit.apply(text), Ok(target), "{what} leads somewhere else");
            }
        }
    }
}

/// What is missing of an insertion of which the beginning was typed, and nothing else.
fn rest_behind(origin: &Edit, done: Difference<'_>, text: &Text) -> Option<Edit> {
    let [only] = origin.replacements() else {
        return None;
    };
    let at = ByteRange::empty(only.range().start());
    if only.range() != at || done.undone != at {
        return None;
    }
    let rest = only.new_text().strip_prefix(&*text.read(done.now).ok()?)?;
    let rest = Replacement::insertion(done.now.end(), rest);
    Some(match rest.is_nothing() {
        true => Edit::empty(),
        false => rest.into(),
    })
}

/// What is missing if that is one stretch: a person may have written the end of it first.
fn one_gap(piece: &Text, ours: &Edit, base: &Edit) -> Option<Edit> {
    // Whoever deletes what it keeps does not want that back.
    let is_kept = |part: &Replacement| {
        let mut taken = ours.replacements().iter().map(Replacement::range);
        !part.range().is_empty() && !taken.any(|range| range.contains(part.range()))
    };
    if base.replacements().iter().any(is_kept) {
        return None;
    }
    let (now, target) = (base.apply(piece).ok()?, ours.apply(piece).ok()?);
    let whole = ByteRange::new(ByteOffset::ZERO, now.end()).ok()?;
    let rest = Edit::from(Replacement::new(whole, target.to_string()));
    let rest = rest.trimmed(&now).ok()?;
    let is_gap = |part: &Replacement| part.range().is_empty();
    rest.replacements().iter().all(is_gap).then_some(rest)
}

impl Past {
    /// The past of an edit that stood so before a change, or with the same effect somewhere in its
    /// slack, unless no step touches it.
    fn since(mut origin: Edit, slack: Option<ByteRange>, steps: &[Step]) -> Option<Past> {
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
        let mut past = Past {
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

    /// Follows one step: takes it in if it touches, moves if it lies before.
    fn follow(&mut self, step: &Step) {
        let (reach, changed) = (self.reach(), step.replacement.range());
        if reach.touches(changed) {
            self.window.take_in(step);
        } else if changed.end() < reach.start() {
            self.move_over(Growth::of(&step.edit()));
        }
    }

    /// Decides what is left, given what was done on balance.
    fn judge(&mut self, text: &Text) {
        let left = |edit, kind| Some(Remaining { edit, kind });
        let Some(done) = self.window.difference(text) else {
            self.remaining = left(self.origin.clone(), RemainingKind::Back);
            return;
        };
        if let Some(edit) = self.left_on_the_way(done, text) {
            self.remaining = left(edit, RemainingKind::OnTheWay);
            return;
        }
        let place = Edit::from(Replacement::deletion(done.undone));
        let is_beside = self.origin.rebased_over(&place).is_some();
        let net = Edit::from(done.net(text));
        let moved = self.origin.rebased_over(&net).filter(|_| is_beside);
        self.remaining = moved.and_then(|edit| left(edit, RemainingKind::Moved));
    }

    /// Moves with a change that lies before all of it.
    fn move_over(&mut self, growth: Growth) {
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
        // What lies behind the window has moved by what the window has grown or shrunk.
        let behind = origin.end().get().saturating_sub(undone.end().get());
        let end = ByteOffset::new(now.end().get().saturating_add(behind));
        ByteRange::new(origin.start().min(now.start()), end).unwrap_or(now)
    }

    /// What is left of the edit if what was done in the window is on the way to it.
    fn left_on_the_way(&self, done: Difference<'_>, text: &Text) -> Option<Edit> {
        let Past { origin, window, .. } = self;
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
        if len > LONGEST_WAY || window.now().len() > written + len {
            return None;
        }
        // Most keys append to what was typed, and need no look at the stretch around.
        if let Some(rest) = rest_behind(origin, done, text) {
            return Some(rest);
        }
        // The stretch around both, as it was before the disturbance.
        let piece = Text::from(window.undone_around(text, start, end).as_str());
        let zero = ByteOffset::ZERO;
        let ours = origin.relocated(start, zero);
        let base = Edit::from(done.net(text)).relocated(start, zero);
        let carried = ours.carried_over(&piece, &base, Agreement::Strict, Elsewhere::Ends);
        let carried = match carried.ok()? {
            Some(carried) => carried,
            None => one_gap(&piece, &ours, &base)?,
        };
        carried.relocated(zero, start).trimmed(text).ok()
    }
}
