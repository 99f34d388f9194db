//! Recall: stories of a line that is being written.
//!
//! A story is a text with the cursor as `|`. What comes back is what would be written at the cursor,
//! or `silence`.

#![allow(
    clippy::unwrap_used,
    reason = "a story that does not fit is a mistake in the test"
)]

use std::sync::Arc;

use foretell_lanes::embedded::recall::predict;
use foretell_lanes::{CodeSearch, LaneRequest, OpenDocument};
use foretell_testkit::lane_requests::{request_at, request_at_cursor};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, ChunkKind, CodeChunk, CodeSearchError, DocumentId,
    FilePath, Language, RecentEdit, RefusedChange,
};
use proptest::prelude::*;

/// What is written at the cursor.
fn recalled(story: &str) -> String {
    Story::of(story).told()
}

/// A text with a cursor, and what is around it.
struct Story {
    request: LaneRequest,
}

impl Story {
    fn of(story: &str) -> Story {
        let request = request_at_cursor("src/a.ts", "typescript", story);
        Story { request }
    }

    /// With another document open.
    fn beside(mut self, language: &str, text: &str) -> Story {
        let other = OpenDocument::new("src/b", language, text);
        self.request.others.push(other);
        self
    }

    /// In a workspace with a file.
    fn in_workspace(mut self, file: &str, text: &str) -> Story {
        self.request.code = Arc::new(Shelf(CodeChunk {
            file: FilePath::new(file),
            lines: 1..=text.lines().count(),
            language: Language::new("typescript"),
            kind: ChunkKind::Block,
            name: None,
            text: Arc::from(text),
            secrets: Arc::default(),
        }));
        self
    }

    fn told(&self) -> String {
        let candidates = predict(&self.request, &|| false);
        assert!(candidates.len() <= 1, "one line goes on in one way");
        let Some(candidate) = candidates.first() else {
            return "silence".to_owned();
        };
        let text = &self.request.document.text;
        candidate.edit.apply(text).unwrap();
        let replacements = candidate.edit.replacements();
        assert_eq!(replacements[0].range().start(), self.request.at);
        replacements[0].new_text().to_owned()
    }
}

/// A workspace that finds the same, whatever it is asked for.
struct Shelf(CodeChunk);

impl CodeSearch for Shelf {
    fn find(
        &self,
        text: &str,
        _: Option<&FilePath>,
        _: usize,
        _: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        assert!(text.len() <= 200, "the workspace is asked short questions");
        Ok(vec![self.0.clone()])
    }
}

#[test]
fn a_line_goes_on_as_two_others_do() {
    let story = "log.warn(`late`, now());\nx();\nlog.warn(`late`, now());\ny();\nlog.w|\n";
    assert_eq!(recalled(story), "arn(`late`, now());");
}

#[test]
fn one_other_line_is_a_coincidence() {
    assert_eq!(
        recalled("log.warn(`late`, now());\nx();\nlog.w|\n"),
        "silence"
    );
}

#[test]
fn one_word_takes_three_others() {
    let story = "return Ok(());\nx();\nreturn Ok(());\ny();\nreturn Ok(());\nz();\nret|\n";
    assert_eq!(recalled(story), "urn Ok(());");
    let story = "return Ok(());\nx();\nreturn Ok(());\ny();\nret|\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn one_other_line_is_enough_below_the_same_line() {
    let story = "const rows = read(file);\nconst sums = fold(rows, add, 0);\nprint(1);\n\
                 const rows = read(file);\nconst sums = fold(rows, |";
    assert_eq!(recalled(story), "add, 0);");
}

#[test]
fn lines_that_go_on_differently_say_nothing() {
    let story = "set('a', 100);\nset('b', 200);\nset('c', 300);\nset(|\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn spacing_does_not_matter() {
    let story = "if (a  ==  b) { stop(); }\nx();\nif (a  ==  b) { stop(); }\ny();\n\tif (a == |\n";
    assert_eq!(recalled(story), "b) { stop(); }");
}

#[test]
fn names_are_told_as_ours() {
    let story = "this.width = width;\nthis.depth = depth;\nthis.color = color;\nthis.height = |\n";
    assert_eq!(recalled(story), "height;");
}

#[test]
fn names_that_have_parts_in_common_are_told_as_ours() {
    let story = "const widthInput = form.find('width-input', WIDTH, setWidth);\n\
                 const heightInput = form.find(|\n";
    assert_eq!(recalled(story), "'height-input', HEIGHT, setHeight);");
}

#[test]
fn what_is_new_at_a_single_place_is_a_choice() {
    let story = "const widthInput = form.find('width-input', 640, resize);\n\
                 const heightInput = form.find(|\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn the_lines_above_map_names_too() {
    let story = "const cat = load('cat');\nfeed(cat, bowl, 2);\n\
                 const dog = load('dog');\nfeed(dog, bowl, 2);\n\
                 const hen = load('hen');\nfeed(|\n";
    assert_eq!(recalled(story), "hen, bowl, 2);");
}

#[test]
fn prose_has_no_names() {
    let story = "- the old cat eats the old mouse\n- the old dog eats the old bone\n\
                 - the old hen eats |\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn a_word_that_is_being_written_is_not_taken_for_a_name() {
    let story = "  'alpha',\n  'gamma',\n  'delta',\n  'zeta',\n  'the|\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn what_an_editor_closed_is_filled() {
    let story = "retry(3, fetchAll);\nx();\nretry(3, fetchAll);\ny();\nretry(|)\n";
    assert_eq!(recalled(story), "3, fetchAll);");
    let story = "retry(3, fetchAll);\nx();\nretry(3, fetchAll);\ny();\nretry(3|)\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn the_middle_of_a_line_is_left_alone() {
    let lines = "retry(3, fetchAll);\nx();\nretry(3, fetchAll);\ny();\n";
    assert_eq!(recalled(&format!("{lines}retry(| other)\n")), "silence");
    assert_eq!(recalled(&format!("{lines}re|try(3)\n")), "silence");
}

#[test]
fn a_key_or_two_are_not_worth_a_look() {
    let story = "close(all);\nx();\nclose(all);\ny();\nclose(all|\n";
    assert_eq!(recalled(story), "silence");
}

#[test]
fn what_the_next_line_says_is_not_said_twice() {
    let story = "beep(1, 2);\nx();\nbeep(1, 2);\ny();\nbee|\nbeep(1, 2);\n";
    assert_eq!(recalled(story), "silence");
}

const ERRORS: &str = "\ta, err := one()\n\tif err != nil {\n\t\treturn err\n\t}\n\
                      \tb, err := two()\n\tif err != nil {\n\t\treturn err\n\t}\n";

#[test]
fn a_block_comes_with_the_line_that_opens_it() {
    let story = format!("{ERRORS}\t\tc, err := three()\n\t\tif err|\n");
    assert_eq!(recalled(&story), " != nil {\n\t\t\treturn err\n\t\t}");
}

#[test]
fn a_block_that_is_there_is_not_written_again() {
    let story = format!("{ERRORS}\tc, err := three()\n\tif err|\n\t\treturn 1\n\t}}\n");
    assert_eq!(recalled(&story), " != nil {");
}

#[test]
fn a_bracket_that_an_editor_closed_below_stays() {
    let story = format!("{ERRORS}\tc, err := three()\n\tif err|\n\t}}\n");
    assert_eq!(recalled(&story), " != nil {\n\t\treturn err");
}

#[test]
fn blocks_that_differ_are_left_to_the_person() {
    let story = "if (late()) {\n  warn(1);\n}\nx();\nif (late()) {\n  stop(2);\n}\ny();\nif (la|\n";
    assert_eq!(recalled(story), "te()) {");
}

#[test]
fn line_ends_are_those_of_the_document() {
    let story = format!("{ERRORS}\tc, err := three()\n\tif err|\n").replace('\n', "\r\n");
    assert_eq!(recalled(&story), " != nil {\r\n\t\treturn err\r\n\t}");
    let story = format!("{ERRORS}\tc, err := three()\n\tif err|\n").replace('\n', "\r");
    assert_eq!(recalled(&story), " != nil {\r\t\treturn err\r\t}");
}

#[test]
fn a_new_line_goes_on_below_the_same_lines() {
    let three = "open(door);\nwalk(in);\nlook(up);\n";
    let story = format!("{three}sing(song);\n1;\n{three}|\n");
    assert_eq!(recalled(&story), "sing(song);");
    let two = "walk(in);\nlook(up);\n";
    let story = format!("1;\n{two}sing(song);\n2;\n{two}|\n");
    assert_eq!(recalled(&story), "silence");
    let story = format!("1;\n{two}sing(song);\n2;\n{two}sing(song);\n3;\n{two}|\n");
    assert_eq!(recalled(&story), "sing(song);");
}

#[test]
fn open_documents_are_looked_through() {
    let other = "emit('ready', this);\nx();\nemit('ready', this);\n";
    let story = Story::of("emit(|\n").beside("typescript", other);
    assert_eq!(story.told(), "'ready', this);");
    let story = Story::of("emit(|\n").beside("svelte", other);
    assert_eq!(story.told(), "'ready', this);");
    let story = Story::of("emit(|\n").beside("python", other);
    assert_eq!(story.told(), "silence");
}

#[test]
fn the_workspace_is_asked_when_documents_are_not_enough() {
    let code = "emit('ready', this);\nx();\nemit('ready', this);\n";
    let story = Story::of("emit(|\n").in_workspace("src/b.ts", code);
    assert_eq!(story.told(), "'ready', this);");
    // What the index has of this very file is an older state of it, whatever editors call it.
    let mut story = Story::of("emit(|\n").in_workspace("src/a.ts", code);
    assert_eq!(story.told(), "silence");
    story.request.document.id = DocumentId::new("file:///w/src%2Fa%2Ets");
    assert_eq!(story.told(), "silence");
    // Another file may have the end of its name.
    let mut story = Story::of("emit(|\n").in_workspace("a.ts", code);
    story.request.document.id = DocumentId::new("file:///w/src/ba.ts");
    story.request.document.file = FilePath::new("src/ba.ts");
    assert_eq!(story.told(), "'ready', this);");
}

#[test]
fn what_was_just_deleted_here_is_not_offered() {
    let mut story = Story::of("log.warn(1, 2);\nx();\nlog.warn(1, 2);\ny();\nlog.warn(|\n");
    assert_eq!(story.told(), "1, 2);");
    let at = ByteRange::empty(story.request.at);
    story.request.document.edits.push(RecentEdit {
        made_at: None,
        range: at,
        old_text: "1, 2);".into(),
        new_text: "".into(),
        reason: ChangeReason::Typed,
        is_accepted: false,
        age_ms: 2_000,
        is_finished: true,
    });
    assert_eq!(story.told(), "silence");
}

#[test]
fn what_was_not_wanted_is_not_offered() {
    let mut story = Story::of("log.warn(1, 2);\nx();\nlog.warn(1, 2);\ny();\nlog.warn(|\n");
    story.request.refused.push(RefusedChange {
        old_text: "".into(),
        new_text: "1, 2);".into(),
    });
    assert_eq!(story.told(), "silence");
}

#[test]
fn a_block_that_was_not_wanted_is_not_offered_elsewhere() {
    let block = "if (err) {\n  log(err);\n  return;\n}\n";
    let text = format!("{block}x();\n{block}y();\n  if (e|\n  z();\n");
    let mut story = Story::of(&text);
    assert_eq!(story.told(), "rr) {\n    log(err);\n    return;\n  }");
    story.request.refused.push(RefusedChange {
        old_text: "".into(),
        new_text: "rr) {\n  log(err);\n  return;\n}".into(),
    });
    assert_eq!(story.told(), "silence");
}

#[test]
fn nothing_is_looked_for_once_nobody_waits() {
    let story = Story::of("log.warn(1, 2);\nx();\nlog.warn(1, 2);\nlog.w|");
    assert!(predict(&story.request, &|| true).is_empty());
}

#[test]
fn an_empty_file_says_nothing() {
    assert_eq!(recalled("|"), "silence");
    assert_eq!(recalled("\n\n|\n"), "silence");
    assert_eq!(recalled("x|"), "silence");
}

#[test]
fn a_line_of_megabytes_says_nothing() {
    let long = "x ".repeat(2_500_000);
    assert_eq!(recalled(&format!("{long}|")), "silence");
    assert_eq!(
        recalled(&format!("{long}\na = b(c);\na = b(c);\na = |\nx\n{long}")),
        "b(c);"
    );
}

#[test]
fn a_very_long_document_is_looked_through_around_the_cursor() {
    let lines = "x = 1;\n".repeat(200_000);
    let story = format!("{lines}go(home, now);\ny();\ngo(home, now);\nz();\ngo(|\n{lines}");
    assert_eq!(recalled(&story), "home, now);");
    let story = format!("{lines}go(home, now);\ny();\ngo(home, now);\nz();\ngo(|");
    assert_eq!(recalled(&story), "home, now);");
    let story = format!("go(home, now);\ny();\ngo(home, now);\nz();\ngo(|\n{lines}");
    assert_eq!(recalled(&story), "home, now);");
}

#[test]
fn a_place_that_is_not_in_the_text_says_nothing() {
    let mut story = Story::of("😀|");
    for at in [1, 2, 3, 5, 5_000] {
        story.request.at = ByteOffset::new(at);
        assert_eq!(story.told(), "silence", "{at}");
    }
}

proptest! {
    /// Whatever is written, and wherever the cursor is: an edit that fits, at the cursor, and the same
    /// one when asked again.
    #[test]
    fn anything_may_be_written(
        text in "(a|b|cD|d_e|\\(|\\)|;| |\t|\n|\r\n|\r|😀|é|e\u{301}|\"|if |1){0,80}",
        repeats in 1_usize..4,
        at in 0_usize..400,
    ) {
        let text = text.repeat(repeats);
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let story = Story {
            request: request_at("a", "anything", &text, at),
        };
        let once = predict(&story.request, &|| false);
        prop_assert_eq!(&once, &predict(&story.request, &|| false));
        for candidate in once {
            prop_assert!(candidate.edit.apply(&story.request.document.text).is_ok());
        }
    }
}
