//! What becomes of answers.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::rewrite::EditTask;
use foretell_lanes::model::server_kind::ServerKind;
use foretell_testkit::lane_requests::SECRET;
use foretell_testkit::string_model::range;
use foretell_text::{Diagnostic, DiagnosticSeverity};

use crate::stage::Stage;

const CART: &str = "\
use std::fmt;

fn total(items: &[Item]) -> u32 {
    let mut sum = 0;
    for item in items {
        sum += item.price;‸
    }
    sum
}
";

/// The same with a changed line.
fn cart_with_rate() -> String {
    CART.replace('‸', "")
        .replace("item.price", "item.price * rate")
}

#[test]
fn a_fenced_answer_is_an_edit_of_what_changed() {
    let stage = Stage::at(CART);
    let answer = format!("```rust\n{}```\n", cart_with_rate());
    assert_eq!(stage.answered(&answer), cart_with_rate());
    assert_eq!(stage.edits(&answer), [r#"[119, 119) -> " * rate""#]);
}

#[test]
fn how_it_is_wrapped_does_not_matter() {
    let stage = Stage::at(CART);
    let new = cart_with_rate();
    let trimmed = new.trim_end();
    let indented: String = new.lines().map(|line| format!("    {line}\n")).collect();
    for answer in [
        format!("```\n{trimmed}\n```"),
        format!("```rust\n{new}\n\n```"),
        format!("````rust\n{new}````\n"),
        format!("~~~rust\n{new}~~~\n"),
        format!("Sure! Here it is:\n\n```rust\n{new}```\n\nI multiplied by the rate."),
        format!("  ```rust\n{indented}  ```\n"),
        format!("```rust\n>>> REGION STARTS\n{new}\n<<< REGION ENDS\n```\n"),
        format!(">>> REGION STARTS\n{new}\n<<< REGION ENDS\n"),
        format!("```rust\n// >>> REGION STARTS\n{new}\n// <<< REGION ENDS\nfn other() {{}}\n```\n"),
        format!("```rust\n{}```\n", new.replace('\n', "\r\n")),
        format!("<think>\nI could write\n```\nnothing\n```\n</think>\n```rust\n{new}```"),
        format!("Thinking aloud: ```x```.\n</think>```rust\n{new}```"),
        format!("```rust\n{new}"),
        new.clone(),
        format!("Here is the code:\n\n{new}\nI multiplied by the rate."),
    ] {
        assert_eq!(stage.answered(&answer), new, "{answer}");
    }
}

#[test]
fn of_several_blocks_the_one_that_is_about_it_is_taken() {
    let stage = Stage::at(CART);
    let (old, new) = (CART.replace('‸', ""), cart_with_rate());
    for answer in [
        format!("Before:\n```rust\n{old}```\nAfter:\n```rust\n{new}```\n"),
        format!("```sh\ncargo test\n```\nand\n```rust\n{new}```\n"),
        format!("```rust\n{new}```\nThen run\n```sh\ncargo test\n```\n"),
    ] {
        assert_eq!(stage.answered(&answer), new, "{answer}");
    }
}

#[test]
fn a_region_with_fences_of_its_own_comes_back_whole() {
    let old =
        "# Title\n\n‸```sh\nmake it work\n```\n\nThe end of the story.\n\n```sh\nmake clean\n```\n";
    let mut stage = Stage::at(old);
    stage.request.document.language = foretell_text::Language::new("markdown");
    let old = old.replace('‸', "");
    let new = old.replace("end of the story", "end of the tale");
    for answer in [
        format!("````markdown\n{new}````\n"),
        format!("```markdown\n{new}```\n"),
        format!("```markdown\n{new}```\nI changed a word.\n"),
        format!("````markdown\n{new}```\nI closed it too early.\n"),
    ] {
        assert_eq!(stage.answered(&answer), new, "{answer}");
    }
    assert_eq!(
        stage.answered(&format!("```markdown\n{old}```\n")),
        "nothing"
    );
}

#[test]
fn a_region_that_begins_with_a_fence_keeps_it() {
    let old = "```sh\nmake it work‸\n```\nThe end of the story.\n";
    let new = old.replace('‸', "").replace("it work", "it work well");
    for kind in [ServerKind::OpenAiChat, ServerKind::OpenAi] {
        let mut stage = Stage::at(old);
        stage.kind = kind;
        let answer = if kind == ServerKind::OpenAi {
            format!("{new}````\n")
        } else {
            format!("````markdown\n{new}````\n")
        };
        assert_eq!(stage.answered(&answer), new);
    }
}

#[test]
fn a_thought_that_ends_ten_thousand_times_ends() {
    let stage = Stage::at(CART);
    let answer = format!("<think>{}", "</think>".repeat(10_000));
    assert!(stage.answered(&answer).starts_with("unplaced: "));
}

#[test]
fn lines_that_were_only_shown_are_not_doubled() {
    let mut lines: Vec<String> = (0..60).map(|n| format!("let line{n} = {n};")).collect();
    lines[30].push('‸');
    let stage = Stage::at(&lines.join("\n"));
    let old: Vec<String> = lines.iter().map(|line| line.replace('‸', "")).collect();
    let mut new = old.clone();
    new[31] = "let other = 31;".to_owned();
    let expected = new.join("\n");
    for shown in [20..46, 18..46, 20..50, 0..60, 19..47] {
        let answer = format!("```rust\n{}\n```\n", new[shown.clone()].join("\n"));
        assert_eq!(stage.answered(&answer), expected, "{shown:?}");
    }
}

#[test]
fn what_is_to_stay_is_no_suggestion() {
    let stage = Stage::at(CART);
    let old = CART.replace('‸', "");
    assert_eq!(stage.answered(&format!("```rust\n{old}```")), "nothing");
    assert_eq!(stage.answered(&old), "nothing");
    let spaced = old.replace("sum\n}", "sum  \n\n}");
    assert_eq!(stage.answered(&format!("```rust\n{spaced}```")), "nothing");
}

#[test]
fn what_cannot_be_placed_is_a_failure_with_a_name() {
    let stage = Stage::at(CART);
    let left_out = "```rust\nuse std::fmt;\n\nfn total(items: &[Item], rate: u32) -> u32 {\n    let mut sum = 0;\n    for item in items {\n        sum += item.price;\n    // ... rest unchanged\n```\n";
    for (answer, why) in [
        (left_out, "leaves code out"),
        (
            "```rust\nuse std::fmt;\n\nfn total(items: &[Item]) -> u32 {\n    ...\n}\n```",
            "leaves code out",
        ),
        ("```python\nprint('hello')\n```", "little to do with"),
        ("```rust\n```", "little to do with"),
        ("I am sorry, but I cannot help with that.", "in words"),
        (
            "The code looks right to me.\nNothing needs to be changed.",
            "in words",
        ),
    ] {
        let told = stage.answered(answer);
        assert!(
            told.starts_with("unplaced: ") && told.contains(why),
            "{answer}: {told}"
        );
    }
    assert!(stage.answered(" \n\n").starts_with("empty: "));
    assert!(stage.answered("").starts_with("empty: "));
    let grown = format!(
        "```rust\n{}{}```",
        CART.replace('‸', ""),
        "// more\n".repeat(200)
    );
    assert!(stage.answered(&grown).contains("too much longer"));
}

#[test]
fn dots_that_were_there_before_and_dots_that_are_code_are_kept() {
    let old = "def f(x):\n    # ... see above\n    ...\n\ndef g(y):‸\n    pass\n";
    let stage = Stage::at(old);
    let new = old
        .replace('‸', "")
        .replace("g(y)", "g(z)")
        .replace("pass", "...");
    assert_eq!(stage.answered(&format!("```python\n{new}```")), new);
}

#[test]
fn an_answer_that_was_cut_is_not_placed_unless_the_block_is_whole() {
    let stage = Stage::at(CART);
    let new = cart_with_rate();
    let (half, _) = new.split_at(new.find("rate").unwrap());
    for half in [
        format!("```rust\n{half}"),
        half.to_owned(),
        "<think>\nHm".to_owned(),
    ] {
        let told = stage.tell(stage.place(&half, AnswerEnd::Length));
        assert!(
            told.contains("cut off before its end; raise lanes.nextEdit.maxTokens"),
            "{told}"
        );
    }
    let whole = format!("```rust\n{new}```\nI multiplied by");
    assert_eq!(stage.tell(stage.place(&whole, AnswerEnd::Length)), new);
}

#[test]
fn indentation_that_is_off_by_a_constant_is_taken_back() {
    let old = "impl Cart {\n    fn a(&self) {\n        self.b()‸;\n        self.c();\n    }\n}\n";
    let mut stage = Stage::at(old);
    stage.settings.max_prefix_chars = 40;
    stage.settings.max_suffix_chars = 26;
    let old = old.replace('‸', "");
    let region = "    fn a(&self) {\n        self.b();\n        self.c();\n    }";
    assert_eq!(stage.question().unwrap().told, region);
    let dedented = "fn a(&self) {\n    self.b();\n    self.d();\n}";
    let new = old.replace("self.c", "self.d");
    assert_eq!(stage.answered(&format!("```rust\n{dedented}\n```")), new);
    let deeper = "            fn a(&self) {\n                self.b();\n                self.d();\n            }";
    assert_eq!(stage.answered(&format!("```rust\n{deeper}\n```")), new);
    // What is wrapped in something else is meant to be indented.
    let wrapped = "    fn a(&self) {\n        if x {\n            self.b();\n            self.c();\n        }\n    }";
    let expected = old.replace(region, wrapped);
    assert_eq!(
        stage.answered(&format!("```rust\n{wrapped}\n```")),
        expected
    );
}

#[test]
fn line_ends_stay_what_they_are() {
    let old = "let a = 1;\r\nlet b = 2;‸\r\nlet c = 3;\r\nlet last = 4;";
    let stage = Stage::at(old);
    let answer = "```\nlet a = 1;\nlet b = 20;\nlet more = 0;\nlet c = 3;\nlet last = 4;\nlet very_last = 5;\n```";
    let expected = "let a = 1;\r\nlet b = 20;\r\nlet more = 0;\r\nlet c = 3;\r\nlet last = 4;\r\nlet very_last = 5;";
    assert_eq!(stage.answered(answer), expected);
    let gone = "```diff\n let c = 3;\n-let last = 4;\n```";
    assert_eq!(
        stage.answered(gone),
        "let a = 1;\r\nlet b = 2;\r\nlet c = 3;"
    );
}

#[test]
fn a_secret_comes_back_and_one_that_is_lost_is_withheld() {
    let old = format!("let key = \"{SECRET}\";\nlet other = connect(key);‸\nlet third = 3;\n");
    let stage = Stage::at(&old);
    let told = stage.question().unwrap().told;
    assert!(told.contains("[REDACTED-1]") && !told.contains(SECRET));
    let new = told.replace("connect(key)", "connect(key, host)");
    let expected = old
        .replace('‸', "")
        .replace("connect(key)", "connect(key, host)");
    assert_eq!(stage.answered(&format!("```\n{new}\n```")), expected);
    let lost = new.replace("[REDACTED-1]", "secret");
    assert_eq!(stage.answered(&format!("```\n{lost}\n```")), "withheld 1");
    let doubled = format!("{new}let again = \"[REDACTED-1]\";");
    assert_eq!(
        stage.answered(&format!("```\n{doubled}\n```")),
        "withheld 1"
    );
}

#[test]
fn changes_that_are_close_come_together_and_others_by_themselves() {
    let lines: Vec<String> = (0..24).map(|n| format!("let v{n} = f({n});")).collect();
    let mut with_cursor = lines.clone();
    with_cursor[8].push('‸');
    let stage = Stage::at(&with_cursor.join("\n"));
    let mut new = lines.clone();
    // One above; two that are close, below; one further below.
    for at in [2, 11, 14, 22] {
        new[at] = format!("let v{at} = g({at});");
    }
    let answer = format!("```\n{}\n```", new.join("\n"));
    let lines_of = |edit: &str| edit.matches("->").count();
    let edits = stage.edits(&answer);
    let counts: Vec<usize> = edits.iter().map(|edit| lines_of(edit)).collect();
    assert_eq!(counts, [2, 1, 1]);
    let starts = |line: usize| lines[..line].iter().map(|it| it.len() + 1).sum::<usize>();
    let at = |edit: &str, line: usize| {
        let start = edit.trim_start_matches('[').split(',').next().unwrap();
        let start: usize = start.parse().unwrap();
        start >= starts(line) && start < starts(line + 1)
    };
    assert!(
        at(&edits[0], 11) && at(&edits[1], 2) && at(&edits[2], 22),
        "{edits:?}"
    );
    assert_eq!(stage.answered(&answer), new.join("\n"));
}

#[test]
fn a_fix_is_one_suggestion_wherever_its_parts_are() {
    let mut stage = Stage::at("use a;\n1\n2\n3\n4\n5\nlet x = HashMap‸::new();\nend\n");
    stage.task = EditTask::Fix;
    let at = stage.request.at.get();
    stage.request.diagnostics.push(Diagnostic {
        range: range(at - 7, at),
        severity: DiagnosticSeverity::Error,
        source: Some("rustc".to_owned()),
        code: Some("E0433".to_owned()),
        message: "use of undeclared type `HashMap`".to_owned(),
        fixes: Vec::new(),
    });
    let answer = "```\nuse a;\nuse std::collections::HashMap;\n1\n2\n3\n4\n5\nlet x: HashMap = HashMap::new();\nend\n```";
    assert_eq!(stage.edits(answer).len(), 1);
    stage.task = EditTask::NextEdit;
    assert_eq!(stage.edits(answer).len(), 2);
}

#[test]
fn a_fix_may_be_nothing_but_space_where_the_fault_is() {
    let mut stage = Stage::at("def f(x):\n  return x‸\n\ndef long_name(y):\n    return y\n");
    let answer = "```python\ndef f(x):\n    return x\n\ndef long_name(y):\n    return y\n```";
    assert_eq!(stage.answered(answer), "nothing");
    stage.task = EditTask::Fix;
    stage.request.diagnostics.push(Diagnostic {
        range: range(10, 12),
        severity: DiagnosticSeverity::Warning,
        source: None,
        code: None,
        message: "indentation is not a multiple of 4".to_owned(),
        fixes: Vec::new(),
    });
    assert!(
        stage
            .answered(answer)
            .starts_with("def f(x):\n    return x\n")
    );
}

#[test]
fn a_model_that_goes_on_writing_is_understood_with_and_without_a_fence_of_its_own() {
    let new = cart_with_rate();
    for kind in [ServerKind::OpenAi, ServerKind::LlamaCpp] {
        let mut stage = Stage::at(CART);
        stage.kind = kind;
        for answer in [
            new.clone(),
            new.trim_end().to_owned(),
            format!("{new}```\n\nThat is it."),
            format!("```rust\n{new}```\n"),
            format!("```\n{new}```\n"),
            format!("{new}\nI multiplied by the rate.\nThat is all there is to it.\n"),
        ] {
            assert_eq!(stage.answered(&answer), new, "{answer}");
        }
        let documented = new.replace("fn total", "/**\nReturns the sum of all.\n*/\nfn total");
        assert_eq!(stage.answered(&documented), documented);
        assert!(stage.answered("").starts_with("empty: "));
    }
}

#[test]
fn an_empty_document_may_be_filled() {
    let stage = Stage::at("‸");
    let answer = "```rust\nfn main() {\n}\n```";
    assert_eq!(stage.answered(answer).trim_end(), "fn main() {\n}");
}

#[test]
fn it_stops_as_soon_as_it_knows() {
    let stage = Stage::at(CART);
    let question = stage.question().unwrap();
    let code = format!("```rust\n{}```\n", cart_with_rate());
    let answer = format!("{code}I did this because of that.\n");
    let (heard, _) = stage.listen(&question, &[&answer], AnswerEnd::Length);
    assert_eq!(heard, code);
    // What does not help does not end it, and what never ends does.
    let unchanged = format!("```rust\n{}```\n", CART.replace('‸', ""));
    let (heard, _) = stage.listen(&question, &[&unchanged, &answer], AnswerEnd::Own);
    assert_eq!(heard, [unchanged, code].concat());
    let endless = format!("```rust\n{}", "x\n".repeat(5_000));
    let (heard, _) = stage.listen(&question, &[&endless], AnswerEnd::Own);
    assert!(heard.len() < 200, "{}", heard.len());
}
