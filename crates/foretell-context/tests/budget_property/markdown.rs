//! Fences and headings, read one line after the other.

/// Where a line is, without its break.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    /// A fence that opens or closes code, or a heading.
    pub(super) is_whole: bool,
}

/// All lines of a text, and the fence that is open at its end.
pub(super) fn read(text: &str) -> (Vec<Line>, Option<(char, usize)>) {
    let mut lines = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut start = 0;
    for part in text
        .replace("\r\n", "\u{1}\n")
        .split_inclusive(['\n', '\r'])
    {
        let line = part
            .trim_end_matches(['\n', '\r'])
            .trim_end_matches('\u{1}');
        let body = line.trim_start_matches(' ');
        let is_indented = line.len() - body.len() > 3;
        let mark = body
            .chars()
            .next()
            .filter(|c| "`~".contains(*c) && !is_indented);
        let len = mark.map_or(0, |mark| body.chars().take_while(|c| *c == mark).count());
        let rest = &body[len..];
        let mut is_whole = false;
        match (open, mark) {
            (Some((opener, least)), Some(mark)) => {
                let is_end = mark == opener && len >= least;
                if is_end && rest.chars().all(|c| c == ' ' || c == '\t') {
                    (open, is_whole) = (None, true);
                }
            }
            (None, Some(mark)) if len >= 3 && !(mark == '`' && rest.contains('`')) => {
                (open, is_whole) = (Some((mark, len)), true);
            }
            (None, _) => {
                let words = body.trim_start_matches('#');
                is_whole = body.starts_with('#')
                    && !is_indented
                    && (words.is_empty() || words.starts_with([' ', '\t']));
            }
            _ => {}
        }
        lines.push(Line {
            start,
            end: start + line.len(),
            is_whole,
        });
        start += part.len();
    }
    (lines, open)
}

/// A text with the fence that is open at its end closed, indented as it was opened.
pub(super) fn closed(text: &str) -> String {
    let (lines, open) = read(text);
    let Some((mark, len)) = open else {
        return text.to_owned();
    };
    // The last line that is whole has opened it: had it closed one, none would be open.
    let opener = lines.iter().rev().find(|line| line.is_whole).unwrap();
    let opener = &text[opener.start..opener.end];
    let indent = opener.len() - opener.trim_start_matches(' ').len();
    let fence = mark.to_string().repeat(len);
    format!("{text}\n{}{fence}", " ".repeat(indent))
}
