//! Settings of a repository in an editor, and what is made of them.

use std::fs;
use std::path::Path;

use foretell_settings::SettingOrigin;
use tempfile::TempDir;

use super::*;

const URL: &str = "https://evil.example";

/// A repository with these files.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join(".git")).unwrap();
    for (file, text) in files {
        let path = directory.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

fn editor(says: &str) -> RawSettings {
    let origin = SettingOrigin {
        home: Home::Editor,
        source: "editor".to_owned(),
        place: None,
    };
    RawSettings::from_json_within(&origin, says).0
}

/// The names that are contested, when an editor with this folder open says this.
fn contested(folder: &Path, says: &str) -> Vec<String> {
    let said = editor(says);
    let editor = EditorSettings::with_options(Some(said.clone()));
    let sifted = editor.sift(&[folder.to_owned()], vec![said]);
    for settings in &sifted.settings {
        let mut left = settings.names();
        assert!(!left.any(|(name, _)| sifted.contested.0.contains_key(name)));
    }
    sifted.contested.0.into_keys().collect()
}

fn url() -> String {
    format!(r#"{{ "lanes": {{ "fim": {{ "url": "{URL}" }} }} }}"#)
}

#[test]
fn whatever_way_a_repository_writes_it_it_is_recognised() {
    for text in [
        r#"{ "foretell.lanes.fim.url": "URL" }"#,
        r#"{ "foretell": { "lanes": { "fim": { "url": "URL" } } } }"#,
        r#"{ "foretell.lanes": { "fim.url": "URL" } }"#,
        r#"{ "foretell": { "lanes.fim": { "url": "URL" } }, }"#,
        r#"{ "\u0066oretell.lanes.fim.\u0075rl": "URL" }"#,
        r#"{ "[rust]": { "foretell.lanes.fim.url": "URL" } }"#,
        r#"{ "[rust][python]": { "foretell": { "lanes.fim.url": "URL" } } }"#,
        // Editors take the last one, or the first.
        r#"{ "foretell.lanes.fim.url": "URL", "foretell.lanes.fim.url": "x" }"#,
        r#"{ "foretell.lanes.fim.url": "x", "foretell.lanes.fim.url": "URL" }"#,
        r#"{ "foretell": { "lanes.fim.url": "x" }, "foretell": { "lanes.fim.url": "URL" } }"#,
        r#"{ "foretell.lanes.fim.url": "x", "foretell": { "lanes.fim.url": "URL" } }"#,
        "\u{feff}{ \"foretell.lanes.fim.url\": \"URL\" }",
        "{ // on\u{2028}\"foretell.lanes.fim.url\": \"URL\"\n}",
        "{ /* on */ \"foretell.lanes.fim.url\": // on\r\"URL\" }",
        "{ 'foretell.lanes.fim.url': 'URL' }",
        "{ \"foretell.lanes.fim.url\" \"URL\" }",
    ] {
        let text = text.replace("URL", URL);
        let repository = repository(&[(".vscode/settings.json", &text)]);
        let names = contested(repository.path(), &url());
        assert_eq!(names, ["lanes.fim.url"], "{text}");
    }
}

#[test]
fn a_number_is_the_same_however_it_is_written() {
    for (file, says) in [("1e6", "1000000"), ("1.0", "1"), ("-0", "0")] {
        let text = format!(r#"{{ "foretell.lanes.fim.requestsPerDay": {file} }}"#);
        let repository = repository(&[(".vscode/settings.json", &text)]);
        let says = format!(r#"{{ "lanes": {{ "fim": {{ "requestsPerDay": {says} }} }} }}"#);
        let names = contested(repository.path(), &says);
        assert_eq!(names, ["lanes.fim.requestsPerDay"], "{file}");
    }
}

#[test]
fn a_repository_cannot_take_back_what_the_person_has_set() {
    let text = r#"{ "foretell.lanes.fim.requestsPerDay": null }"#;
    let repository = repository(&[(".vscode/settings.json", text)]);
    let names = contested(repository.path(), r#"{ "lanes.fim.requestsPerDay": null }"#);
    assert_eq!(names, ["lanes.fim.requestsPerDay"]);
    let names = contested(repository.path(), r#"{ "lanes.fim.requestsPerDay": 9 }"#);
    assert!(names.is_empty(), "the person's word won: {names:?}");
}

#[test]
fn a_setting_for_a_language_counts_as_the_setting() {
    let text = format!(r#"{{ "[rust]": {{ "foretell.lanes.fim.url": "{URL}" }} }}"#);
    let repository = repository(&[(".vscode/settings.json", &text)]);
    for language in ["rust", "yaml.ansible"] {
        let name = format!("languages.{language}.lanes.fim.url");
        let says = format!(r#"{{ "{name}": "{URL}" }}"#);
        assert_eq!(contested(repository.path(), &says), [name]);
    }
}

#[test]
fn files_of_all_editors_are_looked_at_and_workspaces_wherever_they_lie() {
    let (deep, deepest) = ("a/b/c/d/e/f/x.code-workspace", "a/b/c/d/e/x.code-workspace");
    let toml = format!("[language-server.foretell.config.lanes.fim]\nurl = \"{URL}\"\n");
    let json = |below: &str| format!(r#"{{ "{below}": {{ "lanes.fim.url": "{URL}" }} }}"#);
    for (file, text) in [
        (".vscode/settings.json", json("foretell")),
        ("../.vscode/settings.json", json("foretell")),
        (".zed/settings.json", json("lsp.foretell.settings")),
        (
            ".vim/coc-settings.json",
            json("languageserver.foretell.settings"),
        ),
        (".neoconf.json", json("lspconfig.foretell")),
        (
            ".devcontainer/devcontainer.json",
            json("customizations.vscode.settings.foretell"),
        ),
        (
            ".devcontainer/rust/devcontainer.json",
            json("customizations.vscode.settings.foretell"),
        ),
        (
            "../.devcontainer/rust/devcontainer.json",
            json("customizations.vscode.settings.foretell"),
        ),
        (
            ".kateproject",
            json("lspclient.servers.rust.settings.foretell"),
        ),
        (".helix/languages.toml", toml),
        ("all.code-workspace", json("settings.foretell")),
        ("../all.Code-Workspace", json("settings.foretell")),
        ("dev/x.code-workspace", json("settings.foretell")),
        ("../other/x.code-workspace", json("settings.foretell")),
        ("node_modules/y/x.code-workspace", json("settings.foretell")),
        ("x.sublime-project", json("settings.LSP.foretell.settings")),
        (deepest, json("settings.foretell")),
        (deep, json("settings.foretell")),
    ] {
        let repository = repository(&[("folder/it", "")]);
        let path = repository.path().join("folder").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        let names = contested(&repository.path().join("folder"), &url());
        // One more directory is one too many, as the guide says.
        let expected: &[&str] = if file == deep {
            &[]
        } else {
            &["lanes.fim.url"]
        };
        assert_eq!(names, expected, "{file}");
    }
}

#[test]
fn no_more_than_so_many_files_are_looked_at() {
    let directory = tempfile::tempdir().unwrap();
    for number in 0..30 {
        fs::write(
            directory.path().join(format!("{number}.code-workspace")),
            "",
        )
        .unwrap();
    }
    let found = foreign::workspaces_below(directory.path(), 10);
    assert_eq!(found.len(), 10);
}

#[test]
fn a_repository_around_a_repository_can_speak_to_an_editor_too() {
    let text = format!(r#"{{ "settings": {{ "foretell.lanes.fim.url": "{URL}" }} }}"#);
    for file in ["x.code-workspace", "dev/x.code-workspace"] {
        let repository = repository(&[(file, &text), ("sub/module/.git", "gitdir: x")]);
        let names = contested(&repository.path().join("sub/module"), &url());
        assert_eq!(names, ["lanes.fim.url"], "{file}");
    }
}

#[test]
fn what_has_nothing_to_do_with_it_contests_nothing() {
    for text in [
        r#"{ "foretell.lanes.fim.url": "https://other.example" }"#,
        r#"{ "foretell.lanes.fim.url": null }"#,
        r#"{ "other.url": "https://evil.example", "fim.url": "https://evil.example" }"#,
        r#"{ "myforetell.xlanes.fim.url": "https://evil.example" }"#,
        r#"{ "editor.tabSize": 2, "editor.tabSize": 4 }"#,
        "",
        "null",
    ] {
        let repository = repository(&[(".vscode/settings.json", text)]);
        let names = contested(repository.path(), &url());
        assert!(names.is_empty(), "{text}: {names:?}");
    }
}

#[test]
fn what_a_workspace_may_set_is_never_contested_whichever_language_it_is_for() {
    let names = ["trigger.enabled", "languages.yaml.ansible.trigger.enabled"];
    let repository = repository(&[(".vscode/settings.json", "{ oops")]);
    for name in names {
        let says = format!(r#"{{ "{name}": false }}"#);
        assert!(contested(repository.path(), &says).is_empty(), "{name}");
    }
}

#[test]
fn what_was_contested_stays_so_until_the_editor_speaks_anew() {
    let text = format!(r#"{{ "foretell.lanes.fim.url": "{URL}" }}"#);
    let repository = repository(&[(".vscode/settings.json", &text)]);
    let folders = [repository.path().to_owned()];
    let said = editor(&url());
    let mut editor = EditorSettings::with_options(Some(said.clone()));
    let found = editor.sift(&folders, vec![said.clone()]).contested;
    editor.contest(&found);
    fs::remove_file(repository.path().join(".vscode/settings.json")).unwrap();
    let after = editor.sift(&folders, vec![said.clone()]).contested;
    assert_eq!(after.words().count(), 1);
    editor.configure(Some(said.clone()));
    let after = editor.sift(&folders, vec![said]).contested;
    assert_eq!(after.words().count(), 0);
}
