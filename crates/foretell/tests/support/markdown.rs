//! The pages for people: which there are, and what stands in them, in order.
//!
//! They are found, not listed, so that a page that somebody adds is held against what it says without
//! anybody thinking of it. This reads as much of Markdown as the pages use: blocks between fences, and
//! words between backticks on one line.
#![allow(dead_code, reason = "not every test needs everything")]
#![allow(
    clippy::unwrap_used,
    reason = "a page that cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// A page, by its path from the top of the repository.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// What a page has besides sentences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Piece<'a> {
    /// What stands between two fences, and the format that the first one names.
    Block { format: &'a str, text: &'a str },
    /// What stands between two backticks.
    Quoted(&'a str),
}

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every page: at the top, in `docs`, and of each editor.
pub(crate) fn pages() -> Vec<Page> {
    let mut names = below("", Depth::Here);
    names.extend(below("docs", Depth::All));
    for editor in directories("editors") {
        names.extend(below(&editor, Depth::Here));
    }
    names.sort();
    names.into_iter().map(Page::read).collect()
}

/// The directories in a directory, by their paths from the top.
pub(crate) fn directories(within: &str) -> Vec<String> {
    let found = entries(within).into_iter();
    found.filter(|it| root().join(it).is_dir()).collect()
}

#[derive(Clone, Copy)]
enum Depth {
    Here,
    All,
}

fn below(directory: &str, depth: Depth) -> Vec<String> {
    let mut found = Vec::new();
    for name in entries(directory) {
        match (root().join(&name).is_dir(), depth) {
            (true, Depth::All) => found.extend(below(&name, depth)),
            (true, Depth::Here) => {}
            (false, _) if name.ends_with(".md") => found.push(name),
            (false, _) => {}
        }
    }
    found
}

/// What is in a directory, by its path from the top.
pub(crate) fn entries(directory: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(directory)).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<_> = names
        .map(|name| match directory {
            "" => name,
            _ => format!("{directory}/{name}"),
        })
        .collect();
    paths.sort();
    paths
}

impl Page {
    pub(crate) fn read(name: impl Into<String>) -> Page {
        let name = name.into();
        let text = fs::read_to_string(root().join(&name)).unwrap();
        let text = text.replace("\r\n", "\n");
        Page { name, text }
    }

    /// Its blocks and quoted words, in the order in which they stand there.
    pub(crate) fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut rest = self.text.as_str();
        while let Some((line, behind)) = split_line(rest) {
            rest = behind;
            let Some(format) = line.trim_start().strip_prefix("```") else {
                pieces.extend(line.split('`').skip(1).step_by(2).map(Piece::Quoted));
                continue;
            };
            let end = rest.find("```").unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            pieces.push(Piece::Block { format, text });
            rest = split_line(behind).map_or("", |(_, behind)| behind);
        }
        pieces
    }

    /// Its blocks: the format of each, and what it says.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pieces().into_iter().filter_map(|piece| match piece {
            Piece::Block { format, text } => Some((format, text)),
            Piece::Quoted(_) => None,
        })
    }

    /// What stands between backticks, outside of blocks.
    pub(crate) fn quoted(&self) -> impl Iterator<Item = &str> {
        self.pieces().into_iter().filter_map(|piece| match piece {
            Piece::Block { .. } => None,
            Piece::Quoted(words) => Some(words),
        })
    }
}

fn split_line(text: &str) -> Option<(&str, &str)> {
    if text.is_empty() {
        None
    } else {
        Some(text.split_once('\n').unwrap_or((text, "")))
    }
}
