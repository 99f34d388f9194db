//! Files that hold secrets are known by their names, however these are written.

use foretell_context::{BadGlob, Exclude, ExclusionGlobs};
use foretell_text::FilePath;
use proptest::prelude::*;

/// Those of some paths that are excluded.
fn excluded<'a>(paths: &[&'a str]) -> Vec<&'a str> {
    let exclusions = ExclusionGlobs::default();
    let is_excluded = |path: &&&str| exclusions.excludes(&FilePath::new(**path));
    paths.iter().filter(is_excluded).copied().collect()
}

#[test]
fn files_that_hold_secrets_are_excluded() {
    let paths = [
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
    ];
    assert_eq!(excluded(&paths), paths);
}

#[test]
fn ordinary_files_are_not() {
    let paths = [
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
    ];
    assert_eq!(excluded(&paths), Vec::<&str>::new());
}

#[test]
fn a_name_written_oddly_is_the_same_file() {
    let paths = [
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
    ];
    assert_eq!(excluded(&paths), paths);
}

#[test]
fn a_copy_is_as_secret_as_what_it_is_a_copy_of() {
    let paths = [
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
    ];
    assert_eq!(excluded(&paths), paths);
}

#[test]
fn globs_that_would_cost_too_much_are_refused_before_they_are_compiled() {
    for glob in ["{a,".repeat(16_000), "a".repeat(1 << 20), "{a,".repeat(9)] {
        let (exclusions, faults) = ExclusionGlobs::new(std::slice::from_ref(&glob));
        let [BadGlob::Excess { .. }] = &faults[..] else {
            unreachable!("{faults:?}");
        };
        assert!(faults[0].to_string().len() < 200);
        assert!(!exclusions.excludes(&FilePath::new("b.rs")));
        let whole = ExclusionGlobs::of_whole_paths(&[glob]);
        assert!(!whole.excludes(&FilePath::new("b.rs")));
    }
}

#[test]
fn of_more_globs_than_can_be_followed_nobody_is_told_anything() {
    let globs = |number: usize| {
        (0..number)
            .map(|it| format!("x{it}*y.rs"))
            .collect::<Vec<_>>()
    };
    let (exclusions, faults) = ExclusionGlobs::new(&globs(1_000));
    assert_eq!(faults, []);
    assert!(exclusions.excludes(&FilePath::new("a/x999zy.rs")));
    assert!(!exclusions.excludes(&FilePath::new("b.rs")));
    let (exclusions, faults) = ExclusionGlobs::new(&globs(1_001));
    assert_eq!(faults, [BadGlob::TooMany { number: 1_001 }]);
    assert!(exclusions.excludes(&FilePath::new("b.rs")));
    let whole = ExclusionGlobs::of_whole_paths(&globs(1_001));
    assert!(whole.excludes(&FilePath::new("b.rs")));
}

#[test]
fn files_that_people_keep_their_secrets_in_are_known_by_name() {
    let paths = [
        "dotfiles/fish_history",
        "PSReadLine/ConsoleHost_history.txt",
        "password.txt",
        "Passwort.txt",
        "notes/contraseñas.md",
        "ansible/.vault_pass",
        "vault-password.txt",
        "group_vars/.vault_pass_prod",
        "backup/rclone.conf",
        "etc/ssh/ssh_host_rsa_key",
        "ssh_host_ed25519_key",
        "wg0.conf",
        "vpn/wg-home.conf",
        "etc/wireguard/office.conf",
        "deploy_key",
        "ci/github-deploy-key",
        "wallet.dat",
        "UTC--2024-01-01T00-00-00.000Z--5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
        "seed-phrase.txt",
        "bitwarden_export_20240101.csv",
        "firefox/logins.json",
        "cookies.txt",
        "composer/auth.json",
        ".dev.vars",
        "local.settings.json",
        "home/.m2/settings.xml",
        "kaggle.json",
        "pgpass.conf",
        ".viminfo",
        "mosquitto/passwd",
        "etc/shadow",
        "server.private_key",
        "api_key.txt",
        "token.txt",
        ".token",
        "deploy_key.bak",
    ];
    assert_eq!(excluded(&paths), paths);
}

/// Names that somebody who looked for more found told.
#[test]
fn more_files_that_people_keep_their_secrets_in_are_known_by_name() {
    let paths = [
        ".dockerconfigjson",
        "talosconfig",
        "k3s.yaml",
        ".github_token",
        ".gitlab-token",
        "access_token",
        "api_key",
        ".secret",
        "jwt_secret",
        "SECRET_KEY",
        "pass.txt",
        "creds.json",
        "aws_creds",
        "rootkey.csv",
        "recovery-codes.txt",
        "etc/ipsec.secrets",
        "ppp/chap-secrets",
        "wpa_supplicant.conf",
        "postfix/sasl_passwd",
        "login.keychain-db",
        "rsa_key",
        "dkim.private",
        "age-key.txt",
        ".huggingface/token",
        ".sentryclirc",
        ".oci/config",
        ".Renviron",
        "group_vars/all/vault.yml",
        "android/keystore.properties",
        "terraform.tfvars.example",
        ".dbshell",
        "gcp-key.json",
        "sub/.git/config",
    ];
    assert_eq!(excluded(&paths), paths);
    let ordinary = [
        "src/api_key.rs",
        "secret.rs",
        "vault.go",
        "token.ts",
        "keys.py",
        "seed.sql",
        "config",
        "src/api_key/mod.rs",
        "src/shadow/mod.rs",
        "aws_creds.py",
        ".github/workflows/vault.yml",
        "pkg/secret/store.go",
        "app/access_token/index.ts",
    ];
    assert_eq!(excluded(&ordinary), [""; 0]);
}

#[test]
fn code_about_secrets_is_no_secret() {
    let paths = [
        "src/password.rs",
        "app/password/reset.ts",
        "password_test.go",
        "order_history/model.py",
        "deploy_key.go",
        "lib/private_key.rb",
        "private_key/mod.rs",
        "wallet.ts",
        "src/wallet/view.tsx",
        "auth.ts",
        "auth/session.json",
        "token.rs",
        "tokens.json",
        "history.rs",
        "vault.tf",
        "nginx.conf",
        "rclone.go",
        "settings.xml",
        "gradle.properties",
        "wgpu.conf",
        "shadow.css",
        "cookies.ts",
        "keys.txt",
    ];
    assert_eq!(excluded(&paths), [""; 0]);
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
    let (exclusions, faults) = ExclusionGlobs::new(&globs.map(str::to_owned));
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

#[test]
fn credentials_are_excluded_whatever_stands_around_the_word() {
    let paths = [
        "gcp-credentials.json",
        "aws_credentials.txt",
        "credentials-prod.yml",
        "db.credentials.properties",
        "Credentials.XML",
        "credentials.backup.csv",
        ".credentials",
        ".credentials.json",
        ".credentials/token",
        ".secrets",
        ".secrets.toml",
        ".secrets.py",
        "app-secrets.yaml",
        "client_secrets.json",
        "prod.secrets.ini",
        "my-app-firebase-adminsdk-x1y2z.json",
        "prod.env.json",
        "docker.env.local",
        "config/staging.env.sh",
        "kubeconfig",
        "kubeconfig.yaml",
        "kubeconfig-prod",
        "kubeconfig/prod.yaml",
        "credentials/prod",
        "deploy_id_rsa",
        "deploy-id_ed25519.txt",
        "old.id_ecdsa",
        "backup_id_dsa.pub",
        "server.key.txt",
        "server.pem.b64",
        "tls.key.enc",
        "passwords.txt",
        "Passwords.md",
        "passwords.kdbx",
        ".bash_history",
        ".psql_history",
        ".python_history",
        "passwords.csv.bak",
    ];
    assert_eq!(excluded(&paths), paths);
}

#[test]
fn source_code_that_deals_with_credentials_is_told() {
    let paths = [
        "credentials.rs",
        "src/credentials/mod.rs",
        "src/credentials/provider.ts",
        "aws-credentials.ts",
        "secrets.py",
        "app_secrets.go",
        "key.ts",
        "keyboard.key.ts",
        "event.KEY.tsx",
        "primary.pem.rs",
        "kubeconfig.go",
        "kubeconfig_test.go",
        "pkg/kubeconfig/loader.go",
        "config.env.ts",
        "load.env.js",
        "parse_id_rsa.py",
        "valid_rsa.c",
        "passwords.controller.ts",
        "passwords.rb",
        "passwords.html.erb",
        "keyboard.key.ts.bak",
        "keyboard.key.ts~",
        "history.rs",
        "command_history",
        "environment.prod.ts",
        "credentials.md",
        "secretsmanager.json",
    ];
    assert_eq!(excluded(&paths), Vec::<&str>::new());
}

#[test]
fn names_that_can_only_mean_a_secret_do_so_whatever_they_end_in() {
    let paths = [".env.ts", "id_rsa.py", ".ssh/config.rs", ".secrets/load.py"];
    assert_eq!(excluded(&paths), paths);
}

#[test]
fn no_path_and_no_glob_panics() {
    proptest!(|(path in "\\PC{0,40}", glob in "\\PC{0,20}")| {
        let (exclusions, _) = ExclusionGlobs::new(&[glob]);
        exclusions.excludes(&FilePath::new(path));
    });
}

/// A glob with a picture in it meant nothing once what cannot be seen was taken out of paths alone.
#[test]
fn a_glob_with_a_picture_in_it_means_what_it_says() {
    let (exclusions, faults) = ExclusionGlobs::new(&["🗄\u{fe0f} customers/**".to_owned()]);
    assert!(faults.is_empty());
    assert!(exclusions.excludes(&FilePath::new("🗄\u{fe0f} customers/a.rs")));
}
