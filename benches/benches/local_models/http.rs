//! HTTP on this machine, as little of it as the proxy and the clients need: one connection a request.
//!
//! Dropping an answer that is not read to its end closes its connection, which is how a client of a model
//! server says that it does not want the rest.

use std::net::SocketAddr;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Why a request came to nothing.
pub(crate) type HttpError = Box<dyn std::error::Error + Send + Sync>;

/// An answer that may still be arriving.
pub(crate) struct HttpAnswer {
    pub(crate) head: Response<()>,
    body: Incoming,
    /// The connection, which ends with the answer.
    connection: tokio::task::JoinHandle<()>,
}

impl HttpAnswer {
    /// Sends a request.
    pub(crate) async fn to(
        server: SocketAddr,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<HttpAnswer, HttpError> {
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(async move {
            // What went wrong is told by the answer.
            let _ = connection.await;
        });
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", server.to_string())
            .header("content-type", "application/json")
            .body(Full::new(body))?;
        let (head, body) = sender.send_request(request).await?.into_parts();
        Ok(HttpAnswer {
            head: Response::from_parts(head, ()),
            body,
            connection,
        })
    }

    /// The next bytes; nothing at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, HttpError> {
        while let Some(frame) = self.body.frame().await {
            if let Ok(bytes) = frame?.into_data() {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// All of it.
    pub(crate) async fn whole(mut self) -> Result<Bytes, HttpError> {
        let mut all = Vec::new();
        while let Some(bytes) = self.next().await? {
            all.extend(bytes);
        }
        Ok(all.into())
    }
}

impl Drop for HttpAnswer {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

/// Posts JSON and gets JSON.
pub(crate) async fn post(server: SocketAddr, path: &str, body: &Value) -> Result<Value, HttpError> {
    let bytes = body.to_string().into();
    let answer = HttpAnswer::to(server, Method::POST, path, bytes).await?;
    Ok(serde_json::from_slice(&answer.whole().await?)?)
}
