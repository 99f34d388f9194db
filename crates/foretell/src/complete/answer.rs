//! What came of asking: the answer, and what was decided on the way, in words and as data.

use std::io::{self, Write};

use foretell_core::{Action, Answer, LaneReport, Offer, Reason, Record};
use foretell_engine::Exclusion;
use foretell_text::{ByteOffset, Encoding, FilePath, LaneKind, Replacement, Text};
use serde_json::{Value, json};
use similar::TextDiff;

use crate::failure::visible;

/// What was asked about.
pub(super) struct About {
    pub(super) file: FilePath,
    pub(super) text: Text,
    /// Why nothing but the file itself was looked at, if so.
    pub(super) excluded: Option<Exclusion>,
    /// The lanes that settings switch off.
    pub(super) off: Vec<LaneKind>,
}

/// What came of asking.
pub(super) struct Answered {
    about: About,
    actions: Vec<Action>,
    offers: Vec<Offer>,
    lanes: Vec<LaneReport>,
    withheld: Option<Reason>,
}

impl Answered {
    /// From all that was decided, the answer included.
    pub(super) fn of(actions: Vec<Action>, about: About) -> Self {
        let answer = actions.iter().find_map(|action| match action {
            Action::Answer { answer, lanes, .. } => Some((answer.clone(), lanes.clone())),
            _ => None,
        });
        let nothing = (Answer::Withheld(Reason::NothingFound), Vec::new());
        let (answer, lanes) = answer.unwrap_or(nothing);
        let (offers, withheld) = match answer {
            Answer::Candidates(offers) if offers.is_empty() => (offers, Some(Reason::NothingFound)),
            Answer::Candidates(offers) => (offers, None),
            Answer::Withheld(reason) => (Vec::new(), Some(reason)),
        };
        Answered {
            about,
            actions,
            offers,
            lanes,
            withheld,
        }
    }

    /// Why there is nothing, if there is nothing.
    pub(super) fn withheld(&self) -> Option<Reason> {
        self.withheld
    }

    /// What the first candidate would put in; or what it would change, if it does so at several
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

    /// What the first candidate would change.
    pub(super) fn write_diff(&self, out: &mut impl Write) -> io::Result<()> {
        let changed = self.offers.first();
        let changed = changed.and_then(|offer| offer.candidate.edit.apply(&self.about.text).ok());
        let Some(changed) = changed else {
            return Ok(());
        };
        let About { file, text, .. } = &self.about;
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
            json!({"lane": report.lane.name(), "tookMs": report.took_ms, "lost": lost})
        });
        let json = json!({
            "file": self.about.file.as_str(),
            "candidates": candidates.collect::<Vec<_>>(),
            "lanes": lanes.collect::<Vec<_>>(),
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
            let position = text.position_of(at, Encoding::Utf16).unwrap_or_default();
            json!({"line": position.line, "character": position.column})
        };
        json!({
            "range": {"start": place(range.start()), "end": place(range.end())},
            "newText": replacement.new_text(),
        })
    }

    /// What was decided on the way.
    pub(super) fn write_why(&self, out: &mut impl Write) -> io::Result<()> {
        if let Some(why) = &self.about.excluded {
            let (file, why) = (visible(&self.about.file), visible(why));
            writeln!(out, "{file} is excluded: {why}")?;
            writeln!(out, "only this file was looked at")?;
        }
        for action in &self.actions {
            match action {
                Action::StartLane { lane, .. } => writeln!(out, "{lane}: asked")?,
                Action::CancelLane { lane, reason, .. } => {
                    writeln!(out, "{lane}: stopped, {}", reason.words())?;
                }
                Action::Record(Record::Spared { lane, reason, .. }) => {
                    writeln!(out, "{lane}: not asked, {}", reason.words())?;
                }
                Action::Record(Record::Waits { millis, .. }) => {
                    writeln!(out, "waits {millis} ms")?;
                }
                _ => {}
            }
        }
        for lane in LaneKind::ALL {
            if let Some(why) = self.why_unasked(lane) {
                writeln!(out, "{lane}: not asked, {why}")?;
            }
        }
        for LaneReport {
            lane,
            took_ms,
            lost,
        } in &self.lanes
        {
            match lost {
                None => writeln!(out, "{lane}: won after {took_ms} ms")?,
                Some(reason) => writeln!(out, "{lane}: {} ({took_ms} ms)", reason.words())?,
            }
        }
        Ok(())
    }

    /// Why a lane was not asked, if nobody has said a word about it.
    fn why_unasked(&self, lane: LaneKind) -> Option<&'static str> {
        let mut told = self.actions.iter().filter_map(|action| match action {
            Action::StartLane { lane, .. } | Action::Record(Record::Spared { lane, .. }) => {
                Some(*lane)
            }
            _ => None,
        });
        if told.any(|it| it == lane) {
            return None;
        }
        Some(match lane {
            _ if self.about.off.contains(&lane) => Reason::Disabled.words(),
            LaneKind::Fix => "there is no diagnostic on this line",
            LaneKind::Fim | LaneKind::NextEdit => Reason::NothingToAsk.words(),
        })
    }
}

#[cfg(test)]
mod tests {
    use foretell_core::{RequestId, Spot};
    use foretell_engine::Rule;
    use foretell_text::{DocumentId, Version};

    use super::*;

    /// What is said if every lane was asked that is on, but for a diagnostic.
    fn why(off: &[LaneKind], excluded: Option<Exclusion>) -> String {
        let request = RequestId::new(1);
        let spot = Spot {
            document: DocumentId::new("file:///.env"),
            version: Version::new(1),
            at: ByteOffset::ZERO,
        };
        let starts = |lane| Action::StartLane {
            request,
            lane,
            spot: spot.clone(),
        };
        let asked = LaneKind::ALL.into_iter().filter(|it| *it != LaneKind::Fix);
        let asked = asked.filter(|it| !off.contains(it));
        let about = About {
            file: FilePath::new(".env"),
            text: Text::from("a = 1\n"),
            excluded,
            off: off.to_vec(),
        };
        let answered = Answered::of(asked.map(starts).collect(), about);
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
        let excluded = Exclusion {
            alias: None,
            rule: Rule::LooksSecret,
        };
        let said = why(&[], Some(excluded));
        let expected = ".env is excluded: files with such a name hold secrets\n\
            only this file was looked at\nfim: asked\n";
        assert!(said.starts_with(expected), "{said}");
    }
}
