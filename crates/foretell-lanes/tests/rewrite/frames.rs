//! What is sent to each server, and what its frames say.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::rewrite::{EditTask, RewriteFormat};
use foretell_lanes::model::server_kind::ServerKind;
use foretell_settings::BackEnd;
use foretell_text::{FailureKind, TokenUsage};

use crate::stage::Stage;

/// What frames say together: the text, how it ended, and what it took.
fn read(kind: ServerKind, frames: &[&str]) -> (String, Option<AnswerEnd>, Option<TokenUsage>) {
    let (mut text, mut end, mut usage) = (String::new(), None, None);
    for frame in frames {
        let frame = kind.read(frame).unwrap();
        text.push_str(&frame.text);
        end = end.or(frame.end);
        usage = frame.usage.or(usage);
    }
    (text, end, usage)
}

fn used(prompt_tokens: u64, completion_tokens: u64) -> Option<TokenUsage> {
    Some(TokenUsage {
        prompt_tokens,
        completion_tokens,
        read_tokens: None,
    })
}

#[test]
fn every_back_end_but_two_can_be_asked() {
    let stage = Stage::at("‸");
    let question = stage.question().unwrap();
    let of = |back_end| {
        let kind = ServerKind::of(back_end)?;
        let format = RewriteFormat::of(EditTask::NextEdit, kind).ok()?;
        let prompt = format.prompt(&question, &stage.settings);
        let message = kind.message(prompt, "m").unwrap();
        Some(message.path)
    };
    assert_eq!(of(BackEnd::OpenAiChat), Some("/v1/chat/completions"));
    assert_eq!(of(BackEnd::OpenAi), Some("/v1/completions"));
    assert_eq!(of(BackEnd::LlamaCpp), Some("/completion"));
    assert_eq!(of(BackEnd::Ollama), Some("/api/generate"));
    assert_eq!((of(BackEnd::Mistral), of(BackEnd::Embedded)), (None, None));
}

#[test]
fn each_server_is_asked_in_its_own_words() {
    let mut stage = Stage::at("let x = 1;‸\n");
    let question = stage.question().unwrap();
    let mut body = |kind: ServerKind, model: &str| {
        stage.kind = kind;
        let message = kind.message(stage.prompt(&question, 99), model);
        message.unwrap().body
    };
    let said = body(ServerKind::OpenAiChat, "m");
    assert_eq!(said["messages"][0]["role"], "system");
    assert_eq!(said["messages"][1]["content"], question.user.as_str());
    assert_eq!(
        (&said["max_tokens"], &said["temperature"]),
        (&99.into(), &0.into())
    );
    assert_eq!(
        (&said["stream"], &said["model"]),
        (&true.into(), &"m".into())
    );
    assert_eq!(said["stream_options"]["include_usage"], true);
    assert!(said.get("stop").is_none(), "the first fence is not the end");

    let said = body(ServerKind::OpenAi, "m");
    assert_eq!(said["stop"][0], "\n```");
    assert!(said["prompt"].as_str().unwrap().ends_with("```rust\n"));

    let said = body(ServerKind::LlamaCpp, "");
    assert_eq!((&said["n_predict"], said.get("model")), (&99.into(), None));

    let said = body(ServerKind::Ollama, "m");
    assert_eq!(said["prompt"], question.user.as_str());
    assert_eq!(said["system"], question.system.as_str());
    assert_eq!(said["options"]["num_predict"], 99);
    assert!(said.get("suffix").is_none());
}

#[test]
fn chat_streams_deltas_and_tells_the_usage_last() {
    let frames = [
        r#"{"choices":[{"delta":{"role":"assistant","content":null}}]}"#,
        r#"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#,
        r#"{"choices":[{"delta":{"content":"a"},"finish_reason":null}],"usage":null}"#,
        r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"b"}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#,
    ];
    let told = ("ab".to_owned(), Some(AnswerEnd::Own), used(7, 2));
    assert_eq!(read(ServerKind::OpenAiChat, &frames), told);
    let at_once = r#"{"choices":[{"message":{"content":"ab"},"finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#;
    let told = ("ab".to_owned(), Some(AnswerEnd::Length), used(7, 2));
    assert_eq!(read(ServerKind::OpenAiChat, &[at_once]), told);
}

#[test]
fn a_refusal_is_a_failure() {
    for frame in [
        r#"{"choices":[{"delta":{"refusal":"no"}}]}"#,
        r#"{"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}]}"#,
    ] {
        let fault = ServerKind::OpenAiChat.read(frame).unwrap_err();
        assert_eq!(fault.failure.kind, FailureKind::Empty);
    }
}

#[test]
fn the_other_servers_have_frames_of_their_own() {
    let frames = [
        r#"{"choices":[{"text":"a","finish_reason":null}]}"#,
        r#"{"choices":[{"text":"b","finish_reason":"length"}]}"#,
    ];
    let told = ("ab".to_owned(), Some(AnswerEnd::Length), None);
    assert_eq!(read(ServerKind::OpenAi, &frames), told);
    let frames = [
        r#"{"content":"a","stop":false,"tokens_predicted":1,"tokens_evaluated":7}"#,
        r#"{"content":"b","stop":true,"stop_type":"limit","tokens_predicted":2,"tokens_evaluated":7}"#,
    ];
    let told = ("ab".to_owned(), Some(AnswerEnd::Length), used(7, 2));
    assert_eq!(read(ServerKind::LlamaCpp, &frames), told);
    let frames = [
        r#"{"response":"","thinking":"hm","done":false}"#,
        r#"{"response":"ab","done":false}"#,
        r#"{"response":"","done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":2}"#,
    ];
    let told = ("ab".to_owned(), Some(AnswerEnd::Own), used(7, 2));
    assert_eq!(read(ServerKind::Ollama, &frames), told);
}

#[test]
fn an_error_is_the_servers_and_its_words_are_not_repeated_here() {
    let errors = [
        r#"{"error":{"message":"out of memory"}}"#,
        r#"{"error":"out of memory"}"#,
        r#"{"object":"error","message":"out of memory"}"#,
    ];
    for kind in [
        ServerKind::OpenAiChat,
        ServerKind::OpenAi,
        ServerKind::LlamaCpp,
        ServerKind::Ollama,
    ] {
        for error in errors {
            let fault = kind.read(error).unwrap_err();
            assert_eq!(fault.failure.kind, FailureKind::ServerError);
            assert!(!fault.says.contains("memory"));
        }
        for wrong in ["", "nonsense", "{}", "[]", "null", "3", r#"{"choices":3}"#] {
            let fault = kind.read(wrong).unwrap_err();
            assert_eq!(fault.failure.kind, FailureKind::MalformedJson, "{wrong}");
        }
    }
}
