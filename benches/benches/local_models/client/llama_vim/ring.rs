//! Pieces of code from elsewhere that go with every question: a ring of the latest 16.
//!
//! They are gathered where the person leaves a document and comes to one, and around places far from each
//! other. A piece
//! waits in a queue until the person rests, so that the prompt does not change while they type.

use serde_json::{Value, json};

use super::CursorPlace;
use crate::desk::Desk;
use crate::session::typed::Chance;

const MOST: usize = 16;
const CHUNK_LINES: usize = 64;
/// How far around the cursor pieces are gathered.
const SCOPE: usize = 1024;
/// How many lines the cursor has to have moved until pieces are gathered again.
const FAR: usize = 32;
/// A piece takes the place of one that has so much in common with it.
const ALIKE: f64 = 0.9;

struct Chunk {
    path: String,
    lines: Vec<String>,
}

/// The ring, and what waits to be put into it.
pub(crate) struct ChunkRing {
    chunks: Vec<Chunk>,
    queue: Vec<Chunk>,
    gathered_at: Option<usize>,
    chance: Chance,
}

impl ChunkRing {
    pub(crate) fn new() -> Self {
        ChunkRing {
            chunks: Vec::new(),
            queue: Vec::new(),
            gathered_at: None,
            chance: Chance(5),
        }
    }

    /// Gathers a piece around a place where the person leaves a document or comes to one.
    pub(super) fn pass(&mut self, desk: &Desk, place: &CursorPlace) {
        let lines = Lines::around(desk, place);
        let first = lines.cursor.saturating_sub(CHUNK_LINES / 2);
        let piece = lines.between(first, lines.cursor + CHUNK_LINES / 2);
        self.pick(&place.path, piece);
        self.gathered_at = None;
    }

    /// Gathers a piece before and one behind what is sent anyway.
    pub(crate) fn gather(&mut self, desk: &Desk, prefix_lines: usize, suffix_lines: usize) {
        let place = CursorPlace {
            path: desk.path.clone(),
            cursor: desk.cursor,
        };
        let lines = Lines::around(desk, &place);
        let is_far = self
            .gathered_at
            .is_none_or(|at| at.abs_diff(lines.cursor) > FAR);
        if !is_far {
            return;
        }
        self.gathered_at = Some(lines.cursor);
        let above = lines.cursor.saturating_sub(prefix_lines);
        let first = lines.cursor.saturating_sub(SCOPE);
        self.pick(&place.path, lines.between(first, above));
        let below = lines.cursor + suffix_lines;
        self.pick(&place.path, lines.between(below, below + CHUNK_LINES));
    }

    /// Puts a piece from the queue into the ring; says whether there was one.
    pub(crate) fn take_in(&mut self) -> bool {
        if self.queue.is_empty() {
            return false;
        }
        if self.chunks.len() == MOST {
            self.chunks.remove(0);
        }
        self.chunks.push(self.queue.remove(0));
        true
    }

    /// As it is sent.
    pub(crate) fn extra(&self) -> Value {
        let chunks = self.chunks.iter();
        let chunks = chunks.map(|it| json!({ "filename": it.path, "text": it.lines.concat() }));
        chunks.collect()
    }

    fn pick(&mut self, path: &str, lines: &[String]) {
        if lines.len() < 3 {
            return;
        }
        let size = CHUNK_LINES / 2;
        let lines = match lines.len().checked_sub(size) {
            None => lines,
            Some(last) => {
                let start = self.chance.between(0, last as u64) as usize;
                &lines[start..start + size]
            }
        };
        let is_there = |it: &Chunk| it.lines == lines;
        if self.chunks.iter().chain(&self.queue).any(is_there) {
            return;
        }
        self.queue.retain(|it| alike(&it.lines, lines) <= ALIKE);
        self.chunks.retain(|it| alike(&it.lines, lines) <= ALIKE);
        if self.queue.len() == MOST {
            self.queue.remove(0);
        }
        self.queue.push(Chunk {
            path: path.to_owned(),
            lines: lines.to_vec(),
        });
    }
}

/// How much two pieces have in common: twice the lines that are in both, of all lines.
fn alike(one: &[String], other: &[String]) -> f64 {
    let common = one.iter().filter(|line| other.contains(line)).count();
    2.0 * common as f64 / (one.len() + other.len()) as f64
}

/// A document by its lines.
struct Lines {
    all: Vec<String>,
    cursor: usize,
}

impl Lines {
    fn around(desk: &Desk, place: &CursorPlace) -> Self {
        let text = desk.text(&place.path);
        let before = text.get(..place.cursor).unwrap_or(text);
        Lines {
            cursor: before.matches('\n').count(),
            all: text.split_inclusive('\n').map(str::to_owned).collect(),
        }
    }

    fn between(&self, start: usize, end: usize) -> &[String] {
        let end = end.min(self.all.len());
        self.all.get(start..end).unwrap_or_default()
    }
}
