//! Templates: how prefix and suffix become one prompt.
//!
//! A template is a family's, by its name or by the model's, or the person's own, with `{prefix}`,
//! `{suffix}`, `{context}` and `{path}` in it. Its own words come from the settings and go out as they
//! are; what is put in has no control token in it, not even one that comes about where two texts meet.
//!
//! In a template of the person's own, every word in `<…>` or `[…]` without a blank is a control token,
//! since there is no other way to know which ones the model has; if the model's name says more, its
//! family's count too. Other words of it are only words: `### Prefix` may well stand in a document.

use super::super::control_tokens::ControlTokens;
use super::family::{FimFamily, UNMISTAKABLE};

/// How a prompt is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FimTemplate {
    pieces: Vec<TemplatePiece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePiece {
    Words(String),
    Slot(TemplateSlot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TemplateSlot {
    Prefix,
    Suffix,
    Context,
    Path,
}

const SLOTS: [(&str, TemplateSlot); 4] = [
    ("{prefix}", TemplateSlot::Prefix),
    ("{suffix}", TemplateSlot::Suffix),
    ("{context}", TemplateSlot::Context),
    ("{path}", TemplateSlot::Path),
];

/// The texts to put into a template.
#[derive(Clone, Copy)]
pub(super) struct TemplateFilling<'a> {
    pub(super) prefix: &'a str,
    pub(super) suffix: &'a str,
    /// As comments, each line ended.
    pub(super) context: &'a str,
    /// As a comment, its line ended.
    pub(super) path_line: &'a str,
    pub(super) path: &'a str,
}

/// The template that a setting and a model's name choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateChoice {
    /// The template, if one is known.
    pub(super) template: Option<FimTemplate>,
    /// Whether the person wrote it.
    pub(super) is_own: bool,
    pub(super) controls: ControlTokens,
}

/// Why a setting is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TemplateFault {
    /// It is no name, and has no place for the text before the cursor.
    #[error(
        "the template has no {{prefix}}; put {{prefix}} where the text before the cursor goes, or set one of: auto, {}",
        names()
    )]
    WithoutPrefix,
}

impl TemplateChoice {
    /// Chooses by a setting and a model's name.
    pub(super) fn of(setting: &str, model: &str) -> Result<TemplateChoice, TemplateFault> {
        let of_model = FimFamily::of_model(model);
        // Blanks at the ends of a name are a slip; in a template they are part of it.
        let name = setting.trim();
        let is_auto = matches!(name, "auto" | "");
        let family = if is_auto {
            of_model
        } else {
            FimFamily::named(name)
        };
        if let Some(family) = family {
            return Ok(TemplateChoice {
                template: Some(FimTemplate::parse(family.template)),
                is_own: false,
                controls: family.controls(),
            });
        }
        if is_auto {
            return Ok(TemplateChoice {
                template: None,
                is_own: false,
                controls: ControlTokens::new(UNMISTAKABLE),
            });
        }
        let template = FimTemplate::parse(setting);
        if !template.has(TemplateSlot::Prefix) {
            return Err(TemplateFault::WithoutPrefix);
        }
        let own = template.own_controls();
        let known = of_model.map_or_else(|| ControlTokens::new(UNMISTAKABLE), FimFamily::controls);
        let controls = ControlTokens::new(own.into_iter().chain(known.words()));
        Ok(TemplateChoice {
            template: Some(template),
            is_own: true,
            controls,
        })
    }
}

impl FimTemplate {
    fn parse(written: &str) -> FimTemplate {
        let mut pieces = Vec::new();
        let mut words = String::new();
        let mut rest = written;
        while let Some(c) = rest.chars().next() {
            let slot = SLOTS.iter().find(|(name, _)| rest.starts_with(name));
            if let Some((name, slot)) = slot {
                if !words.is_empty() {
                    pieces.push(TemplatePiece::Words(std::mem::take(&mut words)));
                }
                pieces.push(TemplatePiece::Slot(*slot));
                rest = rest.get(name.len()..).unwrap_or_default();
            } else {
                words.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
        if !words.is_empty() {
            pieces.push(TemplatePiece::Words(words));
        }
        FimTemplate { pieces }
    }

    /// The prompt. Context and path go ahead of the prefix where the template has no place for them.
    pub(super) fn fill(&self, filling: TemplateFilling<'_>, controls: &ControlTokens) -> String {
        let mut prompt = String::new();
        let mut floor = 0;
        for piece in &self.pieces {
            let slot = match piece {
                TemplatePiece::Words(words) => {
                    prompt.push_str(words);
                    floor = prompt.len();
                    continue;
                }
                TemplatePiece::Slot(slot) => slot,
            };
            let mut put = |text: &str| controls.push_without(&mut prompt, floor, text);
            match slot {
                TemplateSlot::Prefix => {
                    if !self.has(TemplateSlot::Context) {
                        put(filling.context);
                    }
                    if !self.has(TemplateSlot::Path) {
                        put(filling.path_line);
                    }
                    put(filling.prefix);
                }
                TemplateSlot::Suffix => put(filling.suffix),
                TemplateSlot::Context => put(filling.context),
                TemplateSlot::Path => put(filling.path),
            }
        }
        prompt
    }

    fn has(&self, slot: TemplateSlot) -> bool {
        self.pieces.contains(&TemplatePiece::Slot(slot))
    }

    /// Words in `<…>` or `[…]`.
    fn own_controls(&self) -> Vec<&str> {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            TemplatePiece::Words(words) => Some(words.as_str()),
            TemplatePiece::Slot(_) => None,
        });
        words.flat_map(bracketed).collect()
    }
}

/// Every word of a text that stands in `<…>` or `[…]`.
fn bracketed(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['<', '[']) {
        rest = rest.get(start..).unwrap_or_default();
        let close = if rest.starts_with('<') { '>' } else { ']' };
        let inner = rest.get(1..).unwrap_or_default();
        let end = inner.find(|c: char| c == close || c == '<' || c.is_whitespace());
        let word =
            end.filter(|end| *end > 0 && inner.get(*end..).is_some_and(|it| it.starts_with(close)));
        match word {
            Some(end) => {
                let (word, behind) = rest.split_at_checked(end + 2).unwrap_or((rest, ""));
                found.push(word);
                rest = behind;
            }
            None => rest = inner,
        }
    }
    found
}

fn names() -> String {
    let names: Vec<_> = FimFamily::names().collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILLING: TemplateFilling<'static> = TemplateFilling {
        prefix: "P",
        suffix: "S",
        context: "# C\n",
        path_line: "# path: a.py\n",
        path: "a.py",
    };

    fn plain(setting: &str, model: &str) -> String {
        let choice = TemplateChoice::of(setting, model).unwrap();
        let filling = TemplateFilling {
            context: "",
            path_line: "",
            ..FILLING
        };
        let template = choice.template.unwrap();
        template.fill(filling, &choice.controls)
    }

    #[test]
    fn every_family_is_asked_its_way() {
        for (name, prompt) in [
            ("qwen", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("codegemma", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("granite", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("starcoder", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
            ("stable-code", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
            ("codellama", "<PRE> P <SUF>S <MID>"),
            ("deepseek", "<｜fim▁begin｜>P<｜fim▁hole｜>S<｜fim▁end｜>"),
            ("codestral", "[SUFFIX]S[PREFIX]P"),
            ("glm", "<|code_prefix|>P<|code_suffix|>S<|code_middle|>"),
            ("seed-coder", "<[fim-suffix]>S<[fim-prefix]>P<[fim-middle]>"),
        ] {
            assert_eq!(plain(name, "whatever"), prompt);
        }
        assert_eq!(plain("auto", "starcoder2:3b"), plain("starcoder", ""));
    }

    #[test]
    fn a_model_that_nobody_knows_has_no_template() {
        let choice = TemplateChoice::of("auto", "my-model").unwrap();
        assert_eq!(choice.template, None);
        assert!(choice.controls.words().any(|word| word == "<|fim_middle|>"));
        assert!(choice.controls.words().all(|word| word != "<PRE>"));
    }

    #[test]
    fn the_persons_own_says_where_everything_goes() {
        let own = "<repo>{path}<ctx>{context}<a>{prefix}<b>{suffix}[MID]{other}";
        let choice = TemplateChoice::of(own, "").unwrap();
        assert!(choice.is_own);
        let template = choice.template.unwrap();
        let prompt = template.fill(FILLING, &choice.controls);
        assert_eq!(prompt, "<repo>a.py<ctx># C\n<a>P<b>S[MID]{other}");
        let words: Vec<_> = choice.controls.words().take(5).collect();
        assert_eq!(words, ["<repo>", "<ctx>", "<a>", "<b>", "[MID]"]);
    }

    #[test]
    fn what_has_no_place_goes_ahead_of_the_prefix() {
        let choice = TemplateChoice::of("<a>{prefix}<b>{suffix}", "").unwrap();
        let prompt = choice.template.unwrap().fill(FILLING, &choice.controls);
        assert_eq!(prompt, "<a># C\n# path: a.py\nP<b>S");
    }

    #[test]
    fn without_a_prefix_it_is_none_and_says_what_to_do() {
        for setting in ["qwne", "<a>{suffix}<b>", "{Prefix}"] {
            let fault = TemplateChoice::of(setting, "").unwrap_err().to_string();
            assert!(fault.contains("{prefix}"), "{fault}");
            assert!(
                fault.contains("auto, starcoder, stable-code, qwen"),
                "{fault}"
            );
        }
    }

    #[test]
    fn no_token_comes_about_where_two_texts_meet() {
        let choice = TemplateChoice::of("{prefix}{suffix}<X>", "").unwrap();
        let filling = TemplateFilling {
            context: "",
            path_line: "",
            prefix: "a<|fim_mid",
            suffix: "dle|>b<<X>X>",
            ..FILLING
        };
        let prompt = choice.template.unwrap().fill(filling, &choice.controls);
        assert_eq!(prompt, "ab<X>");
    }

    #[test]
    fn words_in_brackets_are_tokens() {
        assert_eq!(bracketed("<|a|>b <[c-d]>[E]"), ["<|a|>", "<[c-d]>", "[E]"]);
        assert_eq!(bracketed("<a b> [c\nd] <> [] < <e>"), ["<e>"]);
        assert_eq!(bracketed("a<<b>[[c]"), ["<b>", "[[c]"]);
        assert_eq!(bracketed("é<｜x▁y｜>é["), ["<｜x▁y｜>"]);
    }
}
