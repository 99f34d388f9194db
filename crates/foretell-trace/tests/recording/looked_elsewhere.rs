//! Where else a model could be asked is recorded, so that a replay asks it there, too.

use std::sync::Arc;

use foretell_core::{
    EditPlace, Event, LaneCandidate, Moment, RequestCause, RequestId, RequestKind,
    SuggestionRequest, TokenUsage,
};
use foretell_testkit::string_model::range;
use foretell_testkit::written_settings::settings_of;
use foretell_text::{ByteOffset, DocumentId, Edit, LaneKind, Language, Replacement, Text, Version};
use foretell_trace::TraceWriter;

use crate::compare::{Texts, Told, assert_same, done, key, recorded, replayed};

const TEXT: &str = "let total = 1;\n\n\nshow(sum);\n";

fn answered(request: RequestId, candidates: Vec<LaneCandidate>) -> Event {
    Event::LaneAnswered {
        request,
        lane: LaneKind::NextEdit,
        candidates,
        usage: TokenUsage::default(),
        withheld: 0,
    }
}

fn opened(document: &DocumentId) -> Event {
    Event::DocumentOpened {
        document: document.clone(),
        language: Language::new("rust"),
        version: Version::new(1),
        text: Text::from(TEXT),
    }
}

/// A model has nothing at the cursor. It is asked about another place, which is the second that was told, and has
/// something there.
fn session() -> Told {
    let (document, other) = (DocumentId::new("file:///a.rs"), "file:///b.rs");
    let other = DocumentId::new(other);
    let request = RequestId::new(0);
    let edit = Edit::from(Replacement::new(range(22, 25), "total"));
    let place = |document: &DocumentId| EditPlace {
        document: document.clone(),
        at: ByteOffset::new(22),
    };
    let found = LaneCandidate::new(other.clone(), edit);
    let events = [
        (0, opened(&other)),
        (0, opened(&document)),
        (
            100,
            Event::SuggestionRequested(SuggestionRequest {
                request,
                document: document.clone(),
                version: None,
                at: ByteOffset::new(4),
                cause: RequestCause::Automatic,
                kind: RequestKind::Edit,
            }),
        ),
        (
            600,
            Event::PlacesFound {
                request,
                lane: LaneKind::NextEdit,
                places: vec![place(&DocumentId::new("file:///closed.rs")), place(&other)],
            },
        ),
        (600, answered(request, Vec::new())),
        (900, answered(request, vec![found])),
    ];
    let told = events.map(|(at, event)| (Moment::from_millis(at), event));
    told.into()
}

#[test]
fn a_second_look_is_made_again_in_a_replay() {
    let written = "[lanes]\nfim.enabled = false\nfix.enabled = false\n\
        nextEdit = { kind = \"openai\", url = \"http://127.0.0.1:8080\", model = \"sweep\" }\n";
    let settings = Arc::new(settings_of(written));
    let told = session();
    for (texts, writer) in [
        (Texts::Whole, TraceWriter::whole()),
        (Texts::Shape, TraceWriter::shape(key(1))),
    ] {
        let expected = done(&settings, &told, texts);
        let looks = expected.iter().any(|it| it.starts_with("looks elsewhere"));
        assert!(looks, "{expected:#?}");
        let lines = recorded(writer, &settings, &told);
        assert_same(&expected, &replayed(&lines, texts), &lines);
    }
}

#[test]
fn a_setting_that_turns_it_off_is_recorded() {
    let written = "[lanes]\nfim.enabled = false\nfix.enabled = false\n\
        nextEdit = { kind = \"openai\", url = \"http://127.0.0.1:8080\", jump = false }\n";
    let settings = Arc::new(settings_of(written));
    let told = session();
    let expected = done(&settings, &told, Texts::Whole);
    let looks = expected.iter().any(|it| it.starts_with("looks elsewhere"));
    assert!(!looks, "{expected:#?}");
    let lines = recorded(TraceWriter::whole(), &settings, &told);
    assert_same(&expected, &replayed(&lines, Texts::Whole), &lines);
}
