//! What an answer has not reached, what a model says beside its code, and what only stands around it: none of that
//! changes a document.

use foretell_lanes::model::answer_frame::AnswerEnd;

use crate::answers::{says, sum};
use crate::desk::{Desk, FORMATS};

/// Lines of which each stands once, with the cursor on one of them.
fn lines(count: usize, cursor: usize) -> Desk {
    let line = |at: usize| {
        let cursor = if at == cursor { "‸" } else { "" };
        format!("step_{at}(one, two);{cursor}\n")
    };
    Desk::at("l.rs", &(0..count).map(line).collect::<String>())
}

/// The lines that a text had, of which an answer deleted some.
fn lost(desk: &Desk, after: &str) -> Vec<String> {
    let before = desk.request.document.text.to_string();
    let is_lost = |line: &&str| !after.lines().any(|it| it == *line);
    before.lines().filter(is_lost).map(str::to_owned).collect()
}

#[test]
fn a_sentence_ahead_of_the_code_is_not_suggested() {
    let desk = sum();
    for format in ["zeta-2", "sweep", "sweep-v2"] {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("item.price", "item.cost", 1);
        let answer = format!("Here is the updated code:\n{}", says(format, &desk, &new));
        let after = desk.answered(format, &answer);
        let expected = "unplaced: the answer begins somewhere else than the region";
        assert_eq!(after, expected, "{format}");
    }
    let told = desk.question("mercury").unwrap().told;
    let new = told.replacen("item.price", "item.cost", 1);
    let after = desk.answered("mercury", &format!("Here is the updated code:\n{new}"));
    assert!(after.starts_with("unplaced: "), "{after}");
}

#[test]
fn a_sentence_behind_the_code_is_not_suggested() {
    let desk = sum();
    for format in ["zeta-2", "sweep", "sweep-v2", "mercury"] {
        let told = desk.question(format).unwrap().told;
        let after = desk.answered(
            format,
            &format!("{told}\n\nThe code is already correct.\nNothing is to be done.\n"),
        );
        assert_eq!(after, "nothing", "{format}");
    }
    // Nor is it where something is changed.
    let told = desk.question("mercury").unwrap().told;
    let new = told.replacen("item.price", "item.cost", 1);
    let after = desk.answered("mercury", &format!("{new}\n\nI renamed the field.\n"));
    assert!(
        after.contains("item.cost") && !after.contains("renamed"),
        "{after}"
    );
}

#[test]
fn a_paragraph_is_put_in_where_people_write_them() {
    let desk = Desk::at("a.md", "# Title\n\nThis is how it begins.‸\n");
    let told = desk.question("mercury").unwrap().told;
    let answer = format!("```\n{told}\n\nAnd this is how it ends.\n```");
    let after = desk.answered("mercury", &answer);
    assert!(after.contains("\n\nAnd this is how it ends."), "{after}");
}

const MARKDOWN: [&str; 4] = [
    "# Build\n\n```sh\nmake‸\n```\n\nThen wait.\n",
    "```sh\nmake‸\n```\n",
    "make‸\n```\n\n```\nmore\n```\n",
    "```\nmake‸\n```\n",
];

#[test]
fn a_fence_around_markdown_is_no_part_of_it() {
    for text in MARKDOWN {
        let desk = Desk::at("a.md", text);
        for format in ["mercury", "sweep", "zeta-2"] {
            let told = desk.question(format).unwrap().told;
            for (opening, closing) in [
                ("```\n", "\n```"),
                ("```markdown\n", "\n```\n"),
                ("```md\n", "\n```\n\nNothing is to be changed.\n"),
                ("", ""),
            ] {
                let answer = format!("{opening}{told}{closing}");
                let after = desk.answered(format, &answer);
                assert_eq!(after, "nothing", "{format} {answer:?}");
                let new = told.replacen("make", "make all", 1);
                let after = desk.answered(format, &format!("{opening}{new}{closing}"));
                let expected = text.replace('‸', "").replacen("make", "make all", 1);
                assert_eq!(after, expected, "{format} {opening:?} {new:?}");
            }
        }
    }
}

#[test]
fn a_fence_within_an_answer_is_not_its_end() {
    let desk = lines(12, 5);
    let told = desk.question("mercury").unwrap().told;
    let (head, tail) = told.split_at(told.find("step_6").unwrap());
    let answer = format!("```\n{head}```\n{tail}\n```");
    let after = desk.answered("mercury", &answer);
    assert!(
        after.starts_with("unplaced: ") || after == "nothing",
        "{after}"
    );
    let desk = Desk::at("a.md", MARKDOWN[0]);
    let told = desk.question("mercury").unwrap().told;
    let new = told.replacen("Then wait.", "Then wait for it.", 1);
    let after = desk.answered("mercury", &format!("```\n{new}\n```"));
    assert_eq!(
        after,
        MARKDOWN[0]
            .replace('‸', "")
            .replace("Then wait.", "Then wait for it.")
    );
}

#[test]
fn lines_that_an_answer_did_not_come_to_stay() {
    let desk = lines(21, 10);
    for format in ["sweep", "mercury"] {
        let told = desk.question(format).unwrap().told;
        let told: Vec<&str> = told.split('\n').collect();
        for count in 1..told.len() - 3 {
            let new = "let a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 4;\nlet e = 5;\n";
            let answer = format!("{}\n{new}", told[..count].join("\n"));
            let after = desk.answered(format, &answer);
            if after.contains("step_") {
                assert_eq!(lost(&desk, &after), [""; 0], "{format} {answer}");
            }
        }
    }
}

#[test]
fn half_a_line_does_not_become_a_line() {
    let desk = Desk::at("a.html", "<div>\n<p>a</p>\n<p><b>old‸</b></p>\n</div>\n");
    let placed = desk.place("sweep", &["<div>\n<p>new</p>\n<p><b>old"], AnswerEnd::Own);
    assert_eq!(
        desk.tell(placed),
        "<div>\n<p>new</p>\n<p><b>old</b></p>\n</div>\n"
    );
}

#[test]
fn an_end_that_the_model_writes_is_not_the_end_of_the_region() {
    let desk = lines(12, 2);
    let told = desk.question("zeta-2").unwrap().told;
    let head = told.split("step_4").next().unwrap();
    let answer = format!(
        "{}<[end▁of▁sentence]>",
        head.replacen("step_2(one", "step_2(first", 1)
    );
    let after = desk.answered("zeta-2", &answer);
    assert_eq!(lost(&desk, &after), ["step_2(one, two);"], "{after}");
}

#[test]
fn the_last_line_of_the_last_block_is_changed_and_no_line_comes_along() {
    let text = "fn f() {\n    a();\n    b()‸\n}\n";
    let desk = Desk::at("f.rs", text);
    let changed = text.replace('‸', "").replacen("}\n", "} // f\n", 1);
    for answer in [
        "<|marker_1|>fn f() {\n    a();\n    b()\n} // f\n<|marker_2|>",
        "<|marker_1|>fn f() {\n    a();\n    b()\n} // f<|marker_2|>",
        "<|marker_1|>\nfn f() {\n    a();\n    b()\n} // f\n<|marker_2|>\n",
    ] {
        assert_eq!(desk.answered("zeta-2.1", answer), changed, "{answer:?}");
    }
}

/// Four blocks: sixteen lines each, but for the last.
fn blocks() -> (Desk, String) {
    let text: String = (0..55).map(|number| format!("l{number:02};\n")).collect();
    (Desk::at("b.rs", &text.replacen("l20;", "l20;‸", 1)), text)
}

#[test]
fn answers_between_markers_in_the_middle_are_what_they_say() {
    let (desk, text) = blocks();
    let told = desk.prompt("zeta-2.1");
    assert_eq!(told.matches("<|marker_").count(), 5, "{told}");
    assert!(told.contains("<|marker_2|>l16;\n"), "{told}");
    assert!(told.contains("<|marker_3|>l32;\n"), "{told}");
    let block: String = (16..32).map(|number| format!("l{number};\n")).collect();
    let expected = text.replacen("l20;", "l20(1);", 1);
    let new = block.replacen("l20;", "l20(1);", 1);
    for answer in [
        format!("<|marker_2|>{new}<|marker_3|>"),
        format!("<|marker_2|>\n{new}<|marker_3|>\n"),
    ] {
        assert_eq!(desk.answered("zeta-2.1", &answer), expected, "{answer:?}");
    }
    for answer in ["<|marker_2|><|marker_2|>", "<|marker_3|><|marker_3|>\n"] {
        assert_eq!(desk.answered("zeta-2.1", answer), "nothing", "{answer:?}");
    }
    // A line goes, and one comes.
    let new = block.replacen("l20;\n", "", 1);
    let answer = format!("<|marker_2|>{new}<|marker_3|>");
    assert_eq!(
        desk.answered("zeta-2.1", &answer),
        text.replacen("l20;\n", "", 1)
    );
    let new = block.replacen("l31;\n", "l31;\nmore;\n", 1);
    let answer = format!("<|marker_2|>{new}<|marker_3|>");
    let expected = text.replacen("l31;\n", "l31;\nmore;\n", 1);
    assert_eq!(desk.answered("zeta-2.1", &answer), expected);
}

#[test]
fn markers_on_lines_of_their_own_are_followed_all_the_same() {
    let (desk, _) = blocks();
    let block = |from: usize, to: usize| -> String {
        (from..to)
            .map(|number| format!("l{number:02};\n"))
            .collect()
    };
    let new = block(16, 32).replacen("l20;", "l20(1);", 1);
    let answer = format!("<|marker_2|>\n{new}<|marker_3|>\n");
    let heard = desk.heard("zeta-2.1", &answer);
    assert!(heard.ends_with("l20(1);\nl21;\nl22;\n"), "{heard}");
    let circle = format!("{}l17;\n{}", block(16, 17), "again();\n".repeat(9));
    let heard = desk.heard("zeta-2.1", &format!("<|marker_2|>\n{circle}"));
    assert_eq!(heard.matches("again").count(), 3, "{heard}");
}

#[test]
fn a_blank_line_that_is_put_in_behind_the_first_marker_stays() {
    let (desk, text) = blocks();
    let block: String = (16..32).map(|number| format!("l{number};\n")).collect();
    let answer = format!("<|marker_2|>\nnew();\n{block}<|marker_3|>");
    let expected = text.replacen("l16;", "\nnew();\nl16;", 1);
    assert_eq!(desk.answered("zeta-2.1", &answer), expected);
}

#[test]
fn words_of_other_models_are_text() {
    let desk = Desk::at("a.html", "<p>\n<s>old‸</s>\n</p>\n");
    for format in ["sweep", "sweep-v2"] {
        let after = desk.answered(format, "<p>\n<s>new</s>\n</p>\n");
        assert_eq!(after, "<p>\n<s>new</s>\n</p>\n", "{format}");
    }
    let text = "fn usage() {\n    print(\"cat <filename>\");‸\n}\n";
    let desk = Desk::at("u.rs", text);
    for format in FORMATS {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("cat", "tac", 1);
        let after = desk.answered(format, &says(format, &desk, &new));
        assert_eq!(
            after,
            text.replace('‸', "").replace("cat", "tac"),
            "{format}"
        );
    }
    // Where it would begin a file it is refused.
    let desk = Desk::at("u.txt", "a‸\n<filename>b\nc\n");
    assert!(desk.question("zeta-2").is_err());
}
