//! A client that behaves as llama.vim does, to be measured beside. It is written from its manual, from what
//! its maintainers say in public of how it works, and from an article on it; it is no port of it.
//!
//! - At every key it looks among the answers that it has kept (250), by what stands around the cursor; then
//!   whether one that was kept for up to 128 characters before begins with what was typed since. What it
//!   finds is shown at once.
//! - If it finds nothing it asks, without waiting for a pause, unless more than 8 characters stand to the
//!   right of the cursor. One question is under way at a time and is never taken back; while it is, the next
//!   one is tried again every 100 ms. What comes too late is kept all the same.
//! - A question has 256 lines before the cursor and 64 behind it, the line so far as the `prompt` of
//!   `/infill`, one slot, and pieces of other places (the [`ring`]). It is not streamed. The first answer is
//!   to be short (250 ms).
//! - While something is shown, the text as it would be with it is asked about (1000 ms), so that accepting
//!   shows the next thing at once.
//!
//! None of these say the following, which is assumed and has not been compared with the program: the number
//! of the slot, how short the first answer is to be, that pieces are read in after 3 s without a key, how
//! far the cursor has to go until new ones are gathered, and how long a piece is.
//!
//! Absent: several answers for one place, and the filter for answers that repeat what follows, which noise
//! never does. Moving about without typing is not played to anybody.

mod ring;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use self::ring::ChunkRing;
use super::Client;
use crate::desk::{Desk, ScreenChange};
use crate::http;
use crate::session::OpenedDocument;

const PREFIX_LINES: usize = 256;
const SUFFIX_LINES: usize = 64;
const LONGEST_LINE_SUFFIX: usize = 8;
const MOST_KEPT: usize = 250;
/// How far back an answer is looked for that was typed into.
const TYPED_INTO: usize = 128;
const MOST_TOKENS: usize = 128;
const RETRY: Duration = Duration::from_millis(100);
/// How long the first answer may be written, and one that is asked for ahead.
const WRITING_MS: u64 = 250;
const WRITING_AHEAD_MS: u64 = 1000;
const RING_UPDATE: Duration = Duration::from_secs(1);
/// Pieces are read in when nothing has been typed for so long.
const RING_REST: Duration = Duration::from_secs(3);

/// The client.
pub(crate) struct LlamaVimClient {
    server: SocketAddr,
    events: mpsc::UnboundedReceiver<VimEvent>,
    told: mpsc::UnboundedSender<VimEvent>,
    is_asking: bool,
    has_retry: bool,
    kept: KeptAnswers,
    ring: ChunkRing,
    last_key: Instant,
    /// Where the cursor was last.
    place: Option<CursorPlace>,
}

/// A place in a document.
struct CursorPlace {
    path: String,
    cursor: usize,
}

enum VimEvent {
    /// The server answered what was asked about this context; nothing if it failed.
    Answered(ContextKey, Option<String>),
    /// It may be time to ask again.
    Retry,
    /// It may be time to read in a piece.
    RingUpdate,
}

impl LlamaVimClient {
    pub(crate) fn start(server: SocketAddr) -> Self {
        let (told, events) = mpsc::unbounded_channel();
        let ticks = told.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(RING_UPDATE).await;
                if ticks.send(VimEvent::RingUpdate).is_err() {
                    return;
                }
            }
        });
        LlamaVimClient {
            server,
            events,
            told,
            is_asking: false,
            has_retry: false,
            kept: KeptAnswers::default(),
            ring: ChunkRing::new(),
            last_key: Instant::now(),
            place: None,
        }
    }

    /// Shows what is kept, and asks for what comes next; or asks for something to show.
    fn suggest(&mut self, desk: &Desk) -> Option<ScreenChange> {
        let (before, behind) = desk.around();
        let Some(hint) = self.kept.hint(before, behind) else {
            let here = LocalContext::of(before, behind);
            self.ask(desk, &here, WRITING_MS);
            return None;
        };
        let accepted = format!("{before}{hint}");
        let ahead = LocalContext::of(&accepted, behind);
        self.ask(desk, &ahead, WRITING_AHEAD_MS);
        Some(ScreenChange::Show(hint))
    }

    fn ask(&mut self, desk: &Desk, context: &LocalContext, writing_ms: u64) {
        if context.line_suffix.chars().count() > LONGEST_LINE_SUFFIX {
            return;
        }
        let key = context.key();
        if self.kept.has(key) {
            return;
        }
        if self.is_asking {
            self.retry();
            return;
        }
        self.ring.gather(desk, PREFIX_LINES, SUFFIX_LINES);
        let body = json!({
            "id_slot": 0,
            "input_prefix": context.prefix,
            "input_suffix": context.suffix,
            "input_extra": self.ring.extra(),
            "prompt": context.middle,
            "n_predict": MOST_TOKENS,
            "n_indent": context.indent,
            "top_k": 40,
            "top_p": 0.99,
            "samplers": ["top_k", "top_p", "infill"],
            "stream": false,
            "cache_prompt": true,
            "t_max_prompt_ms": 500,
            "t_max_predict_ms": writing_ms,
        });
        self.is_asking = true;
        let (server, told) = (self.server, self.told.clone());
        tokio::spawn(async move {
            let answer = http::post(server, "/infill", &body).await;
            let text = answer
                .ok()
                .and_then(|it| Some(it["content"].as_str()?.to_owned()));
            let _ = told.send(VimEvent::Answered(key, text));
        });
    }

    fn retry(&mut self) {
        if std::mem::replace(&mut self.has_retry, true) {
            return;
        }
        let told = self.told.clone();
        tokio::spawn(async move {
            tokio::time::sleep(RETRY).await;
            let _ = told.send(VimEvent::Retry);
        });
    }

    /// Reads in a piece that was gathered, so that the server has it when it is asked.
    fn update_ring(&mut self) {
        if self.last_key.elapsed() < RING_REST || !self.ring.take_in() {
            return;
        }
        let body = json!({
            "id_slot": 0,
            "input_prefix": "",
            "input_suffix": "",
            "input_extra": self.ring.extra(),
            "prompt": "",
            "n_predict": 0,
            "samplers": [],
            "temperature": 0,
            "stream": false,
            "cache_prompt": true,
        });
        let server = self.server;
        tokio::spawn(async move {
            let _ = http::post(server, "/infill", &body).await;
        });
    }
}

impl Client for LlamaVimClient {
    fn open(&mut self, desk: &Desk, opened: &OpenedDocument) {
        let _ = (desk, opened);
    }

    fn change(&mut self, desk: &Desk, changes: &[Value]) -> Option<ScreenChange> {
        let _ = changes;
        self.last_key = Instant::now();
        let place = CursorPlace {
            path: desk.path.clone(),
            cursor: desk.cursor,
        };
        let left = self.place.replace(place);
        if left.as_ref().is_none_or(|it| it.path != desk.path) {
            let entered = &self.place;
            for place in [&left, entered].into_iter().flatten() {
                self.ring.pass(desk, place);
            }
        }
        self.suggest(desk).or(Some(ScreenChange::Clear))
    }

    async fn hear(&mut self, desk: &Desk) -> Option<ScreenChange> {
        match self.events.recv().await? {
            VimEvent::Answered(key, text) => {
                self.is_asking = false;
                if let Some(text) = text {
                    self.kept.keep(key, text);
                }
                // It may be about a text of some keys ago.
                let (before, behind) = desk.around();
                self.kept.hint(before, behind)?;
                self.suggest(desk)
            }
            VimEvent::Retry => {
                self.has_retry = false;
                self.suggest(desk)
            }
            VimEvent::RingUpdate => {
                self.update_ring();
                None
            }
        }
    }

    fn is_waiting(&self) -> bool {
        self.is_asking || self.has_retry
    }

    async fn leave(self) {}
}

/// What stands around a cursor, as it is sent.
struct LocalContext {
    prefix: String,
    /// The line up to the cursor.
    middle: String,
    /// The rest of the line.
    line_suffix: String,
    suffix: String,
    indent: usize,
}

impl LocalContext {
    fn of(before: &str, behind: &str) -> Self {
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        let (above, middle) = before.split_at_checked(line_start).unwrap_or(("", before));
        let lines: Vec<&str> = above.split_inclusive('\n').collect();
        let first = lines.len().saturating_sub(PREFIX_LINES);
        let mut below = behind.split_inclusive('\n');
        let rest = below.next().unwrap_or_default();
        let suffix: String = [rest].into_iter().chain(below.take(SUFFIX_LINES)).collect();
        LocalContext {
            prefix: lines[first..].concat(),
            middle: middle.to_owned(),
            line_suffix: rest.trim_end_matches(['\r', '\n']).to_owned(),
            suffix,
            indent: middle.len() - middle.trim_start().len(),
        }
    }

    fn key(&self) -> ContextKey {
        ContextKey::of(&self.prefix, &self.middle, &self.suffix)
    }
}

/// A context by what it says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ContextKey(u64);

impl ContextKey {
    fn of(prefix: &str, middle: &str, suffix: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (prefix, middle, suffix).hash(&mut hasher);
        ContextKey(hasher.finish())
    }
}

/// The answers, the latest of them.
#[derive(Default)]
struct KeptAnswers {
    answers: BTreeMap<ContextKey, String>,
    order: Vec<ContextKey>,
}

impl KeptAnswers {
    fn keep(&mut self, key: ContextKey, text: String) {
        if self.answers.insert(key, text).is_none() {
            self.order.push(key);
        }
        if self.order.len() > MOST_KEPT {
            let oldest = self.order.remove(0);
            self.answers.remove(&oldest);
        }
    }

    fn has(&self, key: ContextKey) -> bool {
        self.answers.contains_key(&key)
    }

    /// What to show: the answer for this place, or the most that is left of one that was typed into.
    fn hint(&self, before: &str, behind: &str) -> Option<String> {
        let here = LocalContext::of(before, behind);
        if let Some(exact) = self.shown(here.key(), "") {
            return Some(exact);
        }
        let places = here.middle.char_indices().rev().take(TYPED_INTO);
        let hints = places.filter_map(|(at, _)| {
            let (middle, typed) = here.middle.split_at_checked(at)?;
            self.shown(ContextKey::of(&here.prefix, middle, &here.suffix), typed)
        });
        hints.max_by_key(String::len)
    }

    fn shown(&self, key: ContextKey, typed: &str) -> Option<String> {
        let rest = self.answers.get(&key)?.strip_prefix(typed)?;
        let rest = rest.trim_end_matches('\n');
        (!rest.trim().is_empty()).then(|| rest.to_owned())
    }
}
