//! The exclusion on a real disk, one story for each way to a file.

use tempfile::TempDir;

use super::*;

/// A workspace with some files in it.
struct DiskFixture {
    directory: TempDir,
    excluded: ExcludedFiles,
}

impl DiskFixture {
    fn with(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let globs = ["*.Private".to_owned()];
        let (excluded, _) = ExcludedFiles::new(directory.path(), &globs);
        DiskFixture {
            directory,
            excluded,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn excludes(&self, name: &str) -> bool {
        self.excluded.excludes(&FilePath::new(name))
    }

    fn why(&self, name: &str) -> String {
        let why = self.excluded.why(&FilePath::new(name));
        why.map_or_else(String::new, |why| why.to_string())
    }

    fn rename(&self, from: &str, to: &str) {
        self.excluded
            .renamed(&FilePath::new(from), &FilePath::new(to));
    }
}

#[test]
fn a_name_is_judged_in_any_case_and_by_any_way_to_it() {
    let disk = DiskFixture::with(&[(".env", ""), ("src/lib.rs", "")]);
    for name in [".env", ".ENV", "./.env", "src/../.env", "src/.Env.local"] {
        assert!(disk.excludes(name), "{name}");
    }
    let whole = disk.path(".env");
    assert!(disk.excludes(whole.to_str().unwrap()));
    for name in ["src/lib.rs", "src/env.rs", "not/there.rs", ""] {
        assert_eq!(disk.why(name), "", "{name}");
    }
}

#[test]
fn the_rule_is_named() {
    let disk = DiskFixture::with(&[]);
    assert_eq!(disk.why(".env"), "files with such a name hold secrets");
    assert_eq!(disk.why("a.private"), "the glob \"*.Private\" means it");
    let (_, faults) = ExcludedFiles::new(Path::new("."), &["a[b".to_owned()]);
    assert_eq!(faults.len(), 1);
}

#[test]
fn what_is_outside_of_the_workspace_is_judged_by_its_whole_path() {
    let disk = DiskFixture::with(&[("lib.rs", "")]);
    assert!(disk.excludes("/home/ada/.ssh/id_ed25519"));
    assert!(disk.excludes("../../.netrc"));
    assert!(!disk.excludes("/usr/include/stdio.h"));
}

#[cfg(unix)]
#[test]
fn a_link_is_what_it_leads_to_and_every_step_on_the_way() {
    use std::os::unix::fs::symlink;

    let disk = DiskFixture::with(&[(".env", ""), ("plain.txt", ""), ("keys/id_rsa", "")]);
    symlink(".env", disk.path("notes.txt")).unwrap();
    symlink("notes.txt", disk.path("again.txt")).unwrap();
    symlink("plain.txt", disk.path("server.pem")).unwrap();
    symlink("server.pem", disk.path("through.txt")).unwrap();
    symlink("keys", disk.path("docs")).unwrap();
    symlink("circle", disk.path("circle")).unwrap();
    symlink("nowhere", disk.path("dangling")).unwrap();
    for name in [
        "notes.txt",
        "again.txt",
        "server.pem",
        "through.txt",
        "docs/id_rsa",
    ] {
        assert!(disk.excludes(name), "{name}");
    }
    assert!(disk.why("again.txt").starts_with("it is also "));
    for name in ["plain.txt", "circle", "dangling"] {
        assert!(!disk.excludes(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn another_name_in_the_same_directory_is_the_same_file() {
    let disk = DiskFixture::with(&[(".env", "a"), ("plain.txt", "b"), ("far/x", "")]);
    fs::hard_link(disk.path(".env"), disk.path("hard.txt")).unwrap();
    fs::hard_link(disk.path("plain.txt"), disk.path("plain2.txt")).unwrap();
    assert!(disk.excludes("hard.txt"));
    assert!(!disk.excludes("plain2.txt"));
}

#[test]
fn a_file_that_was_excluded_stays_so_under_its_new_name() {
    let disk = DiskFixture::with(&[]);
    disk.rename(".env", "env.txt");
    disk.rename("env.txt", "docs/env.md");
    for name in ["env.txt", "docs/env.md", "docs/../env.txt"] {
        assert!(disk.excludes(name), "{name}");
    }
    disk.rename("lib.rs", "main.rs");
    assert!(!disk.excludes("main.rs"));
}

#[test]
fn what_was_typed_before_a_file_became_secret_is_secret() {
    let disk = DiskFixture::with(&[]);
    disk.rename("notes.txt", ".env");
    assert!(disk.excludes("notes.txt"));
}

#[test]
fn a_directory_takes_its_files_along() {
    let disk = DiskFixture::with(&[(".foretellignore", "/vault/\n"), ("vault/a.txt", "")]);
    assert!(disk.excludes("vault/a.txt"));
    disk.rename("vault", "open");
    assert!(disk.excludes("open/a.txt"));
    assert!(!disk.excludes("opened/a.txt"));
    // A directory that moves into itself has no end of names.
    disk.rename("b", "b/b");
    assert!(disk.excludes("b/x"));
}

#[test]
fn a_file_that_is_saved_all_day_stays_as_it_is() {
    let disk = DiskFixture::with(&[("src/lib.rs", ""), (".env", ""), ("gen/a.rs", "")]);
    for save in 0..100 {
        // As `sed -i` does, and editors that keep what was there until they are done.
        disk.rename(&format!("src/sed{save}"), "src/lib.rs");
        disk.rename("src/lib.rs", &format!("src/lib.rs.{save}.bck"));
        disk.rename(&format!("gen.{save}"), "gen");
    }
    assert_eq!(disk.why("src/lib.rs"), "");
    assert_eq!(disk.why("gen/a.rs"), "");
    assert_eq!(disk.excluded.seen.renames.count(), 0);
}

#[test]
fn a_file_that_was_gone_whenever_somebody_looked_may_be_told_of_when_it_is_there() {
    let disk = DiskFixture::with(&[]);
    for save in 0..100 {
        disk.rename(&format!("tmp{save}"), "out.txt");
    }
    fs::write(disk.path("out.txt"), "").unwrap();
    assert_eq!(disk.why("out.txt"), "");
}

#[test]
fn a_directory_that_moves_on_before_anybody_looks_takes_its_files_along() {
    let disk = DiskFixture::with(&[(".foretellignore", "/a/plan.txt\n"), ("c/plan.txt", "")]);
    disk.rename("a", "b");
    disk.rename("b", "c");
    for save in 0..100 {
        disk.rename(&format!("tmp{save}"), "out.txt");
        disk.rename(&format!("sed{save}"), ".env");
    }
    assert!(disk.excludes("c/plan.txt"));
}

#[test]
fn a_secret_that_is_saved_all_day_does_not_give_away_another() {
    let disk = DiskFixture::with(&[(".env", ""), ("env.txt", ""), ("open/plan.txt", "")]);
    fs::write(disk.path(".foretellignore"), "/vault/\n").unwrap();
    disk.rename(".env", "old.txt");
    disk.rename("old.txt", "env.txt");
    disk.rename("vault", "open");
    for save in 0..2_000 {
        disk.rename(&format!("sed{save}"), ".env");
    }
    for name in ["env.txt", ".env", "open/plan.txt", "sed1999"] {
        assert!(disk.excludes(name), "{name}");
    }
    assert!(disk.excluded.seen.renames.count() < MOST_NAMES);
}

#[test]
fn of_too_many_secrets_with_plain_names_none_is_told() {
    let disk = DiskFixture::with(&[("keys/x", ""), ("src/lib.rs", "")]);
    for number in 0..1_100 {
        fs::write(disk.path(&format!("keys/{number}.txt")), "").unwrap();
        disk.rename(&format!("keys/{number}.pem"), &format!("keys/{number}.txt"));
    }
    for number in (0..1_100).step_by(50) {
        assert!(disk.excludes(&format!("keys/{number}.txt")), "{number}");
    }
    let why = disk.why("keys/x");
    assert_eq!(why, "it has too many names to be sure of it");
    assert!(!disk.excludes("src/lib.rs"));
    assert!(disk.excluded.seen.renames.count() <= 1_024);
}

#[test]
fn ignore_files_hold_for_all_below_in_any_case() {
    let disk = DiskFixture::with(&[
        (".foretellignore", "# Not for models\nNotes/\n*.Draft\n"),
        ("src/.foretellignore", "/local.rs\n"),
        ("notes/plan.txt", ""),
    ]);
    assert!(disk.excludes("notes/plan.txt"));
    assert!(disk.excludes("NOTES/deep/er.txt"));
    assert!(disk.excludes("src/a.draft"));
    assert!(disk.excludes("src/local.rs"));
    assert!(!disk.excludes("local.rs"));
    assert!(!disk.excludes("src/deep/local.rs"));
    let why = disk.why("notes/plan.txt");
    assert!(why.ends_with(".foretellignore says \"Notes/\""), "{why}");
    fs::remove_file(disk.path(".foretellignore")).unwrap();
    assert!(!disk.excludes("notes/plan.txt"), "it holds as it is now");
}

#[test]
fn no_file_gives_away_what_another_keeps() {
    let disk = DiskFixture::with(&[
        (".foretellignore", "*.txt\n!open.txt\n"),
        ("src/.foretellignore", "!a.txt\n!.env\n"),
    ]);
    assert!(!disk.excludes("open.txt"));
    assert!(disk.excludes("src/a.txt"));
    assert!(disk.excludes("src/.env"));
}

#[test]
fn an_ignore_file_that_cannot_be_understood_keeps_everything() {
    for broken in [&b"a\nb{\n"[..], b"\xff\n"] {
        let disk = DiskFixture::with(&[("src/lib.rs", "")]);
        fs::write(disk.path("src/.foretellignore"), broken).unwrap();
        assert!(disk.excludes("src/lib.rs"));
        assert!(!disk.excludes("lib.rs"));
        assert!(disk.why("src/lib.rs").contains(" cannot be used: "));
    }
    let disk = DiskFixture::with(&[(".foretellignore/file", "")]);
    assert!(disk.why("lib.rs").ends_with("it is a directory"));
}

/// The system sees `private/notes.txt` where people see `a/link/../notes.txt`.
#[cfg(unix)]
#[test]
fn the_parent_of_a_link_is_that_of_what_it_leads_to() {
    use std::os::unix::fs::symlink;

    let disk = DiskFixture::with(&[
        (".foretellignore", "private/\n"),
        ("private/notes.txt", ""),
        ("private/sub/x", ""),
        ("a/notes.txt", ""),
        ("open/c.txt", ""),
    ]);
    symlink("../private/sub", disk.path("a/link")).unwrap();
    assert!(disk.excludes("a/link/../notes.txt"));
    assert!(disk.excludes("a/link/../not-there.txt"));
    assert!(!disk.excludes("a/notes.txt"));
    // A step on the way is private, though neither the name nor the end is.
    symlink("../open/c.txt", disk.path("private/b")).unwrap();
    symlink("a/link/../b", disk.path("through.txt")).unwrap();
    assert!(disk.excludes("through.txt"));
    let place = disk.excluded.locate(&FilePath::new("open/../open/c.txt"));
    let real = disk.path("open/c.txt").canonicalize().unwrap();
    assert_eq!(place, Ok(real));
}

#[cfg(unix)]
#[test]
fn a_link_without_an_end_is_excluded() {
    let disk = DiskFixture::with(&[]);
    std::os::unix::fs::symlink("a/x", disk.path("a")).unwrap();
    assert!(disk.excludes("a"));
}

#[test]
fn ignore_files_above_the_workspace_hold_in_it() {
    let disk = DiskFixture::with(&[
        (".foretellignore", "private/\n"),
        ("private/inner/f.rs", ""),
        ("open/inner/f.rs", ""),
    ]);
    let excludes = |root: &str| {
        let (excluded, _) = ExcludedFiles::new(&disk.path(root), &[]);
        excluded.excludes(&FilePath::new("f.rs"))
    };
    assert!(excludes("private/inner"));
    assert!(!excludes("open/inner"));
}

#[test]
fn globs_further_up_hold_from_where_they_are() {
    let disk = DiskFixture::with(&[("outer/inner/f.rs", ""), ("outer/inner/g.rs", "")]);
    let (mut excluded, _) = ExcludedFiles::new(&disk.path("outer/inner"), &[]);
    let faults = excluded.add(&disk.path("outer"), &["/inner/f.rs".to_owned()]);
    assert_eq!(faults, []);
    assert!(excluded.excludes(&FilePath::new("f.rs")));
    assert!(!excluded.excludes(&FilePath::new("g.rs")));
    assert_eq!(excluded.add(&disk.path(""), &["[".to_owned()]).len(), 1);
}

#[cfg(unix)]
#[test]
fn an_ignore_file_that_leads_nowhere_keeps_everything() {
    let disk = DiskFixture::with(&[("src/lib.rs", ""), ("lib.rs", "")]);
    std::os::unix::fs::symlink("gone", disk.path("src/.foretellignore")).unwrap();
    let why = disk.why("src/lib.rs");
    assert!(why.contains(" cannot be used: "), "{why}");
    assert!(!disk.excludes("lib.rs"));
}

#[cfg(unix)]
#[test]
fn an_ignore_file_that_is_none_is_not_opened_and_keeps_everything() {
    use std::os::unix::fs::symlink;

    let disk = DiskFixture::with(&[("src/lib.rs", ""), ("lib.rs", ""), ("outside", "lib.rs")]);
    fs::create_dir(disk.path("src/.git")).unwrap();
    let place = disk.path("src/.foretellignore");
    for (target, said) in [
        (
            "/dev/zero",
            "it is a link out of its repository, which is not followed",
        ),
        (
            "/dev/stdin",
            "it is a link out of its repository, which is not followed",
        ),
        (
            "../outside",
            "it is a link out of its repository, which is not followed",
        ),
        (".git", "it is a directory"),
    ] {
        symlink(target, &place).unwrap();
        let why = disk.why("src/lib.rs");
        assert!(why.contains(said), "{target}: {why}");
        assert!(!disk.excludes("lib.rs"));
        fs::remove_file(&place).unwrap();
    }
    let made = std::process::Command::new("mkfifo").arg(&place).status();
    assert!(made.unwrap().success());
    let why = disk.why("src/lib.rs");
    assert!(why.contains("it is not a plain file"), "{why}");
}

#[test]
fn an_ignore_file_that_would_cost_too_much_keeps_everything() {
    let disk = DiskFixture::with(&[("src/lib.rs", ""), ("lib.rs", "")]);
    let deep = "{a,".repeat(16_000);
    let long = format!("{}\n", "a".repeat(1_000));
    let many = "*a?b\n".repeat(2_001);
    for (text, said) in [
        (&*deep, "line 1: it is longer than 1024 bytes"),
        (
            &"{".repeat(9),
            "line 1: it has more than 8 braces within each other",
        ),
        (&many, "line 2001: there are more than 2000 globs"),
        (&long.repeat(66), "it is larger than 64 KiB"),
    ] {
        fs::write(disk.path("src/.foretellignore"), text).unwrap();
        let why = disk.why("src/lib.rs");
        assert!(why.contains(said), "{said}: {why}");
        assert!(!disk.excludes("lib.rs"));
    }
    // Nor may many directories say together what one may not.
    let mut place = String::from("src");
    for _ in 0..5 {
        fs::write(
            disk.path(&format!("{place}/.foretellignore")),
            long.repeat(62),
        )
        .unwrap();
        place.push_str("/a");
        fs::create_dir(disk.path(&place)).unwrap();
    }
    fs::write(disk.path(&format!("{place}/f.rs")), "").unwrap();
    let why = disk.why(&format!("{place}/f.rs"));
    assert!(why.contains("with those of the directories above"), "{why}");
    assert!(!disk.excludes("src/lib.rs"));
}

#[test]
fn settings_within_a_workspace_that_would_cost_too_much_keep_everything() {
    let disk = DiskFixture::with(&[("a/lib.rs", ""), ("lib.rs", "")]);
    let globs = |number: usize| {
        let globs = (0..number).map(|it| format!("'x{it}*y.rs'"));
        let globs: Vec<String> = globs.collect();
        format!("context.exclude = [{}]", globs.join(", "))
    };
    let deep = format!("context.exclude = ['{}']", "{a,".repeat(16_000));
    for (text, said) in [
        (deep, "cannot be followed: it is longer than 1024 bytes"),
        (globs(1_001), "there are 1001 globs at one place"),
    ] {
        fs::write(disk.path("a/.foretell.toml"), text).unwrap();
        let why = disk.why("a/lib.rs");
        assert!(why.contains(said), "{why}");
        assert!(!disk.excludes("lib.rs"));
    }
}

#[test]
fn a_line_just_written_holds_at_once() {
    let disk = DiskFixture::with(&[("a.txt", ""), ("b.txt", "")]);
    // Of the same length, and perhaps at the same time by the disk's clock.
    for (line, excluded) in [("a.txt", "a.txt"), ("b.txt", "b.txt"), ("a.txt", "a.txt")] {
        fs::write(disk.path(".foretellignore"), line).unwrap();
        for name in ["a.txt", "b.txt"] {
            assert_eq!(disk.excludes(name), name == excluded, "{line} {name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn among_too_many_files_other_names_are_not_looked_for_and_nothing_is_told() {
    let disk = DiskFixture::with(&[("many/.env", "secret"), ("many/plain.txt", "")]);
    fs::hard_link(disk.path("many/.env"), disk.path("many/notes.txt")).unwrap();
    for number in 0..10_000 {
        fs::File::create(disk.path(&format!("many/{number}"))).unwrap();
    }
    let why = disk.why("many/notes.txt");
    assert!(why.ends_with("too many files to find them"), "{why}");
    assert!(!disk.excludes("many/plain.txt"), "it has one name");
}
