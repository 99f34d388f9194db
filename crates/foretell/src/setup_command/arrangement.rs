//! Which model answers for which lane, given what was found and measured.
//!
//! - What goes in at the cursor is the business of a model whose name says that it fills in, or else of what a
//!   llama.cpp server has loaded, whose name may be a file's; whether it does is tried.
//! - Next edits are the business of a model that was trained for them. Any other would have to rewrite a region for
//!   each, which a model on a person's own machine rarely does in time; the embedded predictor does.
//! - Fixes stay as they are: what a diagnostic names is certain, and a small model's guess is not.
//!
//! Nothing here asks anybody: the same findings give the same arrangement.

use foretell_lanes::model::server_search::{LocalServer, ModelPurpose, ServerProgram};
use foretell_settings::choice::BackEnd;
use foretell_text::LaneKind;

use crate::failure::visible;

/// A model of a server that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChosenModel {
    pub(super) program: ServerProgram,
    pub(super) kind: BackEnd,
    pub(super) url: String,
    pub(super) model: String,
}

impl ChosenModel {
    fn of(server: &LocalServer, model: &str) -> Self {
        ChosenModel {
            program: server.program,
            kind: server.program.kind(),
            url: server.url.clone(),
            model: model.to_owned(),
        }
    }

    /// What people call it: of a path its last part.
    pub(super) fn shown(&self) -> &str {
        let last = self.model.rsplit(['/', '\\']).next();
        last.unwrap_or(&self.model)
    }
}

/// A model that answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MeasuredModel {
    pub(super) chosen: ChosenModel,
    /// Whether it wrote what belongs there.
    pub(super) is_fitting: bool,
    /// How many tokens a second it reads, if that is known.
    pub(super) reads: Option<u32>,
    /// How many it writes.
    pub(super) writes: Option<u32>,
}

/// Every model of some servers.
fn all_models(servers: &[LocalServer]) -> impl Iterator<Item = ChosenModel> {
    servers.iter().flat_map(|server| {
        let models = server.models.iter();
        models.map(move |model| ChosenModel::of(server, model))
    })
}

/// The model to try for next edits, if one was trained for them.
pub(super) fn to_edit(servers: &[LocalServer]) -> Option<ChosenModel> {
    let edits =
        |it: &ChosenModel| matches!(ModelPurpose::of(&it.model), ModelPurpose::NextEdits(_));
    all_models(servers).find(edits)
}

/// The models to try for what goes in at the cursor, the most promising first; or the one that is named.
pub(super) fn to_fill_in(servers: &[LocalServer], named: Option<&str>) -> Vec<ChosenModel> {
    let all = all_models(servers);
    if let Some(named) = named {
        return all
            .filter(|it| it.model == named || it.shown() == named)
            .collect();
    }
    let all: Vec<ChosenModel> = all.collect();
    let known = |it: &&ChosenModel| ModelPurpose::of(&it.model) == ModelPurpose::FillsIn;
    let loaded = |it: &&ChosenModel| {
        it.program == ServerProgram::LlamaCpp && ModelPurpose::of(&it.model) == ModelPurpose::Chat
    };
    let known = all.iter().filter(known);
    known.chain(all.iter().filter(loaded)).cloned().collect()
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrangement {
    /// The lanes that get a model.
    pub(super) lanes: Vec<(LaneKind, ChosenModel)>,
    reasons: Vec<String>,
}

impl Arrangement {
    /// The arrangement with a model that fills in and one for next edits, where such were tried and do.
    pub(super) fn of(fills_in: Option<MeasuredModel>, edits: Option<MeasuredModel>) -> Self {
        let mut lanes = Vec::new();
        let mut reasons = Vec::new();
        match fills_in {
            Some(measured) => {
                reasons.push(format!(
                    "{} for what goes in at the cursor{}{}.",
                    whom(&measured.chosen),
                    speed(&measured),
                    doubt(&measured)
                ));
                lanes.push((LaneKind::Fim, measured.chosen));
            }
            None => reasons.push(
                "What goes in at the cursor stays as it is: no model here fills in; a base or coder model does, \
                 such as qwen2.5-coder:1.5b."
                    .to_owned(),
            ),
        }
        match edits {
            Some(measured) => {
                let (whom, speed) = (whom(&measured.chosen), speed(&measured));
                reasons.push(format!("{whom} for next edits{speed}."));
                lanes.push((LaneKind::NextEdit, measured.chosen));
            }
            None => reasons.push(
                "Next edits stay as they are: no model here was trained for them (Zeta and Sweep were)."
                    .to_owned(),
            ),
        }
        reasons.push("Fixes stay as they are.".to_owned());
        Arrangement { lanes, reasons }
    }

    /// The proposal in words, a line for each lane.
    pub(super) fn words(&self) -> String {
        self.reasons.join("\n")
    }

    /// What goes into the settings file.
    pub(super) fn toml(&self) -> String {
        let mut text = String::new();
        for (lane, chosen) in &self.lanes {
            text.push_str(&format!("\n  [lanes.{}]\n", lane_name(*lane)));
            for (name, value) in settings_of(chosen) {
                text.push_str(&format!("  {name} = {value:?}\n"));
            }
        }
        text
    }
}

/// The settings of a lane that asks a model.
pub(super) fn settings_of(chosen: &ChosenModel) -> [(&'static str, String); 3] {
    let word = BackEnd::CHOICES
        .into_iter()
        .find(|(_, kind)| *kind == chosen.kind);
    let word = word.map_or("embedded", |(word, _)| word);
    [
        ("kind", word.to_owned()),
        ("url", chosen.url.clone()),
        ("model", chosen.model.clone()),
    ]
}

/// The name of a lane in settings.
pub(super) fn lane_name(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Fim => "fim",
        LaneKind::NextEdit => "nextEdit",
        LaneKind::Fix => "fix",
    }
}

fn whom(chosen: &ChosenModel) -> String {
    format!("{} on {}", visible(chosen.shown()), chosen.program.name())
}

fn speed(measured: &MeasuredModel) -> String {
    match (measured.reads, measured.writes) {
        (Some(reads), Some(writes)) => {
            format!(", which reads {reads} and writes {writes} tokens a second")
        }
        (Some(reads), None) => format!(", which reads {reads} tokens a second"),
        (None, Some(writes)) => format!(", which writes {writes} tokens a second"),
        (None, None) => String::new(),
    }
}

fn doubt(measured: &MeasuredModel) -> &'static str {
    if measured.is_fitting {
        ""
    } else {
        "; it did not write what belongs there, so that another may do better"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(program: ServerProgram, models: &[&str]) -> LocalServer {
        LocalServer {
            program,
            url: "http://127.0.0.1:1".to_owned(),
            models: models.iter().map(|it| (*it).to_owned()).collect(),
        }
    }

    #[test]
    fn models_that_fill_in_are_tried_before_those_that_might() {
        let servers = [
            server(ServerProgram::LlamaCpp, &["/models/mystery.gguf"]),
            server(
                ServerProgram::Ollama,
                &[
                    "llama3.2:3b",
                    "nomic-embed-text",
                    "qwen2.5-coder:1.5b",
                    "zeta-2",
                ],
            ),
        ];
        let names = |named: Option<&str>| -> Vec<String> {
            let chosen = to_fill_in(&servers, named);
            chosen.iter().map(|it| it.shown().to_owned()).collect()
        };
        assert_eq!(names(None), ["qwen2.5-coder:1.5b", "mystery.gguf"]);
        assert_eq!(names(Some("llama3.2:3b")), ["llama3.2:3b"]);
        assert_eq!(names(Some("none")), [""; 0]);
    }

    #[test]
    fn each_lane_is_told_with_its_reason() {
        let servers = [server(
            ServerProgram::Ollama,
            &["qwen2.5-coder:1.5b", "zeta-2"],
        )];
        let measured = |chosen: ChosenModel, writes: Option<u32>| MeasuredModel {
            chosen,
            is_fitting: true,
            reads: Some(150),
            writes,
        };
        let fills_in = to_fill_in(&servers, None).remove(0);
        let edits = to_edit(&servers).expect("zeta-2");
        let arranged = Arrangement::of(
            Some(measured(fills_in, Some(20))),
            Some(measured(edits, None)),
        );
        assert_eq!(
            arranged.words(),
            "qwen2.5-coder:1.5b on Ollama for what goes in at the cursor, which reads 150 and writes 20 tokens a second.\n\
             zeta-2 on Ollama for next edits, which reads 150 tokens a second.\n\
             Fixes stay as they are."
        );
        let nothing = Arrangement::of(None, None);
        assert!(nothing.lanes.is_empty());
        assert_eq!(nothing.toml(), "");
    }
}
