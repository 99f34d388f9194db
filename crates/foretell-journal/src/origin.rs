//! Where a setting was made, in words; which lanes are switched off by whom; and whether `foretell
//! doctor` sees what a lane is set up by.
//!
//! The doctor reads the files and the environment. It knows nothing of what an editor sends or of how
//! the server was started, and would call a lane well that it has never seen.

use std::fmt::Display;

use foretell_core::RequestKind;
use foretell_settings::{Home, SettingOrigin};
use foretell_text::{DocumentId, LaneKind};

use crate::explain::WhyContext;
use crate::spoken::{and, one_line};

/// The hint where the doctor can help.
const DOCTOR: &str = "Look into it with foretell doctor";

impl WhyContext<'_> {
    /// A setting's name, and where it was made unless it is the default.
    pub(super) fn made(&self, name: &str, language: Option<&str>) -> String {
        format!("{name}{}", self.made_in(name, language))
    }

    /// The same with what it is.
    pub(super) fn made_so(&self, name: &str, is: impl Display, language: Option<&str>) -> String {
        format!("{name} is {is}{}", self.made_in(name, language))
    }

    fn made_in(&self, name: &str, language: Option<&str>) -> String {
        let whence = self.origin(name, language).and_then(whence);
        whence.map_or(String::new(), |it| format!(", {it}"))
    }

    /// Where a setting of a language was made.
    fn origin(&self, name: &str, language: Option<&str>) -> Option<&SettingOrigin> {
        let own = language.map(|language| format!("languages.{language}.{name}"));
        let own = own.and_then(|own| self.settings.origin_of(&own));
        own.or_else(|| self.settings.origin_of(name))
    }

    /// The origin of the setting that made a lane what it is in general, unless all are defaults: its
    /// switch if it is off, its address if it has one, its kind otherwise.
    pub(crate) fn lane_origin(&self, lane: LaneKind) -> Option<&SettingOrigin> {
        let fields: &[&str] = if self.settings.lanes.of(lane).enabled {
            &["url", "kind"]
        } else {
            &["enabled"]
        };
        let mut origins = fields.iter().filter_map(|field| {
            let origin = self.origin(&format!("{}.{field}", lane_setting(lane)), None);
            origin.filter(|it| it.home != Home::Default)
        });
        origins.next()
    }

    /// The hint for a lane that fails.
    pub(crate) fn look_into(&self, lane: LaneKind, document: Option<&DocumentId>) -> String {
        let language = document.and_then(|it| self.settings_of(it).1);
        for field in ["url", "kind"] {
            let name = format!("{}.{field}", lane_setting(lane));
            let where_to = match self.origin(&name, language).map(|it| it.home) {
                Some(Home::Editor) => "the editor's settings",
                Some(Home::CommandLine) => "how the server was started",
                Some(Home::Trace) => "the trace",
                _ => continue,
            };
            return format!("Look at {name} in {where_to}, which foretell doctor does not see");
        }
        DOCTOR.to_owned()
    }

    /// Which lanes that could answer are switched off in a document, and by whom.
    pub(super) fn switched_off(
        &self,
        document: &DocumentId,
        kind: RequestKind,
    ) -> Option<SwitchedOffLanes> {
        let (settings, language) = self.settings_of(document);
        let lanes = LaneKind::ALL.into_iter();
        let lanes = lanes.filter(|lane| suits(*lane, kind) && !settings.lanes.of(*lane).enabled);
        let lanes: Vec<LaneKind> = lanes.collect();
        // Those that were switched off together are named together.
        let mut made: Vec<(String, Vec<String>)> = Vec::new();
        for lane in &lanes {
            let name = format!("{}.enabled", lane_setting(*lane));
            let whence = self.made_in(&name, language);
            match made.iter_mut().find(|(it, _)| *it == whence) {
                Some((_, names)) => names.push(name),
                None => made.push((whence, vec![name])),
            }
        }
        let made = made.iter().map(|(whence, names)| {
            let are = if names.len() == 1 { "is" } else { "are" };
            format!("{} {are} false{whence}", and(names))
        });
        let names: Vec<String> = lanes.iter().map(|it| it.name().to_owned()).collect();
        (!lanes.is_empty()).then(|| SwitchedOffLanes {
            names: and(&names),
            are: if lanes.len() == 1 { "is" } else { "are" },
            made: made.collect::<Vec<_>>().join("; "),
            next: match names.len() {
                1 => "Set it to true if it is wanted",
                _ => "Set one of them to true if it is wanted",
            },
        })
    }
}

/// Lanes that are switched off.
pub(super) struct SwitchedOffLanes {
    pub(super) names: String,
    pub(super) are: &'static str,
    /// Which settings did that, and where they were made.
    pub(super) made: String,
    pub(super) next: &'static str,
}

/// Where a setting was made, unless it is the default: `set by the editor`, `set in
/// config.toml:3:1`.
pub(crate) fn whence(origin: &SettingOrigin) -> Option<String> {
    Some(match origin.home {
        Home::Default => return None,
        Home::UserFile | Home::WorkspaceFile => format!("set in {}", one_line(origin)),
        Home::Editor => "set by the editor".to_owned(),
        Home::Environment => format!("set by {} in the environment", one_line(origin)),
        Home::Trace => "set by the trace".to_owned(),
        Home::CommandLine => "set on the command line".to_owned(),
    })
}

/// The settings of a lane, as messages name them.
pub(super) const fn lane_setting(lane: LaneKind) -> &'static str {
    match lane {
        LaneKind::Fim => "lanes.fim",
        LaneKind::NextEdit => "lanes.nextEdit",
        LaneKind::Fix => "lanes.fix",
    }
}

/// Whether a lane could answer such a request.
fn suits(lane: LaneKind, kind: RequestKind) -> bool {
    lane != LaneKind::Fim || kind == RequestKind::Inline
}
