//! What a model is told of what the sources found, as stories.
#![allow(
    clippy::unwrap_used,
    reason = "a story that goes wrong should stop where it does"
)]

use std::time::Duration;

use foretell_context::{
    AssembledContext, ContextAssembly, ContextEntry, ContextSection, CountTokens, EntrySpacing,
    Exclude, FoundSections, Redactor, SectionFate, SourceFinding, SourceReport, TokenEstimate,
    assemble,
};
use foretell_text::FilePath;

/// Excludes what has `secret` in its name.
struct Secrets;

impl Exclude for Secrets {
    fn excludes(&self, file: &FilePath) -> bool {
        file.as_str().contains("secret")
    }
}

fn told(budget: usize, findings: Vec<SourceFinding>) -> AssembledContext {
    let redactor = Redactor::default();
    let mut redaction = redactor.begin();
    let context = assemble(
        findings,
        ContextAssembly {
            budget,
            counter: &TokenEstimate,
            exclude: &Secrets,
            redaction: &mut redaction,
        },
    );
    assert_eq!(context.tokens, TokenEstimate.count(&context.text));
    assert!(context.tokens <= budget);
    context
}

fn finding(source: &'static str, found: FoundSections) -> SourceFinding {
    let took = Duration::from_millis(3);
    SourceFinding {
        source,
        found,
        took,
    }
}

fn section(heading: &str, spacing: EntrySpacing, entries: &[&str]) -> FoundSections {
    let entry = |text: &&str| ContextEntry {
        code: None,
        file: None,
        text: (*text).to_owned(),
        secrets: Vec::new(),
    };
    FoundSections::Section(ContextSection {
        heading: heading.to_owned(),
        entries: entries.iter().map(entry).collect(),
        spacing,
    })
}

fn diagnostics(entries: &[&str]) -> SourceFinding {
    finding(
        "diagnostics",
        section("Diagnostics", EntrySpacing::Lines, entries),
    )
}

fn history(entries: &[&str]) -> SourceFinding {
    finding(
        "history",
        section("Recent Changes", EntrySpacing::Paragraphs, entries),
    )
}

fn semantic(entries: &[&str]) -> SourceFinding {
    let heading = "Relevant Code from Workspace";
    finding(
        "semantic",
        section(heading, EntrySpacing::Paragraphs, entries),
    )
}

/// A text of so many tokens.
fn long(tokens: usize) -> String {
    "abc ".repeat(tokens - 1) + "abcd"
}

fn fates(context: &AssembledContext) -> Vec<&SectionFate> {
    context.sources.iter().map(|report| &report.fate).collect()
}

const DIAGNOSTIC: &str = "**ERROR** [typescript] (line 1): Missing return type annotation.";
const CHANGE: &str = "**File**: `src/auth/login.ts` (2 minutes ago)
**Change**: Added error handling with try/catch block
```typescript
try { ... } catch (error) { ... }
```";
const CHUNK: &str = "**File**: `src/api/client.ts` (lines 42-52) - function: `apiRequest`
```typescript
async function apiRequest(endpoint: string): Promise<any> { ... }
```";

mod whole {
    //! There is room for everything.
    use super::*;

    const COMBINED: &str = "\
## Diagnostics

**ERROR** [typescript] (line 1): Missing return type annotation.

---

## Recent Changes

**File**: `src/auth/login.ts` (2 minutes ago)
**Change**: Added error handling with try/catch block
```typescript
try { ... } catch (error) { ... }
```

---

## Relevant Code from Workspace

**File**: `src/api/client.ts` (lines 42-52) - function: `apiRequest`
```typescript
async function apiRequest(endpoint: string): Promise<any> { ... }
```
";

    #[test]
    fn three_sources_are_combined_with_separators() {
        let findings = vec![
            diagnostics(&[DIAGNOSTIC]),
            history(&[CHANGE]),
            semantic(&[CHUNK]),
        ];
        let context = told(2_000, findings);
        assert_eq!(context.text, COMBINED);
        assert_eq!(fates(&context), [&SectionFate::Included; 3]);
    }

    #[test]
    fn exactly_as_much_as_there_is_room_for_is_told_whole() {
        let findings = vec![
            diagnostics(&[DIAGNOSTIC]),
            history(&[CHANGE]),
            semantic(&[CHUNK]),
        ];
        let tokens = TokenEstimate.count(COMBINED);
        assert_eq!(told(tokens, findings.clone()).text, COMBINED);
        assert_ne!(told(tokens - 1, findings).text, COMBINED);
    }

    #[test]
    fn a_source_that_found_nothing_leaves_no_trace() {
        let nothing = [
            finding("history", FoundSections::Nothing),
            history(&[]),
            history(&["", " \n\t\r\n"]),
        ];
        for nothing in nothing {
            let context = told(2_000, vec![diagnostics(&["a"]), nothing, semantic(&["b"])]);
            let expected = "## Diagnostics\n\na\n\n---\n\n## Relevant Code from Workspace\n\nb\n";
            assert_eq!(context.text, expected);
            assert_eq!(
                fates(&context),
                [
                    &SectionFate::Included,
                    &SectionFate::Nothing,
                    &SectionFate::Included
                ]
            );
            assert_eq!(context.sources[1].found, 0);
        }
    }

    #[test]
    fn the_order_of_the_findings_is_the_order_of_the_text() {
        let context = told(2_000, vec![semantic(&["b"]), diagnostics(&["a"])]);
        let expected = "## Relevant Code from Workspace\n\nb\n\n---\n\n## Diagnostics\n\na\n";
        assert_eq!(context.text, expected);
    }

    #[test]
    fn entries_are_on_lines_or_in_paragraphs_of_their_own() {
        let context = told(2_000, vec![diagnostics(&["a\n", "\r\n  b \n\n", "", "c"])]);
        assert_eq!(context.text, "## Diagnostics\n\na\n  b\nc\n");
        let context = told(2_000, vec![history(&["a\n", "b\n\n", "c"])]);
        assert_eq!(context.text, "## Recent Changes\n\na\n\nb\n\nc\n");
    }

    #[test]
    fn a_fence_that_a_source_left_open_does_not_swallow_the_rest() {
        let context = told(
            2_000,
            vec![diagnostics(&["see:\n~~~~\ncode", "b"]), semantic(&["c"])],
        );
        let expected = "## Diagnostics\n\nsee:\n~~~~\ncode\n~~~~\nb\n\n---\n\n";
        assert!(context.text.starts_with(expected), "{}", context.text);
    }

    #[test]
    fn a_heading_is_one_line_and_may_be_missing() {
        let headed = |heading| finding("own", section(heading, EntrySpacing::Lines, &["a"]));
        assert_eq!(
            told(99, vec![headed(" Two\nlines ")]).text,
            "## Two lines\n\na\n"
        );
        assert_eq!(told(99, vec![headed(" ")]).text, "a\n");
    }
}

mod over_budget {
    //! There is not room for everything.
    use super::*;

    #[test]
    fn a_budget_of_nothing_gives_nothing() {
        let context = told(0, vec![diagnostics(&["a"]), history(&[]), semantic(&["b"])]);
        assert_eq!(context.text, "");
        assert_eq!(context.tokens, 0);
        assert_eq!(
            fates(&context),
            [
                &SectionFate::OverBudget,
                &SectionFate::Nothing,
                &SectionFate::OverBudget
            ]
        );
    }

    #[test]
    fn of_three_thousand_tokens_two_thousand_are_told() {
        let lines = long(100);
        let thousand = [lines.as_str(); 10];
        let findings = vec![
            diagnostics(&thousand),
            history(&thousand),
            semantic(&thousand),
        ];
        let context = told(2_000, findings);
        assert!(context.tokens > 1_850, "{}", context.tokens);
        assert_eq!(
            fates(&context),
            [
                &SectionFate::Included,
                &SectionFate::Truncated,
                &SectionFate::OverBudget
            ]
        );
        let included: Vec<_> = context.sources.iter().map(|it| it.included).collect();
        assert_eq!(included, [10, 9, 0]);
    }

    #[test]
    fn a_section_of_which_half_fits_keeps_half_of_its_entries() {
        let entries: Vec<_> = (0..10).map(|n| format!("{n} {}", long(100))).collect();
        let entries: Vec<_> = entries.iter().map(String::as_str).collect();
        let context = told(520, vec![history(&entries)]);
        let expected = format!(
            "## Recent Changes\n\n{}\n\n... (truncated)\n",
            entries[..5].join("\n\n")
        );
        assert_eq!(context.text, expected);
        assert_eq!(
            (context.sources[0].found, context.sources[0].included),
            (10, 5)
        );
    }

    #[test]
    fn with_a_hundred_tokens_left_a_section_is_not_begun() {
        let entry = long(500);
        assert_eq!(told(100, vec![history(&[&entry])]).text, "");
        let context = told(101, vec![history(&[&entry])]);
        assert_eq!(fates(&context), [&SectionFate::Truncated]);
        assert_eq!(context.tokens, 101);
        // The same behind another section.
        let before = diagnostics(&[&entry]);
        let taken = told(2_000, vec![before.clone()]).tokens;
        let context = told(taken + 100, vec![before.clone(), history(&[&entry])]);
        assert_eq!(
            fates(&context),
            [&SectionFate::Included, &SectionFate::OverBudget]
        );
        let context = told(taken + 101, vec![before, history(&[&entry])]);
        assert_eq!(
            fates(&context),
            [&SectionFate::Included, &SectionFate::Truncated]
        );
    }

    #[test]
    fn nothing_follows_what_did_not_fit_however_short_it_is() {
        let entry = long(500);
        for budget in [90, 300] {
            let context = told(budget, vec![history(&[&entry]), semantic(&["b"])]);
            assert!(!context.text.contains("Workspace"));
            assert_eq!(context.sources[1].fate, SectionFate::OverBudget);
        }
    }

    #[test]
    fn the_one_entry_that_does_not_fit_is_cut_and_its_fence_closed() {
        let lines = "    let value = compute();\n".repeat(100);
        for fence in ["```", "`````", "~~~"] {
            let entry = format!("**File**: `src/a.rs`\n{fence}rust\nfn a() {{\n{lines}}}\n{fence}");
            let context = told(150, vec![semantic(&[&entry, "b"])]);
            let end = format!("    let value = compute();\n{fence}\n\n... (truncated)\n");
            assert!(context.text.ends_with(&end), "{}", context.text);
            assert!(context.tokens > 140, "{}", context.tokens);
            assert_eq!(context.sources[0].included, 1);
        }
    }

    #[test]
    fn fences_in_the_code_are_not_taken_for_its_end() {
        let code = "```\nexample\n```\n".repeat(100);
        let entry = format!("````markdown\n{code}````");
        let context = told(120, vec![semantic(&[&entry])]);
        assert!(context.text.ends_with("\n````\n\n... (truncated)\n"));
    }

    #[test]
    fn a_file_of_one_line_is_cut_within_it() {
        let entry = format!("```js\n{}\n```", "é👩‍👩‍👧".repeat(2_000));
        let context = told(500, vec![semantic(&[&entry])]);
        assert!(context.text.ends_with("\n```\n\n... (truncated)\n"));
        assert!(context.tokens > 490, "{}", context.tokens);
        let code = context.text.lines().nth(3).unwrap();
        assert_eq!(
            code.replace("é👩‍👩‍👧", ""),
            if code.ends_with('é') { "é" } else { "" }
        );
    }

    #[test]
    fn a_heading_without_room_for_anything_under_it_is_not_told() {
        let heading = long(120);
        let entry = long(100);
        let found = section(&heading, EntrySpacing::Lines, &[&entry]);
        let context = told(124, vec![finding("own", found)]);
        assert_eq!(context.text, "");
        assert_eq!(fates(&context), [&SectionFate::OverBudget]);
    }

    #[test]
    fn two_hundred_kilobytes_are_cut_to_what_fits() {
        for text in ["x = 1;\n", "合計が上限を", "שלום ", "🎉"] {
            let entry = text.repeat(200_000 / text.len());
            let context = told(2_000, vec![semantic(&[&entry])]);
            assert!(context.tokens > 1_980, "{text}: {}", context.tokens);
        }
    }
}

mod redacted {
    //! Secrets, with the redactor that is shipped.
    use super::*;

    #[test]
    fn a_cut_never_shows_a_part_of_a_secret() {
        let secret = "ghp_R4nd0mL00kingT0k3nV4lu3Ab9Xy7Qw2Zt5K";
        for before in (0..420).step_by(7) {
            let filler = "x ".repeat(before / 2);
            let entry = format!("{filler}token = \"{secret}\" {}", "y ".repeat(300));
            let context = told(101, vec![semantic(&[&entry])]);
            assert_eq!(fates(&context), [&SectionFate::Truncated]);
            assert!(!context.text.contains("ghp_"), "{}", context.text);
            let marks = context.text.matches("[REDACTED-1]").count();
            assert_eq!(context.text.matches('[').count(), marks, "{}", context.text);
        }
    }
}

mod pieces {
    //! The code that entries quote, for models that continue files.
    use super::*;
    use foretell_text::{ByteOffset, ByteRange};

    /// An entry that quotes code below a heading of its own.
    fn quoting(file: &str, code: &str) -> ContextEntry {
        let before = format!("**File**: `{file}` (just now)\n```rust\n");
        let start = ByteOffset::new(before.len());
        let end = ByteOffset::new(before.len() + code.len());
        ContextEntry {
            file: Some(FilePath::new(file)),
            text: format!("{before}{code}\n```"),
            code: ByteRange::new(start, end).ok(),
            secrets: Vec::new(),
        }
    }

    fn semantic_of(entries: Vec<ContextEntry>) -> SourceFinding {
        let section = ContextSection {
            heading: "Code".to_owned(),
            entries,
            spacing: EntrySpacing::Paragraphs,
        };
        finding("semantic", FoundSections::Section(section))
    }

    /// Each piece as its path and its text.
    fn pieces(context: &AssembledContext) -> Vec<(String, String)> {
        let pieces = context.sections.iter().flat_map(|it| &it.pieces);
        pieces
            .map(|it| (it.path.to_string(), it.text.to_string()))
            .collect()
    }

    #[test]
    fn code_is_told_without_the_words_around_it() {
        let entries = vec![quoting("a.rs", "fn a() {}"), quoting("b.rs", "fn b() {}")];
        let context = told(500, vec![diagnostics(&["wrong"]), semantic_of(entries)]);
        let expected = [("a.rs", "fn a() {}"), ("b.rs", "fn b() {}")];
        assert_eq!(
            pieces(&context),
            expected.map(|(path, text)| (path.to_owned(), text.to_owned()))
        );
        let sections = context.sections.iter();
        let joined: Vec<&str> = sections.map(|it| &*it.markdown).collect();
        assert_eq!(joined.join("\n---\n\n"), context.text);
        assert_eq!(context.sections[0].source, "diagnostics");
    }

    #[test]
    fn a_secret_in_it_is_a_mark() {
        let secret = ["ghp_", "0123456789abcdefghijABCDEFGHIJ012345"].concat();
        let code = format!("let token = \"{secret}\";\nlet other = 1;");
        let context = told(500, vec![semantic_of(vec![quoting("a.rs", &code)])]);
        let [(_, text)] = &pieces(&context)[..] else {
            panic!("there is one: {}", context.text);
        };
        assert_eq!(text, "let token = \"[REDACTED-1]\";\nlet other = 1;");
        assert!(context.text.contains(text.as_str()));
    }

    #[test]
    fn what_is_known_to_be_secret_is_one_wherever_it_begins() {
        let mut entry = quoting("a.rs", "let a = plain;");
        let start = entry.text.find("plain").unwrap();
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(start + 5));
        entry.secrets = vec![range.unwrap()];
        let context = told(500, vec![semantic_of(vec![entry])]);
        assert_eq!(pieces(&context)[0].1, "let a = [REDACTED-1];");
    }

    #[test]
    fn of_what_does_not_fit_there_is_none() {
        let long = "let a = 1;\n".repeat(200);
        let entries = vec![quoting("a.rs", "fn a() {}"), quoting("b.rs", &long)];
        let context = told(200, vec![semantic_of(entries)]);
        assert_eq!(pieces(&context).len(), 1, "{}", context.text);
        let context = told(200, vec![semantic_of(vec![quoting("b.rs", &long)])]);
        assert!(!context.text.is_empty());
        assert_eq!(pieces(&context), []);
    }
}

mod excluded {
    //! Files that nothing is told of.
    use super::*;

    fn of(file: &str, text: &str) -> ContextEntry {
        ContextEntry {
            code: None,
            file: Some(FilePath::new(file)),
            text: text.to_owned(),
            secrets: Vec::new(),
        }
    }

    fn changes(entries: Vec<ContextEntry>) -> SourceFinding {
        let heading = "Recent Changes".to_owned();
        let spacing = EntrySpacing::Paragraphs;
        finding(
            "history",
            FoundSections::Section(ContextSection {
                heading,
                entries,
                spacing,
            }),
        )
    }

    #[test]
    fn what_quotes_an_excluded_file_is_dropped() {
        let entries = vec![
            of("secret.env", "a"),
            of("src/lib.rs", "b"),
            of("x/secret", "c"),
        ];
        let context = told(2_000, vec![changes(entries)]);
        assert_eq!(context.text, "## Recent Changes\n\nb\n");
        let expected = SourceReport {
            source: "history",
            fate: SectionFate::Included,
            found: 3,
            excluded: 2,
            included: 1,
            tokens: context.tokens,
            took: Duration::from_millis(3),
        };
        assert_eq!(context.sources, [expected]);
    }

    #[test]
    fn a_source_with_nothing_else_is_reported_as_excluded() {
        let context = told(
            2_000,
            vec![changes(vec![of("secret", "a"), of("secret", "b")])],
        );
        assert_eq!(context.text, "");
        assert_eq!(fates(&context), [&SectionFate::Excluded]);
    }

    #[test]
    fn a_log_has_lengths_and_no_quotes() {
        let finding = changes(vec![of("src/lib.rs", "quoted")]);
        let context = told(2_000, vec![finding.clone()]);
        assert!(context.text.contains("quoted"));
        assert!(!format!("{finding:?}{context:?}").contains("quoted"));
    }
}

mod reported {
    //! Who hears why.
    use super::*;

    #[test]
    fn whoever_has_nothing_to_say_is_reported_with_the_reason() {
        let why = || "no index yet".to_owned();
        let context = told(
            2_000,
            vec![
                finding("diagnostics", FoundSections::Late),
                finding("history", FoundSections::Failed(why())),
                finding("semantic", FoundSections::Unavailable(why())),
                finding("own", FoundSections::Nothing),
            ],
        );
        assert_eq!(context.text, "");
        let expected = [
            SectionFate::Late,
            SectionFate::Failed(why()),
            SectionFate::Unavailable(why()),
            SectionFate::Nothing,
        ];
        assert_eq!(fates(&context), expected.iter().collect::<Vec<_>>());
        let took = context
            .sources
            .iter()
            .all(|it| it.took == Duration::from_millis(3));
        assert!(took);
    }

    #[test]
    fn the_tokens_of_the_sources_are_those_of_the_context() {
        let entry = long(50);
        let findings = vec![
            diagnostics(&["a"]),
            history(&[&entry]),
            semantic(&[entry.as_str(); 3]),
        ];
        let context = told(210, findings);
        let tokens: Vec<_> = context.sources.iter().map(|it| it.tokens).collect();
        assert_eq!(tokens.iter().sum::<usize>(), context.tokens);
        assert!(tokens.iter().all(|tokens| *tokens > 0), "{tokens:?}");
    }
}

#[test]
fn what_one_entry_calls_secret_is_taken_out_of_all() {
    let context = told(
        2_000,
        vec![diagnostics(&[
            "expected a number, found \"hunter2hunter2\"",
            "unused: dbPassword = \"hunter2hunter2\"",
        ])],
    );
    assert!(!context.text.contains("hunter2"), "{}", context.text);
}
