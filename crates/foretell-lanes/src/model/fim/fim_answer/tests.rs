//! Stories of answers: a document with the cursor as `|`, what a model says, and what is kept of it.
//!
//! In an answer, `…` stands for a server that cut it by its length.

use foretell_settings::{BackEnd, Settings};
use foretell_text::ByteOffset;

use super::*;
use crate::lane_request::{LaneRequest, OpenDocument};
use crate::model::fim::{FimFormat, PromptMemory};
use crate::model::probe::NoSecrets;

fn kept(document: &str, answer: &str) -> String {
    kept_in("typescript", document, answer, 20)
}

fn kept_in(language: &str, document: &str, answer: &str, max_lines: usize) -> String {
    let (before, after) = document.split_once('|').unwrap();
    let document = OpenDocument::new("a", language, &[before, after].concat());
    let request = LaneRequest::new(document, ByteOffset::new(before.len()));
    let mut settings = Settings::default().lanes.fim;
    settings.max_lines = max_lines;
    let format = FimFormat::of(BackEnd::OpenAi, "qwen2.5-coder", "auto").unwrap();
    let memory = &mut PromptMemory::default();
    let prompt = format.told(&request, &settings, &mut NoSecrets, memory);
    let mut ending = FimAnswer::new(&prompt, &settings, format.controls());
    let (said, end) = match answer.strip_suffix('…') {
        Some(cut) => (cut, AnswerEnd::Length),
        None => (answer, AnswerEnd::Own),
    };
    ending.push(said);
    ending.finish(end)
}

#[test]
fn in_the_middle_of_a_line_the_first_line_is_enough() {
    assert_eq!(kept("foo(|bar, 1)", "a, b, \nmore"), "a, b, ");
    assert_eq!(kept("const | = 1", "x \nmore"), "x");
    assert_eq!(kept("foo(|bar, 1)", "\nmore"), "");
    assert_eq!(kept("a | b", "+ …"), "");
}

#[test]
fn closing_marks_behind_the_cursor_are_not_the_middle() {
    for rest in ["", "  ", ")", "]);", "}),", "\");", "'>"] {
        let document = format!("f(|{rest}\n");
        assert_eq!(kept(&document, "{\n  x\n}"), "{\n  x\n}", "{rest}");
    }
    for rest in ["x", ");x", "{", ";;", "+ 1", "é"] {
        let document = format!("f(|{rest}\n");
        assert_eq!(kept(&document, "{\n  x\n}"), "{", "{rest}");
    }
}

#[test]
fn a_block_that_the_cursors_line_opens_is_written_to_its_end() {
    let answer = "\n  return 1;\n}\n\nfunction g() {\n}";
    assert_eq!(kept("function f() {|", answer), "\n  return 1;\n}");
    let python = "\n    return 1\n\n\ndef g():\n    pass";
    assert_eq!(kept("def f():|", python), "\n    return 1");
    assert_eq!(
        kept("  if (a) {|\n", "\n    b();\n  }\n  c();"),
        "\n    b();\n  }"
    );
}

#[test]
fn a_block_that_the_answer_opens_is_written_to_its_end() {
    let answer = "if (a) {\n    b({\n  x })\n  }\n  c();\n}";
    assert_eq!(
        kept("function f() {\n  |\n}", answer),
        "if (a) {\n    b({\n  x })\n  }"
    );
    assert_eq!(kept("|", "f(\n1\n)\ng()"), "f(\n1\n)");
}

#[test]
fn a_block_goes_on_with_else_and_chains() {
    let answer = "\n    b()\nelse:\n    c()\nd()";
    assert_eq!(kept("if a:|", answer), "\n    b()\nelse:\n    c()");
    let answer = "\n  b();\n} else {\n  c();\n}\nd();";
    assert_eq!(kept("if (a) {|", answer), "\n  b();\n} else {\n  c();\n}");
    let answer = "f(() => {\n  x\n})\n.then(() => {\n  y\n})\nz";
    assert_eq!(
        kept("|", answer),
        "f(() => {\n  x\n})\n.then(() => {\n  y\n})"
    );
}

#[test]
fn statements_of_the_same_level_go_on_until_it_falls() {
    let answer = "a();\n  b();\n\n  c();\n}\nfunction g() {}";
    assert_eq!(
        kept("function f() {\n  |\n}\n", answer),
        "a();\n  b();\n\n  c();"
    );
    assert_eq!(
        kept("function f() {\n  |\n", answer),
        "a();\n  b();\n\n  c();\n}"
    );
}

#[test]
fn at_the_left_margin_a_blank_line_is_the_end() {
    assert_eq!(
        kept("const a = |\n", "1;\nconst b = 2;\n\nconst c"),
        "1;\nconst b = 2;"
    );
}

#[test]
fn what_the_document_goes_on_with_is_not_repeated() {
    assert_eq!(kept("  |\n  return x;\n", "return x;\n"), "");
    assert_eq!(kept("  |\n\n  return x;\n", "a();\n  return x;\n}"), "a();");
    assert_eq!(kept("f({|\n});", "\n  a,\n});"), "\n  a,");
    assert_eq!(kept("f({|\n});", "\n  a,\n})"), "\n  a,");
    // A line that closes what the answer opened is its own.
    assert_eq!(kept("|\n}", "if (a) {\n}\n}"), "if (a) {\n}");
}

#[test]
fn the_block_around_the_cursor_is_closed_if_the_document_does_not() {
    let document = "fn f() {\n    if a {\n        |\n}\n";
    assert_eq!(kept(document, "b();\n    }\n}\n"), "b();\n    }");
}

#[test]
fn an_answer_has_so_many_lines_at_most() {
    let many = "a\n".repeat(50);
    assert_eq!(kept_in("x", "|", &many, 3), "a\na\na");
    assert_eq!(kept_in("x", "|", "a\nb\nc", 3), "a\nb\nc");
    assert_eq!(kept_in("python", "def f():|", "\n  a\n  b", 1), "\n  a");
    assert_eq!(kept_in("x", "|", &"\n".repeat(500), 3), "");
}

#[test]
fn a_stop_word_is_the_end() {
    assert_eq!(kept("|", "a<|endoftext|>b"), "a");
    assert_eq!(kept("|", "a\nb<|fim_middle|>c"), "a\nb");
    assert_eq!(kept("|", "<|file_sep|>x"), "");
    assert_eq!(kept("|", "a <|endofte"), "a");
    assert_eq!(kept("|", "a <|"), "a <|");
}

#[test]
fn half_a_line_is_not_suggested() {
    assert_eq!(kept("|", "a\nb\nconst c = …"), "a\nb");
    assert_eq!(kept("|", "const c = …"), "");
    assert_eq!(kept("|", &"x".repeat(100_000)), "");
    assert_eq!(kept("|", &format!("a\n{}", "x".repeat(100_000))), "a");
}

#[test]
fn a_fence_that_nobody_asked_for_is_taken_off() {
    assert_eq!(kept("|", "```typescript\na;\n```\nThis code"), "a;");
    assert_eq!(kept("|", "\n```\na;\n```"), "a;");
    assert_eq!(kept("foo(|bar)", "```\na, \n```"), "a, ");
    assert_eq!(kept("|", "a;\n```\nThis code"), "a;");
    assert_eq!(kept("|", "```\n```\n```"), "");
    assert_eq!(kept("|", "```"), "");
    let fenced = "```rust\nfn f() {}\n```";
    assert_eq!(kept_in("markdown", "Like this:\n|", fenced, 20), fenced);
}

#[test]
fn white_space_at_the_end_is_not_doubled() {
    assert_eq!(kept("a = |\n", "1;  \n\n"), "1;");
    assert_eq!(kept("a |b", "+ "), "+ ");
    assert_eq!(kept("a| b", " + "), " +");
    assert_eq!(kept("|", " \n\t\n"), "");
}

#[test]
fn every_line_end_is_one() {
    assert_eq!(kept("|", "a\r\nb\rc\n\rd"), "a\nb\nc");
    assert_eq!(kept("a |b", "x\ry"), "x");
}
