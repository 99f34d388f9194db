//! Names of files that are there to hold secrets.
//!
//! Tables. The names are globs in small letters, and mean files and folders anywhere. Templates
//! such as `.env.example` are among them on purpose: people put real values there too.
//!
//! Some names say for sure what a file is for. Others are as well what a programmer would call the
//! code that deals with such files (`credentials.rs`, `kubeconfig_test.go`); those do not mean a file
//! that ends like source code, whatever stands before: `keyboard.key.ts` is TypeScript.

/// What is never told of.
pub(super) const BUILT_IN: &[&str] = &[
    // Environments.
    ".env*",
    "*.env",
    ".envrc",
    // Keys and certificates with their keys.
    "*.pem",
    "*.key",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.p12",
    "*.pfx",
    "*.p8",
    "*.pkcs12",
    "*.ppk",
    "*.keystore",
    "*.jks",
    "*.asc",
    "*.gpg",
    "*.kdb",
    "*.kdbx",
    "*.agekey",
    "*.ovpn",
    "*.keytab",
    "*.mobileprovision",
    ".ssh",
    ".gnupg",
    // What programs log in with.
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".terraformrc",
    "terraform.rc",
    "*.kubeconfig",
    ".aws/credentials",
    ".docker/config.json",
    ".kube/config",
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".azure",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".gem/credentials",
    // Credentials and secrets by that name.
    ".credentials*",
    ".secrets*",
    "*credentials*.{json,yml,yaml,toml,ini,txt,csv,xml,properties,db}",
    "credentials.{yml,yaml}.enc",
    "*firebase-adminsdk*.json",
    "client_secret*.json",
    "service-account*.json",
    "service_account*.json",
    "serviceaccount*.json",
    "*secrets.{yml,yaml,json,toml,env,ini,txt,xml,properties}",
    "secret.{yml,yaml,json,toml,env,ini,xml,properties}",
    "secrets.*.{yml,yaml,json,toml}",
    "master.key",
    "*.tfvars",
    "*.tfvars.json",
    "*.tfstate",
    "*.tfstate.backup",
    "wp-config.php",
    "*.publishsettings",
    // What was typed into a shell or a database.
    ".*_history",
];

/// What is never told of unless it is source code.
pub(super) const UNLESS_SOURCE: &[&str] = &[
    "credentials",
    "kubeconfig*",
    "passwords.*",
    "*.env.*",
    "*.{key,pem}.*",
    "*id_{rsa,dsa,ecdsa,ed25519}*",
];

/// How the names of source code end. Scripts of shells are not among them: they are where people
/// export their passwords. Nor are documents and dumps.
pub(super) const SOURCE: &[&str] = &[
    "astro", "c", "cc", "cjs", "clj", "cljs", "cpp", "cs", "css", "cts", "cxx", "dart", "elm",
    "erb", "erl", "ex", "exs", "fs", "go", "gradle", "graphql", "groovy", "h", "hh", "hpp", "hrl",
    "hs", "html", "hxx", "java", "jl", "js", "jsx", "kt", "kts", "less", "lua", "m", "mjs", "ml",
    "mli", "mm", "mts", "nim", "php", "pl", "pm", "proto", "py", "pyi", "r", "rb", "rs", "sass",
    "scala", "scss", "sol", "svelte", "swift", "ts", "tsx", "vb", "vue", "zig",
];

/// What editors and people put behind the name of a file for a copy of it.
pub(super) const COPIES: &[&str] = &[
    "~", "#", ".bak", ".backup", ".old", ".orig", ".save", ".copy", ".tmp", ".swp", ".swo", ".swn",
    ".rej", " copy", ".1",
];
