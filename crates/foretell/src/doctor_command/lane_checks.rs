//! Lanes, and the servers that answer for them: each is asked a tiny question as the lane would ask
//! it, all at once.
//!
//! A fault is told in the words of the lane, which say what to do about it; what a probe has
//! learned besides, the models that are there or that this one cannot fill in, is added here. A lane
//! that has had its share of the day is not asked: the tiny question would count, too.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::time::Duration;

use foretell_lanes::LaneFault;
use foretell_lanes::model::format::edit_format_name;
use foretell_lanes::model::probe::{FillQuality, ModelListing, ProbeAsker, ProbeResult, probe};
use foretell_lanes::model::server_client::{LaneSettingName, ServerClient};
use foretell_lanes::model::server_kind::ServerKind;
use foretell_settings::choice::BackEnd;
use foretell_settings::{Settings, settings};
use foretell_text::LaneKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tokio::task::JoinSet;

use super::doctor_report::{DoctorFinding, FindingVerdict};
use super::speed_checks::{self, AnsweringLane, MeasuredServers};
use crate::daily_limits;
use crate::failure::{CommandFailure, visible};

/// How many of the models that a server has are named.
const MOST_NAMED: usize = 8;
/// Which models fill in.
const FILLING_IN: &str = "Choose a model that can fill in the middle, such as Qwen2.5-Coder, StarCoder2, \
    CodeGemma or Codestral; models that only chat cannot";
/// The hint about an answer without use.
const NOTHING_USABLE: &str = "It answered, but with nothing usable: a small or slow model does \
    this, too";
/// How often what is drawn on a terminal is drawn anew.
const FRAME: Duration = Duration::from_millis(100);

/// A lane in general, or for a language that has settings of its own.
#[derive(Clone)]
struct LaneCheck {
    lane: LaneKind,
    language: Option<String>,
    settings: settings::LaneSettings,
    race: settings::RaceSettings,
    /// Which limit by the day is reached, if one is.
    over: Option<String>,
}

/// How every lane is.
pub(super) fn findings(
    settings: &Settings,
    measured: MeasuredServers,
) -> Result<Vec<DoctorFinding>, CommandFailure> {
    let lanes = all(settings);
    let bar = bar(lanes.iter().filter(|it| it.is_asked()).count());
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    let runtime = runtime.map_err(CommandFailure::Unstartable)?;
    let probed = runtime.block_on(async {
        let mut asked = JoinSet::new();
        for (number, looked) in lanes.iter().enumerate() {
            if !looked.is_asked() {
                continue;
            }
            let looked = looked.clone();
            asked.spawn(async move { (number, probe(looked.lane, &looked.settings).await) });
        }
        let mut probed: Vec<Option<Vec<ProbeResult>>> = lanes.iter().map(|_| None).collect();
        while let Some(ended) = asked.join_next().await {
            bar.inc(1);
            if let Ok((number, found)) = ended
                && let Some(place) = probed.get_mut(number)
            {
                *place = Some(found);
            }
        }
        probed
    });
    let answering = lanes.iter().zip(&probed);
    let answering = answering.filter_map(|(looked, probed)| looked.answering(probed.as_deref()));
    let speeds = runtime.block_on(speed_checks::findings(answering.collect(), measured));
    // A disk that hangs, or a pipe that a key is to come from, is not waited for.
    runtime.shutdown_background();
    bar.finish_and_clear();
    let all = lanes.iter().zip(probed);
    let findings = all.flat_map(|(looked, probed)| looked.findings(probed));
    Ok(findings.chain(speeds).collect())
}

/// Settings of lanes that make it impossible to ask their servers. No server is asked, and no key is
/// read.
pub(crate) fn misconfigured(settings: &Settings) -> Vec<String> {
    let lanes = of_all_languages(settings).into_iter();
    let wrong = lanes.filter_map(|(lane, language, settings)| {
        let settings = settings.lanes.of(lane);
        if !has_server(settings) {
            return None;
        }
        let why = ServerClient::new(lane, settings).err()?;
        Some(match language {
            Some(language) => format!("for {language}: {why}"),
            None => why.to_string(),
        })
    });
    wrong.collect()
}

/// All lanes in general, and those for a language that differ from them.
fn all(settings: &Settings) -> Vec<LaneCheck> {
    let lanes = of_all_languages(settings).into_iter();
    lanes
        .map(|(lane, language, settings)| LaneCheck::new(lane, language, settings))
        .collect()
}

fn of_all_languages(settings: &Settings) -> Vec<(LaneKind, Option<String>, &Settings)> {
    let general = LaneKind::ALL.map(|lane| (lane, None, settings));
    let languages: BTreeSet<String> = settings
        .entries()
        .filter_map(|it| {
            let of_language = it.name.strip_prefix("languages.")?;
            let (language, _) = of_language.split_once(".lanes.")?;
            Some(language.to_owned())
        })
        .collect();
    let own = languages.into_iter().flat_map(|language| {
        let own = settings.for_language(&language);
        let lanes = LaneKind::ALL.into_iter();
        let differing = lanes.filter(|it| own.lanes.of(*it) != settings.lanes.of(*it));
        differing.map(move |lane| (lane, Some(language.clone()), own))
    });
    general.into_iter().chain(own).collect()
}

fn has_server(lane: &settings::LaneSettings) -> bool {
    lane.enabled && lane.tells_others()
}

impl LaneCheck {
    fn new(lane: LaneKind, language: Option<String>, settings: &Settings) -> Self {
        let race = settings.race.clone();
        let settings = settings.lanes.of(lane).clone();
        LaneCheck {
            lane,
            language,
            over: daily_limits::reached_today(lane, &settings),
            settings,
            race,
        }
    }

    fn is_asked(&self) -> bool {
        has_server(&self.settings) && self.over.is_none()
    }

    /// The lane for measuring its server, if that answers while somebody types.
    fn answering(&self, probed: Option<&[ProbeResult]>) -> Option<AnsweringLane<'_>> {
        let mut probed = probed?.iter();
        let answers = |it: &ProbeResult| it.asker == ProbeAsker::Typing && it.answered.is_ok();
        probed.any(answers).then(|| AnsweringLane {
            lane: self.lane,
            about: self.about(),
            settings: &self.settings,
        })
    }

    fn about(&self) -> String {
        match &self.language {
            None => self.lane.name().to_owned(),
            Some(language) => format!("{} ({language})", self.lane.name()),
        }
    }

    /// How it is: one finding, or one for each of its models.
    fn findings(&self, probed: Option<Vec<ProbeResult>>) -> Vec<DoctorFinding> {
        let settings = &self.settings;
        if !settings.enabled {
            return vec![self.finding(FindingVerdict::Off, "switched off")];
        }
        if !settings.tells_others() {
            let says = "embedded: no server, and nothing is sent";
            return vec![self.finding(FindingVerdict::Well, says)];
        }
        if let Some(over) = &self.over {
            let says = format!("{}: not asked, since {over}", word(settings.kind));
            return vec![
                self.finding(FindingVerdict::Note, says)
                    .with("over", over.as_str()),
            ];
        }
        let Some(probed) = probed else {
            let says = "a bug in foretell: please report it";
            return vec![self.finding(FindingVerdict::Wrong, says)];
        };
        probed.iter().map(|it| self.of_question(it)).collect()
    }

    fn finding(&self, verdict: FindingVerdict, says: impl Into<String>) -> DoctorFinding {
        DoctorFinding::new(verdict, self.about(), says).with("kind", word(self.settings.kind))
    }

    /// The result of a question.
    fn of_question(&self, asked: &ProbeResult) -> DoctorFinding {
        let when = match asked.asker {
            ProbeAsker::Typing => "",
            ProbeAsker::Person => "when you ask, ",
        };
        let finding = match &asked.answered {
            Err(fault) => {
                let says = format!("{when}{}: {fault}", word(self.settings.kind));
                let finding = self.finding(FindingVerdict::Wrong, says);
                let finding = finding.with("failure", fault.failure.kind.name());
                match self.after(fault, asked) {
                    Some(next) => finding.next(next),
                    None => finding,
                }
            }
            Ok(took) => {
                let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
                let whom = self.whom(asked);
                let format = self.edit_format(asked);
                let how = format.map_or(String::new(), |it| format!(" in the format {it}"));
                let says = format!("{when}{whom} answers in {millis} ms{how}");
                let notes = self.notes(asked, millis);
                let finding = if notes.is_empty() {
                    self.finding(FindingVerdict::Well, says)
                } else {
                    self.finding(FindingVerdict::Note, says)
                        .next(notes.join(". "))
                };
                finding.with("answeredMs", millis)
            }
        };
        let finding = match ServerClient::new(self.lane, &self.settings) {
            Ok(server) => finding.with("address", server.address().to_string()),
            Err(_) => finding,
        };
        let finding = finding.with("model", asked.model.clone());
        let finding = match self.edit_format(asked) {
            Some(format) => finding.with("format", format),
            None => finding,
        };
        match &asked.has_model {
            None => finding,
            Some(ModelListing::Yes) => finding.with("hasModel", true),
            Some(ModelListing::No { others }) => finding
                .with("hasModel", false)
                .with("models", others.clone()),
        }
    }

    /// Remarks on a lane that answers.
    fn notes(&self, asked: &ProbeResult, millis: u64) -> Vec<String> {
        let setting = LaneSettingName::of(self.lane);
        let mut notes = Vec::new();
        if let Some((missing, others)) = missing(asked) {
            notes.push(format!(
                "It does not list the model {missing:?}, so another may answer; it has {}",
                named(others)
            ));
        }
        if self.lane == LaneKind::Fim {
            notes.extend(match asked.filled {
                FillQuality::Nothing => Some(NOTHING_USABLE.to_owned()),
                _ if asked.may_ignore_suffix => Some(format!(
                    "The model's name is of no known family, so prefix and suffix are sent apart, \
                     and many servers at this endpoint ignore the suffix: name the family, or \
                     how to ask it, in {setting}.template"
                )),
                FillQuality::Anything => Some(format!(
                    "Its answer does not fit the text behind the cursor. {FILLING_IN}"
                )),
                FillQuality::Fitting => None,
            });
        }
        if let (Some(format), Some(dialect)) = (self.edit_format(asked), asked.dialect)
            && format != dialect.name()
        {
            let wants = dialect.name();
            notes.push(format!(
                "The model was trained on the format {wants}, and is asked in {format}: set \
                 {setting}.format to {wants:?}"
            ));
        }
        let (name, cap) = match asked.asker {
            ProbeAsker::Typing => ("race.capMs", self.race.cap.get()),
            ProbeAsker::Person => ("race.explicitCapMs", self.race.explicit_cap.get()),
        };
        if millis > cap {
            notes.push(format!(
                "That is longer than the editor waits ({name} is {cap} ms): what it says is shown \
                 when it comes, if you are still there. A smaller model is quicker"
            ));
        }
        let kind = ServerKind::of(self.settings.kind);
        let must_name = kind.is_some_and(ServerKind::needs_model);
        if must_name && self.settings.model.is_none() {
            notes.push(format!(
                "{setting}.model is not set; set it to the model to ask while you type"
            ));
        }
        notes
    }

    /// The format in which the model is asked for edits; nothing for a lane that fills in.
    fn edit_format(&self, asked: &ProbeResult) -> Option<&'static str> {
        let settings = &self.settings;
        // A server of this kind says itself which model it has.
        let told = asked.dialect.filter(|_| settings.kind == BackEnd::LlamaCpp);
        let model = asked.model.as_deref().unwrap_or_default();
        (self.lane != LaneKind::Fim).then(|| edit_format_name(settings, model, told))
    }

    /// The server's name, and its result.
    fn whom(&self, asked: &ProbeResult) -> String {
        let kind = word(self.settings.kind);
        let server = match ServerClient::new(self.lane, &self.settings) {
            Ok(server) => format!("{kind} at {}", server.address()),
            Err(_) => kind.to_owned(),
        };
        let server = match (&asked.has_model, &asked.model) {
            (Some(ModelListing::Yes), Some(model)) => {
                format!("{server} has {}, which", visible(model))
            }
            _ => server,
        };
        let fills_in = asked.filled == FillQuality::Fitting && !asked.may_ignore_suffix;
        match self.lane {
            LaneKind::Fim if fills_in => format!("{server} fills in at the cursor and"),
            _ => server,
        }
    }

    /// A further hint about a fault.
    fn after(&self, fault: &LaneFault, asked: &ProbeResult) -> Option<String> {
        let setting = LaneSettingName::of(self.lane);
        if let Some((missing, others)) = missing(asked) {
            let name = match asked.asker {
                ProbeAsker::Typing => "model",
                ProbeAsker::Person => "explicitModel",
            };
            return Some(format!(
                "The server has no model {missing:?}; set {setting}.{name} to one that it has: {}",
                named(others)
            ));
        }
        let cannot_fill = self.lane == LaneKind::Fim && cannot_fill_in(&fault.says);
        cannot_fill.then(|| FILLING_IN.to_owned())
    }
}

/// Whether a server says that its model does not fill in: by a status, which stands before anything
/// that is its own words, or as Ollama says it.
fn cannot_fill_in(says: &str) -> bool {
    let (ours, theirs) = says.split_once("; it says: ").unwrap_or((says, ""));
    ours.ends_with("(status 501)") || theirs.contains("does not support insert")
}

/// The model that a server does not have, and those that it has.
fn missing(asked: &ProbeResult) -> Option<(&str, &[String])> {
    match &asked.has_model {
        Some(ModelListing::No { others }) => Some((asked.model.as_deref()?, others)),
        Some(ModelListing::Yes) | None => None,
    }
}

/// The names of models, but not of hundreds.
fn named(models: &[String]) -> String {
    let first: Vec<String> = models.iter().take(MOST_NAMED).map(visible).collect();
    match models.len().saturating_sub(MOST_NAMED) {
        _ if models.is_empty() => "none".to_owned(),
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

fn word(kind: BackEnd) -> &'static str {
    let mut choices = BackEnd::CHOICES.into_iter();
    let found = choices.find(|(_, it)| *it == kind);
    found.map_or("", |(word, _)| word)
}

/// How many have answered, on a terminal.
fn bar(asked: usize) -> ProgressBar {
    if asked == 0 || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(asked as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("asking model servers {spinner} {pos} of {len}");
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.enable_steady_tick(FRAME);
    bar
}
