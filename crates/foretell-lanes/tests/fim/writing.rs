//! What becomes of an answer in the document.

use foretell_lanes::model::answer_frame::AnswerEnd;

use crate::stage::Stage;

fn written(story: &str, answer: &str) -> String {
    Stage::of(story).written(answer)
}

#[test]
fn an_answer_is_put_in_at_the_cursor() {
    assert_eq!(written("const a = |\n", "1;\n\n"), "const a = 1;\n");
    assert_eq!(written("a = |b", "c + \nd"), "a = c + b");
}

#[test]
fn what_the_editor_closed_is_not_doubled() {
    assert_eq!(written("foo(|)", "a, b)"), "foo(a, b)");
    assert_eq!(written("foo(|);\n", "a, b);\n"), "foo(a, b);\n");
    assert_eq!(written("foo(|)", "bar()"), "foo(bar())");
    assert_eq!(written("print(\"|\")", "hello\")"), "print(\"hello\")");
    assert_eq!(written("f(|)\n", "a)\ng()\n"), "f(a)\ng()\n");
    let closure = "() => {\n  x\n})";
    assert_eq!(written("f(|)", closure), "f(() => {\n  x\n})");
}

#[test]
fn the_edit_covers_what_it_repeats() {
    let answer = Stage::of("foo(|);").answer("a);");
    let edit = &answer.candidates[0].edit;
    assert_eq!(edit.to_string(), r#"[4, 6) -> "a);""#);
}

#[test]
fn what_is_there_already_is_nothing_to_suggest() {
    for answer in ["", " \n", ")", ");"] {
        assert_eq!(written("foo(|);", answer), "nothing", "{answer:?}");
    }
}

#[test]
fn lines_end_as_the_documents_do() {
    let story = "if (a) {|\r\nb\r\n";
    let expected = "if (a) {\r\n  c\r\n}\r\nb\r\n";
    assert_eq!(written(story, "\n  c\n}\n"), expected);
}

#[test]
fn an_answer_with_a_mark_is_withheld() {
    let answer = Stage::of("a|").answer(" = [REDACTED-1]");
    assert_eq!((answer.candidates.len(), answer.withheld), (0, 1));
    let answer = Stage::of("a|").answer("");
    assert_eq!((answer.candidates.len(), answer.withheld), (0, 0));
}

#[test]
fn a_place_that_is_not_in_the_document_gets_nothing() {
    let answer = Stage::at("é", 1).answer("x");
    assert_eq!(answer.candidates.len(), 0);
    let answer = Stage::at("é", 99).answer("x");
    assert_eq!(answer.candidates.len(), 0);
}

#[test]
fn the_connection_is_closed_as_soon_as_the_answer_is_over() {
    let stage = Stage::of("function f() {|\n");
    let mut pieces = vec!["\n", "  return", " 1;\n", "}", "\n"];
    let end = |pieces: &[&'static str]| stage.kept(pieces.iter().copied(), AnswerEnd::Own);
    assert_eq!(end(&pieces), ("\n  return 1;\n}".to_owned(), false));
    // The first letter of what follows says that it is something else.
    pieces.push("c");
    assert_eq!(end(&pieces), ("\n  return 1;\n}".to_owned(), false));
    pieces.pop();
    pieces.push("x");
    assert_eq!(end(&pieces), ("\n  return 1;\n}".to_owned(), true));
    pieces.pop();
    pieces.push("\n");
    assert_eq!(end(&pieces), ("\n  return 1;\n}".to_owned(), true));
}
