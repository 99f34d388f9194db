//! What has to do with it: what is looked for, and what is told of the answer.

use super::*;

fn chunk(file: &str, first: usize, last: usize, text: &str) -> CodeChunk {
    CodeChunk {
        file: FilePath::new(file),
        lines: first..=last,
        language: Language::new("typescript"),
        kind: ChunkKind::Function,
        name: Some("apiRequest".into()),
        text: text.into(),
        secrets: Arc::default(),
    }
}

/// What is told of chunks that say `<secret>` where their file says that something is secret.
fn redacted(text: &str) -> String {
    let mut chunk = chunk("src/a.ts", 200, 210, text);
    let secrets = text.match_indices('<').map(|(start, _)| {
        let end = text.get(start..).and_then(|it| it.find('>')).unwrap();
        range(start, start + end + 1)
    });
    chunk.secrets = secrets.collect();
    let request = at(&format!("{}|here\n{}", "x\n".repeat(99), "x\n".repeat(99)));
    let section = semantic::tell(&request, &[chunk], 1).unwrap();
    let entry = &section.entries[0];
    let redactor = foretell_context::Redactor::new();
    redactor
        .begin()
        .redact_besides(&entry.text, &entry.secrets)
        .into_owned()
}

#[test]
fn what_a_whole_file_says_is_secret_is_not_told_of_a_part() {
    let body = |text: &str| {
        let told = redacted(text);
        let (_, body) = told.split_once("```typescript\n").unwrap();
        body.strip_suffix("\n```").unwrap().to_owned()
    };
    assert_eq!(body("a <b> c <d>"), "a [REDACTED-1] c [REDACTED-2]");
    assert_eq!(
        body("\r\n\n  a\r\n<b\r\nc>\r\nd\r\n"),
        "  a\n[REDACTED-1]\nd"
    );
    assert_eq!(body("größe <ü>"), "größe [REDACTED-1]");
    assert_eq!(body("<all\r\nof it>"), "[REDACTED-1]");
    assert_eq!(body("none"), "none");
}

#[test]
fn a_chunk_that_is_secret_to_its_last_line_end_leaves_the_quotation_whole() {
    for text in ["one\ntwo\n", "one\r\ntwo\r\n\r\n"] {
        let mut chunk = chunk("src/a.ts", 200, 201, text);
        chunk.secrets = Arc::from([range(0, text.len())]);
        let request = at(&format!("{}|here\n{}", "x\n".repeat(99), "x\n".repeat(99)));
        let section = semantic::tell(&request, &[chunk], 1).unwrap();
        let entry = &section.entries[0];
        let redactor = foretell_context::Redactor::new();
        let told = redactor
            .begin()
            .redact_besides(&entry.text, &entry.secrets)
            .into_owned();
        assert!(told.ends_with("```typescript\n[REDACTED-1]\n```"), "{told}");
    }
}

#[test]
fn a_chunk_whose_secrets_nobody_can_place_is_not_told() {
    for (start, end) in [(0, 1_000), (500, 501), (1, 2)] {
        let mut chunk = chunk("src/a.ts", 200, 210, "ünquotable");
        chunk.secrets = Arc::from([range(start, end)]);
        let request = at(&format!("{}|here\n{}", "x\n".repeat(99), "x\n".repeat(99)));
        let section = semantic::tell(&request, &[chunk], 1).unwrap();
        let entry = &section.entries[0];
        let redactor = foretell_context::Redactor::new();
        let told = redactor
            .begin()
            .redact_besides(&entry.text, &entry.secrets)
            .into_owned();
        assert_eq!(told, "[REDACTED-1]");
    }
}

fn told(chunks: &[CodeChunk], most: usize) -> Vec<String> {
    let request = at(&format!("{}|here\n{}", "x\n".repeat(99), "x\n".repeat(99)));
    let told = entries(semantic::tell(&request, chunks, most));
    let code = |entry: &String| entry.lines().nth(2).unwrap_or_default().to_owned();
    told.iter().map(code).collect()
}

#[test]
fn is_told_as_in_the_example() {
    let code = "async function apiRequest(endpoint: string): Promise<any> { ... }";
    let found = [chunk("src/api/client.ts", 42, 52, code)];
    let section = semantic::tell(&at("|"), &found, 3).unwrap();
    assert_eq!(section.heading, "Relevant Code from Workspace");
    assert_eq!(section.spacing, EntrySpacing::Paragraphs);
    assert_eq!(
        section.entries[0].file,
        Some(FilePath::new("src/api/client.ts"))
    );
    let expected = "**File**: `src/api/client.ts` (lines 42-52) - function: `apiRequest`\n\
        ```typescript\n\
        async function apiRequest(endpoint: string): Promise<any> { ... }\n```";
    assert_eq!(section.entries[0].text, expected);
}

#[test]
fn says_what_it_is_as_far_as_that_is_known() {
    let mut found = [
        chunk("a", 7, 7, "\n  1"),
        chunk("b", 1, 2, "2"),
        chunk("c", 1, 2, "3"),
    ];
    found[0].name = None;
    found[1].name = None;
    found[1].kind = ChunkKind::Block;
    found[2].name = Some("a`\nb".into());
    let told = entries(semantic::tell(&at("|"), &found, 3));
    assert_eq!(
        told[0],
        "**File**: `a` (line 7) - function\n```typescript\n  1\n```"
    );
    assert_eq!(told[1], "**File**: `b` (lines 1-2)\n```typescript\n2\n```");
    let first = told[2].lines().next().unwrap();
    assert_eq!(first, "**File**: `c` (lines 1-2) - function: ``a` b``");
}

#[test]
fn nothing_is_told_that_is_around_the_cursor() {
    // The cursor is on line 100: 80 to 120 are around it.
    let found = [
        chunk("src/here.ts", 70, 80, "overlaps above"),
        chunk("src/here.ts", 1, 200, "is all around"),
        chunk("src/here.ts", 120, 130, "overlaps below"),
        chunk("src/here.ts", 70, 79, "ends above"),
        chunk("src/here.ts", 121, 130, "starts below"),
        chunk("src/there.ts", 100, 100, "is elsewhere"),
    ];
    let expected = ["ends above", "starts below", "is elsewhere"];
    assert_eq!(told(&found, 9), expected);
}

#[test]
fn nothing_is_told_twice() {
    let found = [
        chunk("a", 1, 9, "first"),
        chunk("a", 1, 9, "changed since"),
        chunk("b", 1, 9, "  first\n"),
        chunk("a", 3, 4, "lines within"),
        chunk("c", 1, 9, "the text first and more"),
        chunk("c", 1, 9, "fir"),
        chunk("c", 1, 9, " \n"),
        chunk("c", 5, 9, "second"),
        chunk("c", 1, 20, "lines around"),
        chunk("d", 1, 9, "third"),
        chunk("e", 1, 9, "fourth"),
    ];
    assert_eq!(told(&found, 3), ["first", "second", "third"]);
    assert_eq!(told(&found, 0), [""; 0]);
}

/// Answers with what it has, and remembers nothing.
struct Shelf(Vec<CodeChunk>);

impl CodeSearch for Shelf {
    fn find(
        &self,
        text: &str,
        _: Option<&FilePath>,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<CodeChunk>, CodeSearchError> {
        assert!(!text.is_empty());
        if is_stopped() {
            Err(CodeSearchError::Stopped)
        } else {
            Ok(self.0.iter().take(most).cloned().collect())
        }
    }
}

#[test]
fn enough_is_asked_for_that_three_are_left() {
    let number = |index: usize| chunk("a", index, index, &format!("<{index}>"));
    let mut chunks: Vec<CodeChunk> = (0..9).map(|_| number(1)).collect();
    chunks.extend([number(2), number(3), number(4)]);
    let shelf: Arc<dyn CodeSearch> = Arc::new(Shelf(chunks));
    let section = semantic::section(&at("find|"), &*shelf, 3, &|| false);
    assert_eq!(section.unwrap().unwrap().entries.len(), 3);
}

#[test]
fn a_search_that_is_stopped_says_so_and_one_for_nothing_is_none() {
    let shelf = Shelf(vec![chunk("a", 1, 1, "x")]);
    let stopped = semantic::section(&at("find|"), &shelf, 3, &|| true);
    assert!(matches!(stopped, Err(CodeSearchError::Stopped)));
    let nothing = semantic::section(&at("|  \n"), &shelf, 3, &|| false);
    assert!(nothing.unwrap().is_none());
    let none = semantic::section(&at("find|"), &shelf, 0, &|| false);
    assert!(none.unwrap().is_none());
}

fn query(request: &ContextRequest) -> String {
    CodeQuery::of(request)
        .map(|query| query.text)
        .unwrap_or_default()
}

#[test]
fn what_is_wanted_and_selected_is_looked_for() {
    let mut request = at("let value = 1;|\n");
    request.selection = Some(range(4, 9));
    assert_eq!(query(&request), "value");
    request.instruction = "make it larger".into();
    assert_eq!(query(&request), "make it larger\nvalue");
    request.selection = None;
    assert_eq!(query(&request), "make it larger");
    request.instruction = "word ".repeat(9_000);
    assert!(query(&request).len() <= 2_000);
}

#[test]
fn otherwise_the_names_around_are_nearest_first() {
    let request = at("far()\nabove(x)\nreturn apiRequest(_id, 12, |größe) // apiRequest\nbelow\n");
    assert_eq!(query(&request), "apiRequest _id größe above below far");
    let many: String = (0..99).map(|number| format!("name{number} ")).collect();
    assert_eq!(query(&at(&format!("|{many}"))).split(' ').count(), 32);
    let long = format!("{}|near{}", "a1 ".repeat(99_999), " b1".repeat(99_999));
    assert_eq!(query(&at(&long)), "a1 near b1");
    assert_eq!(query(&at(&format!("|{}", "x".repeat(100)))), "");
    let logged = format!("{:?}", CodeQuery::of(&request));
    assert!(!logged.contains("apiRequest"));
}

#[test]
fn of_a_file_elsewhere_only_the_name_is_told() {
    let found = [chunk("/home/ada/cust/b.ts", 1, 2, "code();")];
    let told = entries(semantic::tell(&at("|"), &found, 3));
    let path = "**File**: `b.ts` (lines 1-2)";
    assert!(told[0].starts_with(path), "{told:?}");
}
