//! How much memory the index of a folder takes in a server that has it open, as long as nothing
//! happens and when something does.
//!
//! `cargo run --release -p foretell-engine --example folder_memory -- FOLDER DIRECTORY`, where the
//! index is kept in the directory, and made if there is none.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use foretell_context::Redactor;
use foretell_engine::indexes::IndexState;
use foretell_engine::{Indexes, OpenFolders, UserDirectories};
use foretell_lanes::CodeSearch;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, directory] = arguments.as_slice() else {
        return Err("give a folder and a directory for the index".into());
    };
    let places = UserDirectories {
        cache_dir: Some(PathBuf::from(directory)),
        ..UserDirectories::default()
    };
    let step = |what: &str, began: Instant| {
        let took = began.elapsed();
        // What was freed may be given back a little later.
        thread::sleep(Duration::from_millis(300));
        println!("{what:<28} {took:>9.1?}  {}", resident());
    };
    step("before", Instant::now());
    let began = Instant::now();
    let loaded = OpenFolders::load(&places, &[PathBuf::from(folder)], &[], None);
    step("settings read", began);
    let began = Instant::now();
    let indexes = Indexes::start(&places, &loaded, Redactor::new(), None, Box::new(|_| {}));
    let is_over =
        |state: &IndexState| !matches!(state, IndexState::Opening | IndexState::Updating(_));
    while !indexes.status().iter().all(|it| is_over(&it.state)) {
        thread::sleep(Duration::from_millis(10));
    }
    step("opened and up to date", began);
    for status in indexes.status() {
        println!("{}: {}", status.name, status.state);
    }
    for text in ["fn poll_next waker context", "lines of a file"] {
        let began = Instant::now();
        let found = indexes.find(text, None, 20, &|| false).unwrap_or_default();
        step(&format!("searched, {} found", found.len()), began);
    }
    let began = Instant::now();
    indexes.stop();
    step("stopped", began);
    Ok(())
}

/// What the system says of this process, in megabytes.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_whitespace().nth(1));
        value.and_then(|it| it.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
    };
    format!(
        "RSS {:5.1} MB: anon {:5.1}, file {:5.1}",
        of("VmRSS:"),
        of("RssAnon:"),
        of("RssFile:")
    )
}
