//! A source of context as the engine sees it: something with a name that is asked, may
//! take its time, and may break.
//!
//! The look of a section is decided in `foretell-context`, without a clock; here is only how it
//! is had. So a further source is two short pieces: a function from a request to a section there, and
//! an implementation of [`ContextSource`] here. How sources are asked at once, until when, and what becomes
//! of those that break is [`gather`](mod@crate::gather)'s business and the same for all.

use std::pin::Pin;
use std::sync::Arc;

use foretell_context::sources::{change_history, diagnostics, semantic};
use foretell_context::{ContextRequest, ContextSection};
use foretell_settings::settings::{ContextProviders, ProviderSettings};
use foretell_text::{CodeSearch, CodeSearchError};
use tokio_util::sync::CancellationToken;

use crate::work_threads::WorkThreads;

/// A source that is asked. Dropping what [`ContextSource::find`] returned must stop it: that is how it
/// learns that its time is up.
pub trait ContextSource: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// The person's settings for it: whether it is asked, and for how many entries.
    fn provider(&self, settings: &ContextProviders) -> ProviderSettings;

    /// Looks for at most so many entries, the most important first. Nothing is not an error.
    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search;
}

/// A search that runs.
pub type Search = Pin<Box<dyn Future<Output = Result<Option<ContextSection>, SourceError>> + Send>>;

/// Why a source has nothing to say. The words are for reports and logs, and quote no document.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It cannot work here, and nothing is wrong.
    #[error("{0}")]
    Unavailable(String),
    /// It broke.
    #[error("{0}")]
    Failed(String),
}

/// The source of the file's diagnostics.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiagnosticsSource;

impl ContextSource for DiagnosticsSource {
    fn name(&self) -> &'static str {
        "diagnostics"
    }

    fn provider(&self, settings: &ContextProviders) -> ProviderSettings {
        settings.diagnostics.clone()
    }

    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search {
        Box::pin(async move { Ok(diagnostics::section(&request, most)) })
    }
}

/// The source of the person's latest changes.
#[derive(Clone, Copy, Debug, Default)]
pub struct HistorySource;

impl ContextSource for HistorySource {
    fn name(&self) -> &'static str {
        "history"
    }

    fn provider(&self, settings: &ContextProviders) -> ProviderSettings {
        settings.history.clone()
    }

    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search {
        Box::pin(async move { Ok(change_history::section(&request, most)) })
    }
}

/// Code of the workspace that has to do with the place.
#[derive(Clone)]
pub struct SemanticSource {
    /// The search, or why there is none.
    pub finder: Result<Arc<dyn CodeSearch>, NoIndex>,
    /// Where it is looked for.
    pub work: WorkThreads,
}

/// Why there is no index to find code in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoIndex {
    /// None has been made so far.
    #[error("there is no index yet")]
    NotYet,
    /// The person does not want one.
    #[error("a setting switches the index off")]
    SwitchedOff,
    /// The file is alone.
    #[error("it is in no workspace; foretell index makes one of a directory")]
    NoWorkspace,
    /// It cannot be opened, of which more has been said elsewhere.
    #[error("the index cannot be used")]
    Unusable,
}

impl ContextSource for SemanticSource {
    fn name(&self) -> &'static str {
        "semantic"
    }

    fn provider(&self, settings: &ContextProviders) -> ProviderSettings {
        settings.semantic.clone()
    }

    /// On a thread where it may block, which learns by a token that it is no longer awaited.
    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search {
        let (finder, work) = (self.finder.clone(), self.work.clone());
        Box::pin(async move {
            let finder = finder.map_err(|why| SourceError::Unavailable(why.to_string()))?;
            let stop = CancellationToken::new();
            let _stops_when_dropped = stop.clone().drop_guard();
            let look = move || {
                let is_stopped = || stop.is_cancelled();
                semantic::section(&request, &*finder, most, &is_stopped)
            };
            match work.run(look).await {
                Ok(looked) => looked.map_err(SourceError::from),
                Err(_) => Err(SourceError::Failed("it panicked".to_owned())),
            }
        })
    }
}

/// In its own words; what is behind them may quote a file.
impl From<CodeSearchError> for SourceError {
    fn from(why: CodeSearchError) -> Self {
        match why {
            CodeSearchError::NotReady => SourceError::Unavailable(why.to_string()),
            CodeSearchError::Stopped | CodeSearchError::Broken(_) => {
                SourceError::Failed(why.to_string())
            }
        }
    }
}

/// All there are, the most important first.
pub fn all(finder: Result<Arc<dyn CodeSearch>, NoIndex>) -> Vec<Arc<dyn ContextSource>> {
    vec![
        Arc::new(DiagnosticsSource),
        Arc::new(HistorySource),
        Arc::new(SemanticSource {
            finder,
            work: WorkThreads::default(),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use foretell_text::{ByteOffset, CodeChunk, FilePath, Language, Text};

    use super::*;

    fn request() -> Arc<ContextRequest> {
        Arc::new(ContextRequest {
            file: FilePath::new("src/lib.rs"),
            language: Language::new("rust"),
            text: Text::from("fn total() {}\n"),
            cursor: ByteOffset::ZERO,
            selection: None,
            instruction: String::new(),
            diagnostics: Vec::new(),
            changes: Vec::new(),
        })
    }

    #[tokio::test]
    async fn without_an_index_there_is_no_related_code() {
        let finder = Err(NoIndex::NotYet);
        let work = WorkThreads::default();
        let found = SemanticSource { finder, work }.find(request(), 3).await;
        let why = found.unwrap_err().to_string();
        assert_eq!(why, "there is no index yet");
    }

    /// Looks until it is told to stop, and says so.
    struct StubbornSearch(mpsc::Sender<()>);

    impl CodeSearch for StubbornSearch {
        fn find(
            &self,
            _: &str,
            _: Option<&FilePath>,
            _: usize,
            is_stopped: &dyn Fn() -> bool,
        ) -> Result<Vec<CodeChunk>, CodeSearchError> {
            while !is_stopped() {
                std::thread::yield_now();
            }
            self.0.send(()).unwrap();
            Err(CodeSearchError::Stopped)
        }
    }

    #[tokio::test]
    async fn a_search_that_nobody_waits_for_ends() {
        let (ended, ends) = mpsc::channel();
        let finder: Result<Arc<dyn CodeSearch>, NoIndex> = Ok(Arc::new(StubbornSearch(ended)));
        let work = WorkThreads::default();
        let search = SemanticSource { finder, work }.find(request(), 3);
        let waited = tokio::time::timeout(Duration::from_millis(20), search).await;
        assert!(waited.is_err(), "it would look forever");
        assert_eq!(ends.recv_timeout(Duration::from_secs(20)), Ok(()));
    }
}
