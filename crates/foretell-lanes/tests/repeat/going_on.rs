//! Somebody who pauses in the middle of a word, so that the history has it in two entries, and is
//! offered the whole.

use foretell_text::ChangeReason;

use crate::story::Story;

const TEXT: &str = "const neat = 1;\nuse(neat);\nlog(neat);\n";

fn open() -> Story {
    Story::open("a.ts", TEXT)
}

/// The name was begun, and the person paused.
fn begun() -> Story {
    open().change("neat", "rounde")
}

/// Both other places, with a name.
fn others(name: &str) -> String {
    format!("2: use({name}); | 3: log({name});")
}

#[test]
fn the_last_letter_after_a_pause() {
    let story = begun();
    assert_eq!(story.next(), others("rounde"));
    assert_eq!(story.change("rounde‸", "d").next(), others("rounded"));
}

#[test]
fn several_pauses() {
    let story = open().change("neat", "ro").change("const ro‸", "und");
    let story = story.change("round‸", "e").change("rounde‸", "d");
    assert_eq!(story.next(), others("rounded"));
}

#[test]
fn a_pause_before_the_first_letter() {
    let story = open().change("neat", "").change("const ‸", "rounded");
    assert_eq!(story.next(), others("rounded"));
}

#[test]
fn letters_taken_off_after_a_pause() {
    let story = open().change("neat", "rounded").change("round‸ed", "");
    assert_eq!(story.next(), others("round"));
    let story = open().change("neat", "unrounded").change("un", "");
    assert_eq!(story.next(), others("rounded"));
}

#[test]
fn letters_in_the_middle_and_in_front() {
    let story = open().change("neat", "roued").change("rou‸", "nd");
    assert_eq!(story.next(), others("rounded"));
    let story = open().change("neat", "ounded").change("const ‸", "r");
    assert_eq!(story.next(), others("rounded"));
}

#[test]
fn a_part_of_the_word_that_was_there_before() {
    let story = open().change("ne‸a", "").change("net‸", "ty");
    assert_eq!(story.next(), others("netty"));
}

#[test]
fn letters_of_more_than_one_byte() {
    let story = open().change("neat", "größ").change("größ‸", "e");
    assert_eq!(story.next(), others("größe"));
}

#[test]
fn another_name_after_all() {
    let story = open().change("neat", "rounded").change("rounded", "tidy");
    assert_eq!(story.next(), others("tidy"));
}

#[test]
fn what_was_done_elsewhere_in_between_does_not_matter() {
    let text = format!("{TEXT}\n\nend();\n");
    let story = Story::open("a.ts", &text).change("neat", "rounde");
    let story = story.change("end(‸", "1").change("rounde‸", "d");
    assert_eq!(story.next(), others("rounded"));
}

#[test]
fn who_took_a_place_before_the_name_was_whole_is_offered_that_first() {
    let story = begun().change("neat", "rounde");
    let story = story.change("const rounde‸", "d");
    assert_eq!(story.next(), "2: use(rounded);");
    let story = story.change("use(rounde‸", "d");
    assert_eq!(story.next(), "3: log(rounded);");
}

#[test]
fn taking_one_place_leaves_the_next() {
    let story = begun().change("rounde‸", "d").change("neat", "rounded");
    assert_eq!(story.next(), "3: log(rounded);");
}

#[test]
fn nobody_goes_on_with_what_a_formatter_did() {
    let other = ChangeReason::Other;
    let story = open().change_as(other, 0, "neat", "rounde");
    assert_eq!(story.change("rounde‸", "d").next(), "nothing");
    let story = begun().change_as(other, 0, "log", "log ");
    assert_eq!(story.change("rounde‸", "d").next(), "nothing");
}

#[test]
fn what_was_brought_back_is_no_whole() {
    let story = begun().change("rounde", "neat");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn the_next_word_is_another_change() {
    let story = begun().change("rounde‸", ": number");
    assert_eq!(story.next(), others("rounde"));
}

#[test]
fn two_removals_could_have_been_made_in_either_order() {
    let story = open().change("ne‸at", "").change("ne", "tidy");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn more_than_a_line_is_not_joined() {
    let story = open().change("neat = 1;\nuse", "rounde = 1;\ntry");
    assert_eq!(story.change("rounde‸", "d").next(), "nothing");
}

#[test]
fn what_was_refused_counts_if_it_was_the_whole() {
    let refused = |name| begun().change("rounde‸", "d").refuse("neat", name);
    assert_eq!(refused("rounde").next(), others("rounded"));
    assert_eq!(refused("rounded").next(), "nothing");
}

#[test]
fn a_copied_line_is_no_rename() {
    let text = "let bead_time;\nlet bead_time;\nshow(bead_time);\n";
    let story = Story::open("a.ts", text).change_last("let ‸bead_time", "paus");
    assert_eq!(story.change("paus‸", "ed").next(), "nothing");
}

#[test]
fn a_name_of_which_no_declaration_is_known_is_left_alone() {
    let text = "window.on(1);\nwindow.off(1);\n";
    let story = Story::open("a.ts", text).change("window", "docume");
    assert_eq!(story.change("docume‸", "nt").next(), "nothing");
}

#[test]
fn whatever_declares_it() {
    for (name, head) in [
        ("a.py", "def f(neat):"),
        ("a.py", "def f():\n    neat = 1"),
        ("a.ts", "function f(neat) {"),
        ("a.rs", "fn f(neat: u8) {"),
        ("a.rs", "fn neat() {"),
    ] {
        let text = format!("{head}\n    use(neat)\n");
        let story = Story::open(name, &text).change("neat", "rounde");
        let offered = story.change("rounde‸", "d").next();
        assert!(offered.ends_with(": use(rounded)"), "{head}: {offered}");
    }
}

#[test]
fn a_mark_behind_what_is_left_of_a_word_is_another_change() {
    let text = "const neatx = 1;\nuse(neatx);\n";
    let story = Story::open("a.ts", text).change("neat‸x", "");
    assert_eq!(story.next(), "2: use(neat);");
    assert_eq!(story.change("neat‸", ": number").next(), "2: use(neat);");
}
