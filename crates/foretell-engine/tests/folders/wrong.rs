//! What is wrong in settings: what is said of it, and what applies until it is corrected.

use std::fs;

use crate::machine::{Machine, editor, excludes};

#[test]
fn what_is_wrong_is_said_with_its_place_and_the_nearest_name() {
    let machine = Machine::with(&[
        (
            "config/config.toml",
            "[trigger]\nenabld = false\n[pace]\nbaseMs = 'x'",
        ),
        (
            "app/.foretell.toml",
            "\n  race.holdMss = 1\nlog.level = 'trace'",
        ),
    ]);
    let given = [editor(r#"{"gate": {"enabled": 3}}"#)];
    let loaded = machine.load_with(&["app"], &given, None);
    assert_eq!(
        machine.faults(&loaded),
        [
            r#"config/config.toml:2:1: unknown setting "trigger.enabld"; did you mean "trigger.enabled"?"#,
            "config/config.toml:4:1: pace.baseMs is a text, but must be a whole number",
            r#"app/.foretell.toml:2:8: unknown setting "race.holdMss"; did you mean "race.holdMs"?"#,
            "app/.foretell.toml:3:5: log.level is refused in a workspace file, because cloned code must \
             not decide where code is sent, what is run or what is read; set it in your own config.toml",
            "editor:1:11: gate.enabled is a number, but must be true or false",
        ]
    );
    assert!(!loaded.excludes_everything());
}

#[test]
fn what_is_wrong_cannot_do_anything_to_whoever_shows_it() {
    let machine = Machine::with(&[("app\u{1b}[2J\n/.foretell.toml", "'\u{1b}]0;x' = 1\nx =")]);
    let loaded = machine.load(&["app\u{1b}[2J\n"]);
    assert!(!loaded.faults.is_empty());
    for fault in &loaded.faults {
        assert!(!fault.chars().any(char::is_control), "{fault:?}");
    }
}

#[test]
fn while_nobody_knows_what_is_excluded_no_model_is_told_anything() {
    let unknown = [
        "context.exclude = [",
        "context.exclude = 'secret/'",
        "context = 3",
        "context.excludes = ['secret/']",
        "context.exclude = ['a[']",
        "languages.rust.context.exclude = 1",
    ];
    for text in unknown {
        for file in ["app/.foretell.toml", ".foretell.toml", "config/config.toml"] {
            let machine = Machine::with(&[("app/.git/HEAD", ""), (file, text)]);
            let loaded = machine.load(&["app"]);
            assert!(excludes(&loaded, "src/a.rs"), "{file}: {text}");
            assert!(excludes(&loaded, "/etc/hosts"), "{file}: {text}");
            let end = "what it was to exclude is not known, so no model is told anything until that \
                       is corrected";
            let faults = machine.faults(&loaded);
            let is_it = |it: &String| it.starts_with(file) && it.ends_with(end);
            assert!(faults.iter().any(is_it), "{text}: {faults:?}");
            let place = format!("{file}:1:");
            let is_placed = |it: &String| it.starts_with(&place);
            assert!(faults.iter().any(is_placed), "what is wrong: {faults:?}");

            machine.write(file, "gate.enabled = false");
            let mended = machine.load_with(&["app"], &[], Some(&loaded));
            assert!(!excludes(&mended, "src/a.rs"));
            assert_eq!(mended.faults, [""; 0]);
        }
    }
}

#[test]
fn what_is_being_typed_does_not_take_back_what_was_understood() {
    for file in ["app/.foretell.toml", "config/config.toml"] {
        let good = "gate.enabled = false\ncontext.exclude = ['/secret']\n";
        let machine = Machine::with(&[("app/.git/HEAD", ""), (file, good)]);
        let mut loaded = machine.load(&["app"]);
        // A slip in the syntax: all of it stays as it was.
        machine.write(file, "gate.enabled = true\ncontext.exclude = ['/sec\n");
        for _ in 0..2 {
            loaded = machine.load_with(&["app"], &[], Some(&loaded));
            assert!(!loaded.settings.gate.enabled);
            assert!(excludes(&loaded, "secret/a.rs") && !excludes(&loaded, "a.rs"));
            let faults = machine.faults(&loaded);
            let says = "; what it said before applies until that is corrected";
            assert!(faults[0].ends_with(says), "{faults:?}");
            assert!(faults[0].starts_with(&format!("{file}:2:")), "{faults:?}");
            assert_eq!(faults.len(), 1, "and nothing that says otherwise");
        }
        // A slip in what is excluded: that stays, and the rest is new.
        machine.write(file, "gate.enabled = true\ncontext.exclude = '/other'\n");
        loaded = machine.load_with(&["app"], &[], Some(&loaded));
        assert!(loaded.settings.gate.enabled);
        assert!(excludes(&loaded, "secret/a.rs") && !excludes(&loaded, "a.rs"));
        // A file that nobody may read, or that is none.
        fs::remove_file(machine.path(file)).unwrap();
        fs::create_dir(machine.path(file)).unwrap();
        loaded = machine.load_with(&["app"], &[], Some(&loaded));
        assert!(loaded.settings.gate.enabled);
        assert!(excludes(&loaded, "secret/a.rs") && !excludes(&loaded, "a.rs"));
        // And gone for good.
        fs::remove_dir(machine.path(file)).unwrap();
        loaded = machine.load_with(&["app"], &[], Some(&loaded));
        assert!(loaded.settings.gate.enabled && !excludes(&loaded, "secret/a.rs"));
        assert_eq!(loaded.faults, [""; 0]);
        // What is not understood from the beginning has nothing before it.
        machine.write(file, "context.exclude = [");
        loaded = machine.load_with(&["app"], &[], Some(&loaded));
        assert!(excludes(&loaded, "a.rs"));
    }
}
