//! Frames: what one payload of an answer says.
//!
//! Fields that are missing where they were agreed on are a fault; fields that are null or unknown are
//! not, since servers of one dialect differ in those. An error that comes inside of an answer is the
//! server's; its words are not repeated here, since they may be those that it was told. A model that
//! will not answer, or is not allowed to, has failed as well: what it said until then is half of
//! something, and its silence is not that of somebody who has nothing to suggest.
//!
//! Absent on purpose: how payloads are found in a stream, and `[DONE]`, which is none.

use std::fmt;
use std::time::Duration;

use foretell_text::{FailureKind, TokenUsage};
use serde_json::Value;

use crate::lane::LaneFault;

/// A piece of an answer.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct AnswerFrame {
    /// Text to add to the answer.
    pub text: String,
    /// That the text is over, and why. Frames that only count may still follow.
    pub end: Option<AnswerEnd>,
    /// The usage of the whole answer so far. Of several, the last one counts.
    pub usage: Option<TokenUsage>,
    /// How long the server took so far, if it says so.
    pub timings: Option<ServerTimings>,
    /// How far the server has read the prompt, while it does.
    pub reading: Option<ReadingProgress>,
}

/// How much a server has read and written, and how long that took it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerTimings {
    /// How many tokens of the prompt it had read before.
    pub cached_tokens: u64,
    /// How many it has read anew.
    pub read_tokens: u64,
    /// How long that took.
    pub reading: Duration,
    /// How many tokens it has written.
    pub written_tokens: u64,
    /// How long that took.
    pub writing: Duration,
    /// Whether it counts only what it has read anew, and not what it had read before.
    pub is_of_new_tokens: bool,
}

impl ServerTimings {
    /// How many tokens it reads in a second, if it has read any.
    pub fn read_speed(&self) -> Option<f64> {
        speed(self.read_tokens, self.reading)
    }

    /// How many it writes.
    pub fn write_speed(&self) -> Option<f64> {
        speed(self.written_tokens, self.writing)
    }
}

/// How far a server has read a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadingProgress {
    /// How many tokens the prompt has.
    pub all_tokens: u64,
    /// How many of those it had read before.
    pub cached_tokens: u64,
    /// How many it has read by now, with those.
    pub read_tokens: u64,
}

/// The longest prompt that a server is believed to read, in tokens.
const LONGEST_PROMPT: u64 = 10_000_000;

fn speed(tokens: u64, took: Duration) -> Option<f64> {
    let tokens = u32::try_from(tokens).ok().filter(|tokens| *tokens > 0)?;
    (!took.is_zero()).then(|| f64::from(tokens) / took.as_secs_f64())
}

impl AnswerFrame {
    /// Whether no text follows.
    pub fn is_last(&self) -> bool {
        self.end.is_some()
    }

    /// How many tokens of the prompt are still to be read, if that is all it says.
    pub fn tokens_to_read(&self) -> Option<u64> {
        let is_all = self.text.is_empty() && self.end.is_none();
        let reading = self.reading.filter(|_| is_all)?;
        Some(reading.all_tokens.saturating_sub(reading.read_tokens))
    }
}

/// Prints its length: the text may be private.
impl fmt::Debug for AnswerFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerFrame")
            .field("text", &self.text.len())
            .field("end", &self.end)
            .field("usage", &self.usage)
            .field("timings", &self.timings)
            .field("reading", &self.reading)
            .finish()
    }
}

/// Why a text is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerEnd {
    /// The model had nothing more to say, or said a stop word.
    Own,
    /// It was not allowed to say more.
    Length,
}

impl AnswerEnd {
    fn of(reason: &str) -> AnswerEnd {
        match reason {
            "length" | "model_length" | "limit" | "max_tokens" => AnswerEnd::Length,
            _ => AnswerEnd::Own,
        }
    }
}

/// The reasons that servers give for a text that they, or the model, would not write.
const WILL_NOT: [&str; 2] = ["content_filter", "refusal"];

/// A payload of a server that speaks as OpenAI does, or Mistral: whole or streamed, a completion's or
/// a chat's.
pub(crate) fn of_choices(payload: &str) -> Result<AnswerFrame, LaneFault> {
    let payload = object(payload)?;
    let usage = payload.get("usage").filter(|usage| usage.is_object());
    let is_told = usage.is_some();
    let usage = usage.and_then(|usage| {
        let counted = counted(usage, "prompt_tokens", "completion_tokens")?;
        let cached = usage.pointer("/prompt_tokens_details/cached_tokens");
        let cached = cached.and_then(Value::as_u64);
        Some(TokenUsage {
            read_tokens: cached.map(|cached| counted.prompt_tokens.saturating_sub(cached)),
            ..counted
        })
    });
    let choices = payload.get("choices").filter(|choices| !choices.is_null());
    let Some(choices) = choices else {
        let frame = AnswerFrame {
            usage,
            ..AnswerFrame::default()
        };
        return is_told.then_some(frame).ok_or_else(|| missing("choices"));
    };
    let choices = choices.as_array().ok_or_else(|| missing("choices"))?;
    // One that only counts has none.
    let Some(choice) = choices.first() else {
        return Ok(AnswerFrame {
            usage,
            ..AnswerFrame::default()
        });
    };
    let content = |part: &str| {
        let part = choice.get(part)?;
        // The last piece may have no content any more.
        Some(part.get("content").unwrap_or(&Value::Null))
    };
    let text = choice.get("text");
    let text = text.or_else(|| content("delta"));
    let text = text.or_else(|| content("message"));
    let refusals = ["delta", "message"].map(|part| choice.get(part)?.get("refusal")?.as_str());
    let is_refused = refusals.into_iter().flatten().any(|it| !it.is_empty());
    let reason = choice.get("finish_reason").and_then(Value::as_str);
    if is_refused || reason.is_some_and(|it| WILL_NOT.contains(&it)) {
        return Err(will_not_answer().after(usage.unwrap_or_default()));
    }
    Ok(AnswerFrame {
        text: said(text.ok_or_else(|| missing("text"))?)?,
        end: reason.filter(|it| !it.is_empty()).map(AnswerEnd::of),
        usage,
        timings: timings_of(&payload),
        reading: reading_of(&payload),
    })
}

/// The fields to ask llama.cpp for: by default it repeats the whole prompt at the end.
pub(crate) const LLAMA_CPP_FIELDS: [&str; 7] = [
    "content",
    "stop",
    "stop_type",
    "tokens_evaluated",
    "tokens_predicted",
    "timings",
    "prompt_progress",
];

/// A payload of llama.cpp's `/infill` or `/completion`.
pub(crate) fn of_infill(payload: &str) -> Result<AnswerFrame, LaneFault> {
    let payload = object(payload)?;
    let text = payload.get("content").ok_or_else(|| missing("content"))?;
    let is_last = payload.get("stop").and_then(Value::as_bool) == Some(true);
    let reason = payload.get("stop_type").and_then(Value::as_str);
    let was_limited = payload.get("stopped_limit").and_then(Value::as_bool) == Some(true);
    let end = if was_limited {
        AnswerEnd::Length
    } else {
        reason.map_or(AnswerEnd::Own, AnswerEnd::of)
    };
    let timings = timings_of(&payload);
    let usage = counted(&payload, "tokens_evaluated", "tokens_predicted");
    Ok(AnswerFrame {
        text: said(text)?,
        end: is_last.then_some(end),
        usage: usage.map(|usage| TokenUsage {
            // It may say anything.
            read_tokens: timings.map(|timings| timings.read_tokens.min(usage.prompt_tokens)),
            ..usage
        }),
        timings,
        reading: reading_of(&payload),
    })
}

/// A payload of Ollama's `/api/generate`.
pub(crate) fn of_generate(payload: &str) -> Result<AnswerFrame, LaneFault> {
    let payload = object(payload)?;
    let text = payload.get("response").ok_or_else(|| missing("response"))?;
    let is_last = payload.get("done").and_then(Value::as_bool) == Some(true);
    let reason = payload.get("done_reason").and_then(Value::as_str);
    Ok(AnswerFrame {
        text: said(text)?,
        end: is_last.then(|| reason.map_or(AnswerEnd::Own, AnswerEnd::of)),
        // Tokens that were cached are not evaluated again, and then not counted either.
        usage: counted(&payload, "prompt_eval_count", "eval_count"),
        timings: ollama_timings(&payload),
        reading: None,
    })
}

/// The timings of llama.cpp, which it adds to answers of every kind.
fn timings_of(payload: &Value) -> Option<ServerTimings> {
    let timings = payload.get("timings").filter(|it| it.is_object())?;
    let count = |field: &str| timings.get(field).and_then(Value::as_u64);
    let time = |field: &str| {
        let ms = timings.get(field).and_then(Value::as_f64).unwrap_or(0.0);
        Duration::try_from_secs_f64(ms / 1_000.0).unwrap_or_default()
    };
    Some(ServerTimings {
        cached_tokens: count("cache_n").unwrap_or(0),
        read_tokens: count("prompt_n")?,
        reading: time("prompt_ms"),
        written_tokens: count("predicted_n").unwrap_or(0),
        writing: time("predicted_ms"),
        is_of_new_tokens: true,
    })
}

/// How far llama.cpp has read, where it was asked to say so.
fn reading_of(payload: &Value) -> Option<ReadingProgress> {
    let progress = payload.get("prompt_progress")?;
    let count = |field: &str| {
        let count = progress.get(field).and_then(Value::as_u64);
        count.filter(|tokens| *tokens <= LONGEST_PROMPT)
    };
    Some(ReadingProgress {
        all_tokens: count("total")?,
        cached_tokens: count("cache").unwrap_or(0),
        read_tokens: count("processed")?,
    })
}

/// The timings of Ollama, which counts nanoseconds. Whether it counts tokens that it had read before
/// depends on its version, so that nobody knows which of them it has read anew.
fn ollama_timings(payload: &Value) -> Option<ServerTimings> {
    let count = |field: &str| payload.get(field).and_then(Value::as_u64);
    let time = |field: &str| count(field).map_or(Duration::ZERO, Duration::from_nanos);
    Some(ServerTimings {
        cached_tokens: 0,
        read_tokens: count("prompt_eval_count").unwrap_or(0),
        reading: Duration::from_nanos(count("prompt_eval_duration")?),
        written_tokens: count("eval_count").unwrap_or(0),
        writing: time("eval_duration"),
        is_of_new_tokens: false,
    })
}

/// A payload that is an object and no error.
fn object(payload: &str) -> Result<Value, LaneFault> {
    let value: Value = serde_json::from_str(payload).map_err(|error| {
        // Where, and not what: it may quote the document.
        let column = error.column();
        malformed(format!(
            "the server's answer is not JSON at character {column}; check that its kind and address are right"
        ))
    })?;
    if !value.is_object() {
        return Err(malformed(
            "the server's answer is JSON, but no object; check that its kind and address are right",
        ));
    }
    if is_error(&value) {
        Err(LaneFault::new(
            FailureKind::ServerError,
            "the server failed in the middle of its answer; look at its log",
        ))
    } else {
        Ok(value)
    }
}

/// Whether a payload is an error, in all the ways in which servers put one into an answer.
fn is_error(value: &Value) -> bool {
    let is_called_one = value.get("object").and_then(Value::as_str) == Some("error");
    is_called_one || value.get("error").is_some_and(|error| !error.is_null())
}

/// A text, in one piece or several.
fn said(value: &Value) -> Result<String, LaneFault> {
    match value {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(pieces) => {
            let texts = pieces.iter().map(|piece| piece.get("text"));
            Ok(texts.filter_map(|text| text?.as_str()).collect())
        }
        _ => Err(malformed(
            "the server's answer has something else where its text should be; check its kind",
        )),
    }
}

/// The usage; nothing if it is zero, since some servers have the fields and do not count.
fn counted(value: &Value, told: &str, said: &str) -> Option<TokenUsage> {
    let count = |field: &str| value.get(field).and_then(Value::as_u64).unwrap_or(0);
    let usage = TokenUsage {
        prompt_tokens: count(told),
        completion_tokens: count(said),
        read_tokens: None,
    };
    (usage != TokenUsage::default()).then_some(usage)
}

fn will_not_answer() -> LaneFault {
    LaneFault::new(
        FailureKind::Empty,
        "the model will not answer, or its server does not let it; ask elsewhere in the file, or use \
         another model",
    )
}

fn missing(field: &str) -> LaneFault {
    malformed(format!(
        "the server's answer has no {field:?}; check that its kind and address are right"
    ))
}

fn malformed(says: impl Into<std::sync::Arc<str>>) -> LaneFault {
    LaneFault::new(FailureKind::MalformedJson, says)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str, end: Option<AnswerEnd>, usage: Option<(u64, u64)>) -> AnswerFrame {
        AnswerFrame {
            text: text.to_owned(),
            end,
            usage: usage.map(|(prompt_tokens, completion_tokens)| TokenUsage {
                prompt_tokens,
                completion_tokens,
                read_tokens: None,
            }),
            ..AnswerFrame::default()
        }
    }

    #[test]
    fn completions_are_read_as_servers_write_them() {
        for (payload, expected) in [
            (
                r#"{"id":"x","object":"text_completion","choices":[{"index":0,"text":"a\n","logprobs":null,"finish_reason":null}],"usage":null}"#,
                frame("a\n", None, None),
            ),
            (
                r#"{"choices":[{"text":"","finish_reason":"stop"}]}"#,
                frame("", Some(AnswerEnd::Own), None),
            ),
            (
                r#"{"choices":[{"text":null,"finish_reason":"length"}]}"#,
                frame("", Some(AnswerEnd::Length), None),
            ),
            (
                r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#,
                frame("", None, Some((3, 2))),
            ),
            (
                r#"{"choices":[{"delta":{"role":"assistant","content":"é"},"finish_reason":null}]}"#,
                frame("é", None, None),
            ),
            (
                r#"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}"#,
                frame("ab", None, None),
            ),
            (
                r#"{"choices":[{"delta":{},"finish_reason":"model_length"}],"usage":{"prompt_tokens":1,"completion_tokens":null}}"#,
                frame("", Some(AnswerEnd::Length), Some((1, 0))),
            ),
            (
                r#"{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}],"usage":{}}"#,
                frame("whole", Some(AnswerEnd::Own), None),
            ),
            (r#"{"usage":{}}"#, frame("", None, None)),
            (
                r#"{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0}}"#,
                frame("", None, None),
            ),
        ] {
            assert_eq!(of_choices(payload), Ok(expected), "{payload}");
        }
    }

    #[test]
    fn infill_is_read_as_llama_cpp_writes_it() {
        for (payload, expected) in [
            (
                r#"{"index":0,"content":"x","tokens":[87],"stop":false,"id_slot":-1,"tokens_predicted":1,"tokens_evaluated":20}"#,
                frame("x", None, Some((20, 1))),
            ),
            (
                r#"{"content":"","stop":true,"stop_type":"eos","tokens_evaluated":20,"tokens_predicted":9}"#,
                frame("", Some(AnswerEnd::Own), Some((20, 9))),
            ),
            (
                r#"{"content":"","stop":true,"stop_type":"limit"}"#,
                frame("", Some(AnswerEnd::Length), None),
            ),
            (
                r#"{"content":"y","stop":true,"stopped_limit":true,"stopped_eos":false}"#,
                frame("y", Some(AnswerEnd::Length), None),
            ),
        ] {
            assert_eq!(of_infill(payload), Ok(expected), "{payload}");
        }
    }

    #[test]
    fn what_was_read_anew_is_heard_where_it_is_said() {
        let reading = r#"{"index":0,"content":"","tokens":[],"stop":false,"id_slot":0,"prompt_progress":{"total":1200,"cache":200,"processed":712,"time_ms":340}}"#;
        let frame = of_infill(reading).unwrap();
        assert_eq!(frame.tokens_to_read(), Some(488));
        let progress = ReadingProgress {
            all_tokens: 1_200,
            cached_tokens: 200,
            read_tokens: 712,
        };
        assert_eq!(frame.reading, Some(progress));
        let last = r#"{"content":"","stop":true,"stop_type":"eos","tokens_evaluated":1200,"tokens_predicted":8,
            "timings":{"cache_n":1150,"prompt_n":50,"prompt_ms":333.5,"predicted_n":8,"predicted_ms":400.0}}"#;
        let frame = of_infill(last).unwrap();
        assert_eq!(frame.tokens_to_read(), None);
        assert_eq!(frame.usage.unwrap().read_tokens, Some(50));
        let timings = frame.timings.unwrap();
        assert_eq!((timings.cached_tokens, timings.read_tokens), (1_150, 50));
        assert_eq!(timings.read_speed().unwrap().round(), 150.0);
        assert_eq!(timings.write_speed().unwrap().round(), 20.0);
        let openai = r#"{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":5}}}"#;
        let usage = of_choices(openai).unwrap().usage.unwrap();
        assert_eq!(usage.read_tokens, Some(2));
        let ollama = r#"{"response":"","done":true,"prompt_eval_count":30,"prompt_eval_duration":200000000,"eval_count":4,"eval_duration":100000000}"#;
        let frame = of_generate(ollama).unwrap();
        assert_eq!(frame.usage.unwrap().read_tokens, None);
        assert_eq!(frame.timings.unwrap().read_speed().unwrap().round(), 150.0);
        for odd in [
            r#"{"content":"","timings":3,"prompt_progress":7}"#,
            r#"{"content":"","timings":{"prompt_n":1,"prompt_ms":-1e300},"prompt_progress":{"total":"x"}}"#,
            r#"{"content":"","prompt_progress":{"total":18446744073709551615,"cache":0,"processed":0}}"#,
            r#"{"content":"","prompt_progress":{"total":18446744073709551615,"cache":18446744073709551615,"processed":18446744073709551615}}"#,
            r#"{"content":"","prompt_progress":{"total":9,"cache":0,"processed":18446744073709551615}}"#,
        ] {
            assert_eq!(of_infill(odd).unwrap().reading, None, "{odd}");
        }
    }

    #[test]
    fn generate_is_read_as_ollama_writes_it() {
        for (payload, expected) in [
            (
                r#"{"model":"m","created_at":"t","response":" a","done":false}"#,
                frame(" a", None, None),
            ),
            (
                r#"{"response":"","done":true,"done_reason":"length","context":[1],"prompt_eval_count":26,"eval_count":290}"#,
                frame("", Some(AnswerEnd::Length), Some((26, 290))),
            ),
            (
                r#"{"response":"","done":true,"eval_count":2}"#,
                frame("", Some(AnswerEnd::Own), Some((0, 2))),
            ),
        ] {
            assert_eq!(of_generate(payload), Ok(expected), "{payload}");
        }
    }

    #[test]
    fn a_model_that_will_not_answer_has_failed() {
        for payload in [
            r#"{"choices":[{"delta":{"refusal":"hunter2"}}]}"#,
            r#"{"choices":[{"message":{"content":null,"refusal":"hunter2"},"finish_reason":"stop"}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"content_filter"}],"usage":{"prompt_tokens":3}}"#,
            r#"{"choices":[{"text":"hunter2","finish_reason":"content_filter"}]}"#,
        ] {
            let fault = of_choices(payload).unwrap_err();
            assert_eq!(fault.failure.kind, FailureKind::Empty, "{payload}");
            assert!(!fault.says.contains("hunter2"), "{fault}");
            assert_eq!(fault.usage.prompt_tokens > 0, payload.contains("usage"));
        }
    }

    #[test]
    fn an_error_inside_of_an_answer_is_the_servers() {
        for payload in [
            r#"{"error":{"message":"out of\nmemory","type":"x","code":500}}"#,
            r#"{"error":"out of memory"}"#,
            r#"{"object":"error","message":"out of memory","code":40303}"#,
        ] {
            for read in [of_choices, of_infill, of_generate] {
                let fault = read(payload).unwrap_err();
                assert_eq!(fault.failure.kind, FailureKind::ServerError);
                assert!(!fault.says.contains("memory"), "{fault}");
            }
        }
    }

    #[test]
    fn what_was_not_agreed_on_is_malformed() {
        for payload in [
            "",
            "null",
            "3",
            "[]",
            "{",
            "{}",
            "\u{0}",
            "{\"error\":null}",
            r#"{"choices":3}"#,
            r#"{"choices":[{}]}"#,
            r#"{"choices":[{"text":3}]}"#,
            r#"{"content":{}}"#,
            r#"{"response":[1],"content":7}"#,
        ] {
            for read in [of_choices, of_infill, of_generate] {
                if let Err(fault) = read(payload) {
                    assert_eq!(fault.failure.kind, FailureKind::MalformedJson, "{payload}");
                }
            }
            assert!(of_choices(payload).is_err(), "{payload}");
            assert!(of_infill(payload).is_err(), "{payload}");
        }
    }

    #[test]
    fn a_fault_does_not_quote_the_answer() {
        let fault = of_choices("{\"choices\": hunter2}").unwrap_err();
        assert!(!fault.says.contains("hunter2"), "{fault}");
    }
}
