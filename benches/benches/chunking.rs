//! How fast texts are cut into pieces and into words, on one core.
//!
//! `cargo bench --bench chunking`. The texts are the Rust sources that the cargo registry of this
//! machine has unpacked; without one there is nothing to measure. The plain way that it is compared
//! with counts the lines of the same bytes. It prints too what the pieces are, since fast is nothing
//! if they are wrong.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use foretell_benches::sources;
use foretell_index::chunking::Chunker;
use foretell_index::name_words::words;
use foretell_text::language::LanguageGrammar;

#[path = "../../crates/foretell-index/tests/chunking/harmful.rs"]
mod harmful;

/// How many lines are read, and how often everything has its turn.
const LINES: usize = 400_000;
const ROUNDS: usize = 5;

/// What reads a text, and says how much it found.
type Contestant<'a> = Box<dyn FnMut(&str) -> usize + 'a>;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let mut corpus = sources::rust(LINES);
    if corpus.is_empty() {
        println!("nothing to cut up: there is no cargo registry with sources (CARGO_HOME)");
        return;
    }
    corpus.truncate(sources::within(&corpus, LINES));
    let lines: usize = corpus.iter().map(|it| it.text.lines().count()).sum();
    let bytes: usize = corpus.iter().map(|it| it.text.len()).sum();
    let files = corpus.len();
    println!(
        "{files} files, {lines} lines, {:.1} MB, one core",
        bytes as f64 / 1e6
    );
    kinds(&corpus);

    let mut chunker = Chunker::new();
    let cut = |text: &str| chunker.pieces(LanguageGrammar::Rust, text).len();
    let mut word = String::new();
    let read = |text: &str| {
        let mut words = words(text);
        std::iter::from_fn(|| words.read(&mut word)).count()
    };
    let count = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    let mut contestants: [(&str, Contestant<'_>); 3] = [
        ("pieces", Box::new(cut)),
        ("words", Box::new(read)),
        ("counting lines", Box::new(count)),
    ];
    let mut speeds = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for ((_, contestant), speeds) in contestants.iter_mut().zip(&mut speeds) {
            let start = on_core();
            for source in &corpus {
                black_box(contestant(black_box(&source.text)));
            }
            speeds.push(lines as f64 / (on_core() - start));
        }
    }
    println!(
        "\n{:<16} {:>14} {:>28}",
        "", "lines/second", "slowest to fastest round"
    );
    for ((name, _), mut speeds) in contestants.into_iter().zip(speeds) {
        speeds.sort_by(f64::total_cmp);
        let range = format!("{:.0} to {:.0}", speeds[0], speeds[ROUNDS - 1]);
        println!("{name:<16} {:>14.0} {range:>28}", speeds[ROUNDS / 2]);
    }
    harm();
}

/// How long this thread has had a core, in seconds, where the system tells (Linux); elsewhere, how
/// long this has run. What others do at the same time says nothing of how fast this is.
fn on_core() -> f64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanos.map_or_else(|| BEGUN.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
}

/// What texts cost that were made to do harm, in every language: the worst of them, at two sizes.
fn harm() {
    println!(
        "\n{:<16} {:>14} {:>28}",
        "harmful texts", "slowest", "on average"
    );
    for size in [10_000, 100_000] {
        let mut chunker = Chunker::new();
        let (mut slowest, mut total, mut count) = (0.0_f64, 0.0, 0.0);
        for text in harmful::texts(size) {
            for grammar in LanguageGrammar::PARSED {
                let start = on_core();
                black_box(chunker.pieces(grammar, &text));
                let took = (on_core() - start) * 1e3;
                slowest = slowest.max(took);
                total += took;
                count += 1.0;
            }
        }
        let (slowest, average) = (
            format!("{slowest:.1} ms"),
            format!("{:.1} ms", total / count),
        );
        println!(
            "{:<16} {slowest:>14} {average:>28}",
            format!("{} KB", size / 1_000)
        );
    }
}

/// What the pieces are, and how much of the text is in one.
fn kinds(corpus: &[sources::Source]) {
    let mut chunker = Chunker::new();
    let mut kinds: BTreeMap<_, (usize, usize, usize)> = BTreeMap::new();
    let (mut said, mut covered) = (0, 0);
    let mut longest = (0.0, 0, String::new());
    for source in corpus {
        let start = on_core();
        let pieces = chunker.pieces(LanguageGrammar::Rust, &source.text);
        let took = (on_core() - start) / source.text.len().max(1_000) as f64;
        if took > longest.0 {
            longest = (took, source.text.len(), source.path.clone());
        }
        let is_said = |line: &&str| line.contains(char::is_alphanumeric);
        said += source.text.lines().filter(is_said).count();
        for piece in pieces {
            let text = source.text.get(piece.bytes).unwrap_or_default();
            covered += text.lines().filter(is_said).count();
            let kind = kinds.entry(piece.kind).or_default();
            kind.0 += 1;
            kind.1 += piece.lines.count();
            kind.2 += usize::from(piece.name.is_some());
        }
    }
    println!(
        "\n{:<16} {:>9} {:>16} {:>9}",
        "pieces", "", "lines on average", "named"
    );
    for (kind, (count, lines, named)) in kinds {
        let (average, named) = (lines as f64 / count as f64, named as f64 / count as f64);
        println!(
            "{:<16} {count:>9} {average:>16.1} {:>8.0}%",
            kind.name(),
            named * 100.0
        );
    }
    let share = covered as f64 * 100.0 / said as f64;
    println!("{share:.2} % of the lines that have a word are in a piece");
    let (took, len, path) = longest;
    println!(
        "slowest per byte: {:.0} ns ({len} bytes, {path})",
        took * 1e9
    );
}
