//! What is kept on disk, and what is not: somebody else's files stay, and what may not be known any
//! more, what was never finished, and what is in nobody's list goes.
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on fails"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;

use foretell_index::{BuildOutcome, Index, KeptIndex, StoreError, StoreOrigin, directory_for};
use foretell_index::{kept_at, kept_in};

use crate::workspace::{NOTHING, Workspace, found, update};

fn two_files() -> Workspace {
    Workspace::with(&[
        ("a.rs", "fn open_door() {}\n"),
        ("b.py", "def close_door():\n    pass\n"),
    ])
}

/// Where the indexes of a test are, and that of its workspace among them.
fn places(workspace: &Workspace) -> (PathBuf, PathBuf) {
    let all = workspace.root().parent().unwrap().join("all");
    let own = directory_for(&all, &workspace.root());
    (all, own)
}

fn kept_index(workspace: &Workspace) -> (KeptIndex, Index) {
    let (_, own) = places(workspace);
    let index = Index::open(workspace.options_in(&own)).unwrap();
    update(&index);
    (kept_at(&own).unwrap(), index)
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = directory.read_dir().unwrap().map(|it| it.unwrap());
    let mut names: Vec<_> = entries
        .map(|it| it.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn is_on_disk(directory: &Path, word: &str) -> bool {
    let has = |name: String| {
        let content = fs::read(directory.join(name)).unwrap();
        let mut parts = content.windows(word.len());
        parts.any(|it| it == word.as_bytes())
    };
    names_in(directory).into_iter().any(has)
}

/// The files of segments that no commit names.
fn rubbish(directory: &Path) -> Vec<String> {
    let commit = fs::read_to_string(directory.join("meta.json")).unwrap();
    let commit = commit.replace('-', "");
    let is_named = |name: &String| match name.split_once('.') {
        Some((id, _)) if id.len() == 32 => commit.contains(id),
        _ => !name.starts_with(".tmp"),
    };
    let mut names = names_in(directory);
    names.retain(|name| !is_named(name));
    names
}

#[test]
fn clean_left_the_pictures_of_a_person_alone() {
    let place = tempfile::tempdir().unwrap();
    let picture = format!("{}.png", "0123456789abcdef".repeat(2));
    let files = ["meta.json", "format", "workspace", &picture];
    // Neither is named like an index and has something of one in it.
    for directory in ["app", "app-0123456789abcdef"] {
        let directory = place.path().join(directory);
        fs::create_dir(&directory).unwrap();
        for name in files {
            fs::write(directory.join(name), "mine").unwrap();
        }
    }
    let directory = place.path().join("empty-0123456789abcdef");
    fs::create_dir(directory).unwrap();
    assert_eq!(kept_in(place.path()), []);
}

#[cfg(unix)]
#[test]
fn an_index_behind_a_link_is_somebody_elses() {
    let workspace = two_files();
    let (kept, _index) = kept_index(&workspace);
    let elsewhere = workspace.root().parent().unwrap().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let link = elsewhere.join(kept.directory.file_name().unwrap());
    std::os::unix::fs::symlink(&kept.directory, link).unwrap();
    assert_eq!(kept_in(&elsewhere), []);
}

#[test]
fn what_was_left_of_an_index_is_cleaned_up() {
    let workspace = two_files();
    let (kept, index) = kept_index(&workspace);
    drop(index);
    let (all, own) = places(&workspace);
    for name in ["format", "meta.json"] {
        fs::remove_file(own.join(name)).unwrap();
    }
    let left = kept_in(&all);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].workspace, kept.workspace);
    left[0].remove().unwrap();
    assert!(!own.exists());
    // Once more is no error.
    left[0].remove().unwrap();
    assert!(!own.exists());
}

#[test]
fn what_became_excluded_is_not_on_disk_any_more() {
    let workspace = two_files();
    workspace.write("token.txt", "correcthorsebattery\n");
    let (_, own) = places(&workspace);
    let (_, index) = kept_index(&workspace);
    assert!(is_on_disk(&own, "correcthorsebattery"));
    workspace.exclude("token");
    assert_eq!(update(&index).removed, 1);
    assert!(!is_on_disk(&own, "correcthorsebattery"));
    assert!(!is_on_disk(&own, "token.txt"));
    assert_eq!(found(&index, "close_door"), ["b.py", "a.rs"]);
    assert!(index.was_built());
    assert_eq!(rubbish(&own), NOTHING);
    drop(index);
    let again = Index::open(workspace.options_in(&own)).unwrap();
    assert_eq!(again.origin(), &StoreOrigin::Existing);
    assert_eq!(again.status().unwrap().files, 2);
}

#[test]
fn what_became_ignored_is_not_on_disk_any_more() {
    let workspace = two_files();
    workspace.write("notes/token.txt", "correcthorsebattery\n");
    let (_, own) = places(&workspace);
    let (_, index) = kept_index(&workspace);
    workspace.write(".gitignore", "notes\n");
    update(&index);
    assert!(!is_on_disk(&own, "correcthorsebattery"));
}

#[test]
fn what_became_excluded_while_nobody_looked_goes_with_the_next_update() {
    let workspace = two_files();
    workspace.write("token.txt", "correcthorsebattery\n");
    let (_, own) = places(&workspace);
    let (_, index) = kept_index(&workspace);
    workspace.exclude("token");
    // It is forgotten here, and what it said is left.
    index.changed(&workspace.path("token.txt")).unwrap();
    index.flush().unwrap();
    assert_eq!(index.status().unwrap().files, 2);
    update(&index);
    assert!(!is_on_disk(&own, "correcthorsebattery"));
}

#[test]
fn a_lost_list_of_files_does_not_fill_the_disk() {
    let workspace = two_files();
    let (_, own) = places(&workspace);
    let (_, index) = kept_index(&workspace);
    for round in 0..3 {
        fs::remove_file(own.join(".managed.json")).unwrap();
        workspace.write("a.rs", format!("fn open_door_{round}() {{}}\n"));
        update(&index);
    }
    // What the last one left is gone when the next one begins.
    update(&index);
    assert_eq!(rubbish(&own), NOTHING);
    assert_eq!(found(&index, "open_door_2")[0], "a.rs");
}

#[test]
fn a_build_that_is_stopped_keeps_what_it_read() {
    let workspace = two_files();
    for number in 0..400 {
        let text = format!("fn module_{number}() {{}}\n");
        workspace.write(&format!("z/{number:03}.rs"), text);
    }
    let (_, own) = places(&workspace);
    let index = Index::open(workspace.options_in(&own)).unwrap();
    let done = Cell::new(0);
    let is_stopped = std::sync::atomic::AtomicBool::new(false);
    let stop = std::sync::atomic::Ordering::Relaxed;
    let report = index.update(
        &|progress| {
            done.set(progress.done);
            is_stopped.fetch_or(progress.done >= 100, stop);
        },
        &|| is_stopped.load(stop),
    );
    assert_eq!(report.unwrap().outcome, BuildOutcome::Stopped);
    assert_eq!(index.status().unwrap().files, done.get());
    assert!(!index.was_built());
    assert_eq!(rubbish(&own), NOTHING);
    let rest = update(&index);
    assert_eq!(rest.added, 402 - done.get());
}

/// A process with a limit on the size of its files sees what one on a full disk does: this test starts
/// itself again as one.
#[cfg(unix)]
#[test]
fn a_full_disk_does_not_stay_full_and_is_what_is_blamed() {
    use std::error::Error;
    use std::process::{Command, Stdio};

    const PLACE: &str = "TEST_FORETELL_KEPT_FULL_DISK";
    if let Some(directory) = std::env::var_os(PLACE) {
        let place = Path::new(&directory).parent().unwrap();
        let mut options = two_files().options_in(Path::new(&directory));
        options.root = place.join("workspace");
        let index = Index::open(options).unwrap();
        let error = index.update(&|_| {}, &|| false).unwrap_err();
        let why = error.source().unwrap().to_string();
        assert!(why.contains("File too large"), "{why}");
        fs::write(place.join("seen"), "").unwrap();
        return;
    }
    let workspace = two_files();
    drop(workspace.indexed());
    for name in ["d", "e", "f", "g"] {
        let word =
            |number: u64| format!("{name}{:x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text: String = (0..5_000).map(word).collect();
        workspace.write(&format!("{name}.txt"), text);
    }
    let place = workspace.root().parent().unwrap().to_owned();
    let before = names_in(&workspace.directory());
    let status = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact \"$1\"",
        ])
        .arg(std::env::current_exe().unwrap())
        .arg("a_full_disk_does_not_stay_full_and_is_what_is_blamed")
        .env(PLACE, workspace.directory())
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    assert!(place.join("seen").exists());
    assert_eq!(names_in(&workspace.directory()), before);
}

#[test]
fn the_status_of_a_damaged_index_leaves_it_as_it_is() {
    let workspace = two_files();
    let (kept, index) = kept_index(&workspace);
    assert_eq!(kept.status().unwrap(), index.status().unwrap());
    drop(index);
    let segment = names_in(&kept.directory);
    let segment = segment.iter().find(|it| it.ends_with(".store")).unwrap();
    let hurt: [(&str, &[u8]); 2] = [(segment, b"nonsense"), ("format", b"foretell-index 0\n")];
    for (name, content) in hurt {
        fs::write(kept.directory.join(name), content).unwrap();
        let before = names_in(&kept.directory);
        let error = kept.status().unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert_eq!(names_in(&kept.directory), before);
        assert_eq!(fs::read(kept.directory.join(name)).unwrap(), content);
    }
}

#[test]
fn an_index_made_anew_still_says_of_which_workspace_it_is() {
    let workspace = two_files();
    let (kept, index) = kept_index(&workspace);
    assert!(kept.workspace.is_some());
    kept.remove().unwrap();
    assert!(update(&index).rebuilt.is_some());
    let again = kept_at(&kept.directory).unwrap();
    assert_eq!(again.workspace, kept.workspace);
}

#[test]
fn an_index_that_may_not_be_read_is_deleted_all_the_same() {
    let workspace = two_files();
    let (kept, index) = kept_index(&workspace);
    drop(index);
    let segment = names_in(&kept.directory);
    let segment = segment.iter().find(|it| it.ends_with(".store")).unwrap();
    // Nobody can read a directory as a file, whoever they are.
    fs::remove_file(kept.directory.join(segment)).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/", kept.directory.join(segment)).unwrap();
    kept.remove().unwrap();
    assert!(!kept.directory.exists());
    let (_, index) = kept_index(&workspace);
    assert_eq!(index.origin(), &StoreOrigin::New);
}

#[test]
fn indexes_that_are_kept_in_a_workspace_are_not_indexed() {
    let other = two_files();
    let workspace = two_files();
    let all = workspace.path("indexes");
    for of in [&other, &workspace] {
        let own = directory_for(&all, &of.root());
        update(&Index::open(of.options_in(&own)).unwrap());
    }
    let own = directory_for(&all, &workspace.root());
    let index = Index::open(workspace.options_in(&own)).unwrap();
    let report = update(&index);
    assert_eq!(
        (report.unchanged, report.added, report.skipped.len()),
        (2, 0, 0)
    );
}

#[test]
fn one_who_cleans_and_one_who_indexes_do_not_trip_over_each_other() {
    let workspace = two_files();
    let (kept, index) = kept_index(&workspace);
    drop(index);
    let own = &kept.directory;
    thread::scope(|scope| {
        let cleaning = scope.spawn(|| {
            for _ in 0..40 {
                match kept.remove() {
                    Ok(()) | Err(StoreError::Locked) => {}
                    Err(error) => unreachable!("{error:?}"),
                }
            }
        });
        while !cleaning.is_finished() {
            let opened = Index::open(workspace.options_in(own));
            assert!(
                matches!(opened, Ok(_) | Err(StoreError::Damaged { .. })),
                "{opened:?}"
            );
        }
    });
    let (_, index) = kept_index(&workspace);
    assert_eq!(found(&index, "close_door"), ["b.py", "a.rs"]);
    assert!(File::open(own.join("format")).is_ok());
}

#[cfg(unix)]
#[test]
fn a_directory_that_somebody_else_made_is_not_used() {
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    let workspace = Workspace::with(&[("a.rs", "fn open_door() {}")]);
    let why = |workspace: &Workspace| {
        let refused = Index::open(workspace.options()).unwrap_err();
        let StoreError::Directory { why, .. } = refused else {
            unreachable!("{refused:?}");
        };
        why.to_string()
    };
    fs::create_dir_all(workspace.directory()).unwrap();
    // Only those who may do anything can give something away.
    if chown(workspace.directory(), Some(12_345), None).is_ok() {
        assert_eq!(why(&workspace), "it belongs to another user");
    }
    fs::remove_dir(workspace.directory()).unwrap();
    symlink(workspace.root(), workspace.directory()).unwrap();
    assert_eq!(why(&workspace), "it is a link");
    assert_eq!(fs::read_dir(workspace.root()).unwrap().count(), 1);
    // Nor one that somebody could put another in the place of.
    fs::remove_file(workspace.directory()).unwrap();
    let above = workspace.directory().parent().unwrap().to_owned();
    fs::set_permissions(&above, PermissionsExt::from_mode(0o777)).unwrap();
    assert_eq!(
        why(&workspace),
        "others can write to the directory above it"
    );
    fs::set_permissions(&above, PermissionsExt::from_mode(0o1777)).unwrap();
    assert!(Index::open(workspace.options()).is_ok());
}

#[cfg(unix)]
#[test]
fn what_others_could_write_to_is_made_anew_and_closed_to_them() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = Workspace::with(&[("a.rs", "fn open_door() {}")]);
    drop(workspace.indexed());
    let mode = || {
        let metadata = fs::metadata(workspace.directory()).unwrap();
        metadata.permissions().mode() & 0o777
    };
    let open_to = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(workspace.directory(), permissions).unwrap();
    };
    assert_eq!(mode(), 0o700);
    open_to(0o755);
    assert_eq!(workspace.open().origin(), &StoreOrigin::Existing);
    assert_eq!(mode(), 0o700);
    open_to(0o777);
    let why = "others could write to it".to_owned();
    let index = workspace.open();
    assert_eq!(index.origin(), &StoreOrigin::Rebuilt { why });
    assert_eq!(found(&index, "open_door"), NOTHING);
    assert_eq!(mode(), 0o700);
}

#[test]
fn an_index_says_whether_it_is_open() {
    let workspace = Workspace::with(&[("a.rs", "fn open_door() {}")]);
    let (one, other) = (workspace.indexed(), workspace.open());
    let is_open = || kept_at(&workspace.directory()).unwrap().is_open();
    assert!(is_open());
    drop(one);
    assert!(is_open());
    drop(other);
    assert!(!is_open());
}
