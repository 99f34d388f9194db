//! Which folders have an index, and what is found in them.

use std::fs;

use foretell_context::Redactor;
use foretell_engine::context_source::NoIndex;
use foretell_engine::indexes::{IndexRefusal, IndexState, IndexStep};
use foretell_engine::{Indexes, OpenFolders};
use foretell_settings::RawSettings;
use foretell_text::{CodeSearch, CodeSearchError, FilePath};

use crate::machine::{Machine, NOTHING};

#[test]
fn what_is_in_a_folder_is_found_and_followed() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/src/door.rs", "pub fn close_door() {}\n"),
        ("app/.env", "DOOR=close_door\n"),
    ]);
    let running = machine.start(&["app"]);
    running.until_ready();
    assert_eq!(running.found("close_door"), ["src/door.rs"]);
    let status = &running.indexes.status()[0];
    assert_eq!((status.name.as_str(), &status.problem), ("app", &None));
    let says = status.state.to_string();
    assert!(says.starts_with("ready: 1 files, 1 chunks, 0."), "{says}");
    let steps: Vec<_> = running.progress.try_iter().map(|it| it.step).collect();
    assert_eq!(steps.first(), Some(&IndexStep::Began));
    assert_eq!(steps.last(), Some(&IndexStep::Ended));

    machine.write("app/src/window.rs", "pub fn open_window() {}\n");
    running.until(|it| it.found("open_window") == ["src/window.rs"]);
    let two_files = |it: &IndexState| matches!(it, IndexState::Ready(it) if it.files == 2);
    running.until(|it| it.states().iter().all(two_files));
    fs::remove_file(machine.path("app/src/door.rs")).unwrap();
    running.until(|it| it.found("close_door").is_empty());
    assert!(running.indexes.none().is_none());
}

#[test]
fn several_folders_are_one_list_with_the_names_that_tell_them_apart() {
    let door = |number: usize| format!("pub fn close_door() {{ {number} }}\n");
    let machine = Machine::with(&[("a/app/.git/HEAD", ""), ("b/app/.git/HEAD", "")]);
    for number in 0..5 {
        machine.write(&format!("a/app/{number}.rs"), &door(number));
    }
    machine.write("b/app/only.rs", &door(9));
    let running = machine.start(&["a/app", "b/app"]);
    running.until_ready();
    let found = running.found("close_door");
    assert_eq!(found.len(), 6);
    assert!(found[0].starts_with("app/"), "{found:?}");
    assert_eq!(found[1], "app-2/only.rs", "its share of the best places");
}

#[test]
fn a_folder_within_a_folder_finds_nothing_twice() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        ("app/module/door.rs", "pub fn close_door() {}\n"),
    ]);
    let running = machine.start(&["app", "app/module"]);
    running.until_ready();
    assert_eq!(running.found("close_door"), ["module/door.rs"]);
}

#[test]
fn folders_and_exclusions_come_and_go() {
    let machine = Machine::with(&[
        ("one/.git/HEAD", ""),
        ("one/door.rs", "pub fn close_door() {}\n"),
        ("one/gen/door.rs", "pub fn close_door_generated() {}\n"),
        ("two/.git/HEAD", ""),
        ("two/door.rs", "pub fn close_door_twice() {}\n"),
    ]);
    let mut running = machine.start(&["one"]);
    running.until_ready();
    assert_eq!(running.found("generated"), ["gen/door.rs"]);

    machine.write("one/.foretell.toml", "context.exclude = ['/gen']\n");
    running.loaded = machine.load(&["one"], Some(&running.loaded));
    running.indexes.follow(&running.loaded);
    assert_eq!(running.found("generated"), NOTHING, "at once");

    running.loaded = machine.load(&["two", "one"], Some(&running.loaded));
    running.indexes.follow(&running.loaded);
    running.until_ready();
    assert_eq!(running.found("twice")[0], "two/door.rs");
    let mut all = running.found("close_door");
    all.sort();
    assert_eq!(all, ["one/door.rs", "two/door.rs"]);

    running.loaded = machine.load(&["two"], Some(&running.loaded));
    running.indexes.follow(&running.loaded);
    assert_eq!(running.found("close_door"), ["door.rs"]);

    running.loaded = machine.load(&[], Some(&running.loaded));
    running.indexes.follow(&running.loaded);
    assert_eq!(running.found("close_door"), NOTHING);
    assert_eq!(running.indexes.none(), Some(NoIndex::NoWorkspace));
}

#[test]
fn what_is_no_workspace_is_not_indexed_unless_somebody_did() {
    let machine = Machine::with(&[
        ("plain/door.rs", "pub fn close_door() {}\n"),
        ("home/.git/HEAD", ""),
    ]);
    // Nothing above may say otherwise.
    let is_alone = machine
        .path("plain")
        .ancestors()
        .all(|it| !it.join(".git").exists() && !it.join(".foretell.toml").exists());
    let running = machine.start(&["plain", "home", "gone"]);
    let mut expected = vec![
        IndexRefusal::NoWorkspace,
        IndexRefusal::Home,
        IndexRefusal::Gone,
    ];
    let mut states = running.states();
    if !is_alone {
        expected.remove(0);
        states.remove(0);
    }
    assert_eq!(
        states,
        expected
            .into_iter()
            .map(IndexState::Off)
            .collect::<Vec<_>>()
    );
    assert!(!machine.path("cache").exists(), "nothing is written");

    machine.write("plain/.foretell.toml", "");
    let running = machine.start(&["plain"]);
    running.until_ready();
    running.indexes.stop();
    // Nobody calls it a workspace any more, but there is an index.
    fs::remove_file(machine.path("plain/.foretell.toml")).unwrap();
    let running = machine.start(&["plain"]);
    running.until_ready();
    assert_eq!(running.found("close_door"), ["door.rs"]);
}

#[test]
fn what_is_switched_off_says_who_did() {
    let machine = Machine::with(&[("app/.git/HEAD", "")]);
    for (settings, why) in [
        ("index.enabled = false", "off: index.enabled is false"),
        (
            "context.providers.semantic.enabled = false",
            "off: context.providers.semantic.enabled is false",
        ),
        (
            "context.exclude = 3",
            "off: what is to be excluded is not known; correct the settings file",
        ),
        (
            "index.dir = 'here'",
            "off: index.dir is \"here\", which is not a whole path; give one that begins at the root, \
             or with ~/ for your home",
        ),
    ] {
        machine.write("config.toml", settings);
        let running = machine.start(&["app"]);
        assert_eq!(running.states()[0].to_string(), why);
        assert!(running.indexes.none().is_some());
        assert_eq!(running.found("anything"), NOTHING);
    }
}

#[test]
fn whoever_needs_context_is_told_that_the_index_is_not_ready() {
    let machine = Machine::with(&[("app/.git/HEAD", "")]);
    let (given, _) = RawSettings::from_assignment("--set", "index.enabled=false");
    let loaded = OpenFolders::load(&machine.places(), &[machine.path("app")], &[given], None);
    let indexes = Indexes::start(
        &machine.places(),
        &loaded,
        Redactor::new(),
        None,
        Box::new(|_| {}),
    );
    let near = FilePath::new("a.rs");
    let found = indexes.find("close_door", Some(&near), 3, &|| false);
    assert!(matches!(found, Err(CodeSearchError::NotReady)));
    let running = machine.start(&["app"]);
    running.until_ready();
    let found = running
        .indexes
        .find("close_door", Some(&near), 3, &|| false);
    assert!(
        found.unwrap().is_empty(),
        "there is nothing, and that is known"
    );
}
