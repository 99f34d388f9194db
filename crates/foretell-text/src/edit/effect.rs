//! The effect of an edit on a text, in a form that does not depend on how it was written.
//!
//! Inserting `foo\n` before a line and `\nfoo` after the line above are the same suggestion to the
//! person: they lead to the same text. Two edits of a text have equal effects exactly when they lead
//! to the same text, so this is what decides whether a suggestion was rejected before.
//!
//! The canonical form is one replacement: what is left of the text before and the text after when
//! the longest common suffix of the *whole* texts is taken away, then the longest common prefix of
//! what remains. It depends on the two texts alone, which makes it canonical, and leads from one to
//! the other, which makes it exact. It is found without building the text after: outside the edit's
//! span the texts agree, so only the span is compared, and, when one side of it is used up, as far
//! to the left as the change could slide. An edit of several replacements is taken as one over their
//! whole span, so its effect is as long as that span.
//!
//! An effect belongs to one text. After the next keystroke the same edit may have another: keep the
//! edit, and ask it again.

use std::fmt;

use super::{Edit, EditMisfit, Replacement, agreeing_ends};
use crate::offset::{ByteOffset, ByteRange};
use crate::text::Text;

/// The effect of an edit on a text: equal for two edits exactly when they lead to the same text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Effect(Option<Replacement>);

impl Effect {
    /// Whether the text stays as it is.
    pub fn is_nothing(&self) -> bool {
        self.0.is_none()
    }

    /// The one replacement that has this effect, unless it is nothing.
    pub fn replacement(&self) -> Option<&Replacement> {
        self.0.as_ref()
    }
}

impl Effect {
    /// From where to where an edit with this effect may start when it is trimmed and written as one
    /// replacement. An insertion or a deletion among repeated text may slide; nothing else does.
    pub fn starts(&self, text: &Text) -> Option<ByteRange> {
        let replacement = self.0.as_ref()?;
        let range = replacement.range;
        let (start, end) = (range.start().get(), range.end().get());
        let may_slide = range.is_empty() || replacement.new_text.is_empty();
        let slides = if may_slide {
            let before = agreeing_ends::bytes_from(text, start);
            let after = replacement
                .new_text
                .bytes()
                .chain(agreeing_ends::bytes_from(text, end));
            before.zip(after).take_while(|(a, b)| a == b).count()
        } else {
            0
        };
        Some(ByteRange::ordered(start, start + slides))
    }
}

/// The shortest edit with this effect.
impl From<Effect> for Edit {
    fn from(effect: Effect) -> Self {
        effect.0.map_or(Edit::empty(), Edit::from)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(replacement) => replacement.fmt(f),
            None => f.write_str("nothing"),
        }
    }
}

impl Edit {
    /// The effect of this edit on a text, found without building the text after.
    pub fn effect(&self, text: &Text) -> Result<Effect, EditMisfit> {
        if let [only] = &self.replacements[..] {
            self.check(text)?;
            return Ok(canonical(text, only.range, &only.new_text));
        }
        let trimmed = self.trimmed(text)?;
        if trimmed.replacements.is_empty() {
            return Ok(Effect(None));
        }
        let (span, new_text) = over_whole_span(&trimmed.replacements, text);
        Ok(canonical(text, span, &new_text))
    }
}

/// Several replacements as one: their whole span, and what stands there afterwards.
fn over_whole_span(replacements: &[Replacement], text: &Text) -> (ByteRange, String) {
    let start = replacements[0].range.start().get();
    let mut end = start;
    let mut new_text = String::new();
    for replacement in replacements {
        let kept = ByteRange::ordered(end, replacement.range.start().get());
        new_text.push_str(&text.read_checked(kept));
        new_text.push_str(&replacement.new_text);
        end = replacement.range.end().get();
    }
    (ByteRange::ordered(start, end), new_text)
}

/// The canonical form of putting `new` in the place of `span`.
fn canonical(text: &Text, span: ByteRange, new: &str) -> Effect {
    let (start, end) = (span.start().get(), span.end().get());
    let new_end = start + new.len();

    let suffix = common_suffix_of_texts(text, span, new);
    let (kept_end, kept_new_end) = (end - suffix, new_end - suffix);
    if start >= kept_end || start >= kept_new_end {
        // One side is used up: what is left of the other is an insertion or a deletion, slid as far
        // to the left as it goes.
        let prefix = kept_end.min(kept_new_end);
        let inserted = agreeing_ends::read_after(text, start, new, prefix, kept_new_end - prefix);
        return effect(prefix, kept_end, &inserted);
    }
    let (kept_new, _) = new.split_at(kept_new_end - start);
    let prefix = agreeing_ends::common_prefix(text, ByteRange::ordered(start, kept_end), kept_new);
    let (prefix, kept_new) = kept_new.split_at(agreeing_ends::floor_boundary(kept_new, prefix));
    effect(start + prefix.len(), kept_end, kept_new)
}

fn effect(start: usize, end: usize, new_text: &str) -> Effect {
    let replacement = Replacement::new(ByteRange::ordered(start, end), new_text);
    Effect((!replacement.is_nothing()).then_some(replacement))
}

/// How many bytes before the end of the span the texts before and after have in common, in whole
/// characters: within the span first, then past its start for as long as the change can slide.
fn common_suffix_of_texts(text: &Text, span: ByteRange, new: &str) -> usize {
    let (start, end) = (span.start().get(), span.end().get());
    let mut suffix = agreeing_ends::common_suffix(text, span, new);
    if suffix == span.len().min(new.len()) {
        suffix += slide(text, start, end - suffix, new.len() - suffix, new);
    }
    // The texts agree from here on, so a character of one begins here exactly when one of the
    // other does.
    while suffix > 0 && text.check(ByteOffset::new(end - suffix)).is_err() {
        suffix -= 1;
    }
    suffix
}

/// How many more bytes agree once one side of the span is used up: the text before `end` against
/// what is left of the new text, its first `left` bytes, and then the text before `start`.
fn slide(text: &Text, start: usize, end: usize, left: usize, new: &str) -> usize {
    let before_end = ByteRange::ordered(0, end);
    let of_new = agreeing_ends::common_suffix_bytes(text, before_end, &new.as_bytes()[..left]);
    if of_new < left {
        return of_new;
    }
    let end = end - of_new;
    let last_byte = |end: usize| end.checked_sub(1).and_then(|at| text.rope().get_byte(at));
    if last_byte(end).is_none() || last_byte(end) != last_byte(start) {
        return of_new;
    }
    let pairs =
        agreeing_ends::bytes_before(text, end).zip(agreeing_ends::bytes_before(text, start));
    of_new + pairs.take_while(|(a, b)| a == b).count()
}
