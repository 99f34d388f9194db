//! Arbitrary bytes as edits and positions: the body of the fuzz target, and of a test that runs it
//! on random bytes.
//!
//! Nothing here fits on purpose: offsets fall inside characters and past the end, ranges are
//! reversed, replacements overlap, numbers are as large as they get. Every operation is called with
//! whatever comes out. A panic is the failure that is looked for; where edits do fit, a few laws are
//! checked on the way.

use foretell_text::{
    ByteOffset, ByteRange, CarryAgreement, ChangeElsewhere, Edit, OffsetBias, Position,
    PositionEncoding, Replacement, Text, Utf16Offset,
};

/// Calls everything in `foretell-text` with what the bytes say.
pub fn text_and_edits(bytes: &[u8]) {
    let mut source = ByteSource { bytes };
    let old = source.string();
    let text = Text::from(old.as_str());
    for _ in 0..4 {
        positions(&mut source, &text);
    }
    let (Some(a), Some(b)) = (source.edit(), source.edit()) else {
        return;
    };
    for (ours, base) in [(&a, &b), (&b, &a)] {
        alone(ours, &text);
        together(ours, base, &text);
        map(ours, &mut source);
    }
}

fn positions(source: &mut ByteSource<'_>, text: &Text) {
    let offset = ByteOffset::new(source.number());
    let utf16 = Utf16Offset::new(source.number());
    let position = Position::new(source.number() as u32, source.number() as u32);
    let _ = text.check(offset).map_err(|error| error.to_string());
    let _ = text.line(position.line).map_err(|error| error.to_string());
    if let Ok(range) = ByteRange::new(offset, ByteOffset::new(source.number())) {
        let _ = text.read(range).map_err(|error| error.to_string());
    }
    if let Ok(found) = text.utf16_of(offset) {
        assert_eq!(text.byte_of(found), Ok(offset));
    }
    if let Ok(found) = text.byte_of(utf16) {
        assert_eq!(text.utf16_of(found), Ok(utf16));
    }
    for encoding in [
        PositionEncoding::Utf8,
        PositionEncoding::Utf16,
        PositionEncoding::Utf32,
    ] {
        let _ = text
            .offset_at_lsp(position, encoding)
            .map_err(|error| error.to_string());
        match text.offset_at(position, encoding) {
            Ok(found) => assert_eq!(text.position_of(found, encoding), Ok(position)),
            Err(error) => drop(error.to_string()),
        }
        if let Ok(found) = text.position_of(offset, encoding) {
            let line = text.line(found.line).expect("a position is on a line");
            assert_eq!(text.line_at(offset), Ok(line));
            assert_eq!(text.offset_at(found, encoding), Ok(offset));
        }
    }
}

fn alone(edit: &Edit, text: &Text) {
    let _ = edit.to_string();
    let results = (
        edit.apply(text),
        edit.trimmed(text),
        edit.effect(text),
        edit.inverse(text),
    );
    match results {
        (Ok(after), Ok(trimmed), Ok(effect), Ok(inverse)) => {
            assert_eq!(trimmed.apply(text).as_ref(), Ok(&after));
            assert_eq!(inverse.apply(&after).as_ref(), Ok(text));
            assert_eq!(effect.is_nothing(), *text == after);
        }
        (Err(a), Err(b), Err(c), Err(d)) => assert!(a == b && b == c && c == d),
        other => panic!("operations disagree whether {edit} fits: {other:?}"),
    }
}

fn together(ours: &Edit, base: &Edit, text: &Text) {
    let _ = ours.rebased_over(base);
    let _ = ours.compose(base).map_err(|error| error.to_string());
    for (agreement, elsewhere) in [
        (CarryAgreement::Next, ChangeElsewhere::Ends),
        (CarryAgreement::Next, ChangeElsewhere::Moves),
        (CarryAgreement::Strict, ChangeElsewhere::Ends),
        (CarryAgreement::Strict, ChangeElsewhere::Moves),
        (CarryAgreement::Lenient, ChangeElsewhere::Ends),
        (CarryAgreement::Lenient, ChangeElsewhere::Moves),
    ] {
        let carried = ours.carried_over(text, base, agreement, elsewhere);
        let (Ok(Some(carried)), Ok(after)) = (carried, base.apply(text)) else {
            continue;
        };
        let target = carried.apply(&after).expect("what is carried fits");
        if elsewhere == ChangeElsewhere::Ends {
            assert_eq!(Ok(target), ours.apply(text));
        }
    }
}

fn map(edit: &Edit, source: &mut ByteSource<'_>) {
    let offset = ByteOffset::new(source.number());
    let before = edit.map_offset(offset, OffsetBias::Before);
    assert!(before <= edit.map_offset(offset, OffsetBias::After));
    if let Ok(range) = ByteRange::new(offset, ByteOffset::new(source.number())) {
        let _ = edit.map_range(range);
    }
}

/// Takes values off the front of the bytes; when they run out, everything is zero and empty.
struct ByteSource<'a> {
    bytes: &'a [u8],
}

impl ByteSource<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        *first
    }

    /// Mostly small, since the texts are; now and then as large as a number gets.
    fn number(&mut self) -> usize {
        match self.byte() {
            255 => usize::MAX,
            254 => usize::MAX - usize::from(self.byte()),
            253 => isize::MAX as usize,
            252 => u32::MAX as usize,
            251 => usize::from(self.byte()) << 8 | usize::from(self.byte()),
            small => usize::from(small % 64),
        }
    }

    /// Up to 63 bytes, made valid.
    fn string(&mut self) -> String {
        let len = usize::from(self.byte() % 64).min(self.bytes.len());
        let (string, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        String::from_utf8_lossy(string).into_owned()
    }

    /// An edit, unless it cannot be built, which must be said and not shown by a panic.
    fn edit(&mut self) -> Option<Edit> {
        let replacements = (0..self.byte() % 5)
            .map(|_| {
                let start = ByteOffset::new(self.number());
                let end = ByteOffset::new(self.number());
                let range = ByteRange::new(start, end).unwrap_or(ByteRange::empty(start));
                Replacement::new(range, self.string())
            })
            .collect();
        Edit::new(replacements)
            .map_err(|error| error.to_string())
            .ok()
    }
}
