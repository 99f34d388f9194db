//! Arbitrary bytes as settings: a file of the person's or of a workspace, what an editor sends, an
//! assignment, or variables.
//!
//! Whatever the bytes are: nothing panics, every fault has words, settings that are read twice are the
//! same, and a workspace sets nothing that only the person may.

use foretell_settings::{Home, HomePermission, RawSettings, Settings, settings_table};

pub(crate) fn settings_files(bytes: &[u8]) {
    let [how, rest @ ..] = bytes else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let read = || match how % 6 {
        0 => RawSettings::from_toml(Home::UserFile, "config.toml", &text),
        1 => RawSettings::from_toml(Home::WorkspaceFile, ".foretell.toml", &text),
        2 => RawSettings::from_json(Home::Editor, "editor", &text),
        3 => RawSettings::from_json(Home::Trace, "trace", &text),
        4 => RawSettings::from_assignment("--set", &text),
        _ => RawSettings::from_environment(text.lines().filter_map(|line| {
            let (name, value) = line.split_once('=')?;
            Some((format!("FORETELL_{name}"), value.to_owned()))
        })),
    };
    let (raw, mut faults) = read();
    let (settings, more) = Settings::resolve(std::slice::from_ref(&raw));
    faults.extend(more);
    for fault in &faults {
        assert!(!fault.to_string().is_empty(), "a fault has words");
    }
    let (again, _) = Settings::resolve(&[read().0]);
    assert!(settings == again, "the same text has the same meaning");
    if raw.home() == Home::WorkspaceFile {
        for setting in settings_table::settings() {
            let is_set = settings
                .origin_of(&setting.name)
                .is_some_and(|it| it.home == Home::WorkspaceFile);
            let is_allowed =
                setting.homes.permission(Home::WorkspaceFile) != HomePermission::Refused;
            assert!(
                is_allowed || !is_set,
                "{} is the person's own",
                setting.name
            );
        }
    }
}
