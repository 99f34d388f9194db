//! Small documents, and what each model is told of them, to the byte.
//!
//! The bytes were written down by hand from what is published of the formats, and not taken from what the code
//! says.

use crate::desk::Desk;

/// What every format says of a document, in the order of the settings.
fn expect(desk: &Desk, told: [&str; 5]) {
    for (format, told) in crate::desk::FORMATS.into_iter().zip(told) {
        assert_eq!(desk.prompt(format), told, "{format}");
    }
}

const MERCURY_BEGINS: &str = "<|recently_viewed_code_snippets|>\n<|/recently_viewed_code_snippets|>\n\n\
     <|current_file_content|>\ncurrent_file_path: ";
const MERCURY_ENDS: &str =
    "<|/current_file_content|>\n\n<|edit_diff_history|>\n<|/edit_diff_history|>\n";

#[test]
fn at_the_start_of_a_file_after_a_change() {
    let desk = Desk::at("src/cart.py", "def ‸total(items):\n    return 0\n").changed(4, 9, "sum");
    let mercury = MERCURY_BEGINS.to_owned()
        + "src/cart.py\n<|code_to_edit|>\ndef <|cursor|>total(items):\n    return 0\n<|/code_to_edit|>\n\
           <|/current_file_content|>\n\n<|edit_diff_history|>\n--- src/cart.py\n+++ src/cart.py\n\
           @@ -1,1 +1,1 @@\n-def sum(items):\n+def total(items):\n\n<|/edit_diff_history|>\n";
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>edit_history\n--- a/src/cart.py\n\
             +++ b/src/cart.py\n@@ -1,2 +1,2 @@\n-def sum(items):\n+def total(items):\n     return 0\n\n\
             <filename>src/cart.py\n<|marker_1|>def <|user_cursor|>total(items):\n    return 0<|marker_2|>\n\
             <[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>edit_history\n--- a/src/cart.py\n\
             +++ b/src/cart.py\n@@ -1,2 +1,2 @@\n-def sum(items):\n+def total(items):\n     return 0\n\n\
             <filename>src/cart.py\n<<<<<<< CURRENT\ndef <|user_cursor|>total(items):\n    return 0\n\
             =======\n<[fim-middle]>",
            "<|file_sep|>src/cart.py.diff\noriginal:\ndef sum(items):\nupdated:\ndef total(items):\n\
             <|file_sep|>original/src/cart.py\ndef sum(items):\n    return 0\n\
             <|file_sep|>current/src/cart.py\ndef total(items):\n    return 0\n\
             <|file_sep|>updated/src/cart.py\n",
            "<|file_sep|>src/cart.py\ndef sum(items):\n    return 0\n\n\
             <|file_sep|>src/cart.py:1:2\noriginal:\ndef sum(items):\n    return 0\n\
             updated:\ndef total(items):\n    return 0\n\
             <|file_sep|>original/src/cart.py:1:2\ndef sum(items):\n    return 0\n\
             <|file_sep|>current/src/cart.py:1:2\ndef <|cursor|>total(items):\n    return 0\n\
             <|file_sep|>updated/src/cart.py:1:2\n",
            &mercury,
        ],
    );
}

#[test]
fn at_the_end_of_a_file_without_a_line_end_and_without_history() {
    let desk = Desk::at("m.py", "a = 1\nb = 2‸");
    let mercury = MERCURY_BEGINS.to_owned()
        + "m.py\n<|code_to_edit|>\na = 1\nb = 2<|cursor|>\n<|/code_to_edit|>\n"
        + MERCURY_ENDS;
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>m.py\n\
             <|marker_1|>a = 1\nb = 2<|user_cursor|><|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>m.py\n\
             <<<<<<< CURRENT\na = 1\nb = 2<|user_cursor|>\n=======\n<[fim-middle]>",
            "<|file_sep|>original/m.py\na = 1\nb = 2\n<|file_sep|>current/m.py\na = 1\nb = 2\n\
             <|file_sep|>updated/m.py\n",
            "<|file_sep|>m.py\na = 1\nb = 2\n\n\
             <|file_sep|>original/m.py:1:2\na = 1\nb = 2\n\
             <|file_sep|>current/m.py:1:2\na = 1\nb = 2<|cursor|>\n\
             <|file_sep|>updated/m.py:1:2\n",
            &mercury,
        ],
    );
}

#[test]
fn long_lines_beside_the_cursor_are_not_the_models() {
    let (above, below) = ("x".repeat(1_200), "z".repeat(1_200));
    let desk = Desk::at("l.py", &format!("{above}\ny = ‸1\n{below}\n"));
    let mercury = format!(
        "{MERCURY_BEGINS}l.py\n{above}\n<|code_to_edit|>\ny = <|cursor|>1\n<|/code_to_edit|>\n\
         {below}\n{MERCURY_ENDS}"
    );
    let second = format!(
        "<|file_sep|>l.py\n{above}\ny = 1\n{below}\n\n<|file_sep|>original/l.py:2:2\ny = 1\n\
         <|file_sep|>current/l.py:2:2\ny = <|cursor|>1\n<|file_sep|>updated/l.py:2:2\n"
    );
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>l.py\n\
             <|marker_1|>y = <|user_cursor|>1<|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>l.py\n\
             <<<<<<< CURRENT\ny = <|user_cursor|>1\n=======\n<[fim-middle]>",
            "<|file_sep|>original/l.py\ny = 1\n<|file_sep|>current/l.py\ny = 1\n\
             <|file_sep|>updated/l.py\n",
            &second,
            &mercury,
        ],
    );
}

#[test]
fn line_ends_of_windows_are_told_as_line_feeds() {
    // `2` became `two`, in the middle of three lines.
    let desk = Desk::at("w.txt", "one\r\ntwo‸\r\nthree\r\n").changed(5, 8, "2");
    let history = "<filename>edit_history\n--- a/w.txt\n+++ b/w.txt\n@@ -1,3 +1,3 @@\n one\n-2\n+two\n \
                   three\n\n";
    let mercury = MERCURY_BEGINS.to_owned()
        + "w.txt\n<|code_to_edit|>\none\ntwo<|cursor|>\nthree\n<|/code_to_edit|>\n\
           <|/current_file_content|>\n\n<|edit_diff_history|>\n--- w.txt\n+++ w.txt\n\
           @@ -2,1 +2,1 @@\n-2\n+two\n\n<|/edit_diff_history|>\n";
    expect(
        &desk,
        [
            &format!(
                "<[fim-suffix]>\n<[fim-prefix]>{history}<filename>w.txt\n\
                 <|marker_1|>one\ntwo<|user_cursor|>\nthree<|marker_2|>\n<[fim-middle]>"
            ),
            &format!(
                "<[fim-suffix]>\n<[fim-prefix]>{history}<filename>w.txt\n\
                 <<<<<<< CURRENT\none\ntwo<|user_cursor|>\nthree\n=======\n<[fim-middle]>"
            ),
            "<|file_sep|>w.txt.diff\noriginal:\n2\nupdated:\ntwo\n\
             <|file_sep|>original/w.txt\none\n2\nthree\n<|file_sep|>current/w.txt\none\ntwo\nthree\n\
             <|file_sep|>updated/w.txt\n",
            "<|file_sep|>w.txt\none\n2\nthree\n\n\
             <|file_sep|>w.txt:1:3\noriginal:\none\n2\nthree\nupdated:\none\ntwo\nthree\n\
             <|file_sep|>original/w.txt:1:3\none\n2\nthree\n\
             <|file_sep|>current/w.txt:1:3\none\ntwo<|cursor|>\nthree\n\
             <|file_sep|>updated/w.txt:1:3\n",
            &mercury,
        ],
    );
}

#[test]
fn other_files_come_in_their_order() {
    let files = [
        ("src/a.rs", "fn a() {}\nfn b() {}\n"),
        ("src/b.rs", "struct B;"),
    ];
    let desk = Desk::at("src/m.rs", "use a;\n‸fn m() {}\n").beside(&files);
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>src/a.rs\nfn a() {}\nfn b() {}\n\
             <filename>src/b.rs\nstruct B;\n\n<filename>src/m.rs\n\
             <|marker_1|>use a;\n<|user_cursor|>fn m() {}<|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>src/a.rs\nfn a() {}\nfn b() {}\n\
             <filename>src/b.rs\nstruct B;\n\n<filename>src/m.rs\n\
             <<<<<<< CURRENT\nuse a;\n<|user_cursor|>fn m() {}\n=======\n<[fim-middle]>",
            "<|file_sep|>src/a.rs\nfn a() {}\nfn b() {}\n<|file_sep|>src/b.rs\nstruct B;\n\
             <|file_sep|>original/src/m.rs\nuse a;\nfn m() {}\n\
             <|file_sep|>current/src/m.rs\nuse a;\nfn m() {}\n<|file_sep|>updated/src/m.rs\n",
            "<|file_sep|>src/a.rs\nfn a() {}\nfn b() {}\n<|file_sep|>src/m.rs\nuse a;\nfn m() {}\n\
             <|file_sep|>src/b.rs\nstruct B;\n\n\
             <|file_sep|>original/src/m.rs:1:2\nuse a;\nfn m() {}\n\
             <|file_sep|>current/src/m.rs:1:2\nuse a;\n<|cursor|>fn m() {}\n\
             <|file_sep|>updated/src/m.rs:1:2\n",
            "<|recently_viewed_code_snippets|>\n\
             <|recently_viewed_code_snippet|>\ncode_snippet_file_path: src/a.rs\nfn a() {}\nfn b() {}\n\
             <|/recently_viewed_code_snippet|>\n\
             <|recently_viewed_code_snippet|>\ncode_snippet_file_path: src/b.rs\nstruct B;\n\
             <|/recently_viewed_code_snippet|>\n\
             <|/recently_viewed_code_snippets|>\n\n\
             <|current_file_content|>\ncurrent_file_path: src/m.rs\n\
             <|code_to_edit|>\nuse a;\n<|cursor|>fn m() {}\n<|/code_to_edit|>\n\
             <|/current_file_content|>\n\n<|edit_diff_history|>\n<|/edit_diff_history|>\n",
        ],
    );
}

#[test]
fn in_a_blank_line() {
    let desk = Desk::at("f.rs", "fn f() {\n    ‸\n}\n");
    let mercury = MERCURY_BEGINS.to_owned()
        + "f.rs\n<|code_to_edit|>\nfn f() {\n    <|cursor|>\n}\n<|/code_to_edit|>\n"
        + MERCURY_ENDS;
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>f.rs\n\
             <|marker_1|>fn f() {\n    <|user_cursor|>\n}<|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>f.rs\n\
             <<<<<<< CURRENT\nfn f() {\n    <|user_cursor|>\n}\n=======\n<[fim-middle]>",
            "<|file_sep|>original/f.rs\nfn f() {\n    \n}\n<|file_sep|>current/f.rs\nfn f() {\n    \n}\n\
             <|file_sep|>updated/f.rs\n",
            "<|file_sep|>f.rs\nfn f() {\n    \n}\n\n<|file_sep|>original/f.rs:1:3\nfn f() {\n    \n}\n\
             <|file_sep|>current/f.rs:1:3\nfn f() {\n    <|cursor|>\n}\n<|file_sep|>updated/f.rs:1:3\n",
            &mercury,
        ],
    );
}

#[test]
fn on_the_line_behind_the_last() {
    let desk = Desk::at("f.rs", "a\n‸");
    let mercury = MERCURY_BEGINS.to_owned()
        + "f.rs\n<|code_to_edit|>\na\n<|cursor|>\n<|/code_to_edit|>\n"
        + MERCURY_ENDS;
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>f.rs\n\
             <|marker_1|>a\n<|user_cursor|><|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>f.rs\n\
             <<<<<<< CURRENT\na\n<|user_cursor|>\n=======\n<[fim-middle]>",
            "<|file_sep|>original/f.rs\na\n\n<|file_sep|>current/f.rs\na\n\n<|file_sep|>updated/f.rs\n",
            "<|file_sep|>f.rs\na\n\n<|file_sep|>original/f.rs:1:2\na\n\n\
             <|file_sep|>current/f.rs:1:2\na\n<|cursor|>\n<|file_sep|>updated/f.rs:1:2\n",
            &mercury,
        ],
    );
}

#[test]
fn beside_an_emoji() {
    let desk = Desk::at("e.js", "let 😀 = \"👍🏽‸\";\n");
    let mercury = MERCURY_BEGINS.to_owned()
        + "e.js\n<|code_to_edit|>\nlet 😀 = \"👍🏽<|cursor|>\";\n<|/code_to_edit|>\n"
        + MERCURY_ENDS;
    expect(
        &desk,
        [
            "<[fim-suffix]>\n<[fim-prefix]><filename>e.js\n\
             <|marker_1|>let 😀 = \"👍🏽<|user_cursor|>\";<|marker_2|>\n<[fim-middle]>",
            "<[fim-suffix]>\n<[fim-prefix]><filename>e.js\n\
             <<<<<<< CURRENT\nlet 😀 = \"👍🏽<|user_cursor|>\";\n=======\n<[fim-middle]>",
            "<|file_sep|>original/e.js\nlet 😀 = \"👍🏽\";\n<|file_sep|>current/e.js\nlet 😀 = \"👍🏽\";\n\
             <|file_sep|>updated/e.js\n",
            "<|file_sep|>e.js\nlet 😀 = \"👍🏽\";\n\n<|file_sep|>original/e.js:1:1\nlet 😀 = \"👍🏽\";\n\
             <|file_sep|>current/e.js:1:1\nlet 😀 = \"👍🏽<|cursor|>\";\n<|file_sep|>updated/e.js:1:1\n",
            &mercury,
        ],
    );
}

#[test]
fn a_line_that_was_typed_in_two_bursts_is_told_as_two_changes() {
    let desk = Desk::at("s.rs", "‸")
        .typed(0, 0, "let x = ")
        .typed(8, 8, "compute();")
        .going_to(18);
    let history = "@@ -0,0 +1,1 @@\n+let x = \n";
    let then = "@@ -1,1 +1,1 @@\n-let x = \n+let x = compute();\n";
    let zeta = format!(
        "<filename>edit_history\n--- a/s.rs\n+++ b/s.rs\n{history}--- a/s.rs\n+++ b/s.rs\n{then}\n\
         <filename>s.rs\n"
    );
    let mercury = format!(
        "{MERCURY_BEGINS}s.rs\n<|code_to_edit|>\nlet x = compute();<|cursor|>\n<|/code_to_edit|>\n\
         <|/current_file_content|>\n\n<|edit_diff_history|>\n--- s.rs\n+++ s.rs\n{history}\
         --- s.rs\n+++ s.rs\n{then}\n<|/edit_diff_history|>\n"
    );
    expect(
        &desk,
        [
            &format!(
                "<[fim-suffix]>\n<[fim-prefix]>{zeta}<|marker_1|>let x = compute();<|user_cursor|>\
                 <|marker_2|>\n<[fim-middle]>"
            ),
            &format!(
                "<[fim-suffix]>\n<[fim-prefix]>{zeta}<<<<<<< CURRENT\nlet x = compute();\
                 <|user_cursor|>\n=======\n<[fim-middle]>"
            ),
            "<|file_sep|>s.rs.diff\noriginal:\nupdated:\nlet x = \n\
             <|file_sep|>s.rs.diff\noriginal:\nlet x = \nupdated:\nlet x = compute();\n\
             <|file_sep|>original/s.rs\nlet x = \n<|file_sep|>current/s.rs\nlet x = compute();\n\
             <|file_sep|>updated/s.rs\n",
            "<|file_sep|>s.rs\nlet x = \n\n\
             <|file_sep|>s.rs:1:1\noriginal:\nupdated:\nlet x = \n\
             <|file_sep|>s.rs:1:1\noriginal:\nlet x = \nupdated:\nlet x = compute();\n\
             <|file_sep|>original/s.rs:1:1\nlet x = \n\
             <|file_sep|>current/s.rs:1:1\nlet x = compute();<|cursor|>\n\
             <|file_sep|>updated/s.rs:1:1\n",
            &mercury,
        ],
    );
}

#[test]
fn a_suggestion_that_was_taken_is_told_apart_where_a_format_knows_that() {
    let typed = Desk::at("a.py", "a = 1\nb = 2‸\n").typed(0, 1, "c");
    let told = typed.prompt("zeta-2");
    let accepted = typed.accepted();
    let history = "<filename>edit_history\n// User accepted prediction:\n--- a/a.py\n+++ b/a.py\n\
                   @@ -1,2 +1,2 @@\n-a = 1\n+c = 1\n b = 2\n\n";
    for format in ["zeta-2.1", "zeta-2"] {
        let prompt = accepted.prompt(format);
        assert!(prompt.contains(history), "{format}: {prompt}");
    }
    assert!(!told.contains("accepted"), "{told}");
    for format in ["sweep", "sweep-v2", "mercury"] {
        assert!(!accepted.prompt(format).contains("accepted"), "{format}");
    }
}

#[test]
fn a_word_that_was_changed_twice_and_a_change_of_another_file_are_told() {
    // Another file first; then `foo` became `bar`, and after a while its `r` a `z`.
    let desk = Desk::at("a.rs", "foo‸\n")
        .typed_in("b.rs", "one\n", 4, "two\n")
        .typed(0, 3, "bar")
        .typed(2, 3, "z");
    let diffs = |a: &str, b: &str| {
        format!(
            "--- {a}b.rs\n+++ {b}b.rs\n@@ OTHER @@\n--- {a}a.rs\n+++ {b}a.rs\n@@ -1,1 +1,1 @@\n\
             -foo\n+bar\n--- {a}a.rs\n+++ {b}a.rs\n@@ -1,1 +1,1 @@\n-bar\n+baz\n\n"
        )
    };
    let zeta = diffs("a/", "b/").replace("@@ OTHER @@\n", "@@ -1,1 +1,2 @@\n one\n+two\n");
    let zeta =
        format!("<[fim-suffix]>\n<[fim-prefix]><filename>edit_history\n{zeta}<filename>a.rs\n");
    let told = diffs("", "").replace("@@ OTHER @@\n", "@@ -1,0 +2,1 @@\n+two\n");
    let mercury = format!(
        "{MERCURY_BEGINS}a.rs\n<|code_to_edit|>\nbaz<|cursor|>\n<|/code_to_edit|>\n\
         <|/current_file_content|>\n\n<|edit_diff_history|>\n{told}<|/edit_diff_history|>\n"
    );
    expect(
        &desk,
        [
            &format!("{zeta}<|marker_1|>baz<|user_cursor|><|marker_2|>\n<[fim-middle]>"),
            &format!("{zeta}<<<<<<< CURRENT\nbaz<|user_cursor|>\n=======\n<[fim-middle]>"),
            "<|file_sep|>b.rs.diff\noriginal:\nupdated:\ntwo\n\
             <|file_sep|>a.rs.diff\noriginal:\nfoo\nupdated:\nbar\n\
             <|file_sep|>a.rs.diff\noriginal:\nbar\nupdated:\nbaz\n\
             <|file_sep|>original/a.rs\nbar\n<|file_sep|>current/a.rs\nbaz\n\
             <|file_sep|>updated/a.rs\n",
            "<|file_sep|>a.rs\nbar\n\n\
             <|file_sep|>b.rs:1:2\noriginal:\none\nupdated:\none\ntwo\n\
             <|file_sep|>a.rs:1:1\noriginal:\nfoo\nupdated:\nbar\n\
             <|file_sep|>a.rs:1:1\noriginal:\nbar\nupdated:\nbaz\n\
             <|file_sep|>original/a.rs:1:1\nbar\n<|file_sep|>current/a.rs:1:1\nbaz<|cursor|>\n\
             <|file_sep|>updated/a.rs:1:1\n",
            &mercury,
        ],
    );
}

#[test]
fn a_blank_line_at_the_end_of_what_is_shown_is_told() {
    // One line of 1,050 bytes, 350 tokens, is the whole region, and 450 bytes around it are told: the last line is blank.
    let long = format!("{}\n", "x".repeat(1_050));
    let desk = Desk::at("b.txt", &format!("a\n‸{long}b\n\n"));
    let mut told = desk.prompt("zeta-2");
    told = told.replace(&"x".repeat(1_050), "X");
    assert_eq!(
        told,
        "<[fim-suffix]>\nb\n\n<[fim-prefix]><filename>b.txt\na\n<<<<<<< CURRENT\n\
         <|user_cursor|>X\n=======\n<[fim-middle]>"
    );
    // Ten lines below the cursor's are the region's, and the blank one is behind them.
    let desk = Desk::at("b.txt", &format!("‸x\n{}\n", "y\n".repeat(10)));
    let told = desk.prompt("mercury");
    assert!(
        told.contains("y\ny\n<|/code_to_edit|>\n\n<|/current_file_content|>\n"),
        "{told}"
    );
}

#[test]
fn a_change_that_reaches_past_the_window_is_told_as_far_as_it_is_in_it() {
    // Thirty lines were pasted over three; the window of the cursor begins and ends within them.
    let new: String = (0..30).map(|number| format!("new {number}\n")).collect();
    let desk = Desk::at("p.txt", "top\nold 0\nold 1\nold 2\nend\n‸")
        .typed(4, 22, &new)
        .going_to(4 + new.find("new 11\n").unwrap());
    let window: String = (1..22).map(|number| format!("new {number}\n")).collect();
    let told = desk.prompt("sweep");
    let expected = format!(
        "<|file_sep|>original/p.txt\nold 1\nold 2\nend\n<|file_sep|>current/p.txt\n{window}\
         <|file_sep|>updated/p.txt\n"
    );
    assert!(told.ends_with(&expected), "{told}");
}
