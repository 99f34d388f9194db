//! What a person can rely on when they search their workspace, on a real disk.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on fails"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use foretell_index::{BuildOutcome, Index, SearchError, StoreOrigin, UpdateError};
use foretell_text::{ChunkKind, FilePath, Language};

use crate::workspace::{NOTHING, Workspace, found, update};

const CLIENT: &str =
    "export async function apiRequest(endpoint: string) {\n  return fetch(endpoint);\n}\n";
const STORE: &str = "/// Keeps users.\npub struct UserStore {\n    users: Vec<User>,\n}\n\npub fn load_user_store() -> UserStore {\n    UserStore { users: Vec::new() }\n}\n";

fn two_files() -> Workspace {
    Workspace::with(&[("src/client.ts", CLIENT), ("src/store.rs", STORE)])
}

#[test]
fn code_is_found_by_the_words_of_its_names() {
    let workspace = two_files();
    let index = workspace.indexed();
    assert_eq!(index.origin(), &StoreOrigin::New);
    for query in ["apiRequest", "api_request", "how is an API request made?"] {
        assert_eq!(found(&index, query)[0], "src/client.ts", "{query}");
    }
    assert_eq!(found(&index, "load user store"), ["src/store.rs"]);
    assert_eq!(found(&index, "nonsense"), NOTHING);
}

#[test]
fn a_chunk_says_where_and_what_it_is() {
    let workspace = two_files();
    let index = workspace.indexed();
    let chunks = index.search("load_user_store", 1, &|| false).unwrap();
    let chunk = &chunks[0];
    assert_eq!(chunk.file, FilePath::new("src/store.rs"));
    assert_eq!(chunk.lines, 6..=8);
    assert_eq!(chunk.language, Language::new("rust"));
    assert_eq!(chunk.kind, ChunkKind::Function);
    assert_eq!(chunk.name.as_deref(), Some("load_user_store"));
    assert!(chunk.text.starts_with("pub fn load_user_store"));
}

#[test]
fn a_definition_comes_before_its_uses() {
    let uses = "fn a() {\n    open_door();\n    open_door();\n}\n";
    let definition = "fn open_door() {\n    let hinge = 1;\n    swing(hinge);\n}\n";
    let workspace = Workspace::with(&[("a.rs", uses), ("b.rs", definition)]);
    assert_eq!(found(&workspace.indexed(), "open_door"), ["b.rs", "a.rs"]);
}

#[test]
fn nothing_in_a_query_means_anything_but_words() {
    let workspace = two_files();
    let index = workspace.indexed();
    for query in [
        "path:src AND (",
        "\"load user",
        "a^b~ [x TO y] -",
        "*",
        "",
        "\0\u{feff}",
    ] {
        index.search(query, 10, &|| false).unwrap();
    }
    let long =
        "word ".repeat(100_000) + &(0..9_999).map(|it| format!("w{it}x ")).collect::<String>();
    index.search(&long, 10, &|| false).unwrap();
    assert!(index.search("user", 0, &|| false).unwrap().is_empty());
    let stopped = index.search("user", 10, &|| true);
    assert!(matches!(stopped, Err(SearchError::Stopped)));
}

#[test]
fn progress_accounts_for_every_file() {
    let workspace = two_files();
    workspace.write("image.png", b"\x89PNG\0\0");
    workspace.write("secret.txt", "password");
    workspace.exclude("secret");
    let index = workspace.open();
    let last = Cell::new(None);
    let report = index.update(&|it| last.set(Some(it)), &|| false).unwrap();
    let last = last.get().unwrap();
    assert!(last.is_all_found);
    assert_eq!((last.found, last.done), (4, 4));
    assert_eq!(
        (report.added, report.excluded, report.skipped.len()),
        (2, 1, 1)
    );
    assert_eq!(last.lines, 11);
    let status = index.status().unwrap();
    assert_eq!((status.files, status.not_text, status.lines), (2, 1, 11));
    assert_eq!(status.languages["rust"], 1);
    assert!(status.chunks >= 2 && status.bytes_on_disk > 0 && status.built.is_some());
}

#[test]
fn reopening_reads_only_what_changed() {
    let workspace = two_files();
    workspace.write("image.png", b"\x89PNG\0\0");
    workspace.settle();
    drop(workspace.indexed());
    let index = workspace.open();
    assert_eq!(index.origin(), &StoreOrigin::Existing);
    assert_eq!(found(&index, "user store"), ["src/store.rs"]);
    let report = update(&index);
    assert_eq!(
        (report.read, report.unchanged, report.skipped.len()),
        (0, 2, 1)
    );

    workspace.write("src/client.ts", "function sendLetter() {}\n");
    let report = update(&index);
    assert_eq!((report.read, report.changed, report.unchanged), (1, 1, 1));
    assert_eq!(found(&index, "send letter"), ["src/client.ts"]);
    assert_eq!(found(&index, "apiRequest"), NOTHING);
}

#[test]
fn a_file_that_is_only_touched_is_not_cut_up_again() {
    let workspace = two_files();
    workspace.settle();
    let index = workspace.indexed();
    workspace.write("src/store.rs", STORE);
    workspace.settle();
    let report = update(&index);
    assert_eq!((report.read, report.changed, report.unchanged), (1, 0, 2));
    assert_eq!(update(&index).read, 0);
    assert_eq!(found(&index, "load_user_store"), ["src/store.rs"]);
}

#[test]
fn a_change_is_found_at_once_and_survives() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write("src/store.rs", "pub fn freshly_made() {}\n");
    let followed = index.changed(&workspace.path("src/store.rs")).unwrap();
    assert_eq!((followed.changed, followed.removed), (1, 0));
    assert_eq!(found(&index, "freshly_made"), ["src/store.rs"]);
    assert_eq!(found(&index, "load_user_store"), NOTHING);
    // Nobody wrote it to disk yet.
    assert_eq!(found(&workspace.open(), "freshly_made"), NOTHING);
    assert_eq!(index.flush().unwrap(), 0);
    for index in [index, workspace.open()] {
        assert_eq!(found(&index, "freshly_made"), ["src/store.rs"]);
        assert_eq!(found(&index, "load_user_store"), NOTHING);
    }
}

#[test]
fn what_is_created_renamed_and_removed_is_followed() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write("src/new/door.rs", "fn open_door() {}\n");
    index.changed(Path::new("src/new/door.rs")).unwrap();
    assert_eq!(found(&index, "open_door"), ["src/new/door.rs"]);

    workspace.rename("src/new", "src/old");
    index.changed(Path::new("src/new")).unwrap();
    index.changed(Path::new("src/old")).unwrap();
    assert_eq!(found(&index, "open_door"), ["src/old/door.rs"]);

    index.flush().unwrap();
    workspace.rename("src", "lib");
    let followed = index.changed(&workspace.path("src")).unwrap();
    assert_eq!(followed.removed, 3);
    assert_eq!(found(&index, "open_door"), NOTHING);
    index.changed(&workspace.path("lib")).unwrap();
    assert_eq!(found(&index, "open_door"), ["lib/old/door.rs"]);

    workspace.delete("lib/old/door.rs");
    index.changed(&workspace.path("lib/old/door.rs")).unwrap();
    assert_eq!(found(&index, "open_door"), NOTHING);
    assert_eq!(index.flush().unwrap(), 0);
    assert_eq!(found(&index, "load_user_store"), ["lib/store.rs"]);
    let report = update(&index);
    assert_eq!((report.added, report.changed, report.removed), (0, 0, 0));
}

#[test]
fn what_is_outside_is_none_of_its_business() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write("../outside.rs", "fn outside_thing() {}\n");
    for path in ["../outside.rs", "/etc/passwd", "src/../../outside.rs"] {
        let followed = index.changed(Path::new(path)).unwrap();
        assert_eq!(followed, Default::default(), "{path}");
    }
    assert_eq!(found(&index, "outside_thing"), NOTHING);
}

#[test]
fn an_open_document_hides_its_file() {
    let workspace = two_files();
    let index = workspace.indexed();
    let (file, rust) = (FilePath::new("src/store.rs"), Language::new("rust"));
    index.opened(&file, &rust, "fn unsaved_thing() {}\n");
    assert_eq!(found(&index, "unsaved_thing"), ["src/store.rs"]);
    assert_eq!(found(&index, "load_user_store"), NOTHING);
    index.opened(&file, &rust, "fn other_thing() {}\n");
    assert_eq!(found(&index, "unsaved_thing other"), ["src/store.rs"]);
    assert_eq!(found(&index, "unsaved"), NOTHING);
    // Another program writes the file meanwhile: what is on screen counts.
    workspace.write("src/store.rs", "fn on_disk() {}\n");
    index.changed(&workspace.path("src/store.rs")).unwrap();
    assert_eq!(found(&index, "other_thing"), ["src/store.rs"]);
    assert_eq!(found(&index, "on_disk"), NOTHING);
    index.flush().unwrap();
    assert_eq!(found(&index, "on_disk"), NOTHING);
    index.closed(&file);
    assert_eq!(found(&index, "other_thing"), NOTHING);
    assert_eq!(found(&index, "on_disk"), ["src/store.rs"]);
}

#[test]
fn open_documents_and_files_are_ranked_together() {
    let uses = "fn a() {\n    open_door();\n    open_door();\n}\n";
    let definition = "fn open_door() {\n    let hinge = 1;\n    swing(hinge);\n}\n";
    for (open, text) in [("a.rs", uses), ("b.rs", definition)] {
        let workspace = Workspace::with(&[("a.rs", uses), ("b.rs", definition)]);
        let index = workspace.indexed();
        index.opened(&FilePath::new(open), &Language::new("rust"), text);
        assert_eq!(found(&index, "open_door"), ["b.rs", "a.rs"], "{open}");
    }
}

#[test]
fn a_document_is_judged_as_its_file_is() {
    let workspace = two_files();
    workspace.write(".gitignore", "generated\n");
    workspace.write("generated/a.rs", "");
    workspace.write("secret.rs", "");
    workspace.exclude("secret");
    let index = workspace.indexed();
    for name in [
        "generated/a.rs",
        "secret.rs",
        "untitled.rs",
        "../outside.rs",
    ] {
        let file = FilePath::new(name);
        index.opened(&file, &Language::new("rust"), "fn hush_hush() {}\n");
        assert_eq!(found(&index, "hush_hush"), NOTHING, "{name}");
    }
}

#[test]
fn what_becomes_excluded_is_never_found_again() {
    let workspace = two_files();
    let index = workspace.indexed();
    index.opened(
        &FilePath::new("src/client.ts"),
        &Language::new("typescript"),
        CLIENT,
    );
    workspace.exclude("src/store");
    workspace.exclude("client");
    // At once, although nobody told.
    assert_eq!(found(&index, "load_user_store apiRequest"), NOTHING);
    let report = update(&index);
    assert_eq!((report.removed, report.excluded), (2, 2));
    let status = index.status().unwrap();
    assert_eq!((status.files, status.chunks), (0, 0));
}

#[test]
fn an_ignore_file_holds_when_it_changes() {
    let workspace = two_files();
    let index = workspace.indexed();
    for (name, line) in [
        (".gitignore", "*.rs\n"),
        ("src/.foretellignore", "store.*\n"),
    ] {
        workspace.write(name, line);
        assert!(index.changed(&workspace.path(name)).unwrap().owes_update);
        let report = update(&index);
        assert_eq!((report.added, report.removed), (0, 1), "{name}");
        assert_eq!(found(&index, "load_user_store"), NOTHING);
        workspace.delete(name);
        assert!(index.changed(&workspace.path(name)).unwrap().owes_update);
        let report = update(&index);
        assert_eq!((report.added, report.removed), (1, 0), "{name}");
        assert_eq!(found(&index, "load_user_store"), ["src/store.rs"]);
    }
}

#[test]
fn a_file_renamed_to_an_excluded_name_in_any_case_is_gone() {
    let workspace = two_files();
    workspace.exclude(".env");
    let index = workspace.indexed();
    workspace.rename("src/store.rs", "src/prod.ENV");
    for name in ["src/store.rs", "src/prod.ENV"] {
        index.changed(&workspace.path(name)).unwrap();
    }
    assert_eq!(found(&index, "load_user_store"), NOTHING);
    index.flush().unwrap();
    update(&index);
    assert_eq!(index.status().unwrap().files, 1);
}

#[cfg(unix)]
#[test]
fn a_link_brings_nothing_in() {
    use std::os::unix::fs::symlink;

    let workspace = two_files();
    workspace.write("secret.txt", "hush hush");
    workspace.write("../outside/a.rs", "fn outside_thing() {}\n");
    workspace.exclude("secret");
    symlink("secret.txt", workspace.path("notes.txt")).unwrap();
    symlink("../outside", workspace.path("vendor")).unwrap();
    symlink(".", workspace.path("loop")).unwrap();
    symlink("nowhere", workspace.path("broken")).unwrap();
    let index = workspace.indexed();
    let names = [
        "notes.txt",
        "vendor",
        "vendor/a.rs",
        "loop",
        "loop/src/store.rs",
        "broken",
    ];
    for name in names {
        index.changed(&workspace.path(name)).unwrap();
        index.opened(
            &FilePath::new(name),
            &Language::new("rust"),
            "fn hush_hush() {}\n",
        );
    }
    assert_eq!(found(&index, "hush outside_thing"), NOTHING);
    assert_eq!(found(&index, "load_user_store"), ["src/store.rs"]);
    assert_eq!(index.status().unwrap().files, 2);
}

#[test]
fn there_are_never_more_files_than_allowed() {
    let mut workspace = two_files();
    workspace.most_files = 1;
    let index = workspace.open();
    let report = update(&index);
    assert_eq!((report.added, report.reached_limit), (1, true));
    assert_eq!(found(&index, "apiRequest"), ["src/client.ts"]);
    assert_eq!(found(&index, "load_user_store"), NOTHING);
}

#[test]
fn a_stop_is_obeyed_and_nothing_is_lost_by_it() {
    let workspace = two_files();
    for number in 0..200 {
        workspace.write(
            &format!("m{number}.rs"),
            format!("fn module_{number}() {{}}\n"),
        );
    }
    let index = workspace.open();
    let done = RefCell::new(0);
    let asked = AtomicUsize::new(0);
    let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) > 100;
    let report = index
        .update(&|it| *done.borrow_mut() = it.done, &is_stopped)
        .unwrap();
    assert_eq!(report.outcome, BuildOutcome::Stopped);
    assert!(*done.borrow() < 202);
    let at_once = index.update(&|_| {}, &|| true).unwrap();
    assert_eq!(at_once.outcome, BuildOutcome::Stopped);
    let report = update(&index);
    assert_eq!(report.outcome, BuildOutcome::Finished);
    assert_eq!(index.status().unwrap().files, 202);
    // Nothing of what is known is forgotten by one that was stopped.
    index.update(&|_| {}, &|| true).unwrap();
    assert_eq!(index.status().unwrap().files, 202);
}

#[test]
fn two_indexes_of_one_directory_see_each_other() {
    let workspace = two_files();
    let one = workspace.indexed();
    let other = workspace.open();
    assert_eq!(found(&other, "apiRequest"), ["src/client.ts"]);

    workspace.write("src/door.rs", "fn open_door() {}\n");
    one.changed(&workspace.path("src/door.rs")).unwrap();
    other.changed(&workspace.path("src/door.rs")).unwrap();
    one.flush().unwrap();
    assert_eq!(found(&other, "open_door"), ["src/door.rs"]);
    // Both write what both know: it is there once.
    other.flush().unwrap();
    for index in [&one, &other] {
        assert_eq!(index.search("open_door", 10, &|| false).unwrap().len(), 1);
    }
    workspace.delete("src/door.rs");
    assert_eq!(update(&other).removed, 1);
    assert_eq!(found(&one, "open_door"), NOTHING);
}

#[test]
fn while_one_writes_the_other_reads() {
    let workspace = two_files();
    let one = workspace.indexed();
    let other = workspace.open();
    workspace.write("src/door.rs", "fn open_door() {}\n");
    let outcome = Cell::new(None);
    let in_between = || {
        if outcome.get().is_none() {
            other.changed(&workspace.path("src/door.rs")).unwrap();
            assert_eq!(found(&other, "apiRequest"), ["src/client.ts"]);
            assert_eq!(other.flush().unwrap(), 1);
            outcome.set(Some(update(&other).outcome));
        }
    };
    one.update(&|_| in_between(), &|| false).unwrap();
    assert_eq!(outcome.get(), Some(BuildOutcome::WrittenByAnother));
    assert_eq!(found(&other, "open_door"), ["src/door.rs"]);
    assert_eq!(update(&other).outcome, BuildOutcome::Finished);
    assert_eq!(other.flush().unwrap(), 0);
    assert_eq!(found(&one, "open_door"), ["src/door.rs"]);
}

#[test]
fn a_search_does_not_wait_for_an_update() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write("src/door.rs", "fn open_door() {}\n");
    let searched = Cell::new(0);
    let search = || {
        assert_eq!(found(&index, "apiRequest"), ["src/client.ts"]);
        index.changed(&workspace.path("src/door.rs")).unwrap();
        assert_eq!(found(&index, "open_door"), ["src/door.rs"]);
        searched.set(searched.get() + 1);
    };
    index.update(&|_| search(), &|| false).unwrap();
    assert!(searched.get() >= 3);
    assert_eq!(index.flush().unwrap(), 0);
    assert_eq!(index.search("open_door", 9, &|| false).unwrap().len(), 1);
}

#[test]
fn what_is_removed_is_gone_and_can_begin_anew() {
    let workspace = two_files();
    let index = workspace.indexed();
    std::fs::write(workspace.directory().join("mine.txt"), "not the index's").unwrap();
    workspace.clean();
    let left: Vec<_> = workspace
        .directory()
        .read_dir()
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(left.len(), 1);
    assert!(index.search("user", 1, &|| false).is_err());
    assert!(update(&index).rebuilt.is_some());
    assert_eq!(found(&index, "apiRequest"), ["src/client.ts"]);
}

#[test]
fn a_workspace_that_is_away_is_not_forgotten() {
    let workspace = two_files();
    let index = workspace.indexed();
    std::fs::rename(
        workspace.root(),
        workspace.directory().with_extension("away"),
    )
    .unwrap();
    let error = index.update(&|_| {}, &|| false).unwrap_err();
    assert!(matches!(error, UpdateError::NoWorkspace { .. }));
    assert_eq!(index.status().unwrap().files, 2);
}

#[test]
fn an_index_within_its_workspace_does_not_index_itself() {
    let workspace = two_files();
    let directory = workspace.path("cache/index");
    let index = Index::open(workspace.options_in(&directory)).unwrap();
    for _ in 0..2 {
        update(&index);
        assert_eq!(index.status().unwrap().files, 2);
    }
}

#[test]
fn a_change_that_nobody_told_of_is_not_undone_by_an_older_one() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write("src/store.rs", "fn second_store() {}\n");
    workspace.delete("src/client.ts");
    for name in ["src/store.rs", "src/client.ts"] {
        index.changed(&workspace.path(name)).unwrap();
    }
    // Neither of these is told.
    workspace.write("src/store.rs", "fn third_store() {}\n");
    workspace.write("src/client.ts", "function clientAgain() {}\n");
    assert_eq!(update(&index).outcome, BuildOutcome::Finished);
    for _ in 0..2 {
        assert_eq!(found(&index, "third"), ["src/store.rs"]);
        assert_eq!(found(&index, "second"), NOTHING);
        assert_eq!(found(&index, "clientAgain"), ["src/client.ts"]);
        assert_eq!(index.flush().unwrap(), 0);
    }
    assert_eq!(index.status().unwrap().files, 2);
}

/// Whoever says what is excluded is asked in the middle of a search, and here has it written what
/// waits.
#[test]
fn a_file_that_is_written_while_it_is_searched_is_found_once() {
    let better = "fn open_door() {}\n";
    let workspace = Workspace::with(&[("a.rs", better), ("b.rs", "fn shut() { open_door() }\n")]);
    let opened: Arc<OnceLock<Weak<Index>>> = Arc::default();
    let mut options = workspace.options();
    let written = Arc::clone(&opened);
    options.excluded = Arc::new(move |_| {
        let index = written.get().and_then(Weak::upgrade);
        index.is_some_and(|index| index.flush().unwrap() > 0)
    });
    let index = Arc::new(Index::open(options).unwrap());
    update(&index);
    workspace.write("b.rs", "fn shut_again() { open_door() }\n");
    index.changed(&workspace.path("b.rs")).unwrap();
    opened.set(Arc::downgrade(&index)).unwrap();
    let chunks = index.search("open_door", 10, &|| false).unwrap();
    let names: Vec<_> = chunks.iter().filter_map(|it| it.name.as_deref()).collect();
    assert_eq!(names, ["open_door", "shut_again"]);
}

#[test]
fn a_large_file_that_is_hidden_is_asked_for_once() {
    let popular = |number: usize| format!("fn popular_{number}() {{\n    popular();\n}}\n\n");
    let large: String = (0..500).map(popular).collect();
    let workspace = Workspace::with(&[("a.rs", &large), ("b.rs", &large)]);
    workspace.write("z.rs", "fn other() { first(popular()) }\n");
    drop(workspace.indexed());
    workspace.exclude("a.rs");
    workspace.exclude("b.rs");
    let asked = Arc::new(AtomicUsize::new(0));
    let mut options = workspace.options();
    let (excluded, count) = (options.excluded, Arc::clone(&asked));
    options.excluded = Arc::new(move |file| {
        count.fetch_add(1, Ordering::Relaxed);
        excluded(file)
    });
    let index = Index::open(options).unwrap();
    assert_eq!(found(&index, "popular"), ["z.rs"]);
    assert_eq!(asked.load(Ordering::Relaxed), 3);
}

#[test]
fn a_search_that_has_found_much_is_stopped_all_the_same() {
    let popular = |number: usize| format!("fn popular_{number}() {{\n    popular();\n}}\n\n");
    let large: String = (0..100).map(popular).collect();
    let workspace = Workspace::with(&[("a.rs", &large)]);
    let index = workspace.indexed();
    let asked = Cell::new(0);
    let is_stopped = || asked.replace(asked.get() + 1) >= 50;
    let stopped = index.search("popular", 100, &is_stopped);
    assert!(matches!(stopped, Err(SearchError::Stopped)));
}

#[test]
fn a_document_that_becomes_ignored_while_it_is_open_is_not_found() {
    let workspace = two_files();
    let index = workspace.indexed();
    let (file, rust) = (FilePath::new("src/store.rs"), Language::new("rust"));
    index.opened(&file, &rust, "fn unsaved_thing() {}\n");
    workspace.write(".gitignore", "store.rs\n");
    update(&index);
    assert_eq!(found(&index, "unsaved_thing"), NOTHING);
    index.opened(&file, &rust, "fn typed_on() {}\n");
    assert_eq!(found(&index, "typed_on"), NOTHING);
    workspace.delete(".gitignore");
    update(&index);
    index.opened(&file, &rust, "fn typed_on() {}\n");
    assert_eq!(found(&index, "typed_on"), ["src/store.rs"]);
}

#[test]
fn a_file_too_many_stays_out_when_it_comes() {
    let mut workspace = two_files();
    workspace.most_files = 3;
    let index = workspace.indexed();
    let come = |name: &str, limit: bool| {
        workspace.write(name, "fn more() {}\n");
        let followed = index.changed(&workspace.path(name)).unwrap();
        assert_eq!(followed.reached_limit, limit, "{name}");
    };
    come("c.rs", false);
    come("d.rs", true);
    index.flush().unwrap();
    come("e.rs", true);
    // Those that are known may change, and one that goes leaves room.
    come("c.rs", false);
    workspace.delete("src/client.ts");
    index.changed(&workspace.path("src/client.ts")).unwrap();
    come("f.rs", false);
    index.flush().unwrap();
    assert_eq!(index.status().unwrap().files, 3);
    assert_eq!(found(&index, "more"), ["c.rs", "f.rs"]);
}

#[test]
fn a_stop_is_obeyed_where_there_are_only_directories() {
    let workspace = two_files();
    for number in 0..200 {
        std::fs::create_dir(workspace.path(&format!("empty{number}"))).unwrap();
    }
    let index = workspace.open();
    let asked = AtomicUsize::new(0);
    let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) >= 100;
    let report = index.update(&|_| {}, &is_stopped).unwrap();
    assert_eq!(report.outcome, BuildOutcome::Stopped);
}

#[test]
fn a_file_that_says_what_is_ignored_asks_for_an_update() {
    let workspace = two_files();
    let index = workspace.indexed();
    workspace.write(".gitignore", "*.rs\n");
    for path in [".gitignore", "src/.ignore", ".foretellignore", ""] {
        let followed = index.changed(&workspace.path(path)).unwrap();
        assert!(followed.owes_update, "{path}");
    }
    let followed = index.changed(&workspace.path("src/client.ts")).unwrap();
    assert!(!followed.owes_update);
    update(&index);
    assert_eq!(found(&index, "load_user_store"), NOTHING);
}

#[test]
fn what_is_secret_in_a_whole_file_is_known_of_each_of_its_parts() {
    let paragraph = |number: usize| format!("alpha line {number}\nbeta line {number}\n\n");
    let paragraphs: String = (0..60).map(paragraph).collect();
    let text = format!("public alpha\n\n<<{paragraphs}>>\n\npublic alpha again\n");
    let workspace = Workspace::with(&[("a.txt", &*text)]);
    let check = |index: &Index, what: &str| {
        let chunks = index.search("alpha", 100, &|| false).unwrap();
        assert!(chunks.len() > 2, "{what}: {chunks:?}");
        let mut told = String::new();
        for chunk in chunks {
            let mut rest = chunk.text.to_string();
            for secret in chunk.secrets.iter().rev() {
                rest.replace_range(secret.start().get()..secret.end().get(), "");
            }
            told.push_str(&rest);
        }
        assert!(!told.contains("line"), "{what}: {told}");
        assert!(told.contains("public alpha again"), "{what}: {told}");
    };
    check(&workspace.indexed(), "as it was built");
    let index = workspace.open();
    check(&index, "as it was kept");
    index.opened(&FilePath::new("a.txt"), &Language::new("plaintext"), &text);
    check(&index, "as it is open");
    index.closed(&FilePath::new("a.txt"));
    workspace.write("a.txt", format!("{text}\nchanged\n"));
    index.changed(&workspace.path("a.txt")).unwrap();
    check(&index, "as it waits to be written");
    index.flush().unwrap();
    check(&index, "as it was written");
}
