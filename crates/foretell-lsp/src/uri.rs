//! Files of URIs, as the platform has them.
//!
//! Editors write the same file in many ways: `file:///c%3A/src/a.rs` and `file:///C:/src/a.rs`,
//! `file://server/share/a.rs` for what Windows calls `\\server\share\a.rs`. Drives have upper-case
//! letters here; apart from that, case is left as it is, because only the file system knows whether it
//! matters.
//!
//! Absent on purpose: documents that are not files (`untitled:`, `git:`), which have no path.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// The file of a URI, with its whole path, if it is one of this machine.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    path_on(uri, cfg!(windows)).map(PathBuf::from)
}

/// The same on a platform with drives, or on one without.
fn path_on(uri: &str, has_drives: bool) -> Option<String> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let (host, path) = match rest.strip_prefix("//") {
        // `file:/etc/hosts` says the same with less.
        None => ("", rest),
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
    };
    let decode = |text| percent_decode_str(text).decode_utf8().ok();
    let (host, path) = (decode(host)?, decode(path)?);
    let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    let is_whole = path.starts_with('/') && !path.contains('\0');
    if !is_whole {
        return None;
    }
    match (has_drives, is_here) {
        (false, true) => Some(path.into_owned()),
        // Another machine's.
        (false, false) => None,
        (true, false) => Some(format!(r"\\{host}{}", path.replace('/', r"\"))),
        (true, true) => Some(match on_drive(&path) {
            Some((letter, rest)) => {
                let letter = letter.to_ascii_uppercase();
                format!("{letter}:{}", rest.replace('/', r"\"))
            }
            None => path.replace('/', r"\"),
        }),
    }
}

/// The letter of a drive in a path like `/c:/src`, and what comes behind it.
fn on_drive(path: &str) -> Option<(char, &str)> {
    let mut rest = path.strip_prefix('/')?.chars();
    let letter = rest.next().filter(char::is_ascii_alphabetic)?;
    let rest = rest.as_str().strip_prefix(':')?;
    let is_root = rest.is_empty() || rest.starts_with('/');
    is_root.then_some((letter, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(uri: &str) -> Option<String> {
        path_on(uri, false)
    }

    fn windows(uri: &str) -> Option<String> {
        path_on(uri, true)
    }

    #[test]
    fn a_path_without_drives_is_what_is_behind_the_host() {
        assert_eq!(unix("file:///src/a.rs").as_deref(), Some("/src/a.rs"));
        assert_eq!(unix("FILE://localhost/a%20b").as_deref(), Some("/a b"));
        assert_eq!(unix("file:/etc/hosts").as_deref(), Some("/etc/hosts"));
        assert_eq!(unix("file:///gr%C3%B6%C3%9Fe").as_deref(), Some("/größe"));
        assert_eq!(unix("file:///c%3A/a").as_deref(), Some("/c:/a"), "a name");
    }

    #[test]
    fn a_path_with_drives_is_written_in_one_way() {
        let path = Some(r"C:\src\a.rs".to_owned());
        assert_eq!(windows("file:///c%3A/src/a.rs"), path);
        assert_eq!(windows("file:///C:/src/a.rs"), path);
        assert_eq!(windows("file://localhost/c:/src/a.rs"), path);
        assert_eq!(windows("file:///c:").as_deref(), Some("C:"));
        let share = Some(r"\\server\share\Größe".to_owned());
        assert_eq!(windows("file://server/share/Gr%C3%B6%C3%9Fe"), share);
    }

    #[test]
    fn what_is_no_file_here_has_no_path() {
        let others = [
            "",
            "file",
            "file:",
            "file://",
            "file://server",
            "file://server/share/a",
            "file:relative",
            "file:///a%00b",
            "file:///%ff",
            "untitled:Untitled-1",
            "git:/src/a.rs?{}",
            "https://example.org/a",
        ];
        for uri in others {
            assert_eq!(unix(uri), None, "{uri}");
        }
    }
}
