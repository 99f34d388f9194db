//! A rule for one kind of secret.
//!
//! It names what its secrets are found by, a literal that stands in each of them, and how much of what
//! follows belongs to the secret. The rules are tables of their own: `token_rules`, `service_rules` and
//! `named_rules`.

/// One kind of secret.
pub(super) struct SecretRule {
    /// Its name in reports.
    pub(super) kind: &'static str,
    /// Literals, one of which stands in every secret of the kind.
    pub(super) anchors: &'static [&'static str],
    /// How the literal must begin.
    pub(super) before: AnchorBoundary,
    /// The shape of the secret.
    pub(super) shape: SecretShape,
}

/// Where a literal must begin to count.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AnchorBoundary {
    /// Anything: the literal is too odd to be part of something else.
    Anything,
    /// The start of a word.
    WordStart,
    /// The start of a word that is not joined to another one by a dash or a dot either.
    TokenStart,
}

/// The shape of a secret around its literal.
#[derive(Clone, Copy)]
pub(super) enum SecretShape {
    /// Characters of an alphabet, at least so many; fewer if the text is cut off there.
    Token(TokenAlphabet, usize),
    /// A match of this pattern from the literal on: its groups, or else all of it. `<cut>` in it
    /// stands for the end of a text that is cut off.
    Pattern(&'static str),
    /// A match of this pattern when it is matched up to and with the literal, and so many
    /// characters before it at the most.
    Around(&'static str, usize),
    /// A match of this pattern of bytes, with a literal in it, and all that is joined to its end.
    Service {
        /// How far before its literal it may begin.
        before: usize,
        /// How long it is at the least.
        least: usize,
        /// Its pattern.
        pattern: &'static str,
    },
    /// A signed token of three parts.
    WebToken,
    /// A block of lines that begins here.
    BlockStart,
    /// A block of lines that ends here, and whose beginning is not there.
    BlockEnd,
    /// The password of an address.
    Address,
    /// The values of the manifest that this says the kind of.
    Manifest,
    /// A value that is given to a name with this literal in it.
    Assignment(ValueStrictness),
}

/// The characters that the body of a token is made of.
#[derive(Clone, Copy)]
pub(super) enum TokenAlphabet {
    /// Hexadecimal digits.
    Hex,
    /// Capital letters and digits.
    Capital,
    /// Letters and digits.
    Alphanumeric,
    /// Those and `_`.
    Word,
    /// Those and `-`.
    Dashed,
    /// Those and `.`.
    Dotted,
    /// Letters, digits, `_`, `-`, `=`.
    Padded,
    /// Letters, digits, `+`, `/`, `=`, and what addresses put for them.
    Base64,
}

impl TokenAlphabet {
    /// Whether it has a character.
    pub(super) fn has(self, byte: u8) -> bool {
        let letter_or_digit = byte.is_ascii_alphanumeric();
        match self {
            TokenAlphabet::Hex => byte.is_ascii_hexdigit(),
            TokenAlphabet::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            TokenAlphabet::Alphanumeric => letter_or_digit,
            TokenAlphabet::Word => letter_or_digit || byte == b'_',
            TokenAlphabet::Dashed => letter_or_digit || matches!(byte, b'_' | b'-'),
            TokenAlphabet::Dotted => letter_or_digit || matches!(byte, b'_' | b'-' | b'.'),
            TokenAlphabet::Padded => letter_or_digit || matches!(byte, b'_' | b'-' | b'='),
            TokenAlphabet::Base64 => letter_or_digit || matches!(byte, b'+' | b'/' | b'=' | b'%'),
        }
    }
}

/// How much a value must look like a secret.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ValueStrictness {
    /// A person may have made it up: what is no mere word is enough.
    Password,
    /// A machine made it: it must look random.
    Random,
}

pub(super) const fn token(
    kind: &'static str,
    anchors: &'static [&'static str],
    body: TokenAlphabet,
    least: usize,
) -> SecretRule {
    SecretRule {
        kind,
        anchors,
        before: AnchorBoundary::Anything,
        shape: SecretShape::Token(body, least),
    }
}

pub(super) const fn short(
    kind: &'static str,
    anchors: &'static [&'static str],
    body: TokenAlphabet,
    least: usize,
) -> SecretRule {
    SecretRule {
        kind,
        anchors,
        before: AnchorBoundary::WordStart,
        shape: SecretShape::Token(body, least),
    }
}

/// A row of `service_rules`.
pub(super) const fn service(
    kind: &'static str,
    anchors: &'static [&'static str],
    before: usize,
    least: usize,
    pattern: &'static str,
) -> SecretRule {
    SecretRule {
        kind,
        anchors,
        before: if before == 0 {
            AnchorBoundary::WordStart
        } else {
            AnchorBoundary::Anything
        },
        shape: SecretShape::Service {
            before,
            least,
            pattern,
        },
    }
}

pub(super) const fn shaped(
    kind: &'static str,
    anchors: &'static [&'static str],
    shape: SecretShape,
) -> SecretRule {
    SecretRule {
        kind,
        anchors,
        before: AnchorBoundary::Anything,
        shape,
    }
}

pub(super) const fn shaped_word(
    kind: &'static str,
    anchors: &'static [&'static str],
    shape: SecretShape,
) -> SecretRule {
    SecretRule {
        kind,
        anchors,
        before: AnchorBoundary::WordStart,
        shape,
    }
}
