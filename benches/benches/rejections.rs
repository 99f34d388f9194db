//! What the rejection memory costs, next to the plain way: the text as a `String`, every rejection
//! rebased and trimmed at every key, and compared one by one.
//!
//! `cargo bench --bench rejections`. The plain way is the algorithm of the original design, in Rust
//! and on bytes; both take turns within this run. A key is typed and deleted in turn, so that the
//! documents stay as they are.
#![allow(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a benchmark prints its table and cuts texts where it has looked"
)]

use std::hint::black_box;

use foretell_benches::documents::{SIZES, document};
use foretell_benches::machine::{
    NOW, changed, document_id, drain, opened, rejects, suggestions, with_rejected,
};
use foretell_benches::table::Table;
use foretell_benches::timing::in_turns;
use foretell_core::{Core, Event};
use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let mut table = Table::begin("memory", "plain");
    for (name, size) in SIZES {
        for count in [20, 400, 10_000] {
            let mut subject = Subject::new(size, count);
            if count == 400 {
                subject.check(&mut table, name);
                subject.reject(&mut table, name);
                subject.close(&mut table, name);
            }
            // Last, since they may leave a key behind.
            subject.type_a_key(&mut table, &format!("key with {count} rejections, {name}"));
            if count == 400 {
                let mut subject = Subject::new(size, count);
                subject.type_into_one(&mut table, &format!("key into one of 400, {name}"));
            }
        }
    }
    table.end();
}

/// The same rejections, both ways.
struct Subject {
    core: Core,
    text: String,
    rejected: Vec<Edit>,
    plain: plain::Collector,
    /// Where keys are typed: somewhere in the middle, at no rejection.
    at: usize,
}

impl Subject {
    fn new(size: usize, count: usize) -> Self {
        let text = document(size);
        let rejected = suggestions(&text, count);
        let core = with_rejected(&Text::from(text.as_str()), &rejected);
        let mut plain = plain::Collector::new(&text);
        for edit in &rejected {
            plain.reject(&edit.replacements()[0]);
        }
        let mut at = text.len() / 2;
        let taken = |at: usize| {
            let mut spans = rejected.iter().filter_map(Edit::span);
            spans.any(|span| span.start().get() == at)
        };
        while !text.is_char_boundary(at) || taken(at) {
            at += 1;
        }
        Subject {
            core,
            text,
            rejected,
            plain,
            at,
        }
    }

    /// A key typed where nothing was rejected, and deleted again.
    fn type_a_key(&mut self, table: &mut Table, name: &str) {
        self.type_and_delete(table, name, ByteOffset::new(self.at), "x");
    }

    /// A key typed at the place of a rejection and deleted again: on the way to it, and back. The
    /// plain way forgets it at the first key.
    fn type_into_one(&mut self, table: &mut Table, name: &str) {
        let at = self.rejected[0].replacements()[0].range().start();
        self.type_and_delete(table, name, at, "s");
    }

    fn type_and_delete(&mut self, table: &mut Table, name: &str, at: ByteOffset, key: &str) {
        let after = ByteRange::new(at, ByteOffset::new(at.get() + 1)).expect("in order");
        let typed = Replacement::insertion(at, key);
        let deleted = Replacement::deletion(after);
        let mut ours = [&typed, &deleted].into_iter().cycle();
        let mut plainly = [&typed, &deleted].into_iter().cycle();
        let Subject { core, plain, .. } = self;
        let [ours, model] = in_turns([
            &mut || {
                let edit = Edit::from(ours.next().expect("endless").clone());
                core.handle(NOW, changed(&edit));
                drain(core);
            },
            &mut || plain.change(plainly.next().expect("endless")),
        ]);
        table.row(name, ours, model);
    }

    fn check(&mut self, table: &mut Table, name: &str) {
        let hits = self.rejected.clone();
        let misses: Vec<Edit> = hits
            .iter()
            .map(|edit| {
                let place = edit.replacements()[0].range().start();
                Edit::from(Replacement::insertion(place, "something_else();\n"))
            })
            .collect();
        for (what, edits) in [("hit", &hits), ("miss", &misses)] {
            let (mut a, mut b) = (edits.iter().cycle(), edits.iter().cycle());
            let Subject { core, plain, .. } = &*self;
            let document = document_id();
            let [ours, model] = in_turns([
                &mut || {
                    let edit = a.next().expect("endless");
                    black_box(core.is_rejected(&document, edit));
                },
                &mut || {
                    let edit = b.next().expect("endless");
                    black_box(plain.is_rejected(&edit.replacements()[0]));
                },
            ]);
            table.row(&format!("is_rejected, {what}, 400, {name}"), ours, model);
        }
    }

    /// Rejecting one more and forgetting it again, so that there is always room.
    fn reject(&mut self, table: &mut Table, name: &str) {
        let place = ByteOffset::new(self.at);
        let edit = Edit::from(Replacement::insertion(place, "one_more();\n"));
        let document = document_id();
        let Subject { core, plain, .. } = self;
        let [ours, model] = in_turns([
            &mut || {
                core.handle(NOW, rejects(&edit));
                if let Some(rejection) = core.is_rejected(&document, &edit) {
                    core.handle(NOW, Event::RejectionForgotten { rejection });
                }
                drain(core);
            },
            &mut || {
                plain.reject(&edit.replacements()[0]);
                plain.forget_last();
            },
        ]);
        table.row(&format!("reject and forget, 400, {name}"), ours, model);
    }

    /// Closing and opening again.
    fn close(&mut self, table: &mut Table, name: &str) {
        let Subject {
            core, plain, text, ..
        } = self;
        let whole = Text::from(text.as_str());
        let closed = Event::DocumentClosed {
            document: document_id(),
        };
        let [ours, model] = in_turns([
            &mut || {
                core.handle(NOW, closed.clone());
                core.handle(NOW, opened(&whole));
                drain(core);
            },
            &mut || plain.reopen(text),
        ]);
        table.row(&format!("close and reopen, 400, {name}"), ours, model);
    }
}

/// The algorithm of the original design, done plainly.
mod plain {
    use foretell_text::Replacement;

    #[derive(Clone, PartialEq)]
    struct Rejected {
        start: usize,
        end: usize,
        new_text: String,
    }

    pub(super) struct Collector {
        text: String,
        rejected: Vec<Rejected>,
    }

    impl Collector {
        pub(super) fn new(text: &str) -> Self {
            Collector {
                text: text.to_owned(),
                rejected: Vec::new(),
            }
        }

        pub(super) fn reject(&mut self, edit: &Replacement) {
            let trimmed = self.trimmed(edit);
            if !self.rejected.contains(&trimmed) {
                self.rejected.push(trimmed);
            }
        }

        pub(super) fn is_rejected(&self, edit: &Replacement) -> bool {
            self.rejected.contains(&self.trimmed(edit))
        }

        pub(super) fn forget_last(&mut self) {
            self.rejected.pop();
        }

        pub(super) fn reopen(&mut self, text: &str) {
            self.text = text.to_owned();
        }

        /// A new text, and every rejection rebased and trimmed against it.
        pub(super) fn change(&mut self, change: &Replacement) {
            let (start, end) = (change.range().start().get(), change.range().end().get());
            let mut text = self.text.clone();
            text.replace_range(start..end, change.new_text());
            let grown = change.new_text().len();
            self.rejected = self
                .rejected
                .iter()
                .filter_map(|rejected| {
                    let moved = if rejected.end <= start && rejected.start < start {
                        rejected.clone()
                    } else if end <= rejected.start {
                        Rejected {
                            start: rejected.start + grown - (end - start),
                            end: rejected.end + grown - (end - start),
                            new_text: rejected.new_text.clone(),
                        }
                    } else {
                        return None;
                    };
                    Some(trim(&text, moved))
                })
                .collect();
            self.text = text;
        }

        fn trimmed(&self, edit: &Replacement) -> Rejected {
            let given = Rejected {
                start: edit.range().start().get(),
                end: edit.range().end().get(),
                new_text: edit.new_text().to_owned(),
            };
            trim(&self.text, given)
        }
    }

    fn trim(text: &str, edit: Rejected) -> Rejected {
        let old = &text[edit.start..edit.end];
        let pairs = old.chars().rev().zip(edit.new_text.chars().rev());
        let suffix: usize = pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        let new_text = &edit.new_text[..edit.new_text.len() - suffix];
        let pairs = old[..old.len() - suffix].chars().zip(new_text.chars());
        let prefix: usize = pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        Rejected {
            start: edit.start + prefix,
            end: edit.end - suffix,
            new_text: new_text[prefix..].to_owned(),
        }
    }
}
