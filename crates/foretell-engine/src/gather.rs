//! Asks all sources at once, and makes one context of what has come by the deadline.
//!
//! Each source runs in a task of its own: one that is late, breaks or panics costs nothing but its
//! own section, and is reported. The tasks belong to the future that [`gather`] returns. When it
//! ends, by the last answer, the deadline, the token or by being dropped, those that still run are
//! aborted, and are gone the next time they wait for something.
//!
//! No source is asked where nothing could be told: context is switched off, the document is too long for
//! it, there is no room, or the file itself is excluded.
//!
//! Which files are excluded is asked of a disk, so that has the same deadline: what is not known by
//! then is not told.
//!
//! Absent on purpose: what is important and what fits, which is `foretell-context`'s to decide, and
//! retries, for which there is no time.

use std::sync::Arc;
use std::time::Duration;

use foretell_context::{
    AssembledContext, ContextAssembly, ContextRequest, ContextSection, CountTokens, Exclude,
    FileChange, FoundSections, Redaction, SourceFinding, assemble, budget,
};
use foretell_settings::settings;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::context_source::{ContextSource, SourceError};
use crate::excluded_files::{DiskThreads, RequestVerdicts};
use crate::secrets;
use crate::work_threads::WorkThreads;

/// Everything that decides how a context is gathered, besides what it is for.
#[derive(Clone, Copy)]
pub struct GatherOptions<'a> {
    /// The sources, the most important first.
    pub sources: &'a [Arc<dyn ContextSource>],
    /// How long they have, how much there is room for, and which of them are switched on.
    pub settings: &'a settings::ContextSettings,
    /// In how long a document it is gathered, in lines.
    pub max_lines: usize,
    /// Counts the tokens.
    pub counter: &'a dyn CountTokens,
    /// Which files nothing is told of. It may read a disk, and is asked where that may take long.
    pub exclude: &'a Arc<dyn Exclude>,
    /// The threads that it is asked on.
    pub threads: &'a DiskThreads,
    /// The threads that secrets are looked for on.
    pub work: &'a WorkThreads,
    /// Ends it at once.
    pub stop: &'a CancellationToken,
}

impl GatherOptions<'_> {
    /// How long it may take.
    fn time(&self) -> Duration {
        Duration::from_millis(self.settings.timeout.get())
    }
}

/// The context of a place. Never more than the settings have room for, and never later than they
/// allow but for what it takes to put it together.
pub async fn gather(
    mut request: ContextRequest,
    gathering: GatherOptions<'_>,
    redaction: &mut Redaction,
) -> Result<AssembledContext, GatherCancelled> {
    let GatherOptions {
        settings, counter, ..
    } = gathering;
    let (wanted, selected) = (&request.instruction, request.selected());
    let available = budget::available(&settings.token_budget, counter, wanted, &selected);
    let started = Instant::now();
    let verdicts = Arc::new(RequestVerdicts::new(gathering.exclude, gathering.threads));
    if gathering.stop.is_cancelled() {
        return Err(GatherCancelled);
    }
    let silence = if !settings.enabled {
        Some("context is switched off")
    } else if request.text.line_count() > gathering.max_lines {
        Some("the document has more lines than trigger.maxLines")
    } else if available == 0 {
        Some("there is no room for it")
    } else {
        let files = request.changes.iter().map(|change| change.file.clone());
        let files: Vec<_> = files.chain([request.file.clone()]).collect();
        let learn = timeout_at(started + gathering.time(), verdicts.learn(files));
        match gathering.stop.run_until_cancelled(learn).await {
            None => return Err(GatherCancelled),
            Some(Err(_)) => Some("whether the file is excluded was not known in time"),
            Some(Ok(())) if verdicts.excludes(&request.file) => {
                Some("nothing is told of this file")
            }
            Some(Ok(())) => None,
        }
    };
    let findings = match silence {
        Some(why) => all_unavailable(gathering.sources, why),
        None => {
            // They would be dropped in the end, and take the place of others until then.
            let is_told = |change: &FileChange| !verdicts.excludes(&change.file);
            request.changes.retain(is_told);
            let request = Arc::new(request);
            let (redactor, whole) = (redaction.redactor().clone(), Arc::clone(&request));
            let learning = gathering
                .work
                .run(move || secrets::learn(&redactor, &whole));
            let asking = ask(started, request, gathering, &verdicts);
            let learning = gathering.stop.run_until_cancelled(learning);
            // However late it is: nothing is told before it is known what is secret.
            let (found, learned) = tokio::join!(asking, learning);
            match learned.ok_or(GatherCancelled)? {
                Ok(learned) => {
                    secrets::remember(redaction, learned);
                    found?
                }
                Err(_) => all_unavailable(gathering.sources, "its secrets could not be looked for"),
            }
        }
    };
    let assembly = ContextAssembly {
        budget: available,
        counter,
        exclude: &*verdicts,
        redaction,
    };
    Ok(assemble(findings, assembly))
}

/// The context is not wanted any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the context is not wanted any more")]
pub struct GatherCancelled;

/// Collects the section of every source by the deadline, in the order of the sources.
async fn ask(
    started: Instant,
    request: Arc<ContextRequest>,
    gathering: GatherOptions<'_>,
    verdicts: &Arc<RequestVerdicts>,
) -> Result<Vec<SourceFinding>, GatherCancelled> {
    let time = gathering.time();
    let begun = Instant::now();
    let mut tasks = JoinSet::new();
    let mut asked: Vec<AskedSource> = Vec::new();
    for source in gathering.sources {
        let provider = source.provider(&gathering.settings.providers);
        if !provider.enabled || provider.max == 0 {
            let finding = finding(source, unavailable("a setting switches it off"));
            asked.push(AskedSource {
                task: None,
                finding,
            });
            continue;
        }
        let (asks, request) = (Arc::clone(source), Arc::clone(&request));
        let verdicts = Arc::clone(verdicts);
        let task = tasks.spawn(async move {
            let found = asks.find(request, provider.max).await?;
            let entries = found.iter().flat_map(|section| &section.entries);
            let files: Vec<_> = entries.filter_map(|entry| entry.file.clone()).collect();
            verdicts.learn(files).await;
            Ok(found)
        });
        // Until it is heard of.
        let mut finding = finding(source, FoundSections::Late);
        finding.took = time;
        let task = Some(task.id());
        asked.push(AskedSource { task, finding });
    }
    let listen = async {
        while let Some(ended) = tasks.join_next_with_id().await {
            let (task, found) = heard(ended);
            if let Some(asked) = asked.iter_mut().find(|asked| asked.task == Some(task)) {
                asked.finding.found = found;
                asked.finding.took = begun.elapsed();
            }
        }
    };
    let until_deadline = timeout_at(started + time, listen);
    match gathering.stop.run_until_cancelled(until_deadline).await {
        // A source that has not answered by now is late, as it says already.
        Some(Ok(()) | Err(_)) => Ok(asked.into_iter().map(|asked| asked.finding).collect()),
        None => Err(GatherCancelled),
    }
}

/// A source, and the task that it runs in if it is asked.
struct AskedSource {
    task: Option<Id>,
    finding: SourceFinding,
}

type Ended = Result<(Id, Result<Option<ContextSection>, SourceError>), JoinError>;

/// Which task ended, and with what.
fn heard(ended: Ended) -> (Id, FoundSections) {
    match ended {
        Ok((task, Ok(Some(section)))) => (task, FoundSections::Section(section)),
        Ok((task, Ok(None))) => (task, FoundSections::Nothing),
        Ok((task, Err(SourceError::Unavailable(why)))) => (task, FoundSections::Unavailable(why)),
        Ok((task, Err(SourceError::Failed(why)))) => (task, FoundSections::Failed(why)),
        // Its panic message may quote a document.
        Err(broken) if broken.is_panic() => {
            (broken.id(), FoundSections::Failed("it panicked".to_owned()))
        }
        Err(broken) => (
            broken.id(),
            FoundSections::Failed("it was stopped".to_owned()),
        ),
    }
}

/// The report where nothing may be told at all.
fn all_unavailable(sources: &[Arc<dyn ContextSource>], why: &str) -> Vec<SourceFinding> {
    let unasked = |source: &Arc<dyn ContextSource>| finding(source, unavailable(why));
    sources.iter().map(unasked).collect()
}

fn unavailable(why: &str) -> FoundSections {
    FoundSections::Unavailable(why.to_owned())
}

fn finding(source: &Arc<dyn ContextSource>, found: FoundSections) -> SourceFinding {
    SourceFinding {
        source: source.name(),
        found,
        took: Duration::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use foretell_context::{
        ContextEntry, EntrySpacing, ExclusionGlobs, Redactor, SectionFate, TokenEstimate,
    };
    use foretell_settings::Settings;
    use foretell_settings::settings::{ContextProviders, ProviderSettings};
    use foretell_text::{ByteOffset, FilePath, Language, Text};
    use tokio::time::sleep;

    use super::*;
    use crate::context_source::Search;

    /// A source that does as it is told, and counts how many of its searches are alive.
    struct ScriptedSource {
        name: &'static str,
        does: SourceScript,
        after_ms: u64,
        alive: Arc<AtomicUsize>,
        asked: AtomicUsize,
    }

    #[derive(Clone, Copy)]
    enum SourceScript {
        Say,
        SayNothing,
        Fail,
        Panic,
    }

    struct LivingSearch(Arc<AtomicUsize>);

    impl Drop for LivingSearch {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    impl ContextSource for ScriptedSource {
        fn name(&self) -> &'static str {
            self.name
        }

        fn provider(&self, settings: &ContextProviders) -> ProviderSettings {
            match self.name {
                "history" => settings.history.clone(),
                "semantic" => settings.semantic.clone(),
                _ => settings.diagnostics.clone(),
            }
        }

        fn find(&self, _: Arc<ContextRequest>, most: usize) -> Search {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.alive.fetch_add(1, Ordering::SeqCst);
            let alive = LivingSearch(Arc::clone(&self.alive));
            let (name, does, after) = (self.name, self.does, self.after_ms);
            Box::pin(async move {
                let _alive = alive;
                sleep(Duration::from_millis(after)).await;
                let entry = |number| ContextEntry {
                    code: None,
                    file: Some(FilePath::new(format!("{name}/{number}"))),
                    text: format!("{name} {number}"),
                    secrets: Vec::new(),
                };
                match does {
                    SourceScript::Say => Ok(Some(ContextSection {
                        heading: name.to_owned(),
                        entries: (1..=most).map(entry).collect(),
                        spacing: EntrySpacing::Lines,
                    })),
                    SourceScript::SayNothing => Ok(None),
                    SourceScript::Fail => Err(SourceError::Failed("its server is gone".to_owned())),
                    SourceScript::Panic => panic!("with a text that is nobody's business"),
                }
            })
        }
    }

    /// Three sources that share a count of the living.
    struct GatherStage {
        sources: Vec<Arc<dyn ContextSource>>,
        played: Vec<Arc<ScriptedSource>>,
        alive: Arc<AtomicUsize>,
        settings: Settings,
        exclude: Arc<dyn Exclude>,
        stop: CancellationToken,
    }

    impl GatherStage {
        fn of(parts: [(SourceScript, u64); 3]) -> Self {
            let alive = Arc::new(AtomicUsize::new(0));
            let names = ["diagnostics", "history", "semantic"];
            let played: Vec<_> = names
                .into_iter()
                .zip(parts)
                .map(|(name, (does, after_ms))| {
                    Arc::new(ScriptedSource {
                        name,
                        does,
                        after_ms,
                        alive: Arc::clone(&alive),
                        asked: AtomicUsize::new(0),
                    })
                })
                .collect();
            let sources = played
                .iter()
                .map(|it| Arc::clone(it) as Arc<dyn ContextSource>);
            GatherStage {
                sources: sources.collect(),
                played,
                alive,
                settings: Settings::default(),
                exclude: Arc::new(ExclusionGlobs::default()),
                stop: CancellationToken::new(),
            }
        }

        async fn gather(&self) -> Result<AssembledContext, GatherCancelled> {
            let request = ContextRequest {
                file: FilePath::new("src/lib.rs"),
                language: Language::new("rust"),
                text: Text::from("fn main() {}\n"),
                cursor: ByteOffset::ZERO,
                selection: None,
                instruction: String::new(),
                diagnostics: Vec::new(),
                changes: Vec::new(),
            };
            let gathering = GatherOptions {
                sources: &self.sources,
                settings: &self.settings.context,
                max_lines: self.settings.trigger.max_lines,
                counter: &TokenEstimate,
                exclude: &self.exclude,
                threads: &DiskThreads::default(),
                work: &WorkThreads::default(),
                stop: &self.stop,
            };
            let redactor = Redactor::default();
            gather(request, gathering, &mut redactor.begin()).await
        }

        fn alive(&self) -> usize {
            self.alive.load(Ordering::SeqCst)
        }

        fn asked(&self) -> usize {
            let counts = self.played.iter();
            counts.map(|it| it.asked.load(Ordering::SeqCst)).sum()
        }
    }

    fn fates(context: &AssembledContext) -> Vec<(&'static str, &SectionFate, u128)> {
        let reports = context.sources.iter();
        reports
            .map(|report| (report.source, &report.fate, report.took.as_millis()))
            .collect()
    }

    #[tokio::test(start_paused = true)]
    async fn all_sources_are_asked_at_once() {
        let stage = GatherStage::of([
            (SourceScript::Say, 250),
            (SourceScript::Say, 240),
            (SourceScript::Say, 100),
        ]);
        let started = Instant::now();
        let context = stage.gather().await.unwrap();
        assert_eq!(started.elapsed(), Duration::from_millis(250));
        assert_eq!(
            fates(&context),
            [
                ("diagnostics", &SectionFate::Included, 250),
                ("history", &SectionFate::Included, 240),
                ("semantic", &SectionFate::Included, 100),
            ]
        );
        for said in ["diagnostics 5", "history 3", "semantic 3"] {
            assert!(context.text.contains(said), "{}", context.text);
        }
        assert!(!context.text.contains("history 4"), "{}", context.text);
        assert!(context.tokens <= 2_000);
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_is_late_is_stopped_and_the_others_are_kept() {
        let stage = GatherStage::of([
            (SourceScript::Say, 10),
            (SourceScript::Say, 60_000),
            (SourceScript::SayNothing, 20),
        ]);
        let started = Instant::now();
        let context = stage.gather().await.unwrap();
        assert_eq!(started.elapsed(), Duration::from_millis(500));
        assert_eq!(
            fates(&context),
            [
                ("diagnostics", &SectionFate::Included, 10),
                ("history", &SectionFate::Late, 500),
                ("semantic", &SectionFate::Nothing, 20),
            ]
        );
        assert!(context.text.contains("diagnostics 1"));
        tokio::task::yield_now().await;
        assert_eq!(stage.alive(), 0, "the late one is gone");
    }

    #[tokio::test(start_paused = true)]
    async fn a_millisecond_decides_whether_one_is_late() {
        let stage = GatherStage::of([
            (SourceScript::Say, 499),
            (SourceScript::Say, 501),
            (SourceScript::Say, 499),
        ]);
        let context = stage.gather().await.unwrap();
        let fates: Vec<_> = fates(&context)
            .into_iter()
            .map(|(_, fate, _)| fate)
            .collect();
        assert_eq!(
            fates,
            [
                &SectionFate::Included,
                &SectionFate::Late,
                &SectionFate::Included
            ]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn when_none_is_in_time_the_context_is_empty() {
        let stage = GatherStage::of([
            (SourceScript::Say, 501),
            (SourceScript::Say, 800),
            (SourceScript::Say, 60_000),
        ]);
        let context = stage.gather().await.unwrap();
        assert_eq!((context.text.as_str(), context.tokens), ("", 0));
        assert!(
            context
                .sources
                .iter()
                .all(|it| it.fate == SectionFate::Late)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_breaks_is_recorded_and_the_others_are_kept() {
        let stage = GatherStage::of([
            (SourceScript::Panic, 5),
            (SourceScript::Fail, 10),
            (SourceScript::Say, 20),
        ]);
        let context = stage.gather().await.unwrap();
        assert_eq!(
            fates(&context),
            [
                (
                    "diagnostics",
                    &SectionFate::Failed("it panicked".to_owned()),
                    5
                ),
                (
                    "history",
                    &SectionFate::Failed("its server is gone".to_owned()),
                    10
                ),
                ("semantic", &SectionFate::Included, 20),
            ]
        );
        assert!(context.text.contains("semantic 1"));
        assert_eq!(stage.alive(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn the_token_ends_it_at_once() {
        let stage = GatherStage::of([
            (SourceScript::Say, 10),
            (SourceScript::Say, 400),
            (SourceScript::Say, 400),
        ]);
        let started = Instant::now();
        let stop = async {
            sleep(Duration::from_millis(100)).await;
            assert_eq!(stage.alive(), 2, "one has ended, two still run");
            stage.stop.cancel();
        };
        let (ended, ()) = tokio::join!(stage.gather(), stop);
        assert_eq!(ended.unwrap_err(), GatherCancelled);
        assert_eq!(started.elapsed(), Duration::from_millis(100));
        tokio::task::yield_now().await;
        assert_eq!(stage.alive(), 0, "nothing runs on");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_wanted_from_the_start_asks_nobody() {
        let stage = GatherStage::of([(SourceScript::Say, 10); 3]);
        stage.stop.cancel();
        assert_eq!(stage.gather().await.unwrap_err(), GatherCancelled);
        assert_eq!(stage.asked(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_it_stops_everything() {
        let stage = GatherStage::of([(SourceScript::Say, 400); 3]);
        let begun = tokio::time::timeout(Duration::from_millis(100), stage.gather()).await;
        assert!(begun.is_err(), "it was dropped in the middle");
        tokio::task::yield_now().await;
        assert_eq!((stage.asked(), stage.alive()), (3, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn settings_say_who_is_asked_and_for_how_much() {
        let mut stage = GatherStage::of([
            (SourceScript::Say, 10),
            (SourceScript::Say, 10),
            (SourceScript::Say, 60),
        ]);
        let settings = &mut stage.settings.context;
        settings.timeout = foretell_settings::Millis::new(50);
        settings.providers.diagnostics.max = 2;
        settings.providers.history.enabled = false;
        let context = stage.gather().await.unwrap();
        let switched_off = SectionFate::Unavailable("a setting switches it off".to_owned());
        assert_eq!(
            fates(&context),
            [
                ("diagnostics", &SectionFate::Included, 10),
                ("history", &switched_off, 0),
                ("semantic", &SectionFate::Late, 50),
            ]
        );
        assert!(context.text.contains("diagnostics 2"));
        assert!(!context.text.contains("diagnostics 3"));
        assert_eq!(stage.asked(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_is_asked_where_nothing_could_be_told() {
        let off = |settings: &mut settings::ContextSettings| settings.enabled = false;
        let no_room =
            |settings: &mut settings::ContextSettings| settings.token_budget.max_context_tokens = 0;
        for change in [off, no_room] {
            let mut stage = GatherStage::of([(SourceScript::Say, 10); 3]);
            change(&mut stage.settings.context);
            let started = Instant::now();
            let context = stage.gather().await.unwrap();
            assert_eq!(started.elapsed(), Duration::ZERO);
            assert_eq!((context.text.as_str(), stage.asked()), ("", 0));
            let unavailable = |fate: &SectionFate| matches!(fate, SectionFate::Unavailable(_));
            assert_eq!(context.sources.len(), 3);
            assert!(context.sources.iter().all(|it| unavailable(&it.fate)));
        }
    }

    /// A disk that answers when the test is over.
    struct StuckExclusion(std::sync::Mutex<std::sync::mpsc::Receiver<()>>);

    impl Exclude for StuckExclusion {
        fn excludes(&self, _: &FilePath) -> bool {
            let over = self.0.lock().unwrap().recv();
            assert!(over.is_err(), "nobody sends");
            false
        }
    }

    /// On a real clock: the other one stands still as long as a thread is busy.
    #[tokio::test]
    async fn a_disk_that_does_not_answer_costs_no_more_than_the_deadline() {
        let mut stage = GatherStage::of([(SourceScript::Say, 0); 3]);
        let (over, wait) = std::sync::mpsc::channel();
        stage.exclude = Arc::new(StuckExclusion(wait.into()));
        stage.settings.context.timeout = foretell_settings::Millis::new(20);
        let context = stage.gather().await.unwrap();
        drop(over);
        assert_eq!((context.text.as_str(), stage.asked()), ("", 0));
        let late = "whether the file is excluded was not known in time";
        for report in &context.sources {
            assert_eq!(report.fate, SectionFate::Unavailable(late.to_owned()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_source_finds_in_an_excluded_file_is_counted_and_not_told() {
        let mut stage = GatherStage::of([(SourceScript::Say, 10); 3]);
        let globs = ["semantic/2".to_owned()];
        stage.exclude = Arc::new(ExclusionGlobs::new(&globs).0);
        let context = stage.gather().await.unwrap();
        let counts = context.sources.iter();
        let counts: Vec<_> = counts.map(|it| (it.excluded, it.included)).collect();
        assert_eq!(counts, [(0, 5), (0, 3), (1, 2)]);
        assert!(!context.text.contains("semantic 2"), "{}", context.text);
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_told_of_a_document_that_is_too_long() {
        let mut stage = GatherStage::of([(SourceScript::Say, 10); 3]);
        stage.settings.trigger.max_lines = 1;
        let context = stage.gather().await.unwrap();
        assert_eq!((context.text.as_str(), stage.asked()), ("", 0));
        let why = "the document has more lines than trigger.maxLines";
        for report in &context.sources {
            assert_eq!(report.fate, SectionFate::Unavailable(why.to_owned()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_budget_is_that_of_the_settings() {
        let mut stage = GatherStage::of([(SourceScript::Say, 10); 3]);
        stage.settings.context.token_budget.max_context_tokens = 20;
        let context = stage.gather().await.unwrap();
        assert!(context.tokens <= 20, "{}", context.tokens);
        assert!(TokenEstimate.count(&context.text) <= 20);
    }
}
