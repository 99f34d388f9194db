//! How requests are paced for people who type in very different ways, and where nobody types at all.
//!
//! A person is a list of gaps between keys. What the machine does for them is compared with what it does
//! when every request waits the same time, and that is as long as the wait after the last key was on average
//! in the pauses that were served.
#![allow(
    clippy::unwrap_used,
    reason = "a person who cannot be played should stop the test where that is"
)]

use std::sync::Arc;

use foretell_core::{
    Action, Core, Event, GAP_STEPS, Moment, Order, RequestCause, RequestId, RequestKind,
    SuggestionRequest, TokenUsage, TypingGaps,
};
use foretell_settings::{Millis, Settings};
use foretell_text::{
    ByteOffset, ByteRange, ChangeReason, DocumentId, Edit, Language, Replacement, Text, Version,
};

/// A gap of more than this is a pause.
const PAUSE: u64 = 1_000;

/// A document in which somebody types, and the editor asks after every key.
struct TypingDesk {
    core: Core,
    now: u64,
    text: Text,
    asked: u64,
    last_key: u64,
    /// How long after the last key the first lane was started.
    first_start: Option<u64>,
    starts: u64,
    waits: Vec<u64>,
    pauses: u64,
}

impl TypingDesk {
    fn new(change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings::default();
        settings.context.enabled = false;
        settings.lanes.next_edit.enabled = false;
        settings.lanes.fix.enabled = false;
        change(&mut settings);
        let mut core = Core::new(Arc::new(settings));
        let text = Text::from("fn main() {\n\n}\n");
        core.handle(
            Moment::default(),
            Event::DocumentOpened {
                document: document(),
                language: Language::new("rust"),
                version: Version::new(0),
                text: text.clone(),
            },
        );
        TypingDesk {
            core,
            now: 0,
            text,
            asked: 0,
            last_key: 0,
            first_start: None,
            starts: 0,
            waits: Vec::new(),
            pauses: 0,
        }
    }

    /// The text changes, after a while.
    fn change(&mut self, gap: u64, edit: &Edit, reason: ChangeReason) {
        let until = self.now + gap;
        while let Some(due) = self.core.poll_timeout().filter(|due| due.millis() < until) {
            self.core.handle_timeout(due);
            self.hear(due.millis());
        }
        self.now = until;
        self.text = edit.apply(&self.text).unwrap();
        let changed = Event::DocumentChanged {
            document: document(),
            version: Version::new(0),
            edits: vec![edit.clone()],
            reason,
        };
        self.core.handle(Moment::from_millis(until), changed);
        self.hear(until);
    }

    /// A key is typed after a gap, and the editor asks.
    fn key(&mut self, gap: u64, key: &str) {
        if gap > PAUSE {
            self.pauses += 1;
        }
        let at = ByteOffset::new(12);
        self.change(
            gap,
            &Replacement::insertion(at, key).into(),
            ChangeReason::Typed,
        );
        if let Some(first) = self.first_start.take().filter(|_| gap > PAUSE) {
            self.waits.push(first);
        }
        self.last_key = self.now;
        self.asked += 1;
        let asked = SuggestionRequest {
            request: RequestId::new(self.asked),
            document: document(),
            version: None,
            at: ByteOffset::new(12 + key.len()),
            cause: RequestCause::Automatic,
            kind: RequestKind::Inline,
        };
        let now = Moment::from_millis(self.now);
        self.core.handle(now, Event::SuggestionRequested(asked));
        self.hear(self.now);
    }

    /// Lanes that are started have nothing to say.
    fn hear(&mut self, now: u64) {
        while let Some(action) = self.core.poll_action() {
            let Action::Order(Order::StartLane { request, lane, .. }) = action else {
                continue;
            };
            self.starts += 1;
            self.first_start = self.first_start.or(Some(now - self.last_key));
            let answered = Event::LaneAnswered {
                request,
                lane,
                candidates: Vec::new(),
                usage: TokenUsage::default(),
                withheld: 0,
            };
            self.core.handle(Moment::from_millis(now), answered);
        }
    }

    /// The mean wait in the pauses that were served.
    fn mean_wait(&self) -> f64 {
        self.waits.iter().sum::<u64>() as f64 / self.waits.len().max(1) as f64
    }

    /// How many of the pauses were served within some time, of a hundred.
    fn served_within(&self, millis: u64) -> f64 {
        let served = self.waits.iter().filter(|wait| **wait <= millis).count();
        served as f64 * 100.0 / self.pauses.max(1) as f64
    }
}

fn document() -> DocumentId {
    DocumentId::new("file:///main.rs")
}

/// Numbers that look as if there was no order in them, the same every time.
struct Shuffled(u64);

impl Shuffled {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// The keys of somebody, who types a word in so many milliseconds a key, is slower between words, and of a
/// hundred words pauses after so many.
fn person(millis: u64, words: u64, pauses: u64) -> Vec<(u64, &'static str)> {
    let mut shuffled = Shuffled(millis);
    let mut keys = Vec::new();
    for _ in 0..words {
        for letter in ["v", "a", "l", "u", "e"] {
            keys.push((millis / 2 + shuffled.below(millis + 1), letter));
        }
        keys.push((millis + shuffled.below(2 * millis + 1), " "));
        if shuffled.below(100) < pauses {
            keys.push((millis + shuffled.below(millis + 1), ";"));
            keys.push((PAUSE + 1 + shuffled.below(4 * PAUSE), "v"));
        }
    }
    keys
}

fn typed(
    keys: &[(u64, &str)],
    known: Option<&TypingGaps>,
    change: impl FnOnce(&mut Settings),
) -> TypingDesk {
    let mut desk = TypingDesk::new(change);
    if let Some(gaps) = known {
        let gaps = gaps.clone();
        desk.core
            .handle(Moment::default(), Event::TypingGapsKnown { gaps });
    }
    for (gap, key) in keys {
        desk.key(*gap, key);
    }
    desk
}

/// How many lanes a fixed wait starts.
fn starts_of_fixed(keys: &[(u64, &str)], wait: f64) -> f64 {
    let fixed = |wait: u64| {
        let desk = typed(keys, None, |settings| {
            settings.pace.rhythm = false;
            settings.pace.base = Millis::new(wait);
        });
        desk.starts as f64
    };
    // Between the two whole steps around it, since the machine waits whole milliseconds.
    let below = wait.floor();
    let (low, high) = (fixed(below as u64), fixed(below as u64 + 1));
    low + (high - low) * (wait - below)
}

/// By how much more lanes are started for somebody than by a fixed wait of the same mean.
fn more_than_fixed(keys: &[(u64, &str)], known: Option<&TypingGaps>) -> f64 {
    let ours = typed(keys, known, |_| {});
    ours.starts as f64 / starts_of_fixed(keys, ours.mean_wait()) - 1.0
}

#[test]
fn a_person_of_150_words_a_minute_is_served_in_pauses_and_not_between_keys() {
    let keys = person(66, 400, 8);
    let desk = typed(&keys, None, |_| {});
    assert!(more_than_fixed(&keys, None) <= 0.05);
    assert!(desk.served_within(500) >= 80.0);
    assert!(desk.served_within(PAUSE) >= 98.0);
    assert!(
        desk.starts < desk.pauses * 2,
        "{} for {}",
        desk.starts,
        desk.pauses
    );
}

#[test]
fn a_person_of_two_words_a_minute_is_served_at_every_key_at_once() {
    let keys = person(6_000, 40, 8);
    let desk = typed(&keys, None, |_| {});
    assert!(more_than_fixed(&keys, None) <= 0.05);
    assert!(desk.served_within(PAUSE) >= 98.0);
    let last = &desk.waits[desk.waits.len() - 20..];
    assert!(last.iter().all(|wait| *wait <= 150), "{last:?}");
}

#[test]
fn people_of_every_speed_are_served_no_worse_than_by_a_fixed_wait() {
    for millis in [66, 120, 200, 260] {
        for pauses in [2, 15, 40] {
            let more = more_than_fixed(&person(millis, 250, pauses), None);
            assert!(more <= 0.05, "{millis} ms, {pauses} pauses: {more:+.3}");
        }
    }
}

#[test]
fn a_learned_history_of_somebody_else_does_no_harm_after_minutes() {
    let slow = typed(&person(260, 400, 40), None, |_| {});
    let fast = typed(&person(66, 400, 2), None, |_| {});
    let people = [
        (66, 8, slow.core.typing_gaps()),
        (260, 15, fast.core.typing_gaps()),
    ];
    for (millis, pauses, stranger) in people {
        // The first three minutes, and what follows.
        let keys = person(millis, 400, pauses);
        let more = more_than_fixed(&keys, Some(&stranger));
        assert!(more <= 0.05, "{millis} ms: {more:+.3}");
    }
}

#[test]
fn what_was_learned_yesterday_serves_from_the_first_pause() {
    let keys = person(150, 300, 15);
    let yesterday = typed(&keys, None, |_| {}).core.typing_gaps();
    let (first, later) = (
        typed(&keys[..600], None, |_| {}),
        typed(&keys[..600], Some(&yesterday), |_| {}),
    );
    assert!(
        later.mean_wait() <= first.mean_wait(),
        "{} and {}",
        later.mean_wait(),
        first.mean_wait()
    );
    assert!(
        later.starts <= first.starts + first.starts / 20,
        "{} and {}",
        later.starts,
        first.starts
    );
}

#[test]
fn a_clock_that_stands_still_keeps_nobody_waiting_for_long() {
    let keys: Vec<(u64, &str)> = (0..5_000).map(|_| (0, "v")).collect();
    let mut desk = typed(&keys, None, |_| {});
    desk.key(PAUSE + 1, "v");
    assert!(desk.served_within(800) >= 100.0, "{:?}", desk.waits);
}

#[test]
fn a_paste_of_a_megabyte_is_one_stroke() {
    let mut desk = TypingDesk::new(|_| {});
    for (gap, key) in person(100, 50, 10) {
        desk.key(gap, key);
    }
    let before = desk.core.typing_gaps().count();
    let paste = "let value = [1, 2, 3];\n".repeat(45_000);
    desk.key(300, &paste);
    desk.key(PAUSE + 500, "v");
    assert_eq!(desk.core.typing_gaps().count(), before + 2);
    assert!(*desk.waits.last().unwrap() <= 800);
}

#[test]
fn a_formatter_that_rewrites_everything_at_every_save_is_no_typing() {
    let keys = person(120, 300, 10);
    let mut desk = TypingDesk::new(|_| {});
    for (gap, key) in &keys {
        // A save after every statement: all lines are written anew while the person pauses.
        if *key == "v" && *gap > PAUSE {
            let whole = ByteRange::new(ByteOffset::ZERO, desk.text.end()).unwrap();
            let same = Replacement::new(whole, desk.text.to_string());
            desk.change(900, &Edit::from(same), ChangeReason::Other);
            desk.key(gap - 900, key);
        } else {
            desk.key(*gap, key);
        }
    }
    let undisturbed = typed(&keys, None, |_| {});
    assert_eq!(desk.core.typing_gaps(), undisturbed.core.typing_gaps());
}

#[test]
fn typing_is_kept_by_the_name_of_its_place_and_says_nothing_of_letters() {
    let gaps = typed(&person(150, 20, 50), None, |_| {}).core.typing_gaps();
    let names: Vec<String> = gaps.rows().map(|(place, _)| place).collect();
    let known = [
        "word", "blank", "end", "deletion", "block", "opener", "sign", "move",
    ];
    assert!(
        names
            .iter()
            .all(|name| known.contains(&name.split('.').next().unwrap()))
    );
    let rows: Vec<(String, [u16; GAP_STEPS])> =
        gaps.rows().map(|(place, row)| (place, *row)).collect();
    let again = TypingGaps::from_rows(rows.iter().map(|(place, row)| (place.as_str(), *row)));
    assert_eq!(again, gaps);
}
