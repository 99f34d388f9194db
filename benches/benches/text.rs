//! What text and edits cost, next to the plainest thing that does the same: a `String` and loops.
//!
//! `cargo bench --bench text`. Each row gives both times and their ratio within this run, on
//! documents of three sizes. The model keeps a snapshot per revision as ours does, so applying an
//! edit copies the document. Instruction counts, which do not depend on the machine's mood, are in
//! the benchmark beside this one.
#![allow(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a benchmark prints its table and cuts texts where it has looked"
)]

use std::hint::black_box;

use foretell_benches::documents::{Random, SIZES, document, places};
use foretell_benches::table::Table;
use foretell_benches::timing::in_turns;
use foretell_text::{ByteOffset, ByteRange, Edit, PositionEncoding, Replacement, Text};

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let mut table = Table::begin("Text", "String");
    for (name, size) in SIZES {
        let document = Document::new(name, size);
        document.apply(&mut table);
        document.convert(&mut table);
        document.trim_and_effect(&mut table);
        document.compare(&mut table);
    }
    rebase(&mut table);
    table.end();
}

/// A document both ways, and places in it.
struct Document {
    name: &'static str,
    text: Text,
    model: String,
    places: Vec<ByteOffset>,
}

impl Document {
    fn new(name: &'static str, size: usize) -> Self {
        let model = document(size);
        Document {
            name,
            text: Text::from(model.as_str()),
            places: places(&model, 512),
            model,
        }
    }

    fn named(&self, operation: &str) -> String {
        format!("{operation}, {}", self.name)
    }

    fn apply(&self, table: &mut Table) {
        let edits: Vec<Edit> = self
            .places
            .iter()
            .map(|place| Edit::from(Replacement::insertion(*place, "x")))
            .collect();
        let (mut a, mut b) = (edits.iter().cycle(), self.places.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                let edit = a.next().expect("endless");
                black_box(edit.apply(&self.text).expect("fits"));
            },
            &mut || {
                let mut after = self.model.clone();
                after.insert(b.next().expect("endless").get(), 'x');
                black_box(after);
            },
        ]);
        table.row(&self.named("apply one typed character"), ours, model);
    }

    fn convert(&self, table: &mut Table) {
        let positions: Vec<_> = self
            .places
            .iter()
            .map(|place| {
                self.text
                    .position_of(*place, PositionEncoding::Utf16)
                    .expect("fits")
            })
            .collect();
        let (mut a, mut b) = (positions.iter().cycle(), positions.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                let position = *a.next().expect("endless");
                black_box(
                    self.text
                        .offset_at(position, PositionEncoding::Utf16)
                        .expect("fits"),
                );
            },
            &mut || {
                let position = b.next().expect("endless");
                black_box(model::offset_at(
                    &self.model,
                    position.line,
                    position.column,
                ));
            },
        ]);
        table.row(&self.named("UTF-16 line and column to byte"), ours, model);

        let (mut a, mut b) = (self.places.iter().cycle(), self.places.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                let place = *a.next().expect("endless");
                black_box(
                    self.text
                        .position_of(place, PositionEncoding::Utf16)
                        .expect("fits"),
                );
            },
            &mut || {
                let place = b.next().expect("endless");
                black_box(model::position_of(&self.model, place.get()));
            },
        ]);
        table.row(&self.named("byte to UTF-16 line and column"), ours, model);
    }

    /// A model's answer: a whole line rewritten with one word changed.
    fn trim_and_effect(&self, table: &mut Table) {
        let edits: Vec<Edit> = self
            .places
            .iter()
            .map(|place| self.rewrite_line(*place))
            .collect();
        let (mut a, mut b) = (edits.iter().cycle(), edits.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                let edit = a.next().expect("endless");
                black_box(edit.trimmed(&self.text).expect("fits"));
            },
            &mut || {
                let edit = b.next().expect("endless");
                black_box(model::trimmed(&self.model, &edit.replacements()[0]));
            },
        ]);
        table.row(&self.named("trimmed, one line rewritten"), ours, model);

        let (mut a, mut b) = (edits.iter().cycle(), edits.iter().cycle());
        let [ours, model] = in_turns([
            &mut || {
                let edit = a.next().expect("endless");
                black_box(edit.effect(&self.text).expect("fits"));
            },
            &mut || {
                let edit = b.next().expect("endless");
                black_box(model::effect(&self.model, &edit.replacements()[0]));
            },
        ]);
        table.row(&self.named("effect, one line rewritten"), ours, model);
    }

    fn rewrite_line(&self, place: ByteOffset) -> Edit {
        let line = self
            .text
            .position_of(place, PositionEncoding::Utf8)
            .expect("fits")
            .line;
        let range = self.text.line(line).expect("there is such a line");
        let old = self.text.read(range).expect("fits");
        let (front, back) = old.split_at(old.find(' ').unwrap_or(0));
        Edit::from(Replacement::new(range, format!("{front}changed{back}")))
    }

    fn compare(&self, table: &mut Table) {
        let same_revision = self.text.clone();
        let same_string = self.model.clone();
        let rebuilt = Text::from(self.model.as_str());
        let longer = Edit::from(Replacement::insertion(self.text.end(), "x"))
            .apply(&self.text)
            .expect("fits");
        let longer_string = longer.to_string();
        for (what, other, other_string) in [
            ("same revision", &same_revision, &same_string),
            ("same text, other revision", &rebuilt, &same_string),
            ("other length", &longer, &longer_string),
        ] {
            let [ours, model] = in_turns([
                &mut || {
                    black_box(black_box(&self.text) == black_box(other));
                },
                &mut || {
                    black_box(black_box(&self.model) == black_box(other_string));
                },
            ]);
            table.row(&self.named(&format!("equal: {what}")), ours, model);
        }
        let [ours, model] = in_turns([&mut || drop(black_box(self.text.clone())), &mut || {
            drop(black_box(self.model.clone()))
        }]);
        table.row(&self.named("clone"), ours, model);
    }
}

/// 400 stored edits moved over one typed character; the model makes each anew, as the straight
/// translation of a rebase over immutable values does.
fn rebase(table: &mut Table) {
    let mut random = Random::new(7);
    let mut stored: Vec<Edit> = (0..400)
        .map(|_| {
            let start = random.below(1_000_000);
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(start + 10));
            Edit::from(Replacement::new(range.expect("in order"), "a suggestion\n"))
        })
        .collect();
    // Typed and deleted again in turn, so that the stored edits stay where they are.
    let at = ByteOffset::new(500_003);
    let typed = Edit::from(Replacement::insertion(at, "x"));
    let after = ByteRange::new(at, ByteOffset::new(at.get() + 1)).expect("in order");
    let deleted = Edit::from(Replacement::deletion(after));
    stored.retain(|edit| edit.rebased_over(&typed).is_some());
    let missing = 400 - stored.len();
    stored.extend(vec![stored[0].clone(); missing]);
    let model_stored = stored.clone();

    let mut bases = [&typed, &deleted].into_iter().cycle();
    let [ours, model] = in_turns([
        &mut || {
            let base = bases.next().expect("endless");
            for edit in &mut stored {
                edit.rebase_over(base).expect("only moves");
            }
        },
        &mut || {
            let moved: Vec<_> = model_stored
                .iter()
                .map(|edit| model::rebased(edit, at.get(), 1))
                .collect();
            black_box(moved);
        },
    ]);
    table.row("rebase 400 edits over one typed character", ours, model);
}

/// The same things, done plainly.
mod model {
    use foretell_text::{Edit, Replacement};

    pub(super) fn offset_at(text: &str, line: u32, column: u32) -> usize {
        let mut lines = 0;
        let mut units = 0;
        for (offset, character) in text.char_indices() {
            if lines == line {
                if units >= column as usize {
                    return offset;
                }
                units += character.len_utf16();
            } else if character == '\n' {
                lines += 1;
            }
        }
        text.len()
    }

    pub(super) fn position_of(text: &str, offset: usize) -> (usize, usize) {
        let before = &text[..offset];
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (line, before[start..].encode_utf16().count())
    }

    pub(super) fn trimmed(text: &str, edit: &Replacement) -> (usize, usize, String) {
        let (start, end) = (edit.range().start().get(), edit.range().end().get());
        let (suffix, prefix) = common(&text[start..end], edit.new_text());
        let kept = &edit.new_text()[prefix..edit.new_text().len() - suffix];
        (start + prefix, end - suffix, kept.to_owned())
    }

    /// Both whole texts, and what is left of them.
    pub(super) fn effect(text: &str, edit: &Replacement) -> (usize, usize, String) {
        let mut after = text.to_owned();
        let (start, end) = (edit.range().start().get(), edit.range().end().get());
        after.replace_range(start..end, edit.new_text());
        let (suffix, prefix) = common(text, &after);
        let kept = &after[prefix..after.len() - suffix];
        (prefix, text.len() - suffix, kept.to_owned())
    }

    fn common(old: &str, new: &str) -> (usize, usize) {
        let pairs = old.chars().rev().zip(new.chars().rev());
        let suffix: usize = pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        let (old, new) = (&old[..old.len() - suffix], &new[..new.len() - suffix]);
        let pairs = old.chars().zip(new.chars());
        let prefix = pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum();
        (suffix, prefix)
    }

    pub(super) fn rebased(edit: &Edit, at: usize, by: usize) -> Vec<(usize, usize, String)> {
        edit.replacements()
            .iter()
            .map(|replacement| {
                let range = replacement.range();
                let moved = if at <= range.start().get() { by } else { 0 };
                let new_text = replacement.new_text().to_owned();
                (
                    range.start().get() + moved,
                    range.end().get() + moved,
                    new_text,
                )
            })
            .collect()
    }
}
