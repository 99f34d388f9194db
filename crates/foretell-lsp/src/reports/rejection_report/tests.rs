//! That a list goes out and comes back exactly, and that nothing that comes in does any harm.

use foretell_core::{Core, Event, RejectionId, StoredRejection, TextDigest};
use foretell_settings::Settings;
use foretell_testkit::story_editor::{Editor, insert, replace};
use foretell_testkit::strategies;
use foretell_text::{DocumentId, Text};
use proptest::prelude::*;
use serde_json::json;

use super::preview::LONGEST;
use super::*;

/// The wire and back, through text.
fn through_json(stored: &StoredRejection) -> StoredRejection {
    let core = Core::new(Arc::new(Settings::default()));
    let listed = json!({ "rejections": [told(stored, &core)] }).to_string();
    let restored = restore(serde_json::from_str(&listed).unwrap()).unwrap();
    assert_eq!((restored.answer.taken, restored.answer.refused), (1, 0));
    match restored.event {
        Event::RejectionsRestored { rejections } => rejections[0].clone(),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn a_rejection_comes_back_exactly(
        (text, edit, _) in strategies::text_and_two_edits(),
        id in 0..u64::MAX,
        asleep: bool,
        is_known: bool,
        uri in strategies::text(4),
    ) {
        let stored = StoredRejection {
            id: RejectionId::new(id),
            document: DocumentId::new(uri),
            edit,
            text: is_known.then(|| TextDigest::of(&Text::from(text.as_str()))),
            asleep,
        };
        prop_assert_eq!(through_json(&stored), stored);
    }

    #[test]
    fn what_a_person_sees_is_one_short_line(
        (text, edit, _) in strategies::text_and_two_edits(),
    ) {
        let mut editor = Editor::with(&text);
        editor.reject(&edit);
        for it in rejections(&editor.core).rejections {
            prop_assert!(it.text.chars().count() <= "test.ts:99  ".len() + LONGEST + 9);
            prop_assert!(!it.text.contains(foretell_text::plain::is_odd), "{:?}", it.text);
        }
    }
}

#[test]
fn people_see_file_line_and_change() {
    let mut editor = Editor::with("const a = 1\r\nlet 😀 = a\n");
    editor.reject(&insert(11, ": number\n\t//"));
    editor.reject(&replace(17, 21, "total"));
    editor.reject(&replace(13, 16, ""));
    let long = "x".repeat(1_000);
    editor.reject(&insert(0, &long));
    editor.at(1_000);
    let expected = format!(
        "4 rejections, 4 of them awake: what is awake is not shown again.\n\
         \x20  1  test.ts:1  puts in “: number⏎⇥//”\n\
         \x20  2  test.ts:2  “😀” becomes “total”\n\
         \x20  3  test.ts:2  takes out “let”\n\
         \x20  4  test.ts:1  puts in “{}…\n",
        "x".repeat(70)
    );
    assert_eq!(rejections(&editor.core).text, expected);
    editor.close();
    let text = rejections(&editor.core).text;
    let first = text.lines().nth(1).unwrap();
    assert_eq!(first, "   1  test.ts  puts in “: number⏎⇥//” (asleep)");
}

#[test]
fn people_see_whole_words() {
    let mut editor = Editor::with("let width = naïve$1;\nlet x = a.b\n");
    // What becomes of `width`, which ends as `breadth` does; and of others.
    editor.reject(&replace(4, 6, "brea"));
    editor.reject(&insert(9, "_2"));
    editor.reject(&replace(14, 16, ""));
    editor.reject(&insert(33, ".c"));
    editor.reject(&replace(10, 11, "=="));
    editor.at(1_000);
    let expected = "5 rejections, 5 of them awake: what is awake is not shown again.\n\
         \x20  1  test.ts:1  “width” becomes “breadth”\n\
         \x20  2  test.ts:1  “width” becomes “width_2”\n\
         \x20  3  test.ts:1  “naïve$1” becomes “nave$1”\n\
         \x20  4  test.ts:2  puts in “.c”\n\
         \x20  5  test.ts:1  puts in “=”\n";
    let text = rejections(&editor.core).text;
    assert_eq!(text, expected, "\n{text}");
}

#[test]
fn nothing_is_rejected() {
    let core = Core::new(Arc::new(Settings::default()));
    let listed = serde_json::to_value(rejections(&core)).unwrap();
    let expected = json!({ "rejections": [], "text": "Nothing is rejected.\n" });
    assert_eq!(listed, expected);
}

#[test]
fn a_list_survives_a_restart() {
    let text = "const a = 1\r\nlet 😀 = a\n";
    let mut editor = Editor::with(text);
    let edits = [insert(11, ": number"), replace(17, 21, "total")];
    edits.iter().for_each(|edit| editor.reject(edit));
    let listed = serde_json::to_string(&rejections(&editor.core)).unwrap();

    let mut another = Editor::with(text);
    let restored = restore(serde_json::from_str(&listed).unwrap()).unwrap();
    assert_eq!(restored.answer.taken, 2);
    another.tell(restored.event);
    assert!(edits.iter().all(|edit| another.rejects(edit)));
}

#[test]
fn an_entry_that_makes_no_sense_is_refused_and_the_rest_applies() {
    let good = json!({
        "id": 1, "uri": "file:///a", "digest": "5-0000000000000000000000000000002a", "awake": true,
        "edit": { "replacements": [{ "start": 1, "end": 2, "newText": "x" }] },
    });
    let with = |field: &str, value: Value| {
        let mut entry = good.clone();
        entry[field] = value;
        entry
    };
    let edit = |start: i64, end: i64| {
        with(
            "edit",
            json!({ "replacements": [{ "start": start, "end": end, "newText": "secret" }] }),
        )
    };
    let overlap = json!({ "replacements": [
        { "start": 1, "end": 3, "newText": "" }, { "start": 2, "end": 4, "newText": "" },
    ] });
    let many: Vec<Value> = (0..=MOST_REPLACEMENTS)
        .map(|_| json!({ "start": 0, "end": 0, "newText": "a" }))
        .collect();
    let bad = [
        json!(null),
        json!("secret"),
        json!([]),
        json!({}),
        with("id", json!("secret")),
        with("id", json!(-1)),
        with("id", json!(1.5)),
        with("uri", json!(7)),
        with("uri", json!("u".repeat(LONGEST_URI + 1))),
        with("digest", json!("secret")),
        with("digest", json!("-")),
        with("digest", json!("5-xyz")),
        with("awake", json!("secret")),
        with("edit", json!("secret")),
        with("edit", overlap),
        with("edit", json!({ "replacements": many })),
        edit(-1, 2),
        edit(3, 2),
        edit(4, 6),
        edit(0, i64::MAX),
    ];
    let refused = bad.len();
    for one in &bad {
        let restored = restore(json!({ "rejections": [one] })).unwrap();
        let why = restored.answer.why.unwrap();
        assert_eq!(restored.answer.taken, 0, "{one}");
        assert!(!why.contains("secret"), "quotes nothing: {why}");
    }
    let all: Vec<Value> = bad.into_iter().chain([good]).collect();
    let restored = restore(json!({ "rejections": all })).unwrap();
    let counted = (restored.answer.taken, restored.answer.refused);
    assert_eq!(counted, (1, refused));
}

#[test]
fn what_is_given_back_is_bounded() {
    let entry = |text: &str| {
        json!({
            "id": 1, "uri": "file:///a", "digest": null, "awake": false,
            "edit": { "replacements": [{ "start": 0, "end": 0, "newText": text }] },
        })
    };
    let large = "x".repeat(MOST_TEXT / 2);
    let all = json!({ "rejections": [entry(&large), entry(&large), entry("y")] });
    let answer = restore(all).unwrap().answer;
    assert_eq!((answer.taken, answer.refused), (2, 1));
    let all: Vec<Value> = (0..MOST + 5).map(|_| entry("y")).collect();
    let answer = restore(json!({ "rejections": all })).unwrap().answer;
    assert_eq!((answer.taken, answer.refused), (MOST, 5));
}

#[test]
fn a_message_without_a_list_is_refused_as_a_whole() {
    for odd in [
        json!(null),
        json!([]),
        json!({}),
        json!({ "rejections": {} }),
    ] {
        assert_eq!(restore(odd).unwrap_err(), NotRejections::NoList);
    }
}

#[test]
fn one_or_all_are_forgotten_and_nothing_by_mistake() {
    let one = forget(&json!({ "id": 3 })).unwrap();
    let three = RejectionId::new(3);
    assert!(matches!(one, Event::RejectionForgotten { rejection } if rejection == three));
    let all = forget(&json!({ "all": true })).unwrap();
    assert!(matches!(all, Event::RejectionsCleared));
    for odd in [
        json!(null),
        json!({}),
        json!({ "all": false }),
        json!({ "all": "true" }),
        json!({ "id": 3, "all": true }),
        json!({ "id": "3", "all": true }),
        json!({ "id": -3 }),
    ] {
        assert_eq!(
            forget(&odd).unwrap_err(),
            NotRejections::NotAChoice,
            "{odd}"
        );
    }
}

#[test]
fn nothing_that_was_typed_is_printed() {
    let mut editor = Editor::with("a");
    editor.reject(&insert(0, "hunter2"));
    let printed = format!("{:?}", rejections(&editor.core));
    assert!(!printed.contains("hunter2"), "{printed}");
}
