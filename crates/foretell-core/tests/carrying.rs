//! What was offered stays true while the person types into it, as they see it.
//!
//! In most of these stories FIM has offered `items.len();` behind `let total = `, and only FIM is
//! asked, at once and without context: a line such as `0ms start r2 fim` is a call that carrying has
//! not spared.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::RequestCause::{Automatic, Explicit};
use foretell_core::{Event, RequestId, RequestKind, SuggestionId};
use foretell_settings::Millis;
use foretell_testkit::expect;
use foretell_testkit::story_editor::{Editor, delete, fim_alone, insert, replace};
use foretell_text::LaneKind::{Fim, NextEdit};
use foretell_text::{ChangeReason, Edit};

const TEXT: &str = "let total = \nlet b = 2;\n";

/// An editor in which r1 was answered with texts to put in at the end of the first line.
fn offered_all(new_texts: &[&str]) -> Editor {
    offered_in(TEXT, 12, new_texts)
}

fn offered_in(text: &str, at: u32, new_texts: &[&str]) -> Editor {
    let mut editor = Editor::with_settings(text, fim_alone);
    editor.place_cursor(1, at + 1);
    let request = editor.ask();
    let at = at as usize;
    let edits: Vec<_> = new_texts.iter().map(|it| insert(at, it)).collect();
    editor.lane_answers(request, Fim, &edits);
    editor.log();
    editor
}

/// The same with what is offered in most of these stories.
fn offered() -> Editor {
    offered_all(&["items.len();"])
}

/// What the editor is told when it asks, without the time and the name of the request.
fn asks(editor: &mut Editor) -> String {
    editor.log();
    let request = editor.ask();
    let log = editor.log().join("; ");
    let name = format!("0ms answer r{}: ", request.get());
    log.strip_prefix(&name).unwrap_or(&log).to_owned()
}

/// One candidate that is carried.
fn carried(start: usize, new_text: &str) -> String {
    format!("[{start}, {start}) -> {new_text:?} (fim, carried)")
}

fn edits(editor: &mut Editor, edits: Vec<Edit>) {
    editor.edits(edits, ChangeReason::Typed);
}

mod on_the_way {
    //! What is shown is exactly what remains.

    use super::*;

    #[test]
    fn typing_the_next_characters() {
        let mut editor = offered();
        let text = "items.len();";
        for (typed, key) in text.char_indices().take(text.len() - 1) {
            editor.type_keys(&key.to_string());
            let (_, rest) = text.split_at(typed + 1);
            assert_eq!(asks(&mut editor), carried(13 + typed, rest));
        }
        assert_eq!(editor.core.counts().carried, 11);
        assert_eq!(editor.core.counts().calls[&Fim], 1);
    }

    #[test]
    fn typing_all_of_it_leaves_nothing_and_the_next_is_asked_for() {
        let mut editor = offered();
        editor.type_keys("items.len();");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn it_is_not_asked_about_in_between() {
        let mut editor = offered();
        editor.type_keys("items");
        assert_eq!(asks(&mut editor), carried(17, ".len();"));
    }

    #[test]
    fn it_is_answered_at_once_though_the_person_has_not_paused() {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            fim_alone(settings);
            settings.pace.base = Millis::new(250);
            settings.context.enabled = true;
        });
        editor.place_cursor(1, 13);
        let request = editor.ask();
        editor.lane_suggests(request, Fim, "items.len();");
        editor.at(400).type_keys("i");
        editor.log();
        editor.ask();
        editor.expect_log(expect![[
            r#"400ms answer r2: [13, 13) -> "tems.len();" (fim, carried)"#
        ]]);
    }

    #[test]
    fn a_completion_of_a_popup_that_agrees() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.edit(replace(12, 14, "items"));
        assert_eq!(asks(&mut editor), carried(17, ".len();"));
        editor.type_keys(".l");
        editor.edit(replace(18, 19, "len()"));
        assert_eq!(asks(&mut editor), carried(23, ";"));
    }

    #[test]
    fn deleting_what_was_just_typed() {
        let mut editor = offered();
        editor.type_keys("ite");
        editor.backspace();
        assert_eq!(asks(&mut editor), carried(14, "ems.len();"));
        editor.backspace();
        assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
        editor.type_keys("tem");
        assert_eq!(asks(&mut editor), carried(16, "s.len();"));
    }

    #[test]
    fn undoing_what_was_just_typed() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.undo();
        assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
    }

    #[test]
    fn a_pair_that_the_editor_closes_and_typing_its_end() {
        let mut editor = offered();
        editor.type_keys("items.len");
        editor.edit(insert(21, "()"));
        editor.place_cursor(1, 23);
        assert_eq!(asks(&mut editor), carried(23, ";"));
        // Over-typed: the closer is replaced by itself.
        editor.edit(replace(22, 23, ")"));
        editor.place_cursor(1, 24);
        assert_eq!(asks(&mut editor), carried(23, ";"));
        editor.type_keys(";");
        assert_eq!(asks(&mut editor), "0ms start r4 fim");
    }

    #[test]
    fn a_closer_that_stands_further_on() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("\"", "\""), ("<", ">")] {
            let mut editor = offered_all(&[&format!("f{open}one{close}")]);
            editor.type_keys("f");
            editor.edit(insert(13, &format!("{open}{close}")));
            editor.place_cursor(1, 15);
            assert_eq!(asks(&mut editor), carried(14, "one"), "{open}{close}");
            editor.type_keys("on");
            assert_eq!(asks(&mut editor), carried(16, "e"), "{open}{close}");
        }
    }

    #[test]
    fn a_closer_with_more_behind_it() {
        let mut editor = offered_all(&["f(one);"]);
        editor.type_keys("f");
        editor.edit(insert(13, "()"));
        editor.place_cursor(1, 15);
        // In one piece, so that an editor can draw it.
        let rest = r#"[14, 15) -> "one);" (fim, carried)"#;
        assert_eq!(asks(&mut editor), rest);
        editor.type_keys("one");
        editor.edit(replace(17, 18, ")"));
        editor.place_cursor(1, 19);
        assert_eq!(asks(&mut editor), carried(18, ";"));
    }

    #[test]
    fn a_closer_that_is_typed_before_what_comes_in_between() {
        for (offered, rest) in [
            ("f(one)", carried(14, "one")),
            (
                "f(one);",
                r#"[14, 15) -> "one);" (fim, carried)"#.to_owned(),
            ),
        ] {
            let mut editor = offered_all(&[offered]);
            editor.type_keys("f");
            editor.edit(insert(13, "()"));
            editor.place_cursor(1, 15);
            assert_eq!(asks(&mut editor), rest);
            editor.edit(replace(14, 15, ")"));
            editor.place_cursor(1, 16);
            assert_eq!(asks(&mut editor), rest);
        }
    }

    #[test]
    fn several_small_edits_in_one_go() {
        let mut editor = offered();
        edits(
            &mut editor,
            vec![
                insert(12, "it"),
                insert(14, "x"),
                delete(14, 15),
                insert(14, "ems"),
            ],
        );
        assert_eq!(asks(&mut editor), carried(17, ".len();"));
    }

    #[test]
    fn writing_the_end_first_and_going_back() {
        let mut editor = offered();
        editor.type_keys(";");
        editor.place_cursor(1, 13);
        assert_eq!(asks(&mut editor), carried(12, "items.len()"));
        editor.type_keys("items");
        assert_eq!(asks(&mut editor), carried(17, ".len()"));
    }

    #[test]
    fn a_change_of_a_word_that_the_person_makes_themselves() {
        let mut editor = Editor::with_settings("let total = 1;\n", fim_alone);
        editor.place_cursor(1, 10);
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[replace(4, 9, "subtotal")]);
        editor.edit(insert(4, "sub"));
        // All of it is done.
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn among_repeated_characters_it_is_written_at_the_cursor() {
        let mut editor = Editor::with_settings("a\n\n\nb\n", fim_alone);
        editor.place_cursor(2, 1);
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[insert(2, "let\nmut\n")]);
        editor.log();
        editor.type_keys("let\n");
        // Trimmed, what remains stands before the line's end; the cursor is behind it.
        assert_eq!(asks(&mut editor), carried(6, "mut\n"));
    }

    #[test]
    fn text_with_characters_of_several_bytes() {
        let mut editor = offered_all(&["\"größe 🙂\";"]);
        editor.type_keys("\"grö");
        assert_eq!(asks(&mut editor), carried(17, "ße 🙂\";"));
        editor.type_keys("ße 🙂");
        assert_eq!(asks(&mut editor), carried(25, "\";"));
    }
}

mod off_the_way {
    //! What is no longer true is not shown, and comes back when it is true again.

    use super::*;

    #[test]
    fn typing_something_else() {
        let mut editor = offered();
        editor.type_keys("x");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn typing_something_else_after_its_beginning() {
        let mut editor = offered();
        editor.type_keys("itx");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn typing_a_character_that_comes_only_later() {
        // What was just typed is not replaced by the suggestion.
        for (offered, key) in [
            ("answer_from_model()", "e"),
            ("alpha_beta(gamma)", "b"),
            ("answer_from_model()", ")"),
            ("items.len();", ";"),
            ("items.len();", "len"),
        ] {
            let mut editor = offered_all(&[offered]);
            editor.type_keys(key);
            assert_eq!(asks(&mut editor), "0ms start r2 fim", "{key} of {offered}");
        }
    }

    #[test]
    fn typing_a_character_that_comes_only_later_after_its_beginning() {
        for key in ["e", "l", ";", "."] {
            let mut editor = offered();
            editor.type_keys("i");
            assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
            editor.type_keys(key);
            assert_eq!(asks(&mut editor), "0ms start r3 fim", "{key}");
            editor.backspace();
            editor.log();
            editor.ask();
            let log = editor.log();
            let back = r#"0ms answer r4: [13, 13) -> "tems.len();" (fim, carried)"#;
            assert_eq!(log.last().unwrap(), back, "{key}");
        }
    }

    #[test]
    fn going_back_does_not_make_it_the_right_one() {
        let mut editor = offered_all(&["answer_from_model()"]);
        editor.type_keys("e");
        editor.place_cursor(1, 13);
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn a_late_answer_takes_the_place_of_what_is_off_the_way() {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            fim_alone(settings);
            settings.pace.base = Millis::new(250);
        });
        editor.place_cursor(1, 13);
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[insert(12, "items.len();")]);
        editor.at(1_000).type_keys(";");
        let request = editor.ask();
        editor.at(2_000).type_keys(" ");
        editor.ask();
        editor.log();
        editor.at(2_100);
        editor.lane_answers(request, Fim, &[insert(13, " // nothing")]);
        editor.expect_log(expect![[
            r#"2100ms answer r3: [14, 14) -> "// nothing" (fim, carried)"#
        ]]);
    }

    #[test]
    fn typing_it_away_brings_it_back() {
        let mut editor = offered();
        editor.type_keys("itx");
        asks(&mut editor);
        editor.backspace();
        editor.log();
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r2: superseded
            0ms answer r3: [14, 14) -> "ems.len();" (fim, carried)
        "#]]);
    }

    #[test]
    fn undo_brings_it_back() {
        let mut editor = offered();
        editor.type_keys("ix");
        editor.undo();
        assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
    }

    #[test]
    fn deleting_text_that_it_keeps() {
        let mut editor = offered();
        editor.backspace();
        editor.backspace();
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.type_keys("= ");
        editor.log();
        editor.ask();
        let log = editor.log();
        let back = r#"0ms answer r3: [12, 12) -> "items.len();" (fim, carried)"#;
        assert_eq!(log.last().unwrap(), back);
    }

    #[test]
    fn a_completion_of_a_popup_that_disagrees() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.edit(replace(12, 14, "iterator"));
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn moving_to_another_line_and_back() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.place_cursor(2, 1);
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.place_cursor(1, 15);
        editor.log();
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms withheld r2: superseded
            0ms answer r3: [14, 14) -> "ems.len();" (fim, carried)
        "#]]);
    }

    #[test]
    fn typing_elsewhere_ends_what_was_drawn_at_the_cursor() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.place_cursor(2, 11);
        editor.type_keys("x");
        editor.backspace();
        editor.place_cursor(1, 15);
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn a_formatter_elsewhere_does_not() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.edits(vec![insert(25, "\n")], ChangeReason::Other);
        assert_eq!(asks(&mut editor), carried(14, "ems.len();"));
    }

    #[test]
    fn closing_the_document() {
        let mut editor = offered();
        let text = editor.close();
        editor.open(&text);
        editor.place_cursor(1, 13);
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn a_person_who_does_not_want_it() {
        let mut editor = offered();
        editor.set(|settings| settings.carry.enabled = false);
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        assert_eq!(editor.core.counts().carried, 0);
    }
}

mod candidates {
    //! All of an answer are carried, until the next.

    use super::*;

    #[test]
    fn each_while_the_person_is_on_its_way() {
        let mut editor = offered_all(&["items.len();", "item;", "other();"]);
        editor.type_keys("it");
        let both = r#"[14, 14) -> "ems.len();" (fim, carried) | [14, 14) -> "em;" (fim, carried)"#;
        assert_eq!(asks(&mut editor), both);
        editor.type_keys("ems");
        assert_eq!(asks(&mut editor), carried(17, ".len();"));
    }

    #[test]
    fn at_most_eight() {
        let many: Vec<_> = (0..10).map(|number| format!("i{number}")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        let mut editor = offered_all(&many);
        editor.type_keys("i");
        let expected: Vec<_> = (0..8).map(|it| carried(13, &it.to_string())).collect();
        assert_eq!(asks(&mut editor), expected.join(" | "));
    }

    #[test]
    fn a_new_answer_replaces_them() {
        let mut editor = offered();
        editor.type_keys("x");
        let request = editor.ask();
        editor.lane_suggests(request, Fim, "yz");
        editor.backspace();
        assert_eq!(asks(&mut editor), "0ms start r3 fim");
        editor.type_keys("xy");
        editor.log();
        editor.ask();
        let log = editor.log();
        let newer = r#"0ms answer r4: [14, 14) -> "z" (fim, carried)"#;
        assert_eq!(log.last().unwrap(), newer);
    }

    #[test]
    fn an_answer_of_nothing_does_not() {
        let mut editor = offered();
        editor.type_keys("x");
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[]);
        editor.backspace();
        assert_eq!(asks(&mut editor), carried(12, "items.len();"));
    }

    #[test]
    fn the_ones_of_another_document_are_its_own() {
        let mut editor = offered();
        editor.go_to("file:///other.ts", TEXT).place_cursor(1, 13);
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.go_to("file:///test.ts", "").place_cursor(1, 13);
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
    }
}

mod verdicts {
    //! What the person has decided on is over.

    use super::*;

    #[test]
    fn what_was_accepted_is_not_offered_when_it_is_undone() {
        let mut editor = offered();
        editor.accept(RequestId::new(1));
        editor.edit(insert(12, "items.len();"));
        editor.undo();
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn what_was_accepted_in_part_goes_on() {
        let mut editor = offered();
        editor.tell(Event::SuggestionAccepted {
            suggestion: SuggestionId {
                request: RequestId::new(1),
                candidate: 0,
            },
            length: Some(6),
        });
        editor.edit(insert(12, "items."));
        assert_eq!(asks(&mut editor), carried(18, "len();"));
    }

    #[test]
    fn what_was_rejected_is_not() {
        let mut editor = offered();
        editor.dismiss(RequestId::new(1));
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.lane_suggests(RequestId::new(2), Fim, "tems.len();");
        editor.expect_log(expect!["0ms withheld r2: previously-rejected"]);
    }

    #[test]
    fn what_remained_and_was_rejected_is_not() {
        let mut editor = offered();
        editor.type_keys("i");
        let second = editor.ask();
        editor.dismiss(second);
        editor.type_keys("t");
        assert_eq!(asks(&mut editor), "0ms start r3 fim");
    }

    #[test]
    fn the_others_are_offered_when_one_was_rejected() {
        let mut editor = offered_all(&["items.len();", "item;"]);
        editor.dismiss(RequestId::new(1));
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), carried(13, "tem;"));
    }

    #[test]
    fn what_was_rejected_in_other_words_is_not_offered() {
        let mut editor = offered();
        editor.type_keys("it");
        editor.reject(&replace(12, 14, "items.len();"));
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.type_keys("e");
        let log = asks(&mut editor);
        assert!(!log.contains("carried"), "{log}");
    }

    #[test]
    fn what_was_passed_over_without_a_word_is_carried() {
        let mut editor = offered();
        editor.pass_over(RequestId::new(1));
        editor.type_keys("i");
        assert_eq!(asks(&mut editor), carried(13, "tems.len();"));
    }
}

mod next_edit {
    //! What lies elsewhere moves with the text.

    use super::*;

    const WORDS: &str = "one\ntwo\nthree\n";

    /// `three` is to become `four`, and the cursor is on the first line.
    fn offered_below() -> Editor {
        let mut editor = Editor::with_settings(WORDS, |settings| {
            fim_alone(settings);
            settings.lanes.next_edit.enabled = true;
        });
        editor.place_cursor(1, 4);
        let request = editor.request(Automatic, RequestKind::Edit);
        editor.lane_answers(request, NextEdit, &[replace(8, 13, "four")]);
        editor.log();
        editor
    }

    fn asks_for_it(editor: &mut Editor) -> Vec<String> {
        editor.log();
        editor.request(Automatic, RequestKind::Edit);
        editor.log()
    }

    #[test]
    fn typing_above_it_moves_it() {
        let mut editor = offered_below();
        editor.type_keys(" more");
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r2: [13, 18) -> "four" (next-edit, carried)"#]
        );
        editor.type_keys("\n");
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r3: [14, 19) -> "four" (next-edit, carried)"#]
        );
    }

    #[test]
    fn typing_below_it_does_not() {
        let mut editor = offered_below();
        editor.type_at(14, "end");
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r2: [8, 13) -> "four" (next-edit, carried)"#]
        );
    }

    #[test]
    fn who_types_on_elsewhere_has_passed_it_over() {
        let mut editor = offered_below();
        (0..40).for_each(|_| editor.type_keys("x"));
        let still = asks_for_it(&mut editor).concat();
        assert!(still.contains("carried"), "{still}");
        editor.type_keys("x");
        assert_eq!(asks_for_it(&mut editor), ["0ms start r3 next-edit"]);
    }

    #[test]
    fn typing_into_what_it_replaces_ends_it() {
        let mut editor = offered_below();
        editor.type_at(10, "x");
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    #[test]
    fn doing_it_by_hand_leaves_what_remains() {
        let mut editor = offered_below();
        editor.edit(delete(8, 13));
        editor.place_cursor(3, 1);
        editor.type_keys("fo");
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r2: [10, 10) -> "ur" (next-edit, carried)"#]
        );
    }

    #[test]
    fn it_is_not_drawn_at_a_cursor_elsewhere() {
        let mut editor = offered_below();
        editor.type_keys("!");
        let log = asks(&mut editor);
        assert!(!log.contains("carried"), "{log}");
    }

    #[test]
    fn rejecting_it_ends_it() {
        let mut editor = offered_below();
        editor.dismiss(RequestId::new(1));
        editor.type_keys("!");
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    /// `neat` was changed to `tidy` on the first line, and the same is offered on the other two.
    fn renamed() -> Editor {
        renamed_after(|_| {})
    }

    fn renamed_after(before: fn(&mut Editor)) -> Editor {
        let mut editor = Editor::with_settings("neat = 1\nlog(neat)\nend(neat)\n", |settings| {
            fim_alone(settings);
            settings.lanes.next_edit.enabled = true;
        });
        before(&mut editor);
        editor.edit(replace(0, 4, "tidy"));
        editor.place_cursor(1, 5);
        let request = editor.request(Automatic, RequestKind::Edit);
        let both = [replace(13, 17, "tidy"), replace(23, 27, "tidy")];
        editor.lane_answers(request, NextEdit, &both);
        editor.log();
        editor
    }

    #[test]
    fn undoing_what_it_follows_from_ends_it() {
        let mut editor = renamed();
        editor.undo();
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    #[test]
    fn a_person_who_asks_does_not_get_it_either() {
        let mut editor = renamed();
        editor.undo();
        let request = editor.request(Explicit, RequestKind::Edit);
        editor.log();
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r2: nothing-found"]);
    }

    #[test]
    fn typing_it_back_by_hand_ends_it_too() {
        // At once, and after a pause, when what is typed is another burst.
        for pause in [0, 5_000] {
            let mut editor = renamed();
            editor.after(pause).edit(delete(0, 4));
            editor.type_at(0, "neat");
            let log = asks_for_it(&mut editor);
            assert_eq!(log, [format!("{pause}ms start r2 next-edit")]);
        }
    }

    #[test]
    fn so_does_coming_back_to_it_by_a_detour() {
        let mut editor = renamed();
        editor.after(5_000).edit(replace(0, 4, "trim"));
        editor.after(5_000).edit(replace(0, 4, "neat"));
        let log = asks_for_it(&mut editor);
        assert_eq!(log, ["10000ms start r2 next-edit"]);
    }

    fn slip(editor: &mut Editor, key: &str, pause: u64) {
        editor.after(pause).type_at(8, key);
        editor.after(pause).backspace();
        editor.after(pause);
    }

    #[test]
    fn a_slip_that_is_taken_back_does_not() {
        for pause in [0, 5_000] {
            // Nor if there was one at the same place before.
            for before in [
                |_: &mut Editor| {},
                |editor: &mut Editor| slip(editor, "y", 5_000),
            ] {
                let mut editor = renamed_after(before);
                slip(&mut editor, "x", pause);
                let log = asks_for_it(&mut editor);
                assert!(log.concat().contains("(next-edit, carried)"), "{log:?}");
            }
        }
    }

    #[test]
    fn redoing_something_ends_it() {
        let mut editor = offered_below();
        editor.edits(vec![insert(3, "!")], ChangeReason::Redo);
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    #[test]
    fn undoing_the_way_to_it_brings_it_back() {
        let mut editor = offered_below();
        editor.edit(delete(8, 13));
        editor.undo();
        editor.place_cursor(2, 1);
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r2: [8, 13) -> "four" (next-edit, carried)"#]
        );
    }

    #[test]
    fn one_that_comes_after_the_undo_is_dropped() {
        let mut editor = Editor::with_settings(WORDS, |settings| {
            fim_alone(settings);
            settings.lanes.next_edit.enabled = true;
        });
        editor.place_cursor(1, 4);
        editor.type_keys("!");
        let request = editor.request(Automatic, RequestKind::Edit);
        editor.undo();
        editor.lane_answers(request, NextEdit, &[replace(9, 14, "four")]);
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    #[test]
    fn what_was_undone_can_still_be_rejected() {
        let mut editor = renamed();
        editor.undo();
        editor.dismiss(RequestId::new(1));
        assert!(editor.rejects(&replace(13, 17, "tidy")));
    }

    #[test]
    fn rejecting_one_ends_the_others_of_its_answer() {
        let mut editor = renamed();
        editor.dismiss(RequestId::new(1));
        editor.type_keys("!");
        assert_eq!(asks_for_it(&mut editor), ["0ms start r2 next-edit"]);
    }

    #[test]
    fn nor_are_they_said_again_where_they_were_asked_for() {
        let mut editor = renamed();
        editor.dismiss(RequestId::new(1));
        assert_eq!(
            asks_for_it(&mut editor),
            ["0ms withheld r2: previously-rejected"]
        );
        // A person who asks has the lane asked, which knows what they did not want.
        let request = editor.request(Explicit, RequestKind::Edit);
        editor.log();
        editor.lane_answers(request, NextEdit, &[]);
        editor.expect_log(expect!["0ms withheld r3: nothing-found"]);
    }

    #[test]
    fn the_same_holds_for_one_that_is_rejected_by_what_it_does() {
        let mut editor = renamed();
        editor.reject(&replace(12, 17, "(tidy"));
        assert_eq!(
            asks_for_it(&mut editor),
            ["0ms withheld r2: previously-rejected"]
        );
        editor.type_keys("!");
        assert_eq!(asks_for_it(&mut editor), ["0ms start r3 next-edit"]);
    }

    #[test]
    fn rejecting_something_else_leaves_them() {
        let mut editor = renamed();
        editor.reject(&replace(13, 17, "trim"));
        editor.type_at(8, "!");
        let log = asks_for_it(&mut editor).concat();
        assert!(
            log.contains("[14, 18) -> \"tidy\" (next-edit, carried)"),
            "{log}"
        );
    }

    #[test]
    fn the_others_can_be_rejected_too() {
        let mut editor = renamed();
        let request = RequestId::new(1);
        for candidate in [0, 1] {
            editor.tell(Event::SuggestionRejected {
                suggestion: SuggestionId { request, candidate },
            });
        }
        assert!(editor.rejects(&replace(13, 17, "tidy")));
        assert!(editor.rejects(&replace(23, 27, "tidy")));
    }

    #[test]
    fn accepting_one_leaves_the_others() {
        let mut editor = renamed();
        editor.accept(RequestId::new(1));
        editor.edit(replace(13, 17, "tidy"));
        assert_eq!(
            asks_for_it(&mut editor),
            [r#"0ms answer r2: [23, 27) -> "tidy" (next-edit, carried)"#]
        );
    }
}

mod late {
    //! What comes when the text has moved on is carried there.

    use super::*;

    /// FIM runs since 0 ms for r1, and whoever asks next waits 250 ms.
    fn asked() -> Editor {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            fim_alone(settings);
            settings.pace.base = Millis::new(250);
        });
        editor.place_cursor(1, 13);
        editor.ask();
        editor.expect_log(expect!["0ms start r1 fim"]);
        editor
    }

    /// FIM answers r1 for the text it was asked about.
    fn answers_late(editor: &mut Editor, new_text: &str) {
        editor.lane_answers(RequestId::new(1), Fim, &[insert(12, new_text)]);
    }

    #[test]
    fn it_serves_whoever_waits() {
        let mut editor = asked();
        editor.at(50).type_keys("i");
        editor.ask();
        answers_late(editor.at(100), "items.len();");
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            100ms answer r2: [13, 13) -> "tems.len();" (fim, carried)
        "#]]);
    }

    #[test]
    fn it_is_dropped_if_the_person_types_something_else() {
        let mut editor = asked();
        editor.at(50).type_keys("x");
        editor.ask();
        answers_late(editor.at(100), "items.len();");
        editor.at(300);
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            100ms ignored: overtaken
            300ms start r2 fim
        "#]]);
    }

    #[test]
    fn nothing_is_nothing_late_too() {
        let mut editor = asked();
        editor.at(50).type_keys("i");
        editor.ask();
        editor.at(100);
        editor.lane_answers(RequestId::new(1), Fim, &[]);
        editor.at(300);
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            300ms start r2 fim
        "#]]);
    }

    #[test]
    fn it_serves_whoever_asks_after_it_came() {
        let mut editor = asked();
        editor.at(50).type_keys("i");
        answers_late(editor.at(60), "items.len();");
        editor.at(70).ask();
        editor.at(5_000);
        editor.expect_log(expect![[r#"
            60ms withheld r1: overtaken
            70ms answer r2: [13, 13) -> "tems.len();" (fim, carried)
        "#]]);
    }

    #[test]
    fn it_serves_whoever_asks_later_still() {
        let mut editor = asked();
        editor.at(50).type_keys("i");
        let second = editor.ask();
        editor.at(60).cancel(second);
        answers_late(editor.at(70), "items.len();");
        editor.at(80).type_keys("t");
        editor.ask();
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            60ms withheld r2: cancelled
            80ms answer r3: [14, 14) -> "ems.len();" (fim, carried)
        "#]]);
    }

    #[test]
    fn it_is_stopped_when_the_newer_starts_its_own() {
        let mut editor = asked();
        editor.at(50).type_keys("i");
        editor.ask();
        editor.at(300);
        answers_late(editor.at(310), "items.len();");
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            300ms stop r1 fim: superseded
            300ms start r2 fim
            310ms ignored: unknown-id
        "#]]);
    }

    #[test]
    fn a_person_who_does_not_want_it_has_it_asked_for_again() {
        let mut editor = asked();
        editor.set(|settings| settings.carry.enabled = false);
        editor.at(50).type_keys("i");
        editor.ask();
        answers_late(editor.at(100), "items.len();");
        editor.at(300);
        editor.expect_log(expect![[r#"
            50ms withheld r1: superseded
            50ms wait r2 250ms
            100ms ignored: overtaken
            300ms start r2 fim
        "#]]);
    }

    #[test]
    fn what_was_rejected_is_not_carried_late() {
        let mut editor = asked();
        editor.reject(&insert(12, "items.len();"));
        editor.at(50).type_keys("i");
        editor.ask();
        answers_late(editor.at(100), "items.len();");
        let log = editor.log();
        assert!(!log.iter().any(|line| line.contains("answer")), "{log:?}");
    }
}

mod explicit {
    //! A person who asks gets what is carried first, and everything else.

    use super::*;

    #[test]
    fn the_carried_one_is_first() {
        let mut editor = offered();
        editor.type_keys("i");
        let request = editor.invoke();
        editor.lane_suggests(request, Fim, "nput;");
        assert_eq!(
            editor.log(),
            [
                "0ms start r2 fim",
                concat!(
                    r#"0ms answer r2: [13, 13) -> "tems.len();" (fim, carried)"#,
                    r#" | [13, 13) -> "nput;" (fim)"#
                ),
            ]
        );
    }

    #[test]
    fn what_a_lane_says_again_is_there_once() {
        let mut editor = offered();
        editor.type_keys("i");
        let request = editor.invoke();
        editor.log();
        editor.lane_suggests(request, Fim, "tems.len();");
        editor.expect_log(expect![[
            r#"0ms answer r2: [13, 13) -> "tems.len();" (fim, carried)"#
        ]]);
    }

    #[test]
    fn also_if_the_lanes_find_nothing() {
        let mut editor = offered();
        editor.type_keys("i");
        let request = editor.invoke();
        editor.log();
        editor.lane_answers(request, Fim, &[]);
        editor.expect_log(expect![[
            r#"0ms answer r2: [13, 13) -> "tems.len();" (fim, carried)"#
        ]]);
    }

    #[test]
    fn a_person_who_wants_nothing_carried_gets_nothing_carried() {
        let mut editor = offered();
        editor.set(|settings| settings.carry.enabled = false);
        editor.type_keys("i");
        let request = editor.request(Explicit, RequestKind::Inline);
        editor.log();
        editor.lane_suggests(request, Fim, "nput;");
        editor.expect_log(expect![[r#"0ms answer r2: [13, 13) -> "nput;" (fim)"#]]);
    }
}

mod white_space_of_a_new_line {
    //! The editor begins a new line as it likes, and the target has its own way.

    use super::*;

    const BLOCK: &str = "{\n  total();\n}";

    /// The rest where the editor's own white space is in the way.
    fn instead_of(start: usize, end: usize, new_text: &str) -> String {
        format!("[{start}, {end}) -> {new_text:?} (fim, carried)")
    }

    #[test]
    fn an_indent_of_the_editor_that_the_target_has_differently_is_replaced() {
        let mut editor = offered_in("if so \n", 6, &[BLOCK]);
        editor.type_keys("{");
        editor.edit(insert(7, "\n\t"));
        assert_eq!(asks(&mut editor), instead_of(8, 9, "  total();\n}"));
    }

    #[test]
    fn an_indent_of_the_editor_that_is_too_deep_is_taken_back() {
        let mut editor = offered_in("if so \n", 6, &["{\n  }"]);
        editor.type_keys("{");
        editor.edit(insert(7, "\n      "));
        assert_eq!(asks(&mut editor), instead_of(10, 14, "}"));
        editor.edit(delete(12, 14));
        assert_eq!(asks(&mut editor), instead_of(10, 12, "}"));
        editor.edit(delete(10, 12));
        assert_eq!(asks(&mut editor), carried(10, "}"));
    }

    #[test]
    fn a_line_that_has_more_than_white_space_is_the_persons() {
        let mut editor = offered_in("if so \n", 6, &[BLOCK]);
        editor.type_keys("{");
        editor.edit(insert(7, "\n\tx"));
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }

    #[test]
    fn white_space_within_a_line_is_the_persons() {
        let mut editor = offered();
        editor.type_keys("\t");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
    }
}

mod beside_it_in_the_line {
    //! What is typed in the line of a suggestion and taken back has not ended it.

    use super::*;

    #[test]
    fn a_word_before_it_that_is_deleted_again() {
        let mut editor = offered();
        editor.type_at(4, "x");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.edit(delete(4, 5));
        editor.place_cursor(1, 13);
        assert!(asks(&mut editor).ends_with(&carried(12, "items.len();")));
    }

    #[test]
    fn a_word_behind_it_that_is_deleted_again() {
        let mut editor = offered_in("let total = ; // sum\n", 12, &["items.len()"]);
        editor.type_at(16, "x");
        assert_eq!(asks(&mut editor), "0ms start r2 fim");
        editor.edit(delete(16, 17));
        editor.place_cursor(1, 13);
        assert!(asks(&mut editor).ends_with(&carried(12, "items.len()")));
    }
}
