//! Recordings on disks that fail, hang, or tell what they are given.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foretell_core::{Core, Event, Fact, FactScene, Moment, Observer};
use foretell_settings::Settings;
use foretell_text::{DocumentId, Language, Text, Version};

use super::file::{RecordDisk, RecordFile};
use super::record_queue::{LARGEST, MOST};
use super::{EventCopier, NewRecording, RecordedContent, Recorder};

/// How long a test waits for what must come.
const PATIENCE: Duration = Duration::from_secs(30);

/// A disk that writes when it is let, and tells what.
#[derive(Debug)]
struct WatchedDisk {
    /// Each says whether there is room. Once the sender is gone, there is.
    lets: Mutex<Receiver<bool>>,
    tells: Sender<String>,
}

impl Write for WatchedDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let has_room = self.lets.get_mut().unwrap().recv().unwrap_or(true);
        if !has_room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let _ = self.tells.send(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl RecordDisk for WatchedDisk {
    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }
}

/// A recording, who lets its disk write, and what that tells until it is not needed any more.
fn recording() -> (NewRecording, Sender<bool>, Receiver<String>) {
    let (opens, lets) = mpsc::channel();
    let (tells, told) = mpsc::channel();
    let lets = Mutex::new(lets);
    let file = RecordFile::on(PathBuf::from("session.jsonl"), WatchedDisk { lets, tells });
    let kind = RecordedContent::Whole;
    (NewRecording { file, kind }, opens, told)
}

/// All that is told until there is no more.
fn all(told: &Receiver<String>) -> String {
    let mut lines = String::new();
    loop {
        match told.recv_timeout(PATIENCE) {
            Ok(more) => lines.push_str(&more),
            Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("it goes on behind {lines}"),
        }
    }
}

fn started(recording: NewRecording) -> (Recorder, EventCopier) {
    Recorder::start(recording, Moment::default(), Arc::new(Settings::default()))
}

fn see(copier: &mut EventCopier, event: &Event) {
    let core = Core::new(Arc::new(Settings::default()));
    copier.saw(Moment::default(), Fact::Event(event), &FactScene::of(&core));
}

#[tokio::test]
async fn what_fails_at_the_very_end_is_said() {
    let (recording, room, told) = recording();
    let (mut recorder, mut copier) = started(recording);
    room.send(true).unwrap();
    room.send(false).unwrap();
    see(&mut copier, &Event::RejectionsCleared);
    recorder.finish();
    assert!(recorder.written(PATIENCE).await);
    let news = recorder.news().expect("news");
    assert!(
        news.contains("stopped recording to session.jsonl"),
        "{news}"
    );
    assert_eq!(recorder.news(), None, "once");
    assert!(!all(&told).contains("clear"));
}

#[tokio::test]
async fn nothing_is_taken_behind_the_end() {
    let (recording, room, told) = recording();
    let (mut recorder, mut copier) = started(recording);
    drop(room);
    see(&mut copier, &Event::ShuttingDown);
    recorder.finish();
    see(&mut copier, &Event::RejectionsCleared);
    assert!(recorder.written(PATIENCE).await);
    assert_eq!(recorder.news(), None);
    let lines = all(&told);
    assert!(lines.ends_with("\"event\":\"shutdown\"}\n"), "{lines}");
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_hangs_is_waited_for_only_so_long() {
    let (recording, room, told) = recording();
    let (mut recorder, mut copier) = started(recording);
    see(&mut copier, &Event::RejectionsCleared);
    recorder.finish();
    assert!(!recorder.written(PATIENCE).await, "it hangs");
    assert_eq!(recorder.news(), None);
    drop(room);
    assert!(all(&told).contains("clear"), "nothing is lost by waiting");
    assert!(recorder.written(PATIENCE).await);
}

#[tokio::test]
async fn what_does_not_keep_up_is_stopped() {
    let large = Event::DocumentOpened {
        document: DocumentId::new("file:///a"),
        language: Language::new("text"),
        version: Version::new(1),
        text: Text::from("a".repeat(LARGEST / 2 + 1).as_str()),
    };
    for (event, fitting) in [(Event::RejectionsCleared, MOST), (large, 1)] {
        let (recording, room, told) = recording();
        let (mut recorder, mut copier) = started(recording);
        for _ in 0..fitting {
            see(&mut copier, &event);
        }
        assert_eq!(recorder.news(), None, "{fitting} may wait");
        see(&mut copier, &event);
        let news = recorder.news().expect("news");
        assert!(news.contains("does not keep up"), "{news}");
        drop(room);
        // The thread ends by itself, and what it had before is written.
        assert!(recorder.written(PATIENCE).await);
        assert_eq!(all(&told).lines().count(), 2);
    }
}
