//! What was rejected does not come back: the rejection memory as a person meets it.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a story that goes wrong should stop where it does"
)]

use std::sync::Arc;

use foretell_core::{Event, ForgetCause, Note, Reason, RejectionId, StoredRejection};
use foretell_settings::Settings;
use foretell_testkit::story_editor::{Editor, delete, insert, replace};
use foretell_testkit::string_model::range;
use foretell_testkit::written_settings::settings_of;
use foretell_text::{ByteOffset, ChangeReason, DocumentId, Edit, Replacement};

mod seed {
    //! The examples and cases of the rejection collector's design.

    use super::*;

    #[test]
    fn example_1_basic_rejection_tracking() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn example_2_edit_rebasing() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        editor.edit(insert(0, "// Comment\n"));
        assert!(editor.rejects(&insert(18, ": number")));
        // The suggestion as the provider makes it: the whole line, on line 2.
        assert!(editor.rejects(&replace(11, 22, "const x: number = 1")));
    }

    #[test]
    fn example_3_white_space_makes_a_different_suggestion() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&replace(0, 11, "const x: number = 1"));
        assert!(!editor.rejects(&replace(0, 11, "const x:number = 1")));
    }

    #[test]
    fn example_4_the_oldest_goes_when_there_is_no_room() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = |number: usize| insert(7, &format!(": number{number}"));
        for number in 0..21 {
            editor.reject(&suggestion(number));
        }
        assert!(!editor.rejects(&suggestion(0)));
        for number in 1..21 {
            assert!(editor.rejects(&suggestion(number)), "{number}");
        }
    }

    #[test]
    fn should_track_rejected_edits() {
        let mut editor = Editor::with("let a = b;\n");
        let edit = replace(8, 9, "c");
        editor.reject(&edit);
        assert!(editor.rejects(&edit));
    }

    #[test]
    fn should_not_flag_non_rejected_edits() {
        let mut editor = Editor::with("let a = b;\n");
        editor.reject(&replace(8, 9, "c"));
        assert!(!editor.rejects(&replace(8, 9, "d")));
        assert!(!editor.rejects(&replace(4, 5, "c")));
    }

    #[test]
    fn should_rebase_rejections_on_document_edit() {
        let mut editor = Editor::with("0123456789abcdef");
        editor.reject(&insert(10, "x"));
        editor.edit(insert(0, "// Comment\n"));
        assert!(editor.rejects(&insert(10 + 11, "x")));
        assert!(!editor.rejects(&insert(10 + 12, "x")));
    }

    #[test]
    fn should_remove_rejections_that_fail_rebasing() {
        let mut editor = Editor::with("0123456789abcdefghij");
        let edit = replace(10, 15, "x");
        editor.reject(&edit);
        editor.edit(delete(8, 15));
        assert!(!editor.rejects(&edit));
    }

    #[test]
    fn should_evict_oldest_rejections_when_the_limit_is_hit() {
        let mut editor = Editor::with(&"line\n".repeat(30));
        for line in 0..21 {
            editor.reject(&insert(line * 5, "x"));
        }
        assert!(!editor.rejects(&insert(0, "x")));
        assert!(editor.rejects(&insert(5, "x")));
    }

    #[test]
    fn should_normalize_edits_before_storing() {
        let mut editor = Editor::with("const x = 1");
        let edit = replace(0, 11, "const x: number = 1");
        editor.reject(&edit);
        assert!(editor.rejects(&edit));
        assert!(editor.rejects(&insert(7, ": number")));
        let Note::Remembered { edit, .. } = editor.last_record() else {
            unreachable!("{:?}", editor.last_record());
        };
        assert_eq!(edit.to_string(), r#"[7, 7) -> ": number""#);
    }

    #[test]
    fn should_clear_all_rejections() {
        let mut editor = Editor::with("const x = 1");
        let (one, two) = (insert(7, ": number"), insert(11, ";"));
        editor.reject(&one);
        editor.reject(&two);
        editor.tell(Event::RejectionsCleared);
        assert!(!editor.rejects(&one));
        assert!(!editor.rejects(&two));
        let forgotten = Note::Forgotten {
            rejection: RejectionId::new(2),
            because: ForgetCause::Cleared,
        };
        assert_eq!(*editor.last_record(), forgotten);
    }

    #[test]
    fn should_work_across_document_edits() {
        let mut editor = Editor::with("fn a() {\n}\n");
        editor.reject(&insert(9, "    todo\n"));
        for line in 0..50 {
            editor.edit(insert(0, &format!("// line {line}\n")));
        }
        let moved = editor.text().find("}\n").unwrap();
        assert!(editor.rejects(&insert(moved, "    todo\n")));
    }
}

mod sticking {
    //! What the reference forgets, and its users see again.

    use super::*;

    #[test]
    fn typing_the_beginning_of_it_does_not_bring_the_rest() {
        let mut editor = Editor::with("let total = ;");
        editor.reject(&insert(12, "items.len()"));
        for typed in 1..=10 {
            editor.type_at(11 + typed, &"items.len()"[typed - 1..typed]);
            let rest = insert(12 + typed, &"items.len()"[typed..]);
            assert!(editor.rejects(&rest), "after {typed} characters");
        }
    }

    #[test]
    fn typing_something_else_puts_it_to_sleep_and_deleting_that_wakes_it() {
        let mut editor = Editor::with("let total = ;");
        let suggestion = insert(12, "items.len()");
        editor.reject(&suggestion);
        editor.type_at(12, "xyz");
        assert!(!editor.rejects(&suggestion));
        assert!(!editor.rejects(&insert(15, "items.len()")));
        for end in [15, 14, 13] {
            editor.edit(delete(end - 1, end));
        }
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn so_does_typing_a_character_that_comes_only_later() {
        let mut editor = Editor::with("let total = ");
        let suggestion = insert(12, "items.len()");
        editor.reject(&suggestion);
        editor.type_at(12, "e");
        assert!(!editor.rejects(&replace(12, 13, "items.len()")));
        editor.edit(delete(12, 13));
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn writing_the_end_of_it_first_does_not_bring_the_rest() {
        let mut editor = Editor::with("let total = ");
        editor.reject(&insert(12, "items.len();"));
        editor.type_at(12, ";");
        assert!(editor.rejects(&insert(12, "items.len()")));
        editor.type_at(12, "items");
        assert!(editor.rejects(&insert(17, ".len()")));
    }

    #[test]
    fn deleting_the_character_before_it_and_typing_it_again_changes_nothing() {
        let mut editor = Editor::with("let total = ");
        let suggestion = insert(12, "items.len()");
        editor.reject(&suggestion);
        editor.edit(delete(11, 12));
        assert!(editor.rejects(&insert(11, "items.len()")));
        editor.edit(insert(11, " "));
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn closers_that_the_editor_adds_are_on_the_way() {
        let mut editor = Editor::with("x = ;");
        editor.reject(&insert(4, "foo(bar, \"baz\")"));
        editor.type_at(4, "foo");
        editor.edit(insert(7, "()"));
        assert!(editor.rejects(&insert(8, "bar, \"baz\"")));
        editor.type_at(8, "bar, ");
        assert!(editor.rejects(&insert(13, "\"baz\"")));
        editor.edit(insert(13, "\"\""));
        assert_eq!(editor.text(), "x = foo(bar, \"\");");
        assert!(editor.rejects(&insert(14, "baz")));
        assert!(!editor.rejects(&insert(14, "bar")));
    }

    #[test]
    fn a_completion_that_brings_its_parentheses_is_on_the_way() {
        let mut editor = Editor::with("x = ;");
        editor.reject(&insert(4, "items.filter(even)"));
        editor.type_at(4, "items.fi");
        editor.edit(replace(10, 12, "filter()"));
        assert_eq!(editor.text(), "x = items.filter();");
        assert!(editor.rejects(&insert(17, "even")));
    }

    #[test]
    fn undo_wakes_it_also_after_edits_elsewhere() {
        let mut editor = Editor::with("first\nlet total = ;\nlast\n");
        editor.reject(&insert(18, "items.len()"));
        editor.edit(insert(18, "q"));
        assert!(!editor.rejects(&insert(18, "items.len()")));
        editor.edits(vec![insert(0, "// above\n")], ChangeReason::Typed);
        let end = editor.text().len();
        editor.edits(vec![insert(end, "// below\n")], ChangeReason::Typed);
        editor.edits(vec![delete(27, 28)], ChangeReason::Undo);
        assert_eq!(
            editor.text(),
            "// above\nfirst\nlet total = ;\nlast\n// below\n"
        );
        assert!(editor.rejects(&insert(27, "items.len()")));
    }

    #[test]
    fn deleting_its_place_and_undoing_that_wakes_it() {
        let mut editor = Editor::with("a\nlet x = 1;\nb\n");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        editor.edit(delete(2, 13));
        assert!(!editor.rejects(&insert(2, ": number")));
        editor.undo();
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn replacing_the_whole_text_and_back_wakes_it() {
        let text = "a\nlet x = 1;\nb\n";
        let mut editor = Editor::with(text);
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        editor.edit(replace(0, text.len(), "something else altogether"));
        assert!(!editor.rejects(&suggestion));
        editor.undo();
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn formatting_around_it_does_not_disturb_it() {
        let text = "a\nlet x = 1;\nb\n";
        let mut editor = Editor::with(text);
        editor.reject(&insert(7, ": number"));
        // A formatter that rewrites everything and changes one line above.
        editor.edit(replace(0, text.len(), "aaa;\nlet x = 1;\nb\n"));
        assert!(editor.rejects(&insert(10, ": number")));
    }

    #[test]
    fn a_quick_escape_counts() {
        // There is no clock in rejecting: however briefly it was visible, it is remembered.
        let mut editor = Editor::with("x");
        editor.reject(&insert(1, "y"));
        assert!(editor.rejects(&insert(1, "y")));
    }

    #[test]
    fn the_same_change_written_at_another_place_is_recognised() {
        let mut editor = Editor::with("one\ntwo\nthree\n");
        editor.reject(&insert(4, "foo\n"));
        assert!(editor.rejects(&insert(3, "\nfoo")));
        assert!(editor.rejects(&replace(0, 14, "one\nfoo\ntwo\nthree\n")));
        assert!(!editor.rejects(&insert(8, "foo\n")));
    }

    #[test]
    fn several_changes_in_one_notification_are_followed_one_by_one() {
        let mut editor = Editor::with("aaaa bbbb cccc");
        editor.reject(&replace(5, 9, "BBBB"));
        // Each is an edit of the text after the one before.
        let edits = vec![insert(0, "12345"), delete(0, 2), insert(17, "!")];
        editor.edits(edits, ChangeReason::Typed);
        assert_eq!(editor.text(), "345aaaa bbbb cccc!");
        assert!(editor.rejects(&replace(8, 12, "BBBB")));
    }

    #[test]
    fn many_cursors_at_once_wake_what_they_put_to_sleep() {
        let mut editor = Editor::with("x = ;\ny = ;\nz = ;\n");
        let suggestion = insert(10, "f()");
        editor.reject(&suggestion);
        let everywhere =
            |edit: fn(usize) -> Replacement| Edit::new([4, 10, 16].map(edit).to_vec()).unwrap();
        editor.edit(everywhere(|at| {
            Replacement::insertion(ByteOffset::new(at), "1")
        }));
        assert_eq!(editor.text(), "x = 1;\ny = 1;\nz = 1;\n");
        assert!(!editor.rejects(&insert(11, "f()")));
        editor.undo();
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn a_suggestion_of_several_changes_is_remembered_as_one() {
        let mut editor = Editor::with("fn old() {}\nold();\n");
        let rename = Edit::new(vec![
            Replacement::new(range(3, 6), "new"),
            Replacement::new(range(12, 15), "new"),
        ]);
        let rename = rename.unwrap();
        editor.reject(&rename);
        assert!(editor.rejects(&rename));
        assert!(!editor.rejects(&replace(3, 6, "new")));
        editor.edit(insert(0, "// top\n"));
        assert!(editor.rejects(&replace(7, 26, "fn new() {}\nnew();\n")));
    }
}

mod keeping {
    //! How much is kept, and what goes first.

    use super::*;

    #[test]
    fn closing_puts_to_sleep_and_reopening_the_same_text_wakes() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        let text = editor.close();
        assert_eq!(editor.core.counts().rejections_asleep, 1);
        assert!(!editor.rejects(&suggestion));
        editor.open(&text);
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn reopening_another_text_does_not_wake_until_the_right_one_comes() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        let text = editor.close();
        editor.open("const y = 2");
        assert!(!editor.rejects(&suggestion));
        editor.edit(insert(0, "//"));
        editor.close();
        editor.open(&text);
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn what_slept_when_its_document_was_closed_can_still_wake() {
        let mut editor = Editor::with("let x = ;");
        let suggestion = insert(8, "f()");
        editor.reject(&suggestion);
        editor.edit(insert(8, "q"));
        let text = editor.close();
        editor.open(&text);
        assert!(!editor.rejects(&suggestion));
        editor.edit(delete(8, 9));
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn the_whole_text_sent_again_changes_nothing() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        let text = editor.text();
        editor.open(&text);
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn another_text_sent_whole_is_a_change_like_any_other() {
        let mut editor = Editor::with("const x = 1\n");
        editor.reject(&insert(7, ": number"));
        // Out of step, and the editor sends what it has: one line more.
        editor.edits(vec![insert(99, "x")], ChangeReason::Typed);
        editor.open("// new\nconst x = 1\n");
        assert!(editor.rejects(&insert(14, ": number")));
    }

    #[test]
    fn typing_back_to_the_text_it_belongs_to_wakes_it() {
        let mut editor = Editor::with("const x = 1");
        let suggestion = insert(7, ": number");
        editor.reject(&suggestion);
        editor.close();
        editor.open("const x = 12");
        assert!(!editor.rejects(&suggestion));
        editor.edit(delete(11, 12));
        assert!(editor.rejects(&suggestion));
    }

    #[test]
    fn a_language_may_have_less_room() {
        let written = "[languages.typescript.rejections]\nperDocument = 1\n";
        let mut editor = Editor::with_settings("a", |it| *it = settings_of(written));
        editor.reject(&insert(1, "x"));
        editor.reject(&insert(1, "y"));
        assert!(!editor.rejects(&insert(1, "x")));
        assert!(editor.rejects(&insert(1, "y")));
    }

    #[test]
    fn rejecting_again_changes_nothing() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        editor.reject(&replace(0, 11, "const x: number = 1"));
        assert_eq!(editor.core.counts().remembered, 1);
        let ignored = Note::IgnoredEvent {
            document: Some(editor.document.clone()),
            reason: Reason::PreviouslyRejected,
        };
        assert_eq!(*editor.last_record(), ignored);
    }

    #[test]
    fn rejecting_again_does_not_make_it_younger() {
        let mut editor = Editor::with_settings("abc", |settings| {
            settings.rejections.per_document = 2;
        });
        let [one, two, three] = ["1", "2", "3"].map(|text| insert(1, text));
        editor.reject(&one);
        editor.reject(&two);
        editor.reject(&one);
        assert!(editor.rejects(&one));
        editor.reject(&three);
        assert!(!editor.rejects(&one));
        assert!(editor.rejects(&two));
    }

    #[test]
    fn the_same_effect_in_another_form_is_stored_beside_it() {
        let mut editor = Editor::with("one\ntwo\n");
        editor.reject(&insert(4, "foo\n"));
        editor.reject(&insert(3, "\nfoo"));
        assert_eq!(editor.core.counts().remembered, 2);
        // Losing the older one does not lose both.
        editor.edit(insert(4, "q"));
        assert_eq!(editor.matches(&insert(3, "\nfoo")), Some(2));
    }

    #[test]
    fn an_edit_without_effect_is_not_stored() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&replace(0, 5, "const"));
        assert_eq!(editor.core.counts().remembered, 0);
        assert!(!editor.rejects(&replace(0, 5, "const")));
    }

    #[test]
    fn what_sleeps_goes_first() {
        let mut editor = Editor::with_settings("abc def ghi", |settings| {
            settings.rejections.per_document = 2;
        });
        let (one, two, three) = (insert(0, "1"), insert(5, "2"), insert(11, "3"));
        editor.reject(&one);
        editor.reject(&two);
        editor.edit(insert(5, "q"));
        editor.reject(&insert(12, "3"));
        assert!(editor.rejects(&one), "the older one is awake and stays");
        assert!(editor.rejects(&insert(12, "3")));
        editor.undo();
        assert!(!editor.rejects(&two), "the one that slept is gone");
        assert!(editor.rejects(&three));
    }

    #[test]
    fn each_document_has_room_of_its_own() {
        let mut editor = Editor::with("a");
        for number in 0..20 {
            editor.reject(&insert(1, &format!("a{number}")));
        }
        editor.go_to("file:///other.ts", "b");
        for number in 0..20 {
            editor.reject(&insert(1, &format!("b{number}")));
        }
        assert!(editor.rejects(&insert(1, "b0")));
        editor.go_to("file:///test.ts", "");
        assert!(editor.rejects(&insert(1, "a0")));
        assert_eq!(editor.core.counts().rejections_awake, 40);
    }

    #[test]
    fn a_total_of_twenty_is_the_reference_queue() {
        let mut editor = Editor::with_settings("a", |settings| settings.rejections.total = 20);
        for number in 0..15 {
            editor.reject(&insert(1, &format!("a{number}")));
        }
        editor.go_to("file:///other.ts", "b");
        for number in 0..10 {
            editor.reject(&insert(1, &format!("b{number}")));
        }
        editor.go_to("file:///test.ts", "");
        assert!(!editor.rejects(&insert(1, "a4")));
        assert!(editor.rejects(&insert(1, "a5")));
    }

    #[test]
    fn the_document_rejected_in_longest_ago_goes_first() {
        let mut editor = Editor::with_settings("a", |settings| settings.rejections.documents = 2);
        editor.reject(&insert(1, "x"));
        editor.go_to("file:///b.ts", "b");
        editor.reject(&insert(1, "x"));
        editor.go_to("file:///test.ts", "");
        editor.reject(&insert(1, "y"));
        editor.go_to("file:///c.ts", "c");
        editor.reject(&insert(1, "x"));
        editor.go_to("file:///b.ts", "");
        assert!(!editor.rejects(&insert(1, "x")));
        editor.go_to("file:///test.ts", "");
        assert!(editor.rejects(&insert(1, "x")));
    }

    #[test]
    fn less_room_lets_the_oldest_go_at_once() {
        let mut editor = Editor::with("a");
        for number in 0..5 {
            editor.reject(&insert(1, &format!("a{number}")));
        }
        let mut settings = Settings::default();
        settings.rejections.per_document = 2;
        editor.tell(Event::SettingsChanged {
            settings: Arc::new(settings),
        });
        assert!(!editor.rejects(&insert(1, "a2")));
        assert!(editor.rejects(&insert(1, "a3")));
    }

    #[test]
    fn one_can_be_forgotten() {
        let mut editor = Editor::with("a");
        editor.reject(&insert(1, "x"));
        editor.reject(&insert(1, "y"));
        let rejection = editor.core.rejections()[0].id;
        editor.tell(Event::RejectionForgotten { rejection });
        assert!(!editor.rejects(&insert(1, "x")));
        assert!(editor.rejects(&insert(1, "y")));
        editor.tell(Event::RejectionForgotten { rejection });
        let ignored = Note::IgnoredEvent {
            document: None,
            reason: Reason::UnknownId,
        };
        assert_eq!(*editor.last_record(), ignored);
    }

    #[test]
    fn a_restart_forgets_nothing_that_is_given_back() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        editor.edit(insert(0, "// above\n"));
        editor.reject(&insert(20, ";"));
        let (list, text) = (editor.core.rejections(), editor.text());
        assert_eq!(list.len(), 2);

        let mut after_restart = Editor::with(&text);
        after_restart.tell(Event::RejectionsRestored {
            rejections: list.into(),
        });
        assert!(after_restart.rejects(&insert(16, ": number")));
        assert!(after_restart.rejects(&insert(20, ";")));
    }

    #[test]
    fn a_restart_in_the_middle_of_typing_it_forgets_neither_the_rest_nor_the_whole() {
        let mut editor = Editor::with("let n = ;");
        editor.reject(&insert(8, "items.len()"));
        editor.type_at(8, "items");
        let (list, text) = (editor.core.rejections(), editor.text());
        let mut after_restart = Editor::with(&text);
        after_restart.tell(Event::RejectionsRestored {
            rejections: list.into(),
        });
        assert!(after_restart.rejects(&insert(13, ".len()")));
        after_restart.edit(delete(8, 13));
        assert!(after_restart.rejects(&insert(8, "items.len()")));
    }

    #[test]
    fn giving_the_same_list_back_twice_changes_nothing() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        let list: Arc<[_]> = editor.core.rejections().into();
        editor.close();
        for _ in 0..2 {
            editor.tell(Event::RejectionsRestored {
                rejections: Arc::clone(&list),
            });
        }
        assert_eq!(editor.core.counts().rejections_asleep, 1);
    }

    #[test]
    fn what_does_not_fit_or_does_nothing_is_not_taken_back() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        let good = editor.core.rejections();
        let wrong = [replace(0, usize::MAX, "y"), replace(0, 5, "const")];
        let wrong = wrong.map(|edit| StoredRejection {
            edit,
            ..good[0].clone()
        });
        let mut after_restart = Editor::with("");
        after_restart.close();
        after_restart.tell(Event::RejectionsRestored {
            rejections: wrong.into(),
        });
        after_restart.open("const x = 1");
        assert_eq!(after_restart.core.counts().rejections_awake, 0);
        assert!(!after_restart.rejects(&replace(0, 5, "const")));
        after_restart.edit(insert(5, "!"));
    }

    #[test]
    fn what_is_given_back_before_its_document_is_opened_waits_for_it() {
        let mut editor = Editor::with("const x = 1");
        editor.reject(&insert(7, ": number"));
        let list = editor.core.rejections();
        let mut after_restart = Editor::with_settings("other", |_| {});
        after_restart.close();
        after_restart.tell(Event::RejectionsRestored {
            rejections: list.into(),
        });
        after_restart.open("const x = 1");
        assert!(after_restart.rejects(&insert(7, ": number")));
    }
}

mod odd_events {
    //! Late, odd or impossible events become a recorded reason, and change nothing.

    use super::*;

    fn ignored(editor: &Editor) -> Reason {
        match editor.last_record() {
            Note::IgnoredEvent { reason, .. } => *reason,
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn an_unknown_document() {
        let mut editor = Editor::with("a");
        editor.document = DocumentId::new("file:///nowhere.ts");
        editor.reject(&insert(0, "x"));
        assert_eq!(ignored(&editor), Reason::UnknownDocument);
        assert!(!editor.rejects(&insert(0, "x")));
        editor.edits(vec![insert(0, "x")], ChangeReason::Typed);
        assert_eq!(ignored(&editor), Reason::UnknownDocument);
        editor.tell(Event::DocumentClosed {
            document: editor.document.clone(),
        });
        assert_eq!(ignored(&editor), Reason::UnknownDocument);
        editor.tell(Event::DocumentFocused {
            document: editor.document.clone(),
        });
        assert_eq!(ignored(&editor), Reason::UnknownDocument);
    }

    #[test]
    fn a_change_that_does_not_fit_and_the_whole_text_after_it() {
        let mut editor = Editor::with("héllo");
        editor.reject(&insert(1, "x"));
        editor.edits(vec![insert(2, "x")], ChangeReason::Typed);
        assert_eq!(ignored(&editor), Reason::OutOfStep);
        assert!(
            !editor.rejects(&insert(1, "x")),
            "nothing is known while out of step"
        );
        editor.edits(vec![insert(0, "x")], ChangeReason::Typed);
        assert_eq!(ignored(&editor), Reason::OutOfStep);
        editor.reject(&insert(0, "x"));
        assert_eq!(ignored(&editor), Reason::OutOfStep);
        editor.open("héllo");
        assert!(editor.rejects(&insert(1, "x")), "in step again");
    }

    #[test]
    fn an_edit_that_does_not_fit_is_neither_stored_nor_matched() {
        let mut editor = Editor::with("a");
        editor.reject(&insert(usize::MAX, "x"));
        assert_eq!(editor.core.counts().remembered, 0);
        assert!(!editor.rejects(&insert(usize::MAX, "x")));
    }

    #[test]
    fn more_documents_than_are_kept_let_the_one_go_not_looked_at_for_longest() {
        let mut editor = Editor::with("const x = 1");
        let first = editor.document.clone();
        editor.reject(&insert(7, ": number"));
        for number in 0..200 {
            editor.go_to(&format!("file:///{number}.ts"), "text");
        }
        assert!(editor.core.text(&DocumentId::new("file:///0.ts")).is_some());
        assert_eq!(editor.core.counts().open_documents, 200);
        assert!(editor.core.text(&first).is_none());
        editor.go_to("file:///test.ts", "const x = 1");
        assert!(editor.rejects(&insert(7, ": number")));
    }
}
