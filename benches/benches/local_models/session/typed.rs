//! 22 lines typed into a file of 700, in its middle or near its end: made up, the same in every run.
//!
//! The person types at an ordinary speed, a little slower between words, and rests for some seconds at the
//! beginning of each line and here and there within one: 35 times for more than a second. The editor
//! indents new lines by itself. The file has as many characters to a line and to a token as Rust code
//! usually has; how much stands behind the cursor is what the two places differ in. Nothing is deleted or accepted, and the cursor never goes anywhere else, so
//! that what a client reads anew it has to blame on itself.

use std::time::Duration;

use foretell_text::{ByteOffset, Edit, Replacement};

use super::{OpenedDocument, Session, Step, StepKind, TypedChange};

const PATH: &str = "src/ledger.rs";
const LINES: usize = 700;
const PAUSES: usize = 35;

/// What is typed, and where somebody thinks before going on: at every `·`.
const TYPED: [&str; 22] = [
    "pub fn settle(&mut self, day: Day) -> ·Result<Settled, LedgerError> {",
    "    let mut settled = Settled::default();",
    "    let due = self.entries.·iter().filter(|it| it.is_due(day));",
    "    let due: Vec<EntryId> = ·due.map(|it| it.id).collect();",
    "    for id in due {",
    "        let entry = self.entry(id)·?;",
    "        let rate = self.rates.on(day)·.ok_or(LedgerError::NoRate)?;",
    "        let amount = entry.amount.·scaled(rate);",
    "        if ·amount.is_zero() {",
    "            settled.skipped += 1;",
    "            continue;",
    "        }",
    "        let account = ·self.accounts.get_mut(&entry.account);",
    "        match account {",
    "            Some(account) => ·account.book(amount, day),",
    "            None => return Err(·LedgerError::NoAccount(id)),",
    "        }",
    "        settled.total ·+= amount;",
    "        settled.booked.push(·id);",
    "    }",
    "    self.last_settled = ·Some(day);",
    "    Ok(settled)",
];

/// Where in the file is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedPlace {
    Middle,
    /// Where little is left to read behind the cursor.
    NearEnd,
}

impl TypedPlace {
    /// How many lines are before it, at least.
    fn lines_before(self) -> usize {
        match self {
            TypedPlace::Middle => LINES / 2,
            TypedPlace::NearEnd => LINES - 30,
        }
    }

    fn session_name(self) -> &'static str {
        match self {
            TypedPlace::Middle => "typed",
            TypedPlace::NearEnd => "typed-end",
        }
    }
}

/// The session.
pub(crate) fn session(place: TypedPlace) -> Session {
    let (text, at) = file(place);
    let mut keys = Keys::new(at);
    for (number, line) in TYPED.iter().enumerate() {
        let is_indented_by_editor = number > 0;
        let code = line.trim_start();
        let indent = line.len() - code.len() + 4;
        let break_before = match is_indented_by_editor {
            true => format!("\n{}", " ".repeat(indent)),
            false => " ".repeat(indent),
        };
        keys.press(&break_before);
        if number > 0 {
            keys.rest();
        }
        for key in code.chars() {
            match key {
                '·' => keys.rest(),
                _ => keys.press(&key.to_string()),
            }
        }
    }
    let end = keys.now + Duration::from_secs(3);
    let mut steps = vec![Step {
        at: Duration::ZERO,
        what: StepKind::Open(OpenedDocument {
            path: PATH.to_owned(),
            language: "rust".to_owned(),
            text,
        }),
    }];
    steps.append(&mut keys.steps);
    let session = Session {
        name: place.session_name(),
        steps,
        end,
    };
    assert_eq!(session.pauses(), PAUSES, "as many as are told of");
    session
}

/// Somebody at a keyboard.
struct Keys {
    now: Duration,
    at: usize,
    chance: Chance,
    steps: Vec<Step>,
}

impl Keys {
    fn new(at: usize) -> Self {
        Keys {
            // Time to look at the file.
            now: Duration::from_secs(2),
            at,
            chance: Chance(7),
            steps: Vec::new(),
        }
    }

    fn press(&mut self, text: &str) {
        let is_word = text.chars().all(|key| key.is_alphanumeric() || key == '_');
        let slower = if is_word { 0 } else { 60 };
        let after = self.chance.between(70, 190) + slower;
        self.now += Duration::from_millis(after);
        let typed = Replacement::insertion(ByteOffset::new(self.at), text);
        self.at += text.len();
        self.steps.push(Step {
            at: self.now,
            what: StepKind::Type(TypedChange {
                path: PATH.to_owned(),
                edits: vec![Edit::from(typed)],
                cursor: self.at,
            }),
        });
    }

    /// Most pauses are short, and one in four is for thinking.
    fn rest(&mut self) {
        let pause = match self.chance.between(1, 4) {
            1 => self.chance.between(3200, 7000),
            _ => self.chance.between(1100, 3200),
        };
        self.now += Duration::from_millis(pause);
    }
}

/// The file, and where in it is typed: an empty line between two functions.
fn file(place: TypedPlace) -> (String, usize) {
    let mut text = String::from(HEAD);
    let mut chance = Chance(3);
    let mut at = 0;
    let mut number = 0;
    while text.lines().count() < LINES - 10 {
        if at == 0 && text.lines().count() >= place.lines_before() {
            at = text.len();
            text.push('\n');
        }
        text.push_str(&function(number, &mut chance));
        number += 1;
    }
    text.push_str("}\n");
    while text.lines().count() < LINES {
        text.push_str("// The end of the ledger.\n");
    }
    assert_eq!(text.lines().count(), LINES, "as long as is told of");
    (text, at)
}

const HEAD: &str = "//! The ledger: what was booked when, and on which account.\n\n\
use std::collections::BTreeMap;\n\n\
use crate::account::{Account, AccountId};\n\
use crate::amount::{Amount, Rate};\n\
use crate::day::Day;\n\
use crate::error::LedgerError;\n\n\
/// All entries, in the order in which they were booked.\n\
pub struct Ledger {\n    entries: Vec<Entry>,\n    accounts: BTreeMap<AccountId, Account>,\n    \
rates: Rates,\n    last_settled: Option<Day>,\n}\n\nimpl Ledger {\n";

const THINGS: [&str; 12] = [
    "invoice", "refund", "deposit", "transfer", "interest", "fee", "payment", "balance", "tax",
    "discount", "salary", "loan",
];
const DEEDS: [&str; 8] = [
    "book", "cancel", "round", "split", "carry", "close", "check", "report",
];
const STEPS: [&str; 10] = [
    "        let days = day.since(entry.booked_on).max(1);\n",
    "        let amount = entry.amount.scaled(self.rates.usual());\n",
    "        if amount.is_negative() {\n            return Err(LedgerError::Negative(entry.id));\n        }\n",
    "        let account = self.accounts.get(&entry.account).ok_or(LedgerError::NoAccount(entry.id))?;\n",
    "        // Cents are rounded to even, as the bank does it.\n        let amount = amount.rounded();\n",
    "        for other in self.entries.iter().filter(|it| it.account == entry.account) {\n            total += other.amount;\n        }\n",
    "        let label = format!(\"{}: {amount} on {day}\", account.name);\n",
    "        total += amount * days;\n",
    "        if self.last_settled.is_some_and(|settled| settled >= day) {\n            return Ok(Amount::ZERO);\n        }\n",
    "        tracing::debug!(%total, \"counted\");\n",
];

/// A function like the others.
fn function(number: usize, chance: &mut Chance) -> String {
    let deed = DEEDS[number % DEEDS.len()];
    let thing = THINGS[(number / DEEDS.len() + number) % THINGS.len()];
    let mut text = format!(
        "    /// What it takes to {deed} the {thing}, in cents.\n    \
         pub fn {deed}_{thing}(&mut self, entry: &Entry, day: Day) -> Result<Amount, LedgerError> {{\n        \
         let mut total = Amount::ZERO;\n"
    );
    for _ in 0..chance.between(2, 5) {
        text.push_str(STEPS[chance.between(0, STEPS.len() as u64 - 1) as usize]);
    }
    text.push_str("        Ok(total)\n    }\n\n");
    text
}

/// Numbers that look random and are always the same.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// One of the numbers from the first to the last.
    pub(crate) fn between(&mut self, first: u64, last: u64) -> u64 {
        // Knuth's generator for MMIX; its high bits are the good ones.
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        first + (self.0 >> 33) % (last - first + 1)
    }
}
