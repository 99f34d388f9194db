//! How much memory the language model takes, whatever it is told: counted bytes, not guesses.

use allocation_counter::measure;
use foretell_predict::Predictor;
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit, Language, Replacement, Text};

/// The server's memory may grow by this much.
const MOST_BYTES: i64 = 20 << 20;

fn name(number: usize) -> DocumentId {
    DocumentId::new(format!("file:///{number}.rs"))
}

/// Twelve tokens a line; of the names in it a tenth is new.
fn code(lines: usize, seed: usize) -> Text {
    let line = |n: usize| {
        let (a, b, c) = (n / 4 + seed, n % 89, n * 7 % 241);
        match n % 5 {
            0 => format!("    let value_{a} = self.read_{b}(count_{c}, &mut state);\n"),
            1 => format!("    if value_{a} > LIMIT_{b} {{\n"),
            2 => format!("        self.entries.push(Entry::of_{b}(value_{a}, {c}));\n"),
            3 => "    }\n".to_owned(),
            _ => format!("    // What stands for value_{a} in place {b}.\n"),
        }
    };
    Text::from((0..lines).map(line).collect::<String>().as_str())
}

/// Names that are met once.
fn hashes(lines: usize, seed: usize) -> Text {
    let line = |n: usize| {
        let hash = ((n + seed) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("  \"k{hash:016x}\": \"v{:016x}\",\n", !hash)
    };
    Text::from((0..lines).map(line).collect::<String>().as_str())
}

/// What is kept after somebody has typed in the middle of each of these, so many keys.
fn bytes_kept(texts: &[Text], keys: usize) -> i64 {
    let mut predictor = None;
    let counted = measure(|| {
        let mut new = Predictor::new();
        for (number, text) in texts.iter().enumerate() {
            new.open(&name(number), &Language::new("rust"), text);
        }
        for (number, text) in texts.iter().enumerate() {
            let mut text = text.clone();
            let mut at = text.floor(text.end().get() / 2);
            for _ in 0..keys {
                let edit = Edit::from(Replacement::insertion(at, "x"));
                text = edit.apply(&text).expect("it fits");
                new.change(&name(number), &text, &edit, ChangeReason::Typed);
                at = ByteOffset::new(at.get() + 1);
                new.predict(&name(number), at);
            }
        }
        predictor = Some(new);
    });
    drop(predictor);
    counted.bytes_current
}

#[test]
fn files_of_ten_thousand_lines_fit_into_twenty_megabytes() {
    let texts: Vec<Text> = (0..3).map(|it| code(10_000, it * 10_000)).collect();
    let kept = bytes_kept(&texts, 400);
    assert!(kept < MOST_BYTES, "{kept}");
}

#[test]
fn so_do_tables_of_hashes() {
    let texts: Vec<Text> = (0..4).map(|it| hashes(10_000, it * 10_000)).collect();
    let kept = bytes_kept(&texts, 300);
    assert!(kept < MOST_BYTES, "{kept}");
}

#[test]
fn what_nobody_asks_about_costs_next_to_nothing() {
    let texts: Vec<Text> = (0..190).map(|it| code(500, it * 500)).collect();
    let mut predictor = Predictor::new();
    let counted = measure(|| {
        for (number, text) in texts.iter().enumerate() {
            predictor.open(&name(number), &Language::new("rust"), text);
        }
    });
    assert!(counted.bytes_current < 200_000, "{}", counted.bytes_current);
}
