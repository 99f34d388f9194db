//! How fast the servers of lanes are, and which of them are too slow to be asked while somebody types.
//!
//! A model that rewrites a region repeats it, which takes 300 to 500 tokens. One that writes 20 tokens a second
//! needs half a minute for that: the person has gone on long before, and the server had no time for
//! anything else. Such a lane is asked only when the person asks. Models that fill in, and those that were
//! trained to say a change in a few words, are asked at any speed.
//!
//! A speed that is not measured any more cannot become better, so that it is believed for some minutes, and
//! then one automatic request measures it again. It is believed anew from that call on: a call that is stopped
//! says nothing, and the next pause is no other try.
//!
//! Speeds are those of the lanes as they are set up in general. A language with settings of its own has other
//! servers, of which nothing is known here.
//!
//! Absent on purpose: measuring, which those do who ask the servers.

use foretell_settings::Settings;
use foretell_text::{LaneKind, LaneSpeed, PerLane};

use crate::moment::Moment;
use crate::reason::Reason;

/// Below how many tokens a second a region is not rewritten automatically.
const SLOW: u32 = 60;
/// How long a speed is believed, in milliseconds.
const BELIEVED: u64 = 10 * 60_000;

/// How fast each lane's server is.
#[derive(Debug, Default)]
pub(crate) struct LaneSpeeds {
    known: PerLane<Option<KnownSpeed>>,
}

#[derive(Clone, Copy, Debug)]
struct KnownSpeed {
    speed: LaneSpeed,
    /// Since when it is believed: when it was measured, or when the lane was tried all the same.
    since: Moment,
}

impl LaneSpeeds {
    /// The speed of a lane's server is known. One that writes as before need not have been measured writing.
    pub(crate) fn learn(&mut self, now: Moment, lane: LaneKind, speed: LaneSpeed) {
        let writes_so = |known: &KnownSpeed| known.speed.written == speed.written;
        let same = self.known[lane].filter(writes_so);
        let since = same.map_or(now, |known| known.since);
        self.known[lane] = Some(KnownSpeed { speed, since });
    }

    /// A lane is asked automatically. The settings are those in general, and those of the document's language.
    pub(crate) fn tried(
        &mut self,
        now: Moment,
        lane: LaneKind,
        general: &Settings,
        settings: &Settings,
    ) {
        if let Some(known) = &mut self.known[lane] {
            if settings.lanes.of(lane) == general.lanes.of(lane) {
                known.since = now;
            }
        }
    }

    /// A lane is set up otherwise.
    pub(crate) fn forget(&mut self, lane: LaneKind) {
        self.known[lane] = None;
    }

    /// How fast a lane's server is, as far as that is known.
    pub(crate) fn of(&self, lane: LaneKind) -> Option<LaneSpeed> {
        self.known[lane].map(|known| known.speed)
    }

    /// Why a lane must not be asked while somebody types, if it must not. The settings are those in general,
    /// and those of the document's language.
    pub(crate) fn objection(
        &self,
        now: Moment,
        lane: LaneKind,
        general: &Settings,
        settings: &Settings,
    ) -> Option<Reason> {
        let KnownSpeed { speed, since } = self.known[lane]?;
        let is_slow = speed.written.is_some_and(|written| written < SLOW);
        let is_kept_away = is_slow && speed.repeats_region && now.since(since) < BELIEVED;
        let lane_settings = settings.lanes.of(lane);
        let is_meant = lane_settings.tells_others() && lane_settings == general.lanes.of(lane);
        (is_kept_away && is_meant).then_some(Reason::ModelTooSlow)
    }
}
