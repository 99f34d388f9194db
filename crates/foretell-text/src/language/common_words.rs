//! Words that say little about the code they are in, whatever its language.
//!
//! Three questions are asked about a word, and a word may be common in one sense and not in another:
//! `String` stands everywhere, and is a name all the same.

/// It has a meaning in one of the usual languages, and is no name there.
const KEYWORD: u8 = 1;
/// It stands everywhere: keywords, the first types of many languages, the smallest words of English.
const FREQUENT: u8 = 2;
/// Most languages have it, so that a search for it finds everything.
const VAGUE: u8 = 4;

/// Whether a word is a keyword in one of the usual languages.
pub fn is_keyword(word: &str) -> bool {
    is(KEYWORD, word)
}

/// Whether a word stands in every text, so that two texts that share it need not be alike.
pub fn is_frequent(word: &str) -> bool {
    is(FREQUENT, word)
}

/// Whether a search for a word, in small letters, would find everything.
pub fn is_vague(word: &str) -> bool {
    is(VAGUE, word)
}

fn is(sense: u8, word: &str) -> bool {
    let found = WORDS.binary_search_by_key(&word, |(word, _)| word);
    found.is_ok_and(|at| WORDS[at].1 & sense != 0)
}

/// The words in order, to be searched.
const WORDS: &[(&str, u8)] = &[
    ("Box", FREQUENT),
    ("Err", FREQUENT),
    ("False", KEYWORD | FREQUENT),
    ("None", KEYWORD | FREQUENT),
    ("Object", FREQUENT),
    ("Ok", FREQUENT),
    ("Option", FREQUENT),
    ("Promise", FREQUENT),
    ("Result", FREQUENT),
    ("Self", KEYWORD | FREQUENT),
    ("Some", FREQUENT),
    ("String", FREQUENT),
    ("True", KEYWORD | FREQUENT),
    ("Vec", FREQUENT),
    ("abstract", KEYWORD | VAGUE),
    ("and", KEYWORD | FREQUENT | VAGUE),
    ("any", FREQUENT),
    ("array", FREQUENT),
    ("as", KEYWORD | VAGUE),
    ("async", KEYWORD | FREQUENT | VAGUE),
    ("auto", FREQUENT),
    ("await", KEYWORD | FREQUENT | VAGUE),
    ("begin", KEYWORD | VAGUE),
    ("bool", KEYWORD | FREQUENT | VAGUE),
    ("boolean", KEYWORD | FREQUENT | VAGUE),
    ("break", KEYWORD | FREQUENT | VAGUE),
    ("case", KEYWORD | FREQUENT | VAGUE),
    ("catch", KEYWORD | FREQUENT | VAGUE),
    ("char", KEYWORD | FREQUENT | VAGUE),
    ("class", KEYWORD | FREQUENT | VAGUE),
    ("const", KEYWORD | FREQUENT | VAGUE),
    ("continue", KEYWORD | FREQUENT | VAGUE),
    ("crate", KEYWORD | FREQUENT),
    ("def", KEYWORD | FREQUENT | VAGUE),
    ("default", KEYWORD | FREQUENT | VAGUE),
    ("defer", KEYWORD),
    ("del", KEYWORD | FREQUENT),
    ("delete", KEYWORD),
    ("dict", FREQUENT),
    ("do", KEYWORD | VAGUE),
    ("double", KEYWORD | FREQUENT | VAGUE),
    ("dyn", FREQUENT),
    ("elif", KEYWORD | FREQUENT | VAGUE),
    ("else", KEYWORD | FREQUENT | VAGUE),
    ("end", KEYWORD | FREQUENT | VAGUE),
    ("enum", KEYWORD | FREQUENT | VAGUE),
    ("except", KEYWORD | FREQUENT),
    ("export", KEYWORD | FREQUENT | VAGUE),
    ("extends", KEYWORD | FREQUENT | VAGUE),
    ("extern", KEYWORD),
    ("false", KEYWORD | FREQUENT | VAGUE),
    ("final", KEYWORD | FREQUENT | VAGUE),
    ("finally", KEYWORD),
    ("float", KEYWORD | FREQUENT | VAGUE),
    ("fn", KEYWORD | VAGUE),
    ("for", KEYWORD | FREQUENT | VAGUE),
    ("from", KEYWORD | FREQUENT | VAGUE),
    ("func", KEYWORD | FREQUENT | VAGUE),
    ("function", KEYWORD | FREQUENT | VAGUE),
    ("go", KEYWORD),
    ("goto", KEYWORD),
    ("has", FREQUENT),
    ("i16", FREQUENT),
    ("i32", FREQUENT),
    ("i64", FREQUENT),
    ("if", KEYWORD | VAGUE),
    ("impl", KEYWORD | FREQUENT | VAGUE),
    ("implements", KEYWORD),
    ("import", KEYWORD | FREQUENT | VAGUE),
    ("in", KEYWORD | VAGUE),
    ("instanceof", KEYWORD),
    ("int", KEYWORD | FREQUENT | VAGUE),
    ("interface", KEYWORD | FREQUENT | VAGUE),
    ("into", FREQUENT),
    ("is", KEYWORD | VAGUE),
    ("isize", FREQUENT),
    ("keyof", KEYWORD),
    ("lambda", KEYWORD),
    ("let", KEYWORD | FREQUENT | VAGUE),
    ("list", FREQUENT),
    ("long", FREQUENT | VAGUE),
    ("loop", KEYWORD | FREQUENT),
    ("match", KEYWORD | FREQUENT),
    ("mod", KEYWORD | FREQUENT),
    ("mut", KEYWORD | FREQUENT | VAGUE),
    ("namespace", KEYWORD | FREQUENT),
    ("new", KEYWORD | FREQUENT | VAGUE),
    ("nil", KEYWORD | FREQUENT | VAGUE),
    ("none", VAGUE),
    ("not", KEYWORD | FREQUENT | VAGUE),
    ("null", KEYWORD | FREQUENT | VAGUE),
    ("number", FREQUENT),
    ("object", FREQUENT),
    ("of", KEYWORD),
    ("or", KEYWORD | VAGUE),
    ("package", KEYWORD | FREQUENT | VAGUE),
    ("pass", FREQUENT),
    ("private", KEYWORD | FREQUENT | VAGUE),
    ("protected", KEYWORD | FREQUENT),
    ("pub", KEYWORD | FREQUENT | VAGUE),
    ("public", KEYWORD | FREQUENT | VAGUE),
    ("raise", KEYWORD | FREQUENT),
    ("readonly", KEYWORD),
    ("ref", KEYWORD | FREQUENT),
    ("return", KEYWORD | FREQUENT | VAGUE),
    ("select", KEYWORD),
    ("self", KEYWORD | FREQUENT | VAGUE),
    ("short", FREQUENT),
    ("static", KEYWORD | FREQUENT | VAGUE),
    ("std", FREQUENT),
    ("str", FREQUENT),
    ("string", KEYWORD | FREQUENT | VAGUE),
    ("struct", KEYWORD | FREQUENT | VAGUE),
    ("super", KEYWORD | FREQUENT),
    ("switch", KEYWORD | FREQUENT),
    ("that", FREQUENT),
    ("the", FREQUENT),
    ("then", FREQUENT),
    ("this", KEYWORD | FREQUENT | VAGUE),
    ("throw", KEYWORD | FREQUENT),
    ("trait", KEYWORD | FREQUENT),
    ("true", KEYWORD | FREQUENT | VAGUE),
    ("try", KEYWORD | FREQUENT | VAGUE),
    ("type", KEYWORD | FREQUENT),
    ("typeof", KEYWORD),
    ("u16", FREQUENT),
    ("u32", FREQUENT),
    ("u64", FREQUENT),
    ("undefined", FREQUENT),
    ("unsafe", FREQUENT),
    ("unsigned", FREQUENT),
    ("use", KEYWORD | FREQUENT),
    ("usize", FREQUENT),
    ("val", FREQUENT),
    ("var", KEYWORD | FREQUENT | VAGUE),
    ("void", KEYWORD | FREQUENT | VAGUE),
    ("where", FREQUENT),
    ("while", KEYWORD | FREQUENT | VAGUE),
    ("with", FREQUENT),
    ("yield", FREQUENT),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order() {
        assert!(WORDS.is_sorted_by(|(first, _), (next, _)| first < next));
    }

    #[test]
    fn a_word_is_common_in_some_senses() {
        let senses = |word| [is_keyword(word), is_frequent(word), is_vague(word)];
        assert_eq!(senses("return"), [true, true, true]);
        assert_eq!(senses("String"), [false, true, false]);
        assert_eq!(senses("keyof"), [true, false, false]);
        assert_eq!(senses("returns"), [false, false, false]);
    }
}
