//! How often code that is needed is found: for real calls, the definition of what they call.
//!
//! `cargo bench --bench retrieval`. The calls are sampled, the same in every run, from the crates that
//! the cargo registry of this machine has unpacked: a name is called in one file and defined by the
//! only `fn` of that name, in another file of the same crate. Names that several crates define are
//! left out, since a call of them may mean another. What is asked is what the semantic source asks at
//! the cursor behind the name; the lines around it do not count as found. A call is answered if the
//! definition's first line is in one of the first three chunks.
//!
//! The plain way is BM25 over windows of 40 lines, by words between anything that is no letter, digit
//! or underscore. Between it and the index are the steps from the one to the other, all with the same
//! BM25 in memory, to show what each is worth. Intervals are Wilson's, at 95 %.
#![allow(
    clippy::print_stdout,
    reason = "a benchmark is a program whose output is its table"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use foretell_benches::documents::Random;
use foretell_benches::sources::{self, Source};
use foretell_context::ContextRequest;
use foretell_context::sources::semantic::{AROUND, CodeQuery};
use foretell_index::chunking::Chunker;
use foretell_index::name_words::words;
use foretell_index::{Index, IndexOptions};
use foretell_text::language::LanguageGrammar;
use foretell_text::{ByteOffset, FilePath, Language, Text};

/// How many lines are read, and how many calls are sampled of all and of one crate.
const LINES: usize = 1_500_000;
const CALLS: usize = 1_000;
const CALLS_OF_A_CRATE: usize = 10;
/// How many lines a window of the plain way has.
const WINDOW: usize = 40;
/// How much more a word counts in a name, as in the index.
const NAME_BOOST: f32 = 2.0;
/// Among how many chunks a definition has to be.
const FIRST: usize = 3;
/// How many are asked for, so that enough are left without those around the call.
const ASKED: usize = 12;
/// In how many crates a name may be defined.
const MOST_CRATES: usize = 2;

fn main() {
    if !foretell_benches::is_wanted() {
        return;
    }
    let corpus = sources::rust(LINES);
    let crates: Vec<&[Source]> = corpus
        .chunk_by(|one, other| one.krate == other.krate)
        .collect();
    let calls = sample(&crates);
    if calls.len() < 500 {
        println!(
            "{} calls are too few: there is no large cargo registry (CARGO_HOME)",
            calls.len()
        );
        return;
    }
    let of = calls
        .iter()
        .map(|(krate, _)| krate)
        .collect::<BTreeSet<_>>()
        .len();
    println!(
        "{} calls of {of} crates, definitions in other files",
        calls.len()
    );
    let mut tally = [0; WAYS.len()];
    for (number, sources) in crates.iter().enumerate() {
        let calls: Vec<&Call> = calls
            .iter()
            .filter(|(of, _)| *of == number)
            .map(|it| &it.1)
            .collect();
        if !calls.is_empty() {
            answer(sources, &calls, &mut tally);
        }
    }
    println!(
        "\n{:<52} {:>9} {:>16}",
        "definition among the first 3", "", "95 % interval"
    );
    for (way, found) in WAYS.iter().zip(tally) {
        let (low, high) = wilson(found, calls.len());
        let share = found as f64 * 100.0 / calls.len() as f64;
        println!(
            "{way:<52} {share:>8.1}% {:>16}",
            format!("{low:.1} to {high:.1}")
        );
    }
}

const WAYS: [&str; 8] = [
    "plain: windows of 40 lines, whole words",
    "the same, words near the cursor count more",
    "windows, names taken apart",
    "pieces, whole words",
    "pieces, names taken apart",
    "pieces, names taken apart, name of the piece x2",
    "the same, words near the cursor count more",
    "foretell-index",
];

/// A call, and the place of what it calls.
struct Call {
    source: usize,
    /// Behind the name.
    at: usize,
    definition: (usize, usize),
}

/// Where a chunk is: the number of its source, and its lines from 1.
type Place = (usize, RangeInclusive<usize>);

/// Counts for every way how many calls of a crate it answers.
fn answer(sources: &[Source], calls: &[&Call], tally: &mut [usize; WAYS.len()]) {
    let windows = Searched::windows(sources);
    let pieces = Searched::pieces(sources);
    let directory = tempfile::tempdir().expect("a directory can be made");
    let index = index(sources, directory.path());
    for call in calls {
        let source = &sources[call.source];
        let request = ContextRequest {
            file: FilePath::new(&*source.path),
            language: Language::new("rust"),
            text: Text::from(&*source.text),
            cursor: ByteOffset::new(call.at),
            selection: None,
            instruction: String::new(),
            diagnostics: Vec::new(),
            changes: Vec::new(),
        };
        let Some(query) = CodeQuery::of(&request) else {
            continue;
        };
        let line = source
            .text
            .get(..call.at)
            .unwrap_or_default()
            .matches('\n')
            .count()
            + 1;
        let around = line.saturating_sub(AROUND as usize)..=line + AROUND as usize;
        let is_answered = |found: Vec<Place>| {
            let is_around = |(source, lines): &Place| {
                let meet = lines.start() <= around.end() && around.start() <= lines.end();
                *source == call.source && meet
            };
            let (in_source, on_line) = call.definition;
            let mut first = found.iter().filter(|it| !is_around(it)).take(FIRST);
            first.any(|(source, lines)| *source == in_source && lines.contains(&on_line))
        };
        let found = |chunk: foretell_text::CodeChunk| {
            let source = sources.iter().position(|it| it.path == chunk.file.as_str());
            (source.expect("the index has only these files"), chunk.lines)
        };
        let ours = index
            .search(&query.text, ASKED, &|| false)
            .expect("it can be searched");
        let (whole, apart) = (whole(&query.text), apart(&query.text));
        let answers = [
            windows.whole.search(&whole, 0.0, even),
            windows.whole.search(&whole, 0.0, near),
            windows.apart.search(&apart, 0.0, even),
            pieces.whole.search(&whole, 0.0, even),
            pieces.apart.search(&apart, 0.0, even),
            pieces.apart.search(&apart, NAME_BOOST, even),
            pieces.apart.search(&apart, NAME_BOOST, near),
            ours.into_iter().map(found).collect(),
        ];
        for (tally, answer) in tally.iter_mut().zip(answers) {
            *tally += usize::from(is_answered(answer));
        }
    }
}

/// The index of a crate's sources.
fn index(sources: &[Source], directory: &Path) -> Index {
    let root = directory.join("workspace");
    for source in sources {
        let path = root.join(&source.path);
        let folder = path.parent().expect("it is in the workspace");
        std::fs::create_dir_all(folder).expect("a directory can be made");
        std::fs::write(path, &source.text).expect("a file can be written");
    }
    let options = IndexOptions {
        root,
        directory: directory.join("index"),
        most_files: usize::MAX,
        excluded: Arc::new(|_| false),
        secrets: Arc::new(|_| Vec::new()),
        renamed: None,
        threads: 2,
    };
    let index = Index::open(options).expect("an index can be made");
    index.update(&|_| {}, &|| false).expect("it can be filled");
    index
}

/// Every word of a query counts the same.
fn even(_: usize) -> f32 {
    1.0
}

/// The names nearest to the cursor come first in a query, and count more.
fn near(rank: usize) -> f32 {
    1.0 / (1.0 + rank as f32 / 8.0)
}

/// Words as the plain way has them, in order, each once.
fn whole(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Words as the index has them.
fn apart(text: &str) -> Vec<String> {
    words(text).map(|word| word.into_owned()).collect()
}

/// The same chunks by whole words and by names taken apart.
struct Searched {
    whole: Bm25,
    apart: Bm25,
}

impl Searched {
    fn windows(sources: &[Source]) -> Self {
        let mut both = Searched {
            whole: Bm25::default(),
            apart: Bm25::default(),
        };
        for (number, source) in sources.iter().enumerate() {
            let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
            for (window, lines) in lines.chunks(WINDOW).enumerate() {
                let first = window * WINDOW + 1;
                both.add(
                    (number, first..=first + lines.len() - 1),
                    &lines.concat(),
                    "",
                );
            }
        }
        both
    }

    fn pieces(sources: &[Source]) -> Self {
        let mut both = Searched {
            whole: Bm25::default(),
            apart: Bm25::default(),
        };
        let mut chunker = Chunker::new();
        for (number, source) in sources.iter().enumerate() {
            for piece in chunker.pieces(LanguageGrammar::Rust, &source.text) {
                let text = source.text.get(piece.bytes).unwrap_or_default();
                let name = piece.name.as_deref().unwrap_or_default();
                both.add((number, piece.lines), text, name);
            }
        }
        both
    }

    fn add(&mut self, place: Place, text: &str, name: &str) {
        self.whole.add(place.clone(), &whole(text), &whole(name));
        self.apart.add(place, &apart(text), &apart(name));
    }
}

/// BM25 in memory, as the index has it: over texts, and over names besides.
#[derive(Default)]
struct Bm25 {
    places: Vec<Place>,
    text: Field,
    name: Field,
}

#[derive(Default)]
struct Field {
    /// In which chunks a word is, and how often.
    postings: BTreeMap<String, BTreeMap<usize, u32>>,
    lengths: Vec<u32>,
}

impl Bm25 {
    fn add(&mut self, place: Place, text: &[String], name: &[String]) {
        for (field, words) in [(&mut self.text, text), (&mut self.name, name)] {
            for word in words {
                let chunks = field.postings.entry(word.clone()).or_default();
                *chunks.entry(self.places.len()).or_default() += 1;
            }
            field.lengths.push(words.len() as u32);
        }
        self.places.push(place);
    }

    fn search(&self, words: &[String], boost: f32, weight: fn(usize) -> f32) -> Vec<Place> {
        let mut seen = BTreeSet::new();
        let words = words.iter().filter(|word| seen.insert(*word));
        let mut scores = vec![0.0; self.places.len()];
        for (rank, word) in words.enumerate() {
            self.text.score(word, weight(rank), &mut scores);
            self.name.score(word, weight(rank) * boost, &mut scores);
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|it| scores[*it] > 0.0).collect();
        ranked.sort_by(|one, other| scores[*other].total_cmp(&scores[*one]));
        ranked
            .into_iter()
            .take(ASKED)
            .map(|it| self.places[it].clone())
            .collect()
    }
}

impl Field {
    fn score(&self, word: &str, weight: f32, scores: &mut [f32]) {
        let Some(chunks) = self.postings.get(word).filter(|_| weight > 0.0) else {
            return;
        };
        let (count, having) = (self.lengths.len() as f32, chunks.len() as f32);
        let worth = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
        let average = self.lengths.iter().sum::<u32>() as f32 / count;
        for (chunk, often) in chunks {
            let (often, length) = (*often as f32, self.lengths[*chunk] as f32 / average);
            let share = often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length));
            scores[*chunk] += weight * worth * share;
        }
    }
}

/// Calls to look for, each with the number of its crate.
fn sample(crates: &[&[Source]]) -> Vec<(usize, Call)> {
    let names: Vec<_> = crates.iter().map(|sources| definitions(sources)).collect();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names.iter().flat_map(BTreeMap::keys) {
        *known.entry(name).or_default() += 1;
    }
    let mut random = Random::new(7);
    let mut sampled = Vec::new();
    for (number, (sources, names)) in crates.iter().zip(&names).enumerate() {
        let is_clear = |name: &str| known.get(name).is_some_and(|it| *it <= MOST_CRATES);
        let mut calls: Vec<Call> = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            for (name, end) in called(&source.text).filter(|(name, _)| is_clear(name)) {
                match names.get(name).map(Vec::as_slice) {
                    Some([one]) if one.0 != at => calls.push(Call {
                        source: at,
                        at: end,
                        definition: *one,
                    }),
                    _ => {}
                }
            }
        }
        for _ in 0..CALLS_OF_A_CRATE.min(calls.len()) {
            sampled.push((number, calls.swap_remove(random.below(calls.len()))));
        }
    }
    while sampled.len() > CALLS {
        sampled.swap_remove(random.below(sampled.len()));
    }
    sampled
}

/// Where the functions of a crate are defined: in which source, on which line.
fn definitions(sources: &[Source]) -> BTreeMap<&str, Vec<(usize, usize)>> {
    let mut names: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        for (line, text) in source.text.lines().enumerate() {
            let code = text.split("//").next().unwrap_or_default();
            let Some((before, after)) = code.split_once("fn ") else {
                continue;
            };
            let end = after.find(|c: char| !c.is_alphanumeric() && c != '_');
            let name = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
            let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if is_word && name.len() > 2 {
                names.entry(name).or_default().push((number, line + 1));
            }
        }
    }
    names
}

/// The names that are called in a text, and where they end.
fn called(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let start_of = move |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    text.lines().flat_map(move |line| {
        let code = line.split("//").next().unwrap_or_default();
        let parens = code.match_indices('(').map(|(at, _)| at);
        parens.filter_map(move |paren| {
            let before = code.get(..paren)?;
            let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_');
            let name = before.get(start.map_or(0, |at| at + 1)..)?;
            let is_definition = before.strip_suffix(name)?.ends_with("fn ");
            let is_call = !name.is_empty() && !is_definition;
            is_call.then_some((name, start_of(line) + paren))
        })
    })
}

/// Wilson's interval at 95 %, in per cent.
fn wilson(found: usize, of: usize) -> (f64, f64) {
    let (found, of, z) = (found as f64, of as f64, 1.96_f64);
    let share = found / of;
    let middle = share + z * z / (2.0 * of);
    let spread = z * (share * (1.0 - share) / of + z * z / (4.0 * of * of)).sqrt();
    let by = 1.0 + z * z / of;
    (
        (middle - spread) / by * 100.0,
        (middle + spread) / by * 100.0,
    )
}
