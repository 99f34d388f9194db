//! The table as a settings file to begin with: everything in it is commented out, so that it changes
//! nothing until somebody takes a `#` away.
//!
//! Names are whole, without tables around them, so that any line works on its own, and so that what
//! people copy from elsewhere (`[lanes.fim]` and what follows) can stand at the end. A line that may be
//! uncommented has no space behind its `#`; prose has one.

use foretell_text::LaneKind;

use crate::group::{SettingGroup, of_lane};
use crate::setting::{Setting, SettingKind};
use crate::settings_table::{self, lane_prefix};
use crate::unit::SettingUnit;

const HEAD: &str = "\
# Settings of Foretell. What stands here is what each setting is without this file: to change one,
# take the # before its name away. Texts that are empty are unset, and so is every limit by minute or
# day, which has an example here. Tables, such as [lanes.fim], go to the end of the file.
#
# foretell config show    every setting, and where it comes from
# foretell doctor         whether all of it works
";

/// A settings file with everything commented out.
pub fn template() -> String {
    let mut file = HEAD.to_owned();
    for group in SettingGroup::ALL {
        file.push_str(&format!("\n\n# ---- {}: {}\n", group.name, group.meaning));
        match group.name {
            "lanes" => lanes(group, &mut file),
            _ => group.settings().for_each(|it| explained(&it, &mut file)),
        }
    }
    file
}

/// The first lane with what everything means; the others have the same settings, but for a few that
/// can be set to something else.
fn lanes(group: SettingGroup, file: &mut String) {
    for (number, lane) in LaneKind::ALL.into_iter().enumerate() {
        let prefix = lane_prefix(lane);
        let settings = group
            .settings()
            .filter(|setting| setting.name.starts_with(prefix));
        file.push_str(&format!("\n# {}\n", of_lane(lane)));
        for setting in settings {
            if number == 0 || !is_like_the_first(&setting, lane) {
                explained(&setting, file);
            } else {
                line(&setting, file);
            }
        }
    }
}

/// Whether a setting of a lane can be set to the same as that of the first lane.
fn is_like_the_first(setting: &Setting, lane: LaneKind) -> bool {
    let rest = setting.name.strip_prefix(lane_prefix(lane));
    let first = rest
        .and_then(|rest| settings_table::setting(&format!("{}{rest}", lane_prefix(LaneKind::Fim))));
    first.is_some_and(|first| first.kind == setting.kind)
}

fn explained(setting: &Setting, file: &mut String) {
    let unset = match setting.default {
        None => " Unset by default.",
        Some(_) => "",
    };
    file.push_str(&format!(
        "\n# {}{unset}\n# {}\n",
        setting.meaning,
        setting.kind.range_in_words()
    ));
    line(setting, file);
}

fn line(setting: &Setting, file: &mut String) {
    let value = match &setting.default {
        Some(default) => default.to_string(),
        None => example(setting.kind),
    };
    file.push_str(&format!("#{} = {value}\n", setting.name));
}

/// An example for a setting without a value: an empty text is nothing, and a limit has to be some.
fn example(kind: SettingKind) -> String {
    match kind {
        SettingKind::Limit { unit, min, .. } => match unit {
            SettingUnit::RequestsPerMinute => "60",
            SettingUnit::RequestsPerDay => "5000",
            SettingUnit::TokensPerDay => "2000000",
            _ => return min.to_string(),
        }
        .to_owned(),
        _ => "\"\"".to_owned(),
    }
}
