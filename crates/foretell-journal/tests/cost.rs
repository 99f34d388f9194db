//! Observing is cheap because nothing is put into words: it allocates less than one word would.

use std::hint::black_box;
use std::sync::Arc;

use allocation_counter::measure;
use foretell_core::{Core, Event, Fact, FactScene, Moment, Note, Observer, Reason};
use foretell_journal::Journal;
use foretell_settings::Settings;
use foretell_text::{ByteOffset, ByteRange, DocumentId, Language, Text, Version};

const TIMES: u32 = 100_000;

#[test]
fn observing_costs_next_to_nothing() {
    let document = DocumentId::new("file:///src/cart.ts");
    let mut core = Core::new(Arc::new(Settings::default()));
    let opened = Event::DocumentOpened {
        document: document.clone(),
        language: Language::new("typescript"),
        version: Version::new(1),
        text: Text::from("const x = 1\nconst y = \n"),
    };
    core.handle(Moment::default(), opened);
    let selected = Event::SelectionChanged {
        document: document.clone(),
        version: None,
        selections: vec![ByteRange::empty(ByteOffset::new(22))],
    };
    let quiet = [Reason::NoRecentEdit, Reason::SameLineCooldown].map(|reason| {
        let document = document.clone();
        Note::Quiet { document, reason }
    });
    let scene = FactScene::of(&core);
    let mut journal = Journal::default();
    let allocated = measure(|| {
        for number in 0..TIMES {
            let now = Moment::from_millis(number.into());
            let note = &quiet[number as usize % 2];
            journal.saw(now, Fact::Event(black_box(&selected)), &scene);
            journal.saw(now, Fact::Note(black_box(note)), &scene);
        }
    });
    println!("{TIMES} cursor moves and their silences: {allocated:?}");
    assert!(
        allocated.count_total < u64::from(TIMES) / 10,
        "{allocated:?}"
    );
}
