//! Which files of a workspace are searched, as far as their names and the disk say.
//!
//! Walks like ripgrep: `.gitignore`, `.ignore` and git's own exclude files count, and hidden files
//! stay out; `.foretellignore` files count besides, above the others ([`ignore_stack`]). Links are not followed, which
//! rules out loops and everything outside the workspace: what a link leads to is searched under its
//! own name, if it is in the workspace. Neither is what another disk, or the system itself, shows in
//! a directory (a mount): it may be as large as the internet.
//!
//! The same walk judges one file ([`WalkScope::Path`]): it goes down to that file only, past every
//! ignore file on the way. So a file that changes is never judged by other rules than all of them.
//!
//! Ignore files above the workspace count if they belong to the repository that it is a part of.
//! Without a repository, those in the workspace count all the same.
//!
//! Absent on purpose: which files are secret. The caller that opens an index brings that, and it is asked
//! where files are read, once for each.

pub(crate) mod ignore_stack;
pub(crate) mod read_file;

use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use foretell_text::FilePath;
use ignore::WalkBuilder;

use self::ignore_stack::{IgnoreFiles, IgnoreStack};
use crate::build_progress::{FileFault, SkippedFile};
use crate::store::is_kept_at;

/// The name of the files that people keep files out of the index with.
const IGNORE_FILE: &str = ".foretellignore";

/// Whether a file says which others are searched, so that a change of it concerns all of them.
pub(crate) fn is_ignore_file(file: &FilePath) -> bool {
    let name = file.as_str().rsplit('/').next().unwrap_or_default();
    [IGNORE_FILE, ".gitignore", ".ignore"].contains(&name)
}

/// How much of a workspace is walked.
#[derive(Clone, Debug)]
pub(crate) enum WalkScope {
    /// All of it.
    Workspace,
    /// A file, or a directory and all that is in it.
    Path(FilePath),
}

/// The ground of a walk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkGround<'a> {
    /// The workspace.
    pub(crate) root: &'a Path,
    /// Where the index is, which is left out, as are the indexes of other workspaces.
    pub(crate) apart: &'a Path,
    /// The ignore files, as far as they were read.
    pub(crate) ignore_files: &'a Arc<IgnoreFiles>,
}

/// Walks a workspace, in the order of names. It ends as soon as it is to stop, also where there are only
/// directories. A walk of all of it tells the faults of ignore files.
pub(crate) fn walk<S: Fn() -> bool>(
    ground: WalkGround<'_>,
    within: &WalkScope,
    is_stopped: S,
) -> impl Iterator<Item = Result<FilePath, SkippedFile>> + use<S> {
    let (entries, ignored) = entries(ground, within);
    let mut entries = entries.take_while(move |_| !is_stopped());
    let root = ground.root.to_owned();
    let tells_faults = matches!(within, WalkScope::Workspace);
    let mut waiting = VecDeque::new();
    std::iter::from_fn(move || {
        loop {
            if let Some(next) = waiting.pop_front() {
                return Some(next);
            }
            let entry = entries.next();
            let is_end = entry.is_none();
            let faults = ignored.faults();
            if tells_faults {
                waiting.extend(faults.into_iter().map(Err));
            }
            waiting.extend(entry.and_then(|it| judge(&root, it)));
            if is_end && waiting.is_empty() {
                return None;
            }
        }
    })
}

/// The directories that a walk comes through, by their whole paths.
pub(crate) fn directories(
    ground: WalkGround<'_>,
    within: &WalkScope,
) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = entries(ground, within).0.filter_map(Result::ok);
    let directories = entries.filter(|it| it.file_type().is_some_and(|it| it.is_dir()));
    directories.map(ignore::DirEntry::into_path)
}

fn entries(ground: WalkGround<'_>, within: &WalkScope) -> (ignore::Walk, Arc<IgnoreStack>) {
    let ignore_files = Arc::clone(ground.ignore_files);
    let ignored = Arc::new(IgnoreStack::new(ignore_files, ground.root));
    let mut walk = WalkBuilder::new(ground.root);
    // It opens no ignore file by itself.
    walk.standard_filters(false)
        .follow_links(false)
        .same_file_system(true)
        .sort_by_file_name(|one, other| one.cmp(other));
    let apart = ground.apart.to_owned();
    let target = match within {
        WalkScope::Workspace => None,
        WalkScope::Path(path) => Some(ground.root.join(path.as_str())),
    };
    let judge = Arc::clone(&ignored);
    walk.filter_entry(move |entry| {
        let path = entry.path();
        let is_on_the_way = |target: &PathBuf| target.starts_with(path) || path.starts_with(target);
        let is_apart = path == apart || is_kept_at(path);
        !is_apart && target.as_ref().is_none_or(is_on_the_way) && !judge.leaves_out(entry)
    });
    (walk.build(), ignored)
}

fn judge(
    root: &Path,
    entry: Result<ignore::DirEntry, ignore::Error>,
) -> Option<Result<FilePath, SkippedFile>> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => {
            let file = path_of(&error).and_then(|path| name_in(root, path));
            let file = file.unwrap_or_else(|| FilePath::new(""));
            let why = why(&error);
            return Some(Err(SkippedFile { file, why }));
        }
    };
    // Links, pipes and devices are not files, and directories are walked by themselves.
    if !entry.file_type().is_some_and(|it| it.is_file()) {
        return None;
    }
    let path = entry.path();
    Some(name_in(root, path).ok_or_else(|| {
        let file = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        SkippedFile {
            file: FilePath::new(file),
            why: FileFault::NameNotUtf8,
        }
    }))
}

/// Which file or directory an error of a walk is about.
fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        ignore::Error::Loop { child, .. } => Some(child),
        _ => None,
    }
}

fn why(error: &ignore::Error) -> FileFault {
    use std::io::ErrorKind::NotFound;

    match error.io_error() {
        Some(why) if why.kind() == NotFound => FileFault::Vanished,
        Some(why) => FileFault::Unreadable {
            why: why.to_string(),
        },
        None => FileFault::Unreadable {
            why: error.to_string(),
        },
    }
}

/// The name of a file by its path from the root, or by its whole path; nothing, if it is not in the
/// workspace, or has a name that cannot be written down.
pub(crate) fn name_in(root: &Path, path: &Path) -> Option<FilePath> {
    let below = if path.is_absolute() {
        path.strip_prefix(root).ok()?
    } else {
        path
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in below.components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(FilePath::new(parts.join("/")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn walked(files: &[(&str, &str)], within: WalkScope) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let apart = directory.path().join("apart");
        let ground = WalkGround {
            root: directory.path(),
            apart: &apart,
            ignore_files: &Arc::default(),
        };
        let found = walk(ground, &within, || false);
        found.map(|it| it.unwrap().to_string()).collect()
    }

    #[test]
    fn ignored_and_hidden_files_stay_out() {
        let files = [
            ("a.rs", ""),
            (".hidden.rs", ""),
            (".gitignore", "target\n"),
            ("target/b.rs", ""),
            ("src/.foretellignore", "*.gen.rs\n"),
            ("src/c.gen.rs", ""),
            ("src/d.rs", ""),
            ("apart/e.rs", ""),
        ];
        assert_eq!(walked(&files, WalkScope::Workspace), ["a.rs", "src/d.rs"]);
    }

    #[test]
    fn one_file_is_judged_as_all_are() {
        let files = [
            (".gitignore", "/src/b*\n"),
            ("src/a.rs", ""),
            ("src/b.rs", ""),
            ("src/a.rs.orig", ""),
            ("other/a.rs", ""),
        ];
        let one = |path: &str| walked(&files, WalkScope::Path(FilePath::new(path)));
        assert_eq!(one("src/a.rs"), ["src/a.rs"]);
        assert_eq!(one("src"), ["src/a.rs", "src/a.rs.orig"]);
        let none: [&str; 0] = [];
        assert_eq!(one("src/b.rs"), none);
        assert_eq!(one("gone/a.rs"), none);
    }

    /// The files that ripgrep finds in a directory, with the same kinds of ignore files.
    fn found_by_ripgrep(root: &Path) -> Vec<String> {
        let mut walk = WalkBuilder::new(root);
        walk.require_git(false)
            .parents(false)
            .git_global(false)
            .add_custom_ignore_filename(IGNORE_FILE)
            .sort_by_file_name(|one, other| one.cmp(other));
        let entries = walk.build().map(Result::unwrap);
        let files = entries.filter(|it| it.file_type().is_some_and(|it| it.is_file()));
        let names = files.map(|it| name_in(root, it.path()).unwrap().to_string());
        names.collect()
    }

    proptest::proptest! {
        #[test]
        fn ignore_files_mean_what_they_mean_to_ripgrep(
            lines in proptest::collection::vec(
                (
                    proptest::sample::select(vec!["", "a", "b", "a/b", "a/b/a"]),
                    proptest::sample::select(vec![".gitignore", ".ignore", IGNORE_FILE, ".git/info/exclude"]),
                    "!?/?(a|b|\\.a|\\*\\*|\\*|a\\*|\\?)(/(a|b|\\*\\*|\\*))?/?( |\\\\ |#)?",
                ),
                0..8,
            ),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let root = directory.path();
            for place in ["", "a", "b", ".a", "a/a", "a/b", "a/b/a", "b/a"] {
                fs::create_dir_all(root.join(place)).unwrap();
                for name in ["c", ".b", "ab"] {
                    fs::write(root.join(place).join(name), "").unwrap();
                }
            }
            for (place, file, line) in &lines {
                use std::io::Write;

                let path = root.join(place).join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
                writeln!(file, "{line}").unwrap();
            }
            let ground = WalkGround {
                root,
                apart: Path::new("/nowhere"),
                ignore_files: &Arc::default(),
            };
            // The person's own excludes do not matter here.
            let found = walk(ground, &WalkScope::Workspace, || false);
            let found: Vec<String> = found.map(|it| it.unwrap().to_string()).collect();
            proptest::prop_assert_eq!(&found, &found_by_ripgrep(root));
            for file in &found {
                let within = WalkScope::Path(FilePath::new(file.as_str()));
                let one: Vec<_> = walk(ground, &within, || false).map(|it| it.unwrap().to_string()).collect();
                proptest::prop_assert_eq!(&one[..], std::slice::from_ref(file));
            }
        }
    }

    /// A file system in memory is another disk than the one of the devices.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_another_disk_shows_in_a_directory_stays_out() {
        use std::os::unix::fs::MetadataExt;

        let (root, shown) = (Path::new("/dev"), Path::new("/dev/shm"));
        let disk = |path: &Path| path.metadata().map(|it| it.dev()).ok();
        let place = tempfile::Builder::new().prefix("walk").tempdir_in(shown);
        let Some(place) = place.ok().filter(|_| disk(root) != disk(shown)) else {
            return;
        };
        fs::write(place.path().join("a.rs"), "").unwrap();
        let found = |root: &Path| {
            let within = WalkScope::Path(name_in(root, place.path()).unwrap());
            let ground = WalkGround {
                root,
                apart: Path::new("/nowhere"),
                ignore_files: &Arc::default(),
            };
            walk(ground, &within, || false).count()
        };
        assert_eq!((found(shown), found(root)), (1, 0));
    }

    #[test]
    fn a_name_is_told_from_the_root() {
        let root = Path::new("/home/ada/work");
        let name = |path: &str| name_in(root, Path::new(path)).map(|it| it.to_string());
        assert_eq!(name("/home/ada/work/src/a.rs").unwrap(), "src/a.rs");
        assert_eq!(name("./src/x/../a.rs").unwrap(), "src/a.rs");
        assert_eq!(name("/home/ada/other"), None);
        assert_eq!(name("../other"), None);
    }
}
