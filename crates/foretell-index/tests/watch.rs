//! A workspace that changes on disk, and an index that nobody tells of it.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on fails"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use foretell_index::{Index, Watch, Watched};

use crate::workspace::{NOTHING, Workspace, found};

/// How long a change may take to be heard of on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watching {
    index: Arc<Index>,
    told: Receiver<Watched>,
    watch: Watch,
}

fn watch(workspace: &Workspace) -> Watching {
    let index = Arc::new(workspace.indexed());
    let (tell, told) = channel();
    let tell = move |watched| drop(tell.send(watched));
    let watch = Watch::start(Arc::clone(&index), tell).unwrap();
    Watching { index, told, watch }
}

impl Watching {
    /// Waits until a query finds these files.
    fn until(&self, query: &str, files: &[&str]) {
        while found(&self.index, query) != files {
            let told = self.told.recv_timeout(PATIENCE);
            assert!(!matches!(told.unwrap(), Watched::Failed(_)));
        }
    }
}

#[test]
fn files_that_come_change_and_go_are_followed() {
    let workspace = Workspace::with(&[("src/a.rs", "fn first() {}\n")]);
    let watching = watch(&workspace);
    workspace.write("src/a.rs", "fn second() {}\n");
    watching.until("second", &["src/a.rs"]);
    watching.until("first", &NOTHING);
    workspace.rename("src/a.rs", "src/b.rs");
    watching.until("second", &["src/b.rs"]);
    workspace.delete("src/b.rs");
    watching.until("second", &NOTHING);
}

#[test]
fn a_new_directory_is_followed_with_all_that_is_in_it() {
    let workspace = Workspace::with(&[("a.rs", "fn first() {}\n")]);
    let watching = watch(&workspace);
    workspace.write("deep/er/new.rs", "fn deep() {}\n");
    watching.until("deep", &["deep/er/new.rs"]);
    workspace.write("deep/er/new.rs", "fn deeper() {}\n");
    watching.until("deeper", &["deep/er/new.rs"]);
}

#[test]
fn what_becomes_ignored_is_forgotten_and_what_is_excluded_never_enters() {
    let workspace = Workspace::with(&[("log/a.rs", "fn noisy() {}\n")]);
    workspace.exclude("secret");
    let watching = watch(&workspace);
    watching.until("noisy", &["log/a.rs"]);
    workspace.write(".gitignore", "log\n");
    watching.until("noisy", &NOTHING);
    workspace.write("secret.rs", "fn hidden() {}\n");
    workspace.write("open.rs", "fn open() {}\n");
    watching.until("open", &["open.rs"]);
    assert_eq!(found(&watching.index, "hidden"), NOTHING);
}

#[test]
fn a_great_many_changes_are_followed() {
    let workspace = Workspace::with(&[("a.rs", "fn first() {}\n")]);
    let watching = watch(&workspace);
    let letters = || (b'a'..=b'z').map(char::from);
    let names = letters().flat_map(|one| letters().map(move |other| format!("z{one}{other}")));
    for name in names {
        workspace.write(&format!("many/{name}.rs"), format!("fn {name}() {{}}\n"));
    }
    watching.until("zaa", &["many/zaa.rs"]);
    watching.until("zzz", &["many/zzz.rs"]);
}

#[test]
fn nothing_is_left_running_when_it_ends() {
    let workspace = Workspace::with(&[("a.rs", "fn first() {}\n")]);
    let Watching { index, told, watch } = watch(&workspace);
    drop(watch);
    assert!(told.iter().count() < 100, "the one who tells is gone");
    assert_eq!(Arc::strong_count(&index), 1);
    fs::write(workspace.path("a.rs"), "fn second() {}\n").unwrap();
    assert_eq!(found(&index, "second"), NOTHING);
}
