//! The usage of lanes, told to the file that remembers it and learned from it.
//!
//! Only lanes with a limit by the day are counted there. The loop does not wait: the machine has counted
//! already, and learns later what other processes have used. One task at a time has the file, and what
//! comes meanwhile is told together when it ends, so that a disk that hangs costs one thread. An engine
//! that ends waits a moment, so that nothing is lost.
//!
//! Usage that cannot be written is kept, and told with the next call: a disk that was full for a while costs no
//! count. Until then other processes do not know of it, which [`Engine::usage_unkept`] says.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use foretell_core::Event;
use foretell_settings::{Settings, settings};
use foretell_text::{LaneKind, TokenUsage};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Engine;
use crate::usage::{DayTime, UsageCount};

/// How long an engine that ends waits for a disk.
const PATIENCE: Duration = Duration::from_secs(1);

/// The usage that is being counted, and that waits.
#[derive(Default)]
pub(super) struct UsageSync {
    pub(super) tasks: JoinSet<CountedUsage>,
    waiting: BTreeMap<LaneKind, UsageCount>,
    /// Why the last of it could not be written.
    unkept: Option<io::Error>,
}

/// The usage of lanes on a day.
pub(super) struct CountedUsage {
    day: u64,
    lanes: Vec<(LaneKind, UsageCount)>,
    unkept: Option<UnkeptUsage>,
}

/// The usage that could not be written, and why.
struct UnkeptUsage {
    lanes: Vec<(LaneKind, UsageCount)>,
    why: io::Error,
}

impl UsageSync {
    fn put_back(&mut self, unkept: Option<UnkeptUsage>) {
        let (lanes, why) = match unkept {
            Some(UnkeptUsage { lanes, why }) => (lanes, Some(why)),
            None => (Vec::new(), None),
        };
        lanes
            .into_iter()
            .for_each(|(lane, used)| self.wait(lane, used));
        self.unkept = why;
    }

    fn wait(&mut self, lane: LaneKind, used: UsageCount) {
        let waiting = self.waiting.entry(lane).or_default();
        waiting.requests = waiting.requests.saturating_add(used.requests);
        waiting.tokens = waiting.tokens.saturating_add(used.tokens);
    }
}

impl Engine {
    /// Why what lanes use up today cannot be written down, if it cannot: limits by the day hold for this
    /// process alone until then.
    pub fn usage_unkept(&self) -> Option<&io::Error> {
        self.counting.unkept.as_ref()
    }

    /// Learns what was used up today, by others or before the engine began.
    pub(super) fn learn_usage(&mut self) {
        for lane in LaneKind::ALL {
            self.count(lane, UsageCount::default());
        }
    }

    /// Learns it for a lane that seems to have had its share: a day may have begun while the machine
    /// slept, and its clock with it.
    pub(super) fn doubt_usage(&mut self, lane: LaneKind) {
        self.count(lane, UsageCount::default());
    }

    /// Counts a call of a lane.
    pub(super) fn count_call(&mut self, lane: LaneKind) {
        let (requests, tokens) = (1, 0);
        self.count(lane, UsageCount { requests, tokens });
    }

    /// Counts what a call took.
    pub(super) fn count_tokens(&mut self, lane: LaneKind, usage: TokenUsage) {
        let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        if tokens > 0 {
            let requests = 0;
            self.count(lane, UsageCount { requests, tokens });
        }
    }

    /// Takes what is known now.
    pub(super) fn counted(&mut self, mut counted: CountedUsage) {
        let is_unkept = counted.unkept.is_some();
        // Also what came meanwhile waits: each call tries once, and not for ever.
        self.counting.put_back(counted.unkept.take());
        let Some(day) = counted.day.checked_sub(self.first_day) else {
            // A clock was set back over midnight. The machine keeps to its own day.
            return self.count_waiting_unless(is_unkept);
        };
        for (lane, UsageCount { requests, tokens }) in counted.lanes {
            self.handle(Event::UsageKnown {
                lane,
                day,
                requests,
                tokens,
            });
        }
        self.count_waiting_unless(is_unkept);
    }

    fn count_waiting_unless(&mut self, is_unkept: bool) {
        if !is_unkept {
            self.count_waiting();
        }
    }

    /// Waits until everything is counted, but not for long.
    pub(super) async fn end_counting(&mut self) {
        let all = async {
            self.count_waiting();
            while let Some(Ok(CountedUsage { unkept: None, .. })) =
                self.counting.tasks.join_next().await
            {
                self.count_waiting();
            }
        };
        // A disk that hangs loses a count. That is not reported: the engine has ended.
        let _ = timeout(PATIENCE, all).await;
        self.counting.tasks.detach_all();
    }

    fn count(&mut self, lane: LaneKind, used: UsageCount) {
        let is_any = |settings: &Settings| {
            let mut all = settings.all_languages();
            all.any(|it| is_limited(it.lanes.of(lane)))
        };
        if self.surroundings.usage.is_none() || !is_any(&self.settings) {
            return;
        }
        self.counting.wait(lane, used);
        self.count_waiting();
    }

    /// Tells what has come together, unless the file is in use.
    fn count_waiting(&mut self) {
        let UsageSync { tasks, waiting, .. } = &mut self.counting;
        let Some(file) = self.surroundings.usage.clone() else {
            return;
        };
        if waiting.is_empty() || !tasks.is_empty() {
            return;
        }
        let waiting = std::mem::take(waiting);
        let file = Arc::clone(&file);
        tasks.spawn_blocking(move || {
            let day = DayTime::now().day;
            let (mut lanes, mut unkept) = (Vec::new(), None);
            for (lane, used) in waiting {
                let all = if used == UsageCount::default() {
                    Ok(file.read(day, lane))
                } else {
                    file.add(day, lane, used)
                };
                match all {
                    Ok(all) => lanes.push((lane, all)),
                    // Where it cannot be kept, the machine's own count is all there is.
                    Err(why) => {
                        let lanes = Vec::new();
                        let unkept = unkept.get_or_insert(UnkeptUsage { lanes, why });
                        unkept.lanes.push((lane, used));
                    }
                }
            }
            CountedUsage { day, lanes, unkept }
        });
    }
}

fn is_limited(lane: &settings::LaneSettings) -> bool {
    lane.requests_per_day.is_some() || lane.tokens_per_day.is_some()
}
