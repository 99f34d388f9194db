//! What was changed: the best three changes, in whole lines and honest words.

use super::*;

/// A change of a file in which `[new]` took the place of an old text.
fn change(file: &str, marked: &str, old: &str, age_ms: u64) -> FileChange {
    let (front, rest) = marked.split_once('[').unwrap();
    let (new, back) = rest.split_once(']').unwrap();
    FileChange {
        file: FilePath::new(file),
        language: Language::new("typescript"),
        text: Text::from(&*[front, new, back].concat()),
        made: None,
        edit: RecentEdit {
            made_at: None,
            range: range(front.len(), front.len() + new.len()),
            old_text: old.into(),
            new_text: new.into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms,
            is_finished: true,
        },
    }
}

fn told(changes: Vec<FileChange>) -> Vec<String> {
    let mut request = at(&format!(
        "{}|here\n{}",
        "x\n".repeat(100),
        "x\n".repeat(100)
    ));
    request.changes = changes;
    entries(change_history::section(&request, 3))
}

#[test]
fn is_told_as_in_the_example() {
    let mut request = at("|");
    let code = "before();\n[try { ... } catch (error) { ... }\n]";
    request.changes = vec![change("src/auth/login.ts", code, "", 2 * MINUTE)];
    let section = change_history::section(&request, 3).unwrap();
    assert_eq!(section.heading, "Recent Changes");
    assert_eq!(section.spacing, EntrySpacing::Paragraphs);
    assert_eq!(
        section.entries[0].file,
        Some(FilePath::new("src/auth/login.ts"))
    );
    let expected = "**File**: `src/auth/login.ts` (2 minutes ago)\n\
        **Change**: Added error handling with try/catch block\n\
        ```typescript\ntry { ... } catch (error) { ... }\n```";
    assert_eq!(section.entries[0].text, expected);
}

#[test]
fn a_few_characters_are_told_with_their_line() {
    let told = told(vec![change("a.ts", "one\n  let x = [42];\nthree", "1", 0)]);
    let expected = "**File**: `a.ts` (just now)\n**Change**: Changed 1 line\n\
        ```typescript\n  let x = 42;\n```";
    assert_eq!(told, [expected]);
}

#[test]
fn what_is_gone_is_told_as_it_was() {
    let lines = change("a.ts", "one\n[]three", "two\ntwo and a half\n", 0);
    let words = change("b.ts", "say(one[]);", ", two", 0);
    let expected = [
        "**File**: `a.ts` (just now)\n**Change**: Removed 2 lines\n\
        ```typescript\ntwo\ntwo and a half\n```",
        "**File**: `b.ts` (just now)\n**Change**: Removed part of 1 line\n\
        ```typescript\nsay(one, two);\n```",
    ];
    assert_eq!(told(vec![lines, words]), expected);
}

#[test]
fn times_read_as_people_say_them() {
    let times = [
        (0, "just now"),
        (MINUTE - 1, "just now"),
        (MINUTE, "1 minute ago"),
        (2 * MINUTE, "2 minutes ago"),
        (60 * MINUTE, "1 hour ago"),
        (23 * 60 * MINUTE, "23 hours ago"),
        (24 * 60 * MINUTE, "1 day ago"),
        (3 * 24 * 60 * MINUTE, "3 days ago"),
    ];
    for (age, words) in times {
        assert_eq!(change_history::ago(age), words);
    }
}

/// Of which lines and files changes are told, for a cursor on line 100 of `src/here.ts`.
fn order(places: &[(&str, usize, u64)]) -> Vec<usize> {
    let place = |(index, (file, line, minutes)): (usize, &(&str, usize, u64))| {
        let lines = "x\n".repeat(*line);
        let rest = "x\n".repeat(200 - line);
        let marked = format!("{lines}[n{index}]\n{rest}");
        change(file, &marked, "", minutes * MINUTE)
    };
    let told = told(places.iter().enumerate().map(place).collect());
    let number = |entry: &String| {
        let code = entry.lines().nth(3).unwrap();
        code.trim_start_matches('n').parse().unwrap()
    };
    told.iter().map(number).collect()
}

#[test]
fn this_file_comes_first_then_the_near_and_the_recent() {
    let here = "src/here.ts";
    // 25, 75, 100 points.
    assert_eq!(
        order(&[("b", 100, 0), (here, 0, 0), (here, 100, 0)]),
        [2, 1, 0]
    );
    // One line is worth as much as one minute, and the later wins.
    assert_eq!(
        order(&[(here, 95, 4), (here, 96, 6), (here, 104, 5)]),
        [0, 2, 1]
    );
    // Neither counts more than 25.
    assert_eq!(
        order(&[(here, 126, 26), (here, 199, 25), ("b", 100, 1)]),
        [1, 0, 2]
    );
    // At most three.
    assert_eq!(
        order(&[("a", 0, 9), ("b", 0, 3), ("c", 0, 2), ("d", 0, 1)]),
        [3, 2, 1]
    );
}

#[test]
fn what_was_undone_or_changes_nothing_does_not_appear() {
    let same = change("a.ts", "a[b]c", "b", 0);
    let blank = change("a.ts", "a[\n\n]\nc", "", 0);
    let mut outside = change("a.ts", "a[b]c", "", 0);
    outside.edit.range = range(90, 99);
    let mut changed_back = change("a.ts", "a[b]c", "b", 0);
    changed_back.edit.new_text = "x".into();
    let mut undo = change("a.ts", "a[b]c", "", 0);
    undo.edit.reason = ChangeReason::Undo;
    let mut formatted = change("a.ts", "a[  ]c", " ", 0);
    formatted.edit.reason = ChangeReason::Other;
    let changes = vec![same, blank, outside, changed_back, undo, formatted];
    assert_eq!(told(changes), [""; 0]);
}

#[test]
fn what_was_mended_since_is_told_as_it_reads_now() {
    let mut mended = change("a.ts", "[function right() {\n}\n]", "", 0);
    mended.edit.new_text = "function wrong() {\n}\n".into();
    let told = told(vec![mended]);
    assert!(told[0].contains("Added function `right`") && !told[0].contains("wrong"));
}

#[test]
fn what_is_gone_is_told_as_it_read_though_its_line_has_changed_since() {
    let mut gone = change("a.ts", "tell(one[]);", ", two", 0);
    gone.made = Some(ChangeMoment {
        text: Text::from("say(one);"),
        range: range(7, 7),
    });
    let expected = "**File**: `a.ts` (just now)\n**Change**: Removed part of 1 line\n\
        ```typescript\nsay(one, two);\n```";
    assert_eq!(told(vec![gone]), [expected]);
}

/// The code of the only change.
fn code(entry: &str) -> &str {
    let (_, code) = entry.split_once("```typescript\n").unwrap();
    code.strip_suffix("\n```").unwrap()
}

#[test]
fn long_changes_are_cut_between_lines_and_long_lines_between_words() {
    let lines = told(vec![change(
        "a.ts",
        &format!("[{}]", "call(é);\n".repeat(99)),
        "",
        0,
    )]);
    let lines = code(&lines[0]);
    assert!(lines.ends_with("call(é);\n…") && lines.chars().count() <= 500);
    assert!(lines.chars().count() > 480);
    let words = told(vec![change(
        "a.ts",
        &format!("[{}]", "wörter ".repeat(999)),
        "",
        0,
    )]);
    let words = code(&words[0]);
    assert!(words.ends_with(" wörter …") && words.chars().count() <= 500);
}

#[test]
fn a_long_word_is_never_cut_in_half() {
    let key = "k".repeat(600);
    assert_eq!(
        told(vec![change("a.ts", &format!("[{key}]"), "", 0)]),
        [""; 0]
    );
    let told = told(vec![change("a.ts", &format!("let a = [{key}];"), "", 0)]);
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_change_far_along_a_long_line_is_left_out() {
    let marked = format!("{}[new]", "words ".repeat(90));
    assert_eq!(told(vec![change("a.ts", &marked, "", 0)]), [""; 0]);
    let marked = format!("{}[new]", "words ".repeat(9_000));
    assert_eq!(told(vec![change("a.ts", &marked, "", 0)]), [""; 0]);
}

#[test]
fn a_file_name_forges_nothing() {
    let told = told(vec![change("a`b\n## Forged", "[x]", "", 0)]);
    let first = told[0].lines().next().unwrap();
    assert_eq!(first, "**File**: ``a`b\u{fffd}## Forged`` (just now)");
}

#[test]
fn of_a_file_elsewhere_only_the_name_is_told() {
    for file in ["/home/ada/cust/b.ts", "git:/home/ada/cust/b.ts?ref=HEAD"] {
        let told = told(vec![change(file, "[one();\n]", "", 0)]);
        let path = "**File**: `b.ts` (just now)";
        assert!(told[0].starts_with(path), "{told:?}");
        assert!(!told[0].contains("ada"), "{told:?}");
    }
}
