//! Files by the names people know them by.
//!
//! A name only: whether there is such a file, and what it links to, is known elsewhere. It is taken
//! as it comes, also with line ends and backticks in it, which file systems allow; the code that quotes it
//! takes care of them. Two names are equal when they are spelled alike.
//!
//! The name by which others are told of a file is decided here and nowhere else
//! ([`FilePath::told`]), so that it is never told where a person keeps things; and so is which paths a URI
//! may mean ([`FilePath::meant`]), so that what is kept secret is known by any of them.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A file's path from the root of its workspace, with `/` between the parts on every platform; the whole
/// path of one that is in none; the URI of a document that is no file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Arc<str>);

impl FilePath {
    /// The file of a path.
    pub fn new(path: impl Into<Arc<str>>) -> Self {
        FilePath(path.into())
    }

    /// Its path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name when others are told of it: its path within the workspace; of any other file
    /// or document the last part of the path alone, without where it is, who may go there and which
    /// version of it is meant.
    pub fn told(&self) -> Cow<'_, str> {
        if let Some(rest) = behind_scheme(&self.0) {
            let path = without_authority(without_query(rest)).unwrap_or_default();
            return Cow::Owned(last_part(in_archive(&decoded(path))).to_owned());
        }
        let has_drive = self.0.get(1..2) == Some(":");
        let is_whole = has_drive || self.0.starts_with(['/', '\\', '~']);
        Cow::Borrowed(if is_whole {
            last_part(&self.0)
        } else {
            &self.0
        })
    }

    /// The paths that a URI may mean, the likeliest first: without its query, without its authority,
    /// within its archive. Nothing for what is no URI.
    pub fn meant(&self) -> Vec<FilePath> {
        let mut meant: Vec<FilePath> = Vec::new();
        let Some(rest) = behind_scheme(&self.0) else {
            return meant;
        };
        for whole in [without_query(rest), rest] {
            // Some put a name where a server's would be.
            let paths = [without_authority(whole), whole.strip_prefix("//")];
            for path in paths.into_iter().flatten().filter(|it| !it.is_empty()) {
                let path = decoded(path);
                for path in [path.as_str(), in_archive(&path)] {
                    let path = FilePath::new(path);
                    if !meant.contains(&path) {
                        meant.push(path);
                    }
                }
            }
        }
        meant
    }
}

/// The part of a URI behind its scheme. The letter of a drive is no scheme.
fn behind_scheme(name: &str) -> Option<&str> {
    let (scheme, rest) = name.split_once(':')?;
    let in_schemes = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let is_one = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(in_schemes);
    is_one.then_some(rest)
}

fn without_query(rest: &str) -> &str {
    rest.split(['?', '#']).next().unwrap_or_default()
}

/// The path of a URI; nothing if there is only a server.
fn without_authority(rest: &str) -> Option<&str> {
    let Some(behind) = rest.strip_prefix("//") else {
        return Some(rest);
    };
    behind.find('/').and_then(|at| behind.get(at..))
}

/// The path within an archive: `a.zip::b`, `a.jar!/b`.
fn in_archive(path: &str) -> &str {
    let path = path.rsplit("::").next().unwrap_or_default();
    path.rsplit("!/").next().unwrap_or_default()
}

/// The last part of a path that says anything.
fn last_part(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// A text without its `%41`.
fn decoded(text: &str) -> String {
    let hex = |byte: &u8| char::from(*byte).to_digit(16);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = match (first, behind) {
            (b'%', [high, low, behind @ ..]) => hex(high).zip(hex(low)).zip(Some(behind)),
            _ => None,
        };
        match digits {
            Some(((high, low), behind)) => {
                bytes.extend(u8::try_from(high * 16 + low));
                rest = behind;
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str) -> String {
        FilePath::new(name).told().into_owned()
    }

    fn meant(name: &str) -> Vec<String> {
        let meant = FilePath::new(name).meant();
        meant.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn within_a_workspace_the_path_is_told_and_elsewhere_only_the_name() {
        assert_eq!(told("src/a.ts"), "src/a.ts");
        assert_eq!(told("/home/alice/notes/a.ts"), "a.ts");
        assert_eq!(told("C:/Users/alice/a.ts"), "a.ts");
        assert_eq!(told("C:\\Users\\alice\\a.ts"), "a.ts");
        assert_eq!(told("~/a.ts"), "a.ts");
        assert_eq!(told("/home/alice/"), "alice");
        for name in ["é", "", "Makefile", "a b:/c"] {
            assert_eq!(told(name), name);
        }
    }

    #[test]
    fn of_a_uri_only_the_name_is_told() {
        for (uri, name) in [
            ("untitled:Untitled-1", "Untitled-1"),
            ("untitled:/home/ada/p/b.py", "b.py"),
            ("untitled:C:\\Users\\ada\\b.py", "b.py"),
            ("git:/home/ada/b.py?{\"path\":\"/home/ada/b.py\"}", "b.py"),
            ("git:/home/ada/b.py?ref=HEAD#/home/ada", "b.py"),
            ("vscode-notebook-cell:/home/ada/n.ipynb#W0", "n.ipynb"),
            ("ssh://ada:pw@host/home/ada/b%20c.py", "b c.py"),
            ("ssh://ada:pw@host", ""),
            ("zipfile:///home/ada/x.zip::src/b.py", "b.py"),
            ("jar:file:///home/ada/x.jar!/B.java", "B.java"),
            ("file://server/share%2Fada/b.py", "b.py"),
            ("scheme:%2Fhome%2Fada%2Fb.py", "b.py"),
            ("scheme:/a/%F", "%F"),
        ] {
            assert_eq!(told(uri), name, "{uri}");
        }
    }

    #[test]
    fn a_uri_means_its_path_whatever_is_around_it() {
        for uri in [
            "untitled:.env",
            "untitled://.env",
            "untitled:%2Eenv",
            "git:.env?ref=HEAD",
            "zipfile:///a.zip::.env",
            "jar:file:///a.jar!/.env",
            "memfs:.env#1",
        ] {
            assert!(meant(uri).iter().any(|it| it == ".env"), "{:?}", meant(uri));
        }
        assert_eq!(meant("ssh://ada@host/home/b")[0], "/home/b");
        for name in ["src/a.ts", "/home/a:b", "C:/a", ""] {
            assert_eq!(meant(name), [""; 0], "{name}");
        }
    }
}
