//! Keeps what was read.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fmt;

mod disk;

/// How many are kept.
pub const MOST: usize = 64;
type Entries = BTreeMap<String, Entry>;

/// One that is kept.
#[derive(Clone, Debug)]
pub struct Entry {
    text: String,
    age: u64,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.age)
    }
}

/// All of them.
pub struct Cache<'a, T> {
    entries: Entries,
    source: &'a T,
}

impl<'a, T: Source> Cache<'a, T> {
    /// An empty one.
    pub fn new(source: &'a T) -> Self {
        Cache {
            entries: Entries::new(),
            source,
        }
    }

    /// Reads through it.
    // The name is not checked.
    #[must_use]
    pub fn read(&mut self, name: &str) -> Option<&Entry> {
        if !self.entries.contains_key(name) {
            let text = self.source.load(name)?;
            let entry = Entry { text, age: 0 };
            self.entries.insert(name.to_owned(), entry);
        }
        self.entries.get(name)
    }

    const LIMIT: usize = 3;

    /// One more round is over.
    pub fn tick(&mut self) {
        for entry in self.entries.values_mut() {
            entry.age += 1;
        }
        while self.entries.len() > MOST {
            let oldest = self
                .entries
                .iter()
                .max_by_key(|(_, entry)| entry.age)
                .map(|(name, _)| name.clone());
            match oldest {
                Some(name) => self.entries.remove(&name),
                None => break,
            };
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Those that are older than so many rounds.
    pub fn old(&self, rounds: u64) -> impl Iterator<Item = &str> {
        let old = move |(_, entry): &(&String, &Entry)| entry.age > rounds;
        self.entries.iter().filter(old).map(|(name, _)| &**name)
    }

    /// Whether there is one.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn forget(&mut self, name: &str) {
        let limit = Self::LIMIT;
        let forgotten = self.entries.remove(name);
        if forgotten.is_some_and(|entry| entry.age > limit as u64) {
            self.tick();
        }
    }
} // Cache

pub trait Source {
    fn load(&self, name: &str) -> Option<String>;
}

macro_rules! entry {
    ($text:expr) => {
        Entry { text: $text.into(), age: 0 }
    };
}

pub(crate) async fn warm(names: &[&str]) -> usize { names.len() }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_kept() {
        assert_eq!(entry!("a").age, 0);
    }
}
