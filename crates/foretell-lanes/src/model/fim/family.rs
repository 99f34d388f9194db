//! Model families: how each was trained to fill in the middle, and which words it does not read as
//! text.
//!
//! A table, so that a family is added by an entry. Spellings and orders are those that were published
//! with the models:
//! - `seed-coder` takes the suffix first, then the prefix, then its middle token (its technical report,
//!   section on fill-in-the-middle, which calls this order better than the other).
//! - Granite 4 writes `<|fim_prefix|>`; Granite 3 and the Granite code models write `<fim_prefix>`, as
//!   StarCoder does. The name `granite` means the former, and `auto` knows them apart.
//! - CodeQwen 1.5 writes as StarCoder does; every later Qwen writes `<|fim_prefix|>`.
//!
//! `<filename>`, which some StarCoders know, is not in the table: it stands in the usage line of every
//! second program, and there it is text.

use super::super::control_tokens::ControlTokens;

/// A family of models that are asked alike.
#[derive(Debug, PartialEq, Eq)]
pub struct FimFamily {
    /// Its name in the settings.
    pub name: &'static str,
    /// How prefix and suffix become a prompt.
    pub(super) template: &'static str,
    /// Its control tokens. Servers that take only a few stop words get the first.
    words: &'static [&'static str],
    /// Parts of its models' names, in lower case and without marks between words.
    in_names: &'static [&'static str],
}

impl FimFamily {
    /// The family of a name from the settings.
    pub fn named(name: &str) -> Option<&'static FimFamily> {
        FAMILIES.iter().find(|family| family.name == name)
    }

    /// The family of a model, by what it is called: `qwen2.5-coder:7b`, `Qwen/Qwen2.5-Coder-7B`,
    /// `/models/qwen2.5-coder-7b-q8_0.gguf`. The last part of a path is heard first.
    pub fn of_model(model: &str) -> Option<&'static FimFamily> {
        let parts = model.rsplit(['/', '\\']);
        let parts = parts.map(|part| {
            let letters = part.chars().filter(char::is_ascii_alphanumeric);
            letters.collect::<String>().to_ascii_lowercase()
        });
        parts
            .take(MOST_PARTS)
            .find_map(|part| FimFamily::of_part(&part))
    }

    fn of_part(part: &str) -> Option<&'static FimFamily> {
        let has = |word: &str| part.contains(word);
        if has("granite3") || (has("granite") && has("code")) {
            return FimFamily::named("starcoder");
        }
        let mut families = FAMILIES.iter();
        families.find(|family| family.in_names.iter().any(|word| has(word)))
    }

    /// Every name that the settings may have.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FAMILIES.iter().map(|family| family.name)
    }

    /// Its control tokens.
    pub fn controls(&self) -> ControlTokens {
        ControlTokens::new(self.words.iter().copied())
    }
}

/// Control tokens of models whose family is not known: those that cannot be anything else. `<PRE>` is
/// HTML, and `[PREFIX]` may be anybody's.
pub(in crate::model) const UNMISTAKABLE: [&str; 15] = [
    "<|endoftext|>",
    "<|fim_prefix|>",
    "<|fim_suffix|>",
    "<|fim_middle|>",
    "<|fim_pad|>",
    "<fim_prefix>",
    "<fim_suffix>",
    "<fim_middle>",
    "<fim_pad>",
    "<｜fim▁begin｜>",
    "<｜fim▁hole｜>",
    "<｜fim▁end｜>",
    "<[fim-prefix]>",
    "<[fim-suffix]>",
    "<[fim-middle]>",
];

/// How many parts of a path are looked at.
const MOST_PARTS: usize = 16;

const WITH_BARS: &str = "<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>";
const WITHOUT_BARS: &str = "<fim_prefix>{prefix}<fim_suffix>{suffix}<fim_middle>";

/// In the order in which names are heard: `codeqwen` before `qwen`.
const FAMILIES: &[FimFamily] = &[
    FimFamily {
        name: "starcoder",
        template: WITHOUT_BARS,
        words: &[
            "<|endoftext|>",
            "<file_sep>",
            "<fim_prefix>",
            "<fim_middle>",
            "<fim_suffix>",
            "<fim_pad>",
            "<repo_name>",
            "<|end_of_text|>",
        ],
        in_names: &["starcoder", "codeqwen"],
    },
    FimFamily {
        name: "stable-code",
        template: WITHOUT_BARS,
        words: &[
            "<|endoftext|>",
            "<fim_prefix>",
            "<fim_middle>",
            "<fim_suffix>",
            "<fim_pad>",
        ],
        in_names: &["stablecode"],
    },
    FimFamily {
        name: "qwen",
        template: WITH_BARS,
        words: &[
            "<|endoftext|>",
            "<|file_sep|>",
            "<|fim_pad|>",
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<|repo_name|>",
            "<|im_end|>",
            "<|im_start|>",
        ],
        in_names: &["qwen"],
    },
    FimFamily {
        name: "codegemma",
        template: WITH_BARS,
        words: &[
            "<|file_separator|>",
            "<eos>",
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<bos>",
            "<start_of_turn>",
            "<end_of_turn>",
        ],
        in_names: &["codegemma"],
    },
    FimFamily {
        name: "granite",
        template: WITH_BARS,
        words: &[
            "<|end_of_text|>",
            "<|fim_pad|>",
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<|filename|>",
            "<|reponame|>",
            "<|start_of_role|>",
            "<|end_of_role|>",
        ],
        in_names: &["granite"],
    },
    FimFamily {
        name: "codellama",
        template: "<PRE> {prefix} <SUF>{suffix} <MID>",
        words: &["<EOT>", "</s>", "<PRE>", "<MID>", "<SUF>", "<s>"],
        in_names: &["codellama"],
    },
    FimFamily {
        name: "deepseek",
        template: "<｜fim▁begin｜>{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
        words: &[
            "<｜end▁of▁sentence｜>",
            "<|EOT|>",
            "<｜fim▁begin｜>",
            "<｜fim▁hole｜>",
            "<｜fim▁end｜>",
            "<｜begin▁of▁sentence｜>",
        ],
        in_names: &["deepseekcoder"],
    },
    FimFamily {
        name: "codestral",
        template: "[SUFFIX]{suffix}[PREFIX]{prefix}",
        words: &[
            "</s>", "[PREFIX]", "[SUFFIX]", "[MIDDLE]", "<s>", "[INST]", "[/INST]",
        ],
        in_names: &["codestral"],
    },
    FimFamily {
        name: "glm",
        template: "<|code_prefix|>{prefix}<|code_suffix|>{suffix}<|code_middle|>",
        words: &[
            "<|endoftext|>",
            "<|user|>",
            "<|code_prefix|>",
            "<|code_middle|>",
            "<|code_suffix|>",
            "<|assistant|>",
            "<|observation|>",
        ],
        in_names: &["glm"],
    },
    FimFamily {
        name: "seed-coder",
        template: "<[fim-suffix]>{suffix}<[fim-prefix]>{prefix}<[fim-middle]>",
        words: &[
            "<[end▁of▁sentence]>",
            "<[fim-prefix]>",
            "<[fim-middle]>",
            "<[fim-suffix]>",
            "<[begin▁of▁sentence]>",
            "<[PAD▁TOKEN]>",
            "<[SEP▁TOKEN]>",
        ],
        in_names: &["seedcoder"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn family(model: &str) -> &'static str {
        FimFamily::of_model(model).map_or("unknown", |family| family.name)
    }

    #[test]
    fn models_are_known_however_they_are_called() {
        for (model, expected) in [
            ("qwen2.5-coder", "qwen"),
            ("qwen2.5-coder:7b", "qwen"),
            ("Qwen/Qwen2.5-Coder-7B-Instruct-GGUF:Q4_K_M", "qwen"),
            ("qwen3-coder:30b-a3b-q8_0", "qwen"),
            ("hf.co/unsloth/Qwen3-Coder-30B-A3B-GGUF", "qwen"),
            ("CodeQwen1.5-7B", "starcoder"),
            ("codegemma:2b-code", "codegemma"),
            ("google/codegemma-7b", "codegemma"),
            ("granite4:micro-h", "granite"),
            ("ibm-granite/granite-4.0-h-tiny-base", "granite"),
            ("granite-code:8b", "starcoder"),
            ("granite-34b-code-base", "starcoder"),
            ("ibm-granite/granite-3.3-8b-base", "starcoder"),
            ("starcoder2:3b", "starcoder"),
            ("bigcode/starcoderbase-1b", "starcoder"),
            ("stable-code:3b-code-q4_0", "stable-code"),
            ("codellama/CodeLlama-7b-hf", "codellama"),
            ("code-llama-13b", "codellama"),
            ("/models/deepseek-coder-6.7b-base.Q4_K_M.gguf", "deepseek"),
            ("C:\\models\\DeepSeek-Coder-V2-Lite.gguf", "deepseek"),
            ("mistralai/Codestral-22B-v0.1", "codestral"),
            ("codestral-latest", "codestral"),
            ("THUDM/glm-4-9b", "glm"),
            ("ByteDance-Seed/Seed-Coder-8B-Base", "seed-coder"),
            ("/home/qwen/starcoder2.gguf", "starcoder"),
            ("qwen/my-own-tune", "qwen"),
        ] {
            assert_eq!(family(model), expected, "{model}");
        }
    }

    #[test]
    fn others_are_not_guessed() {
        for model in ["", "/", "gpt-4o", "llama3:8b", "deepseek-chat", "日本語/ø"] {
            assert_eq!(family(model), "unknown", "{model}");
        }
    }

    #[test]
    fn a_family_knows_every_token_of_its_template() {
        for family in FAMILIES {
            let mut left = family.template.to_owned();
            for word in family.words {
                left = left.replace(word, "");
            }
            let left = left.replace("{prefix}", "").replace("{suffix}", "");
            assert_eq!(left.trim(), "", "{}", family.name);
        }
    }
}
