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
//! - Mellum takes the suffix first (its model card).
//! - Zeta 2 and 2.1, which were made for next edits, continue Seed-Coder and fill in as it does.
//!
//! Other files of the repository go ahead of the document, in the form that a family was trained on:
//! - Qwen: its technical report, figure on repository-level fill-in-the-middle;
//! - StarCoder 2: its paper, section on the data that it was trained on, which has the path of the
//!   document behind the prefix token;
//! - Mellum: its model card, on additional files;
//! - DeepSeek Coder: the README of the models, on completion of repositories, where `#` and the path
//!   begin each file;
//! - Codestral: `+++++` and the path begin each file, as Mistral told its integrators;
//! - CodeGemma: its report and model card, which part files by a token and begin each with its path.
//!
//! All others have none that was published, and are told other files as comments. Granite has tokens for
//! names of files and repositories, but nobody says how they were used.
//!
//! `<filename>`, which some StarCoders know, is a token of Mellum only: it stands in the usage line of
//! every second program, and there it is text.

use super::super::control_tokens::ControlTokens;

/// A family of models that are asked alike.
#[derive(Debug, PartialEq, Eq)]
pub struct FimFamily {
    /// Its name in the settings.
    pub name: &'static str,
    /// How prefix and suffix become a prompt.
    pub(super) template: &'static str,
    /// How other files of the repository are told.
    pub(super) repository: Option<RepositoryForm>,
    /// The tokens that only a model of the family has, all of them; none if it is known by its name
    /// alone.
    known_by: &'static [&'static str],
    /// Its control tokens. Servers that take only a few stop words get the first.
    words: &'static [&'static str],
    /// Parts of its models' names, in lower case and without marks between words.
    in_names: &'static [&'static str],
}

/// How a prompt is written that has other files in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RepositoryForm {
    /// The prompt, with `{files}` ahead of `{prefix}`.
    pub(super) template: &'static str,
    /// Each of the files, with its `{path}` and its `{text}`.
    pub(super) file: &'static str,
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

    /// The family of a model that has these tokens. Every token that is asked for is one of
    /// [`FimFamily::telling_tokens`].
    pub fn of_tokens(has: impl Fn(&str) -> bool) -> Option<&'static FimFamily> {
        let mut families = FAMILIES.iter().filter(|it| !it.known_by.is_empty());
        families.find(|family| family.known_by.iter().all(|token| has(token)))
    }

    /// Every token that tells a family from another, each once.
    pub fn telling_tokens() -> Vec<&'static str> {
        let mut tokens = Vec::new();
        for token in FAMILIES.iter().flat_map(|family| family.known_by) {
            if !tokens.contains(token) {
                tokens.push(*token);
            }
        }
        tokens
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

const TOKENS_WITH_BARS: &[&str] = &["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"];
const TOKENS_WITHOUT_BARS: &[&str] = &["<fim_prefix>", "<fim_suffix>", "<fim_middle>"];

const STARCODER_WORDS: &[&str] = &[
    "<|endoftext|>",
    "<file_sep>",
    "<fim_prefix>",
    "<fim_middle>",
    "<fim_suffix>",
    "<fim_pad>",
    "<repo_name>",
    "<|end_of_text|>",
];

/// In the order in which names are heard: `codeqwen` before `qwen`. Of families whose tokens are all
/// those of another, too, it comes first.
const FAMILIES: &[FimFamily] = &[
    FimFamily {
        name: "starcoder2",
        template: WITHOUT_BARS,
        repository: Some(RepositoryForm {
            template: "<repo_name>workspace{files}<file_sep><fim_prefix>{path}\n{prefix}\
                       <fim_suffix>{suffix}<fim_middle>",
            file: "<file_sep>{path}\n{text}",
        }),
        known_by: &[
            "<fim_prefix>",
            "<fim_suffix>",
            "<fim_middle>",
            "<file_sep>",
            "<repo_name>",
        ],
        words: STARCODER_WORDS,
        in_names: &["starcoder2"],
    },
    FimFamily {
        name: "starcoder",
        template: WITHOUT_BARS,
        repository: None,
        known_by: TOKENS_WITHOUT_BARS,
        words: STARCODER_WORDS,
        in_names: &["starcoder", "codeqwen"],
    },
    FimFamily {
        name: "stable-code",
        template: WITHOUT_BARS,
        repository: None,
        known_by: &[],
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
        repository: Some(RepositoryForm {
            template: "<|repo_name|>workspace\n{files}<|file_sep|>{path}\n<|fim_prefix|>{prefix}\
                       <|fim_suffix|>{suffix}<|fim_middle|>",
            file: "<|file_sep|>{path}\n{text}\n",
        }),
        known_by: &[
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            "<|file_sep|>",
            "<|repo_name|>",
        ],
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
        repository: Some(RepositoryForm {
            template: "{files}{path}\n<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>",
            file: "{path}\n{text}<|file_separator|>",
        }),
        known_by: &[
            "<|fim_prefix|>",
            "<|fim_suffix|>",
            "<|fim_middle|>",
            "<|file_separator|>",
        ],
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
        repository: None,
        known_by: TOKENS_WITH_BARS,
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
        repository: None,
        known_by: &[],
        words: &["<EOT>", "</s>", "<PRE>", "<MID>", "<SUF>", "<s>"],
        in_names: &["codellama"],
    },
    FimFamily {
        name: "deepseek",
        template: "<｜fim▁begin｜>{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
        repository: Some(RepositoryForm {
            template: "<｜fim▁begin｜>{files}#{path}\n{prefix}<｜fim▁hole｜>{suffix}<｜fim▁end｜>",
            file: "#{path}\n{text}\n",
        }),
        known_by: &["<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"],
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
        repository: Some(RepositoryForm {
            template: "[SUFFIX]{suffix}[PREFIX]{files}+++++ {path}\n{prefix}",
            file: "+++++ {path}\n{text}\n\n",
        }),
        known_by: &[],
        words: &[
            "</s>", "[PREFIX]", "[SUFFIX]", "[MIDDLE]", "<s>", "[INST]", "[/INST]",
        ],
        in_names: &["codestral"],
    },
    FimFamily {
        name: "glm",
        template: "<|code_prefix|>{prefix}<|code_suffix|>{suffix}<|code_middle|>",
        repository: None,
        known_by: &["<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"],
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
        repository: None,
        known_by: &["<[fim-prefix]>", "<[fim-suffix]>", "<[fim-middle]>"],
        words: &[
            "<[end▁of▁sentence]>",
            "<[fim-prefix]>",
            "<[fim-middle]>",
            "<[fim-suffix]>",
            "<[begin▁of▁sentence]>",
            "<[PAD▁TOKEN]>",
            "<[SEP▁TOKEN]>",
        ],
        in_names: &["seedcoder", "zeta2"],
    },
    FimFamily {
        name: "mellum",
        template: "<fim_suffix>{suffix}<fim_prefix>{prefix}<fim_middle>",
        repository: Some(RepositoryForm {
            template: "{files}<filename>{path}\n<fim_suffix>{suffix}<fim_prefix>{prefix}<fim_middle>",
            file: "<filename>{path}\n{text}\n",
        }),
        known_by: &[],
        words: &[
            "<|endoftext|>",
            "<filename>",
            "<fim_prefix>",
            "<fim_middle>",
            "<fim_suffix>",
            "<fim_pad>",
            "<reponame>",
        ],
        in_names: &["mellum"],
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
            ("starcoder2:3b", "starcoder2"),
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
            ("/home/qwen/starcoder2.gguf", "starcoder2"),
            ("JetBrains/Mellum-4b-base", "mellum"),
            ("JetBrains/Mellum2-12B-A2.5B-base", "mellum"),
            ("bartowski/zed-industries_zeta-2-GGUF:Q8_0", "seed-coder"),
            ("zed-industries/zeta-2.1", "seed-coder"),
            ("qwen/my-own-tune", "qwen"),
        ] {
            assert_eq!(family(model), expected, "{model}");
        }
    }

    #[test]
    fn models_are_known_by_their_tokens() {
        let known = |tokens: &[&str]| {
            let family = FimFamily::of_tokens(|token| tokens.contains(&token));
            family.map_or("unknown", |family| family.name)
        };
        for family in FAMILIES.iter().filter(|it| !it.known_by.is_empty()) {
            assert_eq!(known(family.known_by), family.name);
        }
        let bars = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"];
        assert_eq!(known(&bars), "granite");
        assert_eq!(known(&bars[..2]), "unknown");
        assert_eq!(known(&[]), "unknown");
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
            let repository = family.repository.iter();
            let repository = repository.flat_map(|it| [it.template, it.file]);
            for template in repository.chain([family.template]) {
                let mut left = template.to_owned();
                for word in family.words {
                    left = left.replace(word, "");
                }
                for slot in ["{prefix}", "{suffix}", "{files}", "{path}", "{text}"] {
                    left = left.replace(slot, "");
                }
                let is_token = |c: char| "<>[]|".contains(c);
                assert!(!left.contains(is_token), "{}: {left}", family.name);
            }
        }
    }
}
