//! Templates: how prefix and suffix become one prompt.
//!
//! A template is a family's, by its name or by the model's, or the person's own, with `{prefix}`,
//! `{suffix}`, `{context}` and `{path}` in it. A family's has a second form where other files are told,
//! with `{files}`, and what was typed since the prompt was made goes behind all of it. Its own words come from the settings and go out as they
//! are; what is put in has no control token in it, not even one that comes about where two texts meet.
//!
//! In a template of the person's own, every word in `<…>` or `[…]` without a blank is a control token,
//! since there is no other way to know which ones the model has; if the model's name says more, its
//! family's count too. Other words of it are only words: `### Prefix` may well stand in a document.

use foretell_text::ContextPiece;
use foretell_text::plain::one_line;

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
    Files,
    Text,
}

/// The slots of the person's own templates.
const OWN_SLOTS: &[(&str, TemplateSlot)] = &[
    ("{prefix}", TemplateSlot::Prefix),
    ("{suffix}", TemplateSlot::Suffix),
    ("{context}", TemplateSlot::Context),
    ("{path}", TemplateSlot::Path),
];

/// The slots of a family's.
const FAMILY_SLOTS: &[(&str, TemplateSlot)] = &[
    ("{prefix}", TemplateSlot::Prefix),
    ("{suffix}", TemplateSlot::Suffix),
    ("{path}", TemplateSlot::Path),
    ("{files}", TemplateSlot::Files),
    ("{text}", TemplateSlot::Text),
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
    /// Other files, for templates of families that have a form for them.
    pub(super) pieces: &'a [ContextPiece],
    /// What was typed since the prompt was made.
    pub(super) typed: &'a str,
}

/// The template that a setting and a model's name choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TemplateChoice {
    pub(super) template: KnownTemplate,
    pub(super) controls: ControlTokens,
}

/// Whose template is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KnownTemplate {
    /// A family's.
    Family(&'static FimFamily),
    /// The person's.
    Own(FimTemplate),
    /// Nobody's.
    Unknown,
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
                template: KnownTemplate::Family(family),
                controls: family.controls(),
            });
        }
        if is_auto {
            return Ok(TemplateChoice {
                template: KnownTemplate::Unknown,
                controls: ControlTokens::new(UNMISTAKABLE),
            });
        }
        let template = FimTemplate::parse(setting, OWN_SLOTS);
        if !template.has(TemplateSlot::Prefix) {
            return Err(TemplateFault::WithoutPrefix);
        }
        let own = template.own_controls();
        let known = of_model.map_or_else(|| ControlTokens::new(UNMISTAKABLE), FimFamily::controls);
        let controls = ControlTokens::new(own.into_iter().chain(known.words()));
        Ok(TemplateChoice {
            template: KnownTemplate::Own(template),
            controls,
        })
    }
}

/// The prompt for a family: with other files in the form that it knows, or with comments where it
/// knows none or there are none.
pub(super) fn family_prompt(
    family: &FimFamily,
    filling: TemplateFilling<'_>,
    controls: &ControlTokens,
) -> String {
    let path = one_line(filling.path);
    let filling = TemplateFilling {
        path: &path,
        ..filling
    };
    match &family.repository {
        Some(form) if !filling.pieces.is_empty() => {
            let template = FimTemplate::parse(form.template, FAMILY_SLOTS);
            let file = FimTemplate::parse(form.file, FAMILY_SLOTS);
            let filling = TemplateFilling {
                context: "",
                path_line: "",
                ..filling
            };
            template.filled(filling, Some(&file), controls)
        }
        _ => FimTemplate::parse(family.template, FAMILY_SLOTS).filled(filling, None, controls),
    }
}

impl FimTemplate {
    fn parse(written: &str, slots: &[(&str, TemplateSlot)]) -> FimTemplate {
        let mut pieces = Vec::new();
        let mut words = String::new();
        let mut rest = written;
        while let Some(c) = rest.chars().next() {
            let slot = slots.iter().find(|(name, _)| rest.starts_with(name));
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
        self.filled(filling, None, controls)
    }

    fn filled(
        &self,
        filling: TemplateFilling<'_>,
        file: Option<&FimTemplate>,
        controls: &ControlTokens,
    ) -> String {
        let mut prompt = PromptWriter::new(controls);
        for piece in &self.pieces {
            let slot = match piece {
                TemplatePiece::Words(words) => {
                    prompt.say(words);
                    continue;
                }
                TemplatePiece::Slot(slot) => slot,
            };
            match slot {
                TemplateSlot::Prefix => {
                    if !self.has(TemplateSlot::Context) {
                        prompt.put(filling.context);
                    }
                    if !self.has(TemplateSlot::Path) {
                        prompt.put(filling.path_line);
                    }
                    prompt.put(filling.prefix);
                }
                TemplateSlot::Suffix => prompt.put(filling.suffix),
                TemplateSlot::Context => prompt.put(filling.context),
                TemplateSlot::Path => prompt.put(filling.path),
                TemplateSlot::Files => {
                    for piece in filling.pieces {
                        prompt.put_file(file, piece);
                    }
                }
                // A file's alone.
                TemplateSlot::Text => {}
            }
        }
        prompt.put(filling.typed);
        prompt.text
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

/// A prompt that is being written.
struct PromptWriter<'c> {
    text: String,
    /// Behind the last words of the template.
    floor: usize,
    controls: &'c ControlTokens,
}

impl<'c> PromptWriter<'c> {
    fn new(controls: &'c ControlTokens) -> Self {
        PromptWriter {
            text: String::new(),
            floor: 0,
            controls,
        }
    }

    /// Adds words of a template.
    fn say(&mut self, words: &str) {
        self.text.push_str(words);
        self.floor = self.text.len();
    }

    /// Adds somebody's text.
    fn put(&mut self, text: &str) {
        self.controls.push_without(&mut self.text, self.floor, text);
    }

    fn put_file(&mut self, file: Option<&FimTemplate>, piece: &ContextPiece) {
        for part in file.iter().flat_map(|file| &file.pieces) {
            match part {
                TemplatePiece::Words(words) => self.say(words),
                TemplatePiece::Slot(TemplateSlot::Path) => self.put(&one_line(&piece.path)),
                TemplatePiece::Slot(TemplateSlot::Text) => self.put(&piece.text),
                TemplatePiece::Slot(_) => {}
            }
        }
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
        pieces: &[],
        typed: "",
    };

    /// A filling for a template of a family or of the person's own.
    fn filled(choice: &TemplateChoice, filling: TemplateFilling<'_>) -> String {
        match &choice.template {
            KnownTemplate::Family(family) => family_prompt(family, filling, &choice.controls),
            KnownTemplate::Own(template) => template.fill(filling, &choice.controls),
            KnownTemplate::Unknown => String::new(),
        }
    }

    fn plain(setting: &str, model: &str) -> String {
        let filling = TemplateFilling {
            context: "",
            path_line: "",
            ..FILLING
        };
        filled(&TemplateChoice::of(setting, model).unwrap(), filling)
    }

    #[test]
    fn every_family_is_asked_its_way() {
        for (name, prompt) in [
            ("qwen", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("codegemma", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("granite", "<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>"),
            ("starcoder", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
            ("starcoder2", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
            ("stable-code", "<fim_prefix>P<fim_suffix>S<fim_middle>"),
            ("codellama", "<PRE> P <SUF>S <MID>"),
            ("deepseek", "<｜fim▁begin｜>P<｜fim▁hole｜>S<｜fim▁end｜>"),
            ("codestral", "[SUFFIX]S[PREFIX]P"),
            ("glm", "<|code_prefix|>P<|code_suffix|>S<|code_middle|>"),
            ("seed-coder", "<[fim-suffix]>S<[fim-prefix]>P<[fim-middle]>"),
            ("mellum", "<fim_suffix>S<fim_prefix>P<fim_middle>"),
        ] {
            assert_eq!(plain(name, "whatever"), prompt);
        }
        assert_eq!(plain("auto", "starcoder2:3b"), plain("starcoder2", ""));
    }

    #[test]
    fn other_files_are_told_as_each_family_knows_them_and_typing_goes_last() {
        let pieces = ["one", "two"].map(|name| ContextPiece {
            path: format!("{name}.py").into(),
            text: format!("{name} = 1").into(),
        });
        let filling = TemplateFilling {
            pieces: &pieces,
            typed: "T",
            ..FILLING
        };
        for (name, prompt) in [
            (
                "qwen",
                "<|repo_name|>workspace\n<|file_sep|>one.py\none = 1\n<|file_sep|>two.py\ntwo = 1\n\
                 <|file_sep|>a.py\n<|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>T",
            ),
            (
                "starcoder2",
                "<repo_name>workspace<file_sep>one.py\none = 1<file_sep>two.py\ntwo = 1\
                 <file_sep><fim_prefix>a.py\nP<fim_suffix>S<fim_middle>T",
            ),
            (
                "codegemma",
                "one.py\none = 1<|file_separator|>two.py\ntwo = 1<|file_separator|>a.py\n\
                 <|fim_prefix|>P<|fim_suffix|>S<|fim_middle|>T",
            ),
            (
                "deepseek",
                "<｜fim▁begin｜>#one.py\none = 1\n#two.py\ntwo = 1\n#a.py\nP<｜fim▁hole｜>S<｜fim▁end｜>T",
            ),
            (
                "codestral",
                "[SUFFIX]S[PREFIX]+++++ one.py\none = 1\n\n+++++ two.py\ntwo = 1\n\n+++++ a.py\nPT",
            ),
            (
                "mellum",
                "<filename>one.py\none = 1\n<filename>two.py\ntwo = 1\n<filename>a.py\n\
                 <fim_suffix>S<fim_prefix>P<fim_middle>T",
            ),
            (
                "granite",
                "<|fim_prefix|># C\n# path: a.py\nP<|fim_suffix|>S<|fim_middle|>T",
            ),
        ] {
            let choice = TemplateChoice::of(name, "").unwrap();
            assert_eq!(filled(&choice, filling), prompt);
        }
    }

    #[test]
    fn a_model_that_nobody_knows_has_no_template() {
        let choice = TemplateChoice::of("auto", "my-model").unwrap();
        assert_eq!(choice.template, KnownTemplate::Unknown);
        assert!(choice.controls.words().any(|word| word == "<|fim_middle|>"));
        assert!(choice.controls.words().all(|word| word != "<PRE>"));
    }

    #[test]
    fn the_persons_own_says_where_everything_goes() {
        let own = "<repo>{path}<ctx>{context}<a>{prefix}<b>{suffix}[MID]{other}";
        let choice = TemplateChoice::of(own, "").unwrap();
        assert!(matches!(choice.template, KnownTemplate::Own(_)));
        let prompt = filled(&choice, FILLING);
        assert_eq!(prompt, "<repo>a.py<ctx># C\n<a>P<b>S[MID]{other}");
        let words: Vec<_> = choice.controls.words().take(5).collect();
        assert_eq!(words, ["<repo>", "<ctx>", "<a>", "<b>", "[MID]"]);
    }

    #[test]
    fn what_has_no_place_goes_ahead_of_the_prefix() {
        let choice = TemplateChoice::of("<a>{prefix}<b>{suffix}", "").unwrap();
        let prompt = filled(&choice, FILLING);
        assert_eq!(prompt, "<a># C\n# path: a.py\nP<b>S");
    }

    #[test]
    fn without_a_prefix_it_is_none_and_says_what_to_do() {
        for setting in ["qwne", "<a>{suffix}<b>", "{Prefix}"] {
            let fault = TemplateChoice::of(setting, "").unwrap_err().to_string();
            assert!(fault.contains("{prefix}"), "{fault}");
            assert!(
                fault.contains("auto, starcoder2, starcoder, stable-code, qwen"),
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
        let prompt = filled(&choice, filling);
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
