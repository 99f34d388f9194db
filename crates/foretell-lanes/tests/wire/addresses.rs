//! Addresses that are not asked, and what to write instead.

use foretell_lanes::LaneFault;
use foretell_lanes::model::server_client::ServerClient;
use foretell_text::{FailureKind, LaneKind};

use crate::lane;

fn refused(lane_kind: LaneKind, lines: &str) -> String {
    match ServerClient::new(lane_kind, &lane(lines)) {
        Ok(server) => format!("fine: {server:?}"),
        Err(misconfigured) => {
            let fault = LaneFault::from(misconfigured.clone());
            assert_eq!(fault.failure.kind, FailureKind::Misconfigured);
            assert_eq!(*fault.says, misconfigured.to_string());
            misconfigured.to_string()
        }
    }
}

#[test]
fn bad_addresses_are_turned_away_with_what_to_do() {
    let not_one = |why: &str| {
        format!("lanes.fim.url is not an address ({why}): write it like http://127.0.0.1:8080")
    };
    let scheme = "lanes.fim.url does not begin with http:// or https://: write it like \
                  http://127.0.0.1:8080";
    let password = "lanes.fim.url has a name or a password in it: take it out, and name a key by \
                    lanes.fim.apiKeyEnv, lanes.fim.apiKeyFile or lanes.fim.apiKeyCommand";
    let insecure = |host: &str| {
        format!(
            "lanes.fim.url would send code and keys unencrypted to {host}: use https, or set \
             lanes.fim.allowInsecure to true if everybody between may read them"
        )
    };
    let cases = [
        ("127.0.0.1:8080", not_one("relative URL without a base")),
        ("not an address", not_one("relative URL without a base")),
        ("/v1", not_one("relative URL without a base")),
        ("http://", not_one("empty host")),
        ("http://host:99999", not_one("invalid port number")),
        ("http://a b/", not_one("invalid international domain name")),
        ("http://[::1", not_one("invalid IPv6 address")),
        ("localhost:8080", scheme.to_owned()),
        ("ftp://127.0.0.1", scheme.to_owned()),
        ("file:///etc/passwd", scheme.to_owned()),
        ("javascript:alert(1)", scheme.to_owned()),
        ("https://user:secret@api.example.com", password.to_owned()),
        ("https://secret@api.example.com", password.to_owned()),
        ("http://api.example.com", insecure("api.example.com")),
        ("http://192.168.1.7:8080", insecure("192.168.1.7")),
        ("http://[2001:db8::1]:80", insecure("[2001:db8::1]")),
        ("http://0.0.0.0:8080", insecure("0.0.0.0")),
        (
            "http://localhost.example.com",
            insecure("localhost.example.com"),
        ),
        (
            "http://127.0.0.1.example.com",
            insecure("127.0.0.1.example.com"),
        ),
        (
            "https://api.example.com/#key",
            "lanes.fim.url has a # in it, which no server is told: take out what begins there"
                .to_owned(),
        ),
    ];
    for (url, expected) in cases {
        assert_eq!(
            refused(LaneKind::Fim, &format!("url = {url:?}")),
            expected,
            "{url}"
        );
    }
    assert_eq!(
        refused(LaneKind::NextEdit, ""),
        "lanes.nextEdit.url is not set: set it to the address of the model server, such as \
         http://127.0.0.1:8080, or set lanes.nextEdit.kind to \"embedded\""
    );
    assert!(refused(LaneKind::Fix, "").starts_with("lanes.fix.url is not set"));
}

#[test]
fn good_addresses_are_taken() {
    let cases = [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.9.9.9", "http://127.9.9.9"),
        ("http://0x7f.1:80/v1/", "http://127.0.0.1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://[::ffff:127.0.0.1]", "http://[::ffff:7f00:1]"),
        ("HTTP://LocalHost:8080/", "http://localhost:8080"),
        (
            "https://api.example.com/v1?key=secret",
            "https://api.example.com",
        ),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ];
    for (url, shown) in cases {
        let server = ServerClient::new(LaneKind::Fim, &lane(&format!("url = {url:?}"))).unwrap();
        assert_eq!(server.address().to_string(), shown);
        assert!(!format!("{server:?}").contains("secret"));
    }
    let allowed = "url = \"http://api.example.com\"\nallowInsecure = true";
    assert!(refused(LaneKind::Fim, allowed).starts_with("fine"));
}

#[test]
fn a_file_of_certificates_that_is_none_is_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.pem");
    std::fs::write(&text, "this is not a certificate").unwrap();
    let broken = folder.path().join("broken.pem");
    let block = "-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n";
    std::fs::write(&broken, block).unwrap();
    let huge = folder.path().join("huge.pem");
    std::fs::write(&huge, vec![b'x'; 2_000_000]).unwrap();
    let cases = [
        (
            folder.path().join("missing.pem"),
            "it cannot be read (entity not found)",
        ),
        (folder.path().to_owned(), "it is not a file"),
        (text, "there is no certificate in it"),
        (huge, "it is larger than 1 MB"),
    ];
    for (path, why) in cases {
        let lines = format!(
            "url = \"https://localhost\"\ncaFile = {:?}",
            path.to_str().unwrap()
        );
        let expected = format!(
            "lanes.fim.caFile cannot be used, {why}: name a file with certificates in PEM form"
        );
        assert_eq!(refused(LaneKind::Fim, &lines), expected);
    }
    let lines = format!(
        "url = \"https://localhost\"\ncaFile = {:?}",
        broken.to_str().unwrap()
    );
    let said = refused(LaneKind::Fim, &lines);
    assert!(said.contains("certificate"), "{said}");
    assert!(!said.starts_with("fine"), "{said}");
}
