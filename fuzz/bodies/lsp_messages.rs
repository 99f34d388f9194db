//! Arbitrary bytes as messages of an editor: frames as they come in over a pipe, and the bodies in them.
//!
//! Bytes that begin with no header are taken for bodies, one on a line, and framed here. Whatever they
//! are: nothing panics, every request that can be read is answered once, and the server ends when the
//! editor says so.
//!
//! Left out are messages that name directories or addresses: they would make the server read the disk,
//! or ask a model.

use std::collections::BTreeMap;

use foretell_lsp::stdio::read_messages;
use foretell_lsp::{ClientConnection, ServerConnection, ServerOptions, SessionEnd, serve};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// What the session itself says, and what would lead out of it.
const LEFT_OUT: [&str; 5] = [
    "initialize",
    "shutdown",
    "exit",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
];

pub(crate) fn lsp_messages(bytes: &[u8]) {
    let framed = framed(bytes);
    let mut messages = Vec::new();
    read_messages(&mut framed.as_slice(), |message| {
        messages.extend(message.ok().filter(|message| !is_left_out(message)));
        true
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (far, near) = ServerConnection::pair();
    let session = session(near, messages);
    let (ended, ()) =
        runtime.block_on(async { tokio::join!(serve(far, ServerOptions::default()), session) });
    runtime.shutdown_background();
    assert_eq!(ended, SessionEnd::AfterShutdown);
}

/// Bytes with headers around what has none.
fn framed(bytes: &[u8]) -> Vec<u8> {
    if bytes.starts_with(b"Content-Length") {
        return bytes.to_vec();
    }
    let bodies = bytes.split(|byte| *byte == b'\n');
    let framed = bodies.flat_map(|body| {
        let header = format!("Content-Length: {}\r\n\r\n", body.len());
        [header.as_bytes(), body].concat()
    });
    framed.collect()
}

fn is_left_out(message: &Message) -> bool {
    match message {
        Message::Request(request) => LEFT_OUT.contains(&request.method.as_str()),
        Message::Notification(notification) => LEFT_OUT.contains(&notification.method.as_str()),
        Message::Response(_) => false,
    }
}

/// Says everything, from `initialize` to `exit`, and counts the answers.
async fn session(mut client: ClientConnection, messages: Vec<Message>) {
    let request = |method: &str, params: Value| {
        let id = RequestId::from(format!("the session's {method}"));
        Message::from(Request::new(id, method.to_owned(), params))
    };
    let notification =
        |method: &str| Message::from(Notification::new(method.to_owned(), json!({})));
    let before = [
        request("initialize", json!({ "capabilities": {} })),
        notification("initialized"),
    ];
    let after = [request("shutdown", Value::Null), notification("exit")];
    let mut owed: BTreeMap<RequestId, usize> = BTreeMap::new();
    for message in before.into_iter().chain(messages).chain(after) {
        if let Message::Request(request) = &message {
            *owed.entry(request.id.clone()).or_default() += 1;
        }
        client
            .says
            .send(message)
            .await
            .expect("a server that listens");
    }
    while let Some(message) = client.reads.recv().await {
        if let Message::Response(answer) = message {
            let id = answer.id;
            let left = owed.get_mut(&id).and_then(|left| left.checked_sub(1));
            *owed.entry(id).or_default() = left.expect("an answer that is owed");
        }
    }
    owed.retain(|_, left| *left > 0);
    assert!(owed.is_empty(), "never answered: {owed:?}");
}
