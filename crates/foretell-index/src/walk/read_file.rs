//! Reading one file of a workspace: its text, or why it has none.
//!
//! It comes in through the door ([`crate::door`]), and links do not lead to it. The disk is asked for
//! the file's stamp before and after, of the same open file and of its name: a text that changed
//! meanwhile may be half an old one and half a new one, and a name may have become a link. Such a file
//! is read once more, and then given up.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use foretell_text::{DecodeError, decode};
use xxhash_rust::xxh3::xxh3_64;

use crate::build_progress::FileFault;
use crate::door::{self, DoorRefusal, LinkPolicy};
use crate::store::store_manifest::FileStamp;

/// The largest file that is searched, in bytes.
pub(crate) const LARGEST_FILE: u64 = 1 << 20;

/// A file as it was read.
pub(crate) struct FileContent {
    pub(crate) stamp: FileStamp,
    pub(crate) hash: u64,
    /// Its text, or what is wrong with it.
    pub(crate) text: Result<String, DecodeError>,
}

/// The stamp of a plain file of a size that can be searched.
pub(crate) fn stamp(path: &Path) -> Result<FileStamp, FileFault> {
    let metadata = fs::symlink_metadata(path).map_err(fault)?;
    door::check(&metadata, LARGEST_FILE)?;
    Ok(FileStamp::of(&metadata))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<FileContent, FileFault> {
    match read_once(path) {
        Err(FileFault::ChangedWhileRead) => read_once(path),
        read => read,
    }
}

fn read_once(path: &Path) -> Result<FileContent, FileFault> {
    let before = stamp(path)?;
    let mut file = door::open_plain(path, LARGEST_FILE, LinkPolicy::Refused)?;
    let mut bytes = Vec::with_capacity(usize::try_from(before.size).unwrap_or_default() + 1);
    let limit = LARGEST_FILE + 1;
    (&mut file)
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(fault)?;
    let now = SystemTime::now();
    let after = FileStamp::of(&file.metadata().map_err(fault)?);
    if before != after || stamp(path)? != after || bytes.len() as u64 != after.size {
        return Err(FileFault::ChangedWhileRead);
    }
    Ok(FileContent {
        stamp: after.settled(now),
        hash: xxh3_64(&bytes),
        text: decode(bytes),
    })
}

fn fault(error: io::Error) -> FileFault {
    FileFault::from(DoorRefusal::Io(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &[u8]) -> Result<String, FileFault> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("it");
        fs::write(&path, content).unwrap();
        Ok(read(&path)?.text?)
    }

    #[test]
    fn text_is_read_and_anything_else_says_what_it_is() {
        assert_eq!(text("größe\r\n".as_bytes()).unwrap(), "größe\r\n");
        assert_eq!(text("\u{feff}a".as_bytes()).unwrap(), "a");
        assert_eq!(text(b"").unwrap(), "");
        let no_text = |why| Err(FileFault::NotText(why));
        assert_eq!(text(b"\x7fELF\0\x01"), no_text(DecodeError::Binary));
        let not_utf8 = |line| no_text(DecodeError::NotUtf8 { line });
        assert_eq!(text(b"a\nb\xffc"), not_utf8(2));
        assert_eq!(text(b"\xff\xfea\0"), not_utf8(1));
        let large = vec![b'a'; 1 + (1 << 20)];
        assert!(matches!(text(&large), Err(FileFault::TooLarge { .. })));
    }

    #[test]
    fn what_is_not_a_plain_file_is_not_opened() {
        let directory = tempfile::tempdir().unwrap();
        let fault = |path: &Path| read(path).map(|_| ()).unwrap_err();
        assert_eq!(fault(directory.path()), FileFault::NotAFile);
        assert_eq!(fault(&directory.path().join("gone")), FileFault::Vanished);
        #[cfg(unix)]
        {
            assert_eq!(fault(Path::new("/dev/zero")), FileFault::NotAFile);
            let link = directory.path().join("link");
            std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
            assert_eq!(fault(&link), FileFault::Link);
        }
    }
}
