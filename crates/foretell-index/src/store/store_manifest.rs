//! Which files the store knows, and what they were like when they were read.
//!
//! A file whose [`FileStamp`] is the known one is not read again. A stamp is the size and the later of
//! the two times that a disk keeps of a file: the one when its content changed, and the one when
//! anything about it did, which cannot be set back. A file read within [`SETTLING`] of that time
//! gets no time at all, since it may be written once more in the same tick of the clock; the next
//! update reads it again, and finds by its hash that nothing changed.
//!
//! Files that are not text are known too, so that they are not read every time to find that out.
//!
//! Absent on purpose: the chunks, which are the store's.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_text::{DecodeError, FilePath};
use tantivy::columnar::{Column, StrColumn};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};

/// How long after its last change a file may change again without anyone seeing it in its times.
pub(crate) const SETTLING: Duration = Duration::from_millis(20);

/// The files of a store.
pub(crate) type Manifest = BTreeMap<FilePath, KnownFile>;

/// A file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownFile {
    pub(crate) stamp: FileStamp,
    /// Of its content.
    pub(crate) hash: u64,
    pub(crate) language: String,
    pub(crate) lines: u64,
    pub(crate) chunks: u64,
    /// Why it has no chunks, if its content is to blame for it.
    pub(crate) fault: Option<DecodeError>,
}

impl KnownFile {
    /// How its fault is written down: 0 is none.
    pub(crate) fn fault_code(&self) -> u64 {
        match self.fault {
            None => 0,
            Some(DecodeError::Binary) => 1,
            Some(DecodeError::NotUtf8 { line }) => 2_u64.saturating_add(line as u64),
        }
    }

    fn fault_of(code: u64) -> Option<DecodeError> {
        match code {
            0 => None,
            1 => Some(DecodeError::Binary),
            more => Some(DecodeError::NotUtf8 {
                line: usize::try_from(more - 2).unwrap_or(usize::MAX),
            }),
        }
    }
}

/// Size and time of a file, as the disk has them without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileStamp {
    pub(crate) size: u64,
    /// In nanoseconds since 1970; 0 if it cannot be relied on.
    pub(crate) modified: i64,
}

impl FileStamp {
    /// The stamp of a file.
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().map_or(0, nanoseconds);
        FileStamp {
            size: metadata.len(),
            modified: modified.max(changed(metadata)),
        }
    }

    /// The same, if the file has been left alone for long enough at a moment; otherwise one that no
    /// file has.
    pub(crate) fn settled(self, now: SystemTime) -> Self {
        let settling = i64::try_from(SETTLING.as_nanos()).unwrap_or(i64::MAX);
        let is_settled = nanoseconds(now).saturating_sub(self.modified) > settling;
        FileStamp {
            modified: if is_settled { self.modified } else { 0 },
            ..self
        }
    }

    /// Whether a file with this stamp is what one with the other was.
    pub(crate) fn is_same(self, other: FileStamp) -> bool {
        self == other && self.modified != 0
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;

    let seconds = metadata.ctime().saturating_mul(1_000_000_000);
    seconds.saturating_add(metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> i64 {
    0
}

/// Reads which files are known.
pub(crate) fn read(searcher: &Searcher) -> tantivy::Result<Manifest> {
    let mut manifest = Manifest::new();
    for segment in searcher.segment_readers() {
        let Some(columns) = ManifestColumns::of(segment)? else {
            continue;
        };
        for document in segment.doc_ids_alive() {
            manifest.extend(columns.read(document)?);
        }
    }
    Ok(manifest)
}

/// Reads what is known of one file, which is in a field as one word.
pub(crate) fn read_one(searcher: &Searcher, file: &Term) -> tantivy::Result<Option<KnownFile>> {
    for segment in searcher.segment_readers() {
        let words = segment.inverted_index(file.field())?;
        let Some(mut found) = words.read_postings(file, IndexRecordOption::Basic)? else {
            continue;
        };
        let Some(columns) = ManifestColumns::of(segment)? else {
            continue;
        };
        while found.doc() != TERMINATED {
            let document = found.doc();
            let is_alive = segment
                .alive_bitset()
                .is_none_or(|it| it.is_alive(document));
            if let Some((_, known)) = columns.read(document)?.filter(|_| is_alive) {
                return Ok(Some(known));
            }
            found.advance();
        }
    }
    Ok(None)
}

/// Where the store keeps what is known of files.
struct ManifestColumns {
    files: StrColumn,
    languages: StrColumn,
    size: Column<u64>,
    modified: Column<i64>,
    hash: Column<u64>,
    lines: Column<u64>,
    chunks: Column<u64>,
    fault: Column<u64>,
}

impl ManifestColumns {
    /// Those of a segment; nothing, if it has no files in it.
    fn of(segment: &SegmentReader) -> tantivy::Result<Option<Self>> {
        let columns = segment.fast_fields();
        let (Some(files), Some(languages)) = (columns.str("file")?, columns.str("language")?)
        else {
            return Ok(None);
        };
        Ok(Some(ManifestColumns {
            files,
            languages,
            size: columns.u64("size")?,
            modified: columns.i64("modified")?,
            hash: columns.u64("hash")?,
            lines: columns.u64("lines")?,
            chunks: columns.u64("chunks")?,
            fault: columns.u64("fault")?,
        }))
    }

    /// The file of a document; nothing, if it is that of a chunk.
    fn read(&self, document: DocId) -> tantivy::Result<Option<(FilePath, KnownFile)>> {
        let Some(file_at) = self.files.term_ords(document).next() else {
            return Ok(None);
        };
        let (mut file, mut language) = (String::new(), String::new());
        self.files.ord_to_str(file_at, &mut file)?;
        if let Some(language_at) = self.languages.term_ords(document).next() {
            self.languages.ord_to_str(language_at, &mut language)?;
        }
        let number = |column: &Column<u64>| column.first(document).unwrap_or_default();
        let known = KnownFile {
            stamp: FileStamp {
                size: number(&self.size),
                modified: self.modified.first(document).unwrap_or_default(),
            },
            hash: number(&self.hash),
            language,
            lines: number(&self.lines),
            chunks: number(&self.chunks),
            fault: KnownFile::fault_of(number(&self.fault)),
        };
        Ok(Some((FilePath::new(file), known)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_just_written_is_read_again() {
        let written = UNIX_EPOCH + Duration::from_secs(100);
        let stamp = FileStamp {
            size: 3,
            modified: nanoseconds(written),
        };
        assert!(stamp.settled(written + SETTLING * 2).is_same(stamp));
        assert!(!stamp.settled(written).is_same(stamp));
        // Nor is a file from the future relied on, nor two of unknown times.
        assert!(!stamp.settled(UNIX_EPOCH).is_same(stamp));
        let unknown = stamp.settled(written);
        assert!(!unknown.is_same(unknown));
    }

    #[test]
    fn what_is_wrong_with_a_file_survives() {
        for fault in [
            None,
            Some(DecodeError::Binary),
            Some(DecodeError::NotUtf8 { line: 1 }),
            Some(DecodeError::NotUtf8 { line: 70_000 }),
        ] {
            let known = KnownFile {
                stamp: FileStamp {
                    size: 0,
                    modified: 0,
                },
                hash: 0,
                language: String::new(),
                lines: 0,
                chunks: 0,
                fault,
            };
            assert_eq!(KnownFile::fault_of(known.fault_code()), fault);
        }
    }
}
