//! A source of context as the engine sees it: something with a name that is asked, may
//! take its time, and may break.
//!
//! What a section looks like is decided in `foretell-context`, without a clock; here is only how it
//! is had. So a further source is two short pieces: a function from a request to a section there, and
//! an implementation of [`Source`] here. How sources are asked at once, until when, and what becomes
//! of those that break is [`gather`](mod@crate::gather)'s business and the same for all.

use std::pin::Pin;
use std::sync::Arc;

use foretell_context::sources::semantic::{FindChunks, FindError};
use foretell_context::sources::{diagnostics, history, semantic};
use foretell_context::{ContextRequest, Section};
use foretell_settings::settings::{Provider, Providers};
use tokio_util::sync::CancellationToken;

use crate::work::WorkThreads;

/// A source that is asked. Dropping what [`Source::find`] returned must stop it: that is how it
/// learns that its time is up.
pub trait Source: Send + Sync {
    /// What reports call it.
    fn name(&self) -> &'static str;

    /// What the person has set for it: whether it is asked, and for how many entries.
    fn provider(&self, settings: &Providers) -> Provider;

    /// Looks for at most so many entries, the most important first. Nothing is not an error.
    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search;
}

/// What a source is doing.
pub type Search = Pin<Box<dyn Future<Output = Result<Option<Section>, SourceError>> + Send>>;

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

/// What compilers and linters say of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Diagnostics;

impl Source for Diagnostics {
    fn name(&self) -> &'static str {
        "diagnostics"
    }

    fn provider(&self, settings: &Providers) -> Provider {
        settings.diagnostics.clone()
    }

    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search {
        Box::pin(async move { Ok(diagnostics::section(&request, most)) })
    }
}

/// What the person changed lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct History;

impl Source for History {
    fn name(&self) -> &'static str {
        "history"
    }

    fn provider(&self, settings: &Providers) -> Provider {
        settings.history.clone()
    }

    fn find(&self, request: Arc<ContextRequest>, most: usize) -> Search {
        Box::pin(async move { Ok(history::section(&request, most)) })
    }
}

/// Code of the workspace that has to do with the place.
#[derive(Clone)]
pub struct Semantic {
    /// The search, or why there is none.
    pub finder: Result<Arc<dyn FindChunks>, NoIndex>,
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

impl Source for Semantic {
    fn name(&self) -> &'static str {
        "semantic"
    }

    fn provider(&self, settings: &Providers) -> Provider {
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
impl From<FindError> for SourceError {
    fn from(why: FindError) -> Self {
        match why {
            FindError::NotReady => SourceError::Unavailable(why.to_string()),
            FindError::Stopped | FindError::Broken(_) => SourceError::Failed(why.to_string()),
        }
    }
}

/// All there are, the most important first.
pub fn all(finder: Result<Arc<dyn FindChunks>, NoIndex>) -> Vec<Arc<dyn Source>> {
    vec![
        Arc::new(Diagnostics),
        Arc::new(History),
        Arc::new(Semantic {
            finder,
            work: WorkThreads::default(),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use foretell_context::sources::semantic::Query;
    use foretell_text::{ByteOffset, Chunk, FilePath, Language, Text};

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
        let found = Semantic { finder, work }.find(request(), 3).await;
        let why = found.unwrap_err().to_string();
        assert_eq!(why, "there is no index yet");
    }

    /// Looks until it is told to stop, and says so.
    struct Stubborn(mpsc::Sender<()>);

    impl FindChunks for Stubborn {
        fn find(
            &self,
            _: &Query,
            _: usize,
            is_stopped: &dyn Fn() -> bool,
        ) -> Result<Vec<Chunk>, FindError> {
            while !is_stopped() {
                std::thread::yield_now();
            }
            self.0.send(()).unwrap();
            Err(FindError::Stopped)
        }
    }

    #[tokio::test]
    async fn a_search_that_nobody_waits_for_ends() {
        let (ended, ends) = mpsc::channel();
        let finder: Result<Arc<dyn FindChunks>, NoIndex> = Ok(Arc::new(Stubborn(ended)));
        let work = WorkThreads::default();
        let search = Semantic { finder, work }.find(request(), 3);
        let waited = tokio::time::timeout(Duration::from_millis(20), search).await;
        assert!(waited.is_err(), "it would look forever");
        assert_eq!(ends.recv_timeout(Duration::from_secs(20)), Ok(()));
    }
}
