//! The one door through which a file comes in that a workspace brings.
//!
//! A workspace may be a stranger's. A name in it may be that of a pipe without a writer, a device
//! without an end, the pipe that an editor talks through, or a link to any of these; and it may become
//! one while it is looked at. So a file is looked at before it is opened, opened in a way that neither
//! waits nor follows a link that came in between, and looked at again when it is open. No more is read
//! than it may have.
//!
//! Separate because everything that opens such files has to: the index, and the engine for settings,
//! ignore files and documents.
//!
//! Absent on purpose: what is in a file, and how it is encoded. Where a system has no way to open a
//! file without following a link, a link that takes its place in the moment between is followed.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Which links lead to a file that may be read. Those among the directories on the way always do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkPolicy {
    /// None: git does not follow them either where it looks for what to ignore.
    Refused,
    /// Those that lead to a file in the repository that the link is in; without one, to a file below
    /// the link's directory.
    WithinRepository,
    /// All, since a person named the file.
    Followed,
}

/// Why a file does not come in.
#[derive(Debug, thiserror::Error)]
pub enum DoorRefusal {
    /// The system says no.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// It is a pipe, a socket or a device.
    #[error("it is not a plain file")]
    NotAFile,
    /// It is a link, and this one is not followed.
    #[error("it is a link that is not followed")]
    Link,
    /// There is too much of it.
    #[error("it is larger than {}", in_units(*.largest))]
    TooLarge {
        /// How much there may be, in bytes.
        largest: u64,
    },
}

/// Reads all that is in a plain file of at most `largest` bytes.
pub fn read_plain(path: &Path, largest: u64, links: LinkPolicy) -> Result<Vec<u8>, DoorRefusal> {
    let file = open_plain(path, largest, links)?;
    let mut bytes = Vec::new();
    // It may grow while it is read, or not say how large it is.
    file.take(largest.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        Err(DoorRefusal::TooLarge { largest })
    } else {
        Ok(bytes)
    }
}

/// Opens a plain file that says that it has at most `largest` bytes. It may say so wrongly.
pub(crate) fn open_plain(
    path: &Path,
    largest: u64,
    links: LinkPolicy,
) -> Result<File, DoorRefusal> {
    let place = place_of(path, links)?;
    let path = place.as_deref().unwrap_or(path);
    let metadata = match links {
        LinkPolicy::Followed => fs::metadata(path)?,
        LinkPolicy::Refused | LinkPolicy::WithinRepository => fs::symlink_metadata(path)?,
    };
    check(&metadata, largest)?;
    let file = open(path, links)?;
    // It may have become something else.
    check(&file.metadata()?, largest)?;
    Ok(file)
}

/// Where a link leads, if it is one and may be followed within its repository.
fn place_of(path: &Path, links: LinkPolicy) -> Result<Option<PathBuf>, DoorRefusal> {
    if links != LinkPolicy::WithinRepository || !fs::symlink_metadata(path)?.is_symlink() {
        return Ok(None);
    }
    let real = path.canonicalize()?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent.canonicalize()?,
        _ => Path::new(".").canonicalize()?,
    };
    let has_git = |it: &&Path| it.join(".git").symlink_metadata().is_ok();
    let top = directory.ancestors().find(has_git).unwrap_or(&directory);
    if real.starts_with(top) {
        Ok(Some(real))
    } else {
        Err(DoorRefusal::Link)
    }
}

/// Whether what the disk says is a plain file of a size that may be read.
pub(crate) fn check(metadata: &Metadata, largest: u64) -> Result<(), DoorRefusal> {
    if metadata.is_symlink() {
        return Err(DoorRefusal::Link);
    }
    if metadata.is_dir() {
        return Err(DoorRefusal::Directory);
    }
    if !metadata.is_file() {
        return Err(DoorRefusal::NotAFile);
    }
    if metadata.len() > largest {
        Err(DoorRefusal::TooLarge { largest })
    } else {
        Ok(())
    }
}

#[cfg(unix)]
fn open(path: &Path, links: LinkPolicy) -> Result<File, DoorRefusal> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    use rustix::io::Errno;

    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links != LinkPolicy::Followed {
        flags |= OFlags::NOFOLLOW;
    }
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(flags.bits().cast_signed());
    let is_link = |why: &io::Error| why.raw_os_error() == Some(Errno::LOOP.raw_os_error());
    options.open(path).map_err(|why| match is_link(&why) {
        true if links != LinkPolicy::Followed => DoorRefusal::Link,
        _ => DoorRefusal::Io(why),
    })
}

#[cfg(not(unix))]
fn open(path: &Path, _: LinkPolicy) -> Result<File, DoorRefusal> {
    Ok(OpenOptions::new().read(true).open(path)?)
}

/// A size, in the largest unit that it has one of.
pub fn in_units(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} bytes"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{} MiB", bytes >> 20),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    const ALL: [LinkPolicy; 3] = [
        LinkPolicy::Refused,
        LinkPolicy::WithinRepository,
        LinkPolicy::Followed,
    ];

    fn read(path: &Path, links: LinkPolicy) -> Result<String, String> {
        let read = read_plain(path, 64, links).map_err(|why| why.to_string());
        read.map(|it| String::from_utf8(it).unwrap())
    }

    #[test]
    fn a_plain_file_comes_in_and_a_large_one_does_not() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("it");
        fs::write(&path, "plain").unwrap();
        for links in ALL {
            assert_eq!(read(&path, links).unwrap(), "plain");
        }
        fs::write(&path, [b'a'; 65]).unwrap();
        for links in ALL {
            assert_eq!(
                read(&path, links).unwrap_err(),
                "it is larger than 64 bytes"
            );
        }
        // Such files say that they are empty and are not.
        if cfg!(target_os = "linux") {
            let status = read(Path::new("/proc/self/status"), LinkPolicy::Refused);
            assert_eq!(status.unwrap_err(), "it is larger than 64 bytes");
        }
    }

    #[test]
    fn what_would_be_waited_for_or_has_no_end_stays_out() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        for links in ALL {
            for path in [&*pipe, Path::new("/dev/zero"), Path::new("/dev/null")] {
                assert_eq!(read(path, links).unwrap_err(), "it is not a plain file");
            }
            let refused = read(directory.path(), links).unwrap_err();
            assert_eq!(refused, "it is a directory");
        }
        // Not even where no look came before.
        for links in ALL {
            let opened = open(&pipe, links).unwrap();
            assert!(matches!(
                check(&opened.metadata().unwrap(), 64),
                Err(DoorRefusal::NotAFile)
            ));
        }
    }

    #[test]
    fn a_link_is_followed_as_far_as_it_may_be() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        fs::create_dir(path("here")).unwrap();
        for name in ["outside", "here/inside"] {
            fs::write(path(name), name).unwrap();
        }
        symlink("inside", path("here/below")).unwrap();
        symlink("../outside", path("here/above")).unwrap();
        symlink("nowhere", path("here/broken")).unwrap();
        symlink("/dev/zero", path("here/device")).unwrap();
        let link = "it is a link that is not followed";
        let all = |name: &str| ALL.map(|links| read(&path(name), links));
        let inside = || Ok("here/inside".to_owned());
        let no = || Err(link.to_owned());
        assert_eq!(all("here/below"), [no(), inside(), inside()]);
        assert_eq!(all("here/above"), [no(), no(), Ok("outside".to_owned())]);
        assert!(all("here/broken").iter().all(Result::is_err));
        assert!(all("here/device").iter().all(Result::is_err));
        // A repository is one place.
        fs::create_dir(path(".git")).unwrap();
        let outside = || Ok("outside".to_owned());
        assert_eq!(all("here/above"), [no(), outside(), outside()]);
        fs::create_dir(path("here/.git")).unwrap();
        assert_eq!(all("here/above"), [no(), no(), outside()]);
        // One that comes in between is not followed either.
        assert!(matches!(
            open(&path("here/below"), LinkPolicy::Refused),
            Err(DoorRefusal::Link)
        ));
    }
}
