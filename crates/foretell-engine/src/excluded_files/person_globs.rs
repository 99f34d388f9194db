//! The person's globs as a disk has them: `~/` is their home, and a whole path is also where it really
//! is. A link on the way to a directory must not make two of it, of which only one is excluded.
//!
//! Absent on purpose: the globs of a file that came with the code, which begin where it lies and know
//! nothing of a person's home.

use std::path::{Path, PathBuf};

use foretell_context::begins_at_a_root;

/// The names that globs have a meaning for.
const SPECIAL: [char; 6] = ['*', '?', '[', ']', '{', '}'];

/// The person's globs, each with what it means on this disk.
pub(crate) fn on_disk(globs: &[String], home: Option<&Path>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for glob in globs {
        let glob = in_home(glob, home);
        let real = real(&glob);
        for glob in [Some(glob), real].into_iter().flatten() {
            if !all.contains(&glob) {
                all.push(glob);
            }
        }
    }
    all
}

/// A glob whose `~/` is the person's home. Where that is not known, it is any directory.
fn in_home(glob: &str, home: Option<&Path>) -> String {
    let rest = glob.trim().strip_prefix('~');
    let rest = rest.filter(|it| it.is_empty() || it.starts_with(['/', '\\']));
    let Some(rest) = rest else {
        return glob.to_owned();
    };
    match home.map(Path::to_string_lossy) {
        Some(home) => format!("{}{rest}", escaped(home.trim_end_matches(['/', '\\']))),
        None => format!("**{rest}"),
    }
}

/// A glob of whole paths that begins where its directory really is, if that is somewhere else.
fn real(glob: &str) -> Option<String> {
    // Elsewhere what is real is written in an unusual way.
    if !cfg!(unix) || !begins_at_a_root(glob) {
        return None;
    }
    let parts: Vec<&str> = glob.trim().split('/').collect();
    let plain = parts.iter().take_while(|it| !it.contains(SPECIAL)).count();
    let (plain, rest) = parts.split_at_checked(plain)?;
    let written = PathBuf::from(plain.join("/"));
    let mut above = written.ancestors();
    let (directory, real) = above.find_map(|it| Some((it, it.canonicalize().ok()?)))?;
    let real = real.join(written.strip_prefix(directory).ok()?);
    let real = escaped(real.to_string_lossy().trim_end_matches('/'));
    let begins = std::iter::once(real.as_str());
    let all: Vec<&str> = begins.chain(rest.iter().copied()).collect();
    Some(all.join("/")).filter(|it| !it.is_empty() && it != glob)
}

/// A path in which nothing has a meaning for globs.
fn escaped(path: &str) -> String {
    let mut escaped = String::new();
    for c in path.chars() {
        if SPECIAL.contains(&c) {
            escaped.extend(['[', c, ']'])
        } else {
            escaped.push(c)
        }
    }
    escaped
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn one(glob: &str, home: Option<&str>) -> Vec<String> {
        on_disk(&[glob.to_owned()], home.map(Path::new))
    }

    #[test]
    fn a_tilde_is_the_home() {
        assert_eq!(one("~/a/**", Some("/no/ada/")), ["/no/ada/a/**"]);
        assert_eq!(one(" ~/a", Some("/no/[x]")), ["/no/[[]x[]]/a"]);
        assert_eq!(one("~", Some("/no/ada")), ["/no/ada"]);
        assert_eq!(one("~/a/**", None), ["**/a/**"], "rather all of them");
        for glob in ["~bob/a", "a/~/b", "*~", "a/**"] {
            assert_eq!(one(glob, Some("/no/ada")), [glob]);
        }
    }

    #[test]
    fn a_link_on_the_way_leads_to_the_same_files() {
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path().canonicalize().unwrap();
        let name = |it: &str| here.join(it).display().to_string();
        std::fs::create_dir(name("real")).unwrap();
        std::os::unix::fs::symlink(name("real"), name("link")).unwrap();
        let glob = name("link/new/**");
        assert_eq!(one(&glob, None), [glob.clone(), name("real/new/**")]);
        let glob = name("real/*.rs");
        assert_eq!(one(&glob, None), [&*glob]);
        assert_eq!(one("/", None), ["/"]);
    }
}
