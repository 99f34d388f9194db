//! Which files settings came from, for a person who asks.

use std::fmt;
use std::path::PathBuf;

use foretell_settings::Home;

/// A settings file that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsSource {
    /// Where it is, or would be.
    pub file: PathBuf,
    /// The owner of the file.
    pub home: Home,
    /// The part of it that applies.
    pub applies: ApplicableSettings,
}

/// The part of a settings file that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplicableSettings {
    /// There is no such file.
    Absent,
    /// Its text of now, or most of it.
    Now {
        /// How many settings apply.
        settings: usize,
        /// How many do not.
        faults: usize,
    },
    /// Its text when it was last understood.
    Before,
    /// Nothing: it was never understood.
    Nothing,
}

impl fmt::Display for ApplicableSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplicableSettings::Absent => f.write_str("there is none"),
            ApplicableSettings::Now { settings, faults } => {
                match settings {
                    1 => f.write_str("1 setting applies")?,
                    settings => write!(f, "{settings} settings apply")?,
                }
                match faults {
                    0 => Ok(()),
                    1 => f.write_str(", 1 does not"),
                    faults => write!(f, ", {faults} do not"),
                }
            }
            ApplicableSettings::Before => f.write_str("what it said before applies"),
            ApplicableSettings::Nothing => f.write_str("nothing in it applies"),
        }
    }
}
