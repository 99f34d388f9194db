//! Which servers are asked in which format, and what each is sent.

use foretell_lanes::model::fim::PromptMemory;
use foretell_lanes::model::format::FormatChoice;
use foretell_lanes::model::next_edit::EditDialect;
use foretell_lanes::model::server_facts::ServerFacts;
use foretell_lanes::model::server_kind::{ModelMessage, ServerKind};
use foretell_settings::BackEnd;
use foretell_testkit::lane_requests::{BlindRedactor, OneSecret};
use foretell_text::{FailureKind, LaneKind};

use crate::desk::Desk;

fn desk() -> Desk {
    Desk::at("a.rs", "let x = ‸1;\n")
}

/// What a server is sent, or the word for why it cannot be asked.
fn sent(
    lane: LaneKind,
    back_end: BackEnd,
    format: &str,
    model: &str,
    facts: &ServerFacts,
) -> Result<ModelMessage, String> {
    let desk = desk();
    let mut settings = desk.settings.clone();
    (settings.kind, settings.format) = (back_end, format.to_owned());
    let choice = FormatChoice::of(lane, &settings, model, facts).map_err(|fault| {
        assert_eq!(fault.failure.kind, FailureKind::Misconfigured);
        fault.says.to_string()
    })?;
    let memory = &mut PromptMemory::default();
    let asked = choice
        .format
        .prepare(&desk.request, &settings, Box::new(OneSecret), memory);
    Ok(choice.kind.message(asked.unwrap().prompt, model).unwrap())
}

fn next_edit(back_end: BackEnd, format: &str, model: &str) -> Result<ModelMessage, String> {
    sent(
        LaneKind::NextEdit,
        back_end,
        format,
        model,
        &ServerFacts::default(),
    )
}

#[test]
fn each_server_is_asked_at_its_own_address() {
    let path = |back_end, format: &str| next_edit(back_end, format, "m").map(|it| it.path);
    for format in ["zeta-2.1", "zeta-2", "sweep", "sweep-v2"] {
        assert_eq!(path(BackEnd::OpenAi, format), Ok("/v1/completions"));
        assert_eq!(path(BackEnd::LlamaCpp, format), Ok("/completion"));
        assert_eq!(path(BackEnd::Ollama, format), Ok("/api/generate"));
        for other in [BackEnd::OpenAiChat, BackEnd::Mistral, BackEnd::Mercury] {
            let why = path(other, format).unwrap_err();
            assert!(why.contains("openai, llama-cpp or ollama"), "{why}");
        }
    }
    assert_eq!(
        path(BackEnd::Mercury, "mercury"),
        Ok("/v1/edit/completions")
    );
    assert_eq!(
        path(BackEnd::OpenAiChat, "mercury"),
        Ok("/v1/chat/completions")
    );
    let why = path(BackEnd::OpenAi, "mercury").unwrap_err();
    assert!(why.contains("mercury or openai-chat"), "{why}");
    assert!(path(BackEnd::Mercury, "rewrite").is_err());
}

#[test]
fn the_body_says_where_to_stop_and_how_much_there_may_be() {
    let told = desk().prompt("zeta-2");
    let body = next_edit(BackEnd::OpenAi, "zeta-2", "m").unwrap().body;
    assert_eq!(body["prompt"], told.as_str());
    assert_eq!(body["stop"], serde_json::json!(["<[end▁of▁sentence]>"]));
    assert_eq!(
        (&body["max_tokens"], &body["temperature"]),
        (&512.into(), &0.into())
    );
    let body = next_edit(BackEnd::Ollama, "sweep", "m").unwrap().body;
    assert_eq!(body["raw"], true);
    assert_eq!(body["options"]["stop"][0], "<|file_sep|>");
    let body = next_edit(BackEnd::LlamaCpp, "sweep-v2", "").unwrap().body;
    assert_eq!(
        (&body["n_predict"], &body["cache_prompt"]),
        (&512.into(), &true.into())
    );
    let body = next_edit(BackEnd::Mercury, "mercury", "mercury-edit-2")
        .unwrap()
        .body;
    let messages = body["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[0]["role"]), (1, &"user".into()));
    assert_eq!(body["model"], "mercury-edit-2");
    assert!(body.get("stream").is_none(), "it answers at once");
}

#[test]
fn the_name_of_the_model_chooses() {
    let prompt = |model: &str| {
        let body = next_edit(BackEnd::LlamaCpp, "auto", model).unwrap().body;
        body["prompt"].as_str().unwrap().to_owned()
    };
    let desk = desk();
    assert_eq!(
        prompt("bartowski/zed-industries_zeta-2.1-GGUF"),
        desk.prompt("zeta-2.1")
    );
    assert_eq!(prompt("zeta-2-Q8_0.gguf"), desk.prompt("zeta-2"));
    assert_eq!(
        prompt("sweep-next-edit-1.5b.q8_0.v2.gguf"),
        desk.prompt("sweep")
    );
    assert_eq!(
        prompt("sweep-next-edit-v2-7B.gguf"),
        desk.prompt("sweep-v2")
    );
    assert!(prompt("qwen2.5-coder").contains("predict the next edit"));
    let hosted = next_edit(BackEnd::Mercury, "auto", "anything").unwrap();
    assert_eq!(
        hosted.body["messages"][0]["content"],
        desk.prompt("mercury")
    );
}

#[test]
fn a_server_that_names_its_model_chooses_where_the_settings_name_none() {
    let facts = ServerFacts {
        dialect: EditDialect::named("zeta-2"),
        ..ServerFacts::default()
    };
    let prompt = |model: &str| {
        let sent = sent(LaneKind::NextEdit, BackEnd::LlamaCpp, "auto", model, &facts);
        sent.unwrap().body["prompt"].as_str().unwrap().to_owned()
    };
    assert_eq!(prompt(""), desk().prompt("zeta-2"));
    assert!(prompt("my-own").contains("predict the next edit"));
}

#[test]
fn a_fix_needs_a_format_with_room_for_it() {
    let of = |format: &str| {
        let facts = &ServerFacts::default();
        let mut settings = desk().settings;
        (settings.kind, settings.format) = (BackEnd::OpenAi, format.to_owned());
        FormatChoice::of(LaneKind::Fix, &settings, "m", facts).map(|_| ())
    };
    assert!(of("zeta-2").is_ok() && of("zeta-2.1").is_ok() && of("rewrite").is_ok());
    let why = of("sweep").unwrap_err();
    assert!(why.says.contains("no room for a diagnostic"), "{why}");
}

#[test]
fn why_nothing_is_asked_is_told() {
    let desk = Desk::at("a.rs", "a‸\n=======\nb\n");
    let mut settings = desk.settings.clone();
    (settings.kind, settings.format) = (BackEnd::OpenAi, "zeta-2".to_owned());
    let choice = FormatChoice::of(LaneKind::NextEdit, &settings, "m", &ServerFacts::default());
    let format = choice.unwrap().format;
    let memory = &mut PromptMemory::default();
    assert!(
        format
            .prepare(&desk.request, &settings, Box::new(BlindRedactor), memory)
            .is_none()
    );
    let why = format
        .refusal(&desk.request, &settings, &mut BlindRedactor)
        .unwrap();
    assert!(why.to_string().contains("merge conflict"), "{why}");
    assert_eq!(ServerKind::of(BackEnd::Mercury), Some(ServerKind::Mercury));
}
