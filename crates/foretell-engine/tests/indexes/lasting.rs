//! How indexes begin, go on, are tried again and end.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foretell_engine::context_source::NoIndex;
use foretell_engine::indexes::{IndexState, IndexStep, IndexWait};
use foretell_index::{Index, IndexOptions, directory_for};
use foretell_text::{Language, Text};

use crate::machine::{Machine, NOTHING};

#[test]
fn an_index_that_cannot_be_opened_is_said_once_and_the_others_work() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
        // Where a directory should be.
        ("cache/index", "a file"),
    ]);
    let running = machine.start(&["app"]);
    running.until(|it| matches!(it.states()[0], IndexState::Unusable(_)));
    let says = running.states()[0].to_string();
    assert!(
        says.starts_with("unusable: the directory of the index, "),
        "{says}"
    );
    assert!(
        says.ends_with("choose another place with index.dir"),
        "{says}"
    );
    let steps: Vec<_> = running.progress.try_iter().map(|it| it.step).collect();
    assert!(matches!(&steps[..], [IndexStep::Failed(_)]), "{steps:?}");
    assert_eq!(running.indexes.none(), Some(NoIndex::Unusable));
    assert_eq!(running.found("close_door"), NOTHING);
    running.indexes.opened(
        &machine.path("app/door.rs"),
        &Language::new("rust"),
        &Text::from("fn a() {}"),
    );
}

#[test]
fn nothing_goes_on_after_it_was_told_to_stop() {
    let machine = Machine::with(&[("app/.git/HEAD", "")]);
    for number in 0..2_000 {
        let text = format!("pub fn door_{number}() {{}}\n").repeat(20);
        machine.write(&format!("app/{}/{number}.rs", number % 20), &text);
    }
    let running = machine.start(&["app"]);
    running.until(|it| matches!(it.states()[0], IndexState::Updating(_)));
    let began = Instant::now();
    running.indexes.stop();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
    let is_over = matches!(running.states()[0], IndexState::Ended);
    assert!(is_over, "{:?}", running.states());
    drop(running);
    // It goes on where it was.
    let running = machine.start(&["app"]);
    running.until_ready();
    assert!(matches!(running.states()[0], IndexState::Ready(it) if it.files == 2_000));
}

#[test]
fn two_servers_have_the_same_index() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
    ]);
    let (one, other) = (machine.start(&["app"]), machine.start(&["app"]));
    for running in [&one, &other] {
        running.until(|it| it.found("close_door") == ["door.rs"]);
    }
    drop(one);
    machine.write("app/gate.rs", "pub fn close_gate() {}\n");
    other.until(|it| it.found("gate") == ["gate.rs"]);
}

#[test]
fn a_folder_that_is_called_something_else_keeps_its_index() {
    let machine = Machine::with(&[
        ("a/app/.git/HEAD", ""),
        ("b/app/.git/HEAD", ""),
        ("b/app/door.rs", "pub fn close_door() {}\n"),
    ]);
    let mut running = machine.start(&["a/app", "b/app"]);
    running.until_ready();
    assert_eq!(running.indexes.status()[1].name, "app-2");
    assert_eq!(running.found("close_door"), ["app-2/door.rs"]);
    running.progress.try_iter().for_each(drop);

    running.loaded = machine.load(&["b/app"], Some(&running.loaded));
    running.indexes.follow(&running.loaded);
    let status = running.indexes.status();
    assert_eq!((status.len(), status[0].name.as_str()), (1, "app"));
    assert_ne!(status[0].state, IndexState::Opening, "it is open");
    assert_eq!(running.found("close_door"), ["door.rs"], "at once");
    machine.write("b/app/gate.rs", "pub fn close_gate() {}\n");
    running.until(|it| it.found("gate") == ["gate.rs"]);
    // Of the other one nothing is heard any more.
    let names = running.progress.try_iter().map(|it| it.name);
    assert!(names.into_iter().all(|it| it == "app"));
}

#[test]
fn an_index_that_another_process_has_is_tried_again() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
    ]);
    // Somebody is about to make it.
    let directory = directory_for(&machine.path("cache/index"), &machine.path("app"));
    fs::create_dir_all(&directory).unwrap();
    let lock = fs::File::create(directory.join(".tantivy-writer.lock")).unwrap();
    lock.lock().unwrap();

    let running = machine.start(&["app"]);
    running.until(|it| it.states()[0] == IndexState::Waiting(IndexWait::Another));
    let says = running.states()[0].to_string();
    assert!(
        says.ends_with("it is tried again within a minute"),
        "{says}"
    );
    let problem = running.indexes.status()[0].problem.clone().unwrap();
    assert!(
        problem.ends_with("; it is tried again within a minute"),
        "{problem}"
    );
    assert_eq!(running.indexes.none(), None);
    drop(lock);
    running.until_ready();
    assert_eq!(running.found("close_door"), ["door.rs"]);
    assert_eq!(running.indexes.status()[0].problem, None);
}

#[test]
fn an_index_that_was_never_made_does_not_say_for_ever_that_it_is_being_made() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
    ]);
    let directory = directory_for(&machine.path("cache/index"), &machine.path("app"));
    let begun = Index::open(IndexOptions {
        root: machine.path("app"),
        directory: directory.clone(),
        most_files: 10,
        excluded: Arc::new(|_| false),
        secrets: Arc::new(|_| Vec::new()),
        renamed: None,
        threads: 1,
    });
    drop(begun.unwrap());
    let lock = fs::File::create(directory.join(".tantivy-writer.lock")).unwrap();
    lock.lock().unwrap();

    let running = machine.start(&["app"]);
    running.until(|it| it.states()[0] == IndexState::Waiting(IndexWait::Another));
    drop(lock);
    running.until_ready();
    assert_eq!(running.found("close_door"), ["door.rs"]);
}
