//! What redaction catches, what it changes in ordinary code, and what it costs.
//!
//! `cargo bench --bench redaction`. The secrets are those of the tests. The ordinary code is all that
//! the cargo registry of this machine has unpacked, in files of every kind that are text; without
//! one, only the secrets are counted. With `TEST_FORETELL_SHOW=n`, every n-th line that was changed is
//! printed as it came out, which shows where redaction is wrong. The plain way that it is compared
//! with looks for one byte that is not there.
//!
//! Rates on planted secrets, and on packages in eight languages, are printed by the benchmark
//! `redaction_rates` of foretell-context.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use foretell_benches::timing::in_turns;
use foretell_context::Redactor;
use foretell_testkit::hostile_pieces::HOSTILE_PIECES;

#[path = "../../crates/foretell-context/tests/redaction/secrets.rs"]
mod secrets;

/// Files longer than this are data.
const LONGEST: u64 = 1 << 20;
/// How much of the corpus is timed.
const TIMED: usize = 8 << 20;
/// How long a text is that is made to take long.
const HOSTILE: usize = 192_000;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let redactor = Redactor::new();
    caught(&redactor);
    hostile(&redactor);
    let registry = registry();
    let corpus = registry.as_deref().map(corpus).unwrap_or_default();
    if corpus.is_empty() {
        println!("no ordinary code: there is no cargo registry with sources (CARGO_HOME)");
        return;
    }
    changed(&redactor, &corpus);
    timed(&redactor, &corpus);
}

/// How long texts take that are made to take long.
fn hostile(redactor: &Redactor) {
    for piece in HOSTILE_PIECES {
        let text = piece.repeat(HOSTILE / piece.len());
        let start = std::time::Instant::now();
        let mut redaction = redactor.begin();
        black_box(redaction.redact(black_box(&text)));
        let millis = start.elapsed().as_secs_f64() * 1e3;
        println!("{HOSTILE} bytes of {piece:?}: {millis:.1} ms");
    }
}

/// How many secrets are caught.
fn caught(redactor: &Redactor) {
    let planted = secrets::all();
    let is_caught = |one: &&secrets::Planted| {
        let mut redaction = redactor.begin();
        let told = redaction.redact(&one.text);
        !told.contains(&one.secret) && !told.contains(&one.body)
    };
    let caught = planted.iter().filter(is_caught).count();
    println!(
        "secrets: {caught} of {} caught, of {} kinds",
        planted.len(),
        secrets::kinds(&planted)
    );
}

/// How much of ordinary code is changed, and by which rules.
fn changed(redactor: &Redactor, corpus: &[(PathBuf, String)]) {
    let show: usize = std::env::var("TEST_FORETELL_SHOW")
        .ok()
        .and_then(|every| every.parse().ok())
        .unwrap_or_default();
    let (mut lines, mut changed) = (0, 0);
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, text) in corpus {
        lines += text.lines().count();
        for secret in redactor.secrets(text) {
            *rules.entry(secret.kind).or_default() += 1;
            let (start, end) = (secret.range.start().get(), secret.range.end().get());
            let inside = text.get(start..end).unwrap_or_default();
            if show > 0 && changed % show == 0 {
                let before = text.get(..start).unwrap_or_default().lines().next_back();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let shown: String = inside.chars().take(80).collect();
                println!(
                    "{name} [{}] {}»{shown}«",
                    secret.kind,
                    before.unwrap_or_default()
                );
            }
            changed += inside.lines().count();
        }
    }
    let share = changed as f64 * 1_000.0 / lines as f64;
    println!(
        "ordinary code: {} files, {lines} lines read, {changed} changed, {share:.3} in a thousand",
        corpus.len()
    );
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (rule, count) in rules.into_iter().take(12) {
        println!("  {rule:<24} {count:>6}");
    }
}

/// How fast it is, beside a scan for one byte.
fn timed(redactor: &Redactor, corpus: &[(PathBuf, String)]) {
    let mut sample = String::new();
    for (_, text) in corpus {
        if sample.len() < TIMED {
            sample.push_str(text);
        }
    }
    let mut redact = || {
        let mut redaction = redactor.begin();
        black_box(redaction.redact(black_box(&sample)));
    };
    // The byte is in no text, so that all of it is looked at.
    let mut scan = || {
        black_box(
            black_box(sample.as_bytes())
                .iter()
                .filter(|byte| **byte == 0xff)
                .count(),
        );
    };
    let [redacted, scanned] = in_turns([&mut redact, &mut scan]);
    let megabytes = sample.len() as f64 / 1e6;
    let per_second = |nanos: f64| megabytes / (nanos / 1e9);
    println!(
        "speed: {:.0} MB/s over {megabytes:.1} MB; counting one byte {:.0} MB/s, {:.1} times as fast (spread {:.0} %)",
        per_second(redacted.nanos),
        per_second(scanned.nanos),
        redacted.nanos / scanned.nanos,
        redacted.spread.max(scanned.spread) * 100.0
    );
}

/// Where cargo keeps sources.
fn registry() -> Option<PathBuf> {
    let beside_home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let sources = home.or_else(beside_home)?.join("registry/src");
    sources.is_dir().then_some(sources)
}

/// Every text under a folder, in the order of their paths.
fn corpus(root: &Path) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root.to_owned()];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let (path, kind) = (entry.path(), entry.file_type());
            let is_short = || entry.metadata().is_ok_and(|data| data.len() <= LONGEST);
            match kind {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() && is_short() => {
                    let text = std::fs::read_to_string(&path).ok();
                    texts.extend(
                        text.filter(|text| !text.contains('\0'))
                            .map(|text| (path, text)),
                    );
                }
                _ => {}
            }
        }
    }
    texts.sort();
    texts
}
