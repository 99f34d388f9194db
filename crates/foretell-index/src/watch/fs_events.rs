//! Events of the file system, as far as they mean anything here.
//!
//! Absent on purpose: the disk. Events are passed on, and the watch looks at the files.

use std::path::PathBuf;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};

/// A message to the watch.
pub(super) enum WatchMessage {
    /// The contents of these files changed.
    Changed(Vec<PathBuf>),
    /// These have come, or gone, or changed their names.
    Named(Vec<PathBuf>),
    /// The one has the name of the other now.
    Renamed { from: PathBuf, to: PathBuf },
    /// So much changed that the system lost count.
    Overrun,
    /// The watch is over.
    Stop,
}

/// Turns events of the system into messages.
#[derive(Default)]
pub(super) struct FsEventReader {
    /// The old name of what is just getting another, where the system tells of one after the other.
    moved: Option<PathBuf>,
}

impl FsEventReader {
    /// The meaning of an event; reading a file has none.
    pub(super) fn message_of(
        &mut self,
        event: notify::Result<notify::Event>,
    ) -> Option<WatchMessage> {
        let Ok(event) = event else {
            return Some(WatchMessage::Overrun);
        };
        if event.need_rescan() {
            return Some(WatchMessage::Overrun);
        }
        match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {
                Some(WatchMessage::Changed(event.paths))
            }
            EventKind::Access(_) => None,
            EventKind::Modify(ModifyKind::Name(mode)) => Some(self.renamed(mode, event)),
            EventKind::Create(_) | EventKind::Remove(_) => Some(WatchMessage::Named(event.paths)),
            _ => Some(WatchMessage::Changed(event.paths)),
        }
    }

    /// The meaning of an event about a name. Where the system numbers those that belong together, one
    /// of them has both names.
    fn renamed(&mut self, mode: RenameMode, event: notify::Event) -> WatchMessage {
        let is_numbered = event.tracker().is_some();
        let before = self.moved.take();
        match (mode, event.paths.as_slice()) {
            (RenameMode::Both, [from, to]) => {
                let (from, to) = (from.clone(), to.clone());
                return WatchMessage::Renamed { from, to };
            }
            (RenameMode::From, [from]) if !is_numbered => self.moved = Some(from.clone()),
            (RenameMode::To, [to]) if !is_numbered => {
                if let Some(from) = before {
                    let to = to.clone();
                    return WatchMessage::Renamed { from, to };
                }
            }
            _ => {}
        }
        WatchMessage::Named(event.paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which names are told to belong together, of events with a name or two and perhaps a number.
    fn renamed(events: &[(RenameMode, &[&str], Option<usize>)]) -> Vec<String> {
        let mut hearing = FsEventReader::default();
        let mut renamed = Vec::new();
        for (mode, paths, number) in events {
            let mut event = notify::Event::new(EventKind::Modify(ModifyKind::Name(*mode)));
            event.paths = paths.iter().map(PathBuf::from).collect();
            if let Some(number) = number {
                event = event.set_tracker(*number);
            }
            if let Some(WatchMessage::Renamed { from, to }) = hearing.message_of(Ok(event)) {
                renamed.push(format!("{} {}", from.display(), to.display()));
            }
        }
        renamed
    }

    #[test]
    fn only_names_that_belong_together_are_told_as_one() {
        use RenameMode::{Both, From, To};

        let linux: [(_, &[&str], _); 5] = [
            (From, &["old"], Some(1)),
            (To, &["new"], Some(1)),
            (Both, &["old", "new"], Some(1)),
            // It says so itself, too; and then something comes from elsewhere.
            (From, &["old"], None),
            (To, &["other"], Some(2)),
        ];
        assert_eq!(renamed(&linux), ["old new"]);
        let windows: [(_, &[&str], _); 3] = [
            (From, &["old"], None),
            (To, &["new"], None),
            (To, &["other"], None),
        ];
        assert_eq!(renamed(&windows), ["old new"]);
    }
}
