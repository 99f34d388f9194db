//! Arbitrary bytes as a text and an answer for the redactor.
//!
//! Whatever the bytes are: nothing panics, the ranges of secrets are in order and between characters,
//! what was redacted comes back as it was, also when it was indented, and no secret is put elsewhere.

use std::sync::LazyLock;

use foretell_context::Redactor;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::new);

pub(crate) fn redaction(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut end = 0;
    for range in REDACTOR.ranges(&text) {
        let (from, to) = (range.start().get(), range.end().get());
        assert!(end <= from && from < to, "ranges are in order");
        assert!(
            text.get(from..to).is_some(),
            "ranges are between characters"
        );
        end = to;
    }
    let mut redaction = REDACTOR.begin();
    let told = redaction.redact(&text).into_owned();
    assert_eq!(redaction.restore(&told, &told).as_deref(), Ok(&*text));
    let indented = told.replace('\n', "\n  ");
    assert!(redaction.restore(&told, &indented).is_ok());
    // Behind enough of the same words, one more of them is not seen.
    if !redaction.is_empty() && !told.contains('<') {
        let moved = told.replace("[REDACTED-", "<[REDACTED-");
        assert!(redaction.restore(&told, &moved).is_err());
    }
    // The rest of the bytes as an answer: marks, or what looks like some, among them.
    let half = text.chars().count() / 2;
    let answer: String = text.chars().skip(half).collect();
    let _ = redaction.restore(&told, &answer);
    let again = redaction.redact(&text);
    assert_eq!(again, told, "a secret has one mark");
}
