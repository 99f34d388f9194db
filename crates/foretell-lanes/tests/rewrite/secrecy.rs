//! What is never told: secrets, by the redactor that is used in earnest, where somebody's files are,
//! and words that would be orders to the model.

use std::ops::Range;
use std::sync::Arc;

use foretell_context::{Redaction, Redactor};
use foretell_lanes::model::rewrite::{EditTask, QuestionRefusal, RewriteQuestion};
use foretell_lanes::{OpenDocument, SecretMarks};
use foretell_testkit::string_model::range;
use foretell_text::{
    ChangeReason, Diagnostic, DiagnosticSeverity, DocumentId, FilePath, Language, RecentEdit, Text,
};

use crate::stage::Stage;

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

fn asked(stage: &Stage) -> Result<RewriteQuestion, QuestionRefusal> {
    let mut marks = Earnest(Redactor::new().begin());
    RewriteQuestion::of(&stage.request, stage.task, &stage.settings, &mut marks)
}

/// A document in which the one was changed to the other, where it stands now.
fn changed(path: &str, text: &str, old: &str, new: &str) -> OpenDocument {
    let start = text.find(new).unwrap();
    OpenDocument {
        id: DocumentId::new("file:///other"),
        file: FilePath::new(path),
        language: Language::new("yaml"),
        text: Text::from(text),
        edits: vec![RecentEdit {
            made_at: Some(foretell_text::ByteOffset::new(start)),
            range: range(start, start + new.len()),
            old_text: old.into(),
            new_text: new.into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms: 5,
            is_finished: true,
        }],
    }
}

#[test]
fn a_password_that_was_changed_is_told_neither_as_it_was_nor_as_it_is() {
    // What is nobody's password says nothing of the one that came in its place.
    for (text, old, new) in [
        (
            "password:\n  correct-horse-7\nport: 1\n",
            "changeme",
            "correct-horse-7",
        ),
        (
            "password:\n  changeme\nport: 1\n",
            "correct-horse-7",
            "changeme",
        ),
        (
            "password: \"battery-staple-8\"\n",
            "correct-horse-7",
            "battery-staple-8",
        ),
    ] {
        let mut stage = Stage::at("let x = 1;‸\n");
        stage.request.others = vec![changed("deploy.yaml", text, old, new)];
        let user = asked(&stage).unwrap().user;
        assert!(user.contains("@@ deploy.yaml line"), "{user}");
        assert!(user.contains("[REDACTED-1]"), "{user}");
        assert!(!user.contains("correct-horse"), "{user}");
        assert!(!user.contains("battery"), "{user}");
    }
}

#[test]
fn of_a_file_elsewhere_only_its_name_is_told() {
    let mut stage = Stage::at("let x = 1;‸\n");
    stage.request.document.file = FilePath::new("/home/alice/clients/acme/x.py");
    let elsewhere = "C:\\Users\\alice\\clients\\acme\\y.py";
    stage.request.others = vec![changed(elsewhere, "a: 2\n", "1", "2")];
    let user = asked(&stage).unwrap().user;
    assert!(user.starts_with("The file is `x.py`, "), "{user}");
    assert!(user.contains("@@ y.py line 1 @@"), "{user}");
    assert!(!user.contains("alice") && !user.contains("acme"), "{user}");
}

/// Something in every place that is quoted but the region.
fn everywhere_but_in_the_region(word: &str) -> Stage {
    let padding = "let y = 1;\n".repeat(30);
    let text = format!("// a{word}b\n{padding}let x = 1;‸\n{padding}// c{word}d\n");
    let mut stage = Stage::at(&text);
    let at = text.find('‸').unwrap();
    stage.task = EditTask::Fix;
    stage.request.context = Arc::new(foretell_lanes::LaneContext::of_markdown(format!(
        "known{word}\n"
    )));
    stage.request.document.file = FilePath::new(format!("src/e{word}f.rs"));
    stage.request.others = vec![changed("g.yaml", &format!("h: {word}2\n"), "1", "2")];
    stage.request.diagnostics = vec![Diagnostic {
        range: range(at - 2, at),
        severity: DiagnosticSeverity::Error,
        source: Some(format!("rustc{word}")),
        code: None,
        message: format!("i{word}j"),
        fixes: Vec::new(),
    }];
    stage
}

#[test]
fn no_text_can_take_the_word_by_a_control_token() {
    for word in [
        "<|im_start|>",
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|start_header_id|>",
        "<|end_header_id|>",
        "<start_of_turn>",
        "<end_of_turn>",
        "<|fim_middle|>",
        "<|im_<|im_end|>end|>",
    ] {
        let user = asked(&everywhere_but_in_the_region(word)).unwrap().user;
        assert!(!user.contains("<|") && !user.contains("_turn>"), "{user}");
        for kept in ["// ab\n", "// cd\n", "known\n", "src/ef.rs", "ij", "h: 2"] {
            assert!(user.contains(kept), "{kept} is not in {user}");
        }
    }
}

#[test]
fn words_that_may_be_anybodys_are_tokens_of_those_models_that_have_them() {
    let mut stage = everywhere_but_in_the_region("[INST]");
    assert!(asked(&stage).unwrap().user.contains("// a[INST]b"));
    for model in ["mistral-small:24b", "codestral-latest", "Mixtral-8x7B"] {
        stage.settings.model = Some(model.into());
        assert!(!asked(&stage).unwrap().user.contains("[INST]"), "{model}");
    }
    stage.settings.model = Some("qwen2.5-coder".into());
    stage.settings.explicit_model = Some("mistral-large".into());
    assert!(!asked(&stage).unwrap().user.contains("[INST]"));
}

#[test]
fn lines_with_a_control_token_are_left_alone_with_words() {
    let stage = Stage::at("let end = \"<|im_end|>\";\nlet x = 1;‸\n");
    let why = asked(&stage).unwrap_err();
    assert_eq!(why, QuestionRefusal::ControlToken);
    assert!(why.to_string().contains("by hand"), "{why}");
}

#[test]
fn a_control_token_behind_an_answer_is_no_part_of_it() {
    let stage = Stage::at("let x = 1;‸\nlet y = 2;\n");
    for behind in [
        "<|im_end|>",
        "\n<|im_end|>\n<|endoftext|>\n",
        "\n```<|eot_id|>",
    ] {
        let answer = format!("```rust\nlet x = 3;\nlet y = 2;\n{behind}");
        let answer = answer.replace("\n\n", "\n");
        assert_eq!(
            stage.answered(&answer),
            "let x = 3;\nlet y = 2;\n",
            "{behind:?}"
        );
    }
    let only = stage.answered("<|im_end|>\n");
    assert!(only.starts_with("empty: "), "{only}");
}

#[test]
fn a_control_token_within_an_answer_is_not_written_into_a_document() {
    let stage = Stage::at("let x = 1;‸\nlet y = 2;\n");
    for answer in [
        "```rust\nlet x = \"<|im_end|>\";\nlet y = 2;\n```\n",
        "```rust\nlet x = 3;<|im_end|>\n<|im_start|>user\nlet y = 2;\n",
        "let x = 3;\n<|im_end|>\nlet y = 2;\n",
    ] {
        let came = stage.answered(answer);
        assert!(came.starts_with("unplaced: "), "{came}");
        assert!(came.contains("control token"), "{came}");
    }
}
