//! The data of a secret of a cluster: every value below `data` and `stringData` of `kind: Secret`.
//!
//! It is apart from the grammar of assignment because nothing but the kind of the whole document says that
//! its values are secret.

use std::ops::Range;

/// How far on both sides of its kind a document is looked at.
const FARTHEST: usize = 64 * 1024;

/// The values of the document in which `span` says that it is a secret, and where that document ends.
pub(super) fn values(text: &str, span: &Range<usize>) -> (Vec<Range<usize>>, usize) {
    let document = document(text, span);
    let inside = text.get(document.clone()).unwrap_or_default();
    let mut values = Vec::new();
    // How far in the lines of data are, once they have begun.
    let mut within: Option<usize> = None;
    let mut folded: Option<usize> = None;
    let mut at = document.start;
    for line in inside.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim();
        let indent = line.len() - line.trim_start().len();
        if body.is_empty() {
            continue;
        }
        if let Some(key) = folded {
            if indent > key {
                values.push(start + indent..start + indent + body.len());
                continue;
            }
            folded = None;
        }
        if within.is_some_and(|data| indent <= data) {
            within = None;
        }
        let Some(key_end) = body.find(':') else {
            continue;
        };
        let value = body.get(key_end + 1..).unwrap_or_default().trim();
        let value = value.trim_end_matches(',').trim_matches(['"', '\'']);
        let is_data = matches!(
            body.get(..key_end)
                .unwrap_or_default()
                .trim_matches(['"', '\'']),
            "data" | "stringData"
        );
        if let Some(flow) = flow(line) {
            values.extend(
                flow.into_iter()
                    .map(|value| start + value.start..start + value.end),
            );
        } else if within.is_none() {
            within = is_data.then_some(indent);
        } else if value.starts_with(['|', '>']) {
            folded = Some(indent);
        } else if !value.is_empty() && !value.starts_with(['{', '<', '$']) {
            let offset = line.rfind(value).unwrap_or_default();
            values.push(start + offset..start + offset + value.len());
        }
    }
    (values, document.end)
}

/// The values of data that stands on one line, as in `data: {password: …, user: …}`.
fn flow(line: &str) -> Option<Vec<Range<usize>>> {
    let key = ["stringData", "data"]
        .iter()
        .find_map(|key| Some(line.find(key)? + key.len()))?;
    let behind = line.get(key..)?;
    let open = key + behind.find('{')?;
    behind
        .get(..open - key)?
        .chars()
        .all(|c| matches!(c, '"' | '\'' | ':' | ' '))
        .then_some(())?;
    let inside = line.get(open + 1..)?;
    let inside = inside.get(..inside.find('}').unwrap_or(inside.len()))?;
    let mut at = open + 1;
    let mut values = Vec::new();
    for pair in inside.split_inclusive(',') {
        if let Some(colon) = pair.find(':') {
            let value = pair
                .get(colon + 1..)?
                .trim()
                .trim_end_matches(',')
                .trim_matches(['"', '\'', ' ']);
            let offset = at + pair.rfind(value)?;
            values.push(offset..offset + value.len());
        }
        at += pair.len();
    }
    values.retain(|value| !value.is_empty());
    Some(values)
}

/// The document of a file of several in which something stands.
fn document(text: &str, span: &Range<usize>) -> Range<usize> {
    const BETWEEN: &str = "\n---";
    let from = super::secret_finder::floor(text, span.start.saturating_sub(FARTHEST));
    let to = super::secret_finder::floor(text, span.end.saturating_add(FARTHEST));
    let before = text.get(from..span.start).unwrap_or_default();
    let behind = text.get(span.end..to).unwrap_or_default();
    let start = before
        .rfind(BETWEEN)
        .map_or(from, |at| from + at + BETWEEN.len());
    let end = behind.find(BETWEEN).map_or(to, |at| span.end + at);
    start..end
}
