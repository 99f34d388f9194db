//! The files that somebody would have open who works on a file: those beside it, in the same language.
//!
//! Excluded and hidden ones are not read, nor are large ones: a suggestion is wanted now.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_engine::workspace::name_in;
use foretell_engine::{ExcludedFiles, read_text_of_workspace};
use foretell_text::{Language, Text};

/// How many there are at most, and how many bytes one may have.
const MOST: usize = 12;
const LARGEST: u64 = 256 << 10;

/// The neighbours of a file, those whose names are most like its own last, as if they had been looked
/// at last.
pub(super) fn of(file: &Path, root: &Path, excluded: &ExcludedFiles) -> Vec<(PathBuf, Text)> {
    let Some(directory) = file.parent() else {
        return Vec::new();
    };
    let language = Language::of_file(&file.to_string_lossy());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let is_one = |path: &PathBuf| {
        let other = path.file_name().unwrap_or_default().to_string_lossy();
        other != name && !other.starts_with('.') && Language::of_file(&other) == language
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).filter(is_one).collect();
    let likeness = |path: &PathBuf| {
        let other = path.file_name().unwrap_or_default().to_string_lossy();
        let alike = name.chars().zip(other.chars());
        alike.take_while(|(one, other)| one == other).count()
    };
    paths.sort_by_cached_key(|path| (std::cmp::Reverse(likeness(path)), path.clone()));
    let texts = paths.into_iter().filter_map(|path| {
        let place = excluded.locate(&name_in(root, &path)).ok()?;
        let text = read_text_of_workspace(&place, LARGEST).ok()?;
        Some((path, Text::from(text.as_str())))
    });
    let mut texts: Vec<_> = texts.take(MOST).collect();
    texts.reverse();
    texts
}
