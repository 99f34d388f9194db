//! What clients do, one step after the other, as a seed has it.
//!
//! Most of it makes sense by itself and not together: documents are closed that were never opened,
//! names are used twice, and answers come to nothing. There are few names and few places, so that
//! things meet.

use lsp_server::RequestId;
use serde_json::{Value, json};

use crate::random::Random;

/// Something a client does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Initialize {
        id: RequestId,
        params: Value,
    },
    /// Asks for suggestions, which come in a field.
    Suggest {
        id: RequestId,
        method: &'static str,
        field: &'static str,
        params: Value,
    },
    Context {
        id: RequestId,
        params: Value,
    },
    /// Asks what the server knows of itself, by a method or by its command, or tells it what to remember.
    /// The answer has a field.
    Question {
        id: RequestId,
        method: &'static str,
        field: &'static str,
        params: Value,
    },
    /// Runs a command about what was suggested last.
    Accept {
        id: RequestId,
        command: &'static str,
    },
    /// Says what became of what was suggested last, and wants to have been heard.
    Report {
        id: RequestId,
        method: &'static str,
    },
    /// Asks for what it cannot get.
    Malformed {
        id: RequestId,
        method: &'static str,
        params: Value,
    },
    Unknown {
        id: RequestId,
    },
    Shutdown {
        id: RequestId,
    },
    Cancel {
        id: RequestId,
    },
    /// Changes a document, to the next version if it names none.
    Change {
        params: Value,
    },
    /// Says what became of what was suggested last.
    Feedback {
        method: &'static str,
    },
    Notify {
        method: &'static str,
        params: Value,
    },
    /// Answers what the server asked last.
    Reply {
        result: Value,
    },
    Yield,
    Pause {
        millis: u64,
    },
    /// Waits until everything has been answered.
    Settle,
}

/// How a client leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending {
    /// It says so.
    Exit,
    /// It says nothing any more, and listens.
    Mute,
    /// It is gone.
    Vanish,
}

const DOCUMENTS: [&str; 3] = [
    "file:///src/main.rs",
    "file:///src/größe.py",
    "untitled:three",
];
const TEXTS: [&str; 6] = [
    "let x",
    "slow",
    "never",
    "a\nlet x\r\nslow",
    "größe 😀\n",
    "",
];
const TYPED: [&str; 7] = [" ", " = 1;", "l", "\n", "😀", "", "let x"];

/// How many steps a session has at most.
const MOST: usize = 48;

/// The steps of a session, and its end.
pub(crate) fn steps_of(random: &mut Random) -> (Vec<Step>, Ending) {
    let count = 1 + random.below(MOST);
    // Some say too much too early, and some never begin.
    let begin = match random.below(16) {
        0 => random.below(count),
        1 => count,
        _ => 0,
    };
    // Few go on after they have shut down.
    let shutdown = match random.below(4) {
        0 => random.below(count),
        1 => count.saturating_sub(1),
        _ => count,
    };
    let mut steps = Vec::new();
    for number in 0..count {
        if number == begin {
            steps.push(initialize(random));
            steps.push(notify("initialized", json!({})));
            steps.push(open(random));
        }
        if number == shutdown {
            steps.push(Step::Shutdown { id: name(random) });
        }
        steps.push(step(random));
    }
    let ending = match random.below(4) {
        0 => Ending::Vanish,
        1 => Ending::Mute,
        _ => Ending::Exit,
    };
    (steps, ending)
}

fn step(random: &mut Random) -> Step {
    match random.below(64) {
        0..16 => suggest(random),
        16..20 => Step::Cancel { id: name(random) },
        20..32 => change(random),
        32..35 => open(random),
        35..37 => notify(
            "textDocument/didClose",
            json!({ "textDocument": document(random) }),
        ),
        37..40 => {
            let ranges = json!([range(random)]);
            let params = json!({ "textDocument": document(random), "selections": ranges });
            notify("foretell/didChangeSelection", params)
        }
        40..42 => {
            let params = json!({ "textDocument": document(random), "position": place(random) });
            Step::Context {
                id: name(random),
                params,
            }
        }
        42..45 => {
            let methods = [
                "foretell/didShow",
                "foretell/didAccept",
                "foretell/didReject",
                "foretell/didIgnore",
                "textDocument/didShowCompletion",
                "textDocument/didShowInlineEdit",
                "textDocument/didPartiallyAcceptCompletion",
            ];
            Step::Feedback {
                method: random.one_of(&methods),
            }
        }
        45 => {
            let commands = [
                "foretell.accept",
                "github.copilot.didAcceptCompletionItem",
                "github.copilot.didRejectNextEditSuggestionItem",
                "github.copilot.didIgnoreNextEditSuggestionItem",
            ];
            Step::Accept {
                id: name(random),
                command: random.one_of(&commands),
            }
        }
        46 => Step::Unknown { id: name(random) },
        47 => malformed(random),
        48 => settings(random),
        49 => other(random),
        50 => Step::Reply {
            result: random.one_of(&[json!([{}]), json!(null), json!(1)]),
        },
        51..54 => question(random),
        54 => {
            let methods = [
                "notifyShown",
                "notifyAccepted",
                "notifyRejected",
                "notifyNextEditRejected",
            ];
            Step::Report {
                id: name(random),
                method: random.one_of(&methods),
            }
        }
        55 => Step::Yield,
        56..62 => Step::Pause {
            millis: random.below(400) as u64,
        },
        62 => Step::Pause {
            millis: random.below(20_000) as u64,
        },
        _ => match random.below(4) {
            0 => initialize(random),
            _ => Step::Settle,
        },
    }
}

/// A name, of which there are few: numbers, and words that look like them.
fn name(random: &mut Random) -> RequestId {
    let number = random.below(12) as i32;
    match random.once_in(4) {
        true => RequestId::from(number.to_string()),
        false => RequestId::from(number),
    }
}

fn initialize(random: &mut Random) -> Step {
    let options = match random.once_in(3) {
        true => json!({ "editorPluginInfo": { "name": "copilot.lua" } }),
        false => Value::Null,
    };
    let params = json!({
        "rootUri": null,
        "initializationOptions": options,
        "capabilities": {
            "workspace": { "configuration": random.once_in(4) },
            "window": { "workDoneProgress": random.once_in(2) },
            "experimental": { "foretell": { "reportsRejections": random.once_in(2) } },
        },
    });
    Step::Initialize {
        id: name(random),
        params,
    }
}

fn suggest(random: &mut Random) -> Step {
    let others = [
        ("textDocument/copilotInlineEdit", "edits"),
        ("textDocument/copilotInlineEdit", "edits"),
        ("getCompletions", "completions"),
        ("getCompletionsCycling", "completions"),
        ("getPanelCompletions", "solutionCountTarget"),
        ("textDocument/copilotPanelCompletion", "items"),
    ];
    let (method, field) = match random.once_in(2) {
        true => random.one_of(&others),
        false => ("textDocument/inlineCompletion", "items"),
    };
    let kind = 1 + random.below(2);
    let (document, position) = (document(random), place(random));
    let params = json!({
        "textDocument": document,
        "position": position,
        "context": { "triggerKind": kind },
        "doc": { "uri": document["uri"], "position": position },
        "panelId": "panel",
    });
    Step::Suggest {
        id: name(random),
        method,
        field,
        params,
    }
}

/// What a client may want to know, or to be forgotten or remembered.
fn question(random: &mut Random) -> Step {
    let about = document(random);
    let rejection = json!({
        "id": random.below(4),
        "uri": about["uri"],
        "edit": { "replacements": [{ "start": 5, "end": 5, "newText": random.one_of(&TYPED) }] },
        "digest": null,
        "awake": random.once_in(2),
    });
    let questions = [
        ("foretell/why", "decisions", Value::Null),
        (
            "foretell/why",
            "decisions",
            json!({ "textDocument": about, "limit": 3 }),
        ),
        ("foretell/status", "lanes", Value::Null),
        ("foretell/sent", "sent", Value::Null),
        ("foretell/rejections", "rejections", Value::Null),
        ("foretell/forget", "rejections", json!({ "all": true })),
        (
            "foretell/forget",
            "rejections",
            json!({ "id": random.below(4) }),
        ),
        (
            "foretell/restore",
            "taken",
            json!({ "rejections": [rejection, 1] }),
        ),
        ("checkStatus", "status", Value::Null),
        ("signIn", "status", json!({})),
        ("signOut", "status", json!({})),
        ("getVersion", "version", json!({})),
    ];
    let (method, field, params) = random.one_of(&questions);
    let id = name(random);
    // There is no command to restore, and none of Copilot's.
    let has_command = method.starts_with("foretell/") && method != "foretell/restore";
    let as_command = random.once_in(3) && has_command;
    if !as_command {
        return Step::Question {
            id,
            method,
            field,
            params,
        };
    }
    let arguments = match params {
        Value::Null => json!([]),
        params => json!([params]),
    };
    let params = json!({ "command": method.replace('/', "."), "arguments": arguments });
    Step::Question {
        id,
        method: "workspace/executeCommand",
        field,
        params,
    }
}

fn malformed(random: &mut Random) -> Step {
    let methods = [
        "textDocument/inlineCompletion",
        "textDocument/copilotInlineEdit",
        "foretell/context",
        "foretell/forget",
        "foretell/restore",
        "workspace/executeCommand",
        "getCompletions",
        "getCompletionsCycling",
        "getPanelCompletions",
        "textDocument/copilotPanelCompletion",
        "notifyShown",
        "notifyAccepted",
        "notifyRejected",
        "notifyNextEditRejected",
    ];
    let params = [
        Value::Null,
        json!({}),
        json!({ "textDocument": 1 }),
        json!({ "command": "no" }),
        json!({ "id": -1, "rejections": {}, "command": "foretell.forgotten" }),
        json!({ "id": 1, "all": true, "command": "foretell.accept" }),
    ];
    // Without parameters this one makes sense.
    let why = [
        json!({ "textDocument": 1 }),
        json!({ "limit": -1 }),
        json!({ "limit": "all" }),
        json!(1),
    ];
    let (method, params) = match random.once_in(4) {
        true => ("foretell/why", random.one_of(&why)),
        false => (random.one_of(&methods), random.one_of(&params)),
    };
    Step::Malformed {
        id: name(random),
        method,
        params,
    }
}

fn open(random: &mut Random) -> Step {
    let mut document = document(random);
    document["languageId"] = "rust".into();
    document["version"] = random.below(3).into();
    document["text"] = random.one_of(&TEXTS).into();
    notify("textDocument/didOpen", json!({ "textDocument": document }))
}

fn change(random: &mut Random) -> Step {
    let mut document = document(random);
    document["version"] = match random.once_in(10) {
        true => random.below(4).into(),
        false => Value::Null,
    };
    let mut change = json!({ "text": random.one_of(&TYPED) });
    if !random.once_in(6) {
        change["range"] = range(random);
    }
    Step::Change {
        params: json!({ "textDocument": document, "contentChanges": [change] }),
    }
}

fn settings(random: &mut Random) -> Step {
    let settings = [
        json!({ "pace": { "baseMs": 100 } }),
        json!({ "foretell": { "lanes": { "fim": { "enabled": false } } } }),
        json!({ "carry": 7, "trigger": null }),
        Value::Null,
    ];
    let params = json!({ "settings": random.one_of(&settings) });
    notify("workspace/didChangeConfiguration", params)
}

/// What else a client may say.
fn other(random: &mut Random) -> Step {
    let about = json!({ "textDocument": document(random) });
    match random.below(8) {
        6 => notify("textDocument/didFocus", about),
        7 => notify("textDocument/didFocus", json!({})),
        0 => notify("textDocument/didSave", about),
        1 => notify("foretell/didFocus", about),
        2 => notify(
            "foretell/willChange",
            json!({ "textDocument": about["textDocument"], "reason": "undo" }),
        ),
        3 => notify("$/setTrace", json!({ "value": "verbose" })),
        4 => notify("$/cancelRequest", json!({ "id": {} })),
        _ => notify("stress/unknown", Value::Null),
    }
}

fn notify(method: &'static str, params: Value) -> Step {
    Step::Notify { method, params }
}

/// A document; mostly the same one.
fn document(random: &mut Random) -> Value {
    let which = match random.once_in(3) {
        true => random.below(DOCUMENTS.len()),
        false => 0,
    };
    json!({ "uri": DOCUMENTS[which] })
}

fn place(random: &mut Random) -> Value {
    let places = [
        (0, 5),
        (0, 5),
        (0, 4),
        (0, 6),
        (0, 0),
        (1, 5),
        (2, 4),
        (9, 9),
    ];
    let (line, character) = random.one_of(&places);
    json!({ "line": line, "character": character })
}

fn range(random: &mut Random) -> Value {
    let start = place(random);
    match random.once_in(4) {
        true => json!({ "start": start, "end": place(random) }),
        false => json!({ "start": start, "end": start }),
    }
}
