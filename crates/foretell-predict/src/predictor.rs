//! [`Predictor`]: what goes in at the cursor, as far as the person's own code tells.
//!
//! It is told of documents as they are opened, changed and closed, and asked at a cursor. What it
//! answers depends on what it was told and in which order, and on nothing else.
//!
//! Absent on purpose: when to ask, what is shown for how long, and what was refused: the machine and the
//! editor know that. Which documents are excluded, and where a secret is: the caller does not open the
//! one, and does not ask in the other.

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, CodePlace, DocumentId, Edit, Language, Text,
};

use crate::document_lines::{
    ChangedBy, DocumentLines, LineScreen, MOST_TOKENS, line_of, text_of_line,
};
use crate::fixed_point::ONE;
use crate::line_contexts::{LONGEST_BEGINNING, LineWalk, PLACE_CONTEXTS, beginning};
use crate::line_lexer::{LONGEST_LINE, LexedPrefix, indent_of, lex_line, lex_prefix};
use crate::mixer_training::TrainingExamples;
use crate::mixer_weights::{MixerWeights, WEIGHTS};
use crate::nearby_tokens::{LINES_ABOVE, LINES_BELOW, NearbyTokens};
use crate::prediction::{Likelihood, PredictedLine, PredictedStep};
use crate::said_probability::{CalibrationPhase, SHIPPED, SaidPlace, SaidProbability, SaidThing};
use crate::successor_table::{MOST_SUCCESSORS, SuccessorTable};
use crate::token_mixer::{TokenMixer, TypedPart};
use crate::token_vocabulary::{TokenId, TokenVocabulary};
use crate::typed_lines::{DocumentHome, TypedSession};
use crate::workspace_array::WorkspaceArray;
use crate::workspace_scope::{
    LONG_LENGTHS, SHORT_LENGTHS, TokenSource, WorkspacePart, WorkspaceScope,
};

/// The weights and the calibration that are shipped; `training.toml` says what made them.
const TRAINING: &[u8] = include_bytes!("training.bin");

/// How many tokens a suggestion may have.
const MOST_STEPS: usize = 24;
/// And how many may come at once to be learned as typed: a suggestion that was taken, and a little more.
const MOST_LEARNED: usize = MOST_STEPS + 8;
/// A line that is less likely than this is not thought out further.
const HOPELESS: i32 = ONE / 12;
/// How many documents are kept ready to be asked about.
const READY_DOCUMENTS: usize = 32;
/// And how many tokens of them, but for the one that is asked about.
const READY_TOKENS: usize = MOST_TOKENS;
/// How many documents are known.
const MOST_DOCUMENTS: usize = 200;
/// What is chosen at all, when it is counted how often that is right.
const LEAST_CHOSEN: Likelihood = Likelihood::percent(40);
/// What was said on a line and is not settled yet.
const MOST_UNSETTLED: usize = 400;

/// The marks that lines of comments begin with, and those behind which a line is one.
const PROSE_LINES: [&str; 2] = ["*", "#"];
const PROSE_MARKS: [&str; 5] = ["//", "///", "//!", "/*", "/**"];

/// The smaller, the larger a step the weights take when they learn.
const ONLINE_RATE: u32 = 11;

/// Where the contexts of each scope begin.
const FILE: usize = 0;
const TYPED: usize = PLACE_CONTEXTS + 1;

/// Whether the predictor is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LearningPhase {
    /// What is asked is written down, and nothing is said.
    Recording,
    Use,
}

/// What goes in at the cursor, as far as the person's own code tells.
#[derive(Debug)]
pub struct Predictor {
    vocabulary: TokenVocabulary,
    documents: BTreeMap<DocumentId, DocumentLines>,
    screen: LineScreen,
    /// Those that were asked about last, the latest first.
    ready: Vec<DocumentId>,
    /// All of them, the one that was asked about last at the end.
    used: Vec<DocumentId>,
    typed: TypedSession,
    mixer: TokenMixer,
    calibration: SaidProbability,
    nearby: NearbyTokens,
    workspace: WorkspaceScope,
    /// Where in the workspace what was said last begins as it does.
    source: Option<TokenSource>,
    asked: Option<AskedLine>,
    phase: LearningPhase,
    calibration_phase: CalibrationPhase,
    examples: TrainingExamples,
    scratch: Vec<TokenId>,
}

/// The line that was asked about last.
#[derive(Debug)]
struct AskedLine {
    document: DocumentId,
    line: usize,
    /// How many of its tokens the mixer has learned.
    learned: usize,
    /// Whether nothing stood behind the cursor.
    is_at_end: bool,
    unsettled: Vec<UnsettledPrediction>,
}

/// What would have been said, and of which it is not known yet whether it is right.
#[derive(Debug)]
struct UnsettledPrediction {
    prefix: String,
    line: PredictedLine,
}

impl Default for Predictor {
    fn default() -> Self {
        Predictor::new()
    }
}

impl Predictor {
    /// One that has seen nothing but its training.
    pub fn new() -> Self {
        let trained = Predictor::with_training(TRAINING);
        trained.unwrap_or_else(|| {
            Predictor::with(
                MixerWeights::even(),
                SaidProbability::new(),
                LearningPhase::Use,
            )
        })
    }

    /// One that writes down what it is asked, to be trained by it.
    pub fn untrained() -> Self {
        let phase = LearningPhase::Recording;
        Predictor::with(MixerWeights::even(), SaidProbability::new(), phase)
    }

    /// One with the weights of a training, for which no observation of what came true fades.
    pub fn calibrating(bytes: &[u8]) -> Option<Self> {
        let mut predictor = Predictor::with_training(bytes)?;
        predictor.calibration_phase = CalibrationPhase::Training;
        Some(predictor)
    }

    /// One with the weights of a training; nothing, if they are of another version.
    pub fn with_training(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != WEIGHTS * 2 + SHIPPED {
            return None;
        }
        let (weights, cells) = bytes.split_at(WEIGHTS * 2);
        let (weights, cells) = (MixerWeights::read(weights)?, SaidProbability::read(cells)?);
        Some(Predictor::with(weights, cells, LearningPhase::Use))
    }

    /// Takes over what another saw come true.
    pub fn calibrate_by(&mut self, other: &Predictor) {
        self.calibration.add(&other.calibration);
    }

    /// Forgets what came true of what was chosen: it is chosen otherwise by what came true of all.
    pub fn forget_chosen(&mut self) {
        self.calibration.forget_chosen();
    }

    /// The questions that were written down.
    pub fn take_examples(&mut self) -> TrainingExamples {
        std::mem::take(&mut self.examples)
    }

    fn with(weights: MixerWeights, calibration: SaidProbability, phase: LearningPhase) -> Self {
        Predictor {
            vocabulary: TokenVocabulary::new(),
            documents: BTreeMap::new(),
            screen: LineScreen::default(),
            ready: Vec::new(),
            used: Vec::new(),
            typed: TypedSession::default(),
            mixer: TokenMixer::new(weights),
            calibration,
            nearby: NearbyTokens::default(),
            workspace: WorkspaceScope::default(),
            source: None,
            asked: None,
            phase,
            calibration_phase: CalibrationPhase::Use,
            examples: TrainingExamples::default(),
            scratch: Vec::new(),
        }
    }

    /// Lines of documents that are opened from now on are learned only if the screen lets them.
    pub fn set_screen(&mut self, screen: LineScreen) {
        self.screen = screen;
    }

    /// The code of the workspace, by the names of documents. It takes the place of what was told before.
    pub fn set_workspace(&mut self, array: Arc<WorkspaceArray>) {
        let part = WorkspacePart {
            array,
            ..WorkspacePart::default()
        };
        self.set_workspaces(vec![part]);
    }

    /// The same for several workspaces, of which a document hears only the one that it is in.
    pub fn set_workspaces(&mut self, parts: Vec<WorkspacePart>) {
        let open = self.documents.iter();
        let open = open.map(|(document, lines)| (document, &lines.text));
        self.workspace.set(parts, open);
    }

    /// A document has this name among the files of the workspaces, and not the one by which it is told; or
    /// is in none of them.
    pub fn call(&mut self, document: &DocumentId, name: Option<&str>) {
        self.workspace.call(document, name);
    }

    /// A document is in this workspace, or in none. What was typed into it while it was elsewhere is
    /// forgotten.
    pub fn place_document(&mut self, document: &DocumentId, home: DocumentHome) {
        if self.typed.home(document) == home {
            return;
        }
        let text = self.text(document).cloned();
        self.close(document);
        self.typed.forget_closed(document, &self.vocabulary);
        let documents = &self.documents;
        self.typed
            .place(document, home, |document| documents.contains_key(document));
        if let Some(text) = text {
            self.open(document, &Language::new(""), &text);
        }
    }

    /// A document is opened. One that is open already begins anew.
    pub fn open(&mut self, document: &DocumentId, _language: &Language, text: &Text) {
        self.close(document);
        if self.documents.len() >= MOST_DOCUMENTS {
            if let Some(longest_unused) = self.used.first().cloned() {
                self.close(&longest_unused);
            }
        }
        self.used.push(document.clone());
        let line_at = |line, vocabulary: &mut TokenVocabulary| {
            let tokens = lex_line(&text_of_line(text, line), vocabulary);
            tokens.iter().map(|token| token.id).collect()
        };
        let typed = self
            .typed
            .of(document)
            .open(document, &mut self.vocabulary, line_at);
        let lines = DocumentLines::new(text.clone(), typed, self.screen.clone());
        self.workspace.open(document, text);
        self.documents.insert(document.clone(), lines);
    }

    /// Whether a document is open, as far as is known here: where there are too many, those that nobody
    /// asked about for longest are closed.
    pub fn knows(&self, document: &DocumentId) -> bool {
        self.documents.contains_key(document)
    }

    /// A document has changed.
    pub fn change(
        &mut self,
        document: &DocumentId,
        text: &Text,
        edit: &Edit,
        reason: ChangeReason,
    ) {
        let Some(lines) = self.documents.get_mut(document) else {
            return;
        };
        let by = match reason {
            ChangeReason::Typed => ChangedBy::Person,
            ChangeReason::Undo | ChangeReason::Redo | ChangeReason::Other => ChangedBy::Program,
        };
        let count = lines.text.line_count();
        if let Some((asked, span)) = self.asked.as_mut().zip(edit.span()) {
            if asked.document == *document && text.line_count() != count {
                let at = line_of(&lines.text, span.start());
                if at < asked.line {
                    let line = asked.line + text.line_count();
                    asked.line = line.saturating_sub(count);
                }
            }
        }
        let typed = self.typed.of(document);
        lines.change(text, edit, by, typed, &mut self.vocabulary);
        self.workspace.change(document);
    }

    /// A document is closed: what stands in it is forgotten, what was typed into it is not.
    pub fn close(&mut self, document: &DocumentId) {
        self.asked.take_if(|asked| asked.document == *document);
        self.ready.retain(|id| id != document);
        self.used.retain(|id| id != document);
        if let Some(lines) = self.documents.remove(document) {
            self.workspace.close(document, &lines.text);
            let typed = lines.close(&mut self.vocabulary);
            self.typed.close(document, typed, &self.vocabulary);
        }
    }

    /// A document may not be known any more, open or not: what stands in it is forgotten, and what was
    /// typed into it, and what stands in its file does not count.
    pub fn forget_document(&mut self, document: &DocumentId) {
        self.close(document);
        self.typed.forget_closed(document, &self.vocabulary);
        self.workspace.leave_out(document);
    }

    /// It is not known any more whether documents that are closed may be known: what was typed into them
    /// is forgotten.
    pub fn forget_closed(&mut self) {
        self.typed.forget_all_closed(&self.vocabulary);
    }

    /// The text of a document, as it was told last.
    pub fn text(&self, document: &DocumentId) -> Option<&Text> {
        self.documents.get(document).map(|lines| &lines.text)
    }

    /// How the line goes on at a cursor. Nothing, if the document is not known or too large, or a word
    /// goes on behind the cursor.
    pub fn predict(&mut self, document: &DocumentId, at: ByteOffset) -> Option<PredictedLine> {
        let text = self.documents.get(document)?.text.clone();
        let range = text.line_at(at).ok()?;
        if range.len() > LONGEST_LINE || at > range.end() {
            return None;
        }
        let line = line_of(&text, at);
        let prefix = text
            .read(ByteRange::new(range.start(), at).ok()?)
            .ok()?
            .into_owned();
        let behind = text
            .read(ByteRange::new(at, range.end()).ok()?)
            .ok()?
            .into_owned();
        self.arrive(document, line);
        if self.documents.get(document)?.is_too_large() {
            return None;
        }
        let lexed = lex_prefix(&prefix, &mut self.vocabulary);
        self.learn_typed(document, line, &prefix, &lexed);
        if let Some(asked) = &mut self.asked {
            asked.is_at_end = behind.trim().is_empty();
        }
        // What weights learn from is typed, not said.
        if self.phase != LearningPhase::Use {
            return None;
        }
        if behind
            .chars()
            .next()
            .is_some_and(foretell_text::plain::is_word)
        {
            return None;
        }
        let behind = behind.trim();
        let tokens: Vec<TokenId> = lexed.tokens.iter().map(|token| token.id).collect();
        let partial = prefix.get(lexed.partial..)?;
        let walk = self.walk_to(document, line, &prefix, &tokens)?;
        let place = self.place(&tokens, partial);
        let predicted = self.go_on(document, walk, partial, behind, place);
        self.remember(prefix, &predicted);
        Some(predicted)
    }

    /// The line of the workspace that came about most like the one that was asked about last, and goes on
    /// as was said of it; if there is one.
    pub fn source(&self) -> Option<CodePlace> {
        self.source.as_ref().and_then(TokenSource::place)
    }

    /// The cursor is on a line: what was typed on another is learned.
    fn arrive(&mut self, document: &DocumentId, line: usize) {
        let is_same = |asked: &AskedLine| asked.document == *document && asked.line == line;
        if !self.asked.as_ref().is_some_and(is_same) {
            if let Some(asked) = self.asked.take() {
                self.settle(&asked);
            }
            self.asked = Some(AskedLine {
                document: document.clone(),
                line,
                learned: usize::MAX,
                is_at_end: true,
                unsettled: Vec::new(),
            });
        }
        // Not before: what was typed on the other line is learned where it was typed.
        let documents = &self.documents;
        self.workspace.visit(document, |other| {
            documents.get(other).map(|lines| &lines.text)
        });
        if self.ready.first() != Some(document) {
            if let Some(last) = self.ready.first() {
                if let Some(lines) = self.documents.get_mut(last) {
                    lines.leave(self.typed.of(last), &mut self.vocabulary);
                }
            }
            self.ready.retain(|id| id != document);
            self.ready.insert(0, document.clone());
            self.used.retain(|id| id != document);
            self.used.push(document.clone());
            self.let_others_rest();
        }
        if self.vocabulary.is_nearly_full() {
            self.start_over();
        }
        if let Some(lines) = self.documents.get_mut(document) {
            lines.learn(line, self.typed.of(document), &mut self.vocabulary);
        }
    }

    /// Lets documents rest that nobody has asked about lately, if they are too many or too much.
    fn let_others_rest(&mut self) {
        let mut tokens = 0;
        let mut kept = 0;
        for id in self.ready.iter().skip(1) {
            tokens += self.documents.get(id).map_or(0, DocumentLines::tokens);
            if tokens > READY_TOKENS || kept + 1 >= READY_DOCUMENTS {
                break;
            }
            kept += 1;
        }
        for id in self.ready.split_off((kept + 1).min(self.ready.len())) {
            if let Some(lines) = self.documents.get_mut(&id) {
                lines.rest(&mut self.vocabulary);
            }
        }
    }

    /// Forgets every token, and reads again what is open when it is asked about.
    fn start_over(&mut self) {
        for lines in self.documents.values_mut() {
            lines.start_over(&mut self.vocabulary);
        }
        self.vocabulary = TokenVocabulary::new();
        self.typed.start_over();
        self.workspace.start_over();
    }

    /// The line is left: its end is learned, and what was said on it is right or wrong.
    fn settle(&mut self, asked: &AskedLine) {
        let Some(lines) = self.documents.get(&asked.document) else {
            return;
        };
        if lines.is_too_large() {
            return;
        }
        let text = text_of_line(&lines.text, asked.line);
        // What stood behind the cursor was not typed now.
        if asked.learned != usize::MAX && asked.is_at_end {
            let tokens = lex_line(&text, &mut self.vocabulary);
            let tokens = tokens
                .iter()
                .map(|token| token.id)
                .chain([TokenId::LINE_END]);
            let tokens: Vec<TokenId> = tokens.collect();
            self.learn_tokens(&asked.document, asked.line, &text, &tokens, asked.learned);
        }
        let phase = self.calibration_phase;
        // As it is shown: what is right is taken, and what is wrong stays while it is typed into.
        let mut taken = 0;
        let mut wrong = None;
        for unsettled in &asked.unsettled {
            let at = unsettled.prefix.len();
            let Some(rest) = text.strip_prefix(unsettled.prefix.as_str()) else {
                continue;
            };
            let said = |step: &PredictedStep| {
                let said = unsettled.line.text.get(..step.end);
                said.unwrap_or_default()
            };
            let steps = unsettled.line.steps.iter();
            for step in steps.filter(|step| step.characters > 0) {
                let right = is_right(said(step), rest);
                self.calibration.learn(step.said, right, phase);
            }
            let is_shown = wrong.is_some_and(|(from, said): (usize, &str)| {
                let typed = text.get(from..at).unwrap_or_default();
                typed.len() < said.len() && said.starts_with(typed)
            });
            if at < taken || is_shown {
                continue;
            }
            if let Some(step) = unsettled.line.best_step(LEAST_CHOSEN) {
                let right = is_right(said(step), rest);
                self.calibration.learn_chosen(step.thought, right, phase);
                if right {
                    taken = at + step.end;
                } else {
                    wrong = Some((at, said(step)));
                }
            }
        }
    }

    /// The mixer learns from the tokens that were finished since the last question on this line.
    fn learn_typed(
        &mut self,
        document: &DocumentId,
        line: usize,
        prefix: &str,
        lexed: &LexedPrefix,
    ) {
        let tokens: Vec<TokenId> = lexed.tokens.iter().map(|token| token.id).collect();
        let Some(asked) = &mut self.asked else {
            return;
        };
        let from = std::mem::replace(&mut asked.learned, tokens.len());
        if from < tokens.len() {
            self.learn_tokens(document, line, prefix, &tokens, from);
        }
    }

    fn learn_tokens(
        &mut self,
        document: &DocumentId,
        line: usize,
        prefix: &str,
        tokens: &[TokenId],
        from: usize,
    ) {
        // So many at once were not typed, but put in, or passed over by the cursor.
        if tokens.len().saturating_sub(from) > MOST_LEARNED {
            return;
        }
        let before = tokens.get(..from).unwrap_or_default();
        let Some(mut walk) = self.walk_to(document, line, prefix, before) else {
            return;
        };
        for (at, token) in tokens.iter().enumerate().skip(from) {
            self.ask(document, &walk, "");
            self.learn_token(*token);
            let text = self.vocabulary.text(*token).to_owned();
            // Some of them as they looked when a part was typed.
            let part = 1 + (at * 7 + line * 3) % 4;
            let end = text.char_indices().nth(part).map(|(end, _)| end);
            if let Some(part) = end.and_then(|end| text.get(..end)) {
                self.ask(document, &walk, part);
                self.learn_token(*token);
            }
            walk.push(*token, &self.vocabulary);
            self.nearby.push(*token, &self.vocabulary);
        }
    }

    fn learn_token(&mut self, token: TokenId) {
        match self.phase {
            LearningPhase::Recording => self.mixer.write_example(token, &mut self.examples),
            LearningPhase::Use => self.mixer.learn(token, ONLINE_RATE),
        }
    }

    /// Where a walk is behind some tokens of a line; the code around is made ready to be searched.
    fn walk_to(
        &mut self,
        document: &DocumentId,
        line: usize,
        prefix: &str,
        tokens: &[TokenId],
    ) -> Option<LineWalk> {
        let lines = self.documents.get(document)?;
        let mut walk = LineWalk::clone(&lines.walk_before(line));
        let (indent, bytes) = indent_of(prefix);
        let is_empty = bytes == 0 && tokens.is_empty();
        let start = walk.begin_line((!is_empty).then_some(indent));
        self.scratch.clear();
        lines.around(line, LINES_ABOVE, LINES_BELOW, &mut self.scratch);
        self.scratch.push(start);
        self.scratch.extend(tokens);
        self.nearby.fill(&self.scratch, &self.vocabulary);
        for token in tokens {
            walk.push(*token, &self.vocabulary);
        }
        Some(walk)
    }

    /// Asks what comes next at a place.
    fn ask(&mut self, document: &DocumentId, walk: &LineWalk, partial: &str) {
        let Predictor {
            vocabulary,
            documents,
            typed,
            mixer,
            nearby,
            workspace,
            ..
        } = self;
        mixer.begin(TypedPart::of(partial), vocabulary);
        let mut contexts = walk.contexts();
        // From the longest to the shortest: there is room for so many tokens only.
        contexts.get_mut(..6).map(<[u32]>::reverse);
        let bare = partial.trim_start();
        let length = bare.chars().count().min(LONGEST_BEGINNING);
        let begin = beginning(bare, length);
        // There is room for so many tokens only: first what came after much that was alike.
        nearby.tell_likest(mixer, vocabulary, partial);
        workspace.look_up(nearby.latest(), vocabulary);
        workspace.tell(LONG_LENGTHS, mixer, vocabulary, partial);
        let mut said = Vec::with_capacity(MOST_SUCCESSORS);
        let mut hear = |mixer: &mut TokenMixer,
                        vocabulary: &TokenVocabulary,
                        at: usize,
                        table: &SuccessorTable,
                        context: u32| {
            let fits =
                |token: TokenId| partial.is_empty() || vocabulary.text(token).starts_with(partial);
            said.clear();
            said.extend(table.successors(context).filter(|(token, _)| fits(*token)));
            mixer.hear(at, None, &said, vocabulary);
        };
        let file = documents.get(document).map(|lines| &lines.table);
        let scopes = [(TYPED, typed.table(document)), (FILE, file)];
        let is_long = |at: usize| at < 4 || (6..9).contains(&at);
        for late in [false, true] {
            for (first, table) in scopes {
                let Some(table) = table else { continue };
                for (at, context) in contexts.iter().enumerate() {
                    if is_long(at) != late {
                        hear(mixer, vocabulary, first + at, table, *context);
                    }
                }
            }
        }
        nearby.tell_all(mixer, vocabulary);
        nearby.tell_words(mixer, vocabulary, partial);
        workspace.tell(SHORT_LENGTHS, mixer, vocabulary, partial);
        for (first, table) in scopes {
            if let (Some(table), Some(begin)) = (table, begin) {
                hear(mixer, vocabulary, first + PLACE_CONTEXTS, table, begin);
            }
        }
        workspace.tell_words(mixer, vocabulary, partial);
        nearby.tell_latest_names(mixer, vocabulary, partial);
        mixer.weigh(|token| nearby.distance(token, vocabulary));
    }

    /// Where something is said. A comment is known by its mark; one that began on another line is seldom
    /// without one.
    fn place(&self, tokens: &[TokenId], partial: &str) -> SaidPlace {
        let text = |token: &TokenId| self.vocabulary.bare_text(*token);
        let begins = tokens.first().map(text);
        let is_comment = begins.is_some_and(|mark| PROSE_LINES.contains(&mark))
            || tokens
                .iter()
                .map(text)
                .any(|mark| PROSE_MARKS.contains(&mark));
        if is_comment {
            SaidPlace::Prose
        } else if partial.trim_start().is_empty() {
            SaidPlace::Start
        } else {
            SaidPlace::Within
        }
    }

    /// The likeliest way on, token by token.
    fn go_on(
        &mut self,
        document: &DocumentId,
        mut walk: LineWalk,
        partial: &str,
        behind: &str,
        place: SaidPlace,
    ) -> PredictedLine {
        let mut line = PredictedLine::default();
        self.source = None;
        let mut probability = ONE;
        let mut partial = partial;
        let mut depth = 0;
        let length = self.nearby.len();
        for steps in 1..=MOST_STEPS {
            self.ask(document, &walk, partial);
            let Some((token, likely)) = self.mixer.best() else {
                break;
            };
            let after = ((i64::from(probability) * i64::from(likely)) >> 16) as i32;
            if token == TokenId::LINE_END {
                line.line_end = likely;
                break;
            }
            let bare = self.vocabulary.bare_text(token);
            // What stands in a bracket that was said does not stand behind.
            if after < HOPELESS || depth == 0 && is_behind(bare, behind) {
                break;
            }
            depth += opened_by(bare);
            probability = after;
            if steps == 1 {
                self.source = self.workspace.source_of(token, &mut self.vocabulary);
            }
            let text = self.vocabulary.text(token);
            line.text
                .push_str(text.get(partial.len()..).unwrap_or_default());
            partial = "";
            let said = SaidThing {
                place,
                steps,
                probability,
            };
            let thought = self.calibration.of(said);
            line.steps.push(PredictedStep {
                end: line.text.len(),
                characters: line.text.chars().count(),
                said,
                thought,
                probability: self.calibration.of_chosen(thought),
            });
            walk.push(token, &self.vocabulary);
            self.nearby.push(token, &self.vocabulary);
        }
        self.nearby.truncate(length);
        line
    }

    fn remember(&mut self, prefix: String, predicted: &PredictedLine) {
        let Some(asked) = &mut self.asked else {
            return;
        };
        if predicted.steps.is_empty() || asked.unsettled.len() >= MOST_UNSETTLED {
            return;
        }
        asked.unsettled.push(UnsettledPrediction {
            prefix,
            line: predicted.clone(),
        });
    }

    /// How likely a suggestion should be to be said, by default.
    pub const THRESHOLD: Likelihood = Likelihood::percent(60);

    /// The weights and the calibration, as they are shipped.
    pub fn trained(&self) -> Vec<u8> {
        [self.mixer.weights.to_bytes(), self.calibration.to_bytes()].concat()
    }
}

/// Whether all of a text is what comes next, and it does not end inside a word.
pub fn is_right(said: &str, next: &str) -> bool {
    let Some(rest) = next.strip_prefix(said) else {
        return false;
    };
    let is_word = |c: Option<char>| c.is_some_and(foretell_text::plain::is_word);
    !(is_word(said.chars().next_back()) && is_word(rest.chars().next()))
}

/// How many more brackets are open behind a token.
fn opened_by(token: &str) -> i32 {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// Whether a token is what stands behind the cursor anyway.
fn is_behind(token: &str, behind: &str) -> bool {
    !behind.is_empty() && behind.starts_with(token)
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_text::Replacement;

    #[test]
    fn a_session_of_half_a_million_names_goes_on_learning_new_ones() {
        let mut predictor = Predictor::new();
        let document = DocumentId::new("file:///a.rs");
        let mut text = Text::from("call(quarterly_report);\nsend(quarterly_report);\n\n");
        predictor.open(&document, &Language::new("rust"), &text);
        let mut type_at_end = |predictor: &mut Predictor, typed: &str| {
            for key in typed.chars() {
                let insertion = Replacement::insertion(text.end(), key.to_string());
                let edit = Edit::from(insertion);
                text = edit.apply(&text).expect("it fits");
                predictor.change(&document, &text, &edit, ChangeReason::Typed);
                predictor.predict(&document, text.end());
            }
            let line = predictor.predict(&document, text.end());
            line.and_then(|line| line.cut(Likelihood::percent(40)))
                .map_or(String::new(), |said| said.text)
        };
        type_at_end(&mut predictor, "call(quarterly_report);\n");
        for number in 0..500_000 {
            predictor.vocabulary.read(&format!("n{number}"), 0);
        }
        assert!(predictor.vocabulary.is_nearly_full());
        // What stands in the document, what was typed, and what is new.
        let said = type_at_end(&mut predictor, "call(quart");
        assert!(said.starts_with("erly_report"), "{said:?}");
        assert!(predictor.vocabulary.len() < 1_000);
        let new = "erly_report);\nuse(memorable_name);\nsee(memorable_name);\nuse(memor";
        let said = type_at_end(&mut predictor, new);
        assert!(said.starts_with("able_name"), "{said:?}");
    }

    #[test]
    fn of_too_many_documents_the_one_that_was_not_used_for_longest_is_let_go_of() {
        let mut predictor = Predictor::new();
        let name = |number: usize| DocumentId::new(format!("file:///{number}.rs"));
        let text = Text::from("let a = 1;\n");
        for number in 0..MOST_DOCUMENTS {
            predictor.open(&name(number), &Language::new("rust"), &text);
        }
        predictor.predict(&name(0), text.end());
        predictor.open(&name(MOST_DOCUMENTS), &Language::new("rust"), &text);
        assert!(predictor.knows(&name(0)) && predictor.knows(&name(MOST_DOCUMENTS)));
        assert!(!predictor.knows(&name(1)));
        assert_eq!(predictor.documents.len(), MOST_DOCUMENTS);
    }
}
