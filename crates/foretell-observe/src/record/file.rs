//! The file of a recording: a new one, private to the person, that always ends with a whole line.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
#[derive(Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    disk: Box<dyn RecordDisk>,
    /// How long it is, all lines whole.
    length: u64,
}

/// The disk of a recording, which may be full, or hang.
pub trait RecordDisk: Write + fmt::Debug + Send + Sync {
    /// Forgets what is behind a length.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl RecordDisk for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl RecordFile {
    /// Makes a new file, by a name or by the first numbered one that is free.
    pub(super) fn create(path: &Path) -> Result<Self, RecordError> {
        // Editors start servers anywhere, and the person who is told of the file has to find it.
        let path = &std::path::absolute(path)?;
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
            return Ok(RecordFile::on(path, file));
        }
        Err(RecordError::TooMany)
    }

    /// An empty file on some disk.
    pub(super) fn on(path: PathBuf, disk: impl RecordDisk + 'static) -> Self {
        RecordFile {
            path,
            disk: Box::new(disk),
            length: 0,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes lines, which are taken. If that cannot be done, those that were written whole stay, and
    /// nothing is to be written any more.
    pub(super) fn write_lines(&mut self, lines: &mut Vec<u8>) -> io::Result<()> {
        let (written, outcome) = self.write(lines);
        let whole = match outcome {
            Ok(()) => written,
            Err(_) => {
                let written = lines.get(..written).unwrap_or_default();
                let last = written.iter().rposition(|byte| *byte == b'\n');
                last.map_or(0, |last| last + 1)
            }
        };
        self.length += whole as u64;
        if outcome.is_err() {
            // A device has no length to go back to.
            let _ = self.disk.cut(self.length);
        }
        lines.clear();
        outcome
    }

    /// Writes all, or as much as there is room for, and says how much that was.
    fn write(&mut self, lines: &[u8]) -> (usize, io::Result<()>) {
        let mut written = 0;
        while let Some(rest) = lines.get(written..).filter(|rest| !rest.is_empty()) {
            match self.disk.write(rest) {
                Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
                Ok(more) => written += more,
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return (written, Err(why)),
            }
        }
        (written, Ok(()))
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

    /// A real file on a disk that is full after some bytes.
    #[derive(Debug)]
    struct SmallDisk(File, usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.1 == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let fitting = bytes.len().min(self.1);
            let written = self.0.write(&bytes[..fitting])?;
            self.1 -= written;
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl RecordDisk for SmallDisk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.0.cut(length)
        }
    }

    /// The contents of a file after lines that the disk has no room for.
    fn left(room: usize, batches: &[&str]) -> String {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("session.jsonl");
        let disk = SmallDisk(create_new(&path).unwrap(), room);
        let mut file = RecordFile::on(path.clone(), disk);
        let mut all = batches.iter().map(|it| it.as_bytes().to_vec());
        let failed = all.find_map(|mut lines| file.write_lines(&mut lines).err());
        assert_eq!(failed.unwrap().kind(), io::ErrorKind::StorageFull);
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn all_lines_are_left_that_there_was_room_for() {
        let batches = ["{1}\n{2}\n", "{3}\n{4}\n{5}\n"];
        assert_eq!(left(17, &batches), "{1}\n{2}\n{3}\n{4}\n");
        assert_eq!(left(16, &batches), "{1}\n{2}\n{3}\n{4}\n");
        assert_eq!(left(15, &batches), "{1}\n{2}\n{3}\n");
        assert_eq!(left(9, &batches), "{1}\n{2}\n");
        assert_eq!(left(3, &batches), "");
    }
}
