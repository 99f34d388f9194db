//! Nothing of the words is left in a shape.
//!
//! The session has words in every place that can have some, each at least six characters long and made
//! so that a substitute is equal to one of them by chance in fewer than one of a billion shapes.

use std::sync::Arc;

use foretell_core::{
    Event, LaneCandidate, Moment, RejectionId, RequestCause, RequestId, RequestKind,
    StoredRejection, SuggestionRequest, TextDigest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_testkit::written_settings::settings_of;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DiagnosticFix, DiagnosticSeverity, DocumentId,
    Edit, FixStanding, LaneKind, Language, Replacement, Text, Version,
};
use foretell_trace::TraceWriter;

use crate::compare::{Texts, Told, key, recorded, replayed};

/// Words that must not be in a shape, by where they are.
const MARKED: [&str; 27] = [
    "wobblefinch",
    "QUAGMIRELOT",
    "7394058261",
    "größenwahnsinn",
    "секретноеслово",
    "秘密の言葉を隠す",
    "jugglerword",
    "xylophonist",
    "jubilantmoth",
    "dromedaryhum",
    "zymurgyvault",
    "foxglovebyte",
    "kumquatz9",
    "hyacinthoak",
    "wizenedplum",
    "gnomishyarn",
    "vexingtulip",
    "barnabyquince",
    "moonharvest",
    "tidepoolcrab",
    "yodelbracken",
    "esperantowig",
    "gigabrainium",
    "nimbushost",
    "opaqueomelet",
    "WHISKERVAR",
    "duskybadger",
];

/// Every word of the format that the session has, and the names that everybody knows.
const FORMAT: &str = "ahead local url https server example restore rejections doc file changes delete insert text asleep \
    settings openai explicit-0 model-0 model-1 requestsPerDay languages language-1 scheme-1 open \
    language rust digest restored edit edits diagnostics items len severity error source code \
    message fixes title request cause explicit kind lane next-edit candidates outOfStep \
    reject-edit reason other lose shape false standing preferred";

fn session() -> (Arc<Settings>, Told) {
    let written = r#"
        context.exclude = ["duskybadger/**"]
        trigger.ignoredSchemes = ["yodelbracken", "output"]
        languages.esperantowig.trigger.enabled = false
        [lanes.fim]
        kind = "openai"
        url = "https://nimbushost.example/v1"
        model = "gigabrainium"
        explicitModel = "gigabrainium-large"
        apiKeyEnv = "WHISKERVAR"
        headers.X-ShapeKey = "opaqueomelet"
        requestsPerDay = 500
    "#;
    let settings = Arc::new(settings_of(written));

    let main = DocumentId::new("file:///home/barnabyquince/moonharvest/tidepoolcrab.rs");
    let other = DocumentId::new("yodelbracken://barnabyquince/tidepoolcrab");
    let text = "let wobblefinch = QUAGMIRELOT(7394058261, größenwahnsinn);\n\
                // секретноеслово 秘密の言葉を隠す\n";
    let insertion =
        |at: usize, insert: &str| Edit::from(Replacement::insertion(ByteOffset::new(at), insert));
    let range = ByteRange::new(ByteOffset::new(4), ByteOffset::new(20)).expect("in order");
    let opened = |document: &DocumentId, language: &str, text: &str| Event::DocumentOpened {
        document: document.clone(),
        language: Language::new(language),
        version: Version::new(1),
        text: Text::from(text),
    };
    let request = RequestId::new(1);
    let events = vec![
        Event::RejectionsRestored {
            rejections: [StoredRejection {
                id: RejectionId::new(1),
                document: main.clone(),
                edit: insertion(4, "vexingtulip"),
                text: Some(TextDigest::of(&Text::from(text))),
                asleep: true,
            }]
            .into(),
        },
        Event::SettingsChanged {
            settings: Arc::clone(&settings),
        },
        opened(&main, "rust", text),
        opened(&other, "esperantowig", "dromedaryhum"),
        Event::DocumentChanged {
            document: main.clone(),
            version: Version::new(2),
            edits: vec![insertion(0, "jugglerword"), insertion(11, "\n")],
            reason: ChangeReason::Typed,
        },
        Event::DiagnosticsChanged {
            document: main.clone(),
            version: None,
            diagnostics: vec![Diagnostic {
                range,
                severity: DiagnosticSeverity::Error,
                source: Some("foxglovebyte".to_owned()),
                code: Some("kumquatz9".to_owned()),
                message: "zymurgyvault: wobblefinch".to_owned(),
                fixes: vec![DiagnosticFix {
                    title: "hyacinthoak".to_owned(),
                    standing: FixStanding::Preferred,
                    edit: insertion(0, "wizenedplum"),
                }],
            }],
        },
        Event::SuggestionRequested(SuggestionRequest {
            request,
            document: main.clone(),
            version: None,
            at: ByteOffset::new(0),
            cause: RequestCause::Explicit,
            kind: RequestKind::Edit,
        }),
        Event::LaneAnswered {
            request,
            lane: LaneKind::NextEdit,
            candidates: vec![
                LaneCandidate::new(main.clone(), insertion(0, "jubilantmoth")),
                LaneCandidate::new(other.clone(), insertion(0, "dromedaryhum")),
                LaneCandidate::new(
                    DocumentId::new("file:///home/barnabyquince/unopened"),
                    insertion(999, "jubilantmoth"),
                ),
            ],
            usage: TokenUsage::default(),
            withheld: 0,
        },
        Event::EditRejected {
            document: main.clone(),
            edit: insertion(0, "gnomishyarn"),
        },
        Event::DocumentReplaced {
            document: main.clone(),
            version: Version::new(3),
            text: Text::from("xylophonist größenwahnsinn\n"),
            reason: ChangeReason::Other,
        },
        Event::DocumentReplaced {
            document: DocumentId::new("file:///home/barnabyquince/unopened"),
            version: Version::new(3),
            text: Text::from("xylophonist"),
            reason: ChangeReason::Other,
        },
        Event::DocumentChanged {
            document: DocumentId::new("file:///home/barnabyquince/unopened"),
            version: Version::new(4),
            edits: vec![insertion(0, "jugglerword")],
            reason: ChangeReason::Typed,
        },
        Event::DocumentLost {
            document: main.clone(),
        },
        Event::DocumentChanged {
            document: main.clone(),
            version: Version::new(4),
            edits: vec![insertion(0, "jugglerword")],
            reason: ChangeReason::Typed,
        },
    ];
    let told = events.into_iter().zip(1..);
    let told = told.map(|(event, millis)| (Moment::from_millis(millis), event));
    (settings, told.collect())
}

#[test]
fn a_whole_recording_has_the_words_and_nothing_of_keys_and_addresses() {
    let (settings, told) = session();
    let whole = recorded(TraceWriter::whole(), &settings, &told);
    let never = [
        "gigabrainium",
        "nimbushost",
        "opaqueomelet",
        "WHISKERVAR",
        "duskybadger",
    ];
    for word in MARKED {
        let is_there = whole.contains(word);
        assert_eq!(is_there, !never.contains(&word), "{word}");
    }
    assert!(!replayed(&whole, Texts::Whole).is_empty());
}

#[test]
fn nothing_of_the_words_is_left_in_a_shape() {
    let (settings, told) = session();
    for seed in 0..20 {
        let shape = recorded(TraceWriter::shape(key(seed)), &settings, &told);
        for word in MARKED {
            // Nor a part of it that could be recognised.
            let letters: Vec<char> = word.chars().collect();
            for part in letters.windows(6.min(letters.len())) {
                let part: String = part.iter().collect();
                assert!(!shape.contains(&part), "{part} of {word} in {shape}");
            }
        }
        assert!(!replayed(&shape, Texts::Shape).is_empty());
    }
}

#[test]
fn everything_in_a_shape_is_a_name_of_the_format_or_a_substitute() {
    let (settings, told) = session();
    let one = recorded(TraceWriter::shape(key(1)), &settings, &told);
    let other = recorded(TraceWriter::shape(key(2)), &settings, &told);
    let again = recorded(TraceWriter::shape(key(1)), &settings, &told);
    assert_eq!(one, again, "the key decides");
    assert_eq!(one.len(), other.len());
    // What two shapes with different keys have in common was not substituted: each such word is one
    // of the format, of a setting, or one that everybody knows.
    let plain = recorded(TraceWriter::whole(), &Settings::default(), &Told::new());
    let known = [plain.as_str(), FORMAT].join(" ");
    let is_word = |c: char| !(c.is_alphanumeric() || c == '-');
    for (a, b) in one.split(is_word).zip(other.split(is_word)) {
        let is_kept = a == b && a.chars().filter(|c| c.is_alphabetic()).count() > 2;
        assert!(
            !is_kept || known.split(is_word).any(|it| it == a),
            "{a} was kept"
        );
    }
}
