//! Sessions of somebody who types, recorded without the words: the machine does the same at the same
//! places, with texts of the same lengths.

use foretell_core::{Event, RejectionId, RequestCause, StoredRejection, TextDigest};
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Replacement, Text};
use foretell_trace::TraceWriter;

use crate::compare::{Texts, assert_same, done, key, recorded, replayed};
use crate::session::{Editor, MAIN};

/// Fails unless a session does the same when it is replayed, whole and as a shape.
fn assert_replays(editor: &Editor) {
    let whole = recorded(TraceWriter::whole(), &editor.settings, &editor.told);
    let expected = done(&editor.settings, &editor.told, Texts::Whole);
    assert_same(&expected, &replayed(&whole, Texts::Whole), &whole);
    let expected = done(&editor.settings, &editor.told, Texts::Shape);
    for seed in 1..4 {
        let shape = recorded(
            TraceWriter::shape(key(seed)),
            &editor.settings,
            &editor.told,
        );
        assert_same(&expected, &replayed(&shape, Texts::Shape), &shape);
    }
}

#[test]
fn typing_into_a_suggestion_carries_it() {
    let mut editor = Editor::at("fn main() {\n    let |\n}\n");
    editor.suggests("größe = count_all(\"x\", 42);");
    editor.asks(RequestCause::Automatic);
    editor.waits(1_000);
    editor.types("größe = count_all(\"");
    editor.deletes(3);
    editor.types("l(");
    assert!(editor.answers > 15, "{} answers", editor.answers);
    assert_replays(&editor);
}

#[test]
fn a_rejected_suggestion_stays_rejected_while_it_is_typed() {
    let mut editor = Editor::at("fn main() {\n    re|\n}\n");
    editor.suggests("turn value;");
    editor.asks(RequestCause::Automatic);
    editor.waits(1_000);
    editor.rejects();
    editor.waits(6_000);
    let before = editor.answers;
    editor.suggests_nothing();
    editor.types("turn val");
    editor.suggests("ue;");
    editor.asks(RequestCause::Explicit);
    editor.waits(20_000);
    editor.suggests_nothing();
    editor.deletes(4);
    editor.suggests(" value;");
    editor.asks(RequestCause::Explicit);
    editor.waits(20_000);
    assert_eq!(editor.answers, before, "it was not offered again");
    assert_replays(&editor);
}

#[test]
fn brackets_that_an_editor_closes_are_passed_over() {
    let mut editor = Editor::at("let x = |;\n");
    editor.suggests("call(first, [second])");
    editor.asks(RequestCause::Automatic);
    editor.waits(1_000);
    editor.types("cal");
    editor.pastes("l()");
    editor.cursor -= 1;
    editor.types("first");
    editor.waits(3_000);
    assert_replays(&editor);
}

#[test]
fn a_completion_from_a_list_is_on_the_way() {
    let mut editor = Editor::at("    wi|\n");
    editor.suggests("dth.checked_mul(height)");
    editor.asks(RequestCause::Automatic);
    editor.waits(1_000);
    editor.completes(2, "width");
    editor.types(".checked");
    editor.completes(8, ".checked_mul");
    editor.waits(3_000);
    assert!(editor.answers > 3);
    assert_replays(&editor);
}

#[test]
fn a_line_that_is_replaced_as_a_whole_keeps_what_it_keeps() {
    let mut editor = Editor::at("|    count = 1\r\n    total = 2\r\n");
    editor.suggests_instead_of(13, "    counter = 1");
    editor.asks(RequestCause::Explicit);
    editor.waits(1_000);
    editor.moves(9);
    editor.types("er");
    editor.waits(2_000);
    editor.undoes();
    editor.undoes();
    editor.waits(2_000);
    assert!(editor.answers > 0);
    assert_replays(&editor);
}

#[test]
fn undoing_wakes_what_was_rejected() {
    let mut editor = Editor::at("let 😀e\u{301}a = |;\r\n");
    editor.suggests("naïve(😀)");
    editor.asks(RequestCause::Explicit);
    editor.waits(1_000);
    editor.rejects();
    editor.pastes("other thing");
    editor.waits(1_000);
    editor.undoes();
    editor.waits(6_000);
    editor.asks(RequestCause::Explicit);
    editor.waits(1_000);
    assert_replays(&editor);
}

#[test]
fn what_is_typed_inside_of_a_word_leaves_the_rest_alone() {
    let mut editor = Editor::at("let foo|bar = foobar();\n");
    editor.suggests("_baz");
    editor.types("x");
    editor.deletes(1);
    editor.types("_b");
    editor.deletes(5);
    editor.undoes();
    editor.types("q z");
    editor.waits(3_000);
    assert_replays(&editor);
}

#[test]
fn a_text_that_is_opened_again_is_known_again() {
    let mut editor = Editor::at("let value|x = 1;\n");
    editor.types("y");
    editor.suggests("_more");
    editor.asks(RequestCause::Explicit);
    editor.waits(1_000);
    editor.rejects();
    let text = editor.text();
    editor.close();
    editor.waits(6_000);
    editor.open(&text);
    editor.asks(RequestCause::Explicit);
    editor.waits(20_000);
    let said = done(&editor.settings, &editor.told, Texts::Shape);
    assert!(said.iter().any(|it| it.starts_with("awake")), "{said:?}");
    assert_replays(&editor);
}

#[test]
fn what_was_rejected_before_a_restart_is_given_back() {
    let text = "let wide = hei;\n";
    let stored = |at: usize, insert: &str, of: Option<&str>| StoredRejection {
        id: RejectionId::new(9),
        document: DocumentId::new(MAIN),
        edit: Replacement::insertion(ByteOffset::new(at), insert).into(),
        text: of.map(|of| TextDigest::of(&Text::from(of))),
        asleep: true,
    };
    let rejections = [
        stored(14, "ght * 2", Some(text)),
        stored(4, "very_", Some("let wide = 1;\n")),
        stored(8, "st", Some(text)),
        stored(8, "st", None),
        stored(2, "!", Some("never opened")),
    ];
    for is_open in [false, true] {
        let mut editor = Editor::at("let wide = 1|;\n");
        if is_open {
            editor.waits(10);
        } else {
            editor.close();
        }
        editor.tell(Event::RejectionsRestored {
            rejections: rejections.to_vec().into(),
        });
        editor.cursor = 14;
        editor.open(text);
        editor.suggests("ght * 2");
        editor.asks(RequestCause::Explicit);
        editor.waits(20_000);
        editor.suggests("ght * 3");
        editor.asks(RequestCause::Explicit);
        editor.waits(20_000);
        assert_eq!(editor.answers, 1, "one was rejected");
        assert_replays(&editor);
    }
}

/// Somebody who types, deletes, pastes, undoes, moves, takes from lists, and rejects, at random.
#[test]
fn whatever_somebody_types_has_a_shape_that_does_the_same() {
    const PIECES: [&str; 14] = [
        "foo ",
        "bar(",
        "größe.",
        " ",
        "(",
        ") ",
        "\r\n",
        "x1;",
        "_",
        "e\u{301} ",
        "😀 ",
        ".",
        "value ",
        "A,",
    ];
    let (mut same, mut all) = (0, 0);
    for seed in 1..=60_u64 {
        let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut below = |bound: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random >> 33) as usize % bound
        };
        let mut editor = Editor::at("fn foo(bar: u8) {\r\n    |größe.value()\r\n}\r\n");
        for _ in 0..60 {
            let piece = PIECES[below(PIECES.len())];
            match below(16) {
                0..5 => editor.types(piece),
                5 => editor.pastes(piece),
                6..8 => editor.deletes(1 + below(3)),
                8 => editor.undoes(),
                9 => {
                    let places: Vec<usize> = editor.text().char_indices().map(|it| it.0).collect();
                    let to = places.get(below(places.len().max(1))).copied();
                    editor.moves(to.unwrap_or(0));
                }
                10..13 => {
                    let more = PIECES[below(PIECES.len())];
                    editor.suggests(&format!(" {piece}{more}"));
                    editor.asks(RequestCause::Explicit);
                    editor.waits(300);
                }
                13 => editor.waits(2_500),
                14 if editor.offered.take().is_some() => {
                    // The last that was offered.
                    editor.asks(RequestCause::Explicit);
                    editor.waits(300);
                    if editor.offered.is_some() {
                        editor.rejects();
                    }
                }
                _ => editor.replaces(0, piece, ChangeReason::Other),
            }
        }
        editor.waits(20_000);
        let whole = recorded(TraceWriter::whole(), &editor.settings, &editor.told);
        let expected = done(&editor.settings, &editor.told, Texts::Whole);
        assert_same(&expected, &replayed(&whole, Texts::Whole), &whole);
        let expected = done(&editor.settings, &editor.told, Texts::Shape);
        let shape = recorded(
            TraceWriter::shape(key(seed)),
            &editor.settings,
            &editor.told,
        );
        let found = replayed(&shape, Texts::Shape);
        same += usize::from(expected == found);
        all += 1;
    }
    // Words are put together from other pieces now and then, which the docs name.
    println!("{same} of {all} sessions are the same");
    assert!(
        same * 10 >= all * 8,
        "{same} of {all} sessions are the same"
    );
}
