//! Which changes are made again, at which places, and when nothing is said.

use foretell_lanes::embedded::repeat::predict;
use foretell_text::{ByteOffset, ChangeReason, Text};
use proptest::prelude::*;

use crate::story::Story;

const SUM: &str = "\
fn sum(items: &[u32]) -> u32 {
    let mut total = 0;
    for item in items {
        total += item;
    }
    log(total, total);
    total
}
";

#[test]
fn a_renamed_variable_is_renamed_at_its_next_use() {
    let story = Story::open("a.rs", SUM).change("mut ‸total", "amount");
    assert_eq!(story.next(), "4: amount += item;");
}

#[test]
fn all_uses_on_a_line_and_on_the_next_go_together() {
    let story = Story::open("a.rs", SUM).change("mut ‸total", "amount");
    let story = story.change("total +=", "amount +=");
    assert_eq!(story.next(), "6: log(amount, amount); | 7: amount");
}

#[test]
fn further_places_are_further_candidates() {
    let story = Story::open("a.rs", SUM).change("mut ‸total", "amount");
    let told: Vec<_> = story.candidates().iter().map(|it| story.tell(it)).collect();
    assert_eq!(
        told,
        ["4: amount += item;", "6: log(amount, amount); | 7: amount"]
    );
}

#[test]
fn uses_above_a_declaration_come_after_those_below() {
    let text = "fn main() {\n    helper();\n}\n\nfn helper() {\n    again();\n}\n\nfn again() {\n    helper();\n}\n";
    let story = Story::open("a.rs", text).change("fn ‸helper", "assist");
    assert_eq!(story.next(), "10: assist();");
    let story = story.change_last("helper", "assist");
    assert_eq!(story.next(), "2: assist();");
}

#[test]
fn somebody_who_works_upwards_is_offered_the_next_place_above() {
    let text = "one(first, key);\ntwo(second, key);\nthree(third, key);\nfour(fourth, key);\n";
    let story = Story::open("a.rs", text);
    let story = story.change_last("key", "name").change_last("key", "name");
    assert_eq!(story.next(), "2: two(second, name);");
}

#[test]
fn an_added_argument_follows_where_the_call_is_the_same() {
    let text =
        "let a = render(page, theme);\nshow(a);\nlet b = render(page, theme);\nrender(other);\n";
    let story = Story::open("a.ts", text).change("page, theme‸", ", locale");
    assert_eq!(story.next(), "3: let b = render(page, theme, locale);");
}

#[test]
fn a_number_is_changed_where_its_line_is_the_same() {
    let text = "retry(timeout, 30);\nwait(30);\nretry(timeout, 30);\n";
    let story = Story::open("a.ts", text).change("30", "60");
    assert_eq!(story.next(), "3: retry(timeout, 60);");
    let text = "retry(timeout, 30);\nretry(timeouts, 30);\n";
    assert_eq!(
        Story::open("a.ts", text).change("30", "60").next(),
        "nothing"
    );
}

#[test]
fn a_call_is_put_around_something_else_too() {
    let text = "fn a() {\n    return Ok(path);\n}\nfn b() {\n    return Ok(other.join(name));\n}\n";
    let story = Story::open("a.rs", text).change("path", "Some(path)");
    assert_eq!(story.next(), "5: return Ok(Some(other.join(name)));");
}

#[test]
fn a_call_is_taken_away_from_around_something_else_too() {
    let text = "#[cfg(all(unix, fast))]\nfn a() {}\n#[cfg(all(unix, not(slow)))]\nfn b() {}\n";
    let story = Story::open("a.rs", text).change("all(unix, fast)", "fast");
    assert_eq!(story.next(), "3: #[cfg(not(slow))]");
}

#[test]
fn a_line_is_put_between_the_same_two_lines_and_set_in_as_they_are() {
    let text = "run(\n    options.first,\n    options.last,\n);\nif slow {\n    run(\n        options.first,\n        options.last,\n    );\n}\n";
    let story = Story::open("a.rs", text).change("options.first,\n‸", "    options.middle,\n");
    let candidates = story.candidates();
    let edit = &candidates.first().unwrap().edit;
    let after = edit.apply(&story.documents[0].text).unwrap().to_string();
    assert_eq!(story.next(), "9: options.middle,");
    assert!(after.contains("\n        options.middle,\n        options.last"));
}

#[test]
fn a_line_that_was_removed_twice_is_removed_where_it_stands_again() {
    let text = "open(file);\nfile.sort_lines();\nshow(file);\nfile.sort_lines();\nclose(file);\nfile.sort_lines();\nsend(file);\n";
    let story = Story::open("a.rs", text).change("file.sort_lines();\n", "");
    // Of two lines that are the same, one may be enough.
    assert_eq!(story.next(), "nothing");
    let story = story.change("file.sort_lines();\n", "");
    assert_eq!(story.next(), "4: gone");
}

#[test]
fn what_is_long_and_was_removed_once_is_not_removed_again() {
    let text = "a = first(settings.primary_database_connection.retries, x)\nb = 1\na = first(settings.primary_database_connection.retries, x)\n";
    let long = "settings.primary_database_connection.retries, ";
    let story = Story::open("a.py", text).change(long, "");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_declaration_is_not_removed_and_a_remark_not_made_twice() {
    let text = "let now = clock.now();\na(now);\nlet now = clock.now();\nb(now);\n";
    let story = Story::open("a.rs", text).change("let now = clock.now();\n", "");
    assert_eq!(story.next(), "nothing");
    let text = "begin(first);\nfinish(first);\n\nbegin(first);\nfinish(first);\n";
    let story = Story::open("a.rs", text).change("(first);\n‸", "// Not yet sorted.\n");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn what_was_passed_and_left_alone_is_not_offered_further_on() {
    let text = "send(item);\nkeep(item);\nsend(other);\nkeep(item);\n";
    let story = Story::open("a.rs", text)
        .change("item", "entry")
        .change("other", "last");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn whoever_does_other_things_is_done_with_a_change() {
    let text = "use b::total;\none();\ntwo();\nthree();\nshow(total);\n";
    let story = Story::open("a.rs", text).change("total", "amount");
    let story = story.change("one()", "uno(1)").change("two()", "due(2)");
    assert_eq!(story.next(), "5: show(amount);");
    assert_eq!(story.change("three()", "tre(3)").next(), "nothing");
    // What breaks nothing is forgotten sooner.
    let text = "render(page, theme);\none();\ntwo();\nrender(page, theme);\n";
    let story = Story::open("a.rs", text).change("page, theme‸", ", locale");
    let story = story.change("one()", "uno(1)");
    assert_eq!(story.next(), "4: render(page, theme, locale);");
    assert_eq!(story.change("two()", "due(2)").next(), "nothing");
}

#[test]
fn a_word_of_prose_is_no_name() {
    let text = "The first answer is short.\nAnother answer is long.\n";
    let story = Story::open("a.txt", text).change("answer", "reply");
    assert_eq!(story.next(), "nothing");
    let text = "Call read_all first.\nThen read_all again.\n";
    let story = Story::open("a.txt", text).change("read_all", "read");
    assert_eq!(story.next(), "2: Then read again.");
}

#[test]
fn what_a_formatter_did_is_nobodys_wish() {
    let story = Story::open("a.rs", SUM);
    let story = story.change_as(ChangeReason::Other, 0, "total", "amount");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn what_was_refused_needs_to_be_done_twice() {
    let text = "let total = 0;\na(total);\nif x {}\nb(total);\nif y {}\nc(total);\n";
    let story = Story::open("a.rs", text).change("total", "amount");
    assert_eq!(story.next(), "2: a(amount);");
    let story = story.refuse("total", "amount");
    assert_eq!(story.next(), "nothing");
    assert_eq!(story.change("total", "amount").next(), "4: b(amount);");
}

#[test]
fn prose_is_not_changed_again_after_one_change() {
    let text = "This is the old way of doing it.\n\nWe like the old way of doing it.\n";
    let story = Story::open("a.md", text).change("the", "a");
    assert_eq!(story.next(), "nothing");
    let text = "+-----+-----+\n| one | two |\n+-----+-----+\n| one | two |\n+-----+-----+\n| one | two |\n+-----+-----+\n";
    let story = Story::open("a.md", text).change("+-----‸", "--");
    let story = story.change("two |\n+-----‸", "--");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn other_documents_come_last_in_the_order_of_their_names() {
    let story = Story::open("b.rs", "pub fn load_all() {}\nload_all();\n")
        .also("c.rs", "use b::load_all;\n")
        .also("a.rs", "b::load_all();\n");
    let story = story.change("load_all", "load");
    assert_eq!(story.next(), "2: load();");
    let story = story.change("load_all", "load");
    assert_eq!(story.next(), "c.rs 1: use b::load;");
}

#[test]
fn whoever_goes_to_another_document_is_offered_the_place_there() {
    let story = Story::open("b.rs", "pub struct Config {\n    pub file_name: u8,\n}\n");
    let story = story.also("a.rs", "fn f(c: Config) {\n    show(c.file_name);\n}\n");
    let story = story.change("file_name", "path").switch();
    assert_eq!(story.next(), "2: show(c.path);");
}

#[test]
fn a_line_that_is_not_finished_is_no_change() {
    let text = "check(a);\nfinish(a);\nrest();\ncheck(a);\nfinish(a);\n";
    let story = Story::open("a.py", text).change("check(a);\n‸", "if a.\n");
    assert_eq!(story.next(), "nothing");
    let text = "return await fetch(url)\nlog(url)\nreturn await fetch(url)\n";
    let story = Story::open("a.py", text).change(" fetch(url)", "");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn parts_of_a_line_are_not_made_without_each_other() {
    let text = "once(&first()).copied().collect();\n\nonce(&second()).cloned().collect();\n";
    let story = Story::open("a.rs", text);
    let story = story.change("&first()).copied()", "first())");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn line_ends_stay_as_they_are() {
    let text = "run(\r\n    first_thing,\r\n    last_thing,\r\n);\r\n  run(\r\n      first_thing,\r\n      last_thing,\r\n  );\r\n";
    let story = Story::open("a.rs", text).change("first_thing,\r\n‸", "    other_thing,\r\n");
    let candidates = story.candidates();
    let edit = &candidates.first().unwrap().edit;
    let after = edit.apply(&story.documents[0].text).unwrap().to_string();
    assert!(
        after.contains("\r\n      first_thing,\r\n      other_thing,\r\n      last_thing,\r\n")
    );
}

#[test]
fn without_a_history_there_is_nothing_to_say() {
    assert_eq!(Story::open("a.rs", "").next(), "nothing");
    assert_eq!(Story::open("a.rs", SUM).next(), "nothing");
}

#[test]
fn an_edit_that_is_not_there_any_more_is_forgotten() {
    let mut story = Story::open("a.rs", SUM).change("total", "amount");
    story.documents[0].text = Text::from("short");
    story.at.1 = ByteOffset::ZERO;
    assert_eq!(story.next(), "nothing");
}

#[test]
fn whoever_gives_up_gets_nothing() {
    let story = Story::open("a.rs", SUM).change("total", "amount");
    assert_eq!(predict(&story.request(), &|| true), []);
}

#[test]
fn one_line_of_megabytes_is_passed_over() {
    let text = "let total = total + 1; ".repeat(80_000);
    let story = Story::open("a.rs", &text).change("total", "amount");
    assert_eq!(story.next(), "nothing");
    let text = format!("show(total);\n{}", "total = f(total, 1); ".repeat(50_000));
    let story = Story::open("a.rs", &text).change("total", "amount");
    assert_eq!(story.candidates().len(), 1);
    let text = "let total = total + 1; ".repeat(250_000);
    let story = Story::open("a.rs", &text).change("total", "amount");
    assert_eq!(story.next(), "nothing");
}

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "foo", "bar_baz", "let ", "fn ", "(", ")", "{", "}", ", ", ".", " = ", "\n", "\r\n", "\r",
        "    ", "\"", "'", "// ", "/* ", "*/", "😀", "e\u{301}", "1", "42", ";", "-", "::",
    ]);
    prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn what_is_offered_always_fits(
        text in any_text(),
        others in prop::collection::vec(any_text(), 0..2),
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, any_text()), 1..5),
        at in any::<prop::sample::Index>(),
    ) {
        let mut story = Story::open("b.rs", &text);
        for (index, other) in others.iter().enumerate() {
            story = story.also(["a.py", "c.ts"][index], other);
        }
        for (place, length, new) in steps {
            let text = story.documents[0].text.to_string();
            let bounds: Vec<usize> = (0..=text.len()).filter(|it| text.is_char_boundary(*it)).collect();
            let start = place.index(bounds.len());
            let end = (start + length).min(bounds.len() - 1);
            let (start, end) = (bounds[start], bounds[end]);
            let which = text.get(..start).unwrap().to_owned();
            let old = text.get(start..end).unwrap();
            let new: String = new.chars().take(15).collect();
            story = story.change(&format!("{which}‸{old}"), &new);
        }
        let text = &story.documents[0].text;
        let at = at.index(text.to_string().len() + 1);
        if text.check(ByteOffset::new(at)).is_ok() {
            story.at.1 = ByteOffset::new(at);
        }
        let candidates = story.candidates();
        prop_assert_eq!(&candidates, &story.candidates());
        for candidate in &candidates {
            let document = story.documents.iter().find(|it| it.id == candidate.document).unwrap();
            prop_assert!(candidate.edit.apply(&document.text).is_ok());
        }
    }
}

#[test]
fn nothing_follows_from_what_is_still_written() {
    let text = "let mode = a;\nrun(mode);\nstop(mode);\n";
    let mut story = Story::open("a.rs", text).change("mode", "state");
    assert_eq!(story.next(), "2: run(state); | 3: stop(state);");
    story.documents[0].edits[0].is_finished = false;
    assert_eq!(story.next(), "nothing");
}

#[test]
fn brackets_of_another_kind_close_nothing() {
    let text = "let a = call(one);\nlet b = call(one);\n";
    let story = Story::open("a.rs", text).change("call(one)", "call(one]");
    assert_eq!(story.next(), "nothing");
}

#[test]
fn a_type_that_was_changed_once_is_no_name() {
    let text = "int port = 1;\nint size = 2;\nint rest = 3;\nint more = 4;\n";
    let story = Story::open("a.c", text).change("int", "long");
    assert_eq!(story.next(), "nothing");
    let text = "class A {\n    private readonly one: B;\n    private readonly two: B;\n}\n";
    let story = Story::open("a.ts", text).change("readonly", "static");
    assert_eq!(story.next(), "nothing");
}
