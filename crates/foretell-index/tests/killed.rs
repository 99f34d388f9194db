//! A process that is killed while it writes an index leaves one that the next process can use.
//!
//! What such a process leaves at a moment of its build is tested in `bad_input.rs`, by copies. Here a
//! process is really killed, at moments that nobody chose, again and again on the same index: this
//! test starts itself once more as one.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test that cannot go on fails"
)]

#[path = "support/workspace.rs"]
mod workspace;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use foretell_index::{Index, IndexOptions, StoreOrigin, directory_for};

use crate::workspace::{found, update};

const PLACE: &str = "TEST_FORETELL_KILLED";
const KILLS: u64 = 20;
const FILES: usize = 60;

#[test]
fn whoever_is_killed_at_any_moment_leaves_an_index_that_works() {
    if let Some(place) = env::var_os(PLACE) {
        write_forever(Path::new(&place));
    }
    let place = tempfile::tempdir().unwrap();
    let root = root(place.path());
    fs::create_dir(&root).unwrap();
    // It never changes, so that it must be found after every kill.
    fs::write(root.join("still.rs"), "fn stands_still() {}\n").unwrap();
    change(&root, 0);
    update(&open(place.path()));
    for kill in 0..KILLS {
        let started = place.path().join("started");
        let _ = fs::remove_file(&started);
        let mut process = start(place.path());
        until(|| started.exists());
        // From the first moments of an update to several updates later, in no order.
        let moment = (kill * 7_919) % 400;
        thread::sleep(Duration::from_millis(moment));
        process.kill().unwrap();
        process.wait().unwrap();

        let index = open(place.path());
        assert_eq!(index.origin(), &StoreOrigin::Existing, "after {moment} ms");
        assert_eq!(found(&index, "stands_still"), ["still.rs"], "{moment} ms");
        assert!(index.was_built());
        let generation = usize::try_from(kill).unwrap() + 1_000_000;
        change(&root, generation);
        let report = update(&index);
        assert_eq!(report.rebuilt, None);
        assert_eq!(index.status().unwrap().files, FILES + 1);
        let word = format!("generation_{generation}");
        let all = index.search(&word, FILES * 2, &|| false).unwrap();
        let is_new = |text: &str| text.contains(&word);
        assert!(all.iter().any(|it| is_new(&it.text)), "after {moment} ms");
    }
}

/// Changes files and brings the index up to date, until somebody kills it.
fn write_forever(place: &Path) -> ! {
    let index = open(place);
    fs::write(place.join("started"), "").unwrap();
    let mut generation = 0;
    loop {
        generation += 1;
        change(&root(place), generation);
        update(&index);
        // And file by file, as a watch does.
        for number in 0..3 {
            let file = root(place).join(format!("{number}.rs"));
            fs::write(&file, format!("fn by_hand_{generation}() {{}}\n")).unwrap();
            index.changed(&file).unwrap();
        }
        index.flush().unwrap();
    }
}

fn root(place: &Path) -> PathBuf {
    place.join("workspace")
}

fn change(root: &Path, generation: usize) {
    for number in 0..FILES {
        let text = format!("fn file_{number}() {{ generation_{generation}(); }}\n");
        fs::write(root.join(format!("{number}.rs")), text.repeat(20)).unwrap();
    }
}

fn open(place: &Path) -> Index {
    let index = Index::open(IndexOptions {
        root: root(place),
        directory: directory_for(&place.join("cache"), &root(place)),
        most_files: 1_000,
        excluded: Arc::new(|_| false),
        secrets: Arc::new(|_| Vec::new()),
        renamed: None,
        threads: 2,
    });
    index.unwrap()
}

fn start(place: &Path) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact"])
        .arg("whoever_is_killed_at_any_moment_leaves_an_index_that_works")
        .env(PLACE, place)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

fn until(is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "it never began");
        thread::sleep(Duration::from_millis(2));
    }
}
