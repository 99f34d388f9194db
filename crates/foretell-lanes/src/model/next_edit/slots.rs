//! Templates whose slots are filled in one pass: what goes in is never searched for slots.

/// A template with its slots filled. A slot that is not given stays as it is written.
pub(super) fn fill(template: &str, slots: &[(&str, &str)]) -> String {
    let given: usize = slots.iter().map(|(_, text)| text.len()).sum();
    let mut filled = String::with_capacity(template.len() + given);
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (ahead, behind) = rest.split_at(at);
        filled.push_str(ahead);
        let slot = slots.iter().find(|(name, _)| behind.starts_with(name));
        let (text, length) = match slot {
            Some((name, text)) => (*text, name.len()),
            None => ("{", 1),
        };
        filled.push_str(text);
        rest = behind.get(length..).unwrap_or_default();
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_is_no_template() {
        let filled = fill("a{x}b{y}{z}", &[("{x}", "{y}"), ("{y}", "1")]);
        assert_eq!(filled, "a{y}b1{z}");
    }
}
