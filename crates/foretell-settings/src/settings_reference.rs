//! The table as a page for people: `docs/settings.md`, which a test compares with this.
//!
//! The rules that hold for all settings stand above the tables. The settings of a lane exist
//! three times and are told once.

use foretell_text::LaneKind;

use crate::group::{SettingGroup, of_lane};
use crate::setting::{HomePermission, Setting};
use crate::setting_origin::Home;
use crate::settings_table::{self, lane_prefix};

/// The text of `docs/settings.md`.
pub fn reference() -> String {
    let mut page = include_str!("settings_reference/head.md").to_owned();
    for group in SettingGroup::ALL {
        page.push_str(&format!("\n## {}\n\n{}\n", group.name, group.meaning));
        let mut rows: Vec<_> = group.settings().map(|it| row(&it)).collect();
        if group.name == "lanes" {
            rows = group.settings().filter_map(row_of_any_lane).collect();
            page.push_str(&lanes());
        }
        page.push_str(
            "\n| setting | default | can be | meaning | in `.foretell.toml` |\n\
             | --- | --- | --- | --- | --- |\n",
        );
        page.push_str(&rows.concat());
    }
    page
}

/// The lanes that `L` stands for.
fn lanes() -> String {
    let mut text = "\n`L` is one of\n\n".to_owned();
    for lane in LaneKind::ALL {
        let (_, name) = lane_prefix(lane).split_once('.').unwrap_or_default();
        let name = name.trim_end_matches('.');
        text.push_str(&format!("- `{name}`: {}\n", of_lane(lane)));
    }
    text
}

/// The row of a setting of the first lane, under a name for that of any.
fn row_of_any_lane(setting: Setting) -> Option<String> {
    let rest = setting.name.strip_prefix(lane_prefix(LaneKind::Fim))?;
    let name = format!("lanes.L.{rest}");
    let mut range = setting.kind.range_in_words();
    let of_others = settings_table::setting(&format!("{}{rest}", lane_prefix(LaneKind::NextEdit)))?;
    if of_others.kind != setting.kind {
        let others = of_others.kind.range_in_words();
        range = format!("`fim`: {range}; `nextEdit` and `fix`: {others}");
    }
    Some(row_of(&Setting { name, ..setting }, &range))
}

fn row(setting: &Setting) -> String {
    row_of(setting, &setting.kind.range_in_words())
}

fn row_of(setting: &Setting, range: &str) -> String {
    let default = match &setting.default {
        Some(default) => format!("`{default}`"),
        None => "unset".to_owned(),
    };
    let in_workspace = match setting.homes.permission(Home::WorkspaceFile) {
        HomePermission::Set => "yes",
        HomePermission::Add => "adds to yours",
        HomePermission::Refused => "no",
    };
    format!(
        "| `{}` | {default} | {range} | {} | {in_workspace} |\n",
        setting.name, setting.meaning
    )
}
