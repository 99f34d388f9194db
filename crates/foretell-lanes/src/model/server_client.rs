//! A model server, as far as it is one of many: where it is, how it knows us, and what it answers as
//! that comes in, within bounds.
//!
//! | part | what it is |
//! | --- | --- |
//! | `server_address` | where it is, checked, and what is wrong if it cannot be asked |
//! | `key` | the secret it knows the person by, which is never printed |
//! | `http_client` | the connections to it: proxies, certificates, kept open |
//! | `body` | the bytes of an answer: so many, in so much time |
//! | `reply` | an answer, one JSON payload after the other |
//! | `body_lines` | a body in lines |
//! | `refusal` | what a status means, and for how long to leave it alone |
//! | `server_words` | a server's own words, without what it was told |
//! | `connection_faults` | what a broken connection is called |
//!
//! Giving up a request, or dropping a [`ServerReply`], closes its connection at once. No fault and nothing
//! that prints has a key in it, nor anything that was sent.
//!
//! Absent on purpose: what is asked and what an answer means, which is a dialect's, and every wait but
//! the one for an answer: who asks when, and when again, is decided elsewhere.

mod body;
mod body_lines;
mod connection_faults;
mod echo;
mod http_client;
mod key;
mod refusal;
mod reply;
mod server_address;
mod server_words;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use foretell_settings::settings;
use foretell_text::{FailureKind, LaneKind};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

pub use self::reply::ServerReply;
pub use self::server_address::{LaneSettingName, ServerConfigFault};

use self::body::{BodyBounds, ResponseBody, too_late};
use self::key::{ApiKey, ApiKeys};
use self::refusal::ServerRefusal;
use self::server_address::ServerAddress;
use self::server_words::SentParts;
use crate::lane::LaneFault;

/// How large the frame around each token of an answer may be: names, dates and numbers that a server
/// repeats with every one of them, and that are not the answer.
const ENVELOPE: usize = 1_024;
/// How large an answer to a probe may be. Lists of models are long, and are not kept.
const MOST_PROBED: usize = 4 * 1024 * 1024;
/// How much of a refusal is read: what it says for people comes first, and what it was told behind.
const MOST_REFUSAL: usize = 16 * 1024;

/// A server that can be asked. Clones share its connections and its key.
#[derive(Clone)]
pub struct ServerClient(Arc<ServerState>);

struct ServerState {
    address: ServerAddress,
    client: Client,
    headers: HeaderMap,
    keys: ApiKeys,
    first_byte: Duration,
    idle: Duration,
    most: usize,
}

/// Where the server of a lane's settings is, for people: without path, so that no key is in it. Nothing
/// is read or asked.
pub fn address_of(
    lane: LaneKind,
    settings: &settings::LaneSettings,
) -> Result<impl fmt::Display + use<>, ServerConfigFault> {
    ServerAddress::of(lane, settings)
}

impl ServerClient {
    /// The server of a lane's settings. This reads certificates, and nothing else; keys are read when
    /// they are first needed.
    pub fn new(
        lane: LaneKind,
        settings: &settings::LaneSettings,
    ) -> Result<Self, ServerConfigFault> {
        let address = ServerAddress::of(lane, settings)?;
        let envelopes = settings.max_tokens.saturating_mul(ENVELOPE);
        Ok(ServerClient(Arc::new(ServerState {
            client: http_client::client(&address, settings)?,
            headers: server_address::headers(lane, settings)?,
            keys: ApiKeys::of(address.setting, settings),
            first_byte: Duration::from_millis(settings.first_byte.get()),
            idle: Duration::from_millis(settings.idle.get()),
            most: settings.max_bytes.saturating_add(envelopes),
            address,
        })))
    }

    /// Asks with a body, at a path such as `/v1/completions`. The answer is there as soon as it has
    /// begun.
    pub async fn post(&self, path: &str, body: &Value) -> Result<ServerReply, LaneFault> {
        let sent = Bytes::from(body.to_string());
        self.post_bytes(path, sent, || {}).await
    }

    /// The same with a body that is written already. `sending` is called when the key is there and
    /// the first byte is about to leave; where there is no key to be had, nothing leaves.
    pub(crate) async fn post_bytes(
        &self,
        path: &str,
        sent: Bytes,
        sending: impl FnOnce(),
    ) -> Result<ServerReply, LaneFault> {
        let request = self
            .request(Method::POST, path)
            .header(
                ACCEPT,
                "text/event-stream, application/x-ndjson, application/json",
            )
            .header(CONTENT_TYPE, "application/json")
            .body(sent.clone());
        let (answer, key) = self
            .send(request, Some(&sent), self.0.most, sending)
            .await?;
        let asked = RequestSecrets {
            server: self.clone(),
            key,
            sent,
        };
        Ok(ServerReply::new(answer, asked))
    }

    /// Asks for what is at a path, such as `/v1/models`: all of it, as text.
    pub async fn get(&self, path: &str) -> Result<String, LaneFault> {
        let request = self.request(Method::GET, path);
        let request = request.header(ACCEPT, "application/json, text/plain");
        self.text_of(request).await
    }

    async fn text_of(&self, request: RequestBuilder) -> Result<String, LaneFault> {
        let (mut body, _) = self.send(request, None, MOST_PROBED, || {}).await?;
        let all = timeout(self.0.first_byte, body.rest()).await;
        let all = all.unwrap_or_else(|_| Err(too_late(&self.0.address)))?;
        String::from_utf8(all).map_err(|_| {
            let says = format!("{} answers with bytes that are not UTF-8", self.0.address);
            LaneFault::new(FailureKind::MalformedStream, says)
        })
    }

    /// Asks with a body that has no word of a document in it: all of the answer, as text.
    pub(crate) async fn post_for_text(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<String, LaneFault> {
        let request = self
            .request(Method::POST, path)
            .header(ACCEPT, "application/json")
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        self.text_of(request).await
    }

    /// Where the server is, for people: without path, so that no key is in it.
    pub fn address(&self) -> impl fmt::Display + use<> {
        self.0.address.clone()
    }

    /// Whether the person's address has more of a path than is shown.
    pub(crate) fn has_path(&self) -> bool {
        self.0.address.has_path()
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.0.client.request(method, self.0.address.join(path))
    }

    /// Sends a request and waits for its answer to begin.
    async fn send(
        &self,
        request: RequestBuilder,
        sent: Option<&Bytes>,
        most: usize,
        sending: impl FnOnce(),
    ) -> Result<(ResponseBody, Option<ApiKey>), LaneFault> {
        let ServerState {
            address,
            headers,
            keys,
            ..
        } = &*self.0;
        let key = keys.get().await?;
        // Headers that the person sets come last, and replace ours.
        let request = request
            .headers(authorization(key.as_ref())?)
            .headers(headers.clone());
        sending();
        let begins_by = Instant::now() + self.0.first_byte;
        let response = match timeout_at(begins_by, request.send()).await {
            Ok(response) => response.map_err(|error| connection_faults::of(&error, address))?,
            Err(_) => return Err(too_late(address)),
        };
        if !response.status().is_success() {
            let fault = self.refused(response, key.as_ref(), sent).await;
            return Err(fault);
        }
        let bounds = BodyBounds {
            most,
            begins_by,
            idle: self.0.idle,
            while_reading: self.0.first_byte,
        };
        Ok((ResponseBody::new(response, address.clone(), bounds), key))
    }

    /// The fault that an answer with a bad status means.
    async fn refused(
        &self,
        response: Response,
        key: Option<&ApiKey>,
        sent: Option<&Bytes>,
    ) -> LaneFault {
        let ServerState {
            address,
            headers,
            keys,
            ..
        } = &*self.0;
        let status = response.status();
        if status == StatusCode::UNAUTHORIZED {
            keys.forget();
        }
        let (heads, url) = (response.headers().clone(), response.url().clone());
        let bounds = BodyBounds {
            most: usize::MAX,
            begins_by: Instant::now(),
            idle: self.0.idle,
            while_reading: self.0.idle,
        };
        let mut body = ResponseBody::new(response, address.clone(), bounds);
        let mut said = Vec::new();
        // However it ends, what has been said has been said.
        let _ = timeout(self.0.idle, body.beginning(MOST_REFUSAL, &mut said)).await;
        let refusal = ServerRefusal {
            status,
            headers: &heads,
            url: &url,
            has_key: key.is_some() || headers.contains_key(AUTHORIZATION),
            words: self.words(&said, key, sent),
        };
        refusal.fault(SystemTime::now(), address)
    }
}

impl ServerClient {
    /// The server's own words for people, without anything that was sent.
    fn words(&self, said: &[u8], key: Option<&ApiKey>, sent: Option<&Bytes>) -> Option<String> {
        let own = self.0.headers.values();
        let own = own.filter_map(|value| value.to_str().ok());
        // Read again rather than kept for every request: hardly any is refused.
        let body: Option<Value> = sent.and_then(|sent| serde_json::from_slice(sent).ok());
        let told = SentParts {
            secrets: own.chain(key.map(ApiKey::reveal)).collect(),
            address: self.0.address.secrets(),
            body: body.as_ref(),
        };
        server_words::repeatable(said, &told)
    }
}

/// The request and its key: an answer that repeats them is not quoted.
struct RequestSecrets {
    server: ServerClient,
    key: Option<ApiKey>,
    sent: Bytes,
}

impl RequestSecrets {
    /// The words of a payload for people, without anything that was sent.
    fn words(&self, payload: &str) -> Option<String> {
        let (key, sent) = (self.key.as_ref(), Some(&self.sent));
        self.server.words(payload.as_bytes(), key, sent)
    }
}

/// Where it is, and nothing of how it knows us.
impl fmt::Debug for ServerClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerClient")
            .field("address", &self.0.address)
            .finish_non_exhaustive()
    }
}

/// A key as the header that it is sent in.
fn authorization(key: Option<&ApiKey>) -> Result<HeaderMap, LaneFault> {
    let mut headers = HeaderMap::new();
    if let Some(key) = key {
        let value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()));
        let mut value = value.map_err(|_| {
            LaneFault::new(
                FailureKind::NoKey,
                "the key has a character in it that no key has",
            )
        })?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}
