//! Bringing the store up to date with the workspace.
//!
//! One thread walks, some read and cut files up, and the caller's writes:
//!
//! ```text
//! walk ──names──▶ read, cut ──files──▶ write, commit now and then, report progress
//! ```
//!
//! The queues between them are short, so that memory does not depend on how large the workspace is.
//! The first thread that ends ends the others: a queue without a reader, or without a writer, is closed.
//!
//! - A file is read only if the disk says that it is another than the one that is known.
//! - What the walk does not find, or finds excluded, is forgotten at the end. So is what cannot be
//!   read any more; a file that kept changing while it was read stays as it was before.
//! - What is committed is found at once, while the rest is still being read.
//! - Told to stop, it stops at the next file or directory, and keeps what was read by then.

pub(crate) mod cutter;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use foretell_text::{FilePath, PoisonedLock};

use self::cutter::{FileCutter, FileFreshness, PreparedFile};
use crate::build_progress::{BuildOutcome, BuildProgress, BuildReport, FileFault, SkippedFile};
use crate::index::{ExclusionTest, SecretFinder};
use crate::store::store_manifest::{KnownFile, Manifest};
use crate::store::{StoreError, StoreWriter};
use crate::walk::{WalkGround, WalkScope, walk};

/// How many names, and how many files that were read, wait for the next step.
const NAMES_WAITING: usize = 256;
const FILES_WAITING: usize = 16;
/// How often what was written so far is committed, so that it is found.
const COMMIT_EVERY: Duration = Duration::from_secs(3);

/// The parameters of a build.
pub(crate) struct IndexBuild<'a> {
    pub(crate) ground: WalkGround<'a>,
    pub(crate) most_files: usize,
    pub(crate) threads: usize,
    pub(crate) excluded: &'a ExclusionTest,
    pub(crate) secrets: &'a SecretFinder,
    pub(crate) manifest: &'a Manifest,
}

/// The outcome for a file that was found.
enum FileOutcome {
    Unchanged(FilePath),
    /// It has another stamp, and says what it said.
    Touched(FilePath, KnownFile),
    Prepared(Box<PreparedFile>),
    Excluded,
    Skipped(SkippedFile),
}

impl IndexBuild<'_> {
    /// Brings a store up to date.
    pub(crate) fn run(
        &self,
        writer: StoreWriter,
        progress: &dyn Fn(BuildProgress),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<BuildReport, StoreError> {
        let (names, found_names) = sync_channel(NAMES_WAITING);
        let (files, done_files) = sync_channel(FILES_WAITING);
        let found_names = Arc::new(Mutex::new(found_names));
        let finding = WalkProgress::default();
        thread::scope(|scope| {
            let finding = &finding;
            let faults = files.clone();
            scope.spawn(move || self.find(finding, &names, &faults, is_stopped));
            for _ in 0..self.threads.max(1) {
                let (names, files) = (found_names.clone(), files.clone());
                scope.spawn(move || self.read(&names, &files, is_stopped));
            }
            // Those of the threads are the only ones left: the last that ends closes the queue.
            drop((found_names, files));
            self.write(writer, done_files, finding, progress, is_stopped)
        })
    }

    /// Finds the names of files.
    fn find(
        &self,
        finding: &WalkProgress,
        names: &SyncSender<FilePath>,
        faults: &SyncSender<FileOutcome>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) {
        for found in walk(self.ground, &WalkScope::Workspace, is_stopped) {
            if finding.found.load(Ordering::Relaxed) >= self.most_files {
                finding.is_cut.store(true, Ordering::Relaxed);
                break;
            }
            finding.found.fetch_add(1, Ordering::Relaxed);
            let is_told = match found {
                Ok(file) => names.send(file).is_ok(),
                Err(skipped) => faults.send(FileOutcome::Skipped(skipped)).is_ok(),
            };
            if !is_told {
                return;
            }
        }
        finding.is_all.store(!is_stopped(), Ordering::Relaxed);
    }

    /// Reads files and cuts them up.
    fn read(
        &self,
        names: &Mutex<Receiver<FilePath>>,
        files: &SyncSender<FileOutcome>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) {
        let mut cutter = FileCutter::new(self.ground.root, self.secrets);
        loop {
            let name = {
                let names = names.lock().unpoison();
                names.recv()
            };
            let Ok(file) = name else { return };
            if is_stopped() {
                return;
            }
            let done = self.judge(&mut cutter, file);
            if files.send(done).is_err() {
                return;
            }
        }
    }

    fn judge(&self, cutter: &mut FileCutter, file: FilePath) -> FileOutcome {
        if (self.excluded)(Path::new(file.as_str())) {
            return FileOutcome::Excluded;
        }
        let known = self.manifest.get(&file);
        match cutter.prepare_if_new(&file, known) {
            Ok(FileFreshness::Same) => FileOutcome::Unchanged(file),
            Ok(FileFreshness::Touched(known)) => FileOutcome::Touched(file, known),
            Ok(FileFreshness::New(prepared)) => FileOutcome::Prepared(Box::new(prepared)),
            Err(why) => FileOutcome::Skipped(SkippedFile { file, why }),
        }
    }

    /// Writes what was read, and forgets what was not found.
    fn write(
        &self,
        mut writer: StoreWriter,
        done_files: Receiver<FileOutcome>,
        finding: &WalkProgress,
        progress: &dyn Fn(BuildProgress),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<BuildReport, StoreError> {
        let began = Instant::now();
        let mut report = BuildReport::default();
        let mut kept = BTreeSet::new();
        let mut done = 0;
        let mut committed = Instant::now();
        let stopped = |mut writer: StoreWriter, mut report: BuildReport| {
            writer.commit()?;
            report.outcome = BuildOutcome::Stopped;
            report.took = began.elapsed();
            Ok(report)
        };
        for file in &done_files {
            if is_stopped() {
                return stopped(writer, report);
            }
            self.take(&mut writer, file, &mut report, &mut kept)?;
            done += 1;
            progress(finding.progress(done, &report));
            if committed.elapsed() >= COMMIT_EVERY {
                writer.commit()?;
                committed = Instant::now();
            }
        }
        // The queue also ends when the others were told to stop.
        if is_stopped() || !finding.is_all.load(Ordering::Relaxed) {
            return stopped(writer, report);
        }
        for file in self.manifest.keys().filter(|file| !kept.contains(*file)) {
            writer.forget(file);
            report.removed += 1;
        }
        writer.commit_whole(SystemTime::now())?;
        writer.finish()?;
        report.reached_limit = finding.was_cut();
        report.took = began.elapsed();
        progress(finding.progress(done, &report));
        Ok(report)
    }

    /// Writes what became of a file, if anything did, and counts it.
    fn take(
        &self,
        writer: &mut StoreWriter,
        done: FileOutcome,
        report: &mut BuildReport,
        kept: &mut BTreeSet<FilePath>,
    ) -> Result<(), StoreError> {
        let file = match done {
            FileOutcome::Unchanged(file) => {
                let fault = self.manifest.get(&file).and_then(|it| it.fault);
                report.keep(&file, fault);
                file
            }
            FileOutcome::Touched(file, known) => {
                writer.touch(&file, &known)?;
                report.read += 1;
                report.keep(&file, known.fault);
                file
            }
            FileOutcome::Prepared(prepared) => {
                self.replace(writer, &prepared, report)?;
                prepared.file
            }
            FileOutcome::Excluded => {
                report.excluded += 1;
                return Ok(());
            }
            FileOutcome::Skipped(SkippedFile { file, why }) => {
                let stays = why == FileFault::ChangedWhileRead;
                report.skip(file.clone(), why);
                if !stays {
                    return Ok(());
                }
                file
            }
        };
        kept.insert(file);
        Ok(())
    }

    /// Writes a file that says something else than before, if it was there before.
    fn replace(
        &self,
        writer: &mut StoreWriter,
        prepared: &PreparedFile,
        report: &mut BuildReport,
    ) -> Result<(), StoreError> {
        let PreparedFile {
            file,
            known,
            chunks,
        } = prepared;
        let is_known = self.manifest.contains_key(file);
        if is_known {
            writer.forget(file);
        }
        writer.add(file, known, chunks)?;
        report.read += 1;
        report.lines += known.lines;
        report.bytes += known.stamp.size;
        match (known.fault, is_known) {
            (Some(why), _) => report.skip(file.clone(), why.into()),
            (None, true) => report.changed += 1,
            (None, false) => report.added += 1,
        }
        Ok(())
    }
}

/// How far the walk is.
#[derive(Default)]
struct WalkProgress {
    found: AtomicUsize,
    is_all: AtomicBool,
    is_cut: AtomicBool,
}

impl WalkProgress {
    fn was_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    fn progress(&self, done: usize, report: &BuildReport) -> BuildProgress {
        BuildProgress {
            is_all_found: self.is_all.load(Ordering::Relaxed),
            found: self.found.load(Ordering::Relaxed),
            done,
            lines: report.lines,
            bytes: report.bytes,
        }
    }
}
