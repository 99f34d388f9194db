//! What the history says of each burst: the text right before it and the text right after it, whatever was typed
//! at its place later.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_testkit::story_editor::{Editor, delete, insert, replace};
use foretell_text::{ByteOffset, ByteRange, Edit, Replacement, Text, edit_moments};
use proptest::prelude::*;

/// The texts right before and after each burst, the latest first.
fn moments(editor: &Editor) -> Vec<(String, String)> {
    let edits = editor.recent_edits();
    let text = Text::from(&*editor.text());
    let moments = edit_moments(&text, &edits);
    let told = moments.map(|it| (it.before().unwrap().to_string(), it.after.to_string()));
    told.collect()
}

#[test]
fn a_line_that_was_gone_on_with_is_told_as_it_was_first() {
    let mut editor = Editor::with("");
    editor.edit(insert(0, "let x = "));
    editor.after(2_000);
    editor.edit(insert(8, "compute();"));
    editor.after(2_000);
    let told = moments(&editor);
    assert_eq!(told[0].0, "let x = ");
    assert_eq!(told[0].1, "let x = compute();");
    assert_eq!(told[1], (String::new(), "let x = ".to_owned()));
}

#[test]
fn lines_that_were_deleted_one_after_the_other_are_told_in_their_order() {
    let mut editor = Editor::with("a\nb\nc\nd\n");
    editor.edit(delete(2, 4));
    editor.after(2_000);
    editor.edit(delete(2, 4));
    editor.after(2_000);
    let told = moments(&editor);
    assert_eq!(told[0], ("a\nc\nd\n".to_owned(), "a\nd\n".to_owned()));
    assert_eq!(told[1], ("a\nb\nc\nd\n".to_owned(), "a\nc\nd\n".to_owned()));
}

#[test]
fn what_was_undone_is_not_told_and_what_is_older_still_is() {
    let mut editor = Editor::with("foo bar\n");
    editor.edit(replace(0, 3, "one"));
    editor.after(2_000);
    editor.edit(replace(1, 2, "x"));
    editor.after(2_000);
    editor.undo();
    editor.after(2_000);
    let told = moments(&editor);
    assert_eq!(told, [("foo bar\n".to_owned(), "one bar\n".to_owned())]);
}

proptest! {
    #[test]
    fn every_burst_is_told_as_it_was(
        text in "[ab\n]{0,12}",
        steps in prop::collection::vec((0_usize..16, 0_usize..5, "[xab\n]{0,4}"), 1..8),
    ) {
        let mut editor = Editor::with(&text);
        let mut texts = vec![text.clone()];
        for (at, removed, new_text) in steps {
            let now = texts.last().unwrap().clone();
            let start = at.min(now.len());
            let end = (start + removed).min(now.len());
            let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
            let edit = Edit::from(Replacement::new(range, new_text));
            let then = edit.apply(&Text::from(&*now)).unwrap().to_string();
            editor.edit(edit);
            editor.after(2_000);
            if then != now {
                texts.push(then);
            }
        }
        // A burst that changes nothing is none, and one may bring back what was before the one ahead of it.
        let told = moments(&editor);
        prop_assert_eq!(told.len(), texts.len() - 1);
        for ((before, after), texts) in told.iter().rev().zip(texts.windows(2)) {
            prop_assert_eq!(before, &texts[0]);
            prop_assert_eq!(after, &texts[1]);
        }
    }
}
