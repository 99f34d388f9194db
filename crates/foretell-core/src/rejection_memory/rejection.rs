//! One rejected edit, followed through the changes of its document.
//!
//! Where it leads is a [`Target`]: what is left of it is rejected, however the person got there, so
//! that typing the beginning of a suggestion does not make the rest of it acceptable. While nothing
//! is left it *sleeps*, and matches nothing. While its document is closed, or holds another text, it
//! is parked.

use foretell_text::{ByteRange, Edit, Text};

use super::fingerprint::EditFingerprint;
use super::{RejectedExtent, RejectionId};
use crate::digest::TextDigest;
use crate::target::Target;
use crate::window::{ChangeStep, TextGrowth};

/// A rejected edit and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct RejectedEdit {
    pub(crate) id: RejectionId,
    target: Target,
    /// Whether more was to come of what was rejected.
    pub(crate) is_beginning: bool,
    /// The text it belongs to, while its document is closed or holds another one.
    pub(crate) parked: Option<TextDigest>,
    /// The fingerprints it is filed under.
    pub(crate) filed: Vec<EditFingerprint>,
}

impl RejectedEdit {
    /// A rejection of a trimmed edit that fits the text of its document, if that is here.
    pub(crate) fn new(id: RejectionId, edit: Edit, text: Option<&Text>) -> Self {
        RejectedEdit {
            id,
            target: match text {
                Some(text) => Target::of(edit, text),
                None => Target::parked(edit),
            },
            is_beginning: false,
            parked: None,
            filed: Vec::new(),
        }
    }

    /// A rejection of something that was followed until now.
    pub(crate) fn following(id: RejectionId, target: Target, extent: RejectedExtent) -> Self {
        RejectedEdit {
            id,
            target,
            is_beginning: extent == RejectedExtent::Beginning,
            parked: None,
            filed: Vec::new(),
        }
    }

    /// Returns the fingerprints to file it under while it is awake, each once.
    pub(crate) fn fingerprints(&self, text: &Text) -> Vec<EditFingerprint> {
        let found = self.active().map(|edit| EditFingerprint::of(edit, text));
        let mut fingerprints: Vec<_> = found.filter_map(Result::ok).collect();
        fingerprints.sort();
        fingerprints.dedup();
        fingerprints
    }

    /// Returns the edits that are rejected now, trimmed: none while it sleeps.
    pub(crate) fn active(&self) -> impl Iterator<Item = &Edit> + Clone {
        let awake = self.parked.is_none();
        self.target.edits().filter(move |_| awake)
    }

    /// Whether it matches nothing until something wakes it.
    pub(crate) fn is_asleep(&self) -> bool {
        self.active().next().is_none()
    }

    /// Takes it back for the text it belongs to. One that was given to us, and has no effect there
    /// or does not fit, stays parked.
    pub(crate) fn unpark(&mut self, text: &Text) {
        if let Some(edit) = self.target.untouched() {
            let Some(trimmed) = edit.trimmed(text).ok() else {
                return;
            };
            if trimmed
                .effect(text)
                .map_or(true, |effect| effect.is_nothing())
            {
                return;
            }
            *edit = trimmed;
            self.target.settle(text);
        }
        self.parked = None;
    }

    /// Whether it is the rejection of an edit of a text that is not here.
    pub(crate) fn is_parked_as(&self, edit: &Edit, text: TextDigest) -> bool {
        self.parked == Some(text) && self.target.edits().any(|ours| ours == edit)
    }

    /// Whether it is awake in this very form, and has at most moved.
    pub(crate) fn is_stored_as(&self, edit: &Edit) -> bool {
        self.parked.is_none() && self.target.moved() == Some(edit)
    }

    /// Returns the rejected edits and the text each is rejected for, given the text of its document and that
    /// text's digest if it is open: what is rejected now, and where it was before it was touched.
    pub(crate) fn belongs_to(
        &self,
        now: Option<(&Text, TextDigest)>,
    ) -> Vec<(Edit, Option<TextDigest>)> {
        let digest = self.parked.or(now.map(|(_, digest)| digest));
        let edits = self.target.edits().filter(|edit| !edit.is_nothing());
        let mut list: Vec<_> = edits.map(|edit| (edit.clone(), digest)).collect();
        let text = now.filter(|_| self.parked.is_none()).map(|(text, _)| text);
        if let Some((origin, undone)) = self.target.first_past(text) {
            let undone = undone.as_ref().map(TextDigest::of);
            if undone.is_some() || list.is_empty() {
                list.push((origin.clone(), undone));
            }
        }
        list
    }

    /// Moves over a change that does not touch it, or says that it does.
    pub(crate) fn passes(&mut self, span: ByteRange, growth: TextGrowth) -> bool {
        self.target.passes(span, growth)
    }

    /// Follows a change, given whole and in steps.
    pub(crate) fn follow(
        &mut self,
        before: &Text,
        change: &Edit,
        steps: &[ChangeStep],
        after: &Text,
    ) {
        self.target.follow(before, change, steps, after);
    }

    /// Checks what every step keeps, given the text of the document.
    pub(crate) fn assert_invariants(&self, text: &Text) {
        if self.parked.is_some() {
            return;
        }
        let id = self.id;
        self.target.assert_invariants(text, id);
        assert_eq!(
            self.filed,
            self.fingerprints(text),
            "{id} is filed under something else"
        );
    }
}
