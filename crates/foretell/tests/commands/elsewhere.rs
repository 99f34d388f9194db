//! What pages say and nobody can type in a test: why not, and who does instead.
//!
//! A command that no page has any more must not stay here, and what is said to run it is looked for.

/// Commands that are not typed here.
pub(crate) struct Elsewhere {
    pub(crate) commands: &'static [&'static str],
    pub(crate) why: &'static str,
    /// The file that has them run, or something that comes to the same, and how that stands there. Where
    /// there is none, nobody runs them but people.
    pub(crate) by: Option<(&'static str, &'static str)>,
}

pub(crate) const ELSEWHERE: &[Elsewhere] = &[
    Elsewhere {
        commands: &[
            "cargo test --workspace",
            "UPDATE_EXPECT=1 cargo test --workspace",
        ],
        why: "It would run this test within itself.",
        by: Some((".ci/run", "README_TESTS='cargo test --workspace'")),
    },
    Elsewhere {
        commands: &[
            "cargo test -p foretell --test versions",
            "cargo test -p foretell --test corpus",
        ],
        why: "It builds, and is one of the workspace's tests.",
        by: Some((".ci/run", "README_TESTS='cargo test --workspace'")),
    },
    Elsewhere {
        commands: &["cargo run --release --"],
        why: "It is the beginning of a command.",
        by: Some((".ci/run", "README_MAIN='cargo run --release -- ")),
    },
    Elsewhere {
        commands: &["cargo build --release"],
        why: "It builds for minutes.",
        by: Some((".ci/run", "cargo build --locked --release")),
    },
    Elsewhere {
        commands: &["cargo build --locked --profile dist -p foretell"],
        why: "It builds for minutes more, and differs from what the gate builds in its profile alone.",
        by: Some((".ci/run", "cargo build --locked --release")),
    },
    Elsewhere {
        commands: &[
            "cargo install --locked --path crates/foretell",
            "git pull && cargo install --locked --path crates/foretell",
            "cargo uninstall foretell",
        ],
        why: "It builds for minutes, and wants the network. What it installs is typed here.",
        by: Some((".ci/run", "cargo install --locked --path crates/foretell")),
    },
    Elsewhere {
        commands: &[".ci/generate", ".ci/generate --check"],
        why: "It writes files of this checkout, or compares them by tests of the workspace.",
        by: Some((".ci/run", "README_TESTS='cargo test --workspace'")),
    },
    Elsewhere {
        commands: &[
            "PROPTEST_RNG_SEED=1 PROPTEST_CASES=20000 cargo test -p foretell-text --release --test laws",
        ],
        why: "It takes long; with fewer cases, and its own, it is one of the workspace's tests.",
        by: Some((".ci/run", "README_TESTS='cargo test --workspace'")),
    },
    Elsewhere {
        commands: &["foretell setup"],
        why: "It looks for servers on the usual ports, where those of whoever runs the tests may be.",
        by: Some((
            "crates/foretell/tests/setup.rs",
            "fn setup(workspace: &Workspace",
        )),
    },
    Elsewhere {
        commands: &["cargo doc --open -p foretell-text"],
        why: "It opens a browser.",
        by: Some((".ci/run", "cargo doc --workspace --no-deps --locked")),
    },
    Elsewhere {
        commands: &["cargo bench", "cargo bench --bench text"],
        why: "It takes most of an hour; the gate runs the part of it that can fail.",
        by: Some((
            ".ci/run",
            "cargo bench --locked --profile release -p foretell-benches --bench instructions",
        )),
    },
    Elsewhere {
        commands: &["cargo bench -p foretell-context --bench redaction_rates"],
        why: "It builds for minutes; the gate runs the part of it that can fail.",
        by: Some((".ci/run", "--bench redaction_rates")),
    },
    Elsewhere {
        commands: &[".ci/corpus DIRECTORY"],
        why: "It wants the network.",
        by: Some((".ci/run", ".ci/corpus \"$CACHE/corpus-small\" small")),
    },
    Elsewhere {
        commands: &[
            "RUSTC_BOOTSTRAP=1 cargo fuzz run traces",
            "RUSTC_BOOTSTRAP=1 cargo fuzz run traces FILE",
            "RUSTC_BOOTSTRAP=1 cargo fuzz run traces -- -merge=1 fuzz/corpus/traces ~/.cache/foretell-ci/fuzz/traces",
        ],
        why: "It wants a tool, and goes on until it is stopped.",
        by: Some((".ci/run", "cargo fuzz run \"$target\"")),
    },
    Elsewhere {
        commands: &[
            ".ci/run --only fuzz --minutes 60",
            "TEST_FORETELL_SEED=SEED .ci/run --only fresh",
        ],
        why: "It takes long; the gate does the same for a shorter time, with a seed of its own.",
        by: Some((".ci/run", "area_fresh() {")),
    },
    Elsewhere {
        commands: &["cargo install cargo-fuzz"],
        why: "It wants the network.",
        by: Some((".ci/run", "cargo install cargo-fuzz")),
    },
    Elsewhere {
        commands: &[".ci/run", ".ci/run --only lint", ".ci/run --only editors"],
        why: "It is the gate, which runs this test.",
        by: Some((".ci/run", "--only)")),
    },
    Elsewhere {
        commands: &[".ci/newcomer"],
        why: "It builds everything from nothing. What it does around that is tried with other commands.",
        by: Some(("crates/foretell/tests/scripts.rs", "script(\"newcomer\")")),
    },
    Elsewhere {
        commands: &[".ci/neovim DIRECTORY", ".ci/neovim DIRECTORY 0.12"],
        why: "It wants the network.",
        by: Some((".ci/run", ".ci/neovim \"$CACHE/neovim\"")),
    },
    Elsewhere {
        commands: &[".ci/emacs DIRECTORY"],
        why: "It wants the network.",
        by: Some((".ci/run", ".ci/emacs \"$CACHE/emacs\"")),
    },
    Elsewhere {
        commands: &[".ci/pytest-lsp DIRECTORY"],
        why: "It wants the network.",
        by: Some((".ci/run", ".ci/pytest-lsp \"$CACHE/pytest-lsp\"")),
    },
    Elsewhere {
        commands: &[".ci/code-server DIRECTORY"],
        why: "It wants the network.",
        by: Some((".ci/run", ".ci/code-server \"$CACHE/code-server\"")),
    },
    Elsewhere {
        commands: &["npm ci", "cd editors/vscode"],
        why: "It wants Node.js and the network.",
        by: Some((".ci/run", "npm ci --no-audit --no-fund")),
    },
    Elsewhere {
        commands: &["npm test"],
        why: "It wants Node.js, VS Code and a browser.",
        by: Some((".ci/run", "npm test\n")),
    },
    Elsewhere {
        commands: &[
            "cd editors/vscode && npm ci && npm run package",
            "npm run package",
            "npm run package -- --no-server",
            "cd editors/vscode && npm ci && npm run package -- --server ../../target/dist/foretell",
        ],
        why: "It wants Node.js and the network.",
        by: Some((
            ".ci/run",
            "npm run package -- --out \"$TEST_FORETELL_VSIX\"",
        )),
    },
    Elsewhere {
        commands: &[
            "code --install-extension foretell-*.vsix",
            "code --install-extension foretell-0.1.0-linux-x64.vsix",
            "code --uninstall-extension foretell.foretell",
        ],
        why: "It wants VS Code; the gate installs the package into the one that it has.",
        by: Some((".ci/run", "dist/test/packaged.test.js")),
    },
    Elsewhere {
        commands: &["npm run bench", "npm run bench -- --with none"],
        why: "It wants Node.js, VS Code and a browser, and prints times, which are never a test.",
        by: None,
    },
    Elsewhere {
        commands: &["npm run pictures"],
        why: "It writes pictures of this checkout, for people to look at.",
        by: None,
    },
    Elsewhere {
        commands: &[
            "cargo build --locked -p foretell",
            "cargo build --locked -p foretell-testkit --example model_server",
        ],
        why: "It builds.",
        by: Some((".ci/run", "cargo build --locked --workspace --bin foretell")),
    },
    Elsewhere {
        commands: &["nvim -l editors/nvim/test/run.lua"],
        why: "It wants Neovim and tmux.",
        by: Some((".ci/run", "-l editors/nvim/test/run.lua")),
    },
    Elsewhere {
        commands: &["nvim -l editors/nvim/test/typing.lua"],
        why: "It wants Neovim, and prints times, which are never a test.",
        by: None,
    },
    Elsewhere {
        commands: &["nvim -l editors/nvim/test/pictures.lua"],
        why: "It wants Neovim and tmux, and writes pictures of this checkout, which a test compares.",
        by: Some(("editors/nvim/test/pictures_test.lua", "Album.of(")),
    },
    Elsewhere {
        commands: &[
            "git tag -s v0.1.0 -m \"Foretell 0.1.0\"",
            "git push origin v0.1.0",
            "git checkout v0.1.0",
        ],
        why: "It is done once for each release, by who makes it.",
        by: None,
    },
    Elsewhere {
        commands: &["foretell man | man -l -                            # read it without that"],
        why: "Not every machine has man; what it is given is read by groff.",
        by: Some(("crates/foretell/tests/manual.rs", "Command::new(\"groff\")")),
    },
    Elsewhere {
        commands: &[
            "strace -f -qq -e trace=%network foretell complete examples/complete/settings.ts:18",
        ],
        why: "Not every machine has strace, or lets it look; it is a step of RELEASING.md.",
        by: None,
    },
    Elsewhere {
        commands: &["hx --health rust"],
        why: "It wants Helix.",
        by: None,
    },
    Elsewhere {
        commands: &["ssh -L 8012:127.0.0.1:8012 host"],
        why: "It wants another machine.",
        by: None,
    },
    Elsewhere {
        commands: &[
            "llama-server --fim-qwen-1.5b-default --host 127.0.0.1 --port 8012",
            "llama-server -m MODEL.gguf --port 8012 -c 8192 --cache-reuse 256",
            "llama-server -hf Qwen/Qwen2.5-Coder-7B-Instruct-GGUF --host 127.0.0.1 --port 8013 -c 8192",
            "llama-server --api-key-file FILE",
            "llama-server -hf bartowski/zed-industries_zeta-2-GGUF:Q8_0 --host 127.0.0.1 --port 8013 -c 8192 --spec-type ngram-simple",
        ],
        why: "It downloads a model of gigabytes; the real server is tried with small ones.",
        by: Some(("crates/foretell/tests/llama.rs", "TEST_FORETELL_LLAMA")),
    },
    Elsewhere {
        commands: &[
            "ollama pull qwen2.5-coder:1.5b-base",
            "ollama pull qwen2.5-coder:7b",
            "OLLAMA_CONTEXT_LENGTH=8192 OLLAMA_KEEP_ALIVE=1h ollama serve",
            "ollama ps",
            "ollama show MODEL",
            "ollama serve",
            "ollama pull",
            "ollama list",
            "lms get qwen2.5-coder-7b-instruct",
            "lms server start --port 1234",
            "lms load",
            "lms ps",
            "lms log stream",
            "curl http://127.0.0.1:1234/v1/models",
            "vllm serve Qwen/Qwen2.5-Coder-7B --host 127.0.0.1 --port 8000 --max-model-len 8192 --api-key \"$(cat ~/.config/vllm/key)\"",
            "vllm serve Qwen/Qwen2.5-Coder-7B-Instruct --host 127.0.0.1 --port 8001 --max-model-len 8192 --api-key \"$(cat ~/.config/vllm/key)\"",
            "curl http://127.0.0.1:8000/v1/models",
            "ollama pull hf.co/bartowski/zed-industries_zeta-2-GGUF:Q4_K_M",
            "vllm serve zed-industries/zeta-2.1 --host 127.0.0.1 --port 8013 --max-model-len 8192 --speculative-config '{\"method\": \"ngram\", \"num_speculative_tokens\": 8, \"prompt_lookup_max\": 4}'",
        ],
        why: "It wants a model server that cannot be had here, as its page says; it is a step of RELEASING.md.",
        by: None,
    },
];

/// What pages show that no command before it has printed: the page, how it begins, and who compares it.
pub(crate) const SHOWN_ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "ARCHITECTURE.md",
        "crates/",
        "crates/foretell/tests/pages.rs",
    ),
    ("docs/lsp.md", "--> ", "crates/foretell/tests/transcript.rs"),
    ("docs/lsp.md", "<-- ", "crates/foretell/tests/transcript.rs"),
    (
        "docs/metrics.md",
        "INFO foretell: metrics are at",
        "crates/foretell/tests/metrics/session.rs",
    ),
    (
        "docs/editors/nvim.md",
        "Nothing was shown: ",
        "editors/nvim/test/pictures_test.lua",
    ),
    (
        "docs/editors/nvim.md",
        "Rejected, and not shown again.",
        "editors/nvim/test/pictures_test.lua",
    ),
    (
        "docs/editors/nvim.md",
        "Nothing was sent ",
        "editors/nvim/test/pictures_test.lua",
    ),
    (
        "docs/editors/nvim.md",
        "quiet\n",
        "editors/nvim/test/pictures_test.lua",
    ),
    (
        "docs/editors/nvim.md",
        "=====",
        "editors/nvim/test/pictures_test.lua",
    ),
];
