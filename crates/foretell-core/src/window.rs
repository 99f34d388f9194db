//! One place of a text that has changed, and what stood there before.
//!
//! A window remembers the old text of a stretch and where that stretch is now. Outside the window
//! the old text and the new are the same, only moved; so a window is all that is needed to know what
//! became of a place, however large the document and however many changes were made elsewhere. When
//! the stretch reads as it did, the changes have been undone.
//!
//! A window leaves out what is the same again at its ends, so it stays as small as what differs. Among
//! repeated characters it cannot be told which of them changed: there it covers all that it could be,
//! so that undoing the change finds it.
//!
//! Rejections that are touched by a change keep one, to notice when it is undone; the history keeps
//! one for each burst of typing.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::sync::Arc;

use foretell_text::{ByteOffset, ByteRange, ChangeReason, Edit, Replacement, Text};

/// One replacement on its way from the text before to the text after.
pub(crate) struct ChangeStep {
    pub(crate) before: Text,
    pub(crate) after: Text,
    pub(crate) replacement: Replacement,
    removed: OnceCell<Arc<str>>,
    /// Large windows that took this in, before and after: many rejections may have the same one,
    /// and each a copy of the document otherwise.
    taken_in: RefCell<Vec<(Window, Window)>>,
}

/// From which size on, in bytes, windows are shared.
const LARGE: usize = 4 * 1024;

/// One change of a text.
#[derive(Clone, Copy)]
pub(crate) struct TextChange<'a> {
    pub(crate) before: &'a Text,
    pub(crate) edit: &'a Edit,
    pub(crate) reason: ChangeReason,
    pub(crate) after: &'a Text,
}

impl ChangeStep {
    /// A change as one replacement after the other. They are taken from the back, and those of an
    /// undo from the front, so that an undo passes through the same texts as what it undoes.
    pub(crate) fn all(change: TextChange<'_>) -> Vec<ChangeStep> {
        let TextChange {
            before,
            edit,
            reason,
            after,
        } = change;
        let mut replacements = edit.replacements().to_vec();
        if reason == ChangeReason::Undo {
            let mut growth = TextGrowth::default();
            for replacement in &mut replacements {
                let place = growth.moved(replacement.range());
                growth.add(replacement);
                *replacement = Replacement::new(place, replacement.new_text());
            }
        } else {
            replacements.reverse();
        }
        let mut now = before.clone();
        let mut steps = Vec::with_capacity(replacements.len());
        let last = replacements.len().saturating_sub(1);
        for (index, replacement) in replacements.into_iter().enumerate() {
            let then = if index == last {
                Ok(after.clone())
            } else {
                Edit::from(replacement.clone()).apply(&now)
            };
            let Ok(then) = then else {
                break;
            };
            steps.push(ChangeStep {
                before: std::mem::replace(&mut now, then.clone()),
                after: then,
                replacement,
                removed: OnceCell::new(),
                taken_in: RefCell::default(),
            });
        }
        steps
    }

    /// The same replacement as an edit.
    pub(crate) fn edit(&self) -> Edit {
        Edit::from(self.replacement.clone())
    }

    /// Returns the text that it removes, read once for all callers.
    fn removed(&self) -> Arc<str> {
        let read = || read(&self.before, self.replacement.range()).into();
        Arc::clone(self.removed.get_or_init(read))
    }
}

/// By how much a change moves what lies behind all of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextGrowth {
    removed: usize,
    inserted: usize,
}

impl TextGrowth {
    pub(crate) fn of(change: &Edit) -> Self {
        let mut growth = TextGrowth::default();
        change
            .replacements()
            .iter()
            .for_each(|part| growth.add(part));
        growth
    }

    fn add(&mut self, replacement: &Replacement) {
        self.removed += replacement.range().len();
        self.inserted += replacement.new_text().len();
    }

    /// Moves an edit that lies behind the change.
    pub(crate) fn move_edit(self, behind: &mut Edit) {
        let (removed, inserted) = (
            ByteOffset::new(self.removed),
            ByteOffset::new(self.inserted),
        );
        behind.relocate(removed, inserted);
    }

    /// Where a range that lies behind the change is after it.
    pub(crate) fn moved(self, behind: ByteRange) -> ByteRange {
        let moved =
            |offset: ByteOffset| (offset.get() + self.inserted).saturating_sub(self.removed);
        range(moved(behind.start()), moved(behind.end()))
    }
}

/// A stretch that has changed, what it was, and where it is.
#[derive(Clone)]
pub(crate) struct Window {
    old: Arc<str>,
    /// Which part of `old` still counts.
    old_start: usize,
    old_end: usize,
    now: ByteRange,
}

/// Its place and how much it was: what people write does not belong in a log.
impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let old = self.old_end - self.old_start;
        write!(f, "Window({old} bytes, now {})", self.now)
    }
}

/// The difference within a window.
#[derive(Clone, Copy)]
pub(crate) struct WindowDifference<'a> {
    /// The text before.
    pub(crate) old: &'a str,
    /// Where it was, in the text with the window undone.
    pub(crate) undone: ByteRange,
    /// Where it is.
    pub(crate) now: ByteRange,
}

impl WindowDifference<'_> {
    /// Returns the change, as one replacement of the text with the window undone.
    pub(crate) fn net(&self, text: &Text) -> Replacement {
        Replacement::new(self.undone, read(text, self.now))
    }
}

impl Window {
    /// The window of one replacement.
    pub(crate) fn of(step: &ChangeStep) -> Self {
        let old = step.removed();
        let start = step.replacement.range().start().get();
        let mut window = Window {
            old_start: 0,
            old_end: old.len(),
            old,
            now: range(start, start + step.replacement.new_text().len()),
        };
        window.shrink(&step.after);
        window
    }

    /// The text that stood there.
    pub(crate) fn old(&self) -> &str {
        self.old.get(self.old_start..self.old_end).unwrap_or("")
    }

    /// Where it is in the text now.
    pub(crate) fn now(&self) -> ByteRange {
        self.now
    }

    /// Where it is in the text as it would be with this window undone.
    pub(crate) fn undone(&self) -> ByteRange {
        let start = self.now.start().get();
        range(start, start + self.old_end - self.old_start)
    }

    /// How much there is to look at, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.old_end - self.old_start + self.now.len()
    }

    /// Returns the difference between then and now, if there is one.
    pub(crate) fn difference(&self, text: &Text) -> Option<WindowDifference<'_>> {
        let ends = text.common_ends(self.now, self.old()).ok()?;
        let (start, end) = (self.now.start().get(), self.now.end().get());
        let old_end = self.old_end - ends.suffix;
        let old = self.old.get(self.old_start + ends.prefix..old_end)?;
        let now = range(start + ends.prefix, end - ends.suffix);
        let undone = range(now.start().get(), now.start().get() + old.len());
        let differs = !(old.is_empty() && now.is_empty());
        differs.then_some(WindowDifference { old, undone, now })
    }

    /// Moves with a change that lies before it and does not touch it.
    pub(crate) fn move_over(&mut self, growth: TextGrowth) {
        self.now = growth.moved(self.now);
    }

    /// Takes in a change, which may lie in it, across its ends, or at some distance.
    pub(crate) fn take_in(&mut self, step: &ChangeStep) {
        if self.size() < LARGE && step.replacement.range().len() < LARGE {
            return self.take_in_alone(step);
        }
        let mut taken_in = step.taken_in.borrow_mut();
        if let Some((_, after)) = taken_in.iter().find(|(before, _)| before.is(self)) {
            *self = after.clone();
            return;
        }
        let before = self.clone();
        self.take_in_alone(step);
        taken_in.push((before, self.clone()));
    }

    /// Whether both are one window, told without looking at the text.
    fn is(&self, other: &Window) -> bool {
        let place = |window: &Window| (window.old_start, window.old_end, window.now);
        Arc::ptr_eq(&self.old, &other.old) && place(self) == place(other)
    }

    fn take_in_alone(&mut self, step: &ChangeStep) {
        let changed = step.replacement.range();
        let start = self.now.start().min(changed.start());
        let end = self.now.end().max(changed.end());
        if start < self.now.start() || self.now.end() < end {
            // Text in between is the same before and now.
            let front = read(&step.before, range(start.get(), self.now.start().get()));
            let back = read(&step.before, range(self.now.end().get(), end.get()));
            let old = [front.as_str(), self.old(), back.as_str()].concat();
            (self.old_start, self.old_end) = (0, old.len());
            self.old = old.into();
        }
        let grown = end.get() + step.replacement.new_text().len() - changed.len();
        self.now = range(start.get(), grown);
        self.shrink(&step.after);
    }

    /// A stretch around this window as it would read with the window undone; its ends are places of
    /// that text.
    pub(crate) fn undone_around(&self, text: &Text, start: ByteOffset, end: ByteOffset) -> String {
        let behind = end.get().saturating_sub(self.undone().end().get());
        let now_end = self.now.end().get();
        let front = read(text, range(start.get(), self.now.start().get()));
        let back = read(text, range(now_end, now_end + behind));
        [front.as_str(), self.old(), back.as_str()].concat()
    }

    /// The text with this window undone.
    pub(crate) fn undo(&self, text: &Text) -> Option<Text> {
        let back = Edit::from(Replacement::new(self.now, self.old()));
        back.apply(text).ok()
    }

    /// Leaves out what is the same at its ends, wherever the difference is thought to be.
    fn shrink(&mut self, text: &Text) {
        let Ok(longest) = text.longest_common_ends(self.now, self.old()) else {
            return;
        };
        let shorter = self.now.len().min(self.old_end - self.old_start);
        let prefix = longest.prefix.min(shorter - longest.suffix);
        let suffix = longest.suffix.min(shorter - longest.prefix);
        self.old_start += prefix;
        self.old_end -= suffix;
        let (start, end) = (self.now.start().get(), self.now.end().get());
        self.now = range(start + prefix, end - suffix);
    }
}

fn range(start: usize, end: usize) -> ByteRange {
    let start = ByteOffset::new(start);
    ByteRange::new(start, ByteOffset::new(end)).unwrap_or(ByteRange::empty(start))
}

/// The text of a range that fits; nothing of one that does not.
fn read(text: &Text, range: ByteRange) -> String {
    text.read(range).map(String::from).unwrap_or_default()
}
