//! [`TypingSession`]: commits as somebody may have typed them.
//!
//! Commits in order, files in order, hunks from the top. What a line keeps stays; what is new in it is
//! typed from left to right. Nobody types everything that a commit has, so these are put in at once:
//! all of a commit of more than 500 lines, runs of three or more lines that stand elsewhere, lines that
//! the commit moves, and a replacement that is made a second time.
//!
//! An editor indents: the blank at the start of a line comes with the line break.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foretell_text::Language;

use super::super::git_history::{CommitPatch, PatchHunk};

/// A larger commit is put in at once.
pub(crate) const MOST_LINES: usize = 500;
/// So many lines in a row that stand elsewhere are copied.
const COPIED_RUN: usize = 3;
/// Fewer characters in such a run are a coincidence.
const COPIED_CHARACTERS: usize = 16;

/// What happens in a document. Offsets are bytes.
pub(crate) trait TypingObserver {
    /// A file is worked on; its text is what it was when it was left.
    fn visit(&mut self, path: &str, text: &str);
    /// Text is replaced at once, by no key.
    fn put(&mut self, at: usize, removed: usize, text: &str);
    /// Text is typed at a place. `line` is what its line is in the end.
    fn type_text(&mut self, at: usize, text: &str, line: LineNovelty);
    /// A file is gone.
    fn delete(&mut self, path: &str);
    /// A commit is done.
    fn commit(&mut self);
}

/// Whether a line stands somewhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineNovelty {
    Known,
    /// It stands nowhere else.
    Novel,
}

/// Commits as somebody may have typed them.
#[derive(Debug, Default)]
pub(crate) struct TypingSession {
    files: BTreeMap<String, Vec<String>>,
    /// How often a line stands in all files, without its indent.
    lines: HashMap<u64, u32>,
    /// And three lines in a row.
    runs: HashMap<u64, u32>,
}

/// Whether somebody types in a file of this name: code, and not made by a program.
pub(crate) fn is_typed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let made = ["lock", ".min.", ".snap", ".generated.", ".svg"];
    let vendored = ["node_modules/", "vendor/", "third_party/", "dist/"];
    Language::of_file(&name).facts().has_rules()
        && !made.iter().any(|it| name.contains(it))
        && !vendored
            .iter()
            .any(|it| path.starts_with(it) || path.contains(&format!("/{it}")))
}

impl TypingSession {
    pub(crate) fn new(base: &BTreeMap<String, String>) -> Self {
        let mut session = TypingSession::default();
        for (path, text) in base {
            session.replace_file(path, text.split('\n').map(str::to_owned).collect());
        }
        session
    }

    /// The files as they are now.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, String)> {
        self.files
            .iter()
            .map(|(path, lines)| (path.as_str(), lines.join("\n")))
    }

    /// Puts a commit in, and nobody types.
    pub(crate) fn put(&mut self, commit: &CommitPatch) {
        self.follow(commit, MOST_LINES + 1, &mut NobodyWatches);
    }

    /// Types a commit, or puts it in at once if it is large.
    pub(crate) fn play(&mut self, commit: &CommitPatch, observer: &mut impl TypingObserver) {
        let added = commit.files.iter().flat_map(|file| &file.hunks);
        let added: usize = added.map(|hunk| hunk.new.len()).sum();
        self.follow(commit, added, observer);
    }

    fn follow(&mut self, commit: &CommitPatch, added: usize, observer: &mut impl TypingObserver) {
        let is_typed = added <= MOST_LINES;
        let mut moved = MovedLines::of(commit);
        let mut replaced = BTreeSet::new();
        for patch in &commit.files {
            if patch.is_deleted {
                self.replace_file(&patch.path, Vec::new());
                self.files.remove(&patch.path);
                observer.delete(&patch.path);
                continue;
            }
            let lines = self
                .files
                .get(&patch.path)
                .cloned()
                .unwrap_or_else(|| vec![String::new()]);
            observer.visit(&patch.path, &lines.join("\n"));
            let mut file = PlayedFile {
                lines,
                shift: 0,
                observer,
            };
            for hunk in &patch.hunks {
                file.hunk(hunk, is_typed.then_some(&*self), &mut moved, &mut replaced);
            }
            let lines = file.lines;
            self.replace_file(&patch.path, lines);
        }
        observer.commit();
    }

    fn replace_file(&mut self, path: &str, lines: Vec<String>) {
        let old = self.files.remove(path).unwrap_or_default();
        // Most of a large file stays, and runs reach a little into what does.
        let same = old.iter().zip(&lines).take_while(|(a, b)| a == b).count();
        let first = (same + 1).saturating_sub(COPIED_RUN);
        let ends = old
            .iter()
            .skip(same)
            .rev()
            .zip(lines.iter().skip(same).rev());
        let last = ends.take_while(|(a, b)| a == b).count();
        let last = (last + 1).saturating_sub(COPIED_RUN);
        let changed = |lines: &[String]| first..(lines.len() - last).max(first);
        self.count(old.get(changed(&old)).unwrap_or_default(), false);
        self.count(lines.get(changed(&lines)).unwrap_or_default(), true);
        self.files.insert(path.to_owned(), lines);
    }

    fn count(&mut self, lines: &[String], up: bool) {
        let move_by = |map: &mut HashMap<u64, u32>, key: u64| {
            let count = map.entry(key).or_default();
            *count = if up {
                *count + 1
            } else {
                count.saturating_sub(1)
            };
            if *count == 0 {
                map.remove(&key);
            }
        };
        let hashes: Vec<u64> = lines.iter().map(|line| hash(line.trim())).collect();
        for line in &hashes {
            move_by(&mut self.lines, *line);
        }
        for run in hashes.windows(COPIED_RUN) {
            move_by(&mut self.runs, run_hash(run));
        }
    }

    /// Which of these lines belong to a run that stands elsewhere.
    fn copied(&self, lines: &[String]) -> Vec<bool> {
        let hashes: Vec<u64> = lines.iter().map(|line| hash(line.trim())).collect();
        let mut copied = vec![false; lines.len()];
        for (at, run) in hashes.windows(COPIED_RUN).enumerate() {
            let texts = lines.iter().skip(at).take(COPIED_RUN);
            let characters: usize = texts.map(|line| line.trim().chars().count()).sum();
            if characters >= COPIED_CHARACTERS && self.runs.contains_key(&run_hash(run)) {
                copied
                    .iter_mut()
                    .skip(at)
                    .take(COPIED_RUN)
                    .for_each(|it| *it = true);
            }
        }
        copied
    }

    fn novelty(&self, line: &str) -> LineNovelty {
        if self.lines.contains_key(&hash(line.trim())) {
            LineNovelty::Known
        } else {
            LineNovelty::Novel
        }
    }
}

/// Where nobody types, nothing is to be told.
struct NobodyWatches;

impl TypingObserver for NobodyWatches {
    fn visit(&mut self, _: &str, _: &str) {}
    fn put(&mut self, _: usize, _: usize, _: &str) {}
    fn type_text(&mut self, _: usize, _: &str, _: LineNovelty) {}
    fn delete(&mut self, _: &str) {}
    fn commit(&mut self) {}
}

/// Lines that a commit takes out somewhere, and so may put in again elsewhere.
struct MovedLines(BTreeMap<u64, u32>);

impl MovedLines {
    fn of(commit: &CommitPatch) -> Self {
        let mut moved = BTreeMap::new();
        let hunks = commit.files.iter().flat_map(|file| &file.hunks);
        for line in hunks
            .flat_map(|hunk| &hunk.old)
            .filter(|line| is_telling(line))
        {
            *moved.entry(hash(line.trim())).or_default() += 1;
        }
        MovedLines(moved)
    }

    /// Whether a line is one of them; each is moved once.
    fn take(&mut self, line: &str) -> bool {
        match self.0.get_mut(&hash(line.trim())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

/// Whether a line has a word in it.
fn is_telling(line: &str) -> bool {
    line.trim().chars().filter(|c| c.is_alphanumeric()).count() >= 3
}

/// A file that is typed in.
struct PlayedFile<'observer, Observer> {
    lines: Vec<String>,
    /// How many more lines there are than before the first hunk.
    shift: isize,
    observer: &'observer mut Observer,
}

impl<Observer: TypingObserver> PlayedFile<'_, Observer> {
    fn hunk(
        &mut self,
        hunk: &PatchHunk,
        typed_in: Option<&TypingSession>,
        moved: &mut MovedLines,
        replaced: &mut BTreeSet<(String, String)>,
    ) {
        let at = usize::try_from(hunk.at as isize + self.shift).unwrap_or_default();
        let at = at.min(self.lines.len());
        self.shift += hunk.new.len() as isize - hunk.old.len() as isize;
        let Some(session) = typed_in else {
            return self.put_lines(at, hunk.old.len(), &hunk.new);
        };
        let copied = session.copied(&hunk.new);
        let pairs = pairs(&hunk.old, &hunk.new);
        // What has no counterpart goes first.
        let mut kept = at;
        for (old, _) in hunk.old.iter().enumerate() {
            if pairs.contains(&Some(old)) {
                kept += 1;
            } else {
                self.put_lines(kept, 1, &[]);
            }
        }
        for (offset, line) in hunk.new.iter().enumerate() {
            let row = at + offset;
            let novelty = session.novelty(line);
            match pairs[offset].and_then(|old| hunk.old.get(old)) {
                Some(old) => self.change_line(row, old, line, novelty, replaced),
                None if copied[offset] || moved.take(line) => {
                    self.put_lines(row, 0, std::slice::from_ref(line))
                }
                None => self.type_line(row, line, novelty),
            }
        }
    }

    /// Lines that come and go at once.
    fn put_lines(&mut self, at: usize, removed: usize, new: &[String]) {
        let removed = removed.min(self.lines.len().saturating_sub(at));
        if removed == 0 && new.is_empty() {
            return;
        }
        let start = self.offset(at);
        let old: usize = self
            .lines
            .iter()
            .skip(at)
            .take(removed)
            .map(|line| line.len() + 1)
            .sum();
        let text: String = new.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        if at + removed >= self.lines.len() {
            // The last line has no line break behind it, and one before it goes along.
            let end = self.offset(self.lines.len()).saturating_sub(1);
            let (start, text) = match start.checked_sub(1) {
                Some(start) => (
                    start,
                    new.iter().flat_map(|line| ["\n", line.as_str()]).collect(),
                ),
                None => (0, new.join("\n")),
            };
            self.observer.put(start, end.saturating_sub(start), &text);
        } else {
            self.observer.put(start, old, &text);
        }
        self.lines.splice(at..at + removed, new.iter().cloned());
        if self.lines.is_empty() {
            self.lines.push(String::new());
        }
    }

    /// A new line, typed.
    fn type_line(&mut self, at: usize, line: &str, novelty: LineNovelty) {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let (blank, text) = line.split_at(indent);
        let start = self.offset(at);
        if let Some(before) = start.checked_sub(1) {
            self.observer
                .type_text(before, &format!("\n{blank}"), novelty);
        } else {
            self.observer.put(0, 0, &format!("{blank}\n"));
        }
        self.observer.type_text(start + indent, text, novelty);
        self.lines.insert(at, line.to_owned());
    }

    /// What is new in a line is typed, and what is gone goes first.
    fn change_line(
        &mut self,
        at: usize,
        old: &str,
        new: &str,
        novelty: LineNovelty,
        replaced: &mut BTreeSet<(String, String)>,
    ) {
        let (before, after) = common_ends(old, new);
        let gone = old.get(before..old.len() - after).unwrap_or_default();
        let text = new.get(before..new.len() - after).unwrap_or_default();
        let start = self.offset(at) + before;
        let again = !replaced.insert((gone.to_owned(), text.to_owned())) && !gone.is_empty();
        if again || text.trim().is_empty() {
            self.observer.put(start, gone.len(), text);
        } else {
            if !gone.is_empty() {
                self.observer.put(start, gone.len(), "");
            }
            self.observer.type_text(start, text, novelty);
        }
        if let Some(line) = self.lines.get_mut(at) {
            *line = new.to_owned();
        }
    }

    /// Where a line begins.
    fn offset(&self, at: usize) -> usize {
        self.lines.iter().take(at).map(|line| line.len() + 1).sum()
    }
}

/// For each new line the old one that it is made of, if any; none crosses another.
fn pairs(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut pairs = Vec::with_capacity(new.len());
    for line in new {
        let from = old.iter().enumerate().skip(next).take(40);
        let likeness = from.map(|(at, old)| (likeness(old, line), at));
        // The first of those that are as much alike.
        let best = likeness.max_by_key(|(much, at)| (*much, std::cmp::Reverse(*at)));
        let best = best.filter(|(much, _)| *much >= 500).map(|(_, at)| at);
        if let Some(at) = best {
            next = at + 1;
        }
        pairs.push(best);
    }
    pairs
}

/// How much of the longer line stays, in thousandths.
fn likeness(old: &str, new: &str) -> usize {
    let (a, b) = (old.trim(), new.trim());
    if a.is_empty() || b.is_empty() {
        return 0;
    }
    let (before, after) = common_ends(a, b);
    (before + after) * 1000 / a.len().max(b.len())
}

/// How much two lines have in common at both ends, in whole words.
fn common_ends(old: &str, new: &str) -> (usize, usize) {
    let is_word = |c: char| foretell_text::plain::is_word(c);
    let same = old
        .char_indices()
        .zip(new.chars())
        .take_while(|((_, a), b)| a == b);
    let mut before = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
    let goes_on = |text: &str| {
        text.get(before..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(is_word)
    };
    if goes_on(old) || goes_on(new) {
        let head = old.get(..before).unwrap_or_default();
        before = head.trim_end_matches(is_word).len();
    }
    let (old, new) = (
        old.get(before..).unwrap_or_default(),
        new.get(before..).unwrap_or_default(),
    );
    let same = old
        .chars()
        .rev()
        .zip(new.chars().rev())
        .take_while(|(a, b)| a == b);
    let mut after: usize = same.map(|(a, _)| a.len_utf8()).sum();
    let reaches = |text: &str| {
        text.get(..text.len() - after)
            .and_then(|rest| rest.chars().next_back())
            .is_some_and(is_word)
    };
    if reaches(old) || reaches(new) {
        let tail = old.get(old.len() - after..).unwrap_or_default();
        after = tail.trim_start_matches(is_word).len();
    }
    (before, after)
}

fn hash(line: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    line.bytes().fold(0xcbf2_9ce4_8422_2325, fold)
}

fn run_hash(run: &[u64]) -> u64 {
    run.iter().fold(17, |hash, line| {
        (hash ^ line)
            .rotate_left(21)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
