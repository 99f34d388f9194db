//! What is left of a perfect model, by the time its suggestion is in the document.
//!
//! A scripted server stands for a model that was trained for next edits and always knows what the person did
//! next: it reads the region out of the prompt, and answers in the model's own words. Everything else is real:
//! the server that an editor starts, its history, prompts, readers, filters. Where the text in the end is not
//! exactly the one that the person came to, it is our fault and not a model's.
//!
//! The examples are real changes of other projects. They are no part of this one: `TEST_FORETELL_TRACES` says
//! where they are, and without them this test says that it was left out.
#![allow(
    clippy::print_stdout,
    clippy::string_slice,
    reason = "the table is worth seeing, and a test may stop at what it did not expect"
)]

#[path = "support/server.rs"]
#[allow(dead_code, reason = "how a server ends is for other tests")]
mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer, said_text};
use serde_json::{Value, json};

use server::Server;

/// What the person is at, and what the text is to become.
#[derive(Clone, Debug, Default)]
struct Wanted {
    now: String,
    then: String,
    /// What the model has said to that, if it was in the region.
    said: Option<String>,
}

/// An example: documents with the changes made in them, the cursor, and what was done next.
struct Example {
    name: String,
    events: Vec<Value>,
    expected: Value,
}

fn examples() -> Option<Vec<Example>> {
    let traces = std::env::var_os("TEST_FORETELL_TRACES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces"),
        PathBuf::from,
    );
    let directory = traces.join("next-edit");
    let Ok(files) = fs::read_dir(directory) else {
        println!("left out: there are no recorded examples; TEST_FORETELL_TRACES may say where");
        return None;
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let examples = files.iter().filter_map(|file| {
        let read = fs::read_to_string(file).expect("a trace");
        let lines = read
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        let lines: Vec<Value> = lines.collect();
        let is_right = |line: &&Value| {
            let is_next = line["event"] == "expect" && line["rank"] != "bad";
            is_next && line["changes"].as_array().is_some_and(|it| !it.is_empty())
        };
        let expected = lines.iter().find(is_right)?.clone();
        let events = lines.into_iter().filter(|line| line["event"] != "expect");
        let name = file.file_stem()?.to_string_lossy().into_owned();
        Some(Example {
            name,
            events: events.collect(),
            expected,
        })
    });
    Some(examples.collect())
}

/// The place in a text of an offset in UTF-16 units.
fn byte_at(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(c.len_utf16());
    }
    text.len()
}

/// The line and the column of a place, as editors count.
fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

fn place(text: &str, position: &Value) -> usize {
    let number =
        |name: &str| usize::try_from(position[name].as_u64().expect("a number")).expect("small");
    let mut start = 0;
    for _ in 0..number("line") {
        start += text[start..].find('\n').expect("a line") + 1;
    }
    start + byte_at(&text[start..], number("character"))
}

fn changed(text: &str, changes: &Value) -> String {
    let mut changed = text.to_owned();
    for change in changes.as_array().expect("changes").iter().rev() {
        let number =
            |name: &str| usize::try_from(change[name].as_u64().expect("a number")).expect("small");
        let start = byte_at(text, number("at"));
        let end = byte_at(text, number("at") + number("delete"));
        changed.replace_range(start..end, change["insert"].as_str().expect("text"));
    }
    changed
}

/// Where two texts differ: in the first, and how much of its end is the same.
fn difference(now: &str, then: &str) -> (usize, usize) {
    let pairs = now.char_indices().zip(then.chars());
    let start = pairs
        .take_while(|((_, a), b)| a == b)
        .map(|((at, a), _)| at + a.len_utf8());
    let start = start.last().unwrap_or(0);
    let ends = now[start..].chars().rev().zip(then[start..].chars().rev());
    let end = ends
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum::<usize>();
    (start, now.len() - end)
}

/// A part of a prompt.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.rfind(start).expect("the start of the region") + start.len();
    let to = text[from..].find(end).expect("the end of the region");
    &text[from..from + to]
}

/// What the person makes of a region, if what they do next is in it.
///
/// What reaches to the end of the region may go on below it, so that no model knows.
fn perfected(wanted: &Wanted, region: &str) -> Option<String> {
    let (now, then) = (
        wanted.now.replace("\r\n", "\n"),
        wanted.then.replace("\r\n", "\n"),
    );
    let (start, end) = difference(&now, &then);
    let mut found = now.match_indices(region);
    let is_within = |at: usize| {
        let region_end = at + region.trim_end().len();
        let is_at_end = region_end >= now.trim_end().len();
        at <= start && (end < region_end || is_at_end && end <= at + region.len())
    };
    let at = found.find(|(at, _)| is_within(*at))?.0;
    let behind = now.len() - (at + region.len());
    Some(then[at..then.len() - behind].to_owned())
}

/// What the model of a format says to a prompt.
fn answer(format: &str, wanted: &Wanted, prompt: &str) -> String {
    match format {
        "zeta-2.1" => marked_answer(wanted, prompt),
        "zeta-2" => {
            let region = between(prompt, "<<<<<<< CURRENT\n", "\n=======\n<[fim-middle]>");
            let new = perfected(wanted, &region.replace("<|user_cursor|>", ""));
            new.map_or("NO_EDITS\n>>>>>>> UPDATED\n".to_owned(), |new| {
                new + "\n>>>>>>> UPDATED\n"
            })
        }
        "mercury" => {
            let region = between(prompt, "<|code_to_edit|>\n", "\n<|/code_to_edit|>");
            let new = perfected(wanted, &region.replace("<|cursor|>", ""));
            new.map_or("None".to_owned(), |new| format!("```\n{new}\n```"))
        }
        _ => {
            let current = between(prompt, "<|file_sep|>current/", "\n<|file_sep|>updated/");
            let region = current
                .split_once('\n')
                .expect("a heading")
                .1
                .replace("<|cursor|>", "");
            let new = perfected(wanted, &region).unwrap_or(region);
            let begun = prompt
                .rsplit_once("<|file_sep|>updated/")
                .expect("a heading")
                .1;
            let begun = begun.split_once('\n').expect("a heading").1;
            new.strip_prefix(begun).unwrap_or(&new).to_owned() + "\n"
        }
    }
}

/// The blocks that change, between their markers.
fn marked_answer(wanted: &Wanted, prompt: &str) -> String {
    let prompt = prompt.replace("<|user_cursor|>", "");
    let region = between(&prompt, "<|marker_1|>", "\n<[fim-middle]>");
    let (mut plain, mut offsets, mut rest) = (String::new(), vec![0], region);
    while let Some((block, behind)) = rest.split_once("<|marker_") {
        plain.push_str(block);
        offsets.push(plain.len());
        rest = behind.split_once("|>").expect("a whole marker").1;
    }
    let Some(new) = perfected(wanted, &plain).filter(|new| *new != plain) else {
        return "<|marker_1|><|marker_1|>".to_owned();
    };
    let (start, end) = difference(&plain, &new);
    let first = offsets
        .iter()
        .rposition(|at| *at <= start)
        .unwrap_or(0)
        .min(offsets.len() - 2);
    let last = offsets
        .iter()
        .position(|at| *at >= end && *at > offsets[first]);
    let last = last.expect("the last marker is at the end");
    let said = &new[offsets[first]..new.len() - (plain.len() - offsets[last])];
    // The line end behind the region is nobody's: one of the region's own is told by another.
    let is_blank_end = last + 1 == offsets.len() && said.ends_with('\n');
    let said = if is_blank_end {
        format!("{said}\n")
    } else {
        said.to_owned()
    };
    format!("<|marker_{}|>{said}<|marker_{}|>", first + 1, last + 1)
}

/// A model server that knows what is wanted.
fn perfect_server(format: &'static str, wanted: &Arc<Mutex<Wanted>>) -> ModelServer {
    let wanted = Arc::clone(wanted);
    ModelServer::start_with(move |_, request| {
        let Some(prompt) = said_text::prompt_of(request) else {
            // What kind of server this is, and what is loaded there.
            return ScriptedAnswer::status(404);
        };
        let mut wanted = wanted.lock().expect("nothing broke");
        let said = answer(format, &wanted, &prompt);
        let is_quiet = [
            "NO_EDITS\n>>>>>>> UPDATED\n",
            "None",
            "<|marker_1|><|marker_1|>",
        ];
        let told = prompt.replace("<|cursor|>", "");
        let region = said.strip_suffix('\n').unwrap_or(&said);
        let is_same = told.contains(&format!("\n{region}\n<|file_sep|>updated/"));
        let has_said = !is_quiet.contains(&&*said) && !is_same;
        wanted.said = has_said.then(|| said.clone());
        let answer = said_text::answer_of(request, &said);
        answer.unwrap_or_else(|| ScriptedAnswer::status(404))
    })
}

/// An editor in front of the server.
struct Editor {
    server: Server,
    last_id: u32,
    documents: BTreeMap<String, (String, i64)>,
    wanted: Arc<Mutex<Wanted>>,
}

impl Editor {
    fn start(way: AskedWay, url: &str, wanted: &Arc<Mutex<Wanted>>) -> Editor {
        let AskedWay { format, kind, room } = way;
        let mut settings = vec![
            format!("lanes.nextEdit.kind={kind}"),
            format!("lanes.nextEdit.url={url}"),
            format!("lanes.nextEdit.format={format}"),
            "lanes.nextEdit.model=perfect".to_owned(),
            "lanes.nextEdit.ahead=never".to_owned(),
            "lanes.nextEdit.firstByteMs=60000".to_owned(),
            "race.explicitCapMs=120000".to_owned(),
            "lanes.fim.enabled=false".to_owned(),
            "lanes.fix.enabled=false".to_owned(),
            "context.enabled=false".to_owned(),
            "index.enabled=false".to_owned(),
        ];
        if room == AnswerRoom::Whole {
            settings.push("lanes.nextEdit.maxTokens=8000".to_owned());
            settings.push("lanes.nextEdit.maxLines=100".to_owned());
        }
        let arguments: Vec<&str> = settings.iter().flat_map(|it| ["--set", it]).collect();
        Editor {
            server: Server::ready(&arguments),
            last_id: 1,
            documents: BTreeMap::new(),
            wanted: Arc::clone(wanted),
        }
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.server
            .say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn open(&mut self, event: &Value) {
        let (uri, text) = (
            event["doc"].as_str().expect("a URI"),
            event["text"].as_str(),
        );
        let text = text.expect("a text").to_owned();
        let document =
            json!({ "uri": uri, "languageId": event["language"], "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        self.documents.insert(uri.to_owned(), (text, 1));
    }

    /// Changes a document in one stretch after the other.
    fn change(&mut self, uri: &str, changes: &Value) {
        let (mut text, version) = self.documents[uri].clone();
        let whole = text.clone();
        let mut told = Vec::new();
        for change in changes.as_array().expect("changes").iter().rev() {
            let number = |name: &str| {
                usize::try_from(change[name].as_u64().expect("a number")).expect("small")
            };
            let start = byte_at(&whole, number("at"));
            let end = byte_at(&whole, number("at") + number("delete"));
            let range = json!({ "start": position(&text, start), "end": position(&text, end) });
            told.push(json!({ "range": range, "text": change["insert"] }));
            text.replace_range(start..end, change["insert"].as_str().expect("text"));
        }
        let document = json!({ "uri": uri, "version": version + 1 });
        let params = json!({ "textDocument": document, "contentChanges": told });
        self.notify("textDocument/didChange", &params);
        self.documents.insert(uri.to_owned(), (text, version + 1));
    }

    /// The next edits at a place of a document, as places and texts.
    fn ask(&mut self, uri: &str, at: usize, then: &str) -> Vec<NextEdit> {
        let (text, version) = self.documents[uri].clone();
        *self.wanted.lock().expect("nothing broke") = Wanted {
            now: text.clone(),
            then: then.to_owned(),
            said: None,
        };
        self.last_id += 1;
        let id = self.last_id;
        let params = json!({
            "textDocument": { "uri": uri, "version": version },
            "position": position(&text, at),
            "context": { "triggerKind": 1 },
        });
        self.server
            .ask(id, "textDocument/copilotInlineEdit", params);
        let answer = loop {
            let heard = self.server.hear();
            if heard["id"] == id && heard.get("method").is_none() {
                break heard;
            }
        };
        let edits = answer["result"]["edits"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let edits = edits
            .iter()
            .filter(|edit| edit["textDocument"]["uri"] == uri);
        let edits = edits.map(|edit| NextEdit {
            start: place(&text, &edit["range"]["start"]),
            end: place(&text, &edit["range"]["end"]),
            new: edit["text"].as_str().expect("text").to_owned(),
            command: edit["command"].clone(),
        });
        edits.collect()
    }

    /// Accepts a suggestion as editors do: it is put in, and its command is run.
    fn accept(&mut self, uri: &str, edit: &NextEdit) {
        let (text, version) = self.documents[uri].clone();
        let NextEdit {
            start, end, new, ..
        } = edit;
        let range = json!({ "start": position(&text, *start), "end": position(&text, *end) });
        let document = json!({ "uri": uri, "version": version + 1 });
        let params = json!({ "textDocument": document,
            "contentChanges": [{ "range": range, "text": new }] });
        self.notify("textDocument/didChange", &params);
        let mut text = text;
        text.replace_range(*start..*end, new);
        self.documents.insert(uri.to_owned(), (text, version + 1));
        self.last_id += 1;
        let id = self.last_id;
        let command = json!({
            "command": edit.command["command"],
            "arguments": edit.command["arguments"],
        });
        self.server.ask(id, "workspace/executeCommand", command);
        while self.server.hear()["id"] != id {}
    }

    /// What the server says of its latest decision.
    fn why(&mut self) -> String {
        self.last_id += 1;
        let id = self.last_id;
        self.server.ask(id, "foretell/why", json!({}));
        loop {
            let heard = self.server.hear();
            if heard["id"] == id && heard.get("method").is_none() {
                let decisions = heard["result"]["decisions"].as_array();
                return decisions
                    .and_then(|it| it.first())
                    .unwrap_or(&heard)
                    .to_string();
            }
        }
    }

    fn close_all(&mut self) {
        for (uri, _) in std::mem::take(&mut self.documents) {
            self.notify(
                "textDocument/didClose",
                &json!({ "textDocument": { "uri": uri } }),
            );
        }
    }
}

/// A suggestion of the server's.
#[derive(Debug)]
struct NextEdit {
    start: usize,
    end: usize,
    new: String,
    command: Value,
}

/// How the person comes to what they did next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// By one suggestion, where the cursor was.
    AtOnce,
    /// By one suggestion, where they went.
    AtThePlace,
    /// By several.
    InSteps,
    /// Not at all, since it is larger than what the model may change.
    TooLarge,
    /// Not at all, since it puts in more lines at once than the settings allow.
    TooManyLines,
    /// Not at all, since nothing but white space is to be changed, which is never suggested.
    OnlySpace,
    /// Not at all.
    Lost,
}

/// How many lines `lanes.nextEdit.maxLines` lets a suggestion put in if nobody says another number.
const DEFAULT_LINES: usize = 20;

/// How many suggestions an example may take.
const MOST_STEPS: usize = 40;

fn play(editor: &mut Editor, example: &Example, room: AnswerRoom) -> Way {
    let mut cursor = (String::new(), 0);
    for event in &example.events {
        let uri = event["doc"].as_str().unwrap_or_default().to_owned();
        match event["event"].as_str() {
            Some("open") => editor.open(event),
            Some("edit") => {
                editor.change(&uri, &event["changes"]);
                let text = &editor.documents[&uri].0;
                let last = event["changes"].as_array().and_then(|it| it.last());
                let at = last.and_then(|it| it["at"].as_u64()).unwrap_or_default();
                cursor = (uri, byte_at(text, usize::try_from(at).expect("small")));
            }
            Some("select") => {
                let text = &editor.documents[&uri].0;
                let at = event["selections"][0][1].as_u64().unwrap_or_default();
                cursor = (uri, byte_at(text, usize::try_from(at).expect("small")));
            }
            _ => {}
        }
    }
    let uri = example.expected["doc"].as_str().expect("a URI").to_owned();
    let then = changed(&editor.documents[&uri].0, &example.expected["changes"]);
    let says = |text: &str| text.split_whitespace().collect::<String>();
    if says(&editor.documents[&uri].0) == says(&then) {
        return Way::OnlySpace;
    }
    let (mut steps, mut is_at_cursor) = (0, true);
    let mut at = (cursor.0 == uri).then_some(cursor.1);
    loop {
        let now = editor.documents[&uri].0.clone();
        // Blank lines at the end of a file are nobody's.
        if now.trim_end() == then.trim_end() {
            return match (steps, is_at_cursor) {
                (1, true) => Way::AtOnce,
                (1, false) => Way::AtThePlace,
                _ => Way::InSteps,
            };
        }
        let (place, _) = difference(&now, &then);
        let has_gone = at.is_none();
        let edits = editor.ask(&uri, at.unwrap_or(place), &then);
        is_at_cursor &= !has_gone;
        match edits.first() {
            Some(edit) if steps < MOST_STEPS => {
                editor.accept(&uri, edit);
                steps += 1;
                at = Some(edit.start + edit.new.len());
            }
            // The person goes where they want to change something, once.
            None if !has_gone => at = None,
            _ => {
                let said = editor.wanted.lock().expect("nothing broke").said.clone();
                if said.is_none() {
                    return Way::TooLarge;
                }
                let more = then.lines().count().saturating_sub(now.lines().count());
                if room == AnswerRoom::Default && more > DEFAULT_LINES {
                    return Way::TooManyLines;
                }
                let why = editor.why();
                println!(
                    "{}: after {steps} steps: {said:?} came to {edits:?}: {why}",
                    example.name
                );
                return Way::Lost;
            }
        }
    }
}

/// How a model is asked.
#[derive(Clone, Copy, Debug)]
struct AskedWay {
    format: &'static str,
    kind: &'static str,
    room: AnswerRoom,
}

/// How long an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerRoom {
    /// As long as any of the regions.
    Whole,
    /// As long as settings say that are left alone.
    Default,
}

/// The formats, with the kind of server that most people have for it.
const FORMATS: [(&str, &str); 5] = [
    ("zeta-2.1", "openai"),
    ("zeta-2", "openai"),
    ("sweep", "openai"),
    ("sweep-v2", "openai"),
    ("mercury", "mercury"),
];

/// Plays examples with a perfect model. Gives those that came to something else, by name.
fn played<'e>(way: AskedWay, examples: impl Iterator<Item = &'e Example>) -> Vec<String> {
    let AskedWay { format, kind, room } = way;
    let wanted = Arc::default();
    let model = perfect_server(format, &wanted);
    let mut editor = Editor::start(way, &model.url(), &wanted);
    let mut ways: BTreeMap<Way, usize> = BTreeMap::new();
    let (mut count, mut lost) = (0, Vec::new());
    for example in examples {
        count += 1;
        let way = play(&mut editor, example, room);
        editor.close_all();
        *ways.entry(way).or_default() += 1;
        if way == Way::Lost {
            lost.push(format!("{format} over {kind}: {}", example.name));
        }
    }
    // What is larger than a region, and what is only space, is nobody's to be right about: it is told apart.
    let of = |way: Way| ways.get(&way).copied().unwrap_or_default();
    let left_out = [Way::TooLarge, Way::TooManyLines, Way::OnlySpace].map(of);
    let asked = count - left_out.iter().sum::<usize>();
    println!(
        "{format:<9} {kind:<12} {room:?}: right {} of {asked}: {ways:?}; left out: {} too large for the region, {} too many lines, {} only space",
        asked - of(Way::Lost),
        left_out[0],
        left_out[1],
        left_out[2],
    );
    lost
}

#[test]
fn a_perfect_model_is_exactly_right_in_every_format() {
    let Some(examples) = examples() else {
        return;
    };
    let room = AnswerRoom::Whole;
    let lost =
        FORMATS.map(|(format, kind)| played(AskedWay { format, kind, room }, examples.iter()));
    let lost = lost.concat();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn it_is_so_with_settings_that_are_left_alone() {
    let Some(examples) = examples() else {
        return;
    };
    let room = AnswerRoom::Default;
    let lost =
        FORMATS.map(|(format, kind)| played(AskedWay { format, kind, room }, examples.iter()));
    let lost = lost.concat();
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// Which examples are played with the other kinds of servers: the way there and back is the same for all.
const EVERY: usize = 12;

#[test]
fn it_is_so_over_every_kind_of_server_that_takes_the_format() {
    let Some(examples) = examples() else {
        return;
    };
    let kinds = |format: &str| match format {
        "mercury" => &["openai-chat"][..],
        _ => &["llama-cpp", "ollama"],
    };
    let room = AnswerRoom::Whole;
    let mut lost = Vec::new();
    for (format, _) in FORMATS {
        for kind in kinds(format) {
            let way = AskedWay { format, kind, room };
            lost.extend(played(way, examples.iter().step_by(EVERY)));
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}
