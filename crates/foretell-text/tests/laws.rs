//! The laws of text and edits, on random texts and edits, against the plainest model.
#![allow(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "the model is cut where it has been looked at, and a wrong cut should fail the test"
)]

use foretell_testkit::strategies::{edit_of, single_edit_of, text, text_and_two_edits};
use foretell_testkit::string_model;
use foretell_testkit::torture;
use foretell_text::{
    ByteOffset, ByteRange, CarryAgreement, ChangeElsewhere, Edit, OffsetBias, Position,
    PositionEncoding, Replacement, Text, Utf16Offset,
};
use proptest::prelude::*;

const ENCODINGS: [PositionEncoding; 3] = [
    PositionEncoding::Utf8,
    PositionEncoding::Utf16,
    PositionEncoding::Utf32,
];

fn snapshot(text: &str) -> Text {
    Text::from(text)
}

/// A text, an edit of it, and an edit of the text after.
fn text_and_two_edits_in_a_row() -> impl Strategy<Value = (String, Edit, Edit)> {
    text(12)
        .prop_flat_map(|text| (edit_of(&text), Just(text)))
        .prop_flat_map(|(a, text)| {
            let after = string_model::apply(&text, &a);
            (Just(text), Just(a), edit_of(&after))
        })
}

/// A text, a suggestion for it, and what a person types there: pieces of the suggestion as often as
/// not, so that they are on the way often enough.
fn text_suggestion_and_typing() -> impl Strategy<Value = (String, Edit, Edit)> {
    text(12)
        .prop_flat_map(|text| (single_edit_of(&text), edit_of(&text), Just(text)))
        .prop_flat_map(|(ours, other, text)| {
            let replacement = ours.replacements()[0].clone();
            let new_text = replacement.new_text().to_owned();
            let ends = string_model::boundaries(&new_text);
            let typed = (
                proptest::sample::select(ends),
                proptest::bool::weighted(0.8),
            )
                .prop_map(move |(end, on_the_way)| {
                    let typed = &new_text[..end.get()];
                    let at_start = ByteRange::empty(replacement.range().start());
                    if on_the_way {
                        Edit::from(Replacement::new(at_start, typed))
                    } else {
                        other.clone()
                    }
                });
            (Just(text), Just(ours), typed)
        })
}

/// The texts that a suggestion may lead to, when some of the person's replacements were on the way
/// to it and it is moved over the others; written at any place where it has the same effect.
fn possible_targets(text: &str, ours: &Edit, base: &Edit) -> Vec<String> {
    let before = snapshot(text);
    let trimmed = base.trimmed(&before).unwrap();
    let mut targets = Vec::new();
    for parts in [base.replacements(), trimmed.replacements()] {
        for kept in 0..1_usize << parts.len() {
            let is_kept = |index: &usize| kept & (1 << index) != 0;
            let moved_over: Vec<_> = (0..parts.len())
                .filter(is_kept)
                .map(|index| parts[index].clone())
                .collect();
            let moved_over = Edit::new(moved_over).unwrap();
            let between = string_model::apply(text, &moved_over);
            for form in forms(text, ours) {
                if let Some(moved) = form.rebased_over(&moved_over) {
                    targets.push(string_model::apply(&between, &moved));
                }
            }
        }
    }
    targets
}

/// An edit with each of its replacements slid to every place where it has the same effect.
fn forms(text: &str, edit: &Edit) -> Vec<Edit> {
    let before = snapshot(text);
    let mut forms = vec![edit.clone(), edit.trimmed(&before).unwrap()];
    for (index, replacement) in edit.replacements().iter().enumerate() {
        let alone = Edit::from(replacement.clone());
        let effect = alone.effect(&before).unwrap();
        let Some(starts) = effect.starts(&before) else {
            continue;
        };
        let len = effect.replacement().unwrap().range().len();
        let after = string_model::apply(text, &alone);
        let grown = effect.replacement().unwrap().new_text().len();
        for start in starts.start().get()..=starts.end().get() {
            let fits = text.is_char_boundary(start) && text.is_char_boundary(start + len);
            if fits && after.is_char_boundary(start + grown) {
                let slid = Replacement::new(
                    string_model::range(start, start + len),
                    &after[start..start + grown],
                );
                let mut replacements = edit.replacements().to_vec();
                replacements[index] = slid;
                forms.extend(Edit::new(replacements));
            }
        }
    }
    forms
}

/// Whether what is typed is where a suggestion begins, and what it begins with.
fn is_at_start((_, ours, base): &(String, Edit, Edit)) -> bool {
    let [typed] = base.replacements() else {
        return false;
    };
    let suggestion = &ours.replacements()[0];
    typed.range() == ByteRange::empty(suggestion.range().start())
        && suggestion.new_text().starts_with(typed.new_text())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_text_reads_as_what_it_was_made_of(text in text(30)) {
        let snapshot = snapshot(&text);
        prop_assert_eq!(snapshot.to_string(), text.clone());
        prop_assert_eq!(snapshot.end().get(), text.len());
        prop_assert!(snapshot == *text.as_str());
        prop_assert_eq!(snapshot.is_empty(), text.is_empty());
        for start in string_model::boundaries(&text) {
            let range = ByteRange::new(start, snapshot.end()).unwrap();
            prop_assert_eq!(snapshot.read(range).unwrap(), &text[start.get()..]);
        }
    }

    #[test]
    fn every_offset_says_whether_it_is_a_place(text in text(12)) {
        let snapshot = snapshot(&text);
        for offset in 0..text.len() + 3 {
            let fits = snapshot.check(ByteOffset::new(offset)).is_ok();
            prop_assert_eq!(fits, text.is_char_boundary(offset));
        }
    }

    #[test]
    fn utf16_offsets_go_there_and_back(text in text(20)) {
        let snapshot = snapshot(&text);
        let units = string_model::len_in(&text, PositionEncoding::Utf16);
        prop_assert_eq!(snapshot.utf16_end().get(), units);
        let mut places = 0;
        for unit in 0..units + 3 {
            if let Ok(byte) = snapshot.byte_of(Utf16Offset::new(unit)) {
                prop_assert_eq!(string_model::len_in(&text[..byte.get()], PositionEncoding::Utf16), unit);
                prop_assert_eq!(snapshot.utf16_of(byte), Ok(Utf16Offset::new(unit)));
                places += 1;
            }
        }
        prop_assert_eq!(places, string_model::boundaries(&text).len());
    }

    #[test]
    fn positions_go_there_and_back_in_every_encoding(text in text(20)) {
        let snapshot = snapshot(&text);
        for offset in string_model::boundaries(&text) {
            for encoding in ENCODINGS {
                let position = snapshot.position_of(offset, encoding).unwrap();
                prop_assert_eq!(position, string_model::position_of(&text, offset, encoding));
                prop_assert_eq!(snapshot.offset_at(position, encoding), Ok(offset));
            }
        }
    }

    #[test]
    fn exactly_the_positions_of_offsets_are_places(text in text(10)) {
        let snapshot = snapshot(&text);
        for encoding in ENCODINGS {
            let places: Vec<Position> = string_model::boundaries(&text)
                .into_iter()
                .map(|offset| string_model::position_of(&text, offset, encoding))
                .collect();
            for line in 0..snapshot.line_count() as u32 + 2 {
                for column in 0..text.len() as u32 + 2 {
                    let position = Position::new(line, column);
                    let found = snapshot.offset_at(position, encoding);
                    prop_assert_eq!(found.is_ok(), places.contains(&position), "{}", position);
                }
            }
        }
    }

    #[test]
    fn lsp_reads_a_column_past_the_end_as_the_end(text in text(12), column in 0..40_u32) {
        let snapshot = snapshot(&text);
        let lines = string_model::lines(&text);
        prop_assert_eq!(snapshot.line_count(), lines.len());
        for (line, range) in lines.into_iter().enumerate() {
            prop_assert_eq!(snapshot.line(line as u32), Ok(range));
            let content = &text[range.start().get()..range.end().get()];
            for encoding in ENCODINGS {
                let found = snapshot.offset_at_lsp(Position::new(line as u32, column), encoding);
                if column as usize >= string_model::len_in(content, encoding) {
                    prop_assert_eq!(found, Ok(range.end()));
                } else if let Ok(found) = found {
                    let before = &text[range.start().get()..found.get()];
                    prop_assert_eq!(string_model::len_in(before, encoding), column as usize);
                }
            }
        }
    }

    #[test]
    fn applying_gives_the_text_after(
        (text, edit) in text(20).prop_flat_map(|text| (Just(text.clone()), edit_of(&text)))
    ) {
        let before = snapshot(&text);
        let after = edit.apply(&before).unwrap();
        prop_assert_eq!(after.to_string(), string_model::apply(&text, &edit));
        // The snapshot before is as it was.
        prop_assert_eq!(before.to_string(), text);
    }

    #[test]
    fn composing_is_one_edit_after_the_other((text, a, b) in text_and_two_edits_in_a_row()) {
        let composed = a.compose(&b).unwrap();
        let after = string_model::apply(&string_model::apply(&text, &a), &b);
        prop_assert_eq!(string_model::apply(&text, &composed), after, "{} then {}", a, b);
    }

    #[test]
    fn composing_with_nothing_keeps_the_effect((text, a, _) in text_and_two_edits()) {
        let (before, nothing) = (snapshot(&text), Edit::empty());
        for same in [a.compose(&nothing).unwrap(), nothing.compose(&a).unwrap()] {
            prop_assert_eq!(same.effect(&before), a.effect(&before));
        }
    }

    #[test]
    fn composing_groups_as_you_like(
        (text, a, b, c) in text_and_two_edits_in_a_row().prop_flat_map(|(text, a, b)| {
            let after = string_model::apply(&string_model::apply(&text, &a), &b);
            (Just(text), Just(a), Just(b), edit_of(&after))
        })
    ) {
        let before = snapshot(&text);
        let left = a.compose(&b).unwrap().compose(&c).unwrap();
        let right = a.compose(&b.compose(&c).unwrap()).unwrap();
        prop_assert_eq!(left.effect(&before), right.effect(&before));
    }

    #[test]
    fn the_inverse_takes_it_back((text, edit, _) in text_and_two_edits()) {
        let before = snapshot(&text);
        let inverse = edit.inverse(&before).unwrap();
        prop_assert_eq!(string_model::apply(&string_model::apply(&text, &edit), &inverse), text);
        prop_assert!(edit.compose(&inverse).unwrap().effect(&before).unwrap().is_nothing());
    }

    #[test]
    fn rebased_either_way_round_the_text_is_the_same((text, a, b) in text_and_two_edits()) {
        match (a.rebased_over(&b), b.rebased_over(&a)) {
            (Some(a_after_b), Some(b_after_a)) => {
                let b_first = string_model::apply(&string_model::apply(&text, &b), &a_after_b);
                let a_first = string_model::apply(&string_model::apply(&text, &a), &b_after_a);
                prop_assert_eq!(a_first, b_first, "{} and {}", a, b);
            }
            (None, None) => {}
            (a_after_b, b_after_a) => prop_assert!(
                false,
                "{} and {} conflict one way only: {:?}, {:?}",
                a, b, a_after_b, b_after_a
            ),
        }
    }

    #[test]
    fn a_conflict_leaves_the_edit_as_it_was((_, a, b) in text_and_two_edits()) {
        let mut moved = a.clone();
        if moved.rebase_over(&b).is_err() {
            prop_assert_eq!(moved, a);
        }
    }

    #[test]
    fn trimming_keeps_the_text_after_and_nothing_more((text, edit, _) in text_and_two_edits()) {
        let trimmed = edit.trimmed(&snapshot(&text)).unwrap();
        prop_assert_eq!(string_model::apply(&text, &trimmed), string_model::apply(&text, &edit));
        for replacement in trimmed.replacements() {
            let range = replacement.range();
            let old = &text[range.start().get()..range.end().get()];
            prop_assert!(!replacement.is_nothing());
            prop_assert_eq!(string_model::common_suffix(old, replacement.new_text()), 0);
            prop_assert_eq!(string_model::common_prefix(old, replacement.new_text()), 0);
        }
    }

    #[test]
    fn trimming_takes_the_suffix_first(
        (text, edit) in text(12).prop_flat_map(|text| (Just(text.clone()), single_edit_of(&text)))
    ) {
        let given = &edit.replacements()[0];
        let (start, end) = (given.range().start().get(), given.range().end().get());
        let suffix = string_model::common_suffix(&text[start..end], given.new_text());
        let kept = &given.new_text()[..given.new_text().len() - suffix];
        let prefix = string_model::common_prefix(&text[start..end - suffix], kept);
        let expected =
            Replacement::new(string_model::range(start + prefix, end - suffix), &kept[prefix..]);
        let expected =
            if expected.is_nothing() { Edit::empty() } else { Edit::from(expected) };
        prop_assert_eq!(edit.trimmed(&snapshot(&text)).unwrap(), expected);
    }

    #[test]
    fn effects_are_equal_exactly_when_the_texts_after_are((text, a, b) in text_and_two_edits()) {
        let before = snapshot(&text);
        let same_effect = a.effect(&before).unwrap() == b.effect(&before).unwrap();
        let same_text = string_model::apply(&text, &a) == string_model::apply(&text, &b);
        prop_assert_eq!(same_effect, same_text, "{} and {}", a, b);
    }

    #[test]
    fn an_effect_is_what_is_left_of_the_whole_texts((text, edit, _) in text_and_two_edits()) {
        let after = string_model::apply(&text, &edit);
        let suffix = string_model::common_suffix(&text, &after);
        let (old, new) = (&text[..text.len() - suffix], &after[..after.len() - suffix]);
        let prefix = string_model::common_prefix(old, new);
        let effect = edit.effect(&snapshot(&text)).unwrap();
        let expected = Replacement::new(string_model::range(prefix, old.len()), &new[prefix..]);
        let expected = (!expected.is_nothing()).then_some(&expected);
        prop_assert_eq!(effect.replacement(), expected);
    }

    #[test]
    fn sliding_an_edit_does_not_change_its_effect(
        unit in text(3), times in 1..4_usize, tail in text(3), at in 0..4_usize
    ) {
        let at = at.min(times);
        let text = unit.repeat(times) + &tail;
        let insert = |at: usize| {
            let place = ByteOffset::new(at * unit.len());
            Edit::from(Replacement::insertion(place, unit.as_str()))
        };
        let before = snapshot(&text);
        prop_assert_eq!(insert(at).effect(&before), insert(0).effect(&before));
    }

    #[test]
    fn a_trimmed_edit_starts_where_its_effect_may(
        (text, edit) in text(12).prop_flat_map(|text| (Just(text.clone()), single_edit_of(&text)))
    ) {
        let before = snapshot(&text);
        let trimmed = edit.trimmed(&before).unwrap();
        let starts = edit.effect(&before).unwrap().starts(&before);
        prop_assert_eq!(starts.is_some(), trimmed.span().is_some());
        if let (Some(span), Some(starts)) = (trimmed.span(), starts) {
            prop_assert!(starts.contains(ByteRange::empty(span.start())), "{} in {}", edit, starts);
        }
    }

    #[test]
    fn offsets_outside_an_edit_move_with_their_text((text, edit, _) in text_and_two_edits()) {
        let after = string_model::apply(&text, &edit);
        let mut last = [ByteOffset::ZERO; 2];
        for offset in string_model::boundaries(&text) {
            let biases = [OffsetBias::Before, OffsetBias::After];
            let mapped = biases.map(|bias| edit.map_offset(offset, bias));
            prop_assert!(mapped[0] <= mapped[1]);
            prop_assert!(last[0] <= mapped[0] && last[1] <= mapped[1], "order is kept");
            prop_assert!(after.is_char_boundary(mapped[0].get()));
            prop_assert!(after.is_char_boundary(mapped[1].get()));
            last = mapped;
        }
        prop_assert_eq!(edit.map_offset(ByteOffset::new(text.len()), OffsetBias::After).get(), after.len());
        prop_assert_eq!(edit.map_offset(ByteOffset::ZERO, OffsetBias::Before).get(), 0);
        // What is not touched reads the same after.
        let mut done = 0;
        for replacement in edit.replacements() {
            let kept = string_model::range(done, replacement.range().start().get());
            let mapped = edit.map_range(kept);
            prop_assert_eq!(
                &after[mapped.start().get()..mapped.end().get()],
                &text[kept.start().get()..kept.end().get()]
            );
            done = replacement.range().end().get();
        }
    }

    #[test]
    fn what_is_carried_strictly_leads_to_the_suggestion(
        (text, ours, base) in text_suggestion_and_typing()
    ) {
        let before = snapshot(&text);
        let after = base.apply(&before).unwrap();
        if let Some(carried) = ours
            .carried_over(&before, &base, CarryAgreement::Strict, ChangeElsewhere::Ends)
            .unwrap() {
            prop_assert_eq!(carried.apply(&after), ours.apply(&before), "{} over {}", ours, base);
        }
    }

    /// What was written stands at the same place in the text that the suggestion leads to, but for
    /// closers, which come further on.
    #[test]
    fn what_is_carried_over_the_next_characters_takes_none_of_them_away(
        (text, ours, base) in text_suggestion_and_typing()
    ) {
        let before = snapshot(&text);
        let after = string_model::apply(&text, &base);
        let carried = ours
            .carried_over(&before, &base, CarryAgreement::Next, ChangeElsewhere::Ends)
            .unwrap();
        let strictly = ours
            .carried_over(&before, &base, CarryAgreement::Strict, ChangeElsewhere::Ends)
            .unwrap();
        if let Some(carried) = carried {
            let target = string_model::apply(&text, &ours);
            prop_assert_eq!(string_model::apply(&after, &carried), &target[..]);
            prop_assert!(strictly.is_some(), "{} over {}", ours, base);
            if let [typed] = base.trimmed(&before).unwrap().replacements() {
                let start = typed.range().start().get();
                let typed = typed.new_text();
                let open = typed.trim_end_matches([')', ']', '}', '>', '"', '\'', '`']);
                let is_kept = (open.len()..=typed.len()).any(|cut| {
                    let mut behind = target.strip_prefix(&after[..start + cut]);
                    typed[cut..].chars().for_each(|closer| {
                        behind = behind.and_then(|it| Some(it.split_once(closer)?.1));
                    });
                    behind.is_some()
                });
                prop_assert!(typed.is_empty() || is_kept, "{} over {}", ours, base);
            }
        }
    }

    #[test]
    fn typing_a_suggestion_from_its_start_carries_it(
        (text, ours, base) in text_suggestion_and_typing().prop_filter("typed at its start", is_at_start)
    ) {
        let before = snapshot(&text);
        for agreement in [CarryAgreement::Next, CarryAgreement::Strict, CarryAgreement::Lenient] {
            let carried = ours.carried_over(&before, &base, agreement, ChangeElsewhere::Ends).unwrap();
            prop_assert!(carried.is_some(), "{} over {}", ours, base);
            let after = base.apply(&before).unwrap();
            prop_assert_eq!(carried.unwrap().apply(&after), ours.apply(&before));
        }
    }

    #[test]
    fn what_can_be_rebased_can_be_carried_leniently((text, ours, base) in text_and_two_edits()) {
        let before = snapshot(&text);
        let after = base.apply(&before).unwrap();
        let carried = ours
            .carried_over(&before, &base, CarryAgreement::Lenient, ChangeElsewhere::Moves)
            .unwrap();
        if let Some(carried) = &carried {
            prop_assert!(carried.apply(&after).is_ok(), "{} over {} is {}", ours, base, carried);
        }
        if ours.rebased_over(&base).is_some() {
            prop_assert!(carried.is_some(), "{} over {}", ours, base);
        }
    }

    #[test]
    fn what_is_carried_leniently_is_the_suggestion_over_what_was_not_on_the_way(
        (text, ours, base) in text_and_two_edits()
    ) {
        let before = snapshot(&text);
        let after = base.apply(&before).unwrap();
        let carried = ours
            .carried_over(&before, &base, CarryAgreement::Lenient, ChangeElsewhere::Moves)
            .unwrap();
        if let Some(carried) = carried {
            let result = carried.apply(&after).unwrap().to_string();
            let possible = possible_targets(&text, &ours, &base);
            prop_assert!(possible.contains(&result), "{} over {} is {}", ours, base, carried);
        }
    }

    #[test]
    fn snapshots_are_equal_when_their_texts_are((text, a, b) in text_and_two_edits()) {
        let before = snapshot(&text);
        let (x, y) = (a.apply(&before).unwrap(), b.apply(&before).unwrap());
        prop_assert_eq!(x == y, x.to_string() == y.to_string());
        prop_assert!(before.is_same_revision(&before.clone()));
        if x.is_same_revision(&before) {
            prop_assert_eq!(x.to_string(), text);
        }
    }

    #[test]
    fn no_bytes_make_anything_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        torture::text_and_edits(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Trimming and effects on texts of many pieces, with edits that reach over several.
    #[test]
    fn wide_edits_of_a_long_text_are_trimmed_and_compared_rightly(
        (text, a, b) in text(3_000).prop_flat_map(|text| {
            let edits = (single_edit_of(&text), edit_of(&text));
            (Just(text), edits).prop_map(|(text, (a, b))| (text, a, b))
        })
    ) {
        let before = snapshot(&text);
        for edit in [&a, &b] {
            let after = string_model::apply(&text, edit);
            let trimmed = edit.trimmed(&before).unwrap();
            prop_assert!(string_model::apply(&text, &trimmed) == after);
            let suffix = string_model::common_suffix(&text, &after);
            let (old, new) = (&text[..text.len() - suffix], &after[..after.len() - suffix]);
            let prefix = string_model::common_prefix(old, new);
            let expected = Replacement::new(string_model::range(prefix, old.len()), &new[prefix..]);
            let effect = Edit::from(edit.effect(&before).unwrap());
            let expected = if expected.is_nothing() { Edit::empty() } else { Edit::from(expected) };
            prop_assert!(effect == expected, "{:?}, not {:?}", effect, expected);
        }
        // The whole text replaced by one that differs in one place.
        let whole = Edit::from(Replacement::new(string_model::range(0, text.len()), string_model::apply(&text, &a)));
        prop_assert_eq!(whole.effect(&before), a.effect(&before));
        for replacement in whole.trimmed(&before).unwrap().replacements() {
            let range = replacement.range();
            let old = &text[range.start().get()..range.end().get()];
            prop_assert_eq!(string_model::common_suffix(old, replacement.new_text()), 0);
            prop_assert_eq!(string_model::common_prefix(old, replacement.new_text()), 0);
        }
    }

    /// Many small edits in a row, so that the rope's tree is rebuilt, split and merged at places
    /// that a short text never has.
    #[test]
    fn a_long_text_survives_many_edits(
        start in text(2_000),
        steps in proptest::collection::vec((any::<prop::sample::Index>(), 0..60_usize, text(40)), 60)
    ) {
        let mut model = start;
        let mut text = snapshot(&model);
        for (place, removed, inserted) in steps {
            let places = string_model::boundaries(&model);
            let first = place.index(places.len());
            let last = (first + removed).min(places.len() - 1);
            let range = ByteRange::new(places[first], places[last]).unwrap();
            let edit = Edit::from(Replacement::new(range, inserted));
            text = edit.apply(&text).unwrap();
            model = string_model::apply(&model, &edit);
            prop_assert!(text == *model.as_str());
            prop_assert_eq!(text.line_count(), string_model::lines(&model).len());
            let end = text.utf16_end().get();
            prop_assert_eq!(end, string_model::len_in(&model, PositionEncoding::Utf16));
            let offset = places[first];
            for encoding in ENCODINGS {
                let position = text.position_of(offset, encoding).unwrap();
                prop_assert_eq!(position, string_model::position_of(&model, offset, encoding));
                prop_assert_eq!(text.offset_at(position, encoding), Ok(offset));
            }
        }
    }
}
