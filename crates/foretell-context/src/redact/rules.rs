//! The table of what secrets look like.
//!
//! It is a table, and long: one row per kind, so that a new kind of key is one new row. Every row
//! names what its secrets are found by, a literal that stands in each of them, and how much of what
//! follows belongs to the secret. One scan looks for all literals at once, so that ordinary text
//! costs that scan and little more.
//!
//! Absent on purpose: what is public by design (publishable keys, account ids, certificates, public
//! keys), and random-looking strings that nothing around them calls a secret: hashes, ids and
//! fixtures look the same, and redacting those would blind the model on ordinary code.

use Alphabet::{Alphanumeric, Base64, Capital, Dashed, Dotted, Hex, Padded, Word};
use Shape::{Address, Around, Assignment, BlockEnd, BlockStart, Pattern};

/// One kind of secret.
pub(super) struct Rule {
    /// What it is called in reports.
    pub(super) kind: &'static str,
    /// Literals, one of which stands in every secret of the kind.
    pub(super) anchors: &'static [&'static str],
    /// What may stand before the literal.
    pub(super) before: Before,
    /// What comes with it.
    pub(super) shape: Shape,
}

/// What may stand before a literal for it to count.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Before {
    /// Anything: the literal is too odd to be part of something else.
    Anything,
    /// The start of a word.
    WordStart,
    /// The start of a word that is not joined to another one by a dash or a dot either.
    TokenStart,
}

/// What comes with a literal.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Characters of an alphabet, at least so many; fewer if the text is cut off there.
    Token(Alphabet, usize),
    /// What this pattern matches from the literal on: its groups, or else all of it. `<cut>` in it
    /// stands for the end of a text that is cut off.
    Pattern(&'static str),
    /// What this pattern matches when it is matched up to and with the literal, and so many
    /// characters before it at the most.
    Around(&'static str, usize),
    /// A signed token of three parts.
    WebToken,
    /// A block of lines that begins here.
    BlockStart,
    /// A block of lines that ends here, and whose beginning is not there.
    BlockEnd,
    /// The password of an address.
    Address,
    /// A value that is given to a name with this literal in it.
    Assignment(Strictness),
}

/// The characters that the body of a token is made of.
#[derive(Clone, Copy)]
pub(super) enum Alphabet {
    /// Hexadecimal digits.
    Hex,
    /// Capital letters and digits.
    Capital,
    /// Letters and digits.
    Alphanumeric,
    /// Those and `_`.
    Word,
    /// Those and `-`.
    Dashed,
    /// Those and `.`.
    Dotted,
    /// Letters, digits, `_`, `-`, `=`.
    Padded,
    /// Letters, digits, `+`, `/`, `=`, and what addresses put for them.
    Base64,
}

impl Alphabet {
    /// Whether it has a character.
    pub(super) fn has(self, byte: u8) -> bool {
        let letter_or_digit = byte.is_ascii_alphanumeric();
        match self {
            Alphabet::Hex => byte.is_ascii_hexdigit(),
            Alphabet::Capital => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alphabet::Alphanumeric => letter_or_digit,
            Alphabet::Word => letter_or_digit || byte == b'_',
            Alphabet::Dashed => letter_or_digit || matches!(byte, b'_' | b'-'),
            Alphabet::Dotted => letter_or_digit || matches!(byte, b'_' | b'-' | b'.'),
            Alphabet::Padded => letter_or_digit || matches!(byte, b'_' | b'-' | b'='),
            Alphabet::Base64 => letter_or_digit || matches!(byte, b'+' | b'/' | b'=' | b'%'),
        }
    }
}

/// How much a value must look like a secret.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Strictness {
    /// A person may have made it up: what is no mere word is enough.
    Password,
    /// A machine made it: it must look random.
    Random,
}

const fn token(
    kind: &'static str,
    anchors: &'static [&'static str],
    body: Alphabet,
    least: usize,
) -> Rule {
    Rule {
        kind,
        anchors,
        before: Before::Anything,
        shape: Shape::Token(body, least),
    }
}

const fn short(
    kind: &'static str,
    anchors: &'static [&'static str],
    body: Alphabet,
    least: usize,
) -> Rule {
    Rule {
        kind,
        anchors,
        before: Before::WordStart,
        shape: Shape::Token(body, least),
    }
}

const fn shaped(kind: &'static str, anchors: &'static [&'static str], shape: Shape) -> Rule {
    Rule {
        kind,
        anchors,
        before: Before::Anything,
        shape,
    }
}

const fn shaped_word(kind: &'static str, anchors: &'static [&'static str], shape: Shape) -> Rule {
    Rule {
        kind,
        anchors,
        before: Before::WordStart,
        shape,
    }
}

/// What is found by literals as they stand.
pub(super) const EXACT: &[Rule] = &[
    // Keys in blocks.
    shaped("private key", &["-----BEGIN "], BlockStart),
    shaped("private key", &["-----END "], BlockEnd),
    shaped(
        "OpenSSH key",
        &["b3BlbnNzaC1rZXktdjE"],
        Pattern(
            r"^[A-Za-z0-9+/=]+(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})*(?:(?:\s|\\[nr])+[A-Za-z0-9+/]*={1,2})?",
        ),
    ),
    shaped(
        "PuTTY key",
        &["Private-Lines:"],
        Pattern(
            r"^Private-Lines:\s*\d+(?:\s|\\[nr])+([A-Za-z0-9+/=]{2}(?s:.*?)(?:Private-(?:MAC|Hash):\s*[0-9a-f]*|\z))",
        ),
    ),
    token("age key", &["AGE-SECRET-KEY-1", "AGE-PLUGIN-"], Capital, 40),
    // Clouds.
    short("AWS key id", &["AKIA", "ASIA", "ABIA", "ACCA"], Capital, 16),
    shaped_word(
        "AWS secret key",
        &["AKIA", "ASIA"],
        Pattern(
            r"^A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9/+]{1,12}([A-Za-z0-9/+]{40}|[A-Za-z0-9/+]{8,39}<cut>)(?:[^A-Za-z0-9/+]|\z)",
        ),
    ),
    short("AWS Bedrock key", &["ABSK"], Base64, 60),
    token("AWS MWS key", &["amzn.mws."], Dashed, 36),
    short("Google API key", &["AIza"], Dashed, 35),
    token("Google OAuth secret", &["GOCSPX-"], Dashed, 20),
    short("Google OAuth token", &["ya29."], Dotted, 20),
    short("Google refresh token", &["1//0"], Dashed, 40),
    shaped_word(
        "Firebase key",
        &["AAAA"],
        Pattern(r"^AAAA[A-Za-z0-9_-]{7}:(?:[A-Za-z0-9_-]{100,}|[A-Za-z0-9_-]{8,}<cut>)"),
    ),
    shaped(
        "Azure key",
        &["AccountKey=", "SharedAccessKey=", "AccountKey\\u003d"],
        Pattern(
            r"^[A-Za-z]+(?:=|\\u003d)([A-Za-z0-9+/%]{20,}(?:=|\\u003d|%3[dD]){0,2}|[A-Za-z0-9+/%]{4,}<cut>)",
        ),
    ),
    shaped_word(
        "Azure signature",
        &["sig=", "sig%3D"],
        Pattern(r"^sig(?:=|%3D)([A-Za-z0-9%+/_-]{20,}={0,2}|[A-Za-z0-9%+/]{8,}<cut>)"),
    ),
    shaped(
        "Azure client secret",
        &["Q~"],
        Around(
            r"[A-Za-z0-9_~.-]{3}[0-9]Q~(?:[A-Za-z0-9_~.-]{30,}|[A-Za-z0-9_~.-]{4,}<cut>)",
            4,
        ),
    ),
    token(
        "DigitalOcean token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        Hex,
        64,
    ),
    token("Heroku key", &["HRKU-"], Dashed, 36),
    short(
        "Fly.io token",
        &["fo1_", "fm1_", "fm2_", "fm1r_", "fm1a_"],
        Base64,
        40,
    ),
    short("Netlify token", &["nfp_", "nfc_"], Alphanumeric, 36),
    short("Supabase key", &["sbp_"], Hex, 40),
    token("Supabase key", &["sb_secret_"], Dashed, 20),
    token(
        "PlanetScale key",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        Dotted,
        30,
    ),
    short("Databricks token", &["dapi"], Hex, 32),
    shaped(
        "Terraform token",
        &[".atlasv1."],
        Around(
            r"[A-Za-z0-9]{14}\.atlasv1\.(?:[A-Za-z0-9_=-]{60,}|[A-Za-z0-9_=-]{4,}<cut>)",
            14,
        ),
    ),
    short("Vault token", &["hvs.", "hvb.", "hvr."], Dashed, 24),
    token("Pulumi token", &["pul-"], Hex, 40),
    token(
        "Doppler token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim."],
        Dotted,
        40,
    ),
    token("Tailscale key", &["tskey-"], Dashed, 20),
    short("Alibaba key id", &["LTAI"], Alphanumeric, 16),
    // Where code and packages live.
    token(
        "GitHub token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        Word,
        36,
    ),
    token("GitHub token", &["github_pat_"], Word, 60),
    token(
        "GitLab token",
        &[
            "glpat-",
            "gldt-",
            "glrt-",
            "glrtr-",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glsoat-",
            "glffct-",
            "GR1348941",
        ],
        Dotted,
        20,
    ),
    short("Bitbucket token", &["ATBB"], Alphanumeric, 32),
    token("Atlassian token", &["ATATT3xFf", "ATCTT3xFf"], Padded, 60),
    short("npm token", &["npm_"], Alphanumeric, 36),
    token("PyPI token", &["pypi-AgE"], Dashed, 50),
    token("RubyGems key", &["rubygems_"], Hex, 48),
    short("crates.io token", &["cio"], Alphanumeric, 32),
    short("NuGet key", &["oy2"], Alphanumeric, 43),
    token("Docker token", &["dckr_pat_", "dckr_oat_"], Dashed, 20),
    token("Clojars token", &["CLOJARS_"], Hex, 60),
    short("JFrog key", &["AKCp"], Alphanumeric, 60),
    token("JFrog token", &["cmVmdGtuO"], Alphanumeric, 40),
    token("CircleCI token", &["CCIPAT_", "CCIPRJ_"], Word, 40),
    token("Buildkite token", &["bkua_"], Alphanumeric, 40),
    token("Sonar token", &["squ_", "sqp_", "sqa_"], Hex, 40),
    token("Postman key", &["PMAK-"], Dashed, 50),
    // Models.
    token("Anthropic key", &["sk-ant-"], Dashed, 20),
    token(
        "OpenAI key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
        Dashed,
        20,
    ),
    short("OpenAI key", &["sk-"], Alphanumeric, 32),
    token("OpenRouter key", &["sk-or-v1-", "sk-or-"], Dashed, 32),
    short("Hugging Face token", &["hf_"], Alphanumeric, 30),
    token("Hugging Face token", &["api_org_"], Alphanumeric, 30),
    short("Groq key", &["gsk_"], Alphanumeric, 40),
    short("xAI key", &["xai-"], Alphanumeric, 60),
    short("Replicate token", &["r8_"], Alphanumeric, 30),
    token("Perplexity key", &["pplx-"], Alphanumeric, 40),
    token("LangSmith key", &["lsv2_pt_", "lsv2_sk_"], Word, 40),
    // Money.
    token(
        "Stripe key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_org_"],
        Alphanumeric,
        16,
    ),
    token("Stripe webhook secret", &["whsec_"], Base64, 24),
    token("Square token", &["sq0atp-", "sq0csp-"], Dashed, 22),
    token(
        "Flutterwave key",
        &["FLWSECK-", "FLWSECK_TEST-"],
        Dashed,
        16,
    ),
    token(
        "Shopify token",
        &["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
        Hex,
        32,
    ),
    shaped(
        "Braintree token",
        &["access_token$"],
        Pattern(r"^access_token\$[a-z]+\$([a-z0-9]{16}\$[0-9a-f]{32}|[a-z0-9$]{8,}<cut>)"),
    ),
    // Messages.
    token(
        "Slack token",
        &[
            "xoxb-", "xoxp-", "xoxa-", "xoxe-", "xoxo-", "xoxr-", "xoxs-", "xoxc-", "xoxd-",
            "xapp-",
        ],
        Dashed,
        20,
    ),
    shaped(
        "Slack webhook",
        &["hooks.slack.com/"],
        Pattern(
            r"^hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{24,}|[A-Za-z0-9_/]{4,}<cut>)",
        ),
    ),
    shaped(
        "Discord webhook",
        &["discord.com/api/", "discordapp.com/api/"],
        Pattern(
            r"^discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/([A-Za-z0-9_-]{30,}|[A-Za-z0-9_-]{4,}<cut>)",
        ),
    ),
    // An account's number in base64, and two more parts.
    shaped_word(
        "Discord token",
        &["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        Pattern(
            r"^[A-Za-z0-9]{23,28}\.(?:[A-Za-z0-9_-]{6}\.(?:[A-Za-z0-9_-]{27,}|[A-Za-z0-9_-]{0,26}<cut>)|[A-Za-z0-9_-]{1,6}<cut>)",
        ),
    ),
    shaped(
        "Teams webhook",
        &[".webhook.office.com/", "outlook.office.com/webhook"],
        Pattern(r"^[a-z.]+/(webhook[A-Za-z0-9@/-]{20,})"),
    ),
    shaped(
        "Telegram token",
        &[":AA"],
        Around(
            r"[0-9]{8,10}:AA(?:[A-Za-z0-9_-]{32,34}|[A-Za-z0-9_-]{4,31}<cut>)",
            10,
        ),
    ),
    short("Twilio key", &["SK"], Hex, 32),
    short("SendGrid key", &["SG."], Dotted, 60),
    shaped_word(
        "Mailgun key",
        &["key-"],
        Pattern(r"^key-(?:[0-9a-f]{32}|[0-9a-f]{8,31}<cut>)"),
    ),
    shaped(
        "Mailchimp key",
        &["-us"],
        Around(r"[0-9a-f]{32}-us[0-9]{1,2}", 32),
    ),
    token("Brevo key", &["xkeysib-"], Dashed, 64),
    shaped_word(
        "Resend key",
        &["re_"],
        Pattern(r"^re_(?:[A-Za-z0-9]{8}_(?:[A-Za-z0-9]{20,}|[A-Za-z0-9]{0,19}<cut>))"),
    ),
    // Watching and planning.
    token("Grafana token", &["glc_", "glsa_"], Padded, 32),
    token("New Relic key", &["NRAK-", "NRJS-", "NRII-"], Dashed, 19),
    token("Sentry token", &["sntrys_", "sntryu_"], Padded, 40),
    token("Dynatrace token", &["dt0c01.", "dt0s16."], Dotted, 60),
    token("Linear key", &["lin_api_", "lin_oauth_"], Alphanumeric, 32),
    token("Notion token", &["ntn_"], Alphanumeric, 40),
    shaped_word(
        "Airtable token",
        &["pat"],
        Pattern(r"^pat[A-Za-z0-9]{14}\.(?:[0-9a-f]{64}|[0-9a-f]{4,63}<cut>)"),
    ),
    token("Figma token", &["figd_"], Dashed, 36),
    short("Dropbox token", &["sl."], Dashed, 100),
    token("Contentful token", &["CFPAT-"], Dashed, 36),
    token("1Password token", &["ops_eyJ"], Base64, 60),
    shaped_word(
        "Mapbox token",
        &["sk.eyJ"],
        Pattern(r"^sk\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{10,}|\.?[A-Za-z0-9_-]*<cut>)"),
    ),
    // Signed tokens.
    Rule {
        kind: "JSON web token",
        anchors: &["eyJ"],
        before: Before::TokenStart,
        shape: Shape::WebToken,
    },
    // Addresses and commands.
    shaped("address", &["://"], Address),
    shaped_word(
        "login",
        &["sshpass"],
        Pattern(r#"^sshpass[ \t]+-p[ \t]*["']?([^\s"'$]{3,})"#),
    ),
    shaped(
        "login",
        &[" -u ", " --user ", " --user="],
        Pattern(r#"^ --?u(?:ser)?(?:[ \t]+|=)["']?[A-Za-z0-9._@+-]+:([^\s"'${<]{4,})"#),
    ),
    // Joined to the letter of its flag, it must look like a password: `-unit:tests` is none.
    shaped(
        "command line",
        &[" -u"],
        Pattern(r#"^ -u["']?[A-Za-z0-9._@+-]{1,60}:([^\s"'${<]{4,})"#),
    ),
    shaped_word(
        "command line",
        &["mysql", "mariadb"],
        Pattern(
            r#"^(?:mysql|mariadb)[a-z_-]{0,12}[ \t](?:[^\n|;&]{0,120}?[ \t])?-p["']?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
];

/// What is found by literals in capitals or not: what names and headers call a secret.
pub(super) const NAMED: &[Rule] = &[
    shaped(
        "authorization",
        &["authorization"],
        Pattern(
            r#"(?i)^authorization[\\"'`\])]*\s*(?:[:=,]|=>)\s*[\\"'`]*(?:(?:bearer|basic|token|apikey|api-key|key|bot|negotiate|digest)[ \t]+)([A-Za-z0-9+/=._~:-]{8,})"#,
        ),
    ),
    shaped_word(
        "authorization",
        &["bearer "],
        Pattern(r"(?i)^bearer[ \t]+([A-Za-z0-9+/=._~-]{16,}|[A-Za-z0-9+/=._~-]{8,}<cut>)"),
    ),
    shaped_word(
        "authorization",
        &["basic "],
        Pattern(r"(?i)^basic[ \t]+([A-Za-z0-9+/]{8,}={0,2})"),
    ),
    // The second of two: `auth=("me", "…")`, `BasicAuth("me", "…")`. Lists in brackets are often those
    // of something else, such as the parts that a package is built with.
    shaped(
        "login pair",
        &[
            "auth=(",
            "auth = (",
            "auth: (",
            "auth' => [",
            "auth\" => [",
            "basicauth(",
            "basic_auth(",
            "digestauth(",
            "digest_auth(",
            "proxyauth(",
        ],
        Pattern(
            r#"^[A-Za-z_]{4,11}["']?(?: =>| ?=|:)? ?[(\[]\s{0,40}(?:[bru]?["'][^"'\n]+["']|[A-Za-z0-9_.&]{1,60}),\s{0,40}(?:Some\(|[a-z_]{1,20} ?= ?)?[bru]?["']([^"'\n]{4,})(?:["']|<cut>)"#,
        ),
    ),
    shaped(
        "seed phrase",
        &[
            "mnemonic",
            "seed_phrase",
            "seedphrase",
            "seed phrase",
            "seed-phrase",
        ],
        Pattern(
            r#"(?i)^(?:mnemonic|seed[_-]?(?:\x20)?phrase)[a-z_]{0,40}[\\"'`\])]*\s*(?:[:=]|=>)\s*[\\"'`]*((?-i:[a-z]{3,8}(?: [a-z]{3,8}){11,23}|[a-z]{3,8}(?: [a-z]{1,8})+<cut>))"#,
        ),
    ),
    shaped(
        "cookie",
        &["cookie"],
        Pattern(
            r#"(?i)^cookies?["'`]?\s{0,3}[:=,(]\s{0,3}["'`]?(?:[a-z0-9._-]{1,40}=[!#-&(-:<>-_a-~]{0,60};\x20?){0,6}?[a-z0-9._-]{0,30}(?:sess|sid|auth|token|jwt)[a-z0-9._-]{0,20}=([a-z0-9%._~+/=|:*-]{16,}|[a-z0-9%._~+/=|:*-]{8,}<cut>)"#,
        ),
    ),
    shaped(
        "SQL password",
        &["identified by ", "identified with "],
        Pattern(
            r#"(?i)^identified (?:by|with [a-z0-9_]+ (?:by|as))\s+(?:password\s+)?["']((?u-i:[^"'\n$<{]{4,}))["']"#,
        ),
    ),
    shaped(
        "password",
        &[
            "password",
            "passwd",
            "passphrase",
            "passcode",
            "passwort",
            "pwd",
            "pass",
        ],
        Assignment(Strictness::Password),
    ),
    shaped(
        "secret",
        &["secret", "credential", "key-data"],
        Assignment(Strictness::Random),
    ),
    shaped("token", &["token"], Assignment(Strictness::Random)),
    shaped(
        "key",
        &[
            "apikey",
            "api_key",
            "api-key",
            "api key",
            "accesskey",
            "access_key",
            "access-key",
            "authkey",
            "auth_key",
            "auth-key",
            "privatekey",
            "private_key",
            "private-key",
            "encryptionkey",
            "encryption_key",
            "encryption-key",
            "signingkey",
            "signing_key",
            "signing-key",
            "masterkey",
            "master_key",
            "master-key",
            "accountkey",
            "account_key",
            "sharedkey",
            "shared_key",
            "appkey",
            "app_key",
            "passkey",
            "key_base",
        ],
        Assignment(Strictness::Random),
    ),
];
