//! What must not cost memory: moving a stored edit happens for every rejection at every keystroke.

use allocation_counter::measure;
use foretell_testkit::string_model::range;
use foretell_text::{ByteOffset, Edit, Replacement, Text};

#[test]
fn moving_an_edit_allocates_nothing() {
    let mut stored: Vec<Edit> = (0..400)
        .map(|index| Edit::from(Replacement::new(range(index * 10, index * 10 + 5), "more")))
        .collect();
    let typed = Edit::from(Replacement::insertion(ByteOffset::new(2_007), "x"));
    let allocated = measure(|| {
        for edit in &mut stored {
            edit.rebase_over(&typed).expect("only moves");
        }
    });
    assert_eq!(allocated.count_total, 0);
    assert_eq!(stored[200].replacements()[0].range(), range(2_000, 2_005));
    assert_eq!(stored[201].replacements()[0].range(), range(2_011, 2_016));
}

#[test]
fn moving_an_edit_of_several_replacements_allocates_nothing() {
    let several = (0..5).map(|index| Replacement::new(range(index * 10, index * 10 + 5), "more"));
    let mut edit = Edit::new(several.collect()).expect("sorted");
    let typed = Edit::from(Replacement::insertion(ByteOffset::new(7), "x"));
    let allocated = measure(|| edit.rebase_over(&typed).expect("only moves"));
    assert_eq!(allocated.count_total, 0);
    assert_eq!(edit.replacements()[1].range(), range(11, 16));
}

#[test]
fn cloning_and_comparing_a_snapshot_allocates_nothing() {
    let text = Text::from("line\n".repeat(100_000).as_str());
    let mut equal = false;
    let allocated = measure(|| equal = text.clone() == text);
    assert!(equal);
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn an_effect_is_found_without_building_the_document() {
    let text = Text::from("line\n".repeat(100_000).as_str());
    let edit = Edit::from(Replacement::new(range(250_000, 250_005), "lime\n"));
    let mut effect = None;
    let allocated = measure(|| effect = edit.effect(&text).ok());
    assert_eq!(
        effect.expect("fits").to_string(),
        "[250002, 250003) -> \"m\""
    );
    assert!(allocated.bytes_total < 1_000, "{allocated:?}");
}
