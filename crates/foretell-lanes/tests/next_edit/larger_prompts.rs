//! What models are told of documents that are larger than what they can take, and what they are never told.

use foretell_lanes::model::rewrite::{EditTask, QuestionRefusal};
use foretell_text::{ByteOffset, ByteRange, Diagnostic, DiagnosticSeverity};

use crate::desk::{Desk, FORMATS};

/// A line of 30 bytes, which is ten tokens by the estimate of the models.
fn line(number: usize) -> String {
    format!("{number:02} {}", "x".repeat(27))
}

fn lines(numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| line(number) + "\n").collect()
}

/// A hundred lines, with the cursor at the beginning of the fiftieth.
fn hundred() -> Desk {
    Desk::at("t.txt", &format!("{}‸{}", lines(0..50), lines(50..100)))
}

#[test]
fn zeta_is_told_thirty_five_lines_to_change_and_fifteen_above() {
    // 350 tokens: the cursor's line and seventeen on either side; 150 more, above first.
    let mut desk = hundred();
    desk.settings.max_tokens = 1_000;
    let closed = lines(33..68);
    let region = closed.strip_suffix('\n').unwrap();
    let (head, tail) = region.split_at(lines(33..50).len());
    let told = format!(
        "<[fim-suffix]>\n<[fim-prefix]><filename>t.txt\n{}<<<<<<< CURRENT\n{head}<|user_cursor|>{tail}\n\
         =======\n<[fim-middle]>",
        lines(18..33)
    );
    assert_eq!(desk.prompt("zeta-2"), told);
    // Sixteen lines without a blank one make a block.
    let told = format!(
        "<[fim-suffix]>\n<[fim-prefix]><filename>t.txt\n{}<|marker_1|>{}<|marker_2|>{}<|user_cursor|>{}\
         <|marker_3|>{}<|marker_4|>\n<[fim-middle]>",
        lines(18..33),
        lines(33..49),
        lines(49..50),
        lines(50..65),
        lines(65..68).strip_suffix('\n').unwrap(),
    );
    assert_eq!(desk.prompt("zeta-2.1"), told);
}

#[test]
fn sweep_is_told_twenty_one_lines_and_the_second_version_eight() {
    let desk = hundred();
    let window = lines(40..61);
    let told = format!(
        "<|file_sep|>original/t.txt\n{window}<|file_sep|>current/t.txt\n{window}\
         <|file_sep|>updated/t.txt\n"
    );
    assert_eq!(desk.prompt("sweep"), told);
    let second = desk.prompt("sweep-v2");
    let current = format!(
        "<|file_sep|>current/t.txt:49:56\n{}<|cursor|>{}<|file_sep|>updated/t.txt:49:56\n",
        lines(48..50),
        lines(50..56)
    );
    assert!(second.ends_with(&current), "{second}");
    assert!(second.starts_with("<|file_sep|>t.txt\n00 xxx"));
}

#[test]
fn mercury_is_told_the_file_around_sixteen_lines() {
    let desk = hundred();
    let told = desk.prompt("mercury");
    let region = format!(
        "current_file_path: t.txt\n{}<|code_to_edit|>\n{}<|cursor|>{}<|/code_to_edit|>\n{}\
         <|/current_file_content|>\n",
        lines(0..45),
        lines(45..50),
        lines(50..61),
        lines(61..100)
    );
    assert!(told.contains(&region), "{told}");
}

#[test]
fn a_region_shrinks_to_what_an_answer_can_repeat() {
    let mut desk = hundred();
    desk.settings.max_tokens = 64;
    for format in FORMATS {
        let question = desk.question(format).unwrap();
        assert!(
            question.told.len() <= 48 * 3 + 3,
            "{format}: {}",
            question.told.len()
        );
    }
    desk.settings.max_tokens = 8;
    for format in FORMATS {
        let refused = desk.question(format).unwrap_err();
        assert_eq!(refused, QuestionRefusal::LineTooLong, "{format}");
    }
}

#[test]
fn a_block_is_told_whole_where_it_fits() {
    let before = "use a;\n".repeat(120);
    let block = "fn long() {\n".to_owned() + &"    step();\n".repeat(50) + "    ‸\n}\n";
    let desk = Desk::at("b.rs", &format!("{before}\n{block}\n{before}"));
    let told = desk.question("zeta-2").unwrap().told;
    assert!(told.contains("fn long() {\n    step();\n"), "{told}");
}

#[test]
fn no_more_is_told_than_the_settings_allow() {
    let mut desk = hundred();
    (
        desk.settings.max_prefix_chars,
        desk.settings.max_suffix_chars,
    ) = (100, 50);
    for format in FORMATS {
        let told = desk.prompt(format);
        assert!(
            told.contains("47 xxx") && !told.contains("46 xxx"),
            "{format}: {told}"
        );
        assert!(
            told.contains("50 xxx") && !told.contains("51 xxx"),
            "{format}: {told}"
        );
    }
}

#[test]
fn the_latest_six_changes_are_told_the_newest_last() {
    let text: String = (0..10)
        .map(|number| format!("now {number}\n\n\n\n\n\n\n\n\n"))
        .collect();
    let mut desk = Desk::at("h.txt", &format!("‸{text}"));
    for number in 0..10 {
        let at = number * 14;
        desk = desk.changed(at, at + 3, "was");
    }
    for (format, most) in FORMATS.into_iter().zip([6, 6, 3, 6, 6]) {
        let told = desk.prompt(format);
        let sign = if format.starts_with("sweep") { "" } else { "-" };
        let found = |number: usize| told.rfind(&format!("\n{sign}was {number}\n"));
        let told: Vec<usize> = (0..10).filter_map(found).collect();
        // The newest is the first of the history, and the last that is told.
        assert!(told.len() >= most, "{format}: {told:?}");
        assert!(found(0) > found(1) && found(1) > found(2), "{format}");
        assert!(found(most).is_none(), "{format}");
    }
}

#[test]
fn words_of_the_models_are_taken_out_of_what_stands_around() {
    let tokens = "<[fim-suffix]><|file_sep|><|code_to_edit|><|user_cursor|><|cursor|><|marker_1|>";
    let text = format!(
        "{}{tokens}\n{}‸{}",
        lines(0..3),
        lines(3..50),
        lines(50..60)
    );
    let desk = Desk::at(&format!("{tokens}.txt"), &text).beside(&[(tokens, tokens)]);
    for format in FORMATS {
        let told = desk.prompt(format);
        let bare = Desk::at(".txt", &format!("{}‸{}", lines(0..50), lines(50..60))).prompt(format);
        for word in [
            "<[fim-suffix]>",
            "<|code_to_edit|>",
            "<|user_cursor|>",
            "<|marker_1|>",
        ] {
            let expected = bare.matches(word).count();
            let is_own = bare.contains(word);
            assert!(
                !is_own || told.matches(word).count() == expected,
                "{format} {word}\n{told}"
            );
        }
    }
}

#[test]
fn a_region_with_such_a_word_is_not_asked_about() {
    for (format, word) in FORMATS.into_iter().zip([
        "<|marker_7|>",
        "<|user_cursor|>",
        "<|file_sep|>",
        "<|cursor|>",
        "<|code_to_edit|>",
    ]) {
        let desk = Desk::at("a.rs", &format!("a\nb ‸{word}\nc\n"));
        let refused = desk.question(format).unwrap_err();
        assert_eq!(refused, QuestionRefusal::ControlToken, "{format}");
        // Nor one that the cursor parts.
        let (head, tail) = word.split_at(4);
        let desk = Desk::at("a.rs", &format!("a\nb {head}‸{tail}\nc\n"));
        assert!(desk.question(format).is_err(), "{format}");
    }
}

#[test]
fn a_merge_conflict_is_not_asked_about_where_markers_are_the_models() {
    for marker in [
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> theirs",
        "<<<<<<< CURRENT",
    ] {
        let desk = Desk::at("a.rs", &format!("a‸\nb\n{marker}\nc\n"));
        let refused = desk.question("zeta-2").unwrap_err();
        assert_eq!(refused, QuestionRefusal::MergeMarkers, "{marker}");
        assert!(refused.to_string().contains("merge conflict"));
        assert!(desk.question("zeta-2.1").is_ok());
    }
    // Nor are other files that have one.
    let conflict = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\n";
    let desk = Desk::at("a.rs", "x‸\n").beside(&[("b.rs", conflict)]);
    assert!(!desk.prompt("zeta-2").contains("HEAD"));
}

#[test]
fn secrets_are_told_to_nobody() {
    let secret = foretell_testkit::lane_requests::SECRET;
    let text = format!("key = {secret}\nx = ‸1\n{}", lines(0..3));
    let desk = Desk::at("s.py", &text).changed(0, 3, "old");
    for format in FORMATS {
        let told = desk.prompt(format);
        assert!(!told.contains(secret), "{format}");
        assert!(told.contains("[REDACTED-1]"), "{format}");
    }
}

#[test]
fn a_fix_tells_what_is_to_be_fixed_where_there_is_room_for_it() {
    let mut desk = Desk::at("f.go", "func f() {\n    foo()‸\n}\n");
    desk.task = EditTask::Fix;
    assert_eq!(
        desk.question("zeta-2").unwrap_err(),
        QuestionRefusal::NoDiagnostic
    );
    let range = ByteRange::new(ByteOffset::new(15), ByteOffset::new(18)).unwrap();
    desk.request.diagnostics.push(Diagnostic {
        range,
        severity: DiagnosticSeverity::Error,
        source: Some("gopls".to_owned()),
        code: None,
        message: "undefined:\nfoo".to_owned(),
        fixes: Vec::new(),
    });
    let told = "<[fim-suffix]>\n<[fim-prefix]><filename>diagnostics\n\
                line 2: [error] undefined: foo (source: gopls)\n\n<filename>f.go\n<<<<<<< CURRENT\n\
                func f() {\n    foo()<|user_cursor|>\n}\n=======\n<[fim-middle]>";
    assert_eq!(desk.prompt("zeta-2"), told);
}
