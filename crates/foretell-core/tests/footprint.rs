//! How much the rejection memory holds on to.

use std::sync::Arc;

use allocation_counter::measure;
use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_testkit::story_editor::{insert, replace};
use foretell_text::{ChangeReason, DocumentId, Edit, Language, Text, Version};

const NOW: Moment = Moment::from_millis(0);

fn open(core: &mut Core, document: &DocumentId, text: &Text) {
    let opened = Event::DocumentOpened {
        document: document.clone(),
        language: Language::new("rust"),
        version: Version::new(0),
        text: text.clone(),
    };
    core.handle(NOW, opened);
}

fn reject(core: &mut Core, document: &DocumentId, edit: Edit) {
    let document = document.clone();
    core.handle(NOW, Event::EditRejected { document, edit });
}

fn change(core: &mut Core, document: &DocumentId, edit: Edit) {
    let changed = Event::DocumentChanged {
        document: document.clone(),
        version: Version::new(1),
        edits: vec![edit],
        reason: ChangeReason::Typed,
    };
    core.handle(NOW, changed);
    while core.poll_action().is_some() {}
}

/// Twenty documents of fifty kilobytes with twenty rejections each, every one of them put to sleep
/// by a key of its own.
#[test]
fn four_hundred_sleeping_rejections_take_less_than_two_megabytes() {
    let text = Text::from(
        "let value = compute(first, second);\n"
            .repeat(1_400)
            .as_str(),
    );
    let mut core = Core::new(Arc::new(Settings::default()));
    let documents: Vec<DocumentId> = (0..20)
        .map(|number| DocumentId::new(format!("file:///src/module_{number}.rs")))
        .collect();
    for document in &documents {
        open(&mut core, document, &text);
    }
    let suggestion = "something_that_a_model_would_suggest(first, second);\n    and_more();";
    let place = |number: usize| 12 + number * 36 * 60;
    // The machine keeps what it is told, so what is still held afterwards is the memory's, and the
    // documents' own changes.
    let held = measure(|| {
        for document in &documents {
            for number in 0..20 {
                reject(&mut core, document, insert(place(number), suggestion));
            }
            for number in (0..20).rev() {
                change(&mut core, document, insert(place(number), "q"));
            }
        }
    });
    let counts = core.counts();
    assert_eq!(
        (counts.rejections_awake, counts.rejections_asleep),
        (0, 400)
    );
    println!("400 sleeping rejections hold {} bytes", held.bytes_current);
    // What the documents have of their own now, which they shared before, is counted in.
    assert!(
        held.bytes_current < 2_000_000,
        "{} bytes",
        held.bytes_current
    );
}

/// Twenty rejections in a document of half a megabyte that is replaced as a whole, twice: they may
/// keep what it was, but not each for itself.
#[test]
fn a_text_that_is_replaced_is_kept_once() {
    let text = "let value = compute(first, second);\n".repeat(14_000);
    let document = DocumentId::new("file:///src/lib.rs");
    let mut core = Core::new(Arc::new(Settings::default()));
    open(&mut core, &document, &Text::from(text.as_str()));
    for number in 0..20 {
        reject(
            &mut core,
            &document,
            insert(12 + number * 36 * 600, "suggestion"),
        );
    }
    let held = measure(|| {
        change(&mut core, &document, replace(5, text.len() - 5, "x"));
        change(&mut core, &document, replace(0, 11, "something else"));
    });
    assert_eq!(core.counts().rejections_asleep, 20);
    assert!(
        held.bytes_current < 3 * text.len() as i64,
        "{} bytes",
        held.bytes_current
    );
}
