//! The methods there are, and what their parameters look like, as far as a message needs to get past
//! whoever reads it.

/// The shape of a value.
pub(super) enum ValueShape {
    Object(&'static [(&'static str, ValueShape)]),
    List(&'static ValueShape),
    Uri,
    Version,
    Number,
    Text,
    Id,
    /// One of several words.
    Word(&'static [&'static str]),
    /// One of several values, as they are.
    Either(&'static [&'static str]),
}

use ValueShape::{Either, Id, List, Number, Object, Text, Uri, Version, Word};

/// A method.
pub(super) struct MethodShape {
    pub(super) method: &'static str,
    pub(super) is_request: bool,
    /// It makes the server read files, or reckon.
    pub(super) is_rare: bool,
    pub(super) params: ValueShape,
}

const PLACE: ValueShape = Object(&[("line", Number), ("character", Number)]);
const RANGE: ValueShape = Object(&[("start", PLACE), ("end", PLACE)]);
const DOCUMENT: ValueShape = Object(&[("uri", Uri)]);
const VERSIONED: ValueShape = Object(&[("uri", Uri), ("version", Version)]);
const ABOUT: ValueShape = Object(&[("textDocument", DOCUMENT)]);
const PAUSE: ValueShape = Object(&[
    ("textDocument", DOCUMENT),
    ("paused", Either(&["true", "false"])),
]);
const KIND: ValueShape = Object(&[("triggerKind", Either(&["1", "2", "3"]))]);
const SUGGEST: ValueShape = Object(&[
    ("textDocument", DOCUMENT),
    ("position", PLACE),
    ("context", KIND),
]);
const SUGGESTION: ValueShape = Word(&["1/0", "2/0", "3.0", "7-0", "x"]);
const FEEDBACK: ValueShape = Object(&[("id", SUGGESTION), ("acceptedLength", Number)]);
const DIAGNOSTIC: ValueShape = Object(&[
    ("range", RANGE),
    ("severity", Number),
    ("code", Either(&["1", "\"E1\"", "null"])),
    ("message", Text),
]);
const FIX: ValueShape = Object(&[
    ("diagnostic", DIAGNOSTIC),
    ("title", Text),
    (
        "edits",
        List(&Object(&[("range", RANGE), ("newText", Text)])),
    ),
]);
const FOLDERS: ValueShape = List(&Object(&[("uri", Uri), ("name", Text)]));
const SETTINGS: ValueShape = Object(&[
    ("pace", Object(&[("baseMs", Number)])),
    (
        "trigger",
        Object(&[("enabled", Either(&["true", "false"]))]),
    ),
]);

const REJECTION: ValueShape = Object(&[
    ("id", Number),
    ("uri", Uri),
    (
        "edit",
        Object(&[(
            "replacements",
            List(&Object(&[
                ("start", Number),
                ("end", Number),
                ("newText", Text),
            ])),
        )]),
    ),
    (
        "digest",
        Either(&["null", "\"x\"", "\"5-0123456789abcdef0123456789abcdef\""]),
    ),
    ("awake", Either(&["true", "false"])),
]);
const DOC: ValueShape = Object(&[("uri", Uri), ("version", Version), ("position", PLACE)]);
const COMPLETE: ValueShape = Object(&[("doc", DOC)]);
const ITEM: ValueShape = Object(&[(
    "command",
    Object(&[("arguments", List(&SUGGESTION)), ("title", Text)]),
)]);
const REPORT: ValueShape = Object(&[("uuid", SUGGESTION), ("acceptedLength", Number)]);
const WHO: ValueShape = Object(&[
    ("editorInfo", Object(&[("name", Text), ("version", Text)])),
    (
        "editorPluginInfo",
        Object(&[
            ("name", Word(&["copilot.lua", "copilot.vim"])),
            ("version", Text),
        ]),
    ),
]);
const WHY: ValueShape = Object(&[("textDocument", DOCUMENT), ("limit", Number)]);
const NOTHING: ValueShape = Object(&[]);

pub(super) const METHODS: [MethodShape; 55] = [
    asks("textDocument/inlineCompletion", SUGGEST),
    asks("textDocument/inlineCompletion", SUGGEST),
    asks(
        "textDocument/copilotInlineEdit",
        Object(&[("textDocument", VERSIONED), ("position", PLACE)]),
    ),
    asks(
        "workspace/executeCommand",
        Object(&[
            (
                "command",
                Word(&[
                    "foretell.accept",
                    "github.copilot.didAcceptCompletionItem",
                    "github.copilot.didRejectNextEditSuggestionItem",
                    "no",
                ]),
            ),
            ("arguments", List(&SUGGESTION)),
        ]),
    ),
    rarely(asks(
        "workspace/executeCommand",
        Object(&[
            (
                "command",
                Word(&["foretell.why", "foretell.status", "foretell.sent"]),
            ),
            ("arguments", List(&WHY)),
        ]),
    )),
    asks(
        "workspace/executeCommand",
        Object(&[
            ("command", Word(&["foretell.rejections", "foretell.forget"])),
            ("arguments", List(&Object(&[("id", Number)]))),
        ]),
    ),
    rarely(asks("foretell/why", WHY)),
    rarely(asks("foretell/status", NOTHING)),
    asks("foretell/sent", NOTHING),
    asks("foretell/rejections", NOTHING),
    asks("foretell/forget", Object(&[("id", Number)])),
    asks(
        "foretell/forget",
        Object(&[("all", Either(&["true", "false", "null"]))]),
    ),
    asks(
        "foretell/restore",
        Object(&[("rejections", List(&REJECTION))]),
    ),
    asks("getCompletions", COMPLETE),
    asks("getCompletionsCycling", COMPLETE),
    asks(
        "getPanelCompletions",
        Object(&[("doc", DOC), ("panelId", Text)]),
    ),
    asks("textDocument/copilotPanelCompletion", SUGGEST),
    asks("notifyShown", REPORT),
    asks("notifyAccepted", REPORT),
    asks("notifyRejected", Object(&[("uuids", List(&SUGGESTION))])),
    asks("notifyNextEditRejected", REPORT),
    asks("setEditorInfo", WHO),
    asks("checkStatus", NOTHING),
    asks("signIn", NOTHING),
    asks("signOut", NOTHING),
    says("textDocument/didFocus", ABOUT),
    says("textDocument/didFocus", DOCUMENT),
    says("textDocument/didShowCompletion", Object(&[("item", ITEM)])),
    says("textDocument/didShowInlineEdit", Object(&[("item", ITEM)])),
    says(
        "textDocument/didPartiallyAcceptCompletion",
        Object(&[("item", ITEM), ("acceptedLength", Number)]),
    ),
    asks("stress/unknown", Text),
    asks("initialize", Object(&[("capabilities", Object(&[]))])),
    rarely(asks(
        "foretell/context",
        Object(&[("textDocument", DOCUMENT), ("position", PLACE)]),
    )),
    says("$/cancelRequest", Object(&[("id", Id)])),
    says(
        "textDocument/didOpen",
        Object(&[(
            "textDocument",
            Object(&[
                ("uri", Uri),
                ("languageId", Word(&["rust", "python", "größe"])),
                ("version", Version),
                ("text", Word(&["let x", "", "a\\nb\\r\\n", "größe 😀"])),
            ]),
        )]),
    ),
    says("textDocument/didChange", CHANGE),
    says("textDocument/didChange", CHANGE),
    says("textDocument/didChange", CHANGE),
    says(
        "textDocument/didChange",
        Object(&[
            ("textDocument", VERSIONED),
            (
                "contentChanges",
                List(&Object(&[("text", Word(&["let x", "a\\nb\\n"]))])),
            ),
        ]),
    ),
    rarely(says("textDocument/didClose", ABOUT)),
    rarely(says("textDocument/didSave", ABOUT)),
    says("foretell/didFocus", ABOUT),
    says("foretell/didPause", PAUSE),
    says(
        "foretell/didChangeSelection",
        Object(&[("textDocument", VERSIONED), ("selections", List(&RANGE))]),
    ),
    says(
        "foretell/willChange",
        Object(&[
            ("textDocument", DOCUMENT),
            ("reason", Word(&["undo", "redo", "other", "x"])),
        ]),
    ),
    says("foretell/didShow", FEEDBACK),
    says("foretell/didAccept", FEEDBACK),
    says("foretell/didReject", FEEDBACK),
    says("foretell/didIgnore", FEEDBACK),
    says(
        "foretell/didChangeDiagnostics",
        Object(&[
            ("uri", Uri),
            ("version", Version),
            ("diagnostics", List(&DIAGNOSTIC)),
            ("fixes", List(&FIX)),
        ]),
    ),
    says(
        "$/setTrace",
        Object(&[("value", Word(&["off", "messages", "verbose"]))]),
    ),
    says("stress/ignored", Text),
    rarely(says(
        "workspace/didChangeConfiguration",
        Object(&[("settings", SETTINGS)]),
    )),
    rarely(says(
        "workspace/didChangeWorkspaceFolders",
        Object(&[("event", Object(&[("added", FOLDERS), ("removed", FOLDERS)]))]),
    )),
    rarely(says(
        "workspace/didChangeWatchedFiles",
        Object(&[("changes", List(&Object(&[("uri", Uri), ("type", Number)])))]),
    )),
];

const CHANGE: ValueShape = Object(&[
    ("textDocument", VERSIONED),
    (
        "contentChanges",
        List(&Object(&[("range", RANGE), ("text", Text)])),
    ),
]);

const fn asks(method: &'static str, params: ValueShape) -> MethodShape {
    MethodShape {
        method,
        is_request: true,
        is_rare: false,
        params,
    }
}

const fn says(method: &'static str, params: ValueShape) -> MethodShape {
    MethodShape {
        is_request: false,
        ..asks(method, params)
    }
}

const fn rarely(method: MethodShape) -> MethodShape {
    MethodShape {
        is_rare: true,
        ..method
    }
}
