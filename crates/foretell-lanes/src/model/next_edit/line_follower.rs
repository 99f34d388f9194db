//! Follows an answer through the lines that it repeats, line by line, and says when the rest is clear.
//!
//! After a change, an answer agrees with the old lines again. Once two lines below the cursor's that stand
//! nowhere else, or any three with one of those, agree, the rest is taken as unchanged: what a model writes from there on takes as
//! long as the change itself and says nothing. Before the cursor nothing is over, since what the person waits
//! for is yet to come.
//!
//! A line that is said three times in a row, where the old text does not, is a model that goes round in
//! circles: what came before it holds, and the old lines from there on stay.
//!
//! Nothing here ever skips an old line that the answer has not come to.

use super::super::rewrite::LineWords;
use super::super::rewrite::pieces;

/// How many lines that stand nowhere else must agree, or how many of any kind. Code that is put in is often
/// like the code that follows, and agrees with some of its lines.
const SIGNIFICANT: usize = 2;
const ANY: usize = 3;
/// How often a line is said until that is a circle.
const CIRCLE: usize = 3;
/// How alike lines are that became each other, in thousandths.
const LEAST_LIKE: usize = 500;
/// How many of the last old lines it may have replaced by others that are like none of them.
const MOST_REPLACED: usize = 3;

/// Where an answer is in the old lines.
pub(super) struct LineFollower {
    old: Vec<String>,
    /// Which of the old lines the cursor is on.
    cursor: usize,
    /// The next old line that the answer is to come to.
    next: usize,
    /// The lines of the answer that agree with none, since it last agreed.
    astray: Vec<String>,
    is_changed: bool,
    /// How many lines below the cursor's agree since the last change, and how many of them say something.
    agreeing: usize,
    significant: usize,
    answer: Vec<String>,
}

/// Why no more of an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EnoughLines {
    /// The rest is unchanged.
    Agrees,
    /// It goes round in circles.
    Circles,
}

impl LineFollower {
    /// Follows an answer about these lines.
    pub(super) fn new(old: &[&str], cursor: usize) -> Self {
        LineFollower {
            old: old.iter().map(|line| (*line).to_owned()).collect(),
            cursor,
            next: 0,
            astray: Vec::new(),
            is_changed: false,
            agreeing: 0,
            significant: 0,
            answer: Vec::new(),
        }
    }

    /// Takes a line of the answer in. Says whether that is enough, and why.
    pub(super) fn take(&mut self, line: &str) -> Option<EnoughLines> {
        self.answer.push(line.to_owned());
        if self.goes_in_circles(line) {
            self.astray.push(line.to_owned());
            self.leave_circle();
            return Some(EnoughLines::Circles);
        }
        let agrees = |at: usize| self.old.get(at).is_some_and(|old| is_same(old, line));
        if self.astray.is_empty() && agrees(self.next) {
            self.agree(self.next, line);
        } else {
            if self.astray.is_empty() {
                (self.agreeing, self.significant) = (0, 0);
            }
            self.is_changed = true;
            self.astray.push(line.to_owned());
            self.come_back();
        }
        let is_back = self.is_changed && self.astray.is_empty();
        (is_back && self.agrees_enough()).then_some(EnoughLines::Agrees)
    }

    /// Takes note that a line of the answer is an old one.
    fn agree(&mut self, at: usize, line: &str) {
        self.next = at + 1;
        if at > self.cursor {
            self.agreeing += 1;
            self.significant += usize::from(self.is_telling(line));
        }
    }

    /// Whether a line says something, and says it once.
    fn is_telling(&self, line: &str) -> bool {
        let same = |lines: &[String]| lines.iter().filter(|it| is_same(it, line)).count();
        is_significant(line) && same(&self.old) == 1 && same(&self.answer) == 1
    }

    /// The lines of the answer, and behind them the old ones that it has not come to.
    pub(super) fn with_rest(&self) -> Vec<String> {
        let rest = self.old.get(self.next..).unwrap_or_default();
        [&*self.answer, rest].concat()
    }

    /// The lines of an answer that just ended, and behind them the old ones that it has not come to.
    ///
    /// Its last lines, since it last agreed, replace the old ones that they are like. Where they say less than what is
    /// left of the old ones, and are like none of it, they are the beginning of something that never came: they
    /// are left out. Its last line may be only half of one.
    pub(super) fn with_unreached(&self, is_last_whole: bool) -> Vec<String> {
        let rest = self.old.get(self.next..).unwrap_or_default();
        let agreed = self.answer.len() - self.astray.len();
        let mut lines = self.answer.get(..agreed).unwrap_or_default().to_vec();
        let mut new = self.astray.clone();
        if self.ends_as_the_old(rest) {
            return [lines, new].concat();
        }
        // Up to where the new lines have come among the old, and how many of them that were.
        let (mut reached, mut placed, mut between) = (0, 0, 0);
        for index in 0..new.len() {
            let is_half = index + 1 == new.len() && !is_last_whole;
            let line = new.get(index).cloned().unwrap_or_default();
            let near = rest.iter().skip(reached).take(between + 1);
            let found = near.clone().position(|old| is_same(old, &line));
            let half = || {
                let is_beginning = |old: &String| old.starts_with(line.trim_end());
                let mut near = near.clone();
                near.position(|old| is_half && !line.trim().is_empty() && is_beginning(old))
            };
            let half = if found.is_none() { half() } else { None };
            let alike = || near.clone().position(|old| becomes(old, &line));
            let Some(at) = found.or(half).or_else(alike) else {
                between += 1;
                continue;
            };
            if let Some((old, new)) =
                half.and_then(|_| rest.get(reached + at).zip(new.get_mut(index)))
            {
                new.clone_from(old);
            }
            (reached, placed, between) = (reached + at + 1, index + 1, 0);
        }
        let left = rest.len() - reached;
        let is_replaced = left <= MOST_REPLACED && between >= left;
        if is_replaced {
            lines.extend(new);
        } else {
            lines.extend(new.into_iter().take(placed));
            lines.extend(rest.iter().skip(reached).cloned());
        }
        lines
    }

    /// Whether the last lines of the answer are the last of the old ones, so that it has come to the end: one of them says
    /// something and stands nowhere else, or all that it says ahead of them became of the next old lines.
    fn ends_as_the_old(&self, rest: &[String]) -> bool {
        let pairs = rest.iter().rev().zip(self.astray.iter().rev());
        let same = pairs.take_while(|(a, b)| is_same(a, b)).count();
        let mut last = self.astray.iter().rev().take(same);
        if last.any(|line| self.is_telling(line)) {
            return true;
        }
        let ahead = self.astray.len() - same;
        let mut pairs = self.astray.iter().take(ahead).zip(rest);
        let says = |line: &String| !line.trim().is_empty();
        let is_end = self.astray.last().is_some_and(says) && same > 0;
        let goes_on = |old: &str, new: &str| is_significant(old) && new.starts_with(old.trim_end());
        is_end && pairs.all(|(new, old)| becomes(old, new) || goes_on(old, new))
    }

    fn agrees_enough(&self) -> bool {
        self.significant >= SIGNIFICANT || self.significant > 0 && self.agreeing >= ANY
    }

    /// Looks whether the last lines of the answer agree with old ones again.
    fn come_back(&mut self) {
        let most = self.astray.len().min(ANY);
        for count in SIGNIFICANT.min(most)..=most {
            let last = self.astray.get(self.astray.len() - count..);
            let last = last.unwrap_or_default();
            let significant = last.iter().filter(|line| self.is_telling(line)).count();
            if significant == 0 || significant < SIGNIFICANT && count < ANY {
                continue;
            }
            let rest = self.old.get(self.next..).unwrap_or_default();
            let found = rest.windows(count).position(|old| {
                let mut pairs = old.iter().zip(last);
                pairs.all(|(old, new)| is_same(old, new))
            });
            if let Some(at) = found {
                let from = self.next + at;
                for (index, line) in last.to_vec().iter().enumerate() {
                    self.agree(from + index, line);
                }
                self.astray.clear();
                return;
            }
        }
    }

    fn goes_in_circles(&self, line: &str) -> bool {
        if line.trim().is_empty() {
            return false;
        }
        let last = self.answer.iter().rev();
        let said = last.take_while(|it| *it == line).count();
        said >= CIRCLE && said > longest_run(&self.old, line)
    }

    /// Takes the circle back, and leaves the old lines that the answer has not replaced.
    fn leave_circle(&mut self) {
        let Some(line) = self.answer.last().cloned() else {
            return;
        };
        while self.answer.last() == Some(&line) {
            self.answer.pop();
            // Of those, the old lines have some, too.
            let has_gone_astray = self.astray.pop().is_some();
            let before = self.next.checked_sub(1).filter(|_| !has_gone_astray);
            let is_old = |at: &usize| self.old.get(*at).is_some_and(|old| is_same(old, &line));
            self.next = before.filter(is_old).unwrap_or(self.next);
        }
        // A line that became another is not left beside it.
        for new in &self.astray {
            let has_become = |old: &String| becomes(old, new);
            if self.old.get(self.next).is_some_and(has_become) {
                self.next += 1;
            }
        }
    }
}

/// How often a line is said in a row at most.
fn longest_run(lines: &[String], line: &str) -> usize {
    let runs = lines.split(|it| it != line).map(<[String]>::len);
    runs.max().unwrap_or(0)
}

/// Whether a line may have become another.
pub(super) fn becomes(old: &str, new: &str) -> bool {
    let (old, new) = (pieces(old), pieces(new));
    LineWords::of(&old).likeness(&LineWords::of(&new)) >= LEAST_LIKE
}

/// Whether two lines are the same, space at their ends aside.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a.trim_end() == b.trim_end()
}

/// Whether a line says something: a lone bracket stands everywhere.
pub(super) fn is_significant(line: &str) -> bool {
    line.contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many lines of an answer are heard, why no more, and what becomes of the old ones.
    fn followed(old: &str, cursor: usize, answer: &str) -> (usize, Option<EnoughLines>, String) {
        let old: Vec<&str> = old.split(' ').collect();
        let mut follower = LineFollower::new(&old, cursor);
        let mut heard = 0;
        for line in answer.split(' ') {
            heard += 1;
            if let Some(enough) = follower.take(line) {
                return (heard, Some(enough), follower.with_rest().join(" "));
            }
        }
        (heard, None, follower.with_rest().join(" "))
    }

    #[test]
    fn two_lines_that_agree_behind_a_change_are_enough() {
        let agrees = Some(EnoughLines::Agrees);
        let (heard, enough, all) = followed("a b c d e f", 1, "a X c d e f");
        assert_eq!((heard, enough, &*all), (4, agrees, "a X c d e f"));
        let (heard, enough, all) = followed("a b c d e f", 0, "a b X c d e");
        assert_eq!((heard, enough, &*all), (5, agrees, "a b X c d e f"));
        let (heard, enough, all) = followed("a b c d e f", 0, "a d e f");
        assert_eq!((heard, enough, &*all), (3, agrees, "a d e f"));
    }

    #[test]
    fn brackets_must_be_three() {
        let (heard, enough, _) = followed("a } b ; c", 0, "X } b ;");
        assert_eq!((heard, enough), (4, Some(EnoughLines::Agrees)));
        assert_eq!(followed("a } ) ; b", 0, "X } ) ;").1, None);
    }

    #[test]
    fn what_is_like_the_code_below_is_no_agreement() {
        let (_, enough, _) = followed("a t u x t u y z", 0, "a t u N t u x");
        assert_eq!(enough, None);
    }

    #[test]
    fn what_is_said_before_the_cursor_is_no_end() {
        let (heard, enough, all) = followed("a b c d e f g h", 5, "X b c d e Y g h");
        let agrees = Some(EnoughLines::Agrees);
        assert_eq!((heard, enough, &*all), (8, agrees, "X b c d e Y g h"));
    }

    /// What becomes of the old lines if the answer just ends.
    fn ended(old: &str, answer: &str, is_last_whole: bool) -> String {
        let old: Vec<&str> = old.split(' ').collect();
        let mut follower = LineFollower::new(&old, 0);
        answer.split(' ').for_each(|line| {
            follower.take(line);
        });
        follower.with_unreached(is_last_whole).join(" ")
    }

    #[test]
    fn what_an_answer_has_not_reached_stays_when_it_just_ends() {
        let old = "a b c d e f g h";
        assert_eq!(ended(old, "a b c", true), old);
        assert_eq!(ended(old, "a b N1 N2 N3", true), old);
        assert_eq!(ended("a b-1 c d e f", "a b-2", true), "a b-2 c d e f");
        assert_eq!(ended("a b-1 c d e f", "a b-2 N", true), "a b-2 c d e f");
        assert_eq!(ended("a b-1-x c d", "a b-1", false), "a b-1-x c d");
        // One that came to the end has said all of it.
        assert_eq!(ended("a b c", "a b N1 N2", true), "a b N1 N2");
        assert_eq!(ended("a b c }", "a b }", true), "a b }");
    }

    #[test]
    fn nothing_changed_is_no_end() {
        assert_eq!(followed("a b c", 0, "a b c").1, None);
    }

    #[test]
    fn a_circle_is_left_and_what_it_did_not_reach_stays() {
        let circles = Some(EnoughLines::Circles);
        let (_, enough, all) = followed("a b c", 1, "a N x x x");
        assert_eq!((enough, &*all), (circles, "a N b c"));
        assert_eq!(followed("a x x x b", 0, "a x x x b").1, None);
        let (_, enough, all) = followed("a x x b c", 1, "a x x x x");
        assert_eq!((enough, &*all), (circles, "a x x b c"));
        let (_, enough, all) = followed("a bb-1 c", 1, "a bb-2 x x x");
        assert_eq!((enough, &*all), (circles, "a bb-2 c"));
    }
}
