//! The log: to standard error, and to a file when settings name one.
//!
//! Only what this project says is in it: what the crates below log of connections may have keys in it.
//! Nothing here ever quotes a document, at no level. Level and file follow the settings while the
//! server runs.
//!
//! Lines are written by a thread of their own, and are dropped where too many wait: an editor that does
//! not read them, or a disk that hangs, must not stop the code that logs, nor keep the process from
//! ending. `tracing-appender` has such a thread, too, but says on standard output that it could not
//! end, where nothing but messages may be.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use foretell_settings::{LogLevel, settings};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt, reload};

/// A file that has become longer than this is put aside, in bytes.
const LONGEST: u64 = 10 << 20;

/// How many lines wait to be written. There is room for all of them from the beginning on.
const MOST_LINES: usize = 4 << 10;

/// The log of this process.
#[derive(Clone, Debug)]
pub struct Log {
    filter: reload::Handle<Targets, Registry>,
    file: Arc<Mutex<Option<LogFile>>>,
    entries: SyncSender<LogEntry>,
}

/// A job for the thread that writes.
enum LogEntry {
    Line(Vec<u8>),
    /// Somebody waits until everything before it is written.
    Flush(SyncSender<()>),
}

/// A file, and what settings call it.
#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    file: File,
    /// How long it is by now.
    length: u64,
    /// Whether its last line has no end: the disk was full, or somebody was killed.
    is_cut: bool,
}

impl LogFile {
    /// Opens a file to write at its end. One that is made here is for the person alone: the names of
    /// their files are in it.
    fn open(path: &Path) -> io::Result<Self> {
        if !path.is_absolute() {
            return Err(io::Error::other("it is not a whole path"));
        }
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // For this person alone, whatever their umask: a log says which files they have open.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        let length = file.metadata()?.len();
        Ok(LogFile {
            path: path.to_owned(),
            file,
            length,
            is_cut: length > 0 && last_byte(path).is_some_and(|byte| byte != b'\n'),
        })
    }

    /// Writes a line. A file that has become long gets another name first, in the place of the one that
    /// had it before.
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        if self.length > LONGEST {
            // Where that cannot be done it is tried again when there is as much again.
            self.length = 0;
            if let Ok(next) = self.put_aside() {
                *self = next;
            }
        }
        if self.is_cut {
            self.file.write_all(b"\n")?;
        }
        // Until it is written whole.
        self.is_cut = true;
        self.file.write_all(line)?;
        self.is_cut = false;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Gives the file another name, and opens the one that has the name from now on.
    fn put_aside(&self) -> io::Result<Self> {
        // If the one that has the name is short, another process has put ours aside.
        let is_ours = |it: fs::Metadata| it.len() > LONGEST;
        if fs::metadata(&self.path).is_ok_and(is_ours) {
            let mut old = self.path.as_os_str().to_owned();
            old.push(".old");
            fs::rename(&self.path, old)?;
        }
        LogFile::open(&self.path)
    }
}

/// The last byte of a file, if it is a plain one that can be read: a pipe would be waited for.
fn last_byte(path: &Path) -> Option<u8> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::End(-1)).ok()?;
    let mut last = [0];
    file.read_exact(&mut last).ok()?;
    Some(last[0])
}

impl Log {
    /// Begins to log to standard error, by the default settings. Nothing, if this process has a log
    /// already.
    pub fn start() -> Option<Self> {
        let (filter, handle) = reload::Layer::new(targets(LogLevel::Info));
        let file = Arc::default();
        let (entries, waiting) = sync_channel(MOST_LINES);
        let writes = Arc::clone(&file);
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&waiting, &writes))
            .ok()?;
        let lines = entries.clone();
        let lines = fmt::layer()
            .with_writer(move || LineSender(lines.clone()))
            .with_ansi(false);
        let subscriber = tracing_subscriber::registry().with(filter).with(lines);
        subscriber.try_init().ok()?;
        Some(Log {
            filter: handle,
            file,
            entries,
        })
    }

    /// Waits until what was said so far is written, but not for long.
    pub fn flush(&self, patience: Duration) {
        let (done, wait) = sync_channel(1);
        if self.entries.try_send(LogEntry::Flush(done)).is_ok() {
            // A thread that has not written by now will not.
            let _ = wait.recv_timeout(patience);
        }
    }

    /// Does as settings say; says what cannot be done. It may open a file.
    pub fn follow(&self, settings: &settings::LogSettings) -> Result<(), LogError> {
        // It only fails where there is no log any more.
        let _ = self.filter.reload(targets(settings.level));
        let mut file = lock(&self.file);
        let wanted = settings.file.as_deref().map(Path::new);
        if file.as_ref().map(|it| it.path.as_path()) == wanted {
            return Ok(());
        }
        *file = None;
        let Some(path) = wanted else {
            return Ok(());
        };
        let opened = LogFile::open(path).map_err(|why| LogError {
            path: path.to_owned(),
            why,
        })?;
        *file = Some(opened);
        Ok(())
    }
}

/// The log cannot be written where settings say.
#[derive(Debug, thiserror::Error)]
#[error("log.file: {} cannot be written: {why}; correct log.file, or make its directory", .path.display())]
pub struct LogError {
    path: PathBuf,
    why: io::Error,
}

fn targets(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
        LogLevel::Off => LevelFilter::OFF,
    };
    Targets::new().with_target("foretell", level)
}

/// Takes lines, each of which comes whole.
struct LineSender(SyncSender<LogEntry>);

impl Write for LineSender {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // Where too many wait, this one is lost.
        let _ = self.0.try_send(LogEntry::Line(line.to_vec()));
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines to standard error, and to the file if there is one.
fn write_all(waiting: &Receiver<LogEntry>, file: &Mutex<Option<LogFile>>) {
    for entry in waiting {
        match entry {
            // A full disk, or an editor that has closed its end, must not end what is logged about.
            LogEntry::Line(line) => {
                let _ = io::stderr().write_all(&line);
                if let Some(named) = lock(file).as_mut() {
                    let _ = named.write(&line);
                }
            }
            LogEntry::Flush(done) => drop(done.send(())),
        }
    }
}

fn lock(file: &Mutex<Option<LogFile>>) -> MutexGuard<'_, Option<LogFile>> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_has_become_long_is_put_aside_by_one_of_those_that_write_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let old = directory.path().join("log.old");
        fs::write(&path, vec![b'.'; usize::try_from(LONGEST).unwrap() + 1]).unwrap();
        let mut one = LogFile::open(&path).unwrap();
        let mut other = LogFile::open(&path).unwrap();
        one.write(b"one\n").unwrap();
        other.write(b"other\n").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\nother\n");
        assert_eq!(fs::metadata(&old).unwrap().len(), LONGEST + 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_is_made_is_for_this_person_alone() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let mut log = LogFile::open(&path).unwrap();
        assert_eq!(mode(), 0o600);
        // So is the one that comes when it has become long.
        log.length = LONGEST + 1;
        log.file.set_len(LONGEST + 1).unwrap();
        log.write(b"next\n").unwrap();
        assert_eq!(
            (mode(), fs::read(&path).unwrap()),
            (0o600, b"next\n".to_vec())
        );
        // A file that the person made keeps its mode.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        LogFile::open(&path).unwrap();
        assert_eq!(mode(), 0o640);
    }

    #[test]
    fn after_a_line_that_was_cut_the_next_begins_a_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::write(&path, "half a li").unwrap();
        let mut log = LogFile::open(&path).unwrap();
        log.write(b"one\n").unwrap();
        log.write(b"other\n").unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "half a li\none\nother\n"
        );
    }

    #[test]
    fn a_file_that_cannot_be_put_aside_is_written_on() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::create_dir_all(directory.path().join("log.old/in the way")).unwrap();
        fs::write(&path, vec![b'.'; usize::try_from(LONGEST).unwrap() + 1]).unwrap();
        let mut log = LogFile::open(&path).unwrap();
        log.write(b"one\n").unwrap();
        assert!(fs::read(&path).unwrap().ends_with(b".\none\n"));
    }
}
