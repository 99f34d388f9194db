//! Anything may be told of: odd places, odd names, odd texts, and still one closed quotation each.

use super::*;

fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "`",
        "```",
        "````",
        "😀",
        "é",
        "e\u{301}",
        "漢",
        "\u{202e}",
        "\0",
        "x",
        "fn f() {",
        "}",
        "try {",
        "} catch (e) {",
        "import a",
        "// c",
        "/*",
        "*/",
        "let ",
        "## H",
        "'",
        "\"",
        "#",
        "\u{2028}",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

fn place() -> impl Strategy<Value = ByteRange> {
    (0..200_usize, 0..60_usize).prop_map(|(start, length)| range(start, start + length))
}

fn language() -> impl Strategy<Value = Language> {
    let names = vec![
        "rust",
        "typescript",
        "python",
        "ruby",
        "plaintext",
        "odd one",
        "`",
    ];
    prop::sample::select(names).prop_map(Language::new)
}

prop_compose! {
    fn change()(
        file in text(),
        language in language(),
        text in text(),
        range in place(),
        old in text(),
        new in text(),
        age_ms in any::<u64>(),
    ) -> FileChange {
        FileChange {
            file: FilePath::new(file),
            language,
            text: Text::from(&*text),
            made: None,
            edit: RecentEdit {
                made_at: None,
                range,
                old_text: old.into(),
                new_text: new.into(),
                reason: ChangeReason::Typed,
                is_accepted: false,
                age_ms,
                is_finished: true,
            },
        }
    }
}

prop_compose! {
    fn chunk()(
        file in text(),
        first in 0..300_usize,
        last in 0..300_usize,
        language in language(),
        name in prop::option::of(text()),
        text in text(),
    ) -> CodeChunk {
        CodeChunk {
            file: FilePath::new(file),
            lines: first..=last,
            language,
            kind: ChunkKind::Item,
            name: name.map(Into::into),
            text: text.into(),
            secrets: Arc::default(),
        }
    }
}

prop_compose! {
    fn request()(
        language in language(),
        text in text(),
        cursor in 0..200_usize,
        selection in prop::option::of(place()),
        instruction in text(),
        remarks in prop::collection::vec((place(), text(), prop::option::of(text())), 0..8),
        changes in prop::collection::vec(change(), 0..8),
    ) -> ContextRequest {
        let remark = |(range, message, source)| Diagnostic {
            range,
            severity: DiagnosticSeverity::Warning,
            source,
            code: None,
            message,
            fixes: Vec::new(),
        };
        ContextRequest {
            file: FilePath::new("here"),
            language,
            text: Text::from(&*text),
            cursor: ByteOffset::new(cursor),
            selection,
            instruction,
            diagnostics: remarks.into_iter().map(remark).collect(),
            changes,
        }
    }
}

/// Lines before the fence, of which there are so many, then one fence, closed by the last line.
fn assert_is_one_quotation(entry: &str, head: usize) {
    let lines: Vec<&str> = entry.split(['\n', '\r']).collect();
    let fence = lines[head].trim_end_matches(|c| c != '`');
    assert!(
        fence.len() >= 3 && fence.chars().all(|c| c == '`'),
        "{entry:?}"
    );
    let closes = |line: &&&str| {
        let line = line.trim();
        line.len() >= fence.len() && line.chars().all(|c| c == '`')
    };
    let code = &lines[head + 1..];
    assert_eq!(code.iter().filter(closes).count(), 1, "{entry:?}");
    assert_eq!(code.last(), Some(&fence), "{entry:?}");
}

proptest! {
    #[test]
    fn may_be_told_of(request in request(), found in prop::collection::vec(chunk(), 0..8), most in 0..5_usize) {
        for entry in entries(diagnostics::section(&request, most)) {
            prop_assert!(!entry.contains(char::is_control));
            prop_assert!(entry.chars().count() < 400);
        }
        let told = entries(change_history::section(&request, most));
        prop_assert!(told.len() <= most);
        for entry in told {
            assert_is_one_quotation(&entry, 2);
            prop_assert!(entry.starts_with("**File**: `"));
        }
        let told = entries(semantic::tell(&request, &found, most));
        prop_assert!(told.len() <= most);
        for entry in told {
            assert_is_one_quotation(&entry, 1);
        }
        let query = CodeQuery::of(&request);
        prop_assert!(query.is_none_or(|query| !query.text.trim().is_empty()));
    }
}
