//! What a command names that is not typed: it has to be there all the same.

use std::fs;

use crate::markdown::{directories, root};

/// Packages, tests, benchmarks, fuzz targets, scripts and paths of a command that is not typed here.
pub(crate) fn names_what_there_is(command: &str) {
    let words: Vec<&str> = command.split_whitespace().collect();
    let behind = |flag: &str| {
        let at = words.iter().position(|it| *it == flag)?;
        words.get(at + 1).copied()
    };
    let exists = |path: String| assert!(root().join(&path).exists(), "{command}: no {path}");
    if words.first().is_some_and(|it| it.starts_with(".ci/")) {
        exists(words[0].to_owned());
    }
    if words.contains(&"cargo") {
        if let Some(package) = behind("-p") {
            exists(format!("crates/{package}/Cargo.toml"));
            if let Some(test) = behind("--test") {
                let tests = root().join(format!("crates/{package}/tests"));
                let is_there =
                    tests.join(format!("{test}.rs")).exists() || tests.join(test).exists();
                assert!(is_there, "{command}: no test {test}");
            }
        }
        if let Some(bench) = behind("--bench") {
            let own = behind("-p").map(|package| format!("crates/{package}/benches"));
            let benches = root().join(own.as_deref().unwrap_or("benches/benches"));
            let is_there =
                benches.join(format!("{bench}.rs")).exists() || benches.join(bench).exists();
            assert!(is_there, "{command}: no benchmark {bench}");
        }
        if let Some(path) = behind("--path") {
            exists(format!("{path}/Cargo.toml"));
        }
        if let ["cargo", "fuzz", "run", target, ..] = words[..] {
            exists(format!("fuzz/fuzz_targets/{target}.rs"));
        }
    }
    if let ["npm", "run", script, ..] = words[..] {
        assert!(is_script(script), "{command}: no script {script}");
    }
    if let ["npm", "test", ..] = words[..] {
        assert!(is_script("test"), "{command}");
    }
}

/// Whether an editor's package has a script of that name.
fn is_script(name: &str) -> bool {
    let packages = directories("editors").into_iter();
    let packages = packages.map(|it| root().join(it).join("package.json"));
    packages.filter(|it| it.exists()).any(|package| {
        let package = fs::read_to_string(package).unwrap();
        let package: serde_json::Value = serde_json::from_str(&package).unwrap();
        package["scripts"][name].is_string()
    })
}
