//! `foretell replay` as a person meets it: what it prints, where, and with which exit status.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use foretell_testkit::expect;

const HEADER: &str = r#"{"foretell":"trace","version":1,"offsets":"utf-16"}"#;
const OPEN: &str = r#"{"t":0,"event":"open","doc":"file:///src/main.rs","language":"rust","text":"fn main() {}\n"}"#;
const REJECT: &str = r#"{"t":1500,"event":"reject-edit","doc":"file:///src/main.rs","edit":{"at":11,"delete":0,"insert":"todo!()"}}"#;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foretell"));
    command
        .arg("replay")
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

fn replay(arguments: &[&str]) -> Ended {
    let output = command(arguments).output();
    Ended::from(output.expect("the binary under test starts"))
}

struct Ended {
    stdout: String,
    stderr: String,
    status: Option<i32>,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Ended {
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
            status: output.status.code(),
        }
    }
}

/// A file of some lines, in a directory that is for tests.
fn file(name: &str, lines: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, lines.join("\n") + "\n").expect("a file for a test can be written");
    path.to_str().expect("a path in text").to_owned()
}

/// A recorded session, or a directory of them, where there are any.
#[expect(
    clippy::print_stderr,
    reason = "a test that is skipped says so, and why"
)]
fn recorded(name: &str) -> Option<String> {
    let traces = std::env::var_os("TEST_FORETELL_TRACES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces"),
        PathBuf::from,
    );
    let path = traces.join(name);
    if !path.exists() {
        eprintln!("skipped: there are no recorded sessions; TEST_FORETELL_TRACES may say where");
        return None;
    }
    Some(path.to_str().expect("a path in text").to_owned())
}

fn check(t: u64, insert: &str, expect: bool) -> String {
    format!(
        r#"{{"t":{t},"event":"check","doc":"file:///src/main.rs","edit":{{"at":11,"delete":0,"insert":"{insert}"}},"expect":{expect}}}"#
    )
}

fn example() -> String {
    example_named("rejections.jsonl")
}

fn example_named(name: &str) -> String {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = manifest.join("../../examples").join(name);
    path.to_str().expect("a path in text").to_owned()
}

#[test]
fn the_report_tells_what_happened_and_why() {
    let trace = file(
        "report.jsonl",
        &[
            HEADER,
            OPEN,
            REJECT,
            &check(62_003, "todo!()", true),
            r#"{"t":62004,"event":"select","doc":"file:///src/main.rs","selections":[[0,0]]}"#,
            r#"{"t":62005,"event":"edit","doc":"file:///src/main.rs","changes":[{"at":11,"delete":0,"insert":"x"}]}"#,
            &check(62_006, "1", false),
            &check(62_007, "2", false),
            &check(62_008, "3", false),
            &check(62_009, "4", false),
            &check(62_009, "5", false),
            &check(62_009, "6", false),
            &check(62_009, "7", false),
            r#"{"t":62010,"event":"clear"}"#,
        ],
    );
    let ended = replay(&[&trace]);
    expect![[r#"
        0:00.000  main.rs           open rust, 2 lines
        0:01.500  main.rs 1:12      reject + "todo!()"                          remembered as #1
        1:02.003  main.rs 1:12      check + "todo!()"                           rejected by #1
        1:02.004  main.rs 1:1       move                                        not asked: nothing was edited lately, or since a rejection
        1:02.005  main.rs 1:12      type + "x"                                  #1 asleep: something else was typed there
        1:02.006                    … 7 checks, none rejected
        1:02.010                    clear all rejections                        #1 forgotten: all were cleared

        events      13 in 1:02.010 (1.0 active minutes): 1 edit, 1 cursor move
        triggers    0, 0.0 a minute
        quiet       1 nothing was edited lately, or since a rejection
        checks      8: 1 rejected, 7 not
        rejections  1 remembered, 1 fell asleep, 0 woke
                    0 awake and 0 asleep in the end
        forgotten   1 because all were cleared
    "#]]
    .assert_eq(&ended.stdout);
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.status, Some(0));
}

#[test]
fn the_example_of_asking_shows_every_rule() {
    let ended = replay(&["--requests", "typing", &example_named("asking.jsonl")]);
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    for shown in [
        "the editor is told to ask",
        "waits for the cursor to rest",
        "the cursor rests",
        "takes the place of e8",
        "no fim for e9: the text is the one a model was asked about last",
        "answer r2: 1 suggestion, the same as before, without a call",
        "the time of e19 is up",
        "no next-edit for e10: you are in the middle of a change",
        "nothing for e16: the lane failed",
        "nothing for e17: the editor no longer wants to know",
        "not asked: the same was asked here already",
        "not asked: this line had its turn a moment ago",
        "not asked: something was rejected a moment ago",
        "not asked: nothing was edited lately",
        "not asked: something is selected",
        "not asked: there is not exactly one cursor",
        "waits for the cursor to rest, and the move before does not ask",
        "not asked: something else was typed before it came",
        "not asked: documents of this kind are left alone",
        "not asked: no such document is open",
        "not asked: a setting switches it off",
        "… 6 edits, 6 requests that waited, 1 quiet move",
    ] {
        assert!(ended.stdout.contains(shown), "{shown}\n{}", ended.stdout);
    }
    let (_, summary) = ended.stdout.split_once("\n\n").expect("a summary");
    expect![[r#"
        events      73 in 0:45.000 (0.8 active minutes): 14 edits, 26 cursor moves
        triggers    7, 9.3 a minute, 1 of them by a switch of documents
        quiet       7 this line had its turn a moment ago
                    1 something was rejected a moment ago
                    3 nothing was edited lately, or since a rejection
                    1 there is not exactly one cursor
                    1 something is selected
                    1 documents of this kind are left alone
                    1 something newer took its place
                    1 something else was typed before it came
                    1 the same was asked here already
                    1 no such document is open
                    1 a setting switches it off
        requests    23, 13 of which started a lane (17.3 a minute)
                    4 answered with something, 0 of them with what was left, 19 with nothing
        pauses      6 of more than a second, 100.0 % served after the last key, 100.0 % within 500 ms
                    the median wait of a request is 241 ms
                    lanes start 167 ms after the last key, on average
        calls       10 fim (13.3 a minute; 13 without the gate)
                    8 next-edit (10.7 a minute)
        gate        3 of 12 automatic fim calls spared: the gating rate is 25.0 %
        races       fim won 2 of 7
                    next-edit won 0 of 4
        saved       8 something newer took its place
                    1 the same was asked here already
        joined      1 request took the place of one that asked the same
        withheld    12 something newer took its place
                    1 the editor no longer wants to know
                    3 no lane had anything to suggest
                    2 nothing came in time
                    1 the lane failed
        rejections  1 remembered, 0 fell asleep, 0 woke
                    1 awake and 0 asleep in the end
        ignored     2 nothing of that name is known
    "#]]
    .assert_eq(summary);
}

#[test]
fn the_first_session_shows_what_the_machine_decides() {
    let ended = replay(&[&example_named("first-session.jsonl")]);
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    for shown in [
        "waits 295 ms for a pause",
        "answer b4: 1 suggestion: + \"um = 0;\" at 8:8",
        "answer c1: 1 suggestion, what is left of it, without a call: + \"m = 0;\" at 8:9",
        "answer d3: 1 suggestion, what is left of it, without a call",
        "remembered as #1",
        "next-edit has something for e1, held for a better lane",
        "answer e1: 1 suggestion",
        "no fim for f1: the text is the one a model was asked about last",
        "answer f1: 1 suggestion",
        "nothing for g1: the editor no longer wants to know",
        "nothing for h1: it ",
        "answer i2: 1 suggestion, what is left of it, without a call",
        "fim is left alone for 10000 ms: it has failed",
        "no fim for k1: the lane failed several times and rests for a while",
        "answer k2: 1 suggestion",
        "nothing for l1: nothing came in time",
        "answer m2: 1 suggestion, what is left of it, without a call",
        "rejected by #2",
        "#2 asleep: something else was typed there",
        "#2 awake: what was typed there is gone",
        "#1, #2 awake: its document was opened with the same text",
    ] {
        assert!(ended.stdout.contains(shown), "{shown}\n{}", ended.stdout);
    }
}

#[test]
fn the_first_session_shows_a_rename_carried_through_a_file_without_a_model() {
    let example = example_named("first-session.jsonl");
    let ended = replay(&["--lanes", "embedded", &example]);
    assert_eq!((ended.stderr.as_str(), ended.status), ("", Some(0)));
    for shown in [
        "answer n1: 3 suggestions: \"neat\" -> \"rounded\" at 9:15",
        // Taking the first leaves the others, and comments and strings are left alone.
        "what is left of it, without a call: \"neat\" -> \"rounded\" at 19:18",
        "what is left of it, without a call: \"neat\" -> \"rounded\" at 27:10",
        "nothing for n4: no lane had anything to suggest",
        // What the trace answers itself is left to it.
        "answer m2: 1 suggestion, what is left of it, without a call",
        "rejected by #2",
    ] {
        assert!(ended.stdout.contains(shown), "{shown}\n{}", ended.stdout);
    }
    let quicker = replay(&["--lanes", "embedded", "--latency-ms", "20", &example]);
    let answers = "1:00.080  money.ts           next-edit answers n1";
    assert!(quicker.stdout.contains(answers), "{}", quicker.stdout);
    let again = replay(&["--lanes", "embedded", &example]);
    assert_eq!(again.stdout, ended.stdout);
}

#[test]
fn what_cannot_be_played_is_refused_with_what_can() {
    let ended = replay(&["--requests", "always", &example()]);
    assert!(
        ended.stderr.contains("[possible values: typing]"),
        "{}",
        ended.stderr
    );
    let ended = replay(&["--lanes", "all", &example()]);
    assert!(
        ended
            .stderr
            .contains("[possible values: embedded, nothing]"),
        "{}",
        ended.stderr
    );
    let ended = replay(&["--latency-ms", "5", &example()]);
    assert!(ended.stderr.contains("--lanes <WHICH>"), "{}", ended.stderr);
    assert_eq!(ended.status, Some(2));
}

/// What the pace is for, on twenty minutes of a real session: one call for every pause of more than
/// a second, and few at any other moment.
#[test]
fn a_real_session_is_served_at_its_pauses_with_fewer_calls_than_a_fixed_wait_makes() {
    let Some(session) = recorded("sessions/copilot.EditSourceTracker.first20min.jsonl") else {
        return;
    };
    let counted = |flags: &[&str]| {
        let arguments = [flags, &["--requests", "typing", "--json", &session]].concat();
        let printed = replay(&arguments).stdout;
        let last = printed.lines().last().expect("a summary");
        serde_json::from_str::<serde_json::Value>(last).expect("JSON")
    };
    let number =
        |counted: &serde_json::Value, name: &str| counted[name].as_f64().expect("a number");
    let ours = counted(&[]);
    let wait = number(&ours, "meanAfterKeyMs");
    assert!(number(&ours, "pausesServed") >= 0.98 * number(&ours, "pauses"));

    // A fixed wait that makes a person wait as long, on average; the first request does not wait at all.
    let base = format!("pace.baseMs={wait}");
    let fixed = counted(&["--set", "pace.rhythm=false", "--set", &base]);
    assert!((number(&fixed, "meanAfterKeyMs") - wait).abs() < 10.0);
    let (ours, fixed) = (
        number(&ours, "requestsStarted"),
        number(&fixed, "requestsStarted"),
    );
    assert!(ours <= 0.85 * fixed, "{ours} and not {fixed} at {wait} ms");
}

#[test]
fn colours_are_for_those_who_want_them() {
    let plain = replay(&[&example()]).stdout;
    let with = |variable| {
        let output = command(&[&example()]).env(variable, "1").output();
        Ended::from(output.expect("the binary under test starts")).stdout
    };
    let coloured = with("CLICOLOR_FORCE");
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(with("NO_COLOR"), plain);
}

#[test]
fn the_example_is_as_it_says() {
    let ended = replay(&["--verify", &example()]);
    expect![[r#"
        18 checks, all as expected
    "#]]
    .assert_eq(&ended.stdout);
    assert_eq!(ended.status, Some(0));
}

#[test]
fn two_replays_print_the_same_bytes() {
    let example = example();
    for flags in [&["--json"][..], &["--verify"], &[]] {
        let arguments = [flags, &[&example]].concat();
        let (first, second) = (replay(&arguments), replay(&arguments));
        assert!(!first.stdout.is_empty());
        assert_eq!(first.stdout, second.stdout);
    }
}

#[test]
fn a_trace_may_come_from_standard_input() {
    let mut child = command(&["--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary under test starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    writeln!(stdin, "{HEADER}\n{OPEN}\n{REJECT}\nnonsense").expect("it reads");
    drop(stdin);
    let ended = Ended::from(child.wait_with_output().expect("it ends"));
    assert_eq!(
        ended.stdout, "",
        "nothing is printed of a trace that is broken"
    );
    assert!(
        ended
            .stderr
            .starts_with("error: standard input:4: not JSON: "),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(2));
}

#[test]
fn a_missing_file_is_an_error_that_says_what_to_do_next() {
    let ended = replay(&["no/such/trace.jsonl"]);
    assert_eq!(ended.stdout, "");
    assert!(
        ended.stderr.starts_with("error: no/such/trace.jsonl: "),
        "{}",
        ended.stderr
    );
    assert!(
        ended
            .stderr
            .ends_with("Check the path, or give - to read standard input\n"),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(2));
}

#[test]
fn a_malformed_line_is_named_and_nothing_is_printed_as_if_it_were_whole() {
    let lines = [HEADER, OPEN, REJECT, r#"{"t":2000,"event":"rejekt"}"#];
    let trace = file("malformed.jsonl", &lines);
    for flags in [&["--json"][..], &["--verify"], &[]] {
        let ended = replay(&[flags, &[&trace]].concat());
        assert_eq!(ended.stdout, "");
        let expected = format!("error: {trace}:4: unknown event \"rejekt\"; there are open, ");
        assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
        assert!(
            ended
                .stderr
                .ends_with("Nothing was replayed; correct that line, or record the trace again\n"),
            "{}",
            ended.stderr
        );
        assert_eq!(ended.status, Some(2));
    }
}

#[test]
fn verify_prints_what_differs_and_exits_with_1() {
    let lines = [
        HEADER,
        OPEN,
        REJECT,
        &check(1600, "todo!()", false),
        &check(1700, "todo!()", true),
        &check(1800, "todo!(1)", true),
    ];
    let trace = file("differing.jsonl", &lines);
    let expected = format!(
        "{trace}:4: expected not rejected, got rejected by #1: + \"todo!()\" at 1:12\n\
         {trace}:6: expected rejected, got not rejected: + \"todo!(1)\" at 1:12\n\
         3 checks, of which 2 differ\n"
    );
    let ended = replay(&["--verify", &trace]);
    assert_eq!(
        (ended.stdout, ended.stderr),
        (expected.clone(), String::new())
    );
    assert_eq!(ended.status, Some(1));

    // With --json the data is on standard output, and what differs beside it.
    let both = replay(&["--verify", "--json", &trace]);
    assert_eq!(both.stdout, replay(&["--json", &trace]).stdout);
    assert_eq!(both.stderr, expected);
    assert_eq!(both.status, Some(1));
}

#[test]
fn settings_may_be_given_and_must_make_sense() {
    let lines = [HEADER, OPEN, REJECT, &check(1600, "todo!()", false)];
    let trace = file("settings.jsonl", &lines);
    let without = "rejections.total=0";
    let ended = replay(&["--verify", "--set", without, &trace]);
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);

    let config = file("config.toml", &["[rejections]", "total = 0"]);
    let ended = replay(&["--verify", "--settings", &config, &trace]);
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);
    let config = file("config.json", &[r#"{"rejections": {"total": 0}} // none"#]);
    let ended = replay(&["--verify", "--settings", &config, &trace]);
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);

    let ended = replay(&["--set", "rejections.total=many", &trace]);
    assert_eq!(ended.stdout, "");
    assert!(
        ended
            .stderr
            .starts_with("error: --set: rejections.total is "),
        "{}",
        ended.stderr
    );
    assert_eq!(ended.status, Some(2));

    let config = file("wrong.toml", &["[rejections]", "totl = 0", "total = -1"]);
    let ended = replay(&["--settings", &config, &trace]);
    let expected = format!(
        "error: {config}:2:1: unknown setting \"rejections.totl\"; did you mean \
         \"rejections.total\"?\n\
         error: {config}:3:1: rejections.total is -1, but must be from 0 to 10000\n\
         Nothing was done; correct the settings and try again\n"
    );
    assert_eq!(ended.stderr, expected);
    assert_eq!(ended.status, Some(2));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut lines = vec![HEADER.to_owned(), OPEN.to_owned()];
    lines.extend((0..20_000).map(|t| check(t, "todo!()", false)));
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let trace = file("long.jsonl", &lines);
    let mut child = command(&["--json", &trace])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary under test starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut first = [0; 10];
    stdout.read_exact(&mut first).expect("it prints something");
    drop(stdout);
    let ended = Ended::from(child.wait_with_output().expect("it ends"));
    assert_eq!(ended.stderr, "");
    assert_eq!(ended.status, Some(0));
}

#[test]
fn recorded_sessions_with_rejections_are_as_they_say() {
    let Some(directory) = recorded("rejections") else {
        return;
    };
    let entries = fs::read_dir(directory).expect("it is a directory");
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|name| name == "jsonl"));
    files.sort();
    assert!(!files.is_empty(), "an empty directory of recorded sessions");
    for file in files {
        let ended = replay(&["--verify", file.to_str().expect("a path in text")]);
        assert!(
            ended.stdout.ends_with("checks, all as expected\n"),
            "{}{}",
            ended.stdout,
            ended.stderr
        );
        assert_eq!(ended.status, Some(0), "{}", file.display());
    }
}
