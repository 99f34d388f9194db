//! Reads a file that a person named, whatever it turns out to be.
//!
//! A name may be that of a directory, a pipe without a writer, a device, a film. None of them
//! may make us wait or fill the memory: files come in through the index's door
//! ([`foretell_index::door`]), and what is read is text or an error that says what it is instead.

use std::io;
use std::path::Path;

use foretell_index::door::{DoorRefusal, LinkPolicy, in_units, read_plain};
use foretell_text::{DecodeError, decode};

/// The largest document that is read, in bytes. More than anyone types in, and little enough to be
/// read at once.
pub const LARGEST_DOCUMENT: u64 = 16 << 20;

/// The text of a file of at most `largest` bytes that a person named, without the mark that some
/// editors put first.
pub fn read_text(path: &Path, largest: u64) -> Result<String, ReadError> {
    read(path, largest, LinkPolicy::Followed)
}

/// The same for a file that a workspace brings, where a link may not lead out of the repository.
pub fn read_text_of_workspace(path: &Path, largest: u64) -> Result<String, ReadError> {
    read(path, largest, LinkPolicy::WithinRepository)
}

fn read(path: &Path, largest: u64, links: LinkPolicy) -> Result<String, ReadError> {
    let named = |why| ReadError {
        file: path.display().to_string(),
        why,
    };
    let bytes = read_plain(path, largest, links).map_err(|why| named(why.into()))?;
    decode(bytes).map_err(|why| named(why.into()))
}

/// Whether there is no such file, not even a link to nowhere.
pub fn is_absent(why: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(why.kind(), NotFound | NotADirectory)
}

/// A file that cannot be read, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct ReadError {
    /// Which file, as it was named.
    pub file: String,
    /// Why not.
    #[source]
    pub why: ReadTextError,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadTextError {
    /// The system says no.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// It is a pipe, a socket or a device.
    #[error("it is not a plain file")]
    NotAFile,
    /// It is a link out of its repository.
    #[error("it is a link out of its repository, which is not followed")]
    Link,
    /// There is too much of it.
    #[error("it is larger than {}", in_units(*.largest))]
    TooLarge {
        /// How much there may be, in bytes.
        largest: u64,
    },
    /// It is no text.
    #[error(transparent)]
    NotText(#[from] DecodeError),
}

impl From<DoorRefusal> for ReadTextError {
    fn from(refusal: DoorRefusal) -> Self {
        match refusal {
            DoorRefusal::Io(why) => ReadTextError::Io(why),
            DoorRefusal::Directory => ReadTextError::Directory,
            DoorRefusal::NotAFile => ReadTextError::NotAFile,
            DoorRefusal::Link => ReadTextError::Link,
            DoorRefusal::TooLarge { largest } => ReadTextError::TooLarge { largest },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    fn read(content: &[u8]) -> Result<String, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("it");
        fs::write(&path, content).unwrap();
        read_text(&path, 64).map_err(|error| error.why.to_string())
    }

    #[test]
    fn text_is_read_without_a_byte_order_mark() {
        assert_eq!(read("größe\n".as_bytes()).unwrap(), "größe\n");
        assert_eq!(read("\u{feff}a".as_bytes()).unwrap(), "a");
        assert_eq!(read(b"").unwrap(), "");
    }

    #[test]
    fn what_is_not_text_says_what_it_is() {
        assert_eq!(
            read(b"\x7fELF\0\x01").unwrap_err(),
            "it is binary, not text"
        );
        assert_eq!(read(b"a\nb\xffc\n").unwrap_err(), "line 2 is not UTF-8");
        assert_eq!(read(b"\xff\xfea\0").unwrap_err(), "line 1 is not UTF-8");
        assert_eq!(read(&[b'a'; 65]).unwrap_err(), "it is larger than 64 bytes");
        assert!(read(&[b'a'; 64]).is_ok());
    }

    #[test]
    fn a_gigabyte_is_refused_unread() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("film");
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        let error = read_text(&path, LARGEST_DOCUMENT).unwrap_err();
        assert_eq!(error.why.to_string(), "it is larger than 16 MiB");
    }

    #[test]
    fn a_directory_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let error = read_text(directory.path(), 64).unwrap_err();
        assert!(matches!(error.why, ReadTextError::Directory));
        let gone = read_text(&directory.path().join("gone"), 64).unwrap_err();
        assert!(matches!(gone.why, ReadTextError::Io(_)));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_waited_for() {
        let error = read_text(Path::new("/dev/zero"), 64).unwrap_err();
        assert!(matches!(error.why, ReadTextError::NotAFile));
    }

    /// Such files say that they are empty and are not.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_does_not_say_how_large_it_is_is_read_no_further() {
        let error = read_text(Path::new("/proc/self/status"), 64).unwrap_err();
        assert!(matches!(error.why, ReadTextError::TooLarge { .. }));
    }
}
