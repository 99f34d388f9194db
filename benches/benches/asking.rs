//! What it costs to decide when to ask, next to the plain way: the text as a `String`, its lines
//! counted from the start, a copy of it kept for every request.
//!
//! `cargo bench --bench asking`. Time stands still in all of it, so that what is quiet stays quiet and
//! what waits goes on waiting; both ways take turns within this run. The aims are a move of the cursor
//! in less than a microsecond, a refresh gate of some 50 ns where the revision is the same or the
//! length differs, and one that compares as fast as memory is read otherwise.
#![allow(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a benchmark prints its table and cuts texts where it has looked"
)]

use std::hint::black_box;

use foretell_benches::documents::{SIZES, document, places};
use foretell_benches::machine::{NOW, changed, drain, requested, selected, with_typing};
use foretell_benches::table::Table;
use foretell_benches::timing::in_turns;
use foretell_core::{Core, Reason};
use foretell_settings::{Millis, Settings};
use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text};

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let mut table = Table::begin("machine", "plain");
    for (name, size) in SIZES {
        let subject = Subject::new(name, size);
        subject.quiet_move(&mut table);
        subject.asking_move(&mut table, 100);
        subject.waiting_move(&mut table);
        if size == SIZES[1].1 {
            subject.asking_move(&mut table, 1_000);
        }
    }
    for (name, size) in SIZES {
        let subject = Subject::new(name, size);
        subject.waiting_request(&mut table);
        subject.joined_request(&mut table);
        subject.gated_request(&mut table);
    }
    for (name, size) in SIZES {
        Subject::new(name, size).gate(&mut table);
    }
    table.end();
}

/// A document, and places in it, each on another line.
struct Subject {
    name: &'static str,
    model: String,
    text: Text,
    places: Vec<ByteOffset>,
}

impl Subject {
    fn new(name: &'static str, size: usize) -> Self {
        let model = document(size);
        let mut starts: Vec<ByteOffset> = places(&model, 4_000)
            .into_iter()
            .map(|place| ByteOffset::new(model[..place.get()].rfind('\n').map_or(0, |it| it + 1)))
            .collect();
        starts.sort();
        starts.dedup();
        // All over the document, not in order.
        let count = starts.len();
        let places = (0..count).map(|index| starts[index * 389 % count]);
        Subject {
            name,
            places: places.take(1_000).collect(),
            text: Text::from(model.as_str()),
            model,
        }
    }

    fn named(&self, operation: &str) -> String {
        format!("{operation}, {}", self.name)
    }

    /// A machine in which so many lines were asked about.
    fn remembering(&self, lines: usize, change: impl FnOnce(&mut Settings)) -> Core {
        let mut core = with_typing(&self.text, change);
        for place in &self.places[..lines] {
            core.handle(NOW, selected(*place));
        }
        drain(&mut core);
        core
    }

    fn quiet_move(&self, table: &mut Table) {
        let mut core = self.remembering(100, |_| {});
        self.moves(table, "move, same line, quiet", &mut core, 100);
        assert!(core.counts().quiet[&Reason::SameLineCooldown] > 0);
        assert_eq!(core.counts().triggers.values().sum::<u64>(), 2);
    }

    fn asking_move(&self, table: &mut Table, lines: usize) {
        let mut core = self.remembering(lines, |settings| {
            settings.trigger.same_line_cooldown = Millis::ZERO;
            settings.trigger.selection_debounce = Millis::ZERO;
        });
        let name = format!("move that asks, {lines} lines");
        self.moves(table, &name, &mut core, lines);
        assert!(core.counts().quiet.is_empty());
    }

    fn waiting_move(&self, table: &mut Table) {
        let mut core = self.remembering(100, |settings| {
            settings.trigger.same_line_cooldown = Millis::ZERO;
        });
        self.moves(table, "move that waits", &mut core, 100);
        assert_eq!(core.counts().triggers.values().sum::<u64>(), 2);
    }

    fn moves(&self, table: &mut Table, name: &str, core: &mut Core, lines: usize) {
        let mut plain = plain::Trigger::new(&self.model);
        let places = &self.places[..lines];
        for place in places {
            plain.select(place.get());
        }
        let (mut a, mut b) = (places.iter().cycle(), places.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                core.handle(NOW, selected(*a.next().expect("endless")));
                drain(core);
            },
            &mut || {
                black_box(plain.select(b.next().expect("endless").get()));
            },
        ]);
        table.row(&self.named(name), ours, model);
    }

    /// Every request is at another place than the last, takes its place, and waits.
    fn waiting_request(&self, table: &mut Table) {
        let mut core = with_typing(&self.text, |_| {});
        // The first in a document does not wait, so it must not be what is measured.
        core.handle(NOW, requested(0, ByteOffset::ZERO));
        core.handle(NOW, changed(&typed(&self.text)));
        drain(&mut core);
        self.requests(table, "request that waits", &mut core, &self.places);
        let counts = core.counts();
        assert_eq!((counts.requests_started, counts.joined), (1, 0));
    }

    /// Every request asks the same as the last.
    fn joined_request(&self, table: &mut Table) {
        let mut core = with_typing(&self.text, |_| {});
        let places = &self.places[..1];
        self.requests(table, "request that joins", &mut core, places);
        let counts = core.counts();
        assert_eq!(counts.joined + 1, counts.requests);
    }

    /// Every request is stopped by the gate: where the text is the same revision, and where it has
    /// become the same again.
    fn gated_request(&self, table: &mut Table) {
        for (what, is_retyped) in [("same revision", false), ("typed and deleted", true)] {
            let mut core = with_typing(&self.text, |settings| {
                settings.lanes.next_edit.enabled = false;
            });
            core.handle(NOW, requested(0, ByteOffset::ZERO));
            if is_retyped {
                core.handle(NOW, changed(&typed(&self.text)));
                core.handle(NOW, changed(&deleted(&self.text)));
            }
            drain(&mut core);
            let plain = plain::Gate::new(&self.model);
            let mut places = self.places[1..].iter().cycle();
            let mut number = 0;
            let [ours, model] = in_turns([
                &mut || {
                    number += 1;
                    core.handle(NOW, requested(number, *places.next().expect("endless")));
                    drain(&mut core);
                },
                &mut || {
                    black_box(black_box(&plain).blocks());
                },
            ]);
            table.row(&self.named(&format!("request gated, {what}")), ours, model);
            let counts = core.counts();
            assert_eq!(counts.gate_blocked + 1, counts.requests);
        }
    }

    fn requests(&self, table: &mut Table, name: &str, core: &mut Core, places: &[ByteOffset]) {
        let mut plain = plain::Requests::new(&self.model);
        let (mut a, mut b) = (places.iter().cycle(), places.iter().cycle());
        let mut number = 0;
        let [ours, model] = in_turns([
            &mut || {
                number += 1;
                core.handle(NOW, requested(number, *a.next().expect("endless")));
                drain(core);
            },
            &mut || {
                black_box(plain.ask(b.next().expect("endless").get()));
            },
        ]);
        table.row(&self.named(name), ours, model);
    }

    /// The comparison that the gate makes, against that of two strings, each in its own memory.
    fn gate(&self, table: &mut Table) {
        let same = self.text.clone();
        let rebuilt = Text::from(self.model.as_str());
        let longer = typed(&self.text).apply(&self.text).expect("fits");
        let retyped = deleted(&self.text).apply(&longer).expect("fits");
        let (copy, longer_copy) = (self.model.clone(), longer.to_string());
        for (what, other, other_string) in [
            ("same revision", &same, &copy),
            ("other length", &longer, &longer_copy),
            ("equal, built separately", &rebuilt, &copy),
            ("equal, typed and deleted", &retyped, &copy),
        ] {
            let [ours, model] = in_turns([
                &mut || {
                    black_box(black_box(&self.text) == black_box(other));
                },
                &mut || {
                    black_box(black_box(&self.model) == black_box(other_string));
                },
            ]);
            table.row(&self.named(&format!("gate: {what}")), ours, model);
        }
    }
}

/// A key at the end of a text.
fn typed(text: &Text) -> Edit {
    Edit::from(Replacement::insertion(text.end(), "y"))
}

/// The same key taken back.
fn deleted(text: &Text) -> Edit {
    let behind = ByteOffset::new(text.end().get() + 1);
    let key = ByteRange::new(text.end(), behind).expect("in order");
    Edit::from(Replacement::deletion(key))
}

/// The same decisions, made plainly.
mod plain {
    /// Lines that were asked about, in the order they were.
    pub(super) struct Trigger {
        text: String,
        asked: Vec<(usize, u64)>,
    }

    impl Trigger {
        pub(super) fn new(text: &str) -> Self {
            Trigger {
                text: text.to_owned(),
                asked: Vec::new(),
            }
        }

        /// Whether a move asks.
        pub(super) fn select(&mut self, at: usize) -> bool {
            let before = self.text[..at].bytes();
            let line = before.filter(|byte| *byte == b'\n').count();
            let is_known = self.asked.iter().any(|(asked, _)| *asked == line);
            if !is_known {
                self.asked.push((line, 0));
            }
            !is_known
        }
    }

    /// The text that was asked about last, and where.
    pub(super) struct Requests {
        text: String,
        asked: Option<(String, usize)>,
    }

    impl Requests {
        pub(super) fn new(text: &str) -> Self {
            Requests {
                text: text.to_owned(),
                asked: None,
            }
        }

        /// Whether a request is about something new; its text is kept then.
        pub(super) fn ask(&mut self, at: usize) -> bool {
            let asked = self.asked.as_ref();
            if asked.is_some_and(|(text, place)| *place == at && *text == self.text) {
                return false;
            }
            self.asked = Some((self.text.clone(), at));
            true
        }
    }

    /// The text that was sent last, and the text as it is.
    pub(super) struct Gate {
        text: String,
        sent: String,
    }

    impl Gate {
        pub(super) fn new(text: &str) -> Self {
            Gate {
                text: text.to_owned(),
                sent: text.to_owned(),
            }
        }

        pub(super) fn blocks(&self) -> bool {
            self.text == self.sent
        }
    }
}
