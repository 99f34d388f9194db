//! Every recorded case of the reference implementation, as a test of its own.
//!
//! The vectors in `tests/vectors/` are inputs and outputs of the reference; `foretell_testkit`
//! explains their format. A case counts as passed when ours does what the reference does, in the
//! sense the comment of its check gives. Cases that cut a surrogate pair cannot be put to us, and
//! are counted and said, not run. Where the reference itself is wrong, the case is in
//! [`REFERENCE_IS_WRONG`] with the reason, and the check makes sure that it really is.
//!
//! Thousands of names are no reading matter, so the tests are shown as dots unless a name is asked
//! for: `cargo test --test conformance -- normalize`.
#![allow(
    clippy::print_stdout,
    reason = "a test harness tells the person what it is about to run"
)]

use std::path::Path;

use foretell_testkit::vectors::{self, ReferenceChange, Utf16String, edit_in_ascii, edit_in_text};
use foretell_text::{CarryAgreement, ChangeElsewhere, Edit, OffsetError, Text, Utf16Offset};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Cases in which the reference gives a wrong answer: file, index, what is wrong with it.
const REFERENCE_IS_WRONG: [(&str, usize, &str); 11] = [
    ("tryrebase_strict", 0, SHIFT),
    ("tryrebase_strict", 3, THROWS),
    ("tryrebase_strict", 138, SHIFT),
    ("tryrebase_strict", 252, SHIFT),
    ("tryrebase_strict", 692, SHIFT),
    ("tryrebase_lenient", 0, SHIFT),
    ("tryrebase_lenient", 1, SWALLOWS),
    ("tryrebase_lenient", 2, THROWS),
    ("tryrebase_lenient", 3, THROWS),
    ("tryrebase_lenient", 33, REVIVES),
    ("tryrebase_lenient", 321, SHIFT),
];

const SHIFT: &str =
    "it slides the suggestion to where the text differs, and deletes something else";
const THROWS: &str = "it builds an edit whose parts overlap, and throws";
const SWALLOWS: &str = "it removes a character behind the suggestion that nobody touched";
const REVIVES: &str = "the suggestion changes nothing, and it brings back what the person deleted";

fn main() {
    let mut arguments = Arguments::from_args();
    let plain = arguments.filter.is_none() && arguments.format.is_none() && !arguments.list;
    arguments.quiet |= plain;

    let mut trials = Vec::new();
    for (file, (ours, cut), cases) in [
        ("normalize", (1976, 24), cases::<Normalize>("normalize")),
        ("rebase", (3000, 0), cases::<Rebase>("rebase")),
        ("compose", (2000, 0), cases::<Compose>("compose")),
        (
            "tryrebase_strict",
            (1000, 0),
            cases::<Carry>("tryrebase_strict"),
        ),
        (
            "tryrebase_lenient",
            (1000, 0),
            cases::<Carry>("tryrebase_lenient"),
        ),
    ] {
        if plain {
            println!("{file}: {ours} cases, {cut} more cut a surrogate pair and do not apply");
        }
        let counted = (cases.trials.len(), cases.not_ours);
        trials.extend(cases.trials);
        trials.push(Trial::test(
            format!("{file}::all_cases_are_here"),
            move || expect(counted == (ours, cut), format_args!("{counted:?}")),
        ));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// What a file has to offer.
struct Cases {
    trials: Vec<Trial>,
    not_ours: usize,
}

/// A test of every case of a file that can be put to us.
fn cases<C: Case>(file: &'static str) -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/vectors/{file}.json"));
    let cases: Vec<C> = vectors::read(&path);
    let total = cases.len();
    let trials: Vec<Trial> = cases
        .into_iter()
        .enumerate()
        .filter(|(_, case)| case.is_ours())
        .map(|(index, case)| {
            let name = format!("{file}::{index:04}_{}", case.kind());
            Trial::test(name, move || case.check(file, index))
        })
        .collect();
    Cases {
        not_ours: total - trials.len(),
        trials,
    }
}

trait Case: DeserializeOwned + Send + 'static {
    fn kind(&self) -> &str;
    /// Whether nothing in it cuts a surrogate pair.
    fn is_ours(&self) -> bool;
    fn check(&self, file: &'static str, index: usize) -> Result<(), Failed>;
}

/// `trimmed` gives the reference's replacement.
#[derive(Deserialize)]
struct Normalize {
    kind: String,
    text: Utf16String,
    #[serde(flatten)]
    change: ReferenceChange,
    out: ReferenceChange,
}

impl Case for Normalize {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn is_ours(&self) -> bool {
        let changes = [&self.change, &self.out];
        !changes.iter().any(|change| change.cuts(&self.text))
    }

    fn check(&self, _: &'static str, _: usize) -> Result<(), Failed> {
        let text = text_of(&self.text)?;
        if self.kind == "outOfRange" {
            return expect_past_end(&text, &self.change);
        }
        let edit = Edit::from(self.change.in_text(&text).ok_or("does not fit")?);
        let out = Edit::from(self.out.in_text(&text).ok_or("the answer does not fit")?);
        let expected = if out.is_nothing() { Edit::empty() } else { out };
        let trimmed = edit.trimmed(&text)?;
        expect(
            trimmed == expected,
            format_args!("{trimmed}, not {expected}"),
        )?;
        expect(
            trimmed.apply(&text)? == edit.apply(&text)?,
            format_args!("{trimmed} leads elsewhere than {edit}"),
        )
    }
}

/// `rebased_over` gives the reference's edit, or a conflict where it has one; each replacement by
/// itself is dropped exactly where the reference drops it. There is no text in these cases, so every
/// code unit stands for one byte.
#[derive(Deserialize)]
struct Rebase {
    kind: String,
    ours: Vec<ReferenceChange>,
    base: Vec<ReferenceChange>,
    out: Option<Vec<ReferenceChange>>,
    #[serde(rename = "outSkip")]
    out_skip: Vec<ReferenceChange>,
}

impl Case for Rebase {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn check(&self, _: &'static str, _: usize) -> Result<(), Failed> {
        let (ours, base) = (edit_in_ascii(&self.ours), edit_in_ascii(&self.base));
        let rebased = ours.rebased_over(&base);
        let expected = self.out.as_deref().map(edit_in_ascii);
        expect(
            rebased == expected,
            format_args!("{rebased:?}, not {expected:?}"),
        )?;

        let each = ours.replacements().iter().cloned().map(Edit::from);
        let kept: Vec<_> = each.filter_map(|one| one.rebased_over(&base)).collect();
        let expected = edit_in_ascii(&self.out_skip);
        let kept = kept.iter().flat_map(Edit::replacements);
        expect(
            kept.clone().eq(expected.replacements()),
            format_args!("kept {:?}, not {expected}", kept.collect::<Vec<_>>()),
        )
    }
}

/// `compose` gives the reference's edit, and it leads to the same text as one edit after the other.
#[derive(Deserialize)]
struct Compose {
    kind: String,
    text: Utf16String,
    a: Vec<ReferenceChange>,
    b: Vec<ReferenceChange>,
    out: Vec<ReferenceChange>,
    result: Utf16String,
}

impl Case for Compose {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn check(&self, _: &'static str, _: usize) -> Result<(), Failed> {
        let text = text_of(&self.text)?;
        let a = edit_in_text(&self.a, &text).ok_or("a does not fit")?;
        let between = a.apply(&text)?;
        let b = edit_in_text(&self.b, &between).ok_or("b does not fit")?;
        let out = edit_in_text(&self.out, &text).ok_or("the answer does not fit")?;
        let result = text_of(&self.result)?;
        let composed = a.compose(&b)?;
        expect(composed == out, format_args!("{composed}, not {out}"))?;
        expect(
            composed.apply(&text)? == result,
            "composed, leads elsewhere",
        )?;
        expect(
            b.apply(&between)? == result,
            "one after the other, leads elsewhere",
        )
    }
}

/// Where the reference carries a suggestion and is right, `carried_over` carries it to the same
/// text. Whatever ours carries leads to the suggestion's own text or, if lenient, is the plain
/// rebase.
#[derive(Deserialize)]
struct Carry {
    kind: String,
    content: Utf16String,
    ours: Vec<ReferenceChange>,
    base: Vec<ReferenceChange>,
    #[serde(default)]
    out: Option<Vec<ReferenceChange>>,
    /// What the reference threw instead of an answer.
    error: Option<String>,
}

impl Case for Carry {
    fn kind(&self) -> &str {
        &self.kind
    }

    fn is_ours(&self) -> bool {
        let mut changes = self.ours.iter().chain(&self.base);
        !changes.any(|change| change.cuts(&self.content))
    }

    fn check(&self, file: &'static str, index: usize) -> Result<(), Failed> {
        let text = text_of(&self.content)?;
        let ours = edit_in_text(&self.ours, &text).ok_or("ours does not fit")?;
        if let Some(beyond) = self.base.iter().find(|base| base.pos > self.content.len()) {
            return expect_past_end(&text, beyond);
        }
        let base = edit_in_text(&self.base, &text).ok_or("the base does not fit")?;
        let after = base.apply(&text)?;
        let target = ours.apply(&text)?;
        let plain =
            [&base, &base.trimmed(&text)?].map(|base| ours.rebased_over(base)?.apply(&after).ok());
        let (agreement, elsewhere) = match file {
            "tryrebase_strict" => (CarryAgreement::Strict, ChangeElsewhere::Ends),
            _ => (CarryAgreement::Lenient, ChangeElsewhere::Moves),
        };
        let carried = match ours.carried_over(&text, &base, agreement, elsewhere)? {
            Some(carried) => Some(carried.apply(&after)?),
            None => None,
        };
        let is_right = |result: &Text| {
            let moved_only = plain.iter().flatten().any(|plain| plain == result);
            *result == target || (elsewhere == ChangeElsewhere::Moves && moved_only)
        };
        if let Some(carried) = &carried {
            expect(is_right(carried), format_args!("carried to {carried}"))?;
        }

        let theirs = match &self.out {
            Some(out) => {
                let out = edit_in_text(out, &after).ok_or("the answer does not fit")?;
                Some(out.apply(&after)?)
            }
            None => None,
        };
        let wrong = REFERENCE_IS_WRONG
            .iter()
            .find(|(f, i, _)| (*f, *i) == (file, index));
        match (theirs, wrong) {
            (Some(theirs), None) => expect(
                carried.as_ref() == Some(&theirs),
                format_args!("{carried:?}, not {theirs}"),
            ),
            // It undoes what the person did, which leads to the text of a suggestion of nothing.
            (Some(theirs), Some((.., REVIVES))) => expect(
                theirs != after && target == text,
                "listed, but revives nothing",
            ),
            (Some(theirs), Some((.., reason))) => expect(
                !is_right(&theirs),
                format_args!("listed ({reason}), but is right"),
            ),
            (None, Some((.., reason))) => expect(
                *reason == THROWS && self.error.is_some(),
                format_args!("listed ({reason}), but does not throw"),
            ),
            (None, None) => expect(self.error.is_none(), "throws, but is not listed"),
        }
    }
}

/// The reference does not mind a range that ends after the text; for us it is an error that says so.
fn expect_past_end(text: &Text, change: &ReferenceChange) -> Result<(), Failed> {
    let end = change.pos + change.len;
    let error = text.byte_of(Utf16Offset::new(end));
    let says_so = matches!(error, Err(OffsetError::PastEnd { asked, .. }) if asked == end);
    expect(says_so, format_args!("{error:?}"))
}

fn text_of(string: &Utf16String) -> Result<Text, Failed> {
    let string = string.to_text().ok_or("a surrogate pair is cut")?;
    Ok(Text::from(string.as_str()))
}

fn expect(holds: bool, otherwise: impl ToString) -> Result<(), Failed> {
    if holds {
        Ok(())
    } else {
        Err(Failed::from(otherwise.to_string()))
    }
}
