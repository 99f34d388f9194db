//! The workspace a file belongs to, as far as a command on its own can tell: where it begins, what
//! its settings file adds, and what language a file is in.

use std::io;
use std::path::{Path, PathBuf};

use foretell_engine::{ReadError, Unreadable, read_text};
use foretell_settings::{Fault, Home, RawSettings, Settings};
use foretell_text::{FilePath, Language};

/// The file in which a workspace has settings.
const SETTINGS_FILE: &str = ".foretell.toml";
/// How large it may be, in bytes.
const LARGEST_SETTINGS: u64 = 1 << 20;

/// Where a workspace begins: the nearest directory above a file that is a repository or has
/// settings; otherwise the current one, if the file is in it, or else the file's own.
pub(crate) fn root_of(file: &Path) -> PathBuf {
    let above = || file.ancestors().skip(1);
    let is_root = |directory: &&Path| {
        let has = |name: &str| directory.join(name).exists();
        has(".git") || has(SETTINGS_FILE)
    };
    if let Some(root) = above().find(is_root) {
        return root.to_owned();
    }
    let current = std::env::current_dir().unwrap_or_default();
    match file.starts_with(&current) {
        true => current,
        false => above().next().unwrap_or(file).to_owned(),
    }
}

/// What a file is called in its workspace; outside of it, its whole path.
pub(crate) fn name_in(root: &Path, file: &Path) -> FilePath {
    let within = file.strip_prefix(root).unwrap_or(file);
    let name = within.to_string_lossy();
    FilePath::new(match std::path::MAIN_SEPARATOR {
        '/' => name.into_owned(),
        separator => name.replace(separator, "/"),
    })
}

/// The settings of a workspace, and everything in its file that does not apply. Such a file may only
/// add to what is excluded, and a few things that have nothing to do with context.
pub(crate) fn settings_of(root: &Path) -> Result<(Settings, Vec<Fault>), ReadError> {
    let path = root.join(SETTINGS_FILE);
    let text = match read_text(&path, LARGEST_SETTINGS) {
        Ok(text) => text,
        Err(ReadError {
            why: Unreadable::Io(why),
            ..
        }) if why.kind() == io::ErrorKind::NotFound => {
            return Ok((Settings::default(), Vec::new()));
        }
        Err(error) => return Err(error),
    };
    let name = path.display().to_string();
    let (raw, mut faults) = RawSettings::from_toml(Home::WorkspaceFile, &name, &text);
    let (settings, more) = Settings::resolve(&[raw]);
    faults.extend(more);
    Ok((settings, faults))
}

/// What a file is written in, by its name, as editors call it.
pub(crate) fn language_of(file: &Path) -> Language {
    let extension = file.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    Language::new(match extension.as_str() {
        "rs" => "rust",
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "typescriptreact",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "javascriptreact",
        "py" | "pyi" => "python",
        "go" => "go",
        "java" => "java",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => "cpp",
        "cs" => "csharp",
        "rb" => "ruby",
        "sh" | "bash" => "shellscript",
        "md" => "markdown",
        "yml" | "yaml" => "yaml",
        "json" | "toml" | "html" | "css" | "sql" | "lua" | "php" | "swift" => &extension,
        "kt" => "kotlin",
        _ => "plaintext",
    })
}
