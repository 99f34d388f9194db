//! The exact tokenizer: how many tokens a text has for the very model that will read it.
//!
//! It is read from a `tokenizer.json`, which nearly every open model is published with. It is here
//! and not beside the estimate because it comes from a file, and because its crate is larger than
//! all of ours.
//!
//! Counting cannot fail: where the tokenizer cannot make anything of a text, each byte counts as a
//! token, which no byte-pair tokenizer exceeds. Settings in a file about cutting and filling up texts
//! are ignored, and so are the marks a model wants before and after one: they would make every text
//! the same length.
//!
//! A tokenizer reads some megabytes a second, and is asked about texts that are many times too long.
//! Of most it is known without reading how few tokens a text can have (`longest_token` below).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use foretell_context::CountTokens;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::tokenizer::normalizer::SplitDelimiterBehavior;
use tokenizers::{ModelWrapper, NormalizerWrapper, PreTokenizerWrapper, Tokenizer};

use crate::read_text::{ReadError, read_text};

/// The largest file that is read. The largest vocabularies in use take 40 MB.
const LARGEST: u64 = 256 << 20;

/// Counts the tokens of one model.
#[derive(Clone)]
pub struct ExactTokens {
    tokenizer: Tokenizer,
    /// How many bytes of a text one token stands for at most, where that is known.
    longest: Option<usize>,
}

/// Its kind, not its contents: a vocabulary is long.
impl std::fmt::Debug for ExactTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ExactTokens")
    }
}

impl ExactTokens {
    /// Reads the tokenizer of a `tokenizer.json`.
    pub fn load(path: &Path) -> Result<Self, TokenizerError> {
        let json = read_text(path, LARGEST)?;
        Self::from_json(&json).map_err(|why| TokenizerError::NotATokenizer {
            file: path.display().to_string(),
            why,
        })
    }

    /// The tokenizer of such a text, or why there is none, in words.
    fn from_json(json: &str) -> Result<Self, String> {
        // Its crate takes some things for granted by `expect`, and this file may be anything.
        let read = catch_unwind(|| Tokenizer::from_bytes(json));
        let mut tokenizer = match read {
            Ok(Ok(tokenizer)) => tokenizer,
            Ok(Err(why)) => return Err(why.to_string()),
            Err(_) => return Err("its parts do not fit together".to_owned()),
        };
        tokenizer.with_padding(None);
        let untruncated = tokenizer.with_truncation(None).map(|_| ());
        untruncated.map_err(|why| why.to_string())?;
        let longest = longest_token(&tokenizer);
        Ok(ExactTokens { tokenizer, longest })
    }
}

impl CountTokens for ExactTokens {
    fn count(&self, text: &str) -> usize {
        let encode = || self.tokenizer.encode_fast(text, false);
        match catch_unwind(AssertUnwindSafe(encode)) {
            Ok(Ok(encoding)) => encoding.len(),
            Ok(Err(_)) | Err(_) => text.len(),
        }
    }

    fn fewest(&self, bytes: usize) -> usize {
        self.longest.map_or(0, |longest| bytes.div_ceil(longest))
    }
}

/// How many bytes of a text one token stands for at most: known if nothing of a text is dropped on
/// the way, and if nothing stands for more than it says.
fn longest_token(tokenizer: &Tokenizer) -> Option<usize> {
    // Composing characters makes at most four of four bytes one of two.
    let shrinks = match tokenizer.get_normalizer() {
        None => 1,
        Some(NormalizerWrapper::NFC(_)) => 8,
        Some(_) => return None,
    };
    let vocabulary = tokenizer.get_vocab(true);
    let has_all_bytes = || {
        let mut bytes = ByteLevel::alphabet().into_iter();
        bytes.all(|byte| vocabulary.contains_key(&byte.to_string()))
    };
    let takes_blanks_along = || {
        let added = tokenizer.get_added_tokens_decoder();
        added.values().any(|token| token.lstrip || token.rstrip)
    };
    let is_byte_level = match tokenizer.get_pre_tokenizer()? {
        PreTokenizerWrapper::ByteLevel(_) => true,
        PreTokenizerWrapper::Sequence(steps) => match steps.as_ref().split_last() {
            Some((PreTokenizerWrapper::ByteLevel(_), before)) => before.iter().all(drops_nothing),
            _ => false,
        },
        _ => false,
    };
    let is_known = matches!(tokenizer.get_model(), ModelWrapper::BPE(_))
        && is_byte_level
        && has_all_bytes()
        && !takes_blanks_along();
    // A byte's name has one byte or two, so a token is at least as long as what it stands for.
    let longest = vocabulary
        .keys()
        .map(String::len)
        .max()
        .filter(|_| is_known);
    longest.map(|longest| longest.max(1).saturating_mul(shrinks))
}

fn drops_nothing(step: &PreTokenizerWrapper) -> bool {
    match step {
        PreTokenizerWrapper::Split(split) => split.behavior != SplitDelimiterBehavior::Removed,
        PreTokenizerWrapper::Digits(_) => true,
        _ => false,
    }
}

/// A tokenizer that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// Its file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its file is something else.
    #[error("{file}: it is not a tokenizer: {why}")]
    NotATokenizer {
        /// Which file, as it was named.
        file: String,
        /// The counts that were expected.
        why: String,
    },
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use foretell_context::{
        ContextAssembly, ContextEntry, ContextSection, EntrySpacing, ExclusionGlobs, FoundSections,
        Redactor, SourceFinding, assemble,
    };
    use proptest::prelude::*;

    use super::*;

    /// Bytes, and three merges: `ab`, `abab`, and a space with `a`.
    fn tiny() -> String {
        let mut vocabulary = Vec::new();
        // The names of the bytes at the byte level: printable ones by their own names.
        let printable = |byte: u32| matches!(byte, 33..=126 | 161..=172 | 174..=255);
        let others = (0..256).filter(|byte| !printable(*byte)).count() as u32;
        let names = (0..256)
            .filter(|byte| printable(*byte))
            .chain(256..256 + others);
        for name in names {
            vocabulary.push(char::from_u32(name).unwrap().to_string());
        }
        vocabulary.extend(["ab", "abab", "Ġa"].map(str::to_owned));
        let quoted = |name: &String| match name.as_str() {
            "\"" => "\"\\\"\"".to_owned(),
            "\\" => "\"\\\\\"".to_owned(),
            name => format!("\"{name}\""),
        };
        let numbered = vocabulary.iter().enumerate();
        let vocabulary: Vec<_> = numbered
            .map(|(number, name)| format!("{}:{number}", quoted(name)))
            .collect();
        format!(
            r#"{{"version":"1.0","truncation":{{"direction":"Right","max_length":2,"strategy":"LongestFirst","stride":0}},
            "padding":null,"added_tokens":[],"normalizer":null,
            "pre_tokenizer":{{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}},
            "post_processor":null,"decoder":{{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true}},
            "model":{{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,
            "end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"ignore_merges":false,
            "vocab":{{{}}},"merges":["a b","ab ab","Ġ a"]}}}}"#,
            vocabulary.join(",")
        )
    }

    #[test]
    fn tokens_are_those_of_the_model() {
        let exact = ExactTokens::from_json(&tiny()).unwrap();
        for (text, tokens) in [
            ("", 0),
            ("ab", 1),
            ("abab", 1),
            ("ababab", 2),
            ("b a", 2),
            ("ö", 2),
            ("😀", 4),
            ("\u{1}\0", 2),
        ] {
            assert_eq!(exact.count(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn a_text_that_is_far_too_long_is_turned_away_unread() {
        let exact = ExactTokens::from_json(&tiny()).unwrap();
        assert_eq!(exact.longest, Some(4));
        assert_eq!(exact.fewest(8_001), 2_001);
        assert_eq!(
            exact.count_within(&"abab".repeat(2_000), 2_000),
            Some(2_000)
        );
        assert_eq!(exact.count_within(&"abab".repeat(2_001), 2_000), None);
        let composing = tiny().replace(r#""normalizer":null"#, r#""normalizer":{"type":"NFC"}"#);
        let composing = ExactTokens::from_json(&composing).unwrap();
        assert_eq!(composing.longest, Some(32));
        let stripping = r#""normalizer":{"type":"Strip","strip_left":true,"strip_right":true}"#;
        let stripping = tiny().replace(r#""normalizer":null"#, stripping);
        assert_eq!(ExactTokens::from_json(&stripping).unwrap().longest, None);
    }

    #[test]
    fn what_is_not_a_tokenizer_says_so() {
        for text in [
            "",
            "{}",
            "[1, 2]",
            "null",
            r#"{"version":"2.0"}"#,
            r#"{"version":"1.0","model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}"#,
            r#"{"version":"1.0","model":{"type":"BPE","vocab":{"a":7},"merges":[]},"added_tokens":[{"id":3}]}"#,
            r#"{"version":"1.0","pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated","invert":false}}"#,
        ] {
            let why = ExactTokens::from_json(text).map(|_| ()).unwrap_err();
            assert!(!why.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_not_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tokenizer.json");
        let missing = ExactTokens::load(&path).unwrap_err().to_string();
        assert!(missing.contains("tokenizer.json: "), "{missing}");
        std::fs::write(&path, "# A model\n").unwrap();
        let wrong = ExactTokens::load(&path).unwrap_err().to_string();
        assert!(
            wrong.contains("tokenizer.json: it is not a tokenizer: "),
            "{wrong}"
        );
        std::fs::write(&path, tiny()).unwrap();
        assert_eq!(ExactTokens::load(&path).unwrap().count("abab"), 1);
    }

    fn section() -> impl Strategy<Value = ContextSection> {
        let piece = prop_oneof![
            "(ab){1,60}",
            "[a-b ]{1,40}",
            "```\n[a-z\n]{1,80}\n```",
            any::<String>()
        ];
        let entry = prop::collection::vec(piece, 1..12).prop_map(|pieces| ContextEntry {
            code: None,
            file: None,
            text: pieces.join("\n"),
            secrets: Vec::new(),
        });
        prop::collection::vec(entry, 1..6).prop_map(|entries| ContextSection {
            heading: "abab".to_owned(),
            entries,
            spacing: EntrySpacing::Paragraphs,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn the_budget_is_never_exceeded_when_tokens_are_exact(
            sections in prop::collection::vec(section(), 0..4),
            budget in prop::sample::select(vec![0_usize, 1, 20, 100, 101, 400, 2_000, usize::MAX]),
        ) {
            let exact = ExactTokens::from_json(&tiny()).unwrap();
            let findings = sections.into_iter().map(|section| SourceFinding {
                source: "source",
                found: FoundSections::Section(section),
                took: Duration::ZERO,
            });
            let redactor = Redactor::new();
            let assembly = ContextAssembly {
                budget,
                counter: &exact,
                exclude: &ExclusionGlobs::default(),
                redaction: &mut redactor.begin(),
            };
            let context = assemble(findings.collect(), assembly);
            prop_assert_eq!(exact.count(&context.text), context.tokens);
            prop_assert!(context.tokens <= budget);
        }

        #[test]
        fn no_text_has_fewer_tokens_than_the_fewest(text in any::<String>()) {
            let exact = ExactTokens::from_json(&tiny()).unwrap();
            prop_assert!(exact.fewest(text.len()) <= exact.count(&text));
            prop_assert!(exact.count(&text) <= text.len());
        }
    }
}
