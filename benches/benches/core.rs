//! What a key and an answer cost in the middle of a session, next to the plain way: the text as a
//! `String`, rejections moved one by one, and a test whether what was typed is how a suggestion begins.
//!
//! `cargo bench --bench core`. The machine has everything on: 400 rejections in 20 documents, 20 of
//! them in this one, a history, eight candidates carried at the cursor, and a request whose lanes run.
//! Keys write what the candidates have in common, and delete it again; both ways take turns within
//! this run. The aims are some 5 µs for a key and 2 µs for a carried answer, at any size. At the end,
//! how many random events a second the machine takes, their making and checking included.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::Instant;

use foretell_benches::documents::{SIZES, document};
use foretell_benches::machine::Everything;
use foretell_benches::table::{Table, duration};
use foretell_benches::timing::in_turns;
use foretell_testkit::events::{ArbitrarySession, endless};
use foretell_text::{Edit, Text};

/// How many random events are told.
const EVENTS: u32 = 200_000;

/// How much of the candidates is typed when a carried answer is asked for.
const TYPED: usize = 4;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let mut table = Table::begin("machine", "plain");
    for (name, size) in SIZES {
        key(&mut table, name, size);
    }
    for (name, size) in SIZES {
        carried_answer(&mut table, name, size);
    }
    table.end();
    soak();
}

/// A key on the way to what is carried.
fn key(table: &mut Table, name: &str, size: usize) {
    let mut everything = Everything::new(&Text::from(document(size).as_str()));
    let mut plain = plain::Machine::new(&everything);
    let keys = everything.keys();
    let (mut a, mut b) = (keys.iter().cycle(), keys.iter().cycle());
    let [ours, model] = in_turns([
        &mut || everything.press(a.next().expect("endless")),
        &mut || {
            black_box(plain.change(b.next().expect("endless")));
        },
    ]);
    table.row(&format!("key with everything on, {name}"), ours, model);
    let counts = everything.core.counts();
    assert_eq!(counts.rejections_awake + counts.rejections_asleep, 400);
}

/// A request that is answered with what is left of eight candidates.
fn carried_answer(table: &mut Table, name: &str, size: usize) {
    let mut everything = Everything::new(&Text::from(document(size).as_str()));
    let mut plain = plain::Machine::new(&everything);
    let keys: Vec<Edit> = everything.keys().drain(..TYPED).collect();
    for key in &keys {
        everything.press(key);
        plain.change(key);
    }
    let mut asked = 0;
    let [ours, model] = in_turns([
        &mut || {
            asked += 1;
            everything.ask(TYPED);
        },
        &mut || {
            black_box(plain.left());
        },
    ]);
    table.row(&format!("carried answer of eight, {name}"), ours, model);
    assert_eq!(everything.core.counts().carried, asked, "every request");
}

/// Random events of every kind, as the tests tell them.
fn soak() {
    let mut session = ArbitrarySession::new(endless(7));
    let start = Instant::now();
    for _ in 0..EVENTS {
        session.step();
    }
    let elapsed = start.elapsed();
    println!(
        "{EVENTS} random events: {:.0} a second, {} each",
        f64::from(EVENTS) / elapsed.as_secs_f64(),
        duration(elapsed.as_nanos() as f64 / f64::from(EVENTS)),
    );
}

/// The same, done plainly.
mod plain {
    use foretell_benches::machine::Everything;
    use foretell_text::{DocumentId, Edit};

    /// The text, where something was rejected, and what is suggested.
    pub(super) struct Machine {
        text: String,
        rejected: Vec<(usize, String)>,
        at: usize,
        typed: usize,
        suggested: Vec<String>,
    }

    impl Machine {
        pub(super) fn new(everything: &Everything) -> Self {
            let document: DocumentId = foretell_benches::machine::document_id();
            let text = everything.core.text(&document).expect("it is open");
            let rejected = everything.rejected.iter();
            let rejected = rejected.flat_map(Edit::replacements);
            Machine {
                text: text.to_string(),
                rejected: rejected
                    .map(|part| (part.range().start().get(), part.new_text().to_owned()))
                    .collect(),
                at: everything.at.get(),
                typed: 0,
                suggested: everything.candidates.clone(),
            }
        }

        /// Follows a key, and says how many suggestions begin with what is typed by then.
        pub(super) fn change(&mut self, key: &Edit) -> usize {
            for part in key.replacements() {
                let (start, end) = (part.range().start().get(), part.range().end().get());
                self.text.replace_range(start..end, part.new_text());
                self.typed = self.typed + part.new_text().len() - (end - start);
                for (place, _) in self.rejected.iter_mut().filter(|it| it.0 >= end) {
                    *place = *place + part.new_text().len() - (end - start);
                }
            }
            self.left().len()
        }

        /// What is left of the suggestions that begin with what is typed.
        pub(super) fn left(&self) -> Vec<String> {
            let typed = self.text.get(self.at..self.at + self.typed);
            let typed = typed.unwrap_or_default();
            let left = self
                .suggested
                .iter()
                .filter_map(|it| it.strip_prefix(typed));
            left.map(str::to_owned).collect()
        }
    }
}
