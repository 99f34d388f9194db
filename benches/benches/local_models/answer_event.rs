//! One event of a streamed answer of llama.cpp, in any of its dialects: what is read out of it, and what
//! is written into it so that the client sees the speed that is played.

use serde_json::{Map, Value, json};

use crate::speed::Speed;

/// An event.
pub(crate) struct AnswerEvent(Value);

impl AnswerEvent {
    pub(crate) fn new(json: Value) -> Self {
        AnswerEvent(json)
    }

    /// How many tokens of the prompt were read anew, and how many had been kept, once it is read.
    pub(crate) fn prompt(&self) -> Option<PromptTokens> {
        let count = |name: &str| self.0["timings"][name].as_u64().map(|it| it as usize);
        let tokens = PromptTokens {
            read: count("prompt_n")?,
            kept: count("cache_n").unwrap_or_default(),
        };
        self.progress().is_none().then_some(tokens)
    }

    /// How many tokens have been read so far, where it tells of nothing else.
    pub(crate) fn progress(&self) -> Option<usize> {
        let progress = self.0.get("prompt_progress")?;
        let count = |name: &str| progress[name].as_u64().unwrap_or_default();
        Some(count("processed").saturating_sub(count("cache")) as usize)
    }

    /// How many tokens have been written so far.
    pub(crate) fn written(&self) -> usize {
        self.0["timings"]["predicted_n"]
            .as_u64()
            .unwrap_or_default() as usize
    }

    /// What it adds to the answer.
    pub(crate) fn text(&self) -> &str {
        let choice = &self.0["choices"][0];
        let places = [
            &self.0["content"],
            &choice["text"],
            &choice["delta"]["content"],
        ];
        places
            .into_iter()
            .find_map(Value::as_str)
            .unwrap_or_default()
    }

    /// Whether the answer ends here.
    pub(crate) fn is_last(&self) -> bool {
        self.0["stop"] == true || self.0["choices"][0]["finish_reason"].is_string()
    }

    /// Makes it the last one of an answer that was stopped by its time, after so many tokens.
    pub(crate) fn stop_after(&mut self, written: usize) {
        if self.0.get("stop_type").is_some() {
            self.0["stop_type"] = "limit".into();
            self.0["tokens_predicted"] = written.into();
        }
        self.0["timings"]["predicted_n"] = written.into();
    }

    /// Makes it a whole answer, for a client that wants no stream.
    pub(crate) fn say_all(&mut self, text: &str) {
        if self.0.get("content").is_some() {
            self.0["content"] = text.into();
        } else if self.0["choices"][0].get("text").is_some() {
            self.0["choices"][0]["text"] = text.into();
        } else {
            let message = json!({ "role": "assistant", "content": text });
            self.0["choices"][0]["message"] = message;
        }
    }

    /// What the client gets: its times are those of the speed that is played, and it has only the fields
    /// that the client asked for.
    pub(crate) fn for_client(mut self, speed: Speed, request: &ClientWishes) -> Value {
        self.slow_down(speed);
        let is_last = self.is_last();
        let event = &mut self.0;
        if !request.wants_timings && !is_last {
            event.as_object_mut().map(|it| it.remove("timings"));
        }
        match &request.fields {
            Some(fields) if is_last => only(event, fields),
            _ => self.0,
        }
    }

    fn slow_down(&mut self, speed: Speed) {
        let Some((read_speed, write_speed)) = speed.tokens_a_second() else {
            return;
        };
        if let Some(read) = self.progress() {
            let time = read as f64 / read_speed * 1e3;
            self.0["prompt_progress"]["time_ms"] = json!(time as u64);
        }
        let Some(timings) = self.0.get_mut("timings").and_then(Value::as_object_mut) else {
            return;
        };
        for (phase, speed) in [("prompt", read_speed), ("predicted", write_speed)] {
            let count = timings.get(&format!("{phase}_n")).and_then(Value::as_f64);
            let of_one = 1e3 / speed;
            let all = count.unwrap_or_default() * of_one;
            timings.insert(format!("{phase}_ms"), json!(all));
            timings.insert(format!("{phase}_per_token_ms"), json!(of_one));
            timings.insert(format!("{phase}_per_second"), json!(speed));
        }
    }
}

/// How long a prompt is, in tokens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PromptTokens {
    pub(crate) read: usize,
    pub(crate) kept: usize,
}

/// What a client asked for that the server is not told, because the proxy does it.
pub(crate) struct ClientWishes {
    pub(crate) wants_stream: bool,
    pub(crate) wants_timings: bool,
    /// How long it may write in milliseconds, once it has written the end of a line.
    pub(crate) longest_writing: Option<u64>,
    pub(crate) fields: Option<Vec<String>>,
}

impl ClientWishes {
    /// Takes them out of a request, and makes the server tell what the proxy needs to know. Answers are
    /// the same in every run.
    pub(crate) fn take(request: &mut Value) -> Option<ClientWishes> {
        let body = request.as_object_mut()?;
        let is_set = |value: Option<Value>| value == Some(Value::Bool(true));
        let fields = body.remove("response_fields");
        let fields = fields.and_then(|it| serde_json::from_value(it).ok());
        let longest_writing = body.remove("t_max_predict_ms");
        let wishes = ClientWishes {
            wants_stream: is_set(body.remove("stream")),
            wants_timings: is_set(body.remove("timings_per_token")),
            longest_writing: longest_writing
                .and_then(|it| it.as_u64())
                .filter(|it| *it > 0),
            fields: fields.filter(|it: &Vec<String>| !it.is_empty()),
        };
        body.insert("stream".to_owned(), true.into());
        body.insert("timings_per_token".to_owned(), true.into());
        body.entry("seed").or_insert(1.into());
        Some(wishes)
    }
}

/// Some fields of an answer by their paths, as the server itself picks them: each under its last name.
fn only(answer: &Value, paths: &[String]) -> Value {
    let mut some = Map::new();
    for path in paths {
        let found = path
            .split('/')
            .try_fold(answer, |value, name| value.get(name));
        let name = path.rsplit('/').next().unwrap_or_default();
        if let Some(found) = found {
            some.insert(name.to_owned(), found.clone());
        }
    }
    Value::Object(some)
}
