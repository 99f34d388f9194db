//! A name that the file does not know, and the line that imports it elsewhere.

use foretell_text::ByteOffset;

use crate::story::Story;

/// Somebody who wrote something, and has gone on to the end of the document.
fn wrote(story: Story, old: &str, new: &str) -> Story {
    let mut story = story.change(old, new);
    story.at.1 = story.documents[0].text.end();
    story
}

const USER: &str = "use std::fmt;\n\nuse crate::desk::Desk;\n\nfn user() {\n    // Here.\n}\n";

#[test]
fn the_line_of_another_file_is_offered_where_the_order_has_it() {
    let other = "use crate::chair::Chair;\nuse crate::desk::Desk;\n\nfn f(c: Chair) {}\n";
    let story = Story::open("src/a.rs", USER).also("src/b.rs", other);
    let story = wrote(story, "// Here.", "let chair = Chair::new();");
    assert_eq!(story.next(), "3: use crate::chair::Chair;");
}

#[test]
fn each_language_has_its_imports() {
    let told = |name: &str, text: &str, other: &str, new: &str| {
        let (_, ending) = name.split_once('.').unwrap();
        let story = Story::open(name, text).also(&format!("src/other.{ending}"), other);
        wrote(story, "HERE", new).next()
    };
    let text = "#!/usr/bin/env python\n\"\"\"What it does.\"\"\"\nimport os\nimport sys\n\nHERE\n";
    assert_eq!(
        told("src/a.py", text, "import json\n", "json.loads(x)"),
        "3: import json"
    );
    let text = "// A remark.\nimport { b } from 'b';\n\nHERE\n";
    assert_eq!(
        told(
            "src/a.ts",
            text,
            "import { Chair } from './chair';\n",
            "make(Chair)"
        ),
        "3: import { Chair } from './chair';"
    );
    let text = "package a\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n)\n\nfunc f() {\n\tHERE\n}\n";
    assert_eq!(
        told(
            "src/a.go",
            text,
            "package b\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n",
            "os.Exit(1)"
        ),
        "5: \"os\""
    );
}

#[test]
fn line_ends_stay_as_they_are() {
    let text = "import os\r\nimport sys\r\n\r\nHERE\r\n";
    let story = Story::open("a.py", text).also("b.py", "import json\n");
    let story = wrote(story, "HERE", "json.loads(x)");
    let candidates = story.candidates();
    let edit = &candidates.first().unwrap().edit;
    let after = edit.apply(&story.documents[0].text).unwrap().to_string();
    assert!(after.starts_with("import json\r\nimport os\r\n"));
}

/// What is offered to somebody who uses `Chair` in a document, next to another.
fn offered(text: &str, others: &[(&str, &str)]) -> String {
    let story = Story::open("src/a.rs", text);
    let story = others
        .iter()
        .fold(story, |story, (name, text)| story.also(name, text));
    wrote(story, "// Here.", "sit(Chair::new());").next()
}

const CHAIR: &str = "use crate::chair::Chair;\n";

#[test]
fn two_meanings_say_nothing() {
    assert_eq!(
        offered(USER, &[("src/b.rs", CHAIR)]),
        "3: use crate::chair::Chair;"
    );
    let others = [("src/b.rs", CHAIR), ("src/c.rs", "use other::Chair;\n")];
    assert_eq!(offered(USER, &others), "nothing");
    let others = [
        ("src/b.rs", CHAIR),
        ("src/c.rs", "use other::{Chair, Table};\n"),
    ];
    assert_eq!(offered(USER, &others), "nothing");
}

#[test]
fn a_path_counts_only_from_where_it_leads_to_the_same() {
    assert_eq!(offered(USER, &[("other/src/b.rs", CHAIR)]), "nothing");
    let near = "use super::chair::Chair;\n";
    assert_eq!(offered(USER, &[("src/deep/b.rs", near)]), "nothing");
    assert_eq!(offered(USER, &[("src/mod.rs", near)]), "nothing");
}

#[test]
fn a_name_that_is_known_here_is_not_imported() {
    for known in [
        "use crate::{chair::Chair};\n",
        "use a::b as Chair;\n",
        "struct Chair;\n",
        "fn sit_on(seat: Chair) {}\n",
    ] {
        let text = format!("{USER}{known}");
        assert_eq!(offered(&text, &[("src/b.rs", CHAIR)]), "nothing", "{known}");
    }
    // A variable, a parameter, a key and a member.
    for new in [
        "let json = 1;\nshow(json)",
        "def f(json):\n    show(json)",
        "show(json=1)",
        "show(x.json)",
    ] {
        let story = Story::open("a.py", "import os\n\nHERE\n").also("b.py", "import json\n");
        assert_eq!(wrote(story, "HERE", new).next(), "nothing", "{new}");
    }
}

#[test]
fn a_name_that_is_being_written_is_waited_for() {
    let story = Story::open("a.py", "import os\n\nHERE\n").also("b.py", "import json\n");
    assert_eq!(story.change("HERE", "json").next(), "nothing");
}

#[test]
fn where_the_module_is_imported_already_the_name_goes_there() {
    let text = "use crate::chair::Leg;\n\nfn f() {\n    // Here.\n}\n";
    assert_eq!(offered(text, &[("src/b.rs", CHAIR)]), "nothing");
}

#[test]
fn what_is_not_an_import_line_is_none() {
    // Within a module, in a remark, in a string, of several names, half written.
    for other in [
        "mod tests {\n    use crate::chair::Chair;\n}\n",
        "// use crate::chair::Chair;\n",
        "use crate::chair::{Chair};\n",
        "use crate::chair::Chair\n",
        "use crate::chair::{Chair\n",
        "use crate::chair::*;\n",
    ] {
        assert_eq!(offered(USER, &[("src/b.rs", other)]), "nothing", "{other}");
    }
}

#[test]
fn without_imports_or_between_two_blocks_there_is_no_place() {
    assert_eq!(
        offered("fn f() {\n    // Here.\n}\n", &[("src/b.rs", CHAIR)]),
        "nothing"
    );
    let text = "use crate::a::B;\n\nuse crate::c::D;\n\nfn f() {\n    // Here.\n}\n";
    assert_eq!(offered(text, &[("src/b.rs", CHAIR)]), "nothing");
}

#[test]
fn a_line_that_was_refused_is_not_offered_again() {
    let story = Story::open("src/a.rs", USER).also("src/b.rs", CHAIR);
    let story = wrote(story, "// Here.", "sit(Chair::new());");
    let story = story.refuse("", CHAIR);
    assert_eq!(story.next(), "nothing");
}

#[test]
fn odd_documents_do_no_harm() {
    let long = format!("use crate::{};\n", "é::".repeat(60_000));
    let deep = "use a::{".repeat(2_000);
    for other in [&*long, &deep, "\u{feff}use crate::chair::Chair;\r\r\n", ""] {
        let story = Story::open("src/a.rs", USER).also("src/b.rs", other);
        let mut story = wrote(story, "// Here.", "sit(Chair::new());");
        assert_eq!(story.next(), "nothing");
        story.at = (0, ByteOffset::ZERO);
        assert_eq!(story.next(), "nothing");
    }
}

#[test]
fn what_is_about_an_import_stays_with_it() {
    let text = "#[cfg(unix)]\nuse crate::desk::Desk;\n\nfn user() {\n    // Here.\n}\n";
    let other = "use crate::chair::Chair;\nuse crate::desk::Desk;\n\nfn f(c: Chair) {}\n";
    let story = Story::open("src/a.rs", text).also("src/b.rs", other);
    let story = wrote(story, "// Here.", "let chair = Chair::new();");
    assert_eq!(story.next(), "1: use crate::chair::Chair;");
    let text = "import a from 'a';\n// @ts-ignore\nimport c from './c';\n\nHERE\n";
    let story = Story::open("src/a.ts", text).also("src/b.ts", "import bee from 'bee';\n");
    let story = wrote(story, "HERE", "use(bee)");
    assert_eq!(story.next(), "2: import bee from 'bee';");
}

#[test]
fn nothing_is_imported_for_a_name_that_is_still_written() {
    let other = "use crate::chair::Chair;\nuse crate::desk::Desk;\n\nfn f(c: Chair) {}\n";
    let story = Story::open("src/a.rs", USER).also("src/b.rs", other);
    let mut story = wrote(story, "// Here.", "let chair = Chair::new();");
    story.documents[0].edits[0].is_finished = false;
    assert_eq!(story.next(), "nothing");
}
