//! The connections to a server: made once for a lane, kept open between requests, and given up
//! together with it.
//!
//! Proxies come from the environment and the system, as elsewhere on the machine, with the exceptions
//! of `NO_PROXY`; what is on this machine is always asked directly. Certificates are the system's and
//! those of `caFile`. Nothing follows a redirect: it would carry code, and perhaps the key, to a host
//! that no setting names.
//!
//! Absent on purpose: keys, which are added to each request, and retries, but for requests that a
//! closing connection never carried.

use std::time::Duration;

use foretell_settings::settings;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder};

use super::key::in_home;
use super::server_address::{ServerAddress, ServerConfigFault};

/// How many connections without anything to do are kept. Only one of a lane's requests is ever
/// current.
const IDLE_CONNECTIONS: usize = 2;
/// When a shared connection is asked whether it is still there, and how long it has to say so. Both
/// pass while a request waits for its answer, so that a connection which a sleeping laptop lost fails
/// one request and not every one after.
const ASK_AFTER: Duration = Duration::from_secs(2);
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The largest file of certificates that is read; a whole system's are a quarter of that.
const MOST_CERTIFICATES: u64 = 1024 * 1024;

/// Connections to an address.
pub(super) fn client(
    address: &ServerAddress,
    settings: &settings::LaneSettings,
) -> Result<Client, ServerConfigFault> {
    let certificates = match &settings.ca_file {
        Some(file) => certificates(address, file)?,
        None => Vec::new(),
    };
    let builder = || builder(address, settings);
    let built = if !address.is_encrypted() && address.is_loopback() {
        // No certificate is needed, and reading the system's takes a while.
        builder().tls_certs_only([]).build()
    } else if certificates.is_empty() {
        builder().build()
    } else {
        let merged = builder().tls_certs_merge(certificates.clone()).build();
        // A machine may have no certificates of its own.
        merged.or_else(|_| builder().tls_certs_only(certificates).build())
    };
    built.map_err(|error| ServerConfigFault::NoClient {
        setting: address.setting,
        why: innermost(&error),
    })
}

fn builder(address: &ServerAddress, settings: &settings::LaneSettings) -> ClientBuilder {
    let builder = Client::builder()
        .user_agent(concat!("foretell/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .connect_timeout(time_to_connect(settings))
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .http2_keep_alive_interval(ASK_AFTER)
        .http2_keep_alive_timeout(ANSWER_WITHIN);
    if address.is_loopback() {
        builder.no_proxy()
    } else {
        builder
    }
}

/// How long a connection may take to be made: most of the time there is until an answer begins, so
/// that a host that cannot be reached is told from one that thinks.
pub(super) fn time_to_connect(settings: &settings::LaneSettings) -> Duration {
    Duration::from_millis(settings.first_byte.get()) * 4 / 5
}

/// The certificates of a file.
fn certificates(
    address: &ServerAddress,
    file: &str,
) -> Result<Vec<Certificate>, ServerConfigFault> {
    let wrong = |why: String| ServerConfigFault::CaFile {
        setting: address.setting,
        why,
    };
    let path = in_home(file);
    let unreadable = |error: std::io::Error| wrong(format!("it cannot be read ({})", error.kind()));
    let about = std::fs::metadata(&path).map_err(unreadable)?;
    // Anything else may have no end, or keep a reader waiting for ever.
    if !about.is_file() {
        return Err(wrong("it is not a file".to_owned()));
    }
    if about.len() > MOST_CERTIFICATES {
        return Err(wrong("it is larger than 1 MB".to_owned()));
    }
    let text = std::fs::read(&path).map_err(unreadable)?;
    match Certificate::from_pem_bundle(&text) {
        Ok(found) if found.is_empty() => Err(wrong("there is no certificate in it".to_owned())),
        Ok(found) => Ok(found),
        Err(error) => Err(wrong(innermost(&error))),
    }
}

/// The first cause of an error.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut at = error;
    while let Some(cause) = at.source() {
        at = cause;
    }
    at.to_string()
}
