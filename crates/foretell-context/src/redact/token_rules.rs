//! The table of keys and tokens that are found by how they begin, beside the catalogue of `service_rules`.
//!
//! It is a table, and long: one row per kind, so that a new kind of key is one new row. One scan looks
//! for the literals of all rows at once, so that ordinary text costs that scan and little more.
//!
//! The catalogue has 40 of these tokens as well, and the rates are the same without them here. They stay
//! because these rows know the shortest beginning of a token that is cut off, and the catalogue does not:
//! `no_secret_survives_a_cut_through_it` fails without them.
//!
//! Absent on purpose: what is public by design (publishable keys, account ids, certificates, public
//! keys), and random-looking strings that nothing around them calls a secret: hashes, ids and
//! fixtures look the same, and redacting those would blind the model on ordinary code.

use super::secret_rule::SecretShape::{Address, Around, BlockEnd, BlockStart, Pattern};
use super::secret_rule::TokenAlphabet::{
    Alphanumeric, Base64, Capital, Dashed, Dotted, Hex, Padded, Word,
};
use super::secret_rule::{
    AnchorBoundary, SecretRule, SecretShape, shaped, shaped_word, short, token,
};

/// Rules whose literals are found as they stand.
pub(super) const EXACT: &[SecretRule] = &[
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
    SecretRule {
        kind: "JSON web token",
        anchors: &["eyJ"],
        before: AnchorBoundary::TokenStart,
        shape: SecretShape::WebToken,
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
    // Keys that are encoded.
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
        SecretShape::Manifest,
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
