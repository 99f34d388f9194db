//! What is easy, asked in the same run as the model: a suggestion is worth what it has over these.
//!
//! - *Longest-prefix line completion*: the line that begins as this one does and was met last, in the
//!   document or else in the workspace.
//! - *A nested cache of 6-grams*, as in the literature: counts of the workspace and of the document, mixed
//!   from the longest context to none, followed token by token.
//! - *Recall*, which the release before answers with.

use std::collections::{BTreeMap, HashMap};

use foretell_lanes::embedded;
use foretell_lanes::{LaneRequest, OpenDocument};
use foretell_text::code_tokens::{TokenKind, pieces};
use foretell_text::plain::is_word;
use foretell_text::{ByteOffset, ByteRange, DocumentId, LaneKind, Language, Text};

/// Nothing shorter is said, as the model says nothing shorter.
const SHORTEST: usize = 4;
/// How much of a 6-gram stands before its last token.
const ORDER: usize = 5;
/// As much is expected of what the 6-grams say as of the model.
const THRESHOLD: f64 = 0.6;
/// A line has at most so many tokens more.
const MOST_STEPS: usize = 24;

/// Something that says how a line goes on.
pub(crate) trait TypingBaseline {
    fn name(&self) -> &'static str;

    /// The code of the workspace is this.
    fn set_workspace(&mut self, _files: &[(DocumentId, String)]) {}

    /// A document is worked on.
    fn visit(&mut self, _text: &Text) {}

    /// A line was typed.
    fn typed(&mut self, _line: &str) {}

    fn say(&mut self, document: &DocumentId, text: &Text, at: ByteOffset) -> Option<String>;
}

/// The line up to a place, without its indent; nothing, if a word goes on behind.
fn prefix_at(text: &Text, at: ByteOffset) -> Option<String> {
    let line = text.line_at(at).ok()?;
    let behind = text.read(ByteRange::new(at, line.end()).ok()?).ok()?;
    if behind.chars().next().is_some_and(is_word) {
        return None;
    }
    let prefix = text.read(ByteRange::new(line.start(), at).ok()?).ok()?;
    Some(prefix.trim_start().to_owned())
}

/// Longest-prefix line completion.
#[derive(Debug, Default)]
pub(crate) struct LineCompletion {
    document: BTreeMap<String, u64>,
    workspace: BTreeMap<String, u64>,
    met: u64,
}

impl LineCompletion {
    fn meet(&mut self, line: &str, is_here: bool) {
        let line = line.trim();
        if line.len() > SHORTEST {
            self.met += 1;
            let lines = if is_here {
                &mut self.document
            } else {
                &mut self.workspace
            };
            lines.insert(line.to_owned(), self.met);
        }
    }

    fn latest(lines: &BTreeMap<String, u64>, prefix: &str) -> Option<String> {
        let from = lines.range(prefix.to_owned()..);
        let alike = from
            .take_while(|(line, _)| line.starts_with(prefix))
            .take(500);
        let longer = alike.filter(|(line, _)| line.len() > prefix.len());
        let (line, _) = longer.max_by_key(|(_, met)| **met)?;
        line.get(prefix.len()..).map(str::to_owned)
    }
}

impl TypingBaseline for LineCompletion {
    fn name(&self) -> &'static str {
        "lineCompletion"
    }

    fn set_workspace(&mut self, files: &[(DocumentId, String)]) {
        self.workspace.clear();
        files
            .iter()
            .flat_map(|(_, text)| text.lines())
            .for_each(|line| self.meet(line, false));
    }

    fn visit(&mut self, text: &Text) {
        self.document.clear();
        text.to_string()
            .lines()
            .for_each(|line| self.meet(line, true));
    }

    fn typed(&mut self, line: &str) {
        self.meet(line, true);
    }

    fn say(&mut self, _: &DocumentId, text: &Text, at: ByteOffset) -> Option<String> {
        let prefix = prefix_at(text, at).filter(|prefix| !prefix.is_empty())?;
        let rest = LineCompletion::latest(&self.document, &prefix);
        let rest = rest.or_else(|| LineCompletion::latest(&self.workspace, &prefix))?;
        (rest.chars().count() >= SHORTEST).then_some(rest)
    }
}

/// What came after each context of up to [`ORDER`] tokens.
#[derive(Debug, Default)]
struct NgramCounts(HashMap<u64, Vec<(u32, u32)>>);

impl NgramCounts {
    fn learn(&mut self, tokens: &[u32]) {
        for (at, token) in tokens.iter().enumerate() {
            for length in 0..=ORDER.min(at) {
                let context = context_of(tokens.get(at - length..at).unwrap_or_default());
                let after = self.0.entry(context).or_default();
                match after.iter_mut().position(|(known, _)| known == token) {
                    Some(at) => after[at].1 += 1,
                    None if after.len() < 512 => after.push((*token, 1)),
                    None => {}
                }
            }
        }
    }

    fn after(&self, context: &[u32]) -> &[(u32, u32)] {
        self.0.get(&context_of(context)).map_or(&[], Vec::as_slice)
    }
}

fn context_of(tokens: &[u32]) -> u64 {
    let fold = |hash: u64, token: &u32| {
        (hash ^ u64::from(*token))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    };
    tokens.iter().fold(tokens.len() as u64, fold)
}

/// A nested cache of 6-grams.
#[derive(Debug, Default)]
pub(crate) struct NestedNgrams {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
    workspace: NgramCounts,
    document: NgramCounts,
}

/// The token that ends a line.
const LINE_END: &str = "\n";

impl NestedNgrams {
    fn number(&mut self, token: &str) -> u32 {
        if let Some(number) = self.numbers.get(token) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(token.to_owned());
        self.numbers.insert(token.to_owned(), number);
        number
    }

    fn read(&mut self, line: &str) -> Vec<u32> {
        let mut tokens = vec![self.number(LINE_END)];
        let mut start = line.len() - line.trim_start().len();
        for piece in pieces(line, start..line.len()) {
            if piece.kind != TokenKind::Space {
                let token = line
                    .get(start..piece.bytes.end)
                    .unwrap_or_default()
                    .to_owned();
                tokens.push(self.number(&token));
                start = piece.bytes.end;
            }
        }
        tokens
    }

    fn learn(&mut self, lines: &str, is_here: bool) {
        let mut all = Vec::new();
        for line in lines.lines().filter(|line| line.len() < 1_000) {
            all.extend(self.read(line));
        }
        all.push(self.number(LINE_END));
        if is_here {
            self.document.learn(&all)
        } else {
            self.workspace.learn(&all)
        }
    }

    /// How likely the tokens are that may come: by Witten and Bell, the document before the workspace.
    fn weigh(&self, tokens: &[u32], partial: &str) -> Option<(u32, f64)> {
        let mut mixed: HashMap<u32, f64> = HashMap::new();
        for length in 0..=ORDER.min(tokens.len()) {
            let context = tokens.get(tokens.len() - length..).unwrap_or_default();
            for counts in [&self.workspace, &self.document] {
                let fits = |(token, _): &&(u32, u32)| {
                    self.texts
                        .get(*token as usize)
                        .is_some_and(|text| text.starts_with(partial))
                };
                let after: Vec<(u32, u32)> =
                    counts.after(context).iter().filter(fits).copied().collect();
                if after.is_empty() {
                    continue;
                }
                let total: f64 = after.iter().map(|(_, count)| f64::from(*count)).sum();
                let distinct = after.len() as f64;
                mixed
                    .values_mut()
                    .for_each(|share| *share *= distinct / (total + distinct));
                for (token, count) in after {
                    *mixed.entry(token).or_default() += f64::from(count) / (total + distinct);
                }
            }
        }
        let more = |a: &(u32, f64), b: &(u32, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        mixed.into_iter().max_by(more)
    }
}

impl TypingBaseline for NestedNgrams {
    fn name(&self) -> &'static str {
        "nestedNgrams"
    }

    fn set_workspace(&mut self, files: &[(DocumentId, String)]) {
        self.workspace = NgramCounts::default();
        files.iter().for_each(|(_, text)| self.learn(text, false));
    }

    fn visit(&mut self, text: &Text) {
        self.document = NgramCounts::default();
        self.learn(&text.to_string(), true);
    }

    fn typed(&mut self, line: &str) {
        self.learn(line, true);
    }

    fn say(&mut self, _: &DocumentId, text: &Text, at: ByteOffset) -> Option<String> {
        let prefix = prefix_at(text, at)?;
        let above = text.line_at(at).ok()?.start().get().checked_sub(1);
        let above = above.and_then(|end| text.line_at(text.floor(end)).ok());
        let above = above
            .and_then(|line| text.read(line).ok())
            .map(|line| line.into_owned());
        let mut tokens = self.read(above.as_deref().unwrap_or_default());
        tokens.extend(self.read(&prefix));
        let mut partial = String::new();
        let blank = prefix.len() - prefix.trim_end().len();
        if blank > 0 {
            partial = prefix
                .get(prefix.len() - blank..)
                .unwrap_or_default()
                .to_owned();
        } else if prefix.chars().next_back().is_some_and(is_word) {
            let last = tokens.pop()?;
            partial.clone_from(self.texts.get(last as usize)?);
        }
        let (mut said, mut likely) = (String::new(), 1.0);
        let mut best: Option<(f64, usize)> = None;
        for _ in 0..MOST_STEPS {
            let Some((token, share)) = self.weigh(&tokens, &partial) else {
                break;
            };
            let text = self
                .texts
                .get(token as usize)
                .filter(|text| *text != LINE_END);
            likely *= share;
            let Some(text) = text.filter(|_| likely >= THRESHOLD) else {
                break;
            };
            said.push_str(text.get(partial.len()..).unwrap_or_default());
            partial.clear();
            tokens.push(token);
            let worth = likely * said.chars().count() as f64;
            if said.chars().count() >= SHORTEST && best.is_none_or(|(most, _)| worth >= most) {
                best = Some((worth, said.len()));
            }
        }
        said.get(..best?.1).map(str::to_owned)
    }
}

/// Recall.
#[derive(Debug)]
pub(crate) struct RecallBaseline;

impl TypingBaseline for RecallBaseline {
    fn name(&self) -> &'static str {
        "recall"
    }

    fn say(&mut self, document: &DocumentId, text: &Text, at: ByteOffset) -> Option<String> {
        let name = document.as_str();
        let mut open = OpenDocument::new(name, Language::of_file(name).as_str(), "");
        open.text = text.clone();
        let request = LaneRequest::new(open, at);
        let candidate = embedded::predict(LaneKind::Fim, &request, &|| false)
            .into_iter()
            .next()?;
        let replacement = candidate.edit.replacements().first()?;
        // It takes what stands behind the cursor along; what is new is what counts.
        let behind = text.read(replacement.range()).ok()?;
        let new = replacement.new_text();
        let new = new.strip_suffix(&*behind).unwrap_or(new);
        let first = new.lines().next().unwrap_or_default();
        (replacement.range().start() <= at && !first.is_empty()).then(|| first.to_owned())
    }
}
