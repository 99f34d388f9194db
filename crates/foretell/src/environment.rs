//! The environment as a home of settings: the variables that begin with `FORETELL_`.
//!
//! A variable is often set once and forgotten, so what is wrong with one is said, and the rest
//! applies, as with a file that happens to lie about. Only what was to be excluded must be
//! understood. The names of variables are the business of `foretell-settings`.

use foretell_engine::workspace::hides_exclusions;
use foretell_settings::{
    Home, RawSettings, SettingOrigin, Settings, SettingsFault, SettingsProblem,
};

use crate::failure::{CommandFailure, visible, warn};

/// The settings of this process's environment, and its variables that set nothing.
pub(crate) fn read() -> (RawSettings, Vec<SettingsFault>) {
    let mut texts = Vec::new();
    let mut others = Vec::new();
    for (name, value) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        match value.into_string() {
            Ok(value) => texts.push((name, value)),
            Err(_) => others.push(name),
        }
    }
    let (settings, mut faults) = RawSettings::from_environment(texts);
    let ours = others.into_iter().filter(|it| RawSettings::is_variable(it));
    faults.extend(ours.map(not_a_text));
    (settings, faults)
}

/// Faults of the environment's settings, by all sources that apply.
pub(crate) fn unfit(sources: &[RawSettings]) -> Vec<SettingsFault> {
    let mut faults = Settings::resolve(sources).1;
    faults.retain(|fault| fault.origin.home == Home::Environment);
    faults
}

/// Says what does not apply, for commands that go on without it.
pub(crate) fn warn_of(faults: Vec<SettingsFault>) -> Result<(), CommandFailure> {
    check(&faults)?;
    faults.iter().map(visible).for_each(warn);
    Ok(())
}

/// Whether it can be gone on without what does not apply.
pub(crate) fn check(faults: &[SettingsFault]) -> Result<(), CommandFailure> {
    if faults.iter().any(may_hide_exclusions) {
        Err(CommandFailure::BadSettings(faults.to_vec()))
    } else {
        Ok(())
    }
}

/// Whether a variable was to exclude something that cannot be read.
fn may_hide_exclusions(fault: &SettingsFault) -> bool {
    const EXCLUDE: &str = "EXCLUDE";
    match &fault.problem {
        SettingsProblem::UnknownVariable { nearest } => {
            nearest.as_deref().is_some_and(|it| it.ends_with(EXCLUDE))
        }
        SettingsProblem::NotUnicode => fault.origin.source.to_uppercase().ends_with(EXCLUDE),
        _ => hides_exclusions(fault),
    }
}

fn not_a_text(name: String) -> SettingsFault {
    SettingsFault {
        origin: SettingOrigin {
            home: Home::Environment,
            source: name,
            place: None,
        },
        problem: SettingsProblem::NotUnicode,
    }
}
