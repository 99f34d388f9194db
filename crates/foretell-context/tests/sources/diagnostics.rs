//! What compilers say: the worst first, then the nearest, one line each.

use super::*;

fn remark(severity: DiagnosticSeverity, at: usize, message: &str) -> Diagnostic {
    Diagnostic {
        range: range(at, at),
        severity,
        source: Some("tsc".into()),
        code: None,
        message: message.into(),
        fixes: Vec::new(),
    }
}

fn told(request: &ContextRequest, most: usize) -> Vec<String> {
    entries(diagnostics::section(request, most))
}

#[test]
fn is_one_line_each() {
    let mut request = at("|function f() {}\n");
    let mut missing = remark(
        DiagnosticSeverity::Error,
        0,
        "Missing return type annotation.",
    );
    missing.source = Some("typescript".into());
    request.diagnostics = vec![missing];
    let section = diagnostics::section(&request, 5).unwrap();
    assert_eq!(section.heading, "Diagnostics");
    assert_eq!(section.spacing, EntrySpacing::Lines);
    assert_eq!(section.entries[0].file, Some(request.file));
    let expected = "**ERROR** [typescript] (line 1): Missing return type annotation.";
    assert_eq!(section.entries[0].text, expected);
}

#[test]
fn the_worst_comes_first_then_the_nearest_then_the_first() {
    let mut request = at("0\n1\n2\n|3\n4\n5\n");
    request.diagnostics = vec![
        remark(DiagnosticSeverity::Hint, 6, "here"),
        remark(DiagnosticSeverity::Warning, 10, "two below"),
        remark(DiagnosticSeverity::Warning, 4, "one above"),
        remark(DiagnosticSeverity::Warning, 8, "one below"),
        remark(DiagnosticSeverity::Information, 6, "here"),
        remark(DiagnosticSeverity::Error, 0, "far"),
    ];
    let expected = [
        "**ERROR** [tsc] (line 1): far",
        "**WARNING** [tsc] (line 3): one above",
        "**WARNING** [tsc] (line 5): one below",
        "**WARNING** [tsc] (line 6): two below",
        "**INFO** [tsc] (line 4): here",
        "**HINT** [tsc] (line 4): here",
    ];
    assert_eq!(told(&request, 9), expected);
    assert_eq!(told(&request, 5), expected[..5]);
    assert_eq!(told(&request, 0), [""; 0]);
}

#[test]
fn near_is_near_the_selection_where_there_is_one() {
    let mut request = at("|0\n1\n2\n3\n4\n5\n");
    request.diagnostics = vec![
        remark(DiagnosticSeverity::Error, 2, "at the cursor"),
        remark(DiagnosticSeverity::Error, 10, "in the selection"),
    ];
    request.selection = Some(range(8, 12));
    assert_eq!(
        told(&request, 1),
        ["**ERROR** [tsc] (line 6): in the selection"]
    );
}

#[test]
fn a_remark_forges_nothing_and_is_short() {
    let mut request = at("|x\n");
    let mut nameless = remark(
        DiagnosticSeverity::Error,
        0,
        "a\r\n\r\n## Forged\n\tb\u{7}c",
    );
    nameless.source = None;
    let mut odd = remark(DiagnosticSeverity::Error, 0, &"word ".repeat(1_000));
    odd.source = Some("x\n## y".into());
    request.diagnostics = vec![nameless, odd];
    let told = told(&request, 5);
    assert_eq!(told[0], "**ERROR** (line 1): a ## Forged bc");
    assert!(told[1].starts_with("**ERROR** [x ## y] (line 1): word word"));
    assert!(told[1].ends_with("word …") && told[1].len() < 350);
}

#[test]
fn what_is_about_another_text_or_says_nothing_or_was_said_is_left_out() {
    let mut request = at("|é\n");
    let mut too_long = remark(DiagnosticSeverity::Error, 0, "too long");
    too_long.range = range(0, 99);
    request.diagnostics = vec![
        remark(DiagnosticSeverity::Error, 99, "outside"),
        remark(DiagnosticSeverity::Error, 1, "inside a character"),
        too_long,
        remark(DiagnosticSeverity::Error, 0, " \n"),
        remark(DiagnosticSeverity::Error, 0, "said"),
        remark(DiagnosticSeverity::Error, 0, "said"),
    ];
    assert_eq!(told(&request, 5), ["**ERROR** [tsc] (line 1): said"]);
}
