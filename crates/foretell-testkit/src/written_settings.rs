//! Settings as a person writes them, without a fault in them.

use foretell_settings::{Home, RawSettings, Settings, settings};
use foretell_text::LaneKind;

/// The settings that a person's file has.
pub fn settings_of(toml: &str) -> Settings {
    let (raw, faults) = RawSettings::from_toml(Home::UserFile, "config.toml", toml);
    assert!(faults.is_empty(), "{faults:?}");
    let (settings, faults) = Settings::resolve(&[raw]);
    assert!(faults.is_empty(), "{faults:?}");
    settings
}

/// The settings of a lane, from the lines of its table.
pub fn lane_settings_of(lane: LaneKind, lines: &str) -> settings::LaneSettings {
    let table = match lane {
        LaneKind::Fim => "fim",
        LaneKind::NextEdit => "nextEdit",
        LaneKind::Fix => "fix",
    };
    let settings = settings_of(&format!("[lanes.{table}]\n{lines}"));
    settings.lanes.of(lane).clone()
}
