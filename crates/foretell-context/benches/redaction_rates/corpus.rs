//! Ordinary code: how many marks there are in a thousand lines.
//!
//! Packages lie in `LANGUAGE/NAME-VERSION`, and every second one by name is held out. Marks are counted twice:
//! all of them, and without those that are plainly secrets even here. Plain is a private key's block, and a
//! quoted literal in a file of tests, examples or documentation (in Rust also below `#[cfg(test)]`), where
//! people write passwords that open nothing. A mark on anything else is never taken out: it is doubtful.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use foretell_context::Redactor;
use foretell_testkit::planted_secrets::CaseHalf;

use crate::RatesRequest;

/// Files longer than this are data.
const LONGEST: u64 = 1 << 20;
/// How many doubtful marks in a thousand lines are too many for the gate, over all and in one language.
const TOO_MANY: f64 = 0.2;
const TOO_MANY_IN_ONE: f64 = 0.5;
/// How every mark begins.
const MARK: &str = "[REDACTED-";
/// Languages and how their files are called.
const LANGUAGES: [(&str, &[&str]); 8] = [
    ("rust", &["rs"]),
    ("typescript", &["ts", "tsx", "mts", "cts"]),
    ("javascript", &["js", "mjs", "cjs", "jsx"]),
    ("python", &["py", "pyi"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("c", &["c", "h"]),
    ("cpp", &["cc", "cpp", "cxx", "hpp", "hh", "h", "inl"]),
];

/// What was counted of a language, or of one half of it.
#[derive(Clone, Default)]
struct MarkCount {
    lines: usize,
    marks: usize,
    /// Those that are not plainly secrets.
    doubtful: usize,
}

impl MarkCount {
    fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.marks += other.marks;
        self.doubtful += other.doubtful;
    }

    fn rate(&self, marks: usize) -> f64 {
        marks as f64 * 1_000.0 / self.lines.max(1) as f64
    }
}

/// What a package gave.
#[derive(Default)]
struct PackageCount {
    code: MarkCount,
    /// Files of other languages than the package's.
    rest: MarkCount,
    rules: BTreeMap<&'static str, usize>,
    shown: Vec<String>,
}

/// Counts and prints. Says whether there are few enough.
pub(crate) fn measure(root: &Path, request: &RatesRequest) -> bool {
    let mut packages = Vec::new();
    for (language, endings) in LANGUAGES {
        let found = folders(&root.join(language));
        for (number, package) in found.into_iter().enumerate() {
            let half = if number % 2 == 0 {
                CaseHalf::Tuning
            } else {
                CaseHalf::HeldOut
            };
            packages.push((language, endings, half, package));
        }
    }
    if packages.is_empty() {
        println!(
            "no packages in {}: unpack them with .ci/corpus",
            root.display()
        );
        return false;
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut counts: Vec<(usize, PackageCount)> = std::thread::scope(|scope| {
        let packages = &packages;
        let read = move |worker: usize| {
            let redactor = Redactor::new();
            let own = packages.iter().enumerate().skip(worker).step_by(workers);
            own.map(|(at, (_, endings, half, package))| {
                let shows = *half == request.shown;
                (at, count(&redactor, package, endings, shows, request))
            })
            .collect::<Vec<_>>()
        };
        let started: Vec<_> = (0..workers)
            .map(|worker| scope.spawn(move || read(worker)))
            .collect();
        let joined = started
            .into_iter()
            .map(|one| one.join().unwrap_or_default());
        joined.flatten().collect()
    });
    counts.sort_by_key(|(at, _)| *at);
    let halves = packages
        .iter()
        .map(|(language, _, half, _)| (*language, *half));
    let counted: Vec<_> = halves
        .zip(counts.into_iter().map(|(_, count)| count))
        .collect();
    let are_few = table(&counted);
    shown(&counted, request);
    are_few
}

fn table(counted: &[((&str, CaseHalf), PackageCount)]) -> bool {
    let mut are_few = true;
    println!(
        "{:<12} {:>10} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "language", "lines", "marks", "in 1000", "doubtful", "in 1000", "tuning", "held out"
    );
    let mut overall = [
        MarkCount::default(),
        MarkCount::default(),
        MarkCount::default(),
    ];
    for (language, _) in LANGUAGES {
        let sum = |half: Option<CaseHalf>| {
            let mut sum = MarkCount::default();
            let of_language = counted.iter().filter(|((own, own_half), _)| {
                *own == language && half.is_none_or(|half| half == *own_half)
            });
            of_language.for_each(|(_, count)| sum.add(&count.code));
            sum
        };
        let sums = [
            sum(None),
            sum(Some(CaseHalf::Tuning)),
            sum(Some(CaseHalf::HeldOut)),
        ];
        row(language, &sums);
        are_few &= sums[0].rate(sums[0].doubtful) <= TOO_MANY_IN_ONE;
        for (overall, sum) in overall.iter_mut().zip(&sums) {
            overall.add(sum);
        }
    }
    row("all", &overall);
    are_few &= overall[0].rate(overall[0].doubtful) <= TOO_MANY;
    let mut rest = MarkCount::default();
    counted.iter().for_each(|(_, count)| rest.add(&count.rest));
    row(
        "other files",
        &[rest, MarkCount::default(), MarkCount::default()],
    );
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, count) in counted {
        for (rule, number) in &count.rules {
            *rules.entry(rule).or_default() += number;
        }
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    println!("\ndoubtful marks by rule:");
    for (rule, number) in rules.into_iter().take(25) {
        println!("  {number:>7} {rule}");
    }
    are_few
}

fn row(name: &str, [all, tuning, held_out]: &[MarkCount; 3]) {
    println!(
        "{name:<12} {:>10} {:>7} {:>8.3} {:>9} {:>9.3} {:>9.3} {:>9.3}",
        all.lines,
        all.marks,
        all.rate(all.marks),
        all.doubtful,
        all.rate(all.doubtful),
        tuning.rate(tuning.doubtful),
        held_out.rate(held_out.doubtful)
    );
    println!(
        "corpus: {} lines={} marks={} doubtful={} rate={:.4} doubtful-rate={:.4}",
        name.replace(' ', "-"),
        all.lines,
        all.marks,
        all.doubtful,
        all.rate(all.marks),
        all.rate(all.doubtful)
    );
}

fn shown(counted: &[((&str, CaseHalf), PackageCount)], request: &RatesRequest) {
    for (language, _) in LANGUAGES {
        let of_language = counted.iter().filter(|((own, _), _)| *own == language);
        let marks: Vec<&String> = of_language.flat_map(|(_, count)| &count.shown).collect();
        let every = (marks.len() / request.marks.max(1)).max(1);
        println!(
            "\n{language}: {} doubtful marks in the half that is shown",
            marks.len()
        );
        for mark in marks.iter().step_by(every).take(request.marks) {
            println!("  {mark}");
        }
    }
}

/// Reads a package.
fn count(
    redactor: &Redactor,
    package: &Path,
    endings: &[&str],
    shows: bool,
    request: &RatesRequest,
) -> PackageCount {
    let mut counted = PackageCount::default();
    for path in files(package) {
        if counted.code.lines >= request.lines {
            break;
        }
        let Some(text) = std::fs::read_to_string(&path)
            .ok()
            .filter(|text| !text.contains('\0'))
        else {
            continue;
        };
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        let is_code = endings.contains(&ending.as_ref());
        let inside = path.strip_prefix(package).unwrap_or(&path);
        let mut own = MarkCount {
            lines: text.lines().count(),
            ..MarkCount::default()
        };
        let secrets = redactor.secrets(&text);
        // What was found once is marked wherever it stands in the text, and what is told is what counts.
        let mut redaction = redactor.begin();
        let told = redaction.redact(&text);
        let repeated = (told.matches(MARK).count())
            .saturating_sub(text.matches(MARK).count())
            .saturating_sub(secrets.len());
        own.marks += repeated;
        own.doubtful += repeated;
        if is_code && repeated > 0 {
            *counted.rules.entry("repeated").or_default() += repeated;
        }
        for secret in secrets {
            own.marks += 1;
            let range = secret.range.start().get()..secret.range.end().get();
            if is_plainly_secret(inside, &text, range.clone()) {
                continue;
            }
            own.doubtful += 1;
            if is_code {
                *counted.rules.entry(secret.kind).or_default() += 1;
                if shows {
                    counted
                        .shown
                        .push(one_line(package, inside, &text, range, secret.kind));
                }
            }
        }
        if is_code {
            counted.code.add(&own);
        } else {
            counted.rest.add(&own);
        }
    }
    counted
}

/// Whether a mark is on what is a secret even in ordinary code.
fn is_plainly_secret(path: &Path, text: &str, range: std::ops::Range<usize>) -> bool {
    let inside = text.get(range.clone()).unwrap_or_default();
    let before = text.get(..range.start).unwrap_or_default();
    let is_key = inside.contains("PRIVATE KEY")
        || before
            .lines()
            .next_back()
            .is_some_and(|line| line.contains("PRIVATE KEY"))
        || before.trim_end().ends_with("PRIVATE KEY-----");
    let is_for_trying = path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy().to_lowercase();
        [
            "test", "spec", "example", "sample", "fixture", "demo", "doc", "mock",
        ]
        .iter()
        .any(|word| part.contains(word))
    });
    let is_below_tests = before.contains("#[cfg(test)]");
    is_key || (is_for_trying || is_below_tests) && is_in_a_literal(text, range)
}

/// Whether a range lies between two quotes on its line: an odd number of them is before it, and one behind.
fn is_in_a_literal(text: &str, range: std::ops::Range<usize>) -> bool {
    let before = text.get(..range.start).unwrap_or_default();
    let before = before.rsplit('\n').next().unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let after = after.lines().next().unwrap_or_default();
    let is_within = |quote: char| before.matches(quote).count() % 2 == 1 && after.contains(quote);
    // An apostrophe is not always a quote.
    is_within('"') || !before.contains('"') && (is_within('\'') || is_within('`'))
}

/// A mark on one line, with what stands before and behind it. What looks like a real key is shown in part.
fn one_line(
    package: &Path,
    path: &Path,
    text: &str,
    range: std::ops::Range<usize>,
    rule: &str,
) -> String {
    let (before, after) = (
        text.get(..range.start).unwrap_or_default(),
        text.get(range.end..).unwrap_or_default(),
    );
    let inside = text.get(range.clone()).unwrap_or_default();
    let before: String = {
        let line = before.rsplit('\n').next().unwrap_or_default();
        let skipped = line.chars().count().saturating_sub(70);
        line.chars().skip(skipped).collect()
    };
    let after: String = after
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(30)
        .collect();
    let is_like_a_key = inside.len() >= 20
        && inside.bytes().any(|byte| byte.is_ascii_digit())
        && !inside.contains(' ');
    let number = text.get(..range.start).unwrap_or_default().lines().count();
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let inside: String = if is_like_a_key {
        let start: String = inside.chars().take(6).collect();
        format!("{start}… {} letters", inside.chars().count())
    } else {
        inside.chars().take(80).collect()
    };
    format!(
        "{name}/{}:{number} [{rule}] {}»{}«{after}",
        path.display(),
        before.trim_start(),
        inside.escape_debug()
    )
}

/// The folders in a folder, by name.
fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && path.extension().is_none_or(|ending| ending != "part"))
        .collect();
    folders.sort();
    folders
}

/// Every file under a folder that is not too long, by path. Links are not followed.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_short = || entry.metadata().is_ok_and(|data| data.len() <= LONGEST);
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() && is_short() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}
