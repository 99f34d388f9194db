//! Where a secret stands, and what else was done to it: from a few lines to a file.

use super::encoding::percent;
use super::forms::ValueQuoting;
use super::random::SeededRandom;
use super::secret_shape::{BEGIN, END};
use super::surroundings;

/// The lines with the secret.
#[derive(Clone, Debug)]
pub(super) struct SecretSnippet {
    pub(super) language: &'static str,
    pub(super) text: String,
    /// The quoting that the value respects; nothing for a text that may not be changed.
    pub(super) quoting: Option<ValueQuoting>,
}

impl SecretSnippet {
    /// Lines that have a form of their own.
    pub(super) fn fixed(language: &'static str, mut text: String) -> Self {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Self {
            language,
            text,
            quoting: None,
        }
    }
}

/// A file with a secret.
#[derive(Clone, Debug)]
pub(super) struct PlantedScene {
    pub(super) language: &'static str,
    pub(super) place: &'static str,
    pub(super) disguise: &'static str,
    pub(super) text: String,
}

/// Puts lines into a file.
pub(super) fn stage(snippet: SecretSnippet, random: &mut SeededRandom) -> PlantedScene {
    let (text, disguise) = disguised(&snippet, random);
    let (text, place) = placed(&text, &snippet, random);
    let (text, disguise) = if disguise == "plain" && random.in_hundred(8) {
        (
            text.replace("\r\n", "\n").replace('\n', "\r\n"),
            "carriage returns",
        )
    } else {
        (text, disguise)
    };
    PlantedScene {
        language: snippet.language,
        place,
        disguise,
        text,
    }
}

/// Changes the lines as editors and people do.
fn disguised(snippet: &SecretSnippet, random: &mut SeededRandom) -> (String, &'static str) {
    let text = &snippet.text;
    let is_quoted = matches!(
        snippet.quoting,
        Some(ValueQuoting::Backslash | ValueQuoting::Doubled)
    );
    let is_one_line = text.lines().count() == 1;
    let comment = comment_of(snippet.language);
    match (random.below(100), comment) {
        (0..8, _) if is_one_line => (format!("\t\t{}", text.trim_start()), "indented"),
        (8..14, Some(comment)) if is_quoted && is_one_line => (
            format!("{} {comment} for staging\n", text.trim_end()),
            "remark behind it",
        ),
        (14..21, Some(comment)) if is_quoted => {
            let lines = text.lines().map(|line| format!("{comment} {line}\n"));
            (lines.collect(), "commented out")
        }
        (21..25, _) if snippet.language == "python" => {
            let line = |line: &str| {
                let escaped = line.replace('\\', "\\\\").replace('"', "\\\"");
                format!("    \"{escaped}\\n\",\n")
            };
            let lines: String = text.lines().map(line).collect();
            (
                format!("   \"cell_type\": \"code\",\n   \"source\": [\n{lines}   ],\n"),
                "notebook",
            )
        }
        (25..29, _) => (
            format!("Try this:\n\n```{}\n{text}```\n", snippet.language),
            "fenced in prose",
        ),
        (29..33, _) if snippet.language == "javascript" && is_one_line => {
            let filler = "function e(t){return t.map(function(n){return n+1})}".repeat(20);
            (
                format!("{filler};{};{filler}\n", text.trim().trim_end_matches(';')),
                "one long line",
            )
        }
        _ => (text.clone(), "plain"),
    }
}

/// Puts lines into a place.
fn placed(
    text: &str,
    snippet: &SecretSnippet,
    random: &mut SeededRandom,
) -> (String, &'static str) {
    let language = snippet.language;
    let around = |random: &mut SeededRandom| {
        let count = random.between(5, 30);
        surroundings::lines(language, count, random)
    };
    let is_one_line = text.lines().count() == 1;
    match random.below(100) {
        0..30 => (
            format!("{}{text}{}", around(random), around(random)),
            "middle",
        ),
        30..40 => (
            format!("{text}{}{}", around(random), around(random)),
            "first line",
        ),
        40..50 => {
            let before = around(random) + &around(random);
            (
                before + text.trim_end_matches(['\n', '\r']),
                "end without a line break",
            )
        }
        50..60 => {
            let prefixed = |text: &str, sign: &str| -> String {
                text.split_inclusive('\n')
                    .map(|line| format!("{sign}{line}"))
                    .collect()
            };
            let sign = *random.one_of(&["+", "-"]);
            let (before, after) = (
                surroundings::lines(language, 3, random),
                surroundings::lines(language, 3, random),
            );
            let header = "diff --git a/settings b/settings\n--- a/settings\n+++ b/settings\n@@ -10,7 +10,8 @@\n";
            (
                format!(
                    "{header}{}{}{}",
                    prefixed(&before, " "),
                    prefixed(text, sign),
                    prefixed(&after, " ")
                ),
                "diff",
            )
        }
        60..67 if is_one_line => {
            let line = text.trim();
            let message = random.one_of(&[
                "line 12: error: unexpected end of input in `{}`",
                "12:7 SyntaxError: unexpected token near '{}'",
                "warning: unused variable: {}",
                "error[E0308]: mismatched types\n  |\n12 | {}\n  | ^^^^ expected `u32`",
            ]);
            (message.replace("{}", line), "diagnostic")
        }
        _ => (text.to_owned(), "alone"),
    }
}

/// The sign that makes the rest of a line a remark.
fn comment_of(language: &str) -> Option<&'static str> {
    match language {
        "python" | "ruby" | "shell" | "yaml" | "compose" | "kubernetes" | "toml" | "powershell"
        | "terraform" | "elixir" | "perl" | "r" => Some("#"),
        "javascript" | "typescript" | "rust" | "go" | "java" | "c" | "cpp" | "csharp" | "php"
        | "kotlin" | "swift" | "scala" | "dart" | "groovy" => Some("//"),
        "sql" | "lua" | "haskell" => Some("--"),
        _ => super::reserve::comment_of(language),
    }
}

/// A value as it has to be written where it stands, behind that quote.
pub(super) fn escaped(value: &str, quoting: ValueQuoting, quote: char) -> String {
    match quoting {
        ValueQuoting::Backslash => {
            let value = value.replace('\\', "\\\\");
            if "\"'`".contains(quote) {
                value.replace(quote, &format!("\\{quote}"))
            } else {
                value
            }
        }
        ValueQuoting::Doubled => value.replace(quote, &format!("{quote}{quote}")),
        ValueQuoting::Markup => value
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;"),
        ValueQuoting::Line | ValueQuoting::Word | ValueQuoting::Sentence => value.to_owned(),
        ValueQuoting::Address => {
            let one = |character: char| match character {
                BEGIN | END => character.to_string(),
                other => percent(other.encode_utf8(&mut [0; 4])),
            };
            value.chars().map(one).collect()
        }
    }
}

/// The two halves of a value, with both of them told as secret.
pub(super) fn halves(value: &str) -> (String, String) {
    let start = value.find(BEGIN).unwrap_or_default();
    let middle = (start + value.len()) / 2;
    let middle = (middle..value.len())
        .find(|at| value.is_char_boundary(*at) && !value[..*at].ends_with('\\'))
        .unwrap_or(value.len());
    let (head, tail) = value.split_at(middle);
    (format!("{head}{END}"), format!("{BEGIN}{tail}"))
}

/// A template with the name in the style that its language has.
pub(super) fn named(template: &str, name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let capital = |word: &&str| {
        let mut letters = word.chars();
        let first = letters
            .next()
            .map(|letter| letter.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    let pascal: String = words.iter().map(capital).collect();
    let camel = words.first().map_or_else(String::new, |word| {
        (*word).to_owned() + &words[1..].iter().map(capital).collect::<String>()
    });
    let snake = words.join("_");
    template
        .replace("$snake", &snake)
        .replace("$SCREAM", &snake.to_uppercase())
        .replace("$kebab", &words.join("-"))
        .replace("$Pascal", &pascal)
        .replace("$camel", &camel)
}
