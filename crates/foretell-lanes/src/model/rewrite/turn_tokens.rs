//! Which control tokens a model that is asked by chat may have.
//!
//! Messages are sent between tokens that say whose turn it is. Servers that read those tokens in what
//! people write, too, would let a document end its turn and begin another, as the person or as the
//! model itself. So every token goes out of everything that is only shown. It cannot go out of the
//! region: what comes back would not have it, and accepting that would delete it. A region with one in
//! it is not asked about.
//!
//! Tokens are those of both models that the settings name, and those that cannot be anything else.
//! `[INST]` may be anybody's word, and is a token only for the models that have it.

use foretell_settings::settings;

use super::super::control_tokens::ControlTokens;
use super::super::fim::family::{FimFamily, UNMISTAKABLE};

/// Tokens of turns that cannot be anything else: those of ChatML, Llama, Gemma, Granite, Phi, GLM
/// and DeepSeek.
const TURNS: [&str; 22] = [
    "<|im_start|>",
    "<|im_end|>",
    "<|im_sep|>",
    "<|begin_of_text|>",
    "<|end_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<|start_of_role|>",
    "<|end_of_role|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|end|>",
    "<|EOT|>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
];

/// Tokens of turns that are words elsewhere.
const OF_MISTRAL: [&str; 4] = ["[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"];

/// Parts of the names of models that have those tokens, in lower case.
const MISTRALS: [&str; 7] = [
    "mistral",
    "ministral",
    "magistral",
    "devstral",
    "codestral",
    "mixtral",
    "llama2",
];

/// The control tokens of the models of a lane.
pub(super) fn controls(settings: &settings::LaneSettings) -> ControlTokens {
    let models = [&settings.model, &settings.explicit_model];
    let models: Vec<&str> = models.into_iter().filter_map(Option::as_deref).collect();
    let families = models.iter().filter_map(|model| FimFamily::of_model(model));
    let families: Vec<ControlTokens> = families.map(FimFamily::controls).collect();
    let is_mistral = models.iter().any(|model| {
        let letters = model.chars().filter(char::is_ascii_alphanumeric);
        let name = letters.collect::<String>().to_ascii_lowercase();
        MISTRALS.iter().any(|word| name.contains(word))
    });
    let of_mistral = OF_MISTRAL.into_iter().filter(|_| is_mistral);
    let of_families = families.iter().flat_map(ControlTokens::words);
    let words = TURNS.into_iter().chain(UNMISTAKABLE);
    ControlTokens::new(words.chain(of_mistral).chain(of_families))
}
