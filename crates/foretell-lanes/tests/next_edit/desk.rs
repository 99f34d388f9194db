//! A document, a cursor, and a model that was trained for next edits.

use foretell_lanes::model::answer_frame::AnswerEnd;
use foretell_lanes::model::format::AnswerReader;
use foretell_lanes::model::next_edit::{EditDialect, NextEditFormat, NextEditPrompt};
use foretell_lanes::model::rewrite::{EditTask, QuestionRefusal};
use foretell_lanes::model::server_kind::ServerKind;
use foretell_lanes::{LaneAnswer, LaneContext, LaneFault, LaneRequest, OpenDocument};
use foretell_settings::{Settings, settings};
use foretell_testkit::lane_requests::{OneSecret, request_at};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, ContextPiece, Edit, LaneCandidate, RecentEdit, Replacement,
};

/// Every format, in the order of the settings.
pub(crate) const FORMATS: [&str; 5] = ["zeta-2.1", "zeta-2", "sweep", "sweep-v2", "mercury"];

/// Somebody at a cursor, and a model.
pub(crate) struct Desk {
    pub(crate) request: LaneRequest,
    pub(crate) settings: settings::LaneSettings,
    pub(crate) task: EditTask,
}

impl Desk {
    /// A file with `‸` for the cursor.
    pub(crate) fn at(file: &str, text: &str) -> Desk {
        let at = text.find('‸').unwrap();
        let mut settings = Settings::default().lanes.next_edit;
        settings.max_tokens = 512;
        Desk {
            request: request_at(file, "rust", &text.replace('‸', ""), at),
            settings,
            task: EditTask::NextEdit,
        }
    }

    /// After a change of the text from one byte to another, which was something else.
    pub(crate) fn changed(mut self, start: usize, end: usize, was: &str) -> Desk {
        let range = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
        let now = self.request.document.text.read(range).unwrap().into_owned();
        let age_ms = u64::try_from(self.request.document.edits.len()).unwrap() * 1_000;
        self.request.document.edits.push(RecentEdit {
            made_at: Some(range.start()),
            range,
            old_text: was.into(),
            new_text: now.into(),
            reason: ChangeReason::Typed,
            is_accepted: false,
            age_ms,
            is_finished: true,
        });
        self
    }

    /// After one more burst, in which a stretch of the text became something else.
    pub(crate) fn typed(mut self, start: usize, end: usize, new: &str) -> Desk {
        type_into(&mut self.request.document, start, end, new);
        self
    }

    /// The cursor goes somewhere.
    pub(crate) fn going_to(mut self, at: usize) -> Desk {
        self.request.at = ByteOffset::new(at);
        self
    }

    /// After a burst in another file.
    pub(crate) fn typed_in(mut self, file: &str, text: &str, at: usize, new: &str) -> Desk {
        let mut other = OpenDocument::new(file, "rust", text);
        type_into(&mut other, at, at, new);
        // It was made a while ago.
        other
            .edits
            .iter_mut()
            .for_each(|edit| edit.age_ms += 60_000);
        self.request.others.push(other);
        self
    }

    /// With other code that belongs to it.
    pub(crate) fn beside(mut self, files: &[(&str, &str)]) -> Desk {
        let pieces = files.iter().map(|(path, text)| ContextPiece {
            path: (*path).into(),
            text: (*text).into(),
        });
        self.request.context = std::sync::Arc::new(LaneContext::of_pieces(pieces));
        self
    }

    pub(crate) fn format(&self, name: &str) -> NextEditFormat {
        let dialect = EditDialect::named(name).unwrap();
        let kinds = [ServerKind::OpenAi, ServerKind::Mercury];
        let formats = kinds.map(|kind| NextEditFormat::of(dialect, self.task, kind));
        formats.into_iter().find_map(Result::ok).unwrap()
    }

    pub(crate) fn question(&self, name: &str) -> Result<NextEditPrompt, QuestionRefusal> {
        let format = self.format(name);
        format.question(&self.request, &self.settings, &mut OneSecret)
    }

    /// What the model of a format is told.
    pub(crate) fn prompt(&self, name: &str) -> String {
        self.question(name).unwrap().text
    }

    /// What becomes of an answer that comes in frames.
    pub(crate) fn place(
        &self,
        name: &str,
        frames: &[&str],
        end: AnswerEnd,
    ) -> Result<LaneAnswer, LaneFault> {
        let question = self.question(name).unwrap();
        let format = self.format(name);
        let mut reader = format.reader(question, &self.request, Box::new(OneSecret));
        let is_enough = frames.iter().any(|frame| reader.push(frame));
        let end = if is_enough { AnswerEnd::Own } else { end };
        Box::new(reader).finish(end)
    }

    /// How much of an answer is heard, if it comes character by character.
    pub(crate) fn heard(&self, name: &str, answer: &str) -> String {
        let question = self.question(name).unwrap();
        let format = self.format(name);
        let mut reader = format.reader(question, &self.request, Box::new(OneSecret));
        let mut chars = answer.chars();
        let _ = chars.any(|c| reader.push(c.encode_utf8(&mut [0; 4])));
        reader.heard().to_owned()
    }

    /// The text after all that an answer suggests, or what else comes of it. However it is cut, the same
    /// comes of it.
    pub(crate) fn answered(&self, name: &str, answer: &str) -> String {
        let whole = self.tell(self.place(name, &[answer], AnswerEnd::Own));
        let frames: Vec<String> = answer.chars().map(String::from).collect();
        let frames: Vec<&str> = frames.iter().map(String::as_str).collect();
        let cut = self.tell(self.place(name, &frames, AnswerEnd::Own));
        assert_eq!(whole, cut, "cut into characters");
        whole
    }

    pub(crate) fn tell(&self, placed: Result<LaneAnswer, LaneFault>) -> String {
        let placed = match placed {
            Ok(placed) => placed,
            Err(fault) => {
                let says = fault.says.split([';', ',']).next().unwrap().to_owned();
                return format!("{}: {says}", fault.failure.kind.name());
            }
        };
        match placed.candidates.as_slice() {
            [] if placed.withheld > 0 => format!("withheld {}", placed.withheld),
            [] => "nothing".to_owned(),
            candidates => self.applied(candidates),
        }
    }

    /// The text after all of these at once.
    pub(crate) fn applied(&self, candidates: &[LaneCandidate]) -> String {
        let edits = candidates.iter().flat_map(|it| it.edit.replacements());
        let mut edits: Vec<Replacement> = edits.cloned().collect();
        edits.sort_by_key(|it| it.range().start());
        let text = &self.request.document.text;
        Edit::new(edits).unwrap().apply(text).unwrap().to_string()
    }

    /// The text after each suggestion by itself, with `‸` where the cursor goes if the model says so.
    pub(crate) fn led_to(&self, name: &str, answer: &str) -> Vec<String> {
        let placed = self.place(name, &[answer], AnswerEnd::Own).unwrap();
        let text = &self.request.document.text;
        let led_to = placed.candidates.iter().map(|candidate| {
            let mut after = candidate.edit.apply(text).unwrap().to_string();
            if let Some(at) = candidate.cursor {
                after.insert(at.get(), '‸');
            }
            after
        });
        led_to.collect()
    }

    /// The latest change was suggested, and taken.
    pub(crate) fn accepted(mut self) -> Desk {
        self.request.document.edits[0].is_accepted = true;
        self
    }

    /// Each suggestion by itself, as the edit it is.
    pub(crate) fn edits(&self, name: &str, answer: &str) -> Vec<String> {
        let placed = self.place(name, &[answer], AnswerEnd::Own).unwrap();
        let edits = placed.candidates.iter();
        edits.map(|it| it.edit.to_string()).collect()
    }
}

/// One more burst in a document, two seconds after the last.
pub(crate) fn type_into(document: &mut OpenDocument, start: usize, end: usize, new: &str) {
    let place = ByteRange::new(ByteOffset::new(start), ByteOffset::new(end)).unwrap();
    let edit = Edit::from(Replacement::new(place, new));
    let old_text = document.text.read(place).unwrap().as_ref().into();
    for earlier in &mut document.edits {
        earlier.range = edit.map_range(earlier.range);
        earlier.age_ms += 2_000;
    }
    document.text = edit.apply(&document.text).unwrap();
    let end = ByteOffset::new(start + new.len());
    let burst = RecentEdit {
        range: ByteRange::new(place.start(), end).unwrap(),
        old_text,
        new_text: new.into(),
        reason: ChangeReason::Typed,
        is_accepted: false,
        age_ms: 1_500,
        is_finished: true,
        made_at: Some(place.start()),
    };
    document.edits.insert(0, burst);
}
