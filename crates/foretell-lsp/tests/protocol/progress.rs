//! How far an index is, for editors that show it: every bar that begins also ends.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_engine::UserDirectories;
use foretell_lsp::ServerOptions;
use lsp_server::Message;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{ClientConnection, scripted};

/// Two folders of the same name, and a client that has both open: the first is empty, and it takes a
/// while to make an index of the second.
struct Shelf {
    directory: TempDir,
    client: ClientConnection,
}

impl Shelf {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let folders = ["one/app", "two/app"].map(|it| directory.path().join(it));
        for folder in &folders {
            fs::create_dir_all(folder.join(".git")).expect("a folder");
            fs::write(folder.join(".git/HEAD"), "").expect("a file");
        }
        for number in 0..3_000 {
            let text = format!("pub fn door_{number}() {{}}\n").repeat(20);
            let file = folders[1].join(format!("{number}.rs"));
            fs::write(file, text).expect("a file");
        }
        let mut client = ClientConnection::start(ServerOptions {
            places: UserDirectories {
                cache_dir: Some(directory.path().join("cache")),
                ..UserDirectories::default()
            },
            ..scripted()
        });
        client.begin(json!({
            "workspaceFolders": folders.each_ref().map(|it| named(it)),
            "capabilities": { "window": { "workDoneProgress": true } },
        }));
        Shelf { directory, client }
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The next time that something is said of a bar. New ones are welcome.
    fn next(&mut self) -> (Value, Value) {
        loop {
            match self.client.hear() {
                Message::Request(it) if it.method == "window/workDoneProgress/create" => {
                    self.client.reply(it.id, Value::Null);
                }
                Message::Notification(it) if it.method == "$/progress" => {
                    return (it.params["token"].clone(), it.params["value"].clone());
                }
                other => unreachable!("nobody asked for {other:?}"),
            }
        }
    }

    /// Waits for the end of a bar.
    fn until_end_of(&mut self, token: &Value) {
        loop {
            let (of, value) = self.next();
            match value["kind"].as_str() {
                Some("end") if of == *token => return,
                Some("begin" | "report" | "end") => {}
                kind => unreachable!("there is no {kind:?}"),
            }
        }
    }
}

fn named(path: &Path) -> Value {
    json!({ "uri": format!("file://{}", path.display()), "name": "app" })
}

#[test]
fn an_index_that_takes_a_while_is_shown_from_begin_to_end() {
    let mut shelf = Shelf::new();
    let (token, begin) = shelf.next();
    assert_eq!(
        (&begin["kind"], &begin["title"]),
        (&json!("begin"), &json!("Indexing app-2"))
    );
    let (of, report) = shelf.next();
    assert_eq!((&of, &report["kind"]), (&token, &json!("report")));
    let words = report["message"].as_str().expect("words");
    assert!(words.ends_with("files"), "{words}");
    shelf.until_end_of(&token);
    shelf.client.leave();
}

#[test]
fn it_ends_also_if_the_folder_is_called_something_else_by_then() {
    let mut shelf = Shelf::new();
    let (token, begin) = shelf.next();
    assert_eq!(begin["title"], "Indexing app-2");
    let event = json!({ "added": [], "removed": [named(&shelf.folder("one/app"))] });
    let params = json!({ "event": event });
    shelf
        .client
        .notify("workspace/didChangeWorkspaceFolders", params);
    shelf.until_end_of(&token);
    // It is looked at once more, since other files may be excluded.
    shelf.client.vanish();
}
