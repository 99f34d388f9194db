//! [`PendingLines`]: which lines of a document are still to be learned.
//!
//! A large document is learned bit by bit, from the cursor outwards, so it has to be known what is left.
//! That is a few stretches: what lies far away, and the line that is being typed.
//!
//! Kept: stretches are in order, do not touch each other, and are never empty.

use std::ops::Range;

/// Which lines of a document are still to be learned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PendingLines(Vec<Range<usize>>);

impl PendingLines {
    /// The first so many lines.
    pub(crate) fn first(count: usize) -> Self {
        let mut pending = PendingLines::default();
        pending.insert(0..count);
        pending
    }

    pub(crate) fn contains(&self, line: usize) -> bool {
        let at = self.0.partition_point(|stretch| stretch.end <= line);
        self.0.get(at).is_some_and(|stretch| stretch.start <= line)
    }

    pub(crate) fn stretches(self) -> Vec<Range<usize>> {
        self.0
    }

    pub(crate) fn insert(&mut self, lines: Range<usize>) {
        if lines.is_empty() {
            return;
        }
        let first = self.0.partition_point(|it| it.end < lines.start);
        let last = self.0.partition_point(|it| it.start <= lines.end);
        let touched = &self.0[first..last.max(first)];
        let start = touched.first().map_or(lines.start, |it| it.start);
        let end = touched.last().map_or(lines.end, |it| it.end);
        let joined = start.min(lines.start)..end.max(lines.end);
        self.0.splice(first..last.max(first), [joined]);
    }

    pub(crate) fn remove(&mut self, lines: Range<usize>) {
        if lines.is_empty() {
            return;
        }
        let first = self.0.partition_point(|it| it.end <= lines.start);
        let last = self.0.partition_point(|it| it.start < lines.end);
        let touched = &self.0[first..last.max(first)];
        let left = touched.first().map(|it| it.start..lines.start);
        let right = touched.last().map(|it| lines.end..it.end);
        let rest: Vec<_> = left.into_iter().chain(right).collect();
        let rest = rest.into_iter().filter(|it| !it.is_empty());
        self.0.splice(first..last.max(first), rest);
    }

    /// Some lines were replaced by so many others, which are all to be learned.
    pub(crate) fn replace(&mut self, lines: Range<usize>, count: usize) {
        let moved = |line: usize| line - lines.len() + count;
        for stretch in std::mem::take(&mut self.0) {
            self.insert(stretch.start..stretch.end.min(lines.start));
            let start = stretch.start.max(lines.end);
            if start < stretch.end {
                self.insert(moved(start)..moved(stretch.end));
            }
        }
        self.insert(lines.start..lines.start + count);
    }

    /// The stretch nearest to a line, or the part of it that is, of so many lines at most. Of two at the
    /// same distance it is the one above.
    pub(crate) fn nearest(&self, line: usize, most: usize) -> Option<Range<usize>> {
        let below = self.0.partition_point(|it| it.end <= line);
        let above = below.checked_sub(1).and_then(|at| self.0.get(at));
        let above = above.map(|it| it.start.max(it.end.saturating_sub(most))..it.end);
        let below = self.0.get(below).map(|it| {
            let start = it.start.max(line.saturating_sub(most / 2));
            start..it.end.min(start + most)
        });
        match (above, below) {
            (Some(above), Some(below)) => {
                let is_above = distance(&above, line) <= distance(&below, line);
                Some(if is_above { above } else { below })
            }
            (above, below) => above.or(below),
        }
    }

    /// The part that is not to be learned and lies farthest from a line, of so many lines at most, if
    /// there are so many lines in all.
    pub(crate) fn farthest_other(
        &self,
        line: usize,
        all: usize,
        most: usize,
    ) -> Option<Range<usize>> {
        let first = match self.0.first() {
            Some(stretch) if stretch.start == 0 => stretch.end,
            _ => 0,
        };
        let end = match self.0.last() {
            Some(stretch) if stretch.end >= all => stretch.start,
            _ => all,
        };
        if first >= end {
            return None;
        }
        let is_first = line.saturating_sub(first) >= (end - 1).saturating_sub(line);
        let mut other = if is_first {
            first..end.min(first + most)
        } else {
            first.max(end.saturating_sub(most))..end
        };
        // It ends where the next stretch begins.
        for stretch in &self.0 {
            if is_first && stretch.start > other.start {
                other.end = other.end.min(stretch.start);
            } else if !is_first && stretch.end < other.end {
                other.start = other.start.max(stretch.end);
            }
        }
        Some(other)
    }
}

/// How far some lines are from one.
pub(crate) fn distance(lines: &Range<usize>, line: usize) -> usize {
    if line < lines.start {
        lines.start - line
    } else {
        (line + 1).saturating_sub(lines.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(pending: &PendingLines) -> Vec<usize> {
        for pair in pending.0.windows(2) {
            assert!(pair[0].end < pair[1].start, "{pending:?}");
        }
        assert!(pending.0.iter().all(|it| !it.is_empty()), "{pending:?}");
        pending.0.iter().cloned().flatten().collect()
    }

    proptest! {
        #[test]
        fn they_are_what_a_list_of_booleans_says(
            steps in prop::collection::vec((0..3_u8, 0..30_usize, 0..10_usize, 0..10_usize), 1..40)
        ) {
            let mut pending = PendingLines::first(20);
            let mut list = vec![true; 20];
            for (step, start, length, count) in steps {
                let start = start.min(list.len());
                let range = start..(start + length).min(list.len());
                match step {
                    0 => {
                        pending.insert(range.clone());
                        list[range].fill(true);
                    }
                    1 => {
                        pending.remove(range.clone());
                        list[range].fill(false);
                    }
                    _ => {
                        pending.replace(range.clone(), count);
                        list.splice(range, vec![true; count]);
                    }
                }
                let right: Vec<usize> = (0..list.len()).filter(|at| list[*at]).collect();
                prop_assert_eq!(lines(&pending), right.clone());
                for line in 0..list.len() + 2 {
                    prop_assert_eq!(pending.contains(line), right.contains(&line));
                    let nearest = pending.nearest(line, 3);
                    prop_assert_eq!(nearest.is_some(), !right.is_empty());
                    if let Some(nearest) = nearest {
                        prop_assert!(!nearest.is_empty() && nearest.len() <= 3);
                        prop_assert!(nearest.clone().all(|at| list[at]));
                        let least = right.iter().map(|at| at.abs_diff(line)).min();
                        prop_assert_eq!(Some(distance(&nearest, line)), least);
                    }
                    let others = (0..list.len()).filter(|at| !list[*at]);
                    let farthest = others.map(|at| at.abs_diff(line)).max();
                    let found = pending.farthest_other(line, list.len(), 3);
                    prop_assert_eq!(found.is_some(), farthest.is_some());
                    if let Some(found) = found {
                        prop_assert!(!found.is_empty() && found.len() <= 3);
                        prop_assert!(found.clone().all(|at| !list[at]));
                        prop_assert!(found.clone().any(|at| Some(at.abs_diff(line)) == farthest));
                    }
                }
            }
        }
    }
}
