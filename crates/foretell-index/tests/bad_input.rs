//! What a disk may come up with: files that are none, and an index that was hurt. Nothing panics,
//! nothing is lost that was sound, and every reason is told.
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

use foretell_index::{BuildReport, FileFault, Index, StoreOrigin};

use crate::workspace::{NOTHING, Workspace, found, update};

fn three_files() -> Workspace {
    Workspace::with(&[
        ("a.rs", "fn open_door() {}\n"),
        ("b.py", "def close_door():\n    pass\n"),
        ("c.md", "# Doors\n\nThey open and close.\n"),
    ])
}

fn faults(report: &BuildReport) -> Vec<String> {
    let mut faults: Vec<String> = report.skipped.iter().map(ToString::to_string).collect();
    faults.sort();
    faults
}

#[test]
fn what_is_not_text_is_skipped_and_recorded() {
    let workspace = three_files();
    workspace.write("bin", b"\x7fELF\0\0\0");
    workspace.write("latin.rs", b"fn gr\xf6\xdfe() {}\n");
    workspace.write("large.txt", vec![b'a'; 2 << 20]);
    let film = File::create(workspace.path("film.mkv")).unwrap();
    film.set_len(1 << 30).unwrap();
    let expected = [
        "bin: it is binary, not text",
        "film.mkv: it is larger than 1024 KiB",
        "large.txt: it is larger than 1024 KiB",
        "latin.rs: line 1 is not UTF-8",
    ];
    let index = workspace.open();
    for _ in 0..2 {
        assert_eq!(faults(&update(&index)), expected);
        assert_eq!(index.status().unwrap().files, 3);
    }
    for name in ["bin", "film.mkv", "large.txt", "latin.rs", "gone.rs"] {
        index.changed(&workspace.path(name)).unwrap();
    }
    index.flush().unwrap();
    assert_eq!(index.status().unwrap().files, 3);
    // It becomes text, and no text again.
    workspace.write("bin", "fn from_bin() {}");
    index.changed(&workspace.path("bin")).unwrap();
    assert_eq!(found(&index, "from_bin"), ["bin"]);
    workspace.write("bin", b"fn from_bin() {}\0");
    index.changed(&workspace.path("bin")).unwrap();
    assert_eq!(found(&index, "from_bin"), NOTHING);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_skipped_and_recorded() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = three_files();
    workspace.write("locked/d.rs", "fn locked_door() {}");
    let forbid = |name: &str, mode| {
        let path = workspace.path(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    forbid("a.rs", 0o000);
    forbid("locked", 0o000);
    // Those who may do anything are not kept out by that.
    let is_kept_out = File::open(workspace.path("a.rs")).is_err();
    let index = workspace.open();
    let report = update(&index);
    if is_kept_out {
        assert_eq!(report.added, 2);
        let faults = faults(&report);
        assert_eq!(faults.len(), 2);
        assert!(
            faults[0].starts_with("a.rs: it cannot be read"),
            "{faults:?}"
        );
        assert!(
            faults[1].starts_with("locked: it cannot be read"),
            "{faults:?}"
        );
    }
    forbid("a.rs", 0o644);
    forbid("locked", 0o755);
    update(&index);
    assert_eq!(index.status().unwrap().files, 4);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_and_pipes_do_not_stop_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::UnixListener;

    let workspace = three_files();
    let odd = workspace.root().join(OsStr::from_bytes(b"odd\xff.rs"));
    let is_possible = fs::write(&odd, "fn odd() {}").is_ok();
    let _socket = UnixListener::bind(workspace.path("socket")).unwrap();
    workspace.write("line\nend.rs", "fn line_end() {}");
    let index = workspace.open();
    let report = update(&index);
    assert_eq!(report.added, 4);
    assert_eq!(report.skipped.len(), usize::from(is_possible));
    if is_possible {
        assert_eq!(report.skipped[0].why, FileFault::NameNotUtf8);
    }
    index.changed(&odd).unwrap();
    index.changed(&workspace.path("socket")).unwrap();
    assert_eq!(found(&index, "line_end"), ["line\nend.rs"]);
}

/// Everything that an ignore file may be instead of one, by a link or by itself.
#[cfg(unix)]
fn odd_files(make: impl Fn(&Path)) {
    for target in [
        "/dev/stdin",
        "/dev/zero",
        "/dev/null",
        "/proc/self/mem",
        "loop",
        ".",
    ] {
        let target = PathBuf::from(target);
        make(&target);
    }
}

#[cfg(unix)]
#[test]
fn ignore_files_that_are_links_to_devices_are_not_followed() {
    use std::os::unix::fs::symlink;

    for name in [
        ".gitignore",
        ".ignore",
        "sub/.gitignore",
        ".git/info/exclude",
    ] {
        odd_files(|target| {
            let workspace = three_files();
            workspace.write("sub/d.rs", "fn subway() {}");
            fs::create_dir_all(workspace.path(".git/info")).unwrap();
            symlink(target, workspace.path(name)).unwrap();
            let index = workspace.open();
            let report = update(&index);
            assert_eq!(report.added, 4, "{name} -> {}", target.display());
            let said = format!("{name}: it is a link, which is not followed");
            assert_eq!(faults(&report), [said]);
            index.changed(&workspace.path("sub/d.rs")).unwrap();
            assert_eq!(found(&index, "subway"), ["sub/d.rs"]);
        });
    }
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}

#[cfg(unix)]
#[test]
fn ignore_files_that_are_pipes_are_not_waited_for() {
    for name in [
        ".gitignore",
        ".ignore",
        "sub/.gitignore",
        ".git/info/exclude",
        ".git",
    ] {
        let workspace = three_files();
        make_pipe(&workspace.path(name));
        let report = update(&workspace.open());
        assert_eq!(report.added, 3, "{name}");
        assert_eq!(faults(&report), [format!("{name}: it is not a plain file")]);
    }
}

#[cfg(unix)]
#[test]
fn a_repository_that_is_said_to_be_elsewhere_is_looked_for_with_care() {
    let workspace = three_files();
    workspace.write(".git", "gitdir: elsewhere\n");
    make_pipe(&workspace.path("elsewhere/commondir"));
    assert_eq!(
        faults(&update(&workspace.open())),
        [".git: it is not a plain file"]
    );
    for text in [
        "gitdir: ",
        "gitdir: /dev/stdin",
        "gitdir: /proc/self/fd",
        "gitdir: gone",
        "\0",
        "",
    ] {
        workspace.write(".git", text);
        let report = update(&workspace.open());
        assert_eq!(faults(&report), [""; 0], "{text}");
    }
    workspace.write(".git", "a".repeat(1 << 20));
    assert_eq!(
        faults(&update(&workspace.open())),
        [".git: it is larger than 4 KiB"]
    );
    // A worktree shares what its repository excludes.
    workspace.write("main/.git/worktrees/w/commondir", "../..\n");
    workspace.write("main/.git/info/exclude", "a.rs\n");
    workspace.write(".git", "gitdir: main/.git/worktrees/w\n");
    let index = workspace.open();
    update(&index);
    assert_eq!(found(&index, "open"), ["c.md"], "not a.rs");
}

#[cfg(unix)]
#[test]
fn nothing_is_searched_below_an_ignore_file_of_ours_that_nobody_can_read() {
    use std::os::unix::fs::symlink;

    let odd: [&dyn Fn(&Path); 6] = [
        &|path| symlink("/dev/zero", path).unwrap(),
        &|path| symlink("/dev/stdin", path).unwrap(),
        &|path| symlink("gone", path).unwrap(),
        &|path| make_pipe(path),
        &|path| fs::write(path, "{a,".repeat(16_000)).unwrap(),
        &|path| File::create(path).unwrap().set_len(1 << 30).unwrap(),
    ];
    for make in odd {
        let workspace = three_files();
        workspace.write("sub/d.rs", "fn subway() {}");
        workspace.write("sub/below/e.rs", "fn cellar() {}");
        let index = workspace.indexed();
        make(&workspace.path("sub/.foretellignore"));
        let report = update(&index);
        assert_eq!((report.removed, report.unchanged), (2, 3));
        let faults = faults(&report);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("sub/.foretellignore: "), "{faults:?}");
        let end = "nothing below its directory is searched until that is corrected";
        assert!(faults[0].ends_with(end), "{faults:?}");
        assert_eq!(found(&index, "subway cellar"), NOTHING);
    }
    // One that lies below it may be pointed at.
    let workspace = three_files();
    workspace.write("config/ignored", "a.rs\n");
    symlink("config/ignored", workspace.path(".foretellignore")).unwrap();
    let index = workspace.indexed();
    assert_eq!(found(&index, "open"), ["c.md"], "not a.rs");
}

#[test]
fn globs_that_would_cost_too_much_do_not_count_and_are_said() {
    for name in [
        ".gitignore",
        ".ignore",
        ".git/info/exclude",
        "sub/.gitignore",
    ] {
        let workspace = three_files();
        workspace.write("sub/d.rs", "fn subway() {}");
        let deep = "{a,".repeat(16_000);
        workspace.write(name, format!("{deep}\nd.rs\n{}\n", "{a,".repeat(9)));
        let index = workspace.open();
        let report = update(&index);
        let said = format!(
            "{name}: line 1 does not count: it is longer than 1024 bytes; nor does another one"
        );
        assert_eq!(faults(&report), [said]);
        assert_eq!(found(&index, "subway"), NOTHING, "the others count");
        assert_eq!(report.added, 3);
    }
    let workspace = three_files();
    let globs = (0..100_000).map(|it| format!("x{it}*y.rs\n"));
    workspace.write(".gitignore", globs.collect::<String>());
    assert_eq!(
        faults(&update(&workspace.open())),
        [".gitignore: it is larger than 1024 KiB"]
    );
    let globs = (0..80_000).map(|it| format!("x{it}*y.rs\n"));
    workspace.write(".gitignore", globs.collect::<String>());
    let said = ".gitignore: line 1001 does not count: there are too many globs in this file, or \
                in those above; nor do 78999 others";
    assert_eq!(faults(&update(&workspace.open())), [said]);
}

#[test]
fn files_that_vanish_while_it_reads_are_skipped() {
    let workspace = three_files();
    for number in 0..600 {
        workspace.write(
            &format!("z/{number:03}.rs"),
            format!("fn module_{number}() {{}}\n"),
        );
    }
    let index = workspace.open();
    let is_gone = Cell::new(false);
    let vanish = || {
        if !is_gone.replace(true) {
            fs::remove_dir_all(workspace.path("z")).unwrap();
        }
    };
    let report = index.update(&|_| vanish(), &|| false).unwrap();
    assert!(
        report
            .skipped
            .iter()
            .all(|it| it.why == FileFault::Vanished)
    );
    assert!(!report.skipped.is_empty());
    update(&index);
    assert_eq!(index.status().unwrap().files, 3);
    assert_eq!(found(&index, "module_599"), NOTHING);
}

#[test]
fn deep_and_odd_texts_are_taken_in() {
    let workspace = three_files();
    workspace.write("deep.rs", "fn f() {".repeat(20_000));
    workspace.write("wide.js", "x(".repeat(200_000));
    workspace.write("empty.rs", "");
    workspace.write("marks.py", "\u{feff}def naïve_ﬁ():\r\n\tpass\r\n\u{2028}");
    workspace.write("long.txt", "a".repeat(1 << 20));
    let index = workspace.open();
    let report = update(&index);
    assert_eq!((report.added, report.skipped.len()), (8, 0));
}

/// The files of an index that was built, and where they are.
fn files_of(directory: &Path) -> Vec<PathBuf> {
    let entries = directory.read_dir().unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Hurts every file of an index in turn, and expects that everything is found afterwards.
fn hurt_each(hurt: impl Fn(&Path)) {
    let workspace = three_files();
    drop(workspace.indexed());
    let names: Vec<_> = files_of(&workspace.directory())
        .iter()
        .map(|it| it.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.len() > 5);
    for name in &names {
        let name = name.as_str();
        let is_lock = name.ends_with(".lock");
        let copy = workspace.directory().with_extension("copy");
        fs::create_dir_all(&copy).unwrap();
        for file in files_of(&workspace.directory()) {
            fs::copy(&file, copy.join(file.file_name().unwrap())).unwrap();
        }
        hurt(&copy.join(name));
        let index = Index::open(workspace.options_in(&copy)).unwrap();
        match index.origin() {
            StoreOrigin::Rebuilt { why } => assert!(!why.is_empty()),
            // What only helps to tidy up, locks, settings that have a default, and what is told to
            // people are not missed.
            StoreOrigin::Existing => {
                let is_missed = ![".managed.json", "meta.json", "workspace"].contains(&name);
                assert!(is_lock || !is_missed, "{name:?}");
            }
            StoreOrigin::New => unreachable!("{name:?} was never there"),
        }
        update(&index);
        assert_eq!(found(&index, "close_door")[0], "b.py", "{name:?}");
        assert_eq!(index.status().unwrap().files, 3, "{name:?}");
        drop(index);
        fs::remove_dir_all(&copy).unwrap();
    }
}

#[test]
fn an_index_with_a_file_cut_short_is_built_anew() {
    hurt_each(|path| {
        let length = path.metadata().unwrap().len();
        let file = File::options().write(true).open(path).unwrap();
        file.set_len(length / 2).unwrap();
    });
}

#[test]
fn an_index_with_rubbish_in_it_is_built_anew() {
    hurt_each(|path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes
            .iter_mut()
            .skip(middle)
            .take(7)
            .for_each(|byte| *byte ^= 0x5a);
        fs::write(path, bytes).unwrap();
    });
    hurt_each(|path| fs::write(path, b"rubbish \xff\0 and more of it").unwrap());
}

#[test]
fn an_index_with_a_file_missing_is_built_anew() {
    hurt_each(|path| fs::remove_file(path).unwrap());
}

#[test]
fn an_index_of_another_version_is_built_anew() {
    let workspace = three_files();
    drop(workspace.indexed());
    fs::write(workspace.directory().join("format"), "foretell-index 0\n").unwrap();
    let index = workspace.open();
    let why = "another version of Foretell wrote it".to_owned();
    assert_eq!(index.origin(), &StoreOrigin::Rebuilt { why });
    assert_eq!(update(&index).added, 3);
    assert_eq!(workspace.open().origin(), &StoreOrigin::Existing);
}

#[test]
fn an_index_that_is_hurt_while_it_is_used_is_built_anew() {
    let workspace = three_files();
    let index = workspace.indexed();
    for file in files_of(&workspace.directory()) {
        fs::remove_file(file).unwrap();
    }
    assert!(index.search("close_door", 9, &|| false).is_err());
    assert!(index.changed(&workspace.path("a.rs")).is_err());
    let report = update(&index);
    assert!(report.rebuilt.is_some());
    assert_eq!(report.added, 3);
    assert_eq!(found(&index, "close_door")[0], "b.py");
}

/// What a process leaves that is killed while it builds is what is on disk at that moment.
#[test]
fn whoever_is_killed_while_building_leaves_a_sound_index() {
    let workspace = three_files();
    workspace.settle();
    let index = workspace.indexed();
    for number in 0..300 {
        workspace.write(
            &format!("z/{number}.rs"),
            format!("fn module_{number}() {{}}\n"),
        );
    }
    let moments = Cell::new(0_usize);
    let copy = |number: usize| workspace.directory().with_extension(number.to_string());
    let killed = || {
        let moment = moments.replace(moments.get() + 1);
        if moment.is_multiple_of(50) {
            fs::create_dir_all(copy(moment)).unwrap();
            for file in files_of(&workspace.directory()) {
                // Some come and go.
                let _ = fs::copy(&file, copy(moment).join(file.file_name().unwrap()));
            }
        }
    };
    index.update(&|_| killed(), &|| false).unwrap();
    for moment in (0..moments.get()).step_by(50) {
        let index = Index::open(workspace.options_in(&copy(moment))).unwrap();
        assert_eq!(index.origin(), &StoreOrigin::Existing);
        assert!(found(&index, "close_door").contains(&"b.py".to_owned()));
        update(&index);
        assert_eq!(index.status().unwrap().files, 303);
    }
}

#[test]
fn a_place_that_cannot_be_used_is_one_clear_error() {
    let workspace = three_files();
    let error = Index::open(workspace.options_in(&workspace.path("a.rs"))).unwrap_err();
    let error = error.to_string();
    assert!(error.starts_with("the directory of the index, "), "{error}");
    assert!(error.ends_with("a.rs, cannot be used"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_index_that_cannot_be_written_is_still_searched() {
    use std::os::unix::fs::PermissionsExt;

    let workspace = three_files();
    let index = workspace.indexed();
    let mode = |mode| fs::set_permissions(workspace.directory(), fs::Permissions::from_mode(mode));
    mode(0o555).unwrap();
    let may_write = File::create(workspace.directory().join("probe")).is_ok();
    workspace.write("d.rs", "fn late_door() {}\n");
    let updated = index.update(&|_| {}, &|| false);
    assert_eq!(updated.is_err(), !may_write);
    assert_eq!(found(&index, "close_door")[0], "b.py");
    mode(0o755).unwrap();
    update(&index);
    assert_eq!(found(&index, "late_door")[0], "d.rs");
}

/// A disk is full when nothing more can be written, which a process with a limit on the size of its
/// files sees too: this test starts itself again as one.
#[cfg(unix)]
#[test]
fn a_full_disk_is_one_clear_error_and_loses_nothing() {
    use std::process::Command;
    use std::sync::Arc;

    use foretell_index::{IndexOptions, StoreError, UpdateError, directory_for};

    const PLACE: &str = "TEST_FORETELL_FULL_DISK";
    if let Some(place) = std::env::var_os(PLACE) {
        let root = Path::new(&place).join("workspace");
        let index = Index::open(IndexOptions {
            directory: directory_for(Path::new(&place), &root),
            root,
            most_files: 100,
            excluded: Arc::new(|_| false),
            secrets: Arc::new(|_| Vec::new()),
            renamed: None,
            threads: 2,
        });
        let index = index.unwrap();
        let error = index.update(&|_| {}, &|| false).unwrap_err();
        let UpdateError::Store(StoreError::NotWritten(_)) = error else {
            unreachable!("{error:?}");
        };
        assert_eq!(found(&index, "close_door")[0], "b.py");
        fs::write(Path::new(&place).join("seen"), "").unwrap();
        return;
    }
    let workspace = three_files();
    let index = workspace.indexed();
    for name in ["d", "e", "f", "g"] {
        let word =
            |number: u64| format!("{name}{:x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text: String = (0..5_000).map(word).collect();
        workspace.write(&format!("{name}.txt"), text);
    }
    let place = workspace.root().parent().unwrap().to_owned();
    let output = Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact \"$1\"",
        ])
        .arg(std::env::current_exe().unwrap())
        .arg("a_full_disk_is_one_clear_error_and_loses_nothing")
        .env(PLACE, &place)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(place.join("seen").exists());
    assert_eq!(found(&index, "close_door")[0], "b.py");
    // There is room again.
    assert_eq!(update(&index).added, 4);
    assert_eq!(workspace.open().origin(), &StoreOrigin::Existing);
}
