//! Certificates that are trusted, and those that are not.

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer, TestCertificate};

use crate::{heard, played, server_at, told};

async fn heard_from(
    host: &str,
    trusted: Option<&TestCertificate>,
    own: &TestCertificate,
) -> String {
    let scripted = ModelServer::start_encrypted(ScriptedAnswer::json("{}"), own);
    let url = format!("https://{host}:{}", scripted.port());
    let file = tempfile::NamedTempFile::new().unwrap();
    let lines = match trusted {
        Some(certificate) => {
            std::fs::write(file.path(), certificate.pem()).unwrap();
            format!("caFile = {:?}", file.path().to_str().unwrap())
        }
        None => String::new(),
    };
    let (_, fault) = heard(&server_at(&url, &lines)).await;
    told(fault).replace(&format!(":{}", scripted.port()), "")
}

#[tokio::test]
async fn a_certificate_that_nobody_signed_is_not_trusted() {
    let own = TestCertificate::of("127.0.0.1");
    assert_eq!(
        heard_from("127.0.0.1", None, &own).await,
        "tls: the certificate of https://127.0.0.1 is signed by nobody this machine trusts: name \
         the signer's certificate in lanes.fim.caFile"
    );
}

#[tokio::test]
async fn a_certificate_in_the_persons_file_is_trusted() {
    let own = TestCertificate::of("127.0.0.1");
    assert_eq!(heard_from("127.0.0.1", Some(&own), &own).await, "no fault");
    let named = TestCertificate::of("localhost");
    assert_eq!(
        heard_from("localhost", Some(&named), &named).await,
        "no fault"
    );
}

#[tokio::test]
async fn another_hosts_certificate_is_not_trusted() {
    let own = TestCertificate::of("api.example.com");
    assert_eq!(
        heard_from("127.0.0.1", Some(&own), &own).await,
        "tls: the certificate of https://127.0.0.1 is another host's: correct lanes.fim.url, or \
         have the server use its own"
    );
}

#[tokio::test]
async fn trusting_one_certificate_is_not_trusting_another() {
    let (own, other) = (
        TestCertificate::of("127.0.0.1"),
        TestCertificate::of("127.0.0.1"),
    );
    let told = heard_from("127.0.0.1", Some(&other), &own).await;
    assert!(told.starts_with("tls: "), "{told}");
}

#[tokio::test]
async fn a_server_without_encryption_is_no_encrypted_one() {
    let words = "tls: https://127.0.0.1 does not answer with encryption: if the model server has \
                 none, begin lanes.fim.url with http://";
    for answer in [
        ScriptedAnswer::raw("HTTP/1.1 400 Bad Request\r\n\r\n"),
        ScriptedAnswer::hang_up(),
    ] {
        // What asks for encryption has no end of a head in it, so that it is answered at once only by
        // chance; and what is silent is given up.
        let scripted = ModelServer::start(answer);
        let url = format!("https://127.0.0.1:{}", scripted.port());
        let (_, fault) = heard(&server_at(&url, "firstByteMs = 300")).await;
        let told = told(fault);
        assert!(told == words || told.starts_with("unreachable: "), "{told}");
    }
}

#[tokio::test]
async fn an_encrypted_server_asked_without_encryption_says_so() {
    let own = TestCertificate::of("127.0.0.1");
    let scripted = ModelServer::start_encrypted(ScriptedAnswer::json("{}"), &own);
    let url = format!("http://127.0.0.1:{}", scripted.port());
    let (_, fault) = heard(&server_at(&url, "")).await;
    let told = told(fault);
    assert!(
        told.starts_with("malformed-stream: ") || told.starts_with("cut: "),
        "{told}"
    );
    let (_, fault) = played(ScriptedAnswer::raw(b"\x15\x03\x03\x00\x02\x02\x0a")).await;
    assert!(crate::told(fault).contains("whether it wants https"));
}
