//! What a model says, as the kind of server says it that was asked: by the address of a request, each kind is known.

use serde_json::{Value, json};

use super::{ReceivedRequest, ScriptedAnswer};

/// How many characters are in a frame, where an answer comes in frames.
const FRAME: usize = 7;

/// An answer to a request for a text. Nothing if it is for something else: which models there are, say.
pub fn answer_of(request: &ReceivedRequest, said: &str) -> Option<ScriptedAnswer> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    let chars: Vec<char> = said.chars().collect();
    let pieces = chars.chunks(FRAME).map(|it| it.iter().collect::<String>());
    let frames = |piece: fn(String) -> Value, end: Value| {
        let frames = pieces.clone().map(piece).chain([end]);
        frames.map(|it| it.to_string()).collect::<Vec<_>>()
    };
    let whole = json!({ "message": { "content": said }, "finish_reason": "stop" });
    Some(match request.path.as_str() {
        "/v1/completions" => ScriptedAnswer::events(frames(
            |text| json!({ "choices": [{ "text": text, "finish_reason": null }] }),
            json!({ "choices": [{ "text": "", "finish_reason": "stop" }] }),
        )),
        "/v1/chat/completions" if body["stream"] == true => ScriptedAnswer::events(frames(
            |text| json!({ "choices": [{ "delta": { "content": text } }] }),
            json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }),
        )),
        "/v1/chat/completions" | "/v1/edit/completions" => {
            ScriptedAnswer::json(json!({ "choices": [whole] }).to_string())
        }
        "/completion" => ScriptedAnswer::events_without_done(frames(
            |text| json!({ "content": text, "stop": false }),
            json!({ "content": "", "stop": true, "stop_type": "eos" }),
        )),
        "/api/generate" => ScriptedAnswer::lines(frames(
            |text| json!({ "response": text, "done": false }),
            json!({ "response": "", "done": true, "done_reason": "stop" }),
        )),
        _ => return None,
    })
}

/// The prompt of a request for a text, or its only message.
pub fn prompt_of(request: &ReceivedRequest) -> Option<String> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    let prompt = body["prompt"].as_str();
    let message = body["messages"][0]["content"].as_str();
    prompt.or(message).map(str::to_owned)
}
