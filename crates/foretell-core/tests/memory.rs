//! The rejection memory on random sessions, against whole texts.
//!
//! Three things no session may do: say rejected of what is not on its own list or the other way
//! round, lose what a plain rebase keeps, or forget what undo brings back. After every step the
//! machine checks itself, also that what remains of a rejection that is being typed leads to the very
//! text that was rejected.
//!
//! The last is held where no character comes twice. Among repeated characters the balance of several
//! changes can be read in more than one way, and a reading may be wrong; the rejection then sleeps.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a session that goes wrong should stop where it does"
)]

use std::sync::Arc;

use foretell_core::{Action, Core, Event, Moment};
use foretell_settings::Settings;
use foretell_testkit::strategies::{edit_of, single_edit_of, text};
use foretell_testkit::string_model;
use foretell_text::{ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version};
use proptest::prelude::*;

/// What happens in a session; the seeds become edits of the text as it is by then.
#[derive(Clone, Debug)]
enum Happening {
    Edit(Seed),
    Reject(Seed),
    Check(Seed),
    Undo,
    Reopen,
    Resend(Seed),
}

/// Whether texts repeat themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Characters {
    Repeated,
    Unique,
}

/// Picks an edit of whatever text there is.
#[derive(Clone, Copy, Debug)]
struct Seed {
    several: bool,
    number: u64,
}

fn seed() -> impl Strategy<Value = Seed> {
    (proptest::bool::weighted(0.2), any::<u64>())
        .prop_map(|(several, number)| Seed { several, number })
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        6 => seed().prop_map(Happening::Edit),
        3 => seed().prop_map(Happening::Reject),
        3 => seed().prop_map(Happening::Check),
        3 => Just(Happening::Undo),
        1 => Just(Happening::Reopen),
        1 => seed().prop_map(Happening::Resend),
    ]
}

impl Seed {
    fn edit(self, text: &str) -> Edit {
        let edits = match self.several {
            true => edit_of(text).boxed(),
            false => single_edit_of(text).boxed(),
        };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.number.to_le_bytes());
        let random = proptest::test_runner::TestRng::from_seed(
            proptest::test_runner::RngAlgorithm::ChaCha,
            &bytes,
        );
        let config = proptest::test_runner::Config::default();
        let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, random);
        edits.new_tree(&mut runner).unwrap().current()
    }
}

/// Characters that have not been used yet, of two to four bytes each.
struct Fresh(u32);

impl Fresh {
    fn text(&mut self, len: usize) -> String {
        let planes = [0x100, 0x4e00, 0x20000];
        let next = || {
            self.0 += 1;
            char::from_u32(planes[self.0 as usize % 3] + self.0).unwrap()
        };
        std::iter::repeat_with(next).take(len).collect()
    }

    /// The same edit, putting in characters that are not in the text.
    fn renewed(&mut self, edit: &Edit) -> Edit {
        let renewed = edit.replacements().iter().map(|replacement| {
            let len = replacement.new_text().chars().count().min(5);
            Replacement::new(replacement.range(), self.text(len))
        });
        Edit::new(renewed.collect()).unwrap()
    }
}

/// The machine beside the plainest models of what it must at least do.
struct Session {
    characters: Characters,
    fresh: Fresh,
    core: Core,
    document: DocumentId,
    text: String,
    undo: Vec<Edit>,
    actions: Vec<Action>,
    /// What a plain rebase keeps: moved at every change, dropped at the first conflict.
    plain: Vec<Edit>,
    /// What was rejected at which depth of the undo stack, and the text it was rejected in.
    rejected: Vec<(usize, String, Edit)>,
}

impl Session {
    fn new(text: String, characters: Characters) -> Self {
        let mut fresh = Fresh(0);
        let text = match characters {
            Characters::Repeated => text,
            Characters::Unique => fresh.text(text.chars().count()),
        };
        let mut settings = Settings::default();
        settings.rejections.per_document = 1_000;
        settings.rejections.total = 1_000;
        let mut session = Session {
            characters,
            fresh,
            core: Core::new(Arc::new(settings)),
            document: DocumentId::new("file:///a"),
            text,
            undo: Vec::new(),
            actions: Vec::new(),
            plain: Vec::new(),
            rejected: Vec::new(),
        };
        session.open();
        session
    }

    fn tell(&mut self, event: Event) {
        self.core.handle(Moment::from_millis(0), event);
        while let Some(action) = self.core.poll_action() {
            self.actions.push(action);
        }
        self.core.assert_invariants();
    }

    fn open(&mut self) {
        self.tell(Event::DocumentOpened {
            document: self.document.clone(),
            language: Language::new("x"),
            version: Version::new(0),
            text: Text::from(self.text.as_str()),
        });
    }

    fn pick(&mut self, seed: Seed) -> Edit {
        let edit = seed.edit(&self.text);
        match self.characters {
            Characters::Repeated => edit,
            Characters::Unique => self.fresh.renewed(&edit),
        }
    }

    fn change(&mut self, edit: Edit, reason: ChangeReason) {
        self.plain = self
            .plain
            .iter()
            .filter_map(|ours| ours.rebased_over(&edit))
            .collect();
        self.text = string_model::apply(&self.text, &edit);
        self.tell(Event::DocumentChanged {
            document: self.document.clone(),
            version: Version::new(0),
            edits: vec![edit],
            reason,
        });
    }

    fn happen(&mut self, happening: &Happening) {
        match happening {
            Happening::Edit(seed) => {
                let edit = self.pick(*seed);
                let before = Text::from(self.text.as_str());
                self.undo.push(edit.inverse(&before).unwrap());
                self.change(edit, ChangeReason::Typed);
            }
            Happening::Undo => {
                if let Some(inverse) = self.undo.pop() {
                    self.change(inverse, ChangeReason::Undo);
                    let depth = self.undo.len();
                    self.rejected
                        .retain(|(rejected_at, ..)| *rejected_at <= depth);
                }
            }
            Happening::Reject(seed) => {
                let edit = self.pick(*seed);
                let before = Text::from(self.text.as_str());
                let trimmed = edit.trimmed(&before).unwrap();
                if string_model::apply(&self.text, &edit) != self.text {
                    self.plain.push(trimmed);
                    let depth = self.undo.len();
                    self.rejected.push((depth, self.text.clone(), edit.clone()));
                }
                self.tell(Event::EditRejected {
                    document: self.document.clone(),
                    edit,
                });
            }
            Happening::Check(seed) => {
                let edit = self.pick(*seed);
                self.compare(&edit);
            }
            Happening::Reopen => {
                self.tell(Event::DocumentClosed {
                    document: self.document.clone(),
                });
                self.open();
            }
            Happening::Resend(seed) => {
                let edit = self.pick(*seed);
                self.text = string_model::apply(&self.text, &edit);
                self.plain.clear();
                self.rejected.clear();
                self.undo.clear();
                self.open();
            }
        }
        self.check();
    }

    /// The machine says of an edit what comparing whole texts says.
    fn compare(&self, edit: &Edit) {
        let after = string_model::apply(&self.text, edit);
        let leads_there = |rejected: &Edit| string_model::apply(&self.text, rejected) == after;
        let listed = self.core.rejections();
        let awake = listed.iter().filter(|stored| !stored.asleep);
        let expected = after != self.text && awake.clone().any(|stored| leads_there(&stored.edit));
        let matched = self.core.is_rejected(&self.document, edit);
        assert_eq!(matched.is_some(), expected, "{edit} in {:?}", self.text);
        if let Some(matched) = matched {
            let mut forms = listed.iter().filter(|stored| stored.id == matched);
            assert!(forms.any(|stored| !stored.asleep && leads_there(&stored.edit)));
        }
    }

    fn check(&self) {
        assert!(*self.core.text(&self.document).unwrap() == *self.text);
        for kept in &self.plain {
            self.compare(kept);
            let effect = string_model::apply(&self.text, kept) != self.text;
            let is_rejected = self.core.is_rejected(&self.document, kept).is_some();
            assert_eq!(
                is_rejected, effect,
                "a plain rebase keeps {kept} in {:?}",
                self.text
            );
        }
        let depth = self.undo.len();
        for (rejected_at, text, edit) in &self.rejected {
            if *rejected_at == depth && self.characters == Characters::Unique {
                assert_eq!(*text, self.text);
                let is_rejected = self.core.is_rejected(&self.document, edit).is_some();
                assert!(is_rejected, "undo brings {edit} back in {text:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_is_lost_and_nothing_is_made_up(
        text in text(12),
        unique in any::<bool>(),
        happenings in proptest::collection::vec(happening(), 1..40)
    ) {
        let characters = if unique { Characters::Unique } else { Characters::Repeated };
        let mut session = Session::new(text, characters);
        for happening in &happenings {
            session.happen(happening);
        }
        // All the way back.
        while !session.undo.is_empty() {
            session.happen(&Happening::Undo);
        }
    }

    #[test]
    fn the_same_events_give_the_same_actions(
        text in text(12), happenings in proptest::collection::vec(happening(), 1..30)
    ) {
        let play = || {
            let mut session = Session::new(text.clone(), Characters::Repeated);
            happenings.iter().for_each(|happening| session.happen(happening));
            (session.actions, session.core.rejections())
        };
        prop_assert_eq!(play(), play());
    }
}
