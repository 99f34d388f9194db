//! Quick fix: stories of a diagnostic and what is offered for it.
//!
//! A story is a text with the cursor as `|`, and diagnostics, each about a stretch of that text. What
//! comes back is the text after each suggestion, one to a line.

#![allow(
    clippy::unwrap_used,
    reason = "a story that does not fit is a mistake in the test"
)]

use foretell_lanes::embedded::quick_fix::predict;
use foretell_testkit::lane_requests::{request_at, request_at_cursor};
use foretell_testkit::string_model::range;
use foretell_text::{
    Diagnostic, DiagnosticFix, DiagnosticSeverity, Edit, FixStanding, Replacement,
};

/// What is offered for a text with the cursor in it.
fn fixed(story: &str, diagnostics: &[Said]) -> Vec<String> {
    let mut request = request_at_cursor("a", "typescript", story);
    let text = request.document.text.clone();
    let written = text.to_string();
    let diagnostics = diagnostics.iter().map(|said| said.about(&written));
    request.diagnostics = diagnostics.collect();
    let candidates = predict(&request).into_iter();
    let applied = candidates.map(|candidate| candidate.edit.apply(&text).unwrap().to_string());
    applied.collect()
}

/// A diagnostic: about the first place of a stretch of text.
struct Said {
    severity: DiagnosticSeverity,
    about: &'static str,
    message: &'static str,
    /// Each replaces what the diagnostic is about: title, new text.
    fixes: Vec<(&'static str, &'static str)>,
}

impl Said {
    fn about(&self, text: &str) -> Diagnostic {
        let start = text.find(self.about).unwrap();
        let range = range(start, start + self.about.len());
        let fixes = self.fixes.iter().map(|(title, new)| DiagnosticFix {
            title: (*title).to_owned(),
            standing: FixStanding::Possible,
            edit: Edit::from(Replacement::new(range, *new)),
        });
        Diagnostic {
            range,
            severity: self.severity,
            source: None,
            code: None,
            message: self.message.to_owned(),
            fixes: fixes.collect(),
        }
    }

    fn warning(self) -> Said {
        let severity = DiagnosticSeverity::Warning;
        Said { severity, ..self }
    }

    fn with_fix(mut self, title: &'static str, new: &'static str) -> Said {
        self.fixes.push((title, new));
        self
    }
}

fn error(about: &'static str, message: &'static str) -> Said {
    Said {
        severity: DiagnosticSeverity::Error,
        about,
        message,
        fixes: Vec::new(),
    }
}

const CUONT: &str = "Cannot find name 'cuont'. Did you mean 'count'?";

#[test]
fn a_misspelt_name_is_replaced_by_what_the_message_names() {
    let said = [error("cuont", CUONT)];
    assert_eq!(fixed("let x = cuont + 1;|", &said), ["let x = count + 1;"]);
}

#[test]
fn the_name_is_found_in_the_expression_that_is_pointed_at() {
    let message = "Property 'lenght' does not exist on type 'string'. Did you mean 'length'?";
    let said = [error("name.lenght > 3", message)];
    assert_eq!(
        fixed("if (name.lenght > 3|) {}", &said),
        ["if (name.length > 3) {}"]
    );
}

#[test]
fn the_name_is_found_on_the_line_that_is_pointed_at() {
    let message = "NameError: name 'totl' is not defined. Did you mean: 'total'?";
    let said = [error("print", message)];
    assert_eq!(fixed("print(totl)|", &said), ["print(total)"]);
}

#[test]
fn a_name_that_is_there_twice_is_left_alone() {
    let said = [error("let x", CUONT)];
    assert!(fixed("let x = cuont + cuont;|", &said).is_empty());
}

#[test]
fn a_name_that_is_pointed_at_is_it_even_if_it_is_there_twice() {
    let said = [error("cuont", CUONT)];
    let offered = fixed("let x = cuont + cuont;|", &said);
    assert_eq!(offered, ["let x = count + cuont;"]);
}

#[test]
fn a_name_that_was_mended_since_is_left_alone() {
    let said = [error("count", CUONT)];
    assert!(fixed("let x = count;|", &said).is_empty());
}

#[test]
fn a_name_within_a_longer_one_is_left_alone() {
    let said = [error("cuonter", CUONT)];
    assert!(fixed("let x = cuonter;|", &said).is_empty());
}

#[test]
fn an_operator_within_a_longer_one_is_left_alone() {
    let message = "cannot assign to attribute here. Maybe you meant '==' instead of '='?";
    let said = [error("a.b", message)];
    assert_eq!(fixed("if a.b = c:|", &said), ["if a.b == c:"]);
    assert!(fixed("if a.b == c:|", &said).is_empty());
}

#[test]
fn help_that_does_not_repeat_the_name_is_about_what_it_points_at() {
    let said = [error(
        "printlnz",
        "a macro with a similar name exists: `println`",
    )];
    assert_eq!(fixed("printlnz!(\"\");|", &said), ["println!(\"\");"]);
    // An expression is not a name.
    let said = [error("f(x)", "Did you mean 'g'?")];
    assert!(fixed("f(x);|", &said).is_empty());
}

#[test]
fn a_mark_that_is_missing_is_put_where_it_is_missed() {
    let message = "expected `;`, found `}`\nhelp: add `;` here";
    let (before, after) = ("let x = 1", "\n}");
    let said = error("", message).about("");
    let said = Diagnostic {
        range: range(before.len(), before.len()),
        ..said
    };
    let mut request = request_at("a.rs", "rust", &[before, after].concat(), before.len());
    request.diagnostics = vec![said];
    let offered = predict(&request);
    assert_eq!(offered.len(), 1);
    let applied = offered[0]
        .edit
        .apply(&request.document.text)
        .unwrap()
        .to_string();
    assert_eq!(applied, "let x = 1;\n}");
}

#[test]
fn two_remedies_are_a_question_and_not_answered() {
    let message = "Cannot find name 'a'. Did you mean 'b'?\nDid you mean 'c'?";
    assert!(fixed("a|", &[error("a", message)]).is_empty());
}

#[test]
fn the_fix_of_the_editor_takes_the_place_of_what_the_message_says() {
    let said = [error("cuont", CUONT).with_fix("Declare it", "let cuont")];
    assert_eq!(fixed("cuont|", &said), ["let cuont"]);
}

#[test]
fn the_same_remedy_is_offered_once() {
    let said = [error("cuont", CUONT).with_fix("Change spelling to 'count'", "count")];
    assert_eq!(fixed("cuont|", &said), ["count"]);
}

#[test]
fn a_fix_that_changes_nothing_is_not_offered() {
    let said = [error("cuont", "?").with_fix("Nothing", "cuont")];
    assert!(fixed("cuont|", &said).is_empty());
}

#[test]
fn errors_come_before_warnings_and_near_before_far() {
    let said = [
        error("aa", "Did you mean 'a1'?").warning(),
        error("bb", "Did you mean 'b1'?"),
        error("cc", "Did you mean 'c1'?"),
    ];
    let offered = fixed("aa, bb, cc|", &said);
    assert_eq!(offered, ["aa, bb, c1", "aa, b1, cc", "a1, bb, cc"]);
}

#[test]
fn letters_of_every_kind_are_counted_right() {
    let message = "Cannot find name 'größe'. Did you mean 'Größe'?";
    let said = [error("größe", message)];
    assert_eq!(
        fixed("let 😀 = größe|;\r\n", &said),
        ["let 😀 = Größe;\r\n"]
    );
}

#[test]
fn a_diagnostic_that_does_not_fit_the_text_is_about_another() {
    for (start, end) in [(0, 900), (1, 3), (2, 7), (90, 90)] {
        let said = Diagnostic {
            range: range(start, end),
            ..error("", CUONT).about("")
        };
        let mut request = request_at("a", "nobody knows", "😀 = cuont", 0);
        request.diagnostics = vec![said];
        assert!(predict(&request).is_empty(), "{start}..{end}");
    }
}

#[test]
fn a_line_of_megabytes_is_not_looked_through() {
    let long = format!("cuont|{}", " x".repeat(2_500_000));
    // Pointed at, it is found at once.
    assert_eq!(fixed(&long, &[error("cuont", CUONT)]).len(), 1);
    let message = "Cannot find name 'xx'. Did you mean 'x'?";
    assert!(fixed(&long, &[error("cuont", message)]).is_empty());
}
