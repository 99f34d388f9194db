//! Answers with only a part of what was asked for: the rest stays.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::rewrite::EditTask;
use foretell_testkit::string_model::range;
use foretell_text::{Diagnostic, DiagnosticSeverity};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::stage::Stage;

const AREA: &str = "\
import os

def area(width, height):
    return widht *‸ height

print(area(2, 3))
";

fn fenced(lines: &str) -> String {
    format!("```\n{}\n```\n", lines.trim_end_matches('\n'))
}

/// A stage that is asked to fix what is reported of some of its text.
fn fixing(text: &str, reported: &str) -> Stage {
    let mut stage = Stage::at(text);
    let text = text.replace('‸', "");
    let start = text.find(reported).unwrap();
    stage.task = EditTask::Fix;
    stage.request.diagnostics.push(Diagnostic {
        range: range(start, start + reported.len()),
        severity: DiagnosticSeverity::Error,
        source: None,
        code: None,
        message: "this is wrong".to_owned(),
        fixes: Vec::new(),
    });
    stage
}

fn is_unplaced(told: &str) -> bool {
    told.starts_with("unplaced: ") && told.contains("only a part")
}

#[test]
fn a_function_alone_leaves_the_rest_of_the_file() {
    let new = AREA.replace('‸', "").replace("widht", "width");
    let answer = "def area(width, height):\n    return width * height\n";
    assert_eq!(Stage::at(AREA).answered(&fenced(answer)), new);
    let fixing = fixing(AREA, "widht");
    assert_eq!(fixing.answered(&fenced(answer)), new);
    // The one line that was wrong, where it is known which that is.
    assert_eq!(fixing.answered(&fenced("    return width * height")), new);
    assert_eq!(fixing.answered(&fenced("return width * height")), new);
}

#[test]
fn some_functions_of_many_leave_the_others() {
    let function = |n: u32| format!("fn f{n}(x: u32) {{\n    go(x);\n}}\n\n");
    let old: String = (3..=10).map(function).collect();
    let new = old.replace(
        "fn f4(x: u32) {\n    go(x)",
        "fn f4(x: u32) {\n    go(x + 1)",
    );
    let stage = Stage::at(
        &old.replacen("go(x)", "go(‸x)", 2)
            .replacen("go(‸x)", "go(x)", 1),
    );
    for functions in [3..6, 4..5, 4..6, 3..8] {
        let part: String = functions.clone().map(function).collect();
        let part = part.replace(
            "fn f4(x: u32) {\n    go(x)",
            "fn f4(x: u32) {\n    go(x + 1)",
        );
        assert_eq!(stage.answered(&fenced(&part)), new, "{functions:?}");
    }
    let documented = old.replace("fn f5", "/// The fifth.\nfn f5");
    let answer = "/// The fifth.\nfn f5(x: u32) {\n    go(x);\n}\n";
    assert_eq!(stage.answered(&fenced(answer)), documented);
    // Any of them may be meant.
    assert!(is_unplaced(
        &stage.answered(&fenced("    go(x);\n    stop(x);\n}\n"))
    ));
    assert!(is_unplaced(
        &stage.answered(&fenced("fn g(x: u32) {\n    go(x);\n}\n"))
    ));
}

#[test]
fn a_part_may_be_less_deep_than_it_was() {
    let old =
        "impl Cart {\n    fn a(&self) {\n        self.b()‸;\n    }\n\n    fn c(&self) {}\n}\n";
    let new = old.replace('‸', "").replace("self.b()", "self.d()");
    let answer = "fn a(&self) {\n    self.d();\n}\n";
    assert_eq!(Stage::at(old).answered(&fenced(answer)), new);
}

#[test]
fn what_is_missing_at_an_end_is_not_taken_to_be_deleted() {
    let stage = Stage::at("let a = 1;\nlet b = 2;‸\nlet c = 3;\nlet d = 4;\n");
    for answer in [
        "let a = 1;\nlet b = 2;\nlet c = 3;",
        "let b = 2;\nlet c = 3;\nlet d = 4;",
        "let c = 3;",
    ] {
        assert_eq!(stage.answered(&fenced(answer)), "nothing", "{answer}");
    }
    // Between lines that are kept it is.
    let answer = "let a = 1;\nlet b = 2;\nlet d = 4;";
    assert_eq!(stage.answered(&fenced(answer)), format!("{answer}\n"));
}

#[test]
fn what_a_diagnostic_is_about_may_be_deleted_at_an_end() {
    let text = "import os\nimport re\n\nprint(re.sub(a, b, c))\nprint(1)\n‸";
    let stage = fixing(&text.replace('‸', "").replacen("os", "os‸", 1), "import os");
    let answer = text.replace('‸', "").replace("import os\n", "");
    assert_eq!(stage.answered(&fenced(&answer)), answer);
    let mut next_edit = stage;
    next_edit.task = EditTask::NextEdit;
    assert_eq!(next_edit.answered(&fenced(&answer)), "nothing");
}

#[test]
fn lines_around_the_region_that_are_repeated_are_kept_lines() {
    let lines: Vec<String> = (0..60).map(|n| format!("let line{n} = {n};")).collect();
    let mut with_cursor = lines.clone();
    with_cursor[30].push('‸');
    let stage = Stage::at(&with_cursor.join("\n"));
    // The region is the lines from 20 to 45.
    let mut new = lines.clone();
    new.remove(20);
    let answer = fenced(&new[17..30].join("\n"));
    assert_eq!(stage.answered(&answer), new.join("\n"));
}

#[test]
fn a_line_at_an_end_that_fits_nothing_needs_the_cursor() {
    let answer = fenced("def f(x):\n    log(x)\n    if x > 2:\n        x = 2\n    return 3\n");
    let at_it = Stage::at("def f(x):\n    log(x)\n    pass‸\n");
    let expected = "def f(x):\n    log(x)\n    if x > 2:\n        x = 2\n    return 3\n";
    assert_eq!(at_it.answered(&answer), expected);
    let elsewhere = Stage::at("def f(x):‸\n    log(x)\n    pass\n");
    assert!(is_unplaced(&elsewhere.answered(&answer)));
    // As many lines as there were, each where it was.
    let as_many = "def f(x):\n    log(x)\n    return 3\n";
    assert_eq!(elsewhere.answered(&fenced(as_many)), as_many);
}

#[test]
fn the_same_change_of_every_line_is_no_part() {
    let old = "print(a)‸\nprint(b)\nprint(c)\nprint(d)\n";
    let new = old.replace('‸', "").replace("print", "logger.info");
    assert_eq!(Stage::at(old).answered(&fenced(&new)), new);
}

#[test]
fn the_whole_may_begin_and_end_with_other_lines_and_leave_some_out() {
    let old = "use alpha;‸\nlet a = 1;\n\nlet b = 2;\nlet c = 3;\nfn psi() {}\n";
    let new = "use alpha::Beta;\nlet a = 1;\nfn psi(x: u32) {}\n";
    assert_eq!(Stage::at(old).answered(&fenced(new)), new);
}

#[test]
fn a_part_with_as_many_lines_as_there_were_is_not_taken_for_the_whole() {
    let head = "use alpha;\nuse beta;\n";
    let kept = "foo(a, b);\nfoo(a, b);\n}\nfn f0(x: u32) {\n";
    let stage = Stage::at(&format!(
        "{head}{kept}return 0;‸\n    go0(x);\n    go0(x);\nfn omega() {{}}\nfn psi() {{}}\n"
    ));
    // Its last line is a little like the last of the region: taken for it, those before would go.
    let added = "foo(a, b);\nfoo(a, b);\nfn f0(x: u32) {\n\n    go0(x);\n";
    assert!(is_unplaced(
        &stage.answered(&fenced(&format!("{head}{added}{kept}")))
    ));
}

/// A region, a stretch of it, and what that becomes.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
    /// Where it differs, in the new.
    pub(crate) start: usize,
    pub(crate) new_end: usize,
    pub(crate) cursor: Index,
}

impl Change {
    pub(crate) fn stage(&self) -> Stage {
        let text = format!("{}\n", self.old.join("\n"));
        let places: Vec<usize> = (0..text.len())
            .filter(|at| text.is_char_boundary(*at))
            // All of it is the region.
            .filter(|at| {
                let (above, below) = text.split_at(*at);
                above.matches('\n').count() <= 10 && below.matches('\n').count() <= 15
            })
            .collect();
        Stage::of(&text, *self.cursor.get(&places))
    }

    pub(crate) fn text(&self) -> String {
        format!("{}\n", self.new.join("\n"))
    }
}

/// Lines of which some are alike, and none is another unless it may be.
fn lines(may_repeat: bool) -> impl Strategy<Value = Vec<String>> {
    let line = select(vec![
        "let x# = foo(a, b);",
        "fn f#(x: u32) {",
        "    go#(x);",
        "return 😀#;",
        "// why # and 日本",
        "\tif a# > b {",
        "}",
        "",
    ]);
    vec((line, 0usize..4), 6..16).prop_map(move |lines| {
        let lines = lines.into_iter().enumerate();
        let numbered = lines.map(|(at, (line, n))| {
            let number = if may_repeat { n } else { 100 + at };
            line.replace('#', &number.to_string())
        });
        numbered.collect()
    })
}

/// A change that has two lines on either side that say something.
pub(crate) fn change(may_repeat: bool) -> impl Strategy<Value = Change> {
    let parts = (
        lines(may_repeat),
        lines(may_repeat),
        any::<[Index; 3]>(),
        any::<Index>(),
    );
    parts.prop_map(move |(mut old, other, at, cursor)| {
        for (at, line) in ["use alpha;", "use beta;", "fn omega() {}", "fn psi() {}"]
            .iter()
            .enumerate()
        {
            let at = if at < 2 { at } else { old.len() };
            old.insert(at, (*line).to_owned());
        }
        let start = 2 + at[0].index(old.len() - 3);
        let old_end = start + at[1].index(old.len() - 1 - start).min(6);
        let put_in = other.iter().take(at[2].index(6)).map(|line| {
            if may_repeat {
                line.clone()
            } else {
                line.replace("10", "20").replace("11", "21")
            }
        });
        let put_in: Vec<String> = put_in.collect();
        let new_end = start + put_in.len();
        let mut new = old.clone();
        new.splice(start..old_end, put_in);
        Change {
            old,
            new,
            start,
            new_end,
            cursor,
        }
    })
}

/// The lines around a stretch, with so many lines on either side that say something.
fn around(change: &Change, most: [usize; 2]) -> Vec<String> {
    let says = |line: &&String| line.chars().filter(|c| c.is_alphanumeric()).count() >= 3;
    let (head, tail) = (&change.new[..change.start], &change.new[change.new_end..]);
    let mut first = head.len();
    let mut seen = 0;
    for (at, line) in head.iter().enumerate().rev() {
        if seen > most[0] {
            break;
        }
        first = at;
        seen += usize::from(says(&line));
    }
    let mut last = change.new_end;
    seen = 0;
    for (at, line) in tail.iter().enumerate() {
        if seen > most[1] {
            break;
        }
        last = change.new_end + at + 1;
        seen += usize::from(says(&line));
    }
    change.new[first..last].to_vec()
}

fn said(text: &str) -> Vec<&str> {
    let lines = text.split('\n').map(str::trim_end);
    lines.filter(|line| !line.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_part_with_lines_around_it_is_placed_as_the_whole_would_be_or_not_at_all(
        change in change(false),
        most in [0usize..4, 0usize..4],
    ) {
        let stage = change.stage();
        let answer = fenced(&around(&change, most).join("\n"));
        if let Ok(placed) = stage.place(&answer, AnswerEnd::Own) {
            let after = stage.applied(&placed.candidates);
            let (old, new) = (change.old.join("\n"), change.text());
            prop_assert!(said(&after) == said(&new), "{old}\n{answer}\n{after}");
        }
    }

    // Where lines repeat, a part may be taken for another. Still it takes no line away.
    #[test]
    fn a_part_that_adds_to_lines_that_repeat_takes_none_away(
        change in change(true),
        most in [0usize..4, 0usize..4],
    ) {
        let mut change = change;
        change.old = change.new.clone();
        change.old.drain(change.start..change.new_end);
        let stage = change.stage();
        let answer = fenced(&around(&change, most).join("\n"));
        if let Ok(placed) = stage.place(&answer, AnswerEnd::Own) {
            let after = stage.applied(&placed.candidates);
            let old = change.old.join("\n");
            prop_assert!(said(&after).len() >= said(&old).len(), "{old}\n{answer}\n{after}");
        }
    }
}
