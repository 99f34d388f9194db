//! Text and edits by example: what a person or an editor does, and what comes of it.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use foretell_testkit::string_model::range;
use foretell_text::{
    ByteOffset, ByteRange, CarryAgreement, ChangeElsewhere, Edit, OffsetBias, Position,
    PositionEncoding, Replacement, Text,
};

fn insert(at: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::insertion(ByteOffset::new(at), new_text))
}

fn replace(start: usize, end: usize, new_text: &str) -> Edit {
    Edit::from(Replacement::new(range(start, end), new_text))
}

fn effect(edit: &Edit, text: &str) -> String {
    edit.effect(&Text::from(text)).unwrap().to_string()
}

/// What is left of a suggestion after the person's edit, as it would be shown, or `gone`.
fn carried(text: &str, ours: &Edit, base: &Edit, elsewhere: ChangeElsewhere) -> String {
    let before = Text::from(text);
    let after = base.apply(&before).unwrap();
    match strictly(ours, &before, base, elsewhere) {
        Some(carried) => carried.trimmed(&after).unwrap().to_string(),
        None => "gone".to_owned(),
    }
}

fn strictly(ours: &Edit, text: &Text, base: &Edit, elsewhere: ChangeElsewhere) -> Option<Edit> {
    ours.carried_over(text, base, CarryAgreement::Strict, elsewhere)
        .unwrap()
}

#[test]
fn an_edit_prints_as_people_write_it() {
    assert_eq!(insert(7, ": number").to_string(), r#"[7, 7) -> ": number""#);
    assert_eq!(replace(0, 2, "a\n\"").to_string(), r#"[0, 2) -> "a\n\"""#);
    let several = Edit::new(vec![
        Replacement::deletion(range(1, 2)),
        Replacement::insertion(ByteOffset::new(4), "x"),
    ]);
    assert_eq!(
        several.unwrap().to_string(),
        r#"[1, 2) -> "", [4, 4) -> "x""#
    );
    assert_eq!(Edit::empty().to_string(), "nothing");
}

#[test]
fn a_rewritten_line_is_trimmed_to_what_it_changes() {
    let text = Text::from("const x = 1");
    let rewritten = replace(0, 11, "const x: number = 1");
    let trimmed = rewritten.trimmed(&text).unwrap();
    assert_eq!(trimmed.to_string(), r#"[7, 7) -> ": number""#);
}

#[test]
fn a_comment_above_moves_a_stored_edit_down() {
    let mut rejected = insert(7, ": number");
    rejected.rebase_over(&insert(0, "// Comment\n")).unwrap();
    assert_eq!(rejected.to_string(), r#"[18, 18) -> ": number""#);
}

#[test]
fn trimming_repeated_characters_takes_the_suffix_first() {
    let trimmed = replace(0, 2, "aaa").trimmed(&Text::from("aa")).unwrap();
    assert_eq!(trimmed.to_string(), r#"[0, 0) -> "a""#);
}

#[test]
fn characters_that_share_bytes_are_not_cut_in_half() {
    // é is c3 a9, ĩ is c4 a9: the same last byte. 😀 and 😁 share their first three.
    assert_eq!(effect(&replace(0, 2, "ĩ"), "é"), r#"[0, 2) -> "ĩ""#);
    assert_eq!(effect(&replace(0, 4, "😁"), "😀"), r#"[0, 4) -> "😁""#);
}

#[test]
fn a_line_put_before_or_after_has_the_same_effect() {
    let text = "one\ntwo\nthree\n";
    let before_two = effect(&insert(4, "foo\n"), text);
    let after_one = effect(&insert(3, "\nfoo"), text);
    assert_eq!(before_two, after_one);
}

#[test]
fn different_white_space_is_a_different_effect() {
    let text = "const x = 1";
    assert_ne!(
        effect(&insert(7, ": number"), text),
        effect(&insert(7, ":number"), text)
    );
}

#[test]
fn a_brace_in_a_run_of_braces_has_one_effect_wherever_it_is_put() {
    let text = "{\n}\n}\n}\n";
    let places = [2, 4, 6, 8].map(|at| effect(&insert(at, "}\n"), text));
    assert!(
        places.iter().all(|effect| *effect == places[0]),
        "{places:?}"
    );
}

#[test]
fn an_edit_that_replaces_text_by_itself_has_no_effect() {
    assert_eq!(effect(&replace(0, 3, "one"), "one two"), "nothing");
    let there_and_back = Edit::new(vec![
        Replacement::insertion(ByteOffset::ZERO, "ab"),
        Replacement::deletion(range(4, 6)),
    ]);
    assert_eq!(effect(&there_and_back.unwrap(), "ababab"), "nothing");
}

#[test]
fn insertions_at_one_place_go_in_the_order_of_the_list() {
    let both = Edit::new(vec![
        Replacement::insertion(ByteOffset::new(1), "1"),
        Replacement::insertion(ByteOffset::new(1), "2"),
    ]);
    assert_eq!(
        both.unwrap().apply(&Text::from("ab")).unwrap().to_string(),
        "a12b"
    );
}

#[test]
fn lines_end_with_lf_crlf_and_cr_alike() {
    let text = Text::from("a\nb\r\nc\rd");
    assert_eq!(text.line_count(), 4);
    let starts = [0, 2, 5, 7];
    for (line, start) in starts.into_iter().enumerate() {
        assert_eq!(text.line(line as u32), Ok(range(start, start + 1)));
    }
}

#[test]
fn other_separators_are_not_line_ends_to_an_editor() {
    let text = Text::from("a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f");
    assert_eq!(text.line_count(), 1);
}

#[test]
fn an_emoji_is_one_two_or_four_columns() {
    let text = Text::from("let 😀 = 1;\nnext");
    let behind = ByteOffset::new(8);
    let column = |encoding| text.position_of(behind, encoding).unwrap().column;
    assert_eq!(column(PositionEncoding::Utf8), 8);
    assert_eq!(column(PositionEncoding::Utf16), 6);
    assert_eq!(column(PositionEncoding::Utf32), 5);
}

#[test]
fn a_column_past_the_end_is_the_end_for_lsp_only() {
    let text = Text::from("short\r\nnext");
    let far = Position::new(0, 40);
    assert_eq!(
        text.offset_at_lsp(far, PositionEncoding::Utf16),
        Ok(ByteOffset::new(5))
    );
    assert_eq!(
        text.offset_at(far, PositionEncoding::Utf16)
            .unwrap_err()
            .to_string(),
        "1:41 is past the end of its line of 5 UTF-16 columns"
    );
}

#[test]
fn a_number_of_bytes_ends_before_the_character_that_it_would_cut() {
    let text = Text::from("aé😀");
    let floors = [0, 1, 2, 3, 4, 6, 7, 8, usize::MAX].map(|bytes| text.floor(bytes).get());
    assert_eq!(floors, [0, 1, 1, 3, 3, 3, 7, 7, 7]);
    assert_eq!(Text::from("").floor(9), ByteOffset::ZERO);
}

#[test]
fn a_cursor_stays_before_or_moves_behind_what_is_typed() {
    let typed = insert(4, "abc");
    let cursor = ByteOffset::new(4);
    assert_eq!(
        typed.map_offset(cursor, OffsetBias::Before),
        ByteOffset::new(4)
    );
    assert_eq!(
        typed.map_offset(cursor, OffsetBias::After),
        ByteOffset::new(7)
    );
    // In front of what is replaced is in front of what replaces it, whatever the bias.
    assert_eq!(
        replace(4, 6, "abc").map_offset(cursor, OffsetBias::After),
        ByteOffset::new(4)
    );
}

#[test]
fn a_range_does_not_grow_by_what_is_typed_at_its_ends() {
    let underlined = range(4, 8);
    assert_eq!(insert(4, "abc").map_range(underlined), range(7, 11));
    assert_eq!(insert(8, "abc").map_range(underlined), range(4, 8));
    assert_eq!(insert(6, "abc").map_range(underlined), range(4, 11));
    assert_eq!(replace(3, 9, "").map_range(underlined), range(3, 3));
    assert_eq!(replace(6, 12, "xy").map_range(underlined), range(4, 6));
    assert_eq!(replace(3, 9, "xyz").map_range(underlined), range(3, 3));
    assert_eq!(replace(4, 8, "xyz").map_range(underlined), range(4, 7));
}

#[test]
fn typing_a_suggestion_leaves_the_rest_of_it() {
    let suggestion = insert(8, "foo(bar);");
    let typed = insert(8, "foo");
    let rest = carried("let x = ", &suggestion, &typed, ChangeElsewhere::Ends);
    assert_eq!(rest, r#"[11, 11) -> "(bar);""#);
}

#[test]
fn typing_something_else_leaves_nothing() {
    let suggestion = insert(8, "foo(bar);");
    assert_eq!(
        carried(
            "let x = ",
            &suggestion,
            &insert(8, "q"),
            ChangeElsewhere::Ends
        ),
        "gone"
    );
}

#[test]
fn an_auto_closed_pair_is_on_the_way() {
    let suggestion = insert(8, "foo(bar);");
    let typed = insert(8, "foo");
    let before = Text::from("let x = ");
    let after_foo = typed.apply(&before).unwrap();
    let rest = strictly(&suggestion, &before, &typed, ChangeElsewhere::Ends).unwrap();
    // The person types the opener and the editor adds the closer.
    let pair = insert(11, "()");
    let after_pair = pair.apply(&after_foo).unwrap();
    let rest = strictly(&rest, &after_foo, &pair, ChangeElsewhere::Ends).unwrap();
    assert_eq!(
        rest.apply(&after_pair).unwrap().to_string(),
        "let x = foo(bar);"
    );
    // Then types what belongs between them.
    let inside = insert(12, "ba");
    let after_inside = inside.apply(&after_pair).unwrap();
    let rest = strictly(&rest, &after_pair, &inside, ChangeElsewhere::Ends).unwrap();
    assert_eq!(
        rest.apply(&after_inside).unwrap().to_string(),
        "let x = foo(bar);"
    );
}

#[test]
fn deleting_what_was_typed_brings_the_whole_suggestion_back() {
    let before = Text::from("let x = ");
    let typed = insert(8, "fo");
    let after = typed.apply(&before).unwrap();
    let suggestion = insert(8, "foo(bar);");
    let rest = strictly(&suggestion, &before, &typed, ChangeElsewhere::Ends).unwrap();
    let backspace = Edit::from(Replacement::deletion(range(9, 10)));
    let again = strictly(&rest, &after, &backspace, ChangeElsewhere::Ends).unwrap();
    let shown = again.trimmed(&backspace.apply(&after).unwrap()).unwrap();
    assert_eq!(shown.to_string(), r#"[9, 9) -> "oo(bar);""#);
}

#[test]
fn deleting_what_a_suggestion_deletes_is_on_the_way() {
    let suggestion = replace(4, 12, "");
    let backspace = Edit::from(Replacement::deletion(range(11, 12)));
    let rest = carried(
        "let unwanted = 1",
        &suggestion,
        &backspace,
        ChangeElsewhere::Ends,
    );
    assert_eq!(rest, r#"[4, 11) -> """#);
}

#[test]
fn deleting_what_a_suggestion_keeps_leaves_nothing() {
    let suggestion = insert(5, " + 1");
    let backspace = Edit::from(Replacement::deletion(range(4, 5)));
    assert_eq!(
        carried("x = y", &suggestion, &backspace, ChangeElsewhere::Ends),
        "gone"
    );
}

#[test]
fn typing_elsewhere_moves_a_suggestion_leniently_and_ends_it_strictly() {
    let suggestion = insert(4, "more");
    let above = insert(0, "line\n");
    assert_eq!(
        carried("here", &suggestion, &above, ChangeElsewhere::Ends),
        "gone"
    );
    assert_eq!(
        carried("here", &suggestion, &above, ChangeElsewhere::Moves),
        r#"[9, 9) -> "more""#
    );
}

#[test]
fn a_word_may_be_skipped_but_not_two() {
    // Ten characters in is near enough for a few letters, eleven is not.
    let near = insert(0, "0123456789value");
    let far = insert(0, "0123456789-value");
    let typed = insert(0, "value");
    assert_eq!(
        carried("", &near, &typed, ChangeElsewhere::Ends),
        r#"[0, 0) -> "0123456789""#
    );
    assert_eq!(carried("", &far, &typed, ChangeElsewhere::Ends), "gone");
    // Six letters must be the next ones.
    let longer = insert(0, "let values");
    assert_eq!(
        carried("", &longer, &insert(0, "value"), ChangeElsewhere::Ends),
        r#"[0, 5) -> "let values""#
    );
    assert_eq!(
        carried("", &longer, &insert(0, "values"), ChangeElsewhere::Ends),
        "gone"
    );
    assert_eq!(
        carried("", &longer, &insert(0, "let va"), ChangeElsewhere::Ends),
        r#"[6, 6) -> "lues""#
    );
}

#[test]
fn only_what_comes_next_is_not_taken_away_again() {
    let next = |suggestion: &str, typed: &str| {
        let (text, base) = (Text::from("x = "), insert(4, typed));
        let ours = insert(4, suggestion);
        let carried = ours.carried_over(&text, &base, CarryAgreement::Next, ChangeElsewhere::Ends);
        let carried = carried.unwrap()?;
        let after = base.apply(&text).unwrap();
        Some(carried.trimmed(&after).unwrap().to_string())
    };
    // Strictly, it would be replaced by the suggestion.
    assert_eq!(next("answer()", "e"), None);
    assert_eq!(next("answer()", "()"), None);
    assert_eq!(next("answer()", "ans").unwrap(), r#"[7, 7) -> "wer()""#);
    // A closer that the editor has added comes further on.
    assert_eq!(next("f(one);", "f()").unwrap(), r#"[6, 7) -> "one);""#);
}

#[test]
fn a_pair_that_the_suggestion_does_not_have_there_leaves_nothing() {
    assert_eq!(
        carried(
            "ab",
            &replace(0, 2, "f(x)"),
            &insert(1, "()"),
            ChangeElsewhere::Ends
        ),
        "gone"
    );
    let suggestion = insert(0, "for x in xs { foo(x); }");
    assert_eq!(
        carried("", &suggestion, &insert(0, "{}"), ChangeElsewhere::Ends),
        "gone"
    );
}

#[test]
fn deleting_a_word_that_a_rewritten_line_keeps_leaves_nothing() {
    let text = "let foo = 1;";
    let rewritten = replace(0, 12, "let foo: u8 = 1;");
    let suggestion = rewritten.trimmed(&Text::from(text)).unwrap();
    let deleted = Edit::from(Replacement::deletion(range(4, 7)));
    assert_eq!(
        carried(text, &suggestion, &deleted, ChangeElsewhere::Ends),
        "gone"
    );
}

#[test]
fn a_completion_that_also_adds_an_import_is_on_the_way() {
    let text = "fn main() {\n    let m = \n}\n";
    let suggestion = insert(24, "HashMap::new();");
    let completed = Edit::new(vec![
        Replacement::insertion(ByteOffset::ZERO, "use std::collections::HashMap;\n"),
        Replacement::insertion(ByteOffset::new(24), "HashMap"),
    ]);
    let completed = completed.unwrap();
    assert_eq!(
        carried(text, &suggestion, &completed, ChangeElsewhere::Moves),
        r#"[62, 62) -> "::new();""#
    );
}

#[test]
fn a_suggestion_among_equal_lines_is_found_where_the_person_types_it() {
    // Suggested at the end of the run, typed at its start: the same text comes of both.
    let text = "{\n}\n}\n}\n";
    let suggestion = insert(8, "}\n}\n");
    let rest = carried(text, &suggestion, &insert(2, "}\n"), ChangeElsewhere::Ends);
    assert_eq!(rest, r#"[2, 2) -> "}\n""#);
}

#[test]
fn a_suggestion_does_not_slide_to_where_something_else_was_written() {
    // One more bracket could as well come in front, where the person wrote one behind an `a`; but they
    // have written over the one that stood there, so that nothing would be left of the suggestion.
    let several = Edit::new(vec![
        Replacement::insertion(ByteOffset::ZERO, "a"),
        Replacement::insertion(ByteOffset::ZERO, "}"),
        Replacement::new(range(0, 1), "a"),
    ]);
    let rest = carried(
        "}",
        &insert(1, "}"),
        &several.unwrap(),
        ChangeElsewhere::Moves,
    );
    assert_eq!(rest, r#"[3, 3) -> "}""#);
}

mod bad_input {
    //! Offsets and ranges that do not fit are said no to, with what was asked and what the text is.

    use std::error::Error;

    use foretell_text::{ReversedRange, Utf16Offset};

    use super::*;

    #[test]
    fn an_offset_past_the_end() {
        let error = Text::from("hello").check(ByteOffset::new(9)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "byte offset 9 is past the end of a text of 5 bytes"
        );
        let error = Text::from("😀")
            .byte_of(Utf16Offset::new(usize::MAX))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "UTF-16 offset {} is past the end of a text of 2 UTF-16 units",
                usize::MAX
            )
        );
    }

    #[test]
    fn an_offset_inside_a_character() {
        let text = Text::from("a😀");
        assert_eq!(
            text.utf16_of(ByteOffset::new(3)).unwrap_err().to_string(),
            "byte offset 3 is inside the character at bytes [1, 5)"
        );
        assert_eq!(
            text.byte_of(Utf16Offset::new(2)).unwrap_err().to_string(),
            "UTF-16 offset 2 is inside the character at bytes [1, 5)"
        );
    }

    #[test]
    fn a_line_that_does_not_exist() {
        let text = Text::from("one\ntwo");
        let expected = "line 3 does not exist in a text of 2 lines";
        let position = Position::new(2, 0);
        assert_eq!(text.line(2).unwrap_err().to_string(), expected);
        assert_eq!(
            text.offset_at(position, PositionEncoding::Utf8)
                .unwrap_err()
                .to_string(),
            expected
        );
        assert_eq!(
            text.offset_at_lsp(position, PositionEncoding::Utf8)
                .unwrap_err()
                .to_string(),
            expected
        );
        assert!(text.line(u32::MAX).is_err());
    }

    #[test]
    fn a_column_inside_a_character() {
        let text = Text::from("a😀b");
        let position = Position::new(0, 2);
        for read in [Text::offset_at, Text::offset_at_lsp] {
            assert_eq!(
                read(&text, position, PositionEncoding::Utf16)
                    .unwrap_err()
                    .to_string(),
                "1:3 in UTF-16 columns is inside the character at bytes [1, 5)"
            );
        }
    }

    #[test]
    fn a_reversed_range() {
        let error = ByteRange::new(ByteOffset::new(5), ByteOffset::new(3));
        assert_eq!(
            error,
            Err(ReversedRange {
                start: ByteOffset::new(5),
                end: ByteOffset::new(3)
            })
        );
        assert_eq!(
            error.unwrap_err().to_string(),
            "the range [5, 3) ends before it starts"
        );
    }

    #[test]
    fn replacements_that_overlap_or_are_not_sorted() {
        let overlapping = vec![
            Replacement::deletion(range(0, 3)),
            Replacement::deletion(range(2, 4)),
        ];
        assert_eq!(
            Edit::new(overlapping).unwrap_err().to_string(),
            "replacement 1 of the edit is at [2, 4), but the one before it is at [0, 3)"
        );
        let unsorted = vec![
            Replacement::insertion(ByteOffset::new(3), "x"),
            Replacement::insertion(ByteOffset::new(1), "y"),
        ];
        assert!(Edit::new(unsorted).is_err());
    }

    #[test]
    fn an_edit_that_does_not_fit_its_text() {
        let text = Text::from("é!");
        let error = replace(1, 3, "x").apply(&text).unwrap_err();
        assert_eq!(
            error.to_string(),
            "replacement 0 of the edit, at [1, 3), does not fit the text"
        );
        assert_eq!(
            error.source().unwrap().to_string(),
            "byte offset 1 is inside the character at bytes [0, 2)"
        );
        let beyond = insert(usize::MAX, "x");
        for error in [
            beyond.apply(&text).unwrap_err(),
            beyond.inverse(&text).unwrap_err(),
            beyond.trimmed(&text).unwrap_err(),
            beyond.effect(&text).unwrap_err(),
            beyond
                .carried_over(
                    &text,
                    &Edit::empty(),
                    CarryAgreement::Strict,
                    ChangeElsewhere::Ends,
                )
                .unwrap_err(),
            Edit::empty()
                .carried_over(
                    &text,
                    &beyond,
                    CarryAgreement::Strict,
                    ChangeElsewhere::Ends,
                )
                .unwrap_err(),
        ] {
            assert_eq!(
                error.source().unwrap().to_string(),
                format!(
                    "byte offset {} is past the end of a text of 3 bytes",
                    usize::MAX
                )
            );
        }
    }

    #[test]
    fn edits_that_cannot_have_followed_each_other() {
        let inside = insert(0, "é").compose(&insert(1, "x")).unwrap_err();
        assert_eq!(
            inside.to_string(),
            "byte offset 1 of the later edit is inside a character that the earlier inserts"
        );
        assert!(insert(usize::MAX, "x").compose(&insert(0, "y")).is_err());
    }

    #[test]
    fn a_range_of_all_numbers_moves_nothing_over_the_edge() {
        let huge = replace(0, usize::MAX, "x");
        let mut far = insert(usize::MAX, "y");
        far.rebase_over(&insert(0, "zz")).unwrap();
        assert_eq!(far.to_string(), format!("[{0}, {0}) -> \"y\"", usize::MAX));
        far.rebase_over(&huge).unwrap();
        assert_eq!(far.to_string(), r#"[1, 1) -> "y""#);
    }
}
