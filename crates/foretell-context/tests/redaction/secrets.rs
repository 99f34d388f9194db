//! Secrets that look real and are not, in surroundings that people put them in.
//!
//! A table, shared by the tests and the benchmark. No secret stands in it as it would in the wild:
//! every one has `|` behind what says of what kind it is, which [`all`] takes out, so that nobody who
//! looks for leaks finds this file. In the surroundings, `@@` is where the secret goes.

/// One secret and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Planted {
    /// What kind of secret it is.
    pub(crate) kind: &'static str,
    /// The secret: what may not be seen.
    pub(crate) secret: String,
    /// What makes it one: without what says of what kind it is.
    pub(crate) body: String,
    /// A text with it.
    pub(crate) text: String,
}

/// All of them.
pub(crate) fn all() -> Vec<Planted> {
    let rows = SECRETS.iter().map(|(kind, secret, around)| {
        let (_, body) = secret.split_once('|').unwrap_or(("", secret));
        let body = body.to_owned();
        let secret = secret.replace('|', "");
        Planted {
            kind,
            body,
            text: around.replace("@@", &secret),
            secret,
        }
    });
    rows.chain(blocks()).collect()
}

/// How many different kinds there are.
pub(crate) fn kinds(planted: &[Planted]) -> usize {
    let kinds: std::collections::BTreeSet<_> = planted.iter().map(|one| one.kind).collect();
    kinds.len()
}

/// Keys in blocks, which are too long for a row.
fn blocks() -> impl Iterator<Item = Planted> {
    let labels = [
        "RSA PRIVATE",
        "PRIVATE",
        "EC PRIVATE",
        "ENCRYPTED PRIVATE",
        "OPENSSH PRIVATE",
    ];
    let plain = labels.map(|label| (label, "\n", "# the key\n@@\n# done\n"));
    let in_code = [
        ("RSA PRIVATE", "\\n", "const KEY: &str = \"@@\\n\";\n"),
        (
            "PRIVATE",
            "\\n",
            "{\"type\": \"service_account\", \"private_key\": \"@@\\n\", \"x\": 1}",
        ),
        ("PRIVATE", "\\n\" +\n    \"", "String key = \"@@\";\n"),
        ("EC PRIVATE", "\n  ", "tls:\n  key: |\n  @@\n  port: 443\n"),
    ];
    plain
        .into_iter()
        .chain(in_code)
        .map(|(label, line_end, around)| {
            let begin = ["-----BEGIN ", label, " KEY-----"].concat();
            let end = ["-----END ", label, " KEY-----"].concat();
            let secret = [begin.as_str(), BODY[0], BODY[1], BODY[2], end.as_str()].join(line_end);
            Planted {
                kind: "private key",
                body: BODY.join("\n"),
                text: around.replace("@@", &secret),
                secret,
            }
        })
}

const BODY: [&str; 3] = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu",
    "NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ",
];

const SECRETS: &[(&str, &str, &str)] = &[
    (
        "AWS key id",
        "AKIA|Q3EGZ7PLM4TN6W2X",
        "aws_access_key_id = @@\nregion = eu-west-1\n",
    ),
    ("AWS key id", "ASIA|X7KQ2M9WD4RTZ5PJ", "let id = \"@@\";"),
    (
        "AWS secret key",
        "wJ|alrXUtnFEMI/K7MDENG/bPxRfiCY9z8y7x6w5",
        "aws_secret_access_key = @@\n",
    ),
    (
        "AWS secret key",
        "q9|T2mVx0+LkE7pZ4sRwJ8uYb1NcHfGd6aKoQi3X",
        "{\"SecretAccessKey\": \"@@\"}",
    ),
    (
        "AWS secret key",
        "Zk|8/2mVx0+LkE7pZ4sRwJ8uYb1NcHfGd6aKoQi3V",
        "AKIAQ3EGZ7PLM4TN6W2X,@@\n",
    ),
    (
        "GitHub token",
        "ghp_|k3JdW9xQ2mZ7vB5nL8cR1tY6uP4sH0aFgEiD",
        "git clone https://@@@github.com/a/b\n",
    ),
    (
        "GitHub token",
        "gho_|A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
        "GH=@@ make\n",
    ),
    (
        "GitHub token",
        "ghs_|Zx8Cv7Bn6Ma5Sd4Fg3Hj2Kl1Qw0Er9Ty8Ui7",
        "headers[\"X\"] = '@@'",
    ),
    (
        "GitHub token",
        "github_pat_|11ABCDEFG0a1B2c3D4e5F6_g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g3",
        "token: @@\n",
    ),
    (
        "GitLab token",
        "glpat-|x9Yz8Wv7Ut6Sr5Qp4On3",
        "curl --header \"PRIVATE-TOKEN: @@\" https://gitlab.com\n",
    ),
    ("GitLab token", "gldt-|Ab3dEf6hIj9kLm2nOp5q", "deploy(`@@`)"),
    (
        "Slack token",
        "xoxb-|263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1",
        "bot = App(token=\"@@\")",
    ),
    (
        "Slack token",
        "xoxp-|2635942065-234359420-657427-a1b2c3d4e5f60718293a4b5c",
        "// @@\n",
    ),
    (
        "Slack webhook",
        "T0|1ABCD23/B04EFGH56/q1W2e3R4t5Y6u7I8o9P0aSdF",
        "https://hooks.slack.com/services/@@\n",
    ),
    (
        "Stripe key",
        "sk_live_|51H8xYzAbCdEfGhIjKlMnOpQr",
        "stripe.api_key = '@@'",
    ),
    (
        "Stripe key",
        "rk_test_|9aB8cD7eF6gH5iJ4kL3mN2oP",
        "STRIPE=@@\n",
    ),
    (
        "Stripe webhook secret",
        "whsec_|7Yd83kLmN2pQ5rS8tU1vW4xY6zA9bC0d",
        "verify(body, sig, \"@@\")",
    ),
    (
        "Google API key",
        "AIza|SyD3k9LmN2pQ5rS8tU1vW4xY6zA9bC0dEfG",
        "src=\"https://maps.example/js?key=@@&v=3\"",
    ),
    (
        "Google OAuth secret",
        "GOCSPX-|a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
        "\"client_secret\": \"@@\",",
    ),
    (
        "Google OAuth token",
        "ya29.|a0AfH6SMBx7Yz8Wv9Ut0Sr1Qp2On3Ml4Kj5Ih6Gf7",
        "access=@@\n",
    ),
    (
        "Azure key",
        "Zm9|vYmFyYmF6cXV4cXV1eGNvcmdlZ3JhdWx0Z2FycGx5d2FsZG9mcmVkcGx1Z2h4eXp6eXRodWQwMTIzNDU2Nzg5QQ==",
        "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=@@;EndpointSuffix=core.windows.net",
    ),
    (
        "Azure key",
        "kQ7|2mVx0LkE7pZ4sRwJ8uYb1NcHfGd6aKoQi3XzP0s=",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=@@\n",
    ),
    (
        "Azure signature",
        "Fn%2B8|hT2k9LmQ5rS8tU1vW4xY6zA9bC0dEfGhIjKlMn%3D",
        "https://a.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig=@@\n",
    ),
    (
        "Azure client secret",
        "abC8|Q~d3EfGh5IjKl7MnOp9QrSt1UvWx3YzAb5C",
        "AZ = \"@@\"",
    ),
    (
        "OpenAI key",
        "sk-|T3k9LmN2pQ5rS8tU1vW4T3BlbkFJxY6zA9bC0dEfGhIjKlM1",
        "openai.api_key = \"@@\"\n",
    ),
    (
        "OpenAI key",
        "sk-proj-|a1B2c3D4e5F6_g7H8i9J0k1L2m3N4-o5P6q7R8s9T0u1V2",
        "OPENAI_API_KEY=@@\n",
    ),
    (
        "OpenAI key",
        "sk-svcacct-|Q9w8E7r6T5y4U3i2O1p0AsDfGhJkLz",
        "client = OpenAI(\"@@\")",
    ),
    (
        "Anthropic key",
        "sk-ant-|api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0-AbCdEfAA",
        "export ANTHROPIC_API_KEY=\"@@\"\n",
    ),
    (
        "npm token",
        "npm_|a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "//registry.npmjs.org/:_authToken=@@\n",
    ),
    (
        "npm token",
        "3f6|8c1de-90ab-4c2d-8e7f-0a1b2c3d4e5f",
        "//registry.npmjs.org/:_authToken=@@\n",
    ),
    (
        "PyPI token",
        "pypi-AgE|IcHlwaS5vcmcCJDQyYTRiNmM4LTEyMzQtNTY3OC05YWJjLWRlZjAxMjM0NTY3OA",
        "password = @@\n",
    ),
    (
        "Hugging Face token",
        "hf_|aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567",
        "login(token=\"@@\")\n",
    ),
    (
        "SendGrid key",
        "SG.|a1B2c3D4e5F6g7H8i9J0k1.L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g",
        "sg = Client('@@')",
    ),
    (
        "Twilio key",
        "SK|0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "twilio(\"@@\")",
    ),
    (
        "Twilio key",
        "9f8|e7d6c5b4a39281706f5e4d3c2b1a0",
        "TWILIO_AUTH_TOKEN=@@\n",
    ),
    (
        "DigitalOcean token",
        "dop_v1_|0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "doctl auth init -t @@\n",
    ),
    (
        "Shopify token",
        "shpat_|0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "X-Shopify-Access-Token: @@\n",
    ),
    (
        "Telegram token",
        "6123456789:AA|H3k9LmN2pQ5rS8tU1vW4xY6zA9bC0dEfG",
        "https://api.telegram.org/bot@@/getMe\n",
    ),
    (
        "Discord token",
        "MTA4NTY3ODkwMTIzNDU2Nzg5.GaBcDe.|f1G2h3I4j5K6l7M8n9O0p1Q2r3S4t5U6",
        "bot.run(\"@@\")",
    ),
    (
        "Discord webhook",
        "a1B2|c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2g3H4",
        "https://discord.com/api/webhooks/104583920571639284/@@\n",
    ),
    (
        "JSON web token",
        "eyJ|hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkEifQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "const jwt = '@@';",
    ),
    (
        "JSON web token",
        "eyJ|0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJhIiwiZXhwIjoxNzAwMDAwMDAwfQ.MEUCIQDx8f3kLm2n",
        "Set-Cookie: session=@@; Path=/\n",
    ),
    (
        "age key",
        "AGE-SECRET-KEY-1|QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPQY0",
        "# created\n@@\n",
    ),
    (
        "PuTTY key",
        "AAA|AIQCx7Yz8Wv9Ut0Sr1Qp2On3Ml4Kj5Ih6Gf7Ed8Cb9Aa0BbC1dD2eE3fF4gG5h\nH6iI7jJ8kK9lL0mM1nN2oO3pP4qQ5rR6sS7tT8uU9vV0wW==\n",
        "Comment: me\nPrivate-Lines: 2\n@@Private-MAC: 0a1b2c3d4e5f60718293\n",
    ),
    (
        "OpenSSH key",
        "b3BlbnNzaC1rZXktdjE|AAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
        "the key is\n@@\nhere\n",
    ),
    (
        "database address",
        "pR0d|P4ssw0rd9x",
        "DATABASE_URL=postgres://app:@@@db.internal:5432/main\n",
    ),
    (
        "database address",
        "m0ng0|S3cretQw9",
        "mongoose.connect(\"mongodb+srv://root:@@@cluster0.mongodb.net/x\")",
    ),
    (
        "database address",
        "r3dis|Hunter22x",
        "redis://:@@@cache:6379/0",
    ),
    (
        "basic-auth address",
        "b4sic|Auth7pass",
        "curl https://me:@@@example.org/private\n",
    ),
    (
        "basic-auth address",
        "p%40ss|W0rd%21z",
        "remote = ftp://user:@@@files.example.org\n",
    ),
    (
        "authorization",
        "dXNl|cjpodW50ZXIyaHVudGVyMg==",
        "Authorization: Basic @@\n",
    ),
    (
        "authorization",
        "a8f5|f167f44f4964e6c998dee827110c",
        "headers = {\"Authorization\": \"Bearer @@\"}",
    ),
    (
        "authorization",
        "0a1b|2c3d4e5f60718293a4b5",
        "-H 'Authorization: token @@' \\\n",
    ),
    ("password", "hunter2h|unter2", "password = \"@@\"\n"),
    (
        "password",
        "Tr0ub4do|r&3xyz",
        "  db:\n    password: @@\n    port: 1\n",
    ),
    ("password", "c0rrectH|orse9!", "DB_PASSWORD='@@'\n"),
    (
        "password",
        "s3cretVa|lue11",
        "spring.datasource.password=@@\n",
    ),
    (
        "password",
        "Pa55w0rd|2024x",
        "mysql --user root --password=@@ main\n",
    ),
    (
        "password",
        "Qw3rty!9|8zxcv",
        "<add><password>@@</password></add>",
    ),
    (
        "password",
        "L3tM31n!|now42",
        "Server=db;User Id=sa;Password=@@;Encrypt=true",
    ),
    ("password", "x7Kp2Qm9|Rt4W", "define('DB_PASSWORD', '@@');"),
    (
        "password",
        "n0tAw0rd|77abc",
        "$config['db']['password'] = \"@@\";",
    ),
    (
        "password",
        "v3ryS3cr|et55q",
        "client.set_password(\"@@\")?;",
    ),
    ("secret", "9sD8f7G6|h5J4k3L2q1W0", "JWT_SECRET=@@\n"),
    (
        "secret",
        "k9LmN2pQ|5rS8tU1vW4xY6z",
        "const CLIENT_SECRET: &str = \"@@\";",
    ),
    (
        "secret",
        "0a1b2c3d|4e5f60718293a4b5c6d7e8f90a1b2c3d",
        "secret_key_base: @@\n",
    ),
    (
        "token",
        "f3a9c2e8|b7d14065",
        "let auth_token = String::from(\"@@\");",
    ),
    ("token", "7hG5fD3s|A1qW2eR4", "vault login --token @@\n"),
    (
        "token",
        "u8I7y6T5|r4E3w2Q1",
        "fetch(`/x?access_token=@@&a=1`)",
    ),
    (
        "key",
        "4c7b1e9d|a2f8350617",
        "{\"api_key\": \"@@\", \"n\": 1}",
    ),
    ("key", "b0N1m2V3|c4X5z6L7k8", "apiKey: '@@',\n"),
    (
        "key",
        "ZQ1xs2WD|3ec4RF5vt6",
        "os.environ[\"API_KEY\"] = \"@@\"",
    ),
    ("key", "e7d6c5b4|a39281706f5e", "X-Api-Key: @@\n"),
    (
        "Databricks token",
        "dapi|0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "host, \"@@\"",
    ),
    (
        "Vault token",
        "hvs.|CAESIJ3k9LmN2pQ5rS8tU1vW4xY6zA9b",
        "VAULT = @@\n",
    ),
    (
        "Docker token",
        "dckr_pat_|a1B2c3D4e5F6g7H8i9J0k1L2m3N",
        "docker login -u me -p @@\n",
    ),
    (
        "Mailgun key",
        "key-|0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "mg('@@')",
    ),
    (
        "Figma token",
        "figd_|a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
        "figma @@\n",
    ),
    (
        "seed phrase",
        "legal win|ner thank year wave sausage worth useful legal winner thank yellow",
        "MNEMONIC=\"@@\"\n",
    ),
    ("secret", "deadbeef|cafebabe1234", "SECRET_TOKEN = \"@@\"\n"),
    (
        "login pair",
        "S3cretPa|55word",
        "requests.get(url, auth=(\"admin\", \"@@\"))\n",
    ),
    (
        "login pair",
        "S3cretPa|55word",
        "auth = HTTPBasicAuth(\"admin\", \"@@\")\n",
    ),
    (
        "login pair",
        "S3cretPa|55word",
        "request.basic_auth(name, Some(\"@@\"))",
    ),
    (
        "login pair",
        "S3cretPa|55word",
        "$client->get($url, ['auth' => ['admin', '@@']]);",
    ),
    ("password", "Password|123", "password = \"@@\"\n"),
    ("password", "mypass|123", "password = \"@@\"\n"),
    ("password", "secret|123", "password = \"@@\"\n"),
    ("password", "pass|1234", "password = \"@@\"\n"),
    ("password", "secret|99", "DB_PASSWORD=@@\n"),
    ("password", "my_S3cr3|tP4ss!", "password = \"@@\"\n"),
    ("password", "p<4ss!9x|Qzz", "password = \"@@\"\n"),
    (
        "password",
        "correct horse |battery staple",
        "password = \"@@\"\n",
    ),
    (
        "password",
        "correct horse |battery staple",
        "{\"password\": \"@@\", \"port\": 1}",
    ),
    ("password", "8374|9201", "password = \"@@\"\n"),
    ("password", "LETME|INNOW", "password = \"@@\"\n"),
    ("password", "Correct|horse", "password = \"@@\"\n"),
    ("password", "contra|seña", "password = \"@@\"\n"),
    ("password", "пароль|123", "password = \"@@\"\n"),
    ("password", "$Winter|2024", "PASSWORD=@@\n"),
    ("password", "$ecretPa|55word", "PASSWORD=@@\n"),
    (
        "password",
        "hunter2|x",
        "db:\n  password:\n    @@\n  port: 1\n",
    ),
    (
        "password",
        "hunter2|x9!",
        "db:\n  password: |\n    @@\n  port: 1\n",
    ),
    ("password", "hunter2|x9!", "password = \"\"\"@@\"\"\"\n"),
    (
        "password",
        "hunter2|x9",
        "FROM alpine\nENV DB_PASSWORD @@\nRUN true\n",
    ),
    (
        "password",
        "hunter2|x9",
        "machine example.org login me password @@\n",
    ),
    (
        "password",
        "hunter2|x9",
        "machine example.org\n  login me\n  password @@\n",
    ),
    ("password", "hunter2|x9", "db_password <- \"@@\"\n"),
    ("command line", "hunter2|x9", "mysql -p@@ main\n"),
    (
        "command line",
        "hunter2|x9",
        "mysqldump -h db -u root -p@@ main\n",
    ),
    (
        "command line",
        "hunter2|x9",
        "curl -uadmin:@@ https://example.org\n",
    ),
    (
        "command line",
        "hunter2|x9",
        "curl -u admin:@@ https://example.org\n",
    ),
    (
        "cookie",
        "8f14|e45fceea167a5a36dedd4bea2543",
        "Cookie: session=@@\n",
    ),
    (
        "cookie",
        "8f14|e45fceea167a5a36dedd4bea2543",
        "Set-Cookie: theme=dark; PHPSESSID=@@; Path=/\n",
    ),
    (
        "database address",
        "my-Prod|-Pa55",
        "postgres://app:@@@db/x\n",
    ),
    ("database address", "p@ss#w|0rd", "postgres://app:@@@db/x\n"),
    (
        "token",
        "aB3_9x__|QwErT77yUiOpLkJhGfD0987654zz",
        "token = \"@@\"\n",
    ),
    (
        "secret",
        "Zk9-your|-8fjQ2kd92kd0",
        "client_secret: \"@@\"\n",
    ),
    (
        "AWS secret key",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAM|PLEKEY",
        "aws_secret_access_key = @@\n",
    ),
    (
        "AWS secret key",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAM|PLEKEY",
        "ENV AWS_SECRET_ACCESS_KEY @@\n",
    ),
];
