//! The result of a completion: the answer, and the decisions on the way, in words and as data.

use std::collections::BTreeMap;
use std::io::{self, Write};

use foretell_core::{Action, Answer, LaneReport, Note, Offer, Order, Reason};
use foretell_engine::ExclusionCause;
use foretell_journal::sentence::{lane_line, race_line};
use foretell_lanes::LaneFault;
use foretell_lanes::model::server_client::ServerClient;
use foretell_settings::{Millis, settings};
use foretell_text::{ByteOffset, FilePath, LaneKind, PositionEncoding, Replacement, Text};
use serde_json::{Value, json};
use similar::TextDiff;

use crate::daily_limits;
use crate::failure::visible;

/// The place that was asked about.
pub(super) struct CompletionSubject {
    pub(super) file: FilePath,
    pub(super) text: Text,
    /// Why nothing but the file itself was looked at, if so.
    pub(super) excluded: Option<ExclusionCause>,
    /// How lanes are set up there.
    pub(super) lanes: settings::LanesSettings,
    /// How long all of them have.
    pub(super) cap: Millis,
}

/// All that was decided, and how lanes broke.
pub(super) struct CompletionTurn {
    pub(super) actions: Vec<Action>,
    pub(super) faults: BTreeMap<LaneKind, LaneFault>,
}

/// Why a lane was not asked.
pub(super) struct SparedLane {
    lane: LaneKind,
    reason: Reason,
    /// For people.
    pub(super) says: String,
}

/// The result of a completion.
pub(super) struct CompletionReport {
    about: CompletionSubject,
    actions: Vec<Action>,
    faults: BTreeMap<LaneKind, LaneFault>,
    offers: Vec<Offer>,
    lanes: Vec<LaneReport>,
    spared: Vec<SparedLane>,
    withheld: Option<Reason>,
}

impl CompletionReport {
    /// From all that was decided, the answer included.
    pub(super) fn of(came: CompletionTurn, about: CompletionSubject) -> Self {
        let CompletionTurn { actions, faults } = came;
        let answer = actions.iter().find_map(|action| match action {
            Action::Order(Order::Answer { answer, lanes, .. }) => {
                Some((answer.clone(), lanes.clone()))
            }
            _ => None,
        });
        let nothing = (Answer::Withheld(Reason::NothingFound), Vec::new());
        let (answer, lanes) = answer.unwrap_or(nothing);
        let (offers, withheld) = match answer {
            Answer::Candidates(offers) if offers.is_empty() => (offers, Some(Reason::NothingFound)),
            Answer::Candidates(offers) => (offers, None),
            Answer::Withheld(reason) => (Vec::new(), Some(reason)),
        };
        let spared = LaneKind::ALL.into_iter();
        let spared: Vec<SparedLane> = spared
            .filter_map(|lane| about.spared(&actions, lane))
            .collect();
        // It is unknown what a lane over its limit would have found.
        let is_over = spared.iter().any(|it| it.reason == Reason::OverLimit);
        let is_nothing = [Some(Reason::NothingFound), Some(Reason::NothingToAsk)];
        let withheld = if is_over && is_nothing.contains(&withheld) {
            Some(Reason::OverLimit)
        } else {
            withheld
        };
        CompletionReport {
            about,
            actions,
            faults,
            offers,
            lanes,
            spared,
            withheld,
        }
    }

    /// Why there is nothing, if there is nothing.
    pub(super) fn withheld(&self) -> Option<Reason> {
        self.withheld
    }

    /// Whether there is nothing because a lane failed, or did not answer in time.
    pub(super) fn is_failure(&self) -> bool {
        let is_any_late = self.late().next().is_some();
        self.withheld.is_some() && (!self.faults.is_empty() || is_any_late)
    }

    /// The lanes that were still at it when the time was up.
    fn late(&self) -> impl Iterator<Item = LaneKind> {
        let late = self.lanes.iter();
        let late = late.filter(|it| it.lost == Some(Reason::TimedOut));
        late.map(|it| it.lane)
    }

    /// Writes the text that the first candidate would insert, or a diff if it changes several
    /// places.
    pub(super) fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(offer) = self.offers.first() else {
            return Ok(());
        };
        match offer.candidate.edit.replacements() {
            [one] => writeln!(out, "{}", one.new_text()),
            _ => self.write_diff(out),
        }
    }

    /// Writes the first candidate as a diff.
    pub(super) fn write_diff(&self, out: &mut impl Write) -> io::Result<()> {
        let changed = self.offers.first();
        let changed = changed.and_then(|offer| offer.candidate.edit.apply(&self.about.text).ok());
        let Some(changed) = changed else {
            return Ok(());
        };
        let CompletionSubject { file, text, .. } = &self.about;
        let (before, after) = (text.to_string(), changed.to_string());
        let diff = TextDiff::from_lines(&before, &after);
        let (old, new) = (format!("a/{file}"), format!("b/{file}"));
        let diff = diff.unified_diff().header(&old, &new).to_string();
        out.write_all(diff.as_bytes())
    }

    /// All candidates, and what each lane came to.
    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let candidates = self.offers.iter().map(|offer| {
            let changes = offer.candidate.edit.replacements().iter();
            let changes: Vec<Value> = changes.map(|it| self.change(it)).collect();
            json!({"lane": offer.lane.name(), "changes": changes})
        });
        let lanes = self.lanes.iter().map(|report| {
            let lost = report.lost.map(Reason::name);
            let fault = self.faults.get(&report.lane);
            let fault = fault.map(|it| json!({"kind": it.failure.kind.name(), "says": &*it.says}));
            json!({
                "lane": report.lane.name(),
                "tookMs": report.took_ms,
                "lost": lost,
                "fault": fault,
            })
        });
        let spared = self
            .spared
            .iter()
            .map(|it| json!({"lane": it.lane.name(), "reason": it.reason.name(), "says": it.says}));
        let json = json!({
            "file": self.about.file.as_str(),
            "candidates": candidates.collect::<Vec<_>>(),
            "lanes": lanes.collect::<Vec<_>>(),
            "spared": spared.collect::<Vec<_>>(),
            "withheld": self.withheld.map(Reason::name),
        });
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    }

    /// A replacement as editors count: lines from 0, columns in UTF-16.
    fn change(&self, replacement: &Replacement) -> Value {
        let range = replacement.range();
        let place = |at: ByteOffset| {
            let text = &self.about.text;
            let position = text
                .position_of(at, PositionEncoding::Utf16)
                .unwrap_or_default();
            json!({"line": position.line, "character": position.column})
        };
        json!({
            "range": {"start": place(range.start()), "end": place(range.end())},
            "newText": replacement.new_text(),
        })
    }

    /// Writes the decisions on the way.
    pub(super) fn write_why(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(why) = &self.about.excluded {
            let (file, why) = (visible(&self.about.file), visible(why));
            writeln!(out, "{file} is excluded: {why}")?;
            writeln!(out, "only this file was looked at")?;
        }
        for line in self.actions.iter().filter_map(|it| lane_line(it.into())) {
            writeln!(out, "{line}")?;
        }
        for SparedLane { lane, says, .. } in &self.spared {
            writeln!(out, "{lane}: not asked, {says}")?;
        }
        for report in &self.lanes {
            write!(out, "{}", race_line(report))?;
            let fault = report.lost.and_then(|_| self.faults.get(&report.lane));
            match fault {
                Some(fault) => writeln!(out, ": {}", visible(fault))?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    }

    /// Why there is nothing: the reason, or how lanes broke, and what to do then.
    pub(super) fn write_withheld(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(reason) = self.withheld else {
            return Ok(());
        };
        let mut faults = self.faults.iter();
        if let Some((lane, fault)) = faults.next() {
            writeln!(out, "Nothing to suggest: {lane} failed, {}", visible(fault))?;
            for (lane, fault) in faults {
                writeln!(out, "{lane} failed, too: {}", visible(fault))?;
            }
            return writeln!(out, "Look into it with foretell doctor");
        }
        let late: Vec<String> = self.late().map(|it| self.about.whom(it)).collect();
        if !late.is_empty() {
            let (late, cap) = (late.join(" and "), self.about.cap.get());
            writeln!(
                out,
                "Nothing to suggest: {late} did not answer within race.explicitCapMs ({cap} ms)"
            )?;
            return writeln!(
                out,
                "Look into it with foretell doctor, or raise that setting"
            );
        }
        let mut over = self.spared.iter();
        match over.find(|it| reason == Reason::OverLimit && it.reason == reason) {
            Some(over) => {
                let SparedLane { lane, says, .. } = over;
                writeln!(out, "Nothing to suggest: {lane} was not asked, {says}")
            }
            None => writeln!(out, "Nothing to suggest: {}", reason.words()),
        }
    }
}

impl CompletionSubject {
    /// Why a lane was not asked, unless it was.
    pub(super) fn spared(&self, actions: &[Action], lane: LaneKind) -> Option<SparedLane> {
        let mut reason = None;
        for action in actions {
            match action {
                Action::Order(Order::StartLane { lane: it, .. }) if *it == lane => return None,
                Action::Note(Note::Spared {
                    lane: it,
                    reason: why,
                    ..
                }) if *it == lane => reason = Some(*why),
                _ => {}
            }
        }
        let settings = self.lanes.of(lane);
        let (reason, says) = match reason {
            Some(Reason::OverLimit) => {
                let says = daily_limits::reached_now(lane, settings);
                let general = || Reason::OverLimit.words().to_owned();
                (Reason::OverLimit, says.unwrap_or_else(general))
            }
            Some(reason) => (reason, reason.words().to_owned()),
            None if !settings.enabled => (Reason::Disabled, Reason::Disabled.words().to_owned()),
            None => {
                let says = match lane {
                    LaneKind::Fix => "there is no diagnostic on this line",
                    LaneKind::Fim | LaneKind::NextEdit => Reason::NothingToAsk.words(),
                };
                (Reason::NothingToAsk, says.to_owned())
            }
        };
        Some(SparedLane { lane, reason, says })
    }

    /// A lane, and who answers for it if that is a server.
    fn whom(&self, lane: LaneKind) -> String {
        let settings = self.lanes.of(lane);
        match ServerClient::new(lane, settings) {
            Ok(server) if settings.tells_others() => {
                format!("{lane} ({})", server.address())
            }
            _ => lane.name().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use foretell_core::{RequestId, Spot};
    use foretell_engine::ExclusionRule;
    use foretell_settings::Settings;
    use foretell_text::{DocumentId, Version};

    use super::*;

    /// The words if every lane was asked that is on, but for a diagnostic.
    fn why(off: &[LaneKind], excluded: Option<ExclusionCause>) -> String {
        let request = RequestId::new(1);
        let spot = Spot {
            document: DocumentId::new("file:///.env"),
            version: Version::new(1),
            at: ByteOffset::ZERO,
        };
        let starts = |lane| {
            Action::Order(Order::StartLane {
                request,
                lane,
                ahead: None,
                spot: spot.clone(),
            })
        };
        let asked = LaneKind::ALL.into_iter().filter(|it| *it != LaneKind::Fix);
        let asked = asked.filter(|it| !off.contains(it));
        let mut lanes = Settings::default().lanes;
        lanes.next_edit.enabled = !off.contains(&LaneKind::NextEdit);
        lanes.fix.enabled = !off.contains(&LaneKind::Fix);
        let about = CompletionSubject {
            file: FilePath::new(".env"),
            text: Text::from("a = 1\n"),
            excluded,
            lanes,
            cap: Settings::default().race.explicit_cap,
        };
        let came = CompletionTurn {
            actions: asked.map(starts).collect(),
            faults: BTreeMap::new(),
        };
        let answered = CompletionReport::of(came, about);
        let mut out = Vec::new();
        answered.write_why(&mut out).expect("memory takes all");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_lane_that_nobody_asked_is_named_with_its_reason() {
        let expected = "fim: asked\nnext-edit: asked\n\
            fix: not asked, there is no diagnostic on this line\n";
        assert_eq!(why(&[], None), expected);
        let expected = "fim: asked\nnext-edit: not asked, a setting switches it off\n\
            fix: not asked, a setting switches it off\n";
        let off = [LaneKind::NextEdit, LaneKind::Fix];
        assert_eq!(why(&off, None), expected);
    }

    #[test]
    fn of_an_excluded_file_it_is_said_that_nothing_else_was_looked_at() {
        let excluded = ExclusionCause {
            alias: None,
            rule: ExclusionRule::LooksSecret,
        };
        let said = why(&[], Some(excluded));
        let expected = ".env is excluded: files with such a name hold secrets\n\
            only this file was looked at\nfim: asked\n";
        assert!(said.starts_with(expected), "{said}");
    }
}
