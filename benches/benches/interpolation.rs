//! How often what is carried stays exact while people type, on recorded sessions.
//!
//! `cargo bench --bench interpolation`. Nothing is timed. Every burst of typing at one place (gaps up
//! to five seconds) is taken as if its final text had been suggested before its first key. The keys
//! are then typed, and after each the editor asks. A key is *on the way* if what stands at the
//! place then is the beginning of the final text and its end, with something left out between, or
//! its beginning and closers that come later; what remains must then lead to the final text exactly. What is left and would not be shown anyway, white space and what follows
//! already, does not count. The simplest rule, which nearly everyone has, keeps a suggestion only while
//! what was typed is its beginning; it is counted beside ours.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, LaneCandidate, Moment, Order, RequestCause, RequestId,
    RequestKind, SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, LaneKind, Language, Replacement, Text,
    Version,
};
use foretell_trace::{LineContent, Trace};

/// The longest gap within a burst, in milliseconds.
const GAP: u64 = 5_000;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let sessions = foretell_benches::traces().join("sessions");
    let Ok(entries) = std::fs::read_dir(&sessions) else {
        println!("there are no sessions in TEST_FORETELL_TRACES or ../shared/traces");
        return;
    };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| !file.to_string_lossy().contains(".traffic."));
    files.sort();
    let mut all = Table::default();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&file).expect("a file that can be read");
        let trace = Trace::read(&name, &bytes).expect("a trace that can be read");
        let mut table = Table::default();
        for burst in bursts(&trace) {
            table.play(&burst);
        }
        println!("{name}");
        table.print();
        all.add(&table);
    }
    println!("all of them");
    all.print();
}

/// Typing at one place.
struct Burst {
    language: Language,
    /// The text before each key, and the key.
    keys: Vec<(Text, Edit)>,
    end: Text,
}

/// The kinds of burst, by what makes them hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Append,
    Deletion,
    Popup,
    Pair,
    Before,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Append => "append",
            Kind::Deletion => "with a deletion",
            Kind::Popup => "popup completion",
            Kind::Pair => "auto-closed pair",
            Kind::Before => "insertion before the end",
        }
    }
}

/// All bursts of a trace, in every document.
fn bursts(trace: &Trace) -> Vec<Burst> {
    let mut texts: BTreeMap<DocumentId, (Language, Text)> = BTreeMap::new();
    let mut open: Option<(DocumentId, Burst, Moment, ByteRange)> = None;
    let mut found = Vec::new();
    let close = |open: &mut Option<(DocumentId, Burst, Moment, ByteRange)>, found: &mut Vec<_>| {
        found.extend(open.take().map(|(_, burst, ..)| burst));
    };
    for line in trace.lines() {
        match &line.what {
            LineContent::Event(Event::DocumentOpened {
                document,
                language,
                text,
                ..
            }) => {
                texts.insert(document.clone(), (language.clone(), text.clone()));
            }
            LineContent::Event(Event::DocumentChanged {
                document,
                edits,
                reason,
                ..
            }) => {
                let Some((language, text)) = texts.get_mut(document) else {
                    continue;
                };
                for edit in edits {
                    let before = text.clone();
                    let Ok(after) = edit.apply(&before) else {
                        continue;
                    };
                    *text = after.clone();
                    let Some(span) = edit.span() else {
                        continue;
                    };
                    let goes_on = open.as_ref().is_some_and(|(of, _, last, place)| {
                        of == document && line.at.since(*last) <= GAP && place.touches(span)
                    });
                    if !goes_on || *reason != ChangeReason::Typed {
                        close(&mut open, &mut found);
                    }
                    if *reason != ChangeReason::Typed || edit.replacements().len() != 1 {
                        close(&mut open, &mut found);
                        continue;
                    }
                    let burst = Burst {
                        language: language.clone(),
                        keys: Vec::new(),
                        end: before.clone(),
                    };
                    let (_, burst, last, place) =
                        open.get_or_insert_with(|| (document.clone(), burst, line.at, span));
                    burst.keys.push((before, edit.clone()));
                    burst.end = after;
                    *last = line.at;
                    *place = edit.map_range(hull(*place, span));
                    let typed = edit.replacements()[0].new_text().len();
                    let end = ByteOffset::new(span.start().get() + typed);
                    let typed = ByteRange::new(span.start(), end).unwrap_or_default();
                    *place = hull(*place, typed);
                }
            }
            _ => {}
        }
    }
    close(&mut open, &mut found);
    found
}

fn hull(one: ByteRange, other: ByteRange) -> ByteRange {
    let (start, end) = (one.start().min(other.start()), one.end().max(other.end()));
    ByteRange::new(start, end).unwrap_or(one)
}

impl Burst {
    /// What would have been suggested before the first key.
    fn suggestion(&self) -> Option<(Text, Edit)> {
        let (start, _) = self.keys.first()?;
        let whole = ByteRange::new(ByteOffset::ZERO, start.end()).ok()?;
        let edit = Edit::from(Replacement::new(whole, self.end.to_string()));
        let edit = edit.trimmed(start).ok()?;
        let is_short = edit
            .replacements()
            .iter()
            .all(|it| it.new_text().len() < 4_000);
        (is_short && !edit.is_nothing()).then_some((start.clone(), edit))
    }

    fn kind(&self) -> Kind {
        let only = |edit: &Edit| edit.replacements()[0].clone();
        let keys: Vec<_> = self.keys.iter().map(|(_, edit)| only(edit)).collect();
        let is_pair = |text: &str| ["()", "[]", "{}", "<>", "\"\"", "''", "``"].contains(&text);
        if keys.iter().any(|key| is_pair(key.new_text())) {
            return Kind::Pair;
        }
        let is_completion = |key: &Replacement| {
            !key.range().is_empty() && !key.new_text().is_empty() || key.new_text().trim().len() > 1
        };
        if keys.iter().any(is_completion) {
            return Kind::Popup;
        }
        if keys.iter().any(|key| !key.range().is_empty()) {
            return Kind::Deletion;
        }
        let is_append = keys.windows(2).all(|pair| {
            let end = pair[0].range().start().get() + pair[0].new_text().len();
            pair[1].range().start().get() == end
        });
        match is_append {
            true => Kind::Append,
            false => Kind::Before,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Counted {
    bursts: u64,
    keys: u64,
    on_the_way: u64,
    exact: u64,
    wrong: u64,
    prefix: u64,
}

#[derive(Default)]
struct Table {
    kinds: BTreeMap<Kind, Counted>,
}

impl Table {
    fn add(&mut self, other: &Table) {
        for (kind, counted) in &other.kinds {
            let ours = self.kinds.entry(*kind).or_default();
            ours.bursts += counted.bursts;
            ours.keys += counted.keys;
            ours.on_the_way += counted.on_the_way;
            ours.exact += counted.exact;
            ours.wrong += counted.wrong;
            ours.prefix += counted.prefix;
        }
    }

    fn print(&self) {
        println!(
            "  {:<26} {:>7} {:>7} {:>11} {:>9} {:>7} {:>13}",
            "burst", "bursts", "keys", "on the way", "exact", "wrong", "prefix test"
        );
        let mut all = Counted::default();
        for (kind, counted) in &self.kinds {
            counted.print(kind.name());
            all.bursts += counted.bursts;
            all.keys += counted.keys;
            all.on_the_way += counted.on_the_way;
            all.exact += counted.exact;
            all.wrong += counted.wrong;
            all.prefix += counted.prefix;
        }
        all.print("all");
        println!();
    }

    /// Plays the keys of a burst after its final text was suggested.
    fn play(&mut self, burst: &Burst) {
        let Some((start, suggestion)) = burst.suggestion() else {
            return;
        };
        let counted = self.kinds.entry(burst.kind()).or_default();
        counted.bursts += 1;
        let mut editor = Editor::with(burst, &start, &suggestion);
        // What is left over is not counted: the burst is done.
        for (before, key) in burst.keys.iter().take(burst.keys.len() - 1) {
            let Ok(after) = key.apply(before) else {
                return;
            };
            counted.keys += 1;
            let offered = editor.types(key);
            let way = Way::of(&start, &suggestion, &after);
            let Some(way) = way.filter(|_| is_worth_showing(&after, &burst.end)) else {
                continue;
            };
            counted.on_the_way += 1;
            counted.prefix += u64::from(way.is_prefix);
            match offered.map(|edit| edit.apply(&after)) {
                Some(Ok(text)) if text == burst.end => counted.exact += 1,
                Some(_) => counted.wrong += 1,
                None if std::env::var_os("MISSED").is_some() => println!(
                    "  missed {}: {:?} at {:?} after {:?} {:?}, at the place: {:?}",
                    burst.kind().name(),
                    suggestion.replacements()[0].new_text(),
                    suggestion.span(),
                    key.span(),
                    key.replacements()[0].new_text(),
                    way.place
                ),
                None => {}
            }
        }
    }
}

impl Counted {
    fn print(&self, name: &str) {
        let share = |part: u64| part as f64 * 100.0 / self.on_the_way.max(1) as f64;
        println!(
            "  {name:<26} {:>7} {:>7} {:>11} {:>7.1} % {:>7} {:>11.1} %",
            self.bursts,
            self.keys,
            self.on_the_way,
            share(self.exact),
            self.wrong,
            share(self.prefix)
        );
    }
}

/// What stands at the place of a suggestion, if the person is on the way to it.
struct Way {
    place: String,
    is_prefix: bool,
}

impl Way {
    /// Found with strings alone.
    fn of(start: &Text, suggestion: &Edit, now: &Text) -> Option<Self> {
        let [only] = suggestion.replacements() else {
            return None;
        };
        let (from, to) = (only.range().start().get(), only.range().end().get());
        let (start, now) = (start.to_string(), now.to_string());
        let (front, back) = (start.get(..from)?, start.get(to..)?);
        let place = now.strip_prefix(front)?.strip_suffix(back)?;
        let new_text = only.new_text();
        let is_unfinished = place != new_text;
        (is_beginning_and_end(place, new_text) && is_unfinished).then(|| Way {
            place: place.to_owned(),
            is_prefix: only.range().is_empty() && only.new_text().starts_with(place),
        })
    }
}

/// Whether a text is the beginning of another and its end with something left out between, or its
/// beginning and closers that come later.
fn is_beginning_and_end(place: &str, whole: &str) -> bool {
    let pairs = place.chars().zip(whole.chars());
    let begins = pairs.take_while(|(one, other)| one == other).count();
    let ends = place.chars().rev().zip(whole.chars().rev());
    let ends = ends.take_while(|(one, other)| one == other).count();
    let length = place.chars().count();
    if length >= whole.chars().count() {
        return false;
    }
    let mut later = whole.chars().skip(begins);
    let is_closer = |c: char| ")]}>\"'`".contains(c);
    let mut closers = place.chars().skip(begins);
    begins + ends >= length || closers.all(|c| is_closer(c) && later.any(|other| other == c))
}

/// Whether the way from a text to another is more than white space, and not what follows anyway.
fn is_worth_showing(now: &Text, end: &Text) -> bool {
    let whole = ByteRange::new(ByteOffset::ZERO, now.end()).unwrap_or_default();
    let edit = Edit::from(Replacement::new(whole, end.to_string()));
    let edit = edit.trimmed(now).unwrap_or_default();
    let Some(only) = edit.replacements().first() else {
        return false;
    };
    let old = now.read(only.range()).unwrap_or_default();
    let is_blank = only.new_text().trim().is_empty() && old.trim().is_empty();
    let following = now.to_string().split_off(only.range().end().get());
    let is_echo = only.range().is_empty() && following.starts_with(only.new_text());
    !is_blank && !is_echo
}

/// An editor that asks after every key.
struct Editor {
    core: Core,
    document: DocumentId,
    asked: u64,
    now: u64,
}

impl Editor {
    /// One in which a suggestion was made.
    fn with(burst: &Burst, text: &Text, suggestion: &Edit) -> Self {
        let mut settings = Settings::default();
        settings.context.enabled = false;
        let mut editor = Editor {
            core: Core::new(Arc::new(settings)),
            document: DocumentId::new("file:///burst"),
            asked: 0,
            now: 0,
        };
        editor.tell(Event::DocumentOpened {
            document: editor.document.clone(),
            language: burst.language.clone(),
            version: Version::new(0),
            text: text.clone(),
        });
        let at = suggestion.span().unwrap_or_default().start();
        editor.ask(at);
        let request = RequestId::new(editor.asked);
        editor.tell(Event::LaneAnswered {
            request,
            lane: LaneKind::Fim,
            candidates: vec![LaneCandidate::new(
                editor.document.clone(),
                suggestion.clone(),
            )],
            usage: TokenUsage::default(),
            withheld: 0,
        });
        editor
    }

    /// Types a key and asks: what is offered without a lane.
    fn types(&mut self, key: &Edit) -> Option<Edit> {
        self.tell(Event::DocumentChanged {
            document: self.document.clone(),
            version: Version::new(self.asked as i64),
            edits: vec![key.clone()],
            reason: ChangeReason::Typed,
        });
        let typed = &key.replacements()[0];
        let at = typed.range().start().get() + typed.new_text().len();
        self.ask(ByteOffset::new(at))
    }

    fn ask(&mut self, at: ByteOffset) -> Option<Edit> {
        self.asked += 1;
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(self.asked),
            document: self.document.clone(),
            version: None,
            at,
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        }))
    }

    fn tell(&mut self, event: Event) -> Option<Edit> {
        self.now += 10;
        self.core.handle(Moment::from_millis(self.now), event);
        let mut offered = None;
        while let Some(action) = self.core.poll_action() {
            if let Action::Order(Order::Answer {
                answer: Answer::Candidates(offers),
                ..
            }) = action
            {
                offered = offers.into_iter().next().map(|offer| offer.candidate.edit);
            }
        }
        offered
    }
}
