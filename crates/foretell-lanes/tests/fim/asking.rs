//! What is sent.

use foretell_lanes::model::fim::FimFormat;
use foretell_lanes::model::fim::family::FimFamily;
use foretell_settings::BackEnd;
use foretell_text::{FailureKind, FilePath, Language};
use serde_json::json;

use crate::stage::Stage;

const STORY: &str = "const a = |;\n";

#[test]
fn a_completions_server_gets_a_prompt_from_the_template() {
    let stage = Stage::of(STORY).beside(&[("src/b.ts", "let b = [REDACTED-1];")]);
    assert_eq!(
        stage.body(),
        json!({
            "model": "qwen2.5-coder",
            "prompt": "<|repo_name|>workspace\n<|file_sep|>src/b.ts\nlet b = [REDACTED-1];\n<|file_sep|>src/a.ts\n<|fim_prefix|><|fim_suffix|>;\n<|fim_middle|>const a = ",
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
fn llama_cpp_gets_the_parts_and_other_code_as_files_if_nobody_knows_its_model() {
    let stage = Stage::of("a();\n  const a = |;\n")
        .asking(BackEnd::LlamaCpp, "")
        .beside(&[("b.ts", "let b;"), ("c.ts", "let c;")]);
    let mut body = stage.body();
    assert!(body["stop"].as_array().unwrap().len() > 4);
    body["stop"] = json!("…");
    assert_eq!(
        body,
        json!({
            "input_prefix": "// path: src/a.ts\na();\n",
            "input_suffix": ";\n",
            "input_extra": [
                { "filename": "b.ts", "text": "let b;" }, { "filename": "c.ts", "text": "let c;" },
            ],
            "prompt": "  const a = ",
            "n_predict": 256,
            "temperature": 0,
            "stop": "…",
            "stream": true,
            "cache_prompt": true,
            "n_indent": 0,
            "t_max_predict_ms": 3000,
            "return_progress": true,
            "timings_per_token": true,
            "response_fields": [
                "content", "stop", "stop_type", "tokens_evaluated", "tokens_predicted", "timings",
                "prompt_progress",
            ],
        })
    );
    let alone = Stage::of(STORY).asking(BackEnd::LlamaCpp, "").body();
    assert_eq!(alone["input_extra"], json!([]));
}

#[test]
fn llama_cpp_gets_a_prompt_from_the_template_if_somebody_does() {
    let stage = Stage::of("if a {\n        const a = |;\n").asking(BackEnd::LlamaCpp, "qwen");
    let message = stage.message("qwen");
    assert_eq!(message.path, "/completion");
    assert_eq!(
        message.body["prompt"],
        "<|fim_prefix|>// path: src/a.ts\nif a {\n<|fim_suffix|>;\n<|fim_middle|>        const a = "
    );
    // The block around may be closed.
    assert_eq!(message.body["n_indent"], 4);
    let said = Stage::of(STORY).asking(BackEnd::LlamaCpp, "m");
    let format = said
        .format
        .clone()
        .with_family(FimFamily::named("starcoder"));
    let said = Stage { format, ..said };
    assert_eq!(said.message("m").path, "/completion");
    let own = FimFormat::of(BackEnd::LlamaCpp, "m", "qwen").unwrap();
    let own = own.with_family(FimFamily::named("starcoder"));
    assert!(own.controls().words().any(|word| word == "<|fim_middle|>"));
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
            "prompt": "<fim_prefix>// path: src/a.ts\n<fim_suffix>;\n<fim_middle>const a = ",
            "raw": true,
            "stream": true,
            "keep_alive": "30m",
            "options": {
                "num_ctx": 8192,
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
    assert_eq!(prompt.prefix(), "key = \"[REDACTED-1]\"\n");
    assert_eq!(prompt.typed(), "other = \"[REDACTED-3]");
    assert_eq!(prompt.suffix(), "[REDACTED-4]\" [REDACTED-1]\n");
    let at_the_cut = Stage::of("x\nhunter42 a\nb|c hunter42").within(6, 6);
    let prompt = at_the_cut.prompt();
    assert_eq!((prompt.prefix(), prompt.typed()), ("", "b"));
    assert_eq!(prompt.suffix(), "c ");
}

#[test]
fn control_tokens_are_taken_out_of_all_that_is_told() {
    let before = "a<|fim_<|fim_pad|>prefix|>b";
    let mut stage = Stage::at(&format!("{before}c<|endoftext|>\n"), before.len());
    stage = stage.beside(&[("f<|fim_pad|>.ts", "d<|im_end|>\n")]);
    stage.request.document.file = FilePath::new("e<|file_sep|>.ts");
    assert_eq!(
        stage.body()["prompt"],
        "<|repo_name|>workspace\n<|file_sep|>f.ts\nd\n<|file_sep|>e.ts\n<|fim_prefix|><|fim_suffix|>c\n<|fim_middle|>ab"
    );
}

#[test]
fn a_comment_stays_one_when_a_token_is_taken_out_of_it() {
    let stage = Stage::of("<p>|</p>").asking(BackEnd::OpenAi, "granite4");
    let mut stage = stage.beside(&[("b.html", "a --<|fim_pad|>> b")]);
    stage.request.document.language = Language::new("html");
    let prompt = stage.body()["prompt"].as_str().unwrap().to_owned();
    let expected = "<|fim_prefix|><!-- path: b.html -->\n<!--\na -- > b\n-->\n<!-- path: src/a.ts -->\n<|fim_suffix|>";
    assert!(prompt.starts_with(expected), "{prompt}");
}

#[test]
fn nothing_of_it_is_printed() {
    let stage = Stage::of("let hunter2 = 1;|").knowing("hunter");
    let shown = format!("{:?}", stage.prompt());
    assert_eq!(
        shown,
        "FimPrompt { prefix: 0, typed: 21, suffix: 0, pieces: 0, .. }"
    );
}
