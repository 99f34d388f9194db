//! The address that clients are given. Questions to the model queue for the [`Device`]; everything else is
//! passed on as it is, and costs no time.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Instant;

use futures_util::stream;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::device::{AnswerPart, Device, PendingCall};
use crate::http::{HttpAnswer, HttpError};
use crate::ledger::Ledger;
use crate::speed::Speed;

/// What makes a model read.
const QUESTIONS: [&str; 5] = [
    "/infill",
    "/completion",
    "/completions",
    "/v1/completions",
    "/v1/chat/completions",
];

type ProxyBody = UnsyncBoxBody<Bytes, Infallible>;

/// A proxy that runs as long as this program.
#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    pub(crate) ledger: Ledger,
}

impl Proxy {
    /// Listens in front of a server.
    pub(crate) async fn start(
        server: SocketAddr,
        speed: Speed,
        cache_reuse: u32,
    ) -> Result<Proxy, HttpError> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let ledger = Ledger::default();
        let (queue, waiting) = mpsc::unbounded_channel();
        let device = Device {
            server,
            speed,
            cache_reuse,
            ledger: ledger.clone(),
        };
        tokio::spawn(device.work(waiting));
        let front = Front {
            server,
            queue,
            ledger: ledger.clone(),
        };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let front = front.clone();
                let service = service_fn(move |request| {
                    let front = front.clone();
                    async move { Ok::<_, Infallible>(front.answer_or_fail(request).await) }
                });
                tokio::spawn(async move {
                    // A client that leaves ends its connection with an error, which is its own business.
                    let _ = http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Ok(Proxy { address, ledger })
    }
}

#[derive(Clone)]
struct Front {
    server: SocketAddr,
    queue: mpsc::UnboundedSender<PendingCall>,
    ledger: Ledger,
}

impl Front {
    /// A fault of the proxy's own is told as one.
    async fn answer_or_fail(&self, request: Request<Incoming>) -> Response<ProxyBody> {
        let answer = self.answer(request).await;
        answer.unwrap_or_else(|why| {
            let mut response = Response::new(Full::new(why.to_string().into()).boxed_unsync());
            *response.status_mut() = StatusCode::BAD_GATEWAY;
            response
        })
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<ProxyBody>, HttpError> {
        let came_in = Instant::now();
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let path = head.uri.path();
        if head.method != Method::POST || !QUESTIONS.contains(&path) {
            let path = head.uri.path_and_query().map_or(path, |it| it.as_str());
            let answer = HttpAnswer::to(self.server, head.method, path, body).await?;
            let status = answer.head.status();
            let whole = Full::new(answer.whole().await?).boxed_unsync();
            return respond(status, "application/json", whole);
        }
        let (answer, parts) = mpsc::channel(1024);
        let pending = PendingCall {
            came_in,
            path: path.to_owned(),
            body: serde_json::from_slice(&body)?,
            answer,
        };
        self.ledger.begin();
        self.queue
            .send(pending)
            .map_err(|_| "the machine stopped")?;
        stream_parts(parts).await
    }
}

/// The answer as it comes. Dropping it tells the machine that the client has left.
async fn stream_parts(
    mut parts: mpsc::Receiver<AnswerPart>,
) -> Result<Response<ProxyBody>, HttpError> {
    let Some(AnswerPart::Head(status, kind)) = parts.recv().await else {
        return Err("the server broke off".into());
    };
    let frames = stream::unfold(parts, |mut parts| async {
        loop {
            match parts.recv().await? {
                AnswerPart::Head(..) => (),
                AnswerPart::Bytes(bytes) => {
                    return Some((Ok::<_, Infallible>(Frame::data(bytes)), parts));
                }
            }
        }
    });
    respond(status, kind, BodyExt::boxed_unsync(StreamBody::new(frames)))
}

fn respond(
    status: StatusCode,
    kind: &str,
    body: ProxyBody,
) -> Result<Response<ProxyBody>, HttpError> {
    let response = Response::builder().status(status);
    Ok(response.header("content-type", kind).body(body)?)
}
