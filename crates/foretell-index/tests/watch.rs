//! A workspace that changes on disk, and an index that nobody tells of it.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on fails"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::fs::{self, File};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use foretell_index::{BuildOutcome, Index, IndexWatch, WatchEvent, WatchOptions};

use crate::workspace::{NOTHING, Workspace, found};

/// How long a change may take to be heard of on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

struct Watching {
    index: Arc<Index>,
    told: Receiver<WatchEvent>,
    watch: IndexWatch,
}

fn watch(workspace: &Workspace) -> Watching {
    watch_with(workspace, WatchOptions::default())
}

fn watch_with(workspace: &Workspace, options: WatchOptions) -> Watching {
    let index = Arc::new(workspace.indexed());
    let (tell, told) = channel();
    let tell = move |watched| drop(tell.send(watched));
    let watch = IndexWatch::start(Arc::clone(&index), options, tell).unwrap();
    Watching { index, told, watch }
}

impl Watching {
    /// Waits until a query finds these files.
    fn until(&self, query: &str, files: &[&str]) {
        while found(&self.index, query) != files {
            self.hear();
        }
    }

    /// Waits until something is told.
    fn hear(&self) -> WatchEvent {
        let told = self.told.recv_timeout(PATIENCE).unwrap();
        assert!(!matches!(told, WatchEvent::Failed(_)), "{told:?}");
        told
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
fn many_files_that_say_what_is_ignored_are_one_update() {
    let workspace = Workspace::with(&[("a.rs", "fn first() {}\n")]);
    for number in 0..50 {
        workspace.write(&format!("{number}/log.rs"), "fn noisy() {}\n");
    }
    let watching = watch(&workspace);
    for number in 0..50 {
        workspace.write(&format!("{number}/.gitignore"), "log.rs\n");
    }
    let mut updates = 0;
    while !found(&watching.index, "noisy").is_empty() {
        updates += usize::from(matches!(watching.hear(), WatchEvent::Updated(_)));
    }
    assert!(updates < 10, "{updates}");
}

#[test]
fn everything_is_looked_at_when_it_is_its_turn() {
    let workspace = Workspace::with(&[("log.rs", "fn noisy() {}\n")]);
    let options = WatchOptions::default();
    let watching = watch_with(&workspace, options.clone());
    let turn = options.update_lock.take().unwrap();
    workspace.write(".gitignore", "log.rs\n");
    // What needs no turn goes on meanwhile.
    workspace.write("a.rs", "fn first() {}\n");
    watching.until("first", &["a.rs"]);
    assert_eq!(found(&watching.index, "noisy"), ["log.rs"]);
    drop(turn);
    watching.until("noisy", &NOTHING);
}

#[test]
fn it_can_be_stopped_while_it_begins() {
    let workspace = Workspace::with(&[("src/a.rs", "fn first() {}\n")]);
    let options = WatchOptions::default();
    options.is_stopped.store(true, Ordering::Relaxed);
    let watching = watch_with(&workspace, options);
    workspace.write("src/a.rs", "fn second() {}\n");
    let told = watching.told.recv_timeout(PATIENCE);
    assert!(matches!(told, Err(RecvTimeoutError::Disconnected)));
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

#[test]
fn a_directory_that_is_replaced_is_followed() {
    let workspace = Workspace::with(&[
        ("gen/a.rs", "fn first() {}\n"),
        ("gen/in/b.rs", "fn inner() {}\n"),
    ]);
    let watching = watch(&workspace);
    fs::remove_dir_all(workspace.path("gen")).unwrap();
    workspace.write("gen/a.rs", "fn second() {}\n");
    workspace.write("gen/in/b.rs", "fn inner_second() {}\n");
    watching.until("second", &["gen/a.rs", "gen/in/b.rs"]);
    workspace.write("gen/a.rs", "fn third() {}\n");
    watching.until("third", &["gen/a.rs"]);
    workspace.write("gen/in/b.rs", "fn inner_third() {}\n");
    watching.until("inner_third", &["gen/in/b.rs", "gen/a.rs"]);
}

#[test]
fn a_directory_that_is_renamed_and_made_again_is_followed_under_both_names() {
    let workspace = Workspace::with(&[
        ("old/a.rs", "fn first() {}\n"),
        ("old/in/b.rs", "fn inner() {}\n"),
    ]);
    let watching = watch(&workspace);
    workspace.rename("old", "new");
    workspace.write("old/a.rs", "fn second() {}\n");
    workspace.write("old/in/b.rs", "fn inner_second() {}\n");
    watching.until("first", &["new/a.rs"]);
    watching.until("second", &["old/a.rs", "old/in/b.rs"]);
    for (name, word) in [
        ("old/a.rs", "third"),
        ("new/a.rs", "fourth"),
        ("old/in/b.rs", "fifth"),
        ("new/in/b.rs", "sixth"),
    ] {
        workspace.write(name, format!("fn {word}() {{}}\n"));
        watching.until(word, &[name]);
    }
}

#[test]
fn a_log_that_is_written_all_the_time_is_found_and_kept() {
    let workspace = Workspace::with(&[("app.log", "start\n")]);
    let watching = watch(&workspace);
    let (end, ended) = channel::<()>();
    let mut log = File::options()
        .append(true)
        .open(workspace.path("app.log"))
        .unwrap();
    let writing = thread::spawn(move || {
        while ended.recv_timeout(Duration::from_millis(5)) == Err(RecvTimeoutError::Timeout) {
            writeln!(log, "something happened").unwrap();
        }
    });
    watching.until("happened", &["app.log"]);
    // Another server reads it from the disk.
    let other = workspace.open();
    while found(&other, "happened") != ["app.log"] {
        watching.hear();
    }
    drop(end);
    writing.join().unwrap();
}

#[test]
fn what_changes_while_another_writes_is_made_up_for() {
    let workspace = Workspace::with(&[("log/a.rs", "fn noisy() {}\n")]);
    let watching = watch(&workspace);
    let other = workspace.open();
    let (go, gone) = channel::<()>();
    let (begin, begun) = channel::<()>();
    let writing = thread::spawn(move || {
        let pause = |_| {
            begin.send(()).unwrap();
            // Until nobody is left who would have it wait.
            let _ = gone.recv();
        };
        other.update(&pause, &|| false).unwrap();
    });
    begun.recv().unwrap();
    workspace.write(".gitignore", "log\n");
    // It is looked at, and cannot be done, nor when it is tried again.
    let is_owed = |told| match told {
        WatchEvent::Followed(followed) => followed.owes_update,
        WatchEvent::Updated(report) => report.outcome == BuildOutcome::WrittenByAnother,
        WatchEvent::Failed(_) => false,
    };
    while !is_owed(watching.hear()) {}
    while !matches!(watching.hear(), WatchEvent::Updated(_)) {}
    drop(go);
    writing.join().unwrap();
    watching.until("noisy", &NOTHING);
}

#[test]
fn an_index_that_is_cleaned_is_built_anew_by_the_next_change() {
    let workspace = Workspace::with(&[("a.rs", "fn first() {}\n"), ("b.rs", "fn other() {}\n")]);
    let watching = watch(&workspace);
    workspace.clean();
    workspace.write("a.rs", "fn second() {}\n");
    while !matches!(watching.hear(), WatchEvent::Updated(_)) {}
    watching.until("second", &["a.rs"]);
    watching.until("other", &["b.rs"]);
}

#[cfg(not(target_os = "macos"))]
#[test]
fn a_secret_file_that_gets_another_name_stays_secret() {
    let workspace = Workspace::with(&[("secret.rs", "fn hidden() {}\n")]);
    workspace.exclude("secret");
    let watching = watch(&workspace);
    workspace.rename("secret.rs", "plain.rs");
    // By when this is found, the others were looked at.
    workspace.write("z.rs", "fn open() {}\n");
    watching.until("open", &["z.rs"]);
    assert_eq!(found(&watching.index, "hidden"), NOTHING);
}
