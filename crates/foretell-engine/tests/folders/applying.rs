//! Whose settings apply, which files were read for that, and when they have to be read again.

use std::fs;
use std::path::Path;

use foretell_engine::LoadedFolders;
use foretell_engine::folders::ApplicableSettings;

use crate::machine::{Machine, editor, excludes};

#[test]
fn without_a_folder_the_persons_settings_apply() {
    let machine = Machine::with(&[("config/config.toml", "pace.baseMs = 300")]);
    let loaded = machine.load(&[]);
    assert_eq!(loaded.settings.pace.base.get(), 300);
    assert_eq!(loaded.faults, [""; 0]);
    let file = machine.path("elsewhere/a.rs");
    assert_eq!(
        loaded.folders.name_of(&file).as_str(),
        file.to_str().unwrap()
    );
    assert!(!excludes(&loaded, file.to_str().unwrap()));
    assert!(excludes(&loaded, machine.path(".env").to_str().unwrap()));
    // Not a file, but named like one.
    assert!(!excludes(&loaded, "Untitled-1"));
    assert!(excludes(&loaded, ".env"));
}

#[test]
fn homes_have_their_order_and_the_first_folder_wins() {
    let machine = Machine::with(&[
        (
            "config/config.toml",
            "pace.baseMs = 1\npace.minMs = 1\npace.idleMs = 1\nrace.holdMs = 1",
        ),
        (
            "one/.foretell.toml",
            "pace.baseMs = 2\npace.minMs = 2\npace.idleMs = 2",
        ),
        (
            "two/.foretell.toml",
            "pace.baseMs = 3\npace.minMs = 3\nrace.graceMs = 3",
        ),
    ]);
    let given = [editor(r#"{"pace": {"idleMs": 4}}"#)];
    let loaded = machine.load_with(&["one", "two"], &given, None);
    let settings = &loaded.settings;
    let of = |loaded: &LoadedFolders| loaded.settings.pace.base.get();
    assert_eq!((of(&loaded), settings.pace.min.get()), (2, 2));
    assert_eq!(settings.pace.idle.get(), 4, "the editor has the last word");
    assert_eq!(settings.race.hold.get(), 1);
    assert_eq!(settings.race.grace.get(), 3, "what only the second says");
    assert_eq!(of(&machine.load(&["two", "one"])), 3);
    assert_eq!(of(&machine.load(&["two"])), 3);
}

#[test]
fn a_stamp_is_current_until_something_changes() {
    let machine = Machine::with(&[("config/config.toml", "gate.enabled = false")]);
    fs::create_dir(machine.path("app")).unwrap();
    // What was written this very moment is looked at again.
    let settled = || loop {
        let loaded = machine.load(&["app"]);
        if loaded.stamp.is_current() {
            return loaded;
        }
        std::thread::yield_now();
    };
    type Change = fn(&Machine);
    let changes: [Change; 6] = [
        |it| it.write("config/config.toml", "gate.enabled = true"),
        |it| it.write("app/.foretell.toml", "race.holdMs = 1"),
        |it| it.write("app/.foretell.toml", "race.holdMs = 2"),
        |it| fs::remove_file(it.path("app/.foretell.toml")).unwrap(),
        |it| fs::create_dir(it.path(".git")).unwrap(),
        |it| fs::remove_file(it.path("config/config.toml")).unwrap(),
    ];
    for change in changes {
        let loaded = settled();
        assert!(loaded.stamp.is_current());
        change(&machine);
        assert!(!loaded.stamp.is_current());
    }
    // Nobody cares for what a repository does.
    let loaded = settled();
    machine.write(".git/index.lock", "");
    machine.write("app/a.rs", "");
    assert!(loaded.stamp.is_current());
}

#[test]
fn it_is_known_which_files_were_read_and_what_of_them_applies() {
    let machine = Machine::with(&[
        (
            "config/config.toml",
            "gate.enabled = false\npace.baseMs = 'x'",
        ),
        ("two/.foretell.toml", "="),
    ]);
    fs::create_dir(machine.path("one")).unwrap();
    let loaded = machine.load(&["one", "two"]);
    let sources = loaded.sources.iter();
    let sources = sources.map(|it| {
        let file = it.file.strip_prefix(machine.path("")).unwrap();
        format!("{} {}: {}", it.home, file.display(), it.applies)
    });
    assert_eq!(
        sources.collect::<Vec<_>>(),
        [
            "user file config/config.toml: 1 setting applies, 1 does not",
            "workspace file one/.foretell.toml: there is none",
            "workspace file two/.foretell.toml: nothing in it applies",
        ]
    );
    assert_eq!(loaded.sources[1].applies, ApplicableSettings::Absent);
}

#[test]
fn a_folder_that_is_not_there_is_no_reason_to_stop() {
    let machine = Machine::with(&[]);
    let loaded = machine.load(&["gone"]);
    assert_eq!(loaded.faults, [""; 0]);
    assert!(!excludes(&loaded, "a.rs"));
    assert!(
        loaded
            .stamp
            .files()
            .any(|it| it.ends_with(Path::new("gone/.foretell.toml")))
    );
}
