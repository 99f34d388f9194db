//! What is drawn at the cursor leads to what was offered, or is not drawn: the text that taking the
//! rest of a suggestion makes, compared with the text that taking all of it would have made. And it
//! takes nothing away that the person wrote since: whatever they wrote, on balance, stands in that
//! text where they wrote it.
//!
//! The machine checks each thing it remembers against itself. Only whole texts, kept outside of it,
//! tell whether what it remembers is still the suggestion that the person saw. So the sessions here
//! are played against a `Vec` of the texts that were offered: a person types what is offered, or
//! something else, deletes and types again, all at the place; whatever is answered as carried must
//! make one of those texts.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a session that goes wrong should stop where it does"
)]

use std::sync::Arc;

use foretell_core::{
    Action, Answer, Core, Event, LaneCandidate, Moment, Offer, OfferedFrom, Order, RequestCause,
    RequestId, RequestKind, SuggestionRequest, TokenUsage,
};
use foretell_settings::Settings;
use foretell_testkit::story_editor::{Editor, delete, fim_alone, insert, replace};
use foretell_testkit::string_model;
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, LaneKind, Language, OffsetBias, Text, Version,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;

/// What texts, suggestions and keys are made of: few pieces, so that they repeat themselves and each
/// other.
const PIECES: [&str; 12] = [
    "a", "a", "b", "ab", "(", ")", "()", "\"", " ", "\n", "\r\n", "é",
];

/// How many sessions are played.
const SESSIONS: u32 = 4_000;

mod replacing {
    //! FIM has offered `new` for `old` in `f(old)`, and the person types before it.

    use super::*;

    fn offered() -> Editor {
        let mut editor = Editor::with_settings("f(old)", fim_alone);
        editor.place_cursor(1, 3);
        let request = editor.ask();
        editor.lane_answers(request, LaneKind::Fim, &[replace(2, 5, "new")]);
        editor.log();
        editor
    }

    fn asks(editor: &mut Editor) -> Vec<String> {
        editor.log();
        editor.ask();
        editor.log()
    }

    #[test]
    fn typing_the_first_character_is_on_the_way() {
        let mut editor = offered();
        editor.type_keys("n");
        assert_eq!(
            asks(&mut editor),
            [r#"0ms answer r2: [3, 6) -> "ew" (fim, carried)"#]
        );
    }

    #[test]
    fn typing_the_first_character_twice_is_not() {
        let mut editor = offered();
        editor.type_keys("nn");
        assert_eq!(asks(&mut editor), ["0ms start r2 fim"]);
    }

    #[test]
    fn typing_the_beginning_and_then_all_of_it_is_not() {
        let mut editor = offered();
        for (typed, key) in "nenew".char_indices() {
            editor.type_keys(&key.to_string());
            let is_carried = asks(&mut editor)[0].ends_with("carried)");
            assert_eq!(is_carried, typed < 2, "after {} keys", typed + 1);
        }
    }

    #[test]
    fn deleting_the_second_of_them_comes_back_to_it() {
        let mut editor = offered();
        editor.type_keys("nn");
        editor.backspace();
        assert_eq!(
            asks(&mut editor),
            [r#"0ms answer r2: [3, 6) -> "ew" (fim, carried)"#]
        );
    }

    #[test]
    fn a_paste_before_it_that_is_too_long_to_look_at_ends_it() {
        let mut editor = offered();
        let pasted = "x".repeat(20_000);
        editor.edit(insert(2, &pasted));
        assert_eq!(asks(&mut editor), ["0ms start r2 fim"]);
    }

    #[test]
    fn what_was_rejected_is_not_what_comes_of_typing_its_first_character_twice() {
        let mut editor = Editor::with("f(old)");
        editor.reject(&replace(2, 5, "new"));
        editor.type_at(2, "n");
        assert!(editor.rejects(&replace(3, 6, "ew")), "the rest of it");
        editor.type_at(3, "n");
        assert_eq!(editor.text(), "f(nnold)");
        assert!(!editor.rejects(&replace(4, 7, "ew")), "nobody offered this");
        // Here the person can be taken to have typed something else before it.
        assert!(editor.rejects(&replace(4, 7, "new")));
        editor.edit(delete(3, 4));
        assert!(editor.rejects(&replace(3, 6, "ew")), "the rest again");
    }
}

/// A key that is pressed at the cursor.
#[derive(Clone, Debug)]
enum Key {
    /// The character that a suggestion has here.
    Next(Index),
    /// So many that a suggestion has here, in the place of as many typed before: a popup completion.
    Complete(Index, usize),
    Other(&'static str),
    /// An opener that the editor closes, with the cursor in between.
    Pair(&'static str),
    /// The cursor goes back by a character.
    Left,
    Backspace,
    Delete,
}

fn key() -> impl Strategy<Value = Key> {
    prop_oneof![
        8 => any::<Index>().prop_map(Key::Next),
        1 => (any::<Index>(), 1..4_usize).prop_map(|(which, len)| Key::Complete(which, len)),
        3 => select(&PIECES[..]).prop_map(Key::Other),
        1 => select(&["()", "\"\""][..]).prop_map(Key::Pair),
        1 => Just(Key::Left),
        4 => Just(Key::Backspace),
        1 => Just(Key::Delete),
    ]
}

fn text(pieces: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    vec(select(&PIECES[..]), pieces).prop_map(|pieces| pieces.concat())
}

/// What is offered at the cursor: how many characters are replaced, mostly none, and by what.
fn suggestion() -> impl Strategy<Value = (usize, String)> {
    (prop_oneof![Just(0), 0..4_usize], text(1..6))
}

/// The machine, and the texts that accepting would have led to.
struct Session {
    core: Core,
    document: DocumentId,
    cursor: usize,
    version: i64,
    requests: u64,
    /// The text that it was offered in.
    origin: String,
    /// In the order of the answer.
    targets: Vec<String>,
    /// How often something was carried.
    carried: usize,
}

impl Session {
    /// A text in which something was offered at a place.
    fn new(text: &str, at: Index, suggestions: &[(usize, String)]) -> Self {
        let mut settings = Settings::default();
        fim_alone(&mut settings);
        let places = string_model::boundaries(text);
        let start = at.index(places.len());
        let mut session = Session {
            core: Core::new(Arc::new(settings)),
            document: DocumentId::new("file:///test.rs"),
            cursor: places[start].get(),
            version: 0,
            requests: 0,
            origin: text.to_owned(),
            targets: Vec::new(),
            carried: 0,
        };
        session.tell(Event::DocumentOpened {
            document: session.document.clone(),
            language: Language::new("rust"),
            version: Version::new(0),
            text: Text::from(text),
        });
        let edits = suggestions.iter().map(|(len, new_text)| {
            let end = places[(start + len).min(places.len() - 1)];
            replace(session.cursor, end.get(), new_text)
        });
        session.answer(&edits.collect::<Vec<_>>());
        session
    }

    /// Lets FIM answer, and notes where what is offered leads.
    fn answer(&mut self, edits: &[Edit]) {
        self.ask();
        let candidates = edits
            .iter()
            .map(|edit| LaneCandidate::new(self.document.clone(), edit.clone()));
        let actions = self.tell(Event::LaneAnswered {
            request: RequestId::new(self.requests),
            lane: LaneKind::Fim,
            candidates: candidates.collect(),
            usage: TokenUsage::default(),
            withheld: 0,
        });
        self.targets = offers(&actions).map(|offer| self.taking(offer)).collect();
    }

    /// Presses a key, and checks what is drawn after it.
    fn press(&mut self, key: &Key) {
        let Some(edit) = self.edit(key) else {
            return;
        };
        self.cursor = edit
            .map_offset(ByteOffset::new(self.cursor), OffsetBias::After)
            .get();
        if let Key::Pair(_) = key {
            self.cursor -= 1;
        }
        if let Key::Left = key {
            let before = self.text()[..self.cursor].chars().next_back();
            self.cursor -= before.map_or(0, char::len_utf8);
        } else {
            self.version += 1;
            self.tell(Event::DocumentChanged {
                document: self.document.clone(),
                version: Version::new(self.version),
                edits: vec![edit],
                reason: ChangeReason::Typed,
            });
        }
        let actions = self.ask();
        let carried = offers(&actions).filter(|offer| offer.from == OfferedFrom::Carried);
        let made: Vec<_> = carried.map(|offer| self.taking(offer)).collect();
        self.carried += made.len();
        // Each candidate leads to its own text, so they come in the order of the answer.
        let mut targets = self.targets.iter();
        assert!(
            made.iter().all(|made| targets.any(|target| target == made)),
            "in {:?} carried to {made:?}, offered was {:?}",
            self.text(),
            self.targets
        );
        for target in &made {
            assert!(
                self.is_kept_by(target),
                "{:?} became {:?}, with the cursor at {}, and is to become {target:?}",
                self.origin,
                self.text(),
                self.cursor
            );
        }
        // A lane that would answer something else does not come to it.
        let request = RequestId::new(self.requests);
        self.tell(Event::RequestCancelled { request });
    }

    /// Whether a target has what was written since the offer, on balance, where it was written: all of
    /// it, but for closers at its end that come further on; or around one gap, unless the cursor is
    /// behind that; or all but blanks in which a line begins that they began. Where characters repeat, it is enough that it can be read like this.
    fn is_kept_by(&self, target: &str) -> bool {
        let now = self.text();
        let alike = |other: &str| {
            let (prefix, suffix) = (string_model::common_prefix, string_model::common_suffix);
            (prefix(other, &now), suffix(other, &now))
        };
        let (prefix, suffix) = alike(&self.origin);
        let shorter = now.len().min(self.origin.len());
        let (before, behind) = alike(target);
        let has_gap = before + behind >= now.len();
        let starts = (0..=prefix).filter(|start| now.is_char_boundary(*start));
        let mut readings = starts.map(|start| (start, now.len() - suffix.min(shorter - start)));
        readings.any(|(start, end)| {
            let written = now.get(start..end).unwrap_or("");
            let open = written.trim_end_matches([')', '"']);
            let comes_next = (start + open.len()..=end)
                .any(|cut| has_closers_further_on(target, &now[..cut], &now[cut..end]));
            let is_behind = start < self.cursor && self.cursor <= end && before < self.cursor;
            let is_free = has_other_indent(target, &now, start..end);
            written.is_empty() || comes_next || has_gap && !is_behind || is_free
        })
    }

    /// What a key does, if it does anything here.
    fn edit(&self, key: &Key) -> Option<Edit> {
        let text = self.text();
        let cursor = self.cursor;
        let (before, behind) = text.split_at(cursor);
        Some(match key {
            Key::Next(which) => insert(cursor, &self.offered_here(*which, 1)?),
            Key::Complete(which, len) => {
                let typed = before
                    .chars()
                    .rev()
                    .take(*len)
                    .map(char::len_utf8)
                    .sum::<usize>();
                let next = self.offered_here(*which, *len)?;
                let typed = &before[cursor - typed..];
                replace(cursor - typed.len(), cursor, &format!("{typed}{next}"))
            }
            Key::Other(piece) | Key::Pair(piece) => insert(cursor, piece),
            Key::Left => Edit::empty(),
            Key::Backspace => delete(cursor - before.chars().next_back()?.len_utf8(), cursor),
            Key::Delete => delete(cursor, cursor + behind.chars().next()?.len_utf8()),
        })
    }

    /// The characters that a suggestion has where the cursor is.
    fn offered_here(&self, which: Index, len: usize) -> Option<String> {
        let target = self.targets.get(which.index(self.targets.len().max(1)))?;
        let behind = target.get(self.cursor..)?;
        Some(behind.chars().take(len).collect())
    }

    fn ask(&mut self) -> Vec<Action> {
        self.requests += 1;
        self.tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(self.requests),
            document: self.document.clone(),
            version: Some(Version::new(self.version)),
            at: ByteOffset::new(self.cursor),
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        }))
    }

    /// Tells the machine something, lets it check itself, and gives what it wants.
    fn tell(&mut self, event: Event) -> Vec<Action> {
        let now = Moment::from_millis(self.version.unsigned_abs() * 50);
        self.core.handle(now, event);
        self.core.assert_invariants();
        std::iter::from_fn(|| self.core.poll_action()).collect()
    }

    /// The text that taking an offer makes.
    fn taking(&self, offer: &Offer) -> String {
        string_model::apply(&self.text(), &offer.candidate.edit)
    }

    fn text(&self) -> String {
        self.core.text(&self.document).unwrap().to_string()
    }
}

/// Whether a target is a text but for some of the blanks in which a line of a stretch begins.
fn has_other_indent(target: &str, now: &str, written: std::ops::Range<usize>) -> bool {
    let is_end = |at: &usize| matches!(now.as_bytes()[*at], b'\n' | b'\r');
    written.clone().filter(is_end).any(|line| {
        let blanks = now[line + 1..].bytes().take_while(|it| *it == b' ');
        let last = written.end.min(line + 1 + blanks.count());
        (line + 1..=last).any(|start| {
            let rest = target.strip_prefix(&now[..start]).unwrap_or("\0");
            (start..=last).any(|end| rest.ends_with(&now[end..]))
        })
    })
}

/// Whether a target begins with some text, and closers of what is opened in that come behind it.
fn has_closers_further_on(target: &str, open: &str, closers: &str) -> bool {
    let mut behind = target.strip_prefix(open);
    for closer in closers.chars() {
        let opener = if closer == ')' { '(' } else { closer };
        let was_opened = open.contains(opener);
        behind = behind.and_then(|it| Some(it.split_once(closer)?.1).filter(|_| was_opened));
    }
    behind.is_some()
}

/// Everything that is offered.
fn offers(actions: &[Action]) -> impl Iterator<Item = &Offer> {
    actions.iter().flat_map(|action| match action {
        Action::Order(Order::Answer {
            answer: Answer::Candidates(offers),
            ..
        }) => offers.as_slice(),
        _ => &[],
    })
}

#[test]
fn what_is_carried_leads_to_what_was_offered_and_keeps_what_was_written() {
    let mut runner = TestRunner::new(ProptestConfig::with_cases(SESSIONS));
    let carried = std::cell::Cell::new(0);
    let sessions = (
        text(0..8),
        any::<Index>(),
        vec(suggestion(), 1..4),
        vec(key(), 1..12),
    );
    let played = runner.run(&sessions, |(text, at, suggestions, keys)| {
        let mut session = Session::new(&text, at, &suggestions);
        keys.iter().for_each(|key| session.press(key));
        carried.set(carried.get() + session.carried);
        Ok(())
    });
    played.unwrap();
    // A rule that is never put to the test holds easily.
    assert!(carried.get() > SESSIONS as usize, "{carried:?}");
}
