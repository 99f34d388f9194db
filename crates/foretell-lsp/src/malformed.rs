//! Faults of a message, in plain words and without a word of the message itself.
//!
//! The parser names Rust's types and quotes what it found, which may be a person's text. Of that,
//! only the name of a field and what is expected are taken, since those are ours; and only the kind
//! of what was found. Which field has the wrong kind is not said, because the parser does not know:
//! it says so of a missing one only.

/// The parser's error in words, to follow a colon.
pub(crate) fn in_words(error: &serde_json::Error) -> String {
    let said = error.to_string();
    if let Some(field) = said.strip_prefix("missing field ") {
        return format!("{} is missing", field.trim_matches('`'));
    }
    // The found value comes first and may say anything; the expected kind comes last.
    let (found, expected) = said.rsplit_once(", expected ").unwrap_or((&said, ""));
    if found.starts_with("unknown variant ") {
        return match choices(expected) {
            Some(choices) => format!("one of the values has to be {choices}"),
            None => "one of the values is none that is known".to_owned(),
        };
    }
    match (kind(expected), found_kind(found)) {
        (Some(expected), Some(found)) => format!("there is {found} where {expected} belongs"),
        (Some(expected), None) => format!("{expected} is missing somewhere"),
        (None, Some(found)) => format!("there is {found} where something else belongs"),
        (None, None) => "something in them is of another form than it should be".to_owned(),
    }
}

/// The expected kind, by the parser's name for it.
fn kind(expected: &str) -> Option<&'static str> {
    Some(match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0 on",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" | "string" | "str" => "text",
        "a boolean" => "true or false",
        "a sequence" | "an array" => "a list",
        "unit" | "null" => "nothing",
        "a map" | "map" => "an object",
        _ if expected.starts_with("struct ") => "an object",
        _ if expected.starts_with("a tuple") || expected.starts_with("tuple ") => "a list",
        _ => return None,
    })
}

/// The kind that was found, by the word that the parser puts before its quote.
fn found_kind(found: &str) -> Option<&'static str> {
    // Objects are also read from lists, by order; ours have names.
    if found.starts_with("invalid length ") {
        return Some("a list");
    }
    if found.starts_with("invalid value: integer") {
        return Some("a number that is too small or too large");
    }
    let type_of = found.strip_prefix("invalid type: ");
    let found = type_of.or_else(|| found.strip_prefix("invalid value: "))?;
    let kinds = [
        ("string", "text"),
        ("character", "text"),
        ("integer", "a number"),
        ("floating point", "a number"),
        ("boolean", "true or false"),
        ("null", "nothing"),
        ("unit", "nothing"),
        ("sequence", "a list"),
        ("map", "an object"),
    ];
    let known = kinds.into_iter().find(|(name, _)| found.starts_with(name));
    known.map(|(_, words)| words)
}

/// The values there are to choose from: `one of `a`, `b``, or a single one.
fn choices(expected: &str) -> Option<String> {
    let names = expected.strip_prefix("one of ").unwrap_or(expected);
    let is_name = |name: &&str| {
        name.bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    let names = names.split([',', ' ']).filter(|it| !it.is_empty());
    let names: Vec<&str> = names.map(|it| it.trim_matches('`')).collect();
    let names: Vec<&str> = names.into_iter().filter(|it| *it != "or").collect();
    let are_names = !names.is_empty() && names.iter().all(is_name);
    let (last, others) = names.split_last()?;
    let all = if others.is_empty() {
        (*last).to_owned()
    } else {
        format!("{} or {last}", others.join(", "))
    };
    are_names.then_some(all)
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;
    use crate::wire_types::{
        AskContext, CancelRequest, DidChange, DidChangeDiagnostics, DidChangeSelection,
        FeedbackParams, InlineCompletion, SetTrace, WhyParams, WillChange,
    };

    #[track_caller]
    fn wrong<T: DeserializeOwned>(params: Value) -> String {
        match serde_json::from_value::<T>(params) {
            Ok(_) => "nothing".to_owned(),
            Err(error) => in_words(&error),
        }
    }

    #[test]
    fn what_is_wrong_is_said_without_the_names_of_types() {
        let uri = json!({ "uri": "file:///a" });
        let told = [
            wrong::<WhyParams>(json!([])),
            wrong::<WhyParams>(json!("why")),
            wrong::<WhyParams>(json!({ "limit": -1 })),
            wrong::<WhyParams>(json!({ "limit": 1.5 })),
            wrong::<WhyParams>(json!({ "limit": "many" })),
            wrong::<WhyParams>(json!({ "textDocument": {} })),
            wrong::<WhyParams>(json!({ "textDocument": { "uri": 7 } })),
            wrong::<InlineCompletion>(Value::Null),
            wrong::<InlineCompletion>(json!({ "textDocument": uri, "position": { "line": 0 } })),
            wrong::<InlineCompletion>(json!({ "textDocument": uri, "position": { "line": "0" } })),
            wrong::<InlineCompletion>(json!({
                "textDocument": uri, "position": { "line": 99999999999_u64, "character": 0 },
            })),
            wrong::<AskContext>(json!({ "textDocument": uri, "range": [1] })),
            wrong::<SetTrace>(json!({ "value": "loud" })),
            wrong::<SetTrace>(json!({ "value": 1 })),
            wrong::<WillChange>(json!({ "textDocument": uri, "reason": "weird" })),
            wrong::<FeedbackParams>(json!({ "id": 1 })),
            wrong::<FeedbackParams>(json!({ "id": "1.0", "acceptedLength": -1 })),
            wrong::<DidChangeSelection>(json!({ "textDocument": uri, "selections": true })),
            wrong::<CancelRequest>(json!({ "id": {} })),
        ];
        let expected = [
            "there is a list where an object belongs",
            "there is text where an object belongs",
            "there is a number that is too small or too large where a whole number from 0 on belongs",
            "there is a number where a whole number from 0 on belongs",
            "there is text where a whole number from 0 on belongs",
            "uri is missing",
            "there is a number where text belongs",
            "there is nothing where an object belongs",
            "character is missing",
            "there is text where a whole number from 0 on belongs",
            "there is a number that is too small or too large where a whole number from 0 on belongs",
            "there is a number where an object belongs",
            "one of the values has to be off, messages or verbose",
            "there is a number where something else belongs",
            "one of the values has to be undo, redo or other",
            "there is a number where text belongs",
            "there is a number that is too small or too large where a whole number from 0 on belongs",
            "there is true or false where a list belongs",
            "something in them is of another form than it should be",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn nothing_of_the_message_is_repeated() {
        let secrets = [
            "hunter2",
            "hunter2, expected hunter2",
            "`hunter2`, expected `hunter2`",
            "missing field hunter2",
            ", expected one of `hunter2`, `hunter2`",
        ];
        for secret in secrets {
            let document = json!({ "uri": "file:///a", "version": 1 });
            let told = [
                wrong::<WhyParams>(json!({ "limit": secret, secret: secret })),
                wrong::<WhyParams>(json!(secret)),
                wrong::<SetTrace>(json!({ "value": secret })),
                wrong::<SetTrace>(json!({ "value": { secret: secret } })),
                wrong::<WillChange>(json!({ "textDocument": document, "reason": secret })),
                wrong::<CancelRequest>(json!({ "id": { secret: secret } })),
                wrong::<DidChange>(json!({
                    "textDocument": document,
                    "contentChanges": [{ "text": "", "range": { "start": secret } }],
                })),
                wrong::<DidChangeDiagnostics>(json!({
                    "uri": "", "diagnostics": [{ "range": secret, "message": [secret] }],
                })),
                wrong::<InlineCompletion>(json!({
                    "textDocument": document, "position": { "line": 0, "character": 0 },
                    "context": { "triggerKind": secret },
                })),
            ];
            for words in told {
                assert!(!words.contains("hunter2"), "{words}");
                assert_ne!(words, "nothing", "it is wrong");
            }
        }
    }
}
