//! Two changes that are the same but for names and values, and where they are made a third time.

use crate::story::Story;

const CALLS: &str = "\
fn all(desk: &Desk) {
    register(one, first_rule(1));
    skip(desk);
    register(two, second_rule(2));
    register(three, third_rule(3));

    register(four, fourth_rule(4));
}
";

/// The first two calls have another argument.
fn twice() -> Story {
    let story = Story::open("a.rs", CALLS).change("first_rule(1)‸", ", desk.first()");
    story.change("second_rule(2)‸", ", desk.second()")
}

#[test]
fn what_is_put_in_must_be_the_same_or_stand_on_the_line() {
    assert_eq!(twice().next(), "nothing");
    let story = Story::open("a.rs", CALLS).change("first_rule(1)‸", ", one");
    assert_eq!(story.next(), "nothing");
    let story = story.change("second_rule(2)‸", ", two");
    assert_eq!(story.next(), "5: register(three, third_rule(3), three);");
    let told: Vec<_> = story.candidates().iter().map(|it| story.tell(it)).collect();
    let four = "7: register(four, fourth_rule(4), four);";
    assert_eq!(told, ["5: register(three, third_rule(3), three);", four]);
}

#[test]
fn parts_of_a_line_change_places() {
    let text = "check_equal(a.len(), 1);\ncheck_equal(b.first(x), 2);\ncheck_equal(c, 3);\n";
    let story = Story::open("a.py", text)
        .change("a.len(), 1", "1, a.len()")
        .change("b.first(x), 2", "2, b.first(x)");
    assert_eq!(story.next(), "3: check_equal(3, c);");
}

#[test]
fn a_place_that_was_passed_over_stops_it() {
    let text = "wrap_all(a);\nwrap_all(b);\nwrap_all(c);\nwrap_all(d);\nwrap_all(e);\n";
    let story = Story::open("a.py", text).change("wrap_all(a)", "wrap_all(a, a.kind)");
    let one = story.change("wrap_all(c)", "wrap_all(c, c.kind)");
    assert_eq!(one.next(), "nothing");
    // So does one above both, when the person works downwards.
    let story = Story::open("a.py", text)
        .change("wrap_all(b)", "wrap_all(b, b.kind)")
        .change("wrap_all(c)", "wrap_all(c, c.kind)");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn somebody_who_works_upwards_is_offered_the_one_above() {
    let text = "wrap_all(a);\n\nwrap_all(b);\n\nwrap_all(c);\n";
    let story = Story::open("a.py", text)
        .change("wrap_all(c)", "wrap_all(c, c.kind)")
        .change("wrap_all(b)", "wrap_all(b, b.kind)");
    assert_eq!(story.next(), "1: wrap_all(a, a.kind);");
}

#[test]
fn lines_right_below_go_together_and_other_documents_come_last() {
    let text = "wrap_all(a);\nwrap_all(b);\nwrap_all(c);\nwrap_all(d);\n";
    let other = "begin()\nwrap_all(z)\n";
    let story = Story::open("a.py", text)
        .also("b.py", other)
        .change("wrap_all(a)", "wrap_all(a, a.kind)")
        .change("wrap_all(b)", "wrap_all(b, b.kind)");
    assert_eq!(
        story.next(),
        "3: wrap_all(c, c.kind); | 4: wrap_all(d, d.kind);"
    );
    let story = story
        .change("wrap_all(c)", "wrap_all(c, c.kind)")
        .change("wrap_all(d)", "wrap_all(d, d.kind)");
    assert_eq!(story.next(), "b.py 2: wrap_all(z, z.kind)");
}

#[test]
fn the_lines_of_one_edit_are_two_changes() {
    let text = "wrap_all(a);\nwrap_all(b);\n\nwrap_all(c);\n";
    let story = Story::open("a.py", text).change(
        "wrap_all(a);\nwrap_all(b);",
        "wrap_all(a, a.kind);\nwrap_all(b, b.kind);",
    );
    assert_eq!(story.next(), "4: wrap_all(c, c.kind);");
}

#[test]
fn a_hole_takes_only_what_could_have_been_there() {
    // A name where both had names, and one argument where both had one.
    for third in [
        "wrap_all(1)",
        "wrap_all(c, d)",
        "wrap_all(\"c\")",
        "wrap_all(if)",
        "wrap_all()",
    ] {
        let text = format!("wrap_all(a);\n\nwrap_all(b);\n\n{third};\n");
        let story = Story::open("a.py", &text)
            .change("wrap_all(a)", "wrap_all(a, a.kind)")
            .change("wrap_all(b)", "wrap_all(b, b.kind)");
        assert_eq!(story.next(), "nothing", "{third}");
    }
}

#[test]
fn a_third_that_was_refused_ends_it() {
    let text = "wrap_all(a);\n\nwrap_all(b);\n\nwrap_all(c);\n\nwrap_all(d);\n";
    let story = Story::open("a.py", text)
        .change("wrap_all(a)", "wrap_all(a, a.kind)")
        .change("wrap_all(b)", "wrap_all(b, b.kind)");
    assert_eq!(story.next(), "5: wrap_all(c, c.kind);");
    assert_eq!(story.refuse("", ", c.kind").next(), "nothing");
}

#[test]
fn two_changes_with_no_name_in_common_are_no_template() {
    let text = "f(a);\n\nf(b);\n\nf(c);\n";
    let story = Story::open("a.py", text)
        .change("f(a)", "f(a, a)")
        .change("f(b)", "f(b, b)");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn long_lines_and_odd_text_are_passed_over() {
    let long = "wrap_all(x); ".repeat(20_000);
    let text = format!("wrap_all(é);\r\n\r\nwrap_all(b);\r\n\r\nwrap_all(e\u{301});\r\n{long}\r\n");
    let story = Story::open("a.py", &text)
        .change("wrap_all(é)", "wrap_all(é, é.kind)")
        .change("wrap_all(b)", "wrap_all(b, b.kind)");
    let candidates = story.candidates();
    for candidate in &candidates {
        assert!(candidate.edit.apply(&story.documents[0].text).is_ok());
    }
}
