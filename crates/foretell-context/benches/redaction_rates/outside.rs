//! Cases that somebody else wrote: one JSON object a line, with `category`, `kind`, `file`, `text` and `secrets`.
//!
//! The generator of this project was written by people who know what redaction is for. Whoever wants a second
//! opinion writes files with secrets of their own, says what the secrets are, and has the same tables printed.
//! `category` is `service`, `private_key`, `named`, `entropy`, `hex`, `encoded` or `none`.

use std::ops::Range;
use std::path::Path;

use foretell_testkit::planted_secrets::{CaseHalf, PlantedCase, SecretClass};
use serde_json::Value;

/// The cases of a file.
pub(crate) fn cases(path: &Path) -> Vec<PlantedCase> {
    let lines = std::fs::read_to_string(path).expect("the file of --from can be read");
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    let cases: Option<Vec<_>> = lines.map(case).collect();
    cases.expect("every line of the file of --from is a case")
}

fn case(line: &str) -> Option<PlantedCase> {
    let value: Value = serde_json::from_str(line).ok()?;
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let text = field("text")?.to_owned();
    let secrets = value.get("secrets")?.as_array()?.iter();
    let secrets = secrets.map(|secret| places(&text, secret.as_str()?));
    let secrets: Option<Vec<_>> = secrets.collect();
    Some(PlantedCase {
        class: class(field("category")?)?,
        kind: field("kind")?.to_owned(),
        form: field("file")?.to_owned(),
        language: "outside",
        place: "outside",
        disguise: "outside",
        half: CaseHalf::Tuning,
        secrets: secrets?.concat(),
        text,
    })
}

/// Where a secret stands first, in pieces that are on one line each.
fn places(text: &str, secret: &str) -> Option<Vec<Range<usize>>> {
    let mut at = text.find(secret)?;
    let mut pieces = Vec::new();
    for piece in secret.split_inclusive('\n') {
        let inside = piece.trim();
        let start = at + (piece.len() - piece.trim_start().len());
        if !inside.is_empty() {
            pieces.push(start..start + inside.len());
        }
        at += piece.len();
    }
    Some(pieces)
}

fn class(category: &str) -> Option<SecretClass> {
    Some(match category {
        "service" => SecretClass::ServiceToken,
        "private_key" => SecretClass::PrivateKey,
        "named" => SecretClass::NamedSecret,
        "entropy" => SecretClass::UnnamedString,
        "hex" => SecretClass::UnnamedHex,
        "encoded" => SecretClass::Encoded,
        "none" => SecretClass::NotASecret,
        _ => return None,
    })
}
