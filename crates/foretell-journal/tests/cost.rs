//! What it costs to observe, which is printed; it is next to nothing because nothing is put into words.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foretell_core::{Core, Event, Fact, Moment, Note, Observer, Reason, Scene};
use foretell_journal::Journal;
use foretell_settings::Settings;
use foretell_text::{ByteOffset, ByteRange, DocumentId, Language, Text, Version};

const TIMES: u32 = 100_000;

/// What no machine takes for a cursor move and its silence, in any build.
const FAR_TOO_LONG: Duration = Duration::from_millis(1);

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
    let scene = Scene::of(&core);
    let mut journal = Journal::default();
    let began = Instant::now();
    for number in 0..TIMES {
        let now = Moment::from_millis(number.into());
        let note = &quiet[number as usize % 2];
        journal.saw(now, Fact::Event(black_box(&selected)), &scene);
        journal.saw(now, Fact::Note(black_box(note)), &scene);
    }
    let each = began.elapsed() / TIMES;
    println!("a cursor move and its silence: {each:?}");
    assert!(each < FAR_TOO_LONG, "{each:?}");
}
