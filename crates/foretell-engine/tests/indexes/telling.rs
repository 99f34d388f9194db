//! What indexes are told: in which order it counts, how much of it is done, and who waits for it.

use std::time::{Duration, Instant};

use foretell_engine::indexes::{IndexState, IndexStep};
use foretell_text::{Language, Text};

use crate::machine::{Machine, NOTHING};

#[test]
fn a_document_that_is_open_is_searched_instead_of_its_file() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
    ]);
    let running = machine.start(&["app"]);
    let (path, rust) = (machine.path("app/door.rs"), Language::new("rust"));
    // Before anything is open, perhaps.
    let typed = Text::from("pub fn close_gate() {}\n");
    running.indexes.opened(&path, &rust, &typed);
    running.until_ready();
    running.until(|it| it.found("close_gate") == ["door.rs"]);
    assert_eq!(running.found("door"), NOTHING);
    running.indexes.closed(&path);
    running.until(|it| it.found("door") == ["door.rs"]);
    // One that is too long is as it is on disk.
    running.indexes.opened(&path, &rust, &typed);
    let long = Text::from("pub fn close_gate() {}\n".repeat(100_000).as_str());
    running.indexes.opened(&path, &rust, &long);
    running.until(|it| it.found("door") == ["door.rs"]);
}

#[test]
fn a_document_that_is_closed_hides_nothing_however_fast_that_was() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
        ("app/last.rs", "pub fn nothing() {}\n"),
    ]);
    let running = machine.start(&["app"]);
    running.until_ready();
    let rust = Language::new("rust");
    let (path, last) = (machine.path("app/door.rs"), machine.path("app/last.rs"));
    for round in 0..200 {
        let typed = Text::from(format!("pub fn close_gate_{round}() {{}}\n").as_str());
        running.indexes.opened(&path, &rust, &typed);
        running.indexes.opened(&path, &rust, &typed);
        running.indexes.closed(&path);
    }
    // Whoever is told of this was told of all before.
    running
        .indexes
        .opened(&last, &rust, &Text::from("pub fn finally() {}\n"));
    running.until(|it| it.found("finally") == ["last.rs"]);
    assert_eq!(running.found("close_door"), ["door.rs"]);
    assert_eq!(running.found("gate"), NOTHING);
}

#[test]
fn a_document_is_searched_before_the_whole_folder_is() {
    let machine = Machine::with(&[("app/.git/HEAD", "")]);
    for number in 0..2_000 {
        let text = format!("pub fn door_{number}() {{}}\n").repeat(20);
        machine.write(&format!("app/{}/{number}.rs", number % 20), &text);
    }
    let running = machine.start(&["app"]);
    running.until(|it| matches!(it.states()[0], IndexState::Updating(_)));
    let typed = Text::from("pub fn close_gate() {}\n");
    let path = machine.path("app/1/1.rs");
    running
        .indexes
        .opened(&path, &Language::new("rust"), &typed);
    running.until(|it| it.found("close_gate") == ["1/1.rs"]);
    let is_building = matches!(running.states()[0], IndexState::Updating(_));
    assert!(is_building, "{:?}", running.states());
}

#[test]
fn many_changes_are_one_look_at_everything() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
    ]);
    let running = machine.start(&["app"]);
    running.until_ready();
    running.progress.try_iter().for_each(drop);
    for number in 0..500 {
        let path = format!("app/{number}/.gitignore");
        running.indexes.changed(&machine.path(&path));
    }
    for number in 0..100_000 {
        let path = format!("app/{number}.rs");
        running.indexes.changed(&machine.path(&path));
    }
    running.until_ready();
    machine.write("app/last.rs", "pub fn finally() {}\n");
    running.indexes.changed(&machine.path("app/last.rs"));
    running.until(|it| it.found("finally") == ["last.rs"]);
    let steps: Vec<_> = running.progress.try_iter().map(|it| it.step).collect();
    let looks = steps.iter().filter(|it| **it == IndexStep::Began).count();
    assert!((1..200).contains(&looks), "{looks}");
}

/// A disk that does not answer, played by a pipe that nobody writes into.
#[cfg(unix)]
#[test]
fn nobody_waits_for_a_disk_that_does_not_answer() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/door.rs", "pub fn close_door() {}\n"),
        ("app/stuck/a.rs", "pub fn stuck() {}\n"),
        ("other/.git/HEAD", ""),
        ("other/gate.rs", "pub fn close_gate() {}\n"),
    ]);
    let running = machine.start(&["app", "other"]);
    running.until_ready();
    let pipe = machine.path("app/stuck/.gitignore");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let began = Instant::now();
    let (rust, typed) = (Language::new("rust"), Text::from("pub fn typed() {}\n"));
    for number in 0..3_000 {
        let path = machine.path(&format!("app/stuck/{}.rs", number % 10));
        running.indexes.opened(&path, &rust, &typed);
        running.indexes.changed(&path);
        running.indexes.closed(&path);
        running
            .indexes
            .changed(&machine.path(&format!("app/{number}/.ignore")));
    }
    let gate = machine.path("other/gate.rs");
    running.indexes.opened(&gate, &rust, &typed);
    let told = began.elapsed();
    assert!(told < Duration::from_secs(60), "{told:?}");
    running.until(|it| it.found("typed") == ["other/gate.rs"]);
    let began = Instant::now();
    running.indexes.stop();
    let ended = began.elapsed();
    assert!(ended < Duration::from_secs(60), "{ended:?}");
    // Whoever waits for it may go on now.
    let answers = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&pipe);
    drop(answers.unwrap());
}
