//! Answers of models that do what they were trained for, and what is suggested.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_testkit::lane_requests::{MARK, SECRET};

use crate::desk::{Desk, FORMATS};

/// A sum, with the cursor in its loop.
pub(crate) const SUM: &str = "fn total(cart: &Cart) -> u32 {\n    let mut sum = 0;\n    \
    for item in cart {\n        sum += item.price;‸\n    }\n    sum\n}\n\nfn other() {}\n";

pub(crate) fn sum() -> Desk {
    Desk::at("src/cart.rs", SUM)
}

/// How the model of a format says that the region is to be this.
pub(crate) fn says(format: &str, desk: &Desk, new: &str) -> String {
    match format {
        "zeta-2.1" => {
            let question = desk.prompt(format);
            let last = question.matches("<|marker_").count();
            format!("<|marker_1|>{new}<|marker_{last}|><[end▁of▁sentence]>")
        }
        "zeta-2" => format!("{new}\n>>>>>>> UPDATED\n"),
        "mercury" => format!("```\n{new}\n```"),
        _ => format!("{new}\n"),
    }
}

/// The text after an answer that changes the region by one replacement of words.
pub(crate) fn changed(format: &str, desk: &Desk, was: &str, becomes: &str) -> String {
    let told = desk.question(format).unwrap().told;
    assert!(told.contains(was), "{format}: {told}");
    let new = told.replacen(was, becomes, 1);
    desk.answered(format, &says(format, desk, &new))
}

fn sum_with(was: &str, becomes: &str) -> String {
    SUM.replace('‸', "").replacen(was, becomes, 1)
}

#[test]
fn the_region_as_it_is_means_nothing() {
    let desk = sum();
    for format in FORMATS {
        assert_eq!(changed(format, &desk, "sum", "sum"), "nothing", "{format}");
    }
}

#[test]
fn a_word_is_changed() {
    let desk = sum();
    for format in FORMATS {
        let after = changed(format, &desk, "item.price", "item.price * item.count");
        assert_eq!(
            after,
            sum_with("item.price", "item.price * item.count"),
            "{format}"
        );
    }
}

#[test]
fn a_line_is_put_in() {
    let desk = sum();
    for format in FORMATS {
        let more = "item.price;\n        log(item);";
        let after = changed(format, &desk, "item.price;", more);
        assert_eq!(after, sum_with("item.price;", more), "{format}");
    }
}

#[test]
fn what_is_put_in_at_the_cursor_is_an_insertion_there() {
    let desk = Desk::at("a.rs", "fn f() {\n    let x = ‸\n}\n\nfn g() {}\n");
    for format in FORMATS {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("let x = ", "let x = one();", 1);
        let edits = desk.edits(format, &says(format, &desk, &new));
        assert_eq!(edits, [r#"[21, 21) -> "one();""#], "{format}");
    }
}

#[test]
fn a_line_is_taken_out() {
    let desk = sum();
    for format in FORMATS {
        let after = changed(format, &desk, "    let mut sum = 0;\n", "");
        let expected = sum_with("    let mut sum = 0;\n", "");
        assert_eq!(after, expected, "{format}");
    }
}

#[test]
fn the_token_of_the_cursor_is_not_text() {
    let desk = sum();
    for (format, token) in [
        ("zeta-2.1", "<|user_cursor|>"),
        ("zeta-2", "<|user_cursor|>"),
        ("sweep-v2", "<|cursor|>"),
        ("mercury", "<|cursor|>"),
    ] {
        let after = changed(format, &desk, "item.price", &format!("item.cost{token}"));
        assert_eq!(after, sum_with("item.price", "item.cost"), "{format}");
        let after = changed(format, &desk, "item.price;", &format!("item.price;{token}"));
        assert_eq!(after, "nothing", "{format}");
    }
}

#[test]
fn words_that_mean_nothing_mean_nothing() {
    let desk = sum();
    for format in FORMATS {
        for word in [
            "NO_EDITS",
            "KEEP_PREVIOUS",
            "NO_EDITS\n>>>>>>> UPDATED\n",
            "\nNO_EDITS\n",
        ] {
            assert_eq!(desk.answered(format, word), "nothing", "{format} {word:?}");
        }
    }
    for word in ["None", "```\nNone\n```", " None\n"] {
        assert_eq!(desk.answered("mercury", word), "nothing", "{word:?}");
    }
    for word in ["<|marker_2|><|marker_2|>", "<|marker_1|><|marker_1|>"] {
        assert_eq!(desk.answered("zeta-2.1", word), "nothing");
    }
}

#[test]
fn such_a_word_behind_code_means_nothing_as_well() {
    let desk = sum();
    for format in FORMATS {
        let after = changed(format, &desk, "item.price", "item.cost;\nNO_EDITS\n");
        assert_eq!(after, "nothing", "{format}");
    }
}

#[test]
fn other_blank_lines_at_the_end_are_ignored() {
    let desk = sum();
    for format in ["zeta-2", "sweep", "sweep-v2", "mercury"] {
        let told = desk.question(format).unwrap().told;
        let answer = says(format, &desk, &format!("{told}\n\n"));
        assert_eq!(desk.answered(format, &answer), "nothing", "{format}");
    }
}

#[test]
fn changes_far_apart_are_two_suggestions_the_nearest_first() {
    let desk = sum();
    for format in FORMATS {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("mut sum = 0", "mut sum = 0_u32", 1);
        let new = new.replacen("    sum\n}", "    sum\n} // total", 1);
        let edits = desk.edits(format, &says(format, &desk, &new));
        assert_eq!(edits.len(), 2, "{format}: {edits:?}");
        assert!(edits[0].contains("u32"), "{format}: {edits:?}");
        assert!(edits[1].contains("// total"), "{format}: {edits:?}");
    }
}

#[test]
fn an_answer_ends_where_it_agrees_again() {
    let desk = sum();
    for format in ["zeta-2.1", "zeta-2", "sweep", "sweep-v2"] {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("item.price", "item.cost", 1);
        let answer = says(format, &desk, &new);
        let heard = desk.heard(format, &answer);
        assert!(
            heard.ends_with("item.cost;\n    }\n    sum\n}\n"),
            "{format}: {heard}"
        );
        assert_eq!(
            desk.answered(format, &answer),
            sum_with("item.price", "item.cost"),
            "{format}"
        );
    }
}

#[test]
fn line_ends_of_windows_stay() {
    let desk = Desk::at(
        "w.rs",
        "fn f() {\r\n    a();‸\r\n    b();\r\n    c();\r\n}\r\n",
    );
    for format in FORMATS {
        let after = changed(format, &desk, "a();", "a(1);\n    a(2);");
        let expected = "fn f() {\r\n    a(1);\r\n    a(2);\r\n    b();\r\n    c();\r\n}\r\n";
        assert_eq!(after, expected, "{format}");
        // So do they if the model writes them.
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("a();", "a(1);\n    a(2);", 1);
        let answer = says(format, &desk, &new).replace('\n', "\r\n");
        assert_eq!(desk.answered(format, &answer), expected, "{format}");
    }
}

#[test]
fn secrets_come_back_where_they_were() {
    let text = format!("fn f() {{\n    key({SECRET});‸\n    b();\n    c();\n}}\n");
    let desk = Desk::at("s.rs", &text);
    for format in FORMATS {
        let after = changed(format, &desk, MARK, &format!("{MARK}, 1"));
        assert_eq!(
            after,
            text.replace('‸', "")
                .replace(SECRET, &format!("{SECRET}, 1")),
            "{format}"
        );
        assert_eq!(changed(format, &desk, MARK, "x"), "withheld 1", "{format}");
    }
}

#[test]
fn emoji_and_broken_lines_of_other_scripts_stay_whole() {
    let desk = Desk::at("e.js", "let 😀 = \"👍🏽‸\";\nlet 日本 = 1;\nlet ø = 2;\n");
    for format in FORMATS {
        let after = changed(format, &desk, "👍🏽", "👍🏻");
        assert_eq!(
            after, "let 😀 = \"👍🏻\";\nlet 日本 = 1;\nlet ø = 2;\n",
            "{format}"
        );
    }
}

#[test]
fn the_last_line_of_a_file_is_changed() {
    let desk = Desk::at("m.py", "def f():\n    a = 1\n    return a‸");
    for format in FORMATS {
        let after = changed(format, &desk, "return a", "return a + 1");
        assert_eq!(after, "def f():\n    a = 1\n    return a + 1", "{format}");
    }
    let desk = Desk::at("m.py", "def f():\n    a = 1\n    ‸");
    for format in FORMATS {
        let after = changed(format, &desk, "a = 1\n    ", "a = 1\n    return a");
        assert_eq!(after, "def f():\n    a = 1\n    return a", "{format}");
    }
}

#[test]
fn only_the_blocks_between_markers_change() {
    let lines: String = (0..40).map(|number| format!("line {number};\n")).collect();
    let desk = Desk::at("l.rs", &lines.replacen("line 20;", "line 20;‸", 1));
    let told = desk.prompt("zeta-2.1");
    let second = told.split("<|marker_2|>").nth(1).unwrap();
    let second = second.split("<|marker_3|>").next().unwrap();
    let block = second.replace("<|user_cursor|>", "");
    let new = block.replacen("line 20;", "line twenty;", 1);
    let expected = lines.replacen("line 20;", "line twenty;", 1);
    for answer in [
        format!("<|marker_2|>{new}<|marker_3|>"),
        // Markers on lines of their own, as the model's card shows them.
        format!("<|marker_2|>\n{new}<|marker_3|>\n"),
        format!("<|marker_2|>{}<|marker_3|>", new.trim_end()),
    ] {
        assert_eq!(desk.answered("zeta-2.1", &answer), expected, "{answer}");
    }
    let first = told.split("<|marker_1|>").nth(1).unwrap();
    let first = first.split("<|marker_2|>").next().unwrap();
    // A number is skipped.
    let answer = format!("<|marker_1|>{first}{new}<|marker_3|>");
    assert_eq!(desk.answered("zeta-2.1", &answer), expected);
    let answer = format!("<|marker_1|>{first}<|marker_2|>{new}<|marker_3|>");
    assert_eq!(desk.answered("zeta-2.1", &answer), expected);
}

#[test]
fn an_answer_without_its_last_word_is_taken_all_the_same() {
    let desk = sum();
    for format in ["zeta-2", "sweep", "sweep-v2", "mercury"] {
        let told = desk.question(format).unwrap().told;
        let new = told.replacen("item.price", "item.cost", 1);
        let placed = desk.place(format, &[&new], AnswerEnd::Own);
        assert_eq!(
            desk.tell(placed),
            sum_with("item.price", "item.cost"),
            "{format}"
        );
    }
}

#[test]
fn an_answer_goes_on_behind_what_it_was_given() {
    // The change is above the cursor, so that the first line stays.
    let desk =
        Desk::at("p.rs", "let a = 1;\nlet b = 2;\nlet c = 3;\nlet d = ‸4;\n").changed(4, 5, "x");
    let told = desk.prompt("sweep-v2");
    assert!(
        told.ends_with("<|file_sep|>updated/p.rs:2:4\nlet b = 2;\n"),
        "{told}"
    );
    let after = desk.answered("sweep-v2", "let c = 3;\nlet d = 5;\n");
    assert_eq!(after, "let a = 1;\nlet b = 2;\nlet c = 3;\nlet d = 5;\n");
}
