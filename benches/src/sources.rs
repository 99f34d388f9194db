//! Real source code to measure on: the Rust sources that cargo has unpacked on this machine.
//!
//! Which they are depends on the machine, so what is measured on them says how many there were.

use std::path::{Path, PathBuf};

/// Files longer than this are data.
const LONGEST: u64 = 1 << 20;

/// A file.
pub struct Source {
    /// Which crate it is of, with its version.
    pub krate: String,
    /// Its path within the crate.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// Rust sources in the order of their paths, whole crates until there are so many lines.
pub fn rust(lines: usize) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut read = 0;
    for krate in crates() {
        if read >= lines {
            break;
        }
        let from = sources.len();
        collect(&krate, &krate, &mut sources);
        let new: &[Source] = &sources[from..];
        read += new.iter().map(|it| it.text.lines().count()).sum::<usize>();
    }
    sources
}

/// How many of the first sources have so many lines together, at most.
pub fn within(sources: &[Source], lines: usize) -> usize {
    let mut read = 0;
    let fits = |source: &&Source| {
        read += source.text.lines().count();
        read <= lines
    };
    sources.iter().take_while(fits).count().max(1)
}

/// The folders of crates that cargo has unpacked, the newest version of each, spread so that the
/// first of them are not all from the same end of the alphabet.
fn crates() -> Vec<PathBuf> {
    let Some(registry) = registry() else {
        return Vec::new();
    };
    let mut crates: Vec<PathBuf> = folders(&registry)
        .iter()
        .flat_map(|it| folders(it))
        .collect();
    crates.sort();
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.rsplit_once('-')
            .map_or(name.to_string(), |(name, _)| name.to_owned())
    };
    crates.dedup_by(|next, kept| {
        let is_same = name(next) == name(kept);
        if is_same {
            std::mem::swap(next, kept);
        }
        is_same
    });
    // Generated bindings are most of their lines and all the same.
    crates.retain(|path| !name(path).starts_with("windows"));
    let mut spread = Vec::new();
    for step in 0..7 {
        spread.extend(crates.iter().skip(step).step_by(7).cloned());
    }
    spread
}

/// Where cargo keeps sources.
fn registry() -> Option<PathBuf> {
    let beside_home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let sources = home.or_else(beside_home)?.join("registry/src");
    sources.is_dir().then_some(sources)
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(of).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.is_dir()).collect()
}

fn collect(krate: &Path, folder: &Path, onto: &mut Vec<Source>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_rust = path.extension().is_some_and(|it| it == "rs");
        let is_short = || path.metadata().is_ok_and(|data| data.len() <= LONGEST);
        if path.is_dir() {
            collect(krate, &path, onto);
        } else if is_rust && is_short() {
            let within = path.strip_prefix(krate).unwrap_or(&path);
            let krate = krate.file_name().unwrap_or_default();
            onto.extend(std::fs::read_to_string(&path).ok().map(|text| Source {
                krate: krate.to_string_lossy().into_owned(),
                path: within.to_string_lossy().into_owned(),
                text,
            }));
        }
    }
}
