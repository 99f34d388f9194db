//! Numbered markers: where they cut a region into blocks.
//!
//! The first marker is at the beginning and the last at the end. In between there is one at a line that
//! begins a paragraph, six lines or more behind the last and six or more ahead of the end; and one after
//! sixteen lines, wherever that is. A line that only ends something is no good beginning: the marker goes
//! ahead to the first line within five that is not. The rules are those of the editor that the model was
//! trained for, so that it sees what it has seen before.

/// How many lines a block has at the least, and at the most.
const LEAST: usize = 6;
const MOST: usize = 16;
/// How far ahead a better line is looked for.
const FARTHEST: usize = 5;

/// Where the markers are in a region, in bytes, in order.
pub(super) fn marker_offsets(region: &str) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(region.match_indices('\n').map(|(at, _)| at + 1));
    let lines: Vec<&str> = region.split('\n').collect();
    // Behind the last line end there may be no line.
    let count = if region.ends_with('\n') {
        lines.len() - 1
    } else {
        lines.len()
    };
    let mut offsets = vec![0];
    let (mut last, mut line) = (0, 0);
    while line < count {
        let gap = line - last;
        let is_blank = |line: usize| lines.get(line).is_none_or(|it| it.trim().is_empty());
        let begins_paragraph = gap >= LEAST && !is_blank(line) && line > 0 && is_blank(line - 1);
        let mut target = None;
        if begins_paragraph {
            let better = ahead_of_tail(&lines, line, count);
            target = (count - better >= LEAST).then_some(better);
        }
        if target.is_none() && gap >= MOST {
            target = Some(ahead_of_tail(&lines, line, count));
        }
        match target.filter(|target| *target > last && *target < count) {
            Some(target) => {
                offsets.extend(starts.get(target));
                (last, line) = (target, target + 1);
            }
            None => line += 1,
        }
    }
    if region.is_empty() || offsets.last() != Some(&region.len()) {
        offsets.push(region.len());
    }
    offsets
}

/// The first line from one on that neither is blank nor only ends something, if it is near.
fn ahead_of_tail(lines: &[&str], line: usize, count: usize) -> usize {
    if !lines.get(line).is_some_and(|it| is_tail(it)) {
        return line;
    }
    let near = line..count.min(line + FARTHEST + 1);
    let mut better = near.filter(|near| {
        let line = lines.get(*near);
        line.is_some_and(|it| !it.trim().is_empty() && !is_tail(it))
    });
    better.next().unwrap_or(line)
}

/// Whether a line only ends something.
fn is_tail(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with(['}', ']', ')']) {
        return true;
    }
    let word = line.strip_suffix(';').unwrap_or(line);
    ["break", "continue", "return", "throw", "end"].contains(&word.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that markers stand before.
    fn marked(lines: &[&str]) -> Vec<usize> {
        let region = lines.join("\n");
        let offsets = marker_offsets(&region);
        let line_of = |at: &usize| region.get(..*at).unwrap_or_default().matches('\n').count();
        offsets.iter().map(line_of).collect()
    }

    #[test]
    fn a_short_region_is_one_block() {
        assert_eq!(marker_offsets(""), [0, 0]);
        assert_eq!(marker_offsets("editable"), [0, 8]);
        assert_eq!(marker_offsets("a\nb\n"), [0, 4]);
    }

    #[test]
    fn paragraphs_begin_blocks_where_there_is_room() {
        let mut lines = vec!["x"; 20];
        lines[7] = "";
        assert_eq!(marked(&lines), [0, 8, 19]);
        // Fewer than six lines on one side.
        let mut lines = vec!["x"; 12];
        lines[3] = "";
        assert_eq!(marked(&lines), [0, 11]);
        let mut lines = vec!["x"; 12];
        lines[7] = "";
        assert_eq!(marked(&lines), [0, 11]);
    }

    #[test]
    fn a_long_paragraph_is_cut_after_sixteen_lines() {
        assert_eq!(marked(&["x"; 40]), [0, 16, 32, 39]);
    }

    #[test]
    fn a_block_does_not_begin_with_what_ends_another() {
        let mut lines = vec!["x"; 30];
        lines[16] = "}";
        lines[17] = "return;";
        assert_eq!(marked(&lines), [0, 18, 29]);
    }
}
