//! What is secret in a document stays so where only a part of it is quoted.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use foretell_context::{
    ContextRequest, Exclude, ExclusionGlobs, FileChange, Redactor, TokenEstimate,
};
use foretell_engine::context_source::{DiagnosticsSource, HistorySource};
use foretell_engine::{ContextSource, DiskThreads, GatherOptions, WorkThreads, gather};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, Diagnostic, DiagnosticSeverity, FilePath, Language,
    RecentEdit, Text,
};
use tokio_util::sync::CancellationToken;

fn request(text: &str) -> ContextRequest {
    ContextRequest {
        file: FilePath::new("src/config.ts"),
        language: Language::new("typescript"),
        text: Text::from(text),
        cursor: ByteOffset::ZERO,
        selection: None,
        instruction: String::new(),
        diagnostics: Vec::new(),
        changes: Vec::new(),
    }
}

/// A request in which another document was changed: `new` took the place of `old`.
fn changed(text: &str, new: &str, old: &str) -> ContextRequest {
    let start = text.find(new).unwrap();
    let (start, end) = (ByteOffset::new(start), ByteOffset::new(start + new.len()));
    let change = FileChange {
        file: FilePath::new("src/other.ts"),
        language: Language::new("typescript"),
        text: Text::from(text),
        made: None,
        edit: RecentEdit {
            made_at: None,
            range: ByteRange::new(start, end).unwrap(),
            old_text: old.into(),
            new_text: new.into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms: 0,
            is_finished: true,
        },
    };
    let mut request = request("");
    request.changes.push(change);
    request
}

async fn told(request: ContextRequest) -> String {
    let redactor = Redactor::new();
    let sources: [Arc<dyn ContextSource>; 2] =
        [Arc::new(DiagnosticsSource), Arc::new(HistorySource)];
    let exclude: Arc<dyn Exclude> = Arc::new(ExclusionGlobs::default());
    let gathering = GatherOptions {
        sources: &sources,
        settings: &Settings::default().context,
        max_lines: usize::MAX,
        counter: &TokenEstimate,
        exclude: &exclude,
        threads: &DiskThreads::default(),
        work: &WorkThreads::default(),
        stop: &CancellationToken::new(),
    };
    let context = gather(request, gathering, &mut redactor.begin()).await;
    context.unwrap().text
}

#[tokio::test]
async fn a_diagnostic_that_quotes_a_password_without_its_name() {
    let mut request = request("const dbPassword: number = \"hunter2hunter2\";\n");
    request.diagnostics.push(Diagnostic {
        range: ByteRange::default(),
        severity: DiagnosticSeverity::Error,
        source: None,
        code: None,
        message: "Type '\"hunter2hunter2\"' is not assignable to type 'number'.".to_owned(),
        fixes: Vec::new(),
    });
    let told = told(request).await;
    assert!(told.contains("Type '\"[REDACTED-1]\"' is not"), "{told}");
}

#[tokio::test]
async fn a_change_in_the_middle_of_a_key() {
    let lines = [
        "MIIEvQIBADANBgkqhkiG9w0BAQEF",
        "xQ7VJTUt9Us8cKjMIIEvQIBADANB",
    ];
    let label = ["PRIVATE", "KEY"].join(" ");
    let lines = lines.join("\n");
    let text = format!("-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n");
    let told = told(changed(&text, "9Us8", "77aa")).await;
    assert!(told.contains("[REDACTED-"), "{told}");
    assert!(!told.contains("xQ7VJTUt"), "{told}");
}

#[tokio::test]
async fn a_value_on_a_line_of_its_own() {
    let text = "const password =\n    \"hunter2hunter2\";\n";
    let told = told(changed(text, "2hunter2", "3hunter3")).await;
    assert!(told.contains("\"[REDACTED-1]\";"), "{told}");
}

#[tokio::test]
async fn a_password_that_was_removed() {
    let text = "const password =\n;\n";
    let told = told(changed(text, ";\n", "    \"hunter2hunter2\"\n;\n")).await;
    assert!(told.contains("\"[REDACTED-1]\""), "{told}");
}
