//! How much the rejection memory holds on to.

use std::sync::Arc;

use allocation_counter::measure;
use foretell_core::{Core, Event, Moment};
use foretell_settings::Settings;
use foretell_testkit::model;
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
    let now = Moment::from_millis(0);
    let mut core = Core::new(Arc::new(Settings::default()));
    core.handle(
        now,
        Event::DocumentOpened {
            document: document.clone(),
            language: Language::new("rust"),
            version: Version::new(0),
            text: Text::from(text.as_str()),
        },
    );
    for number in 0..20 {
        let at = ByteOffset::new(12 + number * 36 * 600);
        core.handle(
            now,
            Event::EditRejected {
                document: document.clone(),
                edit: Edit::from(Replacement::insertion(at, "suggestion")),
            },
        );
    }
    let mut replace = |start: usize, end: usize, new_text: &str| {
        let edit = Edit::from(Replacement::new(model::range(start, end), new_text));
        let changed = Event::DocumentChanged {
            document: document.clone(),
            version: Version::new(1),
            edits: vec![edit],
            reason: ChangeReason::Other,
        };
        core.handle(now, changed);
        while core.poll_action().is_some() {}
    };
    let held = measure(|| {
        replace(5, text.len() - 5, "x");
        replace(0, 11, "something else");
    });
    assert_eq!(core.counts().rejections_asleep, 20);
    assert!(
        held.bytes_current < 3 * text.len() as i64,
        "{} bytes",
        held.bytes_current
    );
}
