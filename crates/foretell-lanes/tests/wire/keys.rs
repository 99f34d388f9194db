//! Where keys come from, when they are read, and what is said when they cannot be had.

use std::time::{Duration, Instant};

use foretell_testkit::model_server::{ConnectionEvent, HistoryEntry, ModelServer, ScriptedAnswer};
use foretell_text::FailureKind;

use crate::{heard, kind, server_at, told};

/// What the server was told, request by request.
fn shown(server: &ModelServer) -> Vec<String> {
    let requests = server.requests();
    let shown = requests
        .iter()
        .map(|request| request.header("authorization"));
    shown.map(|key| key.unwrap_or("none").to_owned()).collect()
}

async fn shown_with(lines: &str) -> (Vec<String>, String) {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let (_, fault) = heard(&server_at(&scripted.url(), lines)).await;
    (shown(&scripted), told(fault))
}

fn file(text: &[u8]) -> tempfile::TempPath {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file.into_temp_path()
}

#[tokio::test]
async fn a_key_comes_from_a_variable() {
    // One that cargo sets.
    let (shown, _) = shown_with("apiKeyEnv = \"CARGO_PKG_NAME\"").await;
    assert_eq!(shown, ["Bearer foretell-lanes"]);
}

#[tokio::test]
async fn a_key_comes_from_the_first_line_of_a_file() {
    let file = file(b"  key-of-file \r\nnot this\n");
    let (shown, _) = shown_with(&format!("apiKeyFile = {:?}", file.to_str().unwrap())).await;
    assert_eq!(shown, ["Bearer key-of-file"]);
}

#[tokio::test]
#[cfg(unix)]
async fn a_key_comes_from_a_command() {
    let (shown, _) = shown_with("apiKeyCommand = \"printf 'key-of-%s\\n' command; cat\"").await;
    assert_eq!(shown, ["Bearer key-of-command"]);
}

#[tokio::test]
#[cfg(unix)]
async fn a_command_that_leaves_something_running_is_not_waited_for_and_leaves_it_running() {
    for print in [
        "echo key-of-command",
        "printf key-of-command",
        "while :; do echo key-of-command; done | head -n 3",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let alive = folder.path().join("alive");
        let path = alive.to_str().unwrap();
        // It has our end of the pipe for as long as it runs.
        let command = format!("(sleep 2; touch {path}) & {print}");
        let (shown, fault) = shown_with(&format!("apiKeyCommand = {command:?}")).await;
        assert_eq!(shown, ["Bearer key-of-command"], "{fault}");
        assert!(!alive.exists(), "it was waited for");
        let goes_on = async {
            while !alive.exists() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let goes_on = tokio::time::timeout(Duration::from_secs(10), goes_on).await;
        assert!(goes_on.is_ok(), "it was ended");
    }
}

#[tokio::test]
#[cfg(unix)]
async fn a_command_may_print_more_than_the_key() {
    let (shown, fault) = shown_with("apiKeyCommand = \"seq 100 40000\"").await;
    assert_eq!(shown, ["Bearer 100"], "{fault}");
}

#[tokio::test]
async fn a_missing_variable_leaves_it_to_the_file() {
    let file = file(b"key-of-file");
    let lines = format!(
        "apiKeyEnv = \"TEST_FORETELL_NO_SUCH_VARIABLE\"\napiKeyFile = {:?}",
        file.to_str().unwrap()
    );
    let (shown, _) = shown_with(&lines).await;
    assert_eq!(shown, ["Bearer key-of-file"]);
}

#[tokio::test]
async fn a_header_of_the_persons_own_stands_instead() {
    let lines = "apiKeyEnv = \"CARGO_PKG_NAME\"\nheaders = { Authorization = \"Basic abc\" }";
    let (shown, _) = shown_with(lines).await;
    assert_eq!(shown, ["Basic abc"]);
}

#[tokio::test]
async fn what_cannot_be_read_is_no_key_and_nobody_is_asked() {
    let advice = "set it where the editor is started, or use lanes.fim.apiKeyFile or \
                  lanes.fim.apiKeyCommand: editors started from a desktop have no shell's environment";
    let (empty, strange, control) = (file(b"\n"), file(b"\xff\xfe"), file(b"a\x07b"));
    let of_file = |path: &str, why: &str| {
        (
            format!("apiKeyFile = {path:?}"),
            format!("the file of lanes.fim.apiKeyFile {why}: write the key into its first line"),
        )
    };
    let of_command = |command: &str, why: &str| {
        (
            format!("apiKeyCommand = {command:?}"),
            format!(
                "the command of lanes.fim.apiKeyCommand {why}: run it in a terminal to see what it \
                 says"
            ),
        )
    };
    let mut cases = vec![
        (
            "apiKeyEnv = \"TEST_FORETELL_NO_SUCH_VARIABLE\"".to_owned(),
            format!("the variable that lanes.fim.apiKeyEnv names is not set; {advice}"),
        ),
        (
            // A key in the place of its variable's name.
            "apiKeyEnv = \"gsk_51HxAbCdEfGhIjKlMnOpQrSt\"".to_owned(),
            format!("the variable that lanes.fim.apiKeyEnv names is not set; {advice}"),
        ),
        of_file("/no/such/file", "cannot be read (entity not found)"),
        of_file(empty.to_str().unwrap(), "is empty"),
        of_file(
            strange.to_str().unwrap(),
            "has a character in it that no key has",
        ),
        of_file(control.to_str().unwrap(), "has a control character in it"),
    ];
    if cfg!(unix) {
        let too_much = "head -c 70000 /dev/zero; sleep 60";
        cases.extend([
            of_command("echo secret; exit 3", "failed (exit status: 3)"),
            of_command("echo secret >&2; false", "failed (exit status: 1)"),
            of_command("kill -9 $$", "failed (signal: 9 (SIGKILL))"),
            of_command("true", "prints a first line that is empty"),
            of_command(
                "printf 'a\\033b'",
                "prints a first line that has a control character in it",
            ),
            of_command(too_much, "prints more than 64 KB and was stopped"),
            of_file("/dev/null", "is empty"),
        ]);
    }
    for (lines, says) in cases {
        let (shown, told) = shown_with(&lines).await;
        assert_eq!(told, format!("no-key: {says}"));
        assert!(shown.is_empty(), "nothing is sent without a key");
    }
}

#[tokio::test]
#[cfg(unix)]
async fn a_command_that_hangs_is_stopped_with_everything_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let alive = folder.path().join("alive");
    let path = alive.to_str().unwrap();
    // The child of the shell would go on for long if only the shell were stopped.
    let command = format!("(while true; do date > {path}; sleep 0.05; done) & sleep 600; echo k");
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let server = server_at(&scripted.url(), &format!("apiKeyCommand = {command:?}"));
    let begun = Instant::now();
    let (_, fault) = heard(&server).await;
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert_eq!(
        told(fault),
        "no-key: the command of lanes.fim.apiKeyCommand did not end in 5 seconds and was stopped: \
         run it in a terminal to see what it says"
    );
    // Long enough for it to have written again several times.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let _ = std::fs::remove_file(&alive);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert!(!alive.exists(), "what the command started goes on");
}

#[tokio::test]
#[cfg(unix)]
async fn a_pipe_that_nobody_writes_to_is_no_hang() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let begun = Instant::now();
    let (_, told) = shown_with(&format!("apiKeyFile = {:?}", pipe.to_str().unwrap())).await;
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert!(told.contains("could not be read in time"), "{told}");
    // Lets the reader go, so that the runtime can end.
    drop(std::fs::OpenOptions::new().write(true).open(&pipe));
}

#[tokio::test]
#[cfg(unix)]
async fn a_key_is_read_once_and_anew_after_it_was_not_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let path = count.to_str().unwrap();
    let command = format!("echo x >> {path}; echo key-$(wc -l < {path})");
    let scripted = ModelServer::start_in_turn([
        ScriptedAnswer::json("{}"),
        ScriptedAnswer::json("{}"),
        ScriptedAnswer::status(401),
        ScriptedAnswer::json("{}"),
    ]);
    let server = server_at(&scripted.url(), &format!("apiKeyCommand = {command:?}"));
    assert!(!count.exists(), "it is read when it is first needed");
    let both = tokio::join!(heard(&server), heard(&server));
    assert_eq!(
        (told(both.0.1), told(both.1.1)),
        ("no fault".into(), "no fault".into())
    );
    let (_, fault) = heard(&server).await;
    assert_eq!(kind(&fault), Some(FailureKind::ClientError));
    assert!(told(fault).contains("does not accept the key: check what lanes.fim.apiKeyEnv"));
    heard(&server).await;
    let keys = [
        "Bearer key-1",
        "Bearer key-1",
        "Bearer key-1",
        "Bearer key-2",
    ];
    assert_eq!(shown(&scripted), keys);
}

#[tokio::test]
#[cfg(unix)]
async fn typing_on_does_not_begin_a_slow_command_anew() {
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let server = server_at(
        &scripted.url(),
        "apiKeyCommand = \"sleep 0.3; echo slow-key\"",
    );
    let asked = async {
        // Each is given up before the command has ended.
        while scripted.requests().is_empty() {
            let _ = tokio::time::timeout(Duration::from_millis(50), heard(&server)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(5), asked).await;
    assert!(in_time.is_ok(), "the command was never waited for");
    assert_eq!(shown(&scripted)[0], "Bearer slow-key");
}

#[tokio::test]
async fn a_key_that_could_not_be_had_is_looked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    let scripted = ModelServer::start(ScriptedAnswer::json("{}"));
    let lines = format!("apiKeyFile = {:?}", path.to_str().unwrap());
    let server = server_at(&scripted.url(), &lines);
    let (_, fault) = heard(&server).await;
    assert_eq!(kind(&fault), Some(FailureKind::NoKey));
    let nobody_was_asked = |entry: &HistoryEntry| !matches!(entry.what, ConnectionEvent::Asked(_));
    assert!(scripted.history().iter().all(nobody_was_asked));
    std::fs::write(&path, "late-key").unwrap();
    heard(&server).await;
    assert_eq!(shown(&scripted), ["Bearer late-key"]);
}
