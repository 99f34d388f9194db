//! A server of llama.cpp's that fills in what a script says, for tests that are not written in Rust.
//!
//! The script is the list that the language server's own scripts are: the first entry whose `after` is
//! what the text before the cursor ends with is the answer. It comes in a few pieces, `delayMs` after it
//! was asked for. Where no entry fits, the model has nothing to say.
//!
//! With `readTokens` the server reads so many tokens in that time, and says how far it is four times a second,
//! as llama.cpp does after every batch. Pieces of such an answer come as slowly, and at the end it says how
//! long reading took.
//!
//! An entry with `replace` is for a next edit, which is asked at `/completion` in the format `zeta-2`: where the prompt
//! has `after` ahead of the lines that are to be rewritten, and those have `replace`, they come back with `insert` in
//! its place. Otherwise there is nothing to change. So the model knows what the person does next.
//!
//! The question of `foretell doctor` is filled in as well, so that it is content.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{ReceivedRequest, ScriptedAnswer};

/// Into about how many pieces an answer is cut.
const PIECES: usize = 3;

/// How long a server that reads takes for a batch.
const BATCH: Duration = Duration::from_millis(250);

/// Where the lines that are to be rewritten are in a prompt, and the end of an answer.
const REGION_BEGINS: &str = "<<<<<<< CURRENT\n";
const REGION_ENDS: &str = "\n=======\n";
const REWRITTEN: &str = "\n>>>>>>> UPDATED\n";
const CURSOR: &str = "<|user_cursor|>";

/// How much of the text before the cursor is told of a request, in characters.
const TOLD: usize = 20;

/// The texts to fill in, and where.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct FillIn {
    entries: Vec<FillInEntry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FillInEntry {
    after: String,
    insert: String,
    /// For next edits: what `insert` takes the place of.
    replace: Option<String>,
    #[serde(default)]
    delay_ms: u64,
    #[serde(default)]
    read_tokens: u64,
}

impl FillInEntry {
    /// How long it takes until the first word.
    fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    /// How far the server has read at each batch, before the first one and behind the last one, too; nothing if
    /// it does not say that it reads.
    fn progress(&self) -> Vec<Value> {
        if self.read_tokens == 0 {
            return Vec::new();
        }
        let batches = self.delay().as_millis().div_ceil(BATCH.as_millis());
        let progress = (0..=batches).map(|batch| {
            let processed = u128::from(self.read_tokens) * batch / batches.max(1);
            let processed = u64::try_from(processed).unwrap_or(u64::MAX);
            json!({ "total": self.read_tokens, "cache": 0, "processed": processed })
        });
        progress
            .map(|it| json!({ "content": "", "stop": false, "prompt_progress": it }))
            .collect()
    }
}

impl FillIn {
    /// The script that a JSON text is.
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        let mut script: FillIn = serde_json::from_str(json)?;
        script.entries.push(FillInEntry {
            after: "def area(".to_owned(),
            insert: "width, height".to_owned(),
            replace: None,
            delay_ms: 0,
            read_tokens: 0,
        });
        Ok(script)
    }

    /// The answer to a request.
    pub fn answer(&self, request: &ReceivedRequest) -> ScriptedAnswer {
        match (request.method.as_str(), request.path.as_str()) {
            ("POST", "/infill") => match prefix(request) {
                Some(prefix) => self.fill_in(&prefix),
                None => refusal(400, "\"input_prefix\" is required"),
            },
            ("POST", "/completion") => match prompt(request) {
                Some(prompt) => self.rewrite(&prompt),
                None => refusal(400, "\"prompt\" is required"),
            },
            ("GET", "/health") => ScriptedAnswer::json(json!({ "status": "ok" }).to_string()),
            ("GET", "/props") => {
                let props = json!({ "model_path": "script.gguf", "total_slots": 1 });
                ScriptedAnswer::json(props.to_string())
            }
            ("GET", "/v1/models") => {
                let models = json!({ "object": "list", "data": [{ "id": "script.gguf" }] });
                ScriptedAnswer::json(models.to_string())
            }
            _ => refusal(404, "File Not Found"),
        }
    }

    fn fill_in(&self, prefix: &str) -> ScriptedAnswer {
        let mut entries = self.entries.iter().filter(|it| it.replace.is_none());
        let entry = entries.find(|it| prefix.ends_with(&it.after));
        said(entry, entry.map_or("", |it| &it.insert), prefix.len())
    }

    /// What becomes of the lines that a model for next edits is to rewrite.
    fn rewrite(&self, prompt: &str) -> ScriptedAnswer {
        let (ahead, behind) = prompt.split_once(REGION_BEGINS).unwrap_or_default();
        let (region, _) = behind.split_once(REGION_ENDS).unwrap_or_default();
        let region = region.replace(CURSOR, "");
        let new = |entry: &FillInEntry| {
            let replace = entry.replace.as_deref()?;
            let is_meant = ahead.contains(&entry.after) && region.contains(replace);
            is_meant.then(|| region.replacen(replace, &entry.insert, 1))
        };
        let mut entries = self.entries.iter();
        let found = entries.find_map(|entry| Some((entry, new(entry)?)));
        match found {
            Some((entry, new)) => said(Some(entry), &(new + REWRITTEN), prompt.len()),
            None => said(None, &["NO_EDITS", REWRITTEN].concat(), prompt.len()),
        }
    }
}

/// An answer in a few pieces, as an entry has it.
fn said(entry: Option<&FillInEntry>, insert: &str, told: usize) -> ScriptedAnswer {
    let progress = entry.map_or_else(Vec::new, FillInEntry::progress);
    let letters: Vec<char> = insert.chars().collect();
    let pieces = letters.chunks(letters.len().div_ceil(PIECES).max(1));
    let pieces = pieces.map(|it| json!({ "content": String::from_iter(it), "stop": false }));
    let mut last = json!({
        "content": "",
        "stop": true,
        "stop_type": "eos",
        "tokens_evaluated": told / 4,
        "tokens_predicted": insert.len() / 4,
    });
    let reads = entry.filter(|it| it.read_tokens > 0);
    if let Some(entry) = reads {
        last["timings"] = json!({ "prompt_n": entry.read_tokens, "prompt_ms": entry.delay_ms });
    }
    let events = progress.into_iter().chain(pieces).chain([last]);
    let answer = ScriptedAnswer::events_without_done(events.map(|it| it.to_string()));
    match reads {
        Some(_) => answer.every(BATCH),
        None => answer.after(entry.map_or(Duration::ZERO, FillInEntry::delay)),
    }
}

/// A request in one line: its method, its path, and the end of the text before the cursor as JSON, which
/// is `null` if it has none.
pub fn told(request: &ReceivedRequest) -> String {
    let end = prefix(request).map(|prefix| {
        let skipped = prefix.chars().count().saturating_sub(TOLD);
        prefix.chars().skip(skipped).collect::<String>()
    });
    format!("{} {} {}", request.method, request.path, json!(end))
}

/// The text before the cursor.
fn prefix(request: &ReceivedRequest) -> Option<String> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    // What was typed last comes apart from what stands above it.
    let typed = body.get("prompt").and_then(Value::as_str);
    let prefix = body.get("input_prefix")?.as_str()?;
    Some([prefix, typed.unwrap_or_default()].concat())
}

/// The prompt of a model for next edits.
fn prompt(request: &ReceivedRequest) -> Option<String> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    Some(body.get("prompt")?.as_str()?.to_owned())
}

fn refusal(status: u16, says: &str) -> ScriptedAnswer {
    let error = json!({ "error": { "code": status, "message": says } });
    ScriptedAnswer::status(status).body(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;
    use crate::model_server::ModelServer;

    fn asked(method: &str, path: &str, body: &Value) -> ReceivedRequest {
        ReceivedRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            body: body.to_string().into_bytes(),
            ..ReceivedRequest::default()
        }
    }

    /// All that a server with a script says to a request before the client is satisfied.
    fn heard(script: &str, request: &ReceivedRequest) -> String {
        let script = FillIn::from_json(script).unwrap();
        let server = ModelServer::start_with(move |_, request| script.answer(request));
        let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        let ReceivedRequest { method, path, .. } = request;
        let length = request.body.len();
        let head = format!("{method} {path} HTTP/1.1\r\ncontent-length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&request.body).unwrap();
        let mut heard = Vec::new();
        let is_over = |heard: &[u8]| heard.ends_with(b"0\r\n\r\n") || heard.ends_with(b"}");
        while !is_over(&heard) {
            let mut some = [0; 1024];
            let count = stream.read(&mut some).unwrap();
            assert_ne!(count, 0, "it goes on until it is over");
            heard.extend_from_slice(&some[..count]);
        }
        String::from_utf8(heard).unwrap()
    }

    /// The pieces of what was filled in.
    fn pieces(heard: &str) -> Vec<String> {
        let data = heard.lines().filter_map(|it| it.strip_prefix("data: "));
        let data = data.map(|it| serde_json::from_str::<Value>(it).unwrap());
        data.map(|it| it["content"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn the_first_entry_that_fits_is_said_in_a_few_pieces() {
        let script =
            r#"[{"after": "let x", "insert": " = größe;"}, {"after": "x", "insert": "y"}]"#;
        let fill = |prefix: &str| {
            let body = json!({ "input_prefix": prefix, "input_suffix": "", "stream": true });
            pieces(&heard(script, &asked("POST", "/infill", &body)))
        };
        assert_eq!(fill("fn main() {\n    let x"), [" = ", "grö", "ße;", ""]);
        assert_eq!(fill("x"), ["y", ""]);
        assert_eq!(fill("z"), [""], "nothing is an answer");
        assert_eq!(fill("def area(").concat(), "width, height");
    }

    #[test]
    fn lines_come_back_with_the_next_edit_once_there_is_a_reason_for_it() {
        let script = r#"[{"after": "+let b", "replace": "f(a)", "insert": "f(b)<|user_cursor|>"}]"#;
        let rewrite = |history: &str, region: &str| {
            let prompt = format!("{history}<<<<<<< CURRENT\n{region}\n=======\n<[fim-middle]>");
            let body = json!({ "prompt": prompt, "stream": true });
            pieces(&heard(script, &asked("POST", "/completion", &body))).concat()
        };
        let said = rewrite("-let a\n+let b\n", "g();\nf(<|user_cursor|>a);");
        assert_eq!(said, "g();\nf(b)<|user_cursor|>;\n>>>>>>> UPDATED\n");
        for (history, region) in [("", "f(a)"), ("+let b\n", "g()")] {
            assert_eq!(rewrite(history, region), "NO_EDITS\n>>>>>>> UPDATED\n");
        }
    }

    #[test]
    fn a_server_that_reads_says_how_far_it_is_before_the_first_word() {
        let script = r#"[{"after": "x", "insert": "y", "readTokens": 900, "delayMs": 750}]"#;
        let body = json!({ "input_prefix": "x", "input_suffix": "", "stream": true });
        let heard = heard(script, &asked("POST", "/infill", &body));
        let data = heard.lines().filter_map(|it| it.strip_prefix("data: "));
        let frames: Vec<Value> = data.map(|it| serde_json::from_str(it).unwrap()).collect();
        let read = frames
            .iter()
            .map(|it| it["prompt_progress"]["processed"].as_u64());
        let read: Vec<Option<u64>> = read.collect();
        assert_eq!(read, [Some(0), Some(300), Some(600), Some(900), None, None]);
        assert_eq!(frames[4]["content"], "y");
        assert_eq!(
            frames[5]["timings"],
            json!({ "prompt_n": 900, "prompt_ms": 750 })
        );
    }

    #[test]
    fn what_is_asked_besides_has_an_answer() {
        let table = [
            ("GET", "/health", "200", r#""ok""#),
            ("GET", "/props", "200", "total_slots"),
            ("GET", "/v1/models", "200", "script.gguf"),
            ("GET", "/elsewhere", "404", "Not Found"),
            ("POST", "/infill", "400", "input_prefix"),
        ];
        for (method, path, status, says) in table {
            let heard = heard("[]", &asked(method, path, &json!({})));
            assert!(heard.starts_with(&format!("HTTP/1.1 {status} ")), "{heard}");
            assert!(heard.contains(says), "{heard}");
        }
    }

    #[test]
    fn a_request_is_told_in_one_line() {
        let body = json!({ "input_prefix": "0123456789\n0123456789ä\"" });
        let line = told(&asked("POST", "/infill", &body));
        assert_eq!(line, r#"POST /infill "3456789\n0123456789ä\"""#);
        let line = told(&asked("GET", "/health", &json!(null)));
        assert_eq!(line, "GET /health null");
    }

    #[test]
    fn what_is_no_script_is_refused() {
        for wrong in [
            "",
            "{}",
            r#"[{"after": ""}]"#,
            r#"[{"after":"","insert":"","delay":1}]"#,
        ] {
            assert!(FillIn::from_json(wrong).is_err(), "{wrong}");
        }
    }
}
