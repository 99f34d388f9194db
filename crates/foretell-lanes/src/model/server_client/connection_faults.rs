//! Names the fault of a broken connection, and says what to do about it.
//!
//! The errors of libraries may quote addresses, and with them keys and proxies' passwords, so that none
//! of it is repeated: the words are ours, chosen by what the error is.

use std::error::Error;
use std::io;

use foretell_text::FailureKind;
use rustls::CertificateError;

use super::server_address::ServerAddress;
use crate::lane::LaneFault;

/// Why a request was not answered, or an answer did not come to its end.
pub(super) fn of(error: &reqwest::Error, address: &ServerAddress) -> LaneFault {
    let setting = address.setting;
    let found = ErrorCauses::of(error);
    if let Some(tls) = found.tls {
        return of_tls(tls, address);
    }
    let refused = found.io == Some(io::ErrorKind::ConnectionRefused);
    if error.is_connect() || error.is_timeout() {
        return match () {
            () if found.is_proxy => LaneFault::new(
                FailureKind::Unreachable,
                format!(
                    "the proxy does not let anybody through to {address}: check HTTPS_PROXY and \
                     its password, or name the host in NO_PROXY"
                ),
            ),
            () if refused => LaneFault::new(
                FailureKind::Refused,
                format!(
                    "nobody listens at {address}: start the model server, or correct {setting}.url"
                ),
            ),
            () if found.is_dns => LaneFault::new(
                FailureKind::Unreachable,
                format!(
                    "no address is known for {address}: check the network, or correct {setting}.url"
                ),
            ),
            () if error.is_timeout() => LaneFault::new(
                FailureKind::Unreachable,
                format!(
                    "no connection to {address} came about in time: check the network, or correct \
                     {setting}.url"
                ),
            ),
            // Somebody was there and hung up before a word was said.
            () if address.is_encrypted() && found.io == Some(io::ErrorKind::UnexpectedEof) => {
                not_tls(address)
            }
            () => LaneFault::new(
                FailureKind::Unreachable,
                format!(
                    "there is no way to {address}: check the network, or correct {setting}.url"
                ),
            ),
        };
    }
    if found.is_garbled {
        return LaneFault::new(
            FailureKind::MalformedStream,
            format!(
                "what {address} sends is not HTTP as it should be: check that {setting}.url is a \
                 model server's, and whether it wants https"
            ),
        );
    }
    cut(address)
}

/// The connection was closed in the middle.
pub(super) fn cut(address: &ServerAddress) -> LaneFault {
    LaneFault::new(
        FailureKind::Cut,
        format!("{address} closed the connection in the middle: see what the model server logs"),
    )
}

/// Why there is no trust.
fn of_tls(error: &rustls::Error, address: &ServerAddress) -> LaneFault {
    let setting = address.setting;
    let says = match error {
        rustls::Error::InvalidCertificate(why) => match why {
            CertificateError::UnknownIssuer => format!(
                "the certificate of {address} is signed by nobody this machine trusts: name the \
                 signer's certificate in {setting}.caFile"
            ),
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                format!(
                    "the certificate of {address} is another host's: correct {setting}.url, or \
                     have the server use its own"
                )
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                format!("the certificate of {address} has expired: have the server renew it")
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                format!("the certificate of {address} is not valid yet: check this machine's clock")
            }
            _ => format!(
                "the certificate of {address} cannot be trusted: check it, or name its signer's \
                 in {setting}.caFile"
            ),
        },
        rustls::Error::InvalidMessage(_) => return not_tls(address),
        _ => format!(
            "no encryption could be agreed on with {address}: check what the server supports"
        ),
    };
    LaneFault::new(FailureKind::Tls, says)
}

fn not_tls(address: &ServerAddress) -> LaneFault {
    LaneFault::new(
        FailureKind::Tls,
        format!(
            "{address} does not answer with encryption: if the model server has none, begin \
             {}.url with http://",
            address.setting
        ),
    )
}

/// The causes of an error, as far as they tell faults apart.
#[derive(Default)]
struct ErrorCauses<'a> {
    tls: Option<&'a rustls::Error>,
    io: Option<io::ErrorKind>,
    is_dns: bool,
    is_proxy: bool,
    is_garbled: bool,
}

impl<'a> ErrorCauses<'a> {
    fn of(error: &'a reqwest::Error) -> Self {
        let mut found = ErrorCauses::default();
        let mut at: Option<&'a (dyn Error + 'static)> = Some(error);
        while let Some(error) = at {
            if let Some(tls) = error.downcast_ref::<rustls::Error>() {
                found.tls = Some(tls);
            }
            if let Some(hyper) = error.downcast_ref::<hyper::Error>() {
                found.is_garbled |= hyper.is_parse();
            }
            // Two kinds of errors that have no names to ask for. If they say it otherwise one day,
            // it is the words that get less precise, not what they are about.
            let says = error.to_string();
            found.is_dns |= says == "dns error";
            found.is_proxy |= says.starts_with("tunnel error");
            at = match error.downcast_ref::<io::Error>() {
                Some(io) => {
                    found.io = Some(io.kind());
                    let invalid = [io::ErrorKind::InvalidData, io::ErrorKind::InvalidInput];
                    found.is_garbled |= invalid.contains(&io.kind());
                    // The cause of such an error leaves out what it was made of.
                    io.get_ref().map(|inner| inner as &(dyn Error + 'static))
                }
                None => error.source(),
            };
        }
        found
    }
}
