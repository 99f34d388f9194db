//! Which files settings came from, for a person who asks.

use std::fmt;
use std::path::PathBuf;

use foretell_settings::Home;

/// A settings file that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsSource {
    /// Where it is, or would be.
    pub file: PathBuf,
    /// Whose it is.
    pub home: Home,
    /// What of it applies.
    pub applies: Applies,
}

/// What of a settings file applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applies {
    /// There is no such file.
    Absent,
    /// What it says now, or most of it.
    Now {
        /// How many settings apply.
        settings: usize,
        /// How many do not.
        faults: usize,
    },
    /// What it said when it was last understood.
    Before,
    /// Nothing: it was never understood.
    Nothing,
}

impl fmt::Display for Applies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Applies::Absent => f.write_str("there is none"),
            Applies::Now { settings, faults } => {
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
            Applies::Before => f.write_str("what it said before applies"),
            Applies::Nothing => f.write_str("nothing in it applies"),
        }
    }
}
