//! The speed of model servers, told to the machine and to the file that keeps it.
//!
//! Lanes learn it while they are asked. The machine is told when it is another one. The file is
//! written by a thread of its own, which the loop does not wait for, and once more when the engine ends.
//!
//! Absent on purpose: what follows from a speed.

use std::sync::Arc;
use std::time::Duration;

use foretell_core::Event;
use foretell_lanes::PromptReading;
use foretell_text::{LaneKind, LaneSpeed, PerLane};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;

use super::Engine;

/// How long an engine that ends waits for a disk.
const PATIENCE: Duration = Duration::from_secs(1);

/// The speeds as the machine knows them.
#[derive(Default)]
pub(super) struct SpeedSync {
    told: PerLane<Option<LaneSpeed>>,
    /// The file is being written.
    keeping: JoinSet<()>,
}

impl Engine {
    /// How far a model server is with the prompt that it reads now, if one does.
    pub fn reading(&self) -> Option<PromptReading> {
        self.calls.reading()
    }

    /// Tells the machine what is known of servers that were not asked yet.
    pub(super) fn tell_speeds(&mut self) {
        self.speeds.told = PerLane::default();
        self.tell_new_speeds();
    }

    /// Tells the machine which servers are faster or slower than it was told.
    pub(super) fn tell_new_speeds(&mut self) {
        for lane in LaneKind::ALL {
            let settings = self.settings.lanes.of(lane);
            if !settings.enabled || !settings.tells_others() {
                continue;
            }
            let speed = (self.surroundings.lanes)(lane, settings).speed();
            let Some(speed) = speed.filter(|it| it.read.or(it.written).is_some()) else {
                continue;
            };
            if self.speeds.told[lane] != Some(speed) {
                self.speeds.told[lane] = Some(speed);
                self.handle(Event::LaneSpeedKnown { lane, speed });
            }
        }
        self.keep_speeds();
    }

    /// Writes what was learned. One thread at a time has the file; the next call takes what comes meanwhile.
    fn keep_speeds(&mut self) {
        while self.speeds.keeping.try_join_next().is_some() {}
        let file = self.surroundings.speeds.as_ref();
        let is_free = self.speeds.keeping.is_empty();
        let Some(file) = file.filter(|file| is_free && file.book().has_change()) else {
            return;
        };
        let file = Arc::clone(file);
        // A speed that could not be kept is learned again.
        self.speeds.keeping.spawn_blocking(move || {
            let _ = file.keep();
        });
    }

    /// Writes what was learned last, but does not wait for long.
    pub(super) async fn end_keeping_speeds(&mut self) {
        if let Some(file) = self.surroundings.speeds.clone() {
            let kept = spawn_blocking(move || file.keep());
            let _ = timeout(PATIENCE, kept).await;
        }
        self.speeds.keeping.detach_all();
    }
}
