//! [`RepositoryHistory`]: what a repository's commits put in and took out, line by line.
//!
//! Git itself reads the repository. It is started so that nothing in the repository or in your settings
//! makes it start another program: no pager, no hook, no driver for differences, no fetch.
//!
//! Kept: the same two revisions give the same history. Nothing is written.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A larger file is not code that anybody types.
const LARGEST_FILE: usize = 1 << 20;

/// A run of lines that one commit replaced by another.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatchHunk {
    /// The number of the first line that goes, or before which the new ones come; from zero.
    pub(crate) at: usize,
    pub(crate) old: Vec<String>,
    pub(crate) new: Vec<String>,
}

/// What a commit did to a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilePatch {
    pub(crate) path: String,
    pub(crate) is_deleted: bool,
    pub(crate) hunks: Vec<PatchHunk>,
}

/// What a commit did.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommitPatch {
    /// Its hash.
    pub(crate) name: String,
    pub(crate) files: Vec<FilePatch>,
}

/// A repository between two revisions.
#[derive(Debug)]
pub(crate) struct RepositoryHistory {
    /// The files of the first revision, by path.
    pub(crate) base: BTreeMap<String, String>,
    /// What came after it, the oldest first.
    pub(crate) commits: Vec<CommitPatch>,
}

impl RepositoryHistory {
    /// Reads the files that are wanted.
    pub(crate) fn read(
        repository: &Path,
        since: &str,
        until: &str,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> io::Result<Self> {
        let since = revision(repository, since)?;
        let until = revision(repository, until)?;
        Ok(RepositoryHistory {
            base: read_tree(repository, &since, is_wanted)?,
            commits: read_commits(repository, &since, &until, is_wanted)?,
        })
    }
}

/// Git, so that it reads and does nothing else.
fn git(repository: &Path) -> Command {
    let mut git = Command::new("git");
    let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
    git.env_clear();
    for kept in ["PATH", "SYSTEMROOT", "TMPDIR", "TEMP"] {
        if let Some(value) = std::env::var_os(kept) {
            git.env(kept, value);
        }
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", null);
    git.env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0");
    git.env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C");
    git.args([
        "--no-pager",
        "-c",
        "core.quotePath=false",
        "-c",
        "core.fsmonitor=false",
    ]);
    git.args(["-c", "safe.directory=*", "-c", "log.showSignature=false"]);
    git.arg("-c").arg(format!("core.hooksPath={null}"));
    git.arg("-c").arg(format!("core.attributesFile={null}"));
    git.arg("-C").arg(repository);
    git.stdin(Stdio::null()).stderr(Stdio::piped());
    git
}

fn output(mut git: Command) -> io::Result<Vec<u8>> {
    let done = git.output()?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    Err(io::Error::other(first_line(&done.stderr)))
}

fn first_line(stderr: &[u8]) -> String {
    let said = String::from_utf8_lossy(stderr);
    said.lines().next().unwrap_or("git failed").to_owned()
}

fn revision(repository: &Path, name: &str) -> io::Result<String> {
    let mut named = git(repository);
    named.args(["rev-parse", "--verify", "--quiet", "--end-of-options"]);
    named.arg(format!("{name}^{{commit}}"));
    if let Ok(found) = output(named) {
        return Ok(trimmed(&found));
    }
    if is_date(name) {
        let mut before = git(repository);
        before
            .args(["rev-list", "--first-parent", "--max-count=1"])
            .arg(format!("--before={name}"))
            .arg("HEAD");
        let mut found = trimmed(&output(before)?);
        if found.is_empty() {
            // It is younger than that: all of it.
            let mut roots = git(repository);
            roots.args(["rev-list", "--first-parent", "--max-parents=0", "HEAD"]);
            found = trimmed(&output(roots)?);
        }
        return Ok(found.lines().last().unwrap_or_default().to_owned());
    }
    let why = format!("there is no revision {name:?} in {}", repository.display());
    Err(io::Error::new(io::ErrorKind::NotFound, why))
}

fn trimmed(output: &[u8]) -> String {
    String::from_utf8_lossy(output).trim().to_owned()
}

/// `2021-07-01`.
fn is_date(name: &str) -> bool {
    let shape = name
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c });
    shape.eq("0000-00-00".chars())
}

fn read_tree(
    repository: &Path,
    revision: &str,
    is_wanted: &dyn Fn(&str) -> bool,
) -> io::Result<BTreeMap<String, String>> {
    let mut list = git(repository);
    list.args(["ls-tree", "-r", "-z", "--full-tree", revision]);
    let list = output(list)?;
    let mut wanted = Vec::new();
    for entry in list.split(|byte| *byte == 0) {
        let entry = String::from_utf8_lossy(entry);
        let Some((facts, path)) = entry.split_once('\t') else {
            continue;
        };
        let facts: Vec<&str> = facts.split(' ').collect();
        if let [mode, "blob", id] = facts[..]
            && mode.starts_with("100")
            && is_wanted(path)
        {
            wanted.push((path.to_owned(), id.to_owned()));
        }
    }
    let mut cat = git(repository);
    cat.args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut cat = cat.spawn()?;
    let ids: String = wanted.iter().map(|(_, id)| format!("{id}\n")).collect();
    let stdin = cat.stdin.take();
    // It answers while it is told, so that somebody else has to tell it.
    let teller = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(ids.as_bytes())));
    let mut files = BTreeMap::new();
    if let Some(stdout) = cat.stdout.take() {
        let mut stdout = BufReader::new(stdout);
        for (path, _) in wanted {
            let mut head = String::new();
            stdout.read_line(&mut head)?;
            let size = head
                .trim()
                .rsplit(' ')
                .next()
                .and_then(|size| size.parse::<usize>().ok());
            let Some(size) = size else { continue };
            let mut bytes = vec![0; size + 1];
            stdout.read_exact(&mut bytes)?;
            bytes.pop();
            if let Some(text) = text_of(bytes) {
                files.insert(path, text);
            }
        }
    }
    let _ = teller.join();
    end(cat)?;
    Ok(files)
}

fn text_of(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() > LARGEST_FILE || bytes.contains(&0) {
        return None;
    }
    String::from_utf8(bytes).ok()
}

fn end(mut child: Child) -> io::Result<()> {
    let mut said = Vec::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_end(&mut said)?;
    }
    if child.wait()?.success() {
        return Ok(());
    }
    Err(io::Error::other(first_line(&said)))
}

fn read_commits(
    repository: &Path,
    since: &str,
    until: &str,
    is_wanted: &dyn Fn(&str) -> bool,
) -> io::Result<Vec<CommitPatch>> {
    let mut log = git(repository);
    log.args([
        "log",
        "--first-parent",
        "-m",
        "--reverse",
        "--patch",
        "--unified=0",
        "--inter-hunk-context=0",
    ]);
    log.args([
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-notes",
        "--no-decorate",
    ]);
    log.args([
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--diff-algorithm=myers",
        "--no-indent-heuristic",
    ]);
    log.args([
        "--ignore-submodules=all",
        "--format=tformat:%x00%H",
        "--end-of-options",
    ]);
    log.arg(format!("{since}..{until}"));
    log.stdout(Stdio::piped());
    let mut log = log.spawn()?;
    let mut commits = Vec::new();
    if let Some(stdout) = log.stdout.take() {
        commits = parse(BufReader::new(stdout), is_wanted)?;
    }
    end(log)?;
    Ok(commits)
}

fn parse(
    mut log: BufReader<ChildStdout>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> io::Result<Vec<CommitPatch>> {
    let mut commits: Vec<CommitPatch> = Vec::new();
    let mut bytes = Vec::new();
    // How many lines of the hunk are still to come: their text may look like anything.
    let (mut old, mut new) = (0, 0);
    let mut is_deleted = false;
    let mut is_taken = false;
    loop {
        bytes.clear();
        if log.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(commits);
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.strip_suffix('\n').unwrap_or(&line);
        if old + new > 0 {
            let hunk = commits
                .last_mut()
                .and_then(|it| it.files.last_mut())
                .and_then(|it| it.hunks.last_mut());
            let hunk = hunk.filter(|_| is_taken);
            if let Some(text) = line.strip_prefix('-') {
                old -= 1;
                if let Some(hunk) = hunk {
                    hunk.old.push(text.to_owned());
                }
            } else if let Some(text) = line.strip_prefix('+') {
                new -= 1;
                if let Some(hunk) = hunk {
                    hunk.new.push(text.to_owned());
                }
            }
            continue;
        }
        if let Some(name) = line.strip_prefix('\0') {
            commits.push(CommitPatch {
                name: name.to_owned(),
                files: Vec::new(),
            });
        } else if line.starts_with("diff --git ") {
            (is_deleted, is_taken) = (false, false);
        } else if line.starts_with("deleted file mode ") {
            is_deleted = true;
        } else if let Some(path) = line.strip_prefix("--- a/").filter(|_| is_deleted) {
            is_taken = take_file(&mut commits, path, is_deleted, is_wanted);
        } else if let Some(path) = line.strip_prefix("+++ b/") {
            is_taken = take_file(&mut commits, path, is_deleted, is_wanted);
        } else if let Some(head) = line.strip_prefix("@@ -") {
            let numbers = head.split(" @@").next().unwrap_or_default();
            let Some((from, to)) = numbers.split_once(" +") else {
                continue;
            };
            let (first, old_count) = span(from);
            (old, new) = (old_count, span(to).1);
            let file = commits.last_mut().and_then(|it| it.files.last_mut());
            if let Some(file) = file.filter(|_| is_taken) {
                // Of an empty run it names the line before.
                let at = if old > 0 {
                    first.saturating_sub(1)
                } else {
                    first
                };
                file.hunks.push(PatchHunk {
                    at,
                    ..PatchHunk::default()
                });
            }
        }
    }
}

fn take_file(
    commits: &mut [CommitPatch],
    path: &str,
    is_deleted: bool,
    is_wanted: &dyn Fn(&str) -> bool,
) -> bool {
    // A path with a blank in it ends with a tab.
    let path = path.trim_end_matches('\t');
    let Some(commit) = commits.last_mut().filter(|_| is_wanted(path)) else {
        return false;
    };
    commit.files.push(FilePatch {
        path: path.to_owned(),
        is_deleted,
        hunks: Vec::new(),
    });
    true
}

/// `3,2` is two lines from the third, and `3` is one.
fn span(text: &str) -> (usize, usize) {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    (
        first.parse().unwrap_or_default(),
        count.parse().unwrap_or_default(),
    )
}
