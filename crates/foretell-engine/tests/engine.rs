//! The loop with lanes that do as they are told, on tokio's paused clock: no test waits.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that is wrong about its own input should stop at once and say where"
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use foretell_context::{
    ContextEntry, ContextSection, EntrySpacing, Exclude, Redactor, TokenEstimate,
};
use foretell_core::{
    Answer, Event, Fact, FactScene, Measurement, Moment, Note, Observer, Order, Reason,
    RequestCause, RequestId, RequestKind, Spot, SuggestionRequest,
};
use foretell_engine::{ContextSource, ContextWish, Engine, EngineSurroundings, Search, UsageFile};
use foretell_lanes::{Lane, LaneAnswer, LaneFuture, LaneRequest, NoCode};
use foretell_settings::Settings;
use foretell_settings::choice::BackEnd;
use foretell_settings::settings::{ContextProviders, ProviderSettings};
use foretell_text::{
    ByteOffset, ChangeReason, DocumentId, Edit, FailureKind, FilePath, LaneCandidate, LaneKind,
    Language, Replacement, Text, TokenUsage, Version,
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// A lane that does as it is told, and knows how many of its calls are alive.
#[derive(Default)]
struct Played {
    does: BTreeMap<LaneKind, Does>,
    alive: Arc<AtomicUsize>,
    told: Mutex<Vec<(LaneKind, Arc<LaneRequest>)>>,
}

#[derive(Clone, Copy)]
enum Does {
    /// Suggests `!` at the cursor, after so many milliseconds.
    Suggest(u64),
    /// Suggests a text at the cursor.
    Write(&'static str),
    /// The same, and wants a context.
    SuggestWithContext(u64),
    Hang,
    Panic,
}

struct PlayedLane(Arc<Played>, LaneKind);

struct Alive(Arc<AtomicUsize>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Lane for PlayedLane {
    fn ask(&self, request: Arc<LaneRequest>, _: CancellationToken) -> LaneFuture {
        let played = Arc::clone(&self.0);
        let does = played.does.get(&self.1).copied();
        let told = (self.1, Arc::clone(&request));
        played.told.lock().unwrap().push(told);
        played.alive.fetch_add(1, Ordering::SeqCst);
        let alive = Alive(Arc::clone(&played.alive));
        Box::pin(async move {
            let _alive = alive;
            match does {
                Some(Does::Suggest(millis) | Does::SuggestWithContext(millis)) => {
                    sleep(Duration::from_millis(millis)).await;
                    Ok(insertion(&request, "!"))
                }
                Some(Does::Write(text)) => Ok(insertion(&request, text)),
                Some(Does::Hang) => std::future::pending().await,
                Some(Does::Panic) => panic!("it was told to"),
                None => Ok(LaneAnswer::default()),
            }
        })
    }

    fn tells_others(&self) -> bool {
        let does = self.0.does.get(&self.1);
        matches!(does, Some(Does::SuggestWithContext(_)))
    }
}

fn insertion(request: &LaneRequest, text: &str) -> LaneAnswer {
    let edit = Edit::from(Replacement::insertion(request.at, text));
    LaneAnswer {
        candidates: vec![LaneCandidate::new(request.document.id.clone(), edit)],
        ..LaneAnswer::default()
    }
}

/// A source that has something to say, after a while, and counts how often it is asked.
#[derive(Default)]
struct Slow(AtomicUsize);

impl ContextSource for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn provider(&self, settings: &ContextProviders) -> ProviderSettings {
        settings.history.clone()
    }

    fn find(&self, _: Arc<foretell_context::ContextRequest>, _: usize) -> Search {
        self.0.fetch_add(1, Ordering::SeqCst);
        Box::pin(async {
            sleep(Duration::from_millis(100)).await;
            Ok(Some(ContextSection {
                heading: "What is known".into(),
                entries: vec![ContextEntry {
                    code: None,
                    file: None,
                    text: "a great deal\n".into(),
                    secrets: Vec::new(),
                }],
                spacing: EntrySpacing::Lines,
            }))
        })
    }
}

/// Excludes files with `secret` in their name.
struct Secrets;

impl Exclude for Secrets {
    fn excludes(&self, file: &FilePath) -> bool {
        if file.as_str().contains("slow") {
            std::thread::sleep(Duration::from_secs(2));
        }
        file.as_str().contains("secret")
    }
}

/// A disk that does not answer while the test holds the other end, and counts how often it is asked.
#[derive(Clone)]
struct Stuck(Arc<AtomicUsize>, Arc<Mutex<Receiver<()>>>);

impl Stuck {
    fn new() -> (Self, Sender<()>) {
        let (hold, held) = channel();
        (Stuck(Arc::default(), Arc::new(Mutex::new(held))), hold)
    }

    fn asked(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Exclude for Stuck {
    fn excludes(&self, _: &FilePath) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        let over = self.1.lock().unwrap().recv();
        assert!(over.is_err(), "nobody sends");
        false
    }
}

/// Excludes everything, and says why; or breaks.
struct Everything;

impl Exclude for Everything {
    fn excludes(&self, file: &FilePath) -> bool {
        assert!(!file.as_str().contains("broken"), "it was told to break");
        true
    }

    fn why_excluded(&self, file: &FilePath) -> Option<String> {
        self.excludes(file).then(|| "it is everything".to_owned())
    }
}

/// A model that is told contexts, but none are gathered.
fn to_a_model(settings: &mut Settings) {
    settings.lanes.fim.kind = BackEnd::OpenAi;
    settings.context.enabled = false;
}

/// Keeps the notes of an engine.
struct NotesSeen(Arc<Mutex<Vec<Note>>>);

impl Observer for NotesSeen {
    fn saw(&mut self, _: Moment, fact: Fact<'_>, _: &FactScene<'_>) {
        if let Fact::Note(note) = fact {
            self.0.lock().unwrap().push(note.clone());
        }
    }
}

/// Hands on what an engine measures, but for requests.
struct MeasurementsSeen(Sender<Measurement>);

impl Observer for MeasurementsSeen {
    fn saw(&mut self, _: Moment, fact: Fact<'_>, _: &FactScene<'_>) {
        match fact {
            Fact::Measurement(Measurement::Answered { .. }) => {}
            Fact::Measurement(it) => self.0.send(*it).unwrap(),
            _ => {}
        }
    }
}

/// An engine whose lanes are played, and whoever has it.
struct Story {
    engine: Engine,
    surroundings: EngineSurroundings,
    lanes: Arc<Played>,
    source: Arc<Slow>,
    asked: u64,
    answers: BTreeMap<u64, Answer>,
    notes: Arc<Mutex<Vec<Note>>>,
}

impl Story {
    fn with(does: impl IntoIterator<Item = (LaneKind, Does)>) -> Self {
        Story::with_settings(does, |_| {}, None)
    }

    fn with_settings(
        does: impl IntoIterator<Item = (LaneKind, Does)>,
        change: impl FnOnce(&mut Settings),
        usage: Option<UsageFile>,
    ) -> Self {
        let mut settings = Settings::default();
        change(&mut settings);
        let lanes = Arc::new(Played {
            does: does.into_iter().collect(),
            ..Played::default()
        });
        let played = Arc::clone(&lanes);
        let source = Arc::new(Slow::default());
        let surroundings = EngineSurroundings {
            lanes: Arc::new(move |lane, _| Arc::new(PlayedLane(Arc::clone(&played), lane))),
            code: Arc::new(NoCode),
            sources: vec![Arc::clone(&source) as _],
            counter: Arc::new(TokenEstimate),
            redactor: Redactor::new(),
            exclude: Arc::new(Secrets),
            name: Arc::new(|document| FilePath::new(document.as_str())),
            folder: Arc::new(|_| None),
            usage: usage.map(Arc::new),
            speeds: None,
            typing: None,
        };
        let mut engine = Engine::new(Arc::new(settings), surroundings.clone());
        let notes = Arc::default();
        engine.observe(NotesSeen(Arc::clone(&notes)));
        Story {
            engine,
            surroundings,
            lanes,
            source,
            asked: 0,
            answers: BTreeMap::new(),
            notes,
        }
    }

    /// From now on somebody else says what is excluded.
    fn exclude_by(&mut self, exclude: impl Exclude + 'static) {
        self.surroundings.exclude = Arc::new(exclude);
        self.engine.surround(self.surroundings.clone());
    }

    /// What is said of a context, and whether there is any.
    async fn context_of(&mut self, name: &str) -> Value {
        let spot = Spot {
            document: DocumentId::new(name),
            version: Version::new(1),
            at: ByteOffset::ZERO,
        };
        let mut context = Box::pin(self.engine.context(&spot, ContextWish::default()).unwrap());
        loop {
            tokio::select! {
                report = &mut context => return serde_json::to_value(report).unwrap(),
                () = self.engine.turn() => {}
            }
        }
    }

    fn open(&mut self, name: &str, text: &str) {
        self.engine.tell(Event::DocumentOpened {
            document: DocumentId::new(name),
            language: Language::new("rust"),
            version: Version::new(1),
            text: Text::from(text),
        });
    }

    fn change(&mut self, name: &str, version: i64, text: &str) {
        let edit = Edit::from(Replacement::insertion(ByteOffset::ZERO, text));
        self.engine.tell(Event::DocumentChanged {
            document: DocumentId::new(name),
            version: Version::new(version),
            edits: vec![edit],
            reason: ChangeReason::Typed,
        });
    }

    fn ask(&mut self, name: &str, cause: RequestCause) -> u64 {
        self.asked += 1;
        self.engine
            .tell(Event::SuggestionRequested(SuggestionRequest {
                request: RequestId::new(self.asked),
                document: DocumentId::new(name),
                version: None,
                at: ByteOffset::ZERO,
                cause,
                kind: RequestKind::Inline,
            }));
        self.take();
        self.asked
    }

    fn take(&mut self) {
        while let Some(placed) = self.engine.poll_order() {
            if let Order::Answer {
                request, answer, ..
            } = placed.order
            {
                let before = self.answers.insert(request.get(), answer);
                assert!(before.is_none(), "a request is answered once");
            }
        }
    }

    /// Lets time pass until a request is answered.
    async fn until_answered(&mut self, request: u64) -> Answer {
        while !self.answers.contains_key(&request) {
            let turn = timeout(Duration::from_secs(60), self.engine.turn()).await;
            turn.expect("it is answered at some time");
            self.take();
        }
        self.answers[&request].clone()
    }

    /// Lets so many milliseconds pass.
    async fn pass(&mut self, millis: u64) {
        let end = Instant::now() + Duration::from_millis(millis);
        while timeout_at(end, self.engine.turn()).await.is_ok() {
            self.take();
        }
    }

    /// Lets time pass until nothing runs.
    async fn until_quiet(&mut self) {
        while self.engine.running() > 0 {
            let turn = timeout(Duration::from_secs(60), self.engine.turn()).await;
            turn.expect("it ends at some time");
            self.take();
        }
    }

    fn alive(&self) -> usize {
        self.lanes.alive.load(Ordering::SeqCst)
    }

    /// What the fim lane was told last.
    fn last_told(&self) -> Arc<LaneRequest> {
        let told = self.lanes.told.lock().unwrap();
        let mut of_fim = told.iter().filter(|(lane, _)| *lane == LaneKind::Fim);
        Arc::clone(&of_fim.next_back().unwrap().1)
    }
}

fn is_suggested(answer: &Answer) -> bool {
    matches!(answer, Answer::Candidates(offers) if !offers.is_empty())
}

#[tokio::test(start_paused = true)]
async fn what_a_lane_suggests_is_the_answer() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(50))]);
    story.open("a.rs", "fn main() {}\n");
    let request = story.ask("a.rs", RequestCause::Explicit);
    assert!(is_suggested(&story.until_answered(request).await));
    story.until_quiet().await;
    assert_eq!(story.alive(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_superseded_requests_leave_nothing_behind() {
    let lanes =
        [LaneKind::Fim, LaneKind::NextEdit].map(|lane| (lane, Does::SuggestWithContext(9_000)));
    let mut story = Story::with(lanes);
    story.open("a.rs", "fn main() {}\n");
    for version in 0..1_000 {
        story.change("a.rs", version + 2, "x");
        story.ask("a.rs", RequestCause::Explicit);
        story.pass(150).await;
        assert!(story.engine.running() <= 8, "{}", story.engine.running());
    }
    let last = story.asked;
    story.until_answered(last).await;
    story.until_quiet().await;
    assert_eq!((story.alive(), story.answers.len()), (0, 1_000));
    assert!(story.engine.is_idle(), "nothing is kept of them either");
    let superseded = Answer::Withheld(Reason::Superseded);
    assert!(
        story
            .answers
            .values()
            .filter(|it| **it == superseded)
            .count()
            >= 998
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_cancelled_ends_at_once() {
    let mut story = Story::with([(LaneKind::Fim, Does::Hang)]);
    story.open("a.rs", "fn main() {}\n");
    let request = story.ask("a.rs", RequestCause::Explicit);
    story.pass(5).await;
    assert_eq!(story.alive(), 1);
    story.engine.tell(Event::RequestCancelled {
        request: RequestId::new(request),
    });
    story.take();
    assert_eq!(story.answers[&request], Answer::Withheld(Reason::Cancelled));
    story.until_quiet().await;
    assert_eq!(story.alive(), 0);
}

#[tokio::test(start_paused = true)]
async fn shutting_down_answers_everything_and_leaves_nothing_running() {
    let mut story = Story::with([
        (LaneKind::Fim, Does::Hang),
        (LaneKind::NextEdit, Does::Hang),
    ]);
    for name in ["a.rs", "b.rs", "c.rs"] {
        story.open(name, "fn main() {}\n");
        story.ask(name, RequestCause::Explicit);
    }
    story.pass(5).await;
    let alive = Arc::clone(&story.lanes.alive);
    let left = story.engine.shut_down().await;
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    let answered = left.iter().filter(|it| {
        let answer = Answer::Withheld(Reason::ShuttingDown);
        matches!(&it.order, Order::Answer { answer: it, .. } if *it == answer)
    });
    assert_eq!(answered.count(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_lane_that_breaks_costs_nothing_but_itself() {
    let lanes = [
        (LaneKind::Fim, Does::Panic),
        (LaneKind::NextEdit, Does::Suggest(20)),
    ];
    let mut story = Story::with(lanes);
    story.open("a.rs", "fn main() {}\n");
    let request = story.ask("a.rs", RequestCause::Explicit);
    assert!(is_suggested(&story.until_answered(request).await));
    let mut alone = Story::with([(LaneKind::Fim, Does::Panic)]);
    alone.open("a.rs", "fn main() {}\n");
    let request = alone.ask("a.rs", RequestCause::Explicit);
    let answer = alone.until_answered(request).await;
    assert_eq!(answer, Answer::Withheld(Reason::LaneFailed));
}

#[tokio::test(start_paused = true)]
async fn whoever_measures_is_told_of_every_context_and_lane_however_it_ends() {
    let lanes = [
        (LaneKind::Fim, Does::SuggestWithContext(50)),
        (LaneKind::NextEdit, Does::Panic),
    ];
    let (mut story, mut hanging) = (
        Story::with(lanes),
        Story::with([(LaneKind::Fim, Does::Hang)]),
    );
    let (tell, told) = channel();
    for engine in [&mut story.engine, &mut hanging.engine] {
        engine.observe(MeasurementsSeen(tell.clone()));
    }
    story.open("a.rs", "fn main() {}\n");
    let request = story.ask("a.rs", RequestCause::Explicit);
    assert!(is_suggested(&story.until_answered(request).await));
    hanging.open("a.rs", "fn main() {}\n");
    let request = RequestId::new(hanging.ask("a.rs", RequestCause::Explicit));
    hanging.pass(5).await;
    hanging.engine.tell(Event::RequestCancelled { request });
    let lane = |lane, took, came| Measurement::Lane {
        lane,
        took,
        came,
        usage: TokenUsage::default(),
    };
    let millis = |it| Duration::from_millis(it);
    let (reason, fim) = (Reason::Cancelled, LaneKind::Fim);
    let expected = [
        lane(LaneKind::NextEdit, None, Err(FailureKind::Broken)),
        // The source takes 100 ms, which is no part of asking.
        Measurement::Context { took: millis(100) },
        lane(fim, Some(millis(50)), Ok(())),
        lane(LaneKind::NextEdit, Some(millis(0)), Ok(())),
        Measurement::Stopped { lane: fim, reason },
    ];
    let told: Vec<Measurement> = told.try_iter().collect();
    assert_eq!(told, expected);
}

#[tokio::test(start_paused = true)]
async fn context_is_gathered_while_the_pace_waits() {
    let mut story = Story::with([(LaneKind::Fim, Does::SuggestWithContext(0))]);
    story.open("a.rs", "fn main() {}\n");
    // The first request in a document does not wait.
    let first = story.ask("a.rs", RequestCause::Automatic);
    story.until_answered(first).await;
    story.change("a.rs", 2, "x");
    let request = story.ask("a.rs", RequestCause::Automatic);
    let began = Instant::now();
    assert!(is_suggested(&story.until_answered(request).await));
    let waited = story
        .notes
        .lock()
        .unwrap()
        .iter()
        .find_map(|note| match note {
            Note::Waits { millis, .. } => Some(*millis),
            _ => None,
        });
    let took = u64::try_from(began.elapsed().as_millis()).unwrap();
    let context = &story.last_told().context;
    assert_eq!(context.markdown(), "## What is known\n\na great deal\n");
    assert!(waited.unwrap() >= 100, "the source takes 100 ms");
    assert!(
        took <= waited.unwrap() + 2,
        "{took} ms, of which {waited:?} were waited"
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_is_told_while_it_may_change_what_may_be_told() {
    let mut story = Story::with([
        (LaneKind::Fim, Does::SuggestWithContext(0)),
        (LaneKind::NextEdit, Does::Suggest(0)),
    ]);
    story.open("a", "text");
    story.until_quiet().await;
    story.engine.hold(Instant::now() + Duration::from_secs(1));
    let held = story.ask("a", RequestCause::Explicit);
    story.pass(900).await;
    let told = |story: &Story| -> Vec<LaneKind> {
        let told = story.lanes.told.lock().unwrap();
        told.iter().map(|(lane, _)| *lane).collect()
    };
    assert_eq!(told(&story), [LaneKind::NextEdit], "that tells nobody else");
    assert_eq!(story.source.0.load(Ordering::SeqCst), 0);
    // It was typed on meanwhile.
    story.change("a", 2, "!");
    story.engine.release();
    story.until_answered(held).await;
    assert_eq!(told(&story), [LaneKind::NextEdit, LaneKind::Fim]);
    let (_, last) = story.lanes.told.lock().unwrap().last().unwrap().clone();
    assert_eq!(last.document.text.to_string(), "text", "as it was ordered");

    // A disk that hangs holds nobody up for ever.
    story.open("b", "text");
    story.until_quiet().await;
    let until = Instant::now() + Duration::from_millis(100);
    story.engine.hold(until);
    let held = story.ask("b", RequestCause::Explicit);
    assert!(is_suggested(&story.until_answered(held).await));
    assert_eq!(told(&story).len(), 4);
    // What is taken back is not begun afterwards.
    story.engine.hold(Instant::now() + Duration::from_secs(1));
    let held = story.ask("b", RequestCause::Explicit);
    story.engine.tell(Event::RequestCancelled {
        request: RequestId::new(held),
    });
    story.take();
    story.engine.release();
    story.until_quiet().await;
    assert!(story.engine.is_idle());
    assert_eq!(told(&story).len(), 4, "nobody was told anything more");
}

#[tokio::test(start_paused = true)]
async fn what_was_held_is_asked_of_nobody_who_was_turned_off_meanwhile() {
    let mut story = Story::with([(LaneKind::Fim, Does::SuggestWithContext(0))]);
    story.open("a", "text");
    story.until_quiet().await;
    story.engine.hold(Instant::now() + Duration::from_secs(1));
    let held = story.ask("a", RequestCause::Explicit);
    let mut settings = Settings::default();
    settings.lanes.fim.enabled = false;
    story.engine.tell(Event::SettingsChanged {
        settings: Arc::new(settings),
    });
    story.engine.release();
    assert!(!is_suggested(&story.until_answered(held).await));
    let told = story.lanes.told.lock().unwrap();
    assert!(told.iter().all(|(lane, _)| *lane != LaneKind::Fim));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_gathered_for_lanes_that_want_no_context() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(0))]);
    story.open("a.rs", "fn main() {}\n");
    let request = story.ask("a.rs", RequestCause::Automatic);
    assert!(is_suggested(&story.until_answered(request).await));
    story.until_quiet().await;
    assert_eq!(story.source.0.load(Ordering::SeqCst), 0);
    let mut other = Story::with([(LaneKind::Fim, Does::SuggestWithContext(0))]);
    other.open("a.rs", "fn main() {}\n");
    let request = other.ask("a.rs", RequestCause::Automatic);
    other.until_answered(request).await;
    assert_eq!(other.source.0.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn an_excluded_document_is_seen_by_nobody_else_and_sees_nobody() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(0))]);
    for name in ["a.rs", "b.rs", "secret.rs"] {
        story.open(name, "fn main() {}\n");
    }
    story.until_quiet().await;
    let names = |request: &LaneRequest| -> Vec<String> {
        let others = request.others.iter();
        others.map(|other| other.id.as_str().to_owned()).collect()
    };
    let request = story.ask("a.rs", RequestCause::Explicit);
    story.until_answered(request).await;
    assert_eq!(names(&story.last_told()), ["b.rs"]);
    let request = story.ask("secret.rs", RequestCause::Explicit);
    story.until_answered(request).await;
    assert_eq!(names(&story.last_told()), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_newer_request_at_the_same_place_takes_the_context_over() {
    let mut story = Story::with([(LaneKind::Fim, Does::SuggestWithContext(0))]);
    story.open("a.rs", "fn main() {}\n");
    let first = story.ask("a.rs", RequestCause::Automatic);
    story.until_answered(first).await;
    story.change("a.rs", 2, "x");
    let older = story.ask("a.rs", RequestCause::Automatic);
    story.pass(20).await;
    let newer = story.ask("a.rs", RequestCause::Automatic);
    assert_eq!(story.answers[&older], Answer::Withheld(Reason::Superseded));
    assert!(is_suggested(&story.until_answered(newer).await));
    assert_eq!(
        story.last_told().context.markdown(),
        "## What is known\n\na great deal\n"
    );
    story.until_quiet().await;
    assert!(story.engine.is_idle());
}

#[tokio::test(start_paused = true)]
async fn a_suggestion_never_writes_a_secret() {
    let secret = "\"hunter2-SuperSecret-9981\"";
    let mut story = Story::with([(LaneKind::Fim, Does::Write(secret))]);
    story.open("a.py", "client.password = ");
    story
        .engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document: DocumentId::new("a.py"),
            version: None,
            at: ByteOffset::new(18),
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        }));
    let answer = story.until_answered(1).await;
    assert_eq!(answer, Answer::Withheld(Reason::TouchesSecret));
    let mut other = Story::with([(LaneKind::Fim, Does::Write("\"a title\""))]);
    other.open("a.py", "client.title = ");
    let request = other.ask("a.py", RequestCause::Explicit);
    assert!(is_suggested(&other.until_answered(request).await));
}

#[tokio::test(start_paused = true)]
async fn what_touches_a_secret_that_is_there_is_withheld() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(50))]);
    story.open("a.py", "client.password = \"hunter2-SuperSecret-9981\"\n");
    story
        .engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document: DocumentId::new("a.py"),
            version: None,
            at: ByteOffset::new(25),
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        }));
    let answer = story.until_answered(1).await;
    assert!(matches!(answer, Answer::Withheld(_)), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn another_exclusion_has_every_document_judged_anew() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(0))]);
    // Long enough for the question in between.
    for name in ["a.rs", "slow.rs"] {
        story.open(name, "fn main() {}\n");
    }
    story.until_quiet().await;
    story.exclude_by(Secrets);
    let before = story.ask("a.rs", RequestCause::Explicit);
    story.until_answered(before).await;
    let others = |story: &Story| story.last_told().others.len();
    assert_eq!(others(&story), 0, "until it is known, nothing is told");
    story.until_quiet().await;
    story.change("a.rs", 2, "x");
    let after = story.ask("a.rs", RequestCause::Explicit);
    story.until_answered(after).await;
    assert_eq!(others(&story), 1);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_judged_anew_where_nothing_has_changed() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(0))]);
    let (stuck, hold) = Stuck::new();
    drop(hold);
    story.exclude_by(stuck.clone());
    story.open("a.rs", "fn main() {}\n");
    story.until_quiet().await;
    assert_eq!(stuck.asked(), 1);
    story.engine.surround(story.surroundings.clone());
    let settings = Arc::new(Settings::default());
    story.engine.tell(Event::SettingsChanged { settings });
    story.until_quiet().await;
    assert_eq!(stuck.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_does_not_answer_has_one_thread_for_each_document() {
    let does = [(LaneKind::Fim, Does::SuggestWithContext(0))];
    let mut story = Story::with_settings(does, to_a_model, None);
    let (stuck, hold) = Stuck::new();
    story.exclude_by(stuck.clone());
    let names: Vec<String> = (0..30).map(|it| format!("{it}.rs")).collect();
    for name in &names {
        story.open(name, "fn main() {}\n");
    }
    for _ in 0..18 {
        tokio::time::advance(Duration::from_millis(1_100)).await;
        story.ask("1.rs", RequestCause::Explicit);
        // Whoever closes a document and opens it again does not begin anew, either.
        let document = DocumentId::new("2.rs");
        story.engine.tell(Event::DocumentClosed { document });
        story.open("2.rs", "fn main() {}\n");
    }
    let asked = stuck.asked();
    assert!(asked <= names.len(), "{asked}");
    drop(hold);
    story.until_quiet().await;
    // Each once, and once again since that was long ago.
    let asked = stuck.asked();
    assert!(asked <= 2 * names.len(), "{asked}");
}

#[tokio::test(start_paused = true)]
async fn a_late_word_by_rules_that_held_before_does_not_count() {
    let does = [(LaneKind::Fim, Does::SuggestWithContext(0))];
    let mut story = Story::with_settings(does, to_a_model, None);
    let (stuck, hold) = Stuck::new();
    story.exclude_by(stuck);
    story.open("a.rs", "fn main() {}\n");
    story.exclude_by(Everything);
    drop(hold);
    story.until_quiet().await;
    let document = DocumentId::new("a.rs");
    let why = story.engine.excluded(&document);
    assert_eq!(why.as_deref(), Some("it is everything"));
    let request = story.ask("a.rs", RequestCause::Explicit);
    let answer = story.until_answered(request).await;
    assert!(matches!(answer, Answer::Withheld(_)), "{answer:?}");
}

#[tokio::test]
async fn a_context_says_why_there_is_none_and_never_is_one_by_mistake() {
    let mut story = Story::with([]);
    story.exclude_by(Everything);
    for name in ["a.rs", "broken.rs"] {
        story.open(name, "fn main() {}\n");
    }
    // However long a busy machine takes to print where a check broke.
    story.until_quiet().await;
    let told = story.context_of("a.rs").await;
    assert_eq!(
        (&told["excluded"], &told["text"]),
        (&json!("it is everything"), &json!(""))
    );
    let told = story.context_of("broken.rs").await;
    let why = "whether it is excluded could not be found out";
    assert_eq!(
        (&told["excluded"], &told["text"]),
        (&json!(why), &json!(""))
    );
    let (stuck, hold) = Stuck::new();
    story.exclude_by(stuck);
    let told = story.context_of("a.rs").await;
    let why = "whether it is excluded was not known in time";
    assert_eq!(
        (&told["excluded"], &told["text"]),
        (&json!(why), &json!(""))
    );
    drop(hold);
    let told = story.context_of("a.rs").await;
    assert_eq!(told["excluded"], Value::Null);
}

#[tokio::test]
async fn a_disk_that_does_not_answer_keeps_nobody_from_ending() {
    let mut story = Story::with([(LaneKind::Fim, Does::Hang)]);
    let (stuck, hold) = Stuck::new();
    story.exclude_by(stuck);
    story.open("a.rs", "fn main() {}\n");
    story.ask("a.rs", RequestCause::Explicit);
    let left = timeout(Duration::from_secs(60), story.engine.shut_down()).await;
    assert!(left.is_ok(), "it ends although the disk is still asked");
    drop(hold);
}

#[tokio::test(start_paused = true)]
async fn a_lane_knows_whether_the_person_asked() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(0))]);
    story.open("a.rs", "fn main() {}\n");
    let by_itself = story.ask("a.rs", RequestCause::Automatic);
    story.until_answered(by_itself).await;
    assert!(!story.last_told().is_explicit);
    story.change("a.rs", 2, "x");
    let by_key = story.ask("a.rs", RequestCause::Explicit);
    story.until_answered(by_key).await;
    assert!(story.last_told().is_explicit);
    story.until_quiet().await;
    assert!(story.engine.is_idle());
}

#[tokio::test(start_paused = true)]
async fn no_model_hears_of_a_document_that_is_excluded_however_late_that_is_known() {
    for name in ["secret.rs", "slow-secret.rs"] {
        let does = [(LaneKind::Fim, Does::SuggestWithContext(0))];
        let to_a_model = |settings: &mut Settings| settings.lanes.fim.kind = BackEnd::OpenAi;
        let mut story = Story::with_settings(does, to_a_model, None);
        story.open(name, "fn main() {}\n");
        let request = story.ask(name, RequestCause::Explicit);
        let answer = story.until_answered(request).await;
        assert!(matches!(answer, Answer::Withheld(_)), "{name}: {answer:?}");
        let told = story.lanes.told.lock().unwrap();
        assert!(
            told.iter().all(|(lane, _)| *lane != LaneKind::Fim),
            "{name}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn marks_mean_the_same_in_the_context_and_in_what_is_told_besides() {
    let secret = "client.password = \"hunter2-SuperSecret-9981\"\n";
    let does = [(LaneKind::Fim, Does::SuggestWithContext(0))];
    let mut story = Story::with(does);
    story.open("a.py", secret);
    let request = story.ask("a.py", RequestCause::Explicit);
    story.until_answered(request).await;
    let told = story.last_told();
    let mut marks = told.redact.begin();
    let redacted = marks.redact(secret);
    assert_eq!(redacted, "client.password = \"[REDACTED-1]\"\n");
    assert_eq!(marks.restore(&redacted, &redacted).as_deref(), Some(secret));
    assert_eq!(marks.restore(&redacted, "gone\n"), None);
}

#[tokio::test(start_paused = true)]
async fn limits_by_the_day_hold_over_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let limited = |settings: &mut Settings| {
        settings.lanes.fim.requests_per_day = Some(2);
        settings.lanes.next_edit.enabled = false;
    };
    let is_over = |answer: Answer| answer == Answer::Withheld(Reason::OverLimit);
    for round in 0..2 {
        let usage = UsageFile::in_directory(directory.path());
        let does = [(LaneKind::Fim, Does::Suggest(0))];
        let mut story = Story::with_settings(does, limited, Some(usage));
        story.open("a.rs", "fn main() {}\n");
        story.until_quiet().await;
        for version in 2..5 {
            story.change("a.rs", version, "x");
            let request = story.ask("a.rs", RequestCause::Explicit);
            let answer = story.until_answered(request).await;
            let is_expected = round == 1 || version == 4;
            assert_eq!(
                is_over(answer),
                is_expected,
                "round {round}, text {version}"
            );
        }
        story.engine.shut_down().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_cannot_be_remembered_is_said_and_nothing_of_it_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let limited = |settings: &mut Settings| {
        settings.lanes.fim.requests_per_day = Some(3);
        settings.lanes.next_edit.enabled = false;
    };
    let does = [(LaneKind::Fim, Does::Suggest(0))];
    let usage = UsageFile::in_directory(directory.path());
    let mut story = Story::with_settings(does, limited, Some(usage.clone()));
    story.open("a.rs", "fn main() {}\n");
    // Nothing can be written, as on a full disk.
    let in_the_way = directory.path().join("usage.json");
    std::fs::create_dir(&in_the_way).unwrap();
    for version in 2..4 {
        story.change("a.rs", version, "x");
        let request = story.ask("a.rs", RequestCause::Explicit);
        assert!(matches!(
            story.until_answered(request).await,
            Answer::Candidates(_)
        ));
        story.until_quiet().await;
        assert!(story.engine.usage_unkept().is_some(), "text {version}");
    }
    // There is room again, and the next process knows of all that was used up.
    std::fs::remove_dir(&in_the_way).unwrap();
    for version in 4..6 {
        story.change("a.rs", version, "x");
        let request = story.ask("a.rs", RequestCause::Explicit);
        let answer = story.until_answered(request).await;
        let is_over = answer == Answer::Withheld(Reason::OverLimit);
        assert_eq!(is_over, version == 5, "the limit holds: {answer:?}");
        story.until_quiet().await;
        assert!(story.engine.usage_unkept().is_none(), "text {version}");
    }
    story.engine.shut_down().await;
    let today = foretell_engine::usage::DayTime::now().day;
    assert_eq!(usage.read(today, LaneKind::Fim).requests, 3);
}

#[tokio::test(start_paused = true)]
async fn secrets_are_found_near_the_cursor_of_a_document_of_megabytes() {
    let mut story = Story::with([(LaneKind::Fim, Does::Suggest(50))]);
    let filler = "let x = 1; // nothing\n".repeat(100_000);
    let secret = "client.password = \"hunter2-SuperSecret-9981\"\n";
    story.open("a.py", &[&*filler, secret, &*filler].concat());
    story
        .engine
        .tell(Event::SuggestionRequested(SuggestionRequest {
            request: RequestId::new(1),
            document: DocumentId::new("a.py"),
            version: None,
            at: ByteOffset::new(filler.len() + 25),
            cause: RequestCause::Explicit,
            kind: RequestKind::Inline,
        }));
    let answer = story.until_answered(1).await;
    assert_eq!(answer, Answer::Withheld(Reason::TouchesSecret));
}
