//! Files that hold secrets are known by their names, however these are written.

use foretell_context::{Exclude, Exclusions};
use foretell_text::FilePath;
use proptest::prelude::*;

fn excludes(path: &str) -> bool {
    Exclusions::default().excludes(&FilePath::new(path))
}

#[test]
fn files_that_hold_secrets_are_excluded() {
    for path in [
        ".env",
        ".env.local",
        ".env.example",
        ".env.sample",
        ".env.template",
        "app/.env.production",
        "server.pem",
        "tls/server.key",
        "id_rsa",
        "id_rsa.pub",
        "home/me/.ssh/id_ed25519",
        "id_ed25519.pub",
        "cert.p12",
        "cert.pfx",
        ".netrc",
        ".npmrc",
        "web/.npmrc",
        ".pypirc",
        "credentials",
        "credentials.json",
        ".git-credentials",
        ".aws/credentials",
        ".docker/config.json",
        ".kube/config",
        "kubeconfig",
        "service-account-prod.json",
        "release.keystore",
        "a.jks",
        "vault.kdbx",
        ".pgpass",
        ".htpasswd",
        "config/secrets.yml",
        "secrets.toml",
        "prod.tfvars",
        ".ssh/config",
    ] {
        assert!(excludes(path), "{path}");
    }
}

#[test]
fn ordinary_files_are_not() {
    for path in [
        "src/main.rs",
        "environment.ts",
        "env.rs",
        "src/key.rs",
        "keys.md",
        "tokens.json",
        "src/credentials.rs",
        "secrets.rs",
        "docker/config.json",
        "kube/config",
        "package.json",
        "Cargo.lock",
        "src/netrc.py",
        "idea.txt",
        "rsa/id.rs",
        "monkey",
        "README.md",
        "a/b/c",
        "",
        "/",
        "..",
        "...",
        " ",
    ] {
        assert!(!excludes(path), "{path}");
    }
}

#[test]
fn a_name_written_oddly_is_the_same_file() {
    for path in [
        ".ENV",
        "App/.Env.Local",
        "SERVER.PEM",
        "tls\\Server.Key",
        ".env.",
        ".env ",
        "a/.env. . ",
        ".\\.env",
        "server.key::$DATA",
        "ID_RSA",
        "x/ID_Ed25519.PUB",
        ".Aws\\Credentials",
        ".e\u{200c}nv",
        "a//.env",
        "./.env",
    ] {
        assert!(excludes(path), "{path}");
    }
}

#[test]
fn a_copy_is_as_secret_as_what_it_is_a_copy_of() {
    for path in [
        ".env~",
        ".env.bak",
        ".env.swp",
        "server.key.old",
        "server.pem~",
        ".server.key.swp",
        "#server.key#",
        ".#server.pem",
        "credentials.json.bak",
        ".netrc.swp",
        ".id_rsa.swp",
        "prod.tfvars.orig~",
    ] {
        assert!(excludes(path), "{path}");
    }
}

#[test]
fn the_persons_globs_are_read_as_in_an_ignore_file() {
    let globs = [
        "*.sql",
        "private/",
        "/top.txt",
        "config/prod/*.json",
        "**/deep/*.x",
        "Über*",
    ];
    let (exclusions, faults) = Exclusions::new(&globs.map(str::to_owned));
    assert_eq!(faults, []);
    let excludes = |path| exclusions.excludes(&FilePath::new(path));
    for path in [
        "a.sql",
        "b/C.SQL",
        "private/a/b.rs",
        "x/private/y",
        "top.txt",
        "config/prod/a.json",
        "a/b/deep/c.x",
        "überall.md",
        ".env",
    ] {
        assert!(excludes(path), "{path}");
    }
    for path in [
        "a.sqlx",
        "x/top.txt",
        "x/config/prod/a.json",
        "config/prod/x/a.json",
        "privately",
    ] {
        assert!(!excludes(path), "{path}");
    }
}

proptest! {
    #[test]
    fn no_path_and_no_glob_panics(path in "\\PC{0,40}", glob in "\\PC{0,20}") {
        let (exclusions, _) = Exclusions::new(&[glob]);
        exclusions.excludes(&FilePath::new(path));
    }
}
