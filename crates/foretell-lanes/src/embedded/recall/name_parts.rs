//! Names that are made of others: where `width` stands for `height`, `maxWidth` stands for
//! `maxHeight`, and `WIDTH_INPUT` for `HEIGHT_INPUT`.
//!
//! A name has parts, which begin at an underscore or a capital. Two names that stand for each other
//! differ in some of their parts; what those are tells what any name with the same parts stands for.
//! Parts are the same whatever their case, and take the case of what they replace.

/// The parts of a name, without underscores, and where they begin.
fn parts(name: &str) -> Vec<(usize, &str)> {
    let mut starts = Vec::new();
    let mut before = '_';
    for (at, c) in name.char_indices() {
        let is_hump = c.is_uppercase() && !before.is_uppercase();
        if c != '_' && (before == '_' || is_hump) {
            starts.push(at);
        }
        before = c;
    }
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(start, end)| {
        let part = name.get(*start..end)?;
        Some((*start, part.trim_end_matches('_')))
    });
    parts.collect()
}

/// What a name of theirs stands for, if one of theirs stands for one of ours: with what differs
/// between those two replaced. Nothing if it has no part in it.
pub(super) fn like(name: &str, their: &str, our: &str) -> Option<String> {
    let (theirs, ours) = (parts(their), parts(our));
    let start = theirs.iter().zip(&ours).take_while(is_same).count();
    let most = theirs.len().min(ours.len()) - start;
    let ends = theirs.iter().rev().zip(ours.iter().rev());
    let end = ends.take_while(is_same).count().min(most);
    let theirs = theirs.get(start..theirs.len() - end)?;
    let ours = ours.get(start..ours.len() - end)?;
    if theirs.is_empty() || ours.is_empty() {
        return None;
    }
    let all = parts(name);
    let mut windows = all.windows(theirs.len());
    let replaced = windows.find(|window| window.iter().zip(theirs).all(|pair| is_same(&pair)))?;
    let ((from, model), (last, part)) = (*replaced.first()?, *replaced.last()?);
    let has_underscores = our.contains('_') || name.contains('_');
    let mut written = name.get(..from)?.to_owned();
    for (nth, (_, part)) in ours.iter().enumerate() {
        if nth > 0 && has_underscores {
            written.push('_');
        }
        written.push_str(&in_case_of(model, nth == 0 || has_underscores, part));
    }
    written.push_str(name.get(last + part.len()..)?);
    Some(written)
}

/// Whether a name has a part.
pub(super) fn has(name: &str, part: &str) -> bool {
    parts(name)
        .iter()
        .any(|(_, it)| it.eq_ignore_ascii_case(part))
}

/// Whether two parts are the same, whatever their case and wherever they begin.
fn is_same(((_, a), (_, b)): &(&(usize, &str), &(usize, &str))) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// A part in the case of another.
fn in_case_of(model: &str, is_first: bool, part: &str) -> String {
    let mut letters = model.chars();
    let is_upper = letters.next().is_some_and(char::is_uppercase);
    let is_loud = is_upper && model.len() > 1 && !letters.any(char::is_lowercase);
    let mut part = part.chars();
    match part.next() {
        Some(first) if is_loud => first
            .to_uppercase()
            .chain(part.flat_map(char::to_uppercase))
            .collect(),
        Some(first) if is_upper || !is_first => first.to_uppercase().chain(part).collect(),
        Some(first) => first.to_lowercase().chain(part).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_parts() {
        assert_eq!(parts("maxWidth"), [(0, "max"), (3, "Width")]);
        assert_eq!(parts("_max_width_"), [(1, "max"), (5, "width")]);
        assert_eq!(parts("MAX_WIDTH"), [(0, "MAX"), (4, "WIDTH")]);
        assert_eq!(parts("HTMLElement"), [(0, "HTMLElement")]);
        assert_eq!(parts("größeÄndern"), [(0, "größe"), (7, "Ändern")]);
        assert!(parts("__").is_empty());
    }

    #[test]
    fn a_name_stands_for_another_as_its_parts_do() {
        let said = |name, their, our| like(name, their, our).unwrap_or_default();
        assert_eq!(said("maxWidth", "width", "height"), "maxHeight");
        assert_eq!(said("WIDTH", "width", "height"), "HEIGHT");
        assert_eq!(said("set_width", "width", "height"), "set_height");
        assert_eq!(said("width", "widthInput", "heightInput"), "height");
        assert_eq!(said("Width", "min_width", "min_height"), "Height");
        assert_eq!(said("getUser", "user", "openOrder"), "getOpenOrder");
        assert_eq!(said("get_user", "user", "open_order"), "get_open_order");
        assert_eq!(said("minX", "x", "y"), "minY");
        assert_eq!(said("widths", "width", "height"), "");
        assert_eq!(said("depth", "width", "height"), "");
        assert_eq!(said("a", "_", "b"), "");
    }
}
