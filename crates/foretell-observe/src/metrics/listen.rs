//! [`MetricsListener`]: a thread with a port, which serves the page over HTTP.
//!
//! It has a runtime of its own, so that nothing that happens at the port takes time from the loop. So
//! many connections are open at most, and each for so long: a peer that says nothing, reads nothing,
//! or does not speak HTTP is cut off, and those beyond wait until there is room.
//!
//! Only `GET` and `HEAD` of `/metrics` are answered with something, and only if the request is made to
//! this machine by a name that is this machine's: a web page whose name somebody has pointed to
//! 127.0.0.1 could otherwise read the answer in a person's browser.
//!
//! Absent on purpose: HTTP itself, which is hyper's, and keeping connections open. Scrapes are seconds
//! apart.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener as StdListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderValue};
use hyper::http::uri::Authority;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{sleep, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::ScrapeRequest;
use super::address::is_this_machine;
use super::text_format;
use crate::resident;
use foretell_journal::NumberRow;

/// How many connections are open at most. A scraper needs one.
const MOST: usize = 64;

/// How long one may take, from its first byte to its last.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long the loop may take to say how everything is.
const BUSY: Duration = Duration::from_secs(1);

/// How long nothing is accepted when the system has no room for another connection.
const PAUSE: Duration = Duration::from_millis(100);

/// The most that is read of a request, in bytes; the least that hyper takes.
const LARGEST: usize = 8 << 10;

/// A port at which metrics are served, until this is dropped.
pub(super) struct MetricsListener {
    at: SocketAddr,
    _stop: DropGuard,
}

impl MetricsListener {
    pub(super) fn begin(at: SocketAddr, ask: mpsc::Sender<ScrapeRequest>) -> io::Result<Self> {
        let listener = StdListener::bind(at)?;
        listener.set_nonblocking(true)?;
        let at = listener.local_addr()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let pages = PageSource { ask };
        thread::Builder::new()
            .name("metrics".to_owned())
            .spawn(move || serve(&runtime, listener, &stopped, &pages))?;
        Ok(MetricsListener {
            at,
            _stop: stop.drop_guard(),
        })
    }

    /// Where it listens, which it may have chosen itself.
    pub(super) fn at(&self) -> SocketAddr {
        self.at
    }
}

/// Serves until it is stopped. Open connections then end with the runtime.
fn serve(runtime: &Runtime, listener: StdListener, stop: &CancellationToken, pages: &PageSource) {
    let serving = async {
        // There is a runtime here, which is all that this needs.
        if let Ok(listener) = TcpListener::from_std(listener) {
            accept(&listener, pages).await;
        }
    };
    runtime.block_on(stop.run_until_cancelled(serving));
}

async fn accept(listener: &TcpListener, pages: &PageSource) {
    let room = Arc::new(Semaphore::new(MOST));
    // The semaphore is never closed.
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let pages = pages.clone();
        tokio::spawn(async move {
            // A peer that is cut off or talks nonsense needs no log line.
            let _ = timeout(PATIENCE, converse(stream, pages)).await;
            drop(place);
        });
    }
}

async fn converse(stream: TcpStream, pages: PageSource) -> hyper::Result<()> {
    let service = service_fn(move |request| {
        let pages = pages.clone();
        async move { Ok::<_, Infallible>(pages.respond(&request).await) }
    });
    http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(LARGEST)
        .serve_connection(TokioIo::new(stream), service)
        .await
}

/// Where pages come from.
#[derive(Clone)]
struct PageSource {
    ask: mpsc::Sender<ScrapeRequest>,
}

impl PageSource {
    async fn respond(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        if !is_for_this_machine(request) {
            let words = "ask for 127.0.0.1, [::1] or localhost\n";
            return plain(StatusCode::FORBIDDEN, words);
        }
        if request.uri().path() != "/metrics" {
            let words = "there is nothing here; metrics are at /metrics\n";
            return plain(StatusCode::NOT_FOUND, words);
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            let words = "metrics can only be read: GET /metrics\n";
            let mut refusal = plain(StatusCode::METHOD_NOT_ALLOWED, words);
            let allowed = HeaderValue::from_static("GET, HEAD");
            refusal.headers_mut().insert(ALLOW, allowed);
            return refusal;
        }
        match self.page().await {
            Some(page) => {
                let mut response = plain(StatusCode::OK, page);
                let format = HeaderValue::from_static(text_format::CONTENT_TYPE);
                response.headers_mut().insert(CONTENT_TYPE, format);
                response
            }
            None => {
                let words = "the server is busy or about to end; ask again\n";
                plain(StatusCode::SERVICE_UNAVAILABLE, words)
            }
        }
    }

    /// The page of this moment, unless the loop has no time for it.
    async fn page(&self) -> Option<String> {
        let (answer, answered) = oneshot::channel();
        let rows = async {
            self.ask.send(ScrapeRequest(answer)).await.ok()?;
            answered.await.ok()
        };
        let mut rows = timeout(BUSY, rows).await.ok().flatten()?;
        rows.extend(resident::bytes().map(NumberRow::memory));
        Some(text_format::page(rows))
    }
}

/// Whether a request is made to this machine, as far as it says.
fn is_for_this_machine(request: &Request<Incoming>) -> bool {
    let named = request.headers().get(HOST);
    let named = named.and_then(|it| Authority::try_from(it.as_bytes()).ok());
    let whole = request.uri().host();
    named.is_some_and(|it| is_this_machine(it.host())) && whole.is_none_or(is_this_machine)
}

fn plain(status: StatusCode, words: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(words.into()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    headers.insert(CONTENT_TYPE, text);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
