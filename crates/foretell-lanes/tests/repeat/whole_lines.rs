//! Lines that became others, where the same lines stand again, and whose turn it is.

use foretell_text::{ByteOffset, ChangeReason};

use crate::story::Story;

/// So many lines between two places that one is not right below the other.
fn far() -> String {
    (0..40).map(|at| format!("step_{at}();\n")).collect()
}

#[test]
fn the_same_line_is_changed_as_a_whole_whatever_was_done_in_it() {
    let text = "fn a() {\n    if cid.len() == 0 && is_new { 1 }\n}\nfn b() {\n        if cid.len() == 0 && is_new { 1 }\n}\n";
    let story = Story::open("a.rs", text);
    let story = story.change(
        "cid.len() == 0 && is_new { 1",
        "is_new && cid.is_empty() { 2",
    );
    assert_eq!(story.next(), "5: if is_new && cid.is_empty() { 2 }");
}

#[test]
fn a_line_that_was_wrapped_is_wrapped_as_far_as_it_is_set_in() {
    let text = "fn a() {\n    keep(first_value, second_value);\n}\nfn b() {\n    loop {\n        keep(first_value, second_value);\n    }\n}\n";
    let story = Story::open("a.rs", text).change(
        "keep(first_value, second_value)",
        "keep(\n        first_value,\n        second_value,\n        third_value,\n    )",
    );
    let candidates = story.candidates();
    let after = candidates[0].edit.apply(&story.documents[0].text).unwrap();
    let wrapped = "    loop {\n        keep(\n            first_value,\n            second_value,\n            third_value,\n        );\n    }\n";
    assert!(
        after.to_string().ends_with(&format!("{wrapped}}}\n")),
        "{after}"
    );
}

#[test]
fn what_ends_a_line_in_a_list_may_differ() {
    let text = "const a = [\n  \"vite@^7.3.1\",\n  \"x\",\n];\nconst b = [\n  \"x\",\n  \"vite@^7.3.1\"\n];\n";
    let story = Story::open("a.ts", text).change("7.3.1", "8.0.0");
    assert_eq!(story.next(), "7: \"vite@^8.0.0\"");
}

#[test]
fn lines_that_end_in_two_characters_keep_them() {
    let text =
        "keep(first_value, second_value);\r\nother();\r\nkeep(first_value, second_value);\r\n";
    let story = Story::open("a.rs", text).change(
        "keep(first_value, second_value)",
        "keep(\r\n    first_value,\r\n    third_value,\r\n)",
    );
    let candidates = story.candidates();
    let after = candidates[0].edit.apply(&story.documents[0].text).unwrap();
    let after = after.to_string();
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
    assert!(after.ends_with("other();\r\nkeep(\r\n    first_value,\r\n    third_value,\r\n);\r\n"));
}

#[test]
fn a_line_that_the_person_went_past_says_that_it_is_about_something_else() {
    let line = "if cid.len() == 0 && is_new { 1 }\n";
    let text = [line, line, &far(), line].concat();
    let story = Story::open("a.rs", &text);
    // The second of three.
    let story = story.change_as(
        ChangeReason::Typed,
        1,
        "cid.len() == 0 && is_new { 1",
        "is_new && cid.is_empty() { 2",
    );
    assert_eq!(story.next(), "nothing");
}

#[test]
fn what_became_two_different_lines_is_not_made_either() {
    let line = "keep(first_value, second_value);\n";
    let wrapped = |more: &str| format!("keep(\n    first_value,\n    {more},\n)");
    let story = Story::open("a.rs", &[line, line, line].concat());
    let story = story.change("keep(first_value, second_value)", &wrapped("third_value"));
    assert_eq!(
        story.next(),
        "5: keep( | 6: first_value, | 7: third_value, | 8: );"
    );
    let story = story.change("keep(first_value, second_value)", &wrapped("fourth()"));
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_refused_line_is_not_offered_again() {
    let line = "keep(first_value, second_value);\n";
    let (old, new) = (
        "keep(first_value, second_value)",
        "keep(\n    first_value,\n    third_value,\n)",
    );
    let whole = (old, new);
    let story = Story::open("a.rs", &[line, "other();\n", line].concat()).change(old, new);
    assert_eq!(
        story.next(),
        "6: keep( | 7: first_value, | 8: third_value, | 9: );"
    );
    // A rejection is remembered without what stays as it is.
    let core = (
        "first_value, second_value",
        "\n    first_value,\n    third_value,\n",
    );
    for (old, new) in [(old, new), core] {
        let refused = Story::open("a.rs", &[line, "other();\n", line].concat());
        let refused = refused.change(whole.0, whole.1);
        assert_eq!(refused.refuse(old, new).next(), "nothing", "{old}");
    }
}

#[test]
fn the_same_line_of_prose_is_there_for_another_reason() {
    let line = "The machine says what it does and why it does that.\n";
    let text = [line, "Other words.\n", line].concat();
    let story = Story::open("a.md", &text);
    let story = story.change("says what it does and why", "tells what it is and how");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn who_does_something_else_first_has_passed_an_offer_over_until_they_are_near() {
    let one = "let a = send(first, key);\nlet c = send(second, key);\n";
    let text = [one, &far(), "let b = send(first, key);\n"].concat();
    let story = Story::open("a.rs", &text).change("send", "post_all");
    let story = story.change("send", "post_all");
    assert_eq!(story.next(), "43: let b = post_all(first, key);");
    let mut story = story.change("step_3();", "step_three(1);");
    assert_eq!(story.next(), "nothing");
    let near = story.documents[0].text.to_string().find("step_36");
    story.at = (0, ByteOffset::new(near.unwrap()));
    assert_eq!(story.next(), "43: let b = post_all(first, key);");
}

#[test]
fn who_begins_a_series_again_is_offered_what_came_next_in_it() {
    let page = |first: &str| {
        let far = far();
        format!("{first}(alpha_name);\n{far}{first}(beta_name);\n")
    };
    let story = Story::open("a.rs", &page("show")).also("b.rs", &page("hide"));
    let story = story.change("alpha_name", "first_name");
    let story = story.change("beta_name", "second_name").switch();
    assert_eq!(
        story.change("alpha_name", "first_name").next(),
        "42: hide(second_name);"
    );
}

#[test]
fn who_changes_the_copy_of_a_line_leaves_the_line() {
    let text = "let players = 1;\nshow(players);\nhide(players);\n";
    let story = Story::open("a.rs", text).change("let players = 1;\n‸", "let players = 1;\n");
    let story = story.change_as(ChangeReason::Typed, 1, "let ‸players", "medians");
    assert_eq!(story.next(), "nothing");
}
