//! What a person meets who types beside the language model: what it says, and what it never says.

use std::sync::Arc;

use foretell_predict::{
    DocumentHome, Likelihood, Prediction, Predictor, WorkspaceArrayBuilder, WorkspacePart,
};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text,
};
use proptest::prelude::*;

const LIKELY: Likelihood = Likelihood::percent(50);

/// An editor with one document.
struct TypingDesk {
    predictor: Predictor,
    document: DocumentId,
    text: Text,
}

impl TypingDesk {
    fn new(text: &str) -> Self {
        let mut desk = TypingDesk {
            predictor: Predictor::new(),
            document: DocumentId::new("file:///a.rs"),
            text: Text::from(text),
        };
        desk.predictor
            .open(&desk.document, &Language::new("rust"), &desk.text);
        desk
    }

    fn replace(&mut self, start: usize, end: usize, new: &str, reason: ChangeReason) {
        let range =
            ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).expect("it is in order");
        let edit = Edit::from(Replacement::new(range, new));
        self.text = edit.apply(&self.text).expect("it fits");
        self.predictor
            .change(&self.document, &self.text, &edit, reason);
    }

    /// Types at the end, key after key, asking before each as an editor does.
    fn type_at_end(&mut self, text: &str) {
        for key in text.chars() {
            let end = self.text.end().get();
            self.said();
            self.replace(end, end, &key.to_string(), ChangeReason::Typed);
        }
    }

    fn said(&mut self) -> Option<Prediction> {
        let end = self.text.end();
        self.said_at(end.get())
    }

    fn said_at(&mut self, at: usize) -> Option<Prediction> {
        let line = self
            .predictor
            .predict(&self.document, ByteOffset::new(at))?;
        line.cut(LIKELY)
    }

    fn text_said(&mut self) -> String {
        self.said().map(|said| said.text).unwrap_or_default()
    }

    /// What would be said if less were expected of it.
    fn text_known(&mut self) -> String {
        let line = self.predictor.predict(&self.document, self.text.end());
        let said = line.and_then(|line| line.cut(Likelihood::percent(30)));
        said.map(|said| said.text).unwrap_or_default()
    }
}

const TABLE: &str = "\
    table.insert(\"one\", Row::empty(1));
    table.insert(\"two\", Row::empty(2));
    table.insert(\"three\", Row::empty(3));
    table.insert(\"four\", Row::empty(4));
";

#[test]
fn a_line_like_those_above_is_foreseen() {
    let mut desk = TypingDesk::new(TABLE);
    desk.type_at_end("    table.i");
    assert!(
        desk.text_said().starts_with("nsert(\""),
        "{:?}",
        desk.said()
    );
    desk.type_at_end("nsert(\"five\", ");
    assert!(desk.text_said().starts_with("Row::"), "{:?}", desk.said());
}

#[test]
fn a_word_that_was_just_typed_is_known_at_once() {
    let mut desk = TypingDesk::new("");
    desk.type_at_end("let quarterly_report = read();\nprint(quarterly_report);\nsend(quarterly_report);\nstore(quart");
    assert!(
        desk.text_said().starts_with("erly_report"),
        "{:?}",
        desk.said()
    );
}

#[test]
fn what_was_deleted_is_forgotten() {
    let mut desk = TypingDesk::new("");
    desk.type_at_end("let password_of_mine = 1;\nuse(password_of_mine);\nuse(password_of_mine);\n");
    desk.type_at_end("use(pass");
    assert!(desk.text_said().starts_with("word_of_mine"));
    let end = desk.text.end().get();
    desk.replace(0, end, "", ChangeReason::Typed);
    desk.type_at_end("use(pass");
    assert_eq!(desk.text_said(), "");
}

#[test]
fn what_a_closed_document_said_is_forgotten_but_not_what_was_typed_into_it() {
    let mut desk = TypingDesk::new("fn unusual_helper() {}\nunusual_helper();\n");
    desk.type_at_end("let memorable_name = memorable_name + memorable_name;\n");
    desk.said();
    desk.predictor.close(&DocumentId::new("file:///a.rs"));
    desk.document = DocumentId::new("file:///b.rs");
    desk.text = Text::from("");
    desk.predictor
        .open(&desk.document, &Language::new("rust"), &desk.text);
    desk.type_at_end("unusu");
    assert_eq!(desk.text_said(), "");
    desk.type_at_end("al();\nlet memor");
    assert!(
        desk.text_said().starts_with("able_name"),
        "{:?}",
        desk.said()
    );
}

/// What is typed into `a.rs`, and then asked about in `b.rs`.
fn said_elsewhere(then: impl FnOnce(&mut TypingDesk)) -> String {
    let mut desk = TypingDesk::new("");
    desk.type_at_end("let memorable_name = memorable_name + memorable_name;\n");
    desk.said();
    then(&mut desk);
    desk.document = DocumentId::new("file:///b.rs");
    desk.text = Text::from("");
    desk.predictor
        .open(&desk.document, &Language::new("rust"), &desk.text);
    desk.type_at_end("let memor");
    desk.text_said()
}

#[test]
fn what_was_typed_into_a_document_that_is_excluded_now_is_said_nowhere() {
    let a = DocumentId::new("file:///a.rs");
    assert!(said_elsewhere(|_| ()).starts_with("able_name"));
    assert_eq!(
        said_elsewhere(|desk| desk.predictor.forget_document(&a)),
        ""
    );
    let closed_first = |desk: &mut TypingDesk| {
        desk.predictor.close(&a);
        desk.predictor.forget_document(&a);
    };
    assert_eq!(said_elsewhere(closed_first), "");
    let rules_changed = |desk: &mut TypingDesk| {
        desk.predictor.close(&a);
        desk.predictor.forget_closed();
    };
    assert_eq!(said_elsewhere(rules_changed), "");
    let still_open = |desk: &mut TypingDesk| desk.predictor.forget_closed();
    assert!(said_elsewhere(still_open).starts_with("able_name"));
}

/// Both documents are in these workspaces.
fn said_across(a: DocumentHome, b: DocumentHome, then: impl FnOnce(&mut TypingDesk)) -> String {
    let mut desk = TypingDesk::new("");
    let first = desk.document.clone();
    desk.predictor.place_document(&first, a);
    desk.type_at_end("let memorable_name = memorable_name + memorable_name;\n");
    desk.said();
    then(&mut desk);
    desk.document = DocumentId::new("file:///b.rs");
    desk.text = Text::from("");
    desk.predictor.place_document(&desk.document, b);
    desk.predictor
        .open(&desk.document, &Language::new("rust"), &desk.text);
    desk.type_at_end("let memor");
    desk.text_said()
}

#[test]
fn what_was_typed_in_one_workspace_is_said_in_no_other() {
    let a = DocumentId::new("file:///a.rs");
    let home = |name: &str| DocumentHome::Workspace(name.into());
    let close = |desk: &mut TypingDesk| desk.predictor.close(&a);
    let same = said_across(home("/ours"), home("/ours"), close);
    assert!(same.starts_with("able_name"), "{same:?}");
    assert_eq!(said_across(home("/theirs"), home("/ours"), |_| ()), "");
    assert_eq!(said_across(home("/theirs"), home("/ours"), close), "");
    let nowhere = DocumentHome::Nowhere;
    assert_eq!(said_across(nowhere.clone(), home("/ours"), close), "");
    // Whose it is, nobody knows: it is said in others of the kind, and only while it is open.
    let both_open = said_across(nowhere.clone(), nowhere.clone(), |_| ());
    assert!(both_open.starts_with("able_name"), "{both_open:?}");
    assert_eq!(said_across(nowhere.clone(), nowhere, close), "");
}

#[test]
fn what_was_typed_in_a_workspace_that_is_closed_is_not_said_where_its_document_is_now() {
    let a = DocumentId::new("file:///a.rs");
    let home = |name: &str| DocumentHome::Workspace(name.into());
    let moved = |to: DocumentHome| {
        let a = a.clone();
        move |desk: &mut TypingDesk| desk.predictor.place_document(&a, to)
    };
    let gone = said_across(
        home("/theirs"),
        home("/theirs"),
        moved(DocumentHome::Nowhere),
    );
    assert_eq!(gone, "");
    let moved_here = said_across(home("/theirs"), home("/ours"), moved(home("/ours")));
    assert_eq!(moved_here, "");
}

#[test]
fn of_many_workspaces_the_last_are_remembered_and_none_is_taken_for_another() {
    let mut desk = TypingDesk::new("");
    for number in 0..6 {
        desk.document = DocumentId::new(format!("file:///{number}.rs"));
        desk.text = Text::from("");
        let home = DocumentHome::Workspace(format!("/{}", number % 5).into());
        desk.predictor.place_document(&desk.document, home);
        desk.predictor
            .open(&desk.document, &Language::new("rust"), &desk.text);
        desk.type_at_end(&format!("let name_{number}_of = name_{number}_of;\n"));
        desk.said();
    }
    // The first is heard no more, and what is changed where it was typed touches nothing else.
    let first = DocumentId::new("file:///0.rs");
    let text = Text::from("let other = 1;\n");
    desk.predictor.open(&first, &Language::new("rust"), &text);
    desk.type_at_end("let name_0");
    assert_eq!(desk.text_said(), "");
    desk.type_at_end(";\nlet name_5");
    assert!(desk.text_said().starts_with("_of"), "{:?}", desk.said());
}

#[test]
fn what_is_gone_from_a_document_that_was_closed_meanwhile_is_said_nowhere() {
    let a = DocumentId::new("file:///a.rs");
    let reopened = |text: &'static str| {
        let a = a.clone();
        move |desk: &mut TypingDesk| {
            desk.predictor.close(&a);
            desk.predictor
                .open(&a, &Language::new("rust"), &Text::from(text));
            desk.predictor.close(&a);
        }
    };
    let same = "let memorable_name = memorable_name + memorable_name;\n";
    assert!(said_elsewhere(reopened(same)).starts_with("able_name"));
    assert_eq!(said_elsewhere(reopened("let another = 1;\n")), "");
}

#[test]
fn what_is_deleted_in_a_document_that_was_opened_again_is_said_nowhere() {
    let a = DocumentId::new("file:///a.rs");
    let said = said_elsewhere(|desk| {
        desk.predictor.close(&a);
        desk.predictor
            .open(&a, &Language::new("rust"), &desk.text.clone());
        let end = desk.text.end().get();
        desk.replace(0, end, "", ChangeReason::Other);
    });
    assert_eq!(said, "");
}

#[test]
fn nothing_is_said_before_a_letter() {
    let mut desk = TypingDesk::new(TABLE);
    let at = TABLE.find("insert").unwrap();
    assert_eq!(desk.said_at(at), None);
    assert_eq!(desk.said_at(at + 3), None);
}

#[test]
fn what_stands_behind_the_cursor_is_not_said_again() {
    let mut desk = TypingDesk::new(&format!("{TABLE}    table.insert(\"five\", )"));
    let end = desk.text.end().get();
    let said = desk
        .said_at(end - 1)
        .map(|said| said.text)
        .unwrap_or_default();
    assert!(
        !said.ends_with(')') || said.matches('(').count() >= said.matches(')').count(),
        "{said:?}"
    );
}

#[test]
fn a_bracket_that_is_opened_by_what_is_said_is_closed_by_it_before_one_that_stands_there() {
    let mut desk = TypingDesk::new("");
    for name in ["one", "two", "three", "four", "five"] {
        desk.type_at_end(&format!("let {name} = measure(count(rows, 1));\n"));
    }
    desk.type_at_end("let six = measure(");
    let end = desk.text.end().get();
    desk.replace(end, end, ")", ChangeReason::Other);
    let said = desk.said_at(end).map(|said| said.text);
    assert_eq!(said.as_deref(), Some("count(rows, 1)"));
}

#[test]
fn a_word_is_finished_where_another_stands_behind_a_blank() {
    let mut desk = TypingDesk::new("");
    for name in ["one", "two", "three", "four", "five"] {
        desk.type_at_end(&format!("{name}(quarterly_report as u64);\n"));
    }
    desk.type_at_end("six(quart");
    let end = desk.text.end().get();
    desk.replace(end, end, " as u64);", ChangeReason::Other);
    let said = desk.said_at(end).map(|said| said.text);
    assert_eq!(said.as_deref(), Some("erly_report"));
}

#[test]
fn what_was_not_typed_key_by_key_moves_no_weight() {
    let mut desk = TypingDesk::new("let a = 1;\n");
    desk.type_at_end("let ");
    let before = desk.predictor.trained();
    let start = desk.text.end().get();
    let pasted = "call(value, other); ".repeat(45);
    desk.replace(start, start, &pasted, ChangeReason::Typed);
    desk.said();
    // A key at the start of what is there, and then the cursor leaves the line.
    let line = "let a = 1;\n".len();
    desk.said_at(line);
    desk.replace(line, line, "x", ChangeReason::Typed);
    desk.said_at(line + 1);
    desk.said_at(0);
    assert!(desk.predictor.trained() == before);
}

#[test]
fn the_workspace_is_known_but_for_the_document_itself() {
    let mut builder = WorkspaceArrayBuilder::new();
    let helper =
        "pub fn connect() {\n    let client = HttpClientFactory::default();\n}\n".repeat(6);
    builder.add("file:///other.rs", &helper);
    let array = Arc::new(builder.build());
    let mut desk = TypingDesk::new("");
    desk.predictor.set_workspace(array.clone());
    desk.type_at_end("pub fn start() {\n    let client = Http");
    assert!(
        desk.text_said().starts_with("ClientFactory"),
        "{:?}",
        desk.said()
    );
    let mut own = TypingDesk::new("");
    own.document = DocumentId::new("file:///other.rs");
    own.predictor
        .open(&own.document, &Language::new("rust"), &own.text);
    own.predictor.set_workspace(array);
    own.type_at_end("pub fn start() {\n    let client = Http");
    assert_eq!(own.text_said(), "");
}

#[test]
fn a_word_of_the_workspace_is_known_where_it_never_stood() {
    let mut builder = WorkspaceArrayBuilder::new();
    let code = "pub fn connect(client: HttpClientFactory) {\n    client.open();\n}\n";
    builder.add("file:///other.rs", &code.repeat(6));
    let mut desk = TypingDesk::new("");
    desk.predictor.set_workspace(Arc::new(builder.build()));
    desk.type_at_end("static TABLE = [0, 1];\nreturn(HttpC");
    let said = desk.text_known();
    assert!(said.starts_with("lientFactory"), "{said:?}");
    let other = DocumentId::new("file:///other.rs");
    desk.predictor.forget_document(&other);
    assert_eq!(desk.text_known(), "", "its file does not count any more");
    let bring = |desk: &mut TypingDesk, code: &str| {
        let builder = builder_of("file:///other.rs", &code.repeat(6));
        desk.predictor.set_workspace(Arc::new(builder.build()));
    };
    bring(&mut desk, code);
    assert_eq!(desk.text_known(), "", "nor in code that says the same");
    bring(&mut desk, &format!("// Known.\n{code}"));
    let said = desk.text_known();
    assert!(said.starts_with("lientFactory"), "{said:?}");
}

#[test]
fn what_was_deleted_in_a_document_before_it_was_closed_is_not_said_when_another_workspace_comes() {
    let code = "pub fn connect(client: HttpClientFactory) {\n    client.open();\n}\n";
    let ours = WorkspacePart {
        prefix: "file:///ours/".into(),
        array: Arc::new(builder_of("other.rs", &code.repeat(6)).build()),
        ..WorkspacePart::default()
    };
    let theirs = WorkspacePart {
        prefix: "file:///theirs/".into(),
        array: Arc::new(builder_of("b.rs", "fn nothing() {}\n").build()),
        ..WorkspacePart::default()
    };
    let asked = |deletes: bool| {
        let mut desk = TypingDesk::new("");
        desk.predictor.set_workspaces(vec![ours.clone()]);
        let other = DocumentId::new("file:///ours/other.rs");
        let text = if deletes {
            "fn gone() {}\n".into()
        } else {
            code.repeat(6)
        };
        let (rust, text) = (Language::new("rust"), Text::from(text.as_str()));
        desk.predictor.open(&other, &rust, &text);
        desk.predictor.close(&other);
        desk.predictor
            .set_workspaces(vec![ours.clone(), theirs.clone()]);
        desk.document = DocumentId::new("file:///ours/a.rs");
        desk.predictor.open(&desk.document, &rust, &desk.text);
        desk.type_at_end("static TABLE = [0, 1];\nreturn(HttpC");
        desk.text_known()
    };
    let said = asked(false);
    assert!(said.starts_with("lientFactory"), "{said:?}");
    assert_eq!(asked(true), "");
}

/// The code of one file.
fn builder_of(name: &str, text: &str) -> WorkspaceArrayBuilder {
    let mut builder = WorkspaceArrayBuilder::new();
    builder.add(name, text);
    builder
}

#[test]
fn the_same_session_gives_the_same_answers() {
    let session = || {
        let mut desk = TypingDesk::new(TABLE);
        let mut said = Vec::new();
        for key in "    table.insert(\"five\", Row::empty(5));\n    table.len()\n".chars() {
            said.push(desk.said());
            desk.type_at_end(&key.to_string());
        }
        said
    };
    let first = session();
    assert!(first.iter().any(Option::is_some));
    assert_eq!(first, session());
}

#[test]
fn files_that_nobody_typed_cost_nothing() {
    let minified = "a=b(c,d);".repeat(600_000);
    let one_token = "a".repeat(3_000_000);
    let many_lines = "\n".repeat(10_000_000);
    let binary: String = (0..200_000_u32)
        .map(|n| char::from((n.wrapping_mul(2_654_435_761) >> 24) as u8))
        .collect();
    for text in [minified, one_token, many_lines, binary] {
        let mut desk = TypingDesk::new(&text);
        let end = desk.text.end().get();
        desk.said_at(end);
        desk.said_at(0);
        desk.replace(0, 0, "x", ChangeReason::Typed);
        desk.said_at(1);
    }
    let mut desk = TypingDesk::new(&"a\n".repeat(10_000));
    desk.type_at_end("a");
    assert!(
        desk.said()
            .is_none_or(|said| said.text.chars().count() >= 4)
    );
}

/// Behind a quote comes another word in each line.
#[test]
fn a_table_of_hashes_is_learned_in_no_time() {
    let line = |n: u64| {
        let hash = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("  \"k{hash:016x}\": \"v{:016x}\",\n", !hash)
    };
    let text: String = (0..19_990).map(line).collect();
    let mut desk = TypingDesk::new(&text);
    desk.type_at_end("  \"key\": \"value\",\n  \"key\": \"val");
    let said = desk.text_said();
    assert!(said.is_empty() || said.starts_with("ue\""), "{said:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_edits_leave_a_model_that_speaks_in_whole_words(
        edits in prop::collection::vec((0..200_usize, 0..30_usize, r"[ab(){}, =.\r\n\té😀\u{301}]{0,12}", any::<bool>()), 1..40)
    ) {
        let mut desk = TypingDesk::new("a = b(a, b);\r\na = b(b, a);\na = b(a, a);\n");
        for (start, length, new, typed) in edits {
            let start = desk.text.floor(start.min(desk.text.end().get())).get();
            let end = desk.text.floor((start + length).min(desk.text.end().get())).get();
            let reason = if typed { ChangeReason::Typed } else { ChangeReason::Other };
            desk.replace(start, end.max(start), &new, reason);
            let at = desk.text.floor(start + new.len()).get();
            if let Some(said) = desk.said_at(at) {
                prop_assert!(said.text.chars().count() >= 4);
                prop_assert!(!said.text.contains(['\n', '\r']));
                prop_assert!(said.probability >= LIKELY);
            }
        }
        let text = desk.predictor.text(&desk.document).map(Text::to_string);
        prop_assert_eq!(text, Some(desk.text.to_string()));
    }
}
