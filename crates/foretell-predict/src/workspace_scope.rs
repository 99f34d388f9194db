//! `WorkspaceScope`: what the code of the workspace says of the next token.
//!
//! The tokens of an array and those of the vocabulary have other numbers; those that were met lately are
//! looked up once. A document hears of the workspace that it is in, and of no other.
//!
//! An array is older than what is open. So nothing of it counts that stands in the file of the document
//! that is asked about, which is known better by other means; and of the file of any other document that
//! is open, only the lines that still stand in that document. One that was closed is taken to be as it was
//! then, until there is a newer array.
//!
//! Absent on purpose: files that changed without being open, which whoever brings an array names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use foretell_text::{CodePlace, DocumentId, FilePath, Text};

use crate::token_mixer::TokenMixer;
use crate::token_vocabulary::{CAPACITY, TokenId, TokenVocabulary};
use crate::workspace_array::{LONGEST, LinePrint, PlaceStretch, WorkspaceArray};

/// Where the contexts of the workspace begin among all.
const FIRST_CONTEXT: usize = 35;
/// The lengths of context that speak; the last is the longest that is found.
const LENGTHS: [usize; 6] = [1, 2, 3, 4, 6, LONGEST];
/// From how many tokens on a place is said to be where something comes from.
const TELLING_LENGTHS: Range<usize> = 2..LENGTHS.len();
/// Those that come before and after what the document says.
pub(crate) const SHORT_LENGTHS: Range<usize> = 0..2;
pub(crate) const LONG_LENGTHS: Range<usize> = 2..LENGTHS.len();
/// The context of the words that begin as the one that is being typed.
const WORD_CONTEXT: usize = FIRST_CONTEXT + LENGTHS.len();
/// How many characters of it are typed by then.
const SHORTEST_BEGINNING: usize = 2;
/// How many words are looked at that begin so, and at how many places each stands.
const BEGINNING_SAMPLE: usize = 2_048;
const HEARD_PLACES: usize = 8;
/// How many places of a stretch are looked at, and how many where most do not fit.
const SAMPLE: usize = 96;
const FITTING_SAMPLE: usize = 512;
/// How many tokens are named at most.
const MOST_SAID: usize = 32;
const UNKNOWN: u32 = u32::MAX;
/// How many tokens that were met lately are known.
const MET_TOKENS: usize = 1 << 15;
/// How many tokens of the vocabulary there may be before nothing of the workspace is added to them: the
/// rest is for what is typed.
const VOCABULARY_SHARE: usize = CAPACITY / 4 * 3;
/// Of a longer document, in bytes, nothing in an array counts.
const LONGEST_DOCUMENT: usize = 1 << 20;
/// How many documents are remembered that are closed.
const MOST_CLOSED: usize = 400;
/// How many tokens of lines are read at most, for each token that is looked for, to find out whether a line may
/// still be heard.
const MOST_READ: usize = 8_000;
/// Of how many places it is remembered.
const JUDGED_PLACES: usize = 1 << 12;

/// A workspace, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct WorkspacePart {
    /// What the names of its documents begin with.
    pub prefix: Box<str>,
    /// Its code.
    pub array: Arc<WorkspaceArray>,
    /// The files, by their names in the array, that are others by now: nothing of them counts.
    pub left_out: Arc<[Box<str>]>,
}

/// What the code of the workspaces says.
#[derive(Debug, Default)]
pub(crate) struct WorkspaceScope {
    parts: Vec<ScopePart>,
    /// The workspace of the document that is asked about.
    current: Option<usize>,
    here: Option<DocumentId>,
    /// What is not to be heard of it, in order.
    hidden: Vec<HiddenStretch>,
    /// The names of documents that are called otherwise than they are identified; none, for those that are in
    /// no workspace.
    names: BTreeMap<DocumentId, Option<Box<str>>>,
    documents: BTreeMap<DocumentId, OpenLines>,
    /// Those that have changed since their lines were read.
    changed: BTreeSet<DocumentId>,
    is_hidden_known: bool,
    /// Places of files that are open, each one more, and whether they are not to be heard.
    judged: Vec<(u32, bool)>,
    /// How many tokens may still be read.
    left_to_read: usize,
    /// The places that spoke last, by the length of context.
    stretches: [Option<PlaceStretch>; LENGTHS.len()],
    said: Vec<(TokenId, u32)>,
}

#[derive(Debug)]
struct ScopePart {
    prefix: Box<str>,
    array: Arc<WorkspaceArray>,
    left_out: Vec<Range<u32>>,
    /// The files of it that were left out here, and not by whoever brought it.
    left_out_here: BTreeSet<Box<str>>,
    /// For each token of the vocabulary its stem in the array, one more; zero, if it was not looked up.
    stems: Vec<u32>,
    /// The tokens of the array that were met lately, each one more, and their numbers in the vocabulary.
    tokens: Vec<(u32, TokenId)>,
}

/// A stretch of an array that is not to be heard, or not as a whole.
#[derive(Debug)]
struct HiddenStretch {
    range: Range<u32>,
    /// The document of which it holds the lines that may be heard.
    document: Option<DocumentId>,
}

/// A document that is or was open.
#[derive(Debug, Default)]
struct OpenLines {
    is_open: bool,
    /// The numbers of its lines, sorted.
    prints: Vec<u64>,
}

impl WorkspaceScope {
    /// Takes other workspaces, with the documents that are open.
    pub(crate) fn set<'a>(
        &mut self,
        parts: Vec<WorkspacePart>,
        open: impl Iterator<Item = (&'a DocumentId, &'a Text)>,
    ) {
        let old = std::mem::take(&mut self.parts);
        let is_kept = |document: &DocumentId, lines: &OpenLines| {
            let place = Self::place_among(&old, &self.names, document);
            let part = place.and_then(|(at, _)| old.get(at));
            let is_same = |part: &ScopePart| parts.iter().any(|new| part.is_of(new));
            !lines.is_open && part.is_some_and(is_same)
        };
        // Where the code is the same, what was closed is known better than from there.
        let mut documents = std::mem::take(&mut self.documents);
        documents.retain(|document, lines| is_kept(document, lines));
        self.documents = documents;
        self.changed.clear();
        let with_left_out = |part| {
            let mut part = ScopePart::new(part);
            let before = old.iter().find(|it| it.prefix == part.prefix);
            before.into_iter().for_each(|it| part.leave_out_as(it));
            part
        };
        self.parts = parts.into_iter().map(with_left_out).collect();
        for (document, text) in open {
            self.open(document, text);
        }
        let documents = &self.documents;
        self.names
            .retain(|document, _| documents.contains_key(document));
        self.forget_hidden();
    }

    /// From here on a document has this name among the files of the workspaces, or none.
    pub(crate) fn call(&mut self, document: &DocumentId, name: Option<&str>) {
        let is_known = |known: &Option<Box<str>>| known.as_deref() == name;
        if !self.names.get(document).is_some_and(is_known) {
            self.names.insert(document.clone(), name.map(Into::into));
            self.forget_hidden();
        }
    }

    /// The vocabulary is another.
    pub(crate) fn start_over(&mut self) {
        self.parts.iter_mut().for_each(ScopePart::start_over);
        self.said.clear();
    }

    /// A document is open with a text.
    pub(crate) fn open(&mut self, document: &DocumentId, text: &Text) {
        let is_known = self.place_of(document).is_some_and(|(part, name)| {
            let part = self.parts.get(part);
            part.is_some_and(|part| part.array.file(name).next().is_some())
        });
        let prints = if is_known {
            prints_of(text)
        } else {
            Vec::new()
        };
        let lines = OpenLines {
            is_open: true,
            prints,
        };
        self.documents.insert(document.clone(), lines);
        self.changed.remove(document);
        self.forget_hidden();
    }

    /// A document has changed.
    pub(crate) fn change(&mut self, document: &DocumentId) {
        if !self.changed.contains(document) {
            self.changed.insert(document.clone());
        }
    }

    /// A document is closed, and had this text last.
    pub(crate) fn close(&mut self, document: &DocumentId, text: &Text) {
        if self.changed.contains(document) {
            self.open(document, text);
        }
        if let Some(lines) = self.documents.get_mut(document) {
            lines.is_open = false;
        }
        let closed = self.documents.iter().filter(|(_, lines)| !lines.is_open);
        if closed.count() > MOST_CLOSED {
            let first = self.documents.iter().find(|(_, lines)| !lines.is_open);
            if let Some(first) = first.map(|(document, _)| document.clone()) {
                self.leave_out(&first);
            }
        }
    }

    /// Nothing of a document's file counts any more, until there is another array.
    pub(crate) fn leave_out(&mut self, document: &DocumentId) {
        self.changed.remove(document);
        if let Some((part, name)) = self.place_of(document) {
            let name: Box<str> = name.into();
            if let Some(part) = self.parts.get_mut(part) {
                part.leave_out(&name);
                part.left_out_here.insert(name);
            }
        }
        self.documents.remove(document);
        self.names.remove(document);
        self.forget_hidden();
    }

    /// From here on it is asked about a document; the texts are those of the others that are open.
    pub(crate) fn visit<'a>(
        &mut self,
        document: &DocumentId,
        text: impl Fn(&DocumentId) -> Option<&'a Text>,
    ) {
        let is_here = self.here.as_ref() == Some(document);
        let is_other_changed = self.changed.iter().any(|changed| changed != document);
        if self.parts.is_empty() || is_here && !is_other_changed && self.is_hidden_known {
            return;
        }
        for changed in std::mem::take(&mut self.changed) {
            match text(&changed).filter(|_| changed != *document) {
                Some(text) => self.open(&changed, text),
                None => drop(self.changed.insert(changed)),
            }
        }
        self.here = Some(document.clone());
        self.current = self.place_of(document).map(|(part, _)| part);
        self.hide();
    }

    /// Finds out what is not to be heard of the workspace.
    fn hide(&mut self) {
        let mut hidden: Vec<HiddenStretch> = Vec::new();
        let part = self.current.and_then(|part| self.parts.get(part));
        if let Some(part) = part {
            let mut others = Vec::new();
            for document in self.documents.keys().chain(&self.here) {
                let place = self.place_of(document);
                let Some((_, name)) = place.filter(|(at, _)| Some(*at) == self.current) else {
                    continue;
                };
                let is_here = self.here.as_ref() == Some(document);
                for range in part.array.file(name) {
                    let document = (!is_here).then(|| document.clone());
                    let to = if is_here { &mut hidden } else { &mut others };
                    to.push(HiddenStretch { range, document });
                }
            }
            hidden.append(&mut others);
            hidden.extend(part.left_out.iter().map(|range| HiddenStretch {
                range: range.clone(),
                document: None,
            }));
        }
        // Of one file what was found first counts.
        hidden.sort_by_key(|hidden| hidden.range.start);
        hidden.dedup_by_key(|hidden| hidden.range.start);
        self.hidden = hidden;
        self.is_hidden_known = true;
        self.judged.clear();
        self.judged.resize(JUDGED_PLACES, (0, false));
    }

    fn forget_hidden(&mut self) {
        self.is_hidden_known = false;
    }

    /// The workspace that a document is in, and its name there.
    fn place_of<'a>(&'a self, document: &'a DocumentId) -> Option<(usize, &'a str)> {
        Self::place_among(&self.parts, &self.names, document)
    }

    fn place_among<'a>(
        parts: &[ScopePart],
        names: &'a BTreeMap<DocumentId, Option<Box<str>>>,
        document: &'a DocumentId,
    ) -> Option<(usize, &'a str)> {
        let name = match names.get(document) {
            Some(name) => name.as_deref()?,
            None => document.as_str(),
        };
        let parts = parts.iter().enumerate();
        let within = parts.filter_map(|(at, part)| Some((at, name.strip_prefix(&*part.prefix)?)));
        within.min_by_key(|(_, rest)| rest.len())
    }

    /// Whether a place is not to be heard. Where finding that out takes too long, it is not.
    fn hides(&mut self, array: &WorkspaceArray, place: u32) -> bool {
        let after = self.hidden.partition_point(|it| it.range.start <= place);
        let hidden = after.checked_sub(1).and_then(|at| self.hidden.get(at));
        let Some(hidden) = hidden.filter(|it| it.range.contains(&place)) else {
            return false;
        };
        let lines = hidden.document.as_ref();
        let Some(lines) = lines.and_then(|document| self.documents.get(document)) else {
            return true;
        };
        let judged = self.judged.get_mut(place as usize % JUDGED_PLACES);
        let known = judged.as_ref().filter(|judged| judged.0 == place + 1);
        if let Some((_, is_hidden)) = known {
            return *is_hidden;
        }
        let Some(print) = array.line_print(place, &mut self.left_to_read) else {
            return true;
        };
        let is_hidden = lines.prints.binary_search(&print).is_err();
        if let Some(judged) = judged {
            *judged = (place + 1, is_hidden);
        }
        is_hidden
    }

    /// Looks up the places before some tokens, the latest first.
    pub(crate) fn look_up(
        &mut self,
        latest: impl Iterator<Item = TokenId>,
        vocabulary: &TokenVocabulary,
    ) {
        self.left_to_read = MOST_READ;
        let part = self.current.and_then(|at| self.parts.get_mut(at));
        self.stretches = part.map_or([None; LENGTHS.len()], |part| {
            part.stretches(latest, vocabulary)
        });
    }

    /// Makes the places speak that were looked up, by some lengths of context.
    pub(crate) fn tell(
        &mut self,
        lengths: Range<usize>,
        mixer: &mut TokenMixer,
        vocabulary: &mut TokenVocabulary,
        partial: &str,
    ) {
        let Some((current, array)) = self.current_array() else {
            return;
        };
        let typed = TypedBeginning::of(partial);
        let most = if partial.is_empty() {
            SAMPLE
        } else {
            FITTING_SAMPLE
        };
        for which in lengths.rev() {
            let stretch = self.stretches.get(which).copied().flatten();
            let mut said = std::mem::take(&mut self.said);
            said.clear();
            for place in stretch
                .iter()
                .flat_map(|stretch| array.places(*stretch, most))
            {
                let number = array.token(place as usize);
                if !typed.fits(&array, number) || self.hides(&array, place) {
                    continue;
                }
                let token = self.parts[current].token(number, vocabulary);
                if token == TokenId::UNREAD {
                    continue;
                }
                if let Some((_, count)) = said.iter_mut().find(|(known, _)| *known == token) {
                    *count += 1;
                } else if said.len() < MOST_SAID {
                    said.push((token, 1));
                }
            }
            said.sort_by_key(|(token, count)| (std::cmp::Reverse(*count), *token));
            mixer.make_room(vocabulary);
            mixer.hear(FIRST_CONTEXT + which, None, &said, vocabulary);
            self.said = said;
        }
    }

    /// Makes the words speak that begin as the one that is being typed, wherever they stand.
    pub(crate) fn tell_words(
        &mut self,
        mixer: &mut TokenMixer,
        vocabulary: &mut TokenVocabulary,
        partial: &str,
    ) {
        let typed = TypedBeginning::of(partial);
        let Some((current, array)) = self.current_array() else {
            return;
        };
        if typed.bare.chars().nth(SHORTEST_BEGINNING - 1).is_none() || !typed.is_plain() {
            return;
        }
        let uses = |stem: u32| array.behind(stem).len() as u32;
        let stems = array.beginning(typed.bare, BEGINNING_SAMPLE);
        let mut words: Vec<(u32, u32)> = stems.map(|stem| (uses(stem), stem)).collect();
        words.sort_unstable_by_key(|(uses, stem)| (std::cmp::Reverse(*uses), *stem));
        let mut said = std::mem::take(&mut self.said);
        said.clear();
        for (uses, stem) in words.into_iter().take(MOST_SAID) {
            // A place behind it is one at which it stands.
            let mut places = array.places(array.behind(stem), HEARD_PLACES);
            let mut is_heard = |place: u32| {
                place
                    .checked_sub(1)
                    .is_some_and(|at| !self.hides(&array, at))
            };
            if !places.any(&mut is_heard) {
                continue;
            }
            let token = stem << 1 | u32::from(!typed.blank.is_empty());
            let token = self.parts[current].token(token, vocabulary);
            if token != TokenId::UNREAD {
                said.push((token, uses));
            }
        }
        mixer.make_room(vocabulary);
        mixer.hear(WORD_CONTEXT, None, &said, vocabulary);
        self.said = said;
    }

    fn current_array(&self) -> Option<(usize, Arc<WorkspaceArray>)> {
        let current = self.current?;
        let array = Arc::clone(&self.parts.get(current)?.array);
        Some((current, array))
    }

    /// A place that has a token after what was told last, where most before it is alike.
    pub(crate) fn source_of(
        &mut self,
        token: TokenId,
        vocabulary: &mut TokenVocabulary,
    ) -> Option<TokenSource> {
        let (current, array) = self.current_array()?;
        let told = self.stretches.into_iter().enumerate().rev();
        let told = told.filter(|(which, _)| TELLING_LENGTHS.contains(which));
        for stretch in told.filter_map(|(_, stretch)| stretch) {
            for place in array.places(stretch, SAMPLE) {
                let number = array.token(place as usize);
                if self.parts[current].token(number, vocabulary) == token
                    && !self.hides(&array, place)
                {
                    let array = Arc::clone(&array);
                    return Some(TokenSource { array, place });
                }
            }
        }
        None
    }
}

/// What is typed of the next token.
#[derive(Clone, Copy, Debug)]
struct TypedBeginning<'text> {
    blank: &'text str,
    bare: &'text str,
}

impl<'text> TypedBeginning<'text> {
    fn of(partial: &'text str) -> Self {
        let bare = partial.trim_start();
        let (blank, bare) = partial.split_at(partial.len() - bare.len());
        TypedBeginning { blank, bare }
    }

    /// Whether it is written as an array has it: with one blank, or none.
    fn is_plain(self) -> bool {
        matches!(self.blank, "" | " ")
    }

    /// Whether a token of an array begins so.
    fn fits(self, array: &WorkspaceArray, number: u32) -> bool {
        if self.blank.is_empty() && self.bare.is_empty() {
            return true;
        }
        let (text, has_blank) = array.text(number);
        self.is_plain() && has_blank != self.blank.is_empty() && text.starts_with(self.bare)
    }
}

/// A place of the workspace that something comes from.
#[derive(Debug)]
pub(crate) struct TokenSource {
    array: Arc<WorkspaceArray>,
    place: u32,
}

impl TokenSource {
    /// The line that it is on.
    pub(crate) fn place(&self) -> Option<CodePlace> {
        let (file, line) = self.array.place_name(self.place)?;
        let file = FilePath::new(file);
        Some(CodePlace { file, line })
    }
}

impl ScopePart {
    fn new(part: WorkspacePart) -> Self {
        let mut scope = ScopePart {
            prefix: part.prefix,
            array: part.array,
            left_out: Vec::new(),
            left_out_here: BTreeSet::new(),
            stems: Vec::new(),
            tokens: vec![(0, TokenId::UNREAD); MET_TOKENS],
        };
        part.left_out.iter().for_each(|name| scope.leave_out(name));
        scope
    }

    /// Whether a part that is brought anew is this one.
    fn is_of(&self, new: &WorkspacePart) -> bool {
        self.prefix == new.prefix && Arc::ptr_eq(&self.array, &new.array)
    }

    /// Leaves out what was left out before and has not changed since.
    fn leave_out_as(&mut self, before: &ScopePart) {
        for name in &before.left_out_here {
            if self.array.contents(name).eq(before.array.contents(name)) {
                self.leave_out(name);
                self.left_out_here.insert(name.clone());
            }
        }
    }

    fn leave_out(&mut self, name: &str) {
        self.left_out.extend(self.array.file(name));
    }

    /// The vocabulary is another.
    fn start_over(&mut self) {
        self.stems.clear();
        self.tokens.fill((0, TokenId::UNREAD));
    }

    /// The places that some tokens, the latest first, stand before, by the length of context.
    fn stretches(
        &mut self,
        latest: impl Iterator<Item = TokenId>,
        vocabulary: &TokenVocabulary,
    ) -> [Option<PlaceStretch>; LENGTHS.len()] {
        let mut stretches = [None; LENGTHS.len()];
        let mut stretch: Option<PlaceStretch> = None;
        for (token, length) in latest.take(LONGEST).zip(1..) {
            let Some(stem) = self.stem(token, vocabulary) else {
                break;
            };
            let narrow = match stretch {
                None => self.array.behind(stem),
                Some(stretch) => self.array.narrow(stretch, length, stem),
            };
            if narrow.len() == 0 {
                break;
            }
            stretch = Some(narrow);
            if let Some(which) = LENGTHS.iter().position(|it| *it >= length) {
                if LENGTHS[which] == length || which == LENGTHS.len() - 1 {
                    stretches[which] = stretch;
                }
            }
        }
        stretches
    }

    fn stem(&mut self, token: TokenId, vocabulary: &TokenVocabulary) -> Option<u32> {
        if token >= TokenId::SAME_INDENT && token <= TokenId::FAR_LESS_INDENT {
            return Some(token.0);
        }
        if self.stems.len() <= token.index() {
            self.stems
                .resize(vocabulary.len().max(token.index() + 1), 0);
        }
        let known = self.stems.get_mut(token.index())?;
        if *known == 0 {
            let stem = self.array.stem(vocabulary.text(token));
            *known = stem.map_or(UNKNOWN, |stem| stem.saturating_add(1));
        }
        (*known != UNKNOWN).then(|| *known - 1)
    }

    fn token(&mut self, number: u32, vocabulary: &mut TokenVocabulary) -> TokenId {
        let stem = TokenId(number >> 1);
        if stem >= TokenId::SAME_INDENT && stem <= TokenId::FAR_LESS_INDENT {
            return TokenId::LINE_END;
        }
        let met = &mut self.tokens[number as usize % MET_TOKENS];
        if met.0 != number.wrapping_add(1) || met.1 == TokenId::UNREAD {
            let (text, has_blank) = self.array.text(number);
            *met = (
                number.wrapping_add(1),
                read_token(text, has_blank, vocabulary),
            );
        }
        met.1
    }
}

/// The token of the vocabulary that a text is, if it may be one.
fn read_token(text: &str, has_blank: bool, vocabulary: &mut TokenVocabulary) -> TokenId {
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return TokenId::UNREAD;
    }
    let spaced;
    let (whole, blank) = if has_blank {
        spaced = format!(" {text}");
        (spaced.as_str(), 1)
    } else {
        (text, 0)
    };
    if vocabulary.len() < VOCABULARY_SHARE {
        vocabulary.read(whole, blank)
    } else {
        vocabulary.find(whole).unwrap_or(TokenId::UNREAD)
    }
}

/// The numbers of the lines of a document, sorted; none, if it is too long.
fn prints_of(text: &Text) -> Vec<u64> {
    if text.end().get() > LONGEST_DOCUMENT {
        return Vec::new();
    }
    let mut prints = Vec::new();
    let mut line = LinePrint::default();
    for chunk in text.chunks() {
        let mut parts = chunk.split('\n');
        line.read(parts.next().unwrap_or_default().as_bytes());
        for part in parts {
            prints.push(std::mem::take(&mut line).0);
            line.read(part.as_bytes());
        }
    }
    prints.push(line.0);
    prints.sort_unstable();
    prints.dedup();
    prints
}
