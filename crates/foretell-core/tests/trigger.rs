//! After which moves of the cursor the editor asks: the auto-trigger as a person meets it.
//!
//! A line of a story such as `500ms ask 2:1 (selection)` is what the editor is told, and one such as
//! `3200ms quiet: same-line-cooldown` is why it is told nothing.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{
    AskCause, Event, Reason, RequestCause, RequestId, RequestKind, SuggestionRequest,
};
use foretell_settings::{Millis, SameLineMemory, Settings};
use foretell_testkit::story_editor::{Editor, delete, insert};
use foretell_testkit::string_model::range;
use foretell_testkit::written_settings::settings_of;
use foretell_text::{ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Version};

/// Twenty lines, of which each is five bytes long.
fn twenty_lines() -> String {
    "line\n".repeat(20)
}

/// An editor with twenty lines that was edited at 0 ms.
fn edited() -> Editor {
    edited_with(|_| {})
}

/// The same with other settings.
fn edited_with(change: impl FnOnce(&mut Settings)) -> Editor {
    let mut editor = Editor::with_settings(&twenty_lines(), change);
    editor.edit(insert(0, "x"));
    editor
}

/// What came of the moves since this was last asked.
fn moves(editor: &mut Editor) -> Vec<String> {
    let log = editor.log();
    let is_move = |line: &String| line.contains("ms ask ") || line.contains("ms quiet: ");
    log.into_iter().filter(is_move).collect()
}

/// The person presses Escape.
fn escape(editor: &mut Editor) {
    editor.reject(&insert(0, "what was shown"));
}

mod seed {
    //! The examples of the auto-trigger's design, as ruled.

    use super::*;

    #[test]
    fn example_1_normal_typing_flow() {
        let mut editor = Editor::with("");
        editor.type_keys("function add(a, b) {\n");
        editor.at(500).rest();
        assert_eq!(moves(&mut editor), ["500ms ask 2:1 (selection)"]);

        // Tab takes a suggestion of two lines, and the person types more on the first of them.
        editor.at(2_000).edit(insert(21, "    return a + b\n}"));
        editor.at(3_000).type_at(37, ";");
        editor.at(3_200).rest();
        assert_eq!(moves(&mut editor), ["3200ms quiet: same-line-cooldown"]);

        editor.at(4_000).move_to(3, 1);
        assert_eq!(moves(&mut editor), ["4000ms ask 3:1 (selection)"]);
    }

    #[test]
    fn example_2_rejection_cooldown() {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.at(1_000);
        escape(&mut editor);
        editor.at(1_100).move_to(3, 1);
        editor.at(7_000).edit(insert(0, "y"));
        editor.at(7_500).move_to(4, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "1100ms quiet: rejection-cooldown",
                "7500ms ask 4:1 (selection)",
            ]
        );
    }

    #[test]
    fn example_3_stale_document() {
        let mut editor = edited();
        editor.at(300_000).move_to(15, 1);
        editor.at(301_000).edit(insert(0, "y"));
        editor.at(301_200).move_to(16, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "300000ms quiet: no-recent-edit",
                "301200ms ask 16:1 (selection)",
            ]
        );
    }

    #[test]
    fn expected_behaviour_of_a_function_that_is_typed() {
        let mut editor = Editor::with("");
        editor.type_keys("function hello() {\n");
        editor.rest();
        editor.at(2_000).type_keys("console.log('hello');\n");
        editor.rest();
        editor.at(3_000);
        escape(&mut editor);
        editor.at(3_100).move_to(1, 1);
        // The last line of the section, which asks here without an edit, does not hold.
        editor.at(9_100).move_to(1, 2);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "2000ms ask 3:1 (selection)",
                "3100ms quiet: rejection-cooldown",
                "9100ms quiet: no-recent-edit",
            ]
        );
    }
}

mod checklist {
    //! The manual checklist of the design, done by a machine.

    use super::*;

    #[test]
    fn typing_and_moving_makes_suggestions_appear() {
        let mut editor = Editor::with("a\nb\n");
        editor.type_at(1, "bc");
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms ask 2:1 (selection)"]);
    }

    #[test]
    fn after_escape_nothing_appears_for_five_seconds() {
        let mut editor = edited();
        escape(&mut editor);
        for (second, line) in [(1, 2), (2, 3), (3, 4), (4, 5)] {
            editor.at(second * 1_000).edit(insert(0, "y"));
            editor.move_to(line, 1);
        }
        assert_eq!(
            moves(&mut editor),
            [1, 2, 3, 4].map(|second| format!("{second}000ms quiet: rejection-cooldown"))
        );
        editor.at(5_000).edit(insert(0, "z"));
        editor.move_to(6, 1);
        assert_eq!(moves(&mut editor), ["5000ms ask 6:1 (selection)"]);
    }

    #[test]
    fn a_line_is_asked_about_once_in_five_seconds() {
        let mut editor = edited();
        editor.move_to(2, 1);
        for (millis, column) in [(100, 2), (900, 3), (4_000, 4), (5_000, 5)] {
            editor.at(millis).move_to(2, column);
        }
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "100ms quiet: same-line-cooldown",
                "900ms quiet: same-line-cooldown",
                "4000ms quiet: same-line-cooldown",
                "5000ms ask 2:5 (selection)",
            ]
        );
    }

    #[test]
    fn browsing_an_old_file_asks_nothing() {
        let mut editor = Editor::with(&twenty_lines());
        editor.move_to(5, 1);
        editor.at(2_000).move_to(9, 1);
        assert_eq!(
            moves(&mut editor),
            ["0ms quiet: no-recent-edit", "2000ms quiet: no-recent-edit"]
        );
    }

    #[test]
    fn several_cursors_ask_nothing() {
        let mut editor = edited();
        let two = [2, 7].map(|at| ByteRange::empty(ByteOffset::new(at)));
        editor.select(&two);
        editor.select(&[]);
        assert_eq!(moves(&mut editor), ["0ms quiet: multiple-cursors"; 2]);
    }

    #[test]
    fn highlighting_text_asks_nothing() {
        let mut editor = edited();
        editor.select(&[range(2, 4)]);
        assert_eq!(moves(&mut editor), ["0ms quiet: selection-not-empty"]);
    }

    #[test]
    fn undo_and_redo_ask_nothing() {
        let mut editor = edited();
        editor.at(20_000).undo();
        editor.rest();
        editor.redo();
        editor.rest();
        assert_eq!(moves(&mut editor), ["20000ms quiet: no-recent-edit"; 2]);
    }

    #[test]
    fn the_output_pane_asks_nothing() {
        let schemes = [
            "output",
            "git",
            "debug",
            "vscode-scm",
            "comment",
            "walkThrough",
        ];
        for scheme in schemes {
            let mut editor = Editor::with("a\n");
            editor.go_to(&format!("{scheme}:some/thing.ts"), "b\nc\n");
            editor.edit(insert(0, "x"));
            editor.move_to(2, 1);
            assert_eq!(
                moves(&mut editor),
                ["0ms quiet: ignored-document"],
                "{scheme}"
            );
        }
    }
}

mod limits {
    //! All limits are half-open.

    use super::*;

    #[test]
    fn the_rejection_cooldown_is_over_at_five_seconds_and_not_before() {
        for (millis, expected) in [
            (4_999, "4999ms quiet: rejection-cooldown"),
            (5_000, "5000ms ask 2:1 (selection)"),
        ] {
            let mut editor = edited();
            escape(&mut editor);
            editor.at(millis).move_to(2, 1);
            assert_eq!(moves(&mut editor), [expected]);
        }
    }

    #[test]
    fn a_line_may_be_asked_about_again_at_five_seconds_and_not_before() {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.at(4_999).move_to(2, 2);
        editor.at(5_000).move_to(2, 3);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "4999ms quiet: same-line-cooldown",
                "5000ms ask 2:3 (selection)",
            ]
        );
    }

    #[test]
    fn an_edit_is_too_old_at_ten_seconds_and_not_before() {
        let mut editor = edited();
        editor.at(9_999).move_to(2, 1);
        editor.at(10_000).move_to(3, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "9999ms ask 2:1 (selection)",
                "10000ms quiet: no-recent-edit"
            ]
        );
    }

    #[test]
    fn ten_thousand_lines_are_not_too_many_and_one_more_is() {
        for (breaks, expected) in [
            (9_999, "0ms ask 2:1 (selection)"),
            (10_000, "0ms quiet: too-many-lines"),
        ] {
            let mut editor = Editor::with(&"\n".repeat(breaks));
            editor.edit(insert(0, "x"));
            editor.move_to(2, 1);
            assert_eq!(moves(&mut editor), [expected]);
        }
    }

    #[test]
    fn the_cooldowns_are_settings() {
        let mut editor = edited_with(|settings| {
            settings.trigger.recent_edit = Millis::new(2_000);
            settings.trigger.same_line_cooldown = Millis::new(100);
            settings.trigger.rejection_cooldown = Millis::new(50);
            settings.trigger.selection_debounce = Millis::ZERO;
        });
        editor.move_to(2, 1);
        editor.at(99).move_to(2, 2);
        editor.at(100).move_to(2, 3);
        editor.at(1_999).move_to(3, 1);
        editor.at(2_000).move_to(4, 1);
        escape(&mut editor);
        editor.edit(insert(0, "y"));
        editor.at(2_049).move_to(5, 1);
        editor.edit(insert(0, "z"));
        editor.at(2_050).move_to(5, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "99ms quiet: same-line-cooldown",
                "100ms ask 2:3 (selection)",
                "1999ms ask 3:1 (selection)",
                "2000ms quiet: no-recent-edit",
                "2049ms quiet: rejection-cooldown",
                "2050ms ask 5:1 (selection)",
            ]
        );
    }

    #[test]
    fn cooldowns_of_zero_are_none() {
        let mut editor = edited_with(|settings| {
            settings.trigger.same_line_cooldown = Millis::ZERO;
            settings.trigger.rejection_cooldown = Millis::ZERO;
        });
        editor.move_to(2, 1);
        escape(&mut editor);
        editor.move_to(2, 2);
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 2:1 (selection)", "0ms ask 2:2 (selection)"]
        );
    }
}

mod order {
    //! Of several reasons against asking, the first is told.

    use super::*;

    #[test]
    fn an_ignored_document_comes_before_one_that_is_not_open() {
        let mut editor = Editor::with("");
        editor.tell(Event::SelectionChanged {
            document: DocumentId::new("output:log"),
            version: None,
            selections: Vec::new(),
        });
        editor.tell(Event::SelectionChanged {
            document: DocumentId::new("file:///never-opened.ts"),
            version: None,
            selections: Vec::new(),
        });
        assert_eq!(
            moves(&mut editor),
            [
                "0ms quiet: ignored-document in output:log",
                "0ms quiet: unknown-document in file:///never-opened.ts",
            ]
        );
    }

    #[test]
    fn a_document_out_of_step_comes_before_what_is_selected() {
        let mut editor = edited();
        editor.edits(vec![delete(5_000, 6_000)], ChangeReason::Typed);
        editor.select(&[]);
        assert_eq!(moves(&mut editor), ["0ms quiet: out-of-step"]);
    }

    #[test]
    fn a_selection_in_another_version_is_out_of_step() {
        let mut editor = edited();
        editor.tell(Event::SelectionChanged {
            document: editor.document.clone(),
            version: Some(Version::new(77)),
            selections: vec![range(2, 2)],
        });
        assert_eq!(moves(&mut editor), ["0ms quiet: out-of-step"]);
    }

    #[test]
    fn what_is_selected_comes_before_the_length_and_that_before_the_cooldown() {
        let mut editor = edited_with(|settings| settings.trigger.max_lines = 3);
        escape(&mut editor);
        editor.select(&[range(1, 3), range(6, 8)]);
        editor.select(&[range(1, 3)]);
        editor.move_to(2, 1);
        editor.set(|settings| settings.trigger.max_lines = 100);
        editor.move_to(2, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms quiet: multiple-cursors",
                "0ms quiet: selection-not-empty",
                "0ms quiet: too-many-lines",
                "0ms quiet: rejection-cooldown",
            ]
        );
    }

    #[test]
    fn only_what_gets_as_far_as_the_cooldown_clears_the_memory() {
        let mut editor = edited();
        escape(&mut editor);
        editor.select(&[range(1, 3)]);
        editor.at(5_000).move_to(2, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms quiet: selection-not-empty",
                "5000ms ask 2:1 (selection)"
            ]
        );
    }

    #[test]
    fn an_old_edit_comes_before_the_line_and_the_line_before_the_same_question() {
        let mut editor = edited_with(|settings| {
            settings.trigger.same_line_cooldown = Millis::new(60_000);
        });
        editor.move_to(2, 1);
        editor.ask();
        editor.rest();
        editor.at(10_000).rest();
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "0ms quiet: same-line-cooldown",
                "10000ms quiet: no-recent-edit",
            ]
        );
    }

    #[test]
    fn a_person_who_switched_it_off_hears_nothing() {
        let mut editor = edited_with(|settings| settings.trigger.enabled = false);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: disabled"]);
    }
}

mod resting {
    //! The first two moves after an edit ask at once; later ones wait for the cursor to rest.

    use super::*;

    #[test]
    fn a_person_who_switches_it_off_meanwhile_hears_nothing() {
        let mut editor = one_waits();
        editor.set(|settings| {
            settings.trigger.enabled = false;
        });
        editor.at(1_000);
        assert_eq!(moves(&mut editor), ["400ms quiet: disabled"]);
    }

    /// Two moves that have asked, and one to line 4 that waits since 100 ms.
    fn one_waits() -> Editor {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.move_to(3, 1);
        editor.at(100).move_to(4, 1);
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 2:1 (selection)", "0ms ask 3:1 (selection)"]
        );
        editor
    }

    #[test]
    fn the_third_move_asks_when_the_cursor_has_rested() {
        let mut editor = one_waits();
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["400ms ask 4:1 (selection)"]);
    }

    #[test]
    fn a_cursor_that_does_not_rest_asks_where_it_stops() {
        let mut editor = one_waits();
        editor.at(300).move_to(5, 1);
        editor.at(599).move_to(6, 1);
        editor.at(10_000);
        assert_eq!(
            moves(&mut editor),
            [
                "300ms quiet: superseded",
                "599ms quiet: superseded",
                "899ms ask 6:1 (selection)",
            ]
        );
    }

    #[test]
    fn typing_before_it_has_rested_takes_it_back() {
        let mut editor = one_waits();
        editor.at(200).edit(insert(0, "y"));
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["200ms quiet: overtaken"]);
    }

    #[test]
    fn a_change_without_an_edit_does_not() {
        let mut editor = one_waits();
        editor
            .at(200)
            .edits(vec![Edit::default()], ChangeReason::Typed);
        editor.edits(Vec::new(), ChangeReason::Typed);
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["400ms ask 4:1 (selection)"]);
    }

    #[test]
    fn undo_and_redo_do_not_and_the_place_moves_along() {
        let mut editor = edited();
        editor.edit(insert(0, "new\n"));
        editor.move_to(3, 1);
        editor.move_to(4, 1);
        editor.at(100).move_to(5, 1);
        editor.at(200).undo();
        editor.at(400);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 3:1 (selection)",
                "0ms ask 4:1 (selection)",
                "400ms ask 4:1 (selection)",
            ]
        );
    }

    #[test]
    fn escape_takes_it_back() {
        let mut editor = one_waits();
        editor.at(200);
        escape(&mut editor);
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["200ms quiet: rejection-cooldown"]);
    }

    #[test]
    fn escape_in_another_document_takes_it_back_too() {
        let mut editor = one_waits();
        editor.at(200).go_to("file:///other.ts", "b\n");
        escape(&mut editor);
        editor.at(10_000);
        assert_eq!(
            moves(&mut editor),
            ["200ms quiet: rejection-cooldown in file:///test.ts"]
        );
    }

    #[test]
    fn closing_the_document_takes_it_back() {
        let mut editor = one_waits();
        editor.at(200).close();
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["200ms quiet: unknown-document"]);
    }

    #[test]
    fn a_text_that_is_no_longer_known_takes_it_back() {
        let mut editor = one_waits();
        editor
            .at(200)
            .edits(vec![delete(5_000, 6_000)], ChangeReason::Typed);
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["200ms quiet: out-of-step"]);
    }

    #[test]
    fn an_edit_of_another_document_leaves_it() {
        let mut editor = one_waits();
        editor.at(200).go_to("file:///other.ts", "b\n");
        editor.edit(insert(0, "y"));
        editor.at(10_000);
        assert_eq!(
            moves(&mut editor),
            ["400ms ask 4:1 (selection) in file:///test.ts"]
        );
    }

    #[test]
    fn after_the_next_edit_two_more_ask_at_once() {
        let mut editor = one_waits();
        editor.at(400).edit(insert(0, "y"));
        for line in [5, 6, 7] {
            editor.move_to(line, 1);
        }
        editor.at(10_000);
        assert_eq!(
            moves(&mut editor),
            [
                "400ms ask 4:1 (selection)",
                "400ms ask 5:1 (selection)",
                "400ms ask 6:1 (selection)",
                "700ms ask 7:1 (selection)",
            ]
        );
    }

    #[test]
    fn moves_that_are_quiet_do_not_count() {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.move_to(2, 2);
        editor.select(&[range(0, 3)]);
        editor.move_to(3, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "0ms quiet: same-line-cooldown",
                "0ms quiet: selection-not-empty",
                "0ms ask 3:1 (selection)",
            ]
        );
    }

    #[test]
    fn what_the_editor_asks_about_meanwhile_is_not_asked_again() {
        let mut editor = one_waits();
        editor.at(200).ask();
        editor.at(400);
        assert_eq!(moves(&mut editor), ["400ms quiet: already-asked"]);
    }

    #[test]
    fn without_a_wait_all_ask_at_once() {
        let mut editor = edited_with(|settings| {
            settings.trigger.selection_debounce = Millis::ZERO;
        });
        for line in [2, 3, 4, 5] {
            editor.move_to(line, 1);
        }
        assert_eq!(
            moves(&mut editor),
            [2, 3, 4, 5].map(|line| format!("0ms ask {line}:1 (selection)"))
        );
    }

    #[test]
    fn how_many_ask_at_once_and_how_long_later_ones_wait_are_settings() {
        let mut editor = edited_with(|settings| {
            settings.trigger.immediate_selections = 0;
            settings.trigger.selection_debounce = Millis::new(50);
        });
        editor.move_to(2, 1);
        editor.at(10_000);
        assert_eq!(moves(&mut editor), ["50ms ask 2:1 (selection)"]);
    }
}

mod switching {
    //! Going to another document after an edit.

    use super::*;

    /// An edit and a move in the first document, and then the second with the cursor at its start.
    fn in_another_document(change: impl FnOnce(&mut Settings)) -> Editor {
        let mut editor = edited_with(change);
        editor.move_to(2, 1);
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.log();
        editor
    }

    fn within_a_minute(settings: &mut Settings) {
        settings.trigger.document_switch = Millis::from_seconds(60);
    }

    #[test]
    fn asks_nothing_unless_it_is_switched_on() {
        let mut editor = in_another_document(|_| {});
        editor.at(100).move_to(3, 1);
        assert_eq!(moves(&mut editor), ["100ms quiet: no-recent-edit"]);
    }

    #[test]
    fn asks_once_if_it_is() {
        let mut editor = in_another_document(within_a_minute);
        editor.at(100).move_to(3, 1);
        editor.at(200).move_to(4, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "100ms ask 3:1 (document-switch)",
                "200ms quiet: no-recent-edit",
            ]
        );
        let triggers = editor.core.counts().triggers;
        assert_eq!(triggers[&AskCause::DocumentSwitch], 1);
        assert_eq!(triggers[&AskCause::Selection], 1);
    }

    #[test]
    fn asks_while_an_edit_anywhere_is_recent_enough_and_no_longer() {
        for (millis, expected) in [
            (59_999, "59999ms ask 3:1 (document-switch)"),
            (60_000, "60000ms quiet: no-recent-edit"),
        ] {
            let mut editor = in_another_document(within_a_minute);
            editor.at(millis).move_to(3, 1);
            assert_eq!(moves(&mut editor), [expected]);
        }
    }

    #[test]
    fn coming_back_to_what_was_edited_is_a_move_like_any_other() {
        let mut editor = in_another_document(within_a_minute);
        editor.at(100).move_to(3, 1);
        editor.go_to("file:///test.ts", "");
        editor.at(200).move_to(3, 1);
        editor.at(20_000).move_to(4, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "100ms ask 3:1 (document-switch)",
                "200ms ask 3:1 (selection)",
                "20000ms quiet: no-recent-edit",
            ]
        );
    }

    #[test]
    fn closing_what_was_edited_and_landing_elsewhere_is_a_switch() {
        let mut editor = edited_with(within_a_minute);
        editor.move_to(2, 1);
        editor.close();
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.log();
        editor.at(100).move_to(3, 1);
        assert_eq!(moves(&mut editor), ["100ms ask 3:1 (document-switch)"]);
    }

    #[test]
    fn the_first_document_of_all_is_no_switch() {
        let mut editor = edited_with(within_a_minute);
        editor.go_to("file:///other.ts", "b\n");
        editor.move_to(1, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: no-recent-edit"]);
    }

    #[test]
    fn asks_nothing_within_the_rejection_cooldown() {
        let mut editor = in_another_document(within_a_minute);
        escape(&mut editor);
        editor.at(100).move_to(3, 1);
        assert_eq!(moves(&mut editor), ["100ms quiet: rejection-cooldown"]);
    }
}

mod languages {
    //! Languages may have rules of their own.

    use super::*;

    #[test]
    fn one_may_be_switched_off() {
        let settings = settings_of("[languages.python.trigger]\nenabled = false\n");
        let mut editor = edited_with(|defaults| *defaults = settings);
        editor.move_to(2, 1);
        editor.go_to("file:///other.py", &twenty_lines());
        editor.edit(insert(0, "x"));
        editor.move_to(2, 1);
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 2:1 (selection)", "0ms quiet: disabled"]
        );
    }

    #[test]
    fn one_may_have_other_numbers() {
        let settings = settings_of(
            "[languages.python.trigger]\nsameLineCooldownMs = 100\nselectionDebounceMs = 0\n",
        );
        let mut editor = edited_with(|defaults| *defaults = settings);
        editor.go_to("file:///other.py", &twenty_lines());
        editor.edit(insert(0, "x"));
        for (millis, column) in [(0, 1), (100, 2), (200, 3)] {
            editor.at(millis).move_to(2, column);
        }
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "100ms ask 2:2 (selection)",
                "200ms ask 2:3 (selection)",
            ]
        );
        editor.go_to("file:///test.ts", "");
        for (millis, column) in [(300, 1), (400, 2)] {
            editor.at(millis).move_to(2, column);
        }
        assert_eq!(
            moves(&mut editor),
            [
                "300ms ask 2:1 (selection)",
                "400ms quiet: same-line-cooldown"
            ]
        );
    }
}

mod already_asked {
    //! The cursor move of a key that the editor asks about anyway.

    use super::*;

    /// An edited document in which a line may be asked about at any time.
    fn edited_often() -> Editor {
        edited_with(|settings| settings.trigger.same_line_cooldown = Millis::ZERO)
    }

    #[test]
    fn while_the_request_waits() {
        let mut editor = edited_often();
        // The first in a document does not wait.
        let first = editor.ask();
        editor.cancel(first);
        editor.log();
        editor.type_keys("y");
        editor.ask();
        assert!(editor.log()[1].starts_with("0ms wait r2"));
        editor.rest();
        assert_eq!(moves(&mut editor), ["0ms quiet: already-asked"]);
    }

    #[test]
    fn while_its_lanes_run() {
        let mut editor = edited_often();
        editor.ask();
        assert!(editor.log().contains(&"0ms start r1 fim".to_owned()));
        editor.rest();
        assert_eq!(moves(&mut editor), ["0ms quiet: already-asked"]);
    }

    #[test]
    fn when_it_was_answered() {
        let mut editor = edited_often();
        let request = editor.ask();
        editor.lane_suggests(request, LaneKind::Fim, "suggested");
        editor.rest();
        assert_eq!(moves(&mut editor), ["0ms quiet: already-asked"]);
    }

    #[test]
    fn its_line_has_had_its_turn() {
        let mut editor = edited();
        editor.ask();
        editor.rest();
        editor.move_to(1, 4);
        editor.at(4_999).move_to(1, 3);
        editor.at(5_000).move_to(1, 4);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms quiet: same-line-cooldown",
                "0ms quiet: same-line-cooldown",
                "4999ms quiet: same-line-cooldown",
                "5000ms ask 1:4 (selection)",
            ]
        );
    }

    #[test]
    fn a_line_that_a_fixable_diagnostic_came_to_has_another_turn() {
        let mut editor = edited();
        editor.ask();
        editor.rest();
        editor.diagnose(0, 3);
        editor.move_to(1, 4);
        editor.diagnose_fixable(0, 3, "mended");
        editor.move_to(1, 3);
        // It is the same that was said before, of this text and of the next.
        editor.at(100).diagnose_fixable(0, 3, "mended");
        editor.move_to(1, 4);
        editor.at(200).type_keys("y");
        editor.ask();
        editor.diagnose_fixable(0, 3, "mended");
        editor.move_to(1, 3);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms quiet: same-line-cooldown",
                "0ms quiet: same-line-cooldown",
                "0ms ask 1:4 (diagnostics)",
                "0ms quiet: same-line-cooldown",
                "100ms quiet: same-line-cooldown",
                // It was being typed into when it was said again, and that is over.
                "200ms ask 1:3 (selection)",
            ]
        );
    }

    #[test]
    fn what_the_person_asks_for_takes_no_turn() {
        let mut editor = edited();
        let request = editor.invoke();
        editor.lane_suggests(request, LaneKind::Fim, "suggested");
        editor.move_to(1, 4);
        assert_eq!(moves(&mut editor), ["0ms ask 1:4 (selection)"]);
    }

    #[test]
    fn a_request_about_another_text_takes_no_turn() {
        let mut editor = edited();
        editor.place_cursor(1, 2);
        editor.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(77),
            document: DocumentId::new("file:///test.ts"),
            version: Some(Version::new(99)),
            at: ByteOffset::new(1),
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        }));
        editor.move_to(1, 4);
        assert_eq!(moves(&mut editor), ["0ms ask 1:4 (selection)"]);
    }

    #[test]
    fn not_at_another_place_nor_in_another_text() {
        let mut editor = edited_often();
        editor.ask();
        editor.move_to(2, 1);
        editor.type_keys("y");
        editor.move_to(1, 2);
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 2:1 (selection)", "0ms ask 1:2 (selection)"]
        );
    }

    #[test]
    fn not_when_no_lane_came_back() {
        let mut editor = edited_with(|settings| {
            settings.lanes.next_edit.enabled = false;
            settings.trigger.same_line_cooldown = Millis::ZERO;
        });
        let request = editor.ask();
        editor.lane_fails(request, LaneKind::Fim);
        editor.rest();
        assert_eq!(moves(&mut editor), ["0ms ask 1:2 (selection)"]);
    }

    #[test]
    fn not_when_the_editor_took_the_request_back() {
        let mut editor = edited_often();
        let request = editor.ask();
        editor.cancel(request);
        editor.rest();
        assert_eq!(moves(&mut editor), ["0ms ask 1:2 (selection)"]);
    }
}

mod lines {
    //! A line stays the same line when others come and go above it.

    use super::*;

    #[test]
    fn a_line_remembers_over_an_edit() {
        let mut editor = edited();
        editor.move_to(3, 1);
        editor.type_keys("more");
        editor.rest();
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 3:1 (selection)", "0ms quiet: same-line-cooldown"]
        );
    }

    #[test]
    fn unless_the_person_wants_the_memory_cleared_by_edits() {
        let mut editor = edited_with(|settings| {
            settings.trigger.same_line_memory = SameLineMemory::UntilEdit;
        });
        editor.move_to(3, 1);
        editor.type_keys("more");
        editor.rest();
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 3:1 (selection)", "0ms ask 3:5 (selection)"]
        );
    }

    #[test]
    fn lines_put_in_above_push_it_down() {
        let mut editor = edited();
        editor.move_to(3, 1);
        editor.edit(insert(0, "one\ntwo\n"));
        editor.move_to(5, 2);
        editor.move_to(3, 2);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 3:1 (selection)",
                "0ms quiet: same-line-cooldown",
                "0ms ask 3:2 (selection)",
            ]
        );
    }

    #[test]
    fn lines_taken_out_above_pull_it_up() {
        let mut editor = edited();
        editor.move_to(6, 1);
        editor.edit(delete(6, 16));
        editor.move_to(4, 2);
        editor.move_to(6, 2);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 6:1 (selection)",
                "0ms quiet: same-line-cooldown",
                "0ms ask 6:2 (selection)",
            ]
        );
    }

    #[test]
    fn undo_moves_it_back() {
        let mut editor = edited();
        editor.edit(insert(0, "one\ntwo\n"));
        editor.move_to(5, 1);
        editor.undo();
        editor.move_to(3, 2);
        editor.redo();
        editor.move_to(5, 2);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 5:1 (selection)",
                "0ms quiet: same-line-cooldown",
                "0ms quiet: same-line-cooldown",
            ]
        );
    }

    #[test]
    fn a_new_line_below_is_new() {
        let mut editor = edited();
        editor.move_to(3, 5);
        editor.type_keys("\n");
        editor.rest();
        assert_eq!(
            moves(&mut editor),
            ["0ms ask 3:5 (selection)", "0ms ask 4:1 (selection)"]
        );
    }

    #[test]
    fn the_same_line_of_another_document_is_another_line() {
        let mut editor = edited();
        editor.move_to(3, 1);
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.edit(insert(0, "x"));
        editor.move_to(3, 1);
        assert_eq!(moves(&mut editor), ["0ms ask 3:1 (selection)"; 2]);
    }

    /// Asks about line 1 at 0 ms and about as many more lines ten seconds later, and goes back.
    fn back_on_line_1_after(others: u32) -> String {
        let mut editor = Editor::with_settings(&"line\n".repeat(200), |settings| {
            settings.trigger.recent_edit = Millis::new(60_000);
            settings.trigger.same_line_cooldown = Millis::new(60_000);
            settings.trigger.selection_debounce = Millis::ZERO;
        });
        editor.edit(insert(0, "x"));
        editor.move_to(1, 1);
        editor.at(10_001);
        for line in 2..2 + others {
            editor.move_to(line, 1);
        }
        editor.move_to(1, 2);
        let asked = moves(&mut editor);
        assert_eq!(asked.len(), others as usize + 2);
        asked.last().unwrap().clone()
    }

    #[test]
    fn of_more_than_a_hundred_lines_those_older_than_ten_seconds_are_forgotten() {
        assert_eq!(
            back_on_line_1_after(100),
            "10001ms quiet: same-line-cooldown"
        );
        assert_eq!(back_on_line_1_after(101), "10001ms ask 1:2 (selection)");
    }
}

mod edits {
    //! What counts as an edit.

    use super::*;

    #[test]
    fn undo_does_not_make_an_old_edit_new() {
        let mut editor = edited();
        editor.at(9_000).undo();
        editor.redo();
        editor.at(10_000).move_to(2, 1);
        assert_eq!(moves(&mut editor), ["10000ms quiet: no-recent-edit"]);
    }

    #[test]
    fn undo_in_a_document_that_was_not_edited_is_no_edit() {
        let mut editor = Editor::with(&twenty_lines());
        editor.edits(vec![insert(0, "x")], ChangeReason::Undo);
        editor.edits(vec![delete(0, 1)], ChangeReason::Redo);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: no-recent-edit"]);
    }

    #[test]
    fn saving_a_file_is_no_edit() {
        let mut editor = Editor::with(&twenty_lines());
        editor.edits(Vec::new(), ChangeReason::Typed);
        editor.edits(vec![Edit::default()], ChangeReason::Other);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: no-recent-edit"]);
    }

    #[test]
    fn a_formatter_edits() {
        let mut editor = Editor::with(&twenty_lines());
        editor.edits(vec![insert(0, "  ")], ChangeReason::Other);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms ask 2:1 (selection)"]);
    }

    #[test]
    fn a_document_that_was_closed_has_not_been_edited() {
        let mut editor = edited();
        let text = editor.close();
        editor.open(&text);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: no-recent-edit"]);
    }

    #[test]
    fn an_edit_of_one_document_is_none_of_another() {
        let mut editor = edited();
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms quiet: no-recent-edit"]);
    }
}

mod rejecting {
    //! A person who says no is left alone for a while, everywhere.

    use super::*;

    #[test]
    fn a_suggestion_that_is_rejected_starts_the_cooldown() {
        let mut editor = edited();
        let request = editor.ask();
        editor.lane_suggests(request, LaneKind::Fim, "suggested");
        editor.at(1_000).dismiss(request);
        editor.edit(insert(0, "y"));
        editor.at(5_999).move_to(2, 1);
        editor.edit(insert(0, "z"));
        editor.at(6_000).move_to(3, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "5999ms quiet: rejection-cooldown",
                "6000ms ask 3:1 (selection)"
            ]
        );
    }

    #[test]
    fn an_edit_that_is_rejected_starts_it_too_wherever_it_is() {
        let mut editor = edited();
        editor.tell(Event::EditRejected {
            document: DocumentId::new("file:///never-opened.ts"),
            edit: insert(0, "x"),
        });
        editor.at(4_999).move_to(2, 1);
        assert_eq!(moves(&mut editor), ["4999ms quiet: rejection-cooldown"]);
    }

    #[test]
    fn a_suggestion_that_went_away_without_a_word_does_not() {
        let mut editor = edited();
        let request = editor.ask();
        editor.lane_suggests(request, LaneKind::Fim, "suggested");
        editor.pass_over(request);
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["0ms ask 2:1 (selection)"]);
    }

    #[test]
    fn there_is_one_clock_for_all_documents() {
        let mut editor = Editor::with(&twenty_lines());
        escape(&mut editor);
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.edit(insert(0, "x"));
        editor.at(100).move_to(2, 1);
        assert_eq!(moves(&mut editor), ["100ms quiet: rejection-cooldown"]);
    }

    #[test]
    fn moving_within_the_cooldown_ends_it_for_good_until_the_next_edit() {
        let mut editor = edited();
        escape(&mut editor);
        editor.at(1_000).move_to(2, 1);
        editor.at(6_000).move_to(3, 1);
        editor.at(7_000).edit(insert(0, "y"));
        editor.move_to(4, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "1000ms quiet: rejection-cooldown",
                "6000ms quiet: no-recent-edit",
                "7000ms ask 4:1 (selection)",
            ]
        );
    }

    #[test]
    fn it_clears_the_memory_of_the_document_moved_in_and_of_no_other() {
        let mut editor = edited();
        editor.go_to("file:///other.ts", &twenty_lines());
        editor.edit(insert(0, "x"));
        escape(&mut editor);
        editor.at(1_000).move_to(2, 1);
        editor.at(6_000).move_to(2, 1);
        assert_eq!(
            moves(&mut editor),
            [
                "1000ms quiet: rejection-cooldown",
                "6000ms quiet: no-recent-edit"
            ]
        );
        editor.go_to("file:///test.ts", "");
        editor.move_to(2, 1);
        assert_eq!(moves(&mut editor), ["6000ms ask 2:1 (selection)"]);
    }

    #[test]
    fn it_forgets_the_lines_too() {
        let mut editor = edited_with(|settings| {
            settings.trigger.rejection_cooldown = Millis::new(1_000);
        });
        editor.move_to(2, 1);
        escape(&mut editor);
        editor.move_to(2, 2);
        editor.at(1_000).edit(insert(0, "y"));
        editor.move_to(2, 3);
        assert_eq!(
            moves(&mut editor),
            [
                "0ms ask 2:1 (selection)",
                "0ms quiet: rejection-cooldown",
                "1000ms ask 2:3 (selection)",
            ]
        );
    }
}

mod counting {
    //! What a report says of the moves.

    use super::*;

    #[test]
    fn every_move_is_an_ask_or_a_reason() {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.move_to(2, 2);
        editor.move_to(2, 3);
        editor.move_to(3, 1);
        editor.select(&[range(0, 3)]);
        let counts = editor.core.counts();
        assert_eq!(counts.selections, 5);
        assert_eq!(counts.triggers[&AskCause::Selection], 2);
        assert_eq!(counts.quiet[&Reason::SameLineCooldown], 2);
        assert_eq!(counts.quiet[&Reason::SelectionNotEmpty], 1);
        let told: u64 = counts.triggers.values().chain(counts.quiet.values()).sum();
        assert_eq!(told, counts.selections);
    }

    #[test]
    fn triggers_per_minute_leave_long_pauses_out() {
        let mut editor = edited();
        editor.move_to(2, 1);
        editor.at(30_000).edit(insert(0, "y"));
        editor.move_to(3, 1);
        // Lunch counts as one minute.
        editor.at(3_600_000).move_to(4, 1);
        let counts = editor.core.counts();
        assert_eq!(counts.active_millis, 90_000);
        let triggers = counts.triggers[&AskCause::Selection];
        assert_eq!(counts.per_active_minute(triggers), 2.0 / 1.5);
    }

    #[test]
    fn waking_the_machine_is_not_activity() {
        let mut editor = edited();
        for line in [2, 3, 4] {
            editor.move_to(line, 1);
        }
        editor.at(200_000).move_to(5, 1);
        assert_eq!(editor.core.counts().active_millis, 60_000);
    }

    #[test]
    fn nothing_that_happened_makes_no_rate() {
        let editor = Editor::with("");
        assert_eq!(editor.core.counts().per_active_minute(5), 0.0);
    }
}
