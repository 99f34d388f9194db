//! `foretell index`, `foretell clean`, and what they do for `foretell context`, as a person meets them.

#[path = "support/workspace.rs"]
mod workspace;

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use foretell_index::{Index, IndexOptions};
use serde_json::Value;

use crate::workspace::{Ended, Workspace};

const CLIENT: &str =
    "export async function apiRequest(endpoint: string) {\n  return fetch(endpoint);\n}\n";
const USER: &str = "import { apiRequest } from './client';\n\nexport function loadUser() {\n  return apiRequest('/user');\n}\n";

fn two_files() -> Workspace {
    Workspace::new(&[("src/client.ts", CLIENT), ("src/user.ts", USER)])
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).expect("JSON")
}

/// The files that are kept for it, the directories aside.
fn kept(workspace: &Workspace) -> Vec<PathBuf> {
    files_in(workspace.cache())
}

/// The one that is kept for it and whose name ends so.
fn kept_one(workspace: &Workspace, ending: &str) -> PathBuf {
    let ends = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    let found = kept(workspace).into_iter().find(ends);
    found.expect("an index has one")
}

fn files_in(directory: &Path) -> Vec<PathBuf> {
    let mut directories = vec![directory.to_owned()];
    let mut files = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("it can be listed") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path)
            } else {
                files.push(path)
            }
        }
    }
    files.sort();
    files
}

#[test]
fn an_index_is_made_and_says_what_is_in_it() {
    let workspace = two_files();
    let made = workspace.run("index", &[]);
    assert_eq!((made.status, &*made.stderr), (Some(0), ""));
    for line in [
        "files      2\n",
        "chunks     2\n",
        "languages  typescript 2\n",
        "age        just now\n",
        "update     2 new, 0 changed, 0 unchanged, 0 removed; 8 lines read in ",
    ] {
        assert!(made.stdout.contains(line), "{line}: {}", made.stdout);
    }
    let again = workspace.run("index", &["src"]);
    let unchanged = "update     0 new, 0 changed, 2 unchanged, 0 removed; 0 lines";
    assert!(again.stdout.contains(unchanged), "{}", again.stdout);
    let rebuilt = workspace.run("index", &["--rebuild"]);
    assert!(
        rebuilt.stdout.contains("update     2 new"),
        "{}",
        rebuilt.stdout
    );
}

#[test]
fn the_status_changes_nothing() {
    let workspace = two_files();
    let absent = workspace.run("index", &["--status"]);
    assert_eq!((absent.status, &*absent.stdout), (Some(1), ""));
    assert!(absent.stderr.ends_with("Make one with foretell index\n"));
    assert_eq!(
        json(&workspace.run("index", &["--status", "--json"])),
        Value::Null
    );
    assert_eq!(kept(&workspace), Vec::<PathBuf>::new());

    let made = json(&workspace.run("index", &["--json"]));
    assert_eq!(made["update"]["added"], 2);
    workspace.write("src/new.ts", b"export const answer = 42;\n");
    let status = workspace.run("index", &["--status", "--json"]);
    assert_eq!(status.status, Some(0));
    let status = json(&status);
    assert_eq!((&status["files"], &status["lines"]), (&2.into(), &8.into()));
    assert_eq!(status["languages"]["typescript"], 2);
    assert_eq!(status["builtAt"], made["builtAt"]);
}

/// Lines as they are in keys, with a word in each that somebody may look for.
fn lines_of_a_key(number: usize) -> Vec<String> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut seed = 88_172_645_463_325_252_u64;
    let mut digit = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        DIGITS[seed as usize % DIGITS.len()] as char
    };
    let mut line = |_| {
        let (front, back): (String, String) = (
            (0..26).map(|_| digit()).collect(),
            (0..26).map(|_| digit()).collect(),
        );
        format!("{front}/apiRequest/{back}")
    };
    (0..number).map(&mut line).collect()
}

#[test]
fn of_a_key_that_is_longer_than_a_chunk_no_line_is_told() {
    let key = lines_of_a_key(131);
    let (begin, end) = ("-----BEGIN RSA PRIVATE ", "-----END RSA PRIVATE ");
    let whole = format!("{begin}KEY-----\n{}\n{end}KEY-----\n", key.join("\n"));
    for (name, text) in [
        ("deploy.txt", whole.clone()),
        (
            "notes.md",
            format!("# How to deploy\n\n    {}", whole.replace('\n', "\n    ")),
        ),
        ("windows.txt", whole.replace('\n', "\r\n")),
    ] {
        let workspace = Workspace::new(&[(name, &*text), ("src/user.ts", USER)]);
        // The second time it is asked of what was kept on disk.
        for _ in 0..2 {
            let context = workspace.context(&["src/user.ts:4:20", "--json"]);
            assert_eq!(context.status, Some(0), "{}", context.stderr);
            let sent = key
                .iter()
                .filter(|it| context.stdout.contains(&***it))
                .count();
            assert_eq!(sent, 0, "{name}: {}", context.stdout);
            assert!(context.stdout.contains(name), "{name}: {}", context.stdout);
        }
    }
}

#[test]
fn context_has_the_code_of_other_files() {
    let workspace = two_files();
    let context = workspace.context(&["src/user.ts:4:20"]);
    assert_eq!(context.status, Some(0), "{}", context.stderr);
    let expected = "## Relevant Code from Workspace\n\n**File**: `src/client.ts` (lines 1-3) - function: `apiRequest`\n```typescript\nexport async function apiRequest(";
    assert!(context.stdout.starts_with(expected), "{}", context.stdout);
    // The file that changed since is found as it is now.
    workspace.write("src/client.ts", CLIENT.replace("fetch", "post").as_bytes());
    let context = workspace.context(&["src/user.ts:4:20"]);
    assert!(
        context.stdout.contains("return post(endpoint)"),
        "{}",
        context.stdout
    );
}

#[test]
fn what_is_excluded_never_enters_the_index() {
    let workspace = two_files();
    workspace.write(".env", b"API_REQUEST_TOKEN=correct-horse-battery\n");
    workspace.write("keys/Deploy.PEM", b"apiRequest correct-horse-battery\n");
    workspace.write(
        "private/client.ts",
        b"export function apiRequest() { return 'correct-horse-battery'; }\n",
    );
    workspace.write(".foretell.toml", b"[context]\nexclude = [\"private/**\"]\n");
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        workspace.path().join("private/client.ts"),
        workspace.path().join("src/link.ts"),
    )
    .expect("a link");
    let made = workspace.run("index", &["--json"]);
    assert_eq!(json(&made)["languages"]["typescript"], 2, "{}", made.stdout);
    for file in kept(&workspace) {
        let content = fs::read(&file).expect("it can be read");
        let has = |word: &[u8]| content.windows(word.len()).any(|it| it == word);
        assert!(!has(b"battery"), "{}", file.display());
    }
    let context = workspace.context(&["src/user.ts:4:20"]);
    assert!(!context.stdout.contains("battery"), "{}", context.stdout);
}

#[test]
fn files_that_cannot_be_searched_are_named() {
    let workspace = two_files();
    workspace.write("latin.txt", b"ok\n\xe9t\xe9\n");
    workspace.write("image.bin", b"\0\0\0\0");
    workspace.write("large.json", &vec![b' '; 2 << 20]);
    let made = workspace.run("index", &[]);
    assert_eq!(made.status, Some(0));
    for line in [
        "files      2, and 2 that are not text\n",
        "skipped    3\n",
        "           latin.txt: line 2 is not UTF-8\n",
        "           image.bin: it is binary, not text\n",
        "           large.json: it is larger than 1024 KiB\n",
    ] {
        assert!(made.stdout.contains(line), "{line}: {}", made.stdout);
    }
}

#[test]
fn a_damaged_index_is_made_anew() {
    let workspace = two_files();
    workspace.run("index", &[]);
    let largest = kept(&workspace)
        .into_iter()
        .max_by_key(|it| fs::metadata(it).map_or(0, |it| it.len()));
    fs::write(largest.expect("there are files"), "nonsense").expect("it can be written");
    let made = workspace.run("index", &[]);
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    assert!(
        made.stdout.contains("           made anew: "),
        "{}",
        made.stdout
    );
    assert!(made.stdout.contains("update     2 new"), "{}", made.stdout);
    for command in ["index", "context"] {
        fs::write(kept_one(&workspace, ".store"), "nonsense").expect("it can be written");
        let arguments: &[&str] = match command {
            "index" => &["--json"],
            _ => &["src/user.ts:4:20"],
        };
        let told = workspace.run(command, arguments);
        assert_eq!(told.status, Some(0), "{}", told.stderr);
        match command {
            "index" => assert!(json(&told)["madeAnew"].is_string(), "{}", told.stdout),
            _ => assert!(
                told.stderr
                    .starts_with("warning: the index was made anew: "),
                "{}",
                told.stderr
            ),
        }
    }
    let well = json(&workspace.run("index", &["--json"]));
    assert_eq!(well["madeAnew"], Value::Null);
}

#[test]
fn the_status_of_a_damaged_index_throws_nothing_away() {
    let workspace = two_files();
    workspace.run("index", &[]);
    for (ending, content) in [(".store", "nonsense"), ("format", "foretell-index 0\n")] {
        fs::write(kept_one(&workspace, ending), content).expect("it can be written");
        let before = kept(&workspace);
        let status = workspace.run("index", &["--status"]);
        assert_eq!((status.status, &*status.stdout), (Some(2), ""));
        let next = "\nMake it anew with foretell index --rebuild\n";
        assert!(status.stderr.ends_with(next), "{}", status.stderr);
        assert_eq!(kept(&workspace), before);
    }
}

/// Nobody can read a directory as if it were a file.
#[cfg(unix)]
#[test]
fn an_index_that_cannot_be_opened_is_made_anew_as_the_hint_says() {
    let workspace = two_files();
    workspace.run("index", &[]);
    let segment = kept_one(&workspace, ".store");
    fs::remove_file(&segment).expect("it can be deleted");
    std::os::unix::fs::symlink("/", &segment).expect("a link");
    let broken = workspace.run("index", &[]);
    let rebuilt = workspace.run("index", &["--rebuild"]);
    assert_eq!(rebuilt.status, Some(0), "{}", rebuilt.stderr);
    assert!(
        rebuilt.stdout.contains("update     2 new"),
        "{}",
        rebuilt.stdout
    );
    assert_eq!(broken.status, Some(2), "{}", broken.stdout);
    assert!(
        broken.stderr.contains("foretell index --rebuild"),
        "{}",
        broken.stderr
    );
}

#[test]
fn an_index_that_is_made_anew_keeps_the_name_of_its_workspace() {
    let workspace = two_files();
    workspace.run("index", &[]);
    workspace.run("index", &["--rebuild"]);
    let root = workspace.path().canonicalize().expect("it is there");
    let told = workspace.run("clean", &["--dry-run"]);
    let expected = format!("would remove the index of {} (", root.display());
    assert!(told.stdout.starts_with(&expected), "{}", told.stdout);
}

#[test]
fn clean_did_not_delete_what_a_person_keeps_where_indexes_are() {
    let workspace = two_files();
    let own = format!("own/app/{}.png", "0123456789abcdef".repeat(2));
    for name in [
        "own/app/meta.json",
        "own/app/format",
        "own/app/workspace",
        &own,
    ] {
        workspace.write(name, b"mine");
    }
    let place = workspace.path().join("own");
    let before = files_in(&place);
    let setting = format!("index.dir={}", place.display());
    let cleaned = workspace.run("clean", &["--set", &setting]);
    assert!(
        cleaned.stdout.starts_with("nothing is kept in "),
        "{}",
        cleaned.stdout
    );
    assert_eq!(files_in(&place), before);
}

#[test]
fn clean_removes_what_is_left_of_an_index() {
    let workspace = two_files();
    workspace.run("index", &[]);
    for ending in ["format", "meta.json"] {
        fs::remove_file(kept_one(&workspace, ending)).expect("it can be deleted");
    }
    let cleaned = workspace.run("clean", &[]);
    assert!(
        cleaned.stdout.starts_with("removed the index of "),
        "{}",
        cleaned.stdout
    );
    assert_eq!(kept(&workspace), Vec::<PathBuf>::new());
}

#[test]
fn the_place_of_indexes_does_not_depend_on_where_a_command_runs() {
    let workspace = two_files();
    for command in ["index", "clean"] {
        workspace
            .run(command, &["--set", "index.dir=cache"])
            .refused(
                "index.dir is \"cache\", which is not a whole path",
                "Give one that begins at the root, or with ~/ for your home",
            );
    }
    let context = workspace.context(&["src/user.ts:4:20", "--set", "index.dir=cache"]);
    let missing = "warning: related code may be missing: index.dir is ";
    assert!(context.stderr.starts_with(missing), "{}", context.stderr);
    let made = workspace.run("index", &["--set", "index.dir=~/mine", "--json"]);
    assert_eq!(made.status, Some(0), "{}", made.stderr);
    assert!(!files_in(&workspace.cache().join("mine")).is_empty());
    assert!(!workspace.path().join("~").exists());
}

#[test]
fn what_another_process_writes_is_waited_for() {
    let workspace = two_files();
    workspace.run("index", &[]);
    let lock = File::options()
        .write(true)
        .open(kept_one(&workspace, ".tantivy-writer.lock"));
    let lock = lock.expect("it can be opened");
    lock.lock().expect("nobody has it");
    workspace.write("src/new.ts", b"export const answer = 42;\n");
    let started = workspace
        .command("index", &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut started = started.expect("the binary under test starts");
    let mut told = String::new();
    let stderr = started.stderr.take().expect("it is piped");
    let read = BufReader::new(stderr).read_line(&mut told);
    read.expect("it says something");
    assert_eq!(
        told,
        "Another Foretell is writing the index; waiting for it\n"
    );
    lock.unlock().expect("it is ours");
    let ended = Ended::from(started.wait_with_output().expect("it ends"));
    assert_eq!(ended.status, Some(0));
    assert!(
        ended.stdout.contains("update     1 new"),
        "{}",
        ended.stdout
    );
}

#[cfg(unix)]
#[test]
fn names_of_files_do_nothing_to_a_terminal() {
    let workspace = Workspace::new(&[
        ("a.\u{1b}[31mred", "text\n"),
        ("b.line\nend", "text\n"),
        ("lib.rs.orig", "fn kept() {}\n"),
    ]);
    workspace.write("c.\u{1b}[31mred", b"\0");
    let made = workspace.run("index", &[]);
    assert!(!made.stdout.contains('\u{1b}'), "{:?}", made.stdout);
    assert!(
        made.stdout.contains("\nlanguages  plaintext 3\n"),
        "{:?}",
        made.stdout
    );
    // Nor does the workspace's own.
    let odd = workspace.path().join("\u{1b}[31mred\nline");
    fs::create_dir_all(odd.join(".git")).expect("a directory");
    let odd = odd.to_str().expect("text");
    for (command, arguments) in [
        ("index", vec!["--status", odd]),
        ("index", vec![odd]),
        ("clean", vec!["--dry-run"]),
    ] {
        let told = workspace.run(command, &arguments);
        let told = told.stdout + &told.stderr;
        assert!(told.contains("\u{fffd}[31mred\u{fffd}line"), "{told:?}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}

#[test]
fn the_help_names_every_exit_status() {
    let help = two_files().run("index", &["--help"]);
    for status in ["0", "1 if", "2 if", "130 if"] {
        assert!(help.stdout.contains(status), "{}", help.stdout);
    }
}

#[test]
fn clean_leaves_an_index_that_servers_have_open() {
    let workspace = two_files();
    workspace.run("index", &[]);
    let meta = kept_one(&workspace, "meta.json");
    let directory = meta.parent().expect("it is in a directory").to_owned();
    let open = || {
        let index = Index::open(IndexOptions {
            root: workspace.path().to_owned(),
            directory: directory.clone(),
            most_files: 10,
            excluded: Arc::new(|_| false),
            secrets: Arc::new(|_| Vec::new()),
            renamed: None,
            threads: 1,
        });
        index.expect("it was just made")
    };
    let servers = [open(), open()];
    for arguments in [&[][..], &["--dry-run"][..]] {
        let left = workspace.run("clean", arguments);
        assert_eq!((left.status, &*left.stdout), (Some(1), ""));
        let said = "stays: a server has it open; close that editor and try again";
        assert!(left.stderr.contains(said), "{left:?}");
    }
    assert!(meta.exists());
    drop(servers);
    assert_eq!(workspace.run("clean", &[]).status, Some(0));
    assert!(!meta.exists());
}

#[test]
fn clean_removes_what_is_kept_and_nothing_else() {
    let workspace = two_files();
    let nothing = workspace.run("clean", &[]);
    assert!(
        nothing.stdout.starts_with("nothing is kept in "),
        "{}",
        nothing.stdout
    );
    workspace.run("index", &[]);
    let photo = workspace.cache().join("foretell/index/photo.jpg");
    fs::write(&photo, "not ours").expect("it can be written");
    let before = kept(&workspace);
    let told = workspace.run("clean", &["--dry-run"]);
    assert!(
        told.stdout.starts_with("would remove the index of "),
        "{}",
        told.stdout
    );
    assert_eq!(kept(&workspace), before);
    let cleaned = workspace.run("clean", &[]);
    assert_eq!(cleaned.status, Some(0), "{}", cleaned.stderr);
    assert_eq!(kept(&workspace), [photo]);
}

#[test]
fn what_cannot_be_done_says_what_to_do_next() {
    let workspace = two_files();
    let nowhere = workspace.run("index", &["nowhere"]);
    assert_eq!(nowhere.status, Some(2));
    assert!(
        nowhere.stderr.starts_with("error: nowhere: "),
        "{}",
        nowhere.stderr
    );
    let next = "\nGive a directory of the workspace, or none for the current one\n";
    assert!(nowhere.stderr.ends_with(next), "{}", nowhere.stderr);
    let taken = workspace.write("taken", b"a file");
    let setting = format!("index.dir={}", taken.display());
    let unusable = workspace.run("index", &["--set", &setting]);
    assert_eq!(unusable.status, Some(2));
    let next = "Check that you may write there, or choose another place with --set index.dir=DIR\n";
    assert!(unusable.stderr.ends_with(next), "{}", unusable.stderr);
    // Nor does that keep anyone from what else there is to tell.
    let context = workspace.context(&["src/user.ts:4", "--set", &setting]);
    assert_eq!(context.status, Some(1));
    assert!(
        context
            .stderr
            .starts_with("warning: related code may be missing: "),
        "{}",
        context.stderr
    );
}

#[test]
fn a_directory_that_is_no_workspace_is_not_read_without_being_asked_to() {
    let workspace = two_files();
    fs::remove_dir(workspace.path().join(".git")).expect("it is empty");
    let context = workspace.context(&["src/user.ts:4:20"]);
    assert_eq!((context.status, &*context.stdout), (Some(1), ""));
    assert_eq!(kept(&workspace), Vec::<PathBuf>::new());
    workspace.run("index", &[]);
    let context = workspace.context(&["src/user.ts:4:20"]);
    assert!(
        context.stdout.contains("`apiRequest`"),
        "{}",
        context.stdout
    );
}
