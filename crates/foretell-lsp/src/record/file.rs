//! The file of a recording: a new one, for nobody else to read, that always ends with a whole line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many recordings there may be by one name.
const MOST_NUMBERED: u32 = 10_000;

/// A recording cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is something of that name that nothing can be recorded to.
    #[error("there is something by that name that is not a file")]
    NotAFile,
    /// There are too many of that name.
    #[error("there are {MOST_NUMBERED} recordings of that name")]
    TooMany,
    /// The file cannot be made.
    #[error("{0}")]
    NotCreated(#[from] io::Error),
}

/// A file that lines are written to.
#[derive(Clone, Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    file: Arc<File>,
    /// How long it is, all lines whole.
    length: u64,
}

impl RecordFile {
    /// Makes a new file, by a name or by the first numbered one that is free.
    pub(super) fn create(path: &Path) -> Result<Self, RecordError> {
        for number in 0..MOST_NUMBERED {
            let path = numbered(path, number);
            let file = match create_new(&path) {
                Ok(file) => file,
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                    match fs::metadata(&path)?.file_type() {
                        it if it.is_file() => continue,
                        it if is_device(it) => OpenOptions::new().write(true).open(&path)?,
                        _ => return Err(RecordError::NotAFile),
                    }
                }
                Err(why) => return Err(why.into()),
            };
            return Ok(RecordFile {
                path,
                file: Arc::new(file),
                length: 0,
            });
        }
        Err(RecordError::TooMany)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes lines, which are taken. If that cannot be done, none of them is left half written.
    pub(super) fn write_lines(&mut self, lines: &mut Vec<u8>) -> io::Result<()> {
        let mut file = &*self.file;
        let written = file.write_all(lines);
        match written {
            Ok(()) => self.length += lines.len() as u64,
            // A device has no length to go back to.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        lines.clear();
        written
    }

    pub(super) fn flush(&self) -> io::Result<()> {
        (&*self.file).flush()
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
fn is_device(it: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&it)
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

/// `session.jsonl`, `session.1.jsonl`, `session.2.jsonl`
fn numbered(path: &Path, number: u32) -> PathBuf {
    if number == 0 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_that_is_there_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.session.jsonl");
        let names: Vec<_> = (0..3)
            .map(|_| RecordFile::create(&path).unwrap().path)
            .map(|path| path.file_name().unwrap().to_owned())
            .collect();
        let expected = ["a.session.jsonl", "a.session.1.jsonl", "a.session.2.jsonl"];
        assert_eq!(names, expected);
        assert_eq!(numbered(Path::new("bare"), 7), Path::new("bare.7"));
        let taken = RecordFile::create(directory.path());
        assert!(matches!(taken, Err(RecordError::NotAFile)), "{taken:?}");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("session.jsonl");
        let file = RecordFile::create(&path).unwrap();
        let mode = fs::metadata(file.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let mut file = RecordFile::create(Path::new("/dev/full")).unwrap();
        let mut lines = b"{}\n".to_vec();
        let why = file.write_lines(&mut lines).unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::StorageFull);
    }
}
