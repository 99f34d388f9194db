//! A reason in words, with the setting behind it and what to do.
//!
//! [`Reason::words`] says what holds anywhere. A person who asks has a document, settings and lanes
//! that failed in a way that is known, and is told those: which setting and where it was made, how the
//! lane broke, until when it rests, what excludes the document. Where there is something to do, that is
//! said apart, as an order.

use std::sync::Arc;

use foretell_core::{Core, FaultReport, Moment, Reason, RejectionId, RequestCause, RequestId};
use foretell_settings::Settings;
use foretell_text::{CodePlace, DocumentId, LaneKind};

use crate::decision::{FaultWords, LanePart, RequestStory, TextMisfit};
use crate::origin::{SwitchedOffLanes, lane_setting};
use crate::spoken::{and, count, one_line, short_name, span};

/// Everything besides the journal that an explanation needs. The caller brings it.
#[derive(Clone, Copy)]
pub struct WhyContext<'a> {
    /// The machine's time.
    pub now: Moment,
    /// People's time: milliseconds since 1970.
    pub clock: u64,
    /// The machine.
    pub core: &'a Core,
    /// The settings that apply.
    pub settings: &'a Settings,
    /// How a lane broke when it was last asked.
    pub fault: &'a dyn Fn(LaneKind) -> Option<FaultReport>,
    /// The line of a workspace that the prediction for a request was learned from.
    pub learned_from: &'a dyn Fn(RequestId) -> Option<CodePlace>,
    /// Why a document is excluded, in words that go on behind a colon.
    pub excluded: &'a dyn Fn(&DocumentId) -> Option<Arc<str>>,
    /// Why the settings may be somebody else's, in words, if they may.
    pub contested: Option<&'a str>,
}

/// The sentence for settings that a workspace may have written.
pub fn contested_words(why: &str) -> String {
    format!("your settings may not be yours: {}", one_line(why))
}

/// The hint for a rejection.
const FORGET: &str = "If it is wanted after all, let the rejection be forgotten: it has a number \
                      in the editor's list of rejections (foretell.rejections, foretell.forget)";

/// A reason in words, and what to do about it if there is something.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Explanation {
    pub(super) words: String,
    pub(super) next: Option<String>,
}

impl Explanation {
    fn new(words: impl Into<String>) -> Self {
        Explanation {
            words: words.into(),
            next: None,
        }
    }

    fn next(self, next: impl Into<String>) -> Self {
        let next = Some(next.into());
        Explanation { next, ..self }
    }
}

impl WhyContext<'_> {
    /// The settings of a document's language, and that language.
    pub(super) fn settings_of(&self, document: &DocumentId) -> (&Settings, Option<&str>) {
        let language = self.core.language(document).map(|it| it.as_str());
        let settings = language.map_or(self.settings, |it| self.settings.for_language(it));
        (settings, language)
    }

    /// Why a move of the cursor did not make the editor ask.
    pub(super) fn quiet(
        &self,
        document: &DocumentId,
        reason: Reason,
        misfit: Option<TextMisfit>,
    ) -> Explanation {
        let (settings, language) = self.settings_of(document);
        let trigger = &settings.trigger;
        let with = |name: &str, value: String| {
            let setting = self.made_so(name, value, language);
            Explanation::new(format!("{} ({setting})", reason.words()))
        };
        match reason {
            Reason::SameLineCooldown => with(
                "trigger.sameLineCooldownMs",
                span(trigger.same_line_cooldown.get()),
            ),
            Reason::RejectionCooldown => with(
                "trigger.rejectionCooldownMs",
                span(trigger.rejection_cooldown.get()),
            ),
            Reason::NoRecentEdit => with("trigger.recentEditMs", span(trigger.recent_edit.get()))
                .next("Type something there, or ask by a key"),
            Reason::TooManyLines => with("trigger.maxLines", trigger.max_lines.to_string())
                .next("Ask by a key, or raise trigger.maxLines"),
            Reason::Disabled => Explanation::new(format!(
                "the auto-trigger is off ({})",
                self.made_so("trigger.enabled", false, language)
            ))
            .next("Set trigger.enabled to true, or ask by a key"),
            _ => self.at_all(document, reason, misfit),
        }
    }

    /// Why a request was answered with nothing.
    pub(super) fn withheld(&self, story: &RequestStory, reason: Reason) -> Explanation {
        let document = &story.spot.document;
        let (settings, language) = self.settings_of(document);
        match reason {
            Reason::LaneFailed => self.failed(story),
            Reason::TimedOut => {
                let (name, cap) = match story.cause {
                    RequestCause::Automatic => ("race.capMs", settings.race.cap),
                    RequestCause::Explicit => ("race.explicitCapMs", settings.race.explicit_cap),
                };
                let within = self.made_so(name, span(cap.get()), language);
                let late = ended_by(story, Reason::TimedOut);
                if let Some(explanation) = self.answers_late(story, &late, &within) {
                    return explanation;
                }
                // It was not even asked, so that more time is no remedy.
                if let Some(queued) = self.queued(story).filter(|_| late.is_empty()) {
                    let Explanation { words, next } = self.spared(story, queued, reason);
                    let words = format!("{queued} was not asked: {words} ({within})");
                    return Explanation { words, next };
                }
                let names: Vec<String> = late.iter().map(|it| it.name().to_owned()).collect();
                let words = if late.is_empty() {
                    format!("no lane answered in time ({within})")
                } else {
                    format!("{} did not answer in time ({within})", and(&names))
                };
                let look = self.look_into(first_of(&late), Some(document));
                // A call to a model is not cut off there, so that raising it would change nothing.
                let is_model = |lane: &LaneKind| settings.lanes.of(*lane).tells_others();
                let mut models = late.iter().filter(|lane| is_model(lane));
                let Some(model) = models.next() else {
                    return Explanation::new(words).next(format!("{look}, or raise {name}"));
                };
                match self.fault_of(*model) {
                    Some(fault) => {
                        let fault = fault.words();
                        Explanation::new(format!("{words}, and then failed: {fault}")).next(look)
                    }
                    None => Explanation::new(words).next(look),
                }
            }
            Reason::Disabled => match self.switched_off(document, story.kind) {
                Some(SwitchedOffLanes { made, next, .. }) => {
                    Explanation::new(format!("every lane is off ({made})")).next(next)
                }
                None => Explanation::new("every lane was off, and is no longer"),
            },
            Reason::NothingFound | Reason::NothingToAsk => self.found_nothing(story, reason),
            Reason::LaneResting
            | Reason::OverLimit
            | Reason::ModelTooSlow
            | Reason::ExcludedDocument
            | Reason::ContestedSettings => {
                let known = self.kept_away(story);
                known.unwrap_or_else(|| self.anywhere(document, reason))
            }
            _ => self.at_all(document, reason, story.misfit),
        }
    }

    /// A model that needs longer than the editor waits: it is still asked, or has answered since.
    fn answers_late(
        &self,
        story: &RequestStory,
        late: &[LaneKind],
        within: &str,
    ) -> Option<Explanation> {
        let mut lanes = LaneKind::ALL.into_iter();
        let answered = lanes.find_map(|lane| match story.lanes[lane] {
            LanePart::Late { took_ms } => Some((lane, took_ms)),
            _ => None,
        });
        if let Some((lane, took_ms)) = answered {
            let took = span(took_ms);
            return Some(Explanation::new(format!(
                "{lane} answered after {took}, longer than the editor waits ({within}); what it said \
                 is shown when you pause there"
            )));
        }
        let mut late = late.iter();
        let (lane, since) = late.find_map(|lane| {
            let since = self.core.asked_since(story.request, *lane)?;
            Some((lane, span(self.now.since(since))))
        })?;
        Some(Explanation::new(format!(
            "{lane} is still being asked, {since} so far; what it says will be shown when it comes \
             ({within})"
        )))
    }

    /// A lane whose server was busy for as long as the request waited.
    fn queued(&self, story: &RequestStory) -> Option<LaneKind> {
        let is_queued = |lane: &LaneKind| story.lanes[*lane] == LanePart::Spared(Reason::TimedOut);
        LaneKind::ALL.into_iter().find(is_queued)
    }

    /// No lane that was asked had anything. It is unknown what the others would have found.
    fn found_nothing(&self, story: &RequestStory, reason: Reason) -> Explanation {
        let mut words = reason.words().to_owned();
        let mut next = None;
        if let Some(away) = self.kept_away(story) {
            words.push_str(&format!(", and {}", away.words));
            next = away.next;
        }
        if let Some(off) = self.switched_off(&story.spot.document, story.kind) {
            words.push_str(&format!(
                ", and {} {} off ({})",
                off.names, off.are, off.made
            ));
            next = next.or(Some(off.next.to_owned()));
        }
        // Lanes are told what was rejected, and say nothing of it again.
        let (rejected, _) = self.core.rejections_of(&story.spot.document);
        if !rejected.is_empty() {
            let changes = count(rejected.len() as u64, "change", "changes");
            let which = if self.are_inferred(&rejected) {
                "typed over again and again"
            } else {
                "rejected"
            };
            words.push_str(&format!(
                ", and {changes} {which} in this document will not be suggested again"
            ));
            next = next.or(Some(FORGET.to_owned()));
        }
        Explanation { words, next }
    }

    /// Whether the person has rejected none of these.
    fn are_inferred(&self, rejected: &[RejectionId]) -> bool {
        !rejected.is_empty() && rejected.iter().all(|it| self.core.is_inferred(*it))
    }

    /// Why a lane was not asked.
    pub(super) fn spared(
        &self,
        story: &RequestStory,
        lane: LaneKind,
        reason: Reason,
    ) -> Explanation {
        let document = &story.spot.document;
        match reason {
            Reason::LaneResting => self.resting(document, lane),
            Reason::OverLimit => self.over_limit(document, lane),
            Reason::ModelTooSlow => self.too_slow(lane),
            Reason::TimedOut => Explanation::new("its server was busy with another question")
                .next("Ask again when that is answered"),
            _ => self.anywhere(document, reason),
        }
    }

    /// A lane that was kept from being asked, by something that a person can change.
    fn kept_away(&self, story: &RequestStory) -> Option<Explanation> {
        let spared = LaneKind::ALL.into_iter();
        let mut spared = spared.filter_map(|lane| match story.lanes[lane] {
            LanePart::Spared(reason) => Some((lane, reason)),
            _ => None,
        });
        let telling = [
            Reason::OverLimit,
            Reason::LaneResting,
            Reason::ExcludedDocument,
            Reason::ContestedSettings,
            Reason::ModelTooSlow,
        ];
        let (lane, reason) = spared.find(|(_, reason)| telling.contains(reason))?;
        let Explanation { words, next } = self.spared(story, lane, reason);
        Some(Explanation {
            words: format!("{lane} was not asked: {words}"),
            next,
        })
    }

    fn failed(&self, story: &RequestStory) -> Explanation {
        let failed = ended_by(story, Reason::LaneFailed);
        let words = failed.iter().map(|lane| match &story.lanes[*lane] {
            LanePart::Ended {
                fault: Some(fault), ..
            } => {
                if fault.was_asked() {
                    format!("{lane} failed: {}", fault.words())
                } else {
                    format!("{lane} was not asked: {}", fault.words())
                }
            }
            _ => format!("{lane} failed"),
        });
        let words: Vec<String> = words.collect();
        let words = if words.is_empty() {
            Reason::LaneFailed.words().to_owned()
        } else {
            words.join("; ")
        };
        let look = self.look_into(first_of(&failed), Some(&story.spot.document));
        Explanation::new(words).next(look)
    }

    /// How long a lane still rests.
    pub(super) fn rests(&self, lane: LaneKind) -> String {
        let fault = self.fault_of(lane);
        let since = if fault.is_none_or(|it| it.was_asked()) {
            "after it failed"
        } else {
            "since it cannot be asked as it is set up"
        };
        match self.core.rests_until(self.now, lane) {
            Some(until) => format!(
                "it rests for another {} {since}",
                span(until.since(self.now))
            ),
            None => format!("it rested {since}"),
        }
    }

    fn resting(&self, document: &DocumentId, lane: LaneKind) -> Explanation {
        let words = self.fault_of(lane).map(|it| it.words());
        let words = words.map_or(String::new(), |it| format!(" ({it})"));
        Explanation::new(format!("{}{words}", self.rests(lane)))
            .next(self.look_into(lane, Some(document)))
    }

    /// How a lane broke when it was last asked.
    fn fault_of(&self, lane: LaneKind) -> Option<FaultWords> {
        (self.fault)(lane).map(FaultWords::from)
    }

    /// How fast a lane's model writes, which is too slow for rewriting while somebody types.
    fn too_slow(&self, lane: LaneKind) -> Explanation {
        let speed = self.core.speed(lane).and_then(|speed| speed.written);
        let fact = speed.map_or("its model writes too slowly".to_owned(), |speed| {
            format!("its model writes {speed} tokens a second")
        });
        let kind = format!("{}.kind", lane_setting(lane));
        Explanation::new(format!(
            "{fact}, and rewriting takes hundreds of tokens, so that it is not asked while you type"
        ))
        .next(format!(
            "Ask by a key, or set {kind} to \"embedded\", which needs no model"
        ))
    }

    /// Which limit a lane has reached, and until when.
    fn over_limit(&self, document: &DocumentId, lane: LaneKind) -> Explanation {
        let (settings, language) = self.settings_of(document);
        let limits = settings.lanes.of(lane);
        let used = self.core.used(self.now, lane);
        let of = |name: &str| self.made(&format!("{}.{name}", lane_setting(lane)), language);
        let until = "until midnight UTC";
        let reached = [
            (
                limits.requests_per_day,
                used.requests_today,
                "requestsPerDay",
                until,
            ),
            (
                limits.tokens_per_day,
                used.tokens_today,
                "tokensPerDay",
                until,
            ),
            (
                limits.requests_per_minute,
                used.requests_last_minute,
                "requestsPerMinute",
                "for up to a minute",
            ),
        ];
        let reached = reached.into_iter();
        let reached = reached.filter_map(|(limit, used, name, until)| {
            let limit = limit.filter(|limit| used >= *limit)?;
            let words = format!("its limit of {limit} is reached {until} ({})", of(name));
            Some((words, format!("{}.{name}", lane_setting(lane))))
        });
        // To raise one of several would change nothing.
        let (words, names): (Vec<String>, Vec<String>) = reached.unzip();
        if words.is_empty() {
            return Explanation::new(
                "a limit on its calls or tokens was reached, and is no longer",
            );
        }
        Explanation::new(and(&words)).next(format!("Wait, or raise {}", and(&names)))
    }

    /// The same, if it is known better by what it does not fit.
    pub(super) fn at_all(
        &self,
        document: &DocumentId,
        reason: Reason,
        misfit: Option<TextMisfit>,
    ) -> Explanation {
        match (reason, misfit) {
            (Reason::OutOfStep, Some(TextMisfit::Outside)) => {
                Explanation::new("the cursor is not in the text that is held")
            }
            (Reason::OutOfStep, Some(TextMisfit::AnotherVersion)) => Explanation::new(
                "the editor means another version of the text than the one that is held",
            )
            .next("Ask again: a change may have been on its way"),
            (Reason::UnknownDocument, Some(TextMisfit::LetGo)) => {
                let name = short_name(document);
                let words = Reason::TooManyDocuments.words();
                Explanation::new(format!("{name} was let go, since {words}"))
                    .next("Close it and open it again to go on there")
            }
            _ => self.anywhere(document, reason),
        }
    }

    /// The meaning of a reason for a document, whatever was asked.
    pub(super) fn anywhere(&self, document: &DocumentId, reason: Reason) -> Explanation {
        let general = Explanation::new(reason.words());
        match reason {
            Reason::IgnoredDocument => {
                let (_, language) = self.settings_of(document);
                let scheme = one_line(document.scheme().unwrap_or_default());
                let name = self.made("trigger.ignoredSchemes", language);
                Explanation::new(format!("documents of {scheme}: are left alone ({name})"))
                    .next("Ask by a key, or take it out of trigger.ignoredSchemes")
            }
            Reason::ExcludedDocument => match (self.excluded)(document) {
                Some(why) => {
                    Explanation::new(format!("{}, since {}", general.words, one_line(why)))
                }
                None => general,
            },
            Reason::ContestedSettings => match self.contested {
                Some(why) => Explanation::new(contested_words(why)),
                None => general,
            },
            Reason::OutOfStep => {
                general.next("If that goes on, close the document and open it again")
            }
            Reason::UnknownDocument => general.next("Close the document and open it again"),
            Reason::TooManyDocuments => general.next("Close it and open it again to go on there"),
            Reason::UnchangedText => {
                general.next("Change something, ask by a key, or set gate.enabled to false")
            }
            // Also what sleeps by now: it may have been typed over again since.
            Reason::PreviouslyRejected => {
                let (awake, asleep) = self.core.rejections_of(document);
                if self.are_inferred(&[awake, asleep].concat()) {
                    let (_, language) = self.settings_of(document);
                    let name = self.made("rejections.inferAfter", language);
                    let words = "you typed something else over this change again and again";
                    Explanation::new(format!("{words} ({name})")).next(FORGET)
                } else {
                    general.next(FORGET)
                }
            }
            Reason::TakesBack => general.next("If you want that, undo"),
            Reason::Paused => general.next("Resume them there to be shown any"),
            _ => general,
        }
    }
}

fn ended_by(story: &RequestStory, reason: Reason) -> Vec<LaneKind> {
    let lanes = LaneKind::ALL.into_iter();
    let lanes = lanes.filter(|lane| {
        let part = &story.lanes[*lane];
        matches!(part, LanePart::Ended { lost: Some(lost), .. } if *lost == reason)
    });
    lanes.collect()
}

/// The lane to look into first.
fn first_of(lanes: &[LaneKind]) -> LaneKind {
    lanes.first().copied().unwrap_or(LaneKind::Fim)
}
