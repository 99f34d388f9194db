//! What is sent.

use foretell_lanes::model::fim::FimFormat;
use foretell_settings::BackEnd;
use foretell_text::{FailureKind, FilePath, Language};
use serde_json::json;

use crate::stage::Stage;

const STORY: &str = "const a = |;\n";

#[test]
fn a_completions_server_gets_a_prompt_from_the_template() {
    let stage = Stage::of(STORY).knowing("## Diagnostics\n\n- [REDACTED-1]\n");
    assert_eq!(
        stage.body(),
        json!({
            "model": "qwen2.5-coder",
            "prompt": "<|fim_prefix|>// ## Diagnostics\n//\n// - [REDACTED-1]\n// path: src/a.ts\nconst a = <|fim_suffix|>;\n<|fim_middle|>",
            "max_tokens": 256,
            "temperature": 0,
            "stop": ["<|endoftext|>", "<|file_sep|>", "<|fim_pad|>", "<|fim_prefix|>"],
            "stream": true,
            "stream_options": { "include_usage": true },
        })
    );
}

#[test]
fn one_with_a_model_that_nobody_knows_gets_prompt_and_suffix() {
    let stage = Stage::of(STORY).asking(BackEnd::OpenAi, "my-model");
    let body = stage.body();
    assert_eq!(body["prompt"], "// path: src/a.ts\nconst a = ");
    assert_eq!(body["suffix"], ";\n");
    assert_eq!(body["stop"].as_array().unwrap().len(), 4);
    let unnamed = stage.message("").body;
    assert_eq!(unnamed.get("model"), None);
}

#[test]
fn llama_cpp_gets_the_parts_and_the_context_as_a_file() {
    let stage = Stage::of(STORY)
        .asking(BackEnd::LlamaCpp, "")
        .knowing("## Recent Changes\n");
    let mut body = stage.body();
    assert!(body["stop"].as_array().unwrap().len() > 4);
    body["stop"] = json!("…");
    assert_eq!(
        body,
        json!({
            "input_prefix": "// path: src/a.ts\nconst a = ",
            "input_suffix": ";\n",
            "input_extra": [{ "filename": "context.md", "text": "## Recent Changes\n" }],
            "prompt": "",
            "n_predict": 256,
            "temperature": 0,
            "stop": "…",
            "stream": true,
            "cache_prompt": true,
            "response_fields": ["content", "stop", "stop_type", "tokens_evaluated", "tokens_predicted"],
        })
    );
    let alone = Stage::of(STORY).asking(BackEnd::LlamaCpp, "").body();
    assert_eq!(alone["input_extra"], json!([]));
}

#[test]
fn ollama_gets_a_raw_prompt_or_a_suffix() {
    let known = Stage::of(STORY)
        .asking(BackEnd::Ollama, "starcoder2:3b")
        .body();
    assert_eq!(
        known,
        json!({
            "model": "starcoder2:3b",
            "prompt": "<fim_prefix>// path: src/a.ts\nconst a = <fim_suffix>;\n<fim_middle>",
            "raw": true,
            "stream": true,
            "options": {
                "num_predict": 256,
                "temperature": 0,
                "stop": [
                    "<|endoftext|>", "<file_sep>", "<fim_prefix>", "<fim_middle>",
                    "<fim_suffix>", "<fim_pad>", "<repo_name>", "<|end_of_text|>",
                ],
            },
        })
    );
    let unknown = Stage::of(STORY).asking(BackEnd::Ollama, "my-model").body();
    assert_eq!(unknown["suffix"], ";\n");
    assert_eq!(unknown.get("raw"), None);
}

#[test]
fn mistral_gets_prompt_and_suffix() {
    let stage = Stage::of(STORY).asking(BackEnd::Mistral, "codestral-latest");
    assert_eq!(
        stage.body(),
        json!({
            "model": "codestral-latest",
            "prompt": "// path: src/a.ts\nconst a = ",
            "suffix": ";\n",
            "max_tokens": 256,
            "temperature": 0,
            "stop": ["</s>", "[PREFIX]", "[SUFFIX]", "[MIDDLE]"],
            "stream": true,
        })
    );
}

#[test]
fn each_has_its_path() {
    for (back_end, path) in [
        (BackEnd::OpenAi, "/v1/completions"),
        (BackEnd::LlamaCpp, "/infill"),
        (BackEnd::Ollama, "/api/generate"),
        (BackEnd::Mistral, "/v1/fim/completions"),
    ] {
        let stage = Stage::of(STORY).asking(back_end, "m");
        assert_eq!(stage.message("m").path, path);
    }
}

#[test]
fn what_cannot_be_asked_says_what_to_do() {
    for (back_end, model, template, says) in [
        (BackEnd::OpenAi, "m", "<a>{suffix}", "{prefix}"),
        (BackEnd::OpenAi, "m", "qwne", "qwen, codegemma"),
        (
            BackEnd::LlamaCpp,
            "",
            "{prefix}{suffix}",
            "takes no template",
        ),
        (BackEnd::Mistral, "m", "{prefix}", "takes no template"),
        (BackEnd::Ollama, "", "auto", "set the model"),
        (BackEnd::Mistral, " ", "auto", "set the model"),
        (BackEnd::OpenAiChat, "m", "auto", "does not fill in"),
        (BackEnd::Embedded, "m", "auto", "does not fill in"),
    ] {
        let fault = FimFormat::of(back_end, model, template).unwrap_err();
        assert_eq!(fault.failure.kind, FailureKind::Misconfigured);
        assert!(fault.says.contains(says), "{fault}");
    }
}

#[test]
fn a_template_of_the_persons_own_is_filled() {
    let mut stage = Stage::of(STORY).knowing("why\n");
    let own = "<repo>{path}\n{context}<a>{prefix}<b>{suffix}<c>";
    stage.format = FimFormat::of(BackEnd::OpenAi, "m", own).unwrap();
    let body = stage.body();
    assert_eq!(
        body["prompt"],
        "<repo>src/a.ts\n// why\n<a>const a = <b>;\n<c>"
    );
    assert_eq!(body["stop"], json!(["<repo>", "<a>", "<b>", "<c>"]));
}

#[test]
fn secrets_are_marks_also_astride_the_cursor() {
    let stage = Stage::of("key = \"hunter42\"\nother = \"hunter|77\" hunter42\n");
    let prompt = stage.prompt();
    assert_eq!(
        prompt.prefix(),
        "key = \"[REDACTED-1]\"\nother = \"[REDACTED-3]"
    );
    assert_eq!(prompt.suffix(), "[REDACTED-4]\" [REDACTED-1]\n");
    let at_the_cut = Stage::of("x\nhunter42 a\nb|c hunter42").within(6, 6);
    assert_eq!(at_the_cut.prompt().prefix(), "b");
    assert_eq!(at_the_cut.prompt().suffix(), "c ");
}

#[test]
fn control_tokens_are_taken_out_of_all_that_is_told() {
    let before = "a<|fim_<|fim_pad|>prefix|>b";
    let mut stage = Stage::at(&format!("{before}c<|endoftext|>\n"), before.len());
    stage.request.context = "d<|im_end|>\n".into();
    stage.request.document.file = FilePath::new("e<|file_sep|>.ts");
    assert_eq!(
        stage.body()["prompt"],
        "<|fim_prefix|>// d\n// path: e.ts\nab<|fim_suffix|>c\n<|fim_middle|>"
    );
}

#[test]
fn a_comment_stays_one_when_a_token_is_taken_out_of_it() {
    let mut stage = Stage::of("<p>|</p>");
    stage.request.document.language = Language::new("html");
    stage.request.context = "a --<|fim_pad|>> b".into();
    let prompt = stage.body()["prompt"].as_str().unwrap().to_owned();
    let expected = "<|fim_prefix|><!--\na -- > b\n-->\n<!-- path: src/a.ts -->\n<p><|fim_suffix|>";
    assert!(prompt.starts_with(expected), "{prompt}");
}

#[test]
fn nothing_of_it_is_printed() {
    let stage = Stage::of("let hunter2 = 1;|").knowing("hunter");
    let shown = format!("{:?}", stage.prompt());
    assert_eq!(shown, "FimPrompt { prefix: 21, suffix: 0, context: 6, .. }");
}
