//! Settings of a repository for an editor: which files have them, and what is in one.
//!
//! | file | whose | where |
//! | --- | --- | --- |
//! | `.vscode/settings.json`, `.theia/settings.json` | VS Code's and those made of it | in a folder and above it |
//! | `.devcontainer.json`, `.devcontainer/devcontainer.json`, `.devcontainer/*/devcontainer.json` | theirs in a container | in a folder and above it |
//! | `.zed/settings.json` | Zed's | in a folder and above it |
//! | `.vim/coc-settings.json`, `.neoconf.json` | Vim's and Neovim's | in a folder and above it |
//! | `.helix/languages.toml`, `.kateproject` | Helix's, Kate's | in a folder and above it |
//! | `*.code-workspace`, `*.sublime-project` | VS Code's, Sublime Text's | anywhere, within bounds |
//!
//! *Above* is as far as the repository goes, and others that it lies in; the folder alone if it is in
//! none. The last two name the folders they are for, so that they may lie anywhere: they are looked for
//! from the top of each of these repositories down, nearest first, at most [`DEEPEST`] directories deep
//! and among at most [`MOST`] entries. Links to directories are not followed. Ignored files are looked
//! at as well, since an editor does not care; `.git` is not, because nothing in it is cloned.
//!
//! An editor's name for a setting of ours differs: `foretell.lanes.fim.url`, within `"[rust]"`, below
//! `lsp.foretell.settings`. So whatever ends with the name of a setting counts as that setting.
//!
//! Absent on purpose: what is code (`.nvim.lua`, `.exrc`, `.dir-locals.el`), which cannot be read
//! without running it. An editor that lets a repository run code lets it do anything.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use foretell_settings::{Home, RawSettings, SettingsProblem, settings_table};

use crate::read_text::{ReadError, ReadTextError, is_absent, read_text_of_workspace};
use crate::terminal_safe::visible;

/// How large a file may be, in bytes.
const LARGEST: u64 = 1 << 20;

/// How many directories below the top one is looked at, and how many entries there.
const DEEPEST: usize = 6;
const MOST: usize = 20_000;

/// Where files lie that hold for the directory they are in.
const FIXED: [&str; 9] = [
    ".vscode/settings.json",
    ".theia/settings.json",
    ".devcontainer.json",
    ".devcontainer/devcontainer.json",
    ".zed/settings.json",
    ".vim/coc-settings.json",
    ".neoconf.json",
    ".helix/languages.toml",
    ".kateproject",
];

/// Where those of several containers lie, each in a directory of its own, and how many are looked at.
const CONTAINERS: (&str, &str) = (".devcontainer", "devcontainer.json");
const MOST_CONTAINERS: usize = 200;

/// How the names of files end that say which folders they are for.
const WORKSPACES: [&str; 2] = ["code-workspace", "sublime-project"];

/// A file's settings for an editor.
pub(super) enum ForeignFile {
    /// This.
    Settings {
        settings: RawSettings,
        /// Settings that stand twice in it, of which editors take one or the other, and what to say of it.
        twice: Vec<(String, String)>,
    },
    /// Why it is not known, in words.
    Unknown(String),
}

impl ForeignFile {
    /// Reads a file, which need not be there.
    pub(super) fn read(path: &Path) -> Self {
        let text = match read_text_of_workspace(path, LARGEST) {
            Ok(text) => text,
            Err(ReadError {
                why: ReadTextError::Io(why),
                ..
            }) if is_absent(&why) => String::new(),
            Err(why) => return ForeignFile::Unknown(visible(why)),
        };
        let name = path.display().to_string();
        let home = Home::WorkspaceFile;
        let (settings, faults) = if path.extension().is_some_and(|it| it == "toml") {
            RawSettings::from_toml(home, &name, &text)
        } else {
            RawSettings::from_json(home, &name, &text)
        };
        let mut twice = Vec::new();
        for fault in faults {
            match &fault.problem {
                SettingsProblem::Duplicate { name } => twice.push((name.clone(), visible(&fault))),
                _ => return ForeignFile::Unknown(visible(fault)),
            }
        }
        ForeignFile::Settings { settings, twice }
    }

    /// Whether what the editor says under a name may be from here, in words.
    pub(super) fn contests(&self, editor: &RawSettings, name: &str) -> Option<String> {
        const UNTIL: &str = "it is not taken from the editor, and no model is asked, until it is \
                             removed there or set by a FORETELL_ variable or by --set";
        let unknown = |why: &str| {
            format!(
                "{why}, so that nobody knows whether the editor has {name:?} from there: {UNTIL}"
            )
        };
        let (settings, twice) = match self {
            ForeignFile::Settings { settings, twice } => (settings, twice),
            ForeignFile::Unknown(why) => return Some(unknown(why)),
        };
        let general = settings_table::for_any_language(name).map(|(_, general)| general);
        let general = general.as_deref().unwrap_or(name);
        if let Some((_, why)) = twice.iter().find(|(written, _)| is_of(written, general)) {
            return Some(unknown(why));
        }
        let mut written = settings.names().chain(settings.unset());
        let (_, origin) = written.find(|(written, _)| {
            is_of(written, general) && editor.agrees(name, settings, written)
        })?;
        let origin = visible(origin);
        Some(format!(
            "{origin}: a workspace may not set {name:?}, and the editor says the same, which may be \
             this: {UNTIL}"
        ))
    }
}

/// Whether a name that an editor knows ends with that of a setting.
fn is_of(written: &str, setting: &str) -> bool {
    let start = written.len().checked_sub(setting.len());
    let parts = start.and_then(|it| written.split_at_checked(it));
    parts.is_some_and(|(before, end)| {
        let is_whole = before.is_empty() || before.ends_with('.');
        is_whole && end.eq_ignore_ascii_case(setting)
    })
}

/// The files in which the repositories of folders can say something to an editor; those with fixed
/// names whether they are there or not.
pub(super) fn files(folders: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut tops = BTreeSet::new();
    for folder in folders {
        // As it was named, and where it really is.
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
        for folder in [folder, &real] {
            let is_top = |it: &&Path| fs::symlink_metadata(it.join(".git")).is_ok();
            let mut around: Vec<&Path> = folder.ancestors().filter(is_top).collect();
            if around.is_empty() {
                around.push(folder);
            }
            let is_inside = |it: &Path| around.iter().any(|top| it.starts_with(top));
            let above = folder.ancestors().filter(|it| is_inside(it));
            for directory in above {
                files.extend(FIXED.map(|name| directory.join(name)));
                files.extend(containers_of(directory));
            }
            tops.extend(around.into_iter().map(Path::to_owned));
        }
    }
    // Each by itself, so that a small repository in a large one is looked at as a whole.
    files.extend(tops.iter().flat_map(|it| workspaces_below(it, MOST)));
    files
}

/// The files of the containers that a directory has settings for, whether they are there or not.
fn containers_of(directory: &Path) -> Vec<PathBuf> {
    let (all, file) = CONTAINERS;
    let Ok(entries) = fs::read_dir(directory.join(all)) else {
        return Vec::new();
    };
    // Links to directories too: opening the container follows them.
    let found = entries.flatten().map(|it| it.path().join(file));
    found.take(MOST_CONTAINERS).collect()
}

/// The files below a directory that say which folders they are for, among so many entries.
pub(super) fn workspaces_below(top: &Path, most: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut seen = 0;
    let mut waiting = VecDeque::from([(top.to_owned(), 0)]);
    while let Some((directory, depth)) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        let mut below = Vec::new();
        for entry in entries.flatten() {
            if seen == most {
                return found;
            }
            seen += 1;
            let path = entry.path();
            let is_directory = entry.file_type().is_ok_and(|it| it.is_dir());
            if is_directory {
                below.push(path);
            } else if is_workspace(&path) {
                found.push(path);
            }
        }
        if depth < DEEPEST {
            // In a fixed order, whatever a disk has them in.
            below.sort();
            below.retain(|it| it.file_name().is_some_and(|name| name != ".git"));
            waiting.extend(below.into_iter().map(|it| (it, depth + 1)));
        }
    }
    found
}

fn is_workspace(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|it| {
        let mut known = WORKSPACES.iter();
        known.any(|known| it.eq_ignore_ascii_case(known))
    })
}
