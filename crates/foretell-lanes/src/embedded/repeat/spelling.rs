//! The same name in another spelling: `next_abi`, `nextAbi`, `NextAbi`, `NEXT_ABI` and `next-abi`.
//!
//! A thing is called by one name in the code, by another where it is a constant, and by a third on
//! the command line. When one of them is changed, the others follow. Only names of several words are
//! respelled: those of one word are too often the names of something else.

use super::change::{ChangeSide, PieceSwap, RepeatChange, SpaceGap};
use super::document_pieces::{CodePiece, PieceZone};

/// A change of a name, for each other spelling of it that code may have.
pub(super) fn respelled(change: &RepeatChange) -> Vec<RepeatChange> {
    let Some((old, new)) = whole_names(change) else {
        return Vec::new();
    };
    let (old_words, new_words) = (words(&old), words(&new));
    if old_words.len() < 2 || new_words.len() < 2 || change.zone == PieceZone::Comment {
        return Vec::new();
    }
    let spell = |spelling: &NameSpelling| {
        let (from, to) = (spelling.spell(&old_words), spelling.spell(&new_words));
        let is_other = from != old && from != to;
        is_other.then(|| renamed(change, from, to))
    };
    NameSpelling::ALL.iter().filter_map(spell).collect()
}

/// The names that a change is about: in a string, with what is joined to them by hyphens.
fn whole_names(change: &RepeatChange) -> Option<(String, String)> {
    let (old, new) = change.renames()?;
    let [old, new] = [old, new].map(|name| match change.zone {
        PieceZone::Text => [&*change.joined.0, name, &change.joined.1].concat(),
        _ => name.to_owned(),
    });
    Some((old, new))
}

fn renamed(change: &RepeatChange, old: String, new: String) -> RepeatChange {
    let gap = |core: &str| SpaceGap {
        core: core.to_owned(),
        ..SpaceGap::default()
    };
    RepeatChange {
        swap: PieceSwap {
            old: vec![CodePiece::word(&old)],
            new: vec![CodePiece::word(&new)],
            was: gap(&old),
            is: gap(&new),
        },
        left: ChangeSide::default(),
        right: ChangeSide::default(),
        zone: PieceZone::Code,
        ..change.clone()
    }
}

enum NameSpelling {
    Snake,
    Upper,
    Camel,
    Pascal,
}

impl NameSpelling {
    const ALL: [NameSpelling; 4] = [
        NameSpelling::Snake,
        NameSpelling::Upper,
        NameSpelling::Camel,
        NameSpelling::Pascal,
    ];

    fn spell(&self, words: &[String]) -> String {
        let raised = |word: &String| {
            let mut characters = word.chars();
            let first = characters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(characters).collect::<String>()
        };
        match self {
            NameSpelling::Snake => words.join("_"),
            NameSpelling::Upper => words.join("_").to_uppercase(),
            NameSpelling::Pascal => words.iter().map(raised).collect(),
            NameSpelling::Camel => {
                let rest = words.iter().skip(1).map(raised);
                words.iter().take(1).cloned().chain(rest).collect()
            }
        }
    }
}

/// The words of a name, in small letters.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for character in name.chars() {
        let is_joint = matches!(character, '_' | '-');
        let begins = character.is_uppercase() && before.is_some_and(char::is_lowercase);
        if words.is_empty() || is_joint || begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_joint) {
            word.extend(character.to_lowercase());
        }
        before = Some(character);
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_spelled_in_every_way() {
        for name in ["next_abi", "nextAbi", "NextAbi", "NEXT_ABI", "next-abi"] {
            let words = words(name);
            let spelled = NameSpelling::ALL.map(|spelling| spelling.spell(&words));
            assert_eq!(spelled, ["next_abi", "NEXT_ABI", "nextAbi", "NextAbi"]);
        }
    }

    #[test]
    fn digits_stay_with_their_word() {
        assert_eq!(words("Point3D"), ["point3d"]);
        assert_eq!(words("u8_max"), ["u8", "max"]);
        assert_eq!(words("__"), Vec::<String>::new());
    }
}
