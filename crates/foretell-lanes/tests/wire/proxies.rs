//! Proxies of the environment. A process has one environment and keeps it, so that each of these runs
//! itself once more, in a process of its own.

use std::process::Command;

use foretell_testkit::model_server::{ModelServer, ScriptedAnswer};

use crate::{heard, server_at, told};

/// Says, in the other process, whom to ask.
const URL: &str = "TEST_FORETELL_PROXY_URL";

/// What the other process prints ahead of what came of it.
const MARK: &str = "came of it>";

/// What comes of a request to an address with such an environment. The test is named by its path.
pub(crate) fn asked_with(test: &str, url: &str, environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]);
    let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
    for name in names {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command.env(URL, url).envs(environment.iter().copied());
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let line = printed.lines().find_map(|line| line.split_once(MARK));
    assert!(line.is_some(), "{printed}");
    line.unwrap().1.to_owned()
}

/// Whether this is the other process; then it asks, and prints what came of it.
pub(crate) fn is_asked() -> bool {
    let Ok(url) = std::env::var(URL) else {
        return false;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let lines = "allowInsecure = true\nfirstByteMs = 2000\napiKeyEnv = \"CARGO_PKG_NAME\"";
    let (payloads, fault) = runtime.block_on(heard(&server_at(&url, lines)));
    println!("\n{MARK}{} payloads, {}", payloads.len(), told(fault));
    true
}

#[test]
fn a_proxy_is_asked_in_place_of_the_host() {
    if is_asked() {
        return;
    }
    let proxy = ModelServer::start(ScriptedAnswer::json("{}"));
    let (test, host) = (
        "proxies::a_proxy_is_asked_in_place_of_the_host",
        "http://model.invalid",
    );
    let url = proxy.url();
    let came = asked_with(test, host, &[("HTTP_PROXY", &url)]);
    assert_eq!(came, "1 payloads, no fault");
    let came = asked_with(
        test,
        host,
        &[("http_proxy", &url), ("NO_PROXY", "other.invalid")],
    );
    assert_eq!(came, "1 payloads, no fault");
    let paths: Vec<String> = proxy
        .requests()
        .into_iter()
        .map(|asked| asked.path)
        .collect();
    assert_eq!(paths, ["http://model.invalid/v1/completions"; 2]);
}

#[test]
fn exceptions_are_asked_directly() {
    if is_asked() {
        return;
    }
    let proxy = ModelServer::start(ScriptedAnswer::json("{}"));
    let (test, url) = ("proxies::exceptions_are_asked_directly", proxy.url());
    for exception in ["model.invalid", ".invalid", "*"] {
        let environment = [("HTTP_PROXY", url.as_str()), ("NO_PROXY", exception)];
        let came = asked_with(test, "http://model.invalid", &environment);
        assert!(
            came.contains("unreachable: no address is known"),
            "{exception}: {came}"
        );
    }
    assert!(proxy.requests().is_empty());
}

#[test]
fn this_machine_is_never_asked_through_a_proxy() {
    if is_asked() {
        return;
    }
    let (proxy, server) = (
        ModelServer::start(ScriptedAnswer::json("{}")),
        ModelServer::start(ScriptedAnswer::json("{}")),
    );
    let (test, url) = (
        "proxies::this_machine_is_never_asked_through_a_proxy",
        proxy.url(),
    );
    let named = format!("http://localhost:{}", server.port());
    for host in [server.url(), named] {
        let environment = [("HTTP_PROXY", url.as_str()), ("ALL_PROXY", url.as_str())];
        assert_eq!(
            asked_with(test, &host, &environment),
            "1 payloads, no fault"
        );
    }
    assert_eq!((proxy.requests().len(), server.requests().len()), (0, 2));
}

#[test]
fn an_encrypted_request_shows_the_proxy_neither_code_nor_key() {
    if is_asked() {
        return;
    }
    let test = "proxies::an_encrypted_request_shows_the_proxy_neither_code_nor_key";
    for status in [407, 502] {
        let proxy = ModelServer::start(ScriptedAnswer::status(status));
        let url = proxy.url().replace("://", "://person:proxy-password@");
        let came = asked_with(test, "https://model.invalid", &[("HTTPS_PROXY", &url)]);
        assert_eq!(
            came,
            "0 payloads, unreachable: the proxy does not let anybody through to \
             https://model.invalid: check HTTPS_PROXY and its password, or name the host in NO_PROXY"
        );
        let asked = &proxy.requests()[0];
        assert_eq!(
            (asked.method.as_str(), asked.path.as_str()),
            ("CONNECT", "model.invalid:443")
        );
        assert_eq!(asked.header("authorization"), None);
        assert!(asked.body.is_empty());
    }
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    if is_asked() {
        return;
    }
    let test = "proxies::a_proxy_that_is_not_there_is_named";
    let nobody = ModelServer::refusing();
    let came = asked_with(test, "https://model.invalid", &[("HTTPS_PROXY", &nobody)]);
    assert!(
        came.starts_with("0 payloads, unreachable: the proxy does not"),
        "{came}"
    );
}
