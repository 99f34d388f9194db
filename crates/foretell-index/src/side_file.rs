//! A file beside the index that is made of what is in it: written by one process, mapped by many.
//!
//! It is written under another name and takes its own when it is whole; each next one has a higher number,
//! so that nobody who has one open is disturbed. It ends with a checksum, which is looked at before
//! anything else is: one that is damaged or cut short is taken for none, and is made anew by whoever needs
//! it. It lies in the directory of the index, which no other user can look into, and goes with it.
//!
//! Separate because the index does not depend on it, nor it on how the index is written: it has a lock of
//! its own, which the system drops with the process that holds it.
//!
//! Absent on purpose: what is in it, and when it is made.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::index::Index;
use crate::store::KeptIndex;

/// The name of one that is being written, and of the lock of who writes it.
pub(crate) const HALF: &str = "array.new";
pub(crate) const LOCK: &str = ".array.lock";
/// How the names of those begin that are whole; the rest is a number.
const WHOLE: &str = "array.";
/// How long a checksum is.
const CHECKSUM: usize = 8;

/// The file beside an index, mapped into memory.
#[derive(Clone, Debug)]
pub struct SideFile {
    number: u64,
    bytes: OwnedBytes,
}

/// Writes the next one. Dropping it before it is finished leaves everything as it was.
pub struct SideFileWriter {
    directory: PathBuf,
    file: BufWriter<File>,
    checksum: Xxh3,
    is_finished: bool,
    /// Held until it is dropped.
    _lock: File,
}

impl Index {
    /// The file beside it, if there is one that is whole.
    pub fn side_file(&self) -> Option<SideFile> {
        SideFile::newest(self.directory())
    }

    /// The number of the newest file beside it, which may not be whole.
    pub fn side_file_number(&self) -> Option<u64> {
        numbers(self.directory()).max()
    }

    /// Deletes it, since nobody may know any more what is in it. Who has it open keeps it.
    pub fn remove_side_files(&self) {
        for number in numbers(self.directory()) {
            // One that stays is replaced by the next.
            let _ = fs::remove_file(self.directory().join(name_of(number)));
        }
    }

    /// Begins to write the next one; nothing, if another process or thread does.
    pub fn write_side_file(&self) -> io::Result<Option<SideFileWriter>> {
        SideFileWriter::begin(self.directory())
    }
}

impl KeptIndex {
    /// The file beside it, if there is one that is whole.
    pub fn side_file(&self) -> Option<SideFile> {
        SideFile::newest(&self.directory)
    }
}

impl SideFile {
    fn newest(directory: &Path) -> Option<Self> {
        loop {
            let number = numbers(directory).max()?;
            let bytes = map(directory, &name_of(number));
            if let Some(bytes) = bytes.ok().and_then(checked) {
                return Some(SideFile { number, bytes });
            }
            // Another one may have taken its place meanwhile.
            if numbers(directory).max() == Some(number) {
                return None;
            }
        }
    }

    /// Its number, which rises.
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl AsRef<[u8]> for SideFile {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Deref for SideFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl SideFileWriter {
    fn begin(directory: &Path) -> io::Result<Option<Self>> {
        let mut options = File::options();
        let lock = options.create(true).truncate(false).write(true);
        let lock = lock.open(directory.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(why)) => return Err(why),
        }
        let half = directory.join(HALF);
        // What a killed process left may be open elsewhere.
        let _ = fs::remove_file(&half);
        Ok(Some(SideFileWriter {
            file: BufWriter::new(File::create(&half)?),
            directory: directory.to_owned(),
            checksum: Xxh3::new(),
            is_finished: false,
            _lock: lock,
        }))
    }

    /// Writes some more.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.file.write_all(bytes)
    }

    /// What was written so far, mapped into memory.
    pub fn written(&mut self) -> io::Result<impl AsRef<[u8]> + use<>> {
        self.file.flush()?;
        map(&self.directory, HALF)
    }

    /// Makes it the newest one. Those before it go, unless the system keeps them for those who have them
    /// open; then they go next time.
    pub fn finish(mut self) -> io::Result<()> {
        let checksum = self.checksum.digest();
        self.file.write_all(&checksum.to_le_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        let before: Vec<u64> = numbers(&self.directory).collect();
        let number = before.iter().max().map_or(0, |number| number + 1);
        let half = self.directory.join(HALF);
        fs::rename(half, self.directory.join(name_of(number)))?;
        self.is_finished = true;
        for number in before {
            let _ = fs::remove_file(self.directory.join(name_of(number)));
        }
        Ok(())
    }
}

impl Drop for SideFileWriter {
    fn drop(&mut self) {
        if !self.is_finished {
            // It takes room until the next one, and nothing else.
            let _ = fs::remove_file(self.directory.join(HALF));
        }
    }
}

/// Whether a file is one of these, by its name.
pub(crate) fn is_named_like_one(name: &str) -> bool {
    name == HALF || number_of(name).is_some()
}

fn name_of(number: u64) -> String {
    format!("{WHOLE}{number}")
}

fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(WHOLE)?;
    let is_number = digits.bytes().all(|it| it.is_ascii_digit());
    // One more can follow.
    let number = digits.parse().ok().filter(|number| *number < u64::MAX);
    number.filter(|_| is_number)
}

fn numbers(directory: &Path) -> impl Iterator<Item = u64> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| number_of(&entry.file_name().to_string_lossy()))
}

fn map(directory: &Path, name: &str) -> io::Result<OwnedBytes> {
    let files = MmapDirectory::open(directory).map_err(io::Error::other)?;
    let file = files.open_read(Path::new(name)).map_err(io::Error::other)?;
    file.read_bytes()
}

/// The bytes before the checksum, if it is theirs.
fn checked(bytes: OwnedBytes) -> Option<OwnedBytes> {
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    let is_whole = xxh3_64(content) == u64::from_le_bytes(*checksum);
    let length = content.len();
    is_whole.then(|| bytes.slice(0..length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(directory: &Path, content: &[u8]) {
        let mut writer = SideFileWriter::begin(directory).unwrap().unwrap();
        writer.write(content).unwrap();
        assert_eq!(writer.written().unwrap().as_ref(), content);
        assert!(SideFileWriter::begin(directory).unwrap().is_none());
        writer.finish().unwrap();
    }

    #[test]
    fn the_newest_is_read_and_the_one_before_stays_for_who_has_it() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        assert!(SideFile::newest(directory).is_none());
        write(directory, b"one");
        let one = SideFile::newest(directory).unwrap();
        write(directory, b"two");
        let two = SideFile::newest(directory).unwrap();
        assert_eq!((&*one, &*two), (&b"one"[..], &b"two"[..]));
        assert!(two.number() > one.number());
        let mut half = SideFileWriter::begin(directory).unwrap().unwrap();
        half.write(b"three").unwrap();
        drop(half);
        assert_eq!(&*SideFile::newest(directory).unwrap(), b"two");
        let left = fs::read_dir(directory).unwrap().flatten();
        let left: Vec<_> = left.filter(|it| it.file_name() != LOCK).collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn one_that_was_hurt_is_none_and_the_next_is_sound() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path();
        write(directory, b"some of it");
        let path = directory.join(name_of(0));
        let whole = fs::read(&path).unwrap();
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            assert!(SideFile::newest(directory).is_none(), "{end}");
        }
        for at in 0..whole.len() {
            let mut hurt = whole.clone();
            hurt[at] ^= 4;
            fs::write(&path, hurt).unwrap();
            assert!(SideFile::newest(directory).is_none(), "{at}");
        }
        write(directory, b"another");
        assert_eq!(&*SideFile::newest(directory).unwrap(), b"another");
    }
}
