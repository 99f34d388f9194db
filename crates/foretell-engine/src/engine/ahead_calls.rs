//! Calls ahead of time: asking a model before anybody asks for a suggestion, as the machine orders.
//!
//! Such a call goes the way of any other, so that all that holds for what is told holds for it: it waits
//! for settings and for the verdict on its document, and what it tells is redacted. The difference is
//! what comes of it: its end is told by its own name, its failure is no fault of the lane's that a person would
//! want to know of, and it is measured apart.
//!
//! Absent on purpose: when a call is made, and what is done with its answer, which the machine decides.

use foretell_core::{
    AheadAnswer, AheadCallId, AheadOutcome, AheadQuestion, AheadWork, Event, Measurement,
};
use foretell_lanes::{LaneAnswer, QuestionPurpose};
use foretell_text::{FailureKind, LaneFailure, LaneKind, TokenUsage};

use super::running_lanes::{Call, EndedAheadCall};
use super::{Engine, LaneEnd};

impl Engine {
    /// Asks a model ahead of time, as soon as it is known what it may be told.
    pub(super) fn ask_ahead(&mut self, question: &AheadQuestion) {
        let AheadQuestion {
            call,
            lane,
            spot,
            accepted,
            at,
            has_context,
        } = question;
        self.judge_again(&spot.document);
        self.look_for_secrets(spot);
        let ready = self.make_ready(Call::Ahead(*call, *lane), spot);
        let Some(mut ready) = ready.filter(|ready| ready.tells_others) else {
            // Settings have just changed, and the machine will hear of it.
            return;
        };
        ready.told.purpose = match question.work() {
            AheadWork::Warm => QuestionPurpose::Warm,
            AheadWork::LookAhead => QuestionPurpose::LookAhead,
        };
        if let Some(accepted) = accepted {
            let Ok(after) = accepted.apply(&ready.told.document.text) else {
                return;
            };
            ready.told.document.text = after;
        }
        ready.told.at = *at;
        ready.wants_context = *has_context;
        self.start_ready_when_known(ready);
    }

    /// Stops a call ahead of time, which closes its connection.
    pub(super) fn stop_ahead(&mut self, call: AheadCallId) {
        let call = Call::Ahead(call, LaneKind::Fim);
        let work = self.calls.work_of(call);
        self.held.stop(call);
        if let Some(work) = work.filter(|_| self.calls.stop(call)) {
            self.measured(Measurement::Ahead {
                work,
                came: None,
                usage: TokenUsage::default(),
            });
        }
    }

    /// Ends a call ahead of time that was never made.
    pub(super) fn forgo_ahead(&mut self, call: AheadCallId) {
        self.handle(Event::AheadEnded {
            call,
            outcome: AheadOutcome::Answered(None),
            usage: TokenUsage::default(),
        });
    }

    /// Lets a request have a call that was made ahead of time. Returns whether there is one.
    pub(super) fn take_over(&mut self, ahead: Call, by: Call) -> bool {
        self.calls.take_over(ahead, by) || self.held.take_over(ahead, by)
    }

    /// Tells the machine how a call ahead of time has ended.
    pub(super) fn ahead_ended(&mut self, ended: &EndedAheadCall, came: LaneEnd) {
        let (outcome, usage) = match came.answered {
            Ok(answer) => {
                let usage = answer.usage;
                let answer = first_insertion(&answer, ended);
                (AheadOutcome::Answered(answer), usage)
            }
            Err(fault) => (AheadOutcome::Failed(fault.failure), fault.usage),
        };
        self.measured(Measurement::Ahead {
            work: ended.work,
            came: Some(came_to(&outcome)),
            usage,
        });
        self.count_tokens(ended.lane, usage);
        self.tell_new_speeds();
        self.handle(Event::AheadEnded {
            call: ended.call,
            outcome,
            usage,
        });
    }
}

fn came_to(outcome: &AheadOutcome) -> Result<(), FailureKind> {
    match outcome {
        AheadOutcome::Answered(_) => Ok(()),
        AheadOutcome::Failed(LaneFailure { kind, .. }) => Err(*kind),
    }
}

/// What an answer puts in at the cursor.
fn first_insertion(answer: &LaneAnswer, ended: &EndedAheadCall) -> Option<AheadAnswer> {
    let candidate = answer.candidates.first()?;
    let [replacement] = candidate.edit.replacements() else {
        return None;
    };
    (replacement.range().start() == ended.at).then(|| AheadAnswer {
        new_text: replacement.new_text().into(),
        covered: replacement.range().len(),
    })
}
