//! Documents of megabytes, of which only what is near is read.

use std::ops::Range;

use foretell_context::{Redaction, Redactor};
use foretell_lanes::SecretMarks;
use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::fim::PromptMemory;

use crate::stage::Stage;

#[test]
fn one_line_of_megabytes_is_cut_at_a_character() {
    let line = "😀é\"a".repeat(5_000_000 / 8);
    for at in [0, 8, line.len() / 16 * 8, line.len() - 8, line.len()] {
        let stage = Stage::at(&line, at);
        let prompt = stage.prompt();
        let told = |text: &str| text.encode_utf16().count();
        let before = told(prompt.prefix()) + told(prompt.typed());
        assert!(before <= 6_000 && told(prompt.suffix()) <= 2_000);
        let is_far = |distance: usize, told: usize| distance < 24_000 || told >= 5_990;
        assert!(is_far(at, before));
        let (kept, _) = stage.kept(["x", "\n"], AnswerEnd::Own);
        assert_eq!(kept, "x");
        assert_eq!(stage.answer(&kept).candidates.len(), 1);
    }
}

#[test]
fn a_line_is_told_whole_if_it_fits() {
    let lines = "const a = 1;\n".repeat(400_000);
    let at = lines.len() / 2 / 13 * 13 + 5;
    let prompt = Stage::at(&lines, at).prompt();
    assert!(prompt.prefix().starts_with("const a"));
    assert!(prompt.prefix().len() > 5_980);
    assert!(prompt.suffix().ends_with("1;\n"));
    assert!(prompt.suffix().len() > 1_980);
}

#[test]
fn an_endless_answer_ends() {
    let stage = Stage::of("const a = |\n");
    let line = "x".repeat(1_000);
    assert_eq!(
        stage.kept(vec![&*line; 1_000], AnswerEnd::Own),
        (String::new(), true)
    );
    let blank = " ".repeat(10_000_000);
    assert_eq!(stage.kept([&*blank], AnswerEnd::Own), (String::new(), true));
}

/// The redactor that is used in earnest.
struct Earnest(Redaction);

impl SecretMarks for Earnest {
    fn redact_part(&mut self, whole: &str, part: Range<usize>) -> String {
        self.0.redact_part(whole, part)
    }

    fn restore(&self, told: &str, answer: &str) -> Option<String> {
        self.0.restore(told, answer).ok()
    }
}

#[test]
fn a_long_secret_is_known_by_a_beginning_or_an_end_that_is_not_told() {
    let piece = |number: usize| format!("k{:x}Q", number * 7_919);
    let lines = |from: usize| (from..from + 9).map(piece).collect::<String>();
    let lines: Vec<String> = (0..500).map(|line| lines(line * 9)).collect();
    let (value, label) = (lines[..200].concat(), "PRIVATE KEY-----");
    let body = lines.join("\n");
    let named = format!("const password = \"{value}\";");
    let block = format!("-----BEGIN {label}\n{body}\n-----END {label}");
    assert!((12_000..16_000).contains(&value.len()), "{}", value.len());
    for (secret, within) in [(&named, named.len()), (&block, block.len() / 2)] {
        let padding = "let y = 1;\n".repeat(4_000);
        let text = format!("{padding}{secret}\n{padding}");
        let stage = Stage::at(&text, padding.len() + within).within(6_000, 2_000);
        let mut marks = Earnest(Redactor::new().begin());
        let memory = &mut PromptMemory::default();
        let prompt = stage
            .format
            .told(&stage.request, &stage.settings, &mut marks, memory);
        let told = [prompt.prefix(), prompt.typed(), prompt.suffix()].concat();
        assert!(told.contains("[REDACTED-"), "{told}");
        let quoted = lines.iter().find(|line| told.contains(line.as_str()));
        assert_eq!(quoted, None);
    }
}
