//! A server's own words about a failure, without what it was told.
//!
//! They are worth having ("model 'x' not found, try pulling it first") and not to be trusted: servers
//! quote keys, half hidden or not, the address that they were asked at, and whole requests. So every
//! word with a piece of a secret in it goes, and every stretch that was sent, however it is written
//! ([`echo`]). The model's name may stay: it is the answer to most questions.
//!
//! Any part of an address may be a key, so all of them are secrets, also `api`. One that is as short as
//! that costs only the words that it is a whole part of.

use serde_json::Value;

use super::echo;

/// How much of a server's words is repeated, in characters.
const MOST_WORDS: usize = 300;
/// How many characters of a secret in a row are no coincidence.
const PIECE: usize = 5;
/// A secret shorter than this is looked for as a whole: its pieces are in every other word.
const SHORT_SECRET: usize = 8;
/// How long the escape of a character is in JSON: two halves of a pair.
const LONGEST_ESCAPE: usize = 12;

/// The parts of a request that must not be quoted.
#[derive(Default)]
pub(super) struct SentParts<'a> {
    /// The key and the person's headers.
    pub(super) secrets: Vec<&'a str>,
    /// The parts of the address, as it is written and as it is meant.
    pub(super) address: Vec<String>,
    /// The request.
    pub(super) body: Option<&'a Value>,
}

/// The words for people in the body of a refusal, if there are any.
pub(super) fn repeatable(body: &[u8], told: &SentParts<'_>) -> Option<String> {
    let words = message(body)?;
    // More than is needed, since what is taken out makes room; and not more than is worth the search.
    let words: String = words.chars().take(2 * MOST_WORDS).collect();
    let sent = echo::searchable(&told.body.map(sent).unwrap_or_default());
    let secrets = echo::searchable(&told.secrets.join("\0"));
    let words = echo::without_echoes(&words, &sent, &secrets);
    let words = without_secrets(&words, told);
    let is_more = words.chars().count() > MOST_WORDS;
    let mut cut: String = words.chars().take(MOST_WORDS).collect();
    if is_more {
        cut.push('…');
    }
    (!cut.is_empty()).then_some(cut)
}

/// The message in a body: where servers put it in their JSON, or the first line of a plain text.
fn message(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let Ok(json) = serde_json::from_str::<Value>(&text) else {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
        return match line.chars().next() {
            // A page is for browsers.
            Some('<') | None => None,
            Some('{' | '[') => message_of_cut(&text),
            Some(_) => Some(line.to_owned()),
        };
    };
    let places = [
        "/error/message",
        "/error",
        "/message",
        "/detail",
        "/detail/0/msg",
    ];
    let found = places.iter().filter_map(|place| json.pointer(place));
    found.filter_map(Value::as_str).map(str::to_owned).next()
}

/// The message in a JSON that was cut off: the first that has a name for it, as far as it goes.
fn message_of_cut(text: &str) -> Option<String> {
    let names = [r#""message""#, r#""msg""#, r#""error""#, r#""detail""#];
    let mut said = names.iter().filter_map(|name| {
        let (_, rest) = text.split_once(name)?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start();
        let says = value.strip_prefix('"')?;
        let mut is_escaped = false;
        let end = says.find(|c| {
            let ends = c == '"' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            ends
        });
        let says = says.get(..end.unwrap_or(says.len()))?;
        // An escape may have been cut, too, or a pair of them.
        let mut lengths = (0..=LONGEST_ESCAPE).map(|less| says.len().saturating_sub(less));
        lengths.find_map(|length| {
            let quoted = format!("\"{}\"", says.get(..length)?);
            serde_json::from_str::<String>(&quoted).ok()
        })
    });
    said.next()
}

/// Everything that was sent, as it is and as it was written down.
fn sent(body: &Value) -> String {
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("model");
    }
    let mut all = body.to_string();
    let mut values = vec![&body];
    while let Some(value) = values.pop() {
        match value {
            Value::String(text) => {
                all.push('\0');
                all.push_str(text);
            }
            Value::Array(items) => values.extend(items),
            Value::Object(fields) => values.extend(fields.values()),
            _ => {}
        }
    }
    all
}

/// A text as one line, without the words that have a secret or a piece of one in them.
fn without_secrets(text: &str, told: &SentParts<'_>) -> String {
    let parts = told.secrets.iter().flat_map(|it| it.split_whitespace());
    let of_address = told.address.iter().flat_map(|it| it.split_whitespace());
    let is_short = |part: &&str| part.len() < SHORT_SECRET;
    let (short, long): (Vec<&str>, Vec<&str>) = parts.partition(is_short);
    let (names, longer): (Vec<&str>, Vec<&str>) = of_address.partition(is_short);
    let tells = |word: &str| {
        let small = word.to_lowercase();
        let has_piece = |part: &&&str| {
            let part = part.to_lowercase();
            pieces(&part).any(|piece| memchr::memmem::find(small.as_bytes(), piece).is_some())
        };
        let mut whole = word.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c));
        short
            .iter()
            .any(|part| small.contains(&part.to_lowercase()))
            || long.iter().chain(&longer).find(has_piece).is_some()
            || whole.any(|part| names.contains(&part))
    };
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| if tells(word) { "***" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

fn pieces(secret: &str) -> impl Iterator<Item = &[u8]> {
    secret.as_bytes().windows(PIECE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn repeated(body: &str, secrets: &[&str], sent: &Value) -> Option<String> {
        let told = SentParts {
            secrets: secrets.to_vec(),
            address: Vec::new(),
            body: Some(sent),
        };
        repeatable(body.as_bytes(), &told)
    }

    #[test]
    fn messages_are_found_where_servers_put_them() {
        let nothing = json!({});
        let bodies = [
            (
                r#"{"error":{"message":"no such model"}}"#,
                Some("no such model"),
            ),
            (r#"{"error":"no such model"}"#, Some("no such model")),
            (r#"{"message":"no such model"}"#, Some("no such model")),
            (r#"{"detail":"no such model"}"#, Some("no such model")),
            (
                r#"{"detail":[{"msg":"no such model","input":"x"}]}"#,
                Some("no such model"),
            ),
            ("\r\n no such model \r\nat line 3", Some("no such model")),
            ("no\u{1b}[31m such\tmodel", Some("no [31m such model")),
            ("<html>", None),
            ("{\"error\": ", None),
            ("{}", None),
            ("\"\"", None),
            ("", None),
        ];
        for (body, expected) in bodies {
            assert_eq!(repeated(body, &[], &nothing).as_deref(), expected, "{body}");
        }
        assert_eq!(
            repeatable(b"\xff\xfe \xf0\x9f", &SentParts::default()).as_deref(),
            Some("\u{fffd}\u{fffd} \u{fffd}")
        );
    }

    #[test]
    fn a_key_goes_whole_or_half_hidden() {
        let key = "sk-recognisable-0123456789";
        let says = |words: &str| repeated(words, &[key], &json!({}));
        let whole = format!("wrong key {key}, get another");
        assert_eq!(says(&whole).as_deref(), Some("wrong key *** get another"));
        let capitals = whole.to_uppercase();
        assert_eq!(
            says(&capitals).as_deref(),
            Some("WRONG KEY *** GET ANOTHER")
        );
        let hidden = "wrong key sk-recog*****6789.";
        assert_eq!(says(hidden).as_deref(), Some("wrong key ***"));
        assert_eq!(
            repeated("pin 1234?", &["1234"], &json!({})).as_deref(),
            Some("pin ***")
        );
    }

    #[test]
    fn what_was_sent_goes_however_it_is_quoted_and_the_models_name_stays() {
        let sent = json!({
            "model": "qwen2.5-coder:1.5b",
            "prompt": "fn salary(\n    person: &Person) -> Euro {",
        });
        let says = |words: &str| repeated(words, &[], &sent).unwrap();
        let name = "model 'qwen2.5-coder:1.5b' not found";
        assert_eq!(says(name), name);
        let plain = json!({"error": "cannot read fn salary(\n    person: &Person) -> here"});
        assert_eq!(says(&plain.to_string()), "cannot read … here");
        let escaped = r#"bad: "prompt":"fn salary(\n    person: &Person) -> Euro {"!"#;
        let left = says(escaped);
        assert!(
            !left.contains("salary") && !left.contains("Person"),
            "{left}"
        );
    }

    #[test]
    fn words_are_cut_between_characters() {
        let long = "🦀é ".repeat(1_000);
        let cut = repeated(&long, &[], &json!({})).unwrap();
        assert_eq!(cut.chars().count(), MOST_WORDS + 1);
    }
}
