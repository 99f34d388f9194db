//! What was asked ahead of time is recorded, so that a replay takes it up where the session did.

use std::sync::Arc;

use foretell_core::{
    AheadAnswer, AheadCallId, AheadOutcome, Event, LaneCandidate, Moment, RequestCause, RequestId,
    RequestKind, SuggestionRequest, TokenUsage,
};
use foretell_testkit::written_settings::settings_of;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, LaneKind, Language, Replacement, Text, Version,
};
use foretell_trace::TraceWriter;

use crate::compare::{Texts, Told, assert_same, done, key, recorded, replayed};

fn ask(document: &DocumentId, number: u64, at: usize) -> Event {
    Event::SuggestionRequested(SuggestionRequest {
        request: RequestId::new(number),
        document: document.clone(),
        version: None,
        at: ByteOffset::new(at),
        cause: RequestCause::Automatic,
        kind: RequestKind::Inline,
    })
}

/// Somebody is suggested something, takes it, and is suggested what was asked meanwhile.
fn session() -> Told {
    let document = DocumentId::new("file:///shop.rs");
    let edit = Edit::from(Replacement::insertion(ByteOffset::new(12), "price;"));
    let candidate = LaneCandidate::new(document.clone(), edit.clone());
    let events = [
        (
            0,
            Event::DocumentOpened {
                document: document.clone(),
                language: Language::new("rust"),
                version: Version::new(1),
                text: Text::from("let total = \nlet b = 2;\n"),
            },
        ),
        (100, ask(&document, 0, 12)),
        (
            600,
            Event::LaneAnswered {
                request: RequestId::new(0),
                lane: LaneKind::Fim,
                candidates: vec![candidate],
                usage: TokenUsage::default(),
                withheld: 0,
            },
        ),
        (
            1_500,
            Event::AheadEnded {
                call: AheadCallId::new(1),
                outcome: AheadOutcome::Answered(Some(AheadAnswer {
                    new_text: "\nlet next = total;".into(),
                    covered: 0,
                })),
                usage: TokenUsage::default(),
            },
        ),
        (
            2_000,
            Event::DocumentChanged {
                document: document.clone(),
                version: Version::new(2),
                edits: vec![edit],
                reason: ChangeReason::Typed,
            },
        ),
        (2_010, ask(&document, 1, 18)),
    ];
    let told = events.map(|(at, event)| (Moment::from_millis(at), event));
    told.into()
}

#[test]
fn what_was_asked_ahead_of_time_is_taken_up_in_a_replay() {
    let written = "[lanes.fim]\nkind = \"openai\"\nurl = \"http://127.0.0.1:8080\"\n\
        [lanes.nextEdit]\nenabled = false\n[lanes.fix]\nenabled = false\n";
    let settings = Arc::new(settings_of(written));
    let told = session();
    for (texts, writer) in [
        (Texts::Whole, TraceWriter::whole()),
        (Texts::Shape, TraceWriter::shape(key(1))),
    ] {
        let expected = done(&settings, &told, texts);
        let is_taken = expected.iter().any(|it| it.starts_with("asked ahead"));
        assert!(is_taken, "{expected:#?}");
        let lines = recorded(writer, &settings, &told);
        assert_same(&expected, &replayed(&lines, texts), &lines);
    }
}
