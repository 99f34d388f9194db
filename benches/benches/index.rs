//! The workspace index at a million lines: how fast it is built, asked, changed and opened, and how
//! much memory that takes.
//!
//! `cargo bench --bench index`. The workspace is a copy of the Rust sources that cargo has unpacked.
//! Building and opening happen in processes of their own, so that the memory is that of the index
//! alone: what they have for themselves, the pages of files they map included.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use foretell_benches::sources;
use foretell_index::{Index, IndexOptions};

const LINES: usize = 1_000_000;
const QUERIES: usize = 1_000;
const NAMES: usize = 32;
/// How often each query is asked: the best time is what it takes, the first what it took on a machine
/// that may have other things to do.
const TURNS: usize = 5;
const CHANGES: usize = 50;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let child = env::var("TEST_FORETELL_BENCH_INDEX").unwrap_or_default();
    match (&*child, &arguments[..]) {
        ("build", [_, root, directory, ..]) => build(root.as_ref(), directory.as_ref()),
        ("open", [_, root, directory, ..]) => open(root.as_ref(), directory.as_ref()),
        _ if foretell_benches::is_wanted() => measure(),
        _ => {}
    }
}

/// Copies the sources, and measures on them.
fn measure() {
    let Ok(place) = tempfile::tempdir() else {
        println!("there is no place for a workspace");
        return;
    };
    let (root, directory) = (place.path().join("workspace"), place.path().join("index"));
    let sources = sources::rust(LINES);
    if sources.is_empty() {
        println!("cargo has unpacked no sources here");
        return;
    }
    let (mut lines, mut bytes) = (0, 0);
    for source in &sources {
        let path = root.join(&source.krate).join(&source.path);
        let is_made = path
            .parent()
            .is_some_and(|it| fs::create_dir_all(it).is_ok());
        if is_made && fs::write(path, &source.text).is_ok() {
            lines += source.text.lines().count();
            bytes += source.text.len();
        }
    }
    println!(
        "{} files, {lines} lines, {:.1} MB\n",
        sources.len(),
        bytes as f64 / 1e6
    );
    println!("{:<44} {:>14} {:>14}", "", "reached", "aim");
    for child in ["build", "open"] {
        let this = env::current_exe().unwrap_or_default();
        let mut command = Command::new(this);
        command.args([&root, &directory]);
        let status = command.env("TEST_FORETELL_BENCH_INDEX", child).status();
        if !status.is_ok_and(|it| it.success()) {
            println!("{child} failed");
        }
    }
}

fn options(root: &Path, directory: &Path) -> IndexOptions {
    IndexOptions {
        root: root.to_owned(),
        directory: directory.to_owned(),
        most_files: 1_000_000,
        excluded: Arc::new(|_| false),
        secrets: Arc::new(|_| Vec::new()),
        renamed: None,
        threads: 2,
    }
}

/// Builds, asks and changes.
fn build(root: &Path, directory: &Path) {
    let Ok(index) = Index::open(options(root, directory)) else {
        return println!("it cannot be opened");
    };
    let peak = Peak::begin();
    let began = Instant::now();
    let report = match index.update(&|_| {}, &|| false) {
        Ok(report) => report,
        Err(error) => return println!("{error}"),
    };
    let took = began.elapsed();
    let peak = peak.end();
    let rate = report.lines as f64 / took.as_secs_f64();
    row("build, lines a second", format!("{rate:.0}"), "100000");
    row("build, seconds", format!("{:.1}", took.as_secs_f64()), "10");
    let processor = processor_seconds();
    row("build, processor seconds", format!("{processor:.1}"), "20");
    row("build, private memory", megabytes(peak), "300 MB");
    row("after it, private memory", megabytes(private()), "");
    if let Ok(status) = index.status() {
        row("chunks", status.chunks.to_string(), "");
        row("on disk", megabytes(status.bytes_on_disk), "");
    }
    let began = Instant::now();
    if let Ok(report) = index.update(&|_| {}, &|| false) {
        let name = format!("update, {} of {} files read", report.read, report.unchanged);
        row(&name, milliseconds(began.elapsed()), "");
    }
    ask(&index, root);
    change(&index, root);
}

/// Asks for the names around places in the sources.
fn ask(index: &Index, root: &Path) {
    let mut files = Vec::new();
    collect(root, &mut files);
    let (mut times, mut best) = (Vec::new(), Vec::new());
    let mut found = 0;
    for number in 0..QUERIES {
        let path = &files[number.wrapping_mul(7_919) % files.len()];
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let at = number.wrapping_mul(104_729) % lines.len().max(1);
        let near = lines.iter().skip(at).take(20).copied();
        let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        let names = near.flat_map(|line| line.split(move |it| !is_inside(it)));
        let names: Vec<&str> = names.filter(|it| it.len() > 2).take(NAMES).collect();
        let query = names.join(" ");
        let mut turns = [Duration::ZERO; TURNS];
        for (turn, time) in turns.iter_mut().enumerate() {
            let began = Instant::now();
            let chunks = index.search(&query, 12, &|| false);
            *time = began.elapsed();
            found += usize::from(turn == 0 && chunks.is_ok_and(|it| !it.is_empty()));
        }
        times.extend(turns.first());
        best.extend(turns.iter().min());
    }
    let name = format!("query of {NAMES} names, {found} of {QUERIES} found");
    rows(&name, times, "10 ms");
    rows("the same, the best of its turns", best, "10 ms");
}

/// Changes files, and asks for what is new in them.
fn change(index: &Index, root: &Path) {
    let mut files = Vec::new();
    collect(root, &mut files);
    let mut times = Vec::new();
    let mut found = 0;
    for number in 0..CHANGES {
        let path = &files[number.wrapping_mul(6_007) % files.len()];
        let name = format!("quite_new_{number}_thing");
        let text = fs::read_to_string(path).unwrap_or_default();
        if fs::write(path, format!("{text}\nfn {name}() {{}}\n")).is_err() {
            continue;
        }
        let began = Instant::now();
        let followed = index.changed(path);
        let chunks = index.search(&name, 1, &|| false).unwrap_or_default();
        times.push(began.elapsed());
        let is_it = chunks.first().is_some_and(|it| it.text.contains(&name));
        found += usize::from(followed.is_ok() && is_it);
    }
    let name = format!("one changed file, {found} of {CHANGES} found");
    rows(&name, times, "100 ms");
    let began = Instant::now();
    if index.flush().is_ok_and(|left| left == 0) {
        row("writing them to disk", milliseconds(began.elapsed()), "");
    }
}

/// Opens what was built, and asks once.
fn open(root: &Path, directory: &Path) {
    let began = Instant::now();
    let Ok(index) = Index::open(options(root, directory)) else {
        return println!("it cannot be opened");
    };
    let opened = began.elapsed();
    let is_found = index.search("parse config", 12, &|| false);
    let asked = began.elapsed();
    let found = is_found.map_or(0, |it| it.len());
    row("opening", milliseconds(opened), "200 ms");
    row(
        &format!("opening and asking, {found} found"),
        milliseconds(asked),
        "",
    );
    row("idle, private memory", megabytes(private()), "50 MB");
    ask(&index, root);
    row("after them, private memory", megabytes(private()), "50 MB");
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}

/// The most private memory there was.
struct Peak {
    most: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Peak {
    fn begin() -> Self {
        let peak = Peak {
            most: Arc::default(),
            is_over: Arc::default(),
        };
        let (most, is_over) = (peak.most.clone(), peak.is_over.clone());
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                most.fetch_max(private(), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(20));
            }
        });
        peak
    }

    fn end(self) -> u64 {
        self.is_over.store(true, Ordering::Relaxed);
        self.most.load(Ordering::Relaxed)
    }
}

/// How long this process has been computing so far, in seconds: on a machine that has other things
/// to do, this says more than the time that passed.
fn processor_seconds() -> f64 {
    let said = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = said.split_whitespace().collect();
    // In hundredths of a second, for itself and on its behalf.
    let ticks = |at: usize| fields.get(at).and_then(|it| it.parse::<f64>().ok());
    (ticks(13).unwrap_or_default() + ticks(14).unwrap_or_default()) / 100.0
}

/// The memory that this process has for itself, in bytes.
fn private() -> u64 {
    let said = fs::read_to_string("/proc/self/smaps_rollup").unwrap_or_default();
    let lines = said.lines().filter(|line| line.starts_with("Private_"));
    let number = |line: &str| line.split_whitespace().nth(1)?.parse::<u64>().ok();
    lines.filter_map(number).sum::<u64>() << 10
}

fn rows(name: &str, mut times: Vec<Duration>, aim: &str) {
    times.sort();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len() - 1));
    for (percent, aim) in [(50, ""), (99, aim)] {
        let time = at(percent).copied().unwrap_or_default();
        row(&format!("{name}, {percent}th"), milliseconds(time), aim);
    }
}

fn row(name: &str, reached: String, aim: &str) {
    println!("{name:<44} {reached:>14} {aim:>14}");
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}
