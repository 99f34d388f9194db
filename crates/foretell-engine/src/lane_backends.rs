//! The back end of a lane: the embedded predictor, or a model server.
//!
//! A client of a server is made once and kept, with its connections and its key, for as long as
//! its settings stay the same.

use std::sync::{Arc, Mutex};

use foretell_lanes::Lane;
use foretell_lanes::embedded::{EmbeddedLane, PredictorThreads};
use foretell_lanes::model::server_speed::SpeedBook;
use foretell_lanes::model::{ModelLane, SentRequestObserver};
use foretell_settings::settings;
use foretell_text::{LaneKind, PoisonedLock};

use crate::engine::ChooseLane;

/// How many servers are kept: one for each lane, and some for languages with settings of their own.
const MOST_KEPT: usize = 16;

/// Chooses by the settings of a lane. Lanes share what they learn of servers' speeds.
pub fn by_settings() -> ChooseLane {
    by_settings_with(Arc::default(), None)
}

/// The same, with a book of servers' speeds, and an observer of the requests that are sent to model
/// servers.
pub fn by_settings_with(
    speeds: Arc<SpeedBook>,
    notes: Option<Arc<dyn SentRequestObserver>>,
) -> ChooseLane {
    choosing(move |lane, settings| {
        ModelLane::with_book(lane, settings, Arc::clone(&speeds), notes.clone())
    })
}

fn choosing(
    make: impl Fn(LaneKind, &settings::LaneSettings) -> ModelLane + Send + Sync + 'static,
) -> ChooseLane {
    let threads = PredictorThreads::default();
    let kept = Mutex::new(Vec::<CachedLane>::new());
    Arc::new(move |lane, settings| {
        if !settings.tells_others() {
            let threads = threads.clone();
            return Arc::new(EmbeddedLane { lane, threads });
        }
        let mut kept = kept.lock().unpoison();
        let is_it = |it: &CachedLane| it.lane == lane && it.settings == *settings;
        let asked = match kept.iter().position(is_it) {
            Some(known) => kept.remove(known),
            None => CachedLane {
                lane,
                settings: settings.clone(),
                answers: Arc::new(make(lane, settings)),
            },
        };
        let answers = Arc::clone(&asked.answers);
        // The one that was asked last is the last to go.
        kept.push(asked);
        let too_many = kept.len().saturating_sub(MOST_KEPT);
        kept.drain(..too_many);
        answers
    })
}

/// A server that was asked, and the settings that it was asked by.
struct CachedLane {
    lane: LaneKind,
    settings: settings::LaneSettings,
    answers: Arc<dyn Lane>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_settings::Settings;
    use foretell_settings::choice::BackEnd;

    #[test]
    fn a_lane_tells_others_if_its_settings_say_so() {
        let lanes = by_settings();
        for lane in LaneKind::ALL {
            for (_, kind) in BackEnd::CHOICES {
                let mut settings = Settings::default().lanes.of(lane).clone();
                settings.kind = kind;
                let tells_others = lanes(lane, &settings).tells_others();
                assert_eq!(tells_others, settings.tells_others(), "{lane} {kind:?}");
            }
        }
    }
}
