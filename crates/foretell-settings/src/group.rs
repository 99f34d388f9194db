//! [`SettingGroup`]: what the settings whose names begin alike have to do with each other.
//!
//! Groups are for reading: the reference, the schema and a file to begin with have a part for each.
//! Nothing is decided by them; what a home may set is the business of [`setting`](crate::setting).

use foretell_text::LaneKind;

use crate::setting::Setting;
use crate::settings_table;

/// Settings whose names begin alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingGroup {
    /// The beginning of the names, up to the first dot.
    pub name: &'static str,
    /// Their subject, in a sentence.
    pub meaning: &'static str,
}

impl SettingGroup {
    /// All of them, in the order of the table.
    pub const ALL: [SettingGroup; 13] = [
        SettingGroup {
            name: "enabled",
            meaning: "The one switch for everything.",
        },
        SettingGroup {
            name: "rejections",
            meaning: "What was rejected and is never shown again.",
        },
        SettingGroup {
            name: "trigger",
            meaning: "When moving the cursor asks for a suggestion.",
        },
        SettingGroup {
            name: "gate",
            meaning: "When the fim lane is spared, because it would say the same again.",
        },
        SettingGroup {
            name: "pace",
            meaning: "How long to wait before asking, so that nobody is asked at every key.",
        },
        SettingGroup {
            name: "carry",
            meaning: "Keeping a suggestion while it is typed.",
        },
        SettingGroup {
            name: "recall",
            meaning: "What is shown at once, without any model, because it was learned from your own code.",
        },
        SettingGroup {
            name: "race",
            meaning: "How long lanes wait for each other.",
        },
        SettingGroup {
            name: "model",
            meaning: "The model server that every lane asks which names none of its own.",
        },
        SettingGroup {
            name: "lanes",
            meaning: "Where suggestions come from, what is sent there, and how much of it.",
        },
        SettingGroup {
            name: "context",
            meaning: "What models are told besides the text at the cursor.",
        },
        SettingGroup {
            name: "index",
            meaning: "The index of the workspace, in which related code is found.",
        },
        SettingGroup {
            name: "log",
            meaning: "The log.",
        },
    ];

    /// Its settings, in the order of the table.
    pub fn settings(self) -> impl Iterator<Item = Setting> {
        settings_table::settings().filter(move |setting| self.holds(&setting.name))
    }

    /// Whether a setting is in it.
    pub fn holds(self, setting: &str) -> bool {
        setting.split('.').next() == Some(self.name)
    }
}

/// The purpose of a lane, in a sentence.
pub(crate) const fn of_lane(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Fim => "The lane that fills in at the cursor.",
        LaneKind::NextEdit => "The lane that says what will be changed next.",
        LaneKind::Fix => "The lane that clears the diagnostic at the cursor.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_in_one_group_and_groups_are_in_the_order_of_the_table() {
        let by_groups = SettingGroup::ALL
            .into_iter()
            .flat_map(SettingGroup::settings);
        let by_groups: Vec<_> = by_groups.map(|setting| setting.name).collect();
        let by_table: Vec<_> = settings_table::settings()
            .map(|setting| setting.name)
            .collect();
        assert_eq!(by_groups, by_table);
    }
}
