//! The pages for people, held against what they speak of: links, files, types, settings, and what the
//! language server can do; and so are the tables of modules at the top of sources.
//!
//! What is written by hand is wrong as soon as something else gets another name. What can be looked up
//! is looked up here, and `commands` runs what the pages tell people to type; what they say in
//! sentences is for people to check.
#![allow(
    clippy::unwrap_used,
    reason = "a page that is not there fails the test"
)]

#[path = "support/markdown.rs"]
mod markdown;
#[path = "support/workspace.rs"]
mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::Stdio;

use foretell_settings::settings_table::settings;
use foretell_settings::{Home, RawSettings, SettingGroup};
use serde_json::{Value, json};

use crate::markdown::{Page, directories, entries, pages, root};
use crate::workspace::Workspace;

#[test]
fn links_lead_somewhere() {
    for Page { name: page, text } in pages() {
        let links = text.split("](").skip(1);
        for link in links
            .filter_map(|it| it.split_once(')'))
            .map(|(link, _)| link)
        {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = root().join(&page);
            let path = match file {
                "" => path,
                file => path.parent().unwrap().join(file),
            };
            assert!(path.exists(), "{page}: {link}");
            if !heading.is_empty() {
                let target = fs::read_to_string(&path).unwrap();
                let mut headings = target.lines().filter_map(heading_of);
                assert!(headings.any(|it| it == heading), "{page}: {link}");
            }
        }
    }
}

/// What a heading is called in links.
fn heading_of(line: &str) -> Option<String> {
    let words = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let words = words.to_lowercase().replace(' ', "-");
    Some(words.replace(|c: char| !c.is_alphanumeric() && c != '-', ""))
}

#[test]
fn files_that_pages_name_are_there() {
    for page in pages() {
        for name in page.quoted().filter(|it| looks_like_a_file_of_ours(it)) {
            assert!(root().join(name).exists(), "{}: {name}", page.name);
        }
    }
}

/// Whether it is a path from the top of the repository to a file. What an editor's package or a test
/// makes is not there in a clone.
fn looks_like_a_file_of_ours(quoted: &str) -> bool {
    let within = [
        ".ci/",
        "benches/",
        "crates/",
        "docs/",
        "editors/",
        "examples/",
        "fuzz/",
    ];
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    within.iter().any(|it| quoted.starts_with(it)) && quoted.chars().all(is_path)
}

#[test]
fn types_and_tables_that_a_page_tells_people_to_use_are_declared() {
    let sources = sources();
    let is_declared = |name: &str| {
        let keywords = ["struct", "enum", "trait", "type", "const", "static"];
        let declarations = keywords.map(|keyword| format!("{keyword} {name}"));
        let is_one = |source: &Page, declaration: &String| {
            let mut behind = source.text.split(declaration.as_str()).skip(1);
            behind.any(|it| !it.starts_with(is_of_identifier))
        };
        sources
            .iter()
            .any(|source| declarations.iter().any(|it| is_one(source, it)))
    };
    let page = Page::read("docs/how-to-add.md");
    let quoted = page.quoted().filter_map(|it| it.split("::").next());
    let names = quoted.filter(|it| {
        it.starts_with(|c: char| c.is_ascii_uppercase()) && it.chars().all(is_of_identifier)
    });
    let names: BTreeSet<_> = names.collect();
    assert!(names.contains("PromptFormat"), "{names:?}");
    for name in names {
        assert!(is_declared(name), "{}: {name}", page.name);
    }
}

#[test]
fn module_tables_name_modules_of_their_file() {
    let mut rows = 0;
    for source in sources() {
        let declared: BTreeSet<_> = source.text.lines().filter_map(declared_module).collect();
        for name in module_rows(&source.text) {
            rows += 1;
            assert!(declared.contains(name), "{}: {name}", source.name);
        }
    }
    assert!(rows > 100, "{rows}");
}

/// The module that a line declares.
fn declared_module(line: &str) -> Option<&str> {
    let line = line.trim_end().strip_suffix([';', '{'])?.trim();
    let (visibility, name) = line.rsplit_once("mod ")?;
    let is_visibility = visibility.is_empty() || visibility.starts_with("pub");
    (is_visibility && name.chars().all(is_of_identifier)).then_some(name)
}

/// The modules that the tables at the top of a file list, in their first columns. Tables of parts may list
/// types as well, which are told by their capitals.
fn module_rows(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut is_module_table = false;
    for line in source.lines() {
        let Some(row) = line.strip_prefix("//! | ") else {
            is_module_table = false;
            continue;
        };
        let first = row.split(" |").next().unwrap_or_default();
        is_module_table |= matches!(first, "module" | "part");
        if is_module_table {
            let quoted = first.split('`').skip(1).step_by(2);
            names.extend(quoted.map(|it| it.trim_start_matches("mod@")));
        }
    }
    let is_module = |it: &&str| it.starts_with(|c: char| c.is_ascii_lowercase());
    names.into_iter().filter(is_module).collect()
}

fn is_of_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The sources of all crates, and of their tests.
fn sources() -> Vec<Page> {
    let mut names = directories("crates");
    let mut found = Vec::new();
    while let Some(name) = names.pop() {
        if root().join(&name).is_dir() {
            names.extend(entries(&name));
        } else if name.ends_with(".rs") {
            found.push(Page::read(name));
        }
    }
    found
}

#[test]
fn the_tree_in_architecture_has_every_room() {
    let page = Page::read("ARCHITECTURE.md");
    let (_, tree) = page.blocks().next().unwrap();
    let listed = |room: &str| tree.lines().any(|it| it.starts_with(&format!("{room}/ ")));
    for room in ["crates", "editors"].into_iter().flat_map(directories) {
        assert!(listed(&room), "{room}");
    }
    // What is at the top and holds no others; what git ignores may be there, too.
    for room in ["benches", "docs", "examples", "fuzz"] {
        assert!(root().join(room).is_dir() && listed(room), "{room}");
    }
}

#[test]
fn every_benchmark_and_fuzz_target_is_explained_to_contributors() {
    let page = Page::read("CONTRIBUTING.md");
    let quoted: BTreeSet<_> = page.quoted().collect();
    for within in ["benches/benches", "fuzz/fuzz_targets"] {
        for file in entries(within) {
            let name = file.rsplit('/').next().unwrap().trim_end_matches(".rs");
            let is_named = quoted
                .iter()
                .any(|it| it.split(' ').any(|word| word == name));
            assert!(is_named, "{file}");
        }
    }
}

#[test]
fn settings_that_pages_name_are_settings() {
    let known: BTreeSet<String> = settings().map(|it| it.name).collect();
    for page in pages() {
        for name in page.quoted().filter(|it| looks_like_a_setting(it)) {
            let below = format!("{name}.");
            let is_known = |it: &String| it == name || it.starts_with(&below);
            // The page of all settings has one table for three lanes.
            let is_any_lane = name.starts_with("lanes.L");
            let page = &page.name;
            assert!(is_any_lane || known.iter().any(is_known), "{page}: {name}");
        }
    }
}

fn looks_like_a_setting(quoted: &str) -> bool {
    let (group, rest) = quoted.split_once('.').unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let is_file = rest.ends_with("rs");
    let is_group = SettingGroup::ALL.iter().any(|it| it.name == group);
    is_group && !is_file && !rest.is_empty() && rest.chars().all(is_name)
}

#[test]
fn what_pages_give_to_copy_can_be_read_and_names_settings() {
    let known: BTreeSet<String> = settings().map(|it| it.name).collect();
    let mut shown = BTreeSet::new();
    for page in pages() {
        let blocks = page.blocks();
        let names = blocks.flat_map(|(format, block)| names(&page.name, format, block));
        for name in names.filter_map(|it| setting_within(&it)) {
            // A header is named by the person, below the setting that has them all.
            let has = |it: &String| *it == name || name.starts_with(&format!("{it}."));
            assert!(known.iter().any(has), "{}: {name}", page.name);
            shown.insert((page.name.clone(), name));
        }
    }
    let of_other_editors = ("docs/editors/other.md", "rejections.inferAfter");
    let mut shown_there = shown.iter().map(|(page, name)| (&**page, &**name));
    assert!(shown_there.any(|it| it == of_other_editors), "{shown:?}");
}

/// The dotted names in a block, in the formats that can be told from nonsense.
fn names(page: &str, format: &str, block: &str) -> Vec<String> {
    let (written, faults) = match format {
        "toml" => RawSettings::from_toml(Home::Editor, page, block),
        // A list of commands is no tree of settings.
        "json" if serde_json::from_str::<Value>(block).unwrap().is_array() => return Vec::new(),
        "json" => RawSettings::from_json(Home::Editor, page, block),
        _ => return Vec::new(),
    };
    assert!(faults.is_empty(), "{page}: {faults:?} in\n{block}");
    written.names().map(|(name, _)| name.to_owned()).collect()
}

/// The part of a name that is a setting's: an editor has places of its own for them.
fn setting_within(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    let is_group = |part: &&str| SettingGroup::ALL.iter().any(|it| it.name == *part);
    let start = parts.iter().position(is_group)?;
    Some(parts[start..].join("."))
}

#[test]
fn the_server_has_the_requests_and_commands_of_its_page_and_no_other_commands() {
    let page = Page::read("docs/lsp.md").text;
    let mut requests = first_column(&page, "### Requests to the server");
    requests.extend(first_column(&page, "### Requests of Copilot's clients"));
    let commands = first_column(&page, "### Commands");
    assert!(requests.len() > 5, "{requests:?}");

    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": { "capabilities": {} } });
    let asked = requests.iter().enumerate().map(|(number, method)| {
        json!({ "jsonrpc": "2.0", "id": number + 1, "method": method, "params": {} })
    });
    let shutdown = json!({ "jsonrpc": "2.0", "id": 999, "method": "shutdown" });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let mut said = vec![initialize];
    said.extend(asked);
    said.extend([shutdown, exit]);
    let heard = talk(&said);

    let answer = |id: usize| heard.iter().find(|it| it["id"] == id).unwrap();
    let known = &answer(0)["result"]["capabilities"]["executeCommandProvider"]["commands"];
    assert_eq!(*known, json!(commands));
    for (number, method) in requests.iter().enumerate() {
        let code = &answer(number + 1)["error"]["code"];
        assert_ne!(*code, json!(-32601), "there is no {method}");
    }
}

/// What the first column of the table below a heading names.
fn first_column<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let (_, below) = page.split_once(&format!("{heading}\n")).unwrap();
    let below = below.split("\n#").next().unwrap();
    let rows = below.lines().filter_map(|it| it.strip_prefix("| `"));
    rows.filter_map(|it| Some(it.split_once('`')?.0)).collect()
}

/// Says all of it to the server, and gives everything that it says until it ends.
fn talk(messages: &[Value]) -> Vec<Value> {
    let workspace = Workspace::new(&[]);
    let mut server = workspace
        .command("lsp", &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary under test starts");
    let mut input = server.stdin.take().unwrap();
    for message in messages {
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
    input.flush().unwrap();
    let output = server.wait_with_output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let bodies = output.split("Content-Length: ").skip(1);
    let bodies = bodies.filter_map(|it| it.split_once("\r\n\r\n"));
    bodies
        .map(|(_, body)| serde_json::from_str(body).unwrap())
        .collect()
}
