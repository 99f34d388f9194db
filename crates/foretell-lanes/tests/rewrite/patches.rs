//! Answers that are differences: they are applied, or not placed.

use foretell_lanes::model::answer_frame::AnswerEnd;
use proptest::prelude::*;
use similar::TextDiff;

use crate::fragments::{Change, change};
use crate::stage::Stage;

const AREA: &str = "\
import os

def area(width, height):
    return widht *‸ height

print(area(2, 3))
";

fn fixed() -> String {
    AREA.replace('‸', "").replace("widht", "width")
}

fn is_unplaced(told: &str) -> bool {
    told.starts_with("unplaced: ") && told.contains("a difference that does not fit")
}

#[test]
fn a_unified_diff_is_applied() {
    let stage = Stage::at(AREA);
    let hunk = "-    return widht * height\n+    return width * height\n";
    for answer in [
        format!("```diff\n{hunk}```\n"),
        format!("```diff\n def area(width, height):\n{hunk}```\n"),
        format!("```diff\n@@ -3,2 +3,2 @@ def area\n def area(width, height):\n{hunk}\n```\n"),
        format!(
            "```diff\n--- a/area.py\n+++ b/area.py\n@@ -1 +1 @@\n{hunk}\\ No newline at end of file\n```\n"
        ),
        format!(
            "```patch\ndiff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n{hunk}```\n"
        ),
        format!("```\n{hunk}```\n"),
        format!("```python\n@@ -3 +3 @@\n{hunk}```\n"),
        format!("--- a/area.py\n+++ b/area.py\n@@ -3 +3 @@\n{hunk}"),
        // Without the space before lines that are kept, and with too much before all.
        format!("```diff\ndef area(width, height):\n{hunk}\nprint(area(2, 3))\n```\n"),
        "```diff\n- return widht * height\n+ return width * height\n```\n".to_owned(),
    ] {
        assert_eq!(stage.answered(&answer), fixed(), "{answer}");
    }
}

#[test]
fn all_hunks_are_applied_or_none() {
    let stage = Stage::at(AREA);
    let fix = "-    return widht * height\n+    return width * height\n";
    let both = format!("```diff\n@@ -1 +1,2 @@\n import os\n+import re\n@@ -4 +4 @@\n{fix}```\n");
    let expected = fixed().replace("import os\n", "import os\nimport re\n");
    assert_eq!(stage.answered(&both), expected);
    let half = format!("```diff\n@@ -1 +1,2 @@\n import sys\n+import re\n@@ -4 +4 @@\n{fix}```\n");
    assert!(is_unplaced(&stage.answered(&half)));
}

#[test]
fn lines_that_are_only_added_and_only_removed_are_understood() {
    let stage = Stage::at(AREA);
    let old = AREA.replace('‸', "");
    let added = old.replace("import os\n", "import os\nimport re\n");
    for answer in [
        "```diff\n import os\n+import re\n```",
        "```\nimport os\n+import re\n\ndef area(width, height):\n```",
    ] {
        assert_eq!(stage.answered(answer), added, "{answer}");
    }
    let removed = old.replace("import os\n", "");
    assert_eq!(stage.answered("```diff\n-import os\n```"), removed);
}

#[test]
fn a_diff_that_fits_nowhere_or_twice_is_not_placed() {
    let stage = Stage::at("a = call(1)\nb = 2‸\nc = call(1)\nb = 2\n");
    for answer in [
        "```diff\n-b = 2\n+b = 3\n```",
        "```diff\n-b = 7\n+b = 3\n```",
        "```diff\n+b = 3\n```",
    ] {
        assert!(is_unplaced(&stage.answered(answer)), "{answer}");
    }
    let answer = "```diff\n-b = 2\n+b = 3\n c = call(1)\n```";
    assert_eq!(
        stage.answered(answer),
        "a = call(1)\nb = 3\nc = call(1)\nb = 2\n"
    );
}

#[test]
fn no_diff_changes_a_line_that_was_only_shown() {
    let mut lines: Vec<String> = (0..60).map(|n| format!("let line{n} = {n};")).collect();
    lines[30].push('‸');
    let stage = Stage::at(&lines.join("\n"));
    let old = lines.join("\n").replace('‸', "");
    let outside = "```diff\n-let line3 = 3;\n+let other = 3;\n```";
    assert!(is_unplaced(&stage.answered(outside)));
    // They may be kept lines.
    let inside =
        "```diff\n let line18 = 18;\n let line19 = 19;\n-let line20 = 20;\n+let other = 20;\n```";
    let expected = old.replace("line20 =", "other =");
    assert_eq!(stage.answered(inside), expected);
}

#[test]
fn search_and_replace_is_applied() {
    let stage = Stage::at(AREA);
    let body = |start: &str, end: &str| {
        format!(
            "{start}\ndef area(width, height):\n    return widht * height\n=======\n\
             def area(width, height):\n    return width * height\n{end}\n"
        )
    };
    let usual = body("<<<<<<< SEARCH", ">>>>>>> REPLACE");
    for answer in [
        format!("```python\n{usual}```\n"),
        format!("area.py\n{usual}"),
        usual.clone(),
        format!("```\n{}```\n", body("------- SEARCH", "+++++++ REPLACE")),
    ] {
        assert_eq!(stage.answered(&answer), fixed(), "{answer}");
    }
    for answer in [
        "```\n<<<<<<< SEARCH\nno such line\n=======\nother\n>>>>>>> REPLACE\n```",
        "```\n<<<<<<< SEARCH\nimport os\n=======\nimport re\n```",
        "```\n<<<<<<< SEARCH\n=======\nimport re\n>>>>>>> REPLACE\n```",
    ] {
        assert!(is_unplaced(&stage.answered(answer)), "{answer}");
    }
}

#[test]
fn lines_with_signs_of_their_own_are_no_difference() {
    let old = "fruit:\n- apples\n- pears‸\n- plums\nend: 1\n";
    let new = old
        .replace('‸', "")
        .replace("- pears\n", "- pears\n- figs\n");
    assert_eq!(Stage::at(old).answered(&format!("```yaml\n{new}```")), new);
    let bare = "apples\npears‸\nplums\n";
    let list = "- apples\n- pears\n- plums\n";
    assert_eq!(
        Stage::at(bare).answered(&format!("```markdown\n{list}```")),
        list
    );
    // A file that is a difference comes back as one.
    let old = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n-two‸\n+three\n";
    let mut stage = Stage::at(old);
    stage.request.document.language = foretell_text::Language::new("diff");
    let new = old.replace('‸', "").replace("three", "four");
    assert_eq!(stage.answered(&format!("```diff\n{new}```")), new);
}

/// The unified diff of a change, with so many lines around it.
fn diff(change: &Change, radius: usize) -> String {
    let (old, new) = (format!("{}\n", change.old.join("\n")), change.text());
    let diff = TextDiff::from_lines(&old, &new);
    let unified = diff
        .unified_diff()
        .context_radius(radius)
        .header("a/x", "b/x")
        .to_string();
    format!("```diff\n{unified}```\n")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_diff_is_applied_as_the_whole_would_be_or_not_at_all(
        change in prop_oneof![change(false), change(true)],
        radius in 1usize..4,
    ) {
        let stage = change.stage();
        let answer = diff(&change, radius);
        if let Ok(placed) = stage.place(&answer, AnswerEnd::Own) {
            let after = stage.applied(&placed.candidates);
            let said = |text: &str| -> Vec<String> {
                let lines = text.split('\n').map(|line| line.trim_end().to_owned());
                lines.filter(|line| !line.is_empty()).collect()
            };
            let (old, new) = (change.old.join("\n"), change.text());
            prop_assert!(said(&after) == said(&new), "{old}\n{answer}\n{after}");
        }
    }
}
