//! How much the rejection memory holds on to.

use std::sync::Arc;

use allocation_counter::measure;
use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};

/// Twenty documents of fifty kilobytes with twenty rejections each, every one of them put to sleep
/// by a key of its own.
#[test]
fn four_hundred_sleeping_rejections_take_less_than_two_megabytes() {
    let text = Text::from(
        "let value = compute(first, second);\n"
            .repeat(1_400)
            .as_str(),
    );
    let now = Moment::from_millis(0);
    let mut core = Core::new(Arc::new(Settings::default()));
    let documents: Vec<DocumentId> = (0..20)
        .map(|number| DocumentId::new(format!("file:///src/module_{number}.rs")))
        .collect();
    for document in &documents {
        core.handle(
            now,
            Event::DocumentOpened {
                document: document.clone(),
                language: Language::new("rust"),
                version: Version::new(0),
                text: text.clone(),
            },
        );
    }
    // The machine keeps what it is told, so what is still held afterwards is the memory's, and the
    // documents' own changes.
    let held = measure(|| {
        for document in &documents {
            for number in 0..20 {
                let at = ByteOffset::new(12 + number * 36 * 60);
                let suggestion =
                    "something_that_a_model_would_suggest(first, second);\n    and_more();";
                core.handle(
                    now,
                    Event::EditRejected {
                        document: document.clone(),
                        edit: Edit::from(Replacement::insertion(at, suggestion)),
                    },
                );
            }
            for number in (0..20).rev() {
                let at = ByteOffset::new(12 + number * 36 * 60);
                core.handle(
                    now,
                    Event::DocumentChanged {
                        document: document.clone(),
                        version: Version::new(1),
                        edits: vec![Edit::from(Replacement::insertion(at, "q"))],
                        reason: ChangeReason::Typed,
                    },
                );
            }
        }
        while core.poll_action().is_some() {}
    });
    let counts = core.counts();
    assert_eq!(
        (counts.rejections_awake, counts.rejections_asleep),
        (0, 400)
    );
    // What the documents have of their own now, which they shared before, is counted in.
    assert!(
        held.bytes_current < 2_000_000,
        "{} bytes",
        held.bytes_current
    );
}
