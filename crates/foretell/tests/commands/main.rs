//! Every command that a page tells people to type, typed.
//!
//! The commands are found in the pages themselves: all lines of `sh` blocks, and within sentences what
//! begins with a program's name. Each is run by a shell as it stands, in the order of its page, in a copy
//! of what a clone has, with a home that is empty in the beginning. What cannot be run there is in
//! [`elsewhere`], with the reason and with who runs it instead; what is in neither fails. Where a page
//! shows what a command prints, that is compared.
//!
//! Nothing is fetched and nobody is asked: a command that would do that is in the list.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a page that cannot be read fails the test"
)]

mod elsewhere;
mod found;
#[path = "../support/markdown.rs"]
mod markdown;
mod named;
mod person;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::elsewhere::{ELSEWHERE, SHOWN_ELSEWHERE};
use crate::found::{OWN, as_typed, commands, is_harmless};
use crate::markdown::{Page, Piece, pages, root};
use crate::named::names_what_there_is;
use crate::person::Person;

/// What a command may end with, besides 0.
fn expected(command: &str) -> i32 {
    let asks_a_model = command.contains("lanes.");
    match command {
        // Nobody says `shutdown` to it: its input ends at once.
        it if it.starts_with("foretell lsp") => 1,
        // There is nothing to send without a model.
        it if it.contains("--explain-prompt") && !asks_a_model => 1,
        _ => 0,
    }
}

#[test]
fn every_command_of_the_pages_can_be_typed() {
    let problems: Vec<String> = pages().iter().flat_map(type_all_of).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn commands_stand_in_blocks_that_are_found() {
    for page in pages() {
        for (format, block) in page.blocks() {
            let is_other = ["", "bash", "console", "fish", "shell", "zsh"].contains(&format);
            assert!(!is_other, "{}: call it sh, or text:\n{block}", page.name);
        }
    }
}

/// Types what a page says, in its order, and compares what it shows; what is wrong with that.
fn type_all_of(page: &Page) -> Vec<String> {
    let person = Person::new();
    let mut problems = Vec::new();
    let mut typed = BTreeMap::new();
    // What the command before has printed.
    let mut printed = String::new();
    for piece in page.pieces() {
        if let Piece::Block {
            format: "text",
            text,
        } = piece
            && !is_shown_elsewhere(page, text)
            && !printed.contains(text)
        {
            problems.push(format!("{} shows\n{text}and not\n{printed}", page.name));
        }
        for command in commands(piece).into_iter().filter(|it| !is_elsewhere(it)) {
            let command = as_typed(&command);
            if !is_harmless(&command) {
                problems.push(format!("{}: is not typed: {command}", page.name));
                continue;
            }
            let said = typed
                .entry(command.clone())
                .or_insert_with(|| person.types(&command));
            printed = said.all();
            if said.status != Some(expected(&command)) {
                problems.push(format!(
                    "{}: {command}: {:?}\n{printed}",
                    page.name, said.status
                ));
            }
        }
    }
    problems
}

fn is_shown_elsewhere(page: &Page, shown: &str) -> bool {
    let mut lists = SHOWN_ELSEWHERE.iter();
    lists.any(|(name, begin, _)| *name == page.name && shown.starts_with(begin))
}

fn is_elsewhere(command: &str) -> bool {
    ELSEWHERE.iter().any(|it| it.commands.contains(&command))
}

#[test]
fn what_is_not_typed_here_is_on_a_page_and_somebody_else_types_it() {
    let pages = pages();
    let all: BTreeSet<String> = pages
        .iter()
        .flat_map(Page::pieces)
        .flat_map(commands)
        .collect();
    for it in ELSEWHERE {
        for command in it.commands {
            assert!(all.contains(*command), "no page says: {command}");
        }
        if let Some((file, words)) = it.by {
            let text = fs::read_to_string(root().join(file)).unwrap();
            assert!(text.contains(words), "{}: {file} has no {words}", it.why);
        }
    }
    for (name, begin, file) in SHOWN_ELSEWHERE {
        let page = pages.iter().find(|it| it.name == *name).unwrap();
        assert!(
            page.blocks().any(|(_, text)| text.starts_with(begin)),
            "{name}: {begin}"
        );
        assert!(root().join(file).exists(), "{file}");
    }
}

#[test]
fn commands_that_build_name_what_there_is() {
    let pages = pages();
    for command in pages.iter().flat_map(Page::pieces).flat_map(commands) {
        for part in command.split("&&") {
            names_what_there_is(part.trim());
        }
    }
}

#[test]
fn commands_are_known_by_the_names_that_the_binary_lists() {
    let said = Person::new().types("foretell --help").all();
    let (_, listed) = said.split_once("Commands:\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let names = listed.lines().filter_map(|it| it.split_whitespace().next());
    assert_eq!(names.collect::<Vec<_>>(), OWN);
}

#[test]
fn whoever_follows_the_page_to_the_end_has_nothing_left() {
    let person = Person::new();
    let before = person.belongings();
    let page = Page::read("docs/install.md");
    let commands: Vec<_> = page.pieces().into_iter().flat_map(commands).collect();
    let typed = commands.iter().map(|it| as_typed(it));
    for command in typed.filter(|it| !is_elsewhere(it) && is_harmless(it)) {
        person.types(&command);
    }
    assert_eq!(person.belongings(), before);
}
