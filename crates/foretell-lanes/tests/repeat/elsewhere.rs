//! Where else a model could be asked: places further away than it has just seen.

use std::sync::Arc;

use foretell_lanes::LaneRequest;
use foretell_lanes::other_places::other_places;
use foretell_testkit::string_model::range;
use foretell_text::{
    ChunkKind, CodeChunk, CodeSearch, CodeSearchError, Diagnostic, DiagnosticSeverity, FilePath,
    Language, PositionEncoding,
};

use crate::story::Story;

/// So many lines between two places that a model is never asked about both.
fn far() -> String {
    "// .\n".repeat(30)
}

/// The places of a request: the document, unless it is the first, and the line, counted from one.
fn places(request: &LaneRequest) -> Vec<String> {
    let found = other_places(request, &|| false);
    let told = found.iter().map(|place| {
        let position = place.text.position_of(place.at, PositionEncoding::Utf8);
        let line = position.unwrap().line + 1;
        let name = if place.document == request.document.id {
            String::new()
        } else {
            format!("{} ", place.document)
        };
        let edit = if place.edit.is_some() { " repeat" } else { "" };
        format!("{name}{line}{edit}")
    });
    told.collect()
}

fn diagnostic(request: &LaneRequest, said: &str, severity: DiagnosticSeverity) -> Diagnostic {
    let start = request.document.text.to_string().find(said).unwrap();
    Diagnostic {
        range: range(start, start + said.len()),
        severity,
        source: None,
        code: None,
        message: "it is wrong".into(),
        fixes: Vec::new(),
    }
}

#[test]
fn a_name_is_changed_where_it_stands_further_down() {
    let text = format!("let count = 1;\n{}show(count);\n", far());
    let story = Story::open("a.rs", &text).change("count", "total");
    assert_eq!(places(&story.request()), ["32 repeat"]);
}

#[test]
fn what_the_model_has_just_seen_is_no_other_place() {
    let text = "let count = 1;\n\n\nshow(count);\n";
    let story = Story::open("a.rs", text).change("count", "total");
    assert_eq!(places(&story.request()), [""; 0]);
}

#[test]
fn who_adds_a_parameter_is_led_to_the_calls() {
    let text = format!("fn load(path: &str) {{}}\n{}load(name);\n", far());
    let story = Story::open("a.rs", &text);
    let story = story.also("b.rs", "use a::load;\n\nload(other);\n");
    let story = story.change("path: &str‸", ", mode: u8");
    assert_eq!(places(&story.request()), ["32", "b.rs 1"]);
}

#[test]
fn an_error_goes_before_a_nearer_warning_and_hints_are_not_worth_a_call() {
    let text = format!(
        "let a = 1;\n{}warns();\nhints();\n{}errs();\n",
        far(),
        far()
    );
    let story = Story::open("a.rs", &text).change("1", "2");
    let mut request = story.request();
    request.diagnostics = vec![
        diagnostic(&request, "warns", DiagnosticSeverity::Warning),
        diagnostic(&request, "hints", DiagnosticSeverity::Hint),
        diagnostic(&request, "errs", DiagnosticSeverity::Error),
        diagnostic(&request, "let a", DiagnosticSeverity::Error),
    ];
    assert_eq!(places(&request), ["64", "32"]);
}

#[test]
fn without_a_change_and_without_a_fault_there_is_nowhere_to_look() {
    let story = Story::open("a.rs", &format!("let a = 1;\n{}let b = a;\n", far()));
    assert_eq!(places(&story.request()), [""; 0]);
}

/// An index in which two files are always found.
struct TwoFiles;

impl CodeSearch for TwoFiles {
    fn find(
        &self,
        text: &str,
        _: Option<&FilePath>,
        _: usize,
        _: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        assert!(text.contains("store_all"), "{text}");
        let chunk = |file: &str| CodeChunk {
            file: FilePath::new(file),
            lines: 3..=4,
            language: Language::new("rust"),
            kind: ChunkKind::Block,
            name: None,
            text: "".into(),
            secrets: Arc::default(),
        };
        Ok(vec![chunk("closed.rs"), chunk("b.rs")])
    }
}

#[test]
fn what_the_index_finds_counts_where_it_is_open() {
    let story = Story::open("a.rs", "fn f() {\n    store_all(x);\n}\n");
    let story = story.also("b.rs", "// A remark.\n\nfn keep() {\n}\n");
    let story = story.change("x", "x, y");
    let mut request = story.request();
    request.code = Arc::new(TwoFiles);
    assert_eq!(places(&request), ["b.rs 3"]);
}

#[test]
fn a_search_that_is_stopped_finds_what_it_found_so_far() {
    let text = format!("let count = 1;\n{}show(count);\n", far());
    let story = Story::open("a.rs", &text).change("count", "total");
    assert_eq!(other_places(&story.request(), &|| true).len(), 0);
}
