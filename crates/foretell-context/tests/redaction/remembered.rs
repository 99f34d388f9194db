//! A redactor that remembers the last texts finds what one finds that has never seen them, whatever was
//! changed in between.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use foretell_context::{LastScans, Redactor, ShareScans};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::secrets;

/// So much ordinary code that a text is worth remembering.
const CODE: &str = "    let total = items.iter().map(|it| it.price).sum(); // € 合計 🔑\n";
const LINES: usize = 40;

/// What decides about a secret far from it: the ends of blocks, signs of a diff, fences, names and quotes.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "\n", "\r\n", "\"", "'", "```\n", "\n~~~\n", "+", "-", " ", "=", ": ", "é", "🔑", "key", "token",
    "password = \"", "hunter2hunter2", "say hunter2hunter2\n", "(hunter2hunter2)", "[REDACTED-1]",
    "[REDACTED-", "-----BEGIN ", "-----END ", "learned7from2elsewhere", "\"passphrase\"",
    "kind: Secret\ndata:\n", "  pw: c2VjcmV0\n", "ghp_", "AKIA", "x",
];

#[derive(Debug, Default)]
struct SharedScans(Mutex<LastScans>);

impl ShareScans for SharedScans {
    fn lend(&self, borrow: &mut dyn FnMut(&mut LastScans)) {
        borrow(&mut self.0.lock().unwrap());
    }
}

#[derive(Clone, Debug)]
struct Change {
    from: Index,
    length: usize,
    piece: String,
}

fn change() -> impl Strategy<Value = Change> {
    let planted: Vec<String> = secrets::all()
        .into_iter()
        .map(|it| it.text + "\n")
        .collect();
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(str::to_owned),
        2 => prop::sample::select(planted),
        1 => Just(String::new()),
    ];
    let length = prop_oneof![4 => 0..8_usize, 1 => 0..400_usize];
    (any::<Index>(), length, piece).prop_map(|(from, length, piece)| Change {
        from,
        length,
        piece,
    })
}

fn floor(text: &str, at: usize) -> usize {
    let mut boundaries = (0..=at.min(text.len())).rev();
    boundaries.find(|at| text.is_char_boundary(*at)).unwrap()
}

/// Lines with secrets, close together.
fn planted() -> impl Strategy<Value = String> {
    let texts: Vec<String> = secrets::all().into_iter().map(|it| it.text).collect();
    let line = (
        prop::sample::select(texts),
        prop::sample::select(vec!["\n", " ", "\n\n"]),
    );
    let line = line.prop_map(|(text, end)| text + end);
    prop::collection::vec(line, 6..24).prop_map(|lines| lines.concat())
}

/// The change is made among the secrets, as somebody types, or anywhere.
fn changed(text: &str, change: &Change, is_near: bool) -> (String, usize) {
    let code = CODE.len() * LINES;
    let at = if is_near && text.len() > code * 2 {
        code + change.from.index(text.len() - code * 2)
    } else {
        change.from.index(text.len() + 1)
    };
    let from = floor(text, at);
    let to = floor(text, from + change.length).max(from);
    let new_text = [&text[..from], &*change.piece, &text[to..]].concat();
    (new_text, from + change.piece.len())
}

/// All that anybody learns of a text: what is told of a part, where its secrets are, what it says of others.
fn told(redactor: &Redactor, text: &str, part: Range<usize>) -> (String, String, String) {
    let mut redaction = redactor.begin();
    let known =
        redactor.learn("db_password = \"learned7from2elsewhere\"\npassphrase = \"passphrase\"\n");
    redaction.remember(known);
    let quoted = redaction.redact("hunter2hunter2").into_owned();
    let whole = redaction.redact_part(text, part);
    let mut other = redactor.begin();
    other.remember(redactor.learn(text));
    let message = other
        .redact("\"hunter2hunter2\" and aB3dE5fG7 in a message")
        .into_owned();
    let ranges = format!("{:?}", redactor.secrets(text));
    ([quoted, whole].concat(), message, ranges)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn what_is_remembered_of_a_text_changes_nothing(
        planted in planted(),
        changes in prop::collection::vec((change(), any::<bool>(), any::<bool>()), 1..16),
    ) {
        let fresh = Redactor::new();
        let remembering = fresh.remembering(Arc::new(SharedScans::default()));
        let mut text = [CODE.repeat(LINES), planted, CODE.repeat(LINES)].concat();
        for (change, is_near, is_taken_back) in &changes {
            let (new_text, at) = changed(&text, change, *is_near);
            let part = floor(&new_text, at.saturating_sub(900))..floor(&new_text, at + 700);
            let expected = told(&fresh, &new_text, part.clone());
            prop_assert_eq!(told(&remembering, &new_text, part), expected);
            if !is_taken_back {
                text = new_text;
            }
        }
    }
}

#[test]
fn a_redactor_that_has_let_its_texts_go_finds_the_same() {
    let memory = Arc::new(SharedScans::default());
    let remembering = Redactor::new().remembering(Arc::clone(&memory) as Arc<_>);
    let text = format!("{}password = \"hunter2hunter2\"\n", CODE.repeat(LINES * 2));
    let before = remembering.secrets(&text);
    assert_eq!(
        format!("{memory:?}"),
        "SharedScans(Mutex { data: LastScans(1), poisoned: false, .. })"
    );
    memory.lend(&mut LastScans::forget);
    assert_eq!(remembering.secrets(&text), before);
    assert_eq!(before.len(), 1);
    assert_eq!(format!("{remembering:?}"), "Redactor { .. }");
}
