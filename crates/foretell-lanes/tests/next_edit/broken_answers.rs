//! Answers of models that do something else: nothing is suggested, a failure has a name, and nothing is lost.

use foretell_lanes::model::answer_frame::AnswerEnd;

use crate::answers::{changed, says, sum};
use crate::desk::{Desk, FORMATS};

/// Those that write the whole region anew.
const WHOLE: [&str; 4] = ["zeta-2", "sweep", "sweep-v2", "mercury"];

#[test]
fn what_is_cut_off_is_not_placed() {
    let desk = sum();
    for format in FORMATS {
        let told = desk.question(format).unwrap().told;
        let half = told.replacen("item.price", "item.cost", 1);
        let half = half.split("    }").next().unwrap();
        let placed = desk.place(format, &[half], AnswerEnd::Length);
        let expected = "unplaced: the answer was cut off before its end";
        assert_eq!(desk.tell(placed), expected, "{format}");
    }
}

#[test]
fn what_was_clear_before_it_was_cut_off_is_placed() {
    let desk = sum();
    for format in ["zeta-2.1", "zeta-2", "sweep", "sweep-v2"] {
        let told = desk.question(format).unwrap().told;
        let said = says(format, &desk, &told.replacen("item.price", "item.cost", 1));
        let said = said.split("fn other").next().unwrap();
        let after = desk.tell(desk.place(format, &[said], AnswerEnd::Length));
        assert!(
            after.contains("item.cost;\n    }\n    sum\n}\n\nfn other"),
            "{format}: {after}"
        );
    }
}

#[test]
fn an_empty_answer_has_a_name() {
    let desk = sum();
    for format in FORMATS {
        for answer in ["", "\n", "  \n\n"] {
            assert_eq!(
                desk.answered(format, answer),
                "empty: the answer is empty",
                "{format}"
            );
        }
    }
}

#[test]
fn an_end_that_was_not_reached_stays() {
    let desk = sum();
    for format in ["sweep", "sweep-v2"] {
        let told = desk.question(format).unwrap().told;
        let head = told.split("    sum\n").next().unwrap();
        let head = head.replacen("item.price", "item.cost", 1);
        let after = desk.answered(format, &head);
        assert!(
            after.contains("item.cost;\n    }\n    sum\n}\n\nfn other() {}"),
            "{format}: {after}"
        );
    }
}

#[test]
fn an_answer_that_begins_somewhere_else_is_not_placed() {
    let desk = sum();
    for format in WHOLE {
        let told = desk.question(format).unwrap().told;
        let tail = told.split("cart {\n").nth(1).unwrap();
        let after = desk.answered(format, &says(format, &desk, tail));
        let expected = "unplaced: the answer begins somewhere else than the region";
        assert_eq!(after, expected, "{format}");
    }
}

#[test]
fn chat_is_not_placed() {
    let desk = sum();
    for format in FORMATS {
        for answer in [
            "Sure! Here is the updated code for you.\n\nI renamed the variable.\n",
            "I cannot help with that.",
            "The function adds up all prices.\nIt returns the sum.\nLet me know if you need more.\n",
        ] {
            let after = desk.answered(format, answer);
            assert!(after.starts_with("unplaced: "), "{format}: {after}");
        }
    }
}

#[test]
fn going_round_in_circles_is_cut_before_it_begins() {
    let desk = sum();
    for format in FORMATS {
        let circle = "item.cost;\n        log();\n        log();\n        log();\n        log();";
        let after = changed(format, &desk, "item.price;", circle);
        assert!(!after.contains("log"), "{format}: {after}");
        assert!(
            after.contains("item.cost;\n    }\n    sum\n"),
            "{format}: {after}"
        );
    }
}

#[test]
fn lines_that_are_equal_in_the_document_are_no_circle() {
    let desk = Desk::at(
        "d.rs",
        "let a = [\n    0,‸\n    0,\n    0,\n    0,\n];\nf(a);\ng(a);\n",
    );
    for format in FORMATS {
        let after = changed(format, &desk, "let a = [", "let b = [");
        assert!(
            after.starts_with("let b = [\n    0,\n    0,\n    0,\n    0,\n];\n"),
            "{format}"
        );
    }
}

#[test]
fn megabytes_of_the_same_are_not_listened_to() {
    let desk = sum();
    for format in FORMATS {
        let question = desk.question(format).unwrap();
        let reader = desk.format(format);
        let marks = Box::new(foretell_testkit::lane_requests::OneSecret);
        let mut reader = reader.reader(question, &desk.request, marks);
        let piece = "<|marker_1|>token ".repeat(64);
        let mut heard = 0;
        while heard < 10 << 20 {
            heard += piece.len();
            if foretell_lanes::model::format::AnswerReader::push(&mut reader, &piece) {
                break;
            }
        }
        assert!(heard < 64 << 10, "{format} listened to {heard} bytes");
        let end =
            foretell_lanes::model::format::AnswerReader::finish(Box::new(reader), AnswerEnd::Own);
        let after = desk.tell(end);
        assert!(
            after.starts_with("unplaced: ") || after == "nothing",
            "{format}: {after}"
        );
    }
}

#[test]
fn markers_of_any_model_are_not_shown() {
    let desk = sum();
    for format in FORMATS {
        for marker in [
            "<|editable_region_start|>",
            "<|fim_middle|>",
            "<[fim-middle]>",
            "<<<<<<< CURRENT",
            "=======",
            "<|current_file_content|>",
            "<|recently_viewed_code_snippets|>",
            "<|code_to_edit|>",
        ] {
            let after = changed(
                format,
                &desk,
                "item.price;",
                &format!("item.cost;\n{marker}"),
            );
            let is_quiet = after.starts_with("unplaced: ") || after == "nothing";
            assert!(is_quiet, "{format} {marker}: {after}");
        }
    }
}

#[test]
fn a_conflict_instead_of_an_answer_is_not_placed() {
    let desk = sum();
    let told = desk.question("zeta-2").unwrap().told;
    let new = told.replacen("item.price", "item.cost", 1);
    let answer = format!("<<<<<<< CURRENT\n{told}\n=======\n{new}\n>>>>>>> UPDATED\n");
    assert!(desk.answered("zeta-2", &answer).starts_with("unplaced: "));
}

#[test]
fn a_marker_that_is_cut_off_is_not_text() {
    let desk = sum();
    for (format, half) in [
        ("zeta-2", "\n>>>>>>> UPDA"),
        ("zeta-2", "\n>>>>>>> UPDATED"),
        ("sweep", "\n<|file_s"),
        ("sweep-v2", "<|endofte"),
        ("mercury", "\n<|/code_to_"),
    ] {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("fn other() {}", "fn another() {}", 1);
        let after = desk.answered(format, &format!("{new}{half}"));
        assert!(
            after.ends_with("}\n\nfn another() {}\n"),
            "{format} {half:?}: {after}"
        );
    }
    let after = desk.answered("zeta-2.1", "<|marker_1|>fn total\n<|mark");
    let expected = "unplaced: the answer has no markers that say which lines it is about";
    assert_eq!(after, expected);
}

#[test]
fn markers_out_of_order_are_not_placed() {
    let lines: String = (0..60).map(|number| format!("line {number};\n")).collect();
    let desk = Desk::at("l.rs", &lines.replacen("line 20;", "line 20;‸", 1));
    for answer in [
        "<|marker_3|>line x;\n<|marker_1|>",
        "<|marker_1|>line x;\n<|marker_9|>",
        "<|marker_0|>line x;\n<|marker_1|>",
        "<|marker_1|>a;\n<|marker_3|>b;\n<|marker_2|>",
        "<|marker_99999999999999999999|>a<|marker_1|>",
    ] {
        let after = desk.answered("zeta-2.1", answer);
        assert!(after.starts_with("unplaced: "), "{answer}: {after}");
    }
}

#[test]
fn an_answer_about_something_else_is_not_placed() {
    let desk = sum();
    let other = "fn total() {\n    use a;\n    use b;\n    use c;\n    use d;\n    use e;\n}\n";
    for format in FORMATS {
        let after = desk.answered(format, &says(format, &desk, other));
        let is_kept = after.contains("item.price") || after.starts_with("unplaced: ");
        assert!(is_kept, "{format}: {after}");
    }
}

#[test]
fn a_region_is_never_deleted_whole() {
    let desk = sum();
    for (format, answer) in [
        ("zeta-2", ">>>>>>> UPDATED\n"),
        ("zeta-2", "\n\n>>>>>>> UPDATED\n"),
        ("zeta-2.1", "<|marker_1|><|marker_2|>"),
        ("sweep", "<|file_sep|>"),
        ("sweep-v2", "<|endoftext|>"),
        ("mercury", "```\n```"),
    ] {
        let after = desk.answered(format, answer);
        let is_quiet = after.starts_with("unplaced: ") || after == "nothing";
        assert!(is_quiet, "{format} {answer:?}: {after}");
    }
}

#[test]
fn a_fence_is_taken_off_and_its_end_is_the_end() {
    let desk = sum();
    for format in WHOLE {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("fn other() {}", "fn another() {}", 1);
        for answer in [
            format!("```\n{new}\n```"),
            format!("```rust\n{new}\n```\nI renamed it.\n"),
        ] {
            let after = desk.answered(format, &answer);
            assert!(
                after.ends_with("}\n\nfn another() {}\n"),
                "{format}: {after}"
            );
        }
    }
}

#[test]
fn a_very_long_line_is_not_placed() {
    let desk = sum();
    for format in FORMATS {
        let long = format!("item.cost; // {}", "x".repeat(6_000));
        let after = changed(format, &desk, "item.price;", &long);
        assert!(after.starts_with("unplaced: "), "{format}: {after}");
    }
}
