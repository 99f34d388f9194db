//! A certificate that is its own signer.

use std::sync::Arc;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// A certificate of a host, with its key, that no machine trusts unless it is told to.
pub struct TestCertificate(rcgen::CertifiedKey<rcgen::KeyPair>);

impl TestCertificate {
    /// One of a host: a name or a number.
    pub fn of(host: &str) -> Self {
        TestCertificate(rcgen::generate_simple_self_signed([host.to_owned()]).unwrap())
    }

    /// As it is written in files.
    pub fn pem(&self) -> String {
        self.0.cert.pem()
    }

    pub(super) fn acceptor(&self) -> TlsAcceptor {
        let key = PrivateKeyDer::try_from(self.0.signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.0.cert.der().clone()], key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }
}
