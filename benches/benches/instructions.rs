//! Whether costs grow with the document, counted in instructions.
//!
//! `cargo bench --bench instructions`. Times are noise on a busy machine; instruction counts under
//! callgrind repeat to the last digit. The program starts itself under valgrind once per operation
//! and size, counts what happens inside one function, and compares sizes: a cost that should not
//! grow with the document may at most double from 50 KB to 5 MB, and one that should not depend on
//! it at all must not move. It ends with status 1 if one does, so that it can gate a change. A
//! benchmark library would compare with yesterday's numbers; what is asked here is a ratio between
//! two numbers of today.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::panic,
    reason = "a benchmark prints its table, or stops where it has nothing to print"
)]

use std::hint::black_box;
use std::process::{Command, ExitCode};

use foretell_benches::documents::{SIZES, document, places};
use foretell_benches::machine::{
    Everything, NOW, changed, document_id, drain, requested, selected, suggestions, with_rejected,
    with_typing,
};
use foretell_context::Redactor;
use foretell_core::{Core, Reason};
use foretell_settings::Millis;
use foretell_testkit::hostile_pieces::HOSTILE_PIECES;
use foretell_text::{
    ByteOffset, ByteRange, CarryAgreement, ChangeElsewhere, DocumentId, Edit, Position,
    PositionEncoding, Replacement, Text,
};

/// How often each operation is done, at places all over the document.
const TIMES: usize = 256;

/// How many lines have been asked about when moves of the cursor are counted.
const REMEMBERED: usize = 100;

/// Something that is counted.
struct Operation {
    name: &'static str,
    /// How many times as much it may cost on the largest document.
    allowed: f64,
    /// How many instructions it may take at most, where that is promised.
    most: u64,
    count: fn(&Subject),
}

const fn operation(name: &'static str, allowed: f64, count: fn(&Subject)) -> Operation {
    Operation {
        name,
        allowed,
        most: u64::MAX,
        count,
    }
}

/// Two microseconds, with room for a machine that does three instructions a nanosecond.
const REBASE: Operation = Operation {
    most: 24_000,
    ..operation("rebase 400 over one character", 1.01, rebase)
};

const OPERATIONS: [Operation; 21] = [
    operation("apply a typed character", 2.0, apply),
    operation("UTF-16 line/column to byte", 2.0, position_to_byte),
    operation("byte to UTF-16 line/column", 2.0, byte_to_position),
    operation("trimmed, one line rewritten", 2.0, trimmed),
    operation("effect, one line rewritten", 2.0, effect_of_rewritten_line),
    operation("effect, one line inserted", 2.0, effect_of_inserted_line),
    operation("carry over a typed character", 2.0, carry),
    REBASE,
    operation("a key with 400 rejections", 2.0, key_with_rejections),
    operation("is_rejected of 400, hit", 2.0, is_rejected_hit),
    operation("is_rejected of 400, other form", 2.0, is_rejected_otherwise),
    operation("is_rejected of 400, miss", 2.0, is_rejected_miss),
    operation("a move that stays quiet", 2.0, quiet_move),
    operation("a move that asks", 2.0, asking_move),
    operation("a request the gate stops", 2.0, gated_request),
    operation("typed with everything on", 2.0, typed_with_everything),
    operation("carried answer", 2.0, carried_answer),
    operation("clone", 1.01, clone),
    operation("equal, same revision", 1.01, equal_same_revision),
    operation("equal, other length", 1.5, equal_other_length),
    // A hundred times the text may take twice a hundred times as long, and not ten thousand times.
    operation("redact what is slow to read", 200.0, redact_hostile),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, operation, size] = &arguments[..]
        && flag == "--count"
    {
        let operation: usize = operation.parse().expect("an index into OPERATIONS");
        let size = size.parse().expect("a number of bytes");
        (OPERATIONS[operation].count)(&Subject::new(size));
        return ExitCode::SUCCESS;
    }
    if !foretell_benches::is_wanted() {
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("instructions: valgrind is not installed, so nothing was counted");
        return ExitCode::SUCCESS;
    }
    compare_sizes()
}

fn compare_sizes() -> ExitCode {
    print!("{:<30}", "instructions per operation");
    for (name, _) in SIZES {
        print!(" {name:>10}");
    }
    println!(" {:>8} {:>8}", "growth", "allowed");
    let mut too_much = 0;
    for (
        index,
        Operation {
            name,
            allowed,
            most,
            ..
        },
    ) in OPERATIONS.into_iter().enumerate()
    {
        let counts = SIZES.map(|(_, size)| instructions(index, size));
        let growth = counts[2] as f64 / counts[0] as f64;
        print!("{name:<30}");
        for count in counts {
            print!(" {:>10}", count / TIMES as u64);
        }
        let exceeds = growth > allowed || counts[2] / TIMES as u64 > most;
        let verdict = if exceeds { "  TOO MUCH" } else { "" };
        println!(" {growth:>7.2}x {allowed:>7.2}x{verdict}");
        too_much += usize::from(exceeds);
    }
    if too_much > 0 {
        eprintln!("instructions: {too_much} operations cost more than they may");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Starts this program under callgrind and reads how many instructions were inside [`counted`].
fn instructions(operation: usize, size: usize) -> u64 {
    let program = std::env::current_exe().expect("a running program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*::counted")
        .arg(program)
        .args(["--count", &operation.to_string(), &size.to_string()])
        .output()
        .expect("valgrind was there a moment ago");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "what was counted failed: {said}");
    said.lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .filter(|count| *count > 0)
        .unwrap_or_else(|| panic!("valgrind counted nothing: {said}"))
}

/// Everything that happens in here is counted.
#[inline(never)]
fn counted(mut operation: impl FnMut(usize)) {
    for time in 0..TIMES {
        operation(time);
    }
}

fn apply(subject: &Subject) {
    let edits = subject.edits(|place| Replacement::insertion(place, "x"));
    counted(|time| {
        black_box(edits[time].apply(&subject.text).expect("fits"));
    });
}

fn position_to_byte(subject: &Subject) {
    let text = &subject.text;
    let position = |place: &ByteOffset| {
        text.position_of(*place, PositionEncoding::Utf16)
            .expect("fits")
    };
    let positions: Vec<Position> = subject.places.iter().map(position).collect();
    counted(|time| {
        black_box(
            text.offset_at(positions[time], PositionEncoding::Utf16)
                .expect("fits"),
        );
    });
}

fn byte_to_position(subject: &Subject) {
    counted(|time| {
        let place = subject.places[time];
        black_box(
            subject
                .text
                .position_of(place, PositionEncoding::Utf16)
                .expect("fits"),
        );
    });
}

fn trimmed(subject: &Subject) {
    let edits = subject.edits(|place| subject.rewritten_line(place));
    counted(|time| {
        black_box(edits[time].trimmed(&subject.text).expect("fits"));
    });
}

fn effect_of_rewritten_line(subject: &Subject) {
    let edits = subject.edits(|place| subject.rewritten_line(place));
    counted(|time| {
        black_box(edits[time].effect(&subject.text).expect("fits"));
    });
}

fn effect_of_inserted_line(subject: &Subject) {
    let edits = subject.edits(|place| subject.inserted_line(place));
    counted(|time| {
        black_box(edits[time].effect(&subject.text).expect("fits"));
    });
}

fn carry(subject: &Subject) {
    let suggested = subject.edits(|place| Replacement::insertion(place, "xyz(value)"));
    let typed = subject.edits(|place| Replacement::insertion(place, "x"));
    counted(|time| {
        let ours = &suggested[time];
        let carried = ours.carried_over(
            &subject.text,
            &typed[time],
            CarryAgreement::Strict,
            ChangeElsewhere::Ends,
        );
        black_box(carried.expect("fits"));
    });
}

fn rebase(_: &Subject) {
    let mut stored: Vec<Edit> = (0..400)
        .map(|index| Edit::from(Replacement::insertion(ByteOffset::new(index * 100), "more")))
        .collect();
    let typed = Edit::from(Replacement::insertion(ByteOffset::new(20_050), "x"));
    counted(|_| {
        for edit in &mut stored {
            edit.rebase_over(&typed).expect("only moves");
        }
    });
}

/// A machine that holds the document and has 400 edits rejected in it.
fn with_rejections(subject: &Subject) -> (Core, DocumentId, Vec<Edit>) {
    let rejected = suggestions(&subject.text.to_string(), 400);
    let core = with_rejected(&subject.text, &rejected);
    (core, document_id(), rejected)
}

/// A key at the start of a line in the middle, deleted again.
fn key_with_rejections(subject: &Subject) {
    let (mut core, ..) = with_rejections(subject);
    let mut places = subject.places.clone();
    places.sort();
    let at = subject.line_at(places[TIMES / 2]).start();
    let after = ByteRange::new(at, ByteOffset::new(at.get() + 1)).expect("in order");
    let typed = Edit::from(Replacement::insertion(at, "x"));
    let deleted = Edit::from(Replacement::deletion(after));
    counted(|time| {
        let edit = if time % 2 == 0 { &typed } else { &deleted };
        core.handle(NOW, changed(edit));
        drain(&mut core);
    });
}

fn is_rejected_hit(subject: &Subject) {
    let (core, document, rejected) = with_rejections(subject);
    counted(|time| assert!(core.is_rejected(&document, &rejected[time]).is_some()));
}

/// The same suggestion with a character around it, which must be compared by effect.
fn is_rejected_otherwise(subject: &Subject) {
    let (core, document, rejected) = with_rejections(subject);
    let text = &subject.text;
    let otherwise: Vec<Edit> = rejected
        .iter()
        .map(|edit| {
            let place = edit.replacements()[0].range().start();
            let line = subject.line_at(place);
            let old = text.read(line).expect("fits");
            let (front, back) = old.split_at((place.get() - line.start().get()).min(old.len()));
            let new_text = edit.replacements()[0].new_text();
            Edit::from(Replacement::new(line, format!("{front}{new_text}{back}")))
        })
        .collect();
    counted(|time| {
        black_box(core.is_rejected(&document, &otherwise[time]));
    });
}

fn is_rejected_miss(subject: &Subject) {
    let (core, document, _) = with_rejections(subject);
    let others = subject.edits(|place| Replacement::insertion(place, "something_else();\n"));
    counted(|time| assert!(core.is_rejected(&document, &others[time]).is_none()));
}

/// A move to a line that was asked about a moment ago.
fn quiet_move(subject: &Subject) {
    let mut core = with_typing(&subject.text, |_| {});
    let places: Vec<ByteOffset> = subject.places.iter().copied().take(REMEMBERED).collect();
    for place in &places {
        core.handle(NOW, selected(*place));
    }
    drain(&mut core);
    counted(|time| {
        core.handle(NOW, selected(places[time % REMEMBERED]));
        drain(&mut core);
    });
    let quiet = core.counts().quiet;
    assert!(quiet[&Reason::SameLineCooldown] >= TIMES as u64, "quiet");
}

/// A move to a line that may be asked about again at once.
fn asking_move(subject: &Subject) {
    let mut core = with_typing(&subject.text, |settings| {
        settings.trigger.same_line_cooldown = Millis::ZERO;
        settings.trigger.selection_debounce = Millis::ZERO;
    });
    let places: Vec<ByteOffset> = subject.places.iter().copied().take(REMEMBERED).collect();
    for place in &places {
        core.handle(NOW, selected(*place));
    }
    drain(&mut core);
    counted(|time| {
        core.handle(NOW, selected(places[time % REMEMBERED]));
        drain(&mut core);
    });
    let asked: u64 = core.counts().triggers.values().sum();
    assert_eq!(asked, (TIMES + REMEMBERED) as u64, "every move asks");
}

/// A request at another place of the text that the last call was made for.
fn gated_request(subject: &Subject) {
    let mut core = with_typing(&subject.text, |settings| {
        settings.lanes.next_edit.enabled = false;
    });
    core.handle(NOW, requested(0, ByteOffset::ZERO));
    drain(&mut core);
    counted(|time| {
        core.handle(NOW, requested(time as u64 + 1, subject.places[time]));
        drain(&mut core);
    });
    assert_eq!(core.counts().gate_blocked, TIMES as u64, "every request");
}

/// A key on the way to eight candidates, in the middle of a session.
fn typed_with_everything(subject: &Subject) {
    let mut everything = Everything::new(&subject.text);
    let keys = everything.keys();
    counted(|time| everything.press(&keys[time % keys.len()]));
}

/// A request that is answered with what is left of what was shown.
fn carried_answer(subject: &Subject) {
    let mut everything = Everything::new(&subject.text);
    let keys = everything.keys();
    keys[..4].iter().for_each(|key| everything.press(key));
    counted(|_| everything.ask(4));
    let carried = everything.core.counts().carried;
    assert_eq!(carried, TIMES as u64, "every request");
}

fn clone(subject: &Subject) {
    counted(|_| drop(black_box(subject.text.clone())));
}

fn equal_same_revision(subject: &Subject) {
    let same = subject.text.clone();
    counted(|_| {
        black_box(black_box(&subject.text) == black_box(&same));
    });
}

fn equal_other_length(subject: &Subject) {
    let edit = Edit::from(Replacement::insertion(subject.places[0], "x"));
    let longer = edit.apply(&subject.text).expect("fits");
    counted(|_| {
        black_box(black_box(&subject.text) == black_box(&longer));
    });
}

/// Texts that grow with the document. A hundred times the length takes 39 times the instructions, since
/// a short text costs something too; one piece of all that took the square of its length would add
/// another hundred.
fn redact_hostile(subject: &Subject) {
    let length = subject.text.end().get() / 160;
    let text = |piece: &&str| piece.repeat(length / piece.len() + 1);
    let texts: Vec<String> = HOSTILE_PIECES.iter().map(text).collect();
    let redactor = Redactor::new();
    counted(|time| {
        let text = &texts[time % texts.len()];
        black_box(redactor.begin().redact(black_box(text)));
    });
}

/// A document and places in it.
struct Subject {
    text: Text,
    places: Vec<ByteOffset>,
}

impl Subject {
    fn new(size: usize) -> Self {
        let model = document(size);
        Subject {
            text: Text::from(model.as_str()),
            places: places(&model, TIMES),
        }
    }

    fn edits(&self, at: impl Fn(ByteOffset) -> Replacement) -> Vec<Edit> {
        self.places
            .iter()
            .map(|place| Edit::from(at(*place)))
            .collect()
    }

    fn line_at(&self, place: ByteOffset) -> ByteRange {
        let position = self
            .text
            .position_of(place, PositionEncoding::Utf8)
            .expect("fits");
        self.text.line(position.line).expect("there is such a line")
    }

    fn rewritten_line(&self, place: ByteOffset) -> Replacement {
        let range = self.line_at(place);
        let old = self.text.read(range).expect("fits");
        let (front, back) = old.split_at(old.find(' ').unwrap_or(0));
        Replacement::new(range, format!("{front}changed{back}"))
    }

    fn inserted_line(&self, place: ByteOffset) -> Replacement {
        Replacement::insertion(self.line_at(place).start(), "    one_more_line();\n")
    }
}
