//! Fixes: which of them a person meets, when they come, and when they go again.

#![allow(
    clippy::unwrap_used,
    reason = "a story that does not fit is a mistake in the test"
)]

use foretell_core::{Event, RequestCause, RequestKind};
use foretell_testkit::story_editor::{Editor, at_once, replace};
use foretell_testkit::string_model::range;
use foretell_text::{
    ChangeReason, Diagnostic, DiagnosticFix, DiagnosticSeverity, Edit, FixStanding, LaneKind,
    Replacement, Text, Version,
};

const TEXT: &str = "const price = 1;\nconst sum = prise + 1;\nlet a = 1;\nlet b = 2;\nlet c = 3;\n";
/// Where `prise` stands.
const PRISE: (usize, usize) = (29, 34);

/// An editor with the cursor at a place.
fn editor_at(line: u32, column: u32) -> Editor {
    let mut editor = Editor::with_settings(TEXT, at_once);
    // An edit far from the fault, so that the auto-trigger knows of one.
    editor.place_cursor(5, 11);
    editor.type_keys(" ");
    editor.move_to(line, column);
    editor.at(1_000).log();
    editor
}

/// What a compiler says of `prise`.
fn misspelt(fixes: &[(&str, FixStanding, &str)]) -> Diagnostic {
    let place = range(PRISE.0, PRISE.1);
    let fixes = fixes.iter().map(|(title, standing, new)| DiagnosticFix {
        title: (*title).to_owned(),
        standing: *standing,
        edit: Edit::from(Replacement::new(place, *new)),
    });
    Diagnostic {
        range: place,
        severity: DiagnosticSeverity::Error,
        source: Some("ts".to_owned()),
        code: Some("2552".to_owned()),
        message: "Cannot find name 'prise'.".to_owned(),
        fixes: fixes.collect(),
    }
}

fn spelling() -> Diagnostic {
    misspelt(&[(
        "Change spelling to 'price'",
        FixStanding::Preferred,
        "price",
    )])
}

fn report(editor: &mut Editor, diagnostics: Vec<Diagnostic>) {
    let document = editor.document.clone();
    let version = editor.core.version(&document);
    editor.tell(Event::DiagnosticsChanged {
        document,
        version,
        diagnostics,
    });
}

/// The new texts of the fixes that would be offered at the cursor.
fn wanted(editor: &Editor) -> Vec<String> {
    let found = editor
        .core
        .wanted_fixes(&editor.document, editor.cursor, RequestCause::Automatic);
    let fixes = found.iter().map(|it| match it.fixes.first() {
        Some(fix) => fix.edit.replacements()[0].new_text().to_owned(),
        None => "?".to_owned(),
    });
    fixes.collect()
}

/// What the fix lane has for a request.
fn fix_lane_says(editor: &mut Editor, edit: Edit) -> foretell_core::RequestId {
    let request = editor.request(RequestCause::Automatic, RequestKind::Edit);
    editor.lane_answers(request, LaneKind::NextEdit, &[]);
    editor.lane_answers(request, LaneKind::Fix, &[edit]);
    request
}

mod choice {
    use super::*;

    #[test]
    fn the_preferred_fix_of_an_error_near_the_cursor_is_offered() {
        for line in [1, 2, 3, 4] {
            let mut editor = editor_at(line, 1);
            report(&mut editor, vec![spelling()]);
            assert_eq!(wanted(&editor), ["price"], "on line {line}");
        }
        let mut editor = editor_at(5, 1);
        report(&mut editor, vec![spelling()]);
        assert_eq!(wanted(&editor), [""; 0], "three lines away");
    }

    #[test]
    fn of_several_without_a_preferred_one_none_is() {
        let mut editor = editor_at(2, 1);
        let several = [
            ("Change spelling", FixStanding::Possible, "price"),
            ("Declare it", FixStanding::Possible, "let prise"),
        ];
        report(&mut editor, vec![misspelt(&several)]);
        assert_eq!(wanted(&editor), [""; 0]);
        let only = [
            ("Change spelling", FixStanding::Possible, "price"),
            ("Disable this rule", FixStanding::Cosmetic, "// no"),
        ];
        report(&mut editor, vec![misspelt(&only)]);
        assert_eq!(wanted(&editor), ["price"]);
    }

    #[test]
    fn what_mends_nothing_is_never_offered() {
        let mut editor = editor_at(2, 1);
        let unused = [("Prefix it", FixStanding::Cosmetic, "_prise")];
        report(&mut editor, vec![misspelt(&unused)]);
        assert_eq!(wanted(&editor), [""; 0]);
    }

    #[test]
    fn warnings_and_hints_may_stay() {
        for severity in [
            DiagnosticSeverity::Warning,
            DiagnosticSeverity::Information,
            DiagnosticSeverity::Hint,
        ] {
            let mut editor = editor_at(2, 1);
            let said = Diagnostic {
                severity,
                ..spelling()
            };
            report(&mut editor, vec![said]);
            assert_eq!(wanted(&editor), [""; 0], "{severity:?}");
        }
    }

    #[test]
    fn a_fix_that_rewrites_half_a_file_is_not_offered() {
        let mut editor = editor_at(2, 1);
        let stub = "price;\n\nfunction price() {\n    throw new Error();\n}\n";
        let much = [("Declare it", FixStanding::Preferred, stub)];
        report(&mut editor, vec![misspelt(&much)]);
        assert_eq!(wanted(&editor), [""; 0]);
    }

    #[test]
    fn an_import_is_put_in_far_above() {
        let above = "\n".repeat(40);
        let text = format!("{above}{TEXT}");
        let mut editor = Editor::with_settings(&text, at_once);
        editor.place_cursor(42, 1);
        let place = range(PRISE.0 + 40, PRISE.1 + 40);
        let import = DiagnosticFix {
            title: "Add import".to_owned(),
            standing: FixStanding::Preferred,
            edit: replace(0, 0, "import { prise } from './prise';\n"),
        };
        let said = Diagnostic {
            range: place,
            fixes: vec![import],
            ..spelling()
        };
        report(&mut editor, vec![said]);
        assert_eq!(wanted(&editor), ["import { prise } from './prise';\n"]);
    }

    #[test]
    fn what_is_being_typed_is_left_alone_until_the_cursor_goes_on() {
        let mut editor = Editor::with_settings(&TEXT.replace("prise", "pri"), at_once);
        editor.place_cursor(2, 16);
        editor.type_keys("se");
        editor.rest();
        report(&mut editor, vec![spelling()]);
        assert_eq!(wanted(&editor), [""; 0]);
        // The person who asks for it gets it.
        let found =
            editor
                .core
                .wanted_fixes(&editor.document, editor.cursor, RequestCause::Explicit);
        assert_eq!(found.len(), 1);
        editor.move_to(2, 17);
        assert_eq!(wanted(&editor), ["price"]);
    }
}

mod coming_and_going {
    use super::*;

    #[test]
    fn a_fault_that_is_found_after_the_pause_has_the_editor_ask() {
        let mut editor = editor_at(3, 1);
        report(&mut editor, vec![spelling()]);
        assert_eq!(editor.log(), ["1000ms ask 3:1 (diagnostics)"]);
        // It is no news when it is said again.
        report(&mut editor, vec![spelling()]);
        assert!(editor.log().is_empty());
    }

    #[test]
    fn a_fault_far_from_the_cursor_asks_nothing() {
        let mut editor = editor_at(5, 1);
        report(&mut editor, vec![spelling()]);
        assert!(editor.log().is_empty());
    }

    #[test]
    fn nothing_is_asked_right_after_escape() {
        let mut editor = editor_at(3, 1);
        let request = editor.request(RequestCause::Automatic, RequestKind::Edit);
        editor.lane_answers(request, LaneKind::NextEdit, &[replace(0, 5, "let")]);
        editor.dismiss(request);
        editor.log();
        report(&mut editor, vec![spelling()]);
        assert!(editor.log().is_empty());
    }

    #[test]
    fn a_fix_goes_with_its_diagnostic() {
        let mut editor = editor_at(3, 1);
        report(&mut editor, vec![spelling()]);
        fix_lane_says(&mut editor, replace(PRISE.0, PRISE.1, "price"));
        editor.log();
        report(&mut editor, Vec::new());
        assert_eq!(editor.log(), ["1000ms ask 3:1 (diagnostics)"]);
        let again = editor.request(RequestCause::Automatic, RequestKind::Edit);
        editor.lane_answers(again, LaneKind::NextEdit, &[]);
        assert!(!editor.log().iter().any(|line| line.contains("(fix")));
    }

    #[test]
    fn a_fix_goes_when_the_text_it_is_about_changes_and_moves_with_the_rest() {
        let mut editor = editor_at(3, 1);
        report(&mut editor, vec![spelling()]);
        fix_lane_says(&mut editor, replace(PRISE.0, PRISE.1, "price"));
        editor.place_cursor(1, 1);
        editor.type_keys(" ");
        editor.log();
        editor.request(RequestCause::Automatic, RequestKind::Edit);
        let log = editor.log().join("\n");
        assert!(log.contains("[33, 34) -> \"c\" (fix, carried)"), "{log}");

        editor.place_cursor(2, 18);
        editor.type_keys("s");
        editor.log();
        editor.request(RequestCause::Automatic, RequestKind::Edit);
        let log = editor.log().join("\n");
        assert!(!log.contains("(fix"), "{log}");
    }

    #[test]
    fn a_file_that_is_reverted_takes_all_offers_with_it() {
        let mut editor = editor_at(3, 1);
        report(&mut editor, vec![spelling()]);
        fix_lane_says(&mut editor, replace(PRISE.0, PRISE.1, "price"));
        editor.log();
        editor.tell(Event::DocumentReplaced {
            document: editor.document.clone(),
            version: Version::new(900),
            text: Text::from(TEXT.replace("let b", "var b").as_str()),
            reason: ChangeReason::Other,
        });
        editor.log();
        editor.request(RequestCause::Automatic, RequestKind::Edit);
        let log = editor.log().join("\n");
        assert!(!log.contains("(fix"), "{log}");
    }
}

mod making_it_worse {
    use super::*;

    /// The person takes the fix, and so many errors are reported then.
    fn take_and_report(editor: &mut Editor, errors: usize) {
        report(editor, vec![spelling()]);
        let fix = replace(PRISE.0, PRISE.1, "price");
        let request = fix_lane_says(editor, fix.clone());
        editor.edit(fix);
        editor.accept(request);
        let other = Diagnostic {
            message: "Something else.".to_owned(),
            fixes: Vec::new(),
            range: range(0, 5),
            ..spelling()
        };
        report(editor, vec![other; errors]);
        editor.edit(replace(PRISE.0, PRISE.1, "prise"));
    }

    #[test]
    fn a_kind_of_fix_that_made_it_worse_is_not_offered_again() {
        let mut editor = editor_at(3, 1);
        take_and_report(&mut editor, 3);
        report(&mut editor, vec![spelling()]);
        assert_eq!(wanted(&editor), [""; 0]);
        // Other names are the same kind; another fault is not.
        let other = Diagnostic {
            code: Some("2304".to_owned()),
            ..spelling()
        };
        report(&mut editor, vec![other]);
        assert_eq!(wanted(&editor), ["price"]);
    }

    #[test]
    fn one_that_made_it_no_worse_is() {
        let mut editor = editor_at(3, 1);
        take_and_report(&mut editor, 1);
        report(&mut editor, vec![spelling()]);
        assert_eq!(wanted(&editor), ["price"]);
    }
}
