//! What a lane suggests and nobody is shown, as a person meets it.
//!
//! Lanes are asked at once and without context, in most of these stories only FIM. What was rejected
//! and what changes nothing is in the stories about requests.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_core::{Event, RequestCause, RequestId, RequestKind, TokenUsage};
use foretell_settings::Settings;
use foretell_settings::choice::BackEnd;
use foretell_testkit::expect;
use foretell_testkit::story_editor::{self, Editor, insert, replace};
use foretell_testkit::string_model::range;
use foretell_text::LaneKind::{Fim, NextEdit};
use foretell_text::{ByteRange, DocumentId, Version};

const TEXT: &str = "call(first, )\nkey = hunter2\n";

fn at_once(settings: &mut Settings) {
    story_editor::at_once(settings);
    settings.lanes.fix.enabled = false;
}

/// The cursor is behind `first, `, and FIM is asked.
fn asked() -> (Editor, RequestId) {
    let mut editor = Editor::with_settings(TEXT, |settings| {
        at_once(settings);
        settings.lanes.next_edit.enabled = false;
    });
    editor.place_cursor(1, 13);
    let request = editor.ask();
    editor.expect_log(expect!["0ms start r1 fim"]);
    (editor, request)
}

mod plain {
    //! What nobody would miss.

    use super::*;

    #[test]
    fn white_space_alone() {
        for space in [" ", "\n", "\t\n  "] {
            let (mut editor, request) = asked();
            editor.lane_suggests(request, Fim, space);
            editor.expect_log(expect!["0ms withheld r1: whitespace-only"]);
        }
    }

    #[test]
    fn taking_white_space_out() {
        let (mut editor, request) = asked();
        editor.lane_answers(request, Fim, &[replace(10, 12, ",")]);
        editor.expect_log(expect!["0ms withheld r1: whitespace-only"]);
    }

    #[test]
    fn what_stands_behind_the_cursor_anyway() {
        for echo in [")", ")\nkey"] {
            let (mut editor, request) = asked();
            editor.lane_suggests(request, Fim, echo);
            editor.expect_log(expect!["0ms withheld r1: echoes-suffix"]);
        }
    }

    #[test]
    fn what_does_not_stand_there_is_shown() {
        let (mut editor, request) = asked();
        editor.lane_suggests(request, Fim, "second");
        editor.expect_log(expect![[r#"0ms answer r1: [12, 12) -> "second" (fim)"#]]);
    }

    #[test]
    fn another_line_at_the_cursor() {
        let (mut editor, request) = asked();
        editor.lane_answers(request, Fim, &[replace(14, 17, "password")]);
        editor.expect_log(expect!["0ms withheld r1: elsewhere"]);
    }

    #[test]
    fn another_line_is_a_next_edit() {
        let mut editor = Editor::with_settings(TEXT, at_once);
        let request = editor.request(RequestCause::Automatic, RequestKind::Edit);
        editor.log();
        editor.lane_answers(request, NextEdit, &[replace(14, 17, "password")]);
        editor.expect_log(expect![[
            r#"0ms answer r1: [14, 17) -> "password" (next-edit)"#
        ]]);
    }

    #[test]
    fn the_others_of_the_same_answer_are_shown() {
        let (mut editor, request) = asked();
        let edits = [insert(12, ")"), insert(12, "  "), insert(12, "second")];
        editor.lane_answers(request, Fim, &edits);
        editor.expect_log(expect![[r#"0ms answer r1: [12, 12) -> "second" (fim)"#]]);
    }
}

mod secrets {
    //! Nothing touches what somebody has found to be secret.

    use super::*;

    fn found(document: &DocumentId, version: i64, ranges: &[ByteRange]) -> Event {
        Event::SecretsFound {
            document: document.clone(),
            version: Version::new(version),
            ranges: ranges.to_vec(),
        }
    }

    /// `hunter2` is a secret, and the cursor is at the beginning of its line.
    fn with_a_secret() -> Editor {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            at_once(settings);
            settings.lanes.next_edit.enabled = false;
        });
        editor.tell(found(&editor.document.clone(), 0, &[range(20, 27)]));
        editor.place_cursor(2, 1);
        assert!(editor.log().is_empty());
        editor
    }

    /// What becomes of a change that FIM suggests.
    fn suggested(editor: &mut Editor, start: usize, end: usize, new_text: &str) -> String {
        let request = editor.ask();
        editor.lane_answers(request, Fim, &[replace(start, end, new_text)]);
        editor.log().pop().unwrap()
    }

    #[test]
    fn a_change_of_it_is_not_shown() {
        let mut editor = with_a_secret();
        let said = suggested(&mut editor, 20, 27, "s3cret");
        assert_eq!(said, "0ms withheld r1: touches-secret");
    }

    #[test]
    fn nor_what_would_go_on_with_it() {
        let mut editor = with_a_secret();
        let said = suggested(&mut editor, 27, 27, "34");
        assert_eq!(said, "0ms withheld r1: touches-secret");
    }

    #[test]
    fn a_change_beside_it_is_shown() {
        let mut editor = with_a_secret();
        let said = suggested(&mut editor, 14, 17, "password");
        assert_eq!(said, r#"0ms answer r1: [14, 17) -> "password" (fim)"#);
    }

    #[test]
    fn it_moves_with_the_text() {
        let mut editor = with_a_secret();
        editor.edit(insert(0, "// "));
        let said = suggested(&mut editor, 23, 30, "s3cret");
        assert_eq!(said, "0ms withheld r1: touches-secret");
        editor.edit(insert(0, "/"));
        let said = suggested(&mut editor, 18, 21, "password");
        assert_eq!(said, r#"0ms answer r2: [18, 21) -> "password" (fim)"#);
    }

    #[test]
    fn what_is_typed_into_it_is_secret_too() {
        let mut editor = with_a_secret();
        editor.edit(insert(24, "xyz"));
        let said = suggested(&mut editor, 29, 30, "s");
        assert_eq!(said, "0ms withheld r1: touches-secret");
    }

    #[test]
    fn what_was_found_in_an_older_text_is_not_believed() {
        let mut editor = with_a_secret();
        editor.edit(insert(0, "// "));
        editor.tell(found(&editor.document.clone(), 0, &[]));
        editor.expect_log(expect!["0ms ignored: out-of-step"]);
        let said = suggested(&mut editor, 23, 30, "s3cret");
        assert_eq!(said, "0ms withheld r1: touches-secret");
    }

    #[test]
    fn what_is_no_longer_found_is_no_secret() {
        let mut editor = with_a_secret();
        editor.tell(found(&editor.document.clone(), 0, &[]));
        let said = suggested(&mut editor, 20, 27, "s3cret");
        assert_eq!(said, r#"0ms answer r1: [20, 27) -> "s3cret" (fim)"#);
    }

    #[test]
    fn what_was_found_in_a_document_that_is_not_open_is_ignored() {
        let mut editor = with_a_secret();
        let other = DocumentId::new("file:///never-opened.ts");
        editor.tell(found(&other, 0, &[]));
        editor.expect_log(expect![
            "0ms ignored: unknown-document in file:///never-opened.ts"
        ]);
    }

    #[test]
    fn that_a_lane_kept_something_secret_back_is_the_reason_if_it_has_nothing_else() {
        let (mut editor, request) = asked();
        editor.tell(Event::LaneAnswered {
            request,
            lane: Fim,
            candidates: Vec::new(),
            usage: TokenUsage::default(),
            withheld: 1,
        });
        editor.expect_log(expect!["0ms withheld r1: touches-secret"]);
    }

    #[test]
    fn what_was_answered_before_it_was_found_is_not_given_again() {
        let mut editor = with_a_secret();
        editor.tell(found(&editor.document.clone(), 0, &[]));
        suggested(&mut editor, 20, 27, "s3cret");
        editor.tell(found(&editor.document.clone(), 0, &[range(20, 27)]));
        editor.ask();
        editor.expect_log(expect!["0ms withheld r2: touches-secret"]);
    }
}

mod excluded {
    //! What must not leave is told to no model.

    use super::*;

    /// FIM asks a model, and the other lanes do not.
    fn with_a_model() -> Editor {
        let mut editor = Editor::with_settings(TEXT, |settings| {
            at_once(settings);
            settings.lanes.fim.kind = BackEnd::OpenAi;
        });
        editor.place_cursor(1, 13);
        editor.log();
        editor
    }

    fn known(editor: &mut Editor, is_excluded: bool) {
        editor.tell(Event::ExclusionKnown {
            document: editor.document.clone(),
            is_excluded,
        });
    }

    #[test]
    fn only_embedded_lanes_are_asked_and_the_reason_is_given() {
        let mut editor = with_a_model();
        known(&mut editor, true);
        editor.ask();
        editor.expect_log(expect![[r#"
            0ms spare r1 fim: excluded-document
            0ms start r1 next-edit
        "#]]);
    }

    #[test]
    fn a_model_that_was_asked_before_it_was_known_is_stopped_and_the_others_go_on() {
        let mut editor = with_a_model();
        let request = editor.ask();
        known(&mut editor, true);
        editor.lane_answers(request, NextEdit, &[insert(12, "second")]);
        editor.expect_log(expect![[r#"
            0ms start r1 fim
            0ms start r1 next-edit
            0ms stop r1 fim: excluded-document
            0ms answer r1: [12, 12) -> "second" (next-edit)
        "#]]);
    }

    #[test]
    fn no_model_is_asked_by_settings_that_may_be_somebody_elses() {
        let mut editor = with_a_model();
        let request = editor.ask();
        editor.tell(Event::ContestKnown { is_contested: true });
        editor.lane_answers(request, NextEdit, &[]);
        for _ in 0..5 {
            editor.type_at(12, "x");
            editor.ask();
        }
        let log = editor.log();
        assert_eq!(log[2], "0ms stop r1 fim: contested-settings");
        let is_spared = |it: &&String| it.ends_with("fim: contested-settings");
        assert_eq!(log.iter().filter(is_spared).count(), 6, "{log:#?}");
        // It was called once, and does not rest for what it was not asked.
        let used = editor.core.used(foretell_core::Moment::default(), Fim);
        assert_eq!(used.requests_today, 1);
        editor.tell(Event::ContestKnown {
            is_contested: false,
        });
        editor.type_at(12, "x");
        editor.log();
        editor.ask();
        let log = editor.log();
        assert!(log.iter().any(|it| it == "0ms start r7 fim"), "{log:#?}");
    }

    #[test]
    fn it_stays_so_when_the_whole_text_is_sent_again() {
        let mut editor = with_a_model();
        known(&mut editor, true);
        editor.open(TEXT);
        editor.place_cursor(1, 13);
        editor.log();
        editor.ask();
        assert_eq!(editor.log()[0], "0ms spare r1 fim: excluded-document");
    }

    #[test]
    fn models_are_asked_again_once_it_is_not_excluded_any_more() {
        let mut editor = with_a_model();
        known(&mut editor, true);
        known(&mut editor, false);
        editor.ask();
        assert_eq!(editor.log()[0], "0ms start r1 fim");
    }
}
