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
    /// What this pattern of bytes matches, with a literal in it, and all that is joined to its end.
    Service {
        /// How far before its literal it may begin.
        before: usize,
        /// How long it is at the least.
        least: usize,
        /// What it looks like.
        pattern: &'static str,
    },
    /// A signed token of three parts.
    WebToken,
    /// A block of lines that begins here.
    BlockStart,
    /// A block of lines that ends here, and whose beginning is not there.
    BlockEnd,
    /// The password of an address.
    Address,
    /// The values of the manifest that this says the kind of.
    Manifest,
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

/// A row of `services`.
pub(super) const fn service(
    kind: &'static str,
    anchors: &'static [&'static str],
    before: usize,
    least: usize,
    pattern: &'static str,
) -> Rule {
    Rule {
        kind,
        anchors,
        before: if before == 0 {
            Before::WordStart
        } else {
            Before::Anything
        },
        shape: Shape::Service {
            before,
            least,
            pattern,
        },
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
        "private key",
        &["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"],
        Pattern(r"^----[^-]+----(?s:.+?)(?:---- END SSH2 ENCRYPTED PRIVATE KEY ----|\z)"),
    ),
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
    shaped_word(
        "Scaleway key",
        &["SCW"],
        Pattern(r"^(SCW[A-Z0-9]{17})(?:[^A-Za-z0-9]|\z)"),
    ),
    shaped_word(
        "Twitch token",
        &["oauth:"],
        Pattern(r"^(oauth:[a-z0-9]{30})(?:[^A-Za-z0-9]|\z)"),
    ),
    shaped(
        "Sidekiq login",
        &["CONTRIBSYS__COM", "contribsys.com"],
        Pattern(r#"^[A-Za-z_.]{14,15}["']?[ =:]{1,3}["']?([0-9a-f]{8}:[0-9a-f]{8})"#),
    ),
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
    shaped(
        "private key",
        &["-----BEGIN%20", "-----BEGIN+"],
        Pattern(r"^-----BEGIN(?:%20|\+)[A-Z0-9%+]{0,40}KEY-----[A-Za-z0-9%+/=_.-]{40,}"),
    ),
    shaped(
        "private key",
        &["-----BEGIN OpenVPN Static key V1-----"],
        Pattern(r"^-----[A-Za-z0-9 ]+-----(?s:.+?)(?:-----END OpenVPN Static key V1-----|\z)"),
    ),
    // Keys without the lines around them: what they begin with in base64 and in hexadecimal digits.
    shaped_word(
        "private key",
        &[
            "MHcCAQEEI",
            "MHQCAQEEI",
            "MIGkAgEBBD",
            "MIHcAgEBBE",
            "MIGHAgEAMBMGByqGSM49",
            "MIGEAgEAMBAGByqGSM49",
            "MIG2AgEAMBAGByqGSM49",
            "MIHuAgEAMBAGByqGSM49",
            "MC4CAQAwBQYDK2V",
            "RWRTY0Iy",
            "RWRCSw",
        ],
        Pattern(r"^[A-Za-z0-9+/=_-]{40,}(?:(?:\s|\\[nr]|[\x22'+,]){1,60}[A-Za-z0-9+/=]{16,})*"),
    ),
    // An RSA key, of any length: a sequence of that length, the number of its version, and what it is of.
    shaped(
        "private key",
        &["MII"],
        Pattern(
            r"^MII[A-Za-z0-9+/]{2}[AQgw]IB(?:AAK[BC]|ADAN)[A-Za-z0-9+/=_-]{28,}(?:(?:\s|\\[nr]|[\x22'+,]){1,60}[A-Za-z0-9+/=]{16,})*",
        ),
    ),
    shaped_word(
        "private key",
        &["30770201", "30740201", "302e0201", "3082", "3081", "30820"],
        Pattern(r"^30(?:77|74|2e|81[0-9a-f]{2}|82[0-9a-f]{4})0201(?:00|01)[0-9a-f]{40,}"),
    ),
    shaped(
        "private key",
        &["<D>", "<P>", "<Q>", "<DP>", "<DQ>", "<InverseQ>"],
        Pattern(r"^<[A-Za-z]{1,8}>\s{0,40}([A-Za-z0-9+/=\s]{20,})</"),
    ),
    shaped(
        "encoded",
        &[
            "| base64 -d",
            "| base64 -D",
            "| base64 --decode",
            "|base64 -d",
        ],
        Around(
            r#"[A-Za-z0-9+/=]{12,400}["']?[ \t]{0,4}\|[ \t]?base64 (?:-d|-D|--decode)"#,
            400,
        ),
    ),
    // What is encoded.
    shaped_word(
        "private key",
        &["LS0tLS1CRUdJT"],
        Pattern(r"^LS0tLS1CRUdJT[A-Za-z0-9+/=_-]{16,}(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})*"),
    ),
    shaped(
        "JSON web key",
        &[
            "\"d\"", "\"k\"", "\"p\"", "\"q\"", "\"dp\"", "\"dq\"", "\"qi\"",
        ],
        Pattern(r#"^"[a-z]{1,2}"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{40,})""#),
    ),
    // Secrets of clusters.
    shaped(
        "manifest",
        &[
            "kind: Secret\n",
            "kind: Secret\r",
            "kind: \"Secret\"",
            "\"kind\": \"Secret\"",
            "\"kind\":\"Secret\"",
        ],
        Shape::Manifest,
    ),
    // Tokens that the catalogue does not have.
    short("Fireworks key", &["fw_"], Alphanumeric, 20),
    token("Aiven password", &["AVNS_"], Dashed, 18),
    shaped_word(
        "LaunchDarkly key",
        &["sdk-", "api-", "mob-"],
        Pattern(r"^(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    ),
    short("Sourcegraph licence", &["slk_"], Hex, 64),
    shaped_word(
        "StackHawk key",
        &["hawk."],
        Pattern(r"^hawk\.[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}"),
    ),
    shaped_word(
        "HubSpot token",
        &["pat-"],
        Pattern(r"^pat-[a-z]{2}[0-9]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"),
    ),
    short(
        "Twitter bearer token",
        &["AAAAAAAAAAAAAAAAAAAAA"],
        Base64,
        60,
    ),
    shaped_word(
        "Asana token",
        &["1/", "2/"],
        Pattern(r"^[12]/[0-9]{13,18}(?:/[0-9]{13,18})?:[0-9a-f]{32}"),
    ),
    shaped_word(
        "Mollie key",
        &["live_", "test_"],
        Pattern(r"^(?:live|test)_([0-9A-Za-z]{30})(?-u:\b)"),
    ),
    short(
        "AWS session token",
        &["IQoJb3JpZ2luX2Vj", "FwoGZXIvYXdz", "FQoGZXIvYXdz"],
        Base64,
        60,
    ),
    short(
        "Razorpay key",
        &["rzp_live_", "rzp_test_"],
        Alphanumeric,
        14,
    ),
    token("Brevo key", &["xsmtpsib-"], Dashed, 64),
    token("Doppler token", &["dp.audit."], Dotted, 40),
    shaped_word(
        "Backblaze key",
        &["K00"],
        Pattern(r"^K00[0-9][A-Za-z0-9/+]{27}"),
    ),
    shaped_word(
        "Flagsmith key",
        &["ser."],
        Pattern(r"^ser\.[A-Za-z0-9]{20,}"),
    ),
    short("Google storage id", &["GOOG1E"], Capital, 50),
    shaped_word("Firecrawl key", &["fc-"], Pattern(r"^fc-[0-9a-f]{32}")),
    shaped_word(
        "Modal token",
        &["as-", "ak-"],
        Pattern(r"^a[sk]-[A-Za-z0-9]{22}(?-u:\b)"),
    ),
    shaped_word(
        "Inngest key",
        &["signkey-"],
        Pattern(r"^signkey-[a-z]{4,8}-[0-9a-f]{32,}"),
    ),
    short(
        "Trigger.dev key",
        &["tr_prod_", "tr_dev_", "tr_stg_", "tr_preview_"],
        Alphanumeric,
        20,
    ),
    shaped_word(
        "Rancher token",
        &["token-"],
        Pattern(r"^token-[a-z0-9]{5}:[a-z0-9]{54}"),
    ),
    shaped_word(
        "old Vault token",
        &["s."],
        Pattern(r"^s\.[A-Za-z0-9]{24}(?-u:\b)"),
    ),
    short("Lichess token", &["lip_"], Alphanumeric, 20),
    shaped_word("Nightfall key", &["NF-"], Pattern(r"^NF-[A-Za-z0-9]{32}")),
    short("Trello token", &["ATTA"], Alphanumeric, 64),
    short("Tencent key id", &["AKID"], Alphanumeric, 32),
    short("Yandex token", &["y0_"], Dashed, 40),
    shaped_word(
        "Sentry token",
        &["sntrys_"],
        Pattern(r"^sntrys_[A-Za-z0-9+/=_-]{40,}"),
    ),
    shaped_word(
        "LinkedIn secret",
        &["WPL_AP1."],
        Pattern(r"^WPL_AP1\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{4,12}={0,2}"),
    ),
    short("Notion token", &["secret_"], Alphanumeric, 43),
    token("Tavily key", &["tvly-"], Dashed, 28),
    short(
        "wallet key",
        &["xprv", "yprv", "zprv", "tprv", "uprv", "vprv"],
        Alphanumeric,
        100,
    ),
    shaped_word(
        "Okta token",
        &["SSWS "],
        Pattern(r"^SSWS ([A-Za-z0-9_-]{30,})"),
    ),
    // Addresses that let in whoever knows them.
    shaped(
        "address of a hook",
        &[
            "/hook/",
            "/hooks/",
            "/webhook/",
            "/webhooks/",
            "alchemy.com/v2/",
            "infura.io/v3/",
            "quiknode.pro/",
        ],
        Pattern(r"^[a-z./0-9]{5,18}/?((?:[A-Za-z0-9_-]{1,40}/){0,3}[A-Za-z0-9_-]{20,})"),
    ),
    // Addresses and commands.
    shaped("address", &["://"], Address),
    shaped_word(
        "login",
        &[
            "docker login",
            "podman login",
            "helm registry login",
            "nerdctl login",
        ],
        Pattern(
            r#"^[a-z ]{5,20}[ \t](?:[^\n|;&]{0,160}?[ \t])?(?:-p|--password)(?:[ \t]+|=)["']?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
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
        &["token "],
        Pattern(r"(?i)^token[ \t]+([0-9a-f]{40})"),
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
            r#"^[A-Za-z_]{4,11}["']?(?: =>| ?=|:)? ?[(\[]\s{0,40}(?:[bru]?\\?["'][^"'\n]+["']|[A-Za-z0-9_.&]{1,60}),\s{0,40}(?:Some\(|[a-z_]{1,20} ?= ?)?[bru]?\\?["']((?:[^"'\\\n]|\\[^"'\n]|\\["'][A-Za-z0-9])+[^"'\\\n]{2,})\\?(?:["']|<cut>)"#,
        ),
    ),
    // The last of a login: `server.login("me", "…")`, `new PDO(address, "me", "…")`.
    shaped(
        "login pair",
        &[
            ".login(",
            "networkcredential(",
            "passwordauthentication(",
            "usernamepasswordcredentials(",
            "passwordcredential(",
            "plainauth(",
            ".authenticate(",
            "setcredentials(",
            "withcredentials(",
            "plaincredentials(",
            "basiccredentials(",
            "credentials::new(",
            "passwordtoken(",
            "setbasicauth(",
            "withbasicauth(",
            "httpbasic(",
            ".basic(",
            "setauthentication(",
            "setcredential(",
        ],
        Pattern(
            r#"^\.?[A-Za-z:]{5,28}\(\s{0,40}(?:"",\s{0,8})?["'][^"'\n]{1,80}["'](?:\.[a-z_]{4,9}\(\))?,\s{0,40}[bru]?["']((?:[^"'\\\n]|\\.){4,})(?:["']|<cut>)"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            "new pdo(",
            "sequelize(",
            "create_superuser(",
            "createsuperuser(",
            " ftp(",
            " ftp_tls(",
            "ftplib.ftp(",
            "= database(",
            "mysqli(",
            "mysqli_connect(",
            "getconnection(",
            "pg_connect(",
            "mysql_connect(",
        ],
        Pattern(
            r#"^[A-Za-z_ .=]{4,18}\(\s{0,40}(?:["'][^"'\n]{0,160}["']|[$A-Za-z0-9_.>-]{1,60}),\s{0,40}["'][^"'\n]{0,80}["'],\s{0,40}["']([^"'\n]{4,})(?:["']|<cut>)"#,
        ),
    ),
    shaped_word(
        "login",
        &[
            "ldapsearch ",
            "ldapmodify ",
            "ldapadd ",
            "ldapwhoami ",
            "ldapdelete ",
            "ldappasswd ",
        ],
        Pattern(
            r#"^ldap[a-z]{3,8}[ \t](?:[^\n|;&]{0,160}?[ \t])?-w[ \t]*(?:"([^"${\n]{4,80})"|'([^'${\n]{4,80})'|([^\s"'${<-][^\s"'${<]{3,}))"#,
        ),
    ),
    shaped_word(
        "login",
        &["ldappasswd "],
        Pattern(
            r#"^ldappasswd[ \t](?:[^\n|;&]{0,160}?[ \t])?-s[ \t]*["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    // `sqlplus user/…@host`.
    shaped_word(
        "login",
        &[
            "sqlplus ", "sqlldr ", "expdp ", "impdp ", "exp ", "imp ", "rman ",
        ],
        Pattern(
            r#"^[a-z]{3,7}[ \t]+(?:-[A-Za-z]{1,3}[ \t]+|target[ \t]+|userid=){0,3}["']?[A-Za-z][A-Za-z0-9_]{1,30}/["']?([^\s"'${<@/]{4,80})["']?@[A-Za-z0-9/]"#,
        ),
    ),
    shaped_word(
        "login",
        &["rootpw "],
        Pattern(
            r#"^rootpw[ \t]+(?:--(?:plaintext|lock|allow-ssh)[ \t]+){1,3}["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    // Lines of `user:…` that a machine sets up its accounts from.
    shaped(
        "login",
        &["chpasswd:"],
        Pattern(
            r"^chpasswd:[ \t]{0,4}\r?\n(?:[ \t]{1,12}expire:[^\n]{1,16}\n)?[ \t]{1,12}list:[ \t]{0,4}[|>]?[^\n]{0,4}\n[ \t]{1,16}(?:- )?[A-Za-z0-9._-]{1,32}:([^\s${<]{4,80})(?:\s{1,20}(?:- )?[A-Za-z0-9._-]{1,32}:([^\s${<]{4,80}))?",
        ),
    ),
    // `[smtp.example.net]:587 user:…`, as a relay of mails has it.
    shaped(
        "login",
        &[
            "]:587",
            "]:465",
            "]:25",
            "]:submission",
            "[smtp.",
            "[mail.",
            "[relay.",
        ],
        Pattern(
            r"^(?:\[[A-Za-z0-9.-]{4,60})?\](?::[a-z0-9]{2,10})?[ \t]{1,20}[A-Za-z0-9._+@-]{1,60}:([^\s:${<]{4,80})(?:\s|\z)",
        ),
    ),
    shaped_word(
        "login",
        &["ipaddr = ", "ipaddr=", "ipv4addr = "],
        Pattern(
            r"^ip[v4]{0,2}addr ?= ?[^\s]{3,60}\s{1,40}(?:[a-z_]{2,24} ?= ?[^\s]{1,60}\s{1,40}){0,3}?secret ?= ?([^\s${<]{4,80})",
        ),
    ),
    shaped_word(
        "login",
        &["stats auth ", "auth-user-pass "],
        Pattern(r"^[a-z-]{5,14} ?(?:auth )?[^\s:]{1,40}:([^\s${<]{4,80})"),
    ),
    shaped_word(
        "login",
        &["requirepass ", "masterauth "],
        Pattern(r#"^[a-z]{10,11}[ \t]+["']?([^\s"'${<]{4,80})"#),
    ),
    // Routers and switches.
    shaped_word(
        "login",
        &[
            "enable secret ",
            "enable password ",
            "privilege 15 secret ",
            "privilege 15 password ",
            "key-string ",
            "tacacs-server key ",
            "radius-server key ",
            "isakmp key ",
            "password 0 ",
            "password 7 ",
            "secret 0 ",
            "secret 5 ",
        ],
        Pattern(
            r#"^[a-z0-9 -]{8,22} (?:[0579] )?["']?([^\s"'${<(]{4,80})["']?(?: address [^\n]{1,40})?[ \t]{0,4}(?:\r?\n|\z)"#,
        ),
    ),
    shaped(
        "login",
        &[": xauth \"", ": eap \"", ": psk \"", ": ntlm \""],
        Pattern(r#"^: [A-Za-z]{3,5} "([^"\n$]{4,120})""#),
    ),
    shaped_word(
        "login",
        &["snmpwalk ", "snmpget ", "snmpset ", "snmpbulkwalk "],
        Pattern(
            r#"^snmp[a-z]{3,8}[ \t](?:[^\n|;&]{0,100}?[ \t])?-c[ \t]*["']?([^\s"'${<-][^\s"'${<]{3,80})"#,
        ),
    ),
    shaped_word(
        "login",
        &["net user ", "schtasks ", "psexec "],
        Pattern(
            r#"(?i)^(?:net user [a-z0-9._-]{1,40}|(?:schtasks|psexec)[ \t](?u-i:[^\n|&]{0,160}?)[ \t](?:/rp|-p))[ \t]+["']?((?u-i:[^\s"'${<*/%-][^\s"'${<%]{3,80}))"#,
        ),
    ),
    // The password of a keystore, which takes its letters one by one.
    shaped(
        "login pair",
        &[
            ".load(",
            ".init(",
            ".getkey(",
            ".setkeyentry(",
            ".store(",
            "passwordprotection(",
            ".loadkeymaterial(",
            ".loadtrustmaterial(",
        ],
        Pattern(r#"^\.?[A-Za-z]{4,20}\([^;\n]{0,100}?"([^"\n]{4,80})"\.toCharArray\(\)"#),
    ),
    shaped_word(
        "login pair",
        &[
            "creds = (",
            "creds = [",
            "credentials = (",
            "credentials = [",
            "login = (",
            "account = (",
        ],
        Pattern(
            r#"^[A-Za-z]{5,11} = [\[(]\s{0,20}["'][A-Za-z0-9._@-]{1,60}["'],\s{0,20}["']([^"'\n]{4,80})["']\s{0,20},?[\])]"#,
        ),
    ),
    // `login: me / …`.
    shaped_word(
        "password of a map",
        &[
            "login: ",
            "credentials: ",
            "creds: ",
            "account: ",
            "logins: ",
        ],
        Pattern(
            r"^[A-Za-z]{5,11}: [A-Za-z0-9._@-]{2,40} ?[/:] ?([^\s/]{4,80})[ \t]{0,4}(?:\r?\n|\z)",
        ),
    ),
    shaped(
        "login pair",
        &["cookiesession({"],
        Pattern(r#"^[A-Za-z]{13}\(\{[^{}]{0,160}?keys:\s{0,4}\[\s{0,20}["']([^"'\n]{4,120})["']"#),
    ),
    // What a program types when it is asked for a password.
    shaped(
        "login pair",
        &[
            "assword:",
            "assword: ",
            "assword\"",
            "assword'",
            "assword for",
        ],
        Pattern(
            r#"^assword[^"'\n]{0,24}["'][^"'\n]{0,12}\n?[^"'\n]{0,40}?(?:send|sendline|send_line|sendLine|write|writeln|send_keys)\(?[ \t]{0,4}(?:-- )?b?["']([^"'\\\n]{4,80})(?:\\[rn]){0,2}["']"#,
        ),
    ),
    // What steps of a test type into a field: `I enter "…" into "password"`.
    shaped_word(
        "login pair",
        &[
            "i enter \"",
            "i type \"",
            "i fill \"",
            "i fill in \"",
            "i write \"",
            "user enters \"",
        ],
        Pattern(
            r#"(?i)^(?:i|user) [a-z]{4,6}(?: in)? "((?u-i:[^"\n<]{4,80}))" (?:in|into|as|for|to|in the|into the|as the|as my|for the) (?:field )?"?[a-z_ -]{0,20}passw"#,
        ),
    ),
    // The words of a table of steps.
    shaped_word(
        "login pair",
        &[
            "input password ",
            "input text ",
            "fill text ",
            "fill secret ",
            "type secret ",
            "type text ",
            "input password\t",
            "input text\t",
        ],
        Pattern(
            r"(?i)^(?:input password[ \t]{2,40}[!-~]{1,80}|(?:input|fill|type) (?:text|secret)[ \t]{2,40}[!-~]{0,40}passw[!-~]{0,40})[ \t]{2,40}((?u-i:[^\s${][^\n\t${]{2,80}?))(?:\x20{2}|\t|\r?\n|\z)",
        ),
    ),
    // A variable of such a table: `${PASSWORD}    …`.
    shaped(
        "login pair",
        &[
            "password}  ",
            "passwd}  ",
            "_pass}  ",
            "pwd}  ",
            "_secret}  ",
            "password}\t",
        ],
        Pattern(r"^[A-Za-z_]{3,9}\}[ \t]{2,40}([^\s${=][^\s${]{3,80})[ \t]{0,4}(?:\r?\n|\z)"),
    ),
    // Names and passwords in one map: `basicAuth({ users: { 'me': '…' } })`.
    shaped(
        "login pair",
        &["basicauth({", "basic_auth({", "basicauth(users={"],
        Pattern(
            r#"^[A-Za-z_]{9,10}\((?:users=)?\{\s{0,40}(?:users:\s{0,4}\{)?\s{0,40}\[?["']?[A-Za-z0-9._@-]{1,40}["']?\]?\s{0,2}:\s{0,4}["']([^"'\n]{4,80})["'](?:,\s{1,20}["']?[A-Za-z0-9._@-]{1,40}["']?\s{0,2}:\s{0,4}["']([^"'\n]{4,80})["'])?"#,
        ),
    ),
    // The same in a variable, where a password must look like one.
    shaped_word(
        "password of a map",
        &[
            "users = {",
            "users: {",
            "users := map[string]string{",
            "accounts = {",
            "logins = {",
            "$users = [",
            "gin.accounts{",
            "users\": {",
        ],
        Pattern(
            r#"^[$A-Za-z.]{5,12}"?\s{0,2}[:=]{0,2}\s{0,2}(?:map\[string\]string)?[{\[]\s{0,40}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'](?:,\s{1,20}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'])?(?:,\s{1,20}["'][A-Za-z0-9._@-]{1,40}["']\s{0,4}(?::|=>)\s{0,8}["']([^"'\n]{6,80})["'])?"#,
        ),
    ),
    // Rows of a table whose columns are a name and a password.
    shaped_word(
        "login pair",
        &["struct "],
        Pattern(
            r#"^struct [A-Za-z_]{0,24} ?\{[^{};]{0,60};?[^{};]{0,60}[pP](?:ass|wd?|in)[^{}]{0,200}\}[^{}"]{0,120}\{\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})"(?:[^{}"]{0,40}\},?\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})")?(?:[^{}"]{0,40}\},?\s{0,40}\{\s{0,8}"[^"\n]{1,60}",\s{0,8}"([^"\n]{4,80})")?"#,
        ),
    ),
    // A machine, a user and a password: `connect("db.example.net", "me", "…")`.
    shaped(
        "login pair",
        &[".connect(", ":connect(", "_connect("],
        Pattern(
            r#"^[.:_]connect\(\s{0,40}["'][^"'\n]{1,80}["'],\s{0,40}(?:[0-9]{2,5},\s{0,40})?["'][A-Za-z0-9._@-]{1,40}["'],\s{0,40}["']([^"'\n]{4,80})["']"#,
        ),
    ),
    shaped(
        "login of a driver",
        &[".open \"", ".open("],
        Pattern(r#"^\.[oO]pen[ (]"[^"\n]{1,200}", ?"[A-Za-z0-9._@-]{1,40}", ?"([^"\n]{4,80})""#),
    ),
    shaped(
        "login pair",
        &["userauth_password("],
        Pattern(
            r#"^[a-z_]{17}\(\s{0,40}[^"()\n]{0,60}(?:"[^"\n]{1,60}",\s{0,8})?"([^"\n]{4,80})"\)"#,
        ),
    ),
    // A password alone, where words could be the name of a way to log in.
    shaped(
        "password alone",
        &[".auth(", ":auth("],
        Pattern(r#"^[.:]auth\(\s{0,8}["']([^"'\n]{6,80})["']\s{0,4}[,)]"#),
    ),
    // `provider :github, 'id', '…'`.
    shaped_word(
        "login pair",
        &["provider :"],
        Pattern(
            r#"^provider :[a-z0-9_]{2,40},\s{0,40}["'][^"'\n]{4,120}["'],\s{0,40}["']([^"'\n]{8,120})["']"#,
        ),
    ),
    // What the cookies of a server are signed with.
    shaped(
        "login pair",
        &[
            "newstore(",
            "newcookiestore(",
            "cookiestore::new(",
            "securecookie.new(",
        ],
        Pattern(r#"^[A-Za-z.:]{8,17}\(\s{0,8}(?:\[\]byte\(|b)?["']([^"'\n]{6,120})["']\)"#),
    ),
    shaped(
        "login pair",
        &["secure_link_md5 "],
        Pattern(r#"^secure_link_md5[ \t]{1,8}"[^"\n]{0,80}[ }]([^"\s$]{4,80})";"#),
    ),
    // Communities of SNMP are passwords that everybody sends in the clear.
    shaped(
        "login pair",
        &["communitydata("],
        Pattern(r#"^[A-Za-z]{13}\((?:["'][^"'\n]{1,40}["'],\s{0,8})?["']([^"'\n]{4,80})["']"#),
    ),
    shaped_word(
        "login pair",
        &[
            "snmp-server community ",
            "rocommunity ",
            "rwcommunity ",
            "rocommunity6 ",
        ],
        Pattern(r#"^[a-z0-9]{4,12}(?:-server community)?[ \t]{1,8}["']?([^\s"'${<]{4,80})"#),
    ),
    shaped_word(
        "login pair",
        &[
            "snmp_community",
            "community_string",
            "snmpcommunity",
            "communitystring",
            "snmp-community",
        ],
        Pattern(
            r#"(?i)^[a-z_-]{13,16}["']?\s{0,4}(?:=|:|=>|:=)\s{0,4}["']((?u-i:[^"'\n]{4,80}))["']"#,
        ),
    ),
    // What a store of parameters keeps encrypted.
    shaped(
        "login pair",
        &["securestring"],
        Pattern(
            r#"^[A-Za-z]{12}["']?[ \t]{0,4},?\s{1,40}(?:--)?["']?[vV]alue["']?[ \t]{0,20}[:=]?[ \t]{0,4}["']?([^"'\s${][^"'\n]{3,120})"#,
        ),
    ),
    shaped_word(
        "command line",
        &[
            "zip ",
            "unzip ",
            "7z ",
            "7za ",
            "rar ",
            "unrar ",
            "redis-cli ",
            "sqlcmd ",
            "bcp ",
            "isql ",
            "tsql ",
            "mongo ",
            "mongosh ",
            "mongodump ",
            "mongorestore ",
            "htpasswd ",
            "smbclient ",
            "xfreerdp ",
            "ipmitool ",
        ],
        Pattern(
            r#"^[a-z0-9-]{2,14}[ \t](?:[^\n|;&]{0,160}?[ \t])?(?:-P|-a|-p|/p:)[ \t]*["']?([^\s"'${<=-][^\s"'${<]{5,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["keytool ", "jarsigner ", "apksigner "],
        Pattern(
            r#"^[a-z]{7,9}[ \t][^\n|;&]{0,160}?-(?:store|key|new|ks-)pass(?:word)?[ \t]+["']?(?:pass:)?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["echo ", "printf "],
        Pattern(
            r#"^(?:echo|printf)[ \t](?:-n[ \t])?["']?(?:[A-Za-z0-9._-]{1,32}:)?([^\s"'${<|=-][^"'${<|\n]{2,80}?)["']?[ \t]{0,4}\|[ \t]?(?:sudo -S|chpasswd|sudo chpasswd|(?:docker|podman|helm registry|nerdctl|gh|oc|az)[a-z ]{0,20}login|passwd|gpg|cryptsetup|openssl|kinit|vault|wrangler|npx wrangler|gh secret|fly secrets)"#,
        ),
    ),
    shaped_word(
        "command line",
        &["htpasswd "],
        Pattern(
            r#"^htpasswd -[a-zA-Z]*b[a-zA-Z]*[ \t]+(?:-[a-zA-Z]+[ \t]+)*[^\s]+[ \t]+[^\s]+[ \t]+["']?([^\s"'${<-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped_word(
        "command line",
        &["smbclient ", "rpcclient ", "net rpc ", "curl ", "wget "],
        Pattern(
            r#"^[a-z ]{4,10}[ \t]?[^\n|;&]{0,120}?(?:-U|--user)[ \t=]*["']?[A-Za-z0-9._\\/-]{1,40}%([^\s"'${<]{4,})"#,
        ),
    ),
    shaped(
        "command line",
        &["_authtoken "],
        Pattern(r#"^_auth[tT]oken[ \t]+["']?([^\s"'${<]{6,})"#),
    ),
    // `host:5432:database:user:…`, and what drivers write without an address: `user:…@tcp(`, `user/…@host:1521`.
    shaped(
        "login",
        &[":5432:", ":3306:", ":5433:"],
        Pattern(r"^:[0-9]{4}:[^:\s]{1,60}:[^:\s]{1,60}:([^\s:]{4,80})"),
    ),
    shaped(
        "address",
        &["@tcp(", "@unix("],
        Around(r"[^\s:@/]{4,100}@(?:tcp|unix)\(", 101),
    ),
    shaped(
        "login",
        &["jdbc:oracle:thin:"],
        Pattern(r"^jdbc:oracle:thin:[A-Za-z0-9_]{1,40}/([^\s@/]{4,80})@"),
    ),
    // The key of a cipher, and the password that one is made of.
    shaped(
        "cipher key",
        &[
            "createcipheriv(",
            "createdecipheriv(",
            "pgp_sym_encrypt(",
            "pgp_sym_decrypt(",
            "aes.encrypt(",
            "aes.decrypt(",
            "wifi.begin(",
        ],
        Pattern(
            r#"^[A-Za-z_.]{10,16}\(\s{0,40}(?:["'`][^"'`\n]{1,80}["'`]|[$A-Za-z0-9_.]{1,60}),\s{0,40}["'`]([^"'`\n]{6,})["'`]"#,
        ),
    ),
    shaped(
        "cipher key",
        &["pbekeyspec("],
        Pattern(r#"^[A-Za-z]{10}\(\s{0,40}"([^"\n]{4,})"\s{0,8}\."#),
    ),
    shaped_word(
        "command line",
        &["openssl enc ", "openssl aes"],
        Pattern(r#"^openssl[ \t][^\n|;&]{0,160}?[ \t]-k[ \t]+["']?([^\s"'${<-][^\s"'${<]{3,})"#),
    ),
    shaped(
        "login pair",
        &["cookieparser("],
        Pattern(r#"^[A-Za-z]{12}\(["'`]([^"'`\n]{4,})["'`]"#),
    ),
    shaped_word(
        "command line",
        &["pass:"],
        Pattern(r#"^pass:([^\s"'${<:][^\s"'${<]{3,})"#),
    ),
    shaped_word(
        "command line",
        &["configure set "],
        Pattern(
            r"^configure set aws_(?:secret_access_key|session_token)[ \t]+([A-Za-z0-9/+=]{8,})",
        ),
    ),
    shaped_word(
        "login pair",
        &["securestring ", "securestring("],
        Pattern(r#"^[A-Za-z]{12}[ (](?:-[A-Za-z]{6,10} )?["']([^"'\n]{4,})["']"#),
    ),
    shaped_word(
        "login",
        &["net use "],
        Pattern(
            r#"^net use [^\n]{1,80}?[ \t]["']?([^\s"'$%{</][^\s"'${<]{3,})["']?[ \t]+/[uU][sS][eE][rR]:"#,
        ),
    ),
    shaped(
        "login of a driver",
        &[
            "authprovider(",
            "ldap_bind(",
            "bind_s(",
            "ftp_login(",
            "create_user(",
            "createuser(",
            "pw_set(",
            ".auth(",
            "authenticateasync(",
            "certificate2(",
            "real_connect(",
            "streamconnection(",
            "connection(",
            "logon(",
            "signin(",
            "ssh_auth_password(",
        ],
        Pattern(
            r#"^[A-Za-z0-9_.>-]{5,24}\(\s{0,40}(?:[A-Za-z0-9_$.]{1,40},\s{0,8}){0,2}(?:\\?["'][^"'\n]{1,80}["'],\s{0,8}(?:[0-9]{2,5},\s{0,8})?){1,3}[bru]?\\?["']([^"'\\\n]{6,})\\?["']"#,
        ),
    ),
    shaped(
        "login pair",
        &["mysql_real_connect("],
        Pattern(
            r#"^[a-z_]{18}\(\s{0,40}[^,"\n]{1,60},\s{0,40}(?:"[^"\n]{0,80}"|[A-Za-z0-9_.>-]{1,40}),\s{0,40}(?:"[^"\n]{0,80}"|[A-Za-z0-9_.>-]{1,40}),\s{0,40}"([^"\n]{4,})""#,
        ),
    ),
    shaped_word(
        "command line",
        &[
            "lftp ",
            "mosquitto_pub ",
            "mosquitto_sub ",
            "http ",
            "https ",
            "az login ",
            "az ",
            "composer config ",
            "kinit ",
            "rabbitmqadmin ",
            "ncftpput ",
            "ncftpget ",
            "rabbitmqctl ",
            "influx ",
            "cqlsh ",
            "kcat ",
            "nmcli ",
            "wpa_passphrase ",
        ],
        Pattern(
            r#"^[a-z_ ]{2,16}[ \t](?:[^\n|;&]{0,160}?[ \t])?(?:-u[ \t]+[A-Za-z0-9._-]{1,40},|-P[ \t]+|-p[ \t]+|-a[ \t]+[A-Za-z0-9._-]{1,40}:)["']?([^\s"'${<=-][^\s"'${<]{3,})"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            ".bind(\"cn=",
            ".bind(\"uid=",
            ".bind('cn=",
            ".bind('uid=",
            "connection(server, \"",
            "dbi->connect(",
        ],
        Pattern(
            r#"^[A-Za-z.>-]{5,13}\((?:server, )?["'][^"'\n]{1,80}["'],\s{0,8}(?:["'][A-Za-z0-9._@-]{1,40}["'],\s{0,8})?["']([^"'\n]{4,})["']"#,
        ),
    ),
    shaped(
        "login pair",
        &[
            "bcrypt.hash(",
            "bcrypt.hashsync(",
            "hashpw(",
            "generate_password_hash(",
            "make_password(",
            "argon2.hash(",
            "passwordencoder().encode(",
            "gen_salt(",
            "password_hash(",
            "scryptsync(",
            "pbkdf2sync(",
            "unsafeplaintext(",
            "aes.new(",
            "password.create(",
            "crypt::password.create(",
            "hash::make(",
            ".unprotect(",
            ".protect(",
        ],
        Pattern(r#"^[A-Za-z0-9_.():]{6,28}\(\s{0,8}[bru]?["']([^"'\n]{4,})["']"#),
    ),
    shaped(
        "keystore",
        &[
            "certificate2(convert.frombase64string(",
            "keystore.load(new bytearrayinputstream(",
        ],
        Pattern(r#"^[A-Za-z0-9(. ]{20,60}\(["']([A-Za-z0-9+/=]{60,})"#),
    ),
    shaped(
        "login pair",
        &["_userpwd, \""],
        Pattern(r#"^_[A-Za-z]{7}, "[A-Za-z0-9._-]{1,40}:([^"\n]{4,})""#),
    ),
    shaped_word(
        "login",
        &["connect "],
        Pattern(r"^(?i-u:connect) [A-Za-z0-9_]{1,30}/([^\s@/]{4,60})@"),
    ),
    shaped(
        "login pair",
        &["session({"],
        Pattern(r#"^[A-Za-z]{7}\(\{[^{}]{0,200}?secret:\s{0,4}\\?["']([^"'\\\n]{4,})\\?["']"#),
    ),
    shaped(
        "registry login",
        &["auth"],
        Pattern(r#"^auth["']?\s{0,4}:?[=:]\s{0,4}["']?([A-Za-z0-9+/]{12,}={0,2})"#),
    ),
    shaped(
        "keystore",
        &["keystore", ".p12", ".pfx", ".jks", "pkcs12"],
        Pattern(
            r#"^[.A-Za-z0-9_-]{3,24}["']?\s{0,4}[:=]\s{0,4}[|>]?[+-]?["'`]{0,3}\s{0,40}([A-Za-z0-9+/=]{60,}(?:\s{1,40}[A-Za-z0-9+/=]{4,})*)"#,
        ),
    ),
    // What is signed with: `jwt.sign(claims, "…")`, `hmac.new(b"…", …)`, `bearer_auth("…")`.
    shaped(
        "signing key",
        &[
            "jwt.sign(",
            "jwt.encode(",
            "jwt.verify(",
            "jwt.decode(",
            "hmac.new(",
            "createhmac(",
            "bearer_auth(",
            "bearerauth(",
            "bearertoken(",
            "fernet(",
            "hmacsha256(",
            "hmac_sha256(",
            "hash_hmac(",
        ],
        Pattern(
            r#"^[A-Za-z0-9_.]{3,14}\(\s{0,40}(?:["'`][sS][hH][aA][0-9-]{1,5}["'`],\s{0,8})?(?:(?:[A-Za-z0-9_.&*]{1,40}(?:\[["'`][A-Za-z0-9_-]{1,40}["'`]\]|\([^()"'`\n]{0,40}\))?|\{[^{}"'\n]{0,80}\}),\s{0,40}){0,2}[bruf]{0,2}\\?["'`]([^"'`\\\n]{6,})\\?(?:["'`]|<cut>)"#,
        ),
    ),
    // `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("…"))`, `new SecretKeySpec("…".getBytes(), …)`.
    shaped(
        "signing key",
        &[
            "securitykey(",
            "secretkeyspec(",
            "hmackey(",
            "hmacshakeyfor(",
        ],
        Pattern(
            r#"^[A-Za-z]{7,13}\(\s{0,40}(?:[A-Za-z0-9_.]{1,40}\(\s{0,8}){0,2}[bru]?"([^"\\\n]{4,})(?:"|<cut>)"#,
        ),
    ),
    // `"Jwt": { … "Key": "…" }`.
    shaped(
        "signing key",
        &["\"jwt"],
        Pattern(
            r#"(?i)^"jwt[a-z]{0,12}"\s{0,4}:\s{0,4}\{(?u-i:[^{}]{0,300}?)"(?:signing|secret)?_?key"\s{0,4}:\s{0,4}"((?u-i:[^"\\\n]{4,}))""#,
        ),
    ),
    // `'Basic ' + '…'`, which is put together so that nobody has to encode it twice.
    shaped_word(
        "authorization",
        &[
            "basic ' + '",
            "basic \" + \"",
            "basic ' . '",
            "basic \" . \"",
            "basic \" <> \"",
            "basic ' || '",
        ],
        Pattern(r#"^(?i-u:basic) ["'] (?:\+|\.|<>|\|\|) ["']([A-Za-z0-9+/]{8,}={0,2})"#),
    ),
    // What opens a telephone or a door.
    shaped_word(
        "number",
        &[
            "pin",
            "sim_pin",
            "puk",
            "alarm_code",
            "door_code",
            "gate_code",
            "security_code",
            "unlock_code",
            "access_code",
            "alarmcode",
            "doorcode",
            "unlockcode",
            "accesscode",
        ],
        Pattern(r#"(?i)^[a-z_]{3,13}["']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}["']([0-9]{4,8})["']"#),
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
            r#"(?i)^(?:mnemonic|seed[_-]?(?:\x20)?phrase)[a-z_]{0,40}[\\"'`\])]*\s*(?:[:=]|=>)\s*[\\"'`]*((?-i:[a-z]{3,9}(?: [a-z]{3,9}){2,23}(?: [0-9]{1,3})?|[a-z]{3,8}(?: [a-z]{1,8})+<cut>))"#,
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
            "pwd",
            "pswd",
            "pass",
            "psk",
        ],
        Assignment(Strictness::Password),
    ),
    shaped(
        "password",
        &["pre-shared-key", "pre_shared_key", "presharedkey"],
        Assignment(Strictness::Password),
    ),
    shaped("password", &["pw", "psw"], Assignment(Strictness::Password)),
    // In the languages that people write comments in.
    shaped(
        "password",
        &[
            "passwort",
            "kennwort",
            "contraseña",
            "contrasena",
            "contrasenya",
            "senha",
            "palavra_passe",
            "mot_de_passe",
            "motdepasse",
            "mot de passe",
            "mot-de-passe",
            "wachtwoord",
            "lösenord",
            "losenord",
            "salasana",
            "adgangskode",
            "pasahitza",
            "contrasinal",
            "wagwoord",
            "lykilorð",
            "lykilord",
            "kata_laluan",
            "katalaluan",
            "kata laluan",
            "პაროლი",
            "գաղտնաբառ",
            "құпиясөз",
            "құпия сөз",
            "parolă",
            "fjalëkalimi",
            "fjalekalimi",
            "salasõna",
            "salasona",
            "nenosiri",
            "nywila",
            "cyfrinair",
            "pasvorto",
            "пароли",
            "паролі",
            "gesloto",
            "গোপনশব্দ",
            "পাসওয়ার্ড",
            "கடவுச்சொல்",
            "పాస్‌వర్డ్",
            "رمز عبور",
            "رمز_عبور",
            "گذرواژه",
            "סיסמא",
            "كلمةالمرور",
            "passord",
            "jelszó",
            "jelszo",
            "şifre",
            "lozinka",
            "zaporka",
            "slaptazodis",
            "slaptažodis",
            "пароль",
            "Пароль",
            "ПАРОЛЬ",
            "пароля",
            "парола",
            "лозинка",
            "密码",
            "密碼",
            "口令",
            "パスワード",
            "暗証番号",
            "비밀번호",
            "암호",
            "סיסמה",
            "سيسما",
            "كلمة_المرور",
            "كلمة المرور",
            "كلمة-المرور",
            "كلمة_السر",
            "पासवर्ड",
            "รหัสผ่าน",
            "mật_khẩu",
            "mật khẩu",
            "mậtkhẩu",
            "mat_khau",
            "matkhau",
            "kata_sandi",
            "katasandi",
            "kata sandi",
            "κωδικός",
            "κωδικος",
            "κωδικός πρόσβασης",
            "κωδικος προσβασης",
        ],
        Assignment(Strictness::Password),
    ),
    shaped(
        "password",
        &[
            "clave", "parola", "parole", "hasło", "haslo", "heslo", "sifre", "geslo", "parool",
            "mdp", "mima", "parol",
        ],
        Assignment(Strictness::Password),
    ),
    shaped(
        "secret",
        &["secret", "credential", "credentials", "key-data"],
        Assignment(Strictness::Random),
    ),
    shaped("secret", &["pepper"], Assignment(Strictness::Random)),
    shaped(
        "secret",
        &[
            "signing_salt",
            "encryption_salt",
            "signingsalt",
            "secret_salt",
            "hash_salt",
            "auth_salt",
            "session_salt",
            "cookie_salt",
            "salt_secret",
            "erlang_cookie",
        ],
        Assignment(Strictness::Random),
    ),
    // What a secret key is called in other languages.
    shaped(
        "key",
        &[
            "geheime_sleutel",
            "geheimesleutel",
            "geheimer_schluessel",
            "geheimschluessel",
            "cle_secrete",
            "clesecrete",
            "cle_api",
            "clé_secrète",
            "clave_secreta",
            "clavesecreta",
            "clave_api",
            "chave_secreta",
            "chave_api",
            "chiave_segreta",
            "chiave_api",
            "hemlig_nyckel",
            "tajny_klucz",
            "klucz_api",
            "tajny_klic",
            "gizli_anahtar",
            "salainen_avain",
            "секретный_ключ",
            "секретний_ключ",
            "密钥",
            "密鑰",
            "秘密鍵",
            "비밀키",
        ],
        Assignment(Strictness::Random),
    ),
    shaped("token", &["token"], Assignment(Strictness::Random)),
    shaped(
        "token",
        &[
            "github_pat",
            "gitlab_pat",
            "devops_pat",
            "azure_pat",
            "-pat",
            "devopspat",
            "githubpat",
            "gitlabpat",
        ],
        Assignment(Strictness::Random),
    ),
    shaped("key", &["key", "key_base"], Assignment(Strictness::Random)),
];

/// What calls a value a password, in all languages that are known.
pub(super) fn password_words() -> impl Iterator<Item = &'static str> {
    let rules = NAMED
        .iter()
        .filter(|rule| matches!(rule.shape, Assignment(Strictness::Password)));
    rules.flat_map(|rule| rule.anchors.iter().copied())
}
