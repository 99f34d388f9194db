//! From the state of the machine to what a lane is told.
//!
//! The machine says that a lane is to start, and where; a lane wants to know everything that it may
//! know at that moment. Both drivers of the machine need this, the one with a clock and the one that
//! replays, so that it stands apart from either.
//!
//! It keeps one invariant: what is told is about one moment. A place in a text that is not held any
//! more gets nothing, and nothing of an excluded document is told: it is not among the
//! others, what was refused in it stays unsaid, and where the cursor is in one, that document is all
//! a lane sees.
//!
//! Absent on purpose: the rules of exclusion, and the search for code in a workspace; the caller
//! brings both.

use std::sync::Arc;

use foretell_core::{Core, Moment, RequestCause, Spot};
use foretell_lanes::{CodeSearch, LaneRequest, NoCode, OpenDocument, QuestionPurpose, Redact};
use foretell_text::{DocumentId, FilePath, LaneKind, RefusedChange};

/// The parts of a request that the machine does not have.
#[derive(Clone)]
pub struct LaneRequestParts<'a> {
    /// The lane that is told.
    pub lane: LaneKind,
    /// Finds code in the workspace.
    pub code: Arc<dyn CodeSearch>,
    /// Takes secrets out of what is sent elsewhere.
    pub redact: Arc<dyn Redact>,
    /// Whether the person asked for it.
    pub is_explicit: bool,
    /// Which documents nothing is told of.
    pub is_excluded: &'a dyn Fn(&DocumentId) -> bool,
    /// Names a document in the workspace.
    pub name: &'a dyn Fn(&DocumentId) -> FilePath,
}

/// Returns the request to lanes for a place at a moment, or nothing if the machine does not hold the text that
/// the place is in. Nothing is told of documents that are excluded, but for the one that the place is
/// in.
pub fn lane_request(
    core: &Core,
    now: Moment,
    spot: &Spot,
    telling: LaneRequestParts<'_>,
) -> Option<LaneRequest> {
    let here = &spot.document;
    let all = core.open_documents();
    let is_held = all.contains(&here) && core.version(here) == Some(spot.version);
    if !is_held || core.text(here)?.check(spot.at).is_err() {
        return None;
    }
    let is_alone = (telling.is_excluded)(here);
    let others: Vec<&DocumentId> = if is_alone {
        Vec::new()
    } else {
        let others = all.into_iter().filter(|id| *id != here);
        others.filter(|id| !(telling.is_excluded)(id)).collect()
    };
    let open = |document: &DocumentId| {
        Some(OpenDocument {
            id: document.clone(),
            file: (telling.name)(document),
            language: core.language(document)?.clone(),
            text: core.text(document)?.clone(),
            edits: core.recent_edits(now, document),
        })
    };
    let cause = if telling.is_explicit {
        RequestCause::Explicit
    } else {
        RequestCause::Automatic
    };
    Some(LaneRequest {
        document: open(here)?,
        at: spot.at,
        refused: refused(core, here, &others),
        others: others.iter().filter_map(|id| open(id)).collect(),
        diagnostics: match telling.lane {
            LaneKind::Fix => core.wanted_fixes(here, spot.at, cause),
            LaneKind::Fim | LaneKind::NextEdit => core.diagnostics(here).to_vec(),
        },
        code: if is_alone {
            Arc::new(NoCode)
        } else {
            telling.code
        },
        context: Arc::default(),
        redact: telling.redact,
        is_explicit: telling.is_explicit,
        counts_unfinished: false,
        purpose: QuestionPurpose::Suggest,
    })
}

/// Returns the refused changes here, then those elsewhere.
fn refused(core: &Core, here: &DocumentId, others: &[&DocumentId]) -> Vec<RefusedChange> {
    let documents = std::iter::once(&here).chain(others);
    documents.flat_map(|id| core.refused(id)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "a test that is wrong about its own input should stop at once and say where"
    )]

    use foretell_core::Event;
    use foretell_lanes::BlankRedaction;
    use foretell_settings::Settings;
    use foretell_text::{
        ByteOffset, ByteRange, ChangeReason, CodeChunk, CodeSearchError, Diagnostic,
        DiagnosticSeverity, Edit, Language, Replacement, Text, Version,
    };

    use super::*;

    /// Code that is always found.
    struct FixedCode;

    impl CodeSearch for FixedCode {
        fn find(
            &self,
            text: &str,
            _: Option<&FilePath>,
            _: usize,
            _: &dyn Fn() -> bool,
        ) -> Result<Vec<CodeChunk>, CodeSearchError> {
            assert_eq!(text, "looked for");
            Ok(Vec::new())
        }
    }

    fn id(name: &str) -> DocumentId {
        DocumentId::new(format!("file:///{name}"))
    }

    fn replace(start: usize, end: usize, new_text: &str) -> Edit {
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        Edit::from(Replacement::new(range, new_text))
    }

    /// A machine with three documents, the last looked at last, each changed and with a rejection.
    fn machine() -> Core {
        let mut core = Core::new(Arc::new(Settings::default()));
        let mut tell = |event| {
            core.handle(Moment::from_millis(1_000), event);
            while core.poll_action().is_some() {}
        };
        for name in ["a", "b", "c"] {
            let document = id(name);
            tell(Event::DocumentOpened {
                document: document.clone(),
                language: Language::new(name),
                version: Version::new(1),
                text: Text::from("one two\n"),
            });
            tell(Event::DocumentChanged {
                document: document.clone(),
                version: Version::new(2),
                edits: vec![replace(0, 3, "1")],
                reason: ChangeReason::Typed,
            });
            tell(Event::EditRejected {
                document: document.clone(),
                edit: replace(2, 5, name),
            });
            tell(Event::DiagnosticsChanged {
                document: document.clone(),
                version: None,
                diagnostics: vec![Diagnostic {
                    range: ByteRange::empty(ByteOffset::ZERO),
                    severity: DiagnosticSeverity::Error,
                    source: None,
                    code: None,
                    message: name.into(),
                    fixes: Vec::new(),
                }],
            });
            tell(Event::DocumentFocused { document });
        }
        core
    }

    fn asked(name: &str, version: i64, at: usize, excluded: &[&str]) -> Option<LaneRequest> {
        let spot = Spot {
            document: id(name),
            version: Version::new(version),
            at: ByteOffset::new(at),
        };
        let is_excluded = |it: &DocumentId| excluded.iter().any(|name| *it == id(name));
        let now = Moment::from_millis(1_500);
        let telling = LaneRequestParts {
            lane: LaneKind::NextEdit,
            code: Arc::new(FixedCode),
            redact: Arc::new(BlankRedaction),
            is_explicit: false,
            is_excluded: &is_excluded,
            name: &|document| FilePath::new(document.as_str()),
        };
        lane_request(&machine(), now, &spot, telling)
    }

    fn names(request: &LaneRequest) -> Vec<&str> {
        let others = request.others.iter();
        others.map(|it| it.language.as_str()).collect()
    }

    fn refused(request: &LaneRequest) -> Vec<&str> {
        let refused = request.refused.iter();
        refused.map(|it| &*it.new_text).collect()
    }

    #[test]
    fn a_lane_is_told_of_the_document_then_of_those_looked_at_last() {
        let request = asked("b", 2, 5, &[]).unwrap();
        assert_eq!(request.document.id, id("b"));
        assert_eq!(request.at, ByteOffset::new(5));
        assert_eq!(request.document.text.to_string(), "1 two\n");
        assert_eq!(&*request.document.edits[0].new_text, "1");
        assert_eq!(request.document.edits[0].age_ms, 500);
        assert_eq!(names(&request), ["c", "a"]);
        assert_eq!(refused(&request), ["b", "c", "a"]);
        assert_eq!(&*request.diagnostics[0].message, "b");
    }

    #[test]
    fn a_place_in_a_text_that_is_not_held_is_told_to_nobody() {
        assert!(asked("b", 1, 0, &[]).is_none());
        assert!(asked("b", 3, 0, &[]).is_none());
        assert!(asked("b", 2, 100, &[]).is_none());
        assert!(asked("d", 2, 0, &[]).is_none());
    }

    #[test]
    fn nothing_is_told_of_excluded_documents() {
        let request = asked("b", 2, 0, &["c"]).unwrap();
        assert_eq!(
            (names(&request), refused(&request)),
            (vec!["a"], vec!["b", "a"])
        );
    }

    #[test]
    fn in_an_excluded_document_it_is_all_that_is_told() {
        let request = asked("b", 2, 0, &["b"]).unwrap();
        assert_eq!((names(&request), refused(&request)), (vec![], vec!["b"]));
        let found = request.code.find("anything", None, 1, &|| false);
        assert_eq!(found.unwrap(), []);
    }
}
