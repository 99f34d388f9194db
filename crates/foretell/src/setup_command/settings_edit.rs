//! What a setup writes into the person's own settings file, and how that is taken back.
//!
//! Everything else in the file stays as it is, comments too. The file is written beside its place and moved there,
//! so that it is there whole or not at all; before that, what it was goes into a file of its own beside it, one for each setup. Taking
//! back loses nothing either: what stood there meanwhile is kept under another name.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use foretell_index::make_private_directory;
use foretell_text::LaneKind;
use tempfile::NamedTempFile;
use toml_edit::{DocumentMut, Item, Table, value};

use super::arrangement::{ChosenModel, lane_name, settings_of};
use crate::failure::CommandFailure;

/// What was said for the server that a lane had before: a key must not reach another, and another model may be asked in
/// another way.
const OF_SERVER_BEFORE: [&str; 9] = [
    "apiKeyEnv",
    "apiKeyFile",
    "apiKeyCommand",
    "headers",
    "allowInsecure",
    "caFile",
    "explicitModel",
    "format",
    "template",
];

/// Sets the models of lanes in a settings file, which need not be there.
pub(super) fn write(path: &Path, lanes: &[(LaneKind, ChosenModel)]) -> Result<(), CommandFailure> {
    // Where it is a link to a file, that file is meant.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let not_written = not_written(&path);
    let before = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(why) if why.kind() == io::ErrorKind::NotFound => None,
        Err(why) => return Err(not_written(why)),
    };
    let text = before.as_deref().unwrap_or_default();
    let mut document: DocumentMut = text.parse().map_err(|why: toml_edit::TomlError| {
        let says = format!("it cannot be understood: {}", why.message());
        not_written(io::Error::new(io::ErrorKind::InvalidData, says))
    })?;
    for (lane, chosen) in lanes {
        put(&mut document, *lane, chosen).ok_or_else(|| {
            let says = format!("lanes.{} is no table there", lane_name(*lane));
            not_written(io::Error::new(io::ErrorKind::InvalidData, says))
        })?;
    }
    expect_writable(&path).map_err(&not_written)?;
    replace(&next_kept(&path), text).map_err(&not_written)?;
    replace(&path, &document.to_string()).map_err(&not_written)
}

/// Puts the file back as it was before the last setup. Returns what was done, in words.
pub(super) fn undo(path: &Path) -> Result<String, CommandFailure> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let kept = last_kept(&path);
    let before = fs::read_to_string(&kept).map_err(|why| CommandFailure::NothingToUndo {
        name: kept.display().to_string(),
        why,
    })?;
    let not_written = not_written(&path);
    let undone = with_ending(&path, "undone");
    match fs::rename(&path, &undone) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(not_written(why)),
        _ => {}
    }
    // There was no file.
    if !before.is_empty() {
        replace(&path, &before).map_err(&not_written)?;
    }
    fs::remove_file(&kept).map_err(&not_written)?;
    let (path, undone) = (path.display(), undone.display());
    Ok(format!(
        "{path} is as it was before; what it said is in {undone}"
    ))
}

/// Sets a lane's model, wherever the file has its settings; nothing if something else stands there.
fn put(document: &mut DocumentMut, lane: LaneKind, chosen: &ChosenModel) -> Option<()> {
    let implicit = || {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    };
    let lanes = document.entry("lanes").or_insert_with(implicit);
    let lanes = lanes.as_table_like_mut()?;
    let of_lane = lanes
        .entry(lane_name(lane))
        .or_insert_with(toml_edit::table);
    let of_lane = of_lane.as_table_like_mut()?;
    for name in OF_SERVER_BEFORE {
        of_lane.remove(name);
    }
    for (name, says) in settings_of(chosen) {
        match of_lane.get_mut(name).and_then(Item::as_value_mut) {
            // A comment behind it stays.
            Some(written) => {
                let around = written.decor().clone();
                *written = says.into();
                *written.decor_mut() = around;
            }
            None => {
                of_lane.insert(name, value(says));
            }
        }
    }
    Some(())
}

/// What the file was before a setup is kept by that one's number: one setup after the other can be taken back.
fn kept(path: &Path, number: usize) -> PathBuf {
    match number {
        1 => with_ending(path, "before-setup"),
        _ => with_ending(path, &format!("before-setup-{number}")),
    }
}

/// Where nothing is kept yet.
fn next_kept(path: &Path) -> PathBuf {
    let mut free = (1..).map(|number| kept(path, number));
    let is_free = |it: &PathBuf| fs::symlink_metadata(it).is_err();
    free.find(is_free).unwrap_or_else(|| kept(path, 1))
}

/// What was kept last; the name of the first if nothing is.
fn last_kept(path: &Path) -> PathBuf {
    let kept_ones = (1..).map(|number| kept(path, number));
    let mut there = kept_ones.take_while(|it| fs::symlink_metadata(it).is_ok());
    there.by_ref().last().unwrap_or_else(|| kept(path, 1))
}

fn expect_writable(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|it| it.permissions().readonly()) {
        let says = "it may only be read";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, says));
    }
    Ok(())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    make_private_directory(directory)?;
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn not_written(path: &Path) -> impl Fn(io::Error) -> CommandFailure {
    let name = path.display().to_string();
    move |why| CommandFailure::NotWritten {
        name: name.clone(),
        why,
    }
}
