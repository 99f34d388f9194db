//! The table as a page for people: `docs/settings.md`, which a test compares with this.
//!
//! What stands above the tables is the rules that hold for all settings. The settings of a lane exist
//! three times and are told once.

use foretell_text::LaneKind;

use crate::group::{Group, of_lane};
use crate::setting::{Permission, Setting};
use crate::setting_origin::Home;
use crate::settings_table::lane_prefix;

/// The text of `docs/settings.md`.
pub fn reference() -> String {
    let mut page = include_str!("settings_reference/head.md").to_owned();
    for group in Group::ALL {
        page.push_str(&format!("\n## {}\n\n{}\n", group.name, group.meaning));
        let mut settings: Vec<_> = group.settings().collect();
        if group.name == "lanes" {
            settings = settings.into_iter().filter_map(of_any_lane).collect();
            page.push_str(&lanes());
        }
        page.push_str(
            "\n| setting | default | can be | meaning | in `.foretell.toml` |\n\
             | --- | --- | --- | --- | --- |\n",
        );
        settings.iter().for_each(|it| page.push_str(&row(it)));
    }
    page
}

/// What `L` stands for.
fn lanes() -> String {
    let mut text = "\n`L` is one of\n\n".to_owned();
    for lane in LaneKind::ALL {
        let (_, name) = lane_prefix(lane).split_once('.').unwrap_or_default();
        let name = name.trim_end_matches('.');
        text.push_str(&format!("- `{name}`: {}\n", of_lane(lane)));
    }
    text
}

/// The setting of the first lane, under a name for that of any.
fn of_any_lane(setting: Setting) -> Option<Setting> {
    let rest = setting.name.strip_prefix(lane_prefix(LaneKind::ALL[0]))?;
    let name = format!("lanes.L.{rest}");
    Some(Setting { name, ..setting })
}

fn row(setting: &Setting) -> String {
    let default = match &setting.default {
        Some(default) => format!("`{default}`"),
        None => "unset".to_owned(),
    };
    let in_workspace = match setting.homes.permission(Home::WorkspaceFile) {
        Permission::Set => "yes",
        Permission::Add => "adds to yours",
        Permission::Refused => "no",
    };
    format!(
        "| `{}` | {default} | {} | {} | {in_workspace} |\n",
        setting.name,
        setting.kind.range_in_words(),
        setting.meaning
    )
}
