//! Limits that a lane has reached: which one, and until when, in words.
//!
//! It is the machine that keeps to limits; here it is said. Those by the day are compared with what is
//! remembered in the person's state directory.

use foretell_engine::UserDirectories;
use foretell_engine::usage::{DayTime, UsageCount};
use foretell_lanes::model::server_client::LaneSettingName;
use foretell_settings::settings;
use foretell_text::LaneKind;

/// Which of a lane's limits by the day is reached now, in words.
pub(crate) fn reached_today(lane: LaneKind, settings: &settings::LaneSettings) -> Option<String> {
    if settings.requests_per_day.is_none() && settings.tokens_per_day.is_none() {
        return None;
    }
    let used = UserDirectories::of_platform()
        .usage()?
        .read(DayTime::now().day, lane);
    reached(lane, settings, used)
}

/// Which of a lane's limits is reached that the machine says it has reached one of.
pub(crate) fn reached_now(lane: LaneKind, settings: &settings::LaneSettings) -> Option<String> {
    let setting = LaneSettingName::of(lane);
    reached_today(lane, settings).or_else(|| {
        let limit = settings.requests_per_minute?;
        Some(format!(
            "{setting}.requestsPerMinute ({limit}) is reached for up to a minute"
        ))
    })
}

fn reached(lane: LaneKind, settings: &settings::LaneSettings, used: UsageCount) -> Option<String> {
    let limits = [
        ("requestsPerDay", settings.requests_per_day, used.requests),
        ("tokensPerDay", settings.tokens_per_day, used.tokens),
    ];
    let (name, limit) = limits.into_iter().find_map(|(name, limit, used)| {
        let limit = limit.filter(|limit| used >= *limit)?;
        Some((name, limit))
    })?;
    let setting = LaneSettingName::of(lane);
    Some(format!(
        "{setting}.{name} ({limit}) is reached until midnight UTC"
    ))
}

#[cfg(test)]
mod tests {
    use foretell_settings::Settings;

    use super::*;

    #[test]
    fn the_limit_that_is_reached_is_named() {
        let settings = settings::LaneSettings {
            requests_per_day: Some(10),
            tokens_per_day: Some(500),
            ..Settings::default().lanes.next_edit
        };
        let named = |requests, tokens| {
            let used = UsageCount { requests, tokens };
            reached(LaneKind::NextEdit, &settings, used)
        };
        assert_eq!(named(9, 499), None);
        let requests = "lanes.nextEdit.requestsPerDay (10) is reached until midnight UTC";
        assert_eq!(named(10, 500).as_deref(), Some(requests));
        let tokens = "lanes.nextEdit.tokensPerDay (500) is reached until midnight UTC";
        assert_eq!(named(9, 501).as_deref(), Some(tokens));
    }
}
